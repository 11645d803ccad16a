"""One value for each step beside a value of all rows: the sample that intervals and comparisons rest on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from reportgen.metrics import steps
from reportgen.metrics.common import Place, limit_interval, sampled
from reportgen.model import Measurement, Missing, Quantity


def kept_lengths(place: Place) -> tuple[dict[str, int], tuple[str, ...]]:
    """Step -> length of its window (ns) of the sample, and the steps left out, as ``steps`` keeps them.

    Empty without step ids.
    """
    found = steps.windows(place.tables.kernels.frame)
    if found is None or found.span_labels == ("",):
        return {}, ()
    keep, dropped, _ = steps.kept(found, place.checkpoint_steps)
    return {found.labels[i]: int(found.length[i]) for i in keep}, dropped


def with_steps(
    whole: Sequence[Measurement], by_step: Mapping[str, Sequence[Measurement]], dropped: tuple[str, ...]
) -> list[Measurement]:
    """Measurements of all rows, each with its sample over steps.

    Args:
        whole: of all rows; by_step: step -> the same measured on the step's rows alone; dropped: steps left out.

    Returns:
        ``whole`` in its order. A step without a value, or with one on another basis, is not in the sample. The
        interval is that of the mean by the steps' denominators; without them steps weigh alike.
    """
    done: list[Measurement] = []
    for one in whole:
        held = {
            label: (other.summary.value, other.denominator)
            for label, found in by_step.items()
            for other in found
            if (other.metric, other.dimensions.part, other.basis) == (one.metric, one.dimensions.part, one.basis)
            and isinstance(other.summary, Quantity)
        }
        values = {label: value for label, (value, _) in held.items()}
        if isinstance(one.summary, Missing) or not values:
            done.append(one)
            continue
        sample = sampled(list(values.values()), list(values), one.summary.unit, dropped)
        below = [Fraction(of.value) for _, of in held.values() if of is not None]
        weights = below if len(below) == len(values) else [1] * len(values)
        interval, said = limit_interval(sample.values, one.summary.unit, weights)
        done.append(replace(one, sample=sample, interval=interval, warnings=(*one.warnings, *said)))
    return done


TEXTS = ("device", "stream", "task", "name", "type", "shapes", "dtypes", "formats")
"""Columns of the kernel table that no ratio and no clock is made of."""


def narrowed(place: Place, *, without: Collection[str]) -> Place:
    """The place with the kernel rows' columns but those named: rows of a step are cut out of fewer columns faster."""
    table = place.tables.kernels
    frame = table.frame[[name for name in table.frame if name not in without]]
    return replace(place, tables=replace(place.tables, kernels=replace(table, frame=frame)))


def step_place(place: Place, step: str) -> Place:
    """The place with the kernel rows of one step alone."""
    table = place.tables.kernels
    frame = table.frame[(table.frame["step"] == step).to_numpy()]
    return replace(place, tables=replace(place.tables, kernels=replace(table, frame=frame)))
