"""A plain table of steps, csv, JSON or one JSON object a line: the format for what no other reader knows.

Defined in docs/logs.md, "Table of steps"; strict, since whoever writes it can write it right.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from reportgen.errors import CaptureError
from reportgen.model import LoggedSeries, Reason, Run, Stated
from reportgen.run_logs import building, json_values, numbers
from reportgen.run_logs.numbers import Figure
from reportgen.run_logs.text import MOST_RECORDS, Log, redacted

STEP = ("step", "iteration")
TIME = re.compile(r"(step_time|iteration_time|elapsed_time|elapsed|time)(?: ?\((ns|us|ms|s)\)|_(ns|us|ms|s))?")
COUNTED = {"tokens": "tokens", "samples": "samples"}
MEASURED = {"loss": ("loss", ""), "grad_norm": ("grad_norm", "")}
FLAGS = {"checkpoint": "log_checkpoint_rows", "warmup": "log_warm_up_rows"}
"""Column -> reason code of the rows it leaves out."""
_TRUE, _FALSE = ("1", "true", "yes"), ("0", "false", "no", "")
_FIRST = re.compile(r"\s{0,1000}(?:\[\s{0,1000})?\{([^{}\[\]]{0,20000})")
_FIRST_OF_STEPS = re.compile(r'"steps"\s{0,100}:\s{0,100}\[\s{0,100}\{([^{}\[\]]{0,20000})')
MOST_COLUMNS = 100
"""Columns of the widest table that is read."""
MOST_RUNS = 100
"""Runs of one table."""
CUMULATIVE_ROWS = 10
"""From this many rows on, times that rise in every one of them are a clock and no step times."""


class Row(NamedTuple):
    """One step."""

    step: int
    """Its number."""
    cells: dict[str, str]
    """Column -> text; a JSON null is empty."""
    line: int
    """Line of the file, or place in the JSON list from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """What the header says."""

    step: str
    """Column of the step numbers."""
    time: str
    """Column of the times."""
    unit: str
    """Its unit."""


def sniff(log: Log) -> bool:
    """Whether a header row, or the first JSON object of steps, names a step and a time."""
    return any(name in STEP for name in names(log)) and any(TIME.fullmatch(name) for name in names(log))


def names(log: Log) -> list[str]:
    """The column names the file begins with; empty when it begins otherwise."""
    head = log.head.decode("utf-8", "backslashreplace")
    if log.is_json:
        first = _FIRST_OF_STEPS.search(head) or _FIRST.match(head)
        return re.findall(r'"([^"\\]{1,80})"\s{0,10}:', first[1]) if first else []
    line = re.split(r"[\r\n]", head.lstrip("\r\n"), maxsplit=1)[0]
    return [cell.strip().strip('"') for cell in line.split(",")] if line.count(",") < MOST_COLUMNS else []


def rows(log: Log) -> Iterator[tuple[dict[str, str], int]]:
    """Every row of a table: column -> text (a JSON null is empty), and its line or place in the list from 1.

    Raises:
        CaptureError: ``log_columns``, ``log_row``, ``log_unreadable``.
    """
    return _json_rows(log, []) if log.is_json else _csv_rows(log, [])


def read(log: Log) -> tuple[Run, ...]:
    """The runs of the table; a step number that goes back begins another.

    Raises:
        CaptureError: ``log_columns``, ``log_unit_missing``, ``log_row``, ``log_mixed``, ``log_unreadable``,
            ``log_too_large``, ``log_no_records``.
    """
    stated: list[Stated] = []
    notes: list[Reason] = []
    found = _json_rows(log, stated) if log.is_json else _csv_rows(log, notes)
    columns, table = _checked(log, found)
    runs, twice = _segments(log, table)
    if twice:
        notes.append(Reason.of("log_lines_twice", n=twice))
    if len(runs) > 1:
        notes.append(Reason.of("log_other_runs", n=len(runs) - 1))
    return tuple(_run(log, index, columns, part, tuple(stated), tuple(notes)) for index, part in enumerate(runs))


