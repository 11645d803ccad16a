"""Records of a training log as runs: which lines count, what each figure is, what must agree.

Shared by the producers whose iteration lines look alike. Source: docs/logs.md, "Training".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from reportgen.errors import CaptureError
from reportgen.model import LoggedSeries, LoggedValue, Reason, Run, Stated
from reportgen.run_logs import building, documents, numbers
from reportgen.run_logs.numbers import Figure
from reportgen.run_logs.text import Log, redacted, withheld
from reportgen.run_logs.training_identities import identities
from reportgen.run_logs.training_records import Gathered, Memory, Record, gather, segments

KEYS: dict[str, tuple[str, str, str]] = {
    "elapsed time per iteration (ms)": ("step_time", "", "ms"),
    "elapsed time per iteration (s)": ("step_time", "", "s"),
    "throughput per GPU (TFLOP/s/GPU)": ("throughput", "flops_per_s_per_rank", "TFLOP/s"),
    "TFLOPs": ("throughput", "flops_per_s_per_rank", "TFLOP/s"),
    "samples per second": ("throughput", "samples_per_s", "samples/s"),
    "throughput(samples/s)": ("throughput", "samples_per_s", "samples/s"),
    "tokens/s": ("throughput", "tokens_per_s_global", "tokens/s"),
    "mfu": ("mfu", "", "%"),
    "core attn ratio (%)": ("core_attn_ratio", "", "%"),
    "grad norm": ("grad_norm", "", ""),
    "max_memory_allocated(GB)": ("memory", "max_allocated", "GB"),
    "max_memory_reserved(GB)": ("memory", "max_reserved", "GB"),
}
"""Key -> (metric, kind, unit). A key that ends in ``loss`` is a loss; any other with figures is ``logged``."""
NOT_FINITE = re.compile(r"(?i)[+-]?(?:nan|inf|infinity)")
"""What stands in the place of a figure where a step gave none."""
STEP_TIME = ("elapsed time per iteration (ms)", "elapsed time per iteration (s)")
_MEMORY = {"allocated": "allocated", "max allocated": "max_allocated", "reserved": "reserved"}
_MEMORY["max reserved"] = "max_reserved"
_SIZE = "global batch size"
_CONTROL = ("number of skipped iterations", "number of nan iterations")
WITNESSES = (
    _SIZE, *_CONTROL, "consumed samples", "consumed tokens", "tokens/s", "mfu", "throughput per GPU (TFLOP/s/GPU)",
    "TFLOPs", "samples per second", "throughput(samples/s)",
)  # fmt: skip
"""Keys that a producer prints in every line or in none: a line without one that the others have is not whole."""
_NO_SERIES = (*_CONTROL, _SIZE, "consumed samples", "consumed tokens", "skipped samples", "actual seqlen")


@dataclass(frozen=True, slots=True, kw_only=True)
class Flavour:
    """What one producer's lines mean."""

    producer: str
    """``Run.producer``."""
    definitions: str
    """``Run.definitions``."""
    closed: bool
    """Whether a record ends with a bar."""
    warnings: tuple[str, ...] = ()
    """Reason codes that hold for each of its logs."""
    always: tuple[tuple[str, ...], ...] = ((_SIZE, "consumed samples"),)
    """Groups of keys of which its lines have one at least."""
    together: tuple[str, ...] = ()
    """Keys that its lines have all or none of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The lines of one run that count."""

    records: tuple[Record, ...]
    """In order."""
    weights: tuple[int, ...]
    """Iterations that each line is the mean of."""
    dropped: tuple[Record, ...]
    """Left out: another batch size, or iterations skipped."""
    interval: int
    """Iterations between two lines; 0: cannot be told."""
    left_out: tuple[Reason, ...]
    """Why lines were left out."""
    warnings: tuple[Reason, ...]
    """Doubts that follow from it."""


