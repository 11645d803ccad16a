"""What is known between captures: stated in the target or shown by A/A captures, it widens and never narrows.

The intervals themselves are held against the formulas in test_samples; here is who uses what, and what is refused.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from captures.generator import write_torch_capture
from command import reportgen
from jobs import AFTER, TORCH, write_pair
from report.walk import every_number_reaches_an_origin
from test_repeats import GOAL, HEAD, RATIO, write_repeats

from reportgen import samples
from reportgen.alike import sampled
from reportgen.contract import check_target, read_target
from reportgen.known_spread import known_for, with_known
from reportgen.metrics import METRICS
from reportgen.model import (
    Comparison,
    Dimensions,
    Evaluation,
    Judgement,
    KnownSpread,
    Missing,
    MissingKind,
    Origin,
    Outcome,
    Quantity,
    Reason,
    Status,
)
from reportgen.pipeline import build_report, evaluate
from reportgen.planning import captures_needed, needed

STATED = """
[[between_captures]]
metric = "{metric}"
relative_sd = "{value}"
count = 5
determined = "five captures of the old build, 2026-10-01"
"""
ASKED = '\n[[between_captures]]\nmetric = "step_time"\n'
OF_RUNS = '\n[[equivalence]]\nmetric = "{metric}"\nkind = "{kind}"\nof = "runs"\nband = "5%"\n'
BAND = '\n[[equivalence]]\nmetric = "step_time"\nband = "{band}"\n'
LIMIT = {"id": "L", "metric": "step_time", "statistic": "median", "subject": "after", "limit": "20 ms"}


class Pair(NamedTuple):
    """A generated pair and captures of its first build."""

    root: Path
    """Where they are."""
    before: Path
    """BEFORE."""
    after: Path
    """AFTER, with a faster MatMulV2."""
    alike: list[Path]
    """Three captures of BEFORE's build whose kernels differ by 0.4 %."""

    def judged(self, *parts: str, aa: tuple[Path, ...] = ()) -> Evaluation:
        """The pair judged by a guarded target of these parts."""
        target = self.root / "target.toml"
        target.write_text(HEAD + "".join(parts), encoding="utf-8")
        return evaluate(self.before, self.after, target=read_target(target), aa=aa)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    root = tmp_path_factory.mktemp("known")
    return Pair(root, *write_pair(root), write_repeats(root, "aa", TORCH))


def step(found: Evaluation) -> Comparison:
    return next(row for row in found.comparisons if row.metric == "step_time")


def only(found: Evaluation) -> Judgement:
    assert found.verdict is not None
    (one,) = found.verdict.judgements
    return one


def ends(row: Comparison) -> tuple[float, float]:
    assert row.interval is not None
    return float(row.interval.low.value), float(row.interval.high.value)


# --------------------------------------------------------------------------------------------- stated
def test_a_stated_spread_widens_the_interval_of_its_metric_alone(pair: Pair) -> None:
    plain, known = (
        pair.judged(GOAL.format(**RATIO)),
        pair.judged(GOAL.format(**RATIO), STATED.format(metric="step_time", value="1%")),
    )
    assert ends(step(known))[0] < ends(step(plain))[0]
    assert ends(step(known))[1] > ends(step(plain))[1]
    assert step(known).estimate == step(plain).estimate
    # u_A is small beside it: at least t(4) sqrt(2) 1 % = 2.776445 x 1.414214 x 0.01 = 3.927 % to each side, on logs
    estimate = math.log(float(step(known).estimate.value))  # type: ignore[union-attr]
    assert math.log(ends(step(known))[1]) - estimate == pytest.approx(0.03927, abs=0.004)
    others = [(a, b) for a, b in zip(plain.comparisons, known.comparisons, strict=True) if a.metric != "step_time"]
    assert all(a.interval == b.interval and b.between is None for a, b in others)


@pytest.mark.parametrize(("value", "outcome"), [("0.1%", Outcome.MET), ("8%", Outcome.UNDECIDED)])
def test_a_goal_holds_it_and_names_it(pair: Pair, value: str, outcome: Outcome) -> None:
    found = pair.judged(GOAL.format(**RATIO), STATED.format(metric="step_time", value=value))
    assert only(found).outcome is outcome
    assert only(found).between is not None
    report = build_report(found)
    assert every_number_reaches_an_origin(report) > 50
    (known,) = report.known_spreads
    assert (known.value.quantity.written, known.count, known.source) == (value, 5, "target")
    assert report.goals[0].between == known.id
    origin = next(row.origin for row in report.origins if row.id == known.value.origins[0])
    assert origin.locator == "between_captures[0].relative_sd"


