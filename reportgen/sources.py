"""``sources``: the catalogue listed, filtered, explained entry by entry, and proved."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any

from reportgen import resources, units
from reportgen.catalogue import LONGEST_QUOTE, Check, prove, quote_words, read_catalogue
from reportgen.catalogue.select import USES, Entry, Selection, find, near, near_metric, select
from reportgen.definitions import Definition, read_definitions
from reportgen.errors import ReportgenError
from reportgen.model import Catalogue, Rule, Threshold
from reportgen.plain import printable
from reportgen.report import sourced
from reportgen.report.translations import Language
from reportgen.strict import Fault, quoted

MACHINE = (
    "reading",
    "because",
    "metric",
    "worst",
    "frameworks",
    "backends",
    "phases",
    "excluded_phases",
    "products",
    "excluded_products",
    "circumstances",
    "excluded_circumstances",
    "yields_to",
    "needs",
    "follows",
)
"""Fields of a machine rule that are printed as they stand."""


def listing(
    *,
    metric: str = "",
    scenario: str = "",
    document: str = "",
    use: str = "",
    language: Language,
    as_json: bool = False,
) -> str:
    """The entries that the filters let through, grouped by use, with counts.

    Args:
        metric: metric id, or words of the quantity.
        scenario: words of the scope.
        document: words of the source.
        use: one of ``USES``; empty: all.
        language: ``zh`` or ``en``.
        as_json: JSON instead of text.

    Raises:
        ReportgenError: ``use_unknown``; ``evidence_unreadable``, ``evidence_syntax``, ``evidence_invalid``.
    """
    if use and use not in USES:
        raise ReportgenError("use_unknown", f"--use {printable(use)!r} is not known", hint=f"use {quoted(USES)}")
    catalogue, defined = _read()
    found = select(catalogue, metric=metric, scenario=scenario, document=document, use=use)
    if as_json:
        return _json(_listed(catalogue, found, defined))
    return sourced.listing(catalogue, found, language, near_metric(metric))


def explanation(identity: str, *, language: Language, as_json: bool = False) -> str:
    """Everything known of one entry.

    Raises:
        ReportgenError: ``entry_unknown`` with near ids; ``evidence_unreadable``, ``evidence_syntax``,
            ``evidence_invalid``.
    """
    catalogue, defined = _read()
    found = find(catalogue, identity)
    if found is None:
        ids = near(catalogue, identity)
        raise ReportgenError(
            "entry_unknown",
            f"{printable(identity)!r} names nothing in the catalogue",
            hint=f"did you mean {', '.join(ids)}?" if ids else "`reportgen sources` lists every id",
        )
    if as_json:
        return _json(_explained(catalogue, found, defined))
    return sourced.explanation(catalogue, found, defined, language)


def proof(*, language: Language, as_json: bool = False, directory: Path | None = None) -> tuple[str, bool]:
    """Every check of the catalogue, with how many things it looked at.

    Args:
        language: ``zh`` or ``en``.
        as_json: JSON instead of text.
        directory: the evidence; None: our own.

    Returns:
        What to print, and whether every check holds.

    Raises:
        ReportgenError: ``evidence_unreadable``, ``evidence_syntax``, or ``evidence_invalid`` where a file has not even
            the form that is checked.
    """
    directory = directory or resources.evidence_dir()
    checks = prove(directory)
    holds = not any(check.faults for check in checks)
    unread: tuple[str, ...] = ()
    if holds:
        catalogue = read_catalogue(directory)
        checks = (*checks, _definitions(catalogue, read_definitions(directory).items))
        holds = not checks[-1].faults
        evaluated = {threshold.id for threshold in catalogue.thresholds if threshold.bands}
        unread = tuple(rule.id for rule in catalogue.rules if rule.use == "verdict" and rule.id not in evaluated)
    if as_json:
        rows = [{"check": c.id, "examined": c.examined, "faults": [f"{p}: {t}" for p, t in c.faults]} for c in checks]
        return _json({"holds": holds, "checks": rows, "verdicts_not_evaluated": list(unread)}), holds
    return sourced.checks(checks, unread, language), holds


def _read() -> tuple[Catalogue, dict[str, Definition]]:
    directory = resources.evidence_dir()
    items = read_definitions(directory).items
    return read_catalogue(directory), {item.source.id: item for item in items if item.source is not None}


def _definitions(catalogue: Catalogue, items: tuple[Definition, ...]) -> Check:
    """A number that defines a metric and comes from a document is that of the document's entry."""
    return Check("definitions", len(items), tuple(_definition_faults(catalogue, items)))


