"""The simulation of our own method runs, is the same twice, and its check sees a table that is wrong.

A few runs only: the figures are those of docs/statistics.md, which the script holds against a thousand runs.
"""

from __future__ import annotations

from types import ModuleType

import pytest
from scripts import ROOT, script


@pytest.fixture(scope="module")
def simulation() -> ModuleType:
    """The script as a module."""
    return script("simulation")


def test_it_runs_and_is_the_same_twice(simulation: ModuleType) -> None:
    found = simulation.tables(3)
    assert found == simulation.tables(3)
    # 3 kinds of knowledge x 3 numbers of steps x 4 noises, twice; 3 numbers of captures x 6
    assert len(simulation.CELL.findall(found)) == 2 * 36 + 18


def test_the_page_has_the_tables_of_a_thousand_runs(simulation: ModuleType) -> None:
    text = simulation.written((ROOT / "docs" / "statistics.md").read_text(encoding="utf-8"))
    assert len(simulation.CELL.findall(text)) == 2 * 36 + 18
    assert simulation.unlike_reference(text) == []


def test_a_figure_further_off_than_chance_is_told(simulation: ModuleType) -> None:
    # 3 x sqrt(0.6^2 + 0.6^2) = 2.55
    there = "| a | 4.0 ± 0.6 | 4.0 ± 0.6 |"
    assert simulation.departures("| a | 6.4 ± 0.6 | 7.0 ± 0.6 |", there, factor=3) == [
        "figure 2: 7.0 ± 0.6 here, 4.0 ± 0.6 there"
    ]
    assert simulation.departures("| b | 4.0 ± 0.6 | 4.0 ± 0.6 |", there, factor=3) != []


def test_a_method_that_calls_everything_a_difference_is_unlike_the_known_figures(simulation: ModuleType) -> None:
    text = simulation.written((ROOT / "docs" / "statistics.md").read_text(encoding="utf-8"))
    wrong = simulation.CELL.sub("100.0 ± 0.1", text)
    assert len(simulation.unlike_reference(wrong)) >= 10
