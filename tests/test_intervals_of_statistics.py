"""An interval is that of the statistic judged: of values that scatter widely the geometric mean is another one."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from jobs import AFTER, TORCH, Pace, write_pair
from run_files import Runs, decide, served
from scipy import stats
from test_known_spread import LIMIT
from test_repeats import GOAL, HEAD

from reportgen import samples
from reportgen.contract import read_target
from reportgen.known_spread import with_known
from reportgen.model import Evaluation, KnownSpread, Measurement, Outcome, Quantity
from reportgen.pipeline import evaluate

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
    assert samples.limit_interval(values, of="mean").method == "corrected-t"


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


# --------------------------------------------------------------------------------------------- of captures
def test_of_a_quotient_of_sums_it_reaches_as_far_as_that_of_the_quotient() -> None:
    """Ratio estimator (Cochran, 6.3): r -+ t(9) s / sqrt(10), s of the residuals w (v - r) / mean w, no correlation."""
    weights = [3, 1, 2, 1, 2, 1, 3, 1, 2, 1]
    v, w = np.asarray(TURNS), np.asarray(weights, dtype=float)
    r = (v * w).sum() / w.sum()
    half = stats.t.ppf(0.975, 9) * (w * (v - r) / w.mean()).std(ddof=1) / math.sqrt(10)
    plain = samples.limit_interval(TURNS).interval
    found = samples.limit_interval([Fraction(x) for x in TURNS], of="weighted", weights=weights)
    assert plain is not None
    assert found.interval is not None
    ends = (min(plain.low, r - half), max(plain.high, r + half))
    assert (found.interval.low, found.interval.high) == pytest.approx(ends)
    assert found.method == "one-side-weighted"


def test_weights_alike_give_the_interval_of_the_mean() -> None:
    found = samples.limit_interval(TURNS, of="weighted", weights=[7] * 10).interval
    assert found is not None
    assert (found.low, found.high) == pytest.approx(interval_of(TURNS, "mean"))


@pytest.mark.parametrize("n", [1001, 1002, 1500, 2317, 5000, 40_000])
def test_above_a_thousand_values_the_ranks_are_never_nearer_than_counted(n: int) -> None:
    cut = samples._median_cut(n, Fraction(25, 1000))
    assert stats.binom.cdf(cut - 1, n, 0.5) <= 0.025
    assert stats.binom.cdf(cut + 1, n, 0.5) > 0.025  # and by no more than one


class Steps(NamedTuple):
    """A pair of captures of 21 step windows that scatter by 6 %."""

    before: Path
    after: Path
    found: Evaluation


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> Steps:
    root = tmp_path_factory.mktemp("kinds")
    pace = Pace(step_noise_ppm=60_000)
    before, after = write_pair(root, *(replace(spec, steps=22, pace=pace) for spec in (TORCH, AFTER)))
    return Steps(before, after, evaluate(before, after))


def side_of(found: Evaluation, metric: str) -> Measurement:
    row = next(row for row in found.comparisons if row.metric == metric and row.after is not None)
    assert row.after is not None
    return row.after


def widened(sample: Sequence[int | Fraction]) -> float:
    """sqrt(I) of the lag-1 correlation of the logarithms."""
    found = samples.autocorrelation(sample)
    assert found is not None
    return math.sqrt(samples.inflation(len(sample), found.rho))


def ends_of(one: Measurement) -> tuple[float, float]:
    assert one.interval is not None
    return float(one.interval.low.value), float(one.interval.high.value)


def of_quotient(values: Sequence[int | Fraction], weights: Sequence[int | Fraction]) -> tuple[float, float]:
    """The interval of the logarithms, moved out to r -+ t(n_eff - 1) u, by numpy and scipy."""
    v, w = (np.asarray([float(x) for x in some]) for some in (values, weights))
    r = (v * w).sum() / w.sum()
    n_eff = len(v) / widened(values) ** 2
    e = w * (v - r) / w.mean()
    half = stats.t.ppf(0.975, n_eff - 1) * math.sqrt((e**2).sum() / (len(v) * (1 - 1 / n_eff)) / n_eff)
    plain = samples.limit_interval(values).interval
    assert plain is not None
    assert plain.low <= r <= plain.high
    return min(plain.low, r - half), max(plain.high, r + half)


def kept(steps: Steps) -> list[str]:
    sample = side_of(steps.found, "step_time").sample
    assert sample is not None
    return list(sample.labels)


def kernels(steps: Steps, *columns: str) -> dict[str, list[Fraction]]:
    """Kept step -> the sums of the columns over the step's rows in which the first is not 0, as written."""
    (table,) = steps.after.rglob("kernel_details.csv")
    sums = {step: [Fraction(0)] * len(columns) for step in kept(steps)}
    with table.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["Step Id"] in sums and row[columns[0]] not in ("", "N/A") and Fraction(row[columns[0]]):
                sums[row["Step Id"]] = [
                    a + Fraction(row[b]) for a, b in zip(sums[row["Step Id"]], columns, strict=True)
                ]
    return sums


