"""Sections "Busy units", "Clock" and "Host API": what the cores did, how fast they ran, and what the host called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.model import Quantity
from reportgen.report import figures, figures_units, numbers, wording
from reportgen.report.document import MetricRow, Number, SideValue
from reportgen.report.rows import doubts, has_value, lacking, measured_from, rows_of
from reportgen.report.translations import NBSP
from reportgen.report.view import Cell, Context, Line, Where, cell, line, whence

BUSY = (
    "aic_mac_ratio",
    "aic_mte2_ratio",
    "aiv_vec_ratio",
    "aiv_mte2_ratio",
    "aiv_mte2_bound_share",
    "memory_bound",
    "memory_bound_share",
    "cube_utilization_elapsed",
    "cube_utilization_task",
)
"""Metrics of the busy units, in the order of the section."""
CLOCKS = ("pmu_clock", "ai_core_frequency", "ai_core_frequency_drop")
"""Metrics of the clock."""
HOST = ("host_api_time", "host_api_calls")
"""Metrics of the host."""
MANY = 10**6
"""Counts from which numerator and denominator are shown in powers of ten; report.json holds them in full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotientLine:
    """One quotient with what it was made of."""

    line: Line
    """Name, values and difference."""
    over: tuple[str, str]
    """Numerator / denominator of BEFORE and of AFTER; empty where it has none."""
    basis: str
    """How it is weighted."""


def quotient(context: Context, row: MetricRow) -> QuotientLine:
    """One quotient on one line."""
    bases = dict.fromkeys(
        wording.basis_word(side.basis, context.language) for side in (row.before, row.after) if side.basis
    )
    return QuotientLine(
        line=line(context, row),
        over=(over(context, row.before), over(context, row.after)),
        basis=context.series(bases),
    )


