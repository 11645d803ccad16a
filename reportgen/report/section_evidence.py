"""Sections "What was changed", "Method, formulas and origins" and "Evidence manifest"."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from reportgen.report import fonts, notes, numbers, wording
from reportgen.report.build import own_section
from reportgen.report.document import FileRow
from reportgen.report.view import FILES, VALUE, Context, Cut, Where, line, of_origin, whence


# ------------------------------------------------------------------------------------------- note
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
    return NoteSection(html=notes.rendered(report.note, below=2), digest=report.note_digest)


# ------------------------------------------------------------------------------------------- method
@dataclass(frozen=True, slots=True, kw_only=True)
class OriginLine:
    """Metrics that come from the same places by the same rules."""

    runs: tuple[tuple[str, tuple[str, ...], str], ...]
    """(first, those between, last) of metric rows and operator types; the last is empty where one stands alone."""
    name: str
    """What they are."""
    files: tuple[tuple[str, str], ...]
    """(number in the manifest or else the path, anchor of its line there) of the files they come from."""
    places: str
    """Columns and rows."""
    formula: str
    """Formulas."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalLine:
    """What stands behind some intervals."""

    of: str
    """``AFTER / BEFORE``, or each side alone."""
    method: str
    """How they were made."""
    before: str
    """Captures and values of BEFORE, ``1 × 9``; empty where AFTER alone has such an interval."""
    after: str
    """The same of AFTER."""
    rows: str
    """Metric rows, neighbours as a range."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodSection:
    """Method."""

    intervals: tuple[IntervalLine, ...]
    """What stands behind the intervals of metrics."""
    bases: str
    """Which variant of a metric was used."""
    origins: tuple[OriginLine, ...]
    """Where the numbers shown come from."""

    @property
    def cited(self) -> frozenset[str]:
        """Anchors of the lines of the manifest that they name."""
        return frozenset(anchor for one in self.origins for _name, anchor in one.files if anchor)


Shown = tuple[tuple[str, ...], str, tuple[Where, ...]]
"""(metric rows or operator types, name, origins) of one line of the report."""


def method(
    context: Context,
    elsewhere: Iterable[Shown] = (),
    named: Iterable[str] = (),
    cited: Iterable[tuple[str, Sequence[str]]] = (),
) -> MethodSection:
    """The section of the method.

    Args:
        context: the context.
        elsewhere: lines that hold several metric rows, from the sections that list them.
        named: ids of rows that other tables refer to; those that have no line yet get one.
        cited: (what it is, ids of the origins that are printed beside it), each of which gets a line.
    """
    rows = context.report.metrics
    bases = dict.fromkeys(side.basis for row in rows for side in (row.before, row.after) if side.basis)
    listed = [*_outside(context), *_cited(context, cited), *_alone(context), *elsewhere]
    have = {identity for ids, _name, _where in listed for identity in ids}
    listed += _named(context, [identity for identity in dict.fromkeys(named) if identity not in have])
    return MethodSection(
        intervals=_intervals(context),
        bases=context.series(wording.basis_word(name, context.language) for name in bases),
        origins=_origins(context, listed),
    )


def _intervals(context: Context) -> tuple[IntervalLine, ...]:
    """What stands behind the intervals of metrics: of AFTER / BEFORE, then those of a side alone."""
    groups: dict[tuple[str, str, str, str], list[str]] = {}
    for row in context.report.metrics:
        counts = [numbers.format_repeats(side.captures, side.values) for side in (row.before, row.after)]
        if row.interval is not None and not wording.is_blocked(context.report, row):
            groups.setdefault(("AFTER / BEFORE", row.interval.method, counts[0], counts[1]), []).append(row.id)
        methods = [side.interval.method if side.interval is not None else "" for side in (row.before, row.after)]
        for method in dict.fromkeys(filter(None, methods)):
            own = [count if method == one else "" for count, one in zip(counts, methods, strict=True)]
            groups.setdefault(("", method, own[0], own[1]), []).append(row.id)
    return tuple(
        IntervalLine(
            of=of or context.text("each side alone"),
            method=wording.method_word(method, context.language),
            before=before,
            after=after,
            rows=wording.id_ranges(ids, context.language),
        )
        for (of, method, before, after), ids in sorted(groups.items(), key=lambda one: not one[0][0])
    )


def _outside(context: Context) -> Iterator[Shown]:
    """Goals on values measured outside the captures, which no metric row has."""
    for goal in context.report.goals:
        where = whence(context, (goal.before, goal.after, goal.value))
        if goal.measured_outside and not goal.metric_row and where:
            yield (f"goal:{goal.id}",), wording.goal_name(goal, context.language), where


def _cited(context: Context, cited: Iterable[tuple[str, Sequence[str]]]) -> Iterator[Shown]:
    """Origins that are printed by their own ids, each once, with the names of all that they are printed beside."""
    names: dict[str, dict[str, None]] = {}
    for name, ids in cited:
        for identity in ids:
            names.setdefault(identity, {}).setdefault(name)
    for identity, beside in names.items():
        yield (identity,), context.series(beside), (of_origin(context, identity),)


def _alone(context: Context) -> Iterator[Shown]:
    """The metric rows that have a line of their own, on paper those of the worst rank."""
    for row in context.report.metrics:
        if (row.worst or not context.paper) and not own_section(row.metric, row.part):
            shown = line(context, row)
            yield (shown.id,), shown.name, shown.where


def _named(context: Context, ids: Sequence[str]) -> Iterator[Shown]:
    """Metric rows and operator types by their ids."""
    for row in context.report.metrics:
        if row.id in ids:
            shown = line(context, row)
            yield (shown.id,), shown.name, shown.where
    for kind in context.report.operators:
        if kind.id in ids:
            yield (kind.id,), kind.type, whence(context, (side.total for side in (kind.before, kind.after) if side))


def _origins(context: Context, rows: Iterable[Shown]) -> tuple[OriginLine, ...]:
    """The origins of the metrics, those from the same places in the same files together."""
    found: dict[tuple[tuple[tuple[str, str], ...], str, str], list[Shown]] = {}
    for row in rows:
        files = tuple(dict.fromkeys(_file(context, where) for where in row[2]))
        formula = context.series(dict.fromkeys(where.formula for where in row[2] if where.formula))
        found.setdefault((files, _places(context, row[2]), formula), []).append(row)
    lines = (
        OriginLine(
            runs=_runs(dict.fromkeys(identity for ids, _name, _where in shown for identity in ids)),
            name=context.series(name for _ids, name, _where in shown),
            files=files,
            places=places,
            formula=formula,
        )
        for (files, places, formula), shown in found.items()
    )
    return tuple(sorted(lines, key=lambda one: _place(one.runs[0][0])))


def _place(identity: str) -> tuple[str, int]:
    """Where an id stands among all: M2 before M10."""
    letters = identity.rstrip("0123456789")
    return letters, int(identity[len(letters) :] or 0)


def _file(context: Context, where: Where) -> tuple[str, str]:
    """The number of a file in the manifest and its anchor there; the path and no anchor where it is not listed."""
    return (where.anchor.upper(), where.anchor) if where.anchor else (context.fit(where.file, VALUE), "")


def _runs(ids: Iterable[str]) -> tuple[tuple[str, tuple[str, ...], str], ...]:
    """Ids in a row whose numbers follow each other, as (first, those between, last); two of them stand apart."""
    runs: list[list[str]] = []
    for identity in ids:
        before = runs[-1][-1] if runs else ""
        letter, number = before[:1], before[1:]
        if number.isdigit() and identity == f"{letter}{int(number) + 1}":
            runs[-1].append(identity)
        else:
            runs.append([identity])
    found: list[tuple[str, tuple[str, ...], str]] = []
    for run in runs:
        if len(run) > 2:
            found.append((run[0], tuple(run[1:-1]), run[-1]))
        else:
            found += [(identity, (), "") for identity in run]
    return tuple(found)


def _places(context: Context, wheres: Iterable[Where]) -> str:
    """The places in their files; those that differ in their rows alone name the columns once."""
    found: dict[str, dict[str, None]] = {}
    for where in wheres:
        columns, _between, rows = context.fit(where.locator, VALUE).rpartition("; ")
        found.setdefault(columns, {}).setdefault(rows)
    return context.series(
        f"{columns}; {' / '.join(rows)}" if columns else context.series(rows) for columns, rows in found.items()
    )


# ------------------------------------------------------------------------------------------- manifest
RAW_FILES = 400
"""Files that the raw data list of the formal form holds on paper."""
FileGroup = tuple[str, str, tuple[tuple[int, str, str, str], ...]]
"""(side, directory with its slash, ((number, name, bytes, SHA-256), ...))."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestSection:
    """Evidence manifest."""

    files: tuple[FileGroup, ...]
    """(side, directory, its files), in the order of the report."""
    cut: Cut | None
    """Of them."""
    total: int
    """Files in all."""
    unprintable: tuple[str, ...]
    """Characters that the fonts lack, as code points."""


