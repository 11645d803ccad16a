"""Progress bars of tqdm in a training log: ``3/500 [00:47<2:20:54, 17.01s/it, loss: 2.88]``.

The time of a step on a bar is smoothed and is not read. The clock of the bar, in whole seconds, over at least 20
steps is. Source: docs/logs.md, training.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from reportgen import units
from reportgen.model import Reason, Run
from reportgen.run_logs import building, documents
from reportgen.run_logs.numbers import Figure
from reportgen.run_logs.text import MOST_RECORDS, Log

WINDOW = 20
"""Steps of one value at least: over fewer a clock of whole seconds says too little."""
SECOND = 10**9
_BAR = re.compile(
    r"(?P<done>\d{1,9})/(?P<total>\d{1,9}) \[(?P<clock>(?:\d{1,6}:)?\d{1,2}:\d\d)<[^,\]]{1,20}, {1,12}"
    r"(?:[\d.]{1,20}|\?)(?:s/it|it/s)(?P<more>[^\]\r\n]{0,400})\]"
)
_BYTES = re.compile(rb"[0-9?](?:s/it|it/s)[^\]\r\n]{0,400}loss")


class _Point(NamedTuple):
    """One state of a bar."""

    done: int
    """Steps done."""
    total: int
    """Steps to do."""
    seconds: int
    """Its clock."""
    line: int
    """Line of the file."""


def sniff(log: Log) -> bool:
    """Whether a log holds bars of a training: such that name a loss."""
    return log.holds(_BYTES)


def read(log: Log) -> tuple[Run, ...]:
    """The runs of a log; a bar that begins anew begins another run.

    Raises:
        CaptureError: ``log_unreadable``, ``log_mixed``; as ``Log.lines``.
    """
    runs: list[list[_Point]] = [[]]
    number = 0
    for line in log.lines():
        for match in _BAR.finditer(line.text):
            if "loss" not in match["more"]:
                continue
            point = _Point(int(match["done"]), int(match["total"]), _seconds(match["clock"]), line.number)
            last = runs[-1][-1] if runs[-1] else None
            if last is not None and point.done == last.done and point.total == last.total:
                continue
            if last is not None and (point.done < last.done or point.total != last.total):
                runs.append([])
            elif last is not None and point.seconds < last.seconds:
                documents.two_runs(
                    log.at(line.number), "holds a bar whose clock goes back: those of several runs are mixed"
                )
            runs[-1].append(point)
            number += 1
            if number > MOST_RECORDS:
                documents.unreadable(log.at(line.number), f"holds more than {MOST_RECORDS} states of a bar")
    found = [_run(points, segment, log) for segment, points in enumerate(runs) if points]
    if not any(run.series for run in found):
        documents.unreadable(log.at(), f"holds no bar of a training over {WINDOW} steps")
    return tuple(found)


def _seconds(clock: str) -> int:
    total = 0
    for part in clock.split(":"):
        total = total * 60 + int(part)
    return total


def _run(points: Sequence[_Point], segment: int, log: Log) -> Run:
    items: list[tuple[str, Figure]] = []
    weights: list[int] = []
    first = points[0]
    for point in points[1:]:
        steps = point.done - first.done
        if steps < WINDOW:
            continue
        value = Fraction((point.seconds - first.seconds) * SECOND, steps)
        items.append((str(point.done), Figure(units.exact(value), "ns", Fraction(SECOND, steps), "")))
        weights.append(steps)
        first = point
    place = building.lines_text([point.line for point in points])
    series = (
        (building.logged_series("step_time", "", items, locator=place, weights=weights, dropped=[str(points[0].done)]),)
        if items
        else ()
    )
    warnings = [Reason.of("log_clock_seconds")]
    if series:
        coarse = units.exact_text(series[0].resolution.value, "ns")
        warnings.append(Reason.of("log_resolution_coarse", resolution=coarse))
    return Run(
        producer="tqdm",
        version="",
        definitions="tqdm_clock",
        file=log.record,
        segment=segment,
        series=series,
        warnings=tuple(warnings),
    )
