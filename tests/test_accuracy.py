"""Accuracy beside speed: scores, curves, when a criterion is mandatory, and what it does to goals and verdict.

Expected outcomes follow docs/gates.md; each number is worked out beside its case.
"""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from captures.generator import Op
from jobs import AFTER, TORCH, write_pair

from reportgen.accuracy import judge_accuracy
from reportgen.contract import check_target, read_target
from reportgen.errors import CaptureError
from reportgen.model import Accuracy, Evaluation, Outcome, Reason, VerdictWord
from reportgen.pipeline import build_report, evaluate
from reportgen.precision import WORDS
from reportgen.report import html
from reportgen.report.explained import explanation
from reportgen.report.lookup import look_up
from reportgen.run_logs.curves import Curve, read_curve
from reportgen.run_logs.text import Log

HEAD = """
schema = 1
decision_rule = "simple"
[contract]
reference = "T"
"""
CASE = """
[[case]]
id = "C"
clause = "1"
[[case.goal]]
id = "speed"
metric = "step_time"
statistic = "median"
direction = "at_most"
subject = "after"
limit = "10 s"
[[case.goal]]
id = "memory"
metric = "kernel_count"
statistic = "count"
direction = "at_most"
subject = "after"
limit = "1000000"
"""
MET_BY_FAR = "both goals are met by far: a step of the generated job takes a few milliseconds"
SCORE = {
    "name": "MMLU", "kind": "score", "before": "71.2", "after": "71.0", "tolerance": "0.5", "before_file": "b.txt",
    "after_file": "a.txt", "before_locator": "line 1", "after_locator": "line 1",
}  # fmt: skip
CURVE = {
    "name": "loss", "kind": "loss_curve", "before_file": "b.csv", "after_file": "a.csv", "first_step": 1,
    "last_step": 4, "relative_max": "2%", "relative_mean": "1%",
}  # fmt: skip


def table(keys: dict[str, Any]) -> str:
    lines = (f"{key} = {json.dumps(value)}" for key, value in keys.items() if value is not None)
    return "\n[[case.accuracy]]\n" + "\n".join(lines) + "\n"


def write(root: Path, *tables: dict[str, Any], head: str = HEAD, **files: str) -> Path:
    """A target with criteria of accuracy and the files they name (``b_txt`` is b.txt)."""
    for name, text in {"b_txt": "71.2", "a_txt": "71.0", **files}.items():
        (root / name.replace("_", ".")).write_text(text, encoding="utf-8")
    path = root / "target.toml"
    path.write_text(head + CASE + "".join(map(table, tables)), encoding="utf-8")
    return path


def judged(root: Path, keys: dict[str, Any], **files: str) -> Accuracy:
    (found,) = judge_accuracy(read_target(write(root, keys, **files)))
    return found


# ------------------------------------------------------------------------------------------------ scores
SCORES = [
    # 71.2 - 0.5 = 70.7: AFTER 71.0 is above it
    ("inside", {}, Outcome.MET, "accuracy_score_within"),
    ("at the limit exactly", {"after": "70.7"}, Outcome.MET, "accuracy_score_within"),
    ("a hair below it", {"after": "70.6999999"}, Outcome.NOT_MET, "accuracy_score_beyond"),
    # 71.2 x 0.99 = 70.488
    ("relative, at 70.488", {"tolerance": None, "relative_tolerance": "1%", "after": "70.488"}, Outcome.MET,
     "accuracy_score_within"),
    ("relative, below", {"tolerance": None, "relative_tolerance": "1%", "after": "70.487"}, Outcome.NOT_MET,
     "accuracy_score_beyond"),
    # perplexity: the lower the better, 71.2 + 0.5 = 71.7
    ("at most", {"direction": "at_most", "after": "71.7"}, Outcome.MET, "accuracy_score_within"),
    ("at most, above", {"direction": "at_most", "after": "71.8"}, Outcome.NOT_MET, "accuracy_score_beyond"),
    ("percentages", {"before": "71.2%", "after": "70.7%", "tolerance": "0.5%"}, Outcome.MET, "accuracy_score_within"),
]  # fmt: skip


@pytest.mark.parametrize(("title", "keys", "outcome", "code"), SCORES, ids=[row[0] for row in SCORES])
def test_a_score(tmp_path: Path, title: str, keys: dict[str, Any], outcome: Outcome, code: str) -> None:
    found = judged(tmp_path, {**SCORE, **keys})
    assert (found.outcome, found.reason.code) == (outcome, code), title
    assert [side.value for side in found.typed] == ["before", "after"]
    assert all(len(origins) == 2 for origins in found.origins)  # the target, and the file typed from


