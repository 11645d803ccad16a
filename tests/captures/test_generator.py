"""The generator held against the corpus, against values worked out by hand, and against itself."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import re
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from captures import edits, formats, generator
from captures.expected import shares
from captures.generator import (
    ASCEND_910B,
    Chip,
    Collective,
    Expected,
    Export,
    Op,
    Pace,
    Peak,
    ProfSpec,
    Shares,
    TorchSpec,
    write_prof_capture,
    write_torch_capture,
)
from captures.plan import Dice, Row, step_noise_ppm

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
MB = 2**20
US = 1_000

MATMUL = Op(
    type="MatMulV3",
    name="aclnnMm_MatMulV3Common_MatMulV3",
    core="AI_CORE",
    mean_ns=100 * US,
    shapes="64,32;32,16",
    dtypes="DT_BF16;DT_BF16",
    out_shapes="64,16",
    out_dtypes="DT_BF16",
)
ADD = Op(
    type="Add",
    name="aclnnAdd_AddAiCore_Add",
    core="AI_VECTOR_CORE",
    mean_ns=40 * US,
    shapes="64,16;64,16",
    dtypes="FLOAT;FLOAT",
    out_shapes="64,16",
    out_dtypes="FLOAT",
)
SUM = replace(ADD, type="ReduceSum", name="aclnnReduceSum_ReduceSumOpAiCore_ReduceSum", core="MIX_AIV", mean_ns=9 * US)
HELPER = replace(ADD, type="TopK", name="aclnnTopk_TopkAicpu_TopK", core="AI_CPU", mean_ns=30 * US)
RANDOM = replace(
    ADD, type="DSAGenBitMask", name="aclnnDropoutGenMaskV2_DSA", core="DSA_SQE", shapes="N/A", dtypes="N/A"
)
GATHER = Collective(type="hcom_allGather_", mean_ns=60 * US, at_permille=0)
SCATTER = Collective(type="hcom_reduceScatter_", mean_ns=50 * US, at_permille=500, hidden_permille=500)
EVEN = Pace(gap_ns=10 * US, step_gap_ns=30 * US, step_noise_ppm=0, kernel_noise_ppm=0, gap_noise_ppm=0)
TICKING = replace(ASCEND_910B, clock_hz=50_000_000)
TINY = TorchSpec(
    ops=(MATMUL, ADD),
    collectives=(GATHER, SCATTER),
    steps=3,
    pace=EVEN,
    preparing_ns=60 * US,
    chip=TICKING,
    begin="2026-10-20 10:12:31.482",
)
VARIED = replace(
    TINY,
    ops=(MATMUL, ADD, SUM, HELPER, RANDOM),
    pace=Pace(),
    chip=ASCEND_910B,
    before_rows=1,
    after_rows=2,
    world_size=1,
    memory=generator.Memory(workspace_bytes=96 * MB),
)
PROF = ProfSpec(ops=(MATMUL, replace(ADD, calls=3), SUM), repeats=20)
PROF_L0 = replace(PROF, level=0)
PROF_HELPERS = replace(
    PROF, level=0, helpers=True, ops=(replace(MATMUL, type="Tile", name="tile_mix", core="MIX_AIC"),)
)
PROF_310B = ProfSpec(ops=(ADD,), generation="310b-2024", begin="2024-05-06 09:30:11.204", host="edge-12", pid=231_004)


def tree(root: Path) -> dict[str, str]:
    """Digest of every file by its place."""
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def table(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def columns(path: Path) -> dict[str, list[str]]:
    header, *rows = table(path)
    return {name: [row[index] for row in rows] for index, name in enumerate(header)}


# --- values worked out by hand ----------------------------------------------------------------------------------------

# One step of TINY in us from its own start, the counter at 50 MHz, no noise:
#   0 allGather 60           nothing hidden: compute waits
#             60 MatMulV3 160, gap to 170
#                            170 Add 210, gap to 220
#                            170 reduceScatter 220 (may hide 25; Add has started before that)
#   next step at 220 + 30 = 250
STEP = Shares(computing_ns=140_000, communication_ns=110_000, overlapped_ns=40_000, unhidden_ns=70_000, free_ns=40_000)
LAST = replace(STEP, free_ns=10_000)
BEGIN = 1_792_462_351_482_000_000
FIRST = BEGIN + 250_000_000 + 60_000


@pytest.fixture
def tiny(tmp_path: Path) -> Expected:
    (found,) = write_torch_capture(tmp_path, TINY)
    return found


def test_steps_by_hand(tiny: Expected) -> None:
    assert [step.step for step in tiny.steps] == [10, 11, 12]
    assert [step.start_ns - FIRST for step in tiny.steps] == [0, 250_000, 500_000]
    assert [step.end_ns - FIRST for step in tiny.steps] == [220_000, 470_000, 720_000]
    assert tiny.step_times_ns == (250_000, 250_000)
    assert [step.window_ns for step in tiny.steps] == [250_000, 250_000, None]
    assert [step.shares for step in tiny.steps] == [STEP, STEP, LAST]
    assert {(step.kernels, step.ai_cpu, step.collectives) for step in tiny.steps} == {(2, 0, 2)}
    assert tiny.span_ns == (FIRST, FIRST + 720_000)
    assert tiny.shares == Shares(420_000, 330_000, 120_000, 210_000, 90_000)
    assert (tiny.kernels, tiny.ai_cpu, tiny.collectives, tiny.outside) == (6, 0, 6, 0)


def test_types_memory_and_communication_by_hand(tiny: Expected) -> None:
    assert {key: (t.count, t.total_ns, t.min_ns, t.max_ns) for key, t in tiny.types.items()} == {
        ("MatMulV3", "AI_CORE"): (3, 300_000, 100_000, 100_000),
        ("Add", "AI_VECTOR_CORE"): (3, 120_000, 40_000, 40_000),
    }
    assert tiny.memory == {
        "APP": Peak(None, 28_672 * MB, None),
        "PTA": Peak(22_048 * MB, 24_576 * MB, 22_048 * MB),
        "GE": Peak(3 * MB // 2, 8 * MB, None),
        "PTA+GE": Peak(22_048 * MB + 3 * MB // 2, 24_584 * MB, 22_048 * MB),
    }
    assert (tiny.wait_ns, tiny.transit_ns) == (3 * (7_200 + 6_000), 3 * (42_000 + 35_000))


def test_step_trace_time_by_hand(tiny: Expected) -> None:
    """The gap behind a step starts when the step has ended: the official rule gives it to no step."""
    row = "140.0,70.0,40.0,110.0,10.0,220.0,0,70.0,60.0\r\n"
    header, *rows = (
        (tiny.path / "ASCEND_PROFILER_OUTPUT" / "step_trace_time.csv").read_bytes().decode().splitlines(keepends=True)
    )
    assert header.startswith("Step,Computing,Communication(Not Overlapped),")
    assert rows[:2] == [f"10,{row}", f"11,{row}"]
    # The host steps out of the last step 0.2 ms after its last kernel; there is no Free event behind it either.
    assert rows[2] == f"12,{row}"


def test_kernel_rows_by_hand(tiny: Expected) -> None:
    lines = (
        (tiny.path / "ASCEND_PROFILER_OUTPUT" / "kernel_details.csv").read_bytes().decode().splitlines(keepends=True)
    )
    group = lines[1].split("hcom_allGather__")[1].split("_")[0]
    nothing = ",N/A" * 34 + "\r\n"
    assert lines[1] == (
        f"10,4294967295,N/A,N/A,hcom_allGather__{group}_0_1,hcom_allGather_,N/A,HCCL,1792462351732060.000\t,60.0,0,0{nothing}"
    )
    # Task 101: cores run 970 of 1000: 97 us, 97 us x 1800 MHz x 24 cores = 4190400 cycles.
    assert lines[2] == (
        "10,4294967295,101,2,aclnnMm_MatMulV3Common_MatMulV3,MatMulV3,dynamic,AI_CORE,1792462351732120.000\t,100.0,0.0,24,0,NO,"
        '"""64,32;32,16""",DT_BF16;DT_BF16,FORMAT_ND;FORMAT_ND,"""64,16""",DT_BF16,FORMAT_ND,N/A,'
        "97.0,4190400,59.364,0.612,14.356,0.148,45.881,0.473,54.029,0.557,11.446,0.118,0.004,"
        "0.0,0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,97.0\r\n"
    )
    assert [line.split(",")[10] for line in lines[1:6]] == ["0", "0.0", "10.0", "0.0", "30.0"]


def test_level_0_file_by_hand(tmp_path: Path) -> None:
    (found,) = write_torch_capture(tmp_path, replace(TINY, steps=1, level="Level0", collectives=(GATHER,)))
    text = (found.path / "ASCEND_PROFILER_OUTPUT" / "kernel_details.csv").read_bytes().decode()
    group = text.split("hcom_allGather__")[1].split("_")[0]
    assert text == (
        "Step Id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim\r\n"
        f"10,hcom_allGather__{group}_0_1,N/A,HCCL,1792462351732060.000\t,60.0,0,0\r\n"
        "10,aclnnMm_MatMulV3Common_MatMulV3,N/A,N/A,1792462351732120.000\t,100.0,0.0,0\r\n"
        "10,aclnnAdd_AddAiCore_Add,N/A,N/A,1792462351732230.000\t,40.0,10.0,0\r\n"
    )
    assert found.types == {}
    assert not list(found.path.rglob("op_statistic*")) + list(found.path.rglob("communication.json"))


def test_op_statistic_by_hand(tiny: Expected) -> None:
    assert (tiny.path / "ASCEND_PROFILER_OUTPUT" / "op_statistic.csv").read_bytes().decode() == (
        "OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)\n"
        "MatMulV3,AI_CORE,3,300.0,100.0,100.0,100.0,71.429\n"
        "Add,AI_VECTOR_CORE,3,120.0,40.0,40.0,40.0,28.571\n"
    )


def test_shares_of_overlapping_rows() -> None:
    """Kernels that run at once count once, and the walk agrees with counting every nanosecond."""
    dice = Dice(5)
    rows = []
    for number in range(60):
        start = dice.below(900)
        op = GATHER if number % 3 == 0 else ADD
        rows.append(Row(1, op, "x", start, start + dice.below(60), 0, 2, number))
    kernel, collective = set[int](), set[int]()
    for row in rows:
        (collective if row.communicates else kernel).update(range(max(100, row.start_ns), min(800, row.end_ns)))
    both = kernel & collective
    found = shares(rows, 100, 800)
    assert found == Shares(
        len(kernel), len(collective), len(both), len(collective - kernel), 700 - len(kernel | collective)
    )


def test_noise_has_the_deviation_asked_for() -> None:
    noise = step_noise_ppm(Dice(3), 10, 6_000)
    mean = sum(noise) / 10
    assert abs(mean) < 1
    assert abs((sum((x - mean) ** 2 for x in noise) / 9) ** 0.5 - 6_000) < 2


def test_slow_first_step_and_slow_rank(tmp_path: Path) -> None:
    pace = replace(EVEN, first_step_permille=2_000, rank_permille=(1000, 1500))
    fast, slow = write_torch_capture(tmp_path, replace(TINY, pace=pace, ranks=(0, 1), world_size=2))
    assert fast.step_times_ns == (2 * 220_000 + 30_000, 250_000)
    assert slow.step_times_ns == (3 * 220_000 + 30_000, 330_000 + 30_000)
    assert (fast.rank, slow.rank, fast.device, slow.device) == (0, 1, 0, 1)


def read_back(path: Path, header: dict[str, str]) -> list[tuple[str, bool, int, int]]:
    """Step, collective or not, start and end in ns of every row, read with nothing but csv."""
    found = []
    names = columns(path)
    for index, start in enumerate(names[header["start"]]):
        low = int(start.strip().replace(".", ""))
        whole, _, part = names[header["duration"]][index].partition(".")
        length = int(whole) * 1000 + int((part + "000")[:3])
        collective = names[header["core"]][index] == "HCCL"
        found.append((names.get("Step Id", [""] * (index + 1))[index], collective, low, low + length))
    return found


def covered(spans: Iterable[tuple[int, int]]) -> int:
    total, reached = 0, 0
    for low, high in sorted(spans):
        total += max(0, high - max(low, reached))
        reached = max(reached, high)
    return total


TORCH = {"start": "Start Time(us)", "duration": "Duration(us)", "core": "Accelerator Core"}
MSPROF = {"start": "Task Start Time(us)", "duration": "Task Duration(us)", "core": "Task Type"}


def check_read_back(rows: list[tuple[str, bool, int, int]], found: Expected) -> None:
    low, high = min(row[2] for row in rows), max(row[3] for row in rows)
    computing = covered((start, end) for _, collective, start, end in rows if not collective)
    busy = covered((start, end) for _, _, start, end in rows)
    assert (low, high) == found.span_ns
    assert (computing, busy - computing, high - low - busy) == (
        found.shares.computing_ns,
        found.shares.unhidden_ns,
        found.shares.free_ns,
    )
    assert len(rows) == found.kernels + found.ai_cpu + found.collectives
    for step in found.steps:
        own = [row for row in rows if row[0] == str(step.step)]
        assert (min(row[2] for row in own), max(row[3] for row in own)) == (step.start_ns, step.end_ns)
        assert len(own) == step.kernels + step.ai_cpu + step.collectives


def test_files_say_what_was_expected(tmp_path: Path) -> None:
    for number, spec in enumerate((TINY, VARIED, replace(VARIED, markers=False), replace(VARIED, level="Level0"))):
        (found,) = write_torch_capture(tmp_path / str(number), spec)
        rows = read_back(found.path / "ASCEND_PROFILER_OUTPUT" / "kernel_details.csv", TORCH)
        check_read_back(rows, found)
        assert sum(row[0] == "" for row in rows) == (found.outside if spec.markers else len(rows))
    for number, prof in enumerate((PROF, PROF_L0, PROF_HELPERS, PROF_310B)):
        found = write_prof_capture(tmp_path / f"prof{number}", prof)
        check_read_back(read_back(edits.find(found.path, "op_summary"), MSPROF), found)


def test_memory_files_say_what_was_expected(tmp_path: Path) -> None:
    (found,) = write_torch_capture(tmp_path, VARIED)
    names = columns(found.path / "ASCEND_PROFILER_OUTPUT" / "memory_record.csv")
    for component, peak in found.memory.items():
        own = [index for index, name in enumerate(names["Component"]) if name == component]
        for column, value in (("Allocated", peak.allocated), ("Reserved", peak.reserved), ("Active", peak.active)):
            cells = [names[f"Total {column}(MB)"][index] for index in own]
            sizes = [float(cell) * MB for cell in cells if cell]
            assert (max(sizes) if sizes else None) == value
    assert set(found.memory) == {"APP", "PTA", "GE", "PTA+GE", "WORKSPACE"}


def test_rows_outside_steps_lie_outside_every_step(tmp_path: Path) -> None:
    (found,) = write_torch_capture(tmp_path, VARIED)
    rows = read_back(found.path / "ASCEND_PROFILER_OUTPUT" / "kernel_details.csv", TORCH)
    low, high = found.steps[0].start_ns, found.steps[-1].end_ns
    assert [row[3] < low or row[2] > high for row in rows if not row[0]] == [True] * 3


# --- the corpus -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def corpus() -> Path:
    path = Path(os.environ.get("REPORTGEN_CORPUS", ROOT.parent / "shared" / "corpus"))
    if not path.is_dir():
        pytest.skip(f"no corpus at {path} (REPORTGEN_CORPUS)")
    return path


CORPUS_PLACES = {
    "torch1": "torch-910b/text/level1/rank0_ascend_pt",
    "torch0": "torch-910b/text/level0/rank0_ascend_pt",
    "910b": "msprof-910b-level0/add/torch",
    "310b": "msprof-310b-level1/FastGeluGrad/PROF_000001_20240418221724365_MDRNMHLIQDFFBHKB",
}
"""One capture of each kind: its header and its settings."""
CORPUS_KINDS = {
    "torch1": "torch-910b/text",
    "torch0": "torch-910b/text",
    "910b": "msprof-910b-level0",
    "310b": "msprof-310b-level1",
}
"""All captures of the kind: how their cells look."""


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One generated capture for each kind of the corpus, with AI_CPU helpers, and 910B at level 1."""
    root = tmp_path_factory.mktemp("written")
    return {
        "torch1": write_torch_capture(root / "torch1", replace(VARIED, world_size=None))[0].path,
        "torch0": write_torch_capture(root / "torch0", replace(VARIED, level="Level0", world_size=None))[0].path,
        "910b": write_prof_capture(root / "910b", PROF_L0).path,
        "910b-level1": write_prof_capture(root / "910b-level1", PROF).path,
        "910b-helpers": write_prof_capture(root / "910b-helpers", PROF_HELPERS).path,
        "310b": write_prof_capture(root / "310b", PROF_310B).path,
    }


