"""An ``Evaluation`` made into the ``Report``: which rows, in which order, and where each number comes from.

Nothing is rounded and no sentence is made here. Origins are numbered in the order in which the report first uses them;
a number without one cannot be built (law 3). The same evaluation gives the same report.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from fractions import Fraction

from reportgen import samples, units
from reportgen.digests import sha256_bytes
from reportgen.equivalence import LEVEL as EQUIVALENCE_LEVEL
from reportgen.model import (
    AlikeCaptures,
    Applicability,
    Band,
    CaptureFacts,
    Case,
    Catalogue,
    Comparability,
    Comparison,
    Difference,
    Evaluation,
    ExternalValue,
    FileRecord,
    Identity,
    Interval,
    Judgement,
    LoggedRun,
    Measurement,
    Metric,
    Missing,
    MissingKind,
    OperatorChange,
    OperatorMeasurement,
    Origin,
    Outcome,
    PairStanding,
    Quantity,
    RankFacts,
    Reason,
    Series,
    Side,
    Standing,
    Target,
    Threshold,
    ThresholdJudgement,
    Verdict,
    VerdictWord,
    Workload,
    WorkloadMatch,
)
from reportgen.outside import is_witness, judged_series, tag
from reportgen.report import assurance_rows, bottleneck_rows, change_rows, conformity, permitted, run_rows, spread
from reportgen.report.document import (
    SCHEMA_VERSION,
    AlikeBlock,
    BandRow,
    CaptureBlock,
    CaseRow,
    ComparabilityBlock,
    ConformityBlock,
    ContractBlock,
    DeclaredRow,
    FileRow,
    FixedRow,
    GapRow,
    GoalRow,
    IdentityRow,
    IntervalRow,
    MetricRow,
    Number,
    OperatorRow,
    OperatorSide,
    OriginRow,
    RankRow,
    Report,
    RunRow,
    RunSeriesRow,
    SeriesRow,
    SettingRow,
    SideValue,
    SourceRow,
    SpreadRow,
    ThresholdRow,
    Value,
    VerdictBlock,
    WitnessRow,
    WorkloadBlock,
    WorkloadCheckRow,
    row_name,
)
from reportgen.report.form_rows import form_block
from reportgen.report.statistic_rows import Spreads, change_of_speed, equivalence_row, speed

COUNTED = (
    Standing.SAME,
    Standing.ALLOWED,
    Standing.DECLARED,
    Standing.BIAS,
    Standing.BLOCKING,
    Standing.UNKNOWN,
    Standing.IDENTITY,
)
"""The order in which page one counts the compared facts."""
HEADLINES = (
    ("step_time", "device_span"),
    ("kernel_count_per_step", "kernel_count"),
    ("peak_reserved",),
    ("free_share",),
)
"""What page one shows beside the goals: of each tuple the first that has a value."""
PREFERRED_PART = "APP"
"""The memory component of page one: what the process holds."""
FACTS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("chip", (("info.json", "platform_version"),)),
    ("ai_core_num", (("info.json", "ai_core_num"),)),
    ("aiv_num", (("info.json", "aiv_num"),)),
    ("aic_frequency", (("info.json", "aic_frequency"),)),
    ("driver", (("info.json", "drvVersion"),)),
    ("cann", (("info.json", "cannVersion"), ("profiler_info.json", "cann_version"))),
    ("torch_npu", (("profiler_info.json", "torch_npu_version"),)),
    (
        "level",
        (("profiler_info.json", "_profiler_level"), ("sample.json", "prof_level"), ("sample.json", "profLevel")),
    ),
    ("aic_metrics", (("profiler_info.json", "_aic_metrics"), ("sample.json", "ai_core_metrics"))),
    ("export_type", (("profiler_info.json", "_export_type"),)),
)
"""Fact id -> (kind of settings file, last name of the key): the first key that is recorded is taken."""
OWN_SECTIONS = (
    ("links", "link_"),
    ("groups", "group_communication_"),
    ("modules", "module_peak_"),
    ("host", "host_api_"),
)
"""(section, beginning of the metrics): metrics of many parts, which stand in a section of their own alone."""
SCHEDULE = ("wait", "warmup", "active", "repeat", "skip_first")
OUTSIDE_METRICS = ("latency", "qps", "throughput")
"""What is never in a profile."""


@dataclass(slots=True)
class _Origins:
    """Numbers origins in the order of their first use."""

    ids: dict[Origin, str] = field(default_factory=dict)
    """Origin -> ``O1``, ``O2`` ..."""

    def of(self, origins: Iterable[Origin]) -> tuple[str, ...]:
        """The ids of the origins, each once, in the order given."""
        return tuple(self.ids.setdefault(origin, f"O{len(self.ids) + 1}") for origin in dict.fromkeys(origins))

    def number(self, quantity: Quantity, origins: Iterable[Origin]) -> Number:
        """A number with its origins.

        Raises:
            ValueError: when there is no origin; no such number may be printed.
        """
        ids = self.of(origins)
        if not ids:
            raise ValueError(f"a number without an origin: {quantity.exact()}")
        return Number(quantity=quantity, origins=ids)

    def value(self, value: Quantity | Missing, origins: Iterable[Origin]) -> Value:
        """A number with its origins, or what stands in its place."""
        return value if isinstance(value, Missing) else self.number(value, origins)

    def rows(self) -> tuple[OriginRow, ...]:
        """All origins by number."""
        return tuple(OriginRow(id=identity, origin=origin) for origin, identity in self.ids.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Context:
    """What every part of the building needs."""

    evaluation: Evaluation
    """All results."""
    metrics: dict[str, Metric]
    """By id."""
    origins: _Origins
    """The one numbering."""
    row_ids: dict[int, str]
    """``id()`` of a comparison -> ``M1`` ..."""
    worst: frozenset[str]
    """Row ids of the worst rank of each metric and part."""
    headline: frozenset[str]
    """Row ids that page one shows."""
    groups: dict[tuple[str, str], list[Comparison]]
    """The comparisons of each metric and part, one for each rank."""
    spreads: Spreads = field(default_factory=Spreads)
    """The one numbering of what is known between captures."""

    def level(self, level: Fraction) -> Origin:
        """Where a confidence level is chosen."""
        chosen = "equivalence_level" if level == EQUIVALENCE_LEVEL else "confidence_level"
        return evidence_origin(self.evaluation.catalogue, "evidence/choices.toml", chosen)

    def interval(self, interval: Interval | None, origins: tuple[Origin, ...]) -> IntervalRow | None:
        """An interval whose ends come from the given origins."""
        if interval is None:
            return None
        level = Quantity(value=units.exact(interval.level), unit="1")
        return IntervalRow(
            low=self.origins.number(interval.low, origins),
            high=self.origins.number(interval.high, origins),
            level=self.origins.number(level, (self.level(interval.level),)),
            method=interval.method,
        )


def build(evaluation: Evaluation, *, tool_version: str) -> Report:
    """The report of an evaluation, as plain data.

    Args:
        evaluation: the results of all stages; without a target there are no goals and no verdict.
        tool_version: version of the tool, as ``reportgen.__version__``.

    Returns:
        The report; metric rows M1 ... in the order of ``evaluation.comparisons``.

    Raises:
        ValueError: when a number has no origin.
    """
    context = _context(evaluation)
    target, verdict = evaluation.target, evaluation.verdict
    goals = tuple(_goal(context, judgement) for judgement in verdict.judgements) if verdict else ()
    note = evaluation.note
    parts = {
        "captures": tuple(_capture(capture) for capture in (*evaluation.before, *evaluation.after)),
        "comparability": _comparability(context, evaluation.comparability),
        "metrics": tuple(_metric_row(context, comparison) for comparison in evaluation.comparisons),
        "series": tuple(_series(context, series) for series in evaluation.series),
        "operators": tuple(
            _operator_row(context, number, change) for number, change in enumerate(evaluation.operators, 1)
        ),
        "thresholds": tuple(_threshold(context, judged) for judged in verdict.thresholds) if verdict else (),
        "bottleneck": bottleneck_rows.bottleneck(evaluation, context.origins, context.row_ids),
        "diagnoses": bottleneck_rows.diagnoses(evaluation, context.origins),
        "attributions": change_rows.attributions(evaluation, context.origins, context.row_ids),
        "matches": change_rows.matches(evaluation, context.origins),
        "elsewhere": change_rows.elsewhere(evaluation, context.origins, context.row_ids, context.interval),
        "run_figures": run_rows.figures(evaluation, context.origins, context.interval, context.spreads),
        "accuracy": assurance_rows.accuracy(evaluation, context.origins),
        "precision": assurance_rows.precision(evaluation, context.origins),
        "inflation": assurance_rows.inflation(evaluation, context.origins),
        "gates": assurance_rows.gates(evaluation, context.origins),
        "attachments": assurance_rows.attachments(evaluation),
    }
    return Report(
        schema_version=SCHEMA_VERSION,
        tool="reportgen",
        tool_version=tool_version,
        contract=_contract(context, target) if target and verdict else None,
        verdict=_verdict(evaluation, verdict, goals) if verdict else None,
        goals=goals,
        conformity=_over_cases(target, goals, parts["metrics"]) if verdict else None,  # type: ignore[arg-type]
        **parts,  # type: ignore[arg-type]
        workload_checks=tuple(
            WorkloadCheckRow(fact=check.fact, agreed=check.agreed, seen=check.seen, outcome=check.outcome)
            for check in (verdict.workload_checks if verdict else ())
        ),
        gaps=_gaps(evaluation),
        sources=_sources(evaluation.catalogue),
        note=note.text if note else "",
        note_digest=note.file.digest if note else "",
        runs=tuple(_run(context, one) for one in evaluation.runs),
        known_spreads=context.spreads.rows(context.origins),
        alike=_alike(evaluation.alike),
        form=form_block(target.form) if target and verdict else None,
        redaction=None,
        manifest=_manifest(evaluation),
        origins=context.origins.rows(),
    )


def headlines(report: Report) -> tuple[MetricRow, ...]:
    """The metric rows of page one: those of the goals in their order, then the others in the order of ``HEADLINES``."""
    shown = {row.id: row for row in report.metrics if row.headline}
    goals = [goal.metric_row for goal in report.goals if goal.metric_row in shown]
    ranked = {metric: index for index, choice in enumerate(HEADLINES) for metric in choice}
    others = sorted(shown.values(), key=lambda row: ranked.get(row.metric, len(HEADLINES)))
    return tuple(shown[identity] for identity in dict.fromkeys([*goals, *(row.id for row in others)]))


def own_section(metric: str, part: str) -> str:
    """The section that alone lists a metric of many parts; empty for what stands among all metrics."""
    if metric.startswith("collective_"):
        return "kinds" if part else ""
    return next((section for section, beginning in OWN_SECTIONS if metric.startswith(beginning)), "")


def evidence_origin(catalogue: Catalogue, file: str, locator: str) -> Origin:
    """A place in a file of ``evidence/`` or of own thresholds; the digest is empty when that file was not read."""
    digest = next((record.digest for record in catalogue.files if record.path == file), "")
    return Origin(file=file, digest=digest, locator=locator, formula="as written")


# --------------------------------------------------------------------------------------------- choosing rows
def _context(evaluation: Evaluation) -> _Context:
    """Row ids, and which rows are the worst and on page one."""
    metrics = {metric.id: metric for metric in evaluation.metrics}
    row_ids = {id(comparison): f"M{number}" for number, comparison in enumerate(evaluation.comparisons, 1)}
    groups: dict[tuple[str, str], list[Comparison]] = {}
    for comparison in evaluation.comparisons:
        groups.setdefault((comparison.metric, comparison.dimensions.part), []).append(comparison)
    picked: dict[tuple[str, str], list[Comparison]] = {}
    for judgement in evaluation.verdict.judgements if evaluation.verdict else ():
        if judgement.comparison is not None:
            row = _same_row(judgement.comparison, evaluation.comparisons)
            if row is not None:
                picked.setdefault((row.metric, row.dimensions.part), []).append(row)
    worst = {key: picked.get(key) or [worst_of(rows, metrics[key[0]])] for key, rows in groups.items()}
    shown = [row for key in [*picked, *_headline_groups(groups)] for row in worst[key]]
    return _Context(
        evaluation=evaluation,
        metrics=metrics,
        origins=_Origins(),
        row_ids=row_ids,
        worst=frozenset(row_ids[id(row)] for rows in worst.values() for row in rows),
        headline=frozenset(row_ids[id(row)] for row in shown),
        groups=groups,
    )


def _same_row(wanted: Comparison, rows: tuple[Comparison, ...]) -> Comparison | None:
    """The row of the report that a judgement was made on; None when it was made on an operator type."""
    return next((row for row in rows if (row.metric, row.dimensions) == (wanted.metric, wanted.dimensions)), None)


def _after(row: Comparison) -> Fraction | None:
    """AFTER's exact value; None when there is none."""
    summary = row.after.summary if row.after else None
    return Fraction(summary.value) if isinstance(summary, Quantity) else None


