"""The questions asked before any statement on BEFORE and AFTER, G1 to G10, each with what was looked at.

They read what comparability, metrics, rules and logs have found and never judge it anew: a gate that fails takes the
verdict from just the comparative goals that it concerns. What is merely not known is a reservation, unless the
comparison itself says otherwise. Which gates remove and which are printed beside it is this project's choice.
Source: docs/gates.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from reportgen.gate_facts import (
    clock_facts,
    complete_facts,
    inflation_facts,
    measured_facts,
    noise_facts,
    required_facts,
    setting_facts,
    steady_facts,
    steady_log_facts,
    workload_facts,
)
from reportgen.model import (
    Accuracy,
    Applicability,
    CaptureFacts,
    Case,
    Comparability,
    Comparison,
    Difference,
    Family,
    Gate,
    GateFact,
    GateOutcome,
    GateScope,
    Goal,
    Inflation,
    Judgement,
    LoggedRun,
    Metric,
    Outcome,
    Quantity,
    Reason,
    Side,
    Standing,
    Target,
    ThresholdJudgement,
    WorkloadCheck,
)
from reportgen.outside import speaks, tag
from reportgen.run_conditions import case_apart

REMOVING = ("G1", "G2", "G3", "G4", "G5", "G7")
"""Gates whose failure removes the comparative verdict: our own choice, no official rule."""
BASIS: dict[str, tuple[str, ...]] = {
    "G1": ("fsdp2-one-change-same-measure", "guide-control-variables"),
    "G2": ("fsdp2-one-change-same-measure", "guide-control-variables"),
    "G3": ("guide-batch-size-change",),
    "G4": ("fsdp2-checkpoint-step-excluded", "compare-one-step", "torch-schedule-warmup"),
    "G5": ("profiling-inflation-definition", "compare-not-minimal-profiling"),
    "G6": ("advisor-frequency-drop", "aicore-frequency-drop"),
    "G7": ("storage-limit", "last-second-loss", "disk-speed-floor", "no-concurrent-captures"),
    "G8": ("fsdp2-end-to-end-check-items", "guide-precision-first"),
    "G9": ("before-after-noise-band",),
    "G10": ("advisor-environment-variables",),
}
"""Gate -> entries of the catalogue; that of G9 says that no source gives a noise band."""
ENVIRONMENT = ("task_queue_enable", "cpu_binding", "hccl_expansion")
"""Facts that are environment variables, beside the variables that profiler_metadata.json records."""
VARIABLES = (
    "profiler_metadata.ascend_", "profiler_metadata.hccl_", "profiler_metadata.aclnn_", "profiler_metadata.host_cache",
    "profiler_metadata.pytorch_",
)  # fmt: skip
JOB = ("workload", "excluded.", "profiler_metadata.")
"""Keys of what ran: kernels, and how the job was parallel."""
WHOLE = (
    "completeness.", "capture_aborted", "capture_data_loss", "check.", "last_line.", "sampled_peak", "steps.",
    "ranks_complete.",
)  # fmt: skip
"""Keys of how complete a capture is."""
MEASURE = (
    "sample.", "profiler_info.", "start_info", "end_info", "ranks", "step_count", "step_markers", "producer", "layout",
    "same_capture",
)  # fmt: skip
"""Keys of how it was measured, beside settings files that are missing as a whole."""
VERSIONS = ("profiler_info.torch_npu_version", "profiler_info.cann_version")
ASIDE = ("capture_order", "signature", "below_default", *WHOLE, "workload", "excluded.")
"""Facts that no change list names: that BEFORE is below a default is said of settings that are compared themselves."""
BATCH = (
    "global_batch_size", "batch_size", "micro_batch_size", "argument.global_batch_size", "argument.micro_batch_size",
    "argument.seq_length", "sequence_length",
)  # fmt: skip
"""Statements of a log on batch and shape."""
DROP = "advisor-frequency-drop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What the gates look at."""

    target: Target
    """What was agreed."""
    facts: tuple[CaptureFacts, ...]
    """Every capture, those of BEFORE first."""
    comparability: Comparability
    """The compared facts."""
    comparisons: tuple[Comparison, ...]
    """Every metric side by side."""
    workload_checks: tuple[WorkloadCheck, ...]
    """The agreed workload held against the captures."""
    runs: tuple[LoggedRun, ...]
    """Runs outside the profile."""
    rules: tuple[ThresholdJudgement, ...]
    """The official rules, read."""
    accuracy: tuple[Accuracy, ...]
    """The criteria of accuracy, judged."""
    inflation: tuple[Inflation, ...]
    """What the profiler adds."""

    @property
    def case(self) -> Case | None:
        """The case that the captures were taken of."""
        return next((case for case in self.target.cases if case.profiled), None)

    @property
    def sides(self) -> tuple[Side, ...]:
        """The sides that were agreed on."""
        return (Side.AFTER,) if self.target.alone else tuple(Side)


