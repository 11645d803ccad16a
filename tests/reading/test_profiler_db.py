"""msprof_*.db, ascend_pytorch_profiler*.db and analysis.db: right values of the corpus, and of planned captures.

Figures of the corpus stand in its README. Where a figure is worked out here, it is by SQL joins inside SQLite or by
the csv module, neither of which the product uses for these files.
"""

from __future__ import annotations

import csv
import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from captures.generator import Collective, Op, Pace, TorchSpec, write_prof_capture, write_torch_capture, write_torch_db
from corpus import ADD_ASCENDC, ADD_PYPTO, ADD_TORCH, MATMUL, needs_corpus, prof, torch
from jobs import PROF, RESHARD, TORCH, only

from reportgen import intervals
from reportgen.frames import AI_CPU, COMMUNICATION, KERNEL, Table
from reportgen.metrics.steps import windows
from reportgen.reading import analysis_db, db_memory, db_pmu, db_settings, db_steps, db_tables, profiler_db
from reportgen.reading import settings as settings_files
from reportgen.reading.database import Database
from reportgen.reading.decimals import exact, scaled

OUTPUT = "ASCEND_PROFILER_OUTPUT"
WHOLE_PROFS = (ADD_TORCH, ADD_ASCENDC, ADD_PYPTO, *MATMUL)
RANKS = ((0, 0), (0, 1), (1, 0), (1, 1))
# analysis.db of (level, rank): computing, not overlapped, free, stage in us (corpus README)
PUBLISHED = {
    (0, 0): ("8843.91", "85881.122", "25900.158", "120625.19"),
    (0, 1): ("8831.637", "90000.781", "26748.231", "125580.649"),
    (1, 0): ("8903.431", "98071.947", "25258.144", "132233.522"),
    (1, 1): ("8915.634", "94556.05", "25840.499", "129312.183"),
}


def read(path: Path, reader: Callable[[Database], Any]) -> Any:
    with Database.open(path, path.parent, shown=path.name) as db:
        return reader(db)


def there(table: Table | None) -> pd.DataFrame:
    assert table is not None
    return table.frame


def ns(text: str) -> int:
    """Microseconds as whole nanoseconds."""
    value = Decimal(text.strip()) * 1000
    assert value == value.to_integral_value()
    return int(value)


def torch_db(level: int, rank: int) -> Path:
    return torch(level, rank, "db") / OUTPUT / f"ascend_pytorch_profiler_{rank}.db"


def analysis(level: int, rank: int) -> Path:
    return torch(level, rank, "db") / OUTPUT / "analysis.db"


def prof_db(stamp: str) -> Path:
    return next(prof(stamp).glob("msprof_*.db"))


