"""An interval is that of the statistic judged: of values that scatter widely the geometric mean is another one."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import pytest
from run_files import Runs, decide, served
from scipy import stats

from reportgen import samples
from reportgen.model import Evaluation, Outcome, Quantity

TURNS = (1.0, 3.0, 1.2, 2.8, 1.4, 2.6, 1.1, 2.9, 1.3, 2.7)
"""Ten values up and down, so that no autocorrelation is found; mean 2, median (1.4 + 2.6) / 2 = 2."""


def interval_of(values: tuple[float, ...], of: str, between: samples.Between | None = None) -> tuple[float, float]:
    found = samples.limit_interval(values, of=of, between=between).interval
    assert found is not None
    return found.low, found.high


def test_of_a_mean_it_reaches_as_far_as_the_t_interval_of_the_mean() -> None:
    logs = [math.log(value) for value in TURNS]
    low, high = (stats.t.interval(0.95, 9, loc=sum(some) / 10, scale=stats.sem(some)) for some in (logs, TURNS))
    assert interval_of(TURNS, "") == pytest.approx((math.exp(low[0]), math.exp(low[1])))
    assert interval_of(TURNS, "mean") == pytest.approx((min(math.exp(low[0]), high[0]), max(math.exp(low[1]), high[1])))
    assert interval_of(TURNS, "mean")[1] == pytest.approx(high[1])  # the upper end is that of the mean


def test_of_a_median_it_reaches_as_far_as_its_ranks() -> None:
    """Of ten values the second and the ninth: P(B < 2) = 11 / 1024 is within 2.5 %, P(B < 3) = 56 / 1024 is not."""
    low, high = interval_of(TURNS, "median")
    assert (low, high) == (1.1, 2.9)
    assert (low, high) == pytest.approx((min(interval_of(TURNS, "")[0], 1.1), max(interval_of(TURNS, "")[1], 2.9)))


@pytest.mark.parametrize(("n", "cut"), [(5, 0), (6, 1), (8, 1), (9, 2), (10, 2), (20, 6), (60, 22)])
def test_the_ranks_of_a_median(n: int, cut: int) -> None:
    """The largest k with P(B < k) <= 2.5 %, by the binomial distribution of scipy."""
    assert samples._median_cut(n, Fraction(25, 1000)) == cut
    assert stats.binom.cdf(cut - 1, n, 0.5) <= 0.025 < stats.binom.cdf(cut, n, 0.5)


def test_what_is_known_between_runs_is_added() -> None:
    between = samples.Between(u=0.1)
    share = stats.sem(TURNS) / 2
    wide = math.hypot(share, 0.1)
    freedom = wide**4 / (share**4 / 9)
    half = stats.t.ppf(0.975, freedom) * wide
    _low, high = interval_of(TURNS, "mean", between)
    assert high == pytest.approx(2 * (1 + half))
    assert interval_of(TURNS, "mean", samples.Between(u=5.0))[0] == 0  # no time is below 0


def test_of_the_ratio_of_means_it_reaches_as_far_as_that_of_the_means() -> None:
    """AFTER scatters little around the same mean: log(2 / 2) -+ t u_c, u_c^2 = (s / (sqrt(10) 2))^2 of both sides."""
    little = tuple(2 + (value - 2) / 20 for value in TURNS)
    plain, of = (samples.ratio_before_after(TURNS, little, of=word) for word in ("", "mean"))
    assert plain.interval is not None
    assert of.interval is not None
    shares = [stats.sem(values) / 2 for values in (TURNS, little)]
    u_c = math.hypot(*shares)
    half = stats.t.ppf(0.975, u_c**4 / sum(share**4 / 9 for share in shares)) * u_c
    assert of.interval.low == pytest.approx(min(plain.interval.low, math.exp(-half)))
    assert of.interval.high == pytest.approx(max(plain.interval.high, math.exp(half)))
    assert (of.ratio, of.method) == (plain.ratio, "hodges-lehmann-mean")


def test_an_interval_that_does_not_hold_the_value_is_not_made_to_hold_it() -> None:
    values = (*(1.0 + n % 3 / 100 for n in range(40)), 50.0)
    assert interval_of(values, "mean") == interval_of(values, "")


@pytest.mark.parametrize(("limit", "outcome"), [("605 ms", Outcome.UNDECIDED), ("625 ms", Outcome.MET)])
def test_a_mean_of_requests_near_its_limit_is_not_met(
    tmp_path: object, pair: Evaluation, limit: str, outcome: Outcome
) -> None:
    """200 times of a mean of 0.6 s and 25 %: 0.6 s -+ 1.97 x 0.15 / sqrt(200) = 0.579 to 0.621 s."""
    chance = Random(11)
    drawn = [chance.gauss(0.6, 0.15) for _ in range(200)]
    mean = sum(drawn) / 200
    times = [round(value - mean + 0.6, 4) for value in drawn]
    goal = {"metric": "latency", "kind": "ttft", "statistic": "mean", "direction": "at_most", "subject": "after",
            "limit": limit}  # fmt: skip
    runs = Runs(after=(served("40", ttfts=times),), goal=goal, rule="guarded")
    found = decide(tmp_path, runs, pair).judgement  # type: ignore[arg-type]
    assert isinstance(found.value, Quantity)
    assert found.value.value == pytest.approx(600e6, rel=1e-5)
    assert found.interval is not None
    assert float(found.interval.high.value) == pytest.approx(621e6, rel=5e-3)
    assert found.outcome is outcome