TABLES = [
    *[("torch1", f"{name}.csv") for name in ("kernel_details", "step_trace_time", "memory_record", "operator_memory")],
    *[("torch1", f"{name}.csv") for name in ("npu_module_mem", "op_statistic", "api_statistic")],
    *[("torch0", f"{name}.csv") for name in ("kernel_details", "step_trace_time", "memory_record", "npu_module_mem")],
    *[(place, name) for place in ("910b", "310b") for name in ("op_summary", "task_time", "api_statistic")],
    *[("910b-helpers", name) for name in ("op_summary", "task_time")],
    ("310b", "op_statistic"),
]
"""Kind and beginning of the file's name."""


@pytest.mark.corpus
@pytest.mark.parametrize(("kind", "name"), TABLES)
def test_table_is_written_as_in_the_corpus(corpus: Path, written: dict[str, Path], kind: str, name: str) -> None:
    """Header line, line ends, TABs, quotes and number formats of each column."""
    of_corpus = kind.removesuffix("-helpers")
    header = edits.lines(edits.find(corpus / CORPUS_PLACES[of_corpus], name))[0]
    ours = edits.lines(edits.find(written[kind], name))
    assert ours[0] == header
    pooled = [header]
    for path in sorted((corpus / CORPUS_KINDS[of_corpus]).rglob(f"{name}*")):
        lines = edits.lines(path)
        pooled += lines[1:] if lines[0] == header else []
    assert {line_end(line) for line in ours} == {line_end(line) for line in pooled}
    real = raw_columns(pooled)
    for column, cells in raw_columns(ours).items():
        check_forms(column, real[column], cells)


