"""Static charts of the report: one function per chart, plain rows in and an Altair chart out.

Hue tells the side (grey = BEFORE, blue = AFTER or less), lightness tells the component, vermilion is "more" and nothing
else, a dashed ink line is the agreed limit. Every mark is labelled directly, bars start at zero; there are no legends,
gradients or rounded corners. Words and figures arrive as text, values as floats in the unit that is printed: nothing is
worded or rounded here. Labels are measured in the font they are drawn in, so that none is cut or runs into another.
Each chart is drawn from the same rows for two widths: WIDE for paper and desk, NARROW for a phone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any, Literal

import altair as alt

from reportgen.report import canvas, fonts
from reportgen.report.canvas import (
    AFTER,
    AFTER_TINTS,
    BEFORE,
    BEFORE_TINTS,
    INK,
    INK2,
    INK3,
    LESS,
    LIMIT,
    LINE,
    MORE,
    NARROW,
    PAPER,
    WIDE,
    svg,
)

__all__ = [
    "NARROW",
    "SIDES",
    "TONES",
    "WIDE",
    "Mover",
    "Part",
    "Peak",
    "Side",
    "Stretch",
    "StripRow",
    "Track",
    "bands",
    "breakdown",
    "memory",
    "movers",
    "spark",
    "step_strip",
    "svg",
]

FINE = ("within_reference", "ideal", "normal", "no-bottleneck-at-first-look", "packets-fine", "inside_baseline")
"""Bands that call for nothing."""
SILENT = "no_statement"
"""The band of which the source says nothing."""
TONES = {"fine": "#dcecf6", "silent": PAPER, "attention": "#dfe1e3"}
"""Fill of a threshold's band."""
Side = Literal["before", "after"]
SIDES: tuple[Side, Side] = ("before", "after")


@dataclass(frozen=True, slots=True, kw_only=True)
class StripRow:
    """The steps of one rank, or of one capture, of one side."""

    side: Side
    """Side."""
    label: str
    """What stands left of the row."""
    values: tuple[float, ...]
    """One value for each step."""
    middle: float
    """The value the report prints for them."""
    low: float | None
    """Lower end of its interval; None without one."""
    high: float | None
    """Upper end."""
    text: str
    """The value with its interval, as printed."""
    strong: bool
    """Whether the report looks at this row: the worst rank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part of a step on both sides."""

    name: str
    """Its name."""
    before: float
    """BEFORE."""
    after: float
    """AFTER."""
    text_before: str
    """BEFORE as printed."""
    text_after: str
    """AFTER as printed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mover:
    """One operator type."""

    name: str
    """Type; untrusted and of any length."""
    delta: float
    """Change of its total."""
    label: str
    """Class, change and calls, as printed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Peak:
    """One component's peak of memory."""

    name: str
    """Component."""
    before: float | None
    """BEFORE; None when missing."""
    after: float | None
    """AFTER; None when missing."""
    limit: float | None
    """Agreed limit on AFTER; None without one."""
    label: str
    """All of them as printed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """One band of a rule."""

    low: float
    """Lower end, 0 when open."""
    high: float | None
    """Upper end; None when open."""
    tone: str
    """Band id."""
    text: str
    """What the source says of it, with its ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """One rule with the values of both sides."""

    title: str
    """Metric and document."""
    stretches: tuple[Stretch, ...]
    """Bands, lowest first."""
    before: float | None
    """BEFORE; None when missing."""
    after: float | None
    """AFTER."""
    text_before: str
    """As printed."""
    text_after: str
    """As printed."""