def read(log: Log, flavour: Flavour) -> tuple[Run, ...]:
    """The runs of a training log.

    Raises:
        CaptureError: see ``gather``, ``segments``; ``log_no_records``.
    """
    found = gather(log, closed=flavour.closed)
    runs, twice = segments(log, found.records)
    if not runs:
        raise CaptureError(
            "log_no_records",
            "holds no whole iteration line",
            where=log.at(found.cut[0] if found.cut else 0),
            hint="give the log of the rank that prints the iterations, mostly the last one",
        )
    common = _common(log, found, twice, len(runs))
    return tuple(_run(log, flavour, found, records, index, runs, common) for index, records in enumerate(runs))


def _common(log: Log, found: Gathered, twice: int, runs: int) -> tuple[Reason, ...]:
    """What was left out of the whole file."""
    notes = []
    if twice:
        notes.append(Reason.of("log_lines_twice", n=twice))
    if found.cut:
        notes.append(Reason.of("log_records_cut", n=len(found.cut), line=found.cut[0]))
    if log.cut_lines:
        notes.append(Reason.of("log_lines_too_long", n=log.cut_lines))
    if runs > 1:
        notes.append(Reason.of("log_other_runs", n=runs - 1))
    return tuple(notes)


def _run(
    log: Log,
    flavour: Flavour,
    found: Gathered,
    records: list[Record],
    index: int,
    runs: list[list[Record]],
    common: tuple[Reason, ...],
) -> Run:
    chosen = choose(records, found.arguments)
    after = runs[index + 1][0].line if index + 1 < len(runs) else None
    begin = runs[index - 1][-1].line if index else 0
    memory = [one for one in found.memory if begin < one.line and (after is None or one.line < after)]
    series, unreadable = _series(chosen)
    lost = [line for line in found.timeless if begin < line and (after is None or line < after)]
    values, memory_note = _memory(memory)
    warnings = [Reason.of(code) for code in flavour.warnings]
    if found.not_real:
        warnings.insert(0, Reason.of("log_not_a_real_workload", line=found.not_real))
    elif (line := _fixed(found.arguments)) is not None:
        warnings.insert(0, Reason.of("log_not_a_real_workload", line=line))
    return Run(
        producer=flavour.producer,
        version="",
        definitions=flavour.definitions,
        file=log.record,
        segment=index,
        context=_context(records, found, chosen.interval),
        series=series,
        values=(*values, *_each_step(chosen, "tokens"), *_each_step(chosen, "samples")),
        identities=identities(chosen.records, records),
        left_out=(*common, *chosen.left_out, *_not_whole(flavour, records, lost), *unreadable),
        warnings=(*warnings, *chosen.warnings, *memory_note),
    )


def _not_whole(flavour: Flavour, records: Sequence[Record], lost: Sequence[int]) -> tuple[Reason, ...]:
    """What the lines of a run lack that their producer always prints, and how many of them give no time.

    A single line without a time may be where a run was broken off.
    """
    held = {key for record in records for key in record.fields}
    lacking = ["/".join(keys) for keys in flavour.always if not held & set(keys)]
    lacking += [key for key in flavour.together if held & set(flavour.together) and key not in held]
    notes = [Reason.of("log_figures_missing", keys=building.joined(lacking))] if lacking else []
    if len(lost) > 1:
        notes.append(documents.broken("elapsed time per iteration", lost))
    return tuple(notes)


FIXED = ("fix_router", "fix_sub_seq_length")
"""Arguments that replace the work of a real run by a fixed one."""


def _fixed(arguments: dict[str, tuple[str, int]]) -> int | None:
    """Line of an argument that says that this is no real workload; None without one."""
    given = (arguments[key] for key in FIXED if key in arguments)
    return next((line for value, line in given if value not in ("", "0", "False", "None")), None)