def line_end(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]


def raw_columns(lines: list[str]) -> dict[str, list[str]]:
    header, *rows = [edits.cells(line) for line in lines]
    return {name: [row[index] for row in rows] for index, name in enumerate(header)}


def form(cell: str) -> str:
    """The look of a cell: its kind, its quotes, its TAB."""
    bare = cell.strip("\t")
    if bare in ("", "N/A"):
        kind = bare
    elif re.fullmatch(r"\d+", bare):
        kind = "integer"
    elif re.fullmatch(r"\d+\.\d+", bare):
        kind = "decimal"
    else:
        kind = '"""text"""' if bare.startswith('"""') else "text"
    return kind + ("\\t" if cell.endswith("\t") else "")


def decimals(cells: list[str]) -> set[int]:
    """Places behind the point, of cells other than a bare 0.0."""
    return {len(c.strip("\t").partition(".")[2]) for c in cells if form(c).startswith("decimal") and c != "0.0"}


def check_forms(column: str, real: list[str], ours: list[str]) -> None:
    """Ours show no form that the corpus does not show, and as many decimals: always so many, or at most so many."""
    unseen = {form(cell) for cell in ours} - {form(cell) for cell in real}
    assert unseen <= ALSO_RIGHT.get(column, set()), (column, unseen)
    places, our_places = decimals(real), decimals(ours)
    if not places or column in SUMS:
        return
    if len(places) == 1 and len(real) >= 20:
        assert our_places <= places, column
    else:
        assert max(our_places, default=0) <= max(places), column


