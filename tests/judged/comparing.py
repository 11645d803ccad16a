"""Two sides beside each other: what may be told of a difference, and which bottleneck each side has.

Measurements are made up by hand; the expected answers follow docs/statistics.md and docs/bottleneck.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from captures.generator import write_torch_capture
from jobs import AFTER, TORCH

from judged.case import Judged
from judged.official_rules import facts, job, rule
from reportgen import resources
from reportgen.bottleneck import ORDER, find_bottlenecks, limit_without_bound
from reportgen.catalogue import read_catalogue
from reportgen.compare import compare, told_apart
from reportgen.metrics import METRICS
from reportgen.model import (
    Comparability,
    Comparison,
    Dimensions,
    Measurement,
    Missing,
    MissingKind,
    OperatorMeasurement,
    OperatorTotals,
    Origin,
    PairStanding,
    Quantity,
    Reason,
    Sample,
    Side,
)
from reportgen.operator_types import compare_operators
from reportgen.pipeline import evaluate
from reportgen.thresholds import judge_thresholds

BY_ID = {metric.id: metric for metric in METRICS}
ALIKE = Comparability(standing=PairStanding.COMPARABLE, differences=(), workload=None)
GONE = Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("no_step_markers"))


def measured(
    side: Side, metric: str, value: int | Fraction | Missing, *, file: str = "kernel_details.csv", rank: int = 0
) -> Measurement:
    """One value."""
    summary = value if isinstance(value, Missing) else Quantity(value=value, unit=BY_ID[metric].unit)
    origin = Origin(file=f"{side.value}/{file}", digest="0" * 64, locator="x", formula="x")
    return Measurement(
        metric=metric, side=side, dimensions=Dimensions(rank=rank, device=rank), summary=summary, origins=(origin,)
    )


def sides(files: tuple[str, str] = ("kernel_details.csv", "kernel_details.csv"), ranks: int = 1) -> object:
    """The same kernel count from two files, compared."""
    before, after = (measured(s, "kernel_count", 34, file=f) for s, f in zip(Side, files, strict=True))
    captures = [facts(side, {}, "torch_npu text", ranks, ()) for side in Side]
    return compare([BY_ID["kernel_count"]], [before], [after], (captures[0], captures[1]), [(0, 0)], ALIKE)


def counts(before: int, after: int) -> object:
    """Two exact counts."""
    return told_apart(
        BY_ID["kernel_count"],
        measured(Side.BEFORE, "kernel_count", before),
        measured(Side.AFTER, "kernel_count", after),
    )


def operator(side: Side, name: str, values: Sequence[int]) -> OperatorMeasurement:
    """One type, one step; its calls took so long."""
    ordered = sorted(values)
    middle = Fraction(ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2], 2)
    return OperatorMeasurement(
        type=name,
        identified_by="type",
        accelerator="AI_CORE",
        side=side,
        dimensions=Dimensions(rank=0, device=0),
        steps=1,
        totals=OperatorTotals(
            calls=Quantity(value=len(values), unit="1"),
            total=Quantity(value=sum(values), unit="ns"),
            mean=Quantity(value=Fraction(sum(values), len(values)), unit="ns"),
            median=Quantity(value=middle, unit="ns"),
            sample=Sample(unit="ns", values=tuple(values), labels=()),
            origins=(),
        ),
    )


def operators(before: dict[str, Sequence[int]], after: dict[str, Sequence[int]]) -> object:
    """Types of both sides, compared."""
    captures = [facts(side, {}, "torch_npu text", 1, ()) for side in Side]
    held = [
        [operator(side, name, values) for name, values in of.items()]
        for side, of in zip(Side, (before, after), strict=True)
    ]
    return compare_operators(held[0], held[1], (captures[0], captures[1]), [(0, 0)], ALIKE)


def times(before: Sequence[int], after: Sequence[int]) -> object:
    """Two samples of a step time."""
    held = [
        replace(
            measured(side, "step_time", sorted(values)[len(values) // 2]),
            sample=Sample(unit="ns", values=tuple(values), labels=()),
        )
        for side, values in zip(Side, (before, after), strict=True)
    ]
    return told_apart(BY_ID["step_time"], *held)


def compared_times(before: Sequence[int], after: Sequence[int]) -> Comparison:
    """Two samples of a step time beside each other."""
    held = [
        replace(
            measured(side, "step_time", sorted(values)[len(values) // 2]),
            sample=Sample(unit="ns", values=tuple(values), labels=()),
        )
        for side, values in zip(Side, (before, after), strict=True)
    ]
    captures = [facts(side, {}, "torch_npu text", 1, ()) for side in Side]
    (found,) = compare([BY_ID["step_time"]], [held[0]], [held[1]], (captures[0], captures[1]), [(0, 0)], ALIKE)
    return found


TIMES = (1004, 1010, 1001, 1007, 1012, 1000, 1006, 1003)
"""Eight calls in no order of size."""
LATER = tuple(time + 8 for time in TIMES)
MANY = {f"Type{n}": TIMES for n in range(20)}
"""Twenty types of 5 % each, all tested: 1 - 0.05 / 20 = 99.75 %."""


def of_repeats(root: Path) -> object:
    """AFTER of two captures, one of ten steps and one of twelve."""
    others = (AFTER, replace(AFTER, steps=12, seed=3, begin="2026-11-03 09:00:00.000", boot_ns=AFTER.boot_ns + 10**15))
    for name, spec in (("before", TORCH), ("a1", others[0]), ("a2", others[1])):
        write_torch_capture(root / name, spec)
    return evaluate(root / "before", [root / "a1", root / "a2"]).comparisons


# --------------------------------------------------------------------------------------------- bottlenecks
def shares(side: Side, *, ranks: int = 1, span: bool = True) -> list[Measurement]:
    """Computing 90 %, communication not overlapped 8 %, free 2 % on every rank."""
    parts = {"computing_share": 90, "communication_not_overlapped_share": 8, "free_share": 2}
    found = [
        measured(side, metric, Fraction(percent, 100), rank=n)
        for n in range(ranks)
        for metric, percent in parts.items()
    ]
    whole = 100 if span else GONE
    return found + [measured(side, m, whole, rank=n) for n in range(ranks) for m in ("step_time", "device_span")]


def bottlenecks(phase: str, *, ranks: int = 1, span: bool = True) -> object:
    """Where no rule of the guide applies, by the largest share."""
    none = Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("values_missing"))
    pairs = zip(*(shares(side, ranks=ranks, span=span) for side in Side), strict=True)
    rows = tuple(
        Comparison(
            metric=b.metric, dimensions=b.dimensions, before=b, after=a, delta=none, change=none, estimate=None,
            interval=None, distinguishable="cannot be known", reason=Reason.of("one_value_each"),
        )
        for b, a in pairs
    )  # fmt: skip
    of = job(ranks=ranks)
    outside = [replace(rule(needs=("op_tool",)), id=name, metric=metric) for _kind, metric, name in ORDER]
    return find_bottlenecks(
        phase=phase,
        thresholds=judge_thresholds(outside, of),
        comparisons=rows,
        facts=(of.facts[0], of.facts[1]),
        comparability=ALIKE,
        limit=limit_without_bound(read_catalogue(resources.evidence_dir())),
    )


SHOWN = {"why": "the values, which stand in the case"}

CASES: tuple[Judged, ...] = (
    Judged(title="34 kernels on both sides", give=lambda _root: counts(34, 34), code="exact_equal", **SHOWN),
    Judged(title="34 kernels, then 33", give=lambda _root: counts(34, 33), code="exact_differs", **SHOWN),
    Judged(
        title="the same eight times on both sides",
        give=lambda _root: times(TIMES, TIMES),
        code="interval_includes_one",
        args={"rho": "0.00"},
        why="the ratio is 1; they do not resemble each other",
    ),
    Judged(
        title="eight times, and each twice as long",
        give=lambda _root: times(TIMES, tuple(2 * time for time in TIMES)),
        code="interval_excludes_one",
        args={"rho": "0.00"},
        why="the largest of BEFORE is 1012, the smallest of AFTER 2000; they do not resemble each other",
    ),
    Judged(
        title="one side read from a csv file, the other from a database",
        give=lambda _root: sides(("kernel_details.csv", "profiler.db")),
        code="sources_differ",
        args={"before": "csv", "after": "db"},
        **SHOWN,
    ),
    Judged(
        title="a type of 0.5 % of the time",
        give=lambda _root: operators({"Large": (19_900,), "Small": (100,)}, {"Large": (19_900,), "Small": (100,)}),
        code="small_type",
        args={"limit": "1%"},
        why="100 of 20000 ns, below the 1 % of operator_share in evidence/choices.toml",
    ),
    Judged(
        title="one of twenty types slower, at 95 % but not at 99.75 %",
        give=lambda _root: operators(MANY, MANY | {"Type0": LATER}),
        code="many_types_tested",
        args={"level": "99.75%"},
        why="1 - 0.05 / 20; the rank test has p between 0.0025 and 0.05",
    ),
    Judged(
        title="repeats of ten and of twelve steps",
        give=of_repeats,
        code="totals_of_different_captures",
        why="a sum over ten steps and one over twelve have no mean that means anything",
    ),
    Judged(
        title="two ranks with shares and no length of either",
        give=lambda _root: bottlenecks("training", ranks=2, span=False),
        code="slowest_rank_unknown",
        args={"side": "before"},
        **SHOWN,
    ),
    Judged(
        title="a move where the phase is not stated, so that no side is told",
        give=lambda _root: bottlenecks(""),
        code="bottleneck_not_told",
        args={"side": "before"},
        **SHOWN,
    ),
)  # fmt: skip
