"""vLLM's benchmark results and server log: values as printed, lists recomputed, what must agree, what is not kept."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from log_lines import SERVER, SPECULATION, VLLM, codes, holds, one, runs, series, stated, value

from reportgen.errors import CaptureError
from reportgen.model import Reason
from reportgen.report.serialize import to_json


def changed(**values: object) -> str:
    """The quoted result with other values; None takes a key out."""
    found: dict[str, Any] = {**json.loads(VLLM), **values}
    return json.dumps({key: item for key, item in found.items() if item is not ...})


# ------------------------------------------------------------------------------------------------ bench serve, JSON
def test_the_quoted_result_gives_each_figure_as_written(tmp_path: Path) -> None:
    run = one(tmp_path, VLLM)
    assert (run.producer, run.definitions) == ("vllm_bench_serve", "vllm_bench")
    assert value(run, "duration").value.value == 34_774_751_000
    assert value(run, "completed").value.value == 200
    assert value(run, "throughput", "requests_per_s").value.value == Fraction(575, 100)
    assert value(run, "throughput", "output_tokens_per_s", "mean").value.value == Fraction(7362, 10)
    assert value(run, "throughput", "output_tokens_per_s", "max").value.value == 912
    assert value(run, "latency", "ttft", "p99").value.value == 475_500_000
    assert value(run, "latency", "tpot", "std").resolution.value == 100_000
    assert value(run, "latency", "tpot", "mean").locator == "/mean_tpot_ms"
    assert not [item for item in run.values if item.kind == "e2e"]  # not among the default metrics
    said = stated(run)
    assert (said["model"], said["request_rate"], said["max_concurrency"]) == ("Qwen3-8B", "inf", "16")
    assert "label" not in said  # null


def test_throughputs_are_counts_over_the_duration(tmp_path: Path) -> None:
    # 200 / 34.774751 = 5.7513; 25600 / 34.774751 = 736.166; 230400 / 34.774751 = 6625.497; 200 + 0 = 200 sent
    names = ("completed_over_duration", "output_tokens_over_duration", "all_tokens_over_duration")
    names += ("completed_and_failed",)
    assert holds(one(tmp_path, VLLM), "I7") == dict.fromkeys(names, True)
    edited = one(tmp_path, changed(output_throughput=936.2))
    assert holds(edited, "I7") == {**dict.fromkeys(names, True), "output_tokens_over_duration": False}
    (bad,) = [item for item in edited.identities if not item.holds]
    assert bad.locators == ("/output_throughput", "/total_output_tokens", "/duration")
    assert bad.found.value == Fraction(9362, 10)


def test_binary_floats_of_a_real_writer_agree(tmp_path: Path) -> None:
    for duration in (34.774751, 7.3, 0.1234567890123, 98.4094916e2):
        text = changed(
            duration=duration,
            request_throughput=200 / duration,
            output_throughput=25600 / duration,
            total_token_throughput=230400 / duration,
        )
        assert set(holds(one(tmp_path, text), "I7").values()) == {True}


def test_old_files_have_no_failed_and_a_key_with_a_colon(tmp_path: Path) -> None:
    old = changed(failed=..., completed=190, **{"request_goodput:": 4.5, "request_goodput": ...})
    run = one(tmp_path, old)
    failed = value(run, "failed")
    assert (failed.value.value, failed.value.written) == (10, "")
    assert failed.locator == "/num_prompts - /completed"
    assert value(run, "throughput", "good_requests_per_s").value.value == Fraction(45, 10)
    assert "log_requests_failed" in codes(run)


@pytest.mark.parametrize(
    "key",
    ["request_throughput", "output_throughput", "total_token_throughput", "mean_ttft_ms", "mean_tpot_ms", "mean_itl_ms",
     "total_input_tokens", "completed"],
)  # fmt: skip
@pytest.mark.parametrize("instead", [..., None, "x"])
def test_a_figure_that_every_release_writes_is_missed(tmp_path: Path, key: str, instead: object) -> None:
    assert "log_figures_missing" not in codes(one(tmp_path, VLLM))
    if instead is ... and key in ("request_throughput", "completed"):  # it is not known as a result of this client then
        with pytest.raises(CaptureError):
            one(tmp_path, changed(**{key: instead}))
        return
    run = one(tmp_path, changed(**{key: instead}))
    assert Reason.of("log_figures_missing", keys=key) in run.left_out


def test_the_oldest_files_tell_of_the_rate_of_the_prompts_and_not_of_all_tokens(tmp_path: Path) -> None:
    assert codes(one(tmp_path, changed(total_token_throughput=..., input_throughput=5889.3))) == codes(
        one(tmp_path, VLLM)
    )


def test_a_latency_of_which_nothing_is_told_is_not_missed(tmp_path: Path) -> None:
    without = dict.fromkeys((f"{word}_tpot_ms" for word in ("mean", "median", "std", "p99")), ...)
    assert "log_figures_missing" not in codes(one(tmp_path, changed(**without)))


def test_several_results_in_one_file_are_several_runs(tmp_path: Path) -> None:
    found = runs(tmp_path, VLLM.replace("\n", "") + "\n" + changed(max_concurrency=32) + "\n")
    assert [(run.segment, stated(run)["max_concurrency"]) for run in found] == [(0, "16"), (1, "32")]
    assert value(found[1], "completed").locator == "line 2 /completed"


def test_metadata_is_kept_and_what_names_a_machine_or_holds_a_key_is_not(tmp_path: Path) -> None:
    text = changed(
        tp="8", base_url="http://10.0.0.5:8000", api_key="sk-abcdefghijkl", server="python -m x --api-key zzzz",
        model_id="/home/zhang/models/Qwen3-8B", note="run on 10.0.0.6", generated_texts=["the answer"],
    )  # fmt: skip
    run = one(tmp_path, text)
    said = stated(run)
    assert said["tp"] == "8"
    assert said["model"] == "<path>/Qwen3-8B"
    assert said["note"] == "run on <ip>"
    written = to_json(run)
    for secret in ("10.0.0.5", "10.0.0.6", "abcdefghijkl", "zzzz", "zhang", "the answer"):
        assert secret not in written, secret
    assert {"log_withheld", "log_texts_not_kept"} <= set(codes(run))


# Three requests: first tokens after 0.1, 0.2, 0.3 s; gaps of 10, 20 and 30 ms; 3, 3 and 2 tokens.
DETAILED: dict[str, Any] = {
    "completed": 3, "num_prompts": 3, "total_input_tokens": 30, "total_output_tokens": 8, "duration": 2.0,
    "request_throughput": 1.5, "output_throughput": 4.0, "total_token_throughput": 19.0, "max_concurrency": 2,
    "input_lens": [10, 10, 10], "output_lens": [3, 3, 2], "ttfts": [0.1, 0.2, 0.3],
    "itls": [[0.01, 0.01], [0.02, 0.02], [0.03]], "errors": ["", "", ""], "generated_texts": ["a", "b", "c"],
    "mean_ttft_ms": 200.0, "median_ttft_ms": 200.0, "p99_ttft_ms": 298.0,
    "mean_tpot_ms": 20.0, "median_tpot_ms": 20.0, "p99_tpot_ms": 29.8,
    "mean_itl_ms": 18.0, "median_itl_ms": 20.0, "p99_itl_ms": 29.6,
}  # fmt: skip
"""p99 of three values: 0.98 of the way from the second to the third; of five gaps: 20 + 0.96 x 10 ms."""


def test_lists_become_series_and_their_statistics_agree(tmp_path: Path) -> None:
    run = one(tmp_path, changed(**{**DETAILED, "std_ttft_ms": ..., "std_tpot_ms": ...}))
    ms = 10**6
    assert series(run, "latency", "ttft").sample.values == (100 * ms, 200 * ms, 300 * ms)
    assert series(run, "latency", "tpot").sample.values == (10 * ms, 20 * ms, 30 * ms)
    assert series(run, "latency", "itl").sample.values == (10 * ms, 10 * ms, 20 * ms, 20 * ms, 30 * ms)
    assert series(run, "latency", "itl").sample.labels == ("0/0", "0/1", "1/0", "1/1", "2/0")
    found = holds(run, "I8")
    assert len(found) == 10  # three statistics of three latencies, and the count
    assert set(found.values()) == {True}


@pytest.mark.parametrize(
    ("values", "bad"),
    [
        ({"mean_ttft_ms": 190.0}, "mean_ttft_and_list"),
        ({"p99_itl_ms": 25.0}, "p99_itl_and_list"),
        ({"completed": 4}, "completed_and_list"),
    ],
)
def test_an_edited_summary_contradicts_its_lists(tmp_path: Path, values: dict[str, Any], bad: str) -> None:
    found = holds(one(tmp_path, changed(**{**DETAILED, **values})), "I8")
    assert [name for name, good in found.items() if not good] == [bad]


# The same clock as the client's: 20 gaps of 20 ms in each of two requests, of 21 tokens; 400 ms behind the first token.
STREAMED: dict[str, Any] = {
    **DETAILED, "completed": 2, "num_prompts": 2, "total_input_tokens": 20, "total_output_tokens": 42,
    "request_throughput": 1.0, "output_throughput": 21.0, "total_token_throughput": 31.0,
    "input_lens": [10, 10], "output_lens": [21, 21], "ttfts": [0.1, 0.3], "itls": [[0.02] * 20] * 2, "errors": ["", ""],
    "p99_ttft_ms": 298.0, "mean_itl_ms": 20.0, "median_itl_ms": 20.0, "p99_itl_ms": 20.0, "std_ttft_ms": ...,
    "std_tpot_ms": ..., "generated_texts": ...,
}  # fmt: skip


@pytest.mark.parametrize(
    ("behind", "agrees"),
    [
        (-0.15, False),  # the end of a request stands before its last token by more than two readings of a clock
        (-0.05, True),
        (0.0, True),
        (0.002, True),
        (4.9, True),  # 1 ms and 1 % of 400 ms
        (5.1, False),
        (12.0, False),  # edited by 3 %
        (-12.0, False),
    ],
)
def test_without_latencies_a_request_may_end_a_little_behind_its_last_token(
    tmp_path: Path, behind: float, agrees: bool
) -> None:
    """``behind``: ms from the last gap to the end of each request, of which only the printed figures tell."""
    printed = dict.fromkeys(("mean_tpot_ms", "median_tpot_ms", "p99_tpot_ms"), (400 + behind) / 20)
    found = holds(one(tmp_path, changed(**{**STREAMED, **printed})), "I8")
    assert {name for name, good in found.items() if not good} == (
        set() if agrees else {"mean_tpot_and_list", "median_tpot_and_list", "p99_tpot_and_list"}
    )
    # with the latencies in the file nothing is left open
    told = {**STREAMED, **printed, "latencies": [0.5, 0.7]}
    assert holds(one(tmp_path, changed(**told)), "I8")["mean_tpot_and_list"] is (behind == 0)


def test_the_margin_of_short_answers_is_that_of_their_few_tokens(tmp_path: Path) -> None:
    # gaps of 20, 40 and 30 ms over 2, 2 and 1 tokens; 1 ms and 1 % later: 21.2 / 2, 41.4 / 2 and 31.3 / 1, mean 20.8667
    # 0.1 ms before: 19.9 / 2, 39.9 / 2 and 29.9 / 1, mean 19.9333
    for ms, agrees in ((20.86, True), (20.88, False), (19.94, True), (19.92, False)):
        found = holds(one(tmp_path, changed(**{**DETAILED, "mean_tpot_ms": ms, "std_tpot_ms": ...})), "I8")
        assert found["mean_tpot_and_list"] is agrees, ms


def test_an_answer_that_came_in_one_chunk_has_a_time_per_token_of_nothing(tmp_path: Path) -> None:
    # three gaps in all: 10 ms / 1, 20 ms / 1 and, of two tokens in one chunk, 0: mean 10 ms, median 10 ms
    text = changed(
        **{**DETAILED, "output_lens": [2, 2, 2], "itls": [[0.01], [0.02], []], "total_output_tokens": 6,
           "output_throughput": 3.0, "total_token_throughput": 18.0, "mean_tpot_ms": 10.0, "median_tpot_ms": 10.0,
           "p99_tpot_ms": 19.8, "mean_itl_ms": 15.0, "median_itl_ms": 15.0, "p99_itl_ms": 19.9}
    )  # fmt: skip
    run = one(tmp_path, text)
    assert series(run, "latency", "tpot").sample.values == (10_000_000, 20_000_000, 0)
    assert set(holds(run, "I8").values()) == {True}


def test_a_completed_request_of_no_tokens_is_none_that_failed(tmp_path: Path) -> None:
    """Its text was empty; its time to the first token counts in the producer's mean."""
    empty = {
        **DETAILED, "output_lens": [3, 3, 0], "itls": [[0.01, 0.01], [0.02, 0.02], []], "total_output_tokens": 6,
        "output_throughput": 3.0, "total_token_throughput": 18.0, "mean_tpot_ms": 15.0, "median_tpot_ms": 15.0,
        "p99_tpot_ms": 19.9, "mean_itl_ms": 15.0, "median_itl_ms": 15.0, "p99_itl_ms": 20.0,
    }  # fmt: skip
    run = one(tmp_path, changed(**empty))
    assert series(run, "latency", "ttft").sample.values == (100_000_000, 200_000_000, 300_000_000)
    assert set(holds(run, "I8").values()) == {True}
    assert "log_failed_requests" not in codes(run)
    # where two completed it failed, though nothing says how
    two = {**empty, "completed": 2, "failed": 1, "request_throughput": 1.0, "mean_ttft_ms": 150.0}
    run = one(tmp_path, changed(**{**two, "median_ttft_ms": 150.0, "p99_ttft_ms": 199.0}))
    assert series(run, "latency", "ttft").sample.values == (100_000_000, 200_000_000)
    assert set(holds(run, "I8").values()) == {True}
    assert "log_failed_requests" in codes(run)