READ = {**SCORE, "before": None, "after": None, "before_file": "b.json", "after_file": "a.json",
        "before_locator": "/results/1/acc", "after_locator": "/results/1/acc"}  # fmt: skip
RESULT = '{"results": [{"acc": 0}, {"acc": %s}]}'


def test_a_score_is_read_where_a_pointer_leads(tmp_path: Path) -> None:
    found = judged(tmp_path, READ, b_json=RESULT % "71.20", a_json=RESULT % '"70.9"')
    assert found.outcome is Outcome.MET
    assert (found.before, found.after) == (found.before, found.after)
    assert found.before is not None
    assert found.before.value == Fraction("71.2")
    assert found.typed == ()
    assert found.origins[1][0].locator == "/results/1/acc"


@pytest.mark.parametrize(
    ("after", "keys", "code"),
    [
        ("true", {}, "accuracy_not_at"),  # no number
        ("NaN", {}, "accuracy_not_at"),
        ("70.9", {"after": "71.9"}, "accuracy_typed_contradicts"),
        ("70.94", {"after": "70.9"}, None),  # typed to one decimal: 70.94 is within half of 0.1
        ("70.96", {"after": "70.9"}, "accuracy_typed_contradicts"),
        ("70.9", {"after_locator": "/results/7/acc"}, "accuracy_not_at"),
    ],
)
def test_what_cannot_be_read_or_contradicts_is_undecided(
    tmp_path: Path, after: str, keys: dict[str, Any], code: str | None
) -> None:
    found = judged(tmp_path, {**READ, **keys}, b_json=RESULT % "71.2", a_json=RESULT % after)
    assert (found.outcome is Outcome.UNDECIDED, found.reason.code) == (
        (True, code) if code else (False, "accuracy_score_within")
    )


SCALES = [
    # BEFORE, AFTER and the tolerance as written; docs/gates.md: percentages and plain numbers are not mixed
    ("percentages, a plain tolerance", "71.2%", "40.0%", "0.5", "accuracy_percent"),
    ("a percentage and a plain number", "71.2%", "71.0", "0.5", "accuracy_percent"),
    ("the other way round", "71.2", "71.0%", "0.5", "accuracy_percent"),
    ("percentages throughout", "71.2%", "70.7%", "0.5%", "accuracy_score_within"),  # 71.2 - 0.5 = 70.7
    ("shares, a tolerance in percent", "0.712", "0.707", "0.5%", "accuracy_score_within"),
    ("shares, below it", "0.712", "0.706", "0.5%", "accuracy_score_beyond"),
    ("percentages, none allowed", "71.2%", "71.20%", "0", "accuracy_score_within"),
    ("a share and a number of points", "0.712", "71.0", "0.5", "accuracy_scale"),  # 99.7 times as much
    ("tenfold exactly", "7.0", "70", "0.5", "accuracy_scale"),
    ("below tenfold", "7.0", "69.9", "0.5", "accuracy_score_within"),
]


@pytest.mark.parametrize(("title", "before", "after", "tolerance", "code"), SCALES, ids=[row[0] for row in SCALES])
def test_scores_of_two_scales_are_not_compared(
    tmp_path: Path, title: str, before: str, after: str, tolerance: str, code: str
) -> None:
    keys = {**READ, "tolerance": tolerance}
    found = judged(tmp_path, keys, b_json=RESULT % f'"{before}"', a_json=RESULT % f'"{after}"')
    assert found.reason.code == code, title
    expected = {"accuracy_score_within": Outcome.MET, "accuracy_score_beyond": Outcome.NOT_MET}
    assert found.outcome is expected.get(code, Outcome.UNDECIDED)


@pytest.mark.parametrize("name", ["b.json", "copy.json"])
def test_one_score_given_twice_is_no_comparison(tmp_path: Path, name: str) -> None:
    found = judged(tmp_path, {**READ, "after_file": name}, b_json=RESULT % "71.2", copy_json=RESULT % "71.2")
    assert (found.outcome, found.reason.code) == (Outcome.UNDECIDED, "accuracy_same_place")
    table = '{"results": [0, {"acc": 71.2}, {"acc": 71.0}]}'  # one file may hold both sides, at two places
    apart = {**READ, "after_file": name, "after_locator": "/results/2/acc"}
    assert judged(tmp_path, apart, b_json=table, copy_json=table).outcome is Outcome.MET


