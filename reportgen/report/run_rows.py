"""Figures of the runs outside the profile as rows of the report. Source: ``run_comparisons``."""

from __future__ import annotations

from reportgen.model import Evaluation, Measurement, Missing, MissingKind, Quantity, Reason, RunComparison
from reportgen.report.bottleneck_rows import Origins
from reportgen.report.change_rows import Intervals
from reportgen.report.document import Number, RunFigureRow, Value
from reportgen.report.statistic_rows import Spreads, change_of_speed, equivalence_row
from reportgen.run_comparisons import unformed


def figures(
    evaluation: Evaluation, origins: Origins, intervals: Intervals, spreads: Spreads
) -> tuple[RunFigureRow, ...]:
    """Every figure of runs, in the order of the evaluation.

    A figure that may not be judged keeps the value of each side, and nothing is formed of both.

    Args:
        evaluation: all results.
        origins: the one numbering.
        intervals: how an interval becomes a row.
        spreads: the one numbering of what is known between runs.
    """
    return tuple(
        _figure(one, f"R{number}", origins, intervals, spreads)
        for number, one in enumerate(evaluation.run_comparisons, 1)
    )


def _figure(
    one: RunComparison, identity: str, origins: Origins, intervals: Intervals, spreads: Spreads
) -> RunFigureRow:
    comparison = one.comparison
    if comparison.blocked:  # of runs that may not be held against each other nothing is formed
        comparison = unformed(comparison, comparison.blocked[0])
    sides = (comparison.before, comparison.after)
    both = tuple(origin for side in sides if side is not None for origin in side.origins)
    fast = change_of_speed(*sides) if not comparison.blocked else None
    kind = comparison.dimensions.part
    return RunFigureRow(
        id=identity,
        name="/".join(filter(None, ("run", comparison.metric, kind, one.statistic))) + f"@{one.case}",
        case=one.case,
        metric=comparison.metric,
        kind=kind,
        statistic=one.statistic,
        better=one.better,
        exact=one.exact,
        before=_value(comparison.before, origins),
        after=_value(comparison.after, origins),
        runs_before=one.runs[0],
        runs_after=one.runs[1],
        values_before=one.values[0],
        values_after=one.values[1],
        delta=origins.value(comparison.delta, both),
        change=origins.value(comparison.change, both),
        speed=origins.number(fast, both) if fast is not None else None,
        estimate=origins.number(comparison.estimate, both) if comparison.estimate is not None else None,
        interval=intervals(comparison.interval, both),
        distinguishable=comparison.distinguishable,
        reason=comparison.reason,
        status=comparison.status,
        between=spreads.of(comparison.between),
        equivalence=equivalence_row(comparison.equivalence, origins, both, intervals),
        goals=one.goals,
        blocked=comparison.blocked,
        unlike=one.unlike,
        caveats=one.caveats,
        counts_before=one.counts[0],
        counts_after=one.counts[1],
        each_before=each_of(comparison.before, origins),
        each_after=each_of(comparison.after, origins),
    )


def each_of(side: Measurement | None, origins: Origins) -> tuple[Number, ...]:
    """The value of each of several captures or runs of a side, in their order; empty of one."""
    runs = side.each if side is not None else ()
    return tuple(origins.number(run.summary, run.origins) for run in runs if isinstance(run.summary, Quantity))


def _value(side: Measurement | None, origins: Origins) -> Value:
    if side is None:
        return Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("values_missing"))
    return origins.value(side.summary, side.origins)