# ------------------------------------------------------------------------------------------- in a table cell
def spark(
    before: Sequence[float], after: Sequence[float], *, limit: float | None, domain: tuple[float, float], title: str
) -> str:
    """A strip of 112 x 22 px for a table cell: BEFORE above, AFTER below, the limit as a tick.

    Written by hand: it has forty marks at most, and a table has one in each row.
    """
    low, high = domain if domain[1] > domain[0] else (domain[0] - 1, domain[0] + 1)

    def at(value: float) -> str:
        return f"{4 + (value - low) / (high - low) * 104:.1f}"

    dots = [f'<circle cx="{at(v)}" cy="6.5" r="2" fill="none" stroke="{BEFORE}" stroke-width=".9"/>' for v in before]
    dots += [f'<circle cx="{at(v)}" cy="15.5" r="2" fill="{AFTER}" fill-opacity=".6"/>' for v in after]
    tick = ""
    if limit is not None:
        tick = (
            f'<line x1="{at(limit)}" x2="{at(limit)}" y1="1" y2="21" stroke="{LIMIT}" stroke-width="1.4"'
            ' stroke-dasharray="3 1.5"/>'
        )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="spark" role="img" viewBox="0 0 112 22" width="112" height="22">'
        f'<title>{escape(fonts.visible(title))}</title><line x1="4" x2="108" y1="11" y2="11" stroke="{LINE}"'
        f' stroke-width=".8"/>{tick}{"".join(dots)}</svg>'
    )


# ------------------------------------------------------------------------------------------- 1 steps
def step_strip(
    rows: Sequence[StripRow], *, limit: float | None, limit_label: str, axis: str, width: int
) -> alt.LayerChart:
    """Every step as a dot; below the dots the value of the row with its interval; the agreed limit as a dashed line.

    Args:
        rows: BEFORE, then AFTER; at least one.
        limit: agreed limit on the value; None without one.
        limit_label: how the limit is printed.
        axis: title of the axis with its unit.
        width: ``WIDE`` or ``NARROW``, or a little less.
    """
    column = canvas.column_width([row.label for row in rows], width * 0.3, "bold")
    plot = width - column
    low, high = _strip_domain(rows, limit)
    tops = _strip_tops(rows, has_limit=limit is not None)
    height = tops[-1] + 23
    x, y = canvas.x_axis(low, high, title=axis), canvas.y_axis(0, height)
    colour = canvas.colour({"before": BEFORE, "after": AFTER})
    pairs = list(zip(rows, tops, strict=True))
    layers = []
    if limit is not None:
        spans = [_strip_spot(row, domain=(low, high), plot=plot) for row in rows]
        at = (limit - low) / (high - low) * plot
        crossed = [top for (_at, left, right), top in zip(spans, tops, strict=True) if left - 3 < at < right + 3]
        layers += _strip_limit(limit, limit_label, x, y, room=plot - at, height=height, crossed=crossed)
    dots = [{"x": v, "y": top + 5, "k": row.side} for row, top in pairs for v in row.values]
    bars = [
        {"x": row.low, "x2": row.high, "y": top + 16, "k": row.side}
        for row, top in pairs
        if row.low is not None and row.high is not None
    ]
    layers.append(alt.Chart(canvas.data(dots)).mark_circle(size=20, opacity=0.62).encode(x=x, y=y, color=colour))
    if bars:
        layers.append(
            alt.Chart(canvas.data(bars))
            .mark_rule(strokeWidth=5, opacity=0.35)
            .encode(x=x, x2="x2:Q", y=y, color=colour)
        )
    ticks = alt.Chart(canvas.data({"x": row.middle, "y": top + 16, "k": row.side} for row, top in pairs))
    layers.append(ticks.mark_tick(orient="vertical", thickness=2.2, size=11).encode(x=x, y=y, color=colour))
    for row, top in pairs:
        layers += _strip_texts(row, top, x, y, domain=(low, high), plot=plot, column=column)
    return canvas.layer(layers, width=plot, height=height)


def _strip_domain(rows: Sequence[StripRow], limit: float | None) -> tuple[float, float]:
    ends = [v for row in rows for v in (*row.values, row.middle, row.low, row.high) if v is not None]
    ends += [limit] if limit is not None else []
    low, high = min(ends), max(ends)
    pad = (high - low) * 0.05 or abs(high) * 0.05 or 1.0
    return low - pad, high + pad


def _strip_tops(rows: Sequence[StripRow], *, has_limit: bool) -> list[float]:
    """Where each row begins: rows of 23 px, a gap between the sides, room for the words of the limit above."""
    tops: list[float] = []
    at = 14.0 if has_limit else 0.0
    for index, row in enumerate(rows):
        if index and rows[index - 1].side != row.side:
            at += 6
        tops.append(at)
        at += 23
    return tops


