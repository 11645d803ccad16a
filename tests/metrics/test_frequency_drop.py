"""How far the clock fell while an operator ran: sum(nominal - f) / (nominal x n), operator by operator.

The sums stand in the tests; the quantity is that of evidence/rules/advisor.toml, advisor-frequency-drop.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd
import pytest
from captures.generator import Export, write_prof_capture
from command import reportgen
from corpus import ADD_ASCENDC, ADD_PYPTO, ADD_TORCH, MATMUL, needs_corpus, prof, torch
from jobs import ADD, PROF
from jobs import MATMUL as CUBE
from pmu_frames import at, frequency, info, kernels, settings

from reportgen.metrics import frequency_drop as room
from reportgen.metrics import measure
from reportgen.metrics.common import Place
from reportgen.model import Measurement, Missing, MissingKind, Quantity, Reason
from reportgen.reading import read_capture

LPM_ON = settings("sample.json", ai_core_lpm="on")
NOMINAL = info(aic_frequency="1650")
STAMP = "20261020140340"


def drop(place: Place) -> Measurement:
    (measured,) = room.measure(place)
    return measured


def value(measured: Measurement) -> Fraction:
    assert isinstance(measured.summary, Quantity), measured
    assert measured.summary.unit == "1"
    return Fraction(measured.summary.value)


def code(measured: Measurement) -> str:
    assert isinstance(measured.summary, Missing), measured
    return measured.summary.reason.code


def codes(measured: Measurement) -> list[str]:
    return [warning.code for warning in measured.warnings]


def calls(*rows: tuple[str, int]) -> list[dict[str, object]]:
    """Kernels of (name, start); each of 10 ns."""
    return [{"name": name, "start_ns": start, "duration_ns": 10} for name, start in rows]


def watched(rows: list[dict[str, object]], *clock: tuple[str, int, int], nominal: object = NOMINAL) -> Place:
    return at(kernels(rows), nominal, LPM_ON, clock=frequency(*clock))  # type: ignore[arg-type]


FALL = (("0", 0, 1650), ("0", 100, 800), ("0", 300, 1650))
"""800 MHz in [100, 300)."""


@pytest.mark.parametrize(
    ("title", "rows", "clock", "expected"),
    [
        ("flat at the nominal", calls(("a", 10), ("b", 20)), [("0", 0, 1650)], Fraction(0)),
        # a: (1650 - 800) / (1650 x 2), b: 0
        ("one of two calls", calls(("a", 10), ("a", 110), ("b", 20)), FALL, Fraction(850, 3300)),
        # a: 850 / (1650 x 4), b: 850 / (1650 x 1); over both together it would be 1700 / (1650 x 5)
        (
            "the largest over the operators, not that of all rows",
            calls(("a", 10), ("a", 20), ("a", 30), ("a", 110), ("b", 120)),
            FALL,
            Fraction(850, 1650),
        ),
        ("a fall between the calls does not count", calls(("a", 80), ("a", 310)), FALL, Fraction(0)),
        ("the clock when it starts, not later in it", calls(("a", 95)), FALL, Fraction(0)),
        ("at the instant of a change the new one", calls(("a", 100)), FALL, Fraction(850, 1650)),
        ("a ns before it the old one", calls(("a", 99)), FALL, Fraction(0)),
        ("back at the nominal", calls(("a", 300)), FALL, Fraction(0)),
        ("before the first row its value holds", calls(("a", 10)), [("0", 500, 1320)], Fraction(330, 1650)),
        ("at one instant the later row", calls(("a", 60)), [("0", 50, 1650), ("0", 50, 825)], Fraction(1, 2)),
        ("the rank's own device", calls(("a", 60)), [("0", 0, 1650), ("1", 0, 800)], Fraction(0)),
        # below 0 and kept: (1650 - 1815) / 1650
        ("a clock above the nominal", calls(("a", 10)), [("0", 0, 1815)], Fraction(-1, 10)),
        # a: (1650 - 1815 + 1650 - 1485) / (1650 x 2)
        ("above and below even out", calls(("a", 10), ("a", 60)), [("0", 0, 1815), ("0", 50, 1485)], Fraction(0)),
        # a: -165 / 1650, b: -330 / 1650; the largest of two negative ones
        (
            "the largest of negative ones",
            calls(("a", 10), ("b", 60)),
            [("0", 0, 1815), ("0", 50, 1980)],
            Fraction(-1, 10),
        ),
        # every call counts alike: 850 / 1650 / 2, whatever its length
        (
            "not weighted by time",
            [{"name": "a", "start_ns": 10, "duration_ns": 80}, {"name": "a", "start_ns": 110, "duration_ns": 1}],
            FALL,
            Fraction(850, 3300),
        ),
    ],
)
def test_largest_mean_reduction(
    title: str, rows: list[dict[str, object]], clock: Iterable[tuple[str, int, int]], expected: Fraction
) -> None:
    assert value(drop(watched(rows, *clock))) == expected, title


@pytest.mark.parametrize("kind", ["communication", "ai_cpu", "placeholder"])
def test_only_kernels_of_the_ai_core_count(kind: str) -> None:
    rows = [*calls(("a", 10)), {"kind": kind, "name": "b", "start_ns": 110, "duration_ns": 10}]
    assert value(drop(watched(rows, *FALL))) == 0


def test_it_is_made_of_what_it_says() -> None:
    # b: 3 calls at 1650, 800, 800 in lines 3, 5, 6: (3 x 1650 - 3250) / (3 x 1650) MHz; a: 2 calls at 1650, 800
    rows = calls(("a", 10), ("b", 20), ("a", 110), ("b", 120), ("b", 130))
    measured = drop(watched(rows, *FALL))
    assert value(measured) == Fraction(1700, 4950)
    assert measured.numerator == Quantity(value=1700 * 10**6, unit="1/s")
    assert measured.denominator == Quantity(value=4950 * 10**6, unit="1/s")
    clock, kernel_rows, chip = measured.origins
    assert "AICORE_FREQ" in clock.locator
    assert kernel_rows.locator.endswith("; rows 3, 5, 6")
    assert kernel_rows.formula.startswith("operator b, the largest of 2: ")
    assert (chip.file, chip.locator) == ("before/device_0/info.json", "DeviceInfo[0].aic_frequency")
    assert (measured.source, measured.sample, codes(measured)) == ("db", None, [])


def test_of_operators_alike_the_first_that_ran_is_named() -> None:
    # z: 1 of 2 calls at 800; a: 2 of 4: the same mean, not the same sums
    rows = calls(("z", 10), ("z", 110), ("a", 120), ("a", 130), ("a", 310), ("a", 320))
    assert drop(watched(rows, *FALL)).origins[1].formula.startswith("operator z, the largest of 2")


def test_means_that_floats_cannot_tell_apart_are_told_apart() -> None:
    # 10^8 calls cannot be written here, so the means are made close: 1650 - 1/3000 against 1650 - 1/3001
    rows = [*calls(*((("a", 10),) * 2999), ("a", 150)), *calls(*((("b", 10),) * 3000), ("b", 150))]
    measured = drop(watched(rows, ("0", 0, 1650), ("0", 100, 1649)))
    assert value(measured) == Fraction(1, 1650 * 3000)
    assert measured.origins[1].formula.startswith("operator a,")


def test_a_name_of_a_stranger_is_harmless_and_short() -> None:
    formula = drop(watched(calls(("x\x1b[2J{rows}" + "y" * 5000, 10)), *FALL)).origins[1].formula
    assert "\x1b" not in formula
    assert "{rows}" in formula
    assert len(formula) < 400


def test_many_rows_are_counted() -> None:
    place = watched(calls(*((("a", 10),) * 12)), *FALL)
    assert drop(place).origins[1].locator.endswith("; rows 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 ... 13, 12 in all")


# ------------------------------------------------------------------------------------------------ missing and doubts
def test_without_the_nominal_there_is_no_value() -> None:
    for files in ((), (info(ai_core_num="20"),), (info(aic_frequency="0"),), (settings("info.json", "device_1"),)):
        summary = drop(at(kernels(calls(("a", 10))), *files, clock=frequency(*FALL))).summary
        assert isinstance(summary, Missing)
        assert (summary.kind, summary.reason.code) == (MissingKind.NOT_RECORDED, "cores_not_recorded")
        assert summary.reason.arg("keys") == "aic_frequency"
        assert summary.remedy == Reason.of("keep_info_json")


def test_without_a_clock_or_a_kernel_there_is_no_value() -> None:
    assert code(drop(at(kernels(calls(("a", 10))), NOMINAL))) == "table_missing"
    assert code(drop(watched(calls(("a", 10)), ("1", 0, 1650)))) == "frequency_not_of_device"
    assert code(drop(watched(calls(("a", 10)), ("0", 0, 20_000)))) == "frequency_out_of_range"
    assert code(drop(watched([{"kind": "communication"}], ("0", 0, 1650)))) == "no_kernel_ran"


@pytest.mark.parametrize(
    ("clock", "files", "said"),
    [
        ([("0", 0, 1650)], (NOMINAL, LPM_ON), []),
        ([("0", 0, 1650)], (NOMINAL, settings("sample.json", ai_core_lpm="off")), ["frequency_changes_not_collected"]),
        ([("0", 0, 1650)], (NOMINAL,), ["frequency_changes_unknown"]),
        (FALL, (NOMINAL,), []),  # it changed, so it was watched
        ([("0", 0, 800)], (NOMINAL,), []),  # flat below the nominal is no default of the exporter
    ],
)
def test_a_clock_that_may_not_have_been_watched_is_doubted(
    clock: Iterable[tuple[str, int, int]], files: tuple[object, ...], said: list[str]
) -> None:
    measured = drop(at(kernels(calls(("a", 10))), *files, clock=frequency(*clock)))  # type: ignore[arg-type]
    assert codes(measured) == said


def test_a_clock_of_another_day_is_undecided() -> None:
    place = watched(calls(("a", 10)), *FALL)
    place = replace(place, rank=replace(place.rank, started_ns=10**15, ended_ns=10**15 + 1000))
    failed = drop(place).undecided_by()
    assert failed is not None
    assert failed.name == "records_after_start"


def test_a_million_rows_of_as_many_names_take_seconds() -> None:
    one = kernels(calls(("a", 0)))
    count = 1_000_000
    frame = one.frame.iloc[[0] * count].reset_index(drop=True)
    frame["start_ns"] = np.arange(count)
    frame["name"] = pd.Categorical([f"k{n}" for n in range(count)])
    place = at(replace(one, frame=frame), NOMINAL, LPM_ON, clock=frequency(("0", 0, 1650), ("0", count - 1, 825)))
    begun = perf_counter()
    measured = drop(place)
    assert perf_counter() - begun < 20, "a second or two on a quiet machine"
    assert value(measured) == Fraction(1, 2)
    assert f"operator k{count - 1}, the largest of {count}" in measured.origins[1].formula


# ------------------------------------------------------------------------------------------------ generated captures
def falling(root: Path) -> tuple[Path, Fraction]:
    """A PROF directory whose clock falls to 1320 MHz for a sixth of its calls, and the drop worked out from its tables.

    1650 MHz nominal: 1320 is a reduction of 1/5 in each call that starts in the fall.
    """
    ops = (replace(CUBE, name="aclnnMatmul"), replace(ADD, name="aclnnAdd"))
    spec = replace(PROF, ops=ops, exports=(Export(stamp=STAMP),), databases=(STAMP,))
    path = write_prof_capture(root, spec).path
    (database,) = path.glob("msprof_*.db")
    with closing(sqlite3.connect(database)) as connection:
        query = (
            "SELECT S.value, T.startNs FROM TASK T JOIN COMPUTE_TASK_INFO C ON C.globalTaskId = T.globalTaskId "
            "JOIN STRING_IDS S ON S.id = C.name ORDER BY T.startNs"
        )
        rows = connection.execute(query).fetchall()
        low, high = rows[len(rows) // 3][1], rows[len(rows) // 2][1]
        connection.execute("DELETE FROM AICORE_FREQ WHERE timestampNs > ? AND timestampNs <= ?", (low, high))
        connection.executemany(
            "INSERT INTO AICORE_FREQ (deviceId, timestampNs, freq) VALUES (0, ?, ?)", [(low, 1320), (high, 1650)]
        )
        connection.commit()
    starts: dict[str, list[int]] = {}
    for name, start in rows:
        starts.setdefault(name, []).append(start)
    fallen = {name: sum(low <= start < high for start in found) for name, found in starts.items()}
    (trace,) = path.rglob("msprof_2*.json")
    events = json.loads(trace.read_text("utf-8"))
    place = next(event for event in events if event.get("ph") == "C" and event["name"] == "AI Core Freq")
    for instant, mhz in ((low, 1320), (high, 1650)):
        ts = f"{instant // 1000}.{instant % 1000:03d}"
        events.append({**place, "ts": ts, "args": {"MHz": mhz}})
    trace.write_text(json.dumps(events), "utf-8")
    return path, max(Fraction(fallen[name], 5 * len(found)) for name, found in starts.items())


@pytest.mark.parametrize("source", ["db", "csv"])
def test_a_falling_clock_of_a_generated_capture(tmp_path: Path, source: str) -> None:
    path, expected = falling(tmp_path)
    found, _ = measure(read_capture(path, source=source))
    (measured,) = [one for one in found if one.metric == "ai_core_frequency_drop"]
    assert 0 < expected < Fraction(1, 5)
    assert value(measured) == expected
    assert measured.undecided_by() is None
    assert "from_json" in [w.name for w in measured.witnesses] or source == "csv"


def test_inspect_shows_it(tmp_path: Path) -> None:
    path, expected = falling(tmp_path)
    shown = json.loads(reportgen("inspect", str(path), "--json").out)
    text = json.dumps(shown)
    assert "ai_core_frequency_drop" in text
    assert f'"exact": "{expected}"' in text
    assert "memory_bound_share" in text


# ------------------------------------------------------------------------------------------------ published captures
@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize("stamp", [ADD_TORCH, ADD_ASCENDC, ADD_PYPTO, *MATMUL])
def test_published_captures_ran_at_their_nominal(stamp: str) -> None:
    # docs/formats.md 11.7: 1650 MHz whenever busy, also in the capture (add/pypto) that falls to 800 while idle
    found, _ = measure(read_capture(prof(stamp)))
    (measured,) = [one for one in found if one.metric == "ai_core_frequency_drop"]
    assert value(measured) == 0
    assert codes(measured) == []


@needs_corpus
@pytest.mark.corpus
def test_published_captures_without_info_json_have_none() -> None:
    found, _ = measure(read_capture(torch(1, 0, "db")))
    (measured,) = [one for one in found if one.metric == "ai_core_frequency_drop"]
    assert code(measured) == "cores_not_recorded"
