"""Kernel counts and times, and every operator type.

AI Core (with vector core, DSA, DVPP) and AI CPU are counted apart; large communication operators are neither. Sums are
sums, not busy time: rows overlap. Source: docs/formats.md 6.4, 9, 11.1 (3), 11.10 (2).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from reportgen import intervals, samples
from reportgen.frames import AI_CPU, COMMUNICATION, KERNEL, NOT_AVAILABLE
from reportgen.metrics.common import Place, limit_interval, missing, no_communication, no_steps, quantity, sampled
from reportgen.metrics.stepwise import kept_lengths
from reportgen.model import (
    MOST_WORK,
    Family,
    Measurement,
    Metric,
    MissingKind,
    OperatorMeasurement,
    OperatorTotals,
    OperatorWork,
    Quantity,
    Reason,
)

if TYPE_CHECKING:
    import pandas as pd

SOURCE = "docs/formats.md 6.4, 9, 11.1"


def _metric(id_: str, unit: str, statistic: str, family: Family, *, exact: bool) -> Metric:
    return Metric(
        id=id_,
        unit=unit,
        better="lower" if unit == "ns" else "neither",
        statistic=statistic,
        family=family,
        exact=exact,
        source=SOURCE,
    )


KERNEL_COUNT = _metric("kernel_count", "1", "count", Family.COUNTS, exact=True)
PER_STEP = _metric("kernel_count_per_step", "1", "count", Family.COUNTS, exact=True)
AI_CPU_COUNT = _metric("ai_cpu_count", "1", "count", Family.COUNTS, exact=True)
COMMUNICATION_COUNT = replace(
    _metric("communication_count", "1", "count", Family.COUNTS, exact=True), also=(Family.COMMUNICATION,)
)
ROW_COUNT = _metric("row_count", "1", "count", Family.COUNTS, exact=True)
KERNEL_TIME = _metric("kernel_time", "ns", "total", Family.TIME, exact=False)
KERNEL_CALL = _metric("kernel_call", "ns", "median", Family.TIME, exact=False)
KERNEL_CALL_MEAN = _metric("kernel_call_mean", "ns", "mean", Family.TIME, exact=False)
KERNEL_BUSY = _metric("kernel_busy", "ns", "total", Family.TIME, exact=False)
AI_CPU_TIME = _metric("ai_cpu_time", "ns", "total", Family.TIME, exact=False)
ROW_TIME = _metric("row_time", "ns", "total", Family.TIME, exact=False)
METRICS = (
    KERNEL_COUNT,
    PER_STEP,
    AI_CPU_COUNT,
    COMMUNICATION_COUNT,
    ROW_COUNT,
    KERNEL_TIME,
    KERNEL_CALL,
    KERNEL_CALL_MEAN,
    KERNEL_BUSY,
    AI_CPU_TIME,
    ROW_TIME,
)


def measure(place: Place) -> list[Measurement]:
    """Every metric of this room for one rank, in the order of ``METRICS``."""
    table = place.tables.kernels
    frame, doubts = table.frame, table.warnings
    rows = "{rows}"

    def of_kind(*kinds: str) -> pd.DataFrame:
        return frame[frame["kind"].isin(kinds)]

    def told(metric: Metric, value: int, unit: str, column: str, formula: str) -> Measurement:
        return place.measured(
            metric, quantity(value, unit), origins=place.kernels(f"column {column}; {rows}", formula), warnings=doubts
        )

    kernels, helpers, communication = of_kind(KERNEL), of_kind(AI_CPU), of_kind(COMMUNICATION)
    apart = not any(doubt.code == "ai_cpu_not_told_apart" for doubt in doubts)
    hidden = missing(
        MissingKind.NOT_RECORDED,
        "ai_cpu_not_told_apart",
        place.option("kinds"),
        file=table.file.path,
    )
    return [
        told(KERNEL_COUNT, len(kernels), "1", "{core}", "count of kernel rows"),
        _per_step(place, kernels, rows, doubts),
        told(AI_CPU_COUNT, len(helpers), "1", "{core}", "count of AI CPU rows")
        if apart
        else place.measured(AI_CPU_COUNT, hidden),
        told(COMMUNICATION_COUNT, len(communication), "1", "{core}", "count of communication operators")
        if len(communication)
        else place.measured(COMMUNICATION_COUNT, no_communication(place)),
        told(ROW_COUNT, len(frame), "1", "all", "count of rows"),
        told(KERNEL_TIME, int(kernels["duration_ns"].sum()), "ns", "{duration}", "sum of durations of kernel rows"),
        *_per_call(place, kernels, rows, doubts),
        told(KERNEL_BUSY, _union(kernels), "ns", "{start}, {duration}", "union of kernel rows"),
        _ai_cpu_time(place, helpers, rows, doubts) if apart else place.measured(AI_CPU_TIME, hidden),
        told(ROW_TIME, int(frame["duration_ns"].sum()), "ns", "{duration}", "sum of durations of all rows"),
    ]


def _union(rows: pd.DataFrame) -> int:
    return intervals.union_length(rows["start_ns"], rows["start_ns"] + rows["duration_ns"]) if len(rows) else 0


def _per_step(place: Place, kernels: pd.DataFrame, rows: str, doubts: tuple[Reason, ...]) -> Measurement:
    steps = [step for step in place.rank.steps if step not in place.checkpoint_steps]
    if not steps:
        return place.measured(PER_STEP, no_steps(place))
    counts = kernels["step"].value_counts()
    values = [int(counts.get(step, 0)) for step in steps]
    if len(set(values)) > 1:
        doubts = (*doubts, Reason.of("counts_per_step_differ", low=min(values), high=max(values)))
    return place.measured(
        PER_STEP,
        quantity(samples.median(values), "1"),
        sample=sampled(values, steps, "1"),
        numerator=quantity(sum(values), "1"),
        denominator=quantity(len(values), "1"),
        origins=place.kernels(f"column {{step}}; {rows}", "median over steps of kernel rows"),
        warnings=doubts,
    )


def _ai_cpu_time(place: Place, helpers: pd.DataFrame, rows: str, doubts: tuple[Reason, ...]) -> Measurement:
    """The total of all AI CPU rows; its sample has one sum for each kept step, 0 where a step has no such row.

    The interval of a step's sum is none of the total: there is none here.
    """
    lengths, dropped = kept_lengths(place)
    sums = {
        str(step): int(total) for step, total in helpers.groupby("step", observed=True)["duration_ns"].sum().items()
    }
    return place.measured(
        AI_CPU_TIME,
        quantity(sum(helpers["duration_ns"].tolist()), "ns"),
        sample=sampled([sums.get(step, 0) for step in lengths], list(lengths), "ns", dropped) if lengths else None,
        origins=place.kernels(
            f"columns {'{step}, ' if lengths else ''}{{duration}}; {rows}", "sum of durations of AI CPU rows"
        ),
        warnings=doubts,
    )


def _per_call(place: Place, kernels: pd.DataFrame, rows: str, doubts: tuple[Reason, ...]) -> list[Measurement]:
    values = kernels["duration_ns"].tolist()
    if not values:
        nothing = missing(MissingKind.NOT_APPLICABLE, "no_kernel_ran")
        return [place.measured(KERNEL_CALL, nothing), place.measured(KERNEL_CALL_MEAN, nothing)]
    sample = sampled(values, (), "ns")
    one_kind = kernels["type"].nunique() == 1 and (
        kernels["type"].iloc[0] != NOT_AVAILABLE or kernels["name"].nunique() == 1
    )
    interval = limit_interval(sample.values, "ns")[0] if one_kind else None
    return [
        place.measured(
            KERNEL_CALL,
            quantity(samples.median(values), "ns"),
            sample=sample,
            interval=interval,
            origins=place.kernels(f"column {{duration}}; {rows}", "median duration of a kernel row"),
            warnings=doubts if one_kind else (*doubts, Reason.of("mixed_kernels")),
        ),
        place.measured(
            KERNEL_CALL_MEAN,
            quantity(Fraction(sum(values), len(values)), "ns"),
            numerator=quantity(sum(values), "ns"),
            denominator=quantity(len(values), "1"),
            origins=place.kernels(f"column {{duration}}; {rows}", "sum / count of kernel rows"),
            warnings=doubts,
        ),
    ]


def operators(place: Place) -> list[OperatorMeasurement]:
    """Every operator type of one rank, communication and placeholders left out, largest total first, then by type.

    A row without a type is identified by its kernel's name. The totals reconcile: their sum is the sum of kernel and
    AI CPU rows.
    """
    frame = place.tables.kernels.frame
    rows = frame[frame["kind"].isin([KERNEL, AI_CPU])]
    named = rows["type"].astype(str).isin([NOT_AVAILABLE, ""])
    identity = rows["type"].astype(str).where(~named, rows["name"].astype(str))
    found: list[OperatorMeasurement] = []
    helper = (rows["kind"] == AI_CPU).rename("helper")
    for key, group in rows.groupby([identity.rename("identity"), named.rename("named"), helper], sort=True):
        name, by_name, is_helper = str(key[0]), bool(key[1]), bool(key[2])
        values = group["duration_ns"].tolist()
        cores = sorted(set(group["accelerator"].astype(str)) - {NOT_AVAILABLE}) or (
            ["AI_CPU"] if is_helper else [NOT_AVAILABLE]
        )
        origin = place.kernels(
            f"rows with {'name' if by_name else 'type'} {name}; {len(values)} rows",
            "count, sum, mean, median of duration",
        )
        found.append(
            OperatorMeasurement(
                type=name,
                identified_by="name" if by_name else "type",
                accelerator="/".join(cores),
                side=place.side,
                dimensions=place.dimensions(),
                steps=max(len(place.rank.steps), 1),
                work=_work(group),
                totals=OperatorTotals(
                    calls=quantity(len(values), "1"),
                    total=quantity(sum(values), "ns"),
                    mean=quantity(Fraction(sum(values), len(values)), "ns"),
                    median=quantity(samples.median(values), "ns"),
                    sample=sampled(values, (), "ns"),
                    origins=origin,
                ),
            )
        )
    return sorted(found, key=lambda op: (-Fraction(op.totals.total.value), op.type))


def _work(rows: pd.DataFrame) -> tuple[OperatorWork, ...]:
    calls: dict[tuple[str, str], int] = {}
    for pair in zip(rows["shapes"].astype(str), rows["dtypes"].astype(str), strict=True):
        calls[pair] = calls.get(pair, 0) + 1
    ordered = sorted(calls.items(), key=lambda item: (-item[1], item[0]))[:MOST_WORK]
    return tuple(OperatorWork(shapes=shapes, dtypes=dtypes, calls=count) for (shapes, dtypes), count in ordered)


def total_of(found: list[OperatorMeasurement]) -> Quantity:
    """The sum of the totals, to be held against the kernel table."""
    return quantity(sum((Fraction(op.totals.total.value) for op in found), Fraction(0)), "ns")
