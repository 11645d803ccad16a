"""How the exporters print: numbers, times, names, csv lines, PMU cells.

Two hands wrote the real files: Python (torch_npu text, msprof on 310B) prints `repr` of a float, C++
(msprof on 910B since 2025) prints three decimals. Both print absolute times with three decimals and a TAB.
"""

# ruff: noqa: TID252  (tests import this as captures, the command line as tests.captures)
from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from .plan import SECOND, Chip, Op, Row

MISSING = "N/A"
AIC_RATIOS = ("mac", "scalar", "mte1", "mte2", "fixpipe")
AIV_RATIOS = ("vec", "scalar", "mte2", "mte3")
EXE_RATIOS = ("vec_exe", "mac_exe", "scalar_exe", "mte1_exe", "mte2_exe", "mte3_exe", "fixpipe_exe")


def micro(time_ns: int) -> str:
    """Absolute time in us, three decimals: 1736408883704643.212."""
    return f"{time_ns // 1000}.{time_ns % 1000:03d}"


def stamp(time_ns: int) -> str:
    """The same with the TAB that keeps spreadsheets from rounding."""
    return micro(time_ns) + "\t"


def python_us(duration_ns: int) -> str:
    """Duration in us as Python prints it: 6.54, 5.0, 0.0."""
    return repr(duration_ns / 1000)


def cpp_us(duration_ns: int) -> str:
    """Duration in us as the C++ exporter prints it: 10.040."""
    return micro(duration_ns)


def local(time_ns: int, offset_s: int) -> datetime:
    """Local wall clock of the host, whole microseconds."""
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=offset_s, microseconds=time_ns // 1000)


def digits17(time_ns: int, offset_s: int) -> str:
    """YYYYMMDDhhmmssSSS of directory names."""
    when = local(time_ns, offset_s)
    return f"{when:%Y%m%d%H%M%S}{when.microsecond // 1000:03d}"


def digits14(time_ns: int, offset_s: int) -> str:
    """YYYYMMDDhhmmss of exported files."""
    return f"{local(time_ns, offset_s):%Y%m%d%H%M%S}"


def date_text(time_ns: int, offset_s: int) -> str:
    """2026-10-20 10:12:31.482000."""
    return f"{local(time_ns, offset_s):%Y-%m-%d %H:%M:%S.%f}"


def raw_cell(text: str) -> str:
    """A cell as csv.writer would put it: quoted, with inner quotes doubled, when it must be."""
    if any(sign in text for sign in ',"\r\n'):
        return '"' + text.replace('"', '""') + '"'
    return text


def write_csv(path: Path, rows: Iterable[Sequence[str]], newline: str) -> None:
    """Write rows of cell values with the given line end (also after the last row)."""
    lines = [",".join(raw_cell(cell) for cell in row) + newline for row in rows]
    write_text(path, "".join(lines))


