"""Goals on runs that were measured outside the profile: one value of each run, and what is known of its spread.

The contract number is rarely in a profile. Where the target names a log or a result file of a run, the goal rests on it
and the profile explains it. Runs of one side are repeats; one long run has an interval of its own steps, with the words
that the variation between runs was not assessed. What a file contradicts, or two definition sets, is not judged.
Source: docs/statistics.md; docs/logs.md.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, pairwise

from reportgen import samples, units
from reportgen.known_spread import between_of
from reportgen.model import (
    CaptureFacts,
    Case,
    Goal,
    Identity,
    Interval,
    KnownSpread,
    LoggedRun,
    LoggedSeries,
    LoggedValue,
    Missing,
    MissingKind,
    Origin,
    Quantity,
    Reason,
    Sample,
    Side,
)
from reportgen.remembered import remembered
from reportgen.repeats import interval_of
from reportgen.run_logs.identities import FLOAT_NOISE
from reportgen.run_times import at_one_time
from reportgen.same_runs import why_same

MOST_RANGES = 12
"""Ranges of steps that a formula names; all of them are in report.json and the tables."""
ONE_SIDE = {"corrected-t": "one-side"}
"""Method of an interval of one side -> how it is called beside those of the ratio of two."""
CENTRAL = ("mean", "median")
"""Statistics that the interval of a mean of logarithms speaks of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunValue:
    """What one run gives for a goal."""

    run: LoggedRun
    """The run."""
    value: Quantity
    """The statistic that the goal names, exact."""
    sample: Sample | None
    """The steps or requests it is of, warm-up and checkpoint steps left out; None for a figure of the producer."""
    origin: Origin
    """File, place and formula."""
    listed: Origin | None = None
    """Of a producer's figure the list behind it, of which its interval is; None without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SideValue:
    """What the runs of a side give for a goal."""

    values: tuple[RunValue, ...]
    """One for each run, at least one."""
    value: Quantity
    """Their mean."""
    interval: Interval | None
    """Of the mean of runs, or of the steps of the one run; None when none can be stated, as of values all alike."""

    @property
    def origins(self) -> tuple[Origin, ...]:
        """Where its runs' figures, and the lists behind them, stand."""
        return tuple(place for one in self.values for place in (one.origin, one.listed) if place is not None)

    @property
    def numbers(self) -> list[Fraction]:
        """The runs' values."""
        return [Fraction(one.value.value) for one in self.values]

    @property
    def flat(self) -> bool:
        """Whether all of several values are alike, so that their spread is below what was written."""
        return samples.alike(self.sample)

    @property
    def sample(self) -> tuple[int | Fraction, ...]:
        """The values of the one run; of several runs, and of a figure without a sample, theirs."""
        only = self.values[0].sample if len(self.values) == 1 else None
        return only.values if only is not None else tuple(self.numbers)


def is_witness(run: LoggedRun) -> bool:
    """Whether a log shows what load ran and is no result, as a server's log."""
    return any(warning.code == WITNESS for warning in run.run.warnings)


def speaks(run: LoggedRun, goal: Goal) -> bool:
    """Whether a run tells of a goal's metric and kind at all."""
    if is_witness(run):
        return False
    told = {(s.metric, s.kind) for s in run.run.series} | {(v.metric, v.kind) for v in run.run.values}
    return (goal.metric, goal.kind) in told


def side_value(
    runs: Sequence[LoggedRun], goal: Goal, checkpoints: tuple[str, ...], known: KnownSpread | None = None
) -> SideValue | Missing:
    """What the runs of a side give for a goal.

    Args:
        runs: those of the side that speak of the goal; at least one.
        goal: the goal.
        checkpoints: labels of steps that save a checkpoint, left out.
        known: how much runs of one build vary, where that is known; it widens the interval of a single run.

    Returns:
        The value, or why a run has none: ``statistic_not_logged``, ``interval_means``, ``log_steps_missing`` or
        ``log_series_several``.
    """
    found = [_run_value(run, goal, checkpoints) for run in runs]
    lacking = next((one for one in found if isinstance(one, Missing)), None)
    if lacking is not None:
        return lacking
    values = tuple(one for one in found if isinstance(one, RunValue))
    unit = values[0].value.unit
    mean = Quantity(value=units.exact(samples.mean([Fraction(one.value.value) for one in values])), unit=unit)
    if len(values) > 1:
        spread = interval_of([one.value.value for one in values], unit)
    else:
        spread = _steps_interval(values[0].sample, goal, unit, known)
    return SideValue(values=values, value=mean if len(values) > 1 else values[0].value, interval=with_width(spread))


