"""Comma-separated tables and literal Python of result files, bounded, numbers as written.

Result files come from strangers. Sizes, nesting and numbers of cells are limited before anything is built; a number
stays the text it was, so that its digits say how finely it was written.
"""

from __future__ import annotations

import ast
import csv
import io
import re
import warnings
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

from reportgen.digests import read_whole
from reportgen.errors import CaptureError
from reportgen.model import FileRecord, Reason
from reportgen.plain import printable
from reportgen.run_logs.text import Digits, Log, redacted

LIMIT = 32 << 20
"""Bytes of one result file; a list of a million latencies is 20 MB."""
DEEPEST = 24
"""Levels of nesting; the deepest result file seen has six."""
CELLS = 200_000
"""Cells of one table; the largest seen has 160."""
COLUMNS = 400
"""Columns of one table; the widest seen has 18."""
SOURCE_LIMIT = 1 << 20
"""Bytes of a dumped configuration; those seen are under 10 kB."""
_BRACKET = re.compile(rb"[\[\](){}]")
HINT = "copy the file again from the machine that measured"


def unreadable(where: str, message: str) -> NoReturn:
    """Refuse a result file.

    Raises:
        CaptureError: ``log_unreadable``, always.
    """
    raise CaptureError("log_unreadable", message, where=where, hint=HINT)


def no_figure(text: str, locator: str, where: str) -> NoReturn:
    """Refuse a cell that holds no number.

    Raises:
        CaptureError: ``log_value``, always.
    """
    raise CaptureError(
        "log_value",
        f"{redacted(text)[:60]!r} is no such figure",
        where=f"{where}: {locator}",
        hint="give the file as its tool wrote it",
    )


def two_runs(where: str, message: str) -> NoReturn:
    """Refuse a file that holds two runs which cannot be told apart.

    Raises:
        CaptureError: ``log_mixed``, always.
    """
    raise CaptureError("log_mixed", message, where=where, hint="give the log of one run and of one rank")


JUDGED = ("step_time", "throughput")
"""Metrics that goals rest on: one of them that is no number above 0 leaves its log not whole."""


def only(log: Log) -> Any:
    """The one JSON value of a file.

    Raises:
        CaptureError: ``log_unreadable``: there is none; ``log_mixed``: there are several; as ``Log.objects``.
    """
    found = list(islice(log.objects(), 2))
    if not found:
        unreadable(log.at(), "holds no JSON")
    if len(found) > 1:
        two_runs(log.at(found[1][0]), "begins a second result in one file")
    return found[0][1]


def broken(key: str, lines: Sequence[int]) -> Reason:
    """Why a log whose lines give no number above 0 under a key is not whole."""
    return Reason.of("log_figures_unreadable", key=key, n=len(lines), line=lines[0])


