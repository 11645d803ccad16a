"""Busy units: quotients of sums, held against hand computation, the vendor's columns and published figures.

Expected figures: the corpus README and docs/formats.md 3.2, 9, 11.5 where named; else the sum stands in the test.
"""

from __future__ import annotations

import csv
import sqlite3
from contextlib import closing
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path
from time import perf_counter

import pandas as pd
import pytest
from captures.generator import write_torch_db
from corpus import ADD_ASCENDC, ADD_PYPTO, ADDCMUL, GELU, MATMUL, SCATTER, needs_corpus, prof, torch
from jobs import TORCH, only
from pmu_frames import CHIP_20, SHARED, at, info, kernels

from reportgen.definitions import read_definitions
from reportgen.errors import CatalogueError
from reportgen.metrics import busy
from reportgen.metrics.chip import chip
from reportgen.metrics.common import Place, places
from reportgen.model import Measurement, Missing, Quantity
from reportgen.reading import read_capture
from reportgen.resources import evidence_dir


def found(place: Place) -> dict[tuple[str, str], Measurement]:
    return {(m.metric, m.dimensions.part): m for m in busy.measure(place)}


def value(measurement: Measurement) -> Fraction:
    assert isinstance(measurement.summary, Quantity), measurement
    return Fraction(measurement.summary.value)


def code(measurement: Measurement) -> str:
    assert isinstance(measurement.summary, Missing), measurement
    return measurement.summary.reason.code


def vector(total: int | None, time: int | None, ratio: int | None = None, **more: object) -> dict[str, object]:
    """A row of the vector core: total and MTE2 time in ps, ratio in millionths."""
    return {"aiv_total": total, "aiv_mte2_time": time, "aiv_mte2_ratio": ratio, "aiv_cycles": 1000, **more}


def read(path: Path, source: str = "") -> Place:
    capture = read_capture(path, source=source)
    ((rank, tables),) = places(capture)
    return Place(facts=capture.facts, rank=rank, tables=tables)


# ------------------------------------------------------------------------------------------------ chip
@pytest.mark.parametrize(
    ("text", "cores"),
    [("20", 20), ("0", None), ("", None), ("-3", None), ("1e9", None), ("20 cores", None), ("99999999999", None)],
)
def test_a_core_count_is_a_plain_number_above_0_or_not_recorded(text: str, cores: int | None) -> None:
    assert chip(at(kernels([{}]), info(ai_core_num=text))).cores.get("aic") == cores


@pytest.mark.parametrize(
    ("text", "mhz"),
    [("1650", Fraction(1650)), ("49.999001", Fraction("49.999001")), ("0", None), ("1e99", None), ("[1650]", None)],
)
def test_a_clock_is_a_plain_number_above_0_or_not_recorded(text: str, mhz: Fraction | None) -> None:
    assert chip(at(kernels([{}]), info(aic_frequency=text))).mhz.get("aic") == mhz


def test_the_chip_is_that_of_the_ranks_own_device() -> None:
    other = replace(CHIP_20, place="device_1", values=(("DeviceInfo.[].ai_core_num", "24"),))
    table = kernels([{}])
    assert chip(at(table, CHIP_20, other, device=1)).cores == {"aic": 24}
    assert chip(at(table, CHIP_20, other, device=0)).cores == {"aic": 20, "aiv": 40}
    assert chip(at(table, CHIP_20, other, device=2)).cores == {}
    assert chip(at(table, CHIP_20, other, device=None)).cores == {}, "which of two is not known"
    assert chip(at(table, CHIP_20, device=None)).cores == {"aic": 20, "aiv": 40}


# ------------------------------------------------------------------------------------------------ per step
def stepped(*rows: tuple[str, int, int]) -> Place:
    """Rows of (step, total, time); each of 10 ns, steps of equal length."""
    return at(kernels([vector(total, time, step=step) for step, total, time in rows]))


