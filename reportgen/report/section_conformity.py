"""Section "Conformity": every goal by contract clause, and one metric over several cases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from reportgen.model import Missing
from reportgen.report import numbers, wording
from reportgen.report.document import GoalRow, Number, RatioRow
from reportgen.report.section_measured import goal_origins, goal_rests
from reportgen.report.view import Cell, Context


@dataclass(frozen=True, slots=True, kw_only=True)
class ConformityLine:
    """One goal."""

    clause: str
    """Contract clause; empty where it is that of the line above."""
    case: str
    """Case id."""
    required: str
    """Metric, statistic and limit."""
    measured: Cell
    """Judged value, or the word in its place."""
    tag: str
    """How it was had; empty without a value."""
    interval: str
    """Its interval; empty without one."""
    sign: str
    """Sign of the outcome."""
    outcome: str
    """Outcome."""
    goal: str
    """Goal id, which stands in the target."""
    rests: tuple[str, ...]
    """Ids of the metric row or operator type that the value is of, or of its origins."""
    linked: bool
    """Whether these ids are rows of the report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverCases:
    """One metric over its cases."""

    title: str
    """Metric, kind and statistic."""
    cases: tuple[tuple[str, Cell, str], ...]
    """(case, AFTER / BEFORE, whether it lost)."""
    mean: Cell
    """Geometric mean, or why there is none."""
    said: str
    """The worst case, and how many lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConformitySection:
    """The section."""

    lines: tuple[ConformityLine, ...]
    """Goals by clause."""
    ratios: tuple[OverCases, ...]
    """Metrics that several cases have goals on."""
    undecided: int
    """Goals that are undecided."""


def conformity(context: Context, signs: Mapping[str, str]) -> ConformitySection | None:
    """The section; None without goals.

    Args:
        context: the context.
        signs: sign before each outcome.
    """
    block = context.report.conformity
    if block is None or not block.goals:
        return None
    goals = {goal.id: goal for goal in context.report.goals}
    lines: list[ConformityLine] = []
    clause = ""
    for identity in block.goals:
        goal = goals[identity]
        lines.append(_line(context, goal, signs, "" if goal.clause == clause and lines else goal.clause))
        clause = goal.clause
    return ConformitySection(
        lines=tuple(lines),
        ratios=tuple(_over(context, row) for row in block.ratios),
        undecided=sum(goal.outcome == "undecided" for goal in goals.values()),
    )


def _line(context: Context, goal: GoalRow, signs: Mapping[str, str], clause: str) -> ConformityLine:
    language = context.language
    unformed = wording.may_not_be_formed(context.report, goal)
    value = wording.not_judged_word(language) if unformed else wording.goal_value(goal, language)
    rows = (goal.metric_row,) if goal.metric_row else goal_rests(context, goal)
    return ConformityLine(
        clause=clause,
        case=goal.case,
        required=wording.required_text(goal, language),
        measured=Cell(text=value, missing=unformed or isinstance(goal.value, Missing)),
        tag="" if unformed else wording.goal_tag(goal, language),
        interval="" if unformed else wording.goal_interval(goal, language),
        sign=signs[wording.outcome_code(goal)] if context.judging else "",
        outcome=wording.goal_outcome(context.report, goal, language),
        goal=goal.id,
        rests=rows or goal_origins(goal),
        linked=bool(rows),
    )


def _over(context: Context, row: RatioRow) -> OverCases:
    language = context.language
    known = sum(isinstance(case.ratio, Number) for case in row.cases)
    said = [context.text("No case has a ratio.")]
    if known:
        said = [
            context.text(
                "Worst of the %(known)s with a ratio, of %(total)s agreed: %(case)s.",
                known=known,
                total=len(row.cases),
                case=row.worst,
            ),
            context.text("AFTER is worse in %(n)s: %(cases)s.", n=len(row.losers), cases=", ".join(row.losers))
            if row.losers
            else context.text("AFTER is worse in none of them."),
        ]
    title = wording.titled(row.metric, row.part, row.kind, language)
    heads = (title, wording.statistic_word(row.statistic, language), row.matrix)
    return OverCases(
        title=", ".join(filter(None, heads)),
        cases=tuple(
            (
                case.case,
                _cell(context, case.ratio),
                context.text("worse") if case.case in row.losers else context.text("fixed value") if case.fixed else "",
            )
            for case in row.cases
        ),
        mean=_cell(context, row.mean),
        said=wording.join(said, language),
    )


def _cell(context: Context, value: Number | Missing) -> Cell:
    if isinstance(value, Missing):
        why = wording.clause(value.reason, context.language)
        return Cell(text=context.text("cannot be known: %(why)s", why=why), missing=True)
    ratio = Fraction(value.quantity.value)
    return Cell(text=numbers.format_ratio(ratio, decimals=numbers.decimals_from_one([ratio], 3)))
