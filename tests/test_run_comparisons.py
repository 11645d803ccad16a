"""Figures of runs outside the profile, whether a goal is on them or not: delta, ratio, interval, word, and why none."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from run_families import FAMILIES
from run_files import (
    RATE,
    STEADY,
    STEP,
    Content,
    Name,
    Runs,
    decide,
    figures,
    fsdp2,
    held_to_goals,
    megatron,
    served,
)
from scipy import stats

from reportgen.model import (
    Comparability,
    Comparison,
    EquivalenceBand,
    Evaluation,
    Identity,
    Judgement,
    KnownSpread,
    LoggedRun,
    LoggedSeries,
    LoggedValue,
    Missing,
    Origin,
    Outcome,
    PairStanding,
    Quantity,
    Reason,
    RunComparison,
    Sample,
    Side,
    Stated,
    Status,
    Target,
)
from reportgen.outside import left_out
from reportgen.run_comparisons import Ground, barred, compare_figures, lone_runs, one_sided, regressed, untold
from tests import test_law_of_results as results
from tests.test_elsewhere import ALIKE, MS, run, steps, target, value

TIME = {"metric": "latency", "kind": "ttft", "statistic": "mean", "direction": "at_most", "subject": "ratio",
        "limit": "110%"}  # fmt: skip
TTFT = ("latency", "ttft", "mean")


def compared(*runs: LoggedRun, agreed: Target | None = None, pair: Comparability = ALIKE) -> list[RunComparison]:
    """Every figure of runs of one case that are held against each other."""
    agreed = agreed or target()
    ground = Ground(cases=agreed.cases, target=agreed, runs=runs, run_facts=(), facts=(), comparability=pair)
    return list(compare_figures(ground))


def only(*runs: LoggedRun, agreed: Target | None = None) -> RunComparison:
    (one,) = compared(*runs, agreed=agreed)
    return one


def side(which: Side, *written: str) -> list[LoggedRun]:
    """Runs that print a mean time per token in ms."""
    return [run(which, value("latency", "tpot", "mean", text), n=n) for n, text in enumerate(written)]


# ------------------------------------------------------------------------------------------------ what is formed
def test_one_figure_each_has_a_delta_and_no_word() -> None:
    one = only(*side(Side.BEFORE, "53.00"), *side(Side.AFTER, "50.71"))
    row = one.comparison
    assert (row.status, row.reason.code, row.interval) == (Status.UNKNOWN, "one_figure_each", None)
    assert row.delta == Quantity(value=-2_290_000, unit="ns")  # 50.71 - 53.00 ms
    assert row.change == Quantity(value=Fraction(5071, 5300) - 1, unit="1")
    assert (one.runs, one.values, one.goals) == ((1, 1), (0, 0), ())


def test_three_runs_of_each_side_have_the_interval_of_fieller() -> None:
    before, after = ("100.0", "101.0", "99.3"), ("80.2", "81.0", "79.4")
    row = only(*side(Side.BEFORE, *before), *side(Side.AFTER, *after)).comparison
    # Fieller with Welch-Satterthwaite degrees of freedom (docs/statistics.md 2.0), written out on floats
    (a, sa), (b, sb) = ((sum(v) / 3, stats.tstd(v)) for v in ([*map(float, before)], [*map(float, after)]))
    ua, ub = sa**2 / 3, sb**2 / 3
    t = stats.t.ppf(0.975, (ua + ub) ** 2 / (ua**2 / 2 + ub**2 / 2))
    ha, hb = t * ua**0.5, t * ub**0.5
    root = ((a * b) ** 2 - (a**2 - ha**2) * (b**2 - hb**2)) ** 0.5
    low, high = ((a * b - root) / (a**2 - ha**2), (a * b + root) / (a**2 - ha**2))
    assert row.interval is not None
    assert float(row.interval.low.value) == pytest.approx(low, rel=1e-9)
    assert float(row.interval.high.value) == pytest.approx(high, rel=1e-9)
    assert (row.status, row.reason.code) == (Status.IMPROVED, "runs_differ")


def test_two_runs_of_each_side_tell_large_changes_alone() -> None:
    row = only(*side(Side.BEFORE, "100.0", "100.4"), *side(Side.AFTER, "50.0", "50.3")).comparison
    assert (row.status, row.reason.code) == (Status.IMPROVED, "two_runs")
    row = only(*side(Side.BEFORE, "100.0", "104.0"), *side(Side.AFTER, "99.0", "103.0")).comparison
    assert (row.status, row.reason.code) == (Status.NO_DIFFERENCE, "two_runs")


def test_one_run_against_three_is_not_told() -> None:
    row = only(*side(Side.BEFORE, "100.0"), *side(Side.AFTER, "80.2", "81.0", "79.4")).comparison
    assert (row.status, row.reason.code) == (Status.UNKNOWN, "one_run_against_several")


@pytest.mark.parametrize(
    ("runs", "code"),
    [
        ((run(Side.BEFORE, series=steps(*range(200, 212))), run(Side.AFTER, series=steps(*range(150, 162)))),
         "single_run"),
        ((*side(Side.BEFORE, "100.0", "104.0"), *side(Side.AFTER, "99.0", "103.0")), "two_runs"),
        ((*side(Side.BEFORE, "100.0", "104.0"), *side(Side.AFTER, "99.0", "103.0", "101.0")), "two_runs"),
        ((*side(Side.BEFORE, "100.0", "104.0", "99.5"), *side(Side.AFTER, "99.0", "103.0", "101.0")), ""),
        ([run(which, value("failed", "", "count", "0", 1, "1")) for which in Side], "single_run_bare"),
        ((*side(Side.BEFORE, "100.0"), *side(Side.AFTER, "99.0")), ""),  # no word, so nothing stands beside it
        ((*side(Side.BEFORE, "100.0"), *side(Side.AFTER, "99.0", "98.0")), ""),
    ],
)  # fmt: skip
def test_beside_a_word_stands_what_so_few_runs_do_not_show(runs: list[LoggedRun], code: str) -> None:
    one = next(one for one in compared(*runs) if one.statistic in ("mean", "count"))
    assert [reason.code for reason in one.caveats] == [code] * bool(code)


def test_steps_all_alike_do_not_show_how_they_spread() -> None:
    found = compared(run(Side.BEFORE, series=steps(*[200] * 8)), run(Side.AFTER, series=steps(*[150] * 8)))
    assert {one.statistic: one.comparison.status for one in found} == dict.fromkeys(
        ("mean", "median", "p90", "p99"), Status.UNKNOWN
    )
    assert {one.comparison.reason.code for one in found} == {"run_values_alike"}


def test_runs_that_vary_by_more_than_their_mean_give_no_interval() -> None:
    # 1, 100, 1000: mean 367, h = 4.30 x 549.9 / sqrt 3 = 1366, so that the mean of BEFORE may be 0.
    found = compared(*side(Side.BEFORE, "1.0", "100.0", "1000.0"), *side(Side.AFTER, "99.0", "103.0", "101.0"))
    row = found[0].comparison
    assert (row.status, row.reason.code, row.interval) == (Status.UNKNOWN, "runs_scatter", None)


def table(times: tuple[str, ...]) -> str:
    """A table of steps."""
    return "step,step_time_ms\n" + "".join(f"{n},{ms}\n" for n, ms in enumerate(times, 1))


UNEVEN, EVEN = ("500", "510", "505", "495", "500", "502", "498", "506"), ("400",) * 8
"""The median of the first is 501."""
MOSTLY = (("530",) * 5 + ("540",) + ("530",) * 6, ("380",) * 9 + ("390",) + ("380",) * 2)
"""Of 144 quotients 121 are 380 / 530, so that both ends of an interval of ranks are."""


@pytest.mark.parametrize(
    ("before", "after", "quotient"),
    [
        (UNEVEN, EVEN, Fraction(400, 501)), (EVEN, UNEVEN, Fraction(501, 400)),
        (EVEN, ("300",) * 8, Fraction(3, 4)), (*MOSTLY, Fraction(38, 53)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("known", ["", "5%"])
def test_steps_alike_on_a_side_give_no_interval_whatever_the_other_side_shows(
    before: tuple[str, ...], after: tuple[str, ...], quotient: Fraction, known: str, tmp_path: Path, pair: Evaluation
) -> None:
    """docs/target.md: neither the table nor a goal holds one side's spread for that of both; nor is u_B a cure."""
    spread = f'[[between_captures]]\nmetric = "step_time"\nof = "runs"\nrelative_sd = "{known}"\ndetermined = "d"\n'
    runs = Runs(before=(table(before),), after=(table(after),), goal={**STEP, "limit": "100%"}, rule="guarded",
                tables=spread if known else "")  # fmt: skip
    row = figures(tmp_path / "figures", runs, pair)["step_time", "", "median"].comparison
    assert (row.status, row.reason.code, row.interval, row.estimate) == (Status.UNKNOWN, "run_values_alike", None, None)
    for subject, limit in (("ratio", "100%"), ("delta", "0 ms")):
        asked = runs.with_(goal={**STEP, "subject": subject, "limit": limit})
        judged = decide(tmp_path / subject, asked, pair).judgement
        assert (judged.outcome, judged.reason.code, judged.interval) == (Outcome.UNDECIDED, "no_spread_guarded", None)
    simple = decide(tmp_path / "simple", runs.with_(rule="simple"), pair).judgement
    assert simple.value == Quantity(value=quotient, unit="1")  # of the medians: there is no estimate without interval
    assert simple.outcome is (Outcome.MET if quotient <= 1 else Outcome.NOT_MET)
    assert "no_interval_simple" in [one.code for one in simple.reservations]


