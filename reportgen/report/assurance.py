"""Rows of the report on accuracy, inflation, gates and attachments, as plain data; see ``document``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from reportgen.model import GateOutcome, Outcome, Reason, Side
from reportgen.report.numbered import ADDED, Number, Value


@dataclass(frozen=True, slots=True, kw_only=True)
class ToleranceRow:
    """One agreed tolerance."""

    kind: str
    """``absolute``, ``relative``, ``relative_max`` or ``relative_mean``."""
    value: Number
    """The tolerance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracyRow:
    """One criterion of accuracy, judged."""

    id: str
    """``C1``, ``C2`` ..."""
    case: str
    """Case id."""
    name: str
    """What is measured."""
    kind: Literal["score", "loss_curve"]
    """A value of each side, or two curves."""
    outcome: Outcome
    """Met, not met or undecided."""
    reason: Reason
    """Why."""
    direction: Literal["at_least", "at_most"]
    """Of a score."""
    tolerances: tuple[ToleranceRow, ...]
    """As agreed."""
    before: Value | None
    """Score of BEFORE; None of a curve."""
    after: Value | None
    """Score of AFTER; None of a curve."""
    limit: Number | None
    """Score that AFTER must reach, or stay below; None of a curve."""
    series: str
    """Of a curve: the agreed key; empty: the only loss."""
    first_step: int | None
    """Of a curve: first step that counts."""
    last_step: int | None
    """Last step that counts."""
    steps: int
    """Steps compared."""
    largest: Number | None
    """Largest relative deviation of a step; None without a compared step."""
    largest_step: int | None
    """The step that shows it."""
    mean: Number | None
    """Mean relative deviation."""
    only_before: tuple[int, ...]
    """Steps of the range that BEFORE alone has."""
    only_after: tuple[int, ...]
    """Steps of the range that AFTER alone has."""
    uncounted_before: int
    """Iterations of BEFORE in the range that were skipped or gave no finite value."""
    uncounted_after: int
    """The same of AFTER."""
    typed: tuple[str, ...]
    """Sides whose value was typed by hand."""
    files: tuple[tuple[str, str], ...]
    """(file, SHA-256), BEFORE first."""
    origins: tuple[str, ...] = field(default=(), metadata=ADDED)
    """Ids in ``Report.origins``: where both sides were read, BEFORE first, also where no number came of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrecisionRow:
    """A sign of another data type or quantisation."""

    case: str
    """Case id."""
    reason: Reason
    """What shows it."""
    origins: tuple[str, ...]
    """Ids in ``Report.origins``; empty for words of the target and of logs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InflationRow:
    """What the profiler adds."""

    id: str
    """``I1``, ``I2`` ..."""
    side: Side
    """Side."""
    metric: str
    """Metric id."""
    kind: str
    """Kind."""
    statistic: str
    """Statistic of both values."""
    profiled: Value
    """Profiled value."""
    unprofiled: Value
    """Unprofiled value."""
    difference: Value
    """Profiled minus unprofiled."""
    share: Value
    """The difference over the unprofiled value."""
    case: str = field(default="", metadata=ADDED)
    """Case of the captures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateFactRow:
    """One fact that a gate looked at."""

    name: str
    """Fact id, setting key or metric id."""
    part: str
    """What it is of."""
    before: Value | None
    """BEFORE as a number; None where it is a text."""
    after: Value | None
    """AFTER as a number."""
    before_text: str | None
    """BEFORE as recorded; None: not recorded, or a number."""
    after_text: str | None
    """AFTER as recorded."""
    origins: tuple[str, ...] = field(default=(), metadata=ADDED)
    """Ids in ``Report.origins`` of where texts come from, BEFORE first; numbers have their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRow:
    """One gate."""

    id: str
    """``G1`` ... ``G10``."""
    outcome: GateOutcome
    """How it stands."""
    removes: bool
    """Whether its failure removes the comparative verdict."""
    reasons: tuple[Reason, ...]
    """Why."""
    facts: tuple[GateFactRow, ...]
    """What was looked at."""
    basis: tuple[str, ...]
    """Ids of the catalogue."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentRow:
    """A file handed in beside the evidence; never read for numbers."""

    file: str
    """File."""
    size: int
    """Bytes."""
    digest: str
    """SHA-256."""
    what: str
    """What it is, as stated."""
    tool: str
    """Tool, as stated."""
    version: str
    """Version, as stated."""
    says: str
    """Line near its top that names a version."""
