"""Two further charts, of the same house as ``charts``: stacked bars of both sides, and a value over time.

Rows in, an Altair chart out. Words and figures arrive as text, values as floats in the unit that is printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.report import canvas
from reportgen.report.canvas import AFTER, AFTER_TINTS, BEFORE_TINTS, INK2, LINE, PAPER, Chart, Row
from reportgen.report.charts import COLOURS, SIDES, Side

BAR, GAP = 13, 8
"""Height of a bar and the room between two rows, in px."""
PANEL, HEAD = 62, 16
"""Height of a panel and of the line of words above it, in px."""
TINTS: dict[Side, tuple[str, ...]] = {"before": BEFORE_TINTS, "after": AFTER_TINTS}
"""Fills of the segments of a side."""


# ------------------------------------------------------------------------------------------- stacked bars
@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """One row of both sides."""

    name: str
    """What it is."""
    before: tuple[float, ...]
    """Segments of BEFORE, darkest first; three at most; empty when missing."""
    after: tuple[float, ...]
    """Segments of AFTER."""
    text_before: str
    """What stands right of the bar of BEFORE."""
    text_after: str
    """What stands right of the bar of AFTER."""


def stacks(rows: Sequence[Stack], *, width: int) -> Chart:
    """Stacked bars from zero: BEFORE above AFTER in each row, the words of each right of it.

    Args:
        rows: at least one with a segment above 0.
        width: ``WIDE`` or ``NARROW``.
    """
    column = canvas.column_width([row.name for row in rows], width * 0.3)
    plot = width - column
    scale = _stack_scale(rows, plot)
    step = 2 * BAR + GAP
    height = step * len(rows)
    segments: list[Row] = []
    texts: list[Row] = []
    for index, row in enumerate(rows):
        name = canvas.elided(row.name, column - 8)
        texts.append(canvas.words((0, step * index + step / 2), name, align="right", dx=-8))
        for side in SIDES:
            after = side == "after"
            values, text = (row.after, row.text_after) if after else (row.before, row.text_before)
            top, at = step * index + GAP / 2 + (BAR if after else 0), 0.0
            for value, tint in zip(values, TINTS[side], strict=False):
                place = {"x": at, "x2": at + value, "y": top + 0.5, "y2": top + BAR - 0.5}
                segments.append({**place, "c": tint, "s": COLOURS[side]})
                at += value
            shown = canvas.elided(text, plot * 0.7)
            texts.append(canvas.words((at, top + BAR / 2), shown, dx=5, color=COLOURS[side]))
    layers = [canvas.marks("rect", segments, strokeWidth=0.6), canvas.texts(texts)]
    return canvas.plot(layers, across=(0, plot / scale), down=(0, height), size=(plot, height))


def _stack_scale(rows: Sequence[Stack], plot: float) -> float:
    """Pixels to the unit, such that each bar and its words fit."""
    ends = [(sum(values), text) for row in rows for values, text in
            ((row.before, row.text_before), (row.after, row.text_after))]  # fmt: skip
    scale = min((plot - 8 - canvas.room(text)) / end for end, text in ends if end > 0)
    return max(scale, plot * 0.25 / max(end for end, _text in ends))


# ------------------------------------------------------------------------------------------- over time
@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A value over time of one side; each value holds until the next."""

    side: Side
    """Side."""
    points: tuple[tuple[float, float], ...]
    """(time, value), ascending in time; at least one."""
    text: str
    """What stands above the panel for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One quantity of both sides."""

    title: str
    """Quantity."""
    traces: tuple[Trace, ...]
    """BEFORE, then AFTER, as far as there are; at least one."""
    low: float
    """Value at the foot of the panel."""
    high: float
    """Value at its top, above ``low``."""


def over_time(panels: Sequence[Panel], *, axis: str, width: int) -> Chart:
    """Panels one below the other on one axis of time; in each a step line for each side, its highest value marked.

    Args:
        panels: at least one.
        axis: title of the axis of time with its unit.
        width: ``WIDE`` or ``NARROW``.
    """
    times = [time for panel in panels for trace in panel.traces for time, _value in trace.points]
    first, last = min(times), max(times)
    last = last if last > first else first + 1.0
    height = len(panels) * (PANEL + HEAD + 6)
    feet: list[Row] = []
    lines: dict[Side, list[Row]] = {"before": [], "after": []}
    tops: list[Row] = []
    texts: list[Row] = []
    for index, panel in enumerate(panels):
        top = index * (PANEL + HEAD + 6) + HEAD
        feet.append({"x": first, "x2": last, "y": top + PANEL})
        for trace in panel.traces:
            lines[trace.side] += _steps(panel, trace, index, top, last)
            time, value = max(trace.points, key=lambda point: point[1])
            fill = PAPER if trace.side == "before" else AFTER
            tops.append({"x": time, "y": _at(panel, value, top), "c": fill, "s": COLOURS[trace.side]})
        texts += _panel_words(panel, top, first, unit=width / (last - first), width=width)
    layers = [canvas.marks("rule", feet, color=LINE, strokeWidth=1)]
    for side, thick in zip(SIDES, (1.1, 1.5), strict=True):
        if lines[side]:
            look = {"interpolate": "step-after", "color": COLOURS[side], "strokeWidth": thick}
            layers.append(canvas.marks("line", lines[side], **look))
    layers.append(canvas.marks("point", tops, filled=True, size=26, opacity=1, strokeWidth=1.4))
    layers.append(canvas.texts(texts))
    return canvas.plot(layers, across=(first, last), down=(0, height), size=(width, height), axis=axis)


def _at(panel: Panel, value: float, top: float) -> float:
    """Where a value stands, in px from the top."""
    return top + PANEL * (1 - (value - panel.low) / (panel.high - panel.low))


def _steps(panel: Panel, trace: Trace, number: int, top: float, last: float) -> list[Row]:
    """The points of a step line; a single record holds to the end."""
    end, held = trace.points[-1]
    points = (*trace.points, (max(end, last), held)) if len(trace.points) == 1 else trace.points
    return [
        {"x": time, "y": _at(panel, value, top), "i": index, "g": number} for index, (time, value) in enumerate(points)
    ]


def _panel_words(panel: Panel, top: float, first: float, *, unit: float, width: float) -> list[Row]:
    """Quantity and values of both sides in one line above the panel."""
    words = [(panel.title, INK2, "normal"), *((trace.text, COLOURS[trace.side], "bold") for trace in panel.traces)]
    room = (width - 12 * (len(words) - 1)) / len(words)
    rows, at = [], 0.0
    for text, color, weight in words:
        shown = canvas.elided(text, max(room, width - at if at else room), weight)
        rows.append(canvas.words((first + at / unit, top - HEAD / 2 - 1), shown, color=color, weight=weight))
        at += canvas.room(shown, weight) + 12
    return rows