def test_latencies_of_newer_files_give_the_end_to_end_time_and_littles_law(tmp_path: Path) -> None:
    lists = {**DETAILED, "latencies": [0.12, 0.24, 0.33], "mean_e2el_ms": 230.0}
    run = one(tmp_path, changed(**lists))
    assert series(run, "latency", "e2e").sample.values == (120_000_000, 240_000_000, 330_000_000)
    assert series(run, "latency", "tpot").sample.values == (10_000_000, 20_000_000, 30_000_000)
    # 1.5 requests/s x 0.23 s = 0.345 at a time, 2 allowed
    assert holds(run, "I13") == {"mean_concurrency": True}
    assert holds(one(tmp_path, changed(**{**lists, "mean_e2el_ms": 2300.0})), "I13") == {"mean_concurrency": False}


def test_failed_requests_are_no_latencies(tmp_path: Path) -> None:
    lists = {**DETAILED, "completed": 2, "failed": 1, "errors": ["", "", "timeout"], "output_lens": [3, 3, 0]}
    run = one(tmp_path, changed(**lists))
    assert series(run, "latency", "ttft").sample.labels == ("0", "1")
    assert holds(run, "I8")["completed_and_list"] is True
    assert {"log_failed_requests", "log_requests_failed"} <= set(codes(run))


