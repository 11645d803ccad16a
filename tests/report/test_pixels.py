"""Charts as pictures: marks of given colours at the places that the scale gives for small inputs, computed by hand.

A chart's own offsets are not taken from the code: two marks of known values make the scale, the others are held to it.
"""

from __future__ import annotations

import io
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
import vl_convert as vlc
from numpy.typing import NDArray
from PIL import Image, ImageColor

from reportgen.report import canvas, charts, charts_change, charts_units
from tests.report.test_charts import falls, panel, part, peak, rank_mark, stack

TICK = 1.0
"""How much of its colour a tick has: all of it, where Vega alone would take 0.7."""
ZOOM = 4
"""Pixels of a picture to one of the chart."""
NEAR = 1.0 * ZOOM
"""How far off a place may be: an edge, half in one pixel and half in the next."""
WIDTHS = pytest.mark.parametrize("width", [charts.WIDE, charts.NARROW])
Picture = NDArray[np.int16]
Mask = NDArray[np.bool_]


class Bar(NamedTuple):
    """A stretch of one colour, in pixels of the picture."""

    left: float
    right: float
    top: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


def picture(svg: str) -> Picture:
    """On white paper, which is put into the drawing: see-through colours of a PNG without it are not exact."""
    head, rest = svg.split(">", 1)
    drawn = vlc.svg_to_png(f'{head}><rect width="100%" height="100%" fill="#ffffff"/>{rest}', scale=ZOOM)
    return np.asarray(Image.open(io.BytesIO(drawn)).convert("RGB"), dtype=np.int16)


def drawn(chart: charts.Chart) -> Picture:
    return picture(charts.svg(chart, name="c", title="t"))


def colour(name: str, over_white: float = 1.0) -> tuple[float, ...]:
    """Of a mark that lets the paper through."""
    return tuple(over_white * part + (1 - over_white) * 255 for part in ImageColor.getrgb(name)[:3])


def where(image: Picture, name: str, over_white: float = 1.0) -> Mask:
    return np.asarray(np.abs(image - np.array(colour(name, over_white))).max(axis=2) <= 5)


