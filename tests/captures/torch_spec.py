"""What can be chosen of a torch_npu text capture, and one rank of it under way."""

# ruff: noqa: TID252  (tests import this as captures, the command line as tests.captures)
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from .plan import ASCEND_910B, Chip, Collective, Op, Pace, Row

MB = 2**20
LEAD_NS = 250_000_000
"""From the start of the collection to the first host step."""
TAIL_NS = 60_000_000
"""From the last kernel to the end of the collection."""
ENVIRONMENT = (
    "ASCEND_GLOBAL_LOG_LEVEL",
    "HCCL_RDMA_TC",
    "HCCL_RDMA_SL",
    "ACLNN_CACHE_LIMIT",
    "HOST_CACHE_CAPACITY",
    "ASCEND_ENHANCE_ENABLE",
    "PYTORCH_NPU_ALLOC_CONF",
    "ASCEND_LAUNCH_BLOCKING",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Allocation:
    """One tensor that lives during a part of each step."""

    name: str
    """Framework operator that asked for it."""
    size_bytes: int
    """A multiple of 512."""
    from_permille: int
    """Allocation, within the step's envelope."""
    to_permille: int
    """Release."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What the memory tables show. All sizes are multiples of 512 bytes."""

    resident_bytes: int = 20_000 * MB
    """Weights, gradients, optimizer: allocated by PTA throughout."""
    allocations: tuple[Allocation, ...] = (
        Allocation(name="aten::empty", size_bytes=1_536 * MB, from_permille=50, to_permille=900),
        Allocation(name="aten::mm", size_bytes=512 * MB, from_permille=300, to_permille=700),
    )
    """Each step."""
    reserved_bytes: int = 24_576 * MB
    """PTA reserved."""
    ge_bytes: int = 3 * MB // 2
    """GE allocation at the start; its reserved is 8 MB."""
    workspace_bytes: int = 0
    """WORKSPACE allocated and reserved; 0 = no such rows."""
    app_bytes: tuple[int, int] = (27_000 * MB, 28_672 * MB)
    """APP reserved at the start and from the third sample on."""
    app_period_ns: int = 20_000_000
    """50 Hz."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TorchSpec:
    """Everything that can be chosen of a torch_npu text capture. The default is a small one-rank training run."""

    ops: tuple[Op, ...]
    """Kernels of a step, in order of their calls."""
    collectives: tuple[Collective, ...] = ()
    """Collectives of a step."""
    steps: int = 10
    """Steps recorded (schedule.active when left alone)."""
    first_step: int | None = None
    """Id of the first step; None = skip_first + wait + warmup."""
    markers: bool = True
    """False: no steps at all: no Step Id column, schedule null."""
    before_rows: int = 0
    """Kernels ahead of the first step (empty Step Id)."""
    after_rows: int = 0
    """Kernels behind the last step (empty Step Id)."""
    preparing_ns: int = 1_800_000
    """From the host's start of a step to its first kernel or collective."""
    pace: Pace = field(default_factory=Pace)
    """Gaps, noise, slow first step, slow ranks."""
    seed: int = 1
    """Everything random follows from it."""
    ranks: tuple[int | None, ...] = (0,)
    """Rank ids; None = no rank known (profiler_info.json without a number)."""
    begin: str = "2026-10-20 10:12:31.482"
    """Local time at which the collection started."""
    offset_hours: int = 8
    """Local time minus UTC."""
    host: str = "npu-train-03"
    """Host name."""
    pid: int = 410_233
    """Process of the first rank; the others follow."""
    boot_ns: int = 912_345_678_901_230
    """Monotonic clock at the start."""
    chip: Chip = ASCEND_910B
    """Device."""
    level: Literal["Level0", "Level1"] = "Level1"
    """Profiler level."""
    aic_metrics: str | None = None
    """None = ACL_AICORE_NONE at Level0, else ACL_AICORE_PIPE_UTILIZATION."""
    schedule: Mapping[str, int] = field(default_factory=dict)
    """Overrides of wait 0, active = steps, warmup 0, repeat 1, skip_first 10."""
    common: Mapping[str, object] = field(default_factory=dict)
    """Overrides of and additions to common_config (with_stack, record_shapes ...)."""
    experimental: Mapping[str, object] = field(default_factory=dict)
    """Overrides of and additions to experimental_config."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """torch_npu_version, cann_version: written only when given."""
    env: Mapping[str, str] = field(default_factory=dict)
    """Environment variables; names beyond the eight are added."""
    world_size: int | None = None
    """Ranks that took part: writes parallel_group_info; None = not written."""
    distributed_args: Mapping[str, object] | None = None
    """distributed_args of profiler_metadata.json; None = not written."""
    memory: Memory | None = field(default_factory=Memory)
    """None = profile_memory false and no memory tables."""
    trace: Literal["small", "full", "none"] = "small"
    """trace_view.json: step markers, lanes' names and clock; or also every kernel and the Overlap Analysis lanes."""
    inner: bool = True
    """The PROF directory with its settings."""
    sample: Mapping[str, object] = field(default_factory=dict)
    """Overrides of sample.json."""
    info: Mapping[str, object] = field(default_factory=dict)
    """Overrides of info.json."""
    device_info: Mapping[str, object] = field(default_factory=dict)
    """Overrides of DeviceInfo[0]."""
    communication_core: str = "HCCL"
    """Accelerator Core of a collective; newer exporters say COMMUNICATION."""
    block_word: str = "Dim"
    """"Block Dim" or, since 2026, "Block Num"."""
    communication_statistic: bool = False
    """communication_statistic.csv beside the other tables (Level1). torch_npu does not copy it out of its PROF
    directory."""
    device_column: bool = False
    """Device_id columns, as since June 2025."""

    @property
    def pmu(self) -> bool:
        """Whether kernel_details has PMU columns."""
        return self.level != "Level0" and self.metrics == "ACL_AICORE_PIPE_UTILIZATION"

    @property
    def metrics(self) -> str:
        """_aic_metrics as recorded."""
        return self.aic_metrics or ("ACL_AICORE_NONE" if self.level == "Level0" else "ACL_AICORE_PIPE_UTILIZATION")

    @property
    def plan(self) -> dict[str, int]:
        """The schedule as recorded."""
        return {"wait": 0, "active": self.steps, "warmup": 0, "repeat": 1, "skip_first": 10} | dict(self.schedule)

    @property
    def step_ids(self) -> list[int]:
        """Ids of the steps."""
        plan = self.plan
        first = plan["skip_first"] + plan["wait"] + plan["warmup"] if self.first_step is None else self.first_step
        return list(range(first, first + self.steps))


@dataclass(frozen=True, slots=True)
class Run:
    """One rank under way: what ran, where it is written, when the host stepped."""

    spec: TorchSpec
    rank: int | None
    index: int
    begin_ns: int
    end_ns: int
    rows: tuple[Row, ...]
    group: int
    root: Path
    host_steps: tuple[tuple[int, int, int], ...]
    """Step id, host start, host end."""

    @property
    def device(self) -> int:
        return self.index

    @property
    def pid(self) -> int:
        return self.spec.pid + 97 * self.index

    @property
    def offset_s(self) -> int:
        return self.spec.offset_hours * 3600

    @property
    def output(self) -> Path:
        return self.root / "ASCEND_PROFILER_OUTPUT"

    @property
    def label(self) -> str:
        return f"NPU:{self.device}"
