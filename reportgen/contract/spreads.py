"""The target's ``[[between_captures]]`` and ``[[equivalence]]``: what their shapes cannot say, and their nouns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from reportgen import strict, units, vocabulary
from reportgen.contract.checks import DIGEST, Files, check_kind
from reportgen.contract.shapes import BetweenTable, EquivalenceTable
from reportgen.model import EquivalenceBand, FileRecord, KnownSpread, Missing, MissingKind, Origin, Quantity, Reason
from reportgen.strict import Fault

COUNTED = (("count",), ("max",), ("total",))
"""Statistics of metrics that are one number a capture: they carry no interval."""
OF_A_TYPE = ("kernel_call",)
"""Metrics whose part is an operator type, which is tested apart from the rows of a capture."""
FEWEST = 2
"""Captures or runs that a standard deviation is of at least."""


# --------------------------------------------------------------------------------------------- faults
def check_spreads(raw: Mapping[str, Any], files: Files) -> Iterator[Fault]:
    """Faults of both kinds of tables."""
    seen: dict[tuple[str, ...], str] = {}
    for place, table in strict.tables(raw, "between_captures"):
        of = strict.text(table, "of") or "captures"
        yield from _check_metric(place, table, outside=of == "runs")
        yield from _check_between(place, table, of)
        yield from _check_file(place, table, files)
        yield from _once(place, (of, *(strict.text(table, key) for key in ("metric", "part", "kind"))), seen)
    for place, table in strict.tables(raw, "equivalence"):
        of = strict.text(table, "of") or "captures"
        yield from _check_metric(place, table, outside=of == "runs")
        yield from _check_share(place, table, "band", "a band is above 0 and below 100%")
        yield from _once(place, (f"band {of}", *(strict.text(table, key) for key in ("metric", "part", "kind"))), seen)


def _once(place: str, key: tuple[str, ...], seen: dict[tuple[str, ...], str]) -> Iterator[Fault]:
    if seen.setdefault(key, place) != place:
        yield Fault(place, f"{' '.join(filter(None, key[1:]))} is given in {seen[key]} already")


def _check_metric(path: str, table: Mapping[str, Any], *, outside: bool) -> Iterator[Fault]:
    """A metric that has an interval and, with logs, can be logged."""
    name, part = strict.text(table, "metric"), strict.text(table, "part")
    metric = vocabulary.GOAL_METRICS.get(name)
    if metric is None:
        if name:
            yield Fault(f"{path}.metric", f"unknown metric {name!r}; {strict.near(name, vocabulary.GOAL_METRICS)}")
        return
    if metric.statistics in COUNTED:
        yield Fault(f"{path}.metric", f"{name} is one number a capture and has no interval: write a goal on it instead")
    elif outside != (metric.outside if outside else not metric.profiled):
        right = "is measured outside the profile" if not outside else "is in no log"
        yield Fault(f"{path}.metric", f"{name} {right}")
    if part and (metric.part == "none" or name in OF_A_TYPE):
        yield Fault(f"{path}.part", f"{name} has no parts here; found {part!r}")
    if outside or strict.text(table, "kind"):
        yield from check_kind(path, table, name, metric)


def _check_between(path: str, table: Mapping[str, Any], of: str) -> Iterator[Fault]:
    count = table.get("count")
    if isinstance(count, int) and not isinstance(count, bool) and count < FEWEST:
        yield Fault(f"{path}.count", f"a standard deviation is of {FEWEST} and more; found {count}")
    if strict.text(table, "relative_sd"):
        yield from _check_share(path, table, "relative_sd", "a relative standard deviation is above 0 and below 100%")
        if not strict.text(table, "determined").strip():
            yield Fault(f"{path}.determined", "must say where the value was determined")
    elif of == "runs":
        yield Fault(f"{path}.relative_sd", "is needed: A/A captures say nothing of runs")
    else:
        for key in ("count", "determined", "file"):
            if table.get(key):
                yield Fault(f"{path}.{key}", "belongs to a relative_sd, and none is written")


def _check_share(path: str, table: Mapping[str, Any], key: str, rule: str) -> Iterator[Fault]:
    written = strict.text(table, key)
    if not written:
        return
    try:
        value, unit = units.parse(written)
    except ValueError as fault:
        yield Fault(f"{path}.{key}", str(fault))
        return
    if unit != "1" or "%" not in written or not 0 < value < 1:
        yield Fault(f"{path}.{key}", f'{rule}, written such as "2%"; found {written!r}')


def _check_file(path: str, table: Mapping[str, Any], files: Files) -> Iterator[Fault]:
    name, agreed = strict.text(table, "file"), strict.text(table, "sha256")
    if agreed and not DIGEST.fullmatch(agreed):
        yield Fault(f"{path}.sha256", f"must be 64 hexadecimal digits; found {agreed[:70]!r}")
    if not name:
        for key in ("locator", "sha256"):
            if strict.text(table, key):
                yield Fault(f"{path}.{key}", "belongs to a file, and none is named")
        return
    if not strict.text(table, "locator").strip():
        yield Fault(f"{path}.locator", "must say where in the file")
    record = files.record(name)
    if isinstance(record, str):
        yield Fault(f"{path}.file", record)
    elif DIGEST.fullmatch(agreed) and agreed.casefold() != record.digest:
        yield Fault(f"{path}.sha256", f"is not that of {record.path!r}, which is {record.digest}")


# --------------------------------------------------------------------------------------------- nouns
def known_spread(table: BetweenTable, files: Files, origin: Callable[[str, str], Origin], place: str) -> KnownSpread:
    """What the target states, or asks A/A captures to show."""
    value: Quantity | Missing = Missing(
        kind=MissingKind.NOT_COLLECTED, reason=Reason.of("between_not_shown", metric=table.metric)
    )
    origins = [origin(f"{place}.metric", table.metric)]
    if table.relative_sd:
        value = _relative(table.relative_sd)
        origins = [origin(f"{place}.relative_sd", table.relative_sd)]
    record = files.record(table.file.strip()) if table.file.strip() else None
    if isinstance(record, FileRecord):
        origins.append(Origin(file=record.path, digest=record.digest, locator=table.locator, formula="typed by hand"))
    return KnownSpread(
        metric=table.metric,
        part=table.part,
        kind=table.kind,
        of=table.of,
        value=value,
        count=table.count,
        determined=table.determined,
        file=record if isinstance(record, FileRecord) else None,
        origins=tuple(origins),
    )


def equivalence_band(table: EquivalenceTable, origin: Origin) -> EquivalenceBand:
    """The band that both parties agreed."""
    return EquivalenceBand(
        metric=table.metric, part=table.part, kind=table.kind, of=table.of, band=_relative(table.band), origin=origin
    )


def _relative(written: str) -> Quantity:
    value, unit = units.parse(written)
    return Quantity(value=units.exact(Fraction(value)), unit=unit, written=written.strip())
