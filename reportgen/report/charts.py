"""Static charts of the report: one function per chart, plain rows in and a drawing out.

Hue tells the side (grey = BEFORE, blue = AFTER or less), lightness tells the component, vermilion is "more" and nothing
else, a dashed ink line is the agreed limit. Every mark is labelled directly, bars start at zero; there are no legends,
gradients or rounded corners. Words and figures arrive as text, values as floats in the unit that is printed: nothing is
worded or rounded here. Labels are measured in the font they are drawn in, so that none is cut or runs into another.
Each chart is drawn from the same rows for two widths: WIDE for paper and desk, NARROW for a phone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Literal

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
    Place,
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
        return canvas.figure(4 + (value - low) / (high - low) * 104)

    def dots(values: Iterable[float], y: float) -> str:
        return "".join(f'<circle cx="{at(value)}" cy="{y}" r="2"/>' for value in values)

    tick = ""
    if limit is not None:
        tick = f'<path d="M{at(limit)} 1V21" stroke="{LIMIT}" stroke-width="1.4" stroke-dasharray="3 1.5"/>'
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="spark" role="img" viewBox="0 0 112 22" width="112" height="22">'
        f'<title>{escape(fonts.visible(title))}</title><path d="M4 11H108" stroke="{LINE}" stroke-width=".8"/>{tick}'
        f'<g fill="none" stroke="{BEFORE}" stroke-width=".9">{dots(before, 6.5)}</g>'
        f'<g fill="{AFTER}" fill-opacity=".6">{dots(after, 15.5)}</g></svg>'
    )


# ------------------------------------------------------------------------------------------- 1 steps
def step_strip(
    rows: Sequence[StripRow], *, limit: float | None, limit_label: str, axis: str, width: int
) -> canvas.Drawing:
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
    x = canvas.Scale(low=low, high=high, size=plot)
    pairs = list(zip(rows, tops, strict=True))
    shapes = canvas.axis(x, foot=height, title=axis)
    if limit is not None:
        spans = [_strip_spot(row, x) for row in rows]
        at = x.at(limit)
        crossed = [top for (_at, left, right), top in zip(spans, tops, strict=True) if left - 3 < at < right + 3]
        shapes += _strip_limit(at, limit_label, room=plot - at, height=height, crossed=crossed)
    for row, top in pairs:
        color = canvas.side_color(row.side)
        shapes += [canvas.dot((x.at(v), top + 5), radius=2.2, fill=color, opacity=0.62) for v in row.values]
    for row, top in pairs:
        color, line = canvas.side_color(row.side), top + 16
        if row.low is not None and row.high is not None:
            ends = ((x.at(row.low), line), (x.at(row.high), line))
            shapes.append(canvas.rule(*ends, color=color, width=5, opacity=0.35))
        middle = x.at(row.middle)
        shapes.append(canvas.rule((middle, line - 5.5), (middle, line + 5.5), color=color, width=2.2))
    for row, top in pairs:
        shapes += _strip_texts(row, top, x, column=column)
    return canvas.Drawing(shapes=tuple(shapes))


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


def _strip_limit(at: float, label: str, *, room: float, height: float, crossed: Sequence[float]) -> list[canvas.Shape]:
    """The dashed line and its words, on the side where they fit; it pauses where a value's words stand on it."""
    starts, ends = [0.0, *(top + 23 for top in crossed)], [*(top + 10 for top in crossed), height]
    pieces = [
        canvas.rule((at, start), (at, end), color=LIMIT, width=1.4, dash="4 2")
        for start, end in zip(starts, ends, strict=True)
        if end > start
    ]
    fits = room > canvas.room(label, "bold") + 6
    align, dx = ("start", 5) if fits else ("end", -5)
    return [*pieces, canvas.text((at, 5), label, align=align, dx=dx, color=LIMIT, weight="bold")]


def _strip_texts(row: StripRow, top: float, x: canvas.Scale, *, column: float) -> list[canvas.Shape]:
    """The row's label at the left, and its value beside the interval on the side that has room."""
    weight = "bold" if row.strong else "normal"
    color = canvas.side_color(row.side)
    label = canvas.elided(row.label, column - 8, weight)
    at_right, _left, _right = _strip_spot(row, x)
    words = canvas.elided(row.text, x.size * 0.8, weight)
    ends = _strip_ends(row)
    align, dx, end = ("start", 7, max(ends)) if at_right else ("end", -7, min(ends))
    value = canvas.text((x.at(end), top + 16), words, align=align, dx=dx, color=color, weight=weight)
    return [*canvas.column([(top + 11, label)], weight=weight, color=color), *canvas.clear(value)]


def _strip_ends(row: StripRow) -> list[float]:
    return [v for v in (row.middle, row.low, row.high) if v is not None]


