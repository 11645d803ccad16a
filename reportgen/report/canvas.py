"""What all charts share: colours, the house theme, inline SVG, and the layers that charts are made of.

``screen.css`` maps each colour to one for dark screens, so that no second drawing is needed; a test holds both
together. Ids come from a counter of the process in Vega: they are renamed, so that a chart is the same each time and no
two of a page share one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from html import escape
from typing import Any, cast

import altair as alt
import pandas as pd
import vl_convert as vlc

from reportgen.report import fonts

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

Rows = Iterable[Mapping[str, object]]
"""Rows of a chart's data."""


# ------------------------------------------------------------------------------------------- theme and output
def svg(chart: alt.LayerChart, *, name: str, title: str) -> str:
    """Inline SVG of a chart: it scales, its title states the finding, its ids are its own.

    Args:
        chart: what a function of ``charts`` returned.
        name: letters, digits and hyphens; no two charts of a document share it.
        title: the finding in one sentence.
    """
    out = _drawn(json.dumps(_themed(chart), sort_keys=True))
    for index, old in enumerate(dict.fromkeys(re.findall(r'\bid="([^"]+)"', out))):
        out = out.replace(f'id="{old}"', f'id="{name}-{index}"').replace(f"url(#{old})", f"url(#{name}-{index})")
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', out)
    across, down = (float(number) for number in box.groups()) if box else (float(WIDE), float(WIDE))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {across:g} {down:g}"'
        f' font-family="{fonts.FAMILY}" font-size="{SIZE}px"'
        f' style="max-width:{across * GROW:.0f}px"><title>{escape(fonts.visible(title))}</title>'
    )
    return re.sub(r"<svg\b[^>]*>", lambda _: head, out, count=1)


def _themed(chart: alt.LayerChart) -> dict[str, Any]:
    """The Vega-Lite specification with the house theme."""
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
    spec: dict[str, Any] = (
        chart.configure(font=fonts.FAMILY, background="transparent", padding=PADDING)
        .configure_view(stroke=None)
        .configure_axis(**axis)
        .configure_text(font=fonts.FAMILY, fontSize=SIZE, color=INK)
        .to_dict(validate=False)
    )
    return spec


@lru_cache(maxsize=64)
def _drawn(spec: str) -> str:
    """The SVG that Vega draws, with two decimals and without what draws nothing: HTML and PDF share it."""
    _register_fonts()
    out = str(vlc.vegalite_to_svg(spec, allowed_base_urls=[]))
    out = re.sub(r'<path class="(?:foreground|background)" d="(?:|M0,0h0v0h0Z)"[^>]*/>', "", out)
    out = re.sub(r' (?:aria-[a-z]+|role|class|pointer-events)="[^"]*"| opacity="1"', "", out)
    out = re.sub(rf' font-(?:family="{fonts.FAMILY}"|size="{SIZE}px"|weight="normal")', "", out)  # the root has them
    out = re.sub(r'<path d="(?:" display="none|M0,0h0v0h0Z)"/>', "", out)
    out = re.sub(r' transform="translate\(0(?:\.0+)?,0(?:\.0+)?\)"', "", out)
    return re.sub(r"<[a-z][^>]*>", lambda tag: re.sub(r"(\d\.\d\d)\d+", r"\1", tag.group()), _flat(out))


def _flat(drawn: str) -> str:
    """The same without groups that carry no attribute, which draw as what they hold."""
    opened: list[bool] = []

    def kept(tag: re.Match[str]) -> str:
        if tag.group() == "</g>":
            return "</g>" if opened.pop() else ""
        if tag.group().endswith("/>"):
            return ""
        opened.append(tag.group() != "<g>")
        return tag.group() if opened[-1] else ""

    return re.sub(r"<g\b[^>]*>|</g>", kept, drawn)


@cache
def _register_fonts() -> None:
    """Let Vega measure and name the vendored font; once."""
    vlc.register_font_directory(str(fonts.path("normal").parent))


# ------------------------------------------------------------------------------------------- small helpers
def data(rows: Rows) -> pd.DataFrame:
    """Rows as a frame."""
    return pd.DataFrame.from_records([dict(row) for row in rows])


def x_axis(low: float, high: float, *, title: str | None = None) -> alt.X:
    """Column ``x`` from ``low`` to ``high``; an axis with grid lines where there is a title."""
    axis = alt.Axis(grid=True) if title is not None else None
    return alt.X("x:Q", title=title, scale=alt.Scale(domain=[low, high], nice=False, zero=False), axis=axis)


def y_axis(low: float, high: float) -> alt.Y:
    """Column ``y``, px from the top; no axis."""
    return alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[low, high], nice=False, zero=False, reverse=True))


def colour(fills: Mapping[str, str], *, stroke: bool = False) -> alt.Color | alt.Stroke:
    """Column ``k`` by its colour; no legend."""
    scale = alt.Scale(domain=list(fills), range=list(fills.values()))
    return alt.Stroke("k:N", legend=None, scale=scale) if stroke else alt.Color("k:N", legend=None, scale=scale)


def text(rows: Rows, x: alt.X, y: alt.Y, *, align: str = "left", dx: float = 0, **mark: Any) -> alt.Chart:
    """Texts at (x, y): column ``t``."""
    base = alt.Chart(data(rows))
    options: dict[str, Any] = {"align": align, "dx": dx, "baseline": "middle", **mark}
    texts: alt.Chart = base.mark_text(**options).encode(x=x, y=y, text="t:N")
    return texts


def clear_text(rows: Rows, x: alt.X, y: alt.Y, **mark: Any) -> list[alt.Chart]:
    """Texts that stand on lines: under each a rim in the colour of the paper."""
    rows = list(rows)
    rim = {**mark, "color": PAPER, "stroke": PAPER, "strokeWidth": 4, "strokeJoin": "round"}
    return [text(rows, x, y, **rim), text(rows, x, y, **mark)]


def column(labels: Sequence[tuple[float, str]], y: alt.Y, *, weight: str = "normal", color: str = INK) -> alt.Chart:
    """Labels left of the plot, flush right: (y, text)."""
    base = alt.Chart(data({"y": at, "t": text} for at, text in labels))
    options: dict[str, Any] = {"align": "right", "baseline": "middle", "fontWeight": weight, "color": color}
    texts: alt.Chart = base.mark_text(**options).encode(x=alt.value(-8), y=y, text="t:N")
    return texts


def room(text: str, weight: str = "normal") -> float:
    """Room that a text of a chart needs in px: on screen the font may be another, wider one."""
    return fonts.width(text, SIZE, weight, spare=SPARE)


def elided(text: str, limit: float, weight: str = "normal") -> str:
    """The text, or its head and tail when it needs more room than ``limit``."""
    return fonts.elided(text, limit, SIZE, weight, spare=SPARE)


def column_width(labels: Sequence[str], limit: float, weight: str = "normal") -> float:
    """Room that the labels left of a plot take, with their gap."""
    return min(max(room(label, weight) for label in labels), limit) + 8


def layer(charts: Sequence[alt.Chart], *, width: float, height: float) -> alt.LayerChart:
    """The layers on one plot of this size, in px."""
    return cast("alt.LayerChart", alt.layer(*charts).properties(width=width, height=height))
