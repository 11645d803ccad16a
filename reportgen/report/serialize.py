"""Frozen values to JSON, and the schema of the report.

One way for all of our dataclasses: fields in their order, UTF-8, one space of indent, a final newline. Beside that:

- a quantity is ``{"value", "unit", "exact", "written"}`` in the base unit; a bare fraction is one of unit 1;
- a value that could not be had is ``{"missing", "reason", "remedy"}``, a reason ``{"code", "args"}``;
- pairs of a name and a text or count (languages, facts) are an object.

``schema`` follows the same rules from the type hints and takes each description from the line under its field.
"""

from __future__ import annotations

import ast
import inspect
import json
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from textwrap import dedent
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from reportgen import units
from reportgen.model import Missing, MissingKind, Quantity, Reason, Sample, Stated
from reportgen.report.document import SCHEMA_VERSION, Report

WHOLE = ("B", "1")
"""Base units whose whole values are written as integers."""
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def to_json(value: object) -> str:
    """A frozen dataclass of ours, or a tuple or mapping of them, as JSON text.

    Raises:
        TypeError: a value that has no place in our nouns (a float, a frame).
    """
    return json.dumps(plain(value), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of ``report.json``."""
    definitions: dict[str, Any] = {}
    _define(Report, definitions)
    return {
        "$schema": DIALECT,
        "$id": "report.schema.json",
        "title": "report.json of reportgen",
        "description": f"Version {SCHEMA_VERSION}. Quantities stand in base units (s, B, 1/s, B/s, 1). Within a "
        "version fields may be added (accept unknown ones); none is renamed, leaves, or changes its type.",
        "$ref": "#/$defs/Report",
        "$defs": dict(sorted(definitions.items())),
    }


# --------------------------------------------------------------------------------------------- values
def plain(value: object) -> Any:
    """The value as dicts, lists, strings, numbers, booleans and None."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, Fraction):
        return _quantity(Quantity(value=units.exact(value), unit="1"))
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return _SPECIAL.get(type(value), _fields)(value)
    raise TypeError(f"{type(value).__name__} has no place in our JSON")


def _fields(value: Any) -> dict[str, Any]:
    """A dataclass field by field."""
    kind: Any = type(value)
    hints = hints_of(kind)
    return {item.name: _field(getattr(value, item.name), hints[item.name]) for item in fields(value)}


def _field(value: object, hint: object) -> Any:
    """One field; pairs of names and texts become an object unless a name occurs twice."""
    if isinstance(value, tuple) and pairs_of(hint) is not None:
        names = [str(plain(name)) for name, _item in value]
        if len(set(names)) == len(names):
            return {name: plain(item) for name, (_name, item) in zip(names, value, strict=True)}
    return plain(value)


def _quantity(quantity: Quantity) -> dict[str, Any]:
    """A quantity in its base unit."""
    unit = units.base_unit(quantity.unit)
    whole = isinstance(quantity.value, int) and unit in WHOLE
    value = quantity.value if whole else quantity.scaled()
    return {"value": value, "unit": unit, "exact": quantity.exact(), "written": quantity.written}


def _missing(missing: Missing) -> dict[str, Any]:
    return {
        "missing": missing.kind.value,
        "reason": _reason(missing.reason),
        "remedy": _reason(missing.remedy) if missing.remedy else None,
    }


def _reason(reason: Reason) -> dict[str, Any]:
    return {"code": reason.code, "args": dict(reason.args)}


def _sample(sample: Sample) -> dict[str, Any]:
    """A sample with its values as quantities."""
    values = [_quantity(Quantity(value=value, unit=sample.unit)) for value in sample.values]
    return {"values": values, "labels": list(sample.labels), "dropped": list(sample.dropped)}


def _stated(stated: Stated) -> dict[str, Any]:
    """A statement of a run without the digest of its directories, which could be guessed."""
    return {"key": stated.key, "written": stated.written, "locator": stated.locator}


_SPECIAL: dict[type, Any] = {
    Quantity: _quantity,
    Missing: _missing,
    Reason: _reason,
    Sample: _sample,
    Stated: _stated,
}


@cache
def hints_of(kind: Any) -> dict[str, Any]:
    """The resolved type hints of a dataclass."""
    return get_type_hints(kind)


def pairs_of(hint: object) -> tuple[Any, Any] | None:
    """The two types of ``tuple[tuple[name, text or count], ...]``; None for any other hint."""
    arguments = get_args(hint)
    if get_origin(hint) is not tuple or len(arguments) != 2 or arguments[1] is not Ellipsis:
        return None
    pair = get_args(arguments[0])
    if get_origin(arguments[0]) is not tuple or len(pair) != 2 or pair[1] not in (str, int):
        return None
    return pair[0], pair[1]


# --------------------------------------------------------------------------------------------- the schema
_TEXT = {"type": "string"}
_CODES = {"type": "object", "additionalProperties": _TEXT, "description": "Named values the sentence prints."}
_SPECIAL_SCHEMAS: dict[type, dict[str, Any]] = {
    Quantity: {
        "type": "object",
        "description": "An exact number.",
        "properties": {
            "value": {"type": "number", "description": "In the base unit; an integer where a whole B or 1."},
            "unit": {"enum": ["s", "B", "1/s", "B/s", "1"], "description": "Base unit."},
            "exact": {**_TEXT, "description": "The exact value with its exact unit (ns, B, 1/s, B/s; none for 1)."},
            "written": {**_TEXT, "description": "As the source wrote it; empty for a computed number."},
        },
        "required": ["value", "unit", "exact", "written"],
    },
    Missing: {
        "type": "object",
        "description": "Stands where a value could not be had.",
        "properties": {
            "missing": {"enum": [kind.value for kind in MissingKind], "description": "Why, in one word."},
            "reason": {"$ref": "#/$defs/Reason"},
            "remedy": {"anyOf": [{"$ref": "#/$defs/Reason"}, {"type": "null"}]},
        },
        "required": ["missing", "reason", "remedy"],
    },
    Reason: {
        "type": "object",
        "description": "A fact in machine form.",
        "properties": {"code": {**_TEXT, "description": "Stable identifier."}, "args": _CODES},
        "required": ["code", "args"],
    },
}


def _define(kind: type, definitions: dict[str, Any]) -> dict[str, Any]:
    """A reference to a dataclass, which is defined when it is met first."""
    name = kind.__name__
    if name not in definitions:
        definitions[name] = {}  # a class may hold itself
        special = _SPECIAL_SCHEMAS.get(kind)
        if special is not None:
            definitions[name] = special
            if kind is Missing:
                _define(Reason, definitions)
        else:
            definitions[name] = _object(kind, definitions)
    return {"$ref": f"#/$defs/{name}"}


def _object(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """The schema of a dataclass."""
    lines, hints = _descriptions(kind), hints_of(kind)
    properties = {
        item.name: {"description": lines[item.name], **_type(hints[item.name], definitions)} for item in fields(kind)
    }
    return {
        "type": "object",
        "description": inspect.getdoc(kind),
        "properties": properties,
        "required": [item.name for item in fields(kind) if not item.metadata.get("added")],
    }


def _type(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """The schema of a type hint."""
    arguments, origin = get_args(hint), get_origin(hint)
    simple = {str: "string", int: "integer", bool: "boolean", type(None): "null"}.get(hint)
    if simple:
        return {"type": simple}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_type(argument, definitions) for argument in arguments]}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"enum": [member.value for member in hint]}
    if (pair := pairs_of(hint)) is not None:
        named = {"propertyNames": _type(pair[0], definitions)} if pair[0] is not str else {}
        return {"type": "object", **named, "additionalProperties": _type(pair[1], definitions)}
    if origin is tuple and arguments[1:] == (Ellipsis,):
        return {"type": "array", "items": _type(arguments[0], definitions)}
    if origin is tuple:
        items = [_type(argument, definitions) for argument in arguments]
        return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}
    return _define(hint, definitions)


def _descriptions(kind: type) -> dict[str, str]:
    """The line under each field of a dataclass."""
    body = ast.parse(dedent(inspect.getsource(kind))).body[0]
    assert isinstance(body, ast.ClassDef)
    lines = {}
    for statement, following in zip(body.body, body.body[1:], strict=False):
        if (
            isinstance(statement, ast.AnnAssign)
            and isinstance(statement.target, ast.Name)
            and isinstance(following, ast.Expr)
            and isinstance(following.value, ast.Constant)
        ):
            lines[statement.target.id] = " ".join(str(following.value.value).split())
    return lines
