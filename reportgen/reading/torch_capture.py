"""A torch_npu ``*_ascend_pt`` directory: settings, the kernel table of the chosen source, and every table beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal

from reportgen.errors import CaptureError
from reportgen.frames import Table, distinct
from reportgen.model import RankFacts, Reason, UnreadFile
from reportgen.plain import integer, printable
from reportgen.reading import (
    analysis_db,
    communication_json,
    kernels,
    layouts,
    ribs,
    settings,
    spine,
    statistic_tables,
)
from reportgen.reading.database import Database
from reportgen.reading.databases import other_rank, read_database
from reportgen.reading.gathering import Directory
from reportgen.reading.prof_capture import taken, waits_in_tasks
from reportgen.reading.sources import chosen

EXPECTED: tuple[tuple[str, Callable[..., Table]], ...] = (
    ("step_trace_time", ribs.read_step_trace),
    ("memory_record", ribs.read_memory),
    ("op_statistic", ribs.read_op_statistic),
)
"""csv tables whose absence in a text export is worth a note, with their readers."""
FURTHER: tuple[tuple[str, Callable[..., Table]], ...] = (
    ("task_time", kernels.read_tasks),
    ("npu_mem", ribs.read_device_memory),
    ("npu_module_mem", ribs.read_modules),
    ("operator_memory", ribs.read_operator_memory),
    ("api_statistic", statistic_tables.read_apis),
    ("communication_statistic", statistic_tables.read_communication_statistic),
)
"""csv tables that are read where they are."""


def torch_rank(gathered: Directory) -> int | None:
    """The rank of the directory by its profiler_info, else by that file's name; None when neither tells it."""
    rank = integer(gathered.value("profiler_info.json", "", "rank_id"))
    if rank is None:
        found = layouts.children(gathered.path, "profiler_info_*.json")
        names = [path.stem.removeprefix("profiler_info_") for path in found]
        rank = integer(names[0]) if len(names) == 1 else None
    return rank if rank is not None and rank >= 0 else None


def read_torch(directory: Path, root: Path, source: str) -> Directory:
    """Read a torch_npu directory of one rank.

    Args:
        source: ``db``, ``csv`` or ``json``: where the kernels are taken from; the others that are there are witnesses.

    Raises:
        CaptureError: settings or a kernel table cannot be read; ``kernel_table_devices``,
            ``databases_ambiguous``, ``source_missing``.
    """
    gathered = Directory(path=directory, root=root)
    folder = layouts.torch_output(directory)
    gathered.read_settings(settings.torch_files(directory))
    rank = torch_rank(gathered)
    spines: dict[str, Table] = {}
    for path in _one(layouts.torch_databases(directory), directory, rank):
        _own_rank(path, rank)
        spines["db"] = read_database(gathered, path, rank=rank, with_settings=True)
    if (folder / "kernel_details.csv").is_file():
        path = folder / "kernel_details.csv"
        spines["csv"] = kernels.read_kernels(path, directory, shown=gathered.shown(path))
        gathered.files[spines["csv"].file.path] = spines["csv"].file
    gathered.settings = [replace(file, rank=rank) for file in gathered.settings]
    for found, tables in ((True, EXPECTED), (False, FURTHER)):
        for name, reader in tables:
            path = folder / f"{name}.csv"
            expected = found and "csv" in spines
            gathered.rib((path,) if path.is_file() else (), f"{name}.csv", reader, expected=expected)
    _analysis(gathered, folder)
    _communication(gathered, folder)
    trace, traced = _trace(gathered, folder, expected="csv" in spines)
    if traced is not None:
        spines["json"] = traced
    gathered.list_unused(folder)
    for prof in layouts.children(directory, "PROF_*"):
        gathered.health(prof)
    _rank(gathered, taken(gathered, spines, source), list(spines.values()), rank, trace)
    return gathered


