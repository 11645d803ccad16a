"""What every topic of metrics shares: origins, missing values, samples to measurements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

from reportgen import samples, units
from reportgen.frames import OUTSIDE, Capture, RankTables, Table, distinct
from reportgen.model import (
    CaptureFacts,
    Dimensions,
    Interval,
    Measurement,
    Metric,
    Missing,
    MissingKind,
    Origin,
    Quantity,
    RankFacts,
    Reason,
    Sample,
    Side,
    Witness,
)
from reportgen.reading.db_pmu import names
from reportgen.reading.kernels import pmu_columns
from reportgen.reading.sources import ORDER

STALE_NS = 10**9
"""Stamps this far outside the capture's own start and end mean another run's file; ours, to allow for clock offset."""
FEWEST_FOR_DIGIT = 3
"""Values from which a column's last digit is told: that 3 of them end in 0 by chance is one case in 1000."""
STAMPS = ("records_after_start", "records_before_end")
"""Names of the checks of a table's stamps against the start and the end of the capture."""


SPELLED = {
    "name": ("Op Name", "Name"),
    "start": ("Task Start Time(us)", "Start Time(us)"),
    "duration": ("Task Duration(us)", "Duration(us)"),
    "core": ("Task Type", "Accelerator Core"),
    "step": ("Step Id",),
    "blocks": ("Block Num", "Block Dim"),
    "memory_bound": ("memory_bound",),
    **{column.name: column.headers for column in pmu_columns()},
}
"""Columns of the kernel table by what they hold; op_summary first, then kernel_details."""
IN_DATABASE = {
    "name": "COMPUTE_TASK_INFO.name",
    "start": "TASK.startNs",
    "duration": "TASK.endNs - TASK.startNs",
    "core": "COMPUTE_TASK_INFO.taskType, TASK.taskType",
    "step": "STEP_TIME",
    "blocks": "COMPUTE_TASK_INFO.blockNum (blockDim before schema 1.2)",
    **{column: f"TASK_PMU_INFO.{name}" for name, column in names().items()},
}
"""The same in a database."""


_TORCH = {
    "steps": "schedule(active=2 or more), step()",
    "communication": "profiler_level=Level1",
    "kinds": "profiler_level=Level1",
    "pmu": "aic_metrics=PipeUtilization, profiler_level=Level1",
    "memory": "profile_memory=True",
}
_MSPROF = {
    "steps": "torch_npu.profiler, schedule(active=2 or more)",
    "communication": "msprof --hccl=on; msprof --export=on --clear=off, then msprof --analyze=on",
    "kinds": "msprof --task-time=l1",
    "pmu": "msprof --ai-core=on --aic-metrics=PipeUtilization",
    "memory": "msprof --task-memory=on --sys-hardware-mem=on",
}
OPTIONS = {"torch_text": _TORCH, "torch_db": _TORCH, "msprof_text": _MSPROF, "msprof_db": _MSPROF} | {
    "torch_json": _TORCH,
    "msprof_json": _MSPROF,
}
"""Layout -> what is missing -> the capture option that would supply it, in the words of the tool that captured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One rank of one capture, with what its measurements share."""

    facts: CaptureFacts
    """The capture."""
    rank: RankFacts
    """The rank."""
    tables: RankTables
    """Its tables."""
    witnesses: tuple[Witness, ...] = ()
    """Cross-checks of the kernel table's rows."""
    checkpoint_steps: tuple[str, ...] = ()
    """Steps that save a checkpoint, as agreed."""

    @property
    def side(self) -> Side:
        """Its side."""
        return self.facts.side

    def option(self, missing: str) -> Reason:
        """The capture option that would supply what is missing, for the tool that made this capture."""
        return Reason.of("needs_option", option=OPTIONS[self.facts.layout.id][missing])

    def dimensions(self, part: str = "") -> Dimensions:
        """The dimensions of a measurement taken here."""
        return Dimensions(rank=self.rank.rank, device=self.rank.device, part=part)

    def origin(self, table: Table, locator: str, formula: str) -> Origin:
        """An origin in one of its tables."""
        return origin_of(self.side, table, locator, formula)

    def kernels(self, locator: str, formula: str) -> tuple[Origin, ...]:
        """An origin in the kernel table.

        ``{start}`` and its like (``SPELLED``) in the locator become the columns of this file or database, ``{rows}``
        its rows.
        """
        table = self.tables.kernels
        for name, columns in SPELLED.items():
            if f"{{{name}}}" in locator:
                column = (
                    IN_DATABASE.get(name, name)
                    if table.source == "db"
                    else next((c for c in columns if c in table.columns), columns[0])
                )
                locator = locator.replace(f"{{{name}}}", column)
        rows = f"{self.rank.rows} rows of {table.locator}" if table.source == "db" else f"rows 2-{self.rank.rows + 1}"
        return (self.origin(table, locator.replace("{rows}", rows), formula),)

    def measured(
        self,
        metric: Metric,
        summary: Quantity | Missing,
        *,
        part: str = "",
        sample: Sample | None = None,
        interval: Interval | None = None,
        numerator: Quantity | None = None,
        denominator: Quantity | None = None,
        basis: str = "",
        origins: tuple[Origin, ...] = (),
        witnesses: tuple[Witness, ...] | None = None,
        warnings: tuple[Reason, ...] = (),
        at: Quantity | None = None,
        resolution: Quantity | None = None,
    ) -> Measurement:
        """A measurement of this place; the kernel table's witnesses unless others are given."""
        return Measurement(
            metric=metric.id,
            side=self.side,
            dimensions=self.dimensions(part),
            summary=summary,
            sample=sample,
            interval=interval,
            numerator=numerator,
            denominator=denominator,
            basis=basis,
            origins=origins,
            witnesses=self.witnesses if witnesses is None else witnesses,
            warnings=warnings,
            at=at,
            resolution=resolution,
        )


