"""What the capture's own step_trace_time says, as published: shown by ``inspect``, never compared or judged.

Its Free and Stage changed their meaning between exporters (docs/formats.md 0.3-0.5, 6.1); ours are recomputed with one
definition on both sides.
"""

from __future__ import annotations

from reportgen import samples
from reportgen.metrics.common import Place, quantity, sampled
from reportgen.model import Family, Measurement, Metric

PARTS = (
    "computing",
    "communication_not_overlapped",
    "overlapped",
    "communication",
    "free",
    "stage",
    "bubble",
    "preparing",
)
METRICS = tuple(
    Metric(
        id=f"published_{part}",
        unit="ns",
        better="neither",
        statistic="median",
        family=Family.TIME,
        exact=False,
        source="docs/formats.md 6.1",
    )
    for part in PARTS
)


def measure(place: Place) -> list[Measurement]:
    """The published parts of a step, median over its rows; parts whose column or cells are missing are left out."""
    table = place.tables.step_trace
    if table is None:
        return []
    found: list[Measurement] = []
    for metric, part in zip(METRICS, PARTS, strict=True):
        if f"{part}_ns" not in table.frame:
            continue
        rows = table.frame[table.frame[f"{part}_ns"].notna()]
        values = [int(value) for value in rows[f"{part}_ns"]]
        if not values:
            continue
        found.append(
            place.measured(
                metric,
                quantity(samples.median(values), "ns"),
                sample=sampled(values, rows["step"].astype(str).tolist(), "ns"),
                witnesses=(),
                origins=(place.origin(table, f"column {part}; {len(values)} rows", "median over steps, as published"),),
            )
        )
    return found
