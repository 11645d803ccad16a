"""Section "Main bottleneck": both sides, what the official guide tries first, signs that official cases describe."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from reportgen.report import figures, messages, numbers, wording
from reportgen.report.document import (
    BottleneckBlock,
    CitedRow,
    DiagnosisRow,
    GroundRow,
    InsideRow,
    Number,
)
from reportgen.report.rows import main_rank
from reportgen.report.view import Context, Where, rank_words, ranks, whence

ARROW = " → "
"""Between steps of an order."""
CORES = ("cube", "vector")
"""Kinds of cores, in the order of the table."""
FILES = 2
"""Files of one sign that are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactLine:
    """One fact of both sides."""

    name: str
    """What it is."""
    before: str
    """BEFORE."""
    after: str
    """AFTER."""
    rests: tuple[str, ...]
    """Metric rows that hold its numbers."""
    strong: bool = False
    """The bottleneck itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignLine:
    """One sign that an official case describes."""

    sides: str
    """Sides that show it."""
    seen: str
    """What was seen."""
    places: str
    """Files it was seen in."""
    case: str
    """Number of the case."""
    address: str
    """Its address."""
    title: str
    """What it is on."""
    where: tuple[Where, ...]
    """Origins of its numbers; empty where it has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BottleneckSection:
    """Main bottleneck."""

    facts: tuple[FactLine, ...]
    """The table of both sides."""
    said: tuple[str, ...]
    """Whether it moved, and how it was decided."""
    tried: str
    """What the guide tries first; empty when no bottleneck is told."""
    not_first: str
    """What it says should not be done first."""
    context: str
    """What that holds for."""
    signs: tuple[SignLine, ...]
    """Signs with the cases that describe them."""


def bottleneck(context: Context) -> BottleneckSection | None:
    """The section of the main bottleneck; None when it was not looked for."""
    block = context.report.bottleneck
    if block is None:
        return None
    tried, not_first, holds = _remedy(context, block)
    return BottleneckSection(
        facts=_facts(context, block),
        said=_said(context, block),
        tried=tried,
        not_first=not_first,
        context=holds,
        signs=_signs(context),
    )


def named(section: BottleneckSection | None) -> list[str]:
    """Ids of the metric rows that the section refers to."""
    return [identity for fact in section.facts for identity in fact.rests] if section is not None else []


# ------------------------------------------------------------------------------------------- both sides
def _facts(context: Context, block: BottleneckBlock) -> tuple[FactLine, ...]:
    sides = (block.before, block.after)
    kinds = [wording.bottleneck_word(side.kind, context.language) for side in sides]
    by = [wording.decided_word(side.by, context.language) for side in sides]
    lines = [
        FactLine(name=context.text("main bottleneck"), before=kinds[0], after=kinds[1], rests=(), strong=True),
        FactLine(name=context.text("decided by"), before=by[0], after=by[1], rests=()),
    ]
    for metric in dict.fromkeys(ground.metric for side in sides for ground in side.grounds):
        held = [next((g for g in side.grounds if g.metric == metric), None) for side in sides]
        lines.append(
            FactLine(
                name=wording.metric_title(metric, context.language),
                before=_value(context, held[0]),
                after=_value(context, held[1]),
                rests=_rests(held),
            )
        )
    for core in CORES:
        inside = [next((one for one in side.inside if one.core == core), None) for side in sides]
        if any(one is not None for one in inside):
            pipes = [pipe for one in inside if one is not None for pipe in (one.computing, one.transfer)]
            lines.append(
                FactLine(
                    name=wording.core_word(core, context.language),
                    before=_inside(context, inside[0]),
                    after=_inside(context, inside[1]),
                    rests=_rests(pipes),
                )
            )
    return tuple(lines)


def _rests(grounds: list[GroundRow | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.metric_row for one in grounds if one is not None and one.metric_row))


def _figure(context: Context, ground: GroundRow) -> str:
    if not isinstance(ground.value, Number):
        return wording.missing_word(ground.value, context.language)
    return numbers.format_value(ground.value.quantity, metric_unit_hint=ground.metric, language=context.language)


def _value(context: Context, ground: GroundRow | None) -> str:
    """A value with its rank where several have one, and its band."""
    if ground is None:
        return "–"
    more = [wording.band_word(ground.band, context.language)] if ground.band else []
    if ranks(context.report) > 1 and ground.rank != main_rank(context):
        more.append(rank_words(context, ground.rank))
    text = _figure(context, ground)
    return wording.in_parentheses(text, context.series(more), context.language) if any(more) else text


def _inside(context: Context, inside: InsideRow | None) -> str:
    """Which pipe of a core was busy for longer, with both values."""
    if inside is None:
        return "–"
    word = wording.inside_word(inside.verdict, context.language)
    if inside.computing is None or inside.transfer is None:
        return wording.in_parentheses(word, wording.clause(inside.reason, context.language), context.language)
    names = [messages.PIPE_NAMES.get(one.metric, one.metric) for one in (inside.computing, inside.transfer)]
    values = [_figure(context, one) for one in (inside.computing, inside.transfer)]
    pair = context.series(f"{name} {value}" for name, value in zip(names, values, strict=True))
    return wording.in_parentheses(word, pair, context.language)


