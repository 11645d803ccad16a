"""A torch_npu database export: `{host}_{pid}_{time}_ascend_pt/` with ascend_pytorch_profiler and analysis.db."""

# ruff: noqa: TID252  (tests import this as captures, the command line as tests.captures)
from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from . import formats
from .databases import Book, Schema, add_common, add_kernels
from .expected import Expected, Peak, expect
from .plan import Collective, Row, parts_ns
from .torch_json import metadata, profiler_info, write_json
from .torch_memory import _memory_events, _peaks, _tensors
from .torch_spec import MB, Memory, Run, TorchSpec
from .torch_text import _run, _write_inner

NODE, ACL, QUEUE = 10000, 20000, 50002


def _communicator(run: Run) -> str:
    """The name of the communicator, as parallel_group_info has it."""
    return f"198.51.100.23%enp67s0f0_60000_0_{run.spec.pid * 7919 + 1_760_000_000_000_000}"


def _calls(book: Book, run: Run, connections: Sequence[int]) -> None:
    """CANN_API: one node-level launch for each row, inside its host step or outside every step."""
    spans = {step: (start, end) for step, start, end in run.host_steps}
    last = run.host_steps[-1][2]
    for number, (row, connection) in enumerate(zip(run.rows, connections, strict=True)):
        if row.step is not None:
            start, end = spans[row.step]
            at = start + (end - start) * (number + 1) // (2 * len(run.rows))
        else:
            at = run.begin_ns + 10 * number if row.start_ns < last else last + 20 + 10 * number
        thread = run.pid << 32 | run.pid
        book.add("CANN_API", (at, at + 7, NODE, thread, connection, book.id("launch")))
    for number, (_, start, _) in enumerate(run.host_steps):
        thread = run.pid << 32 | run.pid
        name = book.id("aclrtSynchronizeStreamWithTimeout")
        book.add("CANN_API", (start + 2, start + 42_002, ACL, thread, 900_000 + number, name))
        text = (str(start + 40), str(start + 12_510), thread, None, book.id("aten::mm"), None, None, None, None, None)
        book.add("PYTORCH_API", (*text, 50001))


def _memory(book: Book, run: Run, memory: Memory) -> dict[str, Peak]:
    """MEMORY_RECORD, OP_MEMORY, NPU_MEM and NPU_MODULE_MEM; peaks by component."""
    events = _memory_events(run, memory)
    for event in events:
        peak, stream = event.peak, int(event.stream) if event.stream else None
        if event.component == "APP":
            for kind, extra in (("app", 0), ("device", 240 * MB)):
                book.add("NPU_MEM", (book.id(kind), 0, (peak.reserved or 0) + extra, event.time_ns, run.device))
            continue
        totals = (peak.allocated, peak.reserved, peak.active or 0)
        book.add("MEMORY_RECORD", (book.id(event.component), event.time_ns, *totals, stream, run.device))
    pointer = 281_470_681_743_360 + run.pid * 16
    for tensor in _tensors(run, memory):
        alive, reserved = tensor.end_ns - tensor.start_ns, memory.reserved_bytes
        times = (tensor.start_ns, tensor.end_ns, tensor.end_ns - 380, alive, alive - 380)
        start, end = tensor.total_at_start, tensor.total_at_end
        totals = (start, reserved, start, end, reserved, end)
        size = (book.id(tensor.allocation.name), tensor.allocation.size_bytes)
        book.add("OP_MEMORY", (*size, *times, *totals, pointer, run.device))
    for module, amount in {0: 0, 3: 416 * MB, 7: 94_464 * 1024, 45: 76 * MB, 33: -1, 76: 0}.items():
        book.add("NPU_MODULE_MEM", (module, run.begin_ns + 83_000_000, amount, run.device))
    peaks = _peaks(events)
    return peaks | {"device": Peak(None, (peaks["APP"].reserved or 0) + 240 * MB, None)}


def _write_profiler(run: Run, schema: Schema) -> dict[str, Peak]:
    spec = run.spec
    book = Book(schema)
    connections = add_kernels(
        book,
        run.rows,
        spec.chip,
        device=run.device,
        pid=run.pid,
        group=_communicator(run),
        typed=spec.level != "Level0",
        pmu=spec.pmu,
        timed=True,
    )
    _calls(book, run, connections)
    if spec.markers:
        book.add("STEP_TIME", *run.host_steps)
    mhz = spec.chip.aic_frequency
    add_common(
        book,
        device=run.device,
        rank=-1 if run.rank is None else run.rank,
        host=spec.host,
        times=(run.begin_ns, run.end_ns),
        frequency=[(run.begin_ns + 1_483_200, mhz), (run.begin_ns, mhz), (run.end_ns, mhz)],
    )
    book.add("META_DATA", *((name, json.dumps(value)) for name, value in metadata(run).items()))
    peaks = _memory(book, run, spec.memory) if spec.memory else {}
    suffix = "" if run.rank is None else f"_{run.rank}"
    book.write(run.output / f"ascend_pytorch_profiler{suffix}.db")
    return peaks


