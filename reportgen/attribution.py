"""What a change of step time is made of: computing, communication not overlapped, free; an identity, no cause.

The printed step time is a median, and medians do not add up. The basis here is the mean over the kept steps of a side
(of several captures the mean of their means, each capture counting as one): for every kept window the three parts add
up to it to the nanosecond, hence their means to the mean step, and their differences to its difference, all exact. The
change of the median stands beside it with what lies between the two. Waiting and transit of collectives stand apart:
collectives overlap with computing and with each other, so neither is a part of the step.
Source: docs/definitions.md, "What a change of step time is made of".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from reportgen import samples, units
from reportgen.model import (
    Comparison,
    Dimensions,
    Measurement,
    Missing,
    MissingKind,
    Origin,
    Quantity,
    Reason,
)

WHOLES = ("step_time", "device_span")
"""The metric that the parts add up to: with step windows, and without."""
PARTS = ("computing", "communication_not_overlapped", "free")
"""Metrics that add up to it."""
BESIDE = ("collective_wait", "collective_transit")
"""Metrics of collectives that stand beside the parts and are none."""
SILENT = "no_communication_rows"
"""Why communication is missing where no communication operator is recorded at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """The mean of one metric on one side."""

    value: Quantity | Missing
    """Exact; Missing says why there is none."""
    origins: tuple[Origin, ...]
    """Where it comes from; empty when Missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """One metric with its means on both sides."""

    metric: str
    """Metric id."""
    before: Mean
    """BEFORE."""
    after: Mean
    """AFTER."""
    delta: Quantity | Missing
    """The second less the first; Missing where a side has none, or where the row is blocked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution:
    """The step time of one rank taken apart."""

    dimensions: Dimensions
    """Rank and device."""
    whole: Share
    """The mean step (or device span); without a value when nothing can be taken apart."""
    parts: tuple[Share, ...]
    """Computing, communication not overlapped, free, which add up to it; empty when they cannot be had. A part that
    neither side records is there as Missing, and the others add up."""
    median: Quantity | Missing
    """AFTER less BEFORE of the printed value, a median; of several captures the mean of their medians."""
    apart: Quantity | Missing
    """``median`` less the difference of the means."""
    medians: tuple[Origin, ...]
    """Where the medians come from."""
    beside: tuple[Share, ...]
    """Waiting and transit of all collectives in the same steps, a sum over them."""
    reason: Reason | None
    """Why there are no parts; None when there are."""
    blocked: tuple[Reason, ...]
    """Why no difference may be formed; the sides stand alone then."""


def attribute(comparisons: Iterable[Comparison]) -> tuple[Attribution, ...]:
    """The step of every rank that has one on both sides taken apart, the rank that is slowest in AFTER first.

    Args:
        comparisons: every metric side by side.
    """
    places: dict[tuple[int | None, int | None], dict[str, Comparison]] = {}
    for row in comparisons:
        if not row.dimensions.part:
            places.setdefault((row.dimensions.rank, row.dimensions.device), {})[row.metric] = row
    found = [one for rows in places.values() if (one := _attribution(rows)) is not None]
    return tuple(sorted(found, key=_slowest))


def _slowest(one: Attribution) -> Fraction:
    """Sorts the largest mean of AFTER first."""
    value = one.whole.after.value
    return -Fraction(value.value) if isinstance(value, Quantity) else Fraction(0)


def _attribution(rows: Mapping[str, Comparison]) -> Attribution | None:
    """One rank; None when neither the step nor the device span has a value on both sides."""
    whole = next((rows[name] for name in WHOLES if name in rows and _valued(rows[name])), None)
    if whole is None:
        return None
    held = [rows[name] for name in PARTS if name in rows]
    blocked = tuple(dict.fromkeys(reason for row in (whole, *held) for reason in row.blocked))
    shares = tuple(_share(row, blocked) for row in held)
    total = _share(whole, blocked)
    reason = _why_not(total, shares, whole, held)
    median: Quantity | Missing = _missing("attribution_blocked") if blocked else whole.delta
    apart: Quantity | Missing = _missing("attribution_blocked" if blocked else "values_missing")
    if isinstance(median, Quantity) and isinstance(total.delta, Quantity):
        apart = _difference(total.delta, median)
    return Attribution(
        dimensions=replace(whole.dimensions, part=""),
        whole=total,
        parts=() if reason else shares,
        median=median,
        apart=apart,
        medians=tuple(origin for side in (whole.before, whole.after) if side is not None for origin in side.origins),
        beside=tuple(_share(rows[name], blocked, like=whole) for name in BESIDE if name in rows),
        reason=reason,
        blocked=blocked,
    )


