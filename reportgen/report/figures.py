"""The figures of the report: which rows a chart shows, scaled to its unit, with its labels and its caption.

A figure is drawn only where both sides have what it shows; in its place stands a sentence that says why it is not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from markupsafe import Markup

from reportgen.model import Applicability
from reportgen.report import canvas, charts, numbers, wording
from reportgen.report.document import (
    BandRow,
    GoalRow,
    MetricRow,
    Number,
    OperatorRow,
    SideValue,
    ThresholdRow,
    Value,
)
from reportgen.report.rows import has_both, step_row
from reportgen.report.view import Context, rank_words

SIDES: tuple[charts.Side, charts.Side] = ("before", "after")
NAMES: dict[str, str] = {"before": "BEFORE", "after": "AFTER"}
COLUMN = 78
"""What the hanging labels of page one take from the width of a chart."""
PARTS = ("computing", "communication_not_overlapped", "free")
"""The parts of a step; they add up to it."""
SHOWN_RANKS = 2
"""With more ranks the strip shows the worst alone."""
MOVERS = 12
"""Operator types on the chart."""


NOTHING = Markup("")
"""No drawing."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A figure, or the sentence in its place; it is drawn where it is printed, once."""

    build: Callable[[int], charts.Chart] | None = None
    """Its chart at a width; None when there is no figure."""
    name: str = ""
    """Start of the ids inside the drawing."""
    title: str = ""
    """The finding in one sentence."""
    less: int = 0
    """By how many px the wide drawing is narrower than others."""
    both: bool = False
    """Whether there is a drawing for phones too; paper has none."""
    caption: str = ""
    """What a mark is, and what not to conclude."""
    instead: str = ""
    """Why there is no figure."""

    @cached_property
    def wide(self) -> Markup:
        """SVG for paper and desk; empty when there is no figure."""
        return self._drawing(charts.WIDE - self.less, "w")

    @cached_property
    def narrow(self) -> Markup:
        """SVG for a phone; empty on paper."""
        return self._drawing(charts.NARROW, "n") if self.both else NOTHING

    @property
    def height(self) -> float:
        """Height of the wide drawing at natural size, in px; 0 without one."""
        return canvas.tall(self.build(charts.WIDE - self.less)) if self.build else 0.0

    def _drawing(self, width: int, end: str) -> Markup:
        if self.build is None:
            return NOTHING
        drawing = charts.svg(self.build(width), name=f"{self.name}-{end}", title=self.title)
        return Markup(drawing)  # noqa: S704 - Vega escapes every text


# ------------------------------------------------------------------------------------------- shared
def scaled(value: Number, scale: numbers.Scale) -> float:
    """A number in the printed unit."""
    return float(Fraction(value.quantity.value) / scale.factor)


def drawn(
    context: Context, name: str, title: str, caption: str, build: Callable[[int], charts.Chart], *, less: int = 0
) -> Figure:
    """The figure of a chart; paper has the wide drawing alone."""
    return Figure(build=build, name=name, title=title, less=less, both=not context.paper, caption=caption)


def agreed_limit(context: Context, row: MetricRow) -> GoalRow | None:
    """The goal with a limit on AFTER of a row's metric and component; None without one."""
    for goal in context.report.goals:
        if (goal.metric, goal.part, goal.subject) == (row.metric, row.part, "after") and not goal.measured_outside:
            return goal
    return None


