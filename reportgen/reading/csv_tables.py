"""The csv tables, read exactly and strictly.

pyarrow streams the file in 1 MB blocks through a hashing reader, so the digest is that of the bytes that were parsed.
Every column is read as text; times become integer nanoseconds by their digits (never by floats: one ulp of a 16-digit
microsecond stamp is 0.25 us), and what is no number is an error with its line. A ragged row, a row cut short, an open
quote or a stamp destroyed by a spreadsheet (``1.69512E+15``) is an error; a last line without a line end is read and
marked as doubtful. Source: docs/formats.md 3 and 11.5-11.6.
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportgen.digests import HashingFile
from reportgen.errors import CaptureError
from reportgen.model import FileRecord, Reason
from reportgen.plain import printable

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import pyarrow as pa

BLOCK = 1 << 20
TIME = r"^-?[0-9]{1,18}(\.[0-9]{1,3}0*)?$"
DURATION = r"^-?[0-9]{1,12}(\.[0-9]{1,9})?$"
INTEGER = r"^-?[0-9]{1,18}(\.0+)?$"
NULLS = ("N/A", "")
LATEST = 4 * 10**18
"""Nanoseconds; a stamp beyond is no stamp, and its end would not fit 64 bits."""
_PLAIN = re.compile(r"-?[0-9]{1,30}(\.[0-9]{1,30})?(e-[0-9]{1,2})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column to read."""

    name: str
    """Canonical name."""
    headers: tuple[str, ...]
    """Accepted headers, newest first."""
    required: bool = True
    """Whether the table is of no use without it."""
    text: bool = True
    """Category of text, or text to be parsed as a number by the caller."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """A csv file as read: text columns and what is known of the file."""

    columns: dict[str, pa.ChunkedArray]
    """Canonical name -> strings (dictionary-encoded where ``Column.text``), trimmed by their users."""
    header: tuple[str, ...]
    """Header as written."""
    headers: dict[str, str]
    """Canonical name -> header it was read from."""
    rows: int
    """Data rows."""
    file: FileRecord
    """The file."""
    where: str
    """Path for messages."""
    warnings: tuple[Reason, ...]
    """Doubts."""


def _header(path: Path, root: Path) -> tuple[str, ...]:
    with HashingFile(path, root) as file:
        first = file.read(BLOCK) or b""
    line = first.decode("utf-8-sig", "replace")
    rows = csv.reader(io.StringIO(line))
    try:
        return tuple(cell.strip() for cell in next(rows, []))
    except csv.Error:
        return ()


def locate_fault(path: Path, root: Path) -> tuple[int, str] | None:
    """The first row whose cells are not as many as the header's, as (line, what is wrong); None when there is none."""
    limit = csv.field_size_limit(BLOCK * 16)
    try:
        with (
            HashingFile(path, root) as file,
            io.TextIOWrapper(io.BufferedReader(file), "utf-8-sig", newline="") as text,
        ):
            rows = csv.reader(text)
            width = len(next(rows, []))
            for row in rows:
                if row and len(row) != width:
                    return rows.line_num, f"has {len(row)} cells, the header has {width}"
    except UnicodeDecodeError as fault:
        return 0, f"is not UTF-8 ({fault.reason})"
    except csv.Error as fault:
        return rows.line_num, str(fault)
    finally:
        csv.field_size_limit(limit)
    return None


def line_of(path: Path, root: Path, index: int) -> int:
    """The line of the file on which data row ``index`` (from 0) begins, counting line breaks inside quotes."""
    with (
        HashingFile(path, root) as file,
        io.TextIOWrapper(io.BufferedReader(file), "utf-8-sig", "replace", newline="") as text,
    ):
        rows = csv.reader(text)
        try:
            next(rows, None)
            seen, before = -1, rows.line_num
            for row in rows:
                if row:
                    seen += 1
                if seen == index and row:
                    return before + 1
                before = rows.line_num
        except csv.Error:
            pass
    return index + 2


def _pick(header: tuple[str, ...], columns: tuple[Column, ...], where: str, table: str) -> dict[str, str]:
    picked: dict[str, str] = {}
    for column in columns:
        found = [name for name in column.headers if name in header]
        if found and header.count(found[0]) > 1:
            raise CaptureError(f"{table}_columns", f"column {found[0]!r} stands twice", where=f"{where}:1")
        if found:
            picked[column.name] = found[0]
        elif column.required:
            raise CaptureError(
                f"{table}_columns",
                f"column {column.headers[0]!r} is missing",
                where=f"{where}:1",
                hint="export the capture again; a file edited by hand is not read",
            )
    return picked


