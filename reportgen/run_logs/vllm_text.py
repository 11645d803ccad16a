"""The screen copy of ``vllm bench serve`` and of SGLang's ``bench_serving``. Source: docs/logs.md, "Serving: vLLM"."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from reportgen.errors import CaptureError
from reportgen.model import LoggedValue, Reason, Run, Stated
from reportgen.run_logs import building, documents, numbers
from reportgen.run_logs.load import lacking
from reportgen.run_logs.serving_identities import load, throughputs
from reportgen.run_logs.text import Log, bare

MOST_BLOCKS = 1000
"""Blocks of the largest file that is read."""
_BEGIN = re.compile(r"={5,60} ?Serving Benchmark Result ?={5,60}")
_END = re.compile(r"={30,60}")
_ROW = re.compile(r"([A-Z][\w ()/.%-]{2,60}):[ \t]{1,60}(\S.{0,200})")
_LATENCY = re.compile(r"(Mean|Median|Std|P[0-9]{1,2}(?:\.[0-9]{1,4})?) (TTFT|TPOT|ITL|E2EL|E2E Latency) \(ms\)")
_KINDS = {"TTFT": "ttft", "TPOT": "tpot", "ITL": "itl", "E2EL": "e2e", "E2E Latency": "e2e"}
_VALUES = {
    "Successful requests": ("completed", "", "count", "count"),
    "Failed requests": ("failed", "", "count", "count"),
    "Benchmark duration (s)": ("duration", "", "total", "s"),
    "Total input tokens": ("input_tokens", "", "total", "count"),
    "Total generated tokens": ("output_tokens", "", "total", "count"),
    "Request throughput (req/s)": ("throughput", "requests_per_s", "mean", "req/s"),
    "Output token throughput (tok/s)": ("throughput", "output_tokens_per_s", "mean", "tok/s"),
    "Peak output token throughput (tok/s)": ("throughput", "output_tokens_per_s", "max", "tok/s"),
    "Total token throughput (tok/s)": ("throughput", "total_tokens_per_s", "mean", "tok/s"),
    "Peak concurrent requests": ("concurrent_requests", "", "max", "count"),
}
"""Label -> (metric, kind, statistic, unit)."""
_ALWAYS = (
    "Successful requests", "Benchmark duration (s)", "Total input tokens", "Request throughput (req/s)",
)  # fmt: skip
"""Labels that every release prints."""
_GENERATED = ("Total generated tokens", "Output token throughput (tok/s)")
"""Labels that every release prints of answers; runs of embeddings have none."""
_ALIASES = {"Total Token throughput (tok/s)": "Total token throughput (tok/s)"}
_CONTEXT = {
    "Maximum request concurrency": "max_concurrency",
    "Max reqeuest concurrency": "max_concurrency",
    "Max request concurrency": "max_concurrency",
    "Request rate configured (RPS)": "request_rate",
    "Traffic request rate": "request_rate",
    "Backend": "backend",
}
_HEADER = re.compile(rb"={5,60} ?Serving Benchmark Result ?={5,60}")


@dataclass(slots=True)
class Block:
    """One block of the screen."""

    line: int
    """Line it begins in."""
    values: dict[str, LoggedValue] = field(default_factory=dict)
    """Label -> figure."""
    context: dict[str, Stated] = field(default_factory=dict)
    """Canonical key -> statement."""
    unknown: list[str] = field(default_factory=list)
    """Labels that mean nothing here."""
    whole: bool = False
    """Whether its last line was seen."""


def sniff(log: Log) -> bool:
    """Whether the heading of a block stands in it."""
    return not log.is_json and log.holds(_HEADER, b"Serving Benchmark Result")


def read(log: Log) -> tuple[Run, ...]:
    """One run for each block.

    Raises:
        CaptureError: ``log_too_large``, ``log_no_records``, ``log_mixed``.
    """
    blocks: list[Block] = []
    for line in log.lines():
        text = bare(line.text).strip()
        if _BEGIN.search(text):
            if len(blocks) >= MOST_BLOCKS:
                raise CaptureError(
                    "log_too_large",
                    f"holds more than {MOST_BLOCKS} results",
                    where=log.at(line.number),
                    hint="keep the results that are meant",
                )
            blocks.append(Block(line.number))
        elif blocks and not blocks[-1].whole:
            if _END.fullmatch(text):
                blocks[-1].whole = True
            elif line.ended:
                _row(blocks[-1], text, line.number, log)
    if not any(block.values for block in blocks):
        raise CaptureError(
            "log_no_records",
            "holds the heading of a result and no figure",
            where=log.at(blocks[0].line if blocks else 0),
            hint="copy the whole block, down to its last line of ====",
        )
    return tuple(_run(log, index, block) for index, block in enumerate(block for block in blocks if block.values))


def _row(block: Block, text: str, line: int, log: Log) -> None:
    """One line of a block; a label that stands twice has to tell the same twice."""
    match = _ROW.fullmatch(text)
    if match is None:
        return
    label, written = _ALIASES.get(match[1].strip(), match[1].strip()), match[2].strip()
    place = f"line {line}, {label}"
    latency = _LATENCY.fullmatch(label)
    if label in _CONTEXT:
        key = _CONTEXT[label]
        one = building.stated(key, written, place)
        if one is not None and block.context.setdefault(key, one).written != one.written:
            documents.two_runs(log.at(line), f"gives {label} again, otherwise")
        return
    if latency is not None:
        row = ("latency", _KINDS[latency[2]], latency[1].lower(), "ms")
    elif label in _VALUES:
        row = _VALUES[label]
    else:
        block.unknown.append(label)
        return
    found = numbers.figure(written, row[3])
    if found is not None and found.value >= 0:
        value = building.logged_value(*row[:3], found, place)
        if block.values.setdefault(label, value).value.value != value.value.value:
            documents.two_runs(log.at(line), f"gives {label} again, with another figure")


def _lacking(block: Block) -> tuple[Reason, ...]:
    """The labels that stand beside the others in every release, and the mean of each latency told of."""
    names = {match[2] for match in map(_LATENCY.fullmatch, block.values) if match is not None}
    answers = any(label in block.values for label in _GENERATED) or bool(names - {"E2EL", "E2E Latency"})
    total = () if "Input token throughput (tok/s)" in block.unknown else ("Total token throughput (tok/s)",)
    means = [f"Mean {name} (ms)" for name in sorted(names)]
    return lacking(block.values, (*_ALWAYS, *(_GENERATED if answers else ()), *total, *means))


def _run(log: Log, index: int, block: Block) -> Run:
    sglang = "backend" in block.context
    values = tuple(block.values.values())
    limit = block.context.get("max_concurrency")
    asked = numbers.figure(limit.written, "count") if limit is not None else None
    failed = block.values.get("Failed requests")
    left_out = [] if block.whole else [Reason.of("log_block_cut", line=block.line)]
    left_out += _lacking(block) if block.whole else ()
    if block.unknown:
        left_out.append(Reason.of("log_keys_unread", keys=building.joined(block.unknown)))
    warnings = [Reason.of("log_requests_failed", n=failed.value.value)] if failed and failed.value.value else []
    return Run(
        producer="sglang_bench_serving_text" if sglang else "vllm_bench_serve_text",
        version="",
        definitions="sglang_bench" if sglang else "vllm_bench",
        file=log.record,
        segment=index,
        context=tuple(block.context.values()),
        values=values,
        identities=(*throughputs(values), *load(values, (), asked, limit.locator if limit else "")),
        left_out=tuple(left_out),
        warnings=(*warnings, Reason.of("log_two_decimals")),
    )