@pytest.mark.parametrize("metric", ["step_time", "computing", "device_span"])
def test_the_interval_of_a_captures_median_reaches_as_far_as_its_ranks(steps: Steps, metric: str) -> None:
    """Of the kept steps the k-th from both ends, k by the binomial distribution of scipy."""
    one = side_of(steps.found, metric)
    assert one.sample is not None
    assert one.interval is not None
    ordered = sorted(float(value) for value in one.sample.values)
    cut = int(stats.binom.ppf(0.025, len(ordered), 0.5))
    middle = float(np.median(ordered))
    scale = widened(one.sample.values)
    assert float(one.interval.low.value) <= middle - (middle - ordered[cut - 1]) * scale * (1 - 1e-12)
    assert float(one.interval.high.value) >= middle + (ordered[-cut] - middle) * scale * (1 - 1e-12)
    assert one.interval.method == "one-side-median"


@pytest.mark.parametrize("metric", ["computing_share", "free_share"])
def test_the_interval_of_a_share_of_step_time_reaches_as_far_as_that_of_the_quotient(steps: Steps, metric: str) -> None:
    """Each step weighs by its window; the quotient printed is sum of the part over sum of the windows."""
    one, windows = side_of(steps.found, metric), side_of(steps.found, "step_time").sample
    assert one.sample is not None
    assert one.interval is not None
    assert windows is not None
    v, w = (np.asarray([float(x) for x in some.values]) for some in (one.sample, windows))
    r = (v * w).sum() / w.sum()
    assert isinstance(one.summary, Quantity)
    assert float(one.summary.value) == pytest.approx(r)
    assert ends_of(one) == pytest.approx(of_quotient(one.sample.values, windows.values))
    assert one.interval.method == "one-side-weighted"


@pytest.mark.parametrize(("metric", "whole", "part"), [
    ("aic_mac_ratio", "aicore_time(us)", "aic_mac_time(us)"), ("aiv_vec_ratio", "aiv_time(us)", "aiv_vec_time(us)"),
])  # fmt: skip
def test_a_ratio_of_a_unit_weighs_its_steps_by_their_total_time(
    steps: Steps, metric: str, whole: str, part: str
) -> None:
    sums = kernels(steps, whole, part).values()
    quotients = [part / whole for whole, part in sums]
    found = side_of(steps.found, metric)
    assert ends_of(found) == pytest.approx(of_quotient(quotients, [whole for whole, _ in sums]), rel=1e-10)


def test_a_clock_weighs_its_steps_by_their_time(steps: Steps) -> None:
    """Rows of the cube cores run in one wave: their blocks are no more than the cores."""
    sums = kernels(steps, "aicore_time(us)", "aic_total_cycles").values()
    one = side_of(steps.found, "pmu_clock")
    assert one.dimensions.part == "aic"
    assert one.sample is not None
    scale = Fraction(one.sample.values[0]) / (next(iter(sums))[1] / next(iter(sums))[0])  # waves / blocks, units
    quotients = [scale * cycles / time for time, cycles in sums]
    assert list(one.sample.values) == quotients
    assert ends_of(one) == pytest.approx(of_quotient(quotients, [time for time, _ in sums]), rel=1e-10)


def test_a_bandwidth_weighs_its_steps_by_the_time_of_transit(steps: Steps) -> None:
    (table,) = steps.after.rglob("communication.json")
    per_step = json.loads(table.read_text(encoding="utf-8"), parse_float=Fraction)
    pairs = [
        [sum(Fraction(one["Communication Bandwidth Info"]["HCCS"][key]) for one in collectives)
         for key in ("Transit Size(MB)", "Transit Time(ms)")]
        for step in per_step.values() if (collectives := [
            one for name, one in step["collective"].items() if "Total Op Info" not in name
        ])
    ]  # fmt: skip
    one = next(
        row.after for row in steps.found.comparisons
        if row.metric == "link_bandwidth" and row.dimensions.part == "HCCS" and row.after is not None
    )  # fmt: skip
    assert one.sample is not None
    assert list(one.sample.values) == [size / time * 10**9 for size, time in pairs]
    assert ends_of(one) == pytest.approx(of_quotient(one.sample.values, [time for _, time in pairs]), rel=1e-10)


