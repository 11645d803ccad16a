"""The CSV files beside the report: nothing left out, rounded, or run by a spreadsheet; origins in every row."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen import pipeline
from reportgen.errors import RenderError
from reportgen.report import tables, wording
from reportgen.report.document import Number, Report, Value
from tests.report.conftest import report_of

LANGUAGES = ("zh", "en")
NUMBER = re.compile(r"-?\d+(\.\d+)?(÷\d+)?")


@cache
def written(name: str, language: str) -> dict[str, bytes]:
    return tables.render(report_of(name), language)


def rows(data: bytes) -> list[dict[str, str]]:
    """By the heads of the columns, as csv reads them."""
    found = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    assert len(set(found[0])) == len(found[0])
    return [dict(zip(found[0], line, strict=True)) for line in found[1:]]


def table(name: str, kind: str, language: str = "en") -> list[dict[str, str]]:
    return rows(written(name, language)[f"tables/{kind}.csv"])


def number(row: dict[str, str], head: str) -> Fraction:
    """The exact number that a row holds under a head."""
    exact = row[f"{head}, exact"]
    if not exact:
        return Fraction(row[head])
    numerator, denominator = exact.split("÷")
    assert abs(Fraction(row[head]) / Fraction(int(numerator), int(denominator)) - 1) < Fraction(1, 10**15)
    return Fraction(int(numerator), int(denominator))


def held(value: Value | None) -> Fraction | None:
    return Fraction(value.quantity.value) if isinstance(value, Number) else None


# ------------------------------------------------------------------------------------------- whole and exact
def test_every_metric_stands_in_it_exactly() -> None:
    report = report_of("example")
    found = table("example", "metrics")
    assert [row["id"] for row in found] == [row.id for row in report.metrics]
    for row, line in zip(report.metrics, found, strict=True):
        low, high = (row.interval.low, row.interval.high) if row.interval else (None, None)
        figures = {"BEFORE": row.before.value, "AFTER": row.after.value, "delta": row.delta, "change": row.change}
        figures |= {"AFTER / BEFORE, interval from": low, "AFTER / BEFORE, interval to": high}
        for head, value in figures.items():
            expected = held(value)
            if expected is None:
                assert line[head]
                assert not NUMBER.fullmatch(line[head])  # a word, or that there cannot be one; never 0 or nothing
            else:
                assert number(line, head) == expected
        units = {v.quantity.unit for v in (row.before.value, row.after.value) if isinstance(v, Number)}
        assert units <= {line["unit"]}


def test_all_rows_of_the_long_tables_stand_in_them() -> None:
    report = report_of("example")
    block = report.comparability
    assert [row["id"] for row in table("example", "operators")] == [row.id for row in report.operators]
    keys = [row.key for row in (*block.rows, *block.equal, *block.identity)]
    assert [row["setting"] for row in table("example", "settings")] == keys
    assert [row["SHA-256"] for row in table("example", "files")] == [row.digest for row in report.manifest]
    assert [row["id"] for row in table("example", "origins")] == [row.id for row in report.origins]
    samples = [
        (row.id, word, held(value))
        for row in report.metrics
        for word, side in (("BEFORE", row.before), ("AFTER", row.after))
        for value in side.sample
    ]
    shown = [(row["id"], row["side"], number(row, "value")) for row in table("example", "samples")]
    assert shown == samples


def test_what_is_worse_elsewhere_stands_in_it_exactly() -> None:
    report = report_of("example")
    found = table("example", "elsewhere")
    assert [row["id"] for row in found] == [row.id for row in report.elsewhere.worse]
    metrics = {row["id"]: row for row in table("example", "metrics")}
    assert len(found) == 5
    for row in found:  # each is a metric of the captures here: the same figures as in the table of metrics
        assert row["where from"]
        of_metric = metrics[row["evidence no."]]
        for head in ("BEFORE", "AFTER", "delta", "change"):
            assert (row[head], row[f"{head}, exact"]) == (of_metric[head], of_metric[f"{head}, exact"])
    assert table("not_comparable", "elsewhere") == []


def test_the_parts_of_each_rank_add_up_to_the_whole_in_it() -> None:
    found = table("example", "attribution")
    assert [row["id"] for row in found if row["row"] == "the whole"] == ["A1", "A2"]
    for identity in ("A1", "A2"):
        rows_of = [row for row in found if row["id"] == identity]
        (whole,) = [row for row in rows_of if row["row"] == "the whole"]
        parts = [row for row in rows_of if row["row"] == "part of it"]
        assert len(parts) == 3  # computing, communication not overlapped, free
        for head in ("BEFORE", "AFTER", "delta"):
            assert sum(number(row, head) for row in parts) == number(whole, head)
        assert number(whole, "AFTER") - number(whole, "BEFORE") == number(whole, "delta")
        (median,) = [row for row in rows_of if row["row"] == "difference of the medians"]
        (apart,) = [row for row in rows_of if row["row"] == "that less the whole"]
        assert number(median, "delta") - number(whole, "delta") == number(apart, "delta")
        assert all(re.findall(r"\[(O\d+)\]", row["where from"]) for row in (whole, *parts))


def test_the_sums_of_a_match_are_those_of_the_operator_types_it_names() -> None:
    types = {row["id"]: row for row in table("example", "operators")}
    found = table("example", "matches")
    assert {row["match"] for row in found} == {"likely fused"}
    for row in found:
        named = [types[one] for one in row["evidence no."].split(", ")]
        sums = {}
        for side in ("BEFORE", "AFTER"):
            kinds = row[f"operator types, {side}"].split(" + ")
            held_by = [
                one for one in named if one["operator type"] in kinds and NUMBER.fullmatch(one[f"calls, {side}"])
            ]
            assert len(held_by) == len(kinds)
            sums[side] = sum(number(one, f"total time of a step, {side}") for one in held_by)
            assert number(row, f"total time of a step, {side}") == sums[side]
        assert number(row, "total time of a step, delta") == sums["AFTER"] - sums["BEFORE"]
        assert re.findall(r"\[(O\d+)\]", row["where from"])


def test_every_file_that_was_not_used_stands_in_it_with_its_path() -> None:
    report = report_of("met")
    first = report.captures[0]
    (path, reason), *_ = first.unread
    twice = replace(first, unread=((f"rank0/{path}", reason), (f"rank1/{path}", reason)))
    made = tables.render(replace(report, captures=(twice, *report.captures[1:])), "en")
    found = rows(made["tables/unread.csv"])
    assert [row["file"] for row in found[:2]] == [f"rank0/{path}", f"rank1/{path}"]
    assert {row["side"] for row in found} == {"BEFORE", "AFTER"}
    assert {row["directory"] for row in found} == {capture.name for capture in report.captures}
    assert all(row["reason"] for row in found)


def test_a_mean_of_three_calls_is_a_decimal_and_a_quotient() -> None:
    # 10 / 3 ns: 17 digits, and exactly beside; no sign that a spreadsheet takes for a date (1/3) or a time (1:3)
    assert tables.decimal(Fraction(10, 3)) == ("3.3333333333333333", "10÷3")
    assert tables.decimal(Fraction(-1, 8)) == ("-0.125", "")
    assert tables.decimal(2**60 + 1) == ("1152921504606846977", "")


def test_a_spreadsheet_on_a_chinese_system_reads_it() -> None:
    data = written("example", "zh")["tables/metrics.csv"]
    assert data[:3] == b"\xef\xbb\xbf"  # without these bytes it would be read as GBK
    assert data.count(b"\r\n") == data.count(b"\n") == len(report_of("example").metrics) + 1
    frame = pd.read_csv(io.BytesIO(data), encoding="utf-8-sig")
    assert list(frame.columns)[:6] == ["编号", "指标", "跨报告编号", "rank", "设备", "单位"]
    assert frame["指标"][0] == "单步耗时"
    assert frame["BEFORE"][0] == "512192494"


@pytest.mark.parametrize("name", ["example", "met", "not_met", "not_comparable"])
def test_goals_stand_in_it_as_judged(name: str) -> None:
    report = report_of(name)
    found = table(name, "goals")
    assert [row["no."] for row in found] == [goal.id for goal in report.goals]
    for goal, row in zip(report.goals, found, strict=True):
        assert number(row, "limit") == held(goal.limit)
        assert row["unit"] == goal.limit.quantity.unit
        for head, side in (("BEFORE", goal.before), ("AFTER", goal.after)):
            if isinstance(side, Number):
                assert number(row, head) == held(side)
                assert (
                    row["unit of BEFORE and AFTER"] == side.quantity.unit
                )  # of a limit on a ratio another than its own
        assert re.findall(r"\[(O\d+)\]", row["where from"])
        expected = held(goal.value)
        if expected is None or wording.may_not_be_formed(report, goal):  # a change of a pair that is not comparable
            assert not NUMBER.fullmatch(row["value"])
        else:
            assert number(row, "value") == expected
        if goal.metric_row:
            assert row["evidence no."] in {line["id"] for line in table(name, "metrics")}
    outcomes = {"example": {"met"}, "met": {"met"}, "not_comparable": {"no verdict"}}
    if name in outcomes:
        assert {row["outcome"] for row in found} == outcomes[name]


def test_without_a_target_the_table_of_goals_has_heads_alone() -> None:
    assert table("no_target", "goals") == []


# ------------------------------------------------------------------------------------------- origins
@pytest.mark.parametrize("name", ["example", "met", "not_comparable"])
def test_every_row_with_a_number_names_files_that_are_listed(name: str) -> None:
    origins = {row["id"]: row for row in table(name, "origins")}
    files = {row["no."]: row for row in table(name, "files")}
    for row in origins.values():
        if row["no. of the file"]:
            assert files[row["no. of the file"]]["SHA-256"] == row["SHA-256"]
            assert row["file"].endswith(files[row["no. of the file"]]["file"].rsplit("/", 1)[-1])
    for row in table(name, "metrics"):
        for side in ("BEFORE", "AFTER"):
            ids = re.findall(r"\[(O\d+)\]", row[f"{side}, where from"])
            assert bool(ids) == bool(NUMBER.fullmatch(row[side]))
            assert all(origins[one]["file"] in row[f"{side}, where from"] for one in ids)
    for row in table(name, "operators"):
        assert re.findall(r"\[(O\d+)\]", row["where from"])
    for row in table(name, "samples"):
        assert set(row["origins"].split(", ")) <= set(origins)


def test_a_pair_that_is_not_comparable_has_no_changes_in_it() -> None:
    assert "delta" in table("met", "metrics")[0]
    assert "delta" in table("met", "attribution")[0]
    for kind in ("metrics", "operators", "attribution"):
        assert not [head for head in table("not_comparable", kind)[0] if re.search("delta|change|AFTER / BEFORE", head)]


# ------------------------------------------------------------------------------------------- formulas
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("  =1", "'  =1"),
        ("'=1", "''=1"),  # different from what "=1" becomes
        ("\t=1", "\\x09=1"),
        ("＝1", "'＝1"),
        ("a=1", "a=1"),
        ("it's", "it's"),
        ("", ""),
    ],
)
def test_what_a_spreadsheet_takes_for_a_formula_is_text(text: str, shown: str) -> None:
    assert tables.harmless(text) == shown


@given(st.text(max_size=12), st.text(max_size=12))
def test_no_text_begins_like_a_formula_and_different_texts_stay_different(one: str, other: str) -> None:
    shown = tables.harmless(one)
    assert not shown.lstrip(" ").startswith(tuple(tables.FORMULA))
    assert (shown == tables.harmless(other)) == (one == other)


def hostile() -> Report:
    """Names of a capture's directory, operator types and values that would run in a spreadsheet."""
    report = report_of("met")
    kinds = tuple(replace(row, type=f'=HYPERLINK("http://x","{row.type}")\r\n') for row in report.operators)
    facts = tuple(replace(row, before="@SUM(1)", after="+1", spelling="-x") for row in report.comparability.equal)
    files = tuple(replace(row, path=f"=cmd|/{row.path}") for row in report.manifest)
    comparability = replace(report.comparability, equal=facts)
    return replace(report, operators=kinds, comparability=comparability, manifest=files)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_cell_from_a_capture_runs(language: str) -> None:
    for name, data in tables.render(hostile(), language).items():
        for line in csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")):
            for cell in line:
                assert NUMBER.fullmatch(cell) or not cell.startswith(tuple(tables.FORMULA)), (name, cell)
                assert not re.search(r"[\r\n\t]", cell)


