"""The clock of the kernels: computed back from their cycles, and recorded over time.

Expected figures: docs/formats.md 3.2, 4.2, 9, 11.1 (5), 11.3, 11.7 and the corpus README where named; else the sum
stands in the test.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import cast

import pytest
from corpus import ADD_ASCENDC, ADD_PYPTO, ADD_TORCH, GELU, MATMUL, SCATTER, needs_corpus, prof, torch
from pmu_frames import APART, CHIP_20, SHARED, at, frequency, info, kernels, settings

from reportgen.metrics import frequency as room
from reportgen.metrics.common import Place, places
from reportgen.model import Measurement, Missing, MissingKind, Quantity, Reason, UnreadFile, Witness
from reportgen.reading import read_capture

LPM_ON = settings("sample.json", ai_core_lpm="on")


def found(place: Place) -> dict[tuple[str, str], Measurement]:
    return {(m.metric, m.dimensions.part): m for m in room.measure(place)}


def clock(place: Place, part: str) -> Measurement:
    return found(place)["pmu_clock", part]


def recorded(place: Place) -> Measurement:
    return found(place)["ai_core_frequency", ""]


def mhz(measurement: Measurement) -> Fraction:
    assert isinstance(measurement.summary, Quantity), measurement
    assert measurement.summary.unit == "1/s"
    return Fraction(measurement.summary.value) / 10**6


def code(measurement: Measurement) -> str:
    assert isinstance(measurement.summary, Missing), measurement
    return measurement.summary.reason.code


def warning(measurement: Measurement, name: str) -> Reason:
    (reason,) = [w for w in measurement.warnings if w.code == name]
    return reason


def codes(measurement: Measurement) -> list[str]:
    return [w.code for w in measurement.warnings]


def read(path: Path) -> Place:
    capture = read_capture(path)
    ((rank, tables),) = places(capture)
    return Place(facts=capture.facts, rank=rank, tables=tables)


# ------------------------------------------------------------------------------------------------ from the cycles
def cube(cycles: int | None, total_ps: int | None, blocks: int | None, **more: object) -> dict[str, object]:
    return {"aic_cycles": cycles, "aic_total": total_ps, "blocks": blocks, "mix_blocks": 0, **more}


def both(blocks: int, mix_blocks: int, cycles: int, total_ps: int, accelerator: str) -> dict[str, object]:
    return {
        **cube(cycles, total_ps, blocks, mix_blocks=mix_blocks, accelerator=accelerator),
        "aiv_cycles": cycles,
        "aiv_total": total_ps,
    }


@pytest.mark.parametrize(
    ("title", "rows", "expected"),
    [
        # 20 blocks on 20 cores, one wave: 20 x 1650 cycles in 1 us
        ("one wave", [cube(33_000, 1_000_000, 20)], Fraction(1650)),
        # 21 blocks need two waves: 21 x 1650 cycles take 2 us
        ("two waves", [cube(34_650, 2_000_000, 21)], Fraction(1650)),
        # (1650 + 800 x 3) cycles of a core over 4 us; the plain mean would be 1225
        ("sum over sum", [cube(1650, 1_000_000, 1), cube(2400, 3_000_000, 1)], Fraction(4050, 4)),
        (
            "rows without time or cycles are not rows of the core",
            [cube(1650, 1_000_000, 1), cube(0, 0, 0), cube(None, None, 0)],
            Fraction(1650),
        ),
    ],
)
def test_clock_of_the_cube_cores(title: str, rows: list[dict[str, object]], expected: Fraction) -> None:
    assert mhz(clock(at(kernels(rows), CHIP_20), "aic")) == expected, title


def test_the_vector_part_of_mix_aic_rows_has_the_mix_blocks() -> None:
    # 40 vector cores: 64 blocks are two waves; with Block Num (2) it would be 16 times as high
    place = at(kernels([both(2, 64, 64 * 1650, 2_000_000, "MIX_AIC")]), CHIP_20)
    assert mhz(clock(place, "aiv")) == 1650


def test_the_cube_part_of_mix_aiv_rows_is_left_out_and_counted() -> None:
    rows = [both(2, 1, 1650, 1_000_000, "MIX_AIV"), both(1, 2, 1650, 1_000_000, "MIX_AIC")]
    cube_clock = clock(at(kernels(rows), CHIP_20), "aic")
    assert mhz(cube_clock) == 1650
    assert warning(cube_clock, "pmu_clock_rows_left_out").args == (("n", "1"), ("of", "2"))


def test_without_a_core_count_only_rows_of_one_block_tell() -> None:
    rows = [cube(1650, 1_000_000, 1), cube(33_000, 1_000_000, 20)]
    measured = clock(at(kernels(rows)), "aic")
    assert mhz(measured) == 1650
    assert warning(measured, "pmu_clock_rows_left_out").args == (("n", "1"), ("of", "2"))
    assert code(clock(at(kernels(rows[1:])), "aic")) == "pmu_clock_unknown"


def test_a_row_off_the_nominal_clock_is_named() -> None:
    # docs/formats.md 11.1 (5): a cold kernel at the idle clock of 800 MHz, which no column tells
    rows = [cube(1650, 1_000_000, 1), cube(800, 1_000_000, 1), cube(1683, 1_000_000, 1)]
    measured = clock(at(kernels(rows), CHIP_20), "aic")
    told = warning(measured, "pmu_clock_off_nominal")
    assert dict(told.args) == {
        "n": "1",
        "of": "3",
        "nominal": "1650",
        "tolerance": "2",
        "lowest": "800",
        "lowest_row": "3",
        "highest": "1683",
        "highest_row": "4",
    }


@pytest.mark.parametrize(("cycles", "said"), [(1683, False), (1617, False), (1684, True), (1616, True)])
def test_the_tolerance_of_2_percent_itself_is_within(cycles: int, said: bool) -> None:
    # 1650 x 1.02 = 1683, 1650 x 0.98 = 1617
    measured = clock(at(kernels([cube(cycles, 1_000_000, 1)]), CHIP_20), "aic")
    assert ("pmu_clock_off_nominal" in codes(measured)) is said


def test_without_a_nominal_clock_no_row_is_off() -> None:
    measured = clock(at(kernels([cube(800, 1_000_000, 1)]), info(ai_core_num="20")), "aic")
    assert mhz(measured) == 800
    assert codes(measured) == []


def test_times_of_a_database_are_finer() -> None:
    # total time 1000 ns in millionths of a ns
    table = replace(kernels([cube(1650, 10**9, 1)]), source="db", times_per_ns=10**6)
    measured = clock(at(table, CHIP_20), "aic")
    assert mhz(measured) == 1650
    assert codes(measured) == []


@pytest.mark.parametrize(
    ("rows", "columns", "part", "expected"),
    [
        ([cube(1650, 0, 0)], APART, "aic", "level0_zero_times"),
        ([{"aic_cycles": 1650}], APART, "aic", "level0_zero_times"),
        ([cube(0, 0, 0)], APART, "aic", "core_not_used"),
        ([{}], (), "", "pmu_not_collected"),
    ],
)
def test_no_clock_is_missing_with_its_reason(
    rows: list[dict[str, object]], columns: tuple[str, ...], part: str, expected: str
) -> None:
    assert code(clock(at(kernels(rows, columns), CHIP_20), part)) == expected


def test_one_kind_of_core_has_one_clock() -> None:
    rows = [{**cube(1250, 1_000_000, 1), "aiv_cycles": 1250, "aiv_total": 1_000_000}]
    parts = [key for key in found(at(kernels(rows, SHARED), info(ai_core_num="1"))) if key[0] == "pmu_clock"]
    assert parts == [("pmu_clock", "aic")]


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize("stamp", [*GELU, *SCATTER])
def test_published_310b_kernels_ran_at_their_nominal_clock(stamp: str) -> None:
    # docs/formats.md 11.3 and 11.5: 1250 MHz, one core; the total time is written to 0.01 us, 3 to 40 us long
    measured = clock(read(prof(stamp)), "aic")
    assert abs(mhz(measured) - 1250) < Fraction(1250 * 5, 1000) / 3
    assert "pmu_clock_off_nominal" not in codes(measured)


@needs_corpus
@pytest.mark.corpus
def test_published_910b_kernels_ran_at_their_nominal_clock() -> None:
    # corpus README: 1800 MHz; docs/formats.md 9: 24 cube cores and 48 vector cores, not recorded in it
    place = read(torch(1, 0))
    chip_24 = info(ai_core_num="24", aiv_num="48", aic_frequency="1800", aiv_frequency="1800")
    place = replace(place, facts=replace(place.facts, settings_files=(replace(chip_24, place="device_0"),)))
    for part in ("aic", "aiv"):
        measured = clock(place, part)
        assert abs(mhz(measured) - 1800) < 1, part
        assert "pmu_clock_rows_left_out" not in codes(measured)


@needs_corpus
@pytest.mark.corpus
def test_published_level_0_has_cycles_and_no_clock() -> None:
    assert code(clock(read(prof(MATMUL[0])), "aic")) == "level0_zero_times"


# ------------------------------------------------------------------------------------------------ recorded over time
BUSY = [
    {"start_ns": 100, "duration_ns": 50},
    {"start_ns": 120, "duration_ns": 80},  # overlaps: 100..200
    {"start_ns": 500, "duration_ns": 100},  # 500..600
]
"""C = [100, 200) and [500, 600): 200 ns."""


def watched(*rows: tuple[str, int, int], more: tuple[dict[str, object], ...] = ()) -> Place:
    return at(kernels([*BUSY, *more]), CHIP_20, LPM_ON, clock=frequency(*rows))


@pytest.mark.parametrize(
    ("title", "rows", "expected"),
    [
        ("flat", [("0", 0, 1650), ("0", 700, 1650)], Fraction(1650)),
        ("a fall while idle does not count", [("0", 0, 1650), ("0", 250, 800), ("0", 450, 1650)], Fraction(1650)),
        (
            "before the first row: the first value",
            [("0", 550, 800), ("0", 560, 1600)],
            Fraction(160 * 800 + 40 * 1600, 200),
        ),
        ("the last value holds to the end", [("0", 0, 1650), ("0", 150, 800)], Fraction(50 * 1650 + 150 * 800, 200)),
        (
            "at one instant the later row",
            [("0", 0, 1650), ("0", 150, 1), ("0", 150, 850)],
            Fraction(50 * 1650 + 150 * 850, 200),
        ),
        ("of the rank's own device", [("0", 0, 1650), ("1", 0, 10)], Fraction(1650)),
        ("all rows before the kernels", [("0", -20, 800), ("0", -10, 1650)], Fraction(1650)),
        ("all rows after the kernels", [("0", 900, 1650), ("0", 950, 800)], Fraction(1650)),
    ],
)
def test_clock_while_kernels_ran(title: str, rows: list[tuple[str, int, int]], expected: Fraction) -> None:
    measured = recorded(watched(*rows))
    assert mhz(measured) == expected, title
    assert measured.basis == "busy-weighted"
    assert measured.source == "db"


@pytest.mark.parametrize("kind", ["communication", "ai_cpu", "placeholder"])
def test_only_kernels_of_the_ai_core_count(kind: str) -> None:
    other: dict[str, object] = {"kind": kind, "start_ns": 250, "duration_ns": 100}
    assert mhz(recorded(watched(("0", 0, 1650), ("0", 250, 800), ("0", 450, 1650), more=(other,)))) == 1650


def test_kernels_below_the_nominal_clock_are_told() -> None:
    # 800 MHz in 150..200 of 200 ns: a quarter; two changes between the first and the last kernel, the third is after
    rows = [("0", 0, 1650), ("0", 150, 800), ("0", 300, 1650), ("0", 400, 1650), ("0", 700, 500)]
    told = warning(recorded(watched(*rows)), "frequency_below_nominal")
    assert dict(told.args) == {"nominal": "1650", "lowest": "800", "share": "25.00", "changes": "2"}


def test_the_nominal_is_the_highest_seen_where_none_is_recorded() -> None:
    rows = (("0", 0, 1800), ("0", 150, 1650), ("0", 300, 1800))
    told = warning(recorded(at(kernels(BUSY), clock=frequency(*rows))), "frequency_below_nominal")
    assert (told.arg("nominal"), told.arg("lowest")) == ("1800", "1650")


@pytest.mark.parametrize(
    ("title", "rows", "files", "said"),
    [
        ("watched and flat", [("0", 0, 1650)], (CHIP_20, LPM_ON), []),
        (
            "off",
            [("0", 0, 1650)],
            (CHIP_20, settings("sample.json", ai_core_lpm="off")),
            ["frequency_changes_not_collected"],
        ),
        (
            "empty is off",
            [("0", 0, 1650)],
            (CHIP_20, settings("sample.json", low_power="")),
            ["frequency_changes_not_collected"],
        ),
        ("no settings", [("0", 0, 1650)], (), ["frequency_changes_unknown"]),
        ("it changed, so it was watched", [("0", 0, 1650), ("0", 300, 800), ("0", 400, 1650)], (CHIP_20,), []),
        ("flat below the nominal is no default", [("0", 0, 800)], (CHIP_20,), ["frequency_below_nominal"]),
        ("flat above it neither", [("0", 0, 1800)], (CHIP_20,), []),
    ],
)
def test_a_clock_flat_at_the_nominal_may_not_have_been_watched(
    title: str, rows: list[tuple[str, int, int]], files: tuple[object, ...], said: list[str]
) -> None:
    assert codes(recorded(at(kernels(BUSY), *files, clock=frequency(*rows)))) == said, title  # type: ignore[arg-type]


def test_no_recorded_clock_is_missing_with_its_reason() -> None:
    assert code(recorded(at(kernels(BUSY)))) == "table_missing"
    assert code(recorded(watched(("1", 0, 1650)))) == "frequency_not_of_device"
    two = at(kernels(BUSY), device=None, clock=frequency(("0", 0, 1650), ("1", 0, 1650)))
    assert code(recorded(two)) == "frequency_not_of_device"
    idle = at(kernels([{"kind": "communication"}]), clock=frequency(("0", 0, 1650)))
    assert code(recorded(idle)) == "no_kernel_ran"


@pytest.mark.parametrize(
    ("path", "reason", "why"),
    [
        ("msprof_1.db", Reason.of("table_unreadable", table="frequency", why="AICORE_FREQ: x"), "AICORE_FREQ: x"),
        (
            "out/trace_view.json",
            Reason.of("table_unreadable", table="trace_view.json", why="is no trace"),
            "is no trace",
        ),
        ("out/msprof_1.json", Reason.of("trace_cut"), "trace_cut"),
        ("msprof_1.db", Reason.of("table_unreadable", table="apis", why="x"), None),
        ("out/api_statistic.csv", Reason.of("table_unreadable", table="api_statistic.csv", why="x"), None),
    ],
)
def test_a_clock_that_cannot_be_read_was_collected(path: str, reason: Reason, why: str | None) -> None:
    place = at(kernels(BUSY))
    place = replace(place, facts=replace(place.facts, unread=(UnreadFile(path=path, reason=reason),)))
    summary = recorded(place).summary
    assert isinstance(summary, Missing)
    if why is None:
        assert (summary.kind, summary.reason.code) == (MissingKind.NOT_COLLECTED, "table_missing")
        return
    assert (summary.kind, summary.reason.code) == (MissingKind.UNREADABLE, "table_unreadable")
    assert (summary.reason.arg("table"), summary.reason.arg("why")) == (path, why)
    assert summary.remedy == Reason.of("export_again")


@pytest.mark.parametrize(("value", "read"), [(0, False), (-1, False), (1, True), (10_000, True), (10_001, False)])
def test_what_is_no_clock_is_unreadable(value: int, read: bool) -> None:
    measured = recorded(watched(("0", 0, 1650), ("0", 700, value)))
    assert isinstance(measured.summary, Quantity) is read
    if not read:
        assert code(measured) == "frequency_out_of_range"
        assert cast("Missing", measured.summary).kind is MissingKind.UNREADABLE
        assert cast("Missing", measured.summary).reason.arg("mhz") == str(value)
        assert room.series(watched(("0", 0, 1650), ("0", 700, value))) == []
    # another device's row is not this rank's
    assert mhz(recorded(watched(("0", 0, 1650), ("1", 0, value)))) == 1650


# ------------------------------------------------------------------------------------------------ checks of a clock
DAY = 86_400 * 10**9
ROWS = Witness(
    name="rows_with_task",
    agrees=True,
    found=Quantity(value=3, unit="1"),
    expected=Quantity(value=3, unit="1"),
    tolerance=Quantity(value=0, unit="1"),
    origins=(),
)


@pytest.mark.parametrize(
    ("rows", "fails"),
    [
        ([("0", DAY, 1650), ("0", DAY + 700, 1650)], []),
        ([("0", DAY - 10**9, 1650), ("0", DAY + 10**9 + 1000, 1650)], []),  # a second of clock offset on either side
        ([("0", DAY - 10**9 - 1, 1650)], ["records_after_start"]),
        ([("0", DAY, 1650), ("0", DAY + 10**9 + 1001, 1650)], ["records_before_end"]),
        ([("0", 12 * DAY, 1000), ("0", 12 * DAY + 9, 1000)], ["records_before_end"]),
    ],
)
def test_a_clock_of_another_day_is_undecided(rows: list[tuple[str, int, int]], fails: list[str]) -> None:
    place = watched(*rows)
    place = replace(place, rank=replace(place.rank, started_ns=DAY, ended_ns=DAY + 1000), witnesses=(ROWS,))
    measured = recorded(place)
    assert [w.name for w in measured.witnesses] == ["records_after_start", "records_before_end"]
    assert [w.name for w in measured.witnesses if not w.agrees] == fails
    times = [at_ns for _, at_ns, _ in rows]
    assert [(w.found.value, w.expected.value) for w in measured.witnesses] == [
        (min(times), DAY),
        (max(times), DAY + 1000),
    ]


def test_checks_of_the_rows_decide_a_clock_only_when_they_fail() -> None:
    rows = kernels([{**BUSY[0], **cube(1650, 1_000_000, 1)}])
    for agrees in (True, False):
        place = replace(at(rows, CHIP_20, LPM_ON, clock=frequency(("0", 0, 1650))),
                        witnesses=(replace(ROWS, agrees=agrees),))  # fmt: skip
        for measured in (recorded(place), clock(place, "aic")):
            assert [w.name for w in measured.witnesses] == ([] if agrees else ["rows_with_task"])


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize("name", ["text", "db", ADD_PYPTO, MATMUL[0]])
def test_published_clocks_lie_inside_their_captures(name: str) -> None:
    measured = recorded(read(torch(1, 0, name) if name in ("text", "db") else prof(name)))
    assert [(w.name, w.agrees) for w in measured.witnesses][:2] == [
        ("records_after_start", True),
        ("records_before_end", True),
    ]
    assert measured.undecided_by() is None


def test_a_table_of_one_device_serves_a_rank_without_a_device_id() -> None:
    assert mhz(recorded(at(kernels(BUSY), device=None, clock=frequency(("0", 0, 1650))))) == 1650


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize("stamp", [ADD_TORCH, ADD_ASCENDC, ADD_PYPTO, *MATMUL])
def test_published_captures_were_busy_at_1650(stamp: str) -> None:
    # docs/formats.md 11.7: busy-weighted 1650.0, also in the capture (add/pypto) that falls to 800 while idle
    (path,) = prof(stamp).glob("msprof_*.db")
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?immutable=1", uri=True)) as database:
        rows = database.execute("SELECT deviceId, timestampNs, freq FROM AICORE_FREQ ORDER BY 1, 2").fetchall()
    place = read(prof(stamp))
    table = frequency(*((str(device), at_ns, value) for device, at_ns, value in rows))
    measured = recorded(replace(place, tables=replace(place.tables, frequency=table)))
    assert mhz(measured) == 1650
    assert [c for c in codes(measured) if c.startswith("frequency")] == []
    if stamp == ADD_PYPTO:
        assert min(value for _, _, value in rows) == 800


# ------------------------------------------------------------------------------------------------ chart
def test_the_series_starts_at_the_first_kernel() -> None:
    (series,) = room.series(watched(("0", 40, 1650), ("0", 250, 800)))
    assert series.times.values == (-60, 150)
    assert series.values.values == (1650 * 10**6, 800 * 10**6)
    assert (series.id, series.recorded, series.values.unit, series.times.unit) == ("ai_core_frequency", 2, "1/s", "ns")
    assert series.origins[0].file == "before/msprof.db"


@pytest.mark.parametrize("points", [1, 399, 400, 401, 1000, 12345])
def test_a_long_series_keeps_its_ends_and_extremes(points: int) -> None:
    rows = [("0", n, 1650) for n in range(points)]
    rows[points // 3] = ("0", points // 3, 800)
    rows[points // 2] = ("0", points // 2, 1700)
    (series,) = room.series(watched(*rows))
    times = series.times.values
    assert len(times) <= 400
    assert len(times) >= min(points, 200)
    assert series.recorded == points
    assert (times[0], times[-1]) == (-100, points - 1 - 100)
    assert list(times) == sorted(set(times))
    if points > 1:
        assert (min(series.values.values), max(series.values.values)) == (800 * 10**6, 1700 * 10**6)


def test_no_table_or_no_kernel_has_no_series() -> None:
    assert room.series(at(kernels(BUSY))) == []
    assert room.series(at(kernels([{"kind": "communication"}]), clock=frequency(("0", 0, 1650)))) == []
