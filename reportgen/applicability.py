"""Whether a rule may be read on a pair: exclusions first, then scope, then data; no value is looked at here.

A fact is known on both captures or it is unknown; what is unknown never becomes "applies" and never "does not apply".
Each need of a rule is one function below: met, known to be otherwise (``OUTSIDE``), or unknown, with the reason that
the report prints. Source: docs/applicability.md, which names the place of every fact F1 to F19.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache, cached_property
from typing import Literal, NamedTuple

from reportgen.comparability.facts import world_size
from reportgen.grades import Grade, read_grades
from reportgen.model import (
    Applicability,
    CaptureFacts,
    Comparability,
    Comparison,
    Measurement,
    Missing,
    PairStanding,
    Quantity,
    Reason,
    Side,
    Target,
    Threshold,
    Workload,
    WorkloadCheck,
)
from reportgen.plain import integer
from reportgen.vocabulary import SERIES

INFERENCE_ONLY = ("kv_cache", "quantised_inference")
"""Circumstances that are no question in training."""
CCU_SERIES = "Ascend 950"
"""The only series that has a CCU."""
TORCH_FRAMEWORKS = ("pytorch", "mindspeed llm", "mindspeed mm", "torchnpu", "torch npu")
"""Frameworks whose jobs run on PyTorch."""
OTHER_FRAMEWORKS = ("mindspore", "tensorflow", "acl", "ascendcl")
"""Frameworks that do not."""
WITH_THEORY = ("1", "5")
"""Chips of which msprof holds theoretical bandwidths: CHIP_V2_1_0 and CHIP_V4_1_0."""


class Standing(StrEnum):
    """How a fact stands to what a rule asks."""

    MET = "met"
    OUTSIDE = "outside"
    UNKNOWN = "unknown"


class Answer(NamedTuple):
    """A fact held against a rule."""

    standing: Standing
    """How it stands."""
    reason: Reason | None = None
    """Why; None when it is met."""


MET = Answer(Standing.MET)


def _outside(code: str, **args: object) -> Answer:
    return Answer(Standing.OUTSIDE, Reason.of(code, **args))


def _unknown(code: str, **args: object) -> Answer:
    return Answer(Standing.UNKNOWN, Reason.of(code, **args))


@dataclass(frozen=True, kw_only=True)
class Job:
    """What is known of a pair before any value is looked at."""

    target: Target
    """What was agreed."""
    workload: Workload | None
    """The job as agreed; None when no case is the profiled one."""
    facts: tuple[CaptureFacts, ...]
    """Every capture, those of BEFORE first; each of several repeats has to show what a rule asks."""
    comparisons: tuple[Comparison, ...]
    """Every metric side by side."""
    checks: tuple[WorkloadCheck, ...]
    """The agreed workload held against the captures."""
    comparability: Comparability
    """Whether both were taken alike."""

    @cached_property
    def written(self) -> tuple[Mapping[str, frozenset[str]], ...]:
        """The values that are not empty of every setting in all files of each capture, by canonical id."""
        return tuple(_written(facts) for facts in self.facts)

    def rows(self, metric: str) -> list[Comparison]:
        """The comparisons of a metric."""
        return [row for row in self.comparisons if row.metric == metric]

    def measured(self, metric: str) -> Iterator[tuple[Side, Measurement | None]]:
        """The measurements of a metric, side by side; None where a side lacks the place."""
        for row in self.rows(metric):
            yield Side.BEFORE, row.before
            yield Side.AFTER, row.after


def described(
    target: Target,
    facts: tuple[CaptureFacts, ...],
    comparisons: Iterable[Comparison],
    checks: Iterable[WorkloadCheck],
    comparability: Comparability,
) -> Job:
    """The job that rules are held against: the target's profiled case and every capture."""
    case = next((case for case in target.cases if case.profiled), None)
    return Job(
        target=target,
        workload=case.workload if case is not None else None,
        facts=facts,
        comparisons=tuple(comparisons),
        checks=tuple(checks),
        comparability=comparability,
    )


