"""Traces: right values of the corpus, every spelling the exporters have used, and what strangers may send."""

from __future__ import annotations

import csv
import hashlib
import json
import random
import sqlite3
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from corpus import ADD_ASCENDC, ADD_PYPTO, ADD_TORCH, CORPUS, GELU, MATMUL, STEP_TRACE, needs_corpus, prof, torch, us

from reportgen import intervals
from reportgen.errors import CaptureError
from reportgen.reading import json_events
from reportgen.reading.json_numbers import half_even
from reportgen.reading.trace_json import DeviceTasks, HostStep, Trace, read_trace, search_names

NEW = (ADD_TORCH, ADD_ASCENDC, ADD_PYPTO, *MATMUL)


def read(path: Path) -> Trace:
    return read_trace(path, path.parent, shown=path.name)


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "trace_view.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def process(pid: int | str, name: str, label: str = "NPU 0") -> list[dict[str, Any]]:
    return [
        {"name": "process_name", "pid": pid, "tid": 0, "ph": "M", "args": {"name": name}},
        {"name": "process_labels", "pid": pid, "tid": 0, "ph": "M", "args": {"labels": label}},
    ]


def span(name: str, pid: int | str, ts: object, dur: object, **more: object) -> dict[str, Any]:
    return {"name": name, "pid": pid, "tid": 9, "ts": ts, "dur": dur, "ph": "X"} | more


def counter(pid: int, ts: object, mhz: object, name: str = "AI Core Freq") -> dict[str, Any]:
    return {"name": name, "pid": pid, "tid": 0, "ts": ts, "ph": "C", "args": {"MHz": mhz}}


def rows(trace: Trace, table: str) -> list[list[Any]]:
    found = getattr(trace, table)
    assert found is not None
    return [list(row) for row in found.frame.itertuples(index=False)]


# ------------------------------------------------------------------------------------------------ the corpus
def text_trace(level: int, rank: int) -> Path:
    return torch(level, rank) / "ASCEND_PROFILER_OUTPUT/trace_view.json"


def prof_file(stamp: str, pattern: str) -> Path:
    (path,) = prof(stamp).glob(pattern)
    return path


def lane_sums(trace: Trace) -> dict[str, int]:
    assert trace.lane is not None
    return {str(k): int(v) for k, v in trace.lane.frame.groupby("name", observed=True)["duration_ps"].sum().items()}


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize(("level", "rank"), sorted(STEP_TRACE))
def test_the_lanes_of_torch_npu_sum_to_its_own_step_trace_time(level: int, rank: int) -> None:
    """step_trace_time as the corpus's README gives it: computing, not overlapped, overlapped, free (us)."""
    computing, unhidden, overlapped, free = (us(text) * 1000 for text in STEP_TRACE[level, rank][:4])
    assert lane_sums(read(text_trace(level, rank))) == {
        "Computing": computing,
        "Communication": unhidden + overlapped,
        "Communication(Not Overlapped)": unhidden,
        "Free": free,
    }


