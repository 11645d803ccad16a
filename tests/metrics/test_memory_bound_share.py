"""The share of AI Core time in kernels whose own mte2 / max(mac, vec) is above 1, where one core does both.

The sums stand in the tests; the limit is that of evidence/rules/msprof.toml, op-summary-memory-bound.
"""

from __future__ import annotations

import csv
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from captures.generator import ASCEND_310B, write_prof_capture
from corpus import ADD_ASCENDC, ADDCMUL, GELU, MATMUL, SCATTER, needs_corpus, prof
from jobs import ADD, PROF
from jobs import MATMUL as CUBE
from pmu_frames import SHARED, at, kernels

from reportgen.definitions import read_definitions
from reportgen.metrics import busy, measure
from reportgen.metrics.common import Place
from reportgen.model import Measurement, Missing, MissingKind, Quantity, Reason
from reportgen.reading import read_capture


def share(place: Place) -> Measurement:
    (measured,) = [one for one in busy.measure(place) if one.metric == "memory_bound_share"]
    return measured


def value(measured: Measurement) -> Fraction:
    assert isinstance(measured.summary, Quantity), measured
    return Fraction(measured.summary.value)


def why(measured: Measurement) -> tuple[MissingKind, str]:
    assert isinstance(measured.summary, Missing), measured
    return measured.summary.kind, measured.summary.reason.code


def row(
    total: int, mte2: int | None, mac: int | None, vec: int | None, cycles: int = 1, **more: object
) -> dict[str, object]:
    """A row of a chip with one kind of core: total in ps, ratios in thousandths."""
    ratios = {"aic_mte2_ratio": mte2, "aic_mac_ratio": mac, "aiv_vec_ratio": vec}
    cells = {name: None if ratio is None else 1000 * ratio for name, ratio in ratios.items()}
    return {"aic_total": total, "aic_cycles": cycles, **cells, **more}


def timed(total: int, times: tuple[int | None, ...], ratios: tuple[int, int, int], form: str = "") -> dict[str, object]:
    """The same with times of (mte2, mac, vec) in ps."""
    names = [f"aic_mte2{form}", f"aic_mac{form}", f"aiv_vec{form}"]
    cells = {f"{name}_time": time for name, time in zip(names, times, strict=True)}
    parts = {f"{name}_ratio": 1000 * ratio for name, ratio in zip(names, ratios, strict=True)}
    return {"aic_total": total, "aic_cycles": 1, **cells, **parts}


def shared(rows: list[dict[str, object]]) -> Place:
    return at(kernels(rows, SHARED))


@pytest.mark.parametrize(
    ("title", "rows", "expected"),
    [
        # 600/300 = 2 in 10, 100/900 in 30: 10 / 40
        ("weighted by total time", [row(10, 600, 300, 0), row(30, 100, 0, 900)], Fraction(10, 40)),
        ("above the larger of both", [row(10, 500, 400, 600), row(30, 500, 100, 499)], Fraction(30, 40)),
        # 500/500 = 1: neither above nor left out
        ("1 itself is not above", [row(10, 500, 500, 0), row(30, 501, 500, 0)], Fraction(30, 40)),
        # no quotient: in neither sum; with it the share would be 10/60 or 30/60
        (
            "nothing computed is in neither sum",
            [row(10, 600, 300, 0), row(10, 1, 2, 0), row(40, 900, 0, 0)],
            Fraction(1, 2),
        ),
        ("no transfers is a quotient of 0", [row(10, 0, 300, 0), row(10, 400, 300, 0)], Fraction(1, 2)),
        (
            "by cycles where no time is recorded",
            [row(0, 600, 300, 0, cycles=700), row(0, 100, 300, 0, cycles=300)],
            Fraction(700, 1000),
        ),
        ("a row without a cell is left out", [row(10, 600, 300, 0), row(30, None, 300, 0)], Fraction(1)),
        ("a task of the vector unit is one too", [row(10, 600, 0, 300, accelerator="AI_VECTOR_CORE")], Fraction(1)),
        # 500.0 / 500.0 thousandths, but 10.001 us against 10.000 us
        ("by times where all are there", [timed(20_000_000, (10_001_000, 10_000_000, 0), (500, 500, 0))], Fraction(1)),
        ("also against the ratios", [timed(20_000_000, (10_000_000, 10_001_000, 0), (501, 500, 0))], Fraction(0)),
        ("by ratios where a time is empty", [timed(20, (10, None, 0), (501, 500, 0))], Fraction(1)),
        # a time below 1 ns is written as 0, its ratio is not
        ("by ratios where no computing time is left", [timed(900, (400, 0, 0), (444, 450, 0))], Fraction(0)),
        ("of PipelineExecuteUtilization", [timed(20, (11, 10, 0), (500, 500, 0), "_exe")], Fraction(1)),
    ],
)
def test_share_of_memory_bound_kernels(title: str, rows: list[dict[str, object]], expected: Fraction) -> None:
    assert value(share(shared(rows))) == expected, title


