"""The report of the shipped example, made once in a process."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from reportgen import pipeline
from reportgen.contract import read_target
from reportgen.report.document import Report

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@cache
def example() -> Report:
    """What ``./run demo`` reports on."""
    evaluation = pipeline.evaluate(
        EXAMPLES / "before",
        EXAMPLES / "after",
        target=read_target(EXAMPLES / "target.toml"),
        allowed={},
        note=pipeline.read_note(EXAMPLES / "note.md"),
    )
    return pipeline.build_report(evaluation)
