"""Did both sides run the same job: types, shapes and dtypes of the kernels, and what the target says of them.

Per operator type the multisets of (input shapes, input dtypes) are compared per step; names only break ties. A row
without a type or a triple is left out and its share of the summed kernel time is said. Two limits are ours and are
printed: a type without any common triple that holds more than 5 % of the time on a side blocks everything, and a
matched share under 20 % cannot be shown (``evidence/choices.toml``). Source: docs/definitions.md, "Workload".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from reportgen import units
from reportgen.comparability.settings import Permissions
from reportgen.frames import AI_CPU, KERNEL, NOT_AVAILABLE, Capture
from reportgen.model import (
    Case,
    Difference,
    Held,
    Origin,
    Quantity,
    Reason,
    Side,
    Standing,
    WorkloadCheck,
    WorkloadMatch,
)

TYPE_LIMIT = Fraction(1, 20)
"""``workload_type_share_limit`` of evidence/choices.toml."""
MATCH_LIMIT = Fraction(1, 5)
"""``workload_matched_share_limit`` of evidence/choices.toml."""
LISTED = 3
"""Triples, types or names listed of each side."""
_NUMBER = re.compile(r"_\d+(?=_|$)")
"""A running number in a kernel name."""

Triple = tuple[int, str, str, str]


@dataclass(slots=True, kw_only=True)
class _Side:
    """Multisets of one side; the first element of a triple is the number of its rank pair."""

    count: Counter[Triple] = field(default_factory=Counter)
    time: Counter[Triple] = field(default_factory=Counter)
    types: set[str] = field(default_factory=set)
    total: int = 0
    unrecorded: int = 0
    steps: dict[int, int] = field(default_factory=dict)
    origins: list[Origin] = field(default_factory=list)
    by_type: Counter[str] = field(default_factory=Counter)
    by_kind: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Time by (type, name without running numbers); each empty where not recorded."""


def _side(capture: Capture, ranks: Iterable[tuple[int, int]]) -> _Side:
    found = _Side()
    for pair, index in ranks:
        table = capture.tables[index].kernels
        rows = table.frame[table.frame["kind"].isin([KERNEL, AI_CPU])]
        found.steps[pair] = max(len(capture.facts.ranks[index].steps), 1)
        found.origins.append(
            Origin(
                file=f"{capture.facts.side.value}/{table.file.path}",
                digest=table.file.digest,
                locator="columns type, Input Shapes, Input Data Types, duration",
                formula="multisets of (type, shapes, dtypes)",
            )
        )
        grouped = rows.groupby(["type", "shapes", "dtypes"], observed=True)["duration_ns"].agg(["count", "sum"])
        for (type_, shapes, dtypes), line in zip(grouped.index, grouped.to_numpy().tolist(), strict=True):
            count, time = int(line[0]), int(line[1])
            found.total += time
            known = [str(part) not in (NOT_AVAILABLE, "") for part in (type_, shapes, dtypes)]
            if known[0]:
                found.types.add(str(type_))
            if not all(known):
                found.unrecorded += time
                continue
            triple = (pair, str(type_), str(shapes), str(dtypes))
            found.count[triple] += count
            found.time[triple] += time
            found.by_type[str(type_)] += time
        sums = rows.groupby(["type", "name"], observed=True)["duration_ns"].sum()
        for kind, time in zip(sums.index, sums.to_numpy().tolist(), strict=True):
            known_type, known_name = ("" if str(text) == NOT_AVAILABLE else str(text) for text in kind)
            found.by_kind[known_type, _NUMBER.sub("", known_name)] += int(time)
    return found


def _share(part: Fraction | int, whole: int) -> Fraction | None:
    return Fraction(part) / whole if whole else None


def _matched(one: _Side, other: _Side) -> Fraction:
    """The time of one side's calls that have a counterpart in the other's multiset, per step."""
    total = Fraction(0)
    for triple, count in one.count.items():
        mine = Fraction(count, one.steps[triple[0]])
        theirs = Fraction(other.count.get(triple, 0), other.steps[triple[0]])
        total += one.time[triple] * min(mine, theirs) / mine
    return total


