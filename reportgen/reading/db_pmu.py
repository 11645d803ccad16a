"""PMU values of a database, from one row for each value to one column for each name.

TASK_PMU_INFO holds 28 names for each kernel; the exporters write them name by name, each with the kernels in the same
order. Where that order holds, the columns are read side by side by row number, each row checked; else row by row.
Source: docs/formats.md 5.1 and 11.7.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from reportgen.reading.database import Database
from reportgen.reading.decimals import scaled
from reportgen.reading.kernels import pmu_columns

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

TABLE = "TASK_PMU_INFO"
TIMES_PER_NS = 10**6
"""Units of a PMU time in a nanosecond: femtoseconds."""
RATIOS_PER_ONE = 10**15
"""Units of a PMU ratio in one; the shortest decimal of a ratio below one has 15 to 17 digits."""
MOST_NAMES = 256
"""Blocks looked for; the exporters write 28 names."""
LARGEST = 2**53
"""Beyond it a float no longer holds every integer; no PMU value comes near."""


def names() -> dict[str, str]:
    """Name in the database -> column of the kernel table, of all PMU columns that are read."""
    spelled = {}
    for column in pmu_columns():
        tail = column.name.split("_", 1)[1]
        name = {"total": f"{column.name}_time", "cycles": column.name.replace("cycles", "total_cycles")}
        spelled[name.get(tail, column.name)] = column.name
    return spelled


def read_pmu(db: Database, ids: np.ndarray[Any, Any]) -> dict[str, pd.arrays.IntegerArray]:
    """The PMU columns of kernels.

    Args:
        db: the database.
        ids: globalTaskId of each kernel, each once.

    Returns:
        Column -> values in the order of ``ids``, missing where a kernel has none; only names the file holds.
        Times in ``1 / TIMES_PER_NS`` ns, ratios in ``1 / RATIOS_PER_ONE``, cycles as they are.

    Raises:
        CaptureError: ``db_table_columns``, ``db_table_value``, ``db_table_duplicate``, ``db_unreadable``.
    """
    import numpy as np
    import pandas as pd

    if TABLE not in db.tables or not len(ids):
        return {}
    db.need(TABLE, ("globalTaskId", "name", "value"))
    wanted = names()
    numbers = _name_ids(db, wanted)
    order = np.argsort(ids, kind="stable")
    target = _Columns(db, ids[order], len(numbers))
    if numbers and not _side_by_side(target, list(numbers)):
        target = _Columns(db, ids[order], len(numbers))
        _row_by_row(target, list(numbers))
    found: dict[str, pd.arrays.IntegerArray] = {}
    for at, number in enumerate(numbers):
        column = wanted[numbers[number]]
        if not target.held[at].any():
            continue
        values = np.empty(len(ids), dtype=np.int64)
        missing = np.empty(len(ids), dtype=bool)
        values[order] = _whole(db, column, target.values[at])
        missing[order] = ~target.held[at]
        found[column] = pd.arrays.IntegerArray(values, missing)
    return found


def _name_ids(db: Database, wanted: dict[str, str]) -> dict[int, str]:
    """String id -> name, of the names that are read."""
    found: dict[int, str] = {}
    for rows in db.scan("STRING_IDS", ("id", "value")):
        for number, text in rows:
            if isinstance(text, str) and text in wanted and isinstance(number, int):
                if text in found.values():
                    raise db.fault("duplicate", "STRING_IDS", None, f"the name {text} has two ids")
                found[number] = text
    order = list(wanted)
    return dict(sorted(found.items(), key=lambda pair: order.index(pair[1])))


def _whole(db: Database, column: str, values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Recorded floats as integers of the column's unit."""
    scale = TIMES_PER_NS
    if column.endswith("_ratio"):
        scale = RATIOS_PER_ONE
    elif column.endswith("_cycles"):
        scale = 1
    try:
        found = scaled(values, scale)
    except ValueError as fault:
        raise db.fault("value", TABLE, None, f"a value of {column} {fault}") from fault
    if scale == 1 and (found != values).any():
        raise db.fault("value", TABLE, None, f"a value of {column} is no whole number of cycles")
    return found


