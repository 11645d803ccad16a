"""OM inference: the summary file, its screen in three shapes, msame."""

# ruff: noqa: E501 - pages as published

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from run_logs.results import MS, broken, codes, identity, said, value

from reportgen.errors import CaptureError
from reportgen.model import Reason, Run
from reportgen.run_logs import read_runs

# Five times in ms: mean 3.0, median 3.0, P99 = 4.0 + 0.96 x 1.0 = 4.96; batch 2: 1000 x 2 / 3.0 = 666.666...
TIMES = [1.0, 2.0, 3.0, 4.0, 5.0]
SUMMARY: dict[str, Any] = {
    "filesinfo": {},
    "args": ["/usr/bin/msit", "--om-model", "/home/me/resnet50_bs2.om", "--batchsize", "2", "--loop=5"],
    "NPU_compute_time": {"min": 1.0, "max": 5.0, "mean": 3.0, "median": 3.0, "percentile(99%)": 4.96, "count": 5},
    "H2D_latency": {"min": 0.1, "max": 0.3, "mean": 0.2, "median": 0.2, "percentile(99%)": 0.298},
    "D2H_latency": {"min": 0.0, "max": 0.0, "mean": 0.0, "median": 0.0, "percentile(99%)": 0.0},
    "npu_compute_time_list": TIMES,
    "throughput": 666.6666666666666,
    "pid": 4711,
}
# as published: full digits of a float
PUBLISHED = """\
[INFO] load model pth_resnet50_bs1.om success
[INFO] try get model batchsize:1
[INFO] warm up 1 done
Inference array Processing: 100%|████████████████████████████████| 1/1 [00:00<00:00, 10.73it/s]
[INFO] -----------------Performance Summary------------------
[INFO] NPU_compute_time (ms): min = 2.4560000896453857, max = 2.4560000896453857, mean = 2.4560000896453857, median = 2.4560000896453857, percentile(99%) = 2.4560000896453857
[INFO] throughput 1000*batchsize.mean(1)/NPU_compute_time.mean(2.4560000896453857): 407.16610891670894
[INFO] ------------------------------------------------------
"""
ROUNDED = """\
[INFO] -----------------Performance Summary------------------
[INFO] H2D_latency (ms): min = 0.05, max = 0.07, mean = 0.06, median = 0.06, percentile(99%) = 0.07
[INFO] NPU_compute_time (ms): min = 2.477, max = 3.937, mean = 3.554, median = 3.723, percentile(99%) = 3.937
[INFO] D2H_latency (ms): min = 0.05, max = 0.07, mean = 0.06, median = 0.06, percentile(99%) = 0.07
[INFO] throughput 1000*batchsize.mean(1)/NPU_compute_time.mean(3.554): 281.389
[INFO] ------------------------------------------------------
"""
TABLE = """\
[INFO] -----------------Performance Summary------------------
╒═══════════════════════╤═══════╤═══════╤════════╤══════════╤═══════╕
│ Metric                │   min │   max │   mean │   median │   P99 │
╞═══════════════════════╪═══════╪═══════╪════════╪══════════╪═══════╡
│ NPU_compute_time (ms) │ 2.477 │ 3.937 │  3.554 │    3.723 │ 3.937 │
╘═══════════════════════╧═══════╧═══════╧════════╧══════════╧═══════╛
[INFO] Throughput 1000*batchsize.mean(1)/NPU_compute_time.mean(3.554): 281.3731007315701
[INFO] ------------------------------------------------------
"""


def summary(tmp_path: Path, **changes: Any) -> Run:
    path = tmp_path / "2026_summary.json"
    path.write_text(json.dumps({**SUMMARY, **changes}))
    (run,) = read_runs(path)
    return run


def screen(tmp_path: Path, text: str) -> tuple[Run, ...]:
    path = tmp_path / "om.log"
    path.write_text(text, encoding="utf-8")
    return read_runs(path)


def test_a_summary_file_gives_every_inference_and_its_statistics(tmp_path: Path) -> None:
    run = summary(tmp_path)
    (series,) = run.series
    assert (series.metric, series.kind, series.sample.unit) == ("latency", "npu_compute", "ns")
    assert series.sample.values == tuple(MS * n for n in range(1, 6))
    assert series.weights == (1,) * 5
    assert value(run, "latency", "npu_compute", "p99") == Fraction("4.96") * MS
    assert value(run, "latency", "npu_compute", "count") == 5
    assert value(run, "latency", "h2d", "mean") == Fraction("0.2") * MS
    assert value(run, "throughput", "samples_per_s", "mean") == Fraction("666.6666666666666")
    assert said(run) == {"model": "<path>/resnet50_bs2.om", "batch_size": "2", "loop": "5"}
    assert broken(run) == []
    assert {one.what for one in run.identities if one.id != "I15"} == {
        "batch_over_mean", "list_min", "list_max", "list_mean", "list_median", "list_p99", "list_count",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"throughput": 733.3}, "batch_over_mean"),
        ({"args": ["--batchsize", "4"]}, "batch_over_mean"),
        ({"npu_compute_time_list": [1.0, 2.0, 3.0, 4.0, 4.0]}, "list_mean"),
        ({"npu_compute_time_list": [1.0, 2.0, 3.0, 4.0, 5.5]}, "list_p99"),
        ({"npu_compute_time_list": [1.0, 2.0, 3.0, 3.0, 4.0, 5.0]}, "list_count"),
    ],
)
def test_an_edited_figure_breaks_a_relation(tmp_path: Path, changes: dict[str, Any], what: str) -> None:
    assert what in broken(summary(tmp_path, **changes))


