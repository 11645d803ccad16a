"""Figures of runs as the report, its tables and the terminal print them; values and words from the rows they are of."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from fractions import Fraction
from html import unescape

import pytest
from whole_report import whole

from reportgen.model import Missing, MissingKind, Reason, Status
from reportgen.report import explained, html, lookup, tables, text_logs
from reportgen.report.document import Number, Report
from reportgen.report.translations import Language

WORDS: dict[tuple[Language, str], str] = {
    ("en", "improved"): "improved", ("en", "regressed"): "regressed", ("en", "equal"): "equal",
    ("en", "no_difference"): "no difference demonstrated", ("en", "unknown"): "cannot be known",
    ("en", "unlike"): "not comparable",
    ("zh", "improved"): "变好", ("zh", "regressed"): "变差", ("zh", "equal"): "相等",
    ("zh", "no_difference"): "未证明有差异", ("zh", "unknown"): "无法得知", ("zh", "unlike"): "不可比",
}  # fmt: skip
"""Words of docs/statistics.md 2.7, and of what is not comparable."""
CODES = {
    Status.IMPROVED: "improved", Status.REGRESSED: "regressed", Status.EQUAL: "equal",
    Status.NO_DIFFERENCE: "no_difference", Status.UNKNOWN: "unknown",
}  # fmt: skip


def unlike() -> Report:
    """The whole report with its first figure as one of runs that are shown not to be alike."""
    first, *others = whole().run_figures
    why = Reason.of("runs_not_alike", facts="max_concurrency")
    none = Missing(kind=MissingKind.NOT_RECORDED, reason=why)
    row = replace(first, delta=none, change=none, speed=None, estimate=None, interval=None, blocked=(why,), unlike=True,
                  status=Status.UNKNOWN, distinguishable="cannot be known", reason=why)  # fmt: skip
    return replace(whole(), run_figures=(row, *others))


def cells(report: Report, language: Language) -> dict[str, list[str]]:
    """Texts of the cells of each figure's line on the page."""
    text = html.document(report, language=language, digest="0" * 64, edition="screen")
    found = {}
    for row in report.run_figures:
        match = re.search(rf'<tr id="{row.id}">(.*?)(?=<tr|</tbody>)', text, re.DOTALL)
        assert match is not None
        line = re.sub(r"<details>.*?</details>", "", match[1], flags=re.DOTALL)
        parts = re.split(r"<t[dh][^>]*>", line)[1:]
        found[row.id] = [unescape(re.sub(r"<[^>]+>", " ", part)).replace("\u00a0", " ").strip() for part in parts]
    return found


def percent(value: Fraction) -> str:
    """A change as printed: one decimal, a true minus."""
    return f"{float(value * 100):{'+' if value else ''}.1f}%".replace("-", "\u2212")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_line_prints_the_values_of_its_row_and_its_word(language: Language) -> None:
    report = unlike()
    for identity, line in cells(report, language).items():
        row = next(one for one in report.run_figures if one.id == identity)
        _name, before, after, _delta, change, ratio, counts, said = line
        code = "unlike" if row.unlike else CODES[row.status]
        assert said.startswith(WORDS[language, code]), (row.name, said)
        assert re.sub(r"\D.*", "", counts) == str(row.runs_before)
        assert isinstance(row.before, Number)
        assert isinstance(row.after, Number)
        if not isinstance(row.change, Number):
            assert ratio in ("none", "无")
            assert not re.search(r"\d", change)
            continue
        quotient = Fraction(row.after.quantity.value) / Fraction(row.before.quantity.value)
        assert percent(quotient - 1) in change
        assert ratio == f"{float(quotient):.3f}"
        if row.before.quantity.unit == "ns":  # a time: its speed too
            assert percent(1 / quotient - 1) in change
            assert before.replace(",", "").split()[0] in {
                f"{float(Fraction(row.before.quantity.value) / scale):.{digits}f}"
                for scale in (10**6, 10**9) for digits in range(6)
            }  # fmt: skip
        assert after


@pytest.mark.parametrize(("language", "word"), [("en", "cannot be known"), ("zh", "无法得知")])
def test_a_figure_that_may_not_be_judged_names_no_other_reason(language: Language, word: str) -> None:
    first, *others = unlike().run_figures
    row = replace(first, unlike=False, reason=Reason.of("one_figure_each"))
    said = cells(replace(whole(), run_figures=(row, *others)), language)[row.id][-1]
    assert said.split("\n")[0].strip() == word


def test_the_reason_why_nothing_is_told_stands_below_the_table() -> None:
    text = html.document(unlike(), language="en", digest="0" * 64, edition="screen")
    assert re.search(r"<p class=\"small\">R1: The runs of the two sides were not made alike", text)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_table_holds_every_figure_exactly(language: Language) -> None:
    report = unlike()
    found = list(csv.reader(io.StringIO(tables.render(report, language)["tables/outside.csv"].decode("utf-8-sig"))))
    heads, lines = found[0], found[1:]
    assert [line[0] for line in lines] == [row.id for row in report.run_figures]
    for row, line in zip(report.run_figures, lines, strict=True):
        for n, (side, value) in enumerate((("BEFORE", row.before), ("AFTER", row.after))):
            assert isinstance(value, Number)
            exact = line[len(heads) - 7 + n].replace("\u00f7", "/")  # the last columns are exact quotients
            assert Fraction(exact or line[heads.index(side)]) == Fraction(value.quantity.value)
        assert (row.interval is None) == (not line[heads.index("method" if language == "en" else "方法")])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_explain_says_what_is_formed_and_why_not(language: Language) -> None:
    report = unlike()
    for row in report.run_figures[:6]:
        said = explained.explanation(report, lookup.look_up(report, row.name), language)
        code = "unlike" if row.unlike else CODES[row.status]
        assert WORDS[language, code] in said
        assert ("AFTER - BEFORE" in said) == isinstance(row.delta, Number)
        for value in (row.before, row.after):
            assert isinstance(value, Number)
            assert value.quantity.exact() in said


def test_the_terminal_prints_each_figure_with_its_word() -> None:
    report = unlike()
    heads, *lines = text_logs.figures(report, "en")
    assert len({len(line) for line in (heads, *lines)}) == 1
    for row, line in zip(report.run_figures, lines, strict=True):
        assert line[0] == row.id
        assert line[-1].startswith(WORDS["en", "unlike" if row.unlike else CODES[row.status]])
    assert text_logs.reasons(report, "en")[0].startswith("R1: ")


def test_paper_says_how_many_figures_it_leaves_to_the_table() -> None:
    first = whole().run_figures[0]
    many = tuple(replace(first, id=f"R{n}", name=f"run/x{n}@training") for n in range(1, 41))
    text = html.document(replace(whole(), run_figures=many), language="en", digest="0" * 64, edition="paper")
    assert "32 shown; the other 8 are in tables/outside.csv." in text


def test_a_report_without_runs_has_no_such_table() -> None:
    bare = replace(whole(), runs=(), run_figures=())
    assert "Figures that the runs" not in html.document(bare, language="en", digest="0" * 64, edition="screen")
    assert text_logs.figures(bare, "en") == []
