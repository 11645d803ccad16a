"""Was the load reached that the results state? Far below it the client was the bottleneck, or a figure is wrong.

A run with half as many requests under way as another is one of less load, whatever both state.
Source: docs/tricks.md; Little's law (I13).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from reportgen import samples
from reportgen.comparability.settings import Permissions
from reportgen.model import LoggedRun, Reason
from reportgen.run_conditions.facts import RunFact, stand
from reportgen.run_conditions.figures import SERVING, Figure, held_figures, mean_length, value_of

LOAD_SHARE, WAVES, APART = Fraction(1, 4), 8, 2
"""``run_load_share`` of evidence/choices.toml; requests for each that may run at a time, fewer of which say nothing;
``run_load_apart`` of it: how many times as much of its load one run reaches as another, so that they are apart."""
AT_ONCE = ("inf", "infinity", "-1", "0", "0.0", "none", "null")
"""Request rates that stand for all requests at once, as many as may run."""


def compare(
    case: str, before: Sequence[LoggedRun], after: Sequence[LoggedRun], granted: Permissions
) -> Iterator[RunFact]:
    """Requests under way on average against the most that were allowed, where all are sent at once.

    Nothing of producers that are no load generators, and where a run states no limit, paces its requests, or sends too
    few: what the runs state of these is compared beside it.

    Args:
        before, after: runs of one definition set, at least one of each side.
    """
    if before[0].run.definitions not in SERVING:
        return
    sides = (before, after)
    if not all(_limit(run) for runs in sides for run in runs):
        return
    loads = [[_load(run) for run in runs] for runs in sides]
    known = [one for side in loads for one in side if one is not None]
    if not known:
        return
    whole = len(known) == sum(map(len, loads))
    reached = {one.value >= LOAD_SHARE for one in known}
    shares = [one.value for one in known]
    apart = max(shares) > 0 and max(shares) >= APART * min(shares)
    code = "run_load_apart" if reached == {True} else "run_load_not_reached" if apart else "run_load_not_reached_both"
    yield stand(
        case,
        "load_reached",
        (held_figures(before, loads[0]), held_figures(after, loads[1])),
        granted,
        definitions=before[0].run.definitions,
        equal=whole and reached == {True} and not apart,
        stops=not whole or apart,
        declarable=True,
        reason=Reason.of(code) if whole else None,
    )


def _limit(run: LoggedRun) -> Figure | None:
    """Requests allowed at once; None where that is not stated, requests are paced, or fewer than eight for each."""
    stated = {one.key: one for one in run.run.context}
    limit, paced = stated.get("max_concurrency"), stated.get("request_rate")
    done = value_of(run, "completed", "count")
    if limit is None or not re.fullmatch("[1-9][0-9]{0,8}", limit.written) or done is None:
        return None
    if (paced is not None and paced.written.lower() not in AT_ONCE) or done.value.value < WAVES * int(limit.written):
        return None
    return Figure(Fraction(limit.written), limit.written, limit.locator)


def _load(run: LoggedRun) -> Figure | None:
    """Share of the requests allowed at once that was under way; None where the run does not tell its times.

    By Little's law: requests per second times mean end-to-end time.
    """
    wanted = ("throughput", "requests_per_s", "mean")
    rate = next((v for v in run.run.values if (v.metric, v.kind, v.statistic) == wanted), None)
    limit, time = _limit(run), _mean_time(run)
    if limit is None or rate is None or time is None:
        return None
    busy = Fraction(rate.value.value) * time.value / 10**9
    places = f"{rate.locator}, {time.locator}, {limit.locator}"
    return Figure(busy / limit.value, f"{float(busy):.4g} / {limit.text}", places)


def _mean_time(run: LoggedRun) -> Figure | None:
    """Mean end-to-end time in ns: as printed, of its list, or by the times of tokens and the mean length."""
    means = {v.kind: v for v in run.run.values if v.metric == "latency" and v.statistic == "mean"}
    ends = next((s for s in run.run.series if (s.metric, s.kind) == ("latency", "e2e")), None)
    if "e2e" in means:
        return Figure(Fraction(means["e2e"].value.value), "", means["e2e"].locator)
    if ends is not None:
        return Figure(samples.mean(ends.sample.values), "", ends.locator)
    first, further, length = means.get("ttft"), means.get("tpot"), mean_length(run, "output_tokens")
    if first is None or further is None or length is None:
        return None
    time = first.value.value + further.value.value * max(length.value - 1, Fraction(0))
    return Figure(Fraction(time), "", f"{first.locator}, {further.locator}, {length.locator}")
