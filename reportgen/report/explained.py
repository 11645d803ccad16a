"""The words of ``explain``: one thing of a report in titled blocks of names and texts.

Figures stand as the report prints them, then exactly. Nothing is computed or judged here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from reportgen.model import Missing, Quantity, Reason
from reportgen.report import (
    changes,
    explained_changes,
    explained_gates,
    messages,
    messages_gates,
    numbers,
    places,
    said_statistics,
    spread,
    text,
    wording,
)
from reportgen.report.document import (
    AttributionRow,
    BandRow,
    DisagreementRow,
    GoalRow,
    IntervalRow,
    MatchRow,
    MetricRow,
    Number,
    OperatorRow,
    OperatorSide,
    OriginRow,
    Report,
    RunFigureRow,
    SideValue,
    SourceRow,
    ThresholdRow,
    Value,
    WorseRow,
)
from reportgen.report.lookup import Entry, Explanation, entries
from reportgen.report.translations import Language
from reportgen.report.translations import message as _
from reportgen.report.translations import plural as _plural

DIGITS = 60
"""Characters of the longest exact value that is printed."""
ESTIMATE_DIGITS = 10
"""Significant digits of an estimate that was made in floating point."""
SHOWN = 40
"""Values of a sample, and things that rest on an origin, that are printed; all are in report.json."""

Pair = tuple[str, str]


def explanation(report: Report, found: Explanation, language: Language) -> str:
    """One thing of a report in words, with a final newline."""
    return text.finish(_blocks(report, found, language))


def listing(report: Report, language: Language) -> str:
    """Every id of a report with what it names, with a final newline."""
    blocks = []
    for kind, title in (*messages.EXPLAIN_LIST.items(), *messages_gates.EXPLAIN_LIST.items()):
        rows = [[entry.id, entry.name, _title(entry, language)] for entry in entries(report) if entry.kind == kind]
        if rows:
            lines = text.table([["", "", ""], *rows], ("l", "l", "l"))[1:]
            blocks.append([_(title, language), *(f"  {line}" for line in lines)])
    return text.finish(blocks)


# --------------------------------------------------------------------------------------------- blocks
def _blocks(report: Report, found: Explanation, language: Language) -> Iterator[list[str]]:
    """Titled blocks of lines."""
    row = found.row
    entry = Entry(id=found.id, name=found.name, kind=found.kind, found=row)
    yield [f"{_title(entry, language)}  [{' = '.join(filter(None, (found.id, found.name)))}]"]
    told: set[str] = set()
    if isinstance(row, MetricRow):
        blocks = list(_metric(report, row, found, language))
        told = {line.split()[0] for block in blocks for line in block if line.strip()}
        yield from blocks
    elif isinstance(row, OperatorRow):
        yield from _operator(report, row, language, found.side)
    elif isinstance(row, (RunFigureRow, AttributionRow, MatchRow, WorseRow, DisagreementRow)):
        changed = explained_changes.lines(report, row, language)
        yield _block(_(messages.EXPLAIN_HEADS[found.kind], language), changed)
    elif isinstance(row, GoalRow):
        yield _block(_(messages.EXPLAIN_HEADS["goal"], language), _goal(report, row, language))
        if found.judged is not None:
            head = _(messages.EXPLAIN_HEADS["judged"], language)
            after = _side(report, found.judged, found.judged.after, language)
            yield _block(f"{head}, AFTER [{found.judged.id} = {found.judged.name}]", after)
    elif isinstance(row, ThresholdRow):
        yield _block(_(messages.EXPLAIN_HEADS["rule"], language), _rule(row, language))
    elif isinstance(row, explained_gates.Assured):
        yield _block(_(messages_gates.EXPLAIN_HEADS[found.kind], language), explained_gates.pairs(row, language))
    else:
        yield _block(_(messages.EXPLAIN_HEADS["origin"], language), _origin(report, row, found, language))
    for goal in found.goals:
        title = _(messages.EXPLAIN_HEADS["goals"], language)
        yield _block(f"{title} [goal:{goal.id}]", _goal(report, goal, language))
    for rule in found.rules:
        title = _(messages.EXPLAIN_HEADS["rules"], language)
        yield _block(f"{title} [rule:{rule.id}]", _rule(rule, language))
    if found.sources:
        lines = [pair for source in found.sources for pair in _source(source, language)]
        yield _block(_(messages.EXPLAIN_HEADS["sources"], language), lines)
    further = [origin for origin in found.origins if origin.id not in told]
    if not isinstance(row, OriginRow) and further:
        each = _by_file(further, language) if told else (pair for one in further for pair in _where(one, language))
        lines = list(each)
        yield _block(_(messages.EXPLAIN_HEADS["origins"], language), lines)
    if found.beside:
        yield _block(_(messages.EXPLAIN_HEADS["beside"], language), _by_file(found.beside, language))


def _block(title: str, pairs: Iterable[Pair]) -> list[str]:
    """A title with names and texts below it."""
    return [title, *(f"  {line}" for line in text.pairs(pairs))]


def _label(name: str, language: Language) -> str:
    return _(messages.EXPLAIN[name], language)


def _title(entry: Entry, language: Language) -> str:
    """What an id names."""
    row = entry.found
    if isinstance(row, MetricRow):
        return _placed(wording.metric_title(row.metric, language, row.part), row.rank, row.device, language)
    if isinstance(row, OperatorRow):
        return _placed(row.type, row.rank, None, language)
    if isinstance(row, AttributionRow):
        return _placed(wording.metric_title(row.whole.metric, language), row.rank, row.device, language)
    if isinstance(row, MatchRow):
        return _placed(" + ".join(row.after), row.rank, None, language)
    if isinstance(row, (RunFigureRow, WorseRow, DisagreementRow)):
        return changes.worse_name(row, language, "" if isinstance(row, DisagreementRow) else row.statistic)
    if isinstance(row, GoalRow):
        return wording.goal_text(row, language)
    if isinstance(row, ThresholdRow):
        return wording.in_language(row.title, language)
    if isinstance(row, explained_gates.Assured):
        return explained_gates.title(row, language)
    return f"{row.origin.file}: {places.locator_text(row.origin.locator, language)}"


def _placed(title: str, rank: int | None, device: int | None, language: Language) -> str:
    """A title with its rank, else its device."""
    if rank is not None:
        return _(messages.LIST, language, first=title, second=f"rank {rank}")
    return title if device is None else _(messages.LIST, language, first=title, second=f"device {device}")


# --------------------------------------------------------------------------------------------- values
def _number(
    quantity: Quantity,
    hint: str,
    language: Language,
    *,
    signed: bool = False,
    estimated: bool = False,
    shown: str = "",
) -> str:
    """A number as the report prints it, then exactly, then as it was written; an estimate with ``ESTIMATE_DIGITS``.

    An estimate was computed in floating point: its binary fraction has an exact value, and that says nothing.
    """
    shown = shown or numbers.format_value(quantity, metric_unit_hint=hint, language=language, signed=signed)
    if estimated:
        unit = "" if quantity.unit == "1" else f" {quantity.unit}"
        return f"{shown}  ({_label('estimate', language)} {float(quantity.value):.{ESTIMATE_DIGITS}g}{unit})"
    written = f", {quantity.written}" if quantity.written else ""
    return f"{shown}  ({_exactly(quantity, language)}{written})"


def _exactly(quantity: Quantity, language: Language) -> str:
    """The exact value, or where it stands when it has too many digits to read."""
    exact = quantity.exact()
    return f"{_label('exact', language)} {exact}" if len(exact) <= DIGITS else _(messages.EXACT_ELSEWHERE, language)


def _value(value: Value, language: Language, shown: str, *, estimated: bool = False) -> list[Pair]:
    """A number, or why there is none and what would supply it.

    ``shown``: as its row prints it, in the unit and with the decimals that the figures of a row share.
    """
    if isinstance(value, Number):
        said = _number(value.quantity, "", language, estimated=estimated, shown=shown)
        return [(_label("value", language), said)]
    return _lacking(value, language)


def _lacking(missing: Missing, language: Language) -> list[Pair]:
    word = wording.missing_word(missing, language)
    found = [(_label("missing", language), _(messages.COLON, language, name=word, text=_say(missing.reason, language)))]
    return [*found, *([(_label("remedy", language), _say(missing.remedy, language))] if missing.remedy else [])]


def _say(reason: Reason, language: Language) -> str:
    return wording.say(reason, language)


def _ratio_interval(interval: IntervalRow | None, language: Language) -> list[Pair]:
    """An interval of AFTER / BEFORE with its level and how it was made."""
    if interval is None:
        return []
    ends, half = (interval.low.quantity, interval.high.quantity), _half(interval)
    low, high = (numbers.format_value(end, metric_unit_hint="ratio", u=half, language=language) for end in ends)
    return _interval(interval, language, f"[{low}, {high}]")


def _inside(interval: IntervalRow, hint: str, row: numbers.RowTexts) -> str:
    """Both ends in the unit of their row, with its decimals; more where the interval is narrower than those show."""
    low, high = (Fraction(end.quantity.value) for end in (interval.low, interval.high))
    kind = numbers.kind_of(hint, interval.low.quantity.unit)
    own = numbers.decimals_of(low, row.scale, kind, _half(interval))
    finer = replace(row, decimals=max(row.decimals, own))
    return f"[{finer.value(low)}, {finer.value(high)}]"


def _half(interval: IntervalRow) -> Fraction:
    """Half the width of an interval."""
    return (Fraction(interval.high.quantity.value) - Fraction(interval.low.quantity.value)) / 2


def _interval(interval: IntervalRow | None, language: Language, ends: str, *, of_runs: bool = False) -> list[Pair]:
    """An interval with its level and how it was made; ``ends``: as printed; ``of_runs``: outside the profile."""
    if interval is None:
        return []
    said = _(
        messages.LEVEL_METHOD,
        language,
        interval=ends,
        level=numbers.format_level(interval.level.quantity),
        method=(wording.run_method if of_runs else wording.method_word)(interval.method, language),
    )
    exact = [float(end.quantity.value) for end in (interval.low, interval.high)]
    unit = "" if interval.low.quantity.unit == "1" else f" {interval.low.quantity.unit}"
    estimates = (
        f"{_label('estimate', language)} {exact[0]:.{ESTIMATE_DIGITS}g}{unit}, {exact[1]:.{ESTIMATE_DIGITS}g}{unit}"
    )
    return [(_label("interval", language), said), (_label("ends", language), estimates)]


def _cut(items: Sequence[str], language: Language) -> str:
    """Items in a row, the first of many."""
    shown = wording.listed(items[:SHOWN], language)
    if len(items) <= SHOWN:
        return shown
    more = _plural(messages.OF_MORE, len(items) - SHOWN, language)
    return _(messages.LIST, language, first=shown, second=more)


# --------------------------------------------------------------------------------------------- metrics
def _metric(report: Report, row: MetricRow, found: Explanation, language: Language) -> Iterator[list[str]]:
    """A metric row: each side that was asked for, then both compared."""
    definition, formula = messages.GLOSSARY.get(row.metric, ("", ""))
    said = [
        (_label("definition", language), _(definition, language)),
        (_label("formula", language), places.formula_text(formula, language)),
    ]
    yield text.pairs(pair for pair in said if pair[1])
    sides = {"before": row.before, "after": row.after}
    for name, side in sides.items():
        if found.side in ("", name):
            yield _block(wording.side_word(name), _side(report, row, side, language))
    if not found.side:
        between = [(_label("between", language), said) for said in spread.words(row, language)]
        lines = [*_compared(report, row, language), *_beside(report, row, language), *between]
        yield _block(_(messages.EXPLAIN_HEADS["compared"], language), lines)


def _texts(report: Report, row: MetricRow, language: Language) -> numbers.RowTexts:
    """The figures of a metric in the unit and with the decimals that its row has, which those of all ranks share."""
    rows = [one for one in report.metrics if (one.metric, one.part) == (row.metric, row.part)]
    return numbers.metric_texts(row, language, like=numbers.shared_texts(rows, language) if len(rows) > 1 else None)


def _side(report: Report, row: MetricRow, side: SideValue, language: Language) -> Iterator[Pair]:
    """One side of a metric: value, how it was made, what it rests on, what speaks for and against it."""
    hint = row.metric
    texts = _texts(report, row, language)
    shown = texts.value(side.value.quantity.value) if isinstance(side.value, Number) else ""
    yield from _value(side.value, language, shown)
    yield from _how(row, side, language)
    if side.at:
        yield _label("at", language), side.at
    if side.numerator is not None and side.denominator is not None:
        parts = (_number(number.quantity, "", language) for number in (side.numerator, side.denominator))
        yield _label("over", language), " / ".join(parts)
    if side.sample:
        labels = side.labels or ("",) * len(side.sample)
        seen = [number.quantity for number in side.sample]
        finer = replace(texts, decimals=numbers.decimals_unlike(seen[:SHOWN], texts))
        values = [f"{label}: {shown}" if label else shown for label, shown in
                  zip(labels, (finer.value(one.value) for one in seen), strict=True)]  # fmt: skip
        yield _label("sample", language), _cut(values, language)
    if side.dropped:
        yield _label("dropped", language), wording.listed(side.dropped, language)
    if isinstance(side.mean, Number):
        mean = side.mean.quantity
        yield _label("mean", language), _number(mean, hint, language, shown=texts.value(mean.value))
    if side.interval is not None:
        yield from _interval(side.interval, language, _inside(side.interval, hint, texts))
    for witness in side.witnesses:
        found, expected = (_figure(number, "", language) for number in (witness.found, witness.expected))
        name = wording.witness_word(witness.name, language)
        said = _(messages.CHECKED[witness.agrees], language, name=name, found=found, expected=expected)
        yield _label("checks", language), said
    for reason in side.warnings:
        yield _label("doubts", language), _say(reason, language)
    for identity in dict.fromkeys(side.value.origins if isinstance(side.value, Number) else ()):
        yield from _where(next(origin for origin in report.origins if origin.id == identity), language)


def _figure(number: Number, hint: str, language: Language) -> str:
    return numbers.format_value(number.quantity, metric_unit_hint=hint, language=language)


def _how(row: MetricRow, side: SideValue, language: Language) -> Iterator[Pair]:
    """Statistic, variant and kind of file."""
    if not isinstance(side.value, Number):
        return
    said = [wording.statistic_word(row.statistic, language)]
    said += [wording.basis_word(side.basis, language)] if side.basis else []
    if side.source:
        kinds = wording.source_words((side.source,), language)
        said.append(_(messages.FROM_KIND, language, kinds=kinds))
    yield _label("how", language), wording.listed(said, language)


def _compared(report: Report, row: MetricRow, language: Language) -> Iterator[Pair]:
    """AFTER against BEFORE, and whether a difference may be called one; of sides that are not comparable why not."""
    if wording.are_apart(report) or wording.is_blocked(report, row):
        yield _label("told", language), wording.distinguishable_word("cannot be known", language)
        for reason in row.blocked:
            yield _label("blocked", language), _say(reason, language)
        return
    texts = _texts(report, row, language)
    if isinstance(row.delta, Number):
        yield _label("delta", language), _number(row.delta.quantity, row.metric, language, shown=texts.delta_full)
    if isinstance(row.change, Number):
        exact = _exactly(row.change.quantity, language)
        yield _label("change", language), f"{texts.change}  ({exact})"
    if row.speed is not None:
        fast = f"{numbers.format_change(row.speed.quantity)}  ({_exactly(row.speed.quantity, language)})"
        yield _label("speed", language), fast
    if row.estimate is not None:
        yield _label("ratio", language), numbers.format_ratio(row.estimate.quantity)
    yield from _ratio_interval(row.interval, language)
    yield _label("told", language), wording.distinguishable_word(row.distinguishable, language)
    yield _label("status", language), wording.status_word(row, language)
    yield _label("why", language), _say(row.reason, language)
    for reason in row.blocked:
        yield _label("blocked", language), _say(reason, language)
    if row.equivalence is not None:
        figures = said_statistics.equivalence_figures(row.equivalence, language)
        yield _label("band", language), wording.join((figures, _say(row.equivalence.reason, language)), language)


def _beside(report: Report, row: MetricRow | GoalRow, language: Language) -> Iterator[Pair]:
    """What is known between captures and in the interval, and how many captures would decide a goal."""
    for known in report.known_spreads:
        if known.id == row.between:
            exact = _exactly(known.value.quantity, language)
            yield _label("known", language), f"{said_statistics.known_text(known, language)}  ({exact})"
            for identity in known.value.origins:
                yield from _where(next(origin for origin in report.origins if origin.id == identity), language)
    if isinstance(row, GoalRow) and row.captures_needed is not None:
        yield _label("needed", language), said_statistics.needed(row, language)


# --------------------------------------------------------------------------------------------- operators
def _operator(report: Report, row: OperatorRow, language: Language, side: str) -> Iterator[list[str]]:
    """An operator type: each side that was asked for, then both compared."""
    for name, found in (("before", row.before), ("after", row.after)):
        if side in ("", name):
            lines = list(_operator_side(found, language)) if found is not None else [
                (_label("missing", language), wording.change_word(row.change, language))]  # fmt: skip
            yield _block(wording.side_word(name), lines)
    if side:
        return
    if (wording.are_apart(report) or wording.times_are_blocked(report)) and report.verdict is not None:
        why = (_label("blocked", language), _say(report.verdict.reason, language))
        change = (_label("kind_of_change", language), wording.change_word(row.change, language))
        yield _block(_(messages.EXPLAIN_HEADS["compared"], language), [change, why])
        return
    delta = (_label("delta", language), _number(row.delta_per_step.quantity, "", language, signed=True))
    lines = [(_label("kind_of_change", language), wording.change_word(row.change, language)), delta]
    if row.call_estimate is not None:
        lines.append((_label("ratio", language), numbers.format_ratio(row.call_estimate.quantity)))
    lines += _ratio_interval(row.call_interval, language)
    lines.append((_label("told", language), wording.distinguishable_word(row.distinguishable, language)))
    lines.append((_label("why", language), _say(row.reason, language)))
    yield _block(_(messages.EXPLAIN_HEADS["compared"], language), lines)


def _operator_side(side: OperatorSide, language: Language) -> Iterator[Pair]:
    """One side of an operator type."""
    named = (("calls", side.calls), ("calls_per_step", side.calls_per_step), ("total", side.total),
             ("total_per_step", side.total_per_step), ("call_mean", side.mean), ("median", side.median))  # fmt: skip
    for name, number in named:
        yield _label(name, language), _number(number.quantity, "", language)


# --------------------------------------------------------------------------------------------- goals and rules
def _goal(report: Report, goal: GoalRow, language: Language) -> Iterator[Pair]:
    """A goal: what was agreed and where, by which rule it was decided, and how."""
    yield _label("agreed", language), wording.goal_text(goal, language)
    clause = f", {goal.clause}" if goal.clause else ""
    reference = report.contract.reference if report.contract else ""
    if reference or clause:
        yield _label("source", language), f"{reference}{clause}".removeprefix(", ")
    yield _label("limit", language), _limit(goal, language)
    for identity in dict.fromkeys(goal.limit.origins):
        yield from _where(next(origin for origin in report.origins if origin.id == identity), language)
    if goal.side_condition:
        yield _label("condition", language), goal.side_condition
    if report.contract is not None:
        yield _label("rule", language), _(messages.RULES_ALONE[report.contract.decision_rule], language)
    yield from _judged_value(report, goal, language)
    if goal.speed is not None and isinstance(goal.change, Number):
        yield _label("change", language), said_statistics.speed_text(goal.change, goal.speed, language)
    yield from _beside(report, goal, language)
    if goal.metric_row:
        yield _label("judged", language), goal.metric_row
    yield _label("outcome", language), wording.goal_outcome(report, goal, language)
    yield _label("why", language), _say(goal.reason, language)
    if goal.margin is not None:
        guarded = report.contract is not None and report.contract.decision_rule == "guarded"
        estimated = wording.is_estimate(goal) or (
            guarded and goal.interval is not None
        )  # then an end of the interval decided
        margin = goal.margin.quantity
        sign = numbers.MINUS if margin.value < 0 else "+" if margin.value else ""
        shown = sign + wording.goal_margin(goal, language) if isinstance(goal.value, Number) else ""
        said = _number(margin, wording.goal_hint(goal), language, signed=True, estimated=estimated, shown=shown)
        yield _label("margin", language), said
    for reason in goal.reservations:
        yield _label("reservation", language), _say(reason, language)


def _limit(goal: GoalRow, language: Language) -> str:
    """The limit as agreed, then exactly."""
    return f"{wording.goal_limit(goal, language)}  ({_exactly(goal.limit.quantity, language)})"


def _judged_value(report: Report, goal: GoalRow, language: Language) -> Iterator[Pair]:
    """The value a goal's limit is on; of sides that are not comparable both values, and nothing made of the two."""
    if wording.may_not_be_formed(report, goal):
        for name, side in (("BEFORE", goal.before), ("AFTER", goal.after)):
            if isinstance(side, Number):
                yield name, _number(side.quantity, goal.metric, language)
        yield _label("value", language), wording.not_judged_word(language)
        return
    shown = wording.goal_value(goal, language)
    yield from _value(goal.value, language, shown, estimated=wording.is_estimate(goal))
    yield from _interval(goal.interval, language, wording.goal_interval(goal, language), of_runs=goal.measured_outside)
    if wording.is_estimate(goal):
        yield _label("judged_as", language), wording.estimate_text(goal, language)
    yield from _both_values(report, goal, language)
    if wording.is_estimate(goal):
        yield _label("why", language), wording.estimate_sentence(goal, language)


