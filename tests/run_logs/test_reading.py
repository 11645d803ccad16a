"""Which reader reads what; and that no shuffled, cut or garbled log crashes or gives a value that was not there."""

from __future__ import annotations

import contextlib
import json
import time
from pathlib import Path

import pytest
from command import reportgen
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from log_lines import FSDP2, MEGATRON, MEMORY, SERVER, TRAINER, VLLM, fsdp2, megatron, runs

from reportgen.errors import CaptureError
from reportgen.run_logs import READERS, known, read_runs
from reportgen.run_logs.text import Log

TABLE = "step,step_time_ms\n1,170.5\n2,171.5\n"
FAMILIES = {
    "table of steps (csv, json, jsonl)": TABLE,
    "Megatron family": MEGATRON,
    "MindSpeed-LLM FSDP2": FSDP2,
    "MindSpeed-LLM FSDP2 trainer": TRAINER,
    "vllm bench serve (json)": VLLM,
    "vllm bench serve (screen)": "============ Serving Benchmark Result ============\nSuccessful requests: 1\n",
    "vllm bench latency (json)": '{"avg_latency": 1.0, "latencies": [1.0], "percentiles": {"10": 1.0}}',
    "vllm bench throughput (json)": '{"elapsed_time": 1.0, "requests_per_second": 1.0, "total_num_tokens": 1}',
    "vllm bench throughput (screen)": "Throughput: 2.73 requests/s, 699.93 total tokens/s, 349.97 output tokens/s\n",
    "vLLM server log": SERVER,
}


@pytest.mark.parametrize("name", FAMILIES)
def test_each_output_is_recognised_by_its_reader_alone(tmp_path: Path, name: str) -> None:
    path = tmp_path / "x"
    path.write_text(FAMILIES[name], encoding="utf-8")
    assert [reader.name for reader in READERS if reader.sniff(Log(path))] == [name]


def refused(tmp_path: Path, text: str) -> CaptureError:
    with pytest.raises(CaptureError) as fault:
        runs(tmp_path, text)
    assert fault.value.hint
    return fault.value


def test_the_output_of_two_programs_in_one_file_is_refused_with_both_names(tmp_path: Path) -> None:
    fault = refused(tmp_path, MEGATRON + FSDP2)
    assert fault.code == "log_mixed"
    assert "Megatron family, MindSpeed-LLM FSDP2" in fault.message


def test_what_is_known_by_nobody_is_refused_with_all_names(tmp_path: Path) -> None:
    fault = refused(tmp_path, "hello\n")
    assert fault.code == "log_unknown"
    names = [*(reader.name for reader in READERS), *(name for name, _ in known.NOT_READ)]
    assert [name for name in names if name not in fault.message] == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Performance Results of task [vllm-api/gsm8k]:\n| E2EL | total |\n", "AISBench"),
        ("| npu-smi 25.2.3  Version: 25.2.3 |\n", "npu-smi"),
        ('[{"Percentiles": "99%", "TTFT (ms)": 120.0}]\n', "evalscope"),
        ('{"log_history": [{"loss": 1.0, "step": 1}]}\n', "Hugging Face"),
        (" 3%|    | 3/100 [00:47<20:54, 17.01s/it]\n", "tqdm"),
    ],
)
def test_a_known_output_that_is_not_read_is_refused_by_its_name(tmp_path: Path, text: str, name: str) -> None:
    fault = refused(tmp_path, text)
    assert fault.code == "log_not_read_yet"
    assert name in fault.message


def test_a_directory_and_nothing_are_refused(tmp_path: Path) -> None:
    for path, code in ((tmp_path, "log_unknown"), (tmp_path / "no", "path_missing")):
        with pytest.raises(CaptureError) as fault:
            read_runs(path)
        assert fault.value.code == code


# ------------------------------------------------------------------------------------------------ hostile
def test_hostile_lines_take_no_time(tmp_path: Path) -> None:
    lines = [
        "iteration " + " " * 200_000,
        "iteration" + "1" * 200_000 + "/",
        "iteration 1/ 2 |" + "a:b|" * 100_000,
        "iteration 1/ 2 |" * 50_000,
        "non-default args: {" + "'a': '" * 30_000,
        "Avg prompt throughput: " * 10_000,
        "\x1b[" + ";" * 300_000,
        "(" + "a " * 100_000,
        "/" * 200_000,
    ]
    path = tmp_path / "x"
    for line in lines:
        path.write_text(MEGATRON + line + "\n" + SERVER, encoding="utf-8")
        begun = time.perf_counter()
        for reader in READERS:
            try:
                reader.read(Log(path)) if reader.sniff(Log(path)) else None
            except CaptureError:
                continue
        assert time.perf_counter() - begun < 5, line[:30]


