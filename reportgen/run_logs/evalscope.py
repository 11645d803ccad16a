"""Results of ``evalscope perf``: the folder of one load, or its summary file. Older releases print seconds, newer ms.

The unit stands in the key and is taken from there alone. Source: docs/logs.md, evalscope.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from reportgen.model import FileRecord, Identity, LoggedValue, Reason, Run
from reportgen.run_logs import documents, load, numbers
from reportgen.run_logs.placed import Placed, check, derived, per_second
from reportgen.run_logs.text import Digits, Log, redacted

SUMMARY = "benchmark_summary.json"
PERCENTILES = "benchmark_percentile.json"
ARGUMENTS = "benchmark_args.json"
KEYS: dict[str, tuple[str, str, str, str]] = {
    "time taken for tests": ("duration", "", "total", "ns"),
    "test duration": ("duration", "", "total", "ns"),
    "total requests": ("requests", "", "count", "1"),
    "succeed requests": ("completed", "", "count", "1"),
    "success requests": ("completed", "", "count", "1"),
    "failed requests": ("failed", "", "count", "1"),
    "request throughput": ("throughput", "requests_per_s", "mean", "1/s"),
    "req throughput": ("throughput", "requests_per_s", "mean", "1/s"),
    "average qps": ("throughput", "requests_per_s", "mean", "1/s"),
    "output token throughput": ("throughput", "output_tokens_per_s", "mean", "1/s"),
    "output throughput": ("throughput", "output_tokens_per_s", "mean", "1/s"),
    "total token throughput": ("throughput", "total_tokens_per_s", "mean", "1/s"),
    "total throughput": ("throughput", "total_tokens_per_s", "mean", "1/s"),
    "average latency": ("latency", "e2e", "mean", "ns"),
    "avg latency": ("latency", "e2e", "mean", "ns"),
    "average time to first token": ("latency", "ttft", "mean", "ns"),
    "ttft": ("latency", "ttft", "mean", "ns"),
    "avg ttft": ("latency", "ttft", "mean", "ns"),
    "average time per output token": ("latency", "tpot", "mean", "ns"),
    "tpot": ("latency", "tpot", "mean", "ns"),
    "avg tpot": ("latency", "tpot", "mean", "ns"),
    "average inter-token latency": ("latency", "itl", "mean", "ns"),
    "itl": ("latency", "itl", "mean", "ns"),
    "avg itl": ("latency", "itl", "mean", "ns"),
    "average input tokens per request": ("input_tokens", "", "mean", "1"),
    "avg input tokens": ("input_tokens", "", "mean", "1"),
    "average output tokens per request": ("output_tokens", "", "mean", "1"),
    "avg output tokens": ("output_tokens", "", "mean", "1"),
}
"""Label of the summary without its unit, in small letters -> metric, kind, statistic and exact unit."""
AT_PERCENTILE: dict[str, tuple[str, str, str]] = {
    "ttft": ("latency", "ttft", "ns"),
    "tpot": ("latency", "tpot", "ns"),
    "itl": ("latency", "itl", "ns"),
    "latency": ("latency", "e2e", "ns"),
    "input tokens": ("input_tokens", "", "1"),
    "output tokens": ("output_tokens", "", "1"),
    "output": ("throughput", "output_tokens_per_s_per_request", "1/s"),
    "total": ("throughput", "total_tokens_per_s_per_request", "1/s"),
}
"""Label of the percentile file -> metric, kind and exact unit."""
CONCURRENCY = ("number of concurrency", "concurrency")
RATE = "request rate"
ALWAYS: dict[str, tuple[str, ...]] = {
    "s": (
        "Time taken for tests (s)", "Number of concurrency", "Total requests", "Succeed requests", "Failed requests",
        "Request throughput (req/s)", "Average latency (s)", "Average input tokens per request",
    ),
    "ms": (
        "Test Duration (s)", "Concurrency", "Total Requests", "Success Requests", "Failed Requests",
        "Req Throughput (req/s)", "Avg Latency (s)", "Avg Input Tokens",
    ),
}  # fmt: skip
"""Unit of the newer or older releases' TTFT -> keys that each of their summaries has."""
ALWAYS_OF_TEXT: dict[str, tuple[str, ...]] = {
    "s": (
        "Output token throughput (tok/s)", "Total token throughput (tok/s)", "Average output tokens per request",
    ),
    "ms": ("Output Throughput (tok/s)", "Total Throughput (tok/s)", "Avg Output Tokens"),
}  # fmt: skip
"""The same of a model that generates text; one that embeds it prints a throughput of its input in their place."""
OF_INPUT = "input throughput"
OLDEST = "average qps"
"""A key of the oldest releases, of whose other keys nothing is known."""
OF_TOKENS = ("ttft", "tpot", "itl")
"""Latencies whose unit changed between releases."""
GIVEN = {
    "model": "model",
    "model_id": "model",
    "api": "client",
    "parallel": "max_concurrency",
    "number": "requests_asked",
    "rate": "request_rate",
    "stream": "stream",
    "dataset": "dataset",
    "max_tokens": "max_output_tokens",
    "min_tokens": "min_output_tokens",
    "max_prompt_length": "max_input_tokens",
    "min_prompt_length": "min_input_tokens",
    "prefix_length": "prefix_length",
    "seed": "seed",
    "temperature": "temperature",
    "top_p": "top_p",
    "top_k": "top_k",
}
"""Argument -> canonical name; no other argument is kept."""
MOST_ROWS = 200
"""Percentiles that are read."""
_KEY = re.compile(r"\s{0,4}([^()]{1,80}?)\s{0,4}(?:\(([^()]{1,20})\))?\s{0,4}")
_SNIFF = re.compile(
    rb'"(?:Succeed requests|Success Requests|Request throughput \(req/s\)|Req Throughput \(req/s\)|Average QPS'
    rb'|Average latency \(s\)|Avg Latency \(s\))"\s{0,4}:\s{0,4}[0-9]'
)


