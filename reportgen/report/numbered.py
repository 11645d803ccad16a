"""A number of the report: an exact quantity and the origins it reaches, or what stands in its place."""

from __future__ import annotations

from dataclasses import dataclass

from reportgen.model import Missing, Quantity

ADDED = {"added": True}
"""Metadata of a field that was added within this version: a report written before it lacks the field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number that reaches its origin."""

    quantity: Quantity
    """Exact value."""
    origins: tuple[str, ...]
    """Ids in ``Report.origins``; never empty."""


Value = Number | Missing
