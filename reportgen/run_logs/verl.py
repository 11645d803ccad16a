"""Step lines of verl on the console: ``step:7 - timing_s/step:48.70 - perf/throughput:3283.32``.

``perf/throughput`` counts tokens of one device. The first step holds the warm-up of the engine and is left out; the
number of tokens changes from step to step, so that throughput is judged and not the time of a step.
Source: docs/logs.md, training.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from reportgen.model import Identity, LoggedSeries, Reason, Run
from reportgen.run_logs import building, documents, identities, numbers
from reportgen.run_logs.numbers import Figure
from reportgen.run_logs.placed import Derived, Placed, check, derived
from reportgen.run_logs.text import MOST_RECORDS, Log, bare, records

_STEP = re.compile(r"(?:^|[\s'\"])step:(\d{1,9}) - ")
_BYTES = re.compile(rb"step:\d{1,9} - [^\r\n]{0,4000}(?:timing_s/step|perf/throughput):")
_WRAPPED = re.compile(r"np\.(?:float|int)\d{1,3}\(([^()]{1,60})\)")
STAGE = "timing_s/"
MOST_STAGES = 40
"""Stages of a step that are kept."""
ALWAYS = ("timing_s/step", "perf/total_num_tokens", "perf/time_per_step", "perf/throughput")
"""Keys that every step of a training on text has."""


class _Step(NamedTuple):
    """One step."""

    number: int
    """As printed."""
    line: int
    """Line of the file."""
    pairs: dict[str, str]
    """Its keys and values."""


def sniff(log: Log) -> bool:
    """Whether a log holds such lines."""
    return log.holds(_BYTES)


def read(log: Log) -> tuple[Run, ...]:
    """The runs of a log; steps that begin anew begin another run.

    Raises:
        CaptureError: ``log_unreadable``, ``log_mixed``; as ``Log.lines``.
    """
    runs: list[list[_Step]] = [[]]
    again = total = cut = 0
    for line in log.lines():
        for match, text, _ in records(_STEP, bare(line.text)):
            if not line.ended:
                cut = line.number
                continue
            step = _Step(int(match[1]), line.number, _pairs(text))
            if not any(key in step.pairs for key in (*ALWAYS, *(f"{STAGE}{one}" for one in ("gen", "update_actor")))):
                continue
            last = runs[-1][-1] if runs[-1] else None
            if last is not None and step.number == last.number:
                if step.pairs != last.pairs:
                    documents.two_runs(log.at(line.number), f"step {step.number} again, with other figures")
                again += 1
                continue
            if last is not None and step.number < last.number:
                runs.append([])
            runs[-1].append(step)
            total += 1
            if total > MOST_RECORDS:
                documents.unreadable(log.at(line.number), f"holds more than {MOST_RECORDS} steps")
    if not runs[0]:
        documents.unreadable(log.at(), "holds no whole step of verl")
    notes = [Reason.of("log_lines_twice", n=again)] if again else []
    notes += [Reason.of("log_records_cut", n=1, line=cut)] if cut else []
    return tuple(_run(steps, segment, tuple(notes), log) for segment, steps in enumerate(runs))


def _pairs(text: str) -> dict[str, str]:
    """Keys and values between `` - ``; a key that stands twice, otherwise, is left out."""
    return documents.said_once(_split(text))


def _split(text: str) -> Iterator[tuple[str, str]]:
    for part in text.split(" - ")[:2000]:
        key, colon, value = part.strip().rpartition(":")
        if colon:
            wrapped = _WRAPPED.fullmatch(value.strip())
            yield key.strip(), wrapped[1] if wrapped is not None else value.strip().rstrip("'\"")


def _run(steps: Sequence[_Step], segment: int, left_out: tuple[Reason, ...], log: Log) -> Run:
    """The run of its steps: those after the first that have what all of them should have."""
    later = [step for step in steps if step.number > 1]
    lacking = [key for key in ALWAYS if not any(key in step.pairs for step in later)] if later else []
    needed = [key for key in ALWAYS if key not in lacking]
    partial = [step for step in later if any(key not in step.pairs for key in needed)]
    kept = [step for step in later if step not in partial]
    dropped = [str(step.number) for step in steps if step not in kept]
    stages = dict.fromkeys(key for step in kept for key in step.pairs if key.startswith(STAGE) and key.count("/") == 1)
    time = "perf/time_per_step" if "perf/time_per_step" in needed else "timing_s/step"
    rows = [("step_time", "", time, "s"), ("throughput", "tokens_per_s_per_rank", "perf/throughput", "tokens/s")]
    rows += [("tokens", "", "perf/total_num_tokens", "count")]
    rows += [
        ("stage_time", key.removeprefix(STAGE), key, "s")
        for key in list(stages)[:MOST_STAGES]
        if key != "timing_s/step"
    ]
    series = [one for row in rows if (one := _series(kept, dropped, *row)) is not None]
    notes = [Reason.of("log_figures_missing", keys=building.joined(lacking))] if lacking else []
    notes += [Reason.of("log_partial_lines", n=len(partial), line=partial[0].line)] if partial else []
    broken = {key: [step.line for step in kept if not _is_above_zero(step.pairs[key])] for key in needed}
    notes += [documents.broken(key, lines) for key, lines in broken.items() if lines]
    devices = tuple(_devices(kept))
    whole = devices[0].expected if devices and devices[0].holds else None
    place = f"{building.lines_text([step.line for step in kept])}, tokens / (time x throughput)" if kept else ""
    stated = building.stated("devices", str(whole.value), place) if whole is not None else None
    return Run(
        producer="verl",
        version="",
        definitions="verl",
        file=log.record,
        segment=segment,
        context=(stated,) if stated is not None else (),
        series=tuple(series),
        identities=(*devices, *_times(kept)),
        left_out=(*left_out, *notes),
        warnings=(Reason.of("verl_tokens_vary"),),
    )


def _is_above_zero(text: str) -> bool:
    found = numbers.figure(text, "")
    return found is not None and found.value > 0


def _series(
    kept: Sequence[_Step], dropped: Sequence[str], metric: str, kind: str, key: str, unit: str
) -> LoggedSeries | None:
    items = [
        (str(step.number), one)
        for step in kept
        if (one := _figure(step, key, unit)) is not None and (one.value > 0 or metric not in documents.JUDGED)
    ]
    if not items:
        return None
    place = building.lines_text([step.line for step in kept])
    return building.logged_series(metric, kind, items, locator=f"{place}, {key}", dropped=dropped, shortest=True)


def _figure(step: _Step, key: str, unit: str) -> Figure | None:
    return numbers.figure(step.pairs[key], unit) if key in step.pairs else None


def _times(kept: Sequence[_Step]) -> Iterator[Identity]:
    """I6: both keys of the time of a step give one time, the step that fits worst."""
    worst: tuple[Placed, Placed] | None = None
    for step in kept:
        one, other = (_figure(step, key, "s") for key in ("timing_s/step", "perf/time_per_step"))
        if one is None or other is None:
            continue
        places = f"line {step.line}, timing_s/step", f"line {step.line}, perf/time_per_step"
        pair = Placed(one, places[0]), Placed(other, places[1])
        if worst is None or abs(pair[0].value - pair[1].value) > abs(worst[0].value - worst[1].value):
            worst = pair
    if worst is not None:
        yield from check("I6", "times_of_step", *worst)


def _devices(kept: Sequence[_Step]) -> Iterator[Identity]:
    """I6: tokens over (time x throughput of a device) is the number of devices, the same whole one in each step."""
    found: list[Derived] = []
    for step in kept:
        keys = (("perf/total_num_tokens", "count"), ("perf/time_per_step", "s"), ("perf/throughput", "tokens/s"))
        parts = [(_figure(step, key, unit), f"line {step.line}, {key}") for key, unit in keys]
        tokens, time, rate = (Placed(one, place) if one is not None else None for one, place in parts)
        one = derived(_count, "1", tokens, time, rate)
        if one is not None:
            found.append(one)
    if not found:
        return
    number = max(round(found[0].span.value), 1)
    worst = max(found, key=lambda one: abs(Fraction(one.span.value) - number))
    expected = Derived(identities.exactly(Fraction(number)), "1", ())
    yield from check("I6", "devices", worst, expected)


def _count(tokens: identities.Span, ns: identities.Span, rate: identities.Span) -> identities.Span | None:
    return tokens.scaled(10**9).over(ns.times(rate))
