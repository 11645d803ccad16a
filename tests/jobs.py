"""Small jobs for tests: a training pair that another part of the capture witnesses, and a PROF directory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from captures.generator import Collective, Expected, Op, Pace, ProfSpec, TorchSpec, write_torch_capture

MATMUL = Op(
    type="MatMulV2",
    name="aclnnMatmul_{n}",
    core="AI_CORE",
    mean_ns=240_000,
    calls=4,
    shapes="8,4096;4096,4096",
    dtypes="DT_BF16;DT_BF16",
)
ADD = Op(
    type="Add",
    name="aclnnAdd_{n}",
    core="AI_VECTOR_CORE",
    mean_ns=31_000,
    calls=6,
    shapes="8,4096;8,4096",
    dtypes="DT_BF16;DT_BF16",
)
RESHARD = Collective(type="hcom_allGather_", mean_ns=220_000, at_permille=300, hidden_permille=500)
TORCH = TorchSpec(ops=(MATMUL, ADD), collectives=(RESHARD,))
PROF = ProfSpec(ops=(MATMUL, ADD), repeats=20)
AFTER = replace(
    TORCH,
    ops=(replace(MATMUL, mean_ns=200_000), ADD),
    begin="2026-11-02 16:40:07.735",
    pid=TORCH.pid + 1000,
    boot_ns=TORCH.boot_ns + 10**15,
    seed=2,
)
"""The same job later: MatMulV2 became faster, nothing else was changed."""


def write_pair(root: Path, before: TorchSpec = TORCH, after: TorchSpec = AFTER) -> tuple[Path, Path]:
    """Write both sides of a pair; returns their parents (one directory a rank below)."""
    for name, spec in (("before", before), ("after", after)):
        write_torch_capture(root / name, spec)
    return root / "before", root / "after"


def only(found: tuple[Expected, ...]) -> Expected:
    """The one rank of a capture."""
    (one,) = found
    return one


__all__ = ["ADD", "AFTER", "MATMUL", "PROF", "RESHARD", "TORCH", "Pace", "only", "write_pair"]
