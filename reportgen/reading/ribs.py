"""The tables beside the spine: memory, step times, operator statistics, iterations.

A bad one makes its metrics missing and the report is written all the same. Units come from the header: MB and KB are
powers of 1024 (docs/formats.md 0.9, 3.4-3.5).
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from reportgen import units
from reportgen.errors import CaptureError
from reportgen.frames import Table
from reportgen.model import Reason
from reportgen.plain import printable
from reportgen.reading import csv_tables
from reportgen.reading.csv_tables import Column, Raw
from reportgen.reading.statistic_tables import SUMS, sums

if TYPE_CHECKING:
    import numpy as np
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
MODULE_COLUMNS = (
    Column(name="component", headers=("Component",)),
    Column(name="time", headers=("Timestamp(us)",), text=False),
    Column(name="reserved", headers=("Total Reserved(MB)", "Total Reserved(KB)"), text=False),
    Column(name="device", headers=("Device_id", "Device"), required=False),
)
OPERATOR_MEMORY_COLUMNS = (
    Column(name="name", headers=("Name",)),
    Column(name="size", headers=("Size(KB)",), text=False),
    Column(name="allocated_at", headers=("Allocation Time(us)",), text=False),
    Column(name="released_at", headers=("Release Time(us)",), required=False, text=False),
    Column(name="held", headers=("Duration(us)",), required=False, text=False),
    Column(name="allocated", headers=("Allocation Total Allocated(MB)", "Allocation Total Allocated(KB)"), text=False),
    Column(name="reserved", headers=("Allocation Total Reserved(MB)", "Allocation Total Reserved(KB)"), text=False),
    Column(name="device", headers=("Device_id", "Device Type", "Device"), required=False),
)
STATISTIC_COLUMNS = (
    Column(name="device", headers=("Device_id",), required=False),
    Column(name="type", headers=("OP Type",)),
    Column(name="core", headers=("Core Type",)),
    *SUMS,
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
ITERATION_COLUMNS = (
    Column(name="device", headers=("Device_id",), required=False),
    Column(name="model", headers=("Model ID",)),
    Column(name="iteration", headers=("Iteration ID",)),
    Column(name="end", headers=("Iteration End(us)",), text=False),
    Column(name="time", headers=("Iteration Time(us)",), text=False),
)

_Amount = int | Fraction | None


def _bytes(raw: Raw, name: str, table: str, *, unknown: Literal["none", "-1", "negative"] = "none") -> list[_Amount]:
    """A column of amounts of memory as bytes; None where empty, and where it is written as ``unknown``."""
    unit = raw.headers[name].rsplit("(", 1)[-1].rstrip(")")
    factor = units.WRITTEN[unit][1]
    cells = raw.columns[name].to_pylist()
    known: dict[str, _Amount] = {}
    for index, cell in enumerate(cells):
        if cell in known:
            continue
        value = csv_tables.fraction(cell)
        if value is not None and value < 0 and (unknown == "negative" or (unknown == "-1" and _minus_one(value, unit))):
            known[cell] = None
            continue
        if (value is None and cell.strip() not in csv_tables.NULLS) or (value is not None and value < 0):
            raise CaptureError(
                f"{table}_value",
                f"column {raw.headers[name]!r} holds {printable(cell.strip())!r}, which is no amount of memory",
                where=f"{raw.where}:{index + 2}",
            )
        known[cell] = None if value is None else units.exact(value * factor)
    return [known[cell] for cell in cells]


def _minus_one(value: Fraction, unit: str) -> bool:
    """-1 as written, or the -1 KB of msprof divided into MB."""
    return value == -1 or value * units.WRITTEN[unit][1] == -1024


def _devices(raw: Raw) -> pd.Categorical:
    """The device column as bare ids: ``NPU:1`` and ``1`` are the same."""
    import pandas as pd

    texts = csv_tables.text_category(raw, "device", "")
    made: Any = pd.Categorical
    bare: pd.Categorical = made([str(text).removeprefix("NPU:") for text in texts])
    return bare


def _memory(
    path: Path,
    root: Path,
    columns: tuple[Column, ...],
    *,
    kind: str,
    shown: str,
    unknown: Literal["none", "-1"] = "none",
) -> Table:
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
            "reserved_bytes": pd.Series(_bytes(raw, "reserved", table, unknown=unknown), dtype=object),
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


def read_modules(path: Path, root: Path, *, shown: str) -> Table:
    """npu_module_mem: memory reserved by each of the driver's components, ``MEMORY`` in the file's order.

    -1 is how the driver writes that it does not know: None. ``allocated_bytes`` is never recorded: None.

    Raises:
        CaptureError: ``modules_table_*``.

    Source: docs/formats.md 3.4-3.5.
    """
    return _memory(path, root, MODULE_COLUMNS, kind="modules", shown=shown, unknown="-1")


def _stamps(raw: Raw, name: str, root: Path, path: Path, table: str) -> tuple[np.ndarray[Any, Any], Any]:
    """A column of microseconds of which cells may be empty, as nanoseconds, and where they are."""
    import numpy as np

    values, mask = csv_tables.integers(
        raw, name, root, path, pattern=csv_tables.TIME, scale=3, table=table, nulls=csv_tables.NULLS
    )
    bad = np.flatnonzero((values < 0) | (values > csv_tables.LATEST))
    if len(bad):
        raise CaptureError(
            f"{table}_value",
            f"column {raw.headers[name]!r} holds {printable(raw.columns[name][int(bad[0])].as_py().strip())!r}, "
            "which is no such time",
            where=f"{raw.where}:{csv_tables.line_of(path, root, int(bad[0]))}",
        )
    return values, mask


def read_operator_memory(path: Path, root: Path, *, shown: str) -> Table:
    """operator_memory: each piece of memory an operator held, ``OPERATOR_MEMORY`` in the file's order.

    Sizes are KB from every producer, totals MB or KB. msprof writes how long a piece was held instead of its release.
    A piece whose allocation or release lies outside the capture has empty cells; a negative size, which is a release
    whose allocation was not seen, is None.

    Raises:
        CaptureError: ``operator_memory_table_*``.

    Source: docs/formats.md 3.1, 3.4 and 3.5.
    """
    import numpy as np
    import pandas as pd

    table = "operator_memory_table"
    raw = csv_tables.read(path, root, OPERATOR_MEMORY_COLUMNS, table=table, shown=shown)
    allocated, unseen = _stamps(raw, "allocated_at", root, path, table)
    if "released_at" in raw.columns:
        released, kept = _stamps(raw, "released_at", root, path, table)
    elif "held" in raw.columns:
        held, kept = _stamps(raw, "held", root, path, table)
        released, kept = allocated + held, kept | unseen
    else:
        released, kept = allocated, np.ones(raw.rows, dtype=bool)
    frame = pd.DataFrame(
        {
            "name": csv_tables.text_category(raw, "name"),
            "size_bytes": pd.Series(_bytes(raw, "size", table, unknown="negative"), dtype=object),
            "total_allocated_bytes": pd.Series(_bytes(raw, "allocated", table), dtype=object),
            "total_reserved_bytes": pd.Series(_bytes(raw, "reserved", table), dtype=object),
            "allocated_at_ns": pd.arrays.IntegerArray(allocated, unseen),
            "released_at_ns": pd.arrays.IntegerArray(released, kept),
            "device": _devices(raw),
        }
    )
    return Table(kind="operator_memory", frame=frame, file=raw.file, columns=raw.header, warnings=raw.warnings)


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
    frame = pd.DataFrame(
        {
            "device": csv_tables.text_category(raw, "device", ""),
            "type": csv_tables.text_category(raw, "type"),
            "core": csv_tables.text_category(raw, "core"),
            **sums(raw, root, path, table),
        }
    )
    return Table(kind="op_statistic", frame=frame, file=raw.file, columns=raw.header, warnings=raw.warnings)


def read_iterations(path: Path, root: Path, *, shown: str) -> Table:
    """step_trace of msprof: the iterations of a graph, ``ITERATIONS`` in the file's order.

    An iteration whose end or time is ``N/A`` is left out and counted in the warning ``iterations_left_out``; the table
    may be empty then.

    Raises:
        CaptureError: ``iterations_table_*``.

    Source: docs/formats.md 3.4 and 11.7: the time of an iteration omits the gap to the next.
    """
    import pandas as pd

    table = "iterations_table"
    raw = csv_tables.read(path, root, ITERATION_COLUMNS, table=table, shown=shown)
    end, no_end = _stamps(raw, "end", root, path, table)
    time, no_time = _stamps(raw, "time", root, path, table)
    whole = ~(no_end | no_time)
    frame = pd.DataFrame(
        {
            "device": csv_tables.text_category(raw, "device", ""),
            "model": csv_tables.text_category(raw, "model"),
            "iteration": csv_tables.text_category(raw, "iteration"),
            "end_ns": end,
            "time_ns": time,
        }
    )
    left_out = int((~whole).sum())
    warnings = (Reason.of("iterations_left_out", file=shown, rows=left_out),) if left_out else ()
    return Table(
        kind="iterations",
        frame=frame[whole].reset_index(drop=True),
        file=raw.file,
        columns=raw.header,
        warnings=(*raw.warnings, *warnings),
    )