def test_a_key_that_stands_twice_is_no_value(tmp_path: Path) -> None:
    found = judged(tmp_path, READ, b_json=RESULT % "71.2", a_json='{"results": [0, {"acc": 60, "acc": 72}]}')
    assert (found.outcome, found.reason.code) == (Outcome.UNDECIDED, "accuracy_not_at")


FAULTS = [
    ({"tolerance": None}, "a score needs one tolerance"),
    ({"relative_tolerance": "1%"}, "a score needs one tolerance"),
    ({"tolerance": "0.5%"}, "must all be percentages, or all plain numbers"),
    ({"tolerance": "-1"}, "is never negative"),
    ({"before": "71 ms"}, "must be a number or a percentage"),
    ({"before": None}, "must be typed, since its locator is no JSON pointer"),
    ({"before_file": "nowhere.txt"}, "'nowhere.txt' cannot be read"),
    ({"before_file": "../b.txt"}, "leads out of the target's directory"),
    ({"before_sha256": "0" * 64}, "the file's digest is"),
    ({"first_step": 1}, "a score takes no such key"),
    ({"kind": "loss_curve"}, "a loss curve takes no such key"),
]


@pytest.mark.parametrize(("keys", "fault"), FAULTS, ids=[row[1][:40] for row in FAULTS])
def test_faults_are_told_behind_their_key(tmp_path: Path, keys: dict[str, Any], fault: str) -> None:
    lines = check_target(write(tmp_path, {**SCORE, **keys}))
    assert any(line.startswith("case[0].accuracy[0]") and fault in line for line in lines), lines


# ------------------------------------------------------------------------------------------------ curves
def csv(*losses: object, first: int = 1) -> str:
    return "step,loss\n" + "".join(f"{n},{loss}\n" for n, loss in enumerate(losses, first))


CURVES = [
    # deviations 0.5 %, 1 %, 0, 0: largest 1 %, mean 0.375 %
    ("within", csv(2, 1, 1, 1), csv("2.01", "1.01", 1, 1), {}, Outcome.MET, "accuracy_curve_within"),
    ("at both limits", csv(1, 1, 1, 1), csv("1.02", "0.98", 1, 1), {}, Outcome.MET, "accuracy_curve_within"),
    ("one step beyond", csv(1, 1, 1, 1), csv("1.0201", 1, 1, 1), {}, Outcome.NOT_MET, "accuracy_max_beyond"),
    # 1.5 %, 1.5 %, 1.5 %, 0: no step beyond 2 %, mean 1.125 %
    ("mean beyond", csv(1, 1, 1, 1), csv("1.015", "1.015", "1.015", 1), {}, Outcome.NOT_MET, "accuracy_mean_beyond"),
    ("a step missing", csv(1, 1, 1, 1), "step,loss\n1,1\n2,1\n4,1\n", {}, Outcome.UNDECIDED, "accuracy_one_sided"),
    ("nan in AFTER", csv(1, 1, 1, 1), csv(1, 1, "nan", 1), {}, Outcome.UNDECIDED, "accuracy_uncounted"),
    ("inf on both", csv(1, "inf", 1, 1), csv("1.001", "inf", 1, 1), {}, Outcome.UNDECIDED, "accuracy_uncounted"),
    ("end missing on both", csv(1, 1), csv(1, "1.001"), {}, Outcome.UNDECIDED, "accuracy_range"),
    ("beginning missing on both", csv(1, 1, first=3), csv(1, "1.001", first=3), {}, Outcome.UNDECIDED,
     "accuracy_range"),
    ("no common step", csv(1, 1, first=1), csv(1, 1, first=3), {}, Outcome.UNDECIDED, "accuracy_no_common_steps"),
    ("a zero", csv(0, 1, 1, 1), csv("0.1", 1, 1, 1), {}, Outcome.UNDECIDED, "accuracy_before_zero"),
    ("one file for both", csv(1, 1, 1, 1), "", {"after_file": "b.csv"}, Outcome.UNDECIDED, "accuracy_same_file"),
    ("a copy of it", csv(1, 1, 1, 1), csv(1, 1, 1, 1), {}, Outcome.UNDECIDED, "accuracy_same_file"),
    ("two series", csv(1, 1, 1, 1), csv(1, 1, 1, "1.0").replace("loss", "z loss"), {}, Outcome.UNDECIDED,
     "accuracy_series"),
    # 1 and 4 alone: the gap of 3 occurs once and is no usual one, so steps 2 and 3 are missing
    ("two steps of four", "step,loss\n1,1\n4,1\n", "step,loss\n1,1\n4,1.01\n", {}, Outcome.UNDECIDED,
     "accuracy_range"),
    ("two steps of two", csv(1, 1), csv(1, "1.001"), {"last_step": 2}, Outcome.MET, "accuracy_curve_within"),
    ("every other step", "step,loss\n1,1\n3,1\n5,1\n", "step,loss\n1,1\n3,1\n5,1.01\n", {"last_step": 5},
     Outcome.MET, "accuracy_curve_within"),  # the gap of 2 occurs twice
    ("outside of the range all is free", csv(1, 1, 1, 1, 9), csv(1, 1, 1, 1), {}, Outcome.MET,
     "accuracy_curve_within"),
    ("no such column", csv(1, 1, 1, 1), csv(1, 1, 1, "1.0"), {"series": "mtp_loss"}, None, ""),
]  # fmt: skip