@pytest.mark.parametrize("alike", ["before", "after"])
def test_runs_alike_on_a_side_give_no_interval_whatever_the_other_side_shows(
    alike: str, tmp_path: Path, pair: Evaluation
) -> None:
    means = {"before": (650.0, 655.0, 648.0), "after": (360.5, 340.0, 367.0), alike: (500.0,) * 3}
    runs = Runs(
        before=tuple(served(s, mean_ttft_ms=t) for s, t in zip(("40", "40.2", "39.9"), means["before"], strict=True)),
        after=tuple(served(s, mean_ttft_ms=t) for s, t in zip(("36", "36.2", "35.9"), means["after"], strict=True)),
        goal={**TIME, "limit": "100%"}, rule="guarded",
    )  # fmt: skip
    row = figures(tmp_path / "figures", runs, pair)[TTFT].comparison
    judged = decide(tmp_path / "goal", runs, pair).judgement
    assert (row.status, row.reason.code, row.interval) == (Status.UNKNOWN, "run_values_alike", None)
    assert (judged.outcome, judged.reason.code, judged.interval) == (Outcome.UNDECIDED, "no_spread_guarded", None)


@pytest.mark.parametrize(
    ("before", "after", "status", "code"),
    [
        ("0", "0", Status.EQUAL, "exact_equal"),
        ("0", "3", Status.REGRESSED, "exact_differs"),
        ("3", "1", Status.IMPROVED, "exact_differs"),
    ],
)
def test_failed_requests_are_counted(before: str, after: str, status: Status, code: str) -> None:
    sides = [
        run(which, value("failed", "", "count", text, 1, "1"))
        for which, text in ((Side.BEFORE, before), (Side.AFTER, after))
    ]
    one = only(*sides)
    assert (one.exact, one.comparison.status, one.comparison.reason.code) == (True, status, code)


@pytest.mark.parametrize(("after", "status"), [("57.3", Status.NO_DIFFERENCE), ("57.4", Status.REGRESSED)])
def test_a_peak_of_memory_differs_only_beyond_its_digits(after: str, status: Status) -> None:
    # 57.2 GB is anything from 57.15 to 57.25 and 57.3 from 57.25: they may be equal, 57.4 may not
    gb = 10**9
    sides = [
        run(which, value("memory", "max_allocated", "max", text, gb, "B"))
        for which, text in ((Side.BEFORE, "57.2"), (Side.AFTER, after))
    ]
    assert only(*sides).comparison.status is status


