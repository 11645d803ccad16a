"""The right values of a planned capture, by simple code of its own: nothing here reads a file or merges an interval."""

# ruff: noqa: TID252  (tests import this as captures, the command line as tests.captures)
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from .plan import Row, parts_ns

K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Shares:
    """A stretch of time split by what the device did. computing + unhidden + free = its length."""

    computing_ns: int
    """Some kernel ran."""
    communication_ns: int
    """Some collective ran."""
    overlapped_ns: int
    """Both."""
    unhidden_ns: int
    """A collective and no kernel."""
    free_ns: int
    """Neither."""


def shares(rows: Iterable[Row], low_ns: int, high_ns: int) -> Shares:
    """Split [low, high) by walking over the starts and ends (no interval is ever merged here)."""
    edges: list[tuple[int, int, int]] = []
    for row in rows:
        start, end = max(row.start_ns, low_ns), min(row.end_ns, high_ns)
        if start < end:
            edges += [(start, int(row.communicates), 1), (end, int(row.communicates), -1)]
    running, spent, last = [0, 0], {(a, b): 0 for a in (0, 1) for b in (0, 1)}, low_ns
    for time, kind, change in sorted(edges):
        spent[int(running[0] > 0), int(running[1] > 0)] += time - last
        running[kind] += change
        last = time
    spent[0, 0] += high_ns - last
    both, compute, communicate = spent[1, 1], spent[1, 0], spent[0, 1]
    return Shares(compute + both, communicate + both, both, communicate, spent[0, 0])


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedStep:
    """The right values of one step."""

    step: int
    """Step id."""
    start_ns: int
    """First start of its rows."""
    end_ns: int
    """Last end of its rows."""
    window_ns: int | None
    """Next step's start minus this one's; None for the last step."""
    shares: Shares
    """Over the window; over [start, end) for the last step."""
    kernels: int
    """Rows that are neither collectives nor AI_CPU."""
    ai_cpu: int
    """AI_CPU rows."""
    collectives: int
    """Rows of collectives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedType:
    """Count and durations of one (type, core) or of one kernel name."""

    count: int
    """Calls."""
    total_ns: int
    """Sum of durations."""
    min_ns: int
    """Shortest."""
    max_ns: int
    """Longest."""


@dataclass(frozen=True, slots=True)
class Peak:
    """Peaks of one memory component in bytes; None = the component has no such column."""

    allocated: int | None
    """Total Allocated."""
    reserved: int | None
    """Total Reserved."""
    active: int | None
    """Total Active."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """The right values of one device of one capture, worked out from the plan and not from the files."""

    path: Path
    """Directory that was written."""
    rank: int
    """Rank id; -1 = none recorded."""
    device: int
    """Device id."""
    steps: tuple[ExpectedStep, ...]
    """In order; empty without markers."""
    types: dict[tuple[str, str], ExpectedType]
    """By (type, core); collectives are not in it. Empty at level 0, where neither is recorded."""
    names: dict[str, ExpectedType]
    """By kernel name; collectives are not in it."""
    span_ns: tuple[int, int]
    """First start and last end of all rows."""
    shares: Shares
    """Over the span."""
    kernels: int
    """Rows that are neither collectives nor AI_CPU."""
    ai_cpu: int
    """AI_CPU rows."""
    collectives: int
    """Rows of collectives."""
    outside: int
    """Rows with an empty Step Id."""
    memory: dict[str, Peak]
    """Peaks by component: APP, PTA, GE, PTA+GE, WORKSPACE, or APP and Device of npu_mem."""
    wait_ns: int
    """Waiting of all collectives in steps."""
    transit_ns: int
    """Transit of all collectives in steps."""

    @property
    def step_times_ns(self) -> tuple[int, ...]:
        """Windows of all steps but the last."""
        return tuple(step.window_ns for step in self.steps if step.window_ns is not None)


def _count(rows: Iterable[Row]) -> tuple[int, int, int]:
    kernels = ai_cpu = collectives = 0
    for row in rows:
        if row.communicates:
            collectives += 1
        elif row.core == "AI_CPU":
            ai_cpu += 1
        else:
            kernels += 1
    return kernels, ai_cpu, collectives


def _grouped(rows: Iterable[Row], key: Callable[[Row], K]) -> dict[K, ExpectedType]:
    durations: dict[K, list[int]] = {}
    for row in rows:
        if not row.communicates:
            durations.setdefault(key(row), []).append(row.duration_ns)
    return {
        key: ExpectedType(count=len(found), total_ns=sum(found), min_ns=min(found), max_ns=max(found))
        for key, found in durations.items()
    }


def _steps(rows: Sequence[Row], ids: Sequence[int]) -> tuple[ExpectedStep, ...]:
    starts = {step: min(row.start_ns for row in rows if row.step == step) for step in ids}
    found = []
    for index, step in enumerate(ids):
        own = [row for row in rows if row.step == step]
        end = max(row.end_ns for row in own)
        following = starts[ids[index + 1]] if index + 1 < len(ids) else None
        kernels, ai_cpu, collectives = _count(own)
        found.append(
            ExpectedStep(
                step=step,
                start_ns=starts[step],
                end_ns=end,
                window_ns=None if following is None else following - starts[step],
                shares=shares(rows, starts[step], end if following is None else following),
                kernels=kernels,
                ai_cpu=ai_cpu,
                collectives=collectives,
            )
        )
    return tuple(found)


def expect(
    rows: Sequence[Row],
    *,
    path: Path,
    rank: int,
    device: int,
    typed: bool,
    markers: bool,
    memory: dict[str, Peak],
) -> Expected:
    """Work out the right values of a plan.

    Args:
        rows: What ran, any order.
        path: The directory that is written.
        rank: Rank id, -1 without one.
        device: Device id.
        typed: False at level 0: types are not recorded.
        markers: False: the capture has no steps.
        memory: Peaks by component.
    """
    low, high = min(row.start_ns for row in rows), max(row.end_ns for row in rows)
    kernels, ai_cpu, collectives = _count(rows)
    ids = sorted({row.step for row in rows if row.step is not None}) if markers else []
    inside = [parts_ns(row) for row in rows if row.step is not None]
    return Expected(
        path=path,
        rank=rank,
        device=device,
        steps=_steps(rows, ids),
        types=_grouped(rows, lambda row: (row.op.type, row.core)) if typed else {},
        names=_grouped(rows, lambda row: row.name),
        span_ns=(low, high),
        shares=shares(rows, low, high),
        kernels=kernels,
        ai_cpu=ai_cpu,
        collectives=collectives,
        outside=sum(row.step is None for row in rows),
        memory=memory,
        wait_ns=sum(wait for wait, _, _ in inside),
        transit_ns=sum(transit for _, transit, _ in inside),
    )
