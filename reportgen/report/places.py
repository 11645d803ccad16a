"""Where a number comes from and by which rule, in the reader's language.

Origins hold locators and formulas in English, so that report.json reads alike everywhere. Names of columns, tables and
files, SQL and symbols stay as they are; the words around them are translated by the tables of ``messages``.
"""

from __future__ import annotations

import re

from reportgen.report import messages, wording
from reportgen.report.translations import SOURCE, Language
from reportgen.report.translations import message as _

_PATTERNS = tuple((re.compile(pattern), text) for pattern, text in messages.LOCATORS)
_WORD = re.compile(
    "|".join(rf"\b{re.escape(word)}\b" for word in sorted(messages.FORMULA_WORDS, key=len, reverse=True))
)


def formula_text(formula: str, language: Language) -> str:
    """The rule of an origin, or a formula of the glossary; the words between its symbols are translated."""
    if formula in messages.FORMULAS:
        return _(messages.FORMULAS[formula], language)
    if formula.partition("[")[0] in messages.WITNESSES:
        return wording.witness_word(formula, language)
    if formula.startswith(("= ", "+")):
        return formula
    if language == SOURCE:
        other = _OTHER_STATISTIC.fullmatch(formula) or _COUNTED.fullmatch(formula)
        name = other[1] if other is not None and other[1].startswith("p") else ""
        return _one(wording.statistic_word(name, language) + formula[len(name) :])
    if "; left out " in formula:
        return "；".join(formula_text(part, language) for part in formula.split("; "))
    counted = _COUNTED.fullmatch(formula)
    if counted is not None:
        what = wording.statistic_word(counted["what"], language)
        return _(messages.STATISTIC_OF, language, what=what, n=counted["n"])
    other = _OTHER_STATISTIC.fullmatch(formula)
    if other is not None:
        middle, word = (wording.statistic_word(name, language) for name in ("median", other[1]))
        return formula_text(f"median{other[2]}", language).replace(middle, word)
    for pattern, text in _FORMULAS:
        found = pattern.fullmatch(formula)
        if found is not None:
            return _(text, language, **{name: _words(part, language) for name, part in found.groupdict().items()})
    return _words(formula, language)


_ONE = re.compile(r"(?<![\d.,-])1 (calls|kernels|names|operators|rows|steps|values)\b")


def _one(text: str) -> str:
    """English counts of one thing: ``1 values`` reads ``1 value``."""
    return _ONE.sub(lambda found: found.group()[:-1], text)


_OTHER_STATISTIC = re.compile(r"(max|min|total|p\d+)((?! of \d+ values) (?:over|of) .+)")
"""A rule that a metric has for its median, of another statistic of the same values."""
_COUNTED = re.compile(r"(?P<what>\w+) of (?P<n>\d+) values")
_FORMULAS = tuple((re.compile(pattern), text) for pattern, text in messages.FORMULA_PATTERNS)


def _words(formula: str, language: Language) -> str:
    """A formula with the words of ``FORMULA_WORDS`` translated."""
    return _WORD.sub(lambda found: _(messages.FORMULA_WORDS[found.group()], language), formula)


def locator_text(locator: str, language: Language) -> str:
    """A place in a file, part by part; what is a name, a key or SQL stays as it is."""
    shown = "; ".join(_part(part, language) for part in locator.split("; "))
    return _one(shown) if language == SOURCE else shown


def _part(part: str, language: Language) -> str:
    for pattern, text in _PATTERNS:
        found = pattern.fullmatch(part)
        if found is not None:
            return _(text, language, **found.groupdict())
    return part