def said_once(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Keys and values of a line; a key that stands twice, otherwise, is left out."""
    found: dict[str, str] = {}
    twice = set()
    for key, value in pairs:
        if found.setdefault(key, value) != value:
            twice.add(key)
    return {key: value for key, value in found.items() if key not in twice}


def _depth(data: bytes) -> int:
    """The deepest nesting of brackets, those inside strings counted too."""
    depth = deepest = 0
    for bracket in _BRACKET.finditer(data):
        if bracket.group() in b"[{(":
            depth += 1
            deepest = max(deepest, depth)
        else:
            depth -= 1
    return deepest


def read_below(path: Path, root: Path, *, limit: int = LIMIT) -> tuple[bytes, FileRecord]:
    """The bytes of a file of a folder of results, and its record under its path from the folder, shown harmless.

    Raises:
        CaptureError: as ``digests.read_whole``.
    """
    data, digest = read_whole(path, root, limit=limit)
    return data, FileRecord(path=printable(path.relative_to(root).as_posix()), size=len(data), digest=digest)


def table(data: bytes, where: str) -> tuple[list[str], list[list[str]]]:
    """The header and the rows of a comma-separated table, cells stripped, rows as wide as the header.

    A table whose last row has no line end is refused: a figure may be cut and still be one.

    Raises:
        CaptureError: ``log_unreadable``: not UTF-8, no header, a column twice, ragged, or far too large.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        unreadable(where, f"is not UTF-8: {fault}")
    first = text.partition("\n")[0]
    if first.count(",") >= COLUMNS:
        unreadable(f"{where}:1", f"has more than {COLUMNS} columns")
    header: list[str] = []
    rows: list[list[str]] = []
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for cells in reader:
            if not cells:
                continue
            if not header:
                header = [cell.strip() for cell in cells]
                continue
            if len(cells) != len(header):
                unreadable(f"{where}:{reader.line_num}", f"has {len(cells)} cells, its header {len(header)}")
            rows.append([cell.strip() for cell in cells])
            if len(rows) * len(header) > CELLS:
                unreadable(f"{where}:{reader.line_num}", f"has more than {CELLS} cells")
    except csv.Error as fault:
        unreadable(f"{where}:{reader.line_num}", f"is no readable table: {fault}")
    if not header:
        unreadable(where, "is empty")
    if not text.endswith(("\n", "\r")):
        unreadable(f"{where}:{reader.line_num}", "ends within a row: its last figure may be cut")
    if len(set(header)) != len(header):
        unreadable(f"{where}:1", "names a column twice")
    return header, rows


def _literal(node: ast.expr | None, lines: list[bytes]) -> Any:
    """A literal, ``dict(...)`` with names included; a number as ``Digits``; None for anything else."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            return node.value
        return Digits(lines[node.lineno - 1][node.col_offset : node.end_col_offset].decode("utf-8", "replace"))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        inner = _literal(node.operand, lines)
        return Digits(f"-{inner}") if isinstance(inner, Digits) else None
    if isinstance(node, ast.List | ast.Tuple):
        return [_literal(item, lines) for item in node.elts]
    if isinstance(node, ast.Dict):
        named = ((_literal(key, lines), value) for key, value in zip(node.keys, node.values, strict=True))
        return {key: _literal(value, lines) for key, value in named if isinstance(key, str)}
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict" and not node.args:
        return {word.arg: _literal(word.value, lines) for word in node.keywords if word.arg is not None}
    return None


def _parsed(text: str, where: str) -> tuple[ast.Module, list[bytes]]:
    """The syntax tree of a text and its lines as the tree counts them."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    raw = text.encode("utf-8", "replace")
    if _depth(raw) > DEEPEST:
        unreadable(where, f"is nested more than {DEEPEST} levels deep")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text), raw.split(b"\n")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as fault:
        unreadable(where, f"is no readable Python: {type(fault).__name__}")


def assignments(data: bytes, where: str) -> dict[str, Any]:
    """The names a dumped Python configuration assigns literals to; nothing of it is run or imported.

    Returns:
        name -> value; what is no literal is None. The last assignment of a name counts.

    Raises:
        CaptureError: ``log_unreadable``: not UTF-8, not Python, nested too deep.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        unreadable(where, f"is not UTF-8: {fault}")
    tree, lines = _parsed(text, where)
    found: dict[str, Any] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = _literal(node.value, lines)
    return found


def literal_dict(text: str, where: str) -> dict[str, Any]:
    """A dictionary as Python prints it (``{'loss': 1.5}``); numbers as ``Digits``.

    Raises:
        CaptureError: ``log_unreadable``: no such literal, or nested too deep.
    """
    tree, lines = _parsed(text.strip(), where)
    first = tree.body[0] if len(tree.body) == 1 else None
    value = _literal(first.value, lines) if isinstance(first, ast.Expr) else None
    if not isinstance(first, ast.Expr) or not isinstance(first.value, ast.Dict) or not isinstance(value, dict):
        unreadable(where, "is no dictionary")
    keys = [key.value for key in first.value.keys if isinstance(key, ast.Constant)]
    if len(set(keys)) != len(keys):
        unreadable(where, "names a key twice")
    return value
