"""What may be said of a metric side by side, in one word, derived from its comparison.

A word of direction needs a demonstrated difference whose printed values point the same way as its interval. Shares have
no direction of their own: a share grows when the rest shrinks. The time of one call counts only where one operator type
makes up the whole capture, since the median over different kernels moves with their mix.
Source: docs/statistics.md, "The word of a row".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from reportgen.compare import CALLS, Place
from reportgen.model import Comparison, Metric, Missing, OperatorChange, Quantity, Reason, Status

EQUAL = ("exact_equal", "both_zero")
"""Reasons under which both sides are equal, not only not told apart."""
NEUTRAL = ("share", "weighted")
"""Statistics of quotients, which have no direction of their own."""


def with_status(
    rows: Iterable[Comparison], metrics: Mapping[str, Metric], operators: Iterable[OperatorChange] = ()
) -> tuple[Comparison, ...]:
    """The same rows with their word; a row whose values point against its interval says so.

    Args:
        rows: every metric side by side.
        metrics: by id.
        operators: every operator type; a place that has several makes the time of one call neutral.
    """
    mixed = _mixed(operators)
    return tuple(_with_word(row, metrics[row.metric], mixed) for row in rows)


def regressed(rows: Iterable[Comparison]) -> tuple[Comparison, ...]:
    """The rows that may be called worse."""
    return tuple(row for row in rows if row.status is Status.REGRESSED)


BARRED = ("pair_not_comparable", "pair_cannot_be_shown", "family_blocked", "check_failed")
"""Reasons by which a row gets no word although both sides have a value: it may hide what became worse."""


def barred(rows: Iterable[Comparison]) -> tuple[Comparison, ...]:
    """The rows of both values that may not be held against each other: whether they are worse is not known."""
    return tuple(
        row for row in rows if isinstance(row.delta, Quantity) and any(reason.code in BARRED for reason in row.blocked)
    )


def _mixed(operators: Iterable[OperatorChange]) -> set[Place]:
    """Ranks and devices that show more than one operator type."""
    types: dict[Place, int] = {}
    for change in operators:
        place = (change.dimensions.rank, change.dimensions.device)
        types[place] = types.get(place, 0) + 1
    return {place for place, count in types.items() if count > 1}


def _with_word(row: Comparison, metric: Metric, mixed: Collection[Place]) -> Comparison:
    told = row.distinguishable == "yes" and not row.blocked and isinstance(row.delta, Quantity)
    if told and _against(row):
        return replace(row, status=Status.UNKNOWN, reason=Reason.of("directions_disagree"))
    calls = row.metric in CALLS and (row.dimensions.rank, row.dimensions.device) in mixed
    return replace(row, status=_status(row, metric, neutral=calls or metric.statistic in NEUTRAL))


def _against(row: Comparison) -> bool:
    """Whether the printed values differ the other way than the interval says, or not at all."""
    assert isinstance(row.delta, Quantity)
    if row.interval is None:
        return row.delta.value == 0
    return row.delta.value <= 0 if row.interval.low.value > 1 else row.delta.value >= 0


def _status(row: Comparison, metric: Metric, *, neutral: bool) -> Status:
    if row.blocked or isinstance(row.delta, Missing) or row.distinguishable == "cannot be known":
        return Status.UNKNOWN
    if row.equivalence is not None and row.equivalence.shown:
        return Status.EQUIVALENT
    if row.distinguishable == "no":
        return Status.EQUAL if row.reason.code in EQUAL else Status.NO_DIFFERENCE
    grew = row.delta.value > 0
    if neutral or metric.better == "neither":
        return Status.INCREASED if grew else Status.DECREASED
    return Status.REGRESSED if grew == (metric.better == "lower") else Status.IMPROVED
