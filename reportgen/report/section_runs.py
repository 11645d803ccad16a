"""Section "Measured outside the profile": the runs that the target names, and every figure that both sides give."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reportgen.outside import step_ranges
from reportgen.report import numbers, run_texts, wording
from reportgen.report.document import IdentityRow, RunFigureRow, RunRow, RunSeriesRow
from reportgen.report.translations import mark
from reportgen.report.view import VALUE, Context, Cut, Where, capped, of_origin, whence
from reportgen.run_logs.beside import MOMENTS

ON_PAPER = 32
"""Figures in the table of the PDF."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLine:
    """One run."""

    side: str
    """BEFORE or AFTER."""
    case: str
    """Case id; of a run that several rest on theirs."""
    file: str
    """File, as the target names it."""
    digest: str
    """SHA-256."""
    producer: str
    """Who wrote it, and the definition set of its figures."""
    tag: str
    """Profiled, unprofiled, not stated."""
    option: str
    """That the target does not name it; empty where it does."""
    dated: str
    """When it was, as its producer wrote it; that no date is written."""
    stated: str
    """What else it says of the run."""
    records: str
    """What it holds, with counts."""
    identities: str
    """How many relations were checked, and which do not hold."""
    failed: bool
    """Whether one does not hold."""
    doubts: str
    """What was left out, and doubts."""
    cited: tuple[tuple[str, tuple[str, ...]], ...]
    """(name of a series, ids of its origins) as printed among the doubts."""
    where: tuple[Where, ...]
    """These origins."""


def runs(context: Context) -> tuple[RunLine, ...]:
    """The runs measured outside the profile, by case, BEFORE first; empty without any.

    A run that several cases rest on, and of which nothing else is said in one of them, stands once and names them all.
    """
    found: dict[RunLine, list[str]] = {}
    for one in (_run(context, row) for row in context.report.runs):
        found.setdefault(replace(one, case=""), []).append(one.case)
    return tuple(replace(one, case=context.series(dict.fromkeys(cases))) for one, cases in found.items())


def _run(context: Context, row: RunRow) -> RunLine:
    language = context.language
    failed = [identity for identity in row.identities if not identity.holds]
    cited = tuple(
        (wording.titled(series.metric, "", series.kind, language), series.origins)
        for series in row.series
        if any(series.left_out)
    )
    return RunLine(
        side=wording.side_word(row.side),
        case=row.case,
        file=row.file,
        digest=row.digest,
        producer=context.series(filter(None, (row.producer, row.version, row.definitions))),
        tag=wording.tag_word(row.tag, language),
        option="" if row.agreed else context.text("given on the command line, not in the target"),
        dated=_dated(context, row),
        stated=context.fit(
            context.series(f"{key} = {written}" for key, written in row.context if key not in MOMENTS), 4 * VALUE
        ),
        records=context.series(
            wording.record_text(metric, kind, numbers.format_count(count), language)
            for metric, kind, count in row.records
        ),
        identities=_identities(context, row.identities, failed),
        failed=bool(failed),
        doubts=wording.join(
            (*left_out(context, row), *(wording.say(reason, language) for reason in row.doubts)), language
        ),
        cited=cited,
        where=tuple(of_origin(context, identity) for _name, ids in cited for identity in ids),
    )


def _dated(context: Context, row: RunRow) -> str:
    """First and last moment, else the one moment that is written; as written, since no file names its zone."""
    stated = {key: written for key, written in row.context if key in MOMENTS and written}
    first, last = stated.get("first_time"), stated.get("last_time")
    if first and last and first != last:
        return context.text("from %(first)s to %(last)s by its own clock", first=first, last=last)
    when = next((stated[key] for key in MOMENTS if key in stated), "")
    if not when:
        return context.text("no date is written in it")
    return context.text("%(when)s by its own clock", when=when)


def left_out(context: Context, row: RunRow) -> tuple[str, ...]:
    """What of the values that goals are on does not count, and why, one sentence for each series that has such."""
    return tuple(_kept(context, series) for series in row.series if any(series.left_out))


def _kept(context: Context, series: RunSeriesRow) -> str:
    language = context.language
    reasons = ("warm_up", "checkpoint")
    said = []
    for reason in reasons:
        steps = [label for label, why in zip(series.labels, series.left_out, strict=False) if why == reason]
        if steps:
            pattern = mark("warm-up %(steps)s") if reason == "warm_up" else mark("checkpoint %(steps)s")
            said.append(context.text(pattern, steps=step_ranges(steps)))
    return context.text(
        "%(name)s: %(kept)s of %(n)s values count; steps left out: %(steps)s [%(origin)s].",
        name=wording.titled(series.metric, "", series.kind, language),
        kept=series.left_out.count(""),
        n=len(series.values),
        steps=context.series(said),
        origin=", ".join(series.origins),
    )


def _identities(context: Context, rows: tuple[IdentityRow, ...], failed: list[IdentityRow]) -> str:
    if not rows:
        return context.text("none could be checked")
    if not failed:
        return context.text("%(n)s checked, all hold", n=len(rows))
    ids = context.series(f"{row.id} ({row.what})" for row in failed)
    return context.text("%(n)s of %(of)s do not hold: %(ids)s", n=len(failed), of=len(rows), ids=ids)


# ------------------------------------------------------------------------------------------------ figures
@dataclass(frozen=True, slots=True, kw_only=True)
class FigureLine:
    """One figure of runs on one line."""

    id: str
    """``R1`` ..."""
    case: str
    """Case of the runs; empty where there is one alone."""
    texts: run_texts.FigureTexts
    """As printed."""
    goals: str
    """Goals that are on it."""
    where: tuple[Where, ...]
    """Its origins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureSection:
    """Every figure that the runs of both sides give."""

    lines: tuple[FigureLine, ...]
    """By case."""
    cut: Cut | None
    """Of them."""
    reasons: tuple[tuple[str, str], ...]
    """(ids of the figures, sentence): why nothing is told of them."""
    methods: tuple[str, ...]
    """How intervals were made."""
    caveats: tuple[tuple[str, str], ...]
    """(ids of the figures, sentence): what stands beside their words."""


def figures(context: Context) -> FigureSection:
    """Every figure that the runs of both sides give, whether a goal is on it or not."""
    rows = context.report.run_figures
    shown, cut = capped(rows, ON_PAPER if context.paper else None)
    several = len({row.case for row in rows}) > 1
    methods = dict.fromkeys(row.interval.method for row in shown if row.interval is not None)
    return FigureSection(
        lines=tuple(_line(context, row, several=several) for row in shown),
        cut=cut,
        reasons=run_texts.reasons(shown, context.language),
        methods=tuple(wording.run_method(name, context.language) for name in methods),
        caveats=run_texts.caveats(shown, context.language),
    )


def _line(context: Context, row: RunFigureRow, *, several: bool) -> FigureLine:
    return FigureLine(
        id=row.id,
        case=row.case if several else "",
        texts=run_texts.figure_texts(context.report.known_spreads, row, context.language),
        goals=context.series(row.goals),
        where=whence(context, (row.before, row.after)),
    )
