"""Charts of what changed: the step as a waterfall of its parts, and the step of every rank on both sides.

The rules of ``charts`` hold: hue tells the side, blue is less and vermilion more, marks are labelled, bars begin at 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from reportgen.report import canvas
from reportgen.report.canvas import AFTER, BEFORE, BEFORE_TINTS, INK, INK2, INK3, LESS, MORE, PAPER, Chart, Row

ROW, HALF = 24.0, 7.5
"""Height of a row of the waterfall and half of a bar's, in px."""
RANK_ROW = 19.0
"""Height of the row of one rank, in px."""
FILLS = {"before": BEFORE_TINTS[0], "after": AFTER, "less": LESS, "more": MORE}
RIMS = {"before": BEFORE, "after": AFTER, "less": PAPER, "more": PAPER}
"""Fill and rim of a bar of the waterfall."""
WORDS = {"before": BEFORE, "part": INK, "after": AFTER}
"""Colour of the words beside a bar."""


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


def waterfall(bars: Sequence[Fall], *, width: int) -> Chart:
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
    height = ROW * len(bars)
    middles = [ROW * index + ROW / 2 for index in range(len(bars))]
    spans = [
        {"x": bar.start, "x2": bar.end, "y": at - HALF, "y2": at + HALF, "c": FILLS[_look(bar)], "s": RIMS[_look(bar)]}
        for bar, at in zip(bars, middles, strict=True)
    ]
    joins = [
        {"x": bar.end, "y": at + HALF, "y2": at + ROW - HALF} for bar, at in zip(bars[:-1], middles[:-1], strict=True)
    ]
    layers = [
        canvas.marks("rect", spans, strokeWidth=0.8),
        canvas.marks("rule", joins, color=INK3, strokeWidth=0.8, strokeDash=[2, 2]),
        canvas.marks("rule", [{"x": 0.0, "y": 0.0, "y2": height}], color=INK2, strokeWidth=0.8),
        canvas.texts(_fall_texts(bars, middles, lowest, column - 8)),
    ]
    across = (lowest, lowest + plot / per_unit)
    return canvas.plot(layers, across=across, down=(0, height), size=(plot, height))


def _weight(bar: Fall) -> str:
    return "normal" if bar.kind == "part" else "bold"


def _look(bar: Fall) -> str:
    """Which colour: a side its own, a part by its direction."""
    if bar.kind != "part":
        return bar.kind
    return "less" if bar.end < bar.start else "more"


def _fall_texts(bars: Sequence[Fall], middles: Sequence[float], left: float, room: float) -> list[Row]:
    """Names at the left, figures right of the bars."""
    rows = []
    for bar, at in zip(bars, middles, strict=True):
        color, weight = WORDS[bar.kind], _weight(bar)
        name = canvas.elided(bar.name, room, weight)
        rows.append(canvas.words((left, at), name, align="right", dx=-8, color=color, weight=weight))
        rows.append(canvas.words((max(bar.start, bar.end), at), bar.text, dx=6, color=color, weight=weight))
    return rows


def rank_spread(rows: Sequence[RankMark], *, axis: str, width: int) -> Chart:
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
    spots = [
        (row, text, RANK_ROW * index + RANK_ROW / 2) for index, (row, text) in enumerate(zip(rows, texts, strict=True))
    ]
    lines = [{"x": row.before, "x2": row.after, "y": at} for row, _text, at in spots]
    ring: dict[str, Any] = {"size": 55, "filled": True, "color": PAPER, "stroke": BEFORE, "strokeWidth": 1.8}
    words = []
    for row, text, at in spots:
        weight = _strength(row)
        name = canvas.elided(row.name, column - 8, weight)
        words.append(canvas.words((low - pad, at), name, align="right", dx=-8, weight=weight))
        words.append(canvas.words((high + pad, at), text, dx=12, weight=weight))
    layers = [
        canvas.marks("rule", lines, color=INK3, strokeWidth=1),
        canvas.marks("point", [{"x": row.before, "y": at} for row, _text, at in spots], **ring, opacity=1),
        canvas.marks(
            "point",
            [{"x": row.after, "y": at} for row, _text, at in spots],
            size=65,
            filled=True,
            color=AFTER,
            opacity=1,
        ),
        canvas.texts(words),
    ]
    return canvas.plot(layers, across=(low - pad, high + pad), down=(0, height), size=(plot, height), axis=axis)


def _strength(row: RankMark) -> str:
    return "bold" if row.strong else "normal"
