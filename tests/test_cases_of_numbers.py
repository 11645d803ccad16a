"""How numbers of a capture are read wrongly, one case each, and what this product does instead.

Source of the cases: public issue threads and published data; each test names what goes wrong in its docstring.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from captures import edits
from captures.generator import write_prof_capture, write_torch_capture
from command import reportgen
from corpus import ADD_ASCENDC, ADD_PYPTO, ADD_TORCH, ADDCMUL, GELU, MATMUL, SCATTER, needs_corpus, prof, torch, us
from jobs import ADD, PROF, TORCH, Pace, write_pair
from jobs import AFTER as LATER
from jobs import MATMUL as MATMUL_OP

corpus = [pytest.mark.corpus, needs_corpus]


def on_corpus(test: Callable[..., None]) -> Callable[..., None]:
    """Mark a test that reads published captures."""
    for mark in corpus:
        test = mark(test)
    return test


def measured(path: Path, *more: object) -> dict[tuple[str, str], dict[str, Any]]:
    """(metric, part) -> measurement of a capture of one rank, as ``inspect --json`` writes it."""
    found = reportgen("inspect", path, "--json", *more)
    assert found.code == 0, found.err
    return {(m["metric"], m["dimensions"]["part"]): m for m in json.loads(found.out)["measurements"]}


def compared(before: Path, after: Path, *more: object) -> dict[str, Any]:
    """What ``compare --json`` writes, ``comparisons`` by (metric, part)."""
    found = reportgen("compare", before, after, "--json", *more)
    assert found.code == 0, found.err
    output: dict[str, Any] = json.loads(found.out)
    output["comparisons"] = {(c["metric"], c["dimensions"]["part"]): c for c in output["comparisons"]}
    return output


def exact(measurement: dict[str, Any]) -> Fraction:
    """The exact value in its exact unit."""
    return Fraction(measurement["summary"]["exact"].split(" ")[0])


def values(found: dict[tuple[str, str], dict[str, Any]]) -> dict[tuple[str, str], str]:
    """Every value by its exact text; missing ones by their kind."""
    return {key: m["summary"].get("exact", m["summary"].get("missing")) for key, m in found.items()}


def rows_of(path: Path, name: str) -> list[dict[str, str]]:
    """The rows of a csv of a capture, cells stripped."""
    return edits.rows_of(edits.find(path, name))


def torch_capture(root: Path, **changes: Any) -> Path:
    """A generated torch_npu capture of one rank."""
    (plan,) = write_torch_capture(root, replace(TORCH, **changes))
    return plan.path


# --------------------------------------------------------------------------------------------------------- times
@on_corpus
def test_stamps_are_integers_and_never_floats() -> None:
    """16 digits and three decimals do not fit float64: one ulp is 0.25 us."""
    rows = rows_of(torch(1, 0), "kernel_details")
    spans = sorted((float(r["Start Time(us)"]), float(r["Start Time(us)"]) + float(r["Duration(us)"])) for r in rows)
    busy, end = 0.0, spans[0][0]
    for low, high in spans:
        busy += max(high - max(low, end), 0.0)
        end = max(end, high)
    by_floats = end - spans[0][0] - busy
    found = measured(torch(1, 0))
    assert exact(found["free", ""]) == us("25744.069")  # corpus README
    assert abs(by_floats - 25744.069) > 0.1  # what floats give for the same rows: wrong in the first decimal


def test_quoting_tabs_and_line_ends_do_not_change_a_number(tmp_path: Path) -> None:
    """CRLF and LF in one folder, TABs inside quotes, no final newline, multi-line cells, shapes in triple quotes."""
    path = torch_capture(tmp_path, steps=3)
    plain = values(measured(path))
    table = edits.find(path, "kernel_details")
    header, *rows = edits.lines(table)
    column, name = (edits.cells(header).index(title) for title in ("Start Time(us)", "Name"))
    odd = []
    for row in rows:
        cells = edits.cells(row)
        cells[column] = f'"{cells[column].strip()}\t"'
        if "hcom" not in cells[name]:  # the group of a collective is found by its name
            cells[name] = f'"{cells[name]}\n(second line)"'
        odd.append(",".join(cells))
    assert '"""8,4096;4096,4096"""' in odd[0]  # the exporter's own quotes around shapes
    table.write_bytes("\r\n".join([header.rstrip("\r\n"), *odd]).encode())
    assert values(measured(path)) == plain


def test_a_stamp_that_a_spreadsheet_destroyed_is_unreadable(tmp_path: Path) -> None:
    """1.69512E+15 is no instant: the digits are gone."""
    path = torch_capture(tmp_path, steps=3)
    edits.set_cell(edits.find(path, "kernel_details"), 2, "Start Time(us)", "1.69512E+15")
    found = reportgen("inspect", path)
    assert found.code == 2
    assert "kernel_details.csv:4" in found.err
    assert "1.69512E+15" in found.err


@on_corpus
def test_overlapping_rows_are_no_span() -> None:
    """Kernel times summed and called step time: rows of several streams overlap."""
    found = measured(prof(ADD_PYPTO))
    assert exact(found["row_time", ""]) == us("43128.636")  # a sum, and called so
    assert exact(found["computing", ""]) == us("19550.194")  # their union; both from the corpus README
    assert exact(found["device_span", ""]) == us("50883.777")


def test_a_published_stage_of_zero_changes_nothing(tmp_path: Path) -> None:
    """MindSpore's Stage is 0 on one card and a published Free has two definitions: both are recomputed."""
    before, after = write_pair(tmp_path, TORCH, LATER)
    plain = compared(before, after)["comparisons"]
    table = edits.find(after, "step_trace_time")
    edits.set_column(table, "Stage", lambda _row: "0")
    edits.set_column(table, "Free", lambda _row: "1.5")
    edited = compared(before, after)["comparisons"]
    for metric in ("step_time", "free", "free_share"):
        assert edited[metric, ""]["after"]["summary"] == plain[metric, ""]["after"]["summary"]


