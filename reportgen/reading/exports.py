"""Which files of a PROF output folder belong to the newest complete export.

An export stamps its files ``{name}[_slice_i]_{14 digits}``, as csv, json or db; stamps inside one export differ by
seconds, and several exports may lie side by side. The newest op_summary or database decides; another file belongs to it
when its stamp lies within ``RUN_SECONDS``. Slices of one run are read together, a missing slice is an error.
Source: docs/formats.md 1.4 and 11.4; the ten seconds are ours.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from reportgen.errors import CaptureError
from reportgen.plain import printable

RUN_SECONDS = 10
_NAME = re.compile(r"(?P<base>.+?)(?:_slice_(?P<slice>\d+))?(?:_(?P<stamp>\d{14}))?\.(?P<kind>csv|json|db)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """The files of one export."""

    tables: dict[str, tuple[Path, ...]]
    """Base name (``op_summary`` of a csv, ``msprof.json``, ``msprof.db``) -> its file, or its slices in order."""
    ignored: tuple[Path, ...]
    """Files of other exports, by name."""


def _seconds(stamp: str | None) -> float | None:
    if stamp is None:
        return None
    try:
        return datetime.strptime(stamp, "%Y%m%d%H%M%S").replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None


def _apart(a: str | None, b: str | None) -> float:
    first, second = _seconds(a), _seconds(b)
    return 0.0 if first is None or second is None else abs(first - second)


def _base(match: re.Match[str], spines: tuple[str, ...]) -> str:
    if match["kind"] != "csv":
        return f"{match['base']}.{match['kind']}"
    return next((spine for spine in spines if spine in match["base"]), match["base"])


def newest(folder: Path, spines: tuple[str, ...], files: list[Path]) -> Export:
    """The newest complete export among the files of a capture.

    Args:
        folder: for messages; spines: base names of the tables that decide (``op_summary``, ``msprof.db``); files: its
            csv, json and db files.

    Raises:
        CaptureError: ``export_slice_missing`` when a slice of the newest run is not there; ``export_ambiguous`` when
            several files of one table carry the same stamp or none.
    """
    parsed: dict[str, list[tuple[str | None, int | None, Path]]] = {}
    for path in files:
        match = _NAME.fullmatch(path.name)
        if match is None:
            continue
        base = _base(match, spines)
        parsed.setdefault(base, []).append((match["stamp"], int(match["slice"]) if match["slice"] else None, path))
    stamps = [entry[0] or "" for spine in spines for entry in parsed.get(spine, [])]
    stamp = max(stamps, default="") or None
    tables: dict[str, tuple[Path, ...]] = {}
    for base, entries in parsed.items():
        near = [entry for entry in entries if _apart(entry[0], stamp) <= RUN_SECONDS]
        if near:
            tables[base] = _one_run(folder, base, near)
    used = {path for paths in tables.values() for path in paths}
    return Export(tables=tables, ignored=tuple(sorted(set(files) - used)))


def _one_run(folder: Path, base: str, entries: list[tuple[str | None, int | None, Path]]) -> tuple[Path, ...]:
    newest_first = sorted(entries, key=lambda entry: (entry[0] or "", entry[2].name), reverse=True)
    if newest_first[0][1] is None:
        rivals = [path for stamp, number, path in entries if number is None and stamp == newest_first[0][0]]
        if len(rivals) > 1:
            names = ", ".join(printable(path.name) for path in sorted(rivals))
            raise CaptureError(
                "export_ambiguous",
                f"holds several files of {base} that no stamp tells apart: {names}",
                where=printable(str(folder)),
                hint="leave the files of one export in the folder",
            )
        return (newest_first[0][2],)
    numbers = [number for _, number, _ in entries if number is not None]
    if len(set(numbers)) < len(entries):
        raise CaptureError(
            "export_ambiguous",
            f"holds slices of {base} from more than one export within {RUN_SECONDS} s",
            where=printable(str(folder)),
            hint="leave the files of one export in the folder",
        )
    slices = {number: path for _, number, path in newest_first if number is not None}
    wanted = range(max(slices) + 1)
    missing = [number for number in wanted if number not in slices]
    if missing:
        raise CaptureError(
            "export_slice_missing",
            f"slice {missing[0]} of {base} is missing",
            where=printable(str(folder)),
            hint="export the capture again",
        )
    return tuple(slices[number] for number in wanted)
