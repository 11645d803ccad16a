"""What the profiler adds: the profiled value of a side minus its unprofiled value, where both are known.

A capture is a profiled run; a log counts as unprofiled only when the target says so and its clock does not contradict.
Source: catalogue, profiling-inflation-definition; docs/gates.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from reportgen import samples, units
from reportgen.model import (
    CaptureFacts,
    Case,
    Comparison,
    Inflation,
    LoggedRun,
    Measurement,
    Missing,
    MissingKind,
    Origin,
    Quantity,
    Reason,
    Side,
)
from reportgen.outside import SideValue, refused, side_value, speaks, tag
from reportgen.run_comparisons import as_goal

STATISTICS = ("median", "mean")
"""Tried in this order: of means over several steps only the mean can be formed."""
DEFINITION = "profiling-inflation-definition"
"""The entry of the catalogue that says what inflation is."""
Found = tuple[Quantity, tuple[Origin, ...]]


def find_inflation(
    case: Case | None, comparisons: Sequence[Comparison], runs: Sequence[LoggedRun], facts: Sequence[CaptureFacts]
) -> tuple[Inflation, ...]:
    """The inflation of both sides: that of the step time always, that of others where a side has both values.

    Args:
        case: the profiled case; None without a target, then there is nothing to hold the captures against.
        comparisons: every metric side by side.
        runs: runs outside the profile.
        facts: every capture.
    """
    if case is None:
        return ()
    own = [run for run in runs if run.case == case.id]
    told = {(s.metric, s.kind) for run in own for s in run.run.series}
    told |= {(v.metric, v.kind) for run in own for v in run.run.values}
    others = sorted(pair for pair in told if pair[0] in ("throughput", "latency", "qps"))
    found = []
    for side in Side:
        of_side = [run for run in own if run.side is side]
        found.append(_inflation(case, side, ("step_time", ""), comparisons, of_side, facts))
        for pair in others:
            one = _inflation(case, side, pair, (), of_side, facts)
            if isinstance(one.difference, Quantity):
                found.append(one)
    return tuple(found)


def _inflation(
    case: Case,
    side: Side,
    of: tuple[str, str],
    comparisons: Sequence[Comparison],
    runs: Sequence[LoggedRun],
    facts: Sequence[CaptureFacts],
) -> Inflation:
    tags: dict[str, list[LoggedRun]] = {"profiled": [], "unprofiled": []}
    for run in runs:
        if tag(run, facts) in tags and speaks(run, as_goal(case, *of, "median")):
            tags[tag(run, facts)].append(run)
    lacking = _none("inflation_no_profiled"), _none("inflation_no_unprofiled")
    profiled: Found | Missing = lacking[0]
    unprofiled: Found | Missing = lacking[1]
    statistic = STATISTICS[0]
    for name in STATISTICS:
        without: Found | Missing = _of_runs(case, tags["unprofiled"], of, name, facts) or lacking[1]
        with_ = _of_capture(comparisons, side, of[0], name) or _of_runs(case, tags["profiled"], of, name, facts)
        whole = with_ is not None and not isinstance(without, Missing)
        if whole or name == STATISTICS[0]:
            profiled, unprofiled, statistic = with_ or lacking[0], without, name
        if whole:
            break
    return replace(_made(side, of, statistic, profiled, unprofiled), case=case.id)


def _none(code: str) -> Missing:
    return Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of(code))


def _made(
    side: Side, of: tuple[str, str], statistic: str, profiled: Found | Missing, unprofiled: Found | Missing
) -> Inflation:
    lacking = next((one for one in (profiled, unprofiled) if isinstance(one, Missing)), None)
    difference: Quantity | Missing = _none("inflation_not_known")
    share: Quantity | Missing = difference
    if lacking is None and not isinstance(profiled, Missing) and not isinstance(unprofiled, Missing):
        with_, without = Fraction(profiled[0].value), Fraction(unprofiled[0].value)
        difference = Quantity(value=units.exact(with_ - without), unit=profiled[0].unit)
        if without:
            share = Quantity(value=units.exact((with_ - without) / without), unit="1")
    return Inflation(
        side=side,
        metric=of[0],
        kind=of[1],
        statistic=statistic,
        profiled=profiled if isinstance(profiled, Missing) else profiled[0],
        unprofiled=unprofiled if isinstance(unprofiled, Missing) else unprofiled[0],
        difference=difference,
        share=share,
        origins=(
            () if isinstance(profiled, Missing) else profiled[1],
            () if isinstance(unprofiled, Missing) else unprofiled[1],
        ),
    )


def _of_capture(comparisons: Iterable[Comparison], side: Side, metric: str, statistic: str) -> Found | None:
    """The statistic of the kept steps of the slowest rank; None where a rank has none or fails a check."""
    found: list[Found] = []
    for row in comparisons:
        one = row.before if side is Side.BEFORE else row.after
        if row.metric != metric or row.dimensions.part or one is None:
            continue
        value = _statistic(one, statistic)
        if value is None or one.undecided_by() is not None or not one.origins:
            return None
        found.append((value, one.origins))
    return max(found, key=lambda pair: Fraction(pair[0].value)) if found else None


def _statistic(one: Measurement, statistic: str) -> Quantity | None:
    if isinstance(one.summary, Missing):
        return None
    if one.sample is None or not one.sample.values or one.each:
        return one.summary if statistic == "median" else None
    values = [Fraction(value) for value in one.sample.values]
    found = samples.median(sorted(values)) if statistic == "median" else samples.mean(values)
    return Quantity(value=units.exact(Fraction(found)), unit=one.sample.unit)


def _of_runs(
    case: Case, runs: list[LoggedRun], of: tuple[str, str], statistic: str, facts: Sequence[CaptureFacts]
) -> Found | None:
    if not runs:
        return None
    found = side_value(runs, as_goal(case, *of, statistic), case.workload.checkpoint_steps or ())
    if not isinstance(found, SideValue) or refused([found], facts) is not None:
        return None
    return found.value, found.origins
