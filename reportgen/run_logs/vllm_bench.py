"""``vllm bench serve`` and the older ``benchmark_serving.py``: the JSON of ``--save-result``.

Also what other servers were measured with by the same client. Source: docs/logs.md, "Serving: vLLM".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from reportgen.errors import CaptureError
from reportgen.model import Identity, LoggedSeries, LoggedValue, Reason, Run, Stated
from reportgen.run_logs import building, json_values, numbers
from reportgen.run_logs.identities import equal, exactly
from reportgen.run_logs.load import lacking
from reportgen.run_logs.numbers import Figure
from reportgen.run_logs.serving_identities import asked, from_lists, load, output_length, throughputs
from reportgen.run_logs.text import Log, redacted

PRODUCER, DEFINITIONS = "vllm_bench_serve", "vllm_bench"
MOST_OBJECTS = 1000
"""Results of the largest file that ``--append-result`` wrote."""
COUNTS = {
    "completed": ("completed", "count"),
    "failed": ("failed", "count"),
    "total_input_tokens": ("input_tokens", "total"),
    "total_output_tokens": ("output_tokens", "total"),
    "max_concurrent_requests": ("concurrent_requests", "max"),
    "spec_decode_num_drafts": ("drafts", "count"),
    "spec_decode_draft_tokens": ("draft_tokens", "count"),
    "spec_decode_accepted_tokens": ("accepted_tokens", "count"),
}
"""Key -> (metric, statistic) of what is counted."""
RATES = {
    "request_throughput": ("requests_per_s", "req/s", "mean"),
    "request_goodput": ("good_requests_per_s", "req/s", "mean"),
    "request_goodput:": ("good_requests_per_s", "req/s", "mean"),
    "output_throughput": ("output_tokens_per_s", "tokens/s", "mean"),
    "total_token_throughput": ("total_tokens_per_s", "tokens/s", "mean"),
    "max_output_tokens_per_s": ("output_tokens_per_s", "tokens/s", "max"),
}
"""Key -> (kind of throughput, unit, statistic)."""
OTHER = {
    "spec_decode_acceptance_rate": ("acceptance_rate", "%"),
    "spec_decode_acceptance_length": ("acceptance_length", ""),
}
ALWAYS = ("completed", "total_input_tokens", "total_output_tokens", "request_throughput", "output_throughput")
"""Figures that every release writes; beside them ``total_token_throughput``, or ``input_throughput`` before it."""
LISTS = ("input_lens", "output_lens", "ttfts", "itls", "latencies", "start_times", "queue_times", "errors")
LENGTHS = {"input_tokens": "input_lens", "output_tokens": "output_lens"}
"""Metric -> list of the tokens of each request."""
DETAILED = {"input_lens", "output_lens", "itls", "errors"}
"""Lists that are written together with ``ttfts``, or not at all."""
NEVER_KEPT = ("generated_texts",)
_LATENCY = re.compile(r"(mean|median|std|p[0-9]{1,2}(?:\.[0-9]{1,4})?)_(ttft|tpot|itl|e2el)_ms")
_KINDS = {"ttft": "ttft", "tpot": "tpot", "itl": "itl", "e2el": "e2e"}
_CANONICAL = {"model_id": "model", "tokenizer_id": "tokenizer", "endpoint_type": "endpoint_type", "date": "end_time"}
MOST_STATED = 200
"""Statements kept of one result; ``--metadata`` may add any."""


def sniff(log: Log) -> bool:
    """Whether it is JSON that begins with a result of this client."""
    needed = (b'"request_throughput"', b'"total_output_tokens"', b'"completed"')
    return log.is_json and all(log.holds(re.compile(key), key) for key in needed)


def read(log: Log) -> tuple[Run, ...]:
    """One run for each result in the file.

    Raises:
        CaptureError: ``log_unreadable``, ``log_too_large``.
    """
    runs = []
    for index, (line, found) in enumerate(log.objects()):
        if not isinstance(found, dict) or json_values.figure(found, "duration", "s") is None:
            raise CaptureError(
                "log_unreadable",
                "holds an object that is no result of vllm bench serve: it has no duration",
                where=log.at(line),
                hint="give the file that --save-result wrote",
            )
        if index >= MOST_OBJECTS:
            raise CaptureError(
                "log_too_large",
                f"holds more than {MOST_OBJECTS} results",
                where=log.at(line),
                hint="keep the results that are meant",
            )
        runs.append(_run(log, index, line, found))
    return tuple(runs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Requests:
    """The lists of ``--save-detailed``, successful requests alone."""

    numbers: tuple[int, ...]
    """Place of each in the lists, from 0."""
    latencies: dict[str, list[tuple[str, Figure]]]
    """Kind -> (request or request/gap, figure)."""
    lengths: dict[str, list[tuple[str, Figure]]]
    """``input_tokens``, ``output_tokens`` -> (request, tokens)."""


def _run(log: Log, index: int, line: int, found: dict[str, Any]) -> Run:
    place = f"line {line} " if index or line > 1 else ""
    values = _values(found, place)
    requests, left_out = _requests(found)
    series = tuple(
        building.logged_series("latency", kind, items, locator=f"{place}{_source(kind, found)}", shortest=True)
        for kind, items in (requests.latencies.items() if requests else ())
        if items
    ) + tuple(
        building.logged_series(metric, "", items, locator=f"{place}/{LENGTHS[metric]}")
        for metric, items in (requests.lengths.items() if requests else ())
    )
    context, unkept = _context(found, place)
    return Run(
        producer=PRODUCER,
        version="",
        definitions=DEFINITIONS,
        file=log.record,
        segment=index,
        context=context,
        series=series,
        values=values,
        identities=_identities(found, values, series, requests, place),
        left_out=(*left_out, *_lacking(found, values, place), *unkept),
        warnings=_warnings(values),
    )


# --------------------------------------------------------------------------------------------- figures
def _values(found: dict[str, Any], place: str) -> tuple[LoggedValue, ...]:
    rows: list[tuple[str, str, str, Figure | None, str]] = [
        ("duration", "", "total", json_values.figure(found, "duration", "s"), "duration")
    ]
    rows += [
        (metric, "", statistic, json_values.figure(found, key, "count"), key)
        for key, (metric, statistic) in COUNTS.items()
    ]
    rows += [
        ("throughput", kind, statistic, json_values.figure(found, key, unit), key)
        for key, (kind, unit, statistic) in RATES.items()
    ]
    rows += [(metric, "", "mean", json_values.figure(found, key, unit), key) for key, (metric, unit) in OTHER.items()]
    for key in found:
        match = _LATENCY.fullmatch(key)
        if match is not None:
            rows.append(("latency", _KINDS[match[2]], match[1], json_values.figure(found, key, "ms"), key))
    listed = [building.logged_value(*row[:3], row[3], f"{place}/{row[4]}") for row in rows if row[3] is not None]
    return (*listed, *_failed(found, place))


def _lacking(found: dict[str, Any], values: Sequence[LoggedValue], place: str) -> tuple[Reason, ...]:
    """The figures that stand beside the others in every release: rates, counts, the mean of each latency told of."""
    held = {one.locator.removeprefix(f"{place}/") for one in values}
    total = () if "input_throughput" in found else ("total_token_throughput",)
    told = dict.fromkeys(match[2] for match in map(_LATENCY.fullmatch, found) if match is not None)
    return lacking(held, (*ALWAYS, *total, *(f"mean_{kind}_ms" for kind in told)))


def _failed(found: dict[str, Any], place: str) -> tuple[LoggedValue, ...]:
    """Old files have no ``failed``: requests sent less requests completed."""
    sent, completed = json_values.whole(found, "num_prompts"), json_values.whole(found, "completed")
    if "failed" in found or sent is None or completed is None or completed > sent:
        return ()
    count = Figure(sent - completed, "1", Fraction(1), "")
    return (building.logged_value("failed", "", "count", count, f"{place}/num_prompts - /completed"),)


def _requests(found: dict[str, Any]) -> tuple[Requests | None, tuple[Reason, ...]]:
    """Latencies of each successful request; None without lists, or when they are of different lengths.

    A request failed that has an error; one of no tokens too, unless the errors alone tell as many as completed.
    """
    lists = {key: found[key] for key in LISTS if isinstance(found.get(key), list) and found[key]}
    if "ttfts" not in lists and lists.keys() & DETAILED:
        return None, (Reason.of("log_lists_differ", keys=", ".join(["ttfts", *lists])),)
    if "ttfts" not in lists and "latencies" not in lists:
        return None, ()
    if len({len(values) for values in lists.values()}) != 1:
        return None, (Reason.of("log_lists_differ", keys=", ".join(lists)),)
    count = len(next(iter(lists.values())))
    errors = lists.get("errors", [""] * count)
    lengths = lists.get("output_lens", [None] * count)
    numbered = tuple(i for i in range(count) if not errors[i])
    if "errors" not in lists or len(numbered) != json_values.whole(found, "completed"):
        numbered = tuple(i for i in numbered if lengths[i] != "0")
    ttfts = json_values.figures(lists.get("ttfts"), "s")
    ends = json_values.figures(lists.get("latencies"), "s")
    gaps = [json_values.figures(values, "s") for values in lists.get("itls", [])]
    latencies: dict[str, list[tuple[str, Figure]]] = {}
    if ttfts is not None:
        latencies["ttft"] = [(str(i), ttfts[i]) for i in numbered]
    if ends is not None:
        latencies["e2e"] = [(str(i), ends[i]) for i in numbered]
    if gaps and all(row is not None for row in gaps):
        latencies["itl"] = [(f"{i}/{j}", one) for i in numbered for j, one in enumerate(gaps[i] or ())]
    latencies["tpot"] = _tpot(numbered, lengths, ttfts, ends, gaps)
    failed = count - len(numbered)
    left_out = [Reason.of("log_failed_requests", n=failed)] if failed else []
    read_lists = {"ttfts": ttfts is not None, "latencies": ends is not None, "itls": None not in gaps}
    unread = [key for key, good in read_lists.items() if key in lists and not good]
    if unread:
        left_out.append(Reason.of("log_lists_unreadable", keys=", ".join(unread)))
    kept = {kind: rows for kind, rows in latencies.items() if rows}
    return Requests(numbers=numbered, latencies=kept, lengths=_lengths(lists, numbered)), tuple(left_out)


def _lengths(lists: Mapping[str, list[Any]], numbered: Sequence[int]) -> dict[str, list[tuple[str, Figure]]]:
    """Tokens of the prompt and of the answer of each request; a list with another value than a count is not kept."""
    found = {}
    for metric, key in LENGTHS.items():
        counts = json_values.figures(lists.get(key), "count")
        if counts is not None and numbered and all(one.value.denominator == 1 for one in counts):
            found[metric] = [(str(i), counts[i]) for i in numbered]
    return found


def _tpot(
    numbered: Sequence[int],
    lengths: Sequence[object],
    ttfts: list[Figure] | None,
    ends: list[Figure] | None,
    gaps: Sequence[list[Figure] | None],
) -> list[tuple[str, Figure]]:
    """(latency - first token) / (output tokens - 1), the producer's own formula; without latencies the gaps' sum.

    An answer that came in one chunk has no gaps, and their sum is 0.
    """
    found = []
    for i in numbered:
        written = lengths[i]
        tokens = numbers.whole(written) if isinstance(written, str) else None
        if tokens is None or tokens < 2:
            continue
        row = gaps[i] if gaps else None
        if ends is not None and ttfts is not None and ends[i].value >= ttfts[i].value:
            spent, resolution = Fraction(ends[i].value - ttfts[i].value), ends[i].resolution
        elif ends is None and row:
            spent, resolution = Fraction(sum(one.value for one in row)), max(one.resolution for one in row)
        elif ends is None and row is not None and ttfts is not None:
            spent, resolution = Fraction(0), ttfts[i].resolution
        else:
            continue
        found.append((str(i), Figure(spent / (tokens - 1), "ns", resolution / (tokens - 1), "")))
    return found


def _source(kind: str, found: dict[str, Any]) -> str:
    """The lists a series was taken from."""
    whole = "latencies" in found
    return {
        "ttft": "/ttfts",
        "e2e": "/latencies",
        "itl": "/itls",
        "tpot": "(/latencies - /ttfts) / (/output_lens - 1)" if whole else "sum of /itls / (/output_lens - 1)",
    }[kind]


# --------------------------------------------------------------------------------------------- what it states
def _context(found: dict[str, Any], place: str) -> tuple[tuple[Stated, ...], tuple[Reason, ...]]:
    """Every scalar that is no figure of ours, under its canonical name; what the answers said is never kept."""
    known = {"duration", *COUNTS, *RATES, *OTHER, *LISTS}
    listed: list[Stated] = []
    withheld, bulky = 0, []
    for key, value in found.items():
        written = json_values.scalar(value)
        if key in known or key in NEVER_KEPT or _LATENCY.fullmatch(key):
            continue
        if written is None or len(listed) >= MOST_STATED:
            bulky.append(redacted(key))
            continue
        one = building.stated(_CANONICAL.get(key, key), written, f"{place}/{key}")
        withheld += one is None
        if one is not None and written != "null":
            listed.append(one)
    notes = [Reason.of("log_withheld", n=withheld)] if withheld else []
    if any(key in found for key in NEVER_KEPT):
        notes.append(Reason.of("log_texts_not_kept"))
    if bulky:
        notes.append(Reason.of("log_keys_unread", keys=building.joined(bulky)))
    return tuple(listed), tuple(notes)


def _warnings(values: Sequence[LoggedValue]) -> tuple[Reason, ...]:
    failed = next((value for value in values if value.metric == "failed"), None)
    notes = [Reason.of("log_requests_failed", n=failed.value.value)] if failed and failed.value.value else []
    speculative = any(value.metric in ("acceptance_rate", "acceptance_length") for value in values)
    if speculative:
        notes.append(Reason.of("log_speculative"))
    return tuple(notes)


def _identities(
    found: dict[str, Any],
    values: tuple[LoggedValue, ...],
    series: tuple[LoggedSeries, ...],
    requests: Requests | None,
    place: str,
) -> tuple[Identity, ...]:
    checked = [*throughputs(values), *from_lists(values, series)]
    completed = next((value for value in values if value.metric == "completed"), None)
    if requests is not None and completed is not None:
        checked.append(
            equal(
                "I8",
                "completed_and_list",
                exactly(completed.value.value),
                exactly(len(requests.numbers)),
                "1",
                (completed.locator, f"{place}/errors, /output_lens"),
                extra=Fraction(0),
            )
        )
    checked += asked(values, json_values.figure(found, "num_prompts", "count"), f"{place}/num_prompts")
    checked += output_length(values, json_values.figure(found, "output_len", "count"), f"{place}/output_len")
    checked += load(values, series, json_values.figure(found, "max_concurrency", "count"), f"{place}/max_concurrency")
    return tuple(checked)