def applicability(
    rule: Threshold, job: Job, rules: Mapping[str, Threshold]
) -> tuple[Applicability, tuple[Reason, ...]]:
    """Whether a rule may be read on a pair, and why not.

    Args:
        rule: the rule.
        job: the pair.
        rules: all rules by id, for those that stand in the place of others.

    Returns:
        ``APPLIES`` without reasons when the value may be looked at: what the value itself lacks is for the caller.
        ``DOES_NOT_APPLY`` with what is known to lie outside, exclusions before scope; ``CANNOT_DECIDE`` with every fact
        that is missing; ``NOT_ENFORCEABLE`` with why nobody can apply it.
    """
    if rule.reading == "never":
        return Applicability.NOT_ENFORCEABLE, (Reason.of("never_enforced", why=rule.because),)
    excluded = [*_exclusions(rule, job), *_covered(rule, job, rules)]
    scope = [*_scope(rule, job)]
    data = [NEEDS[word](job, rule) for word in rule.needs]
    for answers in (excluded, scope, data):
        outside = _reasons(answers, Standing.OUTSIDE)
        if outside:
            return Applicability.DOES_NOT_APPLY, outside
    unknown = (*_reasons([*excluded, *scope], Standing.UNKNOWN), *_contradicted(job), *_reasons(data, Standing.UNKNOWN))
    if rule.reading == "text":
        unknown = (*unknown, Reason.of("no_number_given"))
    elif not rule.metric:
        unknown = (*unknown, Reason.of("not_measured_here"))
    return (Applicability.CANNOT_DECIDE, tuple(dict.fromkeys(unknown))) if unknown else (Applicability.APPLIES, ())


def _reasons(answers: Iterable[Answer], standing: Standing) -> tuple[Reason, ...]:
    return tuple(dict.fromkeys(a.reason for a in answers if a.standing is standing and a.reason is not None))


def _contradicted(job: Job) -> tuple[Reason, ...]:
    wrong = next((check for check in job.checks if check.outcome == "contradicts"), None)
    if wrong is None:
        return ()
    return (Reason.of("workload_contradicts", fact=wrong.fact, agreed=wrong.agreed, seen=wrong.seen),)


# --------------------------------------------------------------------------------------------- exclusions and scope
def plain(text: str) -> str:
    """Lower case, without the difference of hyphens, underscores and spaces."""
    return " ".join(text.lower().replace("-", " ").replace("_", " ").split())


def _exclusions(rule: Threshold, job: Job) -> Iterator[Answer]:
    phase = job.workload.phase if job.workload else ""
    if plain(phase) in map(plain, rule.excluded_phases):
        yield _outside("phase_excluded", phase=phase)
    elif rule.excluded_phases and not phase:
        yield _unknown("phase_unknown")
    for name in rule.excluded_circumstances:
        yield _circumstance(job, name, wanted=False)
    if rule.excluded_products:
        series = _series(job)
        if isinstance(series, Answer):
            yield series
        elif series <= {*rule.excluded_products}:
            yield _outside("product_excluded", product=", ".join(sorted(series)))
        elif series & {*rule.excluded_products}:
            yield _unknown("product_open", products=", ".join(sorted(series)))


def _covered(rule: Threshold, job: Job, rules: Mapping[str, Threshold]) -> Iterator[Answer]:
    """Whether another rule stands in its place: where that one's scope matches."""
    other = rules.get(rule.yields_to)
    if other is None:
        return
    answers = [*_exclusions(other, job), *_scope(other, job)]
    if _reasons(answers, Standing.OUTSIDE):
        return
    unknown = _reasons(answers, Standing.UNKNOWN)
    if unknown:
        yield from (Answer(Standing.UNKNOWN, reason) for reason in unknown)
    else:
        yield _outside("covered_by", rule=other.id)


def _scope(rule: Threshold, job: Job) -> Iterator[Answer]:
    work = job.workload or Workload()
    for words, text, name in (
        (rule.frameworks, work.framework, "framework"),
        (rule.backends, work.backend, "backend"),
        (rule.phases, work.phase, "phase"),
    ):
        if words and not text.strip():
            yield _unknown(f"{name}_unknown")
        elif words and plain(text) not in map(plain, words):
            yield _outside(f"{name}_outside", **{name: text})
    if rule.products:
        yield _product(rule, job)
    for name in rule.circumstances:
        yield _circumstance(job, name, wanted=True)
    if rule.rated_clock is not None:
        yield _rated_clock(job, rule)


def _product(rule: Threshold, job: Job) -> Answer:
    series = _series(job)
    if isinstance(series, Answer):
        return series
    if series <= {*rule.products}:
        return MET
    if not series & {*rule.products}:
        return _outside("product_outside", product=", ".join(sorted(series)))
    return _unknown("product_open", products=", ".join(sorted(series)))


