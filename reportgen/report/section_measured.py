"""Sections "Measurements" and "Where the step time went"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.model import Family
from reportgen.report import figures, fonts, numbers, said_statistics, spread, wording
from reportgen.report.build import own_section
from reportgen.report.document import GoalRow, MetricRow, Number
from reportgen.report.rows import STEP_METRICS, has_value, step_row
from reportgen.report.translations import Language
from reportgen.report.view import Cell, Context, Line, Where, cell, line, rank_words, ranks, whence

GROUPS = ("time", "shares", "communication", "counts", "memory", "pmu")
"""Order of the groups of metrics."""
SHEET, NAME, STATUS, SPACE = 176.0, 40.0, 30.5, 2.05
"""Of the table of all metrics on paper, in mm: its width, the least of its names, its last column, right of a cell."""
CELL, HEAD, POINT = 8.0, 7.4, 25.4 / 72
"""Type sizes in pt, and a point in mm."""


# ------------------------------------------------------------------------------------------- measurements
@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One goal judged."""

    id: str
    """Goal id."""
    title: str
    """Metric and rank."""
    limit: str
    """Limit."""
    value: Cell
    """Judged value."""
    alone: tuple[str, ...]
    """Both values, each alone, and the word that nothing is judged: where none may be made of the two; else empty."""
    rests: tuple[str, ...]
    """Ids of the rows that the value is of; empty where none has it."""
    origins: tuple[str, ...]
    """Ids of the origins of the values, where no row has them."""
    where: tuple[Where, ...]
    """These origins."""
    spread: str
    """Least and largest value of its metric over the ranks, of each side; empty with one rank."""
    interval: str
    """Its interval, or why there is none."""
    margin: str
    """Distance to the limit; empty without."""
    sign: str
    """Sign of the outcome."""
    outcome: str
    """Outcome."""
    why: str
    """Why, and what it rests on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricSection:
    """All metrics."""

    results: tuple[Result, ...]
    """Goals judged."""
    groups: tuple[tuple[str, tuple[Line, ...]], ...]
    """(heading, metrics)."""
    several: bool
    """Whether there are several ranks."""
    widths: tuple[float, ...]
    """Widths of the columns on paper in mm; empty where WeasyPrint is to find them, which costs it each cell twice."""


def measurements(context: Context, signs: dict[str, str]) -> MetricSection:
    """The section of the measurements.

    Args:
        context: the context.
        signs: sign before each outcome.
    """
    several = ranks(context.report) > 1
    rows = [row for row in context.report.metrics if row.worst or not context.paper]
    rows = [row for row in rows if not own_section(row.metric, row.part)]
    groups: dict[str, list[Line]] = {name: [] for name in GROUPS}
    for row in rows:
        groups[_group(row)].append(line(context, row))
    widths = _widths(context, [one for lines in groups.values() for one in lines])
    return MetricSection(
        results=tuple(_result(context, goal, signs) for goal in context.report.goals),
        groups=tuple(
            (wording.group_title(name, context.language), tuple(lines)) for name, lines in groups.items() if lines
        ),
        several=several,
        widths=widths,
    )


def _widths(context: Context, lines: Sequence[Line]) -> tuple[float, ...]:
    """What the figures of all metrics take; the names have the rest, if it is enough for them (print.css)."""
    if not context.paper or not context.comparing:
        return ()
    none = context.text("none")
    columns = (
        (context.text("unit"), "normal", [one.unit for one in lines]),
        ("BEFORE", "normal", [one.before.text for one in lines]),
        ("AFTER", "bold", [one.after.text for one in lines]),
        (context.text("delta"), "normal", [one.delta or none for one in lines]),
        (context.text("change"), "normal", [one.change or none for one in lines]),
        (context.text("95%% interval"), "normal", [one.interval for one in lines]),
    )
    found = []
    for head, weight, texts in columns:
        points = max((fonts.width(text, CELL, weight) for text in texts), default=0.0)
        found.append(max(points, fonts.width(head, HEAD)) * POINT + SPACE)
    rest = SHEET - STATUS - sum(found)
    return (rest, *found, STATUS) if rest >= NAME else ()


def _group(row: MetricRow) -> str:
    """The heading a row stands under; shares of a step apart."""
    return "shares" if row.metric.endswith("_share") and row.family is not Family.PMU else str(row.family)


def _result(context: Context, goal: GoalRow, signs: dict[str, str]) -> Result:
    """One goal judged."""
    language = context.language
    title = wording.goal_name(goal, language)
    if goal.rank is not None and ranks(context.report) > 1:
        title = context.text("%(name)s, %(rank)s", name=title, rank=rank_words(context, goal.rank))
    value = goal.value
    reasons = (goal.reason, *goal.reservations)
    said = [wording.say(reason, language) for reason in reasons]
    said += [] if wording.may_not_be_formed(context.report, goal) else [wording.estimate_sentence(goal, language)]
    unformed = wording.may_not_be_formed(context.report, goal)
    said += [] if unformed else [wording.goal_counts(goal, language)]
    said += [] if unformed else said_statistics.of_goal(context.report, goal, language)
    rests = goal_rests(context, goal)
    return Result(
        id=goal.id,
        title=title,
        limit=wording.goal_limit(goal, language),
        value=cell(context, value, wording.goal_value(goal, language)),
        alone=(*wording.goal_sides(goal, language), wording.not_judged_word(language)) if unformed else (),
        rests=rests,
        origins=() if rests else goal_origins(goal),
        where=() if rests else whence(context, (goal.before, goal.after, goal.value)),
        spread=_spread(context, goal),
        interval=wording.goal_interval_word(context.report, goal, language),
        margin=_margin(goal, language) if not unformed else "",
        sign=signs[wording.outcome_code(goal)] if context.judging else "",
        outcome=wording.goal_outcome(context.report, goal, language),
        why=wording.join(dict.fromkeys(filter(None, said)), language),
    )


def _spread(context: Context, goal: GoalRow) -> str:
    """The spread of the metric that a goal was judged on; empty where it was judged on another statistic."""
    row = spread.of_goal(context.report.metrics, goal)
    return "" if row is None else context.series(spread.words(row, context.language))


def _margin(goal: GoalRow, language: Language) -> str:
    """The distance to the limit, negative beyond it; between percentages in points; empty without one."""
    beyond = goal.margin is not None and goal.margin.quantity.value < 0
    return (numbers.MINUS if beyond else "") + wording.goal_margin(goal, language)


def goal_origins(goal: GoalRow) -> tuple[str, ...]:
    """Ids of the origins of a goal's values, for one that rests on no row of the report."""
    values = (goal.before, goal.after, goal.value)
    return tuple(dict.fromkeys(o for one in values if isinstance(one, Number) for o in one.origins))


