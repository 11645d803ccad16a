"""Goals by contract clause, and one metric over several cases: every case, the worst, those that lost, one mean.

A mean of ratios is the geometric one, and it is over all cases that were agreed or over none: a case without a ratio
stays in the table with its reason. Source: P. J. Fleming, J. J. Wallace, "How not to lie with statistics: the correct
way to summarize benchmark results", CACM 29 (3), 1986.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from reportgen import samples, units
from reportgen.model import Missing, MissingKind, Outcome, Quantity, Reason
from reportgen.report.document import (
    CaseRatioRow,
    ConformityBlock,
    GoalRow,
    MetricRow,
    Number,
    RatioRow,
    Value,
)

STANDS = (
    "within_limit",
    "beyond_limit",
    "interval_crosses_limit",
    "interval_without_estimate",
    "no_interval_guarded",
    "no_interval_once",
    "no_interval_one_capture",
    "no_interval_scatter",
    "no_interval_zero",
    "no_interval_typed",
    "no_spread_guarded",
    "few_values",
    "small_type",
    "few_independent_values",
    "subject_to_not_met",
    "subject_to_undecided",
    "subject_to_not_comparable",
)
"""Reasons of judgements whose values stand, whatever the outcome; with any other, no ratio is formed."""


def conformity(goals: Sequence[GoalRow], rows: Mapping[str, MetricRow], matrices: Mapping[str, str]) -> ConformityBlock:
    """The block of a report.

    One metric is held over the cells of one matrix, and over the cases that are in none: what one matrix gains does not
    make up for what another loses.

    Args:
        goals: judged, in the order of the target.
        rows: the metric rows by id.
        matrices: the matrix that a case is a cell of, by the id of the case; empty for one of its own.
    """
    clauses = list(dict.fromkeys(goal.clause for goal in goals))
    groups: dict[tuple[str, ...], list[GoalRow]] = {}
    for goal in goals:
        of_one = (goal.metric, goal.part, goal.kind, goal.statistic, goal.direction, matrices[goal.case])
        groups.setdefault(of_one, []).append(goal)
    several = [found for found in groups.values() if len({goal.case for goal in found}) > 1]
    return ConformityBlock(
        goals=tuple(goal.id for goal in sorted(goals, key=lambda goal: clauses.index(goal.clause))),
        ratios=tuple(replace(_over_cases(found, rows), matrix=matrices[found[0].case]) for found in several),
    )


def _over_cases(goals: Sequence[GoalRow], rows: Mapping[str, MetricRow]) -> RatioRow:
    """One metric over its cases; of several goals of a case the first that has a ratio."""
    found: dict[str, CaseRatioRow] = {}
    for goal in goals:
        ratio = _ratio(goal, rows.get(goal.metric_row))
        held = found.get(goal.case)
        if held is None or (isinstance(held.ratio, Missing) and isinstance(ratio, Number)):
            fixed = goal.baseline == "fixed"
            found[goal.case] = CaseRatioRow(case=goal.case, goal=goal.id, ratio=ratio, fixed=fixed)
    first, cases = goals[0], tuple(found.values())
    lower = first.direction == "at_most"
    ratios = {row.case: Fraction(row.ratio.quantity.value) for row in cases if isinstance(row.ratio, Number)}
    return RatioRow(
        metric=first.metric,
        part=first.part,
        kind=first.kind,
        statistic=first.statistic,
        better="lower" if lower else "higher",
        cases=cases,
        worst=(max if lower else min)(ratios, key=lambda case: ratios[case]) if ratios else "",
        losers=tuple(case for case, ratio in ratios.items() if (ratio > 1 if lower else ratio < 1)),
        mean=_mean(cases),
    )


def _ratio(goal: GoalRow, row: MetricRow | None) -> Value:
    """AFTER / BEFORE of a goal's values, or why it is not formed."""
    if goal.baseline == "none":
        return Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of("no_before_agreed"))
    if isinstance(goal.value, Missing):
        return goal.value
    if goal.outcome is Outcome.UNDECIDED and goal.reason.code not in STANDS:
        return Missing(kind=MissingKind.NOT_APPLICABLE, reason=goal.reason)
    if row is not None and row.blocked and goal.baseline != "fixed":
        return Missing(kind=MissingKind.NOT_APPLICABLE, reason=row.blocked[0])
    if isinstance(goal.change, Missing):
        return goal.change
    ratio = Quantity(value=units.exact(Fraction(goal.change.quantity.value) + 1), unit="1")
    return Number(quantity=ratio, origins=goal.change.origins)


def _mean(cases: Sequence[CaseRatioRow]) -> Value:
    """The geometric mean over all cases; none over fewer."""
    known = [row.ratio for row in cases if isinstance(row.ratio, Number)]
    if len(known) < len(cases):
        lacking = ", ".join(row.case for row in cases if isinstance(row.ratio, Missing))
        reason = Reason.of("mean_over_fewer", n=len(known), of=len(cases), lacking=lacking)
        return Missing(kind=MissingKind.NOT_APPLICABLE, reason=reason)
    ratios = [number.quantity.value for number in known]
    mean = samples.geometric_mean(ratios) if min(ratios) > 0 else None
    if mean is None:
        return Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of("mean_of_zero"))
    origins = tuple(dict.fromkeys(origin for number in known for origin in number.origins))
    return Number(quantity=Quantity(value=units.exact(Fraction(mean)), unit="1"), origins=origins)
