"""Several captures of a side: each gives one value, and the interval is that of the captures, not of their steps."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from captures.generator import TorchSpec, write_torch_capture
from command import reportgen
from hypothesis import given
from hypothesis import strategies as st
from jobs import AFTER, TORCH
from judged import goals
from scipy import stats

from reportgen import samples
from reportgen.compare import told_apart
from reportgen.contract import read_target
from reportgen.equivalence import equivalence
from reportgen.metrics import METRICS
from reportgen.model import (
    Applicability,
    Dimensions,
    EquivalenceBand,
    Evaluation,
    Measurement,
    Missing,
    MissingKind,
    Origin,
    Outcome,
    PairStanding,
    Quantity,
    Reason,
    Sample,
    Side,
)
from reportgen.pipeline import build_report, evaluate
from reportgen.planning import needed
from reportgen.repeats import pooled

BY_ID = {metric.id: metric for metric in METRICS}
SPEEDS = (996, 1000, 1004)
"""Thousandths of the kernels' mean durations: repeats that differ by 0.4 %."""


# --------------------------------------------------------------------------------------------- statistics
def fieller(x: Iterable[float], y: Iterable[float], level: float = 0.95) -> tuple[float, float, float]:
    """Ratio and ends as the method is written, by numpy and scipy.stats."""
    x, y = np.array(list(x), dtype=float), np.array(list(y), dtype=float)
    a, b = x.mean(), y.mean()
    va, vb = x.var(ddof=1) / len(x), y.var(ddof=1) / len(y)
    nu = (va + vb) ** 2 / (va**2 / (len(x) - 1) + vb**2 / (len(y) - 1))
    t = stats.t.ppf((1 + level) / 2, nu)
    ha, hb = t * np.sqrt(va), t * np.sqrt(vb)
    root = np.sqrt((a * b) ** 2 - (a**2 - ha**2) * (b**2 - hb**2))
    return b / a, (a * b - root) / (a**2 - ha**2), (a * b + root) / (a**2 - ha**2)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([100, 101, 99], [90, 91, 89]),
        ([512, 515, 509, 511], [410, 409, 412]),
        ([10**9, 10**9 + 3 * 10**6, 10**9 - 10**6], [9 * 10**8, 9 * 10**8 + 10**6, 9 * 10**8 - 10**6]),
        ([100, 103], [90, 91]),
    ],
)
def test_the_interval_of_captures_is_fiellers(before: list[int], after: list[int]) -> None:
    found = samples.ratio_of_captures(before, after)
    ratio, low, high = fieller(before, after)
    assert found.interval is not None
    assert found.method == "fieller"
    assert (found.ratio, found.interval.low, found.interval.high) == pytest.approx((ratio, low, high), rel=1e-9)
    assert found.reason == ("two_captures" if len(before) == 2 else "")


def test_by_hand() -> None:
    # BEFORE 9, 10, 11: mean 10, s^2 / r = 1/3; AFTER the same. Both variances equal, so the freedom is 4, t = 2.776445,
    # h^2 = 7.708647 / 3 = 2.569549; (a b)^2 - (a^2 - h^2)^2 = 10000 - 97.430451^2 = 507.307; root 22.523480.
    # Ends (100 -+ 22.523480) / 97.430451 = 0.795198 and 1.257548.
    found = samples.ratio_of_captures([9, 10, 11], [9, 10, 11])
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((0.795198, 1.257548), abs=2e-6)
    assert found.distinguishable == "no"


def test_captures_that_agree_to_eight_digits_have_an_interval_of_their_width() -> None:
    # 10^9 +- 1 of three captures each: u^2 = 1/3 on both sides, h = 2.776445 / sqrt 3 = 1.602981, and to first order
    # the half-width of b / a is sqrt(2) h / 10^9 = 2.266957e-9; floats lose (a b)^2 - (a^2 - h^2)(b^2 - h^2) there.
    found = samples.ratio_of_captures([10**9 - 1, 10**9, 10**9 + 1], [10**9 - 1, 10**9, 10**9 + 1])
    assert found.interval is not None
    assert (found.interval.high - found.interval.low) / 2 == pytest.approx(2.266957e-9, rel=1e-5)


def test_what_gives_no_interval() -> None:
    one = samples.ratio_of_captures([100], [90, 91, 92])
    assert (one.interval, one.reason, one.distinguishable) == (None, "one_capture_on_a_side", "cannot be known")
    assert samples.ratio_of_captures([0, 1], [1, 2]).reason == "non_positive"
    wide = samples.ratio_of_captures([1, 100], [1, 2])  # BEFORE's mean is within its own h of 0
    assert (wide.interval, wide.reason, wide.distinguishable) == (None, "captures_scatter", "cannot be known")
    assert samples.mean_of_captures([5]) is None