def _own_rank(path: Path, rank: int | None) -> None:
    """Refuse a database that is called after another rank than its directory's profiler_info.

    Raises:
        CaptureError: ``database_of_other_rank``.
    """
    named = integer(path.stem.rpartition("_")[2])
    if rank is not None and named is not None and named != rank:
        raise other_rank(path, named, rank)


def _one(paths: list[Path], directory: Path, rank: int | None) -> list[Path]:
    """The one database of a rank, as a list of one; empty without any."""
    own = [path for path in paths if rank is not None and path.stem.endswith(f"_{rank}")]
    found = own if len(paths) > 1 and len(own) == 1 else paths
    if len(found) > 1:
        names = ", ".join(printable(path.name) for path in found)
        raise CaptureError(
            "databases_ambiguous",
            f"holds several databases of which none can be told to be this rank's: {names}",
            where=printable(str(directory)),
            hint="leave the database of one export in the folder",
        )
    return found


def _analysis(gathered: Directory, folder: Path) -> None:
    path = folder / "analysis.db"
    if not path.is_file():
        return
    try:
        with Database.open(path, gathered.path, shown=gathered.shown(path)) as db:
            for reader in (analysis_db.read_step_trace, analysis_db.read_collectives, analysis_db.read_links):
                found = reader(db)
                if found is not None:
                    gathered.keep(found)
            for record in (db.file, *db.beside):
                gathered.files[record.path] = record
    except CaptureError as fault:
        gathered.unreadable(path, "analysis.db", fault)


def _communication(gathered: Directory, folder: Path) -> None:
    path = folder / "communication.json"
    if not path.is_file():
        return
    try:
        for table in communication_json.read_communication(path, gathered.path, shown=gathered.shown(path)):
            gathered.keep(table)
    except CaptureError as fault:
        gathered.unreadable(path, "communication.json", fault)


Waits = tuple[Literal["found", "none", "not searchable"], str]
"""Whether a wait event occurs, and the file that was searched."""


def _trace(gathered: Directory, folder: Path, *, expected: bool) -> tuple[Waits, Table | None]:
    """Read the trace; whether a wait event occurs in it, and its kernels (None without any)."""
    path = folder / "trace_view.json"
    if not path.is_file():
        if expected:
            reason = Reason.of("table_missing", table="trace_view.json")
            gathered.unread.append(UnreadFile(path=gathered.absent("trace_view.json"), reason=reason))
        return ("not searchable", ""), None
    trace = gathered.trace(path, "trace_view.json")
    if trace is None or not (trace.waits or trace.complete):
        return ("not searchable", ""), None
    return (("found" if trace.waits else "none"), trace.file.path), trace.kernels


def _rank(
    gathered: Directory,
    table: Table,
    others: list[Table],
    rank: int | None,
    trace: Waits,
) -> None:
    if len(distinct(table.frame["device"])) > 1:
        raise CaptureError(
            "kernel_table_devices",
            f"holds rows of several devices ({', '.join(distinct(table.frame['device']))}); one rank has one",
            where=table.file.path,
            hint="give the capture of each rank by itself",
        )
    tasks = next((t for t in gathered.tables if t.kind == "tasks" and t.source == table.source), None)
    settled = spine.settle_kinds(table, tasks)
    witnesses = [spine.settle_kinds(other, tasks) for other in others]
    start, end = gathered.torch_times()
    wait, searched = trace if trace[0] != "not searchable" else waits_in_tasks(tasks)
    devices = {text for text in distinct(settled.frame["device"]) if text}
    facts = RankFacts(
        rank=rank,
        device=integer(next(iter(devices))) if len(devices) == 1 else None,
        directory=gathered.below(),
        steps=spine.steps(settled.frame),
        rows=len(settled.frame),
        kernel_file=settled.file,
        started_ns=start,
        ended_ns=end,
        wait_events=wait,
        wait_source=searched,
        durations=spine.durations(settled.frame),
    )
    gathered.ranks.append((facts, chosen(settled, [*gathered.tables, *witnesses], "")))