def worst_of(rows: list[Comparison], metric: Metric) -> Comparison:
    """The row whose AFTER is worst; the first of equals, and the first of all when none has a value."""
    valued = [(value, row) for row in rows if (value := _after(row)) is not None]
    if not valued:
        return rows[0]
    sign = -1 if metric.better == "higher" else 1
    return max(valued, key=lambda pair: sign * pair[0])[1]


def _headline_groups(groups: dict[tuple[str, str], list[Comparison]]) -> list[tuple[str, str]]:
    """The (metric, part) of page one beside the goals."""
    chosen = []
    for choice in HEADLINES:
        for metric in choice:
            keys = [key for key in groups if key[0] == metric and any(_after(row) is not None for row in groups[key])]
            if keys:
                largest = max(keys, key=lambda key: max(filter(None, map(_after, groups[key])), default=Fraction(0)))
                chosen.append((metric, PREFERRED_PART) if (metric, PREFERRED_PART) in keys else largest)
                break
    return chosen


# --------------------------------------------------------------------------------------------- metrics
def _both(comparison: Comparison) -> tuple[Origin, ...]:
    """The origins of both sides."""
    return tuple(o for side in (comparison.before, comparison.after) if side for o in side.origins)


def _metric_row(context: _Context, comparison: Comparison) -> MetricRow:
    """One metric of one rank and part."""
    metric, identity = context.metrics[comparison.metric], context.row_ids[id(comparison)]
    before = _side(context, comparison.before)
    after = _side(context, comparison.after)
    both = _both(comparison)
    place = comparison.dimensions
    spreads = _spreads(context, comparison) if identity in context.worst else (None, None)
    return MetricRow(
        id=identity,
        name=row_name(metric.id, place.part, place.rank, place.device),
        metric=metric.id,
        family=metric.family,
        better=metric.better,
        exact=metric.exact,
        statistic=metric.statistic,
        rank=place.rank,
        device=place.device,
        part=place.part,
        before=before,
        after=after,
        delta=context.origins.value(comparison.delta, both),
        change=context.origins.value(comparison.change, both),
        estimate=context.origins.number(comparison.estimate, both) if comparison.estimate else None,
        interval=context.interval(comparison.interval, both),
        distinguishable=comparison.distinguishable,
        reason=comparison.reason,
        status=comparison.status,
        speed=_speed(context, change_of_speed(comparison.before, comparison.after), both)
        if identity in context.headline and not comparison.blocked
        else None,
        between=context.spreads.of(comparison.between),
        equivalence=equivalence_row(comparison.equivalence, context.origins, both, context.interval),
        blocked=comparison.blocked,
        headline=identity in context.headline,
        worst=identity in context.worst,
        spread_before=spreads[0],
        spread_after=spreads[1],
    )


