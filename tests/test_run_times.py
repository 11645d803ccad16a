"""When runs of one side ran, by their own clocks: repeats follow one another."""

from __future__ import annotations

from pathlib import Path

import pytest
from run_files import RATE, STEP, Runs, decide, figures, megatron, served

from reportgen.model import Evaluation

CODE = "runs_at_one_time"
TIMES = {"one": ("500.0", "504.0", "498.0", "502.0") * 5, "other": ("501.0", "497.0", "503.5", "499.5") * 5}
"""Twenty steps: the first lines stand at 0.5 s, the last ones at 10.0 s after the start."""


def later(text: str, minutes: int) -> str:
    return text.replace("[2026-01-01 10:", "[2026-01-01 11:") if minutes >= 60 else text.replace(
        "10:00:", f"10:{minutes:02d}:")  # fmt: skip


def codes(root: Path, pair: Evaluation, runs: Runs) -> set[str]:
    return {one.code for one in decide(root, runs, pair).judgement.reservations}


def test_two_logs_of_the_same_minute_are_named(tmp_path: Path, pair: Evaluation) -> None:
    """Both from 10:00:00 to 10:00:10."""
    goal = {**STEP, "subject": "after", "limit": "600 ms"}
    runs = Runs(after=(megatron(TIMES["one"]), megatron(TIMES["other"])), goal=goal)
    assert CODE in codes(tmp_path, pair, runs)


def test_a_figure_of_both_sides_has_it_beside_its_word(tmp_path: Path, pair: Evaluation) -> None:
    before = megatron(TIMES["one"]), later(megatron(TIMES["other"]), 1)
    runs = Runs(before=before, after=(megatron(TIMES["one"][::-1]), megatron(TIMES["other"][::-1])), goal=STEP)
    found = figures(tmp_path, runs, pair)
    caveats = {one.code: dict(one.args) for row in found.values() for one in row.caveats}
    assert caveats[CODE] == {"file": "after0.txt", "other": "after1.txt"}


@pytest.mark.parametrize("minutes", [1, 60])
def test_two_logs_one_after_the_other_are_not(tmp_path: Path, pair: Evaluation, minutes: int) -> None:
    goal = {**STEP, "subject": "after", "limit": "600 ms"}
    runs = Runs(after=(megatron(TIMES["one"]), later(megatron(TIMES["other"]), minutes)), goal=goal)
    assert CODE not in codes(tmp_path, pair, runs)


def test_a_log_of_each_side_is_asked_nothing(tmp_path: Path, pair: Evaluation) -> None:
    runs = Runs(before=(megatron(TIMES["one"]),), after=(megatron(TIMES["other"]),), goal={**STEP, "limit": "150%"})
    assert CODE not in codes(tmp_path, pair, runs)


@pytest.mark.parametrize(
    ("ended", "shown"),
    [
        ("20260101-100000", True),  # 9:59:20 to 10:00:00 and 9:59:18 to 10:00:00
        ("20260101-100041", False),  # the second from 9:59:59 on: 1 s of a clock of whole seconds is no overlap
        ("20260101-100040", True),  # from 9:59:58 on: 2 s
        ("yesterday", False),
    ],
)
def test_a_result_ran_for_its_duration_until_its_date(
    tmp_path: Path, pair: Evaluation, ended: str, shown: bool
) -> None:
    """The first lasts 40 s, the second 42 s."""
    goal = {**RATE, "subject": "after", "limit": "1 tokens/s"}
    runs = Runs(after=(served("40"), served("42", date=ended)), goal=goal)
    assert (CODE in codes(tmp_path, pair, runs)) is shown
