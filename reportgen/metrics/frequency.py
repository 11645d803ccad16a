"""The clock the kernels ran at: computed back from their cycles, and as recorded over time.

``pmu_clock``: the exporter forms total time = cycles / f / blocks x ceil(blocks / cores), so the kernel table holds f
even where no column says it. ``ai_core_frequency``: the recorded clock, weighted by the time in which a kernel ran; the
lowest value alone is a false alarm, since the clock falls while the device is idle.
Source: docs/formats.md 3.2, 4.2, 9, 11.1 (5), 11.5, 11.7; evidence/definitions.toml.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from reportgen import intervals
from reportgen.definitions import read_definitions
from reportgen.frames import KERNEL, Table
from reportgen.metrics.chip import CLOCKS, CORES, Chip, chip, one_kind_of_core, own_files
from reportgen.metrics.common import Place, missing, no_pmu, quantity, rounding, sampled, stamps
from reportgen.metrics.memory import absent
from reportgen.metrics.stepwise import TEXTS, kept_lengths, narrowed, step_place, with_steps
from reportgen.model import Family, Measurement, Metric, Missing, MissingKind, Origin, Reason, Series, Witness
from reportgen.reading.kernels import PIPES

if TYPE_CHECKING:
    import pandas as pd

PMU_CLOCK = Metric(
    id="pmu_clock",
    unit="1/s",
    better="neither",
    statistic="weighted",
    family=Family.PMU,
    exact=False,
    source="docs/formats.md 3.2, 11.1",
)
AI_CORE_FREQUENCY = Metric(
    id="ai_core_frequency",
    unit="1/s",
    better="neither",
    statistic="weighted",
    family=Family.TIME,
    exact=False,
    source="docs/formats.md 4.2, 9, 11.7",
)
METRICS = (PMU_CLOCK, AI_CORE_FREQUENCY)
HZ = 10**6
"""Hertz in a megahertz."""
MOST_POINTS = 400
"""Points of a series for a chart."""
MIX = {"aic": ("MIX_AIV",), "aiv": ("MIX_AIC",)}
"""Core kinds of rows whose blocks are not those of the core."""
UNUSED = tuple(f"{core}_{pipe}_{end}" for core, pipes in PIPES.items() for pipe in pipes for end in ("time", "ratio"))
"""Columns of single pipes, of which no clock is made."""
MOST_MHZ = 10_000
"""A clock above is none; ours, five times that of any chip."""
SWITCHES = ("ai_core_lpm", "low_power")
"""Keys of sample.json for recording changes of the clock; the first one written counts."""


def measure(place: Place) -> list[Measurement]:
    """``pmu_clock`` by part and ``ai_core_frequency`` of one rank.

    Returns:
        ``pmu_clock``: parts ``aic`` and ``aiv``; ``aic`` alone where cube and vector share one core; one Missing of the
        whole when no PMU data were collected. ``ai_core_frequency``: one.
    """
    lengths, dropped = kept_lengths(place)
    narrow = narrowed(place, without=(*TEXTS, *UNUSED))
    return with_steps(_clocks(narrow), {step: _clocks(step_place(narrow, step)) for step in lengths}, dropped)


def _clocks(place: Place) -> list[Measurement]:
    return [*_pmu_clocks(place), _ai_core_frequency(place)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Waves:
    """Rows whose clock can be computed, each list one value a row."""

    cycles: list[int]
    """Total cycles over all blocks."""
    times: list[int]
    """Total time in ``1 / times_per_ns`` ns."""
    blocks: list[int]
    """Blocks of the core."""
    waves: list[int]
    """ceil(blocks / cores)."""
    lines: list[int]
    """Line in the file."""
    left_out: int
    """Rows with cycles and time whose waves are not known."""

    def per_wave(self) -> Fraction:
        """The sum of cycles x waves / blocks, which is total time x clock."""
        sums: dict[tuple[int, int], int] = {}
        for cycles, waves, blocks in zip(self.cycles, self.waves, self.blocks, strict=True):
            sums[waves, blocks] = sums.get((waves, blocks), 0) + cycles
        return sum((Fraction(total * waves, blocks) for (waves, blocks), total in sums.items()), Fraction(0))


def failed(place: Place) -> tuple[Witness, ...]:
    """The kernel table's checks that fail; those that hold count its rows and say nothing of a clock."""
    return tuple(witness for witness in place.witnesses if not witness.agrees)