def runs(line: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """(first, one past the last) of each stretch of True."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], line.astype(np.int8), [0]))))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def bars(mask: Mask, least: float = 8) -> list[Bar]:
    """Stretches at least so many px of the chart wide, from the top down; letters are narrower."""
    longest = [max(runs(line), key=lambda run: run[1] - run[0], default=(0, 0)) for line in mask]
    wide = np.array([right - left >= least * ZOOM for left, right in longest])
    found = []
    for top, bottom in runs(wide):
        start = top
        for before, line in pairwise(range(top, bottom)):  # bars that touch are told apart by their ends
            if max(abs(a - b) for a, b in zip(longest[before], longest[line], strict=True)) > 2 * NEAR:
                found.append(Bar(*longest[(start + line) // 2], start, line))
                start = line
        found.append(Bar(*longest[(start + bottom) // 2], start, bottom))
    return [bar for bar in found if bar.bottom - bar.top > 1]  # one pixel may be a mixture of two other colours


def thickest(mask: Mask, least: float = 8) -> Bar:
    """The bar itself, not its rim nor a rim of another in the same colour."""
    return max(bars(mask, least), key=lambda bar: bar.bottom - bar.top)


def reach(mask: Mask) -> tuple[float, float]:
    """From where to where the line with most of this colour goes, whatever crosses it."""
    across = np.flatnonzero(mask[mask.sum(axis=1).argmax()])
    return float(across[0]), float(across[-1]) + 1


def one(mask: Mask, least: float = 8) -> Bar:
    (found,) = bars(mask, least)
    return found


def upright(mask: Mask) -> float:
    """The place of the upright line of this colour: the column that has most of it."""
    count = mask.sum(axis=0)
    places = np.flatnonzero(count >= 0.9 * count.max())
    return float(places.mean()) + 0.5


def spots(mask: Mask) -> list[Bar]:
    """Discs and rings of this colour, one a line, from the top down."""
    found = []
    for top, bottom in runs(mask.any(axis=1)):
        across = np.flatnonzero(mask[top:bottom].any(axis=0))
        found.append(Bar(float(across[0]), float(across[-1]) + 1, top, bottom))
    return [spot for spot in found if spot.bottom - spot.top > 2 * ZOOM]


def near(one: float, other: float) -> bool:
    return abs(one - other) <= NEAR


# ------------------------------------------------------------------------------------------- the instruments
def test_the_measures_see_what_is_there() -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" width="40" height="20">'
        '<rect x="5" y="2" width="20" height="4" fill="#0072b2"/>'
        '<rect x="5" y="6" width="10" height="4" fill="#0072b2"/>'
        '<circle cx="30" cy="15" r="3" fill="#c75b1e"/><path d="M10 0V20" stroke="#1a1d21"/></svg>'
    )
    image = picture(svg)
    assert [(b.left, b.right) for b in bars(where(image, "#0072b2"))] == [(42, 100)]  # the line parts the rest
    (spot,) = spots(where(image, "#c75b1e"))
    assert near(spot.middle[0], 120)
    assert near(spot.middle[1], 60)
    assert near(upright(where(image, "#1a1d21")), 40)


# ------------------------------------------------------------------------------------------- one test a chart
@WIDTHS
def test_the_limit_of_the_steps_stands_where_the_scale_has_it(width: int) -> None:
    rows = [
        charts.StripRow(
            side="before", values=(220.0,), middle=220.0, label="", low=None, high=None, text="", strong=False
        ),
        charts.StripRow(
            side="after", values=(140.0, 165.0), middle=140.0, label="", low=None, high=None, text="", strong=False
        ),
    ]
    image = drawn(charts.step_strip(rows, limit=200, limit_label="", axis="ms", width=width))
    after, before = (upright(where(image, name, TICK)) for name in (charts.AFTER, charts.BEFORE))
    assert near(upright(where(image, charts.LIMIT)), after + (before - after) * 0.75)  # (200 - 140) / (220 - 140)
    dot = after + (before - after) * 25 / 80  # the step of 165
    tick = np.flatnonzero(where(image, charts.AFTER, TICK)[:, int(after)])
    middle = int(tick.mean()) - 11 * ZOOM  # dots stand 11 px above the tick of their row
    assert np.abs(image[middle, int(dot)] - colour(charts.AFTER, 0.62)).max() <= 10
    assert np.abs(image[middle, int(after)] - colour(charts.AFTER, 0.62)).max() <= 10


def test_the_strip_of_a_table_cell() -> None:
    image = picture(charts.spark([10, 12], [4, 6], limit=8, domain=(0, 16), title="t"))
    # 4 px of margin, 104 px for 0 to 16, so 6.5 px to the unit: 8 at 56, 4 at 30, 6 at 43, 10 at 69, 12 at 82
    assert near(upright(where(image, charts.LIMIT)), 56 * ZOOM)
    for at in (30, 43):
        assert np.abs(image[int(15.5 * ZOOM), at * ZOOM] - colour(charts.AFTER, 0.6)).max() <= 10
    for at in (69, 82):
        assert image[int(6.5 * ZOOM), at * ZOOM].min() > 245  # a ring
        assert image[int(6.5 * ZOOM), (at + 2) * ZOOM].max() < 150


@WIDTHS
def test_parts_of_a_step_are_as_long_as_they_took_and_begin_where_their_ghosts_do(width: int) -> None:
    parts = (part("a", 100, 100), part("b", 50, 25), part("c", 50, 25))
    image = drawn(charts.breakdown(parts, totals=("x", "y"), width=width))
    ghosts = [thickest(where(image, tint)) for tint in canvas.BEFORE_TINTS]
    bars_ = [thickest(where(image, tint)) for tint in canvas.AFTER_TINTS]
    unit = ghosts[0].width / 100
    assert near(ghosts[1].width, 50 * unit)
    assert near(ghosts[2].width, 50 * unit)
    assert near(bars_[0].left, ghosts[0].left)
    assert abs(bars_[0].width - 100 * unit) <= 2 * NEAR  # its rim has its own colour
    assert near(bars_[1].width, 25 * unit)
    assert near(bars_[2].width, 25 * unit)
    assert near(bars_[2].right, ghosts[0].left + 150 * unit)


@WIDTHS
def test_the_waterfall_falls_from_where_the_bar_before_it_ended(width: int) -> None:
    image = drawn(charts_change.waterfall(falls(("a", -100.0), ("b", 50.0), start=400.0), width=width))
    whole = one(where(image, canvas.BEFORE_TINTS[0]))
    unit = whole.width / 400
    for tint, start, end in ((canvas.LESS, 300, 400), (canvas.MORE, 300, 350), (canvas.AFTER, 0, 350)):
        bar = one(where(image, tint))
        assert near(bar.left, whole.left + start * unit)
        assert near(bar.right, whole.left + end * unit)
        assert bar.top > whole.bottom


@WIDTHS
def test_movers_are_as_long_as_their_change_on_either_side_of_zero(width: int) -> None:
    rows = [charts.Mover(name=f"k{n}", delta=delta, label="x") for n, delta in enumerate((-4.0, 8.0, 2.0))]
    image = drawn(charts.movers(rows, width=width))
    less = one(where(image, canvas.LESS))
    twice, half = bars(where(image, canvas.MORE))
    assert near(twice.width, 2 * less.width)
    assert near(half.width, less.width / 2)
    assert near(less.right, twice.left)
    assert near(twice.left, half.left)
    assert less.bottom <= twice.top
    assert twice.bottom <= half.top


@WIDTHS
def test_peaks_of_memory_stand_in_the_outline_of_before_with_their_limit(width: int) -> None:
    image = drawn(charts.memory([peak("reserved", 40.0, 20.0, 30.0)], width=width))
    bar, outline = one(where(image, charts.AFTER)), where(image, charts.BEFORE)
    left, right = reach(outline)
    assert near(left, bar.left)
    assert abs(right - left - 2 * bar.width) <= 2 * NEAR
    assert near(upright(where(image, charts.LIMIT, TICK)), bar.left + 1.5 * bar.width)
    lines = np.flatnonzero(outline.sum(axis=1) > bar.width)
    assert lines[0] < bar.top < bar.bottom < lines[-1]


@WIDTHS
def test_memory_over_time_rises_when_and_as_far_as_it_was_recorded(width: int) -> None:
    # AFTER: 0 up to 10 s, then 20; BEFORE: 40 throughout, which is the top of the panel
    before, after = ((0.0, 40.0), (20.0, 40.0)), ((0.0, 0.0), (10.0, 20.0), (20.0, 20.0))
    shown = panel(("before", before), ("after", after))
    shown = charts_units.Panel(title="", traces=shown.traces, low=0, high=40)
    image = drawn(charts_units.over_time([shown], axis="s", width=width))
    top = max(bars(where(image, charts.BEFORE), 100), key=lambda bar: bar.width)
    later, first = bars(where(image, charts.AFTER), 100)
    assert abs((first.right + later.left) / 2 - (first.left + later.right) / 2) <= 2 * NEAR
    assert near(later.middle[1], (top.middle[1] + first.middle[1]) / 2)
    assert near(first.middle[1] - top.middle[1], charts_units.PANEL * ZOOM)


@WIDTHS
def test_a_clock_that_fell_is_drawn_between_the_ends_of_its_panel(width: int) -> None:
    # from 1800 MHz to 1575 at a quarter of the time; the foot of the panel is 1500, so a quarter above it
    trace = charts_units.Trace(side="after", points=((0, 1800.0), (5, 1575.0), (20, 1575.0)), text="")
    fell = charts_units.Panel(title="", traces=(trace,), low=1500, high=1800)
    image = drawn(charts_units.over_time([fell], axis="s", width=width))
    high, low = bars(where(image, charts.AFTER), 60)
    foot = max(bars(where(image, canvas.LINE), 20), key=lambda bar: bar.top)
    fall = (high.right + low.left) / 2
    assert abs(fall - (low.right - 0.75 * width * ZOOM)) <= 2 * NEAR  # the plot is as wide as the chart
    assert near(low.middle[1], foot.middle[1] - 0.25 * (foot.middle[1] - high.middle[1]))


@WIDTHS
def test_ranks_are_spread_as_their_values_are(width: int) -> None:
    rows = [rank_mark(0, 400, 300), rank_mark(1, 350, 320)]
    image = drawn(charts_change.rank_spread(rows, axis="ms", width=width))
    discs, rings = spots(where(image, canvas.AFTER)), spots(where(image, canvas.BEFORE))
    first, second = (disc.middle[0] for disc in discs)
    last, ring = (ring.middle[0] for ring in rings)
    assert near(second, first + (last - first) * 0.2)  # (320 - 300) / (400 - 300)
    assert near(ring, first + (last - first) * 0.5)
    assert near(discs[1].middle[1], rings[1].middle[1])


@WIDTHS
def test_values_stand_in_the_bands_of_their_rule(width: int) -> None:
    stretches = (
        charts.Stretch(low=0, high=10, tone="within_reference", text="a"),
        charts.Stretch(low=10, high=20, tone="no_statement", text="b"),
        charts.Stretch(low=20, high=None, tone="needs_attention", text="c"),
    )
    track = charts.Track(title="t", stretches=stretches, before=5, after=15, text_before="", text_after="")
    image = drawn(charts.bands([track], width=width))
    disc, ring = spots(where(image, canvas.AFTER))[0], spots(where(image, canvas.BEFORE))[0]
    band = image[int(disc.top) : int(disc.bottom)]
    left, ten = reach(where(band, charts.TONES["fine"]))
    twenty, right, *_ = thickest(where(band, charts.TONES["attention"]))
    unit = (twenty - left) / 20
    assert near(ten, left + 10 * unit)
    assert near(right, left + 30 * unit)  # half as far again as the last border
    assert near(disc.middle[0], left + 15 * unit)
    assert near(ring.middle[0], left + 5 * unit)


@WIDTHS
def test_stacked_bars_are_as_long_as_their_segments(width: int) -> None:
    image = drawn(charts_units.stacks([stack("abc", (10.0, 5.0), (20.0, 10.0))], width=width))
    grey, light = (one(where(image, tint)) for tint in canvas.BEFORE_TINTS[:2])
    blue, pale = (thickest(where(image, tint)) for tint in canvas.AFTER_TINTS[:2])
    assert near(light.width * 2, grey.width)
    assert abs(blue.width - 2 * grey.width) <= 2 * NEAR
    assert near(pale.width, grey.width)
    assert near(blue.left, grey.left)
    assert blue.top >= grey.bottom - NEAR
