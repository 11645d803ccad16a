"""The evidence beside the code: official sources, the rules they give, what none of them specifies, our own choices.

Data only: relations are words out of a fixed list, nothing is evaluated. The files are read as strictly as a target,
and what one refers to in another must be there, both ways: a source nobody cites is a fault too.
"""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING, TypeVar

from reportgen import strict, units, vocabulary
from reportgen.catalogue.shapes import (
    BandTable,
    ChoicesFile,
    SourcesFile,
    SourceTable,
    ThresholdsFile,
    ThresholdTable,
    UnspecifiedFile,
    UnspecifiedTable,
)
from reportgen.digests import read_whole
from reportgen.errors import CaptureError, CatalogueError
from reportgen.model import Band, Catalogue, FileRecord, Source, Threshold, Unspecified
from reportgen.strict import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

T = TypeVar("T")

LARGEST = 1 << 22
"""Bytes of the largest evidence file that is read."""
LONGEST_QUOTE = 25
"""Words of a quote; a Chinese character counts as half a word."""

_CHINESE = re.compile("[\u3400-\u9fff]")


# --------------------------------------------------------------------------------------------- reading
@cache
def read_catalogue(directory: Path) -> Catalogue:
    """The evidence, checked as a whole.

    Args:
        directory: ``resources.evidence_dir()``.

    Returns:
        Sources, thresholds and unspecified items by id; the files as ``evidence/NAME``.

    Raises:
        CatalogueError: ``evidence_unreadable``, ``evidence_syntax``, or ``evidence_invalid`` with every fault.
    """
    sources, sources_file = _read(directory, "sources.toml", SourcesFile)
    thresholds, thresholds_file = _read(directory, "thresholds.toml", ThresholdsFile)
    unspecified, unspecified_file = _read(directory, "unspecified.toml", UnspecifiedFile)
    choices_, choices_file = _read(directory, "choices.toml", ChoicesFile)
    faults = [
        *_check_ids("sources.toml: source", (table.id for table in sources.source)),
        *_check_ids("thresholds.toml: threshold", (table.id for table in thresholds.threshold)),
        *_check_ids("unspecified.toml: unspecified", (table.id for table in unspecified.unspecified)),
        *_check_choices(choices_),
        *(fault for number, table in enumerate(sources.source) for fault in _check_quote(number, table)),
        *(fault for number, table in enumerate(thresholds.threshold) for fault in _check_threshold(number, table)),
        *_check_citations(sources, thresholds, unspecified),
    ]
    _raise(directory, faults)
    return Catalogue(
        sources=tuple(sorted((_source(table) for table in sources.source), key=lambda source: source.id)),
        thresholds=tuple(sorted(map(_threshold, thresholds.threshold), key=lambda threshold: threshold.id)),
        unspecified=tuple(sorted(map(_unspecified, unspecified.unspecified), key=lambda item: item.id)),
        files=(choices_file, sources_file, thresholds_file, unspecified_file),
    )


def choices(directory: Path) -> dict[str, Fraction]:
    """Our own choices, exact, by id, in the order of the file.

    Raises:
        CatalogueError: as ``read_catalogue``.
    """
    file, _ = _read(directory, "choices.toml", ChoicesFile)
    _raise(directory, list(_check_choices(file)))
    return {table.id: Fraction(table.value) for table in file.choice}


def _read(directory: Path, name: str, shape: type[T]) -> tuple[T, FileRecord]:
    path = directory / name
    try:
        data, digest = read_whole(path, directory, limit=LARGEST)
    except CaptureError as fault:
        raise CatalogueError("evidence_unreadable", f"the evidence file {fault.message}", where=str(path)) from fault
    try:
        raw = strict.parse(data)
    except strict.TomlError as fault:
        where = f"{path}:{fault.line}:{fault.column}"
        raise CatalogueError("evidence_syntax", fault.message, where=where, hint=fault.hint) from fault
    value, faults = strict.read_shape(shape, raw, {})
    _raise(directory, [Fault(f"{name}: {path}" if path else name, text) for path, text in faults])
    assert value is not None, "without a fault there is a value"
    return value, FileRecord(path=f"evidence/{name}", size=len(data), digest=digest)


def _raise(directory: Path, faults: list[Fault]) -> None:
    if faults:
        lines = "".join(f"\n  - {line}" for line in strict.lines(faults))
        raise CatalogueError("evidence_invalid", f"faults in the evidence:{lines}", where=str(directory))


# --------------------------------------------------------------------------------------------- checking
def _check_ids(path: str, ids: Iterable[str]) -> Iterator[Fault]:
    for name, count in Counter(ids).items():
        if count > 1:
            yield Fault(path, f"{name!r} stands {count} times")


def _check_choices(file: ChoicesFile) -> Iterator[Fault]:
    yield from _check_ids("choices.toml: choice", (table.id for table in file.choice))
    for number, table in enumerate(file.choice):
        try:
            Fraction(table.value)
        except (ValueError, ZeroDivisionError):
            yield Fault(f"choices.toml: choice[{number}].value", f"must be a number; found {table.value!r}")


def quote_words(quote: str) -> Fraction:
    """Length of a quote in words, a Chinese character counting as half a word."""
    chinese = len(_CHINESE.findall(quote))
    return Fraction(chinese, 2) + len(re.findall(r"\w[\w.]*", _CHINESE.sub(" ", quote)))


