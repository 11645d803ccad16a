"""A change of step time taken apart: when no difference is formed."""

from __future__ import annotations

from judged.case import Judged
from judged.goals import BEFORE, NINE, STEADY, measured, row
from reportgen.attribution import attribute
from reportgen.model import Reason, Side

WAIT = row(
    measured(Side.BEFORE, NINE[:8], metric="collective_wait"), measured(Side.AFTER, NINE[:8], metric="collective_wait")
)
"""Waits of eight steps, where the step time is of nine."""

CASES: tuple[Judged, ...] = (
    Judged(
        title="a step time that gets no verdict",
        give=lambda _root: attribute([row(BEFORE, STEADY.after, blocked=(Reason.of("values_missing"),))]),
        code="attribution_blocked",
        why="the row is blocked",
    ),
    Judged(
        title="waits of eight of nine steps",
        give=lambda _root: attribute([STEADY, WAIT]),
        code="captures_of_other_steps",
        why="the ninth step has none",
    ),
)
