"""What a compared fact of runs is, and how it stands once both sides are known.

Source: docs/tricks.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from reportgen.comparability.facts import fact
from reportgen.comparability.settings import Permissions
from reportgen.model import Difference, Goal, Held, LoggedRun, Reason, Side, Standing
from reportgen.outside import origin_of

PREFIX = "run."
"""Keys of compared facts of runs begin so; what may differ is named with it or without."""
PLACE = "case "
"""Place of a compared fact of runs: the case's id behind it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFact:
    """One compared fact of the runs of a case."""

    case: str
    """Case id."""
    difference: Difference
    """The fact as the report shows it."""
    stops: bool = False
    """Whether goals that hold AFTER against BEFORE are undecided because of it."""
    definitions: str = ""
    """Definition set of the runs it is of; empty: it is of all runs of the case, as a server's log witnesses them."""
    unstated: tuple[Side, ...] = ()
    """Sides of which a run does not state it, where no stated value differs from another."""
    within: tuple[Side, ...] = ()
    """Sides whose own runs differ in it, where the other side states one of their values."""

    @property
    def names(self) -> tuple[str, ...]:
        """What a change list, or the side condition of a goal, may call it."""
        return names_of(self.difference.spelling)


def names_of(key: str) -> tuple[str, ...]:
    """Names of a fact: with ``run.``, without, and of an argument its bare name."""
    bare = key.removeprefix(PREFIX)
    return tuple(dict.fromkeys((f"{PREFIX}{bare}", bare, bare.removeprefix("argument."))))


def of_goal(facts: Iterable[RunFact], case: str, goal: Goal, definitions: Iterable[str]) -> Reason | None:
    """Why a goal that holds AFTER against BEFORE may not be judged; None when it may.

    Args:
        facts: of all cases.
        case: the goal's case.
        goal: the goal; what its side condition names is agreed to differ.
        definitions: definition sets of the runs it rests on.
    """
    found = _stopping(facts, case, goal, definitions)
    if not found:
        return None
    only = found[0].difference.reason
    if len(found) == 1 and only.code not in BY_KEY:
        return only
    apart = ", ".join(dict.fromkeys(_with_sides(one, one.within) for one in found if _shown(one.difference)))
    open_ = ", ".join(dict.fromkeys(_with_sides(one, one.unstated) for one in found if not _shown(one.difference)))
    if apart and open_:
        return Reason.of("runs_not_alike_nor_shown", facts=apart, unstated=open_)
    return Reason.of("runs_not_alike", facts=apart) if apart else Reason.of("runs_not_shown_alike", unstated=open_)


def _with_sides(one: RunFact, sides: Sequence[Side]) -> str:
    """A fact by its key, and behind it the sides it is open on: ``max_concurrency/after``."""
    return "/".join((one.difference.spelling, *sides))


def shown_unlike(facts: Iterable[RunFact], case: str, goal: Goal, definitions: Iterable[str]) -> bool:
    """Whether one of the facts that stop a goal is shown to differ, so that its runs are not comparable.

    False where nothing stops the goal, and where what stops it is only not known, or is alike on both sides and yet no
    ground for a verdict. Arguments as of ``of_goal``.
    """
    return any(_shown(one.difference) for one in _stopping(facts, case, goal, definitions))


def case_apart(differences: Iterable[Difference], case: str, goals: Sequence[Goal]) -> tuple[Difference, ...]:
    """The compared facts for which figures of a case's runs are not held against the other side's.

    They are those that are shown to differ and that none of the goals names as agreed.

    Args:
        differences: compared facts of the pair and of its runs.
        case: id of the case.
        goals: whose side conditions are asked: all of the case, or those that are on the figure.
    """
    return tuple(
        one
        for one in differences
        if one.place == f"{PLACE}{case}"
        and one.key.startswith(PREFIX)
        and _shown(one)
        and not any(_agreed(names_of(one.spelling), goal.side_condition) for goal in goals)
    )


def _shown(difference: Difference) -> bool:
    """Whether the files of both sides show a difference that nobody agreed to."""
    return difference.standing is Standing.BLOCKING and difference.before.value != difference.after.value


