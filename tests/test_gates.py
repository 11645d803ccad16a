"""The gates G1 to G10: what each says of made pairs, and that none of them contradicts the verdict.

Every pair is the generated job with one thing changed; what a gate has to say follows docs/gates.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from captures.edits import find, set_json
from jobs import AFTER, TORCH, write_pair
from test_accuracy import megatron

from reportgen import metrics
from reportgen.attached import MOST, attached, gathered
from reportgen.contract import check_target, read_target
from reportgen.errors import CaptureError
from reportgen.gates import REMOVING, concerns
from reportgen.model import Evaluation, Missing, Outcome, Quantity, Reason, Side
from reportgen.pipeline import build_report, evaluate
from reportgen.report import html
from reportgen.report.explained import explanation, listing
from reportgen.report.lookup import look_up

HEAD = """
schema = 1
decision_rule = "simple"
[contract]
reference = "T"
[[case]]
id = "C"
clause = "1"
[case.workload]
checkpoint_steps = "none"
"""
GOALS = "".join(
    f"""
[[case.goal]]
id = "{metric}"
metric = "{metric}"
statistic = "{statistic}"
part = "{part}"
direction = "at_most"
subject = "ratio"
limit = "100"
"""
    for metric, statistic, part in (
        ("step_time", "median", ""), ("kernel_count", "count", ""), ("peak_reserved", "max", "APP"),
    )
)  # fmt: skip
"""Comparative goals that any pair meets if they are judged: AFTER is less than a hundred times BEFORE."""
UNPROFILED = '\n[[case.log]]\nside = "{side}"\nfile = "{side}.log"\nprofiled = {profiled}\n'


@dataclass(frozen=True, kw_only=True)
class Made:
    """One pair."""

    title: str
    """What is changed."""
    edit: Callable[[Path], None] = lambda after: None
    """Change of the AFTER capture."""
    extra: str = ""
    """More of the target."""
    logs: tuple[tuple[str, str], ...] = ()
    """(file, text) beside the target."""
    allowed: dict[str, str] = field(default_factory=dict)
    """``--allow``."""
    gates: dict[str, str] = field(default_factory=dict)
    """Gate -> outcome that has to come out."""


def profiler(*keys: str, value: object) -> Callable[[Path], None]:
    return lambda after: set_json(find(after, "profiler_info"), keys, value)  # type: ignore[arg-type]


def logs(
    profiled: tuple[str, str] = ("false", "false"),
    batch: tuple[str, str] = ("128", "128"),
    steps: tuple[str, str] = ("0.5", "0.4"),
) -> dict[str, Any]:
    """Ten steps a side, in ms: those of the captures take about 1 ms."""
    text = [megatron(*10 * ["1.0"], size=int(size)) for size in batch]
    extra = "".join(
        UNPROFILED.format(side=side, profiled=said).replace("profiled = \n", "")
        for side, said in zip(("before", "after"), profiled, strict=True)
    )
    written = [one.replace("500.0", step) for one, step in zip(text, steps, strict=True)]
    return {"extra": extra, "logs": (("before.log", written[0]), ("after.log", written[1]))}


STACK = ("config", "common_config", "with_stack")
LEVEL = ("config", "experimental_config", "_profiler_level")
PAIRS = (
    Made(title="nothing", gates={"G1": "passed", "G2": "passed", "G3": "passed", "G4": "passed",
         "G5": "cannot be known", "G8": "failed", "G9": "failed"}),
    Made(title="another level", edit=profiler(*LEVEL, value="Level2"), gates={"G1": "failed", "G2": "failed"}),
    Made(title="another level, allowed", edit=profiler(*LEVEL, value="Level2"),
         allowed={"profiler_info.profiler_level": "known"}, gates={"G1": "passed", "G2": "cannot be known"}),
    Made(title="with_stack", edit=profiler(*STACK, value=True), gates={"G1": "failed", "G2": "failed"}),
    Made(title="with_stack on the list", edit=profiler(*STACK, value=True),
         extra='\n[[change]]\nwhat = "stacks"\nkeys = ["profiler_info.with_stack"]\n',
         gates={"G1": "passed", "G2": "passed"}),
    Made(title="unprofiled logs", gates={"G5": "passed", "G3": "passed"}, **logs()),
    Made(title="unprofiled logs of another job", gates={"G5": "cannot be known"}, **logs(steps=("500.0", "400.0"))),
    Made(title="one log profiled", gates={"G5": "failed"}, **logs(profiled=("true", "false"))),
    Made(title="one log not said to be profiled", gates={"G5": "cannot be known"}, **logs(profiled=("", "false"))),
    Made(title="another batch in the logs", gates={"G3": "failed"}, **logs(batch=("128", "256"))),
)  # fmt: skip


def run(root: Path, made: Made) -> Evaluation:
    before, after = write_pair(root, TORCH, AFTER)
    made.edit(after)
    for name, text in made.logs:
        (root / name).write_text(text, encoding="utf-8")
    target = root / "target.toml"
    head, _, change = made.extra.partition("\n[[change]]")
    target.write_text(HEAD + GOALS + head + ("\n[[change]]" + change if change else ""), encoding="utf-8")
    return evaluate(before, after, target=read_target(target), allowed=made.allowed)


def outcomes(found: Evaluation) -> dict[str, str]:
    assert found.verdict is not None
    return {gate.id: gate.outcome for gate in found.verdict.gates}


@pytest.mark.parametrize("made", PAIRS, ids=[made.title for made in PAIRS])
def test_gates_say_what_was_found_and_never_contradict_the_verdict(tmp_path: Path, made: Made) -> None:
    found = run(tmp_path, made)
    assert found.verdict is not None
    assert list(outcomes(found)) == [f"G{number}" for number in range(1, 11)]
    assert {name: outcomes(found)[name] for name in made.gates} == made.gates
    known = {metric.id: metric for metric in metrics.METRICS}
    for judgement in found.verdict.judgements:
        against = [gate.id for gate in found.verdict.gates if concerns(gate, judgement, known[judgement.goal.metric])]
        assert not against or judgement.outcome is not Outcome.MET, (judgement.goal.id, against)
    for gate in found.verdict.gates:  # a removing gate that failed says what it takes the verdict from
        assert gate.removes is (gate.id in REMOVING)
        assert bool(gate.scopes) or not (gate.removes and gate.outcome == "failed")


def judged(found: Evaluation) -> dict[str, tuple[Outcome, str]]:
    assert found.verdict is not None
    return {one.goal.id: (one.outcome, one.reason.code) for one in found.verdict.judgements}


def test_another_batch_that_nobody_agreed_decides_nothing(tmp_path: Path) -> None:
    """10 iterations of 500 ms against 400 ms: the ratio is 0.8, and its batch went from 128 to 256."""
    made = Made(title="", **logs(batch=("128", "256")))
    assert judged(run(tmp_path, made))["step_time"] == (Outcome.UNDECIDED, "runs_not_alike")


def test_another_batch_that_was_agreed_leaves_throughput_alone(tmp_path: Path) -> None:
    """The same with the batch on the change list: the step is still not the same work, which G3 says."""
    told = logs(batch=("128", "256"))
    told["extra"] += '\n[[change]]\nwhat = "larger batch"\nkeys = ["global_batch_size", "samples_per_step"]\n'
    assert judged(run(tmp_path, Made(title="", **told)))["step_time"] == (Outcome.UNDECIDED, "gate_failed")


def test_a_batch_that_one_log_alone_states_is_not_called_a_failed_gate(tmp_path: Path) -> None:
    """AFTER's lines lost ``global batch size``: G3 cannot be known, and the goal says that and which log lacks it."""
    told = logs()
    name, text = told["logs"][1]
    told["logs"] = (told["logs"][0], (name, re.sub(r"global batch size: +[0-9]+ \|", "", text)))
    allowed = {"samples_per_step": "the same job", "relations": "the same job", "global_batch_size": "the same job"}
    found = run(tmp_path, Made(title="", allowed=allowed, **told))
    assert outcomes(found)["G3"] == "cannot be known"
    assert found.verdict is not None
    (goal,) = [one for one in found.verdict.judgements if one.goal.id == "step_time"]
    assert goal.outcome is Outcome.UNDECIDED
    assert goal.reason == Reason.of("gate_not_known", gate="G3", key="global_batch_size", side="before")


