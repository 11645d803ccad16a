"""Were both sides taken alike? Proved fact by fact; nothing is the same until shown to be (law 1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from reportgen.comparability import alone
from reportgen.comparability import facts as beyond
from reportgen.comparability.facts import Check, rank_pairs
from reportgen.comparability.settings import Permissions, compare_pair, file_pairs, gather, recorded_ids
from reportgen.comparability.workload import compare_workload, workload_checks
from reportgen.frames import Capture
from reportgen.grades import Grades
from reportgen.model import (
    CaptureFacts,
    Comparability,
    Difference,
    Exclusion,
    PairStanding,
    Reason,
    Standing,
    Target,
)

__all__ = ["Permissions", "alone", "compare", "permissions", "rank_pairs", "weight", "with_facts", "workload_checks"]

WEIGHT = {
    Standing.BLOCKING: 0,
    Standing.UNKNOWN: 1,
    Standing.BIAS: 2,
    Standing.DECLARED: 3,
    Standing.ALLOWED: 4,
    Standing.SAME: 5,
    Standing.IDENTITY: 6,
}


def permissions(target: Target | None, allowed: dict[str, str] | None = None) -> Permissions:
    """What target and command line let differ and vouch for.

    Args:
        target: None without one.
        allowed: KEY -> REASON of ``--allow``.
    """
    allow = {key: Reason.of("allowed_by_option", key=key, why=why) for key, why in (allowed or {}).items()}
    declare: dict[str, Reason] = {}
    if target is not None:
        for key in target.allowed():
            allow.setdefault(key, Reason.of("allowed_by_target", key=key))
        for item in target.declared:
            declare[item.key] = Reason.of(
                "declared_by", key=item.key, value=item.value, signer=item.signer, role=item.role, date=item.date
            )
    return Permissions(allowed=allow, declared=declare)


def compare(
    before: Capture,
    after: Capture,
    grades: Grades,
    granted: Permissions,
    *,
    target: Target | None = None,
    checks: Iterable[Check] = (),
    exclusions: Iterable[Exclusion] = (),
) -> Comparability:
    """Every compared fact of a pair and the standing they give it.

    Args:
        before, after: the captures.
        grades: the graded settings.
        granted: what may differ and what is declared.
        target: for the agreed number of ranks; None without one.
        checks: the cross-checks of the kernel tables' rows.
        exclusions: the kernels left out by name, of both sides.

    Returns:
        Differences sorted heaviest first, then by key.
    """
    checks = tuple(checks)
    b, a = before.facts, after.facts
    pairs = rank_pairs(b, a)
    ranks = _settings_ranks(b, a, pairs)
    seen = [one for pair in file_pairs(b, a, ranks) for one in compare_pair(pair, grades, granted)]
    found = gather(seen)
    found.append(beyond.producers(b, a))
    found.append(beyond.ranks(b, a, granted))
    found += beyond.missing_kinds(b, a, ranks, grades, granted)
    found += beyond.never_recorded(b, a, recorded_ids(seen), grades, granted)
    for one in (
        beyond.same_capture(b, a),
        beyond.chip(b, a, granted),
        beyond.step_counts(b, a),
        beyond.order_of_time(b, a),
        beyond.signed_late(a, target),
        *(beyond.ranks_complete(f, target, granted) for f in (b, a)),
        *(beyond.unwitnessed(f.side, checks, len(f.ranks)) for f in (b, a)),
    ):
        if one is not None:
            found.append(one)
    for side in (b, a):
        found += beyond.steps(side, granted)
        found += beyond.health(side)
    found += beyond.sampled_peaks(granted)
    found += beyond.excluded(exclusions, (b, a), granted)
    found += beyond.rows(checks, beyond.doubtful((before, after), checks))
    match = None
    if pairs:
        match, workload = compare_workload(before, after, pairs, granted)
        found.append(workload)
    ordered = tuple(sorted(found, key=weight))
    return Comparability(standing=_standing(ordered), differences=ordered, workload=match)


def with_facts(shown: Comparability, more: Iterable[Difference]) -> Comparability:
    """A standing with further compared facts that block nothing of the pair, as those of runs outside the profile."""
    ordered = tuple(sorted((*shown.differences, *more), key=weight))
    standing = shown.standing
    if standing is PairStanding.COMPARABLE and any(
        one.standing not in (Standing.SAME, Standing.IDENTITY) for one in ordered
    ):
        standing = PairStanding.WITH_RESERVATIONS
    return replace(shown, standing=standing, differences=ordered)


def _settings_ranks(
    b: CaptureFacts, a: CaptureFacts, pairs: list[tuple[int, int]]
) -> list[tuple[int | None, int | None]]:
    """The ranks whose configuration files are compared; PROF directories record theirs under rank None."""
    found: list[tuple[int | None, int | None]] = []
    held = [{f.rank for f in side.settings_files} for side in (b, a)]
    for i, j in pairs:
        left, right = b.ranks[i].rank, a.ranks[j].rank
        one = (left if left in held[0] else None, right if right in held[1] else None)
        if one not in found:
            found.append(one)
    return found or [(None, None)]


def weight(difference: Difference) -> tuple[int, int, int, str, str]:
    """The order of differences: heaviest first, then by key."""
    return (
        WEIGHT[difference.standing],
        0 if difference.blocks_all else 1,
        0 if difference.families else 1,
        difference.key,
        difference.place,
    )


def _standing(differences: tuple[Difference, ...]) -> PairStanding:
    if any(d.blocks_all and d.standing is Standing.BLOCKING for d in differences):
        return PairStanding.NOT_COMPARABLE
    if any(d.blocks_all for d in differences):
        return PairStanding.CANNOT_BE_SHOWN
    if any(d.standing not in (Standing.SAME, Standing.IDENTITY) for d in differences):
        return PairStanding.WITH_RESERVATIONS
    return PairStanding.COMPARABLE
