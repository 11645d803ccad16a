"""Agreed criteria of accuracy, judged: a score of each side, or two curves step by step.

Nothing is rounded before it is compared. A criterion that cannot be read is undecided, never met; steps and values that
are missing on a side never help it. Source: docs/gates.md, "Accuracy".
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

from reportgen import units
from reportgen.digests import read_whole
from reportgen.errors import CaptureError
from reportgen.model import (
    Accuracy,
    AccuracyInput,
    AccuracySide,
    CurveDeviation,
    Family,
    Judgement,
    Metric,
    Origin,
    Outcome,
    PrecisionSign,
    Quantity,
    Reason,
    Side,
    Target,
)
from reportgen.plain import printable
from reportgen.run_logs.curves import Curve, read_curve
from reportgen.same_runs import FEWEST_FIGURES

LARGEST = 16 << 20
"""Bytes of the largest result file a score is read from."""
LONGEST = 60
"""Characters of a value that is read as a number."""
TENFOLD = 10
"""``accuracy_scale_factor`` of evidence/choices.toml."""


def judge_accuracy(target: Target | None) -> tuple[Accuracy, ...]:
    """Every criterion of a target, by case.

    Raises:
        CaptureError: a file that holds a curve cannot be read, or changed since the target was read.
    """
    known: dict[AccuracyInput, Accuracy] = {}
    found = []
    for case in target.cases if target is not None else ():
        for agreed in case.accuracy:
            if agreed not in known:  # a criterion of a matrix is one for all its cells
                known[agreed] = (_score if agreed.kind == "score" else _curve)(case.id, agreed)
            found.append(replace(known[agreed], case=case.id))
    return tuple(found)


def _judged(case: str, agreed: AccuracyInput, outcome: Outcome, reason: Reason, **known: Any) -> Accuracy:
    empty: dict[str, Any] = {"before": None, "after": None, "limit": None, "deviation": None}
    return Accuracy(case=case, agreed=agreed, outcome=outcome, reason=reason, **{**empty, **known})


# --------------------------------------------------------------------------------------------- scores
def _score(case: str, agreed: AccuracyInput) -> Accuracy:
    sides = [_value(side, one) for side, one in zip(Side, (agreed.before, agreed.after), strict=True)]
    known: dict[str, Any] = {
        "typed": tuple(side for side, one in zip(Side, sides, strict=True) if not isinstance(one, Reason) and one[2]),
        "origins": tuple(() if isinstance(one, Reason) else one[1] for one in sides),
    }
    for name, one in zip(("before", "after"), sides, strict=True):
        known[name] = None if isinstance(one, Reason) else one[0]
    lacking = next((one for one in sides if isinstance(one, Reason)), None)
    if lacking is not None:
        return _judged(case, agreed, Outcome.UNDECIDED, lacking, **known)
    unlike = _unlike(agreed, known["before"], known["after"])
    if unlike is not None:
        return _judged(case, agreed, Outcome.UNDECIDED, unlike, **known)
    before, after = Fraction(known["before"].value), Fraction(known["after"].value)
    kind, tolerance, _origin = agreed.tolerances[0]
    room = Fraction(tolerance.value) * (abs(before) if kind == "relative" else 1)
    upper = agreed.direction == "at_most"
    limit = before + room if upper else before - room
    known["limit"] = Quantity(value=units.exact(limit), unit="1")
    met = after <= limit if upper else after >= limit
    least, most = sorted((abs(before), abs(after)))
    if met and least and most >= TENFOLD * least:
        return _judged(case, agreed, Outcome.UNDECIDED, Reason.of("accuracy_scale", factor=TENFOLD), **known)
    return Accuracy(
        case=case,
        agreed=agreed,
        outcome=Outcome.MET if met else Outcome.NOT_MET,
        reason=Reason.of("accuracy_score_within" if met else "accuracy_score_beyond"),
        deviation=None,
        **known,
    )


def _unlike(agreed: AccuracyInput, before: Quantity, after: Quantity) -> Reason | None:
    """Why two scores may not be held against each other: one value given twice, or percentages beside plain numbers.

    A tolerance in percentage points may stand beside shares (0.712); a plain one is of another scale than percentages.
    A line of which values were typed may hold both sides; a JSON pointer leads to one value.
    """
    sides = agreed.before, agreed.after
    places = [(one.file.digest if one.file is not None else "", one.locator) for one in sides]
    if places[0] == places[1] and places[0][1].startswith("/"):
        return Reason.of("accuracy_same_place", file=printable(sides[0].path.rpartition("/")[2]), place=places[0][1])
    written = [(one.written or value).written for one, value in zip(sides, (before, after), strict=True)]
    percent = ["%" in text for text in written]
    kind, tolerance, _origin = agreed.tolerances[0]
    plain = kind == "absolute" and tolerance.value != 0 and "%" not in tolerance.written
    if percent[0] != percent[1] or (percent[0] and plain):
        shown = [printable(text) for text in (*written, tolerance.written)]
        return Reason.of("accuracy_percent", before=shown[0], after=shown[1], tolerance=shown[2])
    return None


def _value(side: Side, one: AccuracySide) -> tuple[Quantity, tuple[Origin, ...], bool] | Reason:
    """The score of a side, where it comes from, and whether it was typed by hand; or why there is none."""
    assert one.file is not None, "the target names a file for every score"
    name = printable(one.file.path)
    found = _read(one, name) if one.locator.startswith("/") else None
    if isinstance(found, Reason):
        return found
    read = Origin(file=f"accuracy:{side.value}/{name}", digest=one.file.digest, locator=one.locator, formula="")
    if found is not None:
        if one.written is not None:
            half = units.last_digit(one.written.written) / 2
            if abs(Fraction(one.written.value) - found.value) > half:
                typed, said = one.written.exact(), found.exact()
                return Reason.of("accuracy_typed_contradicts", side=side, typed=typed, read=said, file=name)
        return found, (_as(read, "as written"),), False
    if one.written is None:
        return Reason.of("accuracy_not_read", side=side, file=name, place=one.locator)
    return one.written, (one.origin, _as(read, "typed by hand")), True


def _as(origin: Origin, formula: str) -> Origin:
    return Origin(file=origin.file, digest=origin.digest, locator=origin.locator, formula=formula)


def _read(one: AccuracySide, name: str) -> Quantity | Reason | None:
    """The number that a JSON pointer leads to; None where the file is no JSON."""
    path = Path(one.path)
    try:
        data, digest = read_whole(path, path.parent, limit=LARGEST)
    except CaptureError as fault:
        if fault.code != "file_too_large":
            raise
        return Reason.of("accuracy_too_large", file=name, limit=LARGEST)
    if one.file is not None and digest != one.file.digest:
        hint = "wait until it is written, then run again"
        raise CaptureError("file_changed", "changed while it was read", where=name, hint=hint)
    nothing = Reason.of("accuracy_not_at", file=name, place=printable(one.locator))
    try:
        found: Any = json.loads(
            data.decode("utf-8-sig"), parse_float=str, parse_int=str, parse_constant=str, object_pairs_hook=_once
        )
    except (ValueError, RecursionError):
        return nothing if data.lstrip()[:1] in (b"{", b"[") else None  # a JSON that was cut is no text of another kind
    for key in one.locator[1:].split("/"):
        plain = key.replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict) and plain in found and found[plain] is not TWICE:
            found = found[plain]
        elif isinstance(found, list) and plain.isascii() and plain.isdigit() and int(plain[:9]) < len(found):
            found = found[int(plain[:9])]
        else:
            return nothing
    if not isinstance(found, str) or len(found) > LONGEST:
        return nothing
    try:
        value, unit = units.parse(found)
    except ValueError:
        return nothing
    return Quantity(value=value, unit=unit, written=found.strip()) if unit == "1" else nothing


TWICE = object()
"""What stands for a key that an object has twice: which of its values counts, nobody can tell."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    counted = Counter(name for name, _ in pairs)
    return {name: value if counted[name] == 1 else TWICE for name, value in pairs}