def test_a_limit_between_the_two_intervals_is_not_met(steps: Steps, tmp_path: Path) -> None:
    """The limit lies beyond the interval of the logarithms, and within the ranks of the median: undecided."""
    one = side_of(steps.found, "step_time")
    assert one.sample is not None
    assert one.interval is not None
    plain = samples.limit_interval(one.sample.values).interval
    assert plain is not None
    limit = (plain.high + float(one.interval.high.value)) / 2
    assert plain.high < limit < float(one.interval.high.value)
    for wanted, outcome in ((limit, Outcome.UNDECIDED), (float(one.interval.high.value) + 1, Outcome.MET)):
        goal = {**LIMIT, "limit": f"{wanted / 1e6:.9f} ms"}
        (tmp_path / "target.toml").write_text(HEAD + GOAL.format(**goal), encoding="utf-8")
        found = evaluate(steps.before, steps.after, target=read_target(tmp_path / "target.toml"))
        assert found.verdict is not None
        assert found.verdict.judgements[0].outcome is outcome


MEAN = {**LIMIT, "statistic": "mean"}
MOST = {"after": "9 s", "ratio": "900%", "delta": "9 s"}


@pytest.mark.parametrize("subject", ["after", "ratio", "delta"])
def test_a_goal_on_the_mean_of_a_capture_has_the_interval_of_the_mean(
    steps: Steps, tmp_path: Path, subject: str
) -> None:
    """By scipy: of one side as above; of both log(b / a) -+ t u_c (JCGM 100:2008, 5.1.2); a delta: less 1, times a."""
    goal = {**MEAN, "subject": subject, "limit": MOST[subject]}
    (tmp_path / "target.toml").write_text(HEAD + GOAL.format(**goal), encoding="utf-8")
    found = evaluate(steps.before, steps.after, target=read_target(tmp_path / "target.toml"))
    assert found.verdict is not None
    (one,) = found.verdict.judgements
    row = next(row for row in steps.found.comparisons if row.metric == "step_time")
    assert row.before is not None and row.after is not None  # noqa: PT018
    assert row.before.sample is not None and row.after.sample is not None  # noqa: PT018
    b, a = ([float(x) for x in side.sample.values] for side in (row.before, row.after))  # type: ignore[union-attr]
    means = sum(b) / len(b), sum(a) / len(a)
    value = {"after": means[1], "ratio": means[1] / means[0], "delta": means[1] - means[0]}[subject]
    assert isinstance(one.value, Quantity)
    assert float(one.value.value) == pytest.approx(value)
    assert one.outcome is Outcome.MET
    assert one.interval is not None
    ends = float(one.interval.low.value), float(one.interval.high.value)
    if subject == "after":
        assert ends == pytest.approx(of_quotient(row.after.sample.values, [1] * len(a)))
        assert one.interval.method == "one-side-mean"
        return
    correlation = samples.autocorrelation(row.before.sample.values, row.after.sample.values)
    assert correlation is not None
    parts = []
    for values, mean in zip((b, a), means, strict=True):
        n, n_eff = len(values), len(values) / samples.inflation(len(values), correlation.rho)
        squares = sum((x - mean) ** 2 for x in values) / (n * (1 - 1 / n_eff)) / n_eff / mean**2
        parts.append((squares, n_eff - 1))
    whole = sum(square for square, _ in parts)
    half = stats.t.ppf(0.975, whole**2 / sum(s**2 / f for s, f in parts)) * math.sqrt(whole)
    assert row.interval is not None
    plain = float(row.interval.low.value), float(row.interval.high.value)
    ratio = means[1] / means[0]
    wide = min(plain[0], ratio * math.exp(-half)), max(plain[1], ratio * math.exp(half))
    assert ends == pytest.approx(wide if subject == "ratio" else [(end - 1) * means[0] for end in wide])
    assert one.interval.method == "hodges-lehmann-mean"


def test_a_maximum_of_a_capture_has_no_interval(steps: Steps, tmp_path: Path) -> None:
    (tmp_path / "target.toml").write_text(HEAD + GOAL.format(**{**MEAN, "statistic": "max"}), encoding="utf-8")
    found = evaluate(steps.before, steps.after, target=read_target(tmp_path / "target.toml"))
    assert found.verdict is not None
    assert found.verdict.judgements[0].reason.code == "no_interval_once"


def test_what_is_known_between_captures_is_added_to_the_median(steps: Steps) -> None:
    """u_B of 5 % with endless freedom: sqrt((end - median)^2 + (1.959964 x 0.05 median)^2) to each side at least."""
    one = side_of(steps.found, "step_time")
    assert one.interval is not None
    assert isinstance(one.summary, Quantity)
    known = KnownSpread(
        metric="step_time", of="captures", value=Quantity(value=Fraction(1, 20), unit="1"), count=None, source="target"
    )
    (wide,) = with_known([one], [known], ["step_time"])
    assert wide.interval is not None
    middle, more = float(one.summary.value), 1.959964 * 0.05 * float(one.summary.value)
    low, high = (float(end.value) for end in (one.interval.low, one.interval.high))
    assert float(wide.interval.high.value) >= middle + math.hypot(high - middle, more) * (1 - 1e-6)
    assert float(wide.interval.low.value) <= middle - math.hypot(middle - low, more) * (1 - 1e-6)
