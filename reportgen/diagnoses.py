"""Signs in a capture that official cases describe: what is seen, and the number of the case; never a cause.

Which sign belongs to which case, and the settings, types and formats that show it, stand in ``evidence/remedies.toml``.
What the reader cannot see is not claimed. Source: docs/bottleneck.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from reportgen import units
from reportgen.frames import AI_CPU, KERNEL, Capture, RankTables
from reportgen.model import CaptureFacts, Diagnosis, Origin, Quantity, RankFacts, Reason, Target
from reportgen.remedies import Sign

if TYPE_CHECKING:
    import pandas as pd

LEVEL0 = ("config.experimental_config._profiler_level", "Level0")
"""The key and value of torch_npu at which no PMU data are collected, whatever was asked for."""
PMU = (
    *("aic_", "aiv_", "aicore_", "aiv(", "mac_", "vec_", "mte", "scalar_", "total_cycles", "cube_", "vector_"),
    *("ub_", "l0", "l1_", "l2_", "main_mem", "TASK_PMU_INFO."),
)
"""How columns of any PMU metric begin."""
ON_CORES = ("AI_CORE", "AI_VECTOR_CORE", "MIX_AIC", "MIX_AIV")
"""Kernels that have PMU values."""
ITERATION_COLUMNS = ("Model ID", "Iteration ID")
"""Columns of step_trace that the case is about."""


def diagnose(
    capture: Capture, target: Target | None, signs: tuple[Sign, ...], least_share: Fraction
) -> tuple[Diagnosis, ...]:
    """The signs of one capture, in the order of the evidence; each once, of several ranks with all its origins.

    Args:
        capture: as read, no kernel left out.
        target: what was agreed; None without one.
        signs: of ``read_remedies``.
        least_share: share of the summed kernel time from which kernels on one block are a sign; our choice.
    """
    found: list[Diagnosis] = []
    for sign in signs:
        look = _LOOKS.get(sign.id)
        if look is not None:
            found += _once(look(sign, capture, target, least_share))
    return tuple(found)


_Found = Iterator[Diagnosis]
_Look = Callable[[Sign, Capture, Target | None, Fraction], _Found]


def _once(found: _Found) -> list[Diagnosis]:
    """Those of one reason together with all their origins; of kernels, the rank with the largest share."""
    together: dict[tuple[str, tuple[tuple[str, str], ...]], Diagnosis] = {}
    for one in found:
        key = (one.reason.code, () if one.share is not None else one.reason.args)
        known = together.get(key)
        if known is None or (one.share is not None and known.share is not None and one.share.value > known.share.value):
            together[key] = one
        elif one.share is None:
            together[key] = replace(known, origins=tuple(dict.fromkeys((*known.origins, *one.origins))))
    return list(together.values())


def _seen(sign: Sign, facts: CaptureFacts, reason: Reason, origins: tuple[Origin, ...]) -> Diagnosis:
    return Diagnosis(sign=sign.id, side=facts.side, case=sign.case, reason=reason, origins=origins)


# ------------------------------------------------------------------------------------------------ settings
def _settings(sign: Sign, facts: CaptureFacts, inside: str | None = None) -> Iterator[tuple[str, str, Origin]]:
    """(key, value, where) of every setting that shows a sign; ``inside``: of one directory alone."""
    for file in facts.settings_files:
        if inside is not None and not file.record.path.startswith(inside):
            continue
        for wanted in sign.settings:
            value = file.get(wanted.key) if wanted.file == file.kind else None
            if value is not None and wanted.shows(value):
                where = Origin(
                    file=f"{facts.side.value}/{file.record.path}",
                    digest=file.record.digest,
                    locator=wanted.key,
                    formula="as written",
                )
                yield wanted.key, value, where


def _storage_limit(sign: Sign, capture: Capture, target: Target | None, least: Fraction) -> _Found:  # noqa: ARG001
    for _key, value, where in _settings(sign, capture.facts):
        yield _seen(sign, capture.facts, Reason.of("sign_storage_limit", value=value), (where,))


def _inflating(sign: Sign, capture: Capture, target: Target | None, least: Fraction) -> _Found:  # noqa: ARG001
    shown: dict[str, list[Origin]] = {}
    for key, value, where in _settings(sign, capture.facts):
        name = key.rsplit(".", 1)[-1].lstrip("_")
        shown.setdefault(name if value == "true" else f"{name}={value}", []).append(where)
    if shown:
        origins = tuple(dict.fromkeys(one for several in shown.values() for one in several))
        yield _seen(sign, capture.facts, Reason.of("sign_inflating_switch", names=", ".join(shown)), origins)


# ------------------------------------------------------------------------------------------------ what was read
def _pmu_missing(sign: Sign, capture: Capture, target: Target | None, least: Fraction) -> _Found:  # noqa: ARG001
    """A metric was asked for, kernels ran on cores, and no PMU column is there or all hold 0."""
    for rank, tables in zip(capture.facts.ranks, capture.tables, strict=True):
        inside = f"{rank.directory}/" if rank.directory else ""
        asked = [where for _key, _value, where in _settings(sign, capture.facts, inside)]
        off = any(file.get(LEVEL0[0]) == LEVEL0[1] for file in capture.facts.settings_files
                  if file.record.path.startswith(inside))  # fmt: skip
        if not asked or off or tables.kernels.source == "json":
            continue
        state = _pmu_state(tables)
        if state:
            yield _seen(sign, capture.facts, Reason.of(state), (*asked, _table(capture, rank, tables, "header")))


def _pmu_state(tables: RankTables) -> str:
    """Reason code of missing or empty PMU data; empty where some value stands, or no kernel ran on a core."""
    table = tables.kernels
    rows = table.frame[table.frame["kind"] == KERNEL]
    cores = rows["accelerator"].astype(str).str.upper()
    if not len(rows) or not (cores.isin(ON_CORES) | (cores == "N/A")).any():
        return ""
    columns = [name for name in table.columns if name.startswith(PMU)]
    if not columns:
        return "sign_pmu_missing"
    read = [name for name in rows if str(name).startswith(("aic_", "aiv_"))]
    if not read or any((rows[name].fillna(0) != 0).any() for name in read):
        return ""
    return "sign_pmu_zero"


def _data_lost(sign: Sign, capture: Capture, target: Target | None, least: Fraction) -> _Found:  # noqa: ARG001
    files = {record.path: record for record in capture.facts.files}
    for warning in capture.facts.warnings:
        if warning.code == "capture_data_loss":
            path = warning.arg("file")
            record = files.get(path)
            where = Origin(
                file=f"{capture.facts.side.value}/{path}",
                digest=record.digest if record else "",
                locator="collect_status",
                formula="as written",
            )
            yield _seen(sign, capture.facts, Reason.of("sign_data_lost"), (where,))


def _iteration_ids(sign: Sign, capture: Capture, target: Target | None, least: Fraction) -> _Found:  # noqa: ARG001
    """A step_trace whose header lacks the id of model or iteration."""
    for file in capture.facts.unread:
        why = file.reason.arg("why")
        lacking = next((name for name in ITERATION_COLUMNS if f"{name!r} is missing" in why), "")
        if file.reason.code == "table_unreadable" and "step_trace" in file.path.rsplit("/", 1)[-1] and lacking:
            where = Origin(
                file=f"{capture.facts.side.value}/{file.path}", digest="", locator="header", formula="as written"
            )
            yield _seen(sign, capture.facts, Reason.of("sign_iteration_ids_missing", column=lacking), (where,))


def _serving(sign: Sign, capture: Capture, target: Target | None, least: Fraction) -> _Found:  # noqa: ARG001
    case = next((c for c in target.cases if c.profiled), None) if target is not None else None
    if target is not None and case is not None and case.workload.phase == "serving":
        where = Origin(
            file=target.file.path, digest=target.file.digest, locator="case.workload.phase", formula="as written"
        )
        yield _seen(sign, capture.facts, Reason.of("sign_serving"), (where,))


# ------------------------------------------------------------------------------------------------ kernels
def _table(capture: Capture, rank: RankFacts, tables: RankTables, locator: str, formula: str = "as written") -> Origin:
    table = tables.kernels
    return Origin(
        file=f"{capture.facts.side.value}/{table.file.path}",
        digest=table.file.digest,
        locator=locator if locator == "header" else f"{locator}; {rank.rows} rows",
        formula=formula,
    )


def _nhwc(sign: Sign, capture: Capture, target: Target | None, least: Fraction) -> _Found:  # noqa: ARG001
    """Kernels with a tensor of a format; only where the kernel table holds formats."""
    for rank, tables in zip(capture.facts.ranks, capture.tables, strict=True):
        frame = (tables.whole or tables.kernels).frame
        if "formats" not in frame:
            continue
        rows = frame[frame["kind"].isin([KERNEL, AI_CPU])]
        known = {text: _has_format(str(text), sign.formats) for text in rows["formats"].cat.categories}
        shown = rows[rows["formats"].map(known).astype(bool)]
        yield from _kernels(sign, capture, rank, tables, rows, shown, "sign_format_nhwc", "input formats, duration")


def _has_format(text: str, formats: tuple[str, ...]) -> bool:
    """Whether a list of formats names one of them, with or without ``FORMAT_``."""
    return any(one.strip().removeprefix("FORMAT_") in formats for one in text.split(";"))


def _one_block(sign: Sign, capture: Capture, target: Target | None, least: Fraction) -> _Found:  # noqa: ARG001
    """Kernels of reducing operators that ran on one block and hold a large share."""
    for rank, tables in zip(capture.facts.ranks, capture.tables, strict=True):
        frame = (tables.whole or tables.kernels).frame
        if "blocks" not in frame:
            continue
        rows = frame[frame["kind"].isin([KERNEL, AI_CPU])]
        types = {text: str(text).startswith(sign.types) for text in rows["type"].cat.categories}
        reducing = rows["type"].map(types).astype(bool) & (rows["kind"] == KERNEL)
        shown = rows[reducing & (rows["blocks"].fillna(0) == 1)]
        where = "type, Block Dim, duration"
        for one in _kernels(sign, capture, rank, tables, rows, shown, "sign_one_block_reduce", where):
            if one.share is not None and Fraction(one.share.value) >= least:
                yield one


def _kernels(
    sign: Sign,
    capture: Capture,
    rank: RankFacts,
    tables: RankTables,
    rows: pd.DataFrame,
    shown: pd.DataFrame,
    code: str,
    columns: str,
) -> _Found:
    """Kernels that show a sign: their number, their types, their share of the summed kernel time."""
    total = int(rows["duration_ns"].sum())
    if not len(shown) or total <= 0:
        return
    spent = shown.groupby("type", observed=True)["duration_ns"].sum().sort_values(ascending=False, kind="stable")
    part = int(shown["duration_ns"].sum())
    yield Diagnosis(
        sign=sign.id,
        side=capture.facts.side,
        case=sign.case,
        reason=Reason.of(code, types=", ".join(str(name) for name in list(spent.index)[:3])),
        count=Quantity(value=len(shown), unit="1"),
        share=Quantity(value=units.exact(Fraction(part, total)), unit="1"),
        rank=rank.rank,
        origins=(_table(capture, rank, tables, f"columns {columns}", "sum of durations / sum of all durations"),),
    )


_LOOKS: dict[str, _Look] = {
    "pmu_missing": _pmu_missing,
    "data_lost": _data_lost,
    "storage_limit": _storage_limit,
    "inflating_switch": _inflating,
    "format_nhwc": _nhwc,
    "one_block_reduce": _one_block,
    "serving": _serving,
    "iteration_ids_missing": _iteration_ids,
}
"""Sign -> how it is looked for."""
SIGNS = tuple(_LOOKS)
"""The signs that are looked for; the evidence names the same."""
