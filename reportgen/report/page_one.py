"""Page one: the verdict and four questions, each within the lines that one A4 page has for it.

What is agreed, what was measured, whether it can be believed, what is not shown. Texts that come from outside are cut
to their lines here; they stand in full in the sections behind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil

from markupsafe import Markup

from reportgen.model import Missing, PairStanding, Side, Standing, VerdictWord
from reportgen.report import assured, build, changes, charts, figures, fonts, numbers, said_statistics, wording
from reportgen.report.document import (
    CaptureBlock,
    CaseRow,
    GapRow,
    GoalRow,
    MetricRow,
    Number,
    Report,
    SettingRow,
    SideValue,
    ThresholdRow,
)
from reportgen.report.translations import languages
from reportgen.report.view import (
    Cell,
    Context,
    Where,
    cell,
    elided,
    rank_words,
    ranks,
    ratio_interval,
    told_word,
    turn_of,
    whence,
)

LINE, SAY = 439.0, 395.0
"""Width of a line beside its label, and of the verdict sentence beside its mark, in pt."""
WIDE_MM, ROOM, STEP = 155.0, 268.0, 12.0
"""Width of the figure; height of the page as estimated here, a little more than it is; by how much that is lowered when
the page came out too high; in mm."""
NAME, SPARK, GAP = 92.0, 50.0, 4.6
"""Room for a metric's name in two lines, for a strip of steps, and between columns, in pt."""
ENDS = (("；", "; "), ("。", "，", ". ", ", "), (" ",))
"""Where a text that is cut ends, the best first."""
NARROW = 0.85
"""By how much names give way to the strips of steps, where the figure has no room."""
KEYS, VALUES, WHY = 88.0, 60.0, 142.0
"""Width of the columns of the table of differences (print.css), in pt."""
SAID = 4
"""Lines of the verdict sentence in its large type; a longer one is set smaller."""
KEY, VALUE = 48, 44
"""Characters of a key and of a recorded value in a sentence of page one."""
SUBTITLE, TITLE, ELIDED = 340.0, 8.6, 60.0
"""Width of the line under the title, its type size, and the least room for a directory's name in it, in pt."""
NUMBER = 70.0
"""Width of a report number that leaves the line under the title its room, in pt."""
BODY, SMALL = 9.0, 8.0
"""Type sizes of page one, in pt."""
ROWS = 6
"""Metrics on page one; goals come first."""
RESERVATIONS, BLOCKING = 2, 4
"""How many reservations, and how many blocking facts, page one names."""
MARKS = {
    VerdictWord.MET: ("met", "✓"),
    VerdictWord.NOT_MET: ("notmet", "×"),
    VerdictWord.UNDECIDED: ("undecided", "?"),
    VerdictWord.NOT_COMPARABLE: ("notcomparable", "≠"),
}
"""Class and sign of the verdict mark."""
SIGNS = {"met": "✓", "not_met": "×", "undecided": "?", "not_comparable": "≠", "not_applicable": "–"}
"""Sign before the outcome of a goal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """The verdict mark."""

    look: str
    """Class."""
    sign: str
    """Sign above the word."""
    word: str
    """Word."""
    lines: tuple[str, ...]
    """Small lines below it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadRow:
    """One metric, or one goal, of page one."""

    id: str
    """Metric row; ``goal:ID`` for a value measured outside the profile."""
    name: str
    """Name."""
    limit: Cell
    """What was agreed."""
    meaning: str
    """What its unit means, in a second line; empty where that is plain."""
    before: Cell
    """BEFORE with its unit."""
    after: Cell
    """AFTER with its unit."""
    delta: str
    """Difference with its unit."""
    change: str
    """Relative change."""
    interval: str
    """Its interval, or the word for what is exact."""
    turn: str
    """Direction of the change."""
    spark: Markup
    """Every step of both sides; empty without values."""
    sign: str
    """Sign before the outcome."""
    outcome: str
    """Outcome."""
    judged: bool
    """Whether it is a goal."""
    where: tuple[Where, ...]
    """Origins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockingRow:
    """One fact that forbids comparing, or biases it, on a page without changes."""

    key: str
    """Fact."""
    before: str
    """BEFORE."""
    after: str
    """AFTER."""
    standing: Standing
    """Standing."""
    word: str
    """Standing in words."""
    why: str
    """Effect."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOne:
    """All of page one."""

    subtitle: str
    """Project and workload."""
    number: str
    """Number of the report."""
    dated: tuple[str, ...]
    """Lines under it."""
    facts: tuple[tuple[str, str], ...]
    """(label, text): parties, contract, dates of capture."""
    mark: Mark
    """Verdict mark."""
    say: Markup
    """Verdict sentence."""
    long: bool
    """Whether it is set smaller."""
    rule: str
    """Decision rule, source of the limit and basis."""
    agreed: str
    """What was agreed; empty without a target."""
    rows: tuple[HeadRow, ...]
    """Measured."""
    more: int
    """Goals that did not fit."""
    limits: bool
    """Whether there is a target: limits and outcomes are printed."""
    comparing: bool
    """Whether changes are printed."""
    sparks: bool
    """Whether each row shows its steps."""
    stacked: bool
    """Whether the interval stands below the change."""
    figure: figures.Figure
    """Figure 1."""
    had: str
    """How the values of the goals were had, where that is the same for all, then the change of time and of speed, each
    named; in one line."""
    worse: str
    """How many figures are worse in AFTER, and which, in one line."""
    bottleneck: str
    """The main bottleneck of both sides in one line behind that; empty where there is no room for it."""
    standing: str
    """Comparability in words."""
    assured: str
    """Accuracy, and the gates that do not hold; empty without either."""
    counts: tuple[tuple[int, str], ...]
    """(facts, standing)."""
    blocking: tuple[BlockingRow, ...]
    """Facts that forbid comparing."""
    reservations: tuple[str, ...]
    """The heaviest reservations."""
    rest: int
    """Reservations, or blocking facts, that did not fit."""
    gaps: tuple[tuple[str, str], ...]
    """(heading, text) of what is not shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """What of page one fits on its sheet."""

    rows: int
    """Metrics."""
    ranks: int
    """Ranks that the figure may show; with 0 it stands in its section."""
    brief: bool
    """Whether each answer to the last question gets one line."""


def page_one(context: Context, *, tight: int = 0) -> tuple[PageOne, figures.Figure]:
    """Everything that page one prints, and the figure of the steps where page one has no room for it.

    Which rows and ranks it shows is the same in every language and in both editions.

    Args:
        context: the context.
        tight: how often the page came out too high.
    """
    one, room = _whole(context), ROOM - STEP * tight
    papers = [replace(context, language=language, edition="paper") for language in languages()]
    wholes = [one if paper == context else _whole(paper) for paper in papers]
    # The same rows and ranks in every language and edition: the strictest fit decides.
    fits = [_fit(paper, whole, room) for paper, whole in zip(papers, wholes, strict=True)]
    fit = Fit(
        rows=min(one_fit.rows for one_fit in fits),
        ranks=min(one_fit.ranks for one_fit in fits),
        brief=any(one_fit.brief for one_fit in fits),
    )
    fitted, moved = _fitted(context, one, fit)
    heights = [
        _height(_fitted(paper, whole, fit)[0]) + _text_height(wording.bottleneck_line(paper.report, paper.language))
        for paper, whole in zip(papers, wholes, strict=True)
    ]
    if max(heights) <= room:
        fitted = replace(fitted, bottleneck=wording.bottleneck_line(context.report, context.language))
    return fitted, moved


def _whole(context: Context) -> PageOne:
    """The page as if it had room for all."""
    report = _brief(context.report)
    brief = replace(context, report=report)
    rows = _rows(context)
    lines, rest = _reservations(brief)
    blocking = _blocking(brief)
    if blocking:
        lines, rest = (), max(0, len(report.comparability.rows) - len(blocking))
    contract = report.contract
    said = wording.verdict_sentence(report, context.language, marked=True) if contract else _unjudged(brief)
    return PageOne(
        subtitle=fonts.cut(_subtitle(context), SUBTITLE, TITLE),
        number=fonts.cut(contract.report_number if contract else "", 130, 10.5, "bold"),
        dated=(context.text("dated %(date)s", date=contract.issued),) if contract and contract.issued else (),
        facts=_facts(context),
        mark=_mark(context),
        say=emphasized(said),
        long=_lines(said, SAY, 10.4) > SAID,
        rule=fonts.cut(_rule(context), SAY * 2.9, SMALL),
        agreed=_agreed(context),
        rows=rows[:ROWS],
        more=max(0, len(rows) - ROWS),
        limits=contract is not None,
        comparing=context.comparing,
        sparks=any(row.spark for row in rows[:ROWS])
        and (not context.paper or _fits(rows[:ROWS], sparks=True, stacked=False)),
        stacked=context.paper and not _fits(rows[:ROWS], sparks=False, stacked=False),
        figure=figures.steps(context) if context.comparing else figures.Figure(),
        had=fonts.cut(_had(context), LINE * 0.98, SMALL),
        worse=_worse(context),
        bottleneck="",
        standing=fonts.cut(_standing(brief, blocked=bool(blocking)), LINE * 3.9, BODY),
        assured=fonts.cut(_assured(context), LINE * 1.9, BODY),
        counts=_counts(context),
        blocking=blocking,
        reservations=lines,
        rest=rest,
        gaps=_gaps(context),
    )


def _standing(context: Context, *, blocked: bool) -> str:
    """How the pair stands, then the reservations that only goals carry."""
    said = wording.comparability_sentence(context.report, context.language)
    goals = "" if blocked else wording.goal_reservations(context.report, context.language)
    return wording.join((said, goals), context.language)


def _tags(context: Context) -> set[str]:
    """How the values of the goals were had, each once."""
    return {goal.tag for goal in context.report.goals if goal.tag}


def _had(context: Context) -> str:
    """How the values of the goals were had, then the change of time and of speed of the first row that has both."""
    report, language, tags = context.report, context.language, _tags(context)
    said = []
    if len(tags) == 1 and report.goals:
        said.append(context.text("Values of the goals: %(tag)s.", tag=wording.tag_word(min(tags), language)))
    shown: tuple[GoalRow | MetricRow, ...] = (*report.goals, *build.headlines(report))
    for row in shown:
        speed = said_statistics.speed_text(row.change, row.speed, language) if context.comparing else ""
        if speed:
            title = wording.metric_title(row.metric, language, row.part)
            said.append(context.text("Change of %(name)s: %(speed)s.", name=title, speed=speed))
            break
    if context.judging and any(wording.estimate_sentence(goal, language) for goal in report.goals):
        section = context.sections["measurements"]
        said.append(context.text("Judged ratios: section %(section)s.", section=section))
    return wording.join(said, language)


def _worse(context: Context) -> str:
    """What is worse in AFTER, in two lines at most; nothing of an AFTER that stands alone."""
    if context.alone:
        return ""
    said = changes.worse_line(context.report, context.language, str(context.sections.get("elsewhere", "")))
    return fonts.cut(said, LINE * 1.9, BODY)


def _assured(context: Context) -> str:
    """Accuracy in one line, then the gates that do not hold."""
    report, language = context.report, context.language
    gates = assured.gates_line(report, language, str(context.sections.get("gates", "")))
    return wording.join((assured.accuracy_line(report, language), gates), language)


def _counts(context: Context) -> tuple[tuple[int, str], ...]:
    """Compared facts by standing."""
    counts = context.report.comparability.counts
    shown = [(standing, count) for standing, count in counts if standing is not Standing.IDENTITY]
    return tuple((count, wording.standing_word(standing, context.language)) for standing, count in shown)


def _fit(context: Context, one: PageOne, room: float) -> Fit:
    """What of a page fits on one sheet, in its language.

    The figure shows the worst rank alone; then metrics without a goal give way to it; where that is not enough it goes
    to its section; then each answer to the last question gets one line; then metrics without a goal are left out.
    """
    fit = Fit(rows=len(one.rows), ranks=figures.SHOWN_RANKS, brief=False)
    if _height(one) > room and one.figure.build:
        fit = replace(fit, ranks=1)
        fewer = _fewer_rows(_fitted(context, one, fit)[0], room)
        fit = replace(fit, rows=len(fewer.rows)) if _height(fewer) <= room else replace(fit, ranks=0)
    fit = replace(fit, brief=_height(_fitted(context, one, fit)[0]) > room)
    return replace(fit, rows=len(_fewer_rows(_fitted(context, one, fit)[0], room).rows)) if fit.brief else fit


def _fewer_rows(one: PageOne, room: float) -> PageOne:
    """The page without so many of its last metrics that have no goal as it takes to fit; one row stays.

    Where the page is brief already, the last goals give way too that are met, which the verdict counts.
    """
    brief = all(_lines(f"{head} {text}", LINE, BODY) == 1 for head, text in one.gaps)
    while _height(one) > room and len(one.rows) > 1:
        last = one.rows[-1]
        if last.judged and not (brief and last.sign == SIGNS["met"]):
            break
        one = replace(one, rows=one.rows[:-1])
    return one


def _fitted(context: Context, one: PageOne, fit: Fit) -> tuple[PageOne, figures.Figure]:
    """The page with what fits, and its figure where that has to go to its section."""
    moved = figures.Figure()
    if one.figure.build and fit.ranks == 0:
        moved = one.figure
        away = context.text("Steps drawn in section %(section)s.", section=context.sections["breakdown"])
        one = replace(one, figure=figures.Figure(instead=away))
        small = any(row.spark for row in one.rows)
        if context.paper and small and not one.sparks and _fits(one.rows, sparks=True, stacked=True):
            one = replace(one, sparks=True, stacked=True)  # the steps in small where the figure has no room
    elif one.figure.build and fit.ranks < figures.SHOWN_RANKS:
        one = replace(one, figure=figures.steps(context, shown=fit.ranks))
    if fit.brief:
        one = replace(one, gaps=tuple((head, _line(head, text)) for head, text in one.gaps))
    return replace(one, rows=one.rows[: fit.rows], more=one.more + max(0, len(one.rows) - fit.rows)), moved


def _line(head: str, text: str) -> str:
    """What of a text fits beside its head on one line, cut where an item, a clause or else a word ends."""
    room = LINE * 0.93 - fonts.width(head, BODY, "bold")
    whole = fonts.cut(text, room, BODY)
    if whole == text:
        return text
    kept = whole.removesuffix("...")
    ends = (max(kept.rfind(mark) + len(mark) for mark in marks if mark in kept) for marks in ENDS if _has(kept, marks))
    end = next((end for end in ends if end > len(kept) / 2), len(kept))
    return f"{kept[:end].rstrip()} ..." if kept[:end].endswith(" ") else f"{kept[:end]}..."


def _has(text: str, marks: Iterable[str]) -> bool:
    return any(mark in text for mark in marks)


def _lines(text: str, room: float, size: float) -> int:
    """How many lines a text takes; a line holds a little less than its width."""
    return max(1, ceil(fonts.width(text.replace("**", ""), size) / (room * 0.98)))


def _height(one: PageOne) -> float:
    """How high the page comes out, in mm: a little more than it is."""
    size, leading = (9.2, 4.6) if one.long else (10.4, 5.6)
    said = _lines(str(one.say.striptags()), SAY, size) * leading + _lines(one.rule, SAY, SMALL) * 4.3 + 4
    beside = max(0.0, fonts.width(one.number, 10.5, "bold") - NUMBER)  # a long report number narrows the line
    height = 31 + 5 * (_lines(one.subtitle, SUBTITLE - beside, TITLE) - 1) + max(said, 22 + 4 * len(one.mark.lines))
    height += 5 + _text_height(one.agreed) if one.agreed else 0
    height += 11 + sum(_head_height(one, row) for row in one.rows)
    height += 5 if one.had else 0
    if one.figure.build:
        drawn = one.figure.height * WIDE_MM / (charts.WIDE - figures.COLUMN)
        height += drawn + 2 + 4 * _lines(one.figure.caption, LINE, 7.8)
    height += 22 + _text_height(one.standing) + (_text_height(one.assured) if one.assured else 0)
    height += sum(_text_height(text) for text in one.reservations)
    height += sum(_row_height(row) for row in one.blocking) + (6 if one.blocking else 0)
    height += _text_height(one.worse) if one.worse else 0
    height += (5 if one.rest else 0) + (5 if one.more else 0)
    return height + 5 + sum(_text_height(f"{head} {text}") + 0.7 for head, text in one.gaps)


def _head_height(one: PageOne, row: HeadRow) -> float:
    """Height of a row of the table of what was measured, in mm: of one line, two or, of a long name, three."""
    name = NAME * NARROW if one.sparks and one.stacked else NAME
    lines = _lines(_with_reference(row), name, 7.8)
    return 5.6 + 3.2 * (max(lines, 2 if one.stacked or row.meaning else 1) - 1)


def _with_reference(row: HeadRow) -> str:
    """A name with its reference, where that is no short number."""
    return f"{row.name} [{row.id}]" if row.id.startswith("goal:") else row.name


def _row_height(row: BlockingRow) -> float:
    """Height of a row of the table of differences, in mm."""
    cells = ((row.key, KEYS), (row.before, VALUES), (row.after, VALUES), (row.why, WHY))
    return 2.4 + 4 * max(_lines(text, room, 7.8) for text, room in cells)


def _text_height(text: str) -> float:
    """Height of a paragraph of page one, in mm."""
    return _lines(text, LINE, BODY) * 4.8


def _fits(rows: tuple[HeadRow, ...], *, sparks: bool, stacked: bool) -> bool:
    """Whether the table keeps within the width of page one, the names broken into two lines."""
    columns: list[list[str]] = [
        [text for row in rows for text in (row.limit.text, row.meaning)] if any(row.judged for row in rows) else [],
        [row.before.text for row in rows],
        [row.after.text for row in rows],
        [row.delta for row in rows],
        [
            text
            for row in rows
            for text in ((row.change, row.interval) if stacked else (f"{row.change} {row.interval}",))
        ],
        [f"{row.sign} {row.outcome}" for row in rows],
    ]
    needed = sum(max((fonts.width(text, 7.8, "bold") for text in column), default=0.0) + GAP for column in columns)
    name = NAME * NARROW if sparks and stacked else NAME
    return needed + name + (SPARK if sparks else 0) <= LINE


def _brief(report: Report) -> Report:
    """The report with the recorded values cut, so that a sentence of page one cannot outgrow it."""
    rows = tuple(
        replace(
            row,
            spelling=elided(row.spelling, KEY),
            before=None if row.before is None else elided(row.before, VALUE),
            after=None if row.after is None else elided(row.after, VALUE),
            reason=replace(row.reason, args=tuple((name, elided(text, VALUE)) for name, text in row.reason.args)),
        )
        for row in report.comparability.rows
    )
    return replace(report, comparability=replace(report.comparability, rows=rows))


def emphasized(text: str) -> Markup:
    """A sentence with ``**`` around what is set bold."""
    parts = text.split("**")
    pieces = [
        Markup("<b>{}</b>").format(part) if index % 2 else Markup("{}").format(part) for index, part in enumerate(parts)
    ]
    return Markup("").join(pieces)


# ------------------------------------------------------------------------------------------- head and verdict
def _case(context: Context) -> CaseRow | None:
    """The case that the captures were taken of; the first where none says so."""
    cases = context.report.contract.cases if context.report.contract else ()
    return next((case for case in cases if case.profiled), cases[0] if cases else None)


def _work(context: Context, facts: Iterable[str], *, titled: bool) -> list[str]:
    """Agreed facts of the workload in words."""
    case = _case(context)
    agreed = dict(case.workload) if case else {}
    words = []
    for fact in facts:
        text = wording.agreed_text(fact, agreed.get(fact, ""), context.language)
        if text:
            words.append(f"{wording.fact_title(fact, context.language)} {text}" if titled else text)
    return words


def _listed(context: Context, items: Iterable[str]) -> str:
    return ("，" if context.language == "zh" else ", ").join(items)


def _subtitle(context: Context) -> str:
    contract = context.report.contract
    parts = [contract.title] if contract and contract.title else []
    parts += [" ".join(_work(context, ("framework", "backend", "phase"), titled=False))]
    if not contract or not contract.title:
        parts += _work(context, ("model",), titled=False)
    found = [part for part in parts if part]
    return _listed(context, found or _named(context))


def _named(context: Context) -> list[str]:
    """The directories of the sides, each with as much of its head and tail as fits in the line."""
    blocks = context.report.captures
    fixed = fonts.width(_listed(context, (f"{block.side.upper()} " for block in blocks)), TITLE)
    room = (SUBTITLE - fixed) / max(1, len(blocks)) - 1
    return [f"{block.side.upper()} {fonts.elided(block.name, max(room, ELIDED), TITLE)}" for block in blocks]


def _facts(context: Context) -> tuple[tuple[str, str], ...]:
    """Who, in which contract, and when it was captured."""
    contract = context.report.contract
    facts: list[tuple[str, str]] = []
    if contract:
        facts = [
            (context.text("customer"), contract.customer),
            (context.text("contractor"), contract.contractor),
            (context.text("witness"), contract.witness),
            (context.text("agreed in"), contract.reference),
        ]
    dates = _listed(context, _dates(context))
    shown = [(label, text) for label, text in facts if text]
    left = 495 - fonts.width(dates, SMALL) - 9 * (len(shown) + 1)
    room = _level([fonts.width(text, SMALL) for _, text in shown], left)
    cut = [(label, fonts.cut(text, room, SMALL)) for label, text in shown]
    return (*cut, (context.text("captured on (UTC)"), dates))


def _level(widths: Sequence[float], room: float) -> float:
    """The width to which the longest are cut so that all fit into the room."""
    left = sorted(widths)
    while left and left[0] * len(left) <= room:
        room -= left.pop(0)
    return room / len(left) if left else float("inf")


def _dates(context: Context) -> list[str]:
    return [f"{side.upper()} {_date(context, side)}" for side in Side if side is Side.AFTER or not context.alone]


def _date(context: Context, side: Side) -> str:
    """The first day of a side's captures."""
    starts = [rank.started for capture in _captures(context, side) for rank in capture.ranks if rank.started]
    return min(starts)[:10] if starts else context.text("not recorded")


