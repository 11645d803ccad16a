"""A/A captures: what captures of one unchanged build show of the spread between captures.

They have to be alike among each other and with BEFORE as repeats have: nothing is permitted to differ, and none may be
given twice. One of them may be the BEFORE capture itself. What is refused is used for nothing.
Source: docs/statistics.md, "What is known between captures (u_B)".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from reportgen import samples, units
from reportgen.comparability.facts import same_capture
from reportgen.model import (
    AlikeCaptures,
    CaptureFacts,
    Comparability,
    Difference,
    Family,
    KnownSpread,
    Measurement,
    Metric,
    Origin,
    Quantity,
    Reason,
)
from reportgen.repeats import OF_A_PAIR, capture_names

Key = tuple[str, str, int | None, int | None]


def alike_captures(
    facts: Sequence[CaptureFacts],
    compared: Iterable[Comparability],
    measured: Sequence[Sequence[Measurement]],
    before: Sequence[Measurement],
    metrics: Mapping[str, Metric],
) -> AlikeCaptures:
    """What A/A captures show.

    Args:
        facts: of each capture.
        compared: of the first with each other one, and of BEFORE with each.
        measured: the measurements of each capture.
        before: the measurements of BEFORE; a value measured from another kind of file or on another basis says nothing
            of it.
        metrics: by id.
    """
    names = capture_names(facts)
    found = list(compared)
    refused = _given_twice(facts, names) or _unlike(found)
    if refused is not None:
        return AlikeCaptures(captures=tuple(facts), names=names, refused=refused)
    blocked = {family for one in found for family in Family if any(map(_told, one.blocked(family)))}
    sets = [{_key(m): m for m in one} for one in measured]
    held = {_key(m): m for m in before}
    spreads = [
        spread
        for key in sets[0]
        for metric in (metrics.get(key[0]),)
        if metric is not None and not metric.exact and not blocked & {metric.family, *metric.also}
        for spread in _spread([one.get(key) for one in sets], held.get(key), names)
    ]
    return AlikeCaptures(captures=tuple(facts), names=names, refused=None, spreads=tuple(spreads))


def _given_twice(facts: Sequence[CaptureFacts], names: Sequence[str]) -> Reason | None:
    for (one, name), (other, again) in combinations(zip(facts, names, strict=True), 2):
        if same_capture(one, other) is not None:
            return Reason.of("alike_given_twice", name=name, other=again)
    return None


def _unlike(found: Iterable[Comparability]) -> Reason | None:
    """What differs, or is not shown, that forbids comparing at all."""
    keys = dict.fromkeys(d.key for one in found for d in one.differences if d.blocks_all and _told(d))
    return Reason.of("alike_not_alike", keys=", ".join(keys)) if keys else None


def _told(difference: Difference) -> bool:
    """Whether a difference tells of two captures of one side; that BEFORE is one of them tells nothing."""
    return difference.key.split(".")[0] not in OF_A_PAIR


def _key(measurement: Measurement) -> Key:
    place = measurement.dimensions
    return measurement.metric, place.part, place.rank, place.device


def _spread(
    found: Sequence[Measurement | None], before: Measurement | None, names: Sequence[str]
) -> Iterable[KnownSpread]:
    """The spread of one metric at one place; none where a capture has no value, or all have the same."""
    held = [m for m in found if m is not None and isinstance(m.summary, Quantity) and m.sample is not None]
    if before is None or len(held) < len(found):
        return
    if any((m.basis, m.source) != (before.basis, before.source) or m.undecided_by() is not None for m in held):
        return
    values = [m.summary.value for m in held if isinstance(m.summary, Quantity)]
    if min(values) <= 0 or len(set(values)) == 1:
        return
    yield KnownSpread(
        metric=before.metric,
        part=before.dimensions.part,
        value=Quantity(value=units.exact(Fraction(samples.spread_of([values]))), unit="1"),
        count=len(values),
        determined=", ".join(names),
        source="A/A",
        place=before.dimensions,
        origins=tuple(_moved(o, name) for m, name in zip(held, names, strict=True) for o in m.origins),
    )


def _moved(origin: Origin, name: str) -> Origin:
    """The origin with the capture's name in the place of the side."""
    return replace(origin, file=f"aa/{name}/{origin.file.partition('/')[2]}")


def asked(known: Iterable[KnownSpread], alike: AlikeCaptures | None) -> tuple[KnownSpread, ...]:
    """What the target states, then what A/A captures show."""
    return (*known, *(alike.spreads if alike is not None else ()))


def sampled(metrics: Iterable[Metric]) -> Collection[str]:
    """Metrics that can have an interval."""
    return {metric.id for metric in metrics if not metric.exact}
