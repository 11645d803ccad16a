"""Charts of what changed: the step as a waterfall of its parts, and the step of every rank on both sides.

The rules of ``charts`` hold: hue tells the side, blue is less and vermilion more, marks are labelled, bars begin at 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import altair as alt

from reportgen.report import canvas
from reportgen.report.canvas import AFTER, BEFORE, BEFORE_TINTS, INK, INK2, INK3, LESS, MORE, PAPER

ROW, HALF = 24.0, 7.5
"""Height of a row of the waterfall and half of a bar's, in px."""
RANK_ROW = 19.0
"""Height of the row of one rank, in px."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fall:
    """One bar of the waterfall."""

    name: str
    """What it is."""
    start: float
    """Where it begins: 0 for a side, else where the bar before it ended."""
    end: float
    """Where it ends."""
    text: str
    """Its figure as printed."""
    kind: Literal["before", "part", "after"]
    """A side, or a part between them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankMark:
    """The step of one rank on both sides."""

    name: str
    """Rank."""
    before: float
    """BEFORE."""
    after: float
    """AFTER."""
    text: str
    """Both as printed."""
    strong: bool
    """Whether the report looks at this rank."""


def waterfall(bars: Sequence[Fall], *, width: int) -> alt.LayerChart:
    """BEFORE, the change of each part from where the one before it ended, and AFTER: bars from 0, joined by thin lines.

    Args:
        bars: BEFORE, parts, AFTER; at least one ends above 0.
        width: ``WIDE`` or ``NARROW``.
    """
    column = canvas.column_width([bar.name for bar in bars], width * 0.36, "bold")
    plot = width - column
    bars = [replace(bar, text=canvas.elided(bar.text, plot * 0.6, _weight(bar))) for bar in bars]
    lowest = min(0.0, *(min(bar.start, bar.end) for bar in bars))
    ends = [(max(bar.start, bar.end) - lowest, plot - 8 - canvas.room(bar.text, _weight(bar))) for bar in bars]
    per_unit = min(room / end for end, room in ends if end > 0)
    x, y = canvas.x_axis(lowest, lowest + plot / per_unit), canvas.y_axis(0, ROW * len(bars))
    middles = [ROW * index + ROW / 2 for index in range(len(bars))]
    spans = [
        {"x": bar.start, "x2": bar.end, "y": at - HALF, "y2": at + HALF, "k": _look(bar)}
        for bar, at in zip(bars, middles, strict=True)
    ]
    joins = [
        {"x": bar.end, "y": at + HALF, "y2": at + ROW - HALF} for bar, at in zip(bars[:-1], middles[:-1], strict=True)
    ]
    fills = {"before": BEFORE_TINTS[0], "after": AFTER, "less": LESS, "more": MORE}
    rims = {"before": BEFORE, "after": AFTER, "less": PAPER, "more": PAPER}
    drawn = alt.Chart(canvas.data(spans)).mark_rect(strokeWidth=0.8)
    lines = alt.Chart(canvas.data(joins)).mark_rule(color=INK3, strokeWidth=0.8, strokeDash=[2, 2])
    zero = alt.Chart(canvas.data([{"x": 0.0}])).mark_rule(color=INK2, strokeWidth=0.8).encode(x=x)
    layers = [
        drawn.encode(
            x=x, x2="x2:Q", y=y, y2="y2:Q", color=canvas.colour(fills), stroke=canvas.colour(rims, stroke=True)
        ),
        lines.encode(x=x, y=y, y2="y2:Q"),
        zero,
        *_fall_texts(bars, middles, x, y, column),
    ]
    return canvas.layer(layers, width=plot, height=ROW * len(bars))


def _weight(bar: Fall) -> str:
    return "normal" if bar.kind == "part" else "bold"


def _look(bar: Fall) -> str:
    """Which colour: a side its own, a part by its direction."""
    if bar.kind != "part":
        return bar.kind
    return "less" if bar.end < bar.start else "more"


def _fall_texts(bars: Sequence[Fall], middles: Sequence[float], x: alt.X, y: alt.Y, column: float) -> list[alt.Chart]:
    """Names at the left, figures right of the bars."""
    layers = []
    for kind, color in (("before", BEFORE), ("part", INK), ("after", AFTER)):
        some = [(bar, at) for bar, at in zip(bars, middles, strict=True) if bar.kind == kind]
        if some:
            weight = _weight(some[0][0])
            names = [(at, canvas.elided(bar.name, column - 8, weight)) for bar, at in some]
            figures = [{"x": max(bar.start, bar.end), "y": at, "t": bar.text} for bar, at in some]
            layers.append(canvas.column(names, y, weight=weight, color=color))
            layers.append(canvas.text(figures, x, y, dx=6, color=color, fontWeight=weight))
    return layers


def rank_spread(rows: Sequence[RankMark], *, axis: str, width: int) -> alt.LayerChart:
    """The step of every rank: BEFORE as a ring, AFTER as a disc, a line between; both figures at the right.

    Args:
        rows: in the order of the drawing; at least one.
        axis: title of the axis with its unit.
        width: ``WIDE`` or ``NARROW``.
    """
    column = canvas.column_width([row.name for row in rows], width * 0.25, "bold")
    limit = (width - column) * 0.5
    texts = [canvas.elided(row.text, limit, _strength(row)) for row in rows]
    figures = max(canvas.room(text, _strength(row)) for row, text in zip(rows, texts, strict=True))
    plot = width - column - figures - 14
    ends = [value for row in rows for value in (row.before, row.after)]
    low, high = min(ends), max(ends)
    pad = (high - low) * 0.06 or abs(high) * 0.05 or 1.0
    height = RANK_ROW * len(rows)
    x, y = canvas.x_axis(low - pad, high + pad, title=axis), canvas.y_axis(0, height)
    spots = [
        (row, text, RANK_ROW * index + RANK_ROW / 2) for index, (row, text) in enumerate(zip(rows, texts, strict=True))
    ]
    lines = alt.Chart(canvas.data({"x": row.before, "x2": row.after, "y": at} for row, _text, at in spots))
    rings = alt.Chart(canvas.data({"x": row.before, "y": at} for row, _text, at in spots))
    discs = alt.Chart(canvas.data({"x": row.after, "y": at} for row, _text, at in spots))
    ring: dict[str, Any] = {"size": 55, "filled": True, "color": PAPER, "stroke": BEFORE, "strokeWidth": 1.8}
    layers = [
        lines.mark_rule(color=INK3, strokeWidth=1).encode(x=x, x2="x2:Q", y=y),
        rings.mark_point(**ring, opacity=1).encode(x=x, y=y),
        discs.mark_point(size=65, filled=True, color=AFTER, opacity=1).encode(x=x, y=y),
    ]
    for weight in ("bold", "normal"):
        some = [spot for spot in spots if _strength(spot[0]) == weight]
        if some:
            names = [(at, canvas.elided(row.name, column - 8, weight)) for row, _text, at in some]
            layers.append(canvas.column(names, y, weight=weight))
            shown = [{"x": high + pad, "y": at, "t": text} for _row, text, at in some]
            layers.append(canvas.text(shown, x, y, dx=12, fontWeight=weight))
    return canvas.layer(layers, width=plot, height=height)


def _strength(row: RankMark) -> str:
    return "bold" if row.strong else "normal"
