"""Measured against the generator's own plan, which was split by other code than ours."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from statistics import median

import pytest
from captures import edits
from captures.generator import Export, Op, write_prof_capture, write_torch_capture
from jobs import PROF, TORCH, only

from reportgen.metrics import measure
from reportgen.model import Measurement, Missing, Quantity
from reportgen.reading import read_capture

Found = dict[tuple[str, int | None, str], Measurement]


def values(path: Path, *checkpoints: str) -> Found:
    found, _ = measure(read_capture(path), checkpoints)
    return {(m.metric, m.dimensions.rank, m.dimensions.part): m for m in found}


def exact(measurement: Measurement) -> Fraction:
    assert isinstance(measurement.summary, Quantity), measurement
    return Fraction(measurement.summary.value)


def sample(measurement: Measurement) -> list[int]:
    assert measurement.sample is not None
    return [int(value) for value in measurement.sample.values]


def test_steps_of_two_ranks_are_those_of_the_plan(tmp_path: Path) -> None:
    plans = write_torch_capture(tmp_path, replace(TORCH, ranks=(0, 1)))
    found = values(tmp_path)
    for plan in plans:
        windows = [step.window_ns for step in plan.steps if step.window_ns is not None]
        assert sample(found["step_time", plan.rank, ""]) == windows
        assert exact(found["step_time", plan.rank, ""]) == Fraction(median(windows))
        whole = [step for step in plan.steps if step.window_ns is not None]
        assert sample(found["computing", plan.rank, ""]) == [step.shares.computing_ns for step in whole]
        unhidden = [step.shares.unhidden_ns for step in whole]
        assert sample(found["communication_not_overlapped", plan.rank, ""]) == unhidden
        assert sample(found["free", plan.rank, ""]) == [step.shares.free_ns for step in whole]
        assert sample(found["device_span", plan.rank, ""]) == [step.end_ns - step.start_ns for step in plan.steps]
        assert exact(found["kernel_count", plan.rank, ""]) == plan.kernels
        assert sample(found["kernel_count_per_step", plan.rank, ""]) == [step.kernels for step in plan.steps]
        for component, peak in plan.memory.items():
            assert exact(found["peak_reserved", plan.rank, component]) == peak.reserved


def test_the_three_parts_add_up_to_every_window(tmp_path: Path) -> None:
    write_torch_capture(tmp_path, replace(TORCH, ranks=(0,)))
    found = values(tmp_path)
    parts = [sample(found[name, 0, ""]) for name in ("computing", "communication_not_overlapped", "free")]
    assert [sum(three) for three in zip(*parts, strict=True)] == sample(found["step_time", 0, ""])


def test_one_step_has_a_device_span_and_no_step_time(tmp_path: Path) -> None:
    (plan,) = write_torch_capture(tmp_path, replace(TORCH, ranks=(0,), steps=1))
    found = values(tmp_path)
    missing = found["step_time", 0, ""].summary
    assert isinstance(missing, Missing)
    assert missing.reason.code == "one_step_only"
    assert exact(found["device_span", 0, ""]) == plan.span_ns[1] - plan.span_ns[0]


def test_a_slow_first_step_is_left_out_and_listed(tmp_path: Path) -> None:
    # pace: the first step takes three times as long as the others; the rule allows 4 robust deviations (at least 1.8 %)
    spec = replace(TORCH, ranks=(0,))
    spec = replace(spec, pace=replace(spec.pace, first_step_permille=3000))
    (plan,) = write_torch_capture(tmp_path, spec)
    step_time = values(tmp_path)["step_time", 0, ""]
    assert step_time.sample is not None
    assert step_time.sample.dropped == (str(plan.steps[0].step),)
    assert sample(step_time) == [step.window_ns for step in plan.steps[1:-1]]


def test_checkpoint_steps_are_left_out_of_every_step_statistic(tmp_path: Path) -> None:
    (plan,) = write_torch_capture(tmp_path, replace(TORCH, ranks=(0,)))
    gone = str(plan.steps[3].step)
    found = values(tmp_path, gone)
    for name in ("step_time", "computing", "free", "device_span", "kernel_count_per_step"):
        measured = found[name, 0, ""].sample
        assert measured is not None
        assert gone not in measured.labels


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ("memory_record.csv", "table_missing"),
        ("step_trace_time.csv", ""),
        ("op_statistic.csv", ""),
        ("trace_view.json", ""),
    ],
)
def test_a_missing_rib_is_missing_and_never_zero(tmp_path: Path, what: str, code: str) -> None:
    (plan,) = write_torch_capture(tmp_path, replace(TORCH, ranks=(0,)))
    edits.drop_file(edits.find(plan.path, what))
    capture = read_capture(tmp_path)
    assert any(what.split(".", maxsplit=1)[0] in item.path for item in capture.facts.unread)
    found = values(tmp_path)
    if code:
        peak = found["peak_reserved", 0, ""].summary
        assert isinstance(peak, Missing)
        assert peak.reason.code == code
    assert exact(found["kernel_count", 0, ""]) == plan.kernels


def test_rows_cut_off_are_caught_by_every_witness(tmp_path: Path) -> None:
    (plan,) = write_torch_capture(tmp_path, replace(TORCH, ranks=(0,)))
    table = edits.find(plan.path, "kernel_details")
    edits.cut_at_row_end(table, len(edits.rows_of(table)) - 5)
    failed = {w.name.split("[")[0] for w in values(tmp_path)["kernel_count", 0, ""].witnesses if not w.agrees}
    assert {"op_statistic_count", "op_statistic_total", "step_trace_computing"} <= failed


def test_task_time_catches_a_cut_tail_at_level_0(tmp_path: Path) -> None:
    plan = write_prof_capture(tmp_path, replace(PROF, level=0))
    table = edits.find(plan.path, "op_summary")
    edits.cut_at_row_end(table, len(edits.rows_of(table)) - 3)
    failed = {w.name for w in values(plan.path)["kernel_count", None, ""].witnesses if not w.agrees}
    assert failed == {"tasks_without_row", "lane_computing", "rows_of_json", "from_json"}


def test_rows_outside_steps_count_as_busy_and_are_said(tmp_path: Path) -> None:
    (plan,) = write_torch_capture(tmp_path, replace(TORCH, ranks=(0,), before_rows=2, after_rows=1))
    found = values(tmp_path)
    warnings = {w.code: w for w in found["step_time", 0, ""].warnings}
    assert plan.outside == 3
    assert warnings["rows_outside_steps"].arg("n") == "3"
    windows = [step.window_ns for step in plan.steps if step.window_ns is not None]
    assert sample(found["step_time", 0, ""]) == windows


def test_operator_totals_reconcile_with_the_table(tmp_path: Path) -> None:
    write_torch_capture(tmp_path, replace(TORCH, ranks=(0,)))
    measured, operators = measure(read_capture(tmp_path))
    found = {(m.metric, m.dimensions.part): m for m in measured}
    total = exact(found["kernel_time", ""]) + exact(found["ai_cpu_time", ""])
    count = exact(found["kernel_count", ""]) + exact(found["ai_cpu_count", ""])
    assert sum(Fraction(o.totals.total.value) for o in operators) == total
    assert sum(Fraction(o.totals.calls.value) for o in operators) == count


STAMP = "20261020140400"
"""Of an export and its database."""
HELPER = Op(type="TopK", name="aclnnTopk_{n}", core="AI_CPU", mean_ns=30_000, calls=2)


def test_ai_cpu_time_has_one_value_for_each_step_and_stays_a_total(tmp_path: Path) -> None:
    """Sums of each step's own AI CPU rows, by the csv module; step 12 lost its rows, which is 0 there."""
    plan = only(write_torch_capture(tmp_path, replace(TORCH, steps=5, ops=(*TORCH.ops, HELPER), after_rows=3)))
    table = edits.find(plan.path, "kernel_details")
    edits.drop_rows(table, lambda row: row["Accelerator Core"] == "AI_CPU" and row["Step Id"] == "12")
    sums: dict[str, Fraction] = {}
    for row in edits.rows_of(table):
        if row["Accelerator Core"] == "AI_CPU":
            sums[row["Step Id"]] = sums.get(row["Step Id"], Fraction(0)) + 1000 * Fraction(row["Duration(us)"])
    assert "" in sums  # a row outside every step
    found = values(plan.path)["ai_cpu_time", 0, ""]
    assert found.sample is not None
    assert exact(found) == sum(sums.values())
    assert found.interval is None  # that of a step's sum would be none of the total
    assert set(found.sample.labels) | set(found.sample.dropped) == {"10", "11", "12", "13"}  # 14 has no successor
    for label, value in zip(found.sample.labels, found.sample.values, strict=True):
        assert value == sums.get(label, 0), label
    assert 0 in found.sample.values


