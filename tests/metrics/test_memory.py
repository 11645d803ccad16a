"""Peaks of memory, their instants and witnesses, and the series of the charts."""

from __future__ import annotations

import csv
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import pandas as pd
import pytest
from by_hand import BASE, by_part, category, codes, kernels, place, reason, table, value
from corpus import CORPUS, MB, MEMORY, needs_corpus, torch

from reportgen.metrics import host, memory
from reportgen.metrics.common import Place
from reportgen.model import MissingKind, Quantity, Reason, UnreadFile
from reportgen.reading import db_memory, read_capture, ribs
from reportgen.reading.database import Database

KB = 1024
KERNELS = kernels([("", "M", 40, 10, "hcom"), ("", "C", 100, 50, "MatMul"), ("", "A", 130, 10, "Helper")])


def record(*rows: tuple[str, int, Any, Any], device: Sequence[str] = (), kind: str = "memory", **more: Any) -> Any:
    """(component, instant, allocated, reserved)."""
    component, time, allocated, reserved = zip(*rows, strict=True)
    name = {"memory": "memory_record.csv", "device_memory": "npu_mem_2.csv", "modules": "npu_module_mem.csv"}[kind]
    columns = {
        "component": category(component),
        "time_ns": pd.Series([BASE + t for t in time], dtype="int64"),
        "allocated_bytes": pd.Series(list(allocated), dtype=object),
        "reserved_bytes": pd.Series(list(reserved), dtype=object),
        "device": category(list(device) or ["0"] * len(rows)),
    }
    return table(kind, name, columns, **more)


def allocations(*rows: tuple[str, int, Any]) -> Any:
    """(operator, instant, total allocated)."""
    name, time, total = zip(*rows, strict=True)
    columns = {
        "name": category(name),
        "size_bytes": pd.Series([1] * len(rows), dtype=object),
        "total_allocated_bytes": pd.Series(list(total), dtype=object),
        "total_reserved_bytes": pd.Series(list(total), dtype=object),
        "allocated_at_ns": pd.Series([BASE + t for t in time], dtype="Int64"),
        "released_at_ns": pd.Series([None] * len(rows), dtype="Int64"),
        "device": category(["0"] * len(rows)),
    }
    return table("operator_memory", "operator_memory.csv", columns)


# --------------------------------------------------------------------------------------------- peaks
def test_components_are_never_mixed_and_the_first_instant_that_reaches_the_peak_counts() -> None:
    held = record(("PTA", 5, 70, 100), ("GE", 6, 900, 950), ("PTA", 7, 80, 100), ("PTA", 9, 80, 90))
    found = by_part(memory.measure(place(KERNELS, memory=held)))
    assert value(found["peak_allocated", "PTA"]) == 80
    assert found["peak_allocated", "PTA"].at == Quantity(value=BASE + 7, unit="ns")
    assert found["peak_reserved", "PTA"].at == Quantity(value=BASE + 5, unit="ns")
    assert value(found["peak_allocated", "GE"]) == 900
    (origin,) = found["peak_allocated", "PTA"].origins
    assert origin.locator.endswith("component PTA; row 4"), "the header is row 1"


def test_rows_out_of_order_are_put_in_order_of_time() -> None:
    held = record(("PTA", 9, 80, 90), ("PTA", 7, 80, 100))
    peak = by_part(memory.measure(place(KERNELS, memory=held)))["peak_allocated", "PTA"]
    assert peak.at == Quantity(value=BASE + 7, unit="ns")
    assert peak.origins[0].locator.endswith("row 3")


def test_empty_cells_are_no_zeros() -> None:
    held = record(("APP", 5, None, 100), ("PTA", 6, None, None), ("PTA", 7, Fraction(1, 2), 3))
    found = by_part(memory.measure(place(KERNELS, memory=held)))
    assert ("peak_allocated", "APP") not in found
    assert value(found["peak_allocated", "PTA"]) == Fraction(1, 2)
    assert codes(found["peak_reserved", "APP"]) == ["sampled_peak_lower_bound"]
    assert codes(found["peak_reserved", "PTA"]) == []


def test_a_component_of_two_files_is_taken_from_the_first() -> None:
    # APP of memory_record and of npu_mem, each with its own peak; npu_mem spells Device and APP
    first = record(("APP", 5, None, 100))
    second = record(("APP", 6, None, 700), ("Device", 6, None, 800), ("Device", 7, None, 300), kind="device_memory")
    found = by_part(memory.measure(place(KERNELS, memory=first, device_memory=second)))
    assert value(found["peak_reserved", "APP"]) == 100
    assert value(found["peak_reserved", "device"]) == 800
    assert codes(found["peak_reserved", "device"]) == ["sampled_peak_lower_bound"]


