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
from reportgen.model import Comparison, Metric, Missing, MissingKind, OperatorChange, Quantity, Reason, Status

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


def directed(metric: Metric) -> bool:
    """Whether one direction of a metric is worse."""
    return metric.statistic not in NEUTRAL and metric.better != "neither"


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


def untold(
    rows: Iterable[Comparison], metrics: Mapping[str, Metric], operators: Iterable[OperatorChange] = ()
) -> tuple[Comparison, ...]:
    """The rows without a word that may hide a worse AFTER: nothing was told of them, which is not that they held.

    Those are rows with a direction of which the printed values are worse and nothing is told (one value each, too few,
    directions that disagree), and rows that one side alone has, since the other lost or never wrote them.
    A total of the whole capture is left out where the step time of its place has a word: captures are compared by step,
    never by sums.

    Args:
        rows: every metric side by side, with its word (``with_status``).
        metrics: by id.
        operators: as of ``with_status``.
    """
    rows, mixed = tuple(rows), _mixed(operators)
    stepped = {_place(row) for row in rows if row.metric == "step_time" and row.status is not Status.UNKNOWN}
    return tuple(
        row
        for row in rows
        if row.status is Status.UNKNOWN
        and not _neutral(row, metrics[row.metric], mixed)
        and not (metrics[row.metric].statistic == "total" and _place(row) in stepped)
        and _hides(row, metrics)
    )


def _place(row: Comparison) -> Place:
    """Rank and device of a row."""
    return row.dimensions.rank, row.dimensions.device


def _hides(row: Comparison, metrics: Mapping[str, Metric]) -> bool:
    """Whether AFTER is worse by its printed values, or a value stands on one side only."""
    if isinstance(row.delta, Quantity):
        return is_worse(row.delta, metrics[row.metric].better)
    sides = [side.summary for side in (row.before, row.after) if side is not None]
    lost = any(isinstance(one, Missing) and one.kind is not MissingKind.NOT_APPLICABLE for one in sides)
    return lost and any(isinstance(one, Quantity) for one in sides)


def is_worse(delta: Quantity, better: str) -> bool:
    """Whether AFTER - BEFORE points away from what is ``better``, ``lower`` or not."""
    return delta.value != 0 and (delta.value > 0) == (better == "lower")


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
    return replace(row, status=_status(row, metric, neutral=_neutral(row, metric, mixed)))


def _neutral(row: Comparison, metric: Metric, mixed: Collection[Place]) -> bool:
    """Whether neither direction of a row is worse."""
    return (row.metric in CALLS and _place(row) in mixed) or not directed(metric)


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
    if neutral:
        return Status.INCREASED if grew else Status.DECREASED
    return Status.REGRESSED if grew == (metric.better == "lower") else Status.IMPROVED
