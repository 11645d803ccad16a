"""Operator types side by side: totals per step, and which calls take another time, tested together by Holm's method.

Many types tested at 95 % each would make some difference likely by chance. Of each rank the types that are on both
sides and hold at least 1 % of kernel time on one of them are tested; k of them first at the level 1 - 0.05 / k; what is
told apart leaves, and the rest are tested at the level of their smaller number, until a round tells none apart. That is
Holm's step-down: the same types as by his p-values, since the interval of a lower level lies inside that of a higher.
Source: Holm 1979; docs/statistics.md 5; docs/decisions/0006.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from reportgen import samples, units
from reportgen.compare import blocked_by, place_of, ratio
from reportgen.model import (
    CaptureFacts,
    Comparability,
    Comparison,
    Dimensions,
    Distinguishable,
    Family,
    Interval,
    Measurement,
    Missing,
    MissingKind,
    OperatorChange,
    OperatorMeasurement,
    Quantity,
    Reason,
    Side,
)

OPERATOR_SHARE = Fraction(1, 100)
"""``operator_test_share`` of evidence/choices.toml."""

NOT_RECORDED = "N/A"
"""Shapes that are not recorded."""

Key = tuple[str, str, bool]
"""Type, what it is identified by, whether it ran on the AI CPU."""
Samples = tuple[Sequence[int | Fraction], Sequence[int | Fraction]]
"""Durations of the calls of BEFORE and of AFTER."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What testing one type among others gave."""

    estimate: Quantity | None
    """AFTER / BEFORE of one call; None without an interval."""
    interval: Interval | None
    """Its interval at the level that decided on this type; None when none can be stated."""
    told: Distinguishable
    """Whether the calls take another time."""
    reason: Reason
    """How that was decided."""


def compare_operators(
    before: Iterable[OperatorMeasurement],
    after: Iterable[OperatorMeasurement],
    facts: tuple[CaptureFacts, CaptureFacts],
    pairs: Sequence[tuple[int, int]],
    comparability: Comparability,
) -> tuple[OperatorChange, ...]:
    """Every operator type of every pair of ranks; of each pair the largest change of time per step first.

    The types of one pair of ranks are tested together (``step_down``), those of different ranks are not.
    """
    lefts, rights = list(before), list(after)
    found: list[OperatorChange] = []
    for i, j in pairs or [(0, 0)]:
        left, right = facts[0].ranks[i], facts[1].ranks[j]
        b = {_identity(o): o for o in lefts if place_of(o) == (left.rank, left.device)}
        a = {_identity(o): o for o in rights if place_of(o) == (right.rank, right.device)}
        total = [sum((Fraction(o.totals.total.value) for o in side.values()), Fraction(0)) for side in (b, a)]
        both = [key for key in b if key in a]
        unlike = {key: UNLIKE for key in both if not alike_calls(b[key], a[key])}
        held = [k for k in both if k not in unlike and (_holds(b[k], total[0]) or _holds(a[k], total[1]))]
        results = step_down({k: (b[k].totals.sample.values, a[k].totals.sample.values) for k in held}, samples.LEVEL)
        results |= unlike
        place = Dimensions(rank=right.rank, device=right.device)
        rows = [
            _operator(b.get(key), a.get(key), place, results.get(key), comparability) for key in dict.fromkeys((*b, *a))
        ]
        found += sorted(rows, key=lambda row: (-abs(Fraction(row.delta_per_step.value)), row.type, row.accelerator))
    return tuple(found)


def step_down(samples: Mapping[Key, Samples], level: Fraction) -> dict[Key, Decided]:
    """Holm's step-down over types by their intervals.

    Args:
        samples: the calls of each type on both sides.
        level: confidence level of all decisions together; of a type alone it is that of its own interval.

    Returns:
        For each type its result at the level at which it was decided: of a type told apart that of the round which did
        it, of the others that of the last round. Types that no interval can be stated for count as tested. One whose
        interval of 95 % alone would exclude 1 is told "no", with the remark that many types were tested.
    """
    alone = {key: _test(pair, level) for key, pair in samples.items()}
    left = [key for key, result in alone.items() if result.told == "yes"]  # the others are told apart at no level
    apart: dict[Key, Decided] = {}
    while True:
        now = 1 - (1 - level) / max(len(samples) - len(apart), 1)
        results = {key: _test(samples[key], now) for key in left}
        told = {key: result for key, result in results.items() if result.told == "yes"}
        apart |= told
        left = [key for key in left if key not in told]
        if not told or not left:
            break
    last = 1 - (1 - level) / max(len(samples) - len(apart), 1)
    rest = {key: _not_told(alone[key], _test(pair, last), last) for key, pair in samples.items() if key not in apart}
    return {key: apart.get(key) or rest[key] for key in samples}