ALSO_RIGHT: dict[str, set[str]] = {
    "Step Id": {""},  # rows outside every step (FORMAT.md 3.3); every row of the corpus lies in one
    "Input Shapes": {"N/A"},  # as on the DSA rows of the corpus, which have no inputs either
}
SUMS = {
    "Computing",
    "Communication(Not Overlapped)",
    "Overlapped",
    "Communication",
    "Free",
    "Communication(Not Overlapped and Exclude Receive)",
}
"""Sums of floats: as many digits as they need."""


def shape_of(value: object) -> object:
    """Keys in order and types of a JSON value."""
    if isinstance(value, dict):
        return [(key, shape_of(inner)) for key, inner in value.items()]
    if isinstance(value, list):
        return ["list", *({str(shape_of(inner)): shape_of(inner) for inner in value}.values())]
    return type(value).__name__


JSON_FILES = [
    *[(place, name) for place in ("torch1", "torch0") for name in ("profiler_info_0.json", "profiler_metadata.json")],
    *[
        (place, name)
        for place in ("910b", "310b")
        for name in (
            "host/sample.json",
            "device_0/sample.json",
            "host/info.json",
            "device_0/info.json.0",
            "host/start_info",
            "device_0/start_info.0",
            "host/end_info",
            "device_0/end_info.0",
        )
    ],
]


def settings_file(capture: Path, name: str) -> Path:
    found = sorted(capture.glob(name)) or sorted(capture.glob(f"*/{name}"))
    assert len(found) == 1, (capture, name)
    return found[0]


@pytest.mark.corpus
@pytest.mark.parametrize(("place", "name"), JSON_FILES)
def test_settings_are_written_as_in_the_corpus(corpus: Path, written: dict[str, Path], place: str, name: str) -> None:
    """The same keys in the same order with values of the same types, on one line or indented alike."""
    real = settings_file(corpus / CORPUS_PLACES[place], name).read_text(encoding="utf-8")
    ours = settings_file(written[place], name).read_text(encoding="utf-8")
    assert shape_of(json.loads(ours)) == shape_of(json.loads(real))
    assert ours.count("\n") == real.count("\n")
    assert (": " in ours, ", " in ours) == (": " in real, ", " in real) or name.endswith(("info.json", "info.json.0"))


@pytest.mark.corpus
@pytest.mark.parametrize("level", ["910b", "910b-level1"])
def test_sample_json_values_of_910b(corpus: Path, written: dict[str, Path], level: str) -> None:
    """Every value but the identities is what that collector writes; level 1 differs in two keys."""
    real = json.loads(settings_file(corpus / CORPUS_PLACES["910b"], "host/sample.json").read_bytes())
    ours = json.loads(settings_file(written[level], "host/sample.json").read_bytes())
    assert len(ours) == 131
    differing = {key for key in ours if ours[key] != real[key]} - {"result_dir", "msprofBinPid", "host_sys_pid"}
    assert differing == ({"prof_level", "taskTime"} if level == "910b-level1" else set())


@pytest.mark.corpus
def test_sample_json_values_of_310b(corpus: Path, written: dict[str, Path]) -> None:
    real = json.loads(settings_file(corpus / CORPUS_PLACES["310b"], "host/sample.json").read_bytes())
    ours = json.loads(settings_file(written["310b"], "host/sample.json").read_bytes())
    identities = {"result_dir", "msprofBinPid", "host_sys_pid", "storageLimit", "app_dir", "cmdPath"}
    assert len(ours) == 100
    assert {key for key in ours if ours[key] != real[key]} == identities


@pytest.mark.corpus
def test_inner_settings_of_torch_are_those_of_910b(corpus: Path, written: dict[str, Path]) -> None:
    real = corpus / CORPUS_PLACES["910b"]
    for name in ("host/sample.json", "device_0/sample.json", "host/info.json", "device_0/info.json.0", "host/end_info"):
        ours = json.loads(settings_file(written["torch1"], name).read_bytes())
        assert shape_of(ours) == shape_of(json.loads(settings_file(real, name).read_bytes()))


@pytest.mark.corpus
def test_communication_json_is_written_as_in_the_corpus(corpus: Path, written: dict[str, Path]) -> None:
    def parts(path: Path) -> tuple[str, object, object]:
        ((step, groups),) = list(json.loads(path.read_bytes()).items())[:1]
        assert list(groups) == ["p2p", "collective"]
        (_, first), *_, (name, total) = groups["collective"].items()
        assert name == "Total Op Info"
        for one in (first, total):
            for link in one["Communication Bandwidth Info"].values():
                link["Size Distribution"] = None
        return re.sub(r"\d+", "N", step), shape_of(keys_only(first)), shape_of(keys_only(total))

    def keys_only(value: object) -> object:
        return {key: keys_only(inner) for key, inner in value.items()} if isinstance(value, dict) else None

    real, ours = (
        edits.find(root, "communication.json") for root in (corpus / CORPUS_PLACES["torch1"], written["torch1"])
    )
    assert parts(ours) == parts(real)


