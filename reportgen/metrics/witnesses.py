"""Cross-checks of the kernel table's rows against the other tables of the same capture.

Source: docs/formats.md 11.6 and 11.8 (what agrees and to what tolerance). Containment: each row has its task (stream,
task id, start within 1 ns, or inside it: a MIX parent starts earlier); a task without a row fails the check only when
it carries a name and began inside the capture. A passed check witnesses completeness; a failed one makes what rests
on the table undecided.
"""

from __future__ import annotations

import bisect
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from reportgen import intervals
from reportgen.frames import AI_CPU, COMMUNICATION, KERNEL, OUTSIDE, Table, distinct
from reportgen.metrics.common import STALE_NS, Place, quantity
from reportgen.model import Quantity, Witness
from reportgen.reading.kernels import KERNEL_TASKS

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

NAMELESS = ("N/A", "")
HOST_TYPES = ("KERNEL_AICORE", "KERNEL_AIVEC", "KERNEL_MIX_AIC", "KERNEL_MIX_AIV", "KERNEL_AICPU")
"""Kernel types of TASK as the host gave them."""
LANES = {
    "computing": "Computing",
    "communication": "Communication",
    "communication_not_overlapped": "Communication(Not Overlapped)",
}
"""Our parts of a window -> the exporter's lanes."""
Row = tuple[int, int, str]
"""Start, duration and step of a kernel row."""


def _witness(
    name: str, found: Quantity, expected: Quantity, tolerance: int, place: Place, *tables: Table, agrees: bool
) -> Witness:
    origins = tuple(place.origin(table, "all rows", name) for table in tables)
    return Witness(
        name=name,
        agrees=agrees,
        found=found,
        expected=expected,
        tolerance=quantity(tolerance, found.unit),
        origins=origins,
    )


def witnesses(place: Place) -> tuple[Witness, ...]:
    """Every cross-check this capture allows; empty when no other table can speak of the rows."""
    found: list[Witness] = []
    frame = (place.tables.whole or place.tables.kernels).frame
    if place.tables.op_statistic is not None:
        found += _statistic(place, frame, place.tables.op_statistic)
    for tasks in _task_tables(place):
        found += _tasks(place, frame, tasks)
    if place.tables.kernels.source == "db" and place.tables.tasks is not None:
        found += _own_tasks(place, frame, place.tables.tasks)
    if place.tables.step_trace is not None:
        found += _step_trace(place, frame, place.tables.step_trace)
    for other in place.tables.others:
        if other.kind == "kernels":
            found += _rows(place, frame, other)
    if place.tables.lane is not None:
        found += _lane(place, frame, place.tables.lane)
    found += _stamps(place, frame)
    return tuple(found)


def _own_tasks(place: Place, frame: pd.DataFrame, table: Table) -> list[Witness]:
    """Kernel tasks of the database that no kernel row names: rows of COMPUTE_TASK_INFO are gone.

    Tasks of a hardware type alone (``AI_CORE``) are parts of collectives; a task whose stream and id another one names
    is its MIX parent; one AI CPU task runs ahead of the first kernel (docs/formats.md 11.7).
    """
    if table.file != place.tables.kernels.file or not len(frame):
        return []
    tasks = table.frame[table.frame["kernel_type"].astype(str).isin(HOST_TYPES)]
    keys = list(zip(tasks["stream"].astype(str), tasks["task"].astype(str), strict=True))
    names = tasks["kernel_name"].astype(str).tolist()
    named = {key for key, name in zip(keys, names, strict=True) if name not in NAMELESS}
    first = int(frame["start_ns"].min())
    lone = sum(
        name in NAMELESS and key not in named and not (type_ == "KERNEL_AICPU" and start < first)
        for key, name, type_, start in zip(
            keys, names, tasks["kernel_type"].astype(str), tasks["start_ns"].tolist(), strict=True
        )
    )
    found, none = quantity(lone, "1"), quantity(0, "1")
    return [_witness("tasks_without_row", found, none, 0, place, place.tables.kernels, table, agrees=lone == 0)]


def _task_tables(place: Place) -> list[Table]:
    """The tables of tasks that are evidence of their own: not the one the kernels themselves were joined from."""
    every = (place.tables.tasks, *(other for other in place.tables.others if other.kind == "tasks"))
    return [table for table in every if table is not None and table.file != place.tables.kernels.file]


