"""Accuracy and gates in words: the lines of page one, and the texts that their sections share."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from reportgen import units
from reportgen.model import Missing, Outcome
from reportgen.report import messages_gates, numbers, wording
from reportgen.report.assurance import AccuracyRow, GateFactRow, GateRow
from reportgen.report.document import Number, Report, Value
from reportgen.report.translations import Language
from reportgen.report.translations import message as _
from reportgen.report.translations import plural as _plural

SHARES = ("inflation", "matched_share")
"""Facts that are printed as percentages."""
MOST, NAME = 3, 40
"""Criteria named in one line, and characters of a name."""
WORST_FIRST = (Outcome.NOT_MET, Outcome.UNDECIDED, Outcome.NOT_APPLICABLE, Outcome.MET)
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
        if not report.precision:
            return ""
        left_open = all(row.reason.code in messages_gates.OPEN for row in report.precision)
        return _(messages_gates.ACCURACY_OPEN if left_open else messages_gates.ACCURACY_WANTING, language)
    cases = Counter((row.name, row.outcome) for row in report.accuracy)
    found = sorted(cases, key=lambda key: WORST_FIRST.index(key[1]))
    said = wording.listed((_criterion(*key, cases[key], language) for key in found[:MOST]), language)
    rest = len(found) - MOST
    if rest > 0:
        said = _plural(messages_gates.CRITERIA_MORE, rest, language, first=said)
    return _(messages_gates.ACCURACY_LINE, language, criteria=said)


def _criterion(name: str, outcome: Outcome, cases: int, language: Language) -> str:
    """A criterion of one case, or of a matrix's cells that come out alike."""
    word = wording.outcome_word(outcome, language)
    short = name if len(name) <= NAME else f"{name[: NAME - 3]}..."
    if cases == 1:
        return _(messages_gates.CRITERION, language, name=short, outcome=word)
    return _plural(messages_gates.CRITERION_OF_CASES, cases, language, name=short, outcome=word)


def gates_line(report: Report, language: Language, section: str = "") -> str:
    """The gates that do not hold and what each is missing, in one line; empty without any.

    Args:
        report: the report.
        language: language.
        section: number of the section that says it in full; empty where sections have none.
    """
    failed = [_gate(gate, language) for gate in report.gates if gate.outcome == "failed"]
    if not failed:
        return ""
    pattern = messages_gates.GATES_LINE["section" if section else "alone"]
    return _(pattern, language, gates=wording.listed(failed, language), section=section)


def _gate(gate: GateRow, language: Language) -> str:
    """A gate by what it is missing where a few words say it, else by its title."""
    lacking = [messages_gates.LACKING[one.code] for one in gate.reasons if one.code in messages_gates.LACKING]
    rows = [dict(one.args)["metric"] for one in gate.reasons if one.code == "gate_row_missing"]
    said = [_(pattern, language) for pattern in lacking]
    if rows:
        name = wording.metric_title(str(rows[0]), language)
        said.append(
            _plural(messages_gates.ROWS_MISSING, len(rows) - 1, language, metric=name)
            if len(rows) > 1
            else _(messages_gates.ROW_MISSING, language, metric=name)
        )
    title = wording.listed(said, language) if said else gate_title(gate.id, language)
    return _(messages_gates.GATE, language, id=gate.id, title=title)


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


def inflation_text(share: Number) -> str:
    """What profiling adds in percent with its sign, with the digits of ``share_text``."""
    size = abs(Fraction(share.quantity.value))
    u = size if 0 < size < SMALL else None
    return numbers.format_change(share.quantity, decimals=numbers.decimals_of(size, numbers.PERCENT, "share", u))


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
    own = row.name in messages_gates.FACTS
    if not own and (isinstance(row.before, (Number, Missing)) or isinstance(row.after, (Number, Missing))):
        return wording.metric_title(row.name, language, row.part)
    name = _(messages_gates.FACTS[row.name], language) if own else wording.fact_title(row.name, language)
    return wording.in_parentheses(name, row.part, language) if row.part else name


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