def _speed(context: _Context, found: Quantity | None, origins: tuple[Origin, ...]) -> Number | None:
    """The change of speed with its origins."""
    return None if found is None else context.origins.number(found, origins)


def _spreads(context: _Context, comparison: Comparison) -> tuple[SpreadRow | None, SpreadRow | None]:
    """The spread of both sides over the ranks of a metric and part."""
    rows = context.groups[comparison.metric, comparison.dimensions.part]
    before, after = (
        _spread(context, spread.ends(side)) for side in ([r.before for r in rows], [r.after for r in rows])
    )
    return before, after


def _spread(context: _Context, found: spread.Ends | None) -> SpreadRow | None:
    """One side's."""
    if found is None:
        return None
    least, most, ranks = found
    low, high = least.summary, most.summary
    assert isinstance(low, Quantity)
    assert isinstance(high, Quantity)
    return SpreadRow(
        least=context.origins.number(low, least.origins),
        least_rank=least.dimensions.rank,
        least_device=least.dimensions.device,
        most=context.origins.number(high, most.origins),
        most_rank=most.dimensions.rank,
        most_device=most.dimensions.device,
        ranks=ranks,
    )


def _side(context: _Context, measurement: Measurement | None) -> SideValue:
    """One side of a metric."""
    if measurement is None:
        return _absent(context.evaluation)
    origins, sample, number = measurement.origins, measurement.sample, context.origins.number
    listed = sample if measurement.metric != "kernel_call" else None
    each = measurement.each or (measurement,)
    return SideValue(
        value=context.origins.value(measurement.summary, origins),
        source=measurement.source if isinstance(measurement.summary, Quantity) else "",
        at=iso_instant(measurement.at),
        basis=measurement.basis,
        sample=tuple(number(Quantity(value=v, unit=listed.unit), origins) for v in listed.values) if listed else (),
        labels=listed.labels if listed else (),
        dropped=sample.dropped if sample else (),
        mean=context.origins.value(_mean(measurement), origins),
        interval=context.interval(measurement.interval, origins),
        numerator=number(measurement.numerator, origins) if measurement.numerator else None,
        denominator=number(measurement.denominator, origins) if measurement.denominator else None,
        witnesses=tuple(
            WitnessRow(
                name=witness.name,
                agrees=witness.agrees,
                found=number(witness.found, witness.origins or origins),
                expected=number(witness.expected, witness.origins or origins),
            )
            for witness in measurement.witnesses
        ),
        warnings=measurement.warnings,
        captures=len(each) if isinstance(measurement.summary, Quantity) else 0,
        values=sum(len(one.sample.values) for one in each if one.sample is not None),
    )


