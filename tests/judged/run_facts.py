"""Facts of runs outside the profile that no file states; docs/tricks.md says what becomes of each."""

from __future__ import annotations

from dataclasses import replace

from judged.beside_speed import CASE
from judged.case import Give, Judged
from judged.goals import MS, run
from reportgen.comparability.settings import Permissions
from reportgen.model import Side
from reportgen.run_conditions import compare_runs


def held(definitions: str, *producers: str) -> Give:
    """A run of each side that states nothing but its steps."""
    runs = [run(side, (MS,) * 3, definitions=definitions) for side in Side]
    made = tuple(replace(one, run=replace(one.run, producer=name)) for one, name in zip(runs, producers, strict=True))
    return lambda _root: compare_runs((CASE,), made, (), Permissions())


CASES: tuple[Judged, ...] = (
    Judged(title="two writers of one format", give=held("d", "vLLM", "SGLang"), code="run_producers_differ",
           why="the producers of both files"),
    Judged(title="results without lengths", give=held("vllm_bench", "p", "p"), code="run_lengths_not_stated",
           why="neither file holds numbers of tokens"),
    Judged(title="results without a number of failed requests", give=held("vllm_bench", "p", "p"),
           code="run_failures_not_stated", why="neither file holds it"),
)  # fmt: skip
