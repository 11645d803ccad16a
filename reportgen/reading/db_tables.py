"""Clock, host calls, lane, session and ranks of ``msprof_*.db`` and ``ascend_pytorch_profiler*.db``.

Times in ns, frequencies in MHz, as recorded. A table that is not there, or holds no row, is None; one that is there and
bad is an error, and its reader's user decides what that costs. Columns and tables that a viewer adds to the file
(``depth``, ``waitNs``, ``OVERLAP_ANALYSIS`` ...) are not read. Source: docs/formats.md 2.6, 5.1, 11.7.
"""

from __future__ import annotations

from reportgen.errors import CaptureError
from reportgen.frames import Table
from reportgen.model import Reason
from reportgen.plain import printable
from reportgen.reading.csv_tables import LATEST
from reportgen.reading.database import Database, numbered
from reportgen.reading.db_columns import ids, named, spelled, stamps, whole

LANES = {
    "COMPUTE": "Computing",
    "COMMUNICATION": "Communication",
    "COMM_NOT_OVERLAP_COMP": "Communication(Not Overlapped)",
    "FREE": "Free",
}
LANE_NUMBERS = dict(enumerate(LANES))
"""Numbers of the lanes where the file has no ENUM_OVERLAP_ANALYSIS_TYPE."""


def read_frequency(db: Database) -> Table | None:
    """AICORE_FREQ, ordered by device and time; rows of one instant keep the table's order.

    Of a device of several dies only the lowest ``dieId`` is read, with the warning ``frequency_of_one_die``: the
    kernel table does not say on which die a kernel ran.

    Raises:
        CaptureError: ``db_table_columns``, ``db_table_value``, ``db_unreadable``.
    """
    import numpy as np
    import pandas as pd

    table = "AICORE_FREQ"
    if table not in db.tables:
        return None
    read = ("deviceId", "timestampNs", "freq", *(("dieId",) if db.has(table, "dieId") else ()))
    rows = db.objects(table, read)
    if not rows["freq"]:
        return None
    device = ids(db, table, "deviceId", rows["deviceId"])
    time, _ = stamps(db, table, "timestampNs", rows["timestampNs"])
    mhz, _ = whole(db, table, "freq", rows["freq"])
    if (mhz < 0).any():
        at = int(np.flatnonzero(mhz < 0)[0])
        raise db.refuse(table, "freq", at + 1, int(mhz[at]))
    keep = np.ones(len(mhz), dtype=bool)
    if "dieId" in rows:
        die = ids(db, table, "dieId", rows["dieId"])
        for number in np.unique(device):
            keep &= (device != number) | (die == die[device == number].min())
    order = np.lexsort((time[keep], device[keep]))
    frame = pd.DataFrame(
        {"device": numbered(device[keep][order]), "time_ns": time[keep][order], "mhz": mhz[keep][order]}
    )
    left = int((~keep).sum())
    warnings = (Reason.of("frequency_of_one_die", file=db.file.path, n=left),) if left else ()
    return Table(
        kind="frequency",
        frame=frame,
        file=db.file,
        columns=spelled(table, read),
        warnings=warnings,
        source="db",
        locator=table,
    )


def read_apis(db: Database) -> Table | None:
    """CANN_API: host calls counted by level and name, ordered by both.

    Raises:
        CaptureError: ``db_table_columns``, ``db_table_value``, ``db_table_negative``, ``db_unreadable``.
    """
    import pandas as pd

    table, read = "CANN_API", ("startNs", "endNs", "type", "name")
    if table not in db.tables:
        return None
    db.need(table, read)
    bad = "typeof(startNs) <> 'integer' OR typeof(endNs) <> 'integer' OR startNs < 0 OR endNs < startNs"
    bad += f" OR endNs > {LATEST}"
    sql = (
        f"SELECT type, name, count(*), sum(endNs - startNs), min(endNs - startNs), max(endNs - startNs), sum({bad}) "  # noqa: S608
        f"FROM {table} NOT INDEXED GROUP BY type, name"
    )
    db.rows(table)
    try:
        rows = [row for block in db.query(sql) for row in block]
    except CaptureError as fault:
        if "integer overflow" not in fault.message:
            raise
        raise _bad_call(db, table) from fault
    if not rows:
        return None
    if any(row[6] for row in rows):
        raise _bad_call(db, table)
    names = db.names("ENUM_API_TYPE")
    types, calls = (ids(db, table, column, [row[at] for row in rows]) for at, column in ((0, "type"), (1, "name")))
    frame = pd.DataFrame(
        {
            "level": named(types, names),
            "name": db.texts(table, "name", calls),
            **{name: [row[at] for row in rows] for at, name in enumerate(("count", "total_ns", "min_ns", "max_ns"), 2)},
        }
    )
    order = sorted(range(len(frame)), key=lambda at: (str(frame["level"].iloc[at]), str(frame["name"].iloc[at])))
    frame = frame.iloc[order].reset_index(drop=True)
    return Table(kind="apis", frame=frame, file=db.file, columns=spelled(table, read), source="db", locator=table)