def sql(path: Path, text: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        return connection.execute(text).fetchall()


def weighted(frame: pd.DataFrame, part: str, whole: str) -> float:
    return int(frame[part].fillna(0).sum()) / int(frame[whole].fillna(0).sum())


# ------------------------------------------------------------------------------------------------ torch_npu, corpus
@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize(("level", "rank"), RANKS)
def test_unions_over_the_kernels_are_the_published_step_times(level: int, rank: int) -> None:
    frame = read(torch_db(level, rank), profiler_db.read_kernels).frame
    computing, unhidden, free, stage = (ns(text) for text in PUBLISHED[level, rank])
    start = frame["start_ns"].to_numpy()
    end = start + frame["duration_ns"].to_numpy()
    large = (frame["kind"] == COMMUNICATION).to_numpy()
    assert intervals.union_length(start[~large], end[~large]) == computing
    assert intervals.union_length(start, end) - computing == unhidden
    assert int(end.max() - start.min()) == stage
    assert computing + unhidden + free == stage
    (window,) = [windows(frame)]
    assert window is not None
    assert (window.labels, window.spans, window.outside) == (("50",), (stage,), 0)
    assert int(window.computing[0]) == computing
    assert int(window.busy[0]) == computing + unhidden


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize(("level", "rank"), RANKS)
def test_analysis_db_holds_the_published_step_times(level: int, rank: int) -> None:
    table = read(analysis(level, rank), analysis_db.read_step_trace)
    (row,) = there(table).to_dict("records")
    parts = ("computing_ns", "communication_not_overlapped_ns", "free_ns", "stage_ns")
    assert tuple(row[part] for part in parts) == tuple(ns(text) for text in PUBLISHED[level, rank])
    assert (row["step"], row["device"]) == ("50", "")
    assert table is not None
    assert (table.source, table.locator, table.columns[1]) == ("db", "StepTraceTime", "StepTraceTime.computing")


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize(("level", "rank"), RANKS)
def test_counts_of_torch_databases(level: int, rank: int) -> None:
    table = read(torch_db(level, rank), profiler_db.read_kernels)
    assert Counter(table.frame["kind"]) == {KERNEL: 187, COMMUNICATION: 4}
    assert set(table.frame["step"]) == {"50"}
    assert sorted(table.frame["line"]) == list(range(1, 192))
    large = table.frame[table.frame["kind"] == COMMUNICATION]
    assert list(large["line"]) == [188, 189, 190, 191]
    assert set(large["stream"]) == set(large["task"]) == {"N/A"}
    assert set(large["accelerator"]) == {"COMMUNICATION"}
    assert set(large["type"]) == ({"hcom_allReduce_"} if level else {"N/A"})
    (group,) = set(large["group"])
    assert "%enp189s0f0_60000_0_" in group  # the communicator's name, as in parallel_group_info
    assert set(table.frame.loc[table.frame["kind"] == KERNEL, "group"]) == {"N/A"}
    assert (table.source, table.times_per_ns, table.ratios_per_one) == ("db", 10**6, 10**15)
    assert table.locator == "COMPUTE_TASK_INFO joined to TASK on globalTaskId, then COMMUNICATION_OP"


@needs_corpus
@pytest.mark.corpus
def test_time_weighted_ratios_of_level_1() -> None:
    frame = read(torch_db(1, 0), profiler_db.read_kernels).frame
    found = {
        name: round(weighted(frame, f"{name}_time", f"{name[:3]}_total"), 5)
        for name in ("aic_mac", "aic_mte2", "aiv_vec", "aiv_mte2")
    }
    assert found == {"aic_mac": 0.46546, "aic_mte2": 0.66333, "aiv_vec": 0.11431, "aiv_mte2": 0.62599}


@needs_corpus
@pytest.mark.corpus
def test_pmu_values_keep_every_digit() -> None:
    # TASK_PMU_INFO of globalTaskId 5 (stream 2, task 11065): aic_total_time 311573.4027777778,
    # aic_mac_ratio 0.5206727414197252, aic_total_cycles 8973314; rounded to femtoseconds and to 15 places
    frame = read(torch_db(1, 0), profiler_db.read_kernels).frame
    row = frame[frame["task"] == "11065"].iloc[0]
    assert (row["aic_total"], row["aic_mac_ratio"], row["aic_cycles"]) == (311573402778, 520672741419725, 8973314)
    # two kernels (DSA) have no PMU rows: missing, not zero
    assert int(frame.loc[frame["kind"] == KERNEL, "aic_total"].isna().sum()) == 2


@needs_corpus
@pytest.mark.corpus
def test_shapes_and_blocks_of_level_1() -> None:
    frame = read(torch_db(1, 0), profiler_db.read_kernels).frame
    row = frame[frame["name"] == "Conv2D1"].iloc[0]
    assert row["shapes"] == "32,1,224,224,8;121,4,16,8;64"  # STRING_IDS holds it in quotes
    assert (row["type"], row["dtypes"], row["accelerator"]) == ("Conv2D", "FLOAT;FLOAT;FLOAT", "AI_CORE")
    assert (row["blocks"], row["mix_blocks"], row["stream"], row["duration_ns"]) == (16, 0, "2", 314667)


@needs_corpus
@pytest.mark.corpus
def test_host_step_session_rank_and_chip() -> None:
    path = torch_db(1, 0)
    ((start, end),) = sql(path, "SELECT startNs, endNs FROM STEP_TIME")
    assert Fraction(int(end) - int(start), 1000) == Fraction("151888.75")  # type: ignore[call-overload]
    assert read(path, lambda db: db_steps.step_windows(db, db_steps.Launches.of(*(np.zeros(0, np.int64),) * 3))) == [
        ("50", start, end)
    ]
    assert read(path, db_tables.read_session) == (1736410576284680000, 1736410576677568000)
    assert read(path, db_tables.read_rank) == {0: 0}
    assert read(torch_db(1, 1), db_tables.read_rank) == {1: 1}
    assert read(path, db_tables.read_chip) == {0: "Ascend910B"}
    assert read(path, db_tables.read_host) == {"hostUid": "3538958389648580163", "hostName": "host-a"}


@needs_corpus
@pytest.mark.corpus
def test_memory_peaks_of_level_1() -> None:
    frame = there(read(torch_db(1, 0), db_memory.read_device_memory))
    peaks = frame.groupby("component", observed=True)["reserved_bytes"].max()
    assert dict(peaks) == {"app": 2216402944, "device": 2468032512}
    assert set(frame["allocated_bytes"]) == {None}


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize(("level", "rank"), RANKS)
def test_memory_tables_against_sql(level: int, rank: int) -> None:
    path = torch_db(level, rank)
    frame = there(read(path, db_memory.read_memory))
    found = {
        str(name): (max(rows["allocated_bytes"]), max(rows["reserved_bytes"]), len(rows))
        for name, rows in frame.groupby("component", observed=True)
    }
    expected = sql(
        path,
        "SELECT s.value, max(totalAllocated), max(totalReserved), count(*) FROM MEMORY_RECORD m "
        "JOIN STRING_IDS s ON s.id = m.component GROUP BY 1",
    )
    assert found == {str(name): tuple(rest) for name, *rest in expected}
    modules = there(read(path, db_memory.read_modules))
    assert modules[modules["component"] == "HCCL"]["reserved_bytes"].max() == max(
        sql(path, "SELECT max(totalReserved) FROM NPU_MODULE_MEM m JOIN ENUM_MODULE e ON e.id = moduleId "
                  "WHERE e.name = 'HCCL'")[0]
    )  # fmt: skip
    operators = there(read(path, db_memory.read_operator_memory))
    ((count, size, unseen),) = sql(path, "SELECT count(*), sum(size), sum(releaseTime IS NULL) FROM OP_MEMORY")
    assert (len(operators), operators["size_bytes"].sum(), operators["released_at_ns"].isna().sum()) == (
        count,
        size,
        unseen,
    )


@needs_corpus
@pytest.mark.corpus
def test_frequency_of_torch_is_flat_and_ordered() -> None:
    frame = there(read(torch_db(1, 0), db_tables.read_frequency))
    assert set(frame["mhz"]) == {1800}
    # the file holds ..286163200 before ..284680000
    assert list(frame["time_ns"]) == [1736410576284680000, 1736410576286163200, 1736410576677568000]


@needs_corpus
@pytest.mark.corpus
def test_the_viewers_overlap_analysis_is_not_read() -> None:
    # Insight opened this database: status_info holds OVERLAP_ANALYSIS_STATUS, and TASK a column depth
    path = torch_db(1, 0)
    with Database.open(path, path.parent, shown="db") as db:
        assert "OVERLAP_ANALYSIS" in db.tables
        assert "depth" in db.tables["TASK"]
        assert db_tables.read_lane(db) is None


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize("path", [lambda: torch_db(1, 0), lambda: prof_db(ADD_PYPTO)])
def test_host_calls_against_sql(path: Callable[[], Path]) -> None:
    frame = there(read(path(), db_tables.read_apis))
    expected = sql(
        path(),
        "SELECT e.name, s.value, count(*), sum(endNs - startNs), min(endNs - startNs), max(endNs - startNs) "
        "FROM CANN_API a JOIN ENUM_API_TYPE e ON e.id = a.type JOIN STRING_IDS s ON s.id = a.name GROUP BY 1, 2 "
        "ORDER BY 1, 2",
    )
    assert [tuple(row) for row in frame.itertuples(index=False)] == expected
    assert "node" in set(frame["level"])


@needs_corpus
@pytest.mark.corpus
def test_collectives_and_links_of_level_1() -> None:
    # CommAnalyzerTime, first row: elapse 88.75099321875 ms, synchronization 3.51773028125, start ..431645.2 us;
    # CommAnalyzerBandwidth: 28.647232000000002 MB over HCCS in 12 + 2 packets, repeated as SDMA
    path = analysis(1, 0)
    times = there(read(path, analysis_db.read_collectives))
    assert len(times) == 4
    row = times.iloc[0]
    assert (row["step"], row["kind"], row["name"]) == ("50", "collective", "hcom_allReduce__210_0_1")
    assert row["elapse_ns"] == Fraction("88750993.21875")
    assert row["synchronization_ns"] == Fraction("3517730.28125")
    assert row["start_ns"] == 1736410576431645200
    links = there(read(path, analysis_db.read_links))
    assert Counter(links["link"]) == {"HCCS": 4, "SDMA": 4}
    first = links.iloc[0]
    assert first["size_bytes"] == Fraction("28647232.000000002")
    assert (first["packets"], first["large_packets"]) == (14, 0)
    assert list(links[links["link"] == "SDMA"]["packets"]) == [0] * 4
    assert read(analysis(0, 0), analysis_db.read_collectives) is None
    assert read(analysis(0, 0), analysis_db.read_links) is None


@needs_corpus
@pytest.mark.corpus
def test_metadata_is_flattened_like_the_settings_file(tmp_path: Path) -> None:
    path = torch_db(1, 0)
    found = {file.kind: file for file in read(path, lambda db: db_settings.read_metadata(db, rank=0))}
    assert list(found) == ["profiler_metadata.json", "META_DATA", "NPU_INFO", "HOST_INFO"]
    ((text,),) = sql(path, "SELECT value FROM META_DATA WHERE name = 'ENV_VARIABLES'")
    written = tmp_path / "profiler_metadata.json"
    written.write_text(json.dumps({"ENV_VARIABLES": json.loads(str(text))}))
    same = settings_files.read_settings_file(
        written, tmp_path, kind="profiler_metadata.json", place="", rank=0, shown="x"
    )
    held = found["profiler_metadata.json"]
    assert (held.values, held.types, held.rank) == (same.values, same.types, 0)
    assert found["META_DATA"].get("SCHEMA_VERSION") == "1.0.0"
    assert found["NPU_INFO"].values == (("name", "Ascend910B"),)
    assert held.record.path == path.name


# ------------------------------------------------------------------------------------------------ msprof, corpus
def summary(stamp: str) -> list[dict[str, str]]:
    (path,) = (prof(stamp) / "mindstudio_profiler_output").glob("op_summary_*.csv")
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize("stamp", WHOLE_PROFS)
def test_kernels_equal_op_summary_row_by_row(stamp: str) -> None:
    frame = read(prof_db(stamp), profiler_db.read_kernels).frame
    found = list(
        zip(frame["start_ns"], frame["duration_ns"], frame["stream"], frame["task"], frame["name"], strict=True)
    )
    expected = [
        (
            ns(row["Task Start Time(us)"]),
            ns(row["Task Duration(us)"]),
            row["Stream ID"],
            row["Task ID"],
            row["Op Name"],
        )
        for row in summary(stamp)
    ]
    assert sorted(found) == sorted(expected)
    assert [start for start, *_ in found] == sorted(start for start, *_ in found)
    assert set(frame["step"]) == {""}


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize("stamp", WHOLE_PROFS)
def test_pmu_ratios_and_cycles_equal_op_summary(stamp: str) -> None:
    frame = read(prof_db(stamp), profiler_db.read_kernels).frame
    cells = {(row["Stream ID"], row["Task ID"], ns(row["Task Start Time(us)"])): row for row in summary(stamp)}
    for row in frame.to_dict("records"):
        printed = cells[row["stream"], row["task"], row["start_ns"]]
        if row["kind"] == AI_CPU:
            assert printed["aic_mac_ratio"] == "N/A"
            assert pd.isna(row["aic_mac_ratio"])
            continue
        assert row["aic_cycles"] == int(printed["aic_total_cycles"])
        assert abs(Fraction(row["aiv_vec_ratio"], 10**15) - Fraction(printed["aiv_vec_ratio"])) <= Fraction(1, 2000)
        assert abs(Fraction(row["aic_mac_ratio"], 10**15) - Fraction(printed["aic_mac_ratio"])) <= Fraction(1, 2000)
        assert row["aic_total"] == 0  # level 0: times are not collected


@needs_corpus
@pytest.mark.corpus
def test_ai_cpu_helpers_are_told_apart_at_level_0() -> None:
    frame = read(prof_db(ADD_PYPTO), profiler_db.read_kernels).frame
    assert Counter(frame["kind"]) == {KERNEL: 300, AI_CPU: 600}
    totals = frame.groupby("kind", observed=True)["duration_ns"].sum()
    assert (int(totals[KERNEL]), int(totals[AI_CPU])) == (ns("13602.986"), ns("29525.650"))
    assert set(frame["accelerator"]) == {"N/A"}


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize("stamp", WHOLE_PROFS)
def test_tasks_equal_task_time(stamp: str) -> None:
    frame = there(read(prof_db(stamp), profiler_db.read_tasks))
    found = Counter(
        zip(frame["start_ns"], frame["stop_ns"], frame["kernel_type"], frame["stream"], frame["task"], strict=True)
    )
    (path,) = (prof(stamp) / "mindstudio_profiler_output").glob("task_time_*.csv")
    with path.open(encoding="utf-8", newline="") as file:
        expected = Counter(
            (ns(row["task_start(us)"]), ns(row["task_stop(us)"]), row["kernel_type"], row["stream_id"], row["task_id"])
            for row in csv.DictReader(file)
        )
    assert not expected - found  # the database holds the parents of MIX kernels too (formats 11.6)
    named = {str(name) for name in frame["kernel_name"]} - {"N/A"}
    assert named == {row["Op Name"] for row in summary(stamp)}


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize("stamp", WHOLE_PROFS)
def test_clock_and_session_follow_start_info_and_end_info(stamp: str) -> None:
    def stamps(place: str, suffix: str) -> tuple[int, int]:
        first = json.loads((prof(stamp) / place / f"start_info{suffix}").read_text())["collectionTimeBegin"]
        last = json.loads((prof(stamp) / place / f"end_info{suffix}").read_text())["collectionTimeEnd"]
        return int(first) * 1000, int(last) * 1000

    path = prof_db(stamp)
    frame = there(read(path, db_tables.read_frequency))
    times = list(frame["time_ns"])
    assert (times[0] // 1000, times[-1] // 1000) == tuple(n // 1000 for n in stamps("device_0", ".0"))
    assert times == sorted(times)
    assert set(frame["mhz"]) <= {800, 1650}
    assert read(path, db_tables.read_session) == stamps("host", "")
    assert read(path, db_tables.read_rank) == {0: None}
    assert read(path, db_memory.read_memory) is None
    assert read(path, db_memory.read_device_memory) is None
    assert read(path, db_tables.read_lane) is None


# ------------------------------------------------------------------------------------------------ planned captures
HELPED = replace(TORCH, ops=(*TORCH.ops, Op(type="Cast", name="aclnnCast", core="AI_CPU", mean_ns=9_000)))
PLANS: dict[str, TorchSpec] = {
    "level 1": TORCH,
    "level 0": replace(TORCH, level="Level0"),
    "AI CPU at level 0": replace(HELPED, level="Level0"),
    "rows outside steps": replace(TORCH, before_rows=3, after_rows=2),
    "no steps": replace(TORCH, markers=False),
    "one step": replace(TORCH, steps=1),
    "no collectives": replace(TORCH, collectives=()),
    "a receive": replace(TORCH, collectives=(Collective(type="hcom_receive_", mean_ns=90_000, at_permille=500),)),
    "a slow first step, no rank": replace(TORCH, pace=Pace(first_step_permille=3000), ranks=(None,)),
}


def profiler(path: Path) -> Path:
    return next((path / OUTPUT).glob("ascend_pytorch_profiler*.db"))


@pytest.mark.parametrize("schema", ["1.0.0", "1.2.0"])
@pytest.mark.parametrize("title", PLANS)
def test_planned_torch_captures(tmp_path: Path, title: str, schema: str) -> None:
    plan = only(write_torch_db(tmp_path, PLANS[title], schema))  # type: ignore[arg-type]
    frame = read(profiler(plan.path), profiler_db.read_kernels).frame
    counts = Counter(frame["kind"])
    assert (counts[KERNEL], counts[AI_CPU], counts[COMMUNICATION]) == (plan.kernels, plan.ai_cpu, plan.collectives)
    assert int((frame["step"] == "").sum()) == (plan.outside if plan.steps else len(frame))
    found = windows(frame)
    assert found is not None
    ordered = [step for step in plan.steps if step.window_ns is not None]
    if ordered:
        assert list(found.labels) == [str(step.step) for step in ordered]
        assert found.length.tolist() == [step.window_ns for step in ordered]
        assert found.computing.tolist() == [step.shares.computing_ns for step in ordered]
        assert (found.busy - found.computing).tolist() == [step.shares.unhidden_ns for step in ordered]
    names = {
        str(name): (len(rows), int(rows["duration_ns"].sum()))
        for name, rows in frame[frame["kind"] != COMMUNICATION].groupby("name", observed=True)
    }
    assert names == {name: (one.count, one.total_ns) for name, one in plan.names.items()}


@pytest.mark.parametrize("title", ["level 1", "no steps", "a receive"])
def test_planned_step_times_of_analysis_db(tmp_path: Path, title: str) -> None:
    plan = only(write_torch_db(tmp_path, PLANS[title]))
    frame = there(read(plan.path / OUTPUT / "analysis.db", analysis_db.read_step_trace))
    if not plan.steps:
        assert list(frame["step"]) == [""]
        assert frame["computing_ns"][0] == plan.shares.computing_ns
        return
    assert list(frame["step"]) == [str(step.step) for step in plan.steps]
    assert list(frame["computing_ns"]) == [step.shares.computing_ns for step in plan.steps]
    bubbles = frame["bubble_ns"] if title == "a receive" else 0
    assert list(frame["stage_ns"] + bubbles) == [step.end_ns - step.start_ns for step in plan.steps]


def test_planned_collectives_add_up(tmp_path: Path) -> None:
    plan = only(write_torch_db(tmp_path, TORCH))
    path = plan.path / OUTPUT / "analysis.db"
    times = there(read(path, analysis_db.read_collectives))
    assert sum(times["wait_ns"]) == plan.wait_ns
    assert sum(times["transit_ns"]) == plan.transit_ns
    links = there(read(path, analysis_db.read_links))
    hccs = links[links["link"] == "HCCS"]
    assert set(hccs["size_bytes"]) == {RESHARD.size_bytes}
    assert set(hccs["packets"]) == {8}
    assert sum(hccs["transit_ns"]) == plan.transit_ns
    kernels = read(profiler(plan.path), profiler_db.read_kernels).frame
    assert len(set(kernels.loc[kernels["kind"] == COMMUNICATION, "group"])) == 1


def test_planned_memory(tmp_path: Path) -> None:
    plan = only(write_torch_db(tmp_path, TORCH))
    path = profiler(plan.path)
    memory, device = there(read(path, db_memory.read_memory)), there(read(path, db_memory.read_device_memory))
    for part, peak in plan.memory.items():
        frame = device if part in ("APP", "device") else memory
        rows = frame[frame["component"] == part.lower()] if frame is device else frame[frame["component"] == part]
        assert max(rows["reserved_bytes"]) == peak.reserved, part
        if peak.allocated is not None:
            assert max(rows["allocated_bytes"]) == peak.allocated, part
    modules = there(read(path, db_memory.read_modules))
    assert list(modules[modules["component"] == "APP"]["reserved_bytes"]) == [None]  # written as -1


def test_the_same_plan_as_text_has_the_same_kernels(tmp_path: Path) -> None:
    from reportgen.reading.kernels import read_kernels

    db = only(write_torch_db(tmp_path / "db", TORCH))
    text = only(write_torch_capture(tmp_path / "text", TORCH))
    first = read(profiler(db.path), profiler_db.read_kernels).frame
    path = text.path / OUTPUT / "kernel_details.csv"
    second = read_kernels(path, tmp_path, shown="x").frame
    same = ["step", "stream", "task", "name", "type", "shapes", "dtypes", "start_ns", "duration_ns", "kind", "blocks"]
    for column in same:
        if column == "blocks":
            kernel = (first["kind"] == KERNEL).to_numpy()
            assert list(first[column][kernel]) == list(second[column][kernel])
        else:
            assert list(first[column].astype(str)) == list(second[column].astype(str)), column
    # 1 ns in the csv is 1000 / 1000 us; the database counts femtoseconds
    ours, theirs = first["aic_mac_time"].dropna(), second["aic_mac_time"].dropna()
    assert list(ours // 10**3) == list(theirs)
    assert list(first["aic_mac_ratio"].dropna() // 10**9) == list(second["aic_mac_ratio"].dropna())


@pytest.mark.parametrize("level", [0, 1])
def test_planned_msprof_database(tmp_path: Path, level: int) -> None:
    spec = replace(
        PROF,
        level=level,  # type: ignore[arg-type]
        helpers=level == 0,
        databases=("20261020140340",),
        npu_mem=(4 << 20, 9 << 20),
        ge_memory=((1 << 20, 2 << 20), (3 << 20, 4 << 20)),
    )
    plan = write_prof_capture(tmp_path, spec)
    path = plan.path / "msprof_20261020140340.db"
    frame = read(path, profiler_db.read_kernels).frame
    counts = Counter(frame["kind"])
    assert (counts[KERNEL], counts[AI_CPU]) == (plan.kernels, plan.ai_cpu)
    assert (int(frame["start_ns"].min()), int((frame["start_ns"] + frame["duration_ns"]).max())) == plan.span_ns
    memory = there(read(path, db_memory.read_memory))
    assert (set(memory["component"]), max(memory["allocated_bytes"])) == ({"GE"}, 3 << 20)
    device = there(read(path, db_memory.read_device_memory))
    assert max(device[device["component"] == "app"]["reserved_bytes"]) == 9 << 20
    assert read(path, db_tables.read_rank) == {0: None}
    zero = frame.loc[frame["kind"] == KERNEL, "aic_total"].sum() == 0
    assert zero == (level == 0)


# ------------------------------------------------------------------------------------------------ small rules
def edited(path: Path, *statements: str) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    return path


def capture(root: Path, spec: TorchSpec = TORCH) -> Path:
    return profiler(only(write_torch_db(root, replace(spec, steps=3))).path)


def test_pmu_rows_in_another_order_give_the_same_values(tmp_path: Path) -> None:
    path = capture(tmp_path)
    before = read(path, profiler_db.read_kernels).frame
    with Database.open(path, tmp_path, shown="x") as db:
        numbers = list(db_pmu._name_ids(db, db_pmu.names()))
        ids = np.sort(db.integers("COMPUTE_TASK_INFO", ("globalTaskId",))["globalTaskId"])
        assert db_pmu._side_by_side(db_pmu._Columns(db, ids, len(numbers)), numbers)
    edited(
        path,
        "CREATE TABLE other AS SELECT * FROM TASK_PMU_INFO ORDER BY globalTaskId * 7919 % 101, name",
        "DROP TABLE TASK_PMU_INFO",
        "ALTER TABLE other RENAME TO TASK_PMU_INFO",
    )
    with Database.open(path, tmp_path, shown="x") as db:
        assert db_pmu._blocks(db) is None
    pd.testing.assert_frame_equal(read(path, profiler_db.read_kernels).frame, before)


def test_pmu_rows_missing_in_the_middle_are_missing_values(tmp_path: Path) -> None:
    path = capture(tmp_path)
    before = read(path, profiler_db.read_kernels).frame["aic_mac_time"].notna().sum()
    edited(
        path,
        "DELETE FROM TASK_PMU_INFO WHERE globalTaskId = (SELECT min(globalTaskId) FROM TASK_PMU_INFO) AND name = "
        "(SELECT id FROM STRING_IDS WHERE value = 'aic_mac_time')",
    )
    assert read(path, profiler_db.read_kernels).frame["aic_mac_time"].notna().sum() == before - 1


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("UPDATE TASK_PMU_INFO SET value = 'many' WHERE rowid = 2", "text"),
        ("UPDATE TASK_PMU_INFO SET value = -1 WHERE rowid = 2", "-1"),
        ("INSERT INTO TASK_PMU_INFO SELECT * FROM TASK_PMU_INFO WHERE rowid = 2", "two values"),
        ("UPDATE TASK_PMU_INFO SET value = 0.5 WHERE value > 999", "cycles"),
        ("ALTER TABLE TASK_PMU_INFO RENAME COLUMN value TO worth", "'value' is missing"),
    ],
)  # fmt: skip
def test_bad_pmu_values_cost_the_pmu_columns_alone(tmp_path: Path, statement: str, why: str) -> None:
    table = read(edited(capture(tmp_path), statement), profiler_db.read_kernels)
    assert "aic_total" not in table.frame.columns
    (doubt,) = table.warnings
    assert (doubt.code, doubt.arg("column")) == ("pmu_unreadable", "TASK_PMU_INFO")
    assert why in doubt.arg("why")


def test_a_lane_of_msprof_is_read_and_a_viewers_is_not(tmp_path: Path) -> None:
    path = edited(
        capture(tmp_path),
        "CREATE TABLE OVERLAP_ANALYSIS (id INTEGER PRIMARY KEY, deviceId INTEGER, startNs NUMERIC, endNs NUMERIC, "
        "type INTEGER)",
        "CREATE TABLE ENUM_OVERLAP_ANALYSIS_TYPE (id INTEGER PRIMARY KEY, name TEXT)",
        "INSERT INTO ENUM_OVERLAP_ANALYSIS_TYPE VALUES (0, 'FREE'), (1, 'COMM_NOT_OVERLAP_COMP'), (2, 'COMPUTE')",
        "INSERT INTO OVERLAP_ANALYSIS VALUES (1, 0, 1000, 1007, 2), (2, 0, 1007, 1010, 0), (3, 0, 1010, 1011, 1)",
    )
    frame = there(read(path, db_tables.read_lane))
    assert [tuple(row) for row in frame.itertuples(index=False)] == [
        ("0", "Computing", 1000, 7000),
        ("0", "Free", 1007, 3000),
        ("0", "Communication(Not Overlapped)", 1010, 1000),
    ]
    edited(
        path,
        "CREATE TABLE status_info (id INTEGER PRIMARY KEY, key TEXT, value TEXT)",
        "INSERT INTO status_info VALUES (1, 'WAIT_TIME_STATUS', 'FINISH')",
    )
    assert read(path, db_tables.read_lane) is not None
    edited(path, "INSERT INTO status_info VALUES (2, 'OVERLAP_ANALYSIS_STATUS', 'FINISH')")
    assert read(path, db_tables.read_lane) is None


def test_one_die_of_several_is_read_and_said(tmp_path: Path) -> None:
    path = edited(
        capture(tmp_path),
        "DROP TABLE AICORE_FREQ",
        "CREATE TABLE AICORE_FREQ (deviceId INTEGER, timestampNs NUMERIC, freq INTEGER, dieId INTEGER)",
        "INSERT INTO AICORE_FREQ VALUES (0, 30, 1650, 1), (0, 20, 800, 1), (0, 40, 900, 2), (0, 20, 1000, 2)",
    )
    table = read(path, db_tables.read_frequency)
    assert [tuple(row) for row in there(table).itertuples(index=False)] == [("0", 20, 800), ("0", 30, 1650)]
    assert table is not None
    assert [(doubt.code, doubt.arg("n")) for doubt in table.warnings] == [("frequency_of_one_die", "2")]


def test_block_num_is_preferred_to_the_simt_block_dim(tmp_path: Path) -> None:
    plan = only(write_torch_db(tmp_path, replace(TORCH, steps=2), "1.2.0"))
    path = edited(
        profiler(plan.path),
        "ALTER TABLE COMPUTE_TASK_INFO ADD COLUMN gridDim INTEGER DEFAULT 0",
        "ALTER TABLE COMPUTE_TASK_INFO ADD COLUMN blockDim INTEGER DEFAULT 777",
    )
    frame = read(path, profiler_db.read_kernels).frame
    assert set(frame["blocks"].dropna()) == {24, 48}  # 24 cube cores, 48 vector cores of the plan's chip


def test_step_windows_by_hand(tmp_path: Path) -> None:
    # Host steps [100, 200] and [200, 300]. Calls inside them launch tasks [230, 240) and [250, 290); a call that
    # ends outside its step (190..210) launches nothing of it; one at the edge (200..200) is inside both, and its task
    # [232, 249) ends last of step 7. So 7 is [150, 249) and 8 is [230, 300).
    path = tmp_path / "made.db"
    edited(
        path,
        "CREATE TABLE STEP_TIME (id INTEGER, startNs INTEGER, endNs INTEGER)",
        "INSERT INTO STEP_TIME VALUES (7, 100, 200), (8, 200, 300), (9, 400, 500)",
        "CREATE TABLE CANN_API (startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER, connectionId INTEGER, "
        "name INTEGER)",
        "INSERT INTO CANN_API VALUES (110, 120, 10000, 1, 1, 0), (130, 140, 10000, 1, 2, 0), (190, 210, 10000, 1, 3, 0)"
        ", (220, 230, 10000, 1, 4, 0), (221, 222, 20000, 1, 5, 0), (200, 200, 10000, 1, 6, 0)",
    )
    launches = db_steps.Launches.of(
        np.array([1, 2, 2, 3, 4, 5, 6]),
        np.array([150, 160, 240, 50, 230, 60, 232]),
        np.array([155, 165, 245, 55, 260, 65, 249]),
    )
    found = read(path, lambda db: db_steps.step_windows(db, launches))
    assert found == [("7", 150, 249), ("8", 230, 300), ("9", 400, 500)]
    starts = np.array([149, 150, 229, 248, 249, 299, 300, 399, 400, 499, 500])
    assert list(db_steps.steps_of(starts, found)) == ["", "7", "7", "7", "8", "8", "", "", "9", "9", ""]


def test_steps_of_overlapping_windows_are_the_first_that_hold_a_start() -> None:
    rng = np.random.default_rng(5)
    low = rng.integers(0, 1000, 60)
    made = [(str(n), int(a), int(a + b)) for n, (a, b) in enumerate(zip(low, rng.integers(0, 300, 60), strict=True))]
    starts = rng.integers(-10, 1400, 2000)
    by_hand = [next((name for name, a, b in made if a <= start < b), "") for start in starts]
    assert list(db_steps.steps_of(starts, made)) == by_hand


@pytest.mark.parametrize("scale", [1, 10**6, 10**15])
def test_scaled_rounds_the_shortest_decimal_half_to_even(scale: int) -> None:
    rng = np.random.default_rng(scale)
    draws = [rng.random(4000), rng.random(500) * 9000, np.array([0.5, 1.5, 2.5, 0.0, 1e-300, 0.1234567890123455])]
    ties = np.array([0.0000005, 0.0000015, 2.0000025, 0.3000000000000005])
    values = np.concatenate([*draws, ties])
    assert scaled(values, scale).tolist() == [round(Fraction(repr(float(v))) * scale) for v in values]


@pytest.mark.parametrize("value", [float("inf"), float("nan"), 1e19])
def test_scaled_refuses_what_64_bits_do_not_hold(value: float) -> None:
    with pytest.raises(ValueError, match="too large"):
        scaled(np.array([1.0, value]), 1)


def test_exact_numbers() -> None:
    assert exact(28.647232000000002, 10**6) == Fraction("28647232.000000002")
    assert exact(12, 10**6) == 12_000_000
    assert exact(2.0, 10) == 20


def test_devices_of_communication_without_a_device_column(tmp_path: Path) -> None:
    # two devices: the connection of the operators lies on device 1 alone; without that it cannot be told
    path = edited(capture(tmp_path), "UPDATE TASK SET deviceId = 1 WHERE connectionId IN (SELECT connectionId FROM "
                  "COMMUNICATION_OP)")  # fmt: skip
    frame = read(path, profiler_db.read_kernels).frame
    assert set(frame.loc[frame["kind"] == COMMUNICATION, "device"]) == {"1"}
    assert set(frame.loc[frame["kind"] == KERNEL, "device"]) == {"0"}
    edited(path, "ALTER TABLE COMMUNICATION_OP ADD COLUMN deviceId INTEGER DEFAULT 0")
    frame = read(path, profiler_db.read_kernels).frame
    assert set(frame.loc[frame["kind"] == COMMUNICATION, "device"]) == {"0"}


def test_metadata_of_the_generator_equals_its_settings_file(tmp_path: Path) -> None:
    spec = replace(TORCH, world_size=2, distributed_args={"tensor_model_parallel_size": 2, "bf16": True})
    text, db = only(write_torch_capture(tmp_path / "text", spec)), only(write_torch_db(tmp_path / "db", spec))
    held = read(profiler(db.path), db_settings.read_metadata)[0]
    same = settings_files.read_settings_file(
        text.path / "profiler_metadata.json", tmp_path, kind=held.kind, place="", rank=None, shown="x"
    )
    assert sorted(zip(held.values, held.types, strict=True)) == sorted(zip(same.values, same.types, strict=True))


# ------------------------------------------------------------------------------------------------ the generator
@needs_corpus
@pytest.mark.corpus
def test_generated_tables_have_the_corpus_columns(tmp_path: Path) -> None:
    def layout(path: Path) -> dict[str, list[tuple[str, str]]]:
        names = [str(name) for (name,) in sql(path, "SELECT name FROM sqlite_master WHERE type = 'table'")]
        added = {"depth", "waitNs", "opConnectionId"}  # by the viewer
        return {
            name: [(str(c[1]), str(c[2])) for c in sql(path, f"PRAGMA table_info({name})") if c[1] not in added]
            for name in names
        }

    def held(made: Path, real: Sequence[Path]) -> None:
        known = {name: columns for path in real for name, columns in layout(path).items()}
        for name, columns in layout(made).items():
            assert columns == known[name], name

    made = only(write_torch_db(tmp_path, TORCH)).path
    held(profiler(made), [torch_db(1, 0)])
    held(made / OUTPUT / "analysis.db", [analysis(1, 0)])
    plan = write_prof_capture(tmp_path, replace(PROF, databases=("20261020140340",)))
    held(plan.path / "msprof_20261020140340.db", [prof_db(ADD_TORCH)])


def test_the_generator_writes_the_same_rows_twice(tmp_path: Path) -> None:
    first, second = (profiler(only(write_torch_db(tmp_path / name, TORCH)).path) for name in "ab")
    for (name,) in sql(first, "SELECT name FROM sqlite_master WHERE type = 'table'"):
        assert sql(first, f"SELECT * FROM {name}") == sql(second, f"SELECT * FROM {name}")
    info = json.loads(next(first.parents[1].glob("profiler_info_*.json")).read_text())
    assert info["config"]["experimental_config"]["_export_type"] == ["db"]