def _quantity(share: Fraction | None) -> Quantity | None:
    return None if share is None else Quantity(value=units.exact(share), unit="1")


def _percent(share: Fraction | None) -> str:
    return "?" if share is None else f"{float(share * 100):.1f}%"


def _listed(side: _Side, types: Iterable[str]) -> str:
    lines = []
    for name in types:
        triples = sorted({(shapes, dtypes) for _, t, shapes, dtypes in side.count if t == name}, key=lambda pair: pair)
        texts = [f"{shapes} {dtypes}" for shapes, dtypes in triples[:LISTED]]
        more = f" (+{len(triples) - LISTED})" if len(triples) > LISTED else ""
        lines.append(f"{name}: {' | '.join(texts)}{more}")
    return "; ".join(lines)


def compare_workload(
    before: Capture, after: Capture, pairs: list[tuple[int, int]], permissions: Permissions
) -> tuple[WorkloadMatch, Difference]:
    """What the kernel tables show of both workloads, and how it stands.

    Args:
        pairs: (index of BEFORE's rank, index of AFTER's rank).
    """
    b = _side(before, [(number, i) for number, (i, _) in enumerate(pairs)])
    a = _side(after, [(number, j) for number, (_, j) in enumerate(pairs)])
    shares: tuple[Fraction | None, Fraction | None] = (None, None)
    if b.count and a.count:  # without a triple on a side nothing can match, which is unknown and not 0
        shares = (_share(_matched(b, a), b.total), _share(_matched(a, b), a.total))
    common = {(p, t) for p, t, _, _ in b.count} & {(p, t) for p, t, _, _ in a.count}
    with_triple = {(p, t) for p, t, s, d in b.count if (p, t, s, d) in a.count}
    changed = sorted({t for p, t in common - with_triple})
    heavy = [t for t in changed if _heavy(b, t) or _heavy(a, t)]
    match = WorkloadMatch(
        matched_share_before=_quantity(shares[0]),
        matched_share_after=_quantity(shares[1]),
        unrecorded_share_before=_quantity(_share(b.unrecorded, b.total)),
        unrecorded_share_after=_quantity(_share(a.unrecorded, a.total)),
        types_only_before=tuple(sorted(b.types - a.types)),
        types_only_after=tuple(sorted(a.types - b.types)),
        changed_types=tuple(changed),
        origins=(*b.origins, *a.origins),
    )
    standing, blocks, reason = _decide(b, a, shares, heavy, permissions)
    texts = (
        (_listed(b, heavy), _listed(a, heavy))
        if heavy
        else tuple(None if share is None else f"matched {_percent(share)}" for share in shares)
    )
    return match, Difference(
        key="workload",
        spelling="workload",
        place="kernel table",
        before=Held(value=texts[0], origins=tuple(b.origins)),
        after=Held(value=texts[1], origins=tuple(a.origins)),
        standing=standing,
        blocks_all=blocks,
        reason=reason,
    )


def _heavy(side: _Side, type_: str) -> bool:
    return side.total > 0 and Fraction(side.by_type[type_], side.total) > TYPE_LIMIT


def _decide(
    b: _Side, a: _Side, shares: tuple[Fraction | None, Fraction | None], heavy: list[str], permissions: Permissions
) -> tuple[Standing, bool, Reason]:
    if heavy:
        return (
            Standing.BLOCKING,
            True,
            Reason.of(
                "workload_types_changed",
                types=", ".join(heavy[:5]),
                before=_listed(b, heavy[:2]),
                after=_listed(a, heavy[:2]),
            ),
        )
    silent = _cannot_be_shown(b, a, shares)
    if silent is not None:
        declared = permissions.declares("workload") if silent.code in NOT_RECORDED else None
        if declared is not None:
            return Standing.DECLARED, False, _spoken_against(declared, silent)
        return Standing.UNKNOWN, True, silent
    if all(share == 1 for share in shares):
        return Standing.SAME, False, Reason.of("workload_same")
    return Standing.BIAS, False, Reason.of("workload_partly", before=_percent(shares[0]), after=_percent(shares[1]))


