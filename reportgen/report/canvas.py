"""What all charts share: colours, the house theme, inline SVG, and the layers that charts are made of.

``screen.css`` maps each colour to one for dark screens, so that no second drawing is needed; a test holds both
together. A chart has few layers, each with many marks whose looks are columns of its rows: what a chart costs grows
with its layers. Altair's check of each object against its schema is left to the tests. Ids come from a counter of the
process in Vega: they are renamed, so that a chart is the same each time and no two of a page share one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from html import escape
from typing import Any, Literal

import altair as alt
import vl_convert as vlc
from altair.utils import schemapi

from reportgen.report import fonts, plain_svg

WIDE, NARROW = 640, 340
"""Widths in px at natural size."""
SIZE = 11
"""px; every text on a chart."""
SPARE = 1.16
"""By how much letters may be wider than in the vendored font: on a machine that lacks it, DejaVu Sans is."""
GROW = 1.25
"""A chart may grow to this on a wide screen, so that its text reaches the size of the body."""

PADDING = {"left": 2, "top": 2, "right": 2, "bottom": 3}
"""px around a chart: a letter may reach a little beyond its measured box."""

INK, INK2, INK3 = "#1a1d21", "#4a5058", "#646b73"
LINE, PAPER = "#d5d9dd", "#ffffff"
BEFORE, AFTER, LIMIT = "#6b6b6b", "#0072b2", INK
BEFORE_TINTS = ("#c9cccf", "#dfe1e3", "#f2f3f4")
AFTER_TINTS = ("#0072b2", "#5aa7d3", "#b5d8ec")
LESS, MORE = AFTER_TINTS[1], "#c75b1e"

FOOT = 33
"""px that an axis with its title takes below the plot."""

Row = Mapping[str, object]
"""One mark of a layer: its place ``x``, ``y`` and ``x2``, ``y2``, its colours ``c`` and ``s`` (rim), its text ``t``."""
Chart = alt.TopLevelLayerSpec
"""A chart, as Altair's own object."""


# ------------------------------------------------------------------------------------------- theme and output
def svg(chart: Chart, *, name: str, title: str) -> str:
    """Inline SVG of a chart: it scales, its title states the finding, its ids are its own.

    Args:
        chart: what a function of ``charts`` returned.
        name: letters, digits and hyphens; no two charts of a document share it.
        title: the finding in one sentence.
    """
    out = _drawn(json.dumps(chart.to_dict(validate=False), sort_keys=True))
    for index, old in enumerate(dict.fromkeys(re.findall(r'\bid="([^"]+)"', out))):
        out = out.replace(f'id="{old}"', f'id="{name}-{index}"').replace(f"url(#{old})", f"url(#{name}-{index})")
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', out)
    across, down = (float(number) for number in box.groups()) if box else (float(WIDE), float(WIDE))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {round(across, 1):g} {round(down, 1):g}"'
        f' font-family="{fonts.FAMILY}" font-size="{SIZE}px"'
        f' style="max-width:{across * GROW:.0f}px"><title>{escape(fonts.visible(title))}</title>'
    )
    return re.sub(r"<svg\b[^>]*>", lambda _: head, out, count=1)


def tall(chart: Chart) -> float:
    """Height of the drawing in px, without drawing it."""
    foot = FOOT if chart["encoding"]["x"]["axis"] else 0
    return float(chart["height"]) + PADDING["top"] + PADDING["bottom"] + foot


@cache
def _theme() -> dict[str, Any]:
    """The house theme as Vega-Lite's configuration."""
    axis = {
        "labelFont": fonts.FAMILY,
        "titleFont": fonts.FAMILY,
        "labelFontSize": SIZE,
        "titleFontSize": SIZE,
        "titleFontWeight": "normal",
        "labelColor": INK2,
        "titleColor": INK2,
        "gridColor": LINE,
        "gridWidth": 0.6,
        "domain": False,
        "ticks": False,
        "labelPadding": 5,
        "titlePadding": 4,
        "tickCount": 6,
        "labelBound": 10,
    }
    return {
        "aria": False,
        "axis": axis,
        "background": "transparent",
        "font": fonts.FAMILY,
        "padding": PADDING,
        "text": {"font": fonts.FAMILY, "fontSize": SIZE, "color": INK},
        "view": {"stroke": None},
    }


@lru_cache(maxsize=64)
def _drawn(spec: str) -> str:
    """The SVG that Vega draws, in few bytes: HTML and PDF share it."""
    _register_fonts()
    return plain_svg.plain(str(vlc.vegalite_to_svg(spec, allowed_base_urls=[])), size=SIZE)


