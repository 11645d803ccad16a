"""Law 3, origin: every number of a report reaches a file, its digest, a place in it and a formula.

Walked over the reports of the example pair, of generated pairs with and without faults, and of published captures.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from captures.generator import TorchSpec
from corpus import ADD_PYPTO, ADD_TORCH, GELU, MATMUL, needs_corpus, prof, torch
from jobs import AFTER, TORCH, write_pair
from report.walk import every_number_reaches_an_origin

from reportgen.contract import read_target
from reportgen.pipeline import build_report, evaluate, read_note, run

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def test_the_example_report() -> None:
    report = run(
        EXAMPLES / "before",
        EXAMPLES / "after",
        target=read_target(EXAMPLES / "target.toml"),
        note=read_note(EXAMPLES / "note.md"),
    )
    assert every_number_reaches_an_origin(report) > 500


@pytest.mark.parametrize(
    "after",
    [
        AFTER,
        replace(AFTER, steps=1),
        replace(AFTER, memory=None),
        replace(AFTER, level="Level0"),
        replace(AFTER, markers=False),
    ],
    ids=["ten steps", "one step", "no memory", "another level", "no steps"],
)
def test_generated_pairs(tmp_path: Path, after: TorchSpec) -> None:
    report = build_report(evaluate(*write_pair(tmp_path, TORCH, after)))
    assert every_number_reaches_an_origin(report) > 50


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize(
    "pair",
    [
        lambda: (prof(GELU[0]), prof(GELU[1])),
        lambda: (prof(MATMUL[0]), prof(MATMUL[1])),
        lambda: (prof(ADD_TORCH), prof(ADD_PYPTO)),
        lambda: (torch(0, 0), torch(1, 0)),
    ],
)
def test_published_pairs(pair: object) -> None:
    report = build_report(evaluate(*pair()))  # type: ignore[operator]
    assert every_number_reaches_an_origin(report) > 20
