"""What the sections take from the metric rows: whose rank, which values there are, what is lacking or doubtful."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reportgen.model import Missing, Reason
from reportgen.report import wording
from reportgen.report.document import MetricRow, Number, SideValue
from reportgen.report.translations import NBSP
from reportgen.report.view import Context

OF_A_SAMPLE = ("high_autocorrelation", "few_values", "few_independent_values", "one_value", "non_positive")
"""Doubts that are about the sample of one metric and rank."""
NAMED = 2
"""Metrics that a doubt names."""
STEP_METRICS = ("step_time", "device_span")
"""The metric that is the whole of the parts: with step markers, and without."""


def step_row(context: Context) -> MetricRow | None:
    """The row of the whole step, or of the device span, that the report looks at; None when there is none.

    Of the rows that goals were judged on it is the one that the verdict speaks of.
    """
    verdict = context.report.verdict
    led = {goal.metric_row for goal in context.report.goals if verdict is not None and goal.id == verdict.lead}
    for metric in STEP_METRICS:
        rows = [row for row in context.report.metrics if row.metric == metric and row.worst and has_both(row)]
        if rows:
            return next((row for row in rows if row.id in led), rows[0])
    return None


def has_both(row: MetricRow) -> bool:
    """Whether both sides have a value."""
    return isinstance(row.before.value, Number) and isinstance(row.after.value, Number)


def main_rank(context: Context) -> int | None:
    """The rank that page one looks at; the first where no step tells one."""
    whole, rows = step_row(context), context.report.metrics
    return whole.rank if whole is not None else rows[0].rank if rows else None


def rows_of(context: Context, metrics: Sequence[str]) -> tuple[MetricRow, ...]:
    """The rows of these metrics in the order of the report: on screen of all ranks, on paper of the main one."""
    found = tuple(row for row in context.report.metrics if row.metric in metrics)
    of_main = tuple(row for row in found if row.rank == main_rank(context))
    return (of_main or found) if context.paper else found


def has_value(row: MetricRow) -> bool:
    """Whether a side has a value."""
    return isinstance(row.before.value, Number) or isinstance(row.after.value, Number)


def _both_sides(row: MetricRow) -> tuple[tuple[str, SideValue], ...]:
    return ("BEFORE", row.before), ("AFTER", row.after)


def measured_from(context: Context, rows: Sequence[MetricRow]) -> str:
    """Which kind of file the values come from; empty without a value."""
    before, after = (
        tuple(dict.fromkeys(side.source for side in sides if side.source))
        for sides in ([row.before for row in rows], [row.after for row in rows])
    )
    return wording.measured_from(before, after, context.language)


def lacking(context: Context, rows: Sequence[MetricRow]) -> tuple[str, ...]:
    """What a section could not measure: a sentence for each reason, with the option that would supply it."""
    found: dict[tuple[str, str], tuple[dict[str, None], dict[str, None]]] = {}
    for row in rows:
        for name, side in _both_sides(row):
            if isinstance(side.value, Missing) and side.value.reason.code != "part_not_on_this_side":
                said = [side.value.reason, *([side.value.remedy] if side.value.remedy else [])]
                text = context.sentences(wording.say(reason, context.language) for reason in said)
                titles, sides = found.setdefault((wording.missing_word(side.value, context.language), text), ({}, {}))
                titles.setdefault(wording.metric_title(row.metric, context.language, row.part))
                sides.setdefault(name)
    whole = not any(has_value(row) for row in rows)
    return tuple(
        context.text(
            "%(what)s: %(word)s. %(text)s",
            what=wording.both_words(sides, context.language) if whole else _of_sides(context, titles, sides),
            word=word,
            text=text,
        )
        for (word, text), (titles, sides) in found.items()
    )


def _of_sides(context: Context, titles: Iterable[str], sides: Iterable[str]) -> str:
    """Metrics with the sides that lack them."""
    names = wording.listed(titles, context.language)
    return context.text("%(names)s, %(sides)s", names=names, sides=wording.both_words(sides, context.language))


def doubts(context: Context, rows: Sequence[MetricRow]) -> tuple[str, ...]:
    """What is to be known of the values, each once, with the metrics, ranks and sides it holds for.

    A doubt of every metric of the section names the sides alone; one that is about a sample names its metrics always.
    """
    every = {wording.metric_title(row.metric, context.language) for row in rows}
    several = len({row.rank for row in rows}) > 1
    found = []
    for name in ("BEFORE", "AFTER"):
        said = (
            ((wording.metric_title(row.metric, context.language), row.rank), reason)
            for row in rows
            for reason in dict(_both_sides(row))[name].warnings
        )
        found += [((text, titles, code), name) for titles, text, code in _grouped(context, said, several=several)]
    sides: dict[tuple[str, tuple[str, ...], str], list[str]] = {}
    for key, name in found:
        sides.setdefault(key, []).append(name)
    said_of = [(text, set(titles), set(names)) for (text, titles, _code), names in sides.items()]
    return tuple(
        context.text(
            "%(sides)s: %(text)s",
            sides=_of_sides(context, titles, names)
            if code in OF_A_SAMPLE or (len(titles) <= NAMED and not every <= set(titles))
            else wording.both_words(names, context.language),
            text=text,
        )
        for (text, titles, code), names in sides.items()
        if not any(text == wide and set(names) <= same and set(titles) < more for wide, more, same in said_of)
    )


def _grouped(
    context: Context, said: Iterable[tuple[tuple[str, int | None], Reason]], *, several: bool
) -> list[tuple[tuple[str, ...], str, str]]:
    """(titles with their ranks, sentence, code) of the doubts of one side."""
    by_code: dict[str, list[tuple[tuple[str, int | None], Reason]]] = {}
    for key, reason in said:
        by_code.setdefault(reason.code, []).append((key, reason))
    grouped = []
    for code, members in by_code.items():
        named = [
            (title if rank is None or not several or code not in OF_A_SAMPLE else f"{title} rank{NBSP}{rank}", reason)
            for (title, rank), reason in members
        ]
        grouped += [(names, text, code) for names, text in wording.gathered(named, context.language)]
    return grouped
