"""An msprof `PROF_*` directory: settings of a generation, exported tables of one or several exports, and its faults.

Also the two directories that are no captures of ours: `OPPROF_*` and a folder of another tool.
"""

# ruff: noqa: TID252  (tests import this as captures, the command line as tests.captures)
from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from . import formats
from .databases import Book, add_common, add_kernels
from .expected import Expected, Peak, expect
from .formats import MISSING, cpp_us, digits14, digits17, lanes, python_us, stamp, write_csv, write_text
from .plan import ASCEND_310B, ASCEND_910B_20, SECOND, Chip, Clock, Collective, Dice, Op, Pace, Planner, Row, utc_ns
from .settings import Generation, Site, compact, write_settings

LEAD_NS = 140_000_000
"""From the start of the collection to the first kernel."""
TAIL_NS = 400_000_000
"""From the last kernel to the end of the collection."""
EXPORT_DELAY_NS = 6 * SECOND
"""From the end of the collection to the stamp of an export that names none."""
TABLES = (
    "op_summary",
    "task_time",
    "op_statistic",
    "communication_statistic",
    "api_statistic",
    "npu_mem",
    "memory_record",
    "msprof",
)
UNTYPED_STREAM, HELPER_STREAMS = 46, (42, 43)


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """One run of the exporter."""

    stamp: str = ""
    """14 digits of json and db; "" = six seconds after the end of the collection."""
    csv_lag_s: int = 1
    """The csv files are stamped that much later."""
    tables: tuple[str, ...] = TABLES
    """Which tables it left."""
    rows: int | None = None
    """Only so many rows of op_summary and task_time (a stale or cut export); None = all."""
    slice_rows: int | None = None
    """Cut op_summary and task_time into files `_slice_0_`, `_slice_1_` ... of so many rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfSpec:
    """Everything that can be chosen of a PROF directory. The default is a level-1 910B capture, exported once."""

    ops: tuple[Op, ...]
    """Kernels of one repeat."""
    collectives: Sequence[Collective] = ()
    """Collectives behind the kernels of each repeat. At level 1 the exporter counts them in communication_statistic."""
    repeats: int = 1
    """How often the ops run."""
    generation: Generation = "2026"
    """Which collector and exporter."""
    level: Literal[0, 1] = 1
    """prof_level; the 310B collector knows level 1."""
    helpers: bool = False
    """Two AI_CPU helper rows of the same name around every kernel (level 0, MIX kernels)."""
    pace: Pace = field(default_factory=lambda: Pace(step_noise_ppm=0))
    """Gaps and noise."""
    seed: int = 1
    """Everything random follows from it."""
    begin: str = "2026-10-20 14:03:22.150"
    """Local time at which the collection started."""
    offset_hours: int = 8
    """Local time minus UTC."""
    host: str = "op-bench-01"
    """Host name."""
    pid: int = 77_412
    """Process under test."""
    boot_ns: int = 82_411_006_512_110
    """Monotonic clock at the start."""
    device: int = 0
    """Device id."""
    chip: Chip | None = None
    """None = 910B with 20 cores at 1650 MHz, or 310B."""
    exports: tuple[Export, ...] = (Export(),)
    """Exports side by side; empty = never exported."""
    databases: tuple[str, ...] = ()
    """Stamps of msprof_{stamp}.db files, each with everything that ran."""
    aborted: bool = False
    """Killed: no end_info; the export left api_statistic and the json only."""
    old_layout: bool = False
    """device_N/summary and device_N/timeline instead of mindstudio_profiler_output."""
    npu_mem: Sequence[int] = ()
    """HBM of the process in bytes, a sample every 99 ms; empty = no npu_mem table."""
    device_extra_bytes: int = 240 * 2**20
    """What the device uses beyond the process."""
    ge_memory: Sequence[tuple[int, int]] = ()
    """GE allocated and reserved in bytes, a row a millisecond; empty = no memory_record table."""
    sample: Mapping[str, object] = field(default_factory=dict)
    """Overrides of sample.json."""
    info: Mapping[str, object] = field(default_factory=dict)
    """Overrides of info.json."""
    device_info: Mapping[str, object] = field(default_factory=dict)
    """Overrides of DeviceInfo[0]."""

    @property
    def cpp(self) -> bool:
        """Whether the C++ exporter wrote it."""
        return self.generation == "2026"

    @property
    def silicon(self) -> Chip:
        """The device."""
        return self.chip or (ASCEND_910B_20 if self.cpp else ASCEND_310B)

    @property
    def folder(self) -> str:
        """Name of the PROF directory."""
        begin, dice = utc_ns(self.begin, self.offset_hours), Dice(self.seed, 23, self.pid)
        suffix = f"{self.pid:08d}{dice.letters(8)}" if self.cpp else dice.letters(16)
        return f"PROF_000001_{digits17(begin - 47_000_000, self.offset_hours * 3600)}_{suffix}"


@dataclass(frozen=True, slots=True)
class _Task:
    """One row of task_time that is no kernel."""

    kind: str
    start_ns: int
    length_ns: int
    stream: int
    task: int


@dataclass(frozen=True, slots=True)
class _Run:
    """One capture under way."""

    spec: ProfSpec
    root: Path
    begin_ns: int
    end_ns: int
    rows: tuple[Row, ...]
    tasks: tuple[_Task, ...]
    hashes: Mapping[str, str]
    """Kernel binary of each op type."""


def _plan(spec: ProfSpec, clock: Clock) -> tuple[Row, ...]:
    planner = Planner(clock, spec.pace, spec.seed, stream=UNTYPED_STREAM if spec.cpp else 1)
    planner.task = -1
    planner.wait(LEAD_NS)
    for _ in range(spec.repeats):
        for op in spec.ops:
            for _ in range(op.calls):
                if spec.helpers:
                    _add_helpers(planner, op)
                planner.kernel(op, None)
        for collective in spec.collectives:
            _, planner.tick = planner.collective(collective, None, 0, planner.tick)
    return tuple(sorted(planner.rows, key=lambda row: (row.start_ns, row.end_ns)))


def _add_helpers(planner: Planner, op: Op) -> None:
    """Two AI_CPU rows that start a little ahead of the kernel and end a little after it."""
    helper = Op(type=op.type, name=op.name, core="AI_CPU", mean_ns=op.mean_ns)
    base = planner.clock.ticks(op.mean_ns)
    for index, stream in enumerate(HELPER_STREAMS):
        start = planner.tick - planner.clock.ticks(13_000 - 7_000 * index)
        planner.add(helper, op.name, start, base * (110 + 30 * index) // 100, None, stream)
    planner.tick += planner.clock.ticks(4_000)


def _around(spec: ProfSpec, rows: Sequence[Row], begin_ns: int) -> tuple[_Task, ...]:
    """The tasks before and behind the kernels, as each generation lists them."""
    first, last = rows[0].start_ns, max(row.end_ns for row in rows)
    if not spec.cpp:
        return (
            _Task("PROFILING_ENABLE", first - 91_204_311, 20, 0, 2),
            _Task("PROFILING_DISABLE", last + 7_630_596, 41, 0, 3),
            _Task("DEVICE_RINGBUFFER_CONTROL", last + 8_264_964, 20, 0, 4),
        )
    return (
        _Task("PROFILING_ENABLE", begin_ns + 49_471_913, 20, 49, 3),
        _Task("TASK_TIMEOUT_SET", begin_ns + 58_827_820, 97_721, 49, 4),
        _Task("EVENT_RECORD", last + 49_881, 20, UNTYPED_STREAM, len(rows)),
        _Task("PROFILING_DISABLE", last + 316_105_331, 20, 49, 5),
    )


def op_summary_header(spec: ProfSpec) -> list[str]:
    """Column names of op_summary."""
    lead = [] if spec.old_layout else ["Device_id"]
    block = "Block Num" if spec.cpp else "Block Dim"
    identity = ["Model ID", "Task ID", "Stream ID", "Op Name", "OP Type", "OP State", "Task Type"]
    times = ["Task Start Time(us)", "Task Duration(us)", "Task Wait Time(us)", block, f"Mix {block}", "HF32 Eligible"]
    tensors = [f"{side} {what}" for side in ("Input", "Output") for what in ("Shapes", "Data Types", "Formats")]
    pmu = formats.pmu_header() if spec.cpp else formats.exe_header()
    return [*lead, *identity, *times, *tensors, "Context ID", *pmu]


def _wait_cell(spec: ProfSpec, wait_ns: int | None, row: Row) -> str:
    """C++ subtracts float64 microseconds (a grid of 0.25) and prints six decimals; Python rounds to three."""
    if wait_ns is None:
        return "0"
    if not spec.cpp:
        return python_us(wait_ns) if wait_ns else "0"
    coarse = row.start_ns / 1000 - (row.start_ns - wait_ns) / 1000
    return f"{coarse:.6f}"


def _summary_cells(spec: ProfSpec, row: Row, wait_ns: int | None) -> list[str]:
    op, chip = row.op, spec.silicon
    typed = spec.level == 1
    lead = [] if spec.old_layout else [str(spec.device)]
    if not isinstance(op, Op):
        core = "COMMUNICATION" if spec.cpp else "HCCL"
        identity = ["4294967295", MISSING, MISSING, row.name, op.type if typed else MISSING, MISSING, core]
        cells = [*lead, *identity, stamp(row.start_ns), python_us(row.duration_ns), _wait_cell(spec, wait_ns, row), "0"]
        return [*cells, *[MISSING] * (len(op_summary_header(spec)) - len(cells))]
    kind = [op.type, "dynamic", op.core] if typed else [MISSING] * 3
    length = cpp_us(row.duration_ns) if spec.cpp else python_us(row.duration_ns)
    times = [stamp(row.start_ns), length, _wait_cell(spec, wait_ns, row)]
    blocks = (formats.blocks_of(op, chip) if spec.cpp else (op.blocks or 1, 0)) if typed else (0, 0)
    tensors = ["NO", *formats.tensor_cells(op, quoted=not spec.cpp)] if typed else [MISSING] * 7
    context = "0" if op.core.startswith("MIX") else MISSING
    pmu = formats.pmu_cells(row, chip, timed=typed, cpp=True) if spec.cpp else formats.exe_cells(row, chip)
    identity = [*lead, "4294967295", str(row.task), str(row.stream), row.name, *kind]
    return [*identity, *times, *map(str, blocks), *tensors, context, *pmu]


TASK_TIME_HEADER = [
    "kernel_name",
    "kernel_type",
    "stream_id",
    "task_id",
    "task_time(us)",
    "task_start(us)",
    "task_stop(us)",
]
UNTYPED_KINDS = {
    "AI_CORE": "KERNEL_AICORE",
    "AI_VECTOR_CORE": "KERNEL_AIVEC",
    "MIX_AIC": "KERNEL_MIX_AIC",
    "MIX_AIV": "KERNEL_MIX_AIV",
    "AI_CPU": "KERNEL_AICPU",
    "DSA_SQE": "DSA_SQE",
}


def _task_name(run: _Run, row: Row) -> tuple[str, str]:
    """Name and kind in task_time: the kernel binary, not the operator; AI_CPU has no name at level 0."""
    spec = run.spec
    if not spec.cpp:
        return row.name, "KERNEL_AICORE"
    name = f"{row.op.type}_{run.hashes[row.op.type]}_high_performance_210000000"
    if spec.level == 1:
        return name, row.core
    return (MISSING if row.core == "AI_CPU" else name), UNTYPED_KINDS[row.core]


def _task_time(run: _Run, limit: int | None) -> list[list[str]]:
    spec = run.spec
    print_us = cpp_us if spec.cpp else python_us
    kernels = [
        (row.start_ns, *_task_name(run, row), row.stream, row.task, row.raw_ns, row.end_ns)
        for row in run.rows[:limit]
        if not row.communicates
    ]
    others = [(t.start_ns, MISSING, t.kind, t.stream, t.task, t.length_ns, t.start_ns + t.length_ns) for t in run.tasks]
    table = []
    for start, name, kind, stream, task, length, end in sorted(kernels + others):
        lead = [] if spec.old_layout else [str(spec.device)]
        table.append([*lead, name, kind, str(stream), str(task), print_us(length), stamp(start), stamp(end)])
    return table


def _calls(run: _Run) -> list[tuple[str, str, Sequence[int]]]:
    """Level, name and durations in ns of every host call; the last is the launch of each row, in their order."""
    spec, dice = run.spec, Dice(run.spec.seed, 29)
    if spec.aborted:
        return [("acl", "aclrtMalloc", [1_642_310])]
    names = sorted({row.op.type for row in run.rows if not row.communicates})
    count = {name: sum(row.op.type == name for row in run.rows) for name in names}
    calls: list[tuple[str, str, Sequence[int]]] = [
        ("acl", f"aclnn{name}", [10 * (460 + dice.below(400)) for _ in range(count[name])]) for name in names
    ]
    calls.append(("acl", "aclrtSynchronizeStream", [10 * (140 + dice.below(350)) for _ in range(4)]))
    return [*calls, ("node", "launch", [10 * (330 + dice.below(300)) for _ in run.rows])]


def _api_statistic(run: _Run) -> list[list[str]]:
    spec = run.spec
    lead = [] if spec.old_layout else ["host" if spec.cpp else str(spec.device)]
    return [[*lead, *cells] for cells in formats.api_rows(_calls(run), "0" if spec.cpp else "0.0")]


def _kilobytes(size_bytes: int) -> str:
    return repr(float(size_bytes // 1024))


def _npu_mem(run: _Run) -> list[list[str]]:
    spec, table = run.spec, []
    for event, extra in (("APP", 0), ("Device", spec.device_extra_bytes)):
        for index, size in enumerate(spec.npu_mem):
            time, used = stamp(run.begin_ns + 12_000_000 + 99_000_000 * index), _kilobytes(size + extra)
            table.append([str(spec.device), event, "0.0", used, used, time])
    return table


def _memory_record(run: _Run) -> list[list[str]]:
    spec, table = run.spec, []
    for index, (allocated, reserved) in enumerate(spec.ge_memory):
        time = stamp(run.begin_ns + LEAD_NS // 2 + 1_000_000 * index)
        sizes = [_kilobytes(allocated), _kilobytes(reserved)]
        table.append([str(spec.device), "GE", time, *sizes, f"NPU:{spec.device}"])
    return table


def _summary_rows(run: _Run, limit: int | None) -> list[list[str]]:
    waits = formats.waits_ns(run.rows)
    return [_summary_cells(run.spec, row, wait) for row, wait in list(zip(run.rows, waits, strict=True))[:limit]]


def _tables(run: _Run, export: Export) -> dict[str, list[list[str]]]:
    """Header and rows of every csv table this capture has."""
    spec = run.spec
    lead = [] if spec.old_layout else ["Device_id"]
    found = {"api_statistic": [[*lead, *formats.API_HEADER], *_api_statistic(run)]}
    if spec.aborted:
        return found
    found["op_summary"] = [op_summary_header(spec), *_summary_rows(run, export.rows)]
    found["task_time"] = [[*lead, *TASK_TIME_HEADER], *_task_time(run, export.rows)]
    if spec.level == 1:
        device = [] if spec.old_layout else [str(spec.device)]
        statistic = [[*device, *cells] for cells in formats.statistic_rows(run.rows)]
        found["op_statistic"] = [[*lead, *formats.STATISTIC_HEADER], *statistic]
        if spec.collectives:
            statistic = [[*device, *cells] for cells in formats.communication_rows(run.rows)]
            found["communication_statistic"] = [[*lead, *formats.COMMUNICATION_HEADER], *statistic]
    if spec.npu_mem:
        header = ["Device_id", "event", "ddr(KB)", "hbm(KB)", "memory(KB)", "timestamp(us)"]
        found["npu_mem"] = [header, *_npu_mem(run)]
    if spec.ge_memory:
        header = ["Device_id", "Component", "Timestamp(us)", "Total Allocated(KB)", "Total Reserved(KB)", "Device"]
        found["memory_record"] = [header, *_memory_record(run)]
    return {name: table for name, table in found.items() if name in export.tables}


def _process(
    pid: int, name: str, sort_index: int, label: str, threads: Sequence[tuple[int, str]]
) -> list[dict[str, Any]]:
    def event(kind: str, tid: int, key: str, value: object) -> dict[str, Any]:
        return {"name": kind, "pid": pid, "tid": tid, "ph": "M", "args": {key: value}}

    found = [event("process_name", 0, "name", name), event("process_labels", 0, "labels", label)]
    found.append(event("process_sort_index", 0, "sort_index", sort_index))
    for tid, thread in threads:
        found += [event("thread_name", tid, "name", thread), event("thread_sort_index", tid, "sort_index", tid)]
    return found


def _timeline(run: _Run) -> list[dict[str, Any]]:
    """msprof json: clock, Overlap Analysis (the C++ exporter numbers its lanes in another order), every task."""
    spec, base = run.spec, (run.spec.pid << 10) % 2**32
    clock, hardware, overlap, host = (base | index << 5 for index in (14, 13, 30, 7))
    label = f"NPU {spec.device}" if spec.cpp else "NPU"
    found: list[dict[str, Any]] = []
    if spec.cpp:
        for time in (run.begin_ns + 1_743_000, run.begin_ns + 2_451_890, run.end_ns - 96_211_000):
            place = {"name": "AI Core Freq", "pid": clock, "tid": 0, "ts": formats.micro(time), "ph": "C"}
            found.append({**place, "args": {"MHz": spec.silicon.aic_frequency}})
        found += _process(clock, "AI Core Freq", 14, label, [])
    if spec.aborted:
        return found + _process(host, "CANN", 7, "CPU", [(spec.pid, f"Thread {spec.pid}")])
    names = sorted(formats.LANES) if spec.cpp else list(formats.LANES)
    found += _process(overlap, "Overlap Analysis", 30, label, list(enumerate(names)))
    spans = lanes(run.rows)
    for tid, name in enumerate(names):
        for start, end in spans[name]:
            event = {"name": name, "pid": overlap, "tid": tid, "ts": formats.micro(start), "dur": (end - start) / 1000}
            found.append({**event, "ph": "X", "args": {}})
    streams = sorted({row.stream for row in run.rows if not row.communicates} | {task.stream for task in run.tasks})
    found += _process(hardware, "Ascend Hardware", 13, label, [(stream, f"Stream {stream}") for stream in streams])
    if spec.collectives:
        found += _process(base | 15 << 5, "Communication" if spec.cpp else "HCCL", 15, label, [(0, "Group 0")])
        for row in (row for row in run.rows if row.communicates):
            place = {"name": row.name, "pid": base | 15 << 5, "tid": 0, "ts": formats.micro(row.start_ns)}
            found.append({**place, "dur": row.duration_ns / 1000, "ph": "X", "args": {"connection_id": 9_000}})
    return found + _task_events(run, hardware)


def _task_events(run: _Run, hardware: int) -> list[dict[str, Any]]:
    kinds = [
        (row.start_ns, row.name, _task_name(run, row)[1], row.stream, row.task, row.duration_ns)
        for row in run.rows
        if not row.communicates
    ]
    kinds += [(task.start_ns, task.kind, task.kind, task.stream, task.task, task.length_ns) for task in run.tasks]
    found = []
    for number, (start, name, kind, stream, task, length) in enumerate(sorted(kinds), 10_000):
        event = {
            "name": name,
            "pid": hardware,
            "tid": stream,
            "ts": formats.micro(start),
            "dur": length / 1000,
            "ph": "X",
        }
        args: dict[str, Any] = {"Model Id": 4294967295, "Task Type": kind, "Physic Stream Id": stream, "Task Id": task}
        args |= {"Batch Id": 0, "Subtask Id": 4294967295, "connection_id": number}
        found.append({**event, "args": args})
    return found


def _write_table(run: _Run, export: Export, name: str, table: list[list[str]], when: str) -> None:
    spec = run.spec
    if spec.old_layout:
        path = run.root / f"device_{spec.device}" / "summary" / f"{name}_{spec.device}_1_{when}.csv"
        write_csv(path, table, "\n")
        return
    folder, rows = run.root / "mindstudio_profiler_output", table[1:]
    size = export.slice_rows
    if size is None or name not in ("op_summary", "task_time") or len(rows) <= size:
        write_csv(folder / f"{name}_{when}.csv", table, "\n")
        return
    for index, low in enumerate(range(0, len(rows), size)):
        write_csv(folder / f"{name}_slice_{index}_{when}.csv", [table[0], *rows[low : low + size]], "\n")


def _write_export(run: _Run, export: Export) -> None:
    spec, offset_s = run.spec, run.spec.offset_hours * 3600
    when = export.stamp or digits14(run.end_ns + EXPORT_DELAY_NS, offset_s)
    local = f"{when[:4]}-{when[4:6]}-{when[6:8]} {when[8:10]}:{when[10:12]}:{when[12:]}"
    later = digits14(utc_ns(local, spec.offset_hours) + formats.seconds(export.csv_lag_s), offset_s)
    for name, table in _tables(run, export).items():
        _write_table(run, export, name, table, later)
    if "msprof" in export.tables:
        text = compact(_timeline(run)) if spec.cpp else json.dumps(_timeline(run))
        if spec.old_layout:
            folder = run.root / f"device_{spec.device}" / "timeline"
            write_text(folder / f"msprof_{spec.device}_1_{when}.json", text)
        else:
            write_text(run.root / "mindstudio_profiler_output" / f"msprof_{when}.json", text)


def write_database(path: Path) -> None:
    """A valid SQLite file without a table."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 1")
        connection.execute("PRAGMA user_version = 0")
        connection.commit()


