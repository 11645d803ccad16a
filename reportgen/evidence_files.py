"""One file of ``evidence/`` as values of its shape: read whole, as TOML, every fault of it at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from reportgen import strict
from reportgen.digests import read_whole
from reportgen.errors import CaptureError, CatalogueError
from reportgen.model import FileRecord
from reportgen.strict import Fault

T = TypeVar("T")

LARGEST = 1 << 20
"""Bytes an evidence file may have, where its reader does not say otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextTable:
    """One text in every language of the report."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    zh: str
    """Chinese."""
    en: str
    """English."""

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """(language, text)."""
        return ("zh", self.zh), ("en", self.en)


def read_tables(directory: Path, name: str, *, limit: int = LARGEST) -> tuple[dict[str, Any], FileRecord]:
    """The raw tables of an evidence file, and the record of its bytes, as ``evidence/NAME``.

    Raises:
        CatalogueError: ``evidence_unreadable``, ``evidence_syntax``.
    """
    path = directory / name
    try:
        data, digest = read_whole(path, directory, limit=limit)
    except CaptureError as fault:
        raise CatalogueError("evidence_unreadable", f"the evidence file {fault.message}", where=str(path)) from fault
    try:
        raw = strict.parse(data)
    except strict.TomlError as fault:
        where = f"{path}:{fault.line}:{fault.column}"
        raise CatalogueError("evidence_syntax", fault.message, where=where, hint=fault.hint) from fault
    return raw, FileRecord(path=f"evidence/{name}", size=len(data), digest=digest)


def read_file(
    directory: Path, name: str, shape: type[T], check: Callable[[T], Iterable[Fault]]
) -> tuple[T, FileRecord]:
    """An evidence file that stands alone.

    Args:
        directory: where it is.
        name: its name.
        shape: what it must look like; see ``strict``.
        check: what is wrong with a file of that shape.

    Raises:
        CatalogueError: as ``read_tables``; ``evidence_invalid`` with every fault.
    """
    raw, record = read_tables(directory, name)
    file, found = strict.read_shape(shape, raw, {})
    faults = list(found)
    if file is not None:
        faults += check(file)
    if faults or file is None:
        lines = "".join(f"\n  - {line}" for line in strict.lines(faults))
        raise CatalogueError("evidence_invalid", f"faults in {name}:{lines}", where=str(directory / name))
    return file, record
