"""Operator types of one side that likely are types of the other: renamed, or fused.

A type on one side only is held against those on the other side only, by what was recorded of its calls. Renamed: the
same calls per step on the same inputs (shapes and dtypes), on the same kind of core, and no other type fits as well.
Fused: a type of AFTER and two or more of BEFORE, all with equal calls per step; all input shapes of one of BEFORE are
among those of the type of AFTER, and each other shares an input shape with it. Types of AFTER that could have taken
over the same ones stand in one group. A match is likely, never certain: its types keep their own rows, and what does
not match stays added or removed. Inputs that are not recorded match nothing.
Source: docs/definitions.md, "Renamed and fused".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Literal

from reportgen import units
from reportgen.frames import NOT_AVAILABLE
from reportgen.model import Dimensions, OperatorChange, OperatorMeasurement, OperatorWork, Quantity, Reason
from reportgen.operator_types import calls_per_step, per_step

FEWEST_PARTS = 2
"""Types of BEFORE that one of AFTER has to replace to be called fused."""
SHOWN_SHAPES = 4
"""Input shapes that the evidence names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorMatch:
    """Types of BEFORE and of AFTER that likely do the same work, of one rank."""

    kind: Literal["renamed", "fused"]
    """How they match."""
    dimensions: Dimensions
    """Rank and device."""
    before: tuple[OperatorMeasurement, ...]
    """Types of BEFORE, the one whose inputs lead to the match first; one where renamed."""
    after: tuple[OperatorMeasurement, ...]
    """Types of AFTER; several where it cannot be told which replaced which."""
    calls_per_step: Quantity
    """Calls of each of them in a step."""
    before_per_step: Quantity
    """Sum of the time of a step over ``before``."""
    after_per_step: Quantity
    """Sum of the time of a step over ``after``."""
    delta_per_step: Quantity
    """The second less the first."""
    evidence: Reason
    """What speaks for the match."""


def match_operators(changes: Iterable[OperatorChange]) -> tuple[OperatorMatch, ...]:
    """The matches of every rank, renamed types first, each kind by the larger of both sums."""
    places: dict[tuple[int | None, int | None], list[OperatorChange]] = {}
    for change in changes:
        places.setdefault((change.dimensions.rank, change.dimensions.device), []).append(change)
    found: list[OperatorMatch] = []
    for rows in places.values():
        removed = [row.before for row in rows if row.after is None and row.before is not None and _told(row.before)]
        added = [row.after for row in rows if row.before is None and row.after is not None and _told(row.after)]
        renamed = _renamed(removed, added, rows[0].dimensions)
        taken = {id(one) for match in renamed for one in (*match.before, *match.after)}
        gone, new = ([one for one in side if id(one) not in taken] for side in (removed, added))
        found += sorted(renamed, key=_size) + sorted(_fused(gone, new, rows[0].dimensions), key=_size)
    return tuple(found)


def _size(match: OperatorMatch) -> tuple[Fraction, str]:
    return -max(Fraction(match.before_per_step.value), Fraction(match.after_per_step.value)), match.after[0].type


def _told(operator: OperatorMeasurement) -> bool:
    """Whether the inputs of every call are known."""
    known = sum(work.calls for work in operator.work) == operator.totals.calls.value
    return known and all(_shapes(work) and work.dtypes not in ("", NOT_AVAILABLE) for work in operator.work)


def _shapes(work: OperatorWork) -> tuple[str, ...]:
    """Input shapes, in order; empty where none is recorded."""
    text = work.shapes.strip('"')
    return () if text == NOT_AVAILABLE else tuple(shape for shape in text.split(";") if shape)


# ------------------------------------------------------------------------------------------------ renamed
def _renamed(
    removed: Sequence[OperatorMeasurement], added: Sequence[OperatorMeasurement], place: Dimensions
) -> list[OperatorMatch]:
    """Types that alone have the same calls on both sides."""
    by_calls: dict[object, tuple[list[OperatorMeasurement], list[OperatorMeasurement]]] = {}
    for index, side in enumerate((removed, added)):
        for one in side:
            by_calls.setdefault(_signature(one), ([], []))[index].append(one)
    found = []
    for before, after in by_calls.values():
        if len(before) == len(after) == 1:
            reason = Reason.of(
                "match_renamed",
                calls=units.number_text(units.exact(calls_per_step(before[0]))),
                shapes=_listed(before[0]),
                core=before[0].accelerator,
            )
            found.append(_matched("renamed", place, before, after, reason))
    return found


def _signature(operator: OperatorMeasurement) -> object:
    """Kind of core, and the calls of a step by their inputs."""
    work = sorted((one.shapes.strip('"'), one.dtypes, Fraction(one.calls, operator.steps)) for one in operator.work)
    return operator.accelerator, tuple(work)


