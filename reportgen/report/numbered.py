"""A number of the report: an exact quantity and the origins it reaches, or what stands in its place."""

from __future__ import annotations

from dataclasses import dataclass

from reportgen.model import Missing, Quantity


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number that reaches its origin."""

    quantity: Quantity
    """Exact value."""
    origins: tuple[str, ...]
    """Ids in ``Report.origins``; never empty."""


Value = Number | Missing