def find_gates(looked: Looked) -> tuple[Gate, ...]:
    """G1 to G10; of AFTER alone those that one side can be asked, and none of them removes a comparison."""
    found = looked.comparability.differences
    groups: dict[str, list[Difference]] = {name: [] for name in ("G1", "G3", "G7", "G10", "")}
    for one in found:
        groups[_group(one.key)].append(one)
    if looked.target.alone:
        asked = (_steady(looked), _inflation(looked), _clock(looked), _complete(looked, groups["G7"]),
                 _required(looked), _noise(looked))  # fmt: skip
        return tuple(replace(gate, removes=False, scopes=()) for gate in asked)
    return (
        _settings_gate("G1", groups["G1"], measured_facts(looked.facts, groups["G1"])),
        _one_change(found, looked.target.cases),
        _same_work(looked, groups["G3"]),
        _steady(looked),
        _inflation(looked),
        _clock(looked),
        _complete(looked, groups["G7"]),
        _required(looked),
        _noise(looked),
        _settings_gate("G10", groups["G10"], setting_facts(groups["G10"])),
    )


def _group(key: str) -> str:
    if key in ENVIRONMENT or key.startswith(VARIABLES):
        return "G10"
    if key.startswith(WHOLE):
        return "G7"
    if key.startswith(JOB):
        return "G3"
    if (key.startswith(MEASURE) or key.endswith(".json")) and key not in VERSIONS:
        return "G1"
    return ""


def _gate(
    name: str,
    outcome: GateOutcome,
    reasons: Iterable[Reason],
    facts: Iterable[GateFact] = (),
    scopes: Iterable[GateScope] = (),
) -> Gate:
    removes = name in REMOVING
    return Gate(
        id=name,
        outcome=outcome,
        removes=removes,
        scopes=tuple(dict.fromkeys(scopes)) if removes else (),
        reasons=tuple(dict.fromkeys(reasons)),
        facts=tuple(facts),
        basis=BASIS[name],
    )


def _keys(found: Iterable[Difference]) -> str:
    return ", ".join(dict.fromkeys(one.key for one in found))


def _scopes(blocking: Iterable[Difference]) -> list[GateScope]:
    """What blocking facts take the verdict from: everything, or metrics of their families measured in captures."""
    return [GateScope(where="both") if one.blocks_all else GateScope(families=one.families) for one in blocking]


def _settings_gate(name: str, found: Sequence[Difference], facts: Iterable[GateFact]) -> Gate:
    """A gate on compared facts: failed where one blocks, not known where one is unknown or only biases."""
    blocking = [d for d in found if d.standing is Standing.BLOCKING and (d.blocks_all or d.families)]
    unknown = [d for d in found if d.standing is Standing.UNKNOWN]
    biased = [d for d in found if d.standing is Standing.BIAS]
    agreed = [d for d in found if d.standing in (Standing.ALLOWED, Standing.DECLARED)]
    reasons = [
        Reason.of(code, keys=_keys(some))
        for code, some in (
            ("gate_differs", blocking),
            ("gate_unknown", unknown),
            ("gate_biased", biased),
            ("gate_agreed", agreed),
        )
        if some
    ]
    if blocking:
        return _gate(name, "failed", reasons, facts, _scopes(blocking))
    if unknown or biased or not found:
        return _gate(name, "cannot be known", reasons or [Reason.of("gate_nothing_seen")], facts)
    return _gate(name, "passed", reasons or [Reason.of("gate_all_equal")], facts)


