"""A database of kernels: the kernel table, the tables beside it, and the settings of a torch_npu run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from reportgen.errors import CaptureError
from reportgen.frames import Table
from reportgen.plain import printable
from reportgen.reading import db_memory, db_steps, db_tables, profiler_db
from reportgen.reading.database import Database
from reportgen.reading.db_settings import read_metadata
from reportgen.reading.gathering import Directory

RIBS: tuple[Callable[[Database], Table | None], ...] = (
    profiler_db.read_tasks,
    db_memory.read_memory,
    db_memory.read_device_memory,
    db_memory.read_modules,
    db_memory.read_operator_memory,
    db_tables.read_frequency,
    db_tables.read_apis,
    db_tables.read_lane,
    db_steps.read_host_steps,
)
"""The tables beside the kernels, with their readers."""


def other_rank(path: Path, found: int, expected: int) -> CaptureError:
    """The error for a database of another rank than its directory's."""
    return CaptureError(
        "database_of_other_rank",
        f"is the database of rank {found}; this directory is that of rank {expected}",
        where=printable(str(path)),
        hint="copy each rank's own files from the machine that captured",
    )


def read_database(gathered: Directory, path: Path, *, rank: int | None = None, with_settings: bool = False) -> Table:
    """The kernel table of a database; what else it holds is kept in ``gathered``.

    Args:
        rank: of the directory; None when it is not recorded.
        with_settings: take META_DATA and its like as configuration files, where no file of that kind was read.

    Raises:
        CaptureError: ``database_of_other_rank``; ``db_*``: the database or its kernels cannot be read. A bad table
            beside them is noted.
    """
    with Database.open(path, gathered.path, shown=gathered.shown(path)) as db:
        table = profiler_db.read_kernels(db)
        ranks = {number for number in (db_tables.read_rank(db) or {}).values() if number is not None}
        if rank is not None and ranks and rank not in ranks:
            raise other_rank(path, min(ranks), rank)
        for reader in RIBS:
            try:
                found = reader(db)
            except CaptureError as fault:
                gathered.unreadable(path, reader.__name__.removeprefix("read_"), fault)
                continue
            if found is not None:
                gathered.keep(found)
        if with_settings:
            held = {file.kind for file in gathered.settings}
            gathered.settings += [file for file in read_metadata(db) if file.kind not in held]
        for record in (db.file, *db.beside):
            gathered.files[record.path] = record
    return table