NOT_RECORDED = {
    "workload_not_recorded": "declared_by",
    "workload_none_by_name": "declared_none_by_name",
    "workload_partly_by_name": "declared_partly_by_name",
}
"""Why the work cannot be seen -> the reason of a declaration in its place, which says what speaks against it."""


def _not_recorded(side: str, b: _Side, a: _Side) -> Reason:
    """Shapes or types are lacking: what types and kernel names alone show against the same work.

    Args:
        side: ``before``, ``after`` or ``both``: where no row has a type, shapes and data types.
    """
    shares = tuple(_by_name(one, other) for one, other in ((b, a), (a, b)))
    if None in shares or all(share == 1 for share in shares):
        return Reason.of("workload_not_recorded", side=side)
    if not any(shares):
        return Reason.of("workload_none_by_name", side=side, before=_names(b), after=_names(a))
    return Reason.of("workload_partly_by_name", side=side, before=_percent(shares[0]), after=_percent(shares[1]))


def _by_name(one: _Side, other: _Side) -> Fraction | None:
    """Share of one side's kernel time whose type or name is on the other side too; None without a time on a side."""
    types, names = ({kind[part] for kind in other.by_kind} - {""} for part in (0, 1))
    if not other.total:
        return None
    return _share(
        sum(time for (type_, name), time in one.by_kind.items() if type_ in types or name in names), one.total
    )


def _names(side: _Side) -> str:
    """The types, or names where there is none, that hold most time."""
    held: Counter[str] = Counter()
    for (type_, name), time in side.by_kind.items():
        held[type_ or name or NOT_AVAILABLE] += time
    shown = sorted(held, key=lambda text: (-held[text], text))
    more = f" (+{len(shown) - LISTED})" if len(shown) > LISTED else ""
    return ", ".join(shown[:LISTED]) + more


def _spoken_against(declared: Reason, silent: Reason) -> Reason:
    """A declaration of the work, with what the captures show against it."""
    code = NOT_RECORDED[silent.code]
    if code == declared.code:
        return declared
    seen = {side: silent.arg(side) for side in ("before", "after")}
    return Reason.of(code, **dict(declared.args), **seen)


def _cannot_be_shown(b: _Side, a: _Side, shares: tuple[Fraction | None, Fraction | None]) -> Reason | None:
    silent = [side for side, found in ((Side.BEFORE, b), (Side.AFTER, a)) if not found.count]
    if silent:
        return _not_recorded("both" if len(silent) == 2 else silent[0].value, b, a)
    if not b.types & a.types:
        return Reason.of(
            "workload_no_common_type", before=", ".join(sorted(b.types)[:3]), after=", ".join(sorted(a.types)[:3])
        )
    if not set(b.count) & set(a.count):
        return Reason.of("workload_no_common_triple")
    if min(share or Fraction(0) for share in shares) < MATCH_LIMIT:
        return Reason.of(
            "workload_small_match", before=_percent(shares[0]), after=_percent(shares[1]), limit=_percent(MATCH_LIMIT)
        )
    return None


# ------------------------------------------------------------------------------------------------ the agreed workload
DTYPES = {
    "DT_BF16": "bf16",
    "BF16": "bf16",
    "BFLOAT16": "bf16",
    "FLOAT16": "fp16",
    "DT_FLOAT16": "fp16",
    "HALF": "fp16",
    "FLOAT": "fp32",
    "DT_FLOAT": "fp32",
    "FLOAT32": "fp32",
    "INT8": "int8",
    "DT_INT8": "int8",
    "INT4": "int4",
    "FLOAT8_E4M3FN": "fp8",
    "HIFLOAT8": "hif8",
}
SAME_DTYPE = {"bfloat16": "bf16", "float16": "fp16", "half": "fp16", "float32": "fp32", "float": "fp32"}
CUBE = ("AI_CORE", "MIX_AIC")
_BATCH = re.compile(r"(?:^|\s)(?:-b|--batch[-_]size|--micro[-_]batch[-_]size|--mbs)(?:\s+|=)(\d+)(?=\s|$)")
_LENGTH = re.compile(r"(?:^|\s)(?:--seq[-_]len(?:gth)?|--sequence[-_]length|--max[-_]seq[-_]len)(?:\s+|=)(\d+)(?=\s|$)")