@pytest.mark.corpus
def test_trace_names_its_lanes_as_in_the_corpus(corpus: Path, tmp_path: Path) -> None:
    """Every lane, label and event shape of ours is one of the corpus; the full trace holds every row."""
    (found,) = write_torch_capture(tmp_path, replace(VARIED, trace="full"))

    def seen(path: Path) -> tuple[set[object], set[object]]:
        names, shapes = set[object](), set[object]()
        for event in json.loads(path.read_bytes()):
            if event["ph"] == "M":
                text = re.sub(r"\d+", "N", str(event["args"]))
                names.add((event["name"], text if "name" in event["args"] else tuple(event["args"])))
            elif event["ph"] in "XC":
                args = event.get("args", {})
                shapes.add(
                    (tuple(event), tuple(key for key in args if key != "Call stack" and not key.startswith("Input")))
                )
        return names, shapes

    names, shapes = seen(edits.find(corpus / CORPUS_PLACES["torch1"], "trace_view.json"))
    ours = edits.find(found.path, "trace_view.json")
    our_names, our_shapes = seen(ours)
    assert our_names <= names
    assert our_shapes <= shapes
    tasks = [event for event in json.loads(ours.read_bytes()) if "Task Id" in event.get("args", {})]
    assert len(tasks) == found.kernels + found.ai_cpu


@pytest.mark.corpus
def test_no_row_of_the_corpus_was_copied(corpus: Path, written: dict[str, Path]) -> None:
    real = {line for path in corpus.rglob("*.csv") for line in path.read_text(encoding="utf-8").splitlines()[1:]}
    hosts = {"host-a", "host-b", "host-c"}
    for root in (*written.values(), EXAMPLES):
        for path in root.rglob("*.csv"):
            assert not real & {line for line in path.read_text(encoding="utf-8").splitlines()[1:] if line}
        for path in root.rglob("info.json*"):
            assert json.loads(path.read_bytes())["hostname"] not in hosts


# --- itself -----------------------------------------------------------------------------------------------------------

SPECS: dict[str, Callable[[Path], object]] = {
    "tiny": lambda root: write_torch_capture(root, TINY),
    "varied": lambda root: write_torch_capture(root, replace(VARIED, ranks=(0, 1), world_size=2, trace="full")),
    "msprof": lambda root: write_prof_capture(root, replace(PROF, npu_mem=(4 * MB, 9 * MB), ge_memory=((MB, 2 * MB),))),
    "helpers": lambda root: write_prof_capture(root, PROF_HELPERS),
    "310b": lambda root: write_prof_capture(root, PROF_310B),
    "opprof": generator.write_opprof,
    "foreign": generator.write_foreign,
}


@pytest.mark.parametrize("name", SPECS)
def test_same_spec_same_bytes(tmp_path: Path, name: str) -> None:
    for turn in ("a", "b"):
        SPECS[name](tmp_path / turn)
    assert tree(tmp_path / "a")
    assert tree(tmp_path / "a") == tree(tmp_path / "b")


def test_another_seed_gives_other_times_and_the_same_files(tmp_path: Path) -> None:
    one, other = (write_torch_capture(tmp_path / str(seed), replace(VARIED, seed=seed))[0] for seed in (1, 2))
    assert one.step_times_ns != other.step_times_ns
    ours, theirs = (
        sorted(re.sub("_[0-9]{8}[A-R]{8}", "", name) for name in tree(found.path)) for found in (one, other)
    )
    assert ours == theirs


def test_examples_on_disk_are_what_the_generator_writes(tmp_path: Path) -> None:
    """If not: python -m tests.captures.generator examples."""
    found = generator.write_examples(tmp_path)
    for side in ("before", "after"):
        assert tree(tmp_path / side) == tree(EXAMPLES / side)
    readme = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert [line for line in generator.headline(found) if line not in readme] == []
    assert sum(path.stat().st_size for path in EXAMPLES.rglob("*") if path.is_file()) < 2_500_000


def test_examples_show_what_they_are_for(tmp_path: Path) -> None:
    found = generator.write_examples(tmp_path)
    for before, after in zip(found["before"], found["after"], strict=True):
        sides = []
        for one in (before, after):
            whole = sum(one.step_times_ns)
            unhidden = sum(step.shares.unhidden_ns for step in one.steps[:-1]) / whole
            free = sum(step.shares.free_ns for step in one.steps[:-1]) / whole
            mean = whole / len(one.step_times_ns)
            deviation = (sum((t - mean) ** 2 for t in one.step_times_ns) / (len(one.step_times_ns) - 1)) ** 0.5
            sides.append((sorted(one.step_times_ns)[4], unhidden, free, deviation / mean))
        (slow, unhidden_before, free_before, noise_before), (fast, unhidden_after, free_after, noise_after) = sides
        assert 0.78 < fast / slow < 0.82
        assert 0.23 < unhidden_before < 0.26
        assert 0.11 < unhidden_after < 0.135
        assert 0.10 < free_before < 0.14
        assert 0.015 < free_after < 0.025
        assert 0.004 < noise_before < 0.008
        assert 0.004 < noise_after < 0.008
        assert {step.kernels for step in before.steps} == {50}
        assert {step.kernels for step in after.steps} == {34}
        peaks = [one.memory["APP"].reserved or 0 for one in (before, after)]
        assert peaks[0] < peaks[1] < peaks[0] * 1.02


IDENTITIES = {
    "result_dir", "msprofBinPid", "host_sys_pid", "upTime", "pid", "clockMonotonicRaw", "start_cnt", "start_monotonic",
    "collectionTimeEnd", "MonotonicTimeEnd",
}  # fmt: skip


def flat(value: object, place: str = "") -> dict[str, object]:
    if isinstance(value, dict):
        found: dict[str, object] = {}
        for key, inner in value.items():
            found |= flat(inner, f"{place}.{re.sub(r'^198[.].*', 'group', key)}")
        return found
    return {place: value}


