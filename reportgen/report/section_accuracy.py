"""Section "Accuracy": what was agreed on accuracy beside speed, and how it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reportgen.report import assured, numbers, page_one, wording
from reportgen.report.assurance import AccuracyRow, PrecisionRow
from reportgen.report.lookup import origins_of
from reportgen.report.section_evidence import Shown
from reportgen.report.view import VALUE, Context, Where, by_file, of_origin

STEPS = 12
"""Steps of one side alone that are listed; all are in report.json."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracyLine:
    """One criterion."""

    id: str
    """``C1`` ..."""
    name: str
    """What is measured, with its case."""
    agreed: str
    """Tolerance and range."""
    before: str
    """BEFORE, or its file."""
    after: str
    """AFTER, or its file."""
    found: str
    """Deviation of curves; typed values."""
    sign: str
    """Sign before the outcome."""
    outcome: str
    """Outcome."""
    why: str
    """Why."""
    where: tuple[Where, ...]
    """Origins."""
    origins: tuple[str, ...]
    """Their ids, each once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrecisionLine:
    """What shows another data type or quantisation."""

    case: str
    """Cases that it is said of."""
    text: str
    """What shows it."""
    where: tuple[Where, ...]
    """Origins; empty for words of the target and of logs."""
    origins: tuple[str, ...]
    """Their ids, each once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracySection:
    """Accuracy beside speed."""

    lines: tuple[AccuracyLine, ...]
    """Criteria."""
    signs: tuple[PrecisionLine, ...]
    """What shows another data type or quantisation."""


def accuracy(context: Context) -> AccuracySection:
    """The section; without lines where no criterion is agreed."""
    return AccuracySection(
        lines=tuple(_line(context, row) for row in context.report.accuracy),
        signs=_signs(context),
    )


def shown(context: Context, section: AccuracySection) -> Iterator[Shown]:
    """The criteria with their origins, for the table of origins."""
    for line in section.lines:
        if line.origins:
            yield (line.id,), line.name, tuple(of_origin(context, one) for one in line.origins)


def _signs(context: Context) -> tuple[PrecisionLine, ...]:
    """What shows another precision, each once with the cases it is said of."""
    language = context.language
    cases: dict[str, list[PrecisionRow]] = {}
    for row in context.report.precision:
        cases.setdefault(wording.say(row.reason, language), []).append(row)
    found = []
    for text, rows in cases.items():
        origins = tuple(dict.fromkeys(one for row in rows for one in row.origins))
        case = wording.listed((row.case for row in rows), language)
        found.append(PrecisionLine(case=case, text=text, where=by_file(context, origins), origins=origins))
    return tuple(found)


def _line(context: Context, row: AccuracyRow) -> AccuracyLine:
    language = context.language
    agreed = assured.tolerance_texts(row, language)
    if row.first_step is not None:
        agreed.append(context.text("steps %(first)s to %(last)s", first=row.first_step, last=row.last_step))
    sides = [assured.score_text(value, language) for value in (row.before, row.after)]
    if row.kind == "loss_curve":
        sides = [context.fit(file, VALUE) for file, _digest in row.files]
    origins = tuple(dict.fromkeys(origins_of(row)))
    return AccuracyLine(
        id=row.id,
        name=context.text("%(name)s (case %(case)s)", name=row.name, case=row.case),
        agreed=context.series(agreed),
        before=sides[0],
        after=sides[1] if len(sides) > 1 else "",
        found=context.series(_found(context, row)),
        sign=page_one.SIGNS[row.outcome],
        outcome=wording.outcome_word(row.outcome, language),
        why=wording.say(row.reason, language),
        where=by_file(context, origins),
        origins=origins,
    )


def _found(context: Context, row: AccuracyRow) -> list[str]:
    """What the comparison of curves found, and which values were typed."""
    language, found = context.language, []
    if row.typed:
        sides = ", ".join(wording.side_word(side) for side in row.typed)
        found.append(context.text("typed by hand: %(sides)s", sides=sides))
    if row.largest is not None and row.mean is not None:
        values = {
            "largest": assured.share_text(row.largest, language),
            "step": row.largest_step,
            "mean": assured.share_text(row.mean, language),
            "n": numbers.format_count(row.steps),
        }
        found.append(context.text("%(n)s steps compared, largest deviation %(largest)s (step %(step)s), mean %(mean)s",
                                  **values))  # fmt: skip
    for name, steps, bad in (
        ("BEFORE", row.only_before, row.uncounted_before),
        ("AFTER", row.only_after, row.uncounted_after),
    ):
        if steps:
            listed = ", ".join(str(step) for step in steps[:STEPS]) + (" ..." if len(steps) > STEPS else "")
            found.append(context.text("steps of %(side)s alone: %(steps)s", side=name, steps=listed))
        if bad:
            found.append(context.text("iterations of %(side)s skipped or without a finite value: %(n)s",
                                      side=name, n=bad))  # fmt: skip
    return found