# ------------------------------------------------------------------------------------------- sentences
def _said(context: Context, block: BottleneckBlock) -> tuple[str, ...]:
    """Whether it moved, how each side was decided, and that a low load is possible."""
    moved = wording.say(block.reason, context.language)
    if block.moved == "cannot be known":
        moved = context.text("Whether it moved cannot be known: %(why)s", why=moved)
    why: dict[str, list[str]] = {}
    for name, side in (("BEFORE", block.before), ("AFTER", block.after)):
        text = context.sentences(wording.say(reason, context.language) for reason in side.reasons)
        why.setdefault(text, []).append(name)
    lines = [moved]
    for text, sides in why.items():
        both = wording.both_words(sides, context.language)
        lines.append(context.text("%(sides)s: %(text)s", sides=both, text=text))
    return (*lines, *_low_load(context, block))


def _low_load(context: Context, block: BottleneckBlock) -> tuple[str, ...]:
    """That a low load is possible, on the sides where no bound shows."""
    found: dict[str, list[str]] = {}
    for name, side in (("BEFORE", block.before), ("AFTER", block.after)):
        if side.low_load is not None:
            found.setdefault(side.low_load.code, []).append(name)
    limit = numbers.digits(Fraction(block.limit.quantity.value), 1)
    lines = []
    for code, sides in found.items():
        why = context.text(messages.LOW_LOAD[code], limit=limit, source=_document(block, "advisor-operator-no-bound"))
        text = context.text(
            "%(why)s A low load is possible: %(source)s asks to load the device first.",
            why=why,
            source=_document(block, "recsdk-pressure-first"),
        )
        both = wording.both_words(sides, context.language)
        lines.append(context.text("%(sides)s: %(text)s", sides=both, text=text))
    return tuple(lines)


def _document(block: BottleneckBlock, rule: str) -> str:
    """Document and section of a rule; its id where the report does not hold it."""
    found: CitedRow | None = next((one for one in block.cited if one.id == rule), None)
    return f"{found.document}, {found.section}" if found is not None else rule


# ------------------------------------------------------------------------------------------- what is tried first
def _remedy(context: Context, block: BottleneckBlock) -> tuple[str, str, str]:
    """What the guide tries first, what it says should not be done first, and what that holds for."""
    remedy, language = block.remedy, context.language
    if remedy is None:
        return "", "", ""
    tried = ARROW.join(figures.localized(one, language) for one in remedy.first)
    if remedy.beside:
        tried = context.series((tried, figures.localized(remedy.beside, language)))
    kind = wording.bottleneck_word(block.after.kind, language)
    scope = context.text(
        "For %(kind)s, which remains in AFTER, as %(source)s has it for %(scope)s: context, no promise.",
        kind=kind,
        source=_document(block, "fsdp2-four-bottleneck-order"),
        scope=figures.localized(remedy.scope, language),
    )
    more = [] if remedy.within else [figures.localized(remedy.outside, language)]
    return (
        tried,
        figures.localized(remedy.not_first, language),
        context.sentences((scope, *more, figures.localized(remedy.caveat, language))),
    )


# ------------------------------------------------------------------------------------------- signs
def _signs(context: Context) -> tuple[SignLine, ...]:
    """Signs with the cases that describe them, those of both sides on one line."""
    found: dict[tuple[str, str], list[DiagnosisRow]] = {}
    for row in context.report.diagnoses:
        found.setdefault((_seen(context, row), row.case), []).append(row)
    lines = []
    for (seen, case), rows in found.items():
        paths = [context.origins[identity].file.rsplit("/", 1)[-1] for row in rows for identity in row.origins]
        files = list(dict.fromkeys(paths))
        lines.append(
            SignLine(
                sides=wording.both_words((row.side.value.upper() for row in rows), context.language),
                seen=seen,
                places=wording.listed((*files[:FILES], *(["..."] if len(files) > FILES else [])), context.language),
                case=case,
                address=rows[0].address,
                title=figures.localized(rows[0].title, context.language),
                where=whence(context, (value for row in rows for value in (row.count, row.share))),
            )
        )
    return tuple(lines)


def _seen(context: Context, row: DiagnosisRow) -> str:
    """What was seen, with its numbers."""
    seen = wording.say(row.reason, context.language)
    if row.count is None or row.share is None:
        return seen
    counted = context.text(
        "%(n)s kernels, %(share)s of the kernel time%(rank)s.",
        n=numbers.format_count(int(row.count.quantity.value)),
        share=numbers.format_change(row.share.quantity, signed=False),
        rank="" if row.rank is None else f" ({rank_words(context, row.rank)})",
    )
    return context.sentences((seen, counted))
