"""What is no capture, or cannot be read: the error's code, its place, and what to do next."""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from captures import edits
from captures.generator import (
    Export,
    write_database,
    write_foreign,
    write_opprof,
    write_prof_capture,
    write_torch_capture,
)
from corpus import ADDCMUL_ABORTED, ADDCMUL_RAW, CORPUS, needs_corpus, prof
from jobs import PROF, TORCH

from reportgen.errors import CaptureError
from reportgen.reading import offered, read_capture, spine


def refused(path: Path) -> CaptureError:
    with pytest.raises(CaptureError) as caught:
        read_capture(path)
    return caught.value


def torch_capture(root: Path) -> Path:
    (plan,) = write_torch_capture(root, replace(TORCH, ranks=(0,), steps=3))
    return plan.path


# ------------------------------------------------------------------------------------------------ what is no capture
def test_no_such_path(tmp_path: Path) -> None:
    assert refused(tmp_path / "nowhere").code == "path_missing"


def test_an_empty_directory(tmp_path: Path) -> None:
    assert refused(tmp_path).code == "path_empty"


def test_a_foreign_directory(tmp_path: Path) -> None:
    write_foreign(tmp_path)
    assert refused(tmp_path).code == "path_foreign"


def test_a_lone_json(tmp_path: Path) -> None:
    lone = tmp_path / "trace_view.json"
    lone.write_text("[]")
    assert refused(lone).code == "path_is_file"


def test_the_single_operator_tool(tmp_path: Path) -> None:
    assert refused(write_opprof(tmp_path)).code == "layout_opprof"


def test_a_mindspore_capture_is_recognised_and_not_read_yet(tmp_path: Path) -> None:
    (tmp_path / "host_1_20260101000000000_ascend_ms/ASCEND_PROFILER_OUTPUT").mkdir(parents=True)
    assert refused(tmp_path).code == "layout_mindspore_not_read_yet"


def test_a_database_only_export_is_read_from_the_database(tmp_path: Path) -> None:
    plan = write_prof_capture(tmp_path, replace(PROF, exports=(), databases=("20260716124548",)))
    facts = read_capture(plan.path).facts
    assert facts.layout.id == "msprof_db"
    assert facts.ranks[0].rows == plan.kernels


def test_a_database_without_kernels_is_refused(tmp_path: Path) -> None:
    path = torch_capture(tmp_path)
    write_database(path / "ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db")
    assert refused(path).code == "kernel_table_missing"


def test_a_kernel_table_beside_the_database_has_to_be_readable(tmp_path: Path) -> None:
    plan = write_prof_capture(tmp_path, replace(PROF, databases=("20260716124548",)))
    assert offered(plan.path) == ("csv",)  # the export of the csv files is the newest by far
    aside = write_prof_capture(
        tmp_path / "aside", replace(PROF, exports=(Export(stamp="20260716124548"),), databases=("20260716124548",))
    )
    assert offered(aside.path) == ("db", "csv")
    edits.cut_inside_row(edits.find(aside.path, "op_summary"), 5)
    fault = refused(aside.path)
    assert fault.code == "kernel_table_ragged"
    assert "op_summary" in fault.where


def test_a_source_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CaptureError) as caught:
        read_capture(torch_capture(tmp_path), source="db")
    assert caught.value.code == "source_missing"


def test_the_old_layout_is_recognised_and_not_read_yet(tmp_path: Path) -> None:
    plan = write_prof_capture(tmp_path, replace(PROF, old_layout=True))
    assert refused(plan.path).code == "layout_msprof_old_not_read_yet"


def test_never_exported_names_the_command(tmp_path: Path) -> None:
    plan = write_prof_capture(tmp_path, replace(PROF, exports=()))
    fault = refused(plan.path)
    assert fault.code == "not_exported"
    assert f"msprof --export=on --output={plan.path}" in fault.hint


def test_several_captures_under_one_parent_are_listed(tmp_path: Path) -> None:
    first = write_prof_capture(tmp_path / "a", PROF)
    second = write_prof_capture(tmp_path / "b", replace(PROF, seed=2, pid=77))
    fault = refused(tmp_path)
    assert fault.code == "several_captures"
    assert first.path.name in fault.message
    assert second.path.name in fault.message


def test_a_parent_of_one_capture_is_that_capture(tmp_path: Path) -> None:
    plan = write_prof_capture(tmp_path / "deeper/still", PROF)
    assert read_capture(tmp_path).facts.name == plan.path.name


