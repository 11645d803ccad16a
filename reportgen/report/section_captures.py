"""Section "Captures and comparability": what was compared, and what differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.model import Missing, Standing
from reportgen.report import numbers, said_statistics, wording
from reportgen.report.document import (
    CaptureBlock,
    RankRow,
    SettingRow,
    Value,
    WorkloadCheckRow,
)
from reportgen.report.translations import NBSP, mark
from reportgen.report.view import (
    DIFFERING,
    EQUAL,
    IDENTITY,
    KEY,
    SHORT_DIGEST,
    TEXT,
    UNREAD,
    VALUE,
    Cell,
    Context,
    Cut,
    capped,
)


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
    """Column heads of ``facts``: the sides."""
    facts: tuple[tuple[str, tuple[Cell, ...]], ...]
    """(fact, one text for each side)."""
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
    unread = _unread(context)
    unread_rows, unread_cut = capped(unread, UNREAD if paper else None)
    differing, differing_cut = capped(report.comparability.rows, DIFFERING if paper else None)
    facts = wording.equal_facts(report.comparability.equal, context.language)
    equal, equal_cut = capped(facts, EQUAL if paper else None)
    if equal_cut is not None:  # one line may hold a key of several files: facts are counted, as they are above
        counts = wording.equal_counts(report.comparability.equal, context.language)
        shown = sum(counts[: len(equal)])
        equal_cut = Cut(shown=shown, rest=sum(counts) - shown)
    never = report.comparability.identity
    named = tuple(zip(never, wording.told_by_place(never, context.language), strict=True))
    identity, identity_cut = capped(named, IDENTITY if paper else None)
    return CaptureSection(
        captures=tuple(_capture(context, capture) for capture in report.captures),
        heads=_heads(report.captures),
        facts=_capture_facts(context),
        warnings=tuple(
            f"{capture.side.upper()}: {wording.say(reason, context.language)}"
            for capture in report.captures
            for reason in capture.warnings
        )
        + tuple(filter(None, (said_statistics.alike_text(report, context.language),))),
        unread=unread_rows,
        unread_cut=unread_cut,
        standing=wording.comparability_sentence(report, context.language),
        differing=tuple(_setting(context, row) for row in differing),
        differing_cut=differing_cut,
        equal=tuple((context.fit(key, KEY), _held(context, value).text) for key, value in equal),
        equal_cut=equal_cut,
        identity=tuple(
            (context.fit(key, KEY), _held(context, row.before), _held(context, row.after)) for row, key in identity
        ),
        identity_cut=identity_cut,
        workload=_workload(context),
        checks=tuple(_check(context, check) for check in report.workload_checks),
    )


def _unread(context: Context) -> list[tuple[str, str, str]]:
    """What was not used, by side and reason; a file of several ranks is named once."""
    found: dict[tuple[str, str], list[str]] = {}
    for block in context.report.captures:
        for path, reason in block.unread:
            key = block.side.upper(), wording.say(reason, context.language)
            found.setdefault(key, []).append(context.fit(path.rpartition("/")[2] or path, VALUE))
    return [(side, ", ".join(dict.fromkeys(names)), why) for (side, why), names in found.items()]


def _check(context: Context, check: WorkloadCheckRow) -> tuple[str, str, str, str]:
    """One agreed fact: name, agreed, seen, how it stands."""
    return (
        wording.fact_title(check.fact, context.language),
        context.fit(wording.agreed_text(check.fact, check.agreed, context.language), VALUE),
        context.fit(check.seen, VALUE) or context.text("not recorded"),
        wording.check_word(check.outcome, context.language),
    )


def _heads(blocks: Sequence[CaptureBlock]) -> tuple[str, ...]:
    """The sides that were captured; of several captures how many: ``BEFORE × 3``."""
    counts = Counter(block.side.upper() for block in blocks)
    return tuple(side if n == 1 else f"{side}{NBSP}×{NBSP}{n}" for side, n in counts.items())


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
        name=context.fit(capture.name, KEY),
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
    """Chip, cores, versions and how it was captured: facts that some capture records, one text for each side."""
    blocks = context.report.captures
    names = dict.fromkeys(name for block in blocks for name, _ in block.facts)
    rows = []
    for name in names:
        sides: dict[str, list[str]] = {}
        for block in blocks:
            text = wording.fact_text(name, dict(block.facts).get(name, ""), context.language)
            sides.setdefault(block.side, []).append(text)
        if any(text for texts in sides.values() for text in texts):
            cells = tuple(_of_captures(context, texts) for texts in sides.values())
            rows.append((wording.fact_title(name, context.language), cells))
    return tuple(rows)


def _of_captures(context: Context, texts: Sequence[str]) -> Cell:
    """What the captures of a side record: once where all record the same, else each behind its number."""
    if len(set(texts)) == 1:
        return Cell(text=texts[0], missing=not texts[0])
    told = (f"{n}: {text or context.text('not recorded')}" for n, text in enumerate(texts, 1))
    return Cell(text=context.series(told))


def _held(context: Context, value: str | None) -> Cell:
    """One side of a compared fact."""
    return Cell(text=context.fit(wording.setting_value(value, context.language), VALUE), missing=not value)


def _setting(context: Context, row: SettingRow) -> SettingLine:
    """One compared fact on one line."""
    language = context.language
    return SettingLine(
        key=context.fit(wording.fact_title(row.spelling, language), KEY),
        before=_held(context, row.before),
        after=_held(context, row.after),
        standing=row.standing,
        word=wording.standing_word(row.standing, language),
        why=context.fit(context.sentences(wording.reason_and_effect(row, language)), TEXT),
        place=context.fit(_place(context, row), VALUE),
    )


def _place(context: Context, row: SettingRow) -> str:
    """Where a compared fact stands: its place, and the files it was read from where the place names none of them.

    Paper has the names of the files alone, in a narrow column.
    """
    place = wording.place_text(row.place, context.language)
    files = list(dict.fromkeys(context.origins[identity].file for identity in row.origins))
    told = any(file.rpartition("/")[2] in row.place for file in files)
    if context.paper:
        files = list(dict.fromkeys(file.rpartition("/")[2] for file in files))
    return ": ".join(filter(None, (place, "" if told else ", ".join(files))))


def _workload(context: Context) -> tuple[str, ...]:
    """What the kernel tables show of the workload."""
    block, language = context.report.comparability.workload, context.language
    if context.alone:
        return (context.text("No BEFORE was agreed: there is no other workload to hold this one against."),)
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