def _strip_limit(
    limit: float, label: str, x: alt.X, y: alt.Y, *, room: float, height: float, crossed: Sequence[float]
) -> list[alt.Chart]:
    """The dashed line and its words, on the side where they fit; it pauses where a value's words stand on it."""
    starts, ends = [0.0, *(top + 23 for top in crossed)], [*(top + 10 for top in crossed), height]
    pieces = [{"x": limit, "y": a, "y2": b} for a, b in zip(starts, ends, strict=True)]
    line = alt.Chart(canvas.data(pieces)).mark_rule(color=LIMIT, strokeWidth=1.4, strokeDash=[4, 2])
    rule = line.encode(x=x, y=y, y2="y2:Q")
    fits = room > canvas.room(label, "bold") + 6
    align, dx = ("left", 5) if fits else ("right", -5)
    words = canvas.text([{"x": limit, "y": 5, "t": label}], x, y, align=align, dx=dx, color=LIMIT, fontWeight="bold")
    return [rule, words]


def _strip_texts(
    row: StripRow, top: float, x: alt.X, y: alt.Y, *, domain: tuple[float, float], plot: float, column: float
) -> list[alt.Chart]:
    """The row's label at the left, and its value beside the interval on the side that has room."""
    weight = "bold" if row.strong else "normal"
    color = BEFORE if row.side == "before" else AFTER
    label = canvas.elided(row.label, column - 8, weight)
    at_right, _left, _right = _strip_spot(row, domain=domain, plot=plot)
    text = canvas.elided(row.text, plot * 0.8, weight)
    ends = _strip_ends(row)
    spot = {"x": max(ends) if at_right else min(ends), "y": top + 16, "t": text}
    align, dx = ("left", 7) if at_right else ("right", -7)
    return [
        canvas.column([(top + 11, label)], y, weight=weight, color=color),
        *canvas.clear_text([spot], x, y, align=align, dx=dx, color=color, fontWeight=weight),
    ]


def _strip_ends(row: StripRow) -> list[float]:
    return [v for v in (row.middle, row.low, row.high) if v is not None]


def _strip_spot(row: StripRow, *, domain: tuple[float, float], plot: float) -> tuple[bool, float, float]:
    """Whether the value of a row stands right of its interval, and from where to where, in px of the plot."""
    weight = "bold" if row.strong else "normal"
    ends, per_unit = _strip_ends(row), plot / (domain[1] - domain[0])
    first, last = ((end - domain[0]) * per_unit for end in (min(ends), max(ends)))
    at_right = plot - last >= canvas.room(row.text, weight) + 10 or plot - last >= first
    needed = canvas.room(canvas.elided(row.text, plot * 0.8, weight), weight) + 7
    return (True, last + 7, last + needed) if at_right else (False, first - needed, first - 7)


# ------------------------------------------------------------------------------------------- 2 parts of a step
BAR, LEAD, LEADING = 46, 40, 15
"""Least height of a bar of the breakdown, room between its two bars, and height of a line of words."""


def breakdown(parts: Sequence[Part], *, totals: tuple[str, str], width: int) -> alt.LayerChart:
    """AFTER as a stacked bar under the ghost of BEFORE; thin lines join equal borders, so that each change is seen.

    Args:
        parts: in stacking order, three of them; all values >= 0 and at least one above 0.
        totals: the sums as printed, BEFORE and AFTER.
        width: ``WIDE`` or ``NARROW``.
    """
    scale = _breakdown_scale(parts, totals, width)
    lines = max(len(_breakdown_rest(parts, side, scale)) for side in SIDES)
    bar = max(BAR, (lines + 1) * LEADING + 2)
    x, y = canvas.x_axis(0, width / scale), canvas.y_axis(-18, 2 * bar + LEAD)
    layers = [*_breakdown_bars(parts, x, y, bar=bar), *_breakdown_names(parts, x, y, scale=scale)]
    for side, total, middle in zip(SIDES, totals, (bar / 2, bar * 1.5 + LEAD), strict=True):
        words = canvas.elided(total, width * 0.7, "bold")
        layers += _breakdown_texts(parts, side, words, x, y, middle=middle, scale=scale)
    return canvas.layer(layers, width=width, height=2 * bar + LEAD + 18)


