"""The one room where sentences are made: codes, ids and values to text in the reader's language.

The texts stand in ``messages``, their translations in ``templates/locale``. Verdict sentences are whole messages for
every direction and outcome, since languages do not compose alike. Functions return plain text with NBSP between a
number and what belongs to it; ``verdict_sentence`` can keep ``**`` around what is set bold.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from reportgen import units
from reportgen.model import (
    Comparison,
    Family,
    Missing,
    Outcome,
    PairStanding,
    Quantity,
    Reason,
    Standing,
    Status,
    VerdictWord,
)
from reportgen.outside import step_ranges
from reportgen.report import messages, messages_cases, messages_runs, numbers, permitted, spread
from reportgen.report.document import (
    GapRow,
    GoalRow,
    IntervalRow,
    MetricRow,
    Number,
    Report,
    RunFigureRow,
    SettingRow,
    ThresholdRow,
    VerdictBlock,
)
from reportgen.report.translations import NBSP, SOURCE, SPACELESS, Language, languages, translator
from reportgen.report.translations import fold as _fold
from reportgen.report.translations import message as _
from reportgen.report.translations import plural as _plural
from reportgen.run_conditions.facts import PREFIX
from reportgen.vocabulary import OUTSIDE_ONLY, SAMPLE

__all__ = [
    "Language",
    "Term",
    "agreed_text",
    "applicability_word",
    "are_apart",
    "arithmetic_text",
    "authority_word",
    "band_word",
    "baseline_text",
    "baselines_line",
    "basis_word",
    "both_words",
    "change_word",
    "check_word",
    "clause",
    "comparability_sentence",
    "counted_word",
    "deciding",
    "distinguishable_word",
    "equal_counts",
    "equal_facts",
    "estimate_sentence",
    "estimate_text",
    "fact_names",
    "fact_text",
    "fact_title",
    "family_word",
    "gap_title",
    "gathered",
    "glossary",
    "goal_hint",
    "goal_interval",
    "goal_interval_word",
    "goal_limit",
    "goal_margin",
    "goal_name",
    "goal_outcome",
    "goal_reservations",
    "goal_sentence",
    "goal_sides",
    "goal_text",
    "goal_title",
    "goal_value",
    "group_title",
    "in_language",
    "is_blocked",
    "is_estimate",
    "join",
    "kind_word",
    "languages",
    "layout_word",
    "listed",
    "may_not_be_formed",
    "measured_from",
    "method_word",
    "metric_short",
    "metric_title",
    "missing_word",
    "not_judged_word",
    "outcome_code",
    "outcome_word",
    "own_statistic",
    "place_text",
    "quotient_text",
    "reason_and_effect",
    "record_text",
    "reservation_lines",
    "say",
    "series_title",
    "setting_value",
    "side_word",
    "source_words",
    "standing_word",
    "statistic_word",
    "status_word",
    "tag_word",
    "times_are_blocked",
    "to_get_one",
    "told_brief",
    "told_by_place",
    "told_why",
    "translator",
    "verdict_rule",
    "verdict_sentence",
    "verdict_subline",
    "verdict_word",
    "witness_word",
]

_STOP = ".。"
_SHOWN_FACTS = 2
_SHOWN_NAMES = 3
_SHOWN_GOALS = 3
_FIRST = ("excluded.", "below_default")
"""Beginnings of the facts that page one names before all others."""
_WITH_VALUES = ("setting_", "allowed_", "run_")
_SAID_BY_EFFECT = ("setting_differs", "setting_unknown", "fact_not_recorded")
"""Reasons that the effect of a setting says as well."""
_ONE = re.compile(
    r"(?<![\d.,-])(?<!of )1 "
    r"(?P<noun>collective|configuration|figure|kernel|line|place|record|request|row|run|step|type|value)s"
    r"(?P<between>\b(?: \([^()]*\)| of (?:whole )?\S+)? ?)(?P<verb>\b(?:are|give|have|lack|lie|need|stand|tell)\b)?"
)
_SINGULAR = {"are": "is", "have": "has"} | {
    verb: f"{verb}s" for verb in ("give", "lack", "lie", "need", "stand", "tell")
}
"""Verbs behind a count, and how they read of one thing."""
_OF_ONE = (
    ("they are", "it is"),
    (" and are ", " and is "),
    ("their ", "its "),
    ("no numbers", "no number"),
    ("no single steps", "no single step"),
    ("as checkpoints", "as a checkpoint"),
    ("that disagree stand", "that disagrees stands"),
)
"""What is said further on of several things, and how it reads of one."""
_DECLARED = ("declared_by", *messages.AGAINST)
"""Reasons of what the parties vouch for."""


class Term(NamedTuple):
    """One entry of the glossary."""

    id: str
    """Metric id, or the id of a term."""
    title: str
    """Name."""
    text: str
    """What it is."""
    formula: str
    """Formula; empty for a term."""


def join(sentences: Iterable[str], language: Language) -> str:
    """Whole sentences in a row; empty ones are left out."""
    return ("" if language in SPACELESS else " ").join(sentence for sentence in sentences if sentence)


def in_language(texts: tuple[tuple[str, str], ...], language: Language) -> str:
    """A text of ``evidence/`` in the language, else in English, else in the first it has; empty when there is none."""
    known = dict(texts)
    return known.get(language) or known.get("en") or next(iter(known.values()), "")


# --------------------------------------------------------------------------------------------- words
def verdict_word(word: VerdictWord | str, language: Language) -> str:
    """met, not met, undecided, not comparable."""
    return _(messages.VERDICTS[word], language)


def outcome_word(outcome: Outcome | str, language: Language) -> str:
    """The same words for one goal, and "does not apply"."""
    return _(messages.VERDICTS[outcome], language)


def standing_word(standing: Standing | PairStanding | str, language: Language) -> str:
    """How a fact, or the pair, stands."""
    return _(messages.STANDINGS[standing], language)


def goal_outcome(report: Report, goal: GoalRow, language: Language) -> str:
    """The outcome of one goal; of sides that are not comparable no verdict is given, which is one word everywhere."""
    if report.comparability.standing is PairStanding.NOT_COMPARABLE:
        return _(messages.NO_VERDICT_WORD, language)
    return _(messages.VERDICTS[outcome_code(goal)], language)


def outcome_code(goal: GoalRow) -> str:
    """The outcome of one goal as it is called: that of runs which were not made alike is not comparable."""
    apart = goal.unlike and goal.outcome is Outcome.UNDECIDED
    return VerdictWord.NOT_COMPARABLE.value if apart else goal.outcome.value


def applicability_word(applicability: str, language: Language) -> str:
    """Whether an official rule applies."""
    return _(messages.APPLICABILITIES[applicability], language)


def tag_word(tag: str, language: Language) -> str:
    """Whether a run was profiled."""
    return _(messages.TAGS[tag], language)


def record_text(metric: str, kind: str, count: str, language: Language) -> str:
    """What a run holds of a metric: its name and kind, and how many values."""
    return _(messages.COLON, language, name=run_title(metric, kind, language), text=counted(count, language))


def counted(count: str, language: Language) -> str:
    """``12 values``."""
    return _(messages.VALUE_COUNT if count == "1" else messages.VALUES_COUNT, language, n=count)


def authority_word(authority: str, language: Language) -> str:
    """Whose rule it is."""
    return _(messages.AUTHORITIES[authority], language)


def baseline_text(rule: ThresholdRow, language: Language) -> str:
    """Who agreed on an own baseline, and how it changes official limits."""
    one = rule.baseline
    assert one is not None
    said = [_(messages.BASELINE, language, date=one.agreed_on, by=one.agreed_by)]
    said += [_(messages.BASELINE_DOCUMENT, language, document=one.document)] if one.document else []
    said += [_(messages.BASELINE_CHANGES[change], language, rule=name) for name, change in one.changes]
    if one.replaces and not one.changes:
        said.append(_(messages.BASELINE_CHANGES["same"], language, rule=one.replaces))
    return join(said, language)


def baselines_line(rules: Sequence[ThresholdRow], language: Language) -> str:
    """All own baselines in one sentence: who agreed, which they are, what they change; empty without any."""
    if not rules or rules[0].baseline is None:
        return ""
    names = []
    for rule in rules[:2]:
        title = in_language(rule.title, language)
        changes = rule.baseline.changes if rule.baseline is not None else ()
        marks = [_(messages.BASELINE_MARKS[change], language, rule=name) for name, change in changes]
        names.append(
            _(messages.NAMED, language, name=title, text=_fold(messages.LIST, marks, language)) if marks else title
        )
    if len(rules) > 2:
        names.append(_(messages.REST, language, n=str(len(rules) - 2)))
    first = rules[0].baseline
    return _(
        messages.BASELINES,
        language,
        date=first.agreed_on,
        by=first.agreed_by,
        names=_fold(messages.LIST, names, language),
    )


def band_word(band: str, language: Language) -> str:
    """What a source says of a band; empty for no band."""
    return _(messages.BANDS.get(band, band), language) if band else ""


def bottleneck_word(kind: str, language: Language) -> str:
    """A kind of bottleneck."""
    return _(messages.BOTTLENECKS[kind], language)


def decided_word(by: str, language: Language) -> str:
    """How a bottleneck was decided."""
    return _(messages.DECIDED_BY[by], language)


def inside_word(verdict: str, language: Language) -> str:
    """Whether a core computes or transfers for longer."""
    return _(messages.INSIDE[verdict], language)


def core_word(core: str, language: Language) -> str:
    """A kind of core, inside computing."""
    return _(messages.INSIDE_CORES[core], language)


def in_parentheses(text: str, more: str, language: Language) -> str:
    """A text with more in parentheses."""
    return _(messages.PARENTHESES, language, text=text, more=more)


def bottleneck_line(report: Report, language: Language) -> str:
    """The main bottleneck of both sides in a sentence; empty when neither is told."""
    block = report.bottleneck
    if block is None or block.before.kind == block.after.kind == "none":
        return ""
    kinds = [bottleneck_word(side.kind, language) for side in (block.before, block.after)]
    return _(messages.BOTTLENECK_LINE, language, before=kinds[0], after=kinds[1])


def family_word(family: Family | str, language: Language) -> str:
    """A family of metrics."""
    return _(messages.FAMILIES[family], language)


def missing_word(missing: Missing, language: Language) -> str:
    """The word that stands where a value could not be had."""
    return _(messages.MISSING[missing.kind], language)


def change_word(change: str, language: Language) -> str:
    """added, removed, changed or unchanged."""
    return _(messages.CHANGES[change], language)


def distinguishable_word(told: str, language: Language) -> str:
    """Whether a difference is demonstrated."""
    return _(messages.TOLD_APART[told], language)


def told_brief(told: str, language: Language) -> str:
    """The same in a column whose head says of what."""
    return _(messages.TOLD_APART_BRIEF[told], language)


def told_why(told: str, reason: Reason, language: Language) -> str:
    """Whether a difference is demonstrated; with the reason in a word where that cannot be known."""
    word = distinguishable_word(told, language)
    if told != "cannot be known" or reason.code not in messages.TOLD_WHY:
        return word
    return _(messages.PARENTHESES, language, text=word, more=_(messages.TOLD_WHY[reason.code], language))


def status_word(row: Comparison | MetricRow | RunFigureRow, language: Language, *, brief: bool = False) -> str:
    """What may be said of a row in one word; with the reason in a word, unless brief, where that cannot be known."""
    if row.reason.code == "both_zero":
        return _(messages.STATUS_BOTH_ZERO, language)
    word = _(messages.STATUSES[row.status], language)
    if brief and row.status in messages.STATUSES_BRIEF:
        return _(messages.STATUSES_BRIEF[row.status], language)
    if row.status is not Status.UNKNOWN or row.reason.code not in messages.TOLD_WHY:
        return word
    return _(messages.PARENTHESES, language, text=word, more=_(messages.TOLD_WHY[row.reason.code], language))


def check_word(outcome: str, language: Language) -> str:
    """How an agreed fact stands against the captures."""
    return _(messages.CHECKS[outcome], language)


def basis_word(basis: str, language: Language) -> str:
    """Which variant of a metric was used; an unknown one as it stands."""
    return _(messages.BASES[basis], language) if basis in messages.BASES else basis


_PERCENTILE = re.compile(r"p\d+(?:\.\d+)?")


def statistic_word(statistic: str, language: Language) -> str:
    """How a sample became one number; a percentile is spelled with a capital whatever its number: ``P99.9``."""
    if statistic in messages.STATISTICS:
        return _(messages.STATISTICS[statistic], language)
    return statistic.upper() if _PERCENTILE.fullmatch(statistic) else statistic


def counted_word(family: Family | str, language: Language) -> str:
    """What stands where an interval would stand: count or peak."""
    return _(messages.COUNTED.get(family, messages.COUNTED["counts"]), language)


def id_ranges(ids: Sequence[str], language: Language) -> str:
    """Ids of one letter and a number in their order, neighbours as a range: ``R1–R4 and R9``."""
    letter = ids[0][0] if ids else ""
    ranges = step_ranges([identity.removeprefix(letter) for identity in ids], most=len(ids))
    pieces = (one.split("-") for one in ranges.split(", "))
    return listed(("–".join(f"{letter}{end}" for end in ends) for ends in pieces), language)


def goal_counts(goal: GoalRow, language: Language) -> str:
    """How much stands behind the interval of a goal: captures or runs with their steps; empty without an interval."""
    if goal.interval is None or not goal.values:
        return ""
    return _(messages.INTERVAL_OF, language, runs=_runs(goal, language))


def run_word(row: RunFigureRow, language: Language, *, brief: bool = False) -> str:
    """What may be said of a figure of runs in one word: of runs that are not alike that they are not comparable."""
    if row.unlike:
        return verdict_word("not_comparable", language)
    if row.blocked:  # the reason stands below the table
        return _(messages.STATUSES[Status.UNKNOWN], language)
    return status_word(row, language, brief=brief)


def run_method(method: str, language: Language) -> str:
    """How an interval of a figure of runs was made."""
    return _(messages_runs.METHODS.get(method, method), language)


def method_word(method: str, language: Language) -> str:
    """How an interval was made."""
    return _(messages.METHODS.get(method, method), language)


def group_title(group: str, language: Language) -> str:
    """Title of a group of gaps or of metrics."""
    return _(messages.GROUPS[group], language)


def layout_word(layout: str, language: Language) -> str:
    """What kind of directory a capture is."""
    return _(messages.LAYOUTS.get(layout, layout), language)


def listed(items: Iterable[str], language: Language) -> str:
    """Words in a row, as the language joins them."""
    return _fold(messages.LIST, items, language)


def both_words(sides: Iterable[str], language: Language) -> str:
    """The sides that something holds for: one by its name, two as both."""
    names = tuple(sides)
    return names[0] if len(names) == 1 else _(messages.SIDES["both"], language)


def source_words(kinds: Iterable[str], language: Language) -> str:
    """The kinds of files that values were measured from; an unknown one as it stands."""
    words = (_(messages.KINDS_OF_FILE[kind], language) if kind in messages.KINDS_OF_FILE else kind for kind in kinds)
    return listed(words, language)


def measured_from(before: tuple[str, ...], after: tuple[str, ...], language: Language) -> str:
    """Which kinds of files both sides were measured from, in a sentence; empty for none."""
    sides = [source_words(kinds, language) for kinds in (before, after)]
    if all(sides) and sides[0] != sides[1]:
        return _(messages.MEASURED_FROM["both"], language, before=sides[0], after=sides[1])
    return _(messages.MEASURED_FROM["one"], language, kinds=sides[0] or sides[1]) if any(sides) else ""


def series_title(series: str, language: Language) -> str:
    """What a value over time is; an unknown one as it stands."""
    return _(messages.SERIES_TITLES.get(series, series), language)


def side_word(side: str) -> str:
    """BEFORE or AFTER; the same in every language."""
    return messages.SIDES[side]


def metric_title(metric: str, language: Language, part: str = "") -> str:
    """A metric's name, with its component or operator."""
    title = _(messages.METRICS.get(metric, metric), language)
    if not part:
        return title
    if metric == "group_communication_not_overlapped" and part == "one group":
        return _(messages.ONE_GROUP, language)
    return _(messages.PARTS.get(metric, messages.PARTS[""]), language, metric=title, part=part)