def _strip_spot(row: StripRow, x: canvas.Scale) -> tuple[bool, float, float]:
    """Whether the value of a row stands right of its interval, and from where to where, in px of the plot."""
    weight = "bold" if row.strong else "normal"
    ends, plot = _strip_ends(row), x.size
    first, last = x.at(min(ends)), x.at(max(ends))
    at_right = plot - last >= canvas.room(row.text, weight) + 10 or plot - last >= first
    needed = canvas.room(canvas.elided(row.text, plot * 0.8, weight), weight) + 7
    return (True, last + 7, last + needed) if at_right else (False, first - needed, first - 7)


# ------------------------------------------------------------------------------------------- 2 parts of a step
BAR, LEAD, LEADING = 46, 40, 15
"""Least height of a bar of the breakdown, room between its two bars, and height of a line of words."""


def breakdown(parts: Sequence[Part], *, totals: tuple[str, str], width: int) -> canvas.Drawing:
    """AFTER as a stacked bar under the ghost of BEFORE; thin lines join equal borders, so that each change is seen.

    Args:
        parts: in stacking order, three of them; all values >= 0 and at least one above 0.
        totals: the sums as printed, BEFORE and AFTER.
        width: ``WIDE`` or ``NARROW``.
    """
    scale = _breakdown_scale(parts, totals, width)
    lines = max(len(_breakdown_rest(parts, side, scale)) for side in SIDES)
    bar = max(BAR, (lines + 1) * LEADING + 2)
    shapes = [*_breakdown_bars(parts, bar=bar, scale=scale), *_breakdown_names(parts, scale=scale)]
    for side, total, middle in zip(SIDES, totals, (bar / 2, bar * 1.5 + LEAD), strict=True):
        words = canvas.elided(total, width * 0.7, "bold")
        shapes += _breakdown_texts(parts, side, words, middle=middle, scale=scale)
    return canvas.Drawing(shapes=tuple(shapes))


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


def _breakdown_bars(parts: Sequence[Part], *, bar: float, scale: float) -> list[canvas.Shape]:
    segments, joins = [], []
    at_before = at_after = 0.0
    below = bar + LEAD
    for part, ghost, fill in zip(parts, BEFORE_TINTS, AFTER_TINTS, strict=True):
        ends = (at_before + part.before * scale, at_after + part.after * scale)
        segments.append(canvas.rect((at_before, ends[0]), (0, bar), fill=ghost, stroke=BEFORE, width=0.8))
        segments.append(canvas.rect((at_after, ends[1]), (below, below + bar), fill=fill, stroke=AFTER, width=0.8))
        at_before, at_after = ends
        joins.append(canvas.rule((at_before, bar), (at_after, below), color=INK3, width=0.8, dash="2 2"))
    return [*segments, *joins]


def _breakdown_names(parts: Sequence[Part], *, scale: float) -> list[canvas.Shape]:
    """Names above the bar of BEFORE, of the parts that hold their label, as far as they do not meet."""
    names, at, free_from = [], 0.0, 0.0
    for part in parts:
        if _inside(part, "before", scale) and at >= free_from:
            names.append(canvas.text((at, -10), part.name, dx=1, color=INK2))
            free_from = at + canvas.room(part.name) + 8
        at += part.before * scale
    return names


def _breakdown_texts(
    parts: Sequence[Part], side: Side, total: str, *, middle: float, scale: float
) -> list[canvas.Shape]:
    """Figures inside the bar; right of it the sum, and the parts that hold none."""
    shapes, at = [], 0.0
    for index, part in enumerate(parts):
        value, words = _shown(part, side)
        if _inside(part, side, scale):
            color, weight = (PAPER, "bold") if side == "after" and index == 0 else (INK, "normal")
            spot = (at + value * scale / 2, middle)
            shapes.append(canvas.text(spot, words, align="middle", color=color, weight=weight))
        at += value * scale
    lines = _breakdown_rest(parts, side, scale)
    first = middle - LEADING / 2 * len(lines)
    shapes.append(canvas.text((at, first), total, dx=6, color=canvas.side_color(side), weight="bold"))
    shapes += [canvas.text((at, first + LEADING * number), words, dx=6) for number, words in enumerate(lines, 1)]
    return shapes


