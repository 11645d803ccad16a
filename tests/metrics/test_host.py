"""Host API calls by level, and iterations of graphs by model."""

from __future__ import annotations

import csv
from fractions import Fraction
from typing import Any, cast

import pandas as pd
import pytest
from by_hand import BASE, by_part, category, codes, kernels, place, reason, table, value
from corpus import needs_corpus, torch

from reportgen.metrics import host, iterations
from reportgen.model import MissingKind, Reason, UnreadFile
from reportgen.reading.statistic_tables import read_apis

KERNELS = kernels([("", "C", 100, 50, "MatMul")])


def apis(*rows: tuple[str, str, int, int], **more: Any) -> Any:
    """(level, name, count, total)."""
    level, name, count, total = zip(*rows, strict=True)
    columns = {
        "level": category(level),
        "name": category(name),
        **{c: pd.Series(v, dtype="int64") for c, v in (("count", count), ("total_ns", total))},
        **{c: pd.Series(total, dtype="int64") for c in ("min_ns", "max_ns")},
    }
    return table("apis", "api_statistic.csv", columns, **more)


def graphs(*rows: tuple[str, str, int, int], device: tuple[str, ...] = ()) -> Any:
    """(model, iteration, end, time)."""
    model, iteration, end, time = zip(*rows, strict=True)
    columns = {
        "device": category(list(device) or ["0"] * len(rows)),
        "model": category(model),
        "iteration": category(iteration),
        "end_ns": pd.Series([BASE + e for e in end], dtype="int64"),
        "time_ns": pd.Series(time, dtype="int64"),
    }
    return table("iterations", "step_trace_20240401000000.csv", columns)


# --------------------------------------------------------------------------------------------- host
def test_times_and_calls_are_summed_by_level_from_the_outer_to_the_inner() -> None:
    held = apis(("runtime", "a", 5, 50), ("acl", "b", 1, 90), ("runtime", "c", 2, 20), ("queue", "d", 1, 1))
    found = host.measure(place(KERNELS, apis=held))
    assert [(one.metric, one.dimensions.part, value(one)) for one in found] == [
        ("host_api_time", "acl", 90), ("host_api_time", "runtime", 70), ("host_api_time", "queue", 1),
        ("host_api_calls", "acl", 1), ("host_api_calls", "runtime", 7), ("host_api_calls", "queue", 1),
    ]  # fmt: skip
    assert codes(found[0]) == ["api_calls_nest"]
    assert codes(found[-1]) == []


def test_the_former_name_of_a_level_is_the_same_level() -> None:
    held = apis(("hccl", "a", 4, 40), ("communication", "b", 1, 2))
    found = by_part(host.measure(place(KERNELS, apis=held)))
    assert value(found["host_api_time", "communication"]) == 42


def test_a_database_names_its_columns() -> None:
    (time, _) = host.measure(place(KERNELS, apis=apis(("acl", "b", 1, 90), source="db")))
    assert "CANN_API.endNs" in time.origins[0].locator


def test_without_the_table_nothing_is_zero() -> None:
    found = by_part(host.measure(place(KERNELS)))
    missing = cast("Any", found["host_api_time", ""].summary)
    assert (missing.kind, missing.reason.code) == (MissingKind.NOT_COLLECTED, "table_missing")
    assert "Level1" in missing.remedy.arg("option")
    assert reason(found["host_api_calls", ""]) == "table_missing"


@pytest.mark.corpus
@needs_corpus
@pytest.mark.parametrize("rank", [0, 1])
def test_levels_of_the_corpus(rank: int) -> None:
    path = torch(1, rank)
    file = path / "ASCEND_PROFILER_OUTPUT/api_statistic.csv"
    found = by_part(host.measure(place(KERNELS, apis=read_apis(file, path, shown="api_statistic.csv"))))
    with file.open(newline="") as opened:
        rows = list(csv.DictReader(opened))
    for written in {row["Level"] for row in rows}:
        level = "communication" if written == "hccl" else written
        of = [row for row in rows if row["Level"] == written]
        assert value(found["host_api_time", level]) == sum(Fraction(row["Time(us)"]) for row in of) * 1000
        assert value(found["host_api_calls", level]) == sum(int(row["Count"]) for row in of)