# --------------------------------------------------------------------------------------------- which lines count
def choose(records: list[Record], arguments: dict[str, tuple[str, int]]) -> Chosen:
    """The lines of a run that count: those of its last batch size in which no iteration was skipped."""
    interval = _interval(records, arguments)
    needed = [key for key in WITNESSES if any(key in record.fields for record in records)]
    size = next((record.fields[_SIZE] for record in reversed(records) if _SIZE in record.fields), None)
    kept, weights, ramp, skipped, partial, unknown = [], [], [], [], [], 0
    before = 0
    missing = 0
    for record in records:
        gap = record.iteration - before
        missing += bool(interval and before and gap > interval)
        before = record.iteration
        if any(key not in record.fields for key in needed):
            partial.append(record)
        elif record.fields.get(_SIZE) != size:
            ramp.append(record)
        elif any(numbers.whole(record.fields.get(key, "0")) != 0 for key in _CONTROL):
            skipped.append(record)
        elif not interval and record.iteration != 1:
            unknown += 1
        else:
            kept.append(record)
            weights.append(max(1, min(gap, interval or 1)))
    left_out, warnings = _notes(ramp, skipped, unknown, missing, interval, len(kept))
    if partial:
        left_out = (*left_out, Reason.of("log_partial_lines", n=len(partial), line=partial[0].line))
    dropped = tuple(sorted((*ramp, *skipped, *partial), key=lambda record: record.iteration))
    return Chosen(
        records=tuple(kept),
        weights=tuple(weights),
        dropped=dropped,
        interval=interval,
        left_out=left_out,
        warnings=warnings,
    )


def _notes(
    ramp: list[Record], skipped: list[Record], unknown: int, missing: int, interval: int, kept: int
) -> tuple[tuple[Reason, ...], tuple[Reason, ...]]:
    left_out, warnings = [], []
    if ramp:
        sizes = building.joined(redacted(record.fields.get(_SIZE, "?")) for record in ramp)
        left_out.append(
            Reason.of("log_ramp_up", n=len(ramp), sizes=sizes, first=ramp[0].iteration, last=ramp[-1].iteration)
        )
    if skipped:
        numbers_text = building.joined(str(record.iteration) for record in skipped)
        left_out.append(Reason.of("log_skipped", n=len(skipped), iterations=numbers_text))
        warnings.append(Reason.of("log_skipped_iterations", n=len(skipped)))
    if unknown:
        left_out.append(Reason.of("log_interval_unknown", n=unknown))
    if missing:
        warnings.append(Reason.of("log_lines_missing", n=missing))
    if interval > 1 and kept:
        warnings.append(Reason.of("log_interval_mean", interval=interval, n=kept))
    return tuple(left_out), tuple(warnings)


def _interval(records: list[Record], arguments: dict[str, tuple[str, int]]) -> int:
    """Iterations between two lines: the commonest difference, else what the arguments say; 0: cannot be told."""
    gaps = Counter(after.iteration - before.iteration for before, after in pairwise(records))
    if gaps:
        most = max(gaps.values())
        return min(gap for gap, count in gaps.items() if count == most)
    return numbers.whole(arguments.get("log_interval", ("0", 0))[0]) or 0


# --------------------------------------------------------------------------------------------- figures
def _series(chosen: Chosen) -> tuple[tuple[LoggedSeries, ...], tuple[Reason, ...]]:
    """Every key with figures as a series, and what could not be read."""
    found: dict[str, list[tuple[Record, int, Figure]]] = {}
    endless: dict[str, list[str]] = {}
    broken: dict[str, list[int]] = {}
    unreadable, means = 0, 0
    for record, weight in zip(chosen.records, chosen.weights, strict=True):
        for key, written in record.fields.items():
            if key in _NO_SERIES or withheld(key):
                continue
            now, slash, _mean = written.partition("/")
            value = numbers.figure(now.strip(), KEYS[key][2] if key in KEYS else "")
            if key in KEYS and KEYS[key][0] in documents.JUDGED and (value is None or value.value <= 0):
                broken.setdefault(key, []).append(record.line)
                continue
            if value is None and NOT_FINITE.fullmatch(now.strip()):
                endless.setdefault(key, []).append(str(record.iteration))
                continue
            if value is None:
                unreadable += 1
                continue
            means += bool(slash)
            found.setdefault(key, []).append((record, weight, value))
    dropped = tuple(str(record.iteration) for record in chosen.dropped)
    series = tuple(_one(key, rows, (*dropped, *endless.get(key, ()))) for key, rows in _ordered(found))
    notes = [Reason.of("log_running_mean", n=means)] if means else []
    notes += [documents.broken(key, lines) for key, lines in broken.items()]
    notes += [
        Reason.of("log_not_finite", key=redacted(key), n=len(steps), iterations=building.joined(steps))
        for key, steps in endless.items()
    ]
    if unreadable:
        notes.append(Reason.of("log_values_unreadable", n=unreadable))
    return series, tuple(notes)


