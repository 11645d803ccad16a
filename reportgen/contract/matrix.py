"""Many cases written as one table: every cell of a matrix becomes an ordinary case.

A cell is a case whether it has a table of its own or not: what was agreed stays agreed where nothing was measured. The
id of a case is that of its matrix with the values of its axes, ``serving[8k,16]``; that of a goal likewise. Everything
here works on raw tables and passes over what has the wrong shape, which is told elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import product
from math import prod
from typing import Any

from reportgen import strict
from reportgen.contract.shapes import WorkloadTable
from reportgen.strict import Fault

AXES, VALUES, CELLS = 4, 64, 256
"""Most axes of a matrix, values of an axis, and cells of a matrix."""
_VALUE = re.compile(r"\w[\w.\-+/:]{0,31}")
_OWN = ("log", "external", "baseline", "profiled")
"""Keys of a case that a cell has for itself."""
_WORKLOAD = tuple(field.name for field in fields(WorkloadTable) if field.name not in ("load", "circumstances"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A case, of its own table or of a cell, and where the file has it."""

    place: str
    """Key path of its table: ``case[0]``, or ``matrix[0]`` for a cell."""
    case: Mapping[str, Any]
    """As a ``[[case]]`` would have it."""
    cell: str = ""
    """Key path of the cell's own table; empty without one."""
    limits: tuple[tuple[int, str], ...] = ()
    """(number of a goal, key path of the cell's own limit)."""
    shared: int = 0
    """So many criteria of accuracy are of the matrix; those after them are of the cell."""
    matrix: str = ""
    """Id of the matrix of a cell; empty for a case of its own."""
    axes: tuple[tuple[str, str], ...] = ()
    """(name, value) of each axis of a cell."""

    def where(self, path: str) -> str:
        """The key path in the file of a path below ``place``."""
        rest = path.removeprefix(f"{self.place}.")
        own = dict(self.limits)
        if (found := re.fullmatch(r"goal\[(\d+)\]\.limit", rest)) and int(found[1]) in own:
            return own[int(found[1])]
        if self.cell and (found := re.match(r"accuracy\[(\d+)\]", rest)) and int(found[1]) >= self.shared:
            return f"{self.cell}.accuracy[{int(found[1]) - self.shared}]{rest[found.end() :]}"
        inside = self.cell and re.split(r"[.\[]", rest, maxsplit=1)[0] in _OWN
        return f"{self.cell}.{rest}" if inside else path


def placed(raw: Mapping[str, Any]) -> tuple[Placed, ...]:
    """Every case of a file: those with a table of their own, then the cells of each matrix in the order of its axes."""
    found = [Placed(place=place, case=case) for place, case in strict.tables(raw, "case")]
    for place, matrix in strict.tables(raw, "matrix"):
        found += _cells(place, matrix)
    return tuple(found)


def faults(raw: Mapping[str, Any]) -> Iterator[Fault]:
    """What is wrong with the axes and cells of every matrix."""
    for place, matrix in strict.tables(raw, "matrix"):
        yield from _axes_faults(place, matrix)
        if not matrix.get("goal"):
            yield Fault(f"{place}.goal", "a matrix without goals agrees on nothing: write [[matrix.goal]]")
        yield from _cell_faults(place, matrix)


# --------------------------------------------------------------------------------------------- cells to cases
def _axes(matrix: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    """(name, values as text) of every axis; empty when one has the wrong shape or there are too many cells."""
    axes = [
        (strict.text(axis, "name"), [str(value) for value in axis["values"] if _is_value(value)])
        for _, axis in strict.tables(matrix, "axis")
        if isinstance(axis.get("values"), list)
    ]
    return axes if 0 < prod(len(values) for _, values in axes) <= CELLS and len(axes) <= AXES else []


def _is_value(value: object) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)


def _cells(place: str, matrix: Mapping[str, Any]) -> Iterator[Placed]:
    axes = _axes(matrix)
    shared = [one for _, one in strict.tables(matrix, "accuracy")]
    own = {_at(cell): (path, cell) for path, cell in reversed(list(strict.tables(matrix, "cell", place)))}
    for values in product(*(values for _, values in axes)) if axes else ():
        path, cell = own.get(values, ("", {}))
        limits = {strict.text(one, "goal"): (at, one.get("limit")) for at, one in strict.tables(cell, "limits", path)}
        goals = [goal for _, goal in strict.tables(matrix, "goal")]
        ids = {strict.text(goal, "id") for goal in goals}
        suffix = f"[{','.join(values)}]"
        case = {
            "id": f"{strict.text(matrix, 'id')}{suffix}",
            "clause": strict.text(cell, "clause") or matrix.get("clause", ""),
            **({"profiled": cell["profiled"]} if "profiled" in cell else {}),
            "baseline": cell.get("baseline") or matrix.get("baseline") or [],
            "workload": _workload(matrix, axes, values),
            "goal": [_goal(goal, suffix, ids, limits) for goal in goals],
            "log": cell.get("log", []),
            "external": cell.get("external", []),
            "accuracy": [*shared, *(one for _, one in strict.tables(cell, "accuracy"))],
        }
        yield Placed(
            place=place,
            case=case,
            cell=path,
            shared=len(shared),
            matrix=strict.text(matrix, "id"),
            axes=tuple((name, value) for (name, _), value in zip(axes, values, strict=True)),
            limits=tuple(
                (number, f"{limits[strict.text(goal, 'id')][0]}.limit")
                for number, goal in enumerate(goals)
                if strict.text(goal, "id") in limits
            ),
        )