def test_a_limit_on_after_alone_holds_it_too(pair: Pair) -> None:
    plain, known = (
        pair.judged(GOAL.format(**LIMIT), *more) for more in ((), (STATED.format(metric="step_time", value="1%"),))
    )
    width = [float(only(f).interval.high.value - only(f).interval.low.value) for f in (plain, known)]  # type: ignore[union-attr]
    assert width[1] > width[0]
    assert only(known).between is not None


def test_another_metrics_spread_is_not_used(pair: Pair) -> None:
    found = pair.judged(GOAL.format(**RATIO), STATED.format(metric="computing", value="8%"))
    assert only(found).outcome is Outcome.MET
    assert only(found).between is None


def test_the_value_that_moves_an_end_further_is_used() -> None:
    # t(1) 0.5 % = 12.7062 x 0.5 = 6.35 %; t(4) 1 % = 2.78 %; endless freedom 2 %: 3.92 %
    values = [(Fraction(1, 100), 5), (Fraction(1, 200), 2), (Fraction(1, 50), None)]
    known = [KnownSpread(metric="step_time", value=Quantity(value=v, unit="1"), count=n) for v, n in values]
    assert known_for(known, "captures", "step_time") is known[1]
    assert known_for(known[::2], "captures", "step_time") is known[2]
    assert known_for(known, "runs", "step_time") is None
    assert known_for(known, "captures", "step_time", part="x") is None


# --------------------------------------------------------------------------------------------- A/A captures
def test_alike_captures_give_the_spread_of_their_values(pair: Pair) -> None:
    found = pair.judged(GOAL.format(**RATIO), aa=tuple(pair.alike))
    assert found.alike is not None
    assert found.alike.refused is None
    known = step(found).between
    assert known is not None
    medians = [
        float(next(r for r in evaluate(one, pair.after).comparisons if r.metric == "step_time").before.summary.value)  # type: ignore[union-attr]
        for one in pair.alike
    ]
    assert float(known.value.value) == pytest.approx(np.log(medians).std(ddof=1))  # type: ignore[union-attr]
    assert (known.count, known.source) == (3, "A/A")
    assert {o.file.split("/")[0] for o in known.origins} == {"aa"}
    assert every_number_reaches_an_origin(build_report(found)) > 50
    plain = pair.judged(GOAL.format(**RATIO))
    assert ends(step(found))[0] <= ends(step(plain))[0]
    assert step(found).estimate == step(plain).estimate


@pytest.mark.parametrize("given", ["one twice", "other settings"])
def test_alike_captures_that_are_not_are_used_for_nothing_and_said(pair: Pair, given: str, tmp_path: Path) -> None:
    odd = replace(
        TORCH, env={"PYTORCH_NPU_ALLOC_CONF": "expandable_segments:True"}, pid=77, boot_ns=TORCH.boot_ns + 10**16
    )
    write_torch_capture(tmp_path / "odd", odd)
    aa = (pair.alike[0], pair.alike[0]) if given == "one twice" else (pair.alike[0], tmp_path / "odd")
    found = pair.judged(GOAL.format(**RATIO), aa=aa)
    assert found.alike is not None
    assert found.alike.refused is not None
    code = "alike_given_twice" if given == "one twice" else "alike_not_alike"
    assert found.alike.refused.code == code
    assert step(found).between is None
    assert code in {reason.code for reason in only(found).reservations}
    assert found.comparability == pair.judged(GOAL.format(**RATIO)).comparability


def test_before_may_be_one_of_them(pair: Pair) -> None:
    found = pair.judged(GOAL.format(**RATIO), aa=(pair.before, pair.alike[0]))
    assert found.alike is not None
    assert found.alike.refused is None
    row = step(found)
    assert row.between is not None
    assert isinstance(row.between.value, Quantity)
    # of two values x and y the standard deviation of the logarithms is |ln x - ln y| / sqrt(2)
    other = step(evaluate(pair.alike[0], pair.after, target=None))
    medians = [float(one.before.summary.value) for one in (row, other)]  # type: ignore[union-attr]
    assert (row.between.count, row.between.source) == (2, "A/A")
    assert float(row.between.value.value) == pytest.approx(abs(math.log(medians[0] / medians[1])) / math.sqrt(2))
    assert ends(row)[1] > ends(step(pair.judged(GOAL.format(**RATIO))))[1]