def _each_step(chosen: Chosen, what: str) -> tuple[LoggedValue, ...]:
    """Tokens or samples of a step: those consumed between the first and the last line that count, over the iterations.

    Of a single line those since the start, where they are a whole number for each iteration.
    """
    key = f"consumed {what}"
    known = [
        (record, count) for record in chosen.records if (count := numbers.whole(record.fields.get(key, ""))) is not None
    ]
    if not known or known[-1][1] <= known[0][1] * (len(known) > 1):
        return ()
    first, last = known[0][0], known[-1][0]
    if len(known) > 1:
        steps, counted, place = last.iteration - first.iteration, known[-1][1] - known[0][1], f"lines {first.line} and "
    else:
        steps, counted, place = last.iteration, known[0][1], ""
        if steps < 1 or counted % steps:
            return ()
    place = f"{place}{last.line}, {key}" if place else f"line {last.line}, {key}"
    mean = Figure(Fraction(counted, steps), "1", Fraction(1, steps), "")
    return (building.logged_value(f"{what}_per_step", "", "mean", mean, place),)


def _ordered(found: dict[str, list[tuple[Record, int, Figure]]]) -> list[tuple[str, list[tuple[Record, int, Figure]]]]:
    """Known keys first, in the order of ``KEYS``."""
    order = {key: index for index, key in enumerate(KEYS)}
    return sorted(found.items(), key=lambda item: order.get(item[0], len(order)))


def _one(key: str, rows: Sequence[tuple[Record, int, Figure]], dropped: tuple[str, ...]) -> LoggedSeries:
    if key in KEYS:
        metric, kind = KEYS[key][:2]
    else:
        metric, kind = ("loss" if key.endswith("loss") else "logged"), redacted(key)
    lines = building.lines_text([record.line for record, _, _ in rows])
    return building.logged_series(
        metric,
        kind,
        [(str(record.iteration), value) for record, _, value in rows],
        weights=[weight for _, weight, _ in rows],
        dropped=dropped,
        locator=f"{lines}, {redacted(key)}",
    )


def _memory(lines: list[Memory]) -> tuple[tuple[LoggedValue, ...], tuple[Reason, ...]]:
    """The largest of each figure over the ranks that printed their memory, and how far it reaches."""
    best: dict[str, tuple[Figure, Memory]] = {}
    for one in lines:
        for key, written in one.fields.items():
            found = numbers.figure(written, "MB") if key in _MEMORY else None
            if found is not None and (key not in best or found.value > best[key][0].value):
                best[key] = (found, one)
    if not best:
        return (), ()
    values = tuple(
        building.logged_value("memory", _MEMORY[key], "max", found, f"line {one.line}, rank {one.rank}, {key}")
        for key, (found, one) in best.items()
    )
    ranks = len({one.rank for one in lines})
    return values, (Reason.of("log_memory_early", after=max(one.after for one in lines), ranks=ranks),)


# --------------------------------------------------------------------------------------------- what it states
def _context(records: list[Record], found: Gathered, interval: int) -> tuple[Stated, ...]:
    lines = building.lines_text([record.line for record in records])
    stamps = [record.stamp.written for record in records if record.stamp is not None]

    def field(key: str) -> str:
        return building.joined(record.fields[key] for record in records if key in record.fields)

    rows = [
        ("global_batch_size", field(_SIZE), lines),
        ("actual_seqlen", field("actual seqlen"), lines),
        ("iterations", f"{records[0].iteration}-{records[-1].iteration}", lines),
        ("iterations_planned", building.joined(record.total for record in records if record.total), lines),
        ("log_interval", str(interval) if interval else "", lines),
        ("first_time", stamps[0] if stamps else "", lines),
        ("last_time", stamps[-1] if stamps else "", lines),
    ]
    rows += [(f"argument.{key}", value, f"line {line}") for key, (value, line) in found.arguments.items() if value]
    listed = (building.stated(*row) for row in rows if row[1])
    return tuple(one for one in listed if one is not None)