def test_examples_differ_in_one_declared_setting() -> None:
    differing = set()
    for name in ("profiler_info_?.json", "profiler_metadata.json", "PROF_*/*/sample.json", "PROF_*/*/info.json*"):
        sides = [sorted((EXAMPLES / side).glob(f"*_ascend_pt/{name}")) for side in ("before", "after")]
        assert len(sides[0]) == len(sides[1]) >= 2
        for before, after in zip(*sides, strict=True):
            ours, theirs = (flat(json.loads(path.read_bytes())) for path in (before, after))
            assert set(ours) == set(theirs)
            differing |= {key for key in ours if ours[key] != theirs[key] and key.rsplit(".", 1)[1] not in IDENTITIES}
    assert differing == {".ENV_VARIABLES.PYTORCH_NPU_ALLOC_CONF"}


# --- layouts and states -----------------------------------------------------------------------------------------------


def places(root: Path) -> set[str]:
    """Places of files with numbers struck out."""
    return {re.sub(r"\d{14}", "T", name) for name in tree(root)}


def test_torch_layout(tmp_path: Path) -> None:
    (found,) = write_torch_capture(tmp_path, replace(TINY, ranks=(None,), memory=None, trace="none"))
    assert re.fullmatch(r"npu-train-03_410233_\d{17}_ascend_pt", found.path.name)
    names = {re.sub(r"PROF_000001_\d{17}_00410233[A-R]{8}", "PROF", name) for name in tree(found.path)}
    output = {
        f"ASCEND_PROFILER_OUTPUT/{name}.csv"
        for name in ("kernel_details", "step_trace_time", "op_statistic", "api_statistic")
    }
    host = {"sample.json", "info.json", "start_info", "end_info", "host_start.log"}
    device = {"sample.json", "info.json.0", "start_info.0", "end_info.0", "host_start.log.0", "dev_start.log.0"}
    inner = {f"PROF/host/{name}" for name in host} | {f"PROF/device_0/{name}" for name in device}
    assert names == {
        "profiler_info.json", "profiler_metadata.json", "ASCEND_PROFILER_OUTPUT/communication.json", *output, *inner,
    }  # fmt: skip
    assert found.rank == -1
    assert "rank_id" not in json.loads((found.path / "profiler_info.json").read_bytes())


def test_torch_options_reach_the_files(tmp_path: Path) -> None:
    spec = replace(
        TINY,
        common={"with_stack": True},
        experimental={"_export_type": ["text"]},
        versions={"torch_npu_version": "2.7.1", "cann_version": "8.5.0"},
        env={"HCCL_ALGO": "level0:ring"},
        schedule={"active": 5},
        sample={"msproftx": "on"},
        device_info={"ai_core_num": 20},
        chip=Chip(platform_version="5", ai_core_num=24, aiv_num=48, aic_frequency=1650, clock_hz=50_000_000),
        communication_core="COMMUNICATION",
        block_word="Num",
        device_column=True,
        distributed_args={"tensor_model_parallel_size": 2},
    )
    (found,) = write_torch_capture(tmp_path, spec)
    info = json.loads((found.path / "profiler_info_0.json").read_bytes())
    assert info["config"]["common_config"]["with_stack"] is True
    assert info["config"]["common_config"]["schedule"]["active"] == 5
    assert info["config"]["experimental_config"]["_export_type"] == ["text"]
    assert (info["torch_npu_version"], info["cann_version"]) == ("2.7.1", "8.5.0")
    metadata = json.loads((found.path / "profiler_metadata.json").read_bytes())
    assert metadata["ENV_VARIABLES"]["HCCL_ALGO"] == "level0:ring"
    assert metadata["distributed_args"] == {"tensor_model_parallel_size": 2}
    assert json.loads(settings_file(found.path, "host/sample.json").read_bytes())["msproftx"] == "on"
    device = json.loads(settings_file(found.path, "device_0/info.json.0").read_bytes())["DeviceInfo"][0]
    assert (device["ai_core_num"], device["aic_frequency"], device["hwts_frequency"]) == (20, "1650", "50.000000")
    header = table(found.path / "ASCEND_PROFILER_OUTPUT" / "kernel_details.csv")[0]
    assert header[:3] == ["Step Id", "Device_id", "Model ID"]
    assert "Block Num" in header
    assert table(found.path / "ASCEND_PROFILER_OUTPUT" / "step_trace_time.csv")[0][:2] == ["Device_id", "Step"]


def test_without_markers(tmp_path: Path) -> None:
    (found,) = write_torch_capture(tmp_path, replace(TINY, markers=False))
    assert found.steps == ()
    output = found.path / "ASCEND_PROFILER_OUTPUT"
    assert table(output / "kernel_details.csv")[0][0] == "Model ID"
    assert [row[0] for row in table(output / "step_trace_time.csv")] == ["Step", ""]
    assert list(json.loads((output / "communication.json").read_bytes())) == ["step"]
    assert json.loads((found.path / "profiler_info_0.json").read_bytes())["config"]["common_config"]["schedule"] is None


SETTINGS = {
    "host/sample.json", "host/info.json", "host/start_info", "host/end_info", "host/host_start.log",
    "device_0/sample.json", "device_0/info.json.0", "device_0/start_info.0", "device_0/end_info.0",
    "device_0/host_start.log.0", "device_0/dev_start.log.0",
}  # fmt: skip
OUT = "mindstudio_profiler_output/"
EXPORTED = {f"{OUT}{name}_T.csv" for name in ("op_summary", "task_time", "op_statistic", "api_statistic")} | {
    f"{OUT}msprof_T.json"
}
STATES = {
    "exported": (PROF, SETTINGS | EXPORTED),
    "level 0": (PROF_L0, (SETTINGS | EXPORTED) - {f"{OUT}op_statistic_T.csv"}),
    "310B": (PROF_310B, SETTINGS | EXPORTED),
    "never exported": (replace(PROF, exports=()), SETTINGS),
    "database only": (replace(PROF, exports=(), databases=("20261020140340",)), SETTINGS | {"msprof_T.db"}),
    "aborted": (
        replace(PROF, aborted=True),
        (SETTINGS - {"host/end_info", "device_0/end_info.0"}) | {f"{OUT}api_statistic_T.csv", f"{OUT}msprof_T.json"},
    ),
    "memory": (
        replace(PROF, npu_mem=(4 * MB, 9 * MB), ge_memory=((MB, 2 * MB),)),
        SETTINGS | EXPORTED | {f"{OUT}npu_mem_T.csv", f"{OUT}memory_record_T.csv"},
    ),
    "old layout": (
        replace(PROF_310B, old_layout=True),
        SETTINGS
        | {
            f"device_0/summary/{name}_0_1_T.csv"
            for name in ("op_summary", "task_time", "op_statistic", "api_statistic")
        }
        | {"device_0/timeline/msprof_0_1_T.json"},
    ),
    "sliced": (
        replace(PROF, exports=(Export(slice_rows=40, tables=("op_summary",)),)),
        SETTINGS | {f"{OUT}op_summary_slice_{index}_T.csv" for index in range(3)},
    ),
}


