"""AISBench: folders and files, stages, the dumped configuration, relations, doubts."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from run_logs import results
from run_logs.results import MS, broken, codes, identity, said, value

from reportgen.errors import CaptureError
from reportgen.model import Reason
from reportgen.run_logs import read_runs

PLACE = "performances/vllm-api-stream-chat"


def changed(**figures: Any) -> dict[str, Any]:
    """The published figures with some changed; ``_`` stands for a blank."""
    found = copy.deepcopy(results.AISBENCH)
    for key, held in figures.items():
        found[key.replace("_", " ")]["total"] = held
    return found


def test_a_result_folder_gives_the_published_figures_in_exact_units(tmp_path: Path) -> None:
    (run,) = read_runs(results.aisbench(tmp_path))
    assert (run.producer, run.definitions, run.file.path) == ("aisbench", "aisbench_total", f"{PLACE}/gsm8k.json")
    assert [one.path for one in run.more] == [f"{PLACE}/gsm8k.csv", "configs/20260101_100000.py"]
    assert value(run, "duration", "", "total") == 98_409_491_600  # 98409.4916 ms
    assert value(run, "throughput", "output_tokens_per_s", "mean") == Fraction("41.622")
    assert value(run, "throughput", "total_tokens_per_s", "mean") == Fraction("164.5776")
    assert value(run, "completed", "", "count") == 8
    assert value(run, "output_tokens", "", "total") == 4096
    assert value(run, "latency", "e2e", "p99") == Fraction("12329.9") * MS
    assert value(run, "latency", "tpot", "mean") == Fraction("23.4634") * MS
    assert value(run, "latency", "itl", "count") == 8
    written = results.logged(run, "latency", "ttft", "mean")
    assert (written.value.written, written.locator, written.resolution.value) == (
        "310.4 ms",
        "line 3, Average",
        100_000,
    )
    assert run.left_out == ()


def test_every_relation_holds_on_the_published_figures(tmp_path: Path) -> None:
    (run,) = read_runs(results.aisbench(tmp_path))
    assert broken(run) == []
    assert {one.id for one in run.identities} == {"I9", "I10", "I13", "I15", "I16"}
    # 8 / 98.4094916 s = 0.0812930; written 0.0813, half a step is 0.00005
    rate = identity(run, "requests_over_duration")
    assert rate.found.value == Fraction("0.0813")
    assert abs(Fraction(rate.expected.value) - Fraction(8 * 10**7, 984094916)) < Fraction(1, 10**15)
    assert Fraction("0.00005") <= rate.tolerance.value < Fraction("0.000051")
    assert rate.locators[:2] == ("/Request Throughput/total", "/Success Requests/total")
    # 12300.2 ms x 8 / 98409.4916 ms = 0.99992
    assert float(identity(run, "mean_latency_times_requests_over_duration").expected.value) == pytest.approx(0.99992)


@pytest.mark.parametrize(
    ("figure", "written", "what"),
    [
        ("Output_Token_Throughput", "45.784 token/s", "output_tokens_over_duration"),  # 10 % up
        ("Request_Throughput", "0.0815 req/s", "requests_over_duration"),
        ("Concurrency", 1.1, "mean_latency_times_requests_over_duration"),
        ("Total_Requests", 9, "success_and_failed_are_total"),
        ("Success_Requests", 7, "requests_of_table"),
        ("Total_Generated_Tokens", 4400, "mean_of_OutputTokens"),
    ],
)
def test_an_edited_figure_breaks_a_relation(tmp_path: Path, figure: str, written: Any, what: str) -> None:
    (run,) = read_runs(results.aisbench(tmp_path, common=changed(**{figure: written})))
    assert what in broken(run)


def test_the_configuration_is_stated_without_addresses_and_keys(tmp_path: Path) -> None:
    (run,) = read_runs(results.aisbench(tmp_path))
    assert said(run) == {
        "stage": "total",
        "max_concurrency": "1",
        "model_abbreviation": "vllm-api-stream-chat",
        "dataset": "gsm8k",
        "max_output_tokens": "512",
        "model": "Qwen3-8B",
        "tokenizer": "<path>/Qwen3-8B",
        "request_rate": "0.05",
        "retry": "2",
        "stream": "true",
        "client": "ais_bench.benchmark.models.VLLMCustomAPIChat",
        "temperature": "0.50",
        "ignore_eos": "true",
        "seed": "-7",
        "top_p": "0.95",
    }
    shown = repr(run)
    for secret in ("10.1.2.3", "8080", "sk-abcdefgh", "/home", "secret text"):
        assert secret not in shown
    assert Reason.of("aisbench_retries", n="2") in run.warnings


def test_a_configuration_is_parsed_and_never_run(tmp_path: Path) -> None:
    folder = results.aisbench(tmp_path)
    sign = tmp_path / "ran"
    (folder / "configs/20260101_100000.py").write_text(
        f"open({str(sign)!r}, 'w')\nimport os\n"
        "models = [dict(abbr='vllm-api-stream-chat', retry=len('abc'), batch_size=1)]\n"
    )
    (run,) = read_runs(folder)
    assert not sign.exists()
    assert "retry" not in said(run)


def test_a_configuration_of_another_load_is_a_doubt(tmp_path: Path) -> None:
    folder = results.aisbench(tmp_path)
    path = folder / "configs/20260101_100000.py"
    path.write_text(results.AISBENCH_CONFIG.replace("batch_size=1,", "batch_size=64,"))
    (run,) = read_runs(folder)
    assert Reason.of("log_context_differs", key="max_concurrency", here=1, there="64") in run.warnings
    assert said(run)["max_concurrency"] == "1"


def test_configurations_that_disagree_state_nothing(tmp_path: Path) -> None:
    folder = results.aisbench(tmp_path)
    (folder / "configs/20260101_110000.py").write_text(results.AISBENCH_CONFIG.replace("0.50", "0.70"))
    (run,) = read_runs(folder)
    assert "temperature" not in said(run)
    assert Reason.of("log_context_several", n=2) in run.left_out


@pytest.mark.parametrize("name", ["gsm8k.json", "gsm8k.csv"])
def test_one_file_brings_the_other_of_its_data_set(tmp_path: Path, name: str) -> None:
    (run,) = read_runs(results.aisbench(tmp_path) / PLACE / name)
    more = [one.path for one in run.more]
    assert [run.file.path, *more] == ["gsm8k.json", "gsm8k.csv", "configs/20260101_100000.py"]
    assert (said(run)["request_rate"], said(run)["ignore_eos"]) == ("0.05", "true")  # of the folder's configuration
    assert value(run, "latency", "e2e", "mean") == Fraction("12300.2") * MS
    assert value(run, "throughput", "output_tokens_per_s", "mean") == Fraction("41.622")


@pytest.mark.parametrize(
    ("common", "table", "missing"),
    [(None, results.AISBENCH_TABLE, "gsm8k.json"), (results.AISBENCH, "", "gsm8k.csv")],
)
def test_half_a_result_says_what_it_lacks(
    tmp_path: Path, common: dict[str, Any] | None, table: str, missing: str
) -> None:
    (run,) = read_runs(results.aisbench(tmp_path, common=common, table=table))
    assert Reason.of("log_part_missing", file=missing) in run.left_out
    assert run.values


# ------------------------------------------------------------------------------------------------ stages
def test_the_stable_stage_is_a_run_of_other_definitions(tmp_path: Path) -> None:
    common, table = results.stage("stable")
    both = {key: {**results.AISBENCH[key], **held} for key, held in common.items()}
    rows = results.AISBENCH_TABLE + "".join(table.splitlines(keepends=True)[1:])
    total, stable = read_runs(results.aisbench(tmp_path, common=both, table=rows))
    assert (total.definitions, stable.definitions) == ("aisbench_total", "aisbench_stable")
    assert (total.segment, stable.segment) == (0, 1)
    # the code caps the concurrency of the stable stage at the limit, and its requests may have begun before it: none of
    # these relations is asked of it
    assert {one.what for one in total.identities} - {one.what for one in stable.identities} == {
        "mean_latency_times_requests_over_duration",
        "mean_concurrency_within_limit",
        "longest_e2e_within_run",
    }


@pytest.mark.parametrize(
    ("duration", "doubt"),
    # the official caveat: credible only when the longest request takes less than a third of the window;
    # 3 x 12330.5 ms = 36991.5 ms
    [("36991.6 ms", False), ("36991.5 ms", True), ("20000 ms", True)],
)
def test_a_stable_stage_shorter_than_three_requests_is_a_doubt(tmp_path: Path, duration: str, doubt: bool) -> None:
    common, table = results.stage("stable")
    common["Benchmark Duration"]["stable"] = duration
    (run,) = read_runs(results.aisbench(tmp_path, common=common, table=table))
    assert ("aisbench_stable_too_short" in codes(run)) is doubt


def test_a_stable_stage_without_a_maximum_cannot_be_shown_to_be_long_enough(tmp_path: Path) -> None:
    common, _ = results.stage("stable")
    table = "Performance Parameters,Stage,Average,P50,N\nE2EL,stable,12300.2 ms,12299.0 ms,8\n"
    (run,) = read_runs(results.aisbench(tmp_path, common=common, table=table))
    assert "aisbench_stable_unproven" in codes(run)
    assert value(run, "latency", "e2e", "p50") == Fraction("12299.0") * MS


def test_failed_requests_are_a_doubt_and_a_second_one_in_the_stable_stage(tmp_path: Path) -> None:
    common, table = results.stage("stable")
    common["Failed Requests"]["stable"] = 2
    (run,) = read_runs(results.aisbench(tmp_path, common=common, table=table))
    assert {"log_requests_failed", "aisbench_stable_with_failures"} <= codes(run)


# ------------------------------------------------------------------------------------------------ statistics
def test_statistics_are_found_by_their_header_in_any_order(tmp_path: Path) -> None:
    table = "Performance Parameters,Stage,P05,Max,Average,N\nTTFT,total,1.5 ms,3 ms,2.25 ms,8\n"
    (run,) = read_runs(results.aisbench(tmp_path, table=table))
    held = {one.statistic: one.value.value for one in run.values if one.kind == "ttft"}
    assert held == {"p5": 1_500_000, "max": 3_000_000, "mean": 2_250_000, "count": 8}


def test_rows_of_no_request_are_zeros_of_nothing_and_left_out(tmp_path: Path) -> None:
    table = results.AISBENCH_TABLE + "Surprise,total,1,1,1,1,1,1,1,1\n"
    table = table.replace(
        "ITL,total,23.4634 ms,20.1 ms,40.2 ms,23.4 ms,23.9 ms,24.8 ms,31.0 ms,8", "ITL,total" + ",0 ms" * 7 + ",0"
    )
    (run,) = read_runs(results.aisbench(tmp_path, table=table))
    assert not [one for one in run.values if one.kind == "itl"]
    assert run.left_out == (Reason.of("log_keys_unread", keys="Surprise"), Reason.of("log_empty_rows", n=1))


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("E2EL,total,12300.2 token/s,1,1,1,1,1,1,8", "log_value"),  # another unit
        ("E2EL,total,12300.2,1,1,1,1,1,1,8", "log_value"),  # none: not guessed
        ("E2EL,total,nan ms,1,1,1,1,1,1,8", "log_value"),
        ("E2EL,total,-1 ms,1,1,1,1,1,1,8", "log_value"),
        ("E2EL,warm,1 ms,1 ms,1 ms,1 ms,1 ms,1 ms,1 ms,8", "log_unreadable"),
        ("E2EL,total,1 ms", "log_unreadable"),
    ],
)
def test_a_cell_that_cannot_be_read_refuses_the_result(tmp_path: Path, row: str, code: str) -> None:
    head = results.AISBENCH_TABLE.splitlines(keepends=True)[0]
    with pytest.raises(CaptureError) as caught:
        read_runs(results.aisbench(tmp_path, table=f"{head}{row}\n"))
    assert caught.value.code == code


def test_a_result_that_leads_out_of_its_folder_is_refused(tmp_path: Path) -> None:
    folder = results.aisbench(tmp_path)
    outside = tmp_path / "elsewhere.json"
    outside.write_text(json.dumps(results.AISBENCH))
    (folder / PLACE / "gsm8k.json").unlink()
    (folder / PLACE / "gsm8k.json").symlink_to(outside)
    with pytest.raises(CaptureError) as caught:
        read_runs(folder)
    assert caught.value.code == "file_outside"


def test_a_table_that_has_a_header_alone_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "gsm8k.csv"
    path.write_text(results.AISBENCH_TABLE.splitlines(keepends=True)[0], encoding="utf-8")
    with pytest.raises(CaptureError) as caught:
        read_runs(path)
    assert caught.value.code == "log_no_records"
