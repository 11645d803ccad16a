"""How busy the units of a core were: ratios over many operators, weighted, never averaged.

R = sum of a pipe's time / sum of the core's total time over the kernel rows that have both. msprof level 0 writes every
time as 0.0 because it divides by a block number that is 0; the cycles and ratios are real there, so
R = sum(ratio x cycles) / sum(cycles), named cycle-weighted. The two are never mixed.
Source: docs/formats.md 9, 11.1 (2), 11.8.
"""

from __future__ import annotations

from fractions import Fraction
from operator import mul
from typing import TYPE_CHECKING

from reportgen.frames import KERNEL
from reportgen.metrics.common import Place, missing, quantity
from reportgen.model import Family, Measurement, Metric, MissingKind
from reportgen.reading.kernels import PIPES

if TYPE_CHECKING:
    import pandas as pd

METRICS = tuple(
    Metric(
        id=f"{core}_{pipe}_ratio",
        unit="1",
        better="neither",
        statistic="weighted",
        family=Family.PMU,
        exact=False,
        source="docs/formats.md 9, 11.1",
    )
    for core, pipes in PIPES.items()
    for pipe in pipes
)
OTHER_COLUMNS = ("_exe_ratio", "_bw(GB/s)", "_hit", "_fops", "_cflt_ratio", "_datas(KB)", "_fp16_ratio")
"""Endings of the PMU columns of other metrics than PipeUtilization (docs/formats.md 3.2)."""


def measure(place: Place) -> list[Measurement]:
    """The four ratios of one rank, in the order of ``METRICS``."""
    frame = place.tables.kernels.frame
    rows = frame[frame["kind"] == KERNEL]
    return [
        _ratio(place, rows, metric, core, pipe)
        for metric, (core, pipe) in zip(
            METRICS, ((core, pipe) for core, pipes in PIPES.items() for pipe in pipes), strict=True
        )
    ]


def _ratio(place: Place, rows: pd.DataFrame, metric: Metric, core: str, pipe: str) -> Measurement:
    total, part = f"{core}_total", f"{core}_{pipe}_time"
    cycles, ratio = f"{core}_cycles", f"{core}_{pipe}_ratio"
    doubts, scale = place.tables.kernels.warnings, place.tables.kernels.times_per_ns
    if total in rows and part in rows:
        both = rows[rows[total].notna() & rows[part].notna()]
        whole = sum(both[total].tolist())
        if whole > 0:
            busy = sum(both[part].tolist())
            return place.measured(
                metric,
                quantity(Fraction(busy, whole), "1"),
                numerator=quantity(Fraction(busy, scale), "ns"),
                denominator=quantity(Fraction(whole, scale), "ns"),
                basis="time-weighted",
                warnings=doubts,
                origins=place.kernels(
                    f"columns {{{part}}}, {{{total}}}; {len(both)} rows", "sum time / sum total time"
                ),
            )
    if cycles in rows and ratio in rows:
        both = rows[rows[cycles].notna() & rows[ratio].notna()]
        whole = sum(both[cycles].tolist())
        if whole > 0:
            ones = place.tables.kernels.ratios_per_one
            busy = Fraction(sum(map(mul, both[ratio].tolist(), both[cycles].tolist())), ones)
            return place.measured(
                metric,
                quantity(busy / whole, "1"),
                numerator=quantity(busy, "1"),
                denominator=quantity(whole, "1"),
                basis="cycle-weighted",
                warnings=doubts,
                origins=place.kernels(
                    f"columns {{{ratio}}}, {{{cycles}}}; {len(both)} rows",
                    "sum(ratio x cycles) / sum cycles",
                ),
            )
        return place.measured(metric, missing(MissingKind.NOT_APPLICABLE, "core_not_used", core=core))
    others = [name for name in place.tables.kernels.columns if name.endswith(OTHER_COLUMNS)]
    if others:
        columns = ", ".join(others[:3])
        return place.measured(metric, missing(MissingKind.NOT_APPLICABLE, "pmu_other_columns", columns=columns))
    return place.measured(
        metric,
        missing(
            MissingKind.NOT_COLLECTED,
            "pmu_not_collected",
            place.option("pmu"),
            metric=metric.id,
        ),
    )
