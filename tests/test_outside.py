"""Goals that rest on logs and result files of runs outside the profile."""

from __future__ import annotations

import csv
import json
import math
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jobs import write_pair
from scipy import stats

from reportgen import samples
from reportgen.contract import check_target, read_target
from reportgen.errors import CaptureError
from reportgen.gate_facts import steady_log_facts
from reportgen.model import Evaluation, Judgement, LoggedRun, Outcome, Quantity, Side
from reportgen.outside import step_ranges, told_apart
from reportgen.pipeline import build_report, evaluate
from reportgen.report import html, tables
from reportgen.report.document import Number
from reportgen.report.serialize import to_json

HEAD = """
schema = 1
decision_rule = "{rule}"
[contract]
reference = "T"
[[case]]
id = "C"
clause = "1"
[case.workload]
checkpoint_steps = {checkpoints}
"""
GOAL = """
[[case.goal]]
id = "G"
metric = "{metric}"
kind = "{kind}"
statistic = "{statistic}"
direction = "{direction}"
subject = "{subject}"
limit = "{limit}"
"""
LINE = (
    " [2026-01-01 10:{minute:02d}:{second:02d}] iteration {n:8d}/    2000 | consumed samples: {samples:12d} |"
    " elapsed time per iteration (ms): {ms} | learning rate: 1.250000E-06 | global batch size:   128 |"
    " lm loss: 9.876543E+00 | loss scale: 1.0 | grad norm: 3.210 | number of skipped iterations:   0 |"
    " number of nan iterations:   0 |\n"
)
"""An iteration line of the Megatron family."""
VLLM = {
    "date": "20260101-100000", "backend": "openai-chat", "model_id": "Qwen3-8B", "num_prompts": 200,
    "request_rate": "inf", "max_concurrency": 16, "duration": 40.0, "completed": 200, "failed": 0,
    "total_input_tokens": 204800, "total_output_tokens": 25600, "request_throughput": 5.0,
    "output_throughput": 640.0, "total_token_throughput": 5760.0, "mean_ttft_ms": 341.8, "median_ttft_ms": 340.8,
    "p99_ttft_ms": 475.5, "mean_tpot_ms": 31.4, "median_tpot_ms": 31.3, "p99_tpot_ms": 32.4,
}  # fmt: skip
"""A result of vllm bench serve; its throughputs are 200 / 40, 25600 / 40 and 230400 / 40."""
BEFORE_MS = ("500.0", "510.0", "505.0", "495.0", "500.0", "502.0", "498.0", "506.0")
AFTER_MS = ("405.0", "398.0", "410.0", "400.0", "395.0", "406.0", "402.0", "400.0")
AGAIN_MS = ("401.0", "399.0", "404.0", "407.0", "396.0", "403.0", "400.0", "409.0")


