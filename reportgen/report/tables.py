"""The long tables of the report whole, as CSV files for a spreadsheet: no row left out, no number rounded.

UTF-8 with a byte order mark, without which spreadsheets on Chinese systems read GBK; commas, CRLF, every cell in quotes
(RFC 4180). A text that a spreadsheet would take for a formula has an apostrophe before it. Numbers are decimals in the
unit that stands in a column of its own; where no finite decimal is exact, it has 17 digits and another column holds the
quotient. Every row names where its numbers come from.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from decimal import Context as Precision
from decimal import Decimal
from fractions import Fraction

from reportgen.model import Side
from reportgen.plain import printable
from reportgen.report import changes, messages_change, numbers, run_texts, wording
from reportgen.report.document import (
    AttributionRow,
    GoalRow,
    MatchRow,
    MetricRow,
    Number,
    OperatorRow,
    OperatorSide,
    Report,
    RunFigureRow,
    RunRow,
    RunSeriesRow,
    SettingRow,
    Value,
    WorseRow,
)
from reportgen.report.places import formula_text, locator_text
from reportgen.report.section_measured import goal_origins, goal_rests
from reportgen.report.translations import Language, mark, message
from reportgen.report.view import Context, ranks, shown_file, told_word
from reportgen.units import number_text

FOLDER = "tables"
"""Directory of the files beside report.html."""
LEFT_OUT = {"warm_up": mark("as warm-up"), "checkpoint": mark("as a checkpoint step")}
"""Why a value of a log is left out."""
FORMULA = "=+-@\t\r\n＝＋－＠"
"""First characters that make a spreadsheet take a text for a formula (OWASP, CSV injection), half and full width."""
DIGITS = Precision(prec=17)
"""What tells any two floats apart; more than a spreadsheet keeps."""
Row = Sequence[str]


def render(report: Report, language: Language) -> dict[str, bytes]:
    """The tables by path, ``tables/goals.csv`` first; the same report and language give the same bytes.

    Args:
        report: the data; a redacted one gives redacted tables.
        language: of heads and words; ids, keys and names of files are the same in all.
    """
    context = Context(
        report=report,
        language=language,
        edition="screen",
        sections={},
        origins={row.id: row.origin for row in report.origins},
    )
    tables = {
        "goals": _goals(context),
        "metrics": _metrics(context),
        "elsewhere": _elsewhere(context),
        "outside": _outside(context),
        "attribution": _attributions(context),
        "samples": _samples(context),
        "operators": _operators(context),
        "matches": _matches(context),
        "settings": _settings(context),
        "origins": _origins(context),
        "files": _files(context),
        "unread": _unread(context),
    }
    return {f"{FOLDER}/{name}.csv": _written(rows) for name, rows in tables.items()}


NAMES = (
    *("attribution.csv", "elsewhere.csv", "files.csv", "goals.csv", "matches.csv", "metrics.csv", "operators.csv"),
    *("origins.csv", "outside.csv", "samples.csv", "settings.csv", "unread.csv"),
)
"""What the directory holds."""


# ------------------------------------------------------------------------------------------- cells
def harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula and no terminal for a command; different texts stay different."""
    shown = printable(text)
    return f"'{shown}" if shown.lstrip(" '")[:1] in tuple(FORMULA) else shown


