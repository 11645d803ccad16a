"""A copy of the evidence with one slip in it."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

from reportgen.resources import evidence_dir


def slipped(tmp_path: Path, name: str, old: str, new: str, inside: str = "") -> Path:
    """The evidence copied, with the first ``old`` of a file replaced; ``inside``: only in the table of that id."""
    directory = Path(shutil.copytree(evidence_dir(), tmp_path / "evidence"))
    text = (directory / name).read_text(encoding="utf-8")
    start = text.index(f'id = "{inside}"\n') if inside else 0
    following = re.search(r"^\[\[", text[start:], re.MULTILINE) if inside else None
    end = start + following.start() if following else len(text)
    assert old in text[start:end], f"{old!r} does not stand there"
    (directory / name).write_text(text[:start] + text[start:end].replace(old, new, 1) + text[end:], encoding="utf-8")
    return directory


def place(name: str, identity: str) -> str:
    """The key path of a table: ``thresholds.toml: threshold[3]``."""
    tables = tomllib.loads((evidence_dir() / name).read_text(encoding="utf-8"))
    (kind,) = tables.keys() - {"schema"}
    return f"{name}: {kind}[{[table['id'] for table in tables[kind]].index(identity)}]"
