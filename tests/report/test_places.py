"""Locators and formulas of origins in the reader's language: words are translated, names and SQL stay."""

from __future__ import annotations

import pytest

from reportgen.report import messages
from reportgen.report.places import formula_text, locator_text


@pytest.mark.parametrize(
    ("locator", "zh"),
    [
        ("columns Step Id, Start Time(us); rows 2-551", "列 Step Id, Start Time(us); 第 2-551 行"),
        ("column Total Reserved(MB); component PTA+GE; row 278", "列 Total Reserved(MB); 组件 PTA+GE; 第 278 行"),
        ("columns TASK.endNs - TASK.startNs; 12 rows of TASK", "列 TASK.endNs - TASK.startNs; TASK 的 12 行"),
        ("Communication Time Info/Wait Time(ms); 50 operators of 10 steps",
         "Communication Time Info/Wait Time(ms); 10 个 step 的 50 个算子"),
        ("case[0].goal[1].limit", "case[0].goal[1].limit"),
        ("lines 1 and 20, consumed samples", "第 1 行与第 20 行，consumed samples"),
        ("lines 1-60, elapsed time per iteration (ms)", "第 1-60 行，elapsed time per iteration (ms)"),
        ("line 7, lm loss", "第 7 行，lm loss"),
        ("line 7", "第 7 行"),
    ],
)  # fmt: skip
def test_a_place_keeps_its_names(locator: str, zh: str) -> None:
    assert locator_text(locator, "zh").replace("\u00a0", " ") == zh
    assert locator_text(locator, "en").replace("\u00a0", " ") == locator


@pytest.mark.parametrize(
    ("formula", "zh"),
    [
        ("median over windows of |C ∪ M| - |C|", "各窗口的中位数：|C ∪ M| - |C|"),
        ("max over windows of |C ∪ M| - |C|", "各窗口的最大值：|C ∪ M| - |C|"),
        ("p90 of start[k+1] - start[k]", "P90：开始[k+1] - 开始[k]"),
        ("min over steps of kernel rows", "各 step 的 Kernel 行数的最小值"),
        ("sum of durations of kernel rows", "Kernel 行的时长之和"),
        ("sum(mte2 x total time) / sum(mac x total time)", "Σ(mte2 x 总耗时) / Σ(mac x 总耗时)"),
        ("maximum of 62 values", "62 个值的最大值"),
        ("median of 59 values", "59 个值的中位数"),
        ("p90 of 59 values", "59 个值的 P90"),
        ("op_statistic_count", "op_statistic 中的 Kernel 个数"),
        ("Σ wait / (Σ wait + Σ transit)", "Σ 等待 / (Σ 等待 + Σ 传输)"),
        ('= "85%"', '= "85%"'),
    ],
)
def test_a_formula_keeps_its_symbols(formula: str, zh: str) -> None:
    assert formula_text(formula, "zh").replace("\u00a0", " ") == zh


def test_a_percentile_has_its_capital_in_english_too() -> None:
    assert formula_text("p90 of start[k+1] - start[k]", "en") == "P90 of start[k+1] - start[k]"
    assert formula_text("p95 of 59 values", "en") == "P95 of 59 values"
    assert formula_text("max over windows of |C|", "en") == "max over windows of |C|"


def test_a_cross_check_is_named_in_both_languages() -> None:
    assert formula_text("op_statistic_count", "en") == messages.WITNESSES["op_statistic_count"]


def test_one_of_a_kind_is_counted_in_the_singular() -> None:
    assert formula_text("maximum of 1 values", "en") == "maximum of 1 value"
    assert formula_text("maximum of 21 values", "en") == "maximum of 21 values"
    assert formula_text('= "1 values"', "en") == '= "1 values"'  # as a file has it
    assert locator_text("level node; 1 names", "en").endswith("; 1 name")
    assert locator_text("rows 2-551", "en") == "rows 2-551"