def stamps(
    place: Place, table: Table, column: str, *, names: tuple[str, str] = STAMPS, passed: bool = False
) -> tuple[Witness, ...]:
    """The stamps of a table against the capture's own start and end, ``STALE_NS`` allowed.

    Args:
        column: of the table, epoch ns; cells may be NA.
        names: of the checks against the start and the end.
        passed: also give checks that agree. A table of samples has no use for them: they say nothing of completeness.

    Returns:
        The check against the start, then the end, each where the capture records that instant; failed ones alone
        unless ``passed``. Empty without stamps.
    """
    known = table.frame[column].dropna()
    if not len(known):
        return ()
    first, last = int(known.min()), int(known.max())
    start, end = place.rank.started_ns, place.rank.ended_ns
    bounds = (
        (names[0], first, start, start is None or first >= start - STALE_NS),
        (names[1], last, end, end is None or last <= end + STALE_NS),
    )
    return tuple(
        Witness(
            name=name,
            agrees=agrees,
            found=quantity(ours, "ns"),
            expected=quantity(theirs, "ns"),
            tolerance=quantity(STALE_NS, "ns"),
            origins=(place.origin(table, column, name),),
        )
        for name, ours, theirs, agrees in bounds
        if theirs is not None and (passed or not agrees)
    )


def of_source(tables: RankTables, kind: str, source: str) -> Table | None:
    """The table of a kind that a source holds, chosen or not; None without one."""
    table: Table | None = getattr(tables, kind)
    held = (table, *(other for other in tables.others if other.kind == kind))
    return next((one for one in held if one is not None and one.source == source), None)


def side_path(side: Side, path: str) -> str:
    """A file's path as origins show it: its side in front."""
    return f"{side.value}/{path}"


def origin_of(side: Side, table: Table, locator: str, formula: str) -> Origin:
    """An origin in a table of a side."""
    return Origin(file=side_path(side, table.file.path), digest=table.file.digest, locator=locator, formula=formula)


def places(capture: Capture) -> list[tuple[RankFacts, RankTables]]:
    """The ranks of a capture with their tables."""
    return list(zip(capture.facts.ranks, capture.tables, strict=True))


def quantity(value: int | Fraction, unit: str, written: str = "") -> Quantity:
    """A quantity, whole values as int."""
    return Quantity(value=units.exact(Fraction(value)), unit=unit, written=written)


def missing(kind: MissingKind, code: str, remedy: Reason | None = None, **args: object) -> Missing:
    """A Missing with its reason."""
    return Missing(kind=kind, reason=Reason.of(code, **args), remedy=remedy)


