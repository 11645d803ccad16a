"""AFTER without a BEFORE: nothing is compared, and what AFTER itself lacks or contradicts stands all the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from reportgen.comparability import facts as beyond
from reportgen.comparability.facts import Check, doubtful
from reportgen.comparability.settings import Permissions
from reportgen.frames import Capture
from reportgen.grades import Grades
from reportgen.model import Comparability, Difference, Exclusion, PairStanding, Reason, Side, Standing, Target


def alone(
    capture: Capture,
    grades: Grades,
    granted: Permissions,
    *,
    target: Target | None = None,
    checks: Iterable[Check] = (),
    exclusions: Iterable[Exclusion] = (),
) -> tuple[Difference, ...]:
    """What a capture says against itself: ranks, steps, health, cross-checks, settings files that are not there.

    A settings file that is missing is a reservation: there is no side that it would have to be like.

    Args:
        capture: the capture.
        grades: the graded settings.
        granted: what is declared.
        target: for the agreed number of ranks and the date of signature; None without one.
        checks: the cross-checks of its kernel rows.
        exclusions: the kernels left out of it by name.
    """
    checks, facts = tuple(checks), capture.facts
    held = {file.rank for file in facts.settings_files}
    ranks = dict.fromkeys((r.rank, r.rank) for r in facts.ranks if r.rank in held) or {(None, None): None}
    found = [
        one
        for one in (
            beyond.signed_late(facts, target),
            beyond.ranks_complete(facts, target, granted),
            beyond.unwitnessed(facts.side, checks, len(facts.ranks)),
        )
        if one is not None
    ]
    known = beyond.ranks(facts, facts, granted)
    found += [known] if known.standing is not Standing.SAME else []
    found += [_of_one(one) for one in beyond.missing_kinds(facts, facts, ranks, grades, granted)]
    found += beyond.steps(facts, granted)
    found += beyond.health(facts)
    found += beyond.sampled_peaks(granted)
    found += beyond.excluded(exclusions, (facts,), granted)
    found += beyond.rows(checks, doubtful((capture,), checks))
    return tuple(found)


def _of_one(difference: Difference) -> Difference:
    """A settings file that neither of two sides has, as a reservation on AFTER."""
    reason = difference.reason
    if reason.code == "settings_file_missing":
        reason = Reason.of(reason.code, file=reason.arg("file"), side=Side.AFTER)
    return replace(difference, reason=reason, blocks_all=False)


def standing(differences: Iterable[Difference]) -> PairStanding:
    """How AFTER alone stands: to be judged, or not because its ranks or repeats do not stand for it."""
    return PairStanding.CANNOT_BE_SHOWN if any(d.blocks_all for d in differences) else PairStanding.AFTER_ALONE


def comparability(found: Iterable[Difference]) -> Comparability:
    """These differences, each once."""
    differences = tuple(dict.fromkeys(found))
    return Comparability(standing=standing(differences), differences=differences, workload=None)
