"""What the results of load generators have in common: words of statistics, doubts, the law of Little.

A load generator sends requests and computes the figures itself: its values are taken as it wrote them, never
recomputed into others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any

from reportgen.digests import HashingFile, why_unreadable
from reportgen.errors import CaptureError
from reportgen.model import Identity, LoggedValue, Reason, Stated
from reportgen.run_logs import building, numbers
from reportgen.run_logs.placed import Placed, check, count, derived
from reportgen.run_logs.text import HEAD, redacted, withheld
from reportgen.vocabulary import LATENCY_KINDS

_WORDS = {
    "average": "mean",
    "mean": "mean",
    "avg": "mean",
    "min": "min",
    "max": "max",
    "median": "median",
}
_PERCENTILE = re.compile(r"(?:p0*|percentile\()?(\d{1,2}(?:\.\d{1,3})?)%?\)?", re.IGNORECASE)
MOST_ENTRIES = 5000
"""Entries of a result folder that are looked at; those seen have under 50."""
DEEPEST_FOLDER = 5
"""Folders below the one given; a result folder has three."""


def statistic(word: str) -> str | None:
    """``mean``, ``median``, ``min``, ``max`` or ``p99`` of the word a producer uses; None for any other."""
    known = _WORDS.get(word.strip().lower())
    if known is not None:
        return known
    match = _PERCENTILE.fullmatch(word.strip())
    return f"p{match[1]}" if match is not None and match[1].strip("0.") else None


def placed(value: Any, unit: str, locator: str, where: str) -> Placed:
    """The figure of a cell: a number alone, or a text with its unit.

    Args:
        value: ``Digits`` of a JSON number, or a text.
        unit: exact unit it has to have; a number without a unit is only taken for ``1``.

    Raises:
        CaptureError: ``log_value``: no number, another unit, or negative.
    """
    found = None
    if isinstance(value, str):
        bare = numbers.decimal(value.strip()) is not None
        found = numbers.figure(value.strip(), "count") if bare else numbers.with_unit(value)
    if found is None or found.unit != unit or found.value < 0:
        wanted = {"ns": "a time with its unit", "1/s": "a rate with its unit"}.get(unit, "a number without unit")
        raise CaptureError(
            "log_value",
            f"{redacted(str(value))[:60]!r} is not {wanted}",
            where=f"{where}: {locator}",
            hint="give the file as its tool wrote it",
        )
    return Placed(found, locator)


def text_of(value: Any) -> str | None:
    """A scalar of a configuration as text; None for lists, dictionaries and what is no literal."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    return None


def stated(rows: Iterable[tuple[str, Any, str]]) -> tuple[Stated, ...]:
    """(key, value, locator) as statements, without those that are withheld, empty or no scalar; each key once."""
    found: dict[str, Stated] = {}
    for key, value, locator in rows:
        text = text_of(value)
        if text is None or not text.strip() or withheld(key) or key in found:
            continue
        found[key] = Stated(key=key, written=redacted(text), locator=locator)
    return tuple(found.values())


def doubts(values: Iterable[LoggedValue]) -> tuple[Reason, ...]:
    """Failed requests, and means that a few values decide."""
    held = {(one.metric, one.kind, one.statistic): one.value for one in values}
    found = []
    failed = held.get(("failed", "", "count"))
    if failed is not None and failed.value > 0:
        found.append(Reason.of("log_requests_failed", n=failed.value))
    for (metric, kind, word), mean in held.items():
        high = held.get((metric, kind, "p99"))
        if kind in LATENCY_KINDS and word == "mean" and high is not None and mean.value > high.value:
            found.append(Reason.of("log_mean_above_p99", what=kind, mean=mean.written, p99=high.written))
    return tuple(found)


def little(rate: Placed | None, latency: Placed | None, limit: int | None, locator: str) -> tuple[Identity, ...]:
    """Requests under way on average, by their rate and their mean latency, against the most that were allowed."""
    if limit is None:
        return ()
    found = derived(lambda per_s, ns: per_s.times(ns).scaled(Fraction(1, 10**9)), "1", rate, latency)
    return check("I13", "mean_concurrency_within_limit", found, count(limit, locator), rule="at_most")


def unread(keys: Iterable[str]) -> tuple[Reason, ...]:
    """The keys, rows or columns that no reader knows, as one reason; none without any."""
    names = [redacted(key) for key in dict.fromkeys(keys)]
    return (Reason.of("log_keys_unread", keys=building.joined(names)),) if names else ()


def lacking(held: Iterable[str], always: Iterable[str]) -> tuple[Reason, ...]:
    """The figures that a producer always writes beside the others and that are not there, as one reason; none without.

    Args:
        held: keys that are there; without any nothing is said, since the whole file is another one.
        always: keys that every version writes.
    """
    found = set(held)
    names = [name for name in always if name not in found] if found else []
    return (Reason.of("log_figures_missing", keys=building.joined(names)),) if names else ()


def value_of(values: Mapping[str, Placed], *names: str) -> Placed | None:
    """The first of some figures that is there."""
    return next((values[name] for name in names if name in values), None)


def head(path: Path, root: Path) -> bytes:
    """The first 64 KiB of a file inside a folder, by which its kind is told.

    Raises:
        CaptureError: ``file_outside``, ``file_unreadable``.
    """
    with closing(HashingFile(path, root)) as file:
        return (file.read(HEAD) or b"").removeprefix(b"\xef\xbb\xbf")


def files_below(root: Path, *, skip: frozenset[str] = frozenset()) -> tuple[Path, ...]:
    """The regular files of a folder and the folders in it, by name; links to folders are not followed.

    Raises:
        CaptureError: ``log_unreadable``: too many entries to be a result folder; ``file_unreadable``.
    """
    found: list[Path] = []
    todo = [(root, 0)]
    seen = 0
    while todo:
        folder, depth = todo.pop()
        try:
            entries = []
            for entry in folder.iterdir():
                seen += 1
                if seen > MOST_ENTRIES:
                    raise CaptureError(
                        "log_unreadable",
                        f"holds more than {MOST_ENTRIES} files, which no result folder does",
                        where=redacted(root.name),
                        hint="give the result folder of one run",
                    )
                entries.append(entry)
            for entry in sorted(entries):
                if entry.is_dir() and not entry.is_symlink():
                    if depth < DEEPEST_FOLDER and entry.name not in skip:
                        todo.append((entry, depth + 1))
                elif entry.is_file():
                    found.append(entry)
        except OSError as fault:  # of a folder that may be listed and not entered too
            raise CaptureError(
                "file_unreadable",
                f"cannot be read: {why_unreadable(fault)}",
                where=redacted(folder.name),
                hint="copy the whole result folder to where it may be read, then give that one",
            ) from fault
    return tuple(sorted(found))
