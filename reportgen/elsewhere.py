"""What is worse in AFTER beside what was agreed on: over every metric of the captures and of the runs outside them.

A goal on one figure says nothing of the others: time per token may fall while the time to the first token grows. Of the
captures the metrics that are told apart and worse are listed (``status.regressed``). Of runs outside the profile every
metric, kind and statistic that both sides give: told worse where an interval of AFTER / BEFORE excludes 1, and where
none can be stated "worse by its figures, no interval". Nothing is judged here, and no goal rests on it.

A mean and a percentile of one quantity that move in opposite directions are named: which of them was agreed on decides
what such a run shows. Source: docs/statistics.md, "Worse elsewhere"; docs/definitions.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from reportgen import units
from reportgen.compare import ratio, ratio_of_captures
from reportgen.model import (
    CaptureFacts,
    Case,
    Comparability,
    Comparison,
    Difference,
    Goal,
    Interval,
    LoggedRun,
    Metric,
    Missing,
    MissingKind,
    Origin,
    PairStanding,
    Quantity,
    Reason,
    Side,
    Target,
)
from reportgen.outside import CENTRAL, SideValue, refused, side_value, speaks, with_width
from reportgen.run_conditions import case_apart
from reportgen.status import regressed
from reportgen.vocabulary import DESCRIBES_LOAD, LOAD_PHASES

BETTER: dict[str, Literal["lower", "higher"]] = {
    "latency": "lower",
    "step_time": "lower",
    "stage_time": "lower",
    "memory": "lower",
    "failed": "lower",
    "qps": "higher",
    "throughput": "higher",
    "mfu": "higher",
}
"""Metric of a run -> the direction that is better; what is not here describes the load or has no direction."""
OF_A_SERIES = ("mean", "median", "p90", "p99")
"""Statistics taken of values one after another; of what a producer computed those that it printed are taken."""
SPREADS = ("std", "min", "sum", "variance")
"""Printed statistics that say nothing of how much."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Worse:
    """One figure that is worse in AFTER."""

    row: Comparison | None
    """The metric of the captures, on the rank with the largest change; None for a figure of runs."""
    ranks: int
    """Ranks on which it is worse; 0 for a figure of runs."""
    case: str
    """Case of the runs; empty for the captures."""
    metric: str
    """Metric id."""
    kind: str
    """Kind of latency or throughput; empty where the metric says it, and for the captures."""
    statistic: str
    """Statistic."""
    before: Quantity
    """BEFORE."""
    after: Quantity
    """AFTER."""
    change: Quantity | Missing
    """AFTER / BEFORE - 1; Missing where BEFORE is 0."""
    interval: Interval | None
    """Of AFTER / BEFORE; None where none can be stated."""
    told: bool
    """Whether a difference is demonstrated, by an interval or since the metric is exact; else by its figures alone."""
    goal: bool
    """Whether a goal is on this very figure."""
    origins: tuple[Origin, ...]
    """Where both values come from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """One statistic of a quantity on both sides."""

    statistic: str
    """Statistic."""
    before: Quantity
    """BEFORE."""
    after: Quantity
    """AFTER."""
    change: Quantity
    """AFTER / BEFORE - 1."""
    origins: tuple[Origin, ...]
    """Where both come from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """Statistics of one quantity, of the same runs, that move in opposite directions."""

    case: str
    """Case of the runs."""
    metric: str
    """Metric id."""
    kind: str
    """Kind."""
    better: Moved
    """The statistic that changed most for the better."""
    worse: Moved
    """The one that changed most for the worse."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """All that is worse, and what was not looked at."""

    worse: tuple[Worse, ...]
    """Captures first, then runs by case; told apart before the others, the larger change first."""
    disagreements: tuple[Disagreement, ...]
    """By case."""
    not_held: tuple[Reason, ...]
    """Why figures of both sides were not held against each other: the pair, or runs that may not be compared."""


def look_elsewhere(
    metrics: Sequence[Metric],
    comparisons: Sequence[Comparison],
    runs: Sequence[LoggedRun],
    target: Target | None,
    facts: Sequence[CaptureFacts],
    comparability: Comparability,
) -> Elsewhere:
    """Everything that is worse in AFTER.

    Args:
        metrics: what the ids mean.
        comparisons: every metric side by side.
        runs: runs that the target names.
        target: what was agreed; None without one.
        facts: every capture.
        comparability: of the pair, with the compared facts of its runs; of captures that are not comparable nothing is
            held against each other, and of runs that are not, none of their case.
    """
    keys = ", ".join(dict.fromkeys(d.key for d in comparability.differences if d.blocks_all))
    if comparability.standing is PairStanding.NOT_COMPARABLE:
        stopped = (Reason.of("pair_not_comparable", keys=keys),)
        return Elsewhere(worse=(), disagreements=(), not_held=stopped)
    cases = target.cases if target is not None else ()
    goals = {(c.id, g.metric, g.kind, g.part, g.statistic) for c in cases for g in c.goals}
    worse = _of_captures(metrics, comparisons, cases, goals)
    not_held = []
    if comparability.standing is PairStanding.CANNOT_BE_SHOWN:
        not_held.append(Reason.of("pair_cannot_be_shown", keys=keys))
    split: list[Disagreement] = []
    for case in cases:
        if case.profiled and comparability.standing is PairStanding.CANNOT_BE_SHOWN:
            continue
        apart = case_apart(comparability.differences, case.id, case.goals)
        if apart:
            not_held.append(_not_alike(case, apart))
            continue
        moved, reasons = _figures(case, runs, facts)
        not_held += reasons
        unlike = [_goal_apart(case, one, comparability) for one in moved]
        not_held += [_not_alike(case, facts_of) for facts_of in unlike if facts_of]
        moved = [one for one, facts_of in zip(moved, unlike, strict=True) if not facts_of]
        worse += sorted((one for f in moved if (one := _worse(case, f, goals)) is not None), key=_order)
        split += _disagreements(case, moved)
    return Elsewhere(worse=tuple(worse), disagreements=tuple(split), not_held=tuple(dict.fromkeys(not_held)))


def _not_alike(case: Case, facts: Sequence[Difference]) -> Reason:
    names = ", ".join(dict.fromkeys(one.spelling for one in facts))
    return Reason.of("case_runs_not_alike", case=case.id, facts=names)


def _goal_apart(case: Case, figure: _Figure, comparability: Comparability) -> tuple[Difference, ...]:
    """What forbids a goal on this very figure, agreed as it may be for another goal of the case; empty when nothing."""
    on_it = (figure.metric, figure.kind, figure.statistic)
    goals = [
        goal for goal in case.goals if goal.subject != "after" and (goal.metric, goal.kind, goal.statistic) == on_it
    ]
    return next(filter(None, (case_apart(comparability.differences, case.id, (goal,)) for goal in goals)), ())


def _order(one: Worse) -> tuple[bool, Fraction]:
    """Told apart first, then by the larger change."""
    size = abs(Fraction(one.change.value)) if isinstance(one.change, Quantity) else Fraction(10**9)
    return not one.told, -size


# ------------------------------------------------------------------------------------------------ captures
def _of_captures(
    metrics: Sequence[Metric],
    comparisons: Sequence[Comparison],
    cases: Sequence[Case],
    goals: set[tuple[str, str, str, str, str]],
) -> list[Worse]:
    """The metrics that are told apart and worse, each once for all its ranks; not those that describe a load."""
    serving = any(case.profiled and case.workload.phase in LOAD_PHASES for case in cases)
    known = {metric.id: metric for metric in metrics}
    rows: dict[tuple[str, str], list[Comparison]] = {}
    for row in regressed(comparisons):
        if not (serving and row.metric in DESCRIBES_LOAD):
            rows.setdefault((row.metric, row.dimensions.part), []).append(row)
    agreed = {(metric, part) for _case, metric, _kind, part, _statistic in goals}
    found = []
    for (metric, part), some in rows.items():
        one = max(some, key=_size)
        before, after = (side.summary for side in (one.before, one.after) if side is not None)
        assert isinstance(before, Quantity)
        assert isinstance(after, Quantity)
        sides = (side for side in (one.before, one.after) if side is not None)
        found.append(
            Worse(
                row=one,
                ranks=len(some),
                case="",
                metric=metric,
                kind="",
                statistic=known[metric].statistic,
                before=before,
                after=after,
                change=one.change,
                interval=one.interval,
                told=True,
                goal=(metric, part) in agreed,
                origins=tuple(origin for side in sides for origin in side.origins),
            )
        )
    return sorted(found, key=_order)


def _size(row: Comparison) -> Fraction:
    """How much a row changed."""
    value = row.change if isinstance(row.change, Quantity) else row.delta
    return abs(Fraction(value.value)) if isinstance(value, Quantity) else Fraction(0)


# ------------------------------------------------------------------------------------------------ runs
@dataclass(frozen=True, slots=True, kw_only=True)
class _Figure:
    """One metric, kind and statistic of the runs of both sides."""

    metric: str
    """Metric."""
    kind: str
    """Kind."""
    statistic: str
    """Statistic."""
    before: SideValue
    """BEFORE."""
    after: SideValue
    """AFTER."""
    resolution: Fraction
    """By how much the written digits of both sides can be off together."""

    @property
    def delta(self) -> Fraction:
        """AFTER less BEFORE; 0 where the written digits explain it."""
        found = Fraction(self.after.value.value) - Fraction(self.before.value.value)
        return found if abs(found) > self.resolution else Fraction(0)

    @property
    def change(self) -> Quantity | Missing:
        """AFTER / BEFORE - 1."""
        if self.before.value.value == 0:
            return Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of("before_zero"))
        quotient = Fraction(self.after.value.value) / Fraction(self.before.value.value)
        return Quantity(value=units.exact(quotient - 1), unit="1")

    @property
    def origins(self) -> tuple[Origin, ...]:
        """Of both values."""
        return tuple(one.origin for side in (self.before, self.after) for one in side.values)


def _figures(
    case: Case, runs: Sequence[LoggedRun], facts: Sequence[CaptureFacts]
) -> tuple[list[_Figure], list[Reason]]:
    """Every figure with a direction that the runs of both sides give, and why some may not be compared."""
    own = [run for run in runs if run.case == case.id]
    checkpoints = case.workload.checkpoint_steps or ()
    found, reasons = [], []
    for metric, kind, statistic in _named(own):
        goal = _as_goal(case, metric, kind, statistic)
        some = {side: [run for run in own if run.side is side and speaks(run, goal)] for side in Side}
        if not all(some.values()):
            continue
        before, after = (side_value(some[side], goal, checkpoints) for side in Side)
        if isinstance(before, Missing) or isinstance(after, Missing) or before.value.unit != after.value.unit:
            continue
        no = refused([before, after], facts)
        if no is not None:
            reasons.append(no[0])
            continue
        resolution = _resolution(before, metric, kind, statistic) + _resolution(after, metric, kind, statistic)
        found.append(
            _Figure(metric=metric, kind=kind, statistic=statistic, before=before, after=after, resolution=resolution)
        )
    return found, list(dict.fromkeys(reasons))


def _named(runs: Iterable[LoggedRun]) -> list[tuple[str, str, str]]:
    """Metric, kind and statistic of what runs give, each once, in their order."""
    names: dict[tuple[str, str, str], None] = {}
    for one in runs:
        for value in one.run.values:
            if value.metric in BETTER and value.statistic not in SPREADS:
                names.setdefault((value.metric, value.kind, value.statistic))
        for series in one.run.series:
            if series.metric in BETTER:
                for statistic in OF_A_SERIES:
                    names.setdefault((series.metric, series.kind, statistic))
    return list(names)


def _as_goal(case: Case, metric: str, kind: str, statistic: str) -> Goal:
    """What is asked of the runs, in the form of a goal without a limit that matters."""
    return Goal(
        id="",
        clause=case.clause,
        metric=metric,
        part="",
        statistic=statistic,
        kind=kind,
        direction="at_most",
        subject="ratio",
        limit=Quantity(value=1, unit="1"),
        side_condition="",
        subject_to=(),
        origin=Origin(file="", digest="", locator="", formula=""),
    )


def _resolution(side: SideValue, metric: str, kind: str, statistic: str) -> Fraction:
    """Half of the last written digit, the coarsest of the runs of a side."""
    found = [Fraction(0)]
    for one in side.values:
        run = one.run.run
        named = [v.resolution for v in run.values if (v.metric, v.kind, v.statistic) == (metric, kind, statistic)]
        series = [s.resolution for s in run.series if (s.metric, s.kind) == (metric, kind)]
        found += [Fraction(one.value) / 2 for one in (named or series)]
    return max(found)


def _worse(case: Case, figure: _Figure, goals: set[tuple[str, str, str, str, str]]) -> Worse | None:
    """The figure, where it is worse in AFTER and no interval speaks against it."""
    sign = 1 if BETTER[figure.metric] == "lower" else -1
    if figure.delta * sign <= 0:
        return None
    interval = _interval(figure)
    if interval is not None and interval.low.value <= 1 <= interval.high.value:
        return None
    return Worse(
        row=None,
        ranks=0,
        case=case.id,
        metric=figure.metric,
        kind=figure.kind,
        statistic=figure.statistic,
        before=figure.before.value,
        after=figure.after.value,
        change=figure.change,
        interval=interval,
        told=interval is not None,
        goal=(case.id, figure.metric, figure.kind, "", figure.statistic) in goals,
        origins=figure.origins,
    )


def _interval(figure: _Figure) -> Interval | None:
    """The interval of AFTER / BEFORE: of repeated runs, or of the values of one run a side; of no percentile.

    None also where the interval cannot be one of this change: it speaks of the other direction.
    """
    before, after = figure.before, figure.after
    if min(len(before.values), len(after.values)) > 1:
        found = ratio_of_captures(before.sample, after.sample)[1]
    elif len(before.values) == len(after.values) == 1 and figure.statistic in CENTRAL:
        found = ratio(before.sample, after.sample)[1]
    else:
        found = None
    interval = with_width(found)
    if interval is None or before.flat or after.flat:
        return None
    opposite = interval.high.value < 1 if figure.delta > 0 else interval.low.value > 1
    return None if opposite else interval


# ------------------------------------------------------------------------------------------------ statistics
def _disagreements(case: Case, figures: Sequence[_Figure]) -> list[Disagreement]:
    """Quantities of which one statistic grew and another fell."""
    by_kind: dict[tuple[str, str], list[_Figure]] = {}
    for figure in figures:
        by_kind.setdefault((figure.metric, figure.kind), []).append(figure)
    found = []
    for (metric, kind), some in by_kind.items():
        sign = 1 if BETTER[metric] == "lower" else -1
        moved = [
            (sign * Fraction(f.change.value), f)
            for f in some
            if f.delta and isinstance(f.change, Quantity) and _of_the_whole(f.statistic)
        ]
        if not moved:
            continue
        worst, best = max(moved, key=lambda one: one[0]), min(moved, key=lambda one: one[0])
        if worst[0] > 0 > best[0]:
            found.append(
                Disagreement(case=case.id, metric=metric, kind=kind, better=_moved(best[1]), worse=_moved(worst[1]))
            )
    return found


def _of_the_whole(statistic: str) -> bool:
    """Whether a statistic is one of all values, not of a single one: a largest value moves with every outlier."""
    return statistic in CENTRAL or statistic.startswith("p")


def _moved(figure: _Figure) -> Moved:
    change = figure.change
    assert isinstance(change, Quantity)
    return Moved(
        statistic=figure.statistic,
        before=figure.before.value,
        after=figure.after.value,
        change=change,
        origins=figure.origins,
    )
