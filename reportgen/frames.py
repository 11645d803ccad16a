"""A capture with its tables, and the schemas of those tables.

Schemas (pandas DataFrames; integer columns hold exactly what was recorded):

``KERNELS``, one row for each row of the kernel table, ordered by start, then by line:
    line (int64): line number in the file, the header being line 1.
    step (category of str): Step Id as written; empty outside every step or without markers.
    stream, task (category of str): ids as written, ``N/A`` for large communication operators.
    name, type, accelerator (category of str): as written; ``N/A`` where not recorded.
    shapes, dtypes (category of str): input shapes and dtypes without their outer quotes; ``N/A`` where not recorded.
    start_ns, duration_ns (int64).
    kind (category): one of ``KINDS``.
    pmu columns (float64 never; Int64 with NA): ``<column>_ps`` for times (picoseconds), ``<column>_cycles`` for
        cycles, ``<column>_millionths`` for ratios (1e-6); only the columns the file has.

``TASKS``, task_time: kernel_name, kernel_type, stream, task (category of str), start_ns, stop_ns (int64).

``MEMORY``, memory_record or npu_mem: component (category), time_ns (int64), allocated_bytes, reserved_bytes
    (object of int or Fraction; None where the cell is empty), device (category).

``STEP_TRACE``, step_trace_time: step (str), then computing_ns, communication_not_overlapped_ns, overlapped_ns,
    communication_ns, free_ns, stage_ns, bubble_ns, preparing_ns (Int64, rounded to the nanosecond they were summed in).

``OP_STATISTIC``: type, core (str), count (int64), total_ns, min_ns, max_ns (int64).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reportgen.model import CaptureFacts, FileRecord, Reason

if TYPE_CHECKING:
    import pandas as pd

KERNEL = "kernel"
"""A kernel of AI Core, vector core, DSA or DVPP."""
AI_CPU = "ai_cpu"
"""A kernel of the AI CPU."""
COMMUNICATION = "communication"
"""A large communication operator (Stream ID N/A)."""
COMMUNICATION_TASK = "communication_task"
"""A kernel that is part of a communication operator (AivKernel, AicpuKernel): listed, not counted twice."""
PLACEHOLDER = "placeholder"
"""A PLACE_HOLDER_SQE row: no kernel ran."""
KINDS = (KERNEL, AI_CPU, COMMUNICATION, COMMUNICATION_TASK, PLACEHOLDER)

OUTSIDE = ""
"""Step Id of a row outside every step."""
NOT_AVAILABLE = "N/A"
"""How every producer writes a value it does not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table as read."""

    kind: str
    """``kernels``, ``tasks``, ``memory``, ``device_memory``, ``step_trace``, ``op_statistic``."""
    frame: pd.DataFrame
    """Rows in the schema of its kind (module docstring)."""
    file: FileRecord
    """The file; its path carries the rank's directory."""
    columns: tuple[str, ...]
    """Header of the file, as written."""
    warnings: tuple[Reason, ...] = ()
    """Doubts about the table: a last line without line end, digits finer than a nanosecond ..."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankTables:
    """The tables of one rank."""

    index: int
    """Position in ``facts.ranks``."""
    kernels: Table
    """The spine."""
    tasks: Table | None = None
    """task_time; None when missing or unreadable."""
    memory: Table | None = None
    """memory_record."""
    device_memory: Table | None = None
    """npu_mem."""
    step_trace: Table | None = None
    """step_trace_time."""
    op_statistic: Table | None = None
    """op_statistic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """A capture: facts and tables."""

    facts: CaptureFacts
    """Everything that is not a table."""
    tables: tuple[RankTables, ...]
    """One for each of ``facts.ranks``, in their order."""


def distinct(column: pd.Series[str]) -> tuple[str, ...]:
    """The texts of a category column in the order of their first rows, without touching each row's text."""
    import numpy as np

    codes, first = np.unique(column.cat.codes.to_numpy(), return_index=True)
    names = [str(name) for name in column.cat.categories]
    return tuple(names[code] for code in codes[np.argsort(first, kind="stable")] if code >= 0)
