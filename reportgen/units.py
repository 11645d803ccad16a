"""Exact quantities in their units: parsing what was written, scaling to base units, exact text.

Kept exactly as an int of the smallest recorded unit or a Fraction: ``ns`` for time, ``B`` for memory, ``1`` for
counts and ratios, ``1/s`` for rates and frequencies, ``B/s`` for bandwidths. The base units of every JSON output are
s, B, 1/s, B/s and 1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

Exact = int | Fraction

# exact unit -> (base unit of JSON outputs, factor exact -> base)
BASE: dict[str, tuple[str, Fraction]] = {
    "ns": ("s", Fraction(1, 10**9)),
    "B": ("B", Fraction(1)),
    "1": ("1", Fraction(1)),
    "1/s": ("1/s", Fraction(1)),
    "B/s": ("B/s", Fraction(1)),
}

# written unit -> (exact unit, factor written -> exact). SI prefixes for time; memory as the vendor's tools write it,
# where KB, MB and GB are powers of 1024 (format reference 0.9), and the IEC names mean the same.
WRITTEN: dict[str, tuple[str, Fraction]] = {
    "ns": ("ns", Fraction(1)),
    "us": ("ns", Fraction(10**3)),
    "µs": ("ns", Fraction(10**3)),
    "μs": ("ns", Fraction(10**3)),
    "ms": ("ns", Fraction(10**6)),
    "s": ("ns", Fraction(10**9)),
    "min": ("ns", Fraction(60 * 10**9)),
    "B": ("B", Fraction(1)),
    "KB": ("B", Fraction(1024)),
    "KiB": ("B", Fraction(1024)),
    "MB": ("B", Fraction(1024**2)),
    "MiB": ("B", Fraction(1024**2)),
    "GB": ("B", Fraction(1024**3)),
    "GiB": ("B", Fraction(1024**3)),
    "": ("1", Fraction(1)),
    "1": ("1", Fraction(1)),
    "%": ("1", Fraction(1, 100)),
    "1/s": ("1/s", Fraction(1)),
    "/s": ("1/s", Fraction(1)),
    "req/s": ("1/s", Fraction(1)),
    "samples/s": ("1/s", Fraction(1)),
    "tokens/s": ("1/s", Fraction(1)),
    "tok/s": ("1/s", Fraction(1)),
    "QPS": ("1/s", Fraction(1)),
}
EVIDENCE = {**WRITTEN, "MHz": ("1/s", Fraction(10**6))}
"""Units of the evidence; those that ``WRITTEN`` lacks are no units of a goal."""

_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?")
_QUANTITY = re.compile(rf"\s*({_NUMBER.pattern})\s*([^\d\s]\S*)?\s*")


def exact(value: Fraction) -> Exact:
    """The same number as an int where it is whole."""
    return value.numerator if value.denominator == 1 else value


def parse(
    text: str, unit: str | None = None, *, known: Mapping[str, tuple[str, Fraction]] = WRITTEN
) -> tuple[Exact, str]:
    """A written quantity such as ``170 ms``, ``56 GiB``, ``12.5%`` or ``4000`` as (exact value, exact unit).

    Args:
        text: the number with its unit; with ``unit`` given, the number alone.
        unit: the written unit when it stands elsewhere (a column's header).
        known: the written units that are taken.

    Raises:
        ValueError: no number, or a unit that is not in ``known``.
    """
    match = _QUANTITY.fullmatch(text)
    if match is None:
        raise ValueError(f"not a number with a unit: {text!r}")
    written = unit if unit is not None else (match.group(2) or "")
    if written not in known or (unit is not None and match.group(2)):
        raise ValueError(f"unknown unit in {text!r}; known: {', '.join(u for u in known if u)}")
    exact_unit, factor = known[written]
    return exact(Fraction(match.group(1)) * factor), exact_unit


def last_digit(text: str) -> Fraction:
    """What one of the last digit of a written quantity is worth, in its exact unit: ``170.5 ms`` gives 100 000 ns.

    Raises:
        ValueError: as ``parse``.
    """
    match = _QUANTITY.fullmatch(text)
    number = match.group(1).lower() if match is not None else ""
    digits, _, power = number.partition("e")
    _whole, _, decimals = digits.partition(".")
    one, _unit = parse(text.replace(match.group(1), "1", 1) if match is not None else text)
    return Fraction(one) * Fraction(10) ** (int(power or 0) - len(decimals))


def to_base(value: Exact, unit: str) -> float:
    """The value in the base unit of JSON outputs, as the nearest float."""
    return float(Fraction(value) * BASE[unit][1])


def base_unit(unit: str) -> str:
    """The base unit of an exact unit: s, B, 1/s, B/s or 1."""
    return BASE[unit][0]


def number_text(value: Exact) -> str:
    """An exact number as text: an integer, a finite decimal, or numerator/denominator."""
    fraction = Fraction(value)
    if fraction.denominator == 1:
        return str(fraction.numerator)
    rest, twos, fives = fraction.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    if rest != 1 or places > 60:
        return f"{fraction.numerator}/{fraction.denominator}"
    digits = str(abs(fraction.numerator) * 10**places // fraction.denominator).rjust(places + 1, "0")
    return f"{'-' if fraction < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def exact_text(value: Exact, unit: str) -> str:
    """The exact value with its exact unit, for example ``8827454 ns``, ``1/3`` or ``1245678592 B``."""
    return number_text(value) if unit == "1" else f"{number_text(value)} {unit}"