def _breakdown_scale(parts: Sequence[Part], totals: tuple[str, str], width: int) -> float:
    """Pixels to the unit, such that each bar and the words right of it fit in the width.

    Which words stand there depends on the scale in turn: it is lowered until it agrees with itself.
    """
    sums = (sum(part.before for part in parts), sum(part.after for part in parts))
    scale = (width - 2) / max(sums)
    for _ in range(8):
        rooms = []
        for total, words, side in zip(sums, totals, SIDES, strict=True):
            lines = [canvas.room(words, "bold")]
            lines += [canvas.room(text) for text in _breakdown_rest(parts, side, scale)]
            rooms.append((width - 8 - max(lines)) / total if total else scale)
        lowest = max(min(rooms), width * 0.25 / max(sums))
        if lowest >= scale:
            break
        scale = lowest
    return scale


def _shown(part: Part, side: Side) -> tuple[float, str]:
    """Value and text of a part."""
    return (part.before, part.text_before) if side == "before" else (part.after, part.text_after)


def _inside(part: Part, side: Side, scale: float) -> bool:
    """Whether a part is wide enough to hold its text."""
    value, text = _shown(part, side)
    return value * scale >= canvas.room(text, "bold") + 6


def _breakdown_rest(parts: Sequence[Part], side: Side, scale: float) -> list[str]:
    """Parts too thin to hold their text, one line each."""
    return [f"{part.name} {_shown(part, side)[1]}" for part in parts if not _inside(part, side, scale)]


def _breakdown_bars(parts: Sequence[Part], x: alt.X, y: alt.Y, *, bar: float) -> list[alt.Chart]:
    segments, joins = [], []
    at_before = at_after = 0.0
    below = bar + LEAD
    for index, part in enumerate(parts):
        segments.append({"x": at_before, "x2": at_before + part.before, "y": 0, "y2": bar, "k": f"b{index}"})
        segments.append({"x": at_after, "x2": at_after + part.after, "y": below, "y2": below + bar, "k": f"a{index}"})
        at_before, at_after = at_before + part.before, at_after + part.after
        joins.append({"x": at_before, "x2": at_after, "y": bar, "y2": below})
    keys = [f"{side}{index}" for side in "ba" for index in range(3)]
    fill = canvas.colour(dict(zip(keys, BEFORE_TINTS + AFTER_TINTS, strict=True)))
    line = canvas.colour({key: BEFORE if key[0] == "b" else AFTER for key in keys}, stroke=True)
    bars = alt.Chart(canvas.data(segments)).mark_rect(strokeWidth=0.8)
    lines = alt.Chart(canvas.data(joins)).mark_rule(color=INK3, strokeWidth=0.8, strokeDash=[2, 2])
    return [
        bars.encode(x=x, x2="x2:Q", y=y, y2="y2:Q", color=fill, stroke=line),
        lines.encode(x=x, x2="x2:Q", y=y, y2="y2:Q"),
    ]


def _breakdown_names(parts: Sequence[Part], x: alt.X, y: alt.Y, *, scale: float) -> list[alt.Chart]:
    """Names above the bar of BEFORE, of the parts that hold their label, as far as they do not meet."""
    rows, at, free_from = [], 0.0, 0.0
    for part in parts:
        if _inside(part, "before", scale) and at * scale >= free_from:
            rows.append({"x": at, "y": -10, "t": part.name})
            free_from = at * scale + canvas.room(part.name) + 8
        at += part.before
    return [canvas.text(rows, x, y, dx=1, color=INK2)] if rows else []


