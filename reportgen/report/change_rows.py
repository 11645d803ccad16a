"""What changed, as rows of the report: the step taken apart, types that likely match, and what is worse elsewhere.

Each number keeps its origins. Source: ``attribution``, ``operator_matches``, ``elsewhere``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from reportgen import attribution, operator_matches
from reportgen import elsewhere as looking
from reportgen.model import Comparison, Evaluation, Interval, OperatorMeasurement, Origin
from reportgen.report.bottleneck_rows import Origins
from reportgen.report.document import (
    AttributionRow,
    DisagreementRow,
    ElsewhereBlock,
    IntervalRow,
    MatchRow,
    MovedRow,
    PartRow,
    WorseRow,
    row_name,
)

Intervals = Callable[[Interval | None, tuple[Origin, ...]], IntervalRow | None]
"""How an interval becomes a row."""


# ------------------------------------------------------------------------------------------------ the step
def attributions(evaluation: Evaluation, origins: Origins, row_ids: Mapping[int, str]) -> tuple[AttributionRow, ...]:
    """The step of every rank taken apart, the rank that is slowest in AFTER first.

    Args:
        evaluation: all results.
        origins: the one numbering.
        row_ids: ``id()`` of a comparison -> id of its metric row.
    """
    ids = {
        (row.metric, row.dimensions.rank, row.dimensions.device): row_ids[id(row)]
        for row in evaluation.comparisons
        if not row.dimensions.part
    }
    found = attribution.attribute(evaluation.comparisons)
    return tuple(_attribution(one, f"A{number}", origins, ids) for number, one in enumerate(found, 1))


def _attribution(
    one: attribution.Attribution,
    identity: str,
    origins: Origins,
    ids: Mapping[tuple[str, int | None, int | None], str],
) -> AttributionRow:
    place = one.dimensions

    def part(share: attribution.Share) -> PartRow:
        return PartRow(
            metric=share.metric,
            metric_row=ids.get((share.metric, place.rank, place.device), ""),
            before=origins.value(share.before.value, share.before.origins),
            after=origins.value(share.after.value, share.after.origins),
            delta=origins.value(share.delta, (*share.before.origins, *share.after.origins)),
        )

    both = (*one.whole.before.origins, *one.whole.after.origins)
    return AttributionRow(
        id=identity,
        name=row_name("attribution", "", place.rank, place.device),
        rank=place.rank,
        device=place.device,
        whole=part(one.whole),
        parts=tuple(map(part, one.parts)),
        median=origins.value(one.median, one.medians),
        apart=origins.value(one.apart, (*one.medians, *both)),
        beside=tuple(map(part, one.beside)),
        reason=one.reason,
        blocked=one.blocked,
    )


# ------------------------------------------------------------------------------------------------ operator types
def matches(evaluation: Evaluation, origins: Origins) -> tuple[MatchRow, ...]:
    """Operator types of one side that likely are types of the other, by rank."""
    ids = {
        id(side): f"K{number}"
        for number, change in enumerate(evaluation.operators, 1)
        for side in (change.before, change.after)
        if side is not None
    }
    found = operator_matches.match_operators(evaluation.operators)
    return tuple(_match(one, f"X{number}", origins, ids) for number, one in enumerate(found, 1))


def _match(one: operator_matches.OperatorMatch, identity: str, origins: Origins, ids: Mapping[int, str]) -> MatchRow:
    def of(side: tuple[OperatorMeasurement, ...]) -> tuple[Origin, ...]:
        return tuple(origin for operator in side for origin in operator.totals.origins)

    both = (*of(one.before), *of(one.after))
    types = "+".join(operator.type for operator in one.after)
    return MatchRow(
        id=identity,
        name=row_name("match", types, one.dimensions.rank, one.dimensions.device),
        kind=one.kind,
        rank=one.dimensions.rank,
        before=tuple(operator.type for operator in one.before),
        after=tuple(operator.type for operator in one.after),
        rows=tuple(ids[id(operator)] for operator in (*one.before, *one.after)),
        calls_per_step=origins.number(one.calls_per_step, both),
        before_per_step=origins.number(one.before_per_step, of(one.before)),
        after_per_step=origins.number(one.after_per_step, of(one.after)),
        delta_per_step=origins.number(one.delta_per_step, both),
        evidence=one.evidence,
    )


# ------------------------------------------------------------------------------------------------ elsewhere
def elsewhere(
    evaluation: Evaluation, origins: Origins, row_ids: Mapping[int, str], intervals: Intervals
) -> ElsewhereBlock:
    """What is worse in AFTER, over every metric of the captures and of the runs.

    Args:
        evaluation: all results.
        origins: the one numbering.
        row_ids: ``id()`` of a comparison -> id of its metric row.
        intervals: how an interval becomes a row.
    """
    found = looking.look_elsewhere(
        evaluation.metrics,
        evaluation.comparisons,
        evaluation.runs,
        evaluation.target,
        (*evaluation.before, *evaluation.after),
        evaluation.comparability,
        evaluation.run_comparisons,
    )

    def worse(number: int, one: looking.Worse) -> WorseRow:
        place = one.row.dimensions if one.row is not None else None
        return WorseRow(
            id=f"W{number}",
            name=_worse_name(one, one.row),
            metric_row=row_ids[id(one.row)] if one.row is not None else "",
            case=one.case,
            metric=one.metric,
            kind=one.kind,
            part=place.part if place is not None else "",
            statistic=one.statistic,
            rank=place.rank if place is not None else None,
            ranks=one.ranks,
            before=origins.number(one.before, one.origins),
            after=origins.number(one.after, one.origins),
            change=origins.value(one.change, one.origins),
            interval=intervals(one.interval, one.origins),
            exact=one.exact,
            told=one.told,
            goal=one.goal,
        )

    return ElsewhereBlock(
        worse=tuple(worse(number, one) for number, one in enumerate(found.worse, 1)),
        disagreements=tuple(
            DisagreementRow(
                id=f"D{number}",
                name="/".join(filter(None, ("disagreement", one.metric, one.kind))) + f"@{one.case}",
                case=one.case,
                metric=one.metric,
                kind=one.kind,
                better=_moved(one.better, origins),
                worse=_moved(one.worse, origins),
            )
            for number, one in enumerate(found.disagreements, 1)
        ),
        not_held=found.not_held,
    )


def _worse_name(one: looking.Worse, row: Comparison | None) -> str:
    """The id that stays the same: of a metric with its rank, of a figure of runs with its case."""
    if row is not None:
        place = row.dimensions
        return "worse/" + row_name(one.metric, place.part, place.rank, place.device)
    return "/".join(filter(None, ("worse", one.metric, one.kind, one.statistic))) + f"@{one.case}"


def _moved(one: looking.Moved, origins: Origins) -> MovedRow:
    return MovedRow(
        statistic=one.statistic,
        before=origins.number(one.before, one.origins),
        after=origins.number(one.after, one.origins),
        change=origins.number(one.change, one.origins),
    )
