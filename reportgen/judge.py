"""Goals and official rules to judgements, judgements to one verdict.

A goal is judged on its worst rank. Order of questions: may the pair be compared; is the case the one that was captured;
is the family blocked; is there a value; do the cross-checks agree; only then the limit. Nothing is rounded before it is
compared. Source: docs/statistics.md "Decision rule" (ISO/IEC 17025:2017 7.8.6; ILAC-G8:09/2019; JCGM 106:2012).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from reportgen import samples, units, vocabulary
from reportgen.accuracy import withheld
from reportgen.applicability import described
from reportgen.compare import change_of, delta_of, ratio, ratio_of_captures, sampled_peak
from reportgen.fixed import as_after, as_agreed
from reportgen.gates import Looked, find_gates, gated
from reportgen.known_spread import between_of, known_for
from reportgen.metrics.common import limit_interval
from reportgen.model import (
    Accuracy,
    AlikeCaptures,
    CaptureFacts,
    Case,
    Comparability,
    Comparison,
    Declared,
    Dimensions,
    ExternalValue,
    Family,
    Goal,
    Inflation,
    Interval,
    Judgement,
    KnownSpread,
    LoggedRun,
    Measurement,
    Metric,
    Missing,
    MissingKind,
    OperatorChange,
    OperatorMeasurement,
    Origin,
    Outcome,
    PairStanding,
    PrecisionSign,
    Quantity,
    Reason,
    Sample,
    Side,
    Standing,
    Target,
    Threshold,
    ThresholdJudgement,
    Verdict,
    VerdictWord,
    WorkloadCheck,
)
from reportgen.outside import (
    CENTRAL,
    SideValue,
    few_independent,
    is_witness,
    kinds_apart,
    refused,
    reservations,
    side_value,
    speaks,
    tag,
    with_width,
)
from reportgen.planning import captures_needed
from reportgen.repeats import WITHIN_ONE, interval_of
from reportgen.run_comparisons import stopped, typed_otherwise
from reportgen.run_conditions import (
    RunFact,
    of_goal,
    of_two_cases,
    shown_unlike,
    unfit,
)
from reportgen.run_logs.identities import FLOAT_NOISE
from reportgen.thresholds import judge_thresholds

BAD = {Outcome.NOT_MET: 0, Outcome.UNDECIDED: 1, Outcome.NOT_APPLICABLE: 2, Outcome.MET: 3}
OUTSIDE = ("latency", "qps", "throughput")
KERNEL_TABLE = (Family.TIME, Family.COUNTS, Family.PMU, Family.COMMUNICATION)
"""Families whose values come from the kernel table and rest on its completeness."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What goals are judged on."""

    target: Target
    """What was agreed."""
    facts: tuple[CaptureFacts, ...]
    """Every capture, those of BEFORE first; a side has several when they are repeats."""
    comparability: Comparability
    """Of the pair."""
    metrics: dict[str, Metric]
    """By id."""
    comparisons: tuple[Comparison, ...]
    """Every metric side by side."""
    operators: tuple[OperatorChange, ...]
    """Every operator type."""
    workload_checks: tuple[WorkloadCheck, ...]
    """The agreed workload against the captures."""
    runs: tuple[LoggedRun, ...] = ()
    """Runs measured outside the profile."""
    alike: AlikeCaptures | None = None
    """A/A captures, where some were given."""
    accuracy: tuple[Accuracy, ...] = ()
    """The criteria of accuracy, judged."""
    precision: tuple[PrecisionSign, ...] = ()
    """Signs of another data type or quantisation."""
    inflation: tuple[Inflation, ...] = ()
    """What the profiler adds."""
    run_facts: tuple[RunFact, ...] = ()
    """Compared facts of those runs."""

    def declared(self, *keys: str) -> Declared | None:
        """The declaration of any of these keys."""
        return next((d for d in self.target.declared if d.key in keys), None)


