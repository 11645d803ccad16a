"""report.json read back into a ``Report``: the inverse of ``serialize``, for a file that may come from anybody.

Every field is checked against the type hints of ``document``; fields that are not known are passed over. Quantities are
taken from their exact text, and a value that does not agree with it is refused. Texts stay as they stand: what is
printed of them is made harmless where it is printed.
"""

from __future__ import annotations

import json
import re
import types
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, Union, cast, get_args, get_origin

from reportgen import units
from reportgen.digests import read_whole, why_unreadable
from reportgen.errors import CaptureError, ReportgenError
from reportgen.model import Missing, MissingKind, Quantity, Reason
from reportgen.plain import printable
from reportgen.report import messages
from reportgen.report.document import SCHEMA_VERSION, Report
from reportgen.report.serialize import WHOLE, hints_of, pairs_of

NAMES = ("report.json", "data/report.json")
"""Where a directory holds its report: of ``report``, or of an evidence pack."""
LIMIT = 1 << 28
"""Bytes of the largest report.json that is read."""
HINT = "give the report.json that this version of reportgen wrote, or make the report again"

_EXACT = re.compile(r"(-?\d{1,600}(?:\.\d{1,600})?|-?\d{1,600}/\d{1,600})(?: (\S{1,4}))?")


class _WrongFieldError(Exception):
    """A place that does not hold what it should."""


def find(path: Path) -> Path:
    """The report.json that a path names.

    Raises:
        ReportgenError: ``report_not_found``.
    """
    if path.is_file():
        return path
    for name in NAMES:
        if (path / name).is_file():
            return path / name
    raise ReportgenError(
        "report_not_found",
        "is no report.json and no directory that holds one",
        where=printable(str(path)),
        hint="give report.json, or the directory that `reportgen report --out` wrote",
    )


def read_report(path: Path) -> Report:
    """The report that a file or directory holds.

    Raises:
        ReportgenError: ``report_not_found``; ``report_unreadable`` when it cannot be read, is too large or is no JSON;
            ``report_invalid`` when it is no report of this version.
    """
    file = find(path)
    where = printable(str(file))
    try:
        data, _digest = read_whole(file, file.resolve().parent, limit=LIMIT)
        found = json.loads(data.decode("utf-8"))
    except CaptureError as fault:
        raise ReportgenError("report_unreadable", fault.message, where=where, hint=HINT) from fault
    except OSError as fault:
        why = f"cannot be read: {why_unreadable(fault)}"
        raise ReportgenError("report_unreadable", why, where=where, hint=HINT) from fault
    except (RuntimeError, ValueError, RecursionError) as fault:
        why = "it is nested too deep" if isinstance(fault, RecursionError) else printable(str(fault))
        raise ReportgenError("report_unreadable", f"is no JSON text: {why}", where=where, hint=HINT) from fault
    return decode(found, where)


def decode(found: object, where: str) -> Report:
    """A report of parsed JSON.

    Args:
        found: what ``json.loads`` gave.
        where: what the error names as its place.

    Raises:
        ReportgenError: ``report_invalid``.
    """
    try:
        version = found.get("schema_version") if isinstance(found, dict) else None
        if version != SCHEMA_VERSION:
            raise _WrongFieldError(f"schema_version is not {SCHEMA_VERSION}")
        report = cast("Report", _value(found, Report, "report"))
        _check_origins(report)
    except _WrongFieldError as fault:
        message = f"is no report of this version: {printable(str(fault))}"
        raise ReportgenError("report_invalid", message, where=where, hint=HINT) from fault
    return report


def _check_origins(report: Report) -> None:
    """Every id of an origin that a number names is in the table."""
    known = {row.id for row in report.origins}

    def walk(value: object, path: str) -> None:
        if isinstance(value, tuple):
            for item in value:
                walk(item, path)
        elif is_dataclass(value) and not isinstance(value, type):
            for item in fields(value):
                held = getattr(value, item.name)
                if item.name == "origins" and all(isinstance(one, str) for one in held):
                    lacking = next((one for one in held if one not in known), None)
                    if lacking is not None:
                        raise _WrongFieldError(f"{path}.{item.name}: {lacking!r} is not in the table of origins")
                else:
                    walk(held, f"{path}.{item.name}")

    walk(report, "report")


