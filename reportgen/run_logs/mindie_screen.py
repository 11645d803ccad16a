"""The two tables that MindIE Benchmark prints at the end of a run; a log may hold several runs.

Source: docs/logs.md, MindIE Benchmark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from datetime import timezone as zone
from typing import NamedTuple

from reportgen.model import Run
from reportgen.plain import printable
from reportgen.run_logs import documents, load, mindie
from reportgen.run_logs.mindie import Cell
from reportgen.run_logs.text import Line, Log, bare

_TITLE = re.compile(r"The BenchMark test (performance|common) metric result is:")
_TITLE_BYTES = re.compile(rb"The BenchMark test (?:performance|common) metric result is:")
_STAMP = re.compile(
    r"\[(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{3})([+-])(\d\d):(\d\d)\] (?:\[[^\]]{0,40}\] ?){1,8}"
)
MOST_ROWS = 60
"""Rows of a table; the longest seen has 17."""
MOST_RUNS = 200
"""Runs of one log that are read."""


class _Table(NamedTuple):
    """One table on the screen."""

    kind: str
    """``performance`` or ``common``."""
    line: int
    """Line of its first row."""
    header: tuple[str, ...]
    """Its first row."""
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    """(line, cells) of the others."""
    stamp: int | None
    """The stamp of the message it belongs to, UTC epoch ns."""


def sniff(log: Log) -> bool:
    """Whether a log holds such a table."""
    return log.holds(_TITLE_BYTES)


def read(log: Log) -> tuple[Run, ...]:
    """The runs of a log, in its order: each table of statistics with the table of common figures that follows.

    Raises:
        CaptureError: ``log_unreadable``, ``log_value``, ``log_statistics``.
    """
    runs: list[list[_Table]] = []
    for table in _tables(log):
        if table.kind == "performance" or not runs or any(one.kind == "common" for one in runs[-1]):
            runs.append([])
        runs[-1].append(table)
        if len(runs) > MOST_RUNS:
            documents.unreadable(log.at(), f"holds more than {MOST_RUNS} runs")
    return tuple(_run(log, segment, tables) for segment, tables in enumerate(runs))


def _run(log: Log, segment: int, tables: list[_Table]) -> Run:
    statistics: dict[str, dict[str, Cell]] = {}
    common: dict[str, Cell] = {}
    for table in tables:
        if len(set(table.header)) != len(table.header):
            documents.unreadable(log.at(table.line), "names a column of the table twice")
        for line, cells in table.rows:
            if len(cells) != len(table.header):
                documents.unreadable(log.at(line), "a row of the table has another number of cells")
            if cells[0] in (common if table.kind == "common" else statistics):
                documents.two_runs(log.at(line), f"gives {printable(cells[0])[:60]} again")
            if table.kind == "common":
                common[cells[0]] = Cell(cells[1], f"line {line}, {cells[0]}")
                continue
            statistics[cells[0]] = {
                _word(word): Cell(text, f"line {line}, {word}")
                for word, text in zip(table.header[1:], cells[1:], strict=True)
            }
    missing = [kind for kind in ("performance", "common") if all(table.kind != kind for table in tables)]
    return mindie.run(
        statistics,
        common,
        (log.record,),
        missing=tuple(f"{kind} metric result" for kind in missing),
        segment=segment,
        ended=next((table.stamp for table in reversed(tables) if table.stamp is not None), None),
    )


def _word(column: str) -> str:
    if column == "N":
        return "count"
    return "slo_p90" if column == "SLO_P90" else load.statistic(column) or column


def _tables(log: Log) -> Iterator[_Table]:
    """Every table of the log in order."""
    kind, stamp, latest = "", None, None
    rows: list[tuple[int, tuple[str, ...]]] = []
    for line in log.lines():
        text = bare(line.text).strip()
        if kind and (text.startswith(("|", "+")) or not rows):
            if text.startswith("|"):
                rows.append((line.number, _cells(log, line, text)))
            if len(rows) > MOST_ROWS:
                documents.unreadable(log.at(line.number), f"holds a table of more than {MOST_ROWS} rows")
            if text.startswith(("|", "+")):
                continue
        if kind and rows:
            yield _Table(kind, *rows[0], tuple(rows[1:]), stamp)
            kind, rows = "", []
        latest = _stamped(text) or latest
        title = _TITLE.search(text)
        if title is not None:
            kind, stamp, latest = title[1], latest, None
    if kind and rows:
        if not line.ended:
            documents.unreadable(log.at(line.number), "ends within a table")
        yield _Table(kind, *rows[0], tuple(rows[1:]), stamp)


def _cells(log: Log, line: Line, text: str) -> tuple[str, ...]:
    cells = text.strip("|").split("|")
    if not text.endswith("|") or len(cells) < 2 or len(cells) > 40:
        documents.unreadable(log.at(line.number), "holds a row of a table that is cut")
    return tuple(cell.strip() for cell in cells)


def _stamped(text: str) -> int | None:
    """The stamp at the head of a message, with its zone, as UTC epoch ns."""
    match = _STAMP.match(text)
    if match is None:
        return None
    away = timedelta(hours=int(match[9]), minutes=int(match[10])) * (-1 if match[8] == "-" else 1)
    try:
        year, month, day, hour, minute, second = (int(match[group]) for group in range(1, 7))
        moment = datetime(year, month, day, hour, minute, second, tzinfo=zone(away))
    except ValueError:
        return None
    return int(moment.timestamp()) * 10**9 + int(match[7]) * 10**6
