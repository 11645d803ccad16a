"""What ``explain`` says of what changed: the step taken apart, types that likely match, what is worse elsewhere.

Figures stand as the report prints them, then exactly.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.model import Quantity
from reportgen.report import changes, messages, messages_change, numbers, run_texts, wording
from reportgen.report.document import (
    AttributionRow,
    DisagreementRow,
    MatchRow,
    Number,
    PartRow,
    Report,
    RunFigureRow,
    Value,
    WorseRow,
)
from reportgen.report.translations import Language
from reportgen.report.translations import message as _

Pair = tuple[str, str]


def lines(
    report: Report, row: RunFigureRow | AttributionRow | MatchRow | WorseRow | DisagreementRow, language: Language
) -> Iterator[Pair]:
    """Names and texts of one row."""
    if isinstance(row, RunFigureRow):
        yield from _run_figure(report, row, language)
    elif isinstance(row, AttributionRow):
        yield from _attribution(report, row, language)
    elif isinstance(row, MatchRow):
        yield from _match(row, language)
    elif isinstance(row, WorseRow):
        yield from _worse(report, row, language)
    else:
        yield _label("why", language), changes.disagreement(row, language)
        for moved in (row.better, row.worse):
            name = wording.statistic_word(moved.statistic, language)
            yield f"{name} BEFORE", _number(moved.before, numbers.hint_of(row.metric, row.kind), language)
            yield f"{name} AFTER", _number(moved.after, numbers.hint_of(row.metric, row.kind), language)


def _label(name: str, language: Language) -> str:
    return _(messages.EXPLAIN[name], language)


def _exact(quantity: Quantity, language: Language) -> str:
    return f"{_label('exact', language)} {quantity.exact()}"


def _number(value: Value, hint: str, language: Language, *, signed: bool = False, shown: str = "") -> str:
    """A number as printed and exactly, or the word for what is missing with its reason.

    ``shown``: as its row prints it, in the unit and with the decimals that the figures of a row share.
    """
    if not isinstance(value, Number):
        word = wording.missing_word(value, language)
        return _(messages.COLON, language, name=word, text=wording.say(value.reason, language))
    shown = shown or numbers.format_value(value.quantity, metric_unit_hint=hint, language=language, signed=signed)
    return f"{shown}  ({_exact(value.quantity, language)})"


def _attribution(report: Report, row: AttributionRow, language: Language) -> Iterator[Pair]:
    """The parts with their means, then what they add up to, the median, and what stands beside."""
    yield _label("how", language), changes.attribution_sentence(row, language)
    texts = changes.deltas(row, language, changes.shared(changes.taken_apart(report.attributions)))

    def told(value: Value, hint: str, *, signed: bool = False) -> str:
        figure = texts.figure(value.quantity.value, signed=signed) if isinstance(value, Number) else ""
        return _number(value, hint, language, shown=figure)

    def shown(part: PartRow) -> Iterator[Pair]:
        name = wording.metric_title(part.metric, language)
        for side, value in (("BEFORE", part.before), ("AFTER", part.after)):
            yield f"{name} {side}", told(value, part.metric)
        yield f"{name} {_label('delta', language)}", told(part.delta, part.metric, signed=True)

    for part in row.parts:
        yield from shown(part)
    yield from shown(row.whole)
    yield _label("median_delta", language), told(row.median, "", signed=True)
    yield _label("apart", language), told(row.apart, "", signed=True)
    for part in row.beside:
        yield from shown(part)
    named = [part.metric_row for part in (row.whole, *row.parts, *row.beside) if part.metric_row]
    yield _label("rows", language), wording.listed(named, language)
    yield _label("note", language), changes.no_cause((row,), language)


def _match(row: MatchRow, language: Language) -> Iterator[Pair]:
    """Types, sums, and what speaks for the match."""
    yield _label("told", language), _(messages_change.MATCHES[row.kind], language)
    yield _label("types_before", language), wording.listed(row.before, language)
    yield _label("types_after", language), wording.listed(row.after, language)
    yield _label("rows", language), wording.listed(row.rows, language)
    yield _label("calls_per_step", language), _number(row.calls_per_step, "", language)
    alike = numbers.row_format(row.before_per_step, row.after_per_step, row.delta_per_step, language=language)
    yield _label("sum_before", language), _number(row.before_per_step, "", language, shown=alike.before_full)
    yield _label("sum_after", language), _number(row.after_per_step, "", language, shown=alike.after_full)
    yield _label("delta", language), _number(row.delta_per_step, "", language, shown=alike.delta_full)
    yield _label("evidence", language), wording.say(row.evidence, language)


def _worse(report: Report, row: WorseRow, language: Language) -> Iterator[Pair]:
    """Both values, the change with its interval, and how it is told."""
    texts = changes.worse_texts(row, language, several=len({one.rank for one in report.metrics}) > 1)
    hint = numbers.hint_of(row.metric, row.kind)
    yield "BEFORE", _number(row.before, hint, language, shown=texts.before)
    yield "AFTER", _number(row.after, hint, language, shown=texts.after)
    yield _label("delta", language), texts.delta
    if texts.change:
        exact = f"  ({_exact(row.change.quantity, language)})" if isinstance(row.change, Number) else ""
        yield _label("change", language), f"{texts.change}{exact}"
    if texts.interval:
        yield _label("interval", language), texts.interval
    yield _label("told", language), texts.told
    if texts.place:
        yield _label("place", language), texts.place
    if row.metric_row:
        yield _label("rows", language), row.metric_row


def _run_figure(report: Report, row: RunFigureRow, language: Language) -> Iterator[Pair]:
    """Both values, what is formed of them, and how it is told or why not."""
    texts = run_texts.figure_texts(report.known_spreads, row, language)
    hint = numbers.hint_of(row.metric, row.kind)
    alike = run_texts.row_texts(row, language)
    yield "BEFORE", _number(row.before, hint, language, shown=alike.before_full)
    yield "AFTER", _number(row.after, hint, language, shown=alike.after_full)
    for side, each in (("BEFORE", row.each_before), ("AFTER", row.each_after)):
        for number, value in enumerate(each, 1):
            yield (
                _(messages.EXPLAIN_RUN, language, side=side, n=str(number)),
                _number(value, hint, language, shown=alike.value(value.quantity.value)),
            )
    if isinstance(row.delta, Number):
        yield _label("delta", language), _number(row.delta, hint, language, shown=alike.delta_full)
    if isinstance(row.change, Number):
        yield _label("change", language), f"{texts.change}  ({_exact(row.change.quantity, language)})"
    if row.interval is not None:  # what is counted has none
        yield _label("interval", language), texts.interval
        yield _label("how", language), wording.run_method(row.interval.method, language)
    yield _label("runs", language), texts.counts
    yield _label("told", language), texts.word
    for sentence in run_texts.why(row, language):
        yield _label("why", language), sentence
    if texts.why:
        yield _label("note", language), texts.why
    yield _label("place", language), row.case
    for goal in row.goals:
        yield _label("goal", language), f"goal:{goal}"
