"""Goals on a fixed value that was agreed in the place of BEFORE.

A limit on AFTER / F or AFTER - F, F being a fixed number above 0, is a limit on AFTER alone: the goal is judged as
that, by every rule that holds for AFTER, and the figures are then divided by F or lessened by it. Nothing is known of
the uncertainty of F, so the interval is that of AFTER; the reservation says so.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from reportgen import units
from reportgen.model import (
    Comparison,
    Dimensions,
    FixedValue,
    Goal,
    Interval,
    Judgement,
    Measurement,
    Missing,
    MissingKind,
    Quantity,
    Reason,
    Side,
)


def as_after(goal: Goal, fixed: FixedValue) -> Goal:
    """The goal on AFTER alone that holds where a goal on delta or ratio to a fixed value holds."""
    limit, base = Fraction(goal.limit.value), Fraction(fixed.value.value)
    value = limit * base if goal.subject == "ratio" else limit + base
    moved = Quantity(value=units.exact(value), unit=fixed.value.unit, written=goal.limit.written)
    return replace(goal, subject="after", limit=moved)


def as_agreed(goal: Goal, fixed: FixedValue, judged: Judgement) -> Judgement:
    """The judgement of ``as_after`` in the figures of the goal as agreed.

    Args:
        goal: the goal as agreed.
        fixed: what it rests on.
        judged: of the goal on AFTER alone.
    """
    ratio, base = goal.subject == "ratio", Fraction(fixed.value.value)

    def moved(quantity: Quantity) -> Quantity:
        value = Fraction(quantity.value) / base if ratio else Fraction(quantity.value) - base
        return Quantity(value=units.exact(value), unit="1" if ratio else quantity.unit)

    def spread(interval: Interval | None) -> Interval | None:
        return interval and replace(interval, low=moved(interval.low), high=moved(interval.high))

    margin = judged.margin
    if margin is not None and ratio:
        margin = Quantity(value=units.exact(Fraction(margin.value) / base), unit="1")
    said = Reason.of("baseline_fixed", value=fixed.value.written or fixed.value.exact(), source=fixed.source)
    return replace(
        judged,
        goal=goal,
        value=judged.value if isinstance(judged.value, Missing) else moved(judged.value),
        interval=spread(judged.interval),
        margin=margin,
        comparison=_side_by_side(goal, fixed, judged),
        reservations=(said, *judged.reservations),
        origins=tuple(dict.fromkeys((*judged.origins, *fixed.origins))),
    )


def _side_by_side(goal: Goal, fixed: FixedValue, judged: Judgement) -> Comparison | None:
    """AFTER beside the fixed value; a capture of BEFORE has no part in it. None where nothing was measured."""
    row = judged.comparison
    after = row.after if row is not None else None
    if after is None and isinstance(judged.value, Quantity):
        after = Measurement(
            metric=goal.metric,
            side=Side.AFTER,
            dimensions=Dimensions(part=goal.kind),
            summary=judged.value,
            origins=judged.origins,
        )
    if after is None:
        return row
    before = replace(after, side=Side.BEFORE, summary=fixed.value, origins=fixed.origins, sample=None, interval=None,
                     each=(), witnesses=(), warnings=())  # fmt: skip
    delta: Quantity | Missing = Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("values_missing"))
    change = delta
    if isinstance(after.summary, Quantity):
        a, b = Fraction(after.summary.value), Fraction(fixed.value.value)
        delta = Quantity(value=units.exact(a - b), unit=fixed.value.unit)
        zero = Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of("before_zero"))
        change = Quantity(value=units.exact(a / b - 1), unit="1") if b else zero
    return Comparison(
        metric=goal.metric,
        dimensions=row.dimensions if row is not None else after.dimensions,
        before=before,
        after=after,
        delta=delta,
        change=change,
        estimate=None,
        interval=None,
        distinguishable="cannot be known",
        reason=Reason.of("baseline_fixed", value=fixed.value.written or fixed.value.exact(), source=fixed.source),
    )
