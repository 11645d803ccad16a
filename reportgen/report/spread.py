"""The spread between ranks: the least and the largest value of a metric over the ranks of a side.

A rank that waits for the slowest looks as slow in one figure and fast in another: the judged rank alone tells neither
how far the others lie nor which. Nothing is judged here. Source: docs/definitions.md, "Spread between ranks".
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from reportgen.model import Measurement, Quantity
from reportgen.report import messages, numbers
from reportgen.report.document import GoalRow, MetricRow, Number, SpreadRow, Value
from reportgen.report.translations import Language
from reportgen.report.translations import message as _

Ends = tuple[Measurement, Measurement, int]
"""The measurements with the least and the largest value, and how many ranks have one."""


def ends(measurements: Iterable[Measurement | None]) -> Ends | None:
    """The ends of one metric and part over the ranks of one side.

    Returns:
        Of equal values the first each. None with fewer than two values: then there is no spread.
    """
    valued = [one for one in measurements if one is not None and isinstance(one.summary, Quantity)]
    if len(valued) < 2:
        return None
    return min(valued, key=_value), max(valued, key=_value), len(valued)


def _value(measurement: Measurement) -> Fraction:
    assert isinstance(measurement.summary, Quantity)
    return Fraction(measurement.summary.value)


def place_word(rank: int | None, device: int | None, language: Language) -> str:
    """``rank 3``, or the device where no rank is recorded; empty without either."""
    if rank is not None:
        return _(messages.ONE_RANK, language, rank=str(rank))
    return "" if device is None else _(messages.ONE_DEVICE, language, device=str(device))


def words(row: MetricRow, language: Language) -> tuple[str, ...]:
    """The spread of both sides in the row's unit and decimals, a text each: ``AFTER: 160.37 ms (rank 1) to ...``.

    Empty for a side without one; a side whose ranks agree says so.
    """
    return tuple(
        _(messages.COLON, language, name=name, text=text)
        for name, side in (("BEFORE", row.spread_before), ("AFTER", row.spread_after))
        if (text := side_words(row, side, language))
    )


def side_words(row: MetricRow, side: SpreadRow | None, language: Language) -> str:
    """The spread of one side; empty without one."""
    if side is None:
        return ""
    texts = numbers.metric_texts(row, language)
    low, high = side.least.quantity.value, side.most.quantity.value
    if low == high:
        return _(messages.SAME_ON_RANKS, language, value=texts.value(low), ranks=str(side.ranks))
    return _(
        messages.BETWEEN_RANKS,
        language,
        low=texts.value(low),
        least=place_word(side.least_rank, side.least_device, language),
        high=texts.value(high),
        most=place_word(side.most_rank, side.most_device, language),
    )


def even(row: MetricRow, language: Language) -> bool:
    """Whether all ranks of each side that has several gave the same value, as it is printed."""
    texts = numbers.metric_texts(row, language)
    sides = [side for side in (row.spread_before, row.spread_after) if side is not None]
    return all(texts.value(side.least.quantity.value) == texts.value(side.most.quantity.value) for side in sides)


def of_goal(rows: Iterable[MetricRow], goal: GoalRow) -> MetricRow | None:
    """The row whose spread stands beside a goal; None where the goal was judged on another statistic of its sample."""
    return next((row for row in rows if row.id == goal.metric_row and row.after.value == goal.after), None)


def plain(found: Ends, language: Language) -> str:
    """The spread as finely as it was recorded, for the command line."""
    if found[0].summary == found[1].summary:
        return _(messages.SAME_ON_RANKS, language, value=_plain(found[0], language), ranks=str(found[2]))
    pairs = (tuple(_plain(one, language, places) for one in found[:2]) for places in range(numbers.MOST_DECIMALS))
    low, high = next((pair for pair in pairs if pair[0] != pair[1]), (_plain(found[0], language),) * 2)
    least, most = (place_word(one.dimensions.rank, one.dimensions.device, language) for one in found[:2])
    return _(messages.BETWEEN_RANKS, language, low=low, least=least, high=high, most=most)


def _plain(measurement: Measurement, language: Language, places: int = 0) -> str:
    summary = measurement.summary
    assert isinstance(summary, Quantity)
    return numbers.plain_value(summary, metric_unit_hint=measurement.metric, language=language, places=places)


def figures(row: MetricRow) -> tuple[Value, ...]:
    """The numbers that the spread prints, for their origins."""
    found: list[Number] = []
    for side in (row.spread_before, row.spread_after):
        found += [side.least, side.most] if side is not None else []
    return tuple(found)
