"""The words of ``sources``: the catalogue as lists, one entry in blocks of names and texts, the table of checks.

What a source says is printed as it stands; our own words around it come in the reader's language.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from reportgen.catalogue import Check
from reportgen.catalogue.nouns import exact
from reportgen.catalogue.select import USES, Entry, Selection, contradictions_of, unspecified_near
from reportgen.definitions import Definition
from reportgen.model import Bound, Catalogue, Contradiction, Rule, RuleBand, Source, Threshold, Unspecified
from reportgen.report import messages, numbers, text, wording
from reportgen.report.translations import Language, fold
from reportgen.report.translations import message as _

UNSAID = ("ratio", "count")
"""Units that a number needs no word for."""
Pair = tuple[str, str]
Evaluation = Literal["bands", "value", "unmeasured", "words", "never", "defines", "measured", "text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Belonging:
    """What belongs to an entry."""

    rules: tuple[Rule, ...]
    """Rules it names."""
    sources: tuple[Source, ...]
    """Documents it cites by id."""
    contradictions: tuple[Contradiction, ...]
    """Contradictions it is part of."""
    unspecified: tuple[Unspecified, ...]
    """Unspecified items around it."""


# --------------------------------------------------------------------------------------------- what an entry is
def entry_type(found: Entry) -> str:
    """``rule``, ``unspecified``, ``contradiction`` or ``document``."""
    types = {Rule: "rule", Unspecified: "unspecified", Contradiction: "contradiction", Source: "document"}
    return types[type(found)]


def machine_rule(catalogue: Catalogue, rule: Rule) -> Threshold | None:
    """Its scope as a machine decides it; None where ``thresholds.toml`` has none."""
    return next((threshold for threshold in catalogue.thresholds if threshold.id == rule.id), None)


def evaluation(catalogue: Catalogue, rule: Rule, defined: Mapping[str, Definition]) -> Evaluation:
    """What this version does with a rule."""
    machine = machine_rule(catalogue, rule)
    if machine is not None and machine.reading == "value":
        return "value" if machine.metric else "unmeasured"
    if machine is not None:
        return "words" if machine.reading == "text" else machine.reading
    if rule.id in defined:
        return "defines"
    return "measured" if rule.metrics else "text"


def belonging(catalogue: Catalogue, found: Entry) -> Belonging:
    """What the catalogue holds around one entry."""
    names: set[str] = set()
    cited: set[str] = set()
    near: tuple[Unspecified, ...] = ()
    if isinstance(found, Rule):
        near = unspecified_near(catalogue, found)
        machine = machine_rule(catalogue, found)
        names = {*machine.sources} - {found.id} if machine is not None else set()
    elif isinstance(found, Unspecified):
        names, cited = {*found.rules}, {*found.sources}
    elif isinstance(found, Contradiction):
        names = {position.entry for position in found.positions}
        near = tuple(item for item in catalogue.unspecified if item.id in names)
    else:
        near = tuple(item for item in catalogue.unspecified if found.id in item.sources)
    touching = () if isinstance(found, Contradiction) else contradictions_of(catalogue, found.id)
    return Belonging(
        rules=tuple(rule for rule in catalogue.rules if rule.id in names),
        sources=tuple(source for source in catalogue.sources if source.id in cited),
        contradictions=touching,
        unspecified=near,
    )


# --------------------------------------------------------------------------------------------- lists
def listing(catalogue: Catalogue, found: Selection, language: Language, near: str = "") -> str:
    """The entries by use, then what is unspecified and contradicted; counts first.

    ``near``: the metric that may have been meant, said where nothing was found; empty: none.
    """
    blocks = [[_counts(catalogue, found, language)]]
    if not (found.rules or found.unspecified or found.contradictions):
        meant = [_(messages.SOURCES_NEAR, language, metric=near)] if near else []
        blocks.append([_(messages.SOURCES_NONE, language), *meant])
    for use in USES:
        rules = [rule for rule in found.rules if rule.use == use]
        rows = [
            [rule.id, _title(rule, language), _(messages.AUTHORITIES[rule.authority], language), _document(rule.source)]
            for rule in rules
        ]
        blocks.append(_table(_(messages.SOURCES_USES[use], language), rows, language))
    for name, items in (("unspecified", found.unspecified), ("contradictions", found.contradictions)):
        rows = [[item.id, _title(item, language), "", ""] for item in items]
        blocks.append(_table(_(messages.SOURCES_HEADS[name], language), rows, language))
    return text.finish(blocks)


def _counts(catalogue: Catalogue, found: Selection, language: Language) -> str:
    pairs = (
        ("rules", found.rules, catalogue.rules),
        ("unspecified", found.unspecified, catalogue.unspecified),
        ("contradictions", found.contradictions, catalogue.contradictions),
    )
    pattern = messages.SOURCES_COUNT if found.whole else messages.SOURCES_COUNT_OF
    items = [
        _(
            pattern,
            language,
            name=_(messages.SOURCES_COUNTED[name], language),
            n=numbers.format_count(len(shown)),
            total=numbers.format_count(len(total)),
        )
        for name, shown, total in pairs
    ]
    return fold(messages.LIST, items, language)


def _table(title: str, rows: list[list[str]], language: Language) -> list[str]:
    if not rows:
        return []
    lines = text.table([["", "", "", ""], *rows], ("l", "l", "l", "l"))[1:]
    head = _(messages.SECTION_COUNT, language, title=title, n=numbers.format_count(len(rows)))
    return [head, *(f"  {line}" for line in lines)]


def _document(source: Source) -> str:
    return f"{source.document}, {source.version}"


def _title(row: Rule | Unspecified | Contradiction, language: Language) -> str:
    return wording.in_language(row.title, language)


# --------------------------------------------------------------------------------------------- one entry
def explanation(catalogue: Catalogue, found: Entry, defined: Mapping[str, Definition], language: Language) -> str:
    """One entry with all that belongs to it."""
    around = belonging(catalogue, found)
    if isinstance(found, Rule):
        blocks = list(_rule_blocks(catalogue, found, defined, language))
    elif isinstance(found, Unspecified):
        statement = wording.in_language(found.statement, language)
        blocks = [[f"{_title(found, language)}  [{found.id}]", _(messages.SOURCES_UNSPECIFIED, language)], [statement]]
    elif isinstance(found, Contradiction):
        blocks = [[f"{_title(found, language)}  [{found.id}]", _(messages.SOURCES_KINDS[found.kind], language)]]
        blocks.append(_contradiction(found, language)[1:])
    else:
        blocks = [[f"{found.document}  [{found.id}]"], _block("place", _source(found, language), language)]
    if around.rules:
        rows = [[rule.id, _title(rule, language), "", ""] for rule in around.rules]
        blocks.append(_table(_(messages.SOURCES_HEADS["rules"], language), rows, language))
    for source in around.sources:
        pairs = [(_(messages.SOURCES["document"], language), source.document), *_source(source, language)]
        blocks.append(_block("cited", pairs, language, f" [{source.id}]"))
    blocks += [_contradiction(item, language) for item in around.contradictions]
    for item in around.unspecified:
        blocks.append([_head("gap", item, language), f"  {wording.in_language(item.statement, language)}"])
    return text.finish(blocks)


def _block(name: str, pairs: Iterable[Pair], language: Language, suffix: str = "") -> list[str]:
    """A title with names and texts below it; what is empty is left out."""
    lines = text.pairs(pair for pair in pairs if pair[1])
    return [_(messages.SOURCES_HEADS[name], language) + suffix, *(f"  {line}" for line in lines)] if lines else []


def _head(name: str, item: Unspecified | Contradiction, language: Language) -> str:
    title = f"{_title(item, language)}  [{item.id}]"
    return _(messages.SOURCES_NAMED, language, name=_(messages.SOURCES_HEADS[name], language), text=title)


def _rule_blocks(
    catalogue: Catalogue, rule: Rule, defined: Mapping[str, Definition], language: Language
) -> Iterator[list[str]]:
    def label(name: str) -> str:
        return _(messages.SOURCES[name], language)

    yield [f"{_title(rule, language)}  [{rule.id}]"]
    does, defines = evaluation(catalogue, rule, defined), _(messages.EVALUATIONS["defines"], language)
    yield _block(
        "entry",
        [
            (label("kind"), _(messages.SOURCES_KINDS[rule.kind], language)),
            (label("use"), _(messages.SOURCES_USES[rule.use], language)),
            (label("authority"), _(messages.AUTHORITIES[rule.authority], language)),
            (label("verified"), _(messages.VERIFIED[rule.source.verified], language)),
            (label("metrics"), _metrics(rule.metrics, language)),
            (label("evaluation"), _(messages.EVALUATIONS[does], language)),
            (label("evaluation"), defines if rule.id in defined and does != "defines" else ""),
        ],
        language,
    )
    yield _block(
        "rule",
        [
            (label("quantity"), rule.quantity),
            (label("unit"), rule.unit),
            (label("formula"), rule.formula),
            (label("statement"), _statement(rule, language)),
            *((label("band"), band_words(band, language)) for band in rule.bands),
            (label("equality"), rule.equality),
        ],
        language,
    )
    scope = rule.scope
    yield _block(
        "scope",
        [
            (label("product"), scope.product),
            (label("framework"), scope.framework),
            (label("scenario"), scope.scenario),
            (label("phase"), scope.phase),
            (label("excluded"), "; ".join(scope.excluded)),
            (label("requires"), "; ".join(scope.requires)),
        ],
        language,
    )
    machine = machine_rule(catalogue, rule)
    if machine is not None:
        yield _block("machine", _machine(machine, rule, language), language)
    course = _course(catalogue, rule, language)
    place = [(label("document"), rule.source.document), *_source(rule.source, language)]
    yield _block("place", [*place, (label("course"), course), (label("file"), f"evidence/{rule.file}")], language)
    yield _block("notes", [(label("notes"), rule.notes)], language)


def _machine(machine: Threshold, rule: Rule, language: Language) -> Iterator[Pair]:
    """What decides whether a rule applies, in words."""

    def listed(words: Iterable[str]) -> str:
        return fold(messages.LIST, words, language)

    def said(known: Mapping[str, str], words: Iterable[str]) -> list[str]:
        return [_(known[word], language) for word in words]

    found = {
        "because": listed(said(messages.NEVER, filter(None, (machine.because,)))),
        "frameworks": listed(machine.frameworks),
        "backends": listed(machine.backends),
        "phases": listed(said(messages.AGREED, machine.phases)),
        "products": listed(said(messages.PRODUCTS, machine.products)),
        "circumstances": listed(said(messages.CIRCUMSTANCES, machine.circumstances)),
        "excluded": listed(
            (
                *said(messages.AGREED, machine.excluded_phases),
                *said(messages.PRODUCTS, machine.excluded_products),
                *said(messages.CIRCUMSTANCES, machine.excluded_circumstances),
            )
        ),
        "rated_clock": machine.rated_clock.written if machine.rated_clock is not None else "",
        "needs": listed(said(messages.NEEDS, machine.needs)),
        "yields_to": machine.yields_to,
        "follows": _follows(machine, language),
        "also": listed(machine.sources[1:]),
        "undecided_at": listed(_written(rule, machine)),
        "words": wording.in_language(machine.scope, language),
    }
    yield from ((_(messages.SCOPES[name], language), words) for name, words in found.items())


def _follows(machine: Threshold, language: Language) -> str:
    if machine.follows is None:
        return ""
    first, band = machine.follows
    return _(messages.SCOPE_FOLLOWS, language, rule=first, band=wording.band_word(band, language))


def _written(rule: Rule, machine: Threshold) -> Iterator[str]:
    """The limits at which nothing is decided, as the source writes them."""
    for band in rule.bands if machine.undecided_at else ():
        for bound in band.bounds:
            if exact(bound.written, band.unit) in machine.undecided_at:
                yield _value(bound, band.unit)


def _metrics(names: Sequence[str], language: Language) -> str:
    words = [f"{wording.metric_title(name, language)} ({name})" for name in names]
    return fold(messages.LIST, words, language)


def _course(catalogue: Catalogue, rule: Rule, language: Language) -> str:
    """Title, author and date of the course, with the section that cites the rule."""
    known = next((source for source in catalogue.sources if source.id.startswith("course-")), None)
    if not rule.course or known is None:
        return ""
    return _(
        messages.SOURCES_COURSE,
        language,
        title=known.document,
        author=known.publisher,
        date=known.version,
        section=rule.course,
    )


def _source(source: Source, language: Language) -> list[Pair]:
    return [
        (_(messages.SOURCES[name], language), value)
        for name, value in (
            ("version", source.version),
            ("section", source.section),
            ("publisher", source.publisher),
            ("locator", source.locator),
            ("quote", source.quote),
            ("verified", _(messages.VERIFIED[source.verified], language)),
        )
    ]


def _statement(rule: Rule, language: Language) -> str:
    """What kind of statement it is, where its bands do not say it."""
    word = messages.STATEMENTS.get(rule.operator, "")
    return _(word, language) if word else ""


def band_words(band: RuleBand, language: Language) -> str:
    """A band in words: quantity or meaning, its numbers with what equality does, its text."""
    name = band.of or _(messages.BANDS.get(band.says, ""), language) or band.says
    joined = [_bound(bound, band.unit, language) for bound in band.bounds]
    ends = _(messages.BOTH_ENDS, language, low=joined[0], high=joined[1]) if len(joined) == 2 else "".join(joined)
    words = fold(messages.LIST, filter(None, (ends, band.text or "")), language)
    if not band.bounds and band.unit and not words.endswith(band.unit):
        words = f"{words} {band.unit}"
    return _(messages.SOURCES_NAMED, language, name=name, text=words) if name else words


def _bound(bound: Bound, unit: str, language: Language) -> str:
    return _(messages.RELATIONS[bound.relation.value], language, value=_value(bound, unit))


def _value(bound: Bound, unit: str) -> str:
    shown = "" if unit in UNSAID else unit
    gap = "" if shown in ("", "%") else " "
    return f"{bound.written}{gap}{shown}"


def _contradiction(item: Contradiction, language: Language) -> list[str]:
    """A contradiction with its positions and what is made of it."""
    pairs = []
    for position in item.positions:
        ends = filter(None, (f"[{position.entry}]" if position.entry else "", position.locator))
        pairs.append((position.who, "  ".join((position.says, *ends))))
    pairs.append((_(messages.SOURCES["treatment"], language), wording.in_language(item.treatment, language)))
    return [_head("contradiction", item, language), *(f"  {line}" for line in text.pairs(pairs))]


# --------------------------------------------------------------------------------------------- checks
def checks(found: Sequence[Check], unread: Sequence[str], language: Language) -> str:
    """The table of checks, the faults, and the verdict entries that no machine rule evaluates."""
    heads = [_(messages.SOURCES_CHECK_HEADS[name], language) for name in ("check", "examined", "faults")]
    rows = [
        [
            _(messages.SOURCES_CHECKS[check.id], language),
            numbers.format_count(check.examined),
            numbers.format_count(len(check.faults)),
        ]
        for check in found
    ]
    faults = [f"{path}: {words}" for check in found for path, words in check.faults]
    count = Counter(bool(check.faults) for check in found)
    ending = messages.SOURCES_HOLD if not faults else messages.SOURCES_DO_NOT_HOLD
    listed = [_(messages.SOURCES_UNREAD, language), *(f"  {name}" for name in unread)] if unread else []
    counts = {"n": numbers.format_count(len(found)), "bad": numbers.format_count(count[True])}
    return text.finish(
        (
            text.table([heads, *rows], ("l", "r", "r")),
            listed,
            [f"- {line}" for line in faults],
            [_(ending, language, **counts)],
        )
    )
