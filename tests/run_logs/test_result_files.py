"""Every result file of a load generator or front end: told apart by content, cut anywhere, hostile."""

from __future__ import annotations

import errno
import json
import time
from pathlib import Path

import pytest
from run_logs import mindie_pages, results
from run_logs.test_evalscope import ARGUMENTS, NEW, OLD
from run_logs.test_front_ends import MODELZOO, SUMMARY, bar, row, step
from run_logs.test_mindformers import LINES, PYNATIVE
from run_logs.test_om import MSAME, PUBLISHED, ROUNDED, TABLE
from run_logs.test_om import SUMMARY as OM
from run_logs.test_reading import FAMILIES

from reportgen.errors import CaptureError
from reportgen.run_logs import FOLDERS, LAST, READERS, documents, load, read_runs
from reportgen.run_logs.text import Log

FILES: dict[str, tuple[str, str]] = {
    "aisbench json": ("AISBench", json.dumps(results.AISBENCH)),
    "aisbench csv": ("AISBench", results.AISBENCH_TABLE),
    "mindie perf": ("MindIE Benchmark (csv)", mindie_pages.PERF_CSV),
    "mindie common": ("MindIE Benchmark (csv)", mindie_pages.COMMON_CSV),
    "mindie screen": ("MindIE Benchmark (screen)", mindie_pages.BEFORE),
    "om json": ("ais_bench / msit benchmark (OM)", json.dumps(OM)),
    "om screen": ("ais_bench / msit benchmark (OM)", PUBLISHED),
    "om rounded": ("ais_bench / msit benchmark (OM)", ROUNDED),
    "om table": ("ais_bench / msit benchmark (OM)", TABLE),
    "msame": ("msame", MSAME),
    "evalscope old": ("evalscope perf", json.dumps(OLD)),
    "evalscope new": ("evalscope perf", json.dumps(NEW)),
    "mindformers": ("MindSpore MindFormers", "\n".join(LINES) + "\n"),
    "pynative": ("MindSpore MindFormers", PYNATIVE),
    "hf trainer": ("Hugging Face Trainer", SUMMARY),
    "llama factory": ("LLaMA-Factory", row(10, "0:00:20", 1000) + row(20, "0:00:50", 2000)),
    "verl": ("verl", step(1, 100, "2.0", "50.0") + step(2, 159_906, "48.7025266494602", "3283.320414789452")),
    "modelzoo": ("ModelZoo", MODELZOO),
    "tqdm": ("progress bar of tqdm", bar(3, "00:47") + bar(23, "06:27") + "\n"),
}


def test_every_reader_has_a_file_here_or_among_the_families_of_logs() -> None:
    assert {reader.name for reader in (*READERS, *LAST)} == {name for name, _ in FILES.values()} | set(FAMILIES)


def written(tmp_path: Path, data: str | bytes) -> Path:
    path = tmp_path / "result"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def one_line(text: str) -> bool:
    return "\n" not in text and "\x1b" not in text


@pytest.mark.parametrize("name", FILES)
def test_each_file_is_of_one_producer_whatever_its_name(tmp_path: Path, name: str) -> None:
    producer, text = FILES[name]
    log = Log(written(tmp_path, text))
    found = [reader.name for reader in READERS if reader.sniff(log)] or [one.name for one in LAST if one.sniff(log)]
    assert found == [producer]
    runs = read_runs(log.path)
    assert runs
    assert all(one.holds for run in runs for one in run.identities)


