"""By how much recorded digits can move what is computed from them."""

from __future__ import annotations

from fractions import Fraction

from reportgen.catalogue import choices
from reportgen.metrics.common import FEWEST_FOR_DIGIT, last_digit, rounding
from reportgen.resources import evidence_dir


def test_the_last_digit_is_what_all_values_share() -> None:
    assert last_digit([414_390, 20, 1_780]) == 10  # three values in ps, written to 0.01 ns
    assert last_digit([414_392, 20, 1_780]) == 1
    assert last_digit([5_000, 7_000]) == 1  # two values may end in zeros by chance
    assert last_digit([0, 0, 0]) == 1


def test_halves_of_the_last_digit_add_up() -> None:
    # three times of 1000 +- 0.5 and three counts of 2000 +- 0.5: 1.5 / 3003 + 1.5 / 6003
    assert rounding([2001, 2001, 2001], [1001, 1001, 1001]) == Fraction(3, 2 * 6003) + Fraction(3, 2 * 3003)


def test_the_fewest_values_are_the_choice_we_named() -> None:
    assert choices(evidence_dir())["fewest_for_digit"] == FEWEST_FOR_DIGIT
