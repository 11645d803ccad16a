"""What may be called no change, and values that point against their interval.

Expected answers follow docs/statistics.md, "Equivalence": the 90 % interval of AFTER / BEFORE inside the agreed band.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from judged.case import Judged
from judged.comparing import BY_ID, TIMES, compared_times
from judged.goals import ORIGIN, between, of, one
from reportgen.equivalence import with_equivalence
from reportgen.model import Comparison, EquivalenceBand
from reportgen.status import with_status


def banded(before: Sequence[int], after: Sequence[int]) -> object:
    """Two samples of a step time, which may change by 5 %."""
    band = EquivalenceBand(metric="step_time", band=one("0.05"), origin=ORIGIN)
    return with_equivalence([compared_times(before, after)], [band])


def against() -> object:
    """The printed values fall by 1 ns; the interval of the ratio is [1.1, 1.2]."""
    row = compared_times(TIMES, TIMES)
    fields = {name: getattr(row, name) for name in Comparison.__dataclass_fields__}
    fields |= {"delta": of(-1), "interval": between(Fraction("1.1"), Fraction("1.2"), "1"), "distinguishable": "yes"}
    return with_status([Comparison(**fields)], BY_ID)


CASES: tuple[Judged, ...] = (
    Judged(
        title="the same eight times on both sides, 5 % agreed",
        give=lambda _root: banded(TIMES, TIMES),
        code="equivalence_shown",
        why="the times lie within 1.2 % of each other, so any ratio of two lies between 1 / 1.05 and 1.05",
    ),
    Judged(
        title="eight times, and each twice as long, 5 % agreed",
        give=lambda _root: banded(TIMES, tuple(2 * time for time in TIMES)),
        code="equivalence_not_shown",
        why="any ratio of two lies above 1.9",
    ),
    Judged(
        title="three times a side, 5 % agreed",
        give=lambda _root: banded(TIMES[:3], TIMES[:3]),
        code="equivalence_too_few",
        args={"n": "3"},
        why="three values stand in the case",
    ),
    Judged(
        title="values that fall under an interval that rises",
        give=lambda _root: against(),
        code="directions_disagree",
        why="a delta of -1 ns against [1.1, 1.2]",
    ),
)
