"""How often widely scattered times of one run are met or told apart, and how often two honest runs pass for one.

    python benchmarks/scattered.py              the table of docs/statistics.md, section 2.4, as Markdown
    python benchmarks/scattered.py --write      put it there
    python benchmarks/scattered.py --runs 50    fewer runs (a try)

Independent values of a known mean, median and share, fixed seed. Each figure is the share of runs in percent, with its
standard error: a value that lies at its limit and is called met, two equal means that are told apart, two runs that are
taken for one.
Where an interval does not hold the value nothing is decided. Source: docs/statistics.md.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
from scipy import special

from reportgen import samples
from reportgen.model import FileRecord, LoggedRun, LoggedSeries, Quantity, Run, Sample, Side
from reportgen.same_runs import why_same

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "statistics.md"
BEGIN, END = "<!-- scattered: begin -->", "<!-- scattered: end -->"
RUNS, SEED = 400, 20_261_201
VALUES = 200
MEAN_NS = 600_000_000
SHAPES = ("normal", "gamma", "lognormal")
COUNTS = (5, 10, 200)
"""Values of one side in the rows of medians: too few for ranks, as many as a capture has, and as a log has."""
SLOW = 0.6
"""Share of the slow times where there are two kinds, a coefficient of variation above and below the middle."""
VARIATIONS = (0.015, 0.15, 0.25)
SIDES = ((0.25, 0.25), (0.10, 0.25), (0.30, 0.15))
DIGITS = ((512_000_000, 100_000, 0.002), (27_550_000_000, 100_000, 0.005), (1_230_000_000, 10_000_000, 0.003))
"""Mean and last digit in ns, and noise, of the step times of honest runs."""
WORK = 0.2
"""Coefficient of variation of the work of steps that is the same in both runs."""


def times(rng: np.random.Generator, shape: str, variation: float, count: int = VALUES) -> list[int]:
    """Independent times in ns around ``MEAN_NS``."""
    if shape == "two kinds":
        drawn = np.where(rng.random(count) < SLOW, 1 + variation, 1 - variation) + rng.normal(0, variation / 4, count)
    elif shape == "normal":
        drawn = rng.normal(1, variation, count)
    elif shape == "gamma":
        drawn = rng.gamma(1 / variation**2, variation**2, count)
    else:
        width = math.sqrt(math.log1p(variation**2))
        drawn = rng.lognormal(-(width**2) / 2, width, count)
    return [max(1, round(MEAN_NS * value)) for value in drawn]


def met(rng: np.random.Generator, shape: str, variation: float, of: str) -> bool:
    """Whether a mean at its limit is called met: the whole interval lies below, and it holds the mean."""
    values = times(rng, shape, variation)
    found = samples.limit_interval(values, of=of).interval
    return found is not None and found.low <= samples.mean(values) <= found.high < MEAN_NS


@lru_cache
def middle(shape: str, variation: float) -> float:
    """The median of a shape in units of its mean (of two kinds: of the middle between them)."""
    if shape == "gamma":
        return float(special.gammaincinv(1 / variation**2, 0.5)) * variation**2
    if shape == "lognormal":
        return 1 / math.sqrt(1 + variation**2)
    if shape == "normal":
        return 1.0

    def below(at: float) -> float:
        kinds = ((SLOW, 1 + variation), (1 - SLOW, 1 - variation))
        return sum(part * float(special.ndtr((at - one) / (variation / 4))) for part, one in kinds)

    low, high = 1 - variation, 1 + variation
    for _ in range(60):
        half = (low + high) / 2
        low, high = (half, high) if below(half) < 0.5 else (low, half)
    return low


def met_median(rng: np.random.Generator, shape: str, variation: float, count: int, of: str) -> bool:
    """Whether a median at its limit is called met, likewise."""
    values = times(rng, shape, variation, count)
    found = samples.limit_interval(values, of=of).interval
    limit = MEAN_NS * middle(shape, variation)
    return found is not None and found.low <= samples.median(values) <= found.high < limit


def met_share(rng: np.random.Generator, shape: str, variation: float, of: str) -> bool:
    """Whether a share of idle time at its limit is called met, likewise: every step computes as long as the idle mean.

    The share is the sum of idle over the sum of steps, 1/2 in the long run.
    """
    idle = times(rng, shape, variation)
    lengths = [MEAN_NS + one for one in idle]
    values = [Fraction(one, length) for one, length in zip(idle, lengths, strict=True)]
    found = samples.limit_interval(values, of=of, weights=lengths).interval
    return found is not None and found.low <= Fraction(sum(idle), sum(lengths)) <= found.high < 0.5


def apart(rng: np.random.Generator, shape: str, sides: tuple[float, float], of: str) -> bool:
    """Whether two equal means are told apart by an interval that holds the quotient of what was drawn."""
    before, after = (times(rng, shape, variation) for variation in sides)
    found = samples.ratio_before_after(before, after, of=of)
    quotient = samples.mean(after) / samples.mean(before)
    held = found.interval is not None and found.interval.low <= quotient <= found.interval.high
    return held and found.distinguishable == "yes"


def one_run(rng: np.random.Generator, row: tuple[int, int, float], work: float) -> bool:
    """Whether two runs of 60 steps, whose noise is their own, are taken for one."""
    mean, digit, noise = row
    shared = 1 + work * rng.normal(size=60)
    runs = []
    for name in "ab":
        drawn = mean * shared * (1 + noise * rng.normal(size=60))
        values = tuple(max(digit, round(float(value) / digit) * digit) for value in drawn)
        sample = Sample(unit="ns", values=values, labels=tuple(map(str, range(60))))
        series = LoggedSeries(
            metric="step_time", kind="", sample=sample, weights=(1,) * 60, locator="",
            resolution=Quantity(value=digit, unit="ns"),
        )  # fmt: skip
        file = FileRecord(path=name, size=1, digest=name * 64)
        run = Run(producer="simulated", version="", definitions="simulated", file=file, series=(series,))
        runs.append(LoggedRun(case="C", side=Side.AFTER, run=run, profiled=None))
    return why_same(*runs) is not None


def share(runs: int, once: Callable[[np.random.Generator], bool]) -> str:
    """The share of runs in percent with its standard error."""
    rng = np.random.default_rng(SEED)
    part = sum(once(rng) for _ in range(runs)) / runs
    return f"{100 * part:.1f} ± {100 * math.sqrt(part * (1 - part) / runs):.1f}"


def lines(runs: int) -> Iterator[str]:
    """The table, a line each."""
    yield f"| {VALUES} values a side, {runs} runs each, in % | interval of the logarithms alone | as we state it |"
    yield "|---|---|---|"
    for shape in SHAPES:
        for variation in VARIATIONS:
            cells = [share(runs, partial(met, shape=shape, variation=variation, of=of)) for of in ("", "mean")]
            yield f"| a mean at its limit is met: {shape}, {100 * variation:g} % | {cells[0]} | {cells[1]} |"
    for count in COUNTS:
        for shape in (*SHAPES, "two kinds"):
            for variation in VARIATIONS[::2]:
                once = partial(met_median, shape=shape, variation=variation, count=count)
                cells = [share(runs, partial(once, of=of)) for of in ("", "median")]
                name = f"a median of {count} at its limit is met: {shape}, {100 * variation:g} %"
                yield f"| {name} | {cells[0]} | {cells[1]} |"
    for shape in SHAPES:
        for variation in VARIATIONS:
            once = partial(met_share, shape=shape, variation=variation)
            cells = [share(runs, partial(once, of=of)) for of in ("", "weighted")]
            name = f"a share of idle time at its limit is met: {shape}, {100 * variation:g} %"
            yield f"| {name} | {cells[0]} | {cells[1]} |"
    for shape in SHAPES:
        for sides in SIDES:
            cells = [share(runs, partial(apart, shape=shape, sides=sides, of=of)) for of in ("", "mean")]
            said = " and ".join(f"{100 * one:g} %" for one in sides)
            yield f"| equal means are told apart: {shape}, {said} | {cells[0]} | {cells[1]} |"
    for row in DIGITS:
        for work in (0.0, WORK):
            name = (
                f"{row[0] / 1e9:g} s in steps of {row[1] / 1e6:g} ms, noise {100 * row[2]:g} %, work {100 * work:g} %"
            )
            cell = share(runs, partial(one_run, row=row, work=work))
            yield f"| two runs of 60 steps are taken for one: {name} | – | {cell} |"


def main(arguments: list[str]) -> int:
    """Print the table, or put it into the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args(arguments)
    table = "\n".join(lines(given.runs))
    if not given.write:
        print(table)
        return 0
    text = DOCUMENT.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    DOCUMENT.write_text(f"{head}{BEGIN}\n{table}\n{END}{rest.split(END)[1]}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
