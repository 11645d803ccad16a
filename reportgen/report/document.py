"""The report as plain data: what report.json holds and what every output is rendered from.

Free of language: facts are ``Reason`` codes, titles are ids. A number is a ``Number``: its exact quantity and the
ids of its origins in ``Report.origins``; the walk of law 3 goes through here. Fields that can be missing hold a
``Missing``. Templates read these values and never compute.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from reportgen.model import (
    Applicability,
    Baseline,
    Distinguishable,
    Family,
    Origin,
    Outcome,
    PairStanding,
    Reason,
    Side,
    Standing,
    Status,
    VerdictWord,
)
from reportgen.report.assurance import AccuracyRow, AttachmentRow, GateRow, InflationRow, PrecisionRow
from reportgen.report.numbered import ADDED
from reportgen.report.numbered import Number as Number  # noqa: PLC0414 - named here for the others
from reportgen.report.numbered import Value as Value  # noqa: PLC0414

SCHEMA_VERSION = 1
"""Version of report.json: within it fields may be added; none is renamed, leaves, or changes its type."""


def row_name(metric: str, part: str, rank: int | None, device: int | None) -> str:
    """The id of a number that stays the same from report to report: ``peak_reserved/APP@rank0``.

    Args:
        metric: metric id.
        part: component; left out when empty.
        rank: rank; the device stands for it where none is recorded, and nothing where neither is.
        device: device.
    """
    place = f"@rank{rank}" if rank is not None else f"@device{device}" if device is not None else ""
    return f"{metric}{'/' if part else ''}{part}{place}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginRow:
    """One origin, numbered."""

    id: str
    """``O1``, ``O2`` ..."""
    origin: Origin
    """File, digest, locator and formula."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalRow:
    """An interval of confidence."""

    low: Number
    """Lower end."""
    high: Number
    """Upper end."""
    level: Number
    """Confidence level, 0.95."""
    method: str
    """Method id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WitnessRow:
    """A cross-check."""

    name: str
    """What is compared."""
    agrees: bool
    """Whether it does."""
    found: Number
    """In the measured table."""
    expected: Number
    """In the witness."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SideValue:
    """One side of a metric."""

    value: Value
    """The value."""
    source: str
    """Kind of file it was measured from: ``db``, ``csv`` or ``json``; empty without a value."""
    at: str
    """Instant of a peak, ISO text in UTC with nanoseconds; empty for everything else."""
    basis: str
    """Variant used."""
    sample: tuple[Number, ...]
    """What it summarises, in order; empty for counts, peaks and single calls, which are too many to list."""
    labels: tuple[str, ...]
    """Step ids of the sample."""
    dropped: tuple[str, ...]
    """Steps left out."""
    mean: Value
    """Mean of the sample (parts of a step add up by means); Missing without one."""
    interval: IntervalRow | None
    """Interval of the value alone."""
    numerator: Number | None
    """Of a quotient."""
    denominator: Number | None
    """Of a quotient."""
    witnesses: tuple[WitnessRow, ...]
    """Cross-checks."""
    warnings: tuple[Reason, ...]
    """Doubts."""
    captures: int = field(default=0, metadata=ADDED)
    """Captures that the value is of; 0 without a value."""
    values: int = field(default=0, metadata=ADDED)
    """Steps or calls behind it, all captures together; 0 of counts, peaks and totals, which are no samples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadRow:
    """The least and the largest value of one side over its ranks; of equal values the first rank's."""

    least: Number
    """Least value."""
    least_rank: int | None
    """Its rank; None where none is recorded."""
    least_device: int | None
    """Its device."""
    most: Number
    """Largest value."""
    most_rank: int | None
    """Its rank."""
    most_device: int | None
    """Its device."""
    ranks: int
    """Ranks with a value, two or more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSpreadRow:
    """How much captures or runs of one build vary in one metric (u_B), as intervals hold it."""

    id: str
    """``U1`` ...; metric rows and goals name it."""
    metric: str
    """Metric id."""
    part: str
    """Part of the metric."""
    kind: str
    """Kind of latency or throughput."""
    of: Literal["captures", "runs"]
    """What varies."""
    value: Number
    """Relative standard deviation."""
    count: int | None
    """Captures or runs it is of; None when it was not stated."""
    source: Literal["target", "A/A"]
    """Stated in the target, or computed from A/A captures."""
    determined: str
    """Where it was determined; of A/A captures their names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlikeBlock:
    """Captures of one unchanged build (A/A), given to show how much captures vary."""

    captures: tuple[tuple[str, str], ...]
    """(name, digest of the list of its files)."""
    refused: Reason | None
    """Why they are used for nothing; None when they may be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EquivalenceRow:
    """Whether a metric stayed within its agreed band."""

    band: Number
    """The agreed relative change."""
    low: Number
    """1 / (1 + band)."""
    high: Number
    """1 + band."""
    interval: IntervalRow | None
    """The 90 % interval of AFTER / BEFORE."""
    shown: bool
    """Whether all of it lies inside the band."""
    reason: Reason
    """How that was decided, or why it cannot be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricRow:
    """One metric of one rank (and part), side by side."""

    id: str
    """``M1`` ...; the anchors of report.html use it."""
    name: str
    """Id that stays the same from report to report, ``peak_reserved/APP@rank0``: metric, part, place (``row_name``)."""
    metric: str
    """Metric id."""
    family: Family
    """Family."""
    better: Literal["lower", "higher", "neither"]
    """Direction."""
    exact: bool
    """Count or peak: no interval."""
    statistic: str
    """Statistic id."""
    rank: int | None
    """Rank."""
    device: int | None
    """Device."""
    part: str
    """Component; empty for the whole."""
    before: SideValue
    """BEFORE."""
    after: SideValue
    """AFTER."""
    delta: Value
    """AFTER - BEFORE."""
    change: Value
    """AFTER / BEFORE - 1."""
    estimate: Number | None
    """Estimate of AFTER / BEFORE that the interval belongs to."""
    interval: IntervalRow | None
    """Of AFTER / BEFORE."""
    distinguishable: Distinguishable
    """Whether a difference may be called one."""
    reason: Reason
    """How that was decided."""
    status: Status
    """What may be said of it in one word."""
    speed: Number | None
    """Change of speed, BEFORE / AFTER - 1, of a time on page one; None elsewhere."""
    between: str
    """Id of the known spread between captures that the intervals hold; empty when they hold none."""
    equivalence: EquivalenceRow | None
    """None where the target names no band."""
    blocked: tuple[Reason, ...]
    """Why it gets no verdict."""
    headline: bool
    """Whether page one shows it."""
    worst: bool
    """Whether this is the rank that page one and the goals look at."""
    spread_before: SpreadRow | None
    """Spread of BEFORE between its ranks, on the rows of the worst rank; None with fewer than two values."""
    spread_after: SpreadRow | None
    """Spread of AFTER."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesRow:
    """A value over time, for a chart: plain texts, since no figure is quoted from it."""

    id: str
    """``memory_allocated``, ``memory_reserved`` or ``ai_core_frequency``."""
    side: Side
    """Side."""
    rank: int | None
    """Rank."""
    device: int | None
    """Device."""
    part: str
    """Component; empty for the whole."""
    unit: str
    """Exact unit of ``values``."""
    times: tuple[str, ...]
    """Instants in ns since the first kernel of the rank, ascending, exact."""
    values: tuple[str, ...]
    """One exact value for each instant; it holds until the next."""
    recorded: int
    """Values recorded, before thinning."""
    origins: tuple[str, ...]
    """Ids in ``Report.origins``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorSide:
    """One side of an operator type."""

    calls: Number
    """Calls over the whole capture."""
    calls_per_step: Number
    """Calls over steps."""
    total: Number
    """Sum of durations."""
    total_per_step: Number
    """Sum over steps."""
    mean: Number
    """Per call."""
    median: Number
    """Per call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorRow:
    """One operator type of one rank."""

    id: str
    """``K1`` ..."""
    name: str
    """Id that stays the same from report to report, ``operator/Mul@rank0``."""
    type: str
    """Operator type or kernel name."""
    identified_by: Literal["type", "name"]
    """Which."""
    accelerator: str
    """Core kind."""
    rank: int | None
    """Rank."""
    change: Literal["added", "removed", "changed", "same"]
    """Class."""
    before: OperatorSide | None
    """None when added."""
    after: OperatorSide | None
    """None when removed."""
    delta_per_step: Number
    """Change of total time per step."""
    call_change: Value
    """AFTER / BEFORE - 1 of the median of one call."""
    call_estimate: Number | None
    """Hodges-Lehmann estimate of AFTER / BEFORE of one call."""
    call_interval: IntervalRow | None
    """Its interval."""
    distinguishable: Distinguishable
    """Whether a call's time may be called different."""
    reason: Reason
    """How that was decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingRow:
    """One compared fact."""

    key: str
    """Canonical id, raw key, or fact."""
    spelling: str
    """As the files spell it."""
    place: str
    """Where."""
    before: str | None
    """BEFORE; None: not recorded."""
    after: str | None
    """AFTER; None: not recorded."""
    standing: Standing
    """How it stands."""
    blocks_all: bool
    """Whether it forbids comparing anything."""
    families: tuple[Family, ...]
    """Families it makes undecided."""
    loud: bool
    """A version."""
    reason: Reason
    """Why it stands so."""
    why: tuple[tuple[str, str], ...]
    """(language, effect)."""
    origins: tuple[str, ...]
    """Ids in ``Report.origins``; empty for equal and identity rows (``place`` names the files), and when neither side
    holds it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadBlock:
    """What the kernel tables show of the workload."""

    matched_before: Value
    """Share matched."""
    matched_after: Value
    """Share matched."""
    unrecorded_before: Value
    """Share without a recorded type or triple."""
    unrecorded_after: Value
    """Share without a recorded type or triple."""
    only_before: tuple[str, ...]
    """Types of BEFORE only."""
    only_after: tuple[str, ...]
    """Types of AFTER only."""
    changed: tuple[str, ...]
    """Types without a common triple."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadCheckRow:
    """One agreed fact held against the captures."""

    fact: str
    """Fact id."""
    agreed: str
    """Agreed."""
    seen: str
    """Seen."""
    outcome: Literal["agrees", "consistent", "contradicts", "cannot be seen"]
    """How it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparabilityBlock:
    """Whether both sides were taken alike."""

    standing: PairStanding
    """Standing of the pair."""
    counts: tuple[tuple[Standing, int], ...]
    """Facts by standing, in the order same, allowed, declared, bias, blocking, unknown, identity."""
    rows: tuple[SettingRow, ...]
    """Facts that are not equal and not identity, heaviest first."""
    equal: tuple[SettingRow, ...]
    """Equal facts."""
    identity: tuple[SettingRow, ...]
    """Shown, never compared."""
    workload: WorkloadBlock | None
    """None when a side has no kernel table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalRow:
    """One goal judged."""

    id: str
    """Goal id."""
    case: str
    """Case id."""
    clause: str
    """Contract clause."""
    metric: str
    """Metric id."""
    metric_row: str
    """Id of the metric row it was judged on; empty for values measured outside."""
    part: str
    """Component."""
    statistic: str
    """Statistic."""
    kind: str
    """Kind."""
    direction: Literal["at_most", "at_least"]
    """Direction."""
    subject: Literal["after", "delta", "ratio"]
    """What the limit is on."""
    limit: Number
    """The limit."""
    side_condition: str
    """Condition in words."""
    subject_to: tuple[str, ...]
    """Goals that must be met as well."""
    value: Value
    """Judged value."""
    interval: IntervalRow | None
    """Its interval."""
    before: Value
    """Value of BEFORE."""
    after: Value
    """Value of AFTER."""
    delta: Value
    """AFTER - BEFORE."""
    change: Value
    """AFTER / BEFORE - 1."""
    basis: str
    """Variant of the metric that was used."""
    rank: int | None
    """The worst rank; None without ranks."""
    captures: int
    """Captures on the judged side."""
    values: int
    """Values in the judged sample; 0 without one."""
    exact: bool
    """Count or peak."""
    outcome: Outcome
    """Outcome."""
    margin: Number | None
    """Distance of the deciding end to the limit; positive inside."""
    reason: Reason
    """Why."""
    reservations: tuple[Reason, ...]
    """What it rests on without proof."""
    measured_outside: bool
    """Measured outside the profile."""
    tag: str = ""
    """How its values were had: ``profiled``, ``unprofiled``, ``not stated``, ``mixed``, ``hand-typed``; or empty."""
    baseline: Literal["before", "fixed", "none"] = "before"
    """What AFTER is held against: BEFORE, a fixed value that was agreed (it stands as ``before``), or nothing."""
    speed: Number | None = None
    """Change of speed, BEFORE / AFTER - 1, of a time; None for everything else."""
    between: str = ""
    """Id of the known spread that ``interval`` holds; empty when it holds none."""
    captures_needed: Number | None = None
    """Captures, or runs of a goal measured outside, a side that would decide it at the same spread; None where that is
    not asked or not known."""
    unlike: bool = field(default=False, metadata=ADDED)
    """Whether the runs it would be judged on are shown not to be alike; undecided, it is then called not comparable."""
    each_before: tuple[Number, ...] = field(default=(), metadata=ADDED)
    """The value of each of several captures or runs of BEFORE, in the order in which they were given; empty of one."""
    each_after: tuple[Number, ...] = field(default=(), metadata=ADDED)
    """The same of AFTER."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRatioRow:
    """AFTER / BEFORE of one case."""

    case: str
    """Case id."""
    goal: str
    """Id of the goal whose values it is of."""
    ratio: Value
    """AFTER / BEFORE."""
    fixed: bool
    """Whether BEFORE is a fixed value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioRow:
    """One metric over the cases that were agreed on it."""

    metric: str
    """Metric id."""
    part: str
    """Component."""
    kind: str
    """Kind."""
    statistic: str
    """Statistic."""
    better: Literal["lower", "higher"]
    """Which ratios are the better ones."""
    cases: tuple[CaseRatioRow, ...]
    """Every agreed case in the order of the target, those without a ratio too."""
    worst: str
    """Case with the worst ratio; empty without any."""
    losers: tuple[str, ...]
    """Cases in which AFTER is worse than BEFORE."""
    mean: Value
    """Geometric mean: the n-th root of the product of the ratios of all n cases."""
    matrix: str = field(default="", metadata=ADDED)
    """Id of the matrix whose cells the cases are; empty for cases of none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConformityBlock:
    """Goals by contract clause, and metrics over their cases."""

    goals: tuple[str, ...]
    """Goal ids by clause, both in the order of the target."""
    ratios: tuple[RatioRow, ...]
    """Metrics that two or more cases have goals on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BandRow:
    """One band of a rule, as printed in its source."""

    id: str
    """Band id."""
    low: Number | None
    """Lower end."""
    low_included: bool
    """Belongs to the band."""
    high: Number | None
    """Upper end."""
    high_included: bool
    """Belongs to the band."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdRow:
    """One official rule."""

    id: str
    """Rule id."""
    metric: str
    """Metric id."""
    title: tuple[tuple[str, str], ...]
    """(language, text)."""
    scope: tuple[tuple[str, str], ...]
    """(language, text)."""
    bands: tuple[BandRow, ...]
    """Bands."""
    authority: str
    """Authority."""
    use: str
    """Use."""
    reading: str
    """What becomes of a value: ``bands``, ``value``, ``text`` or ``never``."""
    baseline: Baseline | None
    """Who agreed; set for an own baseline alone."""
    sources: tuple[str, ...]
    """Source ids, its own entry first; empty for an own baseline."""
    applicability: Applicability
    """Decided first."""
    reasons: tuple[Reason, ...]
    """Why."""
    before: Value | None
    """None unless it applies."""
    after: Value | None
    """None unless it applies."""
    band_before: str
    """Band id or empty."""
    band_after: str
    """Band id or empty."""
    rank_before: int | None
    """Rank."""
    rank_after: int | None
    """Rank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRow:
    """A document."""

    id: str
    """Source id."""
    document: str
    """Title."""
    version: str
    """Version."""
    section: str
    """Section."""
    publisher: str
    """Publisher."""
    locator: str
    """Locator."""
    quote: str
    """Quote."""
    verified: str
    """How verified."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GapRow:
    """Something that is not given, not recorded, not measured or not shown."""

    group: Literal["not_given", "not_recorded", "not_measured", "not_shown"]
    """Which of the four."""
    id: str
    """Item id."""
    title: tuple[tuple[str, str], ...]
    """(language, text); empty: the reason says it."""
    statement: tuple[tuple[str, str], ...]
    """(language, text)."""
    reason: Reason | None
    """What follows."""
    remedy: Reason | None
    """What would supply it."""
    sources: tuple[str, ...] = ()
    """Where it shows: source ids; empty for what is no matter of documents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankRow:
    """One rank of a capture."""

    rank: int | None
    """Rank."""
    device: int | None
    """Device."""
    directory: str
    """Directory."""
    steps: tuple[str, ...]
    """Step ids seen."""
    started: str
    """UTC, ISO with seconds; empty when not recorded."""
    ended: str
    """UTC."""
    kernel_file: str
    """Kernel table."""
    kernel_digest: str
    """Its SHA-256."""
    wait_events: str
    """``found``, ``none`` or ``not searchable``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureBlock:
    """One capture."""

    side: Side
    """Side."""
    name: str
    """Directory name."""
    layout: str
    """Layout id."""
    producer: str
    """Producer."""
    ranks: tuple[RankRow, ...]
    """Ranks."""
    facts: tuple[tuple[str, str], ...]
    """(fact id, text): chip, cores, vector cores, clock, driver, CANN, level, metrics ... as recorded."""
    digest: str
    """SHA-256 over the sorted lines "digest  path" of its files."""
    unread: tuple[tuple[str, Reason], ...]
    """(path, why not used)."""
    warnings: tuple[Reason, ...]
    """Doubts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRow:
    """One file that was read."""

    side: str
    """``before``, ``after``, ``attachment`` or empty (target, note, evidence)."""
    path: str
    """Path."""
    size: int
    """Bytes."""
    digest: str
    """SHA-256."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedRow:
    """A value agreed in the place of BEFORE."""

    metric: str
    """Metric id."""
    part: str
    """Component."""
    kind: str
    """Kind."""
    statistic: str
    """Statistic."""
    value: Number
    """The value."""
    source: str
    """Where it comes from, in words."""
    file: str
    """File that holds it; empty when none is named."""
    locator: str
    """Where in that file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRow:
    """One agreed case."""

    id: str
    """Case id."""
    clause: str
    """Clause."""
    profiled: bool
    """The captures were taken of it."""
    workload: tuple[tuple[str, str], ...]
    """(fact id, agreed text); empty text: not agreed."""
    alone: bool = False
    """Whether no BEFORE was agreed for it."""
    fixed: tuple[FixedRow, ...] = ()
    """Values agreed in the place of BEFORE."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredRow:
    """One declaration."""

    key: str
    """What."""
    value: str
    """Declared value."""
    signer: str
    """Who."""
    role: str
    """Role."""
    date: str
    """Date."""
    used: bool
    """Whether a reservation rests on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractBlock:
    """What was agreed, apart from goals."""

    customer: str
    """Customer."""
    contractor: str
    """Contractor."""
    witness: str
    """Witness."""
    reference: str
    """Contract number and annex."""
    title: str
    """Project."""
    signed: str
    """Date."""
    report_number: str
    """Report number."""
    issued: str
    """Date of the report."""
    decision_rule: str
    """``simple`` or ``guarded``."""
    changes: tuple[tuple[str, tuple[str, ...]], ...]
    """(what, keys)."""
    may_differ: tuple[str, ...]
    """Keys."""
    declared: tuple[DeclaredRow, ...]
    """Declarations."""
    cases: tuple[CaseRow, ...]
    """Cases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionRow:
    """One line of the revision record."""

    version: str
    """Version."""
    date: str
    """Date."""
    what: str
    """What was revised."""
    by: str
    """Who."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviationRow:
    """A deviation or open issue, in the parties' words."""

    no: str
    """Number."""
    what: str
    """What deviates or is open."""
    effect: str
    """What it affects."""
    remedy: str
    """What is done about it."""
    retest: str
    """Retest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormBlock:
    """What only the formal form prints, as the target gives it; empty: not given."""

    version: str
    """Version of the report."""
    replaces: str
    """The report it replaces."""
    confidentiality: str
    """Confidentiality mark."""
    phase: str
    """``initial``, ``final``, ``retest`` or empty."""
    client: str
    """Who ordered the test; empty: the customer."""
    test_unit: str
    """Who tested; empty: the contractor."""
    place: str
    """Where."""
    started: str
    """First day."""
    ended: str
    """Last day."""
    testers: tuple[str, ...]
    """Who carried it out."""
    witnessed: tuple[str, ...]
    """Who was present."""
    prepared: str
    """Who prepared the report."""
    reviewed: str
    """Who reviewed it."""
    approved: str
    """Who approved it."""
    purpose: str
    """Purpose."""
    scope: str
    """Scope."""
    basis: tuple[str, ...]
    """Documents."""
    topology: str
    """Machines and network."""
    data_set: str
    """Data set."""
    revisions: tuple[RevisionRow, ...]
    """Revision record."""
    deviations: tuple[DeviationRow, ...]
    """Deviations and open issues."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRow:
    """A label that stands for something left out."""

    label: str
    """``host-1``, ``user-1`` ..."""
    commitment: str
    """SHA-256 of the label's salt, 32 bytes, followed by the original in UTF-8; whoever is shown both can check it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RedactionBlock:
    """What labels stand for in place of hosts, users, addresses and paths."""

    counts: tuple[tuple[str, int], ...]
    """(kind, different ones replaced), every kind, in a fixed order."""
    places: tuple[tuple[str, int], ...]
    """(kind, places where they stood)."""
    spared: int
    """Names that are also words of the report itself: replaced in paths and where they stand alone only."""
    labels: tuple[LabelRow, ...]
    """Every label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictBlock:
    """The verdict."""

    word: VerdictWord
    """The word."""
    reason: Reason
    """What decided it."""
    goals: int
    """Goals in all."""
    met: int
    """Met."""
    not_met: int
    """Not met."""
    undecided: int
    """Undecided."""
    lead: str
    """Id of the goal that the verdict sentence speaks of; empty without goals."""
    declarations: int
    """Declarations the verdict rests on."""
    reservations: int
    """Reservations in all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundRow:
    """One value that a bottleneck was decided on."""

    metric: str
    """Metric id."""
    metric_row: str
    """Id of the metric row that holds it; empty when none does."""
    rank: int | None
    """Rank."""
    value: Value
    """The value."""
    band: str
    """Band of the official rule; empty where none was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InsideRow:
    """Whether one kind of core computes or transfers for longer."""

    core: Literal["cube", "vector"]
    """Kind of core."""
    verdict: Literal["compute bound", "transfer bound", "cannot be told"]
    """Which pipe was busy for longer."""
    computing: GroundRow | None
    """Share of MAC or of the vector unit."""
    transfer: GroundRow | None
    """Share of MTE2."""
    reason: Reason
    """Why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BottleneckSide:
    """The main bottleneck of one side."""

    kind: Literal["free", "communication", "computing", "none"]
    """``free`` is host dispatch; ``none`` when it is not told."""
    by: Literal["first rule exceeded", "no limit exceeded", "largest share", "not told"]
    """How it was decided."""
    grounds: tuple[GroundRow, ...]
    """The values it was decided on."""
    reasons: tuple[Reason, ...]
    """How that was decided, or why it is not told."""
    inside: tuple[InsideRow, ...]
    """Cube, then vector cores; empty unless the kind is computing."""
    low_load: Reason | None
    """Why a low load is possible."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedRow:
    """A rule or case of the catalogue that is named."""

    id: str
    """Id in the catalogue."""
    title: tuple[tuple[str, str], ...]
    """(language, text)."""
    document: str
    """Document."""
    version: str
    """Version."""
    section: str
    """Section."""
    locator: str
    """Address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemedyRow:
    """What the official guide tries against the bottleneck that remains."""

    kind: Literal["computing", "memory", "communication", "host"]
    """Kind in the words of the guide."""
    within: bool
    """Whether the job lies in the guide's scope."""
    symptom: tuple[tuple[str, str], ...]
    """(language, text)."""
    first: tuple[tuple[tuple[str, str], ...], ...]
    """What to try, in order."""
    beside: tuple[tuple[str, str], ...]
    """(language, text); may be empty."""
    not_first: tuple[tuple[str, str], ...]
    """(language, text)."""
    scope: tuple[tuple[str, str], ...]
    """(language, text): what it holds for."""
    caveat: tuple[tuple[str, str], ...]
    """(language, text): what has to be done before."""
    outside: tuple[tuple[str, str], ...]
    """(language, text): what may be taken of it elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BottleneckBlock:
    """The main bottleneck before and after."""

    before: BottleneckSide
    """BEFORE."""
    after: BottleneckSide
    """AFTER."""
    moved: Distinguishable
    """Whether another kind is the main one in AFTER."""
    reason: Reason
    """Why."""
    limit: Number
    """The ratio at or below which a tool calls an operator one without a bound."""
    remedy: RemedyRow | None
    """For the bottleneck of AFTER; None when none is told."""
    cited: tuple[CitedRow, ...]
    """Rules that are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnosisRow:
    """A sign that an official case describes."""

    sign: str
    """Id of the sign."""
    side: Side
    """Side."""
    case: str
    """Official number of the case."""
    title: tuple[tuple[str, str], ...]
    """(language, text): what the case is on."""
    address: str
    """Address of the case."""
    reason: Reason
    """What was seen."""
    count: Number | None
    """Kernels that show it."""
    share: Number | None
    """Their share of the summed kernel time."""
    rank: int | None
    """Their rank."""
    origins: tuple[str, ...]
    """Ids in ``Report.origins``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityRow:
    """An arithmetic relation of one file."""

    id: str
    """``I1`` to ``I16``."""
    what: str
    """What is compared, as a machine word."""
    holds: bool
    """Whether it holds."""
    found: Number
    """As stated."""
    expected: Number
    """By the file's other figures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSeriesRow:
    """Every value of a run that a goal is on, in the order of the run: plain texts, all from one place of its file."""

    metric: str
    """Metric id."""
    kind: str
    """Kind; empty where the metric says it."""
    unit: str
    """Exact unit of ``values``."""
    labels: tuple[str, ...]
    """Numbers of the steps or requests; empty where the file numbers none."""
    values: tuple[str, ...]
    """Every value, exact; none is left out here but those of ``unread``."""
    weights: tuple[int, ...]
    """Steps that each value is the mean of."""
    left_out: tuple[str, ...]
    """Of each value why a goal's statistic leaves it out: ``warm_up``, ``checkpoint``; empty text: it counts."""
    unread: tuple[str, ...]
    """Numbers of the steps that the reader left out, for which ``RunRow.doubts`` has the reasons."""
    origins: tuple[str, ...]
    """Ids in ``Report.origins``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """One run measured outside the profile."""

    case: str
    """Case id."""
    side: Side
    """Side."""
    file: str
    """File, as the target names it."""
    digest: str
    """SHA-256."""
    producer: str
    """Who wrote it."""
    version: str
    """Producer's version; empty when not stated."""
    definitions: str
    """Definition set of its figures."""
    tag: str
    """``profiled``, ``unprofiled`` or ``not stated``."""
    context: tuple[tuple[str, str], ...]
    """(key, as written), what it says of the run."""
    records: tuple[tuple[str, str, int], ...]
    """(metric, kind, how many values) of each series; figures of the producer count as one."""
    identities: tuple[IdentityRow, ...]
    """Those that were checked."""
    doubts: tuple[Reason, ...]
    """What was left out, then doubts."""
    agreed: bool = True
    """Whether the target names it; False: given on the command line alone."""
    series: tuple[RunSeriesRow, ...] = field(default=(), metadata=ADDED)
    """The values that goals are on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFigureRow:
    """One figure of the runs measured outside the profile, side by side, whether a goal is on it or not."""

    id: str
    """``R1`` ..."""
    name: str
    """Id that stays the same from report to report, ``run/latency/ttft/mean@CASE``."""
    case: str
    """Case id."""
    metric: str
    """Metric id."""
    kind: str
    """Kind."""
    statistic: str
    """Statistic."""
    better: Literal["lower", "higher"]
    """Direction."""
    exact: bool
    """Counted: no interval."""
    before: Value
    """BEFORE; the mean of several runs."""
    after: Value
    """AFTER."""
    runs_before: int
    """Runs of BEFORE."""
    runs_after: int
    """Runs of AFTER."""
    values_before: int
    """Steps or requests behind BEFORE, all runs together; 0 where its files have the figure alone."""
    values_after: int
    """The same of AFTER."""
    delta: Value
    """AFTER - BEFORE; Missing where it may not be formed."""
    change: Value
    """AFTER / BEFORE - 1."""
    speed: Number | None
    """Change of speed, BEFORE / AFTER - 1, of a time; None for everything else and where it may not be formed."""
    estimate: Number | None
    """Estimate of AFTER / BEFORE that the interval belongs to."""
    interval: IntervalRow | None
    """Of AFTER / BEFORE."""
    distinguishable: Distinguishable
    """Whether a difference may be called one."""
    reason: Reason
    """How that was decided."""
    status: Status
    """What may be said of it in one word."""
    between: str
    """Id of the known spread between runs that the interval holds; empty when it holds none."""
    equivalence: EquivalenceRow | None
    """None where the target names no band for it."""
    goals: tuple[str, ...]
    """Ids of the goals on this very figure."""
    blocked: tuple[Reason, ...]
    """Why it would not be judged; empty where it would."""
    unlike: bool
    """Whether its runs are shown not to be alike: it is called not comparable."""
    caveats: tuple[Reason, ...] = field(default=(), metadata=ADDED)
    """What stands beside its word, as that the variation between single runs was not assessed."""
    each_before: tuple[Number, ...] = field(default=(), metadata=ADDED)
    """Value of each of several runs of BEFORE, in the order of the files; empty for one run, and where it has none."""
    each_after: tuple[Number, ...] = field(default=(), metadata=ADDED)
    """The same of AFTER."""
    counts_before: tuple[int, ...] = field(default=(), metadata=ADDED)
    """Values behind the figure of each run of BEFORE."""
    counts_after: tuple[int, ...] = field(default=(), metadata=ADDED)
    """The same of AFTER."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartRow:
    """One metric with its mean over the kept steps of both sides."""

    metric: str
    """Metric id."""
    metric_row: str
    """Id of its metric row."""
    before: Value
    """Mean of BEFORE."""
    after: Value
    """Mean of AFTER."""
    delta: Value
    """AFTER - BEFORE; Missing where it may not be formed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributionRow:
    """The change of the mean step of one rank taken apart: an identity, no cause."""

    id: str
    """``A1`` ..., the rank that is slowest in AFTER first."""
    name: str
    """Id that stays the same from report to report, ``attribution@rank0``."""
    rank: int | None
    """Rank."""
    device: int | None
    """Device."""
    whole: PartRow
    """The step, or the device span."""
    parts: tuple[PartRow, ...]
    """Computing, communication not overlapped, free: their sums are ``whole``; empty when they cannot be had."""
    median: Value
    """Difference of the printed medians."""
    apart: Value
    """``median`` less the difference of the means."""
    beside: tuple[PartRow, ...]
    """Waiting and transit of collectives in these steps, sums over collectives: no parts of the step."""
    reason: Reason | None
    """Why there are no parts; None when there are."""
    blocked: tuple[Reason, ...]
    """Why no difference may be formed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRow:
    """Operator types of one side that likely are types of the other."""

    id: str
    """``X1`` ..."""
    name: str
    """Id that stays the same from report to report, ``match/RmsNorm@rank0``."""
    kind: Literal["renamed", "fused"]
    """How they match."""
    rank: int | None
    """Rank."""
    before: tuple[str, ...]
    """Types of BEFORE."""
    after: tuple[str, ...]
    """Types of AFTER."""
    rows: tuple[str, ...]
    """Ids of the operator rows of all of them, BEFORE first."""
    calls_per_step: Number
    """Calls of each in a step."""
    before_per_step: Number
    """Sum of the time of a step over the types of BEFORE."""
    after_per_step: Number
    """The same of AFTER."""
    delta_per_step: Number
    """The second less the first."""
    evidence: Reason
    """What speaks for the match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorseRow:
    """One figure that is worse in AFTER."""

    id: str
    """``W1`` ..."""
    name: str
    """Id that stays the same from report to report, ``worse/latency/ttft/p90@CASE`` or ``worse/free@rank0``."""
    metric_row: str
    """Id of the metric row; empty for a figure of runs outside the profile."""
    case: str
    """Case of the runs; empty for a metric of the captures."""
    metric: str
    """Metric id."""
    kind: str
    """Kind."""
    part: str
    """Component."""
    statistic: str
    """Statistic."""
    rank: int | None
    """The rank with the largest change."""
    ranks: int
    """Ranks on which it is worse; 0 for a figure of runs."""
    before: Number
    """BEFORE."""
    after: Number
    """AFTER."""
    change: Value
    """AFTER / BEFORE - 1."""
    interval: IntervalRow | None
    """Of AFTER / BEFORE."""
    exact: bool
    """Count or peak: no interval."""
    told: bool
    """Whether a difference is demonstrated; else it is worse by its figures and no interval can be stated."""
    goal: bool
    """Whether a goal is on this very figure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedRow:
    """One statistic of a quantity."""

    statistic: str
    """Statistic."""
    before: Number
    """BEFORE."""
    after: Number
    """AFTER."""
    change: Number
    """AFTER / BEFORE - 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DisagreementRow:
    """Statistics of one quantity, of the same runs, that move in opposite directions."""

    id: str
    """``D1`` ..."""
    name: str
    """Id that stays the same from report to report, ``disagreement/latency/ttft@CASE``."""
    case: str
    """Case of the runs."""
    metric: str
    """Metric id."""
    kind: str
    """Kind."""
    better: MovedRow
    """The statistic that changed most for the better."""
    worse: MovedRow
    """The one that changed most for the worse."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ElsewhereBlock:
    """What is worse in AFTER, over every metric of the captures and of the runs."""

    worse: tuple[WorseRow, ...] = ()
    """Captures first, then runs by case; told apart first."""
    disagreements: tuple[DisagreementRow, ...] = ()
    """By case."""
    not_held: tuple[Reason, ...] = ()
    """Why figures of both sides were not held against each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A report as data."""

    schema_version: int
    """``SCHEMA_VERSION``."""
    tool: str
    """``reportgen``."""
    tool_version: str
    """Version."""
    contract: ContractBlock | None
    """None without a target."""
    verdict: VerdictBlock | None
    """None without a target."""
    goals: tuple[GoalRow, ...]
    """Goals in order."""
    conformity: ConformityBlock | None = None
    """Goals by clause, and metrics over several cases; None without a target."""
    captures: tuple[CaptureBlock, ...]
    """BEFORE, then AFTER."""
    comparability: ComparabilityBlock
    """Comparability."""
    workload_checks: tuple[WorkloadCheckRow, ...]
    """Agreed workload against captures."""
    metrics: tuple[MetricRow, ...]
    """All metrics."""
    known_spreads: tuple[KnownSpreadRow, ...]
    """What is known between captures and runs and was used, in the order of its first use."""
    alike: AlikeBlock | None
    """A/A captures; None when none were given."""
    series: tuple[SeriesRow, ...]
    """Memory and frequency over time, BEFORE first, by rank, then id and part."""
    operators: tuple[OperatorRow, ...]
    """All operator types, largest change first."""
    runs: tuple[RunRow, ...]
    """Runs measured outside the profile, by case, BEFORE first."""
    accuracy: tuple[AccuracyRow, ...]
    """Agreed criteria of accuracy, by case."""
    precision: tuple[PrecisionRow, ...]
    """Signs of another data type or quantisation, by case."""
    inflation: tuple[InflationRow, ...]
    """What the profiler adds, BEFORE first."""
    gates: tuple[GateRow, ...]
    """G1 to G10; empty without a target."""
    attachments: tuple[AttachmentRow, ...]
    """Files handed in beside the evidence, never read for numbers."""
    thresholds: tuple[ThresholdRow, ...]
    """Official rules."""
    bottleneck: BottleneckBlock | None
    """Main bottleneck; None when it was not looked for."""
    diagnoses: tuple[DiagnosisRow, ...]
    """Signs that official cases describe, BEFORE first."""
    gaps: tuple[GapRow, ...]
    """What is not given, recorded, measured or shown."""
    sources: tuple[SourceRow, ...]
    """Documents cited."""
    note: str
    """Markdown; empty without one."""
    note_digest: str
    """SHA-256 of the note file."""
    form: FormBlock | None
    """What only the formal form prints; None without a target."""
    redaction: RedactionBlock | None
    """What was replaced by labels; None when nothing was asked to be."""
    manifest: tuple[FileRow, ...]
    """Every file read."""
    origins: tuple[OriginRow, ...]
    """Every origin."""
    attributions: tuple[AttributionRow, ...] = ()
    """What the change of the step is made of, a row for each rank, the slowest in AFTER first."""
    matches: tuple[MatchRow, ...] = ()
    """Operator types that likely were renamed or fused, by rank."""
    elsewhere: ElsewhereBlock = ElsewhereBlock()
    """What is worse in AFTER, beside what was agreed."""
    run_figures: tuple[RunFigureRow, ...] = field(default=(), metadata=ADDED)
    """Every figure with a better direction that the runs of both sides give, by case, in the order of the files."""
