"""What every page of the report shares: the context, values as cells, and where a number comes from.

The rooms above turn the ``Report`` into texts for the templates; the templates compute nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeVar

from reportgen.model import Origin, Side
from reportgen.report import numbers, said_statistics, spread, wording
from reportgen.report.document import MetricRow, Number, Report, Value
from reportgen.report.places import formula_text, locator_text
from reportgen.report.translations import NBSP, bind, translator

Row = TypeVar("Row")
Edition = Literal["screen", "paper"]
"""The HTML file, which holds everything; the PDF, whose long tables are cut."""
DIFFERING, EQUAL, IDENTITY, UNREAD = 40, 30, 12, 10
"""Compared facts and unread files in the PDF."""
OPERATORS, FILES = 25, 40
"""Operator types and files in the PDF."""
KEY, VALUE, TEXT = 90, 120, 400
"""Characters of a name, of a recorded value and of a passage in the PDF; the middle of a longer one is left out."""
STOPS = ".。!?！？"
"""What ends a sentence."""
TOLD_BY_FIGURES = ("interval_excludes_one", "interval_includes_one", "exact_equal", "exact_differs", "values_missing")
"""Reasons that the figures of a line tell by themselves."""
SHORT_DIGEST = 16
"""Digits of a digest where it only tells captures apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The report, its language and its edition."""

    report: Report
    """The data."""
    language: str
    """``zh`` or ``en``."""
    edition: Edition
    """Which of the two documents is made."""
    sections: dict[str, int]
    """Section id -> number, consecutive from 1."""
    origins: dict[str, Origin]
    """By id."""
    anchors: dict[str, str] = field(default_factory=dict)
    """SHA-256 -> anchor of the first file of the manifest that has it."""
    alike: dict[tuple[str, str], numbers.RowTexts | None] = field(default_factory=dict)
    """(metric, part) -> unit and decimals that its rows of all ranks share; filled as lines are made."""

    def text(self, message: str, **values: object) -> str:
        """A message in the report's language."""
        found = translator(self.language).gettext(message)
        return bind(found % values, self.language)

    def series(self, items: Iterable[str]) -> str:
        """Phrases in a row, parted by semicolons."""
        return ("；" if self.language == "zh" else "; ").join(items)

    @property
    def comparing(self) -> bool:
        """Whether changes may be printed: without a target always (each row is marked), else only when comparable."""
        return not self.alone and not wording.are_apart(self.report)

    @property
    def alone(self) -> bool:
        """Whether there is no BEFORE, since none was agreed."""
        return all(capture.side is Side.AFTER for capture in self.report.captures)

    @property
    def judging(self) -> bool:
        """Whether goals have outcomes: always but in a pair that is not comparable."""
        return self.alone or self.comparing

    @property
    def no_figure(self) -> str:
        """What stands where a figure of both sides cannot be."""
        if self.alone:
            return self.text("No figure: no BEFORE was agreed.")
        return self.text("No figure: the two sides are not comparable.")

    def sentences(self, texts: Iterable[str]) -> str:
        """Sentences in a row, each once, with a full stop where one lacks it."""
        stop = "。" if self.language == "zh" else "."
        shown = dict.fromkeys(filter(None, (one.strip() for one in texts)))
        return wording.join((one if one[-1] in STOPS else one + stop for one in shown), self.language)

    def fit(self, text: str, length: int) -> str:
        """The text on screen; on paper its middle is left out beyond ``length`` characters."""
        return elided(text, length) if self.paper else text

    @property
    def paper(self) -> bool:
        """Whether this is the PDF."""
        return self.edition == "paper"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A figure in a table, or the word in its place."""

    text: str
    """As printed."""
    missing: bool = False
    """Whether it is such a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Where a number comes from."""

    id: str
    """Ids of the origins."""
    file: str
    """File."""
    short: str
    """Its first and last name, where the manifest has it in full."""
    digest: str
    """Its SHA-256."""
    anchor: str
    """Its line in the manifest, which holds the digest; empty when it is not listed there."""
    locator: str
    """Places in it; columns that are those of the entry before are called the same."""
    formula: str
    """Rules; empty when they are those of the entry before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """How much of a long table is shown."""

    shown: int
    """Rows shown."""
    rest: int
    """Rows left out; they are in report.json."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One metric on one line."""

    id: str
    """``M1`` ..."""
    name: str
    """Metric, component and rank."""
    unit: str
    """Printed unit of both values and of the delta."""
    before: Cell
    """BEFORE without unit."""
    after: Cell
    """AFTER without unit."""
    delta: str
    """Difference without unit; empty when there is none."""
    change: str
    """Relative change; for shares the unit of the difference; empty when there is none."""
    percent: bool
    """Whether ``change`` is one."""
    interval: str
    """Interval of the change, or the word for counts and peaks."""
    told: str
    """Whether a difference may be called one, or why the row gets no verdict."""
    why: str
    """The reason for that; empty where the interval or the values beside it tell it."""
    speed: str
    """Change of time and of speed, each named; empty where there is no time or it is not on page one."""
    turn: Literal["less", "more", ""]
    """Direction of the change."""
    strong: bool
    """The rank that page one and the goals look at, when there are several."""
    spread: str
    """Least and largest value over the ranks, of each side, beside the rank looked at; empty elsewhere, and on paper
    where all ranks gave the same value as printed."""
    where: tuple[Where, ...]
    """Origins, BEFORE first, then those of the spread."""
    notes: str
    """Doubts, left-out steps and failed cross-checks."""
    row: MetricRow
    """The data."""


