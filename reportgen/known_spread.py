"""What is known of the spread between captures of one build (u_B), and the intervals that hold it.

A value is used for the metric it was determined for and for no other, and only between single captures, or single runs:
of several a side the spread is seen. It widens an interval, never narrows one, moves no estimate and makes no interval
where there is none. Of several values for one metric the one that widens most is used.
Source: docs/statistics.md, "What is known between captures (u_B)"; JCGM 100:2008.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from reportgen import samples
from reportgen.model import (
    Dimensions,
    Interval,
    KnownSpread,
    Measurement,
    Missing,
    Quantity,
)

LOGARITHMS = "corrected-t"
"""Method of an interval of the logarithms alone."""


def known_for(
    known: Iterable[KnownSpread],
    of: str,
    metric: str,
    *,
    part: str = "",
    kind: str = "",
    place: Dimensions | None = None,
) -> KnownSpread | None:
    """The value that is used for a metric; None where nothing is known of it.

    Args:
        known: stated in the target, and of A/A captures.
        of: ``captures`` or ``runs``.
        metric, part, kind: of the row or goal.
        place: its rank and device.

    Returns:
        Of several the one that widens most; one without a value only where the target asks for A/A captures and none
        can show it.
    """
    fitting = [
        one
        for one in known
        if (one.of, one.metric, one.part, one.kind) == (of, metric, part, kind) and _at(one.place, place)
    ]
    valued = [one for one in fitting if isinstance(one.value, Quantity)]
    if valued:
        return max(valued, key=_reach)
    return fitting[0] if fitting else None


def _at(wanted: Dimensions | None, place: Dimensions | None) -> bool:
    if wanted is None or place is None:
        return wanted is None
    return (wanted.rank, wanted.device) == (place.rank, place.device)


def _reach(known: KnownSpread) -> float:
    """How far it moves the ends of an interval alone."""
    between = between_of(known)
    return 0.0 if between is None else samples.reach(between, level=float(samples.LEVEL))


def between_of(known: KnownSpread | None) -> samples.Between | None:
    """The value as ``samples`` takes it; None where there is none."""
    if known is None or isinstance(known.value, Missing):
        return None
    freedom = math.inf if known.count is None else known.count - 1
    return samples.Between(u=float(known.value.value), freedom=freedom)


def with_known(
    measurements: Iterable[Measurement], known: Sequence[KnownSpread], metrics: Iterable[str]
) -> tuple[Measurement, ...]:
    """The measurements of a single capture with what is known between captures, and their intervals widened by it.

    Args:
        measurements: of one capture a side; those of repeats pass unchanged.
        known: what is known.
        metrics: ids of metrics that are samples; what is counted has no interval.
    """
    sampled = set(metrics)
    return tuple(_one(m, known) if m.metric in sampled else m for m in measurements)


def _one(measurement: Measurement, known: Sequence[KnownSpread]) -> Measurement:
    if measurement.each or measurement.sample is None or isinstance(measurement.summary, Missing):
        return measurement
    place = measurement.dimensions
    found = known_for(known, "captures", measurement.metric, part=place.part, place=place)
    if found is None:
        return measurement
    return replace(measurement, between=found, interval=_wider(measurement, found))


def _wider(measurement: Measurement, known: KnownSpread) -> Interval | None:
    """The interval of one side alone with u_B in it, moved out as that of the logarithms and as that of the summary."""
    between, own, sample = between_of(known), measurement.interval, measurement.sample
    if between is None or own is None or sample is None:
        return own
    found = samples.limit_interval(sample.values, level=float(samples.LEVEL), between=between).interval
    if found is None:
        return None
    low, high = min(found.low, float(own.low.value)), max(found.high, float(own.high.value))
    middle = float(measurement.summary.value) if isinstance(measurement.summary, Quantity) else math.nan
    if own.method != LOGARITHMS and own.low.value <= middle <= own.high.value:
        more = middle * samples.reach(between, level=float(samples.LEVEL))
        low = max(0.0, min(low, middle - math.hypot(middle - float(own.low.value), more)))
        high = max(high, middle + math.hypot(float(own.high.value) - middle, more))
    return replace(found, low=low, high=high).stated(own.low.unit, own.method, own.level)
