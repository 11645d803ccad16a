"""Figures of result files with their place, and what is computed of them to hold them against each other.

Source: docs/logs.md, identities.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Literal, NamedTuple

from reportgen.model import Identity, LoggedValue
from reportgen.run_logs import building, identities
from reportgen.run_logs.identities import Span
from reportgen.run_logs.numbers import Figure


class Placed(NamedTuple):
    """One figure of a result file."""

    figure: Figure
    """As written."""
    locator: str
    """Line and column, or JSON pointer."""

    @property
    def value(self) -> Fraction:
        """Its value in its exact unit."""
        return Fraction(self.figure.value)

    @property
    def unit(self) -> str:
        """Its exact unit."""
        return self.figure.unit

    @property
    def locators(self) -> tuple[str, ...]:
        """Its place."""
        return (self.locator,)

    @property
    def span(self) -> Span:
        """What its digits allow; a whole number of unit 1 is a count and exact."""
        whole = self.figure.unit == "1" and self.figure.resolution == 1
        return identities.exactly(self.value) if whole else identities.span(self.figure)

    def logged(self, metric: str, kind: str = "", statistic: str = "mean") -> LoggedValue:
        """The figure as a value its producer computed."""
        return building.logged_value(metric, kind, statistic, self.figure, self.locator)


class Derived(NamedTuple):
    """What figures of a file give together."""

    span: Span
    """Value and what the digits allow."""
    unit: str
    """Exact unit."""
    locators: tuple[str, ...]
    """Places of the figures it is computed from."""


Number = Placed | Derived | None


def count(value: int, locator: str) -> Derived:
    """A count, exact."""
    return Derived(identities.exactly(value), "1", (locator,))


def derived(formula: Callable[..., Span | None], unit: str, *others: Number) -> Derived | None:
    """What other figures give.

    Args:
        formula: of their spans, in their exact units, to ``unit``.
        unit: exact unit of the result.
        others: the figures.

    Returns:
        None where a figure is missing, or may be zero and is divided by.
    """
    given = [one for one in others if one is not None]
    if len(given) != len(others):
        return None
    found = formula(*(one.span for one in given))
    places = dict.fromkeys(place for one in given for place in one.locators)
    return Derived(found, unit, tuple(places)) if found is not None else None


def check(
    identity: str,
    what: str,
    found: Number,
    expected: Number,
    *,
    rule: Literal["equal", "at_most"] = "equal",
    more: Fraction = Fraction(0),
) -> tuple[Identity, ...]:
    """Whether a figure agrees with what others give.

    Args:
        identity: ``I1`` ... ``I16``.
        what: machine word of the relation.
        found: the figure as stated.
        expected: as ``derived`` from others, or another figure.
        rule: ``at_most``: ``found`` must not lie above.
        more: further room in the unit of ``found``: 1 s where clocks are compared.

    Returns:
        One identity; none where either side could not be had.
    """
    if found is None or expected is None:
        return ()
    places = tuple(dict.fromkeys((*found.locators, *expected.locators)))
    if rule == "at_most":
        limit = Span(expected.span.low, expected.span.value, expected.span.high + more)
        return (identities.at_most(identity, what, found.span, limit, found.unit, places),)
    room = identities.FLOAT_NOISE * expected.span.value + more
    return (identities.equal(identity, what, found.span, expected.span, found.unit, places, extra=room),)


def per_second(number: Span, ns: Span) -> Span | None:
    """A number over a time in nanoseconds."""
    return number.scaled(10**9).over(ns)
