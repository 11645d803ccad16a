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
    Chart,
    Row,
    svg,
)

__all__ = [
    "NARROW",
    "SIDES",
    "TONES",
    "WIDE",
    "Chart",
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
COLOURS: dict[Side, str] = {"before": BEFORE, "after": AFTER}
"""Colour of a side."""


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
def step_strip(rows: Sequence[StripRow], *, limit: float | None, limit_label: str, axis: str, width: int) -> Chart:
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
    pairs = list(zip(rows, tops, strict=True))
    layers, texts, rims = [], [], []
    if limit is not None:
        spans = [_strip_spot(row, domain=(low, high), plot=plot) for row in rows]
        at = (limit - low) / (high - low) * plot
        crossed = [top for (_at, left, right), top in zip(spans, tops, strict=True) if left - 3 < at < right + 3]
        layers.append(_strip_limit(limit, height=height, crossed=crossed))
        align: Literal["left", "right"] = "left" if plot - at > canvas.room(limit_label, "bold") + 6 else "right"
        dx = 5 if align == "left" else -5
        texts.append(canvas.words((limit, 5), limit_label, align=align, dx=dx, color=LIMIT, weight="bold"))
    for row, top in pairs:
        value = _strip_value(row, top, domain=(low, high), plot=plot)
        texts += [_strip_label(row, top, at=low, room=column - 8), value]
        rims.append(value)
    layers += [*_strip_marks(pairs), canvas.rims(rims), canvas.texts(texts)]
    return canvas.plot(layers, across=(low, high), down=(0, height), size=(plot, height), axis=axis)


def _strip_marks(pairs: Sequence[tuple[StripRow, float]]) -> list[alt.UnitSpec]:
    """Steps as dots; below them the interval as a bar and the value as a tick."""
    dots = [{"x": v, "y": top + 5, "c": COLOURS[row.side]} for row, top in pairs for v in row.values]
    bars = [
        {"x": row.low, "x2": row.high, "y": top + 16, "c": COLOURS[row.side]}
        for row, top in pairs
        if row.low is not None and row.high is not None
    ]
    ticks = [{"x": row.middle, "y": top + 16, "c": COLOURS[row.side]} for row, top in pairs]
    layers = [canvas.marks("circle", dots, size=20, opacity=0.62)]
    if bars:
        layers.append(canvas.marks("rule", bars, strokeWidth=5, opacity=0.35))
    return [*layers, canvas.marks("tick", ticks, orient="vertical", thickness=2.2, size=11, opacity=1)]


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


def _strip_limit(limit: float, *, height: float, crossed: Sequence[float]) -> alt.UnitSpec:
    """The dashed line; it pauses where a value's words stand on it."""
    starts, ends = [0.0, *(top + 23 for top in crossed)], [*(top + 10 for top in crossed), height]
    pieces = [{"x": limit, "y": a, "y2": b} for a, b in zip(starts, ends, strict=True)]
    return canvas.marks("rule", pieces, color=LIMIT, strokeWidth=1.4, strokeDash=[4, 2])


def _strip_label(row: StripRow, top: float, *, at: float, room: float) -> Row:
    """The row's label at the left."""
    weight = "bold" if row.strong else "normal"
    label = canvas.elided(row.label, room, weight)
    return canvas.words((at, top + 11), label, align="right", dx=-8, color=COLOURS[row.side], weight=weight)


def _strip_value(row: StripRow, top: float, *, domain: tuple[float, float], plot: float) -> Row:
    """The row's value beside the interval on the side that has room."""
    weight = "bold" if row.strong else "normal"
    at_right, _left, _right = _strip_spot(row, domain=domain, plot=plot)
    text = canvas.elided(row.text, plot * 0.8, weight)
    at = max(_strip_ends(row)) if at_right else min(_strip_ends(row))
    align: Literal["left", "right"] = "left" if at_right else "right"
    dx = 7 if at_right else -7
    return canvas.words((at, top + 16), text, align=align, dx=dx, color=COLOURS[row.side], weight=weight)


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


def breakdown(parts: Sequence[Part], *, totals: tuple[str, str], width: int) -> Chart:
    """AFTER as a stacked bar under the ghost of BEFORE; thin lines join equal borders, so that each change is seen.

    Args:
        parts: in stacking order, three of them; all values >= 0 and at least one above 0.
        totals: the sums as printed, BEFORE and AFTER.
        width: ``WIDE`` or ``NARROW``.
    """
    scale = _breakdown_scale(parts, totals, width)
    lines = max(len(_breakdown_rest(parts, side, scale)) for side in SIDES)
    bar = max(BAR, (lines + 1) * LEADING + 2)
    texts = _breakdown_names(parts, scale=scale)
    for side, total, middle in zip(SIDES, totals, (bar / 2, bar * 1.5 + LEAD), strict=True):
        words = canvas.elided(total, width * 0.7, "bold")
        texts += _breakdown_texts(parts, side, words, middle=middle, scale=scale)
    size = (width, 2 * bar + LEAD + 18)
    layers = [*_breakdown_bars(parts, bar=bar), canvas.texts(texts)]
    return canvas.plot(layers, across=(0, width / scale), down=(-18, 2 * bar + LEAD), size=size)


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


def _breakdown_bars(parts: Sequence[Part], *, bar: float) -> list[alt.UnitSpec]:
    """The two stacked bars and the lines between their borders."""
    segments: list[Row] = []
    joins: list[Row] = []
    at_before = at_after = 0.0
    below = bar + LEAD
    for part, grey, blue in zip(parts, BEFORE_TINTS, AFTER_TINTS, strict=True):
        upper = {"x": at_before, "x2": at_before + part.before, "y": 0, "y2": bar}
        lower = {"x": at_after, "x2": at_after + part.after, "y": below, "y2": below + bar}
        segments += [{**upper, "c": grey, "s": BEFORE}, {**lower, "c": blue, "s": AFTER}]
        at_before, at_after = at_before + part.before, at_after + part.after
        joins.append({"x": at_before, "x2": at_after, "y": bar, "y2": below})
    return [
        canvas.marks("rect", segments, strokeWidth=0.8),
        canvas.marks("rule", joins, color=INK3, strokeWidth=0.8, strokeDash=[2, 2]),
    ]


def _breakdown_names(parts: Sequence[Part], *, scale: float) -> list[Row]:
    """Names above the bar of BEFORE, of the parts that hold their label, as far as they do not meet."""
    rows, at, free_from = [], 0.0, 0.0
    for part in parts:
        if _inside(part, "before", scale) and at * scale >= free_from:
            rows.append(canvas.words((at, -10), part.name, dx=1, color=INK2))
            free_from = at * scale + canvas.room(part.name) + 8
        at += part.before
    return rows


def _breakdown_texts(parts: Sequence[Part], side: Side, total: str, *, middle: float, scale: float) -> list[Row]:
    """Figures inside the bar; right of it the sum, and the parts that hold none."""
    rows, at = [], 0.0
    for index, part in enumerate(parts):
        value, text = _shown(part, side)
        if _inside(part, side, scale):
            dark = side == "after" and index == 0
            look: dict[str, Any] = {"color": PAPER if dark else INK, "weight": "bold" if dark else "normal"}
            rows.append(canvas.words((at + value / 2, middle), text, align="center", **look))
        at += value
    lines = _breakdown_rest(parts, side, scale)
    first = middle - LEADING / 2 * len(lines)
    rows.append(canvas.words((at, first), total, dx=6, color=COLOURS[side], weight="bold"))
    rows += [canvas.words((at, first + LEADING * number), text, dx=6) for number, text in enumerate(lines, 1)]
    return rows


# ------------------------------------------------------------------------------------------- 3 operators
def movers(rows: Sequence[Mover], *, width: int) -> Chart:
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
    height = step * len(rows)
    bars, texts = [], []
    for index, row in enumerate(rows):
        middle, less = step * index + step / 2, row.delta < 0
        bars.append({"x": 0, "x2": row.delta, "y": middle - 6, "y2": middle + 6, "c": LESS if less else MORE})
        texts.append(canvas.words((low, middle), canvas.elided(row.name, column - 8), align="right", dx=-8))
        texts.append(canvas.words((0, middle), row.label, align="left" if less else "right", dx=6 if less else -6))
    zero = canvas.marks("rule", [{"x": 0, "y": 0, "y2": height}], color=INK2, strokeWidth=0.8)
    layers = [canvas.marks("rect", bars), zero, canvas.texts(texts)]
    return canvas.plot(layers, across=(low, high), down=(0, height), size=(plot, height))


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
def memory(rows: Sequence[Peak], *, width: int) -> Chart:
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
    height = step * len(rows)
    spots = [step * index + step / 2 for index in range(len(rows))]
    pairs = list(zip(rows, spots, strict=True))
    texts = [canvas.words((end, at), row.label, dx=6) for (row, at), end in zip(pairs, ends, strict=True)]
    texts += [canvas.words((0, at), canvas.elided(row.name, column - 8), align="right", dx=-8) for row, at in pairs]
    layers = [*_memory_marks(pairs), canvas.texts(texts)]
    return canvas.plot(layers, across=(0, plot / scale), down=(0, height), size=(plot, height))


def _memory_marks(pairs: Sequence[tuple[Peak, float]]) -> list[alt.UnitSpec]:
    """Bars, outlines and ticks, each where there is such a value."""
    bars = [{"x": 0, "x2": row.after, "y": at - 4.5, "y2": at + 4.5} for row, at in pairs if row.after is not None]
    ghosts = [{"x": 0, "x2": row.before, "y": at - 8.5, "y2": at + 8.5} for row, at in pairs if row.before is not None]
    ticks = [{"x": row.limit, "y": at} for row, at in pairs if row.limit is not None]
    layers = []
    if bars:
        layers.append(canvas.marks("rect", bars, color=AFTER))
    if ghosts:
        layers.append(canvas.marks("rect", ghosts, filled=False, stroke=BEFORE, strokeWidth=1))
    if ticks:
        layers.append(canvas.marks("tick", ticks, orient="vertical", color=LIMIT, thickness=2, size=24, opacity=1))
    return layers


# ------------------------------------------------------------------------------------------- 5 thresholds
TRACK = 66
"""Height of one rule: title, band, values, one line of words."""
WORDS = 53
"""Middle of the first line of words, from the top of the rule."""
WORDS_DOWN = 12
"""Height of each further line of words."""
POINTS: dict[Side, dict[str, Any]] = {
    "before": {"size": 70, "filled": True, "color": PAPER, "stroke": BEFORE, "strokeWidth": 2, "opacity": 1},
    "after": {"size": 80, "filled": True, "color": AFTER, "opacity": 1},
}
"""A ring for BEFORE, a disc for AFTER."""


def bands(tracks: Sequence[Track], *, width: int) -> Chart:
    """One track per rule: its bands as printed in the source, BEFORE as a ring, AFTER as a disc, a line between.

    Args:
        tracks: at least one.
        width: ``WIDE`` or ``NARROW``.
    """
    rects: list[Row] = []
    texts: list[Row] = []
    points: dict[Side, list[Row]] = {"before": [], "after": []}
    lines: list[Row] = []
    height = 0
    for track in tracks:
        top, scale = height, width / _track_end(track)
        rects += _track_rects(track, top, scale)
        texts.append(canvas.words((0, top + 7), canvas.elided(track.title, width, "bold"), weight="bold"))
        said = _track_words(track, top, scale, width)
        texts += said
        height = top + TRACK + WORDS_DOWN * (len({row["y"] for row in said}) - 1)
        spots = {side: value * scale for side, value in _track_values(track).items()}
        for side, at in spots.items():
            points[side].append({"x": at, "y": top + 23})
        if len(spots) > 1:
            lines.append({"x": spots["before"], "x2": spots["after"], "y": top + 23})
        texts += _track_figures(track, spots, top, width=width)
    layers = [canvas.marks("rect", rects, stroke=INK3, strokeWidth=0.6)]
    if lines:
        layers.append(canvas.marks("rule", lines, color=INK2, strokeWidth=1))
    layers += [canvas.marks("point", points[side], **POINTS[side]) for side in SIDES if points[side]]
    return canvas.plot([*layers, canvas.texts(texts)], across=(0, width), down=(0, height), size=(width, height))


def _track_values(track: Track) -> dict[Side, float]:
    values: dict[Side, float | None] = {"before": track.before, "after": track.after}
    return {side: value for side, value in values.items() if value is not None}


def _track_end(track: Track) -> float:
    """Where the axis ends: past the last printed border and past both values."""
    borders = [end for stretch in track.stretches for end in (stretch.low, stretch.high) if end is not None]
    return max(max(borders, default=0.0) * 1.5, *(v * 1.12 for v in _track_values(track).values()), 1e-9)


def _track_rects(track: Track, top: float, scale: float) -> list[Row]:
    end = _track_end(track)
    return [
        {
            "x": stretch.low * scale,
            "x2": (end if stretch.high is None else stretch.high) * scale,
            "y": top + 15,
            "y2": top + 31,
            "c": TONES["fine" if stretch.tone in FINE else "silent" if stretch.tone == SILENT else "attention"],
        }
        for stretch in track.stretches
    ]


def _track_words(track: Track, top: float, scale: float, width: float) -> list[Row]:
    """What the source says of each band, from below its start on, on the first line that has room for it."""
    ends: list[float] = []
    found: list[Row] = []
    for stretch in track.stretches:
        text = canvas.elided(stretch.text, width)
        start = max(0.0, min(stretch.low * scale + 2, width - canvas.room(text)))
        line = next((number for number, end in enumerate(ends) if end + 10 <= start), len(ends))
        ends[line : line + 1] = [start + canvas.room(text)]
        found.append(canvas.words((start, top + WORDS + line * WORDS_DOWN), text, color=INK2))
    return found


def _track_figures(track: Track, spots: Mapping[Side, float], top: float, *, width: float) -> list[Row]:
    """Both values below the band under their marks, moved apart where they would meet and inwards at the edges."""
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
        canvas.words((at[side], top + 39), words[side], align="center", color=COLOURS[side], weight="bold")
        for side in order
    ]
