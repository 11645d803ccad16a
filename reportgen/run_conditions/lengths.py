"""How long were the answers and the prompts, one by one? A mean alone hides that half of them were of one token.

Source: docs/tricks.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from reportgen import samples
from reportgen.comparability.settings import Permissions
from reportgen.model import Held, LoggedRun
from reportgen.run_conditions.facts import RunFact, held, stand
from reportgen.run_conditions.figures import SERVING, value_of

SPREAD_SHARE = Fraction(1, 20)
"""``run_length_spread_share`` of evidence/choices.toml."""
QUARTILES = {"median": 50, "p75": 75, "p90": 90}
"""Statistics of lengths that tools print beside the mean -> share of the requests below, in percent."""
SHOWN = (10, 50, 90)
"""Percentiles by which a list of lengths is shown."""


def compare(
    case: str, before: Sequence[LoggedRun], after: Sequence[LoggedRun], granted: Permissions
) -> Iterator[RunFact]:
    """Whether answers, and prompts, of all runs are as long in the order of their length; nothing of other producers.

    Args:
        before, after: runs of one definition set, at least one of each side.
    """
    if before[0].run.definitions in SERVING:
        for key, metric in (("output_length_spread", "output_tokens"), ("input_length_spread", "input_tokens")):
            yield from _spread(case, key, (before, after), metric, granted)


class _Lengths(NamedTuple):
    """Lengths of the answers or prompts of a run."""

    listed: tuple[Fraction, ...]
    """Of each request, in order of size; empty where they are not listed."""
    printed: dict[str, Fraction]
    """Statistic -> tokens, of ``QUARTILES``."""
    text: str
    """As the report shows it."""
    locator: str
    """Where they stand."""


def _lengths(run: LoggedRun, metric: str) -> _Lengths | None:
    """Lengths of single requests, else the statistics of them that are printed; None without either."""
    series = next((s for s in run.run.series if (s.metric, s.kind) == (metric, "")), None)
    if series is not None:
        listed = sorted(map(Fraction, series.sample.values))
        text = ", ".join(f"P{share} {float(samples.percentile(listed, share)):.6g}" for share in SHOWN)
        quartiles = {name: samples.percentile(listed, share) for name, share in QUARTILES.items()}
        return _Lengths(tuple(listed), quartiles, text, series.locator)
    values = {name: one for name in QUARTILES if (one := value_of(run, metric, name)) is not None}
    if not values:
        return None
    printed = {name: Fraction(one.value.value) for name, one in values.items()}
    text = ", ".join(f"P{QUARTILES[name]} {float(value):.6g}" for name, value in printed.items())
    return _Lengths((), printed, text, ", ".join(one.locator for one in values.values()))


def _spread(
    case: str, key: str, sides: tuple[Sequence[LoggedRun], Sequence[LoggedRun]], metric: str, granted: Permissions
) -> Iterator[RunFact]:
    """Lengths of all runs against those of the first; nothing where no run tells of them."""
    found = [[_lengths(run, metric) for run in runs] for runs in sides]
    known = [one for side in found for one in side if one is not None]
    if not known:
        return
    apart = [_apart(known[0], one) for one in known[1:]]
    whole = len(known) == sum(map(len, found))
    yield stand(
        case,
        key,
        (_held(sides[0], found[0]), _held(sides[1], found[1])),
        granted,
        definitions=sides[0][0].run.definitions,
        equal=whole and all(one is not None and one <= SPREAD_SHARE for one in apart),
        declarable=True,
    )


def _held(runs: Sequence[LoggedRun], found: Sequence[_Lengths | None]) -> Held:
    known = [one for one in found if one is not None]
    if len(known) < len(found):
        return held(runs, None, ["whole file" for _ in runs])
    return held(runs, "; ".join(dict.fromkeys(one.text for one in known)), [one.locator for one in known])


def _apart(one: _Lengths, other: _Lengths) -> Fraction | None:
    """Mean distance of two lists in order of length over the mean of the first; of statistics the largest distance.

    None where nothing can be held against the other.
    """
    if one.listed and other.listed:
        mean, distance = samples.mean(one.listed), _wasserstein(one.listed, other.listed)
    else:
        both = [name for name in one.printed if name in other.printed]
        if not both:
            return None
        mean = max(one.printed.values())
        distance = max(abs(one.printed[name] - other.printed[name]) for name in both)
    if mean:
        return distance / mean
    return None if distance else Fraction(0)


def _wasserstein(one: Sequence[Fraction], other: Sequence[Fraction]) -> Fraction:
    """Integral of the distance of two quantile functions (Wasserstein, order 1), so lists need not be as long.

    Args:
        one, other: in order of size, at least one value each.
    """
    steps = sorted({Fraction(i, len(values)) for values in (one, other) for i in range(1, len(values) + 1)})
    total, done = Fraction(0), Fraction(0)
    for step in steps:
        mine, theirs = (values[-(-step.numerator * len(values) // step.denominator) - 1] for values in (one, other))
        total += abs(mine - theirs) * (step - done)
        done = step
    return total