def test_captures_that_all_give_one_value_on_both_sides_show_no_difference() -> None:
    # 1800 MHz six times: nothing differs, so there is nothing to tell; of 1800 and 1799 it cannot be known.
    metric = BY_ID["step_time"]
    sides = [pooled([[measured("step_time", v)] for v in (v, v, v)], ("x", "y", "z"), BY_ID)[0] for v in (1800, 1799)]
    estimate, interval, told, reason = told_apart(metric, sides[0], sides[0])
    assert (interval, told, reason.code) == (None, "no", "below_resolution")
    estimate, interval, told, reason = told_apart(metric, *sides)
    assert (estimate, interval, told, reason.code) == (None, None, "cannot be known", "captures_alike")


@pytest.mark.parametrize(("before", "after"), [([100] * 3, [90] * 3), ([100] * 4, [90, 91, 92]), ([9, 10], [9, 9])])
def test_captures_alike_to_the_last_digit_do_not_show_how_they_vary(before: list[int], after: list[int]) -> None:
    found = samples.ratio_of_captures(before, after)
    assert (found.interval, found.reason, found.distinguishable) == (None, "captures_alike", "cannot be known")
    assert found.ratio == sum(after) / len(after) / (sum(before) / len(before))
    assert samples.mean_of_captures([7, 7, 7]) is None


def test_the_interval_of_one_side_is_the_t_interval_of_its_mean() -> None:
    # 10, 11, 12: mean 11, s = 1, t(2) = 4.302653, half-width 4.302653 / sqrt(3) = 2.484138
    found = samples.mean_of_captures([10, 11, 12])
    assert found is not None
    assert (found.low, found.high) == pytest.approx((8.515862, 13.484138), abs=1e-6)


@given(
    st.lists(st.integers(10**6, 10**9), min_size=2, max_size=6),
    st.lists(st.integers(10**6, 10**9), min_size=2, max_size=6),
    st.integers(2, 1000),
)
def test_the_unit_does_not_matter(before: list[int], after: list[int], factor: int) -> None:
    one = samples.ratio_of_captures(before, after)
    other = samples.ratio_of_captures([v * factor for v in before], [v * factor for v in after])
    assert (one.interval is None) == (other.interval is None)
    if one.interval is not None and other.interval is not None:
        assert other.interval.low == pytest.approx(one.interval.low, rel=1e-6)
        assert other.interval.high == pytest.approx(one.interval.high, rel=1e-6)


# --------------------------------------------------------------------------------------------- one row of several
def measured(metric: str, value: int | Missing, unit: str = "ns", steps: tuple[int, ...] = ()) -> Measurement:
    summary = value if isinstance(value, Missing) else Quantity(value=value, unit=unit)
    return Measurement(
        metric=metric,
        side=Side.AFTER,
        dimensions=Dimensions(rank=0),
        summary=summary,
        sample=Sample(unit=unit, values=steps, labels=tuple(map(str, range(len(steps))))) if steps else None,
        origins=(Origin(file="after/kernel_details.csv", digest="d" * 64, locator="rows", formula="f"),),
        basis="step window",
    )


def test_a_side_is_the_mean_of_its_captures_and_names_them() -> None:
    (row,) = pooled([[measured("step_time", v)] for v in (100, 101, 103)], ("x", "y", "z"), BY_ID)
    assert row.summary == Quantity(value=Fraction(304, 3), unit="ns")
    assert row.sample is not None
    assert (row.sample.values, row.sample.labels) == ((100, 101, 103), ("x", "y", "z"))
    assert [o.file for o in row.origins] == [f"after/{n}/kernel_details.csv" for n in ("x", "y", "z")]
    assert row.interval is not None
    assert row.interval.method == "captures"


def test_a_count_is_that_of_the_worst_capture() -> None:
    (row,) = pooled([[measured("kernel_count", v, "1")] for v in (34, 34, 35)], ("x", "y", "z"), BY_ID)
    assert row.summary == Quantity(value=35, unit="1")
    assert "captures_differ" in {w.code for w in row.warnings}
    assert row.interval is None