def _pmu_clocks(place: Place) -> list[Measurement]:
    frame = place.tables.kernels.frame
    rows = frame[frame["kind"] == KERNEL]
    shared = one_kind_of_core(place)
    cores = [core for core in (("aic",) if shared else ("aic", "aiv")) if f"{core}_cycles" in rows]
    if not cores:
        return [place.measured(PMU_CLOCK, no_pmu(place, PMU_CLOCK.id))]
    recorded = chip(place)
    return [_pmu_clock(place, rows, core, recorded, shared=shared) for core in cores]


def _pmu_clock(place: Place, rows: pd.DataFrame, core: str, recorded: Chip, *, shared: bool) -> Measurement:
    """The clock of one kind of core: sum(cycles x waves / blocks) / sum(total time), waves = ceil(blocks / cores).

    A row of one block runs in one wave on any chip. With more blocks the core count has to be recorded; without it, or
    without the number of blocks, rows are left out and counted. In rows of both cores the blocks of the second core are
    Mix Block Num; that is shown for MIX_AIC only, so the cube part of MIX_AIV rows is left out.
    """
    found = _waves(rows, core, recorded.cores.get(core), shared=shared)
    if found is None or not found.cycles:
        return place.measured(PMU_CLOCK, _no_clock(place, rows, core, found), part=core)
    table = place.tables.kernels
    per_wave, spent = found.per_wave(), Fraction(sum(found.times), table.times_per_ns)
    doubts = _off_nominal(found, table, recorded.mhz.get(core))
    if found.left_out:
        of = found.left_out + len(found.cycles)
        doubts = (*doubts, Reason.of("pmu_clock_rows_left_out", n=found.left_out, of=of))
    columns = f"{{{core}_cycles}}, {{{core}_total}}, {{blocks}}"
    formula = "sum(cycles x ceil(blocks / cores) / blocks) / sum total time"
    return place.measured(
        PMU_CLOCK,
        quantity(per_wave * 10**9 / spent, "1/s"),
        part=core,
        numerator=quantity(per_wave, "1"),
        denominator=quantity(spent, "ns"),
        resolution=quantity(per_wave * 10**9 / spent * rounding(found.cycles, found.times), "1/s"),
        basis="cycles over time",
        witnesses=failed(place),
        warnings=(*table.warnings, *doubts),
        origins=(
            *place.kernels(f"columns {columns}; {len(found.cycles)} rows", formula),
            *recorded.origin(place, CORES[core], CLOCKS[core]),
        ),
    )


def _no_clock(place: Place, rows: pd.DataFrame, core: str, found: _Waves | None) -> Missing:
    """Why the clock of a core cannot be computed: not used, no times (level 0), or waves not known."""
    if found is not None:
        remedy = Reason.of("keep_info_json")
        return missing(MissingKind.NOT_RECORDED, "pmu_clock_unknown", remedy, n=found.left_out, key=CORES[core])
    if not (rows[f"{core}_cycles"] > 0).any():
        return missing(MissingKind.NOT_APPLICABLE, "core_not_used", core=core)
    return missing(MissingKind.NOT_COLLECTED, "level0_zero_times", place.option("pmu"))


