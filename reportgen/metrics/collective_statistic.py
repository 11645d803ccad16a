"""Cross-checks of collectives against communication_statistic, which counts them by type over the whole capture.

msprof writes the table from level 1 on; torch_npu does not copy it. It counts the operators that the communication rows
of the kernel table and the tables of collectives show one by one: count and total time of each type must agree, the
time to 1 ns an operator. Min and max are not held against anything. No published capture holds the table: that it
agrees to that tolerance follows from the exporter's source, which sums end - start by type over the same operators.
Source: docs/formats.md 3.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from reportgen.frames import COMMUNICATION, NOT_AVAILABLE, OUTSIDE, Table
from reportgen.metrics.collective_checks import stepped_kernels
from reportgen.metrics.common import Place, has_steps, quantity
from reportgen.metrics.communication import operator_kind
from reportgen.model import Measurement, Quantity, Witness

if TYPE_CHECKING:
    import pandas as pd

COUNT, TOTAL = "communication_statistic_count", "communication_statistic_total"
"""Names of the checks; that of a type that lies apart has the type in brackets behind."""
COUNTED = ("communication_count", "communication", "collective_elapse")
"""Metrics of which a check that holds is a witness: the number of operators, and times that they alone make."""
RESTS = (
    *COUNTED,
    "communication_not_overlapped",
    "communication_not_overlapped_share",
    "free",
    "free_share",
    "group_communication_not_overlapped",
)
"""Metrics of the kernel table that its communication rows are part of; a check that fails makes them undecided."""
BEGINNINGS = ("collective_", "link_")
"""How the metrics of the tables of collectives begin."""

Sums = dict[str, tuple[int, Fraction]]
"""Type -> operators, and their time in ns."""
Row = tuple[str, Fraction, Fraction, int]
"""Type, our value, theirs, and the tolerance."""


def witnessed(place: Place, measured: Sequence[Measurement]) -> list[Measurement]:
    """The measurements of one rank, those of collectives with what communication_statistic says of them.

    Args:
        place: where they were measured; measured: of every room.

    Returns:
        The same in the same order. ``RESTS`` rest on the communication rows of the kernel table, the metrics of the
        tables of collectives on the operators of those. A check that holds is added to ``COUNTED`` alone.
    """
    table = place.tables.communication_statistic
    if table is None:
        return list(measured)
    rows = _kernel_checks(place, table)
    operators = _collective_checks(place, table)
    done = []
    for one in measured:
        own = operators if one.metric.startswith(BEGINNINGS) else rows if one.metric in RESTS else ()
        added = tuple(check for check in own if one.metric in COUNTED or not check.agrees)
        done.append(
            replace(one, witnesses=(*one.witnesses, *added)) if added and isinstance(one.summary, Quantity) else one
        )
    return done


def _kernel_checks(place: Place, table: Table) -> tuple[Witness, ...]:
    """The communication rows of the kernel table, all of them, by type."""
    kernels = place.tables.whole or place.tables.kernels
    return _checks(place, table, (kernels,), _of_kernels(kernels.frame))


def _collective_checks(place: Place, table: Table) -> tuple[Witness, ...]:
    """The operators of the table of collectives, by type.

    A table with steps holds the operators of its steps alone: those that the kernel table shows outside every step are
    added. Nothing where the kernel table has no steps to tell them by, and without the table.
    """
    held, kernels = place.tables.collectives, stepped_kernels(place)
    if held is None or not len(held.frame):
        return ()
    found = _sums(map(operator_kind, held.frame["name"].astype(str)), held.frame["elapse_ns"].tolist())
    tables: tuple[Table, ...] = (held,)
    if has_steps(held):
        if not has_steps(kernels):
            return ()
        outside = _of_kernels(kernels.frame[(kernels.frame["step"] == OUTSIDE).to_numpy()])
        tables = (held, kernels) if outside else tables
        for kind, (count, time) in outside.items():
            known = found.get(kind, (0, Fraction(0)))
            found[kind] = (known[0] + count, known[1] + time)
    return _checks(place, table, tables, found)


def _of_kernels(frame: pd.DataFrame) -> Sums:
    """Communication rows by their type; by their name without its numbers where no type is recorded."""
    rows = frame[frame["kind"] == COMMUNICATION]
    pairs = zip(rows["type"].astype(str), rows["name"].astype(str), strict=True)
    kinds = (operator_kind(name) if kind in (NOT_AVAILABLE, "") else kind for kind, name in pairs)
    return _sums(kinds, rows["duration_ns"].tolist())


def _sums(kinds: Iterable[str], times: Sequence[int | Fraction]) -> Sums:
    found: Sums = {}
    for kind, time in zip(kinds, times, strict=True):
        count, total = found.get(kind, (0, Fraction(0)))
        found[kind] = (count + 1, total + Fraction(time))
    return found


def _checks(place: Place, table: Table, held: tuple[Table, ...], ours: Sums) -> tuple[Witness, ...]:
    """Count and total time: of the first type by name that lies apart, else over all types.

    Without a type in common the two spell them differently: then all is held against all.
    """
    theirs: Sums = {}
    columns = (table.frame[column].tolist() for column in ("count", "total_ns"))
    for kind, count, total in zip(table.frame["type"].astype(str), *columns, strict=True):
        known = theirs.get(kind, (0, Fraction(0)))
        theirs[kind] = (known[0] + count, known[1] + total)
    if not ours.keys() & theirs.keys():
        ours, theirs = _merged(ours), _merged(theirs)
    none = (0, Fraction(0))
    pairs = [(kind, ours.get(kind, none), theirs.get(kind, none)) for kind in sorted(ours.keys() | theirs.keys())]
    counts = [(kind, Fraction(one[0]), Fraction(other[0]), 0) for kind, one, other in pairs]
    times = [(kind, one[1], other[1], max(one[0], 1)) for kind, one, other in pairs]
    return tuple(
        _witness(place, name, unit, rows, (*held, table))
        for name, unit, rows in ((COUNT, "1", counts), (TOTAL, "ns", times))
    )


def _merged(sums: Sums) -> Sums:
    return {"": (sum(count for count, _ in sums.values()), sum((time for _, time in sums.values()), Fraction(0)))}


def _witness(place: Place, name: str, unit: str, rows: list[Row], tables: tuple[Table, ...]) -> Witness:
    apart = next((row for row in rows if abs(row[1] - row[2]) > row[3]), None)
    ours, theirs = sum((row[1] for row in rows), Fraction(0)), sum((row[2] for row in rows), Fraction(0))
    whole: Row = ("", ours, theirs, sum(row[3] for row in rows))
    kind, found, expected, allowed = apart or whole
    return Witness(
        name=f"{name}[{kind}]" if kind else name,
        agrees=apart is None,
        found=quantity(found, unit),
        expected=quantity(expected, unit),
        tolerance=quantity(allowed, unit),
        origins=tuple(place.origin(table, "all rows", name) for table in tables),
    )
