"""kernel_details, step_trace_time, op_statistic and api_statistic of a torch_npu text capture."""

# ruff: noqa: TID252  (tests import this as captures, the command line as tests.captures)
from __future__ import annotations

from collections.abc import Sequence

from . import formats
from .formats import MISSING, lanes, python_us, stamp, write_csv
from .plan import Dice, Op, Row
from .torch_spec import Run, TorchSpec

BASE_HEADER = ["Name", "Type", "Accelerator Core", "Start Time(us)", "Duration(us)", "Wait Time(us)"]
TENSOR_HEADER = ["HF32 Eligible"] + [
    f"{side} {what}" for side in ("Input", "Output") for what in ("Shapes", "Data Types", "Formats")
]


def kernel_details_header(spec: TorchSpec) -> list[str]:
    """Column names of kernel_details.csv."""
    lead = (["Step Id"] if spec.markers else []) + (["Device_id"] if spec.device_column else [])
    block = f"Block {spec.block_word}"
    if spec.level == "Level0":
        return [*lead, *BASE_HEADER, block]
    name, kind, core, *times = BASE_HEADER
    identity = ["Model ID", "Task ID", "Stream ID", name, kind, "OP State", core, *times]
    tail = [block, f"Mix {block}", *TENSOR_HEADER, "Context ID"]
    return [*lead, *identity, *tail, *(formats.pmu_header() if spec.pmu else [])]


def _kernel_cells(run: Run, row: Row, wait: str) -> list[str]:
    spec, op = run.spec, row.op
    step = "" if row.step is None else str(row.step)
    lead = ([step] if spec.markers else []) + ([str(run.device)] if spec.device_column else [])
    times = [stamp(row.start_ns), python_us(row.duration_ns), wait]
    if spec.level == "Level0":
        core = spec.communication_core if row.communicates else MISSING
        return [*lead, row.name, MISSING, core, *times, "0"]
    if not isinstance(op, Op):
        identity = ["4294967295", MISSING, MISSING, row.name, op.type, MISSING, spec.communication_core]
        cells = [*identity, *times, "0"]
        return [*lead, *cells, *[MISSING] * (len(kernel_details_header(spec)) - len(lead) - len(cells))]
    blocks, mixed = formats.blocks_of(op, spec.chip)
    identity = ["4294967295", str(row.task), str(row.stream), row.name, op.type, "dynamic", op.core]
    context = "0" if op.core.startswith("MIX") else MISSING
    cells = [*identity, *times, str(blocks), str(mixed), "NO", *formats.tensor_cells(op, quoted=True), context]
    return [*lead, *cells, *(formats.pmu_cells(row, spec.chip, timed=True, cpp=False) if spec.pmu else [])]


def write_kernel_details(run: Run) -> None:
    waits = ["0" if wait is None else python_us(wait) for wait in formats.waits_ns(run.rows)]
    cells = [_kernel_cells(run, row, wait) for row, wait in zip(run.rows, waits, strict=True)]
    write_csv(run.output / "kernel_details.csv", [kernel_details_header(run.spec), *cells], "\r\n")


def _sum(values: Sequence[float]) -> float:
    """Plain additions in order (the built-in sum compensates since Python 3.12); 0, an int, of nothing."""
    total: float = 0
    for value in values:
        total += value
    return total


def _trace_time(run: Run, step: str, within: tuple[int, int], host_start: int) -> list[str]:
    """One row by the exporter's own rule: whole lane events whose start lies in the step, floats in us."""
    low, high = within
    found = {
        lane: [(start, end) for start, end in spans if low <= start < high] for lane, spans in lanes(run.rows).items()
    }
    sums = {lane: _sum([(end - start) / 1000 for start, end in spans]) for lane, spans in found.items()}
    received = [row for row in run.rows if row.name.startswith("hcom_receive") and low <= row.start_ns < high]
    bubble = _sum([row.duration_ns / 1000 for row in received])
    events = [span for spans in found.values() for span in spans]
    ends = [start / 1000 + (end - start) / 1000 for start, end in events]
    stage = max(ends) - min(start / 1000 for start, _ in events) - bubble
    first = min(start for lane in ("Computing", "Communication") for start, _ in found[lane])
    hidden = sums["Communication(Not Overlapped)"]
    numbers = [
        sums["Computing"],
        hidden,
        sums["Communication"] - hidden,
        sums["Communication"],
        sums["Free"],
        stage,
        bubble,
        max(hidden - bubble, 0),
        first / 1000 - host_start / 1000,
    ]
    lead = [str(run.device)] if run.spec.device_column else []
    return [*lead, step, *[repr(number) for number in numbers]]


STEP_HEADER = [
    "Step",
    "Computing",
    "Communication(Not Overlapped)",
    "Overlapped",
    "Communication",
    "Free",
    "Stage",
    "Bubble",
    "Communication(Not Overlapped and Exclude Receive)",
    "Preparing",
]


def write_step_trace_time(run: Run) -> None:
    lead = ["Device_id"] if run.spec.device_column else []
    table = [lead + STEP_HEADER]
    if run.spec.markers:
        for step, host_start, host_end in run.host_steps:
            own = [row for row in run.rows if row.step == step]
            within = min(row.start_ns for row in own), max(host_end, *(row.end_ns for row in own))
            table.append(_trace_time(run, str(step), within, host_start))
    else:
        table.append(_trace_time(run, "", (0, 2**63), run.host_steps[0][1]))
    write_csv(run.output / "step_trace_time.csv", table, "\r\n")


def write_statistics(run: Run) -> None:
    """op_statistic.csv, api_statistic.csv and, where wanted, communication_statistic.csv: Level1 only."""
    rows, dice = run.rows, Dice(run.spec.seed, 17, run.index)
    if run.spec.communication_statistic:
        table = [formats.COMMUNICATION_HEADER, *formats.communication_rows(rows)]
        write_csv(run.output / "communication_statistic.csv", table, "\n")
    write_csv(run.output / "op_statistic.csv", [formats.STATISTIC_HEADER, *formats.statistic_rows(rows)], "\n")
    launches: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        time = 10 * (600 + dice.below(900))
        key = ("hccl", "Launch_Ffts") if row.communicates else ("acl", f"aclnn{row.op.type}")
        launches.setdefault(key, []).append(time * (8 if row.communicates else 1))
    node = [10 * (280 + dice.below(2_000)) for _ in rows]
    waits = [10 * (40_000 + dice.below(2_000_000)) for _ in run.host_steps]
    calls = [(level, name, found) for (level, name), found in sorted(launches.items())]
    calls += [("acl", "aclrtSynchronizeStreamWithTimeout", waits), ("node", "launch", node)]
    write_csv(run.output / "api_statistic.csv", [formats.API_HEADER, *formats.api_rows(calls, "0.0")], "\n")
