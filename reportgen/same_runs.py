"""Are two runs one and the same, under whatever name? A copy is no repeat, and no run stands against itself.

Runs that were measured twice share hardly a time in the same place: their noise is far coarser than the digits of a
log. Where they do, one was copied, cut, counted anew, shifted or scaled; then it shows nothing of how runs vary.
Source: docs/tricks.md, "When two runs are taken for one".
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import exp, lgamma, log
from statistics import median
from typing import NamedTuple

from reportgen.model import LoggedRun, LoggedSeries, Reason
from reportgen.remembered import remembered

FEWEST_FIGURES = 4
"""Figures that two runs do not share by rounding alone; below them only the same file is the same run."""
FEWEST_PERCENTILES = 8
"""Percentiles that two runs do not share by the rounding of their digits."""
FEWEST_VALUES = 3
"""Different values among those: the digits of a coarse clock repeat by chance."""
FINE = 10**6
"""A duration of as many units of its last digit tells one run from every other."""
FEWEST_ALIGNED = 8
"""Values of the same place that are held against each other one by one."""
MOST_ALIGNED = 2000
"""Values of the same place that are looked at, evenly over the whole."""
MOST_DIFFERENT = 16
"""Different values from which on digits are fine enough for that; of fewer values half as many as there are."""
FINE_VALUE = 1000
"""Values below as many units of their last digit are not held against each other one by one: steps of unlike work, in
the same order in both runs, are alike in so few digits by themselves."""
NEAR = Fraction(1, 4000)
"""Share by which times of one place may differ and be the same: the noise of hardware is several times as large."""
SHARE, MORE = Fraction(1, 2), 3
"""Share of the values, and how many more, that are the same."""
FEWEST_SHUFFLED, FEWEST_UNLIKE, MOST_SHARED = 20, 10, Fraction(9, 10)
"""Values, and different ones, that are all alike in another order; share of them where there is room for others."""
CHANCE = 1e-6
"""Probability from which on below as many are not the same by chance."""


def same_run(one: LoggedRun, other: LoggedRun) -> bool:
    """Whether two are one run under whatever name, see ``why_same``."""
    return why_same(one, other) is not None


@remembered
def why_same(one: LoggedRun, other: LoggedRun) -> Reason | None:
    """Why two runs are taken for one; None where nothing shows it.

    Of one file; or four figures and more that are all alike; or the steps of one stand in the other one after another,
    as in a log that was cut; or they took the same time to seven digits and more; or all their percentiles are alike,
    as where a file of percentiles was copied beside another summary (``log_given_twice``). Or half of their steps or
    requests and more are alike in the same place, also after one factor or shift for all, or in another order
    (``log_times_shared``).
    """
    twice = Reason.of("log_given_twice", file=one.run.file.path, other=other.run.file.path)
    if (one.run.file.digest, one.run.segment) == (other.run.file.digest, other.run.segment):
        return twice
    figures = _figures(one)
    if len(figures) >= FEWEST_FIGURES and figures == _figures(other):
        return twice
    ranks = _percentiles(one)
    if len(set(ranks)) >= FEWEST_PERCENTILES and ranks == _percentiles(other):
        return twice
    if _within(one, other) or _spans(one) & _spans(other):
        return twice
    return _times_shared(one, other)


def _percentiles(run: LoggedRun) -> list[tuple[str, str, int | Fraction]]:
    """The percentiles of latencies that a producer computed, in order, without the place they stand at."""
    found = [v for v in run.run.values if v.metric == "latency" and re.fullmatch(r"p[0-9.]+", v.statistic)]
    return [(v.kind, v.statistic, v.value.value) for v in found]


def _within(one: LoggedRun, other: LoggedRun) -> bool:
    """Whether the step times of one stand in the other, in order: four and more, of three values at least."""
    found = [[s.sample.values for s in run.run.series if s.metric == "step_time"] for run in (one, other)]
    for some in product(*found):
        short, long = sorted(some, key=len)
        if len(short) >= FEWEST_FIGURES and len(set(short)) >= FEWEST_VALUES:
            inside, whole = (f",{','.join(map(str, values))}," for values in (short, long))
            if inside in whole:
                return True
    return False


def _spans(run: LoggedRun) -> set[int | Fraction]:
    """How long a run took, where that is written so finely that no other run took as long."""
    return {
        value.value.value
        for value in run.run.values
        if value.metric == "duration" and value.value.value >= FINE * Fraction(value.resolution.value) > 0
    }


def _figures(run: LoggedRun) -> list[tuple[str, str, str, int | Fraction]]:
    """Every figure of a run, in order, without the place it stands at."""
    values = [(v.metric, v.kind, v.statistic, v.value.value) for v in run.run.values]
    return values + [(s.metric, s.kind, "", value) for s in run.run.series for value in s.sample.values]


# --------------------------------------------------------------------------------------------- step by step
class _Aligned(NamedTuple):
    """Times of the same places in two runs."""

    pairs: list[tuple[float, float]]
    """One and the other, in ns."""
    unit: float
    """The coarser of their last digits."""


def _times_shared(one: LoggedRun, other: LoggedRun) -> Reason | None:
    """That times of one stand in the other: step by step, after one factor or shift for all, or in another order."""
    for mine in one.run.series:
        for theirs in other.run.series:
            if mine.metric not in ("step_time", "latency") or (mine.metric, mine.kind) != (theirs.metric, theirs.kind):
                continue
            found = next(filter(None, map(_alike, _alignments(mine, theirs))), None) or _shuffled(mine, theirs)
            if found is not None:
                n, of = found
                return Reason.of("log_times_shared", file=one.run.file.path, other=other.run.file.path, n=n, of=of)
    return None


def _alignments(mine: LoggedSeries, theirs: LoggedSeries) -> list[_Aligned]:
    """Values of one label, and values beside each other where most runs of three values in a row are."""
    unit = float(max(Fraction(mine.resolution.value), Fraction(theirs.resolution.value)))
    left, right = mine.sample, theirs.sample
    if left.labels == right.labels:
        return [_Aligned(_some(list(zip(left.values, right.values, strict=False))), unit)]
    places = {label: i for i, label in enumerate(right.labels)}
    common = [(left.values[i], right.values[places[label]]) for i, label in enumerate(left.labels) if label in places]
    found = [_Aligned(_some(common), unit)]
    apart = _shift(left.values, right.values)
    if apart is not None:
        begin = max(0, -apart)
        beside = list(zip(left.values[begin:], right.values[begin + apart :], strict=False))
        found.append(_Aligned(_some(beside), unit))
    return found


def _some(pairs: Sequence[tuple[int | Fraction, int | Fraction]]) -> list[tuple[float, float]]:
    """Some of the pairs, evenly over all, as floats: what is asked of them is a share."""
    apart = max(1, -(-len(pairs) // MOST_ALIGNED))
    return [(float(mine), float(theirs)) for mine, theirs in pairs[::apart] if mine > 0 and theirs > 0]


def _shift(left: Sequence[int | Fraction], right: Sequence[int | Fraction]) -> int | None:
    """How many places later the values of one stand in the other, by the triples they share; None without any."""
    places: dict[tuple[int | Fraction, ...], int] = {}
    for i, three in enumerate(zip(right, right[1:], right[2:], strict=False)):
        places.setdefault(three, i)
    votes = Counter(
        places[three] - i for i, three in enumerate(zip(left, left[1:], left[2:], strict=False)) if three in places
    )
    return votes.most_common(1)[0][0] if votes else None


def _alike(aligned: _Aligned) -> tuple[int, int] | None:
    """How many of the times are the same, of how many, where that is more than chance gives; None else."""
    pairs, unit = aligned
    fine_digits = len({mine for mine, _theirs in pairs}) >= min(-(-len(pairs) // 2), MOST_DIFFERENT)
    if len(pairs) < FEWEST_ALIGNED or not fine_digits:
        return None
    factor = median(theirs / mine for mine, theirs in pairs)
    shift = median(theirs - mine for mine, theirs in pairs)
    moved = [
        [(mine * factor, theirs) for mine, theirs in pairs],
        [(mine + shift, theirs) for mine, theirs in pairs],
    ]
    middle = median(theirs for _mine, theirs in pairs)
    if middle < FINE_VALUE * unit:
        return None
    near = max(unit, float(NEAR) * middle) * (1 + 1e-9)  # one unit apart is so in binary floating point too
    for some in (pairs, *moved):
        n = sum(abs(theirs - mine) <= near for mine, theirs in some)
        if n >= SHARE * len(some) + MORE and _by_chance(some, near, n) <= CHANCE:
            return n, len(some)
    return None


def _by_chance(pairs: Sequence[tuple[float, float]], near: float, n: int) -> float:
    """Probability that as many places and more are alike when the values stand in any order: a binomial tail.

    A value has as large a chance to meet one that is the same as there are pairs of both lists that are.
    """
    ordered = sorted(theirs for _mine, theirs in pairs)
    met = sum(bisect_right(ordered, mine + near) - bisect_left(ordered, mine - near) for mine, _theirs in pairs)
    count = len(pairs)
    share = met / count**2
    if share >= 1:
        return 1.0
    terms = [
        lgamma(count + 1) - lgamma(k + 1) - lgamma(count - k + 1) + k * log(share) + (count - k) * log(1 - share)
        for k in range(n, count + 1)
    ]
    return min(1.0, sum(exp(term) for term in terms))


def _shuffled(mine: LoggedSeries, theirs: LoggedSeries) -> tuple[int, int] | None:
    """How many values of the shorter list stand in the longer one in any order; None where that may be chance.

    All of them, or nine of ten where the middle half of the longer list leaves room for twice as many values as it has.
    """
    short, long = sorted((mine.sample.values, theirs.sample.values), key=len)
    unit = max(Fraction(mine.resolution.value), Fraction(theirs.resolution.value))
    if len(short) < FEWEST_ALIGNED or len(set(short)) < min(-(-len(short) // 2), MOST_DIFFERENT):
        return None
    ordered = sorted(long)
    if ordered[len(long) // 2] < FINE_VALUE * unit:
        return None
    held = Counter(long)
    some = short[:: max(1, len(short) // 64)]
    if sum(value in held for value in some) < MOST_SHARED * len(some):
        return None
    shared = sum((Counter(short) & held).values())
    roomy = unit > 0 and ordered[3 * len(long) // 4] - ordered[len(long) // 4] >= 2 * len(long) * unit
    whole = len(short) == len(long) == shared
    whole = whole and len(short) >= FEWEST_SHUFFLED and len(set(short)) >= FEWEST_UNLIKE
    return (shared, len(short)) if whole or (roomy and shared >= MOST_SHARED * len(short)) else None
