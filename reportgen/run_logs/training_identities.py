"""Relations that the lines of one training run fulfil: I1 to I5. Source: docs/logs.md, identities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from reportgen.model import Identity
from reportgen.run_logs import numbers
from reportgen.run_logs.identities import CLOCK, Span, constant, equal, exactly, span, worst
from reportgen.run_logs.training_records import Record

_SECOND = 10**9
_NO_EXTRA = Fraction(0)


def identities(kept: Sequence[Record], weights: Sequence[int], every: Sequence[Record]) -> tuple[Identity, ...]:
    """Those that the lines allow to check.

    Args:
        kept: the lines that count.
        weights: iterations that each of them is the mean of.
        every: all lines of the run, in order.
    """
    weight = {id(record): count for record, count in zip(kept, weights, strict=True)}
    found = (_clock(every), _samples(every), _tokens(every), _mfu(every, weight), _flops(kept))
    return tuple(one for one in found if one is not None)


def step_time(record: Record) -> Span | None:
    """Time of one iteration in ns."""
    for unit in ("ms", "s"):
        written = record.fields.get(f"elapsed time per iteration ({unit})")
        found = numbers.figure(written.partition("/")[0].strip(), unit) if written else None
        if found is not None and found.value > 0:
            return span(found)
    return None


def _steps(before: Record, after: Record) -> int:
    return after.iteration - before.iteration


def _figure(record: Record, key: str, unit: str = "") -> Span | None:
    found = numbers.figure(record.fields.get(key, "").partition("/")[0].strip(), unit)
    return span(found) if found is not None and found.value >= 0 else None


def _stretches(every: Sequence[Record]) -> list[list[Record]]:
    """Lines one interval apart with a time each, divided where a checkpoint, an evaluation or a lost line is."""
    gaps = Counter(_steps(before, after) for before, after in pairwise(every))
    if not gaps:
        return []
    interval = gaps.most_common(1)[0][0]
    found: list[list[Record]] = [[]]
    for record in every:
        last = found[-1][-1] if found[-1] else None
        if record.stamp is None or step_time(record) is None:
            found.append([])
            continue
        if last is not None and (record.after_pause or _steps(last, record) > interval):
            found.append([])
        found[-1].append(record)
    return [stretch for stretch in found if len(stretch) > 1]


def _clock(every: Sequence[Record]) -> Identity | None:
    """I1: the clock of the lines against the sum of the times between them, the stretch that fits worst."""
    checked = []
    for stretch in _stretches(every):
        first, last = stretch[0], stretch[-1]
        assert first.stamp is not None
        assert last.stamp is not None
        total = exactly(0)
        for before, after in pairwise(stretch):
            time = step_time(after)
            assert time is not None
            total += time.scaled(_steps(before, after))
        clock = exactly(last.stamp.ns - first.stamp.ns)
        places = (f"lines {first.line} and {last.line}, time", f"lines {first.line}-{last.line}, elapsed time")
        checked.append(equal("I1", "clock_and_step_times", clock, total, "ns", places, extra=CLOCK))
    return worst(checked)


def _samples(every: Sequence[Record]) -> Identity | None:
    """I2: samples consumed between two lines against batch size times iterations, the pair that fits worst."""
    checked = []
    for before, after in pairwise(every):
        size = numbers.whole(after.fields.get("global batch size", ""))
        if size is None or before.fields.get("global batch size") != after.fields.get("global batch size"):
            continue
        old, new = (numbers.whole(one.fields.get("consumed samples", "")) for one in (before, after))
        if old is None or new is None:
            continue
        places = (f"lines {before.line} and {after.line}, consumed samples", f"line {after.line}, global batch size")
        found, expected = exactly(new - old), exactly(size * _steps(before, after))
        checked.append(equal("I2", "samples_and_iterations", found, expected, "1", places, extra=_NO_EXTRA))
    return worst(checked)


def _tokens(every: Sequence[Record]) -> Identity | None:
    """I3: tokens consumed between two lines over the time between them against tokens/s, the pair that fits worst."""
    checked = []
    for before, after in pairwise(every):
        old, new = (numbers.whole(one.fields.get("consumed tokens", "")) for one in (before, after))
        time, rate = step_time(after), _figure(after, "tokens/s", "tokens/s")
        if old is None or new is None or new <= old or time is None or rate is None:
            continue
        expected = exactly((new - old) * _SECOND).over(time.scaled(_steps(before, after)))
        if expected is not None:
            places = (f"line {after.line}, tokens/s", f"lines {before.line} and {after.line}, consumed tokens")
            checked.append(equal("I3", "tokens_over_time", rate, expected, "1/s", places, extra=_NO_EXTRA))
    return worst(checked)


def _mfu(every: Sequence[Record], weight: dict[int, int]) -> Identity | None:
    """I4: mfu times step time over tokens, the same for all lines of the commonest number of tokens."""
    rows: dict[Fraction, list[tuple[Span, str]]] = {}
    for before, after in pairwise(every):
        old, new = (numbers.whole(one.fields.get("consumed tokens", "")) for one in (before, after))
        time, share = step_time(after), _figure(after, "mfu", "%")
        if id(after) not in weight or old is None or new is None or new <= old or time is None or share is None:
            continue
        tokens = Fraction(new - old, _steps(before, after))
        rows.setdefault(tokens, []).append((share.times(time).scaled(1 / tokens), f"line {after.line}, mfu"))
    return constant("I4", "mfu_times_time_over_tokens", max(rows.values(), key=len, default=[]), "ns")


def _flops(kept: Sequence[Record]) -> Identity | None:
    """I5: TFLOP/s times step time, the same for all lines of one batch size and one share of core attention."""
    rows: dict[str, list[tuple[Span, str]]] = {}
    for record in kept:
        time = step_time(record)
        rate = _figure(record, "throughput per GPU (TFLOP/s/GPU)", "TFLOP/s") or _figure(record, "TFLOPs", "TFLOP/s")
        if time is not None and rate is not None:
            work = rate.times(time).scaled(Fraction(1, _SECOND))
            key = record.fields.get("core attn ratio (%)", "")
            rows.setdefault(key, []).append((work, f"line {record.line}, TFLOP/s"))
    return constant("I5", "flops_times_time", max(rows.values(), key=len, default=[]), "1")