# ------------------------------------------------------------------------------------------- page one: steps
def steps(context: Context, *, shown: int = SHOWN_RANKS) -> Figure:
    """Every step of both sides, with the agreed limit.

    Args:
        context: the context.
        shown: with more ranks than this the worst stands alone.
    """
    row = step_row(context)
    if row is None:
        return Figure(instead=context.text("No figure of steps: a side has no step time."))
    if max(len(row.before.sample), len(row.after.sample)) < 2:
        return Figure(instead=context.text("No figure of steps: a side has fewer than two steps."))
    texts = numbers.metric_texts(row, context.language)
    rows = _strip_rows(context, row, texts, shown)
    goal = agreed_limit(context, row)
    limit = None if goal is None else scaled(goal.limit, texts.scale)
    label = (
        ""
        if goal is None
        else context.text("limit %(limit)s", limit=wording.goal_limit(goal, context.language, bare=True))
    )
    axis = context.text(
        "%(metric)s (%(unit)s)", metric=wording.metric_title(row.metric, context.language, row.part), unit=texts.unit
    )
    title = context.text(
        "%(metric)s: BEFORE %(before)s, AFTER %(after)s",
        metric=wording.metric_title(row.metric, context.language, row.part),
        before=texts.before_full,
        after=texts.after_full,
    )
    if goal is not None:
        title = context.text("%(finding)s, %(limit)s", finding=title, limit=label)

    def build(width: int) -> charts.Chart:
        return charts.step_strip(rows, limit=limit, limit_label=label, axis=axis, width=width)

    return drawn(context, "steps", title, _strip_caption(context, row, rows, goal), build, less=COLUMN)


def _strip_rows(context: Context, worst: MetricRow, texts: numbers.RowTexts, shown: int) -> list[charts.StripRow]:
    """The rows of the strip: all ranks when they are few, else the worst."""
    alike = [r for r in context.report.metrics if (r.metric, r.part) == (worst.metric, worst.part) and has_both(r)]
    chosen = alike if len(alike) <= shown else [worst]
    found = []
    for side in SIDES:
        for row in chosen:
            value = row.before if side == "before" else row.after
            label = " ".join(filter(None, (NAMES[side], rank_words(context, row.rank))))
            found.append(_strip_row(side, label, value, texts, strong=row is worst))
    return found


def _strip_row(
    side: charts.Side, label: str, value: SideValue, texts: numbers.RowTexts, *, strong: bool
) -> charts.StripRow:
    """One rank of one side."""
    middle, interval = value.value, value.interval
    assert isinstance(middle, Number)
    text = texts.value(middle.quantity.value)
    low = high = None
    if interval is not None:
        low, high = scaled(interval.low, texts.scale), scaled(interval.high, texts.scale)
        ends = (texts.figure(interval.low.quantity.value), texts.figure(interval.high.quantity.value))
        text = f"{text} {numbers.format_interval(*ends)}"
    values = value.sample or (middle,)
    return charts.StripRow(
        side=side,
        label=label,
        values=tuple(scaled(number, texts.scale) for number in values),
        middle=scaled(middle, texts.scale),
        low=low,
        high=high,
        text=text,
        strong=strong,
    )


def _strip_caption(context: Context, worst: MetricRow, rows: list[charts.StripRow], goal: GoalRow | None) -> str:
    """What a mark is."""
    say = [context.text("One dot per step; below them the value with its 95%% interval.")]
    if len(context.report.captures) > 2:
        say = [context.text("One dot per capture; below them their mean with its 95%% interval.")]
    on_steps = [one for one in context.report.goals if one.metric == worst.metric]
    if on_steps and all(one.measured_outside for one in on_steps):
        say.append(context.text("Steps of the captures, on which no goal of this metric is judged."))
    if goal is not None:
        say.append(context.text("Dashed: the limit."))
    several = {row.rank for row in context.report.metrics if row.metric == worst.metric}
    if len(rows) < len(SIDES) * len(several):
        say.append(context.text("Rank %(rank)s, the worst of %(ranks)s.", rank=worst.rank, ranks=len(several)))
    say.append(context.text("The axis does not start at 0."))
    return wording.join(say, context.language)