# ------------------------------------------------------------------------------------------------ analysis.db
def _us(duration_ns: int) -> float | int:
    return duration_ns // 1000 if duration_ns % 1000 == 0 else duration_ns / 1000


def _step_trace(rows: Sequence[Row], step: str | None, host_start: int) -> tuple[Any, ...]:
    """One row by the exporter's rule: integers of ns; free lies inside the envelope."""
    found = {lane: sum(end - start for start, end in spans) for lane, spans in formats.lanes(rows).items()}
    stage = max(row.end_ns for row in rows) - min(row.start_ns for row in rows)
    hidden, whole = found["Communication(Not Overlapped)"], found["Communication"]
    bubble = sum(row.duration_ns for row in rows if row.name.startswith("hcom_receive"))
    computing = [row.start_ns for row in rows if not row.communicates]
    first = min(row.start_ns for row in rows) if computing else 0
    parts = (found["Computing"], hidden, whole - hidden, whole, found["Free"], stage - bubble, bubble, hidden - bubble)
    return (step, *map(_us, parts), _us(first - host_start if first else 0))


def _communication(book: Book, row: Row, group: str, step: str) -> None:
    assert isinstance(row.op, Collective)
    wait, transit, idle = parts_ns(row)
    lead = (row.name, group)
    times = (row.duration_ns / 10**6, transit / 10**6, wait / 10**6, wait * 3 // 4 / 10**6, idle / 10**6)
    book.add("CommAnalyzerTime", (*lead, row.start_ns / 1000, *times, step, "collective"))
    size, speed = row.op.size_bytes / 10**6, round(row.op.size_bytes / transit, 4) if transit else 0
    for link, spread in (("HCCS", ((size / 8, 6), (size / 8, 2))), ("SDMA", ((0, 0),))):
        for packet, count in spread:
            moved = transit * count / 8 / 10**6
            numbers = (size, transit / 10**6, speed, 0, packet, count, moved)
            book.add("CommAnalyzerBandwidth", (*lead, link, *numbers, step, "collective"))


def _write_analysis(run: Run) -> None:
    book = Book("1.0.0")
    if run.spec.markers:
        for step, host_start, _ in run.host_steps:
            book.add("StepTraceTime", _step_trace([r for r in run.rows if r.step == step], str(step), host_start))
    else:
        book.add("StepTraceTime", _step_trace(run.rows, None, run.host_steps[0][1]))
    if run.spec.level != "Level0":
        for row in run.rows:
            if row.communicates and (row.step is not None or not run.spec.markers):
                step = f"step{row.step}" if run.spec.markers else "step"
                _communication(book, row, str(run.group), step)
    book.write(run.output / "analysis.db")


def _write_rank(run: Run, schema: Schema) -> Expected:
    spec = run.spec
    suffix = "" if run.rank is None else f"_{run.rank}"
    write_json(run.root / f"profiler_info{suffix}.json", profiler_info(run))
    peaks = _write_profiler(run, schema)
    _write_analysis(run)
    if spec.inner:
        _write_inner(run)
    return expect(
        run.rows,
        path=run.root,
        rank=-1 if run.rank is None else run.rank,
        device=run.device,
        typed=spec.level != "Level0",
        markers=spec.markers,
        memory=peaks,
    )


def write_torch_db(root: Path, spec: TorchSpec, schema: Schema = "1.0.0") -> tuple[Expected, ...]:
    """Write one `*_ascend_pt` directory with databases for each rank under `root`, of the same plan as the text export.

    Args:
        root: Parent directory; made when missing.
        spec: What is captured; `_export_type` is ["db"] unless it says otherwise.
        schema: Which generation of tables.

    Returns:
        The right values of each rank, in the order of `spec.ranks`; memory holds `device` too.
    """
    chosen = replace(spec, experimental={"_export_type": ["db"]} | dict(spec.experimental))
    return tuple(_write_rank(_run(root, chosen, index), schema) for index in range(len(chosen.ranks)))