# --------------------------------------------------------------------------------------------- curves
def _curve(case: str, agreed: AccuracyInput) -> Accuracy:
    found = [read_curve(Path(one.path), agreed.series, one.segment) for one in (agreed.before, agreed.after)]
    lacking = next((one for one in found if isinstance(one, Reason)), None)
    if lacking is not None:
        return _judged(case, agreed, Outcome.UNDECIDED, lacking)
    before, after = (one for one in found if isinstance(one, Curve))
    for side, curve in ((agreed.before, before), (agreed.after, after)):
        if side.file is not None and curve.file.digest != side.file.digest and Path(side.path).is_file():
            hint = "wait until it is written, then run again"
            raise CaptureError("file_changed", "changed while it was read", where=printable(side.path), hint=hint)
    return judged_curve(case, agreed, before, after)


def judged_curve(case: str, agreed: AccuracyInput, before: Curve, after: Curve) -> Accuracy:
    """Two curves over the agreed steps.

    A step beyond the largest deviation is not met whatever else is missing; what else decides needs every
    step of the range on both sides, none of them skipped or without a finite value.
    """
    assert agreed.steps is not None, "the target names the range of every curve"
    first, last = agreed.steps
    inside = [{step for step in curve.values if first <= step <= last} for curve in (before, after)]
    bad = [{step for step in curve.uncounted if first <= step <= last} for curve in (before, after)]
    common = sorted(inside[0] & inside[1])
    shares = {step: _share(before.values[step], after.values[step]) for step in common}
    known: dict[str, Any] = {
        "only": tuple(tuple(sorted(one - other)) for one, other in (inside, inside[::-1])),
        "uncounted": (len(bad[0]), len(bad[1])),
        "origins": tuple((_origin(side, one),) for side, one in zip(Side, (before, after), strict=True)),
        "deviation": _deviation(shares),
    }
    over = _beyond(agreed, known["deviation"])
    if over is not None and over.code == "accuracy_max_beyond":
        return _judged(case, agreed, Outcome.NOT_MET, over, **known)
    why = _incomplete(agreed, (before, after), common, shares, known)
    if why is not None:
        return _judged(case, agreed, Outcome.UNDECIDED, why, **known)
    outcome = Outcome.MET if over is None else Outcome.NOT_MET
    return _judged(case, agreed, outcome, over or Reason.of("accuracy_curve_within"), **known)