@pytest.mark.parametrize("name", FILES)
def test_a_file_cut_anywhere_is_refused_or_gives_figures_of_the_whole_one(tmp_path: Path, name: str) -> None:
    _, text = FILES[name]
    data = text.encode()
    whole = read_runs(written(tmp_path, data))
    values = {(one.locator, one.metric, one.kind, one.statistic): one.value for run in whole for one in run.values}
    every = {
        (one.metric, one.kind, label): value
        for run in whole
        for one in run.series
        for label, value in zip(one.sample.labels, one.sample.values, strict=True)
    }
    told: list[str] = []
    for end in range(1, len(data), max(1, len(data) // 80)):
        try:
            runs = read_runs(written(tmp_path, data[:end]))
        except CaptureError as fault:
            told.append(f"{fault.where}{fault.message}{fault.hint}")
            continue
        for run in runs:
            for one in run.values:
                assert values[one.locator, one.metric, one.kind, one.statistic] == one.value, end
            for series in run.series:
                for label, value in zip(series.sample.labels, series.sample.values, strict=True):
                    assert every[series.metric, series.kind, label] == value, end
    assert told
    assert all(map(one_line, told))


ODD = [
    "9" * 5000,
    "1e999",
    "-1",
    "nan",
    "inf",
    "1e-999",
    "\\u0000",
    "\x1b[31m",
    "[" * 200,
    "{" * 200,
    "(" * 200,
    '"',
    "|",
    "\u202e",
]


@pytest.mark.parametrize("name", FILES)
def test_odd_texts_in_the_place_of_a_figure_never_end_in_a_traceback(tmp_path: Path, name: str) -> None:
    _, text = FILES[name]
    places = [
        index for index, sign in enumerate(text) if sign.isdigit() and (index == 0 or not text[index - 1].isdigit())
    ]
    told: list[str] = []
    for number, place in enumerate(places[:: max(1, len(places) // 25)]):
        end = place
        while end < len(text) and text[end] in "0123456789.":
            end += 1
        odd = ODD[number % len(ODD)]
        try:
            runs = read_runs(written(tmp_path, f"{text[:place]}{odd}{text[end:]}"))
        except CaptureError as fault:
            told.append(f"{fault.where}{fault.message}{fault.hint}")
            continue
        for run in runs:
            assert "\x1b" not in repr(run.context)
            assert "\u202e" not in "".join(one.written for one in run.context)
            assert all(one.value.value >= 0 for one in run.values)
    assert all(map(one_line, told))


@pytest.mark.parametrize(
    "data",
    [
        '{"Benchmark Duration": {"total": ' + "[" * 100_000,
        '{"Benchmark Duration": {"total": 1}}'[:-1] + ', "x": ' + '{"a":' * 5000,
        '{"NPU_compute_time": {"mean": ' + "[" * 50_000 + "]" * 50_000 + "}}",
        '{"Average latency (s)": 1, "x": ' + "[" * 3000 + "]" * 3000 + "}",
        "Performance Parameters,Stage," + "a," * 1_000_000 + "N\n",
        "Performance Parameters,Stage,Average,N\n" + "E2EL,total,1 ms,1\n" * 100_000,
        'Performance Parameters,Stage,Average,N\n"' + "x" * 300_000,
        "FirstTokenTime,GenerateTime\n" + "1 ms,1 ms\n" * 200_000,
        "The BenchMark test performance metric result is:\n" + "| a | b |\n" * 10_000,
        "The BenchMark test common metric result is:\n|" + " a |" * 1000 + "\n",
        "{'train_runtime': " + "[" * 10_000 + "}\n",
        "{'train_runtime': 1" + "0" * 9000 + "}\n",
    ],
    ids=range(12),
)
def test_bombs_are_refused_in_no_time(tmp_path: Path, data: str) -> None:
    path = written(tmp_path, data)
    began = time.perf_counter()
    with pytest.raises(CaptureError):
        read_runs(path)
    assert time.perf_counter() - began < 5


@pytest.mark.parametrize(
    "text",
    [
        "-" * 200_000 + "1",
        "(" * 5000 + ")" * 5000,
        "models = [" + "not " * 100_000 + "1]",
        "models = 1" + "+1" * 300_000,
        "a" + ".b" * 300_000,
        "models = [dict(abbr=",
        "models = '\ud800'",
    ],
    ids=range(7),
)
def test_a_hostile_configuration_is_refused_or_states_nothing(tmp_path: Path, text: str) -> None:
    folder = results.aisbench(tmp_path)
    (folder / "configs/20260101_100000.py").write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(CaptureError) as caught:
        read_runs(folder)
    assert caught.value.code == "log_unreadable"


@pytest.mark.parametrize("number", [900, 3000])
def test_signs_in_a_row_are_no_literal(number: int) -> None:
    try:
        assert documents.assignments(f"a = {'-' * number}1\n".encode(), "x") == {"a": None}
    except CaptureError as fault:
        assert fault.code == "log_unreadable"  # noqa: PT017 - where the parser runs out of its own stack


def test_a_key_that_names_a_secret_or_a_place_is_never_stated() -> None:
    rows = [
        ("api_key", "sk-1", ""),
        ("host_ip", "10.0.0.1", ""),
        ("url", "x", ""),
        ("seed", "7", ""),
        ("seed", "8", ""),
    ]
    assert [(one.key, one.written) for one in load.stated(rows)] == [("seed", "7")]


def test_a_literal_keeps_the_digits_of_its_numbers_and_nothing_that_is_called() -> None:
    found = documents.assignments(b"a = dict(b=-1.50, c=f(2), **d, e=[1, 'x', None])\nimport os\na.b = 3\n", "x")
    assert found == {"a": {"b": "-1.50", "c": None, "e": ["1", "x", None]}}


@pytest.mark.parametrize(
    ("word", "name"),
    [("Average", "mean"), ("avg", "mean"), ("P99", "p99"), ("P05", "p5"), ("99%", "p99"), ("percentile(99%)", "p99"),
     ("99.9%", "p99.9"), ("P0", None), ("P100", None), ("SLO_P90", None), ("", None), ("Surprise", None)],
)  # fmt: skip
def test_words_of_statistics(word: str, name: str | None) -> None:
    assert load.statistic(word) == name


# ------------------------------------------------------------------------------------------------ folders
def test_a_folder_without_a_result_is_named_as_unknown(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    with pytest.raises(CaptureError) as caught:
        read_runs(tmp_path)
    assert caught.value.code == "log_unknown"
    assert all(reader.name in caught.value.message for reader in FOLDERS)


def test_a_folder_of_two_programs_is_refused(tmp_path: Path) -> None:
    results.aisbench(tmp_path)
    (tmp_path / "benchmark_summary.json").write_text(json.dumps(OLD))
    (tmp_path / "benchmark_args.json").write_text(json.dumps(ARGUMENTS))
    with pytest.raises(CaptureError) as caught:
        read_runs(tmp_path)
    assert caught.value.code == "log_mixed"


def test_a_folder_of_far_too_many_entries_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "MOST_ENTRIES", 20)
    for number in range(21):
        (tmp_path / f"{number}.csv").write_text("a,b\n")
    with pytest.raises(CaptureError) as caught:
        read_runs(tmp_path)
    assert caught.value.code == "log_unreadable"


@pytest.mark.parametrize("asked", ["iterdir", "is_file"])
def test_a_folder_that_may_not_be_read_is_told_in_our_own_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    """``is_file``: a folder that may be listed and not entered. The system speaks the language of its machine."""
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "a.csv").touch()
    asks = getattr(Path, asked)

    def refuses(path: Path) -> object:
        if path in (inner, inner / "a.csv"):
            raise PermissionError(errno.EACCES, "Keine Berechtigung")
        return asks(path)

    monkeypatch.setattr(Path, asked, refuses)
    with pytest.raises(CaptureError) as caught:
        load.files_below(tmp_path)
    fault = caught.value
    assert (fault.code, fault.message, fault.where) == (
        "file_unreadable", "cannot be read: reading it is not permitted", "inner",
    )  # fmt: skip
    assert fault.hint == "copy the whole result folder to where it may be read, then give that one"


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    folder = results.aisbench(tmp_path / "in")
    (folder / "loop").symlink_to(folder)
    assert len(read_runs(folder)) == 1
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "performances").symlink_to(folder / "performances")
    with pytest.raises(CaptureError) as caught:
        read_runs(alone)
    assert caught.value.code == "log_unknown"


def test_a_configuration_that_is_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    folder = results.aisbench(tmp_path)
    outside = tmp_path / "secret.py"
    outside.write_text(results.AISBENCH_CONFIG)
    (folder / "configs/20260101_100000.py").unlink()
    (folder / "configs/20260101_100000.py").symlink_to(outside)
    with pytest.raises(CaptureError) as caught:
        read_runs(folder)
    assert caught.value.code == "file_outside"
