"""The main bottleneck and the signs of official cases as rows of the report, each number with its origins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from reportgen.bottleneck import CITED
from reportgen.model import Bottleneck, Evaluation, Ground, InsideCore, Missing, Origin, Quantity, Rule, Side
from reportgen.report.document import (
    BottleneckBlock,
    BottleneckSide,
    CitedRow,
    DiagnosisRow,
    GroundRow,
    InsideRow,
    Number,
    RemedyRow,
    Value,
)

REMEDY_OF = {"free": "host", "communication": "communication", "computing": "computing"}
"""Kind of bottleneck -> its kind in the words of the guide."""
BY_ORDER = ("first rule exceeded", "no limit exceeded")
"""How a bottleneck is decided inside the scope of the guide."""


class Origins(Protocol):
    """The numbering of origins that ``build`` keeps."""

    def of(self, origins: Iterable[Origin]) -> tuple[str, ...]:
        """Their ids."""

    def number(self, quantity: Quantity, origins: Iterable[Origin]) -> Number:
        """A number with its origins."""

    def value(self, value: Quantity | Missing, origins: Iterable[Origin]) -> Value:
        """The same, or what stands in its place."""


def bottleneck(evaluation: Evaluation, origins: Origins, row_ids: Mapping[int, str]) -> BottleneckBlock | None:
    """The main bottleneck of both sides; None when it was not looked for.

    Args:
        evaluation: all results.
        origins: the one numbering.
        row_ids: ``id()`` of a comparison -> id of its metric row.
    """
    found = evaluation.bottlenecks
    if found is None:
        return None
    places = {
        (row.metric, row.dimensions.rank, row.dimensions.device): row_ids[id(row)]
        for row in evaluation.comparisons
        if not row.dimensions.part
    }

    def ground(one: Ground) -> GroundRow:
        return GroundRow(
            metric=one.metric,
            metric_row=places.get((one.metric, one.rank, one.device), ""),
            rank=one.rank,
            value=origins.value(one.value, one.origins),
            band=one.band,
        )

    def inside(one: InsideCore) -> InsideRow:
        pipes = [ground(pipe) if pipe is not None else None for pipe in (one.computing, one.transfer)]
        return InsideRow(core=one.core, verdict=one.verdict, computing=pipes[0], transfer=pipes[1], reason=one.reason)

    def side(one: Bottleneck) -> BottleneckSide:
        return BottleneckSide(
            kind=one.kind,
            by=one.by,
            grounds=tuple(map(ground, one.grounds)),
            reasons=one.reasons,
            inside=tuple(map(inside, one.inside)),
            low_load=one.low_load,
        )

    return BottleneckBlock(
        before=side(found.before),
        after=side(found.after),
        moved=found.moved,
        reason=found.reason,
        limit=origins.number(found.limit, (found.limit_origin,)),
        remedy=_remedy(evaluation, found.after),
        cited=tuple(_cited(rule) for rule in evaluation.cited if rule.id in CITED),
    )


def _remedy(evaluation: Evaluation, after: Bottleneck) -> RemedyRow | None:
    """What the guide tries against the bottleneck that remains."""
    guide = evaluation.remedies
    wanted = REMEDY_OF.get(after.kind)
    found = next((kind for kind in guide.kinds if kind.kind == wanted), None) if guide is not None else None
    if guide is None or found is None:
        return None
    return RemedyRow(
        kind=found.kind,
        within=after.by in BY_ORDER,
        symptom=found.symptom,
        first=found.first,
        beside=found.beside,
        not_first=found.not_first,
        scope=guide.scope,
        caveat=guide.caveat,
        outside=guide.outside,
    )


def _cited(rule: Rule) -> CitedRow:
    source = rule.source
    return CitedRow(
        id=rule.id,
        title=rule.title,
        document=source.document,
        version=source.version,
        section=source.section,
        locator=source.locator,
    )


def diagnoses(evaluation: Evaluation, origins: Origins) -> tuple[DiagnosisRow, ...]:
    """The signs of both sides; those whose case the catalogue does not hold cannot be shown and are left out."""
    rules = {rule.id: rule for rule in evaluation.cited}
    order = (Side.BEFORE, Side.AFTER)
    shown = sorted((one for one in evaluation.diagnoses if one.case in rules), key=lambda one: order.index(one.side))
    return tuple(
        DiagnosisRow(
            sign=one.sign,
            side=one.side,
            case=rules[one.case].source.locator.rstrip("/").rsplit("/", 1)[-1],
            title=rules[one.case].title,
            address=rules[one.case].source.locator,
            reason=one.reason,
            count=origins.number(one.count, one.origins) if one.count is not None else None,
            share=origins.number(one.share, one.origins) if one.share is not None else None,
            rank=one.rank,
            origins=origins.of(one.origins),
        )
        for one in shown
    )
