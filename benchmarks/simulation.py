"""How often our own method is wrong, and how much it sees: step times of known truth, judged by reportgen.samples.

    python benchmarks/simulation.py             the tables of docs/statistics.md, section 6, as Markdown
    python benchmarks/simulation.py --write     put them there
    python benchmarks/simulation.py --check     exit 1 where they have left what is there by more than chance allows
    python benchmarks/simulation.py --runs 50   fewer runs (a try; --check then allows for it)

Step times have a coefficient of variation of 1.5 % and a fixed seed. Each figure is the share of runs in which a
difference was called one, in percent, with its standard error. Source: docs/statistics.md.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from reportgen import samples

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "statistics.md"
BEGIN, END = "<!-- simulation: begin -->", "<!-- simulation: end -->"
RUNS, SEED = 1000, 20_261_130
STEP_NS, VARIATION = 100_000_000, 0.015
BETWEEN = 0.01
STEPS = (5, 10, 30)
CAPTURES = (2, 3, 5)
ALLOWED = 3.0
"""Standard errors of a difference that ``--check`` passes over."""
CELL = re.compile(r"([\d.]+) ± ([\d.]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """What varies."""

    title: str
    """Head of its column."""
    rho: float = 0.0
    """Lag-1 correlation of the steps of one capture."""
    between: float = 0.0
    """Relative standard deviation between captures of one build."""


NOISES = (
    Noise(title="independent"),
    Noise(title="correlation 0.5", rho=0.5),
    Noise(title="correlation 0.8", rho=0.8),
    Noise(title="1 % between captures", between=BETWEEN),
)
Told = Callable[[list[list[int]], list[list[int]], np.random.Generator], bool]
"""Whether a method calls the captures of two sides different; the generator draws what it knows from elsewhere."""


def capture(rng: np.random.Generator, steps: int, noise: Noise, effect: float) -> list[int]:
    """The step times of one capture in ns, in order."""
    fresh = rng.standard_normal(steps)
    values = np.empty(steps)
    last = rng.standard_normal()
    for i in range(steps):
        last = noise.rho * last + math.sqrt(1 - noise.rho**2) * fresh[i]
        values[i] = last
    level = (1 + effect) * math.exp(noise.between * rng.standard_normal())
    return [round(STEP_NS * level * math.exp(VARIATION * value)) for value in values]


def one_capture(between: samples.Between | None) -> Told:
    """Our method for one capture a side; u_B of a few captures is as far from the truth as those show it."""

    def told(before: list[list[int]], after: list[list[int]], rng: np.random.Generator) -> bool:
        known = between
        if between is not None and math.isfinite(between.freedom):
            drawn = between.u * math.sqrt(rng.chisquare(between.freedom) / between.freedom)
            known = samples.Between(u=drawn, freedom=between.freedom)
        return samples.ratio_before_after(before[0], after[0], between=known).distinguishable == "yes"

    return told


def captures(before: list[list[int]], after: list[list[int]], _: np.random.Generator) -> bool:
    """Our method for repeats: the medians of the captures are the sample."""
    sides = [[samples.median(steps) for steps in side] for side in (before, after)]
    return samples.ratio_of_captures(*sides).distinguishable == "yes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One figure."""

    steps: int
    """Steps of a capture."""
    noise: Noise
    """What varies."""
    told: Told
    """The method."""
    captures: int = 1
    """Captures a side."""
    effect: float = 0.0
    """True relative change."""


def share(case: Case, runs: int, seed: Sequence[int]) -> tuple[float, float]:
    """In percent how often a difference is called one, and the standard error of that."""
    rng = np.random.default_rng([SEED, *seed])
    found = 0
    for _ in range(runs):
        sides = [
            [capture(rng, case.steps, case.noise, effect) for _ in range(case.captures)]
            for effect in (0.0, case.effect)
        ]
        found += case.told(*sides, rng)
    part = found / runs
    smoothed = (found + 1) / (runs + 2)  # none found is no proof of none
    return 100 * part, 100 * math.sqrt(smoothed * (1 - smoothed) / runs)


def cell(case: Case, runs: int, *seed: int) -> str:
    """One figure with its standard error."""
    part, error = share(case, runs, seed)
    return f"{part:.1f} ± {error:.1f}"


# --------------------------------------------------------------------------------------------- the tables
METHODS: tuple[tuple[str, samples.Between | None], ...] = (
    ("as captured", None),
    ("u_B = 1 %, stated", samples.Between(u=BETWEEN)),
    ("u_B = 1 %, of 5 captures", samples.Between(u=BETWEEN, freedom=4)),
)
"""What is known of the spread between captures: nothing, its true value, what five other captures show of it."""


