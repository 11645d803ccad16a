"""A difference that blocks times: both sides are shown, and nothing of them is formed, in no output."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from html import unescape

import pytest

from reportgen.model import Family, Reason
from reportgen.report import explained, html, junit, tables, text, wording
from reportgen.report.document import Report
from reportgen.report.lookup import look_up
from tests.report.sample_report import sample_report
from tests.report.test_html import DIGEST

STACK = Reason.of("family_blocked", family="time", keys="profiler_info.with_stack")
FORMED = ("−69.70 ms", "−69.7 ms", "−30.3%", "[−30.6%, −30.0%]")
"""Step time of the sample: 230.1 ms -> 160.4 ms."""


def blocked() -> Report:
    """The sample as it is built where times are blocked: no speed, and no step taken apart."""
    report = sample_report()
    rows = tuple(replace(row, blocked=(STACK,)) if row.family is Family.TIME else row for row in report.metrics)
    whole = tuple(replace(row, blocked=(STACK,), parts=()) for row in report.attributions)
    goals = tuple(replace(goal, speed=None) for goal in report.goals)
    rows = tuple(replace(row, speed=None) if row.family is Family.TIME else row for row in rows)
    return replace(report, metrics=rows, attributions=whole, goals=goals)


def printed(report: Report, edition: str) -> str:
    page = html.document(report, language="en", digest=DIGEST, edition=edition)  # type: ignore[arg-type]
    return unescape(re.sub("<[^>]*>", " ", page)).replace("\u00a0", " ")


@pytest.mark.parametrize("edition", ["screen", "paper"])
def test_no_page_forms_a_change_of_times(edition: str) -> None:
    said = printed(sample_report(), edition)
    assert [one for one in FORMED if one in said]
    kept = printed(blocked(), edition)
    assert [one for one in FORMED if one in kept] == []
    assert "230.10 ms" in kept
    assert "160.40 ms" in kept
    assert "No figure: times of the two sides are not compared." in kept


def test_without_a_target_the_change_stands_beside_its_block() -> None:
    """Nothing is judged there: the sides stand side by side, and each row says why it has no verdict."""
    report = blocked()
    row = next(row for row in report.metrics if row.metric == "step_time")
    assert wording.is_blocked(report, row)
    assert not wording.is_blocked(replace(report, contract=None), row)


def test_no_table_forms_one() -> None:
    found = tables.render(blocked(), "en")
    for name, heads in (("metrics", ("delta", "change")), ("operators", ("total time of a step, delta",))):
        lines = list(csv.DictReader(io.StringIO(found[f"tables/{name}.csv"].decode("utf-8-sig"), newline="")))
        times = [line for line in lines if name == "operators" or line["metric"] == "step time"]
        assert times
        assert {line[head] for line in times for head in heads} == {"–"}
    (count,) = {line["change"] for line in csv.DictReader(io.StringIO(found["tables/metrics.csv"].decode("utf-8-sig")))
                if line["metric"] == "kernel count per step"}  # fmt: skip
    assert count != "–"  # counts are another family


@pytest.mark.parametrize("subject", ["ratio", "delta"])
def test_a_goal_on_both_sides_shows_each_alone(subject: str) -> None:
    report = blocked()
    goal = replace(report.goals[0], subject=subject)  # type: ignore[arg-type]
    report = replace(report, goals=(goal, *report.goals[1:]))
    row = next(row for row in report.metrics if row.id == goal.metric_row)
    for said in (text.report_text(report, "en"), explained.explanation(report, look_up(report, row.name), "en"),
                 junit.render(report, "en").decode("utf-8")):  # fmt: skip
        assert "−30.3%" not in said
    assert "not judged" in text.report_text(report, "en")
