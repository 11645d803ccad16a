"""The iteration lines of a training log as records, whatever stands between and before them.

One pass: iteration lines, the line of device memory, the dump of arguments, sentences that change what a line means.
Source: docs/logs.md, "Training".
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from reportgen.errors import CaptureError
from reportgen.run_logs.text import LONGEST_TEXT, MOST_RECORDS, Line, Log, bare, followed, pairs

ELAPSED = re.compile(r"elapsed time per iteration ?(?:\((ms|s)\))?")
_ANCHOR = re.compile(
    r"(?:\biteration(?::[ \t]{0,20}(?P<alone>[0-9]{1,12})"
    r"|[ \t]{1,40}(?P<number>[0-9]{1,12})[ \t]{0,20}/[ \t]{0,20}(?P<total>[0-9]{1,12}))[ \t]{0,20}\|)"
    r"|\[Rank (?P<rank>[0-9]{1,7})\] \(after (?P<after>[0-9]{1,12}) iterations\) memory \(MB\) \|"
)
_STAMP = re.compile(r"\[([0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2})(\.[0-9]{1,9})?\]")
_KEY = re.compile(r"[A-Za-z][\w ./()%+-]{0,60}")
_ARGUMENT = re.compile(r"\s{0,8}([A-Za-z]\w{0,80}) \.{3,120} ?(.{0,2000})")
_TIMER = re.compile(r"\s{0,16}(?:save-checkpoint(?:-non-persistent)?|evaluate|eval-time)(?: \.{1,120})?:")
"""The line of a timer that stands there only where a checkpoint was written or an evaluation was run."""
_ALIASES = {"gloabl batch size": "global batch size"}
NOT_REAL = "fix-router or fix-sub-seq-length is set"
ARGUMENTS_BEGIN = "--- arguments ---"
MOST_ARGUMENTS = 2000
"""Arguments of the largest dump that is read."""
MOST_PAIRS = 64
"""Pairs of the longest record that is read."""
LONGEST_FIGURE = 80
"""Characters of the longest value of a record."""
MOST_FIELDS = 20 * MOST_RECORDS
"""Pairs of all records together."""


class Stamp(NamedTuple):
    """A clock's local time; its zone is not known, so only differences mean anything."""

    ns: int
    """Nanoseconds since 1970 as if it were UTC."""
    written: str
    """As written."""


@dataclass(slots=True)
class Record:
    """One iteration line."""

    iteration: int
    """Its number."""
    line: int
    """Line of the file it begins in."""
    stamp: Stamp | None
    """Time printed before it."""
    fields: dict[str, str]
    """Key as written -> value as written."""
    total: str
    """Iterations of the whole run as printed behind it; empty where they are not."""
    after_pause: bool
    """Whether a checkpoint or an evaluation stands between it and the record before."""

    def same(self, other: Record) -> bool:
        """Whether both are one line, printed twice."""
        return self.iteration == other.iteration and self.stamp == other.stamp and self.fields == other.fields


class Memory(NamedTuple):
    """One rank's line of device memory."""

    rank: int
    """Rank."""
    after: int
    """Iterations it was printed after."""
    line: int
    """Line."""
    fields: dict[str, str]
    """Key as written -> value in MiB, as written."""