@pytest.mark.parametrize(
    ("title", "before", "after", "keys", "outcome", "code"), CURVES, ids=[row[0] for row in CURVES]
)
def test_a_curve(
    tmp_path: Path, title: str, before: str, after: str, keys: dict[str, Any], outcome: Outcome | None, code: str
) -> None:
    wanted = {**CURVE, **keys}
    if outcome is None:
        with pytest.raises(CaptureError):  # a table without times that has no such column is no log either
            judged(tmp_path, wanted, b_csv=before, a_csv=after)
        return
    found = judged(tmp_path, wanted, b_csv=before, a_csv=after or "-")
    assert (found.outcome, found.reason.code) == (outcome, code), title


def test_what_a_curve_found_is_exact_and_lists_the_steps_of_one_side(tmp_path: Path) -> None:
    found = judged(tmp_path, CURVE, b_csv=csv(2, 1, 1, 1), a_csv="step,loss\n1,2.01\n2,1.01\n4,1\n5,7\n")
    assert found.deviation is not None
    # |2.01 - 2| / 2 = 1/200; |1.01 - 1| / 1 = 1/100; 0: mean of the three (1/200 + 1/100 + 0) / 3 = 1/200
    assert (found.deviation.largest.value, found.deviation.largest_step) == (Fraction(1, 100), 2)
    assert (found.deviation.mean.value, found.deviation.steps) == (Fraction(1, 200), 3)
    assert found.only == ((3,), ())


@pytest.mark.parametrize("removed", [1, 2, 3, 4])
@pytest.mark.parametrize("side", ["b_csv", "a_csv"])
def test_removing_a_step_never_makes_a_curve_met(tmp_path: Path, side: str, removed: int) -> None:
    files = {"b_csv": csv(1, 1, 1, 1), "a_csv": csv(1, "1.5", 1, "1.01")}  # not met at step 2
    files[side] = "".join(line for line in files[side].splitlines(True) if not line.startswith(f"{removed},"))
    assert judged(tmp_path, CURVE, **files).outcome is not Outcome.MET


LINE = (
    " iteration {n:8d}/    2000 | consumed samples: {samples:12d} | elapsed time per iteration (ms): 500.0 |"
    " global batch size: {size:5d} | lm loss: {loss} | grad norm: 3.210 | number of skipped iterations:   {skipped} |"
    " number of nan iterations:   0 |\n"
)


def megatron(*losses: str, skipped: int = 0, size: int = 128) -> str:
    return "".join(
        LINE.format(n=n, samples=size * n, size=size, loss=loss, skipped=int(n == skipped))
        for n, loss in enumerate(losses, 1)
    )


def test_the_loss_of_a_training_log_is_read(tmp_path: Path) -> None:
    path = tmp_path / "train.log"
    path.write_text(megatron("1.0E+00", "2.5E-01"), encoding="utf-8")
    found = read_curve(path, "", None)
    assert isinstance(found, Curve)
    assert (found.values, found.series) == ({1: Fraction(1), 2: Fraction(1, 4)}, "lm loss")
    grad = read_curve(path, "grad norm", None)
    assert isinstance(grad, Curve)
    assert grad.values == {1: Fraction("3.21"), 2: Fraction("3.21")}


