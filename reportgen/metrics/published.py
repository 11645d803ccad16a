"""What the capture's own step_trace_time and overlap lane say, as published: shown by ``inspect``, never compared.

Their Free and Stage changed their meaning between exporters (docs/formats.md 0.3-0.5, 4.1, 6.1); ours are recomputed
with one definition on both sides. Which definition a published Free follows is recognised by recomputing both:

- ``envelope``: the time inside the envelope of computing and communication that neither covers (older exporters);
- ``all tasks``: that envelope stretched by every other device task: events, notifies, copies (newer exporters).
"""

from __future__ import annotations

from fractions import Fraction

from reportgen import samples
from reportgen.frames import AI_CPU, COMMUNICATION, KERNEL, Table
from reportgen.metrics.common import Place, quantity, sampled
from reportgen.metrics.steps import windows
from reportgen.model import Family, Measurement, Metric, Reason, Witness
from reportgen.units import exact

PARTS = (
    "computing",
    "communication_not_overlapped",
    "overlapped",
    "communication",
    "free",
    "stage",
    "bubble",
    "preparing",
)
LANES = {
    "computing": "Computing",
    "communication": "Communication",
    "communication_not_overlapped": "Communication(Not Overlapped)",
    "free": "Free",
}
"""Parts of the exporter's overlap lane, by the names of its events."""
STAGE_GRID_NS = 250
"""Grid of Stage in a text export: one ulp of a float of microseconds since 1970."""
INNER = (
    "KERNEL_AICORE",
    "KERNEL_AIVEC",
    "FFTS_PLUS",
    "KERNEL_MIX_AIC",
    "KERNEL_MIX_AIV",
    "PROFILING_ENABLE",
    "PROFILING_DISABLE",
)
"""Tasks that do not stretch the exporter's window (docs/formats.md 4.1, step 5)."""


def _metric(id_: str, statistic: str) -> Metric:
    return Metric(
        id=id_,
        unit="ns",
        better="neither",
        statistic=statistic,
        family=Family.TIME,
        exact=False,
        source="docs/formats.md 4.1, 6.1",
    )


METRICS = (
    *(_metric(f"published_{part}", "median") for part in PARTS),
    *(_metric(f"lane_{part}", "total") for part in LANES),
    _metric("published_host_step", "median"),
)
_BY_ID = {metric.id: metric for metric in METRICS}


def measure(place: Place) -> list[Measurement]:
    """The published parts of a step, the sums of the overlap lane over the capture, then the step on the host.

    Parts whose column, cells or events are missing are left out. ``basis`` of a Free names the definition it follows:
    ``envelope``, ``all tasks``, or ``neither``; empty where it cannot be told.
    """
    return [*_step_trace(place), *_lane(place), *_host_step(place)]


def _host_step(place: Place) -> list[Measurement]:
    """The span of a step on the host, which may end before the device does (docs/formats.md 6.4)."""
    table = place.tables.host_steps
    if table is None:
        return []
    values = [int(value) for value in table.frame["duration_ns"]]
    where = f"{table.locator}; {len(values)} rows"
    return [
        place.measured(
            _BY_ID["published_host_step"],
            quantity(samples.median(values), "ns"),
            sample=sampled(values, table.frame["step"].astype(str).tolist(), "ns"),
            witnesses=(),
            origins=(place.origin(table, where, "median over steps of end - start on the host"),),
        )
    ]


def _step_trace(place: Place) -> list[Measurement]:
    table = place.tables.step_trace
    if table is None:
        return []
    found: list[Measurement] = []
    for part in PARTS:
        if f"{part}_ns" not in table.frame:
            continue
        rows = table.frame[table.frame[f"{part}_ns"].notna()]
        values = [int(value) for value in rows[f"{part}_ns"]]
        if not values:
            continue
        found.append(
            place.measured(
                _BY_ID[f"published_{part}"],
                quantity(samples.median(values), "ns"),
                sample=sampled(values, rows["step"].astype(str).tolist(), "ns"),
                witnesses=_parts(place, table) if part == "free" else (),
                basis=_definition(place, sum(values), len(rows)) if part == "free" else "",
                origins=(place.origin(table, f"column {part}; {len(values)} rows", "median over steps, as published"),),
            )
        )
    return found


def _parts(place: Place, table: Table) -> tuple[Witness, ...]:
    """Computing, communication not overlapped and free less bubble against stage: the step that lies furthest apart.

    Stage of a text export lies on a grid of 0.25 us (docs/formats.md 6.1); that of a database is exact.
    """
    names = [f"{part}_ns" for part in ("computing", "communication_not_overlapped", "free", "bubble", "stage")]
    if any(name not in table.frame for name in names):
        return ()
    rows = [tuple(map(int, row)) for row in table.frame[names].dropna().itertuples(index=False)]
    if not rows:
        return ()
    sums = [(computing + hidden + free - bubble, stage) for computing, hidden, free, bubble, stage in rows]
    found, stage = max(sums, key=lambda pair: abs(pair[0] - pair[1]))
    allowed = STAGE_GRID_NS if table.source == "csv" else 1
    return (
        Witness(
            name="published_parts",
            agrees=abs(found - stage) <= allowed,
            found=quantity(found, "ns"),
            expected=quantity(stage, "ns"),
            tolerance=quantity(allowed, "ns"),
            origins=(place.origin(table, f"{len(rows)} rows", "computing + not overlapped + free - bubble = stage"),),
        ),
    )


def _lane(place: Place) -> list[Measurement]:
    lane = place.tables.lane
    if lane is None:
        return []
    found: list[Measurement] = []
    for part, name in LANES.items():
        events = lane.frame[lane.frame["name"] == name]
        if not len(events):
            continue
        total = exact(Fraction(int(events["duration_ps"].sum()), 1000))
        basis = _definition(place, total, len(events)) if part == "free" else ""
        found.append(
            place.measured(
                _BY_ID[f"lane_{part}"],
                quantity(total, "ns"),
                witnesses=(),
                basis=basis,
                warnings=(Reason.of("free_over_all_tasks"),) if basis == "all tasks" else (),
                origins=(place.origin(lane, f"events {name}; {len(events)}", "sum of durations, as published"),),
            )
        )
    return found


def _definition(place: Place, published: int | Fraction, pieces: int) -> str:
    """Which definition of Free gives the published one, to 1 ns a kernel row; steps of several windows are not told."""
    found = windows(place.tables.kernels.frame)
    if found is None or len(found.span_labels) > 1:
        return ""
    allowed, whole = found.kernels + pieces, Fraction(published)
    frame = place.tables.kernels.frame
    rows = frame[frame["kind"].isin([KERNEL, AI_CPU, COMMUNICATION])]
    first, last = int(rows["start_ns"].min()), int((rows["start_ns"] + rows["duration_ns"]).max())
    busy = int(found.busy.sum())
    if abs(whole - (last - first - busy)) <= allowed:
        return "envelope"
    tasks = _outer(place)
    if tasks is None:
        return "neither"
    first, last = min(first, tasks[0]), max(last, tasks[1])
    return "all tasks" if abs(whole - (last - first - busy)) <= allowed else "neither"


def _outer(place: Place) -> tuple[int, int] | None:
    """First start and last end of the tasks that stretch the window; None when no table lists all tasks."""
    table: Table | None = place.tables.tasks
    if table is None:
        return None
    rows = table.frame[~table.frame["kernel_type"].astype(str).isin(INNER)]
    return (int(rows["start_ns"].min()), int(rows["stop_ns"].max())) if len(rows) else None
