"""Side by side: what is told apart, what gets no verdict, and what ``--fail-on regressed`` fires on."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from captures.generator import TorchSpec, write_prof_capture
from command import reportgen
from jobs import ADD, AFTER, MATMUL, PROF, TORCH, write_pair
from judged.official_rules import facts
from run_files import served

from reportgen.compare import compare, told_apart
from reportgen.metrics import METRICS
from reportgen.metrics.busy import MEMORY_BOUND
from reportgen.metrics.frequency import PMU_CLOCK
from reportgen.model import (
    Comparability,
    Comparison,
    Dimensions,
    Distinguishable,
    Interval,
    Measurement,
    Metric,
    Missing,
    MissingKind,
    PairStanding,
    Quantity,
    Reason,
    Sample,
    Side,
)
from reportgen.status import regressed, untold, with_status

SLOWER = replace(AFTER, ops=(replace(MATMUL, mean_ns=400_000), ADD))
MORE_STEPS = replace(AFTER, steps=30, schedule={"active": 30})


def rows(root: Path, after: TorchSpec, *more: object) -> dict[str, dict[str, object]]:
    found = json.loads(reportgen("compare", *write_pair(root, TORCH, after), "--json", *more).out)
    return {row["metric"] + row["dimensions"]["part"]: row for row in found["comparisons"]}


def test_a_slower_after_is_told_apart_and_fires(tmp_path: Path) -> None:
    found = reportgen("compare", *write_pair(tmp_path, TORCH, SLOWER), "--fail-on", "regressed")
    assert found.code == 1
    assert "regressed: step_time" in found.err


def test_a_faster_after_does_not_fire(tmp_path: Path) -> None:
    found = reportgen("compare", *write_pair(tmp_path), "--fail-on", "regressed")
    assert found.code == 0


@pytest.mark.parametrize(
    ("key", "value", "code", "said"),
    [
        ("no_such_key", 1, 3, "not compared: step_time rank 0"),  # graded nowhere: every metric is blocked
        ("with_stack", True, 4, "not compared: step_time rank 0"),  # blocks times alone
    ],
)
def test_a_difference_that_blocks_does_not_hide_a_regression(
    tmp_path: Path, key: str, value: object, code: int, said: str
) -> None:
    """The slower AFTER that exits 1 above, with one more setting."""
    before, after = write_pair(tmp_path, TORCH, SLOWER)
    (path,) = after.rglob("profiler_info*.json")
    info = json.loads(path.read_text(encoding="utf-8"))
    where = info["config"]["common_config"] if key == "with_stack" else info
    assert where.get(key) != value
    path.write_text(json.dumps({**info, key: value} if where is info else _with(info, key, value)), encoding="utf-8")
    found = reportgen("compare", before, after, "--fail-on", "regressed")
    assert (found.code, said in found.err) == (code, True)
    assert reportgen("compare", before, after).code == 0


def _with(info: dict[str, Any], key: str, value: object) -> dict[str, Any]:
    common = {**info["config"]["common_config"], key: value}
    return {**info, "config": {**info["config"], "common_config": common}}


@pytest.mark.parametrize(
    ("before", "after", "more", "code", "said"),
    [
        ((300.0,), (290.0,), {}, 0, ""),
        ((300.0,), (400.0,), {}, 4, "cannot be known: latency ttft mean"),  # one figure each
        ((300.0, 301.0, 299.5), (400.0, 402.0, 399.0), {}, 1, "regressed: latency ttft mean"),
        ((300.0,), (290.0,), {"mean_ttft_ms": None}, 4, "cannot be known: latency ttft"),  # taken out of AFTER
        ((300.0,), (290.0,), {"max_concurrency": 8}, 4, "not compared: latency ttft mean"),  # another load
    ],
)
def test_figures_of_runs_fire_too(
    before: tuple[float, ...], after: tuple[float, ...], more: dict[str, Any], code: int, said: str, tmp_path: Path
) -> None:
    """On captures that alone exit 0, see above; all other figures of the results are the better ones in AFTER."""
    logs: list[object] = []
    for side, values, changes in (("before", before, {}), ("after", after, more)):
        for n, ms in enumerate(values):
            path = tmp_path / f"{side}{n}.json"
            seconds = 40 + n if side == "before" else 30 + n
            path.write_text(served(seconds, **{"mean_ttft_ms": ms, **changes}), encoding="utf-8")  # type: ignore[arg-type]
            logs += ["--log", f"{side}={path}"]
    found = reportgen("compare", *write_pair(tmp_path), "--fail-on", "regressed", *logs)
    assert found.code == code, found.err
    assert said in found.err
    assert "latency ttft" in found.err or not said


def test_one_type_that_is_slower_a_call_fires(tmp_path: Path) -> None:
    alone = replace(PROF, ops=(MATMUL,), repeats=30)
    slow = replace(
        alone, ops=(replace(MATMUL, mean_ns=400_000),), seed=5, begin="2026-10-22 09:00:00.000", boot_ns=10**15
    )
    pair = [write_prof_capture(tmp_path / name, spec).path for name, spec in (("before", alone), ("after", slow))]
    found = reportgen("compare", *pair, "--fail-on", "regressed")
    assert found.code == 1
    assert "regressed: kernel_call" in found.err


# --------------------------------------------------------------------------------------------- the word of a row
STEP, SHARE, COUNT = (
    next(metric for metric in METRICS if metric.id == name) for name in ("step_time", "free_share", "kernel_count")
)
HIGHER = replace(STEP, id="rate", better="higher")


@pytest.mark.parametrize(
    ("metric", "delta", "ends", "told", "code", "word"),
    [
        (STEP, -5, (Fraction(9, 10), Fraction(99, 100)), "yes", "interval_excludes_one", "improved"),
        (STEP, 5, (Fraction(101, 100), Fraction(11, 10)), "yes", "interval_excludes_one", "regressed"),
        (HIGHER, 5, (Fraction(101, 100), Fraction(11, 10)), "yes", "interval_excludes_one", "improved"),
        (HIGHER, -5, (Fraction(9, 10), Fraction(99, 100)), "yes", "interval_excludes_one", "regressed"),
        (SHARE, 5, (Fraction(101, 100), Fraction(11, 10)), "yes", "interval_excludes_one", "increased"),
        (COUNT, -5, None, "yes", "exact_differs", "decreased"),
        (COUNT, 0, None, "no", "exact_equal", "equal"),
        (STEP, 0, None, "no", "both_zero", "equal"),
        (STEP, -5, (Fraction(9, 10), Fraction(11, 10)), "no", "interval_includes_one", "no difference demonstrated"),
        (STEP, -5, None, "cannot be known", "one_value_each", "cannot be known"),
        # the medians fell while nearly all differences of pairs grew: no direction is claimed
        (STEP, -5, (Fraction(101, 100), Fraction(11, 10)), "yes", "interval_excludes_one", "cannot be known"),
        (STEP, 0, (Fraction(101, 100), Fraction(11, 10)), "yes", "interval_excludes_one", "cannot be known"),
    ],
)
def test_the_word_of_a_row(
    metric: Metric, delta: int, ends: tuple[Fraction, Fraction] | None, told: Distinguishable, code: str, word: str
) -> None:
    row = compared(metric.id, delta, ends, told, code)
    (found,) = with_status((row,), {metric.id: metric})
    assert found.status == word
    assert bool(regressed((found,))) == (word == "regressed")
    blocked = replace(row, blocked=(Reason.of("pair_not_comparable", keys="ranks"),))
    assert with_status((blocked,), {metric.id: metric})[0].status == "cannot be known"


TOTAL = next(metric for metric in METRICS if metric.id == "kernel_time")


@pytest.mark.parametrize(
    ("metric", "delta", "hidden"),
    [
        (STEP, 5, True),  # slower by one value each
        (STEP, -5, False),
        (STEP, 0, False),
        (HIGHER, -5, True),  # a rate that fell
        (HIGHER, 5, False),
        (SHARE, 5, False),  # neither direction of a share is worse
        (TOTAL, 5, True),  # without a step time the sums are what there is
    ],
)
def test_what_one_value_each_may_hide(metric: Metric, delta: int, hidden: bool) -> None:
    known = {metric.id: metric}
    rows = with_status((compared(metric.id, delta, None, "cannot be known", "one_value_each"),), known)
    assert bool(untold(rows, known)) == hidden


def test_a_total_beside_a_step_time_that_has_a_word_hides_nothing() -> None:
    known = {metric.id: metric for metric in (STEP, TOTAL)}
    total = compared("kernel_time", 5, None, "cannot be known", "one_value_each")
    step = compared("step_time", -5, (Fraction(9, 10), Fraction(99, 100)), "yes", "interval_excludes_one")
    assert not untold(with_status((step, total), known), known)


def test_a_value_that_one_side_alone_has_is_not_shown_to_hold() -> None:
    whole = compared("step_time", 5, None, "cannot be known", "one_value_each")
    held = Quantity(value=100, unit="ns")
    for kind, hidden in ((MissingKind.NOT_RECORDED, True), (MissingKind.NOT_APPLICABLE, False)):
        lost = Missing(kind=kind, reason=Reason.of("no_step_markers"), remedy=None)
        before, after = (
            Measurement(metric="step_time", side=side, dimensions=whole.dimensions, summary=summary)
            for side, summary in ((Side.BEFORE, held), (Side.AFTER, lost))
        )
        row = replace(whole, delta=lost, change=lost, before=before, after=after)
        assert bool(untold((row,), {"step_time": STEP})) == hidden


def compared(
    metric: str, delta: int, ends: tuple[Fraction, Fraction] | None, told: Distinguishable, code: str
) -> Comparison:
    interval = None
    if ends is not None:
        low, high = (Quantity(value=end, unit="1") for end in ends)
        interval = Interval(low=low, high=high, level=Fraction(19, 20), method="hodges-lehmann")
    return Comparison(
        metric=metric,
        dimensions=Dimensions(rank=0),
        before=None,
        after=None,
        delta=Quantity(value=delta, unit="ns"),
        change=Quantity(value=Fraction(delta, 100), unit="1"),
        estimate=None,
        interval=interval,
        distinguishable=told,
        reason=Reason.of(code),
    )


def test_ranks_that_differ_are_compared_and_marked(tmp_path: Path) -> None:
    found = rows(tmp_path, replace(AFTER, ranks=(1,)))
    assert {reason["code"] for reason in found["step_time"]["blocked"]} == {"pair_not_comparable"}
    assert found["step_time"]["distinguishable"] == "cannot be known"


@pytest.mark.parametrize("metric", ["kernel_count", "kernel_time", "row_time", "communication_count"])
def test_sums_over_other_steps_get_no_verdict(tmp_path: Path, metric: str) -> None:
    found = rows(tmp_path, MORE_STEPS)
    assert "totals_of_different_steps" in {reason["code"] for reason in found[metric]["blocked"]}
    assert not found["step_time"]["blocked"]


def test_a_blocked_family_marks_its_rows_only(tmp_path: Path) -> None:
    found = rows(tmp_path, replace(AFTER, common={"with_stack": True}))
    assert "family_blocked" in {reason["code"] for reason in found["step_time"]["blocked"]}
    assert not found["peak_reservedPTA"]["blocked"]


def test_a_communication_setting_blocks_communication_times(tmp_path: Path) -> None:
    found = rows(tmp_path, replace(AFTER, sample={"hcclTrace": "on"}))
    for metric in ("communication", "communication_not_overlapped", "communication_not_overlapped_share"):
        assert "family_blocked" in {reason["code"] for reason in found[metric]["blocked"]}
    assert not found["step_time"]["blocked"]


def test_a_sampled_peak_is_never_told_apart(tmp_path: Path) -> None:
    bigger = replace(AFTER, memory=replace(AFTER.memory, reserved_bytes=AFTER.memory.reserved_bytes * 2))  # type: ignore[union-attr, type-var]
    found = rows(tmp_path, bigger)
    assert found["peak_reservedAPP"]["reason"]["code"] == "sampled_peak_lower_bound"
    assert found["peak_reservedPTA"]["distinguishable"] == "yes"


def test_ranks_of_prof_directories_are_paired_by_rank(tmp_path: Path) -> None:
    for name, spec in (
        ("before", PROF),
        ("after", replace(PROF, begin="2026-10-21 14:03:22.150", boot_ns=PROF.boot_ns + 10**14, seed=3)),
    ):
        for rank in (0, 1):
            write_prof_capture(
                tmp_path / name, replace(spec, pid=spec.pid + rank, seed=spec.seed + rank, info={"rank_id": rank})
            )
    found = json.loads(reportgen("compare", tmp_path / "before", tmp_path / "after", "--json").out)
    assert {row["dimensions"]["rank"] for row in found["comparisons"]} == {0, 1}
    assert found["standing"] in {"with_reservations", "comparable"}


def test_the_interval_of_an_operator_type_is_the_one_that_decided(tmp_path: Path) -> None:
    # MatMulV2 and Add hold more than 1 % each: two types at 1 - 0.05 / 2 = 0.975; MatMulV2 leaves, Add alone at 0.95
    found = json.loads(reportgen("compare", *write_pair(tmp_path, TORCH, SLOWER), "--json").out)
    calls = {row["type"]: row["call"] for row in found["operators"] if row["call"]}
    assert [call["interval"]["level"]["exact"] for call in calls.values()] == ["0.975", "0.95"]
    assert calls["MatMulV2"]["distinguishable"] == "yes"
    assert calls["MatMulV2"]["interval"]["low"]["value"] > 1
    printed = reportgen("compare", tmp_path / "before", tmp_path / "after", "--language", "en").out
    assert "97.5%" in next(line for line in printed.splitlines() if line.startswith("  MatMulV2"))


def clock(side: Side, values: tuple[int, ...], resolution: int) -> Measurement:
    """The clock of a side in Hz, one value for each step, its middle one as the value."""
    return Measurement(
        metric="pmu_clock",
        side=side,
        dimensions=Dimensions(rank=0),
        summary=Quantity(value=values[len(values) // 2], unit="1/s"),
        sample=Sample(unit="1/s", values=values, labels=tuple(map(str, range(len(values))))),
        resolution=Quantity(value=resolution, unit="1/s"),
    )


@pytest.mark.parametrize(("resolution", "told"), [(0, "yes"), (1, "no"), (4, "no")])
def test_a_difference_that_rounding_can_make_is_not_demonstrated(resolution: int, told: str) -> None:
    # 1799999996 and 1799999998 Hz in every step: the ratio's interval excludes 1, yet the sides differ by 2 Hz, and the
    # rounding of recorded times moves each side by 1 Hz or by 4
    before = clock(Side.BEFORE, (1_799_999_996,) * 9, resolution)
    after = clock(Side.AFTER, (1_799_999_998,) * 9, resolution)
    found = told_apart(PMU_CLOCK, before, after)
    assert found[2] == told
    assert (found[3].code == "below_resolution") == (told == "no")


def test_nothing_on_both_sides_is_equal_and_not_unknown() -> None:
    before, after = clock(Side.BEFORE, (0, 0, 0, 0, 0), 0), clock(Side.AFTER, (0, 0, 0, 0, 0), 0)
    found = told_apart(PMU_CLOCK, before, after)
    assert (found[2], found[3].code) == ("no", "both_zero")


@pytest.mark.parametrize(
    ("metric", "unit", "values", "change"),
    [
        (PMU_CLOCK, "1/s", (1_800_000_000, 1_650_000_000), Fraction(-1, 12)),  # 150 of 1800 MHz less
        (MEMORY_BOUND, "1", (Fraction(1, 2), Fraction(3, 4)), None),  # a ratio: its delta, + 0.25
    ],
)
def test_a_clock_changes_in_percent_and_a_ratio_does_not(
    metric: Metric, unit: str, values: tuple[int | Fraction, int | Fraction], change: Fraction | None
) -> None:
    sides = [
        replace(
            clock(side, (1, 1, 1), 0),
            metric=metric.id,
            dimensions=Dimensions(rank=0, device=0),
            summary=Quantity(value=value, unit=unit),
            sample=None,
        )
        for side, value in zip(Side, values, strict=True)
    ]
    alike = Comparability(standing=PairStanding.COMPARABLE, differences=(), workload=None)
    captures = tuple(facts(side, {}, "torch_npu text", 1, ()) for side in Side)
    (row,) = compare((metric,), sides[:1], sides[1:], (captures[0], captures[1]), [(0, 0)], alike)
    assert (row.change.value if isinstance(row.change, Quantity) else None) == change