@pytest.mark.parametrize(("after", "ranks", "told"), [("2", "8", True), ("2", "1", False), ("9", "8", False)])
def test_a_peak_of_fewer_ranks_or_of_another_iteration_is_not_held(after: str, ranks: str, *, told: bool) -> None:
    gb = 10**9
    sides = [
        run(which, value("memory", "max_allocated", "max", text, gb, "B"))
        for which, text in ((Side.BEFORE, "58.0"), (Side.AFTER, "50.0"))
    ]
    notes = [Reason.of("log_memory_early", after=reach[0], ranks=reach[1]) for reach in (("2", "8"), (after, ranks))]
    noted = [
        replace(one, run=replace(one.run, warnings=(note,))) for one, note in zip(sides, notes, strict=True)
    ]  # fmt: skip
    row = only(*noted).comparison
    assert [reason.code for reason in row.blocked] == ([] if told else ["memory_reaches_apart"])
    assert row.status is (Status.IMPROVED if told else Status.UNKNOWN)


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ((("2", "1"), ("2", "1")), (("2", "1"), ("2", "1")), True),
        ((("2", "1"), ("2", "8")), (("2", "1"), ("2", "8")), False),  # as many of each on both sides: no mean of peaks
        ((("2", "1"), ("9", "1")), (("9", "1"), ("2", "1")), False),
    ],
)
def test_peaks_of_repeats_reach_as_far_as_each_other(
    before: tuple[tuple[str, str], ...], after: tuple[tuple[str, str], ...], *, told: bool
) -> None:
    gb = 10**9
    sides = []
    for which, reaches, peaks in ((Side.BEFORE, before, ("58.0", "58.1")), (Side.AFTER, after, ("20.0", "20.1"))):
        for n, (reach, peak) in enumerate(zip(reaches, peaks, strict=True)):
            one = run(which, value("memory", "max_allocated", "max", peak, gb, "B"), n=n)
            note = Reason.of("log_memory_early", after=reach[0], ranks=reach[1])
            sides.append(replace(one, run=replace(one.run, warnings=(note,))))
    row = only(*sides).comparison
    assert [reason.code for reason in row.blocked] == ([] if told else ["memory_reaches_apart"])
    assert row.status is (Status.IMPROVED if told else Status.UNKNOWN)


def remembered(steps: int, *gib: str, ms: int = 1900) -> str:
    """A log of FSDP2 whose lines print the highest memory so far; the last amount stands on all later lines."""
    peaks = [*gib, *[gib[-1]] * (steps - len(gib))]
    lines = fsdp2([f"{one:.2f}" for one in noise(ms, ms, 9.0, steps)]).splitlines()
    return "".join(
        f"{line} max_memory_allocated(GB): {one} |\n" for line, one in zip(lines, peaks, strict=True)
    )  # fmt: skip


@pytest.mark.parametrize(
    ("steps", "gib", "status", "blocked"),
    [
        (12, ("19.65", "20.25"), Status.IMPROVED, []),
        (12, ("19.65", "21.52"), Status.REGRESSED, []),
        (12, ("19.65", "21.51"), Status.NO_DIFFERENCE, []),  # 2 x 0.005 GiB
        (12, ("21.50",), Status.EQUAL, []),
        (6, ("19.65",), Status.UNKNOWN, ["memory_reaches_apart"]),  # the peak of six steps may be passed in the seventh
    ],
)
def test_the_highest_memory_of_a_log_reaches_to_its_last_step(
    steps: int, gib: tuple[str, ...], status: Status, blocked: list[str], tmp_path: Path, pair: Evaluation
) -> None:
    runs = Runs(
        before=(remembered(12, "19.65", "21.50"),), after=(remembered(steps, *gib, ms=1800),), goal=STEP
    )  # fmt: skip
    row = figures(tmp_path, runs, pair)["memory", "max_allocated", "max"].comparison
    assert (row.status, [reason.code for reason in row.blocked]) == (status, blocked)


def test_the_digits_of_repeats_move_their_mean_by_the_mean_of_their_halves() -> None:
    """0.5 is 0.45 to 0.55 and the others are good to 0.0005: their mean to (0.05 + 0.0005 + 0.0005) / 3 = 0.017."""

    def told(*written: str) -> tuple[Status, str]:
        sides = [
            run(which, value("throughput", "requests_per_s", "mean", text, 1, "1/s"), n=n)
            for which, texts in ((Side.BEFORE, ("0.5", "0.501", "0.499")), (Side.AFTER, written))
            for n, text in enumerate(texts)
        ]
        row = only(*sides).comparison
        return row.status, row.reason.code

    assert told("0.45", "0.451", "0.449") == (Status.REGRESSED, "runs_differ")  # 0.05 > 0.017 + 0.002
    assert told("0.485", "0.486", "0.484") == (Status.NO_DIFFERENCE, "below_resolution")  # 0.015 < 0.017 + 0.0005


SHORT = ("1.9", "1.904", "1.898", "1.906", "1.892", "1.9", "1.905", "1.897", "1.906", "1.893", "1.9", "1.904")
"""Times in s, good to 1 ms; their writer leaves out zeros at the end."""


@pytest.mark.parametrize("as_json", [True, False])
def test_a_table_that_leaves_out_zeros_is_as_fine_as_its_finest_time(
    tmp_path: Path, pair: Evaluation, *, as_json: bool
) -> None:
    """Half a last digit of 1.9 is 50 ms, of all of them 0.5 ms: a step that takes 2 % less, 38 ms, is told."""

    def table_of(times: list[Fraction]) -> str:
        if as_json:
            return json.dumps([{"step": n, "step_time_s": float(s)} for n, s in enumerate(times, 1)])
        return "step,step_time_s\n" + "".join(f"{n},{float(s)}\n" for n, s in enumerate(times, 1))

    before = [Fraction(s) for s in SHORT]
    for name, mean, status in (("less", 1.862, Status.IMPROVED), ("alike", 1.9, Status.NO_DIFFERENCE)):
        times = [Fraction(str(s)) for s in noise(5, mean, 0.005, 12)]
        runs = Runs(before=(table_of(before),), after=(table_of(times),), goal=STEP)
        row = figures(tmp_path / name, runs, pair)["step_time", "", "median"].comparison
        assert row.status is status


