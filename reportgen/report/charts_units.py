"""Two further charts, of the same house as ``charts``: stacked bars of both sides, and a value over time.

Rows in, a drawing out. Words and figures arrive as text, values as floats in the unit that is printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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


def stacks(rows: Sequence[Stack], *, width: int) -> canvas.Drawing:
    """Stacked bars from zero: BEFORE above AFTER in each row, the words of each right of it.

    Args:
        rows: at least one with a segment above 0.
        width: ``WIDE`` or ``NARROW``.
    """
    column = canvas.column_width([row.name for row in rows], width * 0.3)
    plot = width - column
    scale = _stack_scale(rows, plot)
    step = 2 * BAR + GAP
    segments: list[canvas.Shape] = []
    texts: dict[Side, list[canvas.Shape]] = {side: [] for side in SIDES}
    for index, row in enumerate(rows):
        top = step * index + GAP / 2
        segments += _stack_bar(row.before, BEFORE_TINTS, top, scale=scale, line=BEFORE)
        segments += _stack_bar(row.after, AFTER_TINTS, top + BAR, scale=scale, line=AFTER)
        for side, values, words, middle in (
            (SIDES[0], row.before, row.text_before, top + BAR / 2),
            (SIDES[1], row.after, row.text_after, top + BAR * 1.5),
        ):
            shown, end = canvas.elided(words, plot * 0.7), (sum(values) * scale, middle)
            texts[side].append(canvas.text(end, shown, dx=5, color=canvas.side_color(side)))
    names = canvas.column(
        (step * index + step / 2, canvas.elided(row.name, column - 8)) for index, row in enumerate(rows)
    )
    return canvas.Drawing(shapes=(*segments, *names, *texts["before"], *texts["after"]))


def _stack_bar(
    values: Sequence[float], tints: Sequence[str], top: float, *, scale: float, line: str
) -> list[canvas.Shape]:
    """The segments of a bar, one behind the other."""
    found, at = [], 0.0
    for value, fill in zip(values, tints, strict=False):
        across = (at * scale, (at + value) * scale)
        found.append(canvas.rect(across, (top + 0.5, top + BAR - 0.5), fill=fill, stroke=line, width=0.6))
        at += value
    return found


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


def over_time(panels: Sequence[Panel], *, axis: str, width: int) -> canvas.Drawing:
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
    x = canvas.Scale(low=first, high=last, size=width)
    shapes = canvas.axis(x, foot=height, title=axis)
    for index, panel in enumerate(panels):
        top = index * (PANEL + HEAD + 6) + HEAD
        shapes.append(canvas.rule((0, top + PANEL), (width, top + PANEL), color=LINE, width=1))
        shapes += _panel_lines(panel, top, last, x)
        shapes += _panel_words(panel, top, width=width)
    return canvas.Drawing(shapes=tuple(shapes))


def _panel_lines(panel: Panel, top: float, last: float, x: canvas.Scale) -> list[canvas.Shape]:
    """The step lines and the marks of the highest values: a ring for BEFORE, a disc for AFTER."""
    y = canvas.Scale(low=panel.high, high=panel.low, size=PANEL)
    shapes = []
    for trace in panel.traces:
        color = canvas.side_color(trace.side)
        end, held = trace.points[-1]
        points = (*trace.points, (max(end, last), held)) if len(trace.points) == 1 else trace.points
        line = [(x.at(time), top + y.at(value)) for time, value in points]
        shapes.append(canvas.stairs(line, color=color, width=1.5 if trace.side == "after" else 1.1))
        time, value = max(trace.points, key=lambda point: point[1])
        fill = PAPER if trace.side == "before" else color
        shapes.append(canvas.dot((x.at(time), top + y.at(value)), radius=2.5, fill=fill, stroke=color, width=1.4))
    return shapes


def _panel_words(panel: Panel, top: float, *, width: float) -> list[canvas.Shape]:
    """Quantity and values of both sides in one line above the panel."""
    words = [(panel.title, INK2, "normal")]
    words += [(trace.text, canvas.side_color(trace.side), "bold") for trace in panel.traces]
    room = (width - 12 * (len(words) - 1)) / len(words)
    shapes, at = [], 0.0
    for text, color, weight in words:
        shown = canvas.elided(text, max(room, width - at if at else room), weight)
        shapes.append(canvas.text((at, top - HEAD / 2 - 1), shown, color=color, weight=weight))
        at += canvas.room(shown, weight) + 12
    return shapes
