"""Inference times that msame prints, one line for each run. Source: docs/logs.md, OM inference."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from reportgen.model import Identity, LoggedValue, Run
from reportgen.run_logs import building, documents, identities, numbers
from reportgen.run_logs.placed import Derived, Placed, check
from reportgen.run_logs.text import Log

MOST_VALUES = 1_000_000
"""Lines of one log that are read."""
_ONE = re.compile(r"Inference time\s{0,2}:\s{0,4}([\d.]{1,40})\s{0,2}ms")
_MEAN = re.compile(r"Inference average time( without first time)?\s{0,2}:\s{0,4}([\d.]{1,40})\s{0,2}ms")
_BYTES = re.compile(rb"Inference (?:average )?time(?: without first time)?\s{0,2}:\s{0,4}[\d.]{1,40}\s{0,2}ms")


def sniff(log: Log) -> bool:
    """Whether a log holds lines of msame."""
    return log.holds(_BYTES)


def read(log: Log) -> tuple[Run, ...]:
    """Each call of msame in a log as a run; its first inference is left out of the series.

    Raises:
        CaptureError: ``log_unreadable``, ``log_value``.
    """
    runs: list[tuple[list[Placed], dict[str, Placed]]] = []
    for line in log.lines():
        place = f"line {line.number}"
        one, mean = _ONE.search(line.text), _MEAN.search(line.text)
        if (one or mean) and (not runs or ("without_first" in runs[-1][1])):
            runs.append(([], {}))
        if one is not None:
            if runs[-1][1]:
                runs.append(([], {}))
            runs[-1][0].append(_placed(one[1], place, log))
        elif mean is not None:
            runs[-1][1]["without_first" if mean[1] else "all"] = _placed(mean[2], place, log)
        if runs and len(runs[-1][0]) > MOST_VALUES:
            documents.unreadable(log.at(line.number), f"holds more than {MOST_VALUES} inference times")
    if not runs:
        documents.unreadable(log.at(), "holds no inference time")
    return tuple(_run(times, means, segment, log) for segment, (times, means) in enumerate(runs))


def _placed(text: str, place: str, log: Log) -> Placed:
    found = numbers.figure(text, "ms")
    if found is None:
        documents.no_figure(text, place, log.at())
    return Placed(found, place)


def _run(times: Sequence[Placed], means: dict[str, Placed], segment: int, log: Log) -> Run:
    items = [(str(index), one.figure) for index, one in enumerate(times, start=1)]
    places = f"{times[0].locator} to {times[-1].locator}" if times else ""
    kept = items[1:]
    series = building.logged_series("latency", "npu_compute", kept, locator=places, dropped=("1",)) if kept else None
    names = (("without_first", "npu_compute"), ("all", "npu_compute_with_first"))
    values: list[LoggedValue] = [means[key].logged("latency", kind) for key, kind in names if key in means]
    return Run(
        producer="msame",
        version="",
        definitions="msame",
        file=log.record,
        segment=segment,
        series=(series,) if series else (),
        values=tuple(values),
        identities=tuple(_identities(times, means)),
    )


def _identities(times: Sequence[Placed], means: dict[str, Placed]) -> Iterator[Identity]:
    """I12: both means against the lines."""
    for key, what, kept in (("all", "list_mean", times), ("without_first", "list_mean_without_first", times[1:])):
        if kept:
            value = sum((one.value for one in kept), Fraction(0)) / len(kept)
            room = max(one.figure.half() for one in kept)
            span = identities.Span(value - room, value, value + room)
            yield from check("I12", what, means.get(key), Derived(span, "ns", (kept[0].locator, kept[-1].locator)))
