"""``vllm bench latency`` and ``vllm bench throughput``: no service, one process. Source: docs/logs.md, "vLLM"."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

from reportgen.errors import CaptureError
from reportgen.model import Identity, LoggedSeries, LoggedValue, Reason, Run
from reportgen.run_logs import building, json_values, numbers
from reportgen.run_logs.identities import FLOAT_NOISE, equal, exactly, span
from reportgen.run_logs.numbers import Figure
from reportgen.run_logs.serving_identities import from_lists
from reportgen.run_logs.text import Log

_SECOND = 10**9
_PERCENT = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,4})?")
_CONSOLE = re.compile(
    r"Throughput: ([0-9.]{1,30}) requests/s, ([0-9.]{1,30}) total tokens/s, ([0-9.]{1,30}) output tokens/s"
)
_CONSOLE_BYTES = re.compile(rb"Throughput: [0-9.]{1,30} requests/s, [0-9.]{1,30} total tokens/s")
_TOKENS = re.compile(r"Total num (prompt|output) tokens:[ \t]{1,20}([0-9]{1,18})")


def sniff_latency(log: Log) -> bool:
    """Whether it is JSON with ``avg_latency`` and ``percentiles``."""
    return log.is_json and log.holds(re.compile(b'"avg_latency"')) and log.holds(re.compile(b'"percentiles"'))


def sniff_throughput(log: Log) -> bool:
    """Whether it is JSON with ``total_num_tokens`` and ``requests_per_second``."""
    needed = (b'"total_num_tokens"', b'"requests_per_second"')
    return log.is_json and all(log.holds(re.compile(key), key) for key in needed)


def sniff_console(log: Log) -> bool:
    """Whether the last line of ``vllm bench throughput`` stands in it."""
    return not log.is_json and log.holds(_CONSOLE_BYTES, b" requests/s, ")


def _only(log: Log, needed: str) -> dict[str, Any]:
    """The one object of the file.

    Raises:
        CaptureError: ``log_unreadable``.
    """
    objects = list(log.objects())
    for _, found in objects if len(objects) == 1 else ():
        if isinstance(found, dict) and json_values.figure(found, needed, "s") is not None:
            return found
    raise CaptureError(
        "log_unreadable",
        f"is not one JSON object with the time {needed}",
        where=log.at(objects[0][0] if objects else 0),
        hint="give the file that --output-json wrote",
    )


def read_latency(log: Log) -> tuple[Run, ...]:
    """The run of ``vllm bench latency``: time of one batch from prompt to last token.

    Raises:
        CaptureError: ``log_unreadable``.
    """
    found = _only(log, "avg_latency")
    mean = json_values.figure(found, "avg_latency", "s")
    assert mean is not None
    values = [building.logged_value("latency", "e2e", "mean", mean, "/avg_latency")]
    listed_shares = found.get("percentiles")
    shares: dict[str, Any] = listed_shares if isinstance(listed_shares, dict) else {}
    for key in shares:
        value = json_values.figure(shares, key, "s") if _PERCENT.fullmatch(key) else None
        if value is not None:
            values.append(building.logged_value("latency", "e2e", f"p{key}", value, f"/percentiles/{key}"))
    listed = json_values.figures(found.get("latencies"), "s")
    series: tuple[LoggedSeries, ...] = ()
    if listed:
        rows = [(str(index), value) for index, value in enumerate(listed)]
        series = (building.logged_series("latency", "e2e", rows, locator="/latencies", shortest=True),)
    run = _offline(log, "vllm_bench_latency", found, ("avg_latency", "latencies", "percentiles"), tuple(values))
    return (replace(run, series=series, identities=tuple(from_lists(values, series))),)


def read_throughput(log: Log) -> tuple[Run, ...]:
    """The run of ``vllm bench throughput``; its tokens are those of prompts and answers together.

    Raises:
        CaptureError: ``log_unreadable``.
    """
    found = _only(log, "elapsed_time")
    rows = (
        ("elapsed_time", "duration", "", "total", "s"),
        ("num_requests", "completed", "", "count", "count"),
        ("total_num_tokens", "all_tokens", "", "total", "count"),
        ("requests_per_second", "throughput", "requests_per_s", "mean", "req/s"),
        ("tokens_per_second", "throughput", "total_tokens_per_s", "mean", "tokens/s"),
    )
    figures = {key: json_values.figure(found, key, unit) for key, *_rest, unit in rows}
    values = []
    for key, metric, kind, statistic, _unit in rows:
        value = figures[key]
        if value is not None:
            values.append(building.logged_value(metric, kind, statistic, value, f"/{key}"))
    run = _offline(log, "vllm_bench_throughput", found, tuple(figures), tuple(values))
    return (replace(run, identities=tuple(_rates(figures))),)


def _rates(figures: dict[str, Figure | None]) -> list[Identity]:
    """I7 of an offline run."""
    found = []
    time = figures["elapsed_time"]
    rows = (
        ("completed_over_duration", "num_requests", "requests_per_second"),
        ("all_tokens_over_duration", "total_num_tokens", "tokens_per_second"),
    )
    for what, counted, rated in rows:
        count, rate = figures[counted], figures[rated]
        if time is None or count is None or rate is None:
            continue
        expected = exactly(Fraction(count.value) * _SECOND).over(span(time))
        if expected is not None:
            places = (f"/{rated}", f"/{counted}", "/elapsed_time")
            noise = FLOAT_NOISE * expected.value
            found.append(equal("I7", what, span(rate), expected, "1/s", places, extra=noise))
    return found


def read_console(log: Log) -> tuple[Run, ...]:
    """One run for each line ``Throughput: ...``; the token counts are those printed with it.

    Raises:
        CaptureError: ``log_no_records``.
    """
    runs: list[Run] = []
    units = (("requests_per_s", "req/s"), ("total_tokens_per_s", "tokens/s"), ("output_tokens_per_s", "tokens/s"))
    for line in log.lines():
        match = _CONSOLE.search(line.text) if line.ended else None
        if match is not None and len(runs) < 1000:
            figures = [(kind, numbers.figure(match[i + 1], unit)) for i, (kind, unit) in enumerate(units)]
            values = tuple(
                building.logged_value("throughput", kind, "mean", value, f"line {line.number}")
                for kind, value in figures
                if value is not None
            )
            run = _offline(log, "vllm_bench_throughput_text", {}, (), values)
            runs.append(replace(run, segment=len(runs)))
            continue
        tokens = _TOKENS.search(line.text) if runs and line.ended else None
        value = numbers.figure(tokens[2], "count") if tokens is not None else None
        if tokens is not None and value is not None:
            metric = "input_tokens" if tokens[1] == "prompt" else "output_tokens"
            if all(one.metric != metric for one in runs[-1].values):
                one = building.logged_value(metric, "", "total", value, f"line {line.number}")
                runs[-1] = replace(runs[-1], values=(*runs[-1].values, one))
    if not runs:
        raise CaptureError(
            "log_no_records",
            "holds no whole line of throughput",
            where=log.at(),
            hint="give the output of vllm bench throughput to its end, or the file of --output-json",
        )
    return tuple(runs)


# --------------------------------------------------------------------------------------------- a run of one process
def _offline(
    log: Log, producer: str, found: dict[str, Any], known: tuple[str, ...], values: tuple[LoggedValue, ...]
) -> Run:
    scalars = [(key, json_values.scalar(value)) for key, value in found.items() if key not in known]
    texts = [(key, written) for key, written in scalars[:200] if written is not None]
    listed = [building.stated(key, written, f"/{key}") for key, written in texts]
    withheld = sum(one is None for one in listed)
    return Run(
        producer=producer,
        version="",
        definitions="vllm_offline",
        file=log.record,
        context=tuple(one for one in listed if one is not None),
        values=values,
        left_out=(Reason.of("log_withheld", n=withheld),) if withheld else (),
        warnings=(Reason.of("log_no_service"),),
    )