def read(path: Path, root: Path, columns: tuple[Column, ...], *, table: str, shown: str) -> Raw:
    """Read the named columns of a csv file as text.

    Args:
        path: the file; root: the directory it must lie in.
        columns: what to read; others are skipped but must be well-formed.
        table: prefix of error codes, for example ``kernel_table``.
        shown: path for the file record.

    Raises:
        CaptureError: ``<table>_empty``, ``<table>_header_only``, ``<table>_columns``, ``<table>_ragged``,
            ``<table>_unreadable``, each with file and line; ``file_changed`` and kin.
    """
    import pyarrow as pa
    from pyarrow import csv as pacsv

    where = printable(str(path))
    header = _header(path, root)
    if not header or header == ("",):
        raise CaptureError(f"{table}_empty", "is empty", where=f"{where}:1", hint="export the capture again")
    picked = _pick(header, columns, where, table)
    kinds = {c.name: pa.dictionary(pa.int32(), pa.string()) if c.text else pa.string() for c in columns}
    names = [f"c{index}" for index in range(len(header))]
    position = {name: names[header.index(head)] for name, head in picked.items()}
    with HashingFile(path, root) as file:
        try:
            with pacsv.open_csv(
                pa.PythonFile(file, mode="r"),
                read_options=pacsv.ReadOptions(block_size=BLOCK, use_threads=False, column_names=names, skip_rows=1),
                parse_options=pacsv.ParseOptions(newlines_in_values=True),
                convert_options=pacsv.ConvertOptions(
                    include_columns=list(dict.fromkeys(position.values())),
                    column_types={position[name]: kinds[name] for name in position},
                    strings_can_be_null=False,
                    quoted_strings_can_be_null=False,
                    null_values=[],
                ),
            ) as stream:
                data = stream.read_all()
            digest = file.finish()
        except pa.ArrowInvalid as fault:
            raise _unreadable(path, root, where, table, str(fault)) from fault
        size, last = file.size, file.last_byte
    if data.num_rows == 0:
        raise CaptureError(
            f"{table}_header_only",
            "holds a header and no row",
            where=f"{where}:1",
            hint="export the capture again, or capture again: a table without rows is no measurement",
        )
    warnings: tuple[Reason, ...] = ()
    if last != b"\n":
        _refuse_open_quote(path, root, where, table)
        warnings = (Reason.of("last_line_without_end", file=shown),)
    return Raw(
        columns={name: data.column(column) for name, column in position.items()},
        header=header,
        headers=picked,
        rows=data.num_rows,
        where=where,
        warnings=warnings,
        file=FileRecord(path=shown, size=size, digest=digest),
    )


def _unreadable(path: Path, root: Path, where: str, table: str, text: str) -> CaptureError:
    fault = locate_fault(path, root)
    hint = "export the capture again; a table that was cut or edited is not read"
    if fault is not None:
        line, what = fault
        return CaptureError(f"{table}_ragged", f"row {what}", where=f"{where}:{line}" if line else where, hint=hint)
    if "Empty CSV" in text:
        return CaptureError(f"{table}_header_only", "holds a header and no row", where=f"{where}:1", hint=hint)
    return CaptureError(f"{table}_unreadable", f"cannot be parsed: {printable(text)[:200]}", where=where, hint=hint)


def _refuse_open_quote(path: Path, root: Path, where: str, table: str) -> None:
    quotes, lines = 0, 0
    with HashingFile(path, root) as file:
        while block := file.read(BLOCK):
            quotes += block.count(b'"')
            lines += block.count(b"\n")
    if quotes % 2:
        raise CaptureError(
            f"{table}_ragged",
            "row is cut inside a quoted cell",
            where=f"{where}:{lines + 1}",
            hint="export the capture again",
        )


# ------------------------------------------------------------------------------------------------ columns to numbers
def text_category(raw: Raw, name: str, default: str = "N/A", nulls: tuple[str, ...] = ()) -> pd.Categorical:
    """A text column as a pandas Categorical of trimmed, printable texts without one pair of outer quotes.

    ``default`` fills a column that the file does not have, and stands for the texts in ``nulls``.
    """
    import numpy as np

    if name not in raw.columns:
        return categorical(np.zeros(raw.rows, dtype="int32"), [default])
    combined = raw.columns[name].combine_chunks() if raw.columns[name].num_chunks != 1 else raw.columns[name].chunk(0)
    texts = [bare(value) for value in combined.dictionary.to_pylist()]
    values = [default if value in nulls else value for value in texts] if nulls else texts
    codes = combined.indices.to_numpy(zero_copy_only=False)
    where: dict[str, int] = {}
    remap = np.array([where.setdefault(value, len(where)) for value in values] or [0], dtype="int32")
    unique = list(where)
    return categorical(remap[codes] if len(codes) else codes, unique)


def categorical(codes: np.ndarray[Any, Any], texts: list[str]) -> pd.Categorical:
    """Codes into texts as a pandas Categorical."""
    import pandas as pd

    made: Any = pd.Categorical
    found: pd.Categorical = made.from_codes(codes, categories=pd.Index(texts, dtype=object))
    return found


