"""How the exporters lay out their databases: tables of both generations, string ids, kernels, PMU values."""

# ruff: noqa: TID252  (tests import this as captures, the command line as tests.captures)
from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from . import formats
from .plan import Chip, Op, Row

Schema = Literal["1.0.0", "1.2.0"]
"""What META_DATA says; torch_npu of January 2025, msprof of July 2026."""
NONE_32 = 4294967295
"""No context, no model."""
TASK = (
    "TASK (startNs INTEGER,endNs INTEGER,deviceId INTEGER,connectionId INTEGER,globalTaskId INTEGER,"
    "globalPid INTEGER,taskType INTEGER,contextId INTEGER,streamId INTEGER,taskId INTEGER,modelId INTEGER)"
)
INFO_TAIL = (
    "taskType INTEGER,opType INTEGER,inputFormats INTEGER,inputDataTypes INTEGER,inputShapes INTEGER,"
    "outputFormats INTEGER,outputDataTypes INTEGER,outputShapes INTEGER,attrInfo INTEGER"
)
INFO: dict[Schema, str] = {
    "1.0.0": f"(name INTEGER,globalTaskId INTEGER PRIMARY KEY,blockDim INTEGER,mixBlockDim INTEGER,{INFO_TAIL})",
    "1.2.0": f"(name INTEGER,globalTaskId INTEGER PRIMARY KEY,blockNum INTEGER,mixBlockNum INTEGER,{INFO_TAIL},"
    "opState INTEGER,hf32Eligible INTEGER)",
}
OTHERS = (
    "TASK_PMU_INFO (globalTaskId INTEGER,name INTEGER,value NUMERIC)",
    (
        "CANN_API (startNs INTEGER,endNs INTEGER,type INTEGER,globalTid INTEGER,connectionId INTEGER PRIMARY KEY,"
        "name INTEGER)"
    ),
    "AICORE_FREQ (deviceId INTEGER,timestampNs NUMERIC,freq INTEGER)",
    "NPU_MEM (type INTEGER,ddr NUMERIC,hbm NUMERIC,timestampNs INTEGER,deviceId INTEGER)",
    (
        "NPU_OP_MEM (operatorName INTEGER,addr INTEGER,type INTEGER,size INTEGER,timestampNs INTEGER,globalTid INTEGER,"
        "totalAllocate NUMERIC,totalReserve NUMERIC,component INTEGER,deviceId INTEGER)"
    ),
    "NPU_MODULE_MEM (moduleId INTEGER,timestampNs INTEGER,totalReserved NUMERIC,deviceId INTEGER)",
    (
        "COMMUNICATION_OP (opName INTEGER,startNs INTEGER,endNs INTEGER,connectionId INTEGER,groupName INTEGER,"
        "opId INTEGER PRIMARY KEY,relay INTEGER,retry INTEGER,dataType INTEGER,algType INTEGER,count NUMERIC,"
        "opType INTEGER)"
    ),
    "STEP_TIME (id INTEGER, startNs INTEGER, endNs INTEGER)",
    (
        "MEMORY_RECORD (component INTEGER, timestamp INTEGER, totalAllocated INTEGER, totalReserved INTEGER, "
        "totalActive INTEGER, streamPtr INTEGER, deviceId INTEGER)"
    ),
    (
        "OP_MEMORY (name INTEGER, size INTEGER, allocationTime INTEGER, releaseTime INTEGER, activeReleaseTime INTEGER,"
        " duration INTEGER, activeDuration INTEGER, allocationTotalAllocated INTEGER, allocationTotalReserved INTEGER, "
        "allocationTotalActive INTEGER, releaseTotalAllocated INTEGER, releaseTotalReserved INTEGER, "
        "releaseTotalActive INTEGER, streamPtr INTEGER, deviceId INTEGER)"
    ),
    (
        "PYTORCH_API (startNs TEXT, endNs TEXT, globalTid INTEGER, connectionId INTEGER, name INTEGER, "
        "sequenceNumber INTEGER, fwdThreadId INTEGER, inputDtypes INTEGER, inputShapes INTEGER, callchainId INTEGER, "
        "type INTEGER)"
    ),
    "META_DATA (name TEXT,value TEXT)",
    "HOST_INFO (hostUid TEXT,hostName TEXT)",
    "NPU_INFO (id INTEGER,name TEXT)",
    "SESSION_TIME_INFO (startTimeNs INTEGER,endTimeNs INTEGER)",
    "RANK_DEVICE_MAP (rankId INTEGER, deviceId INTEGER)",
    "STRING_IDS (id INTEGER PRIMARY KEY,value TEXT)",
    "ENUM_API_TYPE (id INTEGER PRIMARY KEY,name TEXT)",
    "ENUM_MODULE (id INTEGER PRIMARY KEY,name TEXT)",
    (
        "StepTraceTime (step TEXT, computing NUMERIC, communication_not_overlapped NUMERIC, overlapped NUMERIC, "
        "communication NUMERIC, free NUMERIC, stage NUMERIC, bubble NUMERIC, "
        "communication_not_overlapped_and_exclude_receive NUMERIC, preparing NUMERIC)"
    ),
    (
        "CommAnalyzerTime (hccl_op_name TEXT, group_name TEXT, start_timestamp NUMERIC, elapse_time NUMERIC, "
        "transit_time NUMERIC, wait_time NUMERIC, synchronization_time NUMERIC, idle_time NUMERIC, step TEXT,"
        " type TEXT)"
    ),
    (
        "CommAnalyzerBandwidth (hccl_op_name TEXT, group_name TEXT, transport_type TEXT, transit_size NUMERIC, "
        "transit_time NUMERIC, bandwidth NUMERIC, large_packet_ratio NUMERIC, package_size NUMERIC, count NUMERIC, "
        "total_duration NUMERIC, step TEXT, type TEXT)"
    ),
)
PMU_NAMES = (
    *(f"aic_{name}" for name in ("total_time", "total_cycles")),
    *(f"aic_{pipe}_{what}" for pipe in ("mac", "scalar", "mte1", "mte2", "fixpipe") for what in ("time", "ratio")),
    "aic_icache_miss_rate",
    *(f"aiv_{name}" for name in ("total_time", "total_cycles")),
    *(f"aiv_{pipe}_{what}" for pipe in ("vec", "mac", "scalar", "mte1", "mte2", "mte3") for what in ("time", "ratio")),
    "aiv_icache_miss_rate",
)
"""All 28; those without a column in kernel_details are zero."""
API_TYPES = {5000: "runtime", 10000: "node", 15000: "model", 20000: "acl"}
OLD_API_TYPES = {5500: "hccl", 50001: "op", 50002: "queue", 50003: "trace", 50004: "mstx"}
MODULES = {0: "SLOG", 3: "HCCL", 7: "RUNTIME", 33: "APP", 45: "GE", 76: "MBUFF"}
TASK_KINDS = {
    "AI_CORE": "KERNEL_AICORE",
    "AI_VECTOR_CORE": "KERNEL_AIVEC",
    "MIX_AIC": "KERNEL_MIX_AIC",
    "MIX_AIV": "KERNEL_MIX_AIV",
    "AI_CPU": "KERNEL_AICPU",
    "DSA_SQE": "STARS_COMMON",
}
"""Core of an operator -> task type of its task, at every level."""