def test_a_request_that_failed_halfway_is_no_latency_either(tmp_path: Path) -> None:
    run = one(tmp_path, changed(**{**DETAILED, "errors": ["", "", "connection lost"]}))
    assert series(run, "latency", "ttft").sample.labels == ("0", "1")
    without = one(tmp_path, changed(**{**DETAILED, "errors": ..., "output_lens": [3, 3, 0]}))
    assert series(without, "latency", "ttft").sample.labels == ("0", "1")


def test_lists_of_different_lengths_are_not_used(tmp_path: Path) -> None:
    run = one(tmp_path, changed(**{**DETAILED, "ttfts": [0.1, 0.2]}))
    assert run.series == ()
    assert "log_lists_differ" in codes(run)


@pytest.mark.parametrize(("key", "values"), [("ttfts", [0.1, None, 0.3]), ("itls", [[0.1], "x", [0.2]])])
def test_a_list_with_something_that_is_no_number_is_not_used(tmp_path: Path, key: str, values: object) -> None:
    run = one(tmp_path, changed(**{**DETAILED, key: values}))
    assert {"ttfts": "ttft", "itls": "itl"}[key] not in {item.kind for item in run.series}
    assert "log_lists_unreadable" in codes(run)


def test_the_length_asked_for_is_that_of_the_answers(tmp_path: Path) -> None:
    # 25600 tokens of 200 requests: 128 each
    assert holds(one(tmp_path, changed(output_len="128")), "I9") == {}  # a text is no figure
    assert holds(one(tmp_path, changed(output_len=128)), "I9") == {"mean_output_length": True}
    assert holds(one(tmp_path, changed(output_len=1024)), "I9") == {"mean_output_length": False}


