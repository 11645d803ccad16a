"""What the command line prints: one fact a line, tables aligned, plain ASCII figures as finely as they were recorded.

Columns are aligned by the width a terminal gives to East Asian characters. Nothing is decided or judged here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Literal, TypeVar

from reportgen.model import (
    CaptureFacts,
    Comparison,
    Dimensions,
    Evaluation,
    Measurement,
    Missing,
    OperatorChange,
    OperatorMeasurement,
    OperatorTotals,
    PairStanding,
    Quantity,
    Reason,
    Standing,
    Status,
)
from reportgen.plain import printable
from reportgen.report import (
    assured,
    changes,
    messages,
    messages_cases,
    messages_change,
    numbers,
    permitted,
    spread,
    text_logs,
    wording,
)
from reportgen.report.build import OWN_SECTIONS, build, capture_facts, iso_utc, own_section, worst_of
from reportgen.report.document import GoalRow, Number, Report, SettingRow, WorkloadBlock
from reportgen.report.rows import STEP_METRICS
from reportgen.report.statistic_rows import change_of_speed
from reportgen.report.translations import NBSP, Language, fold
from reportgen.report.translations import message as _
from reportgen.report.translations import plural as _plural

Row = TypeVar("Row", Comparison, Measurement)
Align = Literal["l", "r"]
MOST_OPERATORS = 20
"""Operators shown; all of them are in the JSON output."""
MOST_PARTS = 15
"""Kinds of collectives, links, groups, modules and host levels shown; all of them are in the JSON output."""
MOST_NAMED = 4
"""Values that a doubt names."""
MOST_RESERVATIONS = 6
"""Reservations shown after ``report``; all of them are in the report."""
BAD_FILES = ("trace_cut", "table_unreadable")
"""Reasons of files that are there and bad, unlike those that are not needed; ``compare`` names no others."""
LONGEST = 60
"""Characters of the longest value that is shown whole where two stand side by side."""
WIDTH = 100
"""Columns that compact lists fill."""
_SAID_BY_SENTENCE = (
    "fact_not_recorded",
    "completeness_not_witnessed",
    "capture_aborted_side",
    "capture_data_loss_side",
    "last_line_without_end",
)
_PLAIN = str.maketrans({NBSP: " ", numbers.MINUS: "-", "µ": "u"})


# --------------------------------------------------------------------------------------------- the four outputs
def inspect_text(
    facts: CaptureFacts,
    measurements: tuple[Measurement, ...],
    operators: tuple[OperatorMeasurement, ...],
    language: Language,
    ungraded: tuple[str, ...],
    published: tuple[Measurement, ...] = (),
) -> str:
    """What one capture holds.

    Args:
        facts: the capture.
        measurements: everything that can be measured on it, also what is Missing.
        operators: operator types with their totals.
        language: language.
        ungraded: settings keys that are in no row of the table of settings; empty prints no such section.
        published: what the capture's own step table says.
    """
    layout = wording.layout_word(facts.layout.id, language)
    title = _(messages.CAPTURE_LINE, language, name=facts.name, layout=layout)
    recorded = [
        (wording.fact_title(fact, language), wording.fact_text(fact, text, language))
        for fact, text in capture_facts(facts)
    ]
    had = [m for m in measurements if isinstance(m.summary, Quantity)]
    lacking = [m for m in measurements if isinstance(m.summary, Missing)]
    sections = (
        _section("capture", ("", title, *pairs(recorded))[1:], language),
        _section("ranks", _ranks(facts, language), language),
        _section("metrics", _measured(_main(had, _key), language), language),
        _section("spread", _spread_alone(_main(had, _key), language), language),
        *_parts(had, _key, _measured, language),
        _section("published", _measured(_main(published, _key), language), language),
        _section("missing", _lacking(lacking, language), language),
        _section("operators", _operators_alone(operators, language), language),
        _section("doubts", _doubts(facts, measurements, language), language),
        _section("unread", _unread(facts, language), language),
        _section("ungraded", list(ungraded), language, count=len(ungraded)),
    )
    return finish(sections)


def check_text(evaluation: Evaluation, language: Language) -> str:
    """Whether two sides were taken alike: the standing first, then what differs, then what is equal."""
    report = _comparability(evaluation)
    block = report.comparability
    workload = _workload(block.workload, language) if block.workload else ()
    sections = (
        (wording.comparability_sentence(report, language),),
        _section("different", _different(block.rows, language), language, count=len(block.rows)),
        _section("equal", _equal(block.equal, language), language, count=len(block.equal)),
        _section("identity", _identity(block.identity, language), language, count=len(block.identity)),
        _section("workload", workload, language),
        _captures(evaluation, language),
    )
    return finish(sections)


def compare_text(evaluation: Evaluation, language: Language) -> str:
    """All metrics and operators side by side, unjudged; rows that may not be compared say so."""
    report, unjudged = _comparability(evaluation), _unjudged(evaluation)
    note = _not_comparable_note(report, language)

    def listed(rows: Sequence[Comparison], language: Language) -> list[str]:
        return _compared(tuple(rows), note, language)

    valued = [row for row in evaluation.comparisons if not _is_valueless(row)]
    sections = (
        (wording.comparability_sentence(report, language),),
        _section("metrics", listed(_main(valued, _key), language), language),
        _section("spread", _spread_compared(_main(valued, _key), evaluation, note, language), language),
        *_parts(valued, _key, listed, language),
        _section("valueless", _valueless(evaluation.comparisons, language), language),
        _section("calls", _operators(evaluation.operators, note, language), language),
        *_changed(unjudged, language),
        _section("unread", _bad_files(evaluation, language), language),
        *_logs(evaluation, unjudged, language),
        (_(messages.SMALL_PRINT_OF_RUNS if evaluation.runs else messages.SMALL_PRINT, language),),
    )
    return finish(sections)


def _logs(evaluation: Evaluation, report: Report, language: Language) -> list[tuple[str, ...]]:
    """Runs outside the profile: each on its own, then the figures of both sides."""
    found: list[tuple[str, ...]] = []
    if evaluation.runs and not report.run_figures:
        found.append((_(messages_cases.NO_RUN_FIGURES, language),))
    rows = text_logs.single_runs(evaluation.runs, report.run_figures, language)
    if rows:
        right: list[Align] = ["r"] * (len(rows[0]) - 2)
        lines = table(rows, ("l", "l", *right))
        found.append((_(messages_cases.LOGS, language), *(f"  {line}" for line in lines)))
    rows = text_logs.figures(report, language)
    if rows:
        lines = table(rows, ("l", "l", "r", "r", "r", "r", "l", "l"))
        lines += text_logs.reasons(report, language)
        found.append((_(messages_cases.RUN_FIGURES, language), *(f"  {_ascii(line)}" for line in lines)))
    alone = text_logs.alone(evaluation, language)
    if alone:
        found.append((_(messages_cases.LONE_RUNS, language), *(f"  {_ascii(line)}" for line in alone)))
    return found


def _key(row: Comparison | Measurement) -> tuple[str, str]:
    """Metric and part of a row."""
    return row.metric, row.dimensions.part


def report_text(report: Report, language: Language) -> str:
    """One screen after ``report``: the verdict, the goals, the reservations, what is not shown."""
    verdict = report.verdict
    word = [wording.verdict_word(verdict.word, language).upper()] if verdict else []
    sublines = wording.verdict_subline(report, language)
    head = [_fold([*word, *sublines], language)] if word else []
    lines = wording.reservation_lines(report, language)
    shown = list(lines[:MOST_RESERVATIONS])
    if len(lines) > len(shown):
        shown.append(_plural(messages.MORE_IN_REPORT, len(lines) - len(shown), language))
    gaps = [
        _(messages.COLON, language, name=wording.gap_title(gap, language), text=wording.say(gap.reason, language))
        for gap in report.gaps
        if gap.group in ("not_measured", "not_shown") and gap.reason
    ]
    sections = (
        (
            *head,
            wording.verdict_sentence(report, language),
            *_alone(report, language),
            wording.verdict_rule(report, language),
        ),
        _section("goals", _goals(report, language), language),
        (assured.accuracy_line(report, language), assured.gates_line(report, language)),
        _section("reservations", shown, language, count=len(lines)),
        _section("attribution", _attributed(report, language), language),
        _section("worse", _worse(report, language), language),
        _section("bottleneck", _bottleneck(report, language), language),
        _section("signs", _signs(report, language), language),
        _section("not_shown", gaps, language),
    )
    return finish(sections)


def _alone(report: Report, language: Language) -> tuple[str, ...]:
    """That nothing is compared, where no BEFORE was agreed."""
    lone = report.comparability.standing is PairStanding.AFTER_ALONE
    return (wording.comparability_sentence(report, language),) if lone else ()


def _unjudged(evaluation: Evaluation) -> Report:
    """The report of a pair without a target."""
    return build(replace(evaluation, target=None, verdict=None), tool_version="")


def _changed(report: Report, language: Language) -> list[tuple[str, ...]]:
    """What the change of the step is made of, types that likely match, and what is worse; without a target."""
    matched = [
        _(
            messages.COLON,
            language,
            name=f"{' + '.join(row.before)} -> {' + '.join(row.after)}"
            + ("" if row.rank is None else f" rank {row.rank}"),
            text=_ascii(
                wording.join((changes.match_sums(row, language), wording.say(row.evidence, language)), language)
            ),
        )
        for row in report.matches
    ]
    return [
        _section("attribution", _attributed(report, language), language),
        _section("matches", matched, language),
        _section("worse", _worse(report, language), language),
    ]


def _attributed(report: Report, language: Language) -> list[str]:
    """What the change of the step of each rank is made of; nothing of sides that are not comparable."""
    if report.comparability.standing is PairStanding.NOT_COMPARABLE or not report.attributions:
        return []
    lines = [_ascii(changes.attribution_sentence(row, language)) for row in report.attributions[:MOST_PARTS]]
    rest = len(report.attributions) - MOST_PARTS
    more = [_more(rest, language)] if rest > 0 else []
    return [*lines, *more, changes.no_cause(report.attributions, language)]


def _worse(report: Report, language: Language) -> list[str]:
    """What is worse in AFTER, a line each, then statistics that disagree and what was not looked at."""
    block, several = report.elsewhere, len({row.rank for row in report.metrics}) > 1
    texts = [changes.worse_texts(row, language, several=several) for row in block.worse[:MOST_PARTS]]
    rows = [[one.name, one.place, one.before, one.after, one.change, one.interval, one.told] for one in texts]
    lines = table([[""] * 7, *rows], ("l", "l", "r", "r", "r", "l", "l"))[1:] if rows else []
    rest = len(block.worse) - MOST_PARTS
    lines += [_more(rest, language)] if rest > 0 else []
    lines += [_ascii(changes.disagreement(row, language)) for row in block.disagreements]
    not_held = (wording.say(reason, language) for reason in block.not_held)
    return [*lines, *(_(messages_change.NOT_HELD, language, why=why) for why in not_held)]


def _ascii(text: str) -> str:
    """The text with the arrow that every terminal has."""
    return text.replace("→", "->")


def _bottleneck(report: Report, language: Language) -> list[str]:
    """The main bottleneck of both sides, whether it moved, and what the official guide tries first."""
    block = report.bottleneck
    if block is None:
        return []
    rows = []
    for name, side in (("BEFORE", block.before), ("AFTER", block.after)):
        kind, by = wording.bottleneck_word(side.kind, language), wording.decided_word(side.by, language)
        why = wording.join((wording.say(reason, language) for reason in side.reasons), language)
        rows.append((name, kind if side.kind == "none" else wording.in_parentheses(kind, by, language), why))
    lines = table([["", "", ""], *[list(row) for row in rows]], ("l", "l", "l"))[1:]
    lines.append(wording.say(block.reason, language))
    if block.remedy is not None:
        order = " -> ".join(wording.in_language(one, language) for one in block.remedy.first)
        scope = wording.in_language(block.remedy.scope, language)
        lines.append(_(messages.TRIED_FIRST, language, scope=scope, order=order))
        outside = [] if block.remedy.within else [wording.in_language(block.remedy.outside, language)]
        lines += [*outside, wording.in_language(block.remedy.caveat, language)]
    return lines


def _signs(report: Report, language: Language) -> list[str]:
    """Signs with the numbers of the official cases that describe them."""
    rows = []
    for row in report.diagnoses:
        title = wording.in_language(row.title, language)
        case = _(messages.COLON, language, name=row.case, text=title)
        rows.append([wording.side_word(row.side), wording.say(row.reason, language), case])
    return table([["", "", ""], *rows], ("l", "l", "l"))[1:] if rows else []


def _comparability(evaluation: Evaluation) -> Report:
    """The report of the comparability alone."""
    bare = replace(evaluation, comparisons=(), operators=(), target=None, verdict=None)
    return build(bare, tool_version="")


# --------------------------------------------------------------------------------------------- laying out
def width(text: str) -> int:
    """Columns that a terminal gives to a text: two to wide characters, none to combining ones."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def table(rows: Sequence[Sequence[str]], align: Sequence[Align]) -> list[str]:
    """Rows as aligned lines, two spaces between columns; a column in which nothing stands is left out."""
    kept = [index for index in range(len(align)) if any(row[index] for row in rows[1:])]
    widths = {index: max(width(flat(row[index])) for row in rows) for index in kept}
    lines = []
    for row in rows:
        cells = []
        for index in kept:
            text = flat(row[index])
            gap = " " * (widths[index] - width(text))
            cells.append(gap + text if align[index] == "r" else text + gap)
        lines.append("  ".join(cells).rstrip())
    return lines