def _write_msprof_database(run: _Run, path: Path) -> None:
    """The unified database: tasks, kernels, PMU values, host calls, clock, memory."""
    spec, book = run.spec, Book("1.2.0")
    typed, thread = spec.level == 1, spec.pid << 32 | spec.pid
    if not spec.aborted:
        connections = add_kernels(
            book,
            run.rows,
            spec.silicon,
            device=spec.device,
            pid=spec.pid,
            group="",
            typed=typed,
            pmu=True,
            timed=typed,
        )
        *acl, (_, launch, lengths) = _calls(run)
        for number, (row, connection, length) in enumerate(zip(run.rows, connections, lengths, strict=True)):
            start = row.start_ns - 31_000 - 10 * (number % 7)
            book.add("CANN_API", (start, start + length, 10000, thread, connection, book.id(launch)))
        for number, (name, length) in enumerate((name, length) for _, name, times in acl for length in times):
            start = run.begin_ns + 1_000 * number
            book.add("CANN_API", (start, start + length, 20000, thread, 10_000_000 + number, book.id(name)))
        for number, task in enumerate(run.tasks):
            where = (spec.device, 4824 + number, len(run.rows) + number, spec.pid, book.id(task.kind), 4294967295)
            end = task.start_ns + task.length_ns
            book.add("TASK", (task.start_ns, end, *where, task.stream, task.task, 4294967295))
    times = [run.begin_ns, run.begin_ns + 2_451_890, run.end_ns]
    add_common(
        book,
        device=spec.device,
        rank=-1,
        host=spec.host,
        times=(run.begin_ns, run.end_ns),
        frequency=[(time, spec.silicon.aic_frequency) for time in times],
    )
    for event, extra in (("app", 0), ("device", spec.device_extra_bytes)):
        for index, size in enumerate(spec.npu_mem):
            time = run.begin_ns + 12_000_000 + 99_000_000 * index
            book.add("NPU_MEM", (book.id(event), 0, size + extra, time, spec.device))
    for index, (allocated, reserved) in enumerate(spec.ge_memory):
        time = run.begin_ns + LEAD_NS // 2 + 1_000_000 * index
        event = (book.id("aclnnAdd"), 20_617_629_794_304, book.id("allocate"), 65_536, time, thread)
        book.add("NPU_OP_MEM", (*event, allocated, reserved, book.id("GE"), spec.device))
    book.write(path)


