"""Sentences on what is said of a difference beside its interval: u_B, equivalence, change of speed, captures needed."""

from __future__ import annotations

from collections.abc import Iterable

from reportgen.model import Missing
from reportgen.report import messages_statistics as messages
from reportgen.report import numbers, wording
from reportgen.report.document import EquivalenceRow, GoalRow, KnownSpreadRow, MetricRow, Number, Report
from reportgen.report.translations import Language
from reportgen.report.translations import message as _


def known_text(known: KnownSpreadRow, language: Language) -> str:
    """A known spread with its value and where it comes from."""
    value = numbers.format_spread(known.value.quantity)
    determined = known.determined
    count = "" if known.count is None else numbers.format_count(known.count)
    if count and known.source == "target":
        determined = f"{determined}; {_(messages.KNOWN_OF[known.of], language, count=count)}"
    return _(messages.KNOWN[known.source, known.of], language, value=value, count=count, determined=determined)


def held(report: Report, row: MetricRow | GoalRow, language: Language) -> str:
    """Which known spread the intervals of a row or goal hold; empty for none."""
    return held_spread(report.known_spreads, row.between, language)


def held_spread(known: Iterable[KnownSpreadRow], identity: str, language: Language) -> str:
    """Which of the known spreads an interval holds, by its id; empty for none."""
    found = next((one for one in known if one.id == identity), None)
    return "" if found is None else _(messages.KNOWN_HELD, language, known=known_text(found, language))


def alike_text(report: Report, language: Language) -> str:
    """Which A/A captures were given and whether they are used; empty without any."""
    if report.alike is None:
        return ""
    names = wording.listed((f"{name} ({digest[:16]})" for name, digest in report.alike.captures), language)
    if report.alike.refused is None:
        return _(messages.ALIKE["used"], language, names=names)
    return _(messages.ALIKE["refused"], language, names=names, why=wording.say(report.alike.refused, language))


def speed_text(change: Number | Missing, speed: Number | None, language: Language) -> str:
    """The change of a time and of its speed, each named; empty where the speed is not told."""
    if speed is None or isinstance(change, Missing):
        return ""
    time, fast = (numbers.format_change(one.quantity) for one in (change, speed))
    return _(messages.SPEED, language, time=time, speed=fast)


def equivalence_figures(found: EquivalenceRow | None, language: Language) -> str:
    """The 90 % interval against the agreed band; empty without both."""
    if found is None or found.interval is None:
        return ""
    ends = [numbers.format_ratio(one.quantity) for one in (found.interval.low, found.interval.high)]
    band = [numbers.format_ratio(one.quantity) for one in (found.low, found.high)]
    return _(
        messages.EQUIVALENCE,
        language,
        interval=numbers.format_interval(*ends),
        band=numbers.format_interval(*band),
        width=numbers.format_spread(found.band.quantity),
    )


def needed(goal: GoalRow, language: Language) -> str:
    """How many captures or runs a side would decide the goal; empty where that is not asked or not known."""
    if goal.captures_needed is None:
        return ""
    said = messages.NEEDED_RUNS if goal.measured_outside else messages.NEEDED
    return _(said, language, n=numbers.format_count(int(goal.captures_needed.quantity.value)))


def of_goal(report: Report, goal: GoalRow, language: Language) -> Iterable[str]:
    """Everything that stands beside a goal."""
    speed, stop = speed_text(goal.change, goal.speed, language), "。" if language == "zh" else "."
    return tuple(filter(None, (held(report, goal, language), needed(goal, language), speed and speed + stop)))
