"""report.json read back: the same report again, and a stranger's file refused with the place that is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reportgen.errors import ReportgenError
from reportgen.report import read_back
from reportgen.report.serialize import to_json
from tests.report import odd_reports
from tests.report.sample_report import VARIANTS, sample_report


def written() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(to_json(sample_report()))
    return found


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_was_written_is_read_back_as_it_was(variant: str) -> None:
    report = sample_report(variant)  # type: ignore[arg-type]
    assert read_back.decode(json.loads(to_json(report)), "w") == report


@pytest.mark.parametrize("name", ["single_kernel", "one_side", "many_ranks"])
def test_odd_reports_are_read_back_as_they_were(name: str) -> None:
    report = getattr(odd_reports, name)()
    assert read_back.decode(json.loads(to_json(report)), "w") == report


def test_added_fields_are_passed_over() -> None:
    found = written()
    found["metrics"][0]["added_later"] = {"a": [1]}
    assert read_back.decode(found, "w") == sample_report()


LIMIT = ["goals", 0, "limit", "quantity"]
BROKEN: list[tuple[str, list[str | int], object, str]] = [
    ("a field that is gone", ["goals", 0, "margin"], ..., "report.goals[0].margin is missing"),
    ("a number as text", ["goals", 0, "limit"], "170", "report.goals[0].limit: an object is expected"),
    ("another outcome", ["goals", 0, "outcome"], "accepted", "report.goals[0].outcome: one of met"),
    ("another direction", ["goals", 0, "direction"], "sideways", "report.goals[0].direction: one of at_most"),
    ("null in the place of a value", ["goals", 0, "value"], None, "report.goals[0].value: null is not expected"),
    ("a true in the place of a count", ["goals", 0, "values"], True, "report.goals[0].values: int expected"),
    ("a reason nobody knows", ["goals", 0, "reason", "code"], "bribed", "'bribed' is not known to this version"),
    ("an origin that is not there", ["goals", 0, "limit", "origins"], ["O999999"], "'O999999' is not in the table"),
    ("a rounded value of another number", [*LIMIT, "value"], 0.18, "value and exact do not agree"),
    ("an exact value of another number", [*LIMIT, "exact"], "180000000 ns", "value and exact do not agree"),
    ("another unit", [*LIMIT, "unit"], "B", "value and exact do not agree"),
    ("no exact number", [*LIMIT, "exact"], "1e999999999 ns", "exact: no exact quantity"),
    ("a division by zero", [*LIMIT, "exact"], "1/0", "exact: no exact quantity"),
    ("too many digits", [*LIMIT, "exact"], "9" * 5000, "exact: no exact quantity"),
    ("larger than a float", [*LIMIT, "exact"], "9" * 400 + " ns", "exact is too large"),
    ("another version", ["schema_version"], 99, "schema_version is not 1"),
]


@pytest.mark.parametrize(("path", "value", "said"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_a_broken_report_is_refused_with_its_place(path: list[str | int], value: object, said: str) -> None:
    report = written()
    place: Any = report
    for step in path[:-1]:
        place = place[step]
    if value is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    with pytest.raises(ReportgenError) as caught:
        read_back.decode(report, "their/report.json")
    assert caught.value.code == "report_invalid"
    assert caught.value.where == "their/report.json"
    assert said in caught.value.message


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{", "is no JSON text"),
        (b"\xff\xfe", "is no JSON text"),
        (b"[" * 200_000, "nested too deep"),
        (b'{"schema_version": ' + b"9" * 5000 + b"}", "is no JSON text"),
    ],
    ids=["cut", "no text", "nested", "a number of 5000 digits"],
)
def test_what_is_no_json_is_unreadable(tmp_path: Path, data: bytes, said: str) -> None:
    (tmp_path / "report.json").write_bytes(data)
    with pytest.raises(ReportgenError) as caught:
        read_back.read_report(tmp_path)
    assert caught.value.code == "report_unreadable"
    assert said in caught.value.message


@pytest.mark.parametrize("text", ["[]", "null", "{}", '"a"'])
def test_other_json_is_no_report(tmp_path: Path, text: str) -> None:
    (tmp_path / "report.json").write_text(text)
    with pytest.raises(ReportgenError) as caught:
        read_back.read_report(tmp_path / "report.json")
    assert caught.value.code == "report_invalid"


def test_a_directory_or_a_pack_holds_the_report(tmp_path: Path) -> None:
    text = to_json(sample_report())
    (tmp_path / "data").mkdir()
    (tmp_path / "data/report.json").write_text(text, "utf-8")
    assert read_back.find(tmp_path) == tmp_path / "data/report.json"
    (tmp_path / "report.json").write_text(text, "utf-8")
    assert read_back.find(tmp_path) == tmp_path / "report.json"
    with pytest.raises(ReportgenError) as caught:
        read_back.find(tmp_path / "nothing")
    assert caught.value.code == "report_not_found"


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "report.json").write_text(to_json(sample_report()), "utf-8")
    monkeypatch.setattr(read_back, "LIMIT", 1000)
    with pytest.raises(ReportgenError) as caught:
        read_back.read_report(tmp_path)
    assert caught.value.code == "report_unreadable"
