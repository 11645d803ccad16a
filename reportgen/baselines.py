"""Own thresholds: limits that no official source gives and that the parties agreed on for themselves.

They are read beside the official rules, always labelled "own baseline", never "official", and never make the verdict:
that rests on the target's goals. How a limit stands to the official rules on the same metric is worked out here.
``docs/baselines.md`` explains the file.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from reportgen import strict, units, vocabulary
from reportgen.digests import next_step, read_whole, why_unreadable
from reportgen.errors import CaptureError, ContractError
from reportgen.model import Band, Baseline, FileRecord, Threshold
from reportgen.plain import printable
from reportgen.strict import Fault

if TYPE_CHECKING:
    from pathlib import Path

LARGEST = 1 << 20
"""Bytes of the largest file of own thresholds that is read."""
_ID = re.compile(r"\w[\w.\-]{0,63}")
"""As ids of a target."""
_HINT = "docs/baselines.md explains every key"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreedTable:
    """Who agreed, and when."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    on: str
    """Date, YYYY-MM-DD."""
    by: str
    """Who agreed."""
    document: str = ""
    """Where it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTable:
    """One own threshold."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    id: str
    """Unique; not that of an official rule."""
    title: str
    """What it is on, in the parties' words."""
    metric: str
    """Metric id, as ``reportgen inspect --json`` names it."""
    direction: Literal["at_most", "at_least"]
    """Which side of the limit is inside; the limit itself is."""
    limit: str
    """Number with its unit, exact: ``5%``, ``40 ms``."""
    scope: str
    """What it holds for, in words."""
    phases: tuple[vocabulary.Phase, ...] = ()
    """Phases it holds for; left out: training and offline inference."""
    replaces: str = ""
    """Id of the official rule that it is put in place of; that rule is still shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFile:
    """A file of own thresholds."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    schema: Literal[1]
    """Version of this format."""
    agreed: AgreedTable
    """Who agreed, and when."""
    threshold: tuple[OwnTable, ...]
    """At least one."""


def read_baselines(path: Path, official: Sequence[Threshold]) -> tuple[tuple[Threshold, ...], FileRecord]:
    """Own thresholds as rules to be read beside the official ones.

    Args:
        path: the file.
        official: the machine rules of the catalogue.

    Returns:
        (rules in the order of the file, the file). Each has two bands, ``inside_baseline`` and ``outside_baseline``.

    Raises:
        ContractError: ``thresholds_unreadable``; ``thresholds_syntax`` with line and column; ``thresholds_invalid``
            with every fault, each behind its key path.
    """
    where, hint = printable(str(path)), next_step(path, _HINT)
    try:
        data, digest = read_whole(path, path.resolve().parent, limit=LARGEST)
    except CaptureError as fault:
        message = f"the file of own thresholds {fault.message}"
        raise ContractError("thresholds_unreadable", message, where=where, hint=hint) from fault
    except (OSError, RuntimeError) as fault:
        raise ContractError(
            "thresholds_unreadable", f"cannot be read: {why_unreadable(fault)}", where=where, hint=hint
        ) from fault
    try:
        raw = strict.parse(data)
    except strict.TomlError as fault:
        place = f"{where}:{fault.line}:{fault.column}"
        raise ContractError("thresholds_syntax", fault.message, where=place, hint=fault.hint) from fault
    value, faults = strict.read_shape(OwnFile, raw, {})
    if value is not None:
        faults += _faults(value, {rule.id: rule for rule in official})
    if faults or value is None:
        lines = strict.lines(faults)
        counted = "1 fault" if len(lines) == 1 else f"{len(lines)} faults"
        raise ContractError(
            "thresholds_invalid", f"{counted} in the own thresholds", where=where, hint=_HINT, faults=lines
        )
    record = FileRecord(path=printable(path.name), size=len(data), digest=digest)
    return tuple(_rule(table, value.agreed, record, official) for table in value.threshold), record


