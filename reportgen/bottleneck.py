"""The main bottleneck of each side, and whether it moved.

In training with FSDP2, where both rules of its guide apply: the first rule that is exceeded, in the order free,
communication; else computing, for which the guide gives no number. Elsewhere: the largest of the three shares of the
slowest rank, called so. Of a service nothing is named: its shares describe the load. What is missing, undecided or tied
is never told. Source: docs/bottleneck.md.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from reportgen import units
from reportgen.model import (
    Applicability,
    Bottleneck,
    BottleneckKind,
    Bottlenecks,
    Bound,
    CaptureFacts,
    Catalogue,
    Comparability,
    Comparison,
    Family,
    Ground,
    InsideCore,
    Measurement,
    Missing,
    Origin,
    PairStanding,
    Quantity,
    Reason,
    Relation,
    Side,
    ThresholdJudgement,
)

ORDER: tuple[tuple[BottleneckKind, str, str], ...] = (
    ("free", "free_share", "fsdp2-free-time"),
    ("communication", "communication_not_overlapped_share", "fsdp2-unhidden-communication"),
)
"""Kind, its share, and the rule on it, in the order in which the guide looks at them."""
COMPUTING = "computing_share"
SHARES: tuple[tuple[BottleneckKind, str], ...] = (
    ("computing", COMPUTING),
    ("communication", "communication_not_overlapped_share"),
    ("free", "free_share"),
)
"""The parts of a step."""
PIPES: tuple[tuple[Literal["cube", "vector"], str, str], ...] = (
    ("cube", "aic_mac_ratio", "aic_mte2_ratio"),
    ("vector", "aiv_vec_ratio", "aiv_mte2_ratio"),
)
"""Kind of core, the pipe that computes, the pipe that transfers."""
WHOLE = ("step_time", "device_span")
"""What tells the slowest rank: the first that every rank has."""
LOAD_PHASES = ("serving", "online inference")
"""Phases whose shares describe the load."""
OF_THE_PAIR = ("pair_not_comparable", "pair_cannot_be_shown", "family_blocked")
"""Reasons that forbid comparing and take nothing from a side alone."""
NO_BOUND, NO_BOUND_BAND = "advisor-operator-no-bound", "no-bound"
CITED = (NO_BOUND, "recsdk-pressure-first", "fsdp2-mac-mte2-direction", "fsdp2-four-bottleneck-order")
"""Rules of the catalogue that this room rests on or names."""
_HOLDS = {
    Relation.AT_MOST: operator.le,
    Relation.BELOW: operator.lt,
    Relation.AT_LEAST: operator.ge,
    Relation.ABOVE: operator.gt,
}


_Place = tuple[int | None, int | None]
"""Rank and device."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """The number at or below which an operator is called one without a bound."""

    bound: Bound
    """As the source prints it."""
    origin: Origin
    """Where it stands in the evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """What one side holds."""

    side: Side
    """Side."""
    facts: CaptureFacts
    """Its capture."""
    rows: tuple[Comparison, ...]
    """Every metric side by side."""

    def of(self, metric: str) -> list[Measurement]:
        """The measurements of a metric as a whole, by rank."""
        found = [row.before if self.side is Side.BEFORE else row.after for row in self.rows if row.metric == metric]
        return [one for one in found if one is not None and not one.dimensions.part]


def limit_without_bound(catalogue: Catalogue) -> Limit:
    """The number of the catalogue's rule on operators without a bound; the catalogue must hold its rules."""
    rule = next(rule for rule in catalogue.rules if rule.id == NO_BOUND)
    bound = next(band.bounds[0] for band in rule.bands if band.of == NO_BOUND_BAND)
    path = f"evidence/{rule.file}"
    digest = next((record.digest for record in catalogue.files if record.path == path), "")
    origin = Origin(file=path, digest=digest, locator=f"rule {rule.id}", formula="as written")
    return Limit(bound=bound, origin=origin)


