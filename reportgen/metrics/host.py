"""Host API calls by level: how often, and how long together.

Calls nest: a call of acl holds calls of node and runtime, and threads run side by side. A sum of durations is neither
elapsed time nor a share of a step. Source: docs/formats.md 3.4, 11.6.
"""

from __future__ import annotations

from reportgen.frames import Table
from reportgen.metrics.common import Place, missing, quantity
from reportgen.metrics.memory import absent
from reportgen.model import Family, Measurement, Metric, MissingKind, Reason

SOURCE = "docs/formats.md 3.4, 11.6"
TIME = Metric(
    id="host_api_time",
    unit="ns",
    better="lower",
    statistic="total",
    family=Family.TIME,
    exact=False,
    source=SOURCE,
)
CALLS = Metric(
    id="host_api_calls",
    unit="1",
    better="neither",
    statistic="count",
    family=Family.COUNTS,
    exact=True,
    source=SOURCE,
)
METRICS = (TIME, CALLS)
LEVELS = ("acl", "model", "node", "communication", "runtime")
"""Levels from the outer to the inner; others follow by name."""
FORMER = {"hccl": "communication"}
"""Levels that were renamed."""


def measure(place: Place) -> list[Measurement]:
    """Both metrics of one rank, each by level (part) in the order of ``LEVELS``; one Missing each without the table."""
    table = place.tables.apis
    if table is None:
        why = absent(place, "api_statistic", remedy=place.option("kinds"))
        return [place.measured(metric, why, witnesses=()) for metric in METRICS]
    if not len(table.frame):
        why = missing(MissingKind.NOT_RECORDED, "no_api_calls")
        return [place.measured(metric, why, witnesses=(), warnings=table.warnings) for metric in METRICS]
    levels: dict[str, list[tuple[int, int]]] = {}
    columns = (table.frame["level"].astype(str), table.frame["total_ns"], table.frame["count"])
    for level, total, count in zip(*(column.tolist() for column in columns), strict=True):
        levels.setdefault(FORMER.get(level.lower(), level), []).append((total, count))
    order = sorted(levels, key=lambda level: (LEVELS.index(level) if level in LEVELS else len(LEVELS), level))
    nested = (*table.warnings, Reason.of("api_calls_nest"))
    return [
        *(_sum(place, table, TIME, level, [total for total, _ in levels[level]], nested) for level in order),
        *(_sum(place, table, CALLS, level, [count for _, count in levels[level]], table.warnings) for level in order),
    ]


def _sum(
    place: Place, table: Table, metric: Metric, level: str, values: list[int], doubts: tuple[Reason, ...]
) -> Measurement:
    if table.source == "db":
        column = "CANN_API.endNs - CANN_API.startNs" if metric is TIME else "CANN_API.startNs"
    else:
        column = "column Time(us)" if metric is TIME else "column Count"
    locator = f"{column}; level {level}; {len(values)} names"
    word = "sum of durations" if metric is TIME else "count of calls"
    return place.measured(
        metric,
        quantity(sum(values), metric.unit),
        part=level,
        origins=(place.origin(table, locator, word),),
        witnesses=(),
        warnings=doubts,
    )