@on_corpus
@pytest.mark.parametrize("zone", ["Asia/Shanghai", "America/St_Johns", "UTC"])
def test_the_zone_of_this_machine_changes_nothing(zone: str) -> None:
    """Names and date strings are local, csv, json and db UTC: nothing is compared without the offset."""
    path = prof(GELU[0])
    command = [sys.executable, "-m", "reportgen", "inspect", str(path), "--json"]
    environment = {**os.environ, "TZ": zone}
    done = subprocess.run(command, env=environment, capture_output=True, check=True, text=True)
    output = json.loads(done.stdout)
    # host/start_info: collectionTimeBegin in UTC microseconds; the directory's name is eight hours ahead
    begin = json.loads((path / "host/start_info").read_text())["collectionTimeBegin"]
    assert output["facts"]["ranks"][0]["started_ns"] == int(begin) * 1000


# --------------------------------------------------------------------------------------------------------- memory
def test_one_amount_of_memory_in_two_units_is_one_amount(tmp_path: Path) -> None:
    """MB, KB and bytes for the same thing; components mixed into one peak."""
    path = torch_capture(tmp_path, steps=3)
    plain = {key: text for key, text in values(measured(path)).items() if key[0].startswith("peak_")}
    table = edits.find(path, "memory_record")
    header, *rows = edits.lines(table)
    places = [i for i, cell in enumerate(edits.cells(header)) if cell.strip().endswith("(MB)")]
    new = []
    for row in rows:
        cells = edits.cells(row)
        for place in places:
            cells[place] = str(Fraction(cells[place]) * 1024) if cells[place].strip() else ""
        new.append(",".join(cells) + "\n")
    assert all("/" not in row for row in new)  # whole KB: the generator's sizes are multiples of 512 bytes or of MB
    table.write_text(header.replace("(MB)", "(KB)").rstrip("\r\n") + "\n" + "".join(new))
    again = {key: text for key, text in values(measured(path)).items() if key[0].startswith("peak_")}
    assert again == plain
    parts = {part for metric, part in plain if metric == "peak_reserved"}
    assert {"PTA", "GE", "PTA+GE", "APP"} <= parts


# --------------------------------------------------------------------------------------------------------- ratios
@on_corpus
def test_cube_utilization_is_called_occupancy() -> None:
    """cube_utilization(%) read as MAC utilisation: it is cycles over time, cores and clock."""
    path = prof(MATMUL[0])
    found = measured(path)
    rows = [row for row in rows_of(path, "op_summary") if row["aic_total_cycles"] not in ("N/A", "0")]
    cycles = sum(int(row["aic_total_cycles"]) for row in rows)
    span = sum(Fraction(row["Task Duration(us)"]) for row in rows)
    # info.json.0 of this capture: 20 cores, 1650 MHz; corpus README and docs/formats.md 9
    expected = Fraction(cycles) / (span * 20 * 1650)
    assert exact(found["cube_utilization_task", ""]) == expected
    assert exact(found["cube_utilization_task", ""]) != exact(found["aic_mac_ratio", ""])
    text = reportgen("inspect", path, "--language", "en").out
    assert "occupancy" in text
    assert "MAC utilis" not in text


