"""Every branch of the verdict as a table of cases: outcome, value, margin, reservations and the verdict's word.

The reasons of the same table are asserted in ``test_every_reason``.
"""

from __future__ import annotations

import pytest
from judged.goals import verdict
from judged.verdicts import SETUPS


@pytest.mark.parametrize("title", list(SETUPS))
def test_a_goal_and_the_word(title: str) -> None:
    setup = SETUPS[title]
    found = verdict(setup)
    if setup.word is not None:
        assert found.word is setup.word
    if setup.outcome is None:
        assert found.judgements == ()
        return
    first = found.judgements[0]
    assert first.outcome is setup.outcome
    assert first.reason.code == setup.code
    if setup.value is not None:
        assert first.value == setup.value
    if setup.margin is not None:
        assert first.margin == setup.margin
    if setup.outcome.value == "undecided":
        assert first.margin is None
    assert {reason.code for reason in first.reservations} >= {*setup.reservations}
