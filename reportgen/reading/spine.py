"""The chosen kernel table made ready: slices joined, devices apart, what each row is."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

from reportgen.errors import CaptureError
from reportgen.frames import NOT_AVAILABLE, OUTSIDE, PLACEHOLDER, Table, distinct
from reportgen.model import Reason
from reportgen.reading import kernels

if TYPE_CHECKING:
    import pandas as pd

FEWEST_ROWS, FEWEST_UNLIKE = 20, 10
"""Rows, and different durations among them, that two captures do not share by chance. Our choice."""


def steps(frame: pd.DataFrame) -> tuple[str, ...]:
    """The step ids of a kernel table, in the order of their first rows; rows outside every step have none."""
    return tuple(step for step in distinct(frame["step"]) if step != OUTSIDE)


def durations(frame: pd.DataFrame) -> str:
    """SHA-256 of the durations of all rows in ascending order, each as a little-endian integer of 8 bytes in ns.

    Two captures never share all of them: kernels vary by far more than their last digit. Empty where they might: fewer
    than ``FEWEST_ROWS`` rows, or fewer than ``FEWEST_UNLIKE`` different durations.
    """
    values = frame["duration_ns"].to_numpy(dtype="<i8", copy=True)
    values.sort()
    if len(values) < FEWEST_ROWS or 1 + (values[1:] != values[:-1]).sum() < FEWEST_UNLIKE:
        return ""
    return hashlib.sha256(values.tobytes()).hexdigest()


def by_device(table: Table) -> list[tuple[str, Table]]:
    """The kernel table of each device, by device id; one empty id where none is recorded."""
    devices = sorted(distinct(table.frame["device"]), key=lambda text: (len(text), text))
    if len(devices) == 1:
        return [(devices[0], table)]
    return [
        (device, replace(table, frame=table.frame[table.frame["device"] == device].reset_index(drop=True)))
        for device in devices
    ]


def of_device(table: Table, device: str) -> Table:
    """The rows of one device; all rows where the table does not tell devices apart."""
    if "device" not in table.frame.columns:
        return table
    held = set(distinct(table.frame["device"]))
    if device == "" or held <= {device, ""} or not any(text.isdigit() for text in held):
        return table
    return replace(table, frame=table.frame[table.frame["device"] == device].reset_index(drop=True))


def settle_kinds(table: Table, tasks: Table | None) -> Table:
    """The kernel table with every row's kind decided, by its own columns or by the tasks; a database decides itself.

    Raises:
        CaptureError: ``no_kernel`` when only placeholders ran.
    """
    if table.source == "db":
        return table
    frame = table.frame.copy(deep=False)
    frame["kind"] = kernels.kinds_by_tasks(frame, tasks.frame) if tasks is not None else kernels.settle(frame["kind"])
    if bool((frame["kind"] == PLACEHOLDER).all()):
        raise CaptureError(
            "no_kernel",
            "holds placeholder rows only: no kernel ran",
            where=table.file.path,
            hint="capture again with the workload running on the device",
        )
    told = tasks is not None or any(column.endswith("total_cycles") for column in table.columns)
    unnamed = NOT_AVAILABLE in distinct(frame["accelerator"])
    warnings = (
        table.warnings
        if told or not unnamed
        else (*table.warnings, Reason.of("ai_cpu_not_told_apart", file=table.file.path))
    )
    return replace(table, frame=frame, warnings=warnings)


def concatenate(parts: list[Table]) -> Table:
    """The slices of one table as one, by start, then line; the first slice stands for the file."""
    if len(parts) == 1:
        return parts[0]
    import pandas as pd
    from pandas.api.types import union_categoricals

    frames = [part.frame for part in parts]
    merged = pd.concat(
        [frame.astype(dict.fromkeys(frame.select_dtypes("category").columns, object)) for frame in frames],
        ignore_index=True,
    )
    for column in frames[0].select_dtypes("category").columns:
        if not all(column in frame for frame in frames):
            merged = merged.drop(columns=column)
            continue
        merged[column] = union_categoricals([frame[column] for frame in frames])
    merged = merged.sort_values(["start_ns", "line"], kind="stable", ignore_index=True)
    return replace(parts[0], frame=merged, warnings=tuple(w for part in parts for w in part.warnings))
