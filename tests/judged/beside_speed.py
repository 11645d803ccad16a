"""Accuracy, signs of another precision and profiler inflation: why each says what it says.

Expected values are those the case itself writes; docs/gates.md says what becomes of them.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from captures.generator import Op
from jobs import AFTER as JOB_AFTER
from jobs import MATMUL, TORCH, write_pair
from log_lines import fsdp2, megatron

from judged.case import Give, Judged
from judged.goals import FILE, MS, STEADY, difference, run
from judged.logs import text
from reportgen.accuracy import LARGEST, judge_accuracy
from reportgen.contract import read_target
from reportgen.inflation import find_inflation
from reportgen.model import (
    Case,
    Change,
    Comparability,
    Contract,
    Held,
    LoggedRun,
    PairStanding,
    Parties,
    Side,
    Standing,
    Stated,
    Target,
    Workload,
)
from reportgen.precision import precision_signs
from reportgen.reading import read_capture
from reportgen.run_logs.curves import read_curve
from reportgen.run_logs.training_records import NOT_REAL

CASE = Case(id="C1", clause="1", profiled=True, workload=Workload(checkpoint_steps=()), goals=(), external=())
TARGET = Target(file=FILE, parties=Parties(), contract=Contract(reference="T"), decision_rule="simple", cases=(CASE,))
ALIKE = Comparability(standing=PairStanding.COMPARABLE, differences=(), workload=None)
SCORE = """
schema = 1
decision_rule = "simple"
[contract]
reference = "T"
[[case]]
id = "C"
clause = "1"
[[case.goal]]
id = "G"
metric = "kernel_count"
statistic = "count"
direction = "at_most"
subject = "after"
limit = "1"
[[case.accuracy]]
name = "MMLU"
"""
TWO_SCORES = """
kind = "score"
tolerance = "0.5"
before_file = "b.json"
after_file = "a.json"
before_locator = "/acc"
after_locator = "/acc"
"""
TWO_CURVES = """
kind = "loss_curve"
relative_max = "1%"
first_step = 1
last_step = 2
before_file = "b.log"
after_file = "a.log"
"""


def criterion(more: str, **files: str) -> Give:
    """One agreed criterion, judged; ``b_json`` is b.json."""

    def give(root: Path) -> object:
        for name, content in files.items():
            (root / name.replace("_", ".")).write_text(content, encoding="utf-8")
        (root / "target.toml").write_text(SCORE + more, encoding="utf-8")
        return judge_accuracy(read_target(root / "target.toml"))

    return give


def curve(content: str, series: str) -> Give:
    """A curve of a file."""

    def give(root: Path) -> object:
        (root / "train.log").write_text(content, encoding="utf-8")
        return read_curve(root / "train.log", series, None)

    return give


# --------------------------------------------------------------------------------------------- precision
def captured(*ops: Op) -> Give:
    """Signs of a pair whose AFTER runs these kernels."""

    def give(root: Path) -> object:
        write_pair(root, TORCH, replace(JOB_AFTER, ops=ops))
        sides = [(read_capture(root / side.value, side),) for side in Side]
        return precision_signs(TARGET, (sides[0], sides[1]), (), ALIKE)

    return give


def signs(*, target: Target = TARGET, runs: tuple[LoggedRun, ...] = (), found: Comparability = ALIKE) -> Give:
    """Signs without any capture."""
    return lambda _root: precision_signs(target, ((), ()), runs, found)


def stating(side: Side, key: str, written: str, **more: Any) -> LoggedRun:
    """A run whose log states one thing."""
    return run(side, (MS,) * 3, name=side.value, context=(Stated(key=key, written=written, locator="line 1"),), **more)


ADD = JOB_AFTER.ops[1]
FP16 = replace(MATMUL, dtypes="DT_FLOAT16;DT_FLOAT16")
W8 = replace(MATMUL, dtypes="DT_BF16;DT_INT8")
QUANT = replace(ADD, type="DynamicQuant", name="aclnnDynamicQuant_{n}", calls=1)
DTYPE = replace(
    difference("argument.params_dtype"), before=Held(value="bf16"), after=Held(value="fp16"), standing=Standing.ALLOWED
)

ACCURACY = (
    Judged(
        title="a pointer into a file that is no JSON, and no typed value",
        give=criterion(TWO_SCORES, b_json="acc: 71.2", a_json='{"acc": 71.0}'),
        code="accuracy_not_read",
        args={"side": "before", "file": "b.json", "place": "/acc"},
        why="only b.json is no JSON",
    ),
    Judged(
        title="a result file of 16 MiB and one byte",
        give=criterion(TWO_SCORES, b_json='{"acc": 71.2}' + " " * (LARGEST + 1 - 13), a_json='{"acc": 71.0}'),
        code="accuracy_too_large",
        args={"file": "b.json", "limit": "16777216"},
        why='16 x 1024 x 1024 bytes are the most; {"acc": 71.2} has 13',
    ),
    Judged(
        title="both values at one place of one file",
        give=criterion(TWO_SCORES, b_json='{"acc": 71.2}', a_json='{"acc": 71.2}'),
        code="accuracy_same_place",
        args={"file": "b.json", "place": "/acc"},
        why="a.json is a copy of b.json",
    ),
    Judged(
        title="percentages and a plain tolerance",
        give=criterion(TWO_SCORES, b_json='{"acc": "71.2%"}', a_json='{"acc": "40.0%"}'),
        code="accuracy_percent",
        args={"before": "71.2%", "after": "40.0%", "tolerance": "0.5"},
        why="0.5 is half of the scale of a share, and half a point of one of percentages",
    ),
    Judged(
        title="0.712 in BEFORE and 71.0 in AFTER",
        give=criterion(TWO_SCORES, b_json='{"acc": 0.712}', a_json='{"acc": 71.0}'),
        code="accuracy_scale",
        args={"factor": "10"},
        why="71.0 / 0.712 = 99.7",
    ),
    Judged(
        title="another loss in AFTER, and no series agreed",
        give=criterion(TWO_CURVES, b_log="step,lm loss\n1,2\n2,1\n", a_log="step,z loss\n1,2\n2,1\n"),
        code="accuracy_series",
        args={"before": "lm loss", "after": "z loss"},
        why="the columns as they are called",
    ),
    Judged(
        title="a log that says its loss is not reliable",
        give=criterion(
            TWO_CURVES,
            b_log=f"{NOT_REAL}, current loss is not reliable, only for test\n{megatron(1)}{megatron(2)}",
            a_log=megatron(1) + megatron(2, stamp="10:00:09"),
        ),
        code="accuracy_curve_unfit",
        args={"file": "b.log"},
        why="docs/logs.md: such a line is of no real workload, and b.log alone has it",
    ),
    Judged(
        title="a log without the series that is asked for",
        give=curve(fsdp2(1) + fsdp2(2), "aux loss"),
        code="curve_missing",
        args={"file": "train.log", "series": "aux loss"},
        why="its keys are lm loss and mtp loss",
    ),
    Judged(
        title="a loss that is nan at step 2",
        give=text(megatron(1) + megatron(2).replace("9.876543E+00", "nan") + megatron(3)),
        code="log_not_finite",
        args={"key": "lm loss", "n": "1", "iterations": "2"},
        why="the line that was changed",
    ),
)
PRECISION = (
    Judged(
        title="the cube works on bf16 in BEFORE and on fp16 in AFTER",
        give=captured(FP16, ADD),
        code="precision_dtype",
        args={"before": "bf16", "after": "fp16"},
        why="MatMulV2 is the only cube kernel of the job: DT_BF16, and DT_FLOAT16 in AFTER",
    ),
    Judged(
        title="weights of int8 in AFTER",
        give=captured(W8, ADD),
        code="precision_low_dtype",
        args={"names": "int8", "n": "1"},
        why="the second input of MatMulV2",
    ),
    Judged(
        title="no data type is recorded in AFTER",
        give=captured(replace(MATMUL, dtypes="N/A"), ADD),
        code="precision_dtype_one_side",
        args={"side": "after", "dtype": "bf16"},
        why="what one side shows and the other does not is a sign",
    ),
    Judged(
        title="a kernel of AFTER alone that quantises",
        give=captured(MATMUL, ADD, QUANT),
        code="precision_quant_kernels",
        args={"names": "DynamicQuant", "n": "1"},
        why="the kernel that was added",
    ),
    Judged(
        title="an argument params_dtype that differs",
        give=signs(found=replace(ALIKE, differences=(DTYPE,))),
        code="precision_setting",
        args={"key": "argument.params_dtype", "before": "bf16", "after": "fp16"},
        why="its name ends in dtype; on the change list it is still another precision",
    ),
    Judged(
        title="logs of both sides state another quantization",
        give=signs(runs=(stating(Side.BEFORE, "quantization", "None"), stating(Side.AFTER, "quantization", "ascend"))),
        code="precision_log",
        args={"key": "quantization", "before": "none", "after": "ascend"},
        why="as the runs state it, in small letters",
    ),
    Judged(
        title="names of models, one of which says W8A8",
        give=signs(runs=(stating(Side.BEFORE, "model", "Qwen3-32B"), stating(Side.AFTER, "model", "Qwen3-32B-W8A8"))),
        code="precision_log",
        args={"key": "model", "before": "qwen3-32b", "after": "qwen3-32b-w8a8"},
        why="w8a8 is one of the words",
    ),
    Judged(
        title="a log of AFTER alone says that its weights are quantised",
        give=signs(runs=(stating(Side.AFTER, "quantization", "ascend"),)),
        code="precision_log",
        args={"key": "quantization", "before": "?", "after": "ascend"},
        why="no log of BEFORE says the same",
    ),
    Judged(
        title="the change list says W8A8",
        give=signs(target=replace(TARGET, changes=(Change(what="W8A8 weights"),))),
        code="precision_change_list",
        args={"what": "W8A8 weights"},
        why="w8a8 is one of the words",
    ),
)
INFLATION = (
    Judged(
        title="unprofiled steps, and no capture with a step time",
        give=lambda _root: find_inflation(CASE, (), (run(Side.BEFORE, (200 * MS,) * 3),), ()),
        code="inflation_no_profiled",
        why="no row of step_time, and no run is said to be profiled",
    ),
    Judged(
        title="a capture, and no log",
        give=lambda _root: find_inflation(CASE, (STEADY,), (), ()),
        code="inflation_not_known",
        why="profiled minus unprofiled needs both",
    ),
)
CASES: tuple[Judged, ...] = (*ACCURACY, *PRECISION, *INFLATION)