def test_a_ratio_has_one_value_for_each_kept_step_and_a_summary_of_all_rows() -> None:
    # Step 3 has no successor: it is in the summary, not in the sample (the rule of ``steps``).
    place = stepped(("1", 100, 10), ("1", 300, 30), ("2", 100, 20), ("2", 300, 100), ("3", 100, 90), ("3", 100, 90))
    ratio = found(place)["aiv_mte2_ratio", ""]
    assert value(ratio) == Fraction(10 + 30 + 20 + 100 + 90 + 90, 1000)
    assert ratio.sample is not None
    assert ratio.sample.labels == ("1", "2")
    assert ratio.sample.values == (Fraction(40, 400), Fraction(120, 400))


def test_a_checkpoint_step_is_left_out_of_the_sample_and_named() -> None:
    place = replace(stepped(("1", 100, 10), ("2", 100, 20), ("3", 100, 90)), checkpoint_steps=("1",))
    sample = found(place)["aiv_mte2_ratio", ""].sample
    assert sample is not None
    assert (sample.labels, sample.values, sample.dropped) == (("2",), (Fraction(1, 5),), ("1",))


def test_a_step_in_which_the_core_did_nothing_has_no_value() -> None:
    sample = found(stepped(("1", 0, 0), ("2", 100, 20), ("3", 100, 90)))["aiv_mte2_ratio", ""].sample
    assert sample is not None
    assert sample.labels == ("2",)


def test_without_step_ids_there_is_no_sample() -> None:
    ratio = found(stepped(("", 100, 10), ("", 100, 20)))["aiv_mte2_ratio", ""]
    assert value(ratio) == Fraction(30, 200)
    assert ratio.sample is None


def test_at_level_0_steps_are_weighted_by_cycles() -> None:
    rows = [
        vector(0, 0, 500_000, aiv_cycles=100, step="1"),
        vector(0, 0, 250_000, aiv_cycles=300, step="1"),
        vector(0, 0, 1_000_000, aiv_cycles=1, step="2"),
    ]
    ratio = found(at(kernels(rows)))["aiv_mte2_ratio", ""]
    assert ratio.basis == "cycle-weighted"
    assert ratio.sample is not None
    assert ratio.sample.values == (Fraction(50 + 75, 400),)
    assert value(ratio) == Fraction(50 + 75 + 1, 401)


# ------------------------------------------------------------------------------------------------ above 0.8
@pytest.mark.parametrize(
    ("title", "rows", "share"),
    [
        ("0.8 itself is not above", [vector(1000, 800), vector(1000, 100)], Fraction(0)),
        ("a picosecond more is", [vector(1000, 801), vector(3000, 100)], Fraction(1000, 4000)),
        ("time over total, not the rounded ratio", [vector(10000, 8004, 800_000), vector(10000, 0, 0)], Fraction(1, 2)),
        ("nor a ratio rounded up", [vector(10000, 7999, 801_000), vector(10000, 0, 0)], Fraction(0)),
        ("the ratio where the time is missing", [vector(100, None, 801_000), vector(300, 30, 100_000)], Fraction(1, 4)),
        ("a row without either is left out", [vector(100, None, None), vector(300, 270, None)], Fraction(1)),
        ("a row of another core is left out", [vector(0, 0, 0), vector(300, 270, 900_000)], Fraction(1)),
    ],
)
def test_share_bound_by_transfers(title: str, rows: list[dict[str, object]], share: Fraction) -> None:
    bound = found(at(kernels(rows)))["aiv_mte2_bound_share", ""]
    assert value(bound) == share, title
    assert bound.basis == "time-weighted"
    assert bound.origins[-1].file == "evidence/definitions.toml"


def test_share_bound_by_transfers_at_level_0_is_weighted_by_cycles() -> None:
    rows = [vector(0, 0, 800_000, aiv_cycles=700), vector(0, 0, 800_001, aiv_cycles=300)]
    bound = found(at(kernels(rows)))["aiv_mte2_bound_share", ""]
    assert (value(bound), bound.basis) == (Fraction(300, 1000), "cycle-weighted")


