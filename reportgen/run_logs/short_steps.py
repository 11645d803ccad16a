"""Steps that took far less time than the others of their run: other work, or a figure that was edited.

A clock of whole seconds does not show that one step of 410 ms stands as 41 ms. Source: docs/logs.md, "Doubts".
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from reportgen import samples
from reportgen.model import LoggedSeries, Reason, Run
from reportgen.run_logs import building

SHORT_SHARE = Fraction(1, 2)
"""``short_step_share`` of evidence/choices.toml."""


def short_steps(run: Run) -> tuple[Reason, ...]:
    """A doubt for each list of step times of which some are below half of the median by more than a last digit.

    None for all others.
    """
    return tuple(reason for one in run.series if one.metric == "step_time" for reason in _short(one))


def _short(series: LoggedSeries) -> Iterator[Reason]:
    values = series.sample.values
    if len(values) < samples.FEWEST_FOR_RANKS:
        return
    limit = SHORT_SHARE * samples.median(values) - Fraction(series.resolution.value)
    short = [label for label, value in zip(series.sample.labels, values, strict=False) if value < limit]
    if short:
        yield Reason.of("log_short_steps", n=len(short), of=len(values), steps=building.joined(short))