def test_nothing_is_averaged_over_fewer_captures_than_there_are() -> None:
    lacking = Missing(kind=MissingKind.NOT_COLLECTED, reason=Reason.of("pmu_not_collected", metric="m"))
    (row,) = pooled([[measured("step_time", 100)], [measured("step_time", lacking)]], ("x", "y"), BY_ID)
    assert isinstance(row.summary, Missing)
    assert row.summary.reason == Reason.of("captures_lack_value", names="y", n=1, of=2)
    (absent,) = pooled([[measured("step_time", 100)], []], ("x", "y"), BY_ID)
    assert isinstance(absent.summary, Missing)
    other = replace(measured("step_time", 101), basis="device span")
    (mixed,) = pooled([[measured("step_time", 100)], [other]], ("x", "y"), BY_ID)
    assert isinstance(mixed.summary, Missing)
    assert mixed.summary.reason.code == "captures_measured_differently"


# --------------------------------------------------------------------------------------------- whole pairs
GOAL = """
[[case.goal]]
id = "{id}"
metric = "{metric}"
statistic = "{statistic}"
direction = "at_most"
subject = "{subject}"
limit = "{limit}"
"""
HEAD = """
schema = 1
decision_rule = "guarded"
[contract]
reference = "T"
[[case]]
id = "C"
clause = "1"
[case.workload]
checkpoint_steps = "none"
"""


def write_repeats(root: Path, name: str, spec: TorchSpec, speeds: tuple[int, ...] = SPEEDS) -> list[Path]:
    """Repeats of one build: other process, other noise, kernels a little faster or slower."""
    found = []
    for n, speed in enumerate(speeds):
        ops = tuple(replace(op, mean_ns=op.mean_ns * speed // 1000) for op in spec.ops)
        write_torch_capture(
            root / f"{name}{n}",
            replace(
                spec,
                ops=ops,
                seed=spec.seed + 10 * (n + 1),
                pid=spec.pid + 7 * (n + 1),
                boot_ns=spec.boot_ns + (n + 1) * 10**14,
                begin=f"{spec.begin[:8]}{int(spec.begin[8:10]) + n:02d}{spec.begin[10:]}",
            ),
        )
        found.append(root / f"{name}{n}")
    return found


def judged(root: Path, before: list[Path], after: list[Path], *goals: dict[str, str]) -> Evaluation:
    target = root / "target.toml"
    target.write_text(HEAD + "".join(GOAL.format(**goal) for goal in goals), encoding="utf-8")
    return evaluate(before, after, target=read_target(target))


OWN = """
schema = 1
[agreed]
on = "2026-10-06"
by = "the team"
[[threshold]]
id = "own"
title = "free share"
metric = "free_share"
direction = "at_most"
limit = "90%"
scope = "our training"
"""
RATIO = {"id": "G", "metric": "step_time", "statistic": "median", "subject": "ratio", "limit": "95%"}
P90 = {"id": "P", "metric": "step_time", "statistic": "p90", "subject": "after", "limit": "20 ms"}
COUNT_METRIC = "kernel_count"
COUNT = {"id": "K", "metric": "kernel_count_per_step", "statistic": "count", "subject": "after", "limit": "10"}


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path], list[Path]]:
    root = tmp_path_factory.mktemp("repeats")
    return root, write_repeats(root, "b", TORCH), write_repeats(root, "a", AFTER)