# ------------------------------------------------------------------------------------------- parts of a step
def breakdown(context: Context) -> Figure:
    """The parts of a step of the worst rank, as means."""
    if not context.comparing:
        return Figure(instead=context.no_figure)
    whole = step_row(context)
    parts = step_parts(context, whole) if whole is not None else None
    if whole is None or parts is None:
        return Figure(
            instead=context.text(
                "No figure: a side has no computing, communication and free time that add up to its step."
            )
        )
    texts = part_texts(context, whole, parts)
    totals = (f"BEFORE {texts.before_full}", f"AFTER {texts.after_full}")
    wide = [_part(context, row, texts, short=False) for row in parts]
    narrow = [_part(context, row, texts, short=True) for row in parts]
    title = context.text(
        "Mean step: BEFORE %(before)s, AFTER %(after)s: %(parts)s",
        before=texts.before_full,
        after=texts.after_full,
        parts=context.series(f"{part.name} {part.text_before} → {part.text_after}" for part in narrow),
    )

    def build(width: int) -> charts.Chart:
        return charts.breakdown(wide if width == charts.WIDE else narrow, totals=totals, width=width)

    return drawn(context, "breakdown", title, _breakdown_caption(context, whole), build)


def step_parts(context: Context, whole: MetricRow) -> tuple[MetricRow, ...] | None:
    """The three parts on the rank of ``whole``; None unless their means add up to its mean on both sides."""
    rows = {row.metric: row for row in context.report.metrics if (row.rank, row.device, row.part) == _place(whole)}
    if any(name not in rows for name in PARTS):
        return None
    parts = tuple(rows[name] for name in PARTS)
    for side in SIDES:
        total, values = mean_of(whole, side), [mean_of(row, side) for row in parts]
        if total is None or total == 0 or None in values or sum(v for v in values if v is not None) != total:
            return None
    return parts


def part_texts(context: Context, whole: MetricRow, parts: Sequence[MetricRow]) -> numbers.RowTexts:
    """Unit and decimals in which the means of a step and of its parts are printed: such that they add up if they can.

    Each side's parts to its step and each row's two values to its difference; else the differences alone.
    """
    texts = numbers.metric_texts(whole, context.language, part="mean")
    rows = [[mean_of(row, side) or Fraction(0) for side in SIDES] for row in (whole, *parts)]
    changes = [after - before for before, after in rows]
    column: list[numbers.Sum] = [(changes[1:], changes[0])]
    sides: list[numbers.Sum] = [([row[i] for row in rows[1:]], rows[0][i]) for i in range(len(SIDES))]
    across: list[numbers.Sum] = [([row[0], change], row[1]) for row, change in zip(rows, changes, strict=True)]
    found = numbers.decimals_that_add([*column, *sides, *across], texts.scale, texts.decimals, 2)
    found = found or numbers.decimals_that_add(column, texts.scale, texts.decimals)
    if found is None or found == texts.decimals:
        return texts
    return numbers.metric_texts(whole, context.language, part="mean", like=replace(texts, decimals=found))


def _place(row: MetricRow) -> tuple[int | None, int | None, str]:
    return row.rank, row.device, ""


def mean_of(row: MetricRow, side: charts.Side) -> Fraction | None:
    """The exact mean of a side; its value where it has no sample; None when missing."""
    value = row.before if side == "before" else row.after
    found = value.mean if isinstance(value.mean, Number) else value.value
    return Fraction(found.quantity.value) if isinstance(found, Number) else None


def _part(context: Context, row: MetricRow, texts: numbers.RowTexts, *, short: bool) -> charts.Part:
    """One part with its figures; the wide chart adds its share of the step."""
    shares = {r.metric: r for r in context.report.metrics if (r.rank, r.device, r.part) == _place(row)}
    share = shares.get(f"{row.metric}_share")
    label = {}
    for side in SIDES:
        value = mean_of(row, side) or Fraction(0)
        label[side] = texts.figure(value)
        if share is not None and not short:
            part = (share.before if side == "before" else share.after).value
            if isinstance(part, Number):
                label[side] += f" ({numbers.format_change(part.quantity, signed=False)})"
    name = wording.metric_short if short else wording.metric_title
    return charts.Part(
        name=name(row.metric, context.language),
        before=float((mean_of(row, "before") or Fraction(0)) / texts.scale.factor),
        after=float((mean_of(row, "after") or Fraction(0)) / texts.scale.factor),
        text_before=label["before"],
        text_after=label["after"],
    )


