"""What the command line says of known pairs: exit code and the words that name the reason.

The pairs are published captures (corpus README: what each is a trap for) and generated ones with one edit each.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from captures import edits
from captures.generator import TorchSpec
from command import Result, reportgen, tree_digest
from corpus import (
    ADD_ASCENDC,
    ADD_TORCH,
    ADDCMUL_ABORTED,
    ADDCMUL_RAW,
    CORPUS,
    GELU,
    MATMUL,
    needs_corpus,
    prof,
    torch,
)
from jobs import AFTER, TORCH, write_pair

EN = ("--language", "en")

# ------------------------------------------------------------------------------------------------ published pairs
PAIRS: list[tuple[str, Callable[[], tuple[Path, Path]], int, tuple[str, ...]]] = [
    ("another level", lambda: (torch(0, 0), torch(1, 0)), 3, ("profiler_level", "Level0", "Level1")),
    ("another rank", lambda: (torch(0, 0), torch(0, 1)), 3, ("ranks",)),
    (
        "shape trap",
        lambda: (prof("20240418065344554"), prof("20240418065607326")),
        3,
        ("Addcmul", "8,2048;8,2048;8,2048;1", "1,2048;1,2048;1,2048;1"),
    ),
    (
        "dtype trap",
        lambda: (prof("20240422020527715"), prof("20240422021328428")),
        3,
        ("ScatterSub", "FLOAT16;INT32;FLOAT16", "FLOAT;INT32;FLOAT"),
    ),
    ("a true gain", lambda: (prof(GELU[0]), prof(GELU[1])), 0, ("cann_version", "reservation")),
    ("a regression", lambda: (prof("20240418063554487"), prof("20240418064419133")), 0, ("reservation",)),
    ("no type in common", lambda: (prof(GELU[0]), prof("20240418064419133")), 4, ("workload",)),
    ("call counts", lambda: (prof(ADD_TORCH), prof(ADD_ASCENDC)), 4, ("workload",)),
    ("A/A at level 0", lambda: (prof(MATMUL[0]), prof(MATMUL[1])), 4, ("workload",)),
    ("against itself", lambda: (prof(GELU[0]), prof(GELU[0])), 3, ("the same capture",)),
    ("text against db", lambda: (torch(1, 0), torch(1, 0, "db")), 3, ("torch_npu text", "torch_npu db")),
    ("another level in databases", lambda: (torch(0, 0, "db"), torch(1, 0, "db")), 3, ("profiler_level",)),
    ("another rank in databases", lambda: (torch(1, 0, "db"), torch(1, 1, "db")), 3, ("ranks",)),
    ("torch without a chip", lambda: (torch(0, 0), torch(0, 0)), 3, ("the same capture",)),
]


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize(("pair", "code", "words"), [row[1:] for row in PAIRS], ids=[row[0] for row in PAIRS])
def test_check_of_a_published_pair(pair: Callable[[], tuple[Path, Path]], code: int, words: tuple[str, ...]) -> None:
    before, after = pair()
    digests = tree_digest(before), tree_digest(after)
    found = reportgen("check", before, after, *EN)
    assert found.code == code
    for word in words:
        assert word in found.out
    assert (tree_digest(before), tree_digest(after)) == digests


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize(
    ("before", "after", "words", "worse"),
    [
        (GELU[0], GELU[1], ("-80.190 us", "-87.2 %", "cannot be known (one value each)"), False),
        (GELU[1], GELU[0], ("+80.190 us", "+683.7 %", "cannot be known (one value each)"), True),
        ("20240418063554487", "20240418064419133", ("+15.042 us", "+78.4 %", "cannot be known (one value each)"), True),
    ],
)
def test_compare_of_one_value_each(before: str, after: str, words: tuple[str, ...], worse: bool) -> None:
    """What one value each leaves open is named where the values are worse: no slowdown passes for want of repeats."""
    found = reportgen("compare", prof(before), prof(after), "--fail-on", "regressed", *EN)
    assert found.code == 4
    assert ("cannot be known: kernel_call\n" in found.err) == worse
    for word in words:
        assert word in found.out


@needs_corpus
@pytest.mark.corpus
def test_call_counts_stand_beside_per_call_figures_and_totals_get_no_verdict() -> None:
    # corpus README: the total falls 67 %, per call the mean goes 2.752 -> 2.706 (-1.7 %), the median 2.740 -> 2.580
    found = json.loads(reportgen("compare", prof(ADD_TORCH), prof(ADD_ASCENDC), "--json").out)
    rows = {row["metric"]: row for row in found["comparisons"]}
    assert [rows["kernel_count"][side]["summary"]["value"] for side in ("before", "after")] == [2100, 700]
    assert [rows["kernel_call"][side]["summary"]["value"] for side in ("before", "after")] == [2.74e-06, 2.58e-06]
    assert round(rows["kernel_call_mean"]["change"]["value"], 3) == -0.017
    for total in ("kernel_time", "device_span", "computing"):
        assert "call_counts_differ" in {reason["code"] for reason in rows[total]["blocked"]}
        assert rows[total]["distinguishable"] == "cannot be known"


TARGET = """
schema = 1
decision_rule = "simple"
[contract]
reference = "T-1"
[[declared]]
key = "workload"
value = "the same matmul, 700 calls"
signer = "A. Person"
role = "lead"
date = "2026-10-01"
[[case]]
id = "C1"
clause = "1"
[[case.goal]]
id = "G1"
metric = "kernel_call"
statistic = "median"
direction = "at_most"
subject = "after"
limit = "6 us"
"""


@needs_corpus
@pytest.mark.corpus
def test_a_repeat_with_the_workload_declared(tmp_path: Path) -> None:
    target = tmp_path / "target.toml"
    target.write_text(TARGET)
    pair = (prof(MATMUL[0]), prof(MATMUL[1]), "--target", target)
    assert reportgen("check", *pair).code == 0
    found = reportgen("compare", *pair, *EN)
    assert found.code == 0
    for word in ("5.440 us", "5.420 us", "1.000 [0.990, 1.005]", "no difference demonstrated"):
        assert word in found.out


BROKEN: list[tuple[str, Callable[[], Path], str]] = [
    ("aborted", lambda: prof(ADDCMUL_ABORTED), "capture again"),
    ("never exported", lambda: prof(ADDCMUL_RAW), "msprof --export=on --output="),
    ("two captures", lambda: CORPUS / "msprof-910b-level0/matmul/torch-twice", "PROF_000001_20260717000452202"),
    ("a lone json", lambda: next(prof(GELU[0]).glob("mindstudio_profiler_output/*.json")), "PROF_*"),
    ("no such path", lambda: CORPUS / "nowhere", "does not exist"),
]


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize(("path", "word"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_broken_captures_are_named_with_what_to_do(path: Callable[[], Path], word: str) -> None:
    for found in (reportgen("inspect", path()), reportgen("check", path(), prof(GELU[0]))):
        assert found.code == 2
        assert str(path()) in found.err
        assert word in found.err
        assert found.out == ""


# ------------------------------------------------------------------------------------------------ published, edited
@pytest.fixture
def gelu(tmp_path: Path) -> tuple[Path, Path]:
    """The FastGeluGrad pair with an AFTER that may be edited."""
    after = tmp_path / prof(GELU[1]).name
    shutil.copytree(prof(GELU[1]), after)
    return prof(GELU[0]), after


def each(root: Path, name: str, edit: Callable[[Path], object]) -> None:
    """Apply an edit to every file whose name starts so."""
    found = sorted(root.rglob(f"{name}*"))
    assert found
    for path in found:
        edit(path)


@needs_corpus
@pytest.mark.corpus
def test_another_level_names_the_key_and_the_option(gelu: tuple[Path, Path]) -> None:
    each(gelu[1], "sample.json", lambda p: edits.set_json(p, ("profLevel",), "l0"))
    found = reportgen("check", *gelu, *EN)
    assert found.code == 3
    assert "profLevel" in found.out
    assert "--allow" in found.out


@needs_corpus
@pytest.mark.corpus
def test_an_unknown_key_blocks_and_names_the_option(gelu: tuple[Path, Path]) -> None:
    each(gelu[1], "sample.json", lambda p: edits.add_json_key(p, ("brandNewSwitch",), "on"))
    found = reportgen("check", *gelu, *EN)
    assert found.code == 3
    assert "brandNewSwitch" in found.out
    assert "--allow" in found.out
    allowed = reportgen("check", *gelu, "--allow", "brandNewSwitch=a log switch of the new driver", *EN)
    assert allowed.code == 0
    assert "a log switch of the new driver" in allowed.out


@needs_corpus
@pytest.mark.corpus
def test_other_pmu_metrics_block_the_pmu_family_alone(gelu: tuple[Path, Path]) -> None:
    each(gelu[1], "sample.json", lambda p: edits.set_json(p, ("ai_core_metrics",), "Memory"))
    found = reportgen("check", *gelu, *EN)
    assert found.code == 0
    assert "ai_core_metrics" in found.out
    report = json.loads(reportgen("check", *gelu, "--json").out)
    (row,) = [d for d in report["comparability"]["differences"] if d["key"] == "sample.ai_core_metrics"]
    assert row["families"] == ["pmu"]


@needs_corpus
@pytest.mark.corpus
def test_a_chip_that_was_not_recorded_cannot_be_shown(gelu: tuple[Path, Path]) -> None:
    each(gelu[1], "info.json", lambda p: edits.delete_json_key(p, ("platform_version",)))
    found = reportgen("check", *gelu, *EN)
    assert found.code == 4
    assert "platform_version" in found.out


# ------------------------------------------------------------------------------------------------ generated, edited
def table(after: Path) -> Path:
    return edits.find(after, "kernel_details")


def info(after: Path) -> Path:
    return edits.find(after, "profiler_info")


GENERATED: list[tuple[str, TorchSpec, Callable[[Path], object] | None, int, tuple[str, ...]]] = [
    ("as it is", AFTER, None, 0, ()),
    ("launch blocking", replace(AFTER, env={"ASCEND_LAUNCH_BLOCKING": "1"}), None, 3, ("ASCEND_LAUNCH_BLOCKING",)),
    ("level", replace(AFTER, level="Level0"), None, 3, ("_profiler_level",)),
    ("level 2", replace(AFTER, experimental={"_profiler_level": "Level2"}), None, 3, ("_profiler_level", "Level2")),
    ("rank", replace(AFTER, ranks=(1,)), None, 3, ("ranks",)),
    ("record_shapes", replace(AFTER, common={"record_shapes": False}), None, 0, ("record_shapes",)),
    ("one step against ten", replace(AFTER, steps=1), None, 0, ("holds 10 steps and AFTER 1",)),
    ("with_stack", replace(AFTER, common={"with_stack": True}), None, 0, ("with_stack", "time")),
    (
        "aic_metrics",
        replace(AFTER, aic_metrics="ACL_AICORE_MEMORY_BANDWIDTH"),
        None,
        0,
        ("_aic_metrics", "pmu"),
    ),
    ("a schedule that was not kept", replace(AFTER, steps=1, schedule={"active": 20}), None, 0, ("20", "1")),
    ("profiler_info missing", AFTER, lambda a: edits.drop_file(info(a)), 4, ("profiler_info.json",)),
    ("memory missing", AFTER, lambda a: edits.drop_file(edits.find(a, "memory_record")), 0, ("memory_record",)),
    ("trace missing", AFTER, lambda a: edits.drop_file(edits.find(a, "trace_view")), 0, ("trace_view",)),
    (
        "trace cut",
        AFTER,
        lambda a: edits.find(a, "trace_view").write_bytes(edits.find(a, "trace_view").read_bytes()[:-40]),
        0,
        ("trace_view",),
    ),
    ("kernels missing", AFTER, lambda a: edits.drop_file(table(a)), 2, ("kernel_details.csv",)),
    ("kernels empty", AFTER, lambda a: edits.empty_file(table(a)), 2, ("kernel_details.csv:1",)),
    ("kernels header only", AFTER, lambda a: edits.header_only(table(a)), 2, ("kernel_details.csv:1",)),
    ("kernels cut inside a row", AFTER, lambda a: edits.cut_inside_row(table(a), 7), 2, ("kernel_details.csv:9",)),
    (
        "a negative duration",
        AFTER,
        lambda a: edits.set_cell(table(a), 3, "Duration(us)", "-1.5"),
        2,
        ("kernel_details.csv:5", "-1.5"),
    ),
    (
        "a duration that is text",
        AFTER,
        lambda a: edits.set_cell(table(a), 3, "Duration(us)", "abc"),
        2,
        ("kernel_details.csv:5", "abc"),
    ),
    (
        "cut at a row's end, witnessed",
        AFTER,
        lambda a: edits.cut_at_row_end(table(a), 40),
        4,
        ("op_statistic", "40"),
    ),
]


def run_generated(
    root: Path, spec: TorchSpec, edit: Callable[[Path], object] | None, verb: str, *more: object
) -> Result:
    before, after = write_pair(root, TORCH, spec)
    if edit is not None:
        (capture,) = after.iterdir()
        edit(capture)
    return reportgen(verb, before, after, *more, *EN)


@pytest.mark.parametrize(
    ("spec", "edit", "code", "words"), [row[1:] for row in GENERATED], ids=[row[0] for row in GENERATED]
)
def test_check_of_a_generated_pair(
    tmp_path: Path, spec: TorchSpec, edit: Callable[[Path], object] | None, code: int, words: tuple[str, ...]
) -> None:
    found = run_generated(tmp_path, spec, edit, "check")
    assert found.code == code, found.out + found.err
    for word in words:
        assert word in found.out + found.err


def comparisons(result: Result) -> dict[str, dict[str, object]]:
    rows = json.loads(result.out)["comparisons"]
    return {row["metric"] + row["dimensions"]["part"]: row for row in rows}


def test_missing_memory_is_missing_and_never_zero(tmp_path: Path) -> None:
    drop = lambda a: edits.drop_file(edits.find(a, "memory_record"))  # noqa: E731
    rows = comparisons(run_generated(tmp_path, AFTER, drop, "compare", "--json"))
    row = rows["peak_reservedPTA"]
    assert "missing" in row["delta"]
    assert row["after"] is None or "missing" in row["after"]["summary"]


def test_ten_steps_against_one_are_compared_by_the_step(tmp_path: Path) -> None:
    # TORCH records ten steps, AFTER one: 100 kernels against 10, but 10 a step on both sides
    rows = comparisons(run_generated(tmp_path, replace(AFTER, steps=1), None, "compare", "--json"))
    per_step = rows["kernel_count_per_step"]
    assert per_step["before"]["summary"]["value"] == per_step["after"]["summary"]["value"] == 10
    assert {reason["code"] for reason in rows["kernel_time"]["blocked"]} == {"totals_of_different_steps"}
    assert rows["step_time"]["after"]["summary"]["missing"] == "not_recorded"
    ratio = rows["device_span"]["change"]["value"]
    assert -0.5 < ratio < 0.1


def test_a_cut_table_without_a_witness_is_a_reservation(tmp_path: Path) -> None:
    def cut(after: Path) -> None:
        for name in ("op_statistic", "step_trace_time", "trace_view"):
            edits.drop_file(edits.find(after, name))
        edits.drop_rows(table(after), lambda row: row["Step Id"] == "19" and row["Type"] == "Add")

    found = run_generated(tmp_path, AFTER, cut, "check")
    assert found.code == 0
    assert "completeness" in found.out


def test_inputs_stay_as_they_are_and_outputs_are_whole(tmp_path: Path) -> None:
    before, after = write_pair(tmp_path / "in")
    digest = tree_digest(tmp_path / "in")
    target = tmp_path / "target.toml"
    target.write_text(TARGET.replace("6 us", "1 s"))
    found = reportgen("report", before, after, "--target", target, "--out", tmp_path / "out", "--junit", *EN)
    assert found.code in {0, 6}, found.out + found.err
    assert tree_digest(tmp_path / "in") == digest
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"report.html", "report.json", "junit.xml"} <= names
    assert {test.tag for case in ET.parse(tmp_path / "out/junit.xml").iter("testcase") for test in case} == {
        "system-out"  # each passed
    }
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