def _captures(context: Context, side: Side) -> list[CaptureBlock]:
    return [capture for capture in context.report.captures if capture.side is side]


def _mark(context: Context) -> Mark:
    """The verdict mark; without a target a plain one that says so."""
    verdict, language = context.report.verdict, context.language
    if verdict is None:
        return Mark(
            look="nothing",
            sign="–",
            word=context.text("not judged"),
            lines=(
                context.text("no target was given"),
                wording.standing_word(context.report.comparability.standing, language),
            ),
        )
    look, sign = MARKS[verdict.word]
    return Mark(
        look=look,
        sign=sign,
        word=wording.verdict_word(verdict.word, language),
        lines=wording.verdict_subline(context.report, language),
    )


def _unjudged(context: Context) -> str:
    """What stands in place of a verdict: the first metric of page one on both sides."""
    standing = context.report.comparability.standing
    if standing in (PairStanding.NOT_COMPARABLE, PairStanding.CANNOT_BE_SHOWN):
        return wording.comparability_sentence(context.report, context.language)
    row = next(iter(build.headlines(context.report)), None)
    if row is None:
        return context.text("No metric has a value on either side.")
    texts = numbers.metric_texts(row, context.language)
    name = wording.metric_title(row.metric, context.language, row.part)
    before, after = texts.before_full or _lacking(context, row.before), texts.after_full or _lacking(context, row.after)
    if not texts.delta:
        return context.text(
            "%(metric)s: BEFORE **%(before)s**, AFTER **%(after)s**.", metric=name, before=before, after=after
        )
    return context.text(
        "%(metric)s: BEFORE **%(before)s**, AFTER **%(after)s**, delta %(delta)s: %(told)s.",
        metric=name,
        before=before,
        after=after,
        delta=texts.delta_full + (f" ({texts.change})" if texts.change else ""),
        told=told_word(context, row),
    )