def write_text(path: Path, text: str) -> None:
    """Write UTF-8 bytes exactly as given, folders included."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))


def shape_cell(shapes: str) -> str:
    """Shapes carry quotes of their own inside the cell (torch_npu, msprof in Python)."""
    return shapes if shapes == MISSING else f'"{shapes}"'


def format_cell(dtypes: str) -> str:
    """One FORMAT_ND for each tensor."""
    return dtypes if dtypes == MISSING else ";".join(["FORMAT_ND"] * len(dtypes.split(";")))


def tensor_cells(op: Op, quoted: bool) -> list[str]:
    """Input and output shapes, data types and formats."""
    cell = shape_cell if quoted else str
    return [
        cell(op.shapes),
        op.dtypes,
        format_cell(op.dtypes),
        cell(op.out_shapes),
        op.out_dtypes,
        format_cell(op.out_dtypes),
    ]


def waits_ns(rows: Sequence[Row]) -> list[int | None]:
    """Task Wait Time: start minus the end of the row before, not below 0; None for the first row."""
    found: list[int | None] = []
    for index, row in enumerate(rows):
        found.append(max(0, row.start_ns - rows[index - 1].end_ns) if index else None)
    return found


def blocks_of(op: Op, chip: Chip) -> tuple[int, int]:
    """Block Dim and Mix Block Dim of a kernel."""
    if op.core in ("AI_CPU", "DSA_SQE"):
        return 0, 0
    cube = op.core in ("AI_CORE", "MIX_AIC")
    blocks = op.blocks or (chip.ai_core_num if cube else chip.aiv_num)
    return blocks, (blocks * 2 if op.core == "MIX_AIC" else 0)


def sides_of(op: Op) -> tuple[bool, bool]:
    """Whether the cube side and the vector side ran."""
    return op.core in ("AI_CORE", "MIX_AIC"), op.core in ("AI_VECTOR_CORE", "MIX_AIV", "MIX_AIC")


def active_ns(row: Row) -> int:
    """The part of a kernel during which its cores run: 95 to 97 % of it, by its task id."""
    return row.duration_ns * (950 + row.task * 37 % 21) // 1000


def cycles_of(active: int, blocks: int, cores: int, mhz: int) -> int:
    """Cycles over all blocks of a kernel whose cores run that many ns."""
    waves = -(-blocks // cores)
    return active * mhz * blocks // (1000 * waves)


def total_ns(cycles: int, blocks: int, cores: int, mhz: int) -> int:
    """total_time = cycles / f / blocks * ceil(blocks / cores), as the exporters estimate it."""
    waves = -(-blocks // cores)
    return (cycles * 1000 * waves + mhz * blocks // 2) // (mhz * blocks)


def _side(ran: bool, active: int, blocks: int, cores: int, mhz: int, ratios: tuple[int, ...], timed: bool) -> list[str]:
    """total time, cycles, then time and ratio of each pipe, then the icache miss rate."""
    cycles = cycles_of(active, blocks, cores, mhz) if ran else 0
    total = total_ns(cycles, blocks, cores, mhz) if ran and timed else 0
    cells = [python_us(total), str(cycles)]
    for ratio in ratios[:-1]:
        cells += [python_us(total * ratio // 1000), repr(ratio / 1000 if ran else 0.0)]
    return [*cells, repr(ratios[-1] / 1000 if ran else 0.0)]


def pmu_cells(row: Row, chip: Chip, timed: bool, cpp: bool) -> list[str]:
    """The 25 PipeUtilization cells of a 910B row.

    Args:
        row: A kernel or a collective (N/A throughout).
        chip: Cores and clock.
        timed: False at msprof level 0, where Block Num is 0 and every time comes out as 0.0.
        cpp: The C++ exporter prints cube_utilization with three decimals.
    """
    op = row.op
    width = 2 + 2 * len(AIC_RATIOS) + 1 + 2 + 2 * len(AIV_RATIOS) + 1 + 1
    if not isinstance(op, Op) or op.core in ("AI_CPU", "DSA_SQE"):
        return [MISSING] * width
    blocks, mixed = blocks_of(op, chip)
    cube, vector = sides_of(op)
    mhz = chip.aic_frequency
    aic = _side(cube, active_ns(row), blocks, chip.ai_core_num, mhz, op.aic, timed)
    aiv = _side(vector, active_ns(row), mixed or blocks, chip.aiv_num, mhz, op.aiv, timed)
    share = int(aic[1]) * 100 * 1000 / (mhz * chip.ai_core_num * row.duration_ns)
    return [*aic, *aiv, f"{share:.3f}" if cpp else (repr(round(share, 3)) if cube else "0")]


def pmu_header() -> list[str]:
    """Names of the cells of `pmu_cells`."""
    names = ["aicore_time(us)", "aic_total_cycles"]
    for pipe in AIC_RATIOS:
        names += [f"aic_{pipe}_time(us)", f"aic_{pipe}_ratio"]
    names += ["aic_icache_miss_rate", "aiv_time(us)", "aiv_total_cycles"]
    for pipe in AIV_RATIOS:
        names += [f"aiv_{pipe}_time(us)", f"aiv_{pipe}_ratio"]
    return [*names, "aiv_icache_miss_rate", "cube_utilization(%)"]


def exe_cells(row: Row, chip: Chip) -> list[str]:
    """The 17 PipelineExecuteUtilization cells of a 310B row.

    aicore_time has two decimals there; memory_bound = mte2 / max(mac, vec).
    """
    op = row.op
    if not isinstance(op, Op) or op.core == "AI_CPU":
        return [MISSING] * (2 + 2 * len(EXE_RATIOS) + 1)
    blocks = op.blocks or 1
    cycles = cycles_of(active_ns(row), blocks, chip.ai_core_num, chip.aic_frequency)
    total = (total_ns(cycles, blocks, chip.ai_core_num, chip.aic_frequency) + 5) // 10 * 10
    cells = [python_us(total), str(cycles)]
    for ratio in op.exe:
        cells += [python_us(total * ratio // 1000), repr(ratio / 1000)]
    busiest = max(op.exe[0], op.exe[1])
    return [*cells, repr(round(op.exe[4] / busiest, 3)) if busiest else "0"]


def exe_header() -> list[str]:
    """Names of the cells of `exe_cells`."""
    names = ["aicore_time(us)", "total_cycles"]
    for pipe in EXE_RATIOS:
        names += [f"{pipe}_time(us)", f"{pipe}_ratio"]
    return [*names, "memory_bound"]


def statistic_rows(rows: Sequence[Row]) -> list[list[str]]:
    """op_statistic without Device_id: one row for each (type, core), most time first; no collectives."""
    found: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        if not row.communicates:
            found.setdefault((row.op.type, row.core), []).append(row.duration_ns)
    whole = sum(sum(durations) for durations in found.values())
    cells = []
    for (kind, core), durations in sorted(found.items(), key=lambda item: (-sum(item[1]), item[0])):
        total = sum(durations)
        mean = repr(round(total / len(durations) / 1000, 3))
        share = repr(round(total * 100 / whole, 3))
        low, high = python_us(min(durations)), python_us(max(durations))
        cells.append([kind, core, str(len(durations)), python_us(total), low, mean, high, share])
    return cells


def communication_rows(rows: Sequence[Row]) -> list[list[str]]:
    """communication_statistic without Device_id: one row for each type of collective, most time first."""
    found: dict[str, list[int]] = {}
    for row in rows:
        if row.communicates:
            found.setdefault(row.op.type, []).append(row.duration_ns)
    whole = sum(sum(durations) for durations in found.values())
    cells = []
    for kind, durations in sorted(found.items(), key=lambda item: (-sum(item[1]), item[0])):
        total = sum(durations)
        mean, share = (repr(round(value, 3)) for value in (total / len(durations) / 1000, total * 100 / whole))
        low, high = python_us(min(durations)), python_us(max(durations))
        cells.append([kind, str(len(durations)), python_us(total), low, mean, high, share])
    return cells


STATISTIC_HEADER = [
    "OP Type",
    "Core Type",
    "Count",
    "Total Time(us)",
    "Min Time(us)",
    "Avg Time(us)",
    "Max Time(us)",
    "Ratio(%)",
]


COMMUNICATION_HEADER = [name for name in STATISTIC_HEADER if name != "Core Type"]


def api_rows(calls: Sequence[tuple[str, str, Sequence[int]]], zero_variance: str) -> list[list[str]]:
    """api_statistic without Device_id: level, name, sum, count, mean, least, most, variance.

    Args:
        calls: Level, API name, durations in ns of each.
        zero_variance: How this exporter prints a variance of nothing: "0.0" (Python) or "0" (C++).
    """
    cells = []
    for level, name, durations in calls:
        total, count = sum(durations), len(durations)
        spread = sum((x * count - total) ** 2 for x in durations)
        variance = repr(round(spread / count**3 / 10**6, 3)) if spread else zero_variance
        mean = repr(round(total / count / 1000, 3))
        low, high = python_us(min(durations)), python_us(max(durations))
        cells.append([level, name, python_us(total), str(count), mean, low, high, variance])
    return cells


API_HEADER = ["Level", "API Name", "Time(us)", "Count", "Avg(us)", "Min(us)", "Max(us)", "Variance"]


def merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sorted disjoint intervals; touching ones become one, as in the Overlap Analysis lane."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def without(spans: Sequence[tuple[int, int]], holes: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Disjoint intervals minus disjoint intervals."""
    found = []
    for start, end in spans:
        at = start
        for low, high in holes:
            if high <= at or low >= end:
                continue
            if low > at:
                found.append((at, low))
            at = max(at, high)
        if at < end:
            found.append((at, end))
    return found


LANES = ("Computing", "Communication", "Communication(Not Overlapped)", "Free")


def lanes(rows: Sequence[Row]) -> dict[str, list[tuple[int, int]]]:
    """The four lanes of Overlap Analysis; Free is what the envelope leaves (the older definition)."""
    computing = merged((row.start_ns, row.end_ns) for row in rows if not row.communicates)
    communication = merged((row.start_ns, row.end_ns) for row in rows if row.communicates)
    busy = merged([*computing, *communication])
    free = without([(busy[0][0], busy[-1][1])], busy)
    return dict(zip(LANES, (computing, communication, without(communication, computing), free), strict=True))


def floor_to(time_ns: int, grain_ns: int) -> int:
    """Host stamps are whole multiples of 10 ns."""
    return time_ns // grain_ns * grain_ns


def seconds(count: int) -> int:
    """Whole seconds in ns."""
    return count * SECOND