def with_width(interval: Interval | None) -> Interval | None:
    """The interval; None for one without width: values alike to the last digit written do not show how they spread."""
    return interval if interval is not None and interval.low.value != interval.high.value else None


def _steps_interval(sample: Sample | None, goal: Goal, unit: str, known: KnownSpread | None) -> Interval | None:
    if sample is None or goal.statistic not in CENTRAL or len(sample.values) < 2:
        return None
    if len(set(sample.values)) == 1:
        return None  # values alike to the last digit written do not show how they spread; u_B is no cure for that
    estimate = samples.limit_interval(
        sample.values, level=float(samples.LEVEL), between=between_of(known), of=goal.statistic
    )
    if estimate.interval is None:
        return None
    return estimate.interval.stated(unit, ONE_SIDE.get(estimate.method, estimate.method))


def few_independent(side: SideValue) -> Reason | None:
    """That the steps of the one run of a side are worth too few independent ones for an interval; None else."""
    sample = side.values[0].sample
    if len(side.values) > 1 or sample is None or len(sample.values) < 2 or min(sample.values) <= 0:
        return None
    found = samples.limit_interval(sample.values)
    return Reason.of(found.reason, **found.figures) if found.reason == samples.FEW_INDEPENDENT else None


def _run_value(run: LoggedRun, goal: Goal, checkpoints: tuple[str, ...]) -> RunValue | Missing:
    """The producer's own figure of that statistic, else the statistic of its steps or requests.

    The list of a figure stands behind it where it gives the figure: then it is the sample of its interval.
    """
    stated = [v for v in run.run.values if (v.metric, v.kind, v.statistic) == (goal.metric, goal.kind, goal.statistic)]
    series = [s for s in run.run.series if (s.metric, s.kind) == (goal.metric, goal.kind)]
    if len(series) > 1:  # one quantity under two keys, such as times in ms and then in s: neither is all of the run
        why = Reason.of("log_series_several", file=run.run.file.path, places="; ".join(one.locator for one in series))
        return Missing(kind=MissingKind.NOT_RECORDED, reason=why)
    listed = _of_series(run, series[0], goal.statistic, checkpoints) if series else None
    if stated:
        return _of_value(run, stated[0], listed)
    if listed is not None:
        return listed
    why = Reason.of("statistic_not_logged", statistic=goal.statistic, file=run.run.file.path)
    return Missing(kind=MissingKind.NOT_RECORDED, reason=why)


def _of_value(run: LoggedRun, value: LoggedValue, listed: RunValue | Missing | None) -> RunValue | Missing:
    """A figure of the producer, with its list where that gives it to the digits written."""
    if isinstance(listed, Missing) and listed.reason.code == "log_steps_missing":
        return listed
    sample = None
    if isinstance(listed, RunValue):
        apart = abs(Fraction(listed.value.value) - value.value.value)
        written = Fraction(value.resolution.value) / 2 + FLOAT_NOISE * abs(Fraction(value.value.value))
        sample = listed.sample if apart <= written else None
    return RunValue(
        run=run,
        value=value.value,
        sample=sample,
        origin=origin_of(run, value.locator, "as its producer wrote"),
        listed=listed.origin if isinstance(listed, RunValue) and sample is not None else None,
    )