def test_the_limit_is_the_published_one_and_strict() -> None:
    limit = read_definitions()["aiv_mte2_bound"]
    assert (limit.value, limit.relation, limit.authority) == (Fraction(4, 5), "above", "document")
    assert limit.source is not None
    assert "0.8" in limit.source.quote


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('value = "0.8"', 'value = "1e9999999"', "must be a number"),
        ('relation = "above"', 'relation = "over"', "relation"),
        ('authority = "own choice"', 'authority = "document"', "source"),
        ('id = "pmu_clock_tolerance"', 'id = "aiv_mte2_bound"', "stands 2 times"),
        ("schema = 1", "schema = 1\nextra = 2", "extra"),
        ("schema = 1", "schema = ", "evidence_syntax"),
    ],
)
def test_a_fault_in_the_definitions_is_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    text = evidence_dir() / "definitions.toml"
    (tmp_path / "definitions.toml").write_text(text.read_text("utf-8").replace(old, new), "utf-8")
    with pytest.raises(CatalogueError, match=said):
        read_definitions(tmp_path)


# ------------------------------------------------------------------------------------------------ memory bound
def shared(total: int, cycles: int, mte2: int, mac: int, vec: int, form: str = "", **more: object) -> dict[str, object]:
    """A row of a chip with one kind of core: ratios in thousandths."""
    ratios = {f"aic_mte2{form}_ratio": mte2, f"aic_mac{form}_ratio": mac, f"aiv_vec{form}_ratio": vec}
    return {"aic_total": total, "aic_cycles": cycles, **{name: 1000 * v for name, v in ratios.items()}, **more}


@pytest.mark.parametrize(
    ("title", "rows", "expected"),
    [
        ("one row is its own quotient", [shared(50, 1, 105, 0, 7)], Fraction(15)),
        ("the larger of mac and vec", [shared(50, 1, 100, 400, 50)], Fraction(1, 4)),
        # (600 x 10 + 100 x 30) / (300 x 10 + 900 x 30) = 9000 / 30000; the mean of 2 and 1/9 is another number
        ("sums, not a mean of quotients", [shared(10, 1, 600, 300, 0), shared(30, 1, 100, 0, 900)], Fraction(3, 10)),
        (
            "by cycles where no time is recorded",
            [shared(0, 10, 600, 300, 0), shared(0, 30, 100, 0, 900)],
            Fraction(3, 10),
        ),
    ],
)
def test_memory_bound_of_one_kind_of_core(title: str, rows: list[dict[str, object]], expected: Fraction) -> None:
    measured = found(at(kernels(rows, SHARED)))
    assert value(measured["memory_bound", ""]) == expected, title
    assert ("memory_bound", "aic") not in measured


def test_memory_bound_reads_the_columns_of_pipeline_execute_utilisation_too() -> None:
    table = kernels([shared(50, 1, 105, 0, 7, "_exe")], (*SHARED, "mte2_exe_ratio"))
    assert value(found(at(table))["memory_bound", ""]) == 15


def test_a_kernel_that_only_transfers_counts_and_is_said() -> None:
    rows = [shared(10, 1, 500, 0, 0), shared(10, 1, 100, 200, 0)]
    bound = found(at(kernels(rows, SHARED)))["memory_bound", ""]
    assert value(bound) == Fraction(600, 200)
    assert [(w.code, w.arg("n"), w.arg("of")) for w in bound.warnings] == [("memory_bound_transfers_only", "1", "2")]


def test_nothing_computed_is_no_quotient() -> None:
    bound = found(at(kernels([shared(10, 1, 500, 0, 0)], SHARED)))["memory_bound", ""]
    assert code(bound) == "memory_bound_without_computing"


def test_memory_bound_of_two_kinds_of_core_is_given_for_each() -> None:
    cube = {"aic_total": 100, "aic_mac_time": 20, "aic_mte2_time": 60, "aiv_total": 0}
    rows = [
        {**cube, "aiv_vec_time": 0, "aiv_mte2_time": 0},
        {**vector(50, 10), "aiv_vec_time": 40, "aic_total": 0, "aic_mac_time": 0, "aic_mte2_time": 0},
    ]
    measured = found(at(kernels(rows)))
    assert value(measured["memory_bound", "aic"]) == 3
    assert value(measured["memory_bound", "aiv"]) == Fraction(1, 4)
    assert ("memory_bound", "") not in measured