def _absent(evaluation: Evaluation) -> SideValue:
    """A side that has no such component or rank, or BEFORE where none was agreed."""
    missing = Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("part_not_on_this_side"))
    if not evaluation.before:
        missing = Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of("no_before_agreed"))
    return SideValue(
        value=missing, source="", at="", basis="", sample=(), labels=(), dropped=(), mean=missing, interval=None,
        numerator=None, denominator=None, witnesses=(), warnings=(),
    )  # fmt: skip


def _series(context: _Context, series: Series) -> SeriesRow:
    """A value over time."""
    return SeriesRow(
        id=series.id,
        side=series.side,
        rank=series.dimensions.rank,
        device=series.dimensions.device,
        part=series.dimensions.part,
        unit=series.values.unit,
        times=tuple(units.number_text(instant) for instant in series.times.values),
        values=tuple(units.number_text(value) for value in series.values.values),
        recorded=series.recorded,
        origins=context.origins.of(series.origins),
    )


def _mean(measurement: Measurement) -> Quantity | Missing:
    """The mean of the sample, exact."""
    sample = measurement.sample
    if sample is None or not sample.values:
        return Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of("no_sample"))
    return Quantity(value=units.exact(samples.mean(sample.values)), unit=sample.unit)


# --------------------------------------------------------------------------------------------- operators
def _operator_row(context: _Context, number: int, change: OperatorChange) -> OperatorRow:
    """One operator type of one rank."""
    both = tuple(o for side in (change.before, change.after) if side for o in side.totals.origins)
    call, change_of_mean = change.call, _call_change(change)
    reason = call.reason if call else Reason.of(f"operator_{change.change}")
    return OperatorRow(
        id=f"K{number}",
        name=row_name("operator", change.type, change.dimensions.rank, change.dimensions.device),
        type=change.type,
        identified_by=change.identified_by,
        accelerator=change.accelerator,
        rank=change.dimensions.rank,
        change=change.change,
        before=_operator_side(context, change.before),
        after=_operator_side(context, change.after),
        delta_per_step=context.origins.number(change.delta_per_step, both),
        call_change=context.origins.value(change_of_mean, both),
        call_estimate=context.origins.number(call.estimate, both) if call and call.estimate else None,
        call_interval=context.interval(call.interval, both) if call else None,
        distinguishable=call.distinguishable if call else "cannot be known",
        reason=reason,
    )


def _call_change(change: OperatorChange) -> Quantity | Missing:
    """AFTER / BEFORE - 1 of the mean of one call."""
    if change.before is None or change.after is None:
        return Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of(f"operator_{change.change}"))
    before, after = change.before.totals.mean, change.after.totals.mean
    if before.value == 0:
        return Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of("before_zero"))
    return Quantity(value=units.exact(Fraction(after.value) / Fraction(before.value) - 1), unit="1")


def _operator_side(context: _Context, side: OperatorMeasurement | None) -> OperatorSide | None:
    """Calls and times of one side, of the whole capture and of a step."""
    if side is None:
        return None
    totals = side.totals

    def number(quantity: Quantity, over: int = 1) -> Number:
        value = units.exact(Fraction(quantity.value) / over)
        kept = quantity if over == 1 else Quantity(value=value, unit=quantity.unit)
        return context.origins.number(kept, totals.origins)

    return OperatorSide(
        calls=number(totals.calls),
        calls_per_step=number(totals.calls, side.steps),
        total=number(totals.total),
        total_per_step=number(totals.total, side.steps),
        mean=number(totals.mean),
        median=number(totals.median),
    )


# --------------------------------------------------------------------------------------------- goals and verdict
@dataclass(frozen=True, slots=True, kw_only=True)
class _Sides:
    """Both values of a goal and what follows from them."""

    before: Value
    """BEFORE."""
    after: Value
    """AFTER."""
    delta: Value
    """AFTER - BEFORE."""
    change: Value
    """AFTER / BEFORE - 1."""


def _values(measurement: Measurement | None, *, of_runs: bool) -> int:
    """Values behind a side: steps or calls of one capture, of several captures all of theirs; the runs of several."""
    if measurement is None:
        return 0
    if of_runs:
        return len(measurement.sample.values) if measurement.sample else 0
    return sum(len(one.sample.values) for one in measurement.each or (measurement,) if one.sample)


def _goal(context: _Context, judgement: Judgement) -> GoalRow:
    """One goal with the values that decided it."""
    goal, row = judgement.goal, judgement.comparison
    shown = _same_row(row, context.evaluation.comparisons) if row and not judgement.measured_outside else None
    origins = judgement.origins or (_both(row) if row else ())
    sides = _goal_sides(context, judgement, row)
    metric = context.metrics.get(goal.metric)
    return GoalRow(
        id=goal.id,
        case=judgement.case,
        clause=goal.clause,
        metric=goal.metric,
        metric_row=context.row_ids[id(shown)] if shown else "",
        part=goal.part,
        statistic=goal.statistic,
        kind=goal.kind,
        direction=goal.direction,
        subject=goal.subject,
        limit=context.origins.number(goal.limit, (goal.origin,)),
        side_condition=goal.side_condition,
        subject_to=goal.subject_to,
        value=context.origins.value(judgement.value, origins),
        interval=context.interval(judgement.interval, origins),
        before=sides.before,
        after=sides.after,
        delta=sides.delta,
        change=sides.change,
        basis=next((side.basis for side in (row.after, row.before) if side and side.basis), "") if row else "",
        rank=row.dimensions.rank if row else None,
        captures=0 if judgement.measured_outside else len(context.evaluation.after),
        values=_values(row.after if row else None, of_runs=judgement.measured_outside),
        exact=bool(metric and metric.exact and not judgement.measured_outside),
        outcome=judgement.outcome,
        margin=context.origins.number(judgement.margin, (*origins, goal.origin)) if judgement.margin else None,
        reason=judgement.reason,
        reservations=judgement.reservations,
        measured_outside=judgement.measured_outside,
        tag=judgement.tag,
        baseline=judgement.baseline,
        speed=_goal_speed(context, sides, row),
        between=context.spreads.of(judgement.between),
        captures_needed=context.origins.number(judgement.captures_needed, (*origins, goal.origin))
        if judgement.captures_needed
        else None,
        unlike=judgement.unlike,
        each_before=run_rows.each_of(row.before if row else None, context.origins),
        each_after=run_rows.each_of(row.after if row else None, context.origins),
    )