def _breakdown_caption(context: Context, whole: MetricRow) -> str:
    """Whose step it is, and what not to conclude."""
    unit = numbers.metric_texts(whole, context.language, part="mean").unit
    if whole.rank is None:
        first = context.text("Means over the kept steps, in %(unit)s.", unit=unit)
    else:
        first = context.text("Means over the kept steps of rank %(rank)s, in %(unit)s.", rank=whole.rank, unit=unit)
    return wording.join(
        [
            first,
            context.text("Top: BEFORE; below: AFTER; dashed lines join equal borders."),
            context.text("The three parts add up to the mean step; this is arithmetic, not causal attribution."),
        ],
        context.language,
    )


# ------------------------------------------------------------------------------------------- operators
def operators(context: Context, rank: int | None) -> Figure:
    """The operator types of a rank whose total per step changed most."""
    if not context.comparing:
        return Figure(instead=context.no_figure)
    if wording.times_are_blocked(context.report):
        return Figure(instead=context.text("No figure: times of the two sides are not compared."))
    moved = [row for row in context.report.operators if row.rank == rank and row.delta_per_step.quantity.value != 0]
    moved = moved[:MOVERS]
    if not moved:
        return Figure(instead=context.text("No figure: no operator type's total changed."))
    largest = Fraction(moved[0].delta_per_step.quantity.value)
    scale = numbers.scale_of(largest, "time")
    decimals = numbers.decimals_of(largest, scale, "time")

    def mover(row: OperatorRow, *, short: bool) -> charts.Mover:
        delta = Fraction(row.delta_per_step.quantity.value) / scale.factor
        figure = numbers.with_unit(numbers.digits(delta, decimals, signed=True), scale.unit)
        if short:
            return charts.Mover(name=row.type, delta=float(delta), label=figure)
        change = wording.change_word(row.change, context.language)
        label = context.text("%(change)s %(delta)s", change=change, delta=figure)
        label = context.text("%(label)s, %(calls)s", label=label, calls=_calls(context, row))
        return charts.Mover(name=row.type, delta=float(delta), label=label)

    def build(width: int) -> charts.Chart:
        rows = [mover(row, short=width != charts.WIDE) for row in moved]
        return charts.movers(sorted(rows, key=lambda row: row.delta), width=width)

    most = [mover(row, short=True) for row in moved[:2]]
    named = context.series(f"{row.name} {row.label}" for row in most)
    title = context.text("Operator types that moved most: %(types)s", types=named)
    return drawn(context, "operators", title, _operators_caption(context, len(moved)), build)


def _operators_caption(context: Context, shown: int) -> str:
    """What is drawn; per step where there are steps."""
    if has_steps(context) and not context.paper:
        return context.text(
            "The operator types whose total per step changed most, %(shown)s in all; the label gives the change, on a"
            " wide screen also class and calls per step.",
            shown=shown,
        )
    if has_steps(context):
        return context.text(
            "The operator types whose total per step changed most, %(shown)s in all; the label gives class, change and"
            " calls per step.",
            shown=shown,
        )
    if not context.paper:
        return context.text(
            "The operator types whose total changed most, %(shown)s in all; the label gives the change, on a wide"
            " screen also class and calls.",
            shown=shown,
        )
    return context.text(
        "The operator types whose total changed most, %(shown)s in all; the label gives class, change and calls.",
        shown=shown,
    )


def has_steps(context: Context) -> bool:
    """Whether totals are per step: some rank of either side has step markers."""
    return any(rank.steps for capture in context.report.captures for rank in capture.ranks)


def calls(context: Context, number: Number | None) -> str:
    """Calls of a step; 0 where the type does not occur."""
    if number is None:
        return "0"
    return numbers.format_value(number.quantity, metric_unit_hint="count", language=context.language)


