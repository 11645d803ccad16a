"""The map of a redaction, which its owner keeps: which label stands for what, and what proves it.

JSON: ``secret``, from which the salts are made, and ``labels``, each with its original, salt and commitment. To prove
one label its original and salt are shown, and the secret is not.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
from collections.abc import Iterable
from pathlib import Path

from reportgen.digests import read_whole, real, why_unwritable
from reportgen.errors import CaptureError, RenderError
from reportgen.plain import printable
from reportgen.report.redaction import Key, new_key
from reportgen.report.redaction_patterns import KINDS

VERSION = 1
"""Of the map's format."""
LIMIT = 1 << 24
"""Bytes of the largest map that is read."""
_LABEL = re.compile(rf"(?:{'|'.join(KINDS)})-[1-9]\d{{0,8}}")


def read_map(path: Path) -> Key:
    """The key that a map holds; a new one where there is no such file.

    Raises:
        RenderError: ``redaction_map_invalid``.
    """
    if not path.exists():
        return new_key()
    fault = "is no map of labels"
    try:
        data, _digest = read_whole(path, real(path).parent, limit=LIMIT)
        found = json.loads(data.decode("utf-8"))
        if found["reportgen_redaction_map"] != VERSION:
            fault = f"is no map of version {VERSION}"
            raise ValueError
        secret = bytes.fromhex(found["secret"])
        ties = [(row["label"], row["original"]) for row in found["labels"]]
    except (OSError, RuntimeError, CaptureError, ValueError, KeyError, TypeError) as wrong:
        raise _bad_map(path, fault) from wrong
    if len(secret) != 32 or not all(isinstance(a, str) and isinstance(b, str) and b for a, b in ties):
        raise _bad_map(path, "holds no secret of 32 bytes, or an entry without an original")
    if not all(_LABEL.fullmatch(label) for label, _ in ties) or len({label for label, _ in ties}) != len(ties):
        raise _bad_map(path, "holds a label that is none, or one twice")
    return Key(secret=secret, labels=tuple(ties))


def _bad_map(path: Path, fault: str) -> RenderError:
    return RenderError(
        "redaction_map_invalid",
        fault,
        where=printable(str(path)),
        hint="give the map that --redact-map wrote before, or a name that is not taken",
    )


def map_text(key: Key) -> str:
    """The map as JSON: the secret, and of each label its original, salt and commitment."""
    rows = [
        {
            "label": label,
            "original": original,
            "salt": key.salt(label).hex(),
            "commitment": key.commitment(label, original),
        }
        for label, original in key.labels
    ]
    held = {"reportgen_redaction_map": VERSION, "secret": key.secret.hex(), "labels": rows}
    return json.dumps(held, ensure_ascii=False, indent=1) + "\n"


def write_map(path: Path, key: Key) -> None:
    """Write what ties the labels of a redacted report to the originals, for its owner alone to read.

    Raises:
        RenderError: ``redaction_map_unwritable``.
    """
    path = real(path)
    fresh = path.parent / f".{path.name}.{secrets.token_hex(6)}.new"
    try:
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(map_text(key))
        fresh.replace(path)
    except OSError as fault:
        with contextlib.suppress(OSError):  # a part of its path may be no directory
            fresh.unlink(missing_ok=True)
        raise RenderError(
            "redaction_map_unwritable",
            f"cannot be written: {why_unwritable(fault)}",
            where=printable(str(path)),
            hint="choose a directory you may write",
        ) from fault


def refuse_map(path: Path, out: Path, inputs: Iterable[Path]) -> None:
    """Refuse a map that would be handed on with the outputs or the captures.

    Raises:
        RenderError: ``redaction_map_inside``.
    """
    target = real(path)
    for place in (out, *inputs):
        held = real(place)
        if target == held or held in target.parents:
            raise RenderError(
                "redaction_map_inside",
                "lies where it would be handed on with the report or the captures",
                where=printable(str(path)),
                hint="keep the map in a directory apart from --out and the inputs",
            )
