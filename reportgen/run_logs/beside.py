"""Results of the same tool that lie beside a named one and that nobody named: a run may have been chosen out of many.

Only the folder that holds the named file is looked through, nothing below it; what cannot be read is no result.
Source: docs/tricks.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from reportgen.digests import real
from reportgen.errors import CaptureError
from reportgen.model import FileRecord, Run, Side
from reportgen.plain import printable
from reportgen.run_logs import holds_results, read_runs

MOST_ENTRIES = 500
"""Entries of a folder that are looked at, by name."""
MOST_READ = 60
"""Files of a folder that are read."""
LARGEST = 1 << 24
"""Bytes of the largest file that is read."""
MOMENTS = ("end_time", "last_time", "local_time", "first_time")
"""Keys by which a run states when it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedLog:
    """A log that a target names, and what it holds."""

    case: str
    """Case id."""
    side: Side
    """Side."""
    path: Path
    """The file or the folder of results."""
    run: Run
    """The run that is used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """A result beside a named one."""

    case: str
    """Case of the named one."""
    sides: tuple[Side, ...]
    """Sides of the named ones whose folder it lies in, BEFORE first."""
    file: FileRecord
    """The file of the result, by the path of the named one's folder."""
    when: str
    """When it was, as it says itself; empty when it does not."""
    definitions: str
    """Definition set of its figures."""


def look(named: Sequence[NamedLog]) -> tuple[Beside, ...]:
    """The results beside the named logs that no target names, by side and time.

    Args:
        named: every log of every case. A server's log is no result; nothing is looked for beside it.

    Returns:
        Each result once, for the case of the first named log whose folder and definitions it shares, and for all sides
        of that case of which a named log does.
    """
    given = {_real(one.path) for one in named}
    digests = {record.digest for one in named for record in (one.run.file, *one.run.more)}
    found: dict[Path, Beside] = {}
    for one in named:
        if any(warning.code == "log_witness_only" for warning in one.run.warnings):
            continue
        for path in _neighbours(one.path):
            real = _real(path)
            if real in given:
                continue
            if real in found:
                known = found[real]
                if known.case == one.case and one.side not in known.sides and one.run.definitions == known.definitions:
                    sides = tuple(side for side in Side if side in (*known.sides, one.side))
                    found[real] = replace(known, sides=sides)
                continue
            for run in _runs(path):
                if run.definitions == one.run.definitions and run.file.digest not in digests:
                    place = PurePosixPath(one.run.file.path).parent / printable(path.name)
                    record = FileRecord(path=str(place), size=run.file.size, digest=run.file.digest)
                    found.setdefault(
                        real,
                        Beside(
                            case=one.case, sides=(one.side,), file=record, when=_when(run), definitions=run.definitions
                        ),
                    )
    order = {side: index for index, side in enumerate(Side)}
    return tuple(sorted(found.values(), key=lambda one: (order[one.sides[0]], one.when, one.file.path)))


def _real(path: Path) -> Path:
    return real(path)


def _neighbours(path: Path) -> Iterator[Path]:
    """Files beside a file, folders of results beside such a folder; links and hidden entries are passed over."""
    folders = path.is_dir()
    try:
        entries = sorted(real(path).parent.iterdir())[:MOST_ENTRIES]
    except OSError:
        return
    read = 0
    for entry in entries:
        if entry.is_symlink() or entry.name.startswith(".") or read >= MOST_READ:
            continue
        if (entry.is_dir() and holds_results(entry)) if folders else _readable(entry):
            read += 1
            yield entry


def _readable(entry: Path) -> bool:
    try:
        return entry.is_file() and 0 < entry.stat().st_size <= LARGEST
    except OSError:
        return False


def _runs(path: Path) -> Iterable[Run]:
    """The runs of a file that nobody named; none where it cannot be read, for whatever reason."""
    try:
        return read_runs(path)
    except (CaptureError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return ()


def _when(run: Run) -> str:
    return next((one.written for key in MOMENTS for one in run.context if one.key == key), "")
