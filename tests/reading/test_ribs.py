"""The further tables: sums of the corpus by the csv module and Decimal, rows worked out by hand, refusals."""

from __future__ import annotations

import csv
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from corpus import ADD_TORCH, CORPUS, GELU, MB, needs_corpus, prof, torch

from reportgen.errors import CaptureError
from reportgen.frames import Table
from reportgen.reading import ribs, statistic_tables

Reader = Callable[..., Table]
OLD = CORPUS / "fragments/test_rank_0/ASCEND_PROFILER_OUTPUT"


def output(level: int, rank: int) -> Path:
    return torch(level, rank) / "ASCEND_PROFILER_OUTPUT"


def read(reader: Reader, path: Path) -> Table:
    return reader(path, path.parent, shown=path.name)


def written(folder: Path, *lines: str) -> Path:
    path = folder / "table.csv"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="")
    return path


def oracle(path: Path) -> list[dict[str, str]]:
    """The rows as the csv module reads them, trimmed."""
    with path.open(encoding="utf-8", newline="") as file:
        return [{key.strip(): value.strip() for key, value in row.items()} for row in csv.DictReader(file)]


def plain(values: pd.Series[Any]) -> list[Any]:
    """Values with None for every kind of missing."""
    return [None if value is None or value is pd.NA else value for value in values]


def scaled(cell: str, factor: int) -> int | None:
    """A cell times a factor, which must give a whole number; None for an empty one."""
    if cell in ("", "N/A"):
        return None
    value = Decimal(cell) * factor
    assert value == int(value)
    return int(value)


# ------------------------------------------------------------------------------------------------ memory of modules
@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize("path", [output(1, 0), output(0, 1), OLD], ids=["level1", "level0", "2023"])
def test_modules_of_the_corpus(path: Path) -> None:
    expected = oracle(path / "npu_module_mem.csv")
    frame = read(ribs.read_modules, path / "npu_module_mem.csv").frame
    assert list(frame["component"]) == [row["Component"] for row in expected]
    assert list(frame["time_ns"]) == [scaled(row["Timestamp(us)"], 1000) for row in expected]
    assert list(frame["reserved_bytes"]) == [scaled(row["Total Reserved(MB)"], MB) for row in expected]
    assert set(frame["device"]) == {row["Device"].removeprefix("NPU:") for row in expected}
    assert plain(frame["allocated_bytes"]) == [None] * len(expected)


def test_modules_of_msprof_in_kilobytes_and_unknown_sizes(tmp_path: Path) -> None:
    """3 KB = 3072 B; -1 is unknown; torch_npu divides it by 1024."""
    kilo = written(
        tmp_path,
        "Device_id,Component,Timestamp(us),Total Reserved(KB),Device",
        "0,HCCL,7.5\t,3,NPU:0",
        "0,GE,8\t,-1,NPU:0",
    )
    table = read(ribs.read_modules, kilo)
    assert (table.kind, plain(table.frame["reserved_bytes"])) == ("modules", [3072, None])
    assert list(table.frame["time_ns"]) == [7500, 8000]
    mega = written(
        tmp_path, "Component,Timestamp(us),Total Reserved(MB),Device", "GE,8,-0.0009765625,NPU:0", "GE,9,-1.0,NPU:0"
    )
    assert plain(read(ribs.read_modules, mega).frame["reserved_bytes"]) == [None, None]


# ------------------------------------------------------------------------------------------------ memory of operators
@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize("path", [output(1, 0), output(0, 1), OLD], ids=["level1", "level0", "2023"])
def test_operator_memory_of_the_corpus(path: Path) -> None:
    expected = oracle(path / "operator_memory.csv")
    frame = read(ribs.read_operator_memory, path / "operator_memory.csv").frame
    for column, header, factor in (
        ("size_bytes", "Size(KB)", 1024),
        ("total_allocated_bytes", "Allocation Total Allocated(MB)", MB),
        ("total_reserved_bytes", "Allocation Total Reserved(MB)", MB),
        ("allocated_at_ns", "Allocation Time(us)", 1000),
        ("released_at_ns", "Release Time(us)", 1000),
    ):
        assert plain(frame[column]) == [scaled(row[header], factor) for row in expected], column
    assert list(frame["name"]) == [row["Name"] for row in expected]


@needs_corpus
@pytest.mark.corpus
def test_some_pieces_of_the_corpus_are_never_released() -> None:
    frame = read(ribs.read_operator_memory, output(1, 0) / "operator_memory.csv").frame
    assert len(frame) == 184  # 185 lines with the header
    assert 0 < int(frame["released_at_ns"].isna().sum()) < 184