@remembered
def _of_series(
    run: LoggedRun, series: LoggedSeries, statistic: str, checkpoints: tuple[str, ...]
) -> RunValue | Missing:
    lost = steps_missing(series)
    if lost:
        why = Reason.of("log_steps_missing", n=lost, file=run.run.file.path)
        return Missing(kind=MissingKind.NOT_RECORDED, reason=why)
    why_not = left_out(run, series, checkpoints)
    kept = [i for i, why in enumerate(why_not) if not why]
    dropped = tuple(label for label, why in zip(series.sample.labels, why_not, strict=False) if why)
    sample = replace(
        series.sample,
        values=tuple(series.sample.values[i] for i in kept),
        labels=tuple(series.sample.labels[i] for i in kept),
        dropped=dropped,
    )
    weights = [series.weights[i] for i in kept]
    between = series.metric == "latency"
    value = _statistic([Fraction(v) for v in sample.values], weights, statistic, between=between)
    if value is None:
        code = "interval_means" if any(weight != 1 for weight in weights) else "statistic_not_logged"
        why = Reason.of(code, statistic=statistic, file=run.run.file.path)
        return Missing(kind=MissingKind.NOT_APPLICABLE, reason=why)
    return RunValue(
        run=run,
        value=Quantity(value=units.exact(value), unit=sample.unit),
        sample=sample,
        origin=origin_of(run, series.locator, f"{statistic} of {len(kept)} values{_said_left_out(series, why_not)}"),
    )


def _said_left_out(series: LoggedSeries, why_not: Sequence[str]) -> str:
    """What of a series is left out, and why, by step numbers: ``; left out by the warm-up rule: no. 1-2``."""
    labels = series.sample.labels
    groups = {
        "by the warm-up rule": [label for label, why in zip(labels, why_not, strict=False) if why == "warm_up"],
        "as checkpoint steps": [label for label, why in zip(labels, why_not, strict=False) if why == "checkpoint"],
        "on reading": list(series.sample.dropped),
    }
    return "".join(f"; left out {why}: no. {step_ranges(some)}" for why, some in groups.items() if some)


def step_ranges(labels: Sequence[str], most: int = MOST_RANGES) -> str:
    """Numbers of steps in their order, neighbours as ranges: ``1-3, 60``; beyond ``most`` of them how many."""
    pieces: list[tuple[str, str]] = []
    for label in labels:
        if pieces and label.isdecimal() and pieces[-1][1].isdecimal() and int(label) == int(pieces[-1][1]) + 1:
            pieces[-1] = (pieces[-1][0], label)
        else:
            pieces.append((label, label))
    shown = ", ".join(first if first == last else f"{first}-{last}" for first, last in pieces[:most])
    return shown if len(pieces) <= most else f"{shown}, ... ({len(labels)})"