def find_bottlenecks(
    *,
    phase: str,
    thresholds: Sequence[ThresholdJudgement],
    comparisons: tuple[Comparison, ...],
    facts: tuple[CaptureFacts, CaptureFacts],
    comparability: Comparability,
    limit: Limit,
) -> Bottlenecks:
    """The main bottleneck of both sides.

    Args:
        phase: the agreed phase of the job; empty when none was agreed.
        thresholds: official rules as judged; empty without a target.
        comparisons: every metric side by side.
        facts: BEFORE and AFTER.
        comparability: of the pair; what it blocks leaves each side as it is, and the move unknown.
        limit: the number for pipes without a bound.
    """
    sides = [
        _Side(side=side, facts=of, rows=comparisons) for side, of in zip((Side.BEFORE, Side.AFTER), facts, strict=True)
    ]
    before, after = (_one_side(side, phase, thresholds, limit) for side in sides)
    moved = _moved(before, after, comparability)
    return Bottlenecks(
        before=before,
        after=after,
        moved={"bottleneck_moved": "yes", "bottleneck_same": "no"}.get(moved.code, "cannot be known"),  # type: ignore[arg-type]
        reason=moved,
        limit=Quantity(value=units.exact(limit.bound.value), unit="1", written=limit.bound.written),
        limit_origin=limit.origin,
    )


def _moved(before: Bottleneck, after: Bottleneck, comparability: Comparability) -> Reason:
    keys = ", ".join(dict.fromkeys(d.key for d in comparability.differences if d.blocks_all))
    if comparability.standing is PairStanding.NOT_COMPARABLE:
        return Reason.of("pair_not_comparable", keys=keys)
    if comparability.standing is PairStanding.CANNOT_BE_SHOWN:
        return Reason.of("pair_cannot_be_shown", keys=keys)
    for family in (Family.TIME, Family.COMMUNICATION):
        if blocking := comparability.blocked(family):
            names = ", ".join(dict.fromkeys(d.key for d in blocking))
            return Reason.of("family_blocked", family=family, keys=names)
    for one in (before, after):
        if one.kind == "none":
            return Reason.of("bottleneck_not_told", side=one.side)
    return Reason.of("bottleneck_same" if before.kind == after.kind else "bottleneck_moved")


# ------------------------------------------------------------------------------------------------ one side
def _one_side(side: _Side, phase: str, thresholds: Sequence[ThresholdJudgement], limit: Limit) -> Bottleneck:
    if not phase:
        return _untold(side, (Reason.of("phase_unknown"),))
    if phase in LOAD_PHASES:
        return _untold(side, (Reason.of("shares_describe_the_load"),))
    rules = [next((r for r in thresholds if r.threshold.id == name), None) for _kind, _metric, name in ORDER]
    known = [rule for rule in rules if rule is not None]
    if len(known) < len(ORDER):
        return _untold(side, (Reason.of("values_missing"),))
    if any(rule.applicability is Applicability.DOES_NOT_APPLY for rule in known):
        return _largest(side, limit)
    open_ = [rule for rule in known if rule.applicability is Applicability.CANNOT_DECIDE]
    lacking = [reason for rule in open_ for reason in rule.reasons if reason.code not in OF_THE_PAIR]
    if lacking:
        return _untold(side, tuple(dict.fromkeys(lacking)))
    return _in_order(side, known, limit)


def _untold(side: _Side, reasons: tuple[Reason, ...], grounds: tuple[Ground, ...] = ()) -> Bottleneck:
    return Bottleneck(side=side.side, kind="none", by="not told", grounds=grounds, reasons=reasons)


def _ground(measurement: Measurement, band: str = "") -> Ground:
    return Ground(
        metric=measurement.metric,
        rank=measurement.dimensions.rank,
        device=measurement.dimensions.device,
        value=measurement.summary,
        band=band,
        origins=measurement.origins,
    )


