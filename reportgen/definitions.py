"""Numbers that a metric's definition needs: ``evidence/definitions.toml`` as values.

A number that a source gives names its source; the others are our own choice and say so. Read as strictly as the other
evidence: every fault at once, nothing is evaluated.
"""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Literal

from reportgen import resources, strict
from reportgen.evidence_files import TextTable, read_file
from reportgen.model import FileRecord, Origin, Source
from reportgen.strict import Fault

FILE_NAME = "definitions.toml"
Relation = Literal["above", "at_least", "at_most", "below"]
"""``at_least`` and ``at_most`` hold for the number itself, the others do not."""
_HOLDS = {"above": operator.gt, "at_least": operator.ge, "at_most": operator.le, "below": operator.lt}
_NUMBER = re.compile(r"\d{1,18}(?:\.\d{1,18})?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class _SourceTable:
    """The document that gives a number; fields as in ``model.Source``."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    id: str
    """Id."""
    document: str
    """Title."""
    version: str
    """Version read."""
    section: str
    """Section."""
    publisher: str
    """Publisher."""
    locator: str
    """Repository, commit and path, or address."""
    quote: str
    """A few words of the original."""
    verified: Literal["verbatim", "substance", "course only"]
    """How it was verified."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _DefinitionTable:
    """One number."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    id: str
    """Unique."""
    metric: str
    """The metric it defines."""
    relation: Relation
    """How a value is held against it."""
    value: str
    """Number as text, so that it stays exact."""
    unit: str
    """Unit, ``1`` for a plain number."""
    authority: Literal["document", "own choice"]
    """Who gives it."""
    why: TextTable
    """What it does and why it is that."""
    source: _SourceTable | None = None
    """With ``document``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _DefinitionsFile:
    """``definitions.toml``."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    schema: Literal[1]
    """Version of this format."""
    definition: tuple[_DefinitionTable, ...]
    """All numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A number that a metric's definition needs."""

    id: str
    """Stable identifier."""
    metric: str
    """Metric id."""
    relation: Relation
    """How a value is held against it."""
    value: Fraction
    """The number, exact."""
    unit: str
    """Its unit; ``1`` for a plain number."""
    authority: Literal["document", "own choice"]
    """Whether a source gives it."""
    why: tuple[tuple[str, str], ...]
    """(language, text): what it does and why it is that."""
    source: Source | None
    """The document; None for our own choice."""
    origin: Origin
    """Where it stands in the evidence."""

    def holds(self, part: int | Fraction, whole: int | Fraction = 1) -> bool:
        """Whether part / whole is above (at least, ...) the number, exact; whole is not negative."""
        return bool(_HOLDS[self.relation](part * self.value.denominator, whole * self.value.numerator))


@dataclass(frozen=True, slots=True, kw_only=True)
class Definitions:
    """All numbers of ``definitions.toml``."""

    items: tuple[Definition, ...]
    """In the order of the file."""
    file: FileRecord
    """The file, as ``evidence/definitions.toml``."""

    def __getitem__(self, id_: str) -> Definition:
        """The number with an id; a KeyError is a mistake in the program, the ids being its own."""
        return {item.id: item for item in self.items}[id_]


@cache
def read_definitions(directory: Path | None = None) -> Definitions:
    """Read ``definitions.toml``.

    Args:
        directory: where it is; None: ``resources.evidence_dir()``.

    Raises:
        CatalogueError: ``evidence_unreadable``, ``evidence_syntax``, or ``evidence_invalid`` with every fault.
    """
    file, record = read_file(directory or resources.evidence_dir(), FILE_NAME, _DefinitionsFile, _check)
    return Definitions(items=tuple(_definition(table, record) for table in file.definition), file=record)


def _check(file: _DefinitionsFile) -> Iterator[Fault]:
    for name, count in Counter(table.id for table in file.definition).items():
        if count > 1:
            yield Fault("definition", f"{name!r} stands {count} times")
    for number, table in enumerate(file.definition):
        path = f"definition[{number}]"
        if not _NUMBER.fullmatch(table.value):
            yield Fault(f"{path}.value", f"must be a number; found {table.value!r}")
        if (table.source is not None) != (table.authority == "document"):
            yield Fault(f"{path}.source", "a document has its source, our own choice has none")


def _definition(table: _DefinitionTable, record: FileRecord) -> Definition:
    source = table.source
    return Definition(
        id=table.id,
        metric=table.metric,
        relation=table.relation,
        value=Fraction(table.value),
        unit=table.unit,
        authority=table.authority,
        why=(("zh", table.why.zh), ("en", table.why.en)),
        source=None if source is None else _cited(source),
        origin=Origin(
            file=record.path,
            digest=record.digest,
            locator=f"definition {table.id}",
            formula=f"{table.relation} {table.value}",
        ),
    )


def _cited(table: _SourceTable) -> Source:
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
