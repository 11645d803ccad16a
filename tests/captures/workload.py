"""The two sides of `examples/`: one training job before and after tuning.

A decoder layer with its head on two 910B cards under FSDP2, batch 8, sequence 4096, bf16. AFTER has fused
norms and a fused optimizer, fewer host gaps and prefetched collectives; its cube kernels run some percent longer,
because they now share the memory bandwidth with the collectives they hide.
"""

# ruff: noqa: TID252  (tests import this as captures, the command line as tests.captures)
from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from .expected import Expected
from .plan import Collective, Op, Pace
from .torch_spec import Allocation, Memory, TorchSpec
from .torch_text import write_torch_capture

MB = 2**20
US = 1_000
TOKENS, HIDDEN, FFN, QKV, VOCABULARY = 32_768, 4_096, 14_336, 6_144, 32_000
"""8 sequences of 4096 tokens; 32 heads and 8 key heads of 128."""
BF16 = "DT_BF16"
MM_AIC = (701, 93, 562, 618, 84, 2)
ELEMENTWISE = (164, 41, 702, 588, 3)


def matmul(kind: str, rows: int, inner: int, columns: int, mean_us: int) -> Op:
    """A dense product of bf16 matrices; `kind` is MatMulV2 or MatMulV3."""
    flavour = "MatMulCommon" if kind == "MatMulV2" else "MatMulV3Common"
    return Op(
        type=kind,
        name=f"aclnn{'Matmul' if kind == 'MatMulV2' else 'Mm'}_{flavour}_{kind}",
        core="AI_CORE",
        mean_ns=mean_us * US,
        shapes=f"{rows},{inner};{inner},{columns}",
        dtypes=f"{BF16};{BF16}",
        out_shapes=f"{rows},{columns}",
        out_dtypes=BF16,
        aic=MM_AIC,
    )


def vector(kind: str, api: str, mean_us: int, inputs: str, output: str, types: str = BF16, out_type: str = BF16) -> Op:
    """A vector kernel; `types` is repeated for every input when it names one."""
    count = len(inputs.split(";"))
    return Op(
        type=kind,
        name=f"aclnn{api}_{kind}AiCore_{kind}",
        core="AI_VECTOR_CORE",
        mean_ns=mean_us * US,
        shapes=inputs,
        dtypes=types if ";" in types else ";".join([types] * count),
        out_shapes=output,
        out_dtypes=out_type,
        aiv=ELEMENTWISE,
    )


X = "8,4096,4096"
"""Activations."""
ROW = "8,4096,1"
"""One value for each token."""
LOGITS = f"{TOKENS},{VOCABULARY}"

SMALL_NORM = (
    vector("Cast", "Cast", 640, X, X, BF16, "FLOAT"),
    vector("Square", "PowTensorScalar", 930, X, X, "FLOAT", "FLOAT"),
    vector("ReduceMean", "Mean", 560, f"{X};1", ROW, "FLOAT;INT64", "FLOAT"),
    vector("Rsqrt", "Rsqrt", 4, ROW, ROW, "FLOAT", "FLOAT"),
    vector("Mul", "Mul", 980, f"{X};{ROW}", X, "FLOAT", "FLOAT"),
    vector("Cast", "Cast", 650, X, X, "FLOAT", BF16),
    vector("Mul", "Mul", 690, f"{X};4096", X),
)
FUSED_NORM = (vector("RmsNorm", "RmsNorm", 610, f"{X};4096", X),)
SMALL_NORM_GRAD = (
    vector("Mul", "Mul", 690, f"{X};4096", X),
    vector("ReduceSum", "ReduceSum", 580, f"{X};2", "4096", "FLOAT;INT64", "FLOAT"),
)
FUSED_NORM_GRAD = (
    vector("RmsNormGrad", "RmsNormGrad", 1_060, f"{X};{X};{ROW};4096", X, f"{BF16};{BF16};FLOAT;{BF16}"),
)
ADD = vector("Add", "Add", 670, f"{X};{X}", X)
HEADS, KEYS = "8,32,4096,128", "8,8,4096,128"
ATTENTION = Op(
    type="FlashAttentionScore",
    name="aclnnFlashAttentionScore_FlashAttentionScore_FlashAttentionScore",
    core="MIX_AIC",
    mean_ns=7_900 * US,
    shapes=f"{HEADS};{KEYS};{KEYS};2048,2048",
    dtypes=f"{BF16};{BF16};{BF16};BOOL",
    out_shapes=f"8,32,4096,8;8,32,4096,8;{HEADS}",
    out_dtypes=f"FLOAT;FLOAT;{BF16}",
    aic=(508, 121, 344, 402, 96, 3),
    aiv=(463, 88, 331, 214, 5),
)
ATTENTION_GRAD = replace(
    ATTENTION,
    type="FlashAttentionScoreGrad",
    name="aclnnFlashAttentionScoreGrad_FlashAttentionScoreGrad_FlashAttentionScoreGrad",
    mean_ns=19_600 * US,
    shapes=f"{HEADS};{KEYS};{KEYS};{HEADS}",
    dtypes=f"{BF16};{BF16};{BF16};{BF16}",
    out_shapes=f"{HEADS};{KEYS};{KEYS}",
    out_dtypes=f"{BF16};{BF16};{BF16}",
)
ROTARY = vector("RotaryMul", "RotaryMul", 520, f"{HEADS};1,1,4096,128;1,1,4096,128", HEADS)
ROTARY_GRAD = vector("RotaryMulGrad", "RotaryMulGrad", 540, f"{HEADS};1,1,4096,128;1,1,4096,128", HEADS)
SMALL_OPTIMIZER = (
    vector("ForeachLerpScalar", "ForeachLerpScalar", 1_610, "218112000;218112000", "218112000", "FLOAT", "FLOAT"),
    vector(
        "ForeachAddcmulScalar",
        "ForeachAddcmulScalar",
        1_720,
        "218112000;218112000;218112000",
        "218112000",
        "FLOAT",
        "FLOAT",
    ),
    vector(
        "ForeachAddcdivScalar",
        "ForeachAddcdivScalar",
        1_740,
        "218112000;218112000;218112000",
        "218112000",
        "FLOAT",
        "FLOAT",
    ),
)
FUSED_OPTIMIZER = (
    vector(
        "ApplyAdamWV2", "ApplyAdamWV2", 2_950, "218112000;218112000;218112000;218112000", "218112000", "FLOAT", "FLOAT"
    ),
)


