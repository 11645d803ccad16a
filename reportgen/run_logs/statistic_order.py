"""The statistics of one quantity lie in order: I15. Edited figures and columns that are swapped do not.

A mean may lie above any percentile, and is held against the smallest and the largest value alone.
Source: docs/logs.md, identities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from reportgen.model import Identity, LoggedValue, Run
from reportgen.run_logs.building import figure_of
from reportgen.run_logs.identities import at_most, span

_PERCENTILE = re.compile(r"p([0-9]{1,2}(?:\.[0-9]{1,4})?)")
_NAMED = {"min": Fraction(0), "median": Fraction(50), "max": Fraction(100)}


def statistics_in_order(run: Run) -> tuple[Identity, ...]:
    """I15 of every latency of which two statistics are printed: the pair that is nearest to a contradiction."""
    groups: dict[str, list[LoggedValue]] = {}
    for value in run.values:
        if value.metric == "latency":
            groups.setdefault(value.kind, []).append(value)
    return tuple(found for kind, values in groups.items() for found in _order(kind, values))


def _order(kind: str, values: Sequence[LoggedValue]) -> Iterator[Identity]:
    pairs = list(_pairs(values))
    if pairs:
        low, high = max(pairs, key=lambda pair: Fraction(pair[0].value.value) - pair[1].value.value)
        yield at_most(
            "I15", f"{low.statistic}_and_{high.statistic}_of_{kind}", span(figure_of(low)), span(figure_of(high)), "ns",
            (low.locator, high.locator),
        )  # fmt: skip


def _pairs(values: Sequence[LoggedValue]) -> Iterator[tuple[LoggedValue, LoggedValue]]:
    """(the one that lies below, the one above): neighbours among quantiles, and the mean between the two ends."""
    placed = [(place, one) for one in values if (place := _place(one.statistic)) is not None]
    yield from ((low, high) for (_, low), (_, high) in pairwise(sorted(placed, key=lambda pair: pair[0])))
    named = {one.statistic: one for one in values}
    if "mean" in named:
        yield from ((named["min"], named["mean"]),) if "min" in named else ()
        yield from ((named["mean"], named["max"]),) if "max" in named else ()


def _place(statistic: str) -> Fraction | None:
    """The share of values below, in percent; None for what is no quantile."""
    match = _PERCENTILE.fullmatch(statistic)
    return _NAMED.get(statistic, Fraction(match[1]) if match is not None else None)
