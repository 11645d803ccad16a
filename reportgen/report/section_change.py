"""What the change of the step is made of, operator types that likely match, and section "Worse elsewhere"."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from reportgen.report import changes, charts, charts_change, figures, messages_change, numbers, wording
from reportgen.report.document import AttributionRow, MatchRow, Number, WorseRow
from reportgen.report.translations import message as _
from reportgen.report.view import KEY, Context, Cut, Where, capped, rank_words, ranks, whence

RANKS_SHOWN = 12
"""Ranks on the chart of ranks, the slowest in AFTER."""
ON_PAPER = 8
"""Ranks, matches and figures in a table of the PDF."""
MOST_TYPES = 6
"""Operator types of a match that are named."""


# ------------------------------------------------------------------------------------------------ the step
@dataclass(frozen=True, slots=True, kw_only=True)
class RankLine:
    """The change of the step of one rank."""

    id: str
    """``A1`` ..."""
    name: str
    """Rank; a word for the whole where none is recorded."""
    rests: tuple[str, ...]
    """Metric rows of the step and of its parts."""
    whole: str
    """Difference of the mean step."""
    parts: tuple[str, ...]
    """Of each part, or the word for what is missing."""
    median: str
    """Difference of the medians."""
    apart: str
    """That less ``whole``."""
    beside: tuple[str, ...]
    """Of waiting and transit, or the word for what is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributionSection:
    """What the change of the step is made of."""

    figure: figures.Figure
    """The waterfall of the rank that is slowest in AFTER."""
    ranks: figures.Figure
    """The step of every rank; empty with one."""
    heads: tuple[str, ...]
    """Names of the parts."""
    beside: tuple[str, ...]
    """Names of what stands beside them."""
    lines: tuple[RankLine, ...]
    """By rank, the slowest in AFTER first."""
    cut: Cut | None
    """Of them."""
    unit: str
    """Unit of the table."""
    spans: bool
    """Whether device spans are taken apart, for want of steps."""
    said: tuple[str, ...]
    """Why ranks are not taken apart, and what is to be known."""


def attribution(context: Context) -> AttributionSection:
    """What the change of the step is made of; without lines where nothing may be compared."""
    rows = context.report.attributions
    whole = changes.taken_apart(rows)
    if not context.comparing or not whole:
        said = [changes.attribution_sentence(row, context.language) for row in rows] if context.comparing else []
        return AttributionSection(
            figure=figures.Figure(), ranks=figures.Figure(), heads=(), beside=(), lines=(), cut=None, unit="",
            spans=False,             said=tuple(dict.fromkeys(said)),
        )  # fmt: skip
    shown, cut = capped(whole, ON_PAPER if context.paper else None)
    like = changes.shared(shown)
    texts = [changes.deltas(row, context.language, like) for row in shown]
    return AttributionSection(
        figure=waterfall(context, whole[0]),
        ranks=rank_spread(context),
        heads=tuple(wording.metric_short(part.metric, context.language) for part in whole[0].parts),
        beside=tuple(wording.metric_title(part.metric, context.language) for part in whole[0].beside),
        lines=tuple(_rank_line(context, row, text) for row, text in zip(shown, texts, strict=True)),
        cut=cut,
        unit=like[0].unit,
        spans=changes.of_span(shown[0]),
        said=_said(context, texts, [row for row in rows if row not in whole]),
    )


def _said(context: Context, texts: list[changes.Deltas], others: list[AttributionRow]) -> tuple[str, ...]:
    said = [changes.attribution_sentence(row, context.language) for row in others]
    if not all(text.adds_up for text in texts):
        said.append(context.text("Rounding keeps a printed row from adding up; report.json holds it exactly."))
    return tuple(dict.fromkeys(said))


def _value(value: object) -> Fraction:
    return Fraction(value.quantity.value) if isinstance(value, Number) else Fraction(0)


def _rank_line(context: Context, row: AttributionRow, texts: changes.Deltas) -> RankLine:
    """One rank on one line."""
    return RankLine(
        id=row.id,
        name=rank_words(context, row.rank) or context.text("the step"),
        rests=tuple(filter(None, (part.metric_row for part in (row.whole, *row.parts)))),
        whole=texts.whole,
        parts=texts.parts,
        median=texts.median,
        apart=texts.apart,
        beside=texts.beside,
    )