def over(context: Context, side: SideValue) -> str:
    """Numerator / denominator in one unit; empty where the value has none."""
    above, below = side.numerator, side.denominator
    if above is None or below is None:
        return ""
    hint = "clock" if above.quantity.unit == below.quantity.unit == "1/s" else ""
    texts = numbers.row_format(above, below, None, metric_unit_hint=hint, language=context.language)
    least = min(abs(Fraction(above.quantity.value)), abs(Fraction(below.quantity.value)))
    if above.quantity.unit == below.quantity.unit == "1" and least >= MANY:
        power = 3 * ((len(str(int(least))) - 1) // 3)
        scaled = (numbers.digits(Fraction(n.quantity.value) / 10**power, 1) for n in (above, below))
        return numbers.with_unit(" / ".join(scaled), f"×{NBSP}10^{power}")
    if above.quantity.unit != below.quantity.unit:
        return " / ".join(_alone(context, number.quantity) for number in (above, below))
    return numbers.with_unit(f"{texts.before} / {texts.after}", texts.unit)


def _alone(context: Context, quantity: Quantity) -> str:
    """One of two numbers of different units; a large count in powers of ten, with four digits."""
    size = abs(Fraction(quantity.value))
    if quantity.unit != "1" or size < MANY:
        return numbers.format_value(quantity, language=context.language)
    power = 3 * ((len(str(int(size))) - 1) // 3)
    scaled = Fraction(quantity.value) / 10**power
    return numbers.with_unit(
        numbers.digits(scaled, 4 - len(str(size.numerator // size.denominator // 10**power))), f"×{NBSP}10^{power}"
    )


# ------------------------------------------------------------------------------------------- busy units
@dataclass(frozen=True, slots=True, kw_only=True)
class BusySection:
    """Busy units."""

    figure: figures.Figure
    """Shares of both sides as bars."""
    lines: tuple[QuotientLine, ...]
    """Quotients with a value on a side."""
    measured: str
    """Which kind of file they come from."""
    lacking: tuple[str, ...]
    """What could not be measured, and what would supply it."""
    doubts: tuple[str, ...]
    """What is to be known of the values."""


def busy(context: Context) -> BusySection:
    """The section of the busy units."""
    rows = rows_of(context, BUSY)
    had = [row for row in rows if has_value(row)]
    return BusySection(
        figure=figures_units.busy(context, BUSY),
        lines=tuple(quotient(context, row) for row in had),
        measured=measured_from(context, had),
        lacking=lacking(context, rows),
        doubts=doubts(context, had),
    )


# ------------------------------------------------------------------------------------------- clock
@dataclass(frozen=True, slots=True, kw_only=True)
class ClockSection:
    """Clock."""

    figure: figures.Figure
    """Clock over time, where it fell or differs."""
    flat: str
    """The sentence in its place where it did not."""
    lines: tuple[QuotientLine, ...]
    """Clocks with a value on a side: cycles over time."""
    measured: str
    """Which kind of file they come from."""
    lacking: tuple[str, ...]
    """What could not be measured, and what would supply it."""
    doubts: tuple[str, ...]
    """What is to be known of the values."""


def clock(context: Context) -> ClockSection:
    """The section of the clock."""
    rows = rows_of(context, CLOCKS)
    had = [row for row in rows if has_value(row)]
    recorded = [row for row in had if row.metric == "ai_core_frequency"]
    flat = _flat(context, recorded)
    return ClockSection(
        figure=figures.Figure() if flat or not recorded else figures_units.clock(context),
        flat=flat,
        lines=tuple(quotient(context, row) for row in had),
        measured=measured_from(context, had),
        lacking=lacking(context, rows),
        doubts=doubts(context, had),
    )


def _flat(context: Context, rows: Sequence[MetricRow]) -> str:
    """That the recorded clock is the same on both sides and raised no doubt; empty otherwise."""
    values = [side.value for row in rows for side in (row.before, row.after)]
    known = {number.quantity.value for number in values if isinstance(number, Number)}
    doubted = any(side.warnings for row in rows for side in (row.before, row.after))
    if len(known) != 1 or doubted:
        return ""
    first = next(number for number in values if isinstance(number, Number))
    shown = numbers.format_value(first.quantity, metric_unit_hint="clock", language=context.language)
    if all(isinstance(value, Number) for value in values):
        return context.text("While kernels run the clock is %(clock)s on both sides.", clock=shown)
    return context.text("While kernels run the clock is %(clock)s; it is recorded on one side only.", clock=shown)


# ------------------------------------------------------------------------------------------- host
@dataclass(frozen=True, slots=True, kw_only=True)
class HostLine:
    """One level of host calls."""

    ids: tuple[str, str]
    """Metric rows of calls and time; empty where there is none."""
    name: str
    """Level and rank."""
    calls: tuple[Cell, Cell]
    """Calls of both sides."""
    times: tuple[Cell, Cell]
    """Times of both sides."""
    delta: str
    """Difference of the times; empty when there is none."""
    where: tuple[Where, ...]
    """Origins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostSection:
    """Host API."""

    lines: tuple[HostLine, ...]
    """Levels."""
    unit: str
    """Unit of the times."""
    measured: str
    """Which kind of file they come from."""
    lacking: tuple[str, ...]
    """What could not be measured, and what would supply it."""
    doubts: tuple[str, ...]
    """What is to be known of the values."""


def host(context: Context) -> HostSection:
    """The section of the host calls."""
    rows = rows_of(context, HOST)
    had = [row for row in rows if has_value(row)]
    scale = figures_units.common_scale(had, ("host_api_time",))
    places = dict.fromkeys((row.part, row.rank) for row in had)
    found = {(row.metric, row.part, row.rank): row for row in had}
    return HostSection(
        lines=tuple(_level(context, part, rank, found, scale) for part, rank in places),
        unit=scale.unit,
        measured=measured_from(context, had),
        lacking=lacking(context, rows),
        doubts=doubts(context, had),
    )


def _level(
    context: Context,
    part: str,
    rank: int | None,
    found: dict[tuple[str, str, int | None], MetricRow],
    scale: numbers.Scale,
) -> HostLine:
    """One level on one line."""
    time, calls = (found.get((metric, part, rank)) for metric in HOST)
    shown = figures_units.texts_in(context, time, scale)
    counted = numbers.metric_texts(calls, context.language) if calls is not None else None
    rows = [row for row in (calls, time) if row is not None]
    return HostLine(
        ids=(calls.id if calls else "", time.id if time else ""),
        name=figures_units.with_rank(context, part or context.text("all levels"), rank),
        calls=(
            cell(context, calls.before.value if calls else None, counted.before if counted else ""),
            cell(context, calls.after.value if calls else None, counted.after if counted else ""),
        ),
        times=figures_units.cells(context, time, shown),
        delta=shown.delta if shown and time and not wording.is_blocked(context.report, time) else "",
        where=whence(context, (side.value for row in rows for side in (row.before, row.after))),
    )