def _over_cases(target: Target | None, goals: tuple[GoalRow, ...], metrics: Iterable[MetricRow]) -> ConformityBlock:
    """Goals by contract clause, and each metric over the cases it was agreed for."""
    matrices = {case.id: case.matrix for case in target.cases} if target else {}
    return conformity.conformity(goals, {row.id: row for row in metrics}, matrices)


def _goal_speed(context: _Context, sides: _Sides, row: Comparison | None) -> Number | None:
    """The change of speed of a goal on a time whose sides may be compared."""
    apart = context.evaluation.comparability.standing is PairStanding.NOT_COMPARABLE
    if apart or (row is not None and row.blocked) or isinstance(sides.change, Missing):
        return None
    if not isinstance(sides.before, Number) or not isinstance(sides.after, Number):
        return None
    found = speed(sides.before.quantity, sides.after.quantity)
    origins = dict.fromkeys((*sides.before.origins, *sides.after.origins))
    return None if found is None else Number(quantity=found, origins=tuple(origins))


def _goal_sides(context: _Context, judgement: Judgement, row: Comparison | None) -> _Sides:
    """Both values: of the comparison, or as measured outside the profile."""
    value, both = context.origins.value, _both(row) if row else ()
    if row is not None:
        absent = _absent(context.evaluation).value
        return _Sides(
            before=value(row.before.summary, row.before.origins) if row.before else absent,
            after=value(row.after.summary, row.after.origins) if row.after else absent,
            delta=value(row.delta, both),
            change=value(row.change, both),
        )
    if judgement.baseline == "fixed":
        return _fixed_side(context, judgement)
    before, after = (_external(context.evaluation.target, judgement, side) for side in (Side.BEFORE, Side.AFTER))
    lacking = Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("values_missing"))
    sides = [value(e.value, _external_origins(e)) if e else _outside_missing(judgement, s)
             for e, s in ((before, Side.BEFORE), (after, Side.AFTER))]  # fmt: skip
    if isinstance(judgement.value, Missing) and judgement.goal.subject != "after":
        lacking = judgement.value
        return _Sides(before=sides[0], after=sides[1], delta=lacking, change=lacking)
    if before is None or after is None or before.value.unit != after.value.unit:
        return _Sides(before=sides[0], after=sides[1], delta=lacking, change=lacking)
    origins = (*_external_origins(before), *_external_origins(after))
    difference = Fraction(after.value.value) - Fraction(before.value.value)
    delta = Quantity(value=units.exact(difference), unit=after.value.unit)
    if before.value.value == 0:
        zero = Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of("before_zero"))
        return _Sides(before=sides[0], after=sides[1], delta=value(delta, origins), change=zero)
    change = Quantity(value=units.exact(difference / Fraction(before.value.value)), unit="1")
    return _Sides(before=sides[0], after=sides[1], delta=value(delta, origins), change=value(change, origins))


def _fixed_side(context: _Context, judgement: Judgement) -> _Sides:
    """The agreed value alone, where nothing was measured to be held against it."""
    cases = context.evaluation.target.cases if context.evaluation.target else ()
    found = [case.fixed_for(judgement.goal) for case in cases if case.id == judgement.case]
    fixed = next(one for one in found if one is not None)
    lacking = Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("values_missing"))
    after = judgement.value if isinstance(judgement.value, Missing) else lacking
    number = context.origins.number(fixed.value, fixed.origins)
    return _Sides(before=number, after=after, delta=lacking, change=lacking)


def _outside_missing(judgement: Judgement, side: Side) -> Missing:
    """What stands for a value that the target does not give, or that a run gives and that is not judged."""
    told = judgement.reason.code != "no_external_value"
    if isinstance(judgement.value, Missing) and (told or not judgement.measured_outside):
        return judgement.value
    reason = Reason.of("no_external_value", metric=judgement.goal.metric, side=side)
    return Missing(kind=MissingKind.NOT_COLLECTED, reason=reason)


def _external(target: Target | None, judgement: Judgement, side: Side) -> ExternalValue | None:
    """The value measured outside the profile that a goal is on."""
    goal = judgement.goal
    wanted = (side, goal.metric, goal.kind, goal.statistic)
    cases = [case for case in target.cases if case.id == judgement.case] if target else []
    values = [value for case in cases for value in case.external]
    return next((v for v in values if (v.side, v.metric, v.kind, v.statistic) == wanted), None)


def _external_origins(value: ExternalValue) -> tuple[Origin, ...]:
    """The target's key and the file it was taken from."""
    file = Origin(file=value.file.path, digest=value.file.digest, locator=value.locator, formula="as written")
    return value.origin, file


def _contract(context: _Context, target: Target) -> ContractBlock:
    """What was agreed, apart from goals."""
    used = _used(context.evaluation.comparability)
    contract, parties = target.contract, target.parties
    return ContractBlock(
        customer=parties.customer,
        contractor=parties.contractor,
        witness=parties.witness,
        reference=contract.reference,
        title=contract.title,
        signed=contract.signed,
        report_number=contract.report_number,
        issued=contract.issued,
        decision_rule=target.decision_rule,
        changes=tuple((change.what, change.keys) for change in target.changes),
        may_differ=target.may_differ,
        declared=tuple(
            DeclaredRow(key=d.key, value=d.value, signer=d.signer, role=d.role, date=d.date, used=d.key in used)
            for d in target.declared
        ),
        cases=tuple(_case(context, case) for case in target.cases),
    )


def _used(comparability: Comparability) -> set[str]:
    """The keys of the declarations that a reservation rests on."""
    declared = [d for d in comparability.differences if d.standing is Standing.DECLARED]
    return {d.key for d in declared} | {d.reason.arg("key") for d in declared}


def _case(context: _Context, case: Case) -> CaseRow:
    """One agreed case."""
    workload = tuple((item.name, _agreed(case.workload, item.name)) for item in fields(Workload))
    fixed = tuple(
        FixedRow(
            metric=one.metric,
            part=one.part,
            kind=one.kind,
            statistic=one.statistic,
            value=context.origins.number(one.value, one.origins),
            source=one.source,
            file=one.file.path if one.file else "",
            locator=one.locator,
        )
        for one in case.fixed
    )
    return CaseRow(
        id=case.id, clause=case.clause, profiled=case.profiled, workload=workload, alone=case.alone, fixed=fixed
    )