def megatron(times: tuple[str, ...], interval: int = 1) -> str:
    """A log of lines one interval apart, whose clock runs with the times."""
    lines, elapsed = [], Fraction(0)
    for n, ms in enumerate(times, 1):
        elapsed += Fraction(ms) * interval / 1000
        lines.append(
            LINE.format(
                minute=int(elapsed // 60), second=int(elapsed % 60), n=n * interval, samples=128 * n * interval, ms=ms
            )
        )
    return "".join(lines)


def table(times: tuple[str, ...]) -> str:
    """A table of steps."""
    return "step,step_time_ms\n" + "".join(f"{n},{ms}\n" for n, ms in enumerate(times, 1))


def vllm(seconds: str = "40.0") -> str:
    """A result that took so long for the same tokens."""
    spent = Fraction(seconds)
    found = {**VLLM, "duration": float(spent), "request_throughput": float(200 / spent)}
    found |= {"output_throughput": float(25600 / spent), "total_token_throughput": float(230400 / spent)}
    return json.dumps(found)


def logged(
    root: Path,
    files: list[tuple[str, str, dict[str, Any]]],
    rule: str = "guarded",
    checkpoints: str = '"none"',
    **goal: str,
) -> Evaluation:
    """The evaluation of a pair whose target names logs: (side, text, further keys)."""
    text = HEAD.format(rule=rule, checkpoints=checkpoints)
    words = {"metric": "step_time", "kind": "", "statistic": "median", "direction": "at_most", "subject": "after"}
    text += GOAL.format(**{**words, "limit": "430 ms", **goal}).replace('kind = ""\n', "")
    for n, (side, content, more) in enumerate(files):
        (root / f"log{n}.txt").write_text(content, encoding="utf-8")
        text += f'\n[[case.log]]\nside = "{side}"\nfile = "log{n}.txt"\n'
        text += "".join(f"{key} = {json.dumps(value)}\n" for key, value in more.items())
    (root / "target.toml").write_text(text, encoding="utf-8")
    return evaluate(*write_pair(root / "pair"), target=read_target(root / "target.toml"))


def judged(*args: Any, **kwargs: str) -> Judgement:
    found = logged(*args, **kwargs).verdict
    assert found is not None
    return found.judgements[0]


UNPROFILED = {"profiled": False}


def pair(before: str, after: str, **more: Any) -> list[tuple[str, str, dict[str, Any]]]:
    tags = {**UNPROFILED, **more}
    return [("before", before, tags), ("after", after, tags)]


# --------------------------------------------------------------------------------------------- one run a side
def test_the_verdict_rests_on_the_unprofiled_log(tmp_path: Path) -> None:
    # Median of 395, 398, 400, 400, 402, 405, 406, 410: (400 + 402) / 2 = 401 ms; the profiled pair takes about 1 ms.
    one = judged(tmp_path, pair(megatron(BEFORE_MS), megatron(AFTER_MS)))
    assert one.value == Quantity(value=401_000_000, unit="ns")
    assert (one.outcome, one.measured_outside) == (Outcome.MET, True)
    assert {o.file for o in one.origins} == {"log:after/log1.txt"}
    assert one.interval is not None
    # of eight values the median lies from the first to the last: P(B < 1) = 1/256, P(B < 2) = 9/256 is above 2.5 %
    assert (one.interval.high.value, one.interval.method) == (410_000_000, "one-side-median")
    assert "single_run" in {r.code for r in one.reservations}


@pytest.mark.parametrize(("metric", "outcome"), [("step_time", Outcome.UNDECIDED), ("throughput", Outcome.MET)])
def test_a_stated_spread_between_runs_widens_the_interval_of_its_metric(
    tmp_path: Path, metric: str, outcome: Outcome
) -> None:
    # 401 ms against 430 ms is 7 % on logs; of 10 % between runs 1.96 x 10 % = 19.6 % alone
    logged(tmp_path, pair(megatron(BEFORE_MS), megatron(AFTER_MS)))
    target = tmp_path / "target.toml"
    kind = 'kind = "requests_per_s"\n' if metric == "throughput" else ""
    more = (
        f'[[between_captures]]\nof = "runs"\nmetric = "{metric}"\n{kind}relative_sd = "10%"\ndetermined = "our runs"\n'
    )
    target.write_text(f"{target.read_text(encoding='utf-8')}\n{more}", encoding="utf-8")
    found = evaluate(tmp_path / "pair" / "before", tmp_path / "pair" / "after", target=read_target(target)).verdict
    assert found is not None
    one = found.judgements[0]
    assert (one.outcome, one.between is not None) == (outcome, metric == "step_time")
    codes = {r.code for r in one.reservations}
    assert ("single_run_stated" in codes, "single_run" in codes) == (metric == "step_time", metric != "step_time")
    assert "single_run_bare" not in codes  # the steps give an interval
    if metric == "step_time":
        expected = samples.limit_interval(
            [Fraction(ms) * 10**6 for ms in AFTER_MS], between=samples.Between(u=0.1)
        ).interval
        assert expected is not None
        assert one.interval is not None
        assert float(one.interval.high.value) == pytest.approx(expected.high)


def test_a_ratio_of_two_logs(tmp_path: Path) -> None:
    one = judged(tmp_path, pair(megatron(BEFORE_MS), megatron(AFTER_MS)), subject="ratio", limit="85%")
    found = samples.ratio_before_after([Fraction(v) for v in BEFORE_MS], [Fraction(v) for v in AFTER_MS])
    assert one.outcome is Outcome.MET
    assert found.interval is not None
    assert one.interval is not None
    assert float(one.interval.high.value) == pytest.approx(found.interval.high)
    assert one.comparison is not None
    assert one.comparison.delta == Quantity(value=-100_000_000, unit="ns")  # medians 501 and 401 ms


def test_warm_up_and_checkpoint_steps_leave_a_log_too(tmp_path: Path) -> None:
    times = ("9000.0", *AFTER_MS, "800.0")  # the first step compiles; step 10 saves
    one = judged(tmp_path, pair(megatron(BEFORE_MS), megatron(times)), checkpoints="[10]")
    assert one.value == Quantity(value=401_000_000, unit="ns")
    formula = "median of 8 values; left out by the warm-up rule: no. 1; left out as checkpoint steps: no. 10"
    assert [origin.formula for origin in one.origins] == [formula]


def test_nothing_is_formed_of_runs_that_are_not_alike(tmp_path: Path) -> None:
    """Medians of 501 and 401 ms, batches of 128 and 64: neither 80 % nor a quarter more speed, for no goal."""
    halved = re.sub(r"(samples: +)(\d+)", lambda it: f"{it[1]}{int(it[2]) // 2}", megatron(AFTER_MS))
    halved = halved.replace("batch size:   128", "batch size:    64")
    unlike = pair(megatron(BEFORE_MS), halved)
    for name, goal in (("ratio", {"subject": "ratio", "limit": "85%"}), ("after", {"limit": "500 ms"})):
        (tmp_path / name).mkdir()
        report = build_report(logged(tmp_path / name, unlike, **goal))
        (one,) = report.goals
        assert (one.unlike, one.outcome.value) == ((True, "undecided") if name == "ratio" else (False, "met"))
        sides = [side.quantity.value for side in (one.before, one.after) if isinstance(side, Number)]
        assert sides == [501_000_000, 401_000_000]
        assert not isinstance(one.delta, Number)
        assert not isinstance(one.change, Number)
        assert one.speed is None


def test_a_judged_ratio_can_be_computed_again_from_the_values_in_the_outputs(tmp_path: Path) -> None:
    # 9000 ms compiles and step 10 saves: what is left are the eight values, whose ratio the oracle of samples gives.
    times = ("9000.0", *AFTER_MS, "800.0")
    found = logged(
        tmp_path, pair(megatron(BEFORE_MS), megatron(times)), checkpoints="[10]", subject="ratio", limit="85%"
    )
    report = build_report(found)
    (goal,), (before, after) = report.goals, report.runs
    written = json.loads(to_json(report))["runs"][1]["series"][0]
    assert (written["labels"][0], written["values"][0], written["unit"]) == ("1", "9000000000", "ns")
    assert written["left_out"] == ["warm_up", *[""] * 8, "checkpoint"]
    rows = list(csv.DictReader(tables.render(report, "en")["tables/samples.csv"].decode("utf-8-sig").splitlines()))
    of_logs = [row for row in rows if row["file"]]
    out = [(row["step"], row["left out"]) for row in of_logs if row["file"] == after.file and row["left out"] != "no"]
    assert out == [("1", "as warm-up"), ("10", "as a checkpoint step")]
    kept = [
        [Fraction(row["value"]) for row in of_logs if row["file"] == run.file and row["left out"] == "no"]
        for run in (before, after)
    ]
    again = samples.ratio_before_after(kept[0], kept[1])
    assert isinstance(goal.value, Number)
    assert goal.interval is not None
    assert again.interval is not None
    assert float(goal.value.quantity.value) == pytest.approx(float(again.ratio))
    assert float(goal.interval.high.quantity.value) == pytest.approx(again.interval.high)
    page = html.render(report, language="en", digest="0" * 64)
    assert "step time: 8 of 10 values count; steps left out: warm-up 1; checkpoint 10 [O" in page
    facts = {fact.name: fact.after_text for gate in report.gates if gate.id == "G4" for fact in gate.facts}
    assert (facts["log_steps_kept"], facts["log_steps_left_out"]) == ("8", f"{after.file}: 1, 10")


def test_a_goal_on_several_runs_holds_the_value_of_each(tmp_path: Path) -> None:
    # Medians of eight steps, the mean of the fourth and fifth: 500 and 502; 507 and 508; 400 and 402; 401 and 403.
    other = ("506.0", "511.0", "507.0", "501.0", "508.0", "503.0", "513.0", "510.0")
    logs = pair(megatron(BEFORE_MS), megatron(AFTER_MS)) + pair(megatron(other), megatron(AGAIN_MS))
    (goal,) = build_report(logged(tmp_path, logs, subject="ratio", limit="85%")).goals
    each = [[one.quantity.value for one in some] for some in (goal.each_before, goal.each_after)]
    assert each == [[501_000_000, 507_500_000], [401_000_000, 402_000_000]]


def test_a_run_that_two_cases_rest_on_stands_once_in_the_gate_of_steady_steps(tmp_path: Path) -> None:
    found = logged(tmp_path, pair(megatron(BEFORE_MS), megatron(AFTER_MS)), subject="ratio", limit="85%")
    target, runs = found.target, found.runs
    assert target is not None
    (case, *_none) = target.cases
    twice = tuple(replace(run, case="again") for run in runs)
    facts, fewest = steady_log_facts((*runs, *twice), (case, replace(case, id="again")), tuple(Side))
    kept, left = facts
    assert (kept.before, kept.after, fewest) == ("8", "8", 8)
    assert [text.count(": ") for text in (str(left.before), str(left.after))] == [1, 1]


def test_steps_left_out_are_named_as_ranges() -> None:
    assert step_ranges(["1", "2", "3", "60"]) == "1-3, 60"
    assert step_ranges([str(n) for n in range(0, 40, 2)]) == "0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, ... (20)"


def test_means_of_intervals_give_a_mean_and_nothing_else(tmp_path: Path) -> None:
    log = megatron(("400.0", "410.0", "420.0"), interval=10)
    mean = judged(tmp_path, pair(log, log), rule="simple", statistic="mean")
    assert mean.value == Quantity(value=410_000_000, unit="ns")
    (other := tmp_path / "m").mkdir()
    median = judged(other, pair(log, log), rule="simple")
    assert (median.outcome, median.reason.code) == (Outcome.UNDECIDED, "interval_means")


def test_a_log_of_one_side_does_not_mix_with_a_profile(tmp_path: Path) -> None:
    # A ratio needs both sides: without a log of BEFORE it rests neither on a log and a capture nor on the captures,
    # which would let whoever leaves a log out choose what is judged.
    one = judged(tmp_path, [("after", megatron(AFTER_MS), UNPROFILED)], subject="ratio", limit="95%")
    assert (one.outcome, one.reason.code, one.origins) == (Outcome.UNDECIDED, "log_of_one_side", ())


# --------------------------------------------------------------------------------------------- what stops it
def test_a_log_that_contradicts_itself_is_not_judged(tmp_path: Path) -> None:
    edited = megatron(AFTER_MS).replace("consumed samples:          512", "consumed samples:          500")
    assert edited != megatron(AFTER_MS)
    one = judged(tmp_path, pair(megatron(BEFORE_MS), edited))
    assert (one.outcome, one.reason.code) == (Outcome.UNDECIDED, "log_contradicts_itself")
    assert (one.reason.arg("identity"), one.reason.arg("expected")) == ("I2", "128")


def test_shortened_times_disagree_with_the_clock(tmp_path: Path) -> None:
    # Every time is written 5 % shorter than the clock shows; the clock may be ahead by 1 % and a second.
    slow = tuple(str(int(float(ms) * 40)) + ".0" for ms in AFTER_MS)
    log = megatron(slow)
    for ms in sorted(set(slow)):
        log = log.replace(f"(ms): {ms} ", f"(ms): {float(Fraction(ms) * Fraction(95, 100)):.1f} ")
    one = judged(tmp_path, pair(megatron(BEFORE_MS), log))
    assert (one.reason.code, one.reason.arg("identity")) == ("log_contradicts_itself", "I1")


def test_a_clock_that_also_waits_for_lines_is_no_contradiction(tmp_path: Path) -> None:
    slow = tuple(str(int(float(ms) * 40)) + ".0" for ms in AFTER_MS)
    log = megatron(slow)
    for ms in sorted(set(slow)):
        log = log.replace(f"(ms): {ms} ", f"(ms): {float(ms) * 0.995:.1f} ")
    assert judged(tmp_path, pair(megatron(BEFORE_MS), log), limit="20 s").outcome is Outcome.MET


def test_two_definition_sets_do_not_compare(tmp_path: Path) -> None:
    one = judged(tmp_path, pair(table(BEFORE_MS), megatron(AFTER_MS)), subject="ratio", limit="85%")
    assert one.reason.code == "definitions_differ"
    assert one.outcome is Outcome.UNDECIDED


def test_a_profiled_run_is_not_held_against_an_unprofiled_one(tmp_path: Path) -> None:
    files = [("before", megatron(BEFORE_MS), {"profiled": True}), ("after", megatron(AFTER_MS), {"profiled": False})]
    assert judged(tmp_path, files, subject="ratio", limit="85%").reason.code == "profiled_mixed"


def test_what_nobody_stated_is_said(tmp_path: Path) -> None:
    files = [("after", megatron(AFTER_MS), {})]
    assert "profiled_not_stated" in {r.code for r in judged(tmp_path, files).reservations}


@pytest.mark.parametrize("subject", ["after", "ratio", "delta"])
@pytest.mark.parametrize("repeated", [False, True])
def test_values_alike_to_the_last_digit_do_not_prove_themselves(tmp_path: Path, subject: str, repeated: bool) -> None:
    """A log that rounds to 0.1 s hides the spread; an interval without width would decide any limit."""
    flat = table(("500",) * 8), table(("400",) * 8)
    files = pair(*flat)
    if repeated:  # other runs, the same values: one has a step more
        files += pair(table(("500",) * 9), table(("400",) * 9))
    limit = {"after": "430 ms", "ratio": "0.9", "delta": "-50 ms"}[subject]
    found = judged(tmp_path, files, subject=subject, limit=limit)
    assert (found.outcome, found.interval) == (Outcome.UNDECIDED, None)
    if not repeated:
        assert found.reason.code == "no_spread_guarded"
    (tmp_path / "simple").mkdir()
    by_estimate = judged(tmp_path / "simple", files, "simple", subject=subject, limit=limit)
    assert by_estimate.outcome is Outcome.MET  # 400 <= 430; 400/500 = 0.8 <= 0.9; 400 - 500 = -100 <= -50
    assert "no_interval_simple" in {reason.code for reason in by_estimate.reservations}


@pytest.mark.parametrize(
    ("found", "expected", "unit", "texts"),
    [
        (29 * 10**9, 22_896_000_000, "ns", ("29 s", "22.896 s")),
        (1_500_000, 2_000_000, "ns", ("1.5 ms", "2 ms")),
        (Fraction(2665100000000000000, 433078749999999999), 6, "1", ("6.15385", "6")),
        (Fraction(10_000_001, 10), 1_000_000, "1/s", ("1000000.1 1/s", "1000000 1/s")),  # eight digits show it
    ],
)
def test_two_figures_that_contradict_each_other_are_told_in_few_digits(
    found: int | Fraction, expected: int, unit: str, texts: tuple[str, str]
) -> None:
    assert told_apart(Quantity(value=found, unit=unit), Quantity(value=expected, unit=unit)) == texts


def test_one_side_whose_values_are_all_alike_has_no_spread(tmp_path: Path) -> None:
    """Fifteen of BEFORE's twenty values are 500 too: both ends of the interval are 400 / 500."""
    before, after = ("500",) * 8 + ("510",) * 5 + ("500",) * 7, ("400",) * 20
    found = judged(tmp_path, pair(table(before), table(after)), subject="ratio", limit="0.9")
    assert (found.outcome, found.reason.code) == (Outcome.UNDECIDED, "no_spread_guarded")


def test_a_log_that_changes_between_target_and_reading_is_refused(tmp_path: Path) -> None:
    sides = write_pair(tmp_path / "pair")
    text = HEAD.format(rule="simple", checkpoints='"none"') + GOAL.format(
        metric="step_time", kind="", statistic="median", direction="at_most", subject="after", limit="430 ms"
    ).replace('kind = ""\n', "")
    log = tmp_path / "steps.csv"
    log.write_text(table(BEFORE_MS))
    (tmp_path / "target.toml").write_text(text + '[[case.log]]\nside = "after"\nfile = "steps.csv"\nprofiled = false\n')
    agreed = read_target(tmp_path / "target.toml")
    log.write_text(table(AFTER_MS))
    with pytest.raises(CaptureError) as fault:
        evaluate(*sides, target=agreed)
    assert fault.value.code == "file_changed"


def test_a_statistic_that_the_result_lacks_is_not_made_up(tmp_path: Path) -> None:
    goal = {"metric": "latency", "kind": "tpot", "statistic": "p90", "limit": "50 ms"}
    one = judged(tmp_path, pair(vllm(), vllm()), **goal)
    assert (one.outcome, one.reason.code) == (Outcome.UNDECIDED, "statistic_not_logged")


def test_one_run_given_twice_is_no_repeat(tmp_path: Path) -> None:
    # Thrice the same result has no spread at all, and would be met at any limit below 640 tokens/s.
    copied = json.dumps({**json.loads(vllm("40.0")), "date": "20260102-100000"}) + " "
    for n, files in enumerate(([vllm("40.0")] * 3, [vllm("40.0"), vllm("40.4"), copied])):
        (root := tmp_path / str(n)).mkdir()
        one = judged(root, [("after", text, UNPROFILED) for text in files], **RATE)
        assert (one.outcome, one.reason.code) == (Outcome.UNDECIDED, "log_given_twice")


def test_a_run_is_not_held_against_itself(tmp_path: Path) -> None:
    same = pair(megatron(AFTER_MS), megatron(AFTER_MS) + "\n")
    one = judged(tmp_path, same, rule="simple", subject="ratio", limit="100%")
    assert (one.outcome, one.reason.code) == (Outcome.UNDECIDED, "log_given_twice")


@pytest.mark.parametrize(("rule", "outcome"), [("simple", Outcome.NOT_MET), ("guarded", Outcome.UNDECIDED)])
def test_a_ratio_of_means_is_judged_on_the_means(tmp_path: Path, rule: str, outcome: Outcome) -> None:
    # BEFORE: mean of 500 to 504 is 502 ms. AFTER: 15 steps of 400 to 404 (6030), 4000, 4100, 4000, and 400, 401:
    # 18931 / 20 = 946.55 ms. 946.55 / 502 = 1.886, though the middle of the steps became 20 % faster.
    before = ("500.0", "501.0", "502.0", "503.0", "504.0") * 4
    after = ("400.0", "401.0", "402.0", "403.0", "404.0") * 3 + ("4000.0", "4100.0", "4000.0", "400.0", "401.0")
    logs = pair(megatron(before), megatron(after))
    one = judged(tmp_path, logs, rule=rule, statistic="mean", subject="ratio", limit="95%")
    assert one.value == Quantity(value=Fraction("946.55") / 502, unit="1")
    assert one.outcome is outcome


def test_a_typed_value_that_contradicts_the_log_stops_the_goal(tmp_path: Path) -> None:
    for value, outcome in (("640 tokens/s", Outcome.MET), ("640.4 tokens/s", Outcome.UNDECIDED)):
        (root := tmp_path / outcome.value).mkdir()
        (root / "typed.log").write_text("x", encoding="utf-8")
        typed = (
            'limit = "600 tokens/s"\n[[case.external]]\nside = "after"\nmetric = "throughput"\n'
            f'kind = "output_tokens_per_s"\nstatistic = "mean"\nvalue = "{value}"\nconditions = "c"\n'
            'file = "typed.log"\nlocator = "line 1'
        )
        goal = {**RATE, "limit": typed.removeprefix('limit = "')}
        one = judged(root, [("after", vllm("40.0"), UNPROFILED)], rule="simple", **goal)
        assert one.outcome is outcome
    assert one.reason.code == "typed_contradicts_log"


# --------------------------------------------------------------------------------------------- results and repeats
RATE = {
    "metric": "throughput", "kind": "output_tokens_per_s", "statistic": "mean", "direction": "at_least",
    "limit": "600 tokens/s",
}  # fmt: skip


def test_a_result_of_one_run_is_decided_by_the_simple_rule_alone(tmp_path: Path) -> None:
    one = judged(tmp_path, pair(vllm("50.0"), vllm("40.0")), rule="simple", **RATE)
    assert (one.value.value, one.value.unit) == (640, "1/s")  # type: ignore[union-attr]
    assert one.outcome is Outcome.MET
    (other := tmp_path / "g").mkdir()
    guarded = judged(other, pair(vllm("50.0"), vllm("40.0")), **RATE)
    assert (guarded.outcome, guarded.reason.code) == (Outcome.UNDECIDED, "no_interval_once")


def test_one_run_held_against_two_is_told_what_it_takes(tmp_path: Path) -> None:
    files = [*pair(table(BEFORE_MS), table(AFTER_MS)), ("after", table(AGAIN_MS), UNPROFILED)]
    one = judged(tmp_path, files, subject="ratio", limit="0.9")
    assert (one.outcome, one.reason.code) == (Outcome.UNDECIDED, "no_interval_once")


def test_runs_of_a_side_are_repeats(tmp_path: Path) -> None:
    # 25600 tokens in 40.0, 40.4 and 39.6 s: 640, 633.66 and 646.46 tokens/s; mean +- t(2) s / sqrt(3)
    seconds = ("40.0", "40.4", "39.6")
    files = [("after", vllm(s), UNPROFILED) for s in seconds]
    one = judged(tmp_path, files, **RATE)
    rates = np.array([25600 / float(s) for s in seconds])
    half = stats.t.ppf(0.975, 2) * rates.std(ddof=1) / np.sqrt(3)
    assert one.interval is not None
    assert float(one.interval.low.value) == pytest.approx(rates.mean() - half)
    assert one.outcome is Outcome.MET
    assert "single_run" not in {r.code for r in one.reservations}


@pytest.mark.parametrize(
    ("subject", "seconds", "limit", "sides"),
    [
        # 640, 604 and 660 tokens/s have a mean of 634.6 and s = 4.4 % on logs: 615 tokens/s is 3.1 % away
        ("after", {"after": ("40.0", "42.4", "38.8")}, "615 tokens/s", 1),
        ("ratio", {"before": ("50", "52", "48"), "after": ("40", "42", "38")}, "121%", 2),
    ],
)  # fmt: skip
def test_a_goal_on_runs_says_how_many_would_decide_it(
    tmp_path: Path, subject: str, seconds: dict[str, tuple[str, ...]], limit: str, sides: int
) -> None:
    """(t(.975) + t(.8)) s sqrt(k / r) within the distance on logs, by scipy's t; s pooled over the sides."""
    warm = {"num_warmups": "16"}
    files = [
        (side, json.dumps({**json.loads(vllm(s)), **warm}), UNPROFILED) for side, some in seconds.items() for s in some
    ]
    one = judged(tmp_path, files, **{**RATE, "subject": subject, "limit": limit})
    assert (one.outcome, one.reason.code) == (Outcome.UNDECIDED, "interval_crosses_limit")
    logs = [np.log([25600 / float(s) for s in some]) for some in seconds.values()]
    s = math.sqrt(sum(((part - part.mean()) ** 2).sum() for part in logs) / sum(len(part) - 1 for part in logs))
    assert isinstance(one.value, Quantity)
    gap = abs(math.log(float(one.value.value) / float(one.goal.limit.value)))
    expected = next(
        r
        for r in range(3, 101)
        if (stats.t.ppf(0.975, sides * (r - 1)) + stats.t.ppf(0.8, sides * (r - 1))) * s * math.sqrt(sides / r) <= gap
    )
    assert expected > 3
    assert one.captures_needed == Quantity(value=expected, unit="1")


def test_a_goal_on_one_run_says_nothing_of_how_many(tmp_path: Path) -> None:
    """Nothing is known of the spread between runs."""
    one = judged(tmp_path, [("after", megatron(AFTER_MS), UNPROFILED)], limit="401 ms")
    assert (one.reason.code, one.captures_needed) == ("interval_crosses_limit", None)


def test_a_file_of_several_runs_needs_a_number(tmp_path: Path) -> None:
    both = vllm("40.0") + "\n" + vllm("50.0") + "\n"
    with pytest.raises(CaptureError) as caught:
        judged(tmp_path, [("after", both, UNPROFILED)], **RATE)
    assert caught.value.code == "log_several_runs"
    assert "case[0].log[0].segment" in (caught.value.hint or "")
    (other := tmp_path / "n").mkdir()
    one = judged(other, [("after", both, {**UNPROFILED, "segment": 1})], rule="simple", **RATE)
    assert (one.value.value, one.value.unit) == (512, "1/s")  # type: ignore[union-attr]
    assert one.outcome is Outcome.NOT_MET
    (third := tmp_path / "o").mkdir()
    with pytest.raises(CaptureError, match="none with number 7"):
        judged(third, [("after", both, {**UNPROFILED, "segment": 7})], **RATE)


# --------------------------------------------------------------------------------------------- target and report
def test_faults_of_a_log_are_told_behind_its_key(tmp_path: Path) -> None:
    text = HEAD.format(rule="simple", checkpoints='"none"')
    text += GOAL.format(
        metric="step_time", kind="", statistic="median", direction="at_most", subject="after", limit="1 s"
    ).replace('kind = ""\n', "")
    text += '[[case.log]]\nside = "after"\nfile = "none.log"\nsegment = -1\nsha256 = "12"\n'
    (tmp_path / "t.toml").write_text(text, encoding="utf-8")
    faults = "\n".join(check_target(tmp_path / "t.toml"))
    for path in ("case[0].log[0].file", "case[0].log[0].segment", "case[0].log[0].sha256"):
        assert path in faults


def test_a_name_with_a_blank_at_its_end_is_the_same_name(tmp_path: Path) -> None:
    text = HEAD.format(rule="simple", checkpoints='"none"')
    text += '[[case.log]]\nside = "after"\nfile = "a.log\\n"\n'
    text += '[[case.external]]\nside = "after"\nmetric = "qps"\nstatistic = "mean"\nvalue = "5 QPS"\n'
    text += 'conditions = "c"\nfile = " a.log "\nlocator = "line 1"\n'
    (tmp_path / "a.log").write_text(megatron(AFTER_MS), encoding="utf-8")
    (tmp_path / "t.toml").write_text(text, encoding="utf-8")
    (case,) = read_target(tmp_path / "t.toml").cases
    assert [case.logs[0].file.path, case.external[0].file.path] == ["a.log", "a.log"]
    assert case.logs[0].path == str(tmp_path / "a.log")


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", ("Measured outside the profile", "megatron_interval_mean", "step time, unprofiled", "step time, profiled",
             "Steps of the captures, on which no goal of this metric is judged.", "checked, all hold")),
     ("zh", ("在性能采集之外测得", "megatron_interval_mean", "单步耗时，非采集态", "单步耗时，采集态",
             "图中为采集内的 step，本指标的目标不据此判定。", "均成立"))],
)  # fmt: skip
def test_the_report_shows_the_runs_and_every_number_its_origin(
    tmp_path: Path, language: str, words: tuple[str, ...]
) -> None:
    report = build_report(logged(tmp_path, pair(megatron(BEFORE_MS), megatron(AFTER_MS))))
    origins = {row.id for row in report.origins}
    assert [(run.side, run.tag) for run in report.runs] == [(Side.BEFORE, "unprofiled"), (Side.AFTER, "unprofiled")]
    assert {"outside:step_time", "outside:latency"} & {gap.id for gap in report.gaps} == {"outside:latency"}
    for run in report.runs:
        assert run.identities
        for identity in run.identities:
            assert identity.holds
            assert {*identity.found.origins, *identity.expected.origins} <= origins
    page = html.render(report, language=language, digest="0" * 64)
    for word in words:
        assert word in page
    paper = html.document(report, language=language, digest="0" * 64, edition="paper")
    assert (
        paper.count('href="#o-goal:G"') == paper.count('id="o-goal:G"') == 1
    )  # page one leads to the table of origins
    names = {file.path for file in report.manifest}
    assert {"log0.txt", "log1.txt"} <= names