def test_what_the_time_of_the_npu_leaves_out_is_always_said(tmp_path: Path) -> None:
    assert codes(summary(tmp_path)) == {"om_excludes_copies", "om_input_zeros"}
    run = summary(tmp_path, args=["--model", "a.om", "--input", "/data/x", "--profiler", "1"])
    assert codes(run) == {"om_excludes_copies", "om_batch_guessed", "log_profiled_run"}
    assert "batch_over_mean" not in [one.what for one in run.identities]
    assert "/data/x" not in repr(run)


def test_newer_releases_name_the_percentile_otherwise_and_may_list_starts_and_ends(tmp_path: Path) -> None:
    # two threads: [0, 3] and [2, 4] ms overlap, [10, 12] stands alone: merged 4 + 2 = 6 ms, mean 6 / 3 = 2 ms
    run = summary(
        tmp_path,
        NPU_compute_time={"min": 2.0, "max": 3.0, "mean": 2.0, "median": 2.0, "P99": 2.98, "count": 3},
        npu_compute_time_list=[[0.0, 3.0], [2.0, 4.0], [10.0, 12.0]],
        throughput=1000.0,
    )
    assert run.definitions == "ais_bench_om_threads"
    assert run.series[0].sample.values == (3 * MS, 2 * MS, 2 * MS)
    assert broken(run) == []


def test_the_published_screen_holds_its_relation_to_the_last_digit(tmp_path: Path) -> None:
    (run,) = screen(tmp_path, PUBLISHED)
    # 1000 / 2.4560000896453857 = 407.16610891670894
    assert identity(run, "batch_over_mean").holds
    assert value(run, "latency", "npu_compute", "mean") == Fraction("2.4560000896453857") * MS
    assert said(run) == {"batch_size": "1", "guessed_batch_size": "1"}
    assert codes(run) == {"om_excludes_copies", "om_batch_guessed", "om_input_unknown"}


def test_a_screen_with_all_parts_and_a_table_of_a_newer_release(tmp_path: Path) -> None:
    first, second = screen(tmp_path, ROUNDED + TABLE)
    for run in (first, second):
        assert value(run, "latency", "npu_compute", "median") == Fraction("3.723") * MS
        assert value(run, "latency", "npu_compute", "p99") == Fraction("3.937") * MS
        # 1000 / 3.554 = 281.373; the mean may lie between 3.5535 and 3.5545: 281.33 to 281.41
        assert broken(run) == []
        assert Reason.of("om_several_summaries", n=2) in run.warnings
    assert value(first, "latency", "h2d", "mean") == Fraction("0.06") * MS
    assert (first.segment, second.segment) == (0, 1)


def test_a_summary_with_another_batch_breaks_its_relation(tmp_path: Path) -> None:
    (run,) = screen(tmp_path, ROUNDED.replace("batchsize.mean(1)", "batchsize.mean(8)"))
    assert broken(run) == ["batch_over_mean"]


@pytest.mark.parametrize("held", [{"mean": "fast"}, {"mean": -1.0}, {"mean": None}, {"mean": [1]}])
def test_a_figure_that_is_none_refuses_the_file(tmp_path: Path, held: dict[str, Any]) -> None:
    with pytest.raises(CaptureError) as caught:
        summary(tmp_path, NPU_compute_time=held)
    assert caught.value.code == "log_value"


# ------------------------------------------------------------------------------------------------ msame
# as published: ten runs of 105.4 ms; their mean and the mean without the first are printed
LINES = ["105.365", "105.487", "105.386", "105.419", "105.323", "105.42", "105.423", "105.461", "105.383", "105.504"]
MSAME = "".join(f"[INFO] model execute success\nInference time: {one}ms\n" for one in LINES) + (
    "[INFO] output data success\n"
    "Inference average time: 105.417100 ms\nInference average time without first time: 105.422889 ms\n"
)


def test_msame_gives_its_runs_without_the_first(tmp_path: Path) -> None:
    (run,) = screen(tmp_path, MSAME)
    assert run.series[0].sample.values == tuple(Fraction(one) * MS for one in LINES[1:])
    assert run.series[0].sample.dropped == ("1",)
    assert value(run, "latency", "npu_compute", "mean") == Fraction("105.422889") * MS
    assert broken(run) == []
    assert [one.what for one in run.identities] == ["list_mean", "list_mean_without_first"]


def test_an_edited_run_of_msame_breaks_both_means(tmp_path: Path) -> None:
    (run,) = screen(tmp_path, MSAME.replace("105.504ms", "95.504ms"))
    assert broken(run) == ["list_mean", "list_mean_without_first"]


def test_two_calls_of_msame_are_two_runs_and_an_old_release_prints_a_blank(tmp_path: Path) -> None:
    old = "Inference average time : 10.66 ms\nInference average time without first time: 10.65 ms\n"
    first, second = screen(tmp_path, MSAME + old)
    assert (first.segment, second.segment) == (0, 1)
    assert second.series == ()
    assert value(second, "latency", "npu_compute", "mean") == Fraction("10.65") * MS
