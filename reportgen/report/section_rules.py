"""Sections "Official thresholds" and "Not given, not recorded, not measured, not shown"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.model import Applicability
from reportgen.report import figures, numbers, wording
from reportgen.report.document import MetricRow, Number, SourceRow, ThresholdRow, Value
from reportgen.report.view import TEXT, VALUE, Cell, Context, cell


# ------------------------------------------------------------------------------------------- thresholds
@dataclass(frozen=True, slots=True, kw_only=True)
class RuleLine:
    """One rule that applies."""

    id: str
    """Rule id."""
    title: str
    """What it is on."""
    rests: tuple[str, ...]
    """Ids of the metric rows that the values are of, each once."""
    bands: str
    """Its bands in words; empty where it has none."""
    scope: str
    """Its scope."""
    source: str
    """Document, version, section; of an own baseline, who agreed on it and when."""
    kind: str
    """Whose rule it is: official document, tool source, own baseline ..."""
    quote: str
    """Quote."""
    before: Cell
    """BEFORE."""
    after: Cell
    """AFTER."""
    outcome: str
    """Band of BEFORE and of AFTER; that the value is shown without a band."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleGroup:
    """Rules that are not read, for the same reasons."""

    word: str
    """Does not apply, cannot be decided, cannot be enforced."""
    tag: str
    """The same, as a class."""
    why: str
    """Why."""
    rules: tuple[tuple[str, str], ...]
    """(rule id, title), by id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSection:
    """Official thresholds and own baselines."""

    total: int
    """Rules read."""
    outside: int
    """Rules that do not apply."""
    open: int
    """Rules of which it cannot be decided."""
    never: int
    """Rules that nobody can enforce."""
    figures: tuple[figures.Figure, ...]
    """Figures of them, or the text in their place; empty when none is drawn."""
    applied: tuple[RuleLine, ...]
    """Rules that apply."""
    others: tuple[RuleGroup, ...]
    """The others: cannot be decided, does not apply, cannot be enforced."""


ORDER = (Applicability.CANNOT_DECIDE, Applicability.DOES_NOT_APPLY, Applicability.NOT_ENFORCEABLE)
"""Groups of rules that are not read, in the order of the section."""


def thresholds(context: Context) -> RuleSection | None:
    """The section of the official thresholds; None when none was read."""
    rules = context.report.thresholds
    if not rules:
        return None
    count = {answer: sum(rule.applicability is answer for rule in rules) for answer in Applicability}
    return RuleSection(
        total=len(rules),
        outside=count[Applicability.DOES_NOT_APPLY],
        open=count[Applicability.CANNOT_DECIDE],
        never=count[Applicability.NOT_ENFORCEABLE],
        figures=figures.bands(context),
        applied=tuple(_rule(context, rule) for rule in rules if rule.applicability is Applicability.APPLIES),
        others=tuple(group for answer in ORDER for group in _groups(context, answer)),
    )


def _groups(context: Context, answer: Applicability) -> tuple[RuleGroup, ...]:
    """The rules of one answer, those with the same reasons together, the largest group first."""
    language = context.language
    found: dict[str, list[tuple[str, str]]] = {}
    for rule in context.report.thresholds:
        if rule.applicability is answer:
            why = wording.join((wording.say(reason, language) for reason in rule.reasons), language)
            found.setdefault(why, []).append((rule.id, figures.localized(rule.title, language)))
    groups = sorted(found.items(), key=lambda item: -len(item[1]))
    return tuple(
        RuleGroup(
            word=wording.applicability_word(answer, language),
            tag="unknown" if answer is Applicability.CANNOT_DECIDE else "",
            why=why,
            rules=tuple(rules),
        )
        for why, rules in groups
    )


def _rule(context: Context, rule: ThresholdRow) -> RuleLine:
    """One rule on one line."""
    language = context.language
    known = {source.id: source for source in context.report.sources}
    sources = [known[name] for name in rule.sources if name in known]

    def shown(value: Value | None) -> Cell:
        text = ""
        if isinstance(value, Number):
            text = numbers.format_value(value.quantity, metric_unit_hint=rule.metric, language=language)
        return cell(context, value, text)

    words = [wording.band_word(band, language) or "–" for band in (rule.band_before, rule.band_after)]
    outcome = " → ".join(words)
    if not context.comparing:
        outcome = context.series((f"BEFORE {words[0]}", f"AFTER {words[1]}"))
    if not rule.bands:
        outcome = context.text("shown without a band")
    return RuleLine(
        id=rule.id,
        rests=_rests(context, rule),
        title=figures.localized(rule.title, language),
        bands=context.series(
            f"{wording.band_word(band.id, language)} {figures.band_ends(context, band, rule.metric)}".strip()
            for band in rule.bands
        ),
        scope=figures.localized(rule.scope, language),
        source=wording.baseline_text(rule, language) if rule.baseline else _cited(context, sources) or rule.id,
        kind=wording.authority_word(rule.authority, language),
        quote=next((source.quote for source in sources if source.quote), ""),
        before=shown(rule.before),
        after=shown(rule.after),
        outcome=outcome,
    )


def _rests(context: Context, rule: ThresholdRow) -> tuple[str, ...]:
    """The metric rows that the values of a rule were read from: of the worst rank of each side."""
    found: dict[str, None] = {}
    for name, value, rank in (("before", rule.before, rule.rank_before), ("after", rule.after, rule.rank_after)):
        if isinstance(value, Number):
            found |= dict.fromkeys(
                row.id
                for row in context.report.metrics
                if (row.metric, row.rank) == (rule.metric, rank) and _holds(row, name, value)
            )
    return tuple(found)


def _holds(row: MetricRow, side: str, value: Number) -> bool:
    """Whether a metric row has the value on a side."""
    held = (row.before if side == "before" else row.after).value
    return isinstance(held, Number) and held.quantity.value == value.quantity.value


def _cited(context: Context, sources: Sequence[SourceRow]) -> str:
    """Documents with their versions, each once, with the sections that are cited."""
    documents: dict[tuple[str, str], list[str]] = {}
    for source in sources:
        documents.setdefault((source.document, source.version), []).append(source.section)
    return context.series(
        ", ".join(filter(None, (*document, *dict.fromkeys(sections)))) for document, sections in documents.items()
    )


# ------------------------------------------------------------------------------------------- gaps
def gaps(context: Context) -> tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...]:
    """(group, ((item, what follows, how to supply it), ...)) in the order of the report.

    An item of all ranks stands once, and metrics that lack for the same reason share a line.
    """
    language = context.language
    known = {source.id: source for source in context.report.sources}
    groups: dict[str, dict[tuple[str, str], list[str]]] = {}
    for gap in context.report.gaps:
        said = [figures.localized(gap.statement, language)]
        told = gap.statement and gap.reason and gap.reason.code == "fact_not_recorded"  # its statement says the same
        said += [wording.say(gap.reason, language)] if gap.reason and not told else []
        where = _cited(context, [known[name] for name in gap.sources if name in known])
        how = wording.say(gap.remedy, language) if gap.remedy else where
        groups.setdefault(gap.group, {}).setdefault((wording.gap_title(gap, language), how), []).extend(said)
    return tuple((wording.group_title(name, language), _alike(context, rows)) for name, rows in groups.items())


def _alike(context: Context, rows: dict[tuple[str, str], list[str]]) -> tuple[tuple[str, str, str], ...]:
    """(items, what follows, how to supply it), items with the same texts on one line."""
    found: dict[tuple[str, str], list[str]] = {}
    for (title, remedy), said in rows.items():
        found.setdefault((context.sentences(said), remedy), []).append(title)
    return tuple(
        (context.fit(wording.listed(titles, context.language), 2 * VALUE), context.fit(text, TEXT), remedy)
        for (text, remedy), titles in found.items()
    )
