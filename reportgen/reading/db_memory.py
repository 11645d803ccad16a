"""Memory tables of ``msprof_*.db`` and ``ascend_pytorch_profiler*.db``, in bytes.

A table that is not there, or holds no row, is None; one that is there and bad is an error, and its reader's user
decides what that costs. -1 is no amount. Source: docs/formats.md 5.1, 11.7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.frames import Table
from reportgen.reading.database import Database, numbered
from reportgen.reading.db_columns import amounts, ids, named, objects, spelled, stamps

if TYPE_CHECKING:
    import pandas as pd


def _memory(db: Database, kind: str, table: str, names: tuple[str, str, str | None, str]) -> Table | None:
    """A table of a component's totals over time; ``names`` = component, time, allocated, reserved."""
    import pandas as pd

    component, time, allocated, reserved = names
    if table not in db.tables:
        return None
    read = (component, time, *((allocated,) if allocated else ()), reserved, "deviceId")
    rows = db.objects(table, read)
    count = len(rows[time])
    if not count:
        return None
    frame = pd.DataFrame(
        {
            "component": db.texts(table, component, ids(db, table, component, rows[component])),
            "time_ns": stamps(db, table, time, rows[time])[0],
            "allocated_bytes": objects(amounts(db, table, allocated, rows[allocated]) if allocated else [None] * count),
            "reserved_bytes": objects(amounts(db, table, reserved, rows[reserved])),
            "device": numbered(ids(db, table, "deviceId", rows["deviceId"])),
        }
    )
    return Table(kind=kind, frame=frame, file=db.file, columns=spelled(table, read), source="db", locator=table)


def read_memory(db: Database) -> Table | None:
    """The totals of each component at each event, in the order of the table.

    MEMORY_RECORD (PTA, GE, PTA+GE, WORKSPACE) of torch_npu; where there is none, the events of NPU_OP_MEM (GE) of
    msprof. None without either.

    Raises:
        CaptureError: ``db_table_columns``, ``db_table_value``, ``db_unreadable``.
    """
    recorded = ("component", "timestamp", "totalAllocated", "totalReserved")
    operators = ("component", "timestampNs", "totalAllocate", "totalReserve")
    return _memory(db, "memory", "MEMORY_RECORD", recorded) or _memory(db, "memory", "NPU_OP_MEM", operators)


def read_device_memory(db: Database) -> Table | None:
    """NPU_MEM: sampled memory of the process (``app``) and of the device (``device``), ddr + hbm, as reserved bytes.

    Raises:
        CaptureError: ``db_table_columns``, ``db_table_value``, ``db_unreadable``.
    """
    import pandas as pd

    table, read = "NPU_MEM", ("type", "timestampNs", "ddr", "hbm", "deviceId")
    if table not in db.tables:
        return None
    rows = db.objects(table, read)
    if not rows["type"]:
        return None
    parts = [amounts(db, table, column, rows[column]) for column in ("ddr", "hbm")]
    both = [None if a is None or b is None else a + b for a, b in zip(*parts, strict=True)]
    frame = pd.DataFrame(
        {
            "component": db.texts(table, "type", ids(db, table, "type", rows["type"])),
            "time_ns": stamps(db, table, "timestampNs", rows["timestampNs"])[0],
            "allocated_bytes": objects([None] * len(both)),
            "reserved_bytes": objects(both),
            "device": numbered(ids(db, table, "deviceId", rows["deviceId"])),
        }
    )
    columns = spelled(table, read)
    return Table(kind="device_memory", frame=frame, file=db.file, columns=columns, source="db", locator=table)


def read_modules(db: Database) -> Table | None:
    """NPU_MODULE_MEM: memory reserved by each module of the driver, named by ENUM_MODULE (its number where unnamed).

    Raises:
        CaptureError: ``db_table_columns``, ``db_table_value``, ``db_unreadable``.
    """
    import pandas as pd

    table, read = "NPU_MODULE_MEM", ("moduleId", "timestampNs", "totalReserved", "deviceId")
    if table not in db.tables:
        return None
    rows = db.objects(table, read)
    if not rows["moduleId"]:
        return None
    frame = pd.DataFrame(
        {
            "component": named(ids(db, table, "moduleId", rows["moduleId"]), db.names("ENUM_MODULE")),
            "time_ns": stamps(db, table, "timestampNs", rows["timestampNs"])[0],
            "allocated_bytes": objects([None] * len(rows["moduleId"])),
            "reserved_bytes": objects(amounts(db, table, "totalReserved", rows["totalReserved"])),
            "device": numbered(ids(db, table, "deviceId", rows["deviceId"])),
        }
    )
    return Table(kind="modules", frame=frame, file=db.file, columns=spelled(table, read), source="db", locator=table)


def read_operator_memory(db: Database) -> Table | None:
    """OP_MEMORY: what each operator asked for, in the order of the table.

    A time that was not seen is NA; a negative size, which is a release whose allocation was not seen, is None.

    Raises:
        CaptureError: ``db_table_columns``, ``db_table_value``, ``db_unreadable``.
    """
    import pandas as pd

    table = "OP_MEMORY"
    totals = ("allocationTotalAllocated", "allocationTotalReserved")
    read = ("name", "size", "allocationTime", "releaseTime", *totals, "deviceId")
    if table not in db.tables:
        return None
    rows = db.objects(table, read)
    if not rows["name"]:
        return None

    def times(column: str) -> pd.arrays.IntegerArray:
        return pd.arrays.IntegerArray(*stamps(db, table, column, rows[column], nullable=True))

    sizes = [None if type(size) is int and size < 0 else size for size in rows["size"]]
    frame = pd.DataFrame(
        {
            "name": db.texts(table, "name", ids(db, table, "name", rows["name"])),
            "size_bytes": objects(amounts(db, table, "size", sizes)),
            "total_allocated_bytes": objects(amounts(db, table, totals[0], rows[totals[0]])),
            "total_reserved_bytes": objects(amounts(db, table, totals[1], rows[totals[1]])),
            "allocated_at_ns": times("allocationTime"),
            "released_at_ns": times("releaseTime"),
            "device": numbered(ids(db, table, "deviceId", rows["deviceId"])),
        }
    )
    columns = spelled(table, read)
    return Table(kind="operator_memory", frame=frame, file=db.file, columns=columns, source="db", locator=table)
