"""Kernels of a trace: against the csv of the same capture, and every way a trace may spell or break them."""

from __future__ import annotations

import csv
import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from corpus import (
    ADD_ASCENDC,
    ADD_PYPTO,
    ADD_TORCH,
    ADDCMUL_ABORTED,
    CORPUS,
    LEVEL0,
    TORCH,
    needs_corpus,
    prof,
    torch,
    us,
)

from reportgen import intervals
from reportgen.errors import CaptureError
from reportgen.frames import AI_CPU, COMMUNICATION, COMMUNICATION_TASK, KERNEL, KINDS, Table
from reportgen.reading import json_events
from reportgen.reading.json_numbers import span_ns
from reportgen.reading.trace_json import Trace, read_trace

ROW = ["device", "stream", "task", "name", "accelerator", "start_ns", "duration_ns", "kind"]


def read(path: Path) -> Trace:
    return read_trace(path, path.parent, shown=path.name)


def kernels(path: Path) -> Table:
    found = read(path).kernels
    assert found is not None
    return found


def written(folder: Path, events: list[dict[str, Any]] | str) -> Path:
    path = folder / "trace_view.json"
    path.write_text(events if isinstance(events, str) else json.dumps(events))
    return path


def rows(folder: Path, events: list[dict[str, Any]]) -> list[list[Any]]:
    return [list(row) for row in kernels(written(folder, events)).frame[ROW].itertuples(index=False)]


def process(pid: int | str, name: str, label: str = "NPU 0") -> list[dict[str, Any]]:
    return [
        {"name": "process_name", "pid": pid, "tid": 0, "ph": "M", "args": {"name": name}},
        {"name": "process_labels", "pid": pid, "tid": 0, "ph": "M", "args": {"labels": label}},
    ]


def span(name: str, pid: int | str, ts: object, dur: object, **args: object) -> dict[str, Any]:
    return {"name": name, "pid": pid, "tid": 9, "ts": ts, "dur": dur, "ph": "X", "args": args}


def task(name: str, kind: str, ts: object, dur: object = 1, *, pid: int = 4, **more: object) -> dict[str, Any]:
    ids = {"Model Id": 4294967295, "Task Type": kind, "Physic Stream Id": 2, "Task Id": 7, "Subtask Id": 0}
    return span(name, pid, ts, dur, **(ids | {key.replace("_", " "): value for key, value in more.items()}))


def operator(name: str, ts: object, dur: object = 1, *, pid: int = 5, **more: object) -> dict[str, Any]:
    return span(name, pid, ts, dur, **({"connection_id": 9, "data_type": "FP32", "alg_type": "RING"} | more))


# ------------------------------------------------------------------------------------------------ the corpus
class Row(NamedTuple):
    """A row of a csv; ids None where the file has none (kernel_details at level 0)."""

    start_ns: Fraction
    name: str
    stream: str | None
    task: str | None
    duration_ns: Fraction


def captures() -> list[tuple[Path, Path]]:
    """Every trace of the corpus with the csv of kernels beside it."""
    traces = sorted([*CORPUS.rglob("trace_view.json"), *CORPUS.rglob("msprof_2*.json")])
    found = [
        (path, [*path.parent.glob("op_summary_*.csv"), *path.parent.glob("kernel_details.csv")]) for path in traces
    ]
    return [(path, tables[0]) for path, tables in found if tables]


def oracle(table: Path) -> list[Row]:
    """The rows of a csv by the csv module, ordered by start and name."""
    with table.open(newline="") as file:
        lines = list(csv.DictReader(file))
    torch_npu = "Name" in lines[0]
    name, front = ("Name", "") if torch_npu else ("Op Name", "Task ")
    return sorted(
        Row(
            start_ns=Fraction(line[f"{front}Start Time(us)"].strip()) * 1000,
            name=line[name],
            stream=line.get("Stream ID"),
            task=line.get("Task ID"),
            duration_ns=Fraction(line[f"{front}Duration(us)"]) * 1000,
        )
        for line in lines
    )


def of_trace(table: Table) -> list[Row]:
    columns = ["start_ns", "name", "stream", "task", "duration_ns"]
    return sorted(Row(*row) for row in table.frame[columns].itertuples(index=False))


def large(row: Row) -> bool:
    return row.name.startswith("hcom_")


CAPTURES = captures() if CORPUS.is_dir() else []
every_capture = pytest.mark.parametrize(
    ("trace", "table"), CAPTURES, ids=[f"{trace.parents[2].name}/{trace.parents[1].name}" for trace, _ in CAPTURES]
)