def test_one_log_saved_in_two_ways_is_one_run(tmp_path: Path) -> None:
    text = megatron(*["1.0E+00"] * 4)
    keys = {**CURVE, "before_file": "b.log", "after_file": "a.log"}
    found = judged(tmp_path, keys, b_log=text, a_log=text.replace("\n", "\r\n"))
    assert (found.outcome, found.reason.code) == (Outcome.UNDECIDED, "accuracy_same_file")
    other = text.replace("(ms): 500.0", "(ms): 499.9", 1)  # another run that trains alike to the last digit
    assert judged(tmp_path, keys, b_log=text, a_log=other).outcome is Outcome.MET


@pytest.mark.parametrize(("time", "outcome"), [("2,500", Outcome.UNDECIDED), ("2,501", Outcome.MET)])
def test_one_table_saved_in_two_ways_is_one_run(tmp_path: Path, time: str, outcome: Outcome) -> None:
    table = "step,step_time_ms,loss\n" + "".join(f"{n},500,1\n" for n in range(1, 5))
    assert judged(tmp_path, CURVE, b_csv=table, a_csv=f"\n{table}".replace("2,500", time)).outcome is outcome


SPEAK = (
    "SmoothQuant", "quant_matmul 融合", "权重改为 AWQ", "GPTQ 4 bit", "W4A16", "params in bfloat16", "HiFloat8",
    "float16 inference", "allow HF32", "torch.npu.amp autocast", "half-precision optimizer", "优化器状态改为单精度",
    "KV cache C8 int8",
)  # fmt: skip
SAY_NOTHING = (
    "a smaller quantity of kernels", "the 99th quantile", "fewer streams, 16 ranks", "启用 expandable_segments",
    "example scripts",
)  # fmt: skip


@pytest.mark.parametrize(
    ("what", "speaks"), [*((what, True) for what in SPEAK), *((what, False) for what in SAY_NOTHING)]
)
def test_which_changes_speak_of_precision(what: str, speaks: bool) -> None:
    assert bool(WORDS.search(what)) is speaks


def test_skipped_iterations_and_nan_of_a_log_are_counted(tmp_path: Path) -> None:
    for name, text in (("nan", megatron("1.0E+00", "nan", "1.0E+00")), ("skipped", megatron(*3 * ["1.0"], skipped=2))):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        found = read_curve(path, "lm loss", None)
        assert isinstance(found, Curve)
        assert (sorted(found.values), found.uncounted) == ([1, 3], {2}), name


def test_a_curve_that_is_not_named_exactly_is_undecided(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("step,lm loss,mtp loss\n1,2,3\n2,2,3\n", encoding="utf-8")
    assert read_curve(path, "", None) == Reason.of("curve_several", file="t.csv", names="lm loss, mtp loss")
    one = read_curve(path, "mtp loss", None)
    assert isinstance(one, Curve)
    assert one.values[2] == 3
    path.write_text("step,loss\n1,2\n2,2\n1,3\n", encoding="utf-8")  # step 1 again: a second run
    assert read_curve(path, "", None) == Reason.of("curve_runs", file="t.csv", n=2)
    assert read_curve(path, "", 2) == Reason.of("curve_runs", file="t.csv", n=2)
    second = read_curve(path, "", 1)
    assert isinstance(second, Curve)
    assert second.values == {1: 3}
    assert Log(path).record.digest == second.file.digest


# ------------------------------------------------------------------------------------------------ goals and verdict
QUANT = Op(
    type="DynamicQuant", name="aclnnDynamicQuant_{n}", core="AI_VECTOR_CORE", mean_ns=20_000, calls=1,
    shapes="8,4096", dtypes="DT_BF16",
)  # fmt: skip
"""A kernel that AFTER alone has."""


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path]]:
    """The same job twice, and once with a quantising kernel in AFTER."""
    root = tmp_path_factory.mktemp("pairs")
    quantised = replace(AFTER, ops=(*AFTER.ops, QUANT))
    return {"plain": write_pair(root / "plain"), "quantised": write_pair(root / "quantised", TORCH, quantised)}


def run(pair: tuple[Path, Path], target: Path) -> Evaluation:
    return evaluate(*pair, target=read_target(target))


