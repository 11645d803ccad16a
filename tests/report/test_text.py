"""What the command line prints: phrases that others search for, alignment, and nothing cut."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest

from report.sample_report import (
    LEVEL,
    RANKS,
    call_comparison,
    capture,
    compared,
    measured,
    measurements,
    ns,
    one,
    operator_change,
    operator_side,
    operators,
    sample_evaluation,
    sample_report,
)
from reportgen.compare import ratio
from reportgen.model import (
    CaptureFacts,
    Comparison,
    Difference,
    Dimensions,
    Evaluation,
    Family,
    Held,
    Interval,
    Measurement,
    Missing,
    MissingKind,
    OperatorMeasurement,
    Outcome,
    PairStanding,
    Quantity,
    Reason,
    Sample,
    Side,
    Standing,
    Status,
    UnreadFile,
    Witness,
)
from reportgen.report import changes, text
from reportgen.report.assurance import AccuracyRow, GateRow, PrecisionRow
from reportgen.report.document import Number
from reportgen.report.translations import Language

NBSP = "\u00a0"
LANGUAGES = ("zh", "en")


def single(before: int, after: int) -> Evaluation:
    """A pair of captures of one call each, as the operator captures of the corpus are."""
    sides = [
        Measurement(metric="kernel_time", side=side, dimensions=Dimensions(device=0), summary=ns(value),
                    origins=measured(side, 0, "kernel_time", (value,) * 9).origins)
        for side, value in ((Side.BEFORE, before), (Side.AFTER, after))
    ]  # fmt: skip
    row = replace(compared(*sides), distinguishable="cannot be known", reason=Reason.of("one_value_each"))
    evaluation = sample_evaluation("no_target")
    metric = replace(evaluation.metrics[0], id="kernel_time", statistic="total")
    return replace(evaluation, metrics=(metric,), comparisons=(row,), operators=())


# before and after in ns: values of the corpus README
@pytest.mark.parametrize(
    ("before", "after", "delta", "change"),
    [
        (91_919, 11_729, "-80.190 us", "-87.2 %"),  # FastGeluGrad
        (19_188, 34_230, "+15.042 us", "+78.4 %"),  # Addcmul
    ],
)
def test_one_value_each(before: int, after: int, delta: str, change: str) -> None:
    english = text.compare_text(single(before, after), "en")
    assert delta in english
    assert change in english
    assert "cannot be known (one value each)" in english
    chinese = text.compare_text(single(before, after), "zh")
    assert delta in chinese
    assert change.replace(" ", "") in chinese
    assert "无法得知（每侧仅一个值）" in chinese


@pytest.mark.parametrize(
    ("told", "figures"),
    [("yes", ("0.16 %", "0.18 %", "+0.02 pp")), ("no", ("0.2 %", "0.2 %", "0.0 pp"))],
)
def test_a_share_that_is_called_changed_is_not_printed_as_unchanged(told: str, figures: tuple[str, ...]) -> None:
    found = single(1, 1)
    before, after = (
        replace(side, metric="free_share", summary=Quantity(value=Fraction(value), unit="1"))
        for side, value in ((found.comparisons[0].before, "0.0016"), (found.comparisons[0].after, "0.0018"))
        if side is not None
    )
    row = replace(
        found.comparisons[0], metric="free_share", before=before, after=after, distinguishable=told,
        delta=Quantity(value=Fraction("0.0002"), unit="1"),
        change=Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of("change_of_share")),
        estimate=Quantity(value=Fraction("1.125"), unit="1"),
        interval=Interval(
            low=Quantity(value=Fraction("1.02"), unit="1"), high=Quantity(value=Fraction("1.25"), unit="1"),
            level=Fraction("0.95"), method="hodges-lehmann",
        ),
    )  # fmt: skip
    metric = replace(found.metrics[0], id="free_share")
    printed = text.compare_text(replace(found, metrics=(metric,), comparisons=(row,)), "en")
    line = next(line for line in printed.splitlines() if line.strip().startswith("free share"))
    assert tuple(re.findall(r"[+-]?[0-9.]+ (?:%|pp)", line)) == figures
    assert re.search(r"1\.1[0-9]* \[1\.02[0-9]*, 1\.25[0-9]*\]", line)  # what its word rests on


def test_the_medians_of_calls_and_the_ratio_with_its_interval() -> None:
    # two captures of one program whose calls take 5.36 to 5.48 us: the ratio of medians is close to 1
    sides = []
    for side, shift in ((Side.BEFORE, 0), (Side.AFTER, -20)):
        made = operator_side("BatchMatMulV2", side, 0, 70, 5_440)
        values = tuple(5_440 + shift + (index % 7 - 3) * 20 for index in range(70))
        sample = Sample(unit="ns", values=values, labels=tuple(map(str, range(70))))
        sides.append(replace(made, totals=replace(made.totals, median=ns(5_440 + shift), sample=sample)))
    change = operator_change(*sides)
    estimate, interval, told, reason = ratio(sides[0].totals.sample.values, sides[1].totals.sample.values)
    call = replace(call_comparison(*sides), estimate=estimate, interval=interval, distinguishable=told, reason=reason)
    printed = text.compare_text(replace(sample_evaluation("no_target"), operators=(replace(change, call=call),)), "en")
    line = next(line for line in printed.splitlines() if line.strip().startswith("BatchMatMulV2"))
    assert "5.440 us" in line
    assert "5.420 us" in line
    assert "-0.020 us" in line  # of the medians that stand beside it
    assert "0.996 [" in line


def test_no_difference_demonstrated() -> None:
    evaluation = sample_evaluation("no_target")
    same = replace(
        evaluation.comparisons[0], estimate=one(1), distinguishable="no", reason=Reason.of("interval_includes_one"),
        interval=Interval(low=one(Fraction(99, 100)), high=one(Fraction(1005, 1000)), level=LEVEL, method="t"),
    )  # fmt: skip
    printed = text.compare_text(replace(evaluation, comparisons=(same,)), "en")
    assert "1.000 [0.990, 1.005]" in printed
    assert "no difference demonstrated" in printed
    assert "未证明有差异" in text.compare_text(replace(evaluation, comparisons=(same,)), "zh")


def test_every_row_of_a_pair_that_is_not_comparable_says_so() -> None:
    evaluation = sample_evaluation("not_comparable")
    printed = text.compare_text(evaluation, "en")
    assert printed.startswith("Not comparable: batch size is 256 in BEFORE and 128 in AFTER.\n")
    rows = [line for line in printed.splitlines() if " us " in line or " MiB " in line or " pp " in line]
    assert len(rows) > 20
    assert all(line.endswith("not comparable: batch size") for line in rows)
    assert not any(re.search(r"\s[+-][0-9]|speed|\d \[", line) for line in rows)  # nothing is formed of the two sides


def test_a_blocked_row_names_the_key() -> None:
    evaluation = sample_evaluation("no_target")
    reason = Reason.of("family_blocked", family=Family.TIME, keys="torch.with_stack")
    rows = (replace(evaluation.comparisons[0], blocked=(reason,)), *evaluation.comparisons[1:])
    assert "not judged: torch.with_stack" in text.compare_text(replace(evaluation, comparisons=rows), "en")
    shown = Reason.of("pair_cannot_be_shown", keys="workload")
    rows = (replace(evaluation.comparisons[0], blocked=(shown,)),)
    assert "不予判定：无法证明可比（负载）" in text.compare_text(replace(evaluation, comparisons=rows), "zh")


def test_metrics_without_a_value_are_listed_once_with_their_reason() -> None:
    printed = text.compare_text(sample_evaluation("no_target"), "en")
    assert (
        "Without a value on either side\n  peak memory allocated (APP): this side has no such component or rank\n"
    ) in printed
    assert printed.count("peak memory allocated") == 1


def test_a_side_without_a_value_shows_the_word_for_it() -> None:
    evaluation = sample_evaluation("no_target")
    first = evaluation.comparisons[0]
    assert first.before is not None
    missing = Missing(kind=MissingKind.NOT_COLLECTED, reason=Reason.of("no_step_markers"))
    row: Comparison = replace(
        first, before=replace(first.before, summary=missing), delta=missing, change=missing, estimate=None,
        interval=None, distinguishable="cannot be known", reason=Reason.of("values_missing"), status=Status.UNKNOWN,
    )  # fmt: skip
    printed = text.compare_text(replace(evaluation, comparisons=(row,)), "zh")
    assert "未采集" in printed
    assert "无法得知（有一侧没有值）" in printed


# ------------------------------------------------------------------------------------------------ check
def test_the_first_line_is_the_standing_and_what_decides() -> None:
    first = text.check_text(sample_evaluation("no_target"), "zh").splitlines()[0]
    assert first == (
        "可比，有保留：比对 19 项，相同 14 项；保留：未知 1 项、可能有偏 2 项、双方声明 1 项、允许不同 1 项。"
    )


def test_differences_stand_side_by_side_heaviest_first_and_equal_facts_once() -> None:
    printed = text.check_text(sample_evaluation("no_target"), "en")
    assert (
        "Not the same, heaviest first: 5\n"
        "  standing  key                     BEFORE        AFTER         where\n"
        "  unknown   cann_version            not recorded  8.3.RC1       profiler_info.json, ranks 0-1\n"
        "      The CANN version may change operators and their time.\n"
        "  biasing   schedule.skip_first     20            40            profiler_info.json, ranks 0-1\n"
        "      Steps of different stages of training; effect of unknown size and sign.\n"
    ) in printed
    assert printed.count("torch_npu_version") == 1
    assert "  start_info.freq = 100\n" in printed


def changed(*differences: Difference, standing: PairStanding = PairStanding.NOT_COMPARABLE) -> Evaluation:
    evaluation = sample_evaluation("no_target")
    return replace(
        evaluation,
        comparability=replace(evaluation.comparability, standing=standing, differences=differences),
    )


def difference(key: str, before: str | None, after: str | None, reason: Reason, **more: object) -> Difference:
    return Difference(
        key=key, spelling=key, place="sample.json, host", before=Held(value=before), after=Held(value=after),
        standing=Standing.BLOCKING, blocks_all=True, reason=reason, **more,  # type: ignore[arg-type]
    )  # fmt: skip


def test_the_same_capture_is_called_so() -> None:
    same = difference("same_capture", "17134", "17134", Reason.of("same_capture", what="start clock"))
    assert "the same capture" in text.check_text(changed(same), "en").splitlines()[0]
    assert "同一次采集" in text.check_text(changed(same), "zh").splitlines()[0]


def test_a_key_in_no_row_names_the_option_that_lets_it_pass() -> None:
    new = difference("sample.newKey", "1", "2", Reason.of("setting_ungraded_differs", key="sample.newKey"))
    printed = text.check_text(changed(new), "en")
    assert printed.splitlines()[0] == "Not comparable: sample.newKey is 1 in BEFORE and 2 in AFTER."
    assert "--allow sample.newKey=REASON" in printed
    assert "--allow sample.newKey=REASON" in text.check_text(changed(new), "zh")


def test_a_graded_key_that_blocks_names_the_option_too() -> None:
    level = difference("sample.level", "l1", "l0", Reason.of("setting_differs", key="sample.level"))
    assert "--allow sample.level=REASON, or by the target's change list." in text.check_text(changed(level), "en")
    assert "--allow" not in text.check_text(sample_evaluation("no_target"), "en")


def test_a_fact_of_one_side_says_nothing_of_the_other() -> None:
    reason = Reason.of("steps_fewer_than_schedule", side="after", seen=1, expected=20)
    fact = replace(
        difference("steps.after", "", "1 / 20", reason),
        blocks_all=False, families=(Family.TIME, Family.COUNTS),
    )  # fmt: skip
    printed = text.check_text(changed(fact, standing=PairStanding.WITH_RESERVATIONS), "en")
    line = next(line for line in printed.splitlines() if "1 / 20" in line)
    assert "empty" not in line
    assert "time, counts" in line
    assert "AFTER holds 1 of the 20 steps that its schedule asked for." in printed


def test_a_long_value_is_cut_in_its_middle_and_control_characters_are_escaped() -> None:
    path = "/home/user/" + "x" * 200 + "/end\x1b[31m"
    row = difference("app_dir", path, "short", Reason.of("setting_differs", key="app_dir"))
    printed = text.check_text(changed(row), "en")
    assert "/home/user/xxx" in printed
    assert " ... " in printed
    assert "\x1b" not in printed
    assert max(map(len, printed.splitlines()[3:])) < 200


# ------------------------------------------------------------------------------------------------ inspect
def inspected(facts: CaptureFacts | None = None, language: str = "en", ungraded: tuple[str, ...] = ()) -> str:
    sides: tuple[OperatorMeasurement, ...] = tuple(o.before for o in operators() if o.before is not None)
    values = tuple(m for rank in RANKS for m in measurements(Side.BEFORE, rank))
    return text.inspect_text(facts or capture(Side.BEFORE), values, sides, language, ungraded)


def test_inspect_shows_settings_ranks_values_and_what_is_missing() -> None:
    printed = inspected()
    assert "  chip                         5, 910B / Atlas A2 / Atlas A3 family\n" in printed
    assert "  CANN                         not recorded\n" in printed
    assert "  schedule                     wait 0, warmup 1, active 10, repeat 1, skip_first 20\n" in printed
    assert "     0       0  rank0_ascend_pt  11 ... 20 (10)  2026-10-20T10:00:00Z  2026-10-20T10:00:40Z\n" in printed
    assert re.search(r"230100\.000 us +9  start to start of steps +csv +1 agrees\n", printed)
    assert re.search(r"53084\.125 MiB +csv +not witnessed\n", printed)
    assert (
        "What cannot be had, and how to get it\n"
        "  peak memory allocated (APP): not recorded. This side has no such component or rank.\n"
    ) in printed
    assert "  not read by this version: rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/communication.json\n" in printed


def test_values_of_one_metric_stand_together() -> None:
    lines = inspected().splitlines()
    start = lines.index("Metrics")
    metrics = [line.split("  ")[1] for line in lines[start + 2 : start + 20]]
    assert metrics[:4] == ["step time", "step time", "computing time", "computing time"]


def test_keys_in_no_row_are_listed_with_their_number() -> None:
    assert "Keys in no row of our table of settings: 1\n  sample.json: newKey\n" in inspected(
        ungraded=("sample.json: newKey",)
    )


def test_a_failed_cross_check_shows_both_numbers() -> None:
    facts = capture(Side.BEFORE)
    step = measurements(Side.BEFORE, 0)[7]
    failed = Witness(name="op_statistic_count", agrees=False, found=one(57), expected=one(185), tolerance=one(0),
                     origins=step.origins)  # fmt: skip
    printed = text.inspect_text(facts, (replace(step, witnesses=(failed,)),), (), "en", ())
    assert "FAILS: number of kernels in op_statistic, 57 against 185" in printed


def test_what_cannot_be_had_names_the_option() -> None:
    missing = Missing(kind=MissingKind.NOT_COLLECTED, reason=Reason.of("table_missing", table="memory_record"),
                      remedy=Reason.of("needs_option", option="profile_memory=True"))  # fmt: skip
    peaks = (m for m in measurements(Side.BEFORE, 0) if m.metric == "peak_reserved")
    peak = replace(next(peaks), summary=missing)
    printed = text.inspect_text(capture(Side.BEFORE), (peak,), (), "en", ())
    assert (
        "peak memory reserved (APP): not collected. memory_record is not there. Capture again with profile_memory=True."
    ) in printed


def test_published_values_stand_apart() -> None:
    stage = Measurement(metric="published_stage", side=Side.BEFORE, dimensions=Dimensions(rank=0),
                        summary=Quantity(value=116_251_250, unit="ns"))  # fmt: skip
    printed = text.inspect_text(capture(Side.BEFORE), (), (), "en", (), (stage,))
    assert "As published by the exporter, never compared\n" in printed
    assert "stage, as published" in printed
    assert "116251.250 us" in printed


def test_unused_files_with_the_same_reason_stand_together() -> None:
    unread = tuple(UnreadFile(path=name, reason=Reason.of("table_missing", table=name)) for name in ("a.csv", "b.csv"))
    cut = UnreadFile(path="trace_view.json", reason=Reason.of("trace_cut"))
    printed = inspected(replace(capture(Side.BEFORE), unread=(*unread, cut)), "zh")
    assert "  没有：a.csv、b.csv\n  trace 被截断，未能搜索到末尾：trace_view.json\n" in printed


def test_check_and_compare_name_a_bad_file_once() -> None:
    cut = UnreadFile(path="trace_view.json", reason=Reason.of("trace_cut"))
    other = UnreadFile(path="a.csv", reason=Reason.of("table_missing", table="a.csv"))
    evaluation = sample_evaluation("no_target")
    evaluation = replace(evaluation, after=tuple(replace(c, unread=(cut, cut, other)) for c in evaluation.after))
    said = "AFTER: the trace is cut and was not searched to its end: trace_view.json\n"
    for printed in (text.check_text(evaluation, "en"), text.compare_text(evaluation, "en")):
        assert printed.count(said) == 1
        assert printed.count("trace_view.json") == 1
    assert "a.csv" not in text.compare_text(evaluation, "en")  # a table that is not there is no bad file


# ------------------------------------------------------------------------------------------------ report
def test_no_ratio_of_sides_that_are_not_comparable() -> None:
    report = sample_report("not_comparable")
    goal = next(goal for goal in report.goals if goal.metric == "step_time")
    assert isinstance(goal.before, Number)
    ratio = Number(quantity=Quantity(value=Fraction(978, 1000), unit="1"), origins=goal.before.origins)
    printed = text.report_text(replace(report, goals=(replace(goal, subject="ratio", value=ratio),)), "en")
    assert "BEFORE 230.1 ms, AFTER 160.4 ms, not judged" in printed
    assert "0.978" not in printed


def test_after_report_one_screen_says_it_all() -> None:
    printed = text.report_text(sample_report(), "zh")
    lines = printed.splitlines()
    assert lines[0] == "达标、3 项目标全部达标、6 项保留、1 项双方声明"
    assert lines[1].startswith("AFTER 单步耗时为 160.40 ms，95% 区间 [159.87, 160.92] ms（一次采集的 9 步）。")
    goal = next(line for line in lines if line.startswith("  G1 "))
    # 0 is the rank judged; means of the parts of sample_report: rank 0 needs 137.1 + 19.4 + 3.9 ms,
    # rank 1 136.9 + 19.2 + 3.8 ms
    # the interval is that of the verdict's sentence above
    assert goal.split()[:11] == [
        "G1", "单步耗时不超过", "170", "ms", "0", "160.40", "ms", "[159.87,", "160.92]", "ms", "达标",
    ]  # fmt: skip
    assert goal.endswith("AFTER：159.90 ms（rank 1）至 160.40 ms（rank 0）")
    assert "保留：6 项" in lines
    assert "  精度：未附精度证据，本报告不能说明精度是否保持。" in lines
    assert len(lines) < 40


@pytest.mark.parametrize("language", ["en", "zh"])
def test_goals_have_an_interval_or_the_word_in_its_place(language: Language) -> None:
    """As in the report's own table: the interval, the word for a count or a peak, which are exact, or none."""
    words = {
        "en": ("95% interval", "count", "peak", "none"),
        "zh": ("95% 区间", "计数", "峰值", "无"),
    }
    head, *said = words[language]
    goals = sample_report().goals
    assert [(goal.interval is not None, goal.exact) for goal in goals] == [(True, False), (False, True), (False, True)]
    bare = replace(goals[0], id="G9", interval=None)
    printed = text.report_text(replace(sample_report(), goals=(*goals, bare)), language).splitlines()
    assert sum(head in line and ("between" in line or "rank 之间" in line) for line in printed) == 1
    for goal, word in zip((*goals[1:], bare), said, strict=True):
        line = next(line for line in printed if line.startswith(f"  {goal.id} "))
        assert f"  {word}  " in line


