"""Section "Memory by component": peaks with their instants, memory over time, peaks of modules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.report import figures, figures_units
from reportgen.report.document import MetricRow
from reportgen.report.rows import doubts, has_value, lacking, measured_from, rows_of
from reportgen.report.view import Context, Cut, Line, capped, line

PEAKS = ("peak_allocated", "peak_reserved")
"""Peaks of components."""
MODULES = ("module_peak_reserved",)
"""Peaks of modules."""
MOST = 15
"""Modules in the PDF."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeakLine:
    """One peak with the instants at which it was reached."""

    line: Line
    """Name, values and difference."""
    at: tuple[str, str]
    """Time of day in UTC of BEFORE and of AFTER, to the millisecond; empty when not recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySection:
    """Memory."""

    figure: figures.Figure
    """Peaks of both sides."""
    over_time: figures.Figure
    """Memory over time."""
    lines: tuple[PeakLine, ...]
    """Peaks of components: on paper of the worst rank each."""
    timed: bool
    """Whether an instant is recorded."""
    modules: tuple[Line, ...]
    """Peaks of modules, largest first."""
    modules_cut: Cut | None
    """Of the modules."""
    measured: str
    """Which kind of file they come from."""
    lacking: tuple[str, ...]
    """What could not be measured, and what would supply it."""
    doubts: tuple[str, ...]
    """What is to be known of the values."""


def memory(context: Context) -> MemorySection:
    """The section of the memory."""
    rows = [row for row in context.report.metrics if row.metric in PEAKS and (row.worst or not context.paper)]
    modules = rows_of(context, MODULES)
    had = [row for row in rows if has_value(row)]
    shown, cut = capped([row for row in modules if has_value(row)], MOST if context.paper else None)
    every: Sequence[MetricRow] = (*rows, *modules)
    return MemorySection(
        figure=figures.memory(context),
        over_time=figures_units.memory_over_time(context),
        lines=tuple(
            PeakLine(line=line(context, row), at=(time_of_day(row.before.at), time_of_day(row.after.at))) for row in had
        ),
        timed=any(side.at for row in rows for side in (row.before, row.after)),
        modules=tuple(line(context, row) for row in shown),
        modules_cut=cut,
        measured=measured_from(context, [row for row in every if has_value(row)]),
        lacking=lacking(context, every),
        doubts=doubts(context, [row for row in every if has_value(row)]),
    )


def time_of_day(instant: str) -> str:
    """Time of day of an ISO instant, to the millisecond: ``10:00:01.250``; empty for none."""
    return instant.partition("T")[2][:12]
