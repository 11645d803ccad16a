"""What all charts share: colours, scales, the marks that charts are made of, and the drawing as inline SVG.

A chart function places its marks in px and measures its words in the vendored font (``fonts.width``): what is left is
lines, rectangles, circles and texts. They are written here, in the order given, neighbours of one look in one group or
path, coordinates to a tenth of a px. ``screen.css`` maps each colour to one for dark screens, so that no second drawing
is needed; a test holds both together. No ids, no clips, no gradients: any number of charts may share a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import groupby, pairwise
from math import ceil, floor, log10

from reportgen.report import fonts

WIDE, NARROW = 640, 340
"""Widths in px at natural size."""
SIZE = 11
"""px; every text on a chart."""
SPARE = 1.16
"""By how much letters may be wider than in the vendored font: on a machine that lacks it, DejaVu Sans is."""
GROW = 1.25
"""A chart may grow to this on a wide screen, so that its text reaches the size of the body."""
PADDING = 2.0
"""px around a chart: a letter may reach a little beyond its measured box."""
MIDDLE = 0.35
"""From the middle of a capital or a digit down to the line it stands on, in parts of the type size."""
TICKS = 6
"""About how many ticks an axis has."""
BEYOND = 6
"""By how many px the value of a tick may reach beyond its axis; one that would reach further is left out."""

INK, INK2, INK3 = "#1a1d21", "#4a5058", "#646b73"
LINE, PAPER = "#d5d9dd", "#ffffff"
BEFORE, AFTER, LIMIT = "#6b6b6b", "#0072b2", INK
BEFORE_TINTS = ("#c9cccf", "#dfe1e3", "#f2f3f4")
AFTER_TINTS = ("#0072b2", "#5aa7d3", "#b5d8ec")
LESS, MORE = AFTER_TINTS[1], "#c75b1e"


# ------------------------------------------------------------------------------------------- nouns
@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """A linear scale from values to px."""

    low: float
    """Value at 0 px."""
    high: float
    """Value at ``size`` px; above ``low``."""
    size: float
    """Length in px."""

    def at(self, value: float) -> float:
        """Where a value lies, in px."""
        return (value - self.low) / (self.high - self.low) * self.size


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One mark, in px."""

    kind: str
    """``path``, ``circle`` or ``text``."""
    place: str
    """``d`` of a path; the attributes of place of the others."""
    look: tuple[tuple[str, str], ...]
    """Attributes that neighbours may share."""
    box: tuple[float, float, float, float]
    """Left, top, right and bottom."""
    words: str = ""
    """What a text says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A chart: its marks in the order they are drawn."""

    shapes: tuple[Shape, ...]
    """Marks."""


Place = tuple[float, float]
"""(x, y) in px."""


# ------------------------------------------------------------------------------------------- output
def svg(drawing: Drawing, *, title: str) -> str:
    """Inline SVG of a chart: it scales, and its title states the finding in one sentence."""
    boxes = [shape.box for shape in drawing.shapes]
    left, top = (floor(min(box[side] for box in boxes) - PADDING) for side in (0, 1))
    right, bottom = (ceil(max(box[side] for box in boxes) + PADDING) for side in (2, 3))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="{left} {top} {right - left} {bottom - top}"'
        f' font-family="{fonts.FAMILY}" font-size="{SIZE}px" style="max-width:{(right - left) * GROW:.0f}px">'
        f"<title>{escape(fonts.visible(title))}</title>{''.join(_written(drawing.shapes))}</svg>"
    )


def _written(shapes: Iterable[Shape]) -> Iterator[str]:
    """Marks as elements; paths of one look in one, other neighbours of one look in a group."""
    for (kind, look), run in groupby(shapes, key=lambda shape: (shape.kind, shape.look)):
        members = list(run)
        attributes = "".join(f' {name}="{value}"' for name, value in look)
        if kind == "path":
            yield f'<path d="{"".join(shape.place for shape in members)}"{attributes}/>'
        elif len(members) == 1:
            yield _element(members[0], attributes)
        else:
            yield f"<g{attributes}>{''.join(_element(shape) for shape in members)}</g>"


def _element(shape: Shape, attributes: str = "") -> str:
    """A circle or a text."""
    if shape.kind == "text":
        return f"<text{shape.place}{attributes}>{escape(shape.words)}</text>"
    return f"<{shape.kind}{shape.place}{attributes}/>"