def _written(rows: Iterable[Row]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerows(rows)
    return text.getvalue().encode("utf-8-sig")


def decimal(value: Fraction | int) -> tuple[str, str]:
    """A number as a decimal, and exactly as ``numerator÷denominator`` where no finite decimal is.

    The sign of division is none that a spreadsheet takes for a date or a time.
    """
    exact = number_text(value)
    if "/" not in exact:
        return exact, ""
    fraction = Fraction(value)
    near = DIGITS.divide(Decimal(fraction.numerator), Decimal(fraction.denominator))
    return f"{near:f}", exact.replace("/", "÷")


def _figure(value: Value | None, language: Language) -> tuple[str, str]:
    """(decimal, exact); the word for what is missing, an en dash for what cannot be."""
    if isinstance(value, Number):
        return decimal(Fraction(value.quantity.value))
    return ("–" if value is None else wording.missing_word(value, language)), ""


def _unit(*values: Value | None) -> str:
    return next((value.quantity.unit for value in values if isinstance(value, Number)), "–")


def _place(rank: int | None) -> str:
    return "" if rank is None else str(rank)


def _sources(context: Context, *values: Value | None) -> str:
    """Origins of the values: file, place, formula and id of each."""
    ids = dict.fromkeys(one for value in values if isinstance(value, Number) for one in value.origins)
    return _of_origins(context, ids)


def _of_origins(context: Context, ids: Iterable[str]) -> str:
    found = []
    for one in ids:
        origin = context.origins[one]
        parts = (shown_file(origin.file), locator_text(origin.locator, context.language))
        formula = formula_text(origin.formula, context.language)
        said = ": ".join(filter(None, parts))
        found.append(f"{said}{f' ({formula})' if formula else ''} [{one}]")
    return harmless("; ".join(found))


# ------------------------------------------------------------------------------------------- tables
def _goals(context: Context) -> Iterator[Row]:
    """Every goal by clause as the target has them, judged; heads alone without a target."""
    _ = context.text
    figures = (_("limit"), _("value"), _("interval from"), _("interval to"), "BEFORE", "AFTER", _("margin"))
    yield (
        *(
            _("no."),
            _("clause"),
            _("test case"),
            _("metric"),
            _("required"),
            _("rank"),
            _("unit"),
            *figures,
            _("unit of BEFORE and AFTER"),
        ),
        *(_("outcome"), _("why"), _("evidence no."), _("where from"), *(_("%(name)s, exact", name=n) for n in figures)),
    )
    for goal in context.report.goals:
        yield _goal(context, goal)


def _goal(context: Context, goal: GoalRow) -> Row:
    language = context.language
    low, high = (goal.interval.low, goal.interval.high) if goal.interval is not None else (None, None)
    judged = [_figure(value, language) for value in (goal.value, low, high)]
    margin = _figure(goal.margin, language)
    if wording.may_not_be_formed(context.report, goal):
        judged, margin = [(wording.not_judged_word(language), ""), ("–", ""), ("–", "")], ("–", "")
    sides = [_figure(value, language) for value in (goal.before, goal.after)]
    shown = [_figure(goal.limit, language), *judged, *sides, margin]
    evidence = ((goal.metric_row,) if goal.metric_row else goal_rests(context, goal)) or goal_origins(goal)
    return (
        harmless(goal.id),
        harmless(goal.clause),
        harmless(goal.case),
        harmless(wording.goal_title(goal, language)),
        harmless(wording.required_text(goal, language)),
        _place(goal.rank),
        goal.limit.quantity.unit,
        *(near for near, _ in shown),
        _unit(goal.before, goal.after),
        wording.goal_outcome(context.report, goal, language),
        harmless(context.sentences(wording.say(reason, language) for reason in (goal.reason, *goal.reservations))),
        ", ".join(evidence),
        _sources(context, goal.limit, goal.before, goal.after, goal.value),
        *(exact for _, exact in shown),
    )


def _metrics(context: Context) -> Iterator[Row]:
    """Every metric of every rank; a pair that may not be compared has no columns of changes."""
    _ = context.text
    ends = (_("AFTER / BEFORE, interval from"), _("AFTER / BEFORE, interval to"))
    changes = (_("delta"), _("change"), _("AFTER / BEFORE, estimate"), *ends) if context.comparing else ()
    yield (
        *(_("id"), _("metric"), _("id across reports"), _("rank"), _("device"), _("unit"), "BEFORE", "AFTER", *changes),
        *(_("BEFORE, captures × values"), _("AFTER, captures × values"), _("method"), _("status"), _("why")),
        *(_("%(name)s, where from", name=side) for side in ("BEFORE", "AFTER")),
        *(_("%(name)s, exact", name=name) for name in ("BEFORE", "AFTER", *changes)),
    )
    for row in context.report.metrics:
        yield _metric(context, row)


def _metric(context: Context, row: MetricRow) -> Row:
    language = context.language
    figures: list[Value | None] = [row.before.value, row.after.value]
    apart = wording.is_blocked(context.report, row) or not context.comparing
    if context.comparing:
        ends = (row.interval.low, row.interval.high) if row.interval is not None else (None, None)
        figures += (None,) * 5 if apart else (row.delta, row.change, row.estimate, *ends)
    shown = [_figure(figure, language) for figure in figures]
    blocked = [wording.clause(reason, language) for reason in row.blocked]
    return (
        row.id,
        harmless(wording.metric_title(row.metric, language, row.part)),
        harmless(row.name),
        _place(row.rank),
        _place(row.device),
        _unit(row.before.value, row.after.value),
        *(near for near, _ in shown),
        *(numbers.format_repeats(side.captures, side.values) for side in (row.before, row.after)),
        wording.method_word(row.interval.method, language) if row.interval is not None and not apart else "",
        harmless(told_word(context, row, brief=True)),
        harmless(context.series(blocked or [wording.say(row.reason, language)])),
        _sources(context, row.before.value),
        _sources(context, row.after.value),
        *(exact for _, exact in shown),
    )


def _elsewhere(context: Context) -> Iterator[Row]:
    """Every figure that is worse in AFTER; heads alone where there is none or none was looked at."""
    _ = context.text
    ends = (_("AFTER / BEFORE, interval from"), _("AFTER / BEFORE, interval to"))
    figures = ("BEFORE", "AFTER", _("delta"), _("change"), *ends)
    yield (
        *(
            _("id"),
            _("figure"),
            _("id across reports"),
            _("where"),
            _("rank"),
            _("number of ranks"),
            _("unit"),
            *figures,
        ),
        *(_("told apart"), _("a goal is on it"), _("evidence no."), _("where from")),
        *(_("%(name)s, exact", name=name) for name in figures),
    )
    for row in context.report.elsewhere.worse:
        yield _worse(context, row)


def _worse(context: Context, row: WorseRow) -> Row:
    language = context.language
    texts = changes.worse_texts(row, language, several=ranks(context.report) > 1)
    delta = decimal(Fraction(row.after.quantity.value) - Fraction(row.before.quantity.value))
    ends = (row.interval.low, row.interval.high) if row.interval is not None else (None, None)
    sides = [_figure(value, language) for value in (row.before, row.after)]
    shown = [*sides, delta, *(_figure(value, language) for value in (row.change, *ends))]
    return (
        row.id,
        harmless(texts.name),
        harmless(row.name),
        harmless(texts.place or context.text("captures")),
        _place(row.rank),
        str(row.ranks) if row.ranks else "",
        _unit(row.before, row.after),
        *(near for near, _ in shown),
        harmless(texts.told),
        context.text("yes") if row.goal else context.text("no"),
        row.metric_row or ", ".join(dict.fromkeys((*row.before.origins, *row.after.origins))),
        _sources(context, row.before, row.after),
        *(exact for _, exact in shown),
    )


def _outside(context: Context) -> Iterator[Row]:
    """Every figure that the runs of both sides give; heads alone without such runs."""
    _ = context.text
    ends = (_("AFTER / BEFORE, interval from"), _("AFTER / BEFORE, interval to"))
    figures = ("BEFORE", "AFTER", _("delta"), _("change"), _("speed, BEFORE / AFTER - 1"), "AFTER / BEFORE", *ends)
    yield (
        *(_("id"), _("figure"), _("id across reports"), _("test case"), _("unit"), *figures),
        *(_("runs × values"), _("method"), _("what may be said"), _("why"), _("goals"), _("evidence no.")),
        _("where from"),
        *(_("%(name)s, exact", name=name) for name in figures),
        *(_("%(side)s, each run, exact", side=side) for side in ("BEFORE", "AFTER")),
    )
    for row in context.report.run_figures:
        yield _run_figure(context, row)


def _run_figure(context: Context, row: RunFigureRow) -> Row:
    language = context.language
    texts = run_texts.figure_texts(context.report.known_spreads, row, language)
    ends = (row.interval.low, row.interval.high) if row.interval is not None else (None, None)
    ratio = decimal(1 + Fraction(row.change.quantity.value)) if isinstance(row.change, Number) else ("–", "")
    change = row.change if isinstance(row.change, Number) or not isinstance(row.delta, Number) else None
    first = [_figure(value, language) for value in (row.before, row.after, row.delta, change, row.speed)]
    shown = [*first, ratio, *(_figure(value, language) for value in ends)]
    method = wording.run_method(row.interval.method, language) if row.interval is not None else ""
    why = run_texts.why(row, language)
    return (
        row.id,
        harmless(texts.name),
        harmless(row.name),
        harmless(row.case),
        _unit(row.before, row.after),
        *(near for near, _ in shown),
        texts.counts,
        method,
        texts.word,
        harmless(context.series((*why, *filter(None, (texts.why,))))),
        harmless(context.series(row.goals)),
        row.id,
        _sources(context, row.before, row.after),
        *(exact for _, exact in shown),
        *(context.series(value.quantity.exact() for value in each) for each in (row.each_before, row.each_after)),
    )


PARTS = {
    "whole": mark("the whole"),
    "part": mark("part of it"),
    "median": mark("difference of the medians"),
    "apart": mark("that less the whole"),
    "beside": mark("beside it, no part"),
}
"""What a row of the attribution is."""


def _attributions(context: Context) -> Iterator[Row]:
    """The step of every rank, then its parts, which add up to it, then what stands beside them.

    The differences of the medians have no sides of their own: those of the metric are in metrics.csv. A pair that may
    not be compared has no column of differences and no such rows.
    """
    _ = context.text
    figures = ("BEFORE", "AFTER", *((_("delta"),) if context.comparing else ()))
    yield (
        *(_("id"), _("metric"), _("row"), _("id across reports"), _("rank"), _("device"), _("unit"), *figures),
        *(_("why"), _("evidence no."), _("where from"), *(_("%(name)s, exact", name=name) for name in figures)),
    )
    for row in context.report.attributions:
        yield from _attribution(context, row)


def _attribution(context: Context, row: AttributionRow) -> Iterator[Row]:
    language = context.language
    why = harmless(context.sentences(wording.say(one, language) for one in (*row.blocked, row.reason) if one))

    def line(kind: str, metric: str, evidence: str, values: Sequence[Value | None]) -> Row:
        shown = [_figure(value, language) for value in (values if context.comparing else values[:2])]
        return (
            row.id,
            harmless(wording.metric_title(metric, language)),
            context.text(PARTS[kind]),
            harmless(row.name),
            _place(row.rank),
            _place(row.device),
            _unit(*values),
            *(near for near, _ in shown),
            why,
            evidence,
            _sources(context, *values),
            *(exact for _, exact in shown),
        )

    for kind, parts in (("whole", (row.whole,)), ("part", row.parts)):
        for part in parts:
            yield line(kind, part.metric, part.metric_row, (part.before, part.after, part.delta))
    if context.comparing and row.parts:
        for kind, value in (("median", row.median), ("apart", row.apart)):
            yield line(kind, row.whole.metric, row.whole.metric_row, (None, None, value))
    for part in row.beside:
        yield line("beside", part.metric, part.metric_row, (part.before, part.after, part.delta))


def _samples(context: Context) -> Iterator[Row]:
    """The values that each metric summarises, step by step, then those of logs; origins are lines of origins.csv."""
    _ = context.text
    yield (
        *(_("id"), _("metric"), _("id across reports"), _("rank"), _("device"), _("side"), _("step")),
        *(_("value"), _("unit"), _("origins"), _("%(name)s, exact", name=_("value")), _("file"), _("steps of it")),
        _("left out"),
    )
    for row in context.report.metrics:
        for side, value in ((Side.BEFORE, row.before), (Side.AFTER, row.after)):
            for number, label in zip(value.sample, value.labels or ("",) * len(value.sample), strict=True):
                near, exact = decimal(Fraction(number.quantity.value))
                yield (
                    row.id,
                    harmless(wording.metric_title(row.metric, context.language, row.part)),
                    harmless(row.name),
                    _place(row.rank),
                    _place(row.device),
                    wording.side_word(side),
                    harmless(label),
                    near,
                    number.quantity.unit,
                    ", ".join(number.origins),
                    exact,
                    *("", "", _("no")),
                )
    for run in context.report.runs:
        for series in run.series:
            yield from _run_samples(context, run, series)


def _run_samples(context: Context, run: RunRow, series: RunSeriesRow) -> Iterator[Row]:
    """Every value of a run that a goal is on, those left out too with the reason; a file's id is that of its place."""
    title = harmless(wording.titled(series.metric, "", series.kind, context.language))
    words = {"": context.text("no"), **{key: context.text(word) for key, word in LEFT_OUT.items()}}
    numbered = series.labels or ("",) * len(series.values)
    for label, value, weight, why in zip(numbered, series.values, series.weights, series.left_out, strict=True):
        near, exact = decimal(Fraction(value))
        yield (
            *(", ".join(series.origins), title, harmless(":".join(filter(None, (series.metric, series.kind))))),
            *(
                "",
                "",
                wording.side_word(run.side),
                harmless(label),
                near,
                series.unit,
                ", ".join(series.origins),
                exact,
            ),
            *(harmless(run.file), str(weight), words[why]),
        )


def _operators(context: Context) -> Iterator[Row]:
    """Every operator type of every rank; times in the unit of the table."""
    _ = context.text
    names = (_("calls"), _("calls of a step"), _("total time"), _("total time of a step"), _("one call, mean"))
    heads = tuple(f"{name}, {side}" for name in (*names, _("one call, median")) for side in ("BEFORE", "AFTER"))
    ends = (_("AFTER / BEFORE, interval from"), _("AFTER / BEFORE, interval to"))
    changes = (_("total time of a step, delta"), _("one call, change"), *ends)
    shown = (*heads, *(changes if context.comparing else ()))
    yield (
        *(_("id"), _("operator type"), _("id across reports"), _("rank"), _("class"), _("unit of times"), *shown),
        *(_("why"), _("where from"), *(_("%(name)s, exact", name=name) for name in shown)),
    )
    apart = wording.times_are_blocked(context.report)
    for row in context.report.operators:
        yield _operator(context, row, apart=apart)


def _operator(context: Context, row: OperatorRow, *, apart: bool) -> Row:
    language = context.language
    figures: list[Value | None] = []
    for name in ("calls", "calls_per_step", "total", "total_per_step", "mean", "median"):
        figures += [_of(row.before, name), _of(row.after, name)]
    times = [_of(side, "total") for side in (row.before, row.after)]
    origins = tuple(figures)
    if context.comparing:
        ends = (row.call_interval.low, row.call_interval.high) if row.call_interval is not None else (None, None)
        figures += (None,) * 4 if apart else (row.delta_per_step, row.call_change, *ends)
    texts = [_figure(figure, language) for figure in figures]
    return (
        row.id,
        harmless(row.type),
        harmless(row.name),
        _place(row.rank),
        wording.change_word(row.change, language),
        _unit(*times),
        *(near for near, _ in texts),
        harmless(wording.say(row.reason, language)),
        _sources(context, *origins),
        *(exact for _, exact in texts),
    )


def _matches(context: Context) -> Iterator[Row]:
    """Every likely match of operator types; the sums of both sides are over the types named."""
    _ = context.text
    total, names = _("total time of a step"), _("operator types")
    changed = (_("total time of a step, delta"),) if context.comparing else ()
    figures = (_("calls of a step"), f"{total}, BEFORE", f"{total}, AFTER", *changed)
    yield (
        *(_("id"), _("match"), _("id across reports"), _("rank"), f"{names}, BEFORE", f"{names}, AFTER"),
        *(_("evidence no."), _("unit of times"), *figures, _("shown by"), _("where from")),
        *(_("%(name)s, exact", name=name) for name in figures),
    )
    apart = wording.times_are_blocked(context.report)
    for row in context.report.matches:
        delta = None if apart else row.delta_per_step
        yield _match(context, row, (delta,) if context.comparing else ())


def _match(context: Context, row: MatchRow, changed: tuple[Value | None, ...]) -> Row:
    language = context.language
    figures = [row.calls_per_step, row.before_per_step, row.after_per_step]
    shown = [_figure(value, language) for value in (*figures, *changed)]
    return (
        row.id,
        message(messages_change.MATCHES[row.kind], language),
        harmless(row.name),
        _place(row.rank),
        harmless(" + ".join(row.before)),
        harmless(" + ".join(row.after)),
        ", ".join(row.rows),
        _unit(row.before_per_step, row.after_per_step),
        *(near for near, _ in shown),
        harmless(wording.say(row.evidence, language)),
        _sources(context, *figures),
        *(exact for _, exact in shown),
    )


def _of(side: OperatorSide | None, name: str) -> Number | None:
    return None if side is None else getattr(side, name)


def _settings(context: Context) -> Iterator[Row]:
    """Every compared fact: those that differ by weight, then those that are equal, then identity."""
    _ = context.text
    yield (
        *(_("setting"), _("as written"), _("file and key"), "BEFORE", "AFTER"),
        *(_("standing"), _("reason and effect"), _("where from")),
    )
    block = context.report.comparability
    for row in (*block.rows, *block.equal, *block.identity):
        yield _setting(context, row)


def _setting(context: Context, row: SettingRow) -> Row:
    language = context.language
    return (
        harmless(row.key),
        harmless(row.spelling),
        harmless(wording.place_text(row.place, language)),
        harmless(wording.setting_value(row.before, language)),
        harmless(wording.setting_value(row.after, language)),
        wording.standing_word(row.standing, language),
        harmless(wording.join(wording.reason_and_effect(row, language), language)),
        _of_origins(context, row.origins),
    )


def _origins(context: Context) -> Iterator[Row]:
    """Every origin; its file by the number that files.csv has."""
    _ = context.text
    yield _("id"), _("no. of the file"), _("file"), "SHA-256", _("place"), _("formula")
    numbered = {row.digest: f"F{number}" for number, row in reversed(list(enumerate(context.report.manifest, 1)))}
    for row in context.report.origins:
        origin = row.origin
        yield (
            row.id,
            numbered.get(origin.digest, ""),
            harmless(shown_file(origin.file)),
            origin.digest,
            harmless(locator_text(origin.locator, context.language)),
            harmless(formula_text(origin.formula, context.language)),
        )


def _files(context: Context) -> Iterator[Row]:
    """Every file that was read."""
    _ = context.text
    yield _("no."), _("side"), _("file"), _("bytes"), "SHA-256"
    for number, row in enumerate(context.report.manifest, 1):
        side = context.text("attachment") if row.side == "attachment" else row.side.upper()
        yield f"F{number}", side, harmless(row.path), str(row.size), row.digest


def _unread(context: Context) -> Iterator[Row]:
    """Every file of a capture that was not used, those of the same name each for itself."""
    _ = context.text
    yield _("side"), _("directory"), _("file"), _("reason")
    for block in context.report.captures:
        for path, reason in block.unread:
            said = wording.say(reason, context.language)
            yield wording.side_word(block.side), harmless(block.name), harmless(path), harmless(said)