@needs_corpus
@pytest.mark.corpus
def test_the_corpus_has_every_producer() -> None:
    """4 of torch_npu, 5 of msprof 2026, 19 of msprof 2024 (20 traces, one aborted without op_summary)."""
    assert len(CAPTURES) == 28


@needs_corpus
@pytest.mark.corpus
@every_capture
def test_the_rows_are_those_of_the_csv(trace: Path, table: Path) -> None:
    """Both ways: as many, each with its name, stream, task and start; durations within a nanosecond.

    torch_npu writes the start of some large operators a nanosecond early; its trace has the digits of its first task.
    """
    found, expected = of_trace(kernels(trace)), oracle(table)
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert one.name == other.name
        assert 0 <= one.start_ns - other.start_ns <= large(one)
        assert abs(one.duration_ns - other.duration_ns) <= 1
        if other.stream is not None:
            assert (one.stream, one.task) == (other.stream, other.task)


@needs_corpus
@pytest.mark.corpus
@every_capture
def test_sums_and_unions_agree_with_the_csv_and_the_lane(trace: Path, table: Path) -> None:
    """Within a nanosecond for each row: the sum of the csv; the exporter's own lane Computing, summed by hand."""
    found, expected = of_trace(kernels(trace)), oracle(table)
    assert abs(sum(row.duration_ns for row in found) - sum(row.duration_ns for row in expected)) <= len(found)
    frame = kernels(trace).frame
    frame = frame[frame["kind"] != COMMUNICATION]
    merged = intervals.merge(frame["start_ns"].tolist(), (frame["start_ns"] + frame["duration_ns"]).tolist())
    events = json.loads(trace.read_text(), parse_float=str)
    (lane,) = (event["pid"] for event in events if event.get("args", {}).get("name") == "Overlap Analysis")
    computing = [us(str(event["dur"])) for event in events if (event["name"], event["pid"]) == ("Computing", lane)]
    assert len(computing) == len(merged[0])
    assert abs(sum(computing) - intervals.length(*merged)) <= len(frame)


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize(("level", "rank"), sorted(TORCH))
def test_torch_kernels_and_large_operators(level: int, rank: int) -> None:
    """README: 187 kernels, 4 collectives. Tasks of planes, SDMA, Notify and placeholders are none."""
    frame = kernels(torch(level, rank) / "ASCEND_PROFILER_OUTPUT/trace_view.json").frame
    _, computing, collectives, *_ = TORCH[level, rank]
    assert Counter(frame["kind"]) == {KERNEL: computing, COMMUNICATION: collectives}
    communication = frame[frame["kind"] == COMMUNICATION]
    assert set(communication["accelerator"]) == {"COMMUNICATION"}
    assert set(communication["stream"]) == set(communication["task"]) == {"N/A"}
    assert Counter(frame["accelerator"]) == {"AI_CORE": 172, "MIX_AIV": 13, "DSA_SQE": 2, "COMMUNICATION": 4}


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize("stamp", sorted(LEVEL0))
def test_kernels_and_their_sum_at_level_0(stamp: str) -> None:
    """README: kernels, sum of durations; kinds are known although the csv has N/A as task type."""
    (path,) = prof(stamp).glob("mindstudio_profiler_output/msprof_*.json")
    frame = kernels(path).frame
    count, total, _, _ = LEVEL0[stamp]
    assert Counter(frame["kind"]) == {KERNEL: count}
    assert abs(int(frame["duration_ns"].sum()) - us(total)) <= count
    assert set(frame["device"]) == {"0"}


@needs_corpus
@pytest.mark.corpus
def test_helpers_of_the_ai_cpu_stand_apart() -> None:
    """README: add/pypto has 300 kernels (sum 13602.986 us) and 600 helpers (29525.650 us)."""
    (path,) = prof(ADD_PYPTO).glob("mindstudio_profiler_output/msprof_*.json")
    frame = kernels(path).frame
    assert Counter(frame["kind"]) == {KERNEL: 300, AI_CPU: 600}
    for kind, total, accelerator in ((KERNEL, "13602.986", "KERNEL_MIX_AIC"), (AI_CPU, "29525.650", "KERNEL_AICPU")):
        part = frame[frame["kind"] == kind]
        assert abs(int(part["duration_ns"].sum()) - us(total)) <= len(part)
        assert set(part["accelerator"]) == {accelerator}