@dataclass(slots=True)
class Book:
    """A database while it is written: rows by table, and the ids of its strings."""

    schema: Schema
    tables: dict[str, list[Sequence[Any]]] = field(default_factory=dict)
    texts: dict[str, int] = field(default_factory=dict)

    def id(self, text: str) -> int:
        """The string id of a text."""
        return self.texts.setdefault(text, len(self.texts))

    def add(self, table: str, *rows: Sequence[Any]) -> None:
        """Put rows down; a table exists only when it has some."""
        if rows:
            self.tables.setdefault(table, []).extend(rows)

    def write(self, path: Path) -> None:
        """Write the file anew."""
        if self.texts:
            self.add("STRING_IDS", *((number, text) for text, number in self.texts.items()))
        layouts = {text.split(" ")[0]: text for text in (TASK, f"COMPUTE_TASK_INFO {INFO[self.schema]}", *OTHERS)}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        with closing(sqlite3.connect(path)) as connection:
            for table, rows in self.tables.items():
                connection.execute(f"CREATE TABLE {layouts[table]}")
                connection.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * len(rows[0]))})", rows)
            if "TASK" in self.tables:
                connection.execute("CREATE INDEX TaskIndex ON TASK (startNs,globalTaskId)")
            connection.commit()


def _number(text: str, scale: int = 1) -> float | int:
    """A printed cell times a power of ten, as SQLite keeps it: whole numbers as integers."""
    value = Decimal(text) * scale
    return int(value) if value == value.to_integral_value() else float(value)