def _statistic(place: Place, frame: pd.DataFrame, table: Table) -> list[Witness]:
    rows = frame[frame["kind"].isin([KERNEL, AI_CPU])]
    kernels = place.tables.kernels
    count, total = int(table.frame["count"].sum()), int(table.frame["total_ns"].sum())
    ours = int(rows["duration_ns"].sum())
    same_time = abs(ours - total) <= max(len(rows), 1)
    return [
        _witness(
            "op_statistic_count",
            quantity(len(rows), "1"),
            quantity(count, "1"),
            0,
            place,
            kernels,
            table,
            agrees=len(rows) == count,
        ),
        _witness(
            "op_statistic_total",
            quantity(ours, "ns"),
            quantity(total, "ns"),
            len(rows),
            place,
            kernels,
            table,
            agrees=same_time,
        ),
    ]


def _rows(place: Place, frame: pd.DataFrame, other: Table) -> list[Witness]:
    """The rows of the same kernels in another source, both ways: by stream, task and start (within 1 ns), and time."""
    named = not (_has_ids(frame) and _has_ids(other.frame))
    ours, theirs = _by_task(frame, by_name=named), _by_task(other.frame, by_name=named)
    matched, apart, same_step = 0, 0, 0
    for key, starts in ours.items():
        pairs = _paired(starts, theirs.get(key, []))
        matched += len(pairs)
        apart = max([apart, *(abs(one[1] - other[1]) for one, other in pairs)])
        same_step += sum(one[2] == other[2] for one, other in pairs)
    count, expected = sum(map(len, ours.values())), sum(map(len, theirs.values()))
    kernels, source = place.tables.kernels, other.source
    have = quantity(matched, "1")
    return [
        _witness(f"rows_in_{source}", have, quantity(count, "1"), 0, place, kernels, other, agrees=matched == count),
        _witness(
            f"rows_of_{source}", have, quantity(expected, "1"), 0, place, kernels, other, agrees=matched == expected
        ),
        _witness(
            f"durations_in_{source}",
            quantity(apart, "ns"),
            quantity(0, "ns"),
            1,
            place,
            kernels,
            other,
            agrees=apart <= 1,
        ),
        *_steps_of(place, other, same_step, matched),
    ]


def _steps_of(place: Place, other: Table, same: int, matched: int) -> list[Witness]:
    """Whether the matched rows belong to the same steps; nothing when a source has no steps (a trace)."""
    ours = place.tables.whole or place.tables.kernels
    if any(not any(step != OUTSIDE for step in distinct(table.frame["step"])) for table in (ours, other)):
        return []
    counts = (quantity(same, "1"), quantity(matched, "1"))
    return [_witness(f"steps_in_{other.source}", *counts, 0, place, ours, other, agrees=same == matched)]


def _paired(ours: list[Row], theirs: list[Row]) -> list[tuple[Row, Row]]:
    """The rows that start within 1 ns of each other; both lists ascend by start, each row is used once."""
    found: list[tuple[Row, Row]] = []
    i = j = 0
    while i < len(ours) and j < len(theirs):
        gap = ours[i][0] - theirs[j][0]
        if abs(gap) <= 1:
            found.append((ours[i], theirs[j]))
            i, j = i + 1, j + 1
        elif gap < 0:
            i += 1
        else:
            j += 1
    return found


def _has_ids(frame: pd.DataFrame) -> bool:
    """Whether kernels have stream and task ids; kernel_details of torch_npu level 0 has none."""
    return bool((frame.loc[frame["kind"].isin([KERNEL, AI_CPU]), "stream"].astype(str) != "N/A").all())


def _by_task(frame: pd.DataFrame, *, by_name: bool) -> dict[tuple[str, str, str], list[Row]]:
    """(stream, task, "") or ("", "", name) -> its rows, ascending.

    Communication operators have no ids: they go by their names.
    """
    rows = frame[frame["kind"].isin([KERNEL, AI_CPU, COMMUNICATION])]
    found: dict[tuple[str, str, str], list[Row]] = {}
    for stream, task, name, step, start, duration in zip(
        rows["stream"].astype(str),
        rows["task"].astype(str),
        rows["name"].astype(str),
        rows["step"].astype(str),
        rows["start_ns"].tolist(),
        rows["duration_ns"].tolist(),
        strict=True,
    ):
        key = ("", "", name) if by_name or stream == "N/A" else (stream, task, "")
        found.setdefault(key, []).append((start, duration, step))
    for starts in found.values():
        starts.sort()
    return found