def _share(before: Fraction, after: Fraction) -> Fraction | None:
    """|AFTER - BEFORE| / |BEFORE|; None where BEFORE is 0 and AFTER is not."""
    if before == 0:
        return Fraction(0) if after == 0 else None
    return abs(after - before) / abs(before)


def _deviation(shares: dict[int, Fraction | None]) -> CurveDeviation | None:
    known = {step: share for step, share in shares.items() if share is not None}
    if not known:
        return None
    worst = max(known, key=lambda step: known[step])
    mean = sum(known.values(), Fraction(0)) / len(known)
    return CurveDeviation(
        steps=len(known),
        largest=Quantity(value=units.exact(known[worst]), unit="1"),
        largest_step=worst,
        mean=Quantity(value=units.exact(mean), unit="1"),
    )


def _beyond(agreed: AccuracyInput, found: CurveDeviation | None) -> Reason | None:
    """The tolerance that is passed."""
    for kind, limit, _origin in agreed.tolerances if found is not None else ():
        assert found is not None
        if kind == "relative_max" and found.largest.value > limit.value:
            return Reason.of("accuracy_max_beyond", step=found.largest_step)
        if kind == "relative_mean" and found.mean.value > limit.value:
            return Reason.of("accuracy_mean_beyond")
    return None