# --------------------------------------------------------------------------------------------- rows
def _csv_rows(log: Log, notes: list[Reason]) -> Iterator[tuple[dict[str, str], int]]:
    names: list[str] = []
    for line in log.lines():
        if not line.text.strip():
            continue
        try:
            cells = next(csv.reader([line.text], strict=True))
        except csv.Error as fault:
            raise _bad_row(log, line.number, f"is no row of csv: {fault}") from fault
        cells = [cell.strip() for cell in cells]
        if not names:
            names = cells
            if len(set(names)) < len(names) or len(names) > MOST_COLUMNS:
                raise _columns(log, line.number, "names a column twice, or more than 100 columns")
        elif not line.ended:
            notes.append(Reason.of("log_last_row", line=line.number))
        elif len(cells) != len(names):
            raise _bad_row(log, line.number, f"has {len(cells)} cells; the header has {len(names)}")
        else:
            yield dict(zip(names, cells, strict=True)), line.number


def _json_rows(log: Log, stated: list[Stated]) -> Iterator[tuple[dict[str, str], int]]:
    number = 0
    for line, value in log.objects():
        rows: Any = value
        if isinstance(value, dict) and isinstance(value.get("steps"), list):
            rows = value["steps"]
            texts = [(key, json_values.scalar(item)) for key, item in value.items() if key != "steps"]
            listed = [building.stated(key, text, f"/{key}") for key, text in texts if text is not None]
            stated += [one for one in listed[:MOST_COLUMNS] if one is not None]
        for row in rows if isinstance(rows, list) else [rows]:
            number += 1
            if not isinstance(row, dict) or len(row) > MOST_COLUMNS:
                raise _bad_row(log, line, f"holds a step (number {number}) that is no object of at most 100 keys")
            cells = {key: "" if cell is None else json_values.scalar(cell) for key, cell in row.items()}
            lists = [key for key, cell in cells.items() if cell is None]
            if lists:
                raise _bad_row(log, line, f"holds a list or an object under {lists[0][:60]!r} of step number {number}")
            yield {key: cell for key, cell in cells.items() if cell is not None}, number


def _checked(log: Log, rows: Iterator[tuple[dict[str, str], int]]) -> tuple[Columns, list[Row]]:
    """All rows with their step numbers, and the columns that count."""
    columns: Columns | None = None
    found: list[Row] = []
    for cells, line in rows:
        columns = columns or _known(log, list(cells), line)
        step = numbers.whole(cells.get(columns.step, ""))
        if step is None:
            raise _bad_row(log, line, f"has no whole number in column {columns.step}")
        if len(found) >= MOST_RECORDS:
            raise CaptureError(
                "log_too_large",
                f"holds more than {MOST_RECORDS} steps",
                where=log.at(line),
                hint="cut it to the run that is meant",
            )
        found.append(Row(step, cells, line))
    if columns is None:
        raise CaptureError("log_no_records", "holds a header and no step", where=log.at(), hint="write one row a step")
    return columns, found


def _known(log: Log, names: list[str], line: int) -> Columns:
    steps = [name for name in names if name in STEP]
    times = [(name, match) for name in names if (match := TIME.fullmatch(name)) is not None]
    if len(steps) != 1 or len(times) != 1:
        shown = ", ".join(repr(name[:60]) for name in names[:20])
        raise _columns(log, line, f"needs one column step (or iteration) and one of times; it has {shown}")
    name, match = times[0]
    unit = match[2] or match[3]
    if not unit:
        raise CaptureError(
            "log_unit_missing",
            f"gives times in column {name!r} without a unit",
            where=log.at(line),
            hint=f"name it {name}_ms or {name}_s, as they were measured",
        )
    return Columns(step=steps[0], time=name, unit=unit)


def _columns(log: Log, line: int, message: str) -> CaptureError:
    return CaptureError("log_columns", message, where=log.at(line), hint="docs/logs.md defines the table of steps")


def _bad_row(log: Log, line: int, message: str) -> CaptureError:
    return CaptureError("log_row", message, where=log.at(line), hint="docs/logs.md defines the table of steps")


def _segments(log: Log, rows: Sequence[Row]) -> tuple[list[list[Row]], int]:
    """The runs of the table, and how many rows stood twice."""
    found: list[list[Row]] = []
    twice = 0
    for row in rows:
        last = found[-1][-1] if found else None
        if last is not None and last.step == row.step:
            if last.cells != row.cells:
                raise CaptureError(
                    "log_mixed",
                    f"tells step {row.step} in two ways (also in row {last.line})",
                    where=log.at(row.line),
                    hint="give the steps of one run, of one rank",
                )
            twice += 1
            continue
        if last is None or row.step < last.step:
            found.append([])
            if len(found) > MOST_RUNS:
                raise CaptureError(
                    "log_mixed",
                    f"begins anew more than {MOST_RUNS} times: the steps are not in order",
                    where=log.at(row.line),
                    hint="sort the rows by step, run after run",
                )
        found[-1].append(row)
    return found, twice


