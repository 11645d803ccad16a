"""Exact quantities, with pint as an oracle for the factors."""

from __future__ import annotations

from fractions import Fraction

import pint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen import units
from reportgen.plain import printable

CASES = [
    ("170 ms", 170_000_000, "ns"),
    ("8827.454us", 8_827_454, "ns"),
    ("0.25 µs", 250, "ns"),
    ("12.5%", Fraction(1, 8), "1"),
    ("4000", 4000, "1"),
    ("56 GiB", 56 * 1024**3, "B"),
    ("1187.9814453125 MB", 1_245_688_832, "B"),  # the vendor's MB is 2**20 bytes
    ("1e3 ms", 1_000_000_000, "ns"),
    ("-20 ms", -20_000_000, "ns"),
    ("0.1 ns", Fraction(1, 10), "ns"),
]


@pytest.mark.parametrize(("text", "value", "unit"), CASES)
def test_a_written_quantity_is_exact(text: str, value: int | Fraction, unit: str) -> None:
    assert units.parse(text) == (value, unit)


def test_a_clock_is_a_quantity_of_the_evidence_and_no_goal() -> None:
    assert units.parse("1800 MHz", known=units.EVIDENCE) == (1_800_000_000, "1/s")
    with pytest.raises(ValueError, match=r"unknown unit in '1800 MHz'; known: ns, us, .*, QPS$"):
        units.parse("1800 MHz")


@pytest.mark.parametrize("text", ["", "ms", "1 mss", "1 2 ms", "0x10", "1,5 ms", "inf s", "nan", "1e9999 s"])
def test_what_is_no_quantity(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a number|unknown unit"):
        units.parse(text)


@pytest.mark.parametrize("unit", ["ns", "us", "ms", "s", "min", "KiB", "MiB", "GiB"])
def test_factors_are_those_of_pint(unit: str) -> None:
    registry = pint.UnitRegistry()
    exact, factor = units.WRITTEN[unit]
    base = "ns" if exact == "ns" else "byte"
    assert registry.Quantity(1, unit).to(base).magnitude == pytest.approx(float(factor))


@given(st.fractions())
def test_an_exact_number_reads_back(value: Fraction) -> None:
    assert Fraction(units.number_text(value)) == value


@given(st.text(), st.text())
def test_printable_is_one_to_one_and_safe(one: str, other: str) -> None:
    shown = printable(one)
    assert not any(ord(c) < 0x20 or 0xD800 <= ord(c) < 0xE000 for c in shown)
    assert (shown == printable(other)) == (one == other)
    shown.encode("utf-8")