def _breakdown_texts(
    parts: Sequence[Part], side: Side, total: str, x: alt.X, y: alt.Y, *, middle: float, scale: float
) -> list[alt.Chart]:
    """Figures inside the bar; right of it the sum, and the parts that hold none."""
    layers, at = [], 0.0
    for index, part in enumerate(parts):
        value, text = _shown(part, side)
        if _inside(part, side, scale):
            dark = side == "after" and index == 0
            look: dict[str, Any] = {"color": PAPER if dark else INK, "fontWeight": "bold" if dark else "normal"}
            layers.append(canvas.text([{"x": at + value / 2, "y": middle, "t": text}], x, y, align="center", **look))
        at += value
    lines = _breakdown_rest(parts, side, scale)
    first = middle - LEADING / 2 * len(lines)
    color = BEFORE if side == "before" else AFTER
    layers.append(canvas.text([{"x": at, "y": first, "t": total}], x, y, dx=6, color=color, fontWeight="bold"))
    if lines:
        rest = [{"x": at, "y": first + LEADING * number, "t": text} for number, text in enumerate(lines, 1)]
        layers.append(canvas.text(rest, x, y, dx=6))
    return layers


# ------------------------------------------------------------------------------------------- 3 operators
def movers(rows: Sequence[Mover], *, width: int) -> alt.LayerChart:
    """Operator types by change of their total: bars from zero, the label on the other side of zero.

    Args:
        rows: in the order of the drawing; at least one.
        width: ``WIDE`` or ``NARROW``.
    """
    column = canvas.column_width([row.name for row in rows], width * 0.3)
    plot = width - column
    both = len({row.delta < 0 for row in rows}) > 1
    rows = [replace(row, label=canvas.elided(row.label, plot * (0.42 if both else 0.75))) for row in rows]
    low, high = _movers_domain(rows, plot)
    step = 19
    x, y = canvas.x_axis(low, high), canvas.y_axis(0, step * len(rows))
    bars, texts = [], {True: [], False: []}  # type: list[dict[str, object]], dict[bool, list[dict[str, object]]]
    names = []
    for index, row in enumerate(rows):
        middle = step * index + step / 2
        bars.append({"x": 0, "x2": row.delta, "y": middle - 6, "y2": middle + 6, "k": _direction(row)})
        texts[row.delta < 0].append({"x": 0, "y": middle, "t": row.label})
        names.append((middle, canvas.elided(row.name, column - 8)))
    drawn = (
        alt.Chart(canvas.data(bars))
        .mark_rect()
        .encode(x=x, x2="x2:Q", y=y, y2="y2:Q", color=canvas.colour({"less": LESS, "more": MORE}))
    )
    zero = alt.Chart(canvas.data([{"x": 0}])).mark_rule(color=INK2, strokeWidth=0.8).encode(x=x)
    layers = [drawn, zero, canvas.column(names, y)]
    if texts[True]:
        layers.append(canvas.text(texts[True], x, y, dx=6))
    if texts[False]:
        layers.append(canvas.text(texts[False], x, y, align="right", dx=-6))
    return canvas.layer(layers, width=plot, height=step * len(rows))


def _direction(row: Mover) -> str:
    return "less" if row.delta < 0 else "more"


def _movers_domain(rows: Sequence[Mover], plot: float) -> tuple[float, float]:
    """Ends of the axis: the longest bar of each side or the longest label of the other, whichever needs more."""
    longest = {
        "less": max((-row.delta for row in rows if row.delta < 0), default=0.0),
        "more": max((row.delta for row in rows if row.delta >= 0), default=0.0),
    }
    room = {
        "less": max((canvas.room(row.label) + 8 for row in rows if row.delta >= 0), default=0.0),
        "more": max((canvas.room(row.label) + 8 for row in rows if row.delta < 0), default=0.0),
    }
    largest = max(longest.values()) or 1.0
    few, many = 0.0, plot / largest
    for _ in range(40):
        scale = (few + many) / 2
        needed = sum(max(longest[side] * scale, room[side]) for side in longest)
        few, many = (scale, many) if needed <= plot else (few, scale)
    scale = max(few, 12 / largest)
    left = max(longest["less"] * scale, room["less"], 1.0)
    return -left / scale, (plot - left) / scale