def test_other_devices_rows_are_not_this_ranks() -> None:
    held = record(("PTA", 5, 70, 100), ("PTA", 6, 900, 950), device=("0", "1"))
    assert value(by_part(memory.measure(place(KERNELS, memory=held)))["peak_allocated", "PTA"]) == 70
    assert value(by_part(memory.measure(place(KERNELS, memory=held, device=1)))["peak_allocated", "PTA"]) == 900


def test_a_database_names_its_columns() -> None:
    columns = ("MEMORY_RECORD.totalAllocated", "MEMORY_RECORD.totalReserved")
    held = record(("PTA", 5, 70, 100), ("PTA", 6, 60, 120), source="db")
    sampled = record(("device", 5, None, 100), kind="device_memory", source="db")
    held, sampled = (
        type(one)(**{f: getattr(one, f) for f in ("kind", "frame", "file", "source")}, columns=names)
        for one, names in ((held, columns), (sampled, ("NPU_MEM.ddr", "NPU_MEM.hbm", "NPU_MEM.timestampNs")))
    )
    found = by_part(memory.measure(place(KERNELS, memory=held, device_memory=sampled)))
    locator = found["peak_reserved", "PTA"].origins[0].locator
    assert locator == "MEMORY_RECORD.totalReserved; component PTA; row 2"
    locator = found["peak_reserved", "device"].origins[0].locator
    assert locator == "NPU_MEM.ddr + NPU_MEM.hbm; component device; row 1"


def test_only_modules_that_hold_memory_are_shown_the_largest_first() -> None:
    held = record(("SLOG", 1, None, 0), ("GE", 1, None, 5), ("HCCL", 1, None, 9), ("GE", 2, None, 7), kind="modules")
    found = memory.measure(place(KERNELS, modules=held))
    shown = [(one.dimensions.part, value(one)) for one in found if one.metric == "module_peak_reserved"]
    assert shown == [("HCCL", 9), ("GE", 7)]
    assert codes(found[-1]) == ["sampled_peak_lower_bound"]
    nothing = record(("SLOG", 1, None, 0), kind="modules")
    found = memory.measure(place(KERNELS, modules=nothing))
    assert reason(by_part(found)["module_peak_reserved", ""]) == "no_module_holds_memory"


def test_missing_tables_are_missing_with_the_option_or_the_fault() -> None:
    found = by_part(memory.measure(place(KERNELS)))
    assert [reason(found[metric.id, ""]) for metric in memory.METRICS] == ["table_missing"] * 3
    remedy = cast("Any", found["peak_allocated", ""].summary).remedy
    assert remedy.arg("option") == "profile_memory=True"
    bad = UnreadFile(
        path="ASCEND_PROFILER_OUTPUT/npu_module_mem.csv",
        reason=Reason.of("table_unreadable", table="npu_module_mem", why="x"),
    )
    found = by_part(memory.measure(place(KERNELS, unread=(bad,))))
    assert cast("Any", found["module_peak_reserved", ""].summary).kind is MissingKind.UNREADABLE
    assert reason(found["peak_allocated", ""]) == "table_missing"


# --------------------------------------------------------------------------------------------- the witness
RECORDED = record(("PTA", 5, 70, 100), ("GE", 6, 900, 950), ("PTA", 7, 80, 100))


@pytest.mark.parametrize(
    ("rows", "agrees"),
    [
        ((("aten::add", 5, 70), ("aten::mul", 7, 80)), True),
        ((("aten::add", 5, 70), ("aten::mul", 7, 81)), False),  # more than the record ever held
        ((("aten::add", 5, 70),), None),  # lower: operators did not allocate the peak; nobody can tell
        ((("aten::mul", 7, 80), ("Conv2D", 6, 900)), True),  # GE's record holds it at the same instant
        ((("aten::mul", 7, 80), ("cann::Graph_70", 8, 901)), True),  # marked as GE's
        ((("aten::mul", 7, None),), None),
    ],
)
def test_operator_memory_witnesses_the_allocated_peak_of_pta(rows: Any, agrees: bool | None) -> None:
    found = by_part(memory.measure(place(KERNELS, memory=RECORDED, operator_memory=allocations(*rows))))
    witnesses = found["peak_allocated", "PTA"].witnesses
    assert [w.agrees for w in witnesses] == ([] if agrees is None else [agrees])
    if witnesses:
        assert (witnesses[0].found.value, witnesses[0].tolerance.value) == (80, 0)
        assert [origin.file.rsplit("/", 1)[-1] for origin in witnesses[0].origins] == [
            "memory_record.csv",
            "operator_memory.csv",
        ]
    assert found["peak_allocated", "GE"].witnesses == found["peak_reserved", "PTA"].witnesses == ()