def test_ai_cpu_time_without_steps_is_a_total_alone(tmp_path: Path) -> None:
    plan = write_prof_capture(tmp_path, replace(PROF, helpers=True))
    assert values(plan.path)["ai_cpu_time", None, ""].sample is None


def test_the_trace_still_witnesses_the_total_of_ai_cpu_time(tmp_path: Path) -> None:
    """A trace has no steps, and the total needs none."""
    write_torch_capture(tmp_path, replace(TORCH, steps=5, ops=(*TORCH.ops, HELPER), trace="full"))
    found = values(tmp_path)["ai_cpu_time", 0, ""]
    assert [w.agrees for w in found.witnesses if w.name == "from_json"] == [True]


def missing_of(path: Path, source: str) -> dict[str, Missing]:
    measured, _ = measure(read_capture(path, source=source))
    return {m.metric: m.summary for m in measured if isinstance(m.summary, Missing)}


COUNTERS = (
    "aic_mac_ratio",
    "aiv_vec_ratio",
    "aiv_mte2_bound_share",
    "memory_bound",
    "cube_utilization_task",
    "pmu_clock",
)


def test_a_trace_that_lacks_what_the_csv_holds_says_which_source_has_it(tmp_path: Path) -> None:
    write_torch_capture(tmp_path, replace(TORCH, steps=3, trace="full"))
    found = missing_of(tmp_path, "json")
    steps = {"step_time": "source_without_steps", "kernel_count_per_step": "source_without_steps"}
    for metric, code in {**dict.fromkeys(COUNTERS, "source_without_counters"), **steps}.items():
        one = found[metric]
        assert (one.kind, one.reason.code) == ("not_recorded", code), metric
        assert one.reason.arg("kernels") == "json"
        assert one.remedy is not None
        assert one.remedy.arg("option") == "--source csv", metric
    assert not {*COUNTERS, *steps} & missing_of(tmp_path, "csv").keys()