NO_INTERVAL = Reason.of("no_interval_guarded")


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A value to be held against a limit."""

    value: Quantity
    """The estimate."""
    interval: Interval | None
    """None when none can be stated."""
    exact: bool
    """Counts and peaks: decided as they are."""
    values: int
    """Values behind it: steps or calls of one capture, or captures."""
    fewest: int = 4
    """Values from which a guarded goal is decided: 4 of one capture, 3 captures."""
    without: Reason = NO_INTERVAL
    """Why a guarded goal is undecided where there is no interval."""
    estimated: bool = False
    """Whether the value is an estimate made on floats; the ends of an interval always are."""


# ------------------------------------------------------------------------------------------------ the verdict
def judge(evidence: Evidence, thresholds: Sequence[Threshold]) -> Verdict:
    """The verdict: captures not comparable > not met > runs of a goal not comparable > undecided > met."""
    found = [_goal(evidence, case, goal) for case in evidence.target.cases for goal in case.goals]
    found = withheld(found, evidence.accuracy, evidence.precision, evidence.metrics)
    job = described(
        evidence.target, evidence.facts, evidence.comparisons, evidence.workload_checks, evidence.comparability
    )
    rules = judge_thresholds(thresholds, job)
    gates = find_gates(_looked(evidence, rules))
    judgements = tuple(_with_conditions(gated(found, gates, evidence.metrics, evidence.target)))
    word, reason = _word(evidence.comparability, judgements, evidence.accuracy)
    return Verdict(
        word=word,
        reason=reason,
        judgements=judgements,
        thresholds=rules,
        workload_checks=evidence.workload_checks,
        decision_rule=evidence.target.decision_rule,
        accuracy=evidence.accuracy,
        precision=evidence.precision,
        gates=gates,
    )


def _looked(evidence: Evidence, rules: tuple[ThresholdJudgement, ...]) -> Looked:
    """What the gates look at."""
    return Looked(
        target=evidence.target,
        facts=evidence.facts,
        comparability=evidence.comparability,
        comparisons=evidence.comparisons,
        workload_checks=evidence.workload_checks,
        runs=evidence.runs,
        rules=rules,
        accuracy=evidence.accuracy,
        inflation=evidence.inflation,
    )


def _word(
    comparability: Comparability, judgements: tuple[Judgement, ...], accuracy: tuple[Accuracy, ...]
) -> tuple[VerdictWord, Reason]:
    keys = ", ".join(dict.fromkeys(d.key for d in comparability.differences if d.blocks_all))
    if comparability.standing is PairStanding.NOT_COMPARABLE:
        return VerdictWord.NOT_COMPARABLE, Reason.of("pair_not_comparable", keys=keys)
    failed = [j for j in judgements if j.outcome is Outcome.NOT_MET]
    if failed:  # the first that fails by its own value, where one does
        lead = min(failed, key=lambda j: j.reason.code == "subject_to_not_met")
        return VerdictWord.NOT_MET, Reason.of("goal_not_met", goal=lead.goal.id)
    short = next((one for one in accuracy if one.outcome is Outcome.NOT_MET), None)
    if short is not None:
        return VerdictWord.NOT_MET, Reason.of("accuracy_not_met", criterion=short.agreed.name)
    apart = next((j for j in judgements if j.unlike), None)
    if apart is not None:
        return VerdictWord.NOT_COMPARABLE, Reason.of("runs_not_comparable", goal=apart.goal.id)
    if comparability.standing is PairStanding.CANNOT_BE_SHOWN:
        return VerdictWord.UNDECIDED, Reason.of("pair_cannot_be_shown", keys=keys)
    if not judgements:
        return VerdictWord.UNDECIDED, Reason.of("no_goals")
    open_ = [j for j in judgements if j.outcome is not Outcome.MET]
    if open_:
        return VerdictWord.UNDECIDED, Reason.of("goal_undecided", goal=open_[0].goal.id)
    open_accuracy = next((one for one in accuracy if one.outcome is not Outcome.MET), None)
    if open_accuracy is not None:
        return VerdictWord.UNDECIDED, Reason.of("accuracy_undecided", criterion=open_accuracy.agreed.name)
    return VerdictWord.MET, Reason.of("all_goals_met", n=len(judgements))


def _with_conditions(found: list[Judgement]) -> list[Judgement]:
    """Goals that hold only with others: not met when one of those is not met, undecided when one is undecided.

    Worked through until nothing changes, so that chains hold whatever their order; the target has no cycles.
    """
    done = {j.goal.id: j for j in found}
    for _ in found:
        for judgement in found:
            current = done[judgement.goal.id]
            others = [done[other] for other in judgement.goal.subject_to if other in done]
            if current.outcome is not Outcome.NOT_MET and any(o.outcome is Outcome.NOT_MET for o in others):
                bad = next(o.goal.id for o in others if o.outcome is Outcome.NOT_MET)
                done[judgement.goal.id] = replace(
                    current, outcome=Outcome.NOT_MET, margin=None, reason=Reason.of("subject_to_not_met", goal=bad)
                )
            elif current.outcome is Outcome.MET and any(o.outcome is not Outcome.MET for o in others):
                open_ = next(o for o in others if o.outcome is not Outcome.MET)
                code = "subject_to_not_comparable" if open_.unlike else "subject_to_undecided"
                done[judgement.goal.id] = replace(
                    current, outcome=Outcome.UNDECIDED, margin=None, reason=Reason.of(code, goal=open_.goal.id)
                )
    return [done[j.goal.id] for j in found]


# ------------------------------------------------------------------------------------------------ one goal
def _undecided(
    case: Case,
    goal: Goal,
    reason: Reason,
    *,
    comparison: Comparison | None = None,
    value: Quantity | Missing | None = None,
    interval: Interval | None = None,
    outside: bool = False,
    reservations: tuple[Reason, ...] = (),
    origins: tuple[Origin, ...] = (),
) -> Judgement:
    return Judgement(
        case=case.id,
        goal=goal,
        outcome=Outcome.UNDECIDED,
        comparison=comparison,
        value=value if value is not None else Missing(kind=MissingKind.NOT_RECORDED, reason=reason),
        interval=interval,
        margin=None,
        reason=reason,
        reservations=reservations,
        origins=origins,
        measured_outside=outside,
    )


def _goal(evidence: Evidence, case: Case, goal: Goal) -> Judgement:
    """One goal judged, on BEFORE, on a fixed value or on AFTER alone, with the word for how its values were had."""
    fixed = case.fixed_for(goal)
    asked = as_after(goal, fixed) if fixed is not None else goal
    found = _on_evidence(evidence, case, asked)
    found = replace(found, tag=_tag(evidence, case, asked, found), baseline="none" if case.alone else "before")
    return replace(as_agreed(goal, fixed, found), baseline="fixed") if fixed is not None else found


def _tag(evidence: Evidence, case: Case, goal: Goal, judged: Judgement) -> str:
    """How the values of a goal were had; empty without one."""
    if isinstance(judged.value, Missing) and not (judged.measured_outside and judged.comparison is not None):
        return ""
    if not judged.measured_outside:
        return "profiled"
    runs = _logged_sides(evidence, case, goal)
    tags = {tag(run, evidence.facts) for some in (runs or {}).values() for run in some}
    return "hand-typed" if not tags else tags.pop() if len(tags) == 1 else "mixed"


def _on_evidence(evidence: Evidence, case: Case, goal: Goal) -> Judgement:
    comparability = evidence.comparability
    logged = _logged_sides(evidence, case, goal)
    if logged is not None:
        return _logged(evidence, case, goal, logged)
    told = [run for run in evidence.runs if run.case == case.id and speaks(run, goal)]
    agreed = next((run for run in told if run.agreed), None)
    if agreed is not None:  # or a log taken away would leave the goal to captures or typed values that say otherwise
        return _undecided(case, goal, _one_sided(evidence, case, told, agreed))
    outside = [v for v in case.external if v.metric == goal.metric and v.kind == goal.kind]
    if goal.metric in OUTSIDE or outside:
        return _outside(evidence, case, goal, outside)
    if not case.profiled:
        return _undecided(case, goal, Reason.of("no_capture_for_case", case=case.id))
    if case.workload.phase in vocabulary.LOAD_PHASES and goal.metric in vocabulary.DESCRIBES_LOAD:
        return _undecided(case, goal, Reason.of("describes_the_load", metric=goal.metric))
    rows, doubts = _rows(evidence, goal)
    if not rows:
        return _undecided(case, goal, Reason.of("metric_not_measured", metric=goal.metric, part=goal.part))
    refused = _refused(evidence, goal, comparability)
    if refused is None and _of_one_type(goal) and len(evidence.facts) > len(Side):
        refused = Reason.of("operators_of_first_capture")
    doubts = (*doubts, *(_named("log_not_agreed", run) for run in told[:1]))
    judged = [_row(evidence, case, goal, row, refused, doubts) for row in rows]
    return min(judged, key=lambda j: (BAD[j.outcome], _badness(goal, j.value)))


def _badness(goal: Goal, value: Quantity | Missing) -> Fraction:
    """Smaller is worse: the largest value of an upper limit, the smallest of a lower one."""
    if isinstance(value, Missing):
        return Fraction(0)
    return -Fraction(value.value) if goal.direction == "at_most" else Fraction(value.value)


def _refused(evidence: Evidence, goal: Goal, comparability: Comparability) -> Reason | None:
    """Why no goal of this metric may be judged at all; None when it may."""
    keys = ", ".join(dict.fromkeys(d.key for d in comparability.differences if d.blocks_all))
    if comparability.standing is PairStanding.NOT_COMPARABLE:
        return Reason.of("pair_not_comparable", keys=keys)
    if comparability.standing is PairStanding.CANNOT_BE_SHOWN:
        first = next(d for d in comparability.differences if d.blocks_all)
        return first.reason if first.reason.code == "check_failed" else Reason.of("pair_cannot_be_shown", keys=keys)
    wrong = next((c for c in evidence.workload_checks if c.outcome == "contradicts"), None)
    if wrong is not None:
        return Reason.of("workload_contradicts", fact=wrong.fact, agreed=wrong.agreed, seen=wrong.seen)
    metric = evidence.metrics.get(goal.metric)
    for family in (metric.family, *metric.also) if metric is not None else (Family.TIME,):
        blocking = [d.key for d in comparability.blocked(family)]
        if blocking:
            return Reason.of("family_blocked", family=family, keys=", ".join(dict.fromkeys(blocking)))
    return None


def _rows(evidence: Evidence, goal: Goal) -> tuple[list[Comparison], tuple[Reason, ...]]:
    """The comparisons a goal is judged on, one for each rank, and what was put in the place of what."""
    if _of_one_type(goal):
        return [_operator_row(o, goal.metric) for o in evidence.operators if o.type == goal.part], ()
    rows = _of_part([c for c in evidence.comparisons if c.metric == goal.metric], goal.part)
    if goal.metric == "step_time" and rows and any(_one_step(c, goal) for c in rows):
        spans = [c for c in evidence.comparisons if c.metric == "device_span"]
        return spans, (Reason.of("device_span_used"),)
    return rows, ()


def _of_one_type(goal: Goal) -> bool:
    """Whether a goal is on the kernels of one operator type; of repeats those of the first captures alone are read."""
    return bool(goal.part) and goal.metric in ("kernel_call", "kernel_time", "kernel_count", "kernel_count_per_step")


def _of_part(rows: list[Comparison], part: str) -> list[Comparison]:
    """One comparison of a part for each rank; a rank that does not show the part stands as missing, never left out."""
    found: list[Comparison] = []
    places = dict.fromkeys((c.dimensions.rank, c.dimensions.device) for c in rows)
    for place in places:
        here = [c for c in rows if (c.dimensions.rank, c.dimensions.device) == place]
        named = [c for c in here if c.dimensions.part == part]
        if named:
            found += named
        elif any(c.dimensions.part == part for c in rows):
            none = Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("part_not_on_this_side"))
            dimensions = replace(here[0].dimensions, part=part)
            found.append(replace(here[0], dimensions=dimensions, before=None, after=None, delta=none, change=none))
    return found


def _one_step(comparison: Comparison, goal: Goal) -> bool:
    """Whether a step time is missing only because a side that the goal needs has a single step."""
    sides = (comparison.after,) if goal.subject == "after" else (comparison.before, comparison.after)
    missing = [m.summary.reason.code for m in sides if m is not None and isinstance(m.summary, Missing)]
    return bool(missing) and all(code == "one_step_only" for code in missing)


def _operator_row(change: OperatorChange, metric: str) -> Comparison:
    """One operator type as a comparison of a metric."""
    sides = [_operator_measurement(o, metric) for o in (change.before, change.after)]
    values = [None if m is None else m.summary for m in sides]
    none = Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("operator_not_on_this_side", type=change.type))
    both = all(isinstance(v, Quantity) for v in values)
    b, a = (v if isinstance(v, Quantity) else None for v in values)
    delta = (
        Quantity(value=units.exact(Fraction(a.value) - b.value), unit=a.unit)
        if both and a is not None and b is not None
        else none
    )
    ratio = (
        Quantity(value=units.exact(Fraction(a.value) / b.value - 1), unit="1")
        if both and a is not None and b is not None and b.value
        else none
    )
    call = _call_alone(change.call) if metric == "kernel_call" else None
    return Comparison(
        metric=metric,
        dimensions=replace(change.dimensions, part=change.type),
        before=sides[0],
        after=sides[1],
        delta=delta,
        change=ratio,
        estimate=call.estimate if call else None,
        interval=call.interval if call else None,
        blocked=_operator_block(change, metric),
        distinguishable=call.distinguishable if call else "cannot be known",
        reason=call.reason if call else Reason.of("value_without_sample"),
    )


def _call_alone(call: Comparison | None) -> Comparison | None:
    """The calls of one type at the level of a goal: that of the table allows for all types tested, a goal names one."""
    if call is None or call.reason.code in ("small_type", "unlike_calls") or call.before is None or call.after is None:
        return call
    if call.before.sample is None or call.after.sample is None:
        return call
    estimate, interval, told, reason = ratio(call.before.sample.values, call.after.sample.values)
    told = "cannot be known" if call.blocked else told
    return replace(call, estimate=estimate, interval=interval, distinguishable=told, reason=reason)


def _operator_block(change: OperatorChange, metric: str) -> tuple[Reason, ...]:
    """Why figures of one operator type get no verdict: other steps, without steps other calls, or calls not alike."""
    if metric == "kernel_call" and change.call is not None and change.call.reason.code == "unlike_calls":
        return (change.call.reason,)
    if change.before is None or change.after is None or metric not in ("kernel_time", "kernel_count"):
        return ()
    steps = change.before.steps, change.after.steps
    if steps[0] != steps[1]:
        return (Reason.of("totals_of_different_steps", before=steps[0], after=steps[1]),)
    calls = change.before.totals.calls.value, change.after.totals.calls.value
    if metric == "kernel_time" and steps == (1, 1) and calls[0] != calls[1]:
        return (Reason.of("call_counts_differ", before=calls[0], after=calls[1]),)
    return ()


def _operator_measurement(operator: OperatorMeasurement | None, metric: str) -> Measurement | None:
    if operator is None:
        return None
    totals = operator.totals
    value = {"kernel_call": totals.median, "kernel_time": totals.total, "kernel_count": totals.calls}.get(metric)
    if value is None:
        value = Quantity(value=units.exact(Fraction(totals.calls.value) / operator.steps), unit="1")
    of_calls = metric == "kernel_call"
    interval, doubts = limit_interval(totals.sample.values, totals.sample.unit) if of_calls else (None, ())
    return Measurement(
        metric=metric,
        side=operator.side,
        dimensions=replace(operator.dimensions, part=operator.type),
        summary=value,
        sample=totals.sample if of_calls else None,
        interval=interval,
        origins=totals.origins,
        warnings=doubts,
    )


def _row(
    evidence: Evidence, case: Case, goal: Goal, row: Comparison, refused: Reason | None, doubts: tuple[Reason, ...]
) -> Judgement:
    sides = [m for m in _asked(goal, row) if m is not None]
    rule = _rule_of(goal, evidence.metrics.get(goal.metric))
    origins = tuple(dict.fromkeys(replace(o, formula=rule(o.formula)) for m in sides for o in m.origins))
    found, shown = _estimate(evidence, goal, row), _as_agreed(evidence, goal, row)
    value = found.value if isinstance(found, Estimate) else found
    reservations = (*doubts, *_reservations(evidence, goal, sides))
    if refused is not None:
        return _undecided(
            case, goal, refused, comparison=shown, value=value, origins=origins, reservations=reservations
        )
    if isinstance(found, Missing):
        return _undecided(
            case, goal, found.reason, comparison=shown, value=found, origins=origins, reservations=reservations
        )
    failed = next(((m, w) for m in sides for w in (m.undecided_by(),) if w is not None), None)
    if failed is not None:
        measurement, witness = failed
        return _undecided(
            case,
            goal,
            Reason.of(
                "check_failed",
                side=measurement.side,
                name=witness.name,
                found=witness.found.exact(),
                expected=witness.expected.exact(),
            ),
            comparison=shown,
            value=value,
            origins=origins,
        )
    if goal.subject != "after" and row.blocked:
        return _undecided(
            case, goal, row.blocked[0], comparison=shown, value=value, origins=origins, reservations=reservations
        )
    sizes = {len(one.sample.values) for m in sides for one in (m.each or (m,)) if one.sample is not None}
    metric = evidence.metrics.get(goal.metric)
    of_steps = metric is None or metric.statistic != "total"
    if goal.subject != "after" and goal.statistic == "total" and of_steps and len(sizes) > 1:
        counts = [
            len(m.sample.values) if m is not None and m.sample is not None else 0 for m in (row.before, row.after)
        ]
        reason = Reason.of("totals_of_different_steps", before=counts[0], after=counts[1])
        return _undecided(case, goal, reason, comparison=shown, value=value, origins=origins, reservations=reservations)
    known = _known(goal, row)
    if known is not None and isinstance(known.value, Missing) and evidence.target.decision_rule == "guarded":
        why = known.value.reason
        return _undecided(case, goal, why, comparison=shown, value=value, origins=origins, reservations=reservations)
    decided = _decide(evidence, case, goal, found, reservations)
    if known is not None and found.interval is not None and not found.exact and isinstance(known.value, Quantity):
        decided = replace(decided, between=known)
    decided = replace(decided, reservations=(*decided.reservations, *_silent(evidence, goal, row, found, known)))
    sampled = _sampled(evidence, goal, row, decided)
    if sampled is not None:
        decided = sampled
    more = captures_needed(decided, shown)
    return replace(decided, comparison=shown, origins=origins, captures_needed=more)


def _rule_of(goal: Goal, metric: Metric | None) -> Callable[[str], str]:
    """The rule of a metric's median as that of the statistic a goal names; a count is that of the worst step."""
    wanted = goal.statistic
    if metric is None or wanted in ("", "share", "weighted") or wanted == metric.statistic != "count":
        return str
    word = ("max" if goal.direction == "at_most" else "min") if wanted == "count" else wanted
    return lambda formula: re.sub(r"^median\b", word, formula)


