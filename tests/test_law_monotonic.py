"""Law 2, monotonic: taking witnessed evidence away never turns another outcome into a good one.

Good are MET, COMPARABLE and WITH_RESERVATIONS; all others are equal. Each case below starts from a pair with a bad
outcome whose cause another part of the capture, the target or the pair witnesses; every file, block of rows, step and
rank is then taken away from one side and from both. What has no witness is listed in ``UNWITNESSED``: taking that away
may hide it, and the verdict then says "completeness not witnessed".
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from captures import edits
from captures.generator import Collective, TorchSpec, write_torch_capture
from jobs import ADD, AFTER, MATMUL, TORCH

from reportgen.contract import read_target
from reportgen.errors import ReportgenError
from reportgen.model import PairStanding, VerdictWord
from reportgen.pipeline import evaluate

UNWITNESSED = {
    "memory_record.csv rows": "no other table holds the memory of every component",
    "op_statistic.csv and step_trace_time.csv together": "without both, no table speaks of the rows of kernel_details",
    "communication rows of kernel_details, communication.json and step_trace_time.csv together": (
        "without communication_statistic.csv, which torch_npu does not write, no other table counts collectives"
    ),
    "start_info, end_info": "times of the collection are shown, never compared",
}

TWO = replace(TORCH, ranks=(0, 1), world_size=2, steps=4)
TWO_AFTER = replace(AFTER, ranks=(0, 1), world_size=2, steps=4)
SLOWER = replace(TWO_AFTER, ops=(replace(MATMUL, mean_ns=400_000), ADD))
FP16 = replace(TWO_AFTER, ops=(replace(MATMUL, dtypes="FLOAT16;FLOAT16"), ADD))

TARGET = """
schema = 1
decision_rule = "simple"
[contract]
reference = "T-1"
[[case]]
id = "C1"
clause = "1"
[case.workload]
framework = "MindSpeed LLM"
backend = "FSDP2"
phase = "training"
dtype = "bf16"
ranks = 2
checkpoint_steps = "none"
[[case.goal]]
id = "G1"
metric = "step_time"
statistic = "median"
direction = "at_most"
subject = "ratio"
limit = "100%"
[[case.goal]]
id = "G2"
metric = "kernel_count_per_step"
statistic = "count"
direction = "at_most"
subject = "after"
limit = "20"
"""

BAD: dict[str, TorchSpec] = {
    "a slower AFTER": SLOWER,
    "another dtype": FP16,
    "launch blocking": replace(TWO_AFTER, env={"ASCEND_LAUNCH_BLOCKING": "1"}),
    "another level": replace(TWO_AFTER, level="Level0"),
    "another clock": replace(TWO_AFTER, device_info={"aic_frequency": "1650"}),
    "another switch": replace(TWO_AFTER, sample={"instrProfiling": "on"}),
}


def outcome(before: Path, after: Path, target: Path) -> tuple[str, str]:
    """The standing of the pair and the verdict's word; an error is neither."""
    try:
        found = evaluate(before, after, target=read_target(target))
    except ReportgenError as fault:
        return fault.code, fault.code
    assert found.verdict is not None
    return found.comparability.standing, found.verdict.word


def is_good(found: tuple[str, str]) -> tuple[bool, bool]:
    """Whether standing and verdict are good."""
    return found[0] in (PairStanding.COMPARABLE, PairStanding.WITH_RESERVATIONS), found[1] == VerdictWord.MET


def captures(side: Path) -> list[Path]:
    return sorted(path for path in side.iterdir() if path.is_dir())


FROM_ROWS = ("a slower AFTER", "another dtype")
"""The cases whose cause lies in the rows; the others' causes lie in a settings file."""


ONE_SETTING = "launch blocking"
"""Of the cases whose cause lies in a settings file, the one from which the tables are taken away too."""


