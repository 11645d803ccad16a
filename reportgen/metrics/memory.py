"""Peak memory, one component at a time, allocated and reserved apart, and memory over time.

Components are never mixed: APP is the process, PTA the framework's allocator, GE the graph engine, PTA+GE their
carry-forward sum, device the whole card; the modules of npu_module_mem are shares of the process. APP, device and the
modules are sampled: their peaks are lower bounds. A component that two files hold is taken from the first of them.
Source: docs/formats.md 3.4, 3.5, 9.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from reportgen.frames import AI_CPU, KERNEL, Table
from reportgen.metrics.common import Place, missing, of_source, quantity, stamps
from reportgen.model import (
    Family,
    Measurement,
    Metric,
    Missing,
    MissingKind,
    Quantity,
    Reason,
    Sample,
    Series,
    UnreadFile,
    Witness,
)
from reportgen.reading.sources import ORDER as SOURCES

if TYPE_CHECKING:
    import pandas as pd

    from reportgen.units import Exact


def _metric(id_: str) -> Metric:
    return Metric(
        id=id_,
        unit="B",
        better="lower",
        statistic="maximum",
        family=Family.MEMORY,
        exact=True,
        source="docs/formats.md 3.4, 3.5, 9",
    )


ALLOCATED = _metric("peak_allocated")
RESERVED = _metric("peak_reserved")
MODULE_RESERVED = _metric("module_peak_reserved")
METRICS = (ALLOCATED, RESERVED, MODULE_RESERVED)
SAMPLED = ("APP", "device")
"""Components whose memory is sampled, not recorded at every event."""
WITNESSED = "PTA"
"""The component whose allocations operator_memory lists one by one."""
KILOBYTE = 1024
"""B; text exports round to it, so two sources may lie this far apart."""
MICROSECOND = 1000
"""ns; the same of instants."""
READERS = {
    "memory_record": "memory",
    "npu_mem": "device_memory",
    "npu_module_mem": "modules",
    "operator_memory": "operator_memory",
    "api_statistic": "apis",
    "AI Core Freq": "frequency",
    "task_time": "tasks",
    "overlap analysis": "lane",
    "STEP_TIME": "host_steps",
}
"""What is looked for -> what a table of a database that cannot be read is noted as."""
MOST_POINTS = 400
"""Points of a series: more than a chart of the report has room for."""
COLUMNS = {
    "allocated_bytes": ("Total Allocated", "totalAllocated", "totalAllocate"),
    "reserved_bytes": ("Total Reserved", "memory", "totalReserved", "totalReserve"),
}
"""Column of a frame -> how files spell it, without unit and without the table of a database."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Recorded:
    """One column of one component: what was recorded, in the order of time."""

    part: str
    """Component."""
    table: Table
    """The only table it is from."""
    values: tuple[Exact, ...]
    """Bytes; empty cells are left out."""
    times: tuple[int, ...]
    """Instants in ns."""
    rows: tuple[int, ...]
    """Positions in the table, 0 first."""

    def peak(self) -> int:
        """Position in ``values`` of the first instant that reaches the largest value."""
        return max(range(len(self.values)), key=lambda i: (self.values[i], -i))


def measure(place: Place) -> list[Measurement]:
    """Peaks of one rank.

    Returns:
        By metric in the order of ``METRICS``; components in the order of the file, modules largest first. ``at`` is the
        first instant that reaches the peak. One Missing for each metric without any value. Where operator_memory holds
        the same peak as the record of PTA, it is a witness; where it holds a higher one, a failed one.
    """
    found = [
        _peak(place, metric, recorded, witnesses=_witnesses(place, metric, recorded))
        for metric, column in ((ALLOCATED, "allocated_bytes"), (RESERVED, "reserved_bytes"))
        for recorded in _components(place, column)
    ]
    present = {measurement.metric for measurement in found}
    gone = [
        place.measured(metric, absent(place, "memory_record", "npu_mem", remedy=place.option("memory")), witnesses=())
        for metric in (ALLOCATED, RESERVED)
        if metric.id not in present
    ]
    return [*sorted((*found, *gone), key=lambda one: one.metric), *_modules(place)]


def series(place: Place) -> list[Series]:
    """Memory over time of one rank, for charts: ``memory_allocated``, then ``memory_reserved``, by component.

    Returns:
        At most ``MOST_POINTS`` points each: the first, the last, and of each stretch between them its first largest
        value, so that the peak stays exactly. Times count from the start of the first kernel. Empty cells make no
        point; a component without values has no series.
    """
    origin = _first_start(place)
    done: list[Series] = []
    for id_, column in (("memory_allocated", "allocated_bytes"), ("memory_reserved", "reserved_bytes")):
        for recorded in _components(place, column):
            kept = thinned(recorded.values)
            where = f"column {_column(recorded.table, column)}; component {recorded.part}; {len(recorded.values)} rows"
            done.append(
                Series(
                    id=id_,
                    side=place.side,
                    dimensions=place.dimensions(recorded.part),
                    times=Sample(unit="ns", values=tuple(recorded.times[i] - origin for i in kept), labels=()),
                    values=Sample(unit="B", values=tuple(recorded.values[i] for i in kept), labels=()),
                    recorded=len(recorded.values),
                    origins=(place.origin(recorded.table, where, "largest value of each stretch"),),
                )
            )
    return done