def _silent(
    evidence: Evidence, goal: Goal, row: Comparison, found: Estimate, known: KnownSpread | None
) -> tuple[Reason, ...]:
    """That A/A captures were given and say nothing of a goal that an interval of single captures decides."""
    single = not any(side is not None and side.each for side in _asked(goal, row))
    if evidence.alike is None or found.exact or found.interval is None or not single:
        return ()
    if known is not None and known.source == "A/A":
        return ()
    refused = evidence.alike.refused
    if refused is not None:
        return (refused,)
    stated = known is not None and isinstance(known.value, Quantity)
    return () if stated else (Reason.of("alike_silent", metric=row.metric),)


def _known(goal: Goal, row: Comparison) -> KnownSpread | None:
    """What is known between captures of the metric a goal is judged on; None unless every side it needs has it."""
    assert row.after is not None, "a goal without AFTER has no value"
    other = row.before.between if row.before is not None else None
    return row.after.between if goal.subject == "after" or other is not None else None


def _as_agreed(evidence: Evidence, goal: Goal, row: Comparison) -> Comparison:
    """The comparison with the statistic the goal names on both sides, so that every figure beside it is of one kind."""
    metric = evidence.metrics.get(goal.metric)
    rule = _rule_of(goal, metric)

    def asked(side: Measurement | None, *, largest: bool | None = None) -> Measurement | None:
        found = _statistic(side, goal, metric)
        if side is not None and side.each and largest is not None:
            values = _capture_values(side, goal, metric)
            end = values if isinstance(values, Missing) else max(values) if largest else min(values)
            found = end if isinstance(end, Missing) else Quantity(value=units.exact(end), unit=_unit(side))
        if side is None or found == side.summary:
            return side
        origins = tuple(replace(o, formula=rule(o.formula)) for o in side.origins)
        return replace(side, summary=found, origins=origins, each=tuple(filter(None, map(asked, side.each))))

    upper = goal.direction == "at_most" if metric is not None and metric.exact else None
    flattering = None if upper is None or goal.subject == "after" else not upper  # of BEFORE what flatters AFTER least
    before, after = asked(row.before, largest=flattering), asked(row.after, largest=upper)
    if (before, after) == (row.before, row.after):
        return row
    return replace(
        row,
        before=before,
        after=after,
        delta=delta_of(_summary(before), _summary(after)),
        change=change_of(metric, _summary(before), _summary(after)) if metric is not None else row.change,
        estimate=None,
        interval=None,
    )


