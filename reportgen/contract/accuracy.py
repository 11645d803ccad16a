"""Criteria of accuracy and attachments of a target: their faults, and the nouns made of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportgen import strict, units
from reportgen.attached import MOST, attached
from reportgen.errors import CaptureError
from reportgen.model import AccuracyInput, AccuracySide, Attachment, FileRecord, Origin, Quantity
from reportgen.strict import Fault

if TYPE_CHECKING:
    from reportgen.contract.checks import Files
    from reportgen.contract.shapes import AccuracyTable, AttachmentTable

SIDES = ("before", "after")
OF_SCORE = ("before", "after", "before_locator", "after_locator", "tolerance", "relative_tolerance")
"""Keys that a curve does not take."""
OF_CURVE = ("series", "first_step", "last_step", "relative_max", "relative_mean", "before_segment", "after_segment")
"""Keys that a score does not take."""
SHARES = ("relative_tolerance", "relative_max", "relative_mean")


# --------------------------------------------------------------------------------------------- faults
def check_accuracy(path: str, case: Mapping[str, Any], files: Files) -> Iterator[Fault]:
    """Faults of the accuracy criteria of one case."""
    seen: dict[str, str] = {}
    for place, table in strict.tables(case, "accuracy", path):
        name = strict.text(table, "name").strip()
        if name and seen.setdefault(name, place) != place:
            yield Fault(f"{place}.name", f"{name!r} is the name of another criterion of this case")
        for side in SIDES:
            yield from check_file(place, table, files, f"{side}_file", f"{side}_sha256")
            if not strict.text(table, f"{side}_file"):
                yield Fault(f"{place}.{side}_file", f"must name the file that holds the value of {side.upper()}")
        yield from _check_shares(place, table)
        kind = strict.text(table, "kind")
        if kind == "score":
            yield from _check_score(place, table)
        elif kind == "loss_curve":
            yield from _check_curve(place, table)


def check_file(
    place: str, table: Mapping[str, Any], files: Files, key: str = "file", digest: str = "sha256"
) -> Iterator[Fault]:
    """A file that is named is there, and its digest is the one agreed."""
    agreed, name = strict.text(table, digest).lower(), strict.text(table, key)
    whole = len(agreed) == 64 and all(one in "0123456789abcdef" for one in agreed)
    if agreed and not whole:
        yield Fault(f"{place}.{digest}", f"must be 64 hexadecimal digits; found {agreed[:70]!r}")
    if name:
        record = files.record(name.strip())
        if isinstance(record, str):
            yield Fault(f"{place}.{key}", record)
        elif agreed and whole and record.digest != agreed:
            yield Fault(f"{place}.{digest}", f"the file's digest is {record.digest}")


def _check_shares(place: str, table: Mapping[str, Any]) -> Iterator[Fault]:
    for key in SHARES:
        written = strict.text(table, key)
        if not written:
            continue
        value = _number(written)
        if value is None or not 0 <= value <= 1:
            yield Fault(f"{place}.{key}", f'must be a share from 0 to 100%, such as "2%"; found {written!r}')


def _check_score(place: str, table: Mapping[str, Any]) -> Iterator[Fault]:
    yield from _foreign(place, table, OF_CURVE, "a score")
    given = [key for key in ("tolerance", "relative_tolerance") if strict.text(table, key)]
    if len(given) != 1:
        yield Fault(place, 'a score needs one tolerance: tolerance = "0.5", or relative_tolerance = "1%"')
    written = {key: strict.text(table, key) for key in ("before", "after", "tolerance") if strict.text(table, key)}
    for key, text in written.items():
        value = _number(text)
        if value is None:
            yield Fault(f"{place}.{key}", f'must be a number or a percentage in quotes, such as "71.2"; found {text!r}')
        elif key == "tolerance" and value < 0:
            yield Fault(f"{place}.{key}", f"is never negative; found {text!r}")
    if len({"%" in text for text in written.values()}) > 1:
        yield Fault(place, "before, after and tolerance must all be percentages, or all plain numbers")
    for side in SIDES:
        locator = strict.text(table, f"{side}_locator").strip()
        if not locator:
            yield Fault(f"{place}.{side}_locator", "must say where in the file the value stands")
        elif not strict.text(table, side) and not locator.startswith("/"):
            yield Fault(
                f"{place}.{side}", "must be typed, since its locator is no JSON pointer (/results/acc) to read it at"
            )


def _check_curve(place: str, table: Mapping[str, Any]) -> Iterator[Fault]:
    yield from _foreign(place, table, (*OF_SCORE, "direction"), "a loss curve")
    if not (strict.text(table, "relative_max") or strict.text(table, "relative_mean")):
        yield Fault(place, 'a loss curve needs a tolerance: relative_max = "2%", relative_mean = "1%", or both')
    steps = [table.get(key) for key in ("first_step", "last_step")]
    for key, step in zip(("first_step", "last_step"), steps, strict=True):
        if step is None:
            yield Fault(f"{place}.{key}", "must name the range of steps that counts: first_step and last_step")
        elif isinstance(step, int) and not isinstance(step, bool) and step < 0:
            yield Fault(f"{place}.{key}", f"is never negative; found {step}")
    first, last = steps
    if isinstance(first, int) and isinstance(last, int) and first > last:
        yield Fault(f"{place}.last_step", f"comes before first_step = {first}; found {last}")
    for key in ("before_segment", "after_segment"):
        segment = table.get(key)
        if isinstance(segment, int) and segment < 0:
            yield Fault(f"{place}.{key}", f"counts from 0; found {segment}")


def _foreign(place: str, table: Mapping[str, Any], keys: tuple[str, ...], what: str) -> Iterator[Fault]:
    for key in keys:
        if table.get(key) not in (None, ""):
            yield Fault(f"{place}.{key}", f"{what} takes no such key")


def check_attachments(raw: Mapping[str, Any], files: Files) -> Iterator[Fault]:
    """Faults of the attachments of a target."""
    tables = list(strict.tables(raw, "attachment"))
    if len(tables) > MOST:
        yield Fault("attachment", f"at most {MOST} files can be attached; found {len(tables)}")
        return
    for place, table in tables:
        yield from check_file(place, table, files)
        if strict.text(table, "file"):
            try:
                attached(files.path(strict.text(table, "file").strip()))
            except CaptureError as fault:
                yield Fault(f"{place}.file", fault.message)


def _number(written: str) -> Fraction | None:
    """The plain number or percentage that a text holds."""
    try:
        value, unit = units.parse(written)
    except ValueError:
        return None
    return Fraction(value) if unit == "1" else None


# --------------------------------------------------------------------------------------------- to the nouns
def accuracy(table: AccuracyTable, files: Files, place: Origin) -> AccuracyInput:
    """One criterion; the table was checked before.

    Args:
        table: as the target has it.
        files: the files that the target names.
        place: the table in the target.
    """

    def origin(key: str, written: str) -> Origin:
        said = f'= "{written}"'
        return Origin(file=place.file, digest=place.digest, locator=f"{place.locator}.{key}", formula=said)

    def side(name: str) -> AccuracySide:
        written, file = getattr(table, name), getattr(table, f"{name}_file").strip()
        found = files.record(file)
        assert isinstance(found, FileRecord), "a file that cannot be read is a fault"
        return AccuracySide(
            written=_quantity(written) if written else None,
            path=str(files.path(file)),
            file=found,
            locator=getattr(table, f"{name}_locator").strip(),
            segment=getattr(table, f"{name}_segment"),
            origin=origin(name, written) if written else origin(f"{name}_file", file),
        )

    limits = {
        "absolute": ("tolerance", table.tolerance),
        "relative": ("relative_tolerance", table.relative_tolerance),
        "relative_max": ("relative_max", table.relative_max),
        "relative_mean": ("relative_mean", table.relative_mean),
    }
    first, last = table.first_step, table.last_step
    return AccuracyInput(
        name=table.name.strip(),
        kind=table.kind,
        before=side("before"),
        after=side("after"),
        direction=table.direction,
        tolerances=tuple(
            (kind, _quantity(written), origin(key, written)) for kind, (key, written) in limits.items() if written
        ),
        series=table.series.strip(),
        steps=(first, last) if first is not None and last is not None else None,
    )


def attachment(table: AttachmentTable, files: Files) -> Attachment:
    """One attachment; the table was checked before."""
    name = table.file.strip()
    return attached(Path(files.path(name)), shown=name, what=table.what, tool=table.tool, version=table.version)


def _quantity(written: str) -> Quantity:
    value, unit = units.parse(written)
    return Quantity(value=units.exact(Fraction(value)), unit=unit, written=written.strip())
