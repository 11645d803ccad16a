"""Numbers of a database as exact ones: the shortest decimal that means a float, scaled and rounded without floats."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any

from reportgen import units

if TYPE_CHECKING:
    import numpy as np


def exact(value: float, factor: int = 1) -> int | Fraction:
    """A recorded number times a whole factor: an int as it is, a float as the shortest decimal that means it.

    Raises:
        ValueError: infinite.
    """
    if isinstance(value, int):
        return value * factor
    if not isfinite(value):
        raise ValueError("is infinite")
    return units.exact(Fraction(repr(value)) * factor)


def scaled(values: np.ndarray[Any, Any], scale: int) -> np.ndarray[Any, Any]:
    """Floats times a power of ten, rounded half to even as int64.

    Each float stands for the shortest decimal that means it. The product is taken in floats where its error cannot
    reach the next half, else in decimals.

    Raises:
        ValueError: infinite, or beyond 64 bits.
    """
    import numpy as np

    if not np.isfinite(values).all() or (np.abs(values) > 9.2e18 / scale).any():
        raise ValueError("is infinite or too large")
    product = values * scale
    rounded = np.rint(product)
    # The product is within 1.5 units of its last place: one half of the float it stands for, twice, and its own half.
    doubtful = np.abs(np.abs(product - rounded) - 0.5) <= 1.6 * np.spacing(np.abs(product))
    doubtful |= np.abs(product) > 2**51
    found: np.ndarray[Any, Any] = rounded.astype(np.int64)
    if doubtful.any():
        places = len(str(scale)) - 1
        found[doubtful] = [_rounded(value, places) for value in values[doubtful].tolist()]
    return found


def _rounded(value: float, places: int) -> int:
    """The shortest decimal of a float times ``10 ** places``, half to even."""
    text = repr(value)
    if "e" in text or text.startswith("-"):
        return int((Decimal(text) * 10**places).to_integral_value(ROUND_HALF_EVEN))
    whole, _, fraction = text.partition(".")
    digits, beyond = int(whole + fraction), len(fraction) - places
    if beyond <= 0:
        return digits * int(10**-beyond)
    unit = int(10**beyond)
    found, rest = divmod(digits, unit)
    return found + (2 * rest > unit or (2 * rest == unit and found % 2 == 1))
