"""Which step each row of a database belongs to.

STEP_TIME holds host spans. Step k begins on the device with the first task launched by a node-level CANN call inside
the host span, else with the host span; it ends with the last such task or the host span, whichever is later. A row
belongs to the first step that holds its start. Source: docs/formats.md 6.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any

from reportgen.frames import OUTSIDE, Table
from reportgen.reading.csv_tables import categorical
from reportgen.reading.database import Database
from reportgen.reading.db_columns import category

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

NODE = "node"
NODE_LEVEL = 10000
"""Its number where the file has no ENUM_API_TYPE."""
COLUMNS = ("STEP_TIME.id", "STEP_TIME.startNs", "STEP_TIME.endNs")


@dataclass(frozen=True, slots=True)
class Launches:
    """Tasks of the device by the call that launched them, each call once, ascending."""

    connections: np.ndarray[Any, Any]
    """connectionId."""
    start_ns: np.ndarray[Any, Any]
    """First start of its tasks."""
    end_ns: np.ndarray[Any, Any]
    """Last end of its tasks."""

    @classmethod
    def of(
        cls, connections: np.ndarray[Any, Any], start_ns: np.ndarray[Any, Any], end_ns: np.ndarray[Any, Any]
    ) -> Launches:
        """From one entry for each task."""
        import numpy as np

        order = np.argsort(connections, kind="stable")
        unique, first = np.unique(connections[order], return_index=True)
        if not len(unique):
            return cls(unique, start_ns, end_ns)
        return cls(unique, np.minimum.reduceat(start_ns[order], first), np.maximum.reduceat(end_ns[order], first))


def step_windows(db: Database, launches: Launches) -> list[tuple[str, int, int]]:
    """(step id, START, END) of each step in the order of STEP_TIME; empty without the table or its rows.

    Raises:
        CaptureError: ``db_table_columns``, ``db_table_value``, ``db_table_duplicate``, ``db_table_negative``.
    """
    spans = _host_spans(db)
    if spans is None:
        return []
    calls = _node_calls(db) if len(spans[0]) else None
    return [
        (str(int(number)), *_device_window(int(low), int(high), calls, launches))
        for number, low, high in zip(*spans, strict=True)
    ]


def _host_spans(db: Database) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]] | None:
    """Id, start and end of every row of STEP_TIME; None without the table."""
    import numpy as np

    if "STEP_TIME" not in db.tables:
        return None
    steps = db.integers("STEP_TIME", ("id", "startNs", "endNs"))
    ids, begin, end = steps["id"], steps["startNs"], steps["endNs"]
    if len(np.unique(ids)) != len(ids):
        raise db.fault("duplicate", "STEP_TIME", None, "a step stands twice")
    for column, values in (("startNs", begin), ("endNs", end)):
        db.refuse_stamps("STEP_TIME", column, values)
    if (end < begin).any():
        row = int(np.flatnonzero(end < begin)[0]) + 1
        raise db.fault("negative", "STEP_TIME", row, "the step ends before it starts")
    ascending = np.argsort(begin, kind="stable")
    if (end[ascending][:-1] > begin[ascending][1:]).any():
        raise db.fault("value", "STEP_TIME", None, "two host steps overlap: they are no steps of one loop")
    return ids, begin, end


def read_host_steps(db: Database) -> Table | None:
    """``HOST_STEPS``: the rows of STEP_TIME in their order; None without any.

    Raises:
        CaptureError: ``db_table_columns``, ``db_table_value``, ``db_table_duplicate``, ``db_table_negative``.
    """
    import pandas as pd

    spans = _host_spans(db)
    if spans is None or not len(spans[0]):
        return None
    ids, begin, end = spans
    frame = pd.DataFrame(
        {"step": category([str(int(number)) for number in ids]), "start_ns": begin, "duration_ns": end - begin}
    )
    return Table(kind="host_steps", frame=frame, file=db.file, columns=COLUMNS, source="db", locator="STEP_TIME")


def _node_calls(db: Database) -> tuple[np.ndarray[Any, Any], ...] | None:
    """Start, end and connection of every node-level call, by start; None without CANN_API."""
    import numpy as np

    if "CANN_API" not in db.tables:
        return None
    names = db.names("ENUM_API_TYPE") or {NODE_LEVEL: NODE}
    calls = db.integers("CANN_API", ("startNs", "endNs", "connectionId", "type"))
    node = np.isin(calls["type"], [number for number, name in names.items() if name == NODE])
    start, end, connection = (calls[name][node] for name in ("startNs", "endNs", "connectionId"))
    order = np.argsort(start, kind="stable")
    return start[order], end[order], connection[order]


def _device_window(
    low: int, high: int, calls: tuple[np.ndarray[Any, Any], ...] | None, launches: Launches
) -> tuple[int, int]:
    import numpy as np

    if calls is None or not len(launches.connections):
        return low, high
    start, end, connection = calls
    inside = slice(int(np.searchsorted(start, low)), int(np.searchsorted(start, high, side="right")))
    made = connection[inside][end[inside] <= high]
    at = np.searchsorted(launches.connections, made)
    at[at == len(launches.connections)] = 0
    at = at[launches.connections[at] == made]
    if not len(at):
        return low, high
    return int(launches.start_ns[at].min()), max(int(launches.end_ns[at].max()), high)


def steps_of(starts: np.ndarray[Any, Any], windows: list[tuple[str, int, int]]) -> pd.Categorical:
    """The step id of each start; ``OUTSIDE`` where no window holds it, and for all when there are none."""
    import numpy as np

    labels = [OUTSIDE, *(label for label, _, _ in windows)]
    edges, holders = _first_holders(windows)
    piece = np.searchsorted(np.array(edges, dtype=np.int64), starts, side="right")
    return categorical(np.array([0, *holders], dtype=np.int32)[piece], labels)


def _first_holders(windows: list[tuple[str, int, int]]) -> tuple[list[int], list[int]]:
    """Edges of all windows, and for the piece after each edge 1 + the first window that holds it, or 0."""
    begins = sorted((low, number) for number, (_, low, high) in enumerate(windows, 1) if low < high)
    ends = {number: high for number, (_, _, high) in enumerate(windows, 1)}
    edges = sorted({edge for _, low, high in windows for edge in (low, high)})
    open_: list[int] = []
    holders: list[int] = []
    at = 0
    for edge in edges:
        while at < len(begins) and begins[at][0] <= edge:
            heappush(open_, begins[at][1])
            at += 1
        while open_ and ends[open_[0]] <= edge:
            heappop(open_)
        holders.append(open_[0] if open_ else 0)
    return edges, holders