def _complete(looked: Looked, found: Sequence[Difference]) -> Gate:
    """What the witnesses of the captures say; a side without a witness has a fact of its own that says so."""
    facts = [*complete_facts(looked.comparisons), *setting_facts(found)]
    if not found:
        return _gate("G7", "passed", [Reason.of("gate_complete")], facts)
    return _settings_gate("G7", found, facts)


def _one_change(found: Sequence[Difference], cases: Sequence[Case]) -> Gate:
    """Every difference found is on the signed change list; what only biases, or was let through, leaves it open."""
    seen = [
        d
        for d in found
        if d.standing not in (Standing.SAME, Standing.IDENTITY)
        and d.before.value != d.after.value
        and not d.key.startswith(ASIDE)
    ]
    listed = [d for d in seen if d.reason.code == "allowed_by_target"]
    option = [d for d in seen if d.reason.code == "allowed_by_option"]
    blocking = [d for d in seen if d.standing is Standing.BLOCKING and (d.blocks_all or d.families)]
    by_case = {case.id: case_apart(seen, case.id, case.goals) for case in cases}
    apart = [d for some in by_case.values() for d in some]
    other = [d for d in seen if d not in (*listed, *option, *blocking, *apart)]
    reasons = [
        Reason.of(code, keys=_keys(some))
        for code, some in (
            ("gate_not_listed", [*blocking, *apart]),
            ("gate_let_through", option),
            ("gate_unlisted", other),
            ("gate_listed", listed),
        )
        if some
    ]
    facts = setting_facts(seen)
    if blocking or apart:
        of_runs = [GateScope(case=case, where="runs") for case, some in by_case.items() if some]
        return _gate("G2", "failed", reasons, facts, [*_scopes(blocking), *of_runs])
    if option or other:
        return _gate("G2", "cannot be known", reasons, facts)
    return _gate("G2", "passed", reasons or [Reason.of("gate_no_difference")], facts)


# --------------------------------------------------------------------------------------------- work, steps
def _same_work(looked: Looked, found: Sequence[Difference]) -> Gate:
    """Batch, shape and parallel strategy: kernels may change, what they work on may not."""
    kernels = [d for d in found if d.key == "workload"]
    base = _settings_gate("G3", [d for d in found if d not in kernels or d.standing is not Standing.BIAS], ())
    partly = [d.reason for d in kernels if d.standing is Standing.BIAS]
    reasons = [reason for reason in (*base.reasons, *partly) if reason.code != "gate_nothing_seen"]
    scopes, outcome = list(base.scopes), base.outcome
    if outcome == "cannot be known" and base.reasons == (Reason.of("gate_nothing_seen"),) and partly:
        outcome = "passed"  # the same types, shapes and data types where they are found on both sides
    wrong = [one for one in looked.workload_checks if one.outcome == "contradicts"]
    if wrong and looked.case is not None:
        outcome = "failed"
        scopes.append(GateScope(case=looked.case.id, where="both"))
        reasons += [Reason.of("workload_contradicts", fact=one.fact, agreed=one.agreed, seen=one.seen) for one in wrong]
    for case in looked.target.cases:
        why = batch_doubt(case, looked.runs)
        if why is not None:
            outcome = "failed" if why.code == "batch_differs" or outcome == "failed" else "cannot be known"
            scopes.append(GateScope(families=(Family.TIME,), case=case.id, where="both"))
            reasons.append(why)
    facts = workload_facts(looked.comparability, looked.workload_checks, looked.runs, BATCH)
    return _gate("G3", outcome, reasons, facts, scopes)