# ------------------------------------------------------------------------------------------- 3 operators
def movers(rows: Sequence[Mover], *, width: int) -> canvas.Drawing:
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
    step, x = 19, canvas.Scale(low=low, high=high, size=plot)
    zero, bars, texts, names = x.at(0), [], [], []
    for index, row in enumerate(rows):
        middle = step * index + step / 2
        color = LESS if row.delta < 0 else MORE
        bars.append(canvas.rect((zero, x.at(row.delta)), (middle - 6, middle + 6), fill=color))
        align, dx = ("start", 6) if row.delta < 0 else ("end", -6)
        texts.append(canvas.text((zero, middle), row.label, align=align, dx=dx))
        names.append((middle, canvas.elided(row.name, column - 8)))
    line = canvas.rule((zero, 0), (zero, step * len(rows)), color=INK2, width=0.8)
    return canvas.Drawing(shapes=(*bars, line, *canvas.column(names), *texts))


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
def memory(rows: Sequence[Peak], *, width: int) -> canvas.Drawing:
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
    pairs = [(row, step * index + step / 2) for index, row in enumerate(rows)]
    labels = [canvas.text((end * scale, at), row.label, dx=6) for (row, at), end in zip(pairs, ends, strict=True)]
    names = canvas.column((at, canvas.elided(row.name, column - 8)) for row, at in pairs)
    return canvas.Drawing(shapes=(*_memory_marks(pairs, scale), *labels, *names))


def _memory_marks(pairs: Sequence[tuple[Peak, float]], scale: float) -> list[canvas.Shape]:
    """Bars, outlines and ticks, each where there is such a value."""
    bars = [
        canvas.rect((0, row.after * scale), (at - 4.5, at + 4.5), fill=AFTER)
        for row, at in pairs
        if row.after is not None
    ]
    ghosts = [
        canvas.rect((0, row.before * scale), (at - 8.5, at + 8.5), fill="none", stroke=BEFORE, width=1)
        for row, at in pairs
        if row.before is not None
    ]
    ticks = [
        canvas.rule((row.limit * scale, at - 12), (row.limit * scale, at + 12), color=LIMIT, width=2)
        for row, at in pairs
        if row.limit is not None
    ]
    return [*bars, *ghosts, *ticks]


# ------------------------------------------------------------------------------------------- 5 thresholds
TRACK = 66
"""Height of one rule: title, band, words."""


def bands(tracks: Sequence[Track], *, width: int) -> canvas.Drawing:
    """One track per rule: its bands as printed in the source, BEFORE as a ring, AFTER as a disc, a line between.

    Args:
        tracks: at least one.
        width: ``WIDE`` or ``NARROW``.
    """
    fields: list[canvas.Shape] = []
    texts: list[canvas.Shape] = []
    points: dict[Side, list[Place]] = {"before": [], "after": []}
    lines: list[canvas.Shape] = []
    for index, track in enumerate(tracks):
        top, scale = index * TRACK, width / _track_end(track)
        title = canvas.elided(track.title, width, "bold")
        fields += _track_fields(track, top, scale)
        texts.append(canvas.text((0, top + 7), title, weight="bold"))
        texts += _track_words(track, top, scale, width)
        spots = {side: value * scale for side, value in _track_values(track).items()}
        for side, at in spots.items():
            points[side].append((at, top + 23))
        if len(spots) > 1:
            lines.append(canvas.rule(points["before"][-1], points["after"][-1], color=INK2, width=1))
        texts += _track_figures(track, spots, top, width=width)
    rings = [canvas.dot(at, radius=4.2, fill=PAPER, stroke=BEFORE, width=2) for at in points["before"]]
    discs = [canvas.dot(at, radius=4.5, fill=AFTER) for at in points["after"]]
    return canvas.Drawing(shapes=(*fields, *lines, *rings, *discs, *texts))


def _track_values(track: Track) -> dict[Side, float]:
    values: dict[Side, float | None] = {"before": track.before, "after": track.after}
    return {side: value for side, value in values.items() if value is not None}


def _track_end(track: Track) -> float:
    """Where the axis ends: past the last printed border and past both values."""
    borders = [end for stretch in track.stretches for end in (stretch.low, stretch.high) if end is not None]
    return max(max(borders, default=0.0) * 1.5, *(v * 1.12 for v in _track_values(track).values()), 1e-9)


def _track_fields(track: Track, top: float, scale: float) -> list[canvas.Shape]:
    end = _track_end(track)
    return [
        canvas.rect(
            (stretch.low * scale, (end if stretch.high is None else stretch.high) * scale),
            (top + 15, top + 44),
            fill=TONES["fine" if stretch.tone in FINE else "silent" if stretch.tone == SILENT else "attention"],
            stroke=INK3,
            width=0.6,
        )
        for stretch in track.stretches
    ]


def _track_words(track: Track, top: float, scale: float, width: float) -> list[canvas.Shape]:
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
    return [
        canvas.text((at, top + 53), stretch.text, color=INK2)
        for at, stretch in zip(starts, track.stretches, strict=True)
    ]


def _track_figures(track: Track, spots: Mapping[Side, float], top: float, *, width: float) -> list[canvas.Shape]:
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
        canvas.text((at[side], top + 36), words[side], align="middle", color=canvas.side_color(side), weight="bold")
        for side in order
    ]
