"""The sections behind page one, each as the texts and rows that its template prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from markupsafe import Markup

from reportgen.model import Applicability, Missing, Quantity, Standing
from reportgen.report import figures, fonts, notes, numbers, wording
from reportgen.report.document import (
    CaptureBlock,
    FileRow,
    GoalRow,
    MetricRow,
    Number,
    OperatorRow,
    OperatorSide,
    RankRow,
    SettingRow,
    ThresholdRow,
    Value,
)
from reportgen.report.translations import NBSP, mark
from reportgen.report.view import Cell, Context, Cut, Line, Where, capped, cell, line, rank_words, ranks, whence

DIFFERING, EQUAL, IDENTITY, UNREAD = 40, 30, 12, 10
"""Compared facts and unread files in the PDF; of the identities the HTML shows no more either."""
OPERATORS, FILES = 25, 60
"""Operator types and files in the PDF."""
GROUPS = ("time", "shares", "communication", "counts", "memory", "pmu")
"""Order of the groups of metrics."""
SHORT_DIGEST = 16
"""Digits of a digest where it only tells captures apart."""


# ------------------------------------------------------------------------------------------- 2 target
@dataclass(frozen=True, slots=True, kw_only=True)
class GoalLine:
    """One goal as agreed."""

    id: str
    """Goal id."""
    case: str
    """Case id."""
    clause: str
    """Clause."""
    title: str
    """Metric."""
    limit: str
    """Limit."""
    on: str
    """What the limit is on, and by which statistic."""
    condition: str
    """Side condition and the goals it depends on."""
    place: str
    """File and key of the limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetSection:
    """What was agreed."""

    parties: tuple[tuple[str, str], ...]
    """(label, text)."""
    cases: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """(heading, ((fact, agreed), ...))."""
    goals: tuple[GoalLine, ...]
    """Goals."""
    guarded: bool
    """Which rule."""
    may_differ: tuple[str, ...]
    """Keys."""
    changes: tuple[tuple[str, tuple[str, ...]], ...]
    """(what, keys)."""
    declared: tuple[tuple[str, str, str, str, str, str], ...]
    """(fact, value, signer, role, date, whether it was used)."""


def target(context: Context) -> TargetSection | None:
    """The section of the target; None without one."""
    contract, language = context.report.contract, context.language
    if contract is None:
        return None
    labels = (
        (mark("customer"), contract.customer),
        (mark("contractor"), contract.contractor),
        (mark("witness"), contract.witness),
        (mark("agreed in"), contract.reference),
        (mark("project"), contract.title),
        (mark("signed"), contract.signed),
    )
    cases = []
    for case in contract.cases:
        heading = context.text("case %(id)s", id=case.id)
        if case.clause:
            heading = context.text("%(case)s, clause %(clause)s", case=heading, clause=case.clause)
        if len(contract.cases) > 1 and case.profiled:
            heading = context.text("%(case)s (the captures were taken of it)", case=heading)
        facts = tuple(
            (wording.fact_title(fact, language), _agreed(context, fact, text)) for fact, text in case.workload
        )
        cases.append((heading, facts))
    return TargetSection(
        parties=tuple((context.text(label), text) for label, text in labels if text),
        cases=tuple(cases),
        goals=tuple(_goal(context, goal) for goal in context.report.goals),
        guarded=contract.decision_rule == "guarded",
        may_differ=contract.may_differ,
        changes=contract.changes,
        declared=tuple(
            (
                wording.fact_title(row.key, language),
                row.value,
                row.signer,
                row.role,
                row.date,
                context.text("yes") if row.used else context.text("no"),
            )
            for row in contract.declared
        ),
    )


def _agreed(context: Context, fact: str, text: str) -> str:
    return wording.agreed_text(fact, text, context.language) if text else context.text("not agreed")