def _cube_dtype(capture: Capture) -> tuple[str, tuple[Origin, ...]]:
    """The dtype that holds most cube time, and where that was seen; empty when no cube kernel records one."""
    time: Counter[str] = Counter()
    origins: list[Origin] = []
    for tables in capture.tables:
        frame = tables.kernels.frame
        rows = frame[frame["accelerator"].isin(CUBE)]
        for dtypes, total in rows.groupby("dtypes", observed=True)["duration_ns"].sum().items():
            first = str(dtypes).split(";")[0].strip().upper()
            if first not in (NOT_AVAILABLE, ""):
                time[DTYPES.get(first, first.lower())] += int(total)
        origins.append(
            Origin(
                file=f"{capture.facts.side.value}/{tables.kernels.file.path}",
                digest=tables.kernels.file.digest,
                locator="column Input Data Types of AI_CORE and MIX_AIC rows",
                formula="dtype with the largest sum of durations",
            )
        )
    return (max(sorted(time), key=lambda name: time[name]) if time else ""), tuple(origins)


def _parameters(capture: Capture) -> str:
    return " ".join(v for f in capture.facts.settings_files for v in (f.get("app_parameters"),) if v)


def _numbers(capture: Capture) -> set[str]:
    return {
        n
        for tables in capture.tables
        for shapes in tables.kernels.frame["shapes"].cat.categories
        for n in re.findall(r"\d+", str(shapes))
    }


def workload_checks(case: Case | None, before: Capture, after: Capture) -> tuple[WorkloadCheck, ...]:
    """The agreed workload held against both captures: dtype, batch size, sequence length, ranks.

    Batch size agrees or contradicts only from ``app_parameters``; from shapes it is at most consistent.
    """
    if case is None:
        return ()
    agreed = case.workload
    found: list[WorkloadCheck] = []
    for capture in (before, after):
        side = capture.facts.side.value
        if agreed.dtype:
            seen, origins = _cube_dtype(capture)
            wanted = SAME_DTYPE.get(agreed.dtype.lower(), agreed.dtype.lower())
            outcome = _outcome(bool(seen), agrees=seen == wanted)
            found.append(
                WorkloadCheck(fact=f"dtype.{side}", agreed=agreed.dtype, seen=seen, outcome=outcome, origins=origins)
            )
        for fact, text, pattern in (
            ("batch_size", agreed.batch_size, _BATCH),
            ("sequence_length", agreed.sequence_length, _LENGTH),
        ):
            if text:
                found.append(_number_check(capture, f"{fact}.{side}", text, pattern))
        if agreed.ranks is not None:
            ranks = len(capture.facts.ranks)
            outcome = _outcome(ranks >= agreed.ranks, agrees=ranks == agreed.ranks)
            found.append(
                WorkloadCheck(fact=f"ranks.{side}", agreed=str(agreed.ranks), seen=str(ranks), outcome=outcome)
            )
    return tuple(found)


def _outcome(visible: bool, *, agrees: bool) -> Literal["agrees", "contradicts", "cannot be seen"]:  # noqa: FBT001
    return "cannot be seen" if not visible else "agrees" if agrees else "contradicts"


def _number_check(capture: Capture, fact: str, agreed: str, pattern: re.Pattern[str]) -> WorkloadCheck:
    named = pattern.findall(_parameters(capture))
    if named and agreed.isdigit():
        return WorkloadCheck(
            fact=fact,
            agreed=agreed,
            seen=", ".join(dict.fromkeys(named)),
            outcome="agrees" if set(named) == {agreed} else "contradicts",
        )
    if agreed.isdigit() and agreed in _numbers(capture):
        return WorkloadCheck(fact=fact, agreed=agreed, seen="", outcome="consistent")
    return WorkloadCheck(fact=fact, agreed=agreed, seen="", outcome="cannot be seen")