def _lacking(context: Context, side: SideValue) -> str:
    """The word for a missing value."""
    return wording.missing_word(side.value, context.language) if isinstance(side.value, Missing) else ""


def _rule(context: Context) -> str:
    if context.report.verdict is None:
        return context.text("Without a target nothing is judged: the figures stand side by side.")
    return wording.verdict_rule(context.report, context.language)


# ------------------------------------------------------------------------------------------- what was agreed
def _agreed(context: Context) -> str:
    """Workload, goals and rule in at most three lines; empty without a target."""
    report, contract = context.report, context.report.contract
    if contract is None:
        return ""
    facts = ("framework", "backend", "phase", "model", "batch_size", "sequence_length", "dtype")
    work = [*_work(context, facts[:4], titled=False), *_work(context, facts[4:], titled=True)]
    work += [context.text("ranks: %(ranks)s", ranks=count) for count in _work(context, ("ranks",), titled=False)]
    agreed = Counter(wording.goal_text(goal, context.language) for goal in report.goals)
    shown = tuple(agreed.items())[:3]
    goals = context.series(
        text if count == 1 else context.text("%(goal)s (%(n)s goals alike)", goal=text, n=numbers.format_count(count))
        for text, count in shown
    )
    sentences = []
    if work:
        sentences.append(context.text("Workload: %(work)s.", work=_listed(context, work)))
    if goals and len(agreed) > len(shown):
        sentences.append(context.text("Goals: %(goals)s, and more.", goals=goals))
    elif goals:
        sentences.append(context.text("Goals: %(goals)s.", goals=goals))
    if contract.signed:
        sentences.append(context.text("Signed %(date)s.", date=contract.signed))
    sentences.append(context.text("In full: section %(section)s.", section=context.sections["target"]))
    *first, last = sentences
    own = fonts.cut(wording.baselines_line(_own(report), context.language), LINE * 1.3, BODY)
    room = LINE * 2.9 - fonts.width(last, BODY) - fonts.width(own, BODY)
    said = fonts.cut(wording.join(first, context.language), room, BODY)
    return wording.join(filter(None, (said, own, last)), context.language)