# ------------------------------------------------------------------------------------------- the directory
def test_the_tables_are_written_whole_and_replaced_whole(tmp_path: Path) -> None:
    out = tmp_path / "out"
    pipeline.write(out, written("met", "en"))
    assert sorted(path.name for path in (out / "tables").iterdir()) == sorted(tables.NAMES)
    pipeline.refuse_output(out, [])
    pipeline.write(out, written("met", "zh"))
    assert {f"tables/{path.name}": path.read_bytes() for path in (out / "tables").iterdir()} == written("met", "zh")


@pytest.mark.parametrize("foreign", ["tables/mine.csv", "tables/more/metrics.csv", "more/metrics.csv"])
def test_what_no_report_writes_is_not_replaced(foreign: str, tmp_path: Path) -> None:
    pipeline.write(tmp_path / "out", written("met", "en"))
    (tmp_path / "out" / foreign).parent.mkdir(exist_ok=True)
    (tmp_path / "out" / foreign).write_text("mine")
    with pytest.raises(RenderError) as caught:
        pipeline.refuse_output(tmp_path / "out", [])
    assert caught.value.code == "output_not_ours"


def test_a_file_in_the_place_of_the_directory_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "tables").write_text("mine")
    with pytest.raises(RenderError):
        pipeline.refuse_output(tmp_path, [])


def test_the_same_report_gives_the_same_bytes() -> None:
    assert tables.render(report_of("met"), "zh") == written("met", "zh")