def _goal(context: Context, goal: GoalRow) -> GoalLine:
    """One goal as agreed."""
    language = context.language
    subject = {"after": "AFTER", "delta": "AFTER − BEFORE", "ratio": "AFTER / BEFORE"}[goal.subject]
    conditions = [goal.side_condition]
    if goal.subject_to:
        conditions.append(context.text("together with %(goals)s", goals=", ".join(goal.subject_to)))
    origin = context.origins[goal.limit.origins[0]]
    return GoalLine(
        id=goal.id,
        case=goal.case,
        clause=goal.clause,
        title=wording.goal_title(goal, language),
        limit=wording.goal_limit(goal, language),
        on=context.text(
            "%(subject)s, %(statistic)s", subject=subject, statistic=wording.statistic_word(goal.statistic, language)
        ),
        condition=context.series(filter(None, conditions)),
        place=f"{origin.file}: {origin.locator}",
    )


# ------------------------------------------------------------------------------------------- 3 captures
@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureLine:
    """One capture."""

    side: str
    """BEFORE or AFTER."""
    name: str
    """Directory."""
    layout: str
    """What kind of directory it is."""
    taken: str
    """First start and last end, UTC."""
    ranks: str
    """Ranks."""
    steps: str
    """Steps seen."""
    digest: str
    """Head of its digest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingLine:
    """One compared fact."""

    key: str
    """As the files spell it."""
    before: Cell
    """BEFORE."""
    after: Cell
    """AFTER."""
    standing: Standing
    """Standing."""
    word: str
    """Standing in words."""
    why: str
    """Effect or reason."""
    place: str
    """File and key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureSection:
    """Captures and comparability."""

    captures: tuple[CaptureLine, ...]
    """Captures."""
    heads: tuple[str, ...]
    """Column heads of ``facts``."""
    facts: tuple[tuple[str, tuple[Cell, ...]], ...]
    """(fact, one text for each capture)."""
    warnings: tuple[str, ...]
    """Doubts about a capture."""
    unread: tuple[tuple[str, str, str], ...]
    """(side, file, why it was not used)."""
    unread_cut: Cut | None
    """Of it."""
    standing: str
    """Comparability in words."""
    differing: tuple[SettingLine, ...]
    """Facts that are not equal, heaviest first."""
    differing_cut: Cut | None
    """Of them."""
    equal: tuple[tuple[str, str], ...]
    """(key, value)."""
    equal_cut: Cut | None
    """Of them."""
    identity: tuple[tuple[str, Cell, Cell], ...]
    """(key, BEFORE, AFTER)."""
    identity_cut: Cut | None
    """Of them."""
    workload: tuple[str, ...]
    """Sentences about the workload."""
    checks: tuple[tuple[str, str, str, str], ...]
    """(fact, agreed, seen, how it stands)."""


def captures(context: Context) -> CaptureSection:
    """The section of the captures."""
    report, paper = context.report, context.paper
    unread = [
        (c.side.upper(), path, wording.say(why, context.language)) for c in report.captures for path, why in c.unread
    ]
    unread_rows, unread_cut = capped(unread, UNREAD if paper else None)
    differing, differing_cut = capped(report.comparability.rows, DIFFERING if paper else None)
    equal, equal_cut = capped(report.comparability.equal, EQUAL if paper else None)
    identity, identity_cut = capped(report.comparability.identity, IDENTITY)
    return CaptureSection(
        captures=tuple(_capture(context, capture) for capture in report.captures),
        heads=_heads(report.captures),
        facts=_capture_facts(context),
        warnings=tuple(
            f"{capture.side.upper()}: {wording.say(reason, context.language)}"
            for capture in report.captures
            for reason in capture.warnings
        ),
        unread=unread_rows,
        unread_cut=unread_cut,
        standing=wording.comparability_sentence(report, context.language),
        differing=tuple(_setting(context, row) for row in differing),
        differing_cut=differing_cut,
        equal=tuple((row.spelling, wording.setting_value(row.before, context.language)) for row in equal),
        equal_cut=equal_cut,
        identity=tuple((row.spelling, _held(context, row.before), _held(context, row.after)) for row in identity),
        identity_cut=identity_cut,
        workload=_workload(context),
        checks=tuple(
            (
                wording.fact_title(check.fact, context.language),
                wording.agreed_text(check.fact, check.agreed, context.language),
                check.seen or context.text("not recorded"),
                wording.check_word(check.outcome, context.language),
            )
            for check in report.workload_checks
        ),
    )


