"""Small named edits of a written capture, in place: one fault at a time, every other byte as it was.

JSON is spliced as text (the collector's one line, torch_npu's indented lines stay what they are); csv lines are
cut at their own line ends (LF or CRLF) and cells keep their quoting. Row numbers count data rows from 0 and may be
negative, as in Python.
"""

# ruff: noqa: TID252  (tests import this as captures, the command line as tests.captures)
from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from .formats import raw_cell

KeyPath = tuple[str | int, ...]
STEP_FILES = ("kernel_details.csv", "step_trace_time.csv", "communication.json", "trace_view.json")
"""Where a step can be seen."""
_DECODER = json.JSONDecoder()
_BLANKS = re.compile(r"[ \t\n\r]*")


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def _write(path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8"))


# --- JSON -------------------------------------------------------------------------------------------------------------


class _Member:
    """Where one member of an object or element of an array lies in the text: key start, value start, end."""

    def __init__(self, key: str | int, low: int, value: int, high: int) -> None:
        self.key, self.low, self.value, self.high = key, low, value, high


def _skip(text: str, at: int) -> int:
    match = _BLANKS.match(text, at)
    return match.end() if match else at


def _members(text: str, at: int) -> list[_Member]:
    """The members of the object or array whose bracket is at `at`."""
    if text[at] not in "{[":
        raise KeyError(f"no object or array: {text[at : at + 20]}")
    found: list[_Member] = []
    named, at = text[at] == "{", _skip(text, at + 1)
    while text[at] not in "}]":
        low, key = at, len(found)
        if named:
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        _, high = _DECODER.raw_decode(text, at)
        found.append(_Member(key, low, at, high))
        at = _skip(text, high)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return found


def _find(text: str, keys: KeyPath) -> tuple[int, list[_Member], _Member | None]:
    """Start of the container of the last key, its members, and the member (None when it is not there)."""
    container = _skip(text, 0)
    for depth, key in enumerate(keys):
        members = _members(text, container)
        member = next((one for one in members if one.key == key), None)
        if depth == len(keys) - 1:
            return container, members, member
        if member is None:
            raise KeyError(keys[: depth + 1])
        container = member.value
    raise KeyError(keys)


def _present(member: _Member | None, path: Path, keys: KeyPath) -> _Member:
    if member is None:
        raise KeyError(f"{path}: {keys}")
    return member


def set_json(path: Path, keys: KeyPath, value: object) -> None:
    """Give a key that is there another value."""
    text = _read(path)
    member = _present(_find(text, keys)[2], path, keys)
    _write(path, text[: member.value] + json.dumps(value, ensure_ascii=False) + text[member.high :])


def delete_json_key(path: Path, keys: KeyPath) -> None:
    """Take a key (or an array element) out, with one comma."""
    text = _read(path)
    container, members, found = _find(text, keys)
    member = _present(found, path, keys)
    index = members.index(member)
    if index + 1 < len(members):
        low, high = member.low, members[index + 1].low
    elif index:
        low, high = members[index - 1].high, member.high
    else:
        low, high = container + 1, text.index("]" if text[container] == "[" else "}", member.high)
    _write(path, text[:low] + text[high:])


def add_json_key(path: Path, keys: KeyPath, value: object) -> None:
    """Put a new key at the end of its object, with the separators that object uses."""
    text = _read(path)
    container, members, member = _find(text, keys)
    if member is not None or text[container] != "{":
        raise KeyError(f"{path}: {keys} is there, or its container is no object")
    spaced = ": " if '": ' in text else ":"
    new = json.dumps(keys[-1], ensure_ascii=False) + spaced + json.dumps(value, ensure_ascii=False)
    if not members:
        _write(path, text[: container + 1] + new + text[container + 1 :])
        return
    blanks = text[container + 1 : members[0].low]
    between = text[members[0].high : members[1].low] if len(members) > 1 else f",{blanks}"
    last = members[-1].high
    _write(path, text[:last] + between + new + text[last:])


# --- files ------------------------------------------------------------------------------------------------------------


def drop_file(path: Path) -> None:
    """Remove one file."""
    path.unlink()


def empty_file(path: Path) -> None:
    """Leave the file with 0 bytes."""
    path.write_bytes(b"")


# --- csv --------------------------------------------------------------------------------------------------------------


def lines(path: Path) -> list[str]:
    """Header and data rows with their line ends; a quoted cell may run over several physical lines."""
    found: list[str] = []
    for piece in _read(path).splitlines(keepends=True):
        if found and found[-1].count('"') % 2:
            found[-1] += piece
        else:
            found.append(piece)
    return found


def cells(line: str) -> list[str]:
    """The cells of a row as they stand in the file: quotes and TABs included, line end left out."""
    row = line.rstrip("\r\n")
    if '"' not in row:
        return row.split(",")
    found, quoted = [""], False
    for sign in row:
        quoted ^= sign == '"'
        if sign == "," and not quoted:
            found.append("")
        else:
            found[-1] += sign
    return found


def _rows(path: Path) -> tuple[str, list[str]]:
    header, *rows = lines(path)
    return header, rows


def rows_of(path: Path) -> list[dict[str, str]]:
    """Data rows by column name, cells as csv reads them, TABs stripped."""
    with path.open(encoding="utf-8", newline="") as file:
        return [{key: (cell or "").strip() for key, cell in row.items()} for row in csv.DictReader(file)]


def header_only(path: Path) -> None:
    """Keep the header line."""
    _write(path, _rows(path)[0])


def cut_inside_row(path: Path, row: int) -> None:
    """End the file in the middle of a row, as a full disk does."""
    header, rows = _rows(path)
    at = range(len(rows))[row]
    _write(path, header + "".join(rows[:at]) + rows[at][: len(rows[at].rstrip("\r\n")) // 2])


def cut_at_row_end(path: Path, kept: int) -> None:
    """Keep the first `kept` data rows: a short file that reads well."""
    header, rows = _rows(path)
    _write(path, header + "".join(rows[:kept]))


def set_cell(path: Path, row: int, column: str, text: str) -> None:
    """Give one cell another text, quoted when it must be; a TAB at the end of the old cell stays."""
    header, rows = _rows(path)
    at = range(len(rows))[row]
    position = cells(header).index(column)
    found = cells(rows[at])
    tab = "\t" if found[position].endswith("\t") and not text.endswith("\t") else ""
    found[position] = raw_cell(text) + tab
    end = rows[at][len(rows[at].rstrip("\r\n")) :]
    rows[at] = ",".join(found) + end
    _write(path, header + "".join(rows))


def set_column(path: Path, column: str, change: Callable[[Mapping[str, str]], str]) -> None:
    """Give a column another text in every row; `change` sees the row as csv reads it."""
    for index, row in enumerate(rows_of(path)):
        set_cell(path, index, column, change(row))


def drop_rows(path: Path, chosen: Callable[[Mapping[str, str]], bool]) -> None:
    """Remove the data rows for which `chosen` holds; it sees a row by column name, TABs stripped."""
    header, rows = _rows(path)
    kept = [line for line, row in zip(rows, rows_of(path), strict=True) if not chosen(row)]
    _write(path, header + "".join(kept))


def drop_column(path: Path, column: str) -> None:
    """Remove a column from header and rows."""
    position = cells(lines(path)[0]).index(column)
    changed = []
    for line in lines(path):
        found = cells(line)
        del found[position]
        changed.append(",".join(found) + line[len(line.rstrip("\r\n")) :])
    _write(path, "".join(changed))


# --- captures ---------------------------------------------------------------------------------------------------------


def find(capture: Path, name: str) -> Path:
    """The one file of a capture whose name starts with `name`, such as "op_summary" or "profiler_info".

    Raises:
        LookupError: None, or several.
    """
    found = sorted(path for path in capture.rglob(f"{name}*") if path.is_file())
    if len(found) != 1:
        raise LookupError(f"{capture}: {len(found)} files {name}*")
    return found[0]


def drop_step(capture: Path, step: int, files: tuple[str, ...] = STEP_FILES) -> None:
    """Remove one step from a `*_ascend_pt` directory, as if its records had been lost.

    Args:
        capture: The directory of one rank.
        step: Step id.
        files: Where it is removed; one name alone leaves the other tables as witnesses. The schedule, op_statistic
            and the memory tables always stay as they were.
    """
    output = capture / "ASCEND_PROFILER_OUTPUT"
    for name, column in (("kernel_details.csv", "Step Id"), ("step_trace_time.csv", "Step")):
        if name in files:
            drop_rows(output / name, lambda row, column=column: row[column] == str(step))  # type: ignore[misc]
    if "communication.json" in files and (output / "communication.json").exists():
        keys = (f"step{step}",)
        if _find(_read(output / "communication.json"), keys)[2] is not None:
            delete_json_key(output / "communication.json", keys)
    if "trace_view.json" in files and (output / "trace_view.json").exists():
        events = json.loads(_read(output / "trace_view.json"))
        at = next((i for i, event in enumerate(events) if event["name"] == f"ProfilerStep#{step}"), None)
        if at is not None:
            delete_json_key(output / "trace_view.json", (at,))


def drop_rank(parent: Path, rank: int) -> None:
    """Remove the directory of one rank, found by its recorded rank id.

    Raises:
        LookupError: No capture under `parent` has that rank.
    """
    for path in sorted(parent.glob("*_ascend_pt/profiler_info*.json")):
        if json.loads(_read(path)).get("rank_id") == rank:
            shutil.rmtree(path.parent)
            return
    raise LookupError(f"{parent}: no rank {rank}")