# --------------------------------------------------------------------------------------------- values
def _value(found: object, hint: Any, path: str) -> Any:
    """The value that a type hint asks for."""
    arguments, origin = get_args(hint), get_origin(hint)
    if hint in (str, bool, int):
        if type(found) is not hint:
            raise _WrongFieldError(f"{path}: {hint.__name__} expected")
        return found
    if origin is Literal:
        if not isinstance(found, str) or found not in arguments:
            raise _WrongFieldError(f"{path}: one of {', '.join(map(str, arguments))} expected")
        return found
    if origin in (Union, types.UnionType):
        return _one_of(found, arguments, path)
    if isinstance(hint, type) and issubclass(hint, Enum):
        if not isinstance(found, str) or found not in {member.value for member in hint}:
            raise _WrongFieldError(f"{path}: one of {', '.join(member.value for member in hint)} expected")
        return hint(found)
    if origin is tuple:
        return _items(found, hint, path)
    return _object(found, hint, path)


def _one_of(found: object, choices: tuple[Any, ...], path: str) -> Any:
    """The choice that the value is of: null, what is missing, or the other."""
    if found is None:
        if type(None) in choices:
            return None
        raise _WrongFieldError(f"{path}: null is not expected")
    others = [choice for choice in choices if choice is not type(None)]
    if Missing in others:
        missing = isinstance(found, dict) and "missing" in found
        others = [choice for choice in others if (choice is Missing) == missing]
    return _value(found, others[0], path)


def _items(found: object, hint: Any, path: str) -> tuple[Any, ...]:
    """The items of a tuple; pairs of a name and a text or count stand as an object."""
    arguments = get_args(hint)
    pair = pairs_of(hint)
    if pair is not None and isinstance(found, dict):
        return tuple((_value(name, pair[0], path), _value(item, pair[1], f"{path}.{name}"))
                     for name, item in found.items())  # fmt: skip
    if not isinstance(found, list):
        raise _WrongFieldError(f"{path}: a list is expected")
    if arguments[1:] == (Ellipsis,):
        return tuple(_value(item, arguments[0], f"{path}[{index}]") for index, item in enumerate(found))
    if len(found) != len(arguments):
        raise _WrongFieldError(f"{path}: {len(arguments)} items are expected")
    return tuple(_value(item, kind, f"{path}[{index}]")
                 for index, (item, kind) in enumerate(zip(found, arguments, strict=True)))  # fmt: skip


def _object(found: object, kind: Any, path: str) -> Any:
    """A dataclass; fields that are not known are passed over, and those that its writer did not know are at default."""
    if not isinstance(found, dict):
        raise _WrongFieldError(f"{path}: an object is expected")
    special = _SPECIAL.get(kind)
    if special is not None:
        return special(found, path)
    hints = hints_of(kind)
    values = {}
    for item in fields(kind):
        if item.name not in found and item.metadata.get("added"):
            continue
        if item.name not in found:
            raise _WrongFieldError(f"{path}.{item.name} is missing")
        values[item.name] = _value(found[item.name], hints[item.name], f"{path}.{item.name}")
    return kind(**values)


def _text(found: dict[str, Any], name: str, path: str) -> str:
    if not isinstance(found.get(name), str):
        raise _WrongFieldError(f"{path}.{name}: text is expected")
    return str(found[name])


def _quantity(found: dict[str, Any], path: str) -> Quantity:
    """A quantity from its exact text; its rounded value has to be the nearest to it."""
    match = _EXACT.fullmatch(_text(found, "exact", path))
    unit = (match.group(2) or "1") if match else ""
    if match is None or unit not in units.BASE or (match.group(1).partition("/")[2] or "1").strip("0") == "":
        raise _WrongFieldError(f"{path}.exact: no exact quantity")
    value = units.exact(Fraction(match.group(1)))
    base = units.base_unit(unit)
    try:
        rounded = value if isinstance(value, int) and base in WHOLE else units.to_base(value, unit)
    except OverflowError as fault:
        raise _WrongFieldError(f"{path}.exact is too large") from fault
    if found.get("unit") != base or type(found.get("value")) not in (int, float) or found["value"] != rounded:
        raise _WrongFieldError(f"{path}: value and exact do not agree")
    return Quantity(value=value, unit=unit, written=_text(found, "written", path))


def _reason(found: dict[str, Any], path: str) -> Reason:
    """A reason whose sentence this version knows."""
    code, args = _text(found, "code", path), found.get("args")
    if code not in messages.REASONS:
        raise _WrongFieldError(f"{path}.code: {code!r} is not known to this version")
    if not isinstance(args, dict) or not all(isinstance(text, str) for text in args.values()):
        raise _WrongFieldError(f"{path}.args: names with texts are expected")
    return Reason(code=code, args=tuple(args.items()))


def _missing(found: dict[str, Any], path: str) -> Missing:
    return Missing(
        kind=_value(found.get("missing"), MissingKind, f"{path}.missing"),
        reason=_value(found.get("reason"), Reason, f"{path}.reason"),
        remedy=_value(found.get("remedy"), Reason | None, f"{path}.remedy"),
    )


_SPECIAL: dict[type, Any] = {Quantity: _quantity, Missing: _missing, Reason: _reason}
