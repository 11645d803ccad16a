"""Accuracy, inflation, gates and attachments of an evaluation as rows of the report, each number with its origins."""

from __future__ import annotations

from reportgen.model import (
    Accuracy,
    Attachment,
    Evaluation,
    Gate,
    GateFact,
    Inflation,
    Missing,
    MissingKind,
    Origin,
    Quantity,
)
from reportgen.report.assurance import (
    AccuracyRow,
    AttachmentRow,
    GateFactRow,
    GateRow,
    InflationRow,
    PrecisionRow,
    ToleranceRow,
)
from reportgen.report.bottleneck_rows import Origins
from reportgen.report.numbered import Number, Value


def accuracy(evaluation: Evaluation, origins: Origins) -> tuple[AccuracyRow, ...]:
    """Every criterion of accuracy."""
    found = evaluation.verdict.accuracy if evaluation.verdict else ()
    return tuple(_accuracy(f"C{number}", one, origins) for number, one in enumerate(found, 1))


def _accuracy(identity: str, one: Accuracy, origins: Origins) -> AccuracyRow:
    agreed, deviation = one.agreed, one.deviation
    both = (*one.origins[0], *one.origins[1])

    def number(value: Quantity | None, found: tuple[Origin, ...]) -> Number | None:
        return None if value is None else origins.number(value, found)

    def score(value: Quantity | None, found: tuple[Origin, ...]) -> Value | None:
        if agreed.kind != "score":
            return None
        return (
            Missing(kind=MissingKind.UNREADABLE, reason=one.reason) if value is None else origins.number(value, found)
        )

    files = [side.file for side in (agreed.before, agreed.after) if side.file is not None]
    tolerance = tuple(origin for _kind, _value, origin in agreed.tolerances)
    return AccuracyRow(
        id=identity,
        case=one.case,
        name=agreed.name,
        kind=agreed.kind,
        outcome=one.outcome,
        reason=one.reason,
        direction=agreed.direction,
        tolerances=tuple(
            ToleranceRow(kind=kind, value=origins.number(value, (origin,))) for kind, value, origin in agreed.tolerances
        ),
        before=score(one.before, one.origins[0]),
        after=score(one.after, one.origins[1]),
        limit=number(one.limit, (*one.origins[0], *tolerance)),
        series=agreed.series,
        first_step=agreed.steps[0] if agreed.steps else None,
        last_step=agreed.steps[1] if agreed.steps else None,
        steps=deviation.steps if deviation else 0,
        largest=number(deviation.largest, both) if deviation else None,
        largest_step=deviation.largest_step if deviation else None,
        mean=number(deviation.mean, both) if deviation else None,
        only_before=one.only[0],
        only_after=one.only[1],
        uncounted_before=one.uncounted[0],
        uncounted_after=one.uncounted[1],
        typed=tuple(side.value for side in one.typed),
        files=tuple((file.path, file.digest) for file in files),
        origins=origins.of(both),
    )


def precision(evaluation: Evaluation, origins: Origins) -> tuple[PrecisionRow, ...]:
    """Every sign of another data type or quantisation."""
    found = evaluation.verdict.precision if evaluation.verdict else ()
    return tuple(PrecisionRow(case=one.case, reason=one.reason, origins=origins.of(one.origins)) for one in found)


def inflation(evaluation: Evaluation, origins: Origins) -> tuple[InflationRow, ...]:
    """What the profiler adds, BEFORE first."""
    return tuple(_inflation(f"I{number}", one, origins) for number, one in enumerate(evaluation.inflation, 1))


def _inflation(identity: str, one: Inflation, origins: Origins) -> InflationRow:
    both = (*one.origins[0], *one.origins[1])
    return InflationRow(
        id=identity,
        side=one.side,
        metric=one.metric,
        kind=one.kind,
        statistic=one.statistic,
        profiled=origins.value(one.profiled, one.origins[0]),
        unprofiled=origins.value(one.unprofiled, one.origins[1]),
        difference=origins.value(one.difference, both),
        share=origins.value(one.share, both),
        case=one.case,
    )


def gates(evaluation: Evaluation, origins: Origins) -> tuple[GateRow, ...]:
    """G1 to G10."""
    found = evaluation.verdict.gates if evaluation.verdict else ()
    return tuple(_gate(one, origins) for one in found)


def _gate(one: Gate, origins: Origins) -> GateRow:
    return GateRow(
        id=one.id,
        outcome=one.outcome,
        removes=one.removes,
        reasons=one.reasons,
        facts=tuple(_fact(fact, origins) for fact in one.facts),
        basis=one.basis,
    )


def _fact(one: GateFact, origins: Origins) -> GateFactRow:
    def number(value: Quantity | Missing | str | None, found: tuple[Origin, ...]) -> Value | None:
        return None if value is None or isinstance(value, str) else origins.value(value, found)

    return GateFactRow(
        name=one.name,
        part=one.part,
        before=number(one.before, one.origins[0]),
        after=number(one.after, one.origins[1]),
        before_text=one.before if isinstance(one.before, str) else None,
        after_text=one.after if isinstance(one.after, str) else None,
        origins=origins.of(
            origin
            for value, found in zip((one.before, one.after), one.origins, strict=True)
            if isinstance(value, str)
            for origin in found
        ),
    )


def attachments(evaluation: Evaluation) -> tuple[AttachmentRow, ...]:
    """Files handed in beside the evidence."""
    return tuple(_attachment(one) for one in evaluation.attachments)


def _attachment(one: Attachment) -> AttachmentRow:
    file = one.file
    return AttachmentRow(
        file=file.path,
        size=file.size,
        digest=file.digest,
        what=one.what,
        tool=one.tool,
        version=one.version,
        says=one.says,
    )
