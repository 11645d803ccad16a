"""Values of decoded JSON: which are figures, which are texts, and where each stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reportgen.run_logs import numbers
from reportgen.run_logs.numbers import Figure
from reportgen.run_logs.text import Digits


def figure(found: dict[str, Any], key: str, unit: str) -> Figure | None:
    """The figure under a key; None when the key is not there or holds no number that is finite and 0 or more."""
    value = found.get(key)
    number = numbers.figure(value, unit) if isinstance(value, Digits) else None
    return number if number is not None and number.value >= 0 else None


def whole(found: dict[str, Any], key: str) -> int | None:
    """The count under a key; None when there is none."""
    value = found.get(key)
    return numbers.whole(value) if isinstance(value, Digits) else None


def figures(values: object, unit: str) -> list[Figure] | None:
    """A list of figures; None when it is no list or one of them is no number that is finite and 0 or more."""
    if not isinstance(values, list):
        return None
    found = [numbers.figure(value, unit) if isinstance(value, Digits) else None for value in values]
    whole_list = [one for one in found if one is not None and one.value >= 0]
    return whole_list if len(whole_list) == len(found) else None


def scalar(value: object) -> str | None:
    """A text, number, true, false or null as it would be written; None for a list or an object."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str) else None


def keys_of(value: object) -> Sequence[str]:
    """The keys of an object; empty for anything else."""
    return tuple(value) if isinstance(value, dict) else ()
