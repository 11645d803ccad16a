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
        "mean_concurrency_within_limit", "concurrency_as_asked", "completed_and_failed",
        "longest_e2e_within_run",  # 663.3 ms of 5.7094 s
    ]  # fmt: skip


def test_milliseconds_of_a_newer_release_are_read_from_the_key(tmp_path: Path) -> None:
    (run,) = read_runs(folder(tmp_path, NEW, NEW_PERCENTILES))
    assert run.definitions == "evalscope_ms"
    assert value(run, "latency", "ttft", "mean") == 450 * MS
    assert value(run, "latency", "e2e", "mean") == Fraction("1.2") * S
    assert value(run, "latency", "ttft", "p99") == 1200 * MS
    assert value(run, "latency", "e2e", "p99") == 3 * S
    assert not [one for one in run.values if one.kind == "itl"]
    assert said(run) == {"max_concurrency": "4", "num_prompts": "20"}
    assert broken(run) == []


def test_the_arguments_are_stated_without_addresses_and_keys(tmp_path: Path) -> None:
    (run,) = read_runs(folder(tmp_path, OLD, None, ARGUMENTS))
    assert said(run) == {
        "max_concurrency": "50",
        "num_prompts": "500",
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
        ("Number of concurrency", 60, "concurrency_as_asked"),  # the arguments ask for 50
        ("Total requests", 600, "completed_and_failed"),  # 500 succeeded, 0 failed
        ("Failed requests", 1, "completed_and_failed"),
    ],
)
def test_an_edited_figure_breaks_a_relation(tmp_path: Path, key: str, held: float, what: str) -> None:
    (run,) = read_runs(folder(tmp_path, {**OLD, key: held}, None, ARGUMENTS))
    assert what in broken(run)


def test_the_concurrency_that_was_asked_for_limits_a_summary_that_states_none(tmp_path: Path) -> None:
    # 87.575 x 0.5539 = 48.5 requests under way, and the arguments allow 40
    summary = {key: held for key, held in OLD.items() if key != "Number of concurrency"}
    (run,) = read_runs(folder(tmp_path, summary, None, {**ARGUMENTS, "parallel": 40}))
    assert broken(run) == ["mean_concurrency_within_limit"]


def test_a_time_without_its_unit_is_not_read(tmp_path: Path) -> None:
    summary = {**OLD, "TTFT": 64.1}
    del summary["Average time to first token (s)"]
    (run,) = read_runs(folder(tmp_path, summary))
    assert not [one for one in run.values if one.kind == "ttft"]
    assert run.left_out == (Reason.of("log_keys_unread", keys="TTFT"),)


@pytest.mark.parametrize("summary", [OLD, NEW])
def test_keys_that_each_summary_of_the_release_has_are_missed(tmp_path: Path, summary: dict[str, Any]) -> None:
    """All but the times of tokens, which a run without streaming lacks."""
    for number, key in enumerate(summary):
        if any(word in key for word in ("first token", "per output token", "inter-token", "TTFT", "TPOT", "ITL")):
            continue
        (tmp_path / str(number)).mkdir()
        less = {other: held for other, held in summary.items() if other != key}
        (run,) = read_runs(folder(tmp_path / str(number), less))
        assert run.left_out == (Reason.of("log_figures_missing", keys=key),), key
        (tmp_path / f"{number}n").mkdir()
        (run,) = read_runs(folder(tmp_path / f"{number}n", {**summary, key: None}))
        assert run.left_out == (Reason.of("log_figures_missing", keys=key),), key


def test_a_model_that_embeds_has_no_output(tmp_path: Path) -> None:
    summary = {key: held for key, held in NEW.items() if "Output" not in key and "Total Throughput" not in key}
    (run,) = read_runs(folder(tmp_path, {**summary, "Input Throughput (tok/s)": 3000.0}))
    assert run.left_out == (Reason.of("log_keys_unread", keys="Input Throughput (tok/s)"),)


def test_a_release_is_told_by_its_keys_where_they_hold_nothing(tmp_path: Path) -> None:
    """Without streaming there are no times of tokens; the release is the same one."""
    times = ("TTFT (ms)", "TPOT (ms)", "ITL (ms)")
    for number, summary in enumerate(
        ({**NEW, **dict.fromkeys(times)}, {key: held for key, held in NEW.items() if key not in times})
    ):
        (tmp_path / str(number)).mkdir()
        (run,) = read_runs(folder(tmp_path / str(number), summary))
        assert run.definitions == "evalscope_ms"


@pytest.mark.parametrize(
    ("summary", "percentiles"),
    [
        ({**NEW, "Avg TTFT (ms)": 30.0}, None),  # TTFT under two keys
        ({**NEW, "Output token throughput (tok/s)": 500.0}, None),
        ({**NEW, "Average time per output token (s)": 0.03}, None),  # TPOT in s beside TTFT in ms
        (NEW, [*NEW_PERCENTILES, {"Percentiles": "p99", "TTFT (ms)": 600}]),
        (NEW, [{"Percentiles": "99%", "TTFT (ms)": 600, "TTFT (s)": 1.2}]),
    ],
)
def test_a_figure_given_twice_refuses_the_result(tmp_path: Path, summary: Any, percentiles: Any) -> None:
    with pytest.raises(CaptureError) as caught:
        read_runs(folder(tmp_path, summary, percentiles))
    assert caught.value.code == "log_mixed"


@pytest.mark.parametrize("name", ["summary", "percentile", "args"])
def test_a_file_holds_one_result(tmp_path: Path, name: str) -> None:
    path = folder(tmp_path, OLD, OLD_PERCENTILES, ARGUMENTS) / "parallel_50_number_500" / f"benchmark_{name}.json"
    path.write_text(path.read_text() + "\n" + path.read_text())
    with pytest.raises(CaptureError) as caught:
        read_runs(tmp_path)
    assert (caught.value.code, ".json:2" in caught.value.where) == ("log_mixed", True)


@pytest.mark.parametrize("name", ["percentile", "args"])
def test_a_file_of_nothing_but_its_mark_is_refused(tmp_path: Path, name: str) -> None:
    place = folder(tmp_path, OLD, OLD_PERCENTILES, ARGUMENTS) / "parallel_50_number_500"
    (place / f"benchmark_{name}.json").write_bytes(b"\xef\xbb\xbf")
    with pytest.raises(CaptureError) as caught:
        read_runs(tmp_path)
    assert caught.value.code == "log_unreadable"


def test_a_summary_that_was_renamed_has_nothing_beside_it(tmp_path: Path) -> None:
    """Two of them in one folder would both have the percentiles of one run."""
    place = folder(tmp_path, OLD, OLD_PERCENTILES, ARGUMENTS) / "parallel_50_number_500"
    (place / "after.json").write_text(json.dumps({**OLD, "Number of concurrency": 60}))
    (run,) = read_runs(place / "after.json")
    assert not [one for one in run.values if one.statistic == "p99"]
    assert said(run) == {"max_concurrency": "60", "num_prompts": "500"}
    (run,) = read_runs(place / "benchmark_summary.json")
    assert value(run, "latency", "ttft", "p99") == Fraction("109.3") * MS


def test_the_rate_of_requests_is_stated(tmp_path: Path) -> None:
    (run,) = read_runs(folder(tmp_path, {**NEW, "Request Rate (req/s)": 10.0}))
    assert said(run) == {"max_concurrency": "4", "num_prompts": "20", "request_rate": "10.0"}


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
