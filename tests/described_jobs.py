"""Twelve described jobs, as pairs of generated captures and what their targets say of them.

Each is what a reader of ``applicability_expected.toml`` is told of it; the captures are of our own generator.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from captures.generator import Collective, ProfSpec, TorchSpec, write_prof_capture, write_torch_capture
from captures.msprof import TABLES, Export
from captures.plan import ASCEND_310B, ASCEND_910B
from jobs import ADD, MATMUL, RESHARD

GOAL = """
[[case.goal]]
id = "G"
metric = "kernel_count"
statistic = "count"
direction = "at_most"
subject = "after"
limit = "100000"
"""
HEAD = """
schema = 1
decision_rule = "simple"
[contract]
reference = "T"
[[case]]
id = "C"
clause = "1"
[case.workload]
"""


DECLARED = """
[[declared]]
key = "workload"
value = "the same model and batches"
signer = "W. Witness"
role = "witness"
date = "2026-11-02"
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One described job."""

    workload: dict[str, object]
    """Keys of the target's workload."""
    circumstances: dict[str, bool] = field(default_factory=dict)
    """What else is stated."""
    declared: bool = False
    """Whether the parties vouch for the workload."""
    torch: TorchSpec | None = None
    """The capture, of torch_npu."""
    prof: ProfSpec | None = None
    """The capture, of msprof."""


WAITING: Collective = replace(RESHARD, wait_permille=250, transit_permille=600)
"""Waits 250 and transfers 600 thousandths of its time: wait ratio 250 / 850 = 0.294, above 0.2."""
BASE = TorchSpec(
    ops=(MATMUL, ADD),
    collectives=(WAITING,),
    ranks=(0, 1),
    world_size=2,
    chip=ASCEND_910B,
    steps=5,
)
UNTRACED = (Export(tables=tuple(name for name in TABLES if name != "msprof")),)
"""An export without the trace, which holds the samples of the clock."""
PROF = ProfSpec(ops=(MATMUL,), repeats=20, chip=ASCEND_910B, exports=UNTRACED)
OM = ProfSpec(
    ops=(replace(MATMUL, shapes="1,640;640,640"), ADD),
    repeats=10,
    generation="310b-2024",
    chip=ASCEND_310B,
    exports=UNTRACED,
)
TRAINING = {"phase": "training", "checkpoint_steps": "none", "product": "Atlas A2"}
FSDP2 = {"framework": "MindSpeed LLM", "backend": "FSDP2", **TRAINING}
CHIP_950 = replace(ASCEND_910B, platform_version="15")
JOBS: dict[str, Job] = {
    "fsdp2-training": Job(workload=FSDP2, torch=BASE),
    "megatron-training": Job(workload={**FSDP2, "backend": "mcore"}, torch=BASE),
    "mindspore-training": Job(workload={"framework": "MindSpore", **TRAINING}, torch=BASE),
    "online-serving": Job(workload={"framework": "vLLM", "phase": "serving", "product": "Atlas A2"}, torch=BASE),
    "offline-om": Job(
        workload={"framework": "ACL", "phase": "offline inference", "product": "Atlas 200I/500 A2"},
        circumstances={"onnx_model": True},
        prof=OM,
    ),
    "operator-test": Job(workload={"framework": "PyTorch", "product": "Atlas A2"}, prof=PROF),
    "single-card": Job(
        workload={"framework": "PyTorch", **TRAINING}, torch=replace(BASE, ranks=(0,), world_size=1, collectives=())
    ),
    "multi-card": Job(workload={"framework": "PyTorch", "backend": "DDP", **TRAINING}, torch=BASE),
    "chip-950": Job(workload={**FSDP2, "product": "Ascend 950"}, torch=replace(BASE, chip=CHIP_950)),
    "level0": Job(workload=FSDP2, declared=True, torch=replace(BASE, level="Level0")),
    "no-metrics": Job(workload=FSDP2, torch=replace(BASE, aic_metrics="ACL_AICORE_NONE")),
    "unknown-framework": Job(workload={}, torch=BASE),
}
"""In the order of the letters of ``applicability_expected.toml``."""


def write_job(root: Path, job: Job) -> tuple[Path, Path, Path]:
    """Write the pair and the target of a job: (BEFORE, AFTER, target file)."""
    later = {"begin": "2026-11-02 16:40:07.735", "seed": 2}
    for side, changes in (("before", {}), ("after", later)):
        if job.torch is not None:
            moved = {"pid": job.torch.pid + 1000, "boot_ns": job.torch.boot_ns + 10**15} if changes else {}
            write_torch_capture(root / side, replace(job.torch, **changes, **moved))
        elif job.prof is not None:
            moved = {"pid": job.prof.pid + 1000, "boot_ns": job.prof.boot_ns + 10**15} if changes else {}
            write_prof_capture(root / side, replace(job.prof, **changes, **moved))
    target = root / "target.toml"
    target.write_text(_target(job), encoding="utf-8")
    return root / "before", root / "after", target


def _target(job: Job) -> str:
    words = {True: "true", False: "false"}
    lines = [f'{key} = "{value}"' for key, value in job.workload.items()]
    if job.circumstances:
        stated = ", ".join(f"{name} = {words[so]}" for name, so in job.circumstances.items())
        lines.append(f"circumstances = {{ {stated} }}")
    return HEAD + "\n".join(lines) + GOAL + (DECLARED if job.declared else "")


__all__ = ["JOBS", "Job", "write_job"]
