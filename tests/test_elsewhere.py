"""What is worse in AFTER beside the goals: of the captures and of runs, and statistics that disagree."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from reportgen.elsewhere import Elsewhere, look_elsewhere
from reportgen.model import (
    Case,
    Comparability,
    FileRecord,
    Identity,
    LoggedRun,
    LoggedSeries,
    LoggedValue,
    PairStanding,
    Quantity,
    Run,
    Sample,
    Side,
    Status,
    Target,
)
from tests.report.sample_report import sample_evaluation

MS = 10**6
ALIKE = Comparability(differences=(), standing=PairStanding.COMPARABLE, workload=None)


def value(metric: str, kind: str, statistic: str, written: str, scale: int = MS, unit: str = "ns") -> LoggedValue:
    """A figure as its producer wrote it; its last digit is its resolution."""
    digits = len(written.partition(".")[2])
    return LoggedValue(
        metric=metric,
        kind=kind,
        statistic=statistic,
        value=Quantity(value=Fraction(written) * scale, unit=unit, written=written),
        locator=f"/{metric}_{kind}_{statistic}",
        resolution=Quantity(value=Fraction(1, 10**digits) * scale, unit=unit),
    )


def run(
    side: Side, *values: LoggedValue, series: tuple[LoggedSeries, ...] = (), case: str = "C", n: int = 0
) -> LoggedRun:
    name = f"{side}{n}.json"
    return LoggedRun(
        case=case,
        side=side,
        run=Run(
            producer="vllm_bench_json",
            version="",
            definitions="vllm",
            file=FileRecord(path=name, size=1, digest=name),
            values=values,
            series=series,
        ),
        profiled=False,
    )


def target() -> Target:
    """The sample's target with one case that names runs; its captures are of another case."""
    sample = sample_evaluation().target
    assert sample is not None
    case = replace(sample.cases[0], id="C", profiled=False, goals=())
    return replace(sample, cases=(case,))


def look(*runs: LoggedRun, agreed: Target | None = None, pair: Comparability = ALIKE) -> Elsewhere:
    return look_elsewhere((), (), runs, agreed or target(), (), pair)


def test_less_time_per_token_and_more_to_the_first() -> None:
    # published: TPOT 53.00 -> 50.71 ms (-4.3 %), P90 TTFT 1566.8 -> 2024.1 ms (+29.2 %)
    found = look(
        run(Side.BEFORE, value("latency", "tpot", "mean", "53.00"), value("latency", "ttft", "p90", "1566.8")),
        run(Side.AFTER, value("latency", "tpot", "mean", "50.71"), value("latency", "ttft", "p90", "2024.1")),
    )
    (one,) = found.worse
    assert (one.metric, one.kind, one.statistic) == ("latency", "ttft", "p90")
    assert one.change == Quantity(value=Fraction("2024.1") / Fraction("1566.8") - 1, unit="1")
    assert (one.told, one.interval) == (False, None)  # one run each: no interval can be stated
    assert [origin.file for origin in one.origins] == ["log:before/before0.json", "log:after/after0.json"]


def test_a_mean_and_a_percentile_that_move_apart_are_named() -> None:
    # published: mean 272.9 -> 29.1 ms, P90 29.2 -> 31.0 ms, the same run
    found = look(
        run(Side.BEFORE, value("latency", "itl", "mean", "272.9"), value("latency", "itl", "p90", "29.2")),
        run(Side.AFTER, value("latency", "itl", "mean", "29.1"), value("latency", "itl", "p90", "31.0")),
    )
    (one,) = found.disagreements
    assert (one.better.statistic, one.worse.statistic) == ("mean", "p90")
    assert [w.statistic for w in found.worse] == ["p90"]


def test_a_largest_value_disagrees_with_nothing() -> None:
    found = look(
        run(Side.BEFORE, value("latency", "itl", "mean", "30.0"), value("latency", "itl", "max", "90.0")),
        run(Side.AFTER, value("latency", "itl", "mean", "29.0"), value("latency", "itl", "max", "95.0")),
    )
    assert found.disagreements == ()
    assert [w.statistic for w in found.worse] == ["max"]


@pytest.mark.parametrize(
    ("metric", "kind", "before", "after", "listed"),
    [
        ("throughput", "output_tokens_per_s", "124.08", "110.30", True),
        ("throughput", "output_tokens_per_s", "124.08", "146.93", False),
        ("latency", "ttft", "0.031", "0.030", False),
        ("failed", "", "0", "3", True),
        ("input_tokens", "", "100", "200", False),  # describes the load
    ],
)
def test_which_direction_is_worse(metric: str, kind: str, before: str, after: str, *, listed: bool) -> None:
    sides = [
        run(side, value(metric, kind, "mean", written, 1, "1"))
        for side, written in ((Side.BEFORE, before), (Side.AFTER, after))
    ]
    assert bool(look(*sides).worse) == listed


@pytest.mark.parametrize(("after", "listed"), [("0.031", False), ("0.032", True)])
def test_what_the_written_digits_explain_is_no_difference(after: str, *, listed: bool) -> None:
    # 0.030 is anything from 0.0295 to 0.0305 s and 0.031 from 0.0305: they may be equal, 0.032 may not
    found = look(
        run(Side.BEFORE, value("latency", "tpot", "mean", "0.030", 10**9)),
        run(Side.AFTER, value("latency", "tpot", "mean", after, 10**9)),
    )
    assert bool(found.worse) == listed