def _valued(row: Comparison) -> bool:
    """Whether both sides have a value."""
    return all(side is not None and isinstance(side.summary, Quantity) for side in (row.before, row.after))


def _why_not(total: Share, shares: tuple[Share, ...], whole: Comparison, held: list[Comparison]) -> Reason | None:
    """Why the parts are not those of the whole; None when they add up to it exactly on both sides."""
    if len(shares) < len(PARTS):
        return Reason.of("parts_not_measured")
    bases = {side.basis for row in (whole, *held) for side in (row.before, row.after) if side is not None}
    if len(bases) != 1:
        return Reason.of("parts_bounded_differently", bases=", ".join(sorted(bases)))
    for share in shares:
        gone = [mean.value for mean in (share.before, share.after) if isinstance(mean.value, Missing)]
        if len(gone) == 1:
            return Reason.of("part_on_one_side", metric=share.metric)
        if gone and any(missing.reason.code != SILENT for missing in gone):
            return Reason.of("parts_not_measured")
    for of_whole, parts in ((total.before, [s.before for s in shares]), (total.after, [s.after for s in shares])):
        known = [Fraction(part.value.value) for part in parts if isinstance(part.value, Quantity)]
        if not isinstance(of_whole.value, Quantity) or sum(known, Fraction(0)) != of_whole.value.value:
            return Reason.of("parts_do_not_add_up")
    return None


# ------------------------------------------------------------------------------------------------ means
def _share(row: Comparison, blocked: tuple[Reason, ...], like: Comparison | None = None) -> Share:
    """Both means of a metric; with ``like`` only over the steps that it is of."""
    before = _mean(row.before, like.before if like is not None else None)
    after = _mean(row.after, like.after if like is not None else None)
    delta: Quantity | Missing = _missing("attribution_blocked" if blocked else "values_missing")
    if not blocked and isinstance(before.value, Quantity) and isinstance(after.value, Quantity):
        delta = _difference(before.value, after.value)
    return Share(metric=row.metric, before=before, after=after, delta=delta)


def _mean(side: Measurement | None, like: Measurement | None) -> Mean:
    """The mean of one side: over its steps, of several captures over the means of theirs."""
    if side is None:
        return Mean(value=_missing("part_not_on_this_side"), origins=())
    if isinstance(side.summary, Missing):
        return Mean(value=side.summary, origins=())
    captures = side.each or (side,)
    wanted = (like.each or (like,)) if like is not None else (None,) * len(captures)
    if len(wanted) != len(captures):
        return Mean(value=_missing("captures_of_other_steps"), origins=())
    means = []
    for one, steps in zip(captures, wanted, strict=True):
        values = _values(one, steps)
        if not values:
            return Mean(value=_missing("captures_of_other_steps"), origins=())
        means.append(samples.mean(values))
    value = Quantity(value=units.exact(samples.mean(means)), unit=side.summary.unit)
    return Mean(value=value, origins=tuple(_as_mean(origin) for origin in side.origins))


def _values(one: Measurement, like: Measurement | None) -> list[int | Fraction]:
    """The values of a capture; with ``like`` those of its steps; empty when one of these has none."""
    if one.sample is None or (like is not None and like.sample is None):
        return []
    if like is None or like.sample is None:
        return list(one.sample.values)
    known = dict(zip(one.sample.labels, one.sample.values, strict=True))
    return [known[label] for label in like.sample.labels] if set(like.sample.labels) <= set(known) else []


def _as_mean(origin: Origin) -> Origin:
    """The origin of a median over steps as that of their mean."""
    return replace(origin, formula=origin.formula.replace("median", "mean", 1))


def _difference(before: Quantity, after: Quantity) -> Quantity:
    return Quantity(value=units.exact(Fraction(after.value) - Fraction(before.value)), unit=after.unit)


def _missing(code: str) -> Missing:
    return Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of(code))