def _doubt(side: _Side, measurements: Sequence[Measurement], metric: str) -> Reason | None:
    """Why a metric cannot be read: nothing measured, a value missing, or a cross-check that failed."""
    if not measurements:
        return Reason.of("metric_not_measured", metric=metric, part="")
    for one in measurements:
        if isinstance(one.summary, Missing):
            return one.summary.reason
        if (failed := one.undecided_by()) is not None:
            return Reason.of(
                "check_failed",
                side=side.side,
                name=failed.name,
                found=failed.found.exact(),
                expected=failed.expected.exact(),
            )
    return None


def _exact(measurement: Measurement) -> Fraction:
    assert isinstance(measurement.summary, Quantity)
    return Fraction(measurement.summary.value)


def _in_order(side: _Side, rules: Sequence[ThresholdJudgement], limit: Limit) -> Bottleneck:
    """The first rule that is exceeded on the worst rank; else computing."""
    grounds: list[Ground] = []
    told: BottleneckKind = "none"
    for (kind, metric, _name), rule in zip(ORDER, rules, strict=True):
        measured = side.of(metric)
        doubt = _doubt(side, measured, metric)
        if doubt is not None:
            return _untold(side, (doubt,), tuple(grounds))
        worst = max(measured, key=_exact)
        band = _band(rule, side.side, _exact(worst))
        grounds.append(_ground(worst, band))
        if told == "none" and band == "needs_attention":
            told = kind
    slowest = _slowest(side)
    computing = [] if isinstance(slowest, Reason) else [m for m in side.of(COMPUTING) if _place(m) in slowest[:1]]
    grounds += [_ground(one) for one in computing]
    if told != "none":
        return Bottleneck(
            side=side.side,
            kind=told,
            by="first rule exceeded",
            grounds=tuple(grounds),
            reasons=(Reason.of("first_rule_exceeded"),),
        )
    between = tuple(
        Reason.of("share_in_no_statement", metric=one.metric) for one in grounds if one.band == "no_statement"
    )
    reasons = (Reason.of("no_limit_exceeded"), *between)
    return _computing(side, "no limit exceeded", tuple(grounds), reasons, limit, slowest)


def _band(rule: ThresholdJudgement, side: Side, value: Fraction) -> str:
    """The band of a side as judged; of a pair that may not be compared, that of the side's own value."""
    if rule.applicability is Applicability.APPLIES:
        return rule.band_before if side is Side.BEFORE else rule.band_after
    return next((band.id for band in rule.threshold.bands if band.holds(value)), "")


def _largest(side: _Side, limit: Limit) -> Bottleneck:
    """The largest share of the slowest rank; a tie, a missing or an undecided one is not told."""
    slowest = _slowest(side)
    if isinstance(slowest, Reason):
        return _untold(side, (slowest,))
    kinds: dict[BottleneckKind, None] = {}
    grounds: tuple[Ground, ...] = ()
    for place in slowest:
        shares = {kind: [m for m in side.of(metric) if _place(m) == place] for kind, metric in SHARES}
        found = tuple(_ground(one) for measured in shares.values() for one in measured)
        grounds = grounds or found
        doubts = [_doubt(side, measured, dict(SHARES)[kind]) for kind, measured in shares.items()]
        reasons = tuple(dict.fromkeys(doubt for doubt in (*doubts, _waits(side, place)) if doubt is not None))
        if reasons:
            return _untold(side, reasons, found)
        values = {kind: _exact(measured[0]) for kind, measured in shares.items()}
        kinds |= dict.fromkeys(kind for kind, value in values.items() if value == max(values.values()))
    if len(kinds) > 1:
        return _untold(side, (Reason.of("largest_share_tied"),), grounds)
    (kind,) = kinds
    reasons = (Reason.of("largest_share_no_limit"),)
    if kind == "computing":
        return _computing(side, "largest share", grounds, reasons, limit, slowest)
    return Bottleneck(side=side.side, kind=kind, by="largest share", grounds=grounds, reasons=reasons)