def _agreed(workload: Workload, name: str) -> str:
    """The agreed text of one fact; empty when it was not agreed; ``none`` for no checkpoint steps."""
    value = getattr(workload, name)
    if value is None:
        return ""
    if name == "circumstances":
        return ", ".join(f"{circumstance}={str(so).lower()}" for circumstance, so in workload.circumstances)
    return (", ".join(value) or "none") if isinstance(value, tuple) else str(value)


def _verdict(evaluation: Evaluation, verdict: Verdict, goals: tuple[GoalRow, ...]) -> VerdictBlock:
    """The word, the counts, and the goal that the sentence speaks of."""
    outcomes = [goal.outcome for goal in goals]
    leading = {VerdictWord.NOT_MET: Outcome.NOT_MET, VerdictWord.UNDECIDED: Outcome.UNDECIDED}.get(verdict.word)
    named = verdict.reason.arg("goal")
    candidates = [goal.id for goal in goals if leading is None or goal.outcome is leading]
    candidates = candidates or [goal.id for goal in goals]
    used = _used(evaluation.comparability)
    declared = evaluation.target.declared if evaluation.target else ()
    facts = evaluation.comparability.reservations()
    told = {fact.reason for fact in facts}  # a goal that says a compared fact again adds no reservation
    unproven = {
        (reason.code, reason.arg("file"))  # what is said of one file is one reservation, whoever rests on it
        if reason.code == "log_of_two_cases"
        else (goal.metric, goal.part, goal.kind, goal.statistic, reason)
        for goal in goals
        for reason in goal.reservations
        if reason not in told
    }
    return VerdictBlock(
        word=verdict.word,
        reason=verdict.reason,
        goals=len(goals),
        met=outcomes.count(Outcome.MET),
        not_met=outcomes.count(Outcome.NOT_MET),
        undecided=outcomes.count(Outcome.UNDECIDED),
        lead=""
        if verdict.reason.code.startswith("accuracy_")
        else named
        if named in candidates
        else next(iter(candidates), ""),
        declarations=sum(d.key in used for d in declared),
        reservations=len(facts) + len(unproven),
    )


# --------------------------------------------------------------------------------------------- comparability
def _comparability(context: _Context, result: Comparability) -> ComparabilityBlock:
    """The compared facts, counted and parted."""
    rows = [_setting(context, difference) for difference in result.differences]
    standings = [row.standing for row in rows]
    return ComparabilityBlock(
        standing=result.standing,
        counts=tuple((standing, standings.count(standing)) for standing in COUNTED),
        rows=tuple(row for row in rows if row.standing not in (Standing.SAME, Standing.IDENTITY)),
        equal=tuple(row for row in rows if row.standing is Standing.SAME),
        identity=tuple(row for row in rows if row.standing is Standing.IDENTITY),
        workload=_workload(context, result.workload) if result.workload else None,
    )


def _setting(context: _Context, difference: Difference) -> SettingRow:
    """One compared fact; an equal one, or one that is never compared, names its place and carries no origins."""
    quiet = difference.standing in {Standing.SAME, Standing.IDENTITY}
    return SettingRow(
        key=difference.key,
        spelling=difference.spelling,
        place=difference.place,
        before=difference.before.value,
        after=difference.after.value,
        standing=difference.standing,
        blocks_all=difference.blocks_all,
        families=difference.families,
        loud=difference.loud,
        reason=difference.reason,
        why=difference.why,
        origins=() if quiet else context.origins.of((*difference.before.origins, *difference.after.origins)),
    )


def _workload(context: _Context, match: WorkloadMatch) -> WorkloadBlock:
    """Shares of the workload that were matched or not recorded."""

    def value(share: Quantity | None, side: Side) -> Value:
        missing = Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("workload_not_recorded", side=side))
        return context.origins.value(missing if share is None else share, match.origins)

    return WorkloadBlock(
        matched_before=value(match.matched_share_before, Side.BEFORE),
        matched_after=value(match.matched_share_after, Side.AFTER),
        unrecorded_before=value(match.unrecorded_share_before, Side.BEFORE),
        unrecorded_after=value(match.unrecorded_share_after, Side.AFTER),
        only_before=match.types_only_before,
        only_after=match.types_only_after,
        changed=match.changed_types,
    )


# --------------------------------------------------------------------------------------------- thresholds, sources
def _threshold(context: _Context, judged: ThresholdJudgement) -> ThresholdRow:
    """One official rule."""
    rule = judged.threshold

    def value(side: Quantity | Missing | None) -> Value | None:
        return None if side is None else context.origins.value(side, judged.origins)

    return ThresholdRow(
        id=rule.id,
        metric=rule.metric,
        title=rule.title,
        scope=rule.scope,
        bands=tuple(_band(context, rule, number, band) for number, band in enumerate(rule.bands)),
        authority=rule.authority,
        use=rule.use,
        reading=rule.reading,
        baseline=rule.baseline,
        sources=rule.sources,
        applicability=judged.applicability,
        reasons=judged.reasons,
        before=value(judged.before),
        after=value(judged.after),
        band_before=judged.band_before,
        band_after=judged.band_after,
        rank_before=judged.rank_before,
        rank_after=judged.rank_after,
    )


def _band(context: _Context, rule: Threshold, number: int, band: Band) -> BandRow:
    """One band, its ends pointing into the evidence file."""
    unit = context.metrics[rule.metric].unit if rule.metric in context.metrics else "1"

    def end(limit: Fraction | None, name: str) -> Number | None:
        if limit is None:
            return None
        place = f"{rule.id}.band[{number}].{name}"
        origin = evidence_origin(context.evaluation.catalogue, rule.file, place)
        return context.origins.number(Quantity(value=units.exact(limit), unit=unit), (origin,))

    return BandRow(
        id=band.id,
        low=end(band.low, "low"),
        low_included=band.low_included,
        high=end(band.high, "high"),
        high_included=band.high_included,
    )


