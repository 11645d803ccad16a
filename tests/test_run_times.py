"""When runs of one side ran, by their own clocks: repeats follow one another."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from run_files import RATE, STEP, Runs, decide, figures, megatron, served

from reportgen.model import Evaluation, FileRecord, LoggedRun, Quantity, Run, Side, Stated
from reportgen.run_times import at_one_time

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
    assert caveats[CODE] == {"files": "after0.txt, after1.txt"}


def test_all_that_overlap_are_named(tmp_path: Path, pair: Evaluation) -> None:
    """The third runs an hour later; of the four others each shares its ten seconds with the rest."""
    goal = {**STEP, "subject": "after", "limit": "600 ms"}
    noise = Random(5)
    made = [megatron(tuple(f"{500 + noise.gauss(0, 6):.1f}" for _ in range(20))) for _ in range(5)]
    made[2] = later(made[2], 60)
    reasons = decide(tmp_path, Runs(after=tuple(made), goal=goal), pair).judgement.reservations
    (said,) = [dict(one.args)["files"] for one in reasons if one.code == CODE]
    assert said == "after0.txt, after1.txt, after3.txt, after4.txt"


def clocked(name: str, began: int | None = None, ended: int | None = None, **stated: str) -> LoggedRun:
    """A run with its ends in seconds of the epoch, or as it states them."""
    file = FileRecord(path=name, size=1, digest="d" * 64)
    ends = {key: None if at is None else Quantity(value=at * 10**9, unit="ns")
            for key, at in (("began", began), ("ended", ended))}  # fmt: skip
    said = tuple(Stated(key=key, written=written, locator="x") for key, written in stated.items())
    run = Run(producer="p", version="", definitions="p", file=file, context=said, **ends)
    return LoggedRun(case="C", side=Side.AFTER, run=run, profiled=None, agreed=True)


LOCAL = clocked("l", first_time="1970-01-01 00:00:00", last_time="1970-01-01 00:00:10")


@pytest.mark.parametrize(
    ("other", "shown"),
    [
        (clocked("b", 8, 20), True),
        (clocked("b", 9, 20), False),  # one second
        (LOCAL, False),  # of which zone is not known
        (clocked("b", 8), False),
    ],
)
def test_clocks_in_utc_are_held_against_each_other_alone(other: LoggedRun, shown: bool) -> None:
    assert (at_one_time([clocked("a", 0, 10), other]) is not None) is shown
    assert at_one_time([LOCAL, LOCAL]) is not None


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
