"""Law 3: from every number of a report to its origin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from reportgen.model import Quantity
from reportgen.report.document import Number, Report


def numbers_of(value: object, path: str = "report") -> Iterator[tuple[str, Number]]:
    """Every number with the path that leads to it.

    Raises:
        AssertionError: on the way stands a quantity that is no ``Number``, or a float.
    """
    if isinstance(value, Number):
        yield path, value
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from numbers_of(item, f"{path}[{index}]")
    elif is_dataclass(value) and not isinstance(value, type):
        assert not isinstance(value, Quantity), f"{path}: a quantity without origins"
        for item in fields(value):
            yield from numbers_of(getattr(value, item.name), f"{path}.{item.name}")
    else:
        assert not isinstance(value, float), f"{path}: a float"


def every_number_reaches_an_origin(report: Report) -> int:
    """Follow every number to origins that exist and say where; returns how many numbers there are."""
    origins = {row.id: row.origin for row in report.origins}
    count = 0
    for path, number in numbers_of(report):
        assert number.origins, f"{path}: no origin"
        for identity in number.origins:
            assert identity in origins, f"{path}: {identity} is not in the table of origins"
            origin = origins[identity]
            assert origin.file, f"{path}: {identity} names no file"
            assert origin.locator, f"{path}: {identity} names no place in {origin.file}"
        count += 1
    return count
