"""Statistics of samples: does AFTER differ from BEFORE, by how much, and how sure can one be.

Values come in exact (int or Fraction, one unit) and in the order in which they were taken; estimates leave as floats,
and floats live nowhere else. All intervals are made on logarithms, so swapping the sides inverts the ratio and its
interval. What one capture per side can show is that two captures differ, never that a change caused it: steps of one
capture are not replicates of a build.

numpy and scipy.special are imported inside the functions that need them: importing this module must stay cheap.

Source: Hodges & Lehmann 1963; Lehmann 1975; Marriott & Pope 1954; Kendall 1954; JCGM 100:2008.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from reportgen import model, units

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from reportgen.units import Exact

LEVEL = Fraction(19, 20)
"""Confidence level of an interval where nothing else is said; ``confidence_level`` of evidence/choices.toml."""
ASSUMED_RHO = 0.3
"""Lag-1 autocorrelation assumed where a side has too few values to estimate it."""
LARGEST_RHO = 0.95
"""Estimates of the autocorrelation are clipped to 0 .. this."""
HIGH_RHO = 0.5
"""Above this a warning is due. Our choice: no source sets it; at 0.8 false positives are still 12-32 %."""
FEWEST_INDEPENDENT = 2
"""Independent values that a sample must be worth for an interval of one side alone. Our choice."""
FEW_INDEPENDENT = "few_independent_values"
"""Reason of a sample that is worth fewer."""
FEWEST_FOR_RANKS = 4
"""Smallest side for which a 95 % rank interval exists and an autocorrelation is estimated."""
LARGEST_EXACT = 50
"""Up to this size of both sides the null distribution of U is counted, above it is approximated."""
LARGEST_COUNTED = 1000
"""Up to this many values the ranks of a median are counted, above it they are approximated."""
LARGEST_SIDE = 2000
"""A side of more values is taken as medians of equal consecutive blocks."""

_FURTHEST_LOG = 600.0  # exp() of 710 leaves the floats; an interval this wide says nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An interval of confidence of a ratio (1 means no difference) or of a value in the unit of its sample."""

    low: float
    """Lower end; it belongs to the interval."""
    high: float
    """Upper end; it belongs to the interval."""
    level: float
    """Confidence level in 0..1."""

    def stated(self, unit: str, method: str, level: Fraction = LEVEL) -> model.Interval:
        """The same with its ends as the exact numbers that the floats are, in a unit; ``level`` is the exact one."""
        low, high = (model.Quantity(value=units.exact(Fraction(end)), unit=unit) for end in (self.low, self.high))
        return model.Interval(low=low, high=high, level=level, method=method)