def _heads(blocks: Sequence[CaptureBlock]) -> tuple[str, ...]:
    """BEFORE and AFTER; numbered where a side has several captures."""
    sides = [block.side for block in blocks]
    return tuple(
        f"{block.side.upper()} {sides[: index + 1].count(block.side)}"
        if sides.count(block.side) > 1
        else block.side.upper()
        for index, block in enumerate(blocks)
    )


def _capture(context: Context, capture: CaptureBlock) -> CaptureLine:
    """One capture on one line."""
    starts = [rank.started for rank in capture.ranks if rank.started]
    ends = [rank.ended for rank in capture.ranks if rank.ended]
    taken = context.text("not recorded")
    if starts:
        taken = _instant(min(starts)) + (f"–{max(ends)[11:19]}" if ends else "")
    named = [str(rank.rank) for rank in capture.ranks if rank.rank is not None]
    return CaptureLine(
        side=capture.side.upper(),
        name=capture.name,
        layout=wording.layout_word(capture.layout, context.language),
        taken=taken,
        ranks=_ranges(named) or context.text("not recorded"),
        steps=_steps(context, capture.ranks),
        digest=capture.digest[:SHORT_DIGEST],
    )


def _instant(iso: str) -> str:
    return iso.replace("T", " ").removesuffix("Z")


def _steps(context: Context, rows: tuple[RankRow, ...]) -> str:
    """The step ids of all ranks, where they are the same on each."""
    seen = {rank.steps for rank in rows}
    if seen <= {()}:
        return context.text("no steps")
    if len(seen) > 1:
        return context.text("not the same on each rank")
    return _ranges(next(iter(seen)))


def _ranges(numbers_: Sequence[str]) -> str:
    """Whole numbers in a row as ranges: 11–20; other names as they are."""
    if not all(name.isascii() and name.isdigit() for name in numbers_):
        return ", ".join(numbers_)
    runs: list[list[int]] = []
    for number in sorted({int(name) for name in numbers_}):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _capture_facts(context: Context) -> tuple[tuple[str, tuple[Cell, ...]], ...]:
    """Chip, cores, versions and how it was captured: facts that some capture records."""
    blocks = context.report.captures
    names = dict.fromkeys(name for block in blocks for name, _ in block.facts)
    rows = []
    for name in names:
        texts = [dict(block.facts).get(name, "") for block in blocks]
        cells = tuple(Cell(text=wording.fact_text(name, text, context.language), missing=not text) for text in texts)
        if any(texts):
            rows.append((wording.fact_title(name, context.language), cells))
    return tuple(rows)


def _held(context: Context, value: str | None) -> Cell:
    """One side of a compared fact."""
    return Cell(text=wording.setting_value(value, context.language), missing=not value)


def _setting(context: Context, row: SettingRow) -> SettingLine:
    """One compared fact on one line."""
    language = context.language
    said = wording.say(row.reason, language)
    effect = dict(row.why).get(language, "")
    plain = row.reason.code in ("setting_differs", "setting_unknown") and effect
    files = dict.fromkeys(context.origins[identity].file for identity in row.origins)
    return SettingLine(
        key=wording.fact_title(row.spelling, language),
        before=_held(context, row.before),
        after=_held(context, row.after),
        standing=row.standing,
        word=wording.standing_word(row.standing, language),
        why=effect if plain else wording.join((said, effect), language),
        place=row.place or ", ".join(files),
    )