def _summary(side: Measurement | None) -> Quantity | Missing:
    """The value of a side."""
    none = Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("part_not_on_this_side"))
    return none if side is None else side.summary


def _sampled(evidence: Evidence, goal: Goal, row: Comparison, decided: Judgement) -> Judgement | None:
    """A sampled peak is a lower bound: what it cannot decide is undecided, unless the parties declare it.

    It can decide that an upper limit on AFTER is passed, and that a lower limit on AFTER is reached.
    """
    doubt = sampled_peak(None if goal.subject == "after" else row.before, row.after)
    if doubt is None or decided.outcome is Outcome.UNDECIDED:
        return None
    sure = Outcome.NOT_MET if goal.direction == "at_most" else Outcome.MET
    if goal.subject == "after" and decided.outcome is sure:
        return None
    declared = evidence.declared("sampled_peak", goal.metric, f"{goal.metric}.{goal.part}")
    if declared is not None:
        said = Reason.of(
            "declared_by",
            key=declared.key,
            value=declared.value,
            signer=declared.signer,
            role=declared.role,
            date=declared.date,
        )
        return replace(decided, reservations=(*decided.reservations, said))
    return replace(decided, outcome=Outcome.UNDECIDED, margin=None, reason=doubt)


def _reservations(evidence: Evidence, goal: Goal, sides: list[Measurement]) -> tuple[Reason, ...]:
    metric = evidence.metrics.get(goal.metric)
    kernel_table = metric is None or metric.family in KERNEL_TABLE
    found: list[Reason] = []
    for side in sides:
        witnessed = _witnessed(evidence, side.side) if kernel_table else bool(side.witnesses)
        if not witnessed:
            found.append(Reason.of("completeness_not_witnessed", side=side.side))
        found += [w for w in side.warnings if w.code not in (*WITHIN_ONE, "sampled_peak_lower_bound")]
    return tuple(dict.fromkeys(found))


def _witnessed(evidence: Evidence, side: Side) -> bool:
    """Whether the kernel table of a side has a witness (operator rows carry none of their own)."""
    return not any(d.key == f"completeness.{side.value}" for d in evidence.comparability.differences)


