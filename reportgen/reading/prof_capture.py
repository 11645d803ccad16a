"""An msprof PROF directory: settings, the kernel table of the chosen source, and every table beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal

from reportgen.errors import CaptureError
from reportgen.frames import Table
from reportgen.model import RankFacts, Reason, UnreadFile
from reportgen.plain import integer, printable
from reportgen.reading import kernels, layouts, ribs, settings, spine, statistic_tables, trace_json
from reportgen.reading.databases import read_database
from reportgen.reading.gathering import Directory
from reportgen.reading.sources import chosen

EXPECTED: tuple[tuple[str, Callable[..., Table]], ...] = (
    ("task_time", kernels.read_tasks),
    ("op_statistic", ribs.read_op_statistic),
    ("memory_record", ribs.read_memory),
    ("npu_mem", ribs.read_device_memory),
)
"""csv tables whose absence is worth a note, with their readers."""
FURTHER: tuple[tuple[str, Callable[..., Table]], ...] = (
    ("npu_module_mem", ribs.read_modules),
    ("operator_memory", ribs.read_operator_memory),
    ("api_statistic", statistic_tables.read_apis),
    ("communication_statistic", statistic_tables.read_communication_statistic),
    ("hccl_statistic", statistic_tables.read_communication_statistic),
    ("step_trace", ribs.read_iterations),
)
"""csv tables that are read where they are."""


def read_prof(directory: Path, root: Path, source: str) -> Directory:
    """Read a PROF directory.

    Args:
        source: ``db``, ``csv`` or ``json``: where the kernels are taken from. The others that are there are witnesses;
            a db or csv has to be readable: a capture that contradicts itself is not read in part.

    Raises:
        CaptureError: settings or a kernel table cannot be read; ``source_missing``.
    """
    gathered = Directory(path=directory, root=root)
    gathered.read_settings(settings.prof_files(directory))
    folder = directory / layouts.OUTPUT
    export = layouts.newest_export(directory)
    spines = {
        found: table
        for found, base in layouts.SPINES.items()
        if (table := _spine(gathered, export.tables.get(base, ()), found)) is not None
    }
    for name, reader in EXPECTED:
        gathered.rib(export.tables.get(name, ()), name, reader, expected=source == "csv" or folder.is_dir())
    for name, reader in FURTHER:
        gathered.rib(export.tables.get(name, ()), name, reader, expected=False)
    if (traced := _trace(gathered, export.tables.get("msprof.json", ()))) is not None:
        spines["json"] = traced
    for path in export.ignored:
        gathered.unread.append(UnreadFile(path=gathered.shown(path), reason=Reason.of("other_export")))
    gathered.list_unused(folder)
    gathered.health(directory)
    _ranks(gathered, taken(gathered, spines, source), list(spines.values()))
    return gathered


def taken(gathered: Directory, spines: dict[str, Table], source: str) -> Table:
    """The kernel table of the source asked for, taken out of those that were read.

    Raises:
        CaptureError: ``source_missing``.
    """
    if source not in spines:
        raise CaptureError(
            "source_missing",
            f"offers its kernels as {' and '.join(spines)}, not as {source}",
            where=printable(str(gathered.path)),
            hint="ask for one of them",
        )
    return spines.pop(source)


def _spine(gathered: Directory, paths: tuple[Path, ...], source: str) -> Table | None:
    if not paths:
        return None
    if source == "db":
        return read_database(gathered, paths[0])
    parts = [kernels.read_kernels(path, gathered.path, shown=gathered.shown(path)) for path in paths]
    for part in parts:
        gathered.files[part.file.path] = part.file
    return spine.concatenate(parts)


def _trace(gathered: Directory, paths: tuple[Path, ...]) -> Table | None:
    """Read the trace; its kernels, None without any."""
    if len(paths) != 1:
        return None
    trace = gathered.trace(paths[0], "msprof.json")
    return None if trace is None else trace.kernels


def _ranks(gathered: Directory, table: Table, others: list[Table]) -> None:
    tasks = next((t for t in gathered.tables if t.kind == "tasks" and t.source == table.source), None)
    tasks = tasks or next((t for t in gathered.tables if t.kind == "tasks"), None)
    wait, searched = waits_in_tasks(tasks)
    start, end = gathered.times("host")
    for device, part in spine.by_device(table):
        place = f"device_{device}" if device else "device_0"
        rank = integer(gathered.value("info.json", place, "rank_id"))
        own = None if tasks is None else spine.of_device(tasks, device)
        settled = spine.settle_kinds(part, own)
        witnesses = [_witness(spine.of_device(other, device), own) for other in others]
        facts = RankFacts(
            rank=rank if rank is not None and rank >= 0 else None,
            device=integer(device),
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
        gathered.ranks.append((facts, chosen(settled, [*gathered.tables, *witnesses], device)))
    ranks = {facts.rank for facts, _ in gathered.ranks}
    if len(ranks) == 1:
        gathered.settings = [replace(file, rank=next(iter(ranks))) for file in gathered.settings]


def _witness(table: Table, tasks: Table | None) -> Table:
    """A kernel table that was not chosen, its kinds decided as far as they can be."""
    return spine.settle_kinds(table, tasks) if len(table.frame) else table


def waits_in_tasks(tasks: Table | None) -> tuple[Literal["found", "none", "not searchable"], str]:
    """Whether a wait event occurs among the tasks, and the file that was searched."""
    if tasks is None:
        return "not searchable", ""
    names = {text.upper() for column in ("kernel_type", "kernel_name") for text in tasks.frame[column].cat.categories}
    found = any(wait.decode() in name for wait in trace_json.WAIT_NAMES for name in names)
    return ("found" if found else "none"), tasks.file.path
