"""TOML held against plain dataclasses, strictly: every fault at once, each with its key path.

The shapes are frozen dataclasses with ``__pydantic_config__ = strict.CONFIG``. A field without a default is a key that
must be there and, where it is text, must not be blank. pydantic does the comparing, in strict mode and on JSON, because
in Python mode it fails at the root; what is wrong is said in our own words. No key of these files is a TOML float:
numbers that have to stay exact are written as text with their unit.
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import re
import tomllib
import types
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from reportgen.plain import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pydantic import TypeAdapter

T = TypeVar("T")

CONFIG: dict[str, Any] = {"extra": "forbid", "use_attribute_docstrings": True}
"""For ``__pydantic_config__`` of a shape: unknown keys are faults, the line under a field describes it."""

_LOOKALIKES = re.compile("[“”‘’＝，：；【】［］＂＇\u00a0\u3000]")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_PLACE = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)


class Fault(NamedTuple):
    """One thing that is wrong."""

    path: str
    """Key path, for example ``case[0].goal[1].limit``; empty for the file as a whole."""
    text: str
    """What is wrong and what would be right."""


class TomlError(ValueError):
    """Not TOML at all.

    Args:
        message: what the parser says.
        line: line, from 1.
        column: column, from 1.
        hint: what to do; empty when nothing better than the message is known.
    """

    def __init__(self, message: str, *, line: int, column: int, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.hint = hint


# --------------------------------------------------------------------------------------------- reading
def parse(data: bytes) -> dict[str, Any]:
    """The tables of a TOML file as JSON knows them: dates become ISO text.

    Raises:
        TomlError: not UTF-8, not TOML, or nested too deeply.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        column = fault.start - (data.rfind(b"\n", 0, fault.start) + 1) + 1
        raise TomlError(
            f"not UTF-8 text (byte 0x{data[fault.start]:02X})",
            line=line,
            column=column,
            hint="save the file with the encoding UTF-8",
        ) from fault
    try:
        found: dict[str, Any] = json.loads(json.dumps(tomllib.loads(text), default=str))
    except RecursionError as fault:
        raise TomlError("nested too deeply", line=1, column=1) from fault
    except ValueError as fault:  # TOMLDecodeError is one; a number of thousands of digits raises the bare one
        raise _syntax(str(fault), text) from fault
    return found


def _syntax(message: str, text: str) -> TomlError:
    lines = text.split("\n")
    match = _PLACE.fullmatch(message)
    if match is None:
        return TomlError(message, line=1, column=1)
    line, column = (int(match[2]), int(match[3])) if match[2] else (len(lines), len(lines[-1]) + 1)
    shown = lines[line - 1] if line <= len(lines) else ""
    strange = _LOOKALIKES.search(shown)
    hint = 'text stands between straight double quotes, as in reference = "HT-2026-001"'
    if strange:
        code = f"U+{ord(strange[0]):04X}"
        hint = f'this line holds {strange[0]!r} ({code}): TOML knows only the plain " = , [ ] and space'
    return TomlError(match[1], line=line, column=column, hint=hint)