def test_a_file_cut_in_the_middle_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CaptureError) as fault:
        runs(tmp_path, VLLM[:-30])
    assert fault.value.code == "log_unreadable"
    assert fault.value.where.endswith(":4")


# ------------------------------------------------------------------------------------------------ bench serve, screen
SCREEN = """\
INFO: starting
============ Serving Benchmark Result ============
Successful requests:                     200
Failed requests:                         0
Maximum request concurrency:             16
Benchmark duration (s):                  34.77
Total input tokens:                      204800
Total generated tokens:                  25600
Request throughput (req/s):              5.75
Output token throughput (tok/s):         736.17
Peak output token throughput (tok/s):    912.00
Peak concurrent requests:                21.00
Total Token throughput (tok/s):          6625.50
---------------Time to First Token----------------
Mean TTFT (ms):                          341.80
Median TTFT (ms):                        340.80
P99 TTFT (ms):                           475.50
-----Time per Output Token (excl. 1st token)------
Mean TPOT (ms):                          31.40
---------------End-to-end Latency----------------
Mean E2EL (ms):                          2771.20
==================================================
"""


def test_the_screen_gives_the_same_figures_less_finely(tmp_path: Path) -> None:
    run = one(tmp_path, SCREEN)
    assert (run.producer, run.definitions) == ("vllm_bench_serve_text", "vllm_bench")
    assert value(run, "completed").value.value == 200
    assert value(run, "throughput", "total_tokens_per_s").value.value == Fraction(66255, 10)
    assert value(run, "latency", "ttft", "p99").locator == "line 17, P99 TTFT (ms)"
    assert value(run, "duration").resolution.value == 10_000_000  # 0.01 s
    assert stated(run) == {"max_concurrency": "16"}
    assert set(holds(run, "I7").values()) == {True}
    assert holds(run, "I13") == {"mean_concurrency": True}  # 5.75 x 2.7712 = 15.93
    assert "log_two_decimals" in codes(run)


