"""Megatron family: MindSpeed-LLM mcore, MindSpeed-MM, Megatron-LM, old ModelLink. Source: docs/logs.md, "Training"."""

from __future__ import annotations

import re

from reportgen.model import Run
from reportgen.run_logs import training
from reportgen.run_logs.text import Log

FLAVOUR = training.Flavour(producer="megatron", definitions="megatron_interval_mean", closed=True)
_LINE = re.compile(
    rb"(>>[ ]{0,20})?(?:\b|\x1b\[[0-9;]{0,20}m)iteration"
    rb"[ \t]{1,40}[0-9]{1,12}[ \t]{0,20}/[ \t]{0,20}[0-9]{1,12}[ \t]{0,20}\|"
)


def sniff(log: Log) -> bool:
    """Whether a line ``iteration a/b |`` stands in it that no ``>>`` precedes."""
    return not log.is_json and any(match[1] is None for match in log.matches(_LINE, b"iteration"))


def read(log: Log) -> tuple[Run, ...]:
    """The runs of the log.

    Raises:
        CaptureError: see ``training.read``.
    """
    return training.read(log, FLAVOUR)
