"""Every figure of runs outside the profile side by side, whether a goal is on it or not.

A goal rests on one figure of its runs; their files give many more. Each that has a better direction and that both sides
give is held against the other side here by the rules of a goal: the same runs, the same steps left out, the same
intervals. Where a goal on it could not be judged, since the runs are not alike or are not shown to be, it says why and
has no word.
Source: docs/statistics.md, "Figures of runs".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from reportgen import samples, units
from reportgen.compare import change_of, delta_of, ratio, told_apart
from reportgen.equivalence import equivalence
from reportgen.known_spread import between_of, known_for
from reportgen.model import (
    CaptureFacts,
    Case,
    Comparability,
    Comparison,
    Dimensions,
    EquivalenceBand,
    Family,
    Goal,
    Interval,
    KnownSpread,
    LoggedRun,
    LoneRun,
    Measurement,
    Metric,
    Missing,
    MissingKind,
    Origin,
    PairStanding,
    Quantity,
    Reason,
    Run,
    RunComparison,
    Sample,
    Side,
    Status,
    Target,
    WorkloadCheck,
)
from reportgen.outside import (
    CENTRAL,
    NOT_WHOLE,
    SideValue,
    is_witness,
    kinds_apart,
    ran_together,
    refused,
    side_value,
    speaks,
    with_width,
)
from reportgen.run_conditions import (
    RunFact,
    of_goal,
    shown_unlike,
    unfit,
)
from reportgen.status import is_worse, with_status

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
"""Statistics taken of values one after another; of what a producer computed those that it printed are taken.

Memory that is printed step by step is the highest so far: of that the largest value is taken, and it is no sample.
"""
SPREADS = ("std", "min", "sum", "variance")
"""Printed statistics that say nothing of how much; nor does a count, of anything but requests that failed."""
EXACT = (("failed", "count"), ("memory", "max"))
"""Metric and statistic of what is counted, or is the highest value that an allocator itself recorded."""
SAID_OF_RUNS = {
    "interval_excludes_one": "runs_differ",
    "two_captures": "two_runs",
    "captures_alike": "run_values_alike",
    "captures_scatter": "runs_scatter",
}
"""Reasons that speak of captures -> the same of runs."""
NOT_LOGGED, MEANS = "statistic_not_logged", "interval_means"
"""Reasons why a run has no such statistic: it has none at all, or its lines are means of several steps each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One metric, kind and statistic that the runs of both sides of a case speak of."""

    case: Case
    """Case of the runs."""
    metric: str
    """Metric."""
    kind: str
    """Kind."""
    statistic: str
    """Statistic."""
    before: SideValue | Missing
    """BEFORE; why its runs give no value."""
    after: SideValue | Missing
    """AFTER."""

    @property
    def sides(self) -> tuple[SideValue, ...]:
        """Those that have a value, BEFORE first."""
        return tuple(side for side in (self.before, self.after) if isinstance(side, SideValue))

    @property
    def runs(self) -> list[LoggedRun]:
        """The runs behind them."""
        return [one.run for side in self.sides for one in side.values]

    @property
    def delta(self) -> Fraction:
        """AFTER less BEFORE; 0 where the written digits explain it, or a side has no value."""
        if isinstance(self.before, Missing) or isinstance(self.after, Missing):
            return Fraction(0)
        found = Fraction(self.after.value.value) - Fraction(self.before.value.value)
        explained = self.resolution(self.before) + self.resolution(self.after)
        return found if abs(found) > explained else Fraction(0)

    @property
    def exact(self) -> bool:
        """Whether it is counted and each side has one run."""
        single = all(len(side.values) == 1 for side in self.sides)
        return (self.metric, self.statistic) in EXACT and single

    def resolution(self, side: SideValue) -> Fraction:
        """By how much the written digits can move the value of a side: half of the last one, all of a mean's one way.

        0 of what is counted.
        """
        if self.statistic == "count":
            return Fraction(0)
        return samples.mean([self._half_digit(one.run.run) for one in side.values])

    def _half_digit(self, run: Run) -> Fraction:
        """Half of the last written digit of a run's figure, or of the values it is of."""
        wanted = (self.metric, self.kind)
        named = [v.resolution for v in run.values if (v.metric, v.kind, v.statistic) == (*wanted, self.statistic)]
        series = [s.resolution for s in run.series if (s.metric, s.kind) == wanted]
        return max((Fraction(size.value) / 2 for size in (named or series)), default=Fraction(0))


