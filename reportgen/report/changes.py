"""What changed in words and printed figures: shared by the HTML, the PDF, the terminal and ``explain``.

Nothing is computed but decimals: how many make the printed figures add up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen import metrics, status
from reportgen.model import Missing, Quantity, Status
from reportgen.report import messages_change, numbers, wording
from reportgen.report.document import (
    AttributionRow,
    DisagreementRow,
    IntervalRow,
    MatchRow,
    MetricRow,
    MovedRow,
    Number,
    PartRow,
    Report,
    RunFigureRow,
    Value,
    WorseRow,
)
from reportgen.report.translations import Language
from reportgen.report.translations import message as _
from reportgen.report.translations import plural as _plural

DIRECTED = frozenset(metric.id for metric in metrics.METRICS if status.directed(metric))
"""Metrics of which one direction is worse."""
NAMED = 2
"""Figures that the line of page one names."""


# ------------------------------------------------------------------------------------------------ the step
@dataclass(frozen=True, slots=True, kw_only=True)
class Deltas:
    """The differences of one rank as printed: those of the parts add up to that of the step."""

    scale: numbers.Scale
    """Unit of all of them."""
    decimals: int
    """Decimals of all of them."""
    whole: str
    """Difference of the mean step, without unit; empty where none may be formed."""
    parts: tuple[str, ...]
    """Of each part; the word for what is missing where neither side records one; empty without parts."""
    median: str
    """Difference of the medians."""
    apart: str
    """That less ``whole``."""
    beside: tuple[str, ...]
    """Of what stands beside the parts; the word for what is missing."""
    adds_up: bool
    """Whether the printed figures add up; else rounding is in the way, and report.json has them exact."""

    def figure(self, exact: int | Fraction, *, signed: bool = False) -> str:
        """Another figure in the same unit and decimals, with its unit."""
        text = numbers.digits(Fraction(exact) / self.scale.factor, self.decimals, signed=signed)
        return numbers.with_unit(text, self.scale.unit)


def taken_apart(rows: Iterable[AttributionRow]) -> list[AttributionRow]:
    """Rows whose change is known and is taken apart, in their order; they share a table."""
    return [row for row in rows if row.parts and not row.blocked and isinstance(row.whole.delta, Number)]


def shared(rows: Sequence[AttributionRow]) -> tuple[numbers.Scale, int]:
    """The unit and the decimals that several ranks share.

    The decimals are those in which every rank adds up, or the fewest where there are none: each takes its own then.
    """
    largest = max((abs(_exact(row.whole.before) or Fraction(0)) for row in rows), default=Fraction(0))
    scale = numbers.scale_of(largest, "time")
    start = numbers.decimals_of(largest, scale, "time")
    found = numbers.decimals_that_add([one for row in rows for one in _sums(row)], scale, start, 3)
    return scale, start if found is None else found


def deltas(row: AttributionRow, language: Language, like: tuple[numbers.Scale, int] | None = None) -> Deltas:
    """The differences of one rank as they are printed; one more decimal as long as they do not add up.

    Args:
        row: the rank.
        language: language.
        like: unit and least decimals, as ``shared`` gives them.
    """
    values = [_exact(value) for value in (row.whole.before, row.whole.after)]
    largest = max((abs(value) for value in values if value is not None), default=Fraction(0))
    scale = numbers.scale_of(largest, "time")
    scale, start = like or (scale, numbers.decimals_of(largest, scale, "time"))
    whole, median, apart = (_exact(value) for value in (row.whole.delta, row.median, row.apart))
    found = numbers.decimals_that_add(_sums(row), scale, start)
    decimals = start if found is None else found

    def shown(part: PartRow) -> str:
        exact = _exact(part.delta)
        if exact is not None:
            return numbers.digits(exact / scale.factor, decimals, signed=True)
        return _lacking(part, language)

    def printed(exact: Fraction | None) -> str:
        return "" if exact is None else numbers.digits(exact / scale.factor, decimals, signed=True)

    return Deltas(
        scale=scale,
        decimals=decimals,
        whole=printed(whole),
        parts=tuple(map(shown, row.parts)),
        median=printed(median),
        apart=printed(apart),
        beside=tuple(map(shown, row.beside)),
        adds_up=found is not None,
    )


def _sums(row: AttributionRow) -> list[numbers.Sum]:
    """What has to add up: the parts to the step, the step and what lies between to the median."""
    whole, median, apart = (_exact(value) for value in (row.whole.delta, row.median, row.apart))
    known = [exact for part in row.parts if (exact := _exact(part.delta)) is not None]
    sums: list[numbers.Sum] = []
    if whole is not None and known:
        sums.append((known, whole))
    if whole is not None and median is not None and apart is not None:
        sums.append(([whole, apart], median))
    return sums


def _exact(value: Value) -> Fraction | None:
    return Fraction(value.quantity.value) if isinstance(value, Number) else None


def _lacking(part: PartRow, language: Language) -> str:
    """The word for a side that has no value; an en dash where only the difference may not be formed."""
    for side in (part.before, part.after):
        if isinstance(side, Missing):
            return wording.missing_word(side, language)
    return "–"


def attribution_sentence(row: AttributionRow, language: Language) -> str:
    """What the change of the mean step of a rank is made of; why nothing is taken apart where that is so."""
    if row.blocked:
        return _with_rank(row, wording.join(dict.fromkeys(wording.say(one, language) for one in row.blocked), language))
    if row.reason is not None or not isinstance(row.whole.delta, Number):
        return _with_rank(row, wording.say(row.reason, language) if row.reason else "")
    found = deltas(row, language)
    before, after = (found.figure(_exact(v) or 0) for v in (row.whole.before, row.whole.after))
    parts = (_named(part, text, found, language) for part, text in zip(row.parts, found.parts, strict=True))
    alone = row.rank is None
    sentence = messages_change.ATTRIBUTED_ALONE if alone else messages_change.ATTRIBUTED
    if of_span(row):
        sentence = messages_change.ATTRIBUTED_SPAN_ALONE if alone else messages_change.ATTRIBUTED_SPAN
    said = _(
        sentence,
        language,
        rank=str(row.rank),
        before=before,
        after=after,
        delta=numbers.with_unit(found.whole, found.scale.unit),
        parts=wording.listed(parts, language),
    )
    sentences = [said]
    if found.median and found.apart and not of_span(row):
        median, apart = (numbers.with_unit(text, found.scale.unit) for text in (found.median, found.apart))
        sentences.append(_(messages_change.MEDIAN_APART, language, median=median, apart=apart))
    known = [
        _named(part, text, found, language)
        for part, text in zip(row.beside, found.beside, strict=True)
        if isinstance(part.delta, Number)
    ]
    if known:
        sentences.append(_(messages_change.BESIDE, language, figures=wording.listed(known, language)))
    return wording.join(sentences, language)


def of_span(row: AttributionRow) -> bool:
    """Whether a device span is taken apart, for want of steps."""
    return row.whole.metric == "device_span"


def no_cause(rows: Iterable[AttributionRow], language: Language) -> str:
    """What the decomposition does not say, and why means are shown where they are."""
    said = [_(messages_change.NO_CAUSE, language)]
    if not all(of_span(row) for row in rows):
        said.append(_(messages_change.WHY_MEANS, language))
    return wording.join(said, language)


def _named(part: PartRow, text: str, found: Deltas, language: Language) -> str:
    """One part with its change and unit, or with the word for what it lacks."""
    change = numbers.with_unit(text, found.scale.unit) if isinstance(part.delta, Number) else text
    return _(messages_change.NAMED_CHANGE, language, name=wording.metric_title(part.metric, language), change=change)


def _with_rank(row: AttributionRow, text: str) -> str:
    return text if row.rank is None else f"rank {row.rank}: {text}"


def match_sums(row: MatchRow, language: Language) -> str:
    """Both sums of a match and their difference, per step."""
    texts = numbers.row_format(row.before_per_step, row.after_per_step, row.delta_per_step, language=language)
    return _(
        messages_change.SUMS,
        language,
        before=texts.before_full,
        after=texts.after_full,
        delta=texts.delta_full,
    )


# ------------------------------------------------------------------------------------------------ worse elsewhere
@dataclass(frozen=True, slots=True, kw_only=True)
class WorseTexts:
    """One figure that is worse, as printed."""

    name: str
    """Metric, kind, statistic or component."""
    place: str
    """Ranks, or the case of the runs."""
    before: str
    """BEFORE with its unit."""
    after: str
    """AFTER with its unit."""
    delta: str
    """Difference with its unit."""
    change: str
    """Relative change; empty where BEFORE is 0 or the figure is a share."""
    interval: str
    """Interval of the change; empty without one."""
    told: str
    """Told apart, exact, or that no interval can be stated."""


def worse_name(row: WorseRow | DisagreementRow | RunFigureRow, language: Language, statistic: str = "") -> str:
    """What a figure is."""
    if isinstance(row, WorseRow) and row.metric_row:
        title = wording.metric_title(row.metric, language, row.part)
    else:
        title = wording.run_title(row.metric, row.kind, language)
    if not statistic:
        return title
    return _(messages_change.FIGURE_OF, language, metric=title, statistic=wording.statistic_word(statistic, language))


def worse_texts(row: WorseRow, language: Language, *, several: bool) -> WorseTexts:
    """One figure as it is printed; ``several``: whether there is more than one rank."""
    delta = Quantity(
        value=Fraction(row.after.quantity.value) - Fraction(row.before.quantity.value), unit=row.after.quantity.unit
    )
    texts = numbers.row_format(
        row.before,
        row.after,
        delta,
        metric_unit_hint=numbers.hint_of(row.metric, row.kind),
        language=language,
        change=row.change,
        change_interval=row.interval,
    )
    place = row.case
    if row.ranks and several and row.rank is not None:
        place = _plural(messages_change.ON_RANKS, row.ranks, language, rank=str(row.rank))
    return WorseTexts(
        name=worse_name(row, language, "" if row.ranks else row.statistic),
        place=place,
        before=texts.before_full,
        after=texts.after_full,
        delta=texts.delta_full,
        change=texts.change,
        interval=texts.change_interval,
        told=_told(row, row.interval, language),
    )


def _told(row: WorseRow, interval: IntervalRow | None, language: Language) -> str:
    if row.told:
        exact = row.exact and interval is None
        return (
            _(messages_change.WORSE_TOLD["exact"], language) if exact else wording.distinguishable_word("yes", language)
        )
    higher = Fraction(row.after.quantity.value) > Fraction(row.before.quantity.value)
    return _(messages_change.WORSE_TOLD["none_higher" if higher else "none_lower"], language)


def worse_line(report: Report, language: Language, section: str) -> str:
    """The counted line of page one."""
    block = report.elsewhere
    codes = {reason.code for reason in block.not_held}
    if "pair_not_comparable" in codes:
        return _(messages_change.WORSE_NOT_HELD, language)
    rows = block.worse
    split = [_plural(messages_change.STATISTICS_DISAGREE, len(block.disagreements), language)]
    split = split if block.disagreements else []
    if not rows:
        return wording.join([_none_worse(report, codes, language, section), *split], language)
    ordered = sorted(rows, key=_size, reverse=True)
    names = [
        _(messages_change.NAMED_CHANGE, language, name=texts.name, change=texts.change or texts.delta)
        for texts in (worse_texts(row, language, several=False) for row in ordered[:NAMED])
    ]
    if len(ordered) > NAMED:
        names.append("...")
    line = _plural(
        messages_change.WORSE_LINE, len(rows), language, names=wording.listed(names, language), section=section
    )
    return wording.join([line, *split], language)


def _none_worse(report: Report, codes: Collection[str], language: Language, section: str) -> str:
    """That nothing is worse, as far as that was looked at: what could not be told of is counted."""
    if "pair_cannot_be_shown" in codes:
        return _(messages_change.WORSE_NOT_SHOWN, language)
    if codes:
        return _(messages_change.WORSE_RUNS_APART, language, section=section)
    goals = {goal.metric_row for goal in report.goals}
    unknown = {(row.metric, row.part) for row in report.metrics if row.id not in goals and _untold(row)}
    if unknown:
        return _plural(messages_change.WORSE_UNTOLD, len(unknown), language)
    return _(messages_change.WORSE_NONE, language)


def _untold(row: MetricRow) -> bool:
    """Whether both sides have a value of a metric with a worse direction, and nothing can be told of them."""
    both = isinstance(row.before.value, Number) and isinstance(row.after.value, Number)
    return both and row.status is Status.UNKNOWN and row.metric in DIRECTED


def _size(row: WorseRow) -> Fraction:
    """How much a figure changed."""
    return abs(Fraction(row.change.quantity.value)) if isinstance(row.change, Number) else Fraction(10**9)


def disagreement(row: DisagreementRow, language: Language) -> str:
    """The statistics of a quantity that disagree, in one sentence."""
    (better, better_values), (worse, worse_values) = (
        (wording.statistic_word(moved.statistic, language), _moved(row, moved, language))
        for moved in (row.better, row.worse)
    )
    return _(
        messages_change.DISAGREES,
        language,
        name=worse_name(row, language),
        better=better,
        better_before=better_values[0],
        better_after=better_values[1],
        better_change=better_values[2],
        worse=worse,
        worse_before=worse_values[0],
        worse_after=worse_values[1],
        worse_change=worse_values[2],
    )


def _moved(row: DisagreementRow, moved: MovedRow, language: Language) -> tuple[str, str, str]:
    """Both values and the change of one statistic."""
    texts = numbers.row_format(
        moved.before,
        moved.after,
        None,
        metric_unit_hint=numbers.hint_of(row.metric, row.kind),
        language=language,
        change=moved.change,
    )
    return texts.before_full, texts.after_full, texts.change
