"""Every branch of the verdict: both tables of goals, and the reasons of the verdict itself."""

from __future__ import annotations

from collections.abc import Mapping

from judged.case import Judged
from judged.goals import Setup, verdict
from judged.profile_goals import PROFILE
from judged.run_goals import RUNS

SETUPS: dict[str, Setup] = PROFILE | RUNS
"""Title -> what is judged and what is expected."""

VERDICTS: dict[str, tuple[str, str, dict[str, str]]] = {
    "all_goals_met": ("two goals, both met", "all_goals_met", {"n": "2"}),
    "goal_not_met": ("an undecided goal before one that is not met", "goal_not_met", {"goal": "G2"}),
    "goal_undecided": ("an undecided goal behind one that is met", "goal_undecided", {"goal": "G2"}),
    "no_goals": ("no goal", "no_goals", {}),
    "runs_not_comparable": ("two definitions, and a goal on AFTER that is met", "runs_not_comparable", {"goal": "G2"}),
    "pair_not_comparable": (
        "no goal of a pair that is not comparable",
        "pair_not_comparable",
        {"keys": "sample.level"},
    ),
    "pair_cannot_be_shown": ("no goal of a pair that cannot be shown", "pair_cannot_be_shown", {"keys": "chip"}),
}
"""Reason of the verdict -> the setup that gives it, and its arguments."""


def _of_setup(title: str, setup: Setup) -> Judged:
    return Judged(
        title=title,
        give=lambda _root: verdict(setup).judgements[0].reason,
        code=setup.code,
        args=setup.args,
        why="docs/statistics.md, decision rule",
    )


def _of_verdict(title: str, code: str, args: Mapping[str, str]) -> Judged:
    return Judged(
        title=f"the verdict: {title}",
        give=lambda _root: verdict(SETUPS[title]).reason,
        code=code,
        args=args,
        why="docs/definitions.md: pair not comparable > not met > runs not comparable > undecided > met",
    )


def _said(title: str, code: str, args: Mapping[str, str]) -> Judged:
    return Judged(
        title=title,
        give=lambda _root: verdict(SETUPS[title]).judgements[0],
        code=code,
        args=args,
        why="docs/statistics.md, decision rule",
    )


CASES: tuple[Judged, ...] = (
    *(_of_setup(title, setup) for title, setup in SETUPS.items() if setup.outcome is not None),
    *(_of_verdict(title, code, args) for title, code, args in VERDICTS.values()),
    _of_verdict("two definitions, and it asks for a goal that is not met", "goal_not_met", {"goal": "G2"}),
    _said("calls of a type, and the other's absence said", "operator_not_on_this_side", {"type": "Add"}),
    _said("the total of a type on both sides", "value_without_sample", {}),
    _said("a profiled run", "profiled_run", {}),
    _said("the delta of one run each", "measured_outside", {}),
    _said("the delta of one run each", "single_run", {}),
    _said("a run of which nobody says whether it was profiled", "profiled_not_stated", {}),
    _said("the ratio to an agreed value", "baseline_fixed", {"value": "200000000 ns", "source": "tender 4.1"}),
    _said(
        "a log of the command line never takes the place of the capture",
        "log_not_agreed",
        {"file": "m.log", "side": "after"},
    ),
    _said("a log of the command line, of a case without a capture", "log_by_option", {"file": "m.log"}),
    _said("A/A captures that say nothing of the step time", "alike_silent", {"metric": "step_time"}),
    _said("typed, simple", "hand_typed", {}),
    _said("typed, simple", "no_interval_simple", {}),
    _said("simple: at the limit", "at_limit_simple", {}),
    _said("one step: the device span, of AFTER", "device_span_used", {}),
)