def figures(case: Case, runs: Sequence[LoggedRun]) -> tuple[Figure, ...]:
    """Every figure with a better direction that the runs of both sides of a case give, in the order of the files.

    Of a side the runs that the target names are taken; those of the command line alone where it names none that speaks
    of the figure. A figure whose two sides have other units is none.
    """
    own = [run for run in runs if run.case == case.id]
    checkpoints = case.workload.checkpoint_steps or ()
    found = []
    for metric, kind, statistic in _named(own):
        asked = as_goal(case, metric, kind, statistic)
        speaking = {side: [run for run in own if run.side is side and speaks(run, asked)] for side in Side}
        some = {side: [run for run in told if run.agreed] or told for side, told in speaking.items()}
        if not all(some.values()):
            continue
        before, after = (side_value(some[side], asked, checkpoints) for side in Side)
        lacking = [side.reason.code for side in (before, after) if isinstance(side, Missing)]
        if NOT_LOGGED in lacking or lacking == [MEANS, MEANS]:
            continue
        if isinstance(before, SideValue) and isinstance(after, SideValue) and before.value.unit != after.value.unit:
            continue
        found.append(Figure(case=case, metric=metric, kind=kind, statistic=statistic, before=before, after=after))
    return tuple(found)


def lone_runs(cases: Iterable[Case], runs: Sequence[LoggedRun]) -> tuple[LoneRun, ...]:
    """The runs of which no figure is held against the other side, by case, BEFORE first; no log of a server.

    None of a case that has results of one side alone: nothing was to be held against the other then.
    """
    found = []
    for case in cases:
        own = _results(case, runs)
        if {run.side for run in own} == set(Side):
            both = _of_both(case, runs)
            found += [_lonely(run) for run in own if not both & set(_quantities(run))]
    return tuple(found)


def one_sided(cases: Iterable[Case], runs: Sequence[LoggedRun]) -> tuple[tuple[str, str, str], ...]:
    """Case, metric and kind of what the runs of one side alone give, by case, in the order of the files.

    None of a case for which no BEFORE was agreed.
    """
    found = []
    for case in cases:
        if not case.alone:
            told = dict.fromkeys(one for run in _results(case, runs) for one in _quantities(run))
            both = _of_both(case, runs)
            found += [(case.id, *one) for one in told if one not in both]
    return tuple(found)


def _results(case: Case, runs: Iterable[LoggedRun]) -> list[LoggedRun]:
    return [run for run in runs if run.case == case.id and not is_witness(run)]


def _of_both(case: Case, runs: Sequence[LoggedRun]) -> set[tuple[str, str]]:
    """Metric and kind of the figures that are held against each other."""
    return {(one.metric, one.kind) for one in figures(case, runs)}


def _quantities(run: LoggedRun) -> list[tuple[str, str]]:
    """Metric and kind of the figures of a run that have a value and a better direction."""
    empty = {(one.metric, one.kind) for one in run.run.series if not one.sample.values}
    told = dict.fromkeys((metric, kind) for metric, kind, _statistic in _named([run]))
    return [one for one in told if one not in empty]


def _lonely(run: LoggedRun) -> LoneRun:
    told = _quantities(run)
    other = Side.AFTER if run.side is Side.BEFORE else Side.BEFORE
    names = ", ".join("/".join(filter(None, one)) for one in told)
    why = Reason.of("run_without_partner", side=other, figures=names) if told else Reason.of("run_without_figures")
    file, segment = run.run.file.path, run.run.segment
    return LoneRun(case=run.case, side=run.side, file=file, segment=segment, reason=why)


def _named(runs: Iterable[LoggedRun]) -> list[tuple[str, str, str]]:
    """Metric, kind and statistic of what runs give, each once, in their order."""
    names: dict[tuple[str, str, str], None] = {}
    for one in runs:
        for value in one.run.values:
            counted = value.statistic == "count" and (value.metric, value.statistic) not in EXACT
            if value.metric in BETTER and value.statistic not in SPREADS and not counted:
                names.setdefault((value.metric, value.kind, value.statistic))
        for series in one.run.series:
            if series.metric in BETTER:
                for statistic in OF_A_SERIES if series.metric != "memory" else ("max",):
                    names.setdefault((series.metric, series.kind, statistic))
    for metric, kind, statistic in tuple(names):  # the same figure under another name
        if statistic == "p50" and (metric, kind, "median") in names:
            del names[metric, kind, statistic]
    return list(names)


def as_goal(case: Case, metric: str, kind: str, statistic: str) -> Goal:
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


