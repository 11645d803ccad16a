"""One small job whose report holds every part at once: repeats of nothing, and one of all the rest.

Two ranks, a changed data type, logs of a training and of a service, a matrix, scores and a curve of accuracy, a fixed
value, typed values, a known spread, an agreed band, own thresholds, attachments, a change list, declarations and the
keys of the formal form. Made once for all tests of a session.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path

from jobs import ADD, AFTER, MATMUL, TORCH, Pace, write_pair
from run_files import megatron, served, server

from reportgen.contract import read_target
from reportgen.model import Evaluation
from reportgen.pipeline import build_report, evaluate, read_note
from reportgen.report import html
from reportgen.report.document import Report
from reportgen.report.formal import FormName

TARGET = """
schema = 1
decision_rule = "simple"
may_differ = ["run.warm_up", "quantization"]
[contract]
reference = "HT-1"
[[change]]
what = "int8 for one product of matrices"
keys = ["quantization"]
[[change]]
what = "another release of the server"
[[declared]]
key = "chip_neighbours"
value = "idle"
signer = "S"
role = "R"
date = 2026-01-01
[[between_captures]]
metric = "step_time"
relative_sd = "0.8%"
determined = "five captures of the build before"
file = "spread.csv"
locator = "column relative_sd"
[[equivalence]]
metric = "computing"
band = "2%"
[[attachment]]
file = "npu.txt"
what = "npu-smi"
[form]
version = "V1.0"
place = "room 3"
started = 2026-01-01
ended = 2026-01-02
prepared = "Z"
[[revision]]
version = "V1.0"
date = 2026-01-02
what = "first issue"
by = "Z"
[[deviation]]
no = "D-1"
what = "one capture a side"
effect = "no interval between captures"
remedy = "two more captures"
retest = "2026-02-01"
[[case]]
id = "training"
clause = "1"
profiled = true
[case.workload]
framework = "MindSpeed LLM"
backend = "FSDP2"
phase = "training"
checkpoint_steps = "none"
[[case.goal]]
id = "step"
metric = "step_time"
statistic = "median"
direction = "at_most"
subject = "ratio"
limit = "95%"
[[case.goal]]
id = "kernels"
metric = "kernel_count_per_step"
statistic = "count"
direction = "at_most"
subject = "after"
limit = "40"
[[case.goal]]
id = "computing"
metric = "computing"
statistic = "median"
direction = "at_most"
subject = "ratio"
limit = "95%"
[[case.goal]]
id = "communication"
metric = "communication"
statistic = "median"
direction = "at_most"
subject = "ratio"
limit = "95%"
[[case.baseline]]
metric = "communication"
statistic = "median"
value = "4.25 ms"
source = "annex 2"
file = "annex.txt"
locator = "line 1"
[[case.log]]
side = "before"
file = "b.log"
profiled = false
[[case.log]]
side = "after"
file = "a.log"
profiled = false
[[case.accuracy]]
name = "MMLU"
kind = "score"
before = "71.2"
after = "71.0"
tolerance = "0.5"
before_file = "b.txt"
before_locator = "line 1"
after_file = "a.txt"
after_locator = "line 1"
[[case.accuracy]]
name = "loss"
kind = "loss_curve"
before_file = "b.csv"
after_file = "a.csv"
first_step = 1
last_step = 4
relative_max = "2%"
relative_mean = "1%"
[[case]]
id = "service"
clause = "2"
[[case.goal]]
id = "rate"
metric = "throughput"
kind = "output_tokens_per_s"
statistic = "mean"
direction = "at_least"
subject = "ratio"
limit = "110%"
[[case.log]]
side = "before"
file = "b.json"
profiled = false
[[case.log]]
side = "after"
file = "a.json"
profiled = false
[[case.log]]
side = "before"
file = "b.server"
[[case.log]]
side = "after"
file = "a.server"
[[matrix]]
id = "lengths"
clause = "3"
axis = [{ name = "length", values = ["256k", "512k", "1M"] }]
[[matrix.goal]]
id = "tpot"
metric = "latency"
kind = "tpot"
statistic = "mean"
direction = "at_most"
subject = "ratio"
limit = "100%"
"""
CELLS = (("256k", "171", "55.6"), ("512k", "165", "191"))
"""TPOT in ms of two cells; the third has none."""
OWN = """schema = 1
[agreed]
on = "2026-01-01"
by = "Team A"
[[threshold]]
id = "own-free"
title = "Own limit"
metric = "free_share"
direction = "at_most"
limit = "5%"
scope = "Ours."
"""
INT8 = replace(MATMUL, dtypes="INT8;INT8", mean_ns=100_000, calls=2)
"""Half of the products in another data type."""


def _cell(at: str, before: str, after: str) -> str:
    text = f'[[matrix.cell]]\nat = ["{at}"]\n'
    for side, value in (("before", before), ("after", after)):
        text += (
            f'[[matrix.cell.external]]\nside = "{side}"\nmetric = "latency"\nkind = "tpot"\nstatistic = "mean"\n'
            f'value = "{value} ms"\nconditions = "c"\nfile = "typed.txt"\nlocator = "line 1"\n'
        )
    return text


def write(root: Path) -> tuple[tuple[Path, Path], Path]:
    """Write both captures and the target with all that it names; returns the sides and the target."""
    two = {"ranks": (0, 1), "world_size": 2, "pace": Pace(rank_permille=(1000, 1100)), "steps": 6}
    ops = (replace(MATMUL, calls=2, mean_ns=200_000), INT8, ADD)
    sides = write_pair(root / "pair", replace(TORCH, **two), replace(AFTER, **{**two, "ops": ops}))  # type: ignore[arg-type]
    times = {"b": tuple(f"{500 + n % 5}.0" for n in range(12)), "a": tuple(f"{400 + n % 5}.0" for n in range(12))}
    for side, seconds, tail in (("b", "50", 900.0), ("a", "40", 990.0)):
        (root / f"{side}.log").write_text(megatron(times[side], arguments={}))
        (root / f"{side}.json").write_text(served(seconds, mean_ttft_ms=300.0, p99_ttft_ms=tail))
        (root / f"{side}.txt").write_text("a score\n" + side)
        (root / f"{side}.csv").write_text(
            "step,loss\n" + "".join(f"{n},{2 - n / 10 + (side == 'a') / 100}\n" for n in range(1, 5))
        )
    (root / "b.server").write_text(server((6.25, 16), (0.0, 15)))
    (root / "a.server").write_text(server((0.0, 16), (12.5, 14), (0.0, 16)))
    for name in ("typed.txt", "annex.txt", "spread.csv", "npu.txt"):
        (root / name).write_text(f"| npu-smi 25.2.3  Version: 25.2.3 |\nas published, {name}\n")
    (root / "own.toml").write_text(OWN)
    (root / "note.md").write_text("The contractor's words.\n")
    (root / "target.toml").write_text(TARGET + "".join(_cell(*one) for one in CELLS))
    return sides, root / "target.toml"


@cache
def evaluated() -> Evaluation:
    """The evaluation of that job."""
    root = Path(tempfile.mkdtemp())
    sides, target = write(root)
    return evaluate(*sides, target=read_target(target), thresholds=root / "own.toml", attach=(root / "own.toml",),
                    note=read_note(root / "note.md"))  # fmt: skip


@cache
def whole() -> Report:
    """Its report."""
    return build_report(evaluated())


@cache
def page(language: str, form: FormName = "brief") -> str:
    """Its page."""
    return html.render(whole(), language=language, digest="0" * 64, form=form, commands=("reportgen report",))