def _workload(context: Context) -> tuple[str, ...]:
    """What the kernel tables show of the workload."""
    block, language = context.report.comparability.workload, context.language
    if block is None:
        return (context.text("A side has no kernel table that can be read, so its workload cannot be seen."),)

    def share(value: Value) -> str:
        if isinstance(value, Missing):
            return wording.missing_word(value, language)
        return numbers.format_value(value.quantity, metric_unit_hint="share", language=language)

    sentences = [
        context.text(
            "Of the kernel time, %(before)s of BEFORE and %(after)s of AFTER is spent in operators whose type, shapes"
            " and data types are found on the other side too.",
            before=share(block.matched_before),
            after=share(block.matched_after),
        ),
        context.text(
            "Rows without a recorded type or without recorded shapes hold %(before)s of BEFORE and %(after)s of AFTER.",
            before=share(block.unrecorded_before),
            after=share(block.unrecorded_after),
        ),
    ]
    lists = (
        (block.only_before, mark("Operator types in BEFORE only: %(types)s.")),
        (block.only_after, mark("Operator types in AFTER only: %(types)s.")),
        (block.changed, mark("Operator types on both sides without common shapes and data types: %(types)s.")),
    )
    for types, message in lists:
        if types:
            sentences.append(context.text(message, types=_some(context, types)))
    return tuple(sentences)


def _some(context: Context, names: tuple[str, ...], shown: int = 12) -> str:
    """The first names, and how many more there are."""
    text = ", ".join(names[:shown])
    if len(names) <= shown:
        return text
    return context.text("%(names)s and %(rest)s more", names=text, rest=len(names) - shown)


# ------------------------------------------------------------------------------------------- 4 measurements
@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One goal judged."""

    id: str
    """Goal id."""
    title: str
    """Metric and rank."""
    limit: str
    """Limit."""
    value: Cell
    """Judged value."""
    interval: str
    """Its interval, or why there is none."""
    margin: str
    """Distance to the limit; empty without."""
    sign: str
    """Sign of the outcome."""
    outcome: str
    """Outcome."""
    why: str
    """Why, and what it rests on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricSection:
    """All metrics."""

    results: tuple[Result, ...]
    """Goals judged."""
    groups: tuple[tuple[str, tuple[Line, ...]], ...]
    """(heading, metrics)."""
    several: bool
    """Whether there are several ranks."""


def measurements(context: Context, signs: dict[str, str]) -> MetricSection:
    """The section of the measurements.

    Args:
        context: the context.
        signs: sign before each outcome.
    """
    several = ranks(context.report) > 1
    rows = [row for row in context.report.metrics if row.worst or not context.paper]
    groups: dict[str, list[Line]] = {name: [] for name in GROUPS}
    for row in rows:
        groups[_group(row)].append(line(context, row))
    return MetricSection(
        results=tuple(_result(context, goal, signs) for goal in context.report.goals),
        groups=tuple(
            (wording.group_title(name, context.language), tuple(lines)) for name, lines in groups.items() if lines
        ),
        several=several,
    )


def _group(row: MetricRow) -> str:
    return "shares" if row.metric.endswith("_share") else str(row.family)


def _result(context: Context, goal: GoalRow, signs: dict[str, str]) -> Result:
    """One goal judged."""
    language = context.language
    texts = numbers.goal_texts(goal, language)
    hint = "ratio" if goal.subject == "ratio" else goal.metric

    def figure(number: Number, *, signed: bool = False) -> str:
        if goal.subject == "after" and texts.after:
            return texts.value(number.quantity.value)
        return numbers.format_value(number.quantity, metric_unit_hint=hint, language=language, signed=signed)

    title = wording.goal_title(goal, language)
    if goal.rank is not None and ranks(context.report) > 1:
        title = context.text("%(name)s, %(rank)s", name=title, rank=rank_words(context, goal.rank))
    interval = context.text("none")
    if goal.interval is not None:
        ends = (figure(goal.interval.low), figure(goal.interval.high))
        (low, _, unit), (high, _, _) = (end.partition(NBSP) for end in ends)
        interval = numbers.format_interval(low, high, unit)
    elif goal.exact:
        interval = wording.counted_word("memory" if goal.metric.startswith("peak") else "counts", language)
    value = goal.value
    reasons = (goal.reason, *goal.reservations)
    return Result(
        id=goal.id,
        title=title,
        limit=wording.goal_limit(goal, language),
        value=cell(context, value, figure(value, signed=goal.subject == "delta") if isinstance(value, Number) else ""),
        interval=interval,
        margin=figure(goal.margin) if goal.margin is not None else "",
        sign=signs[goal.outcome],
        outcome=wording.outcome_word(goal.outcome, language),
        why=wording.join(dict.fromkeys(wording.say(reason, language) for reason in reasons), language),
    )