def test_the_verdict_word_comes_first() -> None:
    words = [text.report_text(sample_report(v), "en").split(",")[0] for v in ("met", "not_met", "undecided")]
    assert words == ["MET", "NOT MET", "UNDECIDED"]
    assert text.report_text(sample_report("not_comparable"), "en").startswith("NOT COMPARABLE, no goal is judged")


def criterion(name: str, outcome: Outcome, case: str = "train") -> AccuracyRow:
    return AccuracyRow(
        id="C1", case=case, name=name, kind="score", outcome=outcome, reason=Reason.of("accuracy_score_within"),
        direction="at_least", tolerances=(), before=None, after=None, limit=None, series="", first_step=None,
        last_step=None, steps=0, largest=None, largest_step=None, mean=None, only_before=(), only_after=(),
        uncounted_before=0, uncounted_after=0, typed=(), files=(),
    )  # fmt: skip


LOSS = criterion("loss", Outcome.MET)
CELLS = tuple(criterion("MMLU", Outcome.MET, f"serving[{n}]") for n in range(9))
SIGN = PrecisionRow(case="train", reason=Reason.of("precision_change_list", what="W8A8"), origins=())
SAID = [
    # title, criteria, signs of another precision, line in English and in Chinese; None: no line
    ("one", (LOSS,), (), "Accuracy: loss met.", "精度：loss 达标。"),
    ("the worst first", (LOSS, criterion("MMLU", Outcome.NOT_MET)), (), "Accuracy: MMLU not met, loss met.",
     "精度：MMLU 未达标、loss 达标。"),
    ("one of nine cells", CELLS, (), "Accuracy: MMLU met in 9 cases.", "精度：MMLU 达标（9 个用例）。"),
    ("five names", tuple(criterion(name, Outcome.MET) for name in "abcde"), (),
     "Accuracy: a met, b met, c met and 2 more.", "精度：a 达标、b 达标、c 达标，另有 2 项。"),
    ("none, and quantised", (), (SIGN,), "Accuracy: not shown, though data type or quantisation differ.",
     "精度：未提供证据，而两侧的数据类型或量化方式不同。"),
    ("nothing to say", (), (), None, None),
]  # fmt: skip


