"""Results of the Hugging Face Trainer: the summary it prints, ``all_results.json``, ``trainer_state.json``.

The figures are means of the whole run: warm-up, evaluation and saving are in them. Source: docs/logs.md, training.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from reportgen.model import LoggedSeries, LoggedValue, Reason, Run
from reportgen.run_logs import building, documents, load, numbers
from reportgen.run_logs.numbers import Figure
from reportgen.run_logs.placed import Placed
from reportgen.run_logs.text import Log, bare

KEYS = {
    "train_runtime": ("duration", "", "total", "s"),
    "train_samples_per_second": ("throughput", "samples_per_s", "mean", "samples/s"),
    "train_steps_per_second": ("throughput", "steps_per_s", "mean", "1/s"),
    "train_tokens_per_second": ("throughput", "tokens_per_s_global", "mean", "tokens/s"),
    "train_loss": ("loss", "", "mean", "count"),
}
"""Key -> metric, kind, statistic and written unit."""
STATED = {
    "epoch": "epochs",
    "num_train_epochs": "epochs_asked",
    "train_batch_size": "batch_size_per_rank",
    "global_step": "steps",
    "max_steps": "steps_asked",
    "train_samples": "samples",
}
LONGEST = 20_000
"""Characters of a printed dictionary."""
_BYTES = re.compile(rb"['\"]train_runtime['\"]\s{0,4}:")
_NUMBER = re.compile(r"'?([0-9.eE+-]{1,40})'?")


def sniff(log: Log) -> bool:
    """Whether a file holds such a summary."""
    return log.holds(_BYTES)


def read(log: Log) -> tuple[Run, ...]:
    """The run of a result file, or each summary of a log as a run.

    Raises:
        CaptureError: ``log_unreadable``, ``log_value``; as ``Log.objects`` and ``Log.lines``.
    """
    if log.is_json:
        return (_file(log),)
    found = tuple(_run(log, held, place, segment) for segment, (held, place) in enumerate(_summaries(log)))
    if not found:
        documents.unreadable(log.at(), "holds no whole summary of a training")
    return found


def _summaries(log: Log) -> Iterator[tuple[dict[str, Any], str]]:
    for line in log.lines():
        at = line.text.find("'train_runtime'")
        if at < 0:
            continue
        start, end = line.text.rfind("{", 0, at), line.text.find("}", at)
        if start < 0 or end < 0 or end - start > LONGEST:
            documents.unreadable(log.at(line.number), "holds a summary that is cut")
        yield documents.literal_dict(bare(line.text[start : end + 1]), log.at(line.number)), f"line {line.number}"


def _file(log: Log) -> Run:
    document = documents.only(log)
    if not isinstance(document, dict):
        documents.unreadable(log.at(), "is JSON but no object")
    history = document.get("log_history")
    if not isinstance(history, list):
        return _run(log, document, "", 0)
    rows = [row for row in history if isinstance(row, dict)]
    final = next((row for row in reversed(rows) if "train_runtime" in row), {})
    stated = {**{key: value for key, value in document.items() if key in STATED}, **final}
    series = tuple(
        one
        for key, metric in (("loss", "loss"), ("grad_norm", "grad_norm"))
        if (one := _series(rows, key, metric)) is not None
    )
    return _run(log, stated, "/log_history", 0, series)


def _series(rows: list[dict[str, Any]], key: str, metric: str) -> LoggedSeries | None:
    """What was printed at each logging step."""
    held = [(str(row.get("step", index)), row[key]) for index, row in enumerate(rows, start=1) if key in row]
    items = [(label, one) for label, value in held if (one := _figure(value, "count")) is not None]
    return building.logged_series(metric, "", items, locator=f"/log_history/*/{key}") if items else None


def _figure(value: Any, unit: str) -> Figure | None:
    match = _NUMBER.fullmatch(value) if isinstance(value, str) else None
    return numbers.figure(match[1], unit) if match is not None else None


def _run(log: Log, held: dict[str, Any], place: str, segment: int, series: tuple[LoggedSeries, ...] = ()) -> Run:
    values: list[LoggedValue] = []
    for key, (metric, kind, statistic, unit) in KEYS.items():
        if key in held:
            locator = f"{place}, {key}" if place.startswith("line") else f"{place}/{key}"
            one = _figure(held[key], unit)
            if one is None or (metric == "throughput" and one.value <= 0):
                documents.no_figure(str(held[key]), locator, log.at())
            values.append(Placed(one, locator).logged(metric, kind, statistic))
    return Run(
        producer="hf_trainer",
        version="",
        definitions="hf_trainer_whole_run",
        file=log.record,
        segment=segment,
        context=load.stated((STATED[key], held[key], place or "/") for key in STATED if key in held),
        series=series,
        values=tuple(values),
        warnings=(Reason.of("log_whole_run_means"),),
    )
