"""A log from a stranger as lines of bounded length, in bounded memory, without what a terminal or a launcher added.

A log may be of any size, hold a line of a gigabyte, colours, progress bars drawn with carriage returns, the lines of
several ranks glued together, addresses and keys. Patterns used on it must be linear: bounded repeats, no nested ones.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from reportgen.digests import CHUNK, HashingFile, read_whole, sha256_bytes
from reportgen.errors import CaptureError
from reportgen.model import FileRecord
from reportgen.plain import printable

Item = TypeVar("Item")

LONGEST_LINE = 1 << 20
"""Bytes of a line that are kept; what stands beyond is not read and the line is counted in ``Log.cut_lines``."""
LARGEST_JSON = 256 << 20
"""Bytes of the largest JSON file that is read; lists of every token's gap stay far below."""
LONGEST_VALUE = 200
"""Characters of the longest text that is kept as a statement of a run."""
LONGEST_TEXT = 1 << 14
"""Characters in which addresses and directories are looked for; what is longer shows as a digest alone."""
HEAD = 1 << 16
"""Bytes in which a sniff finds the first line or the first keys."""
OVERLAP = 1 << 12
"""Bytes of the longest match that a sniff can find across two chunks."""
MOST_RECORDS = 200_000
"""Records of the largest file that is read, some 300 MB of memory."""

_ANSI = re.compile(r"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,512}(?:\x07|\x1b\\)?|[@-Z\\^_])")
_PREFIX = re.compile(
    r"\s{0,8}(?:"
    r"\[(?:default|rank)\d{1,6}\]:"  # torchrun
    r"|\[?\d{1,6}\]?:(?=\s)"  # srun --label
    r"|\([A-Za-z_][\w ]{0,60}? ?pid=\d{1,9}(?:, ip=[\w.:]{1,60})?\)"  # ray, vLLM
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)(?=\s)"  # container logs
    r")\s?"
)
_SECRET = re.compile(
    r"api[_-]?key|(?:access|secret|private|encrypt\w{0,20})[_-]?key|secret|passw|pwd|credential|cookie|authori[sz]|bearer"
    r"|(?:^|[_-])(?:ak|sk|token|auth)$",
    re.IGNORECASE,
)
_HOST = re.compile(
    r"(?:^|[_.-])(?:host|hostname|host_ip|ip|ip_port|url|base_url|endpoint_url|master_addr|addr)$", re.IGNORECASE
)
_URL = re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]{1,15}://[^\s'\"<>,;)\]}]{1,2000}")
_IPV4 = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\w]|\.\d)")
_IPV6 = re.compile(r"(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){3,7}[0-9A-Fa-f]{0,4}(?![\w:])")
_PATH = re.compile(r"(?<![\w.<>/-])(?:~?/|[A-Za-z]:[\\/])[^\s'\",;:()\[\]{}|=]{1,4000}")
_KEY_VALUE = re.compile(r"\b(?:sk|hf|ghp|glpat|xox[a-z])[-_][A-Za-z0-9_-]{8,200}")
_AFTER_SECRET = re.compile(
    r"(?i)((?:api[_-]?key|secret[_-]?key|access[_-]?key|password|passwd|secret|authorization|hf[_-]token|auth[_-]token)"
    r"['\"]?\s{0,4}[:=\s]\s{0,4}['\"]?(?:bearer )?)[^\s'\",}&]{1,2000}"
)


class Line(NamedTuple):
    """One piece of a log between two line ends or carriage returns."""

    number: int
    """Line of the file, from 1; pieces divided by carriage returns share it."""
    text: str
    """Without colours and line end; at most ``LONGEST_LINE`` bytes of it."""
    ended: bool
    """False for the last piece of a file that ends without a line end: its last figure may be cut."""