def _series(job: Job) -> frozenset[str] | Answer:
    """The product series the chip may be, narrowed by the target; an Answer where it is not known."""
    chips = recorded(job, "info.platform_version")
    if chips is None:
        return _unknown("product_unknown")
    known = [SERIES.get(chip) for side in chips for chip in side]
    if not all(known):
        return _unknown("product_unknown")
    series = frozenset(one for names in known if names for one in names)
    stated = job.workload.product if job.workload else ""
    if stated and stated not in series:
        return _unknown("product_contradicts", agreed=stated, seen=", ".join(sorted(series)))
    return frozenset((stated,)) if stated else series


def _circumstance(job: Job, name: str, *, wanted: bool) -> Answer:
    """A circumstance that has to be so, or must not be."""
    stated = dict(job.workload.circumstances).get(name) if job.workload else None
    if name in INFERENCE_ONLY and stated is None and job.workload and plain(job.workload.phase) == "training":
        stated = False
    if name == "rec_sdk" and stated is None and job.workload and plain(job.workload.framework) == "rec sdk":
        stated = True
    if name == "ccu" and stated is None:
        series = _series(job)
        stated = None if isinstance(series, Answer) or CCU_SERIES in series else False
    if stated is None:
        return _unknown("circumstance_unknown", name=name)
    if stated == wanted:
        return MET
    return _outside("circumstance_excluded" if stated else "circumstance_outside", name=name)


@cache
def _spelled() -> dict[tuple[str, str], Grade]:
    return read_grades().by_spelling


def recorded(job: Job, *settings: str) -> tuple[frozenset[str], ...] | None:
    """The values of settings in each capture, those of all files together; None when one records none of them.

    Args:
        job: the pair.
        settings: canonical ids of ``evidence/settings.toml``.
    """
    sides = tuple(
        frozenset[str]().union(*(written.get(setting, frozenset()) for setting in settings)) for written in job.written
    )
    return sides if all(sides) else None


def _written(facts: CaptureFacts) -> Mapping[str, frozenset[str]]:
    """The values that are not empty of every setting of a capture, by canonical id."""
    grades = _spelled()
    found: dict[str, set[str]] = {}
    for file in facts.settings_files:
        for key, value in file.values:
            row = grades.get((file.kind, key))
            if row is not None and value.strip():
                found.setdefault(row.id, set()).add(value.strip())
    return {setting: frozenset(values) for setting, values in found.items()}


# --------------------------------------------------------------------------------------------- data of the captures
def _alike(job: Job, _rule: Threshold) -> Answer:
    """F19: both taken alike."""
    standing = job.comparability.standing
    if standing is PairStanding.NOT_COMPARABLE:
        return _outside("pair_not_alike")
    return _unknown("pair_cannot_be_shown_alike") if standing is PairStanding.CANNOT_BE_SHOWN else MET


def _several_ranks(job: Job, _rule: Threshold) -> Answer:
    """F3: at least two ranks of one capture."""
    fewest = min(len(facts.ranks) for facts in job.facts)
    return MET if fewest > 1 else _outside("one_rank")


def _all_ranks(job: Job, _rule: Threshold) -> Answer:
    """F3: every rank of the job was captured."""
    agreed = (job.workload.ranks if job.workload else None) or 0
    for facts in job.facts:
        world = world_size(facts)
        expected = max(world[0] if world else 0, agreed)
        if not expected:
            return _unknown("world_size_unknown", side=facts.side)
        if len(facts.ranks) < expected:
            return _outside("ranks_missing", side=facts.side, seen=len(facts.ranks), expected=expected)
    return MET


def _level1(job: Job, _rule: Threshold) -> Answer:
    """F4: level 1 or more."""
    levels = recorded(job, "profiler_info.profiler_level", "sample.level")
    if levels is None:
        return _unknown("level_unknown")
    texts = sorted({text.lower() for side in levels for text in side})
    if any(text in ("level0", "l0") for text in texts):
        return _outside("level_outside", level=", ".join(texts))
    return MET if all(text[-1:] in "123" for text in texts) else _unknown("level_unknown")


def _pipe_utilization(job: Job, _rule: Threshold) -> Answer:
    """F5: the metrics of the AI Core are PipeUtilization."""
    metrics = recorded(job, "profiler_info.aic_metrics", "sample.ai_core_metrics")
    if metrics is None:
        return _unknown("aic_metrics_unknown")
    texts = {text for side in metrics for text in side}
    words = {plain(text).replace("acl aicore ", "").replace(" ", "") for text in texts}
    if words & {"pipelineexecuteutilization", "pipeexecuteutilization"}:
        return _outside("aic_metrics_outside", metrics=", ".join(sorted(texts)))
    good = words <= {"pipeutilization", "pipeutilizationexct"}
    return MET if good else _unknown("aic_metrics_other", metrics=", ".join(sorted(texts)))