# ------------------------------------------------------------------------------------------- 4 memory
def memory(rows: Sequence[Peak], *, width: int) -> alt.LayerChart:
    """Peak per component: AFTER as a bar inside the outline of BEFORE, a tick at the limit.

    Args:
        rows: at least one with a value above 0.
        width: ``WIDE`` or ``NARROW``.
    """
    column = canvas.column_width([row.name for row in rows], width * 0.3)
    plot = width - column
    rows = [replace(row, label=canvas.elided(row.label, plot * 0.75)) for row in rows]
    ends = [max(v for v in (row.before, row.after, row.limit, 0.0) if v is not None) for row in rows]
    scale = min((plot - 8 - canvas.room(row.label)) / end for row, end in zip(rows, ends, strict=True) if end)
    scale = max(scale, plot * 0.2 / max(ends))
    step = 27
    x, y = canvas.x_axis(0, plot / scale), canvas.y_axis(0, step * len(rows))
    spots = [step * index + step / 2 for index in range(len(rows))]
    pairs = list(zip(rows, spots, strict=True))
    labels = [{"x": end, "y": at, "t": row.label} for (row, at), end in zip(pairs, ends, strict=True)]
    names = [(at, canvas.elided(row.name, column - 8)) for row, at in pairs]
    layers = [*_memory_marks(pairs, x, y), canvas.text(labels, x, y, dx=6), canvas.column(names, y)]
    return canvas.layer(layers, width=plot, height=step * len(rows))