def in_other_source(place: Place, code: str, carries: Callable[[Table], bool]) -> Missing | None:
    """What the kernel table lacks and the capture's kernels in another source hold: collected, and not in this source.

    Args:
        code: of the reason, which names the source that was read.
        carries: whether a kernel table holds it.

    Returns:
        NOT_RECORDED with the source that holds it, the preferred one, as the remedy; None when no source does.
    """
    others = [table for table in place.tables.others if table.kind == "kernels"]
    held = next((s for s in ORDER if any(table.source == s and carries(table) for table in others)), None)
    if held is None:
        return None
    remedy = Reason.of("choose_source", option=f"--source {held}", kernels=held)
    return missing(MissingKind.NOT_RECORDED, code, remedy, kernels=place.tables.kernels.source)


def has_steps(table: Table) -> bool:
    """Whether a row of a kernel table stands in a step."""
    return any(step != OUTSIDE for step in distinct(table.frame["step"]))


def has_values(table: Table, *beginnings: str) -> bool:
    """Whether a column whose name begins so holds any value."""
    columns = [name for name in table.frame if str(name).startswith(beginnings)]
    return any(bool(table.frame[name].notna().any()) for name in columns)


def no_pmu(place: Place, metric: str) -> Missing:
    """No PMU values in the kernel table: another source of the capture holds them, or they were not collected."""
    beginnings = (f"{metric[:3]}_",) if metric.startswith(("aic_", "aiv_")) else ("aic_", "aiv_", "memory_bound")
    elsewhere = in_other_source(place, "source_without_counters", lambda table: has_values(table, *beginnings))
    return elsewhere or missing(MissingKind.NOT_COLLECTED, "pmu_not_collected", place.option("pmu"), metric=metric)


def no_steps(place: Place) -> Missing:
    """No steps in the kernel table: another source of the capture holds them, or there are no markers."""
    elsewhere = in_other_source(place, "source_without_steps", has_steps)
    return elsewhere or missing(MissingKind.NOT_RECORDED, "no_step_markers", place.option("steps"))


def last_digit(values: Sequence[int]) -> int:
    """The power of ten that every value of a column is a multiple of: one of its last recorded digit.

    With fewer than ``FEWEST_FOR_DIGIT`` values chance may put zeros there: 1 then, and for values that are all 0.
    """
    common = gcd(*values) if len(values) >= FEWEST_FOR_DIGIT else 0
    digit = 1
    while common and common % (digit * 10) == 0:
        digit *= 10
    return digit


def rounding(parts: Sequence[int], wholes: Sequence[int]) -> Fraction:
    """By how much of itself a quotient of sums can be moved at most by the rounding of every value, half a digit each.

    All values may be rounded the same way, so halves add up; a sum of 0 is moved by nothing that can be told.
    """
    moved = Fraction(0)
    for values in (parts, wholes):
        total = sum(values)
        moved += Fraction(len(values) * last_digit(values), 2 * total) if total else 0
    return moved


def no_communication(place: Place) -> Missing:
    """No communication row: absent is not zero (docs/formats.md 3.2)."""
    return missing(MissingKind.NOT_RECORDED, "no_communication_rows", place.option("communication"))


def limit_interval(
    values: Sequence[int | Fraction], unit: str, weights: Sequence[int | Fraction] = ()
) -> tuple[Interval | None, tuple[Reason, ...]]:
    """The interval of one side alone, and what is to be said of it; values all alike do not show how they spread.

    Args:
        values: of the kept steps (calls), in order.
        unit: theirs.
        weights: of a quotient of sums the denominator of each value; without them it is the interval of the median.
    """
    if len(values) < 2 or min(values) <= 0 or samples.alike(values):
        return None, ()
    of = "weighted" if weights else "median"
    estimate = samples.limit_interval(values, level=float(samples.LEVEL), of=of, weights=weights)
    doubts = (Reason.of(estimate.reason, **estimate.figures),) if estimate.reason else ()
    if estimate.interval is None:
        return None, doubts
    return estimate.interval.stated(unit, estimate.method), doubts


def sampled(values: Sequence[int | Fraction], labels: Sequence[str], unit: str, dropped: Sequence[str] = ()) -> Sample:
    """A sample; all values are kept, since two samples are only cut into blocks of one common length (``samples``)."""
    return Sample(unit=unit, values=tuple(values), labels=tuple(labels), dropped=tuple(dropped))