def run_title(metric: str, kind: str, language: Language) -> str:
    """A metric of a run with its kind, in words."""
    title = _(messages.RUN_METRICS.get(metric) or messages.METRICS.get(metric, metric), language)
    if not kind:
        return title
    known = messages.RUN_KINDS.get(kind) or messages.KINDS.get(kind, "")
    return _(messages.KIND, language, metric=title, kind=_(known, language) if known else kind)


def metric_short(metric: str, language: Language) -> str:
    """A metric's name where room is scarce."""
    return _(messages.SHORT.get(metric, messages.METRICS.get(metric, metric)), language)


def kind_word(kind: str, language: Language) -> str:
    """Kind of a latency or throughput."""
    return _(messages.KINDS.get(kind, kind), language)


def fact_title(fact: str, language: Language) -> str:
    """Name of a fact of a capture or of the agreed workload; a settings key stands as it is.

    ``fact.before`` is that fact of BEFORE, ``check.NAME.before`` a cross-check of BEFORE, ``run.fact`` one of the runs
    outside the profile.
    """
    fact = fact.removeprefix(PREFIX)
    if fact in messages.FACTS:
        return _(messages.FACTS[fact], language)
    stem, _dot, side = fact.rpartition(".")
    if side not in ("before", "after"):
        return fact
    if stem.startswith("check."):
        title = witness_word(stem.removeprefix("check."), language)
    elif stem in messages.FACTS:
        title = _(messages.FACTS[stem], language)
    else:
        return fact
    return _(messages.GAP_SIDES[side], language, title=title)