def test_memory_printed_step_by_step_is_a_peak_and_no_sample() -> None:
    """A highest value so far never falls: its median would depend on where in the run it rose."""
    rising = [
        replace(one, metric="memory", kind="max_allocated", sample=replace(one.sample, unit="B"))
        for values in ((10, 10, 40, 40), (10, 39, 39, 39))
        for one in steps(*values)
    ]
    resolved = [replace(one, resolution=Quantity(value=MS, unit="B")) for one in rising]
    one = only(run(Side.BEFORE, series=(resolved[0],)), run(Side.AFTER, series=(resolved[1],)))
    assert (one.statistic, one.exact, one.comparison.delta) == ("max", True, Quantity(value=-MS, unit="B"))


def test_a_higher_throughput_is_better_and_a_longer_time_worse() -> None:
    def told(metric: str, kind: str, before: tuple[str, ...], after: tuple[str, ...]) -> Status:
        sides = [
            run(which, value(metric, kind, "mean", text, 1, "1/s"), n=n)
            for which, texts in ((Side.BEFORE, before), (Side.AFTER, after))
            for n, text in enumerate(texts)
        ]
        return only(*sides).comparison.status

    slow, fast = ("100.0", "100.5", "99.5"), ("150.0", "151.0", "149.0")
    assert told("throughput", "output_tokens_per_s", slow, fast) is Status.IMPROVED
    assert told("latency", "ttft", slow, fast) is Status.REGRESSED


def test_a_figure_of_one_side_is_none_of_both() -> None:
    both = compared(
        run(Side.BEFORE, value("latency", "tpot", "mean", "50.0"), value("latency", "ttft", "p90", "90.0")),
        run(Side.AFTER, value("latency", "tpot", "mean", "49.0")),
    )
    assert [(one.comparison.dimensions.part, one.statistic) for one in both] == [("tpot", "mean")]


def test_a_run_of_which_nothing_is_held_against_the_other_side_says_why() -> None:
    cases = target().cases
    served_runs = side(Side.BEFORE, "53.00") + side(Side.AFTER, "50.71")
    trained = run(Side.BEFORE, series=steps(200, 201, 199), n=7)
    empty = run(Side.AFTER, series=steps(), n=8)  # every line told of a skipped iteration
    partial = run(Side.AFTER, value("latency", "ttft", "p90", "90.0"), value("latency", "tpot", "mean", "50.0"), n=9)
    found = lone_runs(cases, [*served_runs, trained, empty, partial])
    assert [(one.side, one.file, one.reason.code) for one in found] == [
        (Side.BEFORE, trained.run.file.path, "run_without_partner"),
        (Side.AFTER, empty.run.file.path, "run_without_figures"),
    ]
    assert dict(found[0].reason.args) == {"side": "after", "figures": "step_time"}
    assert lone_runs(cases, served_runs) == ()
    assert lone_runs(cases, [trained]) == ()  # nothing stands on the other side, so nothing was left out of a table
    assert one_sided(cases, [*served_runs, trained, partial]) == (("C", "step_time", ""), ("C", "latency", "ttft"))
    assert one_sided([replace(cases[0], alone=True)], [trained]) == ()


def test_how_many_requests_a_percentile_is_of_is_no_figure() -> None:
    # MindIE and AISBench print N beside each latency: more requests are nothing worse
    both = compared(
        run(Side.BEFORE, value("latency", "ttft", "mean", "50.0"), value("latency", "ttft", "count", "8", 1, "1")),
        run(Side.AFTER, value("latency", "ttft", "mean", "49.0"), value("latency", "ttft", "count", "200", 1, "1")),
    )
    assert [one.statistic for one in both] == ["mean"]


def test_a_log_of_the_command_line_is_not_mixed_with_the_agreed_ones() -> None:
    more = replace(side(Side.AFTER, "10.00")[0], agreed=False)
    row = only(*side(Side.BEFORE, "53.00"), *side(Side.AFTER, "50.71"), more).comparison
    assert row.after is not None
    assert row.after.summary == Quantity(value=50_710_000, unit="ns", written="50.71")


# ------------------------------------------------------------------------------------------------ goals on the same
def noise(seed: int, mean: float, sd: float, n: int = 200) -> tuple[float, ...]:
    chance = random.Random(seed)
    return tuple(round(chance.gauss(mean, sd), 3) for _ in range(n))


def test_a_figure_with_a_goal_has_the_interval_that_the_goal_was_judged_by(tmp_path: Path, pair: Evaluation) -> None:
    served_runs = Runs(before=(served("40", ttfts=noise(1, 0.66, 0.1)),), goal=TIME,
                       after=(served("38", ttfts=noise(2, 0.60, 0.1)),), rule="guarded")  # fmt: skip
    trained = Runs(
        before=tuple(megatron([str(t) for t in noise(n, 512.0 + n, 5.0, 40)]) for n in (3, 4, 5)),
        after=tuple(megatron([str(t) for t in noise(n, 410.0 + n, 5.0, 40)]) for n in (6, 7, 8)),
        goal=STEP, rule="guarded",
    )  # fmt: skip
    for name, runs, key in (("served", served_runs, TTFT), ("trained", trained, ("step_time", "", "median"))):
        judgement = decide(tmp_path / name, runs, pair).judgement
        one = figures(tmp_path / f"{name}-figures", runs, pair)[key]
        assert one.goals == ("G",)
        assert one.comparison.interval == judgement.interval
        assert one.comparison.interval is not None


def test_figures_without_a_goal_have_their_word_too(tmp_path: Path, pair: Evaluation) -> None:
    runs = Runs(before=(served("40", ttfts=noise(1, 0.66, 0.1)),), goal=RATE,
                after=(served("38", ttfts=noise(2, 0.50, 0.1)),))  # fmt: skip
    found = figures(tmp_path, runs, pair)
    ttft = found[TTFT]
    assert (ttft.goals, ttft.values, ttft.comparison.status) == ((), (200, 200), Status.IMPROVED)
    assert found["throughput", "output_tokens_per_s", "mean"].goals == ("G",)
    assert found["latency", "tpot", "mean"].comparison.reason.code == "one_figure_each"


