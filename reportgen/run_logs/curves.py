"""One curve over the steps of a run: the loss of a log, or a column of a table of steps.

A table here needs no times; a value that is no finite number, and an iteration that was skipped, is counted and is no
value. Source: docs/logs.md, "Curves".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from reportgen.errors import CaptureError
from reportgen.model import FileRecord, LoggedSeries, Reason, Run
from reportgen.plain import printable
from reportgen.run_logs import building, numbers, read_runs, steps_table
from reportgen.run_logs.text import MOST_RECORDS, Log, redacted

LOSS = re.compile(r"(?:[\w.\- ]*[_. -])?loss")
"""A column or key that holds a loss."""
NOT_REAL = ("log_not_a_real_workload", "log_steps_without_update")
"""Doubts of a reader that make a curve unfit: no real workload, or steps that it does not name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Values by step."""

    values: Mapping[int, Fraction]
    """Step -> exact value, as written."""
    uncounted: frozenset[int]
    """Steps that were skipped, left out by their reader, or without a finite value."""
    file: FileRecord
    """The file."""
    segment: int
    """Which run of the file."""
    series: str
    """The key as the file spells it."""
    locator: str
    """Lines and key."""
    doubts: tuple[Reason, ...] = field(default=())
    """Why the curve may not be judged."""
    times: tuple[int | Fraction | str, ...] = ()
    """Times of the steps beside the curve, in order, of a table as written; empty where the file has none."""


def read_curve(path: Path, series: str, segment: int | None) -> Curve | Reason:
    """The curve that a file holds.

    Args:
        path: a log that ``read_runs`` reads, or a csv or JSON table with a column of steps and one of values.
        series: the key as the file spells it; empty: the only loss in it.
        segment: which run, from 0; None: the only one.

    Returns:
        The curve; ``curve_missing``, ``curve_several`` or ``curve_runs`` where it cannot be told which is meant.

    Raises:
        CaptureError: the file cannot be read, see ``read_runs``.
    """
    if path.exists() and not path.is_dir():
        log = Log(path)
        names = steps_table.names(log)
        if any(name in steps_table.STEP for name in names):
            columns = [name for name in names if (name == series if series else LOSS.fullmatch(name))]
            if columns:
                return _of_table(log, columns, segment)
    runs = read_runs(path)
    if segment is None and len(runs) > 1:
        return Reason.of("curve_runs", file=printable(path.name), n=len(runs))
    if segment is not None and segment >= len(runs):
        return Reason.of("curve_runs", file=printable(path.name), n=len(runs))
    return _of_run(runs[segment or 0], series, printable(path.name))


# --------------------------------------------------------------------------------------------- logs
def _of_run(run: Run, series: str, file: str) -> Curve | Reason:
    fitting = [one for one in run.series if _named(one, series)]
    if not fitting:
        return Reason.of("curve_missing", file=file, series=series or "loss")
    if len(fitting) > 1:
        return Reason.of("curve_several", file=file, names=", ".join(one.kind or one.metric for one in fitting))
    one = fitting[0]
    steps = [numbers.whole(label) for label in one.sample.labels]
    if len(steps) != len(one.sample.values) or any(step is None for step in steps):
        return Reason.of("curve_missing", file=file, series=series or "loss")
    values = {step: Fraction(value) for step, value in zip(steps, one.sample.values, strict=True) if step is not None}
    left_out = {step for label in one.sample.dropped if (step := numbers.whole(label)) is not None}
    return Curve(
        values=values,
        uncounted=frozenset(left_out - values.keys()),
        file=run.file,
        segment=run.segment,
        series=one.kind or one.metric,
        locator=one.locator,
        doubts=tuple(warning for warning in run.warnings if warning.code in NOT_REAL),
        times=next((other.sample.values for other in run.series if other.metric == "step_time"), ()),
    )


def _named(series: LoggedSeries, wanted: str) -> bool:
    if wanted:
        return wanted == series.kind or (not series.kind and wanted in (series.metric, series.metric.replace("_", " ")))
    return series.metric == "loss"


# --------------------------------------------------------------------------------------------- tables
def _of_table(log: Log, columns: Sequence[str], segment: int | None) -> Curve | Reason:
    file = printable(Path(log.record.path).name)
    if len(columns) > 1:
        return Reason.of("curve_several", file=file, names=", ".join(redacted(name) for name in columns))
    column = columns[0]
    times: list[str] = []
    runs = _runs(log, _timed(steps_table.rows(log), times), column)
    if (segment is None and len(runs) > 1) or (segment or 0) >= len(runs):
        return Reason.of("curve_runs", file=file, n=len(runs))
    rows = runs[segment or 0]
    found = {step: numbers.decimal(text) for step, (text, _line) in rows.items() if text}
    lines = [line for _text, line in rows.values()]
    return Curve(
        values={step: value[0] for step, value in found.items() if value is not None},
        uncounted=frozenset(step for step, value in found.items() if value is None),
        file=log.record,
        segment=segment or 0,
        series=redacted(column),
        locator=f"{building.lines_text(lines)}, {redacted(column)}",
        times=tuple(times),
    )


def _timed(rows: Iterable[tuple[Mapping[str, str], int]], times: list[str]) -> Iterator[tuple[Mapping[str, str], int]]:
    """The same rows; what their columns of times hold is added to ``times``."""
    for cells, line in rows:
        times += [text for name, text in cells.items() if text and steps_table.TIME.fullmatch(name)]
        yield cells, line


def _runs(log: Log, rows: Iterable[tuple[Mapping[str, str], int]], column: str) -> list[dict[int, tuple[str, int]]]:
    """The rows of each run: step -> (text, line); a step number that goes back begins another."""
    found: list[dict[int, tuple[str, int]]] = []
    last = -1
    count = 0
    for cells, line in rows:
        count += 1
        named = [cells[name] for name in steps_table.STEP if name in cells]
        step = numbers.whole(named[0]) if len(named) == 1 else None
        if step is None or count > MOST_RECORDS:
            what = f"holds more than {MOST_RECORDS} steps" if step is not None else "has no whole number as its step"
            raise CaptureError("log_row", what, where=log.at(line), hint="docs/logs.md defines the table of steps")
        if found and step == last:
            if found[-1][step][0] == cells.get(column, ""):
                continue
            raise CaptureError(
                "log_mixed",
                f"tells step {step} in two ways (also in row {found[-1][step][1]})",
                where=log.at(line),
                hint="give the steps of one run, of one rank",
            )
        if not found or step < last:
            if len(found) >= steps_table.MOST_RUNS:
                raise CaptureError("log_mixed", "begins anew too often", where=log.at(line), hint="sort it by step")
            found.append({})
        found[-1][step] = (cells.get(column, ""), line)
        last = step
    if not found:
        raise CaptureError("log_no_records", "holds no step", where=log.at(), hint="write one row a step")
    return found