# ------------------------------------------------------------------------------------------------ the value
def _statistic(measurement: Measurement | None, goal: Goal, metric: Metric | None) -> Quantity | Missing:
    """The statistic a goal names, exact.

    A count of every step is held against the limit by its worst step; a total of step values is their sum.
    """
    if measurement is None:
        return Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("part_not_on_this_side"))
    if isinstance(measurement.summary, Missing):
        return measurement.summary
    own = metric.statistic if metric is not None else "median"
    sample, wanted = measurement.sample, goal.statistic
    if measurement.each and wanted not in ("", own, "share", "weighted"):
        return _of_captures(measurement, goal, metric)
    if sample is None or wanted in ("share", "weighted") or (wanted in ("", own) and wanted != "count"):
        return measurement.summary
    values = sorted(Fraction(v) for v in sample.values)
    found = _of_sample(values, wanted, worst=values[-1 if goal.direction == "at_most" else 0])
    if found is None:
        return Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of("statistic_not_available", statistic=wanted))
    return Quantity(value=units.exact(found), unit=sample.unit)


def _of_captures(measurement: Measurement, goal: Goal, metric: Metric | None) -> Quantity | Missing:
    """A statistic of the steps of each capture, then the mean over captures; of an exact metric the worst capture."""
    values = _capture_values(measurement, goal, metric)
    if isinstance(values, Missing):
        return values
    worst = max(values) if goal.direction == "at_most" else min(values)
    exact = metric is not None and metric.exact
    return Quantity(value=units.exact(worst if exact else samples.mean(values)), unit=_unit(measurement))


