"""Kernels left out by name on both sides: harness kernels that clear a cache or raise the clock are no workload.

The cross-checks still see every row: only what is measured and compared leaves them out, and the report names them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from fractions import Fraction
from typing import TYPE_CHECKING

from reportgen.frames import AI_CPU, KERNEL, Capture, RankTables, Table
from reportgen.model import Exclusion, Quantity
from reportgen.units import exact

if TYPE_CHECKING:
    import pandas as pd


def excluded(capture: Capture, patterns: Mapping[str, str]) -> tuple[Capture, tuple[Exclusion, ...]]:
    """The capture without the kernels whose name matches a pattern, and what was left out.

    Args:
        patterns: shell pattern of kernel names (case counts) -> reason. Communication operators are never left out.

    Returns:
        (capture, one ``Exclusion`` for each pattern in its order; its count is 0 where nothing matched).
    """
    if not patterns:
        return capture, ()
    total = sum(int(_kernels(tables.kernels)["duration_ns"].sum()) for tables in capture.tables)
    counts = dict.fromkeys(patterns, 0)
    times = dict.fromkeys(patterns, 0)
    done: list[RankTables] = []
    for tables in capture.tables:
        kept = without(tables.kernels, tuple(patterns), counts, times)
        done.append(replace(tables, kernels=kept, whole=tables.kernels, left_out=tuple(patterns)))
    found = tuple(
        Exclusion(
            side=capture.facts.side,
            pattern=pattern,
            why=why,
            count=Quantity(value=counts[pattern], unit="1"),
            time=Quantity(value=times[pattern], unit="ns"),
            share=Quantity(value=exact(Fraction(times[pattern], max(total, 1))), unit="1"),
        )
        for pattern, why in patterns.items()
    )
    return replace(capture, tables=tuple(done)), found


def _kernels(table: Table) -> pd.DataFrame:
    return table.frame[table.frame["kind"].isin([KERNEL, AI_CPU])]


def without(
    table: Table,
    patterns: tuple[str, ...],
    counts: dict[str, int] | None = None,
    times: dict[str, int] | None = None,
) -> Table:
    """A kernel table without the kernels whose name matches a pattern.

    Args:
        counts, times: by pattern, added to: rows left out and the sum of their durations in ns. The first pattern that
            matches a name counts its rows.
    """
    frame = table.frame
    names = [str(name) for name in frame["name"].cat.categories]
    which = {name: next((p for p in patterns if fnmatchcase(name, p)), "") for name in names}
    gone = frame["kind"].isin([KERNEL, AI_CPU]) & frame["name"].isin([name for name in names if which[name]])
    for name, group in frame[gone].groupby("name", observed=True):
        pattern = which[str(name)]
        if counts is not None and times is not None:
            counts[pattern] += len(group)
            times[pattern] += int(group["duration_ns"].sum())
    return replace(table, frame=frame[~gone].reset_index(drop=True))
