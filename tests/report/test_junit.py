"""The verdict for a build server: nothing but a goal that is met, and a verdict that is met, may show green."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from report.sample_report import sample_report
from reportgen.model import Outcome, PairStanding, Reason, VerdictWord
from reportgen.report import junit
from reportgen.report.document import Report

WHOLE = "verdict"


def ended(report: Report, language: str) -> dict[str, tuple[str, str]]:
    """Name of each test -> how it ended (``passed``, ``failure``, ``error``) and its type."""
    found = {}
    for case in ET.fromstring(junit.render(report, language)).iter("testcase"):
        faults = [child for child in case if child.tag in ("failure", "error", "skipped")]
        assert len(faults) <= 1
        found[case.attrib["name"]] = (faults[0].tag, faults[0].attrib["type"]) if faults else ("passed", "")
    return found


def with_goals(report: Report, *outcomes: Outcome) -> Report:
    """The report with its first goal repeated, once for each outcome."""
    first = report.goals[0]
    goals = tuple(replace(first, id=f"goal-{n}", outcome=outcome) for n, outcome in enumerate(outcomes))
    return replace(report, goals=goals)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_of_a_report_that_is_met_every_test_passes(language: str) -> None:
    report = sample_report("met")
    assert report.verdict is not None
    found = ended(report, language)
    assert set(found) == {goal.id for goal in report.goals} | {WHOLE}
    assert set(found.values()) == {("passed", "")}


def test_each_outcome_has_its_colour_and_none_but_met_is_green() -> None:
    """Skipped would be shown as green; what cannot be known is an error."""
    found = ended(with_goals(sample_report("met"), *Outcome), "en")
    assert [found[f"goal-{n}"] for n, _ in enumerate(Outcome)] == [
        ("passed", ""),
        ("failure", "not_met"),
        ("error", "undecided"),
        ("error", "not_applicable"),
    ]


@pytest.mark.parametrize("word", list(VerdictWord))
def test_goals_that_are_all_met_do_not_make_the_verdict_green(word: VerdictWord) -> None:
    """A workload that is not as agreed leaves a verdict undecided whose goals are all met."""
    report = sample_report("met")
    assert report.verdict is not None
    verdict = replace(report.verdict, word=word, reason=Reason.of("pair_cannot_be_shown"))
    wanted = {
        VerdictWord.MET: ("passed", ""),
        VerdictWord.NOT_MET: ("failure", "not_met"),
        VerdictWord.UNDECIDED: ("error", "undecided"),
        VerdictWord.NOT_COMPARABLE: ("error", "not_comparable"),
    }
    assert ended(replace(report, verdict=verdict), "en")[WHOLE] == wanted[word]


def test_a_goal_that_fails_with_another_says_so_and_not_its_own_value() -> None:
    report = sample_report("met")
    why = Reason.of("subject_to_not_met", goal="G3")
    goal = replace(report.goals[0], outcome=Outcome.NOT_MET, reason=why, margin=None, unlike=True)
    found = ET.fromstring(junit.render(replace(report, goals=(goal,)), "en")).find("testsuite/testcase/failure")
    assert found is not None
    assert (found.get("type"), found.get("message", "").endswith("It also asks for goal G3, which is not met.")) == (
        "not_met", True)  # fmt: skip


def test_of_captures_that_are_not_comparable_no_goal_passes() -> None:
    report = sample_report("not_comparable")
    assert report.comparability.standing is PairStanding.NOT_COMPARABLE
    met = replace(report, goals=tuple(replace(goal, outcome=Outcome.MET) for goal in report.goals))
    for shown in (report, met):
        assert set(ended(shown, "en").values()) == {("error", "not_comparable")}


def test_the_counts_are_those_of_the_tests() -> None:
    root = ET.fromstring(junit.render(with_goals(sample_report("not_met"), *Outcome), "en"))
    goals, whole = root.findall("testsuite")
    assert (goals.attrib["tests"], goals.attrib["failures"], goals.attrib["errors"]) == ("4", "1", "2")
    assert (whole.attrib["tests"], whole.attrib["failures"], whole.attrib["errors"]) == ("1", "1", "0")
    assert (root.attrib["tests"], root.attrib["failures"], root.attrib["errors"]) == ("5", "2", "2")


@pytest.mark.parametrize("name", ["a\x00b", "a\x1bb", "a\ufffeb", "<b>&\"'", "a]]>b"])
def test_a_hostile_name_leaves_the_file_readable(name: str) -> None:
    report = sample_report("met")
    named = replace(report, goals=(replace(report.goals[0], id=name, case=name),))
    (first, _) = ET.fromstring(junit.render(named, "en")).iter("testcase")
    kept = first.attrib["name"]
    assert kept == name or "\\" in kept


def test_made_twice_it_is_the_same_bytes() -> None:
    report = sample_report("met")
    assert junit.render(report, "zh") == junit.render(report, "zh")
