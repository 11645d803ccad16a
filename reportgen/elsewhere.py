"""What is worse in AFTER beside what was agreed on: over every metric of the captures and of the runs outside them.

A goal on one figure says nothing of the others: time per token may fall while the time to the first token grows. Of the
captures the metrics that are told apart and worse are listed (``status.regressed``). Of runs outside the profile every
metric, kind and statistic that both sides give: told worse where an interval of AFTER / BEFORE excludes 1, and where
none can be stated "worse by its figures, no interval". Nothing is judged here, and no goal rests on it.

A mean and a percentile of one quantity that move in opposite directions are named: which of them was agreed on decides
what such a run shows. Source: docs/statistics.md, "Worse elsewhere"; docs/definitions.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.model import (
    CaptureFacts,
    Case,
    Comparability,
    Comparison,
    Difference,
    Interval,
    LoggedRun,
    Metric,
    Missing,
    Origin,
    PairStanding,
    Quantity,
    Reason,
    RunComparison,
    Side,
    Target,
)
from reportgen.outside import CENTRAL, refused
from reportgen.run_comparisons import BETTER, Figure, figures, side_by_side
from reportgen.run_conditions import case_apart
from reportgen.status import regressed
from reportgen.vocabulary import DESCRIBES_LOAD, LOAD_PHASES


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
    exact: bool
    """Count or peak: no interval."""
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
    run_comparisons: Sequence[RunComparison] = (),
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
        run_comparisons: figures of the runs that are compared already; those that are not are compared here.
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
    rows = {(one.case, one.comparison.metric, one.comparison.dimensions.part, one.statistic): one.comparison
            for one in run_comparisons}  # fmt: skip
    for case in cases:
        if case.profiled and comparability.standing is PairStanding.CANNOT_BE_SHOWN:
            continue
        apart = case_apart(comparability.differences, case.id, case.goals)
        if apart:
            not_held.append(_not_alike(case, apart))
            continue
        moved, reasons = _held(case, runs, facts, target, rows)
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


def _goal_apart(case: Case, held: _Held, comparability: Comparability) -> tuple[Difference, ...]:
    """What forbids a goal on this very figure, agreed as it may be for another goal of the case; empty when nothing."""
    on_it = held.name
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
                exact=known[metric].exact,
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
Compared = dict[tuple[str, str, str, str], Comparison]
"""(case, metric, kind, statistic) -> both sides of a figure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    """A figure of runs that are held against each other."""

    figure: Figure
    """The figure."""
    row: Comparison
    """Both sides."""

    @property
    def name(self) -> tuple[str, str, str]:
        """Metric, kind, statistic."""
        return self.figure.metric, self.figure.kind, self.figure.statistic

    @property
    def values(self) -> tuple[Quantity, Quantity]:
        """BEFORE and AFTER."""
        before, after = (side.value for side in self.figure.sides)
        return before, after

    @property
    def origins(self) -> tuple[Origin, ...]:
        """Of both values."""
        return tuple(place for side in self.figure.sides for place in side.origins)


def _held(
    case: Case, runs: Sequence[LoggedRun], facts: Sequence[CaptureFacts], target: Target | None, compared: Compared
) -> tuple[list[_Held], list[Reason]]:
    """Every figure that the runs of both sides give, and why some may not be compared."""
    found, reasons = [], []
    for figure in figures(case, runs):
        if len(figure.sides) < len(Side):
            continue
        no = refused(figure.sides, facts)
        if no is not None:
            reasons.append(no[0])
            continue
        row = compared.get((case.id, figure.metric, figure.kind, figure.statistic)) or side_by_side(figure, target)
        found.append(_Held(figure=figure, row=row))
    return found, list(dict.fromkeys(reasons))


def _worse(case: Case, held: _Held, goals: set[tuple[str, str, str, str, str]]) -> Worse | None:
    """The figure, where it is worse in AFTER and nothing speaks against it."""
    figure, row = held.figure, held.row
    sign = 1 if BETTER[figure.metric] == "lower" else -1
    shown = row.equivalence is not None and row.equivalence.shown
    if figure.delta * sign <= 0 or row.distinguishable == "no" or shown:
        return None
    interval = _own(held)
    before, after = held.values
    metric, kind, statistic = held.name
    return Worse(
        row=None,
        ranks=0,
        case=case.id,
        metric=metric,
        kind=kind,
        statistic=statistic,
        before=before,
        after=after,
        change=row.change,
        interval=interval,
        exact=figure.exact,
        told=interval is not None or (figure.exact and row.distinguishable == "yes"),
        goal=(case.id, metric, kind, "", statistic) in goals,
        origins=held.origins,
    )


def _own(held: _Held) -> Interval | None:
    """The interval of AFTER / BEFORE; None also where it speaks of the other direction than the values."""
    told = held.row.distinguishable == "yes" and held.row.reason.code != "directions_disagree"
    return held.row.interval if told else None


# ------------------------------------------------------------------------------------------------ statistics
def _disagreements(case: Case, held: Sequence[_Held]) -> list[Disagreement]:
    """Quantities of which one statistic grew and another fell."""
    by_kind: dict[tuple[str, str], list[_Held]] = {}
    for one in held:
        by_kind.setdefault((one.figure.metric, one.figure.kind), []).append(one)
    found = []
    for (metric, kind), some in by_kind.items():
        sign = 1 if BETTER[metric] == "lower" else -1
        moved = [
            (sign * Fraction(one.row.change.value), one)
            for one in some
            if one.figure.delta and isinstance(one.row.change, Quantity) and _of_the_whole(one.figure.statistic)
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


def _moved(held: _Held) -> Moved:
    change, (before, after) = held.row.change, held.values
    assert isinstance(change, Quantity)
    return Moved(statistic=held.figure.statistic, before=before, after=after, change=change, origins=held.origins)
