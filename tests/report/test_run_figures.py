"""Figures of runs as the report, its tables and the terminal print them; values and words from the rows they are of."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from fractions import Fraction
from html import unescape
from pathlib import Path

import pytest
from run_files import Runs, decide, figures, served
from whole_report import whole

from reportgen.errors import ReportgenError
from reportgen.model import Evaluation, Missing, MissingKind, Quantity, Reason, Side, Status
from reportgen.report import explained, html, lookup, run_texts, section_runs, tables, text, text_logs, wording
from reportgen.report.build import build
from reportgen.report.document import Number, Report
from reportgen.report.translations import Language
from reportgen.report.view import Context
from reportgen.run_comparisons import Ground, compare_figures, lone_runs
from tests import test_elsewhere as made
from tests.report.sample_report import sample_evaluation

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
    assert re.search(r"<p class=\"small\">R1: The runs were not made alike", text)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_table_holds_every_figure_exactly(language: Language) -> None:
    report = unlike()
    found = list(csv.reader(io.StringIO(tables.render(report, language)["tables/outside.csv"].decode("utf-8-sig"))))
    heads, lines = found[0], found[1:]
    assert [line[0] for line in lines] == [row.id for row in report.run_figures]
    for row, line in zip(report.run_figures, lines, strict=True):
        for n, (side, value) in enumerate((("BEFORE", row.before), ("AFTER", row.after))):
            assert isinstance(value, Number)
            exact = line[len(heads) - 10 + n].replace(
                "\u00f7", "/"
            )  # the columns before those of each run are exact quotients
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


@pytest.mark.parametrize("language", ["en", "zh"])
def test_explain_prints_the_figures_of_the_line_on_the_page(language: Language) -> None:
    report = unlike()
    lines = cells(report, language)
    for row in report.run_figures:
        said = explained.explanation(report, lookup.look_up(report, row.id), language)
        flat = re.sub(r"\s+", " ", said.replace("\u2212", "-").replace("µ", "u"))
        _name, before, after, delta, *_others = (
            cell.replace("\u2212", "-").replace("µ", "u") for cell in lines[row.id]
        )
        assert f" BEFORE {before} (" in flat
        assert f" AFTER {after} (" in flat
        if isinstance(row.delta, Number):
            assert f" AFTER - BEFORE {delta} (" in flat


@pytest.mark.parametrize(
    ("language", "after", "why"),
    [
        ("en", "0", "0 on both sides: equal."),
        ("en", "3", "BEFORE is 0, so a relative change does not exist."),
        ("zh", "3", "BEFORE 为 0，不存在变化率。"),
    ],
)
def test_a_count_that_was_0_has_no_change_and_no_interval(language: Language, after: str, why: str) -> None:
    case = replace(made.target().cases[0], id="C")
    counts = zip(Side, ("0", after), strict=True)
    runs = [made.run(side, made.value("failed", "", "count", count, 1, "1")) for side, count in counts]
    ground = Ground(cases=(case,), target=None, runs=runs, run_facts=(), facts=(), comparability=made.ALIKE)
    evaluation = replace(sample_evaluation("no_target"), runs=tuple(runs), run_comparisons=compare_figures(ground))
    report = build(evaluation, tool_version="")
    said = explained.explanation(report, lookup.look_up(report, "R1"), language)
    assert why in said
    assert ("interval" if language == "en" else "区间") not in said
    heads, line = csv.reader(io.StringIO(tables.render(report, language)["tables/outside.csv"].decode("utf-8-sig")))
    named = dict(zip(heads, line, strict=True))
    assert why in named["why" if language == "en" else "理由"]
    assert line[heads.index("AFTER") + 2] == "–"  # behind the delta


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_stands_beside_a_word_is_said_wherever_the_word_is(language: Language) -> None:
    report = whole()
    page = unescape(html.document(report, language=language, digest="0" * 64, edition="screen"))
    below = text_logs.reasons(report, language)
    outside = list(csv.reader(io.StringIO(tables.render(report, language)["tables/outside.csv"].decode("utf-8-sig"))))
    found = set()
    for row, line in zip(report.run_figures, outside[1:], strict=True):
        for sentence in (wording.say(reason, language) for reason in row.caveats):
            found.add(sentence)
            assert sentence in explained.explanation(report, lookup.look_up(report, row.name), language)
            assert any(sentence in cell for cell in line)
            assert [one for one in below if one.endswith(sentence)]
            assert re.search(rf'<p class="small">R[^<]*{re.escape(sentence)}</p>', page)
    assert found


@pytest.mark.parametrize(("asked", "offered"), [("r1", "R1"), ("R99", "R3, R2, R1"), ("R0", "R1, R2, R3")])
def test_an_unknown_number_of_a_figure_offers_the_near_ones(asked: str, offered: str) -> None:
    report = replace(whole(), run_figures=whole().run_figures[:3])
    with pytest.raises(ReportgenError) as fault:
        lookup.look_up(report, asked)
    assert (fault.value.code, fault.value.hint) == ("id_unknown", f"did you mean {offered}? Without ID all are listed")


def test_the_terminal_prints_each_figure_with_its_word() -> None:
    report = unlike()
    heads, *lines = text_logs.figures(report, "en")
    assert len({len(line) for line in (heads, *lines)}) == 1
    for row, line in zip(report.run_figures, lines, strict=True):
        assert line[0] == row.id
        assert line[-1].startswith(WORDS["en", "unlike" if row.unlike else CODES[row.status]])
    assert text_logs.reasons(report, "en")[0].startswith("R1: ")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "BEFORE steps.log: No run of AFTER gives a figure of what it tells: step time."),
        ("zh", "BEFORE steps.log：AFTER 一侧没有运行给出它所述的数值：单步耗时。"),
    ],
)
def test_a_file_that_is_in_no_figure_is_named_with_its_reason(language: Language, said: str) -> None:
    alone = made.run(Side.BEFORE, series=made.steps(200, 201), n=7)
    alone = replace(alone, run=replace(alone.run, file=replace(alone.run.file, path="steps.log")))
    others = [made.run(side, made.value("latency", "tpot", "mean", "50.0")) for side in Side]
    evaluation = replace(
        sample_evaluation("no_target"),
        runs=(*others, alone),
        lone_runs=lone_runs(made.target().cases, [*others, alone]),
    )
    assert said in text.compare_text(evaluation, language)
    of_two_cases = replace(evaluation, runs=(*evaluation.runs, replace(others[0], case="D")))
    assert said.replace("steps.log", "steps.log @C") in text.compare_text(of_two_cases, language)
    rows = build(evaluation, tool_version="").runs
    assert [reason.code for row in rows for reason in row.doubts] == ["run_without_partner"]


def test_paper_says_how_many_figures_it_leaves_to_the_table() -> None:
    first = whole().run_figures[0]
    many = tuple(replace(first, id=f"R{n}", name=f"run/x{n}@training") for n in range(1, 41))
    text = html.document(replace(whole(), run_figures=many), language="en", digest="0" * 64, edition="paper")
    assert "32 shown; the other 8 are in tables/outside.csv." in text


def test_a_report_without_runs_has_no_such_table() -> None:
    bare = replace(whole(), runs=(), run_figures=())
    assert "Figures that the runs" not in html.document(bare, language="en", digest="0" * 64, edition="screen")
    assert text_logs.figures(bare, "en") == []


def test_an_interval_names_the_list_that_it_is_of(tmp_path: Path, pair: Evaluation) -> None:
    few = {"requests": 20, "output": 2560, "inputs": 20480}
    sides = [
        served(spent, ttfts=[begin + 0.001 * n for n in range(20)], **few)
        for spent, begin in (("40", 0.3), ("38", 0.2))
    ]
    goal = {"metric": "latency", "kind": "ttft", "statistic": "mean", "direction": "at_most", "subject": "ratio",
            "limit": "110%"}  # fmt: skip
    runs = Runs(before=(sides[0],), after=(sides[1],), goal=goal)
    row = figures(tmp_path / "figures", runs, pair)["latency", "ttft", "mean"].comparison
    judged = decide(tmp_path / "goal", runs, pair).judgement
    for origins in ([o for side in (row.before, row.after) if side is not None for o in side.origins], judged.origins):
        assert [origin.locator for origin in origins] == ["/mean_ttft_ms", "/ttfts"] * 2


@pytest.mark.parametrize(
    ("stated", "english", "chinese"),
    [
        (
            {"first_time": "2026-01-01 10:00:00", "last_time": "2026-01-01 10:00:30"},
            "from 2026-01-01 10:00:00 to 2026-01-01 10:00:30 by its own clock",
            "按文件自身时钟：2026-01-01 10:00:00 至 2026-01-01 10:00:30",
        ),
        # a log of one line has one moment
        (
            {"first_time": "2026-01-01 10:00:00", "last_time": "2026-01-01 10:00:00"},
            "2026-01-01 10:00:00 by its own clock",
            "按文件自身时钟：2026-01-01 10:00:00",
        ),
        ({"end_time": "20260101-100000"}, "20260101-100000 by its own clock", "按文件自身时钟：20260101-100000"),
        ({"backend": "vllm"}, "no date is written in it", "文件中没有写日期"),
    ],
)
def test_every_run_says_when_it_was_or_that_no_date_is_written(
    stated: dict[str, str], english: str, chinese: str
) -> None:
    row = replace(whole().runs[0], context=(("model", "Qwen3-8B"), *stated.items()))
    report = replace(whole(), runs=(row,))
    origins = {one.id: one.origin for one in report.origins}
    said: tuple[tuple[Language, str], ...] = (("en", english), ("zh", chinese))
    for language, expected in said:
        shown = Context(report=report, language=language, edition="screen", sections={}, origins=origins)
        (line,) = section_runs.runs(shown)
        assert line.dated == expected
        assert "model = Qwen3-8B" in line.stated
        assert "_time" not in line.stated  # said once
    assert expected in html.document(report, language="zh", digest="0" * 64, edition="screen")


def test_beside_a_change_of_speed_the_interval_says_whose_it_is() -> None:
    row = next(one for one in whole().run_figures if one.interval is not None and one.speed is not None)
    assert run_texts.figure_texts((), row, "en").interval.startswith("time [")
    assert run_texts.figure_texts((), row, "zh").interval.startswith("时间 [")


def test_a_small_number_of_a_log_is_not_printed_as_0() -> None:
    logged = Quantity(value=Fraction("0.00000125"), unit="1")
    assert text_logs._shown(logged, "logged", "en") == "1.25e-06"
    assert text_logs._shown(Quantity(value=0, unit="1"), "logged", "en") == "0"


def test_as_many_reservations_are_counted_as_are_listed() -> None:
    report = whole()
    assert report.verdict is not None
    assert report.verdict.reservations == len(wording.reservation_lines(report, "en"))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_value_of_each_of_several_runs_stands_in_explain_and_in_the_table(language: Language) -> None:
    first, *others = whole().run_figures
    assert isinstance(first.before, Number)
    each = tuple(
        replace(first.before, quantity=replace(first.before.quantity, value=value)) for value in (401234567, 402345678)
    )
    row = replace(first, runs_before=2, each_before=each, counts_before=(198, 1998), values_before=2196)
    report = replace(whole(), run_figures=(row, *others))
    said = explained.explanation(report, lookup.look_up(report, row.id), language)
    outside = csv.reader(io.StringIO(tables.render(report, language)["tables/outside.csv"].decode("utf-8-sig")))
    line = list(outside)[1]
    assert line[-1] == ""
    for digits in ("401234567", "402345678"):
        assert digits in said
        assert digits in line[-2]
    assert run_texts.figure_texts((), row, language).counts.startswith("198 + 1,998 / ")
    assert (others[0].each_before, others[0].each_after) == ((), ())
