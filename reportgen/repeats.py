"""Several captures of a side as repeats: one row for each metric, the captures being the unit of inference.

Steps of one capture resemble each other and say nothing about the next run; with several captures each gives one value,
its own summary, and these values are the sample. Repeats have to be alike: what differs between captures of one side is
held to the same rules as what differs between the sides, without any permission of the change list.
Source: docs/statistics.md, captures as repeats.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from reportgen import samples, units
from reportgen.comparability import facts as beyond
from reportgen.frames import Capture
from reportgen.model import (
    CaptureFacts,
    Comparability,
    Difference,
    Interval,
    Measurement,
    Metric,
    Missing,
    MissingKind,
    Origin,
    PairStanding,
    Quantity,
    Reason,
    Sample,
    Side,
    Standing,
)

OF_A_PAIR = ("order_of_time", "signed_late", "same_capture")
"""Facts that say nothing of two captures of one side."""
WORST = {
    PairStanding.COMPARABLE: 0,
    PairStanding.WITH_RESERVATIONS: 1,
    PairStanding.CANNOT_BE_SHOWN: 2,
    PairStanding.NOT_COMPARABLE: 3,
    PairStanding.AFTER_ALONE: 0,
}
WITHIN_ONE = ("few_values", "few_independent_values", "high_autocorrelation", "one_value")
"""Doubts about an interval from the steps of one capture."""


# --------------------------------------------------------------------------------------------- measurements
def pooled(
    captures: Sequence[Sequence[Measurement]],
    names: Sequence[str],
    metrics: Mapping[str, Metric],
    apart: Collection[str] = (),
) -> tuple[Measurement, ...]:
    """The measurements of a side's captures as one set: for each metric, rank and part one measurement.

    Args:
        captures: the measurements of each capture.
        names: a name for each capture; it stands in front of the paths of its origins and labels its value.
        metrics: by id.
        apart: ids of metrics that cannot be averaged here: totals of captures with different numbers of steps.

    Returns:
        In the order of the first capture. The value is the mean of the captures' values, of an exact metric (count,
        peak) the worst of them; the sample holds one value for each capture; the interval is that of their mean. A
        metric, rank or part that a capture lacks is Missing: nothing is averaged over fewer captures than there are.
        One capture: its measurements unchanged.
    """
    if len(captures) == 1:
        return tuple(captures[0])
    sets = [
        {_key(m): _named(m, name) for m in measurements} for measurements, name in zip(captures, names, strict=True)
    ]
    keys = dict.fromkeys(key for one in sets for key in one)
    found = (_pooled([one.get(key) for one in sets], names, metrics.get(key[0])) for key in keys)
    why = Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of("totals_of_different_captures"))
    return tuple(replace(m, summary=why, sample=None, interval=None) if m.metric in apart else m for m in found)


def _key(measurement: Measurement) -> tuple[str, int | None, int | None, str]:
    place = measurement.dimensions
    return measurement.metric, place.rank, place.device, place.part


def _named(measurement: Measurement, name: str) -> Measurement:
    """A measurement whose origins name its capture behind the side."""

    def moved(origin: Origin) -> Origin:
        side, slash, rest = origin.file.partition("/")
        inside = slash and side in (Side.BEFORE.value, Side.AFTER.value)
        return replace(origin, file=f"{side}/{name}/{rest}") if inside else origin

    return replace(
        measurement,
        origins=tuple(map(moved, measurement.origins)),
        witnesses=tuple(replace(w, origins=tuple(map(moved, w.origins))) for w in measurement.witnesses),
    )


def _pooled(found: list[Measurement | None], names: Sequence[str], metric: Metric | None) -> Measurement:
    held = [m for m in found if m is not None]
    first = held[0]
    lacking = [name for m, name in zip(found, names, strict=True) if m is None or isinstance(m.summary, Missing)]
    base = replace(
        first,
        sample=None,
        interval=None,
        numerator=None,
        denominator=None,
        at=None,
        each=tuple(held),
        witnesses=tuple(witness for m in held for witness in m.witnesses),
        origins=tuple(dict.fromkeys(origin for m in held for origin in m.origins)),
        warnings=tuple(dict.fromkeys(w for m in held for w in m.warnings if w.code not in WITHIN_ONE)),
    )
    if lacking:
        return replace(base, summary=_lacking(held, lacking, len(found)))
    bases = {m.basis for m in held}
    if len(bases) > 1:
        why = Reason.of("captures_measured_differently", bases=", ".join(sorted(bases)))
        return replace(base, summary=Missing(kind=MissingKind.NOT_APPLICABLE, reason=why))
    values = [m.summary.value for m in held if isinstance(m.summary, Quantity)]
    return replace(base, **_summary(values, names, first, metric, base.warnings))  # type: ignore[arg-type]


def _lacking(held: list[Measurement], lacking: list[str], of: int) -> Missing:
    """Why a value is missing: as the captures say when all lack it, else that some do."""
    reasons = [m.summary for m in held if isinstance(m.summary, Missing)]
    if len(lacking) == of and len({(r.kind, r.reason) for r in reasons}) == 1:
        return reasons[0]
    kind = reasons[0].kind if reasons else MissingKind.NOT_RECORDED
    return Missing(kind=kind, reason=Reason.of("captures_lack_value", names=", ".join(lacking), n=len(lacking), of=of))


def _summary(
    values: list[int | Fraction],
    names: Sequence[str],
    first: Measurement,
    metric: Metric | None,
    warnings: tuple[Reason, ...],
) -> dict[str, object]:
    assert isinstance(first.summary, Quantity)
    unit = first.summary.unit
    sample = Sample(unit=unit, values=tuple(values), labels=tuple(names))
    if metric is not None and metric.exact:
        worst = min(values) if metric.better == "higher" else max(values)
        doubt = (Reason.of("captures_differ", values=", ".join(map(str, values))),) if len({*values}) > 1 else ()
        return {"summary": Quantity(value=worst, unit=unit), "sample": sample, "warnings": (*warnings, *doubt)}
    return {
        "summary": Quantity(value=units.exact(samples.mean(values)), unit=unit),
        "sample": sample,
        "interval": interval_of(values, unit),
    }


def interval_of(values: Sequence[int | Fraction], unit: str) -> Interval | None:
    """The interval of the mean of several captures; None for one."""
    found = samples.mean_of_captures(values, level=float(samples.LEVEL))
    return None if found is None else found.stated(unit, "captures")


# --------------------------------------------------------------------------------------------- comparability
def capture_names(captures: Sequence[CaptureFacts]) -> tuple[str, ...]:
    """A name for each capture of a side: that of its directory, numbered where two are called alike."""
    names = [facts.name for facts in captures]
    return tuple(f"{name}#{i}" if names.count(name) > 1 else name for i, name in enumerate(names, 1))


def joined(
    between: Sequence[Comparability], within: Iterable[tuple[str, Comparability]], captures: Sequence[Capture]
) -> Comparability:
    """The comparability of all captures: what differs between the sides, then what differs between repeats.

    Args:
        between: of each pair of a BEFORE and an AFTER capture; the first one is shown whole, of the others what is not
            equal and not said yet.
        within: (the later capture's side and name, comparability) of the first capture of a side and each later one.
        captures: all captures; given twice, one is no repeat.

    Returns:
        The worst standing of all; differences heaviest first as each pair has them.
    """
    first = between[0]
    found = list(first.differences)
    said = {(d.key, d.reason) for d in found}
    standing = first.standing
    for more in between[1:]:
        standing = max(standing, more.standing, key=WORST.__getitem__)
        found += [d for d in more.differences if _news(d) and (d.key, d.reason) not in said]
        said |= {(d.key, d.reason) for d in more.differences}
    for name, more in within:
        apart = [d for d in more.differences if _news(d) and d.key.split(".")[0] not in OF_A_PAIR]
        apart = [replace(d, place=f"{name}: {d.place}") for d in apart if (d.key, d.reason) not in said]
        found += apart
        standing = max([standing, *map(_standing, apart)], key=WORST.__getitem__)
    again = _given_twice(captures)
    if again is not None and not any(d.key == "same_capture" for d in found):
        found.insert(0, again)
        standing = PairStanding.NOT_COMPARABLE
    return replace(first, standing=standing, differences=tuple(found))


def _news(difference: Difference) -> bool:
    return difference.standing not in (Standing.SAME, Standing.IDENTITY)


def _standing(difference: Difference) -> PairStanding:
    if not difference.blocks_all:
        return PairStanding.WITH_RESERVATIONS
    blocking = difference.standing is Standing.BLOCKING
    return PairStanding.NOT_COMPARABLE if blocking else PairStanding.CANNOT_BE_SHOWN


def _given_twice(captures: Sequence[Capture]) -> Difference | None:
    return next(
        (
            same
            for one, other in combinations(captures, 2)
            if (same := beyond.same_capture(one.facts, other.facts)) is not None
        ),
        None,
    )
