"""The events of a JSON trace, one block after the other, in bounded memory.

A trace is a list of events, or an object whose ``traceEvents`` is that list; often one line of gigabytes. The file is
read in blocks of 1 MB. Each block is cut at its last ``}`` that ``, {`` follows, and what stands before is decoded as
one list. That is sound: what is cut inside a string or deeper than one level is no list when a single ``]`` closes it.
When the last cuts do not decode, a scan of strings and brackets finds the right one, so the cost stays linear whatever
the file holds. Every byte passes through ``HashingFile``: the digest is that of the bytes that were parsed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import msgspec

from reportgen.digests import CHUNK, HashingFile
from reportgen.errors import CaptureError

if TYPE_CHECKING:
    import numpy as np

LARGEST = 16 << 20
"""Bytes of one event, and of all that stands beside the events; the largest event seen is under 10 kB."""
_NONE = msgspec.Raw(b"")
_TRIES = 4
_BRACES = 64
_EVENTS = re.compile(rb'"traceEvents"\s*+:\s*+\[')
_SEGMENT = 1 << 18
_TEXT = 1 << 30
_BYTE = re.compile(r" \(byte (\d+)\)$")
_HINT = "export the capture again; a trace that was edited is not read"


class Event(msgspec.Struct, gc=False):
    """What is read of one event; a key that stands twice holds its last value."""

    name: str = ""
    """Name."""
    ph: str = ""
    """Phase: ``X`` complete, ``C`` counter, ``M`` metadata ..."""
    pid: int | str | None = None
    """The process: a lane of the trace, named by its metadata and never to be decoded."""
    ts: msgspec.Raw = _NONE
    """Start in microseconds, as written: number or text."""
    dur: msgspec.Raw = _NONE
    """Duration in microseconds, as written."""
    args: msgspec.Raw = _NONE
    """Arguments, as written."""


class Key:
    """A key of an object that equals no other, so that keys that stand twice are both kept."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def key_hook(kind: type, value: object) -> object:
    """The ``dec_hook`` of decoders whose mappings have ``Key`` as key."""
    return kind(value)


class EventStream:
    """The events of an open trace.

    Args:
        file: the trace.
        where: its path for messages.
        watch: called with every block of the file, in order.
    """

    def __init__(self, file: HashingFile, where: str, watch: Callable[[bytes], None]) -> None:
        self._file, self._where, self._watch = file, where, watch
        self._decoder = msgspec.json.Decoder(list[Event])
        self._buffer, self._passed = b"", 0
        self._head: bytes | None = None
        self.complete = False
        """After the last event: whether the trace ends as JSON."""

    def __iter__(self) -> Iterator[list[Event]]:
        """Lists of events in the file's order; a cut trace ends early and leaves ``complete`` False.

        Raises:
            CaptureError: ``trace_malformed``, ``trace_event_too_large``, each with the byte; ``trace_without_events``.
        """
        if not self._begin():
            return
        while self._more():
            found, rest, ended = self._split()
            if found:
                yield found
            if ended:
                self._end(rest)
                return
            if rest == 0 and len(self._buffer) > LARGEST:
                raise CaptureError(
                    "trace_event_too_large",
                    f"holds an event of more than {LARGEST} bytes",
                    where=self._place(),
                    hint=_HINT,
                )
            self._drop(rest)
        found, rest, ended = self._scan()
        if found:
            yield found
        if ended:
            self._end(rest)
        else:
            self._refuse_unless_cut(b"[" + self._buffer[rest:])

    def _more(self) -> bool:
        """Read on, doubling what is held so that an event of many blocks is not scanned for each of them."""
        held = len(self._buffer)
        block = self._file.read(max(CHUNK, min(held, LARGEST + CHUNK - held))) or b""
        self._watch(block)
        self._buffer += block
        return bool(block)

    def _drop(self, count: int) -> None:
        self._buffer = self._buffer[count:]
        self._passed += count

    def _begin(self) -> bool:
        """Go to the first event; False when the file ends before."""
        while not (start := self._buffer.removeprefix(b"\xef\xbb\xbf").lstrip()):
            if not self._more():
                return False
        if start[:1] == b"[":
            self._drop(len(self._buffer) - len(start) + 1)
            return True
        if start[:1] != b"{":
            raise CaptureError("trace_malformed", "is no JSON list or object", where=self._place(), hint=_HINT)
        self._drop(len(self._buffer) - len(start) + 1)
        while (at := _events_start(self._buffer)) is None:
            if len(self._buffer) > LARGEST:
                raise CaptureError(
                    "trace_without_events",
                    f"names no traceEvents in its first {LARGEST} bytes",
                    where=self._place(),
                    hint=_HINT,
                )
            if not self._more():
                self._refuse_unless_cut(b"{" + self._buffer)
                return False
        self._head = self._buffer[:at]
        self._drop(at)
        return True

    def _split(self) -> tuple[list[Event], int, bool]:
        """Events of the buffer, where the next begins, and whether the list has ended there."""
        for comma, after in _cuts(self._buffer):
            try:
                return self._decoder.decode(b"[" + self._buffer[:comma] + b"]"), after, False
            except (msgspec.DecodeError, RecursionError):
                continue
        return self._scan()

    def _scan(self) -> tuple[list[Event], int, bool]:
        """As ``_split``, by a scan of strings and brackets; the next begins at 0 when no event is whole."""
        end, after, ended = _boundary(self._buffer)
        if end < 0:
            return [], 0, False
        try:
            return self._decoder.decode(b"[" + self._buffer[:end] + b"]"), after, ended
        except msgspec.DecodeError as fault:
            raise self._malformed(str(fault)) from fault
        except RecursionError as fault:
            raise self._malformed("nested too deep") from fault

    def _end(self, after: int) -> None:
        """Check what follows the list: nothing, or the other members of the object.

        Raises:
            CaptureError: ``trace_malformed``.
        """
        self._drop(after)
        while self._more():
            if len(self._buffer) > LARGEST:
                raise CaptureError(
                    "trace_malformed",
                    f"holds more than {LARGEST} bytes beside its events",
                    where=self._place(),
                    hint=_HINT,
                )
            if self._head is None and self._buffer.strip():
                break
        if self._head is None:
            if self._buffer.strip():
                raise CaptureError("trace_malformed", "goes on after its end", where=self._place(), hint=_HINT)
            self.complete = True
            return
        whole = b"{" + self._head + b"]" + self._buffer
        try:
            members = msgspec.json.decode(whole, type=dict[Key, msgspec.Raw], dec_hook=key_hook)
        except (msgspec.DecodeError, RecursionError):
            self._refuse_unless_cut(whole, beside=True)
            return
        if sum(key.text == "traceEvents" for key in members) != 1:
            raise CaptureError("trace_malformed", "names traceEvents twice", where=self._place(), hint=_HINT)
        self.complete = True

    def _refuse_unless_cut(self, text: bytes, *, beside: bool = False) -> None:
        """Nothing when the text is the beginning of JSON; ``beside``: the members of the object beside the events.

        Raises:
            CaptureError: ``trace_malformed``; ``trace_without_events`` for a whole object without them.
        """
        try:
            msgspec.json.decode(text, type=msgspec.Raw)
        except msgspec.DecodeError as fault:
            found = _BYTE.search(str(fault))
            inside_number = found is not None and int(found.group(1)) >= len(text)
            if "truncated" not in str(fault) and not inside_number:
                raise self._malformed(_BYTE.sub("", str(fault)) if beside else str(fault)) from fault
        except RecursionError as fault:
            raise self._malformed("nested too deep") from fault
        else:
            raise CaptureError(
                "trace_without_events", "is an object without traceEvents", where=self._place(), hint=_HINT
            )

    def _malformed(self, why: str) -> CaptureError:
        """``trace_malformed``, at the byte the decoder names (it counts the bracket put in front of the buffer)."""
        found = _BYTE.search(why)
        offset = max(int(found.group(1)) - 1, 0) if found else 0
        return CaptureError(
            "trace_malformed", f"is not readable JSON: {_BYTE.sub('', why)}", where=self._place(offset), hint=_HINT
        )

    def _place(self, offset: int = 0) -> str:
        return f"{self._where}:byte {self._passed + offset}"


