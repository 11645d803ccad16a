"""Two further charts, of the same house as ``charts``: stacked bars of both sides, and a value over time.

Rows in, an Altair chart out. Words and figures arrive as text, values as floats in the unit that is printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from reportgen.report import canvas
from reportgen.report.canvas import AFTER, AFTER_TINTS, BEFORE, BEFORE_TINTS, INK2, LINE, PAPER
from reportgen.report.charts import SIDES, Side

BAR, GAP = 13, 8
"""Height of a bar and the room between two rows, in px."""
PANEL, HEAD = 62, 16
"""Height of a panel and of the line of words above it, in px."""


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


def stacks(rows: Sequence[Stack], *, width: int) -> alt.LayerChart:
    """Stacked bars from zero: BEFORE above AFTER in each row, the words of each right of it.

    Args:
        rows: at least one with a segment above 0.
        width: ``WIDE`` or ``NARROW``.
    """
    column = canvas.column_width([row.name for row in rows], width * 0.3)
    plot = width - column
    scale = _stack_scale(rows, plot)
    step = 2 * BAR + GAP
    x, y = canvas.x_axis(0, plot / scale), canvas.y_axis(0, step * len(rows))
    segments, texts = [], {side: [] for side in SIDES}  # type: list[dict[str, object]], dict[Side, list[dict[str, object]]]
    for index, row in enumerate(rows):
        for side, values, text in (("before", row.before, row.text_before), ("after", row.after, row.text_after)):
            top, at = step * index + GAP / 2 + (BAR if side == "after" else 0), 0.0
            for number, value in enumerate(values):
                end = at + value
                segments.append({"x": at, "x2": end, "y": top + 0.5, "y2": top + BAR - 0.5, "k": f"{side[0]}{number}"})
                at = end
            words = canvas.elided(text, plot * 0.7)
            texts["before" if side == "before" else "after"].append({"x": at, "y": top + BAR / 2, "t": words})
    keys = [f"{side}{index}" for side in "ba" for index in range(3)]
    fill = canvas.colour(dict(zip(keys, BEFORE_TINTS + AFTER_TINTS, strict=True)))
    line = canvas.colour({key: BEFORE if key[0] == "b" else AFTER for key in keys}, stroke=True)
    bars = alt.Chart(canvas.data(segments)).mark_rect(strokeWidth=0.6)
    names = [(step * index + step / 2, canvas.elided(row.name, column - 8)) for index, row in enumerate(rows)]
    layers = [bars.encode(x=x, x2="x2:Q", y=y, y2="y2:Q", color=fill, stroke=line), canvas.column(names, y)]
    layers += [
        canvas.text(texts[side], x, y, dx=5, color=color)
        for side, color in zip(SIDES, (BEFORE, AFTER), strict=True)
        if texts[side]
    ]
    return canvas.layer(layers, width=plot, height=step * len(rows))


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


def over_time(panels: Sequence[Panel], *, axis: str, width: int) -> alt.LayerChart:
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
    x, y = canvas.x_axis(first, last, title=axis), canvas.y_axis(0, height)
    layers: list[alt.Chart] = []
    for index, panel in enumerate(panels):
        top = index * (PANEL + HEAD + 6) + HEAD
        foot = alt.Chart(canvas.data([{"x": first, "x2": last, "y": top + PANEL}]))
        layers.append(foot.mark_rule(color=LINE, strokeWidth=1).encode(x=x, x2="x2:Q", y=y))
        layers += _panel_lines(panel, top, last, x, y)
        layers += _panel_words(panel, top, first, x, y, unit=width / (last - first), width=width)
    return canvas.layer(layers, width=width, height=height)


def _panel_lines(panel: Panel, top: float, last: float, x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """The step lines and the marks of the highest values: a ring for BEFORE, a disc for AFTER."""

    def at(value: float) -> float:
        return top + PANEL * (1 - (value - panel.low) / (panel.high - panel.low))

    layers = []
    for trace in panel.traces:
        color = BEFORE if trace.side == "before" else AFTER
        end, held = trace.points[-1]
        points = (*trace.points, (max(end, last), held)) if len(trace.points) == 1 else trace.points
        line = alt.Chart(canvas.data({"x": time, "y": at(value), "i": number} for number, (time, value)
                                     in enumerate(points)))  # fmt: skip
        layers.append(
            line.mark_line(interpolate="step-after", color=color, strokeWidth=1.5 if trace.side == "after" else 1.1)
            .encode(x=x, y=y, order="i:Q")
        )  # fmt: skip
        time, value = max(trace.points, key=lambda point: point[1])
        mark = alt.Chart(canvas.data([{"x": time, "y": at(value)}]))
        fill = PAPER if trace.side == "before" else color
        drawn = mark.mark_point(filled=False, size=26, opacity=1, strokeWidth=1.4, fill=fill, stroke=color)
        layers.append(drawn.encode(x=x, y=y))
    return layers


def _panel_words(
    panel: Panel, top: float, first: float, x: alt.X, y: alt.Y, *, unit: float, width: float
) -> list[alt.Chart]:
    """Quantity and values of both sides in one line above the panel."""
    words = [(panel.title, INK2, "normal")]
    words += [(trace.text, BEFORE if trace.side == "before" else AFTER, "bold") for trace in panel.traces]
    room = (width - 12 * (len(words) - 1)) / len(words)
    layers, at = [], 0.0
    for text, color, weight in words:
        shown = canvas.elided(text, max(room, width - at if at else room), weight)
        spot = [{"x": first + at / unit, "y": top - HEAD / 2 - 1, "t": shown}]
        layers.append(canvas.text(spot, x, y, color=color, fontWeight=weight))
        at += canvas.room(shown, weight) + 12
    return layers
