"""The evidence beside the code: official sources, the rules they give, what none of them specifies, our own choices.

Data only: relations are words out of a fixed list, nothing is evaluated. The files are read as strictly as a target,
and what one refers to in another must be there, both ways: a source nobody cites is a fault too.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from reportgen import strict
from reportgen.catalogue import checks, nouns
from reportgen.catalogue.checks import LONGEST_QUOTE, Base, Check, Texts, quote_words
from reportgen.catalogue.rule_shapes import ContradictionsFile, RulesFile
from reportgen.catalogue.shapes import ChoicesFile, SourcesFile, ThresholdsFile, UnspecifiedFile
from reportgen.errors import CatalogueError
from reportgen.evidence_files import read_tables
from reportgen.model import Catalogue, FileRecord
from reportgen.strict import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import Protocol

    class Identified(Protocol):
        """What has an id."""

        @property
        def id(self) -> str:
            """Its id."""


__all__ = ["LONGEST_QUOTE", "Check", "choices", "prove", "quote_words", "read_catalogue"]

T = TypeVar("T")
N = TypeVar("N", bound="Identified")

LARGEST = 1 << 22
"""Bytes of the largest evidence file that is read."""


# --------------------------------------------------------------------------------------------- reading
@cache
def read_catalogue(directory: Path) -> Catalogue:
    """All of the evidence but settings and definitions, checked as a whole.

    Args:
        directory: ``resources.evidence_dir()``.

    Returns:
        Sources, thresholds, rules, unspecified items and contradictions by id; the files as ``evidence/NAME``.

    Raises:
        CatalogueError: ``evidence_unreadable``, ``evidence_syntax``, or ``evidence_invalid`` with every fault.
    """
    base, files = _base(directory)
    texts, more = _texts(directory)
    _raise(directory, _faults((*checks.base_checks(base), *checks.text_checks(base, texts))))
    entries = {table.id: (table, name) for name, file in texts.rules.items() for table in file.rule}
    return Catalogue(
        sources=_by_id(map(nouns.source, base.sources.source)),
        thresholds=_by_id(nouns.threshold(table, *entries[table.id]) for table in base.thresholds.threshold),
        unspecified=_by_id(map(nouns.unspecified, base.unspecified.unspecified)),
        files=(*files, *more),
        rules=_by_id(nouns.rule(*entry) for entry in entries.values()),
        contradictions=_by_id(map(nouns.contradiction, texts.contradictions.contradiction)),
    )


def _by_id(found: Iterable[N]) -> tuple[N, ...]:
    return tuple(sorted(found, key=lambda one: one.id))


def prove(directory: Path) -> tuple[Check, ...]:
    """Every check of the whole evidence, those of one name together, whether it holds or not.

    Args:
        directory: ``resources.evidence_dir()``.

    Raises:
        CatalogueError: ``evidence_unreadable``, ``evidence_syntax``, or ``evidence_invalid`` where a file has not even
            the form that is checked.
    """
    base, _ = _base(directory)
    texts, _ = _texts(directory)
    together: dict[str, Check] = {}
    for check in (*checks.base_checks(base), *checks.text_checks(base, texts)):
        known = together.get(check.id, Check(check.id, 0, ()))
        together[check.id] = Check(check.id, known.examined + check.examined, (*known.faults, *check.faults))
    return tuple(together.values())


def choices(directory: Path) -> dict[str, Fraction]:
    """Our own choices, exact, by id, in the order of the file.

    Raises:
        CatalogueError: as ``read_catalogue``.
    """
    file, _ = _read(directory, "choices.toml", ChoicesFile)
    _raise(directory, list(checks.choice_checks(file)))
    return {table.id: Fraction(table.value) for table in file.choice}


def _base(directory: Path) -> tuple[Base, tuple[FileRecord, ...]]:
    sources, sources_file = _read(directory, "sources.toml", SourcesFile)
    thresholds, thresholds_file = _read(directory, "thresholds.toml", ThresholdsFile)
    unspecified, unspecified_file = _read(directory, "unspecified.toml", UnspecifiedFile)
    choices_, choices_file = _read(directory, "choices.toml", ChoicesFile)
    files = (choices_file, sources_file, thresholds_file, unspecified_file)
    return Base(sources, thresholds, unspecified, choices_), files


def _texts(directory: Path) -> tuple[Texts, tuple[FileRecord, ...]]:
    paths = sorted((directory / "rules").glob("*.toml"))
    if not paths:
        raise CatalogueError(
            "evidence_unreadable",
            "there is no file rules/*.toml",
            where=str(directory),
            hint="install the package again",
        )
    read = {f"rules/{path.name}": _read(directory, f"rules/{path.name}", RulesFile) for path in paths}
    contradictions, file = _read(directory, "contradictions.toml", ContradictionsFile)
    rules = {name: table for name, (table, _) in read.items()}
    return Texts(rules, contradictions), (file, *(record for _, record in read.values()))


def _read(directory: Path, name: str, shape: type[T]) -> tuple[T, FileRecord]:
    raw, record = read_tables(directory, name, limit=LARGEST)
    value, faults = strict.read_shape(shape, raw, {})
    _raise(directory, [Fault(f"{name}: {path}" if path else name, text) for path, text in faults])
    assert value is not None, "without a fault there is a value"
    return value, record


def _faults(found: Iterable[Check]) -> list[Fault]:
    return [fault for check in found for fault in check.faults]


def _raise(directory: Path, faults: list[Fault]) -> None:
    if faults:
        lines = "".join(f"\n  - {line}" for line in strict.lines(faults))
        raise CatalogueError("evidence_invalid", f"faults in the evidence:{lines}", where=str(directory))
