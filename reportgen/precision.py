"""Does the data type or the quantisation differ between the sides of a case? Then speed alone says nothing.

Looked at are the kernels of the captures, what the logs state, settings that differ, and the words of the change list.
One sign is enough. What one side shows and the other does not is a sign as well: nothing is the same until shown to be.
Source: docs/gates.md, "When accuracy is mandatory".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from reportgen.comparability.workload import CUBE, DTYPES
from reportgen.frames import NOT_AVAILABLE, Capture, distinct
from reportgen.model import (
    Case,
    Comparability,
    LoggedRun,
    Origin,
    PrecisionSign,
    Reason,
    Side,
    Standing,
    Target,
)

LOW = re.compile(r"(?i)int8|int4|fp8|float8|fp4|float4|hif8|hifloat|mxfp")
"""Data types of quantised work."""
QUANT = re.compile(r"(?i)quant")
"""Kernels that quantise, or work on quantised data."""
KEYS = re.compile(r"(?i)(?:^|[._\- ])(?:\w*dtype|\w*quant\w*|precision\w*|bf16|fp16|fp8\w*|fp32)$")
"""Last names of settings and arguments that speak of precision."""
WORDS = re.compile(
    r"(?i)量化|混合精度|半精度|单精度|双精度|低精度|降精度|数据类型|quant(?!ity|ities|ile|um)|\bw\d{1,2}a\d{1,2}"
    r"|data[ _-]type|dtype|(?:mixed|half|single|double|low|lower|reduced)[ _-]precision|\b(?:awq|gptq|autocast|amp)\b"
    r"|(?<![a-z0-9])(?:b?float16|float(?:32|8|4)|bf16|fp16|fp32|hf32|tf32|fp8|fp4|nf4|int8|int4|hif8|hifloat8|mxfp\d)"
    r"(?![0-9])"
)
"""Words of a change list that speak of precision."""
NOTHING = ("", "none", "null", "false", "no", "off", "0")
"""Values, in small letters, by which a key of quantisation says that there is none."""
LISTED = 5


def precision_signs(
    target: Target | None,
    captures: tuple[Sequence[Capture], Sequence[Capture]],
    runs: Sequence[LoggedRun],
    comparability: Comparability,
) -> tuple[PrecisionSign, ...]:
    """Every sign, by case.

    Args:
        target: what was agreed; without it there is no case.
        captures: BEFORE and AFTER, of the profiled case.
        runs: runs outside the profile.
        comparability: the compared settings.
    """
    found: list[PrecisionSign] = []
    for case in target.cases if target is not None else ():
        found += [PrecisionSign(case=case.id, reason=reason) for reason in _of_changes(target)]
        if case.profiled:
            found += [
                PrecisionSign(case=case.id, reason=reason, origins=origins)
                for reason, origins in (*_of_kernels(captures), *_of_settings(comparability))
            ]
        found += [PrecisionSign(case=case.id, reason=reason) for reason in _of_logs(case, runs)]
    return tuple(found)


# --------------------------------------------------------------------------------------------- kernels
def _of_kernels(
    captures: tuple[Sequence[Capture], Sequence[Capture]],
) -> Iterator[tuple[Reason, tuple[Origin, ...]]]:
    if not all(captures):
        return  # no BEFORE was agreed: nothing can have changed between sides
    sides = [[_kernels(capture) for capture in side] for side in captures]
    origins = tuple(_origin(capture) for side in captures for capture in side)
    mains = [sorted({_main(cube) for cube, _low, _quant in side}) for side in sides]
    if mains[0] != mains[1]:
        shown = [", ".join(name for name in side if name) for side in mains]
        if all(shown) and shown[0] != shown[1]:
            yield Reason.of("precision_dtype", before=shown[0], after=shown[1]), origins
        else:
            lacking = Side.BEFORE if "" in mains[0] else Side.AFTER
            yield Reason.of("precision_dtype_one_side", side=lacking, dtype=shown[0] or shown[1]), origins
    for index, code in ((1, "precision_low_dtype"), (2, "precision_quant_kernels")):
        names = [set().union(*(one[index] for one in side)) for side in sides]
        fresh = sorted(names[1] - names[0])
        if fresh:
            yield Reason.of(code, names=", ".join(fresh[:LISTED]), n=len(fresh)), origins


def _kernels(capture: Capture) -> tuple[Counter[str], set[str], set[str]]:
    """Cube time by data type, low data types of the cube, and types of kernels that speak of quantisation."""
    cube: Counter[str] = Counter()
    low: set[str] = set()
    quant: set[str] = set()
    for tables in capture.tables:
        frame = tables.kernels.frame
        rows = frame[frame["accelerator"].isin(CUBE)]
        for dtypes, total in rows.groupby("dtypes", observed=True)["duration_ns"].sum().items():
            inputs = [one.strip().upper() for one in str(dtypes).split(";")]
            if inputs[0] not in (NOT_AVAILABLE, ""):
                cube[DTYPES.get(inputs[0], inputs[0].lower())] += int(total)
            low |= {DTYPES.get(one, one.lower()) for one in inputs if LOW.search(one)}
        unnamed = frame[frame["type"].isin((NOT_AVAILABLE, ""))]
        names = (*distinct(frame["type"]), *distinct(unnamed["name"]))
        quant |= {_bare(name) for name in names if QUANT.search(name)}
    return cube, low, quant


def _bare(name: str) -> str:
    """A kernel's name without its running numbers."""
    return re.sub(r"\d+", "", name).strip("_")[:80]