def _own(report: Report) -> list[ThresholdRow]:
    """Own baselines, those that loosen an official limit first."""
    own = [rule for rule in report.thresholds if rule.baseline is not None]
    return sorted(own, key=lambda rule: not (rule.baseline and any(c != "tightened" for _, c in rule.baseline.changes)))


# ------------------------------------------------------------------------------------------- what was measured
def _rows(context: Context) -> tuple[HeadRow, ...]:
    """Goals in their order, of more than have room those that failed first, then the other metrics of page one."""
    report = context.report
    by_id = {row.id: row for row in report.metrics}
    goals = sorted(report.goals, key=_heed) if context.judging and len(report.goals) > ROWS else report.goals
    rows = [_goal_row(context, goal, by_id.get(goal.metric_row)) for goal in goals]
    taken = {goal.metric_row for goal in report.goals}
    rows += [_metric_row(context, row) for row in build.headlines(report) if row.id not in taken]
    return tuple(rows)


def _elsewhere(context: Context, goal: GoalRow) -> list[GoalRow]:
    """The goals of the other cases on the same metric."""
    return [one for one in context.report.goals if one.metric == goal.metric and one.case != goal.case]


def _heed(goal: GoalRow) -> int:
    """Not met before not comparable before undecided before all others."""
    return {"not_met": 0, "not_comparable": 1, "undecided": 2}.get(wording.outcome_code(goal), 3)


