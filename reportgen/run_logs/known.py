"""Producers that are known by their output and not read yet. Source: docs/logs.md."""

from __future__ import annotations

import re

from reportgen.run_logs.text import Log

NOT_READ: tuple[tuple[str, re.Pattern[bytes]], ...] = (
    ("AISBench on the screen", re.compile(rb"Performance Results of task \[")),
    ("evalscope perf, the percentiles alone", re.compile(rb'"Percentiles"')),
    ("Hugging Face Trainer without the summary of its run", re.compile(rb'"log_history"')),
    ("npu-smi", re.compile(rb"\| npu-smi [0-9]")),
    ("progress bar of tqdm that names no loss", re.compile(rb"[0-9]s/it[,\]]|[0-9]it/s[,\]]")),
)
"""(producer, what only it writes)."""


def named(log: Log) -> str:
    """The producer, not read yet, whose output this is; empty when it is none of them."""
    return next((name for name, pattern in NOT_READ if log.holds(pattern)), "")