def bare(value: str) -> str:
    """A text trimmed, without one pair of outer quotes, and printable."""
    if value.isalnum():
        return value
    text = value.strip()
    if len(text) >= 2 and text[0] == text[-1] == '"':
        text = text[1:-1]
    return printable(text)


def integers(
    raw: Raw, name: str, root: Path, path: Path, *, pattern: str, scale: int, table: str, nulls: tuple[str, ...] = ()
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """A numeric text column as exact int64 of 10**-scale of what is written, and a mask of missing cells.

    Args:
        pattern: the digits accepted; anything else is an error with its line.
        scale: decimal places kept exactly; more non-zero places are an error.
        nulls: texts that mean "no value"; their cells are 0 in the result and True in the mask.

    Raises:
        CaptureError: ``<table>_value`` with file, line, column and the text.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    text = pc.utf8_trim_whitespace(raw.columns[name])
    missing = pc.is_in(text, value_set=pa.array(list(nulls), type=pa.string())) if nulls else None
    good = pc.match_substring_regex(text, pattern=pattern)
    if missing is not None:
        good = pc.or_(good, missing)
        text = pc.if_else(missing, "0", text)
    bad = pc.index(good, False).as_py()
    if bad >= 0:
        raise _bad_value(raw, name, bad, root, path, table)
    try:
        decimal = pc.cast(
            pc.replace_substring_regex(text, pattern=r"(\.\d*?)0+$", replacement=r"\1"), pa.decimal128(38, scale)
        )
    except pa.ArrowInvalid as fault:
        raise CaptureError(
            f"{table}_value",
            f"column {raw.headers[name]!r} holds more than {scale} decimals",
            where=raw.where,
            hint="export the capture again",
        ) from fault
    array = decimal.combine_chunks() if isinstance(decimal, pa.ChunkedArray) else decimal
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks)
    words = np.frombuffer(array.buffers()[1], dtype=np.int64)[2 * array.offset : 2 * (array.offset + len(array))]
    over = np.flatnonzero(words[1::2] != words[0::2] >> 63)
    if len(over):
        raise _bad_value(raw, name, int(over[0]), root, path, table)
    mask = missing.to_numpy() if missing is not None else np.zeros(len(array), dtype=bool)
    return words[0::2].copy(), np.asarray(mask, dtype=bool)


def _bad_value(raw: Raw, name: str, index: int, root: Path, path: Path, table: str) -> CaptureError:
    text = raw.columns[name][index].as_py()
    line = line_of(path, root, index)
    return CaptureError(
        f"{table}_value",
        f"column {raw.headers[name]!r} holds {printable(text.strip())!r}, which is no such number",
        where=f"{raw.where}:{line}",
        hint="export the capture again; a file edited by hand is not read",
    )


def nanoseconds(raw: Raw, name: str, root: Path, path: Path, *, table: str) -> np.ndarray[Any, Any]:
    """A column of microsecond stamps as int64 nanoseconds; no cell may be missing."""
    import numpy as np

    values, _ = integers(raw, name, root, path, pattern=TIME, scale=3, table=table)
    late = np.flatnonzero((values > LATEST) | (values < 0))
    if len(late):
        raise _bad_value(raw, name, int(late[0]), root, path, table)
    return values


def durations(
    raw: Raw, name: str, root: Path, path: Path, *, table: str
) -> tuple[np.ndarray[Any, Any], tuple[Reason, ...]]:
    """A column of microsecond durations as int64 nanoseconds, none negative.

    Digits finer than a nanosecond (torch_npu of 2023) are rounded half to even and reported.

    Raises:
        CaptureError: ``<table>_value`` for text, ``<table>_negative`` for a negative duration, with the line.
    """
    import numpy as np

    fine, _ = integers(raw, name, root, path, pattern=DURATION, scale=6, table=table)
    negative = np.flatnonzero(fine < 0)
    if len(negative):
        bad = int(negative[0])
        text = raw.columns[name][bad].as_py().strip()
        raise CaptureError(
            f"{table}_negative",
            f"column {raw.headers[name]!r} holds {printable(text)!r}: a duration is never negative",
            where=f"{raw.where}:{line_of(path, root, bad)}",
            hint="export the capture again",
        )
    whole, rest = np.divmod(fine, 1000)
    if not rest.any():
        return whole, ()
    up = (rest > 500) | ((rest == 500) & (whole % 2 == 1))
    return whole + up, (Reason.of("sub_ns_digits", column=raw.headers[name], file=raw.file.path),)


def fraction(text: str) -> Fraction | None:
    """A cell as an exact number; None when it is empty, N/A or no plain number of at most 30 digits."""
    stripped = text.strip()
    return Fraction(stripped) if _PLAIN.fullmatch(stripped) else None