@pytest.mark.parametrize("state", STATES)
def test_prof_layout(tmp_path: Path, state: str) -> None:
    spec, expected = STATES[state]
    found = write_prof_capture(tmp_path, spec)
    assert places(found.path) == expected


def test_exports_side_by_side(tmp_path: Path) -> None:
    exports = (Export(stamp="20261020150000", rows=5, tables=("op_summary",)), Export(stamp="20261020160000"))
    found = write_prof_capture(tmp_path, replace(PROF, exports=exports))
    output = found.path / "mindstudio_profiler_output"
    assert [len(table(output / f"op_summary_{when}.csv")) - 1 for when in ("20261020150001", "20261020160001")] == [
        5,
        100,
    ]
    assert len(list(output.glob("task_time_*"))) == 1
    assert (output / "msprof_20261020160000.json").exists()


def test_slices_hold_every_row_once(tmp_path: Path) -> None:
    whole = write_prof_capture(tmp_path / "whole", PROF)
    parts = write_prof_capture(tmp_path / "parts", replace(PROF, exports=(Export(slice_rows=40),)))
    rows = [line for path in sorted(parts.path.rglob("op_summary_slice_*")) for line in edits.lines(path)[1:]]
    assert rows == edits.lines(edits.find(whole.path, "op_summary"))[1:]


def test_device_column_is_missing_in_the_old_layout(tmp_path: Path) -> None:
    found = write_prof_capture(tmp_path, replace(PROF_310B, old_layout=True))
    header, row = table(edits.find(found.path, "op_summary"))
    assert header[0] == "Model ID"
    assert len(header) == len(row) == 37


def test_helper_rows(tmp_path: Path) -> None:
    """Two AI_CPU rows of the same name to each kernel: PMU cells N/A, KERNEL_AICPU without a name in task_time."""
    found = write_prof_capture(tmp_path, PROF_HELPERS)
    assert (found.kernels, found.ai_cpu) == (20, 40)
    summary = columns(edits.find(found.path, "op_summary"))
    assert set(summary["Op Name"]) == {"tile_mix"}
    assert set(summary["Task Type"]) == {"N/A"}
    assert summary["aicore_time(us)"].count("N/A") == 40
    tasks = columns(edits.find(found.path, "task_time"))
    named = [
        name for name, kind in zip(tasks["kernel_name"], tasks["kernel_type"], strict=True) if kind == "KERNEL_AICPU"
    ]
    assert named == ["N/A"] * 40
    assert tasks["kernel_type"].count("KERNEL_MIX_AIC") == 20
    keys = set(zip(tasks["stream_id"], tasks["task_id"], tasks["task_start(us)"], strict=True))
    assert set(zip(summary["Stream ID"], summary["Task ID"], summary["Task Start Time(us)"], strict=True)) <= keys


def test_level_0_times_are_zero_and_ratios_are_not(tmp_path: Path) -> None:
    names = columns(edits.find(write_prof_capture(tmp_path, PROF_L0).path, "op_summary"))
    assert set(names["aicore_time(us)"]) == set(names["aic_mac_time(us)"]) == set(names["aiv_time(us)"]) == {"0.0"}
    assert set(names["aic_mac_ratio"]) == {"0.612", "0.0"}
    assert max(map(int, names["aic_total_cycles"])) > 10**6
    assert set(names["Block Num"]) == {"0"}


def test_waits_of_the_cpp_exporter_are_coarse(tmp_path: Path) -> None:
    waits = columns(edits.find(write_prof_capture(tmp_path, PROF).path, "op_summary"))["Task Wait Time(us)"]
    assert waits[0] == "0"
    assert {wait[-7:] for wait in waits[1:]} <= {".000000", ".250000", ".500000", ".750000"}


def test_memory_peaks_of_msprof(tmp_path: Path) -> None:
    spec = replace(
        PROF, npu_mem=(4 * MB, 9 * MB + 700), device_extra_bytes=MB, ge_memory=((MB, 2 * MB), (3 * MB, 4 * MB))
    )
    found = write_prof_capture(tmp_path, spec)
    assert found.memory == {
        "APP": Peak(None, 9 * MB, None),
        "Device": Peak(None, 10 * MB, None),
        "GE": Peak(3 * MB, 4 * MB, None),
    }
    header, first, *_ = table(edits.find(found.path, "npu_mem"))
    assert header == ["Device_id", "event", "ddr(KB)", "hbm(KB)", "memory(KB)", "timestamp(us)"]
    assert first == ["0", "APP", "0.0", "4096.0", "4096.0", "1792476202162000.000\t"]


def test_database_is_valid_and_empty(tmp_path: Path) -> None:
    generator.write_database(tmp_path / "msprof_20261020140340.db")
    with closing(sqlite3.connect(tmp_path / "msprof_20261020140340.db")) as connection:
        assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    assert (tmp_path / "msprof_20261020140340.db").read_bytes()[:15] == b"SQLite format 3"


def test_directories_that_are_no_captures(tmp_path: Path) -> None:
    assert generator.write_opprof(tmp_path).name.startswith("OPPROF_")
    assert not list(generator.write_foreign(tmp_path).rglob("*_ascend_pt"))


# --- edits ------------------------------------------------------------------------------------------------------------

