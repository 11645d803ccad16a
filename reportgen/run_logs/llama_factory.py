"""``trainer_log.jsonl`` of LLaMA-Factory: one object for each logging step.

Its throughput is a mean since the start. Differences of its clock, which shows whole seconds, are taken instead.
Source: docs/logs.md, training.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from reportgen import units
from reportgen.model import Identity, LoggedSeries, LoggedValue, Reason, Run
from reportgen.run_logs import building, documents, identities, load, numbers
from reportgen.run_logs.numbers import Figure
from reportgen.run_logs.placed import Derived, Placed, check
from reportgen.run_logs.text import MOST_RECORDS, Log

_SNIFF = re.compile(rb'\s{0,8}\{[^{}\n]{0,600}"current_steps"\s{0,4}:[^{}\n]{0,600}"elapsed_time"\s{0,4}:')
_CLOCK = re.compile(r"(?:(\d{1,4}) days?, )?(\d{1,6}):(\d\d):(\d\d)")
SECOND = 10**9


class _Row(NamedTuple):
    """One logging step."""

    line: int
    """Line of the file."""
    step: int
    """Steps done."""
    seconds: int
    """Clock since the start."""
    tokens: int | None
    """Tokens since the start; None when not counted."""
    held: dict[str, Any]
    """The object."""


def sniff(log: Log) -> bool:
    """Whether a file is such a log."""
    return log.is_json and _SNIFF.match(log.head) is not None


def read(log: Log) -> tuple[Run, ...]:
    """The runs of a log; steps that begin anew begin another run.

    Raises:
        CaptureError: ``log_unreadable``, ``log_value``, ``log_mixed``; as ``Log.objects``.
    """
    runs: list[list[_Row]] = [[]]
    again = 0
    for index, (line, held) in enumerate(log.objects()):
        if index >= MOST_RECORDS:
            documents.unreadable(log.at(line), f"holds more than {MOST_RECORDS} records")
        row = _row(held, line, log)
        if row is None:
            continue
        last = runs[-1][-1] if runs[-1] else None
        if last is not None and row.step == last.step:
            same = row.held == last.held
            if not same and "loss" in row.held and "loss" in last.held:
                documents.two_runs(log.at(line), f"step {row.step} of line {last.line} again, with other figures")
            again += 1
            continue
        if last is not None and row.step < last.step:
            runs.append([])
        runs[-1].append(row)
    if not runs[0]:
        documents.unreadable(log.at(), "holds no training step")
    return tuple(_run(rows, segment, again, log) for segment, rows in enumerate(runs))


def _row(held: Any, line: int, log: Log) -> _Row | None:
    """One object; None for one without steps (an evaluation)."""
    if not isinstance(held, dict):
        documents.unreadable(log.at(line), "holds a line that is no object")
    if "current_steps" not in held or "elapsed_time" not in held:
        return None
    step = numbers.whole(str(held["current_steps"]))
    clock = _CLOCK.fullmatch(str(held["elapsed_time"]))
    if step is None or clock is None:
        documents.no_figure(str(held["elapsed_time"]), f"line {line}", log.at(line))
    days, hours, minutes, seconds = (int(part or 0) for part in clock.groups())
    tokens = numbers.whole(str(held["total_tokens"])) if "total_tokens" in held else None
    return _Row(line, step, ((days * 24 + hours) * 60 + minutes) * 60 + seconds, tokens, held)


def _run(rows: Sequence[_Row], segment: int, again: int, log: Log) -> Run:
    last = rows[-1]
    given = [(key, last.held.get(name)) for key, name in (("steps", "total_steps"), ("epochs", "epoch"))]
    series = [one for one in (_steps(rows), _tokens(rows), _losses(rows)) if one is not None]
    warnings = [Reason.of("log_clock_seconds")]
    times = next((one for one in series if one.metric == "step_time"), None)
    if times is not None:
        coarse = units.exact_text(times.resolution.value, "ns")
        warnings.append(Reason.of("log_resolution_coarse", resolution=coarse))
    return Run(
        producer="llama_factory",
        version="",
        definitions="llama_factory_clock",
        file=log.record,
        segment=segment,
        context=load.stated((key, value, f"line {last.line}") for key, value in given),
        series=tuple(series),
        values=tuple(_tokens_of_a_step(rows)),
        identities=tuple(_mean(last)),
        left_out=(Reason.of("log_lines_twice", n=again),) if again else (),
        warnings=tuple(warnings),
    )


def _steps(rows: Sequence[_Row]) -> LoggedSeries | None:
    """Time of a step as the mean of each interval; the first interval has no beginning in the file."""
    items, weights = [], []
    for first, then in pairwise(rows):
        if then.seconds < first.seconds:
            continue
        weight = then.step - first.step
        step = Fraction(SECOND, weight)
        value = Fraction((then.seconds - first.seconds) * SECOND, weight)
        items.append((str(then.step), Figure(units.exact(value), "ns", step, "")))
        weights.append(weight)
    if not items:
        return None
    place = building.lines_text([row.line for row in rows])
    dropped = [str(rows[0].step)]
    return building.logged_series(
        "step_time", "", items, locator=f"{place}, elapsed_time", weights=weights, dropped=dropped
    )


def _tokens(rows: Sequence[_Row]) -> LoggedSeries | None:
    """Tokens of each interval over its seconds."""
    items, weights = [], []
    for first, then in pairwise(rows):
        seconds = then.seconds - first.seconds
        if seconds <= 1 or first.tokens is None or then.tokens is None or then.tokens < first.tokens:
            continue
        value = Fraction(then.tokens - first.tokens, seconds)
        step = 2 * (Fraction(then.tokens - first.tokens, seconds - 1) - value)
        items.append((str(then.step), Figure(units.exact(value), "1/s", step, "")))
        weights.append(then.step - first.step)
    if not items:
        return None
    place = building.lines_text([row.line for row in rows])
    return building.logged_series(
        "throughput", "tokens_per_s_global", items, locator=f"{place}, total_tokens / elapsed_time", weights=weights
    )


def _tokens_of_a_step(rows: Sequence[_Row]) -> Iterator[LoggedValue]:
    """Tokens between the first and the last line that tell of them, over the steps between."""
    told = [(row, row.tokens) for row in rows if row.tokens is not None]
    if len(told) < 2 or told[-1][1] <= told[0][1]:
        return
    (first, before), (last, after) = told[0], told[-1]
    steps = last.step - first.step
    mean = Figure(units.exact(Fraction(after - before, steps)), "1", Fraction(1, steps), "")
    place = f"lines {first.line} and {last.line}, total_tokens"
    yield building.logged_value("tokens_per_step", "", "mean", mean, place)


def _losses(rows: Sequence[_Row]) -> LoggedSeries | None:
    held = [(row, numbers.figure(str(row.held["loss"]), "count")) for row in rows if "loss" in row.held]
    items = [(str(row.step), one) for row, one in held if one is not None]
    place = building.lines_text([row.line for row in rows])
    return building.logged_series("loss", "", items, locator=f"{place}, loss") if items else None


def _mean(last: _Row) -> Iterator[Identity]:
    """I3: the mean since the start is its tokens over its clock."""
    rate = numbers.figure(str(last.held.get("throughput", "")), "tokens/s")
    if rate is None or last.tokens is None or last.seconds < 1:
        return
    place = f"line {last.line}"
    clock = identities.Span(
        Fraction((last.seconds - 1) * SECOND), Fraction(last.seconds * SECOND), Fraction((last.seconds + 1) * SECOND)
    )
    expected = identities.exactly(last.tokens * SECOND).over(clock)
    if expected is not None:
        found = Placed(rate, f"{place}, throughput")
        yield from check("I3", "tokens_over_clock", found, Derived(expected, "1/s", (f"{place}, total_tokens",)))
