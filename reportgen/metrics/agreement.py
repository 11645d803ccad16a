"""The same metric from another source of the same capture: a witness of its value.

A capture may hold its kernels, memory or collectives in a database, in csv files and in json; one source is chosen for
both sides of a pair, and what the others give must agree within the tolerance the formats explain. A value that does
not is undecided. Source: docs/formats.md 11.8.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from reportgen.frames import RankTables, Table
from reportgen.metrics.common import Place, quantity
from reportgen.model import Family, Measurement, Metric, Quantity, RankFacts, Witness
from reportgen.reading.exclusion import without
from reportgen.reading.sources import KINDS, ORDER
from reportgen.reading.spine import steps

PMU = Fraction(5, 10_000)
"""Ratios of a csv have three decimals."""
SHARE = Fraction(5, 100_000)
"""Shares of time: 0.005 percentage points."""
SINGLE = ("device_span", "kernel_call", "kernel_call_mean")
"""Times of one row, or from one row to another: 1 ns; sums and unions of many rows: 1 ns a row."""
KILOBYTE = 1024
"""npu_mem holds whole KB, truncated."""
ALL_ROWS = ("row_count", "row_time")
"""Metrics of every row of the kernel table."""
UNSTATED = ("pmu_clock", "memory_bound", "memory_bound_share", "aiv_mte2_bound_share")
"""Metrics for which no tolerance is stated: quotients of rounded cells."""


def elsewhere(place: Place) -> dict[str, Place]:
    """The same rank read from each source that was not chosen, by source.

    A table that the source does not hold is left out of its place: what is measured there comes from that source alone.
    """
    held: dict[str, dict[str, Table]] = {}
    for table in place.tables.others:
        held.setdefault(table.source, {}).setdefault(table.kind, table)
    found: dict[str, Place] = {}
    for source in ORDER:
        if source not in held:
            continue
        kernels = held[source].get("kernels", place.tables.kernels)
        if kernels is not place.tables.kernels and place.tables.left_out:
            kernels = without(kernels, place.tables.left_out)
        rank = place.rank
        if kernels is not place.tables.kernels:
            rank = _facts(place.rank, kernels)
        fields = {kind: table for kind, table in held[source].items() if kind in KINDS}
        tables = RankTables(index=place.tables.index, kernels=kernels, **fields)  # type: ignore[arg-type]
        found[source] = replace(place, rank=rank, tables=tables, witnesses=())
    return found


def _facts(rank: RankFacts, kernels: Table) -> RankFacts:
    return replace(rank, rows=len(kernels.frame), steps=steps(kernels.frame), kernel_file=kernels.file)


def tolerance(metric: Metric, sources: tuple[str, str], place: Place) -> Fraction | None:
    """How far two sources of one metric may lie apart, in its exact unit; None when nothing states it."""
    if metric.id in UNSTATED:
        return None
    if metric.statistic == "count" or metric.unit in ("1/s", "B/s"):
        return Fraction(0)
    if metric.unit == "B":
        return Fraction(KILOBYTE)
    if metric.unit == "1":
        cube = metric.id.startswith("cube_utilization")
        return Fraction(0) if cube else PMU if metric.family is Family.PMU else SHARE
    if "json" not in sources and not place.facts.layout.id.startswith("torch"):
        return Fraction(0)
    return Fraction(1 if metric.id in SINGLE else max(place.rank.rows, 1))


def witnessed(
    place: Place,
    measured: list[Measurement],
    others: dict[str, list[Measurement]],
    metrics: dict[str, Metric],
) -> list[Measurement]:
    """The measurements with what each other source says of them as witnesses.

    Args:
        place: where they were measured; measured: from the chosen sources; others: source -> the same rank's
            measurements from it; metrics: by id.
    """
    found = {
        source: {(m.metric, m.dimensions.part): m for m in values if m.source == source}
        for source, values in others.items()
    }
    done: list[Measurement] = []
    for one in measured:
        extra: list[Witness] = []
        for source, values in found.items():
            other = values.get((one.metric, one.dimensions.part))
            metric = metrics[one.metric]
            if other is not None and one.source != source and _alike(one, other, metric):
                extra += _witness(place, one, other, metric, source)
        done.append(replace(one, witnesses=(*one.witnesses, *extra)) if extra else one)
    return done


def _alike(one: Measurement, other: Measurement, metric: Metric) -> bool:
    """Whether both were taken over the same rows and windows in the same way.

    A trace lists neither placeholders nor the tasks of communication operators, and no steps: where rows lie outside
    the steps, its window is another one.
    """
    if other.source == "json" and (
        one.metric in ALL_ROWS or any(doubt.code == "rows_outside_steps" for doubt in one.warnings)
    ):
        return False
    if metric.statistic == "total":  # of all rows, whatever the steps
        return one.basis == other.basis
    labels = [m.sample.labels if m.sample is not None else () for m in (one, other)]
    return one.basis == other.basis and (labels[0] == labels[1] or len(labels[0]) <= 1 >= len(labels[1]))


def _witness(place: Place, one: Measurement, other: Measurement, metric: Metric, source: str) -> list[Witness]:
    allowed = tolerance(metric, (one.source, source), place)
    if allowed is None or not isinstance(one.summary, Quantity) or not isinstance(other.summary, Quantity):
        return []
    apart = abs(Fraction(one.summary.value) - Fraction(other.summary.value))
    return [
        Witness(
            name=f"from_{source}",
            agrees=apart <= allowed,
            found=one.summary,
            expected=other.summary,
            tolerance=quantity(allowed, metric.unit),
            origins=(*one.origins, *other.origins),
        )
    ]