@pytest.mark.parametrize(("title", "rows", "signs", "en", "zh"), SAID, ids=[row[0] for row in SAID])
def test_the_terminal_says_how_accuracy_stands(
    title: str, rows: tuple[AccuracyRow, ...], signs: tuple[PrecisionRow, ...], en: str | None, zh: str | None
) -> None:
    report = replace(sample_report(), accuracy=rows, precision=signs)
    for language, line, head in (("en", en, "Accuracy:"), ("zh", zh, "精度：")):
        printed = text.report_text(report, language)
        assert [one for one in printed.splitlines() if one.startswith(head)] == ([] if line is None else [line]), title


NO_ACCURACY = Reason.of("gate_accuracy_missing")
NO_STEP, NO_PEAK = (Reason.of("gate_row_missing", metric=metric) for metric in ("step_time", "peak_reserved"))


@pytest.mark.parametrize(
    ("reasons", "en", "zh"),
    [
        ((), "G8 all basic figures there", "G8 基本数据齐全"),
        ((NO_ACCURACY,), "G8 no criterion of accuracy", "G8 未约定精度指标"),
        ((NO_STEP,), "G8 no step time", "G8 缺单步耗时"),
        ((NO_STEP, NO_PEAK, NO_ACCURACY), "G8 no criterion of accuracy, no step time and 1 more",
         "G8 未约定精度指标、缺单步耗时等，另有 1 项"),
    ],
)  # fmt: skip
def test_a_line_names_the_gates_that_do_not_hold_by_what_is_missing(
    reasons: tuple[Reason, ...], en: str, zh: str
) -> None:
    gates = tuple(
        GateRow(id=name, outcome=outcome, removes=True, reasons=why, facts=(), basis=())
        for name, outcome, why in (("G3", "passed", ()), ("G8", "failed", reasons),
                                   ("G9", "failed", (Reason.of("gate_no_repeats"),)), ("G6", "cannot be known", ()))
    )  # fmt: skip
    report = replace(sample_report(), gates=gates)
    lines = {
        language: text.report_text(report, language).replace("\xa0", " ").splitlines() for language in ("en", "zh")
    }
    assert f"Gates that do not hold: {en}, G9 no repeats." in lines["en"]
    assert f"不成立的核查项：{zh}、G9 无重复测量。" in lines["zh"]
    none = text.report_text(replace(report, gates=gates[:1]), "en")
    assert "Gates that do not hold" not in none


