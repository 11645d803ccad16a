"""Step time, device span and what a step is spent on.

C = kernels of AI Core, vector core and AI CPU, M = large communication operators; computing = |C|, communication not
overlapped = |C ∪ M| - |C|, free = window - |C ∪ M|, by interval union in integer nanoseconds. The window of step k runs
from its first row to the first row of step k + 1, so the three parts add up to the step time to the nanosecond;
the last step has no successor: its envelope is shown and is not in the sample. One step, or no markers: the envelope
of C ∪ M, named device span. Source: docs/formats.md 6.4; docs/definitions.md, "Step".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from reportgen import intervals, samples, units
from reportgen.frames import AI_CPU, COMMUNICATION, KERNEL, OUTSIDE, distinct
from reportgen.metrics.common import Place, limit_interval, missing, no_communication, no_steps, quantity, sampled
from reportgen.model import Family, Measurement, Metric, MissingKind, Origin, Reason, Sample

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

SOURCE = "docs/formats.md 6.4"


def _time(id_: str, better: str = "lower", family: Family = Family.TIME) -> Metric:
    return Metric(id=id_, unit="ns", better=better, statistic="median", family=family, exact=False, source=SOURCE)  # type: ignore[arg-type]


def _share(id_: str, family: Family = Family.TIME) -> Metric:
    return Metric(
        id=id_,
        unit="1",
        better="neither",
        statistic="share",
        family=family,
        exact=False,
        source=SOURCE,
    )


STEP_TIME = _time("step_time")
DEVICE_SPAN = _time("device_span")
COMPUTING = _time("computing")
NOT_OVERLAPPED = replace(_time("communication_not_overlapped"), also=(Family.COMMUNICATION,))
COMMUNICATION_TIME = replace(_time("communication"), also=(Family.COMMUNICATION,))
FREE = replace(_time("free"), also=(Family.COMMUNICATION,))
COMPUTING_SHARE = _share("computing_share")
NOT_OVERLAPPED_SHARE = replace(_share("communication_not_overlapped_share"), also=(Family.COMMUNICATION,))
FREE_SHARE = replace(_share("free_share"), also=(Family.COMMUNICATION,))
METRICS = (
    STEP_TIME,
    DEVICE_SPAN,
    COMPUTING,
    NOT_OVERLAPPED,
    COMMUNICATION_TIME,
    FREE,
    COMPUTING_SHARE,
    NOT_OVERLAPPED_SHARE,
    FREE_SHARE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Windows:
    """The windows of one rank and what fills them, in ns; arrays of one length."""

    labels: tuple[str, ...]
    """Step ids; one empty label for the whole capture."""
    basis: str
    """``step window`` or ``device span``."""
    length: np.ndarray[Any, Any]
    """Window length."""
    computing: np.ndarray[Any, Any]
    """|C| inside."""
    communication: np.ndarray[Any, Any]
    """|M| inside."""
    busy: np.ndarray[Any, Any]
    """|C ∪ M| inside."""
    spans: tuple[int, ...]
    """Envelope of each step's own rows, the last step's too."""
    span_labels: tuple[str, ...]
    """Their step ids."""
    communicates: bool
    """Whether the kernel table holds any communication operator."""
    kernels: int
    """Rows of C ∪ M."""
    outside: int
    """Rows of C ∪ M outside every step."""


def windows(frame: pd.DataFrame) -> Windows | None:
    """The windows of a kernel table; None when nothing ran."""
    import numpy as np

    rows = frame[frame["kind"].isin([KERNEL, AI_CPU, COMMUNICATION])]
    if not len(rows):
        return None
    start = rows["start_ns"].to_numpy(dtype=np.int64)
    end = start + rows["duration_ns"].to_numpy(dtype=np.int64)
    compute = rows["kind"].isin([KERNEL, AI_CPU]).to_numpy()
    codes = rows["step"].cat.codes.to_numpy()
    names = [str(name) for name in rows["step"].cat.categories]
    labels = tuple(label for label in distinct(rows["step"]) if label != OUTSIDE)
    if labels:
        lows, highs = np.full(len(names), np.iinfo(np.int64).max), np.full(len(names), np.iinfo(np.int64).min)
        np.minimum.at(lows, codes, start)
        np.maximum.at(highs, codes, end)
        at = [names.index(label) for label in labels]
        firsts, lasts = lows[at], highs[at]
        order = np.argsort(firsts, kind="stable")
        labels, firsts, lasts = tuple(labels[i] for i in order), firsts[order], lasts[order]
    else:
        labels, firsts, lasts = ("",), np.array([start.min()]), np.array([end.max()])
    stepped = len(labels) >= 2
    edges = firsts if stepped else np.array([firsts[0], lasts[0]], dtype=np.int64)

    def inside(mask: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        if not mask.any():
            return np.zeros(len(edges) - 1, dtype=np.int64)
        return np.asarray(intervals.per_window(start[mask], end[mask], edges), dtype=np.int64)

    return Windows(
        labels=labels[:-1] if stepped else labels,
        basis="step window" if stepped else "device span",
        length=np.diff(edges),
        computing=inside(compute),
        communication=inside(~compute),
        busy=inside(np.ones(len(start), dtype=bool)),
        spans=tuple(int(value) for value in lasts - firsts),
        span_labels=labels,
        communicates=bool((~compute).any()),
        kernels=len(rows),
        outside=int((codes == names.index(OUTSIDE)).sum()) if OUTSIDE in names and labels != ("",) else 0,
    )


def kept(found: Windows, checkpoint_steps: tuple[str, ...]) -> tuple[list[int], tuple[str, ...], tuple[Reason, ...]]:
    """The windows in the sample, the labels left out, and why: checkpoint steps as agreed, then the warm-up rule."""
    if found.basis != "step window":
        return list(range(len(found.labels))), (), ()
    left = [i for i, label in enumerate(found.labels) if label not in checkpoint_steps]
    warm = [left[i] for i in samples.split_warmup([int(found.length[i]) for i in left])] if left else []
    saved = tuple(label for label in found.labels if label in checkpoint_steps)
    warmed = tuple(found.labels[i] for i in warm)
    reasons = []
    if saved:
        reasons.append(Reason.of("checkpoint_dropped", steps=", ".join(saved)))
    if warmed:
        reasons.append(Reason.of("warmup_dropped", steps=", ".join(warmed)))
    return [i for i in left if i not in warm], saved + warmed, tuple(reasons)


def measure(place: Place) -> list[Measurement]:
    """Every metric of this room for one rank, in the order of ``METRICS``."""
    found = windows(place.tables.kernels.frame)
    if found is None:
        nothing = missing(MissingKind.NOT_APPLICABLE, "no_kernel_ran")
        return [place.measured(metric, nothing) for metric in METRICS]
    keep, dropped, reasons = kept(found, place.checkpoint_steps)
    doubts = (*place.tables.kernels.warnings, *reasons)
    if found.outside:
        doubts = (*doubts, Reason.of("rows_outside_steps", n=found.outside))
    times = _times(place, found, keep, dropped, doubts)
    return [
        _step_time(place, found, keep, dropped, doubts),
        _device_span(place, found, doubts),
        *times,
        *_shares(place, found, keep, dropped, doubts),
    ]


def _origin(place: Place, found: Windows, formula: str) -> tuple[Origin, ...]:
    columns = "{step}, {start}, {duration}" if found.span_labels != ("",) else "{start}, {duration}"
    return place.kernels(f"columns {columns}; {{rows}}", formula)


def _of(
    place: Place,
    metric: Metric,
    found: Windows,
    values: list[int],
    keep: list[int],
    dropped: tuple[str, ...],
    doubts: tuple[Reason, ...],
    formula: str,
) -> Measurement:
    if not keep:
        return place.measured(
            metric, missing(MissingKind.NOT_APPLICABLE, "all_steps_left_out"), basis=found.basis, warnings=doubts
        )
    chosen = [values[i] for i in keep]
    sample = sampled(chosen, [found.labels[i] for i in keep], "ns", dropped)
    interval, said = limit_interval(sample.values, "ns")
    return place.measured(
        metric,
        quantity(samples.median(chosen), "ns"),
        sample=sample,
        interval=interval,
        basis=found.basis,
        origins=_origin(place, found, formula),
        warnings=(*doubts, *said),
    )


def _step_time(
    place: Place, found: Windows, keep: list[int], dropped: tuple[str, ...], doubts: tuple[Reason, ...]
) -> Measurement:
    if found.basis != "step window":
        one_step = missing(MissingKind.NOT_RECORDED, "one_step_only", place.option("steps"))
        why = no_steps(place) if found.span_labels == ("",) else one_step
        return place.measured(STEP_TIME, why, warnings=doubts)
    return _of(
        place,
        STEP_TIME,
        found,
        [int(v) for v in found.length],
        keep,
        dropped,
        doubts,
        "median of start[k+1] - start[k]",
    )


def _device_span(place: Place, found: Windows, doubts: tuple[Reason, ...]) -> Measurement:
    keep = [i for i, label in enumerate(found.span_labels) if label not in place.checkpoint_steps]
    values = [found.spans[i] for i in keep]
    if not values:
        return place.measured(DEVICE_SPAN, missing(MissingKind.NOT_APPLICABLE, "all_steps_left_out"), warnings=doubts)
    sample: Sample = sampled(
        values,
        [found.span_labels[i] for i in keep],
        "ns",
        [label for label in found.span_labels if label in place.checkpoint_steps],
    )
    interval, said = limit_interval(sample.values, "ns")
    return place.measured(
        DEVICE_SPAN,
        quantity(samples.median(values), "ns"),
        sample=sample,
        interval=interval,
        basis="device span",
        origins=_origin(place, found, "median of max(end) - min(start) of each step"),
        warnings=(*doubts, *said),
    )


def _times(
    place: Place, found: Windows, keep: list[int], dropped: tuple[str, ...], doubts: tuple[Reason, ...]
) -> list[Measurement]:
    rows = (
        (COMPUTING, found.computing, "|C|"),
        (NOT_OVERLAPPED, found.busy - found.computing, "|C ∪ M| - |C|"),
        (COMMUNICATION_TIME, found.communication, "|M|"),
        (FREE, found.length - found.busy, "window - |C ∪ M|"),
    )
    silent = no_communication(place)
    return [
        place.measured(metric, silent, basis=found.basis, warnings=doubts)
        if metric in (NOT_OVERLAPPED, COMMUNICATION_TIME) and not found.communicates
        else _of(
            place, metric, found, [int(v) for v in values], keep, dropped, doubts, f"median over windows of {formula}"
        )
        for metric, values, formula in rows
    ]


def _shares(
    place: Place, found: Windows, keep: list[int], dropped: tuple[str, ...], doubts: tuple[Reason, ...]
) -> list[Measurement]:
    total = sum(int(found.length[i]) for i in keep)
    parts = (
        (COMPUTING_SHARE, found.computing, "sum |C| / sum window"),
        (NOT_OVERLAPPED_SHARE, found.busy - found.computing, "sum (|C ∪ M| - |C|) / sum window"),
        (FREE_SHARE, found.length - found.busy, "sum (window - |C ∪ M|) / sum window"),
    )
    done: list[Measurement] = []
    for metric, values, formula in parts:
        if found.kernels == 1:
            done.append(
                place.measured(metric, missing(MissingKind.NOT_APPLICABLE, "single_kernel_shares"), warnings=doubts)
            )
        elif metric is NOT_OVERLAPPED_SHARE and not found.communicates:
            done.append(place.measured(metric, no_communication(place), warnings=doubts))
        elif total == 0:
            done.append(
                place.measured(metric, missing(MissingKind.NOT_APPLICABLE, "window_of_no_length"), warnings=doubts)
            )
        else:
            part = sum(int(values[i]) for i in keep)
            sample = sampled(
                [units.exact(Fraction(int(values[i]), int(found.length[i]))) for i in keep if found.length[i]],
                [found.labels[i] for i in keep if found.length[i]],
                "1",
                dropped,
            )
            lengths = [int(found.length[i]) for i in keep if found.length[i]]
            interval, said = limit_interval(sample.values, "1", lengths)
            done.append(
                place.measured(
                    metric,
                    quantity(Fraction(part, total), "1"),
                    sample=sample,
                    interval=interval,
                    numerator=quantity(part, "ns"),
                    denominator=quantity(total, "ns"),
                    basis=found.basis,
                    origins=_origin(place, found, formula),
                    warnings=(*doubts, *said),
                )
            )
    return done