def batch_doubt(case: Case, runs: Iterable[LoggedRun]) -> Reason | None:
    """What the logs of a case state differently of batch and shape, or on one side alone; None without such a thing."""
    stated: dict[Side, dict[str, set[str]]] = {}
    for one in runs:
        if one.case == case.id:
            held = stated.setdefault(one.side, {})
            for context in one.run.context:
                if context.key in BATCH:
                    held.setdefault(context.key, set()).add(context.written.strip())
    if len(stated) < len(Side):
        return None
    before, after = stated[Side.BEFORE], stated[Side.AFTER]
    for key in sorted(before.keys() & after.keys()):
        if before[key] != after[key]:
            shown = [" / ".join(sorted(side[key])) for side in (before, after)]
            return Reason.of("batch_differs", key=key, before=shown[0], after=shown[1], case=case.id)
    alone = sorted(before.keys() ^ after.keys())
    if alone:
        side = Side.BEFORE if alone[0] in before else Side.AFTER
        return Reason.of("batch_one_side", key=alone[0], side=side, case=case.id)
    return None


def _steady(looked: Looked) -> Gate:
    """Several kept steps on both sides, warm-up left out by one rule, checkpoint steps named."""
    facts, kept = steady_facts(looked.comparisons, looked.case, looked.sides, looked.target)
    logged, fewest = steady_log_facts(looked.runs, looked.target.cases, looked.sides)
    facts, kept = [*logged, *facts], (*kept, *(() if fewest is None or not kept else (fewest,)))
    if not kept:
        return _gate("G4", "cannot be known", [Reason.of("gate_no_steps")], facts)
    reasons = []
    if min(kept) < 2:
        reasons.append(Reason.of("gate_one_step"))
    if looked.case is None or looked.case.workload.checkpoint_steps is None:
        reasons.append(Reason.of("gate_checkpoints_not_stated"))
    if reasons:
        return _gate("G4", "cannot be known", reasons, facts)
    return _gate("G4", "passed", [Reason.of("gate_steady")], facts)


def _inflation(looked: Looked) -> Gate:
    """Inflation known on both sides, or both profiled minimally; runs of one kind are compared with their kind."""
    facts, minimal = inflation_facts(looked.inflation, looked.facts, looked.sides)
    tagged = {case.id: _tags(looked, case) for case in looked.target.cases}
    mixed = {case: apart for case, tags in tagged.items() if (apart := [m for m in tags if tags[m] >= BOTH_KINDS])}
    if mixed:
        reasons = [Reason.of("gate_profiled_mixed", case=case) for case in mixed]
        scopes = [GateScope(case=case, metrics=tuple(metrics), where="runs") for case, metrics in mixed.items()]
        return _gate("G5", "failed", reasons, facts, scopes)
    unknown = [case for case, tags in tagged.items() if any(len(some) > 1 for some in tags.values())]
    if unknown:
        return _gate(
            "G5", "cannot be known", [Reason.of("gate_profiled_of_some", case=case) for case in unknown], facts
        )
    steps = [one for one in looked.inflation if one.metric == "step_time" and one.side in looked.sides]
    shorter = [one.side for one in steps if isinstance(one.difference, Quantity) and one.difference.value < 0]
    if shorter:
        reasons = [Reason.of("gate_inflation_negative", side=side) for side in shorter]
        return _gate("G5", "cannot be known", reasons, facts)
    if steps and all(isinstance(one.difference, Quantity) for one in steps):
        return _gate("G5", "passed", [Reason.of("gate_inflation_known")], facts)
    if minimal:
        return _gate("G5", "passed", [Reason.of("gate_minimal")], facts)
    return _gate("G5", "cannot be known", [Reason.of("gate_inflation_unknown")], facts)


BOTH_KINDS = {"profiled", "unprofiled"}
"""Tags of runs that are shown to be of two kinds; ``not stated`` shows nothing."""


def _tags(looked: Looked, case: Case) -> dict[str, set[str]]:
    """Metric of a comparative goal -> the tags of the runs of both sides that speak of it."""
    own = [run for run in looked.runs if run.case == case.id]
    found: dict[str, set[str]] = {}
    for goal in case.goals:
        runs = [run for run in own if speaks(run, goal)] if goal.subject != "after" else []
        if {run.side for run in runs} == set(Side):
            found.setdefault(goal.metric, set()).update(tag(run, looked.facts) for run in runs)
    return found


