"""Results of AISBench: a run's folder, the folder of one model, or one of the two files of a data set.

``<data set>.json`` holds the figures of the whole run, ``<data set>.csv`` the statistics of its requests, both by
stage. The stages ``total`` and ``stable`` are different windows with different sets of definitions: one run each.
Figures of single requests lie in a database of its own beside ``*_details.jsonl`` and are not read.
Source: docs/logs.md, AISBench.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from reportgen.errors import CaptureError
from reportgen.model import FileRecord, Identity, LoggedValue, Reason, Run, Stated
from reportgen.plain import printable
from reportgen.run_logs import aisbench_config, documents, load
from reportgen.run_logs.placed import Placed, check, derived, per_second
from reportgen.run_logs.text import Log

STAGES = ("total", "stable")
"""Windows of the two calculators."""
COMMON: dict[str, tuple[str, str, str, str]] = {
    "Benchmark Duration": ("duration", "", "total", "ns"),
    "Total Requests": ("requests", "", "count", "1"),
    "Failed Requests": ("failed", "", "count", "1"),
    "Success Requests": ("completed", "", "count", "1"),
    "Concurrency": ("concurrency", "", "mean", "1"),
    "Request Throughput": ("throughput", "requests_per_s", "mean", "1/s"),
    "Total Input Tokens": ("input_tokens", "", "total", "1"),
    "Total Generated Tokens": ("output_tokens", "", "total", "1"),
    "Total Output Tokens": ("output_tokens", "", "total", "1"),
    "Prefill Token Throughput": ("throughput", "prefill_tokens_per_s", "mean", "1/s"),
    "Input Token Throughput": ("throughput", "input_tokens_per_s", "mean", "1/s"),
    "Output Token Throughput": ("throughput", "output_tokens_per_s", "mean", "1/s"),
    "Total Token Throughput": ("throughput", "total_tokens_per_s", "mean", "1/s"),
}
"""Key of the JSON file -> metric, kind, statistic and exact unit."""
LIMIT_KEY = "Max Concurrency"
ROWS: dict[str, tuple[str, str, str]] = {
    "E2EL": ("latency", "e2e", "ns"),
    "TTFT": ("latency", "ttft", "ns"),
    "TPOT": ("latency", "tpot", "ns"),
    "ITL": ("latency", "itl", "ns"),
    "InputTokens": ("input_tokens", "", "1"),
    "OutputTokens": ("output_tokens", "", "1"),
    "OutputTokenThroughput": ("throughput", "output_tokens_per_s_per_request", "1/s"),
    "PrefillTokenThroughput": ("throughput", "input_tokens_per_s_per_request", "1/s"),
}
"""Row of the table -> metric, kind and exact unit."""
ALWAYS = ("Benchmark Duration", "Total Requests", "Failed Requests", "Success Requests", "Concurrency", LIMIT_KEY)
"""Keys that every version writes for each stage."""
RESULTS = ("performances", "performance")
"""Folder of a run that holds one folder for each model."""
_JSON = re.compile(rb'"Benchmark Duration"\s{0,8}:\s{0,8}\{')
_CSV = re.compile(rb"\s{0,8}\"?Performance Parameters\"?\s{0,4},\s{0,4}\"?Stage\"?\s{0,4},")
_SKIP = frozenset(("configs", "logs", "db_data", "tmp", "predictions", "results", "summary"))


class _Part(NamedTuple):
    """What one file says of one stage."""

    figures: dict[str, Placed]
    """By key, or by ``row column``."""
    values: tuple[LoggedValue, ...]
    """The same as values."""
    limit: Placed | None
    """Most requests under way, where the file says so."""
    unknown: tuple[str, ...]
    """Keys or rows that no reader knows."""
    empty: int
    """Rows of no request."""
    lacking: tuple[Reason, ...] = ()
    """Figures of the run that are always written and are not there."""


def sniff(log: Log) -> bool:
    """Whether a file is one of the two that AISBench writes for a data set."""
    return (log.is_json and _JSON.search(log.head) is not None) or _CSV.match(log.head) is not None


def read(log: Log) -> tuple[Run, ...]:
    """The runs of one file, with the other file of its data set and the configuration where those stand beside it.

    Raises:
        CaptureError: ``log_unreadable``, ``log_value``, ``log_missing_figures``; as ``digests.read_whole``.
    """
    twin = log.path.with_suffix(".csv" if log.is_json else ".json")
    with_twin = [log.path, twin] if twin.is_file() and _kind(twin, log.path.parent) else [log.path]
    files = {path.suffix if path != log.path else (".json" if log.is_json else ".csv"): path for path in with_twin}
    model = log.path.parent
    above = model.parent.parent if model.parent.name in RESULTS else model
    return tuple(_runs(files.get(".json"), files.get(".csv"), model, aisbench_config.read(above, model)))


def sniff_folder(root: Path) -> bool:
    """Whether a folder holds a result of AISBench."""
    return any(_kind(path, root) for path in load.files_below(root, skip=_SKIP) if path.suffix in (".json", ".csv"))


def read_folder(root: Path) -> tuple[Run, ...]:
    """The runs of every data set in a result folder, by path, the stages of each in a row.

    Raises:
        CaptureError: as ``read``.
    """
    results: dict[Path, dict[str, Path]] = {}
    for path in load.files_below(root, skip=_SKIP):
        if path.suffix in (".json", ".csv") and _kind(path, root):
            results.setdefault(path.with_suffix(""), {})[path.suffix] = path
    found: list[Run] = []
    for stem, files in sorted(results.items()):
        configuration = aisbench_config.read(root, stem.parent)
        found.extend(_runs(files.get(".json"), files.get(".csv"), root, configuration))
    return tuple(found)


def _kind(path: Path, root: Path) -> bool:
    """Whether a file in a folder is a result: told by its first bytes."""
    data = load.head(path, root)
    return _CSV.match(data) is not None if path.suffix == ".csv" else _JSON.search(data) is not None


def _runs(
    common: Path | None, table: Path | None, root: Path, configuration: tuple[aisbench_config.Configuration, ...]
) -> Iterator[Run]:
    """One run for each stage that either file holds."""
    files: list[FileRecord] = []
    parts: dict[str, list[_Part]] = {}
    for path in filter(None, (common, table)):
        data, record = documents.read_below(path, root)
        name = record.path
        files.append(record)
        stages = _common(Log(path), name) if path == common else _table(data, name)
        for stage, part in stages.items():
            parts.setdefault(stage, []).append(part)
    main = common or table
    assert main is not None
    model = main.parent.name if main.parent.parent.name in RESULTS else ""
    for segment, stage in enumerate(sorted(parts, key=STAGES.index)):
        yield _run(stage, segment, parts[stage], files, (common is None, table is None), model, configuration)


# ------------------------------------------------------------------------------------------------ the two files
def _common(log: Log, name: str) -> dict[str, _Part]:
    """The JSON file by stage."""
    document = documents.only(log)
    if not isinstance(document, dict):
        documents.unreadable(name, "is JSON but no object")
    found: dict[str, dict[str, Placed]] = {}
    unknown: list[str] = []
    for key, stages in document.items():
        known = COMMON.get(key, ("", "", "", "1") if key == LIMIT_KEY else None)
        if known is None or not isinstance(stages, dict):
            unknown.append(key)
            continue
        for stage, value in stages.items():
            unit = known[3]
            pointer = f"/{key}/{printable(stage)}"
            found.setdefault(_stage(stage, name, pointer), {})[key] = load.placed(value, unit, pointer, name)
    if not found:
        documents.unreadable(name, "holds no stage")
    return {
        stage: _Part(
            figures,
            tuple(one.logged(*COMMON[key][:3]) for key, one in figures.items() if key in COMMON),
            figures.get(LIMIT_KEY),
            tuple(unknown),
            0,
            load.lacking(figures, ALWAYS),
        )
        for stage, figures in found.items()
    }


def _table(data: bytes, name: str) -> dict[str, _Part]:
    """The table by stage; its statistics are found by the words of its header."""
    header, rows = documents.table(data, name)
    columns = {index: word for index, word in enumerate(header) if index > 1 and word != "N"}
    strange = [word for word in columns.values() if load.statistic(word) is None]
    if header[:2] != ["Performance Parameters", "Stage"] or strange:
        documents.unreadable(
            f"{name}:1", f"has a column no reader knows: {printable(', '.join(strange or header))[:80]}"
        )
    held: dict[str, tuple[dict[str, Placed], list[LoggedValue], list[str]]] = {}
    empty: dict[str, int] = {}
    for line, row in enumerate(rows, start=2):
        figures, values, unknown = held.setdefault(_stage(row[1], name, f"line {line}"), ({}, [], []))
        if row[0] not in ROWS:
            unknown.append(row[0])
            continue
        metric, kind, unit = ROWS[row[0]]
        total = load.placed(row[header.index("N")], "1", f"line {line}, N", name) if "N" in header else None
        if total is not None and total.value == 0:
            empty[row[1]] = empty.get(row[1], 0) + 1
            continue
        if total is not None:
            figures[f"{row[0]} N"] = total
            values.append(total.logged(metric, kind, "count"))
        for index, word in columns.items():
            one = load.placed(row[index], unit, f"line {line}, {word}", name)
            if f"{row[0]} {word}" in figures:
                documents.unreadable(f"{name}:{line}", f"gives {row[0]} twice")
            figures[f"{row[0]} {word}"] = one
            values.append(one.logged(metric, kind, load.statistic(word) or ""))
    return {
        stage: _Part(figures, tuple(values), None, tuple(unknown), empty.get(stage, 0))
        for stage, (figures, values, unknown) in held.items()
    }


def _stage(word: str, name: str, place: str) -> str:
    if word not in STAGES:
        raise CaptureError(
            "log_unreadable",
            f"names a stage that is neither total nor stable: {printable(word)[:40]!r}",
            where=f"{name}: {place}",
            hint=documents.HINT,
        )
    return word


# ------------------------------------------------------------------------------------------------ a run
def _run(
    stage: str,
    segment: int,
    parts: list[_Part],
    files: list[FileRecord],
    lacks: tuple[bool, bool],
    model: str,
    configuration: tuple[aisbench_config.Configuration, ...],
) -> Run:
    """One stage of one data set."""
    figures = {key: one for part in parts for key, one in part.figures.items()}
    values = tuple(value for part in parts for value in part.values)
    limit = load.value_of(figures, LIMIT_KEY)
    chosen, left_out = aisbench_config.chosen(configuration, model)
    rows: list[tuple[str, Any, str]] = [("stage", stage, "Stage")]
    if limit is not None:
        rows.append(("max_concurrency", str(limit.figure.value), limit.locator))
    if model:
        rows.append(("model_abbreviation", model, "name of the folder"))
    data_set = Path(files[0].path).stem
    rows.append(("dataset", data_set, "name of the file"))
    left_out = (*left_out, *load.unread(key for part in parts for key in part.unknown))
    left_out = (*left_out, *(reason for part in parts for reason in part.lacking))
    empty = sum(part.empty for part in parts)
    if empty:
        left_out = (*left_out, Reason.of("log_empty_rows", n=empty))
    for missing, what in zip(lacks, (f"{data_set}.json", f"{data_set}.csv"), strict=True):
        if missing:
            left_out = (*left_out, Reason.of("log_part_missing", file=what))
    return Run(
        producer="aisbench",
        version="",
        definitions=f"aisbench_{stage}",
        file=files[0],
        more=(*files[1:], *((chosen.record,) if chosen else ())),
        segment=segment,
        context=_context(load.stated(rows), chosen),
        values=values,
        identities=tuple(_identities(stage, figures)),
        left_out=left_out,
        warnings=(*load.doubts(values), *_doubts(stage, figures, chosen)),
    )


def _context(rows: tuple[Stated, ...], chosen: aisbench_config.Configuration | None) -> tuple[Stated, ...]:
    """What the results state, then what the configuration adds to it."""
    held = {row.key for row in rows}
    return (*rows, *(one for one in (chosen.stated if chosen else ()) if one.key not in held))


def _identities(stage: str, figures: dict[str, Placed]) -> Iterator[Identity]:
    """I9, I10 and I13 on the figures of one stage."""
    duration, done = figures.get("Benchmark Duration"), figures.get("Success Requests")
    received = figures.get("Total Input Tokens")
    made = load.value_of(figures, "Total Generated Tokens", "Total Output Tokens")
    total = derived(lambda a, b: a.plus(b), "1", received, made)
    rates = (
        ("requests_over_duration", "Request Throughput", done),
        ("input_tokens_over_duration", "Input Token Throughput", received),
        ("output_tokens_over_duration", "Output Token Throughput", made),
        ("total_tokens_over_duration", "Total Token Throughput", total),
    )
    for what, key, number in rates:
        yield from check("I10", what, figures.get(key), derived(per_second, "1/s", number, duration))
    everything = derived(lambda a, b: a.plus(b), "1", done, figures.get("Failed Requests"))
    yield from check("I10", "success_and_failed_are_total", figures.get("Total Requests"), everything)
    yield from check("I10", "requests_of_table", figures.get("E2EL N"), done)
    latency = figures.get("E2EL Average")
    if stage == "total":
        under_way = derived(lambda ns, n, span: ns.times(n).over(span), "1", latency, done, duration)
        yield from check("I10", "mean_latency_times_requests_over_duration", figures.get("Concurrency"), under_way)
        limit = figures.get(LIMIT_KEY)
        most = int(limit.value) if limit is not None else None
        yield from load.little(figures.get("Request Throughput"), latency, most, f"/{LIMIT_KEY}/{stage}")
    for row, number in (("InputTokens", received), ("OutputTokens", made)):
        mean = derived(lambda tokens, n: tokens.over(n), "1", number, done)
        yield from check("I9", f"mean_of_{row}", figures.get(f"{row} Average"), mean)


def _doubts(stage: str, figures: dict[str, Placed], chosen: aisbench_config.Configuration | None) -> Iterator[Reason]:
    """Doubts that AISBench's own documents and code raise."""
    failed, duration, longest = (figures.get(key) for key in ("Failed Requests", "Benchmark Duration", "E2EL Max"))
    if stage == "stable":
        if failed is not None and failed.value > 0:
            yield Reason.of("aisbench_stable_with_failures", n=failed.figure.value)
        if duration is not None and longest is None:
            yield Reason.of("aisbench_stable_unproven")
        elif duration is not None and longest is not None and longest.value * 3 >= duration.value:
            yield Reason.of(
                "aisbench_stable_too_short", longest=longest.figure.written, duration=duration.figure.written
            )
    tokens = figures.get("Total Input Tokens")
    if tokens is not None and tokens.value == 0:
        yield Reason.of("aisbench_no_input_tokens")
    if chosen is None:
        return
    retry = next((one.written for one in chosen.stated if one.key == "retry"), "")
    if retry not in ("", "0"):
        yield Reason.of("aisbench_retries", n=retry)
    limit = figures.get(LIMIT_KEY)
    asked = next((one.written for one in chosen.stated if one.key == "max_concurrency"), "")
    if limit is not None and asked and asked != str(limit.figure.value):
        yield Reason.of("log_context_differs", key="max_concurrency", here=limit.figure.value, there=asked)