def _main(cube: Counter[str]) -> str:
    return max(sorted(cube), key=lambda name: cube[name]) if cube else ""


def _origin(capture: Capture) -> Origin:
    file = capture.tables[0].kernels.file
    return Origin(
        file=f"{capture.facts.side.value}/{file.path}",
        digest=file.digest,
        locator="columns Input Data Types, Type and Name",
        formula="data types by cube time; names that hold quant",
    )


# --------------------------------------------------------------------------------------------- settings, logs, words
def _of_settings(comparability: Comparability) -> Iterator[tuple[Reason, tuple[Origin, ...]]]:
    for one in comparability.differences:
        known = one.before.value is not None or one.after.value is not None
        differs = one.standing is not Standing.IDENTITY and known and one.before.value != one.after.value
        if differs and (KEYS.search(one.key) or KEYS.search(one.spelling)):
            origins = (*one.before.origins, *one.after.origins)
            yield Reason.of("precision_setting", key=one.key, before=one.before.value or "?",
                                after=one.after.value or "?"), origins  # fmt: skip


def _of_logs(case: Case, runs: Sequence[LoggedRun]) -> Iterator[Reason]:
    """What the logs of both sides state differently, or one side alone; of AFTER alone that its work is quantised.

    A key of precision counts whatever it says; of any other key, as the name of a model, a value that speaks of one.
    """
    stated: dict[Side, dict[str, set[str]]] = {}
    for one in runs:
        if one.case == case.id:
            held = stated.setdefault(one.side, {})
            for context in one.run.context:
                held.setdefault(context.key, set()).add(context.written.strip().lower())
    if Side.AFTER not in stated or (Side.BEFORE not in stated and case.alone):
        return
    before, after = stated.get(Side.BEFORE), stated[Side.AFTER]
    if before is None:  # nothing shows that BEFORE was quantised as well
        after = {key: values for key, values in after.items() if any(_quantised(key, value) for value in values)}
        before = {}
    for key in sorted(before.keys() | after.keys()):
        values = before.get(key, set()) | after.get(key, set())
        speaks = KEYS.search(key) is not None or any(WORDS.search(value) for value in values)
        if before.get(key) != after.get(key) and speaks:
            shown = [" / ".join(sorted(side.get(key, {"?"}))) for side in (before, after)]
            yield Reason.of("precision_log", key=key, before=shown[0], after=shown[1])


def _quantised(key: str, value: str) -> bool:
    """Whether a statement says that work is quantised: a quantisation that is given, or a low data type."""
    given = QUANT.search(key) is not None and value not in NOTHING
    return given or (KEYS.search(key) is not None and LOW.search(value) is not None)


def _of_changes(target: Target | None) -> Iterator[Reason]:
    for change in target.changes if target is not None else ():
        told = next((text for text in (change.what, *change.keys) if WORDS.search(text) or KEYS.search(text)), None)
        if told is not None:
            yield Reason.of("precision_change_list", what=change.what)
