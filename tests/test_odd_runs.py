"""Odd and hostile results and logs: what they may not do to a goal. Each right value is worked out beside its case."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest
from run_files import RATE, STEP, Runs, decide, judged, megatron, served
from run_logs import mindie_pages, results
from whole_report import whole

from reportgen.errors import CaptureError
from reportgen.model import Evaluation, Judgement, LoggedRun, Outcome, Quantity, Reason, Side, Standing
from reportgen.pipeline import RunsOutput
from reportgen.report import section_runs, wording
from reportgen.report.build import build
from reportgen.report.serialize import to_json
from reportgen.report.text_runs import runs_text
from reportgen.report.view import Context
from reportgen.run_logs import read_runs
from reportgen.same_runs import why_same
from tests.report.sample_report import sample_evaluation

MET, NOT_MET, UNDECIDED = Outcome.MET, Outcome.NOT_MET, Outcome.UNDECIDED


def table(*times: float) -> str:
    """A table of steps."""
    return "step,step_time_ms\n" + "".join(f"{n},{ms}\n" for n, ms in enumerate(times, 1))


# --------------------------------------------------------------------------------------------- exactly at the limit
# The quotient in the middle is exactly the limit, and the limit itself is good. The quotient of floats,
# exp(log(y) - log(x)), lies above it for 850 / 1000, below it for 1700 / 2000.
AT_LIMIT = [
    ("alike, above by floats", (1000,) * 5, (850,) * 5, "85%", "simple", MET),
    ("alike, below by floats", (2000,) * 5, (1700,) * 5, "85%", "simple", MET),
    ("a hair beyond", (1000,) * 5, (850.0001,) * 5, "85%", "simple", NOT_MET),
    # of 25 quotients 8 are smaller (840 over all five, three times 850 / 1001), 9 are 0.85: it is the 13th
    ("in the middle", (1000, 1000, 1000, 1001, 999), (840, 850, 855, 850, 850), "85%", "simple", MET),
    # four values a side: the interval of ranks runs from the smallest to the largest quotient, 840 / 1003 to 850 / 1000
    ("the end of the interval", (1002, 1000, 1003, 1001), (845, 840, 850, 842), "85%", "guarded", MET),
    ("the end a hair beyond", (1002, 1000, 1003, 1001), (845, 840, 850.0001, 842), "85%", "guarded", UNDECIDED),
]


@pytest.mark.parametrize(
    ("title", "before", "after", "limit", "rule", "outcome"), AT_LIMIT, ids=[row[0] for row in AT_LIMIT]
)
def test_a_ratio_at_its_limit_is_good(
    tmp_path: Path, pair: Evaluation, title: str, before: tuple[float, ...], after: tuple[float, ...], limit: str,
    rule: str, outcome: Outcome,
) -> None:  # fmt: skip
    runs = Runs(before=(table(*before),), after=(table(*after),), goal={**STEP, "limit": limit}, rule=rule)
    found = decide(tmp_path, runs, pair).judgement
    assert found.outcome is outcome, title
    if rule == "simple" and outcome is MET:
        assert found.value == Quantity(value=Fraction(17, 20), unit="1")
        assert "at_limit_simple" in {one.code for one in found.reservations}


def test_the_mean_of_repeats_at_its_limit_is_good(tmp_path: Path, pair: Evaluation) -> None:
    # medians 1000, 1001, 999 ms: mean 1000; 850, 851, 849: mean 850
    before, after = ([table(*(middle + n for n in (-2, 0, 2))) for middle in some]
                     for some in ((1000, 1001, 999), (850, 851, 849)))  # fmt: skip
    found = decide(tmp_path, Runs(before=tuple(before), after=tuple(after), goal=STEP), pair).judgement
    assert (found.outcome, found.value) == (MET, Quantity(value=Fraction(17, 20), unit="1"))


# --------------------------------------------------------------------------------------------- percentiles of a result
TTFT = {"metric": "latency", "kind": "ttft", "statistic": "p99", "direction": "at_most", "subject": "ratio",
        "limit": "100%"}  # fmt: skip
SLOW_ONE = (0.1, 0.11, 0.1, 0.12, 0.11, 0.1, 0.13, 0.1, 0.2, 1.0)
"""Times to the first token in s; their 99th percentile on a straight line is 0.2 + 0.91 x 0.8 = 0.928."""


def result(*, lists: bool, times: tuple[float, ...] = SLOW_ONE, said: float | None = None, **more: object) -> str:
    """A result of vllm bench serve with the percentile as numpy computes it."""
    p99 = float(np.percentile(times, 99)) * 1000 if said is None else said
    keys = {"mean_ttft_ms": float(np.mean(times)) * 1000, "p99_ttft_ms": p99, **more}
    keys = {key: keys[key] for key in keys if key != "mean_ttft_ms" or key in more or not lists}
    return served("40", requests=10, output=1280, inputs=10240, ttfts=times if lists else (), **keys)


@pytest.mark.parametrize("lists", [True, False])
def test_a_percentile_is_what_the_producer_computed(tmp_path: Path, pair: Evaluation, lists: bool) -> None:
    goal = {**TTFT, "subject": "after", "limit": "950 ms"}
    found = decide(tmp_path, Runs(after=(result(lists=lists),), goal=goal), pair).judgement
    assert isinstance(found.value, Quantity)
    assert (found.outcome, float(found.value.value)) == (MET, pytest.approx(928e6))


@pytest.mark.parametrize("lists", [True, False])
def test_a_percentile_of_a_list_is_not_held_against_another_kind_of_percentile(
    tmp_path: Path, pair: Evaluation, lists: bool
) -> None:
    """AFTER is slower by 0.01 % throughout; the largest of ten values is no 99th percentile of it."""
    after = result(lists=lists, times=tuple(one * 1.0001 for one in SLOW_ONE))
    runs = Runs(before=(result(lists=True),), after=(after,), goal=TTFT)
    if not lists:  # that answers are as long is then not shown, but vouched for
        one = decide(tmp_path / "not declared", runs, pair).judgement
        assert (one.outcome, one.reason.arg("unstated")) == (Outcome.UNDECIDED, "output_length_spread/after")
        runs = runs.with_(agreed='may_differ = ["output_length_spread"]')
    found = decide(tmp_path, runs, pair).judgement
    assert isinstance(found.value, Quantity)
    assert (found.outcome, float(found.value.value)) == (NOT_MET, pytest.approx(1.0001))


def test_a_percentile_that_only_the_list_gives_lies_on_the_line_too(tmp_path: Path, pair: Evaluation) -> None:
    goal = {**TTFT, "statistic": "p90", "subject": "after", "limit": "300 ms"}  # 0.2 + 0.1 x 0.8 = 0.28
    found = decide(tmp_path, Runs(after=(result(lists=True),), goal=goal), pair).judgement
    assert isinstance(found.value, Quantity)
    assert (found.outcome, float(found.value.value)) == (MET, pytest.approx(280e6))
    assert float(found.value.value) == pytest.approx(float(np.percentile(SLOW_ONE, 90)) * 1e9)


def test_a_percentile_beside_a_list_that_does_not_give_it_is_not_judged(tmp_path: Path, pair: Evaluation) -> None:
    goal = {**TTFT, "subject": "after", "limit": "950 ms"}
    found = decide(tmp_path, Runs(after=(result(lists=True, said=100.0),), goal=goal), pair).judgement
    assert (found.outcome, found.reason.code) == (UNDECIDED, "log_contradicts_itself")


def test_a_mean_keeps_the_interval_of_its_list(tmp_path: Path, pair: Evaluation) -> None:
    goal = {**TTFT, "statistic": "mean", "subject": "after", "limit": "10 s"}
    found = decide(tmp_path, Runs(after=(result(lists=True),), goal=goal, rule="guarded"), pair).judgement
    assert (found.outcome, found.interval is not None) == (MET, True)
    bare = decide(tmp_path / "bare", Runs(after=(result(lists=False, mean_ttft_ms=207.0),), goal=goal, rule="guarded"),
                  pair).judgement  # fmt: skip
    assert (bare.outcome, bare.interval) == (UNDECIDED, None)


# ------------------------------------------------------------------------------------------ two keys for one quantity
def test_times_that_change_their_unit_in_the_middle_are_not_half_a_run(tmp_path: Path, pair: Evaluation) -> None:
    """Ten steps of 1600 ms, then twenty of 5000 ms written in s: the first ten are not the run."""
    slow = megatron(["1600.0", "1605.0"] * 5 + ["5000.0", "5005.0"] * 10)
    lines = slow.splitlines(keepends=True)
    shown = [re.sub(r"\(ms\): ([0-9.]+)", lambda found: f"(s): {float(found[1]) / 1000:.4f}", line) for line in lines]
    before = megatron(["2000.0", "2005.0"] * 15)
    runs = Runs(before=(before,), after=("".join([*lines[:10], *shown[10:]]),), goal=STEP)
    found = decide(tmp_path, runs, pair).judgement
    assert (found.outcome, found.reason.code) == (UNDECIDED, "log_series_several")
    assert found.reason.arg("file") == "after0.txt"
    whole = decide(tmp_path / "whole", runs.with_(after=(slow,)), pair).judgement
    assert whole.outcome is NOT_MET
    alone = decide(tmp_path / "alone", runs.with_(after=("".join(lines[:10]),)), pair).judgement
    assert alone.outcome is MET  # a shorter log that is whole is named in the compared facts (steps_shown)


def test_a_rate_is_judged_beside_a_time_of_two_keys(tmp_path: Path, pair: Evaluation) -> None:
    runs = Runs(before=(served("50"),), after=(served("40"),), goal=RATE)  # 25600 tokens: 512 and 640 tokens/s
    assert decide(tmp_path, runs, pair).judgement.value == Quantity(value=Fraction(5, 4), unit="1")


# --------------------------------------------------------------------------------------------- runs of several cases
MATRIX = """
schema = 1
decision_rule = "simple"
[contract]
reference = "T"
[[case]]
id = "captured"
clause = "1"
profiled = true
[[matrix]]
id = "s"
clause = "2"
axis = [{ name = "AXIS", values = ["4", "16"] }]
[[matrix.goal]]
id = "rate"
metric = "throughput"
kind = "output_tokens_per_s"
statistic = "mean"
direction = "at_least"
subject = "SUBJECT"
limit = "LIMIT"
"""


def cells(root: Path, pair: Evaluation, *files: tuple[str, str], **words: str) -> dict[str, Judgement]:
    """The goals of a matrix of two cells whose files are (BEFORE, AFTER)."""
    found = {"AXIS": "concurrency", "SUBJECT": "ratio", "LIMIT": "100%", **words}
    text = MATRIX
    for word, value in found.items():
        text = text.replace(word, value)
    root.mkdir(exist_ok=True)
    for value, some in zip(("4", "16"), files, strict=True):
        text += f'[[matrix.cell]]\nat = ["{value}"]\n'
        for side, content in zip(("before", "after"), some, strict=True):
            name = f"{side}{value}.json"
            (root / name).write_text(content, encoding="utf-8")
            text += f'[[matrix.cell.log]]\nside = "{side}"\nfile = "{name}"\nprofiled = false\n'
    return {one.goal.id: one for one in judged(root, text, pair)[0].judgements}


FOUR = served("50", max_concurrency=4), served("40", max_concurrency=4)
SIXTEEN = served("45", max_concurrency=16), served("36", max_concurrency=16)


def test_cells_with_runs_of_their_own_are_judged(tmp_path: Path, pair: Evaluation) -> None:
    found = cells(tmp_path, pair, FOUR, SIXTEEN)
    assert {one.outcome for one in found.values()} == {MET}
    assert not [one for goal in found.values() for one in goal.reservations if one.code == "log_of_two_cases"]


@pytest.mark.parametrize("subject", ["ratio", "after"])
def test_one_run_is_not_of_two_cells(tmp_path: Path, pair: Evaluation, subject: str) -> None:
    """The same pair of files for both values of an axis that no file states."""
    limit = "100%" if subject == "ratio" else "600 tokens/s"  # 25600 tokens in 40 s are 640
    found = cells(tmp_path, pair, FOUR, FOUR, AXIS="length", SUBJECT=subject, LIMIT=limit)
    assert {(one.outcome, one.reason.code) for one in found.values()} == {(UNDECIDED, "log_of_two_cells")}
    assert found["rate[4]"].reason.arg("case") == "s[16]"


def test_a_copy_under_another_name_is_the_same_run(tmp_path: Path, pair: Evaluation) -> None:
    copied = FOUR[1].replace("{", "{ ", 1)  # other bytes, the same figures
    found = cells(tmp_path, pair, FOUR, (SIXTEEN[0].replace("16", "4"), copied), AXIS="length", SUBJECT="after",
                  LIMIT="600 tokens/s")  # fmt: skip
    assert {one.reason.code for one in found.values()} == {"log_of_two_cells"}


@pytest.mark.parametrize("axis", ["concurrency", "max_concurrency", "Max-Concurrency", "并发数"])
def test_a_run_of_another_load_is_not_of_the_cell(tmp_path: Path, pair: Evaluation, axis: str) -> None:
    found = cells(tmp_path, pair, FOUR, SIXTEEN[::-1], AXIS=axis)
    assert [one.outcome for one in found.values()] == [MET, NOT_MET]  # 36 / 45 = 80 % of the speed
    swapped = cells(tmp_path / "swapped", pair, SIXTEEN, FOUR, AXIS=axis)
    assert {(one.outcome, one.reason.code) for one in swapped.values()} == {(UNDECIDED, "log_of_another_load")}
    said = dict(swapped["rate[4]"].reason.args)
    assert said == {"file": "before4.json", "key": "max_concurrency", "stated": "16", "axis": axis, "agreed": "4"}


def test_one_run_of_two_cases_is_said(tmp_path: Path, pair: Evaluation) -> None:
    """Two clauses of a contract may rest on one run; it is said."""
    case = '[[case]]\nid = "ID"\nclause = "2"\n[[case.goal]]\nid = "G-ID"\n' + MATRIX.split("[[matrix.goal]]\n", 1)[1]
    case = case.replace('id = "rate"\n', "").replace("SUBJECT", "ratio").replace("LIMIT", "100%")
    text = MATRIX.split("[[matrix]]", 1)[0]
    for name, content in zip(("before.json", "after.json"), FOUR, strict=True):
        (tmp_path / name).write_text(content, encoding="utf-8")
    for name in ("A", "B"):
        text += case.replace("ID", name)
        text += "".join(
            f'[[case.log]]\nside = "{s}"\nfile = "{s}.json"\nprofiled = false\n' for s in ("before", "after")
        )
    found = judged(tmp_path, text, pair)[0].judgements
    for one in found:
        said = [dict(reason.args) for reason in one.reservations if reason.code == "log_of_two_cases"]
        assert (one.outcome, said) == (MET, [{"file": f"{s}.json", "cases": "A, B"} for s in ("before", "after")])


def test_one_run_of_two_cases_is_listed_and_counted_once() -> None:
    """Of two cases on the same two files: two runs, and one reservation a file, which names both cases."""
    report = whole()
    one, another = report.runs[0], next(run for run in report.runs if run.digest != report.runs[0].digest)
    goals = [goal for goal in report.goals if goal.measured_outside][:1] * 2
    assert goals
    both = tuple(
        replace(goal, id=case, case=case, metric=metric, reservations=tuple(
            Reason.of("log_of_two_cases", file=run.file, cases="A, B") for run in (one, another)
        ))
        for goal, case, metric in zip(goals, "AB", ("latency", "duration"), strict=True)
    )  # fmt: skip
    runs = tuple(replace(run, case=case) for case in "AB" for run in (one, another))
    shared = replace(report, runs=runs, goals=both)
    context = Context(report=shared, language="en", edition="screen", sections={},
                      origins={row.id: row.origin for row in report.origins})  # fmt: skip
    assert [(line.file, line.case) for line in section_runs.runs(context)] == [
        (one.file, "A; B"),
        (another.file, "A; B"),
    ]
    said = [line for line in wording.reservation_lines(shared, "en") if "rest on it" in line]
    ends = [line.partition(": ")[2] for line in said]
    assert ends == [f"{run.file} is one run, and cases A, B rest on it." for run in (one, another)]
    evaluation = sample_evaluation()
    assert evaluation.verdict is not None
    bare = [replace(judgement, reservations=()) for judgement in evaluation.verdict.judgements]
    files = [
        replace(judgement, reservations=(Reason.of("log_of_two_cases", file="b.json", cases="A, B"),))
        for judgement in bare[:2]
    ]
    counts = []
    for judgements in (bare, [*files, *bare[2:]]):
        changed = replace(evaluation.verdict, judgements=tuple(judgements))
        verdict = build(replace(evaluation, verdict=changed), tool_version="").verdict
        assert verdict is not None
        counts.append(verdict.reservations)
    assert counts[1] - counts[0] == 1
    # where more is said of it in one of the cases, each has its line
    unlike = replace(shared, runs=(runs[0], replace(runs[2], tag="profiled")))
    lines = section_runs.runs(replace(context, report=unlike))
    assert [line.case for line in lines] == ["A", "B"]


# --------------------------------------------------------------------------------------------- what is not shown whole
TIMES_MS = [("500.0", "505.0", "502.0", "498.0"), ("400.0", "405.0", "402.0", "398.0")]


def dumped(pair: Evaluation, root: Path, key: str, *values: str) -> dict[str, Standing]:
    """How the facts of an argument stand that has these values on the two sides."""
    texts = [(megatron(times, arguments={key: value}),) for times, value in zip(TIMES_MS, values, strict=True)]
    found = decide(root, Runs(before=texts[0], after=texts[1], goal=STEP), pair)
    own = {name: one.standing for name, one in found.facts.items() if key in name}
    moved = [one.reason for one in found.facts.values() if one.reason.code == "run_directories_differ"]
    assert [reason.arg("key") for reason in moved] == [
        name.removesuffix(".directory") for name in own if "." in name[9:]
    ]
    assert (found.judgement.outcome is MET) == (Standing.BLOCKING not in own.values())
    return own


LONG = "mix of sets " + "0.125 wiki " * 40


@pytest.mark.parametrize(
    ("key", "values", "standing"),
    [
        ("data_path", ("/data/full/train.jsonl", "/data/full/train.jsonl"), {}),
        ("data_path", ("/data/full/train.jsonl", "/data/short/train.jsonl"),
         {"argument.data_path.directory": Standing.BIAS}),
        ("data_path", ("/data/full/train.jsonl", "/data/full/test.jsonl"), {"argument.data_path": Standing.BLOCKING}),
        ("blend", ("0.5 /a/x 0.5 /b/y", "0.5 /b/x 0.5 /a/y"), {"argument.blend.directory": Standing.BIAS}),
        ("save", ("/one/out", "/two/out"), {}),  # where checkpoints go is no difference of the work
        ("blend", (f"{LONG}a", f"{LONG}b"), {"argument.blend": Standing.BLOCKING}),  # behind the 200th character
        ("blend", (LONG, LONG), {}),
    ],
)  # fmt: skip
def test_what_is_cut_or_taken_out_is_still_compared(
    tmp_path: Path, pair: Evaluation, key: str, values: tuple[str, str], standing: dict[str, Standing]
) -> None:
    assert dumped(pair, tmp_path, key, *values) == standing


def test_two_texts_that_are_no_utf8_stay_two(tmp_path: Path, pair: Evaluation) -> None:
    """甲 and 乙 in GBK, which both became the replacement character."""
    sides = []
    for name, word, times in zip(("before0.csv", "after0.csv"), ("甲", "乙"), TIMES_MS, strict=True):
        rows = "".join(f"{n},{ms},{word}\n" for n, ms in enumerate(times, 1))
        (tmp_path / name).write_bytes(f"step,step_time_ms,set\n{rows}".encode("gbk"))
        (run,) = read_runs(tmp_path / name)
        sides.append({one.key: one.written for one in run.context}["set"])
    assert sides[0] != sides[1]
    assert "�" not in "".join(sides)


def test_no_directory_leaves_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_text(megatron(TIMES_MS[0], arguments={"data_path": "/data/full/train.jsonl"}), encoding="utf-8")
    (run,) = read_runs(path)
    stated = next(one for one in run.context if one.key == "argument.data_path")
    assert (stated.written, bool(stated.directories)) == ("<path>/train.jsonl", True)
    assert stated.directories not in to_json(RunsOutput(tool_version="0", runs=(run,)))


# --------------------------------------------------------------------------------------------- what inspect prints
@pytest.mark.parametrize(
    ("times", "shown"),
    [
        ((2, 3), ("2 ms", "2.5 ms", "3 ms")),  # the median lies between two values
        # a table may leave out zeros at the end: its values are as fine as the finest of them
        ((2.5, 3), ("2.5 ms", "2.75 ms", "3.0 ms")),
        ((100, 101.25, 103), ("100.00 ms", "101.25 ms", "103.00 ms")),
        ((0.1005, 100.5, 101.5), ("0.1005 ms", "100.5000 ms", "101.5000 ms")),
    ],
)
def test_no_figure_is_rounded_below_what_was_written(
    tmp_path: Path, times: tuple[float, ...], shown: tuple[str, ...]
) -> None:
    (tmp_path / "a.csv").write_text(table(*times), encoding="utf-8")
    lines = runs_text(read_runs(tmp_path / "a.csv"), "en").splitlines()
    (row,) = [line for line in lines if line.strip().startswith("step time")]
    assert re.findall(r"[0-9.]+ ms", row)[:3] == list(shown)


# ------------------------------------------------------------------------------------------ statistics in their order
ORDERS = [
    ("as they should be", {"median_ttft_ms": 340.8, "p99_ttft_ms": 475.5, "mean_ttft_ms": 500.0}, True),
    ("a percentile below the median", {"median_ttft_ms": 340.8, "p99_ttft_ms": 240.5}, False),
    ("percentiles swapped", {"p90_ttft_ms": 475.5, "p99_ttft_ms": 340.8}, False),
    ("equal", {"mean_ttft_ms": 340.8, "median_ttft_ms": 340.8, "p99_ttft_ms": 340.8}, True),
    ("one beside its mean", {"mean_ttft_ms": 340.8, "p99_ttft_ms": 340.8}, True),
]


@pytest.mark.parametrize(("title", "figures", "holds"), ORDERS, ids=[row[0] for row in ORDERS])
def test_statistics_lie_in_order(
    tmp_path: Path, pair: Evaluation, title: str, figures: dict[str, float], holds: bool
) -> None:
    goal = {**TTFT, "subject": "after", "limit": "1 s"}
    found = decide(tmp_path, Runs(after=(served("40", **figures),), goal=goal), pair).judgement
    assert (found.outcome is MET) == holds, title
    if not holds:
        assert (found.reason.code, found.reason.arg("identity")) == ("log_contradicts_itself", "I15")


def test_swapped_columns_of_a_table_do_not_agree(tmp_path: Path) -> None:
    right = read_runs(results.aisbench(tmp_path / "right"))
    assert [one.what for one in right[0].identities if one.id == "I15"] == [
        # the nearest of the published table: 12329.9 and 12330.5 ms, 329.0 and 330.0, 23.59 and 23.6, 23.4 and 23.9
        "p99_and_max_of_e2e", "p99_and_max_of_ttft", "p99_and_max_of_tpot", "median_and_p75_of_itl",
    ]  # fmt: skip
    swapped = results.AISBENCH_TABLE.replace("Min,Max", "Max,Min")
    (run,) = read_runs(results.aisbench(tmp_path / "swapped", table=swapped))
    assert {one.holds for one in run.identities if one.id == "I15"} == {False}


# --------------------------------------------------------------------------------------------- one run as several
MANY = [f"{1600 + 7 * n % 19}.{n % 10}" for n in range(12)]
"""Twelve step times in ms, all different."""
ANOTHER, SLOWER, SLOWER_AGAIN = (
    [f"{chance.gauss(mean, 6):.1f}" for _ in range(12)]
    for mean, chance in ((1609, Random(1)), (2009, Random(2)), (2010, Random(3)))
)
"""Twelve of other runs, of which each step is on its own."""


@pytest.mark.parametrize(
    ("title", "copy", "first", "code"),
    [
        ("its end cut off", MANY[:-1], 1, "log_given_twice"),
        ("its beginning cut off", MANY[2:], 3, "log_given_twice"),
        ("both, and counted anew", MANY[2:-2], 1, "log_given_twice"),
        ("three steps", MANY[:3], 1, ""),  # too little to tell
        ("one figure changed", [*MANY[:5], "1600.9", *MANY[6:]], 1, "log_times_shared"),
        ("every figure 0.1 to 0.3 ms off", [f"{float(ms) + (n % 7 - 3) / 10:.1f}" for n, ms in enumerate(MANY)], 1,
         "log_times_shared"),
        ("every figure by one factor", [f"{float(ms) * 0.97:.1f}" for ms in MANY], 1, "log_times_shared"),
        ("every figure by one shift", [f"{float(ms) - 40:.1f}" for ms in MANY], 1, "log_times_shared"),
        ("in another order", MANY[::-1], 1, "log_times_shared"),
        ("its beginning cut off, one figure changed, counted anew", [*MANY[2:8], "1600.9", *MANY[9:]], 1,
         "log_times_shared"),
        ("another run", ANOTHER, 1, ""),
    ],
)  # fmt: skip
def test_a_run_that_was_cut_or_edited_is_no_repeat_of_itself(
    tmp_path: Path, pair: Evaluation, title: str, copy: list[str], first: int, code: str
) -> None:
    runs = Runs(before=(megatron(SLOWER), megatron(SLOWER_AGAIN)), after=(megatron(MANY), megatron(copy, first=first)),
                goal=STEP)  # fmt: skip
    found = decide(tmp_path, runs, pair).judgement
    named = found.reason.code in ("log_given_twice", "log_times_shared")
    assert (found.reason.code if named else "") == code, title


def in_file(tmp_path: Path, name: str, times: list[float], first: int = 1) -> LoggedRun:
    """A run of AFTER with times in ms, in one decimal."""
    path = tmp_path / f"{name}.log"
    path.write_text(megatron([f"{one:.1f}" for one in times], first=first), encoding="utf-8")
    return LoggedRun(case="C", side=Side.AFTER, run=read_runs(path)[0], profiled=None)


UNLIKE_WORK = [1000.0 + 50 * n for n in Random(4).sample(range(20), 20)]
"""Times of 20 steps that lie far apart, so that a factor is no shift."""


@pytest.mark.parametrize(
    ("title", "copy", "first"),
    [
        ("one factor", [0.8 * one for one in UNLIKE_WORK], 1),
        ("one shift", [one - 300 for one in UNLIKE_WORK], 1),
        ("two cut off, three of 18 edited, counted anew",
         [one + 77 if n in (5, 11, 12) else one for n, one in enumerate(UNLIKE_WORK)][2:], 1),
    ],
)  # fmt: skip
def test_a_copy_is_told_from_every_run(tmp_path: Path, title: str, copy: list[float], first: int) -> None:
    why = why_same(in_file(tmp_path, "a", UNLIKE_WORK), in_file(tmp_path, "b", copy, first))
    assert why is not None, title
    assert why.code == "log_times_shared"


def test_times_that_all_lie_within_little_are_alike_by_chance(tmp_path: Path) -> None:
    """27.55 s with noise of 0.02 %: two of three lie within 0.025 % of any other one, in whatever order."""
    chance = Random(9)
    runs = [in_file(tmp_path, name, [chance.gauss(27550, 5.5) for _ in range(60)]) for name in "ab"]
    first, second = (run.run.series[0].sample.values for run in runs)
    assert sum(abs(one - other) <= 27550e6 / 4000 for one, other in zip(first, second, strict=True)) >= 33
    assert why_same(*runs) is None


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("lengths", "mean", "digits", "spread", "first"),
    [
        ((100, 1000), 512.0, 1, 0.002, 1536.0),  # a slow first step leaves no room between the others
        ((30, 300), 512.0, 1, 0.001, 1536.0),
        ((20, 200), 100.0, 0, 0.01, 300.0),
        ((60, 60), 512.0, 1, 0.002, 1536.0),
    ],
)
def test_runs_that_were_measured_twice_are_two(
    tmp_path: Path, seed: int, lengths: tuple[int, int], mean: float, digits: int, spread: float, first: float
) -> None:
    chance = Random(seed)
    runs = []
    for name, n in zip("ab", lengths, strict=True):
        times = [first, *(chance.gauss(mean, spread * mean) for _ in range(n - 1))]
        path = tmp_path / f"{name}.log"
        path.write_text(megatron([f"{one:.{digits}f}" for one in times]), encoding="utf-8")
        runs.append(LoggedRun(case="C", side=Side.AFTER, run=read_runs(path)[0], profiled=None))
    assert why_same(*runs) is None


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n", [8, 12, 60])
def test_steps_of_unlike_work_in_few_digits_are_not_one_run(tmp_path: Path, seed: int, n: int) -> None:
    """Sequences of unlike length in one order: 5 s in one decimal, 1.2 s in two, with noise of 0.2 and 0.1 %."""
    chance = Random(seed)
    work = [chance.uniform(0.6, 1.4) for _ in range(n)]
    for mean, digits, spread in ((5.0, 1, 0.002), (1.2, 2, 0.001)):
        runs = []
        for name in "ab":
            times = [mean * one * chance.gauss(1, spread) for one in work]
            if name == "b":
                times[n // 2] += 10.0**-digits  # one at least has another last digit
            path = tmp_path / f"{name}{digits}.csv"
            path.write_text("step,step_time_s\n" + "".join(f"{i},{t:.{digits}f}\n" for i, t in enumerate(times)))
            runs.append(LoggedRun(case="C", side=Side.AFTER, run=read_runs(path)[0], profiled=None))
        assert why_same(*runs) is None


def test_a_duration_of_many_digits_tells_one_run(tmp_path: Path, pair: Evaluation) -> None:
    """The same run with one figure written otherwise; 40.0 s is no proof, 40.1234567 s is."""
    for seconds, twice in (("40.0", False), ("40.1234567", True)):
        first = served(seconds)
        other = served(seconds, mean_tpot_ms=31.3)
        runs = Runs(before=(served("50"), served("51")), after=(first, other), goal=RATE)
        found = decide(tmp_path / seconds, runs, pair).judgement
        assert (found.reason.code == "log_given_twice") == twice


# --------------------------------------------------------------------------------------------- a figure printed twice
SCREEN = """\
============ Serving Benchmark Result ============
Successful requests:                     200
Benchmark duration (s):                  40.00
Total generated tokens:                  25600
Output token throughput (tok/s):         640.00
P99 TTFT (ms):                           475.50
==================================================
"""
OM = """\
[INFO] -----------------Performance Summary------------------
[INFO] NPU_compute_time (ms): min = 2.477, max = 3.937, mean = 3.554, median = 3.723, percentile(99%) = 3.937
[INFO] throughput 1000*batchsize.mean(1)/NPU_compute_time.mean(3.554): 281.389
"""
ROW = "| FirstTokenTime | 16.8 ms | 766.6 ms | 1.2 ms | 9.4 ms | 96.8 ms | 96.8 ms | 678.2 ms | 200 |\n"
TWICE = [
    ("vLLM, a better figure first", SCREEN.replace("P99 TTFT", "P99 TTFT (ms):     275.50\nP99 TTFT")),
    ("vLLM, another duration", SCREEN.replace("Total", "Benchmark duration (s):   30.00\nTotal")),
    ("OM, another mean", OM + "[INFO] NPU_compute_time (ms): min = 2.4, max = 3.9, mean = 2.554\n"),
    ("OM, another throughput", OM + "[INFO] throughput 1000*batchsize.mean(1)/NPU_compute_time.mean(3.554): 381.389\n"),
    ("MindIE, another row", mindie_pages.BEFORE.replace("|          DecodeTime |", f"{ROW}|          DecodeTime |", 1)),
]  # fmt: skip


@pytest.mark.parametrize(("title", "text"), TWICE, ids=[row[0] for row in TWICE])
def test_two_figures_of_one_name_are_refused(tmp_path: Path, title: str, text: str) -> None:
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    with pytest.raises(CaptureError) as caught:
        read_runs(tmp_path / "a.txt")
    assert (caught.value.code, " again" in caught.value.message) == ("log_mixed", True), title


@pytest.mark.parametrize(
    "text", [SCREEN.replace("P99 TTFT", "P99 TTFT (ms):     475.5\nP99 TTFT"), OM + OM.splitlines(True)[1]]
)
def test_one_figure_printed_twice_is_one(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    (run,) = read_runs(tmp_path / "a.txt")
    names = [(value.metric, value.kind, value.statistic) for value in run.values]
    assert len(names) == len(set(names))


def test_a_duration_of_nothing_contradicts_the_rate(tmp_path: Path, pair: Evaluation) -> None:
    runs = Runs(before=(served("50"),), after=(served("40", duration=0),), goal=RATE)
    found = decide(tmp_path, runs, pair).judgement
    assert (found.outcome, found.reason.code) == (UNDECIDED, "log_contradicts_itself")
