"""Operator types tested together: Holm's step-down by intervals against his own rule by p-values.

The oracle turns each type's intervals into a p-value (the level at which the interval begins to hold 1, found by
halving) and applies Holm's rule as he wrote it: p ascending, the i-th of k against 0.05 / (k - i + 1), stop at the
first that fails.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from judged.comparing import ALIKE, operator
from judged.goals import AS_RATIO, UNDECIDED, Setup, goal, verdict
from judged.official_rules import facts

from reportgen.compare import ratio
from reportgen.model import Missing, OperatorChange, OperatorWork, Side
from reportgen.operator_types import compare_operators, step_down

LEVEL = Fraction(19, 20)
Pair = tuple[list[int], list[int]]


def calls(seed: int, n: int, mean: int, percent: float) -> list[int]:
    source = random.Random(seed)
    return [round(source.gauss(mean, mean * percent / 100)) for _ in range(n)]


def pair(seed: int, change: float, n: int = 12) -> Pair:
    return calls(seed, n, 100_000, 1.0), calls(seed + 1000, n, round(100_000 * (1 + change)), 1.0)


def p_value(before: list[int], after: list[int]) -> float:
    """The least 1 - level at which the interval excludes 1."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        apart = ratio(before, after, Fraction(1 - middle).limit_denominator(10**12))[2] == "yes"
        low, high = (low, middle) if apart else (middle, high)
    return high


def holm(p_values: dict[str, float], alpha: float = 0.05) -> set[str]:
    """Which are rejected, as in Holm 1979."""
    rejected: set[str] = set()
    ordered = sorted(p_values, key=lambda name: p_values[name])
    for index, name in enumerate(ordered):
        if p_values[name] > alpha / (len(ordered) - index):
            break
        rejected.add(name)
    return rejected


def named(pairs: dict[str, Pair]) -> dict[tuple[str, str, bool], Pair]:
    return {(name, "type", False): found for name, found in pairs.items()}


def test_holms_rule_by_hand() -> None:
    # Worked by hand, 4 hypotheses at 0.05: 0.005 <= 0.0125, 0.010 <= 0.0167, 0.030 > 0.025 stops; 0.04 is not looked at
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005}) == {"a", "d"}
    assert holm({"a": 0.02, "b": 0.02, "c": 0.02}) == set()  # 0.02 > 0.05 / 3


@pytest.mark.parametrize("seed", range(12))
def test_the_same_types_as_by_p_values(seed: int) -> None:
    pairs = {f"t{i}": pair(seed * 50 + i, change) for i, change in enumerate((0, 0.004, 0.007, 0.009, 0.012, 0.05))}
    found = step_down(named(pairs), LEVEL)
    told = {name for (name, _by, _helper), result in found.items() if result.told == "yes"}
    assert told == holm({name: p_value(*both) for name, both in pairs.items()})


def test_the_second_type_is_told_apart_by_the_step_down_alone() -> None:
    # Bonferroni asks 97.5 % of both: the second excludes 1 at 95 % and not at 97.5 %; the first left, so 95 % decides
    weak = next(
        both
        for both in (pair(seed, 0.008) for seed in range(200))
        if ratio(*both, LEVEL)[2] == "yes" and ratio(*both, Fraction(39, 40))[2] != "yes"
    )
    found = step_down(named({"strong": pair(1, 0.2), "weak": weak}), LEVEL)
    strong, second = found.values()
    assert (strong.told, second.told) == ("yes", "yes")
    assert strong.interval is not None
    assert second.interval is not None
    assert (strong.interval.level, second.interval.level) == (Fraction(39, 40), LEVEL)


@pytest.mark.parametrize("seed", range(8))
def test_a_printed_interval_says_what_was_decided(seed: int) -> None:
    pairs = {f"t{i}": pair(seed * 70 + i, change) for i, change in enumerate((0, 0.005, 0.008, 0.01, 0.3))}
    for result in step_down(named(pairs), LEVEL).values():
        assert result.interval is not None
        inside = result.interval.low.value <= 1 <= result.interval.high.value
        assert inside == (result.told == "no")


