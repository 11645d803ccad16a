"""What a database records of its own settings, as settings files.

META_DATA holds what ``profiler_metadata.json`` holds (ENV_VARIABLES, parallel_group_info, distributed_args, keys of the
user), each value as JSON text, and the version of the schema as plain text. Source: docs/formats.md 2.5 and 2.6.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from reportgen.errors import CaptureError
from reportgen.model import SettingsFile
from reportgen.reading.database import Database
from reportgen.reading.db_tables import read_chip, read_host
from reportgen.reading.settings import LIMIT, communicators, flatten, group_sets, parse_json

METADATA = "profiler_metadata.json"
SCHEMA = "META_DATA"
CHIP = "NPU_INFO"
HOST = "HOST_INFO"


def read_metadata(db: Database, *, rank: int | None = None) -> tuple[SettingsFile, ...]:
    """The settings a database holds, each kind a file of its own, flattened as ``settings.read_settings_file`` does.

    Returns:
        Those that are there, in this order: ``profiler_metadata.json``; ``META_DATA`` with the keys SCHEMA_VERSION
        and its like; ``NPU_INFO`` with ``name`` (the chip family, several joined by a comma); ``HOST_INFO`` with
        ``hostUid`` and ``hostName``. Their record is the database.

    Raises:
        CaptureError: ``settings_unreadable`` for a value that is not whole JSON, or a name with two values;
            ``db_table_columns``, ``db_table_value``, ``db_unreadable``.
    """
    texts = _meta(db)
    versions = {name: text for name, text in texts.items() if name.startswith("SCHEMA_VERSION")}
    values = {name: _parsed(db, name, text) for name, text in texts.items() if name not in versions}
    communicated = communicators(values.get("parallel_group_info"))
    if "parallel_group_info" in values:
        values["parallel_group_info"] = group_sets(values["parallel_group_info"])
    chips = read_chip(db)
    found: list[tuple[str, dict[str, Any]]] = [
        (METADATA, values),
        (SCHEMA, dict(versions)),
        (CHIP, {"name": ", ".join(sorted(set(chips.values())))} if chips else {}),
        (HOST, dict(read_host(db) or {})),
    ]
    files = (_file(db, kind, rank, held) for kind, held in found if held)
    return tuple(replace(file, groups=communicated) if file.kind == METADATA else file for file in files)


def _meta(db: Database) -> dict[str, str]:
    """Name -> text of META_DATA; a row that stands twice alike is one (an exporter repeats ENV_VARIABLES)."""
    found: dict[str, str] = {}
    if SCHEMA not in db.tables:
        return found
    size = 0
    for rows in db.scan(SCHEMA, ("name", "value")):
        for name, text in rows:
            if not isinstance(name, str) or not isinstance(text, str):
                raise db.fault("value", SCHEMA, None, "a name or value is no text")
            size += len(name) + len(text)
            if found.setdefault(name, text) != text:
                raise _unreadable(db, f"the name {name!r} stands twice with two values")
            if size > LIMIT:
                raise _unreadable(db, f"it is larger than {LIMIT} characters, which no metadata is")
    return found


def _unreadable(db: Database, why: str) -> CaptureError:
    hint = "copy the file again from the machine that captured, or export the capture again"
    return CaptureError("settings_unreadable", why, where=f"{db.where}: {SCHEMA}", hint=hint)


def _parsed(db: Database, name: str, text: str) -> Any:
    """The JSON value of a text; a text that does not begin like JSON is a text."""
    bare = text.strip()
    if not bare.startswith(("{", "[", '"')) and bare not in ("true", "false", "null") and not _is_number(bare):
        return text
    whole = b'{"value": ' + bare.encode("utf-8", "surrogatepass") + b"}"
    value = parse_json(whole, f"{db.where}: {SCHEMA} {json.dumps(name)[1:-1]}")
    if list(value) != ["value"]:
        raise _unreadable(db, f"the value of {name!r} is not whole JSON")
    return value["value"]


def _is_number(text: str) -> bool:
    return text.lstrip("-").replace(".", "", 1).isdigit() and text.isascii()


def _file(db: Database, kind: str, rank: int | None, values: dict[str, Any]) -> SettingsFile:
    try:
        rows = [row for row in flatten(values) if row[0]]
    except ValueError as fault:
        raise _unreadable(db, f"it is no settings table: {fault}") from fault
    return SettingsFile(
        kind=kind,
        place="",
        rank=rank,
        record=db.file,
        values=tuple((key, text) for key, text, _ in rows),
        types=tuple(type_ for _, _, type_ in rows),
    )