@needs_corpus
@pytest.mark.corpus
def test_a_torch_trace_as_a_whole() -> None:
    """README: frequency flat at 1800 (two counters), 187 kernels, 4 collectives; the step marker read with json."""
    path = text_trace(1, 0)
    trace = read(path)
    assert rows(trace, "frequency") == [["", 1736408883573887920, 1800], ["", 1736408883973810000, 1800]]
    assert trace.lane is not None
    assert trace.lane.frame["name"].value_counts().to_dict() == {
        "Computing": 187,
        "Communication(Not Overlapped)": 101,
        "Free": 90,
        "Communication": 4,
    }
    (marker,) = (e for e in json.loads(path.read_text(), parse_float=str) if e["name"] == "ProfilerStep#50")
    assert (marker["ts"], marker["dur"]) == ("1736408883686740.710", "155985.8")
    assert trace.steps == (HostStep(step="50", start_ns=1736408883686740710, duration_ns=155985800),)
    assert (trace.complete, trace.waits) == (True, False)
    assert trace.file.digest == hashlib.sha256(path.read_bytes()).hexdigest()
    assert trace.file.size == path.stat().st_size


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize("stamp", NEW)
def test_the_frequency_of_the_trace_is_that_of_the_database(stamp: str) -> None:
    database = sqlite3.connect(f"file:{prof_file(stamp, 'msprof_*.db')}?mode=ro", uri=True)
    expected = database.execute("SELECT deviceId, timestampNs, freq FROM AICORE_FREQ ORDER BY timestampNs").fetchall()
    database.close()
    assert len(expected) >= 3
    trace = read(prof_file(stamp, "mindstudio_profiler_output/msprof_*.json"))
    assert rows(trace, "frequency") == [[str(device), time, int(mhz)] for device, time, mhz in expected]


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize("stamp", [*NEW, *GELU])
def test_the_computing_lane_is_the_merged_op_summary(stamp: str) -> None:
    """docs/formats.md 11.7: as many intervals, and their sum within a nanosecond for each row."""
    with prof_file(stamp, "mindstudio_profiler_output/op_summary_*.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    start = [int(Decimal(row["Task Start Time(us)"].strip()) * 1000) for row in table]
    end = [a + int(Decimal(row["Task Duration(us)"]) * 1000) for a, row in zip(start, table, strict=True)]
    merged = intervals.merge(start, end)
    trace = read(prof_file(stamp, "mindstudio_profiler_output/msprof_*.json"))
    assert trace.lane is not None
    lane = trace.lane.frame[trace.lane.frame["name"] == "Computing"]
    assert len(lane) == len(merged[0])
    assert abs(Fraction(int(lane["duration_ps"].sum()), 1000) - intervals.length(*merged)) <= len(table)


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize("stamp", NEW)
def test_the_tasks_and_the_lanes_explain_the_window_of_the_official_free(stamp: str) -> None:
    """docs/formats.md 4.1, steps 5 and 6: the window is the envelope of those tasks and of computing."""
    trace = read(prof_file(stamp, "mindstudio_profiler_output/msprof_*.json"))
    assert trace.lane is not None
    frame = trace.lane.frame
    end = frame["start_ns"] + frame["duration_ps"] // 1000
    busy = frame["name"] != "Free"
    (tasks,) = trace.tasks
    assert int(frame["start_ns"].min()) == min(tasks.first_ns, int(frame["start_ns"][busy].min()))
    assert abs(int(end.max()) - max(tasks.last_ns, int(end[busy].max()))) <= 1


@needs_corpus
@pytest.mark.corpus
def test_an_older_exporter_did_not_stretch_the_window() -> None:
    """torch_npu, January 2025: 348 tasks begin 4.6 ms before the first kernel, and no Free lies there."""
    trace = read(text_trace(1, 0))
    assert trace.lane is not None
    (tasks,) = trace.tasks
    assert tasks.count == 348
    assert tasks.first_ns == 1736408883700059821
    assert int(trace.lane.frame["start_ns"].min()) == 1736408883704643212


@needs_corpus
@pytest.mark.corpus
def test_every_trace_of_the_corpus_is_read_to_its_end() -> None:
    paths = [*CORPUS.rglob("trace_view.json"), *CORPUS.rglob("msprof_2*.json")]
    assert len(paths) > 20
    assert all(read(path).complete for path in paths)


# ------------------------------------------------------------------------------------------------ spellings
OLD = [*process(7, "Overlap Analysis", "NPU"), span("Computing", 7, "1000.001", 2.5)]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(OLD),
        json.dumps(OLD, separators=(",", ":")),
        json.dumps(OLD, indent=4),
        json.dumps(OLD[::-1]),
        "\ufeff \n" + json.dumps(OLD) + "\n\n",
        json.dumps({"traceEvents": OLD}),
        json.dumps({'a"traceEvents': [1], 'b"traceEvents":[': "2", "c": {"traceEvents": [3]}, "traceEvents": OLD}),
        json.dumps({"schema": [{"a": 1}, {"traceEvents": []}], "traceEvents": OLD, "more": [{}, {"b": "}, {"}]}),
    ],
    ids=[
        "spaced",
        "dense",
        "indented",
        "metadata last",
        "blanks around",
        "object",
        "object with keys alike",
        "object with other members",
    ],
)
def test_every_spelling_of_the_same_trace(tmp_path: Path, text: str) -> None:
    trace = read(written(tmp_path, text))
    assert trace.complete
    assert rows(trace, "lane") == [["", "Computing", 1_000_001, 2_500_000]]


