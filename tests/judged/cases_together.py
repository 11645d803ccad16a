"""One metric over several cases: a mean of ratios, and why there is none."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from report.sample_report import sample_report

from judged.case import Judged
from reportgen.model import Missing, MissingKind, Quantity, Reason
from reportgen.report.conformity import conformity
from reportgen.report.document import Number

CHANGE = Number(quantity=Quantity(value=Fraction(-1, 5), unit="1"), origins=("O1",))
"""AFTER is a fifth shorter: a ratio of 0.8."""
GONE = Number(quantity=Quantity(value=-1, unit="1"), origins=("O1",))
"""AFTER is 0: a ratio of 0."""
LACKING = Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of("before_zero"))


def over(first: dict[str, Any], second: dict[str, Any]) -> object:
    """The same goal in cases A and B."""
    goal = replace(sample_report().goals[0], change=CHANGE, metric_row="")
    goals = [replace(goal, case="A", id="A", **first), replace(goal, case="B", id="B", **second)]
    return conformity(goals, {}, {"A": "", "B": ""})


CASES: tuple[Judged, ...] = (
    Judged(
        title="one of two cases has no ratio",
        give=lambda _root: over({}, {"change": LACKING}),
        code="mean_over_fewer",
        args={"n": "1", "of": "2", "lacking": "B"},
        why="case B has none",
    ),
    Judged(
        title="a ratio of 0",
        give=lambda _root: over({}, {"change": GONE}),
        code="mean_of_zero",
        why="a geometric mean of 0.8 and 0 does not exist",
    ),
    Judged(
        title="a case without BEFORE",
        give=lambda _root: over({}, {"baseline": "none"}),
        code="no_before_agreed",
        why="the case says so",
    ),
)