def _lane(place: Place, frame: pd.DataFrame, lane: Table) -> list[Witness]:
    """Our unions over the whole capture against the exporter's own overlap lane, 1 ns a row (docs/formats.md 11.7).

    Free is not held against ours: the lane's window was stretched in newer exporters (``published``).
    """
    rows = _Rows(frame)
    everything = "everything"
    rows.steps = {everything: rows.all}
    sums = lane.frame.groupby("name", observed=True)["duration_ps"].sum()
    found: list[Witness] = []
    for part, name in LANES.items():
        if name in sums.index:
            theirs = Fraction(int(sums[name]), 1000)
            ours = rows.part(everything, part)
            near = abs(ours - theirs) <= max(len(rows.all), 1)
            found.append(
                _witness(
                    f"lane_{part}",
                    quantity(ours, "ns"),
                    quantity(theirs, "ns"),
                    len(rows.all),
                    place,
                    place.tables.kernels,
                    lane,
                    agrees=near,
                )
            )
    return found


class _Tasks:
    """The kernel tasks of task_time, found by stream and task id."""

    def __init__(self, frame: pd.DataFrame) -> None:
        tasks = frame[frame["kernel_type"].astype(str).isin(KERNEL_TASKS)]
        self.kind = tasks["kernel_type"].astype(str).tolist()
        self.name = tasks["kernel_name"].astype(str).tolist()
        self.key = list(zip(tasks["stream"].astype(str), tasks["task"].astype(str), strict=True))
        self.start, self.stop = tasks["start_ns"].tolist(), tasks["stop_ns"].tolist()
        self.by_key: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for index, key in enumerate(self.key):
            self.by_key.setdefault(key, []).append((self.start[index], index))
        for found in self.by_key.values():
            found.sort()
        self.used: set[int] = set()

    def take(self, key: tuple[str, str], start: int, stop: int) -> bool:
        """Find the task of a row: it starts within 1 ns of it, or is the last one before it that holds it (MIX)."""
        found = self.by_key.get(key, [])
        at = bisect.bisect_right(found, (start + 1, len(self.key)))
        for s, index in reversed(found[max(at - 3, 0) : at]):
            if abs(s - start) <= 1 or (s <= start and stop <= self.stop[index] + 1):
                self.used.add(index)
                return True
        return False

    def alone(self, since: int) -> int:
        """How many named tasks from ``since`` on have no row; the MIX parent of a task that has one does not count."""
        lone = 0
        for index, name in enumerate(self.name):
            if index in self.used or name in NAMELESS or self.start[index] < since:
                continue
            parent = "MIX" in self.kind[index] and any(other in self.used for _, other in self.by_key[self.key[index]])
            lone += not parent
        return lone

    def nameless(self, since: int) -> bool:
        """Whether kernel tasks without a name from ``since`` on have no row: then nobody can say what they were."""
        return any(
            name in NAMELESS and index not in self.used and self.start[index] >= since
            for index, name in enumerate(self.name)
        )


def _tasks(place: Place, frame: pd.DataFrame, table: Table) -> list[Witness]:
    """Each row has its task, and each named task its row; tasks from before the capture's start have none."""
    rows = frame[frame["kind"].isin([KERNEL, AI_CPU])]
    tasks = _Tasks(table.frame)
    matched = 0
    for stream, task, start, duration in zip(
        rows["stream"].astype(str),
        rows["task"].astype(str),
        rows["start_ns"].tolist(),
        rows["duration_ns"].tolist(),
        strict=True,
    ):
        matched += tasks.take((stream, task), start, start + duration)
    began = place.rank.started_ns
    lone = tasks.alone(began if began is not None else int(rows["start_ns"].min()) if len(rows) else 0)
    kernels, none = place.tables.kernels, quantity(0, "1")
    have = (quantity(matched, "1"), quantity(len(rows), "1"))
    found = [_witness("rows_with_task", *have, 0, place, kernels, table, agrees=matched == len(rows))]
    if not tasks.nameless(int(rows["start_ns"].min()) if len(rows) else 0):
        found.append(
            _witness("tasks_without_row", quantity(lone, "1"), none, 0, place, kernels, table, agrees=lone == 0)
        )
    return found