def with_tables(*others: Any, **tables: Any) -> Place:
    made = place(KERNELS, **tables)
    return replace(made, tables=replace(made.tables, others=others))


def checks(made: Place, metric: str = "peak_allocated", part: str = "PTA") -> list[tuple[str, bool, Any, Any]]:
    found = by_part(memory.measure(made))[metric, part].witnesses
    return [(w.name, w.agrees, w.found.value, w.expected.value) for w in found]


MANY = record(("PTA", 5, 70 * KB, 100 * KB), ("GE", 6000, 900 * KB, 950 * KB), ("PTA", 7, 80 * KB, 100 * KB))


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ((("aten::mul", 7, 80 * KB),), []),  # equality is expected within one source only
        ((("aten::mul", 7, 81 * KB),), []),  # rounded to whole KB
        ((("aten::mul", 7, 81 * KB + 1),), [("operator_memory_peak", False, 80 * KB, 81 * KB + 1)]),
        ((("Conv2D", 6400, 900 * KB + 500),), []),  # GE's, its instant and total rounded
        ((("Conv2D", 9000, 900 * KB),), [("operator_memory_peak", False, 80 * KB, 900 * KB)]),
    ],
)
def test_operator_memory_of_another_source_witnesses_a_higher_peak_only(rows: Any, expected: Any) -> None:
    other = replace(allocations(*rows), source="db")
    assert checks(with_tables(memory=MANY, operator_memory=other)) == expected
    assert checks(with_tables(other, memory=MANY)) == expected, "also where it was not chosen"


def test_operator_memory_is_taken_from_the_source_of_the_record() -> None:
    own = allocations(("aten::mul", 7, 80 * KB))
    honest = replace(allocations(("aten::mul", 7, 80 * KB)), source="db")
    equal = ("operator_memory_peak", True, 80 * KB, 80 * KB)
    assert checks(with_tables(own, memory=MANY, operator_memory=honest)) == [equal]
    higher = replace(allocations(("aten::mul", 7, 90 * KB)), source="db")
    assert checks(with_tables(own, memory=MANY, operator_memory=higher)) == [
        equal,
        ("operator_memory_peak", False, 80 * KB, 90 * KB),
    ]


# --------------------------------------------------------------------------------------------- another run's file
@pytest.mark.parametrize(
    ("shift", "fails"),
    [
        (0, []),
        (-(10**9), []),  # a second of clock offset
        (-(10**9) - 1, ["records_after_start"]),
        (10**9, []),
        (10**9 + 1, ["records_before_end"]),
        (86_400 * 10**9, ["records_before_end"]),
    ],
)
@pytest.mark.parametrize("kind", ["memory", "device_memory", "modules"])
def test_every_value_of_a_table_of_another_time_is_undecided(kind: str, shift: int, fails: list[str]) -> None:
    # collection from 1000 to 2000; the samples fill it
    held = record(("PTA", 1000 + shift, 70, 100), ("APP", 2000 + shift, 80, 100), kind=kind)
    made = place(KERNELS, **{kind: held})
    made = replace(made, rank=replace(made.rank, started_ns=BASE + 1000, ended_ns=BASE + 2000))
    found = [one for one in memory.measure(made) if isinstance(one.summary, Quantity)]
    assert found
    for one in found:
        assert [w.name for w in one.witnesses if not w.agrees] == fails
        assert [w for w in one.witnesses if w.agrees] == [], "stamps say nothing of completeness"
        for witness in one.witnesses:
            edge = 1000 if witness.name == "records_after_start" else 2000
            assert (witness.found.value, witness.expected.value) == (BASE + edge + shift, BASE + edge)
    assert all(one.witnesses == () for one in memory.measure(place(KERNELS, **{kind: held})))


@pytest.mark.corpus
@needs_corpus
@pytest.mark.parametrize("kind", ["text", "db"])
@pytest.mark.parametrize(("level", "rank"), sorted(MEMORY))
def test_published_samples_lie_inside_their_captures(level: int, rank: int, kind: str) -> None:
    capture = read_capture(torch(level, rank, kind))
    found = memory.measure(Place(facts=capture.facts, rank=capture.facts.ranks[0], tables=capture.tables[0]))
    assert all(one.undecided_by() is None for one in found)
    assert capture.facts.ranks[0].started_ns is not None