CSV = 'Step Id,Shapes,Start(us)\r\n1,"""8,4""",10.000\t\r\n2,"a\r\nb",20.000\t\r\n3,N/A,30.000\t\r\n'
ONE_LINE = '{"level":"on","events":[1,{"x":"}"}],"none":{}}'
INDENTED = '{\n    "level": "on",\n    "none": {\n        "a": null\n    }\n}'
EDITS: dict[str, tuple[str, Callable[[Path], None], str]] = {
    "set": (ONE_LINE, lambda path: edits.set_json(path, ("level",), "关"), ONE_LINE.replace("on", "关", 1)),
    "set in an array": (
        ONE_LINE,
        lambda path: edits.set_json(path, ("events", 1, "x"), 7),
        ONE_LINE.replace('"}"', "7"),
    ),
    "set indented": (
        INDENTED,
        lambda path: edits.set_json(path, ("none", "a"), True),
        INDENTED.replace("null", "true"),
    ),
    "delete the first": (
        ONE_LINE,
        lambda path: edits.delete_json_key(path, ("level",)),
        ONE_LINE.replace('"level":"on",', ""),
    ),
    "delete the last": (
        ONE_LINE,
        lambda path: edits.delete_json_key(path, ("none",)),
        ONE_LINE.replace(',"none":{}', ""),
    ),
    "delete an element": (
        ONE_LINE,
        lambda path: edits.delete_json_key(path, ("events", 0)),
        ONE_LINE.replace("1,", "", 1),
    ),
    "delete the only": (
        INDENTED,
        lambda path: edits.delete_json_key(path, ("none", "a")),
        INDENTED.replace('\n        "a": null\n    ', ""),
    ),
    "add": (ONE_LINE, lambda path: edits.add_json_key(path, ("new",), 1), ONE_LINE[:-1] + ',"new":1}'),
    "add to nothing": (
        ONE_LINE,
        lambda path: edits.add_json_key(path, ("none", "new"), 1),
        ONE_LINE.replace("{}", '{"new":1}'),
    ),
    "add indented": (
        INDENTED,
        lambda path: edits.add_json_key(path, ("none", "b"), "x"),
        INDENTED.replace("null", 'null,\n        "b": "x"'),
    ),
    "empty": (CSV, edits.empty_file, ""),
    "header only": (CSV, edits.header_only, "Step Id,Shapes,Start(us)\r\n"),
    "cut inside a row": (CSV, lambda path: edits.cut_inside_row(path, -1), CSV[: CSV.index("3,N/A")] + "3,N/A,"),
    "cut at a row's end": (CSV, lambda path: edits.cut_at_row_end(path, 1), CSV[: CSV.index("2,")]),
    "cell": (CSV, lambda path: edits.set_cell(path, 2, "Shapes", "x"), CSV.replace("N/A", "x")),
    "cell that needs quotes": (
        CSV,
        lambda path: edits.set_cell(path, 2, "Shapes", '"1,2"'),
        CSV.replace("N/A", '"""1,2"""'),
    ),
    "cell with a TAB": (CSV, lambda path: edits.set_cell(path, -1, "Start(us)", "31.5"), CSV.replace("30.000", "31.5")),
    "column": (
        CSV,
        lambda path: edits.set_column(path, "Step Id", lambda row: row["Step Id"] + "0"),
        CSV.replace("1,", "10,", 1).replace("2,", "20,").replace("3,", "30,"),
    ),
    "rows": (
        CSV,
        lambda path: edits.drop_rows(path, lambda row: row["Start(us)"] == "20.000"),
        CSV.replace('2,"a\r\nb",20.000\t\r\n', ""),
    ),
    "drop a column": (
        CSV,
        lambda path: edits.drop_column(path, "Shapes"),
        "Step Id,Start(us)\r\n1,10.000\t\r\n2,20.000\t\r\n3,30.000\t\r\n",
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_edit_changes_that_and_nothing_else(tmp_path: Path, name: str) -> None:
    text, change, expected = EDITS[name]
    path = tmp_path / "file"
    path.write_bytes(text.encode())
    change(path)
    assert path.read_bytes().decode() == expected


@pytest.mark.parametrize("keys", [("absent",), ("level", "x"), ("events", 5)])
def test_edit_of_what_is_not_there_fails(tmp_path: Path, keys: tuple[str | int, ...]) -> None:
    path = tmp_path / "file"
    path.write_text(ONE_LINE, encoding="utf-8")
    with pytest.raises(KeyError):
        edits.set_json(path, keys, 1)
    with pytest.raises(KeyError):
        edits.add_json_key(path, ("level",), 1)


def test_drop_step_and_rank(tmp_path: Path) -> None:
    first, second = write_torch_capture(tmp_path, replace(TINY, ranks=(0, 1), world_size=2))
    output = first.path / "ASCEND_PROFILER_OUTPUT"
    before = tree(first.path)
    edits.drop_step(first.path, 11, files=("kernel_details.csv",))
    assert {row["Step Id"] for row in edits.rows_of(output / "kernel_details.csv")} == {"10", "12"}
    changed = {name for name, digest in tree(first.path).items() if before[name] != digest}
    assert changed == {"ASCEND_PROFILER_OUTPUT/kernel_details.csv"}
    edits.drop_step(first.path, 11)
    assert [row["Step"] for row in edits.rows_of(output / "step_trace_time.csv")] == ["10", "12"]
    assert list(json.loads((output / "communication.json").read_bytes())) == ["step10", "step12"]
    assert b"ProfilerStep#11" not in (output / "trace_view.json").read_bytes()
    edits.drop_rank(tmp_path, 1)
    assert not second.path.exists()
    with pytest.raises(LookupError):
        edits.drop_rank(tmp_path, 1)


def test_find_wants_exactly_one(tmp_path: Path) -> None:
    found = write_prof_capture(tmp_path, PROF)
    assert edits.find(found.path, "task_time").suffix == ".csv"
    with pytest.raises(LookupError):
        edits.find(found.path, "sample.json")
    with pytest.raises(LookupError):
        edits.find(found.path, "step_trace")


def test_a_dropped_file_is_gone(tmp_path: Path) -> None:
    found = write_prof_capture(tmp_path, PROF)
    edits.drop_file(edits.find(found.path, "op_statistic"))
    assert not list(found.path.rglob("op_statistic*"))


def test_floats_are_printed_as_python_does() -> None:
    assert [formats.python_us(ns) for ns in (0, 40, 6_540, 5_000, 79_089_520)] == [
        "0.0",
        "0.04",
        "6.54",
        "5.0",
        "79089.52",
    ]
    assert formats.cpp_us(10_040) == "10.040"
