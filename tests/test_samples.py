"""Statistics of samples: every expected value is worked out beside it, or comes from scipy.stats or an enumeration."""

from __future__ import annotations

import csv
import itertools
import math
import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reportgen import samples

if TYPE_CHECKING:
    from reportgen.samples import RatioEstimate

CORPUS = Path(os.environ.get("REPORTGEN_CORPUS") or Path(__file__).resolve().parents[1] / "../shared/corpus")
TWICE = CORPUS / "msprof-910b-level0/matmul/torch-twice"

durations = st.lists(st.integers(min_value=1, max_value=10**12), min_size=1, max_size=9)


def direct_inflation(n: int, rho: float) -> float:
    """I as it is written, term by term."""
    return 1 + 2 * sum((1 - k / n) * rho**k for k in range(1, n))


def t_oracle(x: list[int], y: list[int], rho: float) -> tuple[float, float, float]:
    """Ratio and ends of the corrected t interval, from the formulas, numpy and scipy.stats."""
    logs = [np.log(np.array(side, dtype=float)) for side in (x, y)]
    n_eff = [len(side) / direct_inflation(len(side), rho) for side in logs]
    s_c2 = [side.var(ddof=1) * (len(side) - 1) / (len(side) * (1 - 1 / k)) for side, k in zip(logs, n_eff, strict=True)]
    u2 = [s / k for s, k in zip(s_c2, n_eff, strict=True)]
    u_c2 = sum(u2)
    freedom = u_c2**2 / sum(u**2 / (k - 1) for u, k in zip(u2, n_eff, strict=True))
    half = stats.t.ppf(0.975, freedom) * math.sqrt(u_c2)
    middle = logs[1].mean() - logs[0].mean()
    return math.exp(middle), math.exp(middle - half), math.exp(middle + half)


def ends(estimate: RatioEstimate) -> tuple[float, float]:
    """The ends of an interval that must be there."""
    assert estimate.interval is not None
    return estimate.interval.low, estimate.interval.high


class TestMedianAndMean:
    @pytest.mark.parametrize(
        ("values", "middle", "average"),
        [
            ([7], Fraction(7), Fraction(7)),
            ([3, 1, 2], Fraction(2), Fraction(2)),
            ([4, 1, 3, 2], Fraction(5, 2), Fraction(5, 2)),
            ([Fraction(1, 3), 1, 2], Fraction(1), Fraction(10, 9)),  # (1/3 + 1 + 2) / 3
            ([10**18, 10**18 + 1], Fraction(2 * 10**18 + 1, 2), Fraction(2 * 10**18 + 1, 2)),  # a float would round
        ],
    )
    def test_exact(self, values: list[int | Fraction], middle: Fraction, average: Fraction) -> None:
        assert samples.median(values) == middle
        assert samples.mean(values) == average
        assert isinstance(samples.median(values), Fraction)
        assert isinstance(samples.mean(values), Fraction)

    @pytest.mark.parametrize("function", [samples.median, samples.mean, samples.limit_interval])
    def test_no_values(self, function: object) -> None:
        with pytest.raises(ValueError, match="at least one value"):
            function([])  # type: ignore[operator]


class TestWarmup:
    @pytest.mark.parametrize(
        ("title", "values", "dropped"),
        [
            # tail = the last 6: 100 102 99 101 100 98; median 100; deviations 0 2 1 1 0 2, MAD 1; limit 105.9304
            ("one warm-up step", [150, 101, 99, 100, 102, 99, 101, 100, 98], (0,)),
            ("two warm-up steps", [300, 120, 99, 100, 102, 99, 101, 100, 98], (0, 1)),
            (
                "at most a third, though four are slow",
                [300, 250, 220, 210, 102, 99, 101, 100, 98, 100, 100, 100],
                (0, 1, 2, 3),
            ),
            ("a slow step that does not lead stays", [100, 150, 99, 100, 102, 99, 101, 100, 98], ()),
            ("just below the limit of 105.9304", [105, 101, 99, 100, 102, 99, 101, 100, 98], ()),
            ("just above it", [106, 101, 99, 100, 102, 99, 101, 100, 98], (0,)),
            ("a fast first step is no warm-up", [50, 101, 99, 100, 102, 99, 101, 100, 98], ()),
            # MAD 0, so the floor: limit = 1000 + 4 x 1.4826 x 0.003 x 1000 = 1017.7912
            ("a quiet tail: below the floor's limit", [1017, 1000, 1000, 1000, 1000, 1000], ()),
            ("a quiet tail: above it", [1018, 1000, 1000, 1000, 1000, 1000], (0,)),
            ("n = 4 can lose one", [200, 100, 100, 100], (0,)),
            ("n = 3 loses none", [900, 100, 100], ()),
            ("nothing at all", [], ()),
        ],
    )
    def test_cases(self, title: str, values: list[int], dropped: tuple[int, ...]) -> None:
        assert samples.split_warmup(values) == dropped, title

    def test_the_limit_itself_is_kept(self) -> None:
        """The limit is exact: 100 + 4 x 1.4826 x 1 = 105.9304 and no rounding beside it."""
        rest = [101, 99, 100, 102, 99, 101, 100, 98]
        limit = Fraction(1059304, 10000)
        assert samples.split_warmup([limit, *rest]) == ()
        assert samples.split_warmup([limit + Fraction(1, 10**30), *rest]) == (0,)

    @given(st.lists(st.integers(min_value=1, max_value=10**9), max_size=30), st.integers(min_value=1, max_value=1000))
    def test_unit_does_not_matter_and_at_most_a_third_leads(self, values: list[int], unit: int) -> None:
        dropped = samples.split_warmup(values)
        assert dropped == tuple(range(len(dropped)))
        assert 3 * len(dropped) <= len(values)
        assert samples.split_warmup([Fraction(value, unit) for value in values]) == dropped