# ------------------------------------------------------------------------------------------------ side by side
def side_by_side(figure: Figure, target: Target | None) -> Comparison:
    """A figure of runs held against the other side, as a metric of captures is: delta, interval, word.

    Several runs of each side are the unit of inference. Of one run a side the values behind a mean or median are; a
    percentile, one run against several, and values alike to the last digit written have no interval.

    Args:
        figure: the figure.
        target: what is known between runs, and agreed bands; None without one.
    """
    known = None
    if target is not None and all(len(side.values) == 1 for side in figure.sides):
        known = known_for(target.known_spreads, "runs", figure.metric, kind=figure.kind)
    sides = (figure.before, figure.after)
    before, after = (_measurement(figure, side, which, known) for side, which in zip(sides, Side, strict=True))
    metric = _metric(figure)
    estimate, interval, told, reason = told_apart(metric, before, after, figure.statistic)
    if interval is not None and _without_width(before, after, interval):
        estimate, interval, told, reason = None, None, "cannot be known", Reason.of("run_values_alike")
    if figure.exact and told == "yes" and not figure.delta:
        told, reason = "no", Reason.of("below_resolution")
    if interval is not None and _of_a_mix(figure, interval):
        told, reason = "cannot be known", Reason.of("interval_without_estimate")
    row = Comparison(
        metric=figure.metric,
        dimensions=Dimensions(part=figure.kind),
        before=before,
        after=after,
        delta=delta_of(before.summary, after.summary),
        change=change_of(metric, before.summary, after.summary),
        estimate=estimate,
        interval=interval,
        distinguishable=told,
        reason=_in_words_of_runs(figure, reason),
        between=known if interval is not None and between_of(known) is not None else None,
    )
    band = _band(figure, target)
    row = row if band is None else replace(row, equivalence=equivalence(row, band))
    return with_status([row], {metric.id: metric})[0]


def _without_width(before: Measurement, after: Measurement, interval: Interval) -> bool:
    """Whether so many values are alike that both ends of the interval are one; u_B is no cure for that."""
    if before.between is None or before.sample is None or after.sample is None:
        return with_width(interval) is None
    return with_width(ratio(before.sample.values, after.sample.values)[1]) is None


def _of_a_mix(figure: Figure, interval: Interval) -> bool:
    """Whether the interval of the values of one run a side does not hold the quotient of their means."""
    if figure.statistic != "mean" or any(len(side.values) > 1 for side in figure.sides):
        return False
    before, after = (Fraction(side.value.value) for side in figure.sides)
    return bool(before) and not interval.low.value <= after / before <= interval.high.value


def _has_sample(figure: Figure) -> bool:
    """Whether the values behind a figure show how much it varies."""
    if any(side.flat for side in figure.sides):
        return False
    counts = [len(side.values) for side in figure.sides]
    return min(counts) > 1 or (max(counts) == 1 and figure.statistic in CENTRAL)


def _in_words_of_runs(figure: Figure, reason: Reason) -> Reason:
    """Why nothing is told of the figure: a value of a run is no value of a step."""
    if reason.code in SAID_OF_RUNS:
        return Reason.of(SAID_OF_RUNS[reason.code])
    if reason.code not in ("one_value_each", "one_value_on_a_side", "one_capture_on_a_side"):
        return reason
    counts = [len(side.values) for side in figure.sides]
    if any(side.flat for side in figure.sides):
        return Reason.of("run_values_alike")
    return Reason.of("one_run_against_several" if min(counts) < max(counts) else "one_figure_each")


def _measurement(figure: Figure, side: SideValue | Missing, which: Side, known: KnownSpread | None) -> Measurement:
    place = Dimensions(part=figure.kind)
    if isinstance(side, Missing):
        return Measurement(metric=figure.metric, side=which, dimensions=place, summary=side)

    def measured(value: Quantity, *origins: Origin) -> Measurement:
        return Measurement(metric=figure.metric, side=which, dimensions=place, summary=value, origins=origins)

    each = tuple(measured(one.value, one.origin) for one in side.values)
    spread = tuple(side.sample) if _has_sample(figure) and len(side.sample) > 1 else ()
    unit = side.value.unit
    return replace(
        measured(side.value, *side.origins),
        sample=Sample(unit=unit, values=spread, labels=()) if spread else None,
        interval=side.interval,
        each=each if len(each) > 1 else (),
        resolution=Quantity(value=units.exact(figure.resolution(side)), unit=unit),
        between=known,
    )


def _metric(figure: Figure) -> Metric:
    """What the figure is, in the terms of a metric of captures."""
    return Metric(
        id=figure.metric,
        unit=next((side.value.unit for side in figure.sides), "1"),
        better=BETTER[figure.metric],
        statistic=figure.statistic,
        family=Family.MEMORY if figure.metric == "memory" else Family.TIME,
        exact=figure.exact,
        source="docs/statistics.md, Figures of runs",
    )


