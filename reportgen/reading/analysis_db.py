"""``analysis.db`` of torch_npu: step times, collectives and their traffic as its exporter worked them out.

Times are written in ms (step times and stamps in us) and sizes in MB of 10**6 bytes, as floats: each stands for the
shortest decimal that means it. Source: docs/formats.md 5.1, 6.2.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from reportgen import units
from reportgen.frames import Table
from reportgen.reading.communication_json import MOST_PACKETS
from reportgen.reading.csv_tables import LATEST, bare
from reportgen.reading.database import Database, numbered
from reportgen.reading.db_columns import MOST, amounts, category, ids, objects, spelled
from reportgen.reading.decimals import exact

if TYPE_CHECKING:
    import pandas as pd

US, MS, MB = 10**3, 10**6, 10**6
STEP_PARTS = {
    "computing_ns": "computing",
    "communication_not_overlapped_ns": "communication_not_overlapped",
    "overlapped_ns": "overlapped",
    "communication_ns": "communication",
    "free_ns": "free",
    "stage_ns": "stage",
    "bubble_ns": "bubble",
    "preparing_ns": "preparing",
}
TIME_PARTS = {
    "elapse_ns": "elapse_time",
    "transit_ns": "transit_time",
    "wait_ns": "wait_time",
    "synchronization_ns": "synchronization_time",
    "idle_ns": "idle_time",
}
KINDS = ("collective", "p2p")
TOTAL = "Total Op Info"
STEP = re.compile(r"(?:step)?([0-9]{0,18})")


def _text(db: Database, table: str, column: str, at: int, value: Any) -> str:
    if not isinstance(value, str):
        raise db.refuse(table, column, at, value)
    return bare(value)


def _step(db: Database, table: str, at: int, value: Any) -> str:
    """The digits of ``step50`` or ``50``; empty without steps."""
    text = "" if value is None else str(value)
    match = STEP.fullmatch(text)
    if match is None:
        raise db.refuse(table, "step", at, value)
    return match.group(1)


def _signed(db: Database, table: str, column: str, values: list[Any]) -> list[int | None]:
    """Microseconds as whole ns, half to even; a derived part may be negative."""
    found: list[int | None] = []
    for at, value in enumerate(values, 1):
        if value is not None and (type(value) not in (int, float) or not abs(value) < LATEST / US):
            raise db.refuse(table, column, at, value)
        found.append(None if value is None else round(exact(value, US)))
    return found


def _quiet(values: list[Any]) -> list[Any]:
    """The values in ms, a negative one that rounds to no nanosecond as 0: idle is a difference of floats."""
    return [0 if isinstance(value, float) and -0.5 / MS < value < 0 else value for value in values]


def read_step_trace(db: Database) -> Table | None:
    """StepTraceTime: the parts of each step in ns, rounded to the nanosecond; None without it or its rows.

    Free is what lies between the first and the last row of the step; stage is their envelope. ``device`` is empty
    where the table has no such column.

    Raises:
        CaptureError: ``db_table_columns``, ``db_table_value``, ``db_unreadable``.
    """
    import pandas as pd

    table = "StepTraceTime"
    if table not in db.tables:
        return None
    parts = {name: column for name, column in STEP_PARTS.items() if name != "preparing_ns" or db.has(table, column)}
    lead = ("step", *(("deviceId",) if db.has(table, "deviceId") else ()))
    rows = db.objects(table, (*lead, *parts.values()))
    if not rows["step"]:
        return None
    device = (
        numbered(ids(db, table, "deviceId", rows["deviceId"]))
        if "deviceId" in rows
        else category([""] * len(rows["step"]))
    )
    frame = pd.DataFrame(
        {
            "step": category([_step(db, table, at, value) for at, value in enumerate(rows["step"], 1)]),
            "device": device,
            **{
                name: pd.array(_signed(db, table, column, rows[column]), dtype="Int64")
                for name, column in parts.items()
            },
        }
    )
    return Table(
        kind="step_trace",
        frame=frame,
        file=db.file,
        columns=spelled(table, tuple(rows)),
        source="db",
        locator=table,
    )


def read_collectives(db: Database) -> Table | None:
    """CommAnalyzerTime without its ``Total Op Info`` rows, in the table's order; None without it or its rows.

    Raises:
        CaptureError: ``db_table_columns``, ``db_table_value``, ``db_unreadable``.
    """
    import pandas as pd

    table = "CommAnalyzerTime"
    if table not in db.tables:
        return None
    read = ("hccl_op_name", "group_name", "start_timestamp", *TIME_PARTS.values(), "step", "type")
    rows = db.objects(table, read)
    names = [_text(db, table, "hccl_op_name", at, value) for at, value in enumerate(rows["hccl_op_name"], 1)]
    keep = [at for at, name in enumerate(names) if name != TOTAL]
    if not keep:
        return None
    kinds = rows["type"]
    for at in keep:
        if kinds[at] not in KINDS:
            raise db.refuse(table, "type", at + 1, kinds[at])
    starts = _signed(db, table, "start_timestamp", rows["start_timestamp"])
    frame = pd.DataFrame(
        {
            "step": category([_step(db, table, at + 1, rows["step"][at]) for at in keep]),
            "kind": category([kinds[at] for at in keep]),
            "name": category([names[at] for at in keep]),
            "group": category([_text(db, table, "group_name", at + 1, rows["group_name"][at]) for at in keep]),
            "start_ns": pd.array([starts[at] for at in keep], dtype="Int64"),
            **{
                name: objects([values[at] for at in keep])
                for name, column in TIME_PARTS.items()
                for values in (amounts(db, table, column, _quiet(rows[column]), MS, LATEST),)
            },
        }
    )
    columns = spelled(table, read)
    return Table(kind="collectives", frame=frame, file=db.file, columns=columns, source="db", locator=table)


def read_links(db: Database) -> Table | None:
    """CommAnalyzerBandwidth, one row for each collective and link that carried anything, in the table's order.

    The table has a row for each size of packet, each with the link's whole size and time; packets are summed over
    them. SDMA repeats HCCS, without packets. None without the table or such rows.

    Raises:
        CaptureError: ``db_table_columns``, ``db_table_value`` (also when two rows of one link disagree),
            ``db_unreadable``.
    """
    table = "CommAnalyzerBandwidth"
    if table not in db.tables:
        return None
    read = (
        "step",
        "hccl_op_name",
        "group_name",
        "transport_type",
        "transit_size",
        "transit_time",
        "large_packet_ratio",
        "count",
    )
    rows = db.objects(table, read)
    numbers = {
        name: amounts(db, table, name, rows[name], factor, most)
        for name, factor, most in (
            ("transit_size", MB, MOST),
            ("transit_time", MS, LATEST),
            ("large_packet_ratio", 1, 1),
            ("count", 1, MOST_PACKETS),
        )
    }
    found: dict[tuple[str, ...], list[Any]] = {}
    for at in range(len(rows["step"])):
        key = (
            _step(db, table, at + 1, rows["step"][at]),
            *(_text(db, table, name, at + 1, rows[name][at]) for name in read[1:4]),
        )
        size, time, ratio, count = (numbers[name][at] or 0 for name in read[4:])
        if Fraction(count).denominator != 1:
            raise db.refuse(table, "count", at + 1, rows["count"][at])
        held = found.setdefault(key, [size, time, ratio, 0])
        if held[:3] != [size, time, ratio]:
            raise db.fault("value", table, at + 1, "two rows of one link disagree on its size, time or ratio")
        held[3] += count
    used = [(key, held) for key, held in found.items() if key[1] != TOTAL and any((held[0], held[1], held[3]))]
    return _links(db, table, read, used) if used else None


def _links(db: Database, table: str, read: tuple[str, ...], used: list[tuple[tuple[str, ...], list[Any]]]) -> Table:
    import pandas as pd

    def exactly(values: list[Any]) -> pd.Series:
        return objects([units.exact(Fraction(value)) for value in values])

    frame = pd.DataFrame(
        {
            **{
                name: category([key[at] for key, _ in used])
                for at, name in enumerate(("step", "name", "group", "link"))
            },
            "size_bytes": exactly([held[0] for _, held in used]),
            "transit_ns": exactly([held[1] for _, held in used]),
            "packets": exactly([held[3] for _, held in used]),
            "large_packets": exactly([held[2] * held[3] for _, held in used]),
        }
    )
    columns = spelled(table, read)
    return Table(kind="links", frame=frame, file=db.file, columns=columns, source="db", locator=table)
