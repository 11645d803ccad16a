"""Which rule applies to which job, against a table that was derived by reading the sources, not by running.

``applicability_expected.toml`` holds the letters and the reason of each; ``described_jobs`` holds the twelve jobs. The
property tests blank facts of those jobs: what is unknown never lets a rule apply.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from described_jobs import JOBS, write_job
from hypothesis import given, settings
from hypothesis import strategies as st

import reportgen.judge
from reportgen import applicability as rooms
from reportgen import resources, thresholds, vocabulary
from reportgen.applicability import NEEDS, Job
from reportgen.catalogue import read_catalogue
from reportgen.contract import read_target
from reportgen.grades import read_grades
from reportgen.model import Applicability, Reason, Threshold, ThresholdJudgement
from reportgen.pipeline import evaluate

EXPECTED = tomllib.loads((Path(__file__).parent / "applicability_expected.toml").read_text(encoding="utf-8"))
LETTERS = {
    Applicability.APPLIES: "A",
    Applicability.DOES_NOT_APPLY: "N",
    Applicability.CANNOT_DECIDE: "?",
    Applicability.NOT_ENFORCEABLE: "X",
}
RULES = read_catalogue(resources.evidence_dir()).thresholds
NAMES = list(JOBS)


@cache
def judged(name: str) -> tuple[Job, tuple[ThresholdJudgement, ...]]:
    """A job as the rules were held against it, and what came out."""
    seen: list[Job] = []
    real = reportgen.judge.judge_thresholds

    def watched(rules: Any, job: Job) -> Any:
        seen.append(job)
        return real(rules, job)

    with TemporaryDirectory() as root, pytest.MonkeyPatch.context() as patch:
        patch.setattr(reportgen.judge, "judge_thresholds", watched)
        before, after, target = write_job(Path(root), JOBS[name])
        verdict = evaluate(before, after, target=read_target(target)).verdict
    assert verdict is not None
    return seen[0], verdict.thresholds


# --------------------------------------------------------------------------------------------- the table
def test_the_table_is_of_every_rule_and_every_job() -> None:
    assert set(EXPECTED) == {rule.id for rule in RULES}
    assert {len(row["outcomes"]) for row in EXPECTED.values()} == {len(JOBS)}
    assert all(set(row["outcomes"]) <= set("AN?X") and row["why"].strip() for row in EXPECTED.values())


@pytest.mark.parametrize("name", NAMES)
def test_a_described_job_gets_the_answers_that_its_sources_give(name: str) -> None:
    column = NAMES.index(name)
    _, found = judged(name)
    answers = {one.threshold.id: LETTERS[one.applicability] for one in found}
    assert answers == {rule: row["outcomes"][column] for rule, row in EXPECTED.items()}


@pytest.mark.parametrize("name", NAMES)
def test_only_what_applies_has_values_and_every_answer_has_a_reason(name: str) -> None:
    for one in judged(name)[1]:
        applies = one.applicability is Applicability.APPLIES
        assert bool(one.before) == bool(one.after) == applies, one.threshold.id
        assert one.reasons, one.threshold.id
        assert bool(one.band_before) == (applies and one.threshold.reading == "bands"), one.threshold.id
        assert not applies or one.origins, one.threshold.id


def test_fsdp2_limits_never_touch_inference() -> None:
    for name in ("online-serving", "offline-om"):
        answers = {one.threshold.id: one for one in judged(name)[1]}
        for rule in ("fsdp2-free-time", "fsdp2-unhidden-communication"):
            assert answers[rule].applicability is Applicability.DOES_NOT_APPLY
            assert "phase_excluded" in {reason.code for reason in answers[rule].reasons}


# --------------------------------------------------------------------------------------------- unknown facts
@dataclass(frozen=True, slots=True)
class Fact:
    """Something that may be unknown: which rules rest on it, and how a job looks without it."""

    asked: Callable[[Threshold], bool]
    without: Callable[[Job], Job]


def _workload(**changes: object) -> Callable[[Job], Job]:
    def without(job: Job) -> Job:
        assert job.workload is not None
        return replace(job, workload=replace(job.workload, **changes))  # type: ignore[arg-type]

    return without


def _settings(*ids: str) -> Callable[[Job], Job]:
    spelled = read_grades().by_spelling

    def kept(kind: str, key: str) -> bool:
        row = spelled.get((kind, key))
        return row is None or row.id not in ids

    def without(job: Job) -> Job:
        facts = tuple(
            replace(
                side,
                settings_files=tuple(
                    replace(file, values=tuple((k, v) for k, v in file.values if kept(file.kind, k)))
                    for file in side.settings_files
                ),
            )
            for side in job.facts
        )
        return replace(job, facts=facts)  # type: ignore[arg-type]

    return without


def _ranks(**changes: object) -> Callable[[Job], Job]:
    def without(job: Job) -> Job:
        facts = tuple(replace(s, ranks=tuple(replace(r, **changes) for r in s.ranks)) for s in job.facts)  # type: ignore[arg-type]
        return replace(job, facts=facts)  # type: ignore[arg-type]

    return without


def _no_clock(job: Job) -> Job:
    return replace(job, comparisons=tuple(row for row in job.comparisons if row.metric != "ai_core_frequency"))


def _needs(*words: str) -> Callable[[Threshold], bool]:
    return lambda rule: bool({*words} & {*rule.needs})


FACTS = {
    "framework": Fact(lambda rule: bool(rule.frameworks), _workload(framework="")),
    "backend": Fact(lambda rule: bool(rule.backends), _workload(backend="")),
    "phase": Fact(lambda rule: bool(rule.phases or rule.excluded_phases), _workload(phase="")),
    "circumstances": Fact(lambda rule: bool(rule.circumstances), _workload(circumstances=())),
    "product": Fact(
        lambda rule: bool(rule.products or rule.excluded_products),
        lambda job: _settings("info.platform_version")(_workload(product="")(job)),
    ),
    "rated clock": Fact(lambda rule: rule.rated_clock is not None, _settings("info.aic_frequency")),
    "checkpoint steps": Fact(_needs("checkpoint_steps"), _workload(checkpoint_steps=None)),
    "steps": Fact(_needs("steps"), _ranks(steps=())),
    "wait events": Fact(_needs("no_wait_events"), _ranks(wait_events="not searchable", wait_source="")),
    "level": Fact(_needs("level1", "minimal_profiling"), _settings("profiler_info.profiler_level", "sample.level")),
    "metrics": Fact(_needs("pipe_utilization"), _settings("profiler_info.aic_metrics", "sample.ai_core_metrics")),
    "mode": Fact(_needs("task_based"), _settings("sample.ai_core_profiling_mode")),
    "cores and clock": Fact(_needs("cores_and_clock"), _settings("info.ai_core_num", "info.aic_frequency")),
    "chip's links": Fact(_needs("theoretical_bandwidth"), _settings("info.platform_version")),
    "clock samples": Fact(_needs("clock_samples", "clock_steady"), _no_clock),
}
"""Facts that a rule's scope may rest on. Those without an entry cannot be blanked: they are never known (operator
state, product version, link matrix) or are what the directories themselves are (ranks, layout)."""
NEVER_KNOWN = {"link_matrix", "operator_state", "product_version", "op_tool"}
DIRECTORIES = {"all_ranks", "alike", "db_capture", "gc_watched", "host_api", "several_ranks", "shapes", "torch_capture"}


def test_every_need_is_a_function_and_can_be_blanked_or_says_why_not() -> None:
    assert set(NEEDS) == set(vocabulary.Need.__args__)  # type: ignore[attr-defined]
    words = NEEDS.keys() - NEVER_KNOWN - DIRECTORIES
    probe = RULES[0]
    assert [w for w in words if not any(f.asked(replace(probe, needs=(w,))) for f in FACTS.values())] == []


@settings(max_examples=200, deadline=None)
@given(name=st.sampled_from(NAMES), blanked=st.sets(st.sampled_from(sorted(FACTS)), min_size=1))
def test_no_rule_applies_with_an_unknown_fact_of_its_scope(name: str, blanked: set[str]) -> None:
    job, before = judged(name)
    was = {one.threshold.id: one.applicability for one in before}
    for fact in blanked:
        job = FACTS[fact].without(job)
    for one in thresholds.judge_thresholds(RULES, job):
        rule = one.threshold
        asked = [fact for fact in blanked if FACTS[fact].asked(rule)]
        if one.applicability is Applicability.APPLIES:
            assert not asked, (rule.id, asked)
            # The layout alone shows PyTorch; only the statement of MindSpore stood against it.
            shown = name == "mindspore-training" and "torch_capture" in rule.needs
            assert shown or was[rule.id] is Applicability.APPLIES, rule.id


@pytest.mark.parametrize("word", sorted(NEVER_KNOWN - {"op_tool"}))
def test_what_no_reader_knows_is_unknown_in_every_job(word: str) -> None:
    rule = RULES[0]
    for name in NAMES:
        assert NEEDS[word](judged(name)[0], rule).standing is rooms.Standing.UNKNOWN


# --------------------------------------------------------------------------------------------- values, last
def test_a_value_at_a_limit_that_the_source_leaves_open_is_not_decided() -> None:
    # "within 10 %" in Chinese, "less than 10 %" in English: at exactly 10 % nothing is said.
    job, found = judged("megatron-training")
    rule = next(one.threshold for one in found if one.threshold.id == "guide-free-10")
    exact = rule.undecided_at[0]

    def moved(row: Any) -> Any:
        if row.metric != "free_share":
            return row
        held = [(side, getattr(row, side)) for side in ("before", "after")]
        return replace(row, **{side: replace(m, summary=replace(m.summary, value=exact)) for side, m in held if m})

    (answer,) = thresholds.judge_thresholds([rule], replace(job, comparisons=tuple(map(moved, job.comparisons))))
    assert answer.applicability is Applicability.CANNOT_DECIDE
    assert answer.reasons[0].code == "value_at_limit"
    assert answer.before is None


def test_two_rules_on_one_metric_are_two_rows() -> None:
    answers = {one.threshold.id: one for one in judged("fsdp2-training")[1]}
    fsdp2, guide = answers["fsdp2-free-time"], answers["guide-free-10"]
    assert fsdp2.before == guide.before
    assert (fsdp2.band_before, guide.band_before) == ("needs_attention", "ideal")  # the pair's free share is 8 to 10 %


def test_a_rule_that_follows_another_is_read_on_its_rank_or_not_at_all() -> None:
    # wait / (wait + transit) is 250 / 850 = 0.294 by plan: above 0.2 on both sides, so the other is read.
    answers = {one.threshold.id: one for one in judged("fsdp2-training")[1]}
    first, second = answers["msprof-wait-time-ratio"], answers["msprof-sync-ratio-before-transit"]
    assert (first.band_before, first.band_after) == ("communication-bottleneck", "communication-bottleneck")
    assert (second.rank_before, second.rank_after) == (first.rank_before, first.rank_after)
    quiet = replace(first, band_before="no-bottleneck-at-first-look")
    outcome, reasons = thresholds._followed(second.threshold.follows or ("", ""), quiet)
    assert outcome is Applicability.DOES_NOT_APPLY
    assert reasons == (Reason.of("first_rule_not_so", rule=first.threshold.id, band="communication-bottleneck"),)