def waterfall(context: Context, row: AttributionRow) -> figures.Figure:
    """The mean step of a rank, the change of each part, and the mean step of AFTER."""
    texts = changes.deltas(row, context.language)
    ends = [_value(side) for side in (row.whole.before, row.whole.after)]

    def scaled(value: Fraction) -> float:
        return float(value / texts.scale.factor)

    def bars(*, short: bool) -> list[charts_change.Fall]:
        name = wording.metric_short if short else wording.metric_title
        found = [charts_change.Fall(name="BEFORE", start=0.0, end=scaled(ends[0]), text=texts.figure(ends[0]),
                                    kind="before")]  # fmt: skip
        at = ends[0]
        for part, text in zip(row.parts, texts.parts, strict=True):
            if isinstance(part.delta, Number):
                after = at + Fraction(part.delta.quantity.value)
                shown = numbers.with_unit(text, texts.scale.unit)
                label = name(part.metric, context.language)
                found.append(
                    charts_change.Fall(name=label, start=scaled(at), end=scaled(after), text=shown, kind="part")
                )
                at = after
        last = f"{texts.figure(ends[1])} ({numbers.with_unit(texts.whole, texts.scale.unit)})"
        found.append(charts_change.Fall(name="AFTER", start=0.0, end=scaled(ends[1]), text=last, kind="after"))
        return found

    def build(width: int) -> charts.Chart:
        return charts_change.waterfall(bars(short=width != charts.WIDE), width=width)

    whose = context.text("Mean of the kept steps.")
    if changes.of_span(row):
        whose = context.text("Device span.")
    elif row.rank is not None:
        whose = context.text("Mean of the kept steps of rank %(rank)s, the slowest in AFTER.", rank=row.rank)
    caption = [
        whose,
        context.text("Each bar begins where the one above ends: blue less, vermilion more."),
        changes.no_cause((row,), context.language),
    ]
    title = changes.attribution_sentence(row, context.language)
    return figures.drawn(context, "waterfall", title, wording.join(caption, context.language), build)


def rank_spread(context: Context) -> figures.Figure:
    """The step of every rank on both sides; nothing with fewer than two ranks."""
    rows = [row for row in context.report.attributions if row.rank is not None and not row.blocked]
    rows = [row for row in rows if _value(row.whole.before) and _value(row.whole.after)]
    if len(rows) < 2:
        return figures.Figure()
    shown = rows[:RANKS_SHOWN]
    largest = max(_value(side) for row in rows for side in (row.whole.before, row.whole.after))
    scale = numbers.scale_of(largest, "time")
    decimals = numbers.decimals_of(largest, scale, "time")

    def figure(value: object) -> str:
        return numbers.digits(_value(value) / scale.factor, decimals)

    marks = [
        charts_change.RankMark(
            name=rank_words(context, row.rank),
            before=float(_value(row.whole.before) / scale.factor),
            after=float(_value(row.whole.after) / scale.factor),
            text=f"{figure(row.whole.before)} → {figure(row.whole.after)}",
            strong=index == 0,
        )
        for index, row in enumerate(shown)
    ]
    title = context.text(
        "Mean step by rank, %(unit)s: %(ranks)s",
        unit=scale.unit,
        ranks=context.series(f"{mark.name} {mark.text}" for mark in marks),
    )
    axis = context.text("mean step (%(unit)s)", unit=scale.unit)
    caption = [context.text("Mean step of each rank, the slowest in AFTER first. Ring: BEFORE; disc: AFTER.")]
    if len(rows) > len(shown):
        caption.append(context.text("The slowest %(shown)s of %(ranks)s ranks.", shown=len(shown), ranks=len(rows)))
    caption.append(context.text("The axis does not start at 0."))

    def build(width: int) -> charts.Chart:
        return charts_change.rank_spread(marks, axis=axis, width=width)

    return figures.drawn(context, "ranks", title, wording.join(caption, context.language), build)


