"""Step lines of MindFormers (MFLossMonitor and the PyNative trainer) and epoch lines of MindSpore's TimeMonitor.

``per_step_time`` is cut to whole milliseconds. The first step compiles the graph and is left out.
Source: docs/logs.md, MindFormers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from reportgen import units
from reportgen.model import Identity, LoggedSeries, LoggedValue, Reason, Run
from reportgen.run_logs import building, documents, identities, load, numbers
from reportgen.run_logs.identities import Span
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
WITNESSES = ("per_step_time", "train_throughput_per_npu", "throughput", "samples/s/p")
"""Keys that a trainer prints for every step or for none: a step without one that the others have is not whole."""


class _Step(NamedTuple):
    """One step of the log."""

    number: int
    """Over all epochs, from 1."""
    total: int
    """Steps of an epoch, or of the run, as it is told beside its number."""
    line: int
    """Line of the file."""
    pairs: dict[str, str]
    """Its keys and values."""
    stamp: int | None
    """Its stamp in milliseconds, zone not known."""

    @property
    def updated(self) -> bool:
        """Whether it did not overflow."""
        return self.pairs.get("overflow cond", "").lower() != "true"


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
            epochs.append((line.number, _time(epoch[1], line.number, log), _time(epoch[2], line.number, log)))
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
        pairs = documents.said_once((pair[1].strip(), pair[2].strip()) for pair in _PAIR.finditer(rest))
        epoch, total = int(match["epoch"] or 1), int(match["total"])
        yield _Step((epoch - 1) * total + int(match["step"]), total, line, pairs, _stamp(text[: match.start()]))


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


def _time(text: str, line: int, log: Log) -> Figure:
    found = _number(text, "ms", line, log)
    if found.value <= 0:
        documents.no_figure(text, "time", log.at(line))
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
    """The run of its steps: those after the first that updated something and say as much as the others."""
    later = [step for step in steps if step.number > 1]
    needed = [key for key in WITNESSES if any(key in step.pairs for step in later)]
    partial = [step for step in later if any(key not in step.pairs for key in needed)]
    kept = [step for step in later if step.updated and step not in partial]
    dropped = [str(step.number) for step in steps if step not in kept]
    found = [(key, *_series(key, kept, dropped, log)) for key in SERIES]
    series = [one for _, one, _ in found if one is not None]
    broken = {key: lines for key, _, lines in found if lines and SERIES[key][0] in documents.JUDGED}
    rows = [
        (key, kept[-1].pairs[key], f"line {kept[-1].line}") for key in ("loss_scale",) if kept and key in kept[-1].pairs
    ]
    rows.append(("steps_asked", building.joined(str(step.total) for step in steps), f"line {steps[0].line}"))
    notes = [Reason.of("log_partial_lines", n=len(partial), line=partial[0].line)] if partial else []
    notes += [documents.broken(key, lines) for key, lines in broken.items()]
    work = _work(kept, "samples/s/p", log)
    return Run(
        producer="mindformers",
        version="",
        definitions="mindformers_flops"
        if any("throughput_per_npu" in key for step in steps for key in step.pairs)
        else "mindformers",
        file=log.record,
        segment=segment,
        context=load.stated(rows),
        series=tuple(series),
        values=tuple(_samples(work, kept)),
        identities=(*_clock(kept, log), *_constant(kept, work, log)),
        left_out=(*left_out, *notes),
        warnings=tuple(_doubts(steps, series)),
    )


def _series(key: str, kept: Sequence[_Step], dropped: Sequence[str], log: Log) -> tuple[LoggedSeries | None, list[int]]:
    """The series of a key, and the lines that give no number above 0 under it; None where no step gives one."""
    metric, kind, unit = SERIES[key]
    read = [(step, _value(step, key, unit, log)) for step in kept if key in step.pairs]
    judged = metric in documents.JUDGED
    items = [(step, one) for step, one in read if one is not None and (one.value > 0 or not judged)]
    if not items:
        return None, []
    place = building.lines_text([step.line for step in kept])
    whole = {step.line for step, _ in items}
    found = building.logged_series(
        metric,
        kind,
        [(str(step.number), one) for step, one in items],
        locator=f"{place}, {key}",
        weights=_weights([step for step, _ in items]),
        dropped=dropped,
    )
    return found, [step.line for step, _ in read if step.line not in whole]


def _weights(steps: Sequence[_Step]) -> list[int]:
    """Steps that each line is the mean of: where the data sink (a loss without a mean) the usual distance of lines."""
    gaps = Counter(later.number - earlier.number for earlier, later in pairwise(steps))
    usual = min(gaps, key=lambda gap: (-gaps[gap], gap), default=1)
    return [1 if step.pairs.get("loss", "").startswith("[") else usual for step in steps]


def _work(kept: Sequence[_Step], key: str, log: Log) -> list[tuple[Span, str]]:
    """A rate of each step times its time, which was cut to whole milliseconds."""
    metric_unit = SERIES[key][2]
    found = []
    for step in kept:
        time, rate = _value(step, "per_step_time", "ms", log), _value(step, key, metric_unit, log)
        if time is not None and rate is not None and time.value > 0 and rate.value > 0:
            took = Span(time.value, time.value, time.value + time.resolution)
            found.append((identities.span(rate).times(took), f"line {step.line}, {key}"))
    return found


def _constant(kept: Sequence[_Step], samples: Sequence[tuple[Span, str]], log: Log) -> Iterator[Identity]:
    """I5: operations and samples of a step by its rates are those of every other step."""
    scale = Fraction(1, 10**9)
    for key in ("train_throughput_per_npu", "throughput"):
        one = identities.constant("I5", "flops_times_time", _work(kept, key, log), "1", scale=scale)
        yield from (one,) if one is not None else ()
    one = identities.constant("I5", "samples_times_time", samples, "1", scale=scale)
    yield from (one,) if one is not None else ()


def _samples(work: Sequence[tuple[Span, str]], kept: Sequence[_Step]) -> Iterator[LoggedValue]:
    """Samples of a step and rank: the whole number that every step allows, else the middle of what they allow."""
    low, high = max((one.low for one, _ in work), default=0), min((one.high for one, _ in work), default=-1)
    if low > high:
        return
    middle = Fraction(low + high) / 2 / 10**9
    whole = round(middle)
    value = Fraction(whole) if low <= whole * 10**9 <= high else middle
    place = f"line {kept[0].line} and later, samples/s/p x per_step_time"
    figure = Figure(units.exact(value), "1", Fraction(high - low) / 10**9, f"{float(value):.6g}")
    yield building.logged_value("samples_per_step", "", "mean", figure, place)


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
    found = Derived(Span(total, total, total + most), "ns", (f"{places[0]} to {places[1]}",))
    clock = Derived(identities.exactly(ran), "ns", places)
    yield from check("I1", "steps_within_clock", found, clock, rule="at_most", more=identities.CLOCK)


def _doubts(steps: Sequence[_Step], series: Sequence[LoggedSeries]) -> Iterator[Reason]:
    over = sum(not step.updated for step in steps)
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
        identities=tuple(_steps_of_epochs(epochs)),
        warnings=(Reason.of("mindspore_epoch_means"), *([] if dropped else [Reason.of("mindspore_first_epoch")])),
    )


def _steps_of_epochs(epochs: Sequence[tuple[int, Figure, Figure]]) -> Iterator[Identity]:
    """I6: the time of an epoch over that of its steps is a whole number, the epoch that fits worst."""
    found = []
    for line, whole, each in epochs:
        steps = identities.span(whole).over(identities.span(each))
        if steps is not None:
            found.append(Derived(steps, "1", (f"line {line}, Train epoch time", f"line {line}, per step time")))
    if found:
        whole_numbers = [identities.exactly(max(round(Fraction(one.span.value)), 1)) for one in found]
        worst, number = max(
            zip(found, whole_numbers, strict=True),
            key=lambda pair: Fraction(identities.beyond(pair[0].span, pair[1])),
        )
        yield from check("I6", "steps_of_epoch", worst, Derived(number, "1", ()))