class _Named(NamedTuple):
    """A key of the summary."""

    label: str
    """Without its unit, in small letters."""
    unit: str
    """Written unit; empty when the key has none."""


def sniff(log: Log) -> bool:
    """Whether a file is a summary of evalscope perf."""
    return log.is_json and _SNIFF.search(log.head) is not None


def read(log: Log) -> tuple[Run, ...]:
    """The run of a summary, with the percentiles and arguments beside it.

    What lies beside belongs to a summary by its name alone: of a file that was renamed nothing says whose they are.

    Raises:
        CaptureError: ``log_unreadable``, ``log_value``, ``log_mixed``; as ``Log.objects``.
    """
    return (_run(log.path, log.path.parent),)


def sniff_folder(root: Path) -> bool:
    """Whether a folder holds a summary."""
    return any(sniff(Log(path)) for path in load.files_below(root) if path.name == SUMMARY)


def read_folder(root: Path) -> tuple[Run, ...]:
    """The runs of a folder of one or several loads, by path.

    Raises:
        CaptureError: as ``read``.
    """
    found = [path for path in load.files_below(root) if path.name == SUMMARY]
    return tuple(_run(path, root) for path in found if sniff(Log(path)))


def _document(path: Path, root: Path) -> tuple[Any, FileRecord]:
    """The one JSON value of a file, and the record of it."""
    _, record = documents.read_below(path, root)
    return documents.only(Log(path)), record


def _named(key: str) -> _Named:
    match = _KEY.fullmatch(key)
    return _Named(match[1].lower(), match[2] or "") if match is not None else _Named(key, "")


def _figure(value: Any, named: _Named, unit: str, place: str, where: str) -> Placed | None:
    """The figure of a key; None where its key names no unit that fits, or it holds nothing."""
    known = numbers.factor(named.unit or "count")
    if value is None or known is None or known[0] != unit:
        return None
    found = numbers.figure(str(value), named.unit or "count") if isinstance(value, Digits) else None
    if found is None or found.value < 0:
        documents.no_figure(str(value), place, where)
    return Placed(found, place)


def _run(path: Path, root: Path) -> Run:
    """The run of a summary file in a folder."""
    document, record = _document(path, root)
    if not isinstance(document, dict):
        documents.unreadable(record.path, "is JSON but no object")
    figures: dict[tuple[str, str, str], Placed] = {}
    limit: Placed | None = None
    rate: list[tuple[str, Any, str]] = []
    unknown: list[str] = []
    keys: dict[tuple[str, str, str], str] = {}
    for key, value in document.items():
        named, place = _named(key), f"/{key}"
        if named.label in CONCURRENCY:
            limit = _figure(value, named, "1", place, record.path)
            continue
        if named.label == RATE:
            rate.append(("request_rate", value, place))
            continue
        known = KEYS.get(named.label)
        label = _Named(named.label, "req/s") if named.label == OLDEST else named
        one = _figure(value, label, known[3], place, record.path) if known is not None else None
        if known is None or (one is None and value is not None):
            unknown.append(key)
            continue
        again = keys.setdefault(known[:3], key)
        if again != key:
            documents.two_runs(f"{record.path}: {place}", f"gives again what {redacted(again)!r} gives")
        if one is not None:
            figures[known[:3]] = one
    unit = _release(document, record)
    files = [record]
    values = [one.logged(*names) for names, one in figures.items()]
    beside = path.name == SUMMARY
    values += _percentiles(path.with_name(PERCENTILES), root, files) if beside else ()
    given = _arguments(path.with_name(ARGUMENTS), root, files) if beside else []
    rows = [("max_concurrency", limit.figure.written, limit.locator)] if limit is not None else []
    sent = figures.get(("requests", "", "count"))
    rows += [("num_prompts", sent.figure.written, sent.locator)] if sent is not None else []
    return Run(
        producer="evalscope_perf",
        version="",
        definitions=f"evalscope_{unit}",
        file=record,
        more=tuple(files[1:]),
        context=load.stated([*rows, *rate, *given]),
        values=tuple(values),
        identities=tuple(_identities(figures, limit, given)),
        left_out=(*_lacking(document, unit), *load.unread(unknown)),
        warnings=load.doubts(values),
    )