def test_inflation_is_profiled_minus_unprofiled(tmp_path: Path) -> None:
    """Ten logged steps of 0.5 ms in BEFORE and 0.4 ms in AFTER; the captures have their own medians."""
    found = run(tmp_path, Made(title="", **logs()))
    assert [one.side for one in found.inflation] == [Side.BEFORE, Side.AFTER]
    row = next(row for row in found.comparisons if row.metric == "step_time")
    for one, measured, logged in zip(found.inflation, (row.before, row.after), (500, 400), strict=True):  # us
        assert measured is not None
        assert isinstance(measured.summary, Quantity)
        assert isinstance(one.difference, Quantity)
        assert isinstance(one.share, Quantity)
        unprofiled = logged * 10**3
        assert one.profiled == replace(measured.summary, written="")
        assert one.difference.value == measured.summary.value - unprofiled
        assert one.share.value == Fraction(measured.summary.value - unprofiled) / unprofiled
        assert one.origins[1][0].file.startswith(f"log:{one.side.value}/")


def test_without_an_unprofiled_run_inflation_is_not_known(tmp_path: Path) -> None:
    found = run(tmp_path, Made(title=""))
    assert [type(one.difference) for one in found.inflation] == [Missing, Missing]
    assert {one.unprofiled.reason.code for one in found.inflation if isinstance(one.unprofiled, Missing)} == {
        "inflation_no_unprofiled"
    }