UNLIKE = Decided(estimate=None, interval=None, told="cannot be known", reason=Reason.of("unlike_calls"))
"""Of a type whose calls are on other shapes or dtypes, or in other shares of them, on the two sides."""


def alike_calls(before: OperatorMeasurement, after: OperatorMeasurement) -> bool:
    """Whether a type was called on the same shapes and dtypes, each in the same share of its calls.

    Else the median call of one side is another call than that of the other: 40 short calls that went away make the rest
    look slower. True where neither side records what it was called on; of more than ``MOST_WORK`` kinds those listed
    decide.
    """
    mixes = [_mix(one) for one in (before, after)]
    return mixes[0] == mixes[1] or not any(mixes)


def _mix(operator: OperatorMeasurement) -> dict[tuple[str, str], Fraction]:
    """Share of the calls on each shapes and dtypes; empty where they are not recorded."""
    recorded = [one for one in operator.work if one.shapes != NOT_RECORDED]
    calls = sum(one.calls for one in recorded)
    return {(one.shapes, one.dtypes): Fraction(one.calls, calls) for one in recorded}


def _test(pair: Samples, level: Fraction) -> Decided:
    estimate, interval, told, reason = ratio(*pair, level)
    return Decided(estimate=estimate, interval=interval, told=told, reason=reason)


def _not_told(alone: Decided, found: Decided, level: Fraction) -> Decided:
    """The result of the last round, with the remark where only the number of types stands against it."""
    if alone.told != "yes":
        return found
    return replace(found, told="no", reason=Reason.of("many_types_tested", level=f"{float(level * 100):.2f}%"))


def _identity(operator: OperatorMeasurement) -> Key:
    return operator.type, operator.identified_by, operator.accelerator == "AI_CPU"


def _holds(operator: OperatorMeasurement, total: Fraction) -> bool:
    return total > 0 and operator.totals.total.value >= OPERATOR_SHARE * total


def per_step(operator: OperatorMeasurement | None) -> Fraction:
    """The time of a type in a step, in ns; 0 where it does not occur."""
    return Fraction(0) if operator is None else Fraction(operator.totals.total.value) / operator.steps


def calls_per_step(operator: OperatorMeasurement) -> Fraction:
    """The calls of a type in a step."""
    return Fraction(operator.totals.calls.value) / operator.steps


def _operator(
    before: OperatorMeasurement | None,
    after: OperatorMeasurement | None,
    dimensions: Dimensions,
    tested: Decided | None,
    comparability: Comparability,
) -> OperatorChange:
    one = after or before
    assert one is not None
    delta = Quantity(value=units.exact(per_step(after) - per_step(before)), unit="ns")
    change = "added" if before is None else "removed" if after is None else "changed"
    call: Comparison | None = None
    if before is not None and after is not None:
        if delta.value == 0 and calls_per_step(before) == calls_per_step(after):
            change = "same"
        call = _call(before, after, dimensions, tested, comparability)
    return OperatorChange(
        type=one.type,
        identified_by=one.identified_by,
        accelerator="/".join(dict.fromkeys(o.accelerator for o in (before, after) if o is not None)),
        dimensions=dimensions,
        change=change,  # type: ignore[arg-type]
        before=before,
        after=after,
        delta_per_step=delta,
        call=call,
    )


def _call(
    before: OperatorMeasurement,
    after: OperatorMeasurement,
    dimensions: Dimensions,
    tested: Decided | None,
    comparability: Comparability,
) -> Comparison:
    """The calls of one type compared; ``tested`` None: it holds too little of the time to be tested."""
    found = tested or Decided(
        estimate=None, interval=None, told="cannot be known", reason=Reason.of("small_type", limit="1%")
    )
    blocked = blocked_by((Family.TIME,), comparability)
    place = replace(dimensions, part=before.type)
    sides = [
        Measurement(
            metric="operator_call",
            side=side,
            dimensions=place,
            summary=totals.median,
            sample=totals.sample,
            origins=totals.origins,
        )
        for side, totals in ((Side.BEFORE, before.totals), (Side.AFTER, after.totals))
    ]
    before_ns, after_ns = Fraction(before.totals.median.value), Fraction(after.totals.median.value)
    change: Quantity | Missing = Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of("before_zero"))
    if found.reason.code == "unlike_calls":
        change = Missing(kind=MissingKind.NOT_APPLICABLE, reason=found.reason)
    elif before_ns:
        change = Quantity(value=units.exact(after_ns / before_ns - 1), unit="1")
    return Comparison(
        metric="operator_call",
        dimensions=place,
        before=sides[0],
        after=sides[1],
        delta=Quantity(value=units.exact(after_ns - before_ns), unit="ns"),
        change=change,
        estimate=found.estimate,
        interval=found.interval,
        distinguishable="cannot be known" if blocked else found.told,
        reason=found.reason,
        blocked=blocked,
    )
