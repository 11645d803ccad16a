"""Figures as their digits say: exact value, the unit the key or the value names, and what the digits can show.

A unit is taken from the key or from the value, never from the size of the number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from reportgen import units
from reportgen.model import Quantity

_ONE = Fraction(1)
_DECIMAL = re.compile(r"[+-]?(?P<whole>[0-9]{1,30})(?:\.(?P<part>[0-9]{0,30}))?(?:[eE](?P<power>[+-]?[0-9]{1,2}))?")
_WITH_UNIT = re.compile(r"([+-]?[0-9][0-9.]{0,62}(?:[eE][+-]?[0-9]{1,2})?)\s{0,8}([^\d\s.].{0,30})?")

OUTSIDE: dict[str, tuple[str, Fraction]] = {
    "count": ("1", Fraction(1)),
    "TFLOP/s": ("1/s", Fraction(10**12)),
    "token/s": ("1/s", Fraction(1)),
    "T": ("1/s", Fraction(10**12)),
}
"""Units of measurements outside the profile, beside ``units.WRITTEN``."""


class Figure(NamedTuple):
    """A number as written."""

    value: units.Exact
    """Exact, in the exact unit."""
    unit: str
    """Exact unit: ``ns``, ``B``, ``1``, ``1/s``."""
    resolution: Fraction
    """One unit of its last written digit, in the exact unit."""
    written: str
    """Digits and unit as the file has them."""

    def quantity(self) -> Quantity:
        """The value."""
        return Quantity(value=self.value, unit=self.unit, written=self.written)

    def half(self) -> units.Exact:
        """How far the true value can lie from the written one: half a unit of the last digit."""
        return _half(self.resolution)


@lru_cache(maxsize=1024)
def _half(resolution: Fraction) -> units.Exact:
    return units.exact(resolution / 2)


def _scientific(text: str) -> tuple[int, int] | None:
    """A finite decimal number as digits times a power of ten; None for anything else."""
    match = _DECIMAL.fullmatch(text)
    if match is None:
        return None
    part = match["part"] or ""
    digits = int(match["whole"] + part)
    return -digits if text[0] == "-" else digits, int(match["power"] or 0) - len(part)


def _times(digits: int, power: int, scale: Fraction) -> units.Exact:
    """``digits * 10 ** power * scale`` as an int where it is whole."""
    top, bottom = digits * scale.numerator, scale.denominator
    if power >= 0:
        top *= 10**power
    else:
        bottom *= 10**-power
    whole_part, rest = divmod(top, bottom)
    return Fraction(top, bottom) if rest else whole_part


@lru_cache(maxsize=1024)
def _last_digit(power: int, scale: Fraction) -> Fraction:
    return Fraction(_times(1, power, scale))


def decimal(text: str) -> tuple[Fraction, Fraction] | None:
    """The number a text holds and one unit of its last digit; None for anything but one finite decimal number.

    At most 30 digits on a side of the point and two in the exponent.
    """
    found = _scientific(text)
    return None if found is None else (Fraction(_times(*found, _ONE)), _last_digit(found[1], _ONE))


def whole(text: str) -> int | None:
    """The whole number, 0 or more, that a text holds (``12``, ``12.0``); None for anything else."""
    if text.isascii() and text.isdigit() and len(text) <= 18:
        return int(text)
    found = _scientific(text)
    value = _times(*found, _ONE) if found is not None else None
    return value if isinstance(value, int) and 0 <= value < 10**18 else None


def factor(unit: str) -> tuple[str, Fraction] | None:
    """The exact unit and the factor of a written one; None when it is not known."""
    return units.WRITTEN.get(unit) or OUTSIDE.get(unit)


def figure(text: str, unit: str) -> Figure | None:
    """A bare number whose unit stands elsewhere; None when it is no number.

    Raises:
        KeyError: a unit that is in neither table, a mistake of the caller.
    """
    found = _scientific(text)
    if found is None:
        return None
    known = factor(unit)
    if known is None:
        raise KeyError(unit)
    name, scale = known
    shown = text if unit in ("", "1", "count") else f"{text} {unit}"
    return Figure(_times(*found, scale), name, _last_digit(found[1], scale), shown)


def with_unit(text: str) -> Figure | None:
    """A number followed by its unit, such as ``98409.4916 ms``; None without a known unit."""
    match = _WITH_UNIT.fullmatch(text.strip())
    if match is None or not match.group(2) or factor(match.group(2).strip()) is None:
        return None
    return figure(match.group(1), match.group(2).strip())


def coarsest(figures: Iterable[Figure], unit: str) -> Quantity:
    """The coarsest resolution of some figures: what the digits of all of them can show."""
    return Quantity(value=units.exact(max((item.resolution for item in figures), default=Fraction(0))), unit=unit)


def finest(figures: Iterable[Figure], unit: str) -> Quantity:
    """The finest resolution of some figures of a writer that leaves out trailing zeros."""
    return Quantity(value=units.exact(min((item.resolution for item in figures), default=Fraction(0))), unit=unit)
