"""When did the runs of one side run? Repeats follow one another.

Two at one time shared the machine, or a time is not theirs. The clocks are those of the files, local and mostly of
whole seconds; nothing is said of runs that do not state both ends.
Source: docs/tricks.md.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import combinations

from reportgen.model import LoggedRun, Reason

LEAST_S = 2
"""``runs_share_s`` of evidence/choices.toml: seconds that two runs have to share, since a clock of whole seconds may be
one off at both ends."""
FORMS = ("%Y-%m-%d %H:%M:%S.%f", "%Y-%m-%d %H:%M:%S", "%Y%m%d-%H%M%S", "%Y-%m-%d %H:%M:%S,%f")
"""How the producers write a moment."""


def at_one_time(runs: Sequence[LoggedRun]) -> Reason | None:
    """``runs_at_one_time`` with the first two runs whose clocks share ``LEAST_S`` and more; None where none do.

    Args:
        runs: of one side and one figure.
    """
    spans = [(run, span) for run in runs if (span := span_of(run)) is not None]
    for (one, mine), (other, theirs) in combinations(spans, 2):
        shared = min(mine[1], theirs[1]) - max(mine[0], theirs[0])
        if shared >= timedelta(seconds=LEAST_S):
            return Reason.of("runs_at_one_time", file=one.run.file.path, other=other.run.file.path)
    return None


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