def _waves(rows: pd.DataFrame, core: str, cores: int | None, *, shared: bool) -> _Waves | None:
    """The rows of a core with cycles and time; None when no row has a time (level 0)."""
    total, cycles = f"{core}_total", f"{core}_cycles"
    rows = (
        rows[(rows[total] > 0).fillna(value=False) & (rows[cycles] > 0).fillna(value=False)]
        if total in rows
        else rows[:0]
    )
    if not len(rows):
        return None
    blocks = _blocks(rows, core, shared=shared)
    known = [n > 0 and (n == 1 or cores is not None) for n in blocks]
    kept = [n for n, is_known in zip(blocks, known, strict=True) if is_known]
    own = rows[known]
    return _Waves(
        cycles=own[cycles].tolist(),
        times=own[total].tolist(),
        blocks=kept,
        waves=[1 if cores is None else -(-n // cores) for n in kept],
        lines=own["line"].tolist(),
        left_out=len(rows) - len(kept),
    )


def _blocks(rows: pd.DataFrame, core: str, *, shared: bool) -> list[int]:
    """The blocks that ran on a core, row by row; 0 where the table does not tell."""
    nothing = [0] * len(rows)
    own, mixed = (rows[name].fillna(0).tolist() if name in rows else nothing for name in ("blocks", "mix_blocks"))
    if shared:
        return own
    other = rows["accelerator"].isin(MIX[core]).tolist()
    second = mixed if core == "aiv" else nothing
    return [b if is_other else a for a, b, is_other in zip(own, second, other, strict=True)]


def _off_nominal(found: _Waves, table: Table, nominal: Fraction | None) -> tuple[Reason, ...]:
    """The lowest and the highest row when any is further from the nominal clock (MHz) than the tolerance."""
    if nominal is None:
        return ()
    limit = read_definitions()["pmu_clock_tolerance"]
    # Cycles in a ns are thousands of MHz, and times stand in 1 / times_per_ns ns.
    factor = table.times_per_ns * 1000 * nominal.denominator
    clocks = [
        (cycles * waves * factor, time * blocks * nominal.numerator)
        for cycles, waves, time, blocks in zip(found.cycles, found.waves, found.times, found.blocks, strict=True)
    ]
    off = sum(1 for clock, expected in clocks if limit.holds(abs(clock - expected), expected))
    if not off:
        return ()
    ratios = [clock / expected for clock, expected in clocks]
    low, high = ratios.index(min(ratios)), ratios.index(max(ratios))
    return (
        Reason.of(
            "pmu_clock_off_nominal",
            n=off,
            of=len(clocks),
            nominal=_mhz(nominal),
            tolerance=f"{float(limit.value) * 100:g}",
            lowest=_mhz(nominal * Fraction(*clocks[low])),
            lowest_row=found.lines[low],
            highest=_mhz(nominal * Fraction(*clocks[high])),
            highest_row=found.lines[high],
        ),
    )


def _mhz(value: Fraction) -> str:
    """MHz as printed, two decimals at most."""
    return f"{float(value):.2f}".rstrip("0").rstrip(".")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedClock:
    """The recorded clock of one device; the first value holds before its row too."""

    table: Table
    """The table."""
    times: list[int]
    """Instants, ns, ascending."""
    mhz: list[int]
    """The clock from each instant on."""

    def origin(self, place: Place, formula: str) -> Origin:
        """Its rows in the table."""
        columns = ", ".join(self.table.columns) or "AI Core Freq"
        where = f"{self.table.locator}; " if self.table.locator else ""
        return place.origin(self.table, f"{where}columns {columns}; {len(self.times)} rows of the device", formula)


def recorded_clock(place: Place) -> RecordedClock | Missing:
    """The recorded clock of the rank's device: Missing without a table or rows of the device, or if it is no clock."""
    table = place.tables.frequency
    if table is None:
        return absent(place, "AI Core Freq", "trace_view.json", "msprof")
    frame = table.frame
    devices = frame["device"].astype(str)
    if place.rank.device is not None:
        frame = frame[(devices == str(place.rank.device)).to_numpy()]
    if not len(frame) or (place.rank.device is None and devices.nunique() > 1):
        return missing(MissingKind.NOT_RECORDED, "frequency_not_of_device", file=table.file.path)
    off = frame["mhz"][(frame["mhz"] <= 0) | (frame["mhz"] > MOST_MHZ)]
    if len(off):
        again = Reason.of("export_again")
        return missing(MissingKind.UNREADABLE, "frequency_out_of_range", again, file=table.file.path, mhz=off.iloc[0])
    frame = frame.sort_values("time_ns", kind="stable")
    return RecordedClock(table=table, times=frame["time_ns"].tolist(), mhz=frame["mhz"].tolist())


def _ai_core_frequency(place: Place) -> Measurement:
    """Integral of f dt over C / |C|, where C is the union of the kernels of AI Core and vector core.

    AI CPU kernels and communication are not in C: neither runs on that clock. Exact, all times being integer ns.
    """
    found = recorded_clock(place)
    if isinstance(found, Missing):
        return place.measured(AI_CORE_FREQUENCY, found)
    kernels = place.tables.kernels
    rows = kernels.frame[kernels.frame["kind"] == KERNEL]
    start, end = intervals.merge(rows["start_ns"], rows["start_ns"] + rows["duration_ns"])
    if not len(start):
        code = "window_of_no_length" if len(rows) else "no_kernel_ran"
        return place.measured(AI_CORE_FREQUENCY, missing(MissingKind.NOT_APPLICABLE, code))
    low, high = int(start[0]), int(end[-1])
    edges = [min(low, found.times[0]), *found.times[1:], max(high, found.times[-1])]
    busy: list[int] = intervals.per_window(start, end, edges).tolist()
    whole = sum(busy)
    turned = Fraction(sum(mhz * length for mhz, length in zip(found.mhz, busy, strict=True)), 1)
    recorded = chip(place)
    return place.measured(
        AI_CORE_FREQUENCY,
        quantity(turned * HZ / whole, "1/s"),
        numerator=quantity(turned / 1000, "1"),
        denominator=quantity(whole, "ns"),
        resolution=quantity(Fraction(HZ, 2), "1/s"),
        basis="busy-weighted",
        witnesses=(*stamps(place, found.table, "time_ns", passed=True), *failed(place)),
        warnings=(*found.table.warnings, *kernels.warnings, *_doubts(place, found, busy, recorded, (low, high))),
        origins=(
            found.origin(place, "integral of f dt over the union of kernel rows / its length"),
            *place.kernels("columns {start}, {duration}; {rows}", "union of kernel rows"),
            *recorded.origin(place, CLOCKS["aic"]),
        ),
    )


def _doubts(
    place: Place, found: RecordedClock, busy: list[int], recorded: Chip, span: tuple[int, int]
) -> tuple[Reason, ...]:
    """Kernels below the nominal clock, or a clock that never changes and may not have been watched.

    The nominal is that of info.json, else the highest value seen. Without recorded changes the exporter writes the
    nominal, so a clock flat at the nominal says something only where changes were collected.
    """
    nominal = recorded.mhz.get("aic", Fraction(max(found.mhz)))
    running = [(mhz, length) for mhz, length in zip(found.mhz, busy, strict=True) if length]
    below = sum(length for mhz, length in running if mhz < nominal)
    if below:
        instants = zip(found.times[1:], pairwise(found.mhz), strict=True)
        changes = sum(1 for at, (a, b) in instants if a != b and span[0] < at < span[1])
        return (
            Reason.of(
                "frequency_below_nominal",
                nominal=_mhz(nominal),
                lowest=min(mhz for mhz, _ in running),
                share=f"{float(Fraction(below * 100, sum(busy))):.2f}",
                changes=changes,
            ),
        )
    return unwatched(place, found, nominal)


def unwatched(place: Place, found: RecordedClock, nominal: Fraction) -> tuple[Reason, ...]:
    """That a clock flat at the nominal (MHz) may not have been watched; empty where it changed or is known to be."""
    if any(mhz != nominal for mhz in found.mhz):
        return ()
    switch = _switch(place)
    if switch == "on":
        return ()
    code = "frequency_changes_unknown" if switch is None else "frequency_changes_not_collected"
    return (Reason.of(code, nominal=_mhz(nominal)),)


def _switch(place: Place) -> str | None:
    """Whether changes of the clock were recorded: the text of the switch, None where none is written."""
    for file in own_files(place, "sample.json"):
        values = dict(file.values)
        for key in SWITCHES:
            if key in values:
                return values[key]
    return None


def series(place: Place) -> list[Series]:
    """The recorded clock over time, for a chart.

    Returns:
        One series ``ai_core_frequency`` (1/s; instants in ns since the first kernel's start); its first value holds
        before its instant too. At most ``MOST_POINTS`` points, the lowest and the highest of each stretch kept. Empty
        without a frequency table or a kernel.
    """
    found = recorded_clock(place)
    frame = place.tables.kernels.frame
    starts = frame["start_ns"][frame["kind"] == KERNEL]
    if isinstance(found, Missing) or not len(starts):
        return []
    zero = int(starts.min())
    kept = _thinned(found.mhz)
    return [
        Series(
            id=AI_CORE_FREQUENCY.id,
            side=place.side,
            dimensions=place.dimensions(),
            times=sampled([found.times[i] - zero for i in kept], (), "ns"),
            values=sampled([found.mhz[i] * HZ for i in kept], (), "1/s"),
            recorded=len(found.mhz),
            origins=(found.origin(place, "as recorded; the lowest and highest of each stretch"),),
        )
    ]


def _thinned(values: list[int]) -> list[int]:
    """Positions to keep: the first, the last, and the lowest and highest of stretches of equal length."""
    if len(values) <= MOST_POINTS:
        return list(range(len(values)))
    stretches = MOST_POINTS // 2 - 1
    edges = [1 + (len(values) - 2) * n // stretches for n in range(stretches + 1)]
    kept = {0, len(values) - 1}
    for low, high in pairwise(edges):
        stretch = range(low, high)
        kept |= {min(stretch, key=values.__getitem__), max(stretch, key=values.__getitem__)}
    return sorted(kept)
