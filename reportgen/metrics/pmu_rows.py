"""Do the kernel rows that must have PMU values have them, and why are the columns of a metric not there?

A quotient over the rows that hold both its columns does not notice a row whose cells are gone. In every capture that
was published a kernel of a core has all cells or the capture has none; a DSA kernel, which runs on no core, has none.
Source: docs/formats.md 3.2, 5.1, 11.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from reportgen.frames import NOT_AVAILABLE
from reportgen.metrics.common import Place, missing, no_pmu, quantity
from reportgen.model import Measurement, Missing, MissingKind, Quantity, Witness

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

NAME = "pmu_rows"
CORE_KINDS = {"aic": ("AI_CORE", "MIX_AIC", "MIX_AIV"), "aiv": ("AI_VECTOR_CORE", "MIX_AIC", "MIX_AIV")}
"""Core kinds of the kernel table whose rows have values of a core as soon as any row has."""
ON_NO_CORE = "DSA"
"""Starts the operator type, the last part of the name, of kernels that run on no core; at level 0 nothing else says it.
"""
OTHER_COLUMNS = ("_exe_ratio", "_bw(GB/s)", "_hit", "_fops", "_cflt_ratio", "_datas(KB)", "_fp16_ratio")
"""Endings of the PMU columns of other metrics than PipeUtilization (docs/formats.md 3.2)."""
BASIS = {"ns": "time-weighted", "1": "cycle-weighted"}
"""What a quotient is weighted by, by the unit of its weights."""
NOTHING_COMPUTED = missing(MissingKind.NOT_APPLICABLE, "memory_bound_without_computing")


def not_there(place: Place, metric: str) -> Missing:
    """The PMU columns a metric needs are not in the kernel table."""
    others = [name for name in place.tables.kernels.columns if name.endswith(OTHER_COLUMNS)]
    if others:
        return missing(MissingKind.NOT_APPLICABLE, "pmu_other_columns", columns=", ".join(others[:3]))
    return no_pmu(place, metric)


def listed(column: pd.Series[Any]) -> list[int | None]:
    """The values of a column, None where a cell holds none."""
    return column.astype(object).where(column.notna(), None).tolist()


def checked(place: Place, rows: pd.DataFrame, measured: Sequence[Measurement]) -> list[Measurement]:
    """The measurements of the busy units, each value with the witness ``pmu_rows`` of its cores.

    Args:
        place: where they were measured.
        rows: the kernel rows (kind ``kernel``) they were measured on.
        measured: of ``metrics.busy``.

    Returns:
        The same in the same order. What is missing gets no witness.
    """
    known: dict[tuple[str, ...], Witness | None] = {}
    done = []
    for one in measured:
        cores = _cores(one)
        if isinstance(one.summary, Quantity) and cores not in known:
            known[cores] = pmu_rows(place, rows, cores)
        found = known.get(cores) if isinstance(one.summary, Quantity) else None
        done.append(one if found is None else replace(one, witnesses=(*one.witnesses, found)))
    return done


def _cores(measurement: Measurement) -> tuple[str, ...]:
    """The cores whose columns a measurement reads."""
    core = measurement.metric.split("_", 1)[0]
    if core in CORE_KINDS:
        return (core,)
    if measurement.metric.startswith("cube_"):
        return ("aic",)
    return (measurement.dimensions.part,) if measurement.dimensions.part else tuple(CORE_KINDS)


def pmu_rows(place: Place, rows: pd.DataFrame, cores: tuple[str, ...]) -> Witness | None:
    """Whether every kernel row that must have the PMU values of some cores has all of them.

    A row must have them when its core kind is one of ``CORE_KINDS``, or when another row of its core kind has any.

    Args:
        place: where the rows stand.
        rows: the kernel rows; cores: ``aic``, ``aiv`` or both.

    Returns:
        Found: rows that have every column any row has; expected: rows that must. None when no row has any.
    """
    import numpy as np

    columns = [name for name in rows if str(name).startswith(tuple(f"{core}_" for core in cores))]
    held = rows[[name for name in columns if rows[name].notna().any()]].notna().to_numpy()
    if not held.size:
        return None
    some, every = np.any(held, axis=1), np.all(held, axis=1)
    must = _must(rows, some, {kind for core in cores for kind in CORE_KINDS[core]})
    found, expected = int((must & every).sum()), int(must.sum())
    return Witness(
        name=NAME,
        agrees=found == expected,
        found=quantity(found, "1"),
        expected=quantity(expected, "1"),
        tolerance=quantity(0, "1"),
        origins=place.kernels(f"columns {{core}}, {', '.join(f'{{{name}}}' for name in columns)}; {{rows}}", NAME),
    )


def _must(rows: pd.DataFrame, some: np.ndarray[Any, Any], own: set[str]) -> np.ndarray[Any, Any]:
    """Rows that must have values: of the core's own kinds, and of every kind of which a row has some."""
    import numpy as np

    codes, kinds = rows["accelerator"].cat.codes.to_numpy(), [str(kind) for kind in rows["accelerator"].cat.categories]
    must = np.zeros(len(rows), dtype=bool)
    for code in np.unique(codes):
        kind, of_kind = kinds[code].upper() if code >= 0 else NOT_AVAILABLE, codes == code
        if kind == NOT_AVAILABLE:
            of_kind &= some | ~_on_no_core(rows)
        if kind in own or some[of_kind].any():
            must |= of_kind
    return must


def _on_no_core(rows: pd.DataFrame) -> np.ndarray[Any, Any]:
    """Rows whose operator runs on no core, by type, else by the last part of the name."""
    names = rows["name"].astype(str).str.rsplit("_", n=1).str[-1]
    found = names.str.startswith(ON_NO_CORE) | rows["type"].astype(str).str.startswith(ON_NO_CORE)
    return found.to_numpy(dtype=bool)