def _clock(looked: Looked) -> Gate:
    """The clock on both sides, held against the limit at which the source of a tool reports a reduction."""
    facts = clock_facts(looked.comparisons)
    rule = next((one for one in looked.rules if one.threshold.id == DROP), None)
    if rule is None or rule.applicability is not Applicability.APPLIES:
        return _gate("G6", "cannot be known", [Reason.of("gate_clock_unknown")], facts)
    reported = [
        side for side, band in ((Side.BEFORE, rule.band_before), (Side.AFTER, rule.band_after)) if band == "reported"
    ]
    if reported:
        return _gate("G6", "failed", [Reason.of("gate_clock_fell", side=side) for side in reported], facts)
    return _gate("G6", "passed", [Reason.of("gate_clock_held")], facts)


def _required(looked: Looked) -> Gate:
    """Step time, kernel count, peak memory and accuracy stand on both sides."""
    facts, lacking = required_facts(looked.comparisons, looked.sides)
    reasons = [Reason.of("gate_row_missing", metric=metric) for metric in lacking]
    own = [one for one in looked.accuracy if looked.case is not None and one.case == looked.case.id]
    if not own:
        reasons.append(Reason.of("gate_accuracy_missing"))
    elif any(one.outcome is not Outcome.MET for one in own):
        reasons.append(Reason.of("gate_accuracy_open"))
    if reasons:
        return _gate("G8", "failed", reasons, facts)
    return _gate("G8", "passed", [Reason.of("gate_rows_there")], facts)


def _noise(looked: Looked) -> Gate:
    """Repeats of both sides: captures of the profiled case, or runs of every case that has runs."""
    several = len(looked.target.cases) > 1
    captured = looked.case.id if several and looked.case is not None else ""
    facts, lacking = noise_facts(looked.facts, looked.runs, looked.sides, captured)
    if lacking is None:
        return _gate("G9", "passed", [Reason.of("gate_repeats")], facts)
    why = Reason.of("gate_no_repeats_in", cases=", ".join(lacking)) if several else Reason.of("gate_no_repeats")
    return _gate("G9", "failed", [why], facts)


# --------------------------------------------------------------------------------------------- what follows for goals
def concerns(gate: Gate, one: Judgement, metric: Metric | None) -> bool:
    """Whether a gate takes the verdict from a goal: a comparative one inside one of its scopes."""
    if not gate.removes or one.goal.subject == "after":
        return False
    families = _families(one.goal, metric)
    return any(
        scope.case in ("", one.case)
        and scope.where in ("both", "runs" if one.measured_outside else "captures")
        and (not scope.metrics or one.goal.metric in scope.metrics)
        and (not scope.families or bool(families & set(scope.families)))
        for scope in gate.scopes
    )


def _removed(gate: Gate, one: Judgement) -> Reason:
    """Why a gate takes the verdict from a goal: it failed, or what it asks cannot be known of the goal's case."""
    for why in gate.reasons:
        if gate.outcome == "cannot be known" and why.code == "batch_one_side" and why.arg("case") == one.case:
            return Reason.of("gate_not_known", gate=gate.id, key=why.arg("key"), side=why.arg("side"))
    return Reason.of("gate_failed", gate=gate.id)


def _families(goal: Goal, metric: Metric | None) -> set[Family]:
    if metric is not None:
        return {metric.family, *metric.also}
    return {Family.TIME} if goal.metric == "latency" else set()


def gated(
    judgements: Iterable[Judgement], gates: Sequence[Gate], metrics: dict[str, Metric], target: Target
) -> list[Judgement]:
    """The judgements without the verdict that a gate takes away: what would be met becomes undecided.

    A goal that rests on a fixed value in the place of BEFORE compares no captures, so no gate concerns it.
    """
    fixed = {goal.id for case in target.cases for goal in case.goals if case.fixed_for(goal) is not None}
    found = []
    for one in judgements:
        if one.goal.id in fixed:
            found.append(one)
            continue
        gate = next((gate for gate in gates if concerns(gate, one, metrics.get(one.goal.metric))), None)
        if gate is not None and one.outcome is Outcome.MET:
            found.append(replace(one, outcome=Outcome.UNDECIDED, margin=None, reason=_removed(gate, one)))
        else:
            found.append(one)
    return found
