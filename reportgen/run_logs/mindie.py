"""Results of MindIE Benchmark: the pair of csv files of a run, and the two tables on its screen.

``result_perf_*.csv`` is transposed and its rows carry no names: they follow from their number, and the order of their
figures has to bear it out. ``DecodeTime`` pools the gaps of all requests: it is the latency between tokens (``itl``),
not the time per output token. Source: docs/logs.md, MindIE Benchmark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from reportgen.errors import CaptureError
from reportgen.model import FileRecord, Identity, LoggedValue, Quantity, Reason, Run
from reportgen.run_logs import documents, load, numbers
from reportgen.run_logs.placed import Derived, Placed, check, count, derived, per_second
from reportgen.run_logs.text import Log

ROWS = {
    8: ("mean", "max", "min", "p75", "p90", "slo_p90", "p99", "count"),
    7: ("mean", "max", "min", "p75", "p90", "p99", "count"),
    6: ("mean", "max", "min", "p75", "p99", "count"),
}
"""Number of rows -> statistics in their order; seven rows are inferred, the others documented."""
STATISTICS = ROWS[6]
"""Statistics that every version writes."""
COLUMNS: dict[str, tuple[str, str, str]] = {
    "FirstTokenTime": ("latency", "ttft", "ns"),
    "DecodeTime": ("latency", "itl", "ns"),
    "LastDecodeTime": ("latency", "last_decode", "ns"),
    "MaxDecodeTime": ("latency", "max_decode", "ns"),
    "GenerateTime": ("latency", "e2e", "ns"),
    "Tokenizer": ("latency", "tokenizer", "ns"),
    "Detokenizer": ("latency", "detokenizer", "ns"),
    "PostProcessingTime": ("latency", "post_processing", "ns"),
    "ForwardTime": ("latency", "forward", "ns"),
    "QueueWaitTime": ("latency", "queue_wait", "ns"),
    "InputTokens": ("input_tokens", "", "1"),
    "GeneratedTokens": ("output_tokens", "", "1"),
    "GeneratedCharacters": ("output_characters", "", "1"),
    "CharactersPerToken": ("characters_per_token", "", "1"),
    "PrefillBatchsize": ("prefill_batch_size", "", "1"),
    "DecoderBatchsize": ("decode_batch_size", "", "1"),
    "GeneratedTokenSpeed": ("throughput", "output_tokens_per_s_per_request", "1/s"),
}
"""Column -> metric, kind and exact unit."""
COMMON: dict[str, tuple[str, str, str, str]] = {
    "TimeElapsed": ("duration", "", "total", "ns"),
    "Failed": ("failed", "", "count", "1"),
    "Returned": ("completed", "", "count", "1"),
    "Total": ("requests", "", "count", "1"),
    "lpct": ("latency", "prefill_per_input_token", "mean", "ns"),
    "Throughput": ("throughput", "requests_per_s", "mean", "1/s"),
    "GenerateSpeed": ("throughput", "output_tokens_per_s", "mean", "1/s"),
    "OutputGenerateSpeed": ("throughput", "output_tokens_per_s", "mean", "1/s"),
    "InputGenerateSpeed": ("throughput", "input_tokens_per_s", "mean", "1/s"),
    "TotalGenerateSpeed": ("throughput", "total_tokens_per_s", "mean", "1/s"),
    "GenerateSpeedPerClient": ("throughput", "output_tokens_per_s_per_client", "mean", "1/s"),
}
"""Common figure -> metric, kind, statistic and exact unit."""
STATED = {
    "Concurrency": "max_concurrency",
    "ModelName": "model",
    "DataSource": "dataset",
    "CurrentTime": "local_time",
    "accuracy": "accuracy",
}
"""Common fact -> canonical name."""
ALWAYS = ("TimeElapsed", "Failed", "Returned", "Total", "Concurrency", "Throughput")
"""Common figures that every version writes."""
NOT_MEASURED = ("PostProcessingTime", "ForwardTime")
"""Columns that hold 0 unless the server was told to log them."""
_COUNTED = re.compile(r"(\d{1,12})\s{0,4}[(\[][^)\]]{0,20}[)\]]")
_PERF = re.compile(rb"[^\r\n]{0,400}\bFirstTokenTime\b[^\r\n]{0,400}\bGenerateTime\b")
_COMMON = re.compile(rb"[^\r\n]{0,400}\bTimeElapsed\b[^\r\n]{0,400}\bReturned\b")


class Cell(NamedTuple):
    """One cell of a table."""

    text: str
    """As written."""
    locator: str
    """Line and column."""


Table = Mapping[str, Mapping[str, Cell]]
"""Metric -> statistic -> cell."""


def sniff(log: Log) -> bool:
    """Whether a file is one of the two csv files of a run."""
    return _head(log.head)


def _head(head: bytes) -> bool:
    return (_PERF.match(head) or _COMMON.match(head)) is not None and b"|" not in head.partition(b"\n")[0]


def read(log: Log) -> tuple[Run, ...]:
    """The run of one csv file, with its pair where that stands beside it under the same stamp.

    Raises:
        CaptureError: ``log_unreadable``, ``log_value``, ``log_statistics``; as ``digests.read_whole``.
    """
    return (_pair(_both(log.path), log.path.parent),)


def sniff_folder(root: Path) -> bool:
    """Whether a folder holds such files."""
    return any(_is_result(path) for path in _tables(root))


def read_folder(root: Path) -> tuple[Run, ...]:
    """The runs of a folder, by the names of their files.

    Raises:
        CaptureError: as ``read``.
    """
    pairs = dict.fromkeys(_both(path) for path in _tables(root) if _is_result(path))
    return tuple(_pair(pair, root) for pair in pairs)


def _tables(root: Path) -> Iterator[Path]:
    return (path for path in load.files_below(root) if path.suffix == ".csv")


def _is_result(path: Path) -> bool:
    return _head(load.head(path, path.parent))


def _both(path: Path) -> tuple[Path | None, Path | None]:
    """The files of a run: statistics and common figures; None where one is missing."""
    statistics = _PERF.match(load.head(path, path.parent)) is not None
    here, there = ("_perf_", "_common_") if statistics else ("_common_", "_perf_")
    before, found, stamp = path.name.rpartition(here)
    twin = path.with_name(f"{before}{there}{stamp}") if found else None
    other = twin if twin is not None and twin.is_file() else None
    return (path, other) if statistics else (other, path)


def _pair(pair: tuple[Path | None, Path | None], root: Path) -> Run:
    """The run of its one or two files."""
    table: Table = {}
    common: Mapping[str, Cell] = {}
    files: list[FileRecord] = []
    inferred = False
    for path in filter(None, pair):
        data, record = documents.read_below(path, root)
        name = record.path
        files.append(record)
        header, rows = documents.table(data, name)
        if path == pair[0]:
            table, inferred = _named(header, rows, name), len(rows) == 7
        elif len(rows) != 1:
            documents.unreadable(name, f"holds {len(rows)} rows of common figures, not one")
        else:
            common = {word: Cell(rows[0][index], f"line 2, {word}") for index, word in enumerate(header)}
    missing = [word for word, path in zip(("result_perf", "result_common"), pair, strict=True) if path is None]
    return run(table, common, tuple(files), inferred=inferred, missing=tuple(missing))


def _named(header: Sequence[str], rows: Sequence[Sequence[str]], name: str) -> Table:
    """The table with the names that its number of rows gives them."""
    words = ROWS.get(len(rows))
    if words is None:
        raise CaptureError(
            "log_statistics",
            f"has {len(rows)} rows without names; 8, 7 or 6 are known",
            where=name,
            hint="give the screen text of the run, whose tables name their statistics",
        )
    return {
        column: {word: Cell(rows[line][index], f"line {line + 2}, {column}") for line, word in enumerate(words)}
        for index, column in enumerate(header)
    }


# ------------------------------------------------------------------------------------------------ a run
def run(
    table: Table,
    common: Mapping[str, Cell],
    files: tuple[FileRecord, ...],
    *,
    inferred: bool = False,
    missing: tuple[str, ...] = (),
    segment: int = 0,
    ended: int | None = None,
) -> Run:
    """A run of its two tables.

    Args:
        table: statistics of its requests; empty when they were not given.
        common: its common figures; empty when they were not given.
        files: the file the figures stand in first.
        inferred: whether the names of the statistics are only inferred.
        missing: tables that are not there.
        segment: number of the run within the file.
        ended: end of the run, UTC epoch ns.

    Raises:
        CaptureError: ``log_value``, ``log_statistics``.
    """
    name = files[0].path
    held = {column: _column(column, cells, name) for column, cells in table.items() if column in COLUMNS}
    known = {key: _common_figure(key, cell, name) for key, cell in common.items() if key in COMMON}
    idle = [column for column in NOT_MEASURED if column in held and not _used(held[column])]
    values = [value for column, cells in held.items() if column not in idle for value in _values(column, cells)]
    values += [one.logged(*COMMON[key][:3]) for key, one in known.items()]
    unknown = [word for word in table if word not in COLUMNS] + [
        word for word in common if word not in COMMON and word not in STATED
    ]
    left_out = [Reason.of("log_part_missing", file=word) for word in missing]
    left_out += [Reason.of("log_not_measured", column=column) for column in idle]
    words = dict.fromkeys(word for cells in table.values() for word in cells)
    unknown += [word for word in words if word not in ROWS[8]]
    lost = load.lacking(words, (*STATISTICS, *(("p90",) if "slo_p90" in words else ())))
    left_out += [*load.lacking(common, ALWAYS), *lost, *load.unread(unknown)]
    duration = known.get("TimeElapsed")
    stop = Quantity(value=ended, unit="ns") if ended is not None else None
    start = Quantity(value=ended - round(duration.value), unit="ns") if ended is not None and duration else None
    facts = [(STATED[key], cell.text, cell.locator) for key, cell in common.items() if key in STATED]
    return Run(
        producer="mindie_benchmark",
        version="",
        definitions="mindie_benchmark",
        file=files[0],
        more=files[1:],
        segment=segment,
        began=start,
        ended=stop,
        context=load.stated((key, text, place) for key, text, place in facts if text != "/"),
        values=tuple(values),
        identities=tuple(_identities(held, known, common)),
        left_out=tuple(left_out),
        warnings=(*load.doubts(values), *([Reason.of("mindie_rows_inferred")] if inferred else [])),
    )


def _column(column: str, cells: Mapping[str, Cell], name: str) -> dict[str, Placed]:
    """The figures of a column, checked for the order that their statistics must have."""
    unit = COLUMNS[column][2]
    found: dict[str, Placed] = {}
    for word, cell in cells.items():
        if cell.text.startswith("/") or word not in ROWS[8]:
            continue
        wanted = "1" if word == "count" else unit
        found[word] = load.placed(cell.text, wanted, cell.locator, name)
    total = found.get("count")
    ordered = [found[word].value for word in ("min", "p75", "p90", "p99", "max") if word in found]
    mean = found.get("mean")
    inside = mean is None or (
        ("min" not in found or found["min"].value <= mean.value)
        and ("max" not in found or mean.value <= found["max"].value)
    )
    whole = total is not None and numbers.whole(total.figure.written) is not None
    if not inside or not whole or any(first > later for first, later in pairwise(ordered)):
        raise CaptureError(
            "log_statistics",
            f"the figures of {column} do not have the order of min, mean, P75, P90, P99, max and a count",
            where=f"{name}: {column}",
            hint="give the screen text of the run, whose tables name their statistics",
        )
    return found


def _used(cells: Mapping[str, Placed]) -> bool:
    """Whether any figure but the count is not zero."""
    return any(one.value for word, one in cells.items() if word != "count")


def _values(column: str, cells: Mapping[str, Placed]) -> Iterator[LoggedValue]:
    """The figures of a column; of gaps pooled over requests the P90 of each request's own mean is a kind of its own."""
    metric, kind, _ = COLUMNS[column]
    for word, one in cells.items():
        if word != "slo_p90":
            yield one.logged(metric, kind, word)
        elif column == "DecodeTime":
            yield one.logged(metric, "mean_gap_per_request", "p90")


