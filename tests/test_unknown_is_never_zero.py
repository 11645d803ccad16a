"""What is not recorded is called so: never 0, never the same, never a reason to read one child of many."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from captures.generator import write_prof_capture
from command import reportgen
from corpus import CORPUS, needs_corpus
from jobs import PROF

LATER = replace(PROF, begin="2026-10-21 14:03:22.150", boot_ns=PROF.boot_ns + 10**14, seed=3)


def test_a_rank_that_neither_side_records_is_unknown_and_not_the_same(tmp_path: Path) -> None:
    pair = [write_prof_capture(tmp_path / name, spec).path for name, spec in (("before", PROF), ("after", LATER))]
    found = json.loads(reportgen("check", *pair, "--json").out)["comparability"]
    (ranks,) = (row for row in found["differences"] if row["key"] == "ranks")
    assert (ranks["standing"], ranks["blocks_all"]) == ("unknown", False)
    assert ranks["before"]["value"] is None
    printed = reportgen("check", *pair, "--language", "en").out
    assert "ranks = ?" not in printed


@pytest.mark.corpus
@needs_corpus
def test_a_workload_that_is_not_recorded_matches_nothing_and_not_0_percent() -> None:
    # level 0: no types and no shapes are recorded (corpus README), so all of the kernel time is unknown
    root = CORPUS / "msprof-910b-level0" / "add"
    found = reportgen("check", root / "torch", root / "ascendc", "--language", "en")
    assert found.code == 4
    assert "the same work: not recorded of the kernel time of BEFORE, not recorded of that of AFTER" in found.out
    assert "0.0 %" not in found.out.partition("the same work")[2].splitlines()[0]


@pytest.mark.corpus
@needs_corpus
def test_a_parent_of_many_captures_is_told_as_one_though_some_cannot_be_read() -> None:
    found = reportgen("inspect", CORPUS / "msprof-310b-level1" / "Addcmul")
    assert found.code == 2
    assert "holds 14 captures, 2 of which cannot be read" in found.err  # 14 directories, 2 of them without op_summary
    assert "[several_captures]" in found.err