# --------------------------------------------------------------------------------------------- iterations
def test_iterations_by_model_without_the_first() -> None:
    # docs/formats.md 11.7: iterations take 15 to 18 ms while their starts lie 30 to 40 ms apart, the first ones more
    held = graphs(("3", "1", 48, 48), ("3", "2", 96, 16), ("3", "3", 130, 17), ("3", "4", 166, 18), ("9", "1", 40, 7))
    found = by_part(iterations.measure(place(KERNELS, iterations=held)))
    time = found["graph_iteration_time", "3"]
    assert time.sample is not None
    assert (value(time), time.sample.labels, time.sample.dropped) == (17, ("2", "3", "4"), ("1",))
    between = found["graph_iteration_interval", "3"]
    assert between.sample is not None
    assert (value(between), between.sample.values, between.sample.dropped) == (35, (34, 36), ("2",))  # 48 was left out
    # of one iteration alone nothing is left out, and there is no interval
    assert (value(found["graph_iteration_time", "9"]), codes(found["graph_iteration_time", "9"])) == (7, [])
    assert reason(found["graph_iteration_interval", "9"]) == "no_successive_iterations"


def test_an_interval_never_spans_a_missing_iteration() -> None:
    held = graphs(("3", "1", 10, 1), ("3", "2", 20, 1), ("3", "4", 40, 1), ("3", "5", 52, 1))
    between = by_part(iterations.measure(place(KERNELS, iterations=held)))["graph_iteration_interval", "3"]
    assert between.sample is not None
    assert between.sample.values == (12,)
    assert {w.code: w.arg("n") for w in between.warnings}["iterations_not_successive"] == "1"


def test_rows_are_ordered_by_their_ends_and_huge_ids_do_no_harm() -> None:
    held = graphs(("3", "9" * 5000, 35, 1), ("3", "1", 10, 2), ("3", "2", 20, 1))
    between = by_part(iterations.measure(place(KERNELS, iterations=held)))["graph_iteration_interval", "3"]
    assert between.sample is not None
    assert between.sample.values == (15,)  # of 10 and 15; the first is left out


def test_other_devices_iterations_are_not_this_ranks() -> None:
    held = graphs(("3", "1", 10, 5), ("3", "1", 10, 9), device=("0", "1"))
    found = by_part(iterations.measure(place(KERNELS, iterations=held)))
    assert value(found["graph_iteration_time", "3"]) == 5


def test_a_capture_without_graphs_has_no_iterations() -> None:
    found = by_part(iterations.measure(place(KERNELS)))
    assert [reason(one) for one in found.values()] == ["no_graph_iterations"] * 2
    other = UnreadFile(path="x/step_trace_time.csv", reason=Reason.of("table_unreadable", table="x", why="y"))
    assert reason(iterations.measure(place(KERNELS, unread=(other,)))[0]) == "no_graph_iterations"
    bad = UnreadFile(path="x/step_trace_20240401000000.csv", reason=Reason.of("table_unreadable", table="x", why="y"))
    assert reason(iterations.measure(place(KERNELS, unread=(bad,)))[0]) == "table_unreadable"


def test_only_models_with_most_iterations_are_shown() -> None:
    rows = [(str(model), str(k), 10 * k, 1) for model in range(iterations.MOST_MODELS + 2) for k in (1, 2)]
    held = graphs(*rows, ("7", "3", 30, 1))
    found = iterations.measure(place(KERNELS, iterations=held))
    assert found[0].dimensions.part == "7"
    assert sum(one.metric == "graph_iteration_time" for one in found) == iterations.MOST_MODELS
    assert {w.code: w.arg("n") for w in found[0].warnings}["parts_left_out"] == "2"
