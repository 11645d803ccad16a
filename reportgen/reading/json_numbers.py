"""Numbers of JSON files by their decimal digits, never by the binary float nearest to them.

One ulp of a 16-digit stamp in microseconds is 0.25 us as a float; its digits hold the nanosecond.
"""

from __future__ import annotations

import re
from fractions import Fraction

import msgspec

LATEST = 4 * 10**18
"""Nanoseconds of a stamp, picoseconds of a duration (46 days): beyond is no such number and would not fit 64 bits."""
_NUMBER = re.compile(rb"-?[0-9]{1,30}(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,2})?")


def half_even(value: int, unit: int) -> int:
    """``value / unit`` as the nearest whole number, a tie to the even one; ``unit`` is positive."""
    whole, rest = divmod(value, unit)
    return whole + (2 * rest > unit or (2 * rest == unit and whole % 2 == 1))


def exact(written: bytes) -> Fraction:
    """A JSON number, or a text that holds one, as the number its digits say.

    Raises:
        ValueError: no number, or one of more than 30 digits on a side of the point or three in the exponent.
    """
    text = written[1:-1] if written[:1] == b'"' else written
    if not _NUMBER.fullmatch(text):
        shown = text[:40].decode("ascii", "backslashreplace")
        raise ValueError(f"{shown!r} is no such number" if text else "a number is missing")
    return Fraction(text.decode("ascii"))


def _scaled(written: msgspec.Raw, places: int) -> int:
    """The number times ``10**places``, rounded half to even.

    Raises:
        ValueError: no number, negative, or beyond ``LATEST``.
    """
    raw = bytes(written)
    text = raw[1:-1] if raw[:1] == b'"' else raw
    whole, point, part = text.partition(b".")
    if whole.isdigit() and (part.isdigit() or not point) and len(text) <= 40:
        fine = len(part) - places
        value = int(whole + part.ljust(places, b"0")) if fine <= 0 else half_even(int(whole + part), 10**fine)
    else:
        number = exact(raw) * 10**places
        value = -1 if number < 0 else round(number)
    if not 0 <= value <= LATEST:
        raise ValueError(f"{text[:40].decode('ascii', 'backslashreplace')!r} is no such time")
    return value


def _decimal(written: msgspec.Raw) -> tuple[int, int] | None:
    """A plain decimal number as its digits and how many of them stand after the point; None for any other."""
    text = bytes(written)
    if text[:1] == b'"':
        text = text[1:-1]
    whole, point, part = text.partition(b".")
    if len(text) > 40 or not whole.isdigit() or not (part.isdigit() or not point):
        return None
    return int(whole + part), len(part)


def span_ns(start: msgspec.Raw, duration: msgspec.Raw) -> tuple[int, int]:
    """Start and duration in microseconds as start and duration in nanoseconds.

    The start is truncated to the nanosecond; the duration, of which a trace keeps every digit, is rounded half to even.
    Tables hold the truncated end minus the truncated start: within 1 ns of it, and sums lean to neither side
    (docs/formats.md 11.6-11.8).

    Raises:
        ValueError: no number, negative, or beyond ``LATEST``.
    """
    first, length = _decimal(start), _decimal(duration)
    if first is not None and length is not None and first[1] <= 3:
        begin = first[0] * 10 ** (3 - first[1])
        lasts = half_even(length[0] * 1000, 10 ** length[1])
    else:
        exact_start, exact_duration = exact(bytes(start)) * 1000, exact(bytes(duration)) * 1000
        if exact_start < 0 or exact_duration < 0:
            raise ValueError("a negative time is no such time")
        begin, lasts = int(exact_start), round(exact_duration)
    if begin > LATEST or lasts > LATEST // 1000:
        late = start if begin > LATEST else duration
        raise ValueError(f"{bytes(late)[:40].decode('ascii', 'backslashreplace')!r} is no such time")
    return begin, lasts


def stamp_ns(microseconds: msgspec.Raw) -> int:
    """A stamp in microseconds as nanoseconds; finer digits are rounded half to even.

    Raises:
        ValueError: no number, negative, or beyond the year 2096.
    """
    return _scaled(microseconds, 3)


def picoseconds(microseconds: msgspec.Raw) -> int:
    """A duration in microseconds as picoseconds; finer digits are rounded half to even.

    Raises:
        ValueError: no number, negative, or beyond 46 days.
    """
    return _scaled(microseconds, 6)


def whole(number: msgspec.Raw) -> int:
    """A number that is whole and not negative, however it is written (``1800``, ``1800.0``).

    Raises:
        ValueError: any other, or more than 18 digits.
    """
    value = exact(bytes(number))
    if value.denominator != 1 or not 0 <= value < 10**18:
        raise ValueError(f"{bytes(number)[:40].decode('ascii', 'backslashreplace')!r} is no whole number")
    return value.numerator