def _both_values(report: Report, goal: GoalRow, language: Language) -> Iterator[Pair]:
    """What a delta or ratio is of, and of several captures or runs the value of each; then the arithmetic."""
    texts, statistic = numbers.goal_texts(goal, language), wording.statistic_word(goal.statistic, language)
    against = _label("fixed", language) if goal.baseline == "fixed" else "BEFORE"
    sides = (
        (against, goal.before, texts.before_full, goal.each_before),
        ("AFTER", goal.after, texts.after_full, goal.each_after),
    )
    for name, side, full, each in sides[goal.subject == "after" :]:
        if isinstance(side, Number) and goal.subject != "after":
            shown = _number(side.quantity, goal.metric, language, shown=full)
            yield name, _(messages.LIST, language, first=shown, second=statistic)
        decimals = numbers.decimals_unlike([one.quantity for one in each], texts)
        for value in each:
            said = _number(
                value.quantity,
                goal.metric,
                language,
                shown=replace(texts, decimals=decimals).value(value.quantity.value),
            )
            yield name, _(messages.LIST, language, first=said, second=_file_of(report, value))
        if each:
            yield _label("joined", language), _(messages.JOINED["worst" if goal.exact else "mean"], language)
    arithmetic = wording.arithmetic_text(goal, language)
    if arithmetic:
        yield _label("quotient", language), arithmetic