@pytest.mark.parametrize(
    ("ts", "dur", "start_ns", "duration_ps"),
    [
        # 1784177144460232.001 as a float is ...232.0 : its ulp is 0.25
        ('"1784177144460232.001"', "0.04165625", 1784177144460232001, 41656),  # 41656.25 ps
        ("1784177144460232.001", '"13.78028125"', 1784177144460232001, 13780281),  # 13780281.25 ps
        ("1000", "0.0000015", 1_000_000, 2),  # 1.5 ps: a tie goes to the even 2
        ("1000", "0.0000025", 1_000_000, 2),  # 2.5 ps: also 2
        ("1000.0005", "2e-05", 1_000_000, 20),  # 1000000.5 ns: the even one
        ("1000.0015", "1E+1", 1_000_002, 10_000_000),
        ("1000", "0", 1_000_000, 0),
    ],
)
def test_times_keep_their_digits(tmp_path: Path, ts: str, dur: str, start_ns: int, duration_ps: int) -> None:
    event = f'{{"name":"Free","pid":7,"ts":{ts},"dur":{dur},"ph":"X"}}'
    trace = read(written(tmp_path, f"{json.dumps(process(7, 'Overlap Analysis'))[:-1]},{event}]"))
    assert rows(trace, "lane") == [["0", "Free", start_ns, duration_ps]]


def test_half_even_against_fractions() -> None:
    assert [half_even(n, 10) for n in range(40)] == [round(Fraction(n, 10)) for n in range(40)]


def test_lanes_are_found_by_name_never_by_thread_or_process_number(tmp_path: Path) -> None:
    """Threads were 0 to 3 in one order and then in another; a host event may have the name of a lane."""
    events = [
        span("Free", 1, "5", 1),
        span("Free", 2, "30", 1),
        span("Computing", 2, "10", 5, tid=3),
        span("Computing", 3, "12", 5, tid=0),
        span("Idle", 2, "1", 1),
        *process(1, "Python", "CPU"),
        *process(2, "Overlap Analysis", "NPU 11"),
        *process(3, "Overlap Analysis", "NPU 3"),
    ]
    assert rows(read(written(tmp_path, json.dumps(events))), "lane") == [
        ["11", "Computing", 10_000, 5_000_000],
        ["11", "Free", 30_000, 1_000_000],
        ["3", "Computing", 12_000, 5_000_000],
    ]


def test_tasks_of_the_window(tmp_path: Path) -> None:
    """Kernels and the switching of the profiler do not count, under either exporter's words; the rest does."""

    def task(name: str, kind: str, ts: str, dur: object) -> dict[str, Any]:
        return span(name, 4, ts, dur, args={"Task Type": kind})

    events = [
        task("PROFILING_ENABLE", "PLACE_HOLDER_SQE", "1", 1),
        task("add_kernel", "KERNEL_AIVEC", "2", 1),
        task("Add1", "AI_CORE", "3", 1),
        task("EVENT_RECORD", "EVENT_RECORD", "10", "0.0204"),
        task("helper", "KERNEL_AICPU", "20", 7.0006),  # ends at 27000.6 ns
        task("PROFILING_DISABLE", "PROFILING_DISABLE", "90", 1),
        *process(4, "Ascend Hardware", "NPU 2"),
    ]
    assert read(written(tmp_path, json.dumps(events))).tasks == (
        DeviceTasks(device="2", count=2, first_ns=10_000, last_ns=27_001),
    )


def test_two_dies_count_as_the_slower(tmp_path: Path) -> None:
    """Die 0: 1800 from 1 us, 800 from 3 us. Die 1: 1800 from 1 us, 1000 from 5 us. The slower: 1800, 800, 800."""
    events = [
        *process(5, "AI Core Freq", "NPU 1"),
        counter(5, "1", 1800, "AI Core Freq Die 0"),
        counter(5, "3", 800.0, "AI Core Freq Die 0"),
        counter(5, "1", 1800, "AI Core Freq Die 1"),
        counter(5, "5", 1000, "AI Core Freq Die 1"),
        counter(5, "9", 1, "AI Core Frequency of something else"),
    ]
    trace = read(written(tmp_path, json.dumps(events)))
    assert rows(trace, "frequency") == [["1", 1_000, 1800], ["1", 3_000, 800], ["1", 5_000, 800]]
    assert trace.frequency is not None
    assert [warning.code for warning in trace.frequency.warnings] == ["frequency_dies_differ"]


