"""communication.json: what each collective took, and what moved over each link.

The file holds binary floats printed in full (``0.23918478124999998``); they are kept as the decimal numbers they are
written as. Milliseconds become nanoseconds; MB and GB are powers of ten here (2.064384 MB of a packet is 2064384 B in
COMMUNICATION_TASK_INFO). Steps are ``step50``, or ``step`` where no step was marked. ``Total Op Info`` sums the others
and is left out. Source: docs/formats.md 3.5.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from reportgen import units
from reportgen.digests import read_whole
from reportgen.errors import CaptureError
from reportgen.frames import Table
from reportgen.model import FileRecord
from reportgen.plain import printable
from reportgen.reading import json_numbers
from reportgen.reading.json_events import Key, key_hook

if TYPE_CHECKING:
    import pandas as pd

LIMIT = 256 << 20
"""Bytes; 1.4 kB for each operator of each step."""
MOST_PACKETS = 10**15
"""Packets of one size; more is no count."""
TOTAL = "Total Op Info"
TIMES = {
    "elapse_ns": "Elapse Time(ms)",
    "transit_ns": "Transit Time(ms)",
    "wait_ns": "Wait Time(ms)",
    "synchronization_ns": "Synchronization Time(ms)",
    "idle_ns": "Idle Time(ms)",
}
START = "Start Timestamp(us)"
SIZE, MOVED, LARGE, SPREAD = "Transit Size(MB)", "Transit Time(ms)", "Large Packet Ratio", "Size Distribution"
TIME_INFO, LINK_INFO = "Communication Time Info", "Communication Bandwidth Info"
_MS, _US, _MB = 10**6, 10**3, 10**6
_HINT = "analyse the capture again; a file edited by hand is not read"


class _Place:
    """A place in the file: its path for messages and a JSON pointer."""

    __slots__ = ("pointer", "where")

    def __init__(self, where: str, pointer: str = "") -> None:
        self.where, self.pointer = where, pointer

    def __truediv__(self, key: str) -> _Place:
        return _Place(self.where, f"{self.pointer}/{printable(key.replace('~', '~0').replace('/', '~1'))}")

    def __str__(self) -> str:
        return f"{self.where}#{self.pointer}"


def _members(mapping: dict[Key, Any], place: _Place) -> dict[str, Any]:
    """The members of an object.

    Raises:
        CaptureError: ``communication_table_duplicate``.
    """
    found: dict[str, Any] = {}
    for key, value in mapping.items():
        if key.text in found:
            raise CaptureError(
                "communication_table_duplicate",
                f"key {printable(key.text)!r} stands twice",
                where=str(place / key.text),
                hint=_HINT,
            )
        found[key.text] = value
    return found


class _Decoders:
    """Decoders of the levels of the file, each of which keeps the next as written."""

    def __init__(self) -> None:
        raw = dict[Key, msgspec.Raw]
        self.file = msgspec.json.Decoder(dict[Key, dict[Key, raw]], dec_hook=key_hook)
        self.operator = msgspec.json.Decoder(dict[Key, raw], dec_hook=key_hook)
        self.flat = msgspec.json.Decoder(raw, dec_hook=key_hook)
        self.spread = msgspec.json.Decoder(dict[Key, list[msgspec.Raw]], dec_hook=key_hook)

    def decode(self, decoder: msgspec.json.Decoder[Any], data: bytes | msgspec.Raw, place: _Place) -> dict[str, Any]:
        """An object of the shape of the decoder.

        Raises:
            CaptureError: ``communication_table_unreadable``, ``communication_table_duplicate``.
        """
        try:
            found = decoder.decode(data)
        except (msgspec.DecodeError, RecursionError) as fault:
            raise CaptureError(
                "communication_table_unreadable",
                f"is no such table: {printable(str(fault))[:200]}",
                where=str(place),
                hint=_HINT,
            ) from fault
        return _members(found, place)


def _number(members: dict[str, Any], key: str, scale: int, place: _Place, *, noise: bool = False) -> Fraction:
    """A member that is a number and not negative, times ``scale``.

    With ``noise`` a negative number whose nanoseconds round to 0 is 0: the exporter takes idle as a difference of
    floats.

    Raises:
        CaptureError: ``communication_table_columns``, ``communication_table_value``, ``communication_table_negative``.
    """
    if key not in members:
        raise CaptureError("communication_table_columns", f"member {key!r} is missing", where=str(place), hint=_HINT)
    place /= key
    written = bytes(members[key])
    try:
        if written[:1] == b'"':
            raise ValueError(f"{printable(written[:40].decode('utf-8', 'replace'))} is text, not a number")
        value = json_numbers.exact(written) * scale
    except ValueError as fault:
        raise CaptureError("communication_table_value", str(fault), where=str(place), hint=_HINT) from fault
    if noise and Fraction(-1, 2) < value < 0:
        return Fraction(0)
    if value < 0:
        raise CaptureError(
            "communication_table_negative", f"{written[:40].decode()} is negative", where=str(place), hint=_HINT
        )
    if value > json_numbers.LATEST:
        raise CaptureError(
            "communication_table_value", f"{written[:40].decode()} is beyond any capture", where=str(place), hint=_HINT
        )
    return value


def _step(text: str, place: _Place) -> str:
    digits = text.removeprefix("step")
    if not text.startswith("step") or (digits and not (digits.isascii() and digits.isdigit() and len(digits) <= 18)):
        raise CaptureError(
            "communication_table_value",
            f"{printable(text)[:80]!r} is no step: step50, or step without steps",
            where=str(place),
            hint=_HINT,
        )
    return digits


def _times(info: dict[str, Any], place: _Place) -> dict[str, Any]:
    start = round(_number(info, START, _US, place)) if START in info else None
    return {"start_ns": start} | {
        name: units.exact(_number(info, key, _MS, place, noise=name == "idle_ns")) for name, key in TIMES.items()
    }


def _packets(decoders: _Decoders, members: dict[str, Any], place: _Place) -> int:
    """Packets of all sizes."""
    if SPREAD not in members:
        raise CaptureError("communication_table_columns", f"member {SPREAD!r} is missing", where=str(place), hint=_HINT)
    place /= SPREAD
    packets = 0
    for size, counted in decoders.decode(decoders.spread, members[SPREAD], place).items():
        try:
            count = json_numbers.whole(counted[0]) if counted and bytes(counted[0])[:1] != b'"' else -1
        except ValueError:
            count = -1
        if not 0 <= count <= MOST_PACKETS:
            raise CaptureError(
                "communication_table_value", "holds no number of packets", where=str(place / size), hint=_HINT
            )
        packets += count
    return packets


def _link(decoders: _Decoders, data: msgspec.Raw, place: _Place) -> dict[str, Any] | None:
    """Traffic of one link; None without any."""
    members = decoders.decode(decoders.flat, data, place)
    size = _number(members, SIZE, _MB, place)
    transit = _number(members, MOVED, _MS, place)
    ratio = _number(members, LARGE, 1, place)
    packets = _packets(decoders, members, place)
    if ratio > 1:
        raise CaptureError("communication_table_value", "is a share above 1", where=str(place / LARGE), hint=_HINT)
    if not (size or transit or packets):
        return None
    return {
        "size_bytes": units.exact(size),
        "transit_ns": units.exact(transit),
        "packets": packets,
        "large_packets": units.exact(ratio * packets),
    }


def _operators(decoders: _Decoders, data: bytes, root: _Place) -> Iterator[tuple[str, str, str, msgspec.Raw, _Place]]:
    """(step, kind, operator, what is recorded, place) in the file's order."""
    for step, kinds in decoders.decode(decoders.file, data, root).items():
        at_step = root / step
        digits = _step(step, at_step)
        for kind, operators in _members(kinds, at_step).items():
            if kind not in ("collective", "p2p"):
                raise CaptureError(
                    "communication_table_value",
                    f"{printable(kind)[:80]!r} is neither collective nor p2p",
                    where=str(at_step / kind),
                    hint=_HINT,
                )
            for name, recorded in _members(operators, at_step / kind).items():
                if name != TOTAL:
                    yield digits, kind, name, recorded, at_step / kind / name