@pytest.mark.parametrize(
    "label",
    ["Successful requests", "Benchmark duration (s)", "Total input tokens", "Total generated tokens", "Mean TTFT (ms)",
     "Request throughput (req/s)", "Output token throughput (tok/s)", "Total Token throughput (tok/s)"],
)  # fmt: skip
def test_a_line_that_every_release_prints_is_missed(tmp_path: Path, label: str) -> None:
    assert "log_figures_missing" not in codes(one(tmp_path, SCREEN))
    text = "".join(line for line in SCREEN.splitlines(keepends=True) if not line.startswith(f"{label}:"))
    missed = label.replace("Total Token", "Total token")
    assert Reason.of("log_figures_missing", keys=missed) in one(tmp_path, text).left_out


def test_newer_spelling_and_sglang_are_read_and_sglang_is_another_set_of_definitions(tmp_path: Path) -> None:
    newer = one(tmp_path, SCREEN.replace("Total Token", "Total token"))
    assert value(newer, "throughput", "total_tokens_per_s").value.value == Fraction(66255, 10)
    head = "Backend:                                 sglang\nTraffic request rate:                    inf\n"
    sglang = SCREEN.replace("Successful", head + "Successful").replace("Maximum request", "Max reqeuest")
    run = one(tmp_path, sglang)
    assert (run.producer, run.definitions) == ("sglang_bench_serving_text", "sglang_bench")
    assert stated(run) == {"backend": "sglang", "request_rate": "inf", "max_concurrency": "16"}


def test_a_block_that_is_cut_says_so_and_its_last_line_is_not_used(tmp_path: Path) -> None:
    run = one(tmp_path, SCREEN[: SCREEN.index("341.80") + 2])
    assert "log_block_cut" in codes(run)
    assert not [item for item in run.values if item.kind == "ttft"]
    assert value(run, "completed").value.value == 200


def test_two_blocks_are_two_runs(tmp_path: Path) -> None:
    assert [run.segment for run in runs(tmp_path, SCREEN + SCREEN)] == [0, 1]


# ------------------------------------------------------------------------------------------------ offline
def test_offline_latency(tmp_path: Path) -> None:
    text = '{"avg_latency": 2.0, "latencies": [1.0, 2.0, 3.0], "percentiles": {"10": 1.2, "50": 2.0, "99": 2.98}}'
    run = one(tmp_path, text)
    assert run.producer == "vllm_bench_latency"
    assert value(run, "latency", "e2e", "mean").value.value == 2 * 10**9
    assert value(run, "latency", "e2e", "p99").value.value == 2_980_000_000
    assert series(run, "latency", "e2e").sample.values == (10**9, 2 * 10**9, 3 * 10**9)
    assert set(holds(run, "I8").values()) == {True}
    assert holds(one(tmp_path, text.replace('"99": 2.98', '"99": 2.5')), "I8")["p99_e2e_and_list"] is False


