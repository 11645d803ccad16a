"""What ``compare`` prints of runs outside the profile: every figure that both sides give, side by side, unjudged."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from reportgen import samples, units
from reportgen.model import LoggedRun, Quantity, Side
from reportgen.report import messages_cases, numbers, text_runs, wording
from reportgen.report.translations import Language
from reportgen.report.translations import message as _

Key = tuple[str, str, str]
"""Metric, kind, statistic."""


def figures(run: LoggedRun) -> dict[Key, Quantity]:
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


def compared_runs(runs: Sequence[LoggedRun], language: Language, *, apart: bool = False) -> list[list[str]]:
    """Head and rows of a table: metric, statistic, each run of BEFORE and of AFTER, and AFTER / BEFORE.

    The ratio stands where each side has one run and both have the same definitions; else the word for none, or that
    runs which are shown not to be alike (``apart``) are not comparable.

    Returns:
        Empty where no figure is given by both sides.
    """
    sides = {side: [run for run in runs if run.side is side] for side in Side}
    every = [*sides[Side.BEFORE], *sides[Side.AFTER]]
    told = [figures(run) for run in every]
    split = len(sides[Side.BEFORE])
    keys = [
        key
        for key in dict.fromkeys(key for one in told for key in one)
        if any(key in one for one in told[:split]) and any(key in one for one in told[split:])
    ]
    alike = len(every) == len(Side) and len({run.run.definitions for run in every}) == 1
    none = wording.verdict_word("not_comparable", language) if apart else _(messages_cases.NO_FIGURE, language)
    rows = []
    for metric, kind, statistic in keys:
        values = [one.get((metric, kind, statistic)) for one in told]
        rows.append(
            [
                text_runs.title(metric, kind, language),
                wording.statistic_word(statistic, language),
                *(_shown(value, metric, language) for value in values),
                _ratio(values, language) if alike and not apart else none,
            ]
        )
    if not rows:
        return []
    heads = [f"{wording.side_word(run.side)} {run.run.file.path}" for run in every]
    names = (_(messages_cases.LOG_METRIC, language), _(messages_cases.LOG_STATISTIC, language))
    return [[*names, *heads, "AFTER / BEFORE"], *rows]


def _shown(value: Quantity | None, metric: str, language: Language) -> str:
    if value is None:
        return _(messages_cases.NO_FIGURE, language)
    return numbers.format_value(value, metric_unit_hint=metric, language=language)


def _ratio(values: Sequence[Quantity | None], language: Language) -> str:
    before, after = values
    if before is None or after is None or not before.value:
        return _(messages_cases.NO_FIGURE, language)
    return numbers.format_ratio(Fraction(after.value) / before.value)