def manifest(context: Context, unprintable: Sequence[str], cited: Collection[str]) -> ManifestSection:
    """The section of the evidence manifest.

    Args:
        context: the context.
        unprintable: characters that the fonts lack.
        cited: anchors of the files that numbers of the report come from; of many files paper lists only these, in the
            formal form, whose appendix this is, of very many.
    """
    numbered = tuple(enumerate(context.report.manifest, 1))
    rows = numbered
    if context.paper and len(numbered) > (RAW_FILES if "overview" in context.sections else FILES):
        rows = tuple(one for one in numbered if f"f{one[0]}" in cited) or numbered[:FILES]

    def place(numbered: tuple[int, FileRow]) -> tuple[str, str]:
        side, path = numbered[1].side.upper(), numbered[1].path
        side = context.text("attachment") if numbered[1].side == "attachment" else side
        directory = path[: path.rfind("/") + 1]
        return side if side or directory else context.text("given beside the captures"), directory

    def shown(number: int, row: FileRow, directory: str) -> tuple[int, str, str, str]:
        name = context.fit(row.path[len(directory) :], 2 * VALUE)
        return number, name, numbers.format_count(row.size), row.digest

    groups = groupby(rows, key=place)
    return ManifestSection(
        files=tuple(
            (side, context.fit(directory, 2 * VALUE), tuple(shown(*one, directory) for one in group))
            for (side, directory), group in groups
        ),
        cut=Cut(shown=len(rows), rest=len(numbered) - len(rows)) if len(rows) < len(numbered) else None,
        total=len(numbered),
        unprintable=tuple(fonts.code_point(character) for character in unprintable),
    )