def _stopping(facts: Iterable[RunFact], case: str, goal: Goal, definitions: Iterable[str]) -> list[RunFact]:
    """The facts for which a goal that holds AFTER against BEFORE may not be judged; none for one on AFTER alone."""
    if goal.subject == "after":
        return []
    held = {"", *definitions}
    return [
        one
        for one in facts
        if one.stops
        and one.case == case
        and one.definitions in held
        and not _agreed(one.names, goal.side_condition)
        and not (goal.metric == "failed" and one.difference.spelling == OF_FAILED)
    ]


OF_FAILED = "failed_requests"
"""The fact that a figure of failed requests tells itself, so that none of those figures waits for it."""
BY_KEY = ("run_fact_differs", "run_fact_one_side")
"""Reasons that say no more than the name of the fact."""


def _agreed(names: Iterable[str], side_condition: str) -> bool:
    """Whether the words of a side condition name the fact."""
    words = set(re.findall(r"[\w.]+", side_condition))
    return any(name in words for name in names)


def held(runs: Sequence[LoggedRun], value: str | None, locators: Iterable[str], formula: str = "as written") -> Held:
    """One side of a fact with its places in the files of that side.

    Args:
        locators: one for each run that has it.
    """
    places = zip(runs, locators, strict=False)
    return Held(value=value, origins=tuple(origin_of(run, place, formula) for run, place in places))


def stand(
    case: str,
    key: str,
    sides: tuple[Held, Held],
    granted: Permissions,
    *,
    definitions: str,
    reason: Reason | None = None,
    equal: bool = False,
    stops: bool = True,
    declarable: bool = False,
    vouchable: bool = False,
    each: tuple[Sequence[str | None], Sequence[str | None]] | None = None,
) -> RunFact:
    """How a fact stands: the same, agreed to differ, declared, different, or not known.

    Args:
        sides: BEFORE and AFTER; a value of None is not stated.
        reason: why it differs; None: the general one.
        stops: whether a difference that nobody agreed to makes goals on both sides undecided.
        declarable: whether the parties may vouch for it where a side does not state it.
        vouchable: whether they may vouch for it although it is stated.
        each: what each run of BEFORE and of AFTER states, None of one that does not; None: as ``sides`` has it.
    """
    before, after = sides
    unstated = tuple(side for side, one in zip(Side, sides, strict=True) if one.value is None)
    within: tuple[Side, ...] = ()
    if each is not None and not unstated:
        known = [{one for one in runs if one is not None} for runs in each]
        if len(known[0] | known[1]) == 1:
            unstated = tuple(side for side, runs in zip(Side, each, strict=True) if None in runs)
        if known[0] & known[1]:
            within = tuple(side for side, some in zip(Side, known, strict=True) if len(some) > 1)
    lacking = next(iter(unstated), None)
    names = names_of(key)
    allowed, declared = granted.allows(*names), granted.declares(*names)
    if equal:
        standing, stops, said = Standing.SAME, False, Reason.of("setting_equal", key=key)
    elif allowed is not None:
        standing, stops, said = Standing.ALLOWED, False, allowed
    elif declared is not None and (vouchable or (declarable and lacking is not None)):
        standing, stops, said = Standing.DECLARED, False, declared
    elif lacking is not None:
        standing, said = Standing.UNKNOWN, reason or Reason.of("run_fact_one_side", key=key, side=lacking)
    else:
        standing, said = (
            Standing.BLOCKING if stops else Standing.BIAS,
            reason or Reason.of("run_fact_differs", key=key),
        )
    return RunFact(
        case=case,
        difference=_difference(case, key, before, after, standing, said),
        stops=stops,
        definitions=definitions,
        unstated=unstated,
        within=within,
    )


def _difference(case: str, key: str, before: Held, after: Held, standing: Standing, said: Reason) -> Difference:
    bare = key.removeprefix(PREFIX)
    return replace(fact(f"{PREFIX}{bare}", f"{PLACE}{case}", before, after, standing, said), spelling=bare)