def _step_trace(place: Place, frame: pd.DataFrame, table: Table) -> list[Witness]:
    """Computing and communication of each step of step_trace_time against the unions of the step's own rows.

    Free and Stage are not held against ours: their definition changed between exporters (docs/formats.md 0.3).
    """
    named = table.frame["step"].astype(str)
    steps = {step: row for step, row in zip(named, table.frame.to_dict("records"), strict=True) if step}
    if not steps:
        return []
    rows = _Rows(frame)
    if not rows.steps and place.tables.kernels.source == "json":  # a trace links steps by flows, which are not read
        return []
    both = (quantity(len(rows.steps), "1"), quantity(len(steps), "1"))
    kernels = place.tables.kernels
    found = [
        _witness("steps_in_step_trace", *both, 0, place, kernels, table, agrees=rows.steps.keys() == steps.keys()),
    ]
    common = sorted(rows.steps.keys() & steps.keys(), key=lambda text: (len(text), text))
    for part in ("computing", "communication", "communication_not_overlapped"):
        found += _part(place, rows, {step: steps[step].get(f"{part}_ns") for step in common}, part, table)
    return found


class _Rows:
    """The rows of each step as arrays."""

    def __init__(self, frame: pd.DataFrame) -> None:
        import numpy as np

        kind = frame["kind"].astype(str).to_numpy()
        self.compute = np.isin(kind, [KERNEL, AI_CPU])
        self.communicate = kind == COMMUNICATION
        self.start = frame["start_ns"].to_numpy(dtype=np.int64)
        self.end = self.start + frame["duration_ns"].to_numpy(dtype=np.int64)
        codes = frame["step"].cat.codes.to_numpy()
        names = [str(name) for name in frame["step"].cat.categories]
        self.all = np.arange(len(frame))
        self.steps = {
            names[code]: np.flatnonzero(codes == code) for code in np.unique(codes) if code >= 0 and names[code]
        }

    def part(self, step: str, part: str) -> int:
        """One part of a step by interval union, in ns."""
        if part == "computing":
            return self.union(step, self.compute)
        if part == "communication":
            return self.union(step, self.communicate)
        return self.union(step, self.compute | self.communicate) - self.union(step, self.compute)

    def union(self, step: str, mask: np.ndarray[Any, Any]) -> int:
        """The union of a step's rows of one kind, in ns."""
        rows = self.steps[step][mask[self.steps[step]]]
        return intervals.union_length(self.start[rows], self.end[rows]) if len(rows) else 0


def _part(place: Place, rows: _Rows, official: Mapping[str, object], part: str, table: Table) -> list[Witness]:
    """One part of all steps against its column: the sums when every step agrees, else the first step that does not."""
    ours, theirs, size = 0, 0, 0
    for step, published in official.items():
        if not isinstance(published, int):
            continue
        union = rows.part(step, part)
        count = len(rows.steps[step])
        if abs(union - published) > count:
            return [_step_witness(f"step_trace_{part}[{step}]", union, published, count, place, table, agrees=False)]
        ours, theirs, size = ours + union, theirs + published, size + count
    return [_step_witness(f"step_trace_{part}", ours, theirs, size, place, table, agrees=True)] if size else []


def _step_witness(
    name: str, ours: int, theirs: int, tolerance: int, place: Place, table: Table, *, agrees: bool
) -> Witness:
    found, expected = quantity(ours, "ns"), quantity(theirs, "ns")
    return _witness(name, found, expected, tolerance, place, place.tables.kernels, table, agrees=agrees)


def _stamps(place: Place, frame: pd.DataFrame) -> list[Witness]:
    """A failed check when kernels lie outside the capture's own start and end; nothing when they lie inside."""
    first, last = int(frame["start_ns"].min()), int((frame["start_ns"] + frame["duration_ns"]).max())
    start, end = place.rank.started_ns, place.rank.ended_ns
    kernels = place.tables.kernels
    outside = (
        ("stamps_after_start", first, start, start is not None and first < start - STALE_NS),
        ("stamps_before_end", last, end, end is not None and last > end + STALE_NS),
    )
    return [
        _witness(name, quantity(ours, "ns"), quantity(theirs, "ns"), STALE_NS, place, kernels, agrees=False)
        for name, ours, theirs, wrong in outside
        if wrong and theirs is not None
    ]
