"""Section "Gates": the questions asked before any statement on BEFORE and AFTER, and what the profiler adds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reportgen.report import assured, numbers, wording
from reportgen.report.assurance import AttachmentRow, GateFactRow, GateRow, InflationRow
from reportgen.report.document import Number, Value
from reportgen.report.lookup import origins_of
from reportgen.report.section_evidence import Shown
from reportgen.report.view import VALUE, Cell, Context, Where, by_file, cell, of_origin

TAGS = {"passed": "same", "failed": "blocking", "cannot be known": "unknown"}
"""Outcome -> class of its mark."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateLine:
    """One gate."""

    id: str
    """``G1`` ..."""
    named: str
    """Its id as ``explain`` takes it; empty where all its numbers stand in metric rows."""
    title: str
    """What it asks."""
    facts: tuple[tuple[str, str, str], ...]
    """(fact, BEFORE, AFTER); AFTER is empty where both are alike."""
    tag: str
    """Class of its mark."""
    outcome: str
    """Outcome."""
    why: str
    """Why."""
    basis: str
    """Entries of the catalogue."""
    rests: tuple[str, ...]
    """Metric rows that its numbers stand in."""
    where: tuple[Where, ...]
    """Origins of what else was looked at."""
    origins: tuple[str, ...]
    """Their ids, each once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InflationLine:
    """What the profiler adds on one side."""

    id: str
    """``I1`` ..."""
    name: str
    """Side, metric and statistic."""
    profiled: Cell
    """Profiled."""
    unprofiled: Cell
    """Unprofiled."""
    difference: Cell
    """Difference."""
    share: Cell
    """In percent."""
    why: str
    """Why it is not known; empty where it is."""
    where: tuple[Where, ...]
    """Origins."""
    origins: tuple[str, ...]
    """Their ids, each once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateSection:
    """Gates."""

    groups: tuple[tuple[str, tuple[GateLine, ...]], ...]
    """(what follows where one does not hold, gates in order); empty without gates."""
    inflation: tuple[InflationLine, ...]
    """What the profiler adds."""
    heading: str
    """Sides that were looked at."""
    not_asked: str
    """Which gates are not asked and why; empty where all are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentLine:
    """One attachment."""

    file: str
    """File."""
    size: str
    """Bytes."""
    digest: str
    """SHA-256."""
    what: str
    """What it is, tool and version, as stated."""
    says: str
    """What the file says near its top; empty without a version."""


def gates(context: Context) -> GateSection:
    """The section of the gates."""
    report = context.report
    removing = context.text("If it does not hold, the comparison is not judged")
    beside = context.text("If it does not hold, that is printed beside the verdict")
    groups = ((removing, [row for row in report.gates if row.removes]),
              (beside, [row for row in report.gates if not row.removes]))  # fmt: skip
    return GateSection(
        groups=tuple((title, tuple(_gate(context, row) for row in rows)) for title, rows in groups if rows),
        inflation=tuple(
            _inflation(context, row) for row in report.inflation if not context.alone or row.side == "after"
        ),
        heading="AFTER" if context.alone else "BEFORE → AFTER",
        not_asked=_not_asked(context),
    )


def _not_asked(context: Context) -> str:
    """That the gates which hold one side against the other are not asked of AFTER alone."""
    if not context.alone:
        return ""
    asked = {row.id for row in context.report.gates}
    left = [name for name in (f"G{number}" for number in range(1, 11)) if name not in asked]
    return context.text(
        "No BEFORE was agreed: %(gates)s hold one side against the other and are not asked.", gates=", ".join(left)
    )


def _gate(context: Context, row: GateRow) -> GateLine:
    language = context.language
    rests = {fact: _rests(context, fact) for fact in row.facts}
    others = tuple(dict.fromkeys(one for fact in row.facts if not rests[fact] for one in origins_of(fact)))
    return GateLine(
        id=row.id,
        named=f"gate:{row.id}" if others else "",
        title=assured.gate_title(row.id, language),
        facts=tuple(_fact(context, fact) for fact in row.facts),
        tag=TAGS[row.outcome],
        outcome=assured.gate_outcome(row.outcome, language),
        why=context.sentences(wording.say(reason, language) for reason in row.reasons),
        basis=", ".join(row.basis),
        rests=tuple(filter(None, rests.values())),
        where=by_file(context, others),
        origins=others,
    )


def _rests(context: Context, fact: GateFactRow) -> str:
    """The metric row that holds both values of a fact; empty where none does."""
    sides = (fact.before, fact.after)
    if not any(isinstance(value, Number) for value in sides):
        return ""
    return next(
        (
            row.id
            for row in context.report.metrics
            if (row.metric, row.part) == (fact.name, fact.part)
            and all(_alike(value, side.value) for value, side in zip(sides, (row.before, row.after), strict=True))
        ),
        "",
    )


def _alike(value: Value | None, held: Value) -> bool:
    if isinstance(value, Number) and isinstance(held, Number):
        return value.quantity == held.quantity
    return not isinstance(value, Number) and not isinstance(held, Number)


def named(section: GateSection) -> list[str]:
    """Ids of the metric rows that the gates refer to."""
    return [identity for _title, lines in section.groups for line in lines for identity in line.rests]


def shown(context: Context, section: GateSection) -> Iterator[Shown]:
    """The gates and inflations with their origins, for the table of origins."""
    for _title, lines in section.groups:
        for line in lines:
            if line.origins:
                yield (line.named,), line.title, tuple(of_origin(context, one) for one in line.origins)
    for one in section.inflation:
        if one.origins:
            yield (one.id,), one.name, one.where


def _fact(context: Context, row: GateFactRow) -> tuple[str, str, str]:
    language = context.language
    sides = ("after",) if context.alone else ("before", "after")
    values = [context.fit(assured.fact_value(row, side, language), VALUE) for side in sides]
    return assured.fact_name(row, language), values[0], "" if values[0] == values[-1] else values[-1]


def _inflation(context: Context, row: InflationRow) -> InflationLine:
    language = context.language
    title = wording.metric_title(row.metric, language)
    title = wording.in_parentheses(title, wording.kind_word(row.kind, language), language) if row.kind else title
    name = wording.listed(
        (wording.side_word(row.side), title, wording.statistic_word(row.statistic, language)), language
    )
    if context.report.contract is not None and len(context.report.contract.cases) > 1:
        name = wording.in_parentheses(name, row.case, language)

    def shown(value: object, *, signed: bool = False) -> Cell:
        if not isinstance(value, Number):
            return Cell(text=context.text("not known"), missing=True)
        text = numbers.format_value(value.quantity, metric_unit_hint=row.metric, language=language, signed=signed)
        return cell(context, value, text)

    share = assured.inflation_text(row.share) if isinstance(row.share, Number) else ""
    origins = tuple(dict.fromkeys(origins_of((row.profiled, row.unprofiled))))
    lacking = (value for value in (row.profiled, row.unprofiled) if not isinstance(value, Number))
    return InflationLine(
        id=row.id,
        name=name,
        profiled=shown(row.profiled),
        unprofiled=shown(row.unprofiled),
        difference=shown(row.difference, signed=True),
        share=Cell(text=share) if share else Cell(text=context.text("not known"), missing=True),
        why=context.sentences(wording.say(value.reason, language) for value in lacking),
        where=by_file(context, origins),
        origins=origins,
    )


def attachments(context: Context) -> tuple[AttachmentLine, ...]:
    """The files handed in beside the evidence."""
    return tuple(_attachment(context, row) for row in context.report.attachments)


def _attachment(context: Context, row: AttachmentRow) -> AttachmentLine:
    return AttachmentLine(
        file=context.fit(row.file, VALUE),
        size=numbers.format_count(row.size),
        digest=row.digest,
        what=context.fit(
            context.series(filter(None, (row.what, " ".join(filter(None, (row.tool, row.version)))))), VALUE
        ),
        says=row.says,
    )