@on_corpus
@pytest.mark.parametrize("stamp", [*GELU, *ADDCMUL, *SCATTER])
def test_memory_bound_is_a_quotient(stamp: str) -> None:
    """memory_bound averaged or clipped: it is a quotient, and may exceed 1."""
    (row,) = [r for r in rows_of(prof(stamp), "op_summary") if r.get("memory_bound", "N/A") != "N/A"]
    found = measured(prof(stamp))["memory_bound", ""]
    if row["memory_bound"] == "0":  # the exporter's 0 for a quotient that does not exist: missing, never 0
        assert found["summary"]["missing"] == "not_applicable"
        return
    assert abs(exact(found) - Fraction(row["memory_bound"])) <= Fraction(1, 1000)
    assert "%" not in json.dumps(found["summary"])


@on_corpus
def test_a_ratio_is_a_sum_over_a_sum() -> None:
    """A plain mean of ratios over kernels counts a kernel of 1 us like one of 1 ms."""
    found = measured(torch(1, 0))["aic_mte2_ratio", ""]
    rows = rows_of(torch(1, 0), "kernel_details")
    pairs = [
        (Fraction(r["aic_mte2_time(us)"]), Fraction(r["aicore_time(us)"]))
        for r in rows
        if r["aicore_time(us)"] not in ("N/A", "")
    ]
    assert exact(found) == sum(a for a, _ in pairs) / sum(b for _, b in pairs)
    assert round(float(exact(found)), 4) == 0.6598  # corpus README; the plain mean is 0.5686
    assert found["basis"] == "time-weighted"
    assert Fraction(found["numerator"]["exact"].split()[0]) / Fraction(
        found["denominator"]["exact"].split()[0]
    ) == exact(found)


# ---------------------------------------------------------------------------------------------- communication
@on_corpus
def test_waiting_is_no_slower_kernel() -> None:
    """Computing agrees to 1 % while communication differs by a quarter: the delta belongs to the waiting."""
    first, second = measured(torch(0, 0)), measured(torch(0, 1))
    computing = [exact(side["computing", ""]) for side in (first, second)]
    waiting = [exact(side["communication_not_overlapped", ""]) for side in (first, second)]
    assert computing == [us("8827.454"), us("8813.154")]  # corpus README
    assert waiting == [us("81515.615"), us("64616.119")]
    assert abs(computing[1] / computing[0] - 1) < Fraction(1, 100)
    level1 = measured(torch(1, 0))
    wait, transit = exact(level1["collective_wait", ""]), exact(level1["collective_transit", ""])
    ratio = level1["collective_wait_ratio", ""]
    assert exact(ratio) == wait / (wait + transit)  # one step: the sums of the step are the sums


@on_corpus
def test_a_collective_far_above_its_own_median_is_flagged() -> None:
    """The first collective is one giant wait because ranks began profiling seconds apart."""
    waiting = measured(torch(1, 0))["collective_elapse", ""]
    assert "collective_far_above_median" in {reason["code"] for reason in waiting["warnings"]}


APART = replace(TORCH, ranks=(0, 1, 2), world_size=3, pace=Pace(rank_permille=(1000, 1250, 1100)))
"""Three ranks, the second a quarter slower."""