# ------------------------------------------------------------------------------------------- 5 parts of a step
@dataclass(frozen=True, slots=True, kw_only=True)
class PartLine:
    """One part of a step, as a mean."""

    name: str
    """Part."""
    before: Cell
    """BEFORE."""
    after: Cell
    """AFTER."""
    delta: str
    """Difference; empty when there is none."""
    shares: tuple[Cell, Cell]
    """Share of the step on both sides."""
    whole: bool
    """The sum."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSection:
    """Where the step time went."""

    steps: figures.Figure
    """Figure of the steps, where page one has no room for it."""
    figure: figures.Figure
    """Figure."""
    parts: tuple[PartLine, ...]
    """Parts, then the whole; empty without one."""
    unit: str
    """Unit of the table."""
    rank: str
    """Whose step it is."""


def steps(context: Context, moved: figures.Figure) -> StepSection:
    """The section of the step's parts.

    Args:
        context: the context.
        moved: figure of the steps, where page one has no room for it.
    """
    whole = figures.step_row(context)
    figure = figures.breakdown(context)
    rows = figures.step_parts(context, whole) if whole is not None else None
    if whole is None or rows is None:
        return StepSection(steps=moved, figure=figure, parts=(), unit="", rank="")
    texts = numbers.metric_texts(whole, context.language, part="mean")
    shares = {row.metric: row for row in context.report.metrics if row.rank == whole.rank}
    lines = [_part_line(context, row, texts, shares.get(f"{row.metric}_share")) for row in rows]
    lines.append(_part_line(context, whole, texts, None))
    rank = rank_words(context, whole.rank)
    return StepSection(steps=moved, figure=figure, parts=tuple(lines), unit=texts.unit, rank=rank)


def _part_line(context: Context, row: MetricRow, texts: numbers.RowTexts, share: MetricRow | None) -> PartLine:
    """One part, in the unit and decimals of the whole."""
    means = [figures.mean_of(row, side) for side in figures.SIDES]
    known = [mean for mean in means if mean is not None]
    delta = texts.figure(known[1] - known[0], signed=True) if len(known) == len(means) else ""
    before, after = (Cell(text=texts.figure(mean)) if mean is not None else Cell(text="–") for mean in means)
    cells = [Cell(text="100%"), Cell(text="100%")]
    if share is not None:
        values = (share.before.value, share.after.value)
        cells = [
            cell(context, v, numbers.format_change(v.quantity, signed=False) if isinstance(v, Number) else "")
            for v in values
        ]
    return PartLine(
        name=wording.metric_title(row.metric, context.language),
        before=before,
        after=after,
        delta=delta,
        shares=(cells[0], cells[1]),
        whole=row.metric in figures.STEP_METRICS,
    )


# ------------------------------------------------------------------------------------------- 6 operators
@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorLine:
    """One operator type."""

    name: str
    """Type, or kernel name."""
    change: str
    """Class."""
    calls: tuple[str, str]
    """Calls of a step."""
    totals: tuple[str, str]
    """Time of a step."""
    delta: str
    """Its difference."""
    call: tuple[str, str]
    """Median of one call."""
    ratio: str
    """AFTER / BEFORE of one call with its interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorGroup:
    """The operator types of one rank."""

    rank: str
    """Rank; empty where none is recorded."""
    lines: tuple[OperatorLine, ...]
    """Types, largest change first."""
    cut: Cut | None
    """Of them."""
    total_unit: str
    """Unit of the totals."""
    call_unit: str
    """Unit of one call."""
    where: tuple[Where, ...]
    """Files they come from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorSection:
    """Operators."""

    figure: figures.Figure
    """Figure of one rank."""
    groups: tuple[OperatorGroup, ...]
    """Ranks: on paper the one that page one looks at."""
    by_name: bool
    """Whether kernels are told apart by name, since types are not recorded."""
    per_step: bool
    """Whether figures are per step."""
    ranks_left: int
    """Ranks that the paper leaves out."""


def operators(context: Context) -> OperatorSection:
    """The section of the operators."""
    rows = context.report.operators
    places = list(dict.fromkeys(row.rank for row in rows))
    whole = figures.step_row(context)
    first = whole.rank if whole is not None and whole.rank in places else (places[0] if places else None)
    shown = (
        [first]
        if context.paper and places
        else [first, *(place for place in places if place != first)]
        if places
        else []
    )
    return OperatorSection(
        figure=figures.operators(context, first),
        groups=tuple(_operators_of(context, rank) for rank in shown),
        by_name=any(row.identified_by == "name" for row in rows),
        per_step=figures.has_steps(context),
        ranks_left=len(places) - len(shown),
    )


def _operators_of(context: Context, rank: int | None) -> OperatorGroup:
    """The types of one rank in common units."""
    rows = [row for row in context.report.operators if row.rank == rank]
    sides = [side for row in rows for side in (row.before, row.after) if side is not None]
    total = numbers.scale_of(
        max((Fraction(s.total_per_step.quantity.value) for s in sides), default=Fraction(0)), "time"
    )
    call = numbers.scale_of(max((Fraction(s.median.quantity.value) for s in sides), default=Fraction(0)), "time")
    call = min(call, numbers.SCALES["µs"], key=lambda scale: scale.factor)
    shown, cut = capped(rows, OPERATORS if context.paper else None)
    origins = whence(context, (side.total for side in sides))
    files = {(where.file, where.digest): where for where in origins}
    return OperatorGroup(
        rank=rank_words(context, rank),
        lines=tuple(_operator(context, row, total, call) for row in shown),
        cut=cut,
        total_unit=total.unit,
        call_unit=call.unit,
        where=tuple(files.values()),
    )


def _operator(context: Context, row: OperatorRow, total: numbers.Scale, call: numbers.Scale) -> OperatorLine:
    """One type on one line; an en dash where a call cannot exist."""
    zero = Quantity(value=0, unit="ns")
    language = context.language

    def of(side: OperatorSide | None, name: str) -> Quantity | None:
        return None if side is None else getattr(side, name).quantity

    totals = numbers.row_format(
        of(row.before, "total_per_step") or zero,
        of(row.after, "total_per_step") or zero,
        row.delta_per_step,
        metric_unit_hint=total.unit,
        language=language,
    )
    calls = numbers.row_format(
        of(row.before, "median"), of(row.after, "median"), None, metric_unit_hint=call.unit, language=language
    )
    ratio = "–"
    if row.before is not None and row.after is not None:
        ratio = context.text("none")
    if row.call_estimate is not None and row.call_interval is not None:
        ends = (row.call_interval.low.quantity, row.call_interval.high.quantity)
        interval = numbers.format_interval(*(numbers.format_ratio(end) for end in ends))
        ratio = f"{numbers.format_ratio(row.call_estimate.quantity)} {interval}"
    return OperatorLine(
        name=row.type,
        change=wording.change_word(row.change, language),
        calls=(
            figures.calls(context, row.before.calls_per_step if row.before else None),
            figures.calls(context, row.after.calls_per_step if row.after else None),
        ),
        totals=(totals.before, totals.after),
        delta=totals.delta,
        call=(calls.before or "–", calls.after or "–"),
        ratio=ratio,
    )


# ------------------------------------------------------------------------------------------- 7 memory
@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySection:
    """Memory."""

    figure: figures.Figure
    """Figure."""
    lines: tuple[Line, ...]
    """Peaks: on paper of the worst rank each."""


def memory(context: Context) -> MemorySection:
    """The section of the memory."""
    rows = [row for row in context.report.metrics if row.family == "memory" and (row.worst or not context.paper)]
    return MemorySection(figure=figures.memory(context), lines=tuple(line(context, row) for row in rows))


# ------------------------------------------------------------------------------------------- 8 thresholds
@dataclass(frozen=True, slots=True, kw_only=True)
class RuleLine:
    """One official rule."""

    title: str
    """What it is on."""
    bands: str
    """Its bands in words."""
    scope: str
    """Its scope."""
    source: str
    """Document, version, section."""
    quote: str
    """Quote."""
    before: Cell
    """BEFORE."""
    after: Cell
    """AFTER."""
    outcome: str
    """Band of BEFORE and of AFTER."""
    standing: str
    """Whether it applies, as a class."""
    word: str
    """The same in words."""
    why: str
    """Why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSection:
    """Official thresholds."""

    total: int
    """Rules read."""
    outside: int
    """Rules that do not apply."""
    open: int
    """Rules of which it cannot be decided."""
    figure: figures.Figure
    """Figure; without text when there is none."""
    applied: tuple[RuleLine, ...]
    """Rules that apply."""
    others: tuple[RuleLine, ...]
    """The others."""