def _rows(data: bytes, root: _Place) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The rows of both tables."""
    decoders = _Decoders()
    times: list[dict[str, Any]] = []
    links: list[dict[str, Any]] = []
    for step, kind, text, recorded, place in _operators(decoders, data, root):
        name, _, group = text.rpartition("@") if "@" in text else (text, "", "")
        row = {"step": step, "kind": kind, "name": printable(name), "group": printable(group)}
        parts = decoders.decode(decoders.operator, recorded, place)
        for info in (TIME_INFO, LINK_INFO):
            if info not in parts:
                raise CaptureError(
                    "communication_table_columns", f"member {info!r} is missing", where=str(place), hint=_HINT
                )
        times.append(row | _times(_members(parts[TIME_INFO], place / TIME_INFO), place / TIME_INFO))
        for link, members in _members(parts[LINK_INFO], place / LINK_INFO).items():
            traffic = _link(decoders, members, place / LINK_INFO / link)
            if traffic is not None:
                links.append(row | {"link": printable(link)} | traffic)
    return times, links


def _frame(rows: list[dict[str, Any]], columns: tuple[str, ...]) -> pd.DataFrame:
    import pandas as pd

    made: dict[str, Any] = {}
    for name in columns:
        values = [row[name] for row in rows]
        if name in ("step", "kind", "name", "group", "link"):
            made[name] = pd.Categorical(values, categories=pd.Index(list(dict.fromkeys(values)), dtype=object))
        else:
            made[name] = pd.Series(values, dtype="Int64" if name == "start_ns" else object)
    return pd.DataFrame(made)


def read_communication(path: Path, root: Path, *, shown: str) -> tuple[Table, Table]:
    """The times of collectives and the traffic of their links.

    Args:
        path: ``communication.json``.
        root: the directory it must lie in.
        shown: path for the file record.

    Returns:
        ``COLLECTIVES`` and ``LINKS``, rows in the file's order; either may be empty. A link whose size, time and
        packets are all zero has no row.

    Raises:
        CaptureError: ``communication_table_unreadable`` (cut, not JSON, another shape), ``communication_table_columns``
            (a member is missing), ``communication_table_duplicate``, ``communication_table_value``,
            ``communication_table_negative``, each with a JSON pointer; as ``digests.read_whole``.

    Source: docs/formats.md 3.5.
    """
    data, digest = read_whole(path, root, limit=LIMIT)
    record = FileRecord(path=shown, size=len(data), digest=digest)
    times, links = _rows(data, _Place(printable(str(path))))
    return (
        Table(
            kind="collectives",
            frame=_frame(times, ("step", "kind", "name", "group", "start_ns", *TIMES)),
            file=record,
            columns=(START, *TIMES.values()),
            source="json",
            locator=TIME_INFO,
        ),
        Table(
            kind="links",
            frame=_frame(
                links, ("step", "name", "group", "link", "size_bytes", "transit_ns", "packets", "large_packets")
            ),
            file=record,
            columns=(SIZE, MOVED, LARGE, SPREAD),
            source="json",
            locator=LINK_INFO,
        ),
    )
