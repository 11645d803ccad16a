"""Databases of strangers: broken, hostile, changing ones are refused with their place; none is ever touched."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import tempfile
import tracemalloc
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from captures.generator import write_torch_db
from jobs import TORCH, only

from reportgen.errors import CaptureError
from reportgen.reading import analysis_db, database, db_memory, db_settings, db_tables, profiler_db
from reportgen.reading.database import Database

SMALL = replace(TORCH, steps=2)
Reader = Callable[[Database], Any]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return only(write_torch_db(tmp_path_factory.mktemp("made"), SMALL)).path / "ASCEND_PROFILER_OUTPUT"


@pytest.fixture
def path(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made / "ascend_pytorch_profiler_0.db", tmp_path / "profiler.db"))


@pytest.fixture
def steps(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made / "analysis.db", tmp_path / "analysis.db"))


def edit(path: Path, *statements: str) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    return path


def read(path: Path, reader: Reader = profiler_db.read_kernels) -> Any:
    with Database.open(path, path.parent, shown=path.name) as db:
        return reader(db)


def refused(path: Path, reader: Reader = profiler_db.read_kernels) -> CaptureError:
    with pytest.raises(CaptureError) as caught:
        read(path, reader)
    return caught.value


# ------------------------------------------------------------------------------------------------ the file
def cut(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size * 2 // 3)


def encrypt(path: Path) -> None:
    path.write_bytes(random.Random(3).randbytes(path.stat().st_size))


def scramble(path: Path) -> None:
    """The first page stays, so that the header is right; the tables are noise."""
    data = path.read_bytes()
    path.write_bytes(data[:4096] + random.Random(4).randbytes(len(data) - 4096))


BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "empty": (lambda path: path.write_bytes(b""), "0 bytes"),
    "text": (lambda path: path.write_text("no database at all\n" * 20), "no SQLite database"),
    "short": (lambda path: path.write_bytes(b"SQLite format 3\0"), "no SQLite database"),
    "cut": (cut, "is cut"),
    "encrypted": (encrypt, "encrypted"),
    "scrambled": (scramble, "malformed"),
}


@pytest.mark.parametrize("title", BROKEN)
def test_what_is_no_whole_database(path: Path, title: str) -> None:
    breaks, word = BROKEN[title]
    breaks(path)
    fault = refused(path)
    assert fault.code == "db_unreadable"
    assert word in fault.message
    assert fault.where == str(path)
    assert fault.hint


def test_a_missing_file_a_directory_and_a_link_outside(tmp_path: Path, path: Path) -> None:
    assert refused(tmp_path / "none.db").code == "file_unreadable"
    inner = tmp_path / "inner"
    inner.mkdir()
    assert refused(inner).code == "file_unreadable"
    (inner / "link.db").symlink_to(path)
    assert refused(inner / "link.db").code == "file_outside"


def test_a_record_is_there_at_once_and_is_the_files(path: Path) -> None:
    from hashlib import sha256

    with Database.open(path, path.parent, shown="inner/path.db") as db:
        assert (db.file.path, db.file.size) == ("inner/path.db", path.stat().st_size)
        assert db.file.digest == sha256(path.read_bytes()).hexdigest()
        assert db.beside == ()


def test_nothing_is_written_beside_the_file(path: Path) -> None:
    edit(path, "PRAGMA journal_mode=WAL", "PRAGMA wal_checkpoint(TRUNCATE)")
    assert not path.with_name("profiler.db-wal").exists()
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    read(path)
    assert sorted(entry.name for entry in path.parent.iterdir()) == ["profiler.db"]
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


@pytest.fixture
def private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "private"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def with_wal(path: Path) -> None:
    """A change that stands in the -wal only, as a program that was killed leaves it."""
    copy = path.with_name("writing.db")
    shutil.copy(path, copy)
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("UPDATE STEP_TIME SET id = id + 1000")
        connection.commit()
        shutil.copy(copy, path)
        shutil.copy(copy.with_name("writing.db-wal"), path.with_name(f"{path.name}-wal"))
    for name in ("writing.db", "writing.db-wal", "writing.db-shm"):
        path.with_name(name).unlink(missing_ok=True)


def test_a_wal_beside_the_file_is_replayed_in_a_private_copy(path: Path, private: Path) -> None:
    before = {str(step) for step in read(path).frame["step"]}
    with_wal(path)
    held = {entry.name: entry.read_bytes() for entry in path.parent.glob("profiler.db*")}
    assert set(held) == {"profiler.db", "profiler.db-wal"}
    with Database.open(path, path.parent, shown="profiler.db") as db:
        (folder,) = private.iterdir()
        assert folder.stat().st_mode & 0o777 == 0o700
        assert [record.path for record in db.beside] == ["profiler.db-wal"]
        assert {str(step) for step in profiler_db.read_kernels(db).frame["step"]} == {
            str(int(step) + 1000) for step in before
        }
    assert not list(private.iterdir())
    assert {entry.name: entry.read_bytes() for entry in path.parent.glob("profiler.db*")} == held


def test_a_journal_beside_the_file_is_rolled_back_in_a_private_copy(path: Path, private: Path) -> None:
    copy = path.with_name("writing.db")
    shutil.copy(path, copy)
    before = read(path).frame
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size=1")
        connection.execute("BEGIN")
        connection.execute("UPDATE TASK SET endNs = endNs + 5")
        connection.execute("UPDATE COMPUTE_TASK_INFO SET mixBlockDim = 9")
        shutil.copy(copy, path)
        shutil.copy(copy.with_name("writing.db-journal"), path.with_name("profiler.db-journal"))
        connection.execute("ROLLBACK")
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        torn = sum(end - start for start, end in connection.execute("SELECT startNs, endNs FROM TASK"))
    assert torn > before["duration_ns"].sum()  # half of the change stands in the file itself
    assert len(read(path).frame) == len(before)
    assert list(read(path).frame["duration_ns"]) == list(before["duration_ns"])


def test_a_journal_that_names_a_further_file_is_refused(path: Path, tmp_path: Path) -> None:
    # SQLite deletes the file that the end of a journal names once it has rolled back
    victim = tmp_path / "victim"
    victim.write_bytes(b"keep me\0")
    name = str(victim).encode()
    tail = (1).to_bytes(4, "big") + name + len(name).to_bytes(4, "big") + (sum(name) & 0xFFFFFFFF).to_bytes(4, "big")
    path.with_name("profiler.db-journal").write_bytes(
        bytes.fromhex("d9d505f920a163d7") + bytes(504) + tail + bytes.fromhex("d9d505f920a163d7")
    )
    fault = refused(path)
    assert (fault.code, victim.read_bytes()) == ("db_unreadable", b"keep me\0")
    assert "further file" in fault.message


def test_a_link_beside_the_file_that_leaves_the_capture(tmp_path: Path, path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    shutil.move(path, inner / "profiler.db")
    secret = tmp_path / "secret"
    secret.write_text("secret")
    (inner / "profiler.db-wal").symlink_to(secret)
    assert refused(inner / "profiler.db").code == "file_outside"


@pytest.mark.parametrize(
    "change",
    [
        lambda path: path.write_bytes(path.read_bytes() + b"\0"),
        lambda path: edit(path, "UPDATE STEP_TIME SET id = 1"),
        lambda path: path.with_name("profiler.db-wal").write_bytes(b"x" * 40),
    ],
)
def test_a_file_that_changes_while_it_is_read(path: Path, change: Callable[[Path], object]) -> None:
    def reads(db: Database) -> None:
        profiler_db.read_kernels(db)
        change(path)

    assert refused(path, reads).code == "file_changed"


def test_a_change_that_keeps_the_time_stamp(path: Path) -> None:
    def reads(db: Database) -> None:
        times = path.stat()
        data = bytearray(path.read_bytes())
        data[-1] ^= 1
        path.write_bytes(data)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    assert refused(path, reads).code == "file_changed"


def test_an_error_inside_is_not_hidden_by_the_check(path: Path) -> None:
    def reads(db: Database) -> None:
        path.write_bytes(b"")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        read(path, reads)


# ------------------------------------------------------------------------------------------------ tables
TABLES: dict[str, tuple[str, Reader, str, str]] = {
    "no TASK": ("DROP TABLE TASK", profiler_db.read_kernels, "kernel_table_missing", ""),
    "no kernels": ("DELETE FROM COMPUTE_TASK_INFO", profiler_db.read_kernels, "db_table_empty", ": COMPUTE_TASK_INFO"),
    "a column less": (
        "ALTER TABLE TASK RENAME COLUMN streamId TO stream",
        profiler_db.read_kernels,
        "db_table_columns",
        ": TASK",
    ),
    "text in a column of integers": (
        "UPDATE TASK SET endNs = 'soon' WHERE rowid = 3",
        profiler_db.read_kernels,
        "db_table_value",
        ": TASK row 3",
    ),
    "a fraction in a column of integers": (
        "UPDATE TASK SET deviceId = 0.5 WHERE rowid = 2",
        profiler_db.read_kernels,
        "db_table_value",
        ": TASK row 2",
    ),
    "nothing in a column of integers": (
        "UPDATE TASK SET deviceId = NULL WHERE rowid = 2",
        profiler_db.read_kernels,
        "db_table_value",
        ": TASK row 2",
    ),
    "bytes": (
        "UPDATE COMPUTE_TASK_INFO SET name = x'00ff' WHERE rowid = 1",
        profiler_db.read_kernels,
        "db_table_value",
        ": COMPUTE_TASK_INFO row 2",
    ),
    "an end before its start": (
        "UPDATE TASK SET endNs = startNs - 1 WHERE rowid = 4",
        profiler_db.read_kernels,
        "db_table_negative",
        ": TASK row 4",
    ),
    "a time beyond any": (
        "UPDATE TASK SET endNs = 9000000000000000000 WHERE rowid = 4",
        profiler_db.read_kernels,
        "db_table_value",
        ": TASK row 4",
    ),
    "a string id without a string": (
        "UPDATE COMPUTE_TASK_INFO SET opType = 999999 WHERE globalTaskId > 20",
        profiler_db.read_kernels,
        "db_table_value",
        ": COMPUTE_TASK_INFO row 20",
    ),
    "two tasks of one kernel": (
        "INSERT INTO TASK SELECT * FROM TASK WHERE globalTaskId = (SELECT min(globalTaskId) FROM COMPUTE_TASK_INFO)",
        profiler_db.read_kernels,
        "db_table_duplicate",
        ": TASK row 23",
    ),
    "a kernel without its task": (
        "DELETE FROM TASK WHERE globalTaskId = (SELECT min(globalTaskId) FROM COMPUTE_TASK_INFO)",
        profiler_db.read_kernels,
        "db_table_unmatched",
        ": COMPUTE_TASK_INFO row 1",
    ),
    "a step twice": (
        "INSERT INTO STEP_TIME SELECT * FROM STEP_TIME",
        profiler_db.read_kernels,
        "db_table_duplicate",
        ": STEP_TIME",
    ),
    "steps that overlap": (
        "UPDATE STEP_TIME SET endNs = endNs + 9000000",
        profiler_db.read_kernels,
        "db_table_value",
        ": STEP_TIME",
    ),
    "an operator that ends early": (
        "UPDATE COMMUNICATION_OP SET endNs = startNs - 7",
        profiler_db.read_kernels,
        "db_table_negative",
        ": COMMUNICATION_OP row 1",
    ),
    "memory that is no number": (
        "UPDATE MEMORY_RECORD SET totalReserved = 'much' WHERE rowid = 2",
        db_memory.read_memory,
        "db_table_value",
        ": MEMORY_RECORD row 2",
    ),
    "memory below nothing": (
        "UPDATE NPU_MEM SET hbm = -2 WHERE rowid = 5",
        db_memory.read_device_memory,
        "db_table_value",
        ": NPU_MEM row 5",
    ),
    "a call that ends early": (
        "UPDATE CANN_API SET endNs = startNs - 1 WHERE rowid = (SELECT min(connectionId) FROM CANN_API)",
        db_tables.read_apis,
        "db_table_negative",
        ": CANN_API row 1",
    ),
    "calls whose sum is too large": (
        "UPDATE CANN_API SET startNs = 0, endNs = 9000000000000000000",
        db_tables.read_apis,
        "db_table_value",
        ": CANN_API row 1",
    ),
    "a clock that is text": (
        "UPDATE AICORE_FREQ SET freq = 'fast' WHERE rowid = 2",
        db_tables.read_frequency,
        "db_table_value",
        ": AICORE_FREQ row 2",
    ),
    "a device of two ranks": (
        "INSERT INTO RANK_DEVICE_MAP VALUES (7, 0)",
        db_tables.read_rank,
        "db_table_duplicate",
        ": RANK_DEVICE_MAP row 2",
    ),
    "a setting of two values": (
        "INSERT INTO META_DATA VALUES ('ENV_VARIABLES', '{}')",
        db_settings.read_metadata,
        "settings_unreadable",
        ": META_DATA",
    ),
    "a setting that is half JSON": (
        "INSERT INTO META_DATA VALUES ('mine', '{\"a\": [1')",
        db_settings.read_metadata,
        "settings_unreadable",
        ": META_DATA mine:1:19",
    ),
    "a setting that closes its object": (
        "INSERT INTO META_DATA VALUES ('mine', '{}, \"other\": 1')",
        db_settings.read_metadata,
        "settings_unreadable",
        ": META_DATA",
    ),
}  # fmt: skip


@pytest.mark.parametrize("title", TABLES)
def test_a_bad_table(path: Path, title: str) -> None:
    statement, reader, code, where = TABLES[title]
    edit(path, statement)
    fault = refused(path, reader)
    assert (fault.code, fault.where) == (code, f"{path}{where}")


STEPS: dict[str, tuple[str, Reader, str]] = {
    "a time that is text": ("UPDATE StepTraceTime SET stage = 'long'", analysis_db.read_step_trace, "db_table_value"),
    "an endless time": ("UPDATE StepTraceTime SET stage = 9e999", analysis_db.read_step_trace, "db_table_value"),
    "a step that is a word": ("UPDATE StepTraceTime SET step = 'last'", analysis_db.read_step_trace, "db_table_value"),
    "a kind of its own": ("UPDATE CommAnalyzerTime SET type = 'x'", analysis_db.read_collectives, "db_table_value"),
    "waiting below nothing": (
        "UPDATE CommAnalyzerTime SET wait_time = -0.5",
        analysis_db.read_collectives,
        "db_table_value",
    ),
    "half a packet": ("UPDATE CommAnalyzerBandwidth SET count = 2.5", analysis_db.read_links, "db_table_value"),
    "rows of one link that disagree": (
        "UPDATE CommAnalyzerBandwidth SET transit_size = 3 WHERE rowid = 2",
        analysis_db.read_links,
        "db_table_value",
    ),
    "no column of sizes": (
        "ALTER TABLE CommAnalyzerBandwidth RENAME COLUMN transit_size TO size",
        analysis_db.read_links,
        "db_table_columns",
    ),
}


@pytest.mark.parametrize("title", STEPS)
def test_a_bad_table_of_analysis_db(steps: Path, title: str) -> None:
    statement, reader, code = STEPS[title]
    assert refused(edit(steps, statement), reader).code == code


def test_idle_time_of_float_noise_is_nothing(steps: Path) -> None:
    edit(steps, "UPDATE CommAnalyzerTime SET idle_time = -1e-16")
    assert set(read(steps, analysis_db.read_collectives).frame["idle_ns"]) == {0}


def test_total_rows_are_no_collectives(steps: Path) -> None:
    before = len(read(steps, analysis_db.read_collectives).frame)
    edit(
        steps,
        "INSERT INTO CommAnalyzerTime SELECT 'Total Op Info', group_name, 0, elapse_time, transit_time, wait_time, "
        "synchronization_time, idle_time, step, '' FROM CommAnalyzerTime",
    )
    assert len(read(steps, analysis_db.read_collectives).frame) == before


def test_a_kernel_listed_twice(path: Path) -> None:
    edit(
        path,
        "CREATE TABLE other AS SELECT * FROM COMPUTE_TASK_INFO",
        "DROP TABLE COMPUTE_TASK_INFO",
        "ALTER TABLE other RENAME TO COMPUTE_TASK_INFO",
        "INSERT INTO COMPUTE_TASK_INFO SELECT * FROM COMPUTE_TASK_INFO LIMIT 1",
    )
    fault = refused(path)
    assert (fault.code, fault.where) == ("db_table_duplicate", f"{path}: COMPUTE_TASK_INFO row 21")


def test_a_view_and_a_virtual_table_are_no_tables(path: Path) -> None:
    edit(path, "ALTER TABLE TASK RENAME TO kept", "CREATE VIEW TASK AS SELECT * FROM kept")
    assert refused(path).code == "kernel_table_missing"
    edit(path, "DROP VIEW TASK", "ALTER TABLE kept RENAME TO TASK", "DROP TABLE NPU_MEM")
    edit(path, "CREATE VIRTUAL TABLE NPU_MEM USING rtree(id, a, b)")
    assert read(path, db_memory.read_device_memory) is None
    assert len(read(path).frame)


def test_a_computed_column_is_no_column(path: Path) -> None:
    # it would be evaluated for each row that is read
    edit(
        path,
        "ALTER TABLE STEP_TIME RENAME COLUMN endNs TO kept",
        "ALTER TABLE STEP_TIME ADD COLUMN endNs INTEGER AS (length(hex(zeroblob(1000000))))",
    )
    assert refused(path).code == "db_table_columns"


def test_columns_and_tables_of_a_viewer_change_nothing(path: Path) -> None:
    before = read(path).frame
    edit(
        path,
        "ALTER TABLE TASK ADD COLUMN depth INTEGER",
        "ALTER TABLE COMPUTE_TASK_INFO ADD COLUMN waitNs INTEGER",
        "ALTER TABLE COMMUNICATION_OP ADD COLUMN waitNs INTEGER",
        "ALTER TABLE CANN_API ADD COLUMN depth INTEGER",
        "CREATE TABLE connectionCats (connectionId INT, cat)",
        "CREATE TABLE status_info (id INTEGER PRIMARY KEY, key TEXT, value TEXT)",
        "INSERT INTO status_info VALUES (1, 'OVERLAP_ANALYSIS_STATUS', 'FINISH')",
        "CREATE TABLE OVERLAP_ANALYSIS (id INTEGER PRIMARY KEY, deviceId INTEGER, startNs INTEGER, endNs INTEGER, "
        "type INTEGER)",
    )
    assert read(path).frame.equals(before)
    assert read(path, db_tables.read_lane) is None


def test_an_index_does_not_change_the_order(path: Path) -> None:
    before = read(path, profiler_db.read_tasks).frame
    edit(
        path,
        "CREATE INDEX wide ON TASK (endNs DESC, startNs, deviceId, connectionId, globalTaskId, taskType, streamId, "
        "taskId)",
        "ANALYZE",
    )
    assert read(path, profiler_db.read_tasks).frame.equals(before)


def test_text_that_is_not_utf_8_and_text_that_moves_cursors(path: Path) -> None:
    edit(
        path,
        "UPDATE STRING_IDS SET value = CAST(x'41ff1b5b324a' AS TEXT) WHERE value = 'aclnnMatmul_0'",
    )
    names = {str(name) for name in read(path).frame["name"]}
    assert "A\N{REPLACEMENT CHARACTER}\\x1b[2J" in names


def test_a_long_text_costs_no_memory_beyond_its_size(path: Path) -> None:
    edit(path, "UPDATE TASK SET endNs = printf('%.*c', 8000000, 'x') WHERE rowid = 3")
    fault = refused(path)
    assert (fault.code, len(fault.message) < 200) == ("db_table_value", True)


def test_a_row_larger_than_any(path: Path) -> None:
    edit(path, "INSERT INTO META_DATA VALUES ('blob', zeroblob(20000000))")
    assert refused(path, db_settings.read_metadata).code == "db_unreadable"


def test_a_query_that_does_not_end_is_stopped(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUDGET", 3)
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    fault = refused(path, lambda db: list(db.query(endless)))
    assert fault.code == "db_unreadable"
    assert "more steps" in fault.message


# ------------------------------------------------------------------------------------------------ rows without end
def varint(number: int) -> bytes:
    found = [number & 0x7F]
    while number := number >> 7:
        found.append(number & 0x7F | 0x80)
    return bytes(reversed(found))


def interior(size: int, child: int) -> bytes:
    """A page of a table's tree that points to one page as often as it can (SQLite file format, 1.6)."""
    page, at, pointers = bytearray(size), size, []
    for rowid in range(1000, 1000 + (size - 12) // 9 - 2):
        cell = child.to_bytes(4, "big") + varint(rowid)
        at -= len(cell)
        page[at : at + len(cell)] = cell
        pointers.append(at.to_bytes(2, "big"))
    head = (
        b"\x05" + bytes(2) + len(pointers).to_bytes(2, "big") + at.to_bytes(2, "big") + b"\0" + child.to_bytes(4, "big")
    )
    page[: len(head)] = head
    page[len(head) : len(head) + 2 * len(pointers)] = b"".join(pointers)
    return bytes(page)


def multiply(path: Path, table: str, levels: int = 3) -> None:
    """Let the tree of a table come to one of its leaves some hundred times a level."""
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    data = bytearray(path.read_bytes())
    leaf = data[(root - 1) * size : root * size]
    while leaf[0] == 5:
        right = int.from_bytes(leaf[8:12], "big")
        leaf = data[(right - 1) * size : right * size]
    data += leaf
    for _ in range(levels - 1):
        data += interior(size, len(data) // size)
    data[(root - 1) * size : root * size] = interior(size, len(data) // size)
    data[28:32] = (len(data) // size).to_bytes(4, "big")
    path.write_bytes(data)


ENDLESS: dict[str, Reader] = {
    "TASK": profiler_db.read_kernels,
    "TASK_PMU_INFO": profiler_db.read_kernels,
    "STRING_IDS": profiler_db.read_kernels,
    "CANN_API": db_tables.read_apis,
    "MEMORY_RECORD": db_memory.read_memory,
    "STEP_TIME": profiler_db.read_kernels,
    "META_DATA": db_settings.read_metadata,
    "CommAnalyzerTime": analysis_db.read_collectives,
    "CommAnalyzerBandwidth": analysis_db.read_links,
}


@pytest.mark.parametrize("table", ENDLESS)
def test_a_tree_that_comes_to_one_leaf_again_and_again(path: Path, steps: Path, table: str) -> None:
    # 4096-byte pages hold 451 pointers: 451 ** 3 leaves, some 10 ** 8 rows of a file of 100 kB
    file = steps if table.startswith("Comm") else path
    multiply(file, table)
    begun = perf_counter()
    tracemalloc.start()
    fault = refused(file, ENDLESS[table])
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert fault.code == "db_unreadable"
    assert "than the file has room for" in fault.message
    assert perf_counter() - begun < 10, "well under a second on a quiet machine"
    assert most < 30 << 20


def test_rows_are_bounded_by_the_smallest_row_there_can_be(path: Path) -> None:
    # rows of nothing: 2 bytes of pointer, 1 of length, 1 to 3 of row number, 1 of header length, 1 for each column
    edit(
        path,
        "CREATE TABLE tiny (a, b)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) INSERT INTO tiny (a) "
        "SELECT NULL FROM n",
        "CREATE TABLE ordered (a INTEGER PRIMARY KEY, b) WITHOUT ROWID",
        "INSERT INTO ordered SELECT rowid, NULL FROM tiny",
    )
    with Database.open(path, path.parent, shown="a") as db:
        for table in ("tiny", "ordered"):
            assert len(db.objects(table, ("a",))["a"]) == db.rows(table) == 50_000
            assert db.rows(table) < path.stat().st_size // (4 + 2)


def test_the_rows_of_a_wal_count_as_the_files(path: Path) -> None:
    copy = path.with_name("writing.db")
    shutil.copy(path, copy)
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA wal_autocheckpoint=0")
        connection.execute("CREATE TABLE late (a)")
        connection.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000) INSERT INTO late SELECT 1 "
            "FROM n"
        )
        shutil.copy(copy, path)
        shutil.copy(copy.with_name("writing.db-wal"), path.with_name(f"{path.name}-wal"))
    assert path.stat().st_size // 5 < 60_000
    assert read(path, lambda db: len(db.objects("late", ("a",))["a"])) == 60_000


# ------------------------------------------------------------------------------------------------ amounts
@pytest.mark.parametrize("value", ["1e300", "1e-300", "9e999", "1.2e18", "-0.5", "1152921504606846977"])
def test_an_amount_of_memory_that_is_none(path: Path, value: str) -> None:
    # 2 ** 60 B = 1152921504606846976 B
    edit(path, f"UPDATE MEMORY_RECORD SET totalReserved = {value} WHERE rowid = 2")
    fault = refused(path, db_memory.read_memory)
    assert (fault.code, fault.where) == ("db_table_value", f"{path}: MEMORY_RECORD row 2")


@pytest.mark.parametrize(
    ("change", "column"),
    [
        ("transit_size = 1e300, transit_time = 1e-300", "transit_size"),
        ("transit_time = 1e-300", "transit_time"),
        ("transit_time = 4.1e12", "transit_time"),  # ms: 4.1 * 10 ** 18 ns
        ("transit_size = 1.2e12", "transit_size"),  # MB: 1.2 * 10 ** 18 B
        ("count = 2e15", "count"),
        ("large_packet_ratio = 1.5", "large_packet_ratio"),
    ],
)
def test_traffic_that_is_none(steps: Path, change: str, column: str) -> None:
    fault = refused(edit(steps, f"UPDATE CommAnalyzerBandwidth SET {change}"), analysis_db.read_links)
    assert (fault.code, column in fault.message) == ("db_table_value", True)


@pytest.mark.parametrize("value", ["1e300", "1e-300", "4.1e12"])
def test_a_time_of_a_collective_that_is_none(steps: Path, value: str) -> None:
    edit(steps, f"UPDATE CommAnalyzerTime SET wait_time = {value}")
    assert refused(steps, analysis_db.read_collectives).code == "db_table_value"


def test_the_largest_and_the_smallest_amounts_are_exact(path: Path, steps: Path) -> None:
    edit(path, "UPDATE MEMORY_RECORD SET totalReserved = 1152921504606846976 WHERE rowid = 2")
    assert read(path, db_memory.read_memory).frame["reserved_bytes"].iloc[1] == 2**60
    edit(steps, "UPDATE CommAnalyzerTime SET wait_time = 1.5e-16, elapse_time = 4e12")
    frame = read(steps, analysis_db.read_collectives).frame
    assert set(frame["wait_ns"]) == {Fraction(15, 10**11)}  # 1.5e-16 ms = 1.5e-10 ns
    assert set(frame["elapse_ns"]) == {4 * 10**18}


def test_missing_and_empty_tables_are_none(path: Path, steps: Path) -> None:
    edit(path, "DELETE FROM OP_MEMORY", "DROP TABLE AICORE_FREQ", "DROP TABLE RANK_DEVICE_MAP", "DELETE FROM NPU_MEM")
    for reader in (
        db_memory.read_operator_memory,
        db_memory.read_device_memory,
        db_tables.read_frequency,
        db_tables.read_rank,
        db_tables.read_lane,
        analysis_db.read_links,
    ):
        assert read(path, reader) is None
    edit(steps, "DELETE FROM CommAnalyzerTime", "DELETE FROM CommAnalyzerBandwidth", "DELETE FROM StepTraceTime")
    for reader in (analysis_db.read_collectives, analysis_db.read_links, analysis_db.read_step_trace):
        assert read(steps, reader) is None


def test_a_setting_twice_alike_is_one(path: Path) -> None:
    before = read(path, db_settings.read_metadata)[0].values
    edit(path, "INSERT INTO META_DATA SELECT * FROM META_DATA")
    assert read(path, db_settings.read_metadata)[0].values == before
