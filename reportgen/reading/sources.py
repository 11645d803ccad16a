"""Which source a table is taken from: db before csv before json, and the same one on both sides.

Every source that is there is read; the ones that are not chosen stay as witnesses. Source: docs/definitions.md,
"Sources".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from reportgen.frames import Capture, RankTables, Table
from reportgen.reading.spine import of_device

ORDER = ("db", "csv", "json")
"""The order in which sources are preferred."""
KINDS = (
    "tasks",
    "memory",
    "device_memory",
    "step_trace",
    "op_statistic",
    "modules",
    "operator_memory",
    "frequency",
    "lane",
    "collectives",
    "links",
    "apis",
    "communication_statistic",
    "iterations",
    "host_steps",
)
"""Tables beside the kernel table; each is a field of ``RankTables`` of that name."""


def chosen(kernels: Table, tables: Iterable[Table], device: str, *, index: int = 0) -> RankTables:
    """The tables of one device, each from the first source of ``ORDER`` that has it."""
    offered = [of_device(table, device) for table in tables]
    fields: dict[str, Table] = {}
    for kind in KINDS:
        found = sorted((t for t in offered if t.kind == kind), key=lambda t: ORDER.index(t.source))
        if found:
            fields[kind] = found[0]
    others = tuple(t for t in offered if t is not fields.get(t.kind))
    return RankTables(index=index, kernels=kernels, others=others, **fields)  # type: ignore[arg-type]


def _offers(tables: RankTables, kind: str) -> set[str]:
    table: Table | None = getattr(tables, kind)
    held = {other.source for other in tables.others if other.kind == kind}
    return held | ({table.source} if table is not None else set())


def _taken(tables: RankTables, kind: str, source: str) -> RankTables:
    table: Table | None = getattr(tables, kind)
    if table is not None and table.source == source:
        return tables
    new = next(other for other in tables.others if other.kind == kind and other.source == source)
    others = tuple(other for other in tables.others if other is not new)
    fields: dict[str, Any] = {kind: new}
    return replace(tables, others=others if table is None else (*others, table), **fields)


def harmonised(captures: Sequence[Capture]) -> tuple[Capture, ...]:
    """All captures with each table beside the kernel table taken from one source everywhere.

    The first source of ``ORDER`` that every rank of every capture offers; a table without such a source keeps what each
    capture has, and what is measured from it is not compared.
    """
    sides = [capture.tables for capture in captures]
    for kind in KINDS:
        offers = [_offers(tables, kind) for side in sides for tables in side]
        common = next((source for source in ORDER if all(source in offer for offer in offers)), None)
        if common is not None:
            sides = [tuple(_taken(tables, kind, common) for tables in side) for side in sides]
    return tuple(replace(capture, tables=tables) for capture, tables in zip(captures, sides, strict=True))