def _of_sample(values: list[Fraction], statistic: str, *, worst: Fraction) -> Fraction | None:
    """A statistic of sorted values; percentiles by the nearest rank; None for one that no sample has."""
    if statistic == "median":
        return samples.median(values)
    if statistic == "mean":
        return samples.mean(values)
    if statistic == "total":
        return sum(values, Fraction(0))
    if statistic == "count":
        return worst
    if statistic in ("max", "min"):
        return values[-1 if statistic == "max" else 0]
    if statistic.startswith("p") and statistic[1:].isdigit():
        return values[max(-(-len(values) * int(statistic[1:]) // 100) - 1, 0)]
    return None


def _estimate(evidence: Evidence, goal: Goal, row: Comparison) -> Estimate | Missing:
    """The value a goal's limit is on: of AFTER, the delta or the ratio, with its interval."""
    metric = evidence.metrics.get(goal.metric)
    if any(m is not None and m.each for m in _asked(goal, row)):
        return _of_repeats(goal, row, metric)
    after = _statistic(row.after, goal, metric)
    exact = metric is not None and metric.exact
    own = metric.statistic if metric is not None else "median"
    central = (goal.statistic or own) in ("share", "weighted", "median") and (
        metric is None or metric.id != "kernel_call_mean"
    )
    if isinstance(after, Missing):
        return after
    averaged = goal.statistic == "mean" and metric is not None and own == "median"
    has_one = central or averaged
    without = _without_steps(goal, row) if has_one else Reason.of("no_interval_once")
    count = len(row.after.sample.values) if row.after is not None and row.after.sample is not None else 1
    if goal.subject == "after":
        measured = row.after.interval if row.after is not None and central else None
        return Estimate(
            value=after,
            interval=_interval_of_mean(row.after) if averaged else measured,
            exact=exact,
            values=count,
            without=(_few_independent(row.after) if has_one else None) or without,
        )
    before = _statistic(row.before, goal, metric)
    if isinstance(before, Missing):
        return before
    count = min(count, len(row.before.sample.values) if row.before is not None and row.before.sample is not None else 1)
    interval = _ratio_of_means(row) if averaged else row.interval if central else None
    if interval is not None and _without_width(row, interval, "mean" if averaged else ""):
        interval, without = None, Reason.of("no_spread_guarded")
    if goal.subject == "ratio":
        if before.value == 0:
            return Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of("before_zero"))
        plain = Quantity(value=units.exact(Fraction(after.value) / before.value), unit="1")
        estimated = central and interval is not None and row.estimate is not None
        return Estimate(
            value=row.estimate if estimated and row.estimate is not None else plain,
            interval=interval,
            exact=exact,
            values=count,
            without=without,
            estimated=estimated,
        )
    value = Quantity(value=units.exact(Fraction(after.value) - before.value), unit=after.unit)
    return Estimate(value=value, interval=_delta_interval(before, interval), exact=exact, values=count, without=without)


def _asked(goal: Goal, row: Comparison) -> tuple[Measurement | None, ...]:
    """The sides that a goal needs: what a limit is on AFTER alone for does not change with BEFORE."""
    return (row.after,) if goal.subject == "after" else (row.before, row.after)


def _without_steps(goal: Goal, row: Comparison) -> Reason:
    """Why the steps or calls of single captures give no interval, where they give none."""
    if goal.subject != "after" and row.reason.code == "small_type":
        return row.reason
    sides = [side.sample.values for side in _asked(goal, row) if side is not None and side.sample is not None]
    if any(samples.alike(values) for values in sides):
        return Reason.of("no_spread_guarded")
    return Reason.of("no_interval_zero") if any(value <= 0 for values in sides for value in values) else NO_INTERVAL


def _without_width(row: Comparison, interval: Interval, of: str) -> bool:
    """Whether so many values are alike that both ends of the ratio's interval are one; u_B is no cure for that."""
    if row.between is None:
        return with_width(interval) is None
    sides = [side.sample.values for side in (row.before, row.after) if side is not None and side.sample is not None]
    return len(sides) > 1 and with_width(ratio(sides[0], sides[1], of=of)[1]) is None


def _interval_of_mean(measurement: Measurement | None) -> Interval | None:
    """The interval of the mean of a capture's values; None where its own median has none."""
    if measurement is None or measurement.interval is None or measurement.sample is None:
        return None
    known = between_of(measurement.between)
    found = samples.limit_interval(measurement.sample.values, level=float(samples.LEVEL), between=known, of="mean")
    return None if found.interval is None else found.interval.stated(measurement.sample.unit, found.method)


def _ratio_of_means(row: Comparison) -> Interval | None:
    """The interval of AFTER / BEFORE of the means of both captures, where that of the row has one."""
    sides = [side.sample for side in (row.before, row.after) if side is not None and side.sample is not None]
    if row.interval is None or len(sides) < 2:
        return None
    return ratio(sides[0].values, sides[1].values, known=row.between, of="mean")[1]


def _few_independent(measurement: Measurement | None) -> Reason | None:
    """That a sample is worth too few independent values for an interval of its own; None else."""
    warnings = measurement.warnings if measurement is not None else ()
    return next((why for why in warnings if why.code == samples.FEW_INDEPENDENT), None)


def _of_repeats(goal: Goal, row: Comparison, metric: Metric | None) -> Estimate | Missing:
    """The same where a side has several captures: each gives one value of the statistic that the goal names."""
    after = _capture_values(row.after, goal, metric)
    if isinstance(after, Missing):
        return after
    exact = metric is not None and metric.exact
    unit = goal.limit.unit if goal.subject == "ratio" or row.after is None else _unit(row.after)
    upper = goal.direction == "at_most"

    def middle(values: list[Fraction], *, largest: bool = upper) -> Fraction:
        return (max(values) if largest else min(values)) if exact else samples.mean(values)

    if goal.subject == "after":
        interval = None if exact else interval_of(after, unit)
        value = Quantity(value=units.exact(middle(after)), unit=unit)
        without = _without_captures([after])
        return Estimate(value=value, interval=interval, exact=exact, values=len(after), fewest=3, without=without)
    before = _capture_values(row.before, goal, metric)
    if isinstance(before, Missing):
        return before
    a, b = middle(before, largest=not upper), middle(after)  # of BEFORE the one that flatters AFTER least
    fewest, without = min(len(before), len(after)), _without_captures([before, after])
    interval = None if exact else ratio_of_captures(before, after)[1]
    if goal.subject == "ratio":
        if a == 0:
            return Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of("before_zero"))
        value = Quantity(value=units.exact(b / a), unit="1")
        return Estimate(value=value, interval=interval, exact=exact, values=fewest, fewest=3, without=without)
    value = Quantity(value=units.exact(b - a), unit=unit)
    spread = _delta_interval(Quantity(value=units.exact(a), unit=unit), interval)
    return Estimate(value=value, interval=spread, exact=exact, values=fewest, fewest=3, without=without)


def _without_captures(sides: Sequence[Sequence[Fraction]]) -> Reason:
    """Why several captures, or several on one side, give no interval, where they give none."""
    if any(len(values) == 1 for values in sides):
        return Reason.of("no_interval_one_capture")
    if any(samples.alike(values) for values in sides):
        return Reason.of("no_spread_guarded")
    return Reason.of("no_interval_zero" if min(map(min, sides)) <= 0 else "no_interval_scatter")


def _unit(measurement: Measurement) -> str:
    return measurement.summary.unit if isinstance(measurement.summary, Quantity) else "1"


def _capture_values(measurement: Measurement | None, goal: Goal, metric: Metric | None) -> list[Fraction] | Missing:
    """The statistic of each capture of a side."""
    if measurement is None or isinstance(measurement.summary, Missing):
        found = _statistic(measurement, goal, metric)
        assert isinstance(found, Missing)
        return found
    each = [_statistic(one, goal, metric) for one in measurement.each or (measurement,)]
    lacking = next((one for one in each if isinstance(one, Missing)), None)
    return lacking or [Fraction(one.value) for one in each if isinstance(one, Quantity)]


def _delta_interval(before: Quantity, interval: Interval | None) -> Interval | None:
    """The interval of a delta: BEFORE x (ratio - 1) at both ends of the ratio's interval."""
    if interval is None:
        return None
    low, high = (
        Quantity(value=units.exact((Fraction(end.value) - 1) * before.value), unit=before.unit)
        for end in (interval.low, interval.high)
    )
    return replace(interval, low=low, high=high)


# ------------------------------------------------------------------------------------------------ the limit
def _inside(goal: Goal, value: Quantity) -> Fraction:
    """Distance to the limit, positive inside."""
    gap = Fraction(goal.limit.value) - value.value
    return gap if goal.direction == "at_most" else -gap


def _at_limit(goal: Goal, found: Estimate) -> Estimate:
    """The estimate, its floats at the limit where they lie within 10^-12 of it: floats are right to some 15 digits."""
    limit = Fraction(goal.limit.value)

    def settled(one: Quantity) -> Quantity:
        near = abs(Fraction(one.value) - limit) <= FLOAT_NOISE * abs(limit)
        return replace(one, value=goal.limit.value) if near else one

    interval = found.interval
    if interval is not None:
        interval = replace(interval, low=settled(interval.low), high=settled(interval.high))
    return replace(found, value=settled(found.value) if found.estimated else found.value, interval=interval)


def _decide(evidence: Evidence, case: Case, goal: Goal, found: Estimate, reservations: tuple[Reason, ...]) -> Judgement:
    """Hold an estimate against its limit by the decision rule."""
    found = found if found.exact else _at_limit(goal, found)
    guarded = evidence.target.decision_rule == "guarded"
    gap = _inside(goal, found.value)
    outcome, reason, margin = _outcome(goal, found, gap, guarded=guarded)
    if not found.exact and found.interval is None and outcome is not Outcome.UNDECIDED:
        reservations = (*reservations, Reason.of("no_interval_simple"))
    if not found.exact and not guarded and gap == 0:
        reservations = (*reservations, Reason.of("at_limit_simple"))
    return Judgement(
        case=case.id,
        goal=goal,
        outcome=outcome,
        comparison=None,
        value=found.value,
        interval=found.interval,
        margin=None if margin is None else Quantity(value=units.exact(margin), unit=goal.limit.unit),
        reason=reason,
        reservations=reservations,
    )


def _outcome(goal: Goal, found: Estimate, gap: Fraction, *, guarded: bool) -> tuple[Outcome, Reason, Fraction | None]:
    if found.exact or not guarded:
        return (
            (Outcome.MET, Reason.of("within_limit"), gap)
            if gap >= 0
            else (Outcome.NOT_MET, Reason.of("beyond_limit"), gap)
        )
    if found.interval is None:
        return Outcome.UNDECIDED, found.without, None
    if found.values < found.fewest:
        return Outcome.UNDECIDED, Reason.of("few_values"), None
    low, high = Fraction(found.interval.low.value), Fraction(found.interval.high.value)
    if not low <= found.value.value <= high:
        return Outcome.UNDECIDED, Reason.of("interval_without_estimate"), None
    near, far = (
        (found.interval.high, found.interval.low)
        if goal.direction == "at_most"
        else (found.interval.low, found.interval.high)
    )
    worst, best = _inside(goal, near), _inside(goal, far)
    if worst >= 0:
        return Outcome.MET, Reason.of("within_limit"), worst
    if best < 0:
        return Outcome.NOT_MET, Reason.of("beyond_limit"), best
    return Outcome.UNDECIDED, Reason.of("interval_crosses_limit", side="inside" if gap >= 0 else "beyond"), None


# ------------------------------------------------------------------------------------------------ measured outside
def _logged_sides(evidence: Evidence, case: Case, goal: Goal) -> dict[Side, list[LoggedRun]] | None:
    """The runs of the sides that a goal needs; None when one of them has none: it cannot rest on runs then."""
    needed = (Side.AFTER,) if goal.subject == "after" else tuple(Side)
    runs = [run for run in evidence.runs if run.case == case.id and speaks(run, goal)]
    named = {side: [run for run in runs if run.side is side and run.agreed] for side in needed}
    if all(named.values()):
        return named
    found = {side: named[side] or [run for run in runs if run.side is side] for side in needed}
    return found if all(found.values()) and not _told_otherwise(case, goal) else None


def _told_otherwise(case: Case, goal: Goal) -> bool:
    """Whether captures or typed values speak of a goal: a log of the command line never takes their place."""
    typed = any((v.metric, v.kind) == (goal.metric, goal.kind) for v in case.external)
    return typed or (case.profiled and goal.metric not in OUTSIDE)


def _named(code: str, run: LoggedRun) -> Reason:
    """A reason that names a run which speaks of a goal and is not used for it."""
    return Reason.of(code, file=run.run.file.path, side=run.side)


def _one_sided(evidence: Evidence, case: Case, told: Sequence[LoggedRun], agreed: LoggedRun) -> Reason:
    """Why a goal that needs both sides has the figure in logs of one: the other names none, or one without it."""
    speaking = {run.side for run in told}
    silent = [run for run in evidence.runs if run.case == case.id and run.side not in speaking and not is_witness(run)]
    if not silent:
        return _named("log_of_one_side", agreed)
    files = ", ".join(dict.fromkeys(run.run.file.path for run in silent))
    return Reason.of(
        "log_without_figure", files=files, side=silent[0].side, other=agreed.run.file.path, other_side=agreed.side
    )


def _steps_shown(evidence: Evidence, case: Case, definitions: Sequence[str]) -> tuple[Reason, ...]:
    """That the logs of both sides do not show the same steps, and nobody agreed to it."""
    return tuple(
        one.difference.reason
        for one in evidence.run_facts
        if one.case == case.id
        and one.definitions in definitions
        and one.difference.spelling == "steps_shown"
        and one.difference.standing is Standing.BIAS
    )


def _logged(evidence: Evidence, case: Case, goal: Goal, runs: dict[Side, list[LoggedRun]]) -> Judgement:
    """A goal on runs outside the profile: the value of each run, and the interval that their number allows."""
    why = stopped(evidence.comparability, evidence.workload_checks, case)
    if why is not None:
        return _beside(evidence, case, goal, why)
    checkpoints = case.workload.checkpoint_steps or ()
    known = _between_runs(evidence, goal, runs)
    found = {side: side_value(some, goal, checkpoints, known) for side, some in runs.items()}
    lacking = next((one for one in found.values() if isinstance(one, Missing)), None)
    if lacking is not None:
        return _undecided(case, goal, lacking.reason, value=lacking, outside=True)
    sides = {side: one for side, one in found.items() if not isinstance(one, Missing)}
    origins = tuple(dict.fromkeys(place for side in sides.values() for place in side.origins))
    no = refused(list(sides.values()), evidence.facts)
    if no is not None:
        apart = len(sides) > 1 and kinds_apart(no[0])
        return replace(_beside(evidence, case, goal, no[0]), origins=origins, unlike=apart)
    used = [one.run for side in sides.values() for one in side.values]
    rests_on = [run.run.definitions for run in used]
    failed = unfit(evidence.target.cases, case, used, evidence.runs, goal.metric)
    if failed is not None:
        return replace(_beside(evidence, case, goal, failed), origins=origins)
    unlike = of_goal(evidence.run_facts, case.id, goal, rests_on)
    if unlike is not None:
        apart = shown_unlike(evidence.run_facts, case.id, goal, rests_on)
        return replace(_beside(evidence, case, goal, unlike), origins=origins, unlike=apart)
    typed = next((why for side, one in sides.items() if (why := typed_otherwise(case, goal, side, one))), None)
    if typed is not None:
        return replace(_beside(evidence, case, goal, typed), origins=origins)
    doubts = (*reservations(list(sides.values()), evidence.facts, known), *of_two_cases(case, used, evidence.runs))
    doubts = (*doubts, *_steps_shown(evidence, case, rests_on))
    given = next((one.run for side in sides.values() for one in side.values if not one.run.agreed), None)
    doubts = doubts if given is None else (Reason.of("log_by_option", file=given.run.file.path), *doubts)
    estimate = _of_runs(goal, sides, known)
    if isinstance(estimate, Missing):
        return _undecided(case, goal, estimate.reason, outside=True, origins=origins)
    estimate = replace(estimate, without=_without(goal, list(sides.values())))
    decided = _decide(evidence, case, goal, estimate, doubts)
    beside = _before_beside(evidence, case, goal, sides)
    shown = {**beside, **sides}
    why = _apart(evidence, case, goal, list(shown.values())) if beside else None
    row = _run_row(goal, shown) if why is None else _without_change(_run_row(goal, shown), why)
    held = known if estimate.interval is not None else None
    decided = replace(decided, measured_outside=True, origins=origins, comparison=row, between=held)
    return replace(decided, captures_needed=captures_needed(decided, row, [side.numbers for side in sides.values()]))


def _beside(evidence: Evidence, case: Case, goal: Goal, stopped: Reason) -> Judgement:
    """A goal that may not be judged, with what the logs of each side give on their own; nothing is formed of the two.

    A side whose logs give no value, or contradict themselves, has none.
    """
    checkpoints, sides = case.workload.checkpoint_steps or (), {}
    for side in Side:
        told = [run for run in evidence.runs if run.case == case.id and run.side is side and speaks(run, goal)]
        runs = [run for run in told if run.agreed] or told
        found = side_value(runs, goal, checkpoints) if runs else None
        if isinstance(found, SideValue) and refused([found], evidence.facts) is None:
            sides[side] = found
    if not sides:
        return _undecided(case, goal, stopped, outside=True)
    row = _run_row(goal, sides)
    row = _without_change(row, stopped)
    asked = tuple(Side) if goal.subject != "after" else (Side.AFTER,)
    origins = tuple(dict.fromkeys(place for side in asked if side in sides for place in sides[side].origins))
    after = sides.get(Side.AFTER) if goal.subject == "after" else None
    return _undecided(
        case,
        goal,
        stopped,
        comparison=row,
        value=after.value if after is not None else None,
        outside=True,
        origins=origins,
    )


def _without_change(row: Comparison, why: Reason) -> Comparison:
    """Both sides' runs without what is formed of the two."""
    none = Missing(kind=MissingKind.NOT_RECORDED, reason=why)
    return replace(row, delta=none, change=none)


def _apart(evidence: Evidence, case: Case, goal: Goal, sides: Sequence[SideValue]) -> Reason | None:
    """Why runs of BEFORE that stand beside a goal on AFTER alone are held against nothing; None when they may be."""
    used = [one.run for side in sides for one in side.values]
    held = replace(goal, subject="ratio")
    rests_on = [run.run.definitions for run in used]
    failed = unfit(evidence.target.cases, case, used, evidence.runs, goal.metric)
    return failed or of_goal(evidence.run_facts, case.id, held, rests_on)


def _before_beside(evidence: Evidence, case: Case, goal: Goal, sides: dict[Side, SideValue]) -> dict[Side, SideValue]:
    """What the logs of BEFORE give beside a goal on AFTER alone: shown, never judged; empty where it may not stand."""
    if Side.BEFORE in sides:
        return {}
    runs = [r for r in evidence.runs if r.case == case.id and r.side is Side.BEFORE and r.agreed and speaks(r, goal)]
    found = side_value(runs, goal, case.workload.checkpoint_steps or ()) if runs else None
    if found is None or isinstance(found, Missing) or refused([found, *sides.values()], evidence.facts) is not None:
        return {}
    return {Side.BEFORE: found}


def _between_runs(evidence: Evidence, goal: Goal, runs: dict[Side, list[LoggedRun]]) -> KnownSpread | None:
    """What is known between runs of a goal's metric, where each side has a single one."""
    if any(len(some) > 1 for some in runs.values()):
        return None
    return known_for(evidence.target.known_spreads, "runs", goal.metric, part=goal.part, kind=goal.kind)


def _without(goal: Goal, sides: Sequence[SideValue]) -> Reason:
    """Why runs give no interval, where they give none."""
    few = few_independent(sides[0]) if goal.subject == "after" and goal.statistic in CENTRAL else None
    return few or Reason.of(_without_code(goal, sides))


def _without_code(goal: Goal, sides: Sequence[SideValue]) -> str:
    if all(side.flat for side in sides):
        return "no_spread_guarded"
    once = [side for side in sides if len(side.values) == 1]
    bare = any(side.values[0].sample is None or goal.statistic not in CENTRAL for side in once)
    if bare or 0 < len(once) < len(sides):
        return "no_interval_once"
    if any(side.flat for side in sides) or (len(sides) > 1 and _mostly_alike(sides)):
        return "no_spread_guarded"
    if any(value <= 0 for side in sides for value in side.sample):
        return "no_interval_zero"
    return "no_interval_scatter" if any(len(side.values) > 1 for side in sides) else "no_interval_guarded"


def _mostly_alike(sides: Sequence[SideValue]) -> bool:
    """Whether so many values of both sides are alike that both ends of the interval of their ratio are one."""
    before, after = (side.sample for side in sides)
    _estimate, interval, _told, _why = ratio(before, after)
    return interval is not None and with_width(interval) is None


def _run_row(goal: Goal, sides: dict[Side, SideValue]) -> Comparison:
    """Both sides' runs as a comparison, so that figures beside the goal are those it was decided on."""

    def measured(side: Side) -> Measurement | None:
        found = sides.get(side)
        if found is None:
            return None
        values = tuple(found.sample) if len(found.sample) > 1 else ()
        place = Dimensions(part=goal.kind)
        each = tuple(
            Measurement(metric=goal.metric, side=side, dimensions=place, summary=one.value, origins=(one.origin,))
            for one in found.values
        )
        return Measurement(
            metric=goal.metric,
            side=side,
            dimensions=place,
            summary=found.value,
            sample=Sample(unit=found.value.unit, values=values, labels=()) if values else None,
            interval=found.interval,
            origins=found.origins,
            each=each if len(each) > 1 else (),
        )

    before, after = sides.get(Side.BEFORE), sides.get(Side.AFTER)
    delta: Quantity | Missing = Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("values_missing"))
    change = delta
    if before is not None and after is not None:
        b, a = Fraction(before.value.value), Fraction(after.value.value)
        delta = Quantity(value=units.exact(a - b), unit=after.value.unit)
        change = Quantity(value=units.exact(a / b - 1), unit="1") if b else change
    return Comparison(
        metric=goal.metric,
        dimensions=Dimensions(part=goal.kind),
        before=measured(Side.BEFORE),
        after=measured(Side.AFTER),
        delta=delta,
        change=change,
        estimate=None,
        interval=None,
        distinguishable="cannot be known",
        reason=Reason.of("measured_outside"),
    )


