"""MindSpeed-LLM FSDP2, the lines of both its trainers. Source: docs/logs.md, "Training"."""

from __future__ import annotations

import re

from reportgen.model import Run
from reportgen.run_logs import training
from reportgen.run_logs.text import Log

MONITOR = training.Flavour(
    producer="mindspeed_llm_fsdp2",
    definitions="fsdp2_monitor",
    closed=True,
    warnings=("log_memory_since_start",),
    always=(("global batch size", "consumed samples"), ("consumed tokens",)),
    together=("tokens/s", "mfu"),
)
"""``fsdp2/utils/train_monitor.py``: global tokens/s, mfu in percent, memory over all ranks."""
TRAINER = training.Flavour(
    producer="mindspeed_llm_fsdp2_trainer",
    definitions="fsdp2_trainer",
    closed=False,
    always=(("global batch size",), ("throughput(samples/s)",)),
)
"""``fsdp2/train/trainer.py``: ``iteration:`` with a colon, samples/s, no bar at the end."""
_MONITOR_LINE = re.compile(
    rb">>[ ]{1,20}iteration[ \t]{1,40}[0-9]{1,12}[ \t]{0,20}/[ \t]{0,20}[0-9]{1,12}[ \t]{0,20}\|"
)
_TRAINER_LINE = re.compile(
    rb"(?:\b|\x1b\[[0-9;]{0,20}m)iteration:[ \t]{0,20}[0-9]{1,12}[ \t]{0,20}\| consumed samples:"
)


def sniff_monitor(log: Log) -> bool:
    """Whether a line ``>>  iteration a/b |`` stands in it."""
    return not log.is_json and log.holds(_MONITOR_LINE, b"iteration")


def sniff_trainer(log: Log) -> bool:
    """Whether a line ``iteration: a | consumed samples:`` stands in it."""
    return not log.is_json and log.holds(_TRAINER_LINE, b"| consumed samples:")


def read_monitor(log: Log) -> tuple[Run, ...]:
    """The runs of a log of the monitor.

    Raises:
        CaptureError: see ``training.read``.
    """
    return training.read(log, MONITOR)


def read_trainer(log: Log) -> tuple[Run, ...]:
    """The runs of a log of the second trainer.

    Raises:
        CaptureError: see ``training.read``.
    """
    return training.read(log, TRAINER)