def capped(rows: Sequence[Row], cap: int | None) -> tuple[tuple[Row, ...], Cut | None]:
    """The rows to show, and how many are left out; no cut when all are shown."""
    if cap is None or len(rows) <= cap:
        return tuple(rows), None
    return tuple(rows[:cap]), Cut(shown=cap, rest=len(rows) - cap)


def whence(context: Context, values: Iterable[Value | None]) -> tuple[Where, ...]:
    """The origins of the values in the order given; those in one file together."""
    return by_file(context, (o for value in values if isinstance(value, Number) for o in value.origins))


def by_file(context: Context, ids: Iterable[str]) -> tuple[Where, ...]:
    """Origins by their ids in the order given, each once; those in one file together."""
    files: dict[tuple[str, str], list[str]] = {}
    for identity in dict.fromkeys(ids):
        found = context.origins[identity]
        files.setdefault((found.file, found.digest), []).append(identity)
    entries: list[Where] = []
    before, known = "", ()  # type: str, tuple[str, ...]
    for (file, digest), group in files.items():
        locators = tuple(dict.fromkeys(context.origins[identity].locator for identity in group))
        formula = context.series(
            dict.fromkeys(filter(None, (formula_text(context.origins[i].formula, context.language) for i in group)))
        )
        anchor = context.anchors.get(digest, "") if digest else ""
        name = shown_file(file)
        names = name.split("/")
        entries.append(
            Where(
                id=", ".join(group),
                file=name,
                short=f"{names[0]}/.../{names[-1]}" if anchor and len(names) > 2 else name,
                digest=digest,
                anchor=anchor,
                locator=_places(context, locators, known),
                formula="" if formula == before else formula,
            )
        )
        before, known = formula, locators
    return tuple(entries)


def of_origin(context: Context, identity: str) -> Where:
    """One origin, whole, whatever stands before it."""
    found = context.origins[identity]
    anchor = context.anchors.get(found.digest, "") if found.digest else ""
    return Where(
        id=identity,
        file=shown_file(found.file),
        short=shown_file(found.file),
        digest=found.digest,
        anchor=anchor,
        locator=_places(context, (found.locator,), ()),
        formula=formula_text(found.formula, context.language),
    )


def shown_file(file: str) -> str:
    """The file of an origin as printed: without the mark that tells the target's file from those of captures."""
    return file.removeprefix("target:")


def _places(context: Context, locators: Sequence[str], known: Sequence[str]) -> str:
    """Places in a file; what the entry before it names as well is not named again.

    Args:
        context: the context.
        locators: of this file.
        known: those of the entry before.
    """
    if locators == known:
        return context.text("same place")
    before = known[0].partition("; ")[0] if len(known) == 1 else ""
    places: dict[str, list[str]] = {}
    for locator in locators:
        first, _, rest = locator.partition("; ")
        places.setdefault(rest, []).append(first)
    found = []
    for rest, firsts in places.items():
        if rest and firsts == [before] and before.startswith(("column ", "columns ")):
            shown = context.text("same columns")
        else:
            shown = ", ".join(locator_text(first, context.language) for first in firsts)
        found.append("; ".join(filter(None, (shown, locator_text(rest, context.language)))))
    return context.series(found)


def cell(context: Context, value: Value | None, text: str) -> Cell:
    """The text of a number, or the word for what is missing."""
    if isinstance(value, Number):
        return Cell(text=text)
    word = "–" if value is None else wording.missing_word(value, context.language)
    return Cell(text=word, missing=True)


def rank_words(context: Context, rank: int | None) -> str:
    """``rank 3``; empty where no rank is recorded."""
    return "" if rank is None else context.text("rank %(rank)s", rank=rank).replace(" ", NBSP)


def ranks(report: Report) -> int:
    """How many ranks the metrics speak of."""
    return len({row.rank for row in report.metrics})


def elided(text: str, length: int) -> str:
    """The text, its middle left out when it has more characters than ``length``."""
    if len(text) <= length:
        return text
    return f"{text[: length // 2 - 1]}...{text[len(text) - length // 2 + 2 :]}"


def turn_of(value: Value) -> Literal["less", "more", ""]:
    """Direction of a difference."""
    if not isinstance(value, Number) or value.quantity.value == 0:
        return ""
    return "less" if value.quantity.value < 0 else "more"


