"""communication_statistic as a witness of the collectives of the same capture, on generated captures.

The generator counts its collectives by type from the plan, in the columns of docs/formats.md 3.4.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from captures import edits
from captures.generator import Collective, Export, write_prof_capture, write_torch_capture
from jobs import PROF, RESHARD, TORCH

from reportgen.metrics import measure
from reportgen.metrics.collective_statistic import COUNT, TOTAL
from reportgen.model import Measurement, Quantity, Witness
from reportgen.reading import read_capture

REDUCE = Collective(type="hcom_reduceScatter_", mean_ns=90_000, at_permille=700)
COUNTED = replace(
    TORCH, steps=4, collectives=(RESHARD, REDUCE), before_rows=2, after_rows=1, communication_statistic=True
)
"""Four steps with two collectives each."""
OPERATORS = replace(PROF, repeats=5, collectives=(RESHARD, REDUCE))
"""Five repeats with two collectives each: at level 1 the exporter writes the table of its own accord."""
STAMP = "20261020140400"
"""Of an export and its database."""


def of_collectives(path: Path) -> dict[tuple[str, str], Measurement]:
    return {(m.metric, m.dimensions.part): m for m in measure(read_capture(path))[0]}


def check(measurement: Measurement, name: str) -> Witness:
    """The one check of the name."""
    (found,) = [w for w in measurement.witnesses if w.name.partition("[")[0] == name]
    return found


def failed(measurement: Measurement) -> dict[str, tuple[Fraction, Fraction]]:
    """The failed checks of communication_statistic: found and expected."""
    return {
        w.name: (Fraction(w.found.value), Fraction(w.expected.value))
        for w in measurement.witnesses
        if w.name.startswith("communication_statistic") and not w.agrees
    }


def test_the_generator_writes_what_the_formats_say(tmp_path: Path) -> None:
    plan = write_prof_capture(tmp_path, OPERATORS)
    header, first, second = edits.lines(edits.find(plan.path, "communication_statistic"))
    assert header.strip() == "Device_id,OP Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)"
    assert [edits.cells(row)[:3] for row in (first, second)] == [
        ["0", "hcom_allGather_", "5"],
        ["0", "hcom_reduceScatter_", "5"],
    ]


def test_nothing_writes_it_where_the_exporters_do_not(tmp_path: Path) -> None:
    """torch_npu never copies it; msprof has it from level 1 on (docs/formats.md 3.4)."""
    write_torch_capture(tmp_path / "torch", TORCH)
    write_prof_capture(tmp_path / "level0", replace(OPERATORS, level=0))
    write_prof_capture(tmp_path / "without", PROF)
    assert not [*tmp_path.rglob("*communication_statistic*")]


@pytest.mark.parametrize("metric", ["communication_count", "communication"])
def test_it_counts_every_communication_row(tmp_path: Path, metric: str) -> None:
    """8 operators in four steps; their time is the sum of the durations of kernel_details, by the csv module."""
    (plan,) = write_torch_capture(tmp_path, COUNTED)
    rows = [r for r in edits.rows_of(edits.find(plan.path, "kernel_details")) if r["Accelerator Core"] == "HCCL"]
    total = sum(Fraction(row["Duration(us)"]) for row in rows) * 1000
    one = of_collectives(tmp_path)[metric, ""]
    count, time = check(one, COUNT), check(one, TOTAL)
    assert (count.agrees, count.found.value, count.expected.value) == (True, 8, 8)
    assert (time.agrees, time.found.value, time.expected.value) == (True, total, total)
    assert time.tolerance.value == 8  # 1 ns an operator
    assert {origin.file.rsplit("/", 1)[-1] for origin in count.origins} == {
        "kernel_details.csv",
        "communication_statistic.csv",
    }


def test_it_witnesses_the_collectives_of_an_msprof_capture(tmp_path: Path) -> None:
    """msprof without --analyze has no communication.json: the rows of op_summary are all there is of collectives."""
    plan = write_prof_capture(tmp_path, OPERATORS)
    count = of_collectives(plan.path)["communication_count", ""]
    assert isinstance(count.summary, Quantity)
    assert (count.summary.value, check(count, COUNT).expected.value) == (10, 10)
    assert check(count, TOTAL).agrees


def test_every_source_of_that_capture_agrees(tmp_path: Path) -> None:
    """op_summary, its database, its trace and every statistic show the same kernels and collectives."""
    plan = write_prof_capture(tmp_path, replace(OPERATORS, exports=(Export(stamp=STAMP),), databases=(STAMP,)))
    for source in ("db", "csv", "json"):
        measured = measure(read_capture(plan.path, source=source))[0]
        assert {w.name for m in measured for w in m.witnesses if not w.agrees} == set(), source


def test_a_passed_check_says_nothing_of_what_else_a_value_rests_on(tmp_path: Path) -> None:
    write_torch_capture(tmp_path, COUNTED)
    found = of_collectives(tmp_path)
    for metric in ("free", "communication_not_overlapped", "kernel_count", "collective_wait"):
        assert not [w for w in found[metric, ""].witnesses if w.name.startswith("communication_statistic")], metric
    assert check(found["collective_elapse", ""], COUNT).agrees


def test_a_type_that_lost_its_rows_is_named_with_both_counts(tmp_path: Path) -> None:
    """One reduceScatter of five gone from op_summary: 4 found, 5 expected. Kernels are not touched."""
    plan = write_prof_capture(tmp_path, OPERATORS)
    table = edits.find(plan.path, "op_summary")
    gone = next(row["Op Name"] for row in edits.rows_of(table) if row["OP Type"] == "hcom_reduceScatter_")
    edits.drop_rows(table, lambda row: row["Op Name"] == gone)
    found = of_collectives(plan.path)
    for metric in ("communication_count", "communication", "communication_not_overlapped", "free", "free_share"):
        assert failed(found[metric, ""])[f"{COUNT}[hcom_reduceScatter_]"] == (4, 5), metric
    for metric in ("kernel_count", "kernel_time", "computing"):
        assert failed(found[metric, ""]) == {}, metric


def test_a_total_that_differs_makes_the_collectives_undecided(tmp_path: Path) -> None:
    """The file's total of allGather is 1 us more than its four rows; 4 ns are allowed."""
    (plan,) = write_torch_capture(tmp_path, COUNTED)
    table = edits.find(plan.path, "communication_statistic")
    (total,) = [r["Total Time(us)"] for r in edits.rows_of(table) if r["OP Type"] == "hcom_allGather_"]
    edits.set_column(
        table,
        "Total Time(us)",
        lambda row: str(float(total) + 1) if row["OP Type"] == "hcom_allGather_" else row["Total Time(us)"],
    )
    found = of_collectives(tmp_path)
    expected = (Fraction(total) * 1000, (Fraction(total) + 1) * 1000)
    for metric in ("communication_count", "collective_elapse", "collective_wait"):
        assert failed(found[metric, ""])[f"{TOTAL}[hcom_allGather_]"] == expected, metric
    assert failed(found["kernel_count", ""]) == {}


