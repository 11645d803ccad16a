"""How numbers are printed: each row is an exact value and the text that stands for it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from report.sample_report import LEVEL, ns, one, sample_report
from reportgen import units
from reportgen.model import Interval, Missing, MissingKind, Quantity, Reason
from reportgen.report import numbers

NBSP = "\u00a0"


def quantity(value: int | Fraction, unit: str = "ns", written: str = "") -> Quantity:
    return Quantity(value=value, unit=unit, written=written)


def interval(low: int | Fraction, high: int | Fraction, unit: str = "ns") -> Interval:
    return Interval(low=quantity(low, unit), high=quantity(high, unit), level=LEVEL, method="corrected-t")


# value, unit, hint, half-width, text (a blank stands for NBSP)
VALUES: list[tuple[int | Fraction, str, str, int | Fraction | None, str]] = [
    # times: the unit follows the size, four significant digits without U
    (230_100_000, "ns", "step_time", None, "230.1 ms"),
    (8_827_454, "ns", "computing", None, "8.827 ms"),
    (91_919, "ns", "", None, "91.92 µs"),
    (5_420, "ns", "", None, "5.420 µs"),
    (500, "ns", "", None, "0.500 µs"),
    (1, "ns", "", None, "0.001 µs"),  # never finer than the nanosecond
    (Fraction(1, 3), "ns", "", None, "0.000 µs"),
    (999_999_999, "ns", "", None, "1,000.0 ms"),
    (1_000_000_000, "ns", "", None, "1.000 s"),
    (23_350_000_000, "ns", "", None, "23.35 s"),
    (123_456_000_000_000, "ns", "", None, "123,456 s"),
    (0, "ns", "free", None, "0.000 µs"),
    # with U: decimals from its first two significant digits
    (160_400_000, "ns", "step_time", 2_000_000, "160.4 ms"),
    (160_400_000, "ns", "step_time", 520_000, "160.40 ms"),
    (160_400_000, "ns", "step_time", 12_000_000, "160 ms"),
    (160_400_000, "ns", "step_time", 99_600, "160.400 ms"),
    (160_400_000, "ns", "step_time", 1, "160.400000 ms"),
    (160_400_000, "ns", "step_time", 0, "160.4 ms"),
    # memory: IEC names, hundredths
    (56 * 1024**3, "B", "peak_reserved", None, "56.00 GiB"),
    (2_216_402_944, "B", "", None, "2.06 GiB"),
    (110 * 1024**2, "B", "", None, "0.11 GiB"),
    (73 * 1024**2, "B", "", None, "73.00 MiB"),
    (512, "B", "", None, "0.50 KiB"),
    (100, "B", "", None, "100 B"),
    # counts in full, shares to 0.1 %, ratios to 0.001
    (4812, "1", "kernel_count", None, "4,812"),
    (1_154_880, "1", "", None, "1,154,880"),
    (Fraction(9625, 2), "1", "kernel_count_per_step", None, "4,812.5"),
    (Fraction(10, 3), "1", "kernel_count_per_step", None, "3.333"),
    (Fraction(132, 1000), "1", "free_share", None, "13.2%"),
    (Fraction(1, 3), "1", "share", None, "33.3%"),
    (Fraction(6598, 10_000), "1", "aic_mte2_ratio", None, "0.660"),
    # a quotient that may exceed 1 is never printed as percent; occupancy of a core is a share
    (Fraction(1537, 1000), "1", "memory_bound", None, "1.537"),
    (0, "1", "memory_bound", None, "0.000"),
    (Fraction(542, 1000), "1", "cube_utilization_elapsed", None, "54.2%"),
    (Fraction(926, 1000), "1", "cube_utilization_task", None, "92.6%"),
    (Fraction(741, 1000), "1", "collective_wait_ratio", None, "0.741"),
    # clocks in MHz to 0.1; 1650 MHz and 1649.96 MHz
    (1_650_000_000, "1/s", "ai_core_frequency", None, "1,650.0 MHz"),
    (1_649_960_000, "1/s", "pmu_clock", None, "1,650.0 MHz"),
    (800_000_000, "1/s", "clock", None, "800.0 MHz"),
    # 5,399,999,997 cycles in 3 s are 1,799,999,999 Hz: an interval of hertz asks for no millionths of MHz
    (1_799_999_999, "1/s", "pmu_clock", 12, "1,800.0 MHz"),
    # bandwidths in GB/s of powers of ten: communication.json of the corpus (text, level 1, rank 0) writes 15.7676
    (15_767_600_000, "B/s", "link_bandwidth", None, "15.77 GB/s"),
    (1_234_000, "B/s", "", None, "0.001234 GB/s"),
    # rates keep the unit they were written in
    (Fraction(3273, 10), "1/s", "throughput", None, "327.3 1/s"),
]


@pytest.mark.parametrize(("value", "unit", "hint", "u", "text"), VALUES)
def test_a_value(value: int | Fraction, unit: str, hint: str, u: int | Fraction | None, text: str) -> None:
    half = None if u is None else Fraction(u)
    printed = numbers.format_value(quantity(value, unit), metric_unit_hint=hint, u=half, language="en")
    assert printed == text.replace(" ", NBSP)


def test_a_rate_keeps_its_written_unit() -> None:
    rate = quantity(Fraction(3273, 10), "1/s", "327.3 tok/s")
    assert numbers.format_value(rate, language="zh") == f"327.3{NBSP}tokens/s"


# half to even, as ROUND_HALF_EVEN of the decimal module: 0.5 goes to the even neighbour
@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (Fraction(5, 2), 0, "2"),
        (Fraction(7, 2), 0, "4"),
        (Fraction(125, 1000), 2, "0.12"),
        (Fraction(135, 1000), 2, "0.14"),
        (Fraction(-125, 1000), 2, "−0.12"),
        (Fraction(-4, 1000), 2, "0.00"),  # no sign on a zero
        (Fraction(-1_234_567), 0, "−1,234,567"),
    ],
)
def test_rounding_is_half_to_even_and_zero_has_no_sign(value: Fraction, decimals: int, text: str) -> None:
    assert numbers.digits(value, decimals) == text


@given(st.fractions(min_value=-(10**12), max_value=10**12), st.integers(min_value=0, max_value=6))
def test_what_is_printed_is_the_nearest_number_of_that_many_decimals(value: Fraction, decimals: int) -> None:
    text = numbers.digits(value, decimals, signed=True)
    printed = Fraction(text.replace(",", "").replace(numbers.MINUS, "-"))
    assert abs(printed - value) <= Fraction(1, 2 * 10**decimals)
    assert text.startswith((numbers.MINUS, "+")) == (printed != 0)


@pytest.mark.parametrize(
    ("value", "unit", "hint", "zh", "en"),
    [
        (-69_700_000, "ns", "step_time", "−69.70 ms", "−69.70 ms"),
        (3_296_473_088, "B", "peak_reserved", "+3.07 GiB", "+3.07 GiB"),
        (Fraction(-108, 1000), "1", "free_share", "−10.8 百分点", "−10.8 pp"),  # a difference of shares is in points
        (0, "1", "kernel_count", "0", "0"),
        (-856, "1", "kernel_count", "−856", "−856"),
    ],
)
def test_a_difference_shows_its_sign(value: int | Fraction, unit: str, hint: str, zh: str, en: str) -> None:
    for language, text in (("zh", zh), ("en", en)):
        printed = numbers.format_value(quantity(value, unit), metric_unit_hint=hint, language=language, signed=True)
        assert printed == text.replace(" ", NBSP)


@pytest.mark.parametrize(
    ("written", "value", "unit", "hint", "text"),
    [
        ("170 ms", 170_000_000, "ns", "step_time", "170 ms"),
        ("170.0 ms", 170_000_000, "ns", "step_time", "170.0 ms"),
        ("91919us", 91_919_000, "ns", "", "91,919 µs"),
        ("56 GB", 56 * 1024**3, "B", "peak_reserved", "56 GB (= 56 GiB)"),  # as agreed; GB is of 1024
        ("4000", 4000, "1", "kernel_count", "4,000"),
        ("3%", Fraction(3, 100), "1", "free_share", "3%"),
        ("-30 ms", -30_000_000, "ns", "step_time", "−30 ms"),
        ("", 170_000_000, "ns", "step_time", "170.0 ms"),
        ("1e3", 1000, "1", "kernel_count", "1,000"),  # an exponent is not printed
    ],
)
def test_a_limit_keeps_its_agreed_digits(written: str, value: int | Fraction, unit: str, hint: str, text: str) -> None:
    printed = numbers.format_limit(quantity(value, unit, written), metric_unit_hint=hint, language="zh")
    assert printed.replace(NBSP, " ") == text
    assert " " not in printed.partition(" (")[0]  # a number and its unit do not part


def test_changes_ratios_and_intervals() -> None:
    assert numbers.format_change(Fraction(-697, 2301)) == "−30.3%"
    assert numbers.format_change(Fraction(59, 1000)) == "+5.9%"
    assert numbers.format_change(Fraction(1, 100_000)) == "0.0%"
    assert numbers.format_change(Fraction(872, 1000), signed=False) == "87.2%"
    assert numbers.format_ratio(one(Fraction(697, 1000))) == "0.697"
    assert numbers.format_interval("158.4", "162.4", "ms") == f"[158.4, 162.4]{NBSP}ms"
    assert numbers.format_interval("−31.0%", "−29.6%") == "[−31.0%, −29.6%]"


# ------------------------------------------------------------------------------------------------ rows
def test_a_row_has_one_unit_and_one_number_of_decimals() -> None:
    row = numbers.row_format(
        ns(230_100_000), ns(160_400_000), ns(-69_700_000), interval(158_400_000, 162_400_000), language="en",
        change=one(Fraction(-697, 2301)), change_interval=interval(Fraction(690, 1000), Fraction(704, 1000), "1"),
    )  # fmt: skip
    assert (row.before, row.after, row.delta, row.unit) == ("230.1", "160.4", "−69.7", "ms")
    assert row.interval_full == f"[158.4, 162.4]{NBSP}ms"
    assert (row.change, row.change_interval) == ("−30.3%", "[−31.0%, −29.6%]")
    assert (row.before_full, row.after_full, row.delta_full) == (
        f"230.1{NBSP}ms", f"160.4{NBSP}ms", f"−69.7{NBSP}ms")  # fmt: skip


def test_a_row_that_does_not_add_up_gets_one_decimal_more() -> None:
    # 10.04 to 12.06 ms: rounded to 10.0, 12.1 and +2.0
    row = numbers.row_format(
        ns(10_040_000), ns(12_060_000), ns(2_020_000), interval(10_000_000, 14_000_000), language="en"
    )
    assert (row.before, row.after, row.delta) == ("10.04", "12.06", "+2.02")


def test_a_row_that_cannot_add_up_keeps_its_decimals() -> None:
    third = Fraction(10**6, 3)
    row = numbers.row_format(ns(third), ns(3 * third), ns(2 * third), metric_unit_hint="ms", language="en")
    assert (row.before, row.after, row.delta) == ("0.333", "1.000", "+0.667")


def test_without_an_interval_the_largest_figure_sets_the_decimals_but_nothing_is_rounded_to_0() -> None:
    row = numbers.row_format(ns(230_100_000), ns(3_900_000), ns(-226_200_000), language="en")
    assert (row.before, row.after, row.delta) == ("230.1", "3.9", "−226.2")
    row = numbers.row_format(ns(230_100_000), ns(4_000), ns(-230_096_000), language="en")
    assert (row.before, row.after, row.delta) == ("230.100", "0.004", "−230.096")


def test_an_interval_wider_than_the_values_decides_none_of_their_digits() -> None:
    # four significant digits, as without an interval: 1.259, 1.083 and -0.176 ms
    row = numbers.row_format(ns(1_258_700), ns(1_082_600), ns(-176_100), interval(0, 20_178_658_000_000), language="en")
    assert (row.before, row.after, row.delta) == ("1.259", "1.083", "−0.176")


def test_what_an_interval_tells_apart_is_not_printed_as_equal() -> None:
    # 0.04 % more, [0.02, 0.06] %: one decimal would print 0.0 %; an interval that holds 1 tells nothing
    told = interval(Fraction("1.0002"), Fraction("1.0006"), "1")
    row = numbers.row_format(
        ns(100_000_000),
        ns(100_040_000),
        ns(40_000),
        language="en",
        change=one(Fraction("0.0004")),
        change_interval=told,
    )
    assert (row.change, row.change_interval) == ("+0.04%", "[+0.02%, +0.06%]")
    untold = interval(Fraction("0.9998"), Fraction("1.0006"), "1")
    row = numbers.row_format(
        ns(100_000_000), ns(100_040_000), ns(40_000), language="en", change=one(Fraction("0.0004")),
        change_interval=untold,
    )  # fmt: skip
    assert (row.change, row.change_interval) == ("0.0%", "[0.0%, +0.1%]")
    rounding = interval(Fraction("0.99999999"), Fraction("0.999999999"), "1")  # apart from 1 by what rounding can make
    row = numbers.row_format(
        ns(100_000_000), ns(100_000_000), ns(0), language="en", change=one(Fraction(-1, 10**9)),
        change_interval=rounding, told=False,
    )  # fmt: skip
    assert (row.change, row.change_interval) == ("0.0%", "[0.0%, 0.0%]")
    points = numbers.row_format(
        one(Fraction("0.0016")), one(Fraction("0.0018")), one(Fraction("0.0002")), metric_unit_hint="free_share",
        language="en",
    )  # fmt: skip
    assert (points.before, points.after, points.delta) == ("0.16", "0.18", "+0.02")  # told apart, so not +0.0 pp
    assert numbers.decimals_from_one([Fraction("0.99998"), Fraction("0.999994")], 3) == 5
    assert numbers.decimals_from_one([Fraction(1) - Fraction(1, 10**16)], 3) == 3  # the noise of a float


def test_two_numbers_that_differ_are_printed_differently() -> None:
    value, limit = Fraction("95.0004"), Fraction(95)
    assert numbers.decimals_apart(value, limit, 1) == 4  # 95.000 with three
    assert numbers.decimals_apart(Fraction("97.1"), limit, 1) == 1
    assert numbers.decimals_apart(limit, limit, 1) == 1


@pytest.mark.parametrize(
    ("figures", "limit", "decimals"),
    [
        (("407.6", "413.9"), "414.202975", 1),
        (("407.6", "414.15"), "414.202975", 2),  # 414.2 with one, and so would the limit be
        (("407.6", "414.2029752"), "414.202975", 7),  # 414.202975 would be at the limit
        (("414.203",), "414.202975", 5),  # 414.2 would be below the limit; with four both are 414.2030
        (("79.4", "80.317"), "80.316", 3),  # 80.3 and 80.32 beside 80.32
        (("100",), "100", 1),
        (("414.202975",), "414.202975", 6),  # with fewer it would be below its limit or above it
        (("99.96",), "100", 2),  # 100.0 with one
    ],
)
def test_every_figure_stands_on_its_side_of_the_limit(figures: tuple[str, ...], limit: str, decimals: int) -> None:
    assert numbers.decimals_beside([Fraction(one) for one in figures], Fraction(limit), 1) == decimals


def test_a_missing_side_is_an_empty_text() -> None:
    missing = Missing(kind=MissingKind.NOT_COLLECTED, reason=Reason.of("table_missing", table="memory_record"))
    row = numbers.row_format(missing, ns(160_400_000), missing, language="zh")
    assert (row.before, row.before_full, row.delta_full, row.after_full) == ("", "", "", f"160.4{NBSP}ms")


def test_the_change_of_a_share_is_in_points_and_has_no_relative_interval() -> None:
    row = numbers.row_format(
        one(Fraction(132, 1000)), one(Fraction(24, 1000)), one(Fraction(-108, 1000)),
        metric_unit_hint="free_share", language="zh",
        change_interval=interval(Fraction(18, 100), Fraction(19, 100), "1"),
    )  # fmt: skip
    assert (row.before_full, row.after_full, row.delta_full) == ("13.2%", "2.4%", f"−10.8{NBSP}百分点")
    assert row.change_interval == ""


def test_an_interval_of_the_ratio_is_not_taken_for_one_of_the_value() -> None:
    ratio = interval(Fraction(69, 100), Fraction(70, 100), "1")
    row = numbers.row_format(ns(230_100_000), ns(160_400_000), ns(-69_700_000), ratio, language="en")
    assert (row.interval, row.change_interval) == ("", "[−31.0%, −30.0%]")


def test_the_rows_of_a_report() -> None:
    report = sample_report()
    texts = {(r.metric, r.rank): numbers.metric_texts(r, "en") for r in report.metrics}
    step = texts["step_time", 0]
    # U of AFTER is about 0.53 ms: two decimals
    printed = (step.before_full, step.after_full, step.delta_full, step.interval_full)
    assert [text.replace(NBSP, " ") for text in printed] == [
        "230.10 ms", "160.40 ms", "−69.70 ms", "[159.87, 160.92] ms"]  # fmt: skip
    assert texts["kernel_count_per_step", 0].delta_full == "−856"
    assert texts["peak_reserved", 0].after_full == f"54.91{NBSP}GiB"
    assert texts["peak_allocated", 0].after_full == ""
    means = {r.metric: numbers.metric_texts(r, "en", part="mean") for r in report.metrics if r.rank == 0}
    assert means["step_time"].before == "230.10"


def test_a_value_added_to_a_row_follows_its_unit_and_decimals() -> None:
    row = numbers.row_format(ns(230_100_000), ns(160_400_000), ns(-69_700_000), language="en")
    assert row.value(9_075_105) == f"9.1{NBSP}ms"
    assert row.figure(Fraction(-9_075_105), signed=True) == "−9.1"


# ------------------------------------------------------------------------------------------------ the terminal
@pytest.mark.parametrize(
    ("value", "unit", "hint", "signed", "en", "zh"),
    [
        (-80_190, "ns", "kernel_time", True, "-80.190 us", "-80.190 us"),  # FastGeluGrad, corpus README
        (15_042, "ns", "kernel_time", True, "+15.042 us", "+15.042 us"),  # Addcmul
        (116_251_183, "ns", "device_span", False, "116251.183 us", "116251.183 us"),
        (0, "ns", "free", True, "0.000 us", "0.000 us"),
        (Fraction(132, 1000), "1", "free_share", False, "13.2 %", "13.2%"),
        (Fraction(-108, 1000), "1", "free_share", True, "-10.8 pp", "-10.8 百分点"),
        (1_245_678_592, "B", "peak_reserved", False, "1187.9716796875 MiB", "1187.9716796875 MiB"),
        (Fraction(11879814453125 * 1024**2, 10**10), "B", "peak_allocated", False, "1187.9814453125 MiB",
         "1187.9814453125 MiB"),  # memory_record.csv of the corpus, to the last digit
        (4812, "1", "kernel_count", False, "4812", "4812"),
    ],
)  # fmt: skip
def test_the_terminal_prints_as_finely_as_was_recorded(
    value: int | Fraction, unit: str, hint: str, signed: bool, en: str, zh: str
) -> None:
    for language, text in (("en", en), ("zh", zh)):
        exact = quantity(units.exact(Fraction(value)), unit)
        assert numbers.plain_value(exact, metric_unit_hint=hint, language=language, signed=signed) == text


def test_the_terminal_prints_changes_and_ratios() -> None:
    change = one(Fraction(11_729, 91_919) - 1)
    assert numbers.plain_change(change, "en") == "-87.2 %"
    assert numbers.plain_change(change, "zh") == "-87.2%"
    assert numbers.plain_change(one(Fraction(34_230, 19_188) - 1), "en") == "+78.4 %"
    ratio = numbers.plain_ratio(one(Fraction(1)), interval(Fraction(99, 100), Fraction(1005, 1000), "1"))
    assert ratio == "1.000 [0.990, 1.005]"
    assert numbers.plain_ratio(one(Fraction(1)), None) == "1.000"


def test_rows_of_one_metric_share_unit_and_decimals() -> None:
    # two ranks: one whose difference needs a fifth digit to add up, one that does not
    rows = [row for row in sample_report().metrics if row.metric == "step_time"][:1]
    other = replace(rows[0], after=replace(rows[0].after, interval=None), before=replace(rows[0].before, interval=None))
    like = numbers.shared_texts([rows[0], other], "en")
    assert like is not None
    texts = [numbers.metric_texts(row, "en", like=like) for row in (rows[0], other)]
    assert texts[0].decimals == texts[1].decimals
    assert [text.unit for text in texts] == ["ms", "ms"]


def test_a_level_is_printed_with_the_digits_it_needs() -> None:
    assert numbers.format_level(Fraction(19, 20)) == "95%"
    assert numbers.format_level(1 - Fraction(1, 20) / 8) == "99.38%"  # 0.99375


@pytest.mark.parametrize(
    ("kind", "printed"),
    [
        ("output_tokens_per_s", "4.568 tokens/s"),
        ("output_tokens_per_s_per_request", "4.568 tokens/s"),
        ("samples_per_s_per_rank", "4.568 samples/s"),
        ("good_requests_per_s", "4.568 req/s"),
        ("steps_per_s", "4.568 1/s"),
    ],
)
def test_a_rate_without_a_written_unit_has_that_of_what_it_counts(kind: str, printed: str) -> None:
    rate = Quantity(value=Fraction("4.568"), unit="1/s")
    shown = numbers.format_value(rate, metric_unit_hint=numbers.hint_of("throughput", kind), language="en")
    assert shown.replace("\u00a0", " ") == printed


def test_operations_a_second_are_counted_in_tera() -> None:
    rate = Quantity(value=171_037 * 10**9, unit="1/s")  # 171.037 T of the log of MindFormers
    hint = numbers.hint_of("throughput", "flops_per_s_per_rank")
    assert numbers.format_value(rate, metric_unit_hint=hint, language="en").replace("\u00a0", " ") == "171.0 TFLOP/s"
    assert numbers.hint_of("latency", "ttft") == "latency"