def _sources(catalogue: Catalogue) -> tuple[SourceRow, ...]:
    """The documents that a rule or an unspecified item of the catalogue names; a rule's own entry is one."""
    cited = {source for threshold in catalogue.thresholds for source in threshold.sources}
    cited |= {source for item in catalogue.unspecified for source in item.sources or item.rules}
    known = {rule.id: rule.source for rule in catalogue.rules} | {source.id: source for source in catalogue.sources}
    names = [item.name for item in fields(SourceRow)]
    shown = [known[name] for name in sorted(cited)]
    return tuple(SourceRow(**{name: getattr(source, name) for name in names}) for source in shown)


# --------------------------------------------------------------------------------------------- gaps
def _gaps(evaluation: Evaluation) -> tuple[GapRow, ...]:
    """What is not given, not recorded, not measured and not shown, in this order.

    Not given: what bears on the figures of every report, and what is open around a rule that applies here.
    """
    judged = evaluation.verdict.thresholds if evaluation.verdict else ()
    applied = {one.threshold.id for one in judged if one.applicability is Applicability.APPLIES}
    given = tuple(
        GapRow(
            group="not_given",
            id=item.id,
            title=item.title,
            statement=item.statement,
            reason=None,
            remedy=None,
            sources=item.sources or item.rules,
        )
        for item in evaluation.catalogue.unspecified
        if item.in_report or applied & {*item.rules}
    )
    return (*given, *_not_recorded(evaluation), *_not_measured(evaluation), *_not_shown(evaluation))


def _not_recorded(evaluation: Evaluation) -> tuple[GapRow, ...]:
    """Values that were not recorded or collected, and facts that are unknown; each once."""
    sides: dict[tuple[str, str, Missing], list[Side]] = {}
    for comparison in evaluation.comparisons:
        for measurement in (comparison.before, comparison.after):
            missing = measurement.summary if measurement else None
            if (
                measurement
                and isinstance(missing, Missing)
                and missing.kind in (MissingKind.NOT_RECORDED, MissingKind.NOT_COLLECTED)
            ):
                seen = sides.setdefault((comparison.metric, comparison.dimensions.part, missing), [])
                seen.extend([] if measurement.side in seen else [measurement.side])
    values = tuple(
        GapRow(group="not_recorded", id=":".join(("metric", metric, part, "+".join(sorted(seen, reverse=True)))),
               title=(), statement=(), reason=missing.reason, remedy=missing.remedy)
        for (metric, part, missing), seen in sides.items()
    )  # fmt: skip
    unknown = [d for d in evaluation.comparability.differences if d.standing is Standing.UNKNOWN]
    facts = tuple(
        GapRow(group="not_recorded", id=f"setting:{d.key}", title=(), statement=d.why, reason=d.reason,
               remedy=Reason.of(_remedy(d), key=d.spelling))
        for d in unknown
    )  # fmt: skip
    return (*values, *facts)


def _remedy(difference: Difference) -> str:
    """What would supply an unknown fact: what no profiler records can only be declared, and some nobody may declare."""
    code = difference.reason.code
    if difference.blocks_all and not permitted.may_be_declared(difference.key, code):
        return "recapture_only"
    return "declare_only" if code == "fact_not_recorded" else "declare_or_recapture"


def _not_measured(evaluation: Evaluation) -> tuple[GapRow, ...]:
    """Accuracy, the step time without profiling, and what only a client or a log can tell, where none does."""
    target = evaluation.target
    external = {value.metric for case in target.cases for value in case.external} if target else set()
    external |= _told(evaluation)
    agreed = target is not None and any(case.accuracy for case in target.cases)
    rows = [] if agreed else [("accuracy", Reason.of("accuracy_not_shown"), Reason.of("attach_accuracy"))]
    if "step_time" not in external:
        rows.append(("step_time", Reason.of("unprofiled_step_time_missing"), Reason.of("attach_training_log")))
    rows += [
        (metric, Reason.of("not_measured", metric=metric), Reason.of("attach_result_file"))
        for metric in OUTSIDE_METRICS
        if metric not in external
    ]
    return tuple(
        GapRow(group="not_measured", id=f"outside:{name}", title=(), statement=(), reason=reason, remedy=remedy)
        for name, reason, remedy in rows
    )


def _told(evaluation: Evaluation) -> set[str]:
    """Metrics that runs of AFTER tell; the step time only where each side has a run that is said to be unprofiled."""
    facts = (*evaluation.before, *evaluation.after)
    found: set[str] = set()
    without: set[Side] = set()
    for one in evaluation.runs:
        metrics = {series.metric for series in one.run.series} | {value.metric for value in one.run.values}
        if is_witness(one):
            continue
        if one.side is Side.AFTER:
            found |= metrics - {"step_time"}
        if "step_time" in metrics and tag(one, facts) == "unprofiled":
            without.add(one.side)
    sides = {Side.AFTER, *([Side.BEFORE] if evaluation.before else [])}
    return found | ({"step_time"} if sides <= without else set())


def _not_shown(evaluation: Evaluation) -> tuple[GapRow, ...]:
    """What no pair of captures can show; of a cause only where there is a change."""
    return tuple(
        GapRow(group="not_shown", id=code, title=(), statement=(), reason=Reason.of(code), remedy=None)
        for code in ("causation", "only_listed_captures")
        if evaluation.before or code != "causation"
    )


# --------------------------------------------------------------------------------------------- runs outside
def _run(context: _Context, one: LoggedRun) -> RunRow:
    """One run as its file tells of it."""
    run, evaluation = one.run, context.evaluation

    def origin(identity: Identity) -> tuple[Origin, ...]:
        where = "; ".join(identity.locators)
        file = f"log:{one.side.value}/{run.file.path}"
        return (Origin(file=file, digest=run.file.digest, locator=where, formula=identity.what),)

    alone = tuple(
        lone.reason
        for lone in evaluation.lone_runs
        if (lone.case, lone.side, lone.file, lone.segment) == (one.case, one.side, run.file.path, run.segment)
    )
    counted = {(s.metric, s.kind): len(s.sample.values) for s in run.series}
    counted |= {(v.metric, v.kind): 1 for v in run.values if (v.metric, v.kind) not in counted}
    return RunRow(
        case=one.case,
        side=one.side,
        file=run.file.path,
        digest=run.file.digest,
        producer=run.producer,
        version=run.version,
        definitions=run.definitions,
        tag=tag(one, (*evaluation.before, *evaluation.after)),
        context=tuple((stated.key, stated.written) for stated in run.context),
        records=tuple((metric, kind, count) for (metric, kind), count in counted.items()),
        identities=tuple(
            IdentityRow(
                id=identity.id,
                what=identity.what,
                holds=identity.holds,
                found=context.origins.number(identity.found, origin(identity)),
                expected=context.origins.number(identity.expected, origin(identity)),
            )
            for identity in run.identities
        ),
        doubts=(*alone, *run.left_out, *run.warnings),
        agreed=one.agreed,
        series=_run_series(context, one),
    )


