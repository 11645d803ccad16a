"""Law 3, origin: every number of a report reaches a file, its digest, a place in it and a formula.

Walked over the reports of the example pair, of generated pairs with and without faults, and of published captures.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from captures.generator import TorchSpec
from corpus import ADD_PYPTO, ADD_TORCH, GELU, MATMUL, needs_corpus, prof, torch
from jobs import AFTER, TORCH, Pace, write_pair
from report.walk import every_number_reaches_an_origin

from reportgen.contract import read_target
from reportgen.pipeline import build_report, evaluate, read_note, run
from reportgen.report.view import Context, line

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
        replace(AFTER, communication_statistic=True),
    ],
    ids=["ten steps", "one step", "no memory", "another level", "no steps", "counted collectives"],
)
def test_generated_pairs(tmp_path: Path, after: TorchSpec) -> None:
    report = build_report(evaluate(*write_pair(tmp_path, TORCH, after)))
    assert every_number_reaches_an_origin(report) > 50


def test_the_spread_between_ranks(tmp_path: Path) -> None:
    """Both ends of every spread reach the files of their own ranks, and the figures beside a row show them."""
    two = {"ranks": (0, 1), "world_size": 2, "pace": Pace(rank_permille=(1000, 1200))}
    report = build_report(evaluate(*write_pair(tmp_path, replace(TORCH, **two), replace(AFTER, **two))))
    assert every_number_reaches_an_origin(report) > 100
    origins = {row.id: row.origin for row in report.origins}
    directories = {(block.side, rank.rank): rank.directory for block in report.captures for rank in block.ranks}
    seen = 0
    for row in report.metrics:
        for side, found in (("before", row.spread_before), ("after", row.spread_after)):
            assert found is None or row.worst
            for number, rank in ((found.least, found.least_rank), (found.most, found.most_rank)) if found else ():
                files = {origins[identity].file for identity in number.origins}
                own = f"{side}/{directories[side, rank]}/"  # type: ignore[index]
                assert any(file.startswith(own) for file in files), (row.name, files)
                seen += 1
    assert seen > 50
    context = Context(report=report, language="en", edition="paper", sections={}, origins=origins)
    row = next(row for row in report.metrics if row.metric == "step_time" and row.worst)
    shown = {identity for where in line(context, row).where for identity in where.id.split(", ")}
    assert row.spread_after is not None
    assert {*row.spread_after.least.origins, *row.spread_after.most.origins} <= shown


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