def _incomplete(
    agreed: AccuracyInput,
    curves: tuple[Curve, Curve],
    common: list[int],
    shares: dict[int, Fraction | None],
    known: dict[str, Any],
) -> Reason | None:
    """Why the curves do not decide; None when they do."""
    before, after = curves
    doubt = next((doubt for curve in curves for doubt in curve.doubts), None)
    if (before.file.digest, before.segment) == (after.file.digest, after.segment) or _one_run(before, after):
        return Reason.of("accuracy_same_file", file=before.file.path)
    if not agreed.series and before.series != after.series:
        return Reason.of("accuracy_series", before=before.series, after=after.series)
    if doubt is not None:
        return Reason.of("accuracy_curve_unfit", file=(before if doubt in before.doubts else after).file.path)
    if not common:
        return Reason.of("accuracy_no_common_steps")
    if sum(known["uncounted"]):
        return Reason.of("accuracy_uncounted", before=known["uncounted"][0], after=known["uncounted"][1])
    if known["only"][0] or known["only"][1]:
        return Reason.of("accuracy_one_sided", before=len(known["only"][0]), after=len(known["only"][1]))
    zero = next((step for step, share in shares.items() if share is None), None)
    if zero is not None:
        return Reason.of("accuracy_before_zero", step=zero)
    return _uncovered(agreed, common)


def _one_run(before: Curve, after: Curve) -> bool:
    """Whether two files hold one run: not the curve alone, the times of all steps beside it are the same."""
    return len(before.times) >= FEWEST_FIGURES and before.times == after.times and before.values == after.values


def _uncovered(agreed: AccuracyInput, common: list[int]) -> Reason | None:
    """Whether the steps cover the agreed range: none missing at its ends, nor between two that have the usual gap.

    The usual gap is the commonest; one that occurs once is no usual one, and every step is then asked for.
    """
    assert agreed.steps is not None
    first, last = agreed.steps
    gaps = Counter(after - before for before, after in pairwise(common))
    most = max(gaps.values(), default=0)
    usual = min(gap for gap, count in gaps.items() if count == most) if most > 1 else 1
    if common[0] - first < usual and last - common[-1] < usual and max(gaps, default=usual) <= usual:
        return None
    return Reason.of("accuracy_range", first=first, last=last, begin=common[0], end=common[-1], n=len(common))


def _origin(side: Side, curve: Curve) -> Origin:
    return Origin(
        file=f"accuracy:{side.value}/{curve.file.path}",
        digest=curve.file.digest,
        locator=curve.locator,
        formula="|AFTER - BEFORE| / |BEFORE| step by step",
    )


# --------------------------------------------------------------------------------------------- what follows for goals
def is_speed(metric: Metric | None) -> bool:
    """Whether a goal on a metric is one of speed: everything but memory and counts; metrics from outside are."""
    return metric is None or metric.family not in (Family.MEMORY, Family.COUNTS)


def withheld(
    judgements: Iterable[Judgement],
    accuracy: Sequence[Accuracy],
    signs: Sequence[PrecisionSign],
    metrics: dict[str, Metric],
) -> list[Judgement]:
    """The judgements without the verdict on speed where another precision shows and accuracy is not shown to be met.

    A goal of speed that would be met becomes undecided; one that is not met stays so.
    """
    found = []
    for one in judgements:
        why = missing_accuracy(one.case, accuracy, signs)
        speed = one.outcome is Outcome.MET and is_speed(metrics.get(one.goal.metric))
        if why is not None and speed:
            found.append(replace(one, outcome=Outcome.UNDECIDED, margin=None, reason=why))
        else:
            found.append(one)
    return found


def missing_accuracy(case: str, accuracy: Sequence[Accuracy], signs: Sequence[PrecisionSign]) -> Reason | None:
    """Why a case whose precision changed has no accuracy to show; None when it has, or when nothing shows a change."""
    sign = next((sign for sign in signs if sign.case == case), None)
    if sign is None:
        return None
    own = [one for one in accuracy if one.case == case]
    if not own:
        return Reason.of("accuracy_missing")
    open_ = next((one for one in own if one.outcome is not Outcome.MET), None)
    return None if open_ is None else Reason.of("accuracy_not_shown_met", criterion=open_.agreed.name)