def test_the_spread_between_ranks_stands_beside_the_slowest(tmp_path: Path) -> None:
    """One rank in one figure: a reader takes the slowest for all, or the fastest. Both ends with their ranks."""
    write_pair(tmp_path, APART, replace(LATER, ranks=(0, 1, 2), world_size=3, pace=APART.pace))
    sides = [tmp_path / name for name in ("before", "after")]
    target = tmp_path / "target.toml"
    target.write_text(SLOWEST)
    found = reportgen("report", *sides, "--target", target, "--out", tmp_path / "out", "--language", "en")
    (row,) = [
        r
        for r in json.loads((tmp_path / "out" / "report.json").read_text())["metrics"]
        if (r["metric"], r["worst"]) == ("step_time", True)
    ]
    assert row["rank"] == 1
    for side in ("before", "after"):
        medians = {
            rank: step_time(tmp_path / side, rank) for rank in (0, 1, 2)
        }  # of the windows that kernel_details shows
        spread = row[f"spread_{side}"]
        assert (spread["least_rank"], spread["most_rank"], spread["ranks"]) == (0, 1, 3)
        assert Fraction(spread["least"]["quantity"]["exact"].split()[0]) == min(medians.values())
        assert Fraction(spread["most"]["quantity"]["exact"].split()[0]) == max(medians.values())
        assert spread["least"]["origins"] != spread["most"]["origins"]  # of two ranks' own files
    words = r"AFTER: ([0-9.]+) ms \(rank 0\) to ([0-9.]+) ms \(rank 1\)"
    page = (tmp_path / "out" / "report.html").read_text().replace("\u00a0", " ")
    for text in (found.out, page, reportgen("explain", tmp_path / "out", row["id"], "--language", "en").out):
        low, high = re.search(words, text.replace("\u00a0", " ")).groups()  # type: ignore[union-attr]
        assert 1.1 < float(high) / float(low) < 1.3
    rule = page[page.index('class="rule"') :].split("</p>", maxsplit=1)[0]
    assert "rank 1, the worst of 3, AFTER:" in rule  # page one
    for verb in (("compare", *sides), ("inspect", sides[1])):
        section = reportgen(*verb, "--language", "en").out.split("Between ranks: least and largest value")[1]
        line = next(text for text in section.splitlines() if text.strip().startswith("step time"))
        assert re.search(r"us \(rank 0\) to [0-9.]+ us \(rank 1\)", line)


def test_ranks_that_differ_are_printed_apart_and_the_worst_is_named_where_there_is_one(tmp_path: Path) -> None:
    # Free time may be wanted or not: no rank has the worst share of it. Of the step time the longest is the worst.
    write_pair(tmp_path, APART, replace(LATER, ranks=(0, 1, 2), world_size=3))
    out = reportgen("compare", tmp_path / "before", tmp_path / "after", "--language", "en").out
    lines = out.split("Between ranks: least and largest value")[1].splitlines()
    words = re.compile(
        r"  (?P<name>\S.*?)  +(?P<worst>rank \d)?  .*? (?P<low>\S+ \S+) \(rank \d\) to (?P<high>\S+ \S+) \(rank"
    )
    told = {one["name"]: one for one in map(words.match, lines) if one is not None}
    assert all(one["low"] != one["high"] for one in told.values())
    assert (told["step time"]["worst"] is not None, told["free share"]["worst"]) == (True, None)


def test_ranks_that_agree_say_so_and_one_rank_has_no_spread(tmp_path: Path) -> None:
    write_pair(tmp_path, APART, replace(LATER, ranks=(0, 1, 2), world_size=3))
    out = reportgen("compare", tmp_path / "before", tmp_path / "after", "--language", "en").out
    (line,) = [text for text in out.splitlines() if "kernel count per step" in text and "all" in text]
    assert line.split("kernel count per step")[1].split() == 2 * ["10", "on", "all", "3", "ranks"]
    one = tmp_path / "one"
    before, after = write_pair(one)
    assert "Between ranks" not in reportgen("compare", before, after, "--language", "en").out


SLOWEST = """
schema = 1
decision_rule = "simple"
[contract]
reference = "T-1"
[[case]]
id = "C1"
clause = "1"
[case.workload]
framework = "MindSpeed LLM"
backend = "FSDP2"
phase = "training"
dtype = "bf16"
ranks = 3
checkpoint_steps = "none"
[[case.goal]]
id = "G1"
metric = "step_time"
statistic = "median"
direction = "at_most"
subject = "after"
limit = "1 s"
"""


def step_time(side: Path, rank: int) -> Fraction:
    """The median distance of the steps' first rows in kernel_details, in ns, first and last windows as they are."""
    (capture,) = [path.parent for path in side.glob(f"*/profiler_info_{rank}.json")]
    firsts: dict[str, Fraction] = {}
    for row in rows_of(capture, "kernel_details"):
        start = 1000 * Fraction(row["Start Time(us)"])
        firsts[row["Step Id"]] = min(start, firsts.get(row["Step Id"], start))
    starts = sorted(firsts.values())
    return Fraction(median(high - low for low, high in pairwise(starts)))


