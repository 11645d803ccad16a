"""Accuracy and gates in words: the lines of page one, and the texts that their sections share."""

from __future__ import annotations

from fractions import Fraction

from reportgen import units
from reportgen.model import Missing
from reportgen.report import messages_gates, numbers, wording
from reportgen.report.assurance import AccuracyRow, GateFactRow
from reportgen.report.document import Number, Report, Value
from reportgen.report.translations import Language
from reportgen.report.translations import message as _

SHARES = ("inflation", "matched_share")
"""Facts that are printed as percentages."""
SMALL = Fraction(1, 100)
"""Shares below it are printed with two significant digits."""


def gate_title(gate: str, language: Language) -> str:
    """Title of a gate."""
    return _(messages_gates.GATES[gate], language)


def gate_outcome(outcome: str, language: Language) -> str:
    """Outcome of a gate."""
    return _(messages_gates.OUTCOMES[outcome], language)


def accuracy_line(report: Report, language: Language) -> str:
    """The criteria of accuracy in one line; empty where none is agreed and nothing asks for one."""
    if not report.accuracy:
        return _(messages_gates.ACCURACY_WANTING, language) if report.precision else ""
    criteria = (
        _(
            messages_gates.CRITERION,
            language,
            name=row.name,
            outcome=wording.outcome_word(row.outcome, language),
        )
        for row in report.accuracy
    )
    return _(messages_gates.ACCURACY_LINE, language, criteria=wording.listed(criteria, language))


def gates_line(report: Report, language: Language) -> str:
    """The gates that do not hold, in one line; empty without any."""
    failed = [
        _(messages_gates.GATE, language, id=gate.id, title=gate_title(gate.id, language))
        for gate in report.gates
        if gate.outcome == "failed"
    ]
    return _(messages_gates.GATES_LINE, language, gates=wording.listed(failed, language)) if failed else ""


def score_text(value: Value | None, language: Language) -> str:
    """A score as it was written, else exactly; the word for what is missing; empty of a curve."""
    if value is None:
        return ""
    if isinstance(value, Missing):
        return wording.missing_word(value, language)
    return value.quantity.written or value.quantity.exact()


def share_text(value: Number | None, language: Language) -> str:
    """A deviation or share in percent, a small one with two significant digits; empty without one."""
    if value is None:
        return ""
    size = abs(Fraction(value.quantity.value))
    u = size if 0 < size < SMALL else None
    return numbers.format_value(value.quantity, metric_unit_hint="share", u=u, language=language)


def tolerance_texts(row: AccuracyRow, language: Language) -> list[str]:
    """The tolerances as agreed, and of a score what AFTER must reach."""
    found = [
        _(messages_gates.TOLERANCES[one.kind], language, value=one.value.quantity.written or one.value.quantity.exact())
        for one in row.tolerances
    ]
    if row.limit is not None:
        percent = any("%" in score_text(value, language) for value in (row.before, row.after))
        limit = Fraction(row.limit.quantity.value)
        shown = f"{units.number_text(units.exact(limit * 100))}%" if percent else units.number_text(units.exact(limit))
        found.append(_(messages_gates.LIMIT[row.direction], language, limit=shown))
    return found


def fact_name(row: GateFactRow, language: Language) -> str:
    """Name of a fact that a gate looked at."""
    if row.name in messages_gates.FACTS:
        name = _(messages_gates.FACTS[row.name], language)
        return wording.in_parentheses(name, row.part, language) if row.part else name
    if isinstance(row.before, (Number, Missing)) or isinstance(row.after, (Number, Missing)):
        return wording.metric_title(row.name, language, row.part)
    return wording.fact_title(row.name, language)


def fact_value(row: GateFactRow, side: str, language: Language) -> str:
    """Value of one side of a fact."""
    value, text = (row.before, row.before_text) if side == "before" else (row.after, row.after_text)
    if isinstance(value, Number):
        if row.name in SHARES:
            return share_text(value, language)
        return numbers.format_value(value.quantity, metric_unit_hint=row.name, language=language)
    if value is not None:
        return wording.missing_word(value, language)
    if text == "none":
        return _("none", language)
    return wording.setting_value(text, language)
