"""The statistics beside the spine: collectives by type, calls of the host by name; and what such tables share.

Each row counts calls and gives their total, least and greatest time; averages and shares follow from them and are not
read. Times are microseconds with up to three decimals.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportgen.errors import CaptureError
from reportgen.frames import Table
from reportgen.reading import csv_tables
from reportgen.reading.csv_tables import Column, Raw

if TYPE_CHECKING:
    import numpy as np

SUMS = (
    Column(name="count", headers=("Count",), text=False),
    Column(name="total", headers=("Total Time(us)",), text=False),
    Column(name="min", headers=("Min Time(us)",), text=False),
    Column(name="max", headers=("Max Time(us)",), text=False),
)
COMMUNICATION_COLUMNS = (
    Column(name="device", headers=("Device_id",), required=False),
    Column(name="type", headers=("OP Type",)),
    *SUMS,
)
API_COLUMNS = (
    Column(name="level", headers=("Level",)),
    Column(name="name", headers=("API Name",)),
    Column(name="count", headers=("Count",), text=False),
    Column(name="total", headers=("Time(us)",), text=False),
    Column(name="min", headers=("Min(us)",), text=False),
    Column(name="max", headers=("Max(us)",), text=False),
)


def sums(raw: Raw, root: Path, path: Path, table: str) -> dict[str, np.ndarray[Any, Any]]:
    """The columns count, total_ns, min_ns and max_ns of such a table, int64.

    Raises:
        CaptureError: ``<table>_value``, ``<table>_negative``.
    """
    count, _ = csv_tables.integers(raw, "count", root, path, pattern=csv_tables.INTEGER, scale=0, table=table)
    if (count < 0).any():
        raise CaptureError(
            f"{table}_negative",
            f"column {raw.headers['count']!r} holds a negative count",
            where=f"{raw.where}:{csv_tables.line_of(path, root, int((count < 0).argmax()))}",
        )
    times = {
        f"{name}_ns": csv_tables.durations(raw, name, root, path, table=table)[0] for name in ("total", "min", "max")
    }
    return {"count": count, **times}


def read_communication_statistic(path: Path, root: Path, *, shown: str) -> Table:
    """communication_statistic (``hccl_statistic`` before), ``COMMUNICATION_STATISTIC`` in the file's order.

    Raises:
        CaptureError: ``communication_statistic_table_*``.

    Source: docs/formats.md 3.4.
    """
    import pandas as pd

    table = "communication_statistic_table"
    raw = csv_tables.read(path, root, COMMUNICATION_COLUMNS, table=table, shown=shown)
    frame = pd.DataFrame(
        {
            "device": csv_tables.text_category(raw, "device", ""),
            "type": csv_tables.text_category(raw, "type"),
            **sums(raw, root, path, table),
        }
    )
    return Table(kind="communication_statistic", frame=frame, file=raw.file, columns=raw.header, warnings=raw.warnings)


def read_apis(path: Path, root: Path, *, shown: str) -> Table:
    """api_statistic: calls of the host, ``APIS``; the level ``hccl`` of older exports is called ``communication``.

    Its device is not read: it is ``host``, ``0`` or absent, by the exporter's age, for the same calls of the host.

    Raises:
        CaptureError: ``apis_table_*``.

    Source: docs/formats.md 3.4 and 11.6.
    """
    import pandas as pd

    table = "apis_table"
    raw = csv_tables.read(path, root, API_COLUMNS, table=table, shown=shown)
    level = csv_tables.text_category(raw, "level")
    frame = pd.DataFrame(
        {
            "level": pd.Categorical(["communication" if text == "hccl" else text for text in level]),
            "name": csv_tables.text_category(raw, "name"),
            **sums(raw, root, path, table),
        }
    )
    order = sorted(range(raw.rows), key=[*zip(frame["level"], frame["name"], strict=True)].__getitem__)
    return Table(
        kind="apis",
        frame=frame.iloc[order].reset_index(drop=True),
        file=raw.file,
        columns=raw.header,
        warnings=raw.warnings,
    )