def thresholds(context: Context) -> RuleSection | None:
    """The section of the official thresholds; None when none was read."""
    rules = context.report.thresholds
    if not rules:
        return None
    applied = [rule for rule in rules if rule.applicability is Applicability.APPLIES]
    return RuleSection(
        total=len(rules),
        outside=sum(rule.applicability is Applicability.DOES_NOT_APPLY for rule in rules),
        open=sum(rule.applicability is Applicability.CANNOT_DECIDE for rule in rules),
        figure=figures.bands(context),
        applied=tuple(_rule(context, rule) for rule in applied),
        others=tuple(_rule(context, rule) for rule in rules if rule not in applied),
    )


def _rule(context: Context, rule: ThresholdRow) -> RuleLine:
    """One rule on one line."""
    language = context.language
    known = {source.id: source for source in context.report.sources}
    sources = [known[name] for name in rule.sources if name in known]

    def shown(value: Value | None) -> Cell:
        text = ""
        if isinstance(value, Number):
            text = numbers.format_value(value.quantity, metric_unit_hint=rule.metric, language=language)
        return cell(context, value, text)

    words = [wording.band_word(band, language) for band in (rule.band_before, rule.band_after)]
    tag = {"applies": "", "does_not_apply": "", "cannot_decide": "unknown"}[rule.applicability]
    return RuleLine(
        title=figures.localized(rule.title, language),
        bands=context.series(
            f"{wording.band_word(band.id, language)} {figures.band_ends(context, band, rule.metric)}".strip()
            for band in rule.bands
        ),
        scope=figures.localized(rule.scope, language),
        source="; ".join(", ".join(filter(None, (s.document, s.version, s.section))) for s in sources) or rule.id,
        quote=next((source.quote for source in sources if source.quote), ""),
        before=shown(rule.before),
        after=shown(rule.after),
        outcome=" → ".join(word or "–" for word in words),
        standing=tag,
        word=wording.applicability_word(rule.applicability, language),
        why=wording.join((wording.say(reason, language) for reason in rule.reasons), language),
    )


