"""AFTER judged without a BEFORE, and logs of the command line: what was not agreed never makes a verdict better."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import reportgen
from jobs import write_pair
from test_outside import AFTER_MS, AGAIN_MS, BEFORE_MS, megatron, vllm

from reportgen.contract import check_target, read_target
from reportgen.errors import CaptureError, ContractError
from reportgen.model import Judgement, Outcome, PairStanding
from reportgen.pipeline import build_report, evaluate
from reportgen.report import html
from reportgen.report.document import Number

HEAD = """
schema = 1
decision_rule = "guarded"
{baseline}
[contract]
reference = "T"
[[case]]
id = "C"
clause = "1"
"""
GOAL = """
[[case.goal]]
id = "{id}"
metric = "{metric}"
{kind}statistic = "{statistic}"
direction = "{direction}"
subject = "{subject}"
limit = "{limit}"
"""
NONE = 'baseline = "none"'


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """One small pair for all tests; it is only read."""
    return write_pair(tmp_path_factory.mktemp("pair"))


def goal(**words: str) -> str:
    known = {"id": "G", "metric": "step_time", "kind": "", "statistic": "median", "direction": "at_most"}
    return GOAL.format(**{**known, "subject": "after", "limit": "430 ms", **words})


def target(root: Path, *parts: str, baseline: str = NONE) -> Path:
    (root / "target.toml").write_text("".join((HEAD.format(baseline=baseline), *parts)), encoding="utf-8")
    return root / "target.toml"


def judged(found: object) -> Judgement:
    return found.verdict.judgements[0]  # type: ignore[attr-defined,no-any-return]


# --------------------------------------------------------------------------------------------- no BEFORE
def test_a_log_is_the_baseline_where_before_was_never_captured(tmp_path: Path, pair: tuple[Path, Path]) -> None:
    """The capture has no BEFORE; a case of its own holds two logs against each other: 401 / 501 ms = 80.04 %."""
    for name, times in (("before", "500 510 505 495 500 502 498 506"), ("after", "405 398 410 400 395 406 402 400")):
        text = megatron(tuple(f"{ms}.0" for ms in times.split()))
        (tmp_path / f"{name}.log").write_text(text, encoding="utf-8")
    logs = "".join(
        f'[[case.log]]\nside = "{side}"\nfile = "{side}.log"\nprofiled = false\n' for side in ("before", "after")
    )
    captured = f"{NONE}\nprofiled = true\n{goal()}"
    own = f'[[case]]\nid = "runs"\nclause = "2"\nprofiled = false\n[case.workload]\ncheckpoint_steps = "none"\n{logs}'
    own += goal(id="R", subject="ratio", limit="85%")
    found = evaluate((), pair[1], target=read_target(target(tmp_path, captured, own, baseline="")))
    assert found.verdict is not None
    outcomes = {one.goal.id: (one.outcome, one.measured_outside) for one in found.verdict.judgements}
    assert outcomes == {"G": (Outcome.MET, False), "R": (Outcome.MET, True)}


def test_after_is_judged_alone_as_beside_a_before(tmp_path: Path, pair: tuple[Path, Path]) -> None:
    alone = evaluate((), pair[1], target=read_target(target(tmp_path, goal())))
    both = evaluate(*pair, target=read_target(target(tmp_path, goal(), baseline="")))
    assert alone.comparability.standing is PairStanding.AFTER_ALONE
    one, other = judged(alone), judged(both)
    assert (one.value, one.interval, one.outcome, one.margin) == (
        other.value, other.interval, other.outcome, other.margin
    )  # fmt: skip
    assert (one.outcome, one.baseline, other.baseline) == (Outcome.MET, "none", "before")
    report = build_report(alone)
    assert {capture.side for capture in report.captures} == {"after"}
    assert not any(isinstance(row.delta, Number) or isinstance(row.before.value, Number) for row in report.metrics)
    assert report.bottleneck is None
    assert {file.side for file in report.manifest} == {"after", ""}
    page = html.render(report, language="en", digest="0" * 64)
    assert "No BEFORE capture was agreed: of the captures AFTER alone is judged, and nothing is compared." in page
    assert "sides are not comparable" not in page
    assert "Same workload" not in page


def test_gates_that_one_side_can_be_asked_are_asked_of_after(tmp_path: Path, pair: tuple[Path, Path]) -> None:
    """G1, G2, G3 and G10 hold one side against the other; of the others none takes a verdict that compares nothing."""
    stated = '[case.workload]\ncheckpoint_steps = "none"\n'
    one = evaluate((), pair[1], target=read_target(target(tmp_path, stated, goal())))
    assert one.verdict is not None
    gates = {gate.id: gate for gate in one.verdict.gates}
    assert {name: (gate.outcome, gate.reasons[0].code) for name, gate in gates.items()} == {
        "G4": ("passed", "gate_steady"),  # ten steps, the last of them is no window
        "G5": ("cannot be known", "gate_inflation_unknown"),
        "G6": ("cannot be known", "gate_clock_unknown"),  # the rule is not of a job whose framework nobody states
        "G7": ("passed", "gate_complete"),
        "G8": ("failed", "gate_accuracy_missing"),
        "G9": ("failed", "gate_no_repeats"),
    }  # fmt: skip
    assert not any(gate.removes or gate.scopes for gate in gates.values())
    assert [fact.name for gate in gates.values() for fact in gate.facts if fact.before is not None] == []
    assert judged(one).outcome is Outcome.MET
    again = evaluate((), [pair[1], pair[0]], target=read_target(target(tmp_path, stated, goal())))
    assert again.verdict is not None
    repeats = next(gate for gate in again.verdict.gates if gate.id == "G9")
    assert (repeats.outcome, repeats.reasons[0].code) == ("passed", "gate_repeats")
    report = build_report(one)
    for language, words in (
        ("en", "No BEFORE was agreed: G1, G2, G3, G10 hold one side against the other and are not asked."),
        ("zh", "未约定 BEFORE：G1, G2, G3, G10 为两侧对照的核查项，不适用。"),
    ):
        page = html.render(report, language=language, digest="0" * 64)
        assert words in page
        assert 'id="gate:G4"' in page
        assert 'id="gate:G1"' not in page


@pytest.mark.parametrize("statistic", ["p90", "mean", "max", "min"])
def test_the_figure_beside_a_goal_is_of_the_statistic_it_names(
    tmp_path: Path, pair: tuple[Path, Path], statistic: str
) -> None:
    # With no BEFORE beside it too: the value that is judged is the one that is printed as AFTER.
    asked = target(tmp_path, goal(statistic=statistic))
    (row,) = build_report(evaluate((), pair[1], target=read_target(asked))).goals
    assert isinstance(row.value, Number)
    assert isinstance(row.after, Number)
    assert row.after.quantity.value == row.value.quantity.value
    (median,) = build_report(evaluate((), pair[1], target=read_target(target(tmp_path, goal())))).goals
    assert isinstance(median.after, Number)
    assert median.after.quantity.value != row.after.quantity.value


def test_a_rank_that_is_not_there_leaves_after_undecided(tmp_path: Path, pair: tuple[Path, Path]) -> None:
    agreed = "[case.workload]\nranks = 2\n"
    found = evaluate((), pair[1], target=read_target(target(tmp_path, agreed, goal())))
    assert found.comparability.standing is PairStanding.CANNOT_BE_SHOWN
    assert judged(found).outcome is Outcome.UNDECIDED
    assert {d.key for d in found.comparability.differences if d.blocks_all} == {"ranks_complete.after"}


def test_the_same_capture_is_no_repeat_of_after(tmp_path: Path, pair: tuple[Path, Path]) -> None:
    found = evaluate((), [pair[1], pair[1]], target=read_target(target(tmp_path, goal())))
    assert found.verdict is not None
    assert (found.verdict.word, judged(found).outcome) == ("undecided", Outcome.UNDECIDED)


@pytest.mark.parametrize(("baseline", "given"), [("", 1), (NONE, 0)], ids=["dropped", "given"])
def test_before_is_there_exactly_where_it_was_agreed(
    tmp_path: Path, pair: tuple[Path, Path], baseline: str, given: int
) -> None:
    # Law 2: a BEFORE cannot be dropped; and one that was not agreed is not smuggled in.
    with pytest.raises(ContractError) as caught:
        evaluate(() if given else pair[0], pair[1], target=read_target(target(tmp_path, goal(), baseline=baseline)))
    assert caught.value.code == ("before_missing" if given else "before_not_agreed")


def test_nothing_is_compared_without_a_target_and_a_before(pair: tuple[Path, Path]) -> None:
    with pytest.raises(ContractError) as caught:
        evaluate((), pair[1])
    assert caught.value.code == "before_missing"


def test_the_command_writes_the_report_of_after_alone(tmp_path: Path, pair: tuple[Path, Path]) -> None:
    agreed = target(tmp_path, goal())
    done = reportgen("report", "--after", pair[1], "--target", agreed, "--out", tmp_path / "out", "--language", "en")
    assert done.code in (0, 6), done.err
    assert "No BEFORE capture was agreed: of the captures AFTER alone is judged" in done.out
    found = json.loads((tmp_path / "out/report.json").read_text(encoding="utf-8"))
    assert found["comparability"]["standing"] == "after_alone"
    missing = reportgen("report", "--after", pair[1], "--target", target(tmp_path, goal(), baseline=""), "--out", "x")
    assert (missing.code, "side_missing" in missing.err) == (2, True)


@pytest.mark.parametrize(
    ("parts", "fault"),
    [
        ([goal(subject="ratio", limit="85%")], "case[0].goal[0].subject: no BEFORE was agreed"),
        ([goal(subject="delta", limit="-1 ms")], "case[0].goal[0].subject: no BEFORE was agreed"),
        ([goal(), '[[case.log]]\nside = "before"\nfile = "log.txt"\n'], "case[0].log[0].side: no BEFORE was agreed"),
    ],
    ids=["ratio", "delta", "log"],
)
def test_a_target_without_before_asks_for_none(tmp_path: Path, parts: list[str], fault: str) -> None:
    (tmp_path / "log.txt").write_text("x")
    for path in (
        target(tmp_path, *parts),
        target(tmp_path, 'baseline = "none"\n', *parts, baseline=""),
    ):
        found = check_target(path)
        assert any(line.startswith(fault) for line in found), found


# --------------------------------------------------------------------------------------------- --log
TTFT = {"metric": "latency", "kind": 'kind = "ttft"\n', "statistic": "mean", "limit": "400 ms"}


def test_a_log_of_the_command_line_is_judged_where_nothing_else_speaks(tmp_path: Path, pair: tuple[Path, Path]) -> None:
    agreed = read_target(target(tmp_path, goal(**TTFT).replace("guarded", "simple"), baseline=""))
    (tmp_path / "a.json").write_text(vllm(), encoding="utf-8")
    with_log = evaluate(*pair, target=agreed, logs=[f"after={tmp_path / 'a.json'}"])
    one, without = judged(with_log), judged(evaluate(*pair, target=agreed))
    assert "log_by_option" in {r.code for r in one.reservations}
    assert without.outcome is Outcome.UNDECIDED  # law 2: dropping it improves nothing
    (row,) = build_report(with_log).runs
    assert (row.agreed, row.file) == (False, "a.json")
    assert "a.json" in {file.path for file in build_report(with_log).manifest}
    page = html.render(build_report(with_log), language="en", digest="0" * 64)
    assert "given on the command line, not in the target" in page


def test_a_log_of_the_command_line_does_not_replace_the_captures(tmp_path: Path, pair: tuple[Path, Path]) -> None:
    # The captures take about 1.1 ms a step and the log 400 ms: a goal of 430 ms rests on the captures with and without.
    agreed = read_target(target(tmp_path, goal(), baseline=""))
    (tmp_path / "a.log").write_text(megatron(AFTER_MS), encoding="utf-8")
    one = judged(evaluate(*pair, target=agreed, logs=[f"after={tmp_path / 'a.log'}"]))
    assert one.measured_outside is False
    assert "log_not_agreed" in {r.code for r in one.reservations}


@pytest.mark.parametrize(
    ("option", "code"),
    [
        ("after={log}", "log_named_in_target"),
        ("after:C={log}", "log_named_in_target"),
        ("after:D={log}", "log_option"),
        ("middle={log}", "log_option"),
        ("before={log}.none", "log_not_found"),
        ("before={log}/none", "log_not_found"),
        ("before={folder}", "log_is_folder"),
        ("after", "log_option"),
    ],
)
def test_a_log_is_refused(tmp_path: Path, pair: tuple[Path, Path], option: str, code: str) -> None:
    log = tmp_path / "a.log"
    log.write_text(megatron(AFTER_MS), encoding="utf-8")
    agreed = read_target(target(tmp_path, goal(), '[[case.log]]\nside = "after"\nfile = "a.log"\n', baseline=""))
    with pytest.raises(CaptureError) as caught:
        evaluate(*pair, target=agreed, logs=[option.format(log=log, folder=tmp_path)])
    assert caught.value.code == code


def test_a_log_of_before_is_refused_where_none_was_agreed(tmp_path: Path, pair: tuple[Path, Path]) -> None:
    (tmp_path / "b.log").write_text(megatron(BEFORE_MS), encoding="utf-8")
    with pytest.raises(CaptureError) as caught:
        evaluate((), pair[1], target=read_target(target(tmp_path, goal())), logs=[f"before={tmp_path / 'b.log'}"])
    assert caught.value.code == "log_side_not_agreed"


def test_compare_puts_logs_side_by_side_without_a_target(tmp_path: Path, pair: tuple[Path, Path]) -> None:
    # The medians of eight lines: (500 + 502) / 2 = 501 ms and (400 + 402) / 2 = 401 ms, 401 / 501 = 0.8004.
    for name, times in (("b.log", BEFORE_MS), ("a.log", AFTER_MS)):
        (tmp_path / name).write_text(megatron(times), encoding="utf-8")
    logs = ["--log", f"before={tmp_path / 'b.log'}", "--log", f"after={tmp_path / 'a.log'}"]
    done = reportgen("compare", *pair, *logs, "--language", "en")
    assert done.code == 0, done.err
    (compared,) = [line for line in done.out.splitlines() if "step time" in line and "501" in line]  # and not twice
    assert "501.0 ms  401.0 ms  -20.0% time" in compared
    assert " 0.800 " in compared
    assert "BEFORE b.log" in done.out  # over what the log gives beside, as the loss
    assert done.out.splitlines()[-1] == (
        "Figures as recorded. A difference is one between these captures, or between these runs; what caused it is not "
        "shown."
    )
    (tmp_path / "c.log").write_text(megatron(AGAIN_MS), encoding="utf-8")
    again = reportgen("compare", *pair, *logs, "--log", f"after={tmp_path / 'c.log'}", "--language", "en").out
    each, _both = [line for line in again.splitlines() if "step time" in line and "median" in line]
    assert each.split()[-6:] == ["501.0", "ms", "401.0", "ms", "402.0", "ms"]  # (401 + 403) / 2


def test_a_run_whose_first_step_is_left_out_keeps_its_figure_over_all_steps(
    tmp_path: Path, pair: tuple[Path, Path]
) -> None:
    """A first step of 9 s is warm-up: the mean over the eight others is 4016 / 8 = 502.0, of all nine 1.446 s."""
    for name, times in (("b.log", ("9000.0", *BEFORE_MS)), ("a.log", AFTER_MS)):
        (tmp_path / name).write_text(megatron(times), encoding="utf-8")
    logs = ["--log", f"before={tmp_path / 'b.log'}", "--log", f"after={tmp_path / 'a.log'}"]
    out = reportgen("compare", *pair, *logs, "--language", "en").out
    each, both = [line for line in out.splitlines() if "step time" in line and "mean" in line]
    assert "1.446 s" in each
    assert "502.0 ms" in both


def test_compare_forms_no_ratio_of_logs_that_are_shown_not_to_be_alike(tmp_path: Path, pair: tuple[Path, Path]) -> None:
    """25600 tokens in 40 s and in 20 s, at 16 and at 64 requests at a time: 2.000 says nothing of the change."""
    faster = {**json.loads(vllm("20.0")), "max_concurrency": 64}
    (tmp_path / "b.json").write_text(vllm(), encoding="utf-8")
    (tmp_path / "a.json").write_text(json.dumps(faster), encoding="utf-8")
    logs = ["--log", f"before={tmp_path / 'b.json'}", "--log", f"after={tmp_path / 'a.json'}"]
    let = ("--allow", "max_concurrency=the change under test")
    for more, formed in (((), False), (let, False), ((*let, "--allow", "warm_up=both ran before"), True)):
        done = reportgen("compare", *pair, *logs, "--language", "en", *more)
        assert done.code == 0, done.err
        (compared,) = [line for line in done.out.splitlines() if "1,280 tokens/s" in line]
        assert ("2.000" in compared) is formed, compared
        assert compared.endswith("not comparable") is (not more)
        unlike = "were not made alike: requests allowed at once (max_concurrency)"
        assert (unlike in done.out) is (not more)