def line(context: Context, row: MetricRow) -> Line:
    """One metric on one line."""
    key = (row.metric, row.part)
    if key not in context.alike:
        rows = [one for one in context.report.metrics if (one.metric, one.part) == key]
        context.alike[key] = numbers.shared_texts(rows, context.language) if len(rows) > 1 else None
    texts = numbers.metric_texts(row, context.language, like=context.alike[key])
    name = wording.metric_title(row.metric, context.language, row.part)
    several = ranks(context.report) > 1
    if several and row.rank is not None:
        name = context.text("%(name)s, %(rank)s", name=name, rank=rank_words(context, row.rank))
    share = texts.unit == "%"
    # On screen every rank has its row: with two of them the spread would only repeat both.
    apart = context.paper or ranks(context.report) > 2
    told_below = context.paper and spread.even(row, context.language)  # once for all, below the table
    blocked = context.series(wording.clause(reason, context.language) for reason in row.blocked)
    if wording.is_blocked(context.report, row):
        texts = texts.alone()
    return Line(
        id=row.id,
        name=name,
        unit=texts.unit or ("1" if texts.before or texts.after else "–"),
        before=cell(context, row.before.value, texts.before),
        after=cell(context, row.after.value, texts.after),
        delta=texts.delta,
        change=texts.change or (texts.delta_unit if share and texts.delta else ""),
        percent=bool(texts.change),
        interval=_interval_word(context, row, texts),
        told=told_word(context, row),
        why=blocked or _why(context, row),
        speed="" if blocked else said_statistics.speed_text(row.change, row.speed, context.language),
        turn=turn_of(row.delta) if row.distinguishable == "yes" and not row.blocked else "",
        strong=row.worst and several,
        spread=context.series(spread.words(row, context.language)) if apart and not told_below else "",
        where=whence(
            context,
            (row.before.value, row.after.value, *_known(context, row), *(spread.figures(row) if apart else ())),
        ),
        notes=_notes(context, row),
        row=row,
    )


def _why(context: Context, row: MetricRow) -> str:
    """How the word of a row was decided, where its figures do not tell: reason, known spread, agreed band."""
    said = [] if row.reason.code in TOLD_BY_FIGURES else [wording.say(row.reason, context.language)]
    said.append(said_statistics.held(context.report, row, context.language))
    if row.equivalence is not None:
        said.append(said_statistics.equivalence_figures(row.equivalence, context.language))
        said.append(wording.say(row.equivalence.reason, context.language))
    return wording.join(dict.fromkeys(filter(None, said)), context.language)


def _known(context: Context, row: MetricRow) -> tuple[Number, ...]:
    """The agreed or measured figures that the row's intervals and its word rest on beside its values."""
    known = tuple(one.value for one in context.report.known_spreads if one.id == row.between)
    return known if row.equivalence is None else (*known, row.equivalence.band)


def told_word(context: Context, row: MetricRow, *, brief: bool = False) -> str:
    """What may be said of a row in one word, and with the reason unless brief; nothing where it is blocked."""
    return context.text("no verdict") if row.blocked else wording.status_word(row, context.language, brief=brief)


def _interval_word(context: Context, row: MetricRow, texts: numbers.RowTexts) -> str:
    """The interval of the change; the word for what is exact; ``none`` where none can be stated."""
    if row.exact:
        return wording.counted_word(row.family, context.language)
    if wording.is_blocked(context.report, row):
        return context.text("none")
    return texts.change_interval or ratio_interval(row) or context.text("none")


def ratio_interval(row: MetricRow) -> str:
    """The interval of AFTER / BEFORE as it is, for shares, whose difference is in points; empty without one."""
    if row.interval is None:
        return ""
    ends = [Fraction(end.quantity.value) for end in (row.interval.low, row.interval.high)]
    decimals = numbers.decimals_from_one(ends, 3) if row.distinguishable == "yes" else 3
    return f"×{NBSP}{numbers.format_interval(*(numbers.format_ratio(end, decimals=decimals) for end in ends))}"


def _notes(context: Context, row: MetricRow) -> str:
    """Doubts of both sides, what was left out, and cross-checks that failed."""
    found: list[str] = []
    for name, side in (("BEFORE", row.before), ("AFTER", row.after)):
        found += [f"{name}: {wording.say(reason, context.language)}" for reason in side.warnings]
        if side.dropped:
            found.append(context.text("%(side)s: steps left out: %(steps)s", side=name, steps=", ".join(side.dropped)))
        found += [
            context.text(
                "%(side)s: %(check)s: found %(found)s, expected %(expected)s",
                side=name,
                check=witness.name,
                found=numbers.format_value(witness.found.quantity, language=context.language),
                expected=numbers.format_value(witness.expected.quantity, language=context.language),
            )
            for witness in side.witnesses
            if not witness.agrees
        ]
    return context.series(found)