class TestAutocorrelation:
    def test_by_hand(self) -> None:
        """Logs -1 -1 1 1: d the same, products 1 -1 1 = 1, squares 4, r = 1/4; r_c = 1/4 + (1 + 3/4) / 4 = 11/16."""
        series = [Fraction(math.exp(-1)), Fraction(math.exp(-1)), Fraction(math.e), Fraction(math.e)]
        found = samples.autocorrelation(series)
        assert found is not None
        assert found.rho == pytest.approx(11 / 16, abs=1e-12)
        assert found.high

    def test_pooled_over_both_sides(self) -> None:
        """Beside it logs -1 1 -1 1 (products -3, squares 4): r = (1 - 3) / 8 = -1/4, r_c = -1/4 + 1/16 < 0, so 0."""
        low, high = Fraction(math.exp(-1)), Fraction(math.e)
        found = samples.autocorrelation([low, low, high, high], [low, high, low, high])
        assert found == samples.Autocorrelation(rho=0.0, high=False)

    def test_each_side_about_its_own_mean(self) -> None:
        """Two sides of different speed: the step between them is no autocorrelation."""
        low, high = Fraction(math.exp(-1)), Fraction(math.e)
        near = samples.autocorrelation([low, high, low, high], [low, high, low, high])
        far = samples.autocorrelation([low, high, low, high], [1000 * low, 1000 * high, 1000 * low, 1000 * high])
        assert near == far == samples.Autocorrelation(rho=0.0, high=False)

    def test_clipped(self) -> None:
        """A long drift: r near 1, and its correction would carry it beyond."""
        found = samples.autocorrelation([1000 + 10 * i for i in range(100)])
        assert found == samples.Autocorrelation(rho=0.95, high=True)

    def test_nothing_varies(self) -> None:
        assert samples.autocorrelation([5, 5, 5, 5], [7, 7, 7, 7]) is None

    @pytest.mark.parametrize("n", [2, 3, 4, 10, 700])
    @pytest.mark.parametrize("rho", [0.0, 0.3, 0.5, 0.95])
    def test_inflation_is_the_sum_as_written(self, n: int, rho: float) -> None:
        assert samples.inflation(n, rho) == pytest.approx(direct_inflation(n, rho), rel=1e-10)

    def test_inflation_by_hand(self) -> None:
        """n = 2: 1 + 2 (1/2) rho = 1.3; n = 3: 1 + 2 (2/3 x 0.3 + 1/3 x 0.09) = 1.46."""
        assert samples.inflation(2, 0.3) == pytest.approx(1.3)
        assert samples.inflation(3, 0.3) == pytest.approx(1.46)


