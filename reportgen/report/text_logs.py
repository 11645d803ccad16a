"""What ``compare`` prints of runs outside the profile: every figure that both sides give, side by side, unjudged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from reportgen import samples, units
from reportgen.model import Evaluation, LoggedRun, Quantity, Side
from reportgen.report import messages, messages_cases, numbers, run_texts, wording
from reportgen.report.document import Number, Report, RunFigureRow, Value
from reportgen.report.translations import Language
from reportgen.report.translations import message as _

SMALL = Fraction(1, 100)
"""Plain numbers below it are printed with their digits, not as 0.00."""
Key = tuple[str, str, str]
"""Metric, kind, statistic."""


def figures_of(run: LoggedRun) -> dict[Key, Quantity]:
    """The figures of a run: those of its producer, and mean and median over all values of a series without one.

    Of values that are means over several steps each only the mean, weighted by their steps.
    """
    found = {(v.metric, v.kind, v.statistic): v.value for v in run.run.values}
    for series in run.run.series:
        values = [Fraction(value) for value in series.sample.values]
        if not values:
            continue
        total = sum((v * w for v, w in zip(values, series.weights, strict=True)), Fraction(0))
        made = {"mean": total / sum(series.weights)}
        if set(series.weights) == {1}:
            made["median"] = samples.median(values)
        for statistic, value in made.items():
            quantity = Quantity(value=units.exact(value), unit=series.sample.unit)
            found.setdefault((series.metric, series.kind, statistic), quantity)
    return found


def single_runs(runs: Sequence[LoggedRun], shown: Sequence[RunFigureRow], language: Language) -> list[list[str]]:
    """Head and rows of a table: metric, statistic, and what each run of BEFORE and of AFTER says.

    Args:
        runs: of all cases.
        shown: figures of both sides that stand in a table of their own; of one run a side they are not printed twice.
        language: as everywhere.

    Returns:
        Empty where no further figure is given by both sides.
    """
    printed = {(row.case, row.metric, row.kind, row.statistic): (row.before, row.after) for row in shown
               if (row.runs_before, row.runs_after) == (1, 1)}  # fmt: skip
    every = [run for side in Side for run in runs if run.side is side]
    told = [figures_of(run) for run in every]
    split = sum(run.side is Side.BEFORE for run in every)
    keys = [
        key
        for key in dict.fromkeys(key for one in told for key in one)
        if any(key in one for one in told[:split])
        and any(key in one for one in told[split:])
        and not all(_stands(printed, run, key, one[key]) for run, one in zip(every, told, strict=True) if key in one)
    ]
    rows = [
        [
            wording.run_title(metric, kind, language),
            wording.statistic_word(statistic, language),
            *(_shown(one.get((metric, kind, statistic)), numbers.hint_of(metric, kind), language) for one in told),
        ]
        for metric, kind, statistic in keys
    ]
    if not rows:
        return []
    heads = [f"{wording.side_word(run.side)} {run.run.file.path}" for run in every]
    return [[_(messages_cases.LOG_METRIC, language), _(messages_cases.LOG_STATISTIC, language), *heads], *rows]


def _stands(printed: Mapping[tuple[str, str, str, str], tuple[Value, Value]], run: LoggedRun, key: Key,
            value: Quantity) -> bool:  # fmt: skip
    """Whether the figure of a run stands in the table of both sides, with the same value: no step is left out there."""
    sides = printed.get((run.case, *key))
    held = sides[run.side is Side.AFTER] if sides is not None else None
    return isinstance(held, Number) and Fraction(held.quantity.value) == value.value


def _shown(value: Quantity | None, hint: str, language: Language) -> str:
    if value is None:
        return _(messages_cases.NO_FIGURE, language)
    exact = Fraction(value.value)
    if value.unit == "1" and 0 < abs(exact) < SMALL:
        return f"{float(exact):.3g}"  # a learning rate is no 0
    return numbers.format_value(value, metric_unit_hint=hint, language=language)


# --------------------------------------------------------------------------------------------- figures of both sides
def figures(report: Report, language: Language) -> list[list[str]]:
    """Head and rows of a table: id, figure, both sides, change with its interval, ratio, runs and values, word.

    Returns:
        Empty without figures that both sides give.
    """
    several = len({row.case for row in report.run_figures}) > 1
    rows = []
    for row in report.run_figures:
        texts = run_texts.figure_texts(report.known_spreads, row, language)
        none = _(messages_cases.NO_FIGURE, language)
        name = f"{texts.name} @{row.case}" if several else texts.name
        change = " ".join(filter(None, (texts.change, texts.interval))) or none
        rows.append(
            [
                row.id,
                name,
                texts.before,
                texts.after,
                change,
                texts.ratio or none,
                texts.counts.replace("×", "x"),
                texts.word,
            ]
        )
    heads = ["", *(_(head, language) for head in messages_cases.RUN_HEADS)]
    return [heads, *rows] if rows else []


def reasons(report: Report, language: Language) -> list[str]:
    """Why nothing is told of figures, and what stands beside their words; a line each with the figures it is of."""
    said = (*run_texts.reasons(report.run_figures, language), *run_texts.caveats(report.run_figures, language))
    return [f"{ids}: {sentence}" for ids, sentence in said]


def alone(evaluation: Evaluation, language: Language) -> list[str]:
    """Files of which no figure is among those of both sides, a line each: why, and what their reader left out."""
    several = len({run.case for run in evaluation.runs}) > 1
    left_out = {(run.case, run.side, run.run.file.path, run.run.segment): run.run.left_out for run in evaluation.runs}
    return [
        _(
            messages.COLON,
            language,
            name=f"{wording.side_word(one.side)} {one.file}" + (f" @{one.case}" if several else ""),
            text=wording.join(
                (
                    wording.say(reason, language)
                    for reason in (one.reason, *left_out[one.case, one.side, one.file, one.segment])
                ),
                language,
            ),
        )
        for one in evaluation.lone_runs
    ]