# ----------------------------------------------------------------------------- law 2: the target is the witness of A/A
def test_a_target_that_asks_for_alike_captures_is_undecided_without(pair: Pair) -> None:
    """Taking the A/A captures away, or spoiling them, never turns another outcome into a good one."""
    goal = GOAL.format(**RATIO)
    given = only(pair.judged(goal, ASKED, aa=tuple(pair.alike)))
    assert (given.outcome, given.between is not None) == (Outcome.MET, True)
    for aa in ((), (pair.alike[0], pair.alike[0])):
        found = pair.judged(goal, ASKED, aa=aa)
        assert (only(found).outcome, only(found).reason.code) == (Outcome.UNDECIDED, "between_not_shown")
        assert (step(found).status, step(found).reason.code) == (Status.UNKNOWN, "between_not_shown")


@pytest.mark.parametrize("value", ["0.5%", "2%", "5%", "9%"])
def test_stating_more_spread_never_makes_a_goal_good(pair: Pair, value: str) -> None:
    goals = [GOAL.format(**goal) for goal in (RATIO, RATIO | {"id": "T", "limit": "80%"}, LIMIT)]
    plain = pair.judged(*goals)
    known = pair.judged(*goals, STATED.format(metric="step_time", value=value))
    assert plain.verdict is not None
    assert known.verdict is not None
    for without, with_it in zip(plain.verdict.judgements, known.verdict.judgements, strict=True):
        assert with_it.outcome is without.outcome or with_it.outcome is Outcome.UNDECIDED


def test_repeats_show_their_own_spread(pair: Pair) -> None:
    target = pair.root / "repeats.toml"
    target.write_text(HEAD + GOAL.format(**RATIO) + STATED.format(metric="step_time", value="9%"), encoding="utf-8")
    found = evaluate(pair.alike, write_repeats(pair.root, "a", AFTER), target=read_target(target))
    assert step(found).between is None
    assert only(found).outcome is Outcome.MET


def test_what_is_counted_takes_none() -> None:
    assert not {"kernel_count", "peak_reserved"} & set(sampled(METRICS))
    assert with_known((), (), ()) == ()


# --------------------------------------------------------------------------------------------- equivalence
@pytest.mark.parametrize(
    ("band", "shown"), [("40%", True), ("2%", False)], ids=["the change is within it", "the change is beyond it"]
)
def test_equivalence(pair: Pair, band: str, shown: bool) -> None:
    row = step(pair.judged(BAND.format(band=band)))
    assert row.equivalence is not None
    assert row.equivalence.interval is not None
    assert row.equivalence.interval.level == Fraction(9, 10)
    assert (row.equivalence.shown, row.status) == (shown, Status.EQUIVALENT if shown else Status.IMPROVED)
    assert row.before is not None
    assert row.after is not None
    assert row.before.sample is not None
    assert row.after.sample is not None
    oracle = samples.ratio_before_after(row.before.sample.values, row.after.sample.values, level=0.9).interval
    assert oracle is not None
    assert float(row.equivalence.interval.low.value) == oracle.low
    assert shown == (1 / (1 + Fraction(band[:-1]) / 100) <= oracle.low)


def test_equivalence_takes_four_values(tmp_path: Path) -> None:
    few = [replace(one, steps=4, schedule={"active": 4}) for one in (TORCH, AFTER)]
    target = tmp_path / "target.toml"
    target.write_text(HEAD + BAND.format(band="90%"), encoding="utf-8")
    row = step(evaluate(*write_pair(tmp_path, *few), target=read_target(target)))
    assert row.equivalence is not None
    assert (row.equivalence.shown, row.equivalence.reason.code) == (
        False,
        "equivalence_too_few",
    )  # 3 windows of 4 steps


# --------------------------------------------------------------------------------------------- the target's faults
@pytest.mark.parametrize(
    ("text", "path"),
    [
        (STATED.format(metric="step_time", value="0.8"), "between_captures[0].relative_sd"),
        (STATED.format(metric="step_time", value="0%"), "between_captures[0].relative_sd"),
        (STATED.format(metric="step_tme", value="1%"), "between_captures[0].metric"),
        (STATED.format(metric="kernel_count", value="1%"), "between_captures[0].metric"),
        (STATED.format(metric="latency", value="1%"), "between_captures[0].metric"),
        (STATED.format(metric="step_time", value="1%") * 2, "between_captures[1]"),
        (STATED.format(metric="step_time", value="1%").replace("= 5", "= 1"), "between_captures[0].count"),
        (ASKED + "count = 3\n", "between_captures[0].count"),
        (ASKED + 'of = "runs"\n', "between_captures[0].relative_sd"),
        (ASKED + 'relative_sd = "1%"\n', "between_captures[0].determined"),
        (
            STATED.format(metric="step_time", value="1%") + 'file = "no.csv"\nlocator = "x"\n',
            "between_captures[0].file",
        ),
        (STATED.format(metric="kernel_call", value="1%") + 'part = "Add"\n', "between_captures[0].part"),
        (BAND.format(band="150%"), "equivalence[0].band"),
        (BAND.format(band="2%").replace("step_time", "peak_reserved"), "equivalence[0].metric"),
        (BAND.format(band="2%") + 'kind = "ttft"\n', "equivalence[0].kind"),
        (BAND.format(band="2%").replace("step_time", "latency"), "equivalence[0].metric"),
        (OF_RUNS.format(metric="computing", kind=""), "equivalence[0].metric"),
        (OF_RUNS.format(metric="latency", kind="tft"), "equivalence[0].kind"),
        (OF_RUNS.format(metric="latency", kind="ttft") * 2, "equivalence[1]"),
    ],
)
def test_faults_of_the_target(tmp_path: Path, text: str, path: str) -> None:
    target = tmp_path / "target.toml"
    target.write_text(HEAD + text, encoding="utf-8")
    assert [line.split(": ")[0] for line in check_target(target)] == [path]