CASES = [
    ("plain", (), "", VerdictWord.MET, "all_goals_met", Outcome.MET, ""),
    ("plain", (SCORE,), "", VerdictWord.MET, "all_goals_met", Outcome.MET, ""),
    ("plain", ({**SCORE, "after": "60"},), "", VerdictWord.NOT_MET, "accuracy_not_met", Outcome.MET, ""),
    ("plain", ({**READ, "after_locator": "/x"},), "", VerdictWord.UNDECIDED, "accuracy_undecided", Outcome.MET, ""),
    ("quantised", (), "", VerdictWord.UNDECIDED, "goal_undecided", Outcome.UNDECIDED, "accuracy_missing"),
    ("quantised", (SCORE,), "", VerdictWord.MET, "all_goals_met", Outcome.MET, ""),
    ("quantised", ({**SCORE, "after": "60"},), "", VerdictWord.NOT_MET, "accuracy_not_met", Outcome.UNDECIDED,
     "accuracy_not_shown_met"),
    ("plain", (), "W8A8 量化", VerdictWord.UNDECIDED, "goal_undecided", Outcome.UNDECIDED, "accuracy_missing"),
    ("plain", (), "fused kernels", VerdictWord.MET, "all_goals_met", Outcome.MET, ""),
]  # fmt: skip


@pytest.mark.parametrize(
    ("pair", "tables", "change", "word", "reason", "speed", "code"),
    CASES,
    ids=[f"{row[0]}-{len(row[1])}-{row[4]}-{row[2]}" for row in CASES],
)
def test_what_accuracy_does_to_a_verdict(
    tmp_path: Path,
    pairs: dict[str, tuple[Path, Path]],
    pair: str,
    tables: tuple[dict[str, Any], ...],
    change: str,
    word: VerdictWord,
    reason: str,
    speed: Outcome,
    code: str,
) -> None:
    head = f'{HEAD}\n[[change]]\nwhat = "{change}"\n' if change else HEAD
    target = write(tmp_path, *tables, head=head, b_json=RESULT % 1, a_json=RESULT % 1)
    verdict = run(pairs[pair], target).verdict
    assert verdict is not None
    assert (verdict.word, verdict.reason.code) == (word, reason), MET_BY_FAR
    judgement, memory = verdict.judgements
    assert judgement.outcome is speed
    assert not code or judgement.reason.code == code
    assert memory.outcome is Outcome.MET  # a count is no speed


def test_the_section_says_it_in_both_languages(tmp_path: Path, pairs: dict[str, tuple[Path, Path]]) -> None:
    report = build_report(run(pairs["quantised"], write(tmp_path, {**SCORE, "name": "<b>MMLU</b>", "after": "60"})))
    pages = {language: html.render(report, language=language, digest="0" * 64) for language in ("zh", "en")}
    assert "Accuracy: &lt;b&gt;MMLU&lt;/b&gt; not met." in pages["en"]
    assert "约定的精度指标 &lt;b&gt;MMLU&lt;/b&gt; 未达标" in pages["zh"]
    assert "AFTER alone has kernels that quantise (1 type): DynamicQuant." in pages["en"]
    assert "at least 70.7" in pages["en"]  # 71.2 - 0.5
    assert "typed by hand: BEFORE, AFTER" in pages["en"]
    assert [row.side for row in report.manifest if row.path in ("a.txt", "b.txt")] == ["", ""]
    assert "tolerance 0.5; at least 70.7" in explanation(report, look_up(report, "C1"), "en").replace(", at", "; at")


# ------------------------------------------------------------------------------------------------ files that change
@pytest.mark.parametrize("keys", [READ, {**CURVE, "first_step": 1, "last_step": 2}], ids=["score", "curve"])
@pytest.mark.parametrize("gone", [False, True])
def test_a_file_that_changes_between_target_and_reading_is_refused(
    tmp_path: Path, keys: dict[str, Any], gone: bool
) -> None:
    table_ = "step,loss\n1,2.0\n2,1.0\n"
    files = {"b_json": RESULT % "71.2", "a_json": RESULT % "71.0", "b_csv": table_, "a_csv": table_ + "\n"}
    target = read_target(write(tmp_path, keys, **files))
    named = tmp_path / keys["after_file"]
    if gone:
        named.unlink()
    else:
        named.write_text(named.read_text(encoding="utf-8") + " ", encoding="utf-8")
    with pytest.raises(CaptureError) as caught:
        judge_accuracy(target)
    assert caught.value.code in ("file_unreadable", "path_missing") if gone else caught.value.code == "file_changed"


def test_two_losses_and_no_series_agreed_decide_nothing(tmp_path: Path) -> None:
    two = "step,loss,lm loss\n1,2.0,2.0\n2,1.0,1.0\n3,1.0,1.0\n4,1.0,1.0\n"
    found = judged(tmp_path, CURVE, b_csv=two, a_csv=two + "\n")
    assert (found.outcome, found.reason.code, found.deviation) == (Outcome.UNDECIDED, "curve_several", None)
