"""Which rows the report holds, in which order, and that every number reaches its origin (law 3)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from report.sample_report import (
    KEPT,
    STEPS,
    VARIANTS,
    Variant,
    digest,
    goal,
    ns,
    one,
    operators,
    sample_evaluation,
    sample_report,
)
from report.walk import every_number_reaches_an_origin
from reportgen.judge import _operator_row
from reportgen.model import (
    Evaluation,
    ExternalValue,
    FileRecord,
    Judgement,
    Missing,
    MissingKind,
    Origin,
    Outcome,
    Quantity,
    Reason,
    Side,
    Standing,
    VerdictWord,
)
from reportgen.report import wording
from reportgen.report.build import HEADLINES, build, headlines
from reportgen.report.document import MetricRow, Number, Report


def built(evaluation: Evaluation) -> Report:
    return build(evaluation, tool_version="0.0.0")


def row(report: Report, metric: str, rank: int = 0, part: str = "") -> MetricRow:
    return next(r for r in report.metrics if (r.metric, r.rank, r.part) == (metric, rank, part))


def value(number: object) -> int | Fraction:
    assert isinstance(number, Number)
    return number.quantity.value


# ------------------------------------------------------------------------------------------------ law 3
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_number_reaches_an_origin(variant: Variant) -> None:
    assert every_number_reaches_an_origin(sample_report(variant)) > 500


def test_a_number_without_an_origin_cannot_be_built() -> None:
    evaluation = sample_evaluation()
    first = evaluation.comparisons[0]
    assert first.after is not None
    bare = replace(first, after=replace(first.after, origins=()))
    with pytest.raises(ValueError, match="without an origin: 160400000 ns"):
        built(replace(evaluation, comparisons=(bare, *evaluation.comparisons[1:])))


def test_origins_are_numbered_once_each_in_the_order_of_their_first_use() -> None:
    report = sample_report()
    assert [o.id for o in report.origins] == [f"O{n}" for n in range(1, len(report.origins) + 1)]
    assert len({o.origin for o in report.origins}) == len(report.origins)
    used = [goal.before for goal in report.goals][:1]
    assert isinstance(used[0], Number)
    assert used[0].origins == ("O1",)  # the first number of the first goal


def test_a_computed_number_comes_from_both_sides() -> None:
    step = row(sample_report(), "step_time")
    assert isinstance(step.delta, Number)
    assert isinstance(step.before.value, Number)
    assert isinstance(step.after.value, Number)
    assert step.delta.origins == (*step.before.value.origins, *step.after.value.origins)


def test_limits_bands_and_the_confidence_level_name_the_file_that_sets_them() -> None:
    report = sample_report()
    origins = {o.id: o.origin for o in report.origins}
    limit = origins[report.goals[0].limit.origins[0]]
    assert (limit.file, limit.locator) == ("target.toml", "cases[0].goals[0].limit")
    band = report.thresholds[0].bands[1].low
    assert band is not None
    assert origins[band.origins[0]] == Origin(
        file="evidence/rules/fsdp2.toml",
        digest=digest("evidence/rules/fsdp2.toml"),
        locator="fsdp2-free-time.band[1].low",
        formula="as written",
    )
    interval = report.goals[0].interval
    assert interval is not None
    level = origins[interval.level.origins[0]]
    assert (level.file, level.locator) == ("evidence/choices.toml", "confidence_level")
    assert level.digest == digest("evidence/choices.toml")
    assert value(interval.level) == Fraction(19, 20)


def test_the_same_evaluation_gives_the_same_report() -> None:
    assert built(sample_evaluation()) == built(sample_evaluation())


# ------------------------------------------------------------------------------------------------ metrics
def test_rows_are_numbered_in_the_order_of_the_comparisons() -> None:
    evaluation = sample_evaluation()
    report = built(evaluation)
    assert [r.id for r in report.metrics] == [f"M{n}" for n in range(1, len(evaluation.comparisons) + 1)]
    assert [(r.metric, r.rank) for r in report.metrics] == [
        (c.metric, c.dimensions.rank) for c in evaluation.comparisons
    ]


def test_the_means_of_the_parts_add_up_to_the_mean_step() -> None:
    report = sample_report()
    parts = [row(report, name).after.mean for name in ("computing", "communication_not_overlapped", "free")]
    assert sum((Fraction(value(part)) for part in parts), Fraction(0)) == value(row(report, "step_time").after.mean)


def test_the_sample_keeps_its_step_ids_and_the_last_step_is_not_in_it() -> None:
    after = row(sample_report(), "step_time").after
    assert after.labels == KEPT == STEPS[:-1]
    assert len(after.sample) == len(KEPT)


def test_a_count_has_no_mean_of_a_sample() -> None:
    mean = row(sample_report(), "kernel_count_per_step").after.mean
    assert isinstance(mean, Missing)
    assert (mean.kind, mean.reason.code) == (MissingKind.NOT_APPLICABLE, "no_sample")


def test_a_side_without_the_component_is_missing_not_zero() -> None:
    evaluation = sample_evaluation("no_target")
    last = replace(evaluation.comparisons[-1], before=None)
    report = built(replace(evaluation, comparisons=(*evaluation.comparisons[:-1], last)))
    before = report.metrics[-1].before.value
    assert isinstance(before, Missing)
    assert before.reason.code == "part_not_on_this_side"


def test_page_one_shows_the_goals_first_then_the_rest_each_on_its_worst_rank() -> None:
    shown = headlines(sample_report())
    assert [(r.metric, r.rank) for r in shown] == [
        ("step_time", 0), ("kernel_count_per_step", 0), ("peak_reserved", 0), ("free_share", 0)]  # fmt: skip
    assert [choice[0] for choice in HEADLINES] == [r.metric for r in shown]
    assert all(r.worst for r in shown)


def test_without_a_target_the_worst_rank_is_that_of_the_largest_after() -> None:
    evaluation = sample_evaluation("no_target")
    slow = evaluation.comparisons[1]
    assert slow.after is not None
    slow = replace(slow, after=replace(slow.after, summary=ns(171_000_000)))
    report = built(replace(evaluation, comparisons=(evaluation.comparisons[0], slow, *evaluation.comparisons[2:])))
    assert [r.rank for r in report.metrics if r.metric == "step_time" and r.worst] == [1]
    assert headlines(report)[0].rank == 1


def test_where_more_is_better_the_worst_rank_is_that_of_the_smallest_after() -> None:
    evaluation = sample_evaluation("no_target")
    metrics = tuple(replace(m, better="higher") if m.id == "step_time" else m for m in evaluation.metrics)
    report = built(replace(evaluation, metrics=metrics))
    assert [r.rank for r in report.metrics if r.metric == "step_time" and r.worst] == [1]  # 159.9 against 160.4 ms


def test_without_steps_page_one_shows_the_device_span() -> None:
    evaluation = sample_evaluation("no_target")
    metrics = (replace(evaluation.metrics[0], id="device_span"), *evaluation.metrics[1:])
    rows = tuple(replace(c, metric="device_span") if c.metric == "step_time" else c for c in evaluation.comparisons)
    assert headlines(built(replace(evaluation, metrics=metrics, comparisons=rows)))[0].metric == "device_span"


# ------------------------------------------------------------------------------------------------ goals and verdict
CASES: list[tuple[Variant, VerdictWord, str, tuple[int, int, int]]] = [
    ("met", VerdictWord.MET, "G1", (3, 0, 0)),
    ("not_met", VerdictWord.NOT_MET, "G1", (2, 1, 0)),
    ("undecided", VerdictWord.UNDECIDED, "G1", (2, 0, 1)),
    ("not_comparable", VerdictWord.NOT_COMPARABLE, "G1", (0, 0, 3)),
]


@pytest.mark.parametrize(("variant", "word", "lead", "counts"), CASES)
def test_the_verdict_counts_its_goals(
    variant: Variant, word: VerdictWord, lead: str, counts: tuple[int, int, int]
) -> None:
    verdict = sample_report(variant).verdict
    assert verdict is not None
    assert (verdict.word, verdict.lead) == (word, lead)
    assert (verdict.met, verdict.not_met, verdict.undecided) == counts
    assert verdict.goals == 3
    assert verdict.declarations == 1  # TASK_QUEUE_ENABLE
    assert verdict.reservations == 5 + 1  # compared facts, and one peak that nothing witnesses


def test_a_goal_that_repeats_the_sentence_of_a_compared_fact_adds_no_reservation() -> None:
    evaluation = sample_evaluation("met")
    assert evaluation.verdict is not None
    first, *others = evaluation.verdict.judgements
    fact = evaluation.comparability.reservations()[0]
    again = replace(first, reservations=(*first.reservations, fact.reason))
    report = built(replace(evaluation, verdict=replace(evaluation.verdict, judgements=(again, *others))))
    assert report.verdict is not None
    assert report.verdict.reservations == 5 + 1  # as without it
    goal = next(goal for goal in report.goals if goal.id == first.goal.id)
    assert fact.reason in goal.reservations
    assert wording.say(fact.reason, "en").rstrip(".") not in wording.goal_reservations(report, "en")


def test_a_goal_points_to_its_row_and_carries_both_values() -> None:
    step = sample_report().goals[0]
    assert (step.metric_row, step.rank, step.captures, step.values, step.basis) == ("M1", 0, 1, 9, "step window")
    assert (value(step.before), value(step.after), value(step.delta)) == (230_100_000, 160_400_000, -69_700_000)
    assert value(step.change) == Fraction(-697, 2301)
    assert step.margin is not None
    assert step.interval is not None
    assert Fraction(step.margin.quantity.value) == 170_000_000 - Fraction(value(step.interval.high))


def test_a_goal_on_an_operator_type_has_values_and_no_metric_row() -> None:
    evaluation = sample_evaluation()
    assert evaluation.verdict is not None
    change = next(o for o in operators() if o.type == "Mul" and o.dimensions.rank == 0)
    comparison = _operator_row(change, "kernel_call")
    assert comparison.after is not None
    judged = Judgement(
        case="C1", goal=goal(4, "kernel_call", ns(9_000), "Mul"), outcome=Outcome.MET, comparison=comparison,
        value=ns(8_900), interval=None, margin=ns(100), reason=Reason.of("within_limit"),
        origins=comparison.after.origins,
    )  # fmt: skip
    verdict = replace(evaluation.verdict, judgements=(*evaluation.verdict.judgements, judged))
    report = built(replace(evaluation, verdict=verdict))
    last = report.goals[-1]
    assert (last.metric_row, value(last.before), value(last.after)) == ("", 9_400, 8_900)
    every_number_reaches_an_origin(report)


def outside(side: Side, text: str, number: int) -> ExternalValue:
    """A latency measured by a client."""
    return ExternalValue(
        side=side, metric="latency", kind="ttft", statistic="p90", conditions="并发 16",
        value=Quantity(value=number, unit="ns", written=text), locator="summary.ttft_p90",
        file=FileRecord(path=f"results/{side}.json", size=812, digest=digest(f"results/{side}.json")),
        origin=Origin(file="target.toml", digest=digest("target.toml"), locator=f"case[0].external[{side}].value",
                      formula="as written"),
    )  # fmt: skip


def with_outside(*sides: ExternalValue) -> Evaluation:
    """The sample with one more goal, on a latency measured outside the profile."""
    evaluation = sample_evaluation()
    assert evaluation.target is not None
    assert evaluation.verdict is not None
    wanted = replace(goal(4, "latency", Quantity(value=30_000_000, unit="ns", written="30 ms"), statistic="p90"),
                     kind="ttft")  # fmt: skip
    case = replace(evaluation.target.cases[0], external=sides, goals=(*evaluation.target.cases[0].goals, wanted))
    after = next((s for s in sides if s.side is Side.AFTER), None)
    judged = Judgement(
        case="C1", goal=wanted, outcome=Outcome.MET if after else Outcome.UNDECIDED, comparison=None, interval=None,
        value=after.value if after else Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of(
            "no_external_value", metric="latency", side="after", kind="ttft", statistic="p90")),
        margin=ns(900_000) if after else None,
        reason=Reason.of("within_limit") if after else Reason.of("no_external_value", metric="latency", side="after"),
        reservations=(Reason.of("hand_typed"),) if after else (), measured_outside=True,
        origins=(after.origin,) if after else (),
    )  # fmt: skip
    verdict = replace(evaluation.verdict, judgements=(*evaluation.verdict.judgements, judged))
    return replace(evaluation, target=replace(evaluation.target, cases=(case,)), verdict=verdict)


def test_values_measured_outside_are_compared_and_name_the_target_and_their_file() -> None:
    report = built(with_outside(outside(Side.BEFORE, "40 ms", 40_000_000), outside(Side.AFTER, "29.1 ms", 29_100_000)))
    last = report.goals[-1]
    assert (value(last.delta), value(last.change)) == (-10_900_000, Fraction(-109, 400))
    assert (last.metric_row, last.captures, last.exact, last.measured_outside) == ("", 0, False, True)
    assert isinstance(last.before, Number)
    files = {o.id: o.origin.file for o in report.origins}
    assert [files[identity] for identity in last.before.origins] == ["target.toml", "results/before.json"]
    assert [f.path for f in report.manifest if f.path.startswith("results/")] == [
        "results/before.json", "results/after.json"]  # fmt: skip
    every_number_reaches_an_origin(report)


def test_a_side_without_a_typed_value_is_missing_and_nothing_is_subtracted() -> None:
    last = built(with_outside(outside(Side.AFTER, "29.1 ms", 29_100_000))).goals[-1]
    assert isinstance(last.before, Missing)
    assert last.before.reason == Reason.of("no_external_value", metric="latency", side="before")
    assert isinstance(last.delta, Missing)


def test_only_declarations_that_a_reservation_rests_on_are_used() -> None:
    evaluation = sample_evaluation()
    assert evaluation.target is not None
    idle = replace(evaluation.target.declared[0], key="chip")
    report = built(replace(evaluation, target=replace(evaluation.target, declared=(*evaluation.target.declared, idle))))
    assert report.contract is not None
    assert [(d.key, d.used) for d in report.contract.declared] == [("TASK_QUEUE_ENABLE", True), ("chip", False)]


# ------------------------------------------------------------------------------------------------ comparability
def test_facts_are_counted_and_parted() -> None:
    block = sample_report("not_comparable").comparability
    assert [standing for standing, _ in block.counts] == [
        Standing.SAME, Standing.ALLOWED, Standing.DECLARED, Standing.BIAS, Standing.BLOCKING, Standing.UNKNOWN,
        Standing.IDENTITY]  # fmt: skip
    assert [count for _, count in block.counts] == [14, 1, 1, 2, 1, 1, 1]
    assert block.rows[0].key == "batch_size"
    assert len(block.rows) == 6
    assert {r.standing for r in block.equal} == {Standing.SAME}


def test_a_fact_that_neither_side_holds_has_no_origin() -> None:
    report = sample_report()
    assert next(r for r in report.comparability.rows if r.key == "TASK_QUEUE_ENABLE").origins == ()
    assert next(r for r in report.comparability.rows if r.key == "schedule.skip_first").origins


def test_an_unknown_share_of_the_workload_is_missing() -> None:
    evaluation = sample_evaluation()
    assert evaluation.comparability.workload is not None
    silent = replace(evaluation.comparability.workload, matched_share_before=None)
    report = built(replace(evaluation, comparability=replace(evaluation.comparability, workload=silent)))
    assert report.comparability.workload is not None
    assert isinstance(report.comparability.workload.matched_before, Missing)


# ------------------------------------------------------------------------------------------------ gaps
def test_gaps_stand_in_four_groups() -> None:
    gaps = [(gap.group, gap.id) for gap in sample_report().gaps]
    assert gaps == [
        ("not_given", "general-target"),
        ("not_given", "unhidden-10-20"),
        ("not_recorded", "metric:peak_allocated:APP:before+after"),
        ("not_recorded", "metric:module_peak_reserved::before+after"),
        ("not_recorded", "setting:cann_version"),
        ("not_measured", "outside:accuracy"),
        ("not_measured", "outside:step_time"),
        ("not_measured", "outside:latency"),
        ("not_measured", "outside:qps"),
        ("not_measured", "outside:throughput"),
        ("not_shown", "causation"),
        ("not_shown", "only_listed_captures"),
    ]


def test_what_the_target_gives_is_not_a_gap() -> None:
    gaps = [gap.id for gap in built(with_outside(outside(Side.AFTER, "29.1 ms", 29_100_000))).gaps]
    assert "outside:latency" not in gaps
    assert "outside:qps" in gaps


def test_what_does_not_exist_is_no_gap() -> None:
    evaluation = sample_evaluation("no_target")
    nothing = Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of("single_kernel_shares"))
    first = evaluation.comparisons[0]
    assert first.after is not None
    rows = (replace(first, after=replace(first.after, summary=nothing)), *evaluation.comparisons[1:])
    assert not [g for g in built(replace(evaluation, comparisons=rows)).gaps if g.id.startswith("metric:step_time")]


# ------------------------------------------------------------------------------------------------ captures, manifest
def test_facts_of_a_capture_are_as_recorded() -> None:
    before, after = sample_report().captures
    assert before.facts == (
        ("chip", "5"),
        ("ai_core_num", "24"),
        ("aiv_num", "48"),
        ("aic_frequency", "1800"),
        ("driver", "467992"),
        ("cann", ""),
        ("torch_npu", "2.7.1"),
        ("level", "Level1"),
        ("aic_metrics", "ACL_AICORE_PIPE_UTILIZATION"),
        ("export_type", ""),
        ("schedule", "wait 0, warmup 1, active 10, repeat 1, skip_first 20"),
        ("ranks", "0, 1"),
    )
    assert dict(after.facts)["cann"] == "8.3.RC1"


def test_ranks_that_record_different_values_show_both() -> None:
    evaluation = sample_evaluation()
    facts = evaluation.before[0]
    last = facts.settings_files[-1]
    changed = replace(last, kind="info.json", values=(("DeviceInfo.[].ai_core_num", "20"),))
    report = built(replace(evaluation, before=(replace(facts, settings_files=(*facts.settings_files, changed)),)))
    assert dict(report.captures[0].facts)["ai_core_num"] == "24 / 20"


def test_times_of_a_rank_are_utc_to_the_second() -> None:
    rank = sample_report().captures[0].ranks[1]
    assert (rank.started, rank.ended) == ("2026-10-20T10:00:01Z", "2026-10-20T10:00:41Z")


def test_the_digest_of_a_capture_is_that_of_its_sorted_list_of_files() -> None:
    evaluation = sample_evaluation()
    files = evaluation.before[0].files
    lines = sorted(f"{file.digest}  {file.path}\n" for file in files)
    assert built(evaluation).captures[0].digest == digest("".join(lines))
    turned = replace(evaluation.before[0], files=tuple(reversed(files)))
    assert built(replace(evaluation, before=(turned,))).captures[0].digest == digest("".join(lines))


def test_the_manifest_lists_every_file_once() -> None:
    evaluation = sample_evaluation()
    manifest = built(evaluation).manifest
    assert len(manifest) == len(evaluation.before[0].files) + len(evaluation.after[0].files) + 2 + 6
    assert [f.path for f in manifest if not f.side] == [
        "target.toml", "note.md", "evidence/choices.toml", "evidence/settings.toml", "evidence/sources.toml",
        "evidence/thresholds.toml", "evidence/unspecified.toml", "evidence/rules/fsdp2.toml"]  # fmt: skip
    assert len({(f.side, f.path) for f in manifest}) == len(manifest)


def test_of_several_captures_on_a_side_each_file_names_its_capture() -> None:
    evaluation = sample_evaluation("no_target")
    second = replace(evaluation.before[0], name="run2")
    manifest = built(replace(evaluation, before=(evaluation.before[0], second))).manifest
    assert {f.path.split("/")[0] for f in manifest if f.side == "before"} == {"before", "run2"}


# ------------------------------------------------------------------------------------------------ operators, rules
def test_operators_keep_their_order_and_show_what_a_step_holds() -> None:
    report = sample_report()
    assert [(r.id, r.type, r.rank) for r in report.operators[:3]] == [
        ("K1", "Mul", 0), ("K2", "Mul", 1), ("K3", "ReduceMean", 0)]  # fmt: skip
    mul = report.operators[0]
    assert mul.before is not None
    assert (value(mul.before.calls), value(mul.before.calls_per_step)) == (10_320, 1_032)
    assert value(mul.before.total_per_step) == 1_032 * 9_400
    assert value(mul.call_change) == Fraction(8_900, 9_400) - 1


def test_an_added_operator_has_no_before_and_no_change_of_a_call() -> None:
    added = next(r for r in sample_report().operators if r.change == "added")
    assert added.before is None
    assert isinstance(added.call_change, Missing)
    assert added.reason.code == "operator_added"


def test_sources_are_those_that_a_rule_or_a_gap_cites() -> None:
    evaluation = sample_evaluation()
    catalogue = evaluation.catalogue
    spare = replace(catalogue.sources[0], id="not-cited")
    report = built(replace(evaluation, catalogue=replace(catalogue, sources=(*catalogue.sources, spare))))
    assert [s.id for s in report.sources] == ["fsdp2-free", "fsdp2-unhidden"]


def test_without_a_target_there_is_no_contract_no_verdict_and_no_rule() -> None:
    report = sample_report("no_target")
    empty: tuple[Any, ...] = (report.contract, report.verdict, report.goals, report.thresholds, report.note)
    assert empty == (None, None, (), (), "")


def test_counts_of_the_sample_are_exact() -> None:
    assert value(row(sample_report(), "kernel_count_per_step").delta) == one(3956 - 4812).value
