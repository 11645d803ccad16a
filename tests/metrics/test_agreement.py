"""The sources of one capture agree: over the published captures, and where they do not it is said."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from agreement_table import collected, table
from captures import edits
from captures.generator import Export, write_prof_capture, write_torch_capture, write_torch_db
from command import reportgen
from corpus import needs_corpus
from jobs import PROF, TORCH

from reportgen.errors import CaptureError
from reportgen.metrics import measure
from reportgen.model import Quantity
from reportgen.reading import read_capture

DOCS = Path(__file__).resolve().parents[2] / "docs"
STAMP = "20261020140331"


@needs_corpus
@pytest.mark.corpus
def test_the_sources_of_published_captures_agree_as_the_docs_say() -> None:
    lines = collected()
    assert {key: line.fails for key, line in lines.items() if line.fails} == {}
    text = (DOCS / "formats.md").read_text(encoding="utf-8")
    print("\n".join(table(lines)))
    for line in table(lines):
        assert line in text, "print it: python tests/agreement_table.py"
    sources = {pair for _, pair in lines}
    assert {"csv / db", "csv / json", "db / json"} <= sources


def capture(root: Path) -> Path:
    """A PROF directory whose one export left csv, json and a database."""
    spec = replace(PROF, exports=(Export(stamp=STAMP),), databases=(STAMP,))
    return write_prof_capture(root, spec).path


def failed(path: Path, source: str = "") -> set[str]:
    measured, _ = measure(read_capture(path, source=source))
    return {w.name for m in measured for w in m.witnesses if not w.agrees}


def test_three_sources_of_one_generated_capture_agree(tmp_path: Path) -> None:
    path = capture(tmp_path)
    for source in ("db", "csv", "json"):
        assert failed(path, source) == set(), source
    measured, _ = measure(read_capture(path))
    total = next(m for m in measured if m.metric == "kernel_time")
    assert total.source == "db"
    assert {"from_csv", "from_json"} <= {w.name for w in total.witnesses}


def test_a_row_that_only_the_csv_lost_is_found(tmp_path: Path) -> None:
    path = capture(tmp_path)
    edits.drop_rows(edits.find(path, "op_summary"), lambda row: row["Task ID"] == "5")
    assert {"rows_in_csv", "from_csv"} <= failed(path)


def test_a_kernel_that_only_the_database_lost_is_found(tmp_path: Path) -> None:
    path = capture(tmp_path)
    with closing(sqlite3.connect(next(path.glob("*.db")))) as db:
        last = "SELECT max(globalTaskId) FROM COMPUTE_TASK_INFO"
        db.execute(f"DELETE FROM COMPUTE_TASK_INFO WHERE globalTaskId = ({last})")
        db.commit()
    found = failed(path)
    assert {"rows_of_csv", "rows_of_json", "from_csv", "lane_computing"} <= found
    measured, _ = measure(read_capture(path))
    count = next(m for m in measured if m.metric == "kernel_count")
    bad = count.undecided_by()
    assert bad is not None
    assert isinstance(count.summary, Quantity)
    assert Fraction(bad.expected.value) == count.summary.value + 1  # one kernel of the plan was deleted


def test_both_counts_of_a_failed_check_are_printed(tmp_path: Path) -> None:
    before, after = capture(tmp_path / "b"), capture(tmp_path / "a")
    table = edits.find(after, "op_summary")
    edits.cut_at_row_end(table, 40)
    found = reportgen("check", before, after, "--language", "en")
    assert found.code != 0
    assert "40" in found.out
    assert str(len(edits.rows_of(edits.find(before, "op_summary")))) in found.out


def torch_both(root: Path) -> Path:
    """A torch_npu directory of one rank that was exported as a database and as text, from one run."""
    spec = replace(TORCH, steps=4, trace="full")
    (text,) = write_torch_capture(root / "text", spec)
    (db,) = write_torch_db(root / "db", spec)
    for file in (db.path / "ASCEND_PROFILER_OUTPUT").iterdir():
        shutil.copy(file, text.path / "ASCEND_PROFILER_OUTPUT")
    edits.drop_file(edits.find(text.path, "api_statistic"))  # the generator plans the host calls of each export apart
    return text.path


def database(path: Path) -> Path:
    return next((path / "ASCEND_PROFILER_OUTPUT").glob("ascend_pytorch_profiler*.db"))


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()


def test_text_and_database_of_one_run_agree(tmp_path: Path) -> None:
    path = torch_both(tmp_path)
    assert failed(path) == set()
    assert failed(path, "csv") == set()


def test_steps_that_the_sources_tell_apart_are_found(tmp_path: Path) -> None:
    path = torch_both(tmp_path)
    change(database(path), "UPDATE STEP_TIME SET id = id + 100")
    assert {"steps_in_csv"} <= failed(path)


def test_one_kernel_longer_than_in_the_csv_is_found(tmp_path: Path) -> None:
    """The tolerance is one of each row: a sum would let 600 ns of one kernel pass among hundreds of rows."""
    path = torch_both(tmp_path)
    change(database(path), "UPDATE TASK SET endNs = endNs + 600 WHERE globalTaskId = 9")
    assert {"durations_in_csv"} <= failed(path)


def test_kernels_deleted_from_the_database_leave_their_tasks_behind(tmp_path: Path) -> None:
    (plan,) = write_torch_db(tmp_path, replace(TORCH, steps=4))
    assert failed(plan.path) == set()
    change(database(plan.path), "DELETE FROM COMPUTE_TASK_INFO WHERE rowid % 3 = 0")
    next((plan.path / "ASCEND_PROFILER_OUTPUT").glob("analysis.db")).unlink()
    measured, _ = measure(read_capture(plan.path))
    count = next(m for m in measured if m.metric == "kernel_count")
    bad = count.undecided_by()
    assert bad is not None
    assert bad.name == "tasks_without_row"
    assert isinstance(count.summary, Quantity)
    assert count.summary.value + bad.found.value == plan.kernels  # what is left and what is missing are all


@pytest.mark.parametrize("kind", ["text", "db"])
def test_the_data_of_one_rank_cannot_stand_in_for_another(tmp_path: Path, kind: str) -> None:
    write = write_torch_capture if kind == "text" else write_torch_db
    first, second = write(tmp_path, replace(TORCH, ranks=(0, 1), world_size=2, steps=4))
    for file in (first.path / "ASCEND_PROFILER_OUTPUT").iterdir():
        shutil.copy(file, second.path / "ASCEND_PROFILER_OUTPUT" / file.name.replace("_0.db", "_1.db"))
    with pytest.raises(CaptureError) as caught:
        read_capture(tmp_path)
    assert caught.value.code == ("ranks_share_table" if kind == "text" else "database_of_other_rank")