# ---------------------------------------------------------------------------------------------- counts and calls
HARNESS = replace(ADD, type="ZerosLike", name="cache_flush_{n}", mean_ns=5_000, calls=3, shapes="1024")


def test_harness_kernels_are_left_out_by_name_and_named(tmp_path: Path) -> None:
    """Harness kernels (cache clearing, clock raising) in the profile."""
    flushed = replace(TORCH, ops=(*TORCH.ops, HARNESS)), replace(LATER, ops=(*LATER.ops, HARNESS))
    before, after = write_pair(tmp_path, *flushed)
    # ten steps of 4 + 6 + 3 kernels; without the harness 4 + 6
    plain = compared(before, after)["comparisons"]["kernel_count_per_step", ""]
    assert plain["before"]["summary"]["value"] == 13
    option = ("--exclude", "cache_flush_*=clears the cache between steps")
    kept = compared(before, after, *option)["comparisons"]["kernel_count_per_step", ""]
    assert kept["before"]["summary"]["value"] == kept["after"]["summary"]["value"] == 10
    found = reportgen("check", before, after, *option, "--language", "en")
    assert found.code == 0, found.out
    assert "cache_flush_*" in found.out
    assert "clears the cache between steps" in found.out
    assert "30" in found.out  # rows left out of each side


def test_the_workload_itself_cannot_be_left_out(tmp_path: Path) -> None:
    """MatMulV2 holds four fifths of the kernel time: left out, no time, count or counter is decided."""
    before, after = write_pair(tmp_path)
    rows = compared(before, after, "--exclude", "*Matmul*=harness")["comparisons"]
    for metric in ("computing", "kernel_count_per_step", "aic_mac_ratio"):
        assert {reason["code"] for reason in rows[metric, ""]["blocked"]} == {"family_blocked"}, metric
    assert not rows["peak_reserved", "PTA"]["blocked"]


def test_an_exclusion_that_matches_nothing_is_said(tmp_path: Path) -> None:
    found = reportgen("check", *write_pair(tmp_path), "--exclude", "nothing_*=a slip")
    assert "nothing_*" in found.err


@on_corpus
def test_totals_of_other_calls_get_no_verdict() -> None:
    """2100 calls became 700: the total falls by 67 %, a call by 1.7 %."""
    rows = compared(prof(ADD_TORCH), prof(ADD_ASCENDC))["comparisons"]
    assert rows["kernel_time", ""]["blocked"]
    assert rows["kernel_time", ""]["distinguishable"] == "cannot be known"
    assert [rows["kernel_count", ""][side]["summary"]["value"] for side in ("before", "after")] == [2100, 700]
    mean = Fraction(rows["kernel_call_mean", ""]["change"]["exact"])
    assert round(float(mean), 3) == -0.017  # corpus README: 2.752 -> 2.706


def test_steps_are_compared_by_the_step(tmp_path: Path) -> None:
    """Ten steps against one looks 12 times faster when totals are compared."""
    before, after = write_pair(tmp_path, TORCH, replace(LATER, steps=1))
    output = compared(before, after)
    rows = output["comparisons"]
    per_step = rows["kernel_count_per_step", ""]
    assert per_step["before"]["summary"]["value"] == per_step["after"]["summary"]["value"] == 10
    for total in ("kernel_time", "kernel_count", "kernel_busy"):
        assert {reason["code"] for reason in rows[total, ""]["blocked"]} == {"totals_of_different_steps"}
    found = reportgen("check", before, after, "--language", "en")
    assert "10" in found.out


@on_corpus
def test_helpers_of_the_ai_cpu_are_no_kernels() -> None:
    """At level 0 AI CPU helper rows carry the kernel's name: counts triple."""
    for source in ("db", "csv"):
        found = measured(prof(ADD_PYPTO), "--source", source)
        assert exact(found["kernel_count", ""]) == 300
        assert exact(found["ai_cpu_count", ""]) == 600