def named_fact(fact: str, language: Language) -> str:
    """Name of a fact, and behind it the key that a target or an option takes where that is another text."""
    key = fact.removeprefix(PREFIX)
    title = fact_title(key, language)
    return title if title == key else in_parentheses(title, key, language)


def witness_word(name: str, language: Language) -> str:
    """What a cross-check compares."""
    stem, bracket, step = name.partition("[")
    title = _(messages.WITNESSES[stem], language) if stem in messages.WITNESSES else stem
    if stem.startswith("communication_statistic_") and bracket:
        return _(messages.OF_TYPE, language, name=title, type=step.removesuffix("]"))
    return _(messages.ON_STEP, language, name=title, step=step.rstrip("]")) if bracket else title


def fact_text(fact: str, text: str, language: Language) -> str:
    """What is recorded of a fact; the chip with its family's name, and a word where nothing is recorded."""
    if not text:
        return _(messages.NOT_RECORDED, language)
    if fact == "chip" and text in messages.CHIPS:
        return _(messages.CHIP, language, id=text, name=messages.CHIPS[text])
    return text


def agreed_text(fact: str, text: str, language: Language) -> str:
    """What was agreed of a fact of the workload; the words of our own vocabulary are translated."""
    if fact == "product":
        return _(messages.PRODUCTS[text], language) if text in messages.PRODUCTS else text
    if fact == "circumstances":
        stated = [one.partition("=") for one in text.split(", ")]
        if not all(name in messages.CIRCUMSTANCES for name, _equal, _value in stated):
            return text
        named = (
            _(
                messages.CIRCUMSTANCE[value == "true"],
                language,
                name=_(messages.CIRCUMSTANCES.get(name, name), language),
            )
            for name, _equal, value in stated
        )
        return _fold(messages.LIST, named, language)
    known = fact in ("phase", "checkpoint_steps") and text in messages.AGREED
    return _(messages.AGREED[text], language) if known else text


def setting_value(value: str | None, language: Language) -> str:
    """One side of a compared fact: as recorded, or the word for nothing recorded or for an empty text."""
    if value is None:
        return _(messages.NOT_RECORDED, language)
    if value in messages.HELD:
        return _(messages.HELD[value], language)
    matched = value.removeprefix("matched ")
    if matched != value and matched.endswith("%"):  # a share of the workload
        return _(messages.MATCHED_SHARE, language, share=matched)
    return value or _(messages.EMPTY, language)


def place_text(place: str, language: Language) -> str:
    """Where a compared fact stands; a file's name stays as it is, our own words are translated."""
    if place.startswith("case "):
        return _(messages.PLACE_OF_CASE, language, case=place.removeprefix("case "))
    head, rank, number = place.partition(" rank ")
    if head not in messages.PLACES:
        return place
    title = _(messages.PLACES[head], language)
    return _(messages.PLACE_OF_RANK, language, place=title, rank=number) if rank else title


# --------------------------------------------------------------------------------------------- reasons
def say(reason: Reason, language: Language) -> str:
    """The sentence of a reason.

    Raises:
        KeyError: a code without a sentence.
    """
    values = {name: _argument(reason, name, value, language) for name, value in reason.args}
    text = messages.REASONS[reason.code]
    sentence = _(text, language, **values)
    if language == SOURCE and reason.arg("n") == "1":
        sentence = _of_one(sentence)
    return _capital(sentence) if text.startswith("%(metric)s") else sentence


def _of_one(sentence: str) -> str:
    """An English sentence on ``1 records`` reads on ``1 record``."""
    found = _ONE.search(sentence)
    if found is None:
        return sentence
    verb = _SINGULAR.get(found["verb"] or "", found["verb"] or "")
    rest = sentence[found.end() :]
    for many, single in _OF_ONE:
        rest = rest.replace(many, single)
    return f"{sentence[: found.start()]}1 {found['noun']}{found['between']}{verb}{rest}"


def clause(reason: Reason, language: Language) -> str:
    """The same without its full stop and its capital, to stand inside another sentence."""
    sentence = say(reason, language).rstrip(_STOP)
    first, second = sentence[:1], sentence[1:2]
    named = messages.REASONS[reason.code].startswith("%(")  # a key or a side, which keeps its capital
    plain = not named and first.isascii() and (second.islower() or second == " ")
    return first.lower() + sentence[1:] if plain else sentence


def _open_fact(title: Callable[[str, Language], str], argument: str, key: str, language: Language) -> str:
    """A compared fact and, behind a slash of its key, on which side it is open."""
    fact, _slash, sides = key.partition("/")
    where = messages_runs.OPEN_ON.get((argument, sides))
    if where is None:
        return title(key, language)
    plain = fact_title(fact, language)
    inside = [] if title(fact, language) == plain else [fact.removeprefix(PREFIX)]
    return in_parentheses(plain, listed([*inside, _(where, language)], language), language)


def _argument(reason: Reason, name: str, value: str, language: Language) -> str:
    """A reason's value as the sentence prints it: ids become words."""
    if name == "metric":
        return metric_title(value, language, reason.arg("part"))
    if name == "why" and reason.code == "never_enforced":
        return _(messages.NEVER.get(value, value), language)
    if name == "why":
        return (clause(Reason(code=value), language) if value in messages.REASONS else value).rstrip(_STOP)
    if name in ("keys", "facts", "unstated"):
        title = named_fact if reason.code in messages.KEY_NEEDED else fact_title
        texts = (_open_fact(title, name, key, language) for key in value.split(", "))
        return _fold(messages.LIST, texts, language)
    if name == "key" and reason.code in messages.KEY_NEEDED:
        return named_fact(value, language)
    if name == "key" and reason.code in messages.OF_FACTS:
        return fact_title(value, language)
    if name == "name" and reason.code == "check_failed":
        return witness_word(value, language)
    if name in ("before", "after") and reason.code == "basis_differs":
        return basis_word(value, language)
    if name == "name" and value in messages.CIRCUMSTANCES:
        return _(messages.CIRCUMSTANCES[value], language)
    if name in ("product", "products", "seen") and reason.code.startswith("product_"):
        return _fold(
            messages.LIST, (_(messages.PRODUCTS.get(one, one), language) for one in value.split(", ")), language
        )
    if name == "band":
        return band_word(value, language)
    if name == "resolution" and value.endswith(" ns"):
        figure, space, unit = numbers.format_value(
            Quantity(value=Fraction(value[:-3]), unit="ns"), language=language
        ).partition(NBSP)
        whole = figure.rstrip("0").rstrip(".") if "." in figure else figure
        return whole + space + unit if whole != "0" else value
    if name in ("cases", "files"):
        return listed(value.split(", "), language)
    if name == "figures":
        quantities = (run_title(*one.partition("/")[::2], language) for one in value.split(", "))
        return _fold(messages.LIST, quantities, language)
    if name == "option":
        return _(messages.OPTIONS[value], language) if value in messages.OPTIONS else value
    if name == "what":
        return place_text(value, language)
    if name == "phase":
        return agreed_text("phase", value, language)
    if name == "fact":
        return fact_title(value, language)
    if name == "statistic":
        return statistic_word(value, language)
    words = {
        "side": messages.SIDES,
        "other_side": messages.SIDES,
        "family": messages.FAMILIES,
        "kernels": messages.KERNELS_FROM,
    }.get(name, {})
    return _(words[value], language) if value in words else value


# --------------------------------------------------------------------------------------------- goals
def goal_title(goal: GoalRow, language: Language) -> str:
    """The metric a goal is on, with its component and kind."""
    return titled(goal.metric, goal.part, goal.kind, language)


def goal_name(goal: GoalRow, language: Language) -> str:
    """What a goal is on in a sentence: its title, and its statistic where that is not the ordinary one."""
    statistic = own_statistic(goal, language)
    if not statistic:
        return goal_title(goal, language)
    if goal.kind:
        kind = kind_word(goal.kind, language)
        statistic = _(messages.WITH_STATISTIC, language, metric=kind, statistic=statistic)
    metric = metric_title(goal.metric, language, goal.part)
    return _(messages.KIND, language, metric=metric, kind=statistic)