def _goal_row(context: Context, goal: GoalRow, row: MetricRow | None) -> HeadRow:
    """A goal with its outcome; where the name has no room, its metric is cut and what follows it stays."""
    language = context.language
    row = None if goal.baseline == "fixed" else row
    other = row is not None and _of_another_statistic(goal, row)
    texts = _goal_texts(goal, None if other else row, language)
    outcome = wording.goal_outcome(context.report, goal, language)
    title = wording.goal_title(goal, language)
    if (
        row is not None and row.metric != goal.metric
    ):  # what stands in place of the metric agreed, such as a device span
        title = wording.metric_title(row.metric, language, row.part)
    if any(wording.goal_title(one, language) == title for one in _elsewhere(context, goal)):
        title = context.text("%(name)s, %(subject)s", name=goal.id, subject=title)  # one metric in several cases

    def named(name: str) -> str:
        if goal.rank is not None and ranks(context.report) > 1:
            name = context.text("%(name)s, %(rank)s", name=name, rank=rank_words(context, goal.rank))
        word = wording.statistic_word(goal.statistic, language) if other else wording.own_statistic(goal, language)
        if word:
            name = context.text("%(name)s, %(subject)s", name=name, subject=word)
        if goal.subject != "after":
            name = context.text("%(name)s, %(subject)s", name=name, subject=_subject(context, goal))
        if goal.tag and (len(_tags(context)) > 1 or _told_twice(context, goal.metric)):
            name = context.text("%(name)s, %(subject)s", name=name, subject=wording.goal_tag(goal, language))
        return name

    over = fonts.width(named(title), 7.8, "bold") - NAME * 1.7
    width = fonts.width(title, 7.8, "bold")
    cut = context.paper and over > 0  # on screen a name takes as many lines as it needs
    name = named(fonts.cut(title, max(width - over, NAME * 0.8), 7.8, "bold")) if cut else named(title)
    valued = any(isinstance(one, Number) for one in (goal.before, goal.after, goal.value))
    return _head_row(
        context,
        row,
        texts,
        identity=goal.metric_row or (f"goal:{goal.id}" if goal.measured_outside and valued else ""),
        name=name,
        limit=Cell(text=wording.goal_limit(goal, language)),
        values=(cell(context, goal.before, texts.before_full), cell(context, goal.after, texts.after_full)),
        outcome=(SIGNS[wording.outcome_code(goal)] if context.judging else "", outcome, context.judging),
        turn=turn_of(goal.delta),
        where=whence(context, (goal.limit, goal.before, goal.after, goal.value)),
        goal=goal,
        other=other,
    )


