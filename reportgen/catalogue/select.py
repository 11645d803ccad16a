"""What of the catalogue is asked for: by words, by id, and what belongs to an entry."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import get_args, get_type_hints

from reportgen import vocabulary
from reportgen.catalogue.rule_shapes import RuleTable
from reportgen.model import Catalogue, Contradiction, Rule, Source, Unspecified

Entry = Rule | Unspecified | Contradiction | Source
USES: tuple[str, ...] = get_args(get_type_hints(RuleTable)["use"])
"""What a rule may be used for, the strongest first."""
NEAR = 5
"""Near ids that are named."""

_BOTH = "training inference"
_ENGLISH = {
    "训练": "training",
    "推理": "inference",
    "在线": "online",
    "离线": "offline",
    "服务": "serving",
    "集群": "cluster",
    "单卡": "single",
    "多卡": "multi-rank",
    "算子": "operator",
    "采集": "capture",
}
"""Words of scenarios in Chinese, since scopes stand in English."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What was asked for."""

    rules: tuple[Rule, ...]
    """By use, then id."""
    unspecified: tuple[Unspecified, ...]
    """All, or those that name one of the rules."""
    contradictions: tuple[Contradiction, ...]
    """All, or those that name one of the rules."""
    whole: bool
    """Whether nothing was left out."""


def select(
    catalogue: Catalogue, *, metric: str = "", scenario: str = "", document: str = "", use: str = ""
) -> Selection:
    """The rules that every given filter lets through, and what names them.

    Args:
        catalogue: ``read_catalogue``.
        metric: a metric id of ours, or words of the quantity as the source calls it.
        scenario: words of product, framework, scenario and phase; some Chinese words are understood.
        document: words of title, version, section, publisher and locator.
        use: one of ``USES``.
    """
    rules = tuple(
        rule
        for rule in sorted(catalogue.rules, key=lambda rule: (USES.index(rule.use), rule.id))
        if (not use or rule.use == use)
        and (
            not metric or metric in rule.metrics or _holds(metric, (rule.quantity, *(words for _, words in rule.title)))
        )
        and (not scenario or _holds(_english(scenario), _scope_words(rule)))
        and (not document or _holds(document, _document_words(rule)))
    )
    whole = not (metric or scenario or document or use)
    names = {rule.id for rule in rules}
    return Selection(
        rules=rules,
        unspecified=tuple(item for item in catalogue.unspecified if whole or names & {*item.rules}),
        contradictions=tuple(item for item in catalogue.contradictions if whole or names & {*_entries(item)}),
        whole=whole,
    )


def find(catalogue: Catalogue, identity: str) -> Entry | None:
    """The entry with an id: a rule before an unspecified item, a contradiction, and a document.

    Documents write the numbers of cases with underscores (``profilingcase_007``), and reports print them so.
    """
    rows = {row.id: row for row in reversed(_rows(catalogue))}
    return rows.get(identity) or rows.get(identity.replace("_", "-"))


def _rows(catalogue: Catalogue) -> tuple[Entry, ...]:
    return (*catalogue.rules, *catalogue.unspecified, *catalogue.contradictions, *catalogue.sources)


def near(catalogue: Catalogue, identity: str) -> tuple[str, ...]:
    """Ids like a wrong one, the nearest first; those that contain it count too."""
    ids = list(dict.fromkeys(row.id for row in _rows(catalogue)))
    word = identity.casefold().replace("_", "-").replace(" ", "-")
    close = difflib.get_close_matches(word, ids, n=NEAR, cutoff=0.6)
    inside = [name for name in ids if len(word) > 2 and word in name]
    return tuple(dict.fromkeys([*close, *inside]))[:NEAR]


def near_metric(words: str) -> str:
    """The metric id like words that are none; empty where none is near or the words are an id."""
    word = "_".join(words.casefold().split())
    found = difflib.get_close_matches(word, vocabulary.UNITS, n=1, cutoff=0.6)
    return "" if word in vocabulary.UNITS or not found else found[0]


def contradictions_of(catalogue: Catalogue, identity: str) -> tuple[Contradiction, ...]:
    """The contradictions that an entry is part of."""
    return tuple(item for item in catalogue.contradictions if identity in _entries(item))


def unspecified_near(catalogue: Catalogue, rule: Rule) -> tuple[Unspecified, ...]:
    """What is not specified around a rule: the items that name it, or an entry that limits its scope."""
    also = {name for threshold in catalogue.thresholds if threshold.id == rule.id for name in threshold.sources}
    return tuple(item for item in catalogue.unspecified if {rule.id, *also} & {*item.rules})


def _entries(item: Contradiction) -> tuple[str, ...]:
    return tuple(position.entry for position in item.positions)


def _holds(words: str, texts: Iterable[str]) -> bool:
    """Whether every word stands in one of the texts, in any case."""
    text = " ".join(texts).casefold()
    return all(word in text for word in words.casefold().split())


def _english(words: str) -> str:
    for chinese, english in _ENGLISH.items():
        words = words.replace(chinese, f" {english} ")
    return words


def _scope_words(rule: Rule) -> tuple[str, ...]:
    scope = rule.scope
    return scope.product, scope.framework, scope.scenario, _BOTH if scope.phase == "both" else scope.phase


def _document_words(rule: Rule) -> tuple[str, ...]:
    source = rule.source
    return source.document, source.version, source.section, source.publisher, source.locator