def own_statistic(goal: GoalRow, language: Language) -> str:
    """The statistic of a goal where it is not the ordinary one of its metric; else empty.

    Ordinary is the mean of what is measured outside the profile alone, the largest of a peak, the median of other
    times; a metric that has one statistic needs it nowhere.
    """
    outside, peak = goal.metric in OUTSIDE_ONLY, goal.metric.startswith("peak_")
    ordinary = "mean" if outside else "max" if peak else "median"
    named = goal.statistic in SAMPLE and goal.statistic != ordinary
    return statistic_word(goal.statistic, language) if named else ""


def titled(metric: str, part: str, kind: str, language: Language) -> str:
    """A metric with its component and its kind."""
    title = metric_title(metric, language, part)
    return _(messages.KIND, language, metric=title, kind=kind_word(kind, language)) if kind else title


def goal_tag(goal: GoalRow, language: Language) -> str:
    """How the values of a goal were had: profiled, unprofiled, typed by hand ...; empty without a value."""
    return tag_word(goal.tag, language) if goal.tag else ""


def subject_text(goal: GoalRow, language: Language) -> str:
    """What the limit is on: AFTER, AFTER − BEFORE, AFTER / agreed value ..."""
    if goal.baseline == "fixed" and goal.subject in messages_cases.FIXED_SUBJECTS:
        return _(messages_cases.FIXED_SUBJECTS[goal.subject], language)
    return messages.SUBJECTS[goal.subject]


def required_text(goal: GoalRow, language: Language) -> str:
    """What a goal asks for, with its statistic: ``step time, median: ≤ 170 ms``."""
    pattern = messages_cases.REQUIRED if goal.subject == "after" else messages_cases.REQUIRED_OF
    statistic, subject = statistic_word(goal.statistic, language), subject_text(goal, language)
    metric, limit = goal_title(goal, language), goal_limit(goal, language)
    return _(pattern, language, metric=metric, statistic=statistic, subject=subject, limit=limit)


def goal_limit(goal: GoalRow, language: Language, *, bare: bool = False) -> str:
    """The limit as agreed, behind its sign unless ``bare``: ≤ 170 ms."""
    limit = goal.limit.quantity
    if goal.subject == "delta" and numbers.kind_of(goal.metric, limit.unit) == "share":
        text = numbers.format_value(limit, metric_unit_hint="share", language=language, signed=True)
    else:
        hint = "ratio" if goal.subject == "ratio" else goal.metric
        text = numbers.format_limit(limit, metric_unit_hint=hint, language=language)
    sign = "≤" if goal.direction == "at_most" else "≥"
    return text if bare else f"{sign}{NBSP}{text}"


