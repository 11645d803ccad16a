"""memory_record, operator_memory and npu_module_mem of a torch_npu text capture."""

# ruff: noqa: TID252  (tests import this as captures, the command line as tests.captures)
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from . import formats
from .expected import Peak
from .formats import stamp, write_csv
from .torch_spec import LEAD_NS, MB, Allocation, Memory, Run

MEMORY_HEADER = [
    "Component",
    "Timestamp(us)",
    "Total Allocated(MB)",
    "Total Reserved(MB)",
    "Total Active(MB)",
    "Stream Ptr",
    "Device Type",
]
OPERATOR_MEMORY_HEADER = [
    "Name",
    "Size(KB)",
    "Allocation Time(us)",
    "Release Time(us)",
    "Active Release Time(us)",
    "Duration(us)",
    "Active Duration(us)",
    "Allocation Total Allocated(MB)",
    "Allocation Total Reserved(MB)",
    "Allocation Total Active(MB)",
    "Release Total Allocated(MB)",
    "Release Total Reserved(MB)",
    "Release Total Active(MB)",
    "Stream Ptr",
    "Device Type",
]


def _mb(size_bytes: int | None) -> str:
    return "" if size_bytes is None else repr(size_bytes / MB)


@dataclass(frozen=True, slots=True)
class _Event:
    """One row of memory_record: a component's totals at a time."""

    time_ns: int
    component: str
    peak: Peak
    stream: str = ""


@dataclass(frozen=True, slots=True)
class _Tensor:
    """One allocation of one step with the totals at both of its ends."""

    allocation: Allocation
    start_ns: int
    end_ns: int
    total_at_start: int
    total_at_end: int


def _tensors(run: Run, memory: Memory) -> list[_Tensor]:
    """Every allocation of every step; totals count what lives at that moment, its own change included."""
    lives: list[tuple[int, int, Allocation]] = []
    for step, _, _ in run.host_steps:
        own = [row for row in run.rows if row.step == step]
        low, high = min(row.start_ns for row in own), max(row.end_ns for row in own)
        for item in memory.allocations:
            start = low + (high - low) * item.from_permille // 1000
            end = low + (high - low) * item.to_permille // 1000
            lives.append((formats.floor_to(start, 10), formats.floor_to(end, 10), item))
    lives.sort(key=lambda life: (life[0], life[1], life[2].name))

    def total(time_ns: int) -> int:
        return memory.resident_bytes + sum(i.size_bytes for start, end, i in lives if start <= time_ns < end)

    return [_Tensor(item, start, end, total(start), total(end)) for start, end, item in lives]


def _memory_events(run: Run, memory: Memory) -> list[_Event]:
    """APP samples first, then PTA, GE and WORKSPACE in order of time, each followed by PTA+GE."""
    events = []
    for index, time in enumerate(range(run.begin_ns + 70_000, run.end_ns, memory.app_period_ns)):
        size = memory.app_bytes[0] if index < 3 else memory.app_bytes[1]
        events.append(_Event(formats.floor_to(time, 20), "APP", Peak(None, size, None)))
    pointer = str(281_470_681_743_360 + run.pid * 16)
    changes = [
        (time, total)
        for tensor in _tensors(run, memory)
        for time, total in ((tensor.start_ns, tensor.total_at_start), (tensor.end_ns, tensor.total_at_end))
    ]
    owned = [_Event(time, "PTA", Peak(total, memory.reserved_bytes, total), pointer) for time, total in sorted(changes)]
    early = formats.floor_to(run.begin_ns + LEAD_NS // 2, 10)
    owned.append(
        _Event(early, "PTA", Peak(memory.resident_bytes, memory.reserved_bytes, memory.resident_bytes), pointer)
    )
    owned.append(_Event(early + 8_000, "GE", Peak(memory.ge_bytes, 8 * MB, None)))
    if memory.workspace_bytes:
        size = memory.workspace_bytes
        owned.append(_Event(early + 5_010, "WORKSPACE", Peak(size, size, size), pointer))
    pta, ge = Peak(0, 0, 0), Peak(0, 0, 0)
    for event in sorted(owned, key=lambda event: event.time_ns):
        events.append(event)
        if event.component == "WORKSPACE":
            continue
        pta, ge = (event.peak, ge) if event.component == "PTA" else (pta, event.peak)
        both = Peak((pta.allocated or 0) + (ge.allocated or 0), (pta.reserved or 0) + (ge.reserved or 0), pta.active)
        events.append(_Event(event.time_ns, "PTA+GE", both, event.stream))
    return events


def _peaks(events: Sequence[_Event]) -> dict[str, Peak]:
    found: dict[str, list[Peak]] = {}
    for event in events:
        found.setdefault(event.component, []).append(event.peak)

    def most(values: Sequence[int | None]) -> int | None:
        return max((value for value in values if value is not None), default=None)

    return {
        component: Peak(
            most([p.allocated for p in peaks]), most([p.reserved for p in peaks]), most([p.active for p in peaks])
        )
        for component, peaks in found.items()
    }


def write_memory(run: Run, memory: Memory) -> dict[str, Peak]:
    events = _memory_events(run, memory)
    table = [MEMORY_HEADER]
    for event in events:
        sizes = [_mb(event.peak.allocated), _mb(event.peak.reserved), _mb(event.peak.active)]
        table.append([event.component, stamp(event.time_ns), *sizes, event.stream, run.label])
    write_csv(run.output / "memory_record.csv", table, "\r\n")
    _write_operator_memory(run, memory)
    _write_module_memory(run, memory)
    return _peaks(events)


def _write_operator_memory(run: Run, memory: Memory) -> None:
    pointer, reserved = str(281_470_681_743_360 + run.pid * 16), _mb(memory.reserved_bytes)
    table = [OPERATOR_MEMORY_HEADER]
    for tensor in _tensors(run, memory):
        alive = tensor.end_ns - tensor.start_ns
        at_start, at_end = _mb(tensor.total_at_start), _mb(tensor.total_at_end)
        times = [
            stamp(tensor.start_ns),
            stamp(tensor.end_ns),
            stamp(tensor.end_ns - 380),
            stamp(alive),
            stamp(alive - 380),
        ]
        totals = [at_start, reserved, at_start, at_end, reserved, at_end]
        size = repr(tensor.allocation.size_bytes / 1024)
        table.append([tensor.allocation.name, size, *times, *totals, pointer, run.label])
    write_csv(run.output / "operator_memory.csv", table, "\r\n")


def _write_module_memory(run: Run, memory: Memory) -> None:
    """npu_module_mem: a few of the driver's modules, at the start, in the middle and at the end."""
    modules = {
        "SLOG": 0,
        "HCCL": 416 * MB,
        "RUNTIME": 94_464 * 1024,
        "GE": 76 * MB,
        "APP": memory.reserved_bytes,
        "MBUFF": 0,
    }
    table = [["Component", "Timestamp(us)", "Total Reserved(MB)", "Device"]]
    times = [run.begin_ns + 83_000_000, (run.begin_ns + run.end_ns) // 2, run.end_ns - 9_000_000]
    for module, size in modules.items():
        table += [[module, stamp(formats.floor_to(time, 10)), _mb(size), run.label] for time in times]
    write_csv(run.output / "npu_module_mem.csv", table, "\n")
