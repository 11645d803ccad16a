"""Version 1 of report.json is frozen: what was written by it stays readable; nothing of its schema leaves or changes.

``frozen/report.schema.1.json`` is the schema without its descriptions as it was when version 1 was fixed,
``frozen/report.1.json.gz`` a report of that time. Neither is ever written again; what does not hold to them is
version 2, which needs a reader of version 1 beside its own.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from reportgen.report.document import SCHEMA_VERSION
from reportgen.report.read_back import read_report
from reportgen.report.serialize import plain, schema

FROZEN = Path(__file__).parent / "frozen"
SCHEMA = json.loads((FROZEN / "report.schema.1.json").read_text("utf-8"))
REMEDY = "this makes version 2 of report.json: raise SCHEMA_VERSION, keep a reader of version 1, freeze the new one"


def bare(value: Any) -> Any:
    """A schema without what is said for people."""
    if isinstance(value, dict):
        return {key: bare(item) for key, item in value.items() if key != "description" or not isinstance(item, str)}
    return [bare(item) for item in value] if isinstance(value, list) else value


def lost(frozen: dict[str, Any], present: dict[str, Any]) -> list[str]:
    """What a schema no longer has, or has otherwise, of the frozen one."""
    found = []
    for name, kind in frozen["$defs"].items():
        now = present["$defs"].get(name)
        if now is None:
            found.append(name)
            continue
        was_fields, are_fields = kind.get("properties", {}), now.get("properties", {})
        found += [f"{name}.{field}" for field, type_ in was_fields.items() if are_fields.get(field) != type_]
        found += [
            f"{name}: {key}" for key in kind if key not in ("properties", "required") and kind[key] != now.get(key)
        ]
        found += [f"{name}: {field} is no longer always there" for field in kind.get("required", ())
                  if field not in now.get("required", ())]  # fmt: skip
    return found


def test_nothing_of_version_1_left_or_changed() -> None:
    assert SCHEMA_VERSION == 1, REMEDY
    assert lost(SCHEMA, bare(schema())) == [], REMEDY


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda found: found["$defs"]["GoalRow"]["properties"].pop("limit"), "GoalRow.limit"),
        (lambda found: found["$defs"].pop("OriginRow"), "OriginRow"),
        (
            lambda found: found["$defs"]["GoalRow"]["required"].remove("margin"),
            "GoalRow: margin is no longer always there",
        ),
        (lambda found: found["$defs"]["GoalRow"]["properties"]["rank"].update(type="string"), "GoalRow.rank"),
    ],
)
def test_a_change_is_seen(change: Any, said: str) -> None:
    present = json.loads(json.dumps(bare(schema())))
    change(present)
    assert said in lost(SCHEMA, present)


def test_a_report_of_version_1_is_read(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    file.write_bytes(gzip.decompress((FROZEN / "report.1.json.gz").read_bytes()))
    kept = json.loads(file.read_text("utf-8"))
    Draft202012Validator(schema()).validate(kept)
    again = json.loads(json.dumps(plain(read_report(file))))
    assert without_added(kept, again) == kept


def without_added(kept: Any, again: Any) -> Any:
    """What was written again, without the fields that the kept one did not have."""
    if isinstance(kept, dict) and isinstance(again, dict):
        return {key: without_added(kept[key], value) for key, value in again.items() if key in kept}
    if isinstance(kept, list) and isinstance(again, list) and len(kept) == len(again):
        return [without_added(one, other) for one, other in zip(kept, again, strict=True)]
    return again


def test_what_was_added_since_is_marked_so() -> None:
    """Else a report of before would not hold to the schema of its own version."""
    present = bare(schema())["$defs"]
    added = [
        f"{name}.{field}"
        for name, kind in SCHEMA["$defs"].items()
        for field in present[name].get("properties", {})
        if field not in kind.get("properties", {})
    ]
    assert [one for one in added if one.partition(".")[2] in present[one.partition(".")[0]]["required"]] == []
    assert added == [
        "AccuracyRow.origins", "GateFactRow.origins", "GoalRow.unlike", "GoalRow.each_before",
        "GoalRow.each_after", "InflationRow.case", "RatioRow.matrix",
        "Report.run_figures", "RunRow.series", "SideValue.captures", "SideValue.values",
    ]  # fmt: skip
