"""Official rules read on both captures: exclusions first, then scope, then data, values last.

Four answers, never two: an unknown fact never becomes "applies" and never "does not apply". A rule is read on both
sides; two rules on one metric are two rows. Source: docs/applicability.md (verdict algebra).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from reportgen.model import (
    Applicability,
    CaptureFacts,
    Case,
    Comparison,
    Measurement,
    Missing,
    Quantity,
    Reason,
    Side,
    Target,
    Threshold,
    ThresholdJudgement,
    WorkloadCheck,
)


def judge_thresholds(
    thresholds: Sequence[Threshold],
    target: Target,
    facts: tuple[CaptureFacts, CaptureFacts],
    comparisons: Sequence[Comparison],
    checks: Sequence[WorkloadCheck],
) -> tuple[ThresholdJudgement, ...]:
    """Every rule of the catalogue, in its order."""
    case = next((c for c in target.cases if c.profiled), None)
    return tuple(
        _rule(rule, case, facts, [c for c in comparisons if c.metric == rule.metric and not c.dimensions.part], checks)
        for rule in thresholds
    )


def _rule(
    rule: Threshold,
    case: Case | None,
    facts: tuple[CaptureFacts, CaptureFacts],
    rows: list[Comparison],
    checks: Sequence[WorkloadCheck],
) -> ThresholdJudgement:
    outside = _outside(rule, case)
    if outside:
        return _answer(rule, Applicability.DOES_NOT_APPLY, outside)
    blocked = tuple(dict.fromkeys(reason for row in rows for reason in row.blocked))
    unknown = (*_unknown(rule, case), *_contradicted(checks), *blocked, *_data(rule, case, facts, rows))
    if unknown:
        return _answer(rule, Applicability.CANNOT_DECIDE, unknown)
    before, after = _worst([r.before for r in rows]), _worst([r.after for r in rows])
    assert before is not None
    assert after is not None
    values = [m.summary for m in (before, after)]
    bands = [next((b.id for b in rule.bands if isinstance(v, Quantity) and b.holds(v.value)), "") for v in values]
    return ThresholdJudgement(
        threshold=rule,
        applicability=Applicability.APPLIES,
        reasons=(Reason.of("scope_matches"),),
        before=values[0],
        after=values[1],
        band_before=bands[0],
        band_after=bands[1],
        rank_before=before.dimensions.rank,
        rank_after=after.dimensions.rank,
        origins=(*before.origins, *after.origins),
    )


def _answer(rule: Threshold, applicability: Applicability, reasons: tuple[Reason, ...]) -> ThresholdJudgement:
    return ThresholdJudgement(
        threshold=rule,
        applicability=applicability,
        reasons=reasons,
        before=None,
        after=None,
        band_before="",
        band_after="",
        rank_before=None,
        rank_after=None,
    )


def _plain(text: str) -> str:
    return text.strip().lower().replace("-", " ").replace("_", " ")


def _outside(rule: Threshold, case: Case | None) -> tuple[Reason, ...]:
    """Known facts that lie outside the rule's scope; exclusions in words first."""
    if case is None:
        return ()
    job = case.workload
    phase, framework, backend = _plain(job.phase), _plain(job.framework), _plain(job.backend)
    found: list[Reason] = []
    if phase and phase in {_plain(p) for p in rule.excluded_phases}:
        found.append(Reason.of("phase_excluded", phase=job.phase))
    elif phase and rule.phases and phase not in {_plain(p) for p in rule.phases}:
        found.append(Reason.of("phase_outside", phase=job.phase))
    if framework and rule.frameworks and framework not in {_plain(f) for f in rule.frameworks}:
        found.append(Reason.of("framework_outside", framework=job.framework))
    if backend and rule.backends and backend not in {_plain(b) for b in rule.backends}:
        found.append(Reason.of("backend_outside", backend=job.backend))
    return tuple(found)


def _unknown(rule: Threshold, case: Case | None) -> tuple[Reason, ...]:
    if case is None:
        return (Reason.of("framework_unknown"), Reason.of("phase_unknown"))
    job = case.workload
    found = []
    if rule.frameworks and not job.framework:
        found.append(Reason.of("framework_unknown"))
    if rule.backends and not job.backend:
        found.append(Reason.of("backend_unknown"))
    if rule.phases and not job.phase:
        found.append(Reason.of("phase_unknown"))
    return tuple(found)


def _contradicted(checks: Sequence[WorkloadCheck]) -> tuple[Reason, ...]:
    wrong = next((c for c in checks if c.outcome == "contradicts"), None)
    return (
        ()
        if wrong is None
        else (Reason.of("workload_contradicts", fact=wrong.fact, agreed=wrong.agreed, seen=wrong.seen),)
    )


def _data(
    rule: Threshold, case: Case | None, facts: tuple[CaptureFacts, CaptureFacts], rows: list[Comparison]
) -> tuple[Reason, ...]:
    """What the rule needs of both captures and does not find."""
    found: list[Reason] = []
    if "checkpoint_steps" in rule.needs and (case is None or case.workload.checkpoint_steps is None):
        found.append(Reason.of("checkpoint_steps_not_stated"))
    if "steps" in rule.needs and any(len(rank.steps) < 2 for side in facts for rank in side.ranks):
        found.append(Reason.of("steps_unknown"))
    if "no_wait_events" in rule.needs:
        for side in facts:
            states = {rank.wait_events: rank.wait_source for rank in side.ranks}
            if "found" in states:
                found.append(Reason.of("wait_events_found", side=side.side, file=states["found"]))
            elif "not searchable" in states:
                found.append(Reason.of("wait_events_not_searchable", side=side.side))
    found += _values(rows)
    return tuple(dict.fromkeys(found))


def _values(rows: list[Comparison]) -> list[Reason]:
    found: list[Reason] = []
    if not rows:
        return [Reason.of("values_missing")]
    for row in rows:
        for side, measurement in ((Side.BEFORE, row.before), (Side.AFTER, row.after)):
            if measurement is None:
                found.append(Reason.of("values_missing"))
            elif isinstance(measurement.summary, Missing):
                found.append(measurement.summary.reason)
            elif (failed := measurement.undecided_by()) is not None:
                found.append(
                    Reason.of(
                        "check_failed",
                        side=side,
                        name=failed.name,
                        found=failed.found.exact(),
                        expected=failed.expected.exact(),
                    )
                )
    return found


def _worst(measurements: Sequence[Measurement | None]) -> Measurement | None:
    """The rank with the largest share."""
    held = [m for m in measurements if m is not None and isinstance(m.summary, Quantity)]
    return max(
        held, key=lambda m: Fraction(m.summary.value) if isinstance(m.summary, Quantity) else Fraction(0), default=None
    )