def _of_another_statistic(goal: GoalRow, row: MetricRow) -> bool:
    """Whether a goal is on other figures than its metric's row shows: on the largest step, or the mean."""
    sides = ((goal.before, row.before.value), (goal.after, row.after.value))
    return any(
        isinstance(own, Number) and isinstance(shown, Number) and own.quantity.value != shown.quantity.value
        for own, shown in sides
    )


def _goal_texts(goal: GoalRow, row: MetricRow | None, language: str) -> numbers.RowTexts:
    """The figures of a goal's metric, where AFTER is judged told from its limit; its own of runs and fixed values."""
    if row is None:
        return numbers.goal_texts(goal, language)
    like = numbers.told_from_limit(numbers.metric_texts(row, language), goal)
    return numbers.metric_texts(row, language, like=like)


def _subject(context: Context, goal: GoalRow) -> str:
    """What the limit is on; a ratio with its judged value, which is none of the figures beside it."""
    if goal.subject == "delta" or goal.baseline == "fixed":
        return wording.subject_text(goal, context.language)
    formed = context.judging and not wording.may_not_be_formed(context.report, goal)
    if formed and isinstance(goal.value, Number):
        return context.text("ratio %(value)s", value=wording.goal_value(goal, context.language))
    return wording.subject_text(goal, context.language)