def _cuts(buffer: bytes) -> Iterator[tuple[int, int]]:
    """The last places where ``}``, a comma and ``{`` follow each other: of the comma, and of the brace after it."""
    at, found = len(buffer), 0
    for _ in range(_BRACES):
        at = buffer.rfind(b"{", 0, at)
        if at <= 0 or found == _TRIES:
            return
        window = buffer[max(at - 32, 0) : at]
        before = window.rstrip()
        if before[-1:] == b"," and before[:-1].rstrip()[-1:] == b"}":
            found += 1
            yield at - len(window) + len(before) - 1, at


def _depths(buffer: bytes) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """Depth of brackets after each byte, from 0; ``_TEXT`` inside a text (its first quote too, its last one not)."""
    import numpy as np

    found = np.empty(len(buffer), dtype=np.int32)
    data = np.frombuffer(buffer, dtype=np.uint8)
    inside, depth, odd = 0, 0, False
    for start in range(0, len(buffer), _SEGMENT):
        part = data[start : start + _SEGMENT]
        place = np.arange(len(part), dtype=np.int32)
        plain = np.maximum.accumulate(np.where(part != ord("\\"), place, -1 - odd))
        backslashes = np.concatenate(([odd], ((place - plain) & 1).astype(bool)))
        quotes = np.cumsum((part == ord('"')) & ~backslashes[:-1], dtype=np.int32) + inside
        text = (quotes & 1).astype(bool)
        opened = (part == ord("{")) | (part == ord("["))
        closed = (part == ord("}")) | (part == ord("]"))
        steps = np.where(text, 0, opened.astype(np.int8) - closed.astype(np.int8))
        depths = np.cumsum(steps, dtype=np.int32) + depth
        inside, depth, odd = int(quotes[-1]) & 1, int(depths[-1]), bool(backslashes[-1])
        depths[text] = _TEXT
        found[start : start + _SEGMENT] = depths
    return found


def _boundary(buffer: bytes) -> tuple[int, int, bool]:
    """End of the last whole event and start of what follows: the list's end (True) or its last comma; -1: neither."""
    import numpy as np

    depths = _depths(buffer)
    ends = np.flatnonzero(depths == -1)
    if len(ends):
        return int(ends[0]), int(ends[0]) + 1, True
    commas = np.flatnonzero((np.frombuffer(buffer, dtype=np.uint8) == ord(",")) & (depths == 0))
    comma = int(commas[-1]) if len(commas) else -1
    return comma, comma + 1, False


def _events_start(buffer: bytes) -> int | None:
    """Where the list of the member ``traceEvents`` begins, its bracket passed; None when it is not in the buffer."""
    depths = _depths(buffer)
    for match in _EVENTS.finditer(buffer):
        start = match.start()
        if depths[match.end() - 1] == 1 and (start == 0 or depths[start - 1] != _TEXT):
            return match.end()
    return None