@needs_corpus
@pytest.mark.corpus
def test_an_aborted_capture_has_no_kernel() -> None:
    (path,) = prof(ADDCMUL_ABORTED).glob("mindstudio_profiler_output/msprof_*.json")
    assert read(path).kernels is None


@needs_corpus
@pytest.mark.corpus
def test_small_blocks_give_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    (path,) = prof(ADD_ASCENDC).glob("mindstudio_profiler_output/msprof_*.json")
    expected = of_trace(kernels(path))
    monkeypatch.setattr(json_events, "CHUNK", 777)
    assert of_trace(kernels(path)) == expected


# ------------------------------------------------------------------------------------------------ what is a row
def test_the_schema(tmp_path: Path) -> None:
    """frames.KERNELS as far as a trace goes: no step, type, shapes or dtypes; lines in the order of starts."""
    events = [*process(4, "Ascend Hardware"), task("b", "AI_CORE", "20.5", 2), task("a", "MIX_AIV", "10", "0.25")]
    table = kernels(written(tmp_path, events))
    assert (table.kind, table.source, table.locator, table.warnings) == ("kernels", "json", "Ascend Hardware", ())
    assert table.columns == ("ts", "dur", "Task Type", "Physic Stream Id", "Task Id")
    assert table.file.path == "trace_view.json"
    assert table.frame.to_dict("list") == {
        "line": [1, 2],
        "device": ["0", "0"],
        "step": ["", ""],
        "stream": ["2", "2"],
        "task": ["7", "7"],
        "name": ["a", "b"],
        "type": ["N/A", "N/A"],
        "accelerator": ["MIX_AIV", "AI_CORE"],
        "shapes": ["N/A", "N/A"],
        "dtypes": ["N/A", "N/A"],
        "start_ns": [10_000, 20_500],
        "duration_ns": [250, 2_000],
        "kind": [KERNEL, KERNEL],
    }
    kinds = {name: str(kind) for name, kind in table.frame.dtypes.items()}
    assert {name for name, kind in kinds.items() if kind == "int64"} == {"line", "start_ns", "duration_ns"}
    assert {kind for kind in kinds.values() if kind != "int64"} == {"category"}
    assert list(table.frame["kind"].cat.categories) == list(KINDS)


CASES = [
    ("MatMul1", "AI_CORE", KERNEL),
    ("MatMul1", "AI_VECTOR_CORE", KERNEL),
    ("MatMul1", "MIX_AIC", KERNEL),
    ("MatMul1", "KERNEL_AICORE", KERNEL),
    ("MatMul1", "KERNEL_MIX_AIV", KERNEL),
    ("Dropout1", "DSA_SQE", KERNEL),
    ("Fused1", "FFTS_PLUS", KERNEL),
    ("Unique", "AI_CPU", AI_CPU),
    ("Unique", "KERNEL_AICPU", AI_CPU),
    ("hcomAllReduceAicpuKernel", "KERNEL_AICPU", COMMUNICATION_TASK),
    ("hcomAllReduceAivKernel", "KERNEL_AIVEC", COMMUNICATION_TASK),
    ("KERNEL_AICPU", "KERNEL_AICPU", None),  # a helper without operator: in no op_summary
    ("FFTS_PLUS", "FFTS_PLUS", None),
    ("KERNEL_AICPU", "AI_CPU", None),  # the host's word for the hardware's type
    ("KERNEL_AICORE", "AI_CORE", None),
    ("KERNEL_AICORE_1", "AI_CORE", KERNEL),
    ("PLACE_HOLDER_SQE", "PLACE_HOLDER_SQE", None),
    ("EVENT_RECORD", "EVENT_RECORD", None),
    ("PROFILING_ENABLE", "PROFILING_ENABLE", None),
    ("SDMA", "SDMA", None),
    ("MatMul1", "SDMA_SQE", None),
    ("Notify Wait", "Notify Wait", None),
    ("Write Value", "Write Value", None),
    ("MatMul1", "", None),
    ("MatMul1", "ai_core", None),
]


@pytest.mark.parametrize(("name", "kind", "expected"), CASES)
def test_which_tasks_are_kernels(tmp_path: Path, name: str, kind: str, expected: str | None) -> None:
    """The vocabulary of op_summary and task_time (docs/formats.md 11.6), beside one row that is always there."""
    events = [*process(4, "Ascend Hardware"), task("first", "AI_CORE", "1"), task(name, kind, "2")]
    found = [[row[3], row[4], row[7]] for row in rows(tmp_path, events)]
    assert found == [["first", "AI_CORE", KERNEL], *([[name, kind, expected]] if expected else [])]


