"""How a figure of runs is printed, in the report, its tables and the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.model import Missing, Reason
from reportgen.report import changes, messages_runs, numbers, said_statistics, wording
from reportgen.report.document import KnownSpreadRow, Number, RunFigureRow
from reportgen.report.translations import Language, message


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureTexts:
    """One figure of runs, as printed."""

    name: str
    """Metric, kind and statistic."""
    before: str
    """BEFORE with its unit, or the word for what is missing."""
    after: str
    """AFTER."""
    delta: str
    """Difference with its unit; empty where none may be formed."""
    change: str
    """Relative change, of a time that of its speed too; empty where none may be formed."""
    ratio: str
    """AFTER / BEFORE; empty where none may be formed."""
    interval: str
    """Interval of the change; the word for what is counted; empty without one."""
    counts: str
    """Runs and values of each side, ``1 × 200``, of both where they differ."""
    word: str
    """What may be said of it."""
    why: str
    """Why nothing is told of it, and what stands beside its interval; empty where the word says it all."""


def figure_texts(known: Sequence[KnownSpreadRow], row: RunFigureRow, language: Language) -> FigureTexts:
    """One figure as it is printed; ``known``: what is known between runs, which its interval may hold."""
    texts = row_texts(row, language)
    sides = [
        text if isinstance(value, Number) else wording.missing_word(value, language)
        for text, value in ((texts.before_full, row.before), (texts.after_full, row.after))
    ]
    formed = isinstance(row.change, Number)
    ratio = numbers.format_ratio(1 + Fraction(row.change.quantity.value)) if isinstance(row.change, Number) else ""
    speed = said_statistics.speed_text(row.change, row.speed, language)
    interval = texts.change_interval
    if interval and speed:  # two changes stand before it
        interval = message(messages_runs.OF_TIME, language, interval=interval)
    if row.exact and not row.blocked:
        interval = wording.counted_word("memory" if row.metric == "memory" else "counts", language)
    held = said_statistics.held_spread(known, row.between, language)
    band = said_statistics.equivalence_figures(row.equivalence, language)
    return FigureTexts(
        name=changes.worse_name(row, language, row.statistic),
        before=sides[0],
        after=sides[1],
        delta=texts.delta_full if isinstance(row.delta, Number) else "",
        change=(speed or texts.change) if formed else "",
        ratio=ratio,
        interval=interval,
        counts=_counts(row),
        word=wording.run_word(row, language),
        why=wording.join(filter(None, (held, band)), language),
    )


def row_texts(row: RunFigureRow, language: Language) -> numbers.RowTexts:
    """Both sides and what is formed of them, in the one unit and with the decimals of the row."""
    return numbers.row_format(
        row.before if isinstance(row.before, Number) else None,
        row.after if isinstance(row.after, Number) else None,
        row.delta if isinstance(row.delta, Number) else None,
        metric_unit_hint=numbers.hint_of(row.metric, row.kind),
        language=language,
        change=row.change if isinstance(row.change, Number) else None,
        change_interval=row.interval,
        told=row.distinguishable == "yes",
    )


def _counts(row: RunFigureRow) -> str:
    """Runs and the values behind each, once where both sides are alike; of unlike numbers each: ``198 + 1,998``."""
    sides = [
        numbers.format_repeats(runs, values) if len(set(counts)) < 2 else " + ".join(map(numbers.format_count, counts))
        for runs, values, counts in (
            (row.runs_before, row.values_before, row.counts_before),
            (row.runs_after, row.values_after, row.counts_after),
        )
    ]
    return sides[0] if sides[0] == sides[1] else " / ".join(sides)


def reasons(rows: Sequence[RunFigureRow], language: Language) -> tuple[tuple[str, str], ...]:
    """(ids of figures, sentence): why figures that may not be judged are not; neighbours as a range, ``R1–R4``."""
    return _by_sentence(((row.id, row.blocked) for row in rows), language)


def caveats(rows: Sequence[RunFigureRow], language: Language) -> tuple[tuple[str, str], ...]:
    """(ids of figures, sentence): what stands beside their words, as that a side has a single run."""
    return _by_sentence(((row.id, row.caveats) for row in rows), language)


def why(row: RunFigureRow, language: Language) -> tuple[str, ...]:
    """Why a figure is told so or not, why it has no change, and what stands beside, each once."""
    formed = isinstance(row.delta, Number)
    no_change = (row.change.reason,) if formed and isinstance(row.change, Missing) else ()
    reasons = dict.fromkeys((*(row.blocked or (row.reason,)), *no_change, *row.caveats))
    return tuple(wording.say(reason, language) for reason in reasons)


def _by_sentence(rows: Iterable[tuple[str, Iterable[Reason]]], language: Language) -> tuple[tuple[str, str], ...]:
    said: dict[str, list[str]] = {}
    for identity, reasons_of in rows:
        for reason in reasons_of:
            said.setdefault(wording.say(reason, language), []).append(identity)
    return tuple((wording.id_ranges(ids, language), sentence) for sentence, ids in said.items())
