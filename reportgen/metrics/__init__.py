"""What a capture measures: every metric of every rank, each with origin and witnesses.

A new metric is one function and its row in a topic's room; glossary and schema follow.
"""

from __future__ import annotations

from dataclasses import replace

from reportgen.frames import Capture
from reportgen.metrics import busy, kernels, memory, published, steps
from reportgen.metrics.common import Place, places
from reportgen.metrics.witnesses import witnesses
from reportgen.model import Measurement, Metric, OperatorMeasurement

METRICS: tuple[Metric, ...] = (*steps.METRICS, *kernels.METRICS, *busy.METRICS, *memory.METRICS)
"""Every metric of the profile, in the order of the report."""


def measure(
    capture: Capture, checkpoint_steps: tuple[str, ...] = ()
) -> tuple[tuple[Measurement, ...], tuple[OperatorMeasurement, ...]]:
    """Measure a capture.

    Args:
        capture: as read.
        checkpoint_steps: step ids to leave out of every step statistic, as agreed.

    Returns:
        (measurements by rank, then in the order of ``METRICS``; operator types by rank, largest total first).
    """
    found: list[Measurement] = []
    types: list[OperatorMeasurement] = []
    for rank, tables in places(capture):
        place = Place(facts=capture.facts, rank=rank, tables=tables, checkpoint_steps=checkpoint_steps)
        place = replace(place, witnesses=witnesses(place))
        for room in (steps, kernels, busy, memory):
            found += room.measure(place)
        types += kernels.operators(place)
    return tuple(found), tuple(types)


def as_published(capture: Capture) -> tuple[Measurement, ...]:
    """What the capture's own step_trace_time says, by rank; empty without one."""
    return tuple(
        found
        for rank, tables in places(capture)
        for found in published.measure(Place(facts=capture.facts, rank=rank, tables=tables))
    )