# ------------------------------------------------------------------------------------------------ what is not told
def test_of_runs_that_are_shown_to_be_unlike_nothing_is_formed(tmp_path: Path, pair: Evaluation) -> None:
    runs = Runs(before=(served("40", ttfts=STEADY, max_concurrency=16),),
                after=(served("38", ttfts=STEADY, max_concurrency=64),), goal=TIME)  # fmt: skip
    one = figures(tmp_path, runs, pair)[TTFT]
    row = one.comparison
    assert (one.unlike, row.status, [reason.code for reason in row.blocked]) == (
        True,
        Status.UNKNOWN,
        ["runs_not_alike"],
    )
    assert isinstance(row.delta, Missing)
    assert isinstance(row.change, Missing)
    assert row.interval is None
    assert [side.summary.value for side in (row.before, row.after) if side and isinstance(side.summary, Quantity)] == [
        320_000_000, 320_000_000,  # mean of 0.30 ... 0.34 s
    ]  # fmt: skip


@pytest.mark.parametrize("of_case", ["", 'failed_requests_at_most = "1%"'])
def test_more_requests_that_fail_are_worse_although_the_times_are_then_not_held_against_each_other(
    tmp_path: Path, pair: Evaluation, of_case: str
) -> None:
    """0 of 200 and 50 of 200 failed: of requests that are left out the times say nothing, the count does."""
    few = served("38", requests=150, failed=50, output=19200, inputs=153600, ttfts=noise(2, 0.50, 0.1)[:150])
    runs = Runs(before=(served("40", ttfts=noise(1, 0.66, 0.1)),), after=(few,), goal=TIME, workload=of_case)
    found = figures(tmp_path, runs, pair)
    counted = found["failed", "", "count"]
    assert (counted.comparison.status, counted.comparison.blocked) == (Status.REGRESSED, ())
    assert counted.comparison.delta == Quantity(value=50, unit="1")
    code = "failures_over_ceiling" if of_case else "run_failed_requests"
    assert [reason.code for reason in found[TTFT].comparison.blocked] == [code]


def test_the_steps_of_a_warm_up_leave_rates_as_they_leave_times(tmp_path: Path, pair: Evaluation) -> None:
    """BEFORE begins with 8 steps of three times 2 s; AFTER takes 2.04 s throughout: 2 % slower, whatever is asked."""

    def log(seed: int, mean: float, cold: int) -> str:
        times = noise(seed, mean, 0.004 * mean)[:40]
        return fsdp2([f"{1000 * (3 * one if n < cold else one):.1f}" for n, one in enumerate(times)])

    before = tuple(log(seed, 2.0, 8) for seed in (1, 2, 3))
    after = tuple(log(seed, 2.04, 0) for seed in (4, 5, 6))
    goal = {"metric": "throughput", "kind": "tokens_per_s_global", "statistic": "mean", "direction": "at_least",
            "subject": "ratio", "limit": "105%"}  # fmt: skip
    runs = Runs(before=before, after=after, goal=goal, rule="guarded")
    assert decide(tmp_path / "goal", runs, pair).judgement.outcome is Outcome.NOT_MET
    found = figures(tmp_path / "figures", runs, pair)
    named = {
        key: one for key, one in found.items() if key[0] in ("step_time", "throughput", "mfu") and key[2] == "mean"
    }
    assert len(named) >= 3
    for one in named.values():
        assert one.comparison.status is Status.REGRESSED
        assert abs(abs(one.comparison.change.value) - Fraction(2, 100)) < Fraction(1, 100)  # type: ignore[union-attr]
        assert one.counts == ((32, 32, 32), (40, 40, 40))


def test_a_rate_without_times_is_asked_for_its_warm_up_itself() -> None:
    """12 rates, the first a third of the others: its step took three times as long."""
    rates = (100, 300, 301, 299, 302, 300, 298, 300, 301, 300, 299, 300)
    series = LoggedSeries(
        metric="throughput", kind="", weights=(1,) * 12, locator="x", resolution=Quantity(value=1, unit="1/s"),
        sample=Sample(unit="1/s", values=rates, labels=tuple(map(str, range(12)))),
    )  # fmt: skip
    alone = cast("LoggedRun", SimpleNamespace(run=SimpleNamespace(series=(series,))))
    assert left_out(alone, series, ()) == ("warm_up", *[""] * 11)


def test_a_median_that_the_lines_of_one_side_do_not_give_is_told(tmp_path: Path, pair: Evaluation) -> None:
    """A line of AFTER every second iteration is the mean of two: of them there is a mean and no median."""
    whole, thinned = (
        megatron([f"{510 + n % 3}.0" for n in range(40)]),
        megatron([f"{410 + n % 3}.0" for n in range(40)]),
    )
    every_second = "".join(thinned.splitlines(keepends=True)[1::2])
    runs = Runs(before=(whole,), after=(every_second,), goal=STEP)
    found = figures(tmp_path, runs, pair)
    median = found["step_time", "", "median"].comparison
    assert median.status is Status.UNKNOWN
    assert [reason.code for reason in median.blocked] == ["interval_means"]
    assert ("step_time", "", "median") not in figures(tmp_path / "both", runs.with_(before=(every_second,)), pair)


def test_what_a_goal_agrees_to_counts_for_its_figure_alone(tmp_path: Path, pair: Evaluation) -> None:
    runs = Runs(before=(served("40", ttfts=noise(1, 0.66, 0.1), max_concurrency=16),),
                after=(served("38", ttfts=noise(2, 0.50, 0.1), max_concurrency=64),),
                goal={**TIME, "side_condition": "max_concurrency 16 before, 64 after"})  # fmt: skip
    found = figures(tmp_path, runs, pair)
    assert found[TTFT].comparison.status is Status.IMPROVED
    assert found["latency", "tpot", "mean"].unlike


def test_runs_whose_likeness_nobody_states_have_no_word(tmp_path: Path, pair: Evaluation) -> None:
    runs = Runs(before=(served("40", ttfts=noise(1, 0.66, 0.1)),), goal=TIME,
                after=(served("38", ttfts=noise(2, 0.50, 0.1), max_concurrency=None),))  # fmt: skip
    one = figures(tmp_path, runs, pair)[TTFT]
    assert (one.unlike, one.comparison.status) == (False, Status.UNKNOWN)
    assert one.comparison.blocked == (decide(tmp_path / "goal", runs, pair).judgement.reason,)