def flat(text: str) -> str:
    """The text as a terminal shows it alike everywhere: plain spaces, ASCII minus, us, no control character.

    What a capture says was made printable when it was read; a target's own words are made so here.
    """
    shown = text.translate(_PLAIN)
    return shown if shown.isprintable() else "".join(c if c == "\\" else printable(c) for c in shown)


def pairs(rows: Iterable[tuple[str, str]]) -> list[str]:
    """Names and texts in two aligned columns."""
    listed = [list(row) for row in rows]
    return table([["", ""], *listed], ("l", "l"))[1:] if listed else []


def _columns(items: Sequence[str]) -> list[str]:
    """Short texts in aligned columns, then the long ones, one a line."""
    short = [item for item in items if width(item) <= WIDTH // 2 - 2]
    cell = max((width(item) for item in short), default=0) + 2
    across = max(1, WIDTH // cell)
    lines = [
        "".join(item + " " * (cell - width(item)) for item in short[start : start + across]).rstrip()
        for start in range(0, len(short), across)
    ]
    return lines + [item for item in items if item not in short]


def _section(name: str, lines: Iterable[str], language: Language, *, count: int | None = None) -> tuple[str, ...]:
    """A titled block, indented; empty when there is nothing in it."""
    body = tuple(f"  {line}" if line else "" for line in lines)
    if not body:
        return ()
    title = _(messages.SECTIONS[name], language)
    if count is not None:
        title = _(messages.SECTION_COUNT, language, title=title, n=numbers.format_count(count))
    return (title, *body)


def finish(sections: Iterable[Iterable[str]]) -> str:
    """Sections one empty line apart, with a final newline."""
    blocks = [[line for line in section if line] for section in map(tuple, sections)]
    return "\n\n".join("\n".join(flat(line) for line in block) for block in blocks if block) + "\n"


def _main(rows: Iterable[Row], key: Callable[[Row], tuple[str, str]]) -> list[Row]:
    """The rows that stand among all metrics, those of one metric together."""
    found = [row for row in rows if not own_section(*key(row))]
    metrics = list(dict.fromkeys(row.metric for row in found))
    return sorted(found, key=lambda row: metrics.index(row.metric))


def _parts(
    rows: Sequence[Row],
    key: Callable[[Row], tuple[str, str]],
    listed: Callable[[list[Row], Language], list[str]],
    language: Language,
) -> list[tuple[str, ...]]:
    """A section for each group of metrics of many parts, cut to its first rows."""
    sections = []
    for name in ("kinds", *(section for section, _beginning in OWN_SECTIONS)):
        found = [row for row in rows if own_section(*key(row)) == name]
        parts = list(dict.fromkeys(key(row)[1] for row in found))
        found.sort(key=lambda row: (row.dimensions.rank or 0, row.dimensions.device or 0, parts.index(key(row)[1])))
        lines: list[str] = listed(found[:MOST_PARTS], language)
        rest: int = len(found) - MOST_PARTS
        sections.append(_section(name, [*lines, *([_more(rest, language)] if rest > 0 else [])], language))
    return sections


def _more(count: int, language: Language) -> str:
    """How many rows are not shown."""
    return _plural(messages.MORE_ROWS, count, language)


def _fold(items: Iterable[str], language: Language) -> str:
    """Words joined as the language joins them."""
    return fold(messages.LIST, items, language)


def _heads(names: Sequence[str], language: Language) -> list[str]:
    """Column heads; BEFORE and AFTER stand as they are."""
    return [_(messages.HEADS[name], language) if name in messages.HEADS else name for name in names]


def _place(rank: int | None, device: int | None = None) -> str:
    """Rank, or the device where no rank is recorded."""
    known = rank if rank is not None else device
    return "" if known is None else str(known)


def _place_head(places: Iterable[Dimensions]) -> str:
    """What the column of places holds: ranks, or devices where no rank is recorded."""
    return "rank" if any(place.rank is not None for place in places) else "device"


# --------------------------------------------------------------------------------------------- inspect
def _ranks(facts: CaptureFacts, language: Language) -> list[str]:
    """One line for each rank."""
    names = ("rank", "device", "directory", "steps", "started", "ended")
    rows = [
        [
            _place(rank.rank),
            _place(rank.device),
            rank.directory or ".",
            _steps(rank.steps),
            iso_utc(rank.started_ns),
            iso_utc(rank.ended_ns),
        ]
        for rank in facts.ranks
    ]
    return table([_heads(names, language), *rows], ("r", "r", "l", "l", "l", "l"))


def _steps(steps: tuple[str, ...]) -> str:
    """Step ids, shortened in the middle: first, last and how many."""
    if len(steps) <= 3:
        return ", ".join(steps)
    return f"{steps[0]} ... {steps[-1]} ({len(steps)})"


def _measured(measurements: list[Measurement], language: Language) -> list[str]:
    """Every value that can be had."""
    if not measurements:
        return []
    place = _place_head([m.dimensions for m in measurements])
    names = ("metric", place, "value", "values", "basis", "source", "checks")
    rows = []
    for m in measurements:
        assert isinstance(m.summary, Quantity)
        rows.append(
            [
                wording.metric_title(m.metric, language, m.dimensions.part),
                _place(m.dimensions.rank, m.dimensions.device),
                numbers.plain_value(m.summary, metric_unit_hint=m.metric, language=language),
                str(len(m.sample.values)) if m.sample else "",
                wording.basis_word(m.basis, language) if m.basis else "",
                m.source,
                _checks(m, language),
            ]
        )
    return table([_heads(names, language), *rows], ("l", "r", "r", "r", "l", "l", "l"))


def _groups(rows: Iterable[Row]) -> dict[tuple[str, str], list[Row]]:
    """The rows of each metric and part: one for each rank."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault(_key(row), []).append(row)
    return groups


def _spread_alone(measurements: list[Measurement], language: Language) -> list[str]:
    """The least and the largest value of each metric over several ranks."""
    rows = [
        [wording.metric_title(key[0], language, key[1]), spread.plain(found, language)]
        for key, group in _groups(measurements).items()
        if (found := spread.ends(group)) is not None
    ]
    return table([_heads(("metric", "between"), language), *rows], ("l", "l")) if rows else []


def _spread_compared(comparisons: list[Comparison], evaluation: Evaluation, note: str, language: Language) -> list[str]:
    """The same of both sides, beside the rank whose AFTER is worst."""
    metrics = {metric.id: metric for metric in evaluation.metrics}
    rows = []
    for key, group in _groups(comparisons).items():
        sides = [spread.ends(row.before for row in group), spread.ends(row.after for row in group)]
        if any(sides):
            worst = worst_of(group, metrics[key[0]]).dimensions
            directed = metrics[key[0]].better in ("lower", "higher")
            named = directed and sides[1] is not None and sides[1][0].summary != sides[1][1].summary
            word = spread.place_word(worst.rank, worst.device, language) if named else ""
            words = [spread.plain(found, language) if found else "" for found in sides]
            rows.append([wording.metric_title(key[0], language, key[1]), word, *words, note])
    heads = _heads(("metric", "worst", "BEFORE", "AFTER", "told"), language)
    return table([heads, *rows], ("l", "l", "l", "l", "l")) if rows else []


def _checks(measurement: Measurement, language: Language) -> str:
    """Whether anything witnesses the value."""
    failed = measurement.undecided_by()
    if failed is not None:
        found, expected = (numbers.plain_value(q, language=language) for q in (failed.found, failed.expected))
        name = wording.witness_word(failed.name, language)
        return _(messages.CHECK_FAILS, language, name=name, found=found, expected=expected)
    if not measurement.witnesses:
        return _(messages.NOT_WITNESSED, language)
    return _plural(messages.CHECKS_AGREE, len(measurement.witnesses), language)


def _lacking(measurements: list[Measurement], language: Language) -> list[str]:
    """Every value that cannot be had: why, and what would supply it; those with the same reason together."""
    grouped: dict[tuple[str, str], dict[str, None]] = {}
    for m in measurements:
        assert isinstance(m.summary, Missing)
        reasons = [m.summary.reason, *([m.summary.remedy] if m.summary.remedy else [])]
        text = wording.join((wording.say(reason, language) for reason in reasons), language)
        key = (wording.missing_word(m.summary, language), text)
        title = wording.metric_title(m.metric, language, m.dimensions.part)
        grouped.setdefault(key, {}).setdefault(title)
    return [
        _(messages.LACKING, language, name=_fold(titles, language), word=word, text=text)
        for (word, text), titles in grouped.items()
    ]


def _operators_alone(operators: tuple[OperatorMeasurement, ...], language: Language) -> list[str]:
    """Operator types of one capture, largest total first."""
    if not operators:
        return []
    place = _place_head([o.dimensions for o in operators])
    names = ("type", "core", place, "calls", "total", "mean", "median")
    ordered = sorted(operators, key=lambda o: (-o.totals.total.value, o.dimensions.rank or 0, o.type))
    rows = [
        [
            o.type,
            o.accelerator,
            _place(o.dimensions.rank, o.dimensions.device),
            *(
                numbers.plain_value(quantity, language=language)
                for quantity in (o.totals.calls, o.totals.total, o.totals.mean, o.totals.median)
            ),
        ]
        for o in ordered[:MOST_OPERATORS]
    ]
    lines = table([_heads(names, language), *rows], ("l", "l", "r", "r", "r", "r", "r"))
    return [*lines, *([_more(len(ordered) - len(rows), language)] if len(ordered) > len(rows) else [])]


def _doubts(facts: CaptureFacts, measurements: tuple[Measurement, ...], language: Language) -> list[str]:
    """Doubts about the capture, then of its values with the metrics and ranks they are of; each once."""
    lines = [wording.say(reason, language) for reason in dict.fromkeys(facts.warnings)]
    several = len({m.dimensions.rank for m in measurements}) > 1
    named = []
    for m in measurements:
        title = wording.metric_title(m.metric, language, m.dimensions.part)
        rank = m.dimensions.rank if several else None
        named += [(title if rank is None else f"{title} rank {rank}", r) for r in m.warnings if r not in facts.warnings]
    for names, said in wording.gathered(named, language):
        shown = _fold(names[:MOST_NAMED], language)
        if len(names) > MOST_NAMED:
            shown = _plural(messages.AND_MORE, len(names) - MOST_NAMED, language, facts=shown)
        lines.append(_(messages.DOUBT_OF, language, names=shown, text=said))
    return lines


def _unread(facts: CaptureFacts, language: Language) -> list[str]:
    """Files that were looked for and not used; those with the same reason together."""
    grouped: dict[str, dict[str, None]] = {}
    for file in facts.unread:
        code = file.reason.code
        short = _(messages.UNREAD[code], language) if code in messages.UNREAD else wording.clause(file.reason, language)
        grouped.setdefault(short, {}).setdefault(file.path)
    return [_(messages.COLON, language, name=reason, text=_fold(paths, language)) for reason, paths in grouped.items()]


# --------------------------------------------------------------------------------------------- check
def _different(rows: tuple[SettingRow, ...], language: Language) -> list[str]:
    """What differs: both values with file and key, and below each its effect."""
    if not rows:
        return []
    names = ("standing", "key", "BEFORE", "AFTER", "blocks", "where")
    cells = [
        [
            wording.standing_word(row.standing, language),
            wording.fact_title(row.spelling, language),
            _held(row, row.before, "before", language),
            _held(row, row.after, "after", language),
            _blocks(row, language),
            wording.place_text(row.place, language),
        ]
        for row in rows
    ]
    lines = table([_heads(names, language), *cells], ("l", "l", "l", "l", "l", "l"))
    out = lines[:1]
    for line, row in zip(lines[1:], rows, strict=True):
        out += [line, *(f"    {text}" for text in wording.reason_and_effect(row, language))]
    return [*out, *lifted(rows, language)]


def lifted(rows: tuple[SettingRow, ...], language: Language) -> list[str]:
    """What a permission lifts of what blocks, and what it does not; nothing where nothing blocks."""
    blocking = [row for row in rows if row.standing is Standing.BLOCKING]
    free = [row for row in blocking if permitted.may_be_allowed(row)]
    fixed = [row for row in blocking if row not in free]
    if any(row.key == "same_capture" for row in fixed):
        return [_(messages.TO_GET_ONE["same"], language)]
    out = []
    if free:
        first, more = free[0].spelling, [row for row in free if row.spelling != free[0].spelling]
        out.append(_(messages.ALLOW, language, key=first))
        out += [_(messages.ALLOW_MORE, language, keys=wording.fact_names(more, language))] if more else []
    if fixed:
        out.append(_(messages.NOT_LIFTED, language, keys=wording.fact_names(fixed, language)))
    unknown = [row for row in rows if row.standing is Standing.UNKNOWN and row.blocks_all]
    if free and unknown:
        out.append(_(messages.NOT_LIFTED_UNKNOWN, language, keys=wording.fact_names(unknown, language)))
    return out


def _held(row: SettingRow, value: str | None, side: str, language: Language) -> str:
    """One side of a compared fact; nothing where it is one of the other side, or its sentence says all."""
    other = row.key.rpartition(".")[2] in ("before", "after") and not row.key.endswith(f".{side}")
    if other or row.reason.code in _SAID_BY_SENTENCE or row.reason.code.startswith("workload_"):
        return ""
    return _clip(wording.setting_value(value, language))


def _blocks(row: SettingRow, language: Language) -> str:
    """What a difference forbids."""
    if row.blocks_all:
        return _(messages.ALL_METRICS, language)
    return _fold((wording.family_word(family, language) for family in row.families), language)


def _equal(rows: tuple[SettingRow, ...], language: Language) -> list[str]:
    """Equal facts once, key = value; an empty value has its word."""
    facts = wording.equal_facts(rows, language)
    return _columns([f"{key} = {wording.setting_value(value, language)}" for key, value in facts])


def _identity(rows: tuple[SettingRow, ...], language: Language) -> list[str]:
    """Facts that are never compared: those that differ with both values, then the equal ones once."""
    equal = tuple(row for row in rows if row.before == row.after)
    lines: dict[str, None] = {}
    for row, key in zip(rows, wording.told_by_place(rows, language), strict=True):
        if row not in equal:
            before, after = (_clip(wording.setting_value(value, language)) for value in (row.before, row.after))
            lines.setdefault(_(messages.DIFFERING, language, key=key, before=before, after=after))
    return [*lines, *_equal(equal, language)]


def _clip(text: str) -> str:
    """A long value with its middle left out; all of it is in the JSON output."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2 - 2]} ... {text[-LONGEST // 2 + 3 :]}"


def _workload(block: WorkloadBlock, language: Language) -> list[str]:
    """How much of the work is the same, and what is not."""

    def share(value: Number | Missing) -> str:
        if isinstance(value, Missing):
            return wording.missing_word(value, language)
        return numbers.plain_value(value.quantity, metric_unit_hint="share", language=language)

    lines = [
        _(messages.MATCHED, language, before=share(block.matched_before), after=share(block.matched_after)),
        _(messages.UNRECORDED, language, before=share(block.unrecorded_before), after=share(block.unrecorded_after)),
    ]
    for side, types in (("before", block.only_before), ("after", block.only_after)):
        if types:
            lines.append(_(messages.ONLY_IN[side], language, types=_fold(types, language)))
    return lines


def _captures(evaluation: Evaluation, language: Language) -> list[str]:
    """Doubts and unused files of both sides."""
    lines = []
    for capture in (*evaluation.before, *evaluation.after):
        side = wording.side_word(capture.side)
        said = [*(wording.clause(reason, language) for reason in capture.warnings), *_unread(capture, language)]
        lines += [_(messages.COLON, language, name=side, text=text) for text in said]
    return lines


def _bad_files(evaluation: Evaluation, language: Language) -> list[str]:
    """Files of both sides that were found and could not be read to their end."""
    lines = []
    for capture in (*evaluation.before, *evaluation.after):
        bad = tuple(file for file in capture.unread if file.reason.code in BAD_FILES)
        side = wording.side_word(capture.side)
        lines += [_(messages.COLON, language, name=side, text=text)
                  for text in _unread(replace(capture, unread=bad), language)]  # fmt: skip
    return lines


# --------------------------------------------------------------------------------------------- compare
def _not_comparable_note(report: Report, language: Language) -> str:
    """What every row of a pair that is not comparable says; empty otherwise."""
    if report.comparability.standing is not PairStanding.NOT_COMPARABLE:
        return ""
    keys = _fold((wording.fact_title(row.spelling, language) for row in wording.deciding(report)), language)
    return _(messages.NOT_COMPARABLE_ROW, language, why=keys)


def _compared(comparisons: tuple[Comparison, ...], note: str, language: Language) -> list[str]:
    """Metrics side by side."""
    if not comparisons:
        return []
    place = _place_head([row.dimensions for row in comparisons])
    names = ("metric", place, "BEFORE", "AFTER", "delta", "change", "ratio", "source", "status")
    rows = [
        [
            wording.metric_title(row.metric, language, row.dimensions.part),
            _place(row.dimensions.rank, row.dimensions.device),
            _value(row.before, row.metric, language, _points(row)),
            _value(row.after, row.metric, language, _points(row)),
            *(("", "", "") if note else _formed(row, language)),
            "/".join(dict.fromkeys(side.source for side in (row.before, row.after) if side and side.source)),
            note or _status(row, language),
        ]
        for row in comparisons
    ]
    return table([_heads(names, language), *rows], ("l", "r", "r", "r", "r", "r", "l", "l", "l"))


def _formed(row: Comparison, language: Language) -> tuple[str, str, str]:
    """What is formed of both sides of a row: the delta, the change and the ratio."""
    delta = _quantity(row.delta, row.metric, language, signed=True, places=_points(row))
    return delta, _change(row, language), _ratio(row)


def _points(row: Comparison) -> int:
    """Decimals of a share and its change in points: a change that is told apart is not printed as none."""
    if row.distinguishable != "yes" or not isinstance(row.delta, Quantity):
        return 1
    return numbers.decimals_from_one((Fraction(row.delta.value) + 1,), 1, 100)


def _change(row: Comparison, language: Language) -> str:
    """The relative change; of the time of a step that of its speed beside it, each named."""
    if not isinstance(row.change, Quantity):
        return ""
    told = row.distinguishable == "yes"
    change = numbers.plain_change(row.change, language, told=told)
    fast = change_of_speed(row.before, row.after) if row.metric in STEP_METRICS else None
    if fast is None:
        return change
    return _(messages.SPEED, language, time=change, speed=numbers.plain_change(fast, language, told=told))


def _is_valueless(row: Comparison) -> bool:
    """Whether neither side has a value."""
    return not any(isinstance(side.summary, Quantity) for side in (row.before, row.after) if side is not None)


def _valueless(comparisons: tuple[Comparison, ...], language: Language) -> list[str]:
    """Metrics without a value on either side, by the reason; each once for all ranks."""
    grouped: dict[str, dict[str, None]] = {}
    for row in comparisons:
        side = row.after or row.before
        if side is not None and _is_valueless(row) and isinstance(side.summary, Missing):
            title = wording.metric_title(row.metric, language, row.dimensions.part)
            grouped.setdefault(wording.clause(side.summary.reason, language), {}).setdefault(title)
    return [
        _(messages.COLON, language, name=_fold(titles, language), text=reason) for reason, titles in grouped.items()
    ]


def _ratio(row: Comparison) -> str:
    """AFTER / BEFORE with its interval, of shares too: their word rests on it, though their change is in points."""
    if not row.estimate:
        return ""
    shown = numbers.plain_ratio(row.estimate, row.interval, told=row.distinguishable == "yes")
    if row.between is None or not isinstance(row.between.value, Quantity):
        return shown
    return f"{shown} u_B {numbers.format_spread(row.between.value)}"


def _value(measurement: Measurement | None, metric: str, language: Language, places: int = 1) -> str:
    """One side of a metric, or the word for what is missing."""
    if measurement is None:
        return _(messages.NOT_RECORDED, language)
    return _quantity(measurement.summary, metric, language, places=places)


def _quantity(
    value: Quantity | Missing, metric: str, language: Language, *, signed: bool = False, places: int = 1
) -> str:
    """A number; the word for what is missing, where it is a value of a side."""
    if isinstance(value, Missing):
        return "" if signed else wording.missing_word(value, language)
    return numbers.plain_value(value, metric_unit_hint=metric, language=language, signed=signed, places=places)


def _status(row: Comparison, language: Language) -> str:
    """What may be said of the row in one word, or why it gets no verdict."""
    if row.blocked:
        return _not_judged(row, language)
    word = wording.status_word(row, language)
    exact = row.reason.code in ("exact_equal", "exact_differs") and row.status is not Status.UNKNOWN
    return _(messages.EXACTLY, language, status=word) if exact else word


def _told(row: Comparison, language: Language) -> str:
    """Whether the calls of an operator type may be judged, and whether a difference is demonstrated."""
    if row.blocked:
        return _not_judged(row, language)
    return wording.told_why(row.distinguishable, row.reason, language)


def _not_judged(row: Comparison, language: Language) -> str:
    why = _fold(dict.fromkeys(_block(reason, language) for reason in row.blocked), language)
    return _(messages.NOT_JUDGED_ROW, language, why=why)


def _block(reason: Reason, language: Language) -> str:
    """Why a row gets no verdict, short: the keys that forbid it, or the reason."""
    keys = reason.arg("keys")
    if not keys:
        return wording.clause(reason, language)
    named = _fold((wording.fact_title(key, language) for key in keys.split(", ")), language)
    if reason.code == "pair_cannot_be_shown":
        return _(messages.CANNOT_BE_SHOWN_ROW, language, keys=named)
    return named


def _operators(operators: tuple[OperatorChange, ...], note: str, language: Language) -> list[str]:
    """Operator types side by side: calls and the median of a call."""
    if not operators:
        return []
    place = _place_head([change.dimensions for change in operators])
    sides = ("calls_before", "calls_after", "call_before", "call_after")
    names = ("type", place, *sides, "delta", "change", "ratio_level", "step_delta", "told")
    rows = [_operator(change, note, language) for change in operators[:MOST_OPERATORS]]
    lines = table([_heads(names, language), *rows], ("l", "r", "r", "r", "r", "r", "r", "r", "l", "r", "l"))
    return [*lines, *([_more(len(operators) - len(rows), language)] if len(operators) > len(rows) else [])]


def _operator(change: OperatorChange, note: str, language: Language) -> list[str]:
    """One operator type."""
    sides = tuple(side.totals if side else None for side in (change.before, change.after))
    calls = [numbers.plain_value(side.calls, language=language) if side else "0" for side in sides]
    medians = [numbers.plain_value(side.median, language=language) if side else "" for side in sides]
    call = change.call
    told = note or (_told(call, language) if call else wording.change_word(change.change, language))
    return [
        change.type,
        _place(change.dimensions.rank, change.dimensions.device),
        *calls,
        *medians,
        *(("", "", "", "") if note else _formed_of_type(change, sides, language)),
        told,
    ]


def _formed_of_type(
    change: OperatorChange, sides: tuple[OperatorTotals | None, ...], language: Language
) -> tuple[str, str, str, str]:
    """What is formed of both sides of a type: delta and change of a call, their ratio, the delta of a step."""
    call, ratio = change.call, ""
    if call and call.estimate:
        ratio = numbers.plain_ratio(call.estimate, call.interval, level=True, told=call.distinguishable == "yes")
    per_step = numbers.plain_value(change.delta_per_step, language=language, signed=True)
    calls = ("", "") if call and call.reason.code == "unlike_calls" else _median_change(sides, language)
    return *calls, ratio, per_step


def _median_change(sides: tuple[OperatorTotals | None, ...], language: Language) -> tuple[str, str]:
    """Difference and relative change of the medians that stand beside it."""
    before, after = sides
    if before is None or after is None:
        return "", ""
    delta = Fraction(after.median.value) - Fraction(before.median.value)
    text = numbers.plain_value(Quantity(value=delta, unit=after.median.unit), language=language, signed=True)
    if before.median.value == 0:
        return text, ""
    return text, numbers.plain_change(Quantity(value=delta / Fraction(before.median.value), unit="1"), language)


# --------------------------------------------------------------------------------------------- report
def _goals(report: Report, language: Language) -> list[str]:
    """One line for each goal."""
    if not report.goals:
        return []
    several = len({row.rank for row in report.metrics}) > 1
    rows = [
        [
            goal.id,
            wording.goal_text(goal, language),
            _place(goal.rank) if several else "",
            _judged(report, goal, language),
            wording.goal_interval_word(report, goal, language),
            wording.goal_outcome(report, goal, language),
            _goal_spread(report, goal, language),
        ]
        for goal in report.goals
    ]
    heads = _heads(("goal", "rank", "value", "interval", "outcome", "between"), language)
    quotients = [
        _(messages.COLON, language, name=goal.id, text=wording.estimate_sentence(goal, language))
        for goal in report.goals
        if not wording.may_not_be_formed(report, goal) and wording.estimate_sentence(goal, language)
    ]
    return [*table([["", *heads], *rows], ("l", "l", "r", "r", "r", "l", "l")), *quotients]


def _goal_spread(report: Report, goal: GoalRow, language: Language) -> str:
    """The spread between ranks of the metric that a goal was judged on; empty without one."""
    row = spread.of_goal(report.metrics, goal)
    return _fold(spread.words(row, language), language) if row is not None else ""


def _judged(report: Report, goal: GoalRow, language: Language) -> str:
    """The judged value; of sides that are not comparable each alone, since nothing may be made of the two."""
    if not wording.may_not_be_formed(report, goal):
        return wording.goal_value(goal, language)
    return _fold([*wording.goal_sides(goal, language), wording.not_judged_word(language)], language)
