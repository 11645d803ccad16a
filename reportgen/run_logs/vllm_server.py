"""The log of a vLLM server: no result, a witness of what really ran. Source: docs/logs.md, "Serving: vLLM"."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from reportgen.errors import CaptureError
from reportgen.model import LoggedSeries, LoggedValue, Reason, Run, Stated
from reportgen.run_logs import building, numbers
from reportgen.run_logs.numbers import Figure
from reportgen.run_logs.text import MOST_RECORDS, Line, Log, followed
from reportgen.run_logs.vllm_offline import sniff_console

_WINDOW = re.compile(r"(?:Engine (?P<engine>[0-9]{1,6}): )?Avg prompt throughput: ")
_SPECULATION = re.compile(r"SpecDecoding metrics: ")
_WINDOW_BYTES = re.compile(rb"Avg prompt throughput: [0-9]|SpecDecoding metrics: |non-default args: \{|LLM engine \(v")
_NEEDLES = (b"Avg prompt throughput: ", b"SpecDecoding metrics: ", b"non-default args: {", b"LLM engine (v")
_VERSION = re.compile(r"LLM engine \(v([0-9][\w.+-]{0,40})\) with config: ")
_API_VERSION = re.compile(r"\bvLLM (?:API server )?version ([0-9][\w.+-]{0,40})")
_NOT_DEFAULT = re.compile(r"non-default args: \{(.{0,20000})")
_PAIR = re.compile(r"'(\w{1,80})': ('[^']{0,500}'|\"[^\"]{0,500}\"|[^\s,{}\[\]'\"]{1,100})(?=[,}])")
_CONFIG = (
    "model", "tokenizer", "dtype", "quantization", "enforce_eager", "tensor_parallel_size", "pipeline_parallel_size",
    "data_parallel_size", "max_seq_len", "load_format", "kv_cache_dtype", "enable_prefix_caching",
    "chunked_prefill_enabled", "seed", "speculative_config",
)  # fmt: skip
_CONFIG_PAIR = re.compile(rf"\b({'|'.join(_CONFIG)})=('[^']{{0,500}}'|[^\s,()\[\]{{}}]{{1,100}})(?=[,)\s])")
_FIGURES = {
    "Avg prompt throughput": (r"([0-9.]{1,20}) tokens/s", "throughput", "prompt_tokens_per_s", "tokens/s"),
    "Avg generation throughput": (r"([0-9.]{1,20}) tokens/s", "throughput", "output_tokens_per_s", "tokens/s"),
    "Running": (r"([0-9]{1,9}) reqs", "running_requests", "", "count"),
    "Waiting": (r"([0-9]{1,9}) reqs", "waiting_requests", "", "count"),
    "GPU KV cache usage": (r"([0-9.]{1,20}%)", "kv_cache_usage", "", "%"),
    "Prefix cache hit rate": (r"([0-9.]{1,20}%)", "prefix_cache_hit_rate", "", "%"),
    "Mean acceptance length": (r"([0-9.]{1,20})", "acceptance_length", "", ""),
    "Avg Draft acceptance rate": (r"([0-9.]{1,20}%)", "acceptance_rate", "", "%"),
}
"""Label -> (value with its unit, metric, kind, unit)."""
_PATTERNS = {label: re.compile(rf"\b{re.escape(label)}: {row[0]}(?=[,\s]|$)") for label, row in _FIGURES.items()}
_STAMP = re.compile(r"\b([0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2})\b")


@dataclass(slots=True)
class Witnessed:
    """What one pass found."""

    rows: dict[str, list[tuple[str, Figure, int]]] = field(default_factory=dict)
    """Label -> (window, figure, line)."""
    context: dict[str, Stated] = field(default_factory=dict)
    """Key -> statement, the first one."""
    version: str = ""
    """Version of vLLM."""
    records: int = 0
    """Windows and acceptance lines."""
    cut: list[int] = field(default_factory=list)
    """Lines in which a figure could not be read, or that the end of the file may have cut."""
    changed: set[str] = field(default_factory=set)
    """Keys that a later line states otherwise."""


def sniff(log: Log) -> bool:
    """Whether a window of the load, a line of acceptance or the start of an engine stands in it.

    An offline benchmark starts an engine as well; what it prints is its own.
    """
    return not log.is_json and any(log.holds(_WINDOW_BYTES, needle) for needle in _NEEDLES) and not sniff_console(log)


def read(log: Log) -> tuple[Run, ...]:
    """The one run of the log.

    Raises:
        CaptureError: ``log_too_large``, ``log_no_records``.
    """
    found = Witnessed()
    for line in log.lines():
        if "throughput: " in line.text or "SpecDecoding" in line.text:
            _figures(log, found, line)
        if "args: {" in line.text or "with config: " in line.text or "version " in line.text:
            _settings(found, line)
    if not found.rows and not found.context:
        raise CaptureError(
            "log_no_records",
            "holds no whole line of the load",
            where=log.at(),
            hint="give the server's log from its start to after the measurement",
        )
    return (_run(log, found),)


def _figures(log: Log, found: Witnessed, line: Line) -> None:
    starts = sorted([*_WINDOW.finditer(line.text), *_SPECULATION.finditer(line.text)], key=lambda match: match.start())
    for match, after in followed(starts):
        found.records += 1
        if found.records > MOST_RECORDS:
            raise CaptureError(
                "log_too_large",
                f"holds more than {MOST_RECORDS} windows",
                where=log.at(line.number),
                hint="cut it to the time of the measurement",
            )
        if not line.ended and after is None:
            found.cut.append(line.number)
            continue
        text = line.text[match.start() : after.start() if after else match.start() + 2000]
        engine = match.groupdict().get("engine")
        moments = _STAMP.findall(line.text, max(0, match.start() - 200), match.start())
        label = " ".join(
            part for part in (moments[-1] if moments else "", f"engine {engine}" if engine else "") if part
        )
        for name, pattern in _PATTERNS.items():
            value = pattern.search(text)
            figure = numbers.figure(value[1].removesuffix("%"), _FIGURES[name][3]) if value is not None else None
            if figure is not None:
                found.rows.setdefault(name, []).append((label or f"line {line.number}", figure, line.number))


def _settings(found: Witnessed, line: Line) -> None:
    """What the first lines say of the server, key by key; nothing is evaluated."""
    version = _VERSION.search(line.text) or _API_VERSION.search(line.text)
    if version is not None and not found.version:
        found.version = version[1]
    rows: list[tuple[str, str]] = []
    arguments = _NOT_DEFAULT.search(line.text)
    if arguments is not None:
        rows += [(f"argument.{key}", value.strip("'\"")) for key, value in _PAIR.findall(arguments[1])]
    if _VERSION.search(line.text) is not None:
        rows += [(key, value.strip("'")) for key, value in _CONFIG_PAIR.findall(line.text[:20000])]
    for key, written in rows:
        one = building.stated(key, written, f"line {line.number}")
        if one is None or len(found.context) > 500:
            continue
        if found.context.setdefault(key, one).written != one.written:
            found.changed.add(key)


def _run(log: Log, found: Witnessed) -> Run:
    series = tuple(_series(name, rows) for name, rows in found.rows.items())
    values = tuple(_peak(name, found.rows[name]) for name in ("Running", "Waiting") if name in found.rows)
    left_out = []
    if found.cut:
        left_out.append(Reason.of("log_records_cut", n=len(found.cut), line=found.cut[0]))
    if log.cut_lines:
        left_out.append(Reason.of("log_lines_too_long", n=log.cut_lines))
    return Run(
        producer="vllm_server_log",
        version=found.version,
        definitions="vllm_server_window",
        file=log.record,
        context=tuple(found.context.values()),
        series=series,
        values=values,
        left_out=tuple(left_out),
        warnings=_warnings(found, values),
    )


def _series(name: str, rows: list[tuple[str, Figure, int]]) -> LoggedSeries:
    _, metric, kind, _ = _FIGURES[name]
    lines = building.lines_text([line for _, _, line in rows])
    items = [(label, figure) for label, figure, _ in rows]
    return building.logged_series(metric, kind, items, locator=f"{lines}, {name}")


def _peak(name: str, rows: list[tuple[str, Figure, int]]) -> LoggedValue:
    _, figure, line = max(rows, key=lambda row: row[1].value)
    return building.logged_value(_FIGURES[name][1], "", "max", figure, f"line {line}, {name}")


def _warnings(found: Witnessed, values: tuple[LoggedValue, ...]) -> tuple[Reason, ...]:
    notes = [Reason.of("log_witness_only")]
    loads = [one.written for key, one in found.context.items() if key.removeprefix("argument.") == "load_format"]
    formats = {written.lower().rpartition(".")[2] for written in loads}
    if "dummy" in formats:
        notes.append(Reason.of("log_dummy_weights"))
    waiting = next((value for value in values if value.metric == "waiting_requests"), None)
    if waiting is not None and waiting.value.value:
        notes.append(Reason.of("log_requests_waited", n=waiting.value.value))
    hits = [figure for _, figure, _ in found.rows.get("Prefix cache hit rate", ())]
    if any(figure.value for figure in hits):
        notes.append(Reason.of("log_prefix_cache_hits", windows=sum(bool(figure.value) for figure in hits)))
    if found.changed:
        notes.append(Reason.of("log_settings_changed", keys=building.joined(sorted(found.changed))))
    return tuple(notes)