def thinned(values: tuple[Exact, ...], most: int = MOST_POINTS) -> list[int]:
    """Positions of at most ``most`` (3 or more) values: first, last, and the first largest of each stretch between."""
    count = len(values)
    if count <= most:
        return list(range(count))
    edges = [1 + i * (count - 2) // (most - 2) for i in range(most - 1)]
    inner = [max(range(low, high), key=lambda i: (values[i], -i)) for low, high in pairwise(edges)]
    return [0, *inner, count - 1]


def absent(place: Place, *names: str, remedy: Reason | None = None) -> Missing:
    """Why a table is not there.

    Args:
        names: beginnings of the names of the files that could hold it, the usual one first; those of ``READERS`` also
            stand for a table of a database.
        remedy: the capture option that would supply it.

    Returns:
        UNREADABLE with the file and its fault when one of them could not be read, else NOT_COLLECTED.
    """
    for item in place.facts.unread:
        own = not place.rank.directory or item.path.startswith(f"{place.rank.directory}/")
        if own and item.reason.code in ("table_unreadable", "trace_cut") and _named(item, names):
            why = item.reason.arg("why") or item.reason.code
            again = Reason.of("export_again")
            return missing(MissingKind.UNREADABLE, "table_unreadable", again, table=item.path, why=why)
    return missing(MissingKind.NOT_COLLECTED, "table_missing", remedy, table=names[0])


def _named(item: UnreadFile, names: tuple[str, ...]) -> bool:
    """Whether a file that was not read, or the table of a database, is one of those looked for."""
    table = item.reason.arg("table")
    if item.path.endswith(".db") and table in READERS.values():
        return table in {READERS.get(name) for name in names}
    return item.path.rsplit("/", 1)[-1].startswith(names)


def own_rows(place: Place, frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of the rank's own device, where a table holds several devices and the rank's is among them."""
    device = str(place.rank.device)
    if "device" not in frame or frame["device"].nunique() < 2 or not (frame["device"] == device).any():
        return frame
    return frame[frame["device"] == device]


# ------------------------------------------------------------------------------------------------ what was recorded
def _part(component: str) -> str:
    """A component's one spelling: msprof writes Device and APP, others device and app."""
    return {"device": "device", "app": "APP"}.get(component.lower(), component)


def _components(place: Place, column: str) -> list[_Recorded]:
    """One column of every component; of a component that both tables hold, the first table's rows alone."""
    found: dict[str, _Recorded] = {}
    for table in (place.tables.memory, place.tables.device_memory):
        if table is None:
            continue
        for recorded in _recorded(place, table, column):
            found.setdefault(recorded.part, recorded)
    return list(found.values())


def _recorded(place: Place, table: Table, column: str) -> list[_Recorded]:
    frame = own_rows(place, table.frame)
    parts: dict[str, list[tuple[int, int, Any]]] = {}
    columns = (frame["component"].astype(str), frame["time_ns"], frame[column], frame.index)
    for component, time, value, row in zip(*(one.tolist() for one in columns), strict=True):
        if value is not None:
            parts.setdefault(_part(component), []).append((time, row, value))
    names = dict.fromkeys(_part(str(name)) for name in frame["component"].cat.categories)
    done = []
    for part in names:
        if part not in parts:
            continue
        times, rows, values = zip(*sorted(parts[part], key=lambda one: one[:2]), strict=True)
        done.append(_Recorded(part=part, table=table, values=values, times=times, rows=rows))
    return done


def _first_start(place: Place) -> int:
    """The start of the first kernel; of the first row when no kernel ran."""
    frame = place.tables.kernels.frame
    rows = frame[frame["kind"].isin([KERNEL, AI_CPU])]
    starts = (rows if len(rows) else frame)["start_ns"]
    return int(starts.min()) if len(starts) else 0


# ------------------------------------------------------------------------------------------------ peaks
def _column(table: Table, column: str) -> str:
    """How the file spells a column; the two of NPU_MEM are added."""
    spelled = COLUMNS[column]
    names = [name for name in table.columns if name.rsplit(".", 1)[-1].split("(", 1)[0] in spelled]
    parts = [name for name in table.columns if name.rsplit(".", 1)[-1] in ("ddr", "hbm")]
    return names[0] if names else " + ".join(parts) if parts else spelled[0]


def _peak(place: Place, metric: Metric, recorded: _Recorded, *, witnesses: tuple[Witness, ...]) -> Measurement:
    column = "allocated_bytes" if metric is ALLOCATED else "reserved_bytes"
    table, at = recorded.table, recorded.peak()
    part, row = recorded.part, recorded.rows[at]
    sampled = part in SAMPLED or metric is MODULE_RESERVED
    doubts = (Reason.of("sampled_peak_lower_bound", part=part),) if sampled else ()
    name = _column(table, column)
    where = (
        f"{name}; component {part}; row {row + 1}"
        if table.source == "db"
        else f"column {name}; component {part}; row {row + 2}"
    )
    return place.measured(
        metric,
        quantity(Fraction(recorded.values[at]), "B"),
        part=part,
        witnesses=(*witnesses, *stamps(place, table, "time_ns")),
        warnings=(*table.warnings, *doubts),
        at=quantity(recorded.times[at], "ns"),
        origins=(place.origin(table, where, f"maximum of {len(recorded.values)} values"),),
    )


def _modules(place: Place) -> list[Measurement]:
    """Peaks of the modules that ever hold memory, largest first, then by name."""
    table = place.tables.modules
    if table is None:
        gone = absent(place, "npu_module_mem", remedy=place.option("memory"))
        return [place.measured(MODULE_RESERVED, gone, witnesses=())]
    held = [one for one in _recorded(place, table, "reserved_bytes") if one.values[one.peak()] > 0]
    if not held:
        nothing = missing(MissingKind.NOT_APPLICABLE, "no_module_holds_memory")
        return [place.measured(MODULE_RESERVED, nothing, witnesses=(), warnings=table.warnings)]
    held.sort(key=lambda one: (-one.values[one.peak()], one.part))
    return [_peak(place, MODULE_RESERVED, one, witnesses=()) for one in held]


def _witnesses(place: Place, metric: Metric, recorded: _Recorded) -> tuple[Witness, ...]:
    """The largest total among PTA's allocations in operator_memory, against the peak of PTA's own record.

    Both write the same total at one allocation: within one source the values are equal to the byte (tolerance 0) in
    every capture seen. A lower one says nothing, since operator_memory lists only what operators allocated: then there
    is no witness. In another source than the record's only a total that is higher by more than text rounds is one.
    """
    if metric is not ALLOCATED or recorded.part != WITNESSED:
        return ()
    own = recorded.table.source
    held = {source: of_source(place.tables, "operator_memory", source) for source in (own, *SOURCES)}
    found = []
    for source, table in held.items():
        if table is None:
            continue
        rounding = 0 if source == own else KILOBYTE
        totals = _totals(place, table, rounded=source != own)
        largest, peak = Fraction(max(totals, default=0)), Fraction(recorded.values[recorded.peak()])
        higher = largest > peak + rounding
        if higher or (source == own and largest == peak):
            both = (quantity(peak, "B"), quantity(largest, "B"))
            found.append(_total_witness(place, recorded, table, both, (rounding, len(totals)), agrees=not higher))
    return tuple(found)


def _totals(place: Place, table: Table, *, rounded: bool) -> list[Exact]:
    """The totals of PTA's allocations.

    Rows that GE's record holds at the same instant with the same total are GE's; ``cann::`` marks them in text. Where
    the record is of another source, instants and totals may be rounded.
    """
    engine: dict[int, list[tuple[int, Exact]]] = {}
    unit, near = (MICROSECOND, KILOBYTE) if rounded else (1, 0)
    for one in _components(place, "allocated_bytes"):
        if one.part == "GE":
            for at, total in zip(one.times, one.values, strict=True):
                engine.setdefault(at // unit, []).append((at, total))
    rows = own_rows(place, table.frame)
    columns = (rows["name"].astype(str), rows["total_allocated_bytes"], rows["allocated_at_ns"])
    found = []
    for name, total, at in zip(*(one.tolist() for one in columns), strict=True):
        if total is None or name.startswith("cann::"):
            continue
        slots = () if at is None else (at // unit - 1, at // unit, at // unit + 1)
        events = (event for slot in slots for event in engine.get(slot, ()))
        if not any(abs(time - at) < unit and abs(held - total) <= near for time, held in events):
            found.append(total)
    return found


def _total_witness(
    place: Place,
    recorded: _Recorded,
    table: Table,
    both: tuple[Quantity, Quantity],
    allowed: tuple[int, int],
    *,
    agrees: bool,
) -> Witness:
    rule = "largest total at an allocation"
    return Witness(
        name="operator_memory_peak",
        agrees=agrees,
        found=both[0],
        expected=both[1],
        tolerance=quantity(allowed[0], "B"),
        origins=(
            place.origin(recorded.table, f"column {_column(recorded.table, 'allocated_bytes')}", rule),
            place.origin(table, f"{allowed[1]} rows", rule),
        ),
    )
