"""Measurements side by side: delta, change, ratio with its interval, and whether a difference may be called one.

Counts and peaks are exact and carry no interval. A sample is compared by the method its size allows (``samples``); one
value on each side gives a delta and nothing more. Totals of captures with different steps or calls are shown and get no
verdict. Source: docs/statistics.md; docs/formats.md 11.10 (2); choices named in evidence/choices.toml.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from reportgen import samples, units
from reportgen.known_spread import between_of
from reportgen.model import (
    CaptureFacts,
    Comparability,
    Comparison,
    Difference,
    Dimensions,
    Distinguishable,
    Family,
    Interval,
    KnownSpread,
    Measurement,
    Metric,
    Missing,
    MissingKind,
    OperatorMeasurement,
    PairStanding,
    Quantity,
    Reason,
    Standing,
)

TOTALS = (
    "kernel_count",
    "ai_cpu_count",
    "communication_count",
    "row_count",
    "kernel_time",
    "kernel_busy",
    "ai_cpu_time",
    "row_time",
    "host_api_time",
    "host_api_calls",
)
"""Metrics summed over a whole capture."""
CALLS = ("kernel_call", "kernel_call_mean")
"""Metrics of a single call."""
SPANS = (
    "device_span",
    "computing",
    "communication_not_overlapped",
    "communication",
    "free",
    "group_communication_not_overlapped",
    "collective_elapse",
    "collective_transit",
    "collective_wait",
    "collective_synchronization",
    "collective_idle",
    "link_size",
    "link_transit",
)
"""Times that cover the whole capture when there are no steps."""
WINDOW_BOUND = (
    "free",
    "free_share",
    "computing_share",
    "communication_not_overlapped_share",
    "group_communication_not_overlapped",
)
"""Metrics whose meaning depends on how the window is bounded."""

Place = tuple[int | None, int | None]


def place_of(measurement: Measurement | OperatorMeasurement) -> Place:
    """Rank and device of a measurement."""
    return measurement.dimensions.rank, measurement.dimensions.device


def compare(
    metrics: Sequence[Metric],
    before: Iterable[Measurement],
    after: Iterable[Measurement],
    facts: tuple[CaptureFacts, CaptureFacts],
    pairs: Sequence[tuple[int, int]],
    comparability: Comparability,
) -> tuple[Comparison, ...]:
    """Every metric of every pair of ranks, in the order of ``metrics``, then rank, then part.

    Args:
        facts: of BEFORE and AFTER; pairs: indices of ranks that belong together. Without any pair the first ranks are
            put side by side (their rows are marked as not comparable by ``comparability``).
    """
    lefts, rights = _by_key(before), _by_key(after)
    found: list[Comparison] = []
    for metric in metrics:
        for i, j in pairs or [(0, 0)]:
            left, right = facts[0].ranks[i], facts[1].ranks[j]
            b = {
                part: m
                for (name, place, part), m in lefts.items()
                if name == metric.id and place == (left.rank, left.device)
            }
            a = {
                part: m
                for (name, place, part), m in rights.items()
                if name == metric.id and place == (right.rank, right.device)
            }
            calls = (_count(lefts, (left.rank, left.device)), _count(rights, (right.rank, right.device)))
            place = Dimensions(rank=right.rank, device=right.device)
            found += [
                _one(metric, b.get(part), a.get(part), replace(place, part=part), facts, calls, comparability)
                for part in _parts(b, a)
            ]
    return tuple(found)


def _count(found: dict[tuple[str, Place, str], Measurement], place: Place) -> int | None:
    """The kernels counted at a place; None when they could not be."""
    measurement = found.get(("kernel_count", place, ""))
    summary = _value(measurement)
    return None if isinstance(summary, Missing) else int(summary.value)


def _by_key(found: Iterable[Measurement]) -> dict[tuple[str, Place, str], Measurement]:
    return {(m.metric, place_of(m), m.dimensions.part): m for m in found}


def _parts(before: dict[str, Measurement], after: dict[str, Measurement]) -> list[str]:
    """Parts in BEFORE's order, then AFTER's; a side's whole-metric Missing gives way to the other side's parts."""
    parts = list(dict.fromkeys((*before, *after)))
    whole = any(isinstance(side[""].summary, Quantity) for side in (before, after) if "" in side)
    return [p for p in parts if p or whole] or parts


# ------------------------------------------------------------------------------------------------ one metric
def _value(measurement: Measurement | None) -> Quantity | Missing:
    if measurement is None:
        return Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("part_not_on_this_side"))
    return measurement.summary


def _one(
    metric: Metric,
    before: Measurement | None,
    after: Measurement | None,
    dimensions: Dimensions,
    facts: tuple[CaptureFacts, CaptureFacts],
    calls: tuple[int | None, int | None],
    comparability: Comparability,
) -> Comparison:
    b, a = _value(before), _value(after)
    delta, change = delta_of(b, a), change_of(metric, b, a)
    blocked = (
        *blocked_by((metric.family, *metric.also), comparability),
        *_checks(before, after),
        *_definition_block(metric, before, after, facts, calls, comparability),
    )
    estimate, interval, told, reason = told_apart(metric, before, after)
    known = _known(before, after)
    if blocked:
        told = "cannot be known"
    warnings = tuple(dict.fromkeys(w for m in (before, after) if m is not None for w in m.warnings))
    return Comparison(
        metric=metric.id,
        dimensions=dimensions,
        before=before,
        after=after,
        delta=delta,
        change=change,
        estimate=estimate,
        interval=interval,
        distinguishable=told,
        reason=reason,
        blocked=blocked,
        warnings=warnings,
        between=known if interval is not None and between_of(known) is not None else None,
    )


def delta_of(before: Quantity | Missing, after: Quantity | Missing) -> Quantity | Missing:
    """AFTER minus BEFORE, exact; Missing where a side has no value."""
    if isinstance(before, Missing) or isinstance(after, Missing):
        first = before if isinstance(before, Missing) else after
        assert isinstance(first, Missing)
        return replace(first, reason=Reason.of("values_missing"))
    return Quantity(value=units.exact(Fraction(after.value) - before.value), unit=after.unit)


def change_of(metric: Metric, before: Quantity | Missing, after: Quantity | Missing) -> Quantity | Missing:
    """AFTER / BEFORE - 1, exact; Missing of shares, where BEFORE is 0, and where a side has no value."""
    if metric.statistic == "share" or (metric.statistic == "weighted" and metric.unit == "1"):
        return Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of("change_of_share"))
    if isinstance(before, Missing) or isinstance(after, Missing):
        return delta_of(before, after)
    if before.value == 0:
        return Missing(
            kind=MissingKind.NOT_APPLICABLE, reason=Reason.of("both_zero" if after.value == 0 else "before_zero")
        )
    return Quantity(value=units.exact(Fraction(after.value) / before.value - 1), unit="1")


def told_apart(
    metric: Metric, before: Measurement | None, after: Measurement | None, of: str = ""
) -> tuple[Quantity | None, Interval | None, Distinguishable, Reason]:
    """Estimate and interval of AFTER / BEFORE, whether a difference may be called one, and why.

    A difference within the rounding of what was recorded is none, whatever the interval says. ``of`` as of ``ratio``.
    """
    b, a = _value(before), _value(after)
    if isinstance(b, Missing) or isinstance(a, Missing):
        return None, None, "cannot be known", Reason.of("values_missing")
    doubt = sampled_peak(before, after)
    if doubt is not None:
        return None, None, "cannot be known", doubt
    mixed = next((w for m in (before, after) if m is not None for w in m.warnings if w.code == "mixed_kernels"), None)
    if mixed is not None:
        return None, None, "cannot be known", mixed
    if metric.exact:
        return (
            (None, None, "no", Reason.of("exact_equal"))
            if a.value == b.value
            else (None, None, "yes", Reason.of("exact_differs"))
        )
    several = any(m is not None and m.each for m in (before, after))
    left, right = _values(before, b, several=several), _values(after, a, several=several)
    known = None if several else _known(before, after)
    if known is not None and isinstance(known.value, Missing):
        return None, None, "cannot be known", known.value.reason
    estimate, interval, told, reason = (
        ratio_of_captures(left, right) if several else ratio(left, right, known=known, of=of)
    )
    if not any((a.value, b.value, *left, *right)):
        return None, None, "no", Reason.of("both_zero")
    within = abs(Fraction(a.value) - b.value) <= resolution(before) + resolution(after)
    if within and (told == "yes" or reason.code == "captures_alike"):
        return estimate, interval, "no", Reason.of("below_resolution")
    return estimate, interval, told, reason


def _values(side: Measurement | None, summary: Quantity, *, several: bool) -> tuple[int | Fraction, ...]:
    """What a side is compared by: the values of its sample; beside several captures a single one is one value."""
    if side is None or side.sample is None or (several and not side.each):
        return (summary.value,)
    return side.sample.values


def _known(before: Measurement | None, after: Measurement | None) -> KnownSpread | None:
    """What is known between captures of a metric of single captures; None unless both sides have it."""
    return after.between if before is not None and after is not None and before.between is not None else None


def resolution(measurement: Measurement | None) -> Fraction:
    """By how much the rounding of what was recorded can move a value, in its unit; 0 where that is not known."""
    found = None if measurement is None else measurement.resolution
    return Fraction(0) if found is None else Fraction(found.value)


def ratio_of_captures(
    before: Sequence[int | Fraction], after: Sequence[int | Fraction], level: Fraction = samples.LEVEL
) -> tuple[Quantity | None, Interval | None, Distinguishable, Reason]:
    """The estimate and interval of AFTER / BEFORE of several captures, one value each, and whether they differ."""
    return _outcome(samples.ratio_of_captures(before, after, level=float(level)), level)


def sampled_peak(before: Measurement | None, after: Measurement | None) -> Reason | None:
    """The doubt of a peak that was sampled on a side: it is a lower bound, so no difference of it can be told."""
    warnings = (w for m in (before, after) if m is not None for w in m.warnings)
    return next((w for w in warnings if w.code == "sampled_peak_lower_bound"), None)


def ratio(
    before: Sequence[int | Fraction],
    after: Sequence[int | Fraction],
    level: Fraction = samples.LEVEL,
    known: KnownSpread | None = None,
    of: str = "",
) -> tuple[Quantity | None, Interval | None, Distinguishable, Reason]:
    """The estimate and interval of AFTER / BEFORE of two samples, and whether they differ.

    Args:
        before, after: the values, in order.
        level: confidence level.
        known: how much captures (or runs) of one build vary, where that is known.
        of: ``mean``: the interval has to hold for the ratio of the means, see ``samples.ratio_before_after``.
    """
    found = samples.ratio_before_after(before, after, level=float(level), between=between_of(known), of=of)
    return _outcome(found, level)


def _outcome(
    found: samples.RatioEstimate, level: Fraction
) -> tuple[Quantity | None, Interval | None, Distinguishable, Reason]:
    estimate = (
        None
        if found.ratio is None or found.interval is None
        else Quantity(value=units.exact(Fraction(found.ratio)), unit="1")
    )
    interval = None if found.interval is None else found.interval.stated("1", found.method, level)
    told: Distinguishable = (
        "yes" if found.distinguishable == "yes" else "no" if found.distinguishable == "no" else "cannot be known"
    )
    code = found.reason or ("interval_excludes_one" if told == "yes" else "interval_includes_one")
    rho = "" if found.rho is None else f"{found.rho:.2f}"
    return estimate, interval, told, Reason.of(code, rho=rho) if rho else Reason.of(code)


# ------------------------------------------------------------------------------------------------ what gets no verdict
def blocked_by(families: tuple[Family, ...], comparability: Comparability) -> tuple[Reason, ...]:
    """Why a row of these families gets no verdict: the keys that block the pair, or the families; empty when none."""
    return (*_pair_block(comparability), *_family_block(families, comparability))


def _pair_block(comparability: Comparability) -> tuple[Reason, ...]:
    keys = ", ".join(dict.fromkeys(d.key for d in comparability.differences if d.blocks_all))
    if comparability.standing is PairStanding.NOT_COMPARABLE:
        return (Reason.of("pair_not_comparable", keys=keys),)
    if comparability.standing is PairStanding.CANNOT_BE_SHOWN:
        return (Reason.of("pair_cannot_be_shown", keys=keys),)
    return ()


def _family_block(families: tuple[Family, ...], comparability: Comparability) -> tuple[Reason, ...]:
    found = []
    for family in families:
        keys = [d.key for d in comparability.blocked(family) if not d.blocks_all]
        if keys:
            found.append(Reason.of("family_blocked", family=family, keys=", ".join(dict.fromkeys(keys))))
    return tuple(found)


def _checks(before: Measurement | None, after: Measurement | None) -> tuple[Reason, ...]:
    found = []
    for measurement in (before, after):
        failed = measurement.undecided_by() if measurement is not None else None
        if measurement is not None and failed is not None:
            found.append(
                Reason.of(
                    "check_failed",
                    side=measurement.side,
                    name=failed.name,
                    found=failed.found.exact(),
                    expected=failed.expected.exact(),
                )
            )
    return tuple(found)


def steps_declared(differences: Iterable[Difference]) -> bool:
    """Whether the parties vouch for the number of steps or iterations of both sides."""
    return any(d.standing is Standing.DECLARED and d.reason.arg("key") == "steps" for d in differences)


def _definition_block(
    metric: Metric,
    before: Measurement | None,
    after: Measurement | None,
    facts: tuple[CaptureFacts, CaptureFacts],
    calls: tuple[int | None, int | None],
    comparability: Comparability,
) -> tuple[Reason, ...]:
    """Sums over different numbers of steps or calls, and windows bounded in different ways, are not compared."""
    if before is None or after is None:
        return ()
    if before.source != after.source and before.source and after.source:
        return (Reason.of("sources_differ", before=before.source, after=after.source),)
    steps = [max((len(r.steps) for r in side.ranks), default=0) for side in facts]
    if metric.id in WINDOW_BOUND and before.basis != after.basis:
        return (Reason.of("basis_differs", before=before.basis, after=after.basis),)
    if metric.id in TOTALS and steps[0] != steps[1]:
        return (Reason.of("totals_of_different_steps", before=steps[0], after=steps[1]),)
    stepless = steps == [0, 0] and metric.id in (*TOTALS, *SPANS) and metric.statistic != "count"
    if stepless and calls[0] != calls[1] and not steps_declared(comparability.differences):
        return (Reason.of("call_counts_differ", before=calls[0], after=calls[1]),)
    return ()