def _of_runs(goal: Goal, sides: dict[Side, SideValue], known: KnownSpread | None) -> Estimate | Missing:
    after = sides[Side.AFTER]
    several = all(len(side.values) > 1 for side in sides.values())
    single = all(len(side.values) == 1 for side in sides.values())
    fewest = 3 if several else 4
    if goal.subject == "after":
        return Estimate(
            value=after.value, interval=after.interval, exact=False, values=len(after.sample), fewest=fewest
        )
    before = sides[Side.BEFORE]
    if before.value.value == 0:
        return Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of("before_zero"))
    values = min(len(before.sample), len(after.sample))
    estimate, interval = None, None
    if before.flat or after.flat:
        pass  # values alike do not show how they spread, whatever those of the other side show
    elif several:
        estimate, interval, _told, _why = ratio_of_captures(before.sample, after.sample)
    elif single and goal.statistic in CENTRAL and values > 1:
        estimate, interval, _told, _why = ratio(before.sample, after.sample, of=goal.statistic)
        if with_width(interval) is not None:  # values alike give no interval, and u_B makes none
            estimate, interval, _told, _why = ratio(before.sample, after.sample, known=known, of=goal.statistic)
    interval = with_width(interval)
    plain = Quantity(value=units.exact(Fraction(after.value.value) / before.value.value), unit="1")
    if goal.subject == "ratio":
        # that of one run's steps is no mean's, and of several runs the quotient of their means is exact
        judged = estimate if single and goal.statistic == "median" else None
        made = interval is not None and judged is not None
        value = judged if made and judged is not None else plain
        return Estimate(value=value, interval=interval, exact=False, values=values, fewest=fewest, estimated=made)
    delta = Quantity(value=units.exact(Fraction(after.value.value) - before.value.value), unit=after.value.unit)
    spread = _delta_interval(before.value, interval)
    return Estimate(value=delta, interval=spread, exact=False, values=values, fewest=fewest)