def test_a_file_that_contradicts_itself_tells_nothing() -> None:
    wrong = Identity(
        id="I9", what="output_tokens_over_duration", holds=False, found=Quantity(value=1, unit="1"),
        expected=Quantity(value=2, unit="1"), tolerance=Quantity(value=0, unit="1"), locators=("/x",),
    )  # fmt: skip
    (after,) = side(Side.AFTER, "30.00")
    one = only(*side(Side.BEFORE, "53.00"), replace(after, run=replace(after.run, identities=(wrong,))))
    assert [reason.code for reason in one.comparison.blocked] == ["log_contradicts_itself"]
    assert one.comparison.before is not None
    assert one.comparison.after is not None
    assert one.comparison.before.summary == Quantity(value=53_000_000, unit="ns", written="53.00")
    assert isinstance(one.comparison.after.summary, Missing)  # its value may be the very one that was edited


@pytest.mark.parametrize(
    ("standing", "profiled", "code"),
    [
        (PairStanding.NOT_COMPARABLE, False, "pair_not_comparable"),
        (PairStanding.CANNOT_BE_SHOWN, True, "pair_cannot_be_shown"),
        (PairStanding.CANNOT_BE_SHOWN, False, ""),  # another case than the captures'
    ],
)
def test_the_captures_stop_the_runs_that_explain_them(standing: PairStanding, code: str, *, profiled: bool) -> None:
    agreed = target()
    agreed = replace(agreed, cases=(replace(agreed.cases[0], profiled=profiled),))
    (one,) = compared(*side(Side.BEFORE, "53.00"), *side(Side.AFTER, "50.71"), agreed=agreed,
                      pair=replace(ALIKE, standing=standing))  # fmt: skip
    assert [reason.code for reason in one.comparison.blocked] == ([code] if code else [])
    assert one.unlike == (code == "pair_not_comparable")


@pytest.mark.parametrize(("typed", "codes"), [("300 ms", ["typed_contradicts_log"]), ("0.32 s", [])])
def test_a_value_typed_otherwise_than_the_logs_say_has_no_word(
    typed: str, codes: list[str], tmp_path: Path, pair: Evaluation
) -> None:
    """AFTER's mean is 0.32 s, of 0.30 to 0.34 s."""
    runs = Runs(before=(served("40", ttfts=noise(1, 0.66, 0.1)),), after=(served("38", ttfts=STEADY),), goal=TIME,
                typed=(("after", typed),))  # fmt: skip
    found = figures(tmp_path, runs, pair)
    row = found[TTFT].comparison
    assert [reason.code for reason in row.blocked] == codes
    assert row.status is (Status.UNKNOWN if codes else Status.IMPROVED)
    assert found["latency", "ttft", "median"].comparison.blocked == ()  # nothing was typed of that


def test_a_run_of_another_load_than_its_cell_tells_nothing_of_it() -> None:
    agreed = target()
    agreed = replace(agreed, cases=(replace(agreed.cases[0], matrix="m", axes=(("concurrency", "16"),)),))
    stated = Stated(key="max_concurrency", written="8", locator="/max_concurrency")
    before, after = (
        replace(one, run=replace(one.run, context=(stated,)))
        for one in (*side(Side.BEFORE, "53.00"), *side(Side.AFTER, "50.71"))
    )
    one = only(before, after, agreed=agreed)
    assert [reason.code for reason in one.comparison.blocked] == ["log_of_another_load"]


# ------------------------------------------------------------------------------------------------ what was agreed
ORIGIN = Origin(file="target:target.toml", digest="0", locator="x", formula="as written")


def with_band(width: str, metric: str = "step_time") -> Target:
    band = EquivalenceBand(metric=metric, of="runs", band=Quantity(value=Fraction(width), unit="1"), origin=ORIGIN)
    return replace(target(), equivalence=(band,))


def test_a_band_of_runs_is_for_runs() -> None:
    before, after = (200, 203, 199, 202, 201, 198, 204, 200), (201, 203, 200, 202, 202, 199, 204, 201)
    sides = (run(Side.BEFORE, series=steps(*before)), run(Side.AFTER, series=steps(*after)))

    def told(agreed: Target) -> Status:
        return next(one for one in compared(*sides, agreed=agreed) if one.statistic == "median").comparison.status

    assert told(target()) is Status.NO_DIFFERENCE
    assert told(with_band("0.05")) is Status.EQUIVALENT  # values lie within 3 %: the 90 % interval within 5 %
    assert told(with_band("0.001")) is Status.NO_DIFFERENCE
    assert told(with_band("0.05", "latency")) is Status.NO_DIFFERENCE
    of_captures = replace(with_band("0.05").equivalence[0], of="captures")
    assert told(replace(target(), equivalence=(of_captures,))) is Status.NO_DIFFERENCE


def test_what_is_known_between_runs_widens_the_interval() -> None:
    before, after = (200, 203, 199, 202, 201, 198, 204, 200), (210, 213, 209, 212, 211, 208, 214, 210)
    sides = (run(Side.BEFORE, series=steps(*before)), run(Side.AFTER, series=steps(*after)))
    spread = Quantity(value=Fraction("0.05"), unit="1")
    known = KnownSpread(metric="step_time", part="", kind="", of="runs", value=spread, count=None, determined="d",
                        file=None, origins=(ORIGIN,))  # fmt: skip

    def median(agreed: Target) -> RunComparison:
        return next(one for one in compared(*sides, agreed=agreed) if one.statistic == "median")

    alone, held = median(target()), median(replace(target(), known_spreads=(known,)))
    assert alone.comparison.status is Status.REGRESSED  # + 5 %, steps within 1.5 %
    assert held.comparison.status is Status.NO_DIFFERENCE  # 1.96 x sqrt(2) x 5 % = 14 % of runs alone
    assert held.comparison.between == known
    assert [[reason.code for reason in one.caveats] for one in (alone, held)] == [["single_run"], ["single_run_stated"]]


