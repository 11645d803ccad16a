"""How busy the units of a core were: quotients over many operators, of sums, never averaged.

R = sum of a pipe's time / sum of the core's total time over the kernel rows that have both. msprof level 0 writes every
time as 0.0 because it divides by a block number that is 0; the cycles and ratios are real there, so
R = sum(ratio x cycles) / sum(cycles), named cycle-weighted. The two are never mixed. With step ids every metric has
one value for each kept step too; its summary is that of all kernel rows.

Source: docs/formats.md 3.2, 9, 11.1 (2), 11.5, 11.8; evidence/definitions.toml.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from typing import TYPE_CHECKING, Literal

from reportgen import units
from reportgen.definitions import Definition, read_definitions
from reportgen.frames import AI_CPU, COMMUNICATION, KERNEL
from reportgen.metrics import pmu_rows
from reportgen.metrics.chip import CLOCKS, CORES, chip, not_recorded, one_kind_of_core
from reportgen.metrics.common import Place, last_digit, limit_interval, missing, quantity, rounding, sampled
from reportgen.metrics.memory_bound_share import MEMORY_BOUND_SHARE, memory_bound_share
from reportgen.metrics.pmu_rows import BASIS, NOTHING_COMPUTED, listed, not_there
from reportgen.metrics.stepwise import TEXTS, kept_lengths, with_steps
from reportgen.model import Family, Measurement, Metric, Missing, MissingKind, Reason
from reportgen.reading.kernels import PIPES

if TYPE_CHECKING:
    import pandas as pd


def _metric(id_: str, statistic: str, source: str) -> Metric:
    return Metric(
        id=id_, unit="1", better="neither", statistic=statistic, family=Family.PMU, exact=False, source=source
    )


RATIOS = tuple(
    _metric(f"{core}_{pipe}_ratio", "weighted", "docs/formats.md 9, 11.1")
    for core, pipes in PIPES.items()
    for pipe in pipes
)
BOUND_SHARE = _metric("aiv_mte2_bound_share", "share", "docs/formats.md 9")
MEMORY_BOUND = _metric("memory_bound", "weighted", "docs/formats.md 3.2, 11.5")
CUBE_ELAPSED = _metric("cube_utilization_elapsed", "weighted", "docs/formats.md 9, 11.5")
CUBE_TASK = _metric("cube_utilization_task", "weighted", "docs/formats.md 9, 11.5")
METRICS = (*RATIOS, BOUND_SHARE, MEMORY_BOUND, MEMORY_BOUND_SHARE, CUBE_ELAPSED, CUBE_TASK)

COMPUTE = {"aic": "mac", "aiv": "vec"}
"""The pipe that computes, by core, where cube and vector cores are apart."""
EXECUTED = ("", "_exe")
"""Forms of a pipe's columns: PipeUtilization, PipelineExecuteUtilization."""
VECTOR_ROWS = ("AI_VECTOR_CORE", "MIX_AIV")
"""Core kinds whose cycles are not of the cube where the cycles carry no core in their name."""
WHOLE_SPAN = "last end - first start"
OWN_DURATIONS = "sum of durations"


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """What a pipe took of its core, for each kernel row that records both."""

    rows: pd.DataFrame
    """The rows."""
    part: list[int]
    """Of the pipe, in ``1 / part_scale`` of the unit."""
    whole: list[int]
    """Of the core, in ``1 / whole_scale`` of the unit."""
    part_scale: int
    """Units of ``part`` in one."""
    whole_scale: int
    """Units of ``whole`` in one."""
    unit: Literal["ns", "1"]
    """``ns``: times; ``1``: cycles."""
    locator: str
    """Columns, with names of ``SPELLED`` in braces, and the number of rows."""
    formula: str
    """How the summary is formed."""

    def quotient(self, part: int, whole: int) -> Fraction:
        """Part over whole, both in the units of the lists."""
        return Fraction(part * self.whole_scale, whole * self.part_scale)

    def rounded(self) -> Fraction:
        """By how much the rounding of times, or of recorded ratios, can move the quotient of all rows."""
        if self.unit == "ns":
            return self.quotient(sum(self.part), sum(self.whole)) * rounding(self.part, self.whole)
        ratios = [part // whole for part, whole in zip(self.part, self.whole, strict=True) if whole]
        return Fraction(last_digit(ratios), 2 * self.part_scale)


def measure(place: Place) -> list[Measurement]:
    """Every metric of this room for one rank, in the order of ``METRICS``.

    Returns:
        One each of the four ratios, ``aiv_mte2_bound_share``, ``memory_bound_share`` and both cube utilisations.
        ``memory_bound``: one for each core where a chip has cube cores and vector cores apart, else one of the whole.
        Witness: ``pmu_rows``.
    """
    named = place.tables.kernels.frame
    named = named[named["kind"] == KERNEL]
    rows = named[[name for name in named if name not in TEXTS]]
    lengths, dropped = kept_lengths(place)
    kept = list(lengths)
    pipes = [(core, pipe) for core, names in PIPES.items() for pipe in names]
    found = (
        *(
            _ratio(place, metric, weighed(place, rows, core, pipe), kept, dropped)
            for metric, (core, pipe) in zip(RATIOS, pipes, strict=True)
        ),
        *with_steps(
            _further(place, rows, None),
            {step: _further(place, rows[rows["step"] == step], length) for step, length in lengths.items()},
            dropped,
        ),
    )
    return pmu_rows.checked(place, named, found)


def _further(place: Place, rows: pd.DataFrame, length: int | None) -> list[Measurement]:
    """Both bound shares, memory bound and occupancy of some rows; ``length``: of their window, None for the span."""
    return [
        _bound_share(place, rows),
        *_memory_bound(place, rows),
        memory_bound_share(place, rows),
        *_cube(place, rows, length),
    ]


def weighed(place: Place, rows: pd.DataFrame, core: str, pipe: str) -> Weighed | Missing:
    """What a pipe took of its core: by times, else by cycles, never by both.

    Args:
        rows: the kernel rows; core: ``aic`` or ``aiv``; pipe: one of ``PIPES``.

    Returns:
        Rows that record both, the sum of the core's own being above 0; else a Missing: ``core_not_used``,
        ``pmu_other_columns`` or ``pmu_not_collected``.
    """
    total, time = f"{core}_total", f"{core}_{pipe}_time"
    cycles, ratio = f"{core}_cycles", f"{core}_{pipe}_ratio"
    table = place.tables.kernels
    if total in rows and time in rows:
        both = rows[rows[total].notna() & rows[time].notna()]
        whole = both[total].tolist()
        if sum(whole) > 0:
            return Weighed(
                rows=both,
                part=both[time].tolist(),
                whole=whole,
                part_scale=table.times_per_ns,
                whole_scale=table.times_per_ns,
                unit="ns",
                locator=f"columns {{{time}}}, {{{total}}}; {len(both)} rows",
                formula="sum time / sum total time",
            )
    if cycles in rows and ratio in rows:
        both = rows[rows[cycles].notna() & rows[ratio].notna()]
        whole = both[cycles].tolist()
        if sum(whole) > 0:
            return Weighed(
                rows=both,
                part=list(map(mul, both[ratio].tolist(), whole)),
                whole=whole,
                part_scale=table.ratios_per_one,
                whole_scale=1,
                unit="1",
                locator=f"columns {{{ratio}}}, {{{cycles}}}; {len(both)} rows",
                formula="sum(ratio x cycles) / sum cycles",
            )
        return missing(MissingKind.NOT_APPLICABLE, "core_not_used", core=core)
    return not_there(place, f"{core}_{pipe}_ratio")


def _ratio(
    place: Place, metric: Metric, found: Weighed | Missing, kept: list[str], dropped: tuple[str, ...]
) -> Measurement:
    if isinstance(found, Missing):
        return place.measured(metric, found)
    part, whole = sum(found.part), sum(found.whole)
    doubts = place.tables.kernels.warnings
    by_step = _by_step(found) if kept else {}
    values = {
        label: units.exact(found.quotient(*by_step[label])) for label in kept if by_step.get(label, (0, 0))[1] > 0
    }
    sample = sampled(list(values.values()), list(values), "1", dropped) if values else None
    weights = [by_step[label][1] for label in values]
    interval, said = limit_interval(sample.values, "1", weights) if sample is not None else (None, ())
    return place.measured(
        metric,
        quantity(found.quotient(part, whole), "1"),
        sample=sample,
        interval=interval,
        numerator=quantity(Fraction(part, found.part_scale), found.unit),
        denominator=quantity(Fraction(whole, found.whole_scale), found.unit),
        resolution=quantity(found.rounded(), "1"),
        basis=BASIS[found.unit],
        warnings=(*doubts, *said),
        origins=place.kernels(found.locator, found.formula),
    )


def _by_step(found: Weighed) -> dict[str, tuple[int, int]]:
    """Step id -> sums of part and whole."""
    column = found.rows["step"].cat
    parts, wholes = [0] * (len(column.categories) + 1), [0] * (len(column.categories) + 1)
    for code, part, whole in zip(column.codes.tolist(), found.part, found.whole, strict=True):
        parts[code] += part
        wholes[code] += whole
    return {str(label): (parts[code], wholes[code]) for code, label in enumerate(column.categories)}


def _bound_share(place: Place, rows: pd.DataFrame) -> Measurement:
    """The share of the vector cores' time in kernels whose aiv_mte2_ratio is above the limit of the Rec SDK guide.

    The ratio of a row is time over total, else its ratio column, exact: 0.8 itself is not above 0.8, and nothing is
    rounded first. Weighted by total time, at level 0 by cycles. The guide looks for "many" such kernels and gives no
    number for that: the share is shown, not judged. Not applicable where cube and vector share one core: the column is
    not of vector kernels there. Source: Rec SDK performance tuning, as cited in evidence/definitions.toml.
    """
    limit = read_definitions()["aiv_mte2_bound"]
    if one_kind_of_core(place):
        other = not_there(place, BOUND_SHARE.id)
        alike = missing(MissingKind.NOT_APPLICABLE, "one_kind_of_core", metric=BOUND_SHARE.id)
        return place.measured(BOUND_SHARE, other if other.reason.code == "pmu_other_columns" else alike)
    found = weighed(place, rows, "aiv", "mte2")
    if isinstance(found, Missing):
        return place.measured(BOUND_SHARE, found)
    times = found.unit == "ns"
    weights, scale = ("aiv_total", found.whole_scale) if times else ("aiv_cycles", 1)
    rated = [name for name in (("aiv_mte2_time", "aiv_mte2_ratio") if times else ("aiv_mte2_ratio",)) if name in rows]
    rows = rows[rows[weights].notna() & rows[rated].notna().any(axis=1)]
    whole = rows[weights].tolist()
    above = _above(place, rows, whole, limit, times=times)
    bound = sum(weight for weight, over in zip(whole, above, strict=True) if over)
    columns = "{aiv_mte2_time}, {aiv_total}, {aiv_mte2_ratio}" if times else "{aiv_mte2_ratio}, {aiv_cycles}"
    word = "total time" if times else "cycles"
    return place.measured(
        BOUND_SHARE,
        quantity(Fraction(bound, sum(whole)), "1"),
        numerator=quantity(Fraction(bound, scale), found.unit),
        denominator=quantity(Fraction(sum(whole), scale), found.unit),
        basis=BASIS[found.unit],
        warnings=place.tables.kernels.warnings,
        origins=(
            *place.kernels(
                f"columns {columns}; {len(rows)} rows, {sum(above)} above",
                f"sum {word} of rows with ratio {limit.relation} {float(limit.value):g} / sum {word}",
            ),
            limit.origin,
        ),
    )


def _above(place: Place, rows: pd.DataFrame, totals: list[int], limit: Definition, *, times: bool) -> list[bool]:
    """For each row whether its ratio of MTE2 is above a limit: by time and total where both are, else as recorded."""
    ones = place.tables.kernels.ratios_per_one
    nothing: list[int | None] = [None] * len(rows)
    spent = listed(rows["aiv_mte2_time"]) if times else nothing
    ratios = listed(rows["aiv_mte2_ratio"]) if "aiv_mte2_ratio" in rows else nothing
    return [
        limit.holds(time, total) if time is not None else limit.holds(ratio or 0, ones)
        for time, total, ratio in zip(spent, totals, ratios, strict=True)
    ]


def _memory_bound(place: Place, rows: pd.DataFrame) -> list[Measurement]:
    """Transfers over computing: mte2 / max(mac, vec) as a quotient of sums, which may exceed 1 and is never clipped.

    Where cube and vector share one core (910A, 310P, 310B): sum(mte2 ratio x total time) / sum(max(mac ratio, vec
    ratio) x total time), the larger pipe taken kernel by kernel as in the exporter's column ``memory_bound``; of one
    kernel it is that column, which is read where the pipes are not. Where the cores are apart (910B, 950) the exporter
    writes no such column, and one number would hold the transfers of one core against the computing of the other: it
    is given for the cube cores (part ``aic``: sum mte2 time / sum mac time) and for the vector cores (``aiv``: sum mte2
    time / sum vec time). At level 0 cycles stand for times. A kernel that only transfers adds to the numerator; their
    number is a warning. Where nothing was computed there is no quotient (the exporter writes 0): a Missing.
    Source: docs/formats.md 3.2, 11.5.
    """
    if one_kind_of_core(place):
        return [_bound(place, rows, "", (("aic", "mte2"), ("aic", "mac"), ("aiv", "vec")))]
    found = [_bound(place, rows, core, ((core, "mte2"), (core, compute))) for core, compute in COMPUTE.items()]
    reasons = {m.summary.reason.code for m in found if isinstance(m.summary, Missing)}
    if reasons & {"pmu_other_columns", "pmu_not_collected", "source_without_counters"}:
        return [place.measured(MEMORY_BOUND, not_there(place, MEMORY_BOUND.id))]
    return found


def _bound(place: Place, rows: pd.DataFrame, part: str, pipes: tuple[tuple[str, str], ...]) -> Measurement:
    """``memory_bound`` of transfers (the first pipe) over the larger of the others."""
    table, total, cycles = place.tables.kernels, f"{pipes[0][0]}_total", f"{pipes[0][0]}_cycles"
    timed = total in rows and bool((rows[total] > 0).any())
    weight = total if timed else cycles
    endings = (*(("_time",) if timed and part else ()), *(f"{form}_ratio" for form in EXECUTED))
    choices = ([f"{core}_{pipe}{ending}" for core, pipe in pipes] for ending in endings)
    columns = next((names for names in choices if {*names, weight} <= {*rows}), [])
    if not columns:
        return _as_recorded(place, rows, part)
    rows = rows[rows[[*columns, weight]].notna().all(axis=1)]
    weights, plain = rows[weight].tolist(), columns[0].endswith("_time")
    lists = [rows[name].tolist() if plain else list(map(mul, rows[name].tolist(), weights)) for name in columns]
    moved, computed = lists[0], list(map(max, zip(*lists[1:], strict=True)))
    if sum(computed) == 0:
        unused = missing(MissingKind.NOT_APPLICABLE, "core_not_used", core=pipes[0][0])
        return place.measured(MEMORY_BOUND, NOTHING_COMPUTED if sum(weights) else unused, part=part)
    scale = (table.times_per_ns if timed else 1) * (1 if plain else table.ratios_per_one)
    unit: Literal["ns", "1"] = "ns" if timed else "1"
    idle = sum(1 for a, b in zip(moved, computed, strict=True) if a > 0 and b == 0)
    doubts = (Reason.of("memory_bound_transfers_only", n=idle, of=len(rows)),) if idle else ()
    by = "" if plain else f" x {'total time' if timed else 'cycles'}"
    names = [name for _, name in pipes]
    larger = names[1] if len(names) == 2 else f"max({', '.join(names[1:])})"
    spelled = ", ".join(f"{{{name}}}" for name in (*columns, *(() if plain else (weight,))))
    return place.measured(
        MEMORY_BOUND,
        quantity(Fraction(sum(moved), sum(computed)), "1"),
        part=part,
        numerator=quantity(Fraction(sum(moved), scale), unit),
        denominator=quantity(Fraction(sum(computed), scale), unit),
        basis=BASIS[unit],
        warnings=(*table.warnings, *doubts),
        origins=place.kernels(f"columns {spelled}; {len(rows)} rows", f"sum({names[0]}{by}) / sum({larger}{by})"),
    )


def _as_recorded(place: Place, rows: pd.DataFrame, part: str) -> Measurement:
    """The exporter's own quotient of a single kernel; quotients of several are not summed."""
    column = "memory_bound_millionths"
    values = rows[column].dropna().tolist() if column in rows else []
    if not values:
        return place.measured(MEMORY_BOUND, not_there(place, MEMORY_BOUND.id), part=part)
    if len(rows) > 1:
        why = missing(MissingKind.NOT_RECORDED, "memory_bound_of_several", n=len(rows))
        return place.measured(MEMORY_BOUND, why, part=part)
    if values[0] == 0:
        return place.measured(MEMORY_BOUND, NOTHING_COMPUTED, part=part)
    return place.measured(
        MEMORY_BOUND,
        quantity(Fraction(values[0], 10**6), "1"),
        part=part,
        basis="as recorded",
        warnings=place.tables.kernels.warnings,
        origins=place.kernels("column {memory_bound}; 1 row", "mte2 / max(mac, vec) as written"),
    )


def _cube(place: Place, rows: pd.DataFrame, length: int | None) -> list[Measurement]:
    """Occupancy of the cube cores: sum(cycles) / (T x cores x nominal clock); it says nothing about MAC use.

    ``cube_utilization_elapsed``: T = last end - first start of all kernels, AI CPU kernels and communication operators;
    of one step, the length of its window.
    The Rec SDK guide takes last start - first start, which leaves out the last row's duration: its value is higher,
    and of one row there is none. ``cube_utilization_task``: T = sum of durations of the rows with cube cycles, without
    gaps and other kernels; of one row it is the column ``cube_utilization(%)``. Cores and clock are those the capture
    records. The value falls with a clock below the nominal, and may exceed 1 above it. Where cube and vector share one
    core, rows of vector kernels are left out. Source: docs/formats.md 3.2, 9, 11.5; Rec SDK performance tuning.
    """
    used = rows[rows["aic_cycles"] > 0] if "aic_cycles" in rows else None
    if used is not None and one_kind_of_core(place):
        used = used[~used["accelerator"].isin(VECTOR_ROWS)]
    if used is None or not len(used):
        why = (
            not_there(place, CUBE_TASK.id)
            if used is None
            else missing(MissingKind.NOT_APPLICABLE, "core_not_used", core="aic")
        )
        return [place.measured(metric, why) for metric in (CUBE_ELAPSED, CUBE_TASK)]
    frame = place.tables.kernels.frame
    ran = frame.loc[frame["kind"].isin([KERNEL, AI_CPU, COMMUNICATION]), ["start_ns", "duration_ns"]]
    elapsed = length
    if elapsed is None:
        elapsed = int((ran["start_ns"] + ran["duration_ns"]).max()) - int(ran["start_ns"].min())
    cycles = sum(used["aic_cycles"].tolist())
    return [
        _occupied(place, CUBE_ELAPSED, cycles, [elapsed], WHOLE_SPAN, f"{len(used)} of {len(ran)} rows"),
        _occupied(place, CUBE_TASK, cycles, used["duration_ns"].tolist(), OWN_DURATIONS, f"{len(used)} rows"),
    ]


def _occupied(place: Place, metric: Metric, cycles: int, durations: list[int], basis: str, rows: str) -> Measurement:
    """Cycles over those that all cube cores have in a duration (ns), which is a sum."""
    duration = sum(durations)
    keys = (CORES["aic"], CLOCKS["aic"])
    recorded = chip(place)
    if "aic" not in recorded.cores or "aic" not in recorded.mhz:
        return place.measured(metric, not_recorded(*keys), basis=basis)
    if duration == 0:
        return place.measured(metric, missing(MissingKind.NOT_APPLICABLE, "window_of_no_length"), basis=basis)
    available = duration * recorded.cores["aic"] * recorded.mhz["aic"] / 1000
    return place.measured(
        metric,
        quantity(cycles / available, "1"),
        numerator=quantity(cycles, "1"),
        denominator=quantity(available, "1"),
        resolution=quantity(cycles / available * rounding([cycles], durations), "1"),
        basis=basis,
        warnings=place.tables.kernels.warnings,
        origins=(
            *place.kernels(
                f"columns {{aic_cycles}}, {{start}}, {{duration}}; {rows}",
                f"sum cycles / (({basis}) x cores x clock)",
            ),
            *recorded.origin(place, *keys),
        ),
    )