def test_renamed_and_fused_kernels_reconcile_with_the_totals(tmp_path: Path) -> None:
    """The two sides' kernels are renamed or fused: added, removed and changed add up to the change of the total."""
    fused = replace(ADD, type="AddMul", name="aclnnAddMul_{n}", calls=3, mean_ns=40_000)
    before, after = write_pair(tmp_path, TORCH, replace(LATER, ops=(replace(MATMUL_OP, name="mm_{n}"), fused)))
    output = compared(before, after)
    changes = {row["type"]: row for row in output["operators"]}
    assert (changes["Add"]["change"], changes["AddMul"]["change"]) == ("removed", "added")
    assert changes["MatMulV2"]["before"] is not None  # renamed, and matched by its type
    assert changes["MatMulV2"]["after"] is not None
    rows = output["comparisons"]
    total = Fraction(rows["kernel_time", ""]["delta"]["exact"].split()[0])
    by_type = sum(Fraction(row["delta_per_step"]["exact"].split()[0]) for row in changes.values())
    assert by_type == total / 10  # ten steps on both sides


# ---------------------------------------------------------------------------------------------- bases and noise
@on_corpus
def test_two_captures_of_one_program_are_not_told_apart() -> None:
    """The same version measured twice: no verdict inside the noise, and the base of a percentage is BEFORE."""
    rows = compared(prof(MATMUL[0]), prof(MATMUL[1]))["comparisons"]
    total = rows["kernel_time", ""]
    assert total["distinguishable"] != "yes"
    change = Fraction(total["change"]["exact"])
    assert change == us("3804.440") / us("3807.800") - 1  # corpus README: 0.09 %


def test_nothing_is_divided_by_zero(tmp_path: Path) -> None:
    """A missing or zero base printed as inf or 0: it is missing, with the reason."""
    helped = replace(LATER, ops=(*LATER.ops, replace(ADD, core="AI_CPU", type="Unique", name="aclnnUnique_{n}")))
    before, after = write_pair(tmp_path, TORCH, helped)
    row = compared(before, after)["comparisons"]["ai_cpu_count", ""]
    assert row["before"]["summary"]["value"] == 0
    assert row["change"]["missing"] == "not_applicable"
    assert row["change"]["reason"]["code"] == "before_zero"
    assert "Infinity" not in reportgen("compare", before, after, "--json").out


def test_columns_that_look_usable_and_are_not(tmp_path: Path) -> None:
    """Task Wait Time, date strings, task_time names and task_time(us) are read by nobody here."""
    plan = write_prof_capture(tmp_path, PROF)
    plain = values(measured(plan.path))
    for row in range(3):
        edits.set_cell(edits.find(plan.path, "op_summary"), row, "Task Wait Time(us)", "777")
        tasks = edits.find(plan.path, "task_time")
        edits.set_cell(tasks, row, "kernel_name", "Add_0fb1a_high_performance_210000000")
        edits.set_cell(tasks, row, "task_time(us)", "0.001")
    trace = edits.find(plan.path, "msprof_")
    events = json.loads(trace.read_text())
    trace.write_text(json.dumps([event | {"tid": 7} if "tid" in event else event for event in events]))
    edits.set_json(plan.path / "host/end_info", ("collectionDateEnd",), "1999-12-31 23:59:59.999999")
    assert values(measured(plan.path)) == plain


@on_corpus
def test_both_definitions_of_a_published_free_are_recognised() -> None:
    """Free within the envelope (2025) and over all device tasks (2026): named, and the latter never compared."""

    def published(path: Path) -> dict[str, dict[str, Any]]:
        found = json.loads(reportgen("inspect", path, "--json").out)["published"]
        return {m["metric"]: m for m in found}

    assert published(torch(1, 0))["published_free"]["basis"] == "envelope"
    assert published(torch(1, 0, "db"))["published_free"]["basis"] == "envelope"
    lane = published(prof(ADD_PYPTO))["lane_free"]
    assert lane["basis"] == "all tasks"
    assert exact(lane) > 60 * exact(measured(prof(ADD_PYPTO))["free", ""])  # 31.3 ms inside the envelope
    assert exact(published(torch(1, 0, "db"))["published_host_step"]) == us("151888.75")  # corpus README


def test_published_parts_that_do_not_add_up_are_said(tmp_path: Path) -> None:
    """Computing + not overlapped + Free is Stage to 0.25 us; an edited Free is not."""
    path = torch_capture(tmp_path, steps=3)

    def check() -> dict[str, Any]:
        found = json.loads(reportgen("inspect", path, "--json").out)["published"]
        (one,) = [w for m in found if m["metric"] == "published_free" for w in m["witnesses"]]
        return dict(one)

    assert check()["agrees"]
    edits.set_cell(edits.find(path, "step_trace_time"), 1, "Free", "98765.4")
    assert not check()["agrees"]
    assert check()["name"] == "published_parts"
