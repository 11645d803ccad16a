"""Tables of the evidence as the nouns of ``model``; what is given here was checked before."""

from __future__ import annotations

from fractions import Fraction

from reportgen import units
from reportgen.catalogue.rule_shapes import ContradictionTable, RuleBandTable, RuleTable
from reportgen.catalogue.shapes import SourceTable, ThresholdTable, UnspecifiedTable
from reportgen.model import (
    Band,
    Bound,
    Contradiction,
    Position,
    Quantity,
    Relation,
    Rule,
    RuleBand,
    RuleScope,
    Source,
    Threshold,
    Unspecified,
)

UNITS = {"ratio": "", "count": "", "byte": " B"}
"""Units as entries write them, where ``units.parse`` knows another word."""
ENDS = ("above", "at_least", "at_most", "below")
"""Relations that end a band."""


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


def exact(value: str, unit: str) -> Fraction:
    """A number of an entry in the exact unit of its quantity, ``10`` and ``%`` as 1/10.

    Raises:
        ValueError: not a number, or a unit that nothing is measured in.
    """
    plain = unit.split(" (", maxsplit=1)[0]
    return Fraction(units.parse(value + UNITS.get(plain, f" {plain}"))[0])


def bands(table: RuleTable, of: str) -> tuple[Band, ...]:
    """The bands of an entry on one of its quantities, in rising order; ``no_statement`` where it says nothing.

    Raises:
        ValueError: a number without a unit that is measured in, or one that ends no band.
    """
    stated = sorted(
        (_band(one) for one in table.band if one.of == of and one.bounds),
        key=lambda band: (band.low is not None, band.low or 0, not band.low_included),
    )
    found: list[Band] = []
    for band in stated:
        before = found[-1] if found else None
        if before is None and band.low is not None:
            found.append(_silence(None, band))
        elif before is not None and not _adjoin(before, band):
            found.append(_silence(before, band))
        found.append(band)
    if found and found[-1].high is not None:
        found.append(_silence(found[-1], None))
    return tuple(found)


def _adjoin(lower: Band, upper: Band) -> bool:
    return lower.high == upper.low and (lower.high_included or upper.low_included)


def _silence(lower: Band | None, upper: Band | None) -> Band:
    """The values between two bands, of which the source says nothing."""
    return Band(
        id="no_statement",
        low=lower.high if lower else None,
        low_included=lower is not None and not lower.high_included,
        high=upper.low if upper else None,
        high_included=upper is not None and not upper.low_included,
    )


def _band(table: RuleBandTable) -> Band:
    other = {bound.relation for bound in table.bounds} - {*ENDS}
    if other:
        raise ValueError(f"{', '.join(sorted(other))} is no end of a band")
    ends = {bound.relation: exact(bound.value, table.unit) for bound in table.bounds}
    return Band(
        id=table.says,
        low=ends.get("at_least", ends.get("above")),
        low_included="at_least" in ends,
        high=ends.get("at_most", ends.get("below")),
        high_included="at_most" in ends,
    )


def threshold(table: ThresholdTable, entry: RuleTable, file: str) -> Threshold:
    """A machine rule: the scope of ``thresholds.toml`` with title, numbers and source of its entry."""
    unit = next((band.unit for band in entry.band if band.of == table.of and band.bounds), "")
    clock = units.parse(table.rated_clock, known=units.EVIDENCE) if table.rated_clock else None
    return Threshold(
        id=table.id,
        metric=table.metric,
        title=entry.title.pairs(),
        reading=table.reading,
        because=table.because,
        worst=table.worst,
        undecided_at=tuple(exact(value, unit) for value in table.undecided_at),
        frameworks=table.frameworks,
        backends=table.backends,
        phases=table.phases,
        excluded_phases=table.excluded_phases,
        products=table.products,
        excluded_products=table.excluded_products,
        circumstances=table.circumstances,
        excluded_circumstances=table.excluded_circumstances,
        yields_to=table.yields_to,
        needs=table.needs,
        rated_clock=None if clock is None else Quantity(value=clock[0], unit=clock[1], written=table.rated_clock),
        follows=None if table.follows is None else (table.follows.rule, table.follows.band),
        bands=bands(entry, table.of) if table.reading == "bands" else (),
        authority=entry.authority,
        use=entry.use,
        scope=table.scope.pairs() if table.scope else (),
        sources=(table.id, *table.also),
        file=f"evidence/{file}",
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