def test_bands_of_captures_and_of_the_kinds_of_runs_stand_beside_each_other(tmp_path: Path) -> None:
    target = tmp_path / "target.toml"
    kinds = "".join(OF_RUNS.format(metric="latency", kind=kind) for kind in ("ttft", "tpot"))
    target.write_text(
        HEAD + BAND.format(band="2%") + BAND.format(band="3%") + 'of = "runs"\n' + kinds, encoding="utf-8"
    )
    assert check_target(target) == ()
    assert [(band.of, band.metric, band.kind, band.band.value) for band in read_target(target).equivalence] == [
        ("captures", "step_time", "", Fraction("0.02")), ("runs", "step_time", "", Fraction("0.03")),
        ("runs", "latency", "ttft", Fraction("0.05")), ("runs", "latency", "tpot", Fraction("0.05")),
    ]  # fmt: skip


# --------------------------------------------------------------------------------------------- how many captures
@pytest.mark.parametrize(("gap", "sides", "captures"), [(0.0304, 2, 3), (0.0203, 2, 5), (0.0305, 1, 3)])
def test_captures_needed(gap: float, sides: int, captures: int) -> None:
    # s = 1 %. r = 3: (t(.975, 4) + t(.8, 4)) sqrt(2 / 3) % = (2.7764 + 0.9410) x 0.8165 = 3.035 %
    # r = 5: (2.3060 + 0.8889) x 0.6325 = 2.021 %. AFTER alone, r = 3: (4.3027 + 1.0607) / 1.7321 = 3.097 %, so 4
    assert needed(gap, 0.01, sides=sides) == (4 if sides == 1 else captures)
    assert needed(0.0001, 0.01, sides=2) is None


def test_a_goal_undecided_by_its_interval_says_how_many(pair: Pair) -> None:
    tight = RATIO | {"limit": "86%"}
    found = pair.judged(GOAL.format(**tight), STATED.format(metric="step_time", value="3%"))
    one = only(found)
    assert (one.outcome, one.reason.code) == (Outcome.UNDECIDED, "interval_crosses_limit")
    assert isinstance(one.value, Quantity)
    gap = abs(math.log(float(one.value.value) / 0.86))
    expected = needed(gap, 0.03, sides=2)
    assert one.captures_needed == (None if expected is None else Quantity(value=expected, unit="1"))
    assert captures_needed(replace(one, reason=Reason.of("within_limit")), step(found)) is None


# --------------------------------------------------------------------------------------------- the command line
def test_one_alike_capture_is_refused(pair: Pair) -> None:
    found = reportgen("compare", pair.before, pair.after, "--aa", pair.alike[0])
    assert (found.code, "one capture shows no spread" in found.err) == (2, True)


def test_compare_prints_what_is_known_and_the_change_of_speed(pair: Pair) -> None:
    aa = [word for one in pair.alike for word in ("--aa", one)]
    printed = reportgen("compare", pair.before, pair.after, *aa, "--language", "en").out
    row = next(line for line in printed.splitlines() if line.strip().startswith("step time"))
    assert "u_B" in row
    assert "% time, +" in row
    assert row.rstrip().endswith("improved")


def test_a_spread_without_a_value_has_a_reason() -> None:
    why = Missing(kind=MissingKind.NOT_COLLECTED, reason=Reason.of("between_not_shown", metric="step_time"))
    one = KnownSpread(metric="step_time", value=why, origins=(Origin(file="t", digest="", locator="x", formula="y"),))
    assert known_for([one], "captures", "step_time", place=Dimensions(rank=0)) is one