@pytest.mark.parametrize("lane", ["Communication", "HCCL"])
def test_large_operators_and_the_tasks_of_their_planes(tmp_path: Path, lane: str) -> None:
    """A number that is none in a task of a plane is not read."""
    events = [
        *process(5, lane, "NPU 3"),
        span("Notify_Wait", 5, "1", 1, **{"stream id": 4, "task type": "Notify_Wait", "data type": "FP32"}),
        span("Memcpy", 5, "soon", -1, **{"task type": "Memcpy", "connection_id": 3}),
        span("Memcpy", 5, "1", 1, **{"stream id": 4, "count": 3}),
        operator("hcom_allReduce__1", "1.5", "0.75"),
        span("hcom_send__2", 5, "3", 1, count=2**70),
    ]
    assert rows(tmp_path, events) == [
        ["3", "N/A", "N/A", "hcom_allReduce__1", "COMMUNICATION", 1_500, 750, COMMUNICATION],
        ["3", "N/A", "N/A", "hcom_send__2", "COMMUNICATION", 3_000, 1_000, COMMUNICATION],
    ]


def test_an_event_of_the_communication_lane_that_tells_nothing_is_counted_in_a_warning(tmp_path: Path) -> None:
    events = [operator("a", "1"), span("b", 5, "2", 1), span("c", 5, "3", 1, other=1), task("d", "AI_CORE", "1")]
    for given in ([*process(5, "HCCL"), *process(4, "Ascend Hardware"), *events], [*events, *process(5, "HCCL")]):
        table = kernels(written(tmp_path, given))
        (warning,) = table.warnings
        assert (warning.code, warning.args) == (
            "trace_communication_left_out",
            (("file", "trace_view.json"), ("rows", "2")),
        )
        assert "a" in set(table.frame["name"])


def test_metadata_may_stand_last_and_other_lanes_do_not_count(tmp_path: Path) -> None:
    """What looks like a row of a lane in another process is none, and a bad number there is no fault."""
    events = [
        task("a", "AI_CORE", "3", 1),
        task("b", "AI_CORE", "3", 2),
        operator("c", "2"),
        operator("aclnnAdd", "1", pid=6),
        operator("aclnnMul", "soon", pid=6),
        task("d", "AI_CORE", "1", pid=7),
        operator("e", "1", pid=4),
        operator("aclnnSub", "1", pid=5, **{"Thread Id": 1}),
        task("f", "AI_CORE", "1", pid=5),
        task("g", "AI_CORE", "never", pid=8),
        task("h", "AI_CORE", "1", pid=9),
    ]
    metadata = [
        *process(4, "Ascend Hardware"),
        *process(5, "HCCL"),
        *process(6, "CANN", "CPU"),
        *process(7, "Overlap Analysis"),
        *process(8, "Python", "CPU"),
    ]
    expected = [
        ["0", "N/A", "N/A", "c", "COMMUNICATION", 2_000, 1_000, COMMUNICATION],
        ["0", "2", "7", "a", "AI_CORE", 3_000, 1_000, KERNEL],
        ["0", "2", "7", "b", "AI_CORE", 3_000, 2_000, KERNEL],
    ]
    assert rows(tmp_path, [*events, *metadata]) == expected
    assert rows(tmp_path, [*metadata, *events]) == expected


def test_two_devices(tmp_path: Path) -> None:
    events = [
        task("a", "AI_CORE", "3", pid=41),
        task("b", "AI_CORE", "1", pid=40),
        task("c", "AI_CORE", "5", pid=40),
        operator("d", "4", pid=51),
        *process(40, "Ascend Hardware", "NPU 10"),
        *process(41, "Ascend Hardware", "NPU 9"),
        *process(51, "Communication", "NPU 9"),
    ]
    assert [(row[0], row[3]) for row in rows(tmp_path, events)] == [("10", "b"), ("9", "a"), ("9", "d"), ("10", "c")]


