"""Cross-checks of the tables of collectives against the kernel table of the same capture.

Each communication row of the kernel table is one operator, and lasts as long as its elapse time: to 1 ns a row in the
captures of 2025, text and database. A fragment of 2023 has rows that last longer than elapse; such a capture stays
undecided. elapse = transit + wait + idle, up to the noise of floats (docs/formats.md 3.5). An operator that transferred
has traffic on a link; the reverse does not hold. A check that holds in every step gives the
sums; else the first step that does not is named.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

from reportgen.frames import COMMUNICATION, Table
from reportgen.metrics.common import Place, has_steps, of_source, quantity, stamps
from reportgen.model import Quantity, Witness

if TYPE_CHECKING:
    import pandas as pd

    Sums = dict[str, tuple[int, Fraction]]
    """Step -> operators, and their time in ns."""

PARTS = ("transit_ns", "wait_ns", "idle_ns")
"""What elapse is made of."""
OUTSIDE_NAMES = ("collective_start", "collective_start")
"""The check of the starts, against either end of the capture."""


def collective_checks(place: Place, table: Table, dropped: Iterable[str]) -> tuple[Witness, ...]:
    """What the capture says of its table of collectives.

    Args:
        table: of collectives, with at least one row.
        dropped: steps that are left out.

    Returns:
        ``collective_count``, ``collective_elapse``, ``collective_parts``; ``collective_start`` only where it fails.
        Count and elapse cover the kept steps of either table: a step that one of them lacks fails the check.
    """
    kernels, ours, theirs = _both(place, table, dropped)
    return (
        _apart("collective_count", place, (kernels, table), _counts(ours, theirs)),
        _apart("collective_elapse", place, (kernels, table), _times(ours, theirs)),
        _parts(place, table),
        *stamps(place, table, "start_ns", names=OUTSIDE_NAMES),
    )


def link_checks(place: Place, links: Table, dropped: Iterable[str]) -> tuple[Witness, ...]:
    """What the capture says of its table of links.

    Returns:
        ``collective_count`` of the collectives of the same source, and ``link_operators``: operators that transferred
        and have traffic, against operators that transferred. Without those collectives every communication row of the
        kernel table is expected to have traffic.
    """
    dropped = tuple(dropped)
    table = of_source(place.tables, "collectives", links.source)
    if table is None:
        held = links.frame.drop_duplicates(["step", "name", "group"])
        kernels, ours, theirs = _both(place, links, dropped, rows=held)
        return (_apart("link_operators", place, (kernels, links), _counts(ours, theirs)),)
    kernels, ours, theirs = _both(place, table, dropped)
    moved = {key for key, transit in zip(_keys(table.frame), table.frame["transit_ns"], strict=True) if transit > 0}
    moved = {key for key in moved if key[0] not in dropped}
    have, expected = (quantity(n, "1") for n in (len(moved & set(_keys(links.frame))), len(moved)))
    return (
        _apart("collective_count", place, (kernels, table), _counts(ours, theirs)),
        _witness("link_operators", place, (table, links), (have, expected), 0, agrees=have == expected),
    )


# ------------------------------------------------------------------------------------------------ steps
def _keys(frame: pd.DataFrame) -> list[tuple[str, str, str]]:
    return list(zip(*(frame[column].astype(str) for column in ("step", "name", "group")), strict=True))


def _sums(frame: pd.DataFrame, column: str) -> Sums:
    found: Sums = {}
    values = frame[column].tolist() if column in frame else [0] * len(frame)
    for step, value in zip(frame["step"].astype(str).tolist(), values, strict=True):
        count, total = found.get(step, (0, Fraction(0)))
        found[step] = (count + 1, total + Fraction(value))
    return found


def stepped_kernels(place: Place) -> Table:
    """The kernel table with no kernel left out; another source's where only that one has steps."""
    own = place.tables.whole or place.tables.kernels
    others = (other for other in place.tables.others if other.kind == "kernels")
    return next((table for table in (own, *others) if has_steps(table)), own)


