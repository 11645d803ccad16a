"""What was computed of a noun that never changes is computed once, although several parts of a report ask for it.

A log of many steps is too long to be hashed for every question, so it is known by its identity.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

MOST = 128
"""Answers that are kept; beyond them all are forgotten."""
Answer = TypeVar("Answer")


def remembered(asked: Callable[..., Answer]) -> Callable[..., Answer]:
    """A function of frozen nouns and texts that keeps its answers.

    Args:
        asked: without side effects; its arguments are given in their order, nouns that are never changed, or texts and
            tuples of texts, which are compared as such.
    """
    answers: dict[tuple[object, ...], tuple[tuple[Any, ...], Answer]] = {}

    @wraps(asked)
    def answer(*nouns: Any) -> Answer:
        key = tuple(noun if isinstance(noun, str | tuple) else id(noun) for noun in nouns)
        if key not in answers:
            if len(answers) >= MOST:
                answers.clear()
            answers[key] = (nouns, asked(*nouns))  # the nouns are held, so that no other one gets their identity
        return answers[key][1]

    return answer
