"""What is checked of the evidence beyond its form: each check with how many things it looked at and its faults."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, pairwise
from typing import NamedTuple

from reportgen import strict, units, vocabulary
from reportgen.catalogue import nouns
from reportgen.catalogue.rule_shapes import (
    ContradictionsFile,
    RuleBandTable,
    RulesFile,
    RuleTable,
)
from reportgen.catalogue.shapes import (
    ChoicesFile,
    SourcesFile,
    ThresholdsFile,
    ThresholdTable,
    UnspecifiedFile,
)
from reportgen.model import Band
from reportgen.strict import Fault

LONGEST_QUOTE = 25
"""Words of a quote; a Chinese character counts as half a word."""

_CHINESE = re.compile("[\u3400-\u9fff]")
_LOW, _HIGH = ("above", "at_least"), ("below", "at_most")
_PLAIN_UNITS = {"ratio": "1", "count": "1", "byte": "B"}
"""Units as rules write them, where ``units.WRITTEN`` has another word."""


READ = ("verdict", "reference", "none")
"""Uses of entries that a reader could take for a limit."""


class Check(NamedTuple):
    """One check over the whole evidence."""

    id: str
    """Which; its words are in ``report.messages``."""
    examined: int
    """How many things were looked at."""
    faults: tuple[Fault, ...]
    """What is wrong; empty when it holds."""


class Base(NamedTuple):
    """The files that every run reads."""

    sources: SourcesFile
    """``sources.toml``."""
    thresholds: ThresholdsFile
    """``thresholds.toml``."""
    unspecified: UnspecifiedFile
    """``unspecified.toml``."""
    choices: ChoicesFile
    """``choices.toml``."""


class Texts(NamedTuple):
    """The files that only a reader of the catalogue needs."""

    rules: Mapping[str, RulesFile]
    """``rules/NAME.toml`` by that name, in order."""
    contradictions: ContradictionsFile
    """``contradictions.toml``."""

    def tables(self) -> Iterator[tuple[str, RuleTable]]:
        """Every rule with its key path."""
        for name, file in self.rules.items():
            for number, table in enumerate(file.rule):
                yield f"{name}: rule[{number}]", table


def base_checks(base: Base) -> tuple[Check, ...]:
    """The checks of what every run reads."""
    rules = list(enumerate(base.thresholds.threshold))
    ids = (
        ("sources.toml: source", [table.id for table in base.sources.source]),
        ("thresholds.toml: threshold", [table.id for table in base.thresholds.threshold]),
        ("unspecified.toml: unspecified", [table.id for table in base.unspecified.unspecified]),
        ("choices.toml: choice", [table.id for table in base.choices.choice]),
    )
    quotes = [
        (f"sources.toml: source[{n}].quote", t.id, t.quote, t.verified) for n, t in enumerate(base.sources.source)
    ]
    cited, known = _cited(base), [table.id for table in base.sources.source]
    return (
        _check("ids", sum(len(names) for _, names in ids), chain.from_iterable(_unique(*pair) for pair in ids)),
        _check("titles", len(rules) + len(base.unspecified.unspecified), ()),  # the form asks for both languages
        _check("quotes", len(quotes), chain.from_iterable(_quote(*row) for row in quotes)),
        _check("choices", len(base.choices.choice), _numbers(base.choices)),
        _check("scope", len(rules), (fault for row in rules for fault in _scope(*row))),
        _check("citations", sum(len(names) for _, _, names in cited), _resolve(cited, known)),
        _check("sources_used", len(known), _used(known, cited)),
    )


def text_checks(base: Base, texts: Texts) -> tuple[Check, ...]:
    """The checks of the whole catalogue, which need the files that every run reads too."""
    rules = list(texts.tables())
    items = base.unspecified.unspecified
    contradictions = list(enumerate(texts.contradictions.contradiction))
    names = [table.id for _, table in rules]
    quotes = [(f"{path}.source.quote", table.id, table.source.quote, table.verified) for path, table in rules]
    entries = [*names, *(item.id for item in items)]
    bands = sum(len(table.band) for _, table in rules)
    return (
        _check("ids", len(names), _unique("rules: rule", names)),
        _check(
            "ids", len(contradictions), _unique("contradictions.toml: contradiction", [c.id for _, c in contradictions])
        ),
        _check("ids", len(entries), _shared(texts, base)),
        _check("titles", len(rules) + len(contradictions), ()),
        _check("quotes", len(quotes), chain.from_iterable(_quote(*row) for row in quotes)),
        _check("units", len(rules), chain.from_iterable(_rule_metrics(*row) for row in rules)),
        _check("bands", bands, chain.from_iterable(_rule_bands(*row) for row in rules)),
        _check("entries", sum(len(item.rules) for item in items), _rules_resolve(base, names)),
        _check("positions", sum(len(c.position) for _, c in contradictions), _positions(texts.contradictions, entries)),
        _check("agreement", len(base.thresholds.threshold), _agreement(base.thresholds, texts)),
        _check("readings", sum(table.use in READ for _, table in rules), _read(base.thresholds, rules)),
    )


def _check(name: str, examined: int, faults: Iterable[Fault]) -> Check:
    return Check(name, examined, tuple(faults))


# --------------------------------------------------------------------------------------------- ids, quotes, numbers
def _unique(path: str, ids: Sequence[str]) -> Iterator[Fault]:
    for name, count in Counter(ids).items():
        if count > 1:
            yield Fault(path, f"{name!r} stands {count} times")


def _shared(texts: Texts, base: Base) -> Iterator[Fault]:
    """An id of a rule, an unspecified item or a contradiction names one thing."""
    rules = {table.id for _, table in texts.tables()}
    items = {table.id for table in base.unspecified.unspecified}
    for number, table in enumerate(texts.contradictions.contradiction):
        if table.id in rules | items:
            yield Fault(f"contradictions.toml: contradiction[{number}].id", f"{table.id!r} names another entry too")
    for number, item in enumerate(base.unspecified.unspecified):
        if item.id in rules:
            yield Fault(f"unspecified.toml: unspecified[{number}].id", f"{item.id!r} names a rule too")


def quote_words(quote: str) -> Fraction:
    """Length of a quote in words, a Chinese character counting as half a word."""
    chinese = len(_CHINESE.findall(quote))
    return Fraction(chinese, 2) + len(re.findall(r"\w[\w.]*", _CHINESE.sub(" ", quote)))


def _quote(path: str, name: str, quote: str, verified: str) -> Iterator[Fault]:
    words = quote_words(quote)
    if words > LONGEST_QUOTE:
        yield Fault(path, f"{name} quotes {float(words):g} words, at most {LONGEST_QUOTE}")
    if verified == "verbatim" and not quote.strip():
        yield Fault(path, f"{name} is verbatim and quotes nothing")


def _numbers(file: ChoicesFile) -> Iterator[Fault]:
    for number, table in enumerate(file.choice):
        if nouns.number(table.value) is None:
            yield Fault(f"choices.toml: choice[{number}].value", f"must be a number; found {table.value!r}")


def choice_checks(file: ChoicesFile) -> Iterator[Fault]:
    """The faults of ``choices.toml`` alone."""
    yield from _unique("choices.toml: choice", [table.id for table in file.choice])
    yield from _numbers(file)


# --------------------------------------------------------------------------------------------- machine rules
def _scope(number: int, table: ThresholdTable) -> Iterator[Fault]:
    path = f"thresholds.toml: threshold[{number}]"
    for key in ("frameworks", "backends"):
        for word in getattr(table, key):
            if word != word.lower():
                yield Fault(f"{path}.{key}", f"must be lower case; found {word!r}")
    for key in ("phases", "products", "circumstances"):
        for word in sorted({*getattr(table, key)} & {*getattr(table, f"excluded_{key}")}):
            yield Fault(f"{path}.excluded_{key}", f"{word!r} is in {key} too")
    if table.rated_clock and not _is_clock(table.rated_clock):
        yield Fault(f"{path}.rated_clock", f'must be a clock such as "1800 MHz"; found {table.rated_clock!r}')


def _is_clock(written: str) -> bool:
    try:
        return units.parse(written, known=units.EVIDENCE)[1] == "1/s"
    except ValueError:
        return False


# --------------------------------------------------------------------------------------------- references
def _cited(base: Base) -> list[tuple[str, bool, tuple[str, ...]]]:
    """Key path, whether a source has to be named, and the sources named."""
    return [
        (f"unspecified.toml: unspecified[{n}]", not t.rules, t.sources)
        for n, t in enumerate(base.unspecified.unspecified)
    ]


def _resolve(cited: list[tuple[str, bool, tuple[str, ...]]], known: list[str]) -> Iterator[Fault]:
    for path, needed, names in cited:
        if needed and not names:
            yield Fault(f"{path}.sources", "names no source")
        for name in names:
            if name not in known:
                yield Fault(f"{path}.sources", f"no source {name!r}; {strict.near(name, known)}")


def _used(known: list[str], cited: list[tuple[str, bool, tuple[str, ...]]]) -> Iterator[Fault]:
    used = {name for _, _, names in cited for name in names}
    for number, name in enumerate(known):
        if name not in used:
            yield Fault(f"sources.toml: source[{number}]", f"{name!r} is cited by nothing")


def _rules_resolve(base: Base, names: list[str]) -> Iterator[Fault]:
    for number, item in enumerate(base.unspecified.unspecified):
        for name in item.rules:
            if name not in names:
                yield Fault(f"unspecified.toml: unspecified[{number}].rules", f"no rule {name!r}; {_near(name, names)}")


def _positions(file: ContradictionsFile, entries: list[str]) -> Iterator[Fault]:
    for number, table in enumerate(file.contradiction):
        path = f"contradictions.toml: contradiction[{number}]"
        if len(table.position) < 2:
            yield Fault(f"{path}.position", "at least two have to differ")
        for index, position in enumerate(table.position):
            here = f"{path}.position[{index}]"
            if position.entry and position.entry not in entries:
                yield Fault(f"{here}.entry", f"no entry {position.entry!r}; {_near(position.entry, entries)}")
            if table.kind == "between sources" and not position.entry:
                yield Fault(f"{here}.entry", "names no entry")
            if not position.entry and not position.locator.strip():
                yield Fault(f"{here}.locator", "where it stands is needed where there is no entry")


def _near(name: str, known: Iterable[str]) -> str:
    """The nearest id; the whole list would be long."""
    found = strict.near(name, known)
    return found if found.startswith("did you") else "no id is near it"


# --------------------------------------------------------------------------------------------- rules as text
def _rule_metrics(path: str, table: RuleTable) -> Iterator[Fault]:
    """Its metrics are ours, and one of its numbers has the unit of one of them."""
    known = []
    for index, name in enumerate(table.metrics):
        own = vocabulary.UNITS.get(name)
        if own is None:
            yield Fault(f"{path}.metrics[{index}]", f"unknown metric {name!r}; {_near(name, vocabulary.UNITS)}")
        else:
            known.append(own)
    found = [unit for band in table.band if band.bounds and (unit := exact_unit(band.unit)) is not None]
    if table.kind == "threshold" and known and found and not {*known} & {*found}:
        yield Fault(f"{path}.band", f"no number has the unit of a metric it names ({', '.join(table.metrics)})")


def exact_unit(written: str) -> str | None:
    """The exact unit of a unit as rules write it; None for one that we do not measure in."""
    if written in _PLAIN_UNITS:
        return _PLAIN_UNITS[written]
    return units.WRITTEN[written][0] if written in units.WRITTEN and written else None


def _rule_bands(path: str, table: RuleTable) -> Iterator[Fault]:
    faults = [fault for index, band in enumerate(table.band) for fault in _rule_band(f"{path}.band[{index}]", band)]
    yield from faults
    if faults:
        return
    groups: dict[tuple[str, str], list[Band]] = {}
    for band in table.band:
        extent = _extent(band)
        if extent is not None:
            groups.setdefault((band.of, band.unit), []).append(extent)
    for group in groups.values():
        yield from _apart(f"{path}.band", group)


def _rule_band(path: str, band: RuleBandTable) -> Iterator[Fault]:
    if not band.bounds and not band.text.strip():
        yield Fault(path, "has neither a number nor a text")
    for index, bound in enumerate(band.bounds):
        if nouns.number(bound.value) is None:
            yield Fault(f"{path}.bounds[{index}].value", f"must be a number; found {bound.value!r}")
    relations = [bound.relation for bound in band.bounds]
    lows, highs = (sum(relation in ends for relation in relations) for ends in (_LOW, _HIGH))
    if len(relations) > 1 and (lows, highs, len(relations)) != (1, 1, 2):
        yield Fault(f"{path}.bounds", "two numbers are a lower and an upper end")


def _extent(band: RuleBandTable) -> Band | None:
    """The band as an interval; None for a case that is none."""
    ends = {bound.relation: Fraction(bound.value) for bound in band.bounds}
    if "equal" in ends:
        point = ends["equal"]
        return Band(id="no_statement", low=point, low_included=True, high=point, high_included=True)
    if not ends or not {*ends} <= {*_LOW, *_HIGH}:
        return None
    return Band(
        id="no_statement",
        low=ends.get("at_least", ends.get("above")),
        low_included="at_least" in ends,
        high=ends.get("at_most", ends.get("below")),
        high_included="at_most" in ends,
    )


def _apart(path: str, bands: list[Band]) -> Iterator[Fault]:
    """No value falls into two bands of one quantity, and they stand in rising or in falling order."""
    for one, other in combinations(bands, 2):
        if not (_before(one, other) or _before(other, one)):
            yield Fault(path, "two bands of one quantity overlap")
            return
    steps = [_before(one, other) for one, other in pairwise(bands)]
    if len({*steps}) > 1:
        yield Fault(path, "the bands of one quantity stand in no order")


def _before(one: Band, other: Band) -> bool:
    if one.high is None or other.low is None:
        return False
    return one.high < other.low or (one.high == other.low and not (one.high_included and other.low_included))


# --------------------------------------------------------------------------------------------- machine rules on entries
def _agreement(thresholds: ThresholdsFile, texts: Texts) -> Iterator[Fault]:
    """A machine rule has an entry of its id; what it reads of it is there and can be read."""
    rules = {table.id: table for _, table in texts.tables()}
    machine = {table.id for table in thresholds.threshold}
    for number, table in enumerate(thresholds.threshold):
        path = f"thresholds.toml: threshold[{number}]"
        rule = rules.get(table.id)
        if rule is None:
            yield Fault(f"{path}.id", f"no rule {table.id!r} in rules/*.toml; {_near(table.id, list(rules))}")
            continue
        yield from _reading(path, table, rule)
        for index, name in enumerate(table.also):
            if name not in rules:
                yield Fault(f"{path}.also[{index}]", f"no rule {name!r}; {_near(name, list(rules))}")
        if table.yields_to and table.yields_to not in machine:
            yield Fault(f"{path}.yields_to", f"no machine rule {table.yields_to!r}")
        if table.follows is not None and table.follows.rule not in machine & {*rules}:
            yield Fault(f"{path}.follows.rule", f"no machine rule {table.follows.rule!r}")
        elif table.follows is not None and table.follows.band not in {b.says for b in rules[table.follows.rule].band}:
            yield Fault(f"{path}.follows.band", f"{table.follows.rule} has no band {table.follows.band!r}")
        if table.metric and table.metric not in rule.metrics:
            yield Fault(f"{path}.metric", f"its entry does not name {table.metric!r}")


def _reading(path: str, table: ThresholdTable, rule: RuleTable) -> Iterator[Fault]:
    """Its way of reading fits its entry."""
    if bool(table.because) != (table.reading == "never"):
        yield Fault(f"{path}.because", 'goes with reading = "never", and only with it')
    if rule.use == "none" and table.reading not in ("never", "text"):
        yield Fault(f"{path}.reading", 'its entry has use = "none"')
    if table.metric and table.reading != "never" and table.scope is None:
        yield Fault(f"{path}.scope", "is needed where a value may be shown")
    if table.reading == "bands" and not table.metric:
        yield Fault(f"{path}.metric", "bands need a metric")
    if table.reading != "bands":
        if table.undecided_at or table.of:
            yield Fault(f"{path}.undecided_at", 'goes with reading = "bands"')
        return
    try:
        found = nouns.bands(rule, table.of)
        unit = next(band.unit for band in rule.band if band.of == table.of and band.bounds)
        open_ends = {value: nouns.exact(value, unit) for value in table.undecided_at}
    except (ValueError, StopIteration) as fault:
        yield Fault(f"{path}.reading", f"its entry has no bands that can be read: {fault}")
        return
    ends = {end for band in found for end in (band.low, band.high)}
    for value, end in open_ends.items():
        if end not in ends:
            yield Fault(f"{path}.undecided_at", f"its entry has no limit {value}")
    own = vocabulary.UNITS.get(table.metric)
    if own is not None and exact_unit(unit.split(" (")[0]) != own:
        yield Fault(f"{path}.metric", f"its entry is in {unit!r}, another unit than its metric's")


def _read(thresholds: ThresholdsFile, rules: list[tuple[str, RuleTable]]) -> Iterator[Fault]:
    """Every entry that a reader could take for a limit says where it applies."""
    machine = {table.id for table in thresholds.threshold}
    for path, table in rules:
        if table.use in READ and table.authority != "project practice" and table.id not in machine:
            yield Fault(f"{path}.use", f"{table.use!r} needs a table in thresholds.toml")
