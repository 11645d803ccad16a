"""Producers that are known by their output and not read yet. Source: docs/logs.md."""

from __future__ import annotations

import re

from reportgen.run_logs.text import Log

NOT_READ: tuple[tuple[str, re.Pattern[bytes]], ...] = (
    ("MindSpore MindFormers", re.compile(rb"per_step_time: {0,20}[0-9]{1,12}ms|Train epoch time: ")),
    ("Hugging Face Trainer", re.compile(rb"'train_samples_per_second': |\"train_samples_per_second\"|\"log_history\"")),
    ("LLaMA-Factory", re.compile(rb'"current_steps": ?[0-9]')),
    ("verl", re.compile(rb"timing_s/step:")),
    ("ModelZoo", re.compile(rb"ActualFPS ?= ?[0-9]|Final Performance images/sec")),
    ("AISBench", re.compile(rb'"Benchmark Duration"|Performance Parameters,Stage,|Performance Results of task \[')),
    ("MindIE Benchmark", re.compile(rb"FirstTokenTime|The BenchMark test \w{1,20} metric result is")),
    ("evalscope perf", re.compile(rb'"Time taken for tests|"Test Duration \(s\)"|"Average QPS"|"Percentiles"')),
    ("ais_bench / msit benchmark (OM)", re.compile(rb'"NPU_compute_time"|NPU_compute_time \(ms\): ')),
    ("msame", re.compile(rb"Inference (?:average )?time {0,4}: [0-9]")),
    ("npu-smi", re.compile(rb"\| npu-smi [0-9]")),
    ("progress bar of tqdm", re.compile(rb"[0-9]s/it[,\]]|[0-9]it/s[,\]]")),
)
"""(producer, what only it writes)."""


def named(log: Log) -> str:
    """The producer, not read yet, whose output this is; empty when it is none of them."""
    return next((name for name, pattern in NOT_READ if log.holds(pattern)), "")