def _peaks(spec: ProfSpec) -> dict[str, Peak]:
    """Whole kilobytes, as printed."""
    found = {}
    if spec.npu_mem:
        most = max(spec.npu_mem)
        found["APP"] = Peak(None, most // 1024 * 1024, None)
        found["Device"] = Peak(None, (most + spec.device_extra_bytes) // 1024 * 1024, None)
    if spec.ge_memory:
        allocated, reserved = (max(sizes) // 1024 * 1024 for sizes in zip(*spec.ge_memory, strict=True))
        found["GE"] = Peak(allocated, reserved, None)
    return found


def write_prof_capture(root: Path, spec: ProfSpec) -> Expected:
    """Write one PROF directory under `root`.

    Args:
        root: Parent directory; made when missing.
        spec: What is captured, exported and missing.

    Returns:
        The right values of the whole collection (also when nothing was exported); its path is the PROF directory.
    """
    begin = utc_ns(spec.begin, spec.offset_hours)
    rows = _plan(spec, Clock(begin, spec.silicon.clock_hz))
    end = max(row.end_ns for row in rows) + TAIL_NS
    dice = Dice(spec.seed, 31)
    hashes = {op.type: dice.letters(32, "0123456789abcdef") for op in spec.ops}
    run = _Run(spec, root / spec.folder, begin, end, rows, _around(spec, rows, begin), hashes)
    app = "python3" if spec.cpp else "execute_op"
    own = {} if spec.cpp else {"app_dir": "/home/bench/op_samples/output"}
    site = Site(
        host=spec.host,
        pid=spec.pid,
        device=spec.device,
        chip=spec.silicon,
        begin_ns=begin,
        end_ns=None if spec.aborted else end,
        offset_s=spec.offset_hours * 3600,
        boot_ns=spec.boot_ns,
        folder=f"/home/bench/profiling/{spec.folder}",
        app=app,
        memory_kb=263_521_284 if spec.cpp else 3_598_108,
        cpu_cores=40 if spec.cpp else 4,
        sample=own | dict(spec.sample),
        info=spec.info,
        device_info=spec.device_info,
    )
    write_settings(run.root, site, spec.generation, spec.level)
    for export in spec.exports:
        _write_export(run, export)
    for when in spec.databases:
        _write_msprof_database(run, run.root / f"msprof_{when}.db")
    return expect(
        rows, path=run.root, rank=-1, device=spec.device, typed=spec.level == 1, markers=False, memory=_peaks(spec)
    )


def write_opprof(root: Path) -> Path:
    """An `OPPROF_*` directory of the single-operator tool, which is refused. Gives its path."""
    folder = root / "OPPROF_20261020151207_CPEKHMBRDLAIOGQF"
    basic = ["Op Name,Op Type,Task Duration(us),Block Dim,Device Id,Pid,Current Freq,Rated Freq"]
    basic.append("RmsNorm_3f0a,vector,12.84,48,0,77530,1800,1800")
    write_text(folder / "OpBasicInfo.csv", "\n".join(basic) + "\n")
    pipes = ["block_id,sub_block_id,aiv_time(us),aiv_total_cycles,aiv_vec_time(us),aiv_vec_ratio"]
    pipes.append("0,vector0,11.204,20167,3.115,0.278")
    write_text(folder / "PipeUtilization.csv", "\n".join(pipes) + "\n")
    write_text(folder / "dump" / "README.txt", "raw data of msprof op\n")
    return folder


def write_foreign(root: Path) -> Path:
    """A folder of another vendor's profiler and a few notes, which is not ours. Gives its path."""
    folder = root / "gpu_run_7"
    trace = {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "A100"}], "traceEvents": []}
    write_text(folder / "trace.json", json.dumps(trace))
    write_text(folder / "summary.csv", "name,calls,total_us\naddmm,40,1200.5\n")
    write_text(folder / "notes.txt", "not an Ascend capture\n")
    return folder