def removals(side: Path, *, rows: bool, tables: bool) -> Iterator[tuple[str, Callable[[Path], object]]]:
    """Everything that can be taken away from a side: files, a rank, and blocks of kernel rows and steps."""
    first = captures(side)[0]
    for file in sorted(path for path in first.rglob("*") if path.is_file()):
        name = file.relative_to(first)
        if not tables and name.parts[0] == "ASCEND_PROFILER_OUTPUT" and name.stem != "kernel_details":
            continue
        yield f"file {name.name}", lambda s, n=name: [drop(c, n) for c in captures(s)]
        if file.suffix != ".csv":
            yield f"file {name.name} of one rank", lambda s, n=name: drop(captures(s)[-1], n)
    yield "a rank", lambda s: shutil.rmtree(captures(s)[-1])
    if not rows:
        return
    for block in (0, 2):
        yield f"rows, block {block}", lambda s, b=block: [drop_block(c, b) for c in captures(s)]
    yield (
        "rows of a type",
        lambda s: [
            edits.drop_rows(edits.find(c, "kernel_details"), lambda row: row["Type"] == "MatMulV2") for c in captures(s)
        ],
    )
    yield "the last rows", lambda s: [cut_tail(c) for c in captures(s)]
    for step in (10, 12):
        yield f"step {step}", lambda s, k=step: [edits.drop_step(c, k) for c in captures(s)]


def drop(capture: Path, name: Path) -> None:
    """Remove a file; settings of the inner PROF directory have another directory name in each rank."""
    found = [path for path in capture.rglob(name.name) if path.is_file()] or [
        path for path in capture.rglob(f"{name.name.split('_')[0]}*") if path.is_file()
    ]
    for path in found[:1]:
        path.unlink()


