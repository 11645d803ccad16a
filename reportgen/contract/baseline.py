"""What AFTER is held against: BEFORE, a fixed value with its source, or nothing.

``baseline = "none"`` says that no BEFORE was agreed: then only AFTER alone is judged. A table under
``[[case.baseline]]`` is a number that the parties agreed on; the goals on delta or ratio that it fits rest on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from reportgen import strict, units, vocabulary
from reportgen.contract.checks import Files, check_amount, check_attached, check_kind, check_statistic
from reportgen.contract.matrix import Placed
from reportgen.strict import Fault

NONE = "none"
"""The word for a target or case without a BEFORE."""
FITS = ("metric", "part", "kind", "statistic")
"""What a fixed value and a goal have in common where the goal rests on it."""


def without_before(raw: Mapping[str, Any], case: Mapping[str, Any]) -> bool:
    """Whether a target says of a case that no BEFORE was agreed."""
    return NONE in (raw.get("baseline"), case.get("baseline"))


def check_baseline(placed: Placed, files: Files, *, alone: bool) -> Iterator[Fault]:
    """Faults of what a case is held against.

    Args:
        placed: the case.
        files: those that the target names.
        alone: whether no BEFORE was agreed for it.
    """
    case, path = placed.case, placed.place
    fixed = {place: _fits(table) for place, table in strict.tables(case, "baseline", path)}
    compared = [
        (place, goal)
        for place, goal in strict.tables(case, "goal", path)
        if strict.text(goal, "subject") in ("delta", "ratio")
    ]
    taken: dict[tuple[str, ...], str] = {}
    for place, table in strict.tables(case, "baseline", path):
        yield from _check_fixed(place, table, files)
        fit = fixed[place]
        subjects = [strict.text(goal, "subject") for _, goal in compared if _fits(goal) == fit]
        if not subjects and all(fit[i] for i in (0, 3)):
            yield Fault(place, "no goal of this case on delta or ratio has this metric, part, kind and statistic")
        if "ratio" in subjects and _amount(table) == 0:
            yield Fault(f"{place}.value", "a ratio to 0 does not exist")
        if taken.setdefault(fit, place) != place:
            yield Fault(place, f"{' '.join(filter(None, fit))} is given in {taken[fit]} already")
    if alone:
        yield from _alone(path, case, compared, set(fixed.values()))


def _alone(
    path: str, case: Mapping[str, Any], compared: list[tuple[str, Mapping[str, Any]]], fixed: set[tuple[str, ...]]
) -> Iterator[Fault]:
    for place, goal in compared:
        if _fits(goal) not in fixed:
            yield Fault(
                f"{place}.subject",
                'no BEFORE was agreed (baseline = "none"): a goal is on "after", or rests on a [[case.baseline]] of '
                "its metric, part, kind and statistic",
            )
    for key in ("log", "external"):
        for place, table in strict.tables(case, key, path):
            if table.get("side") == "before":
                yield Fault(f"{place}.side", 'no BEFORE was agreed (baseline = "none"), and this is of BEFORE')


def _fits(table: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(strict.text(table, key) for key in FITS)


def _amount(table: Mapping[str, Any]) -> Fraction | None:
    try:
        return Fraction(units.parse(strict.text(table, "value"))[0])
    except ValueError:
        return None


def _check_fixed(path: str, table: Mapping[str, Any], files: Files) -> Iterator[Fault]:
    name = strict.text(table, "metric")
    metric = vocabulary.GOAL_METRICS.get(name)
    if metric is None:
        if name:
            yield Fault(f"{path}.metric", f"unknown metric {name!r}; {strict.near(name, vocabulary.GOAL_METRICS)}")
    else:
        yield from check_statistic(path, table, name, metric.statistics)
        yield from check_kind(path, table, name, metric)
        yield from check_amount(path, table, "value", "after")
    yield from check_attached(path, table, files)
    file, locator = strict.text(table, "file"), strict.text(table, "locator")
    if file and not locator:
        yield Fault(f"{path}.locator", "must say where in the file the value stands")
    if not file:
        for key in ("locator", "sha256"):
            if strict.text(table, key):
                yield Fault(f"{path}.{key}", "is of a file, and none is named")
