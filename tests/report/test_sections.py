"""The sections on units, collectives, memory, clock and host calls; figures come from ``sample_units``."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from whole_report import whole

from reportgen.model import Missing, MissingKind, Quantity, Reason, Side
from reportgen.report import (
    assured,
    changes,
    figures_units,
    html,
    numbers,
    said_statistics,
    section_captures,
    section_collectives,
    section_gates,
    section_memory,
    section_units,
    wording,
)
from reportgen.report.build import iso_instant
from reportgen.report.document import MetricRow, Number, Report, SeriesRow, row_name
from reportgen.report.translations import Language
from reportgen.report.view import Context
from tests.report import odd_reports
from tests.report.sample_report import sample_report
from tests.report.test_html import DIGEST, Page

NBSP = "\u00a0"


def context(report: Report, edition: str = "screen", language: str = "en") -> Context:
    return Context(
        report=report,
        language=language,
        edition=edition,  # type: ignore[arg-type]
        sections={},
        origins={row.id: row.origin for row in report.origins},
    )


def without(report: Report, *metrics: str, reason: str = "pmu_not_collected", option: str = "") -> Report:
    """The report in which these metrics are missing on both sides."""
    gone = Missing(kind=MissingKind.NOT_COLLECTED, reason=Reason.of(reason),
                   remedy=Reason.of("needs_option", option=option) if option else None)  # fmt: skip

    def bare(row: MetricRow) -> MetricRow:
        sides = {name: replace(getattr(row, name), value=gone, mean=gone, source="", sample=(), labels=())
                 for name in ("before", "after")}  # fmt: skip
        return replace(row, **sides, delta=gone, change=gone)

    rows = tuple(bare(row) if row.metric in metrics else row for row in report.metrics)
    return replace(report, metrics=rows)


def plain(text: str) -> str:
    return text.replace(NBSP, " ")


# ------------------------------------------------------------------------------------------------ data
@pytest.mark.parametrize(
    ("metric", "part", "rank", "device", "name"),
    [
        ("step_time", "", 0, 0, "step_time@rank0"),
        ("peak_reserved", "PTA+GE", 3, 0, "peak_reserved/PTA+GE@rank3"),
        ("kernel_count", "", None, 5, "kernel_count@device5"),
        ("link_size", "HCCS", None, None, "link_size/HCCS"),
    ],
)
def test_a_row_is_named_by_metric_part_and_place(
    metric: str, part: str, rank: int | None, device: int | None, name: str
) -> None:
    assert row_name(metric, part, rank, device) == name


def test_names_are_unique_and_those_of_the_rows() -> None:
    report = sample_report()
    names = [row.name for row in (*report.metrics, *report.operators)]
    assert len(set(names)) == len(names)
    assert all(row.name == row_name(row.metric, row.part, row.rank, row.device) for row in report.metrics)


def test_a_side_says_what_kind_of_file_it_was_measured_from() -> None:
    rows = {row.name: row for row in sample_report().metrics}
    assert rows["step_time@rank0"].after.source == "csv"
    assert rows["collective_wait@rank0"].after.source == "json"
    assert rows["module_peak_reserved@rank0"].after.source == ""  # no value, no file


def test_the_instant_of_a_peak_is_exact() -> None:
    # 1_792_490_401 s is 2026-10-20T10:00:01Z: sample_report's day of 1_792_490_400 s and one second
    instant = Quantity(value=1_792_490_401 * 10**9 + 250, unit="ns")
    assert iso_instant(instant) == "2026-10-20T10:00:01.000000250Z"
    assert iso_instant(None) == ""
    rows = {row.name: row for row in sample_report().metrics}
    assert rows["peak_reserved/APP@rank0"].before.at == "2026-10-20T10:00:01.000000250Z"
    assert rows["step_time@rank0"].before.at == ""


def test_series_keep_every_value_exactly_and_reach_their_table() -> None:
    report = sample_report()
    first = report.series[0]
    assert (first.id, first.side, first.part, first.rank, first.unit) == (
        "memory_allocated",
        Side.BEFORE,
        "APP",
        0,
        "B",
    )
    assert len(first.times) == len(first.values) == 40
    assert first.recorded == 160
    # 50 GiB x 9 / 10, a tenth of it after one step
    assert (first.times[:2], first.values[1]) == (("-100000000", "-50000000"), str(50 * 1024**3 * 9 // 10 // 10))
    known = {row.id for row in report.origins}
    assert all(set(row.origins) <= known and row.origins for row in report.series)


# ------------------------------------------------------------------------------------------------ busy units
def test_busy_units_show_what_each_is_made_of() -> None:
    lines = {line.line.row.name: line for line in section_units.busy(context(sample_report())).lines}
    ratio = lines["aic_mte2_ratio@rank0"]
    assert plain(ratio.over[0]) == "63.34 / 96.00 s"  # 63_341 ms / 96_000 ms
    assert ratio.basis == "time-weighted"
    assert lines["memory_bound@rank0"].line.before.text == "1.537"  # 63_341 / 41_200: a quotient, above 1
    assert lines["memory_bound@rank0"].line.unit == "1"
    assert lines["cube_utilization_task@rank0"].line.unit == "%"


def test_bars_of_busy_units_leave_the_quotient_out_and_say_the_finding() -> None:
    figure = figures_units.busy(context(sample_report()), section_units.BUSY)
    title = re.search(r"<title>(.*?)</title>", figure.wide)
    assert title is not None
    assert "aic_mac_ratio 0.429 → 0.469" in title[1]
    assert "memory_bound" not in figure.wide


def test_a_section_with_nothing_says_what_would_supply_it() -> None:
    report = without(sample_report(), *section_units.BUSY, option="--aic-metrics=PipeUtilization")
    section = section_units.busy(context(report))
    assert section.lacking == (
        (
            "BEFORE and AFTER: not collected. AI Core metrics were not collected."
            " Capture again with --aic-metrics=PipeUtilization."
        ),
    )
    assert not section.lines
    assert not section.figure.wide


def test_a_section_without_any_row_says_so_in_one_line() -> None:
    report = replace(sample_report(), series=())
    report = replace(report, metrics=tuple(row for row in report.metrics if row.metric == "step_time"))
    for edition in ("screen", "paper"):
        text = html.document(report, language="en", digest=DIGEST, edition=edition)  # type: ignore[arg-type]
        for sentence in ("No busy unit was measured.", "No collective was measured.", "No clock was measured.",
                         "No host call was measured.", "No memory was recorded on either side."):  # fmt: skip
            assert text.count(sentence) == 1


def test_the_kinds_of_files_are_named() -> None:
    report = sample_report()
    rows = [row for row in report.metrics if row.metric == "aic_mac_ratio"]
    assert section_units.busy(context(report)).measured == "Measured from csv tables."
    assert section_units.busy(context(report, language="zh")).measured == "取自 csv 表。"
    assert rows
    other = tuple(
        replace(row, after=replace(row.after, source="db")) if row.metric in section_units.BUSY else row
        for row in report.metrics
    )
    mixed = section_units.busy(context(replace(report, metrics=other))).measured
    assert mixed == "Measured from csv tables in BEFORE and from the database (db) in AFTER."


def test_a_ratio_without_a_change_in_percent_has_its_interval_as_a_factor() -> None:
    """No relative change is formed of it, so an interval in percent would be of what is not there."""
    report = sample_report()
    timed = next(row for row in report.metrics if row.metric == "step_time" and row.interval is not None)
    none = Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of("change_of_share"))
    row = next(row for row in report.metrics if row.metric == "aic_mac_ratio")
    row = replace(row, change=none, interval=timed.interval)
    assert numbers.metric_texts(row, "en").change_interval == ""
    assert numbers.metric_texts(timed, "en").change_interval.endswith("%]")
    rows = tuple(row if one.id == row.id else one for one in report.metrics)
    text = html.document(replace(report, metrics=rows), language="en", digest=DIGEST, edition="screen")
    cells = text.split(f'id="{row.id}">', 1)[1].split("<tr", 1)[0]
    assert "×" in cells
    assert not re.search("[+−][0-9.]+%", cells)


# ------------------------------------------------------------------------------------------------ collectives
def test_collectives_stand_largest_first_below_all_of_them() -> None:
    table = section_collectives.collectives(context(sample_report())).kinds[0]
    assert [row.name for row in table.rows] == [
        "all collectives", "hcom_allGather_", "hcom_reduceScatter_", "hcom_allReduce_"
    ]  # fmt: skip
    first = table.rows[0]
    # elapse 94.5 = transit 14.1 + wait 40.4 + idle 40.0 ms; synchronisation 31.0 of the wait
    assert [cells[0].text for cells in first.cells] == ["94.50", "14.10", "40.40", "31.00", "40.00"]
    assert set(table.units) == {"ms"}
    assert len(first.where) == 2  # one entry for the file of each side


def test_bars_split_the_wait_into_synchronisation_and_the_rest() -> None:
    report = sample_report()
    rows = {row.metric: row for row in report.metrics if row.rank == 0 and row.part == ""}
    assert figures_units._segments(rows, "before") == (14_100_000, 31_000_000, 9_400_000)
    wait = rows["collective_wait"]
    assert isinstance(wait.before.mean, Number)
    less = replace(wait.before, mean=replace(wait.before.mean, quantity=Quantity(value=1_000_000, unit="ns")))
    rows["collective_wait"] = replace(wait, before=less)  # synchronisation is no part of such a wait
    assert figures_units._segments(rows, "before") == (14_100_000, 0, 1_000_000)


def test_the_link_that_repeats_another_is_marked() -> None:
    section = section_collectives.collectives(context(sample_report()))
    assert [row.name for row in section.links[0].rows] == ["HCCS", "SDMA (repeats HCCS)"]
    text = html.render(sample_report(), language="en", digest=DIGEST)
    assert text.count("SDMA repeats the traffic of HCCS: never add the two.") == 1
    # 42_759_609_600 B in 2_731_570_587 ns: 15.65 GB/s of powers of ten
    assert section.links[0].units[2] == "GB/s"
    assert section.links[0].rows[0].cells[2][0].text == "15.65"


def test_many_kinds_are_cut_on_paper_and_whole_on_screen() -> None:
    report = sample_report()
    kinds = [row for row in report.metrics if row.metric in section_collectives.TIMES and row.part == "hcom_allGather_"]
    more = [
        replace(row, id=f"{row.id}x{n}", name=f"{row.name}{n}", part=f"kind{n}") for n in range(30) for row in kinds
    ]
    report = replace(report, metrics=(*report.metrics, *more))
    paper = section_collectives.collectives(context(report, "paper")).kinds
    assert [len(table.rows) for table in paper] == [section_collectives.MOST]
    assert paper[0].cut is not None
    assert paper[0].cut.rest == 34 - section_collectives.MOST  # 4 kinds with the whole, and 30 more
    screen = section_collectives.collectives(context(report)).kinds
    assert [len(table.rows) for table in screen] == [34, 34]


# ------------------------------------------------------------------------------------------------ memory
def test_peaks_carry_the_time_of_day_at_which_they_were_reached() -> None:
    section = section_memory.memory(context(sample_report()))
    peak = next(line for line in section.lines if line.line.row.name == "peak_reserved/APP@rank0")
    assert peak.at == ("10:00:01.000", "10:00:01.000")
    assert section.timed
    assert section_memory.time_of_day("") == ""


def test_memory_over_time_names_the_component_and_the_highest_values() -> None:
    figure = figures_units.memory_over_time(context(sample_report()))
    title = re.search(r"<title>(.*?)</title>", figure.wide)
    assert title is not None
    assert "reserved, BEFORE 50.00 GiB; reserved, AFTER 53.00 GiB" in plain(title[1])
    assert "Component APP." in figure.caption
    assert "NaN" not in figure.wide


def test_thinning_for_the_drawing_keeps_the_highest_value() -> None:
    values = [1] * 5000
    values[3333] = 7
    row = SeriesRow(id="memory_reserved", side=Side.AFTER, rank=0, device=0, part="", unit="B",
                    times=tuple(str(n * 10**6) for n in range(5000)), values=tuple(map(str, values)), recorded=5000,
                    origins=("O1",))  # fmt: skip
    from reportgen.report.numbers import BYTES

    points = figures_units._points(row, BYTES, 80)
    assert len(points) <= 161
    assert max(points, key=lambda point: point[1]) == (3.333, 7.0)
    assert points[0] == (0.0, 1.0)
    assert points[-1] == (4.999, 1.0)


# ------------------------------------------------------------------------------------------------ clock
def clocked(report: Report, after: int | Fraction, *warnings: Reason) -> Report:
    """The report with this clock of AFTER, and doubts about it."""

    def changed(row: MetricRow) -> MetricRow:
        assert isinstance(row.after.value, Number)
        value = replace(row.after.value, quantity=Quantity(value=after, unit="1/s"))
        return replace(row, after=replace(row.after, value=value, warnings=warnings))

    rows = (changed(row) if row.metric == "ai_core_frequency" else row for row in report.metrics)
    return replace(report, metrics=tuple(rows))


def test_a_clock_that_did_not_fall_is_one_sentence_and_no_chart() -> None:
    section = section_units.clock(context(clocked(sample_report(), 1_800_000_000)))
    assert plain(section.flat) == "While kernels run the clock is 1,800.0 MHz on both sides."
    assert not section.figure.wide


def test_clocks_show_what_each_is_made_of() -> None:
    def made(number: Number, value: Fraction | int, unit: str) -> Number:
        return replace(number, quantity=Quantity(value=value, unit=unit))

    report = clocked(sample_report(), 1_800_000_000)
    row = next(row for row in report.metrics if row.metric == "ai_core_frequency")
    assert isinstance(row.before.value, Number)
    # 2.5 s x 1800 MHz = 4.5 x 10^9 cycles
    before = replace(row.before, basis="busy-weighted", numerator=made(row.before.value, 4_500_000_000, "1"),
                     denominator=made(row.before.value, 2_500_000_000, "ns"))  # fmt: skip
    report = replace(report, metrics=tuple(replace(row, before=before) if r is row else r for r in report.metrics))
    shown = next(q for q in section_units.clock(context(report)).lines if q.line.row.id == row.id)
    assert plain(shown.over[0]) == "4.500 × 10^9 / 2.500 s"
    assert shown.basis == "weighted by the time with a kernel running"


@pytest.mark.parametrize(
    ("after", "warnings"),
    [(1_791_300_000, ()), (1_800_000_000, (Reason.of("last_line_without_end", file="AICORE_FREQ"),))],
    ids=["differs", "is doubted"],
)
def test_a_clock_that_differs_or_is_doubted_is_drawn(after: int, warnings: tuple[Reason, ...]) -> None:
    section = section_units.clock(context(clocked(sample_report(), after, *warnings)))
    assert section.flat == ""
    assert "1,650.0–1,800.0" in section.figure.wide


# ------------------------------------------------------------------------------------------------ pages
@pytest.mark.parametrize("name", ["many_ranks", "sample"])
def test_every_reference_on_paper_has_its_end(name: str) -> None:
    report = sample_report() if name == "sample" else odd_reports.many_ranks()
    parsed = Page(html.document(report, language="en", digest=DIGEST, edition="paper"))
    ids = parsed.values("id")
    assert len(ids) == len(set(ids))
    assert {address[1:] for address in parsed.values("href")} <= set(ids)


def test_every_metric_row_has_an_anchor_on_screen() -> None:
    report = sample_report()
    ids = set(Page(html.render(report, language="en", digest=DIGEST)).values("id"))
    lacking = [row.name for row in report.metrics if row.id not in ids and isinstance(row.after.value, Number)]
    assert lacking == []


def test_nothing_is_drawn_of_sides_that_are_not_comparable() -> None:
    parsed = Page(html.render(sample_report("not_comparable"), language="en", digest=DIGEST))
    assert not [tag for tag, _attributes in parsed.tags if tag == "figure"]


def test_metrics_that_lack_for_one_reason_share_a_line_of_the_gaps() -> None:
    text = Page(html.render(sample_report(), language="en", digest=DIGEST)).text
    assert "latency, QPS, throughput" in text


# ------------------------------------------------------------------------------------------------ several captures
def test_captures_of_a_side_share_a_column_and_tell_what_they_do_not_share() -> None:
    # Six columns would leave the sheet: a side is one column, and a fact that its captures do not share names each.
    report = sample_report()
    (before, after) = report.captures
    assert dict(before.facts)["driver"] == "467992"
    other = replace(before, facts=tuple((key, "24.1" if key == "driver" else held) for key, held in before.facts))
    silent = replace(before, facts=tuple((key, held) for key, held in before.facts if key != "driver"))
    found = section_captures.captures(context(replace(report, captures=(before, other, silent, after))))
    assert found.heads == ("BEFORE\u00a0×\u00a03", "AFTER")
    facts = {title: [cell.text for cell in cells] for title, cells in found.facts}
    alone = {t: [c.text for c in cells] for t, cells in section_captures.captures(context(report)).facts}
    assert facts["driver"] == ["1: 467992; 2: 24.1; 3: not recorded", alone["driver"][1]]
    assert {key: held for key, held in facts.items() if key != "driver"} == {
        key: held for key, held in alone.items() if key != "driver"
    }


# ------------------------------------------------------------------------------------------------ several cases
def test_of_several_cases_the_gate_of_repeats_and_inflation_name_theirs() -> None:
    report = whole()
    assert report.contract is not None
    assert len(report.contract.cases) > 1
    lines = {line.id: line for _title, some in section_gates.gates(context(report)).groups for line in some}
    (why,) = next(row for row in report.gates if row.id == "G9").reasons
    assert why.code == "gate_no_repeats_in"
    assert "training" in why.arg("cases").split(", ")
    assert lines["G9"].why.startswith(f"In case {why.arg('cases')} a side has no repeats")
    named = wording.say(Reason.of("gate_no_repeats_in", cases="training, serve"), "zh")
    assert named.startswith("用例 training、serve ")
    assert ("captures (training)", "1", "") in lines["G9"].facts
    inflation = section_gates.gates(context(report)).inflation
    assert inflation
    assert all(one.name.endswith("(training)") for one in inflation)
    (case, *_others) = report.contract.cases
    alone = replace(report, contract=replace(report.contract, cases=(case,)))
    assert not [one for one in section_gates.gates(context(alone)).inflation if "training" in one.name]


@pytest.mark.parametrize(("share", "text"), [("0.0076", "+0.76%"), ("-0.0076", "−0.76%"), ("0.0761", "+7.6%")])
def test_inflation_has_the_same_digits_wherever_it_stands(share: str, text: str) -> None:
    row = next(row for row in whole().inflation if isinstance(row.share, Number))
    assert isinstance(row.share, Number)
    number = replace(row.share, quantity=Quantity(value=Fraction(share), unit="1"))
    assert assured.inflation_text(number) == text
    report = replace(whole(), inflation=(replace(row, share=number),))
    assert section_gates.gates(context(report)).inflation[0].share.text == text
    assert text.lstrip("+−") == assured.share_text(number, "en").lstrip("−")  # as the fact of the gate


@pytest.mark.parametrize(("language", "stop"), [("zh", "。"), ("en", ".")])
def test_every_sentence_beside_a_goal_ends_with_the_stop_of_its_language(language: Language, stop: str) -> None:
    report = sample_report()
    said = [text for goal in report.goals for text in said_statistics.of_goal(report, goal, language)]
    assert any("%" in text for text in said)
    assert {text[-1] for text in said} == {stop}


def test_page_one_counts_as_many_worse_figures_as_the_list_holds() -> None:
    report = whole()
    rows = tuple(replace(row, goal=n == 0) for n, row in enumerate(report.elsewhere.worse))  # a goal is on the first
    held = replace(report, elsewhere=replace(report.elsewhere, worse=rows))
    assert f"Worse in AFTER: {len(rows)} figure" in changes.worse_line(held, "en", "5")
    only = replace(report, elsewhere=replace(report.elsewhere, worse=rows[:1], not_held=()))
    assert "Worse in AFTER: 1 figure" in changes.worse_line(only, "en", "5")
