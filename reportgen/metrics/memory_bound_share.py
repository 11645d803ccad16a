"""The share of AI Core time in kernels that the vendor's page calls memory bound.

The page defines memory_bound of a task as mte2_ratio / max(mac_ratio, vec_ratio), on chips where cube and vector units
share one core: below 1 no bottleneck, above 1 more transfers than computing. Of exactly 1 it says nothing.
Source: docs/formats.md 3.2, 11.5; evidence/definitions.toml, memory_bound_limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from reportgen.definitions import read_definitions
from reportgen.metrics.chip import one_kind_of_core
from reportgen.metrics.common import Place, missing, quantity
from reportgen.metrics.pmu_rows import BASIS, NOTHING_COMPUTED, listed, not_there
from reportgen.model import Family, Measurement, Metric, Missing, MissingKind, Reason
from reportgen.reading.kernels import FORMS

if TYPE_CHECKING:
    import pandas as pd

MEMORY_BOUND_SHARE = Metric(
    id="memory_bound_share",
    unit="1",
    better="neither",
    statistic="share",
    family=Family.PMU,
    exact=False,
    source="docs/formats.md 3.2, 11.5",
)
PIPES = (("aic", "mte2"), ("aic", "mac"), ("aiv", "vec"))
"""Transfers, then what they are held against."""
SEEN = ("aic_total", "aic_cycles", "aiv_total", "aiv_cycles")
"""Columns that a kernel table with any PMU data has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tasks:
    """Kernels with transfers, computing and a weight; each list one value a kernel."""

    moved: list[int]
    """Of MTE2, in the unit of ``computed``: time, else ratio."""
    computed: list[int]
    """The larger of the cube's and the vector unit's."""
    weights: list[int]
    """Total time or cycles."""
    unit: Literal["ns", "1"]
    """``ns``: weighted by total time; ``1``: by cycles."""
    columns: tuple[str, ...]
    """Columns they were read from."""


def memory_bound_share(place: Place, rows: pd.DataFrame) -> Measurement:
    """Sum of weights of the kernels above the limit / sum of weights of those that have a quotient.

    Weighted by total time, at level 0 by cycles. A kernel whose three times are recorded is held against the limit by
    them, else by its ratios: neither is rounded first. A kernel that computes nothing has no quotient and is in neither
    sum; one at the limit itself is not above it. Both are counted in warnings.
    """
    if not one_kind_of_core(place):
        apart = missing(MissingKind.NOT_APPLICABLE, "cores_apart", metric=MEMORY_BOUND_SHARE.id)
        known = any(name in rows for name in SEEN)
        return place.measured(MEMORY_BOUND_SHARE, apart if known else not_there(place, MEMORY_BOUND_SHARE.id))
    found = _tasks(place, rows)
    if isinstance(found, Missing):
        return place.measured(MEMORY_BOUND_SHARE, found)
    limit = read_definitions()["memory_bound_limit"]
    tasks = [task for task in zip(found.moved, found.computed, found.weights, strict=True) if task[1] > 0]
    whole = sum(weight for *_, weight in tasks)
    if not whole:
        return place.measured(MEMORY_BOUND_SHARE, NOTHING_COMPUTED)
    above = [weight for moved, computed, weight in tasks if limit.holds(moved, computed)]
    level = sum(1 for moved, computed, _ in tasks if moved == computed * limit.value)
    scale = place.tables.kernels.times_per_ns if found.unit == "ns" else 1
    word = "total time" if found.unit == "ns" else "cycles"
    columns = ", ".join(f"{{{name}}}" for name in found.columns)
    return place.measured(
        MEMORY_BOUND_SHARE,
        quantity(Fraction(sum(above), whole), "1"),
        numerator=quantity(Fraction(sum(above), scale), found.unit),
        denominator=quantity(Fraction(whole, scale), found.unit),
        basis=BASIS[found.unit],
        warnings=(*place.tables.kernels.warnings, *_said(len(found.weights), len(tasks), level)),
        origins=(
            *place.kernels(
                f"columns {columns}; {len(tasks)} rows, {len(above)} above",
                f"sum {word} of rows with mte2 / max(mac, vec) {limit.relation} {float(limit.value):g} / sum {word}",
            ),
            limit.origin,
        ),
    )


def _said(every: int, rated: int, level: int) -> tuple[Reason, ...]:
    """What is to be known of the kernels that are in no sum, or at the limit itself."""
    left_out = (Reason.of("memory_bound_share_left_out", n=every - rated, of=every),) if every > rated else ()
    return (*left_out, *((Reason.of("memory_bound_share_at_limit", n=level, of=rated),) if level else ()))


def _tasks(place: Place, rows: pd.DataFrame) -> _Tasks | Missing:
    """The kernels that record transfers, computing and a weight; a Missing without the columns or without any use."""
    timed = "aic_total" in rows and bool((rows["aic_total"] > 0).any())
    weight = "aic_total" if timed else "aic_cycles"
    for form in FORMS:
        times, ratios = ([f"{core}_{pipe}{form}_{end}" for core, pipe in PIPES] for end in ("time", "ratio"))
        by_time = timed and {*times} <= {*rows}
        if weight in rows and (by_time or {*ratios} <= {*rows}):
            break
    else:
        return not_there(place, MEMORY_BOUND_SHARE.id)
    columns = tuple(name for name in (*(times if by_time else ()), *ratios, weight) if name in rows)
    rows = rows[rows[weight].notna()]
    nothing: list[int | None] = [None] * len(rows)
    spent = [listed(rows[name]) if by_time else nothing for name in times]
    rated = [listed(rows[name]) if name in rows else nothing for name in ratios]
    found = [
        (*pair, total)
        for *cells, total in zip(*spent, *rated, rows[weight].tolist(), strict=True)
        if (pair := _pair(cells[:3]) or _pair(cells[3:], zero=True) or _pair(cells[:3], zero=True)) is not None
    ]
    if not any(total for *_, total in found):
        return missing(MissingKind.NOT_APPLICABLE, "core_not_used", core="aic")
    moved, computed, weights = map(list, zip(*found, strict=True))
    return _Tasks(moved=moved, computed=computed, weights=weights, unit="ns" if timed else "1", columns=columns)


def _pair(cells: list[int | None], *, zero: bool = False) -> tuple[int, int] | None:
    """Transfers and the larger of both kinds of computing; None when a cell is empty, or with a 0 below if not asked.

    A time is written to 10 ns at worst and can be 0 where the ratio is not: the ratio is then asked.
    """
    moved, cube, vector = cells
    if moved is None or cube is None or vector is None:
        return None
    computed = max(cube, vector)
    return (moved, computed) if computed or zero else None
