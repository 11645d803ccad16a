"""What a report says of differences beside their interval: known spreads, equivalence, change of speed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from reportgen import units
from reportgen.equivalence import ends
from reportgen.model import Equivalence, Interval, KnownSpread, Measurement, Missing, Origin, Quantity
from reportgen.report.document import EquivalenceRow, IntervalRow, KnownSpreadRow, Number


class Numbers(Protocol):
    """What gives a number its origins."""

    def number(self, quantity: Quantity, origins: Iterable[Origin]) -> Number:
        """A number with its origins."""
        ...


@dataclass(slots=True)
class Spreads:
    """Numbers known spreads in the order of their first use."""

    found: dict[KnownSpread, str] = field(default_factory=dict)
    """Known spread -> ``U1``, ``U2`` ..."""

    def of(self, known: KnownSpread | None) -> str:
        """The id of a known spread; empty for none."""
        if known is None or isinstance(known.value, Missing):
            return ""
        return self.found.setdefault(known, f"U{len(self.found) + 1}")

    def rows(self, origins: Numbers) -> tuple[KnownSpreadRow, ...]:
        """All of them by number."""
        return tuple(
            KnownSpreadRow(
                id=identity,
                metric=known.metric,
                part=known.part,
                kind=known.kind,
                of=known.of,
                value=origins.number(known.value, known.origins),
                count=known.count,
                source=known.source,
                determined=known.determined,
            )
            for known, identity in self.found.items()
            if isinstance(known.value, Quantity)
        )


def equivalence_row(
    found: Equivalence | None,
    origins: Numbers,
    both: tuple[Origin, ...],
    interval: Callable[[Interval | None, tuple[Origin, ...]], IntervalRow | None],
) -> EquivalenceRow | None:
    """What may be said of a row's band; None without one."""
    if found is None:
        return None
    agreed = (found.band.origin,)
    low, high = (origins.number(Quantity(value=units.exact(end), unit="1"), agreed) for end in ends(found.band))
    return EquivalenceRow(
        band=origins.number(found.band.band, agreed),
        low=low,
        high=high,
        interval=interval(found.interval, both),
        shown=found.shown,
        reason=found.reason,
    )


def change_of_speed(before: Measurement | None, after: Measurement | None) -> Quantity | None:
    """BEFORE / AFTER - 1 of a time; None for anything else, or where a side has none above 0."""
    values = [side.summary if side is not None else None for side in (before, after)]
    return speed(*values)


def speed(before: Quantity | Missing | None, after: Quantity | Missing | None) -> Quantity | None:
    """The same of two values."""
    if not isinstance(before, Quantity) or not isinstance(after, Quantity):
        return None
    if (before.unit, after.unit) != ("ns", "ns") or before.value <= 0 or after.value <= 0:
        return None
    return Quantity(value=units.exact(Fraction(before.value) / after.value - 1), unit="1")