def _calls(context: Context, row: OperatorRow) -> str:
    before = calls(context, row.before.calls_per_step if row.before else None)
    after = calls(context, row.after.calls_per_step if row.after else None)
    return context.text("%(before)s → %(after)s calls", before=before, after=after)


# ------------------------------------------------------------------------------------------- memory
def memory_rows(context: Context) -> tuple[MetricRow, ...]:
    """The peaks that the report looks at: of each metric and component the worst rank."""
    return tuple(row for row in context.report.metrics if row.metric.startswith("peak_") and row.worst)


def memory(context: Context) -> Figure:
    """Peaks per component: what a component reserved; what it allocated where that alone is recorded."""
    if not context.comparing:
        return Figure(instead=context.no_figure)
    rows = [row for row in memory_rows(context) if any(isinstance(s.value, Number) for s in (row.before, row.after))]
    reserved = {row.part for row in rows if row.metric == "peak_reserved"}
    rows = [row for row in rows if row.metric == "peak_reserved" or row.part not in reserved]
    known = [v for row in rows for v in (row.before.value, row.after.value) if isinstance(v, Number)]
    if not any(number.quantity.value for number in known):
        return Figure(instead=context.text("No figure: no peak of memory is recorded."))
    scale = numbers.scale_of(max(Fraction(number.quantity.value) for number in known), "memory")
    wide = [_peak(context, row, scale, short=False) for row in rows]
    narrow = [_peak(context, row, scale, short=True) for row in rows]
    title = context.text(
        "Peak memory, %(unit)s: %(peaks)s",
        unit=scale.unit,
        peaks=context.series(f"{peak.name} {peak.label}" for peak in narrow),
    )
    sentences = [context.text("Outline: BEFORE; bar: AFTER.")]
    if any(peak.limit is not None for peak in wide):
        sentences.append(context.text("Tick: the agreed limit."))
    sentences.append(context.text("Peaks occur at different moments and must not be added."))

    def build(width: int) -> charts.Chart:
        return charts.memory(wide if width == charts.WIDE else narrow, width=width)

    return drawn(context, "memory", title, wording.join(sentences, context.language), build)


def _peak(context: Context, row: MetricRow, scale: numbers.Scale, *, short: bool) -> charts.Peak:
    """One component."""
    texts = numbers.row_format(
        row.before.value, row.after.value, row.delta, metric_unit_hint=scale.unit, language=context.language
    )
    texts = texts.alone() if wording.is_blocked(context.report, row) else texts
    values = {side: _amount(row.before if side == "before" else row.after, scale) for side in SIDES}
    words = [text or context.text("missing") for text in (texts.before, texts.after)]
    label = f"{words[0]} → {words[1]}"
    goal = agreed_limit(context, row)
    if not short:
        label = numbers.with_unit(label, scale.unit)
        if texts.delta:
            label = context.text("%(label)s (%(delta)s)", label=label, delta=texts.delta)
        if goal is not None:
            label = context.text(
                "%(label)s, limit %(limit)s", label=label, limit=wording.goal_limit(goal, context.language, bare=True)
            )
    return charts.Peak(
        name=row.part or wording.metric_short(row.metric, context.language),
        before=values["before"],
        after=values["after"],
        limit=None if goal is None else scaled(goal.limit, scale),
        label=label,
    )


def _amount(side: SideValue, scale: numbers.Scale) -> float | None:
    return scaled(side.value, scale) if isinstance(side.value, Number) else None


# ------------------------------------------------------------------------------------------- thresholds
RULES = 3
"""Rules in one figure: a higher one leaves half a page of paper free before it."""