BASE = [megatron(i, ms=f"{2300 + i}.{i}", stamp=f"10:00:{2 * i:02d}") for i in range(1, 10)]
TRUE = {str(i): (23000 + 11 * i) * 100_000 for i in range(1, 10)}
"""2300 + i + i / 10 ms: 2301.1, 2302.2, ... as nanoseconds."""
OTHER = [fsdp2(i, ms=f"{1800 + i}.5{i}") for i in range(1, 10)]
TRUE_OTHER = {str(i): 1_800_500_000 + i * 1_010_000 for i in range(1, 10)}
NOISE = [
    "[rank1]: WARNING x: y | z: 1 |\n",
    "\n",
    "\r 3%|#   | 1/2\r",
    MEMORY,
    "\x1b[31mred\x1b[0m\n",
    "saving checkpoint\n",
]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_shuffled_cut_or_interleaved_log_gives_no_value_that_was_not_there(
    tmp_path: Path, data: st.DataObject
) -> None:
    lines, true = data.draw(st.sampled_from([(BASE, TRUE), (OTHER, TRUE_OTHER)]))
    chosen = data.draw(st.lists(st.sampled_from(lines), min_size=1, max_size=12) | st.just(lines))
    text = "".join(chosen)
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + data.draw(st.sampled_from(NOISE)) + text[at:]
    if data.draw(st.booleans()):
        text = text[data.draw(st.integers(0, 200)) :]
    if data.draw(st.booleans()):
        text = text[: data.draw(st.integers(0, len(text)))]
    try:
        found = runs(tmp_path, text)
    except CaptureError:
        return
    for run in found:
        for item in run.series:
            if item.metric == "step_time":
                pairs = zip(item.sample.labels, item.sample.values, strict=True)
                assert [pair for pair in pairs if true[pair[0]] != pair[1]] == []


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_garbled_bytes_crash_no_reader(tmp_path: Path, data: st.DataObject) -> None:
    text = bytearray(data.draw(st.sampled_from(sorted(FAMILIES.values()))).encode())
    for _ in range(data.draw(st.integers(0, 8))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
        if not text:
            return
    with contextlib.suppress(CaptureError):
        runs(tmp_path, bytes(text))


# ------------------------------------------------------------------------------------------------ command line
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_inspect_prints_each_in_both_languages(tmp_path: Path, name: str, language: str) -> None:
    path = tmp_path / "run.log"
    path.write_text(FAMILIES[name], encoding="utf-8")
    result = reportgen("inspect", path, "--language", language)
    assert (result.code, result.err) == (0, "")
    assert "?" not in result.out
    assert str(tmp_path) not in result.out


def test_inspect_says_both_figures_of_what_does_not_agree_and_where_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(VLLM.replace("736.2", "936.2"), encoding="utf-8")
    out = reportgen("inspect", path, "--language", "en").out
    assert "DOES NOT AGREE: 936.2 1/s at /output_throughput" in out
    assert "736.166306 1/s from its other figures" in out
    chinese = reportgen("inspect", path, "--language", "zh").out
    assert "不符" in chinese
    assert "无法判定" in chinese


def test_inspect_writes_json_in_base_units(tmp_path: Path) -> None:
    path = tmp_path / "train.log"
    path.write_text(megatron(1) + megatron(2), encoding="utf-8")
    found = json.loads(reportgen("inspect", path, "--json").out)
    step = next(item for item in found["runs"][0]["series"] if item["metric"] == "step_time")
    assert step["sample"]["values"][0] == {"value": 2.3456, "unit": "s", "exact": "2345600000 ns", "written": ""}
    assert found["runs"][0]["file"]["path"] == "train.log"


@pytest.mark.parametrize("written", ["1e999", "1e99", "1e-99", "0.0", "-5", "9" * 40])
def test_absurd_numbers_are_printed_or_left_out_in_every_output(tmp_path: Path, written: str) -> None:
    path = tmp_path / "x"
    texts = (megatron(1) + megatron(2, ms=written) + megatron(3), VLLM.replace("34.774751", written),
             SERVER.replace("5983.1", written), TABLE + f"3,{written}\n")  # fmt: skip
    for text in texts:
        path.write_text(text, encoding="utf-8")
        for options in ((), ("--json",)):
            assert reportgen("inspect", path, *options).code in (0, 2)


def test_options_of_captures_are_refused_for_a_file(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text(TABLE, encoding="utf-8")
    result = reportgen("inspect", path, "--ungraded")
    assert result.code == 2
    assert "[option_of_captures]" in result.err
