"""report.json: how values are written, and that the published schema is the present one and holds."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import reportgen
from report.sample_report import VARIANTS, Variant, sample_evaluation, sample_report
from reportgen.model import Missing, MissingKind, Quantity, Reason, Sample, Standing
from reportgen.report import document
from reportgen.report.document import Report
from reportgen.report.serialize import plain, schema, to_json

ROOT = Path(reportgen.__file__).resolve().parent.parent
PUBLISHED = ROOT / "docs/report.schema.json"
ACTUAL = ROOT / "tests/actual/report.schema.json"


# ------------------------------------------------------------------------------------------------ values
@pytest.mark.parametrize(
    ("quantity", "written"),
    [
        (Quantity(value=8_827_454, unit="ns", written="8827.454 us"),
         {"value": 0.008827454, "unit": "s", "exact": "8827454 ns", "written": "8827.454 us"}),
        (Quantity(value=1_000_000_000, unit="ns"),
         {"value": 1.0, "unit": "s", "exact": "1000000000 ns", "written": ""}),
        (Quantity(value=1_245_678_592, unit="B"),
         {"value": 1_245_678_592, "unit": "B", "exact": "1245678592 B", "written": ""}),
        (Quantity(value=Fraction(1, 2), unit="B"), {"value": 0.5, "unit": "B", "exact": "0.5 B", "written": ""}),
        (Quantity(value=4812, unit="1"), {"value": 4812, "unit": "1", "exact": "4812", "written": ""}),
        (Quantity(value=Fraction(1, 3), unit="1"),
         {"value": 1 / 3, "unit": "1", "exact": "1/3", "written": ""}),
        (Quantity(value=7, unit="1/s"), {"value": 7.0, "unit": "1/s", "exact": "7 1/s", "written": ""}),
    ],
)  # fmt: skip
def test_a_quantity_stands_in_its_base_unit(quantity: Quantity, written: dict[str, Any]) -> None:
    found = plain(quantity)
    assert found == written
    assert type(found["value"]) is type(written["value"])


def test_what_is_missing_says_why_and_what_would_supply_it() -> None:
    missing = Missing(kind=MissingKind.NOT_COLLECTED, reason=Reason.of("table_missing", table="memory_record"))
    assert plain(missing) == {
        "missing": "not_collected",
        "reason": {"code": "table_missing", "args": {"table": "memory_record"}},
        "remedy": None,
    }


def test_a_sample_is_written_in_quantities() -> None:
    sample = Sample(unit="ns", values=(1, Fraction(3, 2)), labels=("11", "12"), dropped=("10",))
    written = plain(sample)
    assert [value["exact"] for value in written["values"]] == ["1 ns", "1.5 ns"]
    assert (written["labels"], written["dropped"]) == (["11", "12"], ["10"])


@dataclass(frozen=True)
class Facts:
    """A value with pairs."""

    title: tuple[tuple[str, str], ...]
    """By language."""
    counts: tuple[tuple[Standing, int], ...]
    """By standing."""
    unread: tuple[tuple[str, Reason], ...]
    """Paths may stand twice."""


def test_pairs_of_a_name_and_a_text_or_count_are_an_object() -> None:
    facts = Facts(title=(("zh", "空闲"), ("en", "free")), counts=((Standing.SAME, 3),), unread=(("a", Reason.of("x")),))
    assert plain(facts) == {
        "title": {"zh": "空闲", "en": "free"},
        "counts": {"same": 3},
        "unread": [["a", {"code": "x", "args": {}}]],
    }
    assert plain(Facts(title=(), counts=(), unread=())) == {"title": {}, "counts": {}, "unread": []}


def test_pairs_with_a_name_twice_lose_nothing() -> None:
    facts = Facts(title=(("CPU", "0"), ("CPU", "1")), counts=(), unread=())
    assert plain(facts)["title"] == [["CPU", "0"], ["CPU", "1"]]


def test_text_is_utf_8_in_field_order_with_a_final_newline() -> None:
    text = to_json(sample_report())
    assert text.endswith("}\n")
    assert "\\u" not in text
    assert "示例智算中心" in text
    assert list(json.loads(text)) == [field.name for field in fields(Report)]
    assert text.startswith('{\n "schema_version": 1,\n "tool": "reportgen",\n')


def test_the_same_report_gives_the_same_bytes() -> None:
    assert to_json(sample_report()) == to_json(sample_report())


@pytest.mark.parametrize("value", [1.5, float("nan"), {1}, b"x", object()])
def test_what_is_no_noun_of_ours_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="has no place in our JSON"):
        to_json(value)


def test_other_values_than_reports_are_written_alike() -> None:
    evaluation = sample_evaluation()
    comparison = json.loads(to_json(evaluation))["comparisons"][0]
    assert comparison["after"]["summary"]["exact"] == "160400000 ns"
    assert comparison["interval"]["level"] == {"value": 0.95, "unit": "1", "exact": "0.95", "written": ""}
    assert json.loads(to_json({"ranks": [0, 1], "rows": evaluation.comparisons[:1]}))["ranks"] == [0, 1]


# ------------------------------------------------------------------------------------------------ the schema
def test_the_published_schema_is_the_present_one() -> None:
    text = json.dumps(schema(), ensure_ascii=False, indent=1) + "\n"
    if not PUBLISHED.is_file() or PUBLISHED.read_text("utf-8") != text:
        ACTUAL.parent.mkdir(exist_ok=True)
        ACTUAL.write_text(text, "utf-8")
        pytest.fail(f"the schema changed; if it should: cp {ACTUAL.relative_to(ROOT)} {PUBLISHED.relative_to(ROOT)}")


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_report_holds_to_the_schema(variant: Variant) -> None:
    Draft202012Validator(schema()).validate(json.loads(to_json(sample_report(variant))))


BROKEN: list[tuple[str, list[str | int], object]] = [
    ("a number as text", ["goals", 0, "limit", "quantity", "value"], "170"),
    ("a unit of ours that is no base unit", ["goals", 0, "limit", "quantity", "unit"], "ns"),
    ("an outcome that does not exist", ["goals", 0, "outcome"], "accepted"),
    ("a field that is gone", ["goals", 0, "margin"], ...),
    ("a reason without code", ["goals", 0, "reason"], {"args": {}}),
    ("null in the place of a value", ["goals", 0, "value"], None),
]


@pytest.mark.parametrize(("path", "value"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_a_broken_report_does_not_hold(path: list[str | int], value: object) -> None:
    report = json.loads(to_json(sample_report()))
    place = report
    for step in path[:-1]:
        place = place[step]
    if value is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    assert list(Draft202012Validator(schema()).iter_errors(report))


def test_a_reader_accepts_added_fields() -> None:
    report = json.loads(to_json(sample_report()))
    report["goals"][0]["added_later"] = 1
    Draft202012Validator(schema()).validate(report)


def test_the_schema_is_valid_and_describes_every_field() -> None:
    made = schema()
    Draft202012Validator.check_schema(made)
    names = {kind.__name__ for kind in vars(document).values() if isinstance(kind, type) and is_dataclass(kind)}
    written = {name for name in names if name in made["$defs"]}
    assert {"Report", "Number", "GoalRow", "MetricRow", "OriginRow"} <= written
    for name, definition in made["$defs"].items():
        assert definition["description"], name
        for field, kind in definition["properties"].items():
            assert kind.get("description") or "$ref" in kind or "anyOf" in kind, f"{name}.{field}"
