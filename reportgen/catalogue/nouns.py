"""Tables of the evidence as the nouns of ``model``; what is given here was checked before."""

from __future__ import annotations

from fractions import Fraction

from reportgen import units
from reportgen.catalogue.rule_shapes import ContradictionTable, RuleBandTable, RuleTable
from reportgen.catalogue.shapes import BandTable, SourceTable, ThresholdTable, UnspecifiedTable
from reportgen.model import (
    Band,
    Bound,
    Contradiction,
    Position,
    Relation,
    Rule,
    RuleBand,
    RuleScope,
    Source,
    Threshold,
    Unspecified,
)


def number(text: str) -> Fraction | None:
    """The number a text holds, exact; None for anything else."""
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None


def source(table: SourceTable) -> Source:
    """A document."""
    return Source(
        id=table.id,
        document=table.document,
        version=table.version,
        section=table.section,
        publisher=table.publisher,
        locator=table.locator,
        quote=table.quote,
        verified=table.verified,
    )


def band(table: BandTable) -> Band:
    """A band of a machine rule, its ends in the exact unit of the metric."""
    ends = {bound.relation: Fraction(units.parse(bound.value)[0]) for bound in table.bounds}
    return Band(
        id=table.id,
        low=ends.get("at_least", ends.get("above")),
        low_included="at_least" in ends,
        high=ends.get("at_most", ends.get("below")),
        high_included="at_most" in ends,
    )


def threshold(table: ThresholdTable) -> Threshold:
    """A machine rule."""
    return Threshold(
        id=table.id,
        metric=table.metric,
        title=table.title.pairs(),
        frameworks=table.frameworks,
        backends=table.backends,
        phases=table.phases,
        excluded_phases=table.excluded_phases,
        needs=table.needs,
        bands=tuple(band(one) for one in table.band),
        authority=table.authority,
        use=table.use,
        scope=table.scope.pairs(),
        sources=table.sources,
    )


def unspecified(table: UnspecifiedTable) -> Unspecified:
    """What no source specifies."""
    return Unspecified(
        id=table.id,
        title=table.title.pairs(),
        statement=table.statement.pairs(),
        sources=table.sources,
        rules=table.rules,
        in_report=table.in_report,
    )


def rule(table: RuleTable, file: str) -> Rule:
    """An entry of the catalogue."""
    return Rule(
        id=table.id,
        title=table.title.pairs(),
        kind=table.kind,
        authority=table.authority,
        use=table.use,
        metrics=table.metrics,
        quantity=table.quantity,
        unit=table.unit,
        formula=table.formula,
        operator=table.operator,
        bands=tuple(_rule_band(one) for one in table.band),
        equality=table.equality,
        scope=RuleScope(
            product=table.scope.product,
            framework=table.scope.framework,
            scenario=table.scope.scenario,
            phase=table.scope.phase,
            excluded=table.scope.excluded,
            requires=table.scope.requires,
        ),
        source=Source(
            id=table.id,
            document=table.source.document,
            version=table.source.version,
            section=table.source.section,
            publisher=table.source.publisher,
            locator=table.source.locator,
            quote=table.source.quote,
            verified=table.verified,
        ),
        course=table.course,
        notes=table.notes,
        file=file,
    )


def _rule_band(table: RuleBandTable) -> RuleBand:
    bounds = (
        Bound(relation=Relation(bound.relation), value=Fraction(bound.value), written=bound.value)
        for bound in table.bounds
    )
    return RuleBand(of=table.of, says=table.says, bounds=tuple(bounds), unit=table.unit, text=table.text)


def contradiction(table: ContradictionTable) -> Contradiction:
    """Sources that differ."""
    return Contradiction(
        id=table.id,
        title=table.title.pairs(),
        kind=table.kind,
        positions=tuple(
            Position(who=one.who, says=one.says, entry=one.entry, locator=one.locator) for one in table.position
        ),
        treatment=table.treatment.pairs(),
    )
