"""evalscope perf: seconds of older releases, milliseconds of newer ones, percentiles, arguments, relations."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from run_logs.results import MS, broken, said, value

from reportgen.errors import CaptureError
from reportgen.model import Reason
from reportgen.run_logs import read_runs

S = 10**9
# as published: 500 requests at concurrency 50; 87.575 x 100 = 8757.5, 87.575 x 199.918 = 17507.8
OLD: dict[str, Any] = {
    "Time taken for tests (s)": 5.7094,
    "Number of concurrency": 50,
    "Total requests": 500,
    "Succeed requests": 500,
    "Failed requests": 0,
    "Output token throughput (tok/s)": 8757.5,
    "Total token throughput (tok/s)": 17507.8,
    "Request throughput (req/s)": 87.575,
    "Average latency (s)": 0.5539,
    "Average time to first token (s)": 0.0641,
    "Average time per output token (s)": 0.0049,
    "Average inter-token latency (s)": 0.0049,
    "Average input tokens per request": 99.918,
    "Average output tokens per request": 100.0,
}
OLD_PERCENTILES = [
    {"Percentiles": "50%", "TTFT (s)": 0.0645, "ITL (s)": 0.0045, "TPOT (s)": 0.0047, "Latency (s)": 0.5362,
     "Input tokens": 100, "Output tokens": 100, "Output (tok/s)": 186.5207, "Total (tok/s)": 372.9354},
    {"Percentiles": "99%", "TTFT (s)": 0.1093, "ITL (s)": 0.013, "TPOT (s)": 0.0062, "Latency (s)": 0.6633,
     "Input tokens": 100, "Output tokens": 100, "Output (tok/s)": 205.6883, "Total (tok/s)": 411.3766},
]  # fmt: skip
# latency stays in seconds, the others became milliseconds: the key says so
NEW: dict[str, Any] = {
    "Test Duration (s)": 10.0,
    "Total Requests": 20,
    "Success Requests": 20,
    "Failed Requests": 0,
    "Concurrency": 4,
    "Req Throughput (req/s)": 2.0,
    "Avg Latency (s)": 1.2,
    "TTFT (ms)": 450.0,
    "TPOT (ms)": 35.0,
    "ITL (ms)": None,
    "Avg Input Tokens": 100.0,
    "Avg Output Tokens": 200.0,
    "Output Throughput (tok/s)": 400.0,
    "Total Throughput (tok/s)": 600.0,
}
NEW_PERCENTILES = [{"Percentiles": "99%", "Latency (s)": 3.0, "TTFT (ms)": 1200, "TPOT (ms)": 70, "ITL (ms)": None}]
ARGUMENTS = {
    "model": "/home/me/weights/Qwen3-8B",
    "url": "http://10.1.2.3:8000/v1/chat/completions",
    "api_key": "sk-abcdefgh12345678",
    "headers": {"Authorization": "Bearer abcdefgh"},
    "port": 8877,
    "parallel": 50,
    "number": 500,
    "rate": -1,
    "stream": True,
    "dataset": "random",
    "max_tokens": 100,
    "min_tokens": 100,
    "seed": 0,
    "extra_args": {"ignore_eos": True, "token": "x"},
}


def folder(tmp_path: Path, summary: Any, percentiles: Any = None, arguments: Any = None) -> Path:
    place = tmp_path / "parallel_50_number_500"
    place.mkdir()
    (place / "benchmark_summary.json").write_text(json.dumps(summary))
    if percentiles is not None:
        (place / "benchmark_percentile.json").write_text(json.dumps(percentiles))
    if arguments is not None:
        (place / "benchmark_args.json").write_text(json.dumps(arguments))
    return tmp_path


def test_seconds_of_an_older_release(tmp_path: Path) -> None:
    (run,) = read_runs(folder(tmp_path, OLD, OLD_PERCENTILES, ARGUMENTS))
    assert (run.producer, run.definitions) == ("evalscope_perf", "evalscope_s")
    assert value(run, "duration", "", "total") == Fraction("5.7094") * S
    assert value(run, "latency", "ttft", "mean") == Fraction("64.1") * MS
    assert value(run, "latency", "e2e", "p99") == Fraction("663.3") * MS
    assert value(run, "latency", "itl", "p99") == 13 * MS
    assert value(run, "throughput", "output_tokens_per_s", "mean") == Fraction("8757.5")
    # the rates of single requests are a kind of their own
    assert value(run, "throughput", "output_tokens_per_s_per_request", "p50") == Fraction("186.5207")
    assert broken(run) == []
    # 500 / 5.7094 = 87.575; 87.575 x 0.5539 = 48.5 of at most 50
    assert [one.what for one in run.identities if one.id != "I15"] == [
        "requests_over_duration", "output_tokens_of_requests", "total_tokens_of_requests",
        "mean_concurrency_within_limit",
    ]  # fmt: skip


def test_milliseconds_of_a_newer_release_are_read_from_the_key(tmp_path: Path) -> None:
    (run,) = read_runs(folder(tmp_path, NEW, NEW_PERCENTILES))
    assert run.definitions == "evalscope_ms"
    assert value(run, "latency", "ttft", "mean") == 450 * MS
    assert value(run, "latency", "e2e", "mean") == Fraction("1.2") * S
    assert value(run, "latency", "ttft", "p99") == 1200 * MS
    assert value(run, "latency", "e2e", "p99") == 3 * S
    assert not [one for one in run.values if one.kind == "itl"]
    assert said(run) == {"max_concurrency": "4"}
    assert broken(run) == []


def test_the_arguments_are_stated_without_addresses_and_keys(tmp_path: Path) -> None:
    (run,) = read_runs(folder(tmp_path, OLD, None, ARGUMENTS))
    assert said(run) == {
        "max_concurrency": "50",
        "model": "<path>/Qwen3-8B",
        "requests_asked": "500",
        "request_rate": "-1",
        "stream": "true",
        "dataset": "random",
        "max_output_tokens": "100",
        "min_output_tokens": "100",
        "seed": "0",
        "ignore_eos": "true",
    }
    for secret in ("10.1.2.3", "sk-abc", "Bearer", "/home", "8877"):
        assert secret not in repr(run)


@pytest.mark.parametrize(
    ("key", "held", "what"),
    [
        ("Request throughput (req/s)", 95.0, "requests_over_duration"),
        ("Output token throughput (tok/s)", 9500.0, "output_tokens_of_requests"),
        ("Total token throughput (tok/s)", 19000.0, "total_tokens_of_requests"),
        ("Number of concurrency", 20, "mean_concurrency_within_limit"),
    ],
)
def test_an_edited_figure_breaks_a_relation(tmp_path: Path, key: str, held: float, what: str) -> None:
    (run,) = read_runs(folder(tmp_path, {**OLD, key: held}))
    assert what in broken(run)


def test_a_time_without_its_unit_is_not_read(tmp_path: Path) -> None:
    summary = {**OLD, "TTFT": 64.1}
    del summary["Average time to first token (s)"]
    (run,) = read_runs(folder(tmp_path, summary))
    assert not [one for one in run.values if one.kind == "ttft"]
    assert run.left_out == (Reason.of("log_keys_unread", keys="TTFT"),)


def test_a_summary_alone_and_the_oldest_name_of_its_rate(tmp_path: Path) -> None:
    path = folder(tmp_path, {"Average QPS": 1.397, "Average latency (s)": 0.696}) / "parallel_50_number_500"
    (run,) = read_runs(path / "benchmark_summary.json")
    assert value(run, "throughput", "requests_per_s", "mean") == Fraction("1.397")


@pytest.mark.parametrize("held", ["fast", [1], {"a": 1}, True])
def test_a_figure_that_is_no_number_refuses_the_result(tmp_path: Path, held: Any) -> None:
    with pytest.raises(CaptureError) as caught:
        read_runs(folder(tmp_path, {**OLD, "Average time to first token (s)": held}))
    assert caught.value.code == "log_value"


def test_several_loads_of_a_folder_are_several_runs(tmp_path: Path) -> None:
    place = folder(tmp_path, OLD)
    (place / "parallel_4_number_20").mkdir()
    (place / "parallel_4_number_20/benchmark_summary.json").write_text(json.dumps(NEW))
    runs = read_runs(place)
    assert [one.file.path for one in runs] == [
        "parallel_4_number_20/benchmark_summary.json",
        "parallel_50_number_500/benchmark_summary.json",
    ]