def _release(document: Mapping[str, Any], record: FileRecord) -> str:
    """Unit of TTFT, TPOT and ITL in the release that wrote a summary, from its keys, whether they hold a figure or not.

    Raises:
        CaptureError: ``log_mixed``: keys of both.
    """
    named = [_named(key) for key in document]
    units = {
        one.unit for one in named if (known := KEYS.get(one.label)) and known[1] in OF_TOKENS and one.unit in ALWAYS
    }
    if len(units) > 1:
        documents.two_runs(record.path, "gives times of tokens in s and in ms, as no release does")
    newer = {_named(key).label for key in (*ALWAYS["ms"], *ALWAYS_OF_TEXT["ms"])}
    older = {_named(key).label for key in (*ALWAYS["s"], *ALWAYS_OF_TEXT["s"])}
    return units.pop() if units else "ms" if {one.label for one in named} & (newer - older) else "s"


def _lacking(document: Mapping[str, Any], unit: str) -> tuple[Reason, ...]:
    """Keys that the release always writes and that are not there, or hold nothing."""
    labels = {_named(key).label for key, value in document.items() if value is not None}
    if OLDEST in labels:
        return ()
    always = [*ALWAYS[unit], *(() if OF_INPUT in labels else ALWAYS_OF_TEXT[unit])]
    return load.lacking([key for key in always if _named(key).label in labels] or labels, always)


def _percentiles(path: Path, root: Path, files: list[FileRecord]) -> Iterator[LoggedValue]:
    """The figures of the percentile file, where it stands beside the summary."""
    if not path.is_file():
        return
    document, record = _document(path, root)
    files.append(record)
    if not isinstance(document, list) or len(document) > MOST_ROWS:
        documents.unreadable(record.path, "is no list of percentiles")
    seen: set[tuple[str, str, str]] = set()
    for index, row in enumerate(document):
        word = load.statistic(str(row.get("Percentiles", ""))) if isinstance(row, dict) else None
        if word is None:
            documents.unreadable(record.path, f"row {index} names no percentile")
        for key, value in row.items():
            named = _named(key)
            known = AT_PERCENTILE.get(named.label)
            if known is None:
                continue
            one = _figure(value, named, known[2], f"{record.path} /{index}/{key}", record.path)
            if one is None:
                continue
            if (*known[:2], word) in seen:
                documents.two_runs(f"{record.path}: row {index}", f"gives {word} of {named.label} again")
            seen.add((*known[:2], word))
            yield one.logged(known[0], known[1], word)


def _arguments(path: Path, root: Path, files: list[FileRecord]) -> list[tuple[str, Any, str]]:
    """What the arguments state of the run; keys, addresses and headers are not among them."""
    if not path.is_file():
        return []
    document, record = _document(path, root)
    files.append(record)
    if not isinstance(document, dict):
        documents.unreadable(record.path, "is JSON but no object")
    rows = [(GIVEN[key], value, f"{record.path} /{key}") for key, value in document.items() if key in GIVEN]
    extra = document.get("extra_args")
    if isinstance(extra, dict) and "ignore_eos" in extra:
        rows.append(("ignore_eos", extra["ignore_eos"], f"{record.path} /extra_args/ignore_eos"))
    return rows


def _identities(
    figures: Mapping[tuple[str, str, str], Placed], limit: Placed | None, given: Sequence[tuple[str, Any, str]]
) -> Iterator[Identity]:
    """I7 and I13; the concurrency allowed is what the arguments ask for, where both state one number."""

    def rate(kind: str) -> Placed | None:
        return figures.get(("throughput", kind, "mean"))

    duration, done = figures.get(("duration", "", "total")), figures.get(("completed", "", "count"))
    received, made = (figures.get((metric, "", "mean")) for metric in ("input_tokens", "output_tokens"))
    yield from check("I7", "requests_over_duration", rate("requests_per_s"), derived(per_second, "1/s", done, duration))
    out = derived(lambda per_s, tokens: per_s.times(tokens), "1/s", rate("requests_per_s"), made)
    yield from check("I7", "output_tokens_of_requests", rate("output_tokens_per_s"), out)
    both = derived(lambda per_s, a, b: per_s.times(a.plus(b)), "1/s", rate("requests_per_s"), received, made)
    yield from check("I7", "total_tokens_of_requests", rate("total_tokens_per_s"), both)
    asked = next(
        (Placed(one, place) for key, value, place in given
         if key == "max_concurrency" and isinstance(value, Digits) and (one := numbers.figure(value, "count"))),
        None,
    )  # fmt: skip
    held = limit if limit is not None else asked
    most = numbers.whole(held.figure.written) if held is not None else None
    place = held.locator if held is not None else ""
    yield from load.little(rate("requests_per_s"), figures.get(("latency", "e2e", "mean")), most, place)
    yield from check("I13", "concurrency_as_asked", limit, asked)
    sent, failed = figures.get(("requests", "", "count")), figures.get(("failed", "", "count"))
    yield from check("I7", "completed_and_failed", sent, derived(lambda a, b: a.plus(b), "1", done, failed))