def test_the_sections_are_there_in_both_languages(tmp_path: Path) -> None:
    note = tmp_path / "npu-smi.txt"
    note.write_text("| npu-smi 25.2.3   Version: 25.2.3 |\n<b>96.4</b>", encoding="utf-8")
    before, after = write_pair(tmp_path, TORCH, AFTER)
    (tmp_path / "t.toml").write_text(HEAD + GOALS, encoding="utf-8")
    found = evaluate(before, after, target=read_target(tmp_path / "t.toml"), attach=[note])
    report = build_report(found)
    pages = {language: html.render(report, language=language, digest="0" * 64) for language in ("zh", "en")}
    for number in range(1, 11):
        assert f'id="gate:G{number}"' in pages["en"]
        assert f'id="gate:G{number}"' in pages["zh"]
    assert re.search(
        r"Gates that do not hold \(section \d+\): G8 no criterion of accuracy, G9 no repeats\.", pages["en"]
    )
    assert re.search(r"不成立的核查项（第\s\d+\s节）：G8", pages["zh"])
    assert "npu-smi 25.2.3 Version: 25.2.3" in pages["en"]
    assert "96.4" not in pages["en"]  # no number of an attachment is read
    assert [row.side for row in report.manifest if row.path == "npu-smi.txt"] == ["attachment"]
    for identity, said in (("gate:G9", "A side has no repeats"), ("I1", "said to be unprofiled")):
        assert said in explanation(report, look_up(report, identity), "en")
    assert "gate:G10" in listing(report, "zh")


# ------------------------------------------------------------------------------------------------ attachments
def test_what_cannot_be_attached(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    for name, code in (
        ("", "attachment_directory"), ("empty", "attachment_empty"), ("none", "path_missing"),
        ("n" * 300, "file_unreadable"), ("a\0b", "path_missing"),
    ):  # fmt: skip
        with pytest.raises(CaptureError) as caught:
            attached(tmp_path / name)
        assert caught.value.code == code
        if code == "file_unreadable":  # in our own words: the system's are in the language of the machine
            assert str(caught.value.message) == "cannot be read: its name is too long"
    paths = []
    for number in range(MOST + 1):
        paths.append(tmp_path / str(number))
        paths[-1].write_text(str(number), encoding="utf-8")
    with pytest.raises(CaptureError) as caught:
        gathered((), paths)
    assert caught.value.code == "attachments_many"
    assert len(gathered((), [*paths[:2], paths[0]])) == 2  # one file given twice is listed once
    paths[1].write_text("0", encoding="utf-8")  # the same bytes under another name
    assert [one.file.path for one in gathered((), paths[:2])] == ["0", "1"]
    (tmp_path / "link").symlink_to("/etc/hostname")
    with pytest.raises(CaptureError) as caught:
        attached(tmp_path / "link")
    assert (caught.value.code, caught.value.hint) == ("file_outside", "attach the file itself")


def test_a_version_is_quoted_cut_and_made_harmless(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"a\x1b[31m tool Version: 1.2 \xe2\x80\xae" + 200 * b"x")
    assert attached(path).says == "a\\x1b[31m tool Version: 1.2 \\u202e" + "x" * (97 - 34) + "..."
    path.write_bytes(b"\0version 1.2")
    assert attached(path).says == ""
    path.write_text("nothing of it\n" * 30 + "version 1.2", encoding="utf-8")
    assert attached(path).says == ""


def test_attachments_of_a_target_are_checked(tmp_path: Path) -> None:
    (tmp_path / "mail.txt").write_text("x", encoding="utf-8")
    table = '\n[[attachment]]\nfile = "{}"\nwhat = "a mail"\n'
    target = tmp_path / "t.toml"
    target.write_text(HEAD + table.format("mail.txt"), encoding="utf-8")
    (one,) = read_target(target).attachments
    assert (one.file.path, one.what) == ("mail.txt", "a mail")
    target.write_text(HEAD + table.format("nothing.txt"), encoding="utf-8")
    assert any(line.startswith("attachment[0].file") for line in check_target(target))


def test_every_basis_is_in_the_catalogue() -> None:
    from reportgen.catalogue import read_catalogue
    from reportgen.gates import BASIS
    from reportgen.resources import evidence_dir

    catalogue = read_catalogue(evidence_dir())
    known = {rule.id for rule in catalogue.rules} | {item.id for item in catalogue.unspecified}
    assert {name for names in BASIS.values() for name in names} <= known