def test_it_is_made_of_what_it_says() -> None:
    measured = share(shared([row(10_000, 600, 300, 0), row(30_000, 100, 0, 900), row(5_000, 9, 0, 0)]))
    assert measured.numerator == Quantity(value=10, unit="ns")
    assert measured.denominator == Quantity(value=40, unit="ns")
    assert measured.basis == "time-weighted"
    assert measured.origins[0].locator.endswith("; 2 rows, 1 above")
    assert measured.origins[-1].file == "evidence/definitions.toml"
    at_level_0 = share(shared([row(0, 600, 300, 0, cycles=7)]))
    assert (at_level_0.basis, at_level_0.denominator) == ("cycle-weighted", Quantity(value=7, unit="1"))


def test_what_is_left_out_and_what_is_at_the_limit_is_counted() -> None:
    rows = [row(10, 600, 300, 0), row(10, 500, 500, 0), row(10, 700, 100, 700), row(10, 5, 0, 0), row(10, 0, 0, 0)]
    assert share(shared(rows)).warnings == (
        Reason.of("memory_bound_share_left_out", n=2, of=5),
        Reason.of("memory_bound_share_at_limit", n=2, of=3),
    )
    assert share(shared(rows[:1])).warnings == ()


def test_the_limit_is_the_published_one_and_strict() -> None:
    limit = read_definitions()["memory_bound_limit"]
    assert (limit.value, limit.relation, limit.authority, limit.metric) == (
        1,
        "above",
        "document",
        "memory_bound_share",
    )
    assert limit.source is not None
    assert (limit.source.id, limit.source.quote) == ("op-summary-memory-bound", "计算结果大于1则表示有Memory瓶颈")


def test_a_step_has_its_own_share() -> None:
    # steps 1 and 2 are kept, 3 has no successor: 10/20, 30/40; of all rows (10 + 30 + 0) / (20 + 40 + 20)
    rows = [
        row(10, 600, 300, 0, step="1"),
        row(10, 100, 300, 0, step="1"),
        row(30, 600, 300, 0, step="2"),
        row(10, 100, 300, 0, step="2"),
        row(10, 100, 300, 0, step="3"),
        row(10, 100, 300, 0, step="3"),
    ]
    measured = share(shared(rows))
    assert value(measured) == Fraction(40, 80)
    assert measured.sample is not None
    assert (measured.sample.labels, measured.sample.values) == (("1", "2"), (Fraction(1, 2), Fraction(3, 4)))


# ------------------------------------------------------------------------------------------------ missing
def test_where_cores_are_apart_the_field_does_not_exist() -> None:
    rows = [{"aic_total": 100, "aic_mac_time": 20, "aic_mte2_time": 60, "aiv_total": 0, "aiv_vec_time": 0}]
    for table in (kernels(rows), replace(kernels(rows, SHARED), source="db")):
        measured = share(at(table))
        assert why(measured) == (MissingKind.NOT_APPLICABLE, "cores_apart")


