"""Arithmetic relations between the figures of one file, with what the rounding of their digits explains.

A written figure stands for every number that rounds to it. A relation holds when some such numbers fulfil it.
Source: docs/logs.md, identities.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from reportgen import units
from reportgen.model import Identity, Quantity
from reportgen.run_logs.numbers import Figure
from reportgen.units import Exact

FLOAT_NOISE = Fraction(1, 10**12)
"""Relative difference that a program's own sums and quotients in binary floating point may have."""
CLOCK = Fraction(10**9)
"""Nanoseconds of a clock that shows whole seconds."""


CLOCK_OVERHEAD = Fraction(1, 100)
"""``clock_overhead_share`` of evidence/choices.toml."""


class Span(NamedTuple):
    """A number that is not negative, with the ends of what its digits allow; ints stay ints."""

    low: Exact
    """Smallest."""
    value: Exact
    """As written, or computed from what is written."""
    high: Exact
    """Largest."""

    def plus(self, other: Span) -> Span:
        """The sum."""
        return Span(self.low + other.low, self.value + other.value, self.high + other.high)

    def times(self, other: Span) -> Span:
        """The product."""
        return Span(self.low * other.low, self.value * other.value, self.high * other.high)

    def over(self, other: Span) -> Span | None:
        """The quotient; None where the divisor's digits allow 0."""
        if other.low <= 0:
            return None
        return Span(
            Fraction(self.low) / other.high, Fraction(self.value) / other.value, Fraction(self.high) / other.low
        )

    def scaled(self, factor: Exact) -> Span:
        """Times a factor that is not negative."""
        return Span(self.low * factor, self.value * factor, self.high * factor)

    def slack(self) -> Exact:
        """How far the ends lie from the value, the farther one."""
        above: Exact = self.high - self.value
        below: Exact = self.value - self.low
        if above > below:
            return above
        return below


def span(found: Figure) -> Span:
    """A written figure, 0 or more."""
    half = found.half()
    low: Exact = found.value - half
    low = max(low, 0)
    return Span(low, found.value, found.value + half)


def exactly(value: Exact) -> Span:
    """A count, which is not rounded."""
    return Span(value, value, value)


def beyond(found: Span, expected: Span) -> Exact:
    """How far two figures lie apart beyond their rounding; 0 or less where they agree."""
    return _apart(found, expected) - found.slack() - expected.slack()


def _apart(one: Span, other: Span) -> Exact:
    """Distance of two figures as written."""
    if one.value < other.value:
        return other.value - one.value
    return one.value - other.value


def equal(
    identity: str, what: str, found: Span, expected: Span, unit: str, locators: Sequence[str], *, extra: Exact
) -> Identity:
    """Whether two figures of a file are one number; ``extra`` is added to the tolerance, in ``unit``."""
    tolerance = found.slack() + expected.slack() + extra
    return Identity(
        id=identity,
        what=what,
        holds=_apart(found, expected) <= tolerance,
        found=_quantity(found.value, unit),
        expected=_quantity(expected.value, unit),
        tolerance=_quantity(tolerance, unit),
        locators=tuple(locators),
    )


def at_most(identity: str, what: str, found: Span, limit: Span, unit: str, locators: Sequence[str]) -> Identity:
    """Whether a figure stays within another one of the file."""
    tolerance = found.slack() + limit.slack() + FLOAT_NOISE * limit.value
    return Identity(
        id=identity,
        what=what,
        holds=found.value <= limit.value + tolerance,
        found=_quantity(found.value, unit),
        expected=_quantity(limit.value, unit),
        tolerance=_quantity(tolerance, unit),
        locators=tuple(locators),
        at_most=True,
    )


def constant(
    identity: str, what: str, items: Sequence[tuple[Span, str]], unit: str, *, scale: Exact = 1
) -> Identity | None:
    """Whether one number can stand behind all of them; None for fewer than two.

    ``found`` is the one that lies highest with all its rounding, ``expected`` the one that lies lowest.

    Args:
        items: (figure, where it stands).
        scale: what a figure is multiplied with to stand in ``unit``.
    """
    if len(items) < 2:
        return None
    highest, lowest = max(items, key=lambda item: item[0].low), min(items, key=lambda item: item[0].high)
    tolerance = (highest[0].value - highest[0].low) + (lowest[0].high - lowest[0].value)
    return Identity(
        id=identity,
        what=what,
        holds=highest[0].low <= lowest[0].high,
        found=_quantity(highest[0].value * scale, unit),
        expected=_quantity(lowest[0].value * scale, unit),
        tolerance=_quantity(tolerance * scale, unit),
        locators=(highest[1], lowest[1]),
    )


def _quantity(value: Exact, unit: str) -> Quantity:
    return Quantity(value=units.exact(Fraction(value)), unit=unit)
