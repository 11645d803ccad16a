"""What a capture measures: every metric of every rank, each with origin and witnesses.

A new metric is one function and its row in a topic's room; glossary and schema follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from reportgen.frames import Capture
from reportgen.metrics import (
    agreement,
    busy,
    collective_statistic,
    communication,
    frequency,
    frequency_drop,
    groups,
    host,
    iterations,
    kernels,
    memory,
    published,
    steps,
)
from reportgen.metrics.common import Place, places
from reportgen.metrics.witnesses import witnesses
from reportgen.model import Measurement, Metric, OperatorMeasurement, Series


class Room(Protocol):
    """A topic: the module that measures it."""

    @property
    def METRICS(self) -> tuple[Metric, ...]:  # noqa: N802 - the modules' constant
        """Its metrics, in order."""

    def measure(self, place: Place) -> list[Measurement]:
        """Its measurements of one rank."""


ROOMS: tuple[Room, ...] = (
    steps,
    kernels,
    busy,
    frequency,
    frequency_drop,
    communication,
    groups,
    memory,
    host,
    iterations,
)
"""Topics in the order of the report."""
BESIDE: tuple[Room, ...] = (frequency, frequency_drop, communication, memory, host, iterations)
"""Topics that other tables than the kernels' decide."""
METRICS: tuple[Metric, ...] = tuple(metric for room in ROOMS for metric in room.METRICS)
"""Every metric of the profile, in the order of the report."""
_BY_ID = {metric.id: metric for metric in METRICS}


def measure(
    capture: Capture, checkpoint_steps: tuple[str, ...] = ()
) -> tuple[tuple[Measurement, ...], tuple[OperatorMeasurement, ...]]:
    """Measure a capture.

    Args:
        capture: as read.
        checkpoint_steps: step ids to leave out of every step statistic, as agreed.

    Returns:
        (measurements by rank, then in the order of ``METRICS``; operator types by rank, largest total first). What
        another source of the same capture says of a value is among its witnesses.
    """
    found: list[Measurement] = []
    types: list[OperatorMeasurement] = []
    for rank, tables in places(capture):
        place = Place(facts=capture.facts, rank=rank, tables=tables, checkpoint_steps=checkpoint_steps)
        place = replace(place, witnesses=witnesses(place))
        others = {
            source: _measured(other, ROOMS if other.tables.kernels.source == source else BESIDE)
            for source, other in agreement.elsewhere(place).items()
        }
        measured = agreement.witnessed(place, _measured(place, ROOMS), others, _BY_ID)
        found += collective_statistic.witnessed(place, measured)
        types += kernels.operators(place)
    return tuple(found), tuple(types)


def _measured(place: Place, rooms: Sequence[Room]) -> list[Measurement]:
    return [measurement for room in rooms for measurement in room.measure(place)]


def series(capture: Capture) -> tuple[Series, ...]:
    """Memory and frequency over time, by rank, for charts; empty without the tables."""
    return tuple(
        one
        for rank, tables in places(capture)
        for room in (memory, frequency)
        for one in room.series(Place(facts=capture.facts, rank=rank, tables=tables))
    )


def as_published(capture: Capture) -> tuple[Measurement, ...]:
    """What the capture's own step_trace_time and overlap lane say, by rank; empty without either."""
    return tuple(
        found
        for rank, tables in places(capture)
        for found in published.measure(Place(facts=capture.facts, rank=rank, tables=tables))
    )
