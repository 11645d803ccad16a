"""The tables beside the spine: memory, step times, operator statistics.

A bad one makes its metrics missing and the report is written all the same. Units come from the header: MB and KB are
powers of 1024 (docs/formats.md 0.9, 3.4-3.5).
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportgen import units
from reportgen.errors import CaptureError
from reportgen.frames import Table
from reportgen.plain import printable
from reportgen.reading import csv_tables
from reportgen.reading.csv_tables import Column, Raw

if TYPE_CHECKING:
    import pandas as pd

MEMORY_COLUMNS = (
    Column(name="component", headers=("Component",)),
    Column(name="time", headers=("Timestamp(us)",), text=False),
    Column(name="allocated", headers=("Total Allocated(MB)", "Total Allocated(KB)"), text=False),
    Column(name="reserved", headers=("Total Reserved(MB)", "Total Reserved(KB)"), text=False),
    Column(name="device", headers=("Device_id", "Device Type", "Device"), required=False),
)
DEVICE_MEMORY_COLUMNS = (
    Column(name="device", headers=("Device_id",), required=False),
    Column(name="component", headers=("event",)),
    Column(name="reserved", headers=("memory(KB)",), text=False),
    Column(name="time", headers=("timestamp(us)",), text=False),
)
STEP_PARTS = {
    "computing_ns": ("Computing",),
    "communication_not_overlapped_ns": ("Communication(Not Overlapped)",),
    "overlapped_ns": ("Overlapped",),
    "communication_ns": ("Communication",),
    "free_ns": ("Free",),
    "stage_ns": ("Stage",),
    "bubble_ns": ("Bubble",),
    "preparing_ns": ("Preparing",),
}
STATISTIC_COLUMNS = (
    Column(name="device", headers=("Device_id",), required=False),
    Column(name="type", headers=("OP Type",)),
    Column(name="core", headers=("Core Type",)),
    Column(name="count", headers=("Count",), text=False),
    Column(name="total", headers=("Total Time(us)",), text=False),
    Column(name="min", headers=("Min Time(us)",), text=False),
    Column(name="max", headers=("Max Time(us)",), text=False),
)


def _bytes(raw: Raw, name: str, table: str) -> list[int | Fraction | None]:
    unit = raw.headers[name].rsplit("(", 1)[-1].rstrip(")")
    factor = units.WRITTEN[unit][1]
    cells = raw.columns[name].to_pylist()
    known: dict[str, int | Fraction | None] = {}
    for index, cell in enumerate(cells):
        if cell in known:
            continue
        value = csv_tables.fraction(cell)
        if (value is None and cell.strip() not in csv_tables.NULLS) or (value is not None and value < 0):
            raise CaptureError(
                f"{table}_value",
                f"column {raw.headers[name]!r} holds {printable(cell.strip())!r}, which is no amount of memory",
                where=f"{raw.where}:{index + 2}",
            )
        known[cell] = None if value is None else units.exact(value * factor)
    return [known[cell] for cell in cells]


def _devices(raw: Raw) -> pd.Categorical:
    """The device column as bare ids: ``NPU:1`` and ``1`` are the same."""
    import pandas as pd

    texts = csv_tables.text_category(raw, "device", "")
    made: Any = pd.Categorical
    bare: pd.Categorical = made([str(text).removeprefix("NPU:") for text in texts])
    return bare


def _memory(path: Path, root: Path, columns: tuple[Column, ...], *, kind: str, shown: str) -> Table:
    import pandas as pd

    table = f"{kind}_table"
    raw = csv_tables.read(path, root, columns, table=table, shown=shown)
    frame = pd.DataFrame(
        {
            "component": csv_tables.text_category(raw, "component"),
            "time_ns": csv_tables.nanoseconds(raw, "time", root, path, table=table),
            "allocated_bytes": pd.Series(
                _bytes(raw, "allocated", table) if "allocated" in raw.columns else [None] * raw.rows, dtype=object
            ),
            "reserved_bytes": pd.Series(_bytes(raw, "reserved", table), dtype=object),
            "device": _devices(raw),
        }
    )
    return Table(kind=kind, frame=frame, file=raw.file, columns=raw.header, warnings=raw.warnings)


def read_memory(path: Path, root: Path, *, shown: str) -> Table:
    """memory_record, one row for each event of a component.

    Raises:
        CaptureError: ``memory_table_*``.
    """
    return _memory(path, root, MEMORY_COLUMNS, kind="memory", shown=shown)


def read_device_memory(path: Path, root: Path, *, shown: str) -> Table:
    """npu_mem: sampled memory of the process (APP) and of the device, KB, truncated by the exporter.

    Raises:
        CaptureError: ``device_memory_table_*``.
    """
    return _memory(path, root, DEVICE_MEMORY_COLUMNS, kind="device_memory", shown=shown)


def read_step_trace(path: Path, root: Path, *, shown: str) -> Table:
    """step_trace_time of torch_npu; sums of float microseconds, rounded to the nanosecond they were summed in.

    Raises:
        CaptureError: ``step_trace_table_*``.
    """
    import pandas as pd

    columns = (
        Column(name="step", headers=("Step",)),
        Column(name="device", headers=("Device_id",), required=False),
        *(
            Column(name=name, headers=headers, required=name != "preparing_ns", text=False)
            for name, headers in STEP_PARTS.items()
        ),
    )
    raw = csv_tables.read(path, root, columns, table="step_trace_table", shown=shown)
    parts: dict[str, pd.Series] = {}
    for name in STEP_PARTS:
        if name not in raw.columns:
            continue
        values: list[int | None] = []
        for index, cell in enumerate(raw.columns[name].to_pylist()):
            value = csv_tables.fraction(cell)
            if value is None and cell.strip() not in csv_tables.NULLS:
                raise CaptureError(
                    "step_trace_table_value",
                    f"column {raw.headers[name]!r} holds {printable(cell.strip())!r}",
                    where=f"{raw.where}:{index + 2}",
                )
            values.append(None if value is None else round(value * 1000))
        parts[name] = pd.Series(values, dtype="Int64")
    frame = pd.DataFrame(
        {
            "step": csv_tables.text_category(raw, "step", ""),
            "device": csv_tables.text_category(raw, "device", ""),
            **parts,
        }
    )
    return Table(kind="step_trace", frame=frame, file=raw.file, columns=raw.header, warnings=raw.warnings)


def read_op_statistic(path: Path, root: Path, *, shown: str) -> Table:
    """op_statistic: count and times by operator type and core.

    Raises:
        CaptureError: ``op_statistic_table_*``.
    """
    import pandas as pd

    table = "op_statistic_table"
    raw = csv_tables.read(path, root, STATISTIC_COLUMNS, table=table, shown=shown)
    count, _ = csv_tables.integers(raw, "count", root, path, pattern=csv_tables.INTEGER, scale=0, table=table)
    times = {
        f"{name}_ns": csv_tables.durations(raw, name, root, path, table=table)[0] for name in ("total", "min", "max")
    }
    frame = pd.DataFrame(
        {
            "device": csv_tables.text_category(raw, "device", ""),
            "type": csv_tables.text_category(raw, "type"),
            "core": csv_tables.text_category(raw, "core"),
            "count": count,
            **times,
        }
    )
    return Table(kind="op_statistic", frame=frame, file=raw.file, columns=raw.header, warnings=raw.warnings)