def test_devices_are_ordered_by_number(tmp_path: Path) -> None:
    events = [e for n in (10, 2) for e in [counter(n, "2", n), counter(n, "1", n), *process(n, "x", f"NPU {n}")]]
    assert [row[:2] for row in rows(read(written(tmp_path, json.dumps(events))), "frequency")] == [
        ["2", 1_000],
        ["2", 2_000],
        ["10", 1_000],
        ["10", 2_000],
    ]


def test_steps_of_any_category_by_their_start(tmp_path: Path) -> None:
    events = [
        span("ProfilerStep#12", 1, "20.5", 5, cat="cpu_op"),
        span("ProfilerStep#11", 1, 10, "5.0005"),
        span("ProfilerStep#13", 1, "30", 5) | {"ph": "B"},
    ]
    assert read(written(tmp_path, json.dumps(events))).steps == (
        HostStep(step="11", start_ns=10_000, duration_ns=5000),  # 5000.5 ns: the even one
        HostStep(step="12", start_ns=20_500, duration_ns=5000),
    )


def test_an_empty_list_is_whole_and_holds_nothing(tmp_path: Path) -> None:
    for text in ("[]", " [ \n] ", '{"traceEvents":[]}'):
        trace = read(written(tmp_path, text))
        assert (trace.complete, trace.lane, trace.frequency, trace.tasks, trace.steps) == (True, None, None, (), ())


# ------------------------------------------------------------------------------------------------ blocks
def noise(number: int) -> dict[str, Any]:
    """An event whose texts look like the ends of others."""
    tricky = ['}, {"name":"Free"', "]}", '\\"}, {', "}\\", "{[", "a, {"]
    return span(
        tricky[number % 6], 1, "1", 1, args={"Call stack": tricky[number % 5] * 9, "frames": [{"f": 1}, {"f": 2}]}
    )


@pytest.mark.parametrize("block", [1, 7, 64, 1000, 4096])
def test_the_blocks_do_not_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    """Whatever the size of the blocks, the events are those that the json module finds."""
    events = [noise(n) if n % 3 else span("Computing", 7, f"{n}.125", n) for n in range(300)]
    text = json.dumps([*events, *process(7, "Overlap Analysis"), span("CAPTURE_WAIT", 1, "1", 1)])
    monkeypatch.setattr(json_events, "CHUNK", block)
    trace = read(written(tmp_path, text))
    assert trace.complete
    assert trace.waits
    expected = [["0", "Computing", n * 1000 + 125, n * 10**6] for n in range(0, 300, 3)]
    assert rows(trace, "lane") == expected


def test_a_wait_event_is_found_across_the_border_of_blocks(tmp_path: Path) -> None:
    for offset in range(16):
        filler = "x" * ((1 << 20) - offset)
        path = written(tmp_path, json.dumps([{"name": filler}, {"name": "MEM_WAIT_VALUE"}]))
        assert read(path).waits, offset
        assert search_names(path, tmp_path, (b"MEM_WAIT_VALUE",), shown="x")[0] == "found", offset