# --------------------------------------------------------------------------------------------- bad tables of databases
@pytest.mark.parametrize(
    ("table_name", "unreadable"),
    [
        ("memory", {"peak_allocated", "peak_reserved"}),
        ("device_memory", {"peak_allocated", "peak_reserved"}),
        ("modules", {"module_peak_reserved"}),
        ("apis", {"host_api_time", "host_api_calls"}),
        ("frequency", set()),
        ("lane", set()),
    ],
)
def test_a_bad_table_of_a_database_is_unreadable_with_its_fault(table_name: str, unreadable: set[str]) -> None:
    path = "ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db"
    why = f"{path} MEMORY_RECORD.timestamp: x"
    bad = UnreadFile(path=path, reason=Reason.of("table_unreadable", table=table_name, why=why))
    made = place(KERNELS, unread=(bad,))
    for one in (*memory.measure(made), *host.measure(made)):
        missing = cast("Any", one.summary)
        if one.metric not in unreadable:
            assert missing.kind is MissingKind.NOT_COLLECTED
            continue
        assert missing.kind is MissingKind.UNREADABLE
        assert (missing.reason.arg("table"), missing.reason.arg("why")) == (path, why)
        assert missing.remedy == Reason.of("export_again")


def test_a_bad_table_of_another_rank_is_not_this_ranks() -> None:
    bad = UnreadFile(path="rank10/x.db", reason=Reason.of("table_unreadable", table="memory", why="x"))
    made = place(KERNELS, unread=(bad,))
    made = replace(made, rank=replace(made.rank, directory="rank1"))
    assert reason(by_part(memory.measure(made))["peak_reserved", ""]) == "table_missing"


# --------------------------------------------------------------------------------------------- series
def test_series_count_time_from_the_first_kernel_and_leave_out_empty_cells() -> None:
    held = record(("PTA", 90, 70, 100), ("APP", 95, None, 8), ("PTA", 120, 80, 100))
    found = memory.series(place(KERNELS, memory=held))
    shown = [(one.id, one.dimensions.part, one.times.values, one.values.values, one.recorded) for one in found]
    assert shown == [
        ("memory_allocated", "PTA", (-10, 20), (70, 80), 2),  # the first kernel starts at 100
        ("memory_reserved", "PTA", (-10, 20), (100, 100), 2),
        ("memory_reserved", "APP", (-5,), (8,), 1),
    ]