def _at(cell: Mapping[str, Any]) -> tuple[str, ...]:
    at = cell.get("at")
    return tuple(map(str, at)) if isinstance(at, list) else ()


def _workload(matrix: Mapping[str, Any], axes: list[tuple[str, list[str]]], values: tuple[str, ...]) -> dict[str, Any]:
    """The workload of a cell: an axis called as one of its keys fills that key in, the others are its load."""
    given = matrix.get("workload")
    workload = dict(given) if isinstance(given, dict) else {}
    load = [strict.text(workload, "load")]
    for (name, _), value in zip(axes, values, strict=True):
        if name in _WORKLOAD:
            workload[name] = int(value) if name == "ranks" and value.isdecimal() else value
        else:
            load.append(f"{name} {value}")
    return {**workload, "load": ", ".join(filter(None, load))}


def _goal(
    goal: Mapping[str, Any], suffix: str, ids: set[str], limits: Mapping[str, tuple[str, object]]
) -> dict[str, Any]:
    """A goal of a cell: its own limit where the cell has one, and the goals of the same cell that it depends on."""
    identity = strict.text(goal, "id")
    own = {"limit": limits[identity][1]} if identity in limits else {}
    needs = [f"{name}{suffix}" if name in ids else name for name in strict.texts(goal, "subject_to")]
    more = {"subject_to": needs} if "subject_to" in goal else {}
    return {**goal, **own, **more, "id": f"{identity}{suffix}"}


# --------------------------------------------------------------------------------------------- faults
def _axes_faults(place: str, matrix: Mapping[str, Any]) -> Iterator[Fault]:
    axes = list(strict.tables(matrix, "axis", place))
    sizes = [len(axis["values"]) for _, axis in axes if isinstance(axis.get("values"), list)]
    if not axes:
        yield Fault(f"{place}.axis", "a matrix needs an axis: write [[matrix.axis]] with name and values")
    elif len(axes) > AXES:
        yield Fault(f"{place}.axis", f"at most {AXES} axes; found {len(axes)}")
    elif prod(sizes) > CELLS:
        yield Fault(f"{place}.axis", f"at most {CELLS} cells in a matrix; these axes make {prod(sizes)}")
    names: set[str] = set()
    workload = matrix.get("workload")
    for path, axis in axes:
        name, values = strict.text(axis, "name"), axis.get("values")
        if name in names:
            yield Fault(f"{path}.name", f"another axis is called {name!r}")
        if isinstance(workload, dict) and name in _WORKLOAD and name in workload:
            yield Fault(f"{path}.name", f"{name} is agreed in {place}.workload already: leave one of them out")
        names.add(name)
        if isinstance(values, list):
            yield from _value_faults(path, name, values)


def _value_faults(path: str, name: str, values: list[object]) -> Iterator[Fault]:
    if not 0 < len(values) <= VALUES:
        yield Fault(f"{path}.values", f"1 to {VALUES} values; found {len(values)}")
    seen: set[str] = set()
    for index, value in enumerate(values):
        here = f"{path}.values[{index}]"
        if not _is_value(value):
            continue
        text = str(value)
        if not _VALUE.fullmatch(text):
            yield Fault(here, f"must be letters, digits or one of '-_.+/:', at most 32; found {text[:60]!r}")
        elif name == "ranks" and not (text.isdecimal() and int(text) > 0):
            yield Fault(here, f"ranks are counted: write a whole number from 1; found {text!r}")
        elif text in seen:
            yield Fault(here, f"{text!r} is given twice")
        seen.add(text)


def _cell_faults(place: str, matrix: Mapping[str, Any]) -> Iterator[Fault]:
    cells = {tuple(values) for values in product(*(values for _, values in _axes(matrix)))} if _axes(matrix) else None
    goals = [strict.text(goal, "id") for _, goal in strict.tables(matrix, "goal")]
    taken: dict[tuple[str, ...], str] = {}
    for path, cell in strict.tables(matrix, "cell", place):
        at = _at(cell)
        if cells is not None and at not in cells and isinstance(cell.get("at"), list):
            yield Fault(f"{path}.at", f"no cell {', '.join(at)!r}: one value of each axis, in the order of the axes")
        elif at and taken.setdefault(at, path) != path:
            yield Fault(f"{path}.at", f"the cell {', '.join(at)!r} is given in {taken[at]} already")
        held: set[str] = set()
        for where, limit in strict.tables(cell, "limits", path):
            name = strict.text(limit, "goal")
            if name and name not in goals:
                yield Fault(
                    f"{where}.goal", f"no goal {name!r} in this matrix; {strict.near(name, filter(None, goals))}"
                )
            elif name in held:
                yield Fault(f"{where}.goal", f"{name!r} has a limit in this cell already")
            held.add(name)