def _waits(side: _Side, place: _Place) -> Reason | None:
    """Whether free time holds waiting as well, or nobody can say."""
    rank = next((r for r in side.facts.ranks if (r.rank, r.device) == place), None)
    if rank is None or rank.wait_events == "not searchable":
        return Reason.of("wait_events_not_searchable", side=side.side)
    if rank.wait_events == "found":
        return Reason.of("wait_events_found", side=side.side, file=rank.wait_source)
    return None


def _place(measurement: Measurement) -> _Place:
    return measurement.dimensions.rank, measurement.dimensions.device


def _slowest(side: _Side) -> tuple[_Place, ...] | Reason:
    """The slowest rank, or several that are as slow; why it cannot be told which."""
    places = tuple(dict.fromkeys(_place(one) for one in side.of(COMPUTING)))
    if len(places) == 1:
        return places
    for metric in WHOLE:
        timed = {_place(one): one for one in side.of(metric) if isinstance(one.summary, Quantity)}
        if places and set(timed) == set(places):
            longest = max(map(_exact, timed.values()))
            return tuple(place for place, one in timed.items() if _exact(one) == longest)
    return Reason.of("slowest_rank_unknown", side=side.side)


# ------------------------------------------------------------------------------------------------ inside computing
def _computing(
    side: _Side,
    by: Literal["no limit exceeded", "largest share"],
    grounds: tuple[Ground, ...],
    reasons: tuple[Reason, ...],
    limit: Limit,
    slowest: tuple[_Place, ...] | Reason,
) -> Bottleneck:
    place = slowest if isinstance(slowest, Reason) else slowest[0]
    inside = tuple(_core(side, place, *pipes) for pipes in PIPES)
    return Bottleneck(
        side=side.side,
        kind="computing",
        by=by,
        grounds=grounds,
        reasons=reasons,
        inside=inside,
        low_load=_low_load(inside, limit),
    )


def _core(
    side: _Side, place: _Place | Reason, core: Literal["cube", "vector"], computing: str, transfer: str
) -> InsideCore:
    """Which pipe of a core was busy for longer, by time-weighted values alone."""

    def untold(reason: Reason) -> InsideCore:
        return InsideCore(core=core, verdict="cannot be told", computing=None, transfer=None, reason=reason)

    if isinstance(place, Reason):
        return untold(place)
    shared = [m.summary for m in side.of("aiv_mte2_bound_share") if _place(m) == place]
    if any(isinstance(one, Missing) and one.reason.code == "one_kind_of_core" for one in shared):
        return untold(Reason.of("one_kind_of_core", metric=transfer))
    pair = [[m for m in side.of(metric) if _place(m) == place] for metric in (computing, transfer)]
    for metric, measured in zip((computing, transfer), pair, strict=True):
        doubt = _doubt(side, measured, metric)
        if doubt is None and measured[0].basis != "time-weighted":
            doubt = Reason.of("not_time_weighted", metric=metric)
        if doubt is not None:
            return untold(doubt)
    (first,), (second,) = pair[0][:1], pair[1][:1]
    values = _exact(first), _exact(second)
    if values[0] == values[1]:
        verdict, code = "cannot be told", "pipes_tied"
    elif values[0] > values[1]:
        verdict, code = "compute bound", "computes_longer"
    else:
        verdict, code = "transfer bound", "transfers_longer"
    return InsideCore(
        core=core,
        verdict=verdict,  # type: ignore[arg-type]
        computing=_ground(first),
        transfer=_ground(second),
        reason=Reason.of(code),
    )


def _low_load(inside: Sequence[InsideCore], limit: Limit) -> Reason | None:
    """Why no bound shows; None when one does."""
    grounds = [ground for core in inside for ground in (core.computing, core.transfer) if ground is not None]
    values = [Fraction(ground.value.value) for ground in grounds if isinstance(ground.value, Quantity)]
    if values and all(_HOLDS[limit.bound.relation](value, limit.bound.value) for value in values):
        return Reason.of("every_pipe_within_limit")
    if all(core.verdict == "cannot be told" for core in inside):
        return Reason.of("nothing_told_inside")
    return None