def test_no_difference_is_decided_at_the_level_of_the_last_round() -> None:
    # three types, one told apart in the first round (1 - 0.05 / 3); two are left: 1 - 0.05 / 2
    found = step_down(named({"a": pair(3, 0.3), "b": pair(5, 0.0), "c": pair(9, 0.0)}), LEVEL)
    levels = {name: result.interval.level for (name, _by, _helper), result in found.items() if result.interval}
    assert levels == {"a": Fraction(59, 60), "b": Fraction(39, 40), "c": Fraction(39, 40)}


def test_what_only_many_types_stand_against_is_said() -> None:
    # excludes 1 at 95 % and not at 98.75 %, beside three that do not differ
    weak = next(
        both
        for both in (pair(seed, 0.008) for seed in range(200))
        if ratio(*both, LEVEL)[2] == "yes" and ratio(*both, 1 - Fraction(1, 80))[2] != "yes"
    )
    found = step_down(named({"weak": weak, "x": pair(3, 0.0), "y": pair(5, 0.0), "z": pair(9, 0.0)}), LEVEL)
    first = next(iter(found.values()))
    assert (first.told, first.reason.code, first.reason.arg("level")) == ("no", "many_types_tested", "98.75%")


def test_one_call_each_is_tested_and_not_told() -> None:
    # it counts among the types tested: the other needs 97.5 %
    found = step_down(named({"once": ([100], [200]), "often": pair(1, 0.2)}), LEVEL)
    once, often = found.values()
    assert (once.told, once.reason.code, once.interval) == ("cannot be known", "one_value_each", None)
    assert often.interval is not None
    assert often.interval.level == Fraction(39, 40)


def test_nothing_to_test() -> None:
    assert step_down({}, LEVEL) == {}


# --------------------------------------------------------------------------------------------- calls that are alike
LARGE, SMALL = ("[1024,1024]", "FLOAT16"), ("[16]", "FLOAT")
Work = Sequence[tuple[tuple[str, str], int]]


def cast(before: Work, after: Work) -> OperatorChange:
    """Casts of 5000 ns on large inputs and of 600 ns on small ones: no call takes longer on either side."""
    made = []
    for side, work in zip(Side, (before, after), strict=True):
        values = [5000 if of == LARGE else 600 for of, n in work for _ in range(n)]
        told = tuple(OperatorWork(shapes=shapes, dtypes=dtypes, calls=n) for (shapes, dtypes), n in work)
        made.append([replace(operator(side, "Cast", values), work=told)])
    captures = [facts(side, {}, "torch_npu text", 1, ()) for side in Side]
    (found,) = compare_operators(made[0], made[1], (captures[0], captures[1]), [(0, 0)], ALIKE)
    return found


def test_small_calls_that_went_away_make_the_others_no_slower() -> None:
    """40 small casts of 60 are gone: the median call goes from 600 to 5000 ns, and no cast takes longer."""
    found = cast([(LARGE, 20), (SMALL, 40)], [(LARGE, 20)])
    assert found.call is not None
    assert (found.call.distinguishable, found.call.reason.code) == ("cannot be known", "unlike_calls")
    assert (found.call.estimate, found.call.interval) == (None, None)
    assert isinstance(found.call.change, Missing)
    assert found.delta_per_step.value == -40 * 600  # what the step saves stands


def test_more_calls_in_the_same_shares_are_compared() -> None:
    found = cast([(LARGE, 10), (SMALL, 20)], [(LARGE, 20), (SMALL, 40)])
    assert found.call is not None
    assert found.call.reason.code != "unlike_calls"
    other = cast([(LARGE, 20)], [(SMALL, 20)])
    assert other.call is not None
    assert other.call.reason.code == "unlike_calls"


def test_where_no_shapes_are_recorded_calls_are_compared_as_they_are() -> None:
    none = ("N/A", "N/A")
    found = cast([(none, 20)], [(none, 10)])
    assert found.call is not None
    assert found.call.reason.code != "unlike_calls"


@pytest.mark.parametrize("rule", ["simple", "guarded"])
def test_a_goal_on_the_time_of_unlike_calls_is_undecided(rule: str) -> None:
    found = cast([(LARGE, 20)], [(SMALL, 20)])  # 600 / 5000 = 12 %, of other calls
    setup = Setup(rule=rule, goals=(goal(metric="kernel_call", part="Cast", **AS_RATIO),), operators=(found,))  # type: ignore[arg-type]
    (judged,) = verdict(setup).judgements
    assert (judged.outcome, judged.reason.code) == (UNDECIDED, "unlike_calls")
