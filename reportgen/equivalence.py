"""Whether a metric stayed within the band that both parties agreed to call no change.

Two one-sided tests at 5 %: the 90 % interval of AFTER / BEFORE lies inside [1 / (1 + b), 1 + b]. "No difference
demonstrated" is never that. Source: Schuirmann 1987; docs/statistics.md, "Equivalence".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from reportgen.compare import ratio, ratio_of_captures
from reportgen.model import Comparison, Equivalence, EquivalenceBand, Interval, Measurement, Reason

LEVEL = Fraction(9, 10)
"""``equivalence_level`` of evidence/choices.toml: two one-sided tests at 5 % each."""
FEWEST = 4
"""Values, or captures, a side from which it may be said."""


def with_equivalence(rows: Iterable[Comparison], bands: Iterable[EquivalenceBand]) -> tuple[Comparison, ...]:
    """The same rows, those that a band is agreed for with what may be said of it."""
    agreed = {(band.metric, band.part): band for band in bands if band.of == "captures"}
    return tuple(
        row if band is None else replace(row, equivalence=equivalence(row, band))
        for row in rows
        for band in (agreed.get((row.metric, row.dimensions.part)),)
    )


def equivalence(row: Comparison, band: EquivalenceBand) -> Equivalence:
    """What may be said of a row within its band."""
    if row.blocked or row.distinguishable == "cannot be known":
        why = row.blocked[0] if row.blocked else row.reason
        return Equivalence(band=band, interval=None, shown=False, reason=why)
    sides = [_values(side) for side in (row.before, row.after)]
    fewest = min(map(len, sides))
    if fewest < FEWEST:
        return Equivalence(band=band, interval=None, shown=False, reason=Reason.of("equivalence_too_few", n=fewest))
    interval = _interval(row, *sides)
    if interval is None:
        return Equivalence(band=band, interval=None, shown=False, reason=row.reason)
    if interval.low.value == interval.high.value:  # values so alike do not show how they spread
        return Equivalence(band=band, interval=None, shown=False, reason=Reason.of("run_values_alike"))
    least, most = ends(band)
    inside = least <= interval.low.value and interval.high.value <= most
    code = "equivalence_shown" if inside else "equivalence_not_shown"
    return Equivalence(band=band, interval=interval, shown=inside, reason=Reason.of(code))


def ends(band: EquivalenceBand) -> tuple[Fraction, Fraction]:
    """The ends of the band as ratios: 1 / (1 + b) and 1 + b."""
    most = 1 + Fraction(band.band.value)
    return 1 / most, most


def _interval(
    row: Comparison, before: tuple[int | Fraction, ...], after: tuple[int | Fraction, ...]
) -> Interval | None:
    """The 90 % interval by the method of the row, what is known between captures in it."""
    if any(side is not None and side.each for side in (row.before, row.after)):
        return ratio_of_captures(before, after, LEVEL)[1]
    return ratio(before, after, LEVEL, row.between)[1]


def _values(side: Measurement | None) -> tuple[int | Fraction, ...]:
    return side.sample.values if side is not None and side.sample is not None else ()