def test_a_wait_event_is_found_across_three_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks grow with what is held: ``[``, ``{``, ``"``, ``ME``, ``M_WA``, ``IT_VALUE``."""
    monkeypatch.setattr(json_events, "CHUNK", 1)
    assert read(written(tmp_path, '[{"MEM_WAIT_VALUE":1}]')).waits


def depth_by_hand(data: bytes) -> tuple[int, int, bool]:
    """Last comma outside every bracket and text, or the bracket that closes the list, one byte after the other."""
    depth, comma, inside, skip = 0, -1, False, False
    for at, sign in enumerate(data.decode()):
        if skip or (inside and sign == "\\"):
            skip = not skip
        elif sign == '"':
            inside = not inside
        elif not inside:
            depth += (sign in "{[") - (sign in "}]")
            if depth < 0:
                return at, at + 1, True
            comma = at if sign == "," and depth == 0 else comma
    return comma, comma + 1, False


@pytest.mark.parametrize("segment", [1, 2, 3, 5, 1 << 18])
def test_the_scan_of_texts_and_brackets(monkeypatch: pytest.MonkeyPatch, segment: int) -> None:
    """2000 random pieces of JSON: backslashes before quotes, brackets and commas in texts, texts without end."""
    monkeypatch.setattr(json_events, "_SEGMENT", segment)
    chance = random.Random(segment)
    for _ in range(2000):
        pieces = []
        for _ in range(chance.randrange(12)):
            text = "".join(chance.choices(["\\\\", '\\"', "a", "{", "]", ","], k=chance.randrange(5)))
            pieces.append(chance.choice(["{", "}", "[", "]", ",", "1", f'"{text}"']))
        data = "".join([*pieces, chance.choice(["", '"', '"a,\\', '"\\"'])]).encode()
        assert json_events._boundary(data) == depth_by_hand(data), data


def test_a_text_without_end_costs_one_pass(tmp_path: Path) -> None:
    """4 MB in which every comma looks like the border of two events: no cut of them decodes."""
    events = [{"name": "}, {" * (1 << 20)}, *process(7, "Overlap Analysis"), span("Free", 7, "1", 1)]
    assert len(rows(read(written(tmp_path, json.dumps(events))), "lane")) == 1


# ------------------------------------------------------------------------------------------------ cut and hostile
WHOLE = json.dumps([*OLD, counter(8, "1", 1800), *process(8, "AI Core Freq"), span("MEM_WAIT_VALUE", 1, "1", 1)])


@pytest.mark.parametrize("text", [WHOLE, json.dumps({"a": 1, "traceEvents": json.loads(WHOLE), "b": [{}, {}]})])
def test_a_trace_cut_anywhere_is_incomplete_and_nothing_rests_on_it(tmp_path: Path, text: str) -> None:
    for length in range(len(text)):
        trace = read(written(tmp_path, text[:length]))
        assert not trace.complete, length
        assert (trace.lane, trace.frequency, trace.tasks, trace.steps) == (None, None, (), ())
        assert trace.waits == ("MEM_WAIT_VALUE" in text[:length])


LANE = json.dumps(process(7, "Overlap Analysis"))[:-1]
DEEP = "[" * 100_000 + "]" * 100_000
REFUSED = [
    ("no JSON", "hello", "trace_malformed"),
    ("zeros", b"\0" * 100, "trace_malformed"),
    ("a number", "5", "trace_malformed"),
    ("NaN", '[{"name":"a","x":NaN}]', "trace_malformed"),
    ("numbers instead of events", "[1, 2]", "trace_malformed"),
    ("a number as name", '[{"name":5}]', "trace_malformed"),
    ("a list as process", '[{"pid":[1]}]', "trace_malformed"),
    ("a comma too many", '[{"name":"a"},]', "trace_malformed"),
    ("no comma", '[{"name":"a"} {"name":"b"}]', "trace_malformed"),
    ("a bracket too many", '[{"name":"a"}]]', "trace_malformed"),
    ("two lists", '[{"name":"a"}] [{"name":"b"}, {"name":"c"}]', "trace_malformed"),
    ("nested too deep", f'[{{"args":{DEEP}}}]', "trace_malformed"),
    ("nested too deep beside the events", f'{{"traceEvents":[],"x":{DEEP}}}', "trace_malformed"),
    ("traceEvents twice", '{"traceEvents":[],"traceEvents":[]}', "trace_malformed"),
    ("no traceEvents", '{"events":[]}', "trace_without_events"),
    ("traceEvents that are no list", '{"traceEvents":5}', "trace_without_events"),
    ("a stamp that is text", f'{LANE},{{"name":"Free","pid":7,"ts":"soon","dur":1,"ph":"X"}}]', "trace_value"),
    ("a stamp of a spreadsheet", f'{LANE},{{"name":"Free","pid":7,"ts":1.7e999,"dur":1,"ph":"X"}}]', "trace_value"),
    ("a stamp beyond 2096", f'{LANE},{{"name":"Free","pid":7,"ts":1e16,"dur":1,"ph":"X"}}]', "trace_value"),
    ("NaN as text", f'{LANE},{{"name":"Free","pid":7,"ts":"NaN","dur":1,"ph":"X"}}]', "trace_value"),
    ("a negative duration", f'{LANE},{{"name":"Free","pid":7,"ts":1,"dur":-1,"ph":"X"}}]', "trace_value"),
    ("no duration", f'{LANE},{{"name":"Free","pid":7,"ts":1,"ph":"X"}}]', "trace_value"),
    ("null as stamp", f'{LANE},{{"name":"Free","pid":7,"ts":null,"dur":1,"ph":"X"}}]', "trace_value"),
    ("digits of another script", f'{LANE},{{"name":"Free","pid":7,"ts":"１","dur":1,"ph":"X"}}]', "trace_value"),
    ("broken megahertz", json.dumps([counter(5, "1", 1649.5)]), "trace_value"),
    ("text as megahertz", json.dumps([counter(5, "1", "fast")]), "trace_value"),
    ("no megahertz", '[{"name":"AI Core Freq","ph":"C","ts":1}]', "trace_value"),
    ("a list as name of a process", '[{"name":"process_name","ph":"M","pid":1,"args":{"name":[]}}]', "trace_value"),
    ("a lane named twice", json.dumps([*process(7, "Overlap Analysis"), *process(7, "Free")]), "trace_process"),
    ("a lane of one device twice", json.dumps([*OLD, *process(8, "Overlap Analysis", "NPU")]), "trace_process"),
    ("a step without time", '[{"name":"ProfilerStep#1","ph":"X"}]', "trace_value"),
]


@pytest.mark.parametrize(("text", "code"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_what_is_refused(tmp_path: Path, text: str | bytes, code: str) -> None:
    with pytest.raises(CaptureError) as caught:
        read(written(tmp_path, text))
    assert caught.value.code == code
    assert caught.value.where.startswith(str(tmp_path / "trace_view.json"))


def test_the_place_of_a_fault_is_its_byte(tmp_path: Path) -> None:
    """The decoder has taken the ``t`` of what is no ``true``."""
    text = '[{"name":"a"}, {"name":"b","x":tru}]'
    with pytest.raises(CaptureError) as caught:
        read(written(tmp_path, text))
    assert caught.value.where == f"{tmp_path}/trace_view.json:byte {text.index('tru') + 1}"


def test_an_event_without_end_is_refused_before_it_fills_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_events, "LARGEST", 1 << 16)
    monkeypatch.setattr(json_events, "CHUNK", 1 << 12)
    for text in ('[{"name":"' + "x" * (1 << 18), '[{"args":' + "[" * (1 << 18)):
        with pytest.raises(CaptureError) as caught:
            read(written(tmp_path, text))
        assert caught.value.code == "trace_event_too_large"
    with pytest.raises(CaptureError) as caught:
        read(written(tmp_path, '{"head":"' + "x" * (1 << 18)))
    assert caught.value.code == "trace_without_events"
    with pytest.raises(CaptureError) as caught:
        read(written(tmp_path, '{"traceEvents":[],"tail":"' + "x" * (1 << 18)))
    assert caught.value.code == "trace_malformed"


def test_a_bad_number_of_another_lane_is_no_fault(tmp_path: Path) -> None:
    """What is not read cannot be wrong, wherever its process is named."""
    bad = span("aten::mm", 1, "soon", -1, args=[1])
    for events in ([bad, *process(1, "Python")], [*process(1, "Python"), bad]):
        assert read(written(tmp_path, json.dumps(events))).complete


def test_a_key_that_stands_twice_holds_its_last_value(tmp_path: Path) -> None:
    event = '{"name":"Free","name":"Computing","pid":7,"ts":1,"ts":2,"dur":1,"ph":"X"}'
    assert rows(read(written(tmp_path, f"{LANE},{event}]")), "lane") == [["0", "Computing", 2_000, 1_000_000]]
