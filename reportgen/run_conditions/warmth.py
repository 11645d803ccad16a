"""Cold against warm: whether both sides began their measurement after a warm-up, and left out the same.

A service that compiles, fills caches or starts workers in its first requests is slow in one run and not in the next,
with nothing changed. Source: docs/tricks.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from reportgen import samples
from reportgen.comparability.settings import Permissions
from reportgen.model import Case, Held, LoggedRun, Reason
from reportgen.outside import left_out, numbered
from reportgen.run_conditions.facts import RunFact, held, stand
from reportgen.run_conditions.figures import SERVING

WARM_UPS = ("num_warmups", "num_warmup", "warmups", "warmup", "warm_ups", "warm_up", "num_warmup_requests",
            "argument.num_warmups")  # fmt: skip
"""Keys by which a run states its warm-up requests, those of ``--metadata`` too."""
PLANNED = "iterations_planned"
"""Key of how many iterations a training was to have."""
KINDS = ("e2e", "ttft")
"""Latencies of single requests by which a cold beginning shows, the first that there is."""


class Beginning(NamedTuple):
    """How a run began."""

    told: bool
    """Whether its single requests show it."""
    cold: int
    """Leading requests that were slower than the others are."""
    stated: str
    """Warm-up requests it states; empty when it does not."""
    locator: str
    """Where that stands."""


def compare(
    case: Case, before: Sequence[LoggedRun], after: Sequence[LoggedRun], granted: Permissions
) -> Iterator[RunFact]:
    """How the runs of both sides began, and what was left out of them."""
    if before[0].run.definitions in SERVING:
        yield _warm(case.id, (before, after), granted)
    yield from _left_out(case, (before, after), granted)
    yield from _steps_shown(case.id, (before, after), granted)


def _beginning(run: LoggedRun) -> Beginning:
    stated = next((one for key in WARM_UPS for one in run.run.context if one.key == key), None)
    text = stated.written if stated is not None else ""
    for kind in KINDS:
        series = next((s for s in run.run.series if (s.metric, s.kind) == ("latency", kind)), None)
        if series is not None and len(series.sample.values) >= samples.FEWEST_FOR_RANKS:
            cold = len(samples.split_warmup(series.sample.values))
            return Beginning(told=True, cold=cold, stated=text, locator=series.locator)
    return Beginning(told=False, cold=0, stated=text, locator=stated.locator if stated is not None else "whole file")


def _warm(case: str, sides: tuple[Sequence[LoggedRun], Sequence[LoggedRun]], granted: Permissions) -> RunFact:
    """Warm on both sides as the requests show, or as the runs state alike; else it cannot be told.

    Requests that are slow at the beginning of one side alone contradict whatever was stated or declared.
    """
    found = [[_beginning(run) for run in runs] for runs in sides]
    told = all(one.told for side in found for one in side)
    cold = [max(one.cold for one in side) for side in found]
    stated = {one.stated for side in found for one in side}
    alike = len(stated) == 1 and not stated & {"", "0"}
    definitions = sides[0][0].run.definitions
    if told:
        values = tuple(_held(runs, side, cold=True) for runs, side in zip(sides, found, strict=True))
        one_sided = bool(cold[0]) != bool(cold[1])
        reason = Reason.of("run_cold_one_side" if one_sided else "run_cold_both", before=cold[0], after=cold[1])
        given = Permissions() if one_sided else granted
        return stand(
            case, "warm_up", (values[0], values[1]), given, definitions=definitions, equal=not any(cold),
            reason=reason, stops=one_sided,
        )  # fmt: skip
    values = tuple(_held(runs, side, cold=False) for runs, side in zip(sides, found, strict=True))
    given = Permissions() if any(cold) else granted  # a run that shows that it began cold; the others do not show it
    return stand(
        case, "warm_up", (values[0], values[1]), given, definitions=definitions, equal=alike and not any(cold),
        reason=Reason.of("run_warm_up_not_stated"), declarable=True,
    )  # fmt: skip


def _held(runs: Sequence[LoggedRun], side: Sequence[Beginning], *, cold: bool) -> Held:
    """What a side shows or states; None where it states nothing."""
    texts = [str(one.cold) if cold else one.stated for one in side]
    value = "; ".join(texts) if all(texts) else None
    return held(runs, value, [one.locator for one in side])


def _left_out(
    case: Case, sides: tuple[Sequence[LoggedRun], Sequence[LoggedRun]], granted: Permissions
) -> Iterator[RunFact]:
    """Steps left out of the times of both sides, on reading or as warm-up; other numbers of them are a reservation."""
    checkpoints = case.workload.checkpoint_steps or ()
    counts = []
    for runs in sides:
        series = [next((s for s in run.run.series if s.metric == "step_time"), None) for run in runs]
        if any(one is None for one in series):
            return
        counts.append(
            [
                len(one.sample.dropped) + left_out(run, one, checkpoints).count("warm_up")
                for run, one in zip(runs, series, strict=True)
                if one is not None
            ]
        )
    if set(counts[0]) == set(counts[1]):
        return
    places = [[s.locator for run in runs for s in run.run.series if s.metric == "step_time"] for runs in sides]
    values = tuple(
        held(runs, "; ".join(map(str, found)), where) for runs, found, where in zip(sides, counts, places, strict=True)
    )
    yield stand(
        case.id, "steps_left_out", (values[0], values[1]), granted, definitions=sides[0][0].run.definitions,
        reason=Reason.of("run_steps_left_out"), stops=False,
    )  # fmt: skip


def _steps_shown(
    case: str, sides: tuple[Sequence[LoggedRun], Sequence[LoggedRun]], granted: Permissions
) -> Iterator[RunFact]:
    """First and last step of each log: others on one side may be a beginning or an end that was cut off."""
    shown: list[list[str]] = []
    places: list[list[str]] = []
    for runs in sides:
        found = [next((s for s in one.run.series if s.metric == "step_time"), None) for one in runs]
        steps = [numbered(one) if one is not None else [] for one in found]
        if not all(steps):
            return
        shown.append([f"{one[0]}-{one[-1]}" for one in steps])
        places.append([one.locator for one in found if one is not None])
    if set(shown[0]) == set(shown[1]):
        return
    values = tuple(held(runs, "; ".join(texts), where) for runs, texts, where in zip(sides, shown, places, strict=True))
    of = [_planned(runs) for runs in sides]
    said = {"before": "; ".join(dict.fromkeys(shown[0])), "after": "; ".join(dict.fromkeys(shown[1]))}
    reason = Reason.of("run_steps_shown", **said)
    if all(of):
        reason = Reason.of("run_steps_shown_of", **said, before_of=of[0], after_of=of[1])
    yield stand(
        case, "steps_shown", (values[0], values[1]), granted, definitions=sides[0][0].run.definitions, reason=reason,
        stops=False,
    )  # fmt: skip


def _planned(runs: Sequence[LoggedRun]) -> str:
    """Steps that the runs were to have, as each log prints them; empty where one does not."""
    found = [next((one.written for one in run.run.context if one.key == PLANNED), "") for run in runs]
    return "; ".join(dict.fromkeys(found)) if all(found) else ""