def add_kernels(
    book: Book,
    rows: Sequence[Row],
    chip: Chip,
    *,
    device: int,
    pid: int,
    group: str,
    typed: bool,
    pmu: bool,
    timed: bool,
) -> list[int]:
    """TASK, COMPUTE_TASK_INFO, COMMUNICATION_OP and TASK_PMU_INFO of everything that ran; gives connection ids.

    Args:
        book: Where to.
        rows: Kernels and collectives by start.
        chip: Cores and clock.
        device: Device id.
        pid: Process id.
        group: Name of the communicator of every collective.
        typed: False at level 0: types, shapes and blocks are not recorded.
        pmu: Whether PMU values are there.
        timed: False at msprof level 0, where every PMU time is 0.
    """
    connections = [300 + number for number in range(len(rows))]
    measured: list[tuple[int, list[str]]] = []
    operators = 0
    for number, (row, connection) in enumerate(zip(rows, connections, strict=True)):
        kind = TASK_KINDS[row.core] if isinstance(row.op, Op) else "Notify Wait"
        place = (row.stream, row.task) if isinstance(row.op, Op) else (7, number % 65_536)
        task = (row.start_ns, row.end_ns, device, connection, number, pid, book.id(kind), NONE_32, *place, NONE_32)
        book.add("TASK", task)
        if isinstance(row.op, Op):
            book.add("COMPUTE_TASK_INFO", _info(book, number, row, chip, typed))
            cells = formats.pmu_cells(row, chip, timed=timed, cpp=False)
            if pmu and cells[0] != formats.MISSING:
                measured.append((number, cells))
        else:
            operators += 1
            names = (book.id(row.name), row.start_ns, row.end_ns, connection, book.id(group), operators)
            count, type_ = row.op.size_bytes // 2, row.op.type if typed else formats.MISSING
            book.add("COMMUNICATION_OP", (*names, 0, 0, 11, book.id("MESH-RING"), count, book.id(type_)))
    if measured:
        _add_pmu(book, measured)
    return connections


def _info(book: Book, number: int, row: Row, chip: Chip, typed: bool) -> tuple[int, ...]:
    op = row.op
    assert isinstance(op, Op)
    blocks = formats.blocks_of(op, chip) if typed else (0, 0)
    inputs, outputs = formats.shape_cell(op.shapes), formats.shape_cell(op.out_shapes)
    cells = [op.core, op.type, formats.format_cell(op.dtypes), op.dtypes, inputs]
    cells += [formats.format_cell(op.out_dtypes), op.out_dtypes, outputs]
    known = [*(cells if typed else [formats.MISSING] * len(cells)), formats.MISSING]
    state = ["dynamic" if typed else formats.MISSING, "NO" if typed else formats.MISSING]
    tail = [book.id(text) for text in (*known, *(state if book.schema == "1.2.0" else ()))]
    return (book.id(row.name), number, *blocks, *tail)


def _add_pmu(book: Book, measured: Iterable[tuple[int, list[str]]]) -> None:
    """Name by name, each with the kernels in one order; times in ns, ratios as they are."""
    header = [
        name.replace("(us)", "").replace("aicore_time", "aic_total_time").replace("aiv_time", "aiv_total_time")
        for name in formats.pmu_header()
    ]
    for name in PMU_NAMES:
        at = header.index(name) if name in header else None
        scale = 1000 if name.endswith("_time") else 1
        book.add(
            "TASK_PMU_INFO",
            *((task, book.id(name), 0 if at is None else _number(cells[at], scale)) for task, cells in measured),
        )


def add_common(
    book: Book, *, device: int, rank: int, host: str, times: tuple[int, int], frequency: Sequence[tuple[int, int]]
) -> None:
    """Session, ranks, versions, host, chip, clock, enumerations."""
    book.add("SESSION_TIME_INFO", times)
    book.add("RANK_DEVICE_MAP", (rank, device))
    versions = dict(zip(("MICRO", "MINOR", "MAJOR"), reversed(book.schema.split(".")), strict=True))
    book.add("META_DATA", *((f"SCHEMA_VERSION_{name}", text) for name, text in versions.items()))
    book.add("META_DATA", ("SCHEMA_VERSION", book.schema))
    book.add("HOST_INFO", ("3538958389648580163", host))
    book.add("NPU_INFO", (device, "Ascend910B"))
    book.add("AICORE_FREQ", *((device, time, mhz) for time, mhz in frequency))
    old = OLD_API_TYPES if book.schema == "1.0.0" else {5500: "communication"}
    book.add("ENUM_API_TYPE", *sorted((API_TYPES | old).items()))
    book.add("ENUM_MODULE", *MODULES.items())
