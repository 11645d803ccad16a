"""The plain table of steps, as docs/logs.md defines it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from log_lines import codes, one, runs, series, stated

from reportgen.errors import CaptureError


@pytest.mark.parametrize(
    ("column", "written", "ns", "resolution"),
    [
        ("step_time_ms", "170.25", 170_250_000, 10_000),
        ("step_time_s", "0.17025", 170_250_000, 10_000),
        ("step_time(us)", "170250", 170_250_000, 1_000),
        ("step_time (ns)", "170250000", 170_250_000, 1),
        ("iteration_time_ms", "170.25", 170_250_000, 10_000),
        ("elapsed_ms", "170.25", 170_250_000, 10_000),
        ("elapsed_time_s", "1.7025E-1", 170_250_000, 10_000),
    ],
)
def test_the_unit_stands_in_the_header(tmp_path: Path, column: str, written: str, ns: int, resolution: int) -> None:
    run = one(tmp_path, f"step,{column}\n1,{written}\n2,{written}\n")
    assert run.producer == "steps_table"
    assert series(run, "step_time").sample.values == (ns, ns)
    assert series(run, "step_time").resolution.value == resolution


FULL = """\
step,step_time_ms,tokens,samples,loss,grad_norm,warmup,checkpoint,global_batch_size,note,host
1,900.5,32768,8,2.5,1.25,1,0,8,a,10.0.0.1
2,170.5,32768,8,2.4,1.26,0,0,8,b,10.0.0.1
3,171.5,32768,8,2.3,,no,false,8,c,10.0.0.1
4,450.5,32768,8,2.2,1.28,0,yes,8,d,10.0.0.1
"""


def test_every_column_has_its_meaning(tmp_path: Path) -> None:
    run = one(tmp_path, FULL)
    step = series(run, "step_time")
    assert (step.sample.labels, step.sample.dropped) == (("2", "3"), ("1", "4"))
    assert step.sample.values == (170_500_000, 171_500_000)
    assert step.locator == "lines 3-4, step_time_ms"
    assert series(run, "tokens").sample.values == (32768, 32768)
    assert series(run, "loss").sample.values == (Fraction(24, 10), Fraction(23, 10))
    assert series(run, "grad_norm").sample.labels == ("2",)  # an empty cell is no 0
    assert stated(run) == {"global_batch_size": "8"}
    assert codes(run) == ["log_checkpoint_rows", "log_warm_up_rows", "log_keys_unread", "log_withheld"]


@pytest.mark.parametrize(
    "text",
    [
        '[{"step": 1, "step_time_ms": 170.5}, {"step": 2, "step_time_ms": 171.5}]',
        '{"step": 1, "step_time_ms": 170.5}\n{"step": 2, "step_time_ms": 171.5}\n',
        '{"seed": 7, "steps": [{"step": 1, "step_time_ms": 170.5}, {"step": 2, "step_time_ms": 171.5}]}',
        "\ufeffstep,step_time_ms\r\n1,170.5\r\n2,171.5\r\n",
    ],
    ids=["list", "jsonl", "object", "csv of a spreadsheet"],
)
def test_json_and_csv_tell_the_same(tmp_path: Path, text: str) -> None:
    run = one(tmp_path, text)
    assert series(run, "step_time").sample.values == (170_500_000, 171_500_000)
    assert stated(run) == ({"seed": "7"} if "seed" in text else {})


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("step,step_time\n1,170\n", "log_unit_missing", "2"),
        ("step,elapsed\n1,170\n", "log_unit_missing", "2"),
        ("step,iteration,step_time_ms\n1,1,170\n", "log_columns", "2"),
        ("step,step_time_ms,elapsed_s\n1,170,1\n", "log_columns", "2"),
        ("step,step_time_ms,step\n1,170,1\n", "log_columns", "1"),
        ("step,step_time_ms\n1,170\n2\n", "log_row", "3"),
        ("step,step_time_ms\n1,170 ms\n", "log_row", "2"),
        ("step,step_time_ms\n1,\n", "log_row", "2"),
        ("step,step_time_ms\n1,0\n", "log_row", "2"),
        ("step,step_time_ms\nx,170\n", "log_row", "2"),
        ("step,step_time_ms,warmup\n1,170,maybe\n", "log_row", "2"),
        ("step,step_time_ms,tokens\n1,170,1.5\n", "log_row", "2"),
        ("step,step_time_ms\n1,170\n1,171\n", "log_mixed", "3"),
        ("step,step_time_ms\n", "log_no_records", ""),
        ('{"step": 1, "step_time_ms": [170]}', "log_row", "1"),
        ('{"step": 1, "step_time_ms": NaN}', "log_row", "1"),
        ("step,elapsed_ms\n" + "".join(f"{i},{i * 170}\n" for i in range(1, 12)), "log_columns", "2"),
    ],
)
def test_what_is_not_in_the_format_is_refused_with_its_line(tmp_path: Path, text: str, code: str, line: str) -> None:
    with pytest.raises(CaptureError) as fault:
        runs(tmp_path, text)
    assert fault.value.code == code
    assert fault.value.hint
    assert fault.value.where.rpartition("any.name")[2].lstrip(":") == line


def test_a_last_row_without_a_line_end_may_be_cut_and_is_not_used(tmp_path: Path) -> None:
    run = one(tmp_path, "step,step_time_ms\n1,170.5\n2,17")
    assert series(run, "step_time").sample.labels == ("1",)
    assert codes(run) == ["log_last_row"]


def test_a_step_number_that_goes_back_begins_another_run(tmp_path: Path) -> None:
    found = runs(tmp_path, "step,step_time_ms\n1,170\n2,171\n1,180\n2,181\n")
    assert [series(run, "step_time").sample.values[0] for run in found] == [170_000_000, 180_000_000]