def _listed(operator: OperatorMeasurement) -> str:
    """The input shapes of a type, the most frequent first, cut."""
    texts = [" ".join(f"[{shape}]" for shape in _shapes(work)) for work in operator.work]
    more = [f"+{len(texts) - SHOWN_SHAPES}"] if len(texts) > SHOWN_SHAPES else []
    return "; ".join([*texts[:SHOWN_SHAPES], *more])


# ------------------------------------------------------------------------------------------------ fused
@dataclass(slots=True)
class _Group:
    """Types of AFTER and those of BEFORE that they could have taken over."""

    after: list[OperatorMeasurement]
    """Of AFTER."""
    parts: list[OperatorMeasurement]
    """Of BEFORE, those whose inputs are all among the inputs of one of AFTER first."""
    leads: tuple[OperatorMeasurement, OperatorMeasurement]
    """The first of BEFORE and the type of AFTER that has all its inputs."""


def _fused(
    removed: Sequence[OperatorMeasurement], added: Sequence[OperatorMeasurement], place: Dimensions
) -> list[OperatorMatch]:
    """Types of AFTER with the types of BEFORE whose inputs and calls they have."""
    groups: list[_Group] = []
    for one in added:
        alike = [part for part in removed if calls_per_step(part) == calls_per_step(one)]
        inside = [part for part in alike if _pairs(one, part, _contains)]
        others = [part for part in alike if part not in inside and _pairs(one, part, _shares)]
        if inside:
            _joined(groups, _Group(after=[one], parts=[*inside, *others], leads=(inside[0], one)))
    found = []
    for group in groups:
        if len(group.parts) >= FEWEST_PARTS and len(group.parts) > len(group.after):
            first, whole = group.leads
            reason = Reason.of(
                "match_fused" if len(group.after) == 1 else "match_fused_together",
                calls=units.number_text(units.exact(calls_per_step(whole))),
                first=first.type,
                whole=whole.type,
                shapes=_listed(first),
            )
            found.append(_matched("fused", place, group.parts, group.after, reason))
    return found


def _joined(groups: list[_Group], new: _Group) -> None:
    """Add a group; with every group that has a part in common it becomes one."""
    apart = []
    for old in groups:
        if any(part in old.parts for part in new.parts):
            parts = [*old.parts, *(part for part in new.parts if part not in old.parts)]
            new = _Group(after=[*old.after, *new.after], parts=parts, leads=old.leads)
        else:
            apart.append(old)
    groups[:] = [*apart, new]


def _pairs(
    whole: OperatorMeasurement, part: OperatorMeasurement, fits: Callable[[OperatorWork, OperatorWork], bool]
) -> bool:
    """Whether the calls of two types go together by their inputs, each kind of call with one of as many calls."""
    free = list(part.work)
    for work in whole.work:
        calls = Fraction(work.calls, whole.steps)
        other = next((w for w in free if Fraction(w.calls, part.steps) == calls and fits(work, w)), None)
        if other is None:
            return False
        free.remove(other)
    return not free


def _contains(whole: OperatorWork, part: OperatorWork) -> bool:
    """Whether all input shapes of a part, at least one of them no scalar, are among those of the whole."""
    left = list(_shapes(whole))
    for shape in _shapes(part):
        if shape not in left:
            return False
        left.remove(shape)
    return any(_elements(shape) > 1 for shape in _shapes(part))


def _shares(whole: OperatorWork, part: OperatorWork) -> bool:
    """Whether an input shape that is no scalar is on both."""
    return any(_elements(shape) > 1 for shape in {*_shapes(whole)} & {*_shapes(part)})


def _elements(shape: str) -> int:
    """Elements of a shape; 1 for what is none."""
    sizes = shape.split(",")
    return prod(map(int, sizes)) if all(size.strip().isdecimal() for size in sizes) else 1


# ------------------------------------------------------------------------------------------------ both
def _matched(
    kind: Literal["renamed", "fused"],
    place: Dimensions,
    before: Sequence[OperatorMeasurement],
    after: Sequence[OperatorMeasurement],
    evidence: Reason,
) -> OperatorMatch:
    sums = [sum(map(per_step, side), Fraction(0)) for side in (before, after)]
    return OperatorMatch(
        kind=kind,
        dimensions=place,
        before=tuple(before),
        after=tuple(after),
        calls_per_step=Quantity(value=units.exact(calls_per_step(after[0])), unit="1"),
        before_per_step=Quantity(value=units.exact(sums[0]), unit="ns"),
        after_per_step=Quantity(value=units.exact(sums[1]), unit="ns"),
        delta_per_step=Quantity(value=units.exact(sums[1] - sums[0]), unit="ns"),
        evidence=evidence,
    )
