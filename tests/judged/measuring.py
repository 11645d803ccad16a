"""Doubts of what was read and measured: tables written by hand, whose numbers a reader can check in his head."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import pmu_frames
from by_hand import BASE, category, kernels, place, table
from captures import edits
from captures.generator import write_prof_capture, write_torch_capture
from captures.msprof import TABLES, Export
from jobs import ADD, AFTER, MATMUL, PROF, TORCH, write_pair

from judged.case import Give, Judged
from reportgen.contract import read_target
from reportgen.diagnoses import diagnose
from reportgen.metrics import busy, communication, host, iterations, published, steps
from reportgen.metrics import kernels as kernel_metrics
from reportgen.model import Side
from reportgen.pipeline import build_report, evaluate
from reportgen.reading import read_capture
from reportgen.remedies import read_remedies
from reportgen.report.document import Report

OUTPUT = "ASCEND_PROFILER_OUTPUT"
TWO_STEPS = pmu_frames.kernels([{"step": "1"}, {"step": "1"}, {"step": "2"}])
"""Two kernels in step 1, one in step 2."""
NO_STEPS = pmu_frames.kernels([{}, {}])


def torch(edit: Callable[[Path], object]) -> Give:
    """A capture of torch_npu after an edit, as read."""

    def give(root: Path) -> object:
        write_torch_capture(root, TORCH)
        (capture,) = root.iterdir()
        edit(capture)
        return read_capture(capture, Side.BEFORE).facts

    return give


def of_torch(edit: Callable[[Path], object]) -> Give:
    """The doubts of its kernel table."""

    def give(root: Path) -> object:
        write_torch_capture(root, TORCH)
        (capture,) = root.iterdir()
        edit(capture)
        return read_capture(capture, Side.BEFORE).tables[0].kernels.warnings

    return give


def prof(spec: object = PROF, edit: Callable[[Path], object] = lambda _root: None) -> Give:
    """The facts of a PROF directory, and the doubts of its kernel table."""

    def give(root: Path) -> object:
        path = write_prof_capture(root, spec).path  # type: ignore[arg-type]
        edit(path)
        found = read_capture(path, Side.BEFORE)
        return found.facts, found.tables[0].kernels.warnings

    return give


def lost(path: Path) -> None:
    """The collector says that it lost data."""
    data = path / "host/data"
    data.mkdir(parents=True, exist_ok=True)
    (data / "prof_collect.info").write_text('{"collect_status": "data_loss"}', encoding="utf-8")


def in_slices(path: Path) -> None:
    """api_statistic as two files of one export."""
    whole = edits.find(path, "api_statistic")
    for number in (0, 1):
        name = whole.name.replace("api_statistic_", f"api_statistic_slice_{number}_")
        whole.with_name(name).write_bytes(whole.read_bytes())
    whole.unlink()


def signs(spec: object, edit: Callable[[Path], object] = lambda _root: None) -> Give:
    """The signs in a PROF directory."""

    def give(root: Path) -> object:
        path = write_prof_capture(root, spec).path  # type: ignore[arg-type]
        edit(path)
        return diagnose(read_capture(path, Side.BEFORE), None, read_remedies().signs, Fraction(5, 100))

    return give


def step_trace(path: Path) -> None:
    """A step_trace whose header lacks Model ID."""
    summary = edits.find(path, "op_summary")
    trace = summary.with_name(summary.name.replace("op_summary", "step_trace"))
    trace.write_text("Device_id,Iteration ID,Iteration End(us),Iteration Time(us)\n0,1,5.000,2.000\n")


SERVING = """
schema = 1
decision_rule = "simple"
[contract]
reference = "T"
[[case]]
id = "C"
clause = "1"
[case.workload]
phase = "serving"
[[case.goal]]
id = "G"
metric = "kernel_count"
statistic = "count"
direction = "at_most"
subject = "after"
limit = "1"
"""


def of_a_service(root: Path) -> object:
    """The signs of a pair whose target says that it serves."""
    (root / "target.toml").write_text(SERVING, encoding="utf-8")
    return evaluate(*write_pair(root / "pair"), target=read_target(root / "target.toml")).diagnoses


@cache
def whole() -> Report:
    """The report of a pair without target: MatMulV2 became faster, and Cast stands in the place of Add."""
    after = replace(AFTER, ops=(AFTER.ops[0], replace(ADD, type="Cast")))
    with TemporaryDirectory() as root:
        return build_report(evaluate(*write_pair(Path(root), TORCH, after)))


def gaps(_root: Path) -> object:
    """What that report cannot tell."""
    return whole().gaps


def graphs(*rows: tuple[str, str, int, int]) -> object:
    """(model, iteration, end, time)."""
    model, iteration, end, time = zip(*rows, strict=True)
    return table(
        "iterations",
        "step_trace_20240401000000.csv",
        {
            "device": category(["0"] * len(rows)),
            "model": category(model),
            "iteration": category(iteration),
            "end_ns": pd.Series([BASE + one for one in end], dtype="int64"),
            "time_ns": pd.Series(time, dtype="int64"),
        },
    )


def empty(kind: str, name: str, columns: Sequence[str]) -> object:
    """A table with its columns and no row."""
    return table(kind, name, {column: category([]) for column in columns})


def over_all_tasks() -> object:
    """Kernels at 100 to 150 and 200 to 250 ns, an event from 0 to 400: of 400 ns 100 are busy, so 300 are free."""
    tasks = table(
        "tasks",
        "task_time.csv",
        {
            "kernel_type": category(["EVENT_RECORD"]),
            "start_ns": pd.Series([BASE], dtype="int64"),
            "stop_ns": pd.Series([BASE + 400], dtype="int64"),
        },
    )
    lane = table(
        "lane",
        "trace_view.json",
        {"name": category(["Free"]), "duration_ps": pd.Series([300_000], dtype="int64")},
        source="json",
    )
    spine = kernels([("", "C", 100, 50, "a"), ("", "C", 200, 50, "b")])
    return published.measure(place(spine, tasks=tasks, lane=lane))


LEVEL0 = replace(PROF, level=0, exports=(Export(tables=tuple(t for t in TABLES if t != "task_time")),))


def _without_tasks(root: Path) -> object:
    """The doubt, with the file by its name before the stamp; no PMU column is there that would tell."""
    path = write_prof_capture(root, LEVEL0).path
    for core in ("aic", "aiv"):
        edits.drop_column(edits.find(path, "op_summary"), f"{core}_total_cycles")
    found = read_capture(path, Side.BEFORE).tables[0].kernels
    assert found.file.path.startswith("mindstudio_profiler_output/op_summary_")
    return [replace(w, args=(("file", "op_summary"),)) for w in found.warnings if w.arg("file") == found.file.path]


def _unknown_metrics(root: Path) -> object:
    sides = write_pair(root)
    for side in sides:
        for path in side.rglob("sample.json"):
            edits.delete_json_key(path, ("ai_core_metrics",))
    return build_report(evaluate(*sides)).gaps


def _unknown_chip(root: Path) -> object:
    sides = write_pair(root)
    for side in sides:
        for path in side.rglob("info.json*"):
            edits.delete_json_key(path, ("platform_version",))
    return build_report(evaluate(*sides)).gaps


SHOWN = {"why": "the table, which stands in the case"}
EDIT = {"why": "the edit, which is all that was changed"}
EVERY = {"why": "it holds of every pair without what is named"}
REDUCE = replace(ADD, type="ReduceSumD", blocks=1)
OF_310B = pmu_frames.kernels([{"aic_total": 100, "aiv_mte2_ratio": 1}], pmu_frames.SHARED)
UNLIKE = pmu_frames.kernels([{"type": "Add"}, {"type": "Mul"}])

CASES: tuple[Judged, ...] = (
    # --- reading
    Judged(
        title="the collector says that it lost data",
        give=prof(edit=lost),
        code="capture_data_loss",
        args={"file": "host/data/prof_collect.info"},
        **EDIT,
    ),
    Judged(
        title="a duration with four digits behind the microsecond",
        give=of_torch(lambda c: edits.set_cell(edits.find(c, "kernel_details"), 3, "Duration(us)", "31.2345")),
        code="sub_ns_digits",
        args={"column": "Duration(us)", "file": f"{OUTPUT}/kernel_details.csv"},
        **EDIT,
    ),
    Judged(
        title="kernels of level 0 without the tasks that would tell AI CPU from AI Core",
        give=_without_tasks,
        code="ai_cpu_not_told_apart",
        args={"file": "op_summary"},
        why="docs/formats.md: at level 0 the core is N/A; task_time alone tells them apart",
    ),
    Judged(
        title="api_statistic in two slices",
        give=prof(edit=in_slices),
        code="table_sliced",
        args={"table": "api_statistic"},
        **EDIT,
    ),
    Judged(
        title="a file that no reader takes",
        give=torch(lambda c: (c / OUTPUT / "l2_cache.csv").write_text("a,b\n1,2\n")),
        code="not_read_yet",
        **EDIT,
    ),
    # --- measuring
    Judged(
        title="two kernels in one step, one in the next",
        give=lambda _root: kernel_metrics.measure(place(TWO_STEPS)),
        code="counts_per_step_differ",
        args={"low": "1", "high": "2"},
        **SHOWN,
    ),
    Judged(
        title="kernels without steps, and a database that has them",
        give=lambda _root: kernel_metrics.measure(place(NO_STEPS, others=(replace(TWO_STEPS, source="db"),))),  # type: ignore[arg-type]
        code="choose_source",
        args={"option": "--source db", "kernels": "db"},
        **SHOWN,
    ),
    Judged(
        title="one call of Add and one of Mul",
        give=lambda _root: kernel_metrics.measure(pmu_frames.at(UNLIKE)),
        code="mixed_kernels",
        **SHOWN,
    ),
    Judged(
        title="two kernels that start together and take no time",
        give=lambda _root: steps.measure(place(kernels([("", "C", 0, 0, "a"), ("", "C", 0, 0, "b")]))),
        code="window_of_no_length",
        **SHOWN,
    ),
    Judged(
        title="columns of a chip with one kind of core",
        give=lambda _root: busy.measure(pmu_frames.at(OF_310B)),
        code="one_kind_of_core",
        args={"metric": "aiv_mte2_bound_share"},
        why="docs/formats.md: total_cycles without a core in its name",
    ),
    Judged(
        title="links without a row",
        give=lambda _root: communication.measure(
            place(NO_STEPS, links=empty("links", "communication.json", ("step", "link")))  # type: ignore[arg-type]
        ),
        code="no_link_traffic",
        **SHOWN,
    ),
    Judged(
        title="host API calls without a row",
        give=lambda _root: host.measure(place(NO_STEPS, apis=empty("apis", "api_statistic.csv", ("level",)))),  # type: ignore[arg-type]
        code="no_api_calls",
        **SHOWN,
    ),
    Judged(
        title="iterations 1, 2 and 3 of a graph",
        give=lambda _root: iterations.measure(
            place(NO_STEPS, iterations=graphs(("7", "1", 50, 40), ("7", "2", 80, 15), ("7", "3", 110, 16)))  # type: ignore[arg-type]
        ),
        code="first_iteration_left_out",
        args={"iteration": "1"},
        why="docs/formats.md 11.7: the first loads and compiles",
    ),
    Judged(
        title="free of 300 ns, which only the span of all tasks gives",
        give=lambda _root: over_all_tasks(),
        code="free_over_all_tasks",
        why="400 ns of tasks less 100 ns of kernels",
    ),
    # --- signs
    Judged(title="the sign of lost data", give=signs(PROF, lost), code="sign_data_lost", **EDIT),
    Judged(
        title="a storage limit",
        give=signs(replace(PROF, sample={"storageLimit": "200MB"})),
        code="sign_storage_limit",
        args={"value": "200MB"},
        **SHOWN,
    ),
    Judged(
        title="a reduction on one core",
        give=signs(replace(PROF, ops=(MATMUL, REDUCE))),
        code="sign_one_block_reduce",
        args={"types": "ReduceSumD"},
        why="6 x 31 of 4 x 240 + 6 x 31 us, 16 % of the time, above the 5 % asked for",
    ),
    Judged(title="a target that says serving", give=of_a_service, code="sign_serving", **SHOWN),
    Judged(
        title="a step_trace without Model ID",
        give=signs(PROF, step_trace),
        code="sign_iteration_ids_missing",
        args={"column": "Model ID"},
        **EDIT,
    ),
    # --- what a pair does not tell
    Judged(title="accuracy", give=gaps, code="accuracy_not_shown", **EVERY),
    Judged(title="how to show accuracy", give=gaps, code="attach_accuracy", **EVERY),
    Judged(title="the step time without profiling", give=gaps, code="unprofiled_step_time_missing", **EVERY),
    Judged(title="how to show the step time", give=gaps, code="attach_training_log", **EVERY),
    Judged(title="how to show what a client measures", give=gaps, code="attach_result_file", **EVERY),
    Judged(title="latency", give=gaps, code="not_measured", args={"metric": "latency"}, **EVERY),
    Judged(
        title="how the revision of the code can be shown",
        give=gaps,
        code="declare_only",
        args={"key": "code_revision"},
        **EVERY,
    ),
    Judged(title="what the change did", give=gaps, code="causation", **EVERY),
    Judged(title="what other captures would show", give=gaps, code="only_listed_captures", **EVERY),
    Judged(title="the mean of a count", give=lambda _root: whole().metrics, code="no_sample", **SHOWN),
    Judged(title="the change of a share", give=lambda _root: whole().metrics, code="change_of_share", **SHOWN),
    Judged(title="Cast, in AFTER alone", give=lambda _root: whole().operators, code="operator_added", **SHOWN),
    Judged(title="Add, in BEFORE alone", give=lambda _root: whole().operators, code="operator_removed", **SHOWN),
    Judged(
        title="a setting that neither side records",
        give=_unknown_metrics,
        code="declare_or_recapture",
        args={"key": "ai_core_metrics"},
        **EDIT,
    ),
    Judged(
        title="a chip that neither side records although its file is there",
        give=_unknown_chip,
        code="recapture_only",
        args={"key": "platform_version"},
        **EDIT,
    ),
)
