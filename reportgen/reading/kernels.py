"""The kernel table (op_summary, kernel_details) and task_time, and what each row is.

Source: docs/formats.md 3.2-3.4, 6.4, 11.1 (3, 8), 11.5-11.6. The kind of a row is taken from its task type; at level 0,
where task types are N/A, from task_time joined on stream, task and start (within 1 ns), else from its PMU cells: an
AI CPU kernel has none.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportgen.errors import CaptureError
from reportgen.frames import AI_CPU, COMMUNICATION, COMMUNICATION_TASK, KERNEL, KINDS, NOT_AVAILABLE, PLACEHOLDER, Table
from reportgen.model import Reason
from reportgen.reading import csv_tables
from reportgen.reading.csv_tables import Column, Raw

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

COLUMNS = (
    Column(name="device", headers=("Device_id",), required=False),
    Column(name="step", headers=("Step Id",), required=False),
    Column(name="stream", headers=("Stream ID",), required=False),
    Column(name="task", headers=("Task ID",), required=False),
    Column(name="name", headers=("Op Name", "Name")),
    Column(name="type", headers=("OP Type", "Type"), required=False),
    Column(name="accelerator", headers=("Task Type", "Accelerator Core")),
    Column(name="start", headers=("Task Start Time(us)", "Start Time(us)"), text=False),
    Column(name="duration", headers=("Task Duration(us)", "Duration(us)"), text=False),
    Column(name="shapes", headers=("Input Shapes",), required=False),
    Column(name="dtypes", headers=("Input Data Types",), required=False),
    Column(name="formats", headers=("Input Formats",), required=False),
)
NUMBERS = (
    Column(name="blocks", headers=("Block Num", "Block Dim"), required=False, text=False),
    Column(name="mix_blocks", headers=("Mix Block Num", "Mix Block Dim"), required=False, text=False),
    Column(name="memory_bound_millionths", headers=("memory_bound",), required=False, text=False),
)
"""Further numbers of a kernel row; a bad one is a warning, not an error."""
PIPES = {"aic": ("mac", "mte2"), "aiv": ("vec", "mte2")}
"""The pipes whose ratios are metrics, by core."""
FORMS = ("", "_exe")
"""PipeUtilization, and PipelineExecuteUtilization of 310B, whose columns say ``exe``."""
TASK_COLUMNS = (
    Column(name="device", headers=("Device_id",), required=False),
    Column(name="kernel_name", headers=("kernel_name",)),
    Column(name="kernel_type", headers=("kernel_type",)),
    Column(name="stream", headers=("stream_id",)),
    Column(name="task", headers=("task_id",)),
    Column(name="start", headers=("task_start(us)", "task_start"), text=False),
    Column(name="stop", headers=("task_stop(us)", "task_stop"), text=False),
)
KERNEL_TASKS = (
    "KERNEL_AICORE",
    "KERNEL_AIVEC",
    "KERNEL_MIX_AIC",
    "KERNEL_MIX_AIV",
    "KERNEL_AICPU",
    "AI_CORE",
    "AI_VECTOR_CORE",
    "MIX_AIC",
    "MIX_AIV",
    "AI_CPU",
    "DSA_SQE",
    "FFTS_PLUS",
)
"""Kernel types of task_time that are kernels; both vocabularies are seen (docs/formats.md 11.6)."""
AI_CPU_TYPES = ("AI_CPU", "AICPU", "KERNEL_AICPU", "HCCL_AI_CPU")
COMMUNICATION_TYPES = ("HCCL", "COMMUNICATION")


def pmu_columns() -> tuple[Column, ...]:
    """The PMU columns that are read where a file has them: totals, cycles, and the pipes of ``PIPES``.

    Without prefix on chips that have one kind of core (910A, 310P): the same columns serve both cores.
    """
    found: list[Column] = []
    for core, total in (("aic", "aicore_time(us)"), ("aiv", "aiv_time(us)")):
        plain = ("aicore_time(us)",) if core == "aiv" else ()
        found.append(Column(name=f"{core}_total", headers=(total, *plain), required=False, text=False))
        found.append(
            Column(name=f"{core}_cycles", headers=(f"{core}_total_cycles", "total_cycles"), required=False, text=False)
        )
        for pipe in (f"{name}{form}" for form in FORMS for name in PIPES[core]):
            for ending, unit in (("time", "(us)"), ("ratio", "")):
                headers = (f"{core}_{pipe}_{ending}{unit}", f"{pipe}_{ending}{unit}")
                found.append(Column(name=f"{core}_{pipe}_{ending}", headers=headers, required=False, text=False))
    return tuple(found)


def _pmu(raw: Raw, root: Path, path: Path) -> tuple[dict[str, pd.arrays.IntegerArray], tuple[Reason, ...]]:
    import pandas as pd

    found: dict[str, pd.arrays.IntegerArray] = {}
    warnings: list[Reason] = []
    for column in (*NUMBERS, *pmu_columns()):
        if column.name not in raw.columns:
            continue
        whole = column.name.endswith(("_cycles", "blocks"))
        try:
            values, missing = csv_tables.integers(
                raw,
                column.name,
                root,
                path,
                pattern=csv_tables.INTEGER if whole else csv_tables.DURATION,
                scale=0 if whole else 6,
                table="pmu",
                nulls=csv_tables.NULLS,
            )
        except CaptureError as fault:
            warnings.append(Reason.of("pmu_unreadable", column=raw.headers[column.name], why=fault.message))
            continue
        found[column.name] = pd.arrays.IntegerArray(values, missing)
    return found, tuple(warnings)


def read_kernels(path: Path, root: Path, *, shown: str) -> Table:
    """The kernel table of one file, all devices, with kinds decided as far as this table alone can.

    The frame has the columns of ``frames.KERNELS`` and ``device`` (category of str); ``kind`` is missing (NA) where the
    task type is N/A and the PMU cells do not tell.

    Raises:
        CaptureError: ``kernel_table_*`` with file and line.
    """
    import pandas as pd

    raw = csv_tables.read(path, root, COLUMNS + NUMBERS + pmu_columns(), table="kernel_table", shown=shown)
    start = csv_tables.nanoseconds(raw, "start", root, path, table="kernel_table")
    formats = {"formats": csv_tables.text_category(raw, "formats")} if "formats" in raw.columns else {}
    duration, warnings = csv_tables.durations(raw, "duration", root, path, table="kernel_table")
    pmu, doubts = _pmu(raw, root, path)
    texts = {
        name: csv_tables.text_category(raw, name)
        for name in ("stream", "task", "name", "type", "accelerator", "shapes", "dtypes")
    }
    frame = pd.DataFrame(
        {
            "line": range(2, raw.rows + 2),
            "device": csv_tables.text_category(raw, "device", ""),
            "step": csv_tables.text_category(raw, "step", "", ("N/A", "nan")),
            **texts,
            **formats,
            "start_ns": start,
            "duration_ns": duration,
            **pmu,
        }
    )
    frame["kind"] = pd.Categorical(kinds_of(frame, list(pmu)), categories=list(KINDS))
    frame = frame.sort_values(["start_ns", "line"], kind="stable", ignore_index=True)
    return Table(
        kind="kernels", frame=frame, file=raw.file, columns=raw.header, warnings=raw.warnings + warnings + doubts
    )


def kinds_of(frame: pd.DataFrame, pmu: list[str]) -> np.ndarray[Any, Any]:
    """The kind of each row by task type, name and PMU cells; None where they do not tell."""
    import numpy as np

    core = frame["accelerator"].astype(str).str.upper()
    name = frame["name"].astype(str)
    kind = np.full(len(frame), None, dtype=object)
    recorded = (core != NOT_AVAILABLE).to_numpy()
    kind[recorded] = KERNEL
    kind[core.isin(AI_CPU_TYPES).to_numpy()] = AI_CPU
    communication = core.isin(COMMUNICATION_TYPES).to_numpy()
    large = (frame["stream"].astype(str) == NOT_AVAILABLE).to_numpy()
    kind[communication] = np.where(large, COMMUNICATION, COMMUNICATION_TASK)[communication]
    helper = (name.str.endswith("AivKernel") | name.str.endswith("AicpuKernel")).to_numpy() & ~(communication & large)
    kind[helper] = COMMUNICATION_TASK
    kind[(core == "PLACE_HOLDER_SQE").to_numpy()] = PLACEHOLDER
    unknown = np.array([value is None for value in kind])
    cycles = [column for column in pmu if column.endswith("_cycles")]
    if unknown.any() and cycles:
        measured = np.zeros(len(frame), dtype=bool)
        for column in cycles:
            measured |= frame[column].notna().to_numpy()
        if measured[unknown].any():
            kind[unknown] = np.where(measured, KERNEL, AI_CPU)[unknown]
    return kind


def kinds_by_tasks(kernels: pd.DataFrame, tasks: pd.DataFrame) -> pd.Series:
    """The kind of each kernel row, N/A task types replaced by those of task_time (stream, task, start within 1 ns).

    Rows that no task explains keep the kind the kernel table gave; where it gave none, they are kernels.
    """
    import pandas as pd

    kind = kernels["kind"].astype(object)
    plain = (kernels["accelerator"].astype(str) == NOT_AVAILABLE) & kernels["kind"].isin(
        [KERNEL, AI_CPU]
    ).to_numpy() | kernels["kind"].isna()
    if plain.any():
        kernel_tasks = tasks[tasks["kernel_type"].astype(str).isin(KERNEL_TASKS)]
        lookup: dict[tuple[str, str, int], str] = {}
        for stream, task, start, type_ in zip(
            kernel_tasks["stream"].astype(str),
            kernel_tasks["task"].astype(str),
            kernel_tasks["start_ns"].tolist(),
            kernel_tasks["kernel_type"].astype(str),
            strict=True,
        ):
            lookup[stream, task, start] = type_
        rows = kernels.loc[plain, ["stream", "task", "start_ns"]]
        found = [
            next((lookup[s, t, at] for at in (n, n - 1, n + 1) if (s, t, at) in lookup), None)
            for s, t, n in zip(
                rows["stream"].astype(str), rows["task"].astype(str), rows["start_ns"].tolist(), strict=True
            )
        ]
        told = pd.Series(found, index=rows.index, dtype=object)
        kind.loc[told.index[told.notna()]] = [AI_CPU if t in AI_CPU_TYPES else KERNEL for t in told.dropna()]
    return settle(kind)


def settle(kind: pd.Series) -> pd.Series:
    """Kinds with the undecided rows taken as kernels, as a category of ``KINDS``."""
    import pandas as pd

    return pd.Series(
        pd.Categorical(kind.astype(object).where(kind.notna(), KERNEL), categories=list(KINDS)), index=kind.index
    )


def read_tasks(path: Path, root: Path, *, shown: str) -> Table:
    """task_time; durations are stop minus start, the column ``task_time(us)`` being truncated (docs/formats.md 11.6).

    Raises:
        CaptureError: ``task_table_*``.
    """
    import pandas as pd

    raw = csv_tables.read(path, root, TASK_COLUMNS, table="task_table", shown=shown)
    frame = pd.DataFrame(
        {
            "device": csv_tables.text_category(raw, "device", ""),
            **{name: csv_tables.text_category(raw, name) for name in ("kernel_name", "kernel_type", "stream", "task")},
            "start_ns": csv_tables.nanoseconds(raw, "start", root, path, table="task_table"),
            "stop_ns": csv_tables.nanoseconds(raw, "stop", root, path, table="task_table"),
        }
    )
    return Table(kind="tasks", frame=frame, file=raw.file, columns=raw.header, warnings=raw.warnings)
