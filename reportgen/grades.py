"""The graded settings: ``evidence/settings.toml`` as values, and how two texts of one key are compared.

Law 1 rests on this room: a key that stands in no row is compared all the same and blocks everything where it differs.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Literal

from reportgen import resources
from reportgen.digests import sha256_bytes
from reportgen.errors import CatalogueError
from reportgen.model import Family, FileRecord

OFF = ("", "off", "false")
"""Texts that mean off for a key graded as a switch."""
FILE_NAME = "settings.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """One row: what a key means and what a difference of it does."""

    id: str
    """Canonical id, for example ``sample.level``."""
    file: str
    """Kind of file."""
    spellings: dict[str, tuple[str, ...]]
    """Flattened key path -> generations that write it."""
    place: Literal["both", "host", "device"]
    """In which copy it is written."""
    optional: bool
    """Whether its generations may leave it out."""
    switch: bool
    """Whether off, empty and false are the same."""
    grade: Literal["all", "family", "bias", "identity"]
    """What a difference does."""
    families: tuple[Family, ...]
    """With ``family``."""
    compare: Literal["text", "number", "set", "list"]
    """How values are compared."""
    aliases: dict[str, str]
    """Values that mean the same -> the one compared."""
    scale: dict[str, dict[str, Fraction]]
    """Spelling -> generation -> factor to the canonical unit."""
    tolerance: Fraction
    """Relative, for numbers."""
    loud: bool
    """A version."""
    why: tuple[tuple[str, str], ...]
    """(language, effect of a difference)."""

    def written_by(self, generation: str | None) -> bool:
        """Whether a generation of files writes this key."""
        return generation is not None and any(generation in writers for writers in self.spellings.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something that decides and that present producers may not record."""

    id: str
    """Id; may be declared."""
    keys: tuple[str, ...]
    """Setting ids that carry it where a generation writes them."""
    producers: tuple[str, ...]
    """Only for captures whose producer starts with one of these; empty: all."""
    title: tuple[tuple[str, str], ...]
    """(language, text)."""
    remedy: tuple[tuple[str, str], ...]
    """(language, text)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grades:
    """All rows."""

    rows: dict[str, tuple[Grade, ...]]
    """Kind of file -> rows."""
    generations: dict[str, tuple[str, ...]]
    """Kind of file -> generation ids, oldest first."""
    facts: tuple[Fact, ...]
    """In order."""
    file: FileRecord
    """The evidence file."""
    by_spelling: dict[tuple[str, str], Grade] = field(default_factory=dict)
    """(kind of file, flattened key) -> row."""
    written: dict[str, frozenset[str]] = field(default_factory=dict)
    """Generation -> every key it writes."""

    def generation(self, kind: str, keys: frozenset[str]) -> str | None:
        """The generation a file belongs to: most shared keys; of equals, fewest keys the file lacks.

        None when the kind of file has no generation or no key is shared.
        """
        best: tuple[int, int, str] | None = None
        for generation in self.generations.get(kind, ()):
            written = self.written[generation]
            shared = len(written & keys)
            if shared and (best is None or (shared, -len(written - keys)) > best[:2]):
                best = (shared, -len(written - keys), generation)
        return best[2] if best else None


def _pair(table: dict[str, Any], key: str) -> tuple[tuple[str, str], ...]:
    return (("en", str(table.get(key, ""))), ("zh", str(table.get(f"{key}_zh", ""))))


def _row(table: dict[str, Any]) -> Grade:
    return Grade(
        id=table["id"],
        file=table["file"],
        spellings={k: tuple(v) for k, v in table["spellings"].items()},
        place=table.get("place", "both"),
        optional=bool(table.get("optional", False)),
        switch=table.get("kind") == "switch",
        grade=table["grade"],
        families=tuple(Family(name) for name in table.get("families", [])),
        compare=table.get("compare", "text"),
        aliases=dict(table.get("aliases", {})),
        scale={k: {g: Fraction(str(f)) for g, f in v.items()} for k, v in table.get("scale", {}).items()},
        tolerance=Fraction(str(table.get("tolerance", "0"))),
        loud=bool(table.get("loud", False)),
        why=_pair(table, "why"),
    )


def _written(rows: dict[str, list[Grade]], generations: dict[str, list[str]]) -> dict[str, frozenset[str]]:
    return {
        generation: frozenset(
            spelling
            for row in rows.get(kind, ())
            for spelling, writers in row.spellings.items()
            if generation in writers
        )
        for kind, ids in generations.items()
        for generation in ids
    }


@cache
def read_grades(directory: Path | None = None) -> Grades:
    """Read ``evidence/settings.toml``.

    Raises:
        CatalogueError: ``settings_catalogue`` when the file is missing or not of its schema.
    """
    path = (directory or resources.evidence_dir()) / FILE_NAME
    try:
        data = path.read_bytes()
        table = tomllib.loads(data.decode("utf-8"), parse_float=Decimal)
        rows: dict[str, list[Grade]] = {}
        for entry in table["setting"]:
            rows.setdefault(entry["file"], []).append(_row(entry))
        generations: dict[str, list[str]] = {}
        for entry in table["generation"]:
            generations.setdefault(entry["file"], []).append(entry["id"])
        facts = tuple(
            Fact(
                id=e["id"],
                keys=tuple(e["keys"]),
                producers=tuple(e.get("producers", [])),
                title=_pair(e, "title"),
                remedy=_pair(e, "remedy"),
            )
            for e in table["fact"]
        )
    except (OSError, KeyError, ValueError, UnicodeDecodeError) as fault:
        raise CatalogueError(
            "settings_catalogue", f"cannot be read: {fault}", where=str(path), hint="install the package again"
        ) from fault
    return Grades(
        rows={kind: tuple(found) for kind, found in rows.items()},
        generations={kind: tuple(ids) for kind, ids in generations.items()},
        facts=facts,
        file=FileRecord(path=f"evidence/{FILE_NAME}", size=len(data), digest=sha256_bytes(data)),
        written=_written(rows, generations),
        by_spelling={
            (row.file, spelling): row for found in rows.values() for row in found for spelling in row.spellings
        },
    )


# ------------------------------------------------------------------------------------------------ comparing values
def _members(text: str) -> frozenset[str]:
    """The members of a comma list, a JSON list, or a single value."""
    if text.startswith("["):
        try:
            return frozenset(json.dumps(item) if not isinstance(item, str) else item for item in json.loads(text))
        except (ValueError, RecursionError):
            return frozenset((text,))
    return frozenset(part.strip() for part in text.split(",") if part.strip())


def _number(text: str) -> Fraction | None:
    try:
        value = Decimal(text.strip())
    except InvalidOperation:
        return None
    return Fraction(value) if value.is_finite() and abs(value.adjusted()) < 40 else None


def _aliased(row: Grade, text: str) -> str:
    plain = row.aliases.get(text, text)
    return "off" if row.switch and plain in OFF else plain


def same(
    row: Grade, before: str, after: str, *, spelling: tuple[str, str], generation: tuple[str | None, str | None]
) -> bool:
    """Whether two recorded values of one key are the same after normalisation.

    Args:
        before, after: canonical texts as read.
        spelling: the flattened key on each side; generation: of each side's file.
    """
    if row.compare == "number":
        b, a = _number(before), _number(after)
        if b is not None and a is not None:
            b *= row.scale.get(spelling[0], {}).get(generation[0] or "", Fraction(1))
            a *= row.scale.get(spelling[1], {}).get(generation[1] or "", Fraction(1))
            return bool(abs(b - a) <= row.tolerance * max(abs(b), abs(a)))
    if row.compare == "set":
        members = [frozenset(_aliased(row, m) for m in _members(_aliased(row, text))) for text in (before, after)]
        return members[0] == members[1]
    return _aliased(row, before) == _aliased(row, after)


def is_off(row: Grade, text: str) -> bool:
    """Whether a switch's recorded value means off."""
    return row.switch and _aliased(row, text) == "off"