def test_operator_memory_of_msprof_writes_how_long_a_piece_was_held(tmp_path: Path) -> None:
    """Released at 10 + 2.5 us; a negative size is a release whose allocation was not seen."""
    path = written(
        tmp_path,
        "Device_id,Name,Size(KB),Allocation Time(us),Duration(us),Allocation Total Allocated(KB),"
        "Allocation Total Reserved(KB),Release Total Allocated(KB),Release Total Reserved(KB),Device",
        "3,MatMul,2,10\t,2.5,4,8,2,8,NPU:3",
        "3,Add,2,11\t,N/A,6,8,N/A,N/A,NPU:3",
        "3,Free,-2,,3,,,0,8,NPU:3",
    )
    frame = read(ribs.read_operator_memory, path).frame
    assert [plain(frame[name]) for name in frame.columns] == [
        ["MatMul", "Add", "Free"],
        [2048, 2048, None],
        [4096, 6144, None],
        [8192, 8192, None],
        [10_000, 11_000, None],
        [12_500, None, None],
        ["3", "3", "3"],
    ]


# ------------------------------------------------------------------------------------------------ calls of the host
def api_file(stamp: str) -> Path:
    (path,) = prof(stamp).glob("mindstudio_profiler_output/api_statistic_*.csv")
    return path


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize(
    "path",
    [lambda: output(1, 0) / "api_statistic.csv", lambda: api_file(ADD_TORCH), lambda: api_file(GELU[0])],
    ids=["no device, hccl", "device host", "device 0"],
)
def test_host_calls_of_the_corpus(path: Callable[[], Path]) -> None:
    expected = sorted(
        (
            row["Level"].replace("hccl", "communication"),
            row["API Name"],
            int(row["Count"]),
            *(scaled(row[header], 1000) for header in ("Time(us)", "Min(us)", "Max(us)")),
        )
        for row in oracle(path())
    )
    frame = read(statistic_tables.read_apis, path()).frame
    assert list(frame.columns) == ["level", "name", "count", "total_ns", "min_ns", "max_ns"]
    assert list(frame.itertuples(index=False, name=None)) == expected


@needs_corpus
@pytest.mark.corpus
def test_the_launches_of_a_capture_of_2100_kernels() -> None:
    """aclnnAdd, written as 15263.68 us in 2100 calls of 4.6 to 2134.58 us."""
    frame = read(statistic_tables.read_apis, api_file(ADD_TORCH)).frame
    (row,) = frame[frame["name"] == "aclnnAdd"].itertuples(index=False, name=None)
    assert row == ("acl", "aclnnAdd", 2100, 15_263_680, 4_600, 2_134_580)


# ------------------------------------------------------------------------------------------------ collectives by type
def test_collectives_by_type(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "Device_id,OP Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)",
        "0,hcom_allReduce_,4,105991.878,2281.106,26497.97,79089.52,100.0",
        "1,hcom_send_,1,0.5,0.5,0.5,0.5,0.0",
    )
    table = read(statistic_tables.read_communication_statistic, path)
    assert table.kind == "communication_statistic"
    assert list(table.frame.itertuples(index=False, name=None)) == [
        ("0", "hcom_allReduce_", 4, 105_991_878, 2_281_106, 79_089_520),
        ("1", "hcom_send_", 1, 500, 500, 500),
    ]


# ------------------------------------------------------------------------------------------------ iterations
ITERATIONS = (
    "Device_id,Iteration ID,FP Start(us),BP End(us),Iteration End(us),Iteration Time(us),FP to BP Time(us),"
    "Iteration Refresh(us),Data Aug Bound(us),Model ID,Reduce Start(us),Reduce Duration(us)"
)


def test_iterations_with_missing_cells(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        ITERATIONS,
        "0,1,N/A,N/A,1700000000000100.25\t,47600.125,N/A,N/A,N/A,7,N/A,N/A",
        "0,2,1\t,2\t,N/A,15000,1,1,N/A,7,3\t,4",
        "0,3,1\t,2\t,1700000000030100\t,N/A,1,1,N/A,7,3\t,4",
        "0,4,1\t,2\t,1700000000045100\t,15000,1,1,N/A,7,3\t,4",
    )
    table = read(ribs.read_iterations, path)
    assert list(table.frame.itertuples(index=False, name=None)) == [
        ("0", "7", "1", 1700000000000100250, 47_600_125),
        ("0", "7", "4", 1700000000045100000, 15_000_000),
    ]
    assert [(warning.code, warning.arg("rows")) for warning in table.warnings] == [("iterations_left_out", "2")]