def _memory_marks(pairs: Sequence[tuple[Peak, float]], x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """Bars, outlines and ticks, each where there is such a value."""
    bars = [{"x": 0, "x2": row.after, "y": at - 4.5, "y2": at + 4.5} for row, at in pairs if row.after is not None]
    ghosts = [{"x": 0, "x2": row.before, "y": at - 8.5, "y2": at + 8.5} for row, at in pairs if row.before is not None]
    ticks = [{"x": row.limit, "y": at} for row, at in pairs if row.limit is not None]
    layers = []
    if bars:
        drawn = alt.Chart(canvas.data(bars)).mark_rect(color=AFTER)
        layers.append(drawn.encode(x=x, x2="x2:Q", y=y, y2="y2:Q"))
    if ghosts:
        outline = alt.Chart(canvas.data(ghosts)).mark_rect(filled=False, stroke=BEFORE, strokeWidth=1)
        layers.append(outline.encode(x=x, x2="x2:Q", y=y, y2="y2:Q"))
    if ticks:
        mark = alt.Chart(canvas.data(ticks)).mark_tick(orient="vertical", color=LIMIT, thickness=2, size=24)
        layers.append(mark.encode(x=x, y=y))
    return layers


# ------------------------------------------------------------------------------------------- 5 thresholds
TRACK = 66
"""Height of one rule: title, band, words."""


def bands(tracks: Sequence[Track], *, width: int) -> alt.LayerChart:
    """One track per rule: its bands as printed in the source, BEFORE as a ring, AFTER as a disc, a line between.

    Args:
        tracks: at least one.
        width: ``WIDE`` or ``NARROW``.
    """
    x, y = canvas.x_axis(0, width), canvas.y_axis(0, TRACK * len(tracks))
    rects: list[dict[str, object]] = []
    texts: list[alt.Chart] = []
    points: dict[Side, list[dict[str, object]]] = {"before": [], "after": []}
    for index, track in enumerate(tracks):
        top, scale = index * TRACK, width / _track_end(track)
        title = canvas.elided(track.title, width, "bold")
        rects += _track_rects(track, top, scale)
        texts.append(canvas.text([{"x": 0, "y": top + 7, "t": title}], x, y, fontWeight="bold"))
        texts.append(canvas.text(_track_words(track, top, scale, width), x, y, color=INK2))
        spots = {side: value * scale for side, value in _track_values(track).items()}
        for side, at in spots.items():
            points[side].append({"x": at, "y": top + 23, "i": index})
        texts += _track_figures(track, spots, top, x, y, width=width)
    fields = alt.Chart(canvas.data(rects)).mark_rect(stroke=INK3, strokeWidth=0.6)
    layers = [fields.encode(x=x, x2="x2:Q", y=y, y2="y2:Q", color=canvas.colour(TONES))]
    return canvas.layer([*layers, *_track_marks(points, x, y), *texts], width=width, height=TRACK * len(tracks))


def _track_marks(points: Mapping[Side, Sequence[dict[str, object]]], x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """Ring, disc and the line between them, as far as there are values."""
    after = {point["i"]: point["x"] for point in points["after"]}
    lines = [{**point, "x2": after[point["i"]]} for point in points["before"] if point["i"] in after]
    layers = []
    if lines:
        rule = alt.Chart(canvas.data(lines)).mark_rule(color=INK2, strokeWidth=1)
        layers.append(rule.encode(x=x, x2="x2:Q", y=y))
    ring: dict[str, Any] = {
        "size": 70,
        "filled": True,
        "color": PAPER,
        "stroke": BEFORE,
        "strokeWidth": 2,
        "opacity": 1,
    }
    disc: dict[str, Any] = {"size": 80, "filled": True, "color": AFTER, "opacity": 1}
    for side, mark in zip(SIDES, (ring, disc), strict=True):
        if points[side]:
            layers.append(alt.Chart(canvas.data(points[side])).mark_point(**mark).encode(x=x, y=y))
    return layers


def _track_values(track: Track) -> dict[Side, float]:
    values: dict[Side, float | None] = {"before": track.before, "after": track.after}
    return {side: value for side, value in values.items() if value is not None}


def _track_end(track: Track) -> float:
    """Where the axis ends: past the last printed border and past both values."""
    borders = [end for stretch in track.stretches for end in (stretch.low, stretch.high) if end is not None]
    return max(max(borders, default=0.0) * 1.5, *(v * 1.12 for v in _track_values(track).values()), 1e-9)


def _track_rects(track: Track, top: float, scale: float) -> list[dict[str, object]]:
    end = _track_end(track)
    return [
        {
            "x": stretch.low * scale,
            "x2": (end if stretch.high is None else stretch.high) * scale,
            "y": top + 15,
            "y2": top + 44,
            "k": "fine" if stretch.tone in FINE else "silent" if stretch.tone == SILENT else "attention",
        }
        for stretch in track.stretches
    ]


def _track_words(track: Track, top: float, scale: float, width: float) -> list[dict[str, object]]:
    """What the source says of each band, below it; pushed right where the one before is longer than its band."""
    starts: list[float] = []
    free_from = 2.0
    for stretch in track.stretches:
        start = max(stretch.low * scale + 2, free_from)
        starts.append(start)
        free_from = start + canvas.room(stretch.text) + 10
    edge = float(width)
    for index in range(len(starts) - 1, -1, -1):
        starts[index] = max(0.0, min(starts[index], edge - canvas.room(track.stretches[index].text)))
        edge = starts[index] - 10
    return [{"x": at, "y": top + 53, "t": s.text} for at, s in zip(starts, track.stretches, strict=True)]


def _track_figures(
    track: Track, spots: Mapping[Side, float], top: float, x: alt.X, y: alt.Y, *, width: float
) -> list[alt.Chart]:
    """Both values under their marks, moved apart where they would meet and inwards at the edges."""
    words: dict[Side, str] = {"before": track.text_before, "after": track.text_after}
    half = {side: canvas.room(words[side], "bold") / 2 for side in spots}
    order = sorted(spots, key=lambda side: spots[side])
    at = {side: min(max(spots[side], half[side] + 2), width - half[side] - 2) for side in order}
    if len(order) > 1:
        left, right = order
        overlap = half[left] + half[right] + 6 - (at[right] - at[left])
        if overlap > 0:
            at[left] = max(at[left] - overlap / 2, half[left] + 2)
            at[right] = at[left] + half[left] + half[right] + 6
            beyond = max(0.0, at[right] + half[right] + 2 - width)
            at = {side: place - beyond for side, place in at.items()}
    return [
        canvas.text(
            [{"x": at[side], "y": top + 36, "t": words[side]}],
            x,
            y,
            align="center",
            color=BEFORE if side == "before" else AFTER,
            fontWeight="bold",
        )
        for side in order
    ]
