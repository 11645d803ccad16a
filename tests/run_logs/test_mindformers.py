"""MindFormers: step lines of both trainers, the line after them, restarts, the clock, epochs of TimeMonitor."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest
from run_logs.results import MS, broken, codes

from reportgen.errors import CaptureError
from reportgen.model import LoggedSeries, Reason, Run
from reportgen.run_logs import read_runs

# as published (llama2 13b, 8 NPUs), the third step retyped to its end
# ruff: noqa: E501, ISC004 - lines as published
HEAD = "- [mindformers/core/callback/callback.py:529] - INFO -"
LINES = [
    f"2025-04-07 15:34:27,308 {HEAD} {{ Epoch:[  1/  2], step:[    1/   19], loss: 10.649, per_step_time: 103328ms, "
    "lr: 0.0, overflow cond: False, loss_scale: 1.0, global_norm: [1 31049], train_throughput_per_npu: 2.896T",
    f"2025-04-07 15:34:27,309 {HEAD}    2.6% |█               | 0.07742 samples/s/p  1:03:41 }}",
    f"2025-04-07 15:34:29,173 {HEAD} {{ Epoch:[  1/  2], step:[    2/   19], loss: 10.633, per_step_time: 1752ms, "
    "lr: 1e-05, overflow cond: False, loss_scale: 1.0, global_norm: [1 508834], train_throughput_per_npu: 170.738T",
    f"2025-04-07 15:34:29,174 {HEAD}    5.3% |██              | 4.56621 samples/s/p  0:01:02 }}",
    f"2025-04-07 15:34:30,941 {HEAD} {{ Epoch:[  1/  2], step:[    3/   19], loss: 9.673, per_step_time: 1754ms, "
    "lr: 9.981987e-06, overflow cond: False, loss_scale: 1.0, global_norm: [1 80000], train_throughput_per_npu: 170.544T",
    f"2025-04-07 15:34:30,942 {HEAD}    7.9% |███             | 4.56100 samples/s/p  0:01:01 }}",
]
PYNATIVE = (
    "{ step:[    2/   10], loss:  11.755612, per_step_time:    710ms, load_balancing_loss:   1.106543, "
    "lr: 1.000000e-05, grad_norm:  19.926786, throughput:  25.92T }\n"
    "{ step:[    3/   10], loss: N/A (non-last PP stage, see the last), per_step_time:    711ms, lr: 1.0e-05, "
    "grad_norm:  19.9, throughput:  25.88T }\n"
)


def read(tmp_path: Path, text: str) -> tuple[Run, ...]:
    path = tmp_path / "worker_0.log"
    path.write_text(text, encoding="utf-8")
    return read_runs(path)


def series(run: Run, metric: str, kind: str = "") -> LoggedSeries:
    (found,) = [one for one in run.series if (one.metric, one.kind) == (metric, kind)]
    return found


def test_steps_without_the_one_that_compiles_the_graph(tmp_path: Path) -> None:
    (run,) = read(tmp_path, "\n".join(LINES) + "\n")
    times = series(run, "step_time")
    assert times.sample.values == (1752 * MS, 1754 * MS)
    assert (times.sample.labels, times.sample.dropped) == (("2", "3"), ("1",))
    assert times.resolution.value == MS
    # T counts 10^12 operations a second
    assert series(run, "throughput", "flops_per_s_per_rank").sample.values[0] == Fraction("170.738") * 10**12
    assert series(run, "loss").sample.values == (Fraction("10.633"), Fraction("9.673"))


def test_the_samples_of_a_step_stand_in_the_line_after_it(tmp_path: Path) -> None:
    (run,) = read(tmp_path, "\n".join(LINES) + "\n")
    found = series(run, "throughput", "samples_per_s_per_rank")
    assert (found.sample.labels, found.sample.values) == (("2", "3"), (Fraction("4.56621"), Fraction("4.56100")))


def test_steps_longer_than_the_clock_shows_break_their_relation(tmp_path: Path) -> None:
    # 15:34:29.173 to 15:34:30.941 are 1768 ms; the third step says 1754 ms, 1 s is allowed to the clock
    (run,) = read(tmp_path, "\n".join(LINES) + "\n")
    clock = next(one for one in run.identities if one.id == "I1")
    assert (clock.found.value, clock.expected.value) == (1754 * MS, 1768 * MS)
    assert broken(run) == []
    (run,) = read(tmp_path, "\n".join(LINES).replace("per_step_time: 1754ms", "per_step_time: 2754ms") + "\n")
    assert "steps_within_clock" not in broken(run)
    (run,) = read(tmp_path, "\n".join(LINES).replace("per_step_time: 1754ms", "per_step_time: 2770ms") + "\n")
    assert "steps_within_clock" in broken(run)


def test_work_of_a_step_is_constant(tmp_path: Path) -> None:
    # 170.738 x 1752 to 1753 ms are 299.133 to 299.304 TFLOP, 170.544 x 1754 to 1755 are 299.134 to 299.305; a time of
    # 1755 ms would be 299.305 to 299.475 and just touches, one of 1756 does not. 4.56621 x 1.752 = 8.0 samples
    for ms, found in (("1755", []), ("1757", ["flops_times_time", "samples_times_time"])):
        (run,) = read(tmp_path, "\n".join(LINES).replace("per_step_time: 1754ms", f"per_step_time: {ms}ms") + "\n")
        assert broken(run) == found, ms
    (run,) = read(tmp_path, "\n".join(LINES) + "\n")
    assert [(v.metric, v.statistic, v.value.value) for v in run.values] == [("samples_per_step", "mean", 8)]


def test_a_step_that_lacks_what_the_others_have_is_left_out(tmp_path: Path) -> None:
    (run,) = read(tmp_path, "\n".join(LINES[:5]) + "\n")
    assert series(run, "step_time").sample.labels == ("2",)
    assert series(run, "step_time").sample.dropped == ("1", "3")
    assert run.left_out == (Reason.of("log_partial_lines", n=1, line=5),)


@pytest.mark.parametrize("held", ["0ms", "-5ms", "N/A"])
def test_a_time_that_is_no_number_above_0_leaves_the_log_not_whole(tmp_path: Path, held: str) -> None:
    (run,) = read(tmp_path, "\n".join(LINES).replace("1754ms", held) + "\n")
    assert series(run, "step_time").sample.labels == ("2",)
    assert run.left_out == (Reason.of("log_figures_unreadable", key="per_step_time", n=1, line=5),)


def test_a_time_that_stands_twice_gives_none(tmp_path: Path) -> None:
    (run,) = read(
        tmp_path,
        "\n".join(LINES).replace("per_step_time: 1754ms", "per_step_time: 1754ms, per_step_time: 900ms") + "\n",
    )
    assert series(run, "step_time").sample.labels == ("2",)
    assert Reason.of("log_partial_lines", n=1, line=5) in run.left_out


def test_a_line_is_a_mean_where_the_data_sink(tmp_path: Path) -> None:
    """A loss without its mean tells so; lines ten steps apart are then means of ten steps."""
    text = "\n".join(LINES).replace("step:[    3/", "step:[   12/")
    (run,) = read(tmp_path, text + "\n")
    assert series(run, "step_time").weights == (10, 10)
    (run,) = read(tmp_path, re.sub(r"loss: ([0-9.]+)", r"loss:[\1/\1]", text) + "\n")
    assert series(run, "step_time").weights == (1, 1)


def test_a_step_of_the_second_epoch_counts_on(tmp_path: Path) -> None:
    later = LINES[4].replace("Epoch:[  1/  2], step:[    3/   19]", "Epoch:[  2/  2], step:[    1/   19]")
    (run,) = read(tmp_path, "\n".join([*LINES[:4], later, LINES[5]]) + "\n")
    assert series(run, "step_time").sample.labels == ("2", "20")


def test_lines_twice_are_used_once_and_other_figures_refuse_the_file(tmp_path: Path) -> None:
    (run,) = read(tmp_path, "\n".join([LINES[2], LINES[2], LINES[4]]) + "\n")
    assert run.left_out == (Reason.of("log_lines_twice", n=1),)
    with pytest.raises(CaptureError) as caught:
        read(tmp_path, "\n".join([LINES[2], LINES[2].replace("1752ms", "1700ms")]) + "\n")
    assert (caught.value.code, caught.value.where.endswith(":2")) == ("log_mixed", True)


def test_steps_that_begin_anew_are_another_run(tmp_path: Path) -> None:
    first, second = read(tmp_path, "\n".join([*LINES, *LINES]) + "\n")
    assert (first.segment, second.segment) == (0, 1)
    assert series(first, "step_time").sample == series(second, "step_time").sample


def test_a_step_without_update_is_a_doubt(tmp_path: Path) -> None:
    (run,) = read(tmp_path, "\n".join(LINES).replace("overflow cond: False", "overflow cond: True", 2) + "\n")
    assert Reason.of("log_steps_without_update", n=2) in run.warnings
    assert (series(run, "step_time").sample.labels, series(run, "step_time").sample.dropped) == (("3",), ("1", "2"))


def test_the_newer_trainer_and_a_stage_that_has_no_loss(tmp_path: Path) -> None:
    (run,) = read(tmp_path, PYNATIVE)
    assert series(run, "step_time").sample.values == (710 * MS, 711 * MS)
    assert series(run, "loss").sample.labels == ("2",)
    assert series(run, "grad_norm").sample.values == (Fraction("19.926786"), Fraction("19.9"))
    assert series(run, "throughput", "flops_per_s_per_rank").sample.values[1] == Fraction("25.88") * 10**12
    assert run.definitions != read(tmp_path, "\n".join(LINES) + "\n")[0].definitions


def test_a_loss_of_now_and_mean_gives_now(tmp_path: Path) -> None:
    (run,) = read(tmp_path, "\n".join(LINES).replace("loss: 10.633", "loss:[10.633/10.641]") + "\n")
    assert series(run, "loss").sample.values[0] == Fraction("10.633")


def test_short_steps_are_too_coarse(tmp_path: Path) -> None:
    (run,) = read(tmp_path, "\n".join(LINES).replace("1752ms", "31ms").replace("1754ms", "32ms") + "\n")
    assert "log_resolution_coarse" in codes(run)


def test_epochs_of_time_monitor_are_means_and_the_first_holds_the_compilation(tmp_path: Path) -> None:
    text = (
        "Train epoch time: 155616.483 ms, per step time: 1427.674 ms\n"
        "Train epoch time: 55616.483 ms, per step time: 510.243 ms\n"
    )
    (run,) = read(tmp_path, text)
    times = series(run, "step_time")
    assert times.sample.values == (Fraction("510.243") * MS,)
    # 55616.483 / 510.243 = 109 steps
    assert (times.weights, times.sample.labels, times.sample.dropped) == ((109,), ("2",), ("1",))
    assert codes(run) == {"mindspore_epoch_means"}
    assert broken(run) == []
    (run,) = read(tmp_path, text.replace("per step time: 510.243", "per step time: 408.194") + "\n")
    assert broken(run) == ["steps_of_epoch"]  # 55616.483 / 408.194 = 136.25
    with pytest.raises(CaptureError) as caught:
        read(tmp_path, text.replace("510.243", "0.000"))
    assert caught.value.code == "log_value"
    (run,) = read(tmp_path, text.splitlines()[0] + "\n")
    assert codes(run) == {"mindspore_epoch_means", "mindspore_first_epoch"}