def test_recorded_quotients_of_several_kernels_are_not_combined() -> None:
    rows = [{"aic_total": 10, "aic_cycles": 10, "memory_bound_millionths": 2_000_000} for _ in range(2)]
    bound = found(at(kernels(rows, (*SHARED, "memory_bound"))))["memory_bound", ""]
    assert code(bound) == "memory_bound_of_several"
    one = found(at(kernels(rows[:1], (*SHARED, "memory_bound"))))["memory_bound", ""]
    assert (value(one), one.basis) == (2, "as recorded")


def test_no_pmu_columns_is_missing_not_zero() -> None:
    measured = found(at(kernels([{}], ())))
    assert {code(m) for m in measured.values()} == {"pmu_not_collected"}


# ------------------------------------------------------------------------------------------------ cube utilisation
CUBE = [
    {"aic_cycles": 33_000, "start_ns": 0, "duration_ns": 1000},
    {"aic_cycles": 0, "start_ns": 1500, "duration_ns": 500},
    {"aic_cycles": 16_500, "start_ns": 3000, "duration_ns": 1000},
]


def test_cube_utilisation_over_the_span_and_over_own_durations() -> None:
    # 20 cores at 1.65 GHz have 33 cycles a ns: 49500 / (33 x 4000) over the span, 49500 / (33 x 2000) over the tasks.
    # T of the Rec SDK guide would end at the last start: 49500 / (33 x 3000) = 1/2.
    measured = found(at(kernels(CUBE), CHIP_20))
    elapsed, task = measured["cube_utilization_elapsed", ""], measured["cube_utilization_task", ""]
    assert (value(elapsed), elapsed.basis) == (Fraction(49_500, 132_000), "last end - first start")
    assert (value(task), task.basis) == (Fraction(49_500, 66_000), "sum of durations")
    assert any("info.json" in origin.file for origin in elapsed.origins)


def test_the_span_takes_communication_and_not_placeholders() -> None:
    rows = [
        *CUBE,
        {"kind": "communication", "start_ns": 4000, "duration_ns": 1000},
        {"kind": "placeholder", "start_ns": 9000, "duration_ns": 1000},
    ]
    elapsed = found(at(kernels(rows), CHIP_20))["cube_utilization_elapsed", ""]
    assert value(elapsed) == Fraction(49_500, 33 * 5000)


@pytest.mark.parametrize("file", [None, info(ai_core_num="20"), info(aic_frequency="1650"), info(ai_core_num="0")])
def test_without_cores_and_clock_there_is_no_cube_utilisation(file: object) -> None:
    measured = found(at(kernels(CUBE), *([file] if file else [])))  # type: ignore[list-item]
    assert code(measured["cube_utilization_elapsed", ""]) == "cores_not_recorded"
    assert code(measured["cube_utilization_task", ""]) == "cores_not_recorded"


def test_vector_kernels_of_one_kind_of_core_are_no_cube_kernels() -> None:
    rows = [{**CUBE[0], "accelerator": "AI_VECTOR_CORE"}, {**CUBE[2], "accelerator": "AI_CORE"}]
    assert value(found(at(kernels(rows, SHARED), CHIP_20))["cube_utilization_task", ""]) == Fraction(16_500, 33_000)
    unused = found(at(kernels(rows[:1], SHARED), CHIP_20))["cube_utilization_task", ""]
    assert code(unused) == "core_not_used"


def test_a_million_rows_take_seconds() -> None:
    one = kernels([vector(1000, 900, 900_000, step="1"), vector(1000, 100, 100_000, step="2")])
    frame = one.frame.iloc[[0] * 500_000 + [1] * 500_000].reset_index(drop=True)
    frame["start_ns"] = range(len(frame))
    begun = perf_counter()
    assert value(found(at(replace(one, frame=frame)))["aiv_mte2_bound_share", ""]) == Fraction(1, 2)
    assert perf_counter() - begun < 30, "a few seconds on a quiet machine"