@cache
def _register_fonts() -> None:
    """Let Vega measure and name the vendored font; once."""
    vlc.register_font_directory(str(fonts.path("normal").parent))


# ------------------------------------------------------------------------------------------- layers
Mark = Literal["rect", "rule", "point", "circle", "tick", "line", "text"]
"""Kinds of marks."""
CHANNELS: dict[str, tuple[str, dict[str, Any]]] = {
    "x2": ("x2", {}),
    "y2": ("y2", {}),
    "c": ("color", {"type": "nominal", "scale": None}),
    "s": ("stroke", {"type": "nominal", "scale": None}),
    "t": ("text", {"type": "nominal"}),
    "i": ("order", {"type": "quantitative"}),
    "g": ("detail", {"type": "nominal"}),
}
"""Column of the rows -> channel, and how it is read: colours as they are."""
LOOKS = {"align": "align", "dx": "dx", "weight": "fontWeight"}
"""Column of the rows -> property of a text."""


@schemapi.debug_mode(arg=False)
def marks(kind: Mark, rows: Sequence[Row], **look: Any) -> alt.UnitSpec:
    """A layer with one mark for each row.

    Args:
        kind: kind of the marks.
        rows: at least one; all with the same columns (``CHANNELS``, ``LOOKS``).
        look: properties of all marks.
    """
    by_row: dict[str, Any] = {name: {"expr": f"datum.{column}"} for column, name in LOOKS.items() if column in rows[0]}
    encoding = {channel: {"field": column, **how} for column, (channel, how) in CHANNELS.items() if column in rows[0]}
    drawn = alt.MarkDef(type=kind, **look, **by_row)
    return alt.UnitSpec(data=alt.InlineData(values=list(rows)), mark=drawn, encoding=alt.Encoding(**encoding))


def words(
    at: tuple[float, float],
    text: str,
    *,
    align: Literal["left", "center", "right"] = "left",
    dx: float = 0,
    color: str = INK,
    weight: str = "normal",
) -> Row:
    """A text at (x, y), moved right by ``dx`` px: a row of ``texts``."""
    return {"x": at[0], "y": at[1], "t": text, "align": align, "dx": dx, "c": color, "weight": weight}


def texts(rows: Sequence[Row]) -> alt.UnitSpec:
    """A layer of texts, as ``words`` gives them; at least one."""
    return marks("text", rows, baseline="middle")


def rims(rows: Sequence[Row]) -> alt.UnitSpec:
    """Under texts that stand on lines: a rim in the colour of the paper."""
    plain = [{**row, "c": PAPER} for row in rows]
    return marks("text", plain, baseline="middle", stroke=PAPER, strokeWidth=4, strokeJoin="round")


@schemapi.debug_mode(arg=False)
def plot(
    layers: Sequence[alt.UnitSpec],
    *,
    across: tuple[float, float],
    down: tuple[float, float],
    size: tuple[float, float],
    axis: str | None = None,
) -> Chart:
    """A chart of these layers.

    Args:
        layers: the lowest first.
        across: values of ``x`` at the left and the right edge.
        down: values of ``y`` at the top and the bottom, mostly px.
        size: width and height of the plot in px.
        axis: title of the axis below the plot, with grid lines; None: no axis.
    """
    return alt.TopLevelLayerSpec(
        layer=list(layers),
        encoding={
            "x": {**_place("x", across), "axis": None if axis is None else {"grid": True}, "title": axis},
            "y": {**_place("y", down, reverse=True), "axis": None},
        },
        width=size[0],
        height=size[1],
        config=_theme(),
    )


def _place(column: str, ends: tuple[float, float], **more: bool) -> dict[str, Any]:
    """A column as a place between two ends."""
    scale = {"domain": list(ends), "nice": False, "zero": False, **more}
    return {"field": column, "type": "quantitative", "scale": scale}


# ------------------------------------------------------------------------------------------- small helpers
def room(text: str, weight: str = "normal") -> float:
    """Room that a text of a chart needs in px: on screen the font may be another, wider one."""
    return fonts.width(text, SIZE, weight, spare=SPARE)


def elided(text: str, limit: float, weight: str = "normal") -> str:
    """The text, or its head and tail when it needs more room than ``limit``."""
    return fonts.elided(text, limit, SIZE, weight, spare=SPARE)


def column_width(labels: Sequence[str], limit: float, weight: str = "normal") -> float:
    """Room that the labels left of a plot take, with their gap."""
    return min(max(room(label, weight) for label in labels), limit) + 8