@dataclass(slots=True)
class Gathered:
    """What one pass over a log found."""

    records: list[Record] = field(default_factory=list)
    """Iteration lines in the order of the file."""
    memory: list[Memory] = field(default_factory=list)
    """Lines of device memory."""
    arguments: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Argument -> (value as written, line)."""
    not_real: int = 0
    """Line of the sentence that the workload is for tests only; 0: not there."""
    cut: list[int] = field(default_factory=list)
    """Lines of records that are cut or whose figures run into another text."""
    timeless: list[int] = field(default_factory=list)
    """Lines of records that end and give no time."""


class _Open(NamedTuple):
    """A record whose end is not known yet."""

    match: re.Match[str]
    stamp: Stamp | None
    text: str
    line: int
    glued: bool
    ended: bool


def gather(log: Log, *, closed: bool) -> Gathered:
    """Everything a training log says, in one pass.

    Args:
        closed: whether the producer ends each record with a bar; where it does, an open last value is cut.

    Raises:
        CaptureError: ``log_too_large``, ``log_unit_missing``.
    """
    found, pause, fields, dumping = Gathered(), False, 0, False
    for one in _records(log):
        if isinstance(one, Line):
            text = one.text
            if "arguments ---" in text:
                dumping = ARGUMENTS_BEGIN in text
            elif dumping:
                _argument(found, one)
            elif NOT_REAL in text:
                found.not_real = found.not_real or one.number
            elif not pause and _pauses(text):
                pause = True
            continue
        dumping = False
        values, whole = _fields(log, one, closed=closed)
        fields += len(values)
        if fields > MOST_FIELDS or len(found.records) >= MOST_RECORDS:
            raise _too_large(log, one.line)
        if not whole:
            found.cut.append(one.line)
        if one.match["rank"] is not None:
            found.memory.append(Memory(int(one.match["rank"]), int(one.match["after"]), one.line, values))
            continue
        if any(ELAPSED.fullmatch(key) for key in values):
            number = int(one.match["alone"] or one.match["number"])
            found.records.append(Record(number, one.line, one.stamp, values, one.match["total"] or "", pause))
            pause = False
        else:
            found.cut += [one.line] if whole else []
            found.timeless += [one.line] if one.ended else []
    return found


def _pauses(text: str) -> bool:
    """Whether a checkpoint or an evaluation is told of, which stops the clock of the iterations."""
    return (
        "aving checkpoint" in text
        or "saved checkpoint" in text
        or "validation loss at" in text
        or "valuating " in text
        or (("save-checkpoint" in text or "eval" in text) and _TIMER.match(bare(text)) is not None)
    )


def _too_large(log: Log, line: int) -> CaptureError:
    return CaptureError(
        "log_too_large",
        f"holds more than {MOST_RECORDS} records",
        where=log.at(line),
        hint="cut it to the run that is meant",
    )


def _argument(found: Gathered, line: Line) -> None:
    """Keep one line of the dump."""
    match = _ARGUMENT.match(bare(line.text))
    if match is not None and len(found.arguments) < MOST_ARGUMENTS:
        value, known = match[2].strip(), found.arguments.get(match[1])
        if known is None:
            found.arguments[match[1]] = (value, line.number)
        elif value not in known[0].split(" / ") and len(known[0]) < LONGEST_TEXT:
            found.arguments[match[1]] = (f"{known[0]} / {value}", known[1])


def _records(log: Log) -> Iterator[_Open | Line]:
    """Iteration and memory records with their whole text, and every other line, in the order of the file."""
    held: _Open | None = None
    for line in log.lines():
        matches = list(_ANCHOR.finditer(line.text)) if "iteration" in line.text else []
        if not matches:
            if held is not None and _goes_on(held, line):
                yield held._replace(text=f"{held.text} {bare(line.text)}", ended=line.ended)
                held = None
                continue
            if held is not None:
                yield held
                held = None
            yield line
            continue
        if held is not None:
            yield held
            held = None
        if NOT_REAL in line.text:
            yield line
        begin = 0
        for match, after in followed(matches):
            end = after.start() if after else len(line.text)
            stamp = _stamp(line.text, begin, match.start())
            one = _Open(match, stamp, line.text[match.end() : end], line.number, after is not None, line.ended)
            begin = match.end()
            if after is None and match["rank"] is None and not _has_elapsed(one.text):
                held = one
            else:
                yield one
    if held is not None:
        yield held


def _has_elapsed(text: str) -> bool:
    return ELAPSED.search(text) is not None


def _goes_on(held: _Open, line: Line) -> bool:
    """Whether a line is the second half of a record that was wrapped: the time of the iteration stands in it."""
    return line.number == held.line + 1 and _has_elapsed(line.text) and "|" in line.text


def _stamp(text: str, begin: int, end: int) -> Stamp | None:
    """The last time between two places of a line."""
    found = list(_STAMP.finditer(text, max(begin, end - 200), end))
    if not found:
        return None
    try:
        moment = datetime.fromisoformat(found[-1][1]).replace(tzinfo=UTC)
    except ValueError:
        return None
    fraction = int((found[-1][2] or ".0")[1:].ljust(9, "0"))
    seconds = int(moment.timestamp())
    return Stamp(seconds * 10**9 + fraction, found[-1].group()[1:-1])


def _fields(log: Log, one: _Open, *, closed: bool) -> tuple[dict[str, str], bool]:
    """The pairs of a record, and whether all of it is there; a key that stands twice, otherwise, gives nothing.

    Raises:
        CaptureError: ``log_unit_missing``: the time has no unit.
    """
    found: dict[str, str] = {}
    twice: set[str] = set()
    whole = True
    for count, pair in enumerate(pairs(one.text)):
        key = _ALIASES.get(pair.key, pair.key)
        may_be_cut = not pair.closed and (closed or one.glued or not one.ended) and one.match["rank"] is None
        may_be_cut |= not pair.closed and one.match["rank"] is not None and not (one.glued or one.ended)
        if may_be_cut or count >= MOST_PAIRS or key in found or len(pair.value) > LONGEST_FIGURE:
            whole = False
            twice |= {key} if found.get(key, pair.value) != pair.value else set()
        elif _KEY.fullmatch(key):
            match = ELAPSED.fullmatch(key)
            if match is not None and match[1] is None:
                raise CaptureError(
                    "log_unit_missing",
                    "gives the time of an iteration without a unit",
                    where=log.at(one.line),
                    hint="some example scripts print so, and print a running mean; log with the framework's own "
                    "training loop, or write the steps as csv (docs/logs.md)",
                )
            found[sys.intern(key)] = pair.value
        elif not one.glued:
            whole = False
    return {key: value for key, value in found.items() if key not in twice}, whole


# --------------------------------------------------------------------------------------------- one run or several
MOST_SEGMENTS = 100
"""Runs of the largest file that is read."""


def segments(log: Log, records: list[Record]) -> tuple[list[list[Record]], int]:
    """The runs of a file, each with rising iterations, and how many lines were there twice.

    A line that stands twice, to the last digit, is one line. An iteration number that goes back begins another run.

    Raises:
        CaptureError: ``log_mixed``: two lines of one iteration, one after the other, tell different things; or more
            than ``MOST_SEGMENTS`` runs.
    """
    found: list[list[Record]] = []
    seen: dict[int, list[Record]] = {}
    twice = 0
    for record in records:
        known = seen.setdefault(record.iteration, [])
        if any(record.same(other) for other in known):
            twice += 1
            continue
        last = found[-1][-1] if found else None
        if last is not None and last.iteration == record.iteration:
            raise _mixed(log, record, f"tells iteration {record.iteration} in two ways (also in line {last.line})")
        if last is None or record.iteration < last.iteration:
            found.append([])
            if len(found) > MOST_SEGMENTS:
                raise _mixed(log, record, f"begins anew more than {MOST_SEGMENTS} times")
        known.append(record)
        found[-1].append(record)
    return found, twice


def _mixed(log: Log, record: Record, what: str) -> CaptureError:
    return CaptureError(
        "log_mixed",
        f"{what}: the lines of several runs or of several ranks are mixed",
        where=log.at(record.line),
        hint="give the log of one run, of the rank that prints the iterations",
    )