def figure(value: float) -> str:
    """A coordinate to a tenth of a px, as short as it can be written."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


# ------------------------------------------------------------------------------------------- marks
def _look(**values: str | float | None) -> tuple[tuple[str, str], ...]:
    """Attributes, without those that are None."""
    return tuple((name.replace("_", "-"), str(value)) for name, value in values.items() if value is not None)


def rect(
    across: tuple[float, float], down: tuple[float, float], *, fill: str, stroke: str | None = None, width: float = 0
) -> Shape:
    """A rectangle between two px of each direction; ``fill`` may be ``none``."""
    (left, right), (top, bottom) = sorted(across), sorted(down)
    wide, high = round(right, 1) - round(left, 1), round(bottom, 1) - round(top, 1)
    return Shape(
        kind="path",
        place=f"M{figure(left)} {figure(top)}h{figure(wide)}v{figure(high)}h{figure(-wide)}z",
        look=_look(fill=fill, stroke=stroke, stroke_width=width if stroke else None),
        box=(left - width / 2, top - width / 2, right + width / 2, bottom + width / 2),
    )


def rule(
    start: Place, end: Place, *, color: str, width: float, dash: str | None = None, opacity: float | None = None
) -> Shape:
    """A straight line."""
    (x, y), (x2, y2) = start, end
    move = f"V{figure(y2)}" if x == x2 else f"H{figure(x2)}" if y == y2 else f"L{figure(x2)} {figure(y2)}"
    half = width / 2
    return Shape(
        kind="path",
        place=f"M{figure(x)} {figure(y)}{move}",
        look=_look(stroke=color, stroke_width=width, stroke_dasharray=dash, stroke_opacity=opacity),
        box=(min(x, x2) - half, min(y, y2) - half, max(x, x2) + half, max(y, y2) + half),
    )


def dot(
    at: Place,
    *,
    radius: float,
    fill: str,
    stroke: str | None = None,
    width: float = 0,
    opacity: float | None = None,
) -> Shape:
    """A disc, or with a stroke and the fill of the paper a ring."""
    x, y = at
    reach = radius + width / 2
    return Shape(
        kind="circle",
        place=f' cx="{figure(x)}" cy="{figure(y)}" r="{radius}"',
        look=_look(fill=fill, stroke=stroke, stroke_width=width if stroke else None, fill_opacity=opacity),
        box=(x - reach, y - reach, x + reach, y + reach),
    )


def stairs(points: Sequence[Place], *, color: str, width: float) -> Shape:
    """A line that holds each value until the next; at least one point, ascending in x."""
    (x, y), *rest = ((figure(across), figure(down)) for across, down in points)
    path = f"M{x} {y}"
    for across, down in rest:
        if down != y:
            path += f"H{across}V{down}"
            y = down
    path += f"H{figure(points[-1][0])}"
    xs, ys = [point[0] for point in points], [point[1] for point in points]
    return Shape(
        kind="path",
        place=re.sub(r"(?:H[-\d.]+)+(?=H)", "", path),
        look=_look(fill="none", stroke=color, stroke_width=width),
        box=(min(xs), min(ys) - width / 2, max(xs), max(ys) + width / 2),
    )


def text(
    at: Place, words: str, *, align: str = "start", dx: float = 0, color: str = INK, weight: str = "normal"
) -> Shape:
    """A text whose middle is at a height; ``align`` is ``start``, ``middle`` or ``end`` of it at the place."""
    x, y = at[0] + dx, at[1] + SIZE * MIDDLE
    wide = fonts.width(words, SIZE, weight)
    left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[align]
    return Shape(
        kind="text",
        place=f' x="{figure(x)}" y="{figure(y)}"',
        look=_look(
            fill=color,
            font_weight="bold" if weight == "bold" else None,
            text_anchor=align if align != "start" else None,
        ),
        box=(left, y - SIZE * 0.85, left + wide, y + SIZE * 0.25),
        words=words,
    )


def clear(shape: Shape) -> tuple[Shape, Shape]:
    """A text that stands on lines: under it a rim in the colour of the paper."""
    rest = [pair for pair in shape.look if pair[0] != "fill"]
    rim = _look(fill=PAPER, stroke=PAPER, stroke_width=4, stroke_linejoin="round")
    return replace(shape, look=(*rim, *rest)), shape


def column(labels: Iterable[tuple[float, str]], *, weight: str = "normal", color: str = INK) -> list[Shape]:
    """Labels left of the plot, flush right: (y in px, text)."""
    return [text((-8, y), words, align="end", weight=weight, color=color) for y, words in labels]


def axis(scale: Scale, *, foot: float, title: str) -> list[Shape]:
    """An axis of values along the foot of a plot: lines of a grid, their values, and what they are."""
    step, ticks = _ticks(scale.low, scale.high)
    spots = [(round(scale.at(tick)) + 0.5, tick) for tick in ticks]
    grid = [rule((at, 0), (at, foot), color=LINE, width=0.6) for at, _tick in spots]
    decimals = max(0, -floor(log10(step)))
    labels = [text((at, foot + 11), _tick_text(tick, decimals), align="middle", color=INK2) for at, tick in spots]
    labels = [label for label in labels if label.box[0] > -BEYOND and label.box[2] < scale.size + BEYOND]
    while any(one.box[2] + 4 > other.box[0] for one, other in pairwise(labels)):
        labels = labels[::2]
    return [*grid, *labels, text((scale.size / 2, foot + 26), title, align="middle", color=INK2)]


def _ticks(low: float, high: float) -> tuple[float, list[float]]:
    """A step of 1, 2 or 5 times a power of ten, and its multiples between two ends."""
    rough = (high - low) / TICKS
    power = 10.0 ** floor(log10(rough))
    step = power * next((factor for factor, limit in ((1, 1.5), (2, 3.5), (5, 7.5)) if rough / power < limit), 10)
    first, last = ceil(low / step), floor(high / step)
    return step, [number * step for number in range(first, last + 1)]


def _tick_text(value: float, decimals: int) -> str:
    return f"{value + 0.0:,.{decimals}f}".replace("-", "\u2212")


# ------------------------------------------------------------------------------------------- words
def room(words: str, weight: str = "normal") -> float:
    """Room that a text of a chart needs in px: on screen the font may be another, wider one."""
    return fonts.width(words, SIZE, weight, spare=SPARE)


def elided(words: str, limit: float, weight: str = "normal") -> str:
    """The text, or its head and tail when it needs more room than ``limit``."""
    return fonts.elided(words, limit, SIZE, weight, spare=SPARE)


def column_width(labels: Sequence[str], limit: float, weight: str = "normal") -> float:
    """Room that the labels left of a plot take, with their gap."""
    return min(max(room(label, weight) for label in labels), limit) + 8


def side_color(side: str) -> str:
    """Colour of lines and words of a side."""
    return BEFORE if side == "before" else AFTER