def drop_block(capture: Path, block: int) -> None:
    table = edits.find(capture, "kernel_details")
    size = max(len(edits.rows_of(table)) // 4, 1)
    chosen = {row["Start Time(us)"] for row in edits.rows_of(table)[block * size : (block + 1) * size]}
    edits.drop_rows(table, lambda row: row["Start Time(us)"] in chosen)


def cut_tail(capture: Path) -> None:
    table = edits.find(capture, "kernel_details")
    edits.cut_at_row_end(table, len(edits.rows_of(table)) - 7)


@pytest.mark.slow
@pytest.mark.parametrize("sides", [("after",), ("before", "after")], ids="+".join)
@pytest.mark.parametrize("name", sorted(BAD))
def test_removing_evidence_never_makes_it_good(tmp_path: Path, name: str, sides: tuple[str, ...]) -> None:
    target = tmp_path / "target.toml"
    target.write_text(TARGET)
    write_torch_capture(tmp_path / "before", TWO)
    write_torch_capture(tmp_path / "after", BAD[name])
    start = is_good(outcome(tmp_path / "before", tmp_path / "after", target))
    assert not start[1]
    tried = 0
    rows = name in FROM_ROWS
    for what, remove in removals(tmp_path / "after", rows=rows, tables=rows or name == ONE_SETTING):
        work = tmp_path / "work"
        shutil.rmtree(work, ignore_errors=True)
        for side in ("before", "after"):
            shutil.copytree(tmp_path / side, work / side)
        for side in sides:
            remove(work / side)
        found = is_good(outcome(work / "before", work / "after", target))
        assert not found[1], f"{name}: without {what} of {sides}: met"
        assert start[0] or not found[0], f"{name}: without {what} of {sides}: comparable"
        tried += 1
    assert tried > (20 if rows or name == ONE_SETTING else 10)


def test_the_same_pair_without_a_fault_is_met(tmp_path: Path) -> None:
    """The law's test can fail: with nothing wrong the pair is comparable and met."""
    target = tmp_path / "target.toml"
    target.write_text(TARGET)
    write_torch_capture(tmp_path / "before", TWO)
    write_torch_capture(tmp_path / "after", TWO_AFTER)
    assert is_good(outcome(tmp_path / "before", tmp_path / "after", target)) == (True, True)


def test_swapping_the_sides_inverts_ratio_and_sign(tmp_path: Path) -> None:
    write_torch_capture(tmp_path / "before", TWO)
    write_torch_capture(tmp_path / "after", TWO_AFTER)
    there = evaluate(tmp_path / "before", tmp_path / "after")
    back = evaluate(tmp_path / "after", tmp_path / "before")
    for one, other in zip(there.comparisons, back.comparisons, strict=True):
        if hasattr(one.delta, "value"):
            assert one.delta.value == -other.delta.value
        if one.estimate is not None and other.estimate is not None:
            assert float(one.estimate.value) * float(other.estimate.value) == pytest.approx(1, abs=1e-12)
    assert there.comparability.standing == back.comparability.standing


def test_a_rank_without_its_memory_table_is_not_left_out(tmp_path: Path) -> None:
    """The worst rank's peak decides; taking its table away must not let the other rank decide."""
    huge = replace(TWO_AFTER.memory, reserved_bytes=TWO_AFTER.memory.reserved_bytes * 3)  # type: ignore[union-attr, type-var]
    target = tmp_path / "target.toml"
    peak = 'metric = "peak_reserved"\npart = "PTA"\nstatistic = "max"\ndirection = "at_most"\n'
    peak += 'subject = "after"\nlimit = "30 GiB"\n'
    target.write_text(TARGET.split("[[case.goal]]", maxsplit=1)[0] + '[[case.goal]]\nid = "G1"\n' + peak)
    write_torch_capture(tmp_path / "before", TWO)
    write_torch_capture(tmp_path / "after", replace(TWO_AFTER, memory=huge))
    assert outcome(tmp_path / "before", tmp_path / "after", target)[1] == VerdictWord.NOT_MET
    for side in ("before", "after"):
        edits.drop_file(edits.find(captures(tmp_path / side)[1], "memory_record"))
    drop_of_first = outcome(tmp_path / "before", tmp_path / "after", target)[1]
    assert drop_of_first != VerdictWord.MET


@pytest.mark.parametrize("gone", [("end_info",), ("end_info", "start_info")])
def test_an_aborted_capture_stays_aborted_without_its_start(tmp_path: Path, gone: tuple[str, ...]) -> None:
    target = tmp_path / "target.toml"
    target.write_text(TARGET)
    write_torch_capture(tmp_path / "before", TWO)
    write_torch_capture(tmp_path / "after", TWO_AFTER)
    for name in gone:
        for path in (tmp_path / "after").rglob(f"host/{name}"):
            path.unlink()
    assert outcome(tmp_path / "before", tmp_path / "after", target)[1] != VerdictWord.MET


@pytest.mark.parametrize("witnessed", [True, False])
def test_collectives_that_the_statistic_counts_cannot_be_taken_away(tmp_path: Path, *, witnessed: bool) -> None:
    """AFTER has a collective more in each of four steps; every table that shows it one by one loses it.

    Without communication_statistic nothing witnesses it (``UNWITNESSED``), which shows that this test can fail.
    """
    more = Collective(type="hcom_reduceScatter_", mean_ns=90_000, at_permille=700)
    counted = {"communication_statistic": witnessed}
    target = tmp_path / "target.toml"
    goal = (
        'metric = "communication_count"\nstatistic = "count"\ndirection = "at_most"\nsubject = "after"\nlimit = "4"\n'
    )
    target.write_text(TARGET.split("[[case.goal]]", maxsplit=1)[0] + '[[case.goal]]\nid = "G1"\n' + goal)
    write_torch_capture(tmp_path / "before", replace(TWO, **counted))
    write_torch_capture(tmp_path / "after", replace(TWO_AFTER, **counted, collectives=(*TWO_AFTER.collectives, more)))
    assert outcome(tmp_path / "before", tmp_path / "after", target)[1] == VerdictWord.NOT_MET
    for capture in captures(tmp_path / "after"):
        edits.drop_rows(edits.find(capture, "kernel_details"), lambda row: row["Type"] == more.type)
        for name in ("communication.json", "step_trace_time"):
            edits.drop_file(edits.find(capture, name))
    found = outcome(tmp_path / "before", tmp_path / "after", target)[1]
    assert found == (VerdictWord.UNDECIDED if witnessed else VerdictWord.MET)


def test_step_ids_out_of_turn_decide_nothing(tmp_path: Path) -> None:
    target = tmp_path / "target.toml"
    target.write_text(TARGET)
    write_torch_capture(tmp_path / "before", TWO)
    write_torch_capture(tmp_path / "after", TWO_AFTER)
    swap = {"11": "12", "12": "11"}

    def swapped(row: Mapping[str, str]) -> str:
        return swap.get(row["Step Id"], row["Step Id"])

    for capture in captures(tmp_path / "after"):
        edits.drop_file(edits.find(capture, "step_trace_time"))
        edits.set_column(edits.find(capture, "kernel_details"), "Step Id", swapped)
    assert outcome(tmp_path / "before", tmp_path / "after", target)[1] != VerdictWord.MET