def _file_of(report: Report, value: Number) -> str:
    """The capture or run that a value is of: the file of its first origin."""
    origin = next(one.origin for one in report.origins if one.id == value.origins[0])
    return origin.file.removeprefix("log:")


def _rule(rule: ThresholdRow, language: Language) -> Iterator[Pair]:
    """An official rule: whether it applies, its bands, and both values."""
    yield _label("applies", language), wording.applicability_word(rule.applicability, language)
    for reason in rule.reasons:
        yield _label("why", language), _say(reason, language)
    scope = wording.in_language(rule.scope, language)
    if scope:
        yield _label("scope", language), scope
    for band in rule.bands:
        yield _label("bands", language), f"{_band_word(band.id, language)} {_band_ends(band, rule.metric, language)}"
    sides = (("BEFORE", rule.before, rule.band_before), ("AFTER", rule.after, rule.band_after))
    for name, value, band_id in sides:
        if isinstance(value, Number):
            shown = _number(value.quantity, rule.metric, language)
            yield name, wording.listed(filter(None, (shown, _band_word(band_id, language))), language)
        elif value is not None:
            yield name, wording.missing_word(value, language)
    if rule.sources:
        yield _label("source", language), wording.listed(rule.sources, language)


def _band_word(band: str, language: Language) -> str:
    return wording.band_word(band, language) if band in messages.BANDS else band