def test_of_several_sources_the_preferred_one_is_named(tmp_path: Path) -> None:
    plan = write_prof_capture(tmp_path, replace(PROF, exports=(Export(stamp=STAMP),), databases=(STAMP,)))
    one = missing_of(plan.path, "json")["aic_mac_ratio"]
    assert one.remedy is not None
    assert one.remedy.arg("option") == "--source db"


@pytest.mark.parametrize("source", ["json", "csv"])
def test_counters_that_no_source_holds_were_not_collected(tmp_path: Path, source: str) -> None:
    write_torch_capture(tmp_path, replace(TORCH, steps=3, trace="full", aic_metrics="ACL_AICORE_NONE"))
    found = missing_of(tmp_path, source)
    for metric in COUNTERS:
        assert (found[metric].kind, found[metric].reason.code) == ("not_collected", "pmu_not_collected"), metric


def test_steps_that_no_source_holds_have_no_markers(tmp_path: Path) -> None:
    write_torch_capture(tmp_path, replace(TORCH, steps=3, trace="full", markers=False))
    assert missing_of(tmp_path, "json")["step_time"].reason.code == "no_step_markers"


def test_busy_units_have_one_value_for_each_step(tmp_path: Path) -> None:
    """Sums of each step's own rows, by the csv module, over the plan's windows; 24 cores at 1800 MHz."""
    plan = only(write_torch_capture(tmp_path, replace(TORCH, steps=5)))
    rows = edits.rows_of(edits.find(plan.path, "kernel_details"))
    found = values(plan.path)
    windows = {str(step.step): step.window_ns for step in plan.steps if step.window_ns is not None}

    def total(step: str, column: str) -> Fraction:
        cells = (row[column] for row in rows if row["Step Id"] == step)
        return sum((Fraction(cell) for cell in cells if cell not in ("N/A", "")), Fraction(0))

    elapsed = found["cube_utilization_elapsed", 0, ""].sample
    bound = found["memory_bound", 0, "aic"].sample
    assert elapsed is not None
    assert bound is not None
    assert set(elapsed.labels) | set(elapsed.dropped) == set(windows)
    for label, value in zip(elapsed.labels, elapsed.values, strict=True):
        assert value == total(label, "aic_total_cycles") * 1000 / (windows[label] * 24 * 1800)
    for label, value in zip(bound.labels, bound.values, strict=True):
        assert value == total(label, "aic_mte2_time(us)") / total(label, "aic_mac_time(us)")