def _task_based(job: Job, _rule: Threshold) -> Answer:
    """F5: counters by task, not by time."""
    modes = recorded(job, "sample.ai_core_profiling_mode")
    if modes is None:
        return _unknown("aic_mode_unknown")
    sampled = {mode for side in modes for mode in side} - {"task-based"}
    return _outside("aic_mode_outside", mode=", ".join(sorted(sampled))) if sampled else MET


def _cores_and_clock(job: Job, _rule: Threshold) -> Answer:
    """F7: core count and nominal clock of the chip."""
    known = recorded(job, "info.ai_core_num") and recorded(job, "info.aic_frequency")
    return MET if known else _unknown("cores_and_clock_unknown")


def _rated_clock(job: Job, rule: Threshold) -> Answer:
    """F7: the nominal clock the rule is written for."""
    assert rule.rated_clock is not None
    clocks = recorded(job, "info.aic_frequency")
    values = [integer(text) for side in clocks for text in side] if clocks else []
    if not values or None in values:
        return _unknown("rated_clock_unknown")
    other = sorted({mhz for mhz in values if mhz is not None and mhz * 10**6 != rule.rated_clock.value})
    return _outside("rated_clock_outside", mhz=", ".join(map(str, other))) if other else MET


def _clock(job: Job) -> tuple[Literal["missing", "fell", "unwatched", "steady"], Side]:
    """F8: what the samples of the clock say, the worst of all ranks."""
    said: Literal["unwatched", "steady"] = "steady"
    where = Side.BEFORE
    found = [*job.measured("ai_core_frequency")]
    for side, measurement in found:
        if measurement is None or isinstance(measurement.summary, Missing) or measurement.undecided_by() is not None:
            return "missing", side
    for side, measurement in found:
        codes = {doubt.code for doubt in measurement.warnings} if measurement else set()
        if "frequency_below_nominal" in codes:
            return "fell", side
        if codes & {"frequency_changes_unknown", "frequency_changes_not_collected"}:
            said, where = "unwatched", side
    return (said, where) if found else ("missing", where)


def _clock_samples(job: Job, _rule: Threshold) -> Answer:
    """F8: the clock was sampled while kernels ran."""
    state, side = _clock(job)
    if state == "missing":
        return _unknown("clock_not_sampled", side=side)
    return _unknown("clock_unwatched", side=side) if state == "unwatched" else MET


def _clock_steady(job: Job, _rule: Threshold) -> Answer:
    """F8: it did not change while kernels ran."""
    state, side = _clock(job)
    codes = {"missing": "clock_not_sampled", "unwatched": "clock_unwatched", "fell": "clock_changed"}
    return _unknown(codes[state], side=side) if state in codes else MET


def _steps(job: Job, _rule: Threshold) -> Answer:
    """F9: step boundaries."""
    few = any(len(rank.steps) < 2 for facts in job.facts for rank in facts.ranks)
    return _unknown("steps_unknown") if few else MET


def _checkpoint_steps(job: Job, _rule: Threshold) -> Answer:
    """F9: which steps save a checkpoint."""
    stated = job.workload is not None and job.workload.checkpoint_steps is not None
    return MET if stated else _unknown("checkpoint_steps_not_stated")


def _minimal_profiling(job: Job, _rule: Threshold) -> Answer:
    """F10: nothing was collected that inflates times."""
    levels = recorded(job, "profiler_info.profiler_level", "sample.level")
    switches = ("profile_memory", "with_stack", "with_modules", "record_shapes", "l2_cache", "op_attr")
    found = [recorded(job, f"profiler_info.{name}") for name in switches]
    if levels is None or not any(found):
        return _unknown("inflation_unknown")
    if any(text.lower() not in ("level0", "l0") for side in levels for text in side):
        return _unknown("profiling_not_minimal", on=", ".join(sorted({t for side in levels for t in side})))
    on = [name for name, sides in zip(switches, found, strict=True) if sides and any("true" in side for side in sides)]
    return _unknown("profiling_not_minimal", on=", ".join(on)) if on else MET


