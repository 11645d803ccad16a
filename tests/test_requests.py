"""Requests of a result against its duration and its load: how long they took, how many ran, how long answers were."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from run_files import RATE, STEADY, Runs, decide, served

from reportgen.model import Evaluation, Identity, Run
from reportgen.run_conditions.lengths import _wasserstein
from reportgen.run_logs import read_runs


def read(tmp_path: Path, text: str) -> Run:
    path = tmp_path / "result.json"
    path.write_text(text, encoding="utf-8")
    (run,) = read_runs(path)
    return run


def identity(run: Run, which: str) -> Identity:
    (found,) = [one for one in run.identities if one.id == which]
    return found


# ------------------------------------------------------------------------------------------------ I16
@pytest.mark.parametrize(("duration", "holds"), [(0.5, True), (0.34, True), (0.33, False)])
def test_no_request_lasts_longer_than_the_run(tmp_path: Path, duration: float, holds: bool) -> None:
    """The longest time to the first token of STEADY is 0.30 + 0.04 = 0.34 s."""
    run = read(tmp_path, served(str(duration), ttfts=STEADY, max_concurrency=None))
    found = identity(run, "I16")
    assert (found.holds, found.what) == (holds, "longest_ttft_within_run")
    assert float(found.found.value) == pytest.approx(0.34e9)


def test_a_statistic_of_the_end_to_end_time_is_held_against_the_duration_too(tmp_path: Path) -> None:
    run = read(tmp_path, served("40", mean_e2el_ms=3000.0, p99_e2el_ms=40_100.0, std_e2el_ms=90_000.0))
    found = identity(run, "I16")
    assert (found.holds, found.found.value, found.expected.value) == (False, 40_100 * 10**6, 40 * 10**9)


# ------------------------------------------------------------------------------------------------ I13
LISTS: dict[str, Any] = {"ttfts": [0.5, 0.7], "output_lens": [3, 3], "errors": ["", ""]}


@pytest.mark.parametrize(
    ("more", "busy"),
    [
        # 2 requests in 2 s, one a second: the mean end-to-end time in s is the number under way
        ({"mean_e2el_ms": 1500.0, **LISTS}, "1.5"),
        ({**LISTS, "itls": [[0.1, 0.2], [0.3, 0.2]]}, "1"),  # 0.5 + 0.3 and 0.7 + 0.5
        ({**LISTS, "mean_ttft_ms": 600.0, "mean_tpot_ms": 200.0}, "1"),  # 0.6 + 2 x 0.2
        ({**LISTS, "output_lens": [1, 5], "mean_ttft_ms": 600.0, "mean_tpot_ms": 200.0}, "0.6"),  # at least 0.6
        ({"mean_ttft_ms": 600.0, "mean_tpot_ms": 200.0}, "0.6"),
    ],
)
@pytest.mark.parametrize("allowed", [1, 2])
def test_more_than_are_allowed_cannot_be_under_way(
    tmp_path: Path, more: dict[str, Any], busy: str, allowed: int
) -> None:
    result = json.loads(served("2", requests=2, output=6, inputs=20, max_concurrency=allowed))
    del result["mean_tpot_ms"]
    found = identity(read(tmp_path, json.dumps({**result, **more})), "I13")
    assert (Fraction(found.found.value), found.holds) == (Fraction(busy), Fraction(busy) <= allowed)


# ------------------------------------------------------------------------------------------------ load
def test_the_load_that_was_reached_is_shown(tmp_path: Path, pair: Evaluation) -> None:
    """4 / s x (0.32 s + 127 x 26.9764 ms) = 15 of 16; 5 / s x (0.32 s + 127 x 0.0211 ms) = 1.613."""
    runs = Runs(before=(served("50", ttfts=STEADY),), after=(served("40", ttfts=STEADY, mean_tpot_ms=0.0211),),
                goal=RATE)  # fmt: skip
    found = decide(tmp_path, runs, pair).facts["load_reached"]
    assert (found.before.value, found.after.value) == ("15 / 16", "1.613 / 16")


@pytest.mark.parametrize("more", [{"request_rate": "4.0"}, {"max_concurrency": None}, {"max_concurrency": 64}], ids=str)
def test_of_paced_or_few_requests_no_load_is_asked(tmp_path: Path, pair: Evaluation, more: dict[str, Any]) -> None:
    """200 requests are fewer than eight times 64."""
    runs = Runs(before=(served("50", ttfts=STEADY, **more),), goal=RATE,
                after=(served("40", ttfts=STEADY, mean_tpot_ms=0.0211, **more),))  # fmt: skip
    assert "load_reached" not in decide(tmp_path, runs, pair).facts


# ------------------------------------------------------------------------------------------------ lengths
@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ([128, 128], [1, 255], "127"),  # (127 + 127) / 2
        ([0, 10], [5], "5"),  # (5 + 5) / 2
        ([1, 2, 3], [2, 2], "2/3"),  # a third of 1, a third of 0, a third of 1
        ([1, 2, 3], [1, 2, 3], "0"),
    ],
)
def test_the_mean_distance_of_two_lists_in_order_of_size(one: list[int], other: list[int], apart: str) -> None:
    mine, theirs = ([Fraction(value) for value in values] for values in (one, other))
    assert _wasserstein(mine, theirs) == _wasserstein(theirs, mine) == Fraction(apart)


@pytest.mark.parametrize(("longer", "standing"), [(134, "same"), (135, "blocking")])
def test_lists_that_lie_a_twentieth_apart_are_alike(
    tmp_path: Path, pair: Evaluation, longer: int, standing: str
) -> None:
    """Answers of 128 tokens; half longer, half shorter by as many: 6 / 128 = 4.7 %, 7 / 128 = 5.5 %."""
    lens = [longer] * 100 + [256 - longer] * 100
    runs = Runs(before=(served("50", ttfts=STEADY),), after=(served("40", ttfts=STEADY, output_lens=lens),),
                goal=RATE)  # fmt: skip
    found = decide(tmp_path, runs, pair).facts["output_length_spread"]
    assert found.standing.value == standing
