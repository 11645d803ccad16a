"""Figures of a log as the nouns of a run: values, series, statements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from reportgen import units
from reportgen.digests import sha256_bytes
from reportgen.model import LoggedSeries, LoggedValue, Quantity, Sample, Stated
from reportgen.run_logs.numbers import Figure, coarsest, finest
from reportgen.run_logs.text import directories, redacted, shortened, withheld

MOST_VARIANTS = 5
"""Values of one key that are listed where it changes within a run."""


def logged_value(metric: str, kind: str, statistic: str, found: Figure, locator: str) -> LoggedValue:
    """A figure that the producer computed."""
    return LoggedValue(
        metric=metric,
        kind=kind,
        statistic=statistic,
        value=found.quantity(),
        locator=locator,
        resolution=Quantity(value=units.exact(found.resolution), unit=found.unit),
    )


def figure_of(value: LoggedValue) -> Figure:
    """A logged value as the figure it was made of, without the text it was written as."""
    return Figure(value.value.value, value.value.unit, Fraction(value.resolution.value), "")


def logged_series(
    metric: str,
    kind: str,
    items: Sequence[tuple[str, Figure]],
    *,
    locator: str,
    weights: Sequence[int] = (),
    dropped: Sequence[str] = (),
    shortest: bool = False,
) -> LoggedSeries:
    """Values one after another.

    Args:
        items: (label, figure) in the order of the run, at least one, all of one unit.
        weights: steps that each is the mean of; empty: each is one step or request.
        dropped: labels of lines that were left out.
        shortest: whether the writer may leave out trailing zeros, as Python does where it prints a number as it is:
            then the finest figure shows how fine all of them are, else the coarsest.
    """
    unit = items[0][1].unit
    figures = [found for _, found in items]
    return LoggedSeries(
        metric=metric,
        kind=kind,
        sample=Sample(
            unit=unit,
            values=tuple(found.value for _, found in items),
            labels=tuple(label for label, _ in items),
            dropped=tuple(dropped),
        ),
        weights=tuple(weights) or (1,) * len(items),
        locator=locator,
        resolution=finest(figures, unit) if shortest else coarsest(figures, unit),
    )


def stated(key: str, written: str, locator: str) -> Stated | None:
    """A statement of the run with addresses and directories taken out; None for a key whose value is never kept."""
    if withheld(key):
        return None
    return Stated(
        key=redacted(key), written=redacted(written), locator=redacted(locator), directories=directories(written)
    )


def joined(values: Iterable[str]) -> str:
    """The distinct values of one key in their order: ``128``, ``64 / 128``, or the first five and how many in all."""
    distinct = list(dict.fromkeys(values))
    if len(distinct) > MOST_VARIANTS:
        mark = sha256_bytes("\0".join(distinct).encode("utf-8", "surrogatepass"))[:12]
        return shortened(f"{' / '.join(distinct[:MOST_VARIANTS])} / ... ({len(distinct)}, SHA-256 {mark})")
    return shortened(" / ".join(distinct))


def lines_text(numbers: Sequence[int]) -> str:
    """``line 3`` or ``lines 3-80``."""
    first, last = min(numbers), max(numbers)
    return f"line {first}" if first == last else f"lines {first}-{last}"