# ------------------------------------------------------------------------------------------------ rows without cells
def counted(measurement: Measurement) -> tuple[bool, int, int]:
    """Whether ``pmu_rows`` agrees, the rows with cells and the rows that must have them."""
    (witness,) = [w for w in measurement.witnesses if w.name == "pmu_rows"]
    assert measurement.undecided_by() == (None if witness.agrees else witness)
    return witness.agrees, int(witness.found.value), int(witness.expected.value)


CELLS = {
    "aic_total": 100,
    "aic_mac_time": 60,
    "aic_mte2_time": 20,
    "aiv_total": 5,
    "aiv_vec_time": 2,
    "aiv_mte2_time": 1,
}
GONE: dict[str, object] = dict.fromkeys(CELLS)


@pytest.mark.parametrize(
    ("title", "rows", "expected"),
    [
        ("all have them", [CELLS, CELLS], (True, 2, 2)),
        ("one of two has none", [CELLS, GONE], (False, 1, 2)),
        ("one lacks a single cell", [CELLS, {**CELLS, "aic_mte2_time": None}], (False, 1, 2)),
        ("a whole kind of core has none", [CELLS, {**GONE, "accelerator": "AI_CORE"}], (False, 1, 2)),
        ("spelled in small letters", [CELLS, {**GONE, "accelerator": "ai_core"}], (False, 1, 2)),
        ("another core's kind never has any", [CELLS, {**GONE, "accelerator": "AI_VECTOR_CORE"}], (True, 1, 1)),
        (
            "unless a row of that kind has some",
            [CELLS, {**CELLS, "accelerator": "AI_VECTOR_CORE"}, {**GONE, "accelerator": "AI_VECTOR_CORE"}],
            (False, 2, 3),
        ),
        ("DSA runs on no core", [CELLS, {**GONE, "accelerator": "DSA_SQE"}], (True, 1, 1)),
        ("an AI CPU kernel neither", [CELLS, {**GONE, "accelerator": "AI_CPU", "kind": "ai_cpu"}], (True, 1, 1)),
        (
            "level 0 tells DSA by its name",
            [
                {**CELLS, "accelerator": "N/A", "name": "aclnnMatmul_MatMulV3_MatMulV3"},
                {**GONE, "accelerator": "N/A", "name": "aclnnDropoutGenMaskV2_DSAGenBitMask_DSAGenBitMask"},
            ],
            (True, 1, 1),
        ),
        (
            "level 0 with a row gone",
            [{**CELLS, "accelerator": "N/A"}, {**GONE, "accelerator": "N/A"}],
            (False, 1, 2),
        ),
    ],
)
def test_kernel_rows_that_must_have_pmu_values(
    title: str, rows: list[dict[str, object]], expected: tuple[bool, int, int]
) -> None:
    measured = found(at(kernels(rows)))
    assert counted(measured["aic_mac_ratio", ""]) == expected, title
    assert value(measured["aic_mac_ratio", ""]) == Fraction(60, 100)
    assert counted(measured["memory_bound", "aic"]) == expected, title


def test_each_value_is_checked_on_its_own_core() -> None:
    # the second row lacks the cells of the vector core only: the values of the cube core stand
    whole = {**CELLS, **vector(50, 10), "aiv_vec_time": 40, "aic_cycles": 9}
    rows = [whole, {**whole, "aiv_total": None}]
    measured = found(at(kernels(rows), CHIP_20))
    told = {key: counted(m) for key, m in measured.items() if isinstance(m.summary, Quantity)}
    cube = [key for key, seen in told.items() if seen == (True, 2, 2)]
    lame = [key for key, seen in told.items() if seen == (False, 1, 2)]
    assert {key[0] for key in cube} == {
        "aic_mac_ratio", "aic_mte2_ratio", "memory_bound", "cube_utilization_elapsed", "cube_utilization_task",
    }  # fmt: skip
    assert {key[0] for key in lame} == {"aiv_vec_ratio", "aiv_mte2_ratio", "aiv_mte2_bound_share", "memory_bound"}
    assert ("memory_bound", "aic") in cube


def test_one_kind_of_core_is_checked_on_both_sets_of_columns() -> None:
    rows = [shared(10, 1, 600, 300, 0), {**shared(30, 1, 100, 0, 900), "aiv_vec_ratio": None}]
    assert counted(found(at(kernels(rows, SHARED)))["memory_bound", ""]) == (False, 1, 2)


