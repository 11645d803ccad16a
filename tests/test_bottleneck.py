"""The main bottleneck, branch by branch: shares made up by hand, the kind and how it was decided.

Expected answers follow docs/bottleneck.md; the bands are those of the vendor's guide: free needs attention from 3 %,
communication not overlapped above 20 %, no statement above 10 %.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import pytest

from reportgen import resources
from reportgen.bottleneck import Limit, find_bottlenecks, limit_without_bound
from reportgen.catalogue import read_catalogue
from reportgen.model import (
    Applicability,
    Bottleneck,
    Bottlenecks,
    Comparability,
    Comparison,
    Difference,
    Dimensions,
    Family,
    Held,
    Measurement,
    Missing,
    MissingKind,
    Origin,
    PairStanding,
    Quantity,
    Reason,
    Side,
    Standing,
    ThresholdJudgement,
    Witness,
)
from tests.report.sample_report import capture, catalogue, sample_evaluation

ORIGIN = Origin(file="before/kernel_details.csv", digest="0" * 64, locator="x", formula="x")
PERCENT = Fraction(1, 100)
FAILED = Witness(
    name="rows",
    agrees=False,
    found=Quantity(value=1, unit="1"),
    expected=Quantity(value=2, unit="1"),
    tolerance=Quantity(value=0, unit="1"),
    origins=(ORIGIN,),
)
GONE = Missing(kind=MissingKind.NOT_COLLECTED, reason=Reason.of("pmu_not_collected"))
SILENT = Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("no_communication_rows"))
Value = Fraction | Missing
PIPES = ("aic_mac_ratio", "aic_mte2_ratio", "aiv_vec_ratio", "aiv_mte2_ratio")


@dataclass(frozen=True, kw_only=True)
class Job:
    """One side: shares in percent, pipes in percent."""

    shares: tuple[float | Missing, float | Missing, float | Missing] = (90, 8, 2)
    """Computing, communication not overlapped, free."""
    pipes: tuple[float | Missing, ...] = (60, 40, 20, 50)
    """MAC, MTE2 of cube, VEC, MTE2 of vector."""
    basis: str = "time-weighted"
    span: int = 100
    """Step time."""
    failed: str = ""
    """A metric whose cross-check fails."""


def value(text: float | Missing) -> Value:
    return text if isinstance(text, Missing) else Fraction(str(text)) * PERCENT


def measured(side: Side, rank: int, metric: str, what: Value | int, basis: str, failed: str) -> Measurement:
    summary = what if isinstance(what, Missing) else Quantity(value=Fraction(what), unit="1")
    return Measurement(
        metric=metric,
        side=side,
        dimensions=Dimensions(rank=rank, device=rank),
        summary=summary,
        basis=basis,
        witnesses=(FAILED,) if failed == metric else (),
        origins=(ORIGIN,),
    )


def of(side: Side, rank: int, job: Job) -> list[Measurement]:
    names = ("computing_share", "communication_not_overlapped_share", "free_share")
    found = [measured(side, rank, "step_time", job.span, "", job.failed)]
    found += [measured(side, rank, n, value(v), "", job.failed) for n, v in zip(names, job.shares, strict=True)]
    return found + [
        measured(side, rank, n, value(v), job.basis, job.failed) for n, v in zip(PIPES, job.pipes, strict=True)
    ]


def rows(before: tuple[Job, ...], after: tuple[Job, ...]) -> tuple[Comparison, ...]:
    none = Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of("before_zero"))
    return tuple(
        Comparison(
            metric=b.metric,
            dimensions=b.dimensions,
            before=b,
            after=a,
            delta=none,
            change=none,
            estimate=None,
            interval=None,
            distinguishable="cannot be known",
            reason=Reason.of("one_value_each"),
        )
        for rank, (one, other) in enumerate(zip(before, after, strict=True))
        for b, a in zip(of(Side.BEFORE, rank, one), of(Side.AFTER, rank, other), strict=True)
    )


def judged(
    applicability: Applicability, reason: str, compared: tuple[Comparison, ...]
) -> tuple[ThresholdJudgement, ...]:
    """Both rules of the guide with the bands they print, each on its worst rank."""
    found = []
    for rule in catalogue().thresholds:
        worst = []
        for side in ("before", "after"):
            held = [getattr(row, side) for row in compared if row.metric == rule.metric]
            known = [one for one in held if isinstance(one.summary, Quantity)]
            worst.append(max(known, key=lambda one: one.summary.value, default=held[0]))
        applies = applicability is Applicability.APPLIES
        bands = [
            next((b.id for b in rule.bands if isinstance(w.summary, Quantity) and b.holds(w.summary.value)), "")
            for w in worst
        ]
        found.append(
            ThresholdJudgement(
                threshold=rule,
                applicability=applicability,
                reasons=(Reason.of(reason),),
                before=worst[0].summary if applies else None,
                after=worst[1].summary if applies else None,
                band_before=bands[0] if applies else "",
                band_after=bands[1] if applies else "",
                rank_before=0,
                rank_after=0,
            )
        )
    return tuple(found)


ALIKE = Comparability(standing=PairStanding.COMPARABLE, differences=(), workload=None)
LIMIT = limit_without_bound(read_catalogue(resources.evidence_dir()))


def told(
    before: tuple[Job, ...],
    after: tuple[Job, ...] | None = None,
    *,
    phase: str = "training",
    applicability: Applicability = Applicability.APPLIES,
    reason: str = "scope_matches",
    comparability: Comparability = ALIKE,
    waits: str = "none",
    limit: Limit = LIMIT,
) -> Bottlenecks:
    compared = rows(before, after or before)
    sides = [capture(Side.BEFORE), capture(Side.AFTER)]
    facts = [replace(one, ranks=tuple(replace(r, wait_events=waits) for r in one.ranks)) for one in sides]
    facts = [replace(one, ranks=tuple(replace(r, rank=n, device=n) for n, r in enumerate(one.ranks))) for one in facts]
    return find_bottlenecks(
        phase=phase,
        thresholds=judged(applicability, reason, compared),
        comparisons=compared,
        facts=(facts[0], facts[1]),
        comparability=comparability,
        limit=limit,
    )


def codes(side: Bottleneck) -> list[str]:
    return [reason.code for reason in side.reasons]


# ------------------------------------------------------------------------------------------- the guide's order
@pytest.mark.parametrize(
    ("shares", "kind", "by", "reasons"),
    [
        # both exceeded: free comes first, although communication is larger
        ((67, 30, 3), "free", "first rule exceeded", ["first_rule_exceeded"]),
        ((50, 10, 40), "free", "first rule exceeded", ["first_rule_exceeded"]),
        # free below 3 %, communication above 20 %
        ((77, 20.1, 2.9), "communication", "first rule exceeded", ["first_rule_exceeded"]),
        # 20 % itself is not yet "needs attention", 10 % itself still in the reference range
        ((78, 20, 2), "computing", "no limit exceeded", ["no_limit_exceeded", "share_in_no_statement"]),
        ((83, 15, 2), "computing", "no limit exceeded", ["no_limit_exceeded", "share_in_no_statement"]),
        ((88, 10, 2), "computing", "no limit exceeded", ["no_limit_exceeded"]),
    ],
)
def test_in_fsdp2_training_the_first_rule_exceeded(
    shares: tuple[float, float, float], kind: str, by: str, reasons: list[str]
) -> None:
    found = told((Job(shares=shares),)).before
    assert (found.kind, found.by, codes(found)) == (kind, by, reasons)
    assert [ground.metric for ground in found.grounds] == [
        "free_share",
        "communication_not_overlapped_share",
        "computing_share",
    ]
    assert all(ground.origins for ground in found.grounds)


def test_the_worst_rank_of_each_rule_is_looked_at() -> None:
    found = told((Job(shares=(90, 8, 2), span=200), Job(shares=(85, 8, 7)))).before
    assert found.kind == "free"
    assert [(g.metric, g.rank) for g in found.grounds] == [
        ("free_share", 1),
        ("communication_not_overlapped_share", 0),
        ("computing_share", 0),  # of the slowest rank
    ]


def test_what_a_rule_lacks_leaves_the_bottleneck_untold() -> None:
    found = told(
        (Job(shares=(50, 10, 40)),), applicability=Applicability.CANNOT_DECIDE, reason="checkpoint_steps_not_stated"
    )
    assert (found.before.kind, found.before.by, codes(found.before)) == (
        "none",
        "not told",
        ["checkpoint_steps_not_stated"],
    )
    assert found.moved == "cannot be known"


def test_a_failed_check_is_never_told() -> None:
    """A side of a pair that may not be compared is read for itself, and then its checks count."""
    job = Job(shares=(50, 10, 40), failed="communication_not_overlapped_share")
    found = told((job,), applicability=Applicability.CANNOT_DECIDE, reason="pair_not_comparable").before
    assert (found.kind, codes(found)) == ("none", ["check_failed"])


# ------------------------------------------------------------------------------------------- the largest share
def elsewhere(*before: Job, phase: str = "training", waits: str = "none") -> Bottleneck:
    return told(
        before, phase=phase, applicability=Applicability.DOES_NOT_APPLY, reason="framework_outside", waits=waits
    ).before


@pytest.mark.parametrize(
    ("shares", "kind", "code"),
    [
        ((50, 10, 40), "computing", "largest_share_no_limit"),
        ((40, 15, 45), "free", "largest_share_no_limit"),
        ((30, 60, 10), "communication", "largest_share_no_limit"),
        ((45, 10, 45), "none", "largest_share_tied"),
        ((90, SILENT, 10), "none", "no_communication_rows"),
    ],
)
def test_elsewhere_the_largest_share(shares: tuple[float, float | Missing, float], kind: str, code: str) -> None:
    found = elsewhere(Job(shares=shares))
    assert (found.kind, codes(found)) == (kind, [code])
    assert found.by == ("not told" if kind == "none" else "largest share")
    assert all(ground.band == "" for ground in found.grounds)


def test_of_several_ranks_the_slowest_is_looked_at() -> None:
    fast, slow = Job(shares=(90, 5, 5), span=100), Job(shares=(30, 60, 10), span=101)
    assert elsewhere(fast, slow).kind == "communication"
    assert {ground.rank for ground in elsewhere(fast, slow).grounds} == {1}
    # as slow as each other, and of different kinds
    assert codes(elsewhere(fast, replace(slow, span=100))) == ["largest_share_tied"]


def test_an_undecided_share_is_not_told() -> None:
    assert codes(elsewhere(Job(failed="free_share"))) == ["check_failed"]


@pytest.mark.parametrize(
    ("waits", "code"), [("found", "wait_events_found"), ("not searchable", "wait_events_not_searchable")]
)
def test_free_that_may_be_waiting_is_not_told(waits: str, code: str) -> None:
    assert codes(elsewhere(Job(), waits=waits)) == [code]


@pytest.mark.parametrize(
    ("phase", "code"),
    [
        ("serving", "shares_describe_the_load"),
        ("online inference", "shares_describe_the_load"),
        ("", "phase_unknown"),
    ],
)
def test_of_a_service_or_an_unknown_phase_nothing_is_named(phase: str, code: str) -> None:
    found = elsewhere(Job(), phase=phase)
    assert (found.kind, found.by, codes(found)) == ("none", "not told", [code])


def test_offline_inference_is_told_by_its_largest_share() -> None:
    assert elsewhere(Job(), phase="offline inference").kind == "computing"


# ------------------------------------------------------------------------------------------- inside computing
@pytest.mark.parametrize(
    ("job", "cube", "vector"),
    [
        (Job(pipes=(60, 40, 20, 50)), ("compute bound", "computes_longer"), ("transfer bound", "transfers_longer")),
        (Job(pipes=(40, 40, 50, 20)), ("cannot be told", "pipes_tied"), ("compute bound", "computes_longer")),
        (
            Job(basis="cycle-weighted"),
            ("cannot be told", "not_time_weighted"),
            ("cannot be told", "not_time_weighted"),
        ),
        (
            Job(pipes=(GONE,) * 4),
            ("cannot be told", "pmu_not_collected"),
            ("cannot be told", "pmu_not_collected"),
        ),
        (
            Job(failed="aic_mte2_ratio"),
            ("cannot be told", "check_failed"),
            ("transfer bound", "transfers_longer"),
        ),
    ],
)
def test_inside_computing_transfers_against_computing(job: Job, cube: tuple[str, str], vector: tuple[str, str]) -> None:
    found = told((job,)).before
    assert [(one.core, one.verdict, one.reason.code) for one in found.inside] == [
        ("cube", *cube),
        ("vector", *vector),
    ]


def test_only_computing_is_looked_into() -> None:
    assert told((Job(shares=(50, 10, 40)),)).before.inside == ()


@pytest.mark.parametrize(
    ("pipes", "low"),
    [
        ((80, 40, 20, 50), "every_pipe_within_limit"),  # 0.8 itself is not above
        ((80.1, 40, 20, 50), ""),
        ((GONE,) * 4, "nothing_told_inside"),
        ((90, 90, 85, 85), "nothing_told_inside"),  # both tied
    ],
)
def test_where_no_bound_shows_a_low_load_is_possible(pipes: tuple[float | Missing, ...], low: str) -> None:
    found = told((Job(pipes=pipes),)).before
    assert (found.low_load.code if found.low_load is not None else "") == low


def test_the_limit_is_that_of_the_catalogue() -> None:
    assert (LIMIT.bound.value, LIMIT.bound.written) == (Fraction(8, 10), "0.8")
    assert LIMIT.origin.file == "evidence/rules/advisor.toml"
    assert len(LIMIT.origin.digest) == 64
    lower = replace(LIMIT, bound=replace(LIMIT.bound, value=Fraction(1, 2)))
    assert told((Job(),)).before.low_load is not None
    assert told((Job(),), limit=lower).before.low_load is None


# ------------------------------------------------------------------------------------------- before and after
def blocked(standing: PairStanding, *families: Family) -> Comparability:
    difference = Difference(
        key="sample.level",
        spelling="prof_level",
        place="",
        before=Held(value="l0"),
        after=Held(value="l1"),
        standing=Standing.BLOCKING,
        blocks_all=not families,
        families=families,
        reason=Reason.of("setting_differs", key="prof_level"),
    )
    return Comparability(standing=standing, differences=(difference,), workload=None)


FREE, COMPUTES = Job(shares=(50, 10, 40)), Job(shares=(90, 8, 2))


@pytest.mark.parametrize(
    ("before", "after", "moved", "code"),
    [
        (FREE, COMPUTES, "yes", "bottleneck_moved"),
        (FREE, FREE, "no", "bottleneck_same"),
    ],
)
def test_moved_or_not(before: Job, after: Job, moved: str, code: str) -> None:
    found = told((before,), (after,))
    assert (found.moved, found.reason.code) == (moved, code)


@pytest.mark.parametrize(
    ("comparability", "code"),
    [
        (blocked(PairStanding.NOT_COMPARABLE), "pair_not_comparable"),
        (blocked(PairStanding.CANNOT_BE_SHOWN), "pair_cannot_be_shown"),
        (blocked(PairStanding.WITH_RESERVATIONS, Family.TIME), "family_blocked"),
    ],
)
def test_a_blocked_pair_is_told_side_by_side_and_its_move_is_not(comparability: Comparability, code: str) -> None:
    found = told(
        (FREE,), (COMPUTES,), applicability=Applicability.CANNOT_DECIDE, reason=code, comparability=comparability
    )
    assert (found.before.kind, found.after.kind) == ("free", "computing")
    assert (found.moved, found.reason.code) == ("cannot be known", code)


def test_without_any_rule_nothing_is_told() -> None:
    evaluation = sample_evaluation("no_target")
    found = find_bottlenecks(
        phase="training",
        thresholds=(),
        comparisons=evaluation.comparisons,
        facts=(evaluation.before[0], evaluation.after[0]),
        comparability=ALIKE,
        limit=LIMIT,
    )
    assert (found.before.kind, found.after.kind) == ("none", "none")
