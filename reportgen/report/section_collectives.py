"""Section "Collectives": waiting, transit and synchronisation by kind, links, and groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.report import figures, figures_units, numbers, wording
from reportgen.report.document import MetricRow, Number
from reportgen.report.rows import doubts, has_value, lacking, measured_from, rows_of
from reportgen.report.section_units import QuotientLine, quotient
from reportgen.report.view import KEY, Cell, Context, Cut, Line, Where, capped, line, rank_words, ranks, whence

TIMES = ("collective_elapse", "collective_transit", "collective_wait", "collective_synchronization", "collective_idle")
"""Times of a kind of collective, in the order of the columns."""
RATIOS = ("collective_wait_ratio", "collective_synchronization_ratio")
"""Ratios over all collectives."""
LINKS = ("link_size", "link_transit", "link_bandwidth", "link_large_packet_share")
"""Metrics of a kind of link, in the order of the columns."""
GROUPS = ("group_communication_not_overlapped",)
"""Metrics of a group of ranks."""
REPEATED = "SDMA"
"""The link whose traffic repeats that of HCCS."""
MOST = 15
"""Kinds, links and groups in the PDF."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One kind of collective, or one kind of link, with several figures of both sides."""

    name: str
    """What it is."""
    strong: bool
    """All of them together."""
    ids: tuple[str, ...]
    """Metric row of each pair of columns; empty where there is none."""
    cells: tuple[tuple[Cell, Cell], ...]
    """BEFORE and AFTER of each pair of columns."""
    where: tuple[Where, ...]
    """Origins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of one rank."""

    rank: str
    """Rank; empty where there is only one."""
    rows: tuple[Row, ...]
    """All together first, then the largest first."""
    units: tuple[str, ...]
    """Unit of each pair of columns."""
    cut: Cut | None
    """Of the rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectiveSection:
    """Collectives."""

    figure: figures.Figure
    """Stacked bars by kind."""
    kinds: tuple[Table, ...]
    """Kinds of collectives by rank."""
    heads: tuple[str, ...]
    """Names of the times."""
    ratios: tuple[QuotientLine, ...]
    """Ratios over all collectives."""
    links: tuple[Table, ...]
    """Kinds of links by rank."""
    link_heads: tuple[str, ...]
    """Names of the columns of the links."""
    groups: tuple[Line, ...]
    """Communication not overlapped by group."""
    groups_cut: Cut | None
    """Of the groups."""
    measured: str
    """Which kind of file they come from."""
    lacking: tuple[str, ...]
    """What could not be measured, and what would supply it."""
    doubts: tuple[str, ...]
    """What is to be known of the values."""


def collectives(context: Context) -> CollectiveSection:
    """The section of the collectives."""
    times, ratios, links, groups = (rows_of(context, metrics) for metrics in (TIMES, RATIOS, LINKS, GROUPS))
    all_rows = (*times, *ratios, *links, *groups)
    had = [row for row in all_rows if has_value(row)]
    shown, cut = capped([row for row in groups if has_value(row)], MOST if context.paper else None)
    return CollectiveSection(
        figure=figures_units.collectives(context),
        kinds=_tables(context, [row for row in times if has_value(row)], TIMES),
        heads=tuple(wording.metric_short(metric, context.language) for metric in TIMES),
        ratios=tuple(quotient(context, row) for row in ratios if has_value(row)),
        links=_tables(context, [row for row in links if has_value(row)], LINKS),
        link_heads=tuple(wording.metric_title(metric, context.language) for metric in LINKS),
        groups=tuple(line(context, row) for row in shown),
        groups_cut=cut,
        measured=measured_from(context, [row for row in had if row not in groups]),
        lacking=lacking(context, all_rows),
        doubts=doubts(context, had),
    )


def _tables(context: Context, rows: Sequence[MetricRow], metrics: Sequence[str]) -> tuple[Table, ...]:
    """A table for each rank; parts with the largest first metric first, all of them together on top."""
    scales = [figures_units.common_scale([row for row in rows if row.metric == metric], (metric,))
              for metric in metrics]  # fmt: skip
    if metrics is TIMES:
        scales = [figures_units.common_scale(rows, TIMES)] * len(metrics)
    tables = []
    for rank in dict.fromkeys(row.rank for row in rows):
        found = {(row.part, row.metric): row for row in rows if row.rank == rank}
        parts = sorted(dict.fromkeys(part for part, _metric in found), key=lambda part: _size(found, part, metrics[0]))
        shown, cut = capped(parts, MOST if context.paper else None)
        tables.append(
            Table(
                rank=rank_words(context, rank) if ranks(context.report) > 1 else "",
                rows=tuple(_row(context, part, [found.get((part, m)) for m in metrics], scales) for part in shown),
                units=tuple(scale.unit for scale in scales),
                cut=cut,
            )
        )
    return tuple(tables)


def _size(found: dict[tuple[str, str], MetricRow], part: str, metric: str) -> tuple[bool, Fraction, str]:
    """How parts are sorted: all together, then by the larger side of their first metric."""
    row = found.get((part, metric))
    values = [side.value for side in (row.before, row.after)] if row is not None else []
    largest = max(
        (Fraction(value.quantity.value) for value in values if isinstance(value, Number)), default=Fraction(0)
    )
    return part != "", -largest, part


def _row(context: Context, part: str, rows: Sequence[MetricRow | None], scales: Sequence[numbers.Scale]) -> Row:
    """One kind on one line."""
    name = context.fit(part, KEY) or context.text("all collectives")
    if part == REPEATED:
        name = context.text("%(name)s (repeats HCCS)", name=name)
    texts = [figures_units.texts_in(context, row, scale) for row, scale in zip(rows, scales, strict=True)]
    sides = [side.value for row in rows if row is not None for side in (row.before, row.after)]
    return Row(
        name=name,
        strong=not part,
        ids=tuple(row.id if row is not None else "" for row in rows),
        cells=tuple(figures_units.cells(context, row, text) for row, text in zip(rows, texts, strict=True)),
        where=whence(context, sides),
    )
