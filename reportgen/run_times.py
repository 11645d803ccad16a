"""When did the runs of one side run? Repeats follow one another.

Two at one time shared the machine, or a time is not theirs. The clocks are those of the files, local and mostly of
whole seconds; nothing is said of runs that do not state both ends.
Source: docs/tricks.md.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import combinations, product
from typing import NamedTuple

from reportgen.model import LoggedRun, Quantity, Reason

LEAST_S = 2
"""``runs_share_s`` of evidence/choices.toml: seconds that two runs have to share, since a clock of whole seconds may be
one off at both ends."""
MOST_NAMED = 6
"""Files that are named one by one."""
FORMS = ("%Y-%m-%d %H:%M:%S.%f", "%Y-%m-%d %H:%M:%S", "%Y%m%d-%H%M%S", "%Y-%m-%d %H:%M:%S,%f")
"""How the producers write a moment."""


def at_one_time(runs: Sequence[LoggedRun]) -> Reason | None:
    """``runs_at_one_time`` with the runs whose clocks share ``LEAST_S`` and more with another; None where none do.

    Args:
        runs: of one side and one figure.
    """
    found: dict[str, None] = {}
    for one, other in combinations(runs, 2):
        if any(_share(*pair) for pair in product(spans_of(one), spans_of(other))):
            found |= dict.fromkeys((one.run.file.path, other.run.file.path))
    return Reason.of("runs_at_one_time", files=_named(list(found))) if found else None


def _named(files: Sequence[str]) -> str:
    """Files in a row; of many the first ones and how many there are."""
    shown = ", ".join(files[:MOST_NAMED])
    return shown if len(files) <= MOST_NAMED else f"{shown}, ... ({len(files)})"


def _share(one: Span, other: Span) -> bool:
    """Whether two spans by clocks of one kind overlap long enough."""
    shared = min(one.end, other.end) - max(one.start, other.start)
    return one.zoned is other.zoned and shared >= timedelta(seconds=LEAST_S)


class Span(NamedTuple):
    """From when to when a run was."""

    start: datetime
    """Start, without its zone."""
    end: datetime
    """End, the same."""
    zoned: bool
    """Whether in UTC; else by a local clock, which is held against local clocks alone."""


def spans_of(run: LoggedRun) -> tuple[Span, ...]:
    """What the file states of when it ran: in UTC, and by its own local clock; empty where neither has both ends."""
    found = []
    if run.run.began is not None and run.run.ended is not None:
        found.append(Span(start=_utc(run.run.began), end=_utc(run.run.ended), zoned=True))
    local = span_of(run)
    return (*found, *((Span(start=local[0], end=local[1], zoned=False),) if local is not None else ()))


def _utc(moment: Quantity) -> datetime:
    return datetime(1970, 1, 1) + timedelta(microseconds=int(Fraction(moment.value) // 1000))  # noqa: DTZ001 - a span says that it is UTC


def span_of(run: LoggedRun) -> tuple[datetime, datetime] | None:
    """Start and end by the file's own clock: of its first and last line, or its end and how long it took; None else."""
    stated = {one.key: one.written for one in run.run.context}
    first, last = (_moment(stated.get(key, "")) for key in ("first_time", "last_time"))
    if first is not None and last is not None:
        return first, last
    end = _moment(stated.get("end_time", ""))
    took = next((v.value.value for v in run.run.values if v.metric == "duration"), None)
    if end is None or took is None or not 0 <= took < 10**18:
        return None
    return end - timedelta(microseconds=int(took // 1000)), end


def _moment(written: str) -> datetime | None:
    text = re.sub(r"\s+", " ", written.strip("[] \t"))
    for form in FORMS:
        try:
            return datetime.strptime(text, form)  # noqa: DTZ007 - the files name no zone
        except ValueError:
            continue
    return None