# ------------------------------------------------------------------------------------------------ laws
def test_evidence_taken_away_never_gives_a_better_word() -> None:
    """The second law over figures: a list, repeats or digits fewer give the same word or that it cannot be known."""

    def status(*runs: LoggedRun) -> Status:
        return next(one for one in compared(*runs) if one.statistic == "mean").comparison.status

    chance = random.Random(11)
    for _ in range(60):
        factor = chance.choice((0.7, 0.98, 1.0, 1.02, 1.4))
        before = [round(chance.gauss(200, 4)) for _ in range(12)]
        after = [round(chance.gauss(200 * factor, 4)) for _ in range(12)]
        whole = status(run(Side.BEFORE, series=steps(*before)), run(Side.AFTER, series=steps(*after)))
        means = [f"{sum(values) / len(values):.3f}" for values in (before, after)]
        bare = [
            run(which, value("step_time", "", "mean", text, MS))
            for which, text in zip(Side, means, strict=True)
        ]  # fmt: skip
        assert status(*bare) is Status.UNKNOWN
        fewer = status(run(Side.BEFORE, series=steps(*before[:3])), run(Side.AFTER, series=steps(*after[:3])))
        assert fewer in (whole, Status.UNKNOWN, Status.NO_DIFFERENCE) or whole is Status.NO_DIFFERENCE


# ------------------------------------------------------------------------------------------------ the command line
def test_what_a_gate_of_a_build_asks() -> None:
    def figure(kind: str, before: str, after: str, statistic: str = "mean") -> tuple[LoggedValue, LoggedValue]:
        return value("latency", kind, statistic, before), value("latency", kind, statistic, after)

    pairs = [figure("ttft", "30.0", "40.0"), figure("tpot", "30.0", "20.0")]
    failed = (value("failed", "", "count", "0", 1, "1"), value("failed", "", "count", "2", 1, "1"))
    found = compared(
        run(Side.BEFORE, *(before for before, _ in [*pairs, failed])),
        run(Side.AFTER, *(after for _, after in [*pairs, failed])),
    )
    named = {
        of.__name__: [one.comparison.dimensions.part or one.comparison.metric for one in of(found)]
        for of in (regressed, barred, untold)
    }
    assert named == {"regressed": ["failed"], "barred": [], "untold": ["ttft"]}


# ------------------------------------------------------------------------------------------------ word and goal
def long(seeds: tuple[int, ...], mean: float, **more: object) -> tuple[str, ...]:
    """Logs of 40 steps each."""
    return tuple(megatron([str(t) for t in noise(seed, mean, 5.0, 40)], **more) for seed in seeds)  # type: ignore[arg-type]


PAIRS: dict[str, Runs] = {
    "requests that took less time": Runs(
        before=(served("40", ttfts=noise(1, 0.66, 0.1)),), after=(served("38", ttfts=noise(2, 0.50, 0.1)),)
    ),
    "requests that took more time": Runs(
        before=(served("38", ttfts=noise(2, 0.50, 0.1)),), after=(served("40", ttfts=noise(1, 0.66, 0.1)),)
    ),
    "requests as long as before": Runs(
        before=(served("40", ttfts=noise(1, 0.66, 0.1)),), after=(served("40.1", ttfts=noise(4, 0.66, 0.1)),)
    ),
    "three results a side": Runs(
        before=tuple(served(s, mean_ttft_ms=t) for s, t in (("40", 650.0), ("40.2", 655.0), ("39.9", 648.0))),
        after=tuple(served(s, mean_ttft_ms=t) for s, t in (("36", 660.5), ("36.2", 640.0), ("35.9", 667.0))),
    ),
    "two results a side": Runs(
        before=tuple(served(s, mean_ttft_ms=t) for s, t in (("40", 650.0), ("40.2", 655.0))),
        after=tuple(served(s, mean_ttft_ms=t) for s, t in (("30", 360.5), ("30.2", 340.0))),
    ),
    "one result against two": Runs(
        before=(served("40", mean_ttft_ms=650.0),),
        after=(served("30", mean_ttft_ms=350.0), served("30.1", mean_ttft_ms=351.0)),
    ),
    "one long run each": Runs(before=long((3,), 512.0), after=long((6,), 410.0)),
    "three long runs each": Runs(before=long((3, 4, 5), 512.0), after=long((6, 7, 8), 410.0)),
    "a long run that is slower": Runs(before=long((3,), 512.0), after=long((6,), 530.0)),
    "a mean that six short steps pull away": Runs(
        before=long((3,), 512.0),
        after=(megatron([str(t) for t in (*noise(6, 410.0, 5.0, 34), *noise(7, 100.0, 2.0, 6))]),),
    ),
    "steps of another batch": Runs(before=long((3,), 512.0), after=long((6,), 410.0, size=64)),
    "other concurrency": Runs(
        before=(served("40", ttfts=noise(1, 0.66, 0.1)),),
        after=(served("30", ttfts=noise(2, 0.50, 0.1), max_concurrency=8),),
    ),
    "answers of one token": Runs(
        before=(served("40", ttfts=noise(1, 0.66, 0.1)),),
        after=(served("20", ttfts=noise(2, 0.50, 0.1), output=200),),
    ),
    "one side profiled": Runs(
        before=(served("40", ttfts=noise(1, 0.66, 0.1)),), after=(served("38", ttfts=noise(2, 0.50, 0.1)),),
        profiled=(True, False),
    ),
    "more failed than was agreed": Runs(
        before=(served("40", ttfts=noise(1, 0.66, 0.1)),),
        after=(served("38", ttfts=noise(2, 0.50, 0.1), failed=20),),
        workload='failed_requests_at_most = "1%"',
    ),
    "a value typed otherwise": Runs(
        before=(served("40", ttfts=noise(1, 0.66, 0.1)),), after=(served("38", ttfts=noise(2, 0.50, 0.1)),),
        typed=(("after", "300 ms"),),
    ),
    "a rate that was edited": Runs(
        before=(served("40", ttfts=noise(1, 0.66, 0.1)),),
        after=(served("38", ttfts=noise(2, 0.50, 0.1), output_throughput=900.0),),
    ),
}  # fmt: skip