def test_what_a_run_of_after_tells_is_no_gap(tmp_path: Path) -> None:
    found = logged(tmp_path, pair(vllm("50.0"), vllm("40.0")), **RATE)

    def gaps(runs: tuple[LoggedRun, ...]) -> set[str]:
        ids = {gap.id for gap in build_report(replace(found, runs=runs)).gaps}
        return ids & {f"outside:{name}" for name in ("step_time", "latency", "qps", "throughput")}

    assert gaps(found.runs) == {"outside:step_time", "outside:qps"}
    assert gaps(found.runs[:1]) == {"outside:step_time", "outside:latency", "outside:qps", "outside:throughput"}


@pytest.mark.parametrize(("tags", "shown"), [((False, False), True), ((False, None), False), ((True, False), False)])
def test_a_step_time_without_profiling_takes_an_unprofiled_run_of_each_side(
    tmp_path: Path, tags: tuple[bool | None, bool | None], shown: bool
) -> None:
    found = logged(tmp_path, pair(megatron(BEFORE_MS), megatron(AFTER_MS)))
    runs = tuple(replace(run, profiled=one) for run, one in zip(found.runs, tags, strict=True))
    gaps = {gap.id for gap in build_report(replace(found, runs=runs)).gaps}
    assert ("outside:step_time" not in gaps) == shown