class Log:
    """One file, read forward as often as needed; every pass must see the same bytes.

    Args:
        path: a regular file, or a link to one in the same directory.

    Raises:
        CaptureError: ``file_unreadable``, ``file_outside``, ``log_unreadable`` (empty, or no text).
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.shown = printable(path.name)
        self.cut_lines = 0
        self._record: FileRecord | None = None
        with closing(self._open()) as file:
            self.head = file.read(HEAD) or b""
        self._is_small = len(self.head) < HEAD
        if not self.head.strip():
            raise CaptureError(
                "log_unreadable", "is empty", where=self.at(), hint="give the log or result file of a run that ended"
            )
        if self.head[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in self.head:
            raise CaptureError(
                "log_unreadable",
                "is not text in UTF-8",
                where=self.at(),
                hint="give the text itself: unpacked, and saved as UTF-8 (not UTF-16)",
            )
        self.head = self.head.removeprefix(b"\xef\xbb\xbf")

    def _open(self) -> HashingFile:
        return HashingFile(self.path, self.path.parent)

    def at(self, line: int = 0) -> str:
        """The place for an error: the path as given, and the line where there is one."""
        return printable(str(self.path)) + (f":{line}" if line else "")

    def _settle(self, size: int, digest: str) -> None:
        """Keep what was read, or refuse a file that changed between two passes."""
        found = FileRecord(path=self.shown, size=size, digest=digest)
        if self._record is not None and found != self._record:
            raise CaptureError(
                "file_changed",
                "changed while it was read",
                where=self.at(),
                hint="wait until nothing writes to it, then run again",
            )
        self._record = found

    @property
    def record(self) -> FileRecord:
        """Name, size and digest of the bytes; reads the file when no pass came to its end yet."""
        if self._record is None:
            with closing(self._open()) as file:
                digest = file.finish()
                self._settle(file.size, digest)
        assert self._record is not None
        return self._record

    # ------------------------------------------------------------------------------------------ sniffing
    @property
    def is_json(self) -> bool:
        """Whether the first sign opens a JSON object or a list of them, not ``[2026-01-01 ...]`` or a Python dict."""
        return re.match(rb'\s{0,1000}(?:\[\s{0,1000})?\{\s{0,1000}["}]', self.head) is not None

    def matches(self, pattern: re.Pattern[bytes], needle: bytes = b"") -> Iterator[re.Match[bytes]]:
        """Every match in the raw bytes, chunk by chunk; one near a chunk's end may come twice.

        Args:
            pattern: matches at most ``OVERLAP`` bytes; case as in the file.
            needle: bytes that every match holds, looked for first, which is many times faster; empty: none.
        """
        if self._is_small:
            yield from pattern.finditer(self.head if needle in self.head else b"")
            return
        kept = b""
        with closing(self._open()) as file:
            while chunk := file.read(CHUNK):
                joined = kept + chunk
                if needle in joined:
                    yield from pattern.finditer(joined)
                kept = joined[-OVERLAP:]

    def holds(self, pattern: re.Pattern[bytes], needle: bytes = b"") -> bool:
        """Whether the pattern is found anywhere, see ``matches``; stops at the first."""
        return next(self.matches(pattern, needle), None) is not None

    # ------------------------------------------------------------------------------------------ reading
    def lines(self) -> Iterator[Line]:
        """Every piece in order; empty ones are left out.

        Raises:
            CaptureError: ``file_changed``.
        """
        number, cut_lines = 1, 0
        kept, length = b"", 0  # the start of the open piece, and how long it is in all
        with closing(self._open()) as file:
            while chunk := file.read(CHUNK):
                pieces = re.split(rb"([\r\n])", chunk)
                for index in range(0, len(pieces), 2):
                    kept += pieces[index][: LONGEST_LINE - len(kept)]
                    length += len(pieces[index])
                    if index + 1 == len(pieces):
                        break
                    cut_lines += length > LONGEST_LINE
                    if kept:
                        yield Line(number, cleaned(kept), ended=True)
                    number += pieces[index + 1] == b"\n"
                    kept, length = b"", 0
            cut_lines += length > LONGEST_LINE
            digest = file.finish()
            self._settle(file.size, digest)
        self.cut_lines = cut_lines
        if kept:
            yield Line(number, cleaned(kept), ended=False)

    def objects(self) -> Iterator[tuple[int, Any]]:
        """The JSON values of the file, one after another, each with the line it starts in.

        Numbers are ``Digits``: the text as written. An object that names a key twice is refused.

        Raises:
            CaptureError: ``log_unreadable`` with file and line, ``file_too_large``, ``file_changed``.
        """
        data, digest = read_whole(self.path, self.path.parent, limit=LARGEST_JSON)
        self._settle(len(data), digest)
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as fault:
            line = data.count(b"\n", 0, fault.start) + 1
            raise CaptureError(
                "log_unreadable", "is not text in UTF-8", where=self.at(line), hint="save it as UTF-8"
            ) from fault
        del data
        decoder = json.JSONDecoder(
            object_pairs_hook=_once, parse_float=Digits, parse_int=Digits, parse_constant=_no_number
        )
        space = re.compile(r"[ \t\r\n]*+")
        line, counted, at = 1, 0, 0
        while (at := _end(space, text, at)) < len(text):
            line, counted = line + text.count("\n", counted, at), at
            try:
                found, at = decoder.raw_decode(text, at)
            except (ValueError, RecursionError) as fault:
                bad = line + text.count("\n", at, fault.pos) if isinstance(fault, json.JSONDecodeError) else line
                why = "nested too deeply" if isinstance(fault, RecursionError) else printable(str(fault))[:200]
                raise CaptureError(
                    "log_unreadable",
                    f"is not whole JSON: {why}",
                    where=self.at(bad),
                    hint="copy the file again from the machine that wrote it",
                ) from fault
            yield line, found


class Digits(str):
    """A number of a JSON file as its text; a plain ``str`` is a text."""

    __slots__ = ()


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice[:60]!r} stands twice in one object")
    return found


def _no_number(text: str) -> None:
    """``NaN`` and the infinities are no figures: as if the key held null."""


# --------------------------------------------------------------------------------------------- pieces of a line
def cleaned(piece: bytes) -> str:
    """The text of a piece without terminal colours; bytes that are no UTF-8 become escapes: two stay two."""
    text = piece.decode("utf-8", "backslashreplace").removeprefix("\ufeff")
    return _ANSI.sub("", text) if "\x1b" in text else text


def bare(text: str) -> str:
    """The text without what launchers put before it: ``[default0]:``, ``(APIServer pid=1) ``, a container's stamp."""
    for _ in range(4):
        match = _PREFIX.match(text)
        if match is None:
            break
        text = text[match.end() :]
    return text