def test_no_value_is_missing_with_its_reason() -> None:
    assert why(share(at(kernels([{}], ())))) == (MissingKind.NOT_COLLECTED, "pmu_not_collected")
    assert why(share(shared([row(10, 500, 0, 0)]))) == (MissingKind.NOT_APPLICABLE, "memory_bound_without_computing")
    assert why(share(shared([row(0, 0, 0, 0, cycles=0)]))) == (MissingKind.NOT_APPLICABLE, "core_not_used")
    other = kernels([{"aic_total": 10, "aic_cycles": 10}], (*SHARED, "ub_read_bw(GB/s)"))
    assert why(share(at(other))) == (MissingKind.NOT_APPLICABLE, "pmu_other_columns")


def test_a_row_that_lost_its_cells_makes_it_undecided() -> None:
    whole = row(10, 600, 300, 0)
    gone = dict.fromkeys(row(10, 1, 1, 1))
    failed = share(shared([whole, {**gone, "accelerator": "AI_CORE"}])).undecided_by()
    assert failed is not None
    assert failed.name == "pmu_rows"
    assert share(shared([whole, whole])).undecided_by() is None


# ------------------------------------------------------------------------------------------------ generated captures
def test_a_generated_310b_capture(tmp_path: Path) -> None:
    """Summed from the file's own cells by csv; mte2 is the fifth of ``Op.exe``, vec and mac the first two."""
    bound = replace(CUBE, exe=(0, 400, 300, 2, 800, 100, 0))
    free = replace(ADD, exe=(500, 0, 300, 2, 200, 100, 0))
    idle = replace(ADD, name="aclnnCopy_{n}", type="Copy", exe=(0, 0, 300, 2, 200, 100, 0))
    spec = replace(PROF, ops=(bound, free, idle), repeats=3, generation="2024", chip=ASCEND_310B)
    path = write_prof_capture(tmp_path, spec).path
    (file,) = path.rglob("op_summary_*.csv")
    with file.open(newline="", encoding="utf-8") as handle:
        rows = list(csv.DictReader(handle))
    totals = {
        kind: sum(Fraction(r["aicore_time(us)"]) for r in rows if r["OP Type"] == kind) for kind in ("MatMulV2", "Add")
    }
    left_out = sum(1 for r in rows if r["OP Type"] == "Copy")
    found, _ = measure(read_capture(path))
    (measured,) = [one for one in found if one.metric == "memory_bound_share"]
    assert value(measured) == totals["MatMulV2"] / sum(totals.values())
    assert measured.warnings[0] == Reason.of("memory_bound_share_left_out", n=left_out, of=len(rows))
    assert left_out


# ------------------------------------------------------------------------------------------------ published captures
@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize("stamp", [*GELU, *ADDCMUL, *SCATTER])
def test_published_310b_kernels(stamp: str) -> None:
    # one kernel each: all of its time, none of it, or no quotient, by the file's own column memory_bound
    (file,) = prof(stamp).rglob("op_summary_*.csv")
    with file.open(newline="", encoding="utf-8") as handle:
        (written,) = csv.DictReader(handle)
    found, _ = measure(read_capture(prof(stamp)))
    (measured,) = [one for one in found if one.metric == "memory_bound_share"]
    if written["memory_bound"] == "0":
        assert why(measured) == (MissingKind.NOT_APPLICABLE, "memory_bound_without_computing")
        return
    assert value(measured) == (Decimal(written["memory_bound"]) > 1)
    assert measured.denominator is not None
    assert Fraction(measured.denominator.value, 1000) == Fraction(written["aicore_time(us)"])


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize("stamp", [MATMUL[0], ADD_ASCENDC])
def test_published_910b_kernels_have_no_such_field(stamp: str) -> None:
    for source in ("csv", "db"):
        found, _ = measure(read_capture(prof(stamp), source=source))
        (measured,) = [one for one in found if one.metric == "memory_bound_share"]
        assert why(measured) == (MissingKind.NOT_APPLICABLE, "cores_apart")