def _check_quote(number: int, table: SourceTable) -> Iterator[Fault]:
    words = quote_words(table.quote)
    path = f"sources.toml: source[{number}].quote"
    if words > LONGEST_QUOTE:
        yield Fault(path, f"{table.id} quotes {float(words):g} words, at most {LONGEST_QUOTE}")
    if table.verified == "verbatim" and not table.quote.strip():
        yield Fault(path, f"{table.id} is verbatim and quotes nothing")


def _check_threshold(number: int, table: ThresholdTable) -> Iterator[Fault]:
    path = f"thresholds.toml: threshold[{number}]"
    for key in ("frameworks", "backends"):
        for word in getattr(table, key):
            if word != word.lower():
                yield Fault(f"{path}.{key}", f"must be lower case; found {word!r}")
    for phase in sorted({*table.phases} & {*table.excluded_phases}):
        yield Fault(f"{path}.excluded_phases", f"{phase!r} is in phases too")
    metric = vocabulary.GOAL_METRICS.get(table.metric)
    if metric is None:
        known = strict.near(table.metric, vocabulary.GOAL_METRICS)
        yield Fault(f"{path}.metric", f"unknown metric {table.metric!r}; {known}")
        return
    faults = [
        fault for index, band in enumerate(table.band) for fault in _check_bounds(f"{path}.band[{index}]", band, metric)
    ]
    yield from faults or _check_cover(path, [_band(band) for band in table.band])


def _check_bounds(path: str, band: BandTable, metric: vocabulary.GoalMetric) -> Iterator[Fault]:
    ends = Counter("low" if bound.relation in ("above", "at_least") else "high" for bound in band.bounds)
    if max(ends.values(), default=0) > 1:
        yield Fault(f"{path}.bounds", "two ends on one side")
    for index, bound in enumerate(band.bounds):
        try:
            _, unit = units.parse(bound.value)
        except ValueError as fault:
            yield Fault(f"{path}.bounds[{index}].value", str(fault))
            continue
        if unit != metric.unit:
            yield Fault(f"{path}.bounds[{index}].value", f"has another unit than its metric; found {bound.value!r}")


def _check_cover(path: str, bands: list[Band]) -> Iterator[Fault]:
    """Every value falls into exactly one band."""
    if not bands or bands[0].low is not None or bands[-1].high is not None:
        yield Fault(f"{path}.band", "the first band must be open below and the last one open above")
    for lower, upper in pairwise(bands):
        if lower.high is None or upper.low is None or lower.high > upper.low:
            yield Fault(f"{path}.band", f"{lower.id} and {upper.id} overlap")
        elif lower.high < upper.low or not (lower.high_included or upper.low_included):
            yield Fault(f"{path}.band", f"{lower.id} and {upper.id} leave a gap: no value may fall into no band")
        elif lower.high_included and upper.low_included:
            yield Fault(f"{path}.band", f"{lower.id} and {upper.id} both hold {units.number_text(lower.high)}")


def _check_citations(sources: SourcesFile, thresholds: ThresholdsFile, unspecified: UnspecifiedFile) -> Iterator[Fault]:
    known = [table.id for table in sources.source]
    cited: set[str] = set()
    rules = ((f"thresholds.toml: threshold[{n}]", table.sources) for n, table in enumerate(thresholds.threshold))
    gaps = ((f"unspecified.toml: unspecified[{n}]", table.sources) for n, table in enumerate(unspecified.unspecified))
    for path, names in chain(rules, gaps):
        cited.update(names)
        if not names:
            yield Fault(f"{path}.sources", "names no source")
        for name in names:
            if name not in known:
                yield Fault(f"{path}.sources", f"no source {name!r}; {strict.near(name, known)}")
    for number, name in enumerate(known):
        if name not in cited:
            yield Fault(f"sources.toml: source[{number}]", f"{name!r} is cited by nothing")


# --------------------------------------------------------------------------------------------- to the nouns
def _source(table: SourceTable) -> Source:
    return Source(
        id=table.id,
        document=table.document,
        version=table.version,
        section=table.section,
        publisher=table.publisher,
        locator=table.locator,
        quote=table.quote,
        verified=table.verified,
    )


def _band(table: BandTable) -> Band:
    ends = {bound.relation: Fraction(units.parse(bound.value)[0]) for bound in table.bounds}
    return Band(
        id=table.id,
        low=ends.get("at_least", ends.get("above")),
        low_included="at_least" in ends,
        high=ends.get("at_most", ends.get("below")),
        high_included="at_most" in ends,
    )


def _threshold(table: ThresholdTable) -> Threshold:
    return Threshold(
        id=table.id,
        metric=table.metric,
        title=table.title.pairs(),
        frameworks=table.frameworks,
        backends=table.backends,
        phases=table.phases,
        excluded_phases=table.excluded_phases,
        needs=table.needs,
        bands=tuple(_band(band) for band in table.band),
        authority=table.authority,
        use=table.use,
        scope=table.scope.pairs(),
        sources=table.sources,
    )


def _unspecified(table: UnspecifiedTable) -> Unspecified:
    return Unspecified(id=table.id, title=table.title.pairs(), statement=table.statement.pairs(), sources=table.sources)
