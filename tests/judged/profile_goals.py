"""Goals on what the profile holds: the word, conditions, ranks, limits, statistics, peaks, operator types."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from judged.goals import (
    AFTER,
    AS_DELTA,
    AS_RATIO,
    BEFORE,
    CONTRADICTS,
    COUNT,
    FAILED,
    FAST,
    LATENCY,
    MS,
    NINE,
    NO_PAIR,
    NOT_MET,
    ONE_STEP,
    PEAK,
    RATIO,
    SLOW,
    STEADY,
    TYPE,
    UNDECIDED,
    UNSHOWN,
    VOUCHED,
    WRONG,
    Setup,
    between,
    difference,
    goal,
    measured,
    missing,
    of,
    one,
    operator,
    peak,
    repeats,
    row,
    type_of,
    typed,
)
from reportgen.model import AlikeCaptures, Family, KnownSpread, PairStanding, Reason, Side, VerdictWord, Workload

WORTH_FEW = Reason.of("few_independent_values", n="5", rho="0.84", effective="1.2")
PROFILE: dict[str, Setup] = {
    # --- the word
    "two goals, both met": Setup(
        goals=(goal(), goal(id="G2", limit=of(92 * MS))), word=VerdictWord.MET, margin=of(8 * MS)
    ),
    "an undecided goal before one that is not met": Setup(
        goals=(goal(limit=of(91 * MS)), goal(id="G2", limit=of(80 * MS))),
        outcome=UNDECIDED, code="interval_crosses_limit", args={"side": "inside"}, word=VerdictWord.NOT_MET,
    ),
    "an undecided goal behind one that is met": Setup(
        goals=(goal(), goal(id="G2", limit=of(91 * MS))), word=VerdictWord.UNDECIDED
    ),
    "no goal": Setup(goals=(), outcome=None, word=VerdictWord.UNDECIDED),
    "no goal of a pair that is not comparable": Setup(
        goals=(), outcome=None, word=VerdictWord.NOT_COMPARABLE, **NO_PAIR
    ),
    "no goal of a pair that cannot be shown": Setup(goals=(), outcome=None, word=VerdictWord.UNDECIDED, **UNSHOWN),
    "not comparable, though a typed value of another case is beyond": Setup(
        goals=(LATENCY,), external=(typed(Side.AFTER, 60 * MS),), profiled=False, rule="simple", outcome=UNDECIDED,
        code="pair_not_comparable", args={"keys": "sample.level"}, word=VerdictWord.NOT_COMPARABLE, **NO_PAIR,
    ),
    "cannot be shown, and a typed value of another case is beyond": Setup(
        goals=(LATENCY,), external=(typed(Side.AFTER, 60 * MS),), profiled=False, rule="simple", outcome=NOT_MET,
        code="beyond_limit", margin=of(-10 * MS), word=VerdictWord.NOT_MET, **UNSHOWN,
    ),
    "cannot be shown, and a typed value of the same case": Setup(
        goals=(LATENCY,), external=(typed(Side.AFTER, 60 * MS),), rule="simple", outcome=UNDECIDED,
        code="pair_cannot_be_shown", args={"keys": "chip"}, word=VerdictWord.UNDECIDED, **UNSHOWN,
    ),
    "AFTER alone of a pair that is not comparable": Setup(
        outcome=UNDECIDED, code="pair_not_comparable", args={"keys": "sample.level"}, value=of(90 * MS),
        word=VerdictWord.NOT_COMPARABLE, **NO_PAIR,
    ),
    "cannot be shown because a table fails its check": Setup(
        standing=PairStanding.CANNOT_BE_SHOWN,
        differences=(difference("check", blocks_all=True, reason=Reason.of(
            "check_failed", side="after", name="rows_of_db", found="1", expected="2")),),
        outcome=UNDECIDED, code="check_failed",
        args={"side": "after", "name": "rows_of_db", "found": "1", "expected": "2"},
    ),
    # --- goals that hold only with others
    "a chain: the third is not met": Setup(
        goals=(goal(subject_to=("G2",)), goal(id="G2", subject_to=("G3",)), goal(id="G3", limit=of(80 * MS))),
        outcome=NOT_MET, code="subject_to_not_met", args={"goal": "G2"}, word=VerdictWord.NOT_MET,
    ),
    "a chain: the third is undecided": Setup(
        goals=(goal(subject_to=("G2",)), goal(id="G2", subject_to=("G3",)), goal(id="G3", limit=of(91 * MS))),
        outcome=UNDECIDED, code="subject_to_undecided", args={"goal": "G2"}, word=VerdictWord.UNDECIDED,
    ),
    "undecided itself, and subject to one that is not met": Setup(
        goals=(goal(limit=of(91 * MS), subject_to=("G2",)), goal(id="G2", limit=of(80 * MS))),
        outcome=NOT_MET, code="subject_to_not_met", args={"goal": "G2"}, word=VerdictWord.NOT_MET,
    ),
    "not met itself, and subject to one that is undecided": Setup(
        goals=(goal(limit=of(80 * MS), subject_to=("G2",)), goal(id="G2", limit=of(91 * MS))),
        outcome=NOT_MET, code="beyond_limit", margin=of(-8 * MS), word=VerdictWord.NOT_MET,
    ),
    "subject to a goal that is met": Setup(
        goals=(goal(subject_to=("G2",)), goal(id="G2")), margin=of(8 * MS), word=VerdictWord.MET
    ),
    # --- what may be judged
    "the family of a metric is blocked": Setup(
        differences=(difference("profiler_info.with_stack", Family.TIME),), outcome=UNDECIDED, code="family_blocked",
        args={"family": "time", "keys": "profiler_info.with_stack"},
    ),
    "a family that a metric belongs to as well": Setup(
        goals=(goal(metric="communication_count", statistic="count", limit=one("5")),),
        rows=(row(None, measured(Side.AFTER, (3,), metric="communication_count", unit="1")),),
        differences=(difference("sample.hcclTrace", Family.COMMUNICATION),), outcome=UNDECIDED, code="family_blocked",
        args={"family": "communication", "keys": "sample.hcclTrace"},
    ),
    "a metric that nothing knows is of the family of times": Setup(
        metrics=False, differences=(difference("profiler_info.with_stack", Family.TIME),), outcome=UNDECIDED,
        code="family_blocked", args={"family": "time", "keys": "profiler_info.with_stack"},
    ),
    "the workload contradicts": Setup(
        checks=(WRONG,), outcome=UNDECIDED, code="workload_contradicts", args=CONTRADICTS
    ),
    "another case than the captured one": Setup(
        profiled=False, outcome=UNDECIDED, code="no_capture_for_case", args={"case": "C1"}
    ),
    "a service": Setup(
        workload=Workload(phase="serving"), outcome=UNDECIDED, code="describes_the_load", args={"metric": "step_time"}
    ),
    "nothing measured": Setup(
        rows=(), outcome=UNDECIDED, code="metric_not_measured", args={"metric": "step_time", "part": ""}
    ),
    "a check that fails": Setup(
        rows=(row(BEFORE, replace(AFTER, witnesses=(FAILED,))),), outcome=UNDECIDED, code="check_failed",
        args={"side": "after", "name": "op_statistic_count", "found": "57", "expected": "185"},
    ),
    "a failed check of BEFORE does not touch AFTER": Setup(
        rows=(row(replace(BEFORE, witnesses=(FAILED,)), AFTER),), margin=of(8 * MS)
    ),
    "no value": Setup(
        rows=(row(BEFORE, measured(Side.AFTER, missing("no_step_markers"))),), outcome=UNDECIDED, code="no_step_markers"
    ),
    "completeness without a witness": Setup(
        differences=(difference("completeness.after"),), margin=of(8 * MS), reservations=("completeness_not_witnessed",)
    ),
    "A/A captures that say nothing of the step time": Setup(
        alike=AlikeCaptures(captures=(), names=(), refused=None), margin=of(8 * MS), reservations=("alike_silent",)
    ),
    "A/A captures that are used for nothing": Setup(
        alike=AlikeCaptures(captures=(), names=(), refused=Reason.of("alike_not_alike", keys="sample.level")),
        margin=of(8 * MS), reservations=("alike_not_alike",),
    ),
    # --- ranks and parts
    "the worst of two ranks": Setup(
        rows=(STEADY, row(None, measured(Side.AFTER, (99 * MS,) * 9, ends=(98 * MS, 100 * MS), rank=1))),
        value=of(99 * MS), margin=of(0),
    ),
    "the worst of two ranks of a lower limit": Setup(
        goals=(goal(direction="at_least", limit=of(80 * MS)),),
        rows=(STEADY, row(None, measured(Side.AFTER, (99 * MS,) * 9, ends=(98 * MS, 100 * MS), rank=1))),
        value=of(90 * MS), margin=of(8 * MS),
    ),
    "a rank that lacks the part": Setup(
        goals=(goal(metric="peak_reserved", part="APP", statistic="max", limit=of(1000, "B")),),
        rows=(row(None, peak(900, sampled=False)),
              row(None, measured(Side.AFTER, (1,), metric="peak_reserved", part="PTA", unit="B", rank=1))),
        outcome=UNDECIDED, code="part_not_on_this_side",
    ),
    "no rank has the part": Setup(
        goals=(PEAK,),
        rows=(row(None, measured(Side.AFTER, (1,), metric="peak_reserved", part="PTA", unit="B", rank=1)),),
        outcome=UNDECIDED, code="metric_not_measured", args={"metric": "peak_reserved", "part": "APP"},
    ),
    "one step: the device span, of AFTER": Setup(
        rule="simple",
        rows=(row(BEFORE, measured(Side.AFTER, ONE_STEP)),
              row(None, measured(Side.AFTER, (80 * MS,), metric="device_span"))),
        margin=of(20 * MS), reservations=("device_span_used", "no_interval_simple"),
    ),
    "one step of BEFORE: the device span, of both": Setup(
        rule="simple", goals=(goal(**AS_RATIO),),
        rows=(row(measured(Side.BEFORE, ONE_STEP), AFTER),
              row(measured(Side.BEFORE, (160 * MS,), metric="device_span"),
                  measured(Side.AFTER, (80 * MS,), metric="device_span"))),
        value=one("0.5"), margin=one("0"), reservations=("device_span_used", "at_limit_simple"),
    ),
    "one step of BEFORE does not touch AFTER": Setup(
        rows=(row(measured(Side.BEFORE, ONE_STEP), AFTER),), margin=of(8 * MS)
    ),
    # --- the limit
    "guarded: the end at the limit": Setup(goals=(goal(limit=of(92 * MS)),), margin=of(0)),
    "guarded: the end one nanosecond beyond": Setup(
        goals=(goal(limit=of(92 * MS - 1)),), outcome=UNDECIDED, code="interval_crosses_limit", args={"side": "inside"}
    ),
    "guarded: the estimate beyond": Setup(
        goals=(goal(limit=of(89 * MS)),), outcome=UNDECIDED, code="interval_crosses_limit", args={"side": "beyond"}
    ),
    "guarded: the other end at the limit": Setup(
        goals=(goal(limit=of(88 * MS)),), outcome=UNDECIDED, code="interval_crosses_limit", args={"side": "beyond"}
    ),
    "guarded: the whole interval beyond": Setup(
        goals=(goal(limit=of(88 * MS - 1)),), outcome=NOT_MET, code="beyond_limit", margin=of(-1)
    ),
    "guarded: a lower limit, the end at it": Setup(
        goals=(goal(direction="at_least", limit=of(88 * MS)),), margin=of(0)
    ),
    "guarded: a lower limit, the whole interval below": Setup(
        goals=(goal(direction="at_least", limit=of(93 * MS)),), outcome=NOT_MET, code="beyond_limit", margin=of(-MS)
    ),
    "guarded: a value outside its interval": Setup(
        rows=(row(BEFORE, replace(AFTER, interval=between(54 * MS, 78 * MS))),), outcome=UNDECIDED,
        code="interval_without_estimate",
    ),
    "guarded: three values": Setup(
        rows=(row(BEFORE, measured(Side.AFTER, NINE[:3], ends=(80 * MS, 95 * MS))),), outcome=UNDECIDED,
        code="few_values",
    ),
    "guarded: values worth fewer than two": Setup(
        rows=(row(BEFORE, measured(Side.AFTER, NINE[:5], warnings=(WORTH_FEW,))),), outcome=UNDECIDED,
        code="few_independent_values", args={"n": "5", "rho": "0.84", "effective": "1.2"}, reservations=(),
    ),
    "guarded: no interval": Setup(
        rows=(row(BEFORE, measured(Side.AFTER, NINE[:1])),), outcome=UNDECIDED, code="no_interval_guarded"
    ),
    "guarded: the maximum of a sample": Setup(
        goals=(goal(statistic="max"),), outcome=UNDECIDED, code="no_interval_once", value=of(90 * MS)
    ),
    "simple: at the limit": Setup(
        rule="simple", goals=(goal(limit=of(90 * MS)),), margin=of(0), reservations=("at_limit_simple",)
    ),
    "simple: a nanosecond beyond": Setup(
        rule="simple", goals=(goal(limit=of(90 * MS - 1)),), outcome=NOT_MET, code="beyond_limit", margin=of(-1)
    ),
    "exact: a count at the limit is met, guarded or not": Setup(
        goals=(COUNT,), rows=(row(None, measured(Side.AFTER, (34,), metric=COUNT.metric, unit="1")),), margin=one("0")
    ),
    "exact: the worst step decides a count": Setup(
        goals=(COUNT,), rows=(row(None, measured(Side.AFTER, (34, 34, 35), metric=COUNT.metric, unit="1")),),
        outcome=NOT_MET, code="beyond_limit", value=one("35"), margin=one("-1"),
    ),
    "exact: the worst step of a lower limit": Setup(
        goals=(replace(COUNT, direction="at_least"),),
        rows=(row(None, measured(Side.AFTER, (33, 34, 35), metric=COUNT.metric, unit="1")),),
        outcome=NOT_MET, code="beyond_limit", value=one("33"), margin=one("-1"),
    ),
    # --- statistics and subjects
    "the mean of the steps": Setup(
        rule="simple", goals=(goal(statistic="mean"),),
        rows=(row(BEFORE, measured(Side.AFTER, (80 * MS, 90 * MS, 130 * MS))),), value=of(100 * MS), margin=of(0),
    ),
    "the smallest and the 90th percentile": Setup(
        rule="simple", goals=(goal(statistic="p90"), goal(id="G2", statistic="min", limit=of(80 * MS))),
        rows=(row(BEFORE, measured(Side.AFTER, tuple(n * 10 * MS for n in range(1, 11)))),),
        value=of(90 * MS), margin=of(10 * MS), word=VerdictWord.MET,
    ),
    "the median of a metric whose own figure is another": Setup(
        rule="simple", goals=(goal(metric="kernel_time", statistic="median"),),
        rows=(row(measured(Side.BEFORE, (0, 0, 0), metric="kernel_time", summary=300 * MS),
                  measured(Side.AFTER, (80 * MS, 90 * MS, 130 * MS), metric="kernel_time", summary=300 * MS)),),
        value=of(90 * MS), margin=of(10 * MS),
    ),
    # --- repeats
    "three captures a side": Setup(
        goals=(goal(**AS_RATIO),),
        rows=(row(repeats(Side.BEFORE, 200 * MS, 201 * MS, 199 * MS), repeats(Side.AFTER, 90 * MS, 91 * MS, 89 * MS)),),
        value=one("0.45"),
    ),
    "several captures against one: its steps are no captures": Setup(
        goals=(goal(**AS_RATIO),), rows=(row(repeats(Side.BEFORE, 200 * MS, 201 * MS, 199 * MS), AFTER),),
        outcome=UNDECIDED, code="no_interval_one_capture", value=one("0.45"),
    ),
    "one capture against several": Setup(
        goals=(goal(**AS_DELTA),), rows=(row(BEFORE, repeats(Side.AFTER, 90 * MS, 91 * MS, 89 * MS)),),
        outcome=UNDECIDED, code="no_interval_one_capture", value=of(-110 * MS),
    ),
    "AFTER of one capture is judged on it, however many BEFORE has": Setup(
        rows=(row(repeats(Side.BEFORE, 200 * MS, 201 * MS), AFTER),), value=of(90 * MS), margin=of(8 * MS)
    ),
    "captures alike to the last digit, AFTER alone": Setup(
        rows=(row(BEFORE, repeats(Side.AFTER, 90 * MS, 90 * MS, 90 * MS)),), outcome=UNDECIDED,
        code="no_spread_guarded", value=of(90 * MS),
    ),
    "captures alike to the last digit, on one side": Setup(
        goals=(goal(**AS_RATIO),),
        rows=(row(repeats(Side.BEFORE, 200 * MS, 200 * MS, 200 * MS),
                  repeats(Side.AFTER, 90 * MS, 91 * MS, 89 * MS)),),
        outcome=UNDECIDED, code="no_spread_guarded", value=one("0.45"),
    ),
    "captures of which one has 0": Setup(
        goals=(goal(**AS_RATIO),),
        rows=(row(repeats(Side.BEFORE, 200 * MS, 201 * MS, 199 * MS), repeats(Side.AFTER, 0, 91 * MS, 89 * MS)),),
        outcome=UNDECIDED, code="no_interval_zero",
    ),
    "captures that vary by more than their mean": Setup(  # 1, 100, 1000: mean 367, h = 4.30 x 549.9 / sqrt 3 = 1366
        goals=(goal(**AS_RATIO),),
        rows=(row(repeats(Side.BEFORE, MS, 100 * MS, 1000 * MS), repeats(Side.AFTER, 90 * MS, 91 * MS, 89 * MS)),),
        outcome=UNDECIDED, code="no_interval_scatter",
    ),
    "steps alike to the last digit, AFTER alone": Setup(
        rows=(row(BEFORE, measured(Side.AFTER, NINE)),), outcome=UNDECIDED, code="no_spread_guarded", value=of(90 * MS)
    ),
    "steps so alike that the interval of their ratio has no width": Setup(
        goals=(goal(**AS_RATIO),),
        rows=(row(BEFORE, AFTER, estimate=one("0.45"), interval=between(Fraction("0.45"), Fraction("0.45"), "1")),),
        outcome=UNDECIDED, code="no_spread_guarded", value=one("0.45"),
    ),
    "steps so alike, and what is known between captures is no cure": Setup(
        goals=(goal(**AS_RATIO),),
        rows=(replace(RATIO, between=KnownSpread(of="captures", metric="step_time", value=one("0.01"))),),
        outcome=UNDECIDED, code="no_spread_guarded", value=one("0.45"),
    ),
    "steps of which one is 0": Setup(
        rows=(row(BEFORE, measured(Side.AFTER, (0, *NINE[1:]))),), outcome=UNDECIDED, code="no_interval_zero"
    ),
    "a statistic that no sample has": Setup(
        goals=(goal(statistic="std"),), outcome=UNDECIDED, code="statistic_not_available", args={"statistic": "std"}
    ),
    "the total of steps": Setup(
        rule="simple", goals=(goal(statistic="total", limit=of(810 * MS)),), value=of(810 * MS), margin=of(0)
    ),
    "totals of nine steps and of eight": Setup(
        rule="simple", goals=(goal(statistic="total", **AS_RATIO),),
        rows=(row(BEFORE, measured(Side.AFTER, NINE[:8])),), outcome=UNDECIDED, code="totals_of_different_steps",
        args={"before": "9", "after": "8"},
    ),
    "a ratio by its estimate and interval": Setup(
        goals=(goal(**AS_RATIO),), rows=(RATIO,), value=one("0.45"), margin=one("0.04")
    ),
    "a ratio of maxima is their quotient": Setup(
        rule="simple", goals=(goal(statistic="max", **AS_RATIO),), rows=(RATIO,), value=one("0.45"), margin=one("0.05")
    ),
    "a ratio whose BEFORE is 0": Setup(
        rule="simple", goals=(goal(**AS_RATIO),), rows=(row(measured(Side.BEFORE, (0,) * 9), AFTER),),
        outcome=UNDECIDED, code="before_zero",
    ),
    "a ratio without BEFORE": Setup(
        rule="simple", goals=(goal(**AS_RATIO),), rows=(row(None, AFTER),), outcome=UNDECIDED,
        code="part_not_on_this_side",
    ),
    "a delta by the ends of the ratio": Setup(
        goals=(goal(**AS_DELTA),), rows=(RATIO,), value=of(-110 * MS), margin=of(8 * MS)
    ),
    "a delta without an interval": Setup(
        rule="simple", goals=(goal(**AS_DELTA),), rows=(STEADY,), value=of(-110 * MS), margin=of(10 * MS),
        reservations=("no_interval_simple",),
    ),
    "a ratio of a row without verdict": Setup(
        goals=(goal(**AS_RATIO),), rows=(replace(RATIO, blocked=(Reason.of("basis_differs", before="a", after="b"),)),),
        outcome=UNDECIDED, code="basis_differs", args={"before": "a", "after": "b"},
    ),
    "means of both sides where BEFORE is 0": Setup(
        rule="simple", goals=(goal(statistic="mean"),),
        rows=(row(measured(Side.BEFORE, (0, 0, 0), summary=5), measured(Side.AFTER, (80 * MS, 90 * MS, 130 * MS))),),
        margin=of(0),
    ),
    # --- sampled peaks
    "a sampled peak under an upper limit": Setup(
        goals=(PEAK,), rows=(row(None, peak(900)),), outcome=UNDECIDED, code="sampled_peak_lower_bound",
        args={"part": "APP"},
    ),
    "a sampled peak beyond an upper limit": Setup(
        goals=(PEAK,), rows=(row(None, peak(1001)),), outcome=NOT_MET, code="beyond_limit", margin=of(-1, "B")
    ),
    "a sampled peak above a lower limit": Setup(
        goals=(replace(PEAK, direction="at_least"),), rows=(row(None, peak(1001)),), margin=of(1, "B")
    ),
    "a sampled peak below a lower limit": Setup(
        goals=(replace(PEAK, direction="at_least"),), rows=(row(None, peak(900)),), outcome=UNDECIDED,
        code="sampled_peak_lower_bound", args={"part": "APP"},
    ),
    "a sampled peak that is declared": Setup(
        goals=(PEAK,), rows=(row(None, peak(900)),), declared=(VOUCHED,), margin=of(100, "B"),
        reservations=("declared_by",),
    ),
    "a sampled peak of BEFORE in a ratio": Setup(
        goals=(replace(PEAK, subject="ratio", limit=one("2")),),
        rows=(row(peak(900, side=Side.BEFORE), peak(900, sampled=False)),), outcome=UNDECIDED,
        code="sampled_peak_lower_bound", args={"part": "APP"},
    ),
    "a sampled peak that is not decided anyway": Setup(
        goals=(PEAK,), rows=(row(None, peak(900)),), checks=(WRONG,), outcome=UNDECIDED, code="workload_contradicts",
        args=CONTRADICTS,
    ),
    # --- one operator type
    "the total of a type on both sides": Setup(
        rule="simple", goals=(replace(TYPE, **AS_RATIO),),
        operators=(type_of(operator(Side.BEFORE, (200 * MS,)), operator(Side.AFTER, (90 * MS,))),),
        value=one("0.45"), margin=one("0.05"),
    ),
    "a type that AFTER lacks": Setup(
        goals=(TYPE,), operators=(type_of(operator(Side.BEFORE, (90 * MS,)), None),), outcome=UNDECIDED,
        code="part_not_on_this_side",
    ),
    "a type that takes no time on BEFORE": Setup(
        rule="simple", goals=(replace(TYPE, **AS_RATIO),),
        operators=(type_of(operator(Side.BEFORE, (0,)), operator(Side.AFTER, (90 * MS,))),), outcome=UNDECIDED,
        code="before_zero",
    ),
    "totals of a type over one step and over two": Setup(
        rule="simple", goals=(replace(TYPE, **AS_RATIO),),
        operators=(type_of(operator(Side.BEFORE, (MS,)), operator(Side.AFTER, (MS,), steps=2)),), outcome=UNDECIDED,
        code="totals_of_different_steps", args={"before": "1", "after": "2"},
    ),
    "totals of a type over one call and over two, without steps": Setup(
        rule="simple", goals=(replace(TYPE, **AS_RATIO),),
        operators=(type_of(operator(Side.BEFORE, (MS,)), operator(Side.AFTER, (MS, MS))),), outcome=UNDECIDED,
        code="call_counts_differ", args={"before": "1", "after": "2"},
    ),
    "calls per step of a type": Setup(
        goals=(goal(metric="kernel_count_per_step", part="Add", statistic="count", limit=one("2")),),
        operators=(type_of(operator(Side.BEFORE, (1,)), operator(Side.AFTER, (1, 1, 1, 1), steps=2)),),
        value=one("2"), margin=one("0"),
    ),
    "calls of a type, and the other's absence said": Setup(
        goals=(goal(metric="kernel_count", part="Add", statistic="count", limit=one("2")),),
        operators=(type_of(None, operator(Side.AFTER, (1, 1))),), value=one("2"), margin=one("0"),
    ),
    "the time of a call of a type too small to be tested": Setup(
        goals=(goal(metric="kernel_call", part="Add", **AS_RATIO),),
        operators=(replace(type_of(operator(Side.BEFORE, SLOW), operator(Side.AFTER, FAST)),
                           call=row(None, measured(Side.AFTER, FAST), reason=Reason.of("small_type", limit="1%"))),),
        outcome=UNDECIDED, code="small_type", args={"limit": "1%"},
    ),
    "the time of a call of a type without its calls": Setup(
        goals=(goal(metric="kernel_call", part="Add", **AS_RATIO),),
        operators=(replace(type_of(operator(Side.BEFORE, SLOW), operator(Side.AFTER, FAST)),
                           call=row(replace(measured(Side.BEFORE, SLOW), sample=None), measured(Side.AFTER, FAST))),),
        outcome=UNDECIDED, code="no_interval_guarded",
    ),
    "the time of a call of a type in AFTER alone": Setup(
        goals=(goal(metric="kernel_call", part="Add"),),
        operators=(type_of(operator(Side.BEFORE, SLOW), operator(Side.AFTER, FAST)),),
    ),
    "the time of a call of a type, eight calls each": Setup(
        goals=(goal(metric="kernel_call", part="Add", **AS_RATIO),),
        operators=(type_of(operator(Side.BEFORE, SLOW), operator(Side.AFTER, FAST)),),
    ),
    "the time of a call of a type whose row is blocked": Setup(
        goals=(goal(metric="kernel_call", part="Add", **AS_RATIO),),
        operators=(type_of(operator(Side.BEFORE, SLOW), operator(Side.AFTER, FAST),
                           blocked=(Reason.of("values_missing"),)),),
    ),
    "a type of repeats": Setup(
        goals=(TYPE,), captures=2, operators=(type_of(operator(Side.BEFORE, (MS,)), operator(Side.AFTER, (MS,))),),
        outcome=UNDECIDED, code="operators_of_first_capture",
    ),
}  # fmt: skip