def enumerated_counts(n: int, m: int) -> list[int]:
    """How often each U occurs over all ways to place n values among n + m ranks."""
    seen = Counter(sum(places) - n * (n - 1) // 2 for places in itertools.combinations(range(n + m), n))
    return [seen[u] for u in range(n * m + 1)]


class TestRanks:
    def test_counts_of_three_and_three(self) -> None:
        """Twenty orders in all, as tabulated by Mann and Whitney (1947)."""
        assert samples.null_counts(3, 3, 9) == [1, 1, 2, 3, 3, 3, 3, 2, 1, 1]

    @pytest.mark.parametrize(("n", "m"), [(1, 1), (1, 5), (2, 3), (4, 4), (5, 3), (4, 7), (6, 6), (9, 4)])
    def test_counts_against_enumeration(self, n: int, m: int) -> None:
        assert samples.null_counts(n, m, n * m) == enumerated_counts(n, m)

    def test_counts_of_fifty_are_whole(self) -> None:
        """All orders are counted once, and the counts are the same from both ends: no float could do that."""
        counts = samples.null_counts(50, 50, 2500)
        assert sum(counts) == math.comb(100, 50)
        assert counts == counts[::-1]

    @pytest.mark.parametrize(
        ("n", "m", "critical"),
        # Critical values of U, two-sided 5 %, from the usual tables; the interval starts one rank further in.
        [(4, 4, 0), (5, 5, 2), (6, 6, 5), (7, 7, 8), (8, 8, 13), (9, 9, 17), (10, 10, 23), (20, 20, 127), (5, 8, 6)],
    )
    def test_tabulated_critical_values(self, n: int, m: int, critical: int) -> None:
        assert samples.rank_cut(n, m) == samples.rank_cut(m, n) == critical + 1

    def test_four_have_an_interval_three_do_not(self) -> None:
        """P(U < 1) is 1 / 70 = 1.4 % for 4 and 4, but 1 / 20 = 5 % for 3 and 3: more than 2.5 %."""
        assert samples.rank_cut(4, 4) == 1
        assert samples.rank_cut(3, 3) == 0
        assert samples.rank_cut(4, 4, 0.99) == 0

    def test_a_level_that_is_met_exactly(self) -> None:
        """At 90 % the tail of 3 and 3 is 1 / 20 exactly, and 1 - 0.9 in floats is not."""
        assert samples.rank_cut(3, 3, 0.9) == 1

    @pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
    @pytest.mark.parametrize("n", [4, 6, 10, 50])
    @pytest.mark.parametrize("m", [51, 60, 120])
    def test_approximation_is_never_the_narrower(self, n: int, m: int, level: float) -> None:
        """Not further in than the counted rank, and not further out than a fifth of the deviation of U."""
        allowed = (1 - Fraction(str(level))) / 2 * math.comb(n + m, n)
        below = itertools.accumulate(samples.null_counts(n, m, n * m // 2))
        counted = next(u for u, total in enumerate(below) if total > allowed)
        sigma = math.sqrt(n * m * (n + m + 1) / 12)
        assert 0 <= counted - samples.rank_cut(n, m, level) <= 0.2 * sigma

    def test_ties_shrink_the_variance(self) -> None:
        """60 and 60, all equal: the variance is 0, both ends are the middle. Half of them tied: by the formula."""
        assert samples.rank_cut(60, 60, ties=[120]) == 1800
        tied = [60] + [1] * 60
        sigma = math.sqrt(3600 / 12 * (121 - (60**3 - 60) / (120 * 119)))
        assert samples.rank_cut(60, 60, ties=tied) == math.floor(1800 - stats.norm.ppf(0.975) * sigma)
        assert samples.rank_cut(60, 60, ties=tied) > samples.rank_cut(60, 60)


# Alternating values: their lag-1 correlation is negative, rho is clipped to 0, so I is 1 and the interval is of ranks.
ALTERNATING = [100, 104, 101, 105]


class TestHodgesLehmann:
    def test_four_and_four_by_hand(self) -> None:
        """k = 1: from the smallest ratio 110 / 105 to the largest 116 / 100.

        The 16 ratios in order: 1.048 1.057 1.058 1.067 1.089 1.095 1.099 1.1 | 1.105 1.106 1.11 1.115 1.139 1.149 1.15
        1.16; the middle two are 110 / 100 and 116 / 105, halfway on the logs is the root of their product.
        """
        after = [110, 115, 111, 116]
        found = samples.ratio_before_after(ALTERNATING, after)
        assert found.ratio == pytest.approx(math.sqrt(110 / 100 * 116 / 105))
        assert ends(found) == pytest.approx((110 / 105, 116 / 100))
        assert (found.method, found.distinguishable, found.reason) == ("hodges-lehmann", "yes", "")
        assert (found.rho, found.n_before, found.n_effective_before, found.n_effective_after) == (0.0, 4, 4.0, 4.0)
        assert found.block_length == 1

    def test_not_told_apart(self) -> None:
        found = samples.ratio_before_after(ALTERNATING, [101, 106, 102, 103])
        assert (found.distinguishable, found.reason) == ("no", "")

    def test_end_at_one_is_not_told_apart(self) -> None:
        """The smallest ratio is 105 / 105: the ends belong to the interval."""
        found = samples.ratio_before_after(ALTERNATING, [105, 109, 106, 110])
        assert ends(found)[0] == 1
        assert found.distinguishable == "no"

    @settings(max_examples=60, deadline=None)
    @given(st.data())
    def test_interval_is_what_the_rank_test_does_not_reject(self, data: st.DataObject) -> None:
        """Duality: the exact Mann-Whitney test of scipy keeps a shift just inside an end, rejects one just outside."""
        sizes = st.integers(min_value=4, max_value=9)
        draw = st.floats(min_value=0.9, max_value=1.1, allow_subnormal=False)
        x = data.draw(st.lists(draw, min_size=4, max_size=data.draw(sizes), unique=True))
        y = data.draw(st.lists(draw, min_size=4, max_size=data.draw(sizes), unique=True))
        x_logs, y_logs = np.log(x), np.log(y)
        differences = np.sort(np.subtract.outer(y_logs, x_logs).ravel())
        if np.diff(differences).min() < 1e-9:
            return
        k = samples.rank_cut(len(x), len(y))
        for end, inwards in ((differences[k - 1], 1), (differences[-k], -1)):
            for nudge, kept in ((inwards * 1e-10, True), (-inwards * 1e-10, False)):
                shifted = y_logs - (end + nudge)
                p = stats.mannwhitneyu(shifted, x_logs, method="exact").pvalue
                assert bool(p > 0.05) is kept

    def test_half_widths_grow_by_the_root_of_the_inflation(self) -> None:
        """A drift on both sides: each half-width in logs is the rank interval's times sqrt(I), I with the smaller n."""
        x = [1000, 1010, 1020, 1015, 1030, 1005]
        y = [1001, 1012, 1038, 1026, 1003, 1014, 1050, 1049]
        found = samples.ratio_before_after(x, y)
        rho = samples.autocorrelation(x, y)
        assert rho is not None
        assert found.rho == rho.rho
        assert 0.3 < rho.rho < 0.95
        differences = np.sort(np.subtract.outer(np.log(y), np.log(x)).ravel())
        k = 9  # critical U of 6 and 8, two-sided 5 %, is 8
        assert samples.rank_cut(6, 8) == k
        middle = float(np.median(differences))
        scale = math.sqrt(direct_inflation(6, rho.rho))
        low = middle - (middle - differences[k - 1]) * scale
        high = middle + (differences[-k] - middle) * scale
        assert found.ratio == pytest.approx(math.exp(middle))
        assert ends(found) == pytest.approx((math.exp(low), math.exp(high)))
        assert found.n_effective_before == pytest.approx(6 / direct_inflation(6, rho.rho))
        assert found.n_effective_after == pytest.approx(8 / direct_inflation(8, rho.rho))

    def test_high_autocorrelation_is_said(self) -> None:
        drift = [1000 + 5 * i for i in range(20)]
        found = samples.ratio_before_after(drift, drift)
        assert (found.reason, found.distinguishable, found.ratio) == ("high_autocorrelation", "no", 1.0)
        assert found.rho is not None
        assert found.rho > 0.5

    def test_ties(self) -> None:
        """Few distinct values, as a clock of 20 ns gives them: P of ties is not used below 50, the interval holds 1."""
        x = [5440, 5420, 5440, 5420, 5440, 5420, 5440, 5420]
        y = [5420, 5440, 5420, 5440, 5420, 5440, 5420, 5440]
        found = samples.ratio_before_after(x, y)
        assert (found.ratio, found.distinguishable) == (1.0, "no")
        assert ends(found) == pytest.approx((5420 / 5440, 5440 / 5420))

    @pytest.mark.parametrize("n", [4, 60])
    def test_no_variance_at_all(self, n: int) -> None:
        same = samples.ratio_before_after([500] * n, [500] * n)
        assert (same.ratio, *ends(same), same.distinguishable) == (1.0, 1.0, 1.0, "no")
        slower = samples.ratio_before_after([500] * n, [600] * n)
        assert slower.ratio == pytest.approx(1.2)
        assert ends(slower) == (slower.ratio, slower.ratio)
        assert (slower.distinguishable, slower.rho, slower.n_effective_before) == ("yes", None, None)

    def test_level_beyond_the_sample(self) -> None:
        """At 99 % four and four have no rank interval."""
        found = samples.ratio_before_after(ALTERNATING, [210, 215, 211, 216], level=0.99)
        assert (found.interval, found.distinguishable, found.reason) == (None, "cannot be known", "few_values")

    def test_large_samples_against_scipy(self) -> None:
        """60 and 80 with ties: an end is where scipy's asymptotic p (ties, no continuity) crosses 5 %."""
        rng = np.random.default_rng(7)
        x = [int(v) for v in rng.integers(95, 106, 60)]
        y = [int(v) for v in rng.integers(97, 108, 80)]
        ties = Counter([*x, *y]).values()
        k = samples.rank_cut(60, 80, ties=ties)

        def p_of(u: int) -> float:
            sigma = math.sqrt(60 * 80 / 12 * (141 - sum(t**3 - t for t in ties) / (140 * 139)))
            return float(2 * stats.norm.cdf((u - 2400) / sigma))

        assert p_of(k) <= 0.05 < p_of(k + 1)
        u, p = stats.mannwhitneyu(x, y, use_continuity=False, method="asymptotic")
        assert p == pytest.approx(p_of(min(int(u), 4800 - int(u))), rel=0.02)  # the formula is scipy's

    def test_blocks(self) -> None:
        """5000 and 4500 values: blocks of ceil(5000 / 2000) = 3 on both sides, 1666 and 1500 medians, then as ever."""
        rng = np.random.default_rng(11)
        x = [int(v) for v in rng.integers(1000, 2000, 4500)]
        y = [int(v) for v in rng.integers(1000, 2000, 5000)]
        found = samples.ratio_before_after(x, y)
        x_blocks = np.median(np.array(x).reshape(1500, 3), axis=1)
        y_edges = [i * 5000 // 1666 for i in range(1667)]
        y_blocks = [np.median(y[low:high]) for low, high in itertools.pairwise(y_edges)]
        differences = np.subtract.outer(np.log(y_blocks), np.log(x_blocks))
        assert found.ratio == pytest.approx(math.exp(np.median(differences)))
        assert (found.block_length, found.n_before, found.n_after) == (3, 4500, 5000)
        assert found.n_effective_before is not None
        assert found.n_effective_before <= 1500

    def test_blocks_compare_like_with_like(self) -> None:
        """A skewed sample against the same population, 1500 values against 4000: single values against medians of two
        would differ (the median of an exponential is 0.69, that of means of two is 0.84)."""
        rng = np.random.default_rng(13)
        x = [1000 + int(1000 * v) for v in rng.exponential(size=1500)]
        y = [1000 + int(1000 * v) for v in rng.exponential(size=4000)]
        found = samples.ratio_before_after(x, y)
        assert (found.block_length, found.distinguishable) == (2, "no")

    def test_blocks_leave_four_on_the_smaller_side(self) -> None:
        found = samples.ratio_before_after([100, 103, 101, 104, 102] * 2, [100, 103, 101, 104, 102] * 2000)
        assert found.block_length == 2  # ceil(10000 / 2000) = 5 would leave two blocks
        assert found.interval is not None

    def test_two_thousand_are_not_cut(self) -> None:
        assert samples.ratio_before_after([100, 101] * 1000, [100, 101] * 1000).block_length == 1


class TestFewValues:
    def test_one_each(self) -> None:
        found = samples.ratio_before_after([500], [450])
        assert (found.ratio, found.interval, found.method) == (0.9, None, "single")
        assert (found.distinguishable, found.reason) == ("cannot be known", "one_value_each")
        assert (found.rho, found.n_effective_before, found.n_effective_after) == (None, None, None)

    def test_one_on_a_side(self) -> None:
        """Median of 400, 500, 450 is 450."""
        found = samples.ratio_before_after([500], [400, 500, 450])
        assert (found.ratio, found.interval) == (0.9, None)
        assert (found.distinguishable, found.reason) == ("cannot be known", "one_value_on_a_side")

    def test_two_and_two_by_hand(self) -> None:
        """Logs 0, 2d and D, D + 2d with d = ln(1.01) / 2: s^2 = 2 d^2, I = 1.3, n_eff = 1.53846, 1 - 1 / n_eff = 0.35;
        s_c^2 = 2 d^2 / (2 x 0.35) = d^2 / 0.35; u_A^2 = 1.3 d^2 / 0.7; u_c^2 = 2.6 d^2 / 0.7; nu = 2 (n_eff - 1)."""
        found = samples.ratio_before_after([10000, 10100], [20000, 20200])
        d = math.log(1.01) / 2
        half = stats.t.ppf(0.975, 2 * (2 / 1.3 - 1)) * math.sqrt(2.6 / 0.7) * d
        assert found.ratio == pytest.approx(2)
        assert ends(found) == pytest.approx((2 * math.exp(-half), 2 * math.exp(half)))
        assert (found.method, found.reason, found.rho, found.distinguishable) == (
            "corrected-t",
            "few_values",
            0.3,
            "yes",
        )
        assert found.n_effective_before == found.n_effective_after == pytest.approx(1.53846, abs=1e-5)

    @pytest.mark.parametrize(
        ("x", "y"), [([1000, 1010], [1020, 1030, 1005]), ([900, 905, 920], [1000, 1003, 1009]), ([5, 6, 7], [7, 8])]
    )
    def test_against_the_formulas(self, x: list[int], y: list[int]) -> None:
        found = samples.ratio_before_after(x, y)
        assert (found.ratio, *ends(found)) == pytest.approx(t_oracle(x, y, 0.3))
        assert found.reason == "few_values"

    def test_beside_a_larger_side_the_larger_rho_counts(self) -> None:
        drift = [1000, 1010, 1025, 1022, 1020, 1000, 1005]
        own = samples.autocorrelation(drift)
        assert own is not None
        assert own.rho > 0.3
        found = samples.ratio_before_after(drift, [900, 905])
        assert (found.rho, found.reason) == (own.rho, "few_values")
        assert (found.ratio, *ends(found)) == pytest.approx(t_oracle(drift, [900, 905], own.rho))
        calm = samples.ratio_before_after([1000, 1010, 1000, 1010, 1000, 1010], [900, 905])
        assert calm.rho == 0.3

    def test_no_spread_in_few_values_proves_nothing(self) -> None:
        found = samples.ratio_before_after([5440, 5440], [5420, 5420, 5420])
        assert ends(found) == (found.ratio, found.ratio)
        assert (found.distinguishable, found.reason) == ("cannot be known", "few_values")
        same = samples.ratio_before_after([5440, 5440], [5440, 5440, 5440])
        assert (same.ratio, *ends(same), same.distinguishable) == (1.0, 1.0, 1.0, "no")

    def test_no_spread_on_one_side(self) -> None:
        """Only the other side's freedom counts: nu = 3 / 1.46 - 1 for three values."""
        found = samples.ratio_before_after([1000, 1000, 1000], [1100, 1110, 1120])
        logs = np.log([1100, 1110, 1120])
        n_eff = 3 / 1.46
        u = math.sqrt(logs.var(ddof=1) * 2 / (3 * (1 - 1 / n_eff)) / n_eff)
        half = stats.t.ppf(0.975, n_eff - 1) * u
        middle = logs.mean() - math.log(1000)
        assert ends(found) == pytest.approx((math.exp(middle - half), math.exp(middle + half)))

    def test_an_interval_beyond_all_floats_is_none(self) -> None:
        """Two values a factor 10^9 apart: t (1.08 degrees of freedom) times u_A leaves the floats at 99.9 %."""
        found = samples.ratio_before_after([1, 10**9], [1, 10**9], level=0.999)
        assert (found.interval, found.distinguishable, found.reason) == (None, "cannot be known", "few_values")


class TestKnownBetweenCaptures:
    X = (1000, 1010, 1003, 1012, 1001, 1009)
    Y = (1020, 1030, 1024, 1033, 1021, 1028)
    ONE_PERCENT = samples.Between(u=0.01)

    def test_told_apart_without_it_but_not_with_it(self) -> None:
        """Within the captures 2 % is plain; with 1 % between captures u_c is above sqrt(2) x 1 %: U above 2.7 %."""
        plain = samples.ratio_before_after(self.X, self.Y)
        found = samples.ratio_before_after(self.X, self.Y, between=self.ONE_PERCENT)
        assert (plain.distinguishable, found.distinguishable, found.reason) == ("yes", "no", "")
        assert (found.method, found.ratio) == (plain.method, plain.ratio)

    @pytest.mark.parametrize(("u", "freedom"), [(0.01, math.inf), (0.01, 2), (0.02, 1)])
    def test_against_the_formulas(self, u: float, freedom: float) -> None:
        """JCGM 100:2008, 5.1.2 and G.4: about the Hodges-Lehmann estimate, 2 u_b^2 as one component of its freedom."""
        rho = samples.autocorrelation(self.X, self.Y)
        assert rho is not None
        squares, terms = [2 * u**2], [(2 * u**2) ** 2 / freedom]
        for values in (self.X, self.Y):
            n = len(values)
            n_eff = n / samples.inflation(n, rho.rho)
            s2 = np.log(values).var(ddof=1) * (n - 1) / (n * (1 - 1 / n_eff))
            squares.append(s2 / n_eff)
            terms.append((s2 / n_eff) ** 2 / (n_eff - 1))
        half = stats.t.ppf(0.975, sum(squares) ** 2 / sum(terms)) * math.sqrt(sum(squares))
        middle = np.median(np.subtract.outer(np.log(self.Y), np.log(self.X)))
        found = samples.ratio_before_after(self.X, self.Y, between=samples.Between(u=u, freedom=freedom))
        assert ends(found) == pytest.approx((math.exp(middle - half), math.exp(middle + half)))

    def test_without_spread_it_is_normal(self) -> None:
        """u_A = 0 on both sides: U = 1.95996 x sqrt(2) x 0.01, the freedom being endless (JCGM 100:2008, G.4)."""
        found = samples.ratio_before_after([500] * 5, [600] * 5, between=self.ONE_PERCENT)
        half = stats.norm.ppf(0.975) * math.sqrt(2) * 0.01
        assert ends(found) == pytest.approx((1.2 * math.exp(-half), 1.2 * math.exp(half)))
        assert found.distinguishable == "yes"

    def test_one_value_stays_without_interval(self) -> None:
        """u_b says nothing of the spread inside a capture."""
        assert samples.ratio_before_after([500], [450], between=self.ONE_PERCENT).interval is None

    def test_two_values_without_spread_stay_unknown(self) -> None:
        assert samples.ratio_before_after([500, 500], [900, 900], between=self.ONE_PERCENT).distinguishable != "yes"

    def test_a_limit_on_one_side(self) -> None:
        """u_A = 0: exp(+- 1.95996 x 0.01); with 2 degrees of freedom t is 4.30265."""
        for freedom, t in ((math.inf, 1.959964), (2, 4.302653)):
            found = samples.limit_interval([500] * 5, between=samples.Between(u=0.01, freedom=freedom))
            assert ends(found) == pytest.approx((500 * math.exp(-t * 0.01), 500 * math.exp(t * 0.01)), rel=1e-6)

    @settings(max_examples=100, deadline=None)
    @given(durations, durations, st.floats(0, 0.5), st.sampled_from([1, 2, 9, math.inf]))
    def test_it_never_narrows(self, x: list[int], y: list[int], u: float, freedom: float) -> None:
        """Two values a side have next to no freedom; a u_b of endless freedom would make t smaller than it is."""
        between = samples.Between(u=u, freedom=freedom)
        plain, found = samples.ratio_before_after(x, y), samples.ratio_before_after(x, y, between=between)
        assert found.ratio == plain.ratio
        assert plain.distinguishable == "yes" or found.distinguishable == plain.distinguishable
        alone, wider = samples.limit_interval(x), samples.limit_interval(x, between=between)
        for without, with_it in ((plain.interval, found.interval), (alone.interval, wider.interval)):
            if with_it is not None:
                assert without is not None
                assert with_it.low <= without.low
                assert with_it.high >= without.high

    @pytest.mark.parametrize("u", [-0.01, math.inf, math.nan])
    def test_refused(self, u: float) -> None:
        with pytest.raises(ValueError, match="u_b"):
            samples.Between(u=u)


class TestRefusals:
    @pytest.mark.parametrize(("before", "after"), [([0, 5, 6, 7], [5, 6, 7, 8]), ([5], [-1]), ([5, 6], [0, 0])])
    def test_not_positive(self, before: list[int], after: list[int]) -> None:
        found = samples.ratio_before_after(before, after)
        assert (found.ratio, found.interval) == (None, None)
        assert (found.distinguishable, found.reason) == ("cannot be known", "non_positive")

    def test_no_values(self) -> None:
        with pytest.raises(ValueError, match="at least one value"):
            samples.ratio_before_after([], [1])
        with pytest.raises(ValueError, match="at least one value"):
            samples.ratio_before_after([1], [])

    @pytest.mark.parametrize("level", [0, 1, 95, -0.5])
    def test_level(self, level: float) -> None:
        with pytest.raises(ValueError, match="level"):
            samples.ratio_before_after([1, 2, 3, 4], [1, 2, 3, 4], level=level)
        with pytest.raises(ValueError, match="level"):
            samples.limit_interval([1, 2, 3, 4], level=level)


class TestLimit:
    def test_by_hand(self) -> None:
        """Alternating, so rho 0 and n_eff 4: the plain t interval of the mean log with 3 degrees of freedom."""
        found = samples.limit_interval(ALTERNATING)
        logs = np.log(ALTERNATING)
        half = 3.182446 * logs.std(ddof=1) / 2  # t(.975, 3), and sqrt(4)
        assert found.value == pytest.approx(math.exp(logs.mean()))
        assert found.interval is not None
        assert (found.interval.low, found.interval.high) == pytest.approx(
            (math.exp(logs.mean() - half), math.exp(logs.mean() + half)), rel=1e-7
        )
        assert (found.n, found.n_effective, found.rho, found.method, found.reason) == (4, 4.0, 0.0, "corrected-t", "")

    def test_three(self) -> None:
        values = [100, 102, 103]
        found = samples.limit_interval(values)
        n = len(values)
        n_eff = n / direct_inflation(n, 0.3)
        logs = np.log(values)
        u = math.sqrt(logs.var(ddof=1) * (n - 1) / (n * (1 - 1 / n_eff)) / n_eff)
        half = stats.t.ppf(0.975, n_eff - 1) * u
        assert found.interval is not None
        assert (found.interval.low, found.interval.high) == pytest.approx(
            (math.exp(logs.mean() - half), math.exp(logs.mean() + half))
        )
        assert (found.rho, found.reason) == (0.3, "few_values")
        assert found.n_effective == pytest.approx(n_eff)

    @pytest.mark.parametrize(
        ("values", "figures"),
        [
            # rho 0.3 assumed: I = 1 + 2 x 1/2 x 0.3 = 1.3, and 2 / 1.3 = 1.538
            ([100, 102], {"n": "2", "rho": "0.30", "effective": "1.5"}),
            # deviations of -2 .. 2: r = 4 / 10, r_c = 0.4 + 2.2 / 5 = 0.84;
            # I = 1 + 2 (0.8 x 0.84 + 0.6 x 0.7056 + 0.4 x 0.5927 + 0.2 x 0.4979) = 3.864, and 5 / 3.864 = 1.294
            ([100_000, 100_001, 100_002, 100_003, 100_004], {"n": "5", "rho": "0.84", "effective": "1.2"}),
            # a drift of 8 % gave [8e-170, 1e173] before there was a floor
            ([100, 102, 104, 106, 108], {"n": "5", "rho": "0.84", "effective": "1.2"}),
        ],
    )
    def test_values_worth_fewer_than_two_give_no_interval(self, values: list[int], figures: dict[str, str]) -> None:
        for between in (None, samples.Between(u=0.01)):
            found = samples.limit_interval(values, between=between)
            assert (found.interval, found.reason) == (None, "few_independent_values")
            assert found.figures == figures
            assert found.value is not None

    def test_the_floor_leaves_the_ratio_of_both_sides_alone(self) -> None:
        drift = [100, 102, 104, 106, 108]
        found = samples.ratio_before_after(drift, [3 * value for value in drift])
        assert found.interval is not None
        assert found.reason == "high_autocorrelation"

    @settings(max_examples=200, deadline=None)
    @given(st.lists(st.integers(90, 110), min_size=2, max_size=12))
    def test_an_interval_needs_values_worth_two(self, values: list[int]) -> None:
        """By an inflation summed term by term; values without spread have an interval without width."""
        found = samples.limit_interval(values)
        if len(set(values)) > 1:
            assert found.rho is not None
            worth = len(values) / direct_inflation(len(values), found.rho)
            assert (found.reason == "few_independent_values") == (worth < 2)
            assert (found.interval is None) == (worth < 2)

    def test_one(self) -> None:
        found = samples.limit_interval([Fraction(5, 2)])
        assert (found.value, found.interval, found.method, found.reason) == (2.5, None, "single", "one_value")

    @pytest.mark.parametrize("n", [2, 3, 7, 100])
    @pytest.mark.parametrize("value", [1, 7, 5440, 10**15 + 7])
    def test_no_spread_gives_exactly_the_value(self, n: int, value: int) -> None:
        """Not the value less a rounding error: it may stand at the limit itself."""
        found = samples.limit_interval([value] * n)
        assert found.value == value
        assert found.interval == samples.Interval(low=float(value), high=float(value), level=0.95)

    def test_high_autocorrelation(self) -> None:
        found = samples.limit_interval([1000 + 5 * (i % 10) for i in range(40)])
        assert found.reason == "high_autocorrelation"
        assert found.interval is not None

    def test_not_positive(self) -> None:
        found = samples.limit_interval([0, 1, 2, 3])
        assert (found.value, found.interval, found.reason) == (None, None, "non_positive")


class TestProperties:
    @settings(max_examples=150, deadline=None)
    @given(durations, durations, st.sampled_from([None, samples.Between(u=0.01, freedom=2)]))
    def test_swapping_the_sides_inverts_everything(
        self, x: list[int], y: list[int], between: samples.Between | None
    ) -> None:
        there = samples.ratio_before_after(x, y, between=between)
        back = samples.ratio_before_after(y, x, between=between)
        assert there.ratio is not None
        assert back.ratio == pytest.approx(1 / there.ratio)
        assert (back.method, back.reason) == (there.method, there.reason)
        if there.interval is None or back.interval is None:
            assert there.interval is back.interval
        else:
            assert back.interval.low == pytest.approx(1 / there.interval.high, rel=1e-6)
            assert back.interval.high == pytest.approx(1 / there.interval.low, rel=1e-6)

    @settings(max_examples=150, deadline=None)
    @given(durations, durations)
    def test_always_finite_and_ordered(self, x: list[int], y: list[int]) -> None:
        found = samples.ratio_before_after(x, y)
        assert found.ratio is not None
        assert math.isfinite(found.ratio)
        if found.interval is None:
            assert found.distinguishable == "cannot be known"
            assert found.reason
            return
        assert 0 < found.interval.low <= found.ratio <= found.interval.high < math.inf

    @settings(max_examples=60, deadline=None)
    @given(durations)
    def test_a_sample_is_not_told_apart_from_itself(self, x: list[int]) -> None:
        found = samples.ratio_before_after(x, x)
        assert found.ratio == 1
        assert found.distinguishable != "yes"


def task_durations(capture: str) -> list[Fraction]:
    """``Task Duration(us)`` of the op_summary of one capture, exact, in the order of the file."""
    (table,) = TWICE.glob(f"*{capture}*/mindstudio_profiler_output/op_summary_*.csv")
    with table.open(newline="", encoding="utf-8-sig") as lines:
        return [Fraction(row["Task Duration(us)"].strip()) for row in csv.DictReader(lines)]


@pytest.mark.corpus
@pytest.mark.skipif(
    not TWICE.is_dir(), reason="needs the corpus: REPORTGEN_CORPUS (msprof-910b-level0/matmul/torch-twice)"
)
class TestTheSameProgramTwice:
    """Two captures of one program (A/A): 700 calls of one kernel each."""

    def test_not_told_apart(self) -> None:
        before, after = task_durations("234341283"), task_durations("000452202")
        assert (len(before), len(after)) == (700, 700)
        assert (samples.median(before), samples.median(after)) == (Fraction("5.44"), Fraction("5.42"))
        found = samples.ratio_before_after(before, after)
        assert f"{found.ratio:.3f}" == "1.000"
        assert tuple(f"{end:.3f}" for end in ends(found)) == ("0.990", "1.005")
        assert (found.method, found.distinguishable, found.reason) == ("hodges-lehmann", "no", "")

    def test_the_inflation_makes_the_width(self) -> None:
        """rho 0.304, I 1.872, n_eff 374; the ranks alone would give [0.993, 1.004]."""
        before, after = task_durations("234341283"), task_durations("000452202")
        found = samples.ratio_before_after(before, after)
        assert found.rho == pytest.approx(0.304, abs=0.0005)
        assert found.n_effective_before == pytest.approx(373.9, abs=0.05)
        scale = math.sqrt(direct_inflation(700, found.rho or 0))
        low, high = ends(found)
        assert (f"{low ** (1 / scale):.3f}", f"{high ** (1 / scale):.3f}") == ("0.993", "1.004")

    def test_the_first_two_calls_are_warm_up_and_change_nothing(self) -> None:
        before, after = task_durations("234341283"), task_durations("000452202")
        assert samples.split_warmup(before) == samples.split_warmup(after) == (0, 1)
        found = samples.ratio_before_after(before[2:], after[2:])
        assert tuple(f"{end:.3f}" for end in (found.ratio or 0, *ends(found))) == ("1.000", "0.990", "1.005")


def test_importing_is_cheap() -> None:
    """Neither numpy nor scipy comes with the module, and scipy.stats not even with its use."""
    code = (
        "import sys; from reportgen import samples, intervals; heavy = {'numpy', 'scipy'} & set(sys.modules);"
        "samples.ratio_before_after([1, 2, 3, 4] * 20, [1, 2, 3, 4] * 20); samples.limit_interval([1, 2, 3, 4]);"
        "sys.exit(repr(heavy) if heavy else 'scipy.stats' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


class TestNumbersNoFloatHolds:
    """10 ** 400 and 10 ** -400 are exact numbers; the largest float is near 1.8 * 10 ** 308."""

    huge, tiny = Fraction(10**400), Fraction(1, 10**400)

    @pytest.mark.parametrize("count", [1, 3, 5])
    @pytest.mark.parametrize(("left", "right"), [(huge, tiny), (tiny, huge), (huge, Fraction(1))])
    def test_a_ratio_no_float_holds_is_none(self, count: int, left: Fraction, right: Fraction) -> None:
        found = samples.ratio_before_after([left] * count, [right] * count)
        assert (found.ratio, found.interval, found.distinguishable) == (None, None, "cannot be known")

    @pytest.mark.parametrize("one", [huge, tiny])
    def test_a_ratio_that_a_float_holds_stands(self, one: Fraction) -> None:
        # 2 x / x = 2; logs near 921 leave 3 digits fewer
        for count in (1, 3, 5):
            found = samples.ratio_before_after([one] * count, [2 * one] * count)
            assert found.ratio == pytest.approx(2, rel=1e-12)

    @pytest.mark.parametrize("one", [huge, tiny])
    def test_a_value_no_float_holds_is_none(self, one: Fraction) -> None:
        for values in ([one], [one, 2 * one], [one, 2 * one, one, 2 * one, one]):
            found = samples.limit_interval(values)
            assert (found.value, found.interval) == (None, None)
        mixed = samples.limit_interval([one, 1 / one, one, 1 / one])
        assert (mixed.value, mixed.interval) == (None, None)

    def test_ties_beyond_the_floats_stay_ties(self) -> None:
        assert samples.autocorrelation([self.huge] * 4, [self.tiny] * 4) is None
        assert samples.autocorrelation([self.huge, 2 * self.huge, self.huge, 2 * self.huge]) is not None

    @given(st.fractions(min_value=Fraction(1, 10**60), max_value=10**60))
    def test_the_logarithm_is_that_of_the_standard_library_where_it_has_one(self, value: Fraction) -> None:
        if value > 0:
            assert samples._log(value) == math.log(float(value))

    def test_the_logarithm_beyond_is_ten_times_one(self) -> None:
        assert samples._log(self.huge) == pytest.approx(400 * math.log(10), rel=1e-15)
        assert samples._log(self.tiny) == pytest.approx(-400 * math.log(10), rel=1e-15)
