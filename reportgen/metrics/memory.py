"""Peak memory, one component at a time, allocated and reserved apart.

Components are never mixed: APP is the process, PTA the framework's allocator, GE the graph engine, PTA+GE their
carry-forward sum, device the whole card. APP and device are sampled: their peaks are lower bounds.
Source: docs/formats.md 3.4, 3.5, 9.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from reportgen.frames import Table
from reportgen.metrics.common import Place, missing, quantity
from reportgen.model import Family, Measurement, Metric, Missing, MissingKind, Reason

if TYPE_CHECKING:
    import pandas as pd


def _metric(id_: str) -> Metric:
    return Metric(
        id=id_,
        unit="B",
        better="lower",
        statistic="maximum",
        family=Family.MEMORY,
        exact=True,
        source="docs/formats.md 3.4, 3.5, 9",
    )


ALLOCATED = _metric("peak_allocated")
RESERVED = _metric("peak_reserved")
METRICS = (ALLOCATED, RESERVED)
SAMPLED = ("APP", "device")
"""Components whose memory is sampled, not recorded at every event."""


def measure(place: Place) -> list[Measurement]:
    """Peaks of one rank by component in the order of the file; one Missing each when no table could be read."""
    tables = [table for table in (place.tables.memory, place.tables.device_memory) if table is not None]
    done = [
        found
        for metric, column in ((ALLOCATED, "allocated_bytes"), (RESERVED, "reserved_bytes"))
        for table in tables
        for found in _peaks(place, table, metric, column)
    ]
    present = {found.metric for found in done}
    done += [place.measured(metric, _why_not(place), witnesses=()) for metric in METRICS if metric.id not in present]
    return sorted(done, key=lambda found: found.metric)


def _why_not(place: Place) -> Missing:
    names = ("memory_record", "npu_mem")
    bad = [
        item
        for item in place.facts.unread
        if any(name in item.path for name in names)
        and item.reason.code == "table_unreadable"
        and (not place.rank.directory or item.path.startswith(place.rank.directory))
    ]
    remedy = place.option("memory")
    if bad:
        return missing(
            MissingKind.UNREADABLE,
            "table_unreadable",
            Reason.of("export_again"),
            table=bad[0].path,
            why=bad[0].reason.arg("why"),
        )
    return missing(MissingKind.NOT_COLLECTED, "table_missing", remedy, table="memory_record")


def _peaks(place: Place, table: Table, metric: Metric, column: str) -> list[Measurement]:
    frame: pd.DataFrame = table.frame
    found: list[Measurement] = []
    for component in frame["component"].cat.categories:
        rows = frame[frame["component"] == component]
        values = [
            (Fraction(value), line) for value, line in zip(rows[column], rows.index, strict=True) if value is not None
        ]
        if not values:
            continue
        peak, line = max(values, key=lambda pair: (pair[0], -pair[1]))
        part = (
            "device"
            if str(component).lower() == "device"
            else "APP"
            if str(component).lower() == "app"
            else str(component)
        )
        doubts = (Reason.of("sampled_peak_lower_bound", part=part),) if part in SAMPLED else ()
        word = "Total Allocated" if column == "allocated_bytes" else "Total Reserved"
        found.append(
            place.measured(
                metric,
                quantity(peak, "B"),
                part=part,
                witnesses=(),
                warnings=(*table.warnings, *doubts),
                origins=(
                    place.origin(
                        table, f"column {word}; component {part}; row {line + 2}", f"maximum of {len(values)} values"
                    ),
                ),
            )
        )
    return found