@remembered
def steps_missing(series: LoggedSeries) -> int:
    """Lines between the first and the last that a series of numbered steps neither has nor names as left out.

    A line that is the mean of all steps since the line before leaves none out. 0 where labels number no steps.
    """
    numbers = numbered(series)
    gaps = [later - earlier for earlier, later in pairwise(numbers)]
    if not gaps:
        return 0
    counted = Counter(gaps)
    usual = min(counted, key=lambda gap: (-counted[gap], gap))
    covered = dict(zip(series.sample.labels, series.weights, strict=False))
    return sum(
        -(-gap // usual) - 1
        for gap, later in zip(gaps, numbers[1:], strict=True)
        if gap > max(usual, covered.get(str(later), 1))
    )


def numbered(series: LoggedSeries) -> list[int]:
    """Steps of a series, those left out too, in order; empty where its labels are of requests or no numbers."""
    labels = {*series.sample.labels, *series.sample.dropped}
    if series.metric == "latency" or not all(re.fullmatch("[0-9]{1,18}", label) for label in labels):
        return []
    return sorted(int(label) for label in labels)


STEPWISE = ("step_time", "stage_time", "throughput", "mfu")
"""Metrics of which every step has a value, so that the steps of the warm-up leave all of them."""
RATES = ("throughput", "mfu")
"""Those that are high where a step is fast."""


@remembered
def left_out(run: LoggedRun, series: LoggedSeries, checkpoints: tuple[str, ...]) -> tuple[str, ...]:
    """Why a value of a series is left out of a goal's statistic, for each in order; empty for one that counts.

    Args:
        run: whose series it is.
        series: of a log; what its reader left out has no value in it.
        checkpoints: labels of steps that save a checkpoint.

    Returns:
        ``checkpoint``, then, of what every step has a value of, ``warm_up``: the steps that the warm-up rule takes out
        of the step times of the run, of a run without those out of the series itself; empty text for all others.
    """
    labels = series.sample.labels
    saved = ["checkpoint" if label in checkpoints else "" for label in labels]
    if series.metric not in STEPWISE:
        return tuple(saved)
    times = [one for one in run.run.series if one.metric == "step_time"]
    cold = _warm_up(times[0] if len(times) == 1 else series, checkpoints)
    return tuple(why or ("warm_up" if label in cold else "") for label, why in zip(labels, saved, strict=True))


@remembered
def _warm_up(series: LoggedSeries, checkpoints: tuple[str, ...]) -> frozenset[str]:
    """Labels of the steps that the warm-up rule leaves out; of rates the rule is asked about their reciprocals."""
    rate = series.metric in RATES
    pairs = zip(series.sample.labels, series.sample.values, strict=False)
    kept = [(label, value) for label, value in pairs if label not in checkpoints]
    if rate and any(value <= 0 for _label, value in kept):
        return frozenset()
    times = [1 / Fraction(value) if rate else value for _label, value in kept]
    return frozenset(kept[n][0] for n in samples.split_warmup(times))


def _statistic(values: list[Fraction], weights: list[int], statistic: str, *, between: bool) -> Fraction | None:
    """A statistic of values; of means over several steps each only the mean, weighted by their steps.

    Args:
        between: percentiles lie on a straight line between two values, as load generators print them; else they are
            the value of the nearest rank.
    """
    if not values:
        return None
    if statistic == "mean":
        return sum((v * w for v, w in zip(values, weights, strict=True)), Fraction(0)) / sum(weights)
    if any(weight != 1 for weight in weights):
        return None
    ordered = sorted(values)
    if statistic == "median":
        return samples.median(ordered)
    if statistic in ("max", "min"):
        return ordered[-1 if statistic == "max" else 0]
    if statistic.startswith("p") and statistic[1:].isdigit():
        share = int(statistic[1:])
        return samples.percentile(ordered, share) if between else ordered[max(-(-len(ordered) * share // 100) - 1, 0)]
    return None


def origin_of(run: LoggedRun, locator: str, formula: str) -> Origin:
    """A place in the file of a run."""
    file = run.run.file
    return Origin(file=f"log:{run.side.value}/{file.path}", digest=file.digest, locator=locator, formula=formula)


def judged_series(run: LoggedRun, cases: Sequence[Case]) -> tuple[tuple[LoggedSeries, tuple[str, ...], Origin], ...]:
    """The series of a run that a goal of its case is on.

    Returns:
        (series, why each of its values is left out as ``left_out`` says, its place in the file), in the file's order.
    """
    case = next((case for case in cases if case.id == run.case), None)
    if case is None or is_witness(run):
        return ()
    asked = {(goal.metric, goal.kind) for goal in case.goals}
    checkpoints = case.workload.checkpoint_steps or ()
    return tuple(
        (series, left_out(run, series, checkpoints), origin_of(run, series.locator, "as its producer wrote"))
        for series in run.run.series
        if (series.metric, series.kind) in asked
    )


# --------------------------------------------------------------------------------------------- what stops a judgement
def refused(sides: Sequence[SideValue], facts: Sequence[CaptureFacts]) -> tuple[Reason, tuple[Identity, ...]] | None:
    """Why the values of some sides may not be judged: a file that contradicts itself, definitions or tags that differ.

    Args:
        sides: those that the goal needs.
        facts: every capture of the pair, repeats too.

    Returns:
        (reason, the identities that fail), or None.
    """
    runs = [one.run for side in sides for one in side.values]
    for run in runs:
        failed = tuple(identity for identity in run.run.identities if not identity.holds)
        if failed:
            one = failed[0]
            found, expected = told_apart(one.found, one.expected)
            why = Reason.of(
                "log_contradicts_itself",
                file=run.run.file.path,
                identity=one.id,
                found=found,
                expected=f"at most {expected}" if one.at_most else expected,
            )
            return why, failed
        if any(warning.code in NOT_REAL for warning in run.run.warnings):
            return Reason.of("log_no_real_workload", file=run.run.file.path), ()
        unread = next((reason for reason in run.run.left_out if reason.code in NOT_WHOLE), None)
        if unread is not None:
            return unread, ()
        inside = _inside_capture(run, facts)
        if inside is not None and run.profiled is False:
            return Reason.of("log_inside_capture", file=run.run.file.path, side=inside), ()
    again = _given_twice(runs)
    if again is not None:
        return again, ()
    sets = sorted({run.run.definitions for run in runs})
    if len(sets) > 1:
        return Reason.of("definitions_differ", sets=", ".join(sets)), ()
    tags = {tag(run, facts): run for run in reversed(runs)}
    if {"profiled", "unprofiled"} <= tags.keys():
        return Reason.of("profiled_mixed"), ()
    if len(tags) > 1:
        return Reason.of("profiled_of_some", file=tags["not stated"].run.file.path), ()
    return None


def kinds_apart(no: Reason) -> bool:
    """Whether what ``refused`` found shows two kinds of runs: other definition sets, or profiled against unprofiled.

    A run of which nobody says whether it was profiled shows nothing.
    """
    return no.code in ("definitions_differ", "profiled_mixed")


def told_apart(one: Quantity, other: Quantity) -> tuple[str, str]:
    """Two quantities of one unit that differ, in few digits: six, or as many more as show the difference.

    Times are in s from 1 s on, else in ms; the exact values stand beside the identity.
    """
    values, unit = [Fraction(one.value), Fraction(other.value)], one.unit
    if unit == "ns":
        scale, unit = (10**9, "s") if max(values) >= 10**9 else (10**6, "ms")
        values = [value / scale for value in values]
    tail = "" if unit == "1" else f" {unit}"
    for digits in range(6, 18):
        texts = [f"{float(value):.{digits}g}{tail}" for value in values]
        if texts[0] != texts[1]:
            break
    return texts[0], texts[1]


def _given_twice(runs: Sequence[LoggedRun]) -> Reason | None:
    """One run given as two, under whatever name: it is no repeat, and no run stands against itself."""
    for one, other in combinations(runs, 2):
        why = why_same(one, other)
        if why is not None:
            return why
    return None


WITNESS = "log_witness_only"
"""Warning of a reader that a log shows what load ran and is no result."""
NOT_WHOLE = ("log_lists_differ", "log_lists_unreadable", "log_figures_missing", "log_figures_unreadable")
"""What a reader left out because a result does not hold whole the lists or the figures it was written with."""
NOT_REAL = ("log_not_a_real_workload",)
"""Warnings of a reader that a run is no real workload."""


def tag(run: LoggedRun, facts: Sequence[CaptureFacts]) -> str:
    """``profiled``, ``unprofiled`` or ``not stated``: as the target says, else by the times of run and captures."""
    if run.profiled is not None:
        return "profiled" if run.profiled else "unprofiled"
    return "profiled" if _inside_capture(run, facts) is not None else "not stated"


def _inside_capture(run: LoggedRun, facts: Sequence[CaptureFacts]) -> Side | None:
    """The side whose capture ran while the run did; None when no time overlaps or is known. Identity I14."""
    if run.run.began is None or run.run.ended is None:
        return None
    began, ended = run.run.began.value, run.run.ended.value
    for side in facts:
        for rank in side.ranks:
            if rank.started_ns is None or rank.ended_ns is None:
                continue
            if began < rank.ended_ns and rank.started_ns < ended:
                return side.side
    return None


def ran_together(sides: Sequence[SideValue]) -> list[Reason]:
    """Of each side whose runs' own clocks overlap that they do."""
    found = (at_one_time([one.run for one in side.values]) for side in sides)
    return [one for one in found if one is not None]


def reservations(
    sides: Sequence[SideValue], facts: Sequence[CaptureFacts], known: KnownSpread | None = None
) -> tuple[Reason, ...]:
    """What a value rests on without proof: one run, a tag that nobody stated, the reader's own doubts."""
    found: list[Reason] = []
    single = [side for side in sides if len(side.values) == 1]
    if single:
        spread = all(side.interval is not None for side in single)
        assessed = known is not None and spread and len(single) == len(sides)
        found.append(Reason.of("single_run_stated" if assessed else "single_run" if spread else "single_run_bare"))
    runs = [one.run for side in sides for one in side.values]
    tags = {tag(run, facts) for run in runs}
    found += ran_together(sides)
    found += [Reason.of("profiled_not_stated")] if "not stated" in tags else []
    found += [Reason.of("profiled_run")] if "profiled" in tags else []
    found += [warning for run in runs for warning in run.run.warnings]
    return tuple(dict.fromkeys(found))