def _faults(file: OwnFile, official: dict[str, Threshold]) -> Iterator[Fault]:
    yield from strict.date_faults("agreed.on", file.agreed.on)
    if not file.threshold:
        yield Fault("threshold", "needs at least one table")
    seen: set[str] = set()
    folded = {_folded(name): name for name in official}
    for number, table in enumerate(file.threshold):
        path = f"threshold[{number}]"
        if table.id in official or table.id in seen:
            yield Fault(f"{path}.id", f"{table.id!r} names {'an official rule' if table.id in official else 'two'}")
        elif not _ID.fullmatch(table.id):
            yield Fault(f"{path}.id", f"letters, digits, '-', '_' and '.', at most 64 of them; found {table.id!r}")
        elif _folded(table.id) in folded:
            yield Fault(f"{path}.id", f"{table.id!r} reads like the official rule {folded[_folded(table.id)]}")
        seen.add(table.id)
        if table.replaces and table.replaces not in official:
            yield Fault(
                f"{path}.replaces", f"no official rule {table.replaces!r}; {strict.near(table.replaces, official)}"
            )
        elif table.replaces and official[table.replaces].metric != table.metric:
            yield Fault(f"{path}.replaces", f"{table.replaces} is on {official[table.replaces].metric or 'no metric'}")
        if table.metric in vocabulary.DESCRIBES_LOAD and {*vocabulary.LOAD_PHASES} & {*table.phases}:
            yield Fault(f"{path}.phases", f"{table.metric} describes the load there and is never judged")
        yield from _limit(path, table)


def _limit(path: str, table: OwnTable) -> Iterator[Fault]:
    known = {name: unit for name, unit in vocabulary.UNITS.items() if name not in vocabulary.OUTSIDE_ONLY}
    if table.metric not in known:
        yield Fault(f"{path}.metric", f"unknown metric {table.metric!r}; {strict.near(table.metric, known)}")
        return
    try:
        value, unit = units.parse(table.limit)
    except ValueError as fault:
        yield Fault(f"{path}.limit", str(fault))
        return
    if unit != known[table.metric]:
        yield Fault(f"{path}.limit", f"has another unit than {table.metric}; found {table.limit!r}")
        return
    goal = vocabulary.GOAL_METRICS.get(table.metric)
    share = goal.share if goal is not None else table.metric.endswith("_share")
    if value < 0:
        yield Fault(f"{path}.limit", f"{table.metric} is never negative; found {table.limit!r}")
    elif share and value > 1:
        yield Fault(f"{path}.limit", f"{table.metric} lies between 0 and 100%; found {table.limit!r}")
    elif "%" in table.limit and goal is not None and not goal.share:
        yield Fault(f"{path}.limit", f"{table.metric} is a number, not a share; found {table.limit!r}")


def _folded(name: str) -> str:
    """An id as a reader sees it: without the difference of case, width, and of hyphens, underscores and dots."""
    return re.sub(r"[\W_]+", "-", unicodedata.normalize("NFKC", name).casefold()).strip("-")


def _rule(table: OwnTable, agreed: AgreedTable, file: FileRecord, official: Iterable[Threshold]) -> Threshold:
    limit = Fraction(units.parse(table.limit)[0])
    upper = table.direction == "at_most"
    inside = Band(
        id="inside_baseline",
        low=None if upper else limit,
        low_included=not upper,
        high=limit if upper else None,
        high_included=upper,
    )
    outside = Band(
        id="outside_baseline",
        low=limit if upper else None,
        low_included=False,
        high=None if upper else limit,
        high_included=False,
    )
    words = (("zh", table.title), ("en", table.title))
    return Threshold(
        id=table.id,
        metric=table.metric,
        title=words,
        reading="bands",
        worst="largest" if upper else "smallest",
        phases=table.phases or ("training", "offline inference"),
        excluded_phases=tuple(phase for phase in vocabulary.LOAD_PHASES if phase not in table.phases),
        needs=("steps",) if table.metric.endswith("_share") else (),
        bands=(inside, outside) if upper else (outside, inside),
        authority="own baseline",
        use="reference",
        scope=(("zh", table.scope), ("en", table.scope)),
        sources=(),
        file=file.path,
        baseline=Baseline(
            agreed_on=agreed.on,
            agreed_by=agreed.by,
            document=agreed.document,
            replaces=table.replaces,
            changes=tuple(
                (rule.id, change)
                for rule in official
                if rule.metric == table.metric
                and rule.reading == "bands"
                and (not table.replaces or rule.id == table.replaces)
                and (change := _change(rule, limit, upper=upper)) != "same"
            ),
        ),
    )


def _change(rule: Threshold, limit: Fraction, *, upper: bool) -> Literal["same", "tightened", "loosened", "other"]:
    """How a limit stands to an official rule's first limit in the same direction, the end itself included or not."""
    end = rule.bands[0].high if upper else rule.bands[-1].low
    if end is None or (rule.worst == "largest") != upper:
        return "other"
    if limit == end:
        included = rule.bands[0].high_included if upper else rule.bands[-1].low_included
        return "same" if included else "loosened"
    return "loosened" if (limit > end) == upper else "tightened"