def steps(*values_ms: int) -> tuple[LoggedSeries, ...]:
    sample = Sample(unit="ns", values=tuple(v * MS for v in values_ms), labels=tuple(map(str, range(len(values_ms)))))
    return (
        LoggedSeries(
            metric="step_time",
            kind="",
            sample=sample,
            weights=(1,) * len(values_ms),
            locator="lines 1-9",
            resolution=Quantity(value=MS, unit="ns"),
        ),
    )


def test_steps_of_one_run_have_an_interval() -> None:
    slower = look(
        run(Side.BEFORE, series=steps(200, 203, 199, 202, 201, 198, 204, 200)),
        run(Side.AFTER, series=steps(300, 303, 299, 302, 301, 298, 304, 300)),
    )
    told = {one.statistic: one.told for one in slower.worse}
    assert told["median"]
    assert told["mean"]
    assert not told["p90"]  # a percentile has none


def test_an_interval_that_holds_one_lists_nothing() -> None:
    found = look(
        run(Side.BEFORE, series=steps(200, 230, 170, 202, 240, 160, 204, 200)),
        run(Side.AFTER, series=steps(204, 233, 173, 205, 242, 163, 207, 205)),
    )
    assert {one.statistic for one in found.worse} <= {"p90", "p99"}


def test_repeated_runs_have_the_interval_of_runs() -> None:
    before = [
        run(Side.BEFORE, value("latency", "e2e", "p90", w), n=n) for n, w in enumerate(("100.0", "101.0", "99.5"))
    ]
    after = [run(Side.AFTER, value("latency", "e2e", "p90", w), n=n) for n, w in enumerate(("150.0", "151.5", "149.0"))]
    (one,) = look(*before, *after).worse
    assert one.told
    assert one.interval is not None
    assert one.interval.low.value > 1


def test_runs_that_contradict_themselves_are_not_held() -> None:
    wrong = Identity(
        id="I9",
        what="output_tokens_over_duration",
        holds=False,
        found=Quantity(value=1, unit="1"),
        expected=Quantity(value=2, unit="1"),
        tolerance=Quantity(value=0, unit="1"),
        locators=("/x",),
    )
    before = run(Side.BEFORE, value("latency", "tpot", "mean", "50.0"))
    after = run(Side.AFTER, value("latency", "tpot", "mean", "60.0"))
    found = look(before, replace(after, run=replace(after.run, identities=(wrong,))))
    assert found.worse == ()
    assert [reason.code for reason in found.not_held] == ["log_contradicts_itself"]


def test_nothing_of_a_pair_that_is_not_comparable() -> None:
    sides = [
        run(side, value("latency", "tpot", "mean", w)) for side, w in ((Side.BEFORE, "50.0"), (Side.AFTER, "60.0"))
    ]
    found = look(*sides, pair=replace(ALIKE, standing=PairStanding.NOT_COMPARABLE))
    assert (found.worse, [reason.code for reason in found.not_held]) == ((), ["pair_not_comparable"])


def test_a_run_of_one_side_is_held_against_nothing() -> None:
    assert look(run(Side.AFTER, value("latency", "tpot", "mean", "60.0"))).worse == ()


def test_metrics_of_the_captures_once_for_all_ranks() -> None:
    # the sample's step grows where both sides change places: rank 0 160.4 -> 230.1 ms, rank 1 159.9 -> 229.4 ms
    evaluation = sample_evaluation("no_target")
    swapped = tuple(
        replace(row, before=row.after, after=row.before, delta=replace(row.delta, value=-row.delta.value))  # type: ignore[union-attr, type-var]
        for row in evaluation.comparisons
        if row.metric == "step_time"
    )
    swapped = tuple(replace(row, status=Status.REGRESSED) for row in swapped)
    found = look_elsewhere(evaluation.metrics, swapped, (), None, (), ALIKE)
    (one,) = found.worse
    assert (one.metric, one.ranks, one.told, one.goal) == ("step_time", 2, True, False)


def test_what_describes_a_load_is_not_listed_of_a_service() -> None:
    evaluation = sample_evaluation("no_target")
    swapped = tuple(
        replace(row, before=row.after, after=row.before, delta=replace(row.delta, value=-row.delta.value))  # type: ignore[union-attr, type-var]
        for row in evaluation.comparisons
        if row.metric == "step_time"
    )
    swapped = tuple(replace(row, status=Status.REGRESSED) for row in swapped)
    agreed = target()
    case: Case = replace(agreed.cases[0], profiled=True, workload=replace(agreed.cases[0].workload, phase="serving"))
    served = replace(agreed, cases=(case,))
    assert look_elsewhere(evaluation.metrics, swapped, (), served, (), ALIKE).worse == ()


def test_nothing_of_the_profiled_case_is_held_where_the_pair_cannot_be_shown_alike() -> None:
    """Runs of the captured case are of that pair; those of another case are not."""
    runs = [run(side, value("latency", "ttft", "p90", ms)) for side, ms in ((Side.BEFORE, "30"), (Side.AFTER, "40"))]
    unknown = replace(ALIKE, standing=PairStanding.CANNOT_BE_SHOWN)
    case = replace(target().cases[0], profiled=True)
    own = look(*runs, agreed=replace(target(), cases=(case,)), pair=unknown)
    assert (own.worse, [reason.code for reason in own.not_held]) == ((), ["pair_cannot_be_shown"])
    assert len(look(*runs, pair=unknown).worse) == 1
