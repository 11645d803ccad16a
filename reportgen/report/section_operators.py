"""Section "Operators": each type of one rank side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from reportgen.model import Quantity
from reportgen.report import figures, numbers, wording
from reportgen.report.document import (
    OperatorRow,
    OperatorSide,
)
from reportgen.report.rows import step_row
from reportgen.report.view import KEY, OPERATORS, Context, Cut, Where, capped, rank_words, whence


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorLine:
    """One operator type."""

    id: str
    """``K1`` ..."""
    name: str
    """Type, or kernel name."""
    change: str
    """Class."""
    calls: tuple[str, str]
    """Calls of a step."""
    totals: tuple[str, str]
    """Time of a step."""
    delta: str
    """Its difference."""
    call: tuple[str, str]
    """Median of one call."""
    ratio: str
    """AFTER / BEFORE of one call with its interval."""
    told: str
    """Whether a difference of one call is demonstrated, and at which level; an en dash where a side has no call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorGroup:
    """The operator types of one rank."""

    rank: str
    """Rank; empty where none is recorded."""
    lines: tuple[OperatorLine, ...]
    """Types, largest change first."""
    cut: Cut | None
    """Of them."""
    total_unit: str
    """Unit of the totals."""
    call_unit: str
    """Unit of one call."""
    tested: bool
    """Whether a type was tested for a difference of its calls."""
    where: tuple[Where, ...]
    """Files they come from, each once, with the rule of all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorSection:
    """Operators."""

    figure: figures.Figure
    """Figure of one rank."""
    groups: tuple[OperatorGroup, ...]
    """Ranks: on paper the one that page one looks at."""
    by_name: bool
    """Whether kernels are told apart by name, since types are not recorded."""
    per_step: bool
    """Whether figures are per step."""
    ranks_left: int
    """Ranks that the paper leaves out."""
    repeats: bool
    """Whether a side has further captures, whose operators are not shown."""


def operators(context: Context) -> OperatorSection:
    """The section of the operators."""
    rows = context.report.operators
    places = list(dict.fromkeys(row.rank for row in rows))
    whole = step_row(context)
    first = whole.rank if whole is not None and whole.rank in places else (places[0] if places else None)
    shown = (
        [first]
        if context.paper and places
        else [first, *(place for place in places if place != first)]
        if places
        else []
    )
    return OperatorSection(
        figure=figures.operators(context, first),
        groups=tuple(_operators_of(context, rank) for rank in shown),
        by_name=any(row.identified_by == "name" for row in rows),
        per_step=figures.has_steps(context),
        ranks_left=len(places) - len(shown),
        repeats=len(context.report.captures) > 2,
    )


def _operators_of(context: Context, rank: int | None) -> OperatorGroup:
    """The types of one rank in common units."""
    rows = [row for row in context.report.operators if row.rank == rank]
    sides = [side for row in rows for side in (row.before, row.after) if side is not None]
    total = numbers.scale_of(
        max((Fraction(s.total_per_step.quantity.value) for s in sides), default=Fraction(0)), "time"
    )
    call = numbers.scale_of(max((Fraction(s.median.quantity.value) for s in sides), default=Fraction(0)), "time")
    call = min(call, numbers.SCALES["µs"], key=lambda scale: scale.factor)
    shown, cut = capped(rows, OPERATORS if context.paper else None)
    apart = wording.times_are_blocked(context.report)
    return OperatorGroup(
        rank=rank_words(context, rank),
        lines=tuple(_operator(context, row, total, call, apart=apart) for row in shown),
        cut=cut,
        total_unit=total.unit,
        call_unit=call.unit,
        tested=any(row.call_interval is not None for row in rows),
        where=_where(context, sides),
    )


def _where(context: Context, sides: Iterable[OperatorSide]) -> tuple[Where, ...]:
    """The files of all types of a rank; the place of each is its rows, which need not be told one by one."""
    files = whence(context, (side.total for side in sides))
    place = context.text("rows of the type named")
    return tuple(replace(where, id="", locator=place) for where in files)


def _told(context: Context, row: OperatorRow) -> str:
    """Whether a difference of one call is demonstrated; types of little time are not tested."""
    if row.before is None or row.after is None:
        return "–"
    if row.reason.code == "small_type":
        return context.text("not tested")
    word = wording.told_brief(row.distinguishable, context.language)
    if row.call_interval is None:
        return word
    return context.text("%(told)s (%(level)s)", told=word, level=numbers.format_level(row.call_interval.level.quantity))


def _operator(
    context: Context, row: OperatorRow, total: numbers.Scale, call: numbers.Scale, *, apart: bool
) -> OperatorLine:
    """One type on one line; an en dash where a call cannot exist; of times that are blocked nothing is formed."""
    zero = Quantity(value=0, unit="ns")
    language = context.language

    def of(side: OperatorSide | None, name: str) -> Quantity | None:
        return None if side is None else getattr(side, name).quantity

    totals = numbers.row_format(
        of(row.before, "total_per_step") or zero,
        of(row.after, "total_per_step") or zero,
        row.delta_per_step,
        metric_unit_hint=total.unit,
        language=language,
    )
    calls = numbers.row_format(
        of(row.before, "median"), of(row.after, "median"), None, metric_unit_hint=call.unit, language=language
    )
    ratio = "–"
    if row.before is not None and row.after is not None:
        ratio = context.text("none")
    if row.call_estimate is not None and row.call_interval is not None and not apart:
        ends = (row.call_interval.low.quantity, row.call_interval.high.quantity)
        interval = numbers.format_interval(*(numbers.format_ratio(end) for end in ends))
        ratio = f"{numbers.format_ratio(row.call_estimate.quantity)} {interval}"
    return OperatorLine(
        id=row.id,
        name=context.fit(row.type, KEY),
        change=wording.change_word(row.change, language),
        calls=(
            figures.calls(context, row.before.calls_per_step if row.before else None),
            figures.calls(context, row.after.calls_per_step if row.after else None),
        ),
        totals=(totals.before, totals.after),
        delta="–" if apart else totals.delta,
        call=(calls.before or "–", calls.after or "–"),
        ratio=ratio,
        told=context.text("no verdict") if apart else _told(context, row),
    )
