"""An answer is kept for the very nouns it was given for, and for no others."""

from __future__ import annotations

from reportgen.remembered import MOST, remembered


class Noun:
    """Equal to every other one: identity alone tells them apart."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Noun)

    def __hash__(self) -> int:
        return 0


def test_an_answer_is_computed_once_for_a_noun_and_a_text() -> None:
    asked = []

    @remembered
    def answer(noun: Noun, word: str) -> str:
        asked.append((noun, word))
        return f"{word} {len(asked)}"

    one, other = Noun(), Noun()
    assert [answer(one, "mean"), answer(one, "mean"), answer(one, "median"), answer(other, "mean")] == [
        "mean 1", "mean 1", "median 2", "mean 3",
    ]  # fmt: skip


def test_an_identity_that_is_used_again_gets_no_old_answer() -> None:
    @remembered
    def value(noun: list[int]) -> int:
        return noun[0]

    assert [value([n]) for n in range(3 * MOST)] == list(range(3 * MOST))
