"""The verdict as a JUnit file, for the servers that run builds: one test for each goal, and one for the whole.

A test passes where its goal is met and in no other case: a goal that is not met is a failure; one that is undecided,
does not apply, or is of two captures that are not comparable is an error, never skipped, since a server shows what is
skipped as green. The test ``verdict`` passes only where the verdict is met: the goals alone may all be met while
something else leaves the whole undecided. There are no times in the file; none was measured.

Format: the common denominator of Ant's and Maven Surefire's schemas (``testsuites/testsuite/testcase`` with
``failure`` or ``error``).
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from reportgen.model import Outcome, PairStanding, VerdictWord
from reportgen.plain import printable
from reportgen.report import wording
from reportgen.report.document import GoalRow, Report
from reportgen.report.translations import Language

WHOLE = "verdict"
"""Suite and name of the test of the whole."""
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report, language: Language) -> bytes:
    """The JUnit file of a report with a verdict; the suites are the cases of the target in its order, the whole last.

    Returns:
        UTF-8 XML; the same report and language give the same bytes.
    """
    assert report.verdict is not None
    suites: dict[str, list[ET.Element]] = {}
    for goal in report.goals:
        suites.setdefault(goal.case, []).append(_goal(report, goal, language))
    root = ET.Element("testsuites", name="reportgen")
    for case, tests in suites.items():
        root.append(_suite(_text(case), tests))
    root.append(_suite(WHOLE, [_whole(report, language)]))
    for key in ("tests", "failures", "errors"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in root)))
    ET.indent(root)
    text: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _suite(name: str, tests: list[ET.Element]) -> ET.Element:
    """A suite with its counts."""
    suite = ET.Element("testsuite", name=name, tests=str(len(tests)))
    suite.set("failures", str(sum(test.find("failure") is not None for test in tests)))
    suite.set("errors", str(sum(test.find("error") is not None for test in tests)))
    suite.set("skipped", "0")
    suite.extend(tests)
    return suite


def _goal(report: Report, goal: GoalRow, language: Language) -> ET.Element:
    """The test of one goal: what was agreed, what was judged, and why it did not pass."""
    test = ET.Element("testcase", classname=_text(goal.case), name=_text(goal.id))
    value = (
        wording.not_judged_word(language)
        if wording.may_not_be_formed(report, goal)
        else wording.goal_value(goal, language)
    )
    comparable = report.comparability.standing is not PairStanding.NOT_COMPARABLE
    words = [wording.goal_text(goal, language), value, wording.goal_outcome(report, goal, language)]
    if not comparable or goal.outcome is not Outcome.MET:
        failed = comparable and goal.outcome is Outcome.NOT_MET
        reason = goal.reason if comparable else report.verdict.reason if report.verdict else goal.reason
        by_value = failed and goal.margin is not None
        _say(test, "failure" if failed else "error", wording.outcome_code(goal) if comparable else "not_comparable",
             words[:2] if by_value else [words[0], wording.say(reason, language)])  # fmt: skip
    ET.SubElement(test, "system-out").text = _text("\n".join(filter(None, words)))
    return test


def _whole(report: Report, language: Language) -> ET.Element:
    """The test of the verdict."""
    verdict = report.verdict
    assert verdict is not None
    test = ET.Element("testcase", classname=WHOLE, name=WHOLE)
    sentence = wording.verdict_sentence(report, language)
    if verdict.word is not VerdictWord.MET:
        kind = "failure" if verdict.word is VerdictWord.NOT_MET else "error"
        _say(test, kind, verdict.word.value, [wording.verdict_word(verdict.word, language)])
    lines = (sentence, *wording.verdict_subline(report, language), *wording.reservation_lines(report, language))
    ET.SubElement(test, "system-out").text = _text("\n".join(filter(None, lines)))
    return test


def _say(test: ET.Element, kind: str, code: str, words: list[str]) -> None:
    """Add why a test did not pass."""
    ET.SubElement(test, kind, type=code, message=_text(": ".join(filter(None, words))))


def _text(text: str) -> str:
    """The text; where it holds what XML cannot, with every such character as its escape."""
    if not _NOT_IN_XML.search(text):
        return text
    return _NOT_IN_XML.sub(lambda found: f"\\u{ord(found.group()):04x}", printable(text))