def _bad_call(db: Database, table: str) -> Exception:
    """The error of the first call that has no times."""
    seen = 0
    for rows in db.scan(table, ("startNs", "endNs")):
        for start, end in rows:
            seen += 1
            for column, value in (("startNs", start), ("endNs", end)):
                if type(value) is not int or not 0 <= value <= LATEST:
                    return db.refuse(table, column, seen, value)
            if end < start:
                return db.fault("negative", table, seen, "it ends before it starts: a duration is never negative")
    return db.fault("value", table, None, "holds a call without times")


def read_lane(db: Database) -> Table | None:
    """OVERLAP_ANALYSIS as msprof wrote it; None without it.

    A viewer (MindStudio Insight) writes a table of the same name, and marks that in ``status_info``: such a table is
    not the exporter's, and None as well.

    Raises:
        CaptureError: ``db_table_columns``, ``db_table_value``, ``db_table_negative``, ``db_unreadable``.
    """
    import numpy as np
    import pandas as pd

    table, read = "OVERLAP_ANALYSIS", ("deviceId", "startNs", "endNs", "type")
    if table not in db.tables or _viewer_wrote_lane(db):
        return None
    rows = db.objects(table, read)
    if not rows["type"]:
        return None
    start, end = (stamps(db, table, column, rows[column])[0] for column in ("startNs", "endNs"))
    if (end < start).any():
        row = int(np.flatnonzero(end < start)[0]) + 1
        raise db.fault("negative", table, row, "it ends before it starts: a duration is never negative")
    numbers = db.names("ENUM_OVERLAP_ANALYSIS_TYPE") or LANE_NUMBERS
    names = {number: LANES.get(name, "") for number, name in numbers.items()}
    types = ids(db, table, "type", rows["type"])
    for at, number in enumerate(types.tolist()):
        if not names.get(number):
            raise db.refuse(table, "type", at + 1, number)
    frame = pd.DataFrame(
        {
            "device": numbered(ids(db, table, "deviceId", rows["deviceId"])),
            "name": named(types, names),
            "start_ns": start,
            "duration_ps": (end - start) * 1000,
        }
    )
    return Table(kind="lane", frame=frame, file=db.file, columns=spelled(table, read), source="db", locator=table)


def _viewer_wrote_lane(db: Database) -> bool:
    if not db.has("status_info", "key"):
        return False
    return any(
        isinstance(key, str) and key.startswith("OVERLAP_ANALYSIS_")
        for rows in db.scan("status_info", ("key",))
        for (key,) in rows
    )


# ------------------------------------------------------------------------------------------------ session and ranks
def read_session(db: Database) -> tuple[int, int] | None:
    """Start and end of the collection in epoch ns (SESSION_TIME_INFO: the host's); None without it.

    Raises:
        CaptureError: ``db_table_columns``, ``db_table_value``, ``db_table_negative``, ``db_unreadable``.
    """
    table, read = "SESSION_TIME_INFO", ("startTimeNs", "endTimeNs")
    if table not in db.tables:
        return None
    rows = db.objects(table, read)
    if not rows["startTimeNs"]:
        return None
    start, end = (
        int(edge(stamps(db, table, name, rows[name])[0])) for name, edge in zip(read, (min, max), strict=True)
    )
    if end < start:
        raise db.fault("negative", table, 1, "the collection ends before it starts")
    return start, end


def read_rank(db: Database) -> dict[int, int | None] | None:
    """Device -> rank (RANK_DEVICE_MAP); None for -1, which stands for no rank. None without the table or its rows.

    Raises:
        CaptureError: ``db_table_columns``, ``db_table_value``, ``db_table_duplicate``, ``db_unreadable``.
    """
    table = "RANK_DEVICE_MAP"
    if table not in db.tables:
        return None
    rows = db.integers(table, ("rankId", "deviceId"))
    found: dict[int, int | None] = {}
    for at, (rank, device) in enumerate(zip(rows["rankId"].tolist(), rows["deviceId"].tolist(), strict=True), 1):
        known = rank if rank >= 0 else None
        if found.setdefault(device, known) != known:
            raise db.fault("duplicate", table, at, f"device {device} has two ranks")
    return found or None


def read_chip(db: Database) -> dict[int, str] | None:
    """Device -> name of its chip family, such as ``Ascend910B`` (NPU_INFO); None without it.

    Raises:
        CaptureError: ``db_table_columns``, ``db_table_value``, ``db_table_duplicate``, ``db_unreadable``.
    """
    return db.names("NPU_INFO") or None


def read_host(db: Database) -> dict[str, str] | None:
    """``hostUid`` and ``hostName`` of HOST_INFO; None without it.

    Raises:
        CaptureError: ``db_unreadable``.
    """
    names = tuple(name for name in ("hostUid", "hostName") if db.has("HOST_INFO", name))
    if not names:
        return None
    rows = db.objects("HOST_INFO", names)
    return {name: printable(str(rows[name][0])) for name in names} if rows[names[0]] else None