def _both(
    place: Place, table: Table, dropped: Iterable[str], *, rows: pd.DataFrame | None = None
) -> tuple[Table, Sums, Sums]:
    """The kernel table, the operators of the kept steps, and the communication rows of the same steps.

    Rows of the kernel table outside every step have no operator. Where either table has no steps, all is held against
    all.
    """
    kernels = stepped_kernels(place) if has_steps(table) else place.tables.whole or place.tables.kernels
    frame = kernels.frame[kernels.frame["kind"] == COMMUNICATION]
    ours = _sums(table.frame if rows is None else rows, "elapse_ns")
    theirs = _sums(frame, "duration_ns")
    if not (has_steps(table) and has_steps(kernels)):
        return kernels, _merged(ours), _merged(theirs)
    out = set(dropped)
    ours = {step: sums for step, sums in ours.items() if step not in out}
    theirs = {step: sums for step, sums in theirs.items() if step not in out and (step or step in ours)}
    return kernels, ours, theirs


def _merged(sums: Sums) -> Sums:
    return {"": (sum(count for count, _ in sums.values()), sum((time for _, time in sums.values()), Fraction(0)))}


# ------------------------------------------------------------------------------------------------ checks
Pairs = dict[str, tuple[Fraction, Fraction, int]]
"""Step -> our value, theirs, and the tolerance."""


def _counts(ours: Sums, theirs: Sums) -> tuple[str, Pairs]:
    return "1", {
        step: (Fraction(ours.get(step, (0, 0))[0]), Fraction(theirs.get(step, (0, 0))[0]), 0)
        for step in ours.keys() | theirs.keys()
    }


def _times(ours: Sums, theirs: Sums) -> tuple[str, Pairs]:
    none = (0, Fraction(0))
    return "ns", {
        step: (ours.get(step, none)[1], theirs.get(step, none)[1], max(ours.get(step, none)[0], 1))
        for step in ours.keys() | theirs.keys()
    }


def _apart(name: str, place: Place, tables: tuple[Table, Table], values: tuple[str, Pairs]) -> Witness:
    """The first step that lies apart; the sums over all steps when none does."""
    unit, pairs = values
    for step in sorted(pairs, key=lambda text: (len(text), text)):
        found, expected, allowed = pairs[step]
        if abs(found - expected) > allowed:
            named = f"{name}[{step}]" if step else name
            both = (quantity(found, unit), quantity(expected, unit))
            return _witness(named, place, tables, both, allowed, agrees=False)
    sums = [sum((pair[i] for pair in pairs.values()), Fraction(0)) for i in (0, 1)]
    both = (quantity(sums[0], unit), quantity(sums[1], unit))
    return _witness(name, place, tables, both, sum(pair[2] for pair in pairs.values()), agrees=True)


def _parts(place: Place, table: Table) -> Witness:
    """Elapse and its parts of the operator where they lie furthest apart; 1 ns of rounding is allowed."""
    worst, found, made = Fraction(-1), Fraction(0), Fraction(0)
    for elapse, *parts in zip(*(table.frame[column].tolist() for column in ("elapse_ns", *PARTS)), strict=True):
        whole = Fraction(sum(parts))
        if abs(elapse - whole) > worst:
            worst, found, made = abs(elapse - whole), Fraction(elapse), whole
    both = (quantity(found, "ns"), quantity(made, "ns"))
    return _witness("collective_parts", place, (table,), both, 1, agrees=worst <= 1)


def _witness(
    name: str,
    place: Place,
    tables: tuple[Table, ...],
    both: tuple[Quantity, Quantity],
    allowed: int,
    *,
    agrees: bool,
) -> Witness:
    found, expected = both
    return Witness(
        name=name,
        agrees=agrees,
        found=found,
        expected=expected,
        tolerance=quantity(allowed, found.unit),
        origins=tuple(place.origin(table, "all rows", name.partition("[")[0]) for table in tables),
    )