def _band(figure: Figure, target: Target | None) -> EquivalenceBand | None:
    bands = target.equivalence if target is not None else ()
    wanted = ("runs", figure.metric, figure.kind)
    return next((band for band in bands if (band.of, band.metric, band.kind) == wanted), None)


# ------------------------------------------------------------------------------------------------ what may be told
@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What decides whether runs may be held against each other."""

    cases: Sequence[Case]
    """Those of the target, or the one of the logs that the command line gives without a target."""
    target: Target | None
    """What was agreed."""
    runs: Sequence[LoggedRun]
    """Of all cases."""
    run_facts: Sequence[RunFact]
    """Compared facts of those runs."""
    facts: Sequence[CaptureFacts]
    """Every capture."""
    comparability: Comparability
    """Of the pair."""
    workload_checks: Sequence[WorkloadCheck] = ()
    """The agreed workload against the captures."""


def compare_figures(ground: Ground) -> tuple[RunComparison, ...]:
    """Every figure with a better direction that the runs of both sides give.

    Returns:
        By case, in the order of the files. A figure that may not be judged says why in ``blocked`` and has the word of
        what is not known; of runs that are shown not to be alike (``unlike``) nothing is formed at all. A side whose
        own files contradict themselves has no value.
    """
    return tuple(_compared(ground, figure) for case in ground.cases for figure in figures(case, ground.runs))


def _compared(ground: Ground, figure: Figure) -> RunComparison:
    why, unlike = _blocked(ground, figure)
    row = side_by_side(figure, ground.target)
    if why is not None:
        row = replace(row, blocked=(why,), status=Status.UNKNOWN, equivalence=None)
    if why is not None and unlike:
        row = replace(unformed(row, why), reason=why)
    for name, side in (("before", figure.before), ("after", figure.after)):
        no = refused([side], ground.facts) if isinstance(side, SideValue) else None
        if no is not None:  # a side whose own files contradict themselves has no value, as beside a goal
            row = _without(replace(unformed(row, no[0]), reason=no[0]), name, no[0])
    before, after = _counts(figure.before), _counts(figure.after)
    return RunComparison(
        case=figure.case.id,
        statistic=figure.statistic,
        better=BETTER[figure.metric],
        exact=figure.exact,
        comparison=row,
        runs=(len(before), len(after)),
        values=(sum(before), sum(after)),
        counts=(before, after),
        goals=tuple(goal.id for goal in _goals(figure)),
        unlike=unlike,
        caveats=_caveats(figure, row),
    )


def _caveats(figure: Figure, row: Comparison) -> tuple[Reason, ...]:
    """What stands beside the word of a figure; nothing where none is told for want of an interval."""
    counts = [len(side.values) for side in figure.sides]
    if row.blocked or (row.interval is None and not figure.exact):
        return ()
    if figure.exact:
        return (Reason.of("single_run_bare"),)
    if max(counts) == 1:
        return (Reason.of("single_run" if row.between is None else "single_run_stated"),)
    return (*((Reason.of("two_runs"),) if min(counts) == 2 else ()), *ran_together(figure.sides))


def _counts(side: SideValue | Missing) -> tuple[int, ...]:
    """Values behind the figure of each run of a side; none where the side has no value."""
    runs = side.values if isinstance(side, SideValue) else ()
    return tuple(len(one.sample.values) if one.sample is not None else 0 for one in runs)


def regressed(rows: Iterable[RunComparison]) -> tuple[RunComparison, ...]:
    """The figures that may be called worse."""
    return tuple(one for one in rows if one.comparison.status is Status.REGRESSED)


def barred(rows: Iterable[RunComparison]) -> tuple[RunComparison, ...]:
    """The figures of both sides that may not be held against each other: whether they are worse is not known."""
    return tuple(one for one in rows if one.comparison.blocked)


def untold(rows: Iterable[RunComparison]) -> tuple[RunComparison, ...]:
    """The figures that are worse by their values and of which nothing is told."""
    return tuple(one for one in rows if _is_untold(one))


def _is_untold(one: RunComparison) -> bool:
    row = one.comparison
    if row.blocked or row.status is not Status.UNKNOWN or not isinstance(row.delta, Quantity):
        return False
    return is_worse(row.delta, one.better)


def _without(row: Comparison, name: str, why: Reason) -> Comparison:
    """The comparison without the value of a side; its origins stay."""
    held = row.before if name == "before" else row.after
    assert held is not None
    kind = MissingKind.UNREADABLE if why.code in ("log_contradicts_itself", *NOT_WHOLE) else MissingKind.NOT_RECORDED
    none = Missing(kind=kind, reason=why)
    bare = replace(held, summary=none, sample=None, interval=None, each=())
    return replace(row, before=bare) if name == "before" else replace(row, after=bare)


def unformed(row: Comparison, why: Reason) -> Comparison:
    """The comparison with the values of both sides and nothing that is formed of the two."""
    none = Missing(kind=MissingKind.NOT_RECORDED, reason=why)
    return replace(row, delta=none, change=none, estimate=None, interval=None, distinguishable="cannot be known",
                   between=None, equivalence=None)  # fmt: skip


def _goals(figure: Figure) -> tuple[Goal, ...]:
    """The goals on this very figure."""
    wanted = (figure.metric, figure.kind, figure.statistic)
    return tuple(goal for goal in figure.case.goals if (goal.metric, goal.kind, goal.statistic) == wanted)


def _blocked(ground: Ground, figure: Figure) -> tuple[Reason | None, bool]:
    """Why a goal on the figure would not be judged, None when it would; and whether its runs are shown to be unlike."""
    case, runs = figure.case, figure.runs
    why = stopped(ground.comparability, ground.workload_checks, case)
    if why is not None:
        return why, why.code == "pair_not_comparable"
    lacking = next((side for side in (figure.before, figure.after) if isinstance(side, Missing)), None)
    if lacking is not None:
        return lacking.reason, False
    no = refused(figure.sides, ground.facts)
    if no is not None:
        return no[0], kinds_apart(no[0])
    why = unfit(ground.cases, case, runs, ground.runs, figure.metric)
    if why is not None:
        return why, False
    asked = next((goal for goal in _goals(figure) if goal.subject != "after"), None)
    asked = asked or as_goal(case, figure.metric, figure.kind, figure.statistic)
    sets = [run.run.definitions for run in runs]
    why = of_goal(ground.run_facts, case.id, asked, sets)
    if why is None:
        told = [typed_otherwise(case, asked, side, one) for side, one in zip(Side, figure.sides, strict=True)]
        why = next(filter(None, told), None)
    if why is None and figure.metric == "memory" and len({_memory_reaches(run, figure.kind) for run in runs}) > 1:
        why = Reason.of("memory_reaches_apart")
    return why, shown_unlike(ground.run_facts, case.id, asked, sets)


def _memory_reaches(run: LoggedRun, kind: str) -> frozenset[tuple[str, str]]:
    """Up to which iteration, and over how many ranks where it says so, the memory of a run is the highest value."""
    notes = [(note.arg("after"), note.arg("ranks")) for note in run.run.warnings if note.code == "log_memory_early"]
    series = [one for one in run.run.series if (one.metric, one.kind) == ("memory", kind)]
    return frozenset((*notes, *((one.sample.labels[-1], "") for one in series)))


def typed_otherwise(case: Case, goal: Goal, side: Side, found: SideValue) -> Reason | None:
    """A value typed into the target that is not what the logs of its side say, beyond the last digit typed.

    Args:
        case: of the target.
        goal: names metric, kind and statistic.
        side: whose logs.
        found: what they give.
    """
    wanted = (side, goal.metric, goal.kind, goal.statistic)
    for typed in case.external:
        if (typed.side, typed.metric, typed.kind, typed.statistic) != wanted:
            continue
        if abs(Fraction(typed.value.value) - found.value.value) > units.last_digit(typed.value.written) / 2:
            logged, written = found.value.exact(), typed.value.exact()
            return Reason.of("typed_contradicts_log", side=side, typed=written, logged=logged)
    return None


def stopped(comparability: Comparability, checks: Iterable[WorkloadCheck], case: Case) -> Reason | None:
    """Why nothing measured outside is judged: the pair, or the agreed workload of the profiled case; else None."""
    keys = ", ".join(dict.fromkeys(d.key for d in comparability.differences if d.blocks_all))
    if comparability.standing is PairStanding.NOT_COMPARABLE:
        return Reason.of("pair_not_comparable", keys=keys)
    if case.profiled and comparability.standing is PairStanding.CANNOT_BE_SHOWN:
        return Reason.of("pair_cannot_be_shown", keys=keys)
    wrong = next((c for c in checks if c.outcome == "contradicts"), None)
    if case.profiled and wrong is not None:
        return Reason.of("workload_contradicts", fact=wrong.fact, agreed=wrong.agreed, seen=wrong.seen)
    return None