def _common_figure(key: str, cell: Cell, name: str) -> Placed:
    unit = COMMON[key][3]
    counted = _COUNTED.fullmatch(cell.text.strip()) if unit == "1" else None
    return load.placed(counted[1] if counted else cell.text, unit, cell.locator, name)


def _identities(
    held: Mapping[str, Mapping[str, Placed]], known: Mapping[str, Placed], common: Mapping[str, Cell]
) -> Iterator[Identity]:
    """I11 and I13."""

    def mean(column: str) -> Placed | None:
        return held.get(column, {}).get("mean")

    duration, done = known.get("TimeElapsed"), known.get("Returned")
    speed = load.value_of(known, "OutputGenerateSpeed", "GenerateSpeed")
    most = common.get("Concurrency")
    limit = numbers.whole(most.text) if most is not None else None
    place = most.locator if most is not None else ""
    clients = count(limit, place) if limit else None
    each = derived(lambda rate, n: rate.over(n), "1/s", speed, clients)
    yield from check("I11", "speed_over_concurrency", known.get("GenerateSpeedPerClient"), each)
    prefill = derived(lambda ns, tokens: ns.over(tokens), "ns", mean("FirstTokenTime"), mean("InputTokens"))
    yield from check("I11", "first_token_time_over_input_tokens", known.get("lpct"), prefill)
    yield from check("I11", "requests_over_duration", known.get("Throughput"), _rate(done, duration))
    for what, column, stated in (
        ("output_tokens_over_duration", "GeneratedTokens", speed),
        ("input_tokens_over_duration", "InputTokens", known.get("InputGenerateSpeed")),
    ):
        tokens = derived(lambda each, n: each.times(n), "1", mean(column), done)
        yield from check("I11", what, stated, _rate(tokens, duration))
    both = derived(lambda a, b: a.plus(b), "1/s", speed, known.get("InputGenerateSpeed"))
    yield from check("I11", "input_and_output_are_total", known.get("TotalGenerateSpeed"), both)
    yield from load.little(known.get("Throughput"), mean("GenerateTime"), limit, place)


def _rate(number: Placed | Derived | None, duration: Placed | None) -> Derived | None:
    return derived(per_second, "1/s", number, duration)