def test_many_reservations_are_counted() -> None:
    report = sample_report()
    rows = report.comparability.rows * 3
    printed = text.report_text(replace(report, comparability=replace(report.comparability, rows=rows)), "en")
    assert "10 more in the report." in printed


# ------------------------------------------------------------------------------------------------ laying out
@pytest.mark.parametrize(
    ("value", "columns"), [("abc", 3), ("单步耗时", 8), ("空闲（Free）", 12), ("≤ 4,000", 7), ("e\u0301", 1), ("", 0)]
)
def test_the_width_of_a_text(value: str, columns: int) -> None:
    assert text.width(value) == columns


def test_columns_are_aligned_by_the_width_of_their_characters() -> None:
    lines = text.table([["指标", "值", ""], ["单步耗时", "230.1 ms", ""], ["free", "3.9 ms", ""]], ("l", "r", "l"))
    assert lines == ["指标            值", "单步耗时  230.1 ms", "free        3.9 ms"]
    assert len({text.width(line) for line in lines}) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_terminal_gets_plain_spaces_and_an_ascii_minus(language: str) -> None:
    printed = [
        text.check_text(sample_evaluation("no_target"), language),
        text.compare_text(sample_evaluation("no_target"), language),
        text.report_text(sample_report(), language),
        inspected(language=language),
    ]
    for one_text in printed:
        assert NBSP not in one_text
        assert "\u2212" not in one_text
        assert one_text.endswith("\n")
        assert not one_text.endswith("\n\n")
        assert not [line for line in one_text.splitlines() if line != line.rstrip()]


def test_a_device_span_is_not_called_a_mean_of_steps() -> None:
    """Captures without steps have a span in the place of the step: no mean, no median beside it."""
    first = sample_report("met").attributions[0]
    assert changes.attribution_sentence(first, "en").startswith("Mean of the kept steps")
    span = replace(first, whole=replace(first.whole, metric="device_span"))
    said = changes.attribution_sentence(span, "en")
    assert said.startswith("Device span")
    assert "median" not in said
    assert "steps" not in said
    assert "Mean" not in changes.no_cause((span,), "en")
    assert "Mean" in changes.no_cause((first, span), "en")
