"""Page one's lists: whole items only, and how many stand elsewhere."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

import pytest

from reportgen.model import Missing, MissingKind, Outcome, Quantity, Reason
from reportgen.report import fonts, page_one
from reportgen.report.document import Number, Report
from reportgen.report.view import Context
from tests.report.sample_report import sample_report

ITEMS = ["the first of them all", "the second of them", "the third, and last, which is the longest by far"]


def context(language: str) -> Context:
    """What a list asks for: the language, and the number of the section that holds every item."""
    nothing = cast("Any", None)
    return Context(report=nothing, language=language, edition=nothing, sections={"gaps": 9}, origins={})


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "the first of them all; the second of them; the third, and last, which is the longest by far"),
        ("en", "the first of them all; the second of them; 1 more in section 9."),
        ("en", "the first of them all; 2 more in section 9."),
        ("zh", "the first of them all；the second of them；其余 1 项见第 9 节。"),
        ("zh", "the first of them all；其余 2 项见第 9 节。"),
    ],
)
def test_a_list_ends_at_a_whole_item_in_a_room_that_holds_just_that(language: str, expected: str) -> None:
    room = fonts.width(expected.replace("\u2060", ""), page_one.BODY)
    said = page_one._whole_items(context(language), ITEMS, room * 1.02)
    assert said.replace("\u00a0", " ").replace("\u2060", "") == expected


def test_an_item_wider_than_the_room_is_cut_and_says_so() -> None:
    room = fonts.width("the first of them...", page_one.BODY)
    assert page_one._whole_items(context("en"), ITEMS, room) == "the first of them..."


def test_a_device_span_in_place_of_a_step_time_is_called_so() -> None:
    report = sample_report("not_comparable")
    goal = next(goal for goal in report.goals if goal.metric == "step_time")
    spans = tuple(replace(row, metric="device_span") if row.id == goal.metric_row else row for row in report.metrics)
    for metrics, expected in ((report.metrics, "step time"), (spans, "device span")):
        shown = Context(
            report=replace(report, goals=(goal,), metrics=metrics), language="en", edition="paper", sections={},
            origins={row.id: row.origin for row in report.origins},
        )  # fmt: skip
        assert page_one._rows(shown)[0].name.startswith(expected)


def test_a_goal_without_a_value_leads_to_the_origins_of_both_sides() -> None:
    report = sample_report("not_comparable")
    goal = next(goal for goal in report.goals if isinstance(goal.before, Number) and isinstance(goal.after, Number))
    none = Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("pair_not_comparable", keys="x"))
    shown = Context(
        report=replace(report, goals=(replace(goal, value=none),)), language="en", edition="paper", sections={},
        origins={row.id: row.origin for row in report.origins},
    )  # fmt: skip
    listed = {one for where in page_one._rows(shown)[0].where for one in where.id.split(", ")}
    assert isinstance(goal.before, Number)
    assert isinstance(goal.after, Number)
    assert listed == {*goal.limit.origins, *goal.before.origins, *goal.after.origins}


def test_a_goal_on_another_statistic_shows_its_own_figures_and_says_which() -> None:
    """The largest steps are 240 and 171 ms, 28.75 % less; the row of the metric shows medians and their interval."""
    report = sample_report("met")
    goal = next(goal for goal in report.goals if goal.metric == "step_time" and goal.subject == "after")
    assert isinstance(goal.before, Number)

    def number(value: int | Fraction, unit: str = "ns") -> Number:
        return Number(quantity=Quantity(value=value, unit=unit), origins=goal.limit.origins)

    own = replace(
        goal, statistic="max", value=number(171_000_000), interval=None, before=number(240_000_000),
        after=number(171_000_000), delta=number(-69_000_000), change=number(Fraction(-69, 240), "1"),
    )  # fmt: skip
    shown = Context(
        report=replace(report, goals=(own,)), language="en", edition="paper", sections={},
        origins={row.id: row.origin for row in report.origins},
    )  # fmt: skip
    row = page_one._rows(shown)[0]
    texts = [text.replace("\u00a0", " ") for text in (row.before.text, row.after.text, row.delta, row.change)]
    assert texts == ["240.0 ms", "171.0 ms", "−69.0 ms", "−28.8%"]  # half to even
    assert (row.interval, row.turn) == ("", "")
    assert "maximum" in row.name


@pytest.mark.parametrize(
    ("language", "expected"),
    [("en", "at most 170 ms (2 goals alike)."), ("zh", "不超过 170 ms（共 2 项同样的目标）。")],
)
def test_goals_that_read_alike_are_told_once_with_their_number(language: str, expected: str) -> None:
    """Cells of a matrix have the same words; what tells them apart stands in the section of the target."""
    report = sample_report("met")
    goal = next(goal for goal in report.goals if goal.metric == "step_time")
    shown = Context(
        report=replace(report, goals=(goal, replace(goal, id="other"))), language=language, edition="screen",
        sections={"target": 2}, origins={},
    )  # fmt: skip
    said = page_one._agreed(shown).replace("\u00a0", " ").replace("\u2060", "")
    assert expected in said
    assert said.count("170 ms") == 1


def test_rows_that_had_no_room_are_counted() -> None:
    report = sample_report("met")
    made = Context(
        report=report, language="en", edition="paper", sections=defaultdict(int),
        origins={row.id: row.origin for row in report.origins},
    )  # fmt: skip
    whole = page_one._whole(made)
    fitted, _moved = page_one._fitted(made, whole, page_one.Fit(rows=1, ranks=0, brief=True))
    assert (len(fitted.rows), len(whole.rows) > 1) == (1, True)
    assert fitted.more == whole.more + len(whole.rows) - 1


def six_goals(last: str) -> Report:
    """Six goals of three cases, the last of them as told; the others are met."""
    report = sample_report("met")
    met = next(goal for goal in report.goals if goal.outcome == "met")
    goals = [replace(met, id=f"goal-{n}-of-a-long-name", case=f"case-{n // 2}", tag="unprofiled") for n in range(6)]
    goals[5] = replace(goals[5], outcome=Outcome(last))
    return replace(report, goals=tuple(goals))


@pytest.mark.parametrize(("last", "kept"), [("met", 1), ("not_met", 6)])
def test_of_a_page_that_comes_out_too_high_goals_that_are_met_give_way_from_the_last(last: str, kept: int) -> None:
    report = six_goals(last)
    paper = Context(
        report=report, language="en", edition="paper", sections=defaultdict(lambda: 7),
        origins={row.id: row.origin for row in report.origins},
    )  # fmt: skip
    shown = [page_one.page_one(paper, tight=tight)[0] for tight in (0, 1, 2, 3, 20)]
    counts = [len(one.rows) for one in shown]
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] == kept  # a goal that is not met never gives way, nor what stands before it
    assert {one.more + len(one.rows) for one in shown} == {shown[0].more + len(shown[0].rows)}