def agree(name: Name, one: RunComparison, judged: Judgement) -> None:
    """Assert that the word of a figure says what a guarded goal at no change comes to.

    What is counted is left out: no goal on memory or failed requests is exact.
    """
    wanted = {Status.IMPROVED: Outcome.MET, Status.REGRESSED: Outcome.NOT_MET}
    row = one.comparison
    if one.exact:
        return
    touched = row.interval is not None and 1 in (row.interval.low.value, row.interval.high.value)
    if one.runs == (2, 2):  # docs/statistics.md 2.0: of two a side a large change is told, and no goal is decided
        assert judged.outcome is Outcome.UNDECIDED, name
    # an interval that ends at 1 holds it, and the limit is good; of rounded values section 2 tells no difference at all
    elif row.reason.code != "below_resolution" and not touched:
        assert judged.outcome is wanted.get(row.status, Outcome.UNDECIDED), (name, judged.reason)
    assert judged.unlike == one.unlike, name
    if row.blocked:
        assert judged.reason == row.blocked[0], name
    else:
        assert judged.interval == row.interval, name
    if judged.reason.code != "before_zero":
        assert shown(judged.comparison) == shown(row), name


def shown(row: Comparison | None) -> list[Quantity | None]:
    """The values of both sides that stand beside a goal or a figure; None for one that has none."""
    sides = (row.before, row.after) if row is not None else (None, None)
    return [one.summary if one is not None and isinstance(one.summary, Quantity) else None for one in sides]


@pytest.mark.parametrize("name", list(PAIRS))
def test_a_word_is_what_a_guarded_goal_at_no_change_would_come_to(name: str, tmp_path: Path, pair: Evaluation) -> None:
    """An independent oracle: the judge, asked for at most 100 % of BEFORE for each figure, of a rate at least."""
    held = held_to_goals(tmp_path, PAIRS[name].with_(goal=TIME, rule="guarded"), pair)
    for figure, (one, judged) in held.items():
        agree(figure, one, judged)
    assert len(held) > 3


BEFORE = (1.0, 1.002, 0.998)
"""How long the times of three runs are, in those of the first."""
AFTER = {
    Status.IMPROVED: (0.8, 0.797, 0.803),
    Status.REGRESSED: (1.25, 1.252, 1.247),
    Status.NO_DIFFERENCE: (1.001, 0.997, 1.003),
}


@pytest.mark.parametrize("name", list(FAMILIES))
def test_a_word_of_every_family_is_what_a_guarded_goal_would_come_to(
    name: str, tmp_path: Path, pair: Evaluation
) -> None:
    """Its leading figure has the word that the times were made for; all of them have that of the judge."""
    family = FAMILIES[name]
    for (before, after), (word, times) in (
        *product(((1, 1), (3, 3)), AFTER.items()),
        *product(((2, 2), (1, 3)), [(Status.IMPROVED, AFTER[Status.IMPROVED])]),
    ):
        runs = Runs(
            before=tuple(family.write(k, n) for n, k in enumerate(BEFORE[:before])),
            after=tuple(family.write(k, n) for n, k in enumerate(times[:after], 10)),
            goal=STEP, agreed='may_differ = ["warm_up"]',
        )  # fmt: skip
        held = held_to_goals(tmp_path / f"{before}-{after}-{word.name}", runs, pair)
        for figure, (one, judged) in held.items():
            agree(figure, one, judged)
        lead, _ = held[family.lead]
        told = before == after and (before > 1 or family.alone)
        assert (lead.comparison.status, lead.comparison.blocked) == (word if told else Status.UNKNOWN, ())
        assert lead.runs == (before, after)


SENT: dict[str, Callable[[int, int], Content]] = {
    "vllm bench serve": lambda failed, n: served(
        str(40 + n), requests=200 - failed, failed=failed, output=128 * (200 - failed), inputs=1024 * (200 - failed)
    ),
    "AISBench": lambda failed, n: results.aisbench(98 + n, done=8 - failed, failed=failed),
    "MindIE Benchmark": lambda failed, n: results.mindie(294 + n, done=200 - failed, failed=failed),
    "evalscope": lambda failed, n: results.evalscope(100 + n, done=500 - failed, failed=failed),
}
"""Generator of load -> a result in which so many of all requests failed; ``n`` tells it from others."""


@pytest.mark.parametrize("name", list(SENT))
@pytest.mark.parametrize(
    ("before", "after", "status"),
    [
        ((0,), (2,), Status.REGRESSED), ((2,), (0,), Status.IMPROVED), ((2,), (2,), Status.EQUAL),
        ((0,), (0,), Status.EQUAL), ((0, 0, 0), (0, 0, 0), Status.EQUAL),
        ((0, 0, 0), (1, 2, 3), Status.UNKNOWN),  # a quotient with 0
        ((1,), (1, 2, 3), Status.UNKNOWN),  # how single runs vary is not known of BEFORE
    ],
)  # fmt: skip
def test_requests_that_failed_are_counted_in_the_results_of_every_load_generator(
    name: str, before: tuple[int, ...], after: tuple[int, ...], status: Status, tmp_path: Path, pair: Evaluation
) -> None:
    write = SENT[name]
    runs = Runs(
        before=tuple(write(failed, n) for n, failed in enumerate(before)),
        after=tuple(write(failed, n) for n, failed in enumerate(after, 3)), goal=TIME,
        agreed='may_differ = ["warm_up"]', workload='failed_requests_at_most = "50%"',
    )  # fmt: skip
    one = figures(tmp_path, runs, pair)["failed", "", "count"]
    assert (one.comparison.status, one.comparison.blocked) == (status, ())


def test_a_goal_that_may_not_be_judged_shows_the_values_that_its_figure_does(tmp_path: Path, pair: Evaluation) -> None:
    """A side whose own result contradicts itself has none: 900 tokens/s are not 25600 / 38."""
    steady = served("40", ttfts=STEADY)  # a mean of 0.32 s
    edited = served("38", ttfts=noise(2, 0.50, 0.1), output_throughput=900.0)
    mean = Quantity(value=320_000_000, unit="ns")
    for n, (before, after, values) in enumerate(((steady, edited, [mean, None]), (edited, steady, [None, mean]))):
        runs = Runs(before=(before,), after=(after,), goal=TIME, rule="guarded")
        one, judged = held_to_goals(tmp_path / str(n), runs, pair)[TTFT]
        found = [shown(judged.comparison), shown(one.comparison)]
        assert [[held and replace(held, written="") for held in some] for some in found] == [values, values]
        assert judged.reason.code == "log_contradicts_itself"
