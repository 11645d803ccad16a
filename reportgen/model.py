"""The nouns of the product: frozen values that pass from stage to stage.

Every number is a ``Quantity`` (exact) with its ``Origin``; a value that could not be had is a ``Missing`` with its
reason, never NaN, 0 or infinity. Facts are ``Reason`` codes, free of language: the sentences are made in
``report/wording`` alone. Nothing here imports pandas.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Literal

from reportgen import units


class Side(StrEnum):
    """The two sides of a comparison."""

    BEFORE = "before"
    AFTER = "after"


class Family(StrEnum):
    """A group of metrics that one setting can spoil together."""

    TIME = "time"
    PMU = "pmu"
    MEMORY = "memory"
    COMMUNICATION = "communication"
    COUNTS = "counts"


class Standing(StrEnum):
    """How one compared fact stands; ``identity`` is shown and never compared."""

    SAME = "same"
    IDENTITY = "identity"
    ALLOWED = "allowed"
    DECLARED = "declared"
    BIAS = "bias"
    UNKNOWN = "unknown"
    BLOCKING = "blocking"


class PairStanding(StrEnum):
    """How a pair of sides stands; ordered from best to worst."""

    COMPARABLE = "comparable"
    WITH_RESERVATIONS = "with_reservations"
    CANNOT_BE_SHOWN = "cannot_be_shown"
    NOT_COMPARABLE = "not_comparable"
    AFTER_ALONE = "after_alone"
    """No BEFORE was agreed: nothing is compared."""


class MissingKind(StrEnum):
    """Why a value could not be had."""

    NOT_COLLECTED = "not_collected"
    NOT_RECORDED = "not_recorded"
    UNREADABLE = "unreadable"
    NOT_APPLICABLE = "not_applicable"


class Outcome(StrEnum):
    """The outcome of one goal."""

    MET = "met"
    NOT_MET = "not_met"
    UNDECIDED = "undecided"
    NOT_APPLICABLE = "not_applicable"


class VerdictWord(StrEnum):
    """The one word on top of a report."""

    MET = "met"
    NOT_MET = "not_met"
    UNDECIDED = "undecided"
    NOT_COMPARABLE = "not_comparable"


class Status(StrEnum):
    """What may be said of a metric side by side, in one word. It describes; goals alone are judged."""

    IMPROVED = "improved"
    """A difference is demonstrated, towards what its metric calls better."""
    REGRESSED = "regressed"
    """A difference is demonstrated, away from what its metric calls better."""
    INCREASED = "increased"
    """A difference is demonstrated, upwards, of a metric that calls neither direction better, or of a share."""
    DECREASED = "decreased"
    """The same downwards."""
    EQUAL = "equal"
    """What is counted is equal, or every value is 0."""
    NO_DIFFERENCE = "no difference demonstrated"
    """The interval holds 1; that is no proof of being equal."""
    EQUIVALENT = "equivalent"
    """The 90 % interval lies inside the band that the parties agreed to call no change."""
    UNKNOWN = "cannot be known"
    """Nothing may be said, for a reason."""


class Applicability(StrEnum):
    """Whether an official rule may be read on these captures."""

    APPLIES = "applies"
    DOES_NOT_APPLY = "does_not_apply"
    CANNOT_DECIDE = "cannot_decide"
    NOT_ENFORCEABLE = "not_enforceable"


Distinguishable = Literal["yes", "no", "cannot be known"]


# --------------------------------------------------------------------------------------------- numbers and facts
@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """An exact number."""

    value: int | Fraction
    """In the exact unit: an int where it is whole, else a Fraction."""
    unit: str
    """Exact unit: ``ns``, ``B``, ``1``, ``1/s`` or ``B/s`` (``units.BASE``)."""
    written: str = ""
    """As the source wrote it, with its unit; empty for a computed number."""

    def scaled(self) -> float:
        """The nearest float in the base unit (s, B, 1, 1/s)."""
        return units.to_base(self.value, self.unit)

    def exact(self) -> str:
        """The exact value as text with its exact unit."""
        return units.exact_text(self.value, self.unit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a number comes from."""

    file: str
    """Path inside the capture, prefixed by its side and rank; or the target file."""
    digest: str
    """SHA-256 of that file, in hexadecimal."""
    locator: str
    """Columns and rows, JSON pointer or key path."""
    formula: str
    """The rule that made the number from them, short and language-free."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """A fact in machine form; ``report/wording`` holds its sentence."""

    code: str
    """Stable identifier; each has a sentence in both languages."""
    args: tuple[tuple[str, str], ...] = ()
    """Named values the sentence prints."""

    @classmethod
    def of(cls, code: str, **args: object) -> Reason:
        """A reason with its values as text, in the order given."""
        return cls(code=code, args=tuple((name, str(value)) for name, value in args.items()))

    def arg(self, name: str) -> str:
        """The value called ``name``; empty when there is none."""
        return dict(self.args).get(name, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """Stands where a value could not be had."""

    kind: MissingKind
    """Why, in one word."""
    reason: Reason
    """Why, in a sentence."""
    remedy: Reason | None = None
    """The capture option or file that would supply it; None when nothing would."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRecord:
    """One file that was read."""

    path: str
    """Path inside its capture, or as given for a target, note or log."""
    size: int
    """Bytes."""
    digest: str
    """SHA-256 of the bytes that were parsed."""