def _run_series(context: _Context, one: LoggedRun) -> tuple[RunSeriesRow, ...]:
    """The values of a run that goals are on; all of them."""
    target = context.evaluation.target
    return tuple(
        RunSeriesRow(
            metric=series.metric,
            kind=series.kind,
            unit=series.sample.unit,
            labels=series.sample.labels,
            values=tuple(units.number_text(value) for value in series.sample.values),
            weights=series.weights,
            left_out=why_not,
            unread=series.sample.dropped,
            origins=context.origins.of((origin,)),
        )
        for series, why_not, origin in judged_series(one, target.cases if target else ())
    )


# --------------------------------------------------------------------------------------------- captures, manifest
def files_digest(capture: CaptureFacts) -> str:
    """SHA-256 over the list of the files read, each with its own."""
    lines = "".join(f"{line}\n" for line in sorted(f"{file.digest}  {file.path}" for file in capture.files))
    return sha256_bytes(lines.encode())


def _capture(capture: CaptureFacts) -> CaptureBlock:
    """One capture."""
    return CaptureBlock(
        side=capture.side,
        name=capture.name,
        layout=capture.layout.id,
        producer=capture.layout.producer,
        ranks=tuple(_rank(rank) for rank in capture.ranks),
        facts=capture_facts(capture),
        digest=files_digest(capture),
        unread=tuple((file.path, file.reason) for file in capture.unread),
        warnings=capture.warnings,
    )


def _rank(rank: RankFacts) -> RankRow:
    """One rank of a capture."""
    return RankRow(
        rank=rank.rank,
        device=rank.device,
        directory=rank.directory,
        steps=rank.steps,
        started=iso_utc(rank.started_ns),
        ended=iso_utc(rank.ended_ns),
        kernel_file=rank.kernel_file.path,
        kernel_digest=rank.kernel_file.digest,
        wait_events=rank.wait_events,
    )


def iso_utc(nanoseconds: int | None) -> str:
    """An instant as ISO text in UTC, whole seconds; empty when not recorded."""
    if nanoseconds is None:
        return ""
    return datetime.fromtimestamp(nanoseconds // 10**9, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def iso_instant(instant: Quantity | None) -> str:
    """An instant as ISO text in UTC with nanoseconds; empty when there is none."""
    if instant is None:
        return ""
    whole = int(instant.value)
    return f"{iso_utc(whole)[:-1]}.{whole % 10**9:09d}Z"


def capture_facts(capture: CaptureFacts) -> tuple[tuple[str, str], ...]:
    """Chip, cores, clock, versions and how it was captured, as recorded; empty text when not recorded."""
    rows = [(fact, next(filter(None, (_recorded(capture, *key) for key in keys)), "")) for fact, keys in FACTS]
    schedule = [(name, _recorded(capture, "profiler_info.json", name, "schedule")) for name in SCHEDULE]
    rows.append(("schedule", ", ".join(f"{name} {text}" for name, text in schedule if text)))
    known = [rank.rank for rank in capture.ranks if rank.rank is not None]
    rows.append(("ranks", ", ".join(str(rank) for rank in known)))
    return tuple(rows)


def _recorded(capture: CaptureFacts, kind: str, name: str, parent: str = "") -> str:
    """The texts that a key holds in all files of a kind, each once; empty when none holds it."""
    texts: dict[str, None] = {}
    for file in capture.settings_files:
        if file.kind == kind:
            for key, text in file.values:
                path = key.replace("[", ".").replace("]", "").split(".")
                if path[-1].lstrip("_" if parent else "") == name and (not parent or parent in path):
                    texts.setdefault(text)
    return " / ".join(text for text in texts if text)


def _alike(alike: AlikeCaptures | None) -> AlikeBlock | None:
    """A/A captures by name and digest; None when none were given."""
    if alike is None:
        return None
    named = zip(alike.names, alike.captures, strict=True)
    return AlikeBlock(captures=tuple((name, files_digest(one)) for name, one in named), refused=alike.refused)


def _manifest(evaluation: Evaluation) -> tuple[FileRow, ...]:
    """Every file read: both sides by path, then target, note, outside results and evidence."""
    rows = []
    for captures in (evaluation.before, evaluation.after):
        for capture in captures:
            prefix = f"{capture.name}/" if len(captures) > 1 else ""
            rows += [_file(record, capture.side, prefix) for record in capture.files]
    if evaluation.alike is not None:
        for name, capture in zip(evaluation.alike.names, evaluation.alike.captures, strict=True):
            rows += [_file(record, "", f"aa/{name}/") for record in capture.files]
    target, note = evaluation.target, evaluation.note
    others = [target.file] if target else []
    others += [note.file] if note else []
    others += [value.file for case in target.cases for value in case.external] if target else []
    others += [one.file for case in target.cases for one in case.fixed if one.file] if target else []
    others += [known.file for known in target.known_spreads if known.file] if target else []
    others += [log.file for case in target.cases for log in case.logs] if target else []
    others += [log.file for log in evaluation.logs]
    for case in target.cases if target else ():
        others += [side.file for one in case.accuracy for side in (one.before, one.after) if side.file is not None]
    others += evaluation.besides
    rows += [_file(record) for record in dict.fromkeys([*others, *evaluation.catalogue.files])]
    return tuple(rows + [_file(one.file, "attachment") for one in evaluation.attachments])


def _file(record: FileRecord, side: str = "", prefix: str = "") -> FileRow:
    """One file that was read."""
    return FileRow(side=side, path=f"{prefix}{record.path}", size=record.size, digest=record.digest)