def single_table(runs: int, effect: float, seed: int) -> Iterator[str]:
    """One capture a side: by what is known between captures, steps and noise."""
    yield f"| known | steps | {' | '.join(noise.title for noise in NOISES)} |"
    yield "|---|---|" + "---|" * len(NOISES)
    for i, (title, between) in enumerate(METHODS):
        for n in STEPS:
            cases = (Case(steps=n, noise=noise, told=one_capture(between), effect=effect) for noise in NOISES)
            cells = (cell(case, runs, seed, i, n, k) for k, case in enumerate(cases))
            yield f"| {title} | {n} | {' | '.join(cells)} |"


def captures_table(runs: int, seed: int) -> Iterator[str]:
    """Several captures of 30 steps a side: false differences, then what is seen of true ones."""
    effects = (0.0, 0.03, 0.05)
    between = NOISES[-1]
    heads = [f"{noise.title}: false" for noise in NOISES] + [f"1 % between: seen of +{e:.0%}" for e in effects[1:]]
    yield f"| captures a side | {' | '.join(heads)} |"
    yield "|---|" + "---|" * len(heads)
    for r in CAPTURES:
        cases = [Case(steps=30, noise=noise, told=captures, captures=r) for noise in NOISES]
        cases += [Case(steps=30, noise=between, told=captures, captures=r, effect=effect) for effect in effects[1:]]
        cells = (cell(case, runs, seed, r, k) for k, case in enumerate(cases))
        yield f"| {r} | {' | '.join(cells)} |"


def tables(runs: int) -> str:
    """All tables as Markdown."""
    parts = (
        ("False differences in % (no true change), one capture a side:", single_table(runs, 0.0, 1)),
        ("Differences seen in % of a true change of +3 %, one capture a side:", single_table(runs, 0.03, 2)),
        ("Several captures of 30 steps a side, in %:", captures_table(runs, 3)),
    )
    return "\n\n".join(f"{head}\n\n" + "\n".join(lines) for head, lines in parts)


# --------------------------------------------------------------------------------------------- what was found before
REFERENCE: tuple[tuple[str, int, tuple[float, ...]], ...] = (
    ("as captured | 5", 2, (12, 32)),
    ("as captured | 10", 2, (12, 32)),
    ("as captured | 30", 2, (12, 32)),
    ("u_B = 1 %, stated | 5", 0, (0,)),
    ("u_B = 1 %, stated | 10", 0, (0,)),
    ("u_B = 1 %, stated | 30", 0, (0,)),
    ("2", 3, (2.1,)),
    ("2", 5, (38,)),
    ("3", 3, (4.2,)),
    ("3", 4, (61,)),
    ("3", 5, (95,)),
    ("5", 3, (4.7,)),
    ("5", 4, (97,)),
)
"""(head of a row, column, figure or lowest and highest) of methods that are the same: docs/statistics.md, section 6."""


def unlike_reference(found: str) -> list[str]:
    """Figures that are further from what was found of the same method than three standard errors of both."""
    rows: dict[str, list[tuple[str, str]]] = {}
    for line in found.splitlines():
        figures = CELL.findall(line)
        if figures:
            head = " | ".join(part.strip() for part in line.strip("|").split("|") if "±" not in part)
            rows.setdefault(head, figures)  # the first table of false differences, not that of what is seen
    wrong = []
    for head, column, known in REFERENCE:
        part, error = (float(text) for text in rows[head][column])
        low, high = min(known), max(known)
        reach = ALLOWED * math.hypot(error, 100 * math.sqrt(max(low, 0.1) / 100 * (1 - low / 100) / RUNS))
        if not low - reach <= part <= high + reach:
            wrong.append(f"{head}, column {column + 1}: {part} ± {error}, known {known}")
    return wrong


# --------------------------------------------------------------------------------------------- the document
def written(text: str) -> str:
    """What stands between the marks of the document.

    Raises:
        SystemExit: there are no marks.
    """
    if BEGIN not in text or END not in text:
        sys.exit(f"{DOCUMENT}: no {BEGIN} ... {END}")
    return text.partition(BEGIN)[2].partition(END)[0].strip()


def departures(here: str, there: str, *, factor: float) -> list[str]:
    """Figures of two tables that differ by more than chance allows; one line more where the tables are not alike."""
    ours, theirs = CELL.findall(here), CELL.findall(there)
    if CELL.sub("", here).split() != CELL.sub("", there).split():
        return ["the tables have other rows or columns"]
    return [
        f"figure {number}: {a} ± {u} here, {b} ± {v} there"
        for number, ((a, u), (b, v)) in enumerate(zip(ours, theirs, strict=True), 1)
        if abs(float(a) - float(b)) > factor * math.hypot(float(u), float(v)) + 0.05
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print, write or check the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args(arguments)
    found = tables(given.runs)
    if not given.write and not given.check:
        print(found)
        return 0
    text = DOCUMENT.read_text(encoding="utf-8")
    old = written(text)
    if given.check:
        wrong = [*departures(found, old, factor=ALLOWED), *unlike_reference(found)]
        print("\n".join(wrong) or "the tables hold")
        return 1 if wrong else 0
    DOCUMENT.write_text(text.replace(old, found, 1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