def test_collectives_outside_every_step_are_counted_too(tmp_path: Path) -> None:
    """communication.json holds the operators of its steps; the table counts the whole capture."""
    (plan,) = write_torch_capture(tmp_path, COUNTED)
    table = edits.find(plan.path, "kernel_details")
    edits.set_column(table, "Step Id", lambda row: "" if row["Step Id"] == "13" else row["Step Id"])
    edits.drop_file(edits.find(plan.path, "step_trace_time"))
    communication = edits.find(plan.path, "communication.json")
    edits.set_json(communication, ("step13",), {"collective": {}, "p2p": {}})
    count = check(of_collectives(tmp_path)["collective_elapse", ""], COUNT)
    assert (count.found.value, count.agrees) == (8, True)  # six of communication.json, two of kernel_details


def test_types_spelled_otherwise_are_held_together(tmp_path: Path) -> None:
    """No type in common: the sums over all of them must agree."""
    (plan,) = write_torch_capture(tmp_path, COUNTED)
    edits.set_column(edits.find(plan.path, "communication_statistic"), "OP Type", lambda row: f"Hccl {row['OP Type']}")
    assert check(of_collectives(tmp_path)["communication_count", ""], COUNT).agrees
    edits.set_column(edits.find(plan.path, "communication_statistic"), "Count", lambda _row: "3")
    assert failed(of_collectives(tmp_path)["communication_count", ""])[COUNT] == (8, 6)


def test_without_a_recorded_type_the_name_tells_it(tmp_path: Path) -> None:
    (plan,) = write_torch_capture(tmp_path, COUNTED)
    edits.set_column(
        edits.find(plan.path, "kernel_details"),
        "Type",
        lambda row: "N/A" if row["Accelerator Core"] == "HCCL" else row["Type"],
    )
    assert check(of_collectives(tmp_path)["communication_count", ""], COUNT).agrees