def tables(table: Mapping[str, Any], key: str, path: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The tables of ``[[key]]`` with their paths; whatever has another shape is left to ``shape_faults``."""
    items = table.get(key)
    if isinstance(items, list):
        for index, item in enumerate(items):
            if isinstance(item, dict):
                yield f"{path}.{key}[{index}]".lstrip("."), item


def text(table: Mapping[str, Any], key: str) -> str:
    """The text of a key, stripped; empty when it is missing or something else."""
    value = table.get(key)
    return value.strip() if isinstance(value, str) else ""


def texts(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """The texts of a list; whatever else is in it is left out."""
    value = table.get(key)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def near(word: str, known: Iterable[str]) -> str:
    """A suggestion of the known word nearest to a wrong one, or the list of the known ones."""
    known = tuple(known)
    close = difflib.get_close_matches(word.casefold(), known, n=1, cutoff=0.6)
    return f"did you mean {quoted(close)}?" if close else f"known: {', '.join(known)}"


def date_faults(path: str, written: str) -> Iterator[Fault]:
    """The fault of a text that has to be a date; an empty one is left to the form."""
    try:
        good = not written or (_DATE.fullmatch(written) is not None and date.fromisoformat(written) is not None)
    except ValueError:
        good = False
    if not good:
        yield Fault(path, f'must be a date such as "2026-10-06"; found {written!r}')


def quoted(words: Iterable[object]) -> str:
    """Words as TOML writes them, joined: ``"a", "b" or "c"``."""
    written = [json.dumps(word, ensure_ascii=False) for word in words]
    return " or ".join(filter(None, (", ".join(written[:-1]), written[-1]))) if written else ""


# --------------------------------------------------------------------------------------------- comparing
_ADAPTERS: dict[type, TypeAdapter[Any]] = {}  # building one takes as long as reading twenty files


def _adapter(shape: type[T]) -> TypeAdapter[T]:
    from pydantic import TypeAdapter

    if shape not in _ADAPTERS:
        _ADAPTERS[shape] = TypeAdapter(shape)
    return _ADAPTERS[shape]


def read_shape(shape: type[T], raw: Mapping[str, Any], explain: Mapping[str, str]) -> tuple[T | None, list[Fault]]:
    """Raw tables as values of a shape.

    Args:
        shape: a dataclass, see the module.
        raw: what ``parse`` returned.
        explain: key path without its numbers: what to say of it instead of the general sentence, when it is missing,
            blank or wrong.

    Returns:
        The value, None when there is any fault; and the faults: unknown and missing keys, wrong types and words, blank
        required texts, characters that cannot be seen.
    """
    from pydantic import ValidationError

    value: T | None = None
    faults: list[Fault] = []
    try:
        value = _adapter(shape).validate_json(json.dumps(raw), strict=True)
    except ValidationError as errors:
        places = {error["loc"]: _place(shape, error["loc"]) for error in errors.errors(include_url=False)}
        deepest = [place.path for place in places.values()]
        for error in errors.errors(include_url=False):
            place = places[error["loc"]]
            if any(other.startswith((f"{place.path}[", f"{place.path}.")) for other in deepest):
                continue  # a list in a choice of types: its element says it better
            faults.append(Fault(place.path, explain.get(_header(place.path)) or _sentence(shape, error, place)))
    faults += [Fault(path, explain.get(_header(path), "must not be empty")) for path in _blanks(shape, raw, "")]
    faults += _unseen(raw)
    return (None if faults else value), faults


def lines(faults: Iterable[Fault]) -> tuple[str, ...]:
    """Faults as lines ``path: text``, in the order of the paths, each once, harmless to print."""
    ordered = sorted(faults, key=lambda fault: (tuple(map(_rank, re.split(r"[.\[\]]+", fault.path))), fault.text))
    return tuple(dict.fromkeys(printable(f"{path}: {text}" if path else text) for path, text in ordered))


def _rank(part: str) -> tuple[int, str]:
    return (int(part), "") if part.isdigit() else (-1, part)


def _header(path: str) -> str:
    """A key path without its numbers, as table headers write it."""
    return re.sub(r"\[\d+\]", "", path)


class _Place(NamedTuple):
    path: str
    kind: object  # the type that belongs there
    key: str  # the key itself
    owner: type | None  # the shape that has, or lacks, the key


def _place(shape: type, loc: tuple[int | str, ...]) -> _Place:
    """Follow a location of pydantic, which also names the branches of a union, through the types."""
    place = _Place("", shape, "", None)
    for part in loc:
        if isinstance(part, int):
            place = place._replace(path=f"{place.path}[{part}]", kind=_element(place.kind))
        elif (owner := _shape_of(place.kind)) is not None:
            kind = _hints(owner).get(part)
            place = _Place(f"{place.path}.{part}".lstrip("."), kind, part, owner)
    return place


@cache
def _hints(shape: type) -> dict[str, Any]:
    """Types of the fields of a shape; working them out takes longer than a whole file of ours."""
    return get_type_hints(shape)


def _options(kind: object) -> tuple[object, ...]:
    return get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)


def _shape_of(kind: object) -> type | None:
    types_ = (option for option in _options(kind) if isinstance(option, type))
    return next((option for option in types_ if dataclasses.is_dataclass(option)), None)


def _element(kind: object) -> object:
    return next((get_args(option)[0] for option in _options(kind) if get_origin(option) is tuple), None)


def _described(kind: object, header: str) -> str:
    names = {str: "text in double quotes", int: "a whole number without quotes", bool: "true or false"}
    described = []
    for option in _options(kind):
        if option is type(None):
            continue
        if get_origin(option) is Literal:
            described.append(quoted(get_args(option)))
        elif get_origin(option) is tuple:
            table = _shape_of(_element(option)) is not None
            described.append(f"a list of tables: write [[{header}]]" if table else "a list in [ ]")
        elif _shape_of(option):
            described.append(f"a table: write [{header}]")
        else:
            described.append(names[option] if isinstance(option, type) and option in names else "something else")
    return " or ".join(described)


def _sentence(shape: type, error: Mapping[str, Any], place: _Place) -> str:
    if error["type"] == "missing":
        return "is missing"
    if error["type"] == "unexpected_keyword_argument" and place.owner is not None:
        return f"unknown key; {_where_else(shape, place)}"
    if error["type"] == "json_invalid":
        return "nested too deeply"
    found = error["input"]
    if isinstance(found, str):
        words = [word for option in _options(place.kind) if get_origin(option) is Literal for word in get_args(option)]
        close = difflib.get_close_matches(found.casefold(), [str(word) for word in words], n=1, cutoff=0.6)
        shown = json.dumps(found[:60], ensure_ascii=False) + (f", did you mean {quoted(close)}?" if close else "")
    else:
        shown = "a table" if isinstance(found, dict) else "a list" if isinstance(found, list) else json.dumps(found)
    return f"must be {_described(place.kind, _header(place.path))}; found {shown}"


def _where_else(shape: type, place: _Place) -> str:
    """Where an unknown key belongs: a near key of its own table, or another table."""
    assert place.owner is not None
    own = [field.name for field in dataclasses.fields(place.owner)]
    close = difflib.get_close_matches(place.key.casefold(), own, n=1, cutoff=0.6)
    if not close:
        for header, other in _all_tables(shape, ""):
            if place.key in (field.name for field in dataclasses.fields(other)):
                return f"it belongs to {header}" if header else "it belongs above the first [table] of the file"
    return near(place.key, own)


def _all_tables(shape: type, header: str) -> Iterator[tuple[str, type]]:
    yield header, shape
    for name, kind in _hints(shape).items():
        inner = _shape_of(_element(kind)) or _shape_of(kind)
        if inner is not None:
            path = f"{header.strip('[]')}.{name}".lstrip(".")
            yield from _all_tables(inner, f"[[{path}]]" if _shape_of(_element(kind)) else f"[{path}]")


def _blanks(shape: type, raw: Mapping[str, Any], path: str) -> Iterator[str]:
    """Paths of required texts that are there and blank."""
    hints = _hints(shape)
    for field in dataclasses.fields(shape):
        here = f"{path}.{field.name}".lstrip(".")
        value = raw.get(field.name)
        required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if required and hints[field.name] is str and isinstance(value, str) and not value.strip():
            yield here
        inner = _shape_of(_element(hints[field.name]))
        if inner is not None:
            for place, table in tables(raw, field.name, path):
                yield from _blanks(inner, table, place)
        elif (table_shape := _shape_of(hints[field.name])) is not None and isinstance(value, dict):
            yield from _blanks(table_shape, value, here)


def _unseen(raw: Mapping[str, Any]) -> Iterator[Fault]:
    """Control, zero-width and direction-changing characters in any text: they hide what is agreed."""
    waiting: list[tuple[str, Any]] = [("", raw)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [(f"{path}.{key}".lstrip("."), item) for key, item in value.items()]
        elif isinstance(value, list):
            waiting += [(f"{path}[{index}]", item) for index, item in enumerate(value)]
        elif isinstance(value, str):
            hidden = next((c for c in value if c not in "\n\t\\" and printable(c) != c), None)
            if hidden is not None:
                yield Fault(path, f"holds the invisible character U+{ord(hidden):04X}: type the text again")


# --------------------------------------------------------------------------------------------- publishing
def json_schema(shape: type, *, title: str) -> dict[str, Any]:
    """The shape as JSON Schema (2020-12): what an editor checks while a file is written."""
    schema = _adapter(shape).json_schema()
    for table in (schema, *schema.get("$defs", {}).values()):
        for key, rule in table["properties"].items():
            rule.pop("title", None)
            if isinstance(rule.get("default"), dict | None):
                rule.pop("default", None)
            options = [option for option in rule.pop("anyOf", ()) if option != {"type": "null"}]
            rule.update(options[0] if len(options) == 1 else {"anyOf": options} if options else {})
            if key in table.get("required", ()) and rule.get("type") == "string" and "enum" not in rule:
                rule["pattern"] = r"\S"
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": title}