def _band_ends(band: BandRow, hint: str, language: Language) -> str:
    """``[0, 3.0%)``: a bracket includes its end, a parenthesis does not."""
    low = "" if band.low is None else _figure(band.low, hint, language)
    high = "" if band.high is None else _figure(band.high, hint, language)
    return f"{'[' if band.low_included else '('}{low}, {high}{']' if band.high_included else ')'}"


def _source(source: SourceRow, language: Language) -> Iterator[Pair]:
    """A document that a rule cites."""
    named = (source.document, source.version, source.section, source.publisher)
    yield source.id, wording.listed(filter(None, named), language)
    if source.locator:
        yield _label("place", language), source.locator
    if source.quote:
        yield _label("quote", language), f"{source.quote} ({source.verified})"


# --------------------------------------------------------------------------------------------- origins
def _where(row: OriginRow, language: Language) -> Iterator[Pair]:
    """Where a number comes from: file, digest, place and rule."""
    origin = row.origin
    yield row.id, origin.file
    if origin.digest:
        yield _label("digest", language), origin.digest
    yield _label("place", language), places.locator_text(origin.locator, language)
    if origin.formula:
        yield _label("formula", language), places.formula_text(origin.formula, language)


def _by_file(rows: Iterable[OriginRow], language: Language) -> Iterator[Pair]:
    """Origins file by file, as cross-checks and the level of an interval have many."""
    files: dict[tuple[str, str], list[OriginRow]] = {}
    for row in rows:
        files.setdefault((row.origin.file, row.origin.digest), []).append(row)
    for (file, digest), some in files.items():
        yield ", ".join(row.id for row in some), file
        if digest:
            yield _label("digest", language), digest
        shown = (places.locator_text(row.origin.locator, language) for row in some)
        yield _label("place", language), wording.listed(dict.fromkeys(shown), language)
        rules = (places.formula_text(row.origin.formula, language) for row in some if row.origin.formula)
        yield _label("formula", language), wording.listed(dict.fromkeys(rules), language)


def _origin(report: Report, row: OriginRow, found: Explanation, language: Language) -> Iterator[Pair]:
    """An origin, the size of its file, and what rests on it."""
    yield from _where(row, language)
    for file in report.manifest:
        if file.digest == row.origin.digest and row.origin.file.endswith(file.path):
            yield _label("size", language), numbers.format_count(file.size)
            break
    if found.uses:
        yield _label("used", language), _cut(found.uses, language)
