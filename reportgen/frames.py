"""A capture with its tables, and the schemas of those tables.

Schemas (pandas DataFrames; integer columns hold exactly what was recorded):

``KERNELS``, one row for each row of the kernel table, ordered by start, then by line:
    line (int64): line number in the file, the header being line 1.
    step (category of str): Step Id as written; empty outside every step or without markers.
    stream, task (category of str): ids as written, ``N/A`` for large communication operators.
    name, type, accelerator (category of str): as written; ``N/A`` where not recorded.
    shapes, dtypes (category of str): input shapes and dtypes without their outer quotes; ``N/A`` where not recorded.
    formats (category of str): input formats as written, where the file has them.
    start_ns, duration_ns (int64).
    kind (category): one of ``KINDS``.
    blocks, mix_blocks (Int64 with NA): Block Num and Mix Block Num (Block Dim before 2026), where the file has them.
    memory_bound_millionths (Int64 with NA): the column ``memory_bound``, where the file has it.
    pmu columns (float64 never; Int64 with NA), only those the source has: ``<core>_total`` and ``<core>_<pipe>_time``
        in ``1 / Table.times_per_ns`` nanoseconds, ``<core>_cycles``, ``<core>_<pipe>_ratio`` in
        ``1 / Table.ratios_per_one``; core ``aic`` or ``aiv``, pipes as in ``reading.kernels.PIPES``.

``TASKS``, task_time or TASK: device, kernel_name, kernel_type, stream, task (category of str), start_ns, stop_ns
    (int64).

``MEMORY``, memory_record (``memory``), npu_mem (``device_memory``) or npu_module_mem (``modules``): component
    (category), time_ns (int64), allocated_bytes, reserved_bytes (object of int or Fraction; None where the cell is
    empty), device (category).

``OPERATOR_MEMORY``: name (category), size_bytes, total_allocated_bytes, total_reserved_bytes (object of int or
    Fraction; None where empty; the totals are those at the allocation), allocated_at_ns, released_at_ns (Int64 with
    NA), device (category).

``FREQUENCY``, AICORE_FREQ or the lane AI Core Freq: device (category), time_ns, mhz (int64); by device, then time.
    A row holds until the next of its device.

``LANE``, the exporter's own overlap analysis: device (category), name (category: ``Computing``, ``Communication``,
    ``Communication(Not Overlapped)``, ``Free``), start_ns (int64), duration_ps (int64).

``COLLECTIVES``, communication.json or CommAnalyzerTime, without the ``Total Op Info`` rows: step (category; digits
    only, empty without steps), kind (category: ``collective`` or ``p2p``), name, group (category), start_ns (Int64 with
    NA; a float of 0.25 us), elapse_ns, transit_ns, wait_ns, synchronization_ns, idle_ns (object of int or Fraction).

``LINKS``, the bandwidth part of the same: step, name, group (category), link (category: HCCS, RDMA, PCIE, SDMA, SIO),
    size_bytes, transit_ns (object of int or Fraction), packets (object of int), large_packets (object of int or
    Fraction: large packet ratio x packets). SDMA repeats HCCS. Rows of links without any traffic are left out. Its MB
    and GB are powers of ten: 2.064384 MB of a packet is 2064384 B in COMMUNICATION_TASK_INFO.

``APIS``, api_statistic or CANN_API: level, name (category), count, total_ns, min_ns, max_ns (int64); by level, name.

``COMMUNICATION_STATISTIC``: device, type (category), count, total_ns, min_ns, max_ns (int64).

``HOST_STEPS``, STEP_TIME or ProfilerStep#N: step (category), start_ns, duration_ns (int64): spans of the host.

``ITERATIONS``, step_trace of msprof: device, model, iteration (category), end_ns, time_ns (int64).

``STEP_TRACE``, step_trace_time: step (str), then computing_ns, communication_not_overlapped_ns, overlapped_ns,
    communication_ns, free_ns, stage_ns, bubble_ns, preparing_ns (Int64, rounded to the nanosecond they were summed in).

``OP_STATISTIC``: type, core (str), count (int64), total_ns, min_ns, max_ns (int64).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

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
    """``kernels``, ``tasks``, ``memory``, ``device_memory``, ``modules``, ``operator_memory``, ``step_trace``,
    ``op_statistic``, ``frequency``, ``lane``, ``collectives``, ``links``, ``apis``, ``communication_statistic``,
    ``iterations``, ``host_steps``."""
    frame: pd.DataFrame
    """Rows in the schema of its kind (module docstring)."""
    file: FileRecord
    """The file; its path carries the rank's directory."""
    columns: tuple[str, ...]
    """Header of the file, as written; of a database, ``TABLE.column``."""
    warnings: tuple[Reason, ...] = ()
    """Doubts about the table: a last line without line end, digits finer than a nanosecond ..."""
    source: Literal["db", "csv", "json"] = "csv"
    """Kind of file; the order in which sources are preferred."""
    locator: str = ""
    """Where the rows stand in a database: its tables joined; empty for a csv file."""
    times_per_ns: int = 1000
    """Units of the PMU times in a nanosecond."""
    ratios_per_one: int = 10**6
    """Units of the PMU ratios in one."""


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
    modules: Table | None = None
    """npu_module_mem."""
    operator_memory: Table | None = None
    """operator_memory."""
    frequency: Table | None = None
    """AI Core frequency."""
    lane: Table | None = None
    """The exporter's own overlap analysis."""
    collectives: Table | None = None
    """Times of collectives."""
    links: Table | None = None
    """Traffic of collectives by link."""
    apis: Table | None = None
    """Host API calls."""
    communication_statistic: Table | None = None
    """communication_statistic."""
    iterations: Table | None = None
    """Graph iterations of msprof."""
    host_steps: Table | None = None
    """Steps as the host marked them."""
    whole: Table | None = None
    """The kernel table before kernels were left out by name; None when none were."""
    left_out: tuple[str, ...] = ()
    """Shell patterns of the names left out."""
    others: tuple[Table, ...] = ()
    """The same tables from sources that were not chosen: witnesses. Their ``kind`` tells which they repeat."""


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
