"""Doubts that the readers of logs and result files raise, each from a file that deserves it.

The lines are those that docs/logs.md quotes, with one thing changed; the expectation is what that section says of it.
"""

from __future__ import annotations

import json
from pathlib import Path

from log_lines import SERVER, VLLM, megatron
from run_logs import results

from judged.case import Give, Judged
from reportgen.run_logs import read_runs

ONE_INFERENCE = {
    "filesinfo": {},
    "args": ["/usr/bin/msit", "--om-model", "/home/me/resnet50_bs2.om", "--batchsize", "2"],
    "NPU_compute_time": {"min": 3.0, "max": 3.0, "mean": 3.0, "median": 3.0, "percentile(99%)": 3.0, "count": 1},
    "npu_compute_time_list": [3.0],
    "throughput": 666.6666666666666,
}  # fmt: skip
"""Batch 2, one inference of 3 ms: 1000 x 2 / 3 = 666.67 samples a second."""
STEP = (
    "2025-04-07 15:34:{n:02d},000 - [callback.py:529] - INFO - {{ Epoch:[  1/  2], step:[{n:5d}/   19], loss: 9.6, "
    "per_step_time: 1752ms, lr: 1e-05, overflow cond: False, loss_scale: 1.0, train_throughput_per_npu: 170.7T }}\n"
)
EPOCH = "Train epoch time: 55616.483 ms, per step time: 510.243 ms\n"
ARGUMENTS = "(APIServer pid=1) INFO 01-01 07:00:0{n} [utils.py:233] non-default args: {{'max_model_len': {length}}}\n"
FIRST, SECOND, THIRD = (megatron(n, stamp=f"10:00:0{3 * n}") for n in (1, 2, 3))


def text(content: str, name: str = "a.log") -> Give:
    """The runs of a file."""

    def give(root: Path) -> object:
        (root / name).write_text(content, encoding="utf-8")
        return read_runs(root / name)

    return give


def without_input_tokens(root: Path) -> object:
    """AISBench's published result with 0 input tokens."""
    common = {**results.AISBENCH, "Total Input Tokens": {"total": 0}}
    return read_runs(results.aisbench(root, common=common))


CHANGED = {"why": "the line that was changed; docs/logs.md says what becomes of it"}

CASES: tuple[Judged, ...] = (
    Judged(
        title="a line longer than 1 MiB",
        give=text(FIRST + SECOND + "x" * (2**20 + 1) + "\n" + THIRD),
        code="log_lines_too_long",
        args={"n": "1"},
        **CHANGED,
    ),
    Judged(
        title="a gradient norm that is no number",
        give=text(FIRST + SECOND.replace("grad norm: 3.210", "grad norm: 3.2.1") + THIRD),
        code="log_values_unreadable",
        args={"n": "1"},
        **CHANGED,
    ),
    Judged(
        title="a line whose time is no number",
        give=text(FIRST + SECOND.replace("(ms): 2345.6", "(ms): nan") + THIRD),
        code="log_figures_unreadable",
        args={"n": "1", "key": "elapsed time per iteration (ms)", "line": "2"},
        **CHANGED,
    ),
    Judged(
        title="a result with the acceptance rate of drafts",
        give=text(json.dumps({**json.loads(VLLM), "spec_decode_acceptance_rate": 71.5}), "r.json"),
        code="log_speculative",
        **CHANGED,
    ),
    Judged(
        title="a server that states another length later",
        give=text(ARGUMENTS.format(n=1, length=4096) + ARGUMENTS.format(n=2, length=8192) + SERVER),
        code="log_settings_changed",
        args={"keys": "argument.max_model_len"},
        **CHANGED,
    ),
    Judged(
        title="steps, and a line of the whole epoch behind them",
        give=text("".join(STEP.format(n=n) for n in (2, 4, 6)) + EPOCH),
        code="log_epoch_lines",
        args={"n": "1"},
        **CHANGED,
    ),
    Judged(
        title="a result without any input token", give=without_input_tokens, code="aisbench_no_input_tokens", **CHANGED
    ),
    Judged(
        title="one inference of an OM model",
        give=text(json.dumps(ONE_INFERENCE), "2026_summary.json"),
        code="om_one_inference",
        **CHANGED,
    ),
)