def test_iterations_without_device_and_without_missing_cells(tmp_path: Path) -> None:
    path = written(tmp_path, "Iteration ID,Iteration End(us),Iteration Time(us),Model ID", "1,5,2,4294967295")
    table = read(ribs.read_iterations, path)
    assert list(table.frame.itertuples(index=False, name=None)) == [("", "4294967295", "1", 5000, 2000)]
    assert table.warnings == ()


# ------------------------------------------------------------------------------------------------ refusals
MODULES = ("Component,Timestamp(us),Total Reserved(MB),Device", "GE,8.5,{},NPU:0")
OPERATORS = (
    "Name,Size(KB),Allocation Time(us),Allocation Total Allocated(MB),Allocation Total Reserved(MB),Device Type",
    "Add,{},1.5,3,4,NPU:0",
)
APIS = ("Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance", "acl,f,{},1,2,2,2,0")
STATISTIC = ("OP Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)", "t,1,{},2,2,2,0")
ITERATION = ("Iteration ID,Iteration End(us),Iteration Time(us),Model ID", "1,5,{},7")
READERS: list[tuple[str, Reader, tuple[str, str]]] = [
    ("modules_table", ribs.read_modules, MODULES),
    ("operator_memory_table", ribs.read_operator_memory, OPERATORS),
    ("apis_table", statistic_tables.read_apis, APIS),
    ("communication_statistic_table", statistic_tables.read_communication_statistic, STATISTIC),
    ("iterations_table", ribs.read_iterations, ITERATION),
]


@pytest.mark.parametrize(("table", "reader", "lines"), READERS, ids=[case[0] for case in READERS])
def test_what_no_table_may_hold(tmp_path: Path, table: str, reader: Reader, lines: tuple[str, str]) -> None:
    header, row = lines
    good = row.format("2")
    assert len(read(reader, written(tmp_path, header, good)).frame) == 1
    cases = [
        ("", "empty", ":1"),
        (f"{header}\n", "header_only", ":1"),
        (f"{header.replace(header.split(',')[2], 'Other')}\n{good}\n", "columns", ":1"),
        (f"{header}\n{good}\n{good},9\n", "ragged", ":3"),
        (f"{header}\n{good}\n{good[: len(good) // 3]}", "ragged", ":3"),
        (f"{header}\n{good}\n{row.format('many')}\n", "value", ":3"),
        (f"{header}\n{good}\n{row.format('nan')}\n", "value", ":3"),
        (f"{header}\n{good}\n{row.format('1e999')}\n", "value", ":3"),
        (f"{header}\n{good}\n{row.format('９')}\n", "value", ":3"),
    ]
    for text, code, place in cases:
        path = tmp_path / "table.csv"
        path.write_text(text, encoding="utf-8", newline="")
        with pytest.raises(CaptureError) as caught:
            read(reader, path)
        assert (caught.value.code, caught.value.where) == (f"{table}_{code}", f"{path}{place}"), text


@pytest.mark.parametrize(
    ("reader", "lines", "cell", "code"),
    [
        (ribs.read_modules, MODULES, "-2", "modules_table_value"),
        (ribs.read_iterations, ITERATION, "-2", "iterations_table_value"),
        (statistic_tables.read_apis, APIS, "-2", "apis_table_negative"),
        (statistic_tables.read_apis, APIS, "N/A", "apis_table_value"),
        (statistic_tables.read_communication_statistic, STATISTIC, "-2", "communication_statistic_table_negative"),
    ],
)
def test_negative_and_missing_cells(
    tmp_path: Path, reader: Reader, lines: tuple[str, str], cell: str, code: str
) -> None:
    with pytest.raises(CaptureError) as caught:
        read(reader, written(tmp_path, lines[0], lines[1].format(cell)))
    assert caught.value.code == code


def test_a_negative_count(tmp_path: Path) -> None:
    path = written(tmp_path, APIS[0], "acl,f,2,1,2,2,2,0", "acl,g,2,-1,2,2,2,0")
    with pytest.raises(CaptureError) as caught:
        read(statistic_tables.read_apis, path)
    assert (caught.value.code, caught.value.where) == ("apis_table_negative", f"{path}:3")
