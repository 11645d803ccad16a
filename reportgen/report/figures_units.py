"""Figures of the sections on units, collectives, memory and clock, and the texts their tables share.

As in ``figures``: a figure is drawn only where there is what it shows; else a sentence says why not, or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from reportgen.report import charts, charts_units, numbers, wording
from reportgen.report.document import MetricRow, Number, SeriesRow
from reportgen.report.figures import NAMES, SIDES, Figure, drawn, mean_of
from reportgen.report.rows import has_value, main_rank
from reportgen.report.view import Cell, Context, cell, rank_words, ranks

WAITING = ("collective_transit", "collective_synchronization", "collective_wait")
"""What the bars of a kind of collective are made of."""
KINDS = 6
"""Kinds of collectives on the chart, beside all of them together."""
STRETCHES = {charts.WIDE: 80, charts.NARROW: 40}
"""Width of a chart -> stretches of time of which the highest and the last value are drawn."""


# ------------------------------------------------------------------------------------------- shared
def common_scale(rows: Sequence[MetricRow], metrics: Sequence[str]) -> numbers.Scale:
    """The unit in which all values of these metrics stand in one table."""
    values = [side.value for row in rows if row.metric in metrics for side in (row.before, row.after)]
    known = [number.quantity for number in values if isinstance(number, Number)]
    unit = known[0].unit if known else "ns"
    largest = max((abs(Fraction(quantity.value)) for quantity in known), default=Fraction(0))
    return numbers.scale_of(largest, numbers.kind_of(metrics[0], unit))


def texts_in(context: Context, row: MetricRow | None, scale: numbers.Scale) -> numbers.RowTexts | None:
    """The figures of a row in a given unit; None without a row."""
    if row is None:
        return None
    hint = scale.unit if scale.unit in numbers.SIZED else row.metric
    return numbers.row_format(
        row.before.value, row.after.value, row.delta, metric_unit_hint=hint, language=context.language
    )


def cells(context: Context, row: MetricRow | None, texts: numbers.RowTexts | None) -> tuple[Cell, Cell]:
    """Both sides of a row as cells; an en dash without a row."""
    if row is None or texts is None:
        return Cell(text="–", missing=True), Cell(text="–", missing=True)
    return cell(context, row.before.value, texts.before), cell(context, row.after.value, texts.after)


def with_rank(context: Context, name: str, rank: int | None) -> str:
    """A name with its rank, where there are several."""
    if rank is None or ranks(context.report) < 2:
        return name
    return context.text("%(name)s, %(rank)s", name=name, rank=rank_words(context, rank))


# ------------------------------------------------------------------------------------------- busy units
def busy(context: Context, metrics: Sequence[str]) -> Figure:
    """The shares of the busy units of the main rank, BEFORE as an outline, AFTER as a bar."""
    rows = [row for row in context.report.metrics if row.metric in metrics and row.rank == main_rank(context)]
    rows = [row for row in rows if has_value(row) and row.metric != "memory_bound"]
    values = [side.value for row in rows for side in (row.before, row.after)]
    if not any(isinstance(value, Number) and value.quantity.value > 0 for value in values):
        return Figure()
    if not context.comparing:
        return Figure(instead=context.no_figure)
    bars = [_bar(context, row) for row in rows]
    title = context.text("Busy units: %(units)s", units=context.series(f"{bar.name} {bar.label}" for bar in bars))
    caption = context.text(
        "Outline: BEFORE; bar: AFTER; all bars on one scale from 0. Units work at the same time: shares do not add up."
    )

    def build(width: int) -> charts.Chart:
        return charts.memory(bars, width=width)

    return drawn(context, "units", title, _of_rank(context, caption), build)


def _bar(context: Context, row: MetricRow) -> charts.Peak:
    texts = numbers.metric_texts(row, context.language)
    words = [text or context.text("missing") for text in (texts.before_full, texts.after_full)]
    before, after = (
        float(side.value.quantity.value) if isinstance(side.value, Number) else None for side in (row.before, row.after)
    )
    name = wording.metric_title(row.metric, context.language, row.part)
    return charts.Peak(name=name, before=before, after=after, limit=None, label=f"{words[0]} → {words[1]}")


def _of_rank(context: Context, caption: str) -> str:
    """The caption with the rank it is of, where there are several."""
    rank = main_rank(context)
    if rank is None or ranks(context.report) < 2:
        return caption
    return wording.join((context.text("Rank %(rank)s.", rank=rank), caption), context.language)


# ------------------------------------------------------------------------------------------- collectives
def collectives(context: Context) -> Figure:
    """Transit, synchronisation and other waiting of each kind of collective of the main rank, by means of a step."""
    if not context.comparing:
        return Figure(instead=context.no_figure)
    found: dict[str, dict[str, MetricRow]] = {}
    for row in context.report.metrics:
        if row.metric in WAITING and row.rank == main_rank(context) and has_value(row):
            found.setdefault(row.part, {})[row.metric] = row
    complete = {part: rows for part, rows in found.items() if len(rows) == len(WAITING)}
    sized = sorted(complete, key=lambda part: (part != "", -max(sum(_segments(complete[part], s)) for s in SIDES)))
    shown = sized[: KINDS + 1]
    largest = max((sum(_segments(complete[part], side)) for part in shown for side in SIDES), default=Fraction(0))
    if largest == 0:
        return Figure()
    scale = numbers.scale_of(largest, "time")
    decimals = numbers.decimals_of(largest, scale, "time")
    rows = [_stack(context, part, complete[part], scale, decimals) for part in shown]
    title = context.text(
        "Collectives of a mean step, %(unit)s: %(kinds)s",
        unit=scale.unit,
        kinds=context.series(f"{row.name}: {row.text_before} → {row.text_after}" for row in rows[:3]),
    )
    caption = context.text(
        "Means of a step in %(unit)s; above: BEFORE, below: AFTER. Dark: transit; middle: synchronisation; light: other"
        " waiting. Idle time is left out. Waiting is for other ranks: it does not say which rank was slow.",
        unit=scale.unit,
    )

    def build(width: int) -> charts.Chart:
        return charts_units.stacks(rows, width=width)

    return drawn(context, "collectives", title, _of_rank(context, caption), build)


def _segments(rows: dict[str, MetricRow], side: charts.Side) -> tuple[Fraction, ...]:
    """Transit, synchronisation, other waiting; wait alone where synchronisation is no part of it; empty if missing."""
    transit, synchronization, wait = (mean_of(rows[metric], side) for metric in WAITING)
    if transit is None or wait is None:
        return ()
    if synchronization is None or synchronization > wait:
        return transit, Fraction(0), wait
    return transit, synchronization, wait - synchronization


def _stack(
    context: Context, part: str, rows: dict[str, MetricRow], scale: numbers.Scale, decimals: int
) -> charts_units.Stack:
    """One kind of collective."""
    values = {side: _segments(rows, side) for side in SIDES}
    texts = {}
    for side in SIDES:
        if not values[side]:
            texts[side] = context.text("missing")
            continue
        whole = numbers.digits(Fraction(sum(values[side])) / scale.factor, decimals)
        waited = numbers.digits(Fraction(sum(values[side][1:])) / scale.factor, decimals)
        texts[side] = context.text("%(whole)s, waited %(wait)s", whole=whole, wait=waited)
    return charts_units.Stack(
        name=part or context.text("all"),
        before=tuple(float(value / scale.factor) for value in values["before"]),
        after=tuple(float(value / scale.factor) for value in values["after"]),
        text_before=texts["before"],
        text_after=texts["after"],
    )


# ------------------------------------------------------------------------------------------- over time
def memory_over_time(context: Context) -> Figure:
    """Allocated and reserved memory over time of the component that most of it is recorded of, on the main rank."""
    found = _series(context, ("memory_reserved", "memory_allocated"))
    if not found:
        return Figure()
    if not context.comparing:
        return Figure(instead=context.no_figure)
    parts = dict.fromkeys(row.part for row in found)
    chosen = max(parts, key=lambda part: (len({row.id for row in found if row.part == part}), _top(found, part)))
    rows = [row for row in found if row.part == chosen]
    largest = _top(rows, chosen)
    scale = numbers.scale_of(largest, "memory")
    others = context.text("The other components are in report.json.") if len(parts) > 1 else ""
    caption = wording.join(
        (
            context.text("Component %(part)s.", part=chosen) if chosen else "",
            context.text("Lines hold until the next record; ring and disc: the highest value. Time 0: first kernel."),
            others,
        ),
        context.language,
    )
    return _over_time(context, "memory-time", rows, scale, caption, low=Fraction(0), hint="memory")


def clock(context: Context) -> Figure:
    """The recorded clock of AI Core over time, on the main rank."""
    rows = _series(context, ("ai_core_frequency",))
    if not rows:
        return Figure()
    if not context.comparing:
        return Figure(instead=context.no_figure)
    values = [Fraction(value) for row in rows for value in row.values]
    low = min(values) - (max(values) - min(values)) / 10 if max(values) > min(values) else Fraction(0)
    caption = context.text(
        "Lines hold until the next record; above: lowest and highest value. The clock may fall while nothing runs."
        " The axis does not start at 0."
    )
    return _over_time(context, "clock", rows, numbers.MEGAHERTZ, caption, low=low, hint="clock")


def _series(context: Context, names: Sequence[str]) -> list[SeriesRow]:
    """The series of the main rank with a value; of the first rank that has one where it has none."""
    rows = [row for row in context.report.series if row.id in names and row.values]
    of_main = [row for row in rows if row.rank == main_rank(context)]
    return of_main or [row for row in rows if row.rank == rows[0].rank]


def _top(rows: Sequence[SeriesRow], part: str) -> Fraction:
    return max(Fraction(value) for row in rows if row.part == part for value in row.values)


def _over_time(
    context: Context,
    name: str,
    rows: Sequence[SeriesRow],
    scale: numbers.Scale,
    caption: str,
    *,
    low: Fraction,
    hint: numbers.Kind,
) -> Figure:
    """Panels of these series, one for each id, with the highest value of each side in words."""
    ids = dict.fromkeys(row.id for row in rows)
    titles = {identity: wording.series_title(identity, context.language) for identity in ids}
    tops = {(row.id, row.side.value): max(map(Fraction, row.values)) for row in rows}
    least = {(row.id, row.side.value): min(map(Fraction, row.values)) for row in rows}
    decimals = max(numbers.decimals_of(top, scale, hint) for top in tops.values())

    def words(identity: str, side: charts.Side) -> str:
        figure = numbers.digits(tops[identity, side] / scale.factor, decimals)
        if low and least[identity, side] != tops[identity, side]:  # the axis does not start at 0: how far it fell
            figure = f"{numbers.digits(least[identity, side] / scale.factor, decimals)}–{figure}"
        return numbers.with_unit(f"{NAMES[side]} {figure}", scale.unit)

    shown = [(identity, side) for identity in ids for side in SIDES if (identity, side) in tops]
    title = context.text(
        "Over time: %(values)s",
        values=context.series(f"{titles[identity]}, {words(identity, side)}" for identity, side in shown),
    )
    foot = float(low / scale.factor)

    def build(width: int) -> charts.Chart:
        panels = []
        for identity in ids:
            traces = tuple(
                charts_units.Trace(side=side, points=_points(row, scale, STRETCHES[width]), text=words(identity, side))
                for side in SIDES
                for row in rows
                if (row.id, row.side.value) == (identity, side)
            )
            top = max(value for trace in traces for _time, value in trace.points)
            panels.append(
                charts_units.Panel(title=titles[identity], traces=traces, low=foot, high=max(top, foot + 1e-9))
            )
        return charts_units.over_time(panels, axis=context.text("time (s)"), width=width)

    return drawn(context, name, title, _of_rank(context, caption), build)


def _points(row: SeriesRow, scale: numbers.Scale, stretches: int) -> tuple[tuple[float, float], ...]:
    """The series in s and the printed unit, with the highest and the last value of each stretch of time."""
    times, values = [Fraction(time) for time in row.times], [Fraction(value) for value in row.values]
    length = (times[-1] - times[0]) or Fraction(1)
    kept: dict[int, tuple[int, int]] = {}
    for index, time in enumerate(times):
        stretch = min(int((time - times[0]) * stretches / length), stretches - 1)
        highest, _last = kept.get(stretch, (index, index))
        kept[stretch] = (index if values[index] > values[highest] else highest, index)
    chosen = sorted({0, *(index for pair in kept.values() for index in pair)})
    return tuple((float(times[index] / 10**9), float(values[index] / scale.factor)) for index in chosen)
