"""No request lasts longer than the run that sent it: I16. A duration, or a time of a request, that was edited does.

A stable stage of AISBench is a part of its run, and requests may have begun before it.
Source: docs/logs.md, identities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from reportgen.model import Identity, Run
from reportgen.run_logs.building import figure_of
from reportgen.run_logs.identities import Span, at_most, exactly, span

WHOLE_REQUESTS = ("ttft", "e2e")
"""Latencies that pass while the one request is under way."""
PARTS_OF_RUNS = ("aisbench_stable",)
"""Definition sets whose duration is not that of all their requests."""
_REACHED = re.compile(r"mean|median|max|p[0-9.]+")


class _Time(NamedTuple):
    kind: str
    span: Span
    locator: str


def requests_within_run(run: Run) -> tuple[Identity, ...]:
    """I16: the longest time of a request that a result gives, listed or as a statistic, against its duration."""
    duration = next((one for one in run.values if one.metric == "duration"), None)
    served = any(one.metric == "throughput" and one.kind == "requests_per_s" for one in run.values)
    times = list(_times(run))
    if duration is None or not served or not times or run.definitions in PARTS_OF_RUNS:
        return ()
    longest = max(times, key=lambda one: one.span.value)
    what = f"longest_{longest.kind}_within_run"
    return (at_most("I16", what, longest.span, span(figure_of(duration)), "ns", (longest.locator, duration.locator)),)


def _times(run: Run) -> Iterator[_Time]:
    for value in run.values:
        if value.metric == "latency" and value.kind in WHOLE_REQUESTS and _REACHED.fullmatch(value.statistic):
            yield _Time(value.kind, span(figure_of(value)), value.locator)
    for series in run.series:
        if series.metric == "latency" and series.kind in WHOLE_REQUESTS:
            yield _Time(series.kind, exactly(max(series.sample.values)), series.locator)