def _told_twice(context: Context, metric: str) -> bool:
    """Whether goals rest on values of a metric from outside the captures, which have a row of their own beside them."""
    outside = any(goal.metric == metric and goal.measured_outside and goal.tag for goal in context.report.goals)
    return outside and any(row.metric == metric for row in build.headlines(context.report))


def _metric_row(context: Context, row: MetricRow) -> HeadRow:
    """A metric that no goal is on."""
    title = wording.metric_title(row.metric, context.language, row.part)
    if _told_twice(context, row.metric):
        tag = wording.tag_word("profiled", context.language)
        title = context.text("%(name)s, %(subject)s", name=title, subject=tag)
    texts = numbers.metric_texts(row, context.language)
    none = context.text("not judged") if context.judging else context.text("no verdict")
    if context.comparing or context.report.contract is None:
        none = told_word(context, row, brief=True)
    return _head_row(
        context,
        row,
        texts,
        identity=row.id,
        name=fonts.cut(title, NAME * 1.7, 7.8, "bold") if context.paper else title,
        limit=Cell(text=context.text("no limit"), missing=True),
        values=(cell(context, row.before.value, texts.before_full), cell(context, row.after.value, texts.after_full)),
        outcome=("", none, False),
        turn=turn_of(row.delta),
        where=whence(context, (row.before.value, row.after.value)),
        goal=None,
    )


def _head_row(
    context: Context,
    row: MetricRow | None,
    texts: numbers.RowTexts,
    *,
    identity: str,
    name: str,
    limit: Cell,
    values: tuple[Cell, Cell],
    outcome: tuple[str, str, bool],
    turn: str,
    where: tuple[Where, ...],
    goal: GoalRow | None,
    other: bool = False,
) -> HeadRow:
    """What both kinds of rows share; what is told of a row's change is not told of another statistic (``other``)."""
    sign, word, judged = outcome
    agreed, _paren, meaning = limit.text.partition(" (")
    interval = texts.change_interval or (ratio_interval(row) if row is not None and not other else "")
    if row is not None and wording.is_blocked(context.report, row):
        texts, interval = texts.alone(), ""
    elif row is not None and row.exact:
        interval = wording.counted_word(row.family, context.language)
    return HeadRow(
        id=identity,
        name=name,
        limit=replace(limit, text=agreed),
        meaning=f"({meaning}" if meaning else "",
        before=values[0],
        after=values[1],
        delta=texts.delta_full,
        change=texts.change,
        interval=interval,
        turn=turn if row is not None and not other and row.distinguishable == "yes" and not row.blocked else "",
        spark=_spark(context, row, texts, goal) if row is not None and context.comparing else Markup(""),
        sign=sign,
        outcome=word,
        judged=judged,
        where=where,
    )