def test_three_captures_a_side_are_judged_on_their_values(three: tuple[Path, list[Path], list[Path]]) -> None:
    found = judged(*three, RATIO, P90, COUNT)
    row = next(r for r in found.comparisons if r.metric == "step_time")
    assert row.before is not None
    assert row.after is not None
    assert row.interval is not None
    values = [[float(m.summary.value) for m in side.each] for side in (row.before, row.after)]  # type: ignore[union-attr]
    assert [len(side) for side in values] == [3, 3]
    _, low, high = fieller(*values)
    assert (float(row.interval.low.value), float(row.interval.high.value)) == pytest.approx((low, high), rel=1e-9)
    assert found.verdict is not None
    assert [j.outcome for j in found.verdict.judgements] == [Outcome.MET] * 3
    p90 = found.verdict.judgements[1]
    each = [sorted(m.sample.values)[-(-9 * len(m.sample.values) // 10) - 1] for m in row.after.each if m.sample]
    assert p90.value == Quantity(value=p90.value.value, unit="ns")  # type: ignore[union-attr]
    assert Fraction(p90.value.value) == Fraction(sum(map(Fraction, each)), 3)  # type: ignore[union-attr]
    assert p90.interval is not None  # of the captures, also for a percentile


def test_every_printed_number_of_repeats_names_its_capture(three: tuple[Path, list[Path], list[Path]]) -> None:
    report = build_report(judged(*three, RATIO))
    names = {c.name for c in report.captures if c.side is Side.AFTER}
    of_steps = next(row for row in report.metrics if row.metric == "step_time")
    files = {row.origin.file for row in report.origins if row.id in of_steps.after.value.origins}  # type: ignore[union-attr]
    assert len(names) == 3
    assert {file.split("/")[1] for file in files} == names
    assert len(report.captures) == 6
    assert report.goals[0].captures == 3


def test_a_goal_on_another_statistic_shows_and_plans_by_that_of_each_capture(
    three: tuple[Path, list[Path], list[Path]],
) -> None:
    # P90 of nine steps is the ninth (nearest rank); how many captures would decide it follows from the spread of these.
    p90s: list[Fraction] = []
    for m in next(r for r in judged(*three, P90).comparisons if r.metric == "step_time").after.each:  # type: ignore[union-attr]
        assert m.sample is not None
        p90s.append(Fraction(sorted(m.sample.values)[-(-9 * len(m.sample.values) // 10) - 1]))
    mean = sum(p90s) / 3
    limit = int(mean * Fraction(1003, 1000))  # 0.3 % above, inside the interval
    found = judged(*three, P90 | {"limit": f"{limit} ns"})
    (goal,) = build_report(found).goals
    assert [one.quantity.value for one in goal.each_after] == p90s
    assert len(goal.each_before) == 3
    assert goal.reason.code == "interval_crosses_limit"
    expected = needed(abs(math.log(mean / limit)), samples.spread_of([p90s]), sides=1)
    assert goal.captures_needed is not None
    assert goal.captures_needed.quantity.value == expected
    medians = [m.summary.value for m in next(r for r in found.comparisons if r.metric == "step_time").after.each]  # type: ignore[union-attr]
    assert needed(abs(math.log(mean / limit)), samples.spread_of([medians]), sides=1) != expected


@pytest.mark.parametrize("known", ["1%", ""])
def test_what_is_known_between_captures_holds_for_one_after_however_many_before_has(
    three: tuple[Path, list[Path], list[Path]], known: str
) -> None:
    # AFTER of one capture is the same whatever BEFORE has: so is its u_B, stated, or asked for and not to be had.
    root, before, after = three
    between = '\n[[between_captures]]\nmetric = "step_time"\n' + (
        f'relative_sd = "{known}"\ndetermined = "d"\n' if known else ""
    )
    goal = GOAL.format(**{**RATIO, "subject": "after", "limit": "1.12 ms"})
    found = []
    for n in (1, 3):
        (root / "known.toml").write_text(HEAD + goal + between, encoding="utf-8")
        verdict = evaluate(before[:n], after[:1], target=read_target(root / "known.toml")).verdict
        assert verdict is not None
        found.append(verdict.judgements[0])
    assert [one.outcome for one in found] == [Outcome.UNDECIDED] * 2
    assert (found[0].interval, found[0].reason) == (found[1].interval, found[1].reason)


@pytest.mark.parametrize(
    ("subject", "direction", "value"),
    [("ratio", "at_most", Fraction(35, 34)), ("delta", "at_most", 1), ("ratio", "at_least", Fraction(34, 36)),
     ("delta", "at_least", -2), ("after", "at_most", 35), ("after", "at_least", 34)],
)  # fmt: skip
def test_the_counts_beside_a_goal_are_those_it_was_judged_on(subject: str, direction: str, value: Fraction) -> None:
    # BEFORE 34, 36, 35 and AFTER 34, 35, 34: the worst of AFTER against what flatters it least: 35 / 34, or 34 / 36.
    sides = {
        Side.BEFORE: goals.repeats(Side.BEFORE, 34, 36, 35, metric=COUNT_METRIC, unit="1"),
        Side.AFTER: goals.repeats(Side.AFTER, 34, 35, 34, metric=COUNT_METRIC, unit="1"),
    }
    limit = goals.one("1" if subject != "after" else "40")
    asked = goals.goal(metric=COUNT_METRIC, statistic="count", subject=subject, direction=direction, limit=limit)
    setup = goals.Setup(goals=(asked,), rows=(goals.row(*sides.values()),))
    (found,) = goals.verdict(setup).judgements
    assert found.value == Quantity(value=value, unit="1")
    shown = found.comparison
    assert shown is not None
    b, a = (Fraction(side.summary.value) for side in (shown.before, shown.after))  # type: ignore[union-attr]
    assert {"ratio": a / b, "delta": a - b, "after": a}[subject] == value


def test_values_without_spread_are_not_called_equivalent() -> None:
    flat = goals.row(goals.BEFORE, goals.measured(Side.AFTER, (200 * goals.MS,) * 9))
    band = EquivalenceBand(metric="step_time", band=Quantity(value=Fraction(1, 5), unit="1"), origin=goals.ORIGIN)
    found = equivalence(replace(flat, distinguishable="no"), band)
    assert (found.shown, found.interval, found.reason.code) == (False, None, "run_values_alike")


def test_two_captures_are_too_few_for_a_guarded_goal(three: tuple[Path, list[Path], list[Path]]) -> None:
    root, before, after = three
    found = judged(root, before[:2], after[:2], RATIO)
    assert found.verdict is not None
    (one,) = found.verdict.judgements
    assert (one.outcome, one.reason.code) == (Outcome.UNDECIDED, "few_values")


@pytest.mark.parametrize(("many", "few"), [((2, 1), (1, 1)), ((3, 1), (1, 1))])
@pytest.mark.parametrize("several", Side)
def test_the_steps_of_one_capture_are_no_captures_beside_several(
    three: tuple[Path, list[Path], list[Path]], several: Side, many: tuple[int, int], few: tuple[int, int]
) -> None:
    # One capture shows nothing of how captures vary, so nothing is told of any sample; AFTER alone, of one capture, is
    # judged as it would be beside one BEFORE.
    root, before, after = three
    n, m = many if several is Side.BEFORE else many[::-1]
    after_alone = {**RATIO, "id": "A", "subject": "after", "limit": "20 ms"}
    found = judged(root, before[:n], after[:m], RATIO, after_alone)
    assert found.verdict is not None
    of_samples = [r for r in found.comparisons if not BY_ID[r.metric].exact and r.change is not None]
    assert {r.distinguishable for r in of_samples} <= {"cannot be known", "no"}
    assert all(r.reason.code == "both_zero" for r in of_samples if r.distinguishable == "no")
    (steps,) = [r for r in of_samples if r.metric == "step_time"]
    assert (steps.interval, steps.reason.code) == (None, "one_capture_on_a_side")
    ratio, alone = found.verdict.judgements
    assert (ratio.outcome, ratio.reason.code, ratio.interval) == (Outcome.UNDECIDED, "no_interval_one_capture", None)
    if several is Side.BEFORE:
        beside_one = judged(root, before[: few[0]], after[: few[1]], after_alone).verdict
        assert beside_one is not None
        assert (alone.outcome, alone.interval) == (Outcome.MET, beside_one.judgements[0].interval)


def test_a_copy_with_other_clocks_and_gaps_is_no_repeat(tmp_path: Path) -> None:
    # Process, boot, clocks and gaps of another run, and every kernel as long as before: two runs never share all.
    first, copy = write_repeats(tmp_path, "c", TORCH, (1000, 1000))
    source, table = (next(one.rglob("kernel_details.csv")) for one in (first, copy))
    taken, edited = (list(csv.DictReader(path.open(encoding="utf-8", newline=""))) for path in (source, table))
    for row, other_row in zip(edited, taken, strict=True):
        row["Duration(us)"] = other_row["Duration(us)"]
    with table.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, fieldnames=list(edited[0]))
        writer.writeheader()
        writer.writerows(edited)
    (other,) = write_repeats(tmp_path, "a", AFTER, (1000,))
    found = judged(tmp_path, [first, copy], [other], RATIO)
    (same,) = [d for d in found.comparability.differences if d.key == "same_capture"]
    assert same.reason == Reason.of("same_capture_again", what="durations of all kernels", side=Side.BEFORE)
    assert found.comparability.standing is PairStanding.NOT_COMPARABLE


def test_the_same_capture_is_no_repeat(three: tuple[Path, list[Path], list[Path]]) -> None:
    root, before, after = three
    found = judged(root, [before[0], before[0], before[1]], after, RATIO)
    assert found.comparability.standing is PairStanding.NOT_COMPARABLE
    assert any(d.key == "same_capture" for d in found.comparability.differences)
    crossed = judged(root, before, [after[0], after[1], before[2]], RATIO)
    assert crossed.comparability.standing is PairStanding.NOT_COMPARABLE


def test_repeats_have_to_be_alike_and_the_change_list_does_not_help(
    three: tuple[Path, list[Path], list[Path]], tmp_path: Path
) -> None:
    # The changed allocator is on the change list of the pair; between repeats of one side nothing may differ.
    _root, before, after = three
    odd = replace(AFTER, env={"PYTORCH_NPU_ALLOC_CONF": "expandable_segments:True"})
    (other,) = write_repeats(tmp_path, "odd", replace(odd, pid=AFTER.pid + 99, boot_ns=AFTER.boot_ns + 10**16), (1000,))
    target = tmp_path / "target.toml"
    change = '\n[[change]]\nwhat = "segments"\nkeys = ["ENV_VARIABLES.PYTORCH_NPU_ALLOC_CONF"]\n'
    target.write_text(HEAD + GOAL.format(**RATIO) + change, encoding="utf-8")
    found = evaluate(before, [*after[:2], other], target=read_target(target))
    assert found.comparability.standing is PairStanding.NOT_COMPARABLE
    keys = {d.key for d in found.comparability.differences if d.blocks_all}
    assert keys == {"profiler_metadata.pytorch_npu_alloc_conf"}
    assert any(found.after[2].name in d.place for d in found.comparability.differences if d.blocks_all)


def test_kernels_left_out_of_repeats(three: tuple[Path, list[Path], list[Path]]) -> None:
    root, before, after = three
    target = root / "excluded.toml"
    target.write_text(HEAD + GOAL.format(**RATIO), encoding="utf-8")
    found = evaluate(before, after, target=read_target(target), exclude={"aclnnAdd_3*": "clears the cache"})
    keys = [d.key for d in found.comparability.differences if d.key.startswith("excluded.")]
    assert keys == ["excluded.aclnnAdd_3*"]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_a_goal_on_one_operator_type_is_not_judged_on_the_first_capture_alone(
    three: tuple[Path, list[Path], list[Path]], tmp_path: Path, order: tuple[int, ...]
) -> None:
    root, before, after = three
    slow = replace(AFTER, ops=(replace(AFTER.ops[0], mean_ns=400_000), *AFTER.ops[1:]), pid=7, boot_ns=10**17)
    (odd,) = write_repeats(tmp_path, "slow", slow, (1000,))
    goal = {**RATIO, "metric": "kernel_call", "limit": '95%"\npart = "MatMulV2'}
    mixed = [*after[:2], odd]
    found = judged(root, before, [mixed[i] for i in order], goal)
    assert found.verdict is not None
    (one,) = found.verdict.judgements
    assert (one.outcome, one.reason.code) == (Outcome.UNDECIDED, "operators_of_first_capture")


def test_every_repeat_has_to_show_what_a_rule_asks(three: tuple[Path, list[Path], list[Path]]) -> None:
    # The own baseline on the free share needs two steps on every rank; one AFTER repeat has a single step.
    root, before, after = three
    (short,) = write_repeats(root, "short", replace(AFTER, steps=1, pid=9, boot_ns=10**18), (1000,))
    own = root / "own.toml"
    own.write_text(OWN, encoding="utf-8")
    target = root / "own-target.toml"
    target.write_text(HEAD + 'phase = "training"\n' + GOAL.format(**COUNT), encoding="utf-8")
    for repeats, answer in ((after, Applicability.APPLIES), ([*after[:2], short], Applicability.CANNOT_DECIDE)):
        verdict = evaluate(before, repeats, target=read_target(target), thresholds=own).verdict
        assert verdict is not None
        (rule,) = [r for r in verdict.thresholds if r.threshold.id == "own"]
        assert rule.applicability is answer
    assert "steps_unknown" in {reason.code for reason in rule.reasons}


def test_one_capture_a_side_stays_what_it_was(three: tuple[Path, list[Path], list[Path]]) -> None:
    root, before, after = three
    found = judged(root, before[:1], after[:1], RATIO)
    row = next(r for r in found.comparisons if r.metric == "step_time")
    assert row.interval is not None
    assert row.interval.method == "hodges-lehmann"
    assert row.after is not None
    assert row.after.each == ()
    assert not any(o.file.startswith("after/a0") for o in row.after.origins)


@pytest.mark.parametrize("verb", ["check", "compare", "report"])
def test_an_option_and_an_argument_of_one_side_are_refused(verb: str) -> None:
    # A shell writes `--after a1 a2` for `--after a*`: a2 stands alone then and would be the first capture of BEFORE.
    found = reportgen(verb, "--before", "b1", "--after", "a1", "a2")
    assert found.code == 2
    assert "[side_given_twice]" in found.err
