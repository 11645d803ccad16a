"""Step lines of MindFormers (MFLossMonitor and the PyNative trainer) and epoch lines of MindSpore's TimeMonitor.

``per_step_time`` is cut to whole milliseconds. The first step compiles the graph and is left out.
Source: docs/logs.md, MindFormers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from typing import NamedTuple

from reportgen import units
from reportgen.model import Identity, LoggedSeries, Reason, Run
from reportgen.run_logs import building, documents, identities, load, numbers
from reportgen.run_logs.numbers import Figure
from reportgen.run_logs.placed import Derived, check
from reportgen.run_logs.text import Log, bare, records

MOST_STEPS = 200_000
"""Steps of one log that are read."""
COARSE_NS = 50 * 10**6
"""Below this a step cut to whole milliseconds is uncertain by 2 %."""
_STEP = re.compile(
    r"\{ (?:Epoch:\[\s{0,8}(?P<epoch>\d{1,9})/\s{0,8}\d{1,9}\], )?"
    r"step:\[\s{0,8}(?P<step>\d{1,9})/\s{0,8}(?P<total>\d{1,9})\], "
)
_STEP_BYTES = re.compile(
    rb"\{ (?:Epoch:\[\s{0,8}\d{1,9}/\s{0,8}\d{1,9}\], )?step:\[\s{0,8}\d{1,9}/\s{0,8}\d{1,9}\], "
    rb"[^\r\n]{0,400}per_step_time:"
)
_EPOCH = re.compile(r"Train epoch time: ([\d.]{1,30}) ms, per step time: ([\d.]{1,30}) ms")
_EPOCH_BYTES = re.compile(rb"Train epoch time: [\d.]{1,30} ms, per step time: [\d.]{1,30} ms")
_PAIR = re.compile(r"([A-Za-z_][A-Za-z_ ]{0,60}):\s{0,12}((?:\[[^\]]{0,80}\]|\([^)]{0,200}\)|[^,(\[])*)")
_STAMP = re.compile(r"(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d),(\d{3}) - ")
_SAMPLES = re.compile(r"([\d.]{1,30}) samples/s/p")
SERIES: dict[str, tuple[str, str, str]] = {
    "per_step_time": ("step_time", "", "ms"),
    "train_throughput_per_npu": ("throughput", "flops_per_s_per_rank", "T"),
    "throughput": ("throughput", "flops_per_s_per_rank", "T"),
    "loss": ("loss", "", "count"),
    "grad_norm": ("grad_norm", "", "count"),
    "samples/s/p": ("throughput", "samples_per_s_per_rank", "samples/s"),
}
"""Key -> metric, kind and written unit."""


class _Step(NamedTuple):
    """One step of the log."""

    number: int
    """Over all epochs, from 1."""
    line: int
    """Line of the file."""
    pairs: dict[str, str]
    """Its keys and values."""
    stamp: int | None
    """Its stamp in milliseconds, zone not known."""


def sniff(log: Log) -> bool:
    """Whether a log holds such lines."""
    return log.holds(_STEP_BYTES) or log.holds(_EPOCH_BYTES)


def read(log: Log) -> tuple[Run, ...]:
    """The runs of a log; steps that begin anew begin another run.

    Raises:
        CaptureError: ``log_unreadable``, ``log_value``, ``log_mixed``.
    """
    runs: list[list[_Step]] = [[]]
    epochs: list[tuple[int, Figure, Figure]] = []
    cut: list[int] = []
    again = 0
    for line in log.lines():
        text = bare(line.text)
        epoch = _EPOCH.search(text)
        if epoch is not None:
            epochs.append(
                (line.number, _number(epoch[1], "ms", line.number, log), _number(epoch[2], "ms", line.number, log))
            )
        samples = _SAMPLES.search(text)
        if samples is not None and runs[-1]:
            runs[-1][-1].pairs.setdefault("samples/s/p", samples[1])
        for step in _steps(text, line.number):
            if not line.ended:
                cut.append(line.number)
                continue
            if runs[-1] and step.number == runs[-1][-1].number:
                again += _same(runs[-1][-1], step, log)
                continue
            if runs[-1] and step.number < runs[-1][-1].number:
                runs.append([])
            runs[-1].append(step)
            if sum(map(len, runs)) > MOST_STEPS:
                documents.unreadable(log.at(line.number), f"holds more than {MOST_STEPS} steps")
    notes = [Reason.of("log_lines_twice", n=again)] if again else []
    notes += [Reason.of("log_records_cut", n=len(cut), line=cut[0])] if cut else []
    if not runs[0] and not epochs:
        documents.unreadable(log.at(), "holds no whole step")
    if not runs[0]:
        return (_epoch_run(epochs, log),)
    notes += [Reason.of("log_epoch_lines", n=len(epochs))] if epochs else []
    return tuple(_run(steps, segment, tuple(notes), log) for segment, steps in enumerate(runs))


def _steps(text: str, line: int) -> Iterator[_Step]:
    """The steps of one line."""
    for match, tail, _ in records(_STEP, text):
        rest = tail.partition(" }")[0]
        pairs = {pair[1].strip(): pair[2].strip() for pair in _PAIR.finditer(rest)}
        epoch, total = int(match["epoch"] or 1), int(match["total"])
        yield _Step((epoch - 1) * total + int(match["step"]), line, pairs, _stamp(text[: match.start()]))


def _stamp(text: str) -> int | None:
    match = _STAMP.search(text)
    if match is None:
        return None
    year, month, day, hour, minute, second, ms = (int(part) for part in match.groups())
    try:
        return int(datetime(year, month, day, hour, minute, second, tzinfo=UTC).timestamp()) * 1000 + ms
    except ValueError:
        return None


def _same(first: _Step, second: _Step, log: Log) -> bool:
    """Whether a step that comes twice says the same; else two runs are in one file."""
    keys = first.pairs.keys() & second.pairs.keys()
    if any(first.pairs[key] != second.pairs[key] for key in keys):
        documents.two_runs(log.at(second.line), f"step {second.number} of line {first.line} again, with other figures")
    return True


def _number(text: str, unit: str, line: int, log: Log) -> Figure:
    found = numbers.figure(text, unit)
    if found is None:
        documents.no_figure(text, "figure", log.at(line))
    return found


def _value(step: _Step, key: str, unit: str, log: Log) -> Figure | None:
    """The figure of a key; None where a step has none (``N/A``); of ``now/mean`` the first."""
    text = step.pairs.get(key)
    if text is None or text.startswith("N/A"):
        return None
    text = text.removeprefix("[").removesuffix("]").partition("/")[0].strip()
    if unit in ("ms", "T") and not text.endswith(unit):
        documents.no_figure(text, key, log.at(step.line))
    return _number(text.removesuffix(unit), unit, step.line, log)


def _run(steps: Sequence[_Step], segment: int, left_out: tuple[Reason, ...], log: Log) -> Run:
    """The run of its steps."""
    first = [step for step in steps if step.number == 1]
    kept = [step for step in steps if step.number > 1]
    series = [one for key in SERIES if (one := _series(key, kept, first, log)) is not None]
    rows = [
        (key, kept[-1].pairs[key], f"line {kept[-1].line}") for key in ("loss_scale",) if kept and key in kept[-1].pairs
    ]
    return Run(
        producer="mindformers",
        version="",
        definitions="mindformers_flops"
        if any("throughput_per_npu" in key for key in steps[0].pairs)
        else "mindformers",
        file=log.record,
        segment=segment,
        context=load.stated(rows),
        series=tuple(series),
        identities=tuple(_clock(kept, log)),
        left_out=left_out,
        warnings=tuple(_doubts(steps, series)),
    )


def _series(key: str, kept: Sequence[_Step], first: Sequence[_Step], log: Log) -> LoggedSeries | None:
    metric, kind, unit = SERIES[key]
    items = [(str(step.number), one) for step in kept if (one := _value(step, key, unit, log)) is not None]
    if not items:
        return None
    place = building.lines_text([step.line for step in kept])
    return building.logged_series(
        metric, kind, items, locator=f"{place}, {key}", dropped=[str(s.number) for s in first]
    )


def _clock(kept: Sequence[_Step], log: Log) -> Iterator[Identity]:
    """I1: steps cannot take longer than the clock shows; evaluation and saving may take the rest."""
    stamped = [step for step in kept if step.stamp is not None]
    if len(stamped) < 2 or len(stamped) != len(kept):
        return
    times = [_value(step, "per_step_time", "ms", log) for step in kept[1:]]
    known = [Fraction(one.value) for one in times if one is not None]
    if len(known) != len(times):
        return
    total, most = sum(known, Fraction(0)), sum((one.resolution for one in times if one is not None), Fraction(0))
    places = (f"line {kept[0].line}", f"line {kept[-1].line}")
    ran = ((stamped[-1].stamp or 0) - (stamped[0].stamp or 0)) * 10**6
    found = Derived(identities.Span(total, total, total + most), "ns", (f"{places[0]} to {places[1]}",))
    clock = Derived(identities.exactly(ran), "ns", places)
    yield from check("I1", "steps_within_clock", found, clock, rule="at_most", more=identities.CLOCK)


def _doubts(steps: Sequence[_Step], series: Sequence[LoggedSeries]) -> Iterator[Reason]:
    over = sum(step.pairs.get("overflow cond", "").lower() == "true" for step in steps)
    if over:
        yield Reason.of("log_steps_without_update", n=over)
    times = next((one for one in series if one.metric == "step_time"), None)
    if times is not None and min(times.sample.values) < COARSE_NS:
        yield Reason.of("log_resolution_coarse", resolution=units.exact_text(times.resolution.value, "ns"))


def _epoch_run(epochs: Sequence[tuple[int, Figure, Figure]], log: Log) -> Run:
    """The run of a log that has lines of epochs alone; the first epoch holds the compilation."""
    rows = [(str(index), each, round(Fraction(whole.value) / max(Fraction(each.value), Fraction(1))))
            for index, (_, whole, each) in enumerate(epochs, start=1)]  # fmt: skip
    kept = rows[1:] or rows
    items = [(label, each) for label, each, _ in kept]
    dropped = ["1"] if len(rows) > 1 else []
    place = building.lines_text([line for line, _, _ in epochs])
    weights = [max(weight, 1) for _, _, weight in kept]
    return Run(
        producer="mindspore_time_monitor",
        version="",
        definitions="mindspore_epoch_mean",
        file=log.record,
        series=(building.logged_series("step_time", "", items, locator=place, weights=weights, dropped=dropped),),
        warnings=(Reason.of("mindspore_epoch_means"), *([] if dropped else [Reason.of("mindspore_first_epoch")])),
    )