def test_a_database_without_the_values_of_chosen_kernels_is_undecided(tmp_path: Path) -> None:
    path = only(write_torch_db(tmp_path, replace(TORCH, steps=2))).path
    honest = found(read(path))
    (database,) = path.rglob("ascend_pytorch_profiler_*.db")
    ratios = (
        "SELECT globalTaskId FROM TASK_PMU_INFO WHERE value > 0.5 AND name = "
        "(SELECT id FROM STRING_IDS WHERE value = 'aic_mac_ratio') LIMIT 3"
    )
    with closing(sqlite3.connect(database)) as connection:
        gone = connection.execute(f"DELETE FROM TASK_PMU_INFO WHERE globalTaskId IN ({ratios})").rowcount
        connection.commit()
    assert gone == 3 * 28, "three cube kernels of 28 values each"
    robbed = found(read(path))
    for key, one in honest.items():
        if isinstance(one.summary, Quantity):
            agrees, rows, expected = counted(one)
            assert (agrees, rows) == (True, expected), key
            assert counted(robbed[key]) == (False, rows - 3, expected), key
    assert ("aic_mac_ratio", "") in honest
    assert isinstance(honest["aic_mac_ratio", ""].summary, Quantity)


# ------------------------------------------------------------------------------------------------ published captures
def rows_of(path: Path, name: str) -> list[dict[str, str]]:
    (file,) = path.rglob(name)
    with file.open(newline="", encoding="utf-8") as handle:
        return list(csv.DictReader(handle))


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize(
    ("path", "source", "rows"),
    [
        # 187 kernels, of which two are DSA (kernel_details, column Accelerator Core)
        *((torch(1, rank, kind), source, 185) for rank in (0, 1) for kind, source in (("text", "csv"), ("db", "db"))),
        # rows of op_summary without those of the AI CPU: corpus README
        *((prof(ADD_PYPTO), source, 300) for source in ("csv", "db")),
        *((prof(stamp), source, 700) for stamp in (*MATMUL, ADD_ASCENDC) for source in ("csv", "db")),
        *((prof(stamp), "csv", 1) for stamp in (*GELU, *ADDCMUL, *SCATTER)),
    ],
)
def test_every_published_kernel_that_must_has_its_values(path: Path, source: str, rows: int) -> None:
    told = [counted(m) for m in found(read(path, source)).values() if isinstance(m.summary, Quantity)]
    if rows != 1:
        assert told
    assert set(told) <= {(True, rows, rows)}


@needs_corpus
@pytest.mark.corpus
def test_published_time_weighted_ratios() -> None:
    # docs/formats.md 9: time-weighted 0.6598 and 0.1139; cycle-weighted 0.6207 and 0.1104
    place = read(torch(1, 0))
    timed = found(place)
    assert round(float(value(timed["aic_mte2_ratio", ""])), 4) == 0.6598
    assert round(float(value(timed["aiv_vec_ratio", ""])), 4) == 0.1139
    frame = place.tables.kernels.frame.assign(aic_total=0, aiv_total=0)
    counted = found(replace(place, tables=replace(place.tables, kernels=replace(place.tables.kernels, frame=frame))))
    assert round(float(value(counted["aic_mte2_ratio", ""])), 4) == 0.6207
    assert round(float(value(counted["aiv_vec_ratio", ""])), 4) == 0.1104
    assert counted["aiv_vec_ratio", ""].basis == "cycle-weighted"


@needs_corpus
@pytest.mark.corpus
def test_one_published_step_holds_all_rows_with_a_ratio() -> None:
    ratio = found(read(torch(1, 0)))["aic_mte2_ratio", ""]
    assert ratio.sample is not None
    assert ratio.sample.labels == ("50",)


