"""Relations that the lines of one training run fulfil: I1 to I5. Source: docs/logs.md, identities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from reportgen.model import Identity
from reportgen.run_logs import numbers
from reportgen.run_logs.identities import CLOCK, CLOCK_OVERHEAD, Span, beyond, constant, equal, exactly, span
from reportgen.run_logs.training_records import Record

_SECOND = 10**9


class _Line(NamedTuple):
    """One line with the figures that relations are between."""

    record: Record
    time: Span | None
    """Time of one iteration in ns."""
    samples: int | None
    """Samples consumed so far."""
    tokens: int | None
    """Tokens consumed so far."""


def identities(kept: Sequence[Record], every: Sequence[Record]) -> tuple[Identity, ...]:
    """Those that the lines allow to check.

    Args:
        kept: the lines that count.
        every: all lines of the run, in order.
    """
    lines = [
        _Line(
            record,
            _step_time(record),
            numbers.whole(record.fields.get("consumed samples", "")),
            numbers.whole(record.fields.get("consumed tokens", "")),
        )
        for record in every
    ]
    counted = {id(record) for record in kept}
    chosen = [line for line in lines if id(line.record) in counted]
    found = (
        _clock(lines),
        _samples(lines),
        _tokens(lines),
        _over_gaps(lines),
        _rate(lines),
        _mfu(lines, counted),
        _flops(chosen),
    )
    return tuple(one for one in found if one is not None)


def _step_time(record: Record) -> Span | None:
    for unit in ("ms", "s"):
        written = record.fields.get(f"elapsed time per iteration ({unit})")
        found = numbers.figure(written.partition("/")[0].strip(), unit) if written else None
        if found is not None and found.value > 0:
            return span(found)
    return None


def _steps(before: _Line, after: _Line) -> int:
    return after.record.iteration - before.record.iteration


def _figure(line: _Line, key: str, unit: str) -> Span | None:
    written = line.record.fields.get(key)
    found = numbers.figure(written.partition("/")[0].strip(), unit) if written else None
    return span(found) if found is not None and found.value >= 0 else None


def _stretches(lines: Sequence[_Line]) -> list[list[_Line]]:
    """Lines one interval apart with a time each, divided where a checkpoint, an evaluation or a lost line is.

    The first and the last of a stretch show the clock; lines between them that do not still took their time.
    """
    gaps = Counter(_steps(before, after) for before, after in pairwise(lines))
    if not gaps:
        return []
    interval = gaps.most_common(1)[0][0]
    found: list[list[_Line]] = [[]]
    for line in lines:
        last = found[-1][-1] if found[-1] else None
        if line.time is None:
            found.append([])
            continue
        if last is not None and (line.record.after_pause or _steps(last, line) > interval):
            found.append([])
        found[-1].append(line)
    ended = [_between_clocks(stretch) for stretch in found]
    return [stretch for stretch in ended if len(stretch) > 1]


def _between_clocks(stretch: list[_Line]) -> list[_Line]:
    """A stretch from the first to the last line that shows the clock."""
    shown = [index for index, line in enumerate(stretch) if line.record.stamp is not None]
    return stretch[shown[0] : shown[-1] + 1] if shown else []


def _clock(lines: Sequence[_Line]) -> Identity | None:
    """I1: the clock of the lines against the sum of the times between them, the stretch that fits worst.

    The clock also runs while lines are written, so it may be ahead by a small share of the time; it is never behind.
    """
    worst: tuple[Span, Span, list[_Line]] | None = None
    for stretch in _stretches(lines):
        first, last = stretch[0].record.stamp, stretch[-1].record.stamp
        total = exactly(0)
        for before, after in pairwise(stretch):
            assert after.time is not None
            total = total.plus(after.time.scaled(_steps(before, after)))
        assert first is not None
        assert last is not None
        clock = exactly(last.ns - first.ns)
        if worst is None or beyond(clock, total) > beyond(*worst[:2]):
            worst = (clock, total, stretch)
    if worst is None:
        return None
    begin, end = worst[2][0].record.line, worst[2][-1].record.line
    places = (f"lines {begin} and {end}, time", f"lines {begin}-{end}, elapsed time")
    ahead = CLOCK_OVERHEAD * worst[1].value if worst[0].value > worst[1].value else 0
    return equal("I1", "clock_and_step_times", worst[0], worst[1], "ns", places, extra=CLOCK + ahead)


def _samples(lines: Sequence[_Line]) -> Identity | None:
    """I2: samples consumed between two lines against batch size times iterations, the pair that fits worst."""
    worst: tuple[int, int, _Line, _Line] | None = None
    for before, after in pairwise(lines):
        written = after.record.fields.get("global batch size", "")
        size = numbers.whole(written)
        if size is None or before.record.fields.get("global batch size") != written:
            continue
        if before.samples is None or after.samples is None:
            continue
        found, expected = after.samples - before.samples, size * _steps(before, after)
        if worst is None or abs(found - expected) > abs(worst[0] - worst[1]):
            worst = (found, expected, before, after)
    if worst is None:
        return None
    begin, end = worst[2].record.line, worst[3].record.line
    places = (f"lines {begin} and {end}, consumed samples", f"line {end}, global batch size")
    consumed, due = exactly(worst[0]), exactly(worst[1])
    return equal("I2", "samples_and_iterations", consumed, due, "1", places, extra=0)


def _tokens(lines: Sequence[_Line]) -> Identity | None:
    """I3: tokens consumed between two lines over the time between them against tokens/s, the pair that fits worst."""
    worst: tuple[Span, Span, _Line, _Line] | None = None
    for before, after in pairwise(lines):
        rate = _figure(after, "tokens/s", "tokens/s")
        if before.tokens is None or after.tokens is None or after.tokens <= before.tokens:
            continue
        if after.time is None or rate is None:
            continue
        consumed = exactly((after.tokens - before.tokens) * _SECOND)
        expected = consumed.over(after.time.scaled(_steps(before, after)))
        if expected is not None and (worst is None or beyond(rate, expected) > beyond(*worst[:2])):
            worst = (rate, expected, before, after)
    if worst is None:
        return None
    begin, end = worst[2].record.line, worst[3].record.line
    places = (f"line {end}, tokens/s", f"lines {begin} and {end}, consumed tokens")
    return equal("I3", "tokens_over_time", worst[0], worst[1], "1/s", places, extra=0)


def _over_gaps(lines: Sequence[_Line]) -> Identity | None:
    """I3 over lines that do not say how many tokens were consumed: their rates times their times are those tokens."""
    worst: tuple[Span, Span, _Line, _Line] | None = None
    start: int | None = None
    for index, line in enumerate(lines):
        if line.tokens is None:
            continue
        between = [] if start is None else list(pairwise(lines[start : index + 1]))
        if start is not None and len(between) > 1:
            consumed = exactly((line.tokens - (lines[start].tokens or 0)) * _SECOND)
            total = exactly(0)
            for before, after in between:
                rate = _figure(after, "tokens/s", "tokens/s")
                if after.time is None or rate is None:
                    break
                total = total.plus(rate.times(after.time).scaled(_steps(before, after)))
            else:
                if worst is None or beyond(total, consumed) > beyond(*worst[:2]):
                    worst = (total, consumed, lines[start], line)
        start = index
    if worst is None:
        return None
    begin, end = worst[2].record.line, worst[3].record.line
    places = (f"lines {begin}-{end}, tokens/s", f"lines {begin} and {end}, consumed tokens")
    found, expected = (one.scaled(Fraction(1, _SECOND)) for one in worst[:2])
    return equal("I3", "tokens_between_lines", found, expected, "1", places, extra=0)


def _rate(lines: Sequence[_Line]) -> Identity | None:
    """I3: the batch size over the time of an iteration against samples/s of the line, the one that fits worst."""
    worst: tuple[Span, Span, _Line] | None = None
    for line in lines:
        size = numbers.whole(line.record.fields.get("global batch size", ""))
        for key in ("throughput(samples/s)", "samples per second"):
            rate = _figure(line, key, "samples/s")
            if size is None or line.time is None or rate is None:
                continue
            expected = exactly(size * _SECOND).over(line.time)
            if expected is not None and (worst is None or beyond(rate, expected) > beyond(*worst[:2])):
                worst = (rate, expected, line)
    if worst is None:
        return None
    place = f"line {worst[2].record.line}"
    places = (f"{place}, samples/s", f"{place}, global batch size", f"{place}, elapsed time")
    return equal("I3", "samples_over_time", worst[0], worst[1], "1/s", places, extra=0)


def _mfu(lines: Sequence[_Line], counted: set[int]) -> Identity | None:
    """I4: mfu times step time over tokens, the same for all lines of one number of tokens; the worst group."""
    rows: dict[Fraction, list[tuple[Span, str]]] = {}
    for before, after in pairwise(lines):
        share = _figure(after, "mfu", "%")
        if before.tokens is None or after.tokens is None or after.tokens <= before.tokens:
            continue
        if id(after.record) not in counted or after.time is None or share is None:
            continue
        tokens = Fraction(after.tokens - before.tokens, _steps(before, after))
        rows.setdefault(tokens, []).append((share.times(after.time), f"line {after.record.line}, mfu"))
    return _worst(
        constant("I4", "mfu_times_time_over_tokens", some, "ns", scale=1 / tokens)
        for tokens, some in sorted(rows.items(), key=lambda item: -len(item[1]))
    )


def _worst(found: Iterable[Identity | None]) -> Identity | None:
    """The first of some groups that contradicts itself, else the first that can be checked."""
    known = [one for one in found if one is not None]
    return next((one for one in known if not one.holds), known[0] if known else None)


def _flops(lines: Sequence[_Line]) -> Identity | None:
    """I5: TFLOP/s times step time, the same for all lines of one batch size and one share of core attention.

    The group that fits worst.
    """
    rows: dict[str, list[tuple[Span, str]]] = {}
    for line in lines:
        rate = _figure(line, "throughput per GPU (TFLOP/s/GPU)", "TFLOP/s") or _figure(line, "TFLOPs", "TFLOP/s")
        if line.time is not None and rate is not None:
            key = line.record.fields.get("core attn ratio (%)", "")
            rows.setdefault(key, []).append((rate.times(line.time), f"line {line.record.line}, TFLOP/s"))
    return _worst(
        constant("I5", "flops_times_time", some, "1", scale=Fraction(1, _SECOND))
        for some in sorted(rows.values(), key=len, reverse=True)
    )