def _typed_origins(value: ExternalValue) -> tuple[Origin, ...]:
    """The target's key and the file that a typed value was taken from."""
    file = Origin(file=value.file.path, digest=value.file.digest, locator=value.locator, formula="typed by hand")
    return value.origin, file


def _outside(evidence: Evidence, case: Case, goal: Goal, values: list[ExternalValue]) -> Judgement:
    """A goal on values typed into the target: one value a side, no interval, tagged as typed by hand."""
    chosen = {
        side: next((v for v in values if v.side is side and v.statistic == goal.statistic), None) for side in Side
    }
    why = stopped(evidence.comparability, evidence.workload_checks, case)
    if why is not None:
        alone = chosen[Side.AFTER] if goal.subject == "after" else None
        return _undecided(
            case,
            goal,
            why,
            value=alone.value if alone is not None else None,
            outside=True,
            origins=_typed_origins(alone) if alone is not None else (),
        )
    needed = (Side.AFTER,) if goal.subject == "after" else (Side.BEFORE, Side.AFTER)
    lacking = next((side for side in needed if chosen[side] is None), None)
    if lacking is not None:
        return _undecided(
            case,
            goal,
            Reason.of("no_external_value", metric=goal.metric, side=lacking, kind=goal.kind, statistic=goal.statistic),
            outside=True,
        )
    after, before = chosen[Side.AFTER], chosen[Side.BEFORE]
    assert after is not None
    origins = tuple(o for v in (before, after) if v is not None for o in _typed_origins(v))
    value = after.value
    if goal.subject == "delta" and before is not None:
        value = Quantity(value=units.exact(Fraction(after.value.value) - before.value.value), unit=after.value.unit)
    if goal.subject == "ratio" and before is not None:
        if before.value.value == 0:
            return _undecided(case, goal, Reason.of("before_zero"), outside=True, origins=origins)
        value = Quantity(value=units.exact(Fraction(after.value.value) / before.value.value), unit="1")
    estimate = Estimate(value=value, interval=None, exact=False, values=1, without=Reason.of("no_interval_typed"))
    decided = _decide(evidence, case, goal, estimate, (Reason.of("hand_typed"),))
    return replace(decided, measured_outside=True, origins=origins)