# --------------------------------------------------------------------------------------------- captures
@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One key of a capture's own configuration."""

    key: str
    """Flattened key path in its file; the file's stem in front, for example ``sample.prof_level``."""
    value: str | None
    """Canonical text of the value; None is UNKNOWN and is never the same as anything."""
    file: str
    """Which kind of file holds it: ``sample.json``, ``info.json``, ``start_info`` ..."""
    place: str
    """``host``, ``device_0``, or empty for the files of torch_npu."""
    rank: int | None
    """The rank whose capture directory holds the file; None when no rank is recorded."""
    origin: Origin
    """File and key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsFile:
    """One configuration file of a capture, flattened."""

    kind: str
    """``sample.json``, ``info.json``, ``start_info``, ``end_info`` or one of the ``profiler_*.json``."""
    place: str
    """``host``, ``device_0`` ..., or empty."""
    rank: int | None
    """The rank of its directory; None when not recorded."""
    record: FileRecord
    """The file as read."""
    values: tuple[tuple[str, str], ...]
    """(flattened key, canonical text) in the file's order."""
    types: tuple[str, ...] = ()
    """The JSON type of each value, one letter; empty when not known."""
    groups: tuple[tuple[str, str, str], ...] = ()
    """(communicator, group name, global ranks) of parallel_group_info; never compared: names change from run to run."""

    def get(self, key: str) -> str | None:
        """The canonical text of a key; None when the file does not hold it."""
        return dict(self.values).get(key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """What kind of directory it is."""

    id: str
    """``msprof_text`` or ``torch_text``."""
    producer: str
    """Who wrote the numbers: ``msprof csv`` or ``torch_npu text``."""
    title: str
    """For people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadFile:
    """A file that is there, or belongs there, and was not used."""

    path: str
    """Path inside the capture, or the name that was looked for."""
    reason: Reason
    """``table_missing``, ``table_unreadable``, ``other_export``, ``not_read_yet`` ..."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankFacts:
    """One rank (one device of one directory) of a capture."""

    rank: int | None
    """Recorded rank; None when none is recorded."""
    device: int | None
    """Device id as recorded; None when not."""
    directory: str
    """Directory inside the capture root; empty when it is the root."""
    steps: tuple[str, ...]
    """Step ids seen in the kernel table, in order; empty without markers."""
    rows: int
    """Rows of the kernel table."""
    kernel_file: FileRecord
    """The kernel table."""
    started_ns: int | None
    """Start of collection, UTC epoch ns; None when not recorded."""
    ended_ns: int | None
    """End of collection, UTC epoch ns; None when not recorded."""
    wait_events: Literal["found", "none", "not searchable"]
    """Whether MEM_WAIT_VALUE or CAPTURE_WAIT occurs in task_time or the trace."""
    wait_source: str
    """The file that was searched; empty when not searchable."""
    durations: str = ""
    """SHA-256 of the durations of all its rows in ascending order; empty where another capture could have the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureFacts:
    """All of a capture but its tables."""

    side: Side
    """Side."""
    path: str
    """As given on the command line."""
    name: str
    """Name of the directory."""
    layout: Layout
    """What kind of directory it is."""
    settings_files: tuple[SettingsFile, ...]
    """Every configuration file, flattened; by rank, then kind and place."""
    ranks: tuple[RankFacts, ...]
    """By rank, then device."""
    files: tuple[FileRecord, ...]
    """Every file read, by path; paths are relative to ``path``."""
    unread: tuple[UnreadFile, ...]
    """What was looked for and not used, by path."""
    warnings: tuple[Reason, ...]
    """Doubts about the capture as a whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusion:
    """Kernels of one side that were left out by name."""

    side: Side
    """Side."""
    pattern: str
    """Shell pattern of their names."""
    why: str
    """Why, as given."""
    count: Quantity
    """Rows left out."""
    time: Quantity
    """Sum of their durations."""
    share: Quantity
    """Their part of the summed kernel time of the side, 0..1."""


# --------------------------------------------------------------------------------------------- comparability
@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What one side holds of a compared fact."""

    value: str | None
    """Canonical text; None is UNKNOWN (not recorded)."""
    origins: tuple[Origin, ...] = ()
    """File and key, one for each place that holds it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One compared fact, equal or not."""

    key: str
    """Canonical id (``sample.level``), the raw key when it is graded nowhere, or a fact (``workload``, ``ranks``)."""
    spelling: str
    """The key as the files spell it; equals ``key`` for facts."""
    place: str
    """Where it stands: file kind, place and ranks, for people."""
    before: Held
    """BEFORE."""
    after: Held
    """AFTER."""
    standing: Standing
    """How it stands."""
    blocks_all: bool = False
    """True when no metric of the pair may be compared because of it."""
    families: tuple[Family, ...] = ()
    """The families whose goals it makes undecided."""
    loud: bool = False
    """True for versions: they may be the very change under test."""
    reason: Reason
    """Why it stands so: the effect of the setting, or the check that failed."""
    why: tuple[tuple[str, str], ...] = ()
    """(language, text) from ``evidence/settings.toml``; empty for facts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadMatch:
    """What the kernel tables show of the workload of both sides."""

    matched_share_before: Quantity | None
    """Share of BEFORE's summed kernel time whose (type, shapes, dtypes) is found in AFTER too; None when unknown."""
    matched_share_after: Quantity | None
    """The same of AFTER."""
    unrecorded_share_before: Quantity | None
    """Share of BEFORE's summed kernel time in rows without a type or a triple."""
    unrecorded_share_after: Quantity | None
    """The same of AFTER."""
    types_only_before: tuple[str, ...]
    """Operator types seen in BEFORE only."""
    types_only_after: tuple[str, ...]
    """Operator types seen in AFTER only."""
    changed_types: tuple[str, ...]
    """Types on both sides without any common (shapes, dtypes)."""
    origins: tuple[Origin, ...]
    """The kernel tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparability:
    """Whether both sides were taken alike."""

    standing: PairStanding
    """The worst of the differences decides."""
    differences: tuple[Difference, ...]
    """Every compared fact, the equal ones too; heaviest first, then by key."""
    workload: WorkloadMatch | None
    """None when a side has no readable kernel table."""

    def blocked(self, family: Family) -> tuple[Difference, ...]:
        """The differences that forbid comparing this family, heaviest first."""
        return tuple(d for d in self.differences if d.blocks_all or family in d.families)

    def reservations(self) -> tuple[Difference, ...]:
        """The differences that are reservations: biased, unknown without blocking all, declared, allowed, family."""
        return tuple(
            d for d in self.differences if d.standing not in (Standing.SAME, Standing.IDENTITY) and not d.blocks_all
        )


# --------------------------------------------------------------------------------------------- measuring
@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """What a metric is."""

    id: str
    """Stable identifier, for example ``step_time``."""
    unit: str
    """Exact unit of its values."""
    better: Literal["lower", "higher", "neither"]
    """Which direction an agreed goal normally asks for."""
    statistic: str
    """How a sample becomes one number: ``median``, ``total``, ``maximum``, ``share``, ``weighted``, ``count``."""
    family: Family
    """Which family it belongs to."""
    also: tuple[Family, ...] = ()
    """Further families that spoil it: communication times are times too."""
    exact: bool
    """True for counts and peaks: they are not samples and carry no interval."""
    source: str
    """Section of docs/formats.md or docs/statistics.md that its formula follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimensions:
    """Where a measurement was taken."""

    capture: int = 0
    """Index of the capture on its side (repeats)."""
    rank: int | None = None
    """Rank; None when not recorded."""
    device: int | None = None
    """Device id; None when not recorded."""
    part: str = ""
    """Component of memory, operator type, ...; empty for the whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Exact values of one unit in the order they were recorded."""

    unit: str
    """Exact unit."""
    values: tuple[int | Fraction, ...]
    """One number each, warm-up already left out."""
    labels: tuple[str, ...]
    """Step ids of the values; empty for calls."""
    dropped: tuple[str, ...] = ()
    """Labels left out by the warm-up rule or as checkpoint steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An interval of confidence."""

    low: Quantity
    """Lower end."""
    high: Quantity
    """Upper end."""
    level: Fraction
    """Confidence level, 19/20 for 95 %."""
    method: str
    """``hodges-lehmann``, ``corrected-t`` ..."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """Another part of the capture that says the same, or not."""

    name: str
    """What is compared, for example ``rows of op_summary in task_time``."""
    agrees: bool
    """False fails the check: what rests on the value is undecided."""
    found: Quantity
    """The value of the measured table."""
    expected: Quantity
    """The value of the witness."""
    tolerance: Quantity
    """The difference that rounding explains."""
    origins: tuple[Origin, ...]
    """Both tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSpread:
    """How much captures, or runs, of one unchanged build vary in one metric (u_B), as it is known from elsewhere."""

    metric: str
    """Id of its metric; it is used for no other."""
    part: str = ""
    """Part of the metric."""
    kind: str = ""
    """Kind of latency or throughput."""
    of: Literal["captures", "runs"] = "captures"
    """What varies: captures with a profiler, or runs that a log tells of."""
    value: Quantity | Missing
    """Relative standard deviation, unit 1; Missing where the target asks for A/A captures that cannot show it."""
    count: int | None = None
    """Captures or runs it was determined from; None: not stated, the value is taken as it is (type B)."""
    determined: str = ""
    """Where it was determined, in words; of A/A captures their names."""
    source: Literal["target", "A/A"] = "target"
    """Stated in the target, or computed from A/A captures."""
    place: Dimensions | None = None
    """The rank and device of A/A captures; None: all."""
    file: FileRecord | None = None
    """The file that the target names for it."""
    origins: tuple[Origin, ...] = ()
    """Where it comes from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EquivalenceBand:
    """By how much a metric may change and still be called unchanged, as both parties agreed."""

    metric: str
    """Id of its metric."""
    part: str = ""
    """Part of the metric."""
    kind: str = ""
    """Kind of latency or throughput, of runs."""
    of: Literal["captures", "runs"] = "captures"
    """What it is of: the captures' metric, or the figures of runs that logs tell of."""
    band: Quantity
    """Relative, unit 1: AFTER / BEFORE between 1 / (1 + band) and 1 + band."""
    origin: Origin
    """Target key path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """One metric of one side at one place."""

    metric: str
    """Id of its ``Metric``."""
    side: Side
    """Side."""
    dimensions: Dimensions
    """Place."""
    summary: Quantity | Missing
    """The value; Missing says why there is none."""
    sample: Sample | None = None
    """What the value summarises; None for counts, peaks and totals."""
    interval: Interval | None = None
    """Interval of the value alone (for limits on one side); None when none can be stated."""
    numerator: Quantity | None = None
    """Of a quotient."""
    denominator: Quantity | None = None
    """Of a quotient."""
    basis: str = ""
    """Variant that was used: ``step window``, ``device span``, ``time-weighted``, ``cycle-weighted`` ..."""
    witnesses: tuple[Witness, ...] = ()
    """Cross-checks of its completeness; empty: not witnessed."""
    origins: tuple[Origin, ...] = ()
    """Where it comes from; never empty when there is a value."""
    warnings: tuple[Reason, ...] = ()
    """Doubts that travel with the value."""
    at: Quantity | None = None
    """Instant of a peak, UTC epoch ns; None for everything else."""
    each: tuple[Measurement, ...] = ()
    """The measurements of several captures of a side that this one sums up, in the order given; empty for one."""
    resolution: Quantity | None = None
    """By how much the rounding of the recorded digits can move the value at most, in its unit; None: not known, or none
    for what is recorded as it is printed."""
    between: KnownSpread | None = None
    """What is known of the spread between captures of this build; its intervals hold it. None: nothing."""

    @property
    def source(self) -> str:
        """Kind of file the value was measured from: ``db``, ``csv`` or ``json``; empty without a value."""
        return self.origins[0].file.rsplit(".", 1)[-1].lower() if self.origins else ""

    def undecided_by(self) -> Witness | None:
        """The first failed cross-check; None when all agree."""
        return next((w for w in self.witnesses if not w.agrees), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """A value over time, for a chart: thinned so that every highest value of a stretch stays."""

    id: str
    """``memory_allocated``, ``memory_reserved`` or ``ai_core_frequency``."""
    side: Side
    """Side."""
    dimensions: Dimensions
    """Rank, device, component."""
    times: Sample
    """Instants, ns since the first kernel of the rank (may be negative), ascending."""
    values: Sample
    """One value for each instant; it holds until the next."""
    recorded: int
    """Values recorded, before thinning."""
    origins: tuple[Origin, ...]
    """The table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorTotals:
    """All calls of one operator type on one side (one rank, all its steps)."""

    calls: Quantity
    """Count over the whole capture."""
    total: Quantity
    """Sum of durations."""
    mean: Quantity
    """Sum over count, exact."""
    median: Quantity
    """Median duration of a call, exact."""
    sample: Sample
    """Durations in order of start."""
    origins: tuple[Origin, ...]
    """The kernel table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorWork:
    """What one operator type was called on."""

    shapes: str
    """Input shapes as recorded; ``N/A`` where they are not."""
    dtypes: str
    """Input dtypes as recorded; ``N/A`` where they are not."""
    calls: int
    """Calls with these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorMeasurement:
    """One operator type of one side and rank."""

    type: str
    """OP Type; where it is not recorded the kernel's name, see ``identified_by``."""
    identified_by: Literal["type", "name"]
    """What ``type`` holds."""
    accelerator: str
    """Core kind as recorded (AI_CORE, AI_VECTOR_CORE, MIX_AIC, AI_CPU ...), N/A at level 0."""
    side: Side
    """Side."""
    dimensions: Dimensions
    """Capture, rank, device."""
    steps: int
    """Steps the totals spread over; 1 without markers."""
    totals: OperatorTotals
    """The figures."""
    work: tuple[OperatorWork, ...] = ()
    """What it was called on, most calls first, then by shapes and dtypes; at most ``MOST_WORK`` of them."""


MOST_WORK = 40
"""Different shapes and dtypes of one operator type that are listed."""


# --------------------------------------------------------------------------------------------- comparing
@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalence:
    """Whether a metric stayed within the band that the parties call no change."""

    band: EquivalenceBand
    """What was agreed."""
    interval: Interval | None
    """The 90 % interval of AFTER / BEFORE; None when none can be stated."""
    shown: bool
    """Whether all of the interval lies inside the band."""
    reason: Reason
    """How that was decided, or why it cannot be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A metric side by side."""

    metric: str
    """Id of its ``Metric``."""
    dimensions: Dimensions
    """Place, the same on both sides."""
    before: Measurement | None
    """None when the other side has a place (component, rank) that this one lacks."""
    after: Measurement | None
    """As ``before``."""
    delta: Quantity | Missing
    """AFTER minus BEFORE, unrounded."""
    change: Quantity | Missing
    """AFTER / BEFORE - 1; Missing when BEFORE is 0 or a value is missing. For shares the delta says it: Missing."""
    estimate: Quantity | None
    """Hodges-Lehmann or t estimate of AFTER / BEFORE; None without an interval."""
    interval: Interval | None
    """Interval of AFTER / BEFORE; None when none can be stated."""
    distinguishable: Distinguishable
    """Whether a difference may be called one."""
    reason: Reason
    """How that was decided, or why it cannot be known."""
    blocked: tuple[Reason, ...] = ()
    """Why this row gets no verdict: the keys that block its family, failed cross-checks; empty when none."""
    warnings: tuple[Reason, ...] = ()
    """Doubts of either side."""
    status: Status = Status.UNKNOWN
    """What may be said of the row in one word, derived from all of the above (``status.with_status``)."""
    between: KnownSpread | None = None
    """The spread between captures that ``interval`` holds; None when it holds none."""
    equivalence: Equivalence | None = None
    """None where the target names no band for the metric."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunComparison:
    """One figure of the runs that were measured outside the profile, side by side."""

    case: str
    """Case of the runs."""
    statistic: str
    """Statistic of the figure, as its producer names it or as it was taken of a list."""
    better: Literal["lower", "higher"]
    """Which direction is the better one."""
    exact: bool
    """Whether it is counted, so that one run a side tells a difference."""
    comparison: Comparison
    """Both sides: ``each`` of a side holds its runs, its sample what an interval is of; the part is the kind."""
    runs: tuple[int, int]
    """Runs of BEFORE and of AFTER."""
    values: tuple[int, int]
    """Steps or requests behind the figures of each side, all runs together; 0 where the file has the figure alone."""
    counts: tuple[tuple[int, ...], tuple[int, ...]]
    """The same of each run of both sides."""
    goals: tuple[str, ...]
    """Ids of the goals on this very figure."""
    unlike: bool
    """Whether its runs are shown not to be alike: it is then not comparable, and nothing is formed of both sides."""
    caveats: tuple[Reason, ...] = ()
    """What stands beside its word: of single runs that the variation between runs was not assessed, of two a side that
    only large changes can be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoneRun:
    """A run outside the profile of which no figure is held against the other side."""

    case: str
    """Its case."""
    side: Side
    """Its side."""
    file: str
    """Its file."""
    segment: int
    """Its number in the file."""
    reason: Reason
    """``run_without_figures`` or ``run_without_partner``, with its figures and the side that has none of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorChange:
    """One operator type side by side."""

    type: str
    """Operator type, or kernel name where types are not recorded."""
    identified_by: Literal["type", "name"]
    """What ``type`` holds."""
    accelerator: str
    """Core kind; both joined by ``/`` where they differ."""
    dimensions: Dimensions
    """Capture, rank, device."""
    change: Literal["added", "removed", "changed", "same"]
    """``changed``: calls per step, time or shapes differ; ``same``: all equal."""
    before: OperatorMeasurement | None
    """None when added."""
    after: OperatorMeasurement | None
    """None when removed."""
    delta_per_step: Quantity
    """Change of total time per step (whole capture without steps)."""
    call: Comparison | None
    """Per-call durations compared; None when added or removed."""


# --------------------------------------------------------------------------------------------- what was agreed
@dataclass(frozen=True, slots=True, kw_only=True)
class Parties:
    """Who agreed."""

    customer: str = ""
    """Customer (甲方)."""
    contractor: str = ""
    """Contractor (乙方)."""
    witness: str = ""
    """Witness or supervisor; empty when none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """What the target rests on."""

    reference: str
    """Number and annex of the contract."""
    signed: str = ""
    """Date of signature, ISO."""
    title: str = ""
    """Project."""
    report_number: str = ""
    """Number of the report, when the parties give one."""
    issued: str = ""
    """Date of the report, ISO; the tool reads no clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """One line of the revision record."""

    version: str
    """Version of the report."""
    date: str
    """Its date, ISO."""
    what: str
    """What was revised."""
    by: str
    """Who revised it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviation:
    """A deviation from what was agreed, or an open issue, in the parties' words."""

    no: str
    """Its number."""
    what: str
    """What deviates or is open."""
    effect: str
    """What it affects."""
    remedy: str
    """What is done about it."""
    retest: str
    """When it is tested again, or how that went."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What only the formal form of the report prints; empty: not given, and left to be filled in."""

    version: str = ""
    """Version of the report."""
    replaces: str = ""
    """Number and version of the report that this one replaces."""
    confidentiality: str = ""
    """Confidentiality mark."""
    phase: Literal["initial", "final", "retest", ""] = ""
    """Phase of acceptance."""
    client: str = ""
    """Who ordered the test; empty: the customer."""
    test_unit: str = ""
    """Who tested; empty: the contractor."""
    place: str = ""
    """Where the test took place."""
    started: str = ""
    """First day of the test, ISO."""
    ended: str = ""
    """Last day of the test, ISO."""
    testers: tuple[str, ...] = ()
    """Who carried it out."""
    witnessed: tuple[str, ...] = ()
    """Who was present for a party or as a witness."""
    prepared: str = ""
    """Who prepared the report."""
    reviewed: str = ""
    """Who reviewed it."""
    approved: str = ""
    """Who approved it."""
    purpose: str = ""
    """Purpose of the test."""
    scope: str = ""
    """What it covers and what not."""
    basis: tuple[str, ...] = ()
    """Documents it rests on."""
    topology: str = ""
    """Machines and network."""
    data_set: str = ""
    """Data set."""
    revisions: tuple[Revision, ...] = ()
    """The revision record."""
    deviations: tuple[Deviation, ...] = ()
    """Deviations and open issues."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One line of the signed change list."""

    what: str
    """What was changed, in the parties' words."""
    keys: tuple[str, ...] = ()
    """The setting keys that may differ because of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What the parties vouch for because no file shows it."""

    key: str
    """``workload``, ``chip``, ``ranks``, ``steps``, or the id of a fact or setting."""
    value: str
    """What they declare."""
    signer: str
    """Who."""
    role: str
    """In what role."""
    date: str
    """When, ISO."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """The job the goals hold for; empty means not agreed."""

    framework: str = ""
    """``MindSpeed LLM``, ``PyTorch``, ``MindSpore``, ``vLLM`` ..."""
    backend: str = ""
    """``FSDP2``, ``mcore``, ``ACL`` ..."""
    phase: str = ""
    """``training``, ``offline inference``, ``online inference`` or ``serving``."""
    model: str = ""
    """Model."""
    batch_size: str = ""
    """A number, or a distribution in words."""
    dtype: str = ""
    """``bf16``, ``fp16``, ``fp32``, ``int8`` ..."""
    sequence_length: str = ""
    """A number or a distribution."""
    ranks: int | None = None
    """Number of ranks of the job."""
    load: str = ""
    """Load level: concurrency, rate ..."""
    failed_requests_at_most: str = ""
    """Largest share of a run's requests that may fail, as written: ``1%``."""
    cpu: str = ""
    """CPU resources of the job."""
    checkpoint_steps: tuple[str, ...] | None = None
    """Step ids that save a checkpoint; () for none; None when not stated."""
    product: str = ""
    """Product series, see ``vocabulary.Product``."""
    circumstances: tuple[tuple[str, bool], ...] = ()
    """(circumstance, whether it is so), those that are stated; see ``vocabulary.Circumstance``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """One agreed goal."""

    id: str
    """Stable within the target."""
    clause: str
    """Contract clause it stands in."""
    metric: str
    """Metric id: of the profile, or ``latency``, ``qps``, ``throughput`` for values measured outside it."""
    part: str
    """Component or operator the goal is on; empty for the whole."""
    statistic: str
    """``median``, ``mean``, ``max``, ``p90`` ... as agreed."""
    kind: str
    """Kind of throughput or latency (``output_tokens_per_s``, ``ttft`` ...); empty where the metric says it."""
    direction: Literal["at_most", "at_least"]
    """Which side of the limit is good."""
    subject: Literal["after", "delta", "ratio"]
    """AFTER alone, AFTER - BEFORE, or AFTER / BEFORE."""
    limit: Quantity
    """The limit, exact, as written."""
    side_condition: str
    """Condition in words, printed beside the goal."""
    subject_to: tuple[str, ...]
    """Goals that must be met as well, by id."""
    origin: Origin
    """Target file and key path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalValue:
    """A value measured outside the profile and typed into the target."""

    side: Side
    """Side."""
    metric: str
    """``latency``, ``qps``, ``throughput`` or ``step_time``."""
    kind: str
    """As ``Goal.kind``."""
    statistic: str
    """As ``Goal.statistic``."""
    value: Quantity
    """The value, exact, as written."""
    conditions: str
    """Load, client, warm-up, in words."""
    file: FileRecord
    """The file it comes from, hashed."""
    locator: str
    """Where in that file."""
    origin: Origin
    """Target key path that holds the value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedValue:
    """A value that the parties agreed to hold AFTER against in the place of BEFORE."""

    metric: str
    """As ``Goal.metric``."""
    part: str
    """As ``Goal.part``."""
    kind: str
    """As ``Goal.kind``."""
    statistic: str
    """As ``Goal.statistic``."""
    value: Quantity
    """The value, exact, as written; nothing is known of its uncertainty."""
    source: str
    """Where it comes from, in words."""
    file: FileRecord | None
    """The file that holds it, hashed; None when none is named."""
    locator: str
    """Where in that file."""
    origin: Origin
    """Target key path that holds the value."""

    @property
    def origins(self) -> tuple[Origin, ...]:
        """The target's key, and the file that it was taken from."""
        if self.file is None:
            return (self.origin,)
        more = Origin(file=self.file.path, digest=self.file.digest, locator=self.locator, formula="as written")
        return self.origin, more


@dataclass(frozen=True, slots=True, kw_only=True)
class LogInput:
    """A log or result file of a run, named in the target or on the command line."""

    side: Side
    """Side."""
    path: str
    """Where it is read from; never printed."""
    file: FileRecord
    """The file as named, hashed; a folder has the digest of nothing."""
    profiled: bool | None
    """Whether the run was profiled, as the target says; None when it does not."""
    segment: int | None
    """Which of several runs in the file; None: the only one."""
    origin: Origin
    """Target key path, or the option."""
    agreed: bool = True
    """Whether the target names it; False: given on the command line alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracySide:
    """One side of an accuracy criterion, as the target names it."""

    written: Quantity | None
    """Value typed into the target; None without one, and of curves."""
    path: str
    """Where the file is read from; empty without one."""
    file: FileRecord | None
    """The file; None where a value was typed without one."""
    locator: str
    """Where in it the value stands, in the parties' words; a JSON pointer (``/a/b``) is followed."""
    segment: int | None
    """Which run, from 0, where the file holds several."""
    origin: Origin
    """In the target."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracyInput:
    """One agreed criterion of accuracy."""

    name: str
    """What is measured, in the parties' words."""
    kind: Literal["score", "loss_curve"]
    """A value of each side, or the curves of both over their steps."""
    before: AccuracySide
    """BEFORE."""
    after: AccuracySide
    """AFTER."""
    direction: Literal["at_least", "at_most"]
    """Of a score: AFTER is at least BEFORE - tolerance, or at most BEFORE + tolerance."""
    tolerances: tuple[tuple[str, Quantity, Origin], ...]
    """(``absolute``, ``relative``, ``relative_max`` or ``relative_mean``; value; place in the target)."""
    series: str
    """Of a curve: the key as the log spells it; empty: the only loss that the log holds."""
    steps: tuple[int, int] | None
    """Of a curve: first and last step, both included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file handed in beside the evidence: hashed and listed, never read for numbers."""

    file: FileRecord
    """The file."""
    what: str
    """What it is, in the words of whoever attached it; empty where nothing was said."""
    tool: str
    """Tool that wrote it, as stated."""
    version: str
    """Version of that tool, as stated."""
    says: str
    """The line near its top that names a version, made harmless and cut; empty without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One agreed case."""

    id: str
    """Stable within the target."""
    clause: str
    """Contract clause."""
    profiled: bool
    """True for the one case that the captures were taken of."""
    workload: Workload
    """The job."""
    goals: tuple[Goal, ...]
    """Goals, in order."""
    external: tuple[ExternalValue, ...]
    """Values measured outside the profile and typed by hand."""
    logs: tuple[LogInput, ...] = ()
    """Logs and result files of runs outside the profile."""
    accuracy: tuple[AccuracyInput, ...] = ()
    """Agreed criteria of accuracy."""
    fixed: tuple[FixedValue, ...] = ()
    """Fixed values that goals on delta and ratio rest on in the place of BEFORE."""
    alone: bool = False
    """Whether no BEFORE was agreed, so that AFTER alone is judged."""
    matrix: str = ""
    """Id of the matrix that it is a cell of; empty for a case of its own."""
    axes: tuple[tuple[str, str], ...] = ()
    """(name, value) of each axis of that matrix."""

    def fixed_for(self, goal: Goal) -> FixedValue | None:
        """The fixed value that a goal rests on; None when it rests on BEFORE, or on AFTER alone."""
        if goal.subject == "after":
            return None
        wanted = (goal.metric, goal.part, goal.kind, goal.statistic)
        return next((v for v in self.fixed if (v.metric, v.part, v.kind, v.statistic) == wanted), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What was agreed."""

    file: FileRecord
    """The target file."""
    parties: Parties
    """Who."""
    contract: Contract
    """Where."""
    decision_rule: Literal["simple", "guarded"]
    """Chosen by the parties; there is no default."""
    cases: tuple[Case, ...]
    """At least one."""
    changes: tuple[Change, ...] = ()
    """The signed change list."""
    may_differ: tuple[str, ...] = ()
    """Setting keys that may differ, beside those of the change list."""
    declared: tuple[Declared, ...] = ()
    """What the parties vouch for."""
    alone: bool = False
    """Whether no BEFORE was agreed for the case that was captured: there is no capture of it."""
    known_spreads: tuple[KnownSpread, ...] = ()
    """What is known of the spread between captures and between runs."""
    equivalence: tuple[EquivalenceBand, ...] = ()
    """Within which bands a metric counts as unchanged."""
    form: Form = Form()
    """What only the formal form of the report prints."""
    attachments: tuple[Attachment, ...] = ()
    """Files handed in beside the evidence."""

    def allowed(self) -> tuple[str, ...]:
        """Every key that may differ: ``may_differ`` and the keys of the change list."""
        return (*self.may_differ, *(key for change in self.changes for key in change.keys))


# --------------------------------------------------------------------------------------------- measured outside
@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """Something that a run's log or result file says of the run."""

    key: str
    """Canonical name: ``global_batch_size``, ``max_concurrency``, ``request_rate``, ``model`` ...; an unknown key as
    the file spells it."""
    written: str
    """The value as written."""
    locator: str
    """Line and column, or JSON pointer."""
    directories: str = ""
    """Digest of the directories that were taken out of the value; it is compared and never written anywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedSeries:
    """Values one after another: of steps, intervals or requests, in the order of the run."""

    metric: str
    """``step_time``, ``throughput``, ``latency``, ``loss``, ``grad_norm``, ``mfu``, ``memory`` ...; ``logged``: a key
    with figures of which nothing is known."""
    kind: str
    """As ``Goal.kind``: ``tokens_per_s_global``, ``ttft``, ``itl`` ...; of ``loss`` and ``logged`` the key as written;
    empty where the metric says it."""
    sample: Sample
    """The values; labels are iteration numbers or request numbers."""
    weights: tuple[int, ...]
    """Steps that each value is the mean of; all 1 where a value is one step."""
    locator: str
    """Lines, column or JSON pointer."""
    resolution: Quantity
    """Smallest difference the written digits can show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedValue:
    """A figure that the producer computed itself."""

    metric: str
    """As ``LoggedSeries.metric``; also ``duration``, ``completed``, ``failed``, ``input_tokens``, ``output_tokens``."""
    kind: str
    """As ``LoggedSeries.kind``."""
    statistic: str
    """``mean``, ``median``, ``p99``, ``total``, ``count`` ..."""
    value: Quantity
    """Exact, as written."""
    locator: str
    """Line and column, or JSON pointer."""
    resolution: Quantity
    """Smallest difference the written digits can show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """An arithmetic relation that figures of one file have to fulfil. Source: docs/logs.md, identities I1 to I16."""

    id: str
    """``I1`` ... ``I16``."""
    what: str
    """Machine word of what is compared, for example ``output_tokens_over_duration``."""
    holds: bool
    """False: the file contradicts itself, what rests on it is undecided."""
    found: Quantity
    """As the file states it."""
    expected: Quantity
    """As its other figures give it."""
    tolerance: Quantity
    """What the rounding of printed digits explains, clocks 1 s more."""
    locators: tuple[str, ...]
    """Where both stand."""
    at_most: bool = False
    """Whether ``expected`` is the most that ``found`` may be; else they are one number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run as its log or result file tells it; measured by its producer, not by us."""

    producer: str
    """Who wrote it: ``megatron``, ``mindspeed_llm_fsdp2``, ``steps_csv``, ``vllm_bench_json`` ..."""
    version: str
    """Producer's version; empty when the file does not say."""
    definitions: str
    """Definition set of its figures; runs of different sets do not compare."""
    file: FileRecord
    """The file (of a folder: the file the figures stand in)."""
    more: tuple[FileRecord, ...] = ()
    """Further files read of a folder."""
    segment: int = 0
    """Number of the run within the file, from 0: a restart or another object begins a new one."""
    began: Quantity | None = None
    """Start, UTC epoch ns; None when the file does not say or its zone is not known."""
    ended: Quantity | None = None
    """End, as ``began``."""
    context: tuple[Stated, ...] = ()
    """What it states of the run, in order; each key once, a changing one as its values joined by `` / ``."""
    series: tuple[LoggedSeries, ...] = ()
    """Values one after another."""
    values: tuple[LoggedValue, ...] = ()
    """Figures the producer computed."""
    identities: tuple[Identity, ...] = ()
    """Those that could be checked, whether they hold or not."""
    left_out: tuple[Reason, ...] = ()
    """What was not used and why, with counts: ramp-up lines, duplicates, other ranks, unknown lines."""
    warnings: tuple[Reason, ...] = ()
    """Doubts: not a real workload, interval means, skipped iterations, dummy weights ..."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedRun:
    """A run of a case, with what the target says of it."""

    case: str
    """Case id."""
    side: Side
    """Side."""
    run: Run
    """As its file tells it."""
    profiled: bool | None
    """As the target says; None when it does not."""
    agreed: bool = True
    """Whether the target names it; False: given on the command line alone."""


# --------------------------------------------------------------------------------------------- what sources say
@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A document that gives a rule."""

    id: str
    """Stable identifier."""
    document: str
    """Title, in the document's language."""
    version: str
    """Version read."""
    section: str
    """Section."""
    publisher: str
    """Publisher."""
    locator: str
    """Repository, commit, path and line, or address."""
    quote: str
    """At most 25 words of the original."""
    verified: str
    """How it was verified: ``verbatim``, ``substance``, ``course only``, ``contradicted``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """One band of a threshold, as the source prints it."""

    id: str
    """What the source says of it, a word of ``report.messages.BANDS``; ``no_statement`` where it says nothing."""
    low: Fraction | None
    """Lower end; None: open."""
    low_included: bool
    """Whether the end itself belongs to the band."""
    high: Fraction | None
    """Upper end; None: open."""
    high_included: bool
    """Whether the end itself belongs to the band."""

    def holds(self, value: int | Fraction) -> bool:
        """Whether the value lies in the band."""
        above = self.low is None or value > self.low or (self.low_included and value == self.low)
        below = self.high is None or value < self.high or (self.high_included and value == self.high)
        return above and below


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """Who agreed on a threshold that no official source gives."""

    agreed_on: str
    """Date, YYYY-MM-DD."""
    agreed_by: str
    """Who."""
    document: str
    """Where it stands; empty: not said."""
    replaces: str
    """Id of the official rule it is put in place of; empty: none."""
    changes: tuple[tuple[str, Literal["tightened", "loosened", "other"]], ...]
    """(official rule on the same metric, how its limit was changed), those with another limit; ``other``: the official
    limit is on the other side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """A rule of the catalogue, or an own baseline, with the scope that can be decided."""

    id: str
    """Stable identifier."""
    metric: str
    """Metric id; empty: its quantity is not measured here."""
    title: tuple[tuple[str, str], ...]
    """(language, text)."""
    reading: Literal["bands", "value", "text", "never"]
    """What becomes of a value: put into a band, shown without one; no number to hold it against; not enforceable."""
    because: str = ""
    """Why it is not enforceable; empty unless ``never``."""
    worst: Literal["largest", "smallest"] = "largest"
    """Which of several values of a side (ranks, parts) stands for it."""
    undecided_at: tuple[Fraction, ...] = ()
    """Values of which the source does not say to which band they belong."""
    frameworks: tuple[str, ...] = ()
    """Frameworks its source names, lower case; empty: any."""
    backends: tuple[str, ...] = ()
    """Backends its source names, lower case; empty: any."""
    phases: tuple[str, ...] = ()
    """Phases its source names; empty: any."""
    excluded_phases: tuple[str, ...] = ()
    """Phases that are excluded."""
    products: tuple[str, ...] = ()
    """Product series its source names; empty: any."""
    excluded_products: tuple[str, ...] = ()
    """Product series its source excludes."""
    circumstances: tuple[str, ...] = ()
    """What has to be so, see ``vocabulary.Circumstance``."""
    excluded_circumstances: tuple[str, ...] = ()
    """What must not be so."""
    yields_to: str = ""
    """Id of the rule that stands in its place where that one's scope matches; empty: none."""
    needs: tuple[str, ...] = ()
    """Facts of both captures it needs, see ``vocabulary.Need``."""
    rated_clock: Quantity | None = None
    """The nominal clock it is written for."""
    follows: tuple[str, str] | None = None
    """(rule, band): it is read where that rule gives that band, on the same rank."""
    bands: tuple[Band, ...] = ()
    """In rising order, covering every value; empty unless ``bands``."""
    authority: str
    """``document``, ``tool source``, ``case``, ``project practice``, ``third-party platform`` or ``own baseline``."""
    use: str
    """``verdict``, ``reference``, ``context`` ..."""
    scope: tuple[tuple[str, str], ...] = ()
    """(language, text) of the scope; empty where no value can be shown."""
    sources: tuple[str, ...]
    """Source ids: its own entry first."""
    file: str
    """File its numbers stand in, as ``evidence/...``, or the file of own thresholds."""
    baseline: Baseline | None = None
    """Set for an own baseline alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unspecified:
    """What no official source specifies."""

    id: str
    """Stable identifier."""
    title: tuple[tuple[str, str], ...]
    """(language, text)."""
    statement: tuple[tuple[str, str], ...]
    """(language, text): where and how that is said."""
    sources: tuple[str, ...]
    """Source ids."""
    rules: tuple[str, ...] = ()
    """Ids of rules that show the gap."""
    in_report: bool = True
    """Whether it bears on what a report shows."""


class Relation(StrEnum):
    """How a value is held against a number; ``at_least`` and ``at_most`` include the number itself."""

    ABOVE = "above"
    AT_LEAST = "at_least"
    EQUAL = "equal"
    ABOUT = "about"
    AT_MOST = "at_most"
    BELOW = "below"
    NOT_EQUAL = "not_equal"
    MULTIPLE_OF = "multiple_of"
    NOT_MULTIPLE_OF = "not_multiple_of"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """One number of a rule."""

    relation: Relation
    """How a value is held against it."""
    value: Fraction
    """The number, exact, in the unit of its band."""
    written: str
    """The number as the source prints it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBand:
    """One value, band or case of a rule."""

    of: str
    """The quantity, where the rule is about several; else empty."""
    says: str
    """What the source says of values there; may be empty."""
    bounds: tuple[Bound, ...]
    """One number, or two that enclose a band; empty where the source gives no number."""
    unit: str
    """Unit as the source has it."""
    text: str
    """What cannot be said in numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleScope:
    """What a rule holds for, in the words of its source."""

    product: str
    """Products and chips."""
    framework: str
    """Frameworks and tools."""
    scenario: str
    """Kind of job or data."""
    phase: str
    """Training, inference, both, or unspecified."""
    excluded: tuple[str, ...]
    """What it does not hold for."""
    requires: tuple[str, ...]
    """Data without which it cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One entry of the catalogue: a rule, formula, constraint or case as its source has it. Shown; never evaluated."""

    id: str
    """Stable identifier."""
    title: tuple[tuple[str, str], ...]
    """(language, text)."""
    kind: str
    """``threshold``, ``constraint``, ``formula``, ``definition``, ``example only`` or ``unspecified``."""
    authority: str
    """``document``, ``tool source``, ``case``, ``project practice`` or ``third-party platform``."""
    use: str
    """``verdict``, ``reference``, ``formula``, ``gate``, ``consistency check``, ``context`` or ``none``."""
    metrics: tuple[str, ...]
    """Our metrics that it speaks of."""
    quantity: str
    """The quantity in the words of the source."""
    unit: str
    """Its unit; empty: none."""
    formula: str
    """As text; empty: none."""
    operator: str
    """What kind of statement it is, see ``catalogue.shapes``."""
    bands: tuple[RuleBand, ...]
    """Values, bands and cases, in the order of the source."""
    equality: str
    """What holds exactly at a limit."""
    scope: RuleScope
    """What it holds for."""
    source: Source
    """Where it stands; its id is that of the rule."""
    course: str
    """Section of the course that cites it; empty: none."""
    notes: str
    """What else a reader has to know."""
    file: str
    """Evidence file it stands in, as ``rules/NAME.toml``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """What one source says where several differ."""

    who: str
    """The source in a few words."""
    says: str
    """What it says."""
    entry: str
    """Rule or unspecified item it stands in or bears on; empty: none."""
    locator: str
    """Where it stands; empty: where the rule stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """Sources that differ from each other or from themselves."""

    id: str
    """Stable identifier."""
    title: tuple[tuple[str, str], ...]
    """(language, text)."""
    kind: Literal["between sources", "slip"]
    """``slip``: one official text is wrong by its own figures or code."""
    positions: tuple[Position, ...]
    """What each says; at least two."""
    treatment: tuple[tuple[str, str], ...]
    """(language, text): what this product does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """The evidence beside the code."""

    sources: tuple[Source, ...]
    """By id."""
    thresholds: tuple[Threshold, ...]
    """By id."""
    unspecified: tuple[Unspecified, ...]
    """By id."""
    files: tuple[FileRecord, ...]
    """The evidence files read."""
    rules: tuple[Rule, ...] = ()
    """By id; empty unless the whole catalogue was read."""
    contradictions: tuple[Contradiction, ...] = ()
    """By id; empty unless the whole catalogue was read."""


# --------------------------------------------------------------------------------------------- accuracy and gates
@dataclass(frozen=True, slots=True, kw_only=True)
class CurveDeviation:
    """How far a curve of AFTER lies from that of BEFORE, over the steps that both have in the agreed range."""

    steps: int
    """Steps compared."""
    largest: Quantity
    """Largest |AFTER - BEFORE| / |BEFORE| of a step."""
    largest_step: int
    """The first step that shows it."""
    mean: Quantity
    """Mean of the same over the steps compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """One criterion of accuracy, judged."""

    case: str
    """Case id."""
    agreed: AccuracyInput
    """As the target has it."""
    outcome: Outcome
    """Met, not met or undecided."""
    reason: Reason
    """Why."""
    before: Quantity | None
    """Score of BEFORE; None of a curve, and where it could not be read."""
    after: Quantity | None
    """Score of AFTER."""
    limit: Quantity | None
    """Score that AFTER must not fall below, or rise above; None of a curve."""
    deviation: CurveDeviation | None
    """Of a curve; None of a score, and where no step could be compared."""
    only: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    """Steps that one side alone has, BEFORE's and AFTER's."""
    uncounted: tuple[int, int] = (0, 0)
    """Iterations in the agreed range that were skipped or gave no finite value, BEFORE's and AFTER's."""
    typed: tuple[Side, ...] = ()
    """Sides whose value was typed by hand."""
    origins: tuple[tuple[Origin, ...], tuple[Origin, ...]] = ((), ())
    """Where BEFORE's and AFTER's values come from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrecisionSign:
    """A sign that the data type or the quantisation differs between the sides of a case."""

    case: str
    """Case id."""
    reason: Reason
    """What shows it."""
    origins: tuple[Origin, ...] = ()
    """Where."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inflation:
    """What the profiler adds: the profiled value of a side minus its unprofiled value."""

    side: Side
    """Side."""
    metric: str
    """Metric id."""
    kind: str
    """Kind, as of a goal."""
    statistic: str
    """Statistic of both values."""
    profiled: Quantity | Missing
    """Of the capture or of a run said to be profiled."""
    unprofiled: Quantity | Missing
    """Of a run said to be unprofiled."""
    difference: Quantity | Missing
    """Profiled minus unprofiled."""
    share: Quantity | Missing
    """The difference over the unprofiled value."""
    origins: tuple[tuple[Origin, ...], tuple[Origin, ...]] = ((), ())
    """Of the profiled and of the unprofiled value."""
    case: str = ""
    """Case of the captures."""


GateOutcome = Literal["passed", "failed", "cannot be known"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateFact:
    """One fact that a gate looked at."""

    name: str
    """Fact id, setting key or metric id."""
    part: str = ""
    """What it is of, where several have the name."""
    before: Quantity | Missing | str | None
    """BEFORE; a text as recorded; None: not recorded."""
    after: Quantity | Missing | str | None
    """AFTER."""
    origins: tuple[tuple[Origin, ...], tuple[Origin, ...]] = ((), ())
    """Where both come from, texts too; empty where nothing is recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateScope:
    """Comparative goals that a gate takes the verdict from."""

    families: tuple[Family, ...] = ()
    """Families of their metrics; empty: all."""
    case: str = ""
    """Their case; empty: every case."""
    metrics: tuple[str, ...] = ()
    """Metric ids; empty: all."""
    where: Literal["captures", "runs", "both"] = "captures"
    """Whether goals measured in captures, on runs outside the profile, or both are among them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """One question asked before any statement on BEFORE and AFTER. Source: docs/gates.md."""

    id: str
    """``G1`` ... ``G10``."""
    outcome: GateOutcome
    """How it stands."""
    removes: bool
    """Whether its failure removes the comparative verdict; else it is printed beside it."""
    scopes: tuple[GateScope, ...]
    """What it takes the verdict from; empty of one that removes none."""
    reasons: tuple[Reason, ...]
    """Why it stands so."""
    facts: tuple[GateFact, ...]
    """What was looked at."""
    basis: tuple[str, ...]
    """Ids of the catalogue; empty: our own choice alone."""


# --------------------------------------------------------------------------------------------- judging
@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """One goal judged."""

    case: str
    """Case id."""
    goal: Goal
    """The goal."""
    outcome: Outcome
    """The outcome."""
    comparison: Comparison | None
    """The comparison it was decided on (worst rank); None when nothing was measured."""
    value: Quantity | Missing
    """The judged value: of AFTER, the delta or the ratio."""
    interval: Interval | None
    """Interval of the judged value."""
    margin: Quantity | None
    """Distance from the deciding end to the limit, positive inside; None when undecided for another reason."""
    reason: Reason
    """Why this outcome."""
    reservations: tuple[Reason, ...] = ()
    """What the outcome rests on without proof: completeness not witnessed, no interval, hand-typed ..."""
    origins: tuple[Origin, ...] = ()
    """Where the judged value comes from."""
    measured_outside: bool = False
    """True when the value was measured outside the profile."""
    tag: str = ""
    """How the judged values were had: ``profiled``, ``unprofiled``, ``not stated``, ``mixed`` or ``hand-typed``; empty
    without a value."""
    baseline: Literal["before", "fixed", "none"] = "before"
    """What AFTER is held against, or would be where the goal is on AFTER alone."""
    between: KnownSpread | None = None
    """The spread between captures or runs that ``interval`` holds; None when it holds none."""
    captures_needed: Quantity | None = None
    """Captures, or runs, a side that would tell the value from the limit at the same spread between them; None where
    the goal is not undecided by its interval, that spread is not known, or more than 100 are needed."""
    unlike: bool = False
    """Whether the runs it would be judged on are shown not to be alike; undecided, it is then called not comparable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdJudgement:
    """One official rule read on both captures."""

    threshold: Threshold
    """The rule."""
    applicability: Applicability
    """Decided before any value is looked at."""
    reasons: tuple[Reason, ...]
    """The facts that decided it."""
    before: Quantity | Missing | None
    """Worst rank of BEFORE; None unless it applies."""
    after: Quantity | Missing | None
    """Worst rank of AFTER."""
    band_before: str
    """Band id; empty unless it applies."""
    band_after: str
    """Band id."""
    rank_before: int | None
    """The rank the value is of."""
    rank_after: int | None
    """The rank the value is of."""
    origins: tuple[Origin, ...] = ()
    """Where the values come from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadCheck:
    """One fact of the agreed workload held against the captures."""

    fact: str
    """``dtype``, ``batch_size``, ``ranks`` ..."""
    agreed: str
    """What the target says."""
    seen: str
    """What the captures show; empty when they cannot show it."""
    outcome: Literal["agrees", "consistent", "contradicts", "cannot be seen"]
    """How it stands."""
    origins: tuple[Origin, ...] = ()
    """Where it was seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The one verdict."""

    word: VerdictWord
    """Not comparable > not met > undecided > met."""
    reason: Reason
    """What decided it."""
    judgements: tuple[Judgement, ...]
    """All goals, in the order of the target."""
    thresholds: tuple[ThresholdJudgement, ...]
    """All official rules of the catalogue."""
    workload_checks: tuple[WorkloadCheck, ...]
    """The agreed workload held against the captures."""
    decision_rule: str
    """``simple`` or ``guarded``."""
    accuracy: tuple[Accuracy, ...] = ()
    """Every agreed criterion of accuracy, by case."""
    precision: tuple[PrecisionSign, ...] = ()
    """Signs of another data type or quantisation, by case."""
    gates: tuple[Gate, ...] = ()
    """G1 to G10."""


# --------------------------------------------------------------------------------------------- bottlenecks and signs
BottleneckKind = Literal["free", "communication", "computing", "none"]
DecidedBy = Literal["first rule exceeded", "no limit exceeded", "largest share", "not told"]
InsideVerdict = Literal["compute bound", "transfer bound", "cannot be told"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """One value that a bottleneck was decided on."""

    metric: str
    """Metric id."""
    rank: int | None
    """The rank the value is of."""
    device: int | None
    """Its device."""
    value: Quantity | Missing
    """The value."""
    band: str = ""
    """Band of the official rule it lies in; empty where no rule was read."""
    origins: tuple[Origin, ...] = ()
    """Where the value comes from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InsideCore:
    """Whether one kind of core computes or transfers for longer."""

    core: Literal["cube", "vector"]
    """Kind of core."""
    verdict: InsideVerdict
    """Which of its two pipes was busy for longer."""
    computing: Ground | None
    """Share of MAC or of the vector unit; None when it was not measured."""
    transfer: Ground | None
    """Share of MTE2; None when it was not measured."""
    reason: Reason
    """How that was decided, or why it cannot be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bottleneck:
    """The main bottleneck of one side."""

    side: Side
    """Side."""
    kind: BottleneckKind
    """``free`` is host dispatch; ``none`` when it is not told."""
    by: DecidedBy
    """How it was decided."""
    grounds: tuple[Ground, ...]
    """The values it was decided on, in the order in which they were looked at."""
    reasons: tuple[Reason, ...]
    """How that was decided, or why it is not told."""
    inside: tuple[InsideCore, ...] = ()
    """Cube, then vector cores; empty unless the kind is computing."""
    low_load: Reason | None = None
    """Why a low load is possible; None when a bound shows or nothing is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bottlenecks:
    """The main bottleneck of both sides."""

    before: Bottleneck
    """BEFORE."""
    after: Bottleneck
    """AFTER."""
    moved: Distinguishable
    """Whether another kind is the main one in AFTER."""
    reason: Reason
    """Why."""
    limit: Quantity
    """The ratio at or below which the source of a tool calls an operator one without a bound."""
    limit_origin: Origin
    """Where that stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """What the official guide tries against one kind of bottleneck."""

    kind: Literal["computing", "memory", "communication", "host"]
    """Kind in the words of the guide."""
    symptom: tuple[tuple[str, str], ...]
    """(language, text)."""
    first: tuple[tuple[tuple[str, str], ...], ...]
    """What to try, in its order: (language, text) each."""
    beside: tuple[tuple[str, str], ...]
    """(language, text): what it weighs at the same time; empty where it names nothing."""
    not_first: tuple[tuple[str, str], ...]
    """(language, text): what should not be done first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedies:
    """What the official guide tries first, and where that holds."""

    rule: str
    """Id of the rule of the catalogue."""
    scope: tuple[tuple[str, str], ...]
    """(language, text): what it holds for."""
    caveat: tuple[tuple[str, str], ...]
    """(language, text): what has to be done before."""
    outside: tuple[tuple[str, str], ...]
    """(language, text): what may be taken of it elsewhere."""
    kinds: tuple[Remedy, ...]
    """By kind, in the order of the guide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """A sign seen in a capture that an official case describes; never a cause."""

    sign: str
    """Id of the sign."""
    side: Side
    """Side."""
    case: str
    """Id of the case in the catalogue."""
    reason: Reason
    """What was seen."""
    count: Quantity | None = None
    """Kernels that show it; None where none are counted."""
    share: Quantity | None = None
    """Their share of the summed kernel time of their rank; None where it is not a matter of time."""
    rank: int | None = None
    """Rank of the kernels."""
    origins: tuple[Origin, ...] = ()
    """Where it was seen; never empty."""


# --------------------------------------------------------------------------------------------- everything together
@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """The contractor's own words, printed as given."""

    text: str
    """Markdown."""
    file: FileRecord
    """The file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlikeCaptures:
    """Captures of one unchanged build (A/A), given to show how much captures vary."""

    captures: tuple[CaptureFacts, ...]
    """At least two."""
    names: tuple[str, ...]
    """A name for each."""
    refused: Reason | None
    """Why nothing is taken from them; None when they may be used."""
    spreads: tuple[KnownSpread, ...] = ()
    """What they show, for each metric, part and rank; empty when they are refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """All stages' results for one pair: what a report is built from."""

    before: tuple[CaptureFacts, ...]
    """Captures of BEFORE; one now, several as repeats."""
    after: tuple[CaptureFacts, ...]
    """Captures of AFTER."""
    comparability: Comparability
    """Whether both were taken alike."""
    metrics: tuple[Metric, ...]
    """What each metric is, in the order of the report."""
    comparisons: tuple[Comparison, ...]
    """Every metric side by side, in the order of ``metrics``, then rank, then part."""
    operators: tuple[OperatorChange, ...]
    """Every operator type, largest change of time per step first; of each rank."""
    target: Target | None
    """None for ``compare``."""
    verdict: Verdict | None
    """None for ``compare``."""
    catalogue: Catalogue
    """The evidence."""
    series: tuple[Series, ...] = ()
    """Memory and frequency over time, BEFORE first, by rank, then id and part."""
    note: Note | None = None
    """None when none was given."""
    runs: tuple[LoggedRun, ...] = ()
    """Runs measured outside the profile, by case, BEFORE first."""
    logs: tuple[LogInput, ...] = ()
    """Logs given on the command line alone."""
    besides: tuple[FileRecord, ...] = ()
    """Results beside theirs that the target does not name and that were looked at."""
    bottlenecks: Bottlenecks | None = None
    """Main bottleneck of both sides; None when it was not looked for."""
    remedies: Remedies | None = None
    """What the official guide tries first."""
    diagnoses: tuple[Diagnosis, ...] = ()
    """Signs that official cases describe, BEFORE first."""
    cited: tuple[Rule, ...] = ()
    """The rules of the catalogue that bottlenecks, remedies and signs name."""
    alike: AlikeCaptures | None = None
    """A/A captures; None when none were given."""
    inflation: tuple[Inflation, ...] = ()
    """What the profiler adds, BEFORE first."""
    attachments: tuple[Attachment, ...] = ()
    """Files handed in beside the evidence, those of the target first."""
    run_comparisons: tuple[RunComparison, ...] = ()
    """Every figure with a better direction that runs of both sides give, by case, in the order of the files."""
    lone_runs: tuple[LoneRun, ...] = ()
    """Runs of which no figure is among those, by case, BEFORE first."""
    one_sided: tuple[tuple[str, str, str], ...] = ()
    """Case, metric and kind of what runs of one side alone give."""