@pytest.mark.parametrize("count", [1, 399, 400, 401, 402, 799, 5000])
def test_thinning_keeps_the_ends_and_the_largest_of_every_stretch(count: int) -> None:
    values = tuple(random.Random(count).choices(range(1000), k=count))
    kept = memory.thinned(values)
    assert kept == sorted(set(kept))
    assert len(kept) == min(count, memory.MOST_POINTS)
    assert (kept[0], kept[-1]) == (0, count - 1)
    assert values.index(max(values)) in kept
    # no value is far from a point that is at least as high
    width = -(-count // (memory.MOST_POINTS - 2))
    for i, high in enumerate(values):
        near = [values[j] for j in kept if abs(i - j) < max(width, 1)]
        assert max(near) >= high


def test_a_short_spike_stays() -> None:
    values = (0,) * 70_000 + (9,) + (0,) * 29_999
    assert 70_000 in memory.thinned(values)


# --------------------------------------------------------------------------------------------- real captures
def real(path: Path) -> Place:
    """A place with the memory tables of a capture."""
    output = path / "ASCEND_PROFILER_OUTPUT"
    readers: dict[str, tuple[str, Callable[..., Any]]] = {
        "memory": ("memory_record.csv", ribs.read_memory),
        "modules": ("npu_module_mem.csv", ribs.read_modules),
        "operator_memory": ("operator_memory.csv", ribs.read_operator_memory),
    }
    return place(KERNELS, **{name: read(output / file, path, shown=file) for name, (file, read) in readers.items()})


def real_database(level: int, rank: int) -> Place:
    """A place with the memory tables of a database."""
    path = torch(level, rank, "db")
    file = f"ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_{rank}.db"
    with Database.open(path / file, path, shown=file) as database:
        return place(
            KERNELS,
            memory=db_memory.read_memory(database),
            device_memory=db_memory.read_device_memory(database),
            modules=db_memory.read_modules(database),
            operator_memory=db_memory.read_operator_memory(database),
        )


def rows_of(path: Path, file: str) -> list[dict[str, str]]:
    with (path / "ASCEND_PROFILER_OUTPUT" / file).open(newline="") as opened:
        return list(csv.DictReader(opened))


@pytest.mark.corpus
@needs_corpus
@pytest.mark.parametrize(("level", "rank"), sorted(MEMORY))
def test_peaks_of_the_corpus_with_their_witness(level: int, rank: int) -> None:
    path = torch(level, rank)
    found = by_part(memory.measure(real(path)))
    for component, (allocated, reserved) in MEMORY[level, rank].items():
        # corpus README, in MB of 1024 x 1024
        assert value(found["peak_reserved", component]) == Fraction(reserved or 0) * MB
        if allocated is None:
            assert ("peak_allocated", component) not in found
            continue
        peak = found["peak_allocated", component]
        assert value(peak) == Fraction(allocated) * MB
        first = next(
            row["Timestamp(us)"].strip()
            for row in rows_of(path, "memory_record.csv")
            if row["Component"] == component and row["Total Allocated(MB)"] == allocated
        )
        assert peak.at == Quantity(value=int(Fraction(first) * 1000), unit="ns")
    (witness,) = found["peak_allocated", "PTA"].witnesses
    assert witness.agrees
    assert witness.expected.value == Fraction("1187.9814453125") * MB


@pytest.mark.corpus
@needs_corpus
@pytest.mark.parametrize("path", [torch(1, 0), CORPUS / "fragments/test_rank_0"], ids=["level1", "fragment"])
def test_modules_of_the_corpus(path: Path) -> None:
    largest: dict[str, Fraction] = {}
    for row in rows_of(path, "npu_module_mem.csv"):
        held = Fraction(row["Total Reserved(MB)"]) * MB
        largest[row["Component"]] = max(held, largest.get(row["Component"], Fraction(0)))
    found = [one for one in memory.measure(real(path)) if one.metric == "module_peak_reserved"]
    assert {one.dimensions.part: value(one) for one in found} == {k: v for k, v in largest.items() if v}
    assert [value(one) for one in found] == sorted((value(one) for one in found), reverse=True)


@pytest.mark.corpus
@needs_corpus
def test_a_cut_record_has_no_witness_and_no_false_alarm() -> None:
    # three rows of each component are left of this file; operator_memory holds allocations of GE alone
    found = by_part(memory.measure(real(CORPUS / "fragments/test_rank_0")))
    assert found["peak_allocated", "PTA"].witnesses == ()
    assert value(found["peak_allocated", "PTA"]) == Fraction("4599.86572265625") * MB


@pytest.mark.corpus
@needs_corpus
@pytest.mark.parametrize(("level", "rank"), sorted(MEMORY))
def test_the_witness_holds_in_databases_too(level: int, rank: int) -> None:
    # names carry no cann:: there; 1187.9814453125 MB is what the text exports of the other runs hold as well
    found = by_part(memory.measure(real_database(level, rank)))
    (witness,) = found["peak_allocated", "PTA"].witnesses
    assert (witness.agrees, witness.found.value) == (True, Fraction("1187.9814453125") * MB)


@pytest.mark.corpus
@needs_corpus
def test_sampled_peaks_of_a_database() -> None:
    # corpus README: NPU_MEM app peak 2 216 402 944 B, device peak 2 468 032 512 B
    found = by_part(memory.measure(real_database(1, 0)))
    assert value(found["peak_reserved", "APP"]) == 2_216_402_944
    assert value(found["peak_reserved", "device"]) == 2_468_032_512
    assert codes(found["peak_reserved", "device"]) == ["sampled_peak_lower_bound"]
    assert found["peak_reserved", "device"].origins[0].locator.startswith("NPU_MEM.ddr + NPU_MEM.hbm; component device")
    assert found["peak_reserved", "PTA"].origins[0].locator.startswith("MEMORY_RECORD.totalReserved; component PTA")
    # SQL: max(totalReserved) by ENUM_MODULE.name, where it is more than 0
    modules = {part: value(one) for (metric, part), one in found.items() if metric == "module_peak_reserved"}
    assert modules == {"APP": 1522532352, "HCCL": 423690240, "RUNTIME": 96714752, "GE": 79691776}


@pytest.mark.corpus
@needs_corpus
def test_series_of_the_corpus_hold_the_peak() -> None:
    found = {(one.id, one.dimensions.part): one for one in memory.series(real(torch(1, 0)))}
    both = found["memory_allocated", "PTA+GE"]
    assert (both.recorded, len(both.values.values)) == (495, 400)
    assert max(both.values.values) == Fraction("1261.04296875") * MB
    assert list(both.times.values) == sorted(both.times.values)
    assert len(found["memory_reserved", "APP"].values.values) == 14