def test_the_output_folder_means_the_capture_that_holds_it(tmp_path: Path) -> None:
    path = torch_capture(tmp_path)
    assert read_capture(path / "ASCEND_PROFILER_OUTPUT").facts.settings_files


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize(
    ("path", "code"),
    [
        (lambda: prof(ADDCMUL_ABORTED), "capture_aborted"),
        (lambda: prof(ADDCMUL_RAW), "not_exported"),
        (lambda: CORPUS / "msprof-910b-level0/matmul/torch-twice", "several_captures"),
        (lambda: CORPUS / "fragments/test_rank_0", "kernel_table_ragged"),  # its line 17 has 31 of 32 cells
        (lambda: CORPUS / "settings-2022", "path_foreign"),
    ],
)
def test_refusals_of_the_corpus(path: Callable[[], Path], code: str) -> None:
    assert refused(path()).code == code


# ------------------------------------------------------------------------------------------------ the spine
def row_line(table: Path, row: int) -> str:
    return f"{table}:{row + 2}"


SPINE: list[tuple[str, Callable[[Path], object], str, str]] = [
    ("missing", edits.drop_file, "kernel_table_missing", ""),
    ("empty", edits.empty_file, "kernel_table_empty", ":1"),
    ("header only", edits.header_only, "kernel_table_header_only", ":1"),
    ("cut inside a row", lambda t: edits.cut_inside_row(t, 5), "kernel_table_ragged", ":7"),
    ("text", lambda t: edits.set_cell(t, 4, "Duration(us)", "abc"), "kernel_table_value", ":6"),
    ("negative", lambda t: edits.set_cell(t, 4, "Duration(us)", "-5.000"), "kernel_table_negative", ":6"),
    (
        "a stamp through a spreadsheet",
        lambda t: edits.set_cell(t, 2, "Start Time(us)", "1.69512E+15"),
        "kernel_table_value",
        ":4",
    ),
    ("N/A as a duration", lambda t: edits.set_cell(t, 0, "Duration(us)", "N/A"), "kernel_table_value", ":2"),
    ("infinity", lambda t: edits.set_cell(t, 0, "Duration(us)", "inf"), "kernel_table_value", ":2"),
    (
        "beyond 64 bits",
        lambda t: edits.set_cell(t, 0, "Start Time(us)", "99999999999999999.000"),
        "kernel_table_value",
        ":2",
    ),
    ("column missing", lambda t: edits.drop_column(t, "Duration(us)"), "kernel_table_columns", ":1"),
]


@pytest.mark.parametrize(("edit", "code", "line"), [row[1:] for row in SPINE], ids=[row[0] for row in SPINE])
def test_a_bad_kernel_table_is_an_error_with_its_line(
    tmp_path: Path, edit: Callable[[Path], object], code: str, line: str
) -> None:
    path = torch_capture(tmp_path)
    edit(edits.find(path, "kernel_details"))
    fault = refused(path)
    assert fault.code == code
    assert fault.where.endswith(line)
    assert fault.hint


SETTINGS: list[tuple[str, bytes]] = [
    ("cut", b'{"config": {"common_config"'),
    ("a list", b"[]"),
    ("a key twice", b'{"rank_id": 0, "rank_id": 1}'),
    ("not UTF-8", b'{"rank_id": "\xff"}'),
    ("nested too deep", b'{"a":' * 100_000),
]


@pytest.mark.parametrize("data", [row[1] for row in SETTINGS], ids=[row[0] for row in SETTINGS])
def test_an_unreadable_settings_file_is_an_error(tmp_path: Path, data: bytes) -> None:
    path = torch_capture(tmp_path)
    edits.find(path, "profiler_info").write_bytes(data)
    assert refused(path).code == "settings_unreadable"


def test_missing_settings_alone_are_no_error(tmp_path: Path) -> None:
    path = torch_capture(tmp_path)
    edits.drop_file(edits.find(path, "profiler_info"))
    assert read_capture(path).facts.ranks[0].rank is None


@pytest.mark.parametrize("name", ["step_trace_time.csv", "memory_record.csv", "op_statistic.csv"])
def test_a_bad_rib_is_listed_and_the_rest_is_read(tmp_path: Path, name: str) -> None:
    path = torch_capture(tmp_path)
    edits.cut_inside_row(edits.find(path, name), 0)
    unread = {item.path: item.reason.code for item in read_capture(path).facts.unread}
    assert unread[f"ASCEND_PROFILER_OUTPUT/{name}"] == "table_unreadable"


