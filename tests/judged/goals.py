"""Every branch of the verdict: goals on values made up by hand, judged by ``judge.judge``.

Outcome and reason of the first goal, and the verdict's word, follow docs/statistics.md "Decision rule" and the order
not comparable > not met > undecided > met. The arithmetic of each value stands in its case.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal

from judged.official_rules import facts
from reportgen.judge import Evidence, judge
from reportgen.metrics import METRICS
from reportgen.model import (
    AlikeCaptures,
    CaptureFacts,
    Case,
    Comparability,
    Comparison,
    Contract,
    Declared,
    Difference,
    Dimensions,
    ExternalValue,
    Family,
    FileRecord,
    FixedValue,
    Goal,
    Held,
    Identity,
    Interval,
    LoggedRun,
    LoggedSeries,
    LoggedValue,
    Measurement,
    Missing,
    MissingKind,
    OperatorChange,
    OperatorMeasurement,
    OperatorTotals,
    Origin,
    Outcome,
    PairStanding,
    Parties,
    Quantity,
    Reason,
    Run,
    Sample,
    Side,
    Standing,
    Target,
    Verdict,
    VerdictWord,
    Witness,
    Workload,
    WorkloadCheck,
)

MS = 10**6
FILE = FileRecord(path="target.toml", size=1, digest="0" * 64)
ORIGIN = Origin(file="target:target.toml", digest="0" * 64, locator="x", formula="x")
MET, NOT_MET, UNDECIDED = Outcome.MET, Outcome.NOT_MET, Outcome.UNDECIDED


# --------------------------------------------------------------------------------------------- values
def of(value: int | Fraction, unit: str = "ns") -> Quantity:
    """A quantity."""
    whole = Fraction(value)
    return Quantity(value=int(whole) if whole.denominator == 1 else whole, unit=unit)


def one(text: str) -> Quantity:
    """A ratio or a count."""
    return of(Fraction(text), "1")


def between(low: Fraction | int, high: Fraction | int, unit: str = "ns") -> Interval:
    """A 95 % interval."""
    return Interval(low=of(low, unit), high=of(high, unit), level=Fraction(19, 20), method="x")


def missing(code: str, **args: str) -> Missing:
    """No value."""
    return Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of(code, **args))


def measured(
    side: Side,
    values: tuple[int, ...] | Missing,
    *,
    metric: str = "step_time",
    summary: int | None = None,
    ends: tuple[int, int] | None = None,
    part: str = "",
    unit: str = "ns",
    rank: int = 0,
    **more: Any,
) -> Measurement:
    """A measurement of values whose middle one is its summary; witnessed unless told otherwise."""
    if isinstance(values, Missing):
        return Measurement(
            metric=metric, side=side, dimensions=Dimensions(rank=rank, part=part), summary=values, origins=(ORIGIN,)
        )
    middle = sorted(values)[len(values) // 2] if summary is None else summary
    held: dict[str, Any] = {
        "sample": Sample(unit=unit, values=values, labels=tuple(map(str, range(len(values))))),
        "interval": None if ends is None else between(*ends, unit),
        "witnesses": (WITNESS,),
        "origins": (ORIGIN,),
    }
    return Measurement(
        metric=metric, side=side, dimensions=Dimensions(rank=rank, part=part), summary=of(middle, unit), **(held | more)
    )


WITNESS = Witness(
    name="op_statistic_count", agrees=True, found=one("1"), expected=one("1"), tolerance=one("0"), origins=(ORIGIN,)
)
FAILED = replace(WITNESS, agrees=False, found=one("57"), expected=one("185"))


def row(before: Measurement | None, after: Measurement | None, **more: Any) -> Comparison:
    """Both sides beside each other."""
    held = after or before
    assert held is not None
    found = Comparison(
        metric=held.metric, dimensions=held.dimensions, before=before, after=after, delta=missing("values_missing"),
        change=missing("values_missing"), estimate=None, interval=None, distinguishable="cannot be known",
        reason=Reason.of("one_value_each"),
    )  # fmt: skip
    return replace(found, **more)


NINE = (90 * MS,) * 9
BEFORE = measured(Side.BEFORE, (200 * MS,) * 9)
AFTER = measured(Side.AFTER, NINE, ends=(88 * MS, 92 * MS))
STEADY = row(BEFORE, AFTER)
"""BEFORE 200 ms, AFTER 90 ms [88, 92]."""
RATIO = row(BEFORE, AFTER, estimate=one("0.45"), interval=between(Fraction("0.44"), Fraction("0.46"), "1"))
"""AFTER / BEFORE 0.45 [0.44, 0.46], so AFTER - BEFORE -110 ms [200 x (0.44 - 1), 200 x (0.46 - 1)] = [-112, -108]."""


def goal(**changes: Any) -> Goal:
    """Step time of AFTER at most 100 ms, by its median."""
    base: dict[str, Any] = {
        "id": "G1", "clause": "1", "metric": "step_time", "part": "", "statistic": "median", "kind": "",
        "direction": "at_most", "subject": "after", "limit": of(100 * MS), "side_condition": "", "subject_to": (),
        "origin": ORIGIN,
    }  # fmt: skip
    return Goal(**(base | changes))


COUNT = goal(metric="kernel_count_per_step", statistic="count", limit=one("34"))
PEAK = goal(metric="peak_reserved", part="APP", statistic="max", limit=of(1000, "B"))
LATENCY = goal(metric="latency", kind="ttft", statistic="mean", limit=of(50 * MS))
TYPE = goal(metric="kernel_time", part="Add", statistic="total", limit=of(100 * MS))
AS_RATIO = {"subject": "ratio", "limit": one("0.5")}
AS_DELTA = {"subject": "delta", "limit": of(-100 * MS)}


def difference(key: str, *families: Family, blocks_all: bool = False, reason: Reason | None = None) -> Difference:
    """A setting that differs."""
    return Difference(
        key=key, spelling=key, place="x", before=Held(value="a"), after=Held(value="b"), standing=Standing.BLOCKING,
        blocks_all=blocks_all, families=families, reason=reason or Reason.of("setting_differs", key=key),
    )  # fmt: skip


def typed(side: Side, value: int, **more: Any) -> ExternalValue:
    """A value typed into the target."""
    base = ExternalValue(
        side=side, metric="latency", kind="ttft", statistic="mean",
        value=Quantity(value=value, unit="ns", written=f"{value // MS} ms"), conditions="", file=FILE, locator="x",
        origin=ORIGIN,
    )  # fmt: skip
    return replace(base, **more)


def agreed(value: Quantity, metric: str = "step_time", kind: str = "", statistic: str = "median") -> FixedValue:
    """A value agreed in the place of BEFORE."""
    return FixedValue(
        metric=metric, part="", kind=kind, statistic=statistic, value=value, source="tender 4.1", file=None, locator="",
        origin=ORIGIN,
    )  # fmt: skip


def operator(side: Side, calls: tuple[int, ...], steps: int = 1) -> OperatorMeasurement:
    """The kernels of type Add on a side."""
    return OperatorMeasurement(
        type="Add", identified_by="type", accelerator="AI_CORE", side=side, dimensions=Dimensions(rank=0), steps=steps,
        totals=OperatorTotals(
            calls=of(len(calls), "1"), total=of(sum(calls)), mean=of(Fraction(sum(calls), len(calls))),
            median=of(sorted(calls)[len(calls) // 2]), sample=Sample(unit="ns", values=calls, labels=()),
            origins=(ORIGIN,),
        ),
    )  # fmt: skip


def type_of(before: OperatorMeasurement | None, after: OperatorMeasurement | None, **call: Any) -> OperatorChange:
    """Both sides of a type; its calls compared when both have it."""
    both = before is not None and after is not None
    found = None
    if both and before is not None and after is not None:
        sides = [
            Measurement(metric="operator_call", side=o.side, dimensions=o.dimensions, summary=o.totals.median,
                        sample=o.totals.sample)
            for o in (before, after)
        ]  # fmt: skip
        found = row(sides[0], sides[1], reason=Reason.of("interval_includes_one"), **call)
    return OperatorChange(
        type="Add", identified_by="type", accelerator="AI_CORE", dimensions=Dimensions(rank=0),
        change="changed" if both else "added" if before is None else "removed", before=before, after=after,
        delta_per_step=of(0), call=found,
    )  # fmt: skip


def run(
    side: Side,
    steps: tuple[int, ...] = (),
    *,
    metric: str = "step_time",
    kind: str = "",
    figures: Mapping[str, int] | None = None,
    name: str = "",
    profiled: bool | None = False,
    agreed: bool = True,
    weights: tuple[int, ...] = (),
    labels: tuple[str, ...] = (),
    **more: Any,
) -> LoggedRun:
    """A run outside the profile: its steps, or figures by statistic; each file is another unless named alike."""
    name = name or f"{side.value}-{'-'.join(map(str, steps)) or figures}"[:60]
    record = FileRecord(path=name, size=1, digest=name)
    series = LoggedSeries(
        metric=metric, kind=kind,
        sample=Sample(unit="ns", values=steps, labels=labels or tuple(map(str, range(len(steps))))),
        weights=weights or (1,) * len(steps), locator="lines", resolution=of(1),
    )  # fmt: skip
    values = tuple(
        LoggedValue(metric=metric, kind=kind, statistic=statistic, value=of(value), locator="x", resolution=of(1))
        for statistic, value in (figures or {}).items()
    )
    held: dict[str, Any] = {"definitions": "d", **more}
    found = Run(producer="p", version="", file=record, series=(series,) if steps else (), values=values, **held)
    return LoggedRun(case="C1", side=side, run=found, profiled=profiled, agreed=agreed)


SLOW = tuple(n * MS for n in (200, 204, 199, 203, 198, 201, 202, 197))
FAST = tuple(n * MS for n in (91, 87, 94, 88, 93, 90, 89, 92))
"""Median 90.5 ms, mean 90.5 ms."""


# --------------------------------------------------------------------------------------------- judging
@dataclass(frozen=True, kw_only=True)
class Setup:
    """What is judged, and what is expected."""

    goals: tuple[Goal, ...] = (goal(),)
    rows: tuple[Comparison, ...] = (STEADY,)
    rule: Literal["simple", "guarded"] = "guarded"
    standing: PairStanding = PairStanding.WITH_RESERVATIONS
    differences: tuple[Difference, ...] = ()
    checks: tuple[WorkloadCheck, ...] = ()
    declared: tuple[Declared, ...] = ()
    external: tuple[ExternalValue, ...] = ()
    runs: tuple[LoggedRun, ...] = ()
    operators: tuple[OperatorChange, ...] = ()
    workload: Workload = field(default_factory=Workload)
    profiled: bool = True
    fixed: tuple[FixedValue, ...] = ()
    alike: AlikeCaptures | None = None
    alone: bool = False
    captures: int = 1
    times: tuple[int, int] | None = None
    metrics: bool = True
    outcome: Outcome | None = MET
    code: str = "within_limit"
    args: Mapping[str, str] = field(default_factory=dict)
    value: Quantity | None = None
    margin: Quantity | None = None
    reservations: tuple[str, ...] = ()
    word: VerdictWord | None = None


def captured(count: int, times: tuple[int, int] | None) -> tuple[CaptureFacts, ...]:
    """So many captures of each side, and when they began and ended."""
    began, ended = times or (None, None)
    found = (facts(side, {}, "torch_npu text", 1, ()) for side in Side for _ in range(count))
    return tuple(
        replace(one, ranks=tuple(replace(rank, started_ns=began, ended_ns=ended) for rank in one.ranks))
        for one in found
    )


def verdict(setup: Setup) -> Verdict:
    """The verdict on a setup."""
    case = Case(
        id="C1", clause="1", profiled=setup.profiled, workload=setup.workload, goals=setup.goals,
        external=setup.external, fixed=setup.fixed, alone=setup.alone,
    )  # fmt: skip
    target = Target(
        file=FILE, parties=Parties(), contract=Contract(reference="T"), decision_rule=setup.rule, cases=(case,),
        declared=setup.declared,
    )  # fmt: skip
    evidence = Evidence(
        target=target,
        facts=captured(setup.captures, setup.times),
        comparability=Comparability(standing=setup.standing, differences=setup.differences, workload=None),
        metrics={metric.id: metric for metric in METRICS} if setup.metrics else {},
        comparisons=setup.rows,
        operators=setup.operators,
        workload_checks=setup.checks,
        runs=setup.runs,
        alike=setup.alike,
    )
    return judge(evidence, ())


def peak(value: int, *, side: Side = Side.AFTER, sampled: bool = True) -> Measurement:
    """A peak of APP, sampled at 50 Hz."""
    doubt = (Reason.of("sampled_peak_lower_bound", part="APP"),) if sampled else ()
    return measured(side, (value,), metric="peak_reserved", part="APP", unit="B", warnings=doubt)


def repeats(
    side: Side, *values: int, metric: str = "step_time", unit: str = "ns", mean: int | None = None
) -> Measurement:
    """A side of several captures, one value each of nine steps alike."""
    each = tuple(measured(side, (value,) * 9, metric=metric, unit=unit) for value in values)
    return replace(each[0], summary=of(mean or values[0], unit), each=each, sample=None, interval=None)


VOUCHED = Declared(key="peak_reserved.APP", value="50 Hz is enough", signer="A", role="B", date="2026-10-01")
NO_PAIR: dict[str, Any] = {"standing": PairStanding.NOT_COMPARABLE,
                           "differences": (difference("sample.level", blocks_all=True),)}  # fmt: skip
UNSHOWN: dict[str, Any] = {"standing": PairStanding.CANNOT_BE_SHOWN,
                           "differences": (difference("chip", blocks_all=True),)}  # fmt: skip
WRONG = WorkloadCheck(fact="dtype.after", agreed="bf16", seen="fp16", outcome="contradicts")
CONTRADICTS = {"fact": "dtype.after", "agreed": "bf16", "seen": "fp16"}
ONE_STEP = missing("one_step_only")
BROKEN = Identity(
    id="I2", what="x", holds=False, found=one("500"), expected=one("512"), tolerance=one("0"), locators=("x",)
)
