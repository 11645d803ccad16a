"""How far the clock fell while an operator ran: the largest mean reduction over the operators.

The advisor of msprof-analyze forms sum(nominal - f) / (nominal x n) operator by operator and reports from 5 % on; its f
are the samples seen during the operator, ours is the clock that holds when a call starts, so that a call without a
sample inside counts too. The nominal is that of the capture's own info.json, never a default.
Source: docs/formats.md 4.2, 7.2; evidence/rules/advisor.toml, advisor-frequency-drop.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from reportgen.frames import KERNEL, NOT_AVAILABLE
from reportgen.metrics.chip import CLOCKS, chip, not_recorded
from reportgen.metrics.common import Place, missing, quantity, stamps
from reportgen.metrics.frequency import HZ, RecordedClock, failed, recorded_clock, unwatched
from reportgen.model import Family, Measurement, Metric, Missing, MissingKind
from reportgen.plain import printable

if TYPE_CHECKING:
    import pandas as pd

DROP = Metric(
    id="ai_core_frequency_drop",
    unit="1",
    better="neither",
    statistic="max",
    family=Family.TIME,
    exact=False,
    source="docs/formats.md 4.2, 7.2",
)
METRICS = (DROP,)
NAMED = 200
"""Characters of an operator's name in an origin."""
LINES = 10
"""Rows of an operator that an origin lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Operator:
    """The operator whose mean clock was the lowest."""

    name: str
    """Name in the kernel table."""
    lines: list[int]
    """Its rows, as numbered in the file."""
    mhz: int
    """Sum of the clocks at the start of its calls."""
    operators: int
    """Operators there are."""


def measure(place: Place) -> list[Measurement]:
    """``ai_core_frequency_drop`` of one rank: one value of the whole capture, negative where the clock was above."""
    found = recorded_clock(place)
    if isinstance(found, Missing):
        return [place.measured(DROP, found)]
    kernels, recorded = place.tables.kernels, chip(place)
    rows = kernels.frame[kernels.frame["kind"] == KERNEL]
    if not len(rows):
        return [place.measured(DROP, missing(MissingKind.NOT_APPLICABLE, "no_kernel_ran"))]
    nominal = recorded.mhz.get("aic")
    if nominal is None:
        return [place.measured(DROP, not_recorded(CLOCKS["aic"]))]
    lowest = _lowest(rows, found)
    whole = nominal * len(lowest.lines)
    named = printable(lowest.name[:NAMED]) + ("..." if len(lowest.name) > NAMED else "")
    formula = f"operator {named}, the largest of {lowest.operators}: sum(nominal - f at start) / (nominal x calls)"
    return [
        place.measured(
            DROP,
            quantity((whole - lowest.mhz) / whole, "1"),
            numerator=quantity((whole - lowest.mhz) * HZ, "1/s"),
            denominator=quantity(whole * HZ, "1/s"),
            witnesses=(*stamps(place, found.table, "time_ns", passed=True), *failed(place)),
            warnings=(*found.table.warnings, *kernels.warnings, *unwatched(place, found, nominal)),
            origins=(
                found.origin(place, "the row that holds when a call starts"),
                *place.kernels(f"columns {{name}}, {{start}}; {_listed(lowest.lines)}", formula),
                *recorded.origin(place, CLOCKS["aic"]),
            ),
        )
    ]


def _lowest(rows: pd.DataFrame, found: RecordedClock) -> _Operator:
    """The operator with the lowest mean clock; of several alike the one that ran first."""
    import numpy as np

    at = np.searchsorted(found.times, rows["start_ns"].to_numpy(), side="right") - 1
    mhz = np.asarray(found.mhz, dtype=np.int64)[np.maximum(at, 0)]
    names = rows["name"].cat
    codes = names.codes.to_numpy().astype(np.int64)
    # A name that is missing has the code -1, which is the last place here.
    calls, sums = (np.zeros(len(names.categories) + 1, dtype=np.int64) for _ in range(2))
    np.add.at(calls, codes, 1)
    np.add.at(sums, codes, mhz)
    # Means in lowest terms: equal ones have equal terms, and there are few to compare as fractions.
    common = np.maximum(np.gcd(sums, calls), 1)
    above, below = sums // common, calls // common
    terms = np.unique(np.column_stack([above, below])[calls > 0], axis=0).tolist()
    mean = min(Fraction(a, b) for a, b in terms)
    lowest = (above == mean.numerator) & (below == mean.denominator)
    code = int(codes[np.argmax(lowest[codes])])
    return _Operator(
        name=NOT_AVAILABLE if code < 0 else str(names.categories[code]),
        lines=sorted(rows["line"].to_numpy()[codes == code].tolist()),
        mhz=int(sums[code]),
        operators=int((calls > 0).sum()),
    )


def _listed(lines: list[int]) -> str:
    """Row numbers, the first few of many."""
    shown = ", ".join(map(str, lines[:LINES]))
    return f"rows {shown}" if len(lines) <= LINES else f"rows {shown} ... {lines[-1]}, {len(lines)} in all"
