"""Results of OM inference by ais_bench (``msit benchmark``): its summary file and its summary on the screen.

``NPU_compute_time`` is the model on the NPU alone: no copies to and from the device, no work before or after.
Source: docs/logs.md, OM inference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from reportgen.model import Identity, LoggedSeries, LoggedValue, Reason, Run, Stated
from reportgen.run_logs import building, documents, identities, load, numbers
from reportgen.run_logs.numbers import Figure
from reportgen.run_logs.placed import Derived, Placed, check, derived
from reportgen.run_logs.text import Digits, Log

TIMES = {"NPU_compute_time": "npu_compute", "H2D_latency": "h2d", "D2H_latency": "d2h"}
"""Group of figures, in milliseconds -> kind of latency."""
ALWAYS = (*(f"/NPU_compute_time/{word}" for word in ("min", "max", "mean", "median")), "/throughput")
"""Figures that every version of the summary file writes."""
OPTIONS = {
    "--batchsize": "batch_size",
    "--batch-size": "batch_size",
    "-bs": "batch_size",
    "--loop": "loop",
    "--warmup-count": "warm_ups",
    "--model": "model",
    "--om-model": "model",
    "-m": "model",
    "-om": "model",
    "--input": "input",
    "-i": "input",
    "--pure-data-type": "pure_data_type",
    "--pure_data_type": "pure_data_type",
    "--device": "device",
    "-d": "device",
    "--profiler": "profiler",
    "--run-mode": "run_mode",
    "--run_mode": "run_mode",
    "--threads": "threads",
}
"""Option of the command line -> canonical name."""
MOST_VALUES = 1_000_000
"""Latencies of one file that are read."""
_JSON = re.compile(rb'"NPU_compute_time"\s{0,8}:')
_SCREEN = re.compile(rb"NPU_compute_time \(ms\)[^\r\n]{0,400}")
_TITLE = re.compile(r"-{3,60}\s{0,4}Performance Summary\s{0,4}-{3,60}")
_TIMES = re.compile(r"(NPU_compute_time|H2D_latency|D2H_latency) \(ms\):\s{0,4}(.{1,600})")
_STATISTIC = re.compile(r"([A-Za-z]{1,12}(?:\(\d{1,2}%\))?)\s{0,4}=\s{0,4}([^,\s]{1,60})")
_RATE = re.compile(
    r"[Tt]hroughput \(?1000 ?\* ?batchsize(?:\.mean)?(?:\(([\d.]{1,30})\))?"
    r"/NPU_compute_time(?:\.mean)?(?:\([\d.e+-]{1,60}\))?\)?:\s{0,4}([\d.e+-]{1,60})"
)
_GUESS = re.compile(r"try get model batchsize:\s{0,4}(\d{1,9})")
MOST_RUNS = 1000
"""Summaries of one log that are read."""


def sniff(log: Log) -> bool:
    """Whether a file is such a summary or a log that holds one."""
    return _JSON.search(log.head) is not None if log.is_json else log.holds(_SCREEN)


def read(log: Log) -> tuple[Run, ...]:
    """The run of a summary file, or each summary of a log as a run of its own.

    Raises:
        CaptureError: ``log_unreadable``, ``log_value``; as ``Log.objects`` and ``Log.lines``.
    """
    return (_file(log),) if log.is_json else _screen(log)


# ------------------------------------------------------------------------------------------------ the summary file
def _file(log: Log) -> Run:
    document = documents.only(log)
    if not isinstance(document, dict):
        documents.unreadable(log.at(), "is JSON but no object")
    figures: dict[tuple[str, str], Placed] = {}
    unknown: list[str] = []
    for group, kind in TIMES.items():
        held = document.get(group)
        for word, value in held.items() if isinstance(held, dict) else ():
            statistic = "count" if word == "count" else load.statistic(word)
            if statistic is None:
                unknown.append(f"{group} {word}")
                continue
            figures[kind, statistic] = _figure(value, "count" if word == "count" else "ms", f"/{group}/{word}", log)
    rate = document.get("throughput")
    if rate is not None:
        figures["throughput", "mean"] = _figure(rate, "samples/s", "/throughput", log)
    argv = document.get("args")
    options = _options(argv if isinstance(argv, list) else [])
    pairs, times = _list(document.get("npu_compute_time_list"), log)
    series = _series(times)
    batch = options.get("batch_size")
    size = _figure(Digits(batch.written), "count", batch.locator, log) if batch is not None else None
    found = [*_rate(figures, size), *_recomputed(figures, pairs, times)]
    return Run(
        producer="ais_bench_om",
        version="",
        definitions="ais_bench_om_threads" if pairs else "ais_bench_om",
        file=log.record,
        context=tuple(one for one in options.values() if one.key != "input"),
        series=(series,) if series else (),
        values=_values(figures),
        identities=tuple(found),
        left_out=(*load.lacking((one.locator for one in figures.values()), ALWAYS), *load.unread(unknown)),
        warnings=tuple(_doubts(figures, options, known=isinstance(argv, list), batch=size is not None)),
    )


def _figure(value: Any, unit: str, locator: str, log: Log) -> Placed:
    found = numbers.figure(str(value).strip(), unit) if isinstance(value, str) else None
    if found is None or found.value < 0:
        documents.no_figure(str(value), locator, log.at())
    return Placed(found, locator)


def _options(argv: Sequence[Any]) -> dict[str, Stated]:
    """Known options of the command line, as ``--name value`` or ``--name=value``; the last one counts."""
    words = [str(word) for word in argv[:1000] if isinstance(word, str)]
    found: dict[str, Stated] = {}
    for index, word in enumerate(words):
        name, equals, value = word.partition("=")
        key = OPTIONS.get(name)
        if key is None:
            continue
        text = value if equals else words[index + 1] if index + 1 < len(words) else ""
        for one in load.stated([(key, text, f"/args/{index}")]):
            found[key] = one
    return found


def _list(held: Any, log: Log) -> tuple[list[tuple[Fraction, Fraction]], list[Placed]]:
    """Every latency of the file; of several threads their starts and ends as well, in nanoseconds."""
    pairs: list[tuple[Fraction, Fraction]] = []
    times: list[Placed] = []
    items = held if isinstance(held, list) else []
    if len(items) > MOST_VALUES:
        documents.unreadable(log.at(), f"holds more than {MOST_VALUES} latencies")
    for index, item in enumerate(items):
        place = f"/npu_compute_time_list/{index}"
        if not isinstance(item, list):
            times.append(_figure(item, "ms", place, log))
            continue
        if len(item) != 2:
            documents.unreadable(log.at(), f"{place} is neither a time nor a start and an end")
        start, end = (_figure(one, "ms", place, log) for one in item)
        pairs.append((start.value, end.value))
        step = max(start.figure.resolution, end.figure.resolution)
        if end.value < start.value:
            documents.unreadable(log.at(), f"{place} ends before it starts")
        times.append(Placed(Figure(end.value - start.value, "ns", step, ""), place))
    if pairs and len(pairs) != len(times):
        documents.unreadable(log.at(), "npu_compute_time_list mixes times with starts and ends")
    return pairs, times


def _series(times: Sequence[Placed]) -> LoggedSeries | None:
    if not times:
        return None
    items = [(str(index), one.figure) for index, one in enumerate(times, start=1)]
    return building.logged_series("latency", "npu_compute", items, locator="/npu_compute_time_list", shortest=True)


def _recomputed(
    figures: Mapping[tuple[str, str], Placed], pairs: list[tuple[Fraction, Fraction]], times: Sequence[Placed]
) -> Iterator[Identity]:
    """I12: the statistics of the file against those of its list."""
    if not times:
        return
    ordered = sorted(one.value for one in times)
    half = max(Fraction(one.figure.half()) for one in times)
    total = _merged(pairs) if pairs else sum(ordered, Fraction(0))
    for kind, statistic in figures:
        if kind != "npu_compute":
            continue
        if statistic == "count":
            value, room = Fraction(len(ordered)), Fraction(0)
        elif statistic == "mean":
            value, room = total / len(ordered), half
        else:
            value, room = _quantile(ordered, statistic), half
        found = figures[kind, statistic]
        spread = Derived(identities.Span(value - room, value, value + room), found.unit, ("/npu_compute_time_list",))
        yield from check("I12", f"list_{statistic}", found, spread)


def _quantile(ordered: Sequence[Fraction], statistic: str) -> Fraction:
    """A quantile of sorted values, linear between two of them."""
    known = {"min": Fraction(0), "median": Fraction(1, 2), "max": Fraction(1)}
    part = known.get(statistic)
    if part is None:
        part = Fraction(statistic.removeprefix("p")) / 100
    place = part * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def _merged(pairs: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    """Time in which at least one of them ran."""
    total, until = Fraction(0), None
    for start, end in sorted(pairs):
        if until is None or start > until:
            total, until = total + end - start, end
        elif end > until:
            total, until = total + end - until, end
    return total


# ------------------------------------------------------------------------------------------------ the screen
class _Block:
    """One summary on the screen, filled line by line."""

    def __init__(self) -> None:
        self.figures: dict[tuple[str, str], Placed] = {}
        self.size: Placed | None = None
        self.header: list[str] = []


def _screen(log: Log) -> tuple[Run, ...]:
    """Each summary of the log as a run."""
    blocks: list[_Block] = []
    guesses: list[tuple[str, str]] = []
    for line in log.lines():
        if blocks and not line.ended and (_TIMES.search(line.text) or _RATE.search(line.text)):
            documents.unreadable(log.at(line.number), "ends within a line of a summary: its last figure may be cut")
        guess = _GUESS.search(line.text)
        if guess is not None:
            guesses.append((guess[1], f"line {line.number}"))
        if _TITLE.search(line.text):
            blocks.append(_Block())
            if len(blocks) > MOST_RUNS:
                documents.unreadable(log.at(), f"holds more than {MOST_RUNS} summaries")
        elif blocks:
            _fill(blocks[-1], line.text, line.number, log)
    filled = [block for block in blocks if ("npu_compute", "mean") in block.figures]
    if not filled:
        documents.unreadable(log.at(), "holds no whole summary of NPU_compute_time")
    return tuple(_block_run(block, segment, len(filled), guesses, log) for segment, block in enumerate(filled))


def _fill(block: _Block, text: str, line: int, log: Log) -> None:
    """The figures of one line of a summary, as a list or as a row of a table."""
    times = _TIMES.search(text)
    if times is not None:
        for word, value in _STATISTIC.findall(times[2]):
            statistic = load.statistic(word)
            if statistic is not None:
                place = f"line {line}, {times[1]} {word}"
                _hold(block, (TIMES[times[1]], statistic), _figure(value, "ms", place, log), log, line)
    rate = _RATE.search(text)
    if rate is not None:
        found = _figure(rate[2], "samples/s", f"line {line}, throughput", log)
        _hold(block, ("throughput", "mean"), found, log, line)
        if rate[1] is not None:
            block.size = _figure(rate[1], "count", f"line {line}, batchsize", log)
    if "│" in text or text.count("|") > 3:
        cells = [cell.strip() for cell in re.split(r"[│|]", text)[1:-1]]
        if cells[:1] == ["Metric"]:
            block.header = cells
        kind = TIMES.get(cells[0].removesuffix(" (ms)")) if cells and len(cells) == len(block.header) else None
        for word, value in zip(block.header[1:], cells[1:], strict=True) if kind else ():
            statistic = load.statistic(word)
            if statistic is not None:
                _hold(block, (kind or "", statistic), _figure(value, "ms", f"line {line}, {word}", log), log, line)


def _hold(block: _Block, name: tuple[str, str], found: Placed, log: Log, line: int) -> None:
    """Keep a figure; one that is printed twice, in a list and in a table, has to be the same within its digits."""
    held = block.figures.setdefault(name, found)
    if abs(Fraction(held.value) - found.value) > held.figure.half() + found.figure.half():
        documents.two_runs(log.at(line), f"gives {' '.join(name)} again, with another figure")


def _block_run(block: _Block, segment: int, total: int, guesses: list[tuple[str, str]], log: Log) -> Run:
    rows = [("batch_size", block.size.figure.written, block.size.locator)] if block.size is not None else []
    rows += [("guessed_batch_size", guesses[0][0], guesses[0][1])] if guesses else []
    several = [Reason.of("om_several_summaries", n=total)] if total > 1 else []
    return Run(
        producer="ais_bench_om",
        version="",
        definitions="ais_bench_om",
        file=log.record,
        segment=segment,
        context=load.stated(rows),
        values=_values(block.figures),
        identities=tuple(_rate(block.figures, block.size)),
        warnings=(
            *_doubts(block.figures, {}, known=False, batch=block.size is not None and not guesses),
            *several,
        ),
    )


# ------------------------------------------------------------------------------------------------ both
def _values(figures: Mapping[tuple[str, str], Placed]) -> tuple[LoggedValue, ...]:
    return tuple(
        one.logged("throughput", "samples_per_s", "mean")
        if kind == "throughput"
        else one.logged("latency", kind, statistic)
        for (kind, statistic), one in figures.items()
    )


def _rate(figures: Mapping[tuple[str, str], Placed], size: Placed | None) -> Iterator[Identity]:
    """I12: 1000 x batch / mean against the throughput, where a batch size is stated."""
    rate = derived(lambda batch, ns: batch.scaled(10**9).over(ns), "1/s", size, figures.get(("npu_compute", "mean")))
    yield from check("I12", "batch_over_mean", figures.get(("throughput", "mean")), rate)


def _doubts(
    figures: Mapping[tuple[str, str], Placed], options: Mapping[str, Stated], *, known: bool, batch: bool
) -> Iterator[Reason]:
    """What such a result does not say, or says of something else."""
    yield Reason.of("om_excludes_copies")
    if not batch:
        yield Reason.of("om_batch_guessed")
    if not known:
        yield Reason.of("om_input_unknown")
    elif "input" not in options:
        yield Reason.of("om_input_zeros")
    if "profiler" in options and options["profiler"].written.lower() in ("1", "true"):
        yield Reason.of("log_profiled_run")
    number = figures.get(("npu_compute", "count"))
    if number is not None and number.value == 1:
        yield Reason.of("om_one_inference")