def goal_rests(context: Context, goal: GoalRow) -> tuple[str, ...]:
    """The metric row, or else the operator type, that a goal was judged on; empty for values measured outside."""
    row = next((row for row in context.report.metrics if row.id == goal.metric_row), None)
    if row is not None:
        return (row.id,) if has_value(row) else ()
    if goal.measured_outside or not goal.part:
        return ()
    kinds = (kind for kind in context.report.operators if (kind.type, kind.rank) == (goal.part, goal.rank))
    return tuple(kind.id for kind in kinds)


# ------------------------------------------------------------------------------------------- parts of a step
@dataclass(frozen=True, slots=True, kw_only=True)
class PartLine:
    """One part of a step, as a mean."""

    name: str
    """Part."""
    rows: tuple[MetricRow, ...]
    """Its metric row and that of its share."""
    before: Cell
    """BEFORE."""
    after: Cell
    """AFTER."""
    delta: str
    """Difference; empty when there is none."""
    shares: tuple[Cell, Cell]
    """Share of the step on both sides."""
    whole: bool
    """The sum."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSection:
    """Where the step time went."""

    steps: figures.Figure
    """Figure of the steps, where page one has no room for it."""
    figure: figures.Figure
    """Figure."""
    parts: tuple[PartLine, ...]
    """Parts, then the whole; empty without one."""
    unit: str
    """Unit of the table."""
    rank: str
    """Whose step it is."""


def steps(context: Context, moved: figures.Figure) -> StepSection:
    """The section of the step's parts.

    Args:
        context: the context.
        moved: figure of the steps, where page one has no room for it.
    """
    whole = step_row(context)
    figure = figures.breakdown(context)
    rows = figures.step_parts(context, whole) if whole is not None else None
    if whole is None or rows is None:
        return StepSection(steps=moved, figure=figure, parts=(), unit="", rank="")
    texts = figures.part_texts(context, whole, rows)
    shares = {row.metric: row for row in context.report.metrics if row.rank == whole.rank}
    lines = [_part_line(context, row, texts, shares.get(f"{row.metric}_share")) for row in rows]
    lines.append(_part_line(context, whole, texts, None))
    rank = rank_words(context, whole.rank)
    return StepSection(steps=moved, figure=figure, parts=tuple(lines), unit=texts.unit, rank=rank)


def _part_line(context: Context, row: MetricRow, texts: numbers.RowTexts, share: MetricRow | None) -> PartLine:
    """One part, in the unit and decimals of the whole."""
    means = [figures.mean_of(row, side) for side in figures.SIDES]
    known = [mean for mean in means if mean is not None]
    formed = len(known) == len(means) and not wording.is_blocked(context.report, row)
    delta = texts.figure(known[1] - known[0], signed=True) if formed else "–"
    before, after = (Cell(text=texts.figure(mean)) if mean is not None else Cell(text="–") for mean in means)
    cells = [Cell(text="100%"), Cell(text="100%")]
    if share is not None:
        values = (share.before.value, share.after.value)
        cells = [
            cell(context, v, numbers.format_change(v.quantity, signed=False) if isinstance(v, Number) else "")
            for v in values
        ]
    return PartLine(
        name=wording.metric_title(row.metric, context.language),
        rows=(row,) if share is None else (row, share),
        before=before,
        after=after,
        delta=delta,
        shares=(cells[0], cells[1]),
        whole=row.metric in STEP_METRICS,
    )
