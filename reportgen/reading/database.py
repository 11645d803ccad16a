"""One SQLite file of a capture: opened without touching it, probed once, read in checked blocks.

A database comes from a stranger. It is opened ``immutable``, so that SQLite takes no lock and makes no ``-shm``; one
with a ``-wal`` or ``-journal`` beside it is copied to a private directory first, for such a file would be replayed into
it. Tables and columns are asked for, never assumed: only real tables are seen, no view and no virtual table, so that no
SQL of the file itself ever runs. Every query is a scan of one table with a budget of steps, and gives no more rows and
no more text than the file has room for; joins are made outside.
Source: docs/formats.md 2.6 and 5.1.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from reportgen.digests import CHUNK, HashingFile, why_unwritable
from reportgen.errors import CaptureError
from reportgen.model import FileRecord
from reportgen.plain import printable
from reportgen.reading.csv_tables import LATEST, bare, categorical

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

MAGIC = b"SQLite format 3\0"
BESIDE = ("-wal", "-journal")
"""What SQLite would replay into the file."""
SUPER_JOURNAL = bytes.fromhex("d9d505f920a163d7")
"""Ends a journal that names a further file, which SQLite would open and delete."""
BLOCK = 1 << 14
"""Rows fetched at once."""
TICK = 10**6
"""SQLite instructions between two looks at the budget."""
BUDGET = 64
"""Ticks of a query on a small file; a larger one adds 50 instructions a byte, ten times what a scan needs."""
ROW = 4
"""Bytes that a row takes at the least, beside one a column: two of its pointer, two of its lengths."""
LONGEST = 16 << 20
"""Bytes of one row or text."""


class Database:
    """A database of a capture, as a context manager.

    On leaving, the file is hashed again: one that changed is refused.
    """

    file: FileRecord
    """The file; its digest is that of the bytes that are queried."""
    beside: tuple[FileRecord, ...]
    """The ``-wal`` and ``-journal`` that were replayed into the copy; mostly empty."""
    tables: dict[str, tuple[str, ...]]
    """Real tables and their columns, in the order of the file."""
    where: str
    """Path for messages."""

    def __init__(self, path: Path, root: Path, shown: str) -> None:
        self.where = printable(str(path))
        self._path, self._root, self._shown = path, root, shown
        self._private: tempfile.TemporaryDirectory[str] | None = None
        self._connection: sqlite3.Connection | None = None
        self._texts: dict[int, str] = {}
        self._kept: dict[tuple[str, ...], dict[str, np.ndarray[Any, Any]]] = {}
        self._rows: dict[str, int] = {}
        self._left = self._budget = BUDGET
        self._size = self._text_left = 0

    @classmethod
    def open(cls, path: Path, root: Path, *, shown: str) -> Self:
        """Open a database for reading.

        Args:
            path: the file; root: the directory it must lie in.
            shown: path for the file record.

        Raises:
            CaptureError: ``db_unreadable`` (no database, empty, cut, encrypted, damaged), ``file_outside``,
                ``file_unreadable``.
        """
        database = cls(path, root, shown)
        with ExitStack() as opening:
            opening.callback(database.close)
            database._open()
            opening.pop_all()  # it is open: whoever asked for it closes it
        return database

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if fault is None:
            self._refuse_change()

    def close(self) -> None:
        """Close the connection and remove the private copy."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._private is not None:
            self._private.cleanup()
            self._private = None
        self._kept.clear()
        self._texts.clear()

    # -------------------------------------------------------------------------------------------- opening
    def _open(self) -> None:
        beside = self._companions()
        if beside:
            self._private = tempfile.TemporaryDirectory(prefix="reportgen-", ignore_cleanup_errors=True)
            copy = Path(self._private.name) / "copy.db"
            self.file = self._hash(self._path, self._shown, copy)
            self.beside = tuple(
                self._hash(path, self._shown + end, copy.with_name(copy.name + end)) for end, path in beside
            )
            self._refuse_super_journal(copy)
            target, mode = copy, "mode=rw"
        else:
            self.file, self.beside = self._hash(self._path, self._shown, None), ()
            target, mode = self._path.resolve(), "mode=ro&immutable=1"
        self._size = self.file.size + sum(record.size for record in self.beside)
        self._refuse_header(target, whole=not beside)
        self._budget = BUDGET + self.file.size * 50 // TICK
        try:
            self._connection = sqlite3.connect(f"{target.as_uri()}?{mode}", uri=True, isolation_level=None)
            self._connection.text_factory = self._text
            self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
            self._connection.set_progress_handler(self._tick, TICK)
            self._connection.execute("PRAGMA trusted_schema=OFF")
        except sqlite3.Error as fault:
            raise self.unreadable(str(fault)) from fault
        self.tables = self._probe()

    def _companions(self) -> list[tuple[str, Path]]:
        found = [(end, self._path.with_name(self._path.name + end)) for end in BESIDE]
        return [(end, path) for end, path in found if path.is_symlink() or path.exists()]

    def _hash(self, path: Path, shown: str, copy: Path | None) -> FileRecord:
        with HashingFile(path, self._root) as file:
            if copy is not None:
                try:
                    with open(copy, "xb") as target:
                        shutil.copyfileobj(file, target, CHUNK)
                except OSError as fault:
                    why = why_unwritable(fault)
                    raise self.unreadable(f"it cannot be copied to a private directory: {why}") from fault
            digest = file.finish()
            return FileRecord(path=shown, size=file.size, digest=digest)

    def _refuse_super_journal(self, copy: Path) -> None:
        journal = copy.with_name(copy.name + "-journal")
        if not journal.exists() or journal.stat().st_size < len(SUPER_JOURNAL):
            return
        with open(journal, "rb") as file:
            file.seek(-len(SUPER_JOURNAL), 2)
            if file.read() == SUPER_JOURNAL:
                raise self.unreadable("its -journal names a further file, which would be opened and deleted")

    def _refuse_header(self, target: Path, *, whole: bool) -> None:
        """Refuse what is no database, and one shorter than its own header says (a log beside it may make up for it)."""
        with open(target, "rb") as file:
            head = file.read(100)
        if not head:
            raise self.unreadable("it is empty (0 bytes)")
        if len(head) < 100 or not head.startswith(MAGIC):
            raise self.unreadable("it is no SQLite database, or is encrypted")
        page = int.from_bytes(head[16:18], "big")
        pages = int.from_bytes(head[28:32], "big")
        expected = (65536 if page == 1 else page) * pages
        if whole and head[24:28] == head[92:96] and self.file.size < expected:
            raise self.unreadable(f"it is cut: {self.file.size} bytes of {expected}")

    def _probe(self) -> dict[str, tuple[str, ...]]:
        """Real tables and columns; a view, a virtual table or a computed column is none, whatever its name."""
        listed = "type, name, rootpage, sql LIKE 'CREATE TABLE %'"
        rows = self.query(f"SELECT {listed} FROM sqlite_master", most=self._room(5), table="sqlite_master")  # noqa: S608
        names = [
            str(name)
            for block in rows
            for kind, name, root, real in block
            if kind == "table" and isinstance(root, int) and root > 0 and real
        ]
        found: dict[str, tuple[str, ...]] = {}
        for name in names:
            quoted = name.replace('"', '""')
            found[name] = tuple(
                str(row[1]) for block in self.query(f'PRAGMA table_info("{quoted}")') for row in block if row[1]
            )
        return found

    def _refuse_change(self) -> None:
        before = {record.path: (record.size, record.digest) for record in (self.file, *self.beside)}
        after = {}
        for shown, path in [
            (self._shown, self._path),
            *((self._shown + end, path) for end, path in self._companions()),
        ]:
            record = self._hash(path, shown, None)
            after[shown] = (record.size, record.digest)
        if before != after:
            raise CaptureError(
                "file_changed",
                "changed while it was read",
                where=self.where,
                hint="wait until nothing writes to the capture, then run again",
            )

    # -------------------------------------------------------------------------------------------- querying
    def _tick(self) -> int:
        self._left -= 1
        return int(self._left < 0)

    def _text(self, data: bytes) -> str:
        """A text of the file; one query reads no more text than the file holds, in UTF-16 at the least."""
        self._text_left -= len(data)
        if self._text_left < 0:
            raise self.unreadable("a table gives more text than the file has room for")
        return data.decode("utf-8", "replace")

    def _room(self, columns: int) -> int:
        """How many rows of so many columns the file has room for: each has a pointer, two lengths, a byte a column."""
        return self._size // (ROW + columns)

    def query(
        self, sql: str, arguments: tuple[int, ...] = (), *, most: int | None = None, table: str = ""
    ) -> Iterator[list[tuple[Any, ...]]]:
        """Blocks of rows of a query of our own making; no text of the file may stand in it.

        Args:
            sql: the query; arguments: its values.
            most: how many rows it may give; None: any number. table: the table they stand in, for the message.

        Raises:
            CaptureError: ``db_unreadable``, also when it takes more steps or gives more rows or text than the size of
                the file can ask for.
        """
        if self._connection is None:
            raise ValueError("the database is closed")
        self._left, self._text_left = self._budget, 2 * self._size
        seen = 0
        try:
            cursor = self._connection.execute(sql, arguments)
            while rows := cursor.fetchmany(BLOCK if most is None else min(BLOCK, most + 1 - seen)):
                seen += len(rows)
                if most is not None and seen > most:
                    raise self.unreadable(f"{table} has more rows than the file has room for")
                yield rows
        except sqlite3.Error as fault:
            why = "a query takes more steps than its size can ask for" if self._left < 0 else str(fault)
            raise self.unreadable(why) from fault

    def rows(self, table: str) -> int:
        """How many rows a table has; counted before a query that gives fewer rows than it reads.

        The count itself stops once it passes what the file has room for: pages that point to one page again and again
        give a small file rows without end.

        Raises:
            CaptureError: ``db_unreadable``.
        """
        if table not in self._rows:
            most = self._room(len(self.tables[table]))
            counted = f"SELECT count(*) FROM (SELECT 1 FROM {table} NOT INDEXED LIMIT {most + 1})"  # noqa: S608
            ((found,),) = next(self.query(counted))
            if found > most:
                raise self.unreadable(f"{table} has more rows than the file has room for")
            self._rows[table] = found
        return self._rows[table]

    def unreadable(self, why: str) -> CaptureError:
        """The error for a file that SQLite cannot read."""
        return CaptureError(
            "db_unreadable",
            f"cannot be read as a database: {printable(why)}",
            where=self.where,
            hint="copy the file again from the machine that captured, or export the capture again",
        )

    def fault(self, code: str, table: str, row: int | None, message: str) -> CaptureError:
        """An error of a table; ``row`` counts from 1 in the order of the table."""
        place = f"{self.where}: {table}" + (f" row {row}" if row is not None else "")
        return CaptureError(
            f"db_table_{code}", message, where=place, hint="export the capture again; a file edited by hand is not read"
        )

    def refuse(self, table: str, column: str, row: int, value: object) -> CaptureError:
        """The error for a value that its column cannot hold; ``row`` counts from 1."""
        kind = {str: "text", bytes: "bytes", type(None): "nothing"}.get(type(value), "")
        shown = printable(str(value))[:80] if not isinstance(value, bytes | type(None)) else ""
        said = " ".join(part for part in (kind, repr(shown) if shown else "") if part)
        return self.fault("value", table, row, f"column {column!r} holds {said}, which is no value of it")

    def has(self, table: str, column: str) -> bool:
        """Whether the table is there and has the column."""
        return column in self.tables.get(table, ())

    def need(self, table: str, columns: Collection[str]) -> None:
        """Refuse a table that lacks one of the columns.

        Raises:
            CaptureError: ``db_table_columns``.
        """
        for column in columns:
            if not self.has(table, column):
                raise self.fault("columns", table, None, f"column {column!r} is missing")

    def scan(
        self, table: str, columns: tuple[str, ...], condition: str = "", arguments: tuple[int, ...] = ()
    ) -> Iterator[list[tuple[Any, ...]]]:
        """Blocks of rows of one table, in its order, without the help of any index.

        Names of tables and columns come from this code, never from the file.

        Raises:
            CaptureError: ``db_table_columns``, ``db_unreadable``.
        """
        self.need(table, columns)
        if condition:
            self.rows(table)
        most = self._room(len(self.tables[table]))
        sql = f"SELECT {', '.join(columns)} FROM {table} NOT INDEXED {condition}"  # noqa: S608
        return self.query(sql, arguments, most=most, table=table)

    def integers(self, table: str, columns: tuple[str, ...]) -> dict[str, np.ndarray[Any, Any]]:
        """Whole columns as int64, in the table's order; kept until the database is closed.

        Raises:
            CaptureError: ``db_table_columns``, ``db_table_value`` with the row, ``db_unreadable``.
        """
        import numpy as np

        key = (table, *columns)
        if key in self._kept:
            return self._kept[key]
        parts, seen = [], 0
        for rows in self.scan(table, columns):
            flat = list(chain.from_iterable(rows))
            if set(map(type, flat)) != {int}:
                bad = next(at for at, value in enumerate(flat) if type(value) is not int)
                row, column = divmod(bad, len(columns))
                raise self.refuse(table, columns[column], seen + row + 1, flat[bad])
            parts.append(np.fromiter(flat, np.int64, len(flat)).reshape(-1, len(columns)))
            seen += len(rows)
        whole = np.concatenate(parts) if parts else np.zeros((0, len(columns)), dtype=np.int64)
        self._kept[key] = {name: np.ascontiguousarray(whole[:, at]) for at, name in enumerate(columns)}
        return self._kept[key]

    def objects(self, table: str, columns: tuple[str, ...]) -> dict[str, list[Any]]:
        """Whole columns as SQLite gives them (int, float, str, bytes, None), for their users to check.

        Raises:
            CaptureError: ``db_table_columns``, ``db_unreadable``.
        """
        found: list[list[Any]] = [[] for _ in columns]
        for rows in self.scan(table, columns):
            for column, values in zip(found, zip(*rows, strict=True), strict=True):
                column.extend(values)
        return dict(zip(columns, found, strict=True))

    # -------------------------------------------------------------------------------------------- texts
    def load_texts(self, ids: Collection[int]) -> None:
        """Look up ids in STRING_IDS in one scan; those it does not hold stay unknown.

        Raises:
            CaptureError: ``db_table_columns``, ``db_table_duplicate`` for one id with two texts, ``db_unreadable``.
        """
        wanted = set(ids) - self._texts.keys()
        if not wanted:
            return
        for rows in self.scan("STRING_IDS", ("id", "value")):
            for number, text in rows:
                if number in wanted and isinstance(text, str):
                    shown = bare(text)
                    if self._texts.setdefault(number, shown) != shown:
                        raise self.fault("duplicate", "STRING_IDS", None, f"id {number} stands twice with two texts")

    def texts(self, table: str, column: str, ids: np.ndarray[Any, Any]) -> pd.Categorical:
        """A column of string ids as a category of trimmed, printable texts.

        Raises:
            CaptureError: ``db_table_value`` for an id without a text, with its row; as ``load_texts``.
        """
        import numpy as np

        unique, first, codes = np.unique(ids, return_index=True, return_inverse=True)
        numbers = [int(number) for number in unique]
        self.load_texts(numbers)
        where: dict[str, int] = {}
        remap = np.zeros(max(len(numbers), 1), dtype=np.int32)
        for at, number in enumerate(numbers):
            if number not in self._texts:
                what = f"column {column!r} holds string id {number}, which STRING_IDS does not have"
                raise self.fault("value", table, int(first[at]) + 1, what)
            remap[at] = where.setdefault(self._texts[number], len(where))
        return categorical(remap[codes], list(where) or ["N/A"])

    def names(self, table: str) -> dict[int, str]:
        """An enumeration table (``id``, ``name``); empty when the file has none.

        Raises:
            CaptureError: ``db_table_columns``, ``db_table_value``, ``db_table_duplicate``, ``db_unreadable``.
        """
        if table not in self.tables:
            return {}
        found: dict[int, str] = {}
        rows = chain.from_iterable(self.scan(table, ("id", "name")))
        for at, (number, name) in enumerate(rows, 1):
            if type(number) is not int:
                raise self.refuse(table, "id", at, number)
            if not isinstance(name, str):
                raise self.fault("value", table, at, "column 'name' holds no text")
            if number in found:
                raise self.fault("duplicate", table, at, f"id {number} stands twice")
            found[number] = printable(name.strip())
        return found

    def refuse_stamps(self, table: str, column: str, values: np.ndarray[Any, Any]) -> None:
        """Refuse a time that is no stamp of epoch nanoseconds.

        Raises:
            CaptureError: ``db_table_value`` with the row.
        """
        import numpy as np

        late = np.flatnonzero((values < 0) | (values > LATEST))
        if len(late):
            raise self.refuse(table, column, int(late[0]) + 1, int(values[late[0]]))


def numbered(values: np.ndarray[Any, Any]) -> pd.Categorical:
    """Integers as a category of their decimal texts (ids of devices, streams, tasks)."""
    import numpy as np

    unique, codes = np.unique(values, return_inverse=True)
    return categorical(codes.astype(np.int32), [str(int(number)) for number in unique] or ["N/A"])
