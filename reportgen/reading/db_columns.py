"""Columns of a database's table, checked value by value: whole numbers, stamps, exact amounts, names.

SQLite stores any type in any column; what is not what its column holds is refused with table and row.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from reportgen.reading.csv_tables import LATEST, categorical
from reportgen.reading.database import Database
from reportgen.reading.decimals import exact

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

NO_VALUE = -1
"""How the driver writes an amount it does not know."""
MOST = 2**60
"""Bytes, beyond which no memory and no traffic of a capture is."""
FINEST = 10**60
"""Largest denominator of an amount: the shortest decimal of a float that means something has far fewer digits."""


def whole(
    db: Database, table: str, column: str, values: list[Any], *, nullable: bool = False
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """A column of whole numbers as int64 and a mask of missing cells; a float that is whole counts as one.

    Raises:
        CaptureError: ``db_table_value`` with the row.
    """
    import numpy as np

    missing = np.fromiter((value is None for value in values), dtype=bool, count=len(values))
    found = np.zeros(len(values), dtype=np.int64)
    for at, value in enumerate(values):
        if type(value) is int:
            found[at] = value
        elif isinstance(value, float) and value.is_integer() and abs(value) < LATEST:
            found[at] = int(value)
        elif value is not None or not nullable:
            raise db.refuse(table, column, at + 1, value)
    return found, missing


def amounts(
    db: Database, table: str, column: str, values: list[Any], factor: int = 1, most: int = MOST
) -> list[int | Fraction | None]:
    """A column of amounts, exact, times ``factor``; None where nothing or -1 is written.

    Args:
        db: the database; table, column: where the values stand.
        values: as SQLite gives them.
        factor: units of the result in one as written.
        most: the largest amount, in units of the result.

    Raises:
        CaptureError: ``db_table_value`` with the row: text, another negative number, one above ``most``, or one so
            small that its exact fraction has more than 60 digits.
    """
    known: dict[Any, int | Fraction | None] = {}
    found = []
    for at, value in enumerate(values):
        if value not in known:
            known[value] = _amount(db, table, column, at, value, factor, most)
        found.append(known[value])
    return found


def _amount(
    db: Database, table: str, column: str, at: int, value: Any, factor: int, most: int
) -> int | Fraction | None:
    if value is None or value == NO_VALUE:
        return None
    if type(value) not in (int, float) or value < 0:
        raise db.refuse(table, column, at + 1, value)
    try:
        found = exact(value, factor)
    except ValueError as fault:
        raise db.refuse(table, column, at + 1, value) from fault
    if found > most or found.denominator > FINEST:
        raise db.refuse(table, column, at + 1, value)
    return found


def stamps(
    db: Database, table: str, column: str, values: list[Any], *, nullable: bool = False
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """A column of epoch nanoseconds as int64 and a mask of missing cells.

    Raises:
        CaptureError: ``db_table_value`` with the row.
    """
    found, missing = whole(db, table, column, values, nullable=nullable)
    db.refuse_stamps(table, column, found)
    return found, missing


def ids(db: Database, table: str, column: str, values: list[Any]) -> np.ndarray[Any, Any]:
    """A column of whole numbers without a missing cell.

    Raises:
        CaptureError: ``db_table_value`` with the row.
    """
    return whole(db, table, column, values)[0]


def objects(values: list[Any]) -> pd.Series[Any]:
    """A column that keeps Python's own numbers and None."""
    import pandas as pd

    return pd.Series(values, dtype=object)


def category(texts: list[str]) -> pd.Categorical:
    """Texts as a category, in the order of their first rows."""
    import numpy as np

    where: dict[str, int] = {}
    codes = np.array([where.setdefault(text, len(where)) for text in texts], dtype=np.int32)
    return categorical(codes, list(where))


def named(numbers: np.ndarray[Any, Any], names: dict[int, str]) -> pd.Categorical:
    """Numbers as a category of their names; a number without a name is its digits."""
    import numpy as np

    unique, codes = np.unique(numbers, return_inverse=True)
    texts = category([names.get(int(number), str(int(number))) for number in unique])
    return categorical(texts.codes[codes], [str(text) for text in texts.categories])


def spelled(table: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Columns as ``TABLE.column``."""
    return tuple(f"{table}.{name}" for name in names)
