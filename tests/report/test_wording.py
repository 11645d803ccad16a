"""The sentences: what they say, in both languages, and that none is missing.

Figures come from sample_report: AFTER 160.40 ms with [159.87, 160.92] ms, BEFORE 230.10 ms, limit 170 ms.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from babel.messages.catalog import Message
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po

import reportgen
from report.sample_report import VARIANTS, Variant, ns, one, sample_evaluation, sample_report
from reportgen import metrics, vocabulary
from reportgen.metrics import published
from reportgen.model import (
    Family,
    Missing,
    MissingKind,
    Outcome,
    PairStanding,
    Quantity,
    Reason,
    Standing,
    Status,
    VerdictWord,
)
from reportgen.report import changes, messages, messages_gates, text, wording
from reportgen.report.assurance import AccuracyRow
from reportgen.report.build import build
from reportgen.report.document import GoalRow, IntervalRow, MetricRow, Number, Report
from reportgen.report.translations import Language, bind, fill, languages, placeholders, translator
from reportgen.report.view import Context

ROOT = Path(reportgen.__file__).resolve().parent
LANGUAGES = ("zh", "en")
FORBIDDEN = {
    "zh": re.compile("合格|通过|优化|提升|劣化|显著|…|—"),
    "en": re.compile(r"(?i)\baccepted\b|\bsignifican|\boptimi[sz]|\bimprove(?!d\b)|\bregress(?!ed\b)|…|—|[‘’“”]|·"),
}
"""Words for the parties to write, or that say more than was shown. ``improved`` and ``regressed`` are the words of a
row; no sentence holds them (``test_a_word_of_direction_stands_alone``)."""


def plain(sentence: str) -> str:
    """The sentence with ordinary spaces."""
    return sentence.replace("\u00a0", " ")


def with_goal(report: Report, **changes: object) -> Report:
    """The report with its first goal changed."""
    first = replace(report.goals[0], **changes)  # type: ignore[arg-type]
    return replace(report, goals=(first, *report.goals[1:]))


def lead(**changes: object) -> Report:
    """A report with one goal and without declarations and reservations, so that only its sentence is left."""
    report = with_goal(sample_report(), **changes)
    assert report.contract is not None
    return replace(report, goals=report.goals[:1], contract=replace(report.contract, declared=()))


def number(value: int | Fraction, unit: str = "ns", written: str = "") -> Number:
    return Number(quantity=Quantity(value=value, unit=unit, written=written), origins=("O1",))


def spread(low: int | Fraction, high: int | Fraction, unit: str = "ns") -> IntervalRow:
    level = number(Fraction(19, 20), "1")
    return IntervalRow(low=number(low, unit), high=number(high, unit), level=level, method="corrected-t")


# ------------------------------------------------------------------------------------------------ verdict sentences
VERDICTS: list[tuple[Variant, str, str]] = [
    (
        "met",
        (
            "AFTER 单步耗时为 **160.40 ms**，95% 区间 [159.87, 160.92] ms（一次采集的 9 步）。区间上限比约定限值 "
            "**170 ms**"
            "（第 3.2 条）低 9.08 ms，**达标**。较 BEFORE 的 230.10 ms 减少 30.3%。峰值显存（APP，"
            "预留）的完整性没有佐证。"
            "以所声明的内容属实为前提（TASK_QUEUE_ENABLE）。"
        ),
        (
            "AFTER step time is **160.40 ms**, 95% interval [159.87, 160.92] ms (9 steps of one capture). The upper "
            "bound is "
            "9.08 ms below the agreed limit of **170 ms** (clause 3.2): **met**. BEFORE was 230.10 ms: a reduction of "
            "30.3%. "
            "Completeness is not witnessed for peak memory reserved (APP). This holds provided that what was "
            "declared is true (TASK_QUEUE_ENABLE)."
        ),
    ),
    (
        "not_met",
        (
            "AFTER 单步耗时为 **160.40 ms**，95% 区间 [159.87, 160.92] ms（一次采集的 9 步）。区间下限比约定限值 "
            "**150 ms**"
            "（第 3.2 条）高 9.87 ms，**未达标**。较 BEFORE 的 230.10 ms 减少 30.3%，但没有降到约定限值。"
            "峰值显存（APP，预留）的完整性没有佐证。以所声明的内容属实为前提（TASK_QUEUE_ENABLE）。"
        ),
        (
            "AFTER step time is **160.40 ms**, 95% interval [159.87, 160.92] ms (9 steps of one capture). The lower "
            "bound is "
            "9.87 ms above the agreed limit of **150 ms** (clause 3.2): **not met**. BEFORE was 230.10 ms: a reduction "
            "of "
            "30.3%, which does not reach the limit. Completeness is not witnessed for peak memory reserved (APP). "
            "This holds provided that "
            "what was declared is true (TASK_QUEUE_ENABLE)."
        ),
    ),
    (
        "undecided",
        (
            "AFTER 单步耗时为 **160.40 ms**，95% 区间 [159.87, 160.92] ms（一次采集的 9 步）。区间跨过约定限值 "
            "**160.6 ms**"
            "（第 3.2 条）：估计值比限值低 0.20 ms，区间上限比限值高 0.32 ms。**无法判定**，既不能作为达标、"
            "也不能作为未达标"
            "的依据。较 BEFORE 的 230.10 ms 减少 30.3%。峰值显存（APP，预留）的完整性没有佐证。"
            "以所声明的内容属实为前提（TASK_QUEUE_ENABLE）。"
        ),
        (
            "AFTER step time is **160.40 ms**, 95% interval [159.87, 160.92] ms (9 steps of one capture). The interval "
            "contains the agreed limit of **160.6 ms** (clause 3.2): the estimate is 0.20 ms below it, the upper bound "
            "0.32 "
            "ms above it. **Undecided**: not to be used as met or as not met. BEFORE was 230.10 ms: a reduction of "
            "30.3%. "
            "Completeness is not witnessed for peak memory reserved (APP). This holds provided that what was "
            "declared is true (TASK_QUEUE_ENABLE)."
        ),
    ),
    (
        "not_comparable",
        (
            "两侧采集的不是同一负载：BEFORE 的 batch size 为 256，AFTER 为 128，且约定未允许不同。"
            "因此**不对变化作任何判定**，"
            "下列数值只各自成立，不可相减、相比。要得到判定：两侧都按约定的负载重新采集。"
        ),
        (
            "The two sides did not run the same workload: batch size is 256 in BEFORE and 128 in AFTER. The target "
            "does not "
            "let this differ. **No verdict on any change is given**; the figures below stand alone and must not be "
            "subtracted "
            "or divided. To get a verdict: capture the agreed workload on both sides."
        ),
    ),
    (
        "no_target",
        "可比，有保留：比对 19 项，相同 14 项；保留：未知 1 项、可能有偏 2 项、双方声明 1 项、允许不同 1 项。",
        (
            "Comparable with reservations: of 19 facts compared, 14 are the same; reservations: 1 unknown, 2 biasing, "
            "1 declared, 1 allowed."
        ),
    ),
]


@pytest.mark.parametrize(("variant", "zh", "en"), VERDICTS)
def test_the_verdict_sentence(variant: Variant, zh: str, en: str) -> None:
    report = sample_report(variant)
    assert plain(wording.verdict_sentence(report, "zh", marked=True)) == zh
    assert plain(wording.verdict_sentence(report, "en", marked=True)) == en
    assert plain(wording.verdict_sentence(report, "en")) == en.replace("**", "")


MET, NOT_MET, UNDECIDED = Outcome.MET, Outcome.NOT_MET, Outcome.UNDECIDED
CROSSES = {side: Reason.of("interval_crosses_limit", side=side) for side in ("inside", "beyond")}
# what is changed in the goal -> what the sentence says after the value, in English and in Chinese
ENDS: list[tuple[str, dict[str, object], str, str]] = [
    ("at most, the upper bound decides", {},
     "The upper bound is 9.08 ms below the agreed limit of 170 ms", "区间上限比约定限值 170 ms"),
    ("at least, the lower bound decides",
     {"direction": "at_least", "limit": number(150_000_000, written="150 ms"), "margin": number(9_870_000)},
     "The lower bound is 9.87 ms above the agreed limit of 150 ms (clause 3.2): met.",
     "区间下限比约定限值 150 ms（第 3.2 条）高 9.87 ms，达标。"),
    ("at least, not met",
     {"direction": "at_least", "outcome": NOT_MET, "limit": number(170_000_000, written="170 ms"),
      "margin": number(-9_080_000)},
     ("The upper bound is 9.08 ms below the agreed limit of 170 ms (clause 3.2): not met. BEFORE was 230.10 ms: a "
     "reduction of 30.3%."),
     "区间上限比约定限值 170 ms（第 3.2 条）低 9.08 ms，未达标。较 BEFORE 的 230.10 ms 减少 30.3%。"),
    ("at most, estimate beyond",
     {"outcome": UNDECIDED, "reason": CROSSES["beyond"], "margin": None,
      "limit": number(160_000_000, written="160 ms")},
     "the estimate is 0.40 ms above it, the lower bound 0.13 ms below it. Undecided:",
     "估计值比限值高 0.40 ms，区间下限比限值低 0.13 ms。无法判定，"),
    ("at least, estimate inside",
     {"direction": "at_least", "outcome": UNDECIDED, "reason": CROSSES["inside"], "margin": None,
      "limit": number(160_000_000, written="160 ms")},
     "the estimate is 0.40 ms above it, the lower bound 0.13 ms below it. Undecided:",
     "估计值比限值高 0.40 ms，区间下限比限值低 0.13 ms。无法判定，"),
    ("at least, estimate beyond",
     {"direction": "at_least", "outcome": UNDECIDED, "reason": CROSSES["beyond"], "margin": None,
      "limit": number(160_700_000, written="160.7 ms")},
     "the estimate is 0.30 ms below it, the upper bound 0.22 ms above it. Undecided:",
     "估计值比限值低 0.30 ms，区间上限比限值高 0.22 ms。无法判定，"),
    ("one value on a side", {"interval": None, "values": 1, "margin": number(9_600_000)},
     ("AFTER step time is 160.4 ms; with one value on a side no interval can be stated. This is 9.6 ms below the "
      "agreed "
     "limit of 170 ms (clause 3.2): met."),
     "AFTER 单步耗时为 160.4 ms；每侧仅一个值，不能给出区间。比约定限值 170 ms（第 3.2 条）低 9.6 ms，达标。"),
    ("no interval for another reason", {"interval": None, "outcome": UNDECIDED, "margin": None,
                                        "reason": Reason.of("no_interval_guarded")},
     ("AFTER step time is 160.4 ms; no interval can be stated. The agreed limit is 170 ms (clause 3.2). Undecided: "
      "the guarded rule needs an interval, and none can be stated: it takes at least 4 values"),
     "AFTER 单步耗时为 160.4 ms；不能给出区间。约定限值为 170 ms（第 3.2 条）。无法判定：保守判定需要区间，"),
    ("at the limit itself", {"interval": None, "values": 1, "limit": number(160_400_000, written="160.4 ms"),
                             "margin": number(0)},
     "It is not above the agreed limit of 160.4 ms (clause 3.2): met.", "不高于约定限值 160.4 ms（第 3.2 条），达标。"),
    ("a count", {"interval": None, "values": 0, "exact": True}, "AFTER step time is 160.4 ms (a count).",
     "AFTER 单步耗时为 160.4 ms（计数）。"),
    ("several captures", {"captures": 3}, "(3 captures, 9 steps in all)", "（3 次采集，共 9 步）"),
    ("a clause in words", {"clause": "附件三 2.1"},
     "limit of 170 ms (附件三 2.1): met", "约定限值 170 ms（附件三 2.1）低"),
    ("no clause", {"clause": ""}, "limit of 170 ms: met", "约定限值 170 ms 低"),
    ("a condition that failed", {"outcome": NOT_MET, "margin": None,
                                 "reason": Reason.of("subject_to_not_met", goal="G3")},
     "The agreed limit is 170 ms (clause 3.2). Not met: it also asks for goal G3, which is not met.",
     "约定限值为 170 ms（第 3.2 条）。未达标：它同时要求目标 G3，而该目标未达标。"),
    ("no value", {"value": Missing(kind=MissingKind.NOT_COLLECTED, reason=Reason.of("no_step_markers")),
                  "outcome": UNDECIDED, "margin": None, "reason": Reason.of("no_step_markers"), "interval": None},
     "AFTER step time has no value: the capture has no step markers. The agreed limit is 170 ms (clause 3.2).",
     "AFTER 单步耗时没有值：采集中没有 step 标记。约定限值为 170 ms（第 3.2 条）。"),
    ("the reason is said once", {"value": Missing(kind=MissingKind.NOT_COLLECTED, reason=Reason.of("no_step_markers")),
                                 "outcome": UNDECIDED, "reason": Reason.of("no_step_markers"), "margin": None},
     "(clause 3.2). Undecided: not to be used as met or as not met.",
     "（第 3.2 条）。无法判定，既不能作为达标、也不能作为未达标的依据。"),
    ("a ratio without value", {"value": Missing(kind=MissingKind.NOT_COLLECTED, reason=Reason.of("no_step_markers")),
                               "outcome": UNDECIDED, "reason": Reason.of("no_step_markers"), "margin": None,
                               "subject": "ratio", "limit": number(Fraction(4, 5), "1", "0.8")},
     "Step time, AFTER / BEFORE, has no value: the capture has no step markers.",
     "单步耗时之比（AFTER / BEFORE）没有值：采集中没有 step 标记。"),
    ("a run that is not judged", {"value": Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("profiled_mixed")),
                                  "outcome": UNDECIDED, "reason": Reason.of("profiled_mixed"), "margin": None,
                                  "measured_outside": True},
     "AFTER step time is not judged: ", "AFTER 单步耗时不予判定："),
    ("runs that are not alike", {"value": Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("profiled_mixed")),
                                 "outcome": UNDECIDED, "reason": Reason.of("profiled_mixed"), "margin": None,
                                 "measured_outside": True, "subject": "ratio", "unlike": True},
     "(clause 3.2). Not comparable: no verdict on this change is given; each side's value stands alone.",
     "（第 3.2 条）。不可比：对这一变化不作判定，两侧的值只各自成立。"),
    ("runs that are not alike, and a condition that failed", {
        "value": Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("profiled_mixed")), "outcome": NOT_MET,
        "reason": Reason.of("subject_to_not_met", goal="G3"), "margin": None, "measured_outside": True,
        "subject": "ratio", "unlike": True},
     "(clause 3.2). Not met: it also asks for goal G3, which is not met.",
     "（第 3.2 条）。未达标：它同时要求目标 G3，而该目标未达标。"),
    ("a run that lacks the statistic", {
        "value": Missing(kind=MissingKind.NOT_RECORDED,
                         reason=Reason.of("statistic_not_logged", statistic="p90", file="a.log")),
        "outcome": UNDECIDED, "reason": Reason.of("statistic_not_logged", statistic="p90", file="a.log"),
        "margin": None, "measured_outside": True},
     "AFTER step time has no value: a.log does not hold this statistic", "AFTER 单步耗时没有值："),
    ("against an agreed value", {"value": Missing(kind=MissingKind.NOT_COLLECTED, reason=Reason.of("no_step_markers")),
                                 "outcome": UNDECIDED, "reason": Reason.of("few_values"), "margin": None,
                                 "subject": "delta", "baseline": "fixed"},
     "Step time, AFTER − agreed value, has no value: the capture has no step markers.",
     "单步耗时与约定值之差（AFTER − 约定值）没有值：采集中没有 step 标记。"),
    ("measured outside", {"metric": "latency", "kind": "ttft", "measured_outside": True, "interval": None, "values": 0,
                          "metric_row": "", "statistic": "mean"},
     "AFTER latency (time to first token), measured outside the profile, is 160.4 ms. ",
     "AFTER 时延（首 token 时延）（采集之外测得）为 160.4 ms。"),
    ("measured outside, a percentile", {"metric": "latency", "kind": "ttft", "measured_outside": True, "interval": None,
                                        "values": 0, "metric_row": "", "statistic": "p99"},
     "AFTER latency (time to first token, P99), measured outside the profile, is 160.4 ms. ",
     "AFTER 时延（首 token 时延，P99）（采集之外测得）为 160.4 ms。"),
    ("the steps of a single run", {"measured_outside": True, "values": 57, "reservations": (Reason.of("single_run"),)},
     "] ms (57 values of a single run, variation between runs not assessed).",
     "] ms（单次运行的 57 个值，未评估运行之间的差异）。"),
    ("the steps of a single run whose variation is stated", {
        "measured_outside": True, "values": 57, "reservations": (Reason.of("single_run_stated"),)},
     "] ms (57 values of a single run).", "] ms（单次运行的 57 个值）。"),
    ("runs that are repeats", {"measured_outside": True, "values": 4}, "] ms (4 runs).", "] ms（4 次运行）。"),
    ("a mean of steps", {"statistic": "mean"},
     "AFTER step time (mean) is 160.40 ms", "AFTER 单步耗时（均值）为 160.40 ms"),
    ("a ratio", {"subject": "ratio", "value": number(Fraction(697, 1000), "1"),
                 "interval": spread(Fraction(694, 1000), Fraction(700, 1000), "1"),
                 "limit": number(Fraction(4, 5), "1", "0.8"), "margin": number(Fraction(1, 10), "1")},
     ("Step time, AFTER / BEFORE, is 0.697, 95% interval [0.694, 0.700] (9 steps of one capture). The upper bound is "
     "0.100 below the agreed limit of 0.8 (clause 3.2): met."),
     ("单步耗时之比（AFTER / BEFORE）为 0.697，95% 区间 [0.694, 0.700]（一次采集的 9 步）。区间上限比约定限值 0.8"
     "（第 3.2 条）低 0.100，达标。")),
    ("a ratio agreed in percent", {"subject": "ratio", "value": number(Fraction(798, 1000), "1"), "interval": None,
                                   "limit": number(Fraction(85, 100), "1", "85%"),
                                   "margin": number(Fraction(52, 1000), "1")},
     "Step time, AFTER / BEFORE, is 79.8%; no interval can be stated. This is 5.2 pp below the agreed limit of 85%",
     "单步耗时之比（AFTER / BEFORE）为 79.8%；不能给出区间。比约定限值 85%（第 3.2 条）低 5.2 百分点，"),
    ("a difference", {"subject": "delta", "value": number(-69_700_000), "interval": spread(-70_300_000, -69_100_000),
                      "limit": number(-60_000_000, written="-60 ms"), "margin": number(9_100_000)},
     ("Step time, AFTER − BEFORE, is −69.70 ms, 95% interval [−70.30, −69.10] ms (9 steps of one capture). The upper "
     "bound is 9.10 ms below the agreed limit of −60 ms (clause 3.2): met."),
     ("单步耗时的变化（AFTER − BEFORE）为 −69.70 ms，95% 区间 [−70.30, −69.10] ms（一次采集的 9 步）。"
     "区间上限比约定限值 −60 ms（第 3.2 条）低 9.10 ms，达标。")),
    ("a difference whose interval reaches across a unit", {
        "subject": "delta", "value": number(-1_310_000), "interval": spread(-1_770_132, -628_143),
        "limit": number(-300_000, written="-0.3 ms"), "margin": number(328_143)},
     "is −1.31 ms, 95% interval [−1.77, −0.63] ms (9 steps of one capture). The upper bound is 0.33 ms below the",
     "为 −1.31 ms，95% 区间 [−1.77, −0.63] ms（一次采集的 9 步）。区间上限比约定限值 −0.3 ms（第 3.2 条）低 0.33 ms，"),
    ("a ratio that differs from its limit beyond the usual digits", {
        "subject": "ratio", "value": number(Fraction("0.950004"), "1"), "interval": None, "outcome": NOT_MET,
        "limit": number(Fraction("0.95"), "1", "95%"), "margin": number(Fraction("-0.000004"), "1")},
     "is 95.0004%; no interval can be stated. This is 0.0004 pp above the agreed limit of 95% (clause 3.2): not met.",
     "为 95.0004%；不能给出区间。比约定限值 95%（第 3.2 条）高 0.0004 百分点，未达标。"),
    ("an end that differs from the limit beyond the usual digits", {
        "subject": "ratio", "value": number(Fraction("0.9"), "1"), "outcome": UNDECIDED, "margin": None,
        "interval": spread(Fraction("0.85"), Fraction("0.950004"), "1"), "reason": CROSSES["inside"],
        "limit": number(Fraction("0.95"), "1", "95%")},
     ("is 90.0000%, 95% interval [85.0000%, 95.0004%] (9 steps of one capture). The interval contains the agreed "
      "limit of 95% (clause 3.2): the estimate is 5.0000 pp below it, the upper bound 0.0004 pp above it."),
     "估计值比限值低 5.0000 百分点，区间上限比限值高 0.0004 百分点。"),
    ("an end of AFTER that the usual digits print at its limit", {
        "interval": spread(99_000_000, 100_202_975), "reason": CROSSES["inside"], "outcome": UNDECIDED, "margin": None,
        "limit": number(100_202_974, written="100.202974 ms"), "value": number(100_000_000),
        "after": number(100_000_000), "delta": number(-130_000_000)},
     ("is 100.000000 ms, 95% interval [99.000000, 100.202975] ms (9 steps of one capture). The interval contains "
      "the agreed limit of 100.202974 ms (clause 3.2): the estimate is 0.202974 ms below it, the upper bound "
      "0.000001 ms above it."),
     "估计值比限值低 0.202974 ms，区间上限比限值高 0.000001 ms。"),
    ("an estimate at its limit", {
        "interval": spread(99_000_000, 101_000_000), "reason": CROSSES["inside"], "outcome": UNDECIDED, "margin": None,
        "limit": number(100_000_000, written="100 ms"), "value": number(100_000_000),
        "after": number(100_000_000), "delta": number(-130_000_000)},
     "the estimate lies at it, the upper bound 1.0 ms above it.", "估计值正在限值上，区间上限比限值高 1.0 ms。"),
    ("an end at its limit, the estimate beyond", {
        "interval": spread(100_000_000, 102_000_000), "reason": CROSSES["beyond"], "outcome": UNDECIDED, "margin": None,
        "limit": number(100_000_000, written="100 ms"), "value": number(101_000_000),
        "after": number(101_000_000), "delta": number(-129_000_000)},
     "the estimate is 1.0 ms above it, the lower bound lies at it.", "估计值比限值高 1.0 ms，区间下限正在限值上。"),
    ("a lower limit, the estimate at it", {
        "interval": spread(99_000_000, 101_000_000), "reason": CROSSES["inside"], "outcome": UNDECIDED, "margin": None,
        "limit": number(100_000_000, written="100 ms"), "value": number(100_000_000), "direction": "at_least",
        "after": number(100_000_000), "delta": number(-130_000_000)},
     "the estimate lies at it, the lower bound 1.0 ms below it.", "估计值正在限值上，区间下限比限值低 1.0 ms。"),
    ("a lower limit, the estimate beyond and an end at it", {
        "interval": spread(98_000_000, 100_000_000), "reason": CROSSES["beyond"], "outcome": UNDECIDED, "margin": None,
        "limit": number(100_000_000, written="100 ms"), "value": number(99_000_000), "direction": "at_least",
        "after": number(99_000_000), "delta": number(-131_000_000)},
     "the estimate is 1.0 ms below it, the upper bound lies at it.", "估计值比限值低 1.0 ms，区间上限正在限值上。"),
    ("a value that differs from its limit beyond the usual digits", {
        "value": number(100_000_400), "after": number(100_000_400), "interval": None, "outcome": NOT_MET,
        "limit": number(100_000_000, written="100 ms"), "margin": number(-400), "delta": number(-130_099_600)},
     "is 100.0004 ms; no interval can be stated. This is 0.0004 ms above the agreed limit of 100 ms",
     "为 100.0004 ms；不能给出区间。比约定限值 100 ms（第 3.2 条）高 0.0004 ms，"),
    ("more than before", {"after": number(240_000_000), "delta": number(9_900_000),
                          "change": number(Fraction(43, 1000), "1")},
     "BEFORE was 230.10 ms: an increase of 4.3%.", "较 BEFORE 的 230.10 ms 增加 4.3%。"),
    ("as before", {"delta": number(0)}, "BEFORE was 230.10 ms: no change.", "BEFORE 为 230.10 ms，没有变化。"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "en", "zh"), [row[1:] for row in ENDS], ids=[row[0] for row in ENDS])
def test_the_sentence_of_a_goal(changes: dict[str, object], en: str, zh: str) -> None:
    report = lead(**changes)
    assert en in plain(wording.verdict_sentence(report, "en"))
    assert zh in plain(wording.verdict_sentence(report, "zh"))


def test_a_simple_rule_is_decided_by_the_estimate_though_there_is_an_interval() -> None:
    report = lead(margin=number(9_600_000))
    assert report.contract is not None
    simple = replace(report, contract=replace(report.contract, decision_rule="simple"))
    assert "This is 9.60 ms below the agreed limit" in plain(wording.verdict_sentence(simple, "en"))
    assert "at the limit itself it errs half of the time" in wording.verdict_rule(simple, "en")


def first_row(report: Report, **changes: object) -> Report:
    row: MetricRow = replace(report.metrics[0], **changes)  # type: ignore[arg-type]
    return replace(report, metrics=(row, *report.metrics[1:]))


def test_a_difference_that_is_not_demonstrated_is_not_called_a_reduction() -> None:
    report = first_row(lead(), distinguishable="no")
    assert "BEFORE was 230.10 ms; no difference is demonstrated." in plain(wording.verdict_sentence(report, "en"))
    assert "未证明两侧有差异" in wording.verdict_sentence(report, "zh")


def test_of_a_blocked_row_nothing_is_said_about_before() -> None:
    report = first_row(lead(), blocked=(Reason.of("family_blocked", family="time", keys="with_stack"),))
    assert "BEFORE" not in wording.verdict_sentence(report, "en")


def test_a_share_is_compared_in_points() -> None:
    share: dict[str, object] = {
        "metric": "free_share",
        "before": number(Fraction(132, 1000), "1"),
        "after": number(Fraction(24, 1000), "1"),
        "value": number(Fraction(24, 1000), "1"),
        "delta": number(Fraction(-108, 1000), "1"),
        "change": Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of("change_of_share")),
        "interval": None,
        "values": 0,
        "limit": number(Fraction(3, 100), "1", "3%"),
        "margin": number(Fraction(6, 1000), "1"),
    }
    report = lead(**share)
    assert plain(wording.verdict_sentence(report, "en")).endswith(
        "This is 0.6 pp below the agreed limit of 3% (clause 3.2): met. BEFORE was 13.2%: a reduction of 10.8 pp."
    )
    assert plain(wording.verdict_sentence(report, "zh")).endswith("较 BEFORE 的 13.2% 减少 10.8 百分点。")


def test_other_goals_with_the_same_bad_outcome_are_named() -> None:
    report = sample_report("not_met")
    goals = (report.goals[0], replace(report.goals[1], outcome=Outcome.NOT_MET), report.goals[2])
    sentence = plain(wording.verdict_sentence(replace(report, goals=goals), "en"))
    assert "Also not met: kernel count per step at most 4,000." in sentence


def blocked(report: Report, standing: PairStanding, *rows: dict[str, object]) -> Report:
    """The report with these facts as the ones that decide."""
    template = report.comparability.rows[0]
    made = tuple(replace(template, why=(), **row) for row in rows)  # type: ignore[arg-type]
    return replace(report, comparability=replace(report.comparability, standing=standing, rows=made))


def unknown(key: str, side: str = "before") -> dict[str, object]:
    return {"key": key, "spelling": key, "standing": Standing.UNKNOWN, "blocks_all": True,
            "before": None if side == "before" else "5", "after": None if side == "after" else "5",
            "reason": Reason.of("setting_unknown", key=key, side=side)}  # fmt: skip


def test_comparability_that_cannot_be_shown_names_what_is_not_recorded_and_the_remedy() -> None:
    report = blocked(sample_report("undecided"), PairStanding.CANNOT_BE_SHOWN, unknown("platform_version"),
                     unknown("ai_core_num", "after"), unknown("aiv_num"))  # fmt: skip
    assert report.verdict is not None
    shown = replace(report, verdict=replace(report.verdict, reason=Reason.of("pair_cannot_be_shown", keys="chip")))
    assert plain(wording.verdict_sentence(shown, "en")) == (
        "Comparability cannot be shown: platform_version is not recorded in BEFORE; number of AI Cores is not "
        "recorded in "
        "AFTER; and 1 more. Undecided: not to be used as met or as not met. Remedy: capture again so that this is "
        "recorded, or have both parties declare it in the target."
    )
    assert plain(wording.verdict_sentence(shown, "zh")) == (
        "无法证明两侧可比：BEFORE 未记录 platform_version；AFTER 未记录 AI Core 数；另有 1 项。无法判定，"
        "既不能作为达标、"
        "也不能作为未达标的依据。补法：重新采集并记录上述各项，或由双方在约定文件中声明。"
    )


@pytest.mark.parametrize(
    ("row", "en", "zh"),
    [
        ({"key": "same_capture", "spelling": "same_capture", "reason": Reason.of("same_capture", what="start clock")},
         "Both sides are the same capture (start clock): there is nothing to compare.",
         "两侧是同一次采集（起始时钟）"),
        ({"key": "ranks", "spelling": "ranks", "before": "0", "after": "1",
          "reason": Reason.of("ranks_differ", before="0", after="1")},
         "The two sides were not captured alike: the ranks differ: 0 in BEFORE, 1 in AFTER.",
         "两侧采集的口径不一致：rank 不同：BEFORE 为 0，AFTER 为 1；任何约定都不能放行。"),
        ({"key": "sample.level", "spelling": "profLevel", "before": "l0", "after": "",
          "reason": Reason.of("setting_differs", key="sample.level")},
         "profLevel is l0 in BEFORE and empty in AFTER", "BEFORE 的 profLevel 为 l0，AFTER 为空"),
        ({"key": "workload", "spelling": "workload", "reason": Reason.of(
            "workload_types_changed", types="Addcmul", before="Addcmul: 8,2048", after="Addcmul: 1,2048")},
         "The two sides did not run the same workload: operator types found on both sides share no shapes",
         "两侧采集的不是同一负载："),
    ],
)  # fmt: skip
def test_what_is_not_comparable_is_named_with_both_values(row: dict[str, object], en: str, zh: str) -> None:
    made = {"before": "x", "after": "y", "standing": Standing.BLOCKING, "blocks_all": True, **row}
    report = blocked(sample_report("not_comparable"), PairStanding.NOT_COMPARABLE, made)
    assert en in plain(wording.verdict_sentence(report, "en"))
    assert zh in plain(wording.verdict_sentence(report, "zh"))
    assert "No verdict on any change is given" in wording.verdict_sentence(report, "en")


RANKS = {"key": "ranks", "spelling": "ranks", "reason": Reason.of("ranks_differ", before="0", after="1")}
LEVEL = {"key": "sample.level", "spelling": "profLevel", "reason": Reason.of("setting_differs", key="sample.level")}
WORK = {"key": "workload", "spelling": "workload",
        "reason": Reason.of("workload_types_changed", types="A", before="A: 8", after="A: 1")}  # fmt: skip
LISTED = "have the parties put these keys on the signed list"


@pytest.mark.parametrize(
    ("rows", "said", "unsaid", "stdout"),
    [
        ((LEVEL,), (LISTED, "The target does not let"), "ranks", ("--allow profLevel=REASON",)),
        ((RANKS,), ("no list can let ranks differ", "No target can let"), "signed", ("lifts ranks",)),
        ((LEVEL, RANKS), ("the signed list can let profLevel differ, but not ranks",), LISTED,
         ("--allow profLevel=REASON", "lifts ranks")),
        ((WORK,), ("capture the agreed workload", "No target can let"), "signed", ("lifts workload",)),
        ((WORK, LEVEL), ("capture the agreed workload on both sides, and profLevel alike", LISTED), "but not",
         ("--allow profLevel=REASON", "lifts workload")),
        ((WORK, RANKS), ("and both alike (ranks)", "No target can let"), "signed", ("lifts workload, ranks",)),
    ],
)  # fmt: skip
def test_only_what_helps_is_offered_against_what_blocks(
    rows: tuple[dict[str, object], ...], said: tuple[str, ...], unsaid: str, stdout: tuple[str, ...]
) -> None:
    """Settings alone can be allowed (docs/definitions.md, "Change list and allowances")."""
    common = {"before": "x", "after": "y", "standing": Standing.BLOCKING, "blocks_all": True}
    report = blocked(sample_report("not_comparable"), PairStanding.NOT_COMPARABLE, *({**common, **r} for r in rows))
    sentence, lines = (
        plain(wording.verdict_sentence(report, "en")),
        "\n".join(text.lifted(report.comparability.rows, "en")),
    )
    assert all(words in sentence for words in said)
    assert unsaid not in sentence
    assert all(words in lines for words in stdout)
    assert ("--allow profLevel" in lines) == (LEVEL in rows)


@pytest.mark.parametrize(
    ("rows", "remedy"),
    [
        ((unknown("sample.level"),), "or have both parties declare it in the target."),
        ((unknown("info.platform_version"),), "no declaration stands in for it."),
        ((unknown("sample.level"), unknown("ranks")), "both parties may declare it in the target, but not ranks."),
    ],
)
def test_nobody_is_told_to_declare_what_nobody_may(rows: tuple[dict[str, object], ...], remedy: str) -> None:
    """Docs/definitions.md, "Declared": never chip, core counts and clock where a file could have held them."""
    report = blocked(sample_report("undecided"), PairStanding.CANNOT_BE_SHOWN, *rows)
    assert report.verdict is not None
    verdict = replace(report.verdict, reason=Reason.of("pair_cannot_be_shown", keys="chip"))
    goal = replace(report.goals[0], value=LACKING_STEPS)
    shown = replace(report, verdict=verdict, goals=(goal,))
    assert plain(wording.verdict_sentence(shown, "en")).endswith(
        f"{remedy} AFTER step time has no value: the capture has no step markers. {RECAPTURE}"
    )


RECAPTURE = "Capture again with torch_npu.profiler, schedule(active=2 or more)."
LACKING_STEPS = Missing(
    kind=MissingKind.NOT_RECORDED,
    reason=Reason.of("no_step_markers"),
    remedy=Reason.of("needs_option", option="torch_npu.profiler, schedule(active=2 or more)"),
)


def test_a_goal_on_what_the_capture_cannot_have_says_what_would_record_it() -> None:
    report = sample_report("undecided")
    goal = replace(report.goals[0], value=LACKING_STEPS, reason=LACKING_STEPS.reason)
    assert plain(wording.goal_sentence(report, goal, "en")).endswith(RECAPTURE)


def test_that_nothing_else_is_worse_is_said_only_of_what_was_looked_at() -> None:
    worse = sample_report("undecided")  # its memory is worse, and a goal is on it
    assert changes.worse_line(worse, "en", "5").startswith("Worse in AFTER: 1 figure (peak memory reserved (APP)")
    report = replace(worse, elsewhere=replace(worse.elsewhere, worse=()))
    assert changes.worse_line(report, "en", "5") == "Worse in AFTER: no figure."
    rows = tuple(  # a time, and a share, of which neither direction is worse
        replace(row, status=Status.UNKNOWN) if row.metric in ("free", "free_share") else row for row in report.metrics
    )
    assert {row.metric for row in rows if row.status is Status.UNKNOWN and row.rank == 0} >= {"free", "free_share"}
    untold = replace(report, metrics=rows)
    assert changes.worse_line(untold, "en", "5") == "Worse in AFTER: none told apart; 1 metric cannot be known."
    assert plain(changes.worse_line(untold, "zh", "5")) == "AFTER 变差的指标：未见可区分的；1 项无法得知。"
    for code, why in (("pair_cannot_be_shown", "captures not looked at, since comparability is not shown"),
                      ("pair_not_comparable", "not looked at, since the two sides are not comparable"),
                      ("case_runs_not_alike", "none told apart; figures of runs not compared, section 5")):  # fmt: skip
        held = replace(untold, elsewhere=replace(report.elsewhere, not_held=(Reason.of(code, keys="chip"),)))
        assert changes.worse_line(held, "en", "5") == f"Worse in AFTER: {why}."


def test_a_target_without_goals() -> None:
    report = sample_report("undecided")
    assert report.verdict is not None
    bare = replace(report, goals=(), verdict=replace(report.verdict, goals=0, lead="", reason=Reason.of("no_goals")))
    assert wording.verdict_sentence(bare, "en") == "The target names no goal, so there is nothing to judge."
    assert wording.verdict_subline(bare, "zh")[0] == "不作任何判定"


# ------------------------------------------------------------------------------------------------ around the verdict
def test_the_small_line_names_rule_contract_and_how_it_was_measured() -> None:
    report = sample_report()
    assert plain(wording.verdict_rule(report, "zh")) == (
        "判定规则：保守判定，整个 95% 区间须在限值以内。限值出自 HT-2026-0931 附件 2 第 3.2 条。"
        "测量口径：采集态，中位数、相邻 step 起点之差、rank 0（2 个 rank 中最差）、"
        "AFTER：159.90 ms（rank 1）至 160.40 ms（rank 0）。"
    )
    assert plain(wording.verdict_rule(report, "en")).endswith(
        "Measured while profiling: median, start to start of steps, rank 0, the worst of 2, "
        "AFTER: 159.90 ms (rank 1) to 160.40 ms (rank 0)."
    )
    assert "Limit" not in wording.verdict_rule(sample_report("not_comparable"), "en")


def test_the_lines_under_the_verdict() -> None:
    lines = [[plain(line) for line in wording.verdict_subline(sample_report(v), "zh")] for v in VARIANTS]
    assert lines == [
        ["3 项目标全部达标", "6 项保留", "1 项双方声明"],
        ["3 项目标中 1 项未达标", "6 项保留", "1 项双方声明"],
        ["3 项目标中 1 项无法判定", "6 项保留", "1 项双方声明"],
        ["不作任何判定", "6 项保留", "1 项双方声明"],
        [],
    ]
    assert wording.verdict_subline(sample_report(), "en") == ("all 3 goals are met", "6 reservations", "1 declaration")


def test_goals_in_words() -> None:
    step, kernels, peak = sample_report().goals
    assert plain(wording.goal_text(step, "zh")) == "单步耗时不超过 170 ms"
    assert plain(wording.goal_text(peak, "en")) == "peak memory reserved (APP) at most 56 GiB"
    assert plain(wording.goal_limit(kernels, "zh")) == "≤ 4,000"
    ratio = replace(step, subject="ratio", direction="at_least", limit=number(Fraction(4, 5), "1", "0.8"))
    assert plain(wording.goal_text(ratio, "zh")) == "单步耗时之比（AFTER / BEFORE）不低于 0.8"
    points = replace(step, metric="free_share", subject="delta", limit=number(Fraction(-1, 10), "1", "-10%"))
    assert plain(wording.goal_limit(points, "zh")) == "≤ −10.0 百分点"
    assert plain(wording.goal_value(step, "en")) == "160.40 ms"
    assert plain(wording.goal_interval(step, "en")) == "[159.87, 160.92] ms"
    assert plain(wording.goal_margin(step, "en")) == "9.08 ms"


def test_reservations_are_as_many_as_the_verdict_counts() -> None:
    report = sample_report()
    assert report.verdict is not None
    for language in LANGUAGES:
        assert len(wording.reservation_lines(report, language)) == report.verdict.reservations
    first, second, *_ = (plain(line) for line in wording.reservation_lines(report, "zh"))
    assert first == "TASK_QUEUE_ENABLE：由示例智算中心（验收负责人）于 2026-10-12 声明为 1 / 2。"  # declarations first
    assert second == "cann_version：BEFORE 未记录，AFTER 为 8.3.RC1。CANN 版本可能改变算子实现与耗时。"


def test_families_that_are_not_judged_are_named() -> None:
    row = {"key": "with_stack", "spelling": "with_stack", "before": "false", "after": "true",
           "standing": Standing.BLOCKING, "families": (Family.TIME, Family.PMU), "blocks_all": False,
           "reason": Reason.of("setting_differs", key="with_stack")}  # fmt: skip
    report = blocked(sample_report(), PairStanding.WITH_RESERVATIONS, row)
    assert "Not judged: metrics of time, pmu, because of with_stack." in wording.comparability_sentence(report, "en")
    assert "时间、PMU 类指标不予判定，原因在于 with_stack。" in wording.comparability_sentence(report, "zh")


def test_titles_of_gaps() -> None:
    gaps = {gap.id: wording.gap_title(gap, "zh") for gap in sample_report().gaps}
    assert gaps == {
        "general-target": "跨场景的性能达标线",
        "unhidden-10-20": "未掩盖通信 10%–20% 的结论",
        "metric:peak_allocated:APP:before+after": "峰值显存（APP，已分配）",
        "metric:module_peak_reserved::before+after": "模块显存峰值（预留）",
        "setting:cann_version": "cann_version",
        "outside:accuracy": "精度",
        "outside:step_time": "不采集时的单步耗时",
        "outside:latency": "时延",
        "outside:qps": "QPS",
        "outside:throughput": "吞吐",
        "causation": "变化的原因",
        "only_listed_captures": "其他运行",
    }


@pytest.mark.parametrize(
    ("fact", "title"),
    [
        ("chip", "芯片"),
        ("steps.after", "step，AFTER"),
        ("check.rows_with_task.before", "在 task_time 中有对应任务的行数，BEFORE"),
        ("sample.level", "sample.level"),
        ("some.after", "some.after"),
    ],
)
def test_titles_of_facts(fact: str, title: str) -> None:
    assert wording.fact_title(fact, "zh") == title


def test_words_of_a_reason_are_translated() -> None:
    failed = Reason.of("check_failed", side="after", name="step_trace_computing[12]", found="1 ns", expected="3 ns")
    assert wording.say(failed, "zh") == (
        "AFTER 的交叉核对不符（step_trace_time 中的计算时间，step 12）：实有 1 ns，应有 3 ns。"
    )
    keys = Reason.of("pair_not_comparable", keys="workload, sample.level")
    assert wording.say(keys, "zh") == "两侧不可比，原因在于负载、sample.level。"
    assert wording.say(keys, "en") == "The sides are not comparable because of workload, sample.level."
    peak = Reason.of("metric_not_measured", metric="peak_reserved", part="APP")
    assert wording.say(peak, "en") == "Peak memory reserved (APP) was not measured."
    basis = Reason.of("basis_differs", before="step window", after="device span")
    assert wording.say(basis, "zh") == "窗口的取法不同：BEFORE 为相邻 step 起点之差，AFTER 为设备侧跨度，不是 step。"


def test_inside_a_sentence_a_reason_loses_its_stop_and_its_capital_but_a_name_keeps_it() -> None:
    assert wording.clause(Reason.of("no_step_markers"), "en") == "the capture has no step markers"
    assert wording.clause(Reason.of("before_zero"), "en") == "BEFORE is 0, so a relative change does not exist"
    key = Reason.of("setting_unknown", key="DeviceInfo.[].aiv_num", side="before")
    assert wording.clause(key, "en") == "DeviceInfo.[].aiv_num is not recorded in BEFORE"
    assert wording.clause(key, "zh") == "BEFORE 未记录 DeviceInfo.[].aiv_num"


@pytest.mark.parametrize(
    ("place", "zh"),
    [("kernel table rank 1", "Kernel 表，rank 1"), ("captures", "采集"), ("sample.json host", "sample.json host")],
)
def test_places_of_ours_are_translated(place: str, zh: str) -> None:
    assert wording.place_text(place, "zh") == zh


def test_values_of_ours_are_translated() -> None:
    held = [wording.setting_value(value, "zh") for value in (None, "", "matched 93.4%", "not witnessed", "Level1")]
    assert held == ["未记录", "空", "相同部分 93.4%", "没有佐证", "Level1"]


def test_a_code_without_a_sentence_is_an_error() -> None:
    with pytest.raises(KeyError):
        wording.say(Reason.of("no_such_code"), "en")


def test_a_percent_sign_in_a_value_survives() -> None:
    reason = Reason.of("workload_partly", before="93.4%", after="95.1%")
    assert "93.4% of the kernel time" in wording.say(reason, "en")
    assert "%(odd)s" in wording.say(Reason.of("setting_differs", key="%(odd)s"), "zh")


# ------------------------------------------------------------------------------------------------ Chinese typography
@pytest.mark.parametrize(
    ("message", "value", "text"),
    [
        ("BEFORE 未记录 %(x)s。", "chip", "BEFORE 未记录 chip。"),
        ("BEFORE 未记录 %(x)s。", "芯片", "BEFORE 未记录芯片。"),
        ("AFTER %(x)s为 **1**", "QPS", "AFTER QPS 为 **1**"),
        ("AFTER %(x)s为 **1**", "时延", "AFTER 时延为 **1**"),
        ("共 %(x)s 步", "9", "共 9\u00a0步"),
        ("（第 %(x)s 条）", "3.2", "（第\u00a03.2\u00a0条）"),
    ],
)
def test_a_value_gets_the_space_that_its_script_asks_for(message: str, value: str, text: str) -> None:
    assert fill(message, {"x": value}, "zh") == text


def test_measure_words_are_bound_in_chinese_only() -> None:
    assert bind("10 步，3 次", "zh") == "10\u00a0步，3\u00a0次"
    assert bind("10 steps", "en") == "10 steps"


# ------------------------------------------------------------------------------------------------ nothing is missing
class Call(NamedTuple):
    """A place in our code that makes a reason."""

    code: str
    names: frozenset[str] | None
    """Names of its values; None when they cannot be seen in the source."""
    where: str


def reasons_in_code() -> Iterator[Call]:
    """Every ``Reason.of("code", ...)``, ``Reason(code="code")`` and ``missing(kind, "code", ...)`` in reportgen/."""
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = ast.unparse(node.func)
            named = {k.arg: k.value for k in node.keywords}
            values = frozenset(str(name) for name in named) - {"code", "args", "remedy", "kind"}
            if called == "Reason.of" and node.args:
                code: ast.expr | None = node.args[0]
            elif called == "Reason":
                code, values = named.get("code"), frozenset({"*"})
            elif called in ("missing", "common.missing") and len(node.args) > 1:
                code = node.args[1]
            else:
                continue
            names = None if None in named or "*" in values else values
            yield from (
                Call(code=constant.value, names=names, where=f"{path.name}:{node.lineno}")
                for constant in ast.walk(code or ast.Constant(0))
                if isinstance(constant, ast.Constant) and isinstance(constant.value, str) and code is not None
                and not isinstance(code, (ast.JoinedStr, ast.Attribute))
            )  # fmt: skip


CODES = sorted(set(reasons_in_code()), key=lambda call: (call.code, call.where))
# made from parts: f"{warning.code}_side", f"operator_{change}", samples' own codes, and what gaps are called
COMPOSED = ("capture_aborted_side", "capture_data_loss_side", "operator_added", "operator_removed", "one_value_each",
            "one_value_on_a_side", "few_values", "high_autocorrelation", "non_positive", "one_value", "causation",
            "only_listed_captures", "interval_excludes_one", "interval_includes_one", "one_step_only",
            "no_step_markers", *messages_gates.REASONS)  # fmt: skip


def test_the_search_finds_the_codes() -> None:
    assert len({call.code for call in CODES}) > 80


@pytest.mark.parametrize("code", sorted({call.code for call in CODES} | set(COMPOSED)))
def test_every_reason_has_a_sentence_in_both_languages(code: str) -> None:
    assert code in messages.REASONS, [call.where for call in CODES if call.code == code]
    english = messages.REASONS[code]
    chinese = translator("zh").gettext(english)
    assert chinese != english, f"{code} is not translated"
    assert english.endswith((".", "=REASON.")), code
    assert chinese.endswith("。"), code


@pytest.mark.parametrize("call", [c for c in CODES if c.code in messages.REASONS], ids=lambda c: f"{c.code}@{c.where}")
def test_a_sentence_prints_only_values_that_the_reason_brings(call: Call) -> None:
    if call.names is not None:
        assert placeholders(messages.REASONS[call.code]) <= call.names


def catalog() -> list[Message]:
    """Every entry whose message id is its English text: error codes have none there (``tests/test_docs.py``)."""
    with (ROOT.parent / "templates/locale/zh.po").open("rb") as file:
        return [message for message in read_po(file, locale="zh") if message.id and message.context is None]


def marked() -> set[str | tuple[str, ...]]:
    """Every text marked for translation in messages and numbers."""
    keywords = {"_": None, "mark": None, "_n": (1, 2), "mark_plural": (1, 2)}
    return {
        found[1]
        for name in (*sorted(path.stem for path in (ROOT / "report").glob("messages*.py")), "numbers")
        for found in extract_from_file("python", ROOT / f"report/{name}.py", keywords=keywords)
    }


def test_every_text_is_translated() -> None:
    translated = {message.id: message.string for message in catalog()}
    assert [text for text in marked() if not translated.get(text)] == []


def test_translations_keep_the_values_and_the_bold_marks() -> None:
    for message in catalog():
        ids = message.id if isinstance(message.id, (tuple, list)) else (message.id,)
        strings = message.string if isinstance(message.string, (tuple, list)) else (message.string,)
        for string in strings:
            assert placeholders(string) == placeholders(ids[-1]), message.id
            assert string.count("**") == ids[-1].count("**"), message.id
            assert ("%%" in string) == ("%%" in ids[-1]), message.id
            assert string == string.rstrip(" ") or ids[-1] != ids[-1].rstrip(" "), message.id


def test_no_translation_is_left_over() -> None:
    used = {found if isinstance(found, str) else found[0] for found in marked()}
    keywords = {"_": None, "mark": None, "text": None, "gettext": None, "ngettext": (1, 2)}
    sources = [("python", path) for path in sorted((ROOT / "report").glob("*.py"))]
    sources += [("jinja2.ext:babel_extract", path) for path in sorted((ROOT.parent / "templates").glob("*.j2"))]
    options = {"silent": "false"}
    for method, path in sources:
        for found in extract_from_file(method, path, keywords=keywords, options=options):
            used.add(found[1] if isinstance(found[1], str) else found[1][0])
    ids = [message.id if isinstance(message.id, str) else message.id[0] for message in catalog()]
    assert [text for text in ids if text not in used] == []


def test_no_text_is_translated_twice_or_left_fuzzy() -> None:
    ids = [message.id if isinstance(message.id, str) else message.id[0] for message in catalog()]
    assert len(ids) == len(set(ids))
    assert not [message.id for message in catalog() if message.fuzzy]


# ------------------------------------------------------------------------------------------------ words to avoid
def everything(language: str) -> Iterator[str]:
    """Every sentence and word this room can make in a language."""
    for variant in VARIANTS:
        report = sample_report(variant)
        yield wording.verdict_sentence(report, language)
        yield wording.verdict_rule(report, language)
        yield from wording.verdict_subline(report, language)
        yield wording.comparability_sentence(report, language)
        yield from wording.reservation_lines(report, language)
        yield text.report_text(report, language)
        yield text.compare_text(sample_evaluation(variant), language)
    for term in wording.glossary(language):
        yield f"{term.title} {term.text}"
    for message in marked():
        for one_form in (message,) if isinstance(message, str) else message:
            yield translator(language).gettext(one_form)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_that_is_for_the_parties_or_says_too_much(language: str) -> None:
    found = {match.group() for sentence in everything(language) for match in FORBIDDEN[language].finditer(sentence)}
    assert not found


def test_a_word_of_direction_stands_alone() -> None:
    texts = [one for message in marked() for one in ((message,) if isinstance(message, str) else message)]
    assert {one for one in texts if re.search("improve|regress", one)} == {"improved", "regressed"}


def test_verdict_words() -> None:
    words = [(wording.verdict_word(word, "zh"), wording.verdict_word(word, "en")) for word in VerdictWord]
    assert words == [("达标", "met"), ("未达标", "not met"), ("无法判定", "undecided"), ("不可比", "not comparable")]


def test_every_metric_has_a_title_and_every_measured_one_a_definition() -> None:
    measured = [metric.id for metric in metrics.METRICS]
    known = {*measured, *vocabulary.GOAL_METRICS, *(metric.id for metric in published.METRICS)}
    assert sorted(known - set(messages.METRICS)) == []
    assert sorted(set(measured) - set(messages.GLOSSARY)) == []
    assert [kind for names in (vocabulary.LATENCY_KINDS, vocabulary.THROUGHPUT_KINDS) for kind in names
            if kind not in messages.KINDS] == []  # fmt: skip
    named = (*messages.STATISTICS, "p50", "p90", "p95", "p99")
    assert [name for name in vocabulary.STATISTICS if name not in named] == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_percentile_is_spelled_alike(language: Language) -> None:
    """Results of services give any of them: evalscope's tables hold p10, vLLM's p99.9."""
    names = ("p10", "p50", "p66", "p99", "p99.9", "slo_p90", "peak")
    spelled = [wording.statistic_word(name, language) for name in names]
    assert spelled == ["P10", "P50", "P66", "P99", "P99.9", "slo_p90", "peak"]


@pytest.mark.parametrize("enumeration", [Standing, PairStanding])
def test_every_standing_has_a_word(enumeration: type[Standing] | type[PairStanding]) -> None:
    for member in enumeration:
        assert wording.standing_word(member, "zh") != wording.standing_word(member, "en")


def test_every_cross_check_has_a_name() -> None:
    rooms = ("witnesses", "collective_checks", "common", "groups", "memory", "pmu_rows", "published")
    source = "".join((ROOT / f"metrics/{room}.py").read_text("utf-8") for room in rooms)
    names = set(re.findall(r'^\s+"([a-z_]+)"(?:,| *, quantity)', source, re.MULTILINE)) & set(
        re.findall(r'"((?:op_statistic|rows|tasks|steps|stamps|step_trace)_[a-z_]+)"', source)
    )
    assert sorted(names - set(messages.WITNESSES)) == []
    assert names


def test_languages_are_english_and_every_po() -> None:
    assert languages() == ("en", "zh")
    with pytest.raises(FileNotFoundError):
        translator("xx")


def test_a_report_with_several_captures_says_so() -> None:
    evaluation = sample_evaluation()
    report = build(replace(evaluation, after=(*evaluation.after, *evaluation.after)), tool_version="0.0.0")
    assert "（2 次采集，共 9 步）" in plain(wording.verdict_sentence(report, "zh"))


def test_a_goal_row_is_what_the_sentence_speaks_of() -> None:
    goal: GoalRow = sample_report().goals[0]
    assert goal.limit.quantity == Quantity(value=170_000_000, unit="ns", written="170 ms")
    assert (ns(1), one(1)) == (Quantity(value=1, unit="ns"), Quantity(value=1, unit="1"))


def test_no_table_of_words_is_defined_twice() -> None:
    """The second would silently replace the first."""
    tree = ast.parse((ROOT / "report/messages.py").read_text(encoding="utf-8"))
    names = [
        node.targets[0].id
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    ]
    assert len(names) == len(set(names)), sorted({name for name in names if names.count(name) > 1})


def judged_ratio(method: str) -> GoalRow:
    """A goal on AFTER / BEFORE in percent: 409.4 / 512.2 ms, whose quotient is 79.93 %, and an estimate of 79.8 %."""
    interval = replace(spread(Fraction(794, 1000), Fraction(803, 1000), "1"), method=method)
    report = lead(
        subject="ratio", value=number(Fraction(798, 1000), "1"), interval=interval, before=number(512_200_000),
        after=number(409_400_000), delta=number(-102_800_000), limit=number(Fraction(85, 100), "1", "85%"),
        margin=number(Fraction(47, 1000), "1"), statistic="median",
    )  # fmt: skip
    return next(goal for goal in report.goals if report.verdict and goal.id == report.verdict.lead)


def test_a_judged_ratio_says_which_estimate_it_is_and_what_the_printed_values_give() -> None:
    goal = judged_ratio("hodges-lehmann")
    said = plain(wording.estimate_sentence(goal, "en"))
    assert "Hodges-Lehmann estimate of AFTER / BEFORE" in said
    assert "(median), 409.4 ms / 512.2 ms = 79.9%, is worked out another way" in said  # 409.4 / 512.2 = 0.79930
    assert "Hodges-Lehmann 估计" in plain(wording.estimate_sentence(goal, "zh"))
    assert wording.estimate_text(judged_ratio("corrected-t"), "en") == "ratio of the geometric means"
    assert wording.estimate_sentence(sample_report().goals[0], "en") == ""


def test_a_judged_quotient_of_the_printed_values_is_called_no_estimate() -> None:
    """A ratio of means is their quotient; its interval is made by another method."""
    goal = replace(judged_ratio("hodges-lehmann"), statistic="mean", value=number(Fraction(4094, 5122), "1"))
    assert not wording.is_estimate(goal)
    assert wording.estimate_text(goal, "en") == "quotient of both values"
    assert wording.estimate_sentence(goal, "en") == ""
    repeats = replace(judged_ratio("fieller"), value=number(Fraction(0.7993), "1"))  # a quotient made on floats
    assert not wording.is_estimate(repeats)
    assert wording.estimate_sentence(repeats, "en") == ""


def test_what_accuracy_decides_is_not_counted_in_goals() -> None:
    """One criterion not met and one open beside goals that are met: no "0 of 2 goals not met"."""
    report = sample_report("met")
    assert report.verdict is not None
    nothing: dict[str, Any] = {"direction": "at_least", "tolerances": (), "before": None, "after": None, "limit": None,
               "series": "", "first_step": None, "last_step": None, "steps": 0, "largest": None, "largest_step": None,
               "mean": None, "only_before": (), "only_after": (), "uncounted_before": 0, "uncounted_after": 0,
               "typed": (), "files": ()}  # fmt: skip
    rows = tuple(
        AccuracyRow(id=name, case="C", name=name, kind="score", outcome=outcome, reason=Reason.of(code), **nothing)
        for name, outcome, code in (("MMLU", NOT_MET, "score_beyond"), ("GSM8K", UNDECIDED, "score_same_file"))
    )
    for word, code, en, zh in (
        (VerdictWord.NOT_MET, "accuracy_not_met", "1 criterion of accuracy not met", "1 项精度指标未达标"),
        (VerdictWord.UNDECIDED, "accuracy_undecided", "1 criterion of accuracy undecided", "1 项精度指标无法判定"),
    ):
        verdict = replace(
            report.verdict, word=word, not_met=0, undecided=0, reason=Reason.of(code, criterion="MMLU"), lead=""
        )
        shown = replace(report, accuracy=rows, verdict=verdict)
        assert plain(wording.verdict_subline(shown, "en")[0]) == en
        assert plain(wording.verdict_subline(shown, "zh")[0]) == zh


def test_an_exact_count_that_is_the_same_is_called_no_change() -> None:
    report = first_row(lead(delta=number(0), exact=True, interval=None), distinguishable="no")
    assert "BEFORE was 230.1 ms: no change." in plain(wording.verdict_sentence(report, "en"))


def test_other_goals_are_named_by_their_ids_where_words_do_not_tell_them_and_three_at_most() -> None:
    """Of six goals not met, of which four ask for the same in other cases, one leads, three are named, two counted."""
    report = lead(outcome=NOT_MET, margin=number(-1))
    goal = next(goal for goal in report.goals if report.verdict and goal.id == report.verdict.lead)
    other = replace(goal, id="share", metric="free_share", limit=number(Fraction(1, 20), "1", "5%"))
    goals = (goal, other, *(replace(goal, id=f"cell{n}") for n in range(4)))
    said = plain(wording.verdict_sentence(replace(report, goals=goals), "en"))
    assert "Also not met: free share at most 5%, cell0, cell1 and 2 more." in said


def test_doubts_of_one_kind_stand_once_with_their_range() -> None:
    doubts = [("step time rank 0", Reason.of("high_autocorrelation", rho="0.76")),
              ("free time rank 1", Reason.of("high_autocorrelation", rho="0.53"))]  # fmt: skip
    ((names, said),) = wording.gathered(doubts, "en")
    assert names == ("step time rank 0", "free time rank 1")
    assert said.startswith("Successive values resemble each other (correlation 0.53 ... 0.76): an interval made of")


def test_a_declared_fact_is_told_with_value_and_signer_and_not_as_missing() -> None:
    row = sample_report().comparability.rows[0]
    declared = Reason.of("declared_by", key="cann_version", value="8.0", signer="Z", role="customer", date="2026-11-01")
    row = replace(row, spelling="cann_version", reason=declared, why=(("en", "CANN version not recorded"),))
    assert wording.reason_and_effect(row, "en") == (
        "cann_version: declared as 8.0 by Z (customer), 2026-11-01.",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("code", "seen", "en", "zh"),
    [
        ("declared_none_by_name", ("MatMul", "add"),
         "no operator type and no kernel name is in common", "两侧没有任何相同的算子类型或 Kernel 名称"),
        ("declared_partly_by_name", ("83.8%", "81.1%"),
         "types or names in common hold 83.8% of the kernel time of BEFORE, 81.1% of that of AFTER",
         "相同的算子类型或 Kernel 名称占 BEFORE Kernel 耗时的 83.8%、AFTER 的 81.1%"),
    ],
)  # fmt: skip
def test_the_verdict_says_what_speaks_against_a_declaration(code: str, seen: tuple[str, str], en: str, zh: str) -> None:
    report = sample_report("met")
    said = {"key": "workload", "value": "same job", "signer": "Z", "role": "lead", "date": "2026-11-01"}
    reason = Reason.of(code, **said, before=seen[0], after=seen[1])
    row = replace(report.comparability.rows[0], key="workload", spelling="workload", reason=reason)
    rows = (row, *(one for one in report.comparability.rows if one.key != "workload"))
    vouched = replace(report.contract.declared[0], key="workload", used=True)
    report = replace(
        report,
        comparability=replace(report.comparability, rows=rows),
        contract=replace(report.contract, declared=(vouched,)),
    )
    assert wording.verdict_sentence(report, "en").endswith(f"provided that what was declared is true (workload: {en}).")
    assert wording.verdict_sentence(report, "zh").endswith(f"以所声明的内容属实为前提（负载：{zh}）。")
    ((first, *_),) = (wording.reason_and_effect(row, "en"),)
    assert first.startswith("workload: declared as same job by Z (lead), 2026-11-01; ")


def test_what_no_profiler_records_can_only_be_declared() -> None:
    said = wording.say(Reason.of("declare_only", key="cann_version"), "en")
    assert said == (
        "No profiler records cann_version: it can only be declared by the parties in the target ([[declared]])."
    )


def test_a_key_with_several_values_has_its_place_and_one_with_one_value_stands_once() -> None:
    row = sample_report().comparability.equal[0]
    rows = [replace(row, spelling="devices", before=value, after=value, place=place)
            for value, place in (("0", "info.json device"), ("64", "sample.json host"))]  # fmt: skip
    rows += [replace(row, spelling="jobInfo", before="NA", after="NA", place=place) for place in ("a", "b")]
    assert wording.equal_facts(rows, "en") == (
        ("devices (info.json device)", "0"), ("devices (sample.json host)", "64"), ("jobInfo", "NA"))  # fmt: skip
    assert wording.equal_counts(rows, "en") == (1, 1, 2)


@pytest.mark.parametrize(
    ("exact", "shown"),
    [("100000000 ns", "100 ms"), ("50000000 ns", "50 ms"), ("2500 ns", "2.5 µs"), ("1/3 ns", "1/3 ns")],
)
def test_what_a_log_can_show_at_least_is_told_in_the_unit_of_its_size(exact: str, shown: str) -> None:
    said = wording.say(Reason.of("log_resolution_coarse", resolution=exact), "en").replace("\u00a0", " ")
    assert said == f"What is written can show no difference smaller than {shown}."


def test_values_that_are_equal_within_a_tolerance_are_both_printed() -> None:
    row = replace(sample_report().comparability.equal[0], spelling="hwts_frequency", place="info.json device")
    near = replace(row, before="49.999001", after="50.000000")
    far = replace(row, spelling="freq", before="100", after="100")
    assert wording.equal_facts((near, far), "en") == (("hwts_frequency", "49.999001 | 50.000000"), ("freq", "100"))
    assert wording.equal_facts((near,), "zh") == (("hwts_frequency", "49.999001 | 50.000000"),)


def test_a_key_of_several_rows_is_told_by_its_place() -> None:
    row = sample_report().comparability.equal[0]
    rows = [replace(row, spelling="rank_id", place=f"profiler_info.json rank {n}", before=str(n)) for n in (0, 1)]
    rows.append(replace(row, spelling="pid", place="info.json host"))
    assert wording.told_by_place(rows, "en") == (
        "rank_id (profiler_info.json rank 0)", "rank_id (profiler_info.json rank 1)", "pid")  # fmt: skip


@pytest.mark.parametrize(
    ("code", "n", "said"),
    [
        (
            "log_records_cut",
            "1",
            "1 record is cut or run into other text (the first in line 7); its doubtful",
        ),
        ("log_records_cut", "2", "2 records are cut or run into other text (the first in line 7); their doubtful"),
        ("rows_outside_steps", "1", "1 row lies outside every step and is left out of values per step."),
        ("log_partial_lines", "1", "1 line (the first is line 7) lacks a figure that the other lines of its run have"),
        ("log_values_unreadable", "1", "1 value is no number and is not used."),
        ("log_values_unreadable", "11", "11 values are no numbers and are not used."),
        ("log_epoch_lines", "1", "1 line of whole epochs is not used, since the steps are there."),
    ],
)
def test_one_thing_is_told_in_the_singular(code: str, n: str, said: str) -> None:
    assert wording.say(Reason.of(code, n=n, line="7"), "en").startswith(said)


@pytest.mark.parametrize("agreed", [True, False])
@pytest.mark.parametrize("variant", ["met", "not_comparable"])
def test_explain_and_the_pages_form_changes_of_the_same_pairs(variant: str, agreed: bool) -> None:
    """Without a target each row is marked instead, so that changes are shown."""
    report = sample_report(variant)  # type: ignore[arg-type]
    report = report if agreed else replace(report, contract=None, verdict=None, goals=())
    apart = variant == "not_comparable" and agreed
    assert (wording.are_apart(report), Context(report=report, language="en", edition="screen", sections={},
                                               origins={}).comparing) == (apart, not apart)  # fmt: skip
