"""What every page of the report shares: the context, values as cells, and where a number comes from.

The rooms above turn the ``Report`` into texts for the templates; the templates compute nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from reportgen.model import Missing, Origin, PairStanding
from reportgen.report import numbers, wording
from reportgen.report.document import MetricRow, Number, Report, SideValue, Value
from reportgen.report.translations import NBSP, bind, translator

Row = TypeVar("Row")
Edition = Literal["screen", "paper"]
"""The HTML file, which holds everything; the PDF, whose long tables are cut."""
DIFFERING, EQUAL, IDENTITY, UNREAD = 40, 30, 12, 10
"""Compared facts and unread files in the PDF; of the identities the HTML shows no more either."""
OPERATORS, FILES = 25, 60
"""Operator types and files in the PDF."""
KEY, VALUE, TEXT = 90, 120, 400
"""Characters of a name, of a recorded value and of a passage in the PDF; the middle of a longer one is left out."""
STOPS = ".。!?！？"
"""What ends a sentence."""
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
        standing = self.report.comparability.standing
        return standing is not PairStanding.NOT_COMPARABLE or self.report.contract is None

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
    digest: str
    """Its SHA-256."""
    locator: str
    """Places in it."""
    formula: str
    """Rules."""


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
    """The reason for that."""
    turn: Literal["less", "more", ""]
    """Direction of the change."""
    strong: bool
    """The rank that page one and the goals look at, when there are several."""
    where: tuple[Where, ...]
    """Origins, BEFORE first."""
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
    ids = dict.fromkeys(o for value in values if isinstance(value, Number) for o in value.origins)
    files: dict[tuple[str, str], list[str]] = {}
    for identity in ids:
        found = context.origins[identity]
        files.setdefault((found.file, found.digest), []).append(identity)
    return tuple(
        Where(
            id=", ".join(group),
            file=file,
            digest=digest,
            locator=context.series(dict.fromkeys(context.origins[identity].locator for identity in group)),
            formula=context.series(dict.fromkeys(filter(None, (context.origins[i].formula for i in group)))),
        )
        for (file, digest), group in files.items()
    )


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
    texts = numbers.metric_texts(row, context.language)
    name = wording.metric_title(row.metric, context.language, row.part)
    several = ranks(context.report) > 1
    if several and row.rank is not None:
        name = context.text("%(name)s, %(rank)s", name=name, rank=rank_words(context, row.rank))
    share = texts.unit == "%"
    blocked = context.series(wording.clause(reason, context.language) for reason in row.blocked)
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
        why=blocked or wording.say(row.reason, context.language),
        turn=turn_of(row.delta),
        strong=row.worst and several,
        where=whence(context, (row.before.value, row.after.value)),
        notes=_notes(context, row),
        row=row,
    )


def told_word(context: Context, row: MetricRow) -> str:
    """Whether a difference is demonstrated; for what is counted, whether it is equal; nothing where it is blocked."""
    if row.blocked:
        return context.text("no verdict")
    if row.exact and row.reason.code.startswith("exact_"):
        return context.text("equal") if row.reason.code == "exact_equal" else context.text("different")
    return wording.distinguishable_word(row.distinguishable, context.language)


def _interval_word(context: Context, row: MetricRow, texts: numbers.RowTexts) -> str:
    """The interval of the change; the word for what is exact; ``none`` where none can be stated."""
    if row.exact:
        return wording.counted_word(row.family, context.language)
    return texts.change_interval or ratio_interval(row) or context.text("none")


def ratio_interval(row: MetricRow) -> str:
    """The interval of AFTER / BEFORE as it is, for shares, whose difference is in points; empty without one."""
    if row.interval is None:
        return ""
    ends = (row.interval.low.quantity, row.interval.high.quantity)
    return f"×{NBSP}{numbers.format_interval(*(numbers.format_ratio(end) for end in ends))}"


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


# ------------------------------------------------------------------------------------------- a section's own rows
def main_rank(context: Context) -> int | None:
    """The rank that page one looks at; the first where no step tells one."""
    rows = context.report.metrics
    whole = next((row for row in rows if row.metric in ("step_time", "device_span") and row.worst), None)
    return whole.rank if whole is not None else rows[0].rank if rows else None


def rows_of(context: Context, metrics: Sequence[str]) -> tuple[MetricRow, ...]:
    """The rows of these metrics in the order of the report: on screen of all ranks, on paper of the main one."""
    found = tuple(row for row in context.report.metrics if row.metric in metrics)
    of_main = tuple(row for row in found if row.rank == main_rank(context))
    return (of_main or found) if context.paper else found


def has_value(row: MetricRow) -> bool:
    """Whether a side has a value."""
    return isinstance(row.before.value, Number) or isinstance(row.after.value, Number)


def _both_sides(row: MetricRow) -> tuple[tuple[str, SideValue], ...]:
    return ("BEFORE", row.before), ("AFTER", row.after)


def measured_from(context: Context, rows: Sequence[MetricRow]) -> str:
    """Which kind of file the values come from; empty without a value."""
    before, after = (
        tuple(dict.fromkeys(side.source for side in sides if side.source))
        for sides in ([row.before for row in rows], [row.after for row in rows])
    )
    return wording.measured_from(before, after, context.language)


def lacking(context: Context, rows: Sequence[MetricRow]) -> tuple[str, ...]:
    """What a section could not measure: a sentence for each reason, with the option that would supply it."""
    found: dict[tuple[str, str], tuple[dict[str, None], dict[str, None]]] = {}
    for row in rows:
        for name, side in _both_sides(row):
            if isinstance(side.value, Missing) and side.value.reason.code != "part_not_on_this_side":
                said = [side.value.reason, *([side.value.remedy] if side.value.remedy else [])]
                text = context.sentences(wording.say(reason, context.language) for reason in said)
                titles, sides = found.setdefault((wording.missing_word(side.value, context.language), text), ({}, {}))
                titles.setdefault(wording.metric_title(row.metric, context.language, row.part))
                sides.setdefault(name)
    whole = not any(has_value(row) for row in rows)
    return tuple(
        context.text(
            "%(what)s: %(word)s. %(text)s",
            what=wording.both_words(sides, context.language) if whole else _of_sides(context, titles, sides),
            word=word,
            text=text,
        )
        for (word, text), (titles, sides) in found.items()
    )


def _of_sides(context: Context, titles: Iterable[str], sides: Iterable[str]) -> str:
    """Metrics with the sides that lack them."""
    names = wording.listed(titles, context.language)
    return context.text("%(names)s, %(sides)s", names=names, sides=wording.both_words(sides, context.language))


def doubts(context: Context, rows: Sequence[MetricRow]) -> tuple[str, ...]:
    """What is to be known of the values, each once, with the sides it holds for."""
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        for name, side in _both_sides(row):
            for reason in side.warnings:
                found.setdefault(wording.say(reason, context.language), {}).setdefault(name)
    return tuple(
        context.text("%(sides)s: %(text)s", sides=wording.both_words(sides, context.language), text=text)
        for text, sides in found.items()
    )
