"""The words of ``explain`` for a criterion of accuracy, the inflation of a side, and a gate."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.report import assured, messages, messages_gates, numbers, wording
from reportgen.report.assurance import AccuracyRow, GateRow, InflationRow
from reportgen.report.document import Number, Value
from reportgen.report.translations import Language
from reportgen.report.translations import message as _

Assured = AccuracyRow | InflationRow | GateRow
Pair = tuple[str, str]


def title(row: Assured, language: Language) -> str:
    """What a row is."""
    if isinstance(row, AccuracyRow):
        return row.name
    if isinstance(row, GateRow):
        return assured.gate_title(row.id, language)
    parts = (
        assured.gate_title("G5", language),
        wording.side_word(row.side),
        wording.metric_title(row.metric, language),
        wording.kind_word(row.kind, language) if row.kind else "",
        row.case,
    )
    return wording.listed(filter(None, parts), language)


def pairs(row: Assured, language: Language) -> Iterator[Pair]:
    """Names and texts of a row: its values exactly, how it stands, and why."""
    if isinstance(row, AccuracyRow):
        yield from _accuracy(row, language)
    elif isinstance(row, InflationRow):
        yield from _inflation(row, language)
    else:
        yield from _gate(row, language)


def _label(name: str, language: Language) -> str:
    return _(messages.EXPLAIN[name], language)


def _accuracy(row: AccuracyRow, language: Language) -> Iterator[Pair]:
    yield _label("agreed", language), wording.listed(assured.tolerance_texts(row, language), language)
    for name, value in (("BEFORE", row.before), ("AFTER", row.after)):
        if value is not None:
            yield name, assured.score_text(value, language)
    for file, digest in row.files:
        yield _label("digest", language), f"{digest}  {file}"
    for number in (row.largest, row.mean):
        if number is not None:
            shown = assured.share_text(number, language)
            yield _label("value", language), f"{shown}  ({_label('exact', language)} {number.quantity.exact()})"
    yield _label("outcome", language), wording.outcome_word(row.outcome, language)
    yield _label("why", language), wording.say(row.reason, language)


def _inflation(row: InflationRow, language: Language) -> Iterator[Pair]:
    yield _label("how", language), wording.statistic_word(row.statistic, language)
    values = (("profiled", row.profiled), ("unprofiled", row.unprofiled))
    for name, value in values:
        yield _(messages.TAGS[name], language), _value(value, row.metric, language)
    yield _label("inflation", language), _value(row.difference, row.metric, language)
    if isinstance(row.share, Number):
        yield _label("change", language), assured.inflation_text(row.share)


def _value(value: Value, metric: str, language: Language) -> str:
    if not isinstance(value, Number):
        return wording.say(value.reason, language)
    shown = numbers.format_value(value.quantity, metric_unit_hint=metric, language=language)
    return f"{shown}  ({_label('exact', language)} {value.quantity.exact()})"


def _gate(row: GateRow, language: Language) -> Iterator[Pair]:
    yield _label("outcome", language), _(messages_gates.OUTCOMES[row.outcome], language)
    for reason in row.reasons:
        yield _label("why", language), wording.say(reason, language)
    for fact in row.facts:
        sides = (assured.fact_value(fact, side, language) for side in ("before", "after"))
        yield assured.fact_name(fact, language), " | ".join(sides)
    if row.basis:
        yield _label("source", language), wording.listed(row.basis, language)
