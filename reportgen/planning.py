"""How many captures, or runs, a side would tell a value from its limit, at a known spread between them.

The smallest r whose smallest change worth planning for, (t(.975) + t(.8)) s sqrt(k / r), is within the distance to the
limit: k = 2 with 2 r - 2 degrees of freedom where both sides are captured again, k = 1 with r - 1 for a limit on AFTER
alone. Optimistic: the spread is itself an estimate. Source: docs/statistics.md, "How many captures".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

from reportgen import samples
from reportgen.model import Comparison, Goal, Judgement, KnownSpread, Measurement, Missing, Quantity

FEWEST, MOST = 3, 100
"""Captures from which a goal is decided, and up to which a number is worth printing."""
BY_INTERVAL = ("interval_crosses_limit", "few_values")
"""Reasons that more captures can cure."""


def captures_needed(
    judgement: Judgement, row: Comparison, runs: Sequence[Sequence[int | Fraction]] = ()
) -> Quantity | None:
    """For a goal that its interval leaves undecided; None where nothing is known of the spread, or none would do.

    Args:
        judgement: of the goal.
        row: both sides.
        runs: values of the runs of each side that the goal needs; empty: it rests on captures.
    """
    goal = judgement.goal
    if judgement.reason.code not in BY_INTERVAL or judgement.interval is None or isinstance(judgement.value, Missing):
        return None
    gap = _distance(goal, judgement.value, row)
    sides = (row.after,) if goal.subject == "after" else (row.before, row.after)
    seen = runs or [_capture_values(side) for side in sides]
    spread = _spread(seen, judgement.between)
    if not gap or not spread:
        return None
    found = needed(gap, spread, sides=1 if goal.subject == "after" else 2)
    return None if found is None else Quantity(value=found, unit="1")


def needed(gap: float, spread: float, *, sides: int) -> int | None:
    """The smallest number of captures a side, from 3.

    Args:
        gap: distance to be told, on logs, above 0.
        spread: standard deviation between captures, on logs.
        sides: 2 where both are captured, 1 for a limit on AFTER alone.

    Returns:
        The number; None above 100.
    """
    from scipy.special import stdtrit

    for captures in range(FEWEST, MOST + 1):
        freedom = sides * (captures - 1)
        quantiles = float(stdtrit(freedom, 0.975)) + float(stdtrit(freedom, 0.8))
        if quantiles * spread * math.sqrt(sides / captures) <= gap:
            return captures
    return None


def _distance(goal: Goal, value: Quantity, row: Comparison) -> float:
    """From the value to the limit, on logs; 0 where there is none."""
    ends = Fraction(value.value), Fraction(goal.limit.value)
    if goal.subject == "delta":
        before = row.before.summary if row.before is not None else None
        assert isinstance(before, Quantity), "a difference has both values"
        ends = ends[0] + before.value, ends[1] + before.value
    return abs(math.log(ends[0] / ends[1])) if min(ends) > 0 else 0.0


def _spread(seen: Sequence[Sequence[int | Fraction]], known: KnownSpread | None) -> float:
    """Between captures or runs, on logs: as seen in repeats, else as it is known; 0 where neither."""
    if all(len(values) > 1 and _positive(values) for values in seen):
        return samples.spread_of(seen)
    return float(known.value.value) if known is not None and isinstance(known.value, Quantity) else 0.0


def _capture_values(side: Measurement | None) -> Sequence[int | Fraction]:
    """One value for each of several captures; empty otherwise."""
    if side is None or not side.each:
        return ()
    return [one.summary.value for one in side.each if isinstance(one.summary, Quantity)]


def _positive(values: Iterable[int | Fraction]) -> bool:
    return all(value > 0 for value in values)
