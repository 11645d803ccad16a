"""Judging as a table of cases: title, what was measured, what was agreed, outcome and reason code.

Intervals and values are made up here, so that each branch of the decision is reached on its own; the expected outcomes
follow docs/statistics.md "Decision rule".
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal

import pytest
from jobs import write_pair
from judged import goals

from reportgen.judge import Evidence, _rule_of, judge
from reportgen.metrics import METRICS
from reportgen.model import (
    Case,
    Comparability,
    Comparison,
    Contract,
    Declared,
    Difference,
    Dimensions,
    ExternalValue,
    Family,
    FileRecord,
    Goal,
    Held,
    Interval,
    Measurement,
    Missing,
    MissingKind,
    Origin,
    Outcome,
    PairStanding,
    Parties,
    Quantity,
    Reason,
    Sample,
    Side,
    Standing,
    Target,
    VerdictWord,
    Witness,
    Workload,
    WorkloadCheck,
)
from reportgen.pipeline import evaluate

MS = 10**6
FILE = FileRecord(path="target.toml", size=1, digest="0" * 64)
ORIGIN = Origin(file="target:target.toml", digest="0" * 64, locator="x", formula="x")


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> object:
    """The facts of a real generated pair; judging reads ranks and steps from them."""
    found = evaluate(*write_pair(tmp_path_factory.mktemp("pair")))
    return found.before[0], found.after[0]


def ns(value: Fraction | int) -> Quantity:
    return Quantity(value=int(value) if Fraction(value).denominator == 1 else value, unit="ns")


def interval(low: int, high: int, unit: str = "ns") -> Interval:
    return Interval(
        low=Quantity(value=low, unit=unit), high=Quantity(value=high, unit=unit), level=Fraction(19, 20), method="x"
    )


def ratio_interval(low: Fraction, high: Fraction) -> Interval:
    ends = (Quantity(value=low, unit="1"), Quantity(value=high, unit="1"))
    return Interval(low=ends[0], high=ends[1], level=Fraction(19, 20), method="x")


def measured(
    side: Side,
    value: int | Missing,
    *,
    n: int = 9,
    ends: tuple[int, int] | None = None,
    metric: str = "step_time",
    part: str = "",
    unit: str = "ns",
    warnings: tuple[Reason, ...] = (),
    witnesses: tuple[Witness, ...] = (),
) -> Measurement:
    summary = value if isinstance(value, Missing) else Quantity(value=value, unit=unit)
    sample = (
        None if isinstance(value, Missing) else Sample(unit=unit, values=(value,) * n, labels=tuple(map(str, range(n))))
    )
    return Measurement(
        metric=metric,
        side=side,
        dimensions=Dimensions(rank=0, part=part),
        summary=summary,
        sample=sample,
        interval=None if ends is None else interval(*ends),
        witnesses=witnesses,
        warnings=warnings,
        origins=(ORIGIN,),
    )


def compared(before: Measurement | None, after: Measurement | None, **more: object) -> Comparison:
    one = after or before
    assert one is not None
    missing = Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("values_missing"))
    return replace(
        Comparison(
            metric=one.metric,
            dimensions=one.dimensions,
            before=before,
            after=after,
            delta=missing,
            change=missing,
            estimate=None,
            interval=None,
            distinguishable="cannot be known",
            reason=Reason.of("one_value_each"),
        ),
        **more,
    )


def goal(**changes: object) -> Goal:
    return replace(
        Goal(
            id="G1",
            clause="1",
            metric="step_time",
            part="",
            statistic="median",
            kind="",
            direction="at_most",
            subject="after",
            limit=ns(100 * MS),
            side_condition="",
            subject_to=(),
            origin=ORIGIN,
        ),
        **changes,
    )


def good_witness() -> Witness:
    return Witness(
        name="op_statistic_count",
        agrees=True,
        found=Quantity(value=1, unit="1"),
        expected=Quantity(value=1, unit="1"),
        tolerance=Quantity(value=0, unit="1"),
        origins=(ORIGIN,),
    )


WITNESSED = (good_witness(),)


@dataclass(frozen=True, kw_only=True)
class Setup:
    """One case of the table."""

    goals: tuple[Goal, ...] = (goal(),)
    rows: tuple[Comparison, ...] = ()
    rule: Literal["simple", "guarded"] = "guarded"
    standing: PairStanding = PairStanding.WITH_RESERVATIONS
    differences: tuple[Difference, ...] = ()
    checks: tuple[WorkloadCheck, ...] = ()
    declared: tuple[Declared, ...] = ()
    external: tuple[ExternalValue, ...] = ()
    profiled: bool = True
    phase: str = ""
    outcome: Outcome = Outcome.MET
    code: str = "within_limit"
    reservations: tuple[str, ...] = field(default=())


def row(value: int | Missing, ends: tuple[int, int] | None, n: int = 9, **more: object) -> Comparison:
    return compared(
        measured(Side.BEFORE, 200 * MS, witnesses=WITNESSED),
        measured(Side.AFTER, value, n=n, ends=ends, witnesses=WITNESSED),
        **more,
    )


def difference(key: str, *families: Family, blocks_all: bool = False) -> Difference:
    return Difference(
        key=key,
        spelling=key,
        place="x",
        before=Held(value="a"),
        after=Held(value="b"),
        standing=Standing.BLOCKING,
        blocks_all=blocks_all,
        families=families,
        reason=Reason.of("setting_differs", key=key),
    )


def external(side: Side, text: int, statistic: str = "mean") -> ExternalValue:
    return ExternalValue(
        side=side,
        metric="latency",
        kind="ttft",
        statistic=statistic,
        value=ns(text),
        conditions="",
        file=FILE,
        locator="x",
        origin=ORIGIN,
    )


GONE = Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("no_step_markers"))
ONE = Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("one_step_only"))
LATENCY = goal(metric="latency", kind="ttft", statistic="mean", limit=ns(50 * MS))
PEAK = goal(metric="peak_reserved", part="APP", statistic="max", limit=Quantity(value=1000, unit="B"))
SAMPLED = Reason.of("sampled_peak_lower_bound", part="APP")


def peak(value: int, *warnings: Reason) -> Comparison:
    return compared(
        None, measured(Side.AFTER, value, n=1, metric="peak_reserved", part="APP", unit="B", warnings=warnings)
    )


FAILED = Witness(
    name="op_statistic_count",
    agrees=False,
    found=Quantity(value=57, unit="1"),
    expected=Quantity(value=185, unit="1"),
    tolerance=Quantity(value=0, unit="1"),
    origins=(ORIGIN,),
)
VOUCHED = Declared(key="peak_reserved.APP", value="sampled at 50 Hz is enough", signer="A", role="B", date="2026-10-01")

CASES: dict[str, Setup] = {
    "guarded: the whole interval is inside": Setup(rows=(row(90 * MS, (88 * MS, 92 * MS)),)),
    "guarded: the end is at the limit": Setup(rows=(row(90 * MS, (88 * MS, 100 * MS)),)),
    "guarded: the whole interval is beyond": Setup(
        rows=(row(110 * MS, (108 * MS, 112 * MS)),), outcome=Outcome.NOT_MET, code="beyond_limit"
    ),
    "guarded: the interval crosses, estimate inside": Setup(
        rows=(row(99 * MS, (97 * MS, 101 * MS)),), outcome=Outcome.UNDECIDED, code="interval_crosses_limit"
    ),
    "guarded: the interval crosses, estimate beyond": Setup(
        rows=(row(101 * MS, (99 * MS, 103 * MS)),), outcome=Outcome.UNDECIDED, code="interval_crosses_limit"
    ),
    "guarded: one nanosecond beyond": Setup(
        rows=(row(90 * MS, (88 * MS, 100 * MS + 1)),), outcome=Outcome.UNDECIDED, code="interval_crosses_limit"
    ),
    "guarded: one value": Setup(rows=(row(90 * MS, None, n=1),), outcome=Outcome.UNDECIDED, code="no_interval_guarded"),
    "guarded: three values": Setup(
        rows=(row(90 * MS, (80 * MS, 95 * MS), n=3),), outcome=Outcome.UNDECIDED, code="few_values"
    ),
    "simple: inside": Setup(rule="simple", rows=(row(99 * MS, (90 * MS, 110 * MS)),)),
    "simple: at the limit itself": Setup(
        rule="simple", rows=(row(100 * MS, (90 * MS, 110 * MS)),), reservations=("at_limit_simple",)
    ),
    "simple: beyond": Setup(
        rule="simple", rows=(row(100 * MS + 1, (90 * MS, 110 * MS)),), outcome=Outcome.NOT_MET, code="beyond_limit"
    ),
    "simple: one value": Setup(rule="simple", rows=(row(90 * MS, None, n=1),), reservations=("no_interval_simple",)),
    "at least: the whole interval is above": Setup(
        goals=(goal(direction="at_least"),), rows=(row(110 * MS, (101 * MS, 120 * MS)),)
    ),
    "at least: below": Setup(
        goals=(goal(direction="at_least"),),
        rows=(row(90 * MS, (80 * MS, 99 * MS)),),
        outcome=Outcome.NOT_MET,
        code="beyond_limit",
    ),
    "the worst rank decides": Setup(
        rows=(row(90 * MS, (88 * MS, 92 * MS)), row(110 * MS, (108 * MS, 112 * MS), dimensions=Dimensions(rank=1))),
        outcome=Outcome.NOT_MET,
        code="beyond_limit",
    ),
    "one undecided rank is enough": Setup(
        rows=(row(90 * MS, (88 * MS, 92 * MS)), row(98 * MS, (96 * MS, 102 * MS), dimensions=Dimensions(rank=1))),
        outcome=Outcome.UNDECIDED,
        code="interval_crosses_limit",
    ),
    "no value": Setup(rows=(row(GONE, None),), outcome=Outcome.UNDECIDED, code="no_step_markers"),
    "nothing measured": Setup(outcome=Outcome.UNDECIDED, code="metric_not_measured"),
    "a failed cross-check": Setup(
        rows=(compared(None, measured(Side.AFTER, 90 * MS, ends=(88 * MS, 92 * MS), witnesses=(FAILED,))),),
        outcome=Outcome.UNDECIDED,
        code="check_failed",
    ),
    "the family is blocked": Setup(
        rows=(row(90 * MS, (88 * MS, 92 * MS)),),
        differences=(difference("profiler_info.with_stack", Family.TIME),),
        outcome=Outcome.UNDECIDED,
        code="family_blocked",
    ),
    "another family is blocked": Setup(
        rows=(row(90 * MS, (88 * MS, 92 * MS)),), differences=(difference("sample.ai_core_metrics", Family.PMU),)
    ),
    "not comparable: AFTER alone is not judged either": Setup(
        rows=(row(90 * MS, (88 * MS, 92 * MS)),),
        standing=PairStanding.NOT_COMPARABLE,
        differences=(difference("sample.level", blocks_all=True),),
        outcome=Outcome.UNDECIDED,
        code="pair_not_comparable",
    ),
    "cannot be shown": Setup(
        rows=(row(90 * MS, (88 * MS, 92 * MS)),),
        standing=PairStanding.CANNOT_BE_SHOWN,
        differences=(difference("chip", blocks_all=True),),
        outcome=Outcome.UNDECIDED,
        code="pair_cannot_be_shown",
    ),
    "the capture contradicts the agreed workload": Setup(
        rows=(row(90 * MS, (88 * MS, 92 * MS)),),
        checks=(WorkloadCheck(fact="dtype.after", agreed="bf16", seen="fp16", outcome="contradicts"),),
        outcome=Outcome.UNDECIDED,
        code="workload_contradicts",
    ),
    "another case than the captured one": Setup(
        rows=(row(90 * MS, (88 * MS, 92 * MS)),), profiled=False, outcome=Outcome.UNDECIDED, code="no_capture_for_case"
    ),
    "a service's step time describes its load": Setup(
        rows=(row(90 * MS, (88 * MS, 92 * MS)),), phase="serving", outcome=Outcome.UNDECIDED, code="describes_the_load"
    ),
    "a total of steps is their sum": Setup(
        rule="simple",
        goals=(goal(metric="device_span", statistic="total", limit=ns(800 * MS)),),
        rows=(compared(None, measured(Side.AFTER, 90 * MS, metric="device_span")),),
        outcome=Outcome.NOT_MET,  # nine steps of 90 ms are 810 ms
        code="beyond_limit",
    ),
    "one step: the device span stands in": Setup(
        rule="simple",
        rows=(row(ONE, None), compared(None, measured(Side.AFTER, 80 * MS, n=1, metric="device_span"))),
        reservations=("device_span_used", "no_interval_simple"),
    ),
    "a count is exact": Setup(
        goals=(goal(metric="kernel_count_per_step", statistic="count", limit=Quantity(value=34, unit="1")),),
        rows=(compared(None, measured(Side.AFTER, 34, n=1, metric="kernel_count_per_step", unit="1")),),
    ),
    "a count that is one too many": Setup(
        goals=(goal(metric="kernel_count_per_step", statistic="count", limit=Quantity(value=33, unit="1")),),
        rows=(compared(None, measured(Side.AFTER, 34, n=1, metric="kernel_count_per_step", unit="1")),),
        outcome=Outcome.NOT_MET,
        code="beyond_limit",
    ),
    "a sampled peak under its limit is a lower bound": Setup(
        goals=(PEAK,), rows=(peak(900, SAMPLED),), outcome=Outcome.UNDECIDED, code="sampled_peak_lower_bound"
    ),
    "a sampled peak that is declared": Setup(
        goals=(PEAK,), rows=(peak(900, SAMPLED),), declared=(VOUCHED,), reservations=("declared_by",)
    ),
    "a sampled peak beyond its limit is beyond it": Setup(
        goals=(PEAK,), rows=(peak(1001, SAMPLED),), outcome=Outcome.NOT_MET, code="beyond_limit"
    ),
    "a ratio of sampled peaks": Setup(
        goals=(replace(PEAK, subject="ratio", limit=Quantity(value=2, unit="1")),),
        rows=(replace(peak(900, SAMPLED), before=peak(900, SAMPLED).after),),
        outcome=Outcome.UNDECIDED,
        code="sampled_peak_lower_bound",
    ),
    "a recorded peak without a witness": Setup(
        goals=(PEAK,), rows=(peak(900),), reservations=("completeness_not_witnessed",)
    ),
    "guarded: a value outside its own interval": Setup(
        rows=(row(99 * MS, (54 * MS, 78 * MS)),), outcome=Outcome.UNDECIDED, code="interval_without_estimate"
    ),
    "a ratio by its interval": Setup(
        goals=(goal(subject="ratio", limit=Quantity(value=Fraction(17, 20), unit="1")),),
        rows=(
            row(
                160 * MS,
                None,
                interval=ratio_interval(Fraction(3, 4), Fraction(17, 20)),
                estimate=Quantity(value=Fraction(4, 5), unit="1"),
            ),
        ),
    ),
    "a delta of a blocked row": Setup(
        goals=(goal(subject="delta", limit=ns(-10 * MS)),),
        rows=(row(90 * MS, None, blocked=(Reason.of("basis_differs", before="a", after="b"),)),),
        outcome=Outcome.UNDECIDED,
        code="basis_differs",
    ),
    "the maximum of a sample has no interval": Setup(
        goals=(goal(statistic="max"),),
        rows=(row(90 * MS, (88 * MS, 92 * MS)),),
        outcome=Outcome.UNDECIDED,
        code="no_interval_once",
    ),
    "measured outside, guarded": Setup(
        goals=(LATENCY,),
        external=(external(Side.AFTER, 40 * MS),),
        outcome=Outcome.UNDECIDED,
        code="no_interval_typed",
    ),
    "measured outside, simple": Setup(
        rule="simple",
        goals=(LATENCY,),
        external=(external(Side.AFTER, 40 * MS),),
        reservations=("hand_typed", "no_interval_simple"),
    ),
    "measured outside, another statistic": Setup(
        rule="simple",
        goals=(LATENCY,),
        external=(external(Side.AFTER, 40 * MS, "p90"),),
        outcome=Outcome.UNDECIDED,
        code="no_external_value",
    ),
    "measured outside, not at all": Setup(
        rule="simple", goals=(LATENCY,), outcome=Outcome.UNDECIDED, code="no_external_value"
    ),
    "a ratio measured outside needs both sides": Setup(
        rule="simple",
        goals=(replace(LATENCY, subject="ratio", limit=Quantity(value=1, unit="1")),),
        external=(external(Side.AFTER, 40 * MS),),
        outcome=Outcome.UNDECIDED,
        code="no_external_value",
    ),
    "subject to a goal that is not met": Setup(
        rule="simple",
        goals=(goal(subject_to=("G2",)), goal(id="G2", limit=ns(1))),
        rows=(row(90 * MS, None),),
        outcome=Outcome.NOT_MET,
        code="subject_to_not_met",
    ),
    "subject to a goal that is undecided": Setup(
        rule="simple",
        goals=(goal(subject_to=("G2",)), replace(LATENCY, id="G2")),
        rows=(row(90 * MS, None),),
        outcome=Outcome.UNDECIDED,
        code="subject_to_undecided",
    ),
}


def judged(setup: Setup, facts: object) -> object:
    case = Case(
        id="C1",
        clause="1",
        profiled=setup.profiled,
        workload=Workload(phase=setup.phase),
        goals=setup.goals,
        external=setup.external,
    )
    target = Target(
        file=FILE,
        parties=Parties(),
        contract=Contract(reference="T"),
        decision_rule=setup.rule,
        cases=(case,),
        declared=setup.declared,
    )
    comparability = Comparability(standing=setup.standing, differences=setup.differences, workload=None)
    evidence = Evidence(
        target=target,
        facts=facts,
        comparability=comparability,
        metrics={m.id: m for m in METRICS},
        comparisons=setup.rows,  # type: ignore[arg-type]
        operators=(),
        workload_checks=setup.checks,
    )
    return judge(evidence, ())


@pytest.mark.parametrize("title", list(CASES))
def test_a_goal(title: str, facts: object) -> None:
    setup = CASES[title]
    verdict = judged(setup, facts)
    first = verdict.judgements[0]  # type: ignore[attr-defined]
    assert (first.outcome, first.reason.code) == (setup.outcome, setup.code)
    assert {r.code for r in first.reservations} >= set(setup.reservations)


def test_a_ratio_of_peaks_takes_the_peak_of_before_that_flatters_least(facts: object) -> None:
    # Repeats: BEFORE 50 and 60, AFTER 57 and 56. 57 / 60 = 95 % would be met; 57 / 50 = 114 % is what counts.
    sides = []
    for side, values in ((Side.BEFORE, (50, 60)), (Side.AFTER, (57, 56))):
        each = [measured(side, v, metric="peak_reserved", part="GE", unit="B", witnesses=WITNESSED) for v in values]
        sides.append(replace(each[0], summary=Quantity(value=max(values), unit="B"), each=tuple(each)))
    limit = Quantity(value=1, unit="1")
    wanted = goal(metric="peak_reserved", part="GE", statistic="max", subject="ratio", limit=limit)
    verdict = judged(Setup(goals=(wanted,), rows=(compared(*sides),)), facts)
    (one,) = verdict.judgements  # type: ignore[attr-defined]
    assert (one.outcome, one.value) == (Outcome.NOT_MET, Quantity(value=Fraction(57, 50), unit="1"))


WORDS = [
    ("met", CASES["guarded: the whole interval is inside"], VerdictWord.MET),
    (
        "not met beats undecided",
        replace(
            CASES["nothing measured"],
            goals=(goal(), goal(id="G2", metric="latency", kind="ttft", statistic="mean", limit=ns(1))),
            rule="simple",
            external=(external(Side.AFTER, 2),),
        ),
        VerdictWord.NOT_MET,
    ),
    (
        "undecided beats met",
        replace(CASES["guarded: the whole interval is inside"], goals=(goal(), replace(LATENCY, id="G2"))),
        VerdictWord.UNDECIDED,
    ),
    ("not comparable beats all", CASES["not comparable: AFTER alone is not judged either"], VerdictWord.NOT_COMPARABLE),
    ("no goals", replace(CASES["nothing measured"], goals=()), VerdictWord.UNDECIDED),
    ("cannot be shown", CASES["cannot be shown"], VerdictWord.UNDECIDED),
]


@pytest.mark.parametrize(("setup", "word"), [w[1:] for w in WORDS], ids=[w[0] for w in WORDS])
def test_the_verdict_word(setup: Setup, word: VerdictWord, facts: object) -> None:
    assert judged(setup, facts).word is word  # type: ignore[attr-defined]


# ------------------------------------------------------------------------------------------------ logs, not comparable
def test_the_logs_of_a_pair_that_is_not_comparable_stand_alone_beside_each_goal() -> None:
    # Medians of SLOW, 200.5 ms, and of FAST, 90.5 ms (tests/judged/goals.py); no difference or ratio is formed of them.
    setup = goals.Setup(
        goals=(goals.goal(), replace(goals.goal(**goals.AS_RATIO), id="G2")),
        runs=(goals.run(Side.BEFORE, goals.SLOW, name="b.log"), goals.run(Side.AFTER, goals.FAST, name="a.log")),
        **goals.NO_PAIR,
    )
    for judged in goals.verdict(setup).judgements:
        row = judged.comparison
        assert judged.outcome is Outcome.UNDECIDED
        assert row is not None
        assert row.before is not None
        assert row.after is not None
        assert (row.before.summary, row.after.summary) == (ns(Fraction(401, 2) * MS), ns(Fraction(181, 2) * MS))
        assert isinstance(row.delta, Missing)
        assert isinstance(row.change, Missing)
        assert isinstance(judged.value, Quantity) == (judged.goal.subject == "after")
        assert {origin.file for origin in judged.origins} >= {"log:after/a.log"}


@pytest.mark.parametrize(
    ("metric", "statistic", "direction", "rule"),
    [
        ("step_time", "median", "at_most", "median of start[k+1] - start[k]"),
        ("step_time", "p90", "at_most", "p90 of start[k+1] - start[k]"),
        ("step_time", "mean", "at_most", "mean of start[k+1] - start[k]"),
        ("kernel_count_per_step", "count", "at_most", "max of start[k+1] - start[k]"),
        ("kernel_count_per_step", "count", "at_least", "min of start[k+1] - start[k]"),
    ],
)
def test_the_origin_of_a_value_has_the_rule_of_its_statistic(
    metric: str, statistic: str, direction: str, rule: str
) -> None:
    """docs/statistics.md: a count of every step is that of the worst step."""
    asked = goal(metric=metric, statistic=statistic, direction=direction)
    known = {one.id: one for one in METRICS}
    assert _rule_of(asked, known[metric])("median of start[k+1] - start[k]") == rule


def test_a_goal_that_is_not_judged_shows_the_statistic_that_it_names() -> None:
    """The largest of 80, 90 and 100 ms, though call stacks block the family of times; its metric shows the median."""
    sides = [goals.measured(side, (80 * goals.MS, 90 * goals.MS, 100 * goals.MS)) for side in Side]
    setup = goals.Setup(
        goals=(goals.goal(statistic="max"),),
        rows=(goals.row(*sides),),
        differences=(goals.difference("profiler_info.with_stack", Family.TIME),),
    )
    (found,) = goals.verdict(setup).judgements
    assert (found.outcome, found.reason.code) == (Outcome.UNDECIDED, "family_blocked")
    assert found.comparison is not None
    shown = [side.summary for side in (found.comparison.before, found.comparison.after) if side is not None]
    assert shown == [Quantity(value=100 * goals.MS, unit="ns")] * 2
