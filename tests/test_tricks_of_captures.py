"""Tricks that captures themselves show: a BEFORE below its defaults, a hidden second change, another machine.

Source: docs/tricks.md.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jobs import AFTER, TORCH, write_pair
from run_files import ARGUMENTS, megatron

from reportgen.below_default import FILE_NAME, read_vendor_defaults
from reportgen.catalogue import read_catalogue
from reportgen.contract import read_target
from reportgen.errors import CatalogueError
from reportgen.model import Difference, Outcome, PairStanding, Standing
from reportgen.pipeline import build_report, evaluate
from reportgen.report import html, wording
from reportgen.resources import evidence_dir

END_OF_PAGE_ONE = {"en": "<h2>What is not shown", "zh": "<h2>未证明什么"}
"""The last of its questions."""
BLOCKING = {"ASCEND_LAUNCH_BLOCKING": "1"}
ALLOWED = {"ENV_VARIABLES.ASCEND_LAUNCH_BLOCKING": "agreed"}


def facts(before: Path, after: Path, **more: Any) -> tuple[PairStanding, dict[str, Difference]]:
    """The standing of a pair and its compared facts by key."""
    found = evaluate(before, after, **more).comparability
    return found.standing, {one.key: one for one in found.differences}


def pair(root: Path, before: dict[str, str], after: dict[str, str]) -> tuple[Path, Path]:
    """A pair with these environments."""
    return write_pair(root, replace(TORCH, env=before), replace(AFTER, env=after))


def test_a_before_below_its_default_blocks_and_is_named_although_agreed(tmp_path: Path) -> None:
    sides = pair(tmp_path, BLOCKING, {})
    standing, found = facts(*sides)
    assert standing is PairStanding.NOT_COMPARABLE  # the setting itself differs
    assert found["below_default"].reason.code == "before_below_default"
    standing, found = facts(*sides, allowed=ALLOWED)
    assert standing is PairStanding.WITH_RESERVATIONS
    told = found["below_default"]
    assert (told.standing, told.reason.code, told.reason.arg("keys")) == (
        Standing.BIAS, "before_below_default", "ASCEND_LAUNCH_BLOCKING")  # fmt: skip
    assert (told.before.value, told.after.value) == ("ASCEND_LAUNCH_BLOCKING=1", "")
    assert told.before.origins[0].locator == "ENV_VARIABLES.ASCEND_LAUNCH_BLOCKING"


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        ({}, {}, None),
        ({"ASCEND_LAUNCH_BLOCKING": "0"}, {}, None),
        (BLOCKING, BLOCKING, "both_below_default"),
        ({**BLOCKING, "ASCEND_GLOBAL_LOG_LEVEL": "0"}, BLOCKING, "before_below_default"),
        ({}, BLOCKING, "after_below_default"),
    ],
)
def test_which_side_is_below_its_default(
    tmp_path: Path, before: dict[str, str], after: dict[str, str], code: str | None
) -> None:
    _, found = facts(*pair(tmp_path, before, after))
    assert (found["below_default"].reason.code if "below_default" in found else None) == code


def test_page_one_names_it_first(tmp_path: Path) -> None:
    sides = pair(tmp_path, BLOCKING, {})
    report = build_report(evaluate(*sides, allowed=ALLOWED))
    for language, words in (
        ("en", "BEFORE is below its default in ASCEND_LAUNCH_BLOCKING, and AFTER is not"),
        ("zh", "BEFORE 的 ASCEND_LAUNCH_BLOCKING 低于默认值，而 AFTER 不低"),
    ):
        assert words in wording.reservation_lines(report, language)[0]
        page = html.render(report, language=language, digest="0" * 64).replace("\u00a0", " ")
        assert 0 < page.index(words) < page.index(END_OF_PAGE_ONE[language])


def test_a_log_tells_what_no_capture_records(tmp_path: Path) -> None:
    """TASK_QUEUE_ENABLE stands in no capture; an argument dump, metadata or a table may state it."""
    (tmp_path / "before.log").write_text(megatron(("500.0",) * 6, arguments={"TASK_QUEUE_ENABLE": "0"}))
    (tmp_path / "after.log").write_text(megatron(("400.0",) * 6, arguments={"TASK_QUEUE_ENABLE": "1"}))
    (tmp_path / "target.toml").write_text(
        'schema = 1\ndecision_rule = "simple"\n[contract]\nreference = "T"\n[[change]]\nwhat = "queue"\n'
        'keys = ["TASK_QUEUE_ENABLE"]\n[[case]]\nid = "C"\nclause = "1"\n[case.workload]\ncheckpoint_steps = "none"\n'
        '[[case.goal]]\nid = "G"\nmetric = "step_time"\nstatistic = "median"\ndirection = "at_most"\n'
        'subject = "ratio"\nlimit = "85%"\n'
        + "".join(f'[[case.log]]\nside = "{s}"\nfile = "{s}.log"\nprofiled = false\n' for s in ("before", "after"))
    )
    found = evaluate(*write_pair(tmp_path / "pair"), target=read_target(tmp_path / "target.toml"))
    told = {one.key: one for one in found.comparability.differences}
    assert told["below_default"].before.value == "TASK_QUEUE_ENABLE=0"
    assert told["run.argument.TASK_QUEUE_ENABLE"].standing is Standing.ALLOWED  # agreed, and named all the same
    assert found.verdict is not None
    assert found.verdict.judgements[0].outcome is Outcome.MET
    assert "TASK_QUEUE_ENABLE" not in ARGUMENTS


def test_stacks_in_before_alone(tmp_path: Path) -> None:
    sides = write_pair(tmp_path, replace(TORCH, common={**TORCH.common, "with_stack": True}), AFTER)
    _, found = facts(*sides)
    assert found["below_default"].before.value == "with_stack=true"
    assert found["profiler_info.with_stack"].families  # times are not compared


def test_a_hidden_second_change_blocks_until_it_is_on_the_change_list(tmp_path: Path) -> None:
    sides = pair(tmp_path, {}, {"HCCL_RDMA_TC": "132", "PYTORCH_NPU_ALLOC_CONF": "expandable_segments:True"})
    agreed = {"ENV_VARIABLES.PYTORCH_NPU_ALLOC_CONF": "the change under test"}
    standing, found = facts(*sides, allowed=agreed)
    assert standing is PairStanding.NOT_COMPARABLE
    assert found["profiler_metadata.hccl_rdma_tc"].standing is Standing.BLOCKING
    standing, _ = facts(*sides, allowed={**agreed, "ENV_VARIABLES.HCCL_RDMA_TC": "agreed"})
    assert standing is PairStanding.WITH_RESERVATIONS


def test_another_machine_is_a_reservation_and_neighbours_are_not_recorded(tmp_path: Path) -> None:
    same, other = tmp_path / "same", tmp_path / "other"
    _, found = facts(*write_pair(same))
    assert found["info.hostname"].standing is Standing.SAME
    assert found["chip_neighbours"].standing is Standing.UNKNOWN
    _, found = facts(*write_pair(other, TORCH, replace(AFTER, host="npu-train-99")))
    assert found["info.hostname"].standing is Standing.BIAS


# --------------------------------------------------------------------------------------------- the evidence behind
def test_every_default_names_an_entry_of_the_catalogue() -> None:
    rules = {rule.id for rule in read_catalogue(evidence_dir()).rules}
    assert set(read_vendor_defaults().cited()) <= rules
    names = {one.name for one in read_vendor_defaults().defaults}
    assert {"ASCEND_LAUNCH_BLOCKING", "ASCEND_GLOBAL_LOG_LEVEL", "TASK_QUEUE_ENABLE", "with_stack"} <= names


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('name = "with_stack"', 'name = "TASK_QUEUE_ENABLE"', "'TASK_QUEUE_ENABLE' stands 2 times"),
        ('slower = ["0"]', "slower = []", "default[2].slower: must name a value"),
        ("schema = 1", "schema = 2", "schema: must be 1"),
    ],
)
def test_a_wrong_file_of_defaults_is_refused(tmp_path: Path, old: str, new: str, fault: str) -> None:
    text = (evidence_dir() / FILE_NAME).read_text(encoding="utf-8")
    assert old in text
    (tmp_path / FILE_NAME).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(CatalogueError) as caught:
        read_vendor_defaults(tmp_path)
    assert fault in caught.value.message