def _shapes(job: Job, _rule: Threshold) -> Answer:
    """F12: input shapes."""
    switch = recorded(job, "profiler_info.record_shapes")
    on = switch is not None and all(side == {"true"} for side in switch)
    msprof = all(facts.layout.producer.startswith("msprof") for facts in job.facts)
    return MET if on or msprof else _unknown("shapes_unknown")


def _operator_state(_job: Job, _rule: Threshold) -> Answer:
    """F12: dynamic or static; no reader takes OP State."""
    return _unknown("operator_state_unknown")


def _product_version(_job: Job, _rule: Threshold) -> Answer:
    """F13, F14: the version of a product that no capture records."""
    return _unknown("product_version_unknown")


def _no_wait_events(job: Job, _rule: Threshold) -> Answer:
    """F16: no MEM_WAIT_VALUE or CAPTURE_WAIT."""
    for facts in job.facts:
        states = {rank.wait_events: rank.wait_source for rank in facts.ranks}
        if "found" in states:
            return _unknown("wait_events_found", side=facts.side, file=states["found"])
        if "not searchable" in states:
            return _unknown("wait_events_not_searchable", side=facts.side)
    return MET


def _gc_watched(job: Job, _rule: Threshold) -> Answer:
    """Garbage collection was watched; without events of a watched run nothing follows."""
    threshold = recorded(job, "profiler_info.gc_detect_threshold")
    if threshold is None:
        return _unknown("gc_unknown")
    return _outside("gc_not_watched") if any("null" in side for side in threshold) else MET


def _host_api(job: Job, _rule: Threshold) -> Answer:
    """Host calls were captured."""
    activities = recorded(job, "profiler_info.activities")
    with_cpu = activities is not None and all("CPU" in " ".join(side) for side in activities)
    return MET if with_cpu else _unknown("host_api_unknown")


def _link_matrix(_job: Job, _rule: Threshold) -> Answer:
    """Bandwidth between pairs of ranks; no reader takes communication_matrix."""
    return _unknown("link_matrix_not_read")


def _theoretical_bandwidth(job: Job, _rule: Threshold) -> Answer:
    """What the links of the chip can carry."""
    chips = recorded(job, "info.platform_version")
    known = chips is not None and all(chip in WITH_THEORY for side in chips for chip in side)
    return MET if known else _unknown("theoretical_bandwidth_unknown")


def _torch_capture(job: Job, _rule: Threshold) -> Answer:
    """F1: a capture of a PyTorch job."""
    framework = plain(job.workload.framework) if job.workload else ""
    if framework in OTHER_FRAMEWORKS and job.workload is not None:
        return _outside("framework_outside", framework=job.workload.framework)
    by_layout = all(facts.layout.producer.startswith("torch_npu") for facts in job.facts)
    return MET if by_layout or framework in TORCH_FRAMEWORKS else _unknown("framework_unknown")


def _db_capture(job: Job, _rule: Threshold) -> Answer:
    """A capture with a database of the profiler: the rule reads that alone."""
    files = [{file.path.rsplit(".", 1)[-1] for file in facts.files} for facts in job.facts]
    return MET if all("db" in kinds for kinds in files) else _outside("text_capture")


def _op_tool(_job: Job, _rule: Threshold) -> Answer:
    """A capture of one operator by ``msprof op``; every layout that is read here is of an application."""
    return _outside("whole_application")


Need = Callable[[Job, Threshold], Answer]
NEEDS: dict[str, Need] = {
    "alike": _alike,
    "all_ranks": _all_ranks,
    "checkpoint_steps": _checkpoint_steps,
    "clock_samples": _clock_samples,
    "clock_steady": _clock_steady,
    "cores_and_clock": _cores_and_clock,
    "db_capture": _db_capture,
    "gc_watched": _gc_watched,
    "host_api": _host_api,
    "level1": _level1,
    "link_matrix": _link_matrix,
    "minimal_profiling": _minimal_profiling,
    "no_wait_events": _no_wait_events,
    "op_tool": _op_tool,
    "operator_state": _operator_state,
    "pipe_utilization": _pipe_utilization,
    "product_version": _product_version,
    "several_ranks": _several_ranks,
    "shapes": _shapes,
    "steps": _steps,
    "task_based": _task_based,
    "theoretical_bandwidth": _theoretical_bandwidth,
    "torch_capture": _torch_capture,
}
"""Word of ``vocabulary.Need`` -> its function."""


def value_of(measurement: Measurement) -> Fraction:
    """The value of a measurement that has one, exact."""
    assert isinstance(measurement.summary, Quantity)
    return Fraction(measurement.summary.value)
