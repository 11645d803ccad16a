"""The configuration files of a capture, flattened to keys and texts.

Flattening: nested objects by dots; a list of objects as ``key.[].inner`` (of several objects a JSON list, and their
number as ``key.[]``); a list of scalars, an empty list and an empty object are one value, compact JSON.
Numbers keep their digits. ``parallel_group_info`` becomes the sorted multiset of group name and global ranks, since its
own names change from run to run. Source: docs/formats.md 2.1-2.5 and 11.2-11.3.
"""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

from reportgen.digests import read_whole
from reportgen.errors import CaptureError
from reportgen.model import FileRecord, SettingsFile
from reportgen.plain import printable
from reportgen.reading import layouts

DEEPEST = 32
"""Levels of nesting; the deepest settings file seen has five."""
LIMIT = 16 << 20
"""Bytes; the largest settings file seen is under 4 kB."""


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"key {printable(key)!r} stands twice")
        found[key] = value
    return found


def parse_json(data: bytes, where: str) -> dict[str, Any]:
    """The object in the bytes of a settings file.

    Raises:
        CaptureError: ``settings_unreadable`` with line and column: not UTF-8, not JSON, cut, a key twice, not an
            object, nested too deep.
    """
    hint = "copy the file again from the machine that captured, or give a capture whose settings are whole"
    try:
        value = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_no_duplicates, parse_float=Decimal)
    except json.JSONDecodeError as fault:
        raise CaptureError(
            "settings_unreadable",
            f"is not whole JSON: {fault.msg}",
            where=f"{where}:{fault.lineno}:{fault.colno}",
            hint=hint,
        ) from fault
    except (UnicodeDecodeError, ValueError, RecursionError) as fault:
        raise CaptureError("settings_unreadable", f"is not readable JSON: {fault}", where=where, hint=hint) from fault
    if not isinstance(value, dict):
        raise CaptureError("settings_unreadable", "is JSON but no object", where=where, hint=hint)
    return value


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, int | Decimal):
        return str(value)
    return printable(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str))


def _type(value: Any) -> str:
    """The JSON type of a value in one letter, so that "1" and 1 are told apart where no row grades the key."""
    for letter, types in (("b", bool), ("s", str), ("n", int | Decimal), ("o", dict), ("l", list)):
        if isinstance(value, types):
            return letter
    return "0"


def _name(key: str) -> str:
    """A key as one part of a path: its own dots and brackets are escaped."""
    return printable(key).replace(".", "\\x2e").replace("[", "\\x5b")


def flatten(value: Any, prefix: str = "", depth: int = 0) -> list[tuple[str, str, str]]:
    """(key path, canonical text, type letter) in the file's order.

    Raises:
        ValueError: nested deeper than ``DEEPEST``.
    """
    if depth > DEEPEST:
        raise ValueError(f"nested deeper than {DEEPEST} levels")
    if isinstance(value, dict) and value:
        return [
            row
            for key, inner in value.items()
            for row in flatten(inner, f"{prefix}.{_name(key)}" if prefix else _name(key), depth + 1)
        ]
    if isinstance(value, list) and value and all(isinstance(item, dict) and item for item in value):
        return _flatten_list(value, prefix, depth)
    return [(prefix, _scalar(value), _type(value))]


def _flatten_list(items: list[Any], prefix: str, depth: int) -> list[tuple[str, str, str]]:
    """A list of objects: one row a key; of several objects the values of each, and how many there are."""
    if len(items) == 1:
        return flatten(items[0], f"{prefix}.[]", depth + 1)
    flat = [{key: (text, type_) for key, text, type_ in flatten(item, f"{prefix}.[]", depth + 1)} for item in items]
    keys = dict.fromkeys(key for item in flat for key in item)
    rows = [(f"{prefix}.[]", str(len(items)), "n")]
    for key in keys:
        texts = [item[key][0] if key in item else None for item in flat]
        types = "".join(item[key][1] if key in item else "-" for item in flat)
        rows.append((key, json.dumps(texts, ensure_ascii=False, separators=(",", ":")), types))
    return rows


def group_sets(value: Any) -> Any:
    """The multiset of (group name, global ranks) of parallel_group_info; anything else unchanged."""
    if not isinstance(value, dict):
        return value
    rows = []
    for group in value.values():
        if not isinstance(group, dict) or not isinstance(group.get("global_ranks"), list):
            return value
        rows.append(f"{_scalar(group.get('group_name'))}[{_ranks(group['global_ranks'])}]")
    return " ".join(sorted(rows))


def communicators(value: Any) -> tuple[tuple[str, str, str], ...]:
    """(communicator, group name, global ranks) of parallel_group_info; empty for anything else."""
    if not isinstance(value, dict):
        return ()
    return tuple(
        (printable(key), _scalar(group.get("group_name")), _ranks(group["global_ranks"]))
        for key, group in value.items()
        if isinstance(group, dict) and isinstance(group.get("global_ranks"), list)
    )


def _ranks(values: list[Any]) -> str:
    return ",".join(sorted((_scalar(rank) for rank in values), key=lambda text: (len(text), text)))


def read_settings_file(path: Path, root: Path, *, kind: str, place: str, rank: int | None, shown: str) -> SettingsFile:
    """One configuration file, flattened.

    Raises:
        CaptureError: ``settings_unreadable`` or what ``digests.read_whole`` raises.
    """
    data, digest = read_whole(path, root, limit=LIMIT)
    where = printable(str(path))
    value = parse_json(data, where)
    groups = communicators(value.get("parallel_group_info"))
    if "parallel_group_info" in value:
        value["parallel_group_info"] = group_sets(value["parallel_group_info"])
    try:
        rows = [row for row in flatten(value) if row[0]]
    except ValueError as fault:
        raise CaptureError("settings_unreadable", f"is no settings file: {fault}", where=where) from fault
    return SettingsFile(
        kind=kind,
        place=place,
        rank=rank,
        record=FileRecord(path=shown, size=len(data), digest=digest),
        values=tuple((key, text) for key, text, _ in rows),
        types=tuple(type_ for _, _, type_ in rows),
        groups=groups,
    )


def prof_files(directory: Path) -> list[tuple[str, str, Path]]:
    """(kind, place, path) of the configuration files of a PROF directory that are there, host first."""
    found: list[tuple[str, str, Path]] = []
    for place in [directory / "host", *layouts.children(directory, "device_*")]:
        if not place.is_dir():
            continue
        number = place.name.removeprefix("device_") if place.name != "host" else ""
        suffix = f".{number}" if number else ""
        for kind, name in (
            ("sample.json", "sample.json"),
            ("info.json", f"info.json{suffix}"),
            ("start_info", f"start_info{suffix}"),
            ("end_info", f"end_info{suffix}"),
        ):
            if (place / name).is_file():
                found.append((kind, place.name, place / name))
    return found


def torch_files(directory: Path) -> list[tuple[str, str, Path]]:
    """(kind, place, path) of the configuration files of a torch_npu directory and of its inner PROF directory."""
    found = [("profiler_info.json", "", path) for path in layouts.children(directory, "profiler_info*.json")]
    metadata = directory / "profiler_metadata.json"
    if metadata.is_file():
        found.append(("profiler_metadata.json", "", metadata))
    for prof in layouts.children(directory, "PROF_*"):
        found += prof_files(prof)
    return found