# --------------------------------------------------------------------------------------------- the run
def _run(
    log: Log, index: int, columns: Columns, rows: list[Row], stated: tuple[Stated, ...], notes: tuple[Reason, ...]
) -> Run:
    kept, dropped, flagged = _flagged(log, rows)
    times = [(row, _time(log, columns, row)) for row in rows]
    values = [found.value for _, found in times]
    rising = all(after > before for before, after in pairwise(values))
    if len(rows) >= CUMULATIVE_ROWS and rising:
        raise _columns(
            log, rows[0].line, f"has times in {columns.time!r} that rise in every row: a clock, not the time of a step"
        )
    series = tuple(_series(log, columns, kept, dropped))
    extra, unread = _extra(columns, rows)
    return Run(
        producer="steps_table",
        version="",
        definitions="steps_table",
        file=log.record,
        segment=index,
        context=(*stated, *extra),
        series=series,
        left_out=(*notes, *flagged, *unread),
    )


def _flagged(log: Log, rows: list[Row]) -> tuple[list[Row], tuple[str, ...], tuple[Reason, ...]]:
    """Rows that count, the steps that do not, and why."""
    reasons = []
    out: set[int] = set()
    for column, code in FLAGS.items():
        steps = []
        for row in rows:
            written = row.cells.get(column, "").lower()
            if written not in (*_TRUE, *_FALSE):
                raise _bad_row(log, row.line, f"holds {written[:20]!r} in column {column}; 1 or 0 is expected")
            if written in _TRUE:
                steps.append(row.step)
        if steps:
            out.update(steps)
            reasons.append(Reason.of(code, n=len(steps), steps=building.joined(map(str, steps))))
    kept = [row for row in rows if row.step not in out]
    return kept, tuple(str(row.step) for row in rows if row.step in out), tuple(reasons)


def _time(log: Log, columns: Columns, row: Row) -> Figure:
    found = numbers.figure(row.cells.get(columns.time, ""), columns.unit)
    if found is None or found.value <= 0:
        raise _bad_row(log, row.line, f"has no time above 0 in column {columns.time}")
    return found


def _series(log: Log, columns: Columns, kept: list[Row], dropped: tuple[str, ...]) -> Iterator[LoggedSeries]:
    if not kept:
        return
    places = building.lines_text([row.line for row in kept])
    times = [(str(row.step), _time(log, columns, row)) for row in kept]
    place = f"{places}, {columns.time}"
    yield building.logged_series("step_time", "", times, locator=place, dropped=dropped, shortest=True)
    wanted = [(name, metric, "") for name, metric in COUNTED.items()]
    wanted += [(name, metric, kind) for name, (metric, kind) in MEASURED.items()]
    for name, metric, kind in wanted:
        items = []
        for row in kept:
            written = row.cells.get(name, "")
            if not written:
                continue
            found = numbers.figure(written, "")
            if found is None or (name in COUNTED and (found.value < 0 or not isinstance(found.value, int))):
                raise _bad_row(log, row.line, f"holds {written[:20]!r} in column {name}, which is no such number")
            items.append((str(row.step), found))
        if items:
            yield building.logged_series(metric, kind, items, locator=f"{places}, {name}", dropped=dropped)


def _extra(columns: Columns, rows: list[Row]) -> tuple[tuple[Stated, ...], tuple[Reason, ...]]:
    """Further columns: with one value they state something of the run, with several they are left out."""
    known = {columns.step, columns.time, *COUNTED, *MEASURED, *FLAGS}
    names = list(dict.fromkeys(name for row in rows for name in row.cells if name not in known))[:MOST_COLUMNS]
    listed: list[Stated] = []
    varied, withheld = [], 0
    places = building.lines_text([row.line for row in rows])
    for name in names:
        distinct = {row.cells.get(name, "") for row in rows}
        if len(distinct) > 1:
            varied.append(redacted(name))
            continue
        one = building.stated(name, distinct.pop(), f"{places}, {name}")
        withheld += one is None
        listed += [one] if one is not None and one.written else []
    notes = [Reason.of("log_keys_unread", keys=building.joined(varied))] if varied else []
    if withheld:
        notes.append(Reason.of("log_withheld", n=withheld))
    return tuple(listed), tuple(notes)