# ------------------------------------------------------------------------------------------- 9 gaps
def gaps(context: Context) -> tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...]:
    """(group, ((item, what follows, how to supply it), ...)) in the order of the report."""
    language = context.language
    groups: dict[str, list[tuple[str, str, str]]] = {}
    for gap in context.report.gaps:
        said = [figures.localized(gap.statement, language)]
        said += [wording.say(gap.reason, language)] if gap.reason else []
        remedy = wording.say(gap.remedy, language) if gap.remedy else ""
        item = (wording.gap_title(gap, language), wording.join(dict.fromkeys(said), language), remedy)
        groups.setdefault(gap.group, []).append(item)
    return tuple((wording.group_title(name, language), tuple(rows)) for name, rows in groups.items())


# ------------------------------------------------------------------------------------------- 10 note
@dataclass(frozen=True, slots=True, kw_only=True)
class NoteSection:
    """The contractor's words."""

    html: Markup
    """As HTML."""
    digest: str
    """SHA-256 of the file."""


def note(context: Context) -> NoteSection | None:
    """The section of the note; None without one."""
    report = context.report
    if not report.note.strip():
        return None
    return NoteSection(html=notes.rendered(report.note, below=3), digest=report.note_digest)


# ------------------------------------------------------------------------------------------- 11 method
@dataclass(frozen=True, slots=True, kw_only=True)
class OriginLine:
    """Metrics that come from the same places by the same rules."""

    ids: tuple[str, ...]
    """Metric rows."""
    name: str
    """Metrics."""
    places: tuple[tuple[str, str], ...]
    """(file, columns and rows)."""
    formula: str
    """Formulas."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodSection:
    """Method."""

    methods: str
    """How intervals were made."""
    bases: str
    """Which variant of a metric was used."""
    origins: tuple[OriginLine, ...]
    """Origins of the metrics shown."""


def method(context: Context) -> MethodSection:
    """The section of the method."""
    rows = context.report.metrics
    intervals = [row.interval for row in rows] + [side.interval for row in rows for side in (row.before, row.after)]
    named = dict.fromkeys(interval.method for interval in intervals if interval is not None)
    bases = dict.fromkeys(side.basis for row in rows for side in (row.before, row.after) if side.basis)
    return MethodSection(
        methods=context.series(wording.method_word(name, context.language) for name in named),
        bases=context.series(wording.basis_word(name, context.language) for name in bases),
        origins=_origins(context, [row for row in rows if row.worst or not context.paper]),
    )


def _origins(context: Context, rows: Sequence[MetricRow]) -> tuple[OriginLine, ...]:
    """The origins of the metrics, those from the same places together."""
    groups: dict[tuple[tuple[tuple[str, str], ...], str], list[Line]] = {}
    for row in rows:
        shown = line(context, row)
        places = tuple((where.file, where.locator) for where in shown.where)
        formula = "; ".join(dict.fromkeys(where.formula for where in shown.where))
        groups.setdefault((places, formula), []).append(shown)
    return tuple(
        OriginLine(
            ids=tuple(shown.id for shown in lines),
            name=context.series(shown.name for shown in lines),
            places=places,
            formula=formula,
        )
        for (places, formula), lines in groups.items()
    )


# ------------------------------------------------------------------------------------------- 12 manifest
@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestSection:
    """Evidence manifest."""

    files: tuple[tuple[str, str, str, str], ...]
    """(side, path, bytes, SHA-256)."""
    cut: Cut | None
    """Of them."""
    total: int
    """Files in all."""
    unprintable: tuple[str, ...]
    """Characters that the fonts lack, as code points."""


def manifest(context: Context, unprintable: Sequence[str]) -> ManifestSection:
    """The section of the evidence manifest."""
    rows, cut = capped(context.report.manifest, FILES if context.paper else None)

    def shown(row: FileRow) -> tuple[str, str, str, str]:
        return row.side.upper(), row.path, numbers.format_count(row.size), row.digest

    return ManifestSection(
        files=tuple(shown(row) for row in rows),
        cut=cut,
        total=len(context.report.manifest),
        unprintable=tuple(fonts.code_point(character) for character in unprintable),
    )
