"""Iterations of graphs, by model: how long one takes, and how far their ends lie apart.

Iteration Time omits the gap between iterations: it is not the step time. Of two or more iterations the first is left
out, since it loads and compiles. The interval is the difference of successive ends, so it holds the gap before its
iteration; of two or more intervals the first is left out too. Source: docs/formats.md 3.4, 6.4, 11.7.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from reportgen import samples
from reportgen.frames import Table
from reportgen.metrics.common import Place, limit_interval, missing, quantity, sampled
from reportgen.metrics.memory import absent, own_rows
from reportgen.model import Family, Measurement, Metric, Missing, MissingKind, Reason


def _metric(id_: str) -> Metric:
    return Metric(
        id=id_,
        unit="ns",
        better="lower",
        statistic="median",
        family=Family.TIME,
        exact=False,
        source="docs/formats.md 3.4, 6.4, 11.7",
    )


TIME = _metric("graph_iteration_time")
INTERVAL = _metric("graph_iteration_interval")
METRICS = (TIME, INTERVAL)
MOST_MODELS = 64
"""Models shown, those with most iterations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Model:
    """The iterations of one model in the order of their ends."""

    name: str
    """Model ID."""
    labels: tuple[str, ...]
    """Iteration IDs."""
    ends: tuple[int, ...]
    """Ends in ns."""
    times: tuple[int, ...]
    """Iteration Times in ns."""


def measure(place: Place) -> list[Measurement]:
    """Both metrics of one rank, each by model (part), most iterations first; one Missing each without iterations."""
    table = place.tables.iterations
    models = _models(place, table) if table is not None else []
    if table is None or not models:
        why = _gone(place)
        return [place.measured(metric, why, witnesses=()) for metric in METRICS]
    left = len(models) - MOST_MODELS
    doubts = (
        *table.warnings,
        *((Reason.of("parts_left_out", n=left, most=MOST_MODELS),) if left > 0 else ()),
    )
    return [one(place, table, model, doubts) for one in (_time, _interval) for model in models[:MOST_MODELS]]


def _gone(place: Place) -> Missing:
    """The table is unreadable; else the capture has none, as of all that runs single operators."""
    why = absent(place, "step_trace.", *(f"step_trace_{digit}" for digit in range(10)))
    nothing = missing(MissingKind.NOT_APPLICABLE, "no_graph_iterations")
    return why if why.kind is MissingKind.UNREADABLE else nothing


def _models(place: Place, table: Table) -> list[_Model]:
    frame = own_rows(place, table.frame)
    rows: dict[str, list[tuple[int, str, int]]] = {}
    columns = (frame["model"].astype(str), frame["end_ns"], frame["iteration"].astype(str), frame["time_ns"])
    for model, end, label, time in zip(*(column.tolist() for column in columns), strict=True):
        rows.setdefault(model, []).append((end, label, time))
    done = []
    for name, found in sorted(rows.items(), key=lambda item: (-len(item[1]), len(item[0]), item[0])):
        ends, labels, times = zip(*sorted(found), strict=True)
        done.append(_Model(name=name, labels=labels, ends=ends, times=times))
    return done


def _time(place: Place, table: Table, model: _Model, doubts: tuple[Reason, ...]) -> Measurement:
    pairs = list(zip(model.labels, model.times, strict=True))
    return _median(place, table, TIME, model, pairs, "Iteration Time(us)", "median of iteration times", doubts)


def _interval(place: Place, table: Table, model: _Model, doubts: tuple[Reason, ...]) -> Measurement:
    """Differences of successive ends; where an iteration between them is missing there is none."""
    rows = list(zip(model.labels, model.ends, strict=True))
    pairs = [(label, end - before) for (last, before), (label, end) in pairwise(rows) if _follows(last, label)]
    gaps = len(rows) - 1 - len(pairs)
    if gaps:
        doubts = (*doubts, Reason.of("iterations_not_successive", n=gaps))
    if not pairs:
        why = missing(MissingKind.NOT_RECORDED, "no_successive_iterations")
        return place.measured(INTERVAL, why, part=model.name, witnesses=(), warnings=doubts)
    return _median(place, table, INTERVAL, model, pairs, "Iteration End(us)", "median of end[k] - end[k-1]", doubts)


def _follows(before: str, after: str) -> bool:
    """Whether an Iteration ID is the next one; ids that are no numbers of 64 bits are taken as such."""
    known = all(label.isdecimal() and len(label) < 20 for label in (before, after))
    return not known or int(after) == int(before) + 1


def _median(
    place: Place,
    table: Table,
    metric: Metric,
    model: _Model,
    pairs: list[tuple[str, int]],
    column: str,
    formula: str,
    doubts: tuple[Reason, ...],
) -> Measurement:
    first = 1 if len(pairs) >= 2 else 0
    labels, values = [label for label, _ in pairs[first:]], [value for _, value in pairs[first:]]
    dropped = [label for label, _ in pairs[:first]]
    said = (Reason.of("first_iteration_left_out", iteration=dropped[0]),) if dropped else ()
    interval, more = limit_interval(values, "ns")
    where = f"column {column}; Model ID {model.name}; {len(model.labels)} iterations"
    return place.measured(
        metric,
        quantity(samples.median(values), "ns"),
        part=model.name,
        sample=sampled(values, labels, "ns", dropped),
        interval=interval,
        origins=(place.origin(table, where, formula),),
        witnesses=(),
        warnings=(*doubts, *said, *more),
    )