def step_ops(norm: tuple[Op, ...], norm_grad: tuple[Op, ...], optimizer: tuple[Op, ...]) -> tuple[Op, ...]:
    """Forward, loss, backward and optimizer of one step, in order."""
    up = matmul("MatMulV3", TOKENS, HIDDEN, 2 * FFN, 29_000)
    head = matmul("MatMulV2", TOKENS, HIDDEN, VOCABULARY, 32_400)
    forward = (
        vector("GatherV2", "Embedding", 430, "32000,4096;8,4096;1", X, f"{BF16};INT64;INT64"),
        *norm,
        matmul("MatMulV3", TOKENS, HIDDEN, QKV, 6_200),
        ROTARY,
        ATTENTION,
        matmul("MatMulV2", TOKENS, HIDDEN, HIDDEN, 4_150),
        ADD,
        *norm,
        up,
        vector("SwiGlu", "SwiGlu", 2_310, "8,4096,28672", "8,4096,14336"),
        matmul("MatMulV2", TOKENS, FFN, HIDDEN, 14_500),
        ADD,
        head,
    )
    loss = (
        vector("Cast", "Cast", 5_050, LOGITS, LOGITS, BF16, "FLOAT"),
        vector("LogSoftmaxV2", "LogSoftmax", 6_900, LOGITS, LOGITS, "FLOAT", "FLOAT"),
        vector("NLLLoss", "NLLLoss", 28, f"{LOGITS};32768;32000", "1;1", "FLOAT;INT64;FLOAT", "FLOAT;FLOAT"),
        vector("LogSoftmaxGrad", "LogSoftmaxBackward", 7_050, f"{LOGITS};{LOGITS}", LOGITS, "FLOAT", "FLOAT"),
        vector("Cast", "Cast", 5_080, LOGITS, LOGITS, "FLOAT", BF16),
    )
    backward = (
        matmul("MatMulV2", TOKENS, VOCABULARY, HIDDEN, 32_600),
        matmul("MatMulV2", VOCABULARY, TOKENS, HIDDEN, 32_700),
        matmul("MatMulV2", TOKENS, HIDDEN, FFN, 14_700),
        matmul("MatMulV2", HIDDEN, TOKENS, FFN, 14_750),
        vector("SwiGluGrad", "SwiGluBackward", 4_120, "8,4096,14336;8,4096,28672", "8,4096,28672"),
        matmul("MatMulV3", TOKENS, 2 * FFN, HIDDEN, 29_400),
        matmul("MatMulV3", 2 * FFN, TOKENS, HIDDEN, 29_450),
        *norm_grad,
        ADD,
        matmul("MatMulV2", HIDDEN, TOKENS, HIDDEN, 4_200),
        ATTENTION_GRAD,
        ROTARY_GRAD,
        matmul("MatMulV3", TOKENS, QKV, HIDDEN, 6_300),
        matmul("MatMulV3", QKV, TOKENS, HIDDEN, 6_320),
        *norm_grad,
    )
    return (*forward, *loss, *backward, *optimizer)


