from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from xml.etree import ElementTree as ET

import altair as alt
import pytest

from reportgen.report import canvas, charts, charts_change, charts_units
from reportgen.resources import templates_dir

LONG = "AscendC_FusedVeryLongOperatorNameWithSuffix_0123456789_high_performance"
WIDTHS = (charts.WIDE, charts.WIDE - 78, charts.NARROW)


def strip_row(side: charts.Side, *values: float, interval: bool = True) -> charts.StripRow:
    middle = sorted(values)[len(values) // 2]
    return charts.StripRow(
        side=side,
        label=f"{side.upper()} rank 3",
        values=values,
        middle=middle,
        low=middle * 0.99 if interval else None,
        high=middle * 1.01 if interval else None,
        text=f"{middle:.1f} ms [1, 2]" if interval else f"{middle} µs",
        strong=side == "after",
    )


def part(name: str, before: float, after: float) -> charts.Part:
    return charts.Part(name=name, before=before, after=after, text_before=f"{before:g}", text_after=f"{after:g}")


def peak(name: str, before: float | None, after: float | None, limit: float | None = None) -> charts.Peak:
    return charts.Peak(name=name, before=before, after=after, limit=limit, label=f"{before} → {after} GiB")


STRETCHES = (
    charts.Stretch(low=0, high=10, tone="within_reference", text="reference ≤10%"),
    charts.Stretch(low=10, high=20, tone="no_statement", text="no official statement"),
    charts.Stretch(low=20, high=None, tone="needs_attention", text="needs attention >20%"),
)


def track(before: float | None, after: float | None) -> charts.Track:
    return charts.Track(
        title=f"free share | {LONG}",
        stretches=STRETCHES,
        before=before,
        after=after,
        text_before="" if before is None else f"{before}%",
        text_after="" if after is None else f"{after}%",
    )


MOVERS = (
    charts.Mover(name="Mul", delta=-4.1, label="changed −4.1 ms, 1,032 → 629 calls"),
    charts.Mover(name=LONG, delta=0.9, label="added +0.9 ms, 0 → 12 calls"),
    charts.Mover(name="RmsNorm", delta=4.6, label="added +4.6 ms, 0 → 113 calls"),
)
PARTS = (part("computing", 138.5, 137.1), part("communication not overlapped", 61.2, 19.4), part("free", 30.4, 3.9))


def stack(name: str, before: tuple[float, ...], after: tuple[float, ...]) -> charts_units.Stack:
    return charts_units.Stack(name=name, before=before, after=after, text_before=f"{sum(before):g}, waited 3",
                              text_after=f"{sum(after):g}, waited 1")  # fmt: skip


def panel(*sides: tuple[charts.Side, tuple[tuple[float, float], ...]]) -> charts_units.Panel:
    traces = tuple(charts_units.Trace(side=side, points=points, text=f"{side} 53.00 GiB") for side, points in sides)
    return charts_units.Panel(title="reserved", traces=traces, low=0.0, high=53.0)


def falls(*parts: tuple[str, float], start: float = 515.4) -> list[charts_change.Fall]:
    """BEFORE, parts one after the other, AFTER."""
    found = [charts_change.Fall(name="BEFORE", start=0, end=start, text=f"{start:g} ms", kind="before")]
    at = start
    for name, delta in parts:
        found.append(charts_change.Fall(name=name, start=at, end=at + delta, text=f"{delta:+g} ms", kind="part"))
        at += delta
    return [*found, charts_change.Fall(name="AFTER", start=0, end=at, text=f"{at:g} ms", kind="after")]


def rank_mark(number: int, before: float, after: float) -> charts_change.RankMark:
    return charts_change.RankMark(name=f"rank {number}", before=before, after=after,
                                  text=f"{before:g} → {after:g}", strong=number == 0)  # fmt: skip


RISE = tuple((step / 10, min(step, 5) * 10.0) for step in range(20))
CHARTS: dict[str, Callable[[int], charts.Chart]] = {
    "strip": lambda width: charts.step_strip(
        [strip_row("before", 230.0, 231.0, 229.0), strip_row("after", 160.0, 161.0, 159.0)],
        limit=170,
        limit_label="limit 170 ms",
        axis="step time (ms)",
        width=width,
    ),
    "strip of one value, no limit": lambda width: charts.step_strip(
        [strip_row("before", 19.188, interval=False), strip_row("after", 34.23, interval=False)],
        limit=None,
        limit_label="",
        axis="step time (µs)",
        width=width,
    ),
    "strip of equal values": lambda width: charts.step_strip(
        [strip_row("before", 0.0, interval=False), strip_row("after", 0.0, interval=False)],
        limit=0.0,
        limit_label="limit 0",
        axis="x",
        width=width,
    ),
    "strip of one side": lambda width: charts.step_strip(
        [strip_row("after", 1e9, 1e9 + 1)], limit=1e12, limit_label="limit", axis="x", width=width
    ),
    "breakdown": lambda width: charts.breakdown(PARTS, totals=("BEFORE 230.1 ms", "AFTER 160.4 ms"), width=width),
    "breakdown, nearly nothing before": lambda width: charts.breakdown(
        (part("computing", 0.002, 137.1), part("unhidden", 0.0, 1.4), part("free", 1e-9, 400)),
        totals=("BEFORE 0.002 ms", "AFTER 538.5 ms"),
        width=width,
    ),
    "movers": lambda width: charts.movers(MOVERS, width=width),
    "one mover": lambda width: charts.movers(MOVERS[:1], width=width),
    "movers that differ by powers of ten": lambda width: charts.movers(
        [charts.Mover(name="a", delta=-1e-9, label="l" * 200), charts.Mover(name="b", delta=1e9, label="m" * 200)],
        width=width,
    ),
    "memory": lambda width: charts.memory(
        [peak("APP", 51.8, 54.9, 56.0), peak(LONG, None, 57.3), peak("GE", 0.0, 0.0)], width=width
    ),
    "memory of one side": lambda width: charts.memory([peak("APP", None, 1e-6)], width=width),
    "stacks": lambda width: charts_units.stacks(
        [stack("all", (14.1, 31.0, 9.4), (13.9, 2.9, 1.7)), stack(LONG, (0.3, 0.0, 0.1), (0.3, 0.05, 0.02))],
        width=width,
    ),
    "stacks of one side": lambda width: charts_units.stacks([stack("hcom_", (), (1e-9, 0.0, 0.0))], width=width),
    "over time": lambda width: charts_units.over_time(
        [panel(("before", RISE), ("after", RISE[3:])), panel(("after", RISE))], axis="time (s)", width=width
    ),
    "over time, one record": lambda width: charts_units.over_time(
        [panel(("before", ((0.0, 53.0),)))], axis="time (s)", width=width
    ),
    "waterfall": lambda width: charts_change.waterfall(
        falls(("computing time", 14.4), ("communication not overlapped", -75.7), ("free time", -43.4)), width=width
    ),
    "waterfall to nearly nothing": lambda width: charts_change.waterfall(
        falls((LONG, -0.0019), ("free", 1e-9), start=0.002), width=width
    ),
    "waterfall through nothing": lambda width: charts_change.waterfall(
        falls(("computing", -600.0), ("free", 700.0)), width=width
    ),
    "ranks": lambda width: charts_change.rank_spread(
        [rank_mark(n, 515.4 - n, 410.7 - n) for n in range(12)], axis="mean step (ms)", width=width
    ),
    "ranks all alike": lambda width: charts_change.rank_spread(
        [rank_mark(n, 5.0, 5.0) for n in range(2)], axis="mean step (ms)", width=width
    ),
    "bands": lambda width: charts.bands([track(26.6, 12.1), track(12.2, 12.1), track(None, 99.9)], width=width),
}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_keeps_to_its_width_and_fetches_nothing(name: str, width: int) -> None:
    drawn = canvas.svg(CHARTS[name](width), name="c", title="finding")
    root = ET.fromstring(drawn)
    across = float(root.attrib["viewBox"].split()[2])
    assert across <= width + 12, across
    assert "NaN" not in drawn
    assert not re.findall(r'(?:href|src)="', drawn)
    assert "Gradient" not in drawn
    assert "<script" not in drawn


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", CHARTS)
def test_the_height_of_a_chart_is_known_before_it_is_drawn(name: str, width: int) -> None:
    drawn = ET.fromstring(canvas.svg(CHARTS[name](width), name="c", title="t"))
    assert canvas.tall(CHARTS[name](width)) == pytest.approx(float(drawn.attrib["viewBox"].split()[3]), abs=2.5)


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_is_valid_by_the_schema_of_vega_lite(name: str) -> None:
    alt.TopLevelLayerSpec.validate(CHARTS[name](charts.WIDE).to_dict(validate=False))


@pytest.mark.parametrize("name", CHARTS)
def test_the_same_rows_give_the_same_drawing(name: str) -> None:
    first = canvas.svg(CHARTS[name](charts.WIDE), name="c", title="t")
    canvas._drawn.cache_clear()
    assert canvas.svg(CHARTS[name](charts.WIDE), name="c", title="t") == first


def test_ids_belong_to_one_chart() -> None:
    names = [canvas.svg(CHARTS["strip"](charts.WIDE), name=name, title="t") for name in ("one", "two")]
    ids = [set(re.findall(r'\bid="([^"]+)"', drawn)) for drawn in names]
    assert not ids[0] & ids[1]
    for drawn, own in zip(names, ids, strict=True):
        assert set(re.findall(r"url\(#([^)]+)\)", drawn)) <= own


def test_words_stand_as_text() -> None:
    drawn = canvas.svg(CHARTS["strip"](charts.WIDE), name="c", title="BEFORE 230 ms & <AFTER>")
    for words in ("BEFORE rank 3", "AFTER rank 3", "limit 170 ms", "step time (ms)", "160.0 ms [1, 2]"):
        assert f">{words}<" in drawn
    assert "<title>BEFORE 230 ms &amp; &lt;AFTER&gt;</title>" in drawn
    assert drawn.index("<title>") < drawn.index("<g")


def test_long_names_lose_their_middle() -> None:
    drawn = canvas.svg(CHARTS["movers"](charts.WIDE), name="c", title="t")
    assert LONG not in drawn
    assert re.search(r">AscendC_[^<]*\.\.\.[^<]*performance<", drawn)


def test_hostile_names_are_text() -> None:
    rows = [charts.Mover(name='<script>alert(1)</script>"&', delta=1.0, label="</text><script>")]
    drawn = canvas.svg(charts.movers(rows, width=charts.WIDE), name="c", title="</title><script>")
    ET.fromstring(drawn)
    assert "<script" not in drawn


def test_thin_parts_are_listed_beside_the_bar() -> None:
    drawn = canvas.svg(CHARTS["breakdown"](charts.NARROW), name="c", title="t")
    assert ">free 3.9<" in drawn
    assert ">138.5<" in drawn


def rows_of(chart: charts.Chart, mark: str) -> list[list[dict[str, float | str]]]:
    """The data behind each layer with a mark of this kind."""
    layers = [one for one in chart.to_dict(validate=False)["layer"] if one["mark"]["type"] == mark]
    return [one["data"]["values"] for one in layers]


@pytest.mark.parametrize("width", [charts.WIDE, charts.NARROW])
def test_each_bar_of_a_waterfall_begins_where_the_one_above_ends(width: int) -> None:
    # 515.4 + 14.4 = 529.8; - 75.7 = 454.1; - 43.4 = 410.7
    (bars,) = rows_of(CHARTS["waterfall"](width), "rect")
    expected = [(0, 515.4), (515.4, 529.8), (529.8, 454.1), (454.1, 410.7), (0, 410.7)]
    assert [(bar["x"], bar["x2"]) for bar in bars] == [pytest.approx(ends) for ends in expected]
    joins, _zero = rows_of(CHARTS["waterfall"](width), "rule")
    assert [join["x"] for join in joins] == pytest.approx([515.4, 529.8, 454.1, 410.7])


def test_a_waterfall_has_less_in_blue_and_more_in_vermilion() -> None:
    (bars,) = rows_of(CHARTS["waterfall"](charts.WIDE), "rect")
    expected = [canvas.BEFORE_TINTS[0], canvas.MORE, canvas.LESS, canvas.LESS, canvas.AFTER]
    assert [bar["c"] for bar in bars] == expected
    fills = re.findall(r'fill="(#\w+)" stroke=', canvas.svg(CHARTS["waterfall"](charts.WIDE), name="c", title="t"))
    assert fills == expected


def test_every_rank_has_a_ring_and_a_disc_with_its_figures() -> None:
    chart = CHARTS["ranks"](charts.WIDE)
    rings, discs = rows_of(chart, "point")
    assert [ring["x"] for ring in rings] == pytest.approx([515.4 - n for n in range(12)])
    assert [disc["x"] for disc in discs] == pytest.approx([410.7 - n for n in range(12)])
    drawn = canvas.svg(chart, name="c", title="t")
    assert all(f">rank {n}<" in drawn for n in range(12))
    assert ">515.4 → 410.7<" in drawn


def test_values_that_meet_move_apart() -> None:
    drawn = canvas.svg(charts.bands([track(12.2, 12.1)], width=charts.WIDE), name="c", title="t")
    places = {
        text: float(re.search(rf' x="([\d.]+)"[^>]*>{re.escape(text)}<', drawn).group(1))  # type: ignore[union-attr]
        for text in ("12.1%", "12.2%")
    }
    assert places["12.2%"] - places["12.1%"] > 25


@pytest.mark.parametrize("width", WIDTHS)
def test_words_of_bands_never_meet(width: int) -> None:
    chart = charts.bands([track(12.2, 12.1), track(1.0, 39.0)], width=width)
    said = {stretch.text for stretch in STRETCHES}
    words = [row for row in rows_of(chart, "text")[0] if row["t"] in said]
    assert len(words) == 2 * len(STRETCHES)
    for row in words:
        assert row["x"] >= 0
        assert row["x"] + canvas.room(row["t"]) <= width
    for one, other in itertools.combinations(words, 2):
        if one["y"] == other["y"]:
            left, right = sorted((one, other), key=lambda row: row["x"])
            assert left["x"] + canvas.room(left["t"]) < right["x"]


def used(drawn: str) -> set[tuple[str, str]]:
    return {(name, value) for name, value in re.findall(r'\b(fill|stroke)="(#[^"]+)"', drawn)}


def test_every_colour_has_a_rule_for_dark_screens() -> None:
    css = (templates_dir() / "screen.css").read_text(encoding="utf-8")
    dark = css[css.index("@media (prefers-color-scheme:dark)") :]
    dark = dark[: dark.index("\n}")]
    colours = used(charts.spark([1.0, 2.0], [1.5], limit=1.2, domain=(1, 2), title="t"))
    for build in CHARTS.values():
        colours |= used(canvas.svg(build(charts.WIDE), name="c", title="t"))
    assert len(colours) > 10
    lacking = {pair for pair in colours if f'[{pair[0]}="{pair[1]}"]' not in dark}
    assert not lacking


def test_colours_are_lower_case_constants() -> None:
    known = {
        value
        for item in vars(canvas).values()
        for value in (item if isinstance(item, tuple) else (item,))
        if isinstance(value, str) and value.startswith("#")
    } | set(charts.TONES.values())
    for build in CHARTS.values():
        drawn = canvas.svg(build(charts.WIDE), name="c", title="t")
        assert {value for _, value in used(drawn)} <= known


@pytest.mark.parametrize(
    ("before", "after", "limit", "domain"),
    [
        ([1.0], [2.0], None, (1, 2)),
        ([5.0], [5.0], 5.0, (5, 5)),
        ([], [3.0], None, (3, 3)),
        ([1e-9], [1e12], 1.0, (0, 1e12)),
    ],
)
def test_a_spark_stays_in_its_cell(
    before: list[float], after: list[float], limit: float | None, domain: tuple[float, float]
) -> None:
    drawn = charts.spark(before, after, limit=limit, domain=domain, title="<b>")
    root = ET.fromstring(drawn)
    places = [float(node.attrib["cx"]) for node in root if "cx" in node.attrib]
    assert len(places) == len(before) + len(after)
    assert all(0 <= place <= 112 for place in places)
    assert "<b>" not in drawn