@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """How much captures of one unchanged build vary, as it is known from elsewhere (u_B)."""

    u: float
    """Relative standard deviation of the captures' summaries, on logs; >= 0."""
    freedom: float = math.inf
    """Its degrees of freedom: captures it is of less one; endless where only the value is known (type B)."""

    def __post_init__(self) -> None:
        """Refuse what is no uncertainty.

        Raises:
            ValueError: u is negative or no number, or there is no freedom.
        """
        if not 0 <= self.u < math.inf or not self.freedom > 0:
            raise ValueError(f"u_b is a relative standard uncertainty >= 0 with freedom, not {self.u}, {self.freedom}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Autocorrelation:
    """How much a value resembles the one before it."""

    rho: float
    """Lag-1 autocorrelation of the logs, pooled over the sides, corrected for bias, clipped to [0, 0.95]."""
    high: bool
    """True above ``HIGH_RHO`` (our choice): the interval is then still too narrow, a warning is due."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioEstimate:
    """AFTER / BEFORE, and whether the two captures can be told apart."""

    ratio: float | None
    """AFTER / BEFORE; None with reason ``non_positive``, or where no float holds it."""
    interval: Interval | None
    """Interval of the ratio; None when none can be stated."""
    method: str
    """``single`` (ratio of medians, no interval), ``corrected-t`` (ratio of geometric means), ``hodges-lehmann``,
    ``fieller`` (ratio of the means of captures); with ``-mean`` behind it the interval holds that of the ratio of the
    means too."""
    n_before: int
    """Number of values given for BEFORE."""
    n_after: int
    """Number of values given for AFTER."""
    n_effective_before: float | None
    """Independent values (blocks, when ``block_length`` > 1) that BEFORE is worth; None when not estimated."""
    n_effective_after: float | None
    """The same for AFTER."""
    rho: float | None
    """Autocorrelation used, estimated or assumed (``few_values``); None when there is none or nothing varies."""
    distinguishable: str
    """``yes`` (the interval excludes 1), ``no`` (it includes 1), ``cannot be known``."""
    reason: str
    """Code: ``one_value_each``, ``one_value_on_a_side``, ``few_values``, ``high_autocorrelation``, ``non_positive``; or
    empty."""
    block_length: int = 1
    """Consecutive values behind each value that was compared; 1 unless a side has more than 2000."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanEstimate:
    """The geometric mean of one side alone, in the unit of its values."""

    value: float | None
    """exp(mean log); None with reason ``non_positive``, or where no float holds it."""
    interval: Interval | None
    """Interval of the value; None when none can be stated."""
    n: int
    """Number of values given."""
    n_effective: float | None
    """Number of independent values they are worth; None when not estimated."""
    rho: float | None
    """Autocorrelation used, estimated or assumed (``few_values``); None when there is none or nothing varies."""
    method: str
    """``single``, ``corrected-t``, ``one-side-mean``, ``one-side-median`` or ``one-side-weighted``."""
    reason: str
    """Code: ``one_value``, ``few_values``, ``high_autocorrelation``, ``few_independent_values``, ``non_positive``; or
    empty."""

    @property
    def figures(self) -> dict[str, str]:
        """What the sentence of the reason names: ``rho``, of too few independent values ``n`` and ``effective`` too."""
        found = {"rho": f"{self.rho or 0:.2f}"}
        if self.reason == FEW_INDEPENDENT and self.n_effective is not None:
            found |= {"n": str(self.n), "effective": f"{math.floor(self.n_effective * 10) / 10:.1f}"}
        return found


def alike(values: Sequence[Exact]) -> bool:
    """Whether several values are all alike, so that their spread is below what was written; never of one value."""
    return len(values) > 1 and len(set(values)) == 1


def median(values: Sequence[Exact]) -> Fraction:
    """The median, exact; the mean of the middle two when their number is even.

    Raises:
        ValueError: when there are no values.
    """
    ordered = sorted(_filled(values))
    half = len(ordered) // 2
    if len(ordered) % 2:
        return Fraction(ordered[half])
    return Fraction(ordered[half - 1] + ordered[half]) / 2


def percentile(ordered: Sequence[Exact], share: int) -> Fraction:
    """The percentile of sorted values on a straight line between two of them, exact.

    The value at place (n - 1) share / 100, counted from 0: the default of numpy, by which load generators print theirs.

    Raises:
        ValueError: when there are no values.
    """
    place = Fraction((len(_filled(ordered)) - 1) * share, 100)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return Fraction(ordered[low]) + (Fraction(ordered[high]) - ordered[low]) * (place - low)


def mean(values: Sequence[Exact]) -> Fraction:
    """The arithmetic mean, exact.

    Raises:
        ValueError: when there are no values.
    """
    return Fraction(sum(_filled(values))) / len(values)


def geometric_mean(values: Sequence[Exact]) -> float | None:
    """The n-th root of the product of n values above 0; the product is exact. None when no float holds it.

    Raises:
        ValueError: when there are no values, or one is not above 0.
    """
    filled = [Fraction(value) for value in _filled(values)]
    if min(filled) <= 0:
        raise ValueError("a geometric mean is of values above 0")
    return _exp(_log(math.prod(filled, start=Fraction(1))) / len(filled))


def split_warmup(values: Sequence[Exact]) -> tuple[int, ...]:
    """Which leading steps are warm-up, in exact arithmetic.

    A leading step is dropped while x > median(tail) + 4 * 1.4826 * MAD(tail), where the tail is what follows the first
    third and MAD(tail) is taken as at least 0.3 % of median(tail). The floor stands on the MAD (the limit is then never
    below median + 1.78 %): of the ways to read the rule it drops the fewest good steps (4.3 % at n = 5, simulated,
    against 5.3 and 5.5 %). A third is rounded down, so n = 4 and 5 can lose one step; below 4 nothing is dropped.

    Args:
        values: step times in the order in which they were taken, any unit.

    Returns:
        Indices of the dropped steps, 0 first; empty when none is.
    """
    third = len(values) // 3
    if len(values) < FEWEST_FOR_RANKS:
        return ()
    tail = values[third:]
    middle = median(tail)
    spread = max(median([abs(value - middle) for value in tail]), middle * Fraction(3, 1000))
    limit = middle + 4 * Fraction(14826, 10000) * spread
    dropped = 0
    while dropped < third and values[dropped] > limit:
        dropped += 1
    return tuple(range(dropped))


def autocorrelation(*series: Sequence[Exact]) -> Autocorrelation | None:
    """How much a value resembles the one before it, pooled over the given sides.

    r = sum d_t d_(t+1) / sum d_t^2 over all sides, d = log value less the mean log of its own side; corrected
    r_c = r + (1 + 3 r) / n with n the size of the smallest side (the larger correction).

    Args:
        series: values > 0 of each side in the order in which they were taken.

    Returns:
        The estimate, or None when nothing varies.

    Source: Marriott & Pope 1954; Kendall 1954.
    """
    return _autocorrelation([_logs(values) for values in series])


def inflation(n: int, rho: float) -> float:
    """How many times the variance of a mean of n values exceeds that of independent ones.

    I = 1 + 2 sum over 0 < k < n of (1 - k / n) rho^k, summed in closed form; 1 when rho is 0.
    """
    return 1.0 + 2.0 * (rho / (1.0 - rho) - rho * (1.0 - rho**n) / (n * (1.0 - rho) ** 2))


def null_counts(n: int, m: int, largest: int) -> list[int]:
    """In how many of the C(n + m, n) orders of two samples U is 0, 1, ... largest, when there is no difference.

    Coefficients of the product over i = 1..n of (1 - q^(m + i)) / (1 - q^i), in integers.

    Source: Lehmann 1975.
    """
    counts = [1] + [0] * largest
    for i in range(1, n + 1):
        for u in range(largest, m + i - 1, -1):
            counts[u] -= counts[u - m - i]
        for u in range(i, largest + 1):
            counts[u] += counts[u - i]
    return counts


def rank_cut(n: int, m: int, level: float = 0.95, ties: Iterable[int] = ()) -> int:
    """Which of the sorted n * m differences bound the interval: the k-th from each end.

    k = max {k: P(U < k) <= (1 - level) / 2} when there is no difference. Up to 50 values on both sides P is counted
    exactly; ties are not looked at, which keeps at least the level. Above, P is normal with the tie-corrected variance
    and without a correction for continuity, the more cautious way: at 90 % and more, k without ties is then at most
    the counted one.

    Args:
        n: values of one side.
        m: values of the other side.
        level: confidence level.
        ties: for each value found in both samples together, how often; used above 50 only.

    Returns:
        k, or 0 when the samples are too small for an interval of this level.

    Source: Hodges & Lehmann 1963; Lehmann 1975.
    """
    tail = _tail(level)
    if max(n, m) <= LARGEST_EXACT:
        return _counted_cut(n, m, tail)
    from scipy.special import ndtri

    total = n + m
    tied = Fraction(sum(count**3 - count for count in ties), total * (total - 1))
    variance = Fraction(n * m, 12) * (total + 1 - tied)
    return max(0, math.floor(n * m / 2 + float(ndtri(float(tail))) * math.sqrt(variance)))


def ratio_before_after(
    before: Sequence[Exact],
    after: Sequence[Exact],
    *,
    level: float = 0.95,
    between: Between | None = None,
    of: str = "",
) -> RatioEstimate:
    """AFTER / BEFORE from one capture per side, by the method that the number of values allows.

    ===================== ============================================================================================
    smaller side          method
    ===================== ============================================================================================
    1 value               ratio of the medians, no interval
    2..3                  corrected t on logs: ratio of the geometric means, U = t u_c,
                          u_c^2 = u_A(before)^2 + u_A(after)^2, Welch-Satterthwaite
    4 and more            Hodges-Lehmann with its rank interval, both half-widths (of logs) times sqrt(I)
    ===================== ============================================================================================

    With u_b known the estimate stays and each end moves out to at least U = t u_c from it (logs), with
    u_c^2 = u_A(before)^2 + u_A(after)^2 + 2 u_b^2 and Welch-Satterthwaite over the three: u_b never narrows an interval
    (its freedom may make t smaller than it was without), never moves an estimate, and makes no interval where there is
    none.

    Warm-up is not looked for: leave out what ``split_warmup`` names first. Calls of one kernel are a sample of that
    kernel in the order of the calls and are treated alike.

    Choices where the method is silent: I takes the n of the smaller side. With 2..3 values on a side rho is 0.3, or the
    estimate from a side of 4 and more if that is larger. Two sides of 2..3 values without any spread, but different:
    ``cannot be known`` (a clock's resolution looks like this), while their interval is degenerate. Above 2000 values
    both sides are cut into blocks of the same length, so that like is compared with like; rho, I and the effective
    sizes are then those of the block medians. An end that is no finite number > 0 means no interval. The interval of
    ranks can have no width when most values are equal; I cannot widen it then.

    Args:
        before: values > 0 of BEFORE in the order in which they were taken.
        after: values > 0 of AFTER, same unit and order.
        level: confidence level.
        between: how much captures of one build vary, when it is known.
        of: ``mean``: the interval is moved out to that of the ratio of the means, where it holds that ratio (its method
            then ends in ``-mean``); an interval that does not hold it stays as it is and decides nothing of means.

    Returns:
        The estimate. A value <= 0 gives no ratio, reason ``non_positive``.

    Raises:
        ValueError: when a side has no values or level is not inside 0..1.

    Source: Hodges & Lehmann 1963; Lehmann 1975; Marriott & Pope 1954; Kendall 1954; JCGM 100:2008, 5.1.2 and G.4.
    """
    _tail(level)
    if min(*_filled(before), *_filled(after)) <= 0:
        return _ratio_only(before, after, None, "non_positive")
    smaller = min(len(before), len(after))
    if smaller == 1:
        reason = "one_value_each" if len(before) == len(after) else "one_value_on_a_side"
        return _ratio_only(before, after, _within(_float(median(after) / median(before))), reason)
    method = _corrected_t if smaller < FEWEST_FOR_RANKS else _hodges_lehmann
    found = method(before, after, level)
    found = found if between is None else _with_between(found, before, after, between)
    return _of_means(found, before, after, between) if of == "mean" else found


def _of_means(
    found: RatioEstimate, before: Sequence[Exact], after: Sequence[Exact], between: Between | None
) -> RatioEstimate:
    """The same estimate, its interval moved out to that of the ratio of the means, where it holds that ratio.

    log(b / a) +- t u_c on logs, u_c^2 of the shares u_A(before) / a and u_A(after) / b. Values that scatter widely, and
    not alike on both sides, have means whose ratio is another one than that of their middles.
    Source: JCGM 100:2008, 5.1.2 and G.4.
    """
    if found.interval is None:
        return found
    means = [mean(values) for values in (before, after)]
    middle = _log(means[1]) - _log(means[0])
    if not found.interval.low <= math.exp(middle) <= found.interval.high:
        return found
    rho = _rho_of([_logs(before), _logs(after)])
    sides = [
        _relative([_float(value) for value in values], _float(one), rho)
        for values, one in zip((before, after), means, strict=True)
    ]
    level = found.interval.level
    interval = _hull(found.interval, middle, _half_width(sides, between or Between(u=0.0, freedom=math.inf), 2, level))
    told = _told_apart(interval) if found.distinguishable == "yes" else found.distinguishable
    return replace(found, interval=interval, distinguishable=told, method=f"{found.method}-mean")


def _with_between(
    found: RatioEstimate, before: Sequence[Exact], after: Sequence[Exact], between: Between
) -> RatioEstimate:
    """The same estimate, its interval moved out by what captures vary."""
    if found.interval is None or found.ratio is None:
        return found
    level = found.interval.level
    logs = [_logs(_block_medians(values, found.block_length)) for values in (before, after)]
    sides = [_uncertainty(one, found.rho) for one in logs]
    half = _half_width(sides, between, len(sides), level)
    interval = _hull(found.interval, math.log(found.ratio), half)
    told = _told_apart(interval) if found.distinguishable == "yes" else found.distinguishable
    return replace(found, interval=interval, distinguishable=told)


def _half_width(sides: Sequence[_Side], between: Between, times: int, level: float) -> float:
    """U = t u_c on logs, u_c^2 = sum u_A^2 + times u_b^2, by Welch-Satterthwaite; u_b is one estimate."""
    parts = [(side.u**2, side.freedom) for side in sides] + [(times * between.u**2, between.freedom)]
    whole = math.fsum(square for square, _ in parts)
    spread = math.fsum((square / whole) ** 2 / freedom for square, freedom in parts) if whole else 0.0
    return _expanded(math.sqrt(whole), 1 / spread if spread else math.inf, _tail(level))


def spread_of(series: Sequence[Sequence[Exact]]) -> float:
    """The standard deviation of values of one build on logs, pooled over sets that may differ in their level.

    Args:
        series: values > 0 of each set; at least one set has two.
    """
    squares, freedom = 0.0, 0
    for values in series:
        logs = _logs(values)
        middle = _mean(logs)
        squares += math.fsum((value - middle) ** 2 for value in logs)
        freedom += len(logs) - 1
    return math.sqrt(squares / freedom)


def reach(between: Between, *, level: float = 0.95) -> float:
    """How far a spread between captures alone moves an end, on logs: t u_b."""
    return _expanded(between.u, between.freedom, _tail(level))


def _hull(interval: Interval, middle: float, half: float) -> Interval | None:
    """The interval, moved out to ``middle`` -+ ``half`` (logs) where it ends nearer; None beyond the floats."""
    wide = _interval(middle - half, middle + half, interval.level)
    if wide is None:
        return None
    return replace(interval, low=min(interval.low, wide.low), high=max(interval.high, wide.high))


def ratio_of_captures(before: Sequence[Exact], after: Sequence[Exact], *, level: float = 0.95) -> RatioEstimate:
    """AFTER / BEFORE from several captures per side, one value each: Fieller's interval of the ratio of their means.

    The captures are the unit of inference; the steps inside them only describe. With h = t s / sqrt(r) of each side and
    a, b the means, the ends are (ab +- sqrt((ab)^2 - (a^2 - h_a^2)(b^2 - h_b^2))) / (a^2 - h_a^2), t with
    Welch-Satterthwaite degrees of freedom of the two sets. There is no interval where a is within h_a of 0.

    Args:
        before: one value > 0 for each capture of BEFORE; at least two.
        after: the same of AFTER.
        level: confidence level.

    Returns:
        The estimate, method ``fieller``; reason ``two_captures`` when a side has only two (only large changes can be
        told); without an interval ``one_capture_on_a_side``, ``captures_alike`` where all values of a side are alike,
        which does not show how they vary, ``captures_scatter`` where a side varies so much that its mean may be 0, and
        ``non_positive`` for a value <= 0.

    Raises:
        ValueError: when a side has no values or level is not inside 0..1.

    Source: Kalibera & Jones, ISMM 2013; arXiv:2007.10899; Fieller 1954.
    """
    tail = _tail(level)
    fewest = min(len(_filled(before)), len(_filled(after)))
    if min(*before, *after) <= 0:
        return _ratio_only(before, after, None, "non_positive")
    a, b = mean(before), mean(after)
    if fewest == 1:
        return _ratio_only(before, after, _within(_float(b / a)), "one_capture_on_a_side")
    if alike(before) or alike(after):
        return _ratio_only(before, after, _within(_float(b / a)), "captures_alike")
    interval = _fieller((a, b), (before, after), tail, level)
    if interval is None:
        return _ratio_only(before, after, _within(_float(b / a)), "captures_scatter")
    return RatioEstimate(
        ratio=_within(_float(b / a)),
        interval=interval,
        method="fieller",
        n_before=len(before),
        n_after=len(after),
        n_effective_before=None,
        n_effective_after=None,
        rho=None,
        distinguishable=_told_apart(interval),
        reason="two_captures" if fewest == 2 else "",
    )


def _fieller(
    means: tuple[Fraction, Fraction], sides: tuple[Sequence[Exact], Sequence[Exact]], tail: Fraction, level: float
) -> Interval | None:
    """Fieller's interval in units of the mean of BEFORE, so that nothing leaves the floats; None without width too."""
    scale = means[0]
    a, b = 1.0, float(means[1] / scale)
    squares = [_variance_of_mean([Fraction(v) / scale for v in side]) for side in sides]
    whole = sum(squares)
    if whole == 0:
        return None
    freedom = whole**2 / sum(u**2 / (len(side) - 1) for u, side in zip(squares, sides, strict=True))
    h_a, h_b = (_expanded(math.sqrt(u), freedom, tail) for u in squares)
    rest = a * a - h_a * h_a
    inside = (a * h_b) ** 2 + (b * h_a) ** 2 - (h_a * h_b) ** 2  # (a b)^2 - rest (b^2 - h_b^2), nothing cancelled
    if rest <= 0 or inside < 0 or not math.isfinite(inside):
        return None
    low, high = (a * b - math.sqrt(inside)) / rest, (a * b + math.sqrt(inside)) / rest
    return Interval(low=low, high=high, level=level) if 0 < low < high else None


def _variance_of_mean(values: Sequence[Fraction]) -> float:
    """s^2 / r."""
    middle = mean(values)
    return float(sum(((v - middle) ** 2 for v in values), Fraction(0)) / (len(values) - 1) / len(values))


def mean_of_captures(values: Sequence[Exact], *, level: float = 0.95) -> Interval | None:
    """The interval of the mean of several captures, for a limit on AFTER: mean +- t(r - 1) s / sqrt(r).

    Args:
        values: one value for each capture, any sign.
        level: confidence level.

    Returns:
        The interval in the unit of the values; None for one capture, for values all alike, which do not show how they
        vary, and where an end leaves the floats.

    Raises:
        ValueError: when there are no values or level is not inside 0..1.

    Source: docs/statistics.md, captures as repeats; JCGM 100:2008, 4.2 and G.3.
    """
    tail = _tail(level)
    exact = [Fraction(v) for v in _filled(values)]
    if len(exact) == 1 or alike(exact):
        return None
    half = _expanded(math.sqrt(_variance_of_mean(exact)), len(exact) - 1, tail)
    middle = float(mean(exact))
    if not math.isfinite(middle) or not math.isfinite(half):
        return None
    return Interval(low=middle - half, high=middle + half, level=level)


def limit_interval(
    values: Sequence[Exact],
    *,
    level: float = 0.95,
    between: Between | None = None,
    of: str = "",
    weights: Sequence[Exact] = (),
) -> MeanEstimate:
    """The geometric mean of one side alone and its interval, for a limit on AFTER: exp(mean log +- t(n_eff - 1) u_A).

    With 2..3 values rho is taken as 0.3 and the reason is ``few_values`` (a guarded goal stays undecided); with one
    value there is no interval, and none where the values are worth fewer than ``FEWEST_INDEPENDENT`` independent ones
    (n_eff < 2, so that t has less than one degree of freedom: of two values always), reason ``few_independent_values``.
    Values without spread give an interval without width.

    Args:
        values: values > 0 in the order in which they were taken, warm-up left out.
        level: confidence level.
        between: how much captures of one build vary, when it is known: u_c^2 = u_A^2 + u_b^2; it never narrows.
        of: ``mean``, ``median`` or ``weighted`` (the mean by weights: a quotient of sums): the interval is moved out to
            that of this statistic (its method is then ``one-side-mean`` and so on), since values that scatter widely,
            or to one side, have another geometric mean; an end is never below 0. One that does not hold the statistic
            stays as it is, its method too: it decides nothing.
        weights: of ``weighted``, one > 0 for each value, such as the denominator of a share.

    Returns:
        The estimate, in the unit of the values. A value <= 0 gives none, reason ``non_positive``.

    Raises:
        ValueError: when there are no values or level is not inside 0..1.

    Source: JCGM 100:2008, 4.2 and G.3; Marriott & Pope 1954; Kendall 1954.
    """
    tail = _tail(level)
    n = len(_filled(values))
    if min(values) <= 0 or n == 1:
        positive = min(values) > 0
        return MeanEstimate(
            value=_within(_float(values[0])) if positive else None,
            interval=None,
            n=n,
            n_effective=None,
            rho=None,
            method="single",
            reason="one_value" if positive else "non_positive",
        )
    logs = _logs(values)
    rho = _rho_of([logs])
    side = _uncertainty(logs, rho)
    apart = _exp(_mean(logs) - logs[0])
    value = None if apart is None else _within(_float(values[0]) * apart)  # exactly the value when all are equal
    half = _expanded(side.u, side.freedom, tail)
    half = half if between is None else max(half, _half_width([side], between, 1, level))
    few = side.u > 0 and side.n_effective is not None and side.n_effective < FEWEST_INDEPENDENT
    relative = None if few else _interval(-half, half, level)
    interval = None if value is None or relative is None else _times(value, relative)
    ends = _ends_of(values, weights, of, rho, between, level) if interval is not None else None
    method = "corrected-t"
    if interval is not None and ends is not None and interval.low <= ends[1] <= interval.high:
        interval = replace(interval, low=max(min(interval.low, ends[0]), 0.0), high=max(interval.high, ends[2]))
        method = f"one-side-{of}"
    return MeanEstimate(
        value=value,
        interval=interval,
        n=n,
        n_effective=side.n_effective,
        rho=rho,
        method=method,
        reason=FEW_INDEPENDENT if few else _reason(n, rho, interval),
    )


def _ends_of(
    values: Sequence[Exact],
    weights: Sequence[Exact],
    of: str,
    rho: float | None,
    between: Between | None,
    level: float,
) -> tuple[float, float, float] | None:
    """Low end, value and high end of a statistic of one side; None for any other, and of too few values.

    The mean: value +- t(n_eff - 1) u, u as of logs on the values themselves. The mean by weights r: the same of the
    residuals w (v - r) / mean w (Cochran, Sampling Techniques, 6.3). The median: from six values on the values of the
    ranks between which it lies (binomial), both distances times sqrt(I). u_b is added in squares.
    """
    tail, plain = _tail(level), [_float(value) for value in values]
    if of in ("mean", "weighted"):
        exact = mean(values) if of == "mean" else _weighted(values, weights)
        middle = _float(exact)
        side = _relative(plain if of == "mean" else _residuals(values, weights, exact), middle, rho)
        half = _expanded(side.u, side.freedom, tail)
        half = half if between is None else max(half, _half_width([side], between, 1, level))
        return middle * (1 - half), middle, middle * (1 + half)
    if of != "median":
        return None
    cut, ordered, middle = _median_cut(len(plain), tail), sorted(plain), _float(median(values))
    if not cut:
        return None
    scale = 1.0 if rho is None else math.sqrt(inflation(len(plain), rho))
    more = 0.0 if between is None else middle * reach(between, level=level)
    below, above = ((middle - ordered[cut - 1]) * scale, (ordered[-cut] - middle) * scale)
    return middle - math.hypot(below, more), middle, middle + math.hypot(above, more)


def _relative(plain: Sequence[float], middle: float, rho: float | None) -> _Side:
    """u_A of the mean of values, as a share of it."""
    side = _uncertainty(plain, rho)
    return replace(side, u=side.u / middle)


def _weighted(values: Sequence[Exact], weights: Sequence[Exact]) -> Fraction:
    """Sum of weight times value over the sum of weights, exact."""
    return sum((Fraction(w) * v for v, w in zip(values, weights, strict=True)), Fraction(0)) / sum(weights)


def _residuals(values: Sequence[Exact], weights: Sequence[Exact], middle: Fraction) -> list[float]:
    """What each value adds to the mean by weights, in its unit."""
    typical = mean(weights)
    return [float(weight / typical * (value - middle)) for value, weight in zip(values, weights, strict=True)]


@lru_cache(maxsize=256)
def _median_cut(n: int, tail: Fraction) -> int:
    """The largest k with P(B < k) <= tail, B binomial of n and 1/2: the median is from the k-th to the k-th last.

    0 where no such ranks give the level. Counted in integers; above ``LARGEST_COUNTED`` values by the normal without a
    correction for continuity, the more cautious way. Source: David & Nagaraja, Order Statistics, 7.1.
    """
    if n > LARGEST_COUNTED:
        from scipy.special import ndtri

        return max(0, math.floor((n + float(ndtri(float(tail))) * math.sqrt(n)) / 2))
    allowed, below, count = tail * 2**n, 0, 1
    for k in range(n // 2 + 1):
        below += count
        if below > allowed:
            return k
        count = count * (n - k) // (k + 1)
    return n // 2


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """Type A uncertainty of the mean log of one side."""

    u: float
    """Standard uncertainty u_A of the mean log."""
    freedom: float
    """Degrees of freedom, n_eff - 1; infinite when nothing varies."""
    n_effective: float | None
    """n_eff; None when nothing varies."""


def _filled(values: Sequence[Exact]) -> Sequence[Exact]:
    """The same values; refuses none."""
    if not values:
        raise ValueError("a sample holds at least one value")
    return values


def _tail(level: float) -> Fraction:
    """(1 - level) / 2 of the level as written in decimal, exact."""
    if not 0 < level < 1:
        raise ValueError(f"a confidence level lies inside 0..1, not {level}")
    return (1 - Fraction(str(level))) / 2


def _logs(values: Sequence[Exact]) -> list[float]:
    """Natural logarithms; equal values give equal logarithms, so ties stay ties."""
    return [_log(value) for value in values]


def _log(value: Exact) -> float:
    """The natural logarithm of a number > 0, also of one that no float holds."""
    near = _within(_float(value))
    if near is not None:
        return math.log(near)
    ratio = Fraction(value)
    return math.log(ratio.numerator) - math.log(ratio.denominator)


def _float(value: Exact) -> float:
    """The nearest float of a number > 0; infinite beyond the floats."""
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _within(value: float) -> float | None:
    """The same number > 0; None where the floats are at their ends, so that it may be another one."""
    return value if sys.float_info.min <= value < math.inf else None


def _exp(log: float) -> float | None:
    """The number > 0 of a logarithm; None when no float holds it."""
    return math.exp(log) if abs(log) < _FURTHEST_LOG else None


def _mean(logs: Sequence[float]) -> float:
    """Mean about the first value: exactly that value when all are equal."""
    return logs[0] + math.fsum(value - logs[0] for value in logs) / len(logs)


def _autocorrelation(series: Sequence[Sequence[float]]) -> Autocorrelation | None:
    """``autocorrelation`` of logs."""
    products: list[float] = []
    squares: list[float] = []
    for logs in series:
        middle = _mean(logs)
        deviations = [value - middle for value in logs]
        products += [one * following for one, following in pairwise(deviations)]
        squares += [one * one for one in deviations]
    total = math.fsum(squares)
    if total == 0:
        return None
    r = math.fsum(products) / total
    corrected = r + (1 + 3 * r) / min(len(logs) for logs in series)
    rho = min(max(corrected, 0.0), LARGEST_RHO)
    return Autocorrelation(rho=rho, high=rho > HIGH_RHO)


def _rho_of(series: Sequence[Sequence[float]]) -> float | None:
    """The autocorrelation to use: estimated on sides of 4 and more; at least the assumed one beside a smaller side."""
    large = [logs for logs in series if len(logs) >= FEWEST_FOR_RANKS]
    estimate = _autocorrelation(large) if large else None
    if len(large) < len(series):
        return max(ASSUMED_RHO, estimate.rho) if estimate else ASSUMED_RHO
    return estimate.rho if estimate else None


def _uncertainty(logs: Sequence[float], rho: float | None) -> _Side:
    """u_A of the mean log: s_c^2 / n_eff, with s_c^2 = s^2 (n - 1) / (n (1 - 1 / n_eff)), where rho biases s^2 low."""
    n = len(logs)
    middle = _mean(logs)
    squares = math.fsum((value - middle) ** 2 for value in logs)
    n_effective = None if rho is None else n / inflation(n, rho)
    if n_effective is None or squares == 0:
        return _Side(u=0.0, freedom=math.inf, n_effective=n_effective)
    variance = squares / (n * (1 - 1 / n_effective))
    return _Side(u=math.sqrt(variance / n_effective), freedom=n_effective - 1, n_effective=n_effective)


def _expanded(u: float, freedom: float, tail: Fraction) -> float:
    """Half-width t u; 0 when u is, infinite when t leaves the floats."""
    from scipy.special import ndtri, stdtrit

    if u == 0:
        return 0.0
    quantile = 1.0 - float(tail)
    return u * float(ndtri(quantile) if math.isinf(freedom) else stdtrit(freedom, quantile))


def _interval(low: float, high: float, level: float) -> Interval | None:
    """The interval from its ends as logs; None when an end leaves the floats."""
    if not -_FURTHEST_LOG < low <= high < _FURTHEST_LOG:
        return None
    return Interval(low=math.exp(low), high=math.exp(high), level=level)


def _times(value: float, relative: Interval) -> Interval | None:
    """An interval of ratios as one of values; None when an end leaves the floats."""
    low, high = _within(value * relative.low), _within(value * relative.high)
    return None if low is None or high is None else Interval(low=low, high=high, level=relative.level)


def _reason(smaller: int, rho: float | None, interval: Interval | None) -> str:
    """What the reader must be told first about an estimate of two and more values."""
    if smaller < FEWEST_FOR_RANKS:
        return "few_values"
    if rho is not None and rho > HIGH_RHO:
        return "high_autocorrelation"
    return "" if interval else "few_values"


def _told_apart(interval: Interval | None) -> str:
    """Whether the interval excludes 1; its ends belong to it."""
    if interval is None:
        return "cannot be known"
    return "no" if interval.low <= 1 <= interval.high else "yes"


def _ratio_only(before: Sequence[Exact], after: Sequence[Exact], ratio: float | None, reason: str) -> RatioEstimate:
    """An estimate without an interval."""
    return RatioEstimate(
        ratio=ratio,
        interval=None,
        method="single",
        n_before=len(before),
        n_after=len(after),
        n_effective_before=None,
        n_effective_after=None,
        rho=None,
        distinguishable="cannot be known",
        reason=reason,
    )


def _corrected_t(before: Sequence[Exact], after: Sequence[Exact], level: float) -> RatioEstimate:
    """The t interval of the mean logs, corrected for autocorrelation."""
    x, y = _logs(before), _logs(after)
    smaller = min(len(x), len(y))
    rho = _rho_of([x, y])
    sides = [_uncertainty(logs, rho) for logs in (x, y)]
    u_c = math.sqrt(sides[0].u ** 2 + sides[1].u ** 2)
    spread = math.fsum((side.u / u_c) ** 4 / side.freedom for side in sides) if u_c else 0.0
    middle = _mean(y) - _mean(x)
    half = _expanded(u_c, 1 / spread if spread else math.inf, _tail(level))
    interval = _interval(middle - half, middle + half, level)
    told = _told_apart(interval)
    if u_c == 0 and smaller < FEWEST_FOR_RANKS and told == "yes":
        told = "cannot be known"
    return RatioEstimate(
        ratio=_exp(middle),
        interval=interval,
        method="corrected-t",
        n_before=len(x),
        n_after=len(y),
        n_effective_before=sides[0].n_effective,
        n_effective_after=sides[1].n_effective,
        rho=rho,
        distinguishable=told,
        reason=_reason(smaller, rho, interval),
    )


def _hodges_lehmann(before: Sequence[Exact], after: Sequence[Exact], level: float) -> RatioEstimate:
    """The median of all differences of logs with its rank interval, each half-width times sqrt(I)."""
    length = _block_length(len(before), len(after))
    x, y = _logs(_block_medians(before, length)), _logs(_block_medians(after, length))
    rho = _rho_of([x, y])
    smaller = min(len(x), len(y))
    low, middle, high = _ranked_differences(x, y, level)
    scale = 1.0 if rho is None else math.sqrt(inflation(smaller, rho))
    interval = _interval(middle - (middle - low) * scale, middle + (high - middle) * scale, level)
    return RatioEstimate(
        ratio=_exp(middle),
        interval=interval,
        method="hodges-lehmann",
        n_before=len(before),
        n_after=len(after),
        n_effective_before=None if rho is None else len(x) / inflation(len(x), rho),
        n_effective_after=None if rho is None else len(y) / inflation(len(y), rho),
        rho=rho,
        distinguishable=_told_apart(interval),
        reason=_reason(smaller, rho, interval),
        block_length=length,
    )


def _block_length(n: int, m: int) -> int:
    """Values to a block on both sides: 1 up to 2000 values, and never so many that fewer than 4 blocks remain."""
    return max(1, min(-(-max(n, m) // LARGEST_SIDE), min(n, m) // FEWEST_FOR_RANKS))


def _block_medians(values: Sequence[Exact], length: int) -> Sequence[Exact]:
    """Medians of consecutive blocks of the length; what is left over makes some blocks one value longer."""
    if length == 1:
        return values
    count = len(values) // length
    edges = [i * len(values) // count for i in range(count + 1)]
    return [median(values[low:high]) for low, high in pairwise(edges)]


def _ranked_differences(x: Sequence[float], y: Sequence[float], level: float) -> tuple[float, float, float]:
    """Of the sorted differences y_j - x_i: the k-th, the median, the k-th from the end; infinite ends when k is 0."""
    import numpy as np

    k = rank_cut(len(x), len(y), level, Counter([*x, *y]).values())
    total = len(x) * len(y)
    wanted = {(total - 1) // 2, total // 2, max(k - 1, 0), min(total - k, total - 1)}
    differences = np.subtract.outer(np.asarray(y), np.asarray(x)).ravel()
    differences.partition(sorted(wanted))
    middle = float(differences[(total - 1) // 2] + differences[total // 2]) / 2
    if k == 0:
        return -math.inf, middle, math.inf
    return float(differences[k - 1]), middle, float(differences[total - k])


@lru_cache(maxsize=256)
def _counted_cut(n: int, m: int, tail: Fraction) -> int:
    """The largest k with P(U < k) <= tail, from integer counts."""
    allowed = tail * math.comb(n + m, n)
    below = 0
    for u, count in enumerate(null_counts(n, m, n * m // 2)):
        below += count
        if below > allowed:
            return u
    return n * m // 2