@needs_corpus
@pytest.mark.corpus
def test_published_share_bound_by_transfers() -> None:
    # Worked out from the file as it is written: time / total of each row in decimals.
    written = [row for row in rows_of(torch(1, 0), "kernel_details.csv") if row["aiv_time(us)"] not in ("N/A", "")]
    rows = [(Decimal(row["aiv_mte2_time(us)"]), Decimal(row["aiv_time(us)"])) for row in written]
    above = sum(total for time, total in rows if total and time / total > Decimal("0.8"))
    bound = found(read(torch(1, 0)))["aiv_mte2_bound_share", ""]
    assert value(bound) == Fraction(above) / Fraction(sum(total for _, total in rows))


@needs_corpus
@pytest.mark.corpus
def test_published_cube_utilisation_over_the_span() -> None:
    # docs/formats.md 9: 1.687 % with 24 cores at 1800 MHz, which this capture does not record
    place = read(torch(1, 0))
    chip_24 = info(ai_core_num="24", aic_frequency="1800")
    place = replace(place, facts=replace(place.facts, settings_files=(chip_24,)))
    assert round(float(value(found(place)["cube_utilization_elapsed", ""])) * 100, 3) == 1.687


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize("stamp", [MATMUL[0], ADD_PYPTO])
def test_every_published_kernel_has_the_utilisation_of_its_column(stamp: str) -> None:
    # docs/formats.md 11.5: within 0.0006 of a percentage for every row
    place = read(prof(stamp), "csv")
    written = {n: row["cube_utilization(%)"] for n, row in enumerate(rows_of(prof(stamp), "op_summary_*.csv"), 2)}
    frame = place.tables.kernels.frame
    checked = 0
    for n in range(len(frame)):
        row = frame.iloc[n : n + 1]
        if written[int(row["line"].iloc[0])] == "N/A" or not row["aic_cycles"].iloc[0]:
            continue
        one = replace(place, tables=replace(place.tables, kernels=replace(place.tables.kernels, frame=row)))
        task, _ = busy._cube(one, row, None)[::-1]
        assert abs(value(task) * 100 - Fraction(written[int(row["line"].iloc[0])])) <= Fraction("0.0006")
        checked += 1
    assert checked == {MATMUL[0]: 700, ADD_PYPTO: 300}[stamp]


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize("stamp", [*GELU, *ADDCMUL, *SCATTER])
def test_published_memory_bound_of_one_kernel(stamp: str) -> None:
    # The file's own column to its 3 decimals; where vec is 0 the file says 0, and there is no quotient.
    place = read(prof(stamp))
    (row,) = rows_of(prof(stamp), "op_summary_*.csv")
    recorded = found(place)["memory_bound", ""]
    pipes = {
        f"{core}_{pipe}_exe_ratio": pd.array([int(Decimal(row[f"{pipe}_exe_ratio"]) * 10**6)], dtype="Int64")
        for core, pipe in (("aic", "mte2"), ("aic", "mac"), ("aiv", "vec"))
    }
    frame = place.tables.kernels.frame.assign(**pipes).drop(columns="memory_bound_millionths")
    formed = found(replace(place, tables=replace(place.tables, kernels=replace(place.tables.kernels, frame=frame))))
    for bound in (recorded, formed["memory_bound", ""]):
        if row["memory_bound"] == "0":
            assert code(bound) == "memory_bound_without_computing"
            continue
        exact = value(bound)
        rounded = (Decimal(exact.numerator) / exact.denominator).quantize(Decimal("0.001"), ROUND_HALF_UP)
        assert rounded == Decimal(row["memory_bound"])


@needs_corpus
@pytest.mark.corpus
def test_the_core_a_published_capture_does_not_use_is_said() -> None:
    cube = found(read(prof(MATMUL[0])))
    assert code(cube["aiv_mte2_bound_share", ""]) == code(cube["memory_bound", "aiv"]) == "core_not_used"
    vector_only = found(read(prof(ADD_ASCENDC)))
    assert code(vector_only["cube_utilization_task", ""]) == "core_not_used"
    assert vector_only["aiv_mte2_bound_share", ""].basis == "cycle-weighted"
    gelu = found(read(prof(GELU[0])))
    assert code(gelu["aiv_mte2_bound_share", ""]) == code(gelu["aiv_vec_ratio", ""]) == "pmu_other_columns"