def bands(context: Context) -> tuple[Figure, ...]:
    """The rules that apply, each with its bands and both values, a few in each figure; one text where none is drawn."""
    rules = [rule for rule in context.report.thresholds if rule.applicability is Applicability.APPLIES]
    rules = [rule for rule in rules if rule.bands and any(isinstance(v, Number) for v in (rule.before, rule.after))]
    if not rules:
        return ()
    if not context.comparing:
        return (Figure(instead=context.no_figure),)
    tracks = [_track(context, rule) for rule in rules]
    count = -(-len(tracks) // RULES)
    parts = [tracks[len(tracks) * n // count : len(tracks) * (n + 1) // count] for n in range(count)]
    return tuple(_bands(context, part, number) for number, part in enumerate(parts, 1))


def _bands(context: Context, tracks: Sequence[charts.Track], number: int) -> Figure:
    """One figure of some rules; what a mark is stands below the first."""
    title = context.series(
        context.text(
            "%(rule)s: BEFORE %(before)s, AFTER %(after)s",
            rule=track.title,
            before=track.text_before or "?",
            after=track.text_after or "?",
        )
        for track in tracks
    )
    caption = context.text(
        "Bands as the source prints them, each named below it; one of which it says nothing is left unfilled."
        " Ring: BEFORE; disc: AFTER. Two rules on one metric are two rows and are not merged."
    )
    if number > 1:
        caption = context.text("Further rules that apply, drawn as before.")

    def build(width: int) -> charts.Chart:
        return charts.bands(tracks, width=width)

    return drawn(context, f"bands{number}", title, caption, build)


def _track(context: Context, rule: ThresholdRow) -> charts.Track:
    """One rule."""
    hint = rule.metric
    scale = numbers.PERCENT if numbers.kind_of(hint, _unit(rule)) == "share" else numbers.PLAIN

    def shown(value: Value | None) -> tuple[float | None, str]:
        if not isinstance(value, Number):
            return None, ""
        text = numbers.format_value(value.quantity, metric_unit_hint=hint, language=context.language)
        return scaled(value, scale), text

    (before, text_before), (after, text_after) = shown(rule.before), shown(rule.after)
    return charts.Track(
        title=f"{localized(rule.title, context.language)} | {rule_source(context, rule)}",
        stretches=tuple(
            charts.Stretch(
                low=0.0 if band.low is None else scaled(band.low, scale),
                high=None if band.high is None else scaled(band.high, scale),
                tone=band.id,
                text=f"{wording.band_word(band.id, context.language)} {band_ends(context, band, hint)}".strip(),
            )
            for band in rule.bands
        ),
        before=before,
        after=after,
        text_before=text_before,
        text_after=text_after,
    )


def _unit(rule: ThresholdRow) -> str:
    ends = [end for band in rule.bands for end in (band.low, band.high) if end is not None]
    return ends[0].quantity.unit if ends else "1"


def rule_source(context: Context, rule: ThresholdRow) -> str:
    """Document and version of a rule's first source; its id when the document is not listed, or it is an own one."""
    known = {source.id: source for source in context.report.sources}
    first = next((known[name] for name in rule.sources if name in known), None)
    if rule.baseline is not None:
        return f"{wording.authority_word(rule.authority, context.language)} {rule.id}"
    return rule.id if first is None else " ".join(filter(None, (first.document, first.version)))


def band_ends(context: Context, band: BandRow, hint: str) -> str:
    """The ends of a band as a source would print them: ``<3%``, ``10%–20%``, ``>20%``."""

    def text(end: Number) -> str:
        shown = numbers.format_value(end.quantity, metric_unit_hint=hint, language=context.language)
        return shown.replace(".0%", "%")

    low = None if band.low is None or band.low.quantity.value == 0 else band.low
    if low is None and band.high is None:
        return ""
    if low is None and band.high is not None:
        return f"{'≤' if band.high_included else '<'}{text(band.high)}"
    if band.high is None and low is not None:
        return f"{'≥' if band.low_included else '>'}{text(low)}"
    assert low is not None
    assert band.high is not None
    return f"{text(low)}–{text(band.high)}"


def localized(texts: tuple[tuple[str, str], ...], language: str) -> str:
    """The text of a language; the first there is when that language is not given; empty for none."""
    found = dict(texts)
    return found.get(language) or next(iter(found.values()), "")
