"""communication.json: exact numbers, every spelling of a step, and what is refused with its JSON pointer."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from corpus import CORPUS, needs_corpus, torch

from reportgen.errors import CaptureError
from reportgen.frames import Table
from reportgen.reading import communication_json
from reportgen.reading.communication_json import read_communication

ZERO = {
    "Transit Size(MB)": 0,
    "Transit Time(ms)": 0,
    "Bandwidth(GB/s)": 0,
    "Large Packet Ratio": 0,
    "Size Distribution": {},
}
OPERATOR: dict[str, Any] = {
    "Communication Time Info": {
        "Start Timestamp(us)": 1736408883732241.5,
        "Elapse Time(ms)": 79.08952021875,
        "Transit Time(ms)": 0.5,
        "Wait Time(ms)": 2e-05,
        "Synchronization Time(ms)": 0.0,
        "Idle Time(ms)": 78,
        "Wait Time Ratio": 0.0,
        "Synchronization Time Ratio": 0.0,
    },
    "Communication Bandwidth Info": {
        "RDMA": ZERO,
        "HCCS": {
            "Transit Size(MB)": 28.5,
            "Transit Time(ms)": 1.25,
            "Bandwidth(GB/s)": 22.8,
            "Large Packet Ratio": 0.25,
            "Size Distribution": {"2.0": [12, 1.0], "2.25": [2, 0.25]},
        },
    },
}
FILE: dict[str, Any] = {"step50": {"p2p": {}, "collective": {"hcom_allReduce__586_0_1@175": OPERATOR}}}
OP = ("step50", "collective", "hcom_allReduce__586_0_1@175")
TIME, LINK = (*OP, "Communication Time Info"), (*OP, "Communication Bandwidth Info")


def read(folder: Path, text: str | bytes | dict[str, Any]) -> tuple[Table, Table]:
    path = folder / "communication.json"
    text = json.dumps(text) if isinstance(text, dict) else text
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_communication(path, folder, shown=path.name)


def changed(keys: tuple[str, ...], value: object) -> dict[str, Any]:
    """The file with one member set, or taken out for None."""
    found = copy.deepcopy(FILE)
    place: Any = found
    for key in keys[:-1]:
        place = place[key]
    if value is None:
        del place[keys[-1]]
    else:
        place[keys[-1]] = value
    return found


# ------------------------------------------------------------------------------------------------ values
def test_a_file_worked_out_by_hand(tmp_path: Path) -> None:
    """ms are 10**6 ns, MB are 10**6 B; 12 + 2 packets, a quarter of them large: 3.5."""
    times, links = read(tmp_path, FILE)
    assert times.frame.to_dict("records") == [
        {
            "step": "50",
            "kind": "collective",
            "name": "hcom_allReduce__586_0_1",
            "group": "175",
            "start_ns": 1736408883732241500,
            "elapse_ns": Fraction(7908952021875, 10**5),
            "transit_ns": 500_000,
            "wait_ns": 20,
            "synchronization_ns": 0,
            "idle_ns": 78_000_000,
        }
    ]
    assert links.frame.to_dict("records") == [
        {
            "step": "50",
            "name": "hcom_allReduce__586_0_1",
            "group": "175",
            "link": "HCCS",
            "size_bytes": 28_500_000,
            "transit_ns": 1_250_000,
            "packets": 14,
            "large_packets": Fraction(7, 2),
        }
    ]
    assert (times.kind, times.source, links.kind, links.source) == ("collectives", "json", "links", "json")
    assert times.file.digest == hashlib.sha256((tmp_path / "communication.json").read_bytes()).hexdigest()


def test_a_number_is_what_its_digits_say_and_no_float(tmp_path: Path) -> None:
    """0.23918478124999998 as a float is another number: 0.2391847812499999750754..."""
    times, _ = read(tmp_path, changed((*TIME, "Transit Time(ms)"), 0.23918478124999998))
    assert times.frame["transit_ns"][0] == Fraction(23918478124999998, 10**17) * 10**6
    assert times.frame["transit_ns"][0] != Fraction(0.23918478124999998) * 10**6


@pytest.mark.parametrize(("key", "step"), [("step50", "50"), ("step", ""), ("step0", "0")])
def test_spellings_of_a_step(tmp_path: Path, key: str, step: str) -> None:
    times, links = read(tmp_path, {key: FILE["step50"]})
    assert [list(times.frame["step"]), list(links.frame["step"])] == [[step], [step]]


@pytest.mark.parametrize(("key", "pair"), [("a@b@9", ("a@b", "9")), ("a", ("a", "")), ("a@", ("a", ""))])
def test_names_and_groups(tmp_path: Path, key: str, pair: tuple[str, str]) -> None:
    times, _ = read(tmp_path, {"step1": {"p2p": {key: OPERATOR}}})
    assert (times.frame["name"][0], times.frame["group"][0], times.frame["kind"][0]) == (*pair, "p2p")


def test_totals_are_left_out(tmp_path: Path) -> None:
    operators = {"Total Op Info": {"anything": 1}, "a@1": OPERATOR}
    times, links = read(tmp_path, {"step1": {"collective": operators, "p2p": {"Total Op Info": {}}}})
    assert list(times.frame["name"]) == list(links.frame["name"]) == ["a"]


def test_a_start_that_is_not_recorded_is_missing(tmp_path: Path) -> None:
    both = changed((*TIME, "Start Timestamp(us)"), None)
    both["step50"]["collective"]["b@1"] = OPERATOR
    times, _ = read(tmp_path, both)
    assert times.frame["start_ns"].isna().tolist() == [True, False]
    assert times.frame["start_ns"][1] == 1736408883732241500


def test_idle_of_rounding_noise_is_zero(tmp_path: Path) -> None:
    """Idle is a difference of floats: -2.7e-17 ms is 0; -1e-6 ms is a nanosecond too few, and refused below."""
    times, _ = read(tmp_path, changed((*TIME, "Idle Time(ms)"), -2.7e-17))
    assert times.frame["idle_ns"][0] == 0


@pytest.mark.parametrize("text", ["{}", '{"step1": {}}', '{"step1": {"p2p": {}, "collective": {}}}'])
def test_a_file_without_operators_gives_tables_without_rows(tmp_path: Path, text: str) -> None:
    times, links = read(tmp_path, text)
    assert (len(times.frame), len(links.frame)) == (0, 0)
    assert list(times.frame.columns) == [
        *("step", "kind", "name", "group", "start_ns"),
        *("elapse_ns", "transit_ns", "wait_ns", "synchronization_ns", "idle_ns"),
    ]


# ------------------------------------------------------------------------------------------------ the corpus
FILES: list[tuple[str, Callable[[], Path], int, int]] = [
    # file, collectives, of them p2p: counted in the file
    ("level1 rank0", lambda: torch(1, 0) / "ASCEND_PROFILER_OUTPUT", 4, 0),
    ("level1 rank1", lambda: torch(1, 1) / "ASCEND_PROFILER_OUTPUT", 4, 0),
    ("2023", lambda: CORPUS / "fragments/test_rank_0/ASCEND_PROFILER_OUTPUT", 28, 1),
]


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize(("folder", "count", "sent"), [case[1:] for case in FILES], ids=[case[0] for case in FILES])
def test_the_rows_sum_to_the_totals_of_the_file(folder: Callable[[], Path], count: int, sent: int) -> None:
    """``Total Op Info``, which the reader leaves out, was summed by the exporter in floats: equal within 1e-12."""
    path = folder() / "communication.json"
    times, links = read_communication(path, path.parent, shown="c")
    assert len(times.frame) == count
    assert int((times.frame["kind"] == "p2p").sum()) == sent
    ((_, kinds),) = json.loads(path.read_text(), parse_float=Decimal).items()
    totals = [kind["Total Op Info"] for kind in kinds.values() if kind]
    for column, key in communication_json.TIMES.items():
        expected = sum(Fraction(total["Communication Time Info"][key]) for total in totals) * 10**6
        assert abs(sum(times.frame[column]) - expected) <= expected / 10**12, key
    for link, part in links.frame.groupby("link", observed=True):
        recorded = [total["Communication Bandwidth Info"][link] for total in totals]
        size = sum(Fraction(one["Transit Size(MB)"]) for one in recorded) * 10**6
        moved = sum(Fraction(one["Transit Time(ms)"]) for one in recorded) * 10**6
        packets = sum(count for one in recorded for count, _ in one["Size Distribution"].values())
        assert abs(sum(part["size_bytes"]) - size) <= size / 10**12, link
        assert abs(sum(part["transit_ns"]) - moved) <= moved / 10**12, link
        assert sum(part["packets"]) == packets, link


@needs_corpus
@pytest.mark.corpus
def test_large_packets_of_the_corpus() -> None:
    """2023: ratio times packets, summed from the file; three packets, of 20.97 MB and twice 65.5 MB, are large."""
    path = CORPUS / "fragments/test_rank_0/ASCEND_PROFILER_OUTPUT/communication.json"
    _, links = read_communication(path, path.parent, shown="c")
    recorded = json.loads(path.read_text(), parse_float=Decimal)["step2"]
    expected = sum(
        Fraction(link["Large Packet Ratio"]) * sum(count for count, _ in link["Size Distribution"].values())
        for kind in recorded.values()
        for name, operator in kind.items()
        if name != "Total Op Info"
        for link in operator["Communication Bandwidth Info"].values()
    )
    assert sum(links.frame["large_packets"]) == expected


# ------------------------------------------------------------------------------------------------ refusals
def twice(text: str, member: str) -> str:
    assert text.count(member) == 1
    return text.replace(member, f"{member}, {member}")


TEXT = json.dumps(FILE)
REFUSED: list[tuple[str, str | bytes | dict[str, Any], str, str]] = [
    ("empty", "", "unreadable", ""),
    ("cut", TEXT[:-40], "unreadable", ""),
    ("a list", "[]", "unreadable", ""),
    ("NaN", TEXT.replace("79.08952021875", "NaN"), "unreadable", ""),
    ("zeros", b"\0" * 50, "unreadable", ""),
    ("nested too deep", '{"step1":{"p2p":{"a":' + "[" * 100_000 + "]" * 100_000 + "}}}", "unreadable", ""),
    ("a step of another name", {"epoch1": {}}, "value", "/epoch1"),
    ("a step that is no number", {"step1x": {}}, "value", "/step1x"),
    ("another kind", {"step1": {"group": {}}}, "value", "/step1/group"),
    ("an operator that is a number", {"step1": {"p2p": {"a": 5}}}, "unreadable", "/step1/p2p/a"),
    ("no times", changed(TIME, None), "columns", "/".join(("", *OP))),
    ("no links", changed(LINK, None), "columns", "/".join(("", *OP))),
    ("no elapse", changed((*TIME, "Elapse Time(ms)"), None), "columns", "/".join(("", *TIME))),
    ("text", changed((*TIME, "Elapse Time(ms)"), "5"), "value", "/".join(("", *TIME, "Elapse Time(ms)"))),
    ("null", changed((*TIME, "Wait Time(ms)"), [None]), "value", "/".join(("", *TIME, "Wait Time(ms)"))),
    ("negative", changed((*TIME, "Wait Time(ms)"), -0.001), "negative", "/".join(("", *TIME, "Wait Time(ms)"))),
    ("idle", changed((*TIME, "Idle Time(ms)"), -1e-6), "negative", "/".join(("", *TIME, "Idle Time(ms)"))),
    ("1e99", changed((*TIME, "Idle Time(ms)"), 1e99), "value", "/".join(("", *TIME, "Idle Time(ms)"))),
    (
        "1e999",
        TEXT.replace("79.08952021875", "1e999"),
        "value",
        "/".join(("", *TIME, "Elapse Time(ms)")),
    ),
    ("a step twice", f'{TEXT[:-1]}, "step50": {{}}}}', "duplicate", "/step50"),
    ("an operator twice", twice('{"step1":{"p2p":{"a":{}}}}', '"a":{}'), "duplicate", "/step1/p2p/a"),
    (
        "a time twice",
        twice(TEXT, '"Idle Time(ms)": 78'),
        "duplicate",
        "/".join(("", *TIME, "Idle Time(ms)")),
    ),
    (
        "a size twice",
        twice(TEXT, '"2.25": [2, 0.25]'),
        "duplicate",
        "/".join((*("", *LINK), "HCCS", "Size Distribution", "2.25")),
    ),
    ("slash and tilde", {"step1": {"p2p": {"a/b~c": 5}}}, "unreadable", "/step1/p2p/a~1b~0c"),
    (
        "half a packet",
        changed((*LINK, "HCCS", "Size Distribution"), {"2.0": [1.5, 1]}),
        "value",
        "/".join(("", *LINK, "HCCS", "Size Distribution", "2.0")),
    ),
    (
        "a share above 1",
        changed((*LINK, "HCCS", "Large Packet Ratio"), 1.5),
        "value",
        "/".join(("", *LINK, "HCCS", "Large Packet Ratio")),
    ),
]


@pytest.mark.parametrize(("text", "code", "pointer"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_what_is_refused(tmp_path: Path, text: str | bytes | dict[str, Any], code: str, pointer: str) -> None:
    with pytest.raises(CaptureError) as caught:
        read(tmp_path, text)
    assert caught.value.code == f"communication_table_{code}"
    assert caught.value.where == f"{tmp_path}/communication.json#{pointer}"


def test_a_file_cut_anywhere_is_refused(tmp_path: Path) -> None:
    for length in range(len(TEXT)):
        with pytest.raises(CaptureError):
            read(tmp_path, TEXT[:length])


def test_a_huge_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(communication_json, "LIMIT", 100)
    with pytest.raises(CaptureError) as caught:
        read(tmp_path, TEXT)
    assert caught.value.code == "file_too_large"
