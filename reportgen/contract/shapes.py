"""The target file's format, as plain dataclasses; the line under a field is its description in the JSON Schema."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from reportgen import strict
from reportgen.vocabulary import Phase, Product


@dataclass(frozen=True, slots=True, kw_only=True)
class PartiesTable:
    """Who agreed."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    customer: str = ""
    """Customer (甲方)."""
    contractor: str = ""
    """Contractor (乙方)."""
    witness: str = ""
    """Witness or supervisor (见证方、监理)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractTable:
    """The document the target rests on."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    reference: str
    """Number of the contract and its annex."""
    title: str = ""
    """Project."""
    signed: str = ""
    """Date of signature, YYYY-MM-DD."""
    report_number: str = ""
    """Number of the report, when the parties give one."""
    issued: str = ""
    """Date of the report, YYYY-MM-DD; the tool reads no clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeTable:
    """One line of the signed change list."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    what: str
    """What was changed, in the parties' words."""
    keys: tuple[str, ...] = ()
    """Setting keys that may differ because of it, as `reportgen check` prints them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredTable:
    """What the parties vouch for because no file shows it."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    key: str
    """`workload`, `chip`, `ranks`, `steps`, or the id of another fact or setting."""
    value: str
    """What they declare."""
    signer: str
    """Who vouches for it."""
    role: str
    """In what role."""
    date: str
    """When, YYYY-MM-DD."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CircumstancesTable:
    """What some official rules ask of a job and no capture records; left out: not stated."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    ccu: bool | None = None
    """Whether collectives ran on the CCU of an Ascend 950."""
    kv_cache: bool | None = None
    """Whether inference kept a KV cache."""
    modelarts_dedicated_pool: bool | None = None
    """Whether the job ran in a dedicated resource pool of ModelArts."""
    onnx_model: bool | None = None
    """Whether the model came from ONNX."""
    parallel_load: bool | None = None
    """Whether several inferences ran at the same time."""
    quantised_inference: bool | None = None
    """Whether inference was quantised."""
    rec_sdk: bool | None = None
    """Whether the job is one of Rec SDK; framework `Rec SDK` says so too."""
    version_upgrade: bool | None = None
    """Whether the change under test is an upgrade of versions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadTable:
    """The job the goals hold for; a key left out is not agreed."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    framework: str = ""
    """`MindSpeed LLM`, `PyTorch`, `MindSpore`, `vLLM` ..."""
    backend: str = ""
    """`FSDP2`, `mcore`, `ACL` ..."""
    phase: Phase | Literal[""] = ""
    """Phase of the job."""
    model: str = ""
    """Model."""
    batch_size: int | str = ""
    """A number, or a distribution in words."""
    dtype: str = ""
    """`bf16`, `fp16`, `fp32`, `int8` ..."""
    sequence_length: int | str = ""
    """A number, or a distribution in words."""
    ranks: int | None = None
    """Number of ranks of the whole job."""
    load: str = ""
    """Load level: concurrency, rate ..."""
    failed_requests_at_most: str = ""
    """Largest share of a run's requests that may fail: `1%`; left out: none agreed."""
    cpu: str = ""
    """CPU resources of the job."""
    checkpoint_steps: tuple[int, ...] | Literal["none"] | None = None
    """Ids of the captured steps that save a checkpoint; `"none"` or `[]` when none does; left out: not stated."""
    product: Product | Literal[""] = ""
    """Product series; needed where the chip leaves several open (A2 and A3 have one)."""
    circumstances: CircumstancesTable = CircumstancesTable()
    """What some official rules ask of a job."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalTable:
    """One agreed goal."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    id: str
    """Unique within the file: letters, digits, `-`, `_`, `.`"""
    clause: str = ""
    """Contract clause; left out: that of its case."""
    metric: str
    """Metric id."""
    part: str = ""
    """Component of memory, or operator type."""
    statistic: str
    """`median`, `mean`, `max`, `min`, `p50`, `p90`, `p95`, `p99`, `total`, `count`, `share` or `weighted`."""
    kind: str = ""
    """Kind of latency or throughput."""
    direction: Literal["at_most", "at_least"]
    """Which side of the limit is good; the limit itself is."""
    subject: Literal["after", "delta", "ratio"]
    """What the limit holds for: AFTER alone, AFTER - BEFORE, or AFTER / BEFORE."""
    limit: str
    """Number with its unit, exact as agreed: `170 ms`, `-20 ms`, `85%`."""
    side_condition: str = ""
    """Condition in words, printed beside the goal."""
    subject_to: tuple[str, ...] = ()
    """Ids of goals that must be met as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalTable:
    """A value measured outside the profile."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    side: Literal["before", "after"]
    """Side."""
    metric: Literal["latency", "qps", "throughput", "step_time"]
    """What was measured."""
    kind: str = ""
    """Kind of latency or throughput."""
    statistic: str
    """As in a goal."""
    value: str
    """Number with its unit, exact as measured."""
    conditions: str
    """Load, client, warm-up, in words."""
    file: str
    """The file it was read from: a path relative to the target file, or an absolute one."""
    locator: str
    """Where in that file: line, field, JSON path."""
    sha256: str = ""
    """Digest of that file; given, it is checked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogTable:
    """A log or result file of a run that was measured outside the profile."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    side: Literal["before", "after"]
    """Side."""
    file: str
    """The file: a path relative to the target file, or an absolute one."""
    profiled: bool | None = None
    """Whether a profiler ran during it; left out: not stated."""
    segment: int | None = None
    """Which run, from 0, where the file holds several."""
    sha256: str = ""
    """Digest of the file; given, it is checked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineTable:
    """A fixed value that the parties agreed to hold AFTER against in the place of BEFORE."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    metric: str
    """Metric id, as in the goals that rest on it."""
    part: str = ""
    """As in those goals."""
    kind: str = ""
    """As in those goals."""
    statistic: str
    """As in those goals."""
    value: str
    """Number with its unit, exact as agreed."""
    source: str
    """Where it comes from, in words."""
    file: str = ""
    """A file that holds it: a path relative to the target file, or an absolute one."""
    locator: str = ""
    """Where in that file: page, line, field."""
    sha256: str = ""
    """Digest of that file; given, it is checked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionTable:
    """One line of the revision record of the formal form."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    version: str
    """Version of the report."""
    date: str
    """Its date, YYYY-MM-DD."""
    what: str
    """What was revised."""
    by: str = ""
    """Who revised it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviationTable:
    """A deviation from what was agreed, or an open issue, for the formal form."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    no: str
    """Its number; unique within the file."""
    what: str
    """What deviates or is open."""
    effect: str = ""
    """What it affects; no outcome is changed by it."""
    remedy: str = ""
    """What is done about it."""
    retest: str = ""
    """When it is tested again, or how that went."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormTable:
    """What only `report --form formal` prints; a key left out is a labelled blank there."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    version: str = ""
    """Version of the report, such as `V1.0`."""
    replaces: str = ""
    """Number and version of the report that this one replaces."""
    confidentiality: str = ""
    """Confidentiality mark (密级)."""
    phase: Literal["initial", "final", "retest", ""] = ""
    """Phase of acceptance: initial (初验), final (终验) or retest (复测)."""
    client: str = ""
    """Who ordered the test (委托单位); left out: the customer."""
    test_unit: str = ""
    """Who tested (测试单位); left out: the contractor."""
    place: str = ""
    """Where the test took place."""
    started: str = ""
    """First day of the test, YYYY-MM-DD."""
    ended: str = ""
    """Last day of the test, YYYY-MM-DD."""
    testers: tuple[str, ...] = ()
    """Who carried it out."""
    witnessed: tuple[str, ...] = ()
    """Who was present for a party or as a witness."""
    prepared: str = ""
    """Who prepared the report (编制)."""
    reviewed: str = ""
    """Who reviewed it (审核)."""
    approved: str = ""
    """Who approved it (批准)."""
    purpose: str = ""
    """Purpose of the test."""
    scope: str = ""
    """What it covers and what not."""
    basis: tuple[str, ...] = ()
    """Documents it rests on, beside the contract; only those really followed."""
    topology: str = ""
    """Machines and network."""
    data_set: str = ""
    """Data set: name, version, digest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracyTable:
    """One agreed criterion of accuracy."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    name: str
    """What is measured: a data set and its score, or the curve that is compared."""
    kind: Literal["score", "loss_curve"]
    """One value of each side, or two curves compared step by step."""
    before: str = ""
    """Score of BEFORE, typed; left out: read at `before_locator`."""
    after: str = ""
    """Score of AFTER, typed; left out: read at `after_locator`."""
    before_file: str = ""
    """File of BEFORE: a path relative to the target file, or an absolute one; a curve needs it."""
    after_file: str = ""
    """File of AFTER."""
    before_locator: str = ""
    """Where the score stands in the file; a JSON pointer (`/results/acc`) is followed."""
    after_locator: str = ""
    """Where the score of AFTER stands."""
    before_sha256: str = ""
    """Digest of the file of BEFORE; given, it is checked."""
    after_sha256: str = ""
    """Digest of the file of AFTER; given, it is checked."""
    before_segment: int | None = None
    """Which run of the file, from 0, where it holds several."""
    after_segment: int | None = None
    """Which run of the file of AFTER."""
    direction: Literal["at_least", "at_most"] = "at_least"
    """Of a score: AFTER at least BEFORE - tolerance (default), or at most BEFORE + tolerance."""
    tolerance: str = ""
    """Of a score: in its own unit, such as `0.5`."""
    relative_tolerance: str = ""
    """Of a score: as a share of BEFORE, such as `1%`; give one of the two."""
    series: str = ""
    """Of a curve: the key as the log spells it (`lm loss`); left out: the only loss in it."""
    first_step: int | None = None
    """Of a curve: the first step that counts."""
    last_step: int | None = None
    """Of a curve: the last step that counts."""
    relative_max: str = ""
    """Of a curve: largest relative deviation of any step, such as `2%`."""
    relative_mean: str = ""
    """Of a curve: largest mean of the relative deviations; give one of the two, or both."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentTable:
    """A file handed in beside the evidence: hashed and listed, never read for numbers."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    file: str
    """The file: a path relative to the target file, or an absolute one."""
    what: str
    """What it is, in words."""
    tool: str = ""
    """Tool that wrote it."""
    version: str = ""
    """Version of that tool."""
    sha256: str = ""
    """Digest of the file; given, it is checked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseTable:
    """One agreed case."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    id: str
    """Unique within the file."""
    clause: str = ""
    """Contract clause; its goals may name their own."""
    profiled: bool | None = None
    """True for the one case the captures were taken of; left out: true for a single case, else false."""
    baseline: Literal["none"] | tuple[BaselineTable, ...] = ()
    """Fixed values that AFTER is held against; `"none"`: no BEFORE was agreed; left out: BEFORE."""
    workload: WorkloadTable = WorkloadTable()
    """The job."""
    goal: tuple[GoalTable, ...] = ()
    """Goals, in order."""
    external: tuple[ExternalTable, ...] = ()
    """Values measured outside the profile, typed by hand."""
    log: tuple[LogTable, ...] = ()
    """Logs and result files of runs outside the profile; several of a side are repeats."""
    accuracy: tuple[AccuracyTable, ...] = ()
    """Agreed criteria of accuracy; one that is not met makes the verdict not met."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AxisTable:
    """One axis of a matrix of cases."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    name: str
    """What is varied; called as a key of the workload it fills that key in, else it is part of the load."""
    values: tuple[int | str, ...]
    """Its values, in order; they stand in the ids of the cases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellLimitTable:
    """A limit of one cell."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    goal: str
    """Id of a goal of the matrix."""
    limit: str
    """Its limit in this cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellTable:
    """What one cell of a matrix has for itself."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    at: tuple[int | str, ...]
    """One value of each axis, in the order of the axes."""
    clause: str = ""
    """Contract clause; left out: that of the matrix."""
    profiled: bool | None = None
    """True for the one case the captures were taken of."""
    baseline: Literal["none"] | tuple[BaselineTable, ...] = ()
    """As in a case."""
    limits: tuple[CellLimitTable, ...] = ()
    """Limits other than those of the matrix."""
    external: tuple[ExternalTable, ...] = ()
    """As in a case."""
    log: tuple[LogTable, ...] = ()
    """As in a case."""
    accuracy: tuple[AccuracyTable, ...] = ()
    """Criteria of accuracy of this cell alone, beside those of the matrix."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixTable:
    """Many cases that differ in a few quantities; every cell is a case."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    id: str
    """Unique among cases and matrices; the ids of its cases begin with it."""
    clause: str = ""
    """Contract clause; goals and cells may name their own."""
    baseline: Literal["none", ""] = ""
    """`"none"`: no BEFORE was agreed for any cell; left out: BEFORE, or what the cell says."""
    axis: tuple[AxisTable, ...] = ()
    """What is varied, one to four."""
    workload: WorkloadTable = WorkloadTable()
    """The job of every cell, without what the axes vary."""
    goal: tuple[GoalTable, ...] = ()
    """Goals of every cell, in order."""
    accuracy: tuple[AccuracyTable, ...] = ()
    """Criteria of accuracy of every cell."""
    cell: tuple[CellTable, ...] = ()
    """Files and limits of single cells; a cell left out is agreed all the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BetweenTable:
    """How much captures or runs of one unchanged build vary in one metric; it widens intervals and narrows none."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    metric: str
    """Metric id; the value is used for this metric alone."""
    part: str = ""
    """Part of the metric."""
    kind: str = ""
    """Kind of latency or throughput."""
    of: Literal["captures", "runs"] = "captures"
    """What was repeated: captures with a profiler, or runs that logs tell of."""
    relative_sd: str = ""
    """Relative standard deviation of single captures or runs: `"0.8%"`; left out: `--aa` has to show it."""
    count: int | None = None
    """From how many captures or runs it is; left out: not stated."""
    determined: str = ""
    """Where it was determined, in words; needed with `relative_sd`."""
    file: str = ""
    """The file it was taken from: a path relative to the target file, or an absolute one."""
    locator: str = ""
    """Where in that file."""
    sha256: str = ""
    """Digest of that file; given, it is checked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EquivalenceTable:
    """A band within which both parties call a metric unchanged."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    metric: str
    """Metric id, and not one that is counted."""
    part: str = ""
    """Part of the metric."""
    kind: str = ""
    """Kind of latency or throughput; of runs."""
    of: Literal["captures", "runs"] = "captures"
    """What it is of: the captures, or the runs that logs tell of."""
    band: str
    """Relative change that counts as none: `"2%"`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetFile:
    """What was agreed, before anything was measured."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    schema: Literal[1]
    """Version of this format."""
    decision_rule: Literal["simple", "guarded"]
    """How a value near its limit is judged; chosen by the parties, no default."""
    baseline: Literal["none", ""] = ""
    """`"none"`: no BEFORE was agreed, AFTER alone is judged; left out: BEFORE."""
    may_differ: tuple[str, ...] = ()
    """Setting keys that may differ, beside those of the change list."""
    parties: PartiesTable = PartiesTable()
    """Who agreed."""
    contract: ContractTable
    """The document the target rests on."""
    change: tuple[ChangeTable, ...] = ()
    """The signed change list."""
    declared: tuple[DeclaredTable, ...] = ()
    """What the parties vouch for."""
    between_captures: tuple[BetweenTable, ...] = ()
    """What is known of the spread between captures or runs of one build."""
    equivalence: tuple[EquivalenceTable, ...] = ()
    """Bands within which a metric counts as unchanged."""
    attachment: tuple[AttachmentTable, ...] = ()
    """Files handed in beside the evidence."""
    case: tuple[CaseTable, ...] = ()
    """Cases; at least one, or a matrix."""
    matrix: tuple[MatrixTable, ...] = ()
    """Many cases in one table each."""
    form: FormTable = FormTable()
    """What only the formal form of the report prints."""
    revision: tuple[RevisionTable, ...] = ()
    """The revision record of the formal form."""
    deviation: tuple[DeviationTable, ...] = ()
    """Deviations and open issues, for the formal form."""