# ------------------------------------------------------------------------------------------------ operator types
@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLine:
    """Types that likely match."""

    id: str
    """``X1`` ..."""
    kind: str
    """Renamed or fused."""
    before: str
    """Types of BEFORE."""
    after: str
    """Types of AFTER."""
    rests: tuple[str, ...]
    """Operator rows of all of them."""
    calls: str
    """Calls of each in a step."""
    totals: tuple[str, str]
    """Sums of a step of both sides."""
    delta: str
    """Their difference."""
    evidence: str
    """What speaks for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSection:
    """Operator types that likely match."""

    lines: tuple[MatchLine, ...]
    """By rank."""
    cut: Cut | None
    """Of them."""
    unit: str
    """Unit of the sums."""


def matches(context: Context) -> MatchSection:
    """Operator types that likely match; on paper of the rank that the operators are shown of."""
    rows = list(context.report.matches)
    if context.paper and rows:
        first = next((row.rank for row in context.report.attributions), rows[0].rank)
        rows = [row for row in rows if row.rank == first] or rows
    sums = [_value(side) for row in rows for side in (row.before_per_step, row.after_per_step)]
    scale = numbers.scale_of(max(sums, default=Fraction(0)), "time")
    shown, cut = capped(rows, ON_PAPER if context.paper else None)
    return MatchSection(lines=tuple(_match(context, row, scale) for row in shown), cut=cut, unit=scale.unit)


def _match(context: Context, row: MatchRow, scale: numbers.Scale) -> MatchLine:
    """One match on one line."""
    texts = numbers.row_format(
        row.before_per_step,
        row.after_per_step,
        row.delta_per_step,
        metric_unit_hint=scale.unit,
        language=context.language,
    )
    kind = _(messages_change.MATCHES[row.kind], context.language)
    if row.rank is not None and ranks(context.report) > 1:
        kind = context.text("%(name)s, %(rank)s", name=kind, rank=rank_words(context, row.rank))
    return MatchLine(
        id=row.id,
        kind=kind,
        before=_types(context, row.before),
        after=_types(context, row.after),
        rests=row.rows,
        calls=figures.calls(context, row.calls_per_step),
        totals=(texts.before, texts.after),
        delta="–" if wording.times_are_blocked(context.report) else texts.delta,
        evidence=wording.say(row.evidence, context.language),
    )


def _types(context: Context, names: tuple[str, ...]) -> str:
    """Types in a row, the first of many."""
    shown = " + ".join(context.fit(name, KEY) for name in names[:MOST_TYPES])
    rest = len(names) - MOST_TYPES
    return shown if rest <= 0 else context.text("%(first)s and %(rest)s more", first=shown, rest=rest)


# ------------------------------------------------------------------------------------------------ worse elsewhere
@dataclass(frozen=True, slots=True, kw_only=True)
class WorseLine:
    """One figure that is worse in AFTER."""

    id: str
    """``W1`` ..."""
    texts: changes.WorseTexts
    """As printed."""
    rests: tuple[str, ...]
    """Its metric row; empty for a figure of runs."""
    where: tuple[Where, ...]
    """Origins of a figure of runs."""
    goal: bool
    """Whether a goal is on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ElsewhereSection:
    """What is worse in AFTER."""

    lines: tuple[WorseLine, ...]
    """Captures first, then runs."""
    cut: Cut | None
    """Of them."""
    disagreements: tuple[tuple[str, str], ...]
    """(id, sentence)."""
    not_held: tuple[str, ...]
    """What was not looked at, and why."""


def elsewhere(context: Context) -> ElsewhereSection:
    """The section of what is worse in AFTER."""
    block = context.report.elsewhere
    shown, cut = capped(block.worse, 3 * ON_PAPER if context.paper else None)
    return ElsewhereSection(
        lines=tuple(_worse(context, row) for row in shown),
        cut=cut,
        disagreements=tuple((row.id, changes.disagreement(row, context.language)) for row in block.disagreements),
        not_held=tuple(wording.say(reason, context.language) for reason in block.not_held),
    )


def _worse(context: Context, row: WorseRow) -> WorseLine:
    """One figure on one line."""
    return WorseLine(
        id=row.id,
        texts=changes.worse_texts(row, context.language, several=ranks(context.report) > 1),
        rests=(row.metric_row,) if row.metric_row else (),
        where=() if row.metric_row else whence(context, (row.before, row.after)),
        goal=row.goal,
    )
