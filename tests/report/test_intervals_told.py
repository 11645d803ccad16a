"""How much stands behind an interval, and by which method, as the report and its tables say it."""

from __future__ import annotations

import csv
import io
import re
from fractions import Fraction
from pathlib import Path

import pytest
from jobs import AFTER, TORCH
from test_repeats import write_repeats

from reportgen.pipeline import build_report, evaluate
from reportgen.report import numbers, section_evidence, tables, wording
from tests.report.conftest import report_of
from tests.report.test_sections import context


def ids(ranges: str) -> set[str]:
    """The ids that ranges such as ``M1–M3 and M7`` name."""
    found: set[str] = set()
    for first, last in re.findall(r"M(\d+)(?:–M(\d+))?", ranges):
        found |= {f"M{n}" for n in range(int(first), int(last or first) + 1)}
    return found


@pytest.mark.parametrize(
    ("runs", "values", "shown"),
    [(0, 0, "–"), (1, 0, "1"), (1, 9, "1 × 9"), (3, 180, "3 × 60"), (3, 181, "3 × ≈60"), (2, 2468, "2 × 1,234")],
)
def test_captures_and_values(runs: int, values: int, shown: str) -> None:
    assert numbers.format_repeats(runs, values).replace("\u00a0", " ") == shown


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (["R1"], "R1"),
        (["R1", "R2", "R3", "R9"], "R1–R3, R9"),
        ([f"M{n}" for n in range(1, 60, 2)], ", ".join(f"M{n}" for n in range(1, 60, 2))),  # none is left out
    ],
)
def test_ids_that_follow_each_other_are_a_range(given: list[str], shown: str) -> None:
    assert wording.id_ranges(given, "en") == shown


def test_every_interval_of_a_metric_stands_in_one_line_with_its_steps_and_method() -> None:
    report = report_of("example")
    lines = section_evidence.method(context(report)).intervals
    of_pairs = [line for line in lines if line.of == "AFTER / BEFORE"]
    listed = [identity for line in of_pairs for identity in ids(line.rows)]
    rows = {row.id: row for row in report.metrics}
    assert sorted(listed) == sorted(row.id for row in report.metrics if row.interval is not None and not row.blocked)
    for line in of_pairs:
        for identity in ids(line.rows):
            row = rows[identity]
            assert row.interval is not None
            assert line.method == wording.method_word(row.interval.method, "en")
            if row.before.sample:  # calls of kernels are too many to be listed
                assert line.before.replace("\u00a0", " ") == f"1 × {len(row.before.sample)}"
                assert line.after.replace("\u00a0", " ") == f"1 × {len(row.after.sample)}"


def test_of_repeats_the_captures_are_counted_and_their_steps(tmp_path: Path) -> None:
    sides = [write_repeats(tmp_path, name, spec, (996, 1004)) for name, spec in (("b", TORCH), ("a", AFTER))]
    report = build_report(evaluate(*sides))
    step = next(row for row in report.metrics if row.metric == "step_time")
    for side, spec in ((step.before, TORCH), (step.after, AFTER)):
        assert len(side.sample) == 2  # one value a capture
        assert (side.captures, side.values) == (2, 2 * (spec.steps - 1))  # from the start of a step to the next one's


def test_the_table_of_metrics_says_how_much_stands_behind_each_interval() -> None:
    report = report_of("example")
    found = list(csv.reader(io.StringIO(tables.render(report, "en")["tables/metrics.csv"].decode("utf-8-sig"))))
    heads, lines = found[0], found[1:]

    def cell(line: list[str], head: str) -> str:
        return line[heads.index(head)].replace("\u00a0", " ")

    seen = 0
    for row, line in zip(report.metrics, lines, strict=True):
        for side, value in (("BEFORE", row.before), ("AFTER", row.after)):
            assert cell(line, f"{side}, captures × values") == numbers.format_repeats(
                value.captures, value.values
            ).replace("\u00a0", " ")
        if row.interval is not None and not row.blocked:
            assert cell(line, "method") == wording.method_word(row.interval.method, "en")
            assert row.estimate is not None
            exact = cell(line, "AFTER / BEFORE, estimate, exact").replace("÷", "/")
            written = Fraction(exact or cell(line, "AFTER / BEFORE, estimate"))
            assert written == Fraction(row.estimate.quantity.value)
            seen += 1
    assert seen > 10