# ------------------------------------------------------------------------------------------------ hostile files
def test_a_link_out_of_the_capture_is_not_followed(tmp_path: Path) -> None:
    path = torch_capture(tmp_path / "capture")
    outside = tmp_path / "secret.json"
    outside.write_text(json.dumps({"secret": "value"}))
    info = edits.find(path, "profiler_info")
    info.unlink()
    info.symlink_to(outside)
    assert "secret" not in str(read_capture(path).facts)


def test_a_pipe_in_the_place_of_a_table_does_not_hang(tmp_path: Path) -> None:
    path = torch_capture(tmp_path)
    table = edits.find(path, "kernel_details")
    table.unlink()
    os.mkfifo(table)
    assert refused(path).code == "kernel_table_missing"


def test_control_characters_of_a_name_are_shown_as_escapes(tmp_path: Path) -> None:
    path = torch_capture(tmp_path)
    edits.set_cell(edits.find(path, "kernel_details"), 0, "Type", "Evil\x1b[31m\u202e")
    types = set(read_capture(path).tables[0].kernels.frame["type"].astype(str))
    assert "Evil\\x1b[31m\\u202e" in types


# ------------------------------------------------------------------------------------------------ several exports
def test_the_newest_export_is_read_and_the_older_named(tmp_path: Path) -> None:
    plan = write_prof_capture(
        tmp_path, replace(PROF, exports=(Export(stamp="20260716124548", rows=3), Export(stamp="20260717090000")))
    )
    capture = read_capture(plan.path)
    assert capture.facts.ranks[0].rows == plan.kernels + plan.ai_cpu
    ignored = [item.path for item in capture.facts.unread if item.reason.code == "other_export"]
    assert any("op_summary_20260716" in path for path in ignored)


# ------------------------------------------------------------------------------------------------ numbers out of bounds
@pytest.mark.parametrize("text", ["²", "--5", "9" * 5000, str(10**30), "-1"])
def test_numbers_out_of_bounds_are_no_numbers_and_no_traceback(tmp_path: Path, text: str) -> None:
    path = torch_capture(tmp_path)
    info = edits.find(path, "profiler_info")
    for keys in (("rank_id",), ("end_info", "collectionTimeEnd"), ("config", "common_config", "schedule", "active")):
        edits.set_json(info, keys, text)
    assert read_capture(path).facts.ranks[0].ended_ns is None


@pytest.mark.parametrize("cell", ["1e9999", "1e99999999", "1/2", "inf", "nan"])
def test_a_memory_cell_that_is_no_amount_is_unreadable_at_once(tmp_path: Path, cell: str) -> None:
    path = torch_capture(tmp_path)
    edits.set_cell(edits.find(path, "memory_record"), 0, "Total Reserved(MB)", cell)
    unread = {item.path: item.reason.code for item in read_capture(path).facts.unread}
    assert unread["ASCEND_PROFILER_OUTPUT/memory_record.csv"] == "table_unreadable"


def test_rows_of_two_devices_in_one_rank_are_refused(tmp_path: Path) -> None:
    (plan,) = write_torch_capture(tmp_path, replace(TORCH, ranks=(0,), steps=3, device_column=True))
    edits.set_cell(edits.find(plan.path, "kernel_details"), 1, "Device_id", "1")
    assert refused(tmp_path).code == "kernel_table_devices"


def test_a_ring_of_links_is_passed_over(tmp_path: Path) -> None:
    path = torch_capture(tmp_path)
    ring = path / "profiler_info_7.json"
    ring.symlink_to(ring)
    assert read_capture(path).facts.ranks[0].rank == 0


def test_slices_of_two_exports_within_seconds_are_ambiguous(tmp_path: Path) -> None:
    exports = (
        Export(stamp="20260716124548", rows=60, slice_rows=30),
        Export(stamp="20260716124553", rows=60, slice_rows=30),
    )
    plan = write_prof_capture(tmp_path, replace(PROF, exports=exports))
    assert refused(plan.path).code == "export_ambiguous"


@pytest.mark.parametrize(
    ("durations", "told"),
    [
        (range(1, 21), True),
        (range(1, 20), False),  # nineteen rows
        ([*range(1, 10), *[9] * 20], False),  # nine different ones
        ([*range(1, 11), *[9] * 20], True),
        ([], False),
    ],
)
def test_durations_that_another_capture_might_share_name_none(durations: Sequence[int], told: bool) -> None:
    # The digest is that of the integers of 8 bytes in ascending order, whatever their order in the table.
    expected = hashlib.sha256(struct.pack(f"<{len(durations)}q", *sorted(durations))).hexdigest()
    frame = pd.DataFrame({"duration_ns": pd.Series(list(durations)[::-1], dtype="int64")})
    assert spine.durations(frame) == (expected if told else "")
