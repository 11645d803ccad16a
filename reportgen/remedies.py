"""What the official guide tries first, and signs that official cases describe: ``evidence/remedies.toml`` as values.

Read as strictly as the other evidence: every fault at once, nothing is evaluated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Literal

from reportgen import resources, strict
from reportgen.evidence_files import TextTable, read_file
from reportgen.model import FileRecord, Remedies, Remedy
from reportgen.strict import Fault

FILE_NAME = "remedies.toml"
KINDS = ("computing", "memory", "communication", "host")
"""Kinds of bottlenecks in the words of the guide; each stands once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _KindTable:
    """One kind of bottleneck."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    id: Literal["computing", "memory", "communication", "host"]
    """Unique."""
    symptom: TextTable
    """Typical sign."""
    first: tuple[TextTable, ...]
    """What to try, in order."""
    beside: TextTable | None = None
    """What is weighed at the same time."""
    not_first: TextTable
    """What should not be done first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingSign:
    """A key of a settings file that shows a sign."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    file: str
    """Kind of settings file."""
    key: str
    """Flattened key path."""
    values: tuple[str, ...] = ()
    """Values that show it; empty: every value that is not empty."""
    not_values: tuple[str, ...] = ()
    """Values that do not."""

    def shows(self, value: str) -> bool:
        """Whether a recorded value shows the sign."""
        return bool(value) and value not in self.not_values and (not self.values or value in self.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """One sign and the case that describes it."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    id: str
    """Unique; ``reportgen.diagnoses`` looks for it."""
    case: str
    """Entry of the catalogue."""
    settings: tuple[SettingSign, ...] = ()
    """Settings that show it, or that asked for what is looked for."""
    types: tuple[str, ...] = ()
    """Beginnings of operator types."""
    formats: tuple[str, ...] = ()
    """Tensor formats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _RemediesFile:
    """``remedies.toml``."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    schema: Literal[1]
    """Version of this format."""
    rule: str
    """Entry of the catalogue that the kinds follow."""
    scope: TextTable
    """What it holds for."""
    caveat: TextTable
    """What has to be done before."""
    outside: TextTable
    """What may be taken of it elsewhere."""
    kind: tuple[_KindTable, ...]
    """In the order of the guide."""
    sign: tuple[Sign, ...]
    """All signs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemedyEvidence:
    """All of ``remedies.toml``."""

    remedies: Remedies
    """What the guide tries first."""
    signs: tuple[Sign, ...]
    """In the order of the file."""
    file: FileRecord
    """The file, as ``evidence/remedies.toml``."""

    def cited(self) -> tuple[str, ...]:
        """The entries of the catalogue that the file names, each once."""
        return tuple(dict.fromkeys((self.remedies.rule, *(sign.case for sign in self.signs))))


@cache
def read_remedies(directory: Path | None = None) -> RemedyEvidence:
    """Read ``remedies.toml``.

    Args:
        directory: where it is; None: ``resources.evidence_dir()``.

    Raises:
        CatalogueError: ``evidence_unreadable``, ``evidence_syntax``, or ``evidence_invalid`` with every fault.
    """
    file, record = read_file(directory or resources.evidence_dir(), FILE_NAME, _RemediesFile, _check)
    remedies = Remedies(
        rule=file.rule,
        scope=file.scope.pairs(),
        caveat=file.caveat.pairs(),
        outside=file.outside.pairs(),
        kinds=tuple(map(_remedy, file.kind)),
    )
    return RemedyEvidence(remedies=remedies, signs=file.sign, file=record)


def _check(file: _RemediesFile) -> Iterator[Fault]:
    for table, ids in (("kind", [kind.id for kind in file.kind]), ("sign", [sign.id for sign in file.sign])):
        for name, count in Counter(ids).items():
            if count > 1:
                yield Fault(table, f"{name!r} stands {count} times")
    for name in KINDS:
        if name not in {kind.id for kind in file.kind}:
            yield Fault("kind", f"{name!r} is missing")
    for number, kind in enumerate(file.kind):
        if not kind.first:
            yield Fault(f"kind[{number}].first", "must name what is tried first")


def _remedy(table: _KindTable) -> Remedy:
    return Remedy(
        kind=table.id,
        symptom=table.symptom.pairs(),
        first=tuple(one.pairs() for one in table.first),
        beside=table.beside.pairs() if table.beside is not None else (),
        not_first=table.not_first.pairs(),
    )