class _Columns:
    """The columns while they are filled: a row for each name, a place for each kernel by ascending id."""

    def __init__(self, db: Database, ids: np.ndarray[Any, Any], width: int) -> None:
        import numpy as np

        self.db, self.ids = db, ids
        self.values = np.zeros((width, len(ids)), dtype=np.float64)
        self.held = np.zeros((width, len(ids)), dtype=bool)

    def places(self, tasks: list[Any], seen: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """The place of each task's kernel, and whether it has one."""
        import numpy as np

        if set(map(type, tasks)) != {int}:
            bad = next(at for at, value in enumerate(tasks) if type(value) is not int)
            raise self.db.refuse(TABLE, "globalTaskId", seen + bad + 1, tasks[bad])
        numbers = np.fromiter(tasks, np.int64, len(tasks))
        at = np.searchsorted(self.ids, numbers)
        at[at == len(self.ids)] = 0
        return at, self.ids[at] == numbers

    def floats(self, values: list[Any], seen: int) -> np.ndarray[Any, Any]:
        """Recorded values as floats; what is no number, negative or huge is refused."""
        import numpy as np

        if not set(map(type, values)) <= {int, float}:
            bad = next(at for at, value in enumerate(values) if type(value) not in (int, float))
            raise self.db.refuse(TABLE, "value", seen + bad + 1, values[bad])
        found = np.fromiter(values, np.float64, len(values))
        wrong = np.flatnonzero(~((found >= 0) & (found < LARGEST)))
        if len(wrong):
            raise self.db.refuse(TABLE, "value", seen + int(wrong[0]) + 1, values[int(wrong[0])])
        return found

    def put(self, which: np.ndarray[Any, Any] | int, at: np.ndarray[Any, Any], values: np.ndarray[Any, Any]) -> None:
        """Set values; a kernel that has one of a name already, or gets two at once, is refused."""
        import numpy as np

        flat = which * len(self.ids) + at
        twice = not (np.diff(flat) > 0).all() and len(np.unique(flat)) != len(flat)
        if twice or self.held.reshape(-1)[flat].any():
            raise self.db.fault("duplicate", TABLE, None, "a kernel has two values of one name")
        self.held.reshape(-1)[flat] = True
        self.values.reshape(-1)[flat] = values


def _row_by_row(target: _Columns, numbers: list[int]) -> None:
    """Fill the columns from every row, in any order."""
    import numpy as np

    order = np.argsort(numbers)
    ascending = np.array(numbers, dtype=np.int64)[order]
    condition = f"WHERE name IN ({', '.join('?' * len(numbers))})"
    seen = 0
    for rows in target.db.scan(TABLE, ("globalTaskId", "name", "value"), condition, tuple(numbers)):
        tasks, spelled, values = (list(column) for column in zip(*rows, strict=True))
        which = order[np.searchsorted(ascending, np.fromiter(spelled, np.int64, len(rows)))]
        at, known = target.places(tasks, seen)
        target.put(which[known], at[known], target.floats(values, seen)[known])
        seen += len(rows)


def _blocks(db: Database) -> tuple[int, dict[int, int]] | None:
    """The length of the blocks of one name each and the first row of each name's; None where there are no such."""
    rows = db.rows(TABLE)
    first, last = (next(db.query(f"SELECT {what}(rowid) FROM {TABLE}"))[0][0] for what in ("min", "max"))  # noqa: S608
    if first != 1 or last != rows:
        return None

    def name(row: int) -> Any:
        found = next(db.query(f"SELECT name FROM {TABLE} WHERE rowid = ?", (row,)), [(None,)])  # noqa: S608
        return found[0][0]

    low, high, head = 1, rows + 1, name(1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if name(middle) == head else (low, middle)
    length = low
    if rows % length or rows // length > MOST_NAMES:
        return None
    starts = {name(at): at for at in range(1, rows + 1, length)}
    whole = len(starts) == rows // length and all(name(at + length - 1) == number for number, at in starts.items())
    return (length, starts) if whole else None


def _side_by_side(target: _Columns, numbers: list[int]) -> bool:
    """Fill the columns from blocks of equal length by row number; False where the file has another order."""
    found = _blocks(target.db)
    if found is None or not set(numbers) <= found[1].keys():
        return False
    length, width = found[0], len(numbers)
    starts = [found[1][number] for number in numbers]
    agree = " AND ".join(f"p{at}.name = ? AND p{at}.globalTaskId = p0.globalTaskId" for at in range(width))
    joined = " ".join(
        f"CROSS JOIN {TABLE} AS p{at} ON p{at}.rowid = p0.rowid + {starts[at] - starts[0]}" for at in range(1, width)
    )
    values = ", ".join(f"p{at}.value" for at in range(width))
    sql = (
        f"SELECT p0.globalTaskId, {agree}, {values} FROM {TABLE} AS p0 {joined} "  # noqa: S608
        f"WHERE p0.rowid BETWEEN {starts[0]} AND {starts[0] + length - 1}"
    )
    seen = 0
    for rows in target.db.query(sql, tuple(numbers)):
        flat = list(chain.from_iterable(rows))
        if set(flat[1 :: width + 2]) != {1}:
            return False
        at, known = target.places(flat[:: width + 2], starts[0] - 1 + seen)
        for which in range(width):
            recorded = target.floats(flat[2 + which :: width + 2], starts[which] - 1 + seen)
            target.put(which, at[known], recorded[known])
        seen += len(rows)
    return seen == length