def test_offline_throughput(tmp_path: Path) -> None:
    text = (
        '{"elapsed_time": 4.0, "num_requests": 10, "total_num_tokens": 2560, "requests_per_second": 2.5, '
        '"tokens_per_second": 640.0}'
    )
    run = one(tmp_path, text)
    assert value(run, "throughput", "total_tokens_per_s").value.value == 640
    assert set(holds(run, "I7").values()) == {True}
    assert holds(one(tmp_path, text.replace("640.0", "840.0")), "I7")["all_tokens_over_duration"] is False
    assert "log_no_service" in codes(run)


def test_offline_throughput_on_the_screen_beside_the_start_of_its_engine(tmp_path: Path) -> None:
    text = (
        "INFO 01-01 00:00:00 [core.py:1] Initializing a V1 LLM engine (v0.11.0) with config: model='x', "
        "dtype=torch.bf16,\n"
        "Throughput: 2.73 requests/s, 699.93 total tokens/s, 349.97 output tokens/s\n"
        "Total num prompt tokens:  1280\nTotal num output tokens:  1280\n"
    )
    run = one(tmp_path, text)
    assert run.producer == "vllm_bench_throughput_text"
    assert value(run, "throughput", "output_tokens_per_s").value.value == Fraction(34997, 100)
    assert (value(run, "input_tokens").value.value, value(run, "output_tokens").value.value) == (1280, 1280)


# ------------------------------------------------------------------------------------------------ server log
START = (
    "(APIServer pid=1) INFO 01-01 07:00:00 [utils.py:328] non-default args: {'model': '/data/models/Qwen3-8B', "
    "'host': '10.0.0.5', 'api_key': ['sk-secretsecret'], 'max_num_seqs': 64, 'load_format': 'dummy', "
    "'enable_prefix_caching': False}\n"
    "(EngineCore pid=2) INFO 01-01 07:00:09 [core.py:77] Initializing a V1 LLM engine (v0.11.0) with config: "
    "model='/data/models/Qwen3-8B', speculative_config=None, tokenizer='/data/models/Qwen3-8B', dtype=torch.bfloat16, "
    "max_seq_len=4096, load_format=dummy, tensor_parallel_size=8, quantization=ascend, enforce_eager=False, "
    "enable_prefix_caching=False, chunked_prefill_enabled=True\n"
)


def test_a_server_log_is_a_witness_of_the_load(tmp_path: Path) -> None:
    busy = SERVER.replace("Running: 10", "Running: 12").replace("Waiting: 0", "Waiting: 3").replace("53.7%", "0.0%")
    run = one(tmp_path, START + SERVER + busy + SPECULATION)
    assert (run.producer, run.version) == ("vllm_server_log", "0.11.0")
    assert value(run, "running_requests").value.value == 12
    assert value(run, "waiting_requests").value.value == 3
    assert series(run, "prefix_cache_hit_rate").sample.values == (Fraction(537, 1000), 0)
    assert series(run, "acceptance_length").sample.values == (3,)
    assert series(run, "throughput", "prompt_tokens_per_s").sample.labels == ("01-01 07:08:57 engine 000",) * 2
    said = stated(run)
    assert said["argument.max_num_seqs"] == "64"
    assert (said["dtype"], said["tensor_parallel_size"], said["quantization"]) == ("torch.bfloat16", "8", "ascend")
    assert said["model"] == "<path>/Qwen3-8B"
    assert {"log_witness_only", "log_dummy_weights", "log_requests_waited", "log_prefix_cache_hits"} <= set(codes(run))
    written = to_json(run)
    assert not [secret for secret in ("10.0.0.5", "secretsecret", "/data") if secret in written]


def test_the_last_window_without_a_line_end_is_not_used(tmp_path: Path) -> None:
    run = one(tmp_path, SERVER + SERVER[: SERVER.index("53.7%") + 1])
    assert len(series(run, "running_requests").sample.values) == 1
    assert "log_records_cut" in codes(run)


def test_a_line_of_the_server_that_only_looks_like_a_window_is_passed_over(tmp_path: Path) -> None:
    run = one(tmp_path, "INFO some throughput: 3\n" + SERVER)
    assert len(series(run, "running_requests").sample.values) == 1
