"""The sources of one capture agree: over the published captures, and where they do not it is said."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from agreement_table import collected, table
from captures import edits
from captures.generator import Export, write_prof_capture
from command import reportgen
from corpus import needs_corpus
from jobs import PROF

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
