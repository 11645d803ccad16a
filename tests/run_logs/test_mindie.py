"""MindIE Benchmark: the published pair on the screen, the csv pair without names of rows, relations, refusals."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from run_logs import mindie_pages as pages
from run_logs.results import MS, broken, codes, identity, logged, said, value

from reportgen.errors import CaptureError
from reportgen.model import Reason
from reportgen.run_logs import read_runs

STAMP = "20250319082917778"


def screen(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "benchmark.log"
    path.write_text(text, encoding="utf-8")
    return path


def csv_pair(tmp_path: Path, perf: str = pages.PERF_CSV, common: str = pages.COMMON_CSV) -> Path:
    if perf:
        (tmp_path / f"result_perf_{STAMP}.csv").write_text(perf, encoding="utf-8")
    if common:
        (tmp_path / f"result_common_{STAMP}.csv").write_text(common, encoding="utf-8")
    return tmp_path


def test_the_published_pair(tmp_path: Path) -> None:
    before, after = read_runs(screen(tmp_path, pages.BEFORE + pages.AFTER))
    assert (before.producer, before.definitions, before.segment, after.segment) == (
        "mindie_benchmark", "mindie_benchmark", 0, 1,
    )  # fmt: skip
    rates = [value(run, "throughput", "output_tokens_per_s", "mean") for run in (before, after)]
    assert rates == [Fraction("35.9032"), Fraction("327.3233")]
    # the mean of the gaps says 9.4 times faster, P90 says slightly slower: the goal has to name the statistic
    means = [value(run, "latency", "itl", "mean") for run in (before, after)]
    assert means == [Fraction("272.8685") * MS, Fraction("29.1162") * MS]
    high = [value(run, "latency", "itl", "p90") for run in (before, after)]
    assert high == [Fraction("29.1581") * MS, 31 * MS]
    assert [value(run, "latency", "ttft", "mean") for run in (before, after)] == [
        Fraction("106.8642") * MS,
        Fraction("97.07") * MS,
    ]
    assert [said(run)["max_concurrency"] for run in (before, after)] == ["10", "10"]
    assert [value(run, "decode_batch_size", "", "mean") for run in (before, after)] == [1, Fraction("9.7255")]


def test_decode_time_is_the_gap_between_tokens_and_never_the_time_per_output_token(tmp_path: Path) -> None:
    (run,) = read_runs(screen(tmp_path, pages.BEFORE))
    assert not [one for one in run.values if one.kind == "tpot"]
    # SLO_P90 of DecodeTime is the P90 of each request's own mean: neither a P90 of the gaps nor a TPOT
    slo = logged(run, "latency", "mean_gap_per_request", "p90")
    assert (slo.value.value, slo.locator) == (Fraction("507.8787") * MS, "line 7, SLO_P90")
    assert [one.statistic for one in run.values if one.statistic == "slo_p90"] == []


def test_a_mean_above_its_p99_is_a_doubt(tmp_path: Path) -> None:
    before, after = read_runs(screen(tmp_path, pages.BEFORE + pages.AFTER))
    assert before.warnings == (Reason.of("log_mean_above_p99", what="itl", mean="272.8685 ms", p99="44.7554 ms"),)
    assert after.warnings == ()


def test_the_relations_hold_on_both_published_runs(tmp_path: Path) -> None:
    for run in read_runs(screen(tmp_path, pages.BEFORE + pages.AFTER)):
        assert broken(run) == []
        assert [one.id for one in run.identities if one.id != "I15"] == ["I11", "I11", "I11", "I11", "I13", "I16"]
    # 35.9032 / 10 = 3.59032, written 3.5903; 106.8642 ms / 60.89 = 1.755037 ms, written 1.755; 200 / 2502.9557 = 0.0799
    (run, _) = read_runs(screen(tmp_path, pages.BEFORE + pages.AFTER))
    assert identity(run, "speed_over_concurrency").expected.value == Fraction("3.59032")
    assert float(identity(run, "first_token_time_over_input_tokens").expected.value) == pytest.approx(
        1.755037 * MS, abs=1
    )
    assert float(identity(run, "requests_over_duration").expected.value) == pytest.approx(0.0799055)
    # 449.32 x 200 / 2502.9557 s = 35.90315
    assert float(identity(run, "output_tokens_over_duration").expected.value) == pytest.approx(35.90315)
    # 0.0799 req/s x 122.4457 s = 9.783 of at most 10
    assert float(identity(run, "mean_concurrency_within_limit").found.value) == pytest.approx(9.7834, abs=1e-4)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("35.9032 token/s", "39.9032 token/s", "speed_over_concurrency"),
        ("35.9032 token/s", "39.9032 token/s", "output_tokens_over_duration"),
        ("1.755 ms", "1.455 ms", "first_token_time_over_input_tokens"),
        ("0.0799 req/s", "0.0899 req/s", "requests_over_duration"),
        ("                       10 |", "                        2 |", "mean_concurrency_within_limit"),
    ],
)
def test_an_edited_figure_breaks_a_relation(tmp_path: Path, old: str, new: str, what: str) -> None:
    (run,) = read_runs(screen(tmp_path, pages.BEFORE.replace(old, new)))
    assert what in broken(run)


def test_the_end_of_a_run_is_the_stamp_of_its_message_with_its_zone(tmp_path: Path) -> None:
    (run,) = read_runs(screen(tmp_path, pages.BEFORE.replace("+00:00]", "+08:00]")))
    assert run.ended is not None
    assert run.began is not None
    # 2025-03-18 11:42:57.066 +08:00 = 03:42:57.066 UTC = 1742269377.066 s; less 2502.9557 s
    assert run.ended.value == 1_742_269_377_066_000_000
    assert run.began.value == 1_742_269_377_066_000_000 - 2_502_955_700_000


def test_what_was_not_measured_and_what_must_not_be_kept_is_left_out(tmp_path: Path) -> None:
    (run,) = read_runs(screen(tmp_path, pages.BEFORE))
    assert run.left_out == (
        Reason.of("log_not_measured", column="PostProcessingTime"),
        Reason.of("log_not_measured", column="ForwardTime"),
    )
    assert said(run) == {
        "local_time": "2025-03-18 11:42:57",
        "dataset": "<path>/gsm8k-200",
        "max_concurrency": "10",
        "model": "QwQ-32B",
    }
    assert "/home" not in repr(run.context)


@pytest.mark.parametrize("column", ["TimeElapsed", "Failed", "Returned", "Total", "Concurrency", "Throughput"])
def test_a_figure_that_is_always_written_is_missed(tmp_path: Path, column: str) -> None:
    text = "".join(line for line in pages.BEFORE.splitlines(keepends=True) if f" {column} |" not in line)
    (run,) = read_runs(screen(tmp_path, text))
    assert Reason.of("log_figures_missing", keys=column) in run.left_out


def without_column(text: str, column: str) -> str:
    """A page whose table of statistics lacks a column."""
    lines = text.splitlines(keepends=True)
    (header,) = [line for line in lines if column in line and "Metric" in line]
    place = [cell.strip() for cell in header.split("|")].index(column)
    cells = [line.split("|") for line in lines]
    return "".join(
        "|".join([*row[:place], *row[place + 1 :]]) if len(row) == len(header.split("|")) else "|".join(row)
        for row in cells
    )


@pytest.mark.parametrize(
    ("column", "missed"),
    [("average", "mean"), ("max", "max"), ("min", "min"), ("P75", "p75"), ("P90", "p90"), ("P99", "p99")],
)
def test_a_statistic_that_is_always_written_is_missed(tmp_path: Path, column: str, missed: str) -> None:
    (run,) = read_runs(screen(tmp_path, without_column(pages.BEFORE, column)))
    assert Reason.of("log_figures_missing", keys=missed) in run.left_out
    assert missed not in {one.statistic for one in run.values if one.kind == "itl"}


def test_a_column_of_an_unknown_name_gives_no_figure_and_is_named(tmp_path: Path) -> None:
    (run,) = read_runs(screen(tmp_path, pages.BEFORE.replace("            min |", "             mn |")))
    assert Reason.of("log_keys_unread", keys="mn") in run.left_out
    assert Reason.of("log_figures_missing", keys="min") in run.left_out
    assert "mn" not in {one.statistic for one in run.values}


def test_a_column_that_stands_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CaptureError) as caught:
        read_runs(screen(tmp_path, pages.BEFORE.replace("            min |", "            max |")))
    assert (caught.value.code, caught.value.where.rpartition(":")[2]) == ("log_unreadable", "4")


@pytest.mark.parametrize("rest", ["", "+-----+\n"])
def test_a_heading_without_a_table_is_refused(tmp_path: Path, rest: str) -> None:
    with pytest.raises(CaptureError) as caught:
        read_runs(screen(tmp_path, f"The BenchMark test common metric result is:\n{rest}"))
    assert caught.value.code == "log_no_records"


def test_newer_releases_print_three_speeds(tmp_path: Path) -> None:
    # as published for MindIE 2: 5.3221 + 32.6631 = 37.9852; 5.3221 / 128 = 0.0416; 313 / 9.5827 s = 32.663
    text = pages.BEFORE.replace(
        "|          GenerateSpeed |              35.9032 token/s |",
        "|    OutputGenerateSpeed |              35.9032 token/s |\n"
        "|     InputGenerateSpeed |               4.8654 token/s |\n"
        "|     TotalGenerateSpeed |              40.7686 token/s |",
    )
    (run,) = read_runs(screen(tmp_path, text))
    assert value(run, "throughput", "total_tokens_per_s", "mean") == Fraction("40.7686")
    # 60.89 x 200 / 2502.9557 s = 4.86545
    assert broken(run) == []
    assert {"input_tokens_over_duration", "input_and_output_are_total"} <= {one.what for one in run.identities}


def test_a_log_of_common_figures_alone_says_what_it_lacks(tmp_path: Path) -> None:
    text = pages.BEFORE[pages.BEFORE.index("[2025-03-18 11:42:57.066") :]
    (run,) = read_runs(screen(tmp_path, text))
    assert Reason.of("log_part_missing", file="performance metric result") in run.left_out
    assert value(run, "throughput", "requests_per_s", "mean") == Fraction("0.0799")


def test_failed_requests_are_a_doubt(tmp_path: Path) -> None:
    (run,) = read_runs(screen(tmp_path, pages.BEFORE.replace("0( 0.0% )", "3( 1.5% )")))
    assert Reason.of("log_requests_failed", n=3) in run.warnings


# ------------------------------------------------------------------------------------------------ the csv pair
@pytest.mark.parametrize("name", ["", f"result_perf_{STAMP}.csv", f"result_common_{STAMP}.csv"])
def test_the_pair_of_files_says_what_the_screen_says(tmp_path: Path, name: str) -> None:
    (run,) = read_runs(csv_pair(tmp_path) / name)
    (shown,) = read_runs(screen(tmp_path, pages.AFTER))
    assert [run.file.path, *(one.path for one in run.more)] == [
        f"result_perf_{STAMP}.csv",
        f"result_common_{STAMP}.csv",
    ]
    there = {(one.metric, one.kind, one.statistic): one.value.value for one in shown.values}
    here = {(one.metric, one.kind, one.statistic): one.value.value for one in run.values}
    shared = there.keys() & here.keys()
    assert len(shared) > 30
    assert {key: there[key] for key in shared} == {key: here[key] for key in shared}
    assert value(run, "latency", "queue_wait", "mean") == Fraction("601.6063") * 1000  # μs
    assert broken(run) == []


def rows_of(*numbers: int) -> str:
    lines = pages.PERF_CSV.splitlines(keepends=True)
    return lines[0] + "".join(lines[number] for number in numbers)


@pytest.mark.parametrize(
    ("rows", "statistics", "inferred"),
    [
        ((1, 2, 3, 4, 5, 6, 7, 8), {"mean", "max", "min", "p75", "p90", "p99", "count"}, False),
        ((1, 2, 3, 4, 5, 7, 8), {"mean", "max", "min", "p75", "p90", "p99", "count"}, True),
        ((1, 2, 3, 4, 7, 8), {"mean", "max", "min", "p75", "p99", "count"}, False),
    ],
)
def test_the_number_of_rows_names_them(
    tmp_path: Path, rows: tuple[int, ...], statistics: set[str], inferred: bool
) -> None:
    (run,) = read_runs(csv_pair(tmp_path, rows_of(*rows)))
    assert {one.statistic for one in run.values if one.kind == "ttft"} == statistics
    assert value(run, "latency", "ttft", "p99") == Fraction("164.02") * MS
    assert ("mindie_rows_inferred" in codes(run)) is inferred


@pytest.mark.parametrize(
    "rows",
    [
        (1, 2, 3, 4, 5),  # five rows
        (1, 2, 3, 4, 5, 6, 7, 7, 8),  # nine
        (1, 3, 2, 4, 5, 6, 7, 8),  # maximum and minimum exchanged
        (2, 1, 3, 4, 5, 6, 7, 8),  # mean above the maximum
        (1, 2, 3, 7, 5, 6, 4, 8),  # P75 above P99
        (8, 2, 3, 4, 5, 6, 7, 1),  # no count in the last row
        (1, 2, 3, 4, 5, 6, 7),  # the count is cut off
    ],
)
def test_rows_that_do_not_bear_their_names_are_refused(tmp_path: Path, rows: tuple[int, ...]) -> None:
    with pytest.raises(CaptureError) as caught:
        read_runs(csv_pair(tmp_path, rows_of(*rows)))
    assert caught.value.code in ("log_statistics", "log_value")


@pytest.mark.parametrize("mean", ["61.9 ms", "169.1 ms"])  # FirstTokenTime lies between 62 and 169 ms
def test_a_mean_outside_of_minimum_and_maximum_is_refused(tmp_path: Path, mean: str) -> None:
    with pytest.raises(CaptureError) as caught:
        read_runs(csv_pair(tmp_path, pages.PERF_CSV.replace("97.07 ms", mean)))
    assert caught.value.code == "log_statistics"


def test_one_file_of_the_pair_says_what_it_lacks(tmp_path: Path) -> None:
    (run,) = read_runs(csv_pair(tmp_path, common="") / f"result_perf_{STAMP}.csv")
    assert run.left_out[0] == Reason.of("log_part_missing", file="result_common")
    assert run.context == ()


def test_a_table_on_the_screen_that_is_cut_is_refused(tmp_path: Path) -> None:
    for cut in ("ms |  44.", "| 200 |\n|      LastDecodeTime |     27.3458 ms |     44.67"):
        end = pages.BEFORE.index(cut) + len(cut) if cut in pages.BEFORE else pages.BEFORE.index("44.7554")
        with pytest.raises(CaptureError) as caught:
            read_runs(screen(tmp_path, pages.BEFORE[:end]))
        assert caught.value.code == "log_unreadable"