def records(anchor: re.Pattern[str], text: str) -> Iterator[tuple[re.Match[str], str, bool]]:
    """Every record of a line that may hold several glued together.

    Yields:
        The anchor's match, the text from its end to the next anchor or the end, and whether another one follows.
    """
    for match, after in followed(list(anchor.finditer(text))):
        yield match, text[match.end() : after.start() if after else len(text)], after is not None


def followed(items: Sequence[Item]) -> Iterator[tuple[Item, Item | None]]:
    """Each item with the one after it; None after the last."""
    for index, item in enumerate(items):
        yield item, items[index + 1] if index + 1 < len(items) else None


class Pair(NamedTuple):
    """One ``key: value`` between two bars."""

    key: str
    """As written, spaces at the ends removed."""
    value: str
    """As written, spaces at the ends removed."""
    closed: bool
    """Whether a bar follows; an open value may be cut."""


def pairs(text: str) -> Iterator[Pair]:
    """The ``key: value`` pairs of a text divided by ``|``; cells without a colon are left out."""
    cells = text.split("|")
    for index, cell in enumerate(cells):
        key, colon, value = cell.partition(":")
        if colon and key.strip() and value.strip():
            yield Pair(key.strip(), value.strip(), index + 1 < len(cells))


# --------------------------------------------------------------------------------------------- what stays outside
def withheld(key: str) -> bool:
    """Whether a key of this name holds a secret or names a machine; its value is never kept."""
    return _SECRET.search(key) is not None or _HOST.search(key) is not None


def redacted(text: str) -> str:
    """The text without addresses, keys and directories, safe to show, at most ``LONGEST_VALUE`` characters.

    A path keeps its last part (``<path>/Qwen3-8B``), since it names the model or the data set. A text that is cut ends
    in a digest of all of it, so that two texts that differ behind the cut do not become one.
    """
    rest, text = text[LONGEST_TEXT:], text[:LONGEST_TEXT]
    text = _AFTER_SECRET.sub(r"\1<withheld>", text)
    text = _KEY_VALUE.sub("<withheld>", text)
    text = _URL.sub("<url>", text)
    text = _IPV4.sub("<ip>", text)
    text = _IPV6.sub("<ip>", text)
    text = _PATH.sub(_last_part, text)
    return shortened(f"{printable(text.strip())}{rest}")


def shortened(text: str) -> str:
    """The text, or what of it has room and a digest of all of it."""
    if len(text) <= LONGEST_VALUE:
        return text
    mark = f"... (SHA-256 {sha256_bytes(text.encode('utf-8', 'surrogatepass'))[:12]})"
    return text[: LONGEST_VALUE - len(mark)] + mark


def directories(text: str) -> str:
    """A digest of the directories that ``redacted`` takes out of a text; empty where it takes none."""
    found = [match.group() for match in _PATH.finditer(text[:LONGEST_TEXT])]
    folders = [re.sub(r"[^\\/]+[\\/]*$", "", path) for path in found]
    return sha256_bytes("\0".join(folders).encode("utf-8", "surrogatepass")) if found else ""


def _last_part(match: re.Match[str]) -> str:
    parts = [part for part in re.split(r"[\\/]", match.group()) if part]
    return f"<path>/{parts[-1]}" if len(parts) > 1 else "<path>"
