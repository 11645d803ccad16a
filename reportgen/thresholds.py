"""Rules read on both captures: applicability first, values last, one row for each rule.

Four answers, never two. A rule is read on both sides or on neither; two rules on one metric are two rows; the worst
rank of a side stands for it and is named. Source: docs/applicability.md (verdict algebra).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reportgen.applicability import Job, applicability, value_of
from reportgen.model import (
    Applicability,
    Comparison,
    Measurement,
    Missing,
    Quantity,
    Reason,
    Side,
    Threshold,
    ThresholdJudgement,
)

Values = list[Measurement | None]
"""The measurements of one side, by rank and part; None where the side lacks the place."""


def judge_thresholds(thresholds: Sequence[Threshold], job: Job) -> tuple[ThresholdJudgement, ...]:
    """Every rule, in the order given; one that follows another is read after it."""
    found: dict[str, ThresholdJudgement] = {}
    rules = {rule.id: rule for rule in thresholds}
    for rule in sorted(thresholds, key=lambda rule: rule.follows is not None):
        before = found.get(rule.follows[0]) if rule.follows else None
        found[rule.id] = _judged(rule, job, rules, before)
    return tuple(found[rule.id] for rule in thresholds)


def _judged(
    rule: Threshold, job: Job, rules: Mapping[str, Threshold], before: ThresholdJudgement | None
) -> ThresholdJudgement:
    applies, reasons = applicability(rule, job, rules)
    if applies is Applicability.APPLIES and rule.follows is not None:
        applies, reasons = _followed(rule.follows, before)
    if applies is not Applicability.APPLIES:
        return _answer(rule, applies, reasons)
    rows = _rows(rule, job)
    sides = [row.before for row in rows], [row.after for row in rows]
    if before is not None:
        sides = _of_rank(sides[0], before.rank_before), _of_rank(sides[1], before.rank_after)
    lacking = _lacking(rows, sides)
    if lacking:
        return _answer(rule, Applicability.CANNOT_DECIDE, lacking)
    return _read(rule, *sides)


def _followed(follows: tuple[str, str], before: ThresholdJudgement | None) -> tuple[Applicability, tuple[Reason, ...]]:
    """Whether the rule that comes first gives the band that is asked for, on both sides."""
    name, band = follows
    if before is None or before.applicability is not Applicability.APPLIES:
        reasons = before.reasons if before is not None else ()
        outside = before is not None and before.applicability is Applicability.DOES_NOT_APPLY
        first = Reason.of("first_rule_not_read", rule=name)
        return (Applicability.DOES_NOT_APPLY if outside else Applicability.CANNOT_DECIDE), (first, *reasons)
    if (before.band_before, before.band_after) != (band, band):
        return Applicability.DOES_NOT_APPLY, (Reason.of("first_rule_not_so", rule=name, band=band),)
    return Applicability.APPLIES, ()


def _rows(rule: Threshold, job: Job) -> list[Comparison]:
    """The rows of its metric: the whole where there is one, else every part."""
    rows = job.rows(rule.metric)
    return [row for row in rows if not row.dimensions.part] or rows


def _of_rank(values: Values, rank: int | None) -> Values:
    return [m for m in values if m is None or m.dimensions.rank == rank]


def _lacking(rows: Sequence[Comparison], sides: Sequence[Values]) -> tuple[Reason, ...]:
    """What keeps the values of a metric from being read."""
    found = [reason for row in rows for reason in row.blocked]
    for side, values in zip(Side, sides, strict=True):
        if not values:
            found.append(Reason.of("values_missing"))
        for measurement in values:
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
    return tuple(dict.fromkeys(found))


def _read(rule: Threshold, before_values: Values, after_values: Values) -> ThresholdJudgement:
    before, after = _worst(rule, before_values), _worst(rule, after_values)
    values = value_of(before), value_of(after)
    open_ = [side for side, value in zip(Side, values, strict=True) if value in rule.undecided_at]
    if open_:
        return _answer(rule, Applicability.CANNOT_DECIDE, tuple(Reason.of("value_at_limit", side=s) for s in open_))
    bands = [next((band.id for band in rule.bands if band.holds(value)), "") for value in values]
    return ThresholdJudgement(
        threshold=rule,
        applicability=Applicability.APPLIES,
        reasons=(Reason.of("scope_matches"),),
        before=before.summary,
        after=after.summary,
        band_before=bands[0],
        band_after=bands[1],
        rank_before=before.dimensions.rank,
        rank_after=after.dimensions.rank,
        origins=(*before.origins, *after.origins),
    )


def _worst(rule: Threshold, measurements: Values) -> Measurement:
    """The rank or part that stands for a side."""
    held = [m for m in measurements if m is not None and isinstance(m.summary, Quantity)]
    return (max if rule.worst == "largest" else min)(held, key=value_of)


def _answer(rule: Threshold, answer: Applicability, reasons: tuple[Reason, ...]) -> ThresholdJudgement:
    return ThresholdJudgement(
        threshold=rule,
        applicability=answer,
        reasons=reasons,
        before=None,
        after=None,
        band_before="",
        band_after="",
        rank_before=None,
        rank_after=None,
    )
