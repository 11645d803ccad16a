"""Logs and results that were edited: what their producer prints beside the edited figure tells, or is missed.

Each case is a goal that is not met on the honest files. The edit alone would meet it. Every file is written by hand
arithmetic: a figure is computed of the others as its producer computes it (docs/logs.md, identities).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from run_files import RATE, STEP, Judge, Runs, decide, fsdp2, megatron

from reportgen.model import Evaluation, Outcome, Standing
from reportgen.report.text_runs import runs_text
from reportgen.run_logs import read_runs


@pytest.fixture
def judge(tmp_path: Path, pair: Evaluation) -> Judge:
    return Judge(tmp_path, pair)


# ------------------------------------------------------------------------------------------------ evalscope
def evalscope(seconds: int, slower: float) -> dict[str, str]:
    """A folder of 500 requests of 100 and 100 tokens; TTFT of the percentile p is 50 + p ms, times ``slower``."""
    rate = 500 / seconds
    summary = {
        "Test Duration (s)": seconds, "Concurrency": 50, "Total Requests": 500, "Success Requests": 500,
        "Failed Requests": 0, "Req Throughput (req/s)": rate, "Avg Latency (s)": 48 / rate, "Avg Input Tokens": 100.0,
        "Avg Output Tokens": 100.0, "Output Throughput (tok/s)": rate * 100, "Total Throughput (tok/s)": rate * 200,
        "TTFT (ms)": 100 * slower,
    }  # fmt: skip
    percentiles = [
        {"Percentiles": f"{p}%", "TTFT (ms)": (50 + p) * slower, "Latency (s)": (1 + p / 100) * slower}
        for p in (10, 25, 50, 75, 90, 95, 99)
    ]
    held = {"summary": summary, "percentile": percentiles}
    return {f"parallel_50_number_500/benchmark_{name}.json": json.dumps(one) for name, one in held.items()}


P99 = {
    "metric": "latency", "kind": "ttft", "statistic": "p99", "direction": "at_most", "subject": "ratio",
    "limit": "100%",
}  # fmt: skip


def test_percentiles_copied_from_the_other_side_are_one_run(tmp_path: Path, pair: Evaluation) -> None:
    before, slower = evalscope(5, 1.0), evalscope(6, 1.1)  # P99 is 149 and 163.9 ms: 110 %
    runs = Runs(before=(before,), after=(slower,), goal=P99, agreed='may_differ = ["warm_up"]')
    assert decide(tmp_path / "honest", runs, pair).judgement.outcome is Outcome.NOT_MET
    copied = {name: (before if "percentile" in name else slower)[name] for name in slower}
    found = decide(tmp_path / "copied", runs.with_(after=(copied,)), pair).judgement
    assert (found.outcome, found.reason.code) == (Outcome.UNDECIDED, "log_given_twice")


def test_fewer_requests_of_the_same_arguments_are_another_load(tmp_path: Path, pair: Evaluation) -> None:
    """A data set that ends early: both sides asked for 500, and AFTER sent 250 in half the time."""
    before, after = evalscope(6, 1.0), evalscope(5, 0.9)
    halved = {name: text.replace(": 500,", ": 250,").replace('(s)": 5,', '(s)": 2.5,') for name, text in after.items()}
    goal = {**RATE, "kind": "requests_per_s"}
    runs = Runs(before=(before,), after=(after,), goal=goal, agreed='may_differ = ["warm_up"]')
    assert decide(tmp_path / "whole", runs, pair).judgement.outcome is Outcome.MET  # 100 / 83.3 requests a second
    found = decide(tmp_path / "half", runs.with_(after=(halved,)), pair)
    assert (found.judgement.outcome, found.judgement.reason.arg("facts")) == (Outcome.UNDECIDED, "num_prompts")


# ------------------------------------------------------------------------------------------------ lines of training
SLOW = tuple(f"{1900 + n % 5}.00" for n in range(16))
AFTER = tuple(f"{1800 + n % 5}.00" for n in range(16))
"""1802 / 1902 = 94.7 % of the time, where 85 % are agreed; a fifth less is 75.8 %."""
TAIL = tuple(f"{(1400 if n < 9 else 2900) + n % 5}.00" for n in range(16))
"""Seven of sixteen steps are slow: their mean is (9 x 1402 + 7 x 2902) / 16 = 2058 ms."""
MEAN = {**STEP, "statistic": "mean"}
Edit = Callable[[str], str]


def trainer(times: tuple[str, ...], size: int = 8) -> str:
    """A log of the second trainer of FSDP2: samples a second are the batch size over the time."""
    return "".join(
        f"iteration: {n} | consumed samples: {n * size} | elapsed time per iteration (ms): {float(ms):.1f} | "
        f"throughput(samples/s): {size * 1000 / float(ms):.1f} | learning rate: 1.0E-05 | "
        f"global batch size: {size:4d} | lm loss: 1.2345 | grad norm: 2.3456\n"
        for n, ms in enumerate(times, 1)
    )


def lines_of(text: str, edit: Callable[[int, str], str]) -> str:
    """The text with each line edited; lines count from 0."""
    return "".join(edit(n, line) for n, line in enumerate(text.splitlines(keepends=True)))


def faster(text: str) -> str:
    """Times of all steps a fifth smaller."""
    return re.sub(r"(iteration \(ms\): )([0-9.]+)", lambda m: f"{m[1]}{float(m[2]) * 0.8:.2f}", text)


def without(*keys: str) -> Edit:
    """An edit that takes keys out of every line."""
    pattern = "|".join(re.escape(key) for key in keys)
    return lambda text: re.sub(rf" (?:{pattern}): +[0-9.E+-]+ \|", "", text)


def every_second(edit: Edit) -> Edit:
    """An edit of every second line alone."""
    return lambda text: lines_of(text, lambda n, line: edit(line) if n % 2 else line)


def stampless(text: str) -> str:
    """Without the clock of each line."""
    return re.sub(r"\[2026[^]]*\] ", "", text)


def rates(text: str) -> str:
    """Tokens a second a quarter larger."""
    return re.sub(r"(tokens/s: )([0-9.]+)", lambda m: f"{m[1]}{float(m[2]) * 1.25:.2f}", text)


def then(*edits: Edit) -> Edit:
    """One edit after the other."""

    def edit(text: str) -> str:
        for one in edits:
            text = one(text)
        return text

    return edit


def mindformers(times: tuple[str, ...], samples: int = 8) -> str:
    """A log of MindFormers: its rates are 8 samples and 299.13 TFLOP over the time; the first step compiled."""
    head, text = "- [mindformers/core/callback/callback.py:529] - INFO -", ""
    for n, written in enumerate(times, 1):
        ms = 90000 if n == 1 else int(float(written))
        text += (
            f"{head} {{ Epoch:[  1/  1], step:[{n:5d}/   20], loss:[9.600/9.700], per_step_time: {ms}ms, lr: 1e-05, "
            f"overflow cond: False, loss_scale: 1.0, train_throughput_per_npu: {299130 / ms:.3f}T\n"
            f"{head}    5.3% |██              | {samples * 1000 / ms:.5f} samples/s/p  0:01:02 }}\n"
        )
    return text


def verl(times: tuple[str, ...], devices: int = 8, tokens: int = 160_000) -> str:
    """A log of verl: throughput is tokens over time and devices; the first step is left out as warm-up."""
    return "".join(
        f"(TaskRunner pid=1) step:{n} - timing_s/gen:0.5 - timing_s/step:{float(ms) / 1000} - "
        f"perf/total_num_tokens:{tokens} - perf/time_per_step:{float(ms) / 1000} - "
        f"perf/throughput:{tokens * 1000 / float(ms) / devices}\n"
        for n, ms in enumerate(times, 1)
    )


def table(times: tuple[str, ...]) -> str:
    """A table of steps."""
    return "step,step_time_ms\n" + "".join(f"{n},{ms}\n" for n, ms in enumerate(times, 1))


def changed(pattern: str, factor: float, digits: int = 3) -> Edit:
    """An edit of the figure behind each match of a pattern."""
    return lambda text: re.sub(f"({pattern})([0-9.]+)", lambda m: f"{m[1]}{float(m[2]) * factor:.{digits}f}", text)


def gone(pattern: str) -> Edit:
    """An edit that takes each match of a pattern out."""
    return lambda text: re.sub(pattern, "", text)


TOKENS = {**RATE, "kind": "tokens_per_s_global"}
DEVICE = {**RATE, "kind": "tokens_per_s_per_rank"}
BOTH_TIMES = then(changed("perf/time_per_step:", 0.8), changed("timing_s/step:", 0.8))
SAMPLES = r"(?m)^.*samples/s/p.*\n"
EDITS: dict[str, tuple[Callable[[tuple[str, ...]], str], dict[str, str], Edit]] = {
    "fsdp2: times": (fsdp2, STEP, faster),
    "fsdp2: times, the clock on every second line": (
        fsdp2, STEP, then(faster, without("tokens/s", "mfu"), every_second(stampless)),
    ),
    "fsdp2: rates": (fsdp2, TOKENS, rates),
    "fsdp2: rates, tokens on every second line": (fsdp2, TOKENS, then(rates, every_second(without("consumed tokens")))),
    "fsdp2: rates, without the MFU": (fsdp2, TOKENS, then(rates, without("consumed tokens", "mfu"))),
    "trainer: times": (trainer, STEP, faster),
    "trainer: times, without rates": (trainer, STEP, then(faster, without("throughput(samples/s)"))),
    "trainer: times, rates on every second line": (
        trainer, STEP, then(faster, every_second(without("throughput(samples/s)"))),
    ),
    "fsdp2: times, without clock and rates": (fsdp2, STEP, then(faster, stampless, without("tokens/s", "mfu"))),
    "fsdp2: times, a checkpoint after each": (
        fsdp2, STEP,
        then(faster, without("tokens/s", "mfu"), lambda text: text.replace("\n", "\nsaving checkpoint\n")),
    ),
    "mindformers: times": (mindformers, STEP, changed("per_step_time: ", 0.8, 0)),
    "mindformers: times, without samples": (mindformers, STEP, then(changed("per_step_time: ", 0.8, 0), gone(SAMPLES))),
    "mindformers: times, without both rates": (
        mindformers, STEP, then(changed("per_step_time: ", 0.8, 0), gone(SAMPLES), gone(", train_throughput[^\n]*")),
    ),
    "verl: one key of the time": (verl, STEP, changed("perf/time_per_step:", 0.8)),
    "verl: both keys of the time": (verl, STEP, BOTH_TIMES),
    "verl: times, without the rate": (
        verl, STEP, then(BOTH_TIMES, gone(" - perf/through.*")),
    ),
    "verl: rates of half the devices": (verl, DEVICE, changed("perf/throughput:", 2)),
    "verl: rates, without tokens": (verl, DEVICE, then(changed("perf/throughput:", 1.3), gone(r"perf/total\S+ - "))),
}  # fmt: skip
"""Title -> (log, goal, edit of AFTER)."""


@pytest.mark.parametrize("title", EDITS)
def test_an_edit_that_the_other_figures_of_the_lines_tell_of(title: str, judge: Judge) -> None:
    write, goal, edit = EDITS[title]
    honest = Runs(before=(write(SLOW),), after=(write(AFTER),), goal=goal)
    quick = tuple(f"{float(ms) * 0.75:.2f}" for ms in AFTER)
    assert judge.met(honest.with_(after=(write(quick),)))
    assert not judge.met(honest)
    assert not judge.met(honest.with_(after=(edit(honest.after[0]),)))


@pytest.mark.parametrize("keys", [("consumed samples", "global batch size"), ("consumed tokens", "mfu"), ("tokens/s",)])
def test_what_each_line_of_fsdp2_has_is_missed_on_both_sides(keys: tuple[str, ...], judge: Judge) -> None:
    """A batch or a sequence of half the length would not show otherwise."""
    half = Runs(
        before=(fsdp2(SLOW),), after=(fsdp2(tuple(f"{float(ms) / 2}" for ms in SLOW), tokens=16384),), goal=STEP
    )
    less = without(*keys)
    assert not judge.met(half.with_(before=(less(half.before[0]),), after=(less(half.after[0]),)))


def test_what_each_step_of_verl_has_is_missed_on_both_sides(judge: Judge) -> None:
    bad = Runs(before=(verl(SLOW),), after=(changed("perf/throughput:", 1.3)(verl(AFTER)),), goal=DEVICE)
    less = gone(r"perf/total\S+ - ")
    assert not judge.met(bad.with_(before=(less(bad.before[0]),), after=(less(bad.after[0]),)))


def test_half_a_batch_of_mindformers_is_seen(tmp_path: Path, pair: Evaluation) -> None:
    """Without the rate of operations too: 4 samples in 950 ms are as many a second as 8 in 1900 ms."""
    half = tuple(f"{float(ms) / 2}" for ms in SLOW)
    less = gone(", train_throughput[^\n]*")
    runs = Runs(before=(less(mindformers(SLOW)),), after=(less(mindformers(half, samples=4)),), goal=STEP)
    found = decide(tmp_path, runs, pair)
    assert (found.judgement.outcome, found.judgement.reason.arg("facts")) == (Outcome.UNDECIDED, "samples_per_step")
    assert [one.value for one in (found.facts["samples_per_step"].before, found.facts["samples_per_step"].after)] == [
        "8", "4",
    ]  # fmt: skip


def test_another_number_of_devices_of_verl_is_seen(tmp_path: Path, pair: Evaluation) -> None:
    runs = Runs(before=(verl(SLOW),), after=(verl(AFTER, devices=4),), goal=DEVICE)
    found = decide(tmp_path, runs, pair)
    assert (found.judgement.outcome, found.judgement.reason.arg("facts")) == (Outcome.UNDECIDED, "devices")


@pytest.mark.parametrize(("factor", "outcome"), [("0.5", Outcome.UNDECIDED), ("0.8", Outcome.MET)])
def test_twice_the_devices_of_fsdp2_show_in_the_mfu(
    factor: str, outcome: Outcome, tmp_path: Path, pair: Evaluation
) -> None:
    """As many tokens in 0.6 of the time at 1 / 0.6 of half the MFU: twice the devices; at 0.8 of it another formula."""
    quick = tuple(f"{float(ms) * 0.6:.2f}" for ms in SLOW)
    found = decide(tmp_path, Runs(before=(fsdp2(SLOW),), after=(fsdp2(quick, mfu_factor=factor),), goal=STEP), pair)
    assert found.judgement.outcome is outcome
    standing = Standing.BLOCKING if outcome is Outcome.UNDECIDED else Standing.BIAS
    assert found.facts["flops_per_step"].standing is standing


def test_relations_that_one_log_lacks_are_named(tmp_path: Path, pair: Evaluation) -> None:
    """BEFORE shows clock, tokens a second and MFU; from AFTER they were taken. Samples are counted in both."""
    less = then(stampless, without("tokens/s", "mfu"))
    quick = tuple(f"{float(ms) * 0.75:.2f}" for ms in AFTER)
    runs = Runs(before=(fsdp2(SLOW),), after=(less(fsdp2(quick)),), goal=STEP)
    found = decide(tmp_path, runs, pair)
    assert found.judgement.outcome is Outcome.UNDECIDED
    fact = found.facts["relations"]
    assert (fact.reason.code, dict(fact.reason.args)) == (
        "run_relations_differ",
        {"before": "I1, I2, I3, I4", "after": "I2"},
    )
    assert (fact.standing, fact.before.value, fact.after.value) == (Standing.UNKNOWN, "I1, I2, I3, I4", None)
    agreed = decide(tmp_path / "agreed", runs.with_(agreed='may_differ = ["relations"]'), pair)
    assert agreed.judgement.outcome is Outcome.MET


RELATIONS = [
    (mindformers, "每秒样本数 × 步时间为常数", "samples per second × step time is constant", "I5"),
    (trainer, "batch size / 时间 = 每秒样本数", "batch size / time = samples per second", "I3"),
    (verl, "同一步耗时的两个键数值一致", "both keys of the time of a step give one time", "I6"),
]


@pytest.mark.parametrize(("write", "zh", "en", "identity"), RELATIONS)
def test_each_relation_of_an_identity_is_told_as_what_it_is(
    write: Callable[[tuple[str, ...]], str], zh: str, en: str, identity: str, tmp_path: Path
) -> None:
    (tmp_path / "a.log").write_text(write(SLOW), encoding="utf-8")
    runs = read_runs(tmp_path / "a.log")
    assert f"{identity} {en}" in runs_text(runs, "en")
    assert f"{identity} {zh}" in runs_text(runs, "zh")


def test_samples_of_a_rank_are_no_tokens(tmp_path: Path) -> None:
    """8 samples in 1900 ms are 4.21053 a second."""
    (tmp_path / "a.log").write_text(mindformers(SLOW[:3]), encoding="utf-8")
    told = runs_text(read_runs(tmp_path / "a.log"), "en")
    line = next(one for one in told.splitlines() if "samples per second and rank" in one)
    assert "samples/s" in line
    assert "tokens/s" not in line


EACH = {"table": table, "trainer": trainer, "mindformers": mindformers, "verl": verl, "fsdp2": fsdp2}


@pytest.mark.parametrize("family", EACH)
def test_every_second_line_taken_out_is_seen(family: str, judge: Judge) -> None:
    """Every second step takes 1400 ms, every other one 2900 ms: their mean of 2150 ms is no 1900."""
    mixed = tuple(f"{(1400 if n % 2 else 2900) + n % 5}.00" for n in range(16))
    bad = Runs(before=(EACH[family](SLOW),), after=(EACH[family](mixed),), goal=MEAN)
    assert not judge.met(bad)
    held = 2 if family == "mindformers" else 1
    head = 1 if family == "table" else 0
    text = lines_of(bad.after[0], lambda n, line: line if n < head or (n - head) // held % 2 else "")
    assert not judge.met(bad.with_(after=(text,)))


def test_a_slow_beginning_of_one_side_alone_is_said(tmp_path: Path, pair: Evaluation) -> None:
    """Five of sixteen steps are a third rounded down: the warm-up rule leaves all of them out, and none of BEFORE."""
    slow = tuple(f"{(3000 if n < 5 else 1400) + n % 5}.00" for n in range(16))
    found = decide(tmp_path, Runs(before=(table(SLOW),), after=(table(slow),), goal=MEAN), pair)
    fact = found.facts["steps_left_out"]
    assert (found.judgement.outcome, fact.standing) == (Outcome.MET, Standing.BIAS)  # 1402 / 1902
    assert (fact.before.value, fact.after.value) == ("0", "5")


def test_lines_that_are_farther_apart_do_not_show_what_lies_between(tmp_path: Path, pair: Evaluation) -> None:
    quick = tuple(f"{float(ms) * 0.75:.2f}" for ms in AFTER)
    sparse = lines_of(table(quick), lambda n, line: line if n % 2 == 0 else "")  # its head, then steps 2, 4 ...
    found = decide(tmp_path, Runs(before=(table(SLOW),), after=(sparse,), goal=STEP), pair)
    fact = found.facts["steps_apart"]
    assert (fact.reason.code, dict(fact.reason.args)) == ("run_steps_apart", {"before": "1", "after": "2"})
    assert (found.judgement.outcome, fact.standing) == (Outcome.UNDECIDED, Standing.UNKNOWN)


LINES: dict[str, Callable[[tuple[str, ...]], str]] = {
    "fsdp2": fsdp2,
    "trainer": trainer,
    "megatron": lambda times: megatron(times, arguments={}),
    "mindformers": mindformers,
    "verl": verl,
}
TIME = {"mindformers": r"(per_step_time: )(29[0-9]+)", "verl": r"((?:timing_s/step|perf/time_per_step):)(2\.9[0-9]*)"}
"""Where a slow time stands, if not behind ``elapsed time per iteration (ms)``."""


@pytest.mark.parametrize("family", LINES)
@pytest.mark.parametrize("held", ["nan", "inf", "1e400", "0", "-1", "N/A", "1,500.0", "１５０.０", ""])
def test_slow_steps_that_give_no_number_are_not_left_out(family: str, held: str, judge: Judge) -> None:
    write = LINES[family]
    bad = Runs(before=(write(SLOW),), after=(write(TAIL),), goal=MEAN)
    assert not judge.met(bad)
    quick = tuple(f"{1400 + n % 5}.00" for n in range(16))
    assert judge.met(bad.with_(after=(write(quick),)))  # 1402 / 1902 = 73.7 %
    text = re.sub(TIME.get(family, r"(iteration \(ms\): )29[0-9.]+"), rf"\g<1>{held}", bad.after[0])
    assert text != bad.after[0]
    assert not judge.met(bad.with_(after=(text,)))


@pytest.mark.parametrize("family", ["fsdp2", "trainer", "megatron"])
@pytest.mark.parametrize("first", [True, False])
def test_a_time_that_stands_twice_on_a_line_gives_none(family: str, first: bool, judge: Judge) -> None:
    bad = Runs(before=(LINES[family](SLOW),), after=(LINES[family](AFTER),), goal=STEP)
    other = "elapsed time per iteration (ms): 900.0"
    edited = re.sub(
        r"elapsed time per iteration \(ms\): [0-9.]+",
        lambda m: f"{other} | {m[0]}" if first else f"{m[0]} | {other}",
        bad.after[0],
    )
    assert edited != bad.after[0]
    assert not judge.met(bad.with_(after=(edited,)))
