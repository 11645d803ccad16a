"""One judged case, and how the reasons in what a room gives are found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path

from reportgen.model import Reason

Give = Callable[[Path], object]
"""Makes the input in a directory of its own, gives what the room makes of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One case of the tables."""

    title: str
    """What is given, in words."""
    give: Give
    """The input through the real function of its room."""
    code: str
    """The reason code that is expected of it."""
    args: Mapping[str, str] = field(default_factory=dict)
    """Every argument of that reason, as the case itself knows it."""
    why: str
    """Where the expected value comes from: the arithmetic, or the document."""


def reasons_in(found: object) -> Iterator[Reason]:
    """Every reason in a value, however deep; tables of captures are not looked into."""
    if isinstance(found, Reason):
        yield found
    elif is_dataclass(found) and not isinstance(found, type):
        for one in fields(found):
            yield from reasons_in(getattr(found, one.name))
    elif isinstance(found, Mapping):
        for value in found.values():
            yield from reasons_in(value)
    elif isinstance(found, Sequence) and not isinstance(found, str | bytes):
        for value in found:
            yield from reasons_in(value)