def _definition_faults(catalogue: Catalogue, items: tuple[Definition, ...]) -> Iterator[Fault]:
    rules = {rule.id: rule for rule in catalogue.rules}
    for number, item in enumerate(items):
        path = f"definitions.toml: definition[{number}]"
        if item.source is None:
            continue
        rule = rules.get(item.source.id)
        if rule is None:
            yield Fault(f"{path}.source.id", f"no rule {item.source.id!r} in rules/*.toml")
        elif (item.relation, item.value) not in {
            (b.relation.value, b.value) for band in rule.bands for b in band.bounds
        }:
            yield Fault(f"{path}.value", "its entry has another number")
        if quote_words(item.source.quote) > LONGEST_QUOTE:
            yield Fault(f"{path}.source.quote", f"is longer than {LONGEST_QUOTE} words")


# --------------------------------------------------------------------------------------------- JSON
def _listed(catalogue: Catalogue, found: Selection, defined: dict[str, Definition]) -> dict[str, Any]:
    totals = {
        "rules": len(catalogue.rules),
        "unspecified": len(catalogue.unspecified),
        "contradictions": len(catalogue.contradictions),
    }
    return {
        "totals": totals,
        "rules": [_rule(catalogue, rule, defined) for rule in found.rules],
        "unspecified": [_plain(asdict(item)) for item in found.unspecified],
        "contradictions": [_plain(asdict(item)) for item in found.contradictions],
    }


def _rule(catalogue: Catalogue, rule: Rule, defined: dict[str, Definition]) -> dict[str, Any]:
    evaluation = sourced.evaluation(catalogue, rule, defined)
    return {
        **_plain(asdict(rule)),
        "evaluation": evaluation,
        "applies": _applies(sourced.machine_rule(catalogue, rule)),
    }


def _applies(machine: Threshold | None) -> dict[str, Any] | None:
    """What decides whether a rule applies, in the words of ``thresholds.toml``; what is left out there is left out."""
    if machine is None:
        return None
    found = {name: getattr(machine, name) for name in MACHINE} | {
        "undecided_at": [units.number_text(units.exact(value)) for value in machine.undecided_at],
        "rated_clock": machine.rated_clock.written if machine.rated_clock is not None else "",
        "scope": dict(machine.scope),
        "also": machine.sources[1:],
    }
    return {name: _plain(value) for name, value in found.items() if value}


def _explained(catalogue: Catalogue, found: Entry, defined: dict[str, Definition]) -> dict[str, Any]:
    belongs = sourced.belonging(catalogue, found)
    row = _rule(catalogue, found, defined) if isinstance(found, Rule) else _plain(asdict(found))
    return {
        "type": sourced.entry_type(found),
        "entry": row,
        "rules": [rule.id for rule in belongs.rules],
        "sources": [_plain(asdict(source)) for source in belongs.sources],
        "contradictions": [_plain(asdict(item)) for item in belongs.contradictions],
        "unspecified": [_plain(asdict(item)) for item in belongs.unspecified],
    }


def _plain(value: Any, key: str = "") -> Any:
    """Dicts, lists and texts; what stands in several languages by language, an exact number as its source prints it."""
    if key in ("title", "statement", "treatment"):
        return dict(value)
    if isinstance(value, dict):
        kept = {name: item for name, item in value.items() if not isinstance(item, Fraction)}
        return {name: _plain(item, name) for name, item in kept.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value.value if isinstance(value, Enum) else value


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