def goal_text(goal: GoalRow, language: Language) -> str:
    """A goal in words: step time at most 170 ms."""
    fixed = messages_cases.FIXED_GOALS.get((goal.direction, goal.subject)) if goal.baseline == "fixed" else None
    pattern = fixed or messages.GOALS[goal.direction, goal.subject]
    return _(pattern, language, metric=goal_name(goal, language), limit=goal_limit(goal, language, bare=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Figures:
    """The figures of the verdict sentence."""

    value: str
    """Judged value with its unit."""
    interval: str
    """Its interval with its unit; empty without one."""
    margin: str
    """Distance of the deciding end to the limit, without sign; empty without a margin."""
    near: str
    """Distance of the estimate to the limit, without sign."""
    far: str
    """Distance of the interval's other end to the limit, without sign."""
    stands: str
    """Where the estimate lies: ``inside`` the limit, ``at`` it or ``beyond`` it; ``touching``: beyond, an end at it."""


def _figures(goal: GoalRow, language: Language) -> _Figures:
    """All figures of a goal in one unit with the same decimals."""
    judged = goal.value
    assert isinstance(judged, Number)
    value, limit = Fraction(judged.quantity.value), Fraction(goal.limit.quantity.value)
    low, high = _ends(goal.interval) or (value, value)
    show = _Printer(goal=goal, language=language)
    inside = value <= limit if goal.direction == "at_most" else value >= limit
    far = high if inside is (goal.direction == "at_most") else low  # the end that ``CROSSED`` names
    return _Figures(
        value=show.value(value),
        interval=_interval([show.value(low), show.value(high)]) if goal.interval else "",
        margin=show.distance(Fraction(goal.margin.quantity.value)) if goal.margin else "",
        near=show.distance(value - limit),
        far=show.distance(far - limit),
        stands="at" if value == limit else "inside" if inside else "touching" if far == limit else "beyond",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Printer:
    """Prints the values of one goal alike: in one unit, with as many decimals as show each on its side of the limit."""

    goal: GoalRow
    """The goal, which has a value."""
    language: Language
    """Language."""

    @property
    def _percent(self) -> bool:
        """Whether a ratio is agreed in percent, and so printed in percent."""
        return "%" in self.goal.limit.quantity.written

    @property
    def _judged(self) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        """Value, both ends of its interval, and the limit."""
        assert isinstance(self.goal.value, Number)
        value = Fraction(self.goal.value.quantity.value)
        low, high = _ends(self.goal.interval) or (value, value)
        return value, low, high, Fraction(self.goal.limit.quantity.value)

    @property
    def _scale(self) -> numbers.Scale:
        """The unit of a delta or a ratio: that in which the largest of its figures reads best."""
        if self.goal.subject == "ratio":
            return numbers.PERCENT if self._percent else numbers.PLAIN
        kind = numbers.kind_of(self.goal.metric, self.goal.limit.quantity.unit)
        return numbers.scale_of(max(map(abs, self._judged[:3])), kind)

    @property
    def _decimals(self) -> int:
        """Decimals of a delta or a ratio."""
        (value, low, high, limit), scale = self._judged, self._scale
        start = 1 if self._percent else 3
        if self.goal.subject != "ratio":
            kind = numbers.kind_of(self.goal.metric, self.goal.limit.quantity.unit)
            start = numbers.decimals_of(value, scale, kind, (high - low) / 2)
        judged = [one / scale.factor for one in (value, low, high)]
        return numbers.decimals_beside(judged, limit / scale.factor, start)

    def value(self, exact: Fraction) -> str:
        """A value of AFTER, a delta or a ratio."""
        if self.goal.subject == "after":
            row = numbers.goal_texts(self.goal, self.language)
            return row.value(exact) if row.after else self._alone(exact)
        figure = numbers.digits(exact / self._scale.factor, self._decimals, signed=self.goal.subject == "delta")
        return numbers.with_unit(figure, self._unit)

    @property
    def _unit(self) -> str:
        """Printed behind a delta or a ratio; a difference of shares is in percentage points."""
        if self.goal.subject == "delta" and self._scale is numbers.PERCENT:
            return _(numbers.POINTS, self.language)
        return numbers.printed_unit(self._scale, self.goal.limit.quantity)

    def quotient(self, exact: Fraction) -> tuple[Fraction, str]:
        """The quotient of both values rounded, and as it is printed: as the judged ratio where it is that."""
        judged = not is_estimate(self.goal)
        decimals = self._decimals if judged else 1 if self._percent else 3
        size = exact / self._scale.factor
        return Fraction(round(size, decimals)), numbers.with_unit(numbers.digits(size, decimals), self._scale.unit)

    def distance(self, exact: Fraction) -> str:
        """A distance without sign; between percentages in percentage points. What is not 0 is not printed as 0."""
        size = abs(exact)
        if self.goal.subject == "after":
            row = numbers.goal_texts(self.goal, self.language)
            if not row.after:
                return self._alone(size, signed=True).lstrip("+")
            decimals = numbers.decimals_apart(size / row.scale.factor, Fraction(0), row.decimals)
            return numbers.with_unit(numbers.digits(size / row.scale.factor, decimals), row.delta_unit)
        decimals = numbers.decimals_apart(size / self._scale.factor, Fraction(0), self._decimals)
        if self._scale is numbers.PERCENT:
            return numbers.points(size / self._scale.factor, decimals, self.language)
        return numbers.with_unit(numbers.digits(size / self._scale.factor, decimals), self._unit)

    def _alone(self, exact: Fraction, *, signed: bool = False) -> str:
        """A value, or a distance, of AFTER that the row of figures does not show."""
        low, high = self._judged[1:3]
        quantity = Quantity(value=exact, unit=self.goal.limit.quantity.unit)
        return numbers.format_value(
            quantity,
            metric_unit_hint=numbers.hint_of(self.goal.metric, self.goal.kind),
            u=(high - low) / 2 or None,
            language=self.language,
            signed=signed,
        )


def goal_value(goal: GoalRow, language: Language) -> str:
    """The judged value as the report prints it, or the word for what is missing."""
    if is_refused(goal):
        return not_judged_word(language)
    return missing_word(goal.value, language) if isinstance(goal.value, Missing) else _figures(goal, language).value


ABSENT = (
    "no_external_value", "no_capture_for_case", "metric_not_measured", "statistic_not_logged", "interval_means",
    "log_steps_missing", "before_zero",
)  # fmt: skip
"""Reasons by which runs outside the profile give no value; by any other they give one that is not judged."""


def is_refused(goal: GoalRow) -> bool:
    """Whether runs outside the profile give a value of a goal that is not judged, for the reason beside it."""
    return (
        goal.measured_outside
        and isinstance(goal.value, Missing)
        and goal.value.reason == goal.reason
        and goal.reason.code not in ABSENT
    )


def is_estimate(goal: GoalRow) -> bool:
    """Whether what is judged is an estimate over all values of both sides, and not the quotient of the two printed."""
    if goal.subject != "ratio" or goal.baseline == "fixed" or goal.interval is None or isinstance(goal.value, Missing):
        return False
    if goal.interval.method not in messages.ESTIMATES:
        return False
    after, before = (side.quantity.value if isinstance(side, Number) else None for side in (goal.after, goal.before))
    return after is None or not before or Fraction(after) / Fraction(before) != goal.value.quantity.value


def estimate_text(goal: GoalRow, language: Language) -> str:
    """Which estimate of AFTER / BEFORE a goal on a ratio is judged on; empty for any other goal."""
    if goal.subject != "ratio" or goal.baseline == "fixed" or isinstance(goal.value, Missing):
        return ""
    method = goal.interval.method if goal.interval is not None and is_estimate(goal) else ""
    return _(messages.ESTIMATES.get(method, messages.ESTIMATES[""]), language)


def quotient_text(goal: GoalRow, language: Language) -> str:
    """The quotient of both values of a goal that is judged on an estimate: ``409.4 ms / 512.2 ms = 79.9%``; else empty.

    True as printed, see ``arithmetic_text``.
    """
    return arithmetic_text(goal, language) if is_estimate(goal) else ""


def arithmetic_text(goal: GoalRow, language: Language) -> str:
    """How a delta or a ratio follows from both values: ``409.4 ms − 512.2 ms = −102.8 ms``; empty without both.

    The values have the decimals of their row, or as many more as make what is printed true; where none do, as of means
    of three, all stands exactly.
    """
    sides = [side.quantity for side in (goal.after, goal.before) if isinstance(side, Number)]
    if goal.subject == "after" or len(sides) < 2 or isinstance(goal.value, Missing):
        return ""
    texts = numbers.goal_texts(goal, language)
    after, before = (Fraction(side.value) / texts.scale.factor for side in sides)
    if goal.subject == "delta":
        decimals = numbers.decimals_true(
            lambda d: round(after, d) - round(before, d) == round(after - before, d), texts
        )
        difference = "" if decimals is None else numbers.digits(after - before, decimals, signed=True)
        result = numbers.with_unit(difference, texts.delta_unit)
    elif before:
        show = _Printer(goal=goal, language=language)
        quotient, result = show.quotient(after / before)

        def true(d: int) -> bool:
            divisor = round(before, d)
            return bool(divisor) and show.quotient(Fraction(round(after, d)) / divisor)[0] == quotient

        decimals = numbers.decimals_true(true, texts)
    else:
        return ""
    sign = numbers.MINUS if goal.subject == "delta" else "/"
    if decimals is None:
        return f"{f' {sign} '.join(side.exact() for side in sides)} = {_exact_result(goal.subject, sides)}"
    operands = (numbers.with_unit(numbers.digits(one, decimals), texts.unit) for one in (after, before))
    return f"{f' {sign} '.join(operands)} = {result}"


def _exact_result(subject: str, sides: Sequence[Quantity]) -> str:
    """AFTER - BEFORE or AFTER / BEFORE of exact values, exactly."""
    after, before = (Fraction(side.value) for side in sides)
    if subject == "delta":
        return Quantity(value=units.exact(after - before), unit=sides[0].unit).exact()
    return Quantity(value=units.exact(after / before), unit="1").exact()


def estimate_sentence(goal: GoalRow, language: Language) -> str:
    """How the judged ratio is formed, and what the quotient of the two printed values is; empty for other goals."""
    text, quotient = estimate_text(goal, language), quotient_text(goal, language)
    if not quotient or not is_estimate(goal):
        return ""
    statistic = statistic_word(goal.statistic, language)
    return _(messages.ESTIMATED, language, estimate=text, statistic=statistic, quotient=quotient)


def goal_hint(goal: GoalRow) -> str:
    """How the judged value of a goal is printed: a ratio in percent where its limit was agreed in percent."""
    if goal.subject != "ratio":
        return goal.metric
    return "share" if "%" in goal.limit.quantity.written else "ratio"


def may_not_be_formed(report: Report, goal: GoalRow) -> bool:
    """Whether a goal is on a delta or a ratio that is not formed.

    The two sides, or the runs, are not comparable, or the family of its metric is blocked.
    """
    apart = report.comparability.standing is PairStanding.NOT_COMPARABLE or goal.unlike
    row = next((row for row in report.metrics if row.id == goal.metric_row), None)
    apart = apart or (goal.baseline == "before" and row is not None and is_blocked(report, row))
    return apart and goal.subject != "after"


def are_apart(report: Report) -> bool:
    """Whether nothing is made of the two sides: they are not comparable, and goals were agreed that this decides."""
    return report.contract is not None and report.comparability.standing is PairStanding.NOT_COMPARABLE


def is_blocked(report: Report, row: MetricRow) -> bool:
    """Whether nothing is formed of both sides of a metric: a difference blocks its family, and goals are judged."""
    return report.contract is not None and bool(row.blocked)


def times_are_blocked(report: Report) -> bool:
    """The same of times, and so of the times of operators."""
    return any(is_blocked(report, row) for row in report.metrics if row.family is Family.TIME)


def not_judged_word(language: Language) -> str:
    """What stands in place of a delta or a ratio that may not be formed."""
    return _(messages.NOT_JUDGED, language)


def goal_sides(goal: GoalRow, language: Language) -> tuple[str, ...]:
    """Both values of a goal, each alone: ``BEFORE 230.10 ms``, ``AFTER 225.10 ms``."""
    found = []
    for name, value in (("BEFORE", goal.before), ("AFTER", goal.after)):
        if isinstance(value, Number):
            text = numbers.format_value(
                value.quantity, metric_unit_hint=numbers.hint_of(goal.metric, goal.kind), language=language
            )
        else:
            text = not_judged_word(language) if is_refused(goal) else missing_word(value, language)
        found.append(f"{name}{NBSP}{text}")
    return tuple(found)


def goal_interval(goal: GoalRow, language: Language) -> str:
    """The interval of the judged value with its unit; empty without one."""
    return "" if isinstance(goal.value, Missing) else _figures(goal, language).interval


def goal_interval_word(report: Report, goal: GoalRow, language: Language) -> str:
    """What stands in the column of intervals of the goals: the interval, the word for what is exact, or ``none``."""
    if not may_not_be_formed(report, goal):
        if goal.interval is not None:
            return goal_interval(goal, language)
        if goal.exact:
            return counted_word("memory" if goal.metric.startswith("peak") else "counts", language)
    return _("none", language)


def goal_margin(goal: GoalRow, language: Language) -> str:
    """The distance of the deciding end to the limit, without sign; empty without a margin."""
    return "" if isinstance(goal.value, Missing) else _figures(goal, language).margin


def _ends(interval: IntervalRow | None) -> tuple[Fraction, Fraction] | None:
    """Both ends, exact."""
    if interval is None:
        return None
    return Fraction(interval.low.quantity.value), Fraction(interval.high.quantity.value)


def _interval(ends: list[str]) -> str:
    """Two figures with units as one interval with the unit behind the bracket."""
    parts = [end.partition(NBSP) for end in ends]
    return numbers.format_interval(parts[0][0], parts[1][0], parts[1][2])


def _runs(goal: GoalRow, language: Language) -> str:
    """How much was measured: the steps of one capture, several captures of so many steps, or the runs of a side."""
    if goal.measured_outside:
        said = {reason.code for reason in goal.reservations}
        for code, form in (("single_run", "alone"), ("single_run_bare", "alone"), ("single_run_stated", "stated")):
            if code in said:
                return _(messages.RUN_STEPS[form], language, n=numbers.format_count(goal.values))
        return _plural(messages.RUNS, goal.values, language)
    if goal.captures > 1:
        count = numbers.format_count(goal.values)
        return _(messages.CAPTURES_STEPS, language, captures=numbers.format_count(goal.captures), n=count)
    forms = messages.CALLS if goal.metric == "kernel_call" else messages.NUMBER_RANGES
    return _plural(forms, goal.values, language)


def _spread(goal: GoalRow, row: MetricRow | None, figures: _Figures, language: Language) -> str:
    """What is known of the uncertainty, behind the value."""
    if figures.interval:
        pattern = messages.SPREAD["interval" if goal.values else "interval_alone"]
        return _(pattern, language, interval=figures.interval, runs=_runs(goal, language))
    if goal.exact:
        return _(messages.SPREAD["peak" if row and row.family is Family.MEMORY else "count"], language)
    if goal.measured_outside:
        return ""
    return _(messages.SPREAD["one_value" if goal.values == 1 else "none"], language)


def _clause_form(clause_text: str) -> str:
    """Whether a clause is a number, words of its own, or not given: languages put a number in other words."""
    return "number" if clause_text[:1].isdigit() else "words" if clause_text else ""


def _clause(goal: GoalRow, language: Language) -> str:
    """Where the limit stands, behind it; empty when no clause is given."""
    form = _clause_form(goal.clause)
    return _(messages.CLAUSE[form], language, clause=goal.clause) if form else ""


def _limit_sentence(goal: GoalRow, figures: _Figures, rule: str, language: Language) -> str:
    """The value against the limit, ending in the outcome."""
    place = _clause(goal, language)
    values = {"limit": goal_limit(goal, language, bare=True), "clause": place, "margin": figures.margin}
    outcome = str(goal.outcome)
    if goal.reason.code == "interval_crosses_limit":
        pattern = messages.CROSSED[goal.direction, figures.stands]
        return _(pattern, language, near=figures.near, far=figures.far, **values)
    if outcome in messages.OTHERWISE and (outcome == "undecided" or not goal.margin):
        return _(messages.OTHERWISE[outcome], language, why=clause(goal.reason, language), **values)
    end = "interval" if figures.interval and rule == "guarded" else "point"
    if not goal.margin or not goal.margin.quantity.value:
        end = "equal"
    return _(messages.LIMITS[outcome, goal.direction, end], language, **values)


def _before_sentence(goal: GoalRow, row: MetricRow | None, language: Language) -> str:
    """What BEFORE was, and which way AFTER went; empty when that may not be said."""
    if goal.subject != "after" or not isinstance(goal.before, Number) or not isinstance(goal.delta, Number):
        return ""
    if row and row.blocked:
        return ""
    texts = numbers.goal_texts(goal, language)
    values = {"before": texts.before_full}
    delta = Fraction(goal.delta.quantity.value)
    if row and row.distinguishable == "no" and not (goal.exact and delta == 0):
        return _(messages.COMPARED["not_demonstrated"], language, **values)
    if delta == 0:
        return _(messages.COMPARED["equal"], language, **values)
    way, wanted = ("less" if delta < 0 else "more"), ("less" if goal.direction == "at_most" else "more")
    if isinstance(goal.change, Number):
        values["change"] = numbers.format_change(abs(Fraction(goal.change.quantity.value)), signed=False)
    else:
        values["change"] = texts.delta_full.lstrip(numbers.MINUS + "+")
    missed = goal.outcome is Outcome.NOT_MET and way == wanted
    return _(messages.COMPARED[f"{way}_not_enough" if missed else way], language, **values)


def goal_sentence(report: Report, goal: GoalRow, language: Language) -> str:
    """The whole sentence of one goal: value, interval, limit, outcome, and what BEFORE was; bold marked by ``**``."""
    title = goal_name(goal, language)
    if isinstance(goal.value, Missing):
        fixed = goal.baseline == "fixed"
        if is_refused(goal):
            nothing = messages_cases.NOT_JUDGED["fixed" if fixed and goal.subject != "after" else goal.subject]
        else:
            nothing = messages.NO_VALUE[goal.subject]
            nothing = messages_cases.FIXED_NO_VALUE.get(goal.subject, nothing) if fixed else nothing
        lacking = _(nothing, language, metric=title, why=clause(goal.value.reason, language))
        values = {"limit": goal_limit(goal, language, bare=True), "clause": _clause(goal, language)}
        said = goal.reason == goal.value.reason
        kind = {VerdictWord.NOT_COMPARABLE.value: "unlike", Outcome.NOT_MET.value: "not_met"}.get(outcome_code(goal))
        pattern = messages.OTHERWISE[kind or ("undecided_so" if said else "undecided")]
        judged = _(pattern, language, why=clause(goal.reason, language), **values)
        remedy = say(goal.value.remedy, language) if goal.value.remedy is not None else ""
        return join((_capital(lacking), judged, remedy), language)
    row = next((row for row in report.metrics if row.id == goal.metric_row), None)
    figures = _figures(goal, language)
    rule = report.contract.decision_rule if report.contract else "simple"
    pattern = messages.VALUE["outside" if goal.measured_outside and goal.subject == "after" else goal.subject]
    if goal.baseline == "fixed":
        pattern = messages_cases.FIXED_VALUES.get(goal.subject, pattern)
    spread = _spread(goal, row, figures, language)
    stated = _(pattern, language, metric=title, value=figures.value, spread=spread)
    limit = _limit_sentence(goal, figures, rule, language)
    return join((_capital(stated), limit, _before_sentence(goal, row, language)), language)


def _capital(sentence: str) -> str:
    """The sentence with a capital letter in front; ids such as aic_mac_ratio stay as they are."""
    first = sentence.split(" ", 1)[0]
    return sentence if "_" in first else sentence[:1].upper() + sentence[1:]


# --------------------------------------------------------------------------------------------- the verdict
def verdict_sentence(report: Report, language: Language, *, marked: bool = False) -> str:
    """The verdict in one to four sentences: limit, measured value, interval, outcome, and what it rests on.

    Args:
        report: the report; without a verdict the sentence is that of the comparability.
        language: language.
        marked: keep ``**`` around what is set bold.
    """
    text = _verdict_text(report, language)
    return text if marked else text.replace("**", "")


def _verdict_text(report: Report, language: Language) -> str:
    verdict = report.verdict
    if verdict is None:
        return comparability_sentence(report, language)
    if report.comparability.standing is PairStanding.NOT_COMPARABLE:
        return _not_comparable(report, language)
    if verdict.reason.code == "pair_cannot_be_shown":
        return _cannot_be_shown(report, language)
    lead = next((goal for goal in report.goals if goal.id == verdict.lead), None)
    if lead is None:
        return say(verdict.reason, language)
    sentences = [goal_sentence(report, lead, language), _other_goals(report, lead, language)]
    if outcome_code(lead) == VerdictWord.NOT_COMPARABLE:
        sentences.append(_(messages.MEASURE_AGAIN, language))
    unproven = [
        goal_name(goal, language)
        for goal in report.goals
        if any(reason.code == "completeness_not_witnessed" for reason in goal.reservations)
    ]
    if unproven:
        names = _fold(messages.LIST, dict.fromkeys(unproven), language)
        sentences.append(_(messages.UNWITNESSED, language, names=names))
    sentences.append(_provided(report, language))
    return join(sentences, language)


def _other_goals(report: Report, lead: GoalRow, language: Language) -> str:
    """The other goals that share the deciding outcome: three, and how many more; by id where words do not tell them."""
    others = [goal for goal in report.goals if outcome_code(goal) == outcome_code(lead) and goal.id != lead.id]
    pattern = messages.OTHERS.get(outcome_code(lead))
    if pattern is None or not others:
        return ""
    told = Counter(goal_text(goal, language) for goal in report.goals)
    texts = [goal_text(goal, language) for goal in others[:_SHOWN_GOALS]]
    names = (text if told[text] == 1 else goal.id for text, goal in zip(texts, others, strict=False))
    shown, rest = _fold(messages.LIST, names, language), len(others) - _SHOWN_GOALS
    return _(pattern, language, goals=_plural(messages.NAMES_MORE, rest, language, names=shown) if rest > 0 else shown)


def _provided(report: Report, language: Language) -> str:
    """The declarations that the verdict rests on."""
    used = [row.key for row in report.contract.declared if row.used] if report.contract else []
    if not used:
        return ""
    against = {row.key: row.reason for row in report.comparability.rows if row.reason.code in messages.AGAINST}
    names = (
        _declared_fact(against[key], language) if key in against else fact_title(key, language)
        for key in dict.fromkeys(used)
    )
    keys = _fold(messages.LIST, names, language)
    return _(messages.PROVIDED, language, keys=keys)


def _declared_fact(reason: Reason, language: Language) -> str:
    """A declared fact with what the captures show against it."""
    shown = {side: reason.arg(side) for side in ("before", "after")}
    return _(messages.AGAINST[reason.code], language, key=fact_title(reason.arg("key"), language), **shown)


def deciding(report: Report) -> tuple[SettingRow, ...]:
    """The compared facts that forbid a verdict: the blocking ones, or the unknown ones where nothing blocks."""
    blocking = tuple(row for row in report.comparability.rows if row.blocks_all and row.standing is Standing.BLOCKING)
    if blocking or report.comparability.standing is PairStanding.NOT_COMPARABLE:
        return blocking
    return tuple(row for row in report.comparability.rows if row.blocks_all and row.standing is Standing.UNKNOWN)


def _facts(rows: tuple[SettingRow, ...], language: Language) -> str:
    """The deciding facts with both values; two in full, the rest counted."""
    shown = _fold(messages.SERIES, (_fact(row, language) for row in rows[:_SHOWN_FACTS]), language)
    if len(rows) <= _SHOWN_FACTS:
        return shown
    return _plural(messages.AND_MORE, len(rows) - _SHOWN_FACTS, language, facts=shown)


def _fact(row: SettingRow, language: Language) -> str:
    """One deciding fact: both values, or what is not recorded, or its own sentence."""
    key = fact_title(row.spelling, language)
    if not row.reason.code.startswith(_WITH_VALUES):
        return clause(row.reason, language)
    if row.before is None or row.after is None:
        where = "both" if row.before is row.after else "before" if row.before is None else "after"
        return _(messages.NOT_RECORDED_IN[where], language, key=key)
    before, after = (setting_value(value, language) for value in (row.before, row.after))
    if row.before == row.after:
        return clause(row.reason, language)
    return _(messages.BOTH_VALUES, language, key=key, before=before, after=after)


def _not_comparable(report: Report, language: Language) -> str:
    """What differs, that no verdict is given, and how to get one."""
    rows = deciding(report)
    if not rows:
        return _bare(report, language)
    same = tuple(row for row in rows if row.key == "same_capture")
    work = tuple(row for row in rows if _of_workload(row))
    rows = same or (*work, *(row for row in rows if row not in work))
    kind = "same" if same else "workload" if work else "settings"
    if kind != "same" and not any(permitted.may_be_allowed(row) for row in rows):
        kind += "_fixed"
    facts = _capital(_(messages.NOT_COMPARABLE[kind], language, facts=_facts(rows, language)))
    return join((facts, _(messages.NO_VERDICT, language), to_get_one(report, language)), language)


def _of_workload(row: SettingRow) -> bool:
    """Whether a fact is about which work was done."""
    return row.reason.code.startswith("workload_") or row.key in ("batch_size", "dtype")


def to_get_one(report: Report, language: Language) -> str:
    """What helps against the facts that forbid a comparison: only what can lift them is offered.

    Empty where nothing blocks everything.
    """
    rows = deciding(report)
    if not any(row.standing is Standing.BLOCKING for row in rows):
        return ""
    if any(row.key == "same_capture" for row in rows):
        return _(messages.TO_GET_ONE["same"], language)
    others = [row for row in rows if not _of_workload(row)]
    free = [row for row in others if permitted.may_be_allowed(row)]
    fixed = [row for row in others if row not in free]
    if len(others) < len(rows):
        kind = "workload" if not others else "workload_mixed" if not fixed else "workload_fixed"
    else:
        kind = "settings" if not fixed else "mixed" if free else "fixed"
    values = {"keys": fact_names(free, language), "fixed": fact_names(fixed, language)}
    open_ = [row for row in report.comparability.rows if row.blocks_all and row.standing is Standing.UNKNOWN]
    left = _(messages.STILL_UNKNOWN, language, keys=fact_names(open_, language)) if free and open_ else ""
    return join((_(messages.TO_GET_ONE[kind], language, **values), left), language)


def fact_names(rows: Iterable[SettingRow], language: Language) -> str:
    """Titles of facts, three of them and how many more; each once."""
    names = list(dict.fromkeys(fact_title(row.spelling, language) for row in rows))
    shown, rest = listed(names[:_SHOWN_NAMES], language), len(names) - _SHOWN_NAMES
    return _plural(messages.NAMES_MORE, rest, language, names=shown) if rest > 0 else shown


def _cannot_be_shown(report: Report, language: Language) -> str:
    """What is not recorded, and how to supply it; nobody is told to declare what nobody may declare."""
    rows = deciding(report)
    if not rows:
        return _bare(report, language)
    facts = _(messages.CANNOT_BE_SHOWN, language, facts=_facts(rows, language))
    fixed = [row for row in rows if not permitted.may_be_declared(row.key, row.reason.code)]
    kind = "declare" if not fixed else "mixed" if len(fixed) < len(rows) else "fixed"
    remedy = _(messages.REMEDIES[kind], language, fixed=fact_names(fixed, language))
    return join((facts, remedy, _no_value(report, language)), language)


def _no_value(report: Report, language: Language) -> str:
    """The first goal whose value the captures cannot have, which no declaration supplies, and what would."""
    for goal in report.goals:
        if isinstance(goal.value, Missing) and goal.value.remedy is not None:
            lacking = _(
                messages.NO_VALUE[goal.subject],
                language,
                metric=goal_name(goal, language),
                why=clause(goal.value.reason, language),
            )
            return join((_capital(lacking), say(goal.value.remedy, language)), language)
    return ""


def _bare(report: Report, language: Language) -> str:
    """The verdict's own reason, where no compared fact carries it."""
    return say(report.verdict.reason, language) if report.verdict else ""


def verdict_rule(report: Report, language: Language) -> str:
    """The small line under the verdict: decision rule, where the limit stands, how the value was measured."""
    contract, verdict = report.contract, report.verdict
    if contract is None or verdict is None:
        return ""
    sentences = [_(messages.RULES[contract.decision_rule], language)]
    lead = next((goal for goal in report.goals if goal.id == verdict.lead), None)
    if report.comparability.standing is PairStanding.NOT_COMPARABLE:
        return sentences[0]
    if contract.reference:
        place = lead.clause if lead else ""
        source = messages.LIMIT_FROM[_clause_form(place)]
        sentences.append(_(source, language, contract=contract.reference, clause=place))
    if lead and lead.measured_outside:
        sentences.append(_(messages.MEASURED["outside"], language))
    elif lead and isinstance(lead.value, Number):
        sentences.append(_(messages.MEASURED["profile"], language, how=_how(report, lead, language)))
    return join(sentences, language)


def _how(report: Report, goal: GoalRow, language: Language) -> str:
    """Statistic, basis and rank of a goal's value."""
    parts = [statistic_word(goal.statistic, language)]
    if goal.basis:
        parts.append(basis_word(goal.basis, language))
    ranks = {row.rank for row in report.metrics if row.metric == goal.metric and row.part == goal.part}
    if goal.rank is not None:
        pattern = messages.WORST_OF if len(ranks) > 1 else messages.ONE_RANK
        parts.append(_(pattern, language, rank=str(goal.rank), ranks=str(len(ranks))))
    row = spread.of_goal(report.metrics, goal)
    if row is not None and row.spread_after is not None:
        parts.append(spread.words(row, language)[-1])
    return _fold(messages.LIST, parts, language)


def verdict_subline(report: Report, language: Language) -> tuple[str, ...]:
    """The lines under the verdict's word: goals, reservations, declarations; one text each."""
    verdict = report.verdict
    if verdict is None:
        return ()
    lines = [_goals_line(report, verdict, language)]
    if verdict.reservations:
        lines.append(_plural(messages.RESERVATIONS, verdict.reservations, language))
    if verdict.declarations:
        lines.append(_plural(messages.DECLARATIONS, verdict.declarations, language))
    return tuple(lines)


def _goals_line(report: Report, verdict: VerdictBlock, language: Language) -> str:
    """How many goals had the deciding outcome."""
    if report.comparability.standing is PairStanding.NOT_COMPARABLE or not verdict.goals:
        return _(messages.NO_GOAL_JUDGED, language)
    bad = {
        VerdictWord.NOT_MET: verdict.not_met,
        VerdictWord.NOT_COMPARABLE: sum(outcome_code(goal) == VerdictWord.NOT_COMPARABLE for goal in report.goals),
        VerdictWord.UNDECIDED: verdict.undecided,
    }.get(verdict.word, 0)
    if not bad and verdict.reason.code in ("accuracy_not_met", "accuracy_undecided"):
        open_ = [row for row in report.accuracy if row.outcome.value == verdict.word.value]
        return _plural(messages.ACCURACY_SUBLINES[verdict.word], len(open_), language)
    return _plural(messages.SUBLINES[verdict.word], verdict.goals, language, bad=numbers.format_count(bad))


# --------------------------------------------------------------------------------------------- comparability
def comparability_sentence(report: Report, language: Language) -> str:
    """The standing of the pair in words, with what decides it and which families are not judged."""
    block = report.comparability
    compared = sum(count for standing, count in block.counts if standing is not Standing.IDENTITY)
    values = {
        "compared": numbers.format_count(compared),
        "same": numbers.format_count(dict(block.counts)[Standing.SAME]),
        "facts": _facts(deciding(report), language),
        "others": _fold(messages.LIST, _counted(report, language), language),
    }
    standing = _(messages.COMPARABILITY[block.standing], language, **values)
    return join((standing, _blocked_families(report, language), _apart(report, language)), language)


def _apart(report: Report, language: Language) -> str:
    """In how many cases runs are not comparable, beside captures that are."""
    cases = {goal.case for goal in report.goals if goal.unlike}
    return _plural(messages.RUNS_APART, len(cases), language) if cases else ""


def _counted(report: Report, language: Language) -> list[str]:
    """How many facts are reservations, by standing, heaviest first."""
    return [
        _(messages.COUNT_OF, language, n=numbers.format_count(count), standing=standing_word(standing, language))
        for standing, count in reversed(report.comparability.counts)
        if count and standing not in (Standing.SAME, Standing.IDENTITY)
    ]


def _blocked_families(report: Report, language: Language) -> str:
    """Families that a difference forbids, where others may be compared."""
    rows = [row for row in report.comparability.rows if row.families and not row.blocks_all]
    if not rows or report.comparability.standing is PairStanding.NOT_COMPARABLE:
        return ""
    families = dict.fromkeys(family_word(family, language) for row in rows for family in row.families)
    keys = dict.fromkeys(row.spelling for row in rows)
    return _(
        messages.FAMILY_BLOCKED,
        language,
        families=_fold(messages.LIST, families, language),
        keys=_fold(messages.LIST, keys, language),
    )


def reservation_lines(report: Report, language: Language) -> tuple[str, ...]:
    """Each reservation in a line: declarations, the other compared facts, heaviest first; then those of the goals."""
    rows = [row for row in report.comparability.rows if not row.blocks_all]
    rows.sort(key=lambda row: (not row.key.startswith(_FIRST), row.standing is not Standing.DECLARED))
    goals = dict.fromkeys(
        _(messages.COLON, language, name=goal_name(goal, language), text=say(reason, language))
        for goal, reason in _of_goals(report)
    )
    return (*(_reservation(row, language) for row in rows), *goals)


def _of_goals(report: Report) -> Iterator[tuple[GoalRow, Reason]]:
    """What goals carry beyond the compared facts; that two cases rest on one file is said once, by the first of them.

    That sentence names the other case, and the name of the goal its own.
    """
    told = {row.reason for row in report.comparability.rows}
    files = set()
    for goal in report.goals:
        for reason in goal.reservations:
            shared = reason.code == "log_of_two_cases"
            if reason in told or (shared and reason.arg("file") in files):
                continue
            if shared:
                files.add(reason.arg("file"))
            yield goal, reason


def goal_reservations(report: Report, language: Language) -> str:
    """The reservations that goals carry beyond the compared facts, each with its goal; empty without one."""
    found = dict.fromkeys(
        _(messages.COLON, language, name=goal_name(goal, language), text=clause(reason, language))
        for goal, reason in _of_goals(report)
    )
    if not found:
        return ""
    named = _fold(messages.SERIES, list(found)[:_SHOWN_FACTS], language)
    if len(found) > _SHOWN_FACTS:
        named = _plural(messages.AND_MORE, len(found) - _SHOWN_FACTS, language, facts=named)
    return _plural(messages.GOAL_RESERVATIONS, len(found), language, reservations=named)


def gathered(doubts: Iterable[tuple[str, Reason]], language: Language) -> tuple[tuple[tuple[str, ...], str], ...]:
    """Doubts of many values, each sentence once with what it is said of: ((names, sentence), ...).

    Args:
        doubts: (name of the value, its doubt). Correlations of several values stand in one sentence by their range.
        language: language.
    """
    groups: dict[tuple[str, tuple[tuple[str, str], ...]], tuple[dict[str, None], list[Reason]]] = {}
    for name, reason in doubts:
        kept = tuple(arg for arg in reason.args if arg[0] != "rho")
        names, reasons = groups.setdefault((reason.code, kept), ({}, []))
        names.setdefault(name)
        reasons.append(reason)
    found = []
    for names, reasons in groups.values():
        rhos = sorted({reason.arg("rho") for reason in reasons} - {""})
        first = reasons[0]
        if len(rhos) > 1:
            first = Reason.of(first.code, **{**dict(first.args), "rho": f"{rhos[0]} ... {rhos[-1]}"})
        found.append((tuple(names), say(first, language)))
    return tuple(found)


def equal_facts(rows: Iterable[SettingRow], language: Language) -> tuple[tuple[str, str | None], ...]:
    """Facts that are equal on both sides, each once: (key, value).

    A key that holds several values has its place behind it, so that ``devices`` of two files are no contradiction.
    Values that are equal within a tolerance only are both given, BEFORE's first.
    """
    found = _equal_together(rows, language)
    keys = [key for key, _value in found]
    return tuple(
        (
            _(
                messages.PARENTHESES,
                language,
                text=key,
                more=listed((place_text(p, language) for p in dict.fromkeys(places)), language),
            )
            if keys.count(key) > 1 and any(places)
            else key,
            value,
        )
        for (key, value), places in found.items()
    )


def equal_counts(rows: Iterable[SettingRow], language: Language) -> tuple[int, ...]:
    """How many of the rows each line of ``equal_facts`` holds."""
    return tuple(map(len, _equal_together(rows, language).values()))


def _equal_together(rows: Iterable[SettingRow], language: Language) -> dict[tuple[str, str | None], list[str]]:
    """Key and value -> the place of each row that has them."""
    found: dict[tuple[str, str | None], list[str]] = {}
    for row in rows:
        found.setdefault((row.spelling, _equal_value(row, language)), []).append(row.place)
    return found


def told_by_place(rows: Sequence[SettingRow], language: Language) -> tuple[str, ...]:
    """The keys of rows, in their order; of a key with several rows each has its place behind it."""
    keys = Counter(row.spelling for row in rows)
    return tuple(
        _(messages.PARENTHESES, language, text=row.spelling, more=place_text(row.place, language))
        if keys[row.spelling] > 1 and row.place
        else row.spelling
        for row in rows
    )


def _equal_value(row: SettingRow, language: Language) -> str | None:
    """The value of an equal fact; both where they are equal within a tolerance, or by another spelling."""
    if row.before == row.after:
        return row.before
    before, after = (setting_value(value, language) for value in (row.before, row.after))
    return _(messages.EQUAL_VALUES, language, before=before, after=after)


def reason_and_effect(row: SettingRow, language: Language) -> tuple[str, ...]:
    """Why a compared fact stands as it does, then its effect; only one of them where it says both."""
    said, effect = say(row.reason, language), in_language(row.why, language)
    if row.reason.code in _DECLARED or not effect:
        return (said,)
    return (effect,) if row.reason.code in _SAID_BY_EFFECT else (said, effect)


def _reservation(row: SettingRow, language: Language) -> str:
    """One reservation: the values of a setting, then the effect or the reason."""
    key = fact_title(row.spelling, language)
    if row.reason.code in _DECLARED:  # it names the key itself
        return say(row.reason, language)
    effect = in_language(row.why, language) or say(row.reason, language)
    if not row.reason.code.startswith(_WITH_VALUES) or row.before == row.after:
        return _(messages.COLON, language, name=key, text=effect)
    before, after = (setting_value(value, language) for value in (row.before, row.after))
    form = "before" if row.before is None else "after" if row.after is None else "both"
    return join((_(messages.RESERVATION[form], language, key=key, before=before, after=after), effect), language)


# --------------------------------------------------------------------------------------------- gaps, glossary
def gap_title(gap: GapRow, language: Language) -> str:
    """Title of a gap: as the evidence words it, or the metric or key that its id names."""
    if gap.title:
        return in_language(gap.title, language)
    kind, _colon, rest = gap.id.partition(":")
    if kind == "metric":
        metric, _colon, place = rest.partition(":")
        part, _colon, sides = place.rpartition(":")
        return _(messages.GAP_SIDES[sides], language, title=metric_title(metric, language, part))
    if kind == "setting":
        return fact_title(rest, language)
    if kind == "outside":
        key = "unprofiled_step_time" if rest == "step_time" else rest
        return fact_title(key, language) if key in messages.FACTS else metric_title(key, language)
    return fact_title(gap.id, language)


def glossary(language: Language) -> tuple[Term, ...]:
    """Every metric with its definition and formula, then the terms of the method."""
    metrics = tuple(
        Term(id=metric, title=metric_title(metric, language), text=_(text, language), formula=formula)
        for metric, (text, formula) in messages.GLOSSARY.items()
    )
    terms = tuple(
        Term(id=term, title=_(title, language), text=_(text, language), formula="")
        for term, (title, text) in messages.TERMS.items()
    )
    return (*metrics, *terms)