def _spark(context: Context, row: MetricRow, texts: numbers.RowTexts, goal: GoalRow | None) -> Markup:
    """Every step of both sides; nothing for a value that is not of steps: a peak, or a capture without them."""
    if max(len(row.before.sample), len(row.after.sample)) < 2:
        return Markup("")
    sides = []
    for side in (row.before, row.after):
        values = side.sample or ((side.value,) if isinstance(side.value, Number) else ())
        sides.append([figures.scaled(value, texts.scale) for value in values])
    limit = None
    if goal is not None and goal.subject == "after" and goal.statistic != "total":  # a total is no step's value
        limit = figures.scaled(goal.limit, texts.scale)
    known = [*sides[0], *sides[1], *([] if limit is None else [limit])]
    title = context.text(
        "%(metric)s: every step of both sides", metric=wording.metric_title(row.metric, context.language, row.part)
    )
    drawn = charts.spark(sides[0], sides[1], limit=limit, domain=(min(known), max(known)), title=title)
    return Markup(drawn)  # noqa: S704 - numbers, and a title that spark escapes


# ------------------------------------------------------------------------------------------- can it be believed
def _reservations(context: Context) -> tuple[tuple[str, ...], int]:
    """The heaviest reservations, and how many more there are."""
    lines = wording.reservation_lines(context.report, context.language)
    shown = tuple(fonts.cut(line, LINE * 1.9, BODY) for line in lines[:RESERVATIONS])
    return shown, len(lines) - len(shown)


def _blocking(context: Context) -> tuple[BlockingRow, ...]:
    """Where the pair may not be compared, or that cannot be shown: the heaviest differences in a table."""
    block = context.report.comparability
    if block.standing not in (PairStanding.NOT_COMPARABLE, PairStanding.CANNOT_BE_SHOWN):
        return ()
    return tuple(_blocking_row(context, row) for row in block.rows[:BLOCKING])


def _blocking_row(context: Context, row: SettingRow) -> BlockingRow:
    language = context.language
    return BlockingRow(
        key=fonts.cut(wording.fact_title(row.spelling, language), KEYS * 1.9, 7.8),
        before=fonts.cut(wording.setting_value(row.before, language), VALUES * 1.9, 7.8),
        after=fonts.cut(wording.setting_value(row.after, language), VALUES * 1.9, 7.8),
        standing=row.standing,
        word=wording.standing_word(row.standing, language),
        why=fonts.cut(dict(row.why).get(language) or wording.say(row.reason, language), WHY * 1.9, 7.8),
    )


# ------------------------------------------------------------------------------------------- what is not shown
def _gaps(context: Context) -> tuple[tuple[str, str], ...]:
    """At most six lines; in full in their section."""
    report, language = context.report, context.language
    groups: dict[str, list[GapRow]] = {}
    for gap in report.gaps:
        groups.setdefault(gap.group, []).append(gap)
    bullets: list[tuple[str, list[str]]] = []
    if report.comparability.standing is PairStanding.NOT_COMPARABLE:
        bullets.append((context.text("Any change"), [context.text("the two sides are not comparable.")]))
    unmeasured = groups.get("not_measured", [])
    accuracy = [gap for gap in unmeasured if gap.id == "outside:accuracy"]
    for gap in accuracy:
        text = wording.say(gap.reason, language) if gap.reason else ""
        bullets.append((wording.gap_title(gap, language), [text]))
    rest = {**groups, "not_measured": [gap for gap in unmeasured if gap not in accuracy]}
    for name in ("not_measured", "not_recorded", "not_given"):
        titles = list(dict.fromkeys(wording.gap_title(gap, language) for gap in rest.get(name, [])))
        if titles:
            bullets.append((wording.group_title(name, language), titles))
    limits = [wording.say(gap.reason, language) for gap in groups.get("not_shown", []) if gap.reason]
    if limits:
        bullets.append((wording.group_title("not_shown", language), [wording.join(limits, language)]))
    heads = [fonts.cut(head, LINE * 0.4, BODY, "bold") for head, _ in bullets]
    rooms = [LINE * 1.85 - fonts.width(head, BODY, "bold") for head in heads]
    return tuple(
        (head, _whole_items(context, items, room)) for head, room, (_, items) in zip(heads, rooms, bullets, strict=True)
    )


def _whole_items(context: Context, items: list[str], room: float) -> str:
    """As many whole items as the room holds, and how many more there are; one that is wider alone is cut."""
    section = context.sections["gaps"]
    for shown in range(len(items), 0, -1):
        rest = len(items) - shown
        more = [context.text("%(rest)s more in section %(section)s.", rest=rest, section=section)] if rest else []
        text = context.series([*items[:shown], *more])
        if fonts.width(text, BODY) <= room:
            return text
    return fonts.cut(context.series(items), room, BODY)