def contended(ops: tuple[Op, ...], cube_permille: int, vector_permille: int) -> tuple[Op, ...]:
    """The same kernels while collectives take bandwidth: longer, more mte2, less mac."""

    def slowed(op: Op) -> Op:
        if op.core == "AI_VECTOR_CORE":
            return replace(op, mean_ns=op.mean_ns * vector_permille // 1000)
        mac, scalar, mte1, mte2, fixpipe, icache = op.aic
        aic = (mac * 1000 // cube_permille, scalar, mte1, mte2 + 24, fixpipe, icache)
        return replace(op, mean_ns=op.mean_ns * cube_permille // 1000, aic=aic)

    return tuple(slowed(op) for op in ops)


def collectives(hidden_permille: int, wait_permille: int) -> tuple[Collective, ...]:
    """Parameters gathered for the layer, the head and the backward pass; gradients scattered twice.

    The transit takes the time given; waiting for the other rank comes on top.
    """
    gather, scatter = "hcom_allGather_", "hcom_reduceScatter_"

    def collective(kind: str, transit_us: int, at: int, size_mb: int) -> Collective:
        idle_permille = 60
        transit_permille = 1000 - wait_permille - idle_permille
        return Collective(
            type=kind,
            mean_ns=transit_us * US * 1000 // transit_permille,
            at_permille=at,
            hidden_permille=hidden_permille,
            size_bytes=size_mb * MB,
            wait_permille=wait_permille,
            transit_permille=transit_permille,
        )

    return (
        collective(gather, 33_500, 30, 416),
        collective(gather, 21_000, 300, 250),
        collective(gather, 33_900, 560, 416),
        collective(scatter, 23_800, 660, 250),
        collective(scatter, 37_600, 790, 416),
    )


def memory(cached_mb: int, app_mb: int) -> Memory:
    """About 48 GB of 64: weights and states throughout, activations and logits during a step."""
    return Memory(
        resident_bytes=21_480 * MB,
        allocations=(
            Allocation(name="aten::mm", size_bytes=14_336 * MB + 512 * 3, from_permille=60, to_permille=930),
            Allocation(name="aten::_log_softmax", size_bytes=8_000 * MB, from_permille=330, to_permille=520),
            Allocation(name="c10d::_allgather_base_", size_bytes=cached_mb * MB, from_permille=120, to_permille=860),
        ),
        reserved_bytes=(21_480 + 14_336 + 8_000 + cached_mb + 1_540) * MB,
        ge_bytes=3 * MB // 2,
        workspace_bytes=96 * MB,
        app_bytes=((app_mb - 2_048) * MB, app_mb * MB),
    )


SCHEDULE = {"wait": 1, "active": 10, "warmup": 1, "repeat": 1, "skip_first": 10}

BEFORE = TorchSpec(
    ops=step_ops(SMALL_NORM, SMALL_NORM_GRAD, SMALL_OPTIMIZER),
    collectives=collectives(hidden_permille=180, wait_permille=90),
    schedule=SCHEDULE,
    pace=Pace(gap_ns=1_300 * US, step_gap_ns=2_900 * US, step_noise_ppm=6_000, rank_permille=(1000, 1003)),
    seed=20261027,
    ranks=(0, 1),
    world_size=2,
    begin="2026-10-20 10:12:31.482",
    pid=410_233,
    preparing_ns=2_140 * US,
    memory=memory(cached_mb=1_664, app_mb=52_310),
    env={"PYTORCH_NPU_ALLOC_CONF": ""},
)
AFTER = replace(
    BEFORE,
    ops=contended(step_ops(FUSED_NORM, FUSED_NORM_GRAD, FUSED_OPTIMIZER), 1_085, 1_020),
    collectives=collectives(hidden_permille=400, wait_permille=70),
    pace=replace(BEFORE.pace, gap_ns=350 * US, step_gap_ns=700 * US),
    seed=20261105,
    begin="2026-11-02 16:40:07.915",
    pid=1_286_541,
    boot_ns=2_061_117_204_883_470,
    memory=memory(cached_mb=2_496, app_mb=53_028),
    env={"PYTORCH_NPU_ALLOC_CONF": "expandable_segments:True"},
)


def write_examples(root: Path) -> dict[str, tuple[Expected, ...]]:
    """Write `before/` and `after/` anew under `root`; README.md, note.md and target.toml stay as they are.

    Returns:
        The right values by side, one for each rank.
    """
    found = {}
    for side, spec in (("before", BEFORE), ("after", AFTER)):
        if (root / side).exists():
            shutil.rmtree(root / side)
        found[side] = write_torch_capture(root / side, spec)
    return found