def test_rows_of_one_start_stay_in_the_order_of_the_trace(tmp_path: Path) -> None:
    events = [*process(4, "Ascend Hardware"), *[task(f"k{n}", "AI_CORE", 9 - n // 100) for n in range(1000)]]
    expected = [f"k{n}" for hundred in range(900, -1, -100) for n in range(hundred, hundred + 100)]
    assert [row[3] for row in rows(tmp_path, events)] == expected


def test_no_row_is_none(tmp_path: Path) -> None:
    for events in ([], [*process(4, "Ascend Hardware"), task("SDMA", "SDMA", "1")], [task("a", "AI_CORE", "1")]):
        trace = read(written(tmp_path, events))
        assert trace.complete
        assert trace.kernels is None


def test_nothing_rests_on_a_cut_trace(tmp_path: Path) -> None:
    text = json.dumps([*process(4, "Ascend Hardware"), task("a", "AI_CORE", "1"), task("b", "AI_CORE", "2")])
    assert len(kernels(written(tmp_path, text)).frame) == 2
    for cut in range(0, len(text), 7):
        assert read(written(tmp_path, text[:cut])).kernels is None


# ------------------------------------------------------------------------------------------------ ids and numbers
@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (0, "0"),
        (46, "46"),
        ("46", "46"),
        (" 46 ", "46"),
        ("046", "046"),
        (999999999999999999, "999999999999999999"),  # 18 digits
        (2**63 - 1, "9223372036854775807"),
        (18446744078004518911, "18446744078004518911"),  # above 2^64
        (-1, "-1"),
        ("", "N/A"),
        ("N/A", "N/A"),
        ("\x1b[31m\u202e", "\\x1b[31m\\u202e"),
        ("٤٦", "٤٦"),  # digits of another script are a text
    ],
)
def test_ids_as_written(tmp_path: Path, given: object, shown: str) -> None:
    events = [
        *process(4, "Ascend Hardware"),
        task("a", "AI_CORE", "1", Task_Id=given, Physic_Stream_Id=5),
        task("b", "AI_CORE", "2", Physic_Stream_Id=given, Task_Id=5),
    ]
    assert [row[1:3] for row in rows(tmp_path, events)] == [["5", shown], [shown, "5"]]


def test_one_id_in_two_spellings_is_one(tmp_path: Path) -> None:
    big = 2**64
    events = [
        *process(4, "Ascend Hardware"),
        *[task("a", "AI_CORE", n, Task_Id=given) for n, given in enumerate([7, "7", big, str(big), f" {big}\t"])],
    ]
    frame = kernels(written(tmp_path, events)).frame
    assert list(frame["task"]) == ["7", "7", *["18446744073709551616"] * 3]
    assert sorted(frame["task"].cat.categories) == ["18446744073709551616", "7"]


def test_ids_that_are_missing_are_not_available(tmp_path: Path) -> None:
    events = [*process(4, "Ascend Hardware"), span("a", 4, "1", 1, **{"Task Type": "AI_CORE"})]
    assert rows(tmp_path, events) == [["0", "N/A", "N/A", "a", "AI_CORE", 1_000, 1_000, KERNEL]]


def test_the_number_of_a_connection_is_not_read(tmp_path: Path) -> None:
    for connection in (-1, 18446744078004518911, 2**200, None, "x", [1]):
        events = [*process(4, "Ascend Hardware"), task("a", "AI_CORE", "1", connection_id=connection)]
        assert len(rows(tmp_path, events)) == 1


def test_names_are_shown_harmless_and_stay_apart(tmp_path: Path) -> None:
    names = ["a\x00b", "a\\x00b", "\u202eabc", " padded ", "张量", "N/A", ""]
    events = [*process(4, "Ascend Hardware"), *[task(name, "AI_CORE", n) for n, name in enumerate(names)]]
    assert [row[3] for row in rows(tmp_path, events)] == [
        "a\\x00b",
        "a\\\\x00b",
        "\\u202eabc",
        "padded",
        "张量",
        "N/A",
        "",
    ]


@pytest.mark.parametrize(
    ("ts", "dur", "start_ns", "duration_ns"),
    [
        ("1784177144460232.001", "13.78028125", 1784177144460232001, 13780),
        ("1784177144460232.001", "13.78099999", 1784177144460232001, 13781),  # nearest: 13780.99999 ns
        ("5", "0.0009999", 5_000, 1),
        ("5", "0.0004999999", 5_000, 0),  # rounding to picoseconds first would give 0.5 and then 0 or 1
        ("5", "2e-3", 5_000, 2),
        ("5.0005", "1", 5_000, 1_000),  # the start is truncated
        ("5.0005", "1.0005", 5_000, 1_000),  # 1000.5 ns: the tie goes to the even one
        ("5.0005", "1.0015", 5_000, 1_002),  # 1001.5 ns
        ("5.0009", "1.0009", 5_000, 1_001),
        ("5.9999999", "0", 5_999, 0),
        ("0", "0", 0, 0),
    ],
)
def test_a_truncated_start_and_a_rounded_duration(ts: str, dur: str, start_ns: int, duration_ns: int) -> None:
    for form in ("{}", '"{}"'):
        written = msgspec.Raw(form.format(ts).encode()), msgspec.Raw(form.format(dur).encode())
        assert span_ns(*written) == (start_ns, duration_ns)


TASK_ARGS = '{"Task Type":"AI_CORE","Physic Stream Id":2,"Task Id":3}'
BAD = [
    ("a stamp that is text", '"ts":"soon","dur":1', TASK_ARGS),
    ("no stamp", '"dur":1', TASK_ARGS),
    ("no duration", '"ts":1', TASK_ARGS),
    ("null", '"ts":null,"dur":1', TASK_ARGS),
    ("a negative stamp", '"ts":-1,"dur":1', TASK_ARGS),
    ("a negative duration", '"ts":1,"dur":-0.001', TASK_ARGS),
    ("a duration of 47 days", '"ts":1,"dur":4060800000000', TASK_ARGS),
    ("a stamp beyond 2096", '"ts":1e16,"dur":1', TASK_ARGS),
    ("a huge exponent", '"ts":1,"dur":1e999', TASK_ARGS),
    ("a hundred digits", f'"ts":{"1" * 100},"dur":1', TASK_ARGS),
    ("NaN as text", '"ts":1,"dur":"NaN"', TASK_ARGS),
    ("digits of another script", '"ts":"１","dur":1', TASK_ARGS),
    ("a list as id", '"ts":1,"dur":1', TASK_ARGS.replace("3", "[3]")),
    ("null as id", '"ts":1,"dur":1', TASK_ARGS.replace("3", "null")),
    ("a fraction as id", '"ts":1,"dur":1', TASK_ARGS.replace("3", "3.5")),
    ("an id of fifty digits", '"ts":1,"dur":1', TASK_ARGS.replace("3", "3" * 50)),
    ("a true id", '"ts":1,"dur":1', TASK_ARGS.replace("2", "true")),
    ("a number as task type", '"ts":1,"dur":1', '{"Task Type":5}'),
]


@pytest.mark.parametrize(("times", "args"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
@pytest.mark.parametrize("last", [False, True], ids=["metadata first", "metadata last"])
def test_a_bad_number_of_a_kernel_is_refused(tmp_path: Path, times: str, args: str, last: bool) -> None:
    event = f'{{"name":"MatMul\\u001b1","pid":4,"ph":"X",{times},"args":{args}}}'
    metadata = json.dumps(process(4, "Ascend Hardware"))[1:-1]
    with pytest.raises(CaptureError) as caught:
        read(written(tmp_path, f"[{event},{metadata}]" if last else f"[{metadata},{event}]"))
    assert caught.value.code == "trace_value"
    assert caught.value.where == str(tmp_path / "trace_view.json")
    assert "\x1b" not in caught.value.message
    assert "MatMul" in caught.value.message


@pytest.mark.parametrize("last", [False, True], ids=["metadata first", "metadata last"])
def test_a_bad_number_of_a_large_operator_is_refused(tmp_path: Path, last: bool) -> None:
    event, metadata = operator("hcom_allReduce__1", "1", -1), process(5, "Communication")
    with pytest.raises(CaptureError) as caught:
        read(written(tmp_path, [event, *metadata] if last else [*metadata, event]))
    assert caught.value.code == "trace_value"


@pytest.mark.parametrize(
    "metadata",
    [
        [*process(4, "Communication"), *process(5, "Communication")],
        [*process(4, "HCCL"), *process(5, "Communication")],
        [*process(4, "Ascend Hardware"), *process(5, "Ascend Hardware")],
        [*process(4, "HCCL"), *process(4, "Python")],
        [*process(4, "Ascend Hardware"), *process(4, "HCCL")],
    ],
)
def test_a_lane_named_twice_is_refused(tmp_path: Path, metadata: list[dict[str, Any]]) -> None:
    with pytest.raises(CaptureError) as caught:
        read(written(tmp_path, metadata))
    assert caught.value.code == "trace_process"


@needs_corpus
@pytest.mark.corpus
def test_kernels_keep_the_other_lanes_as_they_were() -> None:
    """The window of the official Free still rests on the tasks that are no kernels: 10 EVENT_RECORD, 1 timeout."""
    (path,) = prof(ADD_TORCH).glob("mindstudio_profiler_output/msprof_*.json")
    assert [tasks.count for tasks in read(path).tasks] == [11]
