"""Training front ends: Hugging Face Trainer, LLaMA-Factory, verl, ModelZoo, progress bars."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from run_logs.results import broken, codes, identity, logged, said, value

from reportgen.errors import CaptureError
from reportgen.model import LoggedSeries, Quantity, Reason, Run
from reportgen.run_logs import read_runs

S = 10**9


def read(tmp_path: Path, text: str) -> tuple[Run, ...]:
    path = tmp_path / "train.log"
    path.write_text(text, encoding="utf-8")
    return read_runs(path)


def series(run: Run, metric: str, kind: str = "") -> LoggedSeries:
    (found,) = [one for one in run.series if (one.metric, one.kind) == (metric, kind)]
    return found


# ------------------------------------------------------------------------------------------------ Hugging Face
SUMMARY = (
    "{'loss': 1.0, 'grad_norm': 2.0, 'learning_rate': 1e-05, 'epoch': 1.0}\n"
    "100%|██████████| 375/375 [06:24<00:00,  1.03s/it]"
    "{'train_runtime': 384.55, 'train_samples_per_second': 7.801, 'train_steps_per_second': 0.975, "
    "'train_loss': 1.0557, 'epoch': 3.0}\n"
)


def test_the_summary_of_the_trainer_is_a_mean_of_the_whole_run(tmp_path: Path) -> None:
    (run,) = read(tmp_path, SUMMARY)
    assert (run.producer, run.definitions) == ("hf_trainer", "hf_trainer_whole_run")
    assert value(run, "duration", "", "total") == Fraction("384.55") * S
    assert value(run, "throughput", "samples_per_s", "mean") == Fraction("7.801")
    assert logged(run, "throughput", "steps_per_s", "mean").value == Quantity(
        value=Fraction("0.975"),
        unit="1/s",
        written="0.975 1/s",  # a mean of repeats, which nobody wrote, has this unit
    )
    assert run.values[1].resolution.value == Fraction("0.001")
    assert codes(run) == {"log_whole_run_means"}
    assert said(run) == {"epochs": "3.0"}


def test_a_release_that_prints_texts_and_a_result_file(tmp_path: Path) -> None:
    (run,) = read(tmp_path, SUMMARY.replace("7.801", "'7.801'"))
    assert value(run, "throughput", "samples_per_s", "mean") == Fraction("7.801")
    (run,) = read(tmp_path, json.dumps({"epoch": 3.0, "train_runtime": 384.55, "train_samples_per_second": 7.801}))
    assert value(run, "throughput", "samples_per_s", "mean") == Fraction("7.801")


def test_the_state_of_the_trainer_gives_its_losses(tmp_path: Path) -> None:
    history = [{"step": 10, "loss": 2.5}, {"step": 20, "loss": 2.25}, {"step": 20, "train_runtime": 100.0}]
    (run,) = read(tmp_path, json.dumps({"global_step": 20, "log_history": history}))
    losses = series(run, "loss").sample
    assert (losses.labels, losses.values) == (("10", "20"), (Fraction("2.5"), Fraction("2.25")))
    assert said(run)["steps"] == "20"
    assert value(run, "duration", "", "total") == 100 * S


@pytest.mark.parametrize("text", ["{'train_runtime': 384.55, 'train_sam", "{'train_runtime': __import__('os')}\n"])
def test_a_summary_that_is_cut_or_no_literal_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(CaptureError) as caught:
        read(tmp_path, text)
    assert caught.value.code in ("log_unreadable", "log_value")


def test_a_summary_says_everything_once(tmp_path: Path) -> None:
    with pytest.raises(CaptureError) as caught:
        read(tmp_path, SUMMARY.replace("'epoch': 3.0}", "'train_samples_per_second': 9.9, 'epoch': 3.0}"))
    assert caught.value.code == "log_unreadable"
    result = json.dumps({"epoch": 3.0, "train_runtime": 384.55, "train_samples_per_second": 7.801})
    with pytest.raises(CaptureError) as caught:
        read(tmp_path, f"{result}\n{result.replace('7.801', '9.9')}")
    assert (caught.value.code, caught.value.where.endswith(":2")) == ("log_mixed", True)


@pytest.mark.parametrize("held", ["0", "-7.801", "nan"])
def test_a_rate_of_the_trainer_is_above_0(tmp_path: Path, held: str) -> None:
    with pytest.raises(CaptureError) as caught:
        read(tmp_path, SUMMARY.replace("7.801", f"'{held}'"))
    assert caught.value.code == "log_value"


# ------------------------------------------------------------------------------------------------ LLaMA-Factory
def row(step: int, clock: str, tokens: int, **more: Any) -> str:
    held = {"current_steps": step, "total_steps": 1750, "loss": 0.15, "learning_rate": 5e-05, "epoch": 7.67}
    held |= {"percentage": 77.14, "elapsed_time": clock, "remaining_time": "0:46:44", "total_tokens": tokens}
    return json.dumps({**held, **more}) + "\n"


def test_differences_of_the_clock_are_taken_and_the_running_mean_is_only_checked(tmp_path: Path) -> None:
    # 10 steps in 70 s are 7 s a step, to 1 s / 10; 178_000 tokens in 70 s are 2542.86 a second
    text = row(1340, "2:36:35", 23_858_672) + row(1350, "2:37:45", 24_036_672, throughput=2539.32)
    (run,) = read(tmp_path, text)
    times = series(run, "step_time")
    assert (times.sample.values, times.weights, times.sample.labels) == ((7 * S,), (10,), ("1350",))
    assert times.resolution.value == S // 10
    rate = series(run, "throughput", "tokens_per_s_global")
    assert rate.sample.values == (Fraction(178_000, 70),)
    assert codes(run) == {"log_clock_seconds", "log_resolution_coarse"}
    # 24036672 / 9465 s = 2539.53; a clock of whole seconds allows 9464 to 9466 s: 2539.26 to 2539.80
    assert broken(run) == []
    assert identity(run, "tokens_over_clock").id == "I3"
    (run,) = read(tmp_path, text.replace("2539.32", "2545.00"))
    assert broken(run) == ["tokens_over_clock"]


def test_a_clock_of_days_a_restart_and_evaluations(tmp_path: Path) -> None:
    text = row(10, "23:59:50", 1000) + row(20, "1 day, 0:00:10", 2000) + '{"current_steps": 20, "eval_loss": 0.2}\n'
    first, second = read(tmp_path, text + row(10, "0:00:20", 1000) + row(20, "0:00:50", 2000))
    assert series(first, "step_time").sample.values == (2 * S,)
    assert series(second, "step_time").sample.values == (3 * S,)


def test_tokens_of_a_step_lie_between_the_first_and_the_last_line(tmp_path: Path) -> None:
    # 178_000 tokens in 10 steps
    (run,) = read(tmp_path, row(1340, "2:36:35", 23_858_672) + row(1350, "2:37:45", 24_036_672))
    assert value(run, "tokens_per_step", "", "mean") == 17_800


def test_two_runs_mixed_in_one_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CaptureError) as caught:
        read(tmp_path, row(10, "0:00:20", 1000) + row(10, "0:00:22", 1000))
    assert caught.value.code == "log_mixed"


# ------------------------------------------------------------------------------------------------ verl
def step(number: int, tokens: int, time: str, rate: str) -> str:
    return (
        f"(TaskRunner pid=4711) step:{number} - response_length/mean:93.1 - timing_s/gen:12.3 - "
        f"timing_s/agent_loop/slowest:9.1 - timing_s/update_actor:21.52 - timing_s/step:{time} - "
        f"perf/total_num_tokens:{tokens} - perf/time_per_step:{time} - perf/throughput:{rate}\n"
    )


def test_steps_of_verl_without_the_warm_up_of_the_engine(tmp_path: Path) -> None:
    # as published: 159906 / (48.7025266494602 x 3283.320414789452) = 1 device
    text = step(1, 150_000, "90.0", "1666.6") + step(7, 159_906, "48.7025266494602", "3283.320414789452")
    (run,) = read(tmp_path, text)
    rate = series(run, "throughput", "tokens_per_s_per_rank")
    assert (rate.sample.labels, rate.sample.values) == (("7",), (Fraction("3283.320414789452"),))
    assert rate.sample.dropped == ("1",)
    assert series(run, "step_time").sample.values == (Fraction("48.7025266494602") * S,)
    assert {one.kind for one in run.series if one.metric == "stage_time"} == {"gen", "update_actor"}
    assert codes(run) == {"verl_tokens_vary"}
    assert (identity(run, "devices").expected.value, broken(run)) == (1, [])


@pytest.mark.parametrize(
    ("steps", "holds"),
    [
        # as published: 4388173 / (93.52434759191237 x 2932.5070910595373) = 16 devices
        ([(4_388_173, "93.52434759191237", "2932.5070910595373")], True),
        ([(4_388_173, "93.52434759191237", "3100.5070910595373")], False),
        ([(160_000, "10.0", "2000.0"), (160_000, "10.0", "4000.0")], False),  # 8, then 4
    ],
)
def test_the_number_of_devices_is_whole_and_the_same_in_each_step(
    tmp_path: Path, steps: list[tuple[int, str, str]], holds: bool
) -> None:
    (run,) = read(tmp_path, "".join(step(number, *one) for number, one in enumerate(steps, start=2)))
    assert identity(run, "devices").holds is holds


def test_a_number_of_numpy_is_unwrapped(tmp_path: Path) -> None:
    (run,) = read(tmp_path, step(2, 1000, "np.float64(10.0)", "np.float64(100.0)"))
    assert series(run, "throughput", "tokens_per_s_per_rank").sample.values == (100,)


def test_the_number_of_devices_is_stated(tmp_path: Path) -> None:
    # 160000 / (10 x 2000) = 8
    (run,) = read(tmp_path, step(2, 160_000, "10.0", "2000.0") + step(3, 80_000, "5.0", "2000.0"))
    assert said(run) == {"devices": "8"}


def test_both_keys_of_the_time_of_a_step_agree(tmp_path: Path) -> None:
    text = step(2, 160_000, "10.0", "2000.0")
    (run,) = read(tmp_path, text)
    assert (identity(run, "times_of_step").id, broken(run)) == ("I6", [])
    (run,) = read(tmp_path, text.replace("timing_s/step:10.0", "timing_s/step:12.0"))
    assert broken(run) == ["times_of_step"]


@pytest.mark.parametrize("key", ["timing_s/step", "perf/total_num_tokens", "perf/time_per_step", "perf/throughput"])
def test_a_key_that_every_step_has_is_missed(tmp_path: Path, key: str) -> None:
    def less(text: str) -> str:
        return " - ".join(part for part in text.rstrip("\n").split(" - ") if not part.startswith(key)) + "\n"

    steps = [step(number, 160_000, "10.0", "2000.0") for number in (2, 3, 4)]
    (run,) = read(tmp_path, "".join(map(less, steps)))
    assert run.left_out == (Reason.of("log_figures_missing", keys=key),)
    (run,) = read(tmp_path, steps[0] + less(steps[1]) + steps[2])
    assert run.left_out == (Reason.of("log_partial_lines", n=1, line=2),)
    assert series(run, "step_time").sample.dropped == ("3",)


@pytest.mark.parametrize("held", ["nan", "1e400", "0", "-3", "2,000.0", ""])
def test_a_rate_that_is_no_number_above_0_leaves_the_log_not_whole(tmp_path: Path, held: str) -> None:
    text = step(2, 160_000, "10.0", "2000.0") + step(3, 160_000, "10.0", held)
    (run,) = read(tmp_path, text)
    assert series(run, "throughput", "tokens_per_s_per_rank").sample.labels == ("2",)
    assert run.left_out == (Reason.of("log_figures_unreadable", key="perf/throughput", n=1, line=2),)


def test_two_steps_on_one_line_are_two_and_a_key_twice_is_none(tmp_path: Path) -> None:
    glued = step(2, 160_000, "10.0", "2000.0").rstrip("\n") + " " + step(3, 160_000, "20.0", "1000.0")
    (run,) = read(tmp_path, glued)
    assert series(run, "step_time").sample.values == (10 * S, 20 * S)
    (run,) = read(
        tmp_path,
        step(2, 160_000, "10.0", "2000.0").replace(" - perf/throughput", " - perf/time_per_step:5.0 - perf/throughput"),
    )
    assert run.left_out == (Reason.of("log_figures_missing", keys="perf/time_per_step"),)


# ------------------------------------------------------------------------------------------------ ModelZoo
MODELZOO = """\
Network = ResNet50_for_PyTorch
RankSize = 8
BatchSize = 16
DeviceType = aarch64
CaseName = ResNet50_for_PyTorch_bs16_8p_perf
ActualFPS = 123.45
TrainingTime = 0.01
ActualLoss = 2.5
E2ETrainingTime = 512
"""


def test_a_case_of_modelzoo(tmp_path: Path) -> None:
    (run,) = read(tmp_path, MODELZOO)
    assert value(run, "throughput", "samples_per_s", "mean") == Fraction("123.45")
    assert value(run, "duration", "", "total") == 512 * S
    assert said(run) == {
        "model": "ResNet50_for_PyTorch",
        "ranks": "8",
        "batch_size": "16",
        "cpu": "aarch64",
        "case": "ResNet50_for_PyTorch_bs16_8p_perf",
    }
    # TrainingTime is 1 / FPS or batch / FPS, as the script pleases
    assert run.left_out == (Reason.of("log_keys_unread", keys="TrainingTime"),)
    assert codes(run) == {"modelzoo_script_formula"}


def test_the_screen_of_modelzoo_and_two_cases_in_one_file(tmp_path: Path) -> None:
    (run,) = read(tmp_path, "Final Performance images/sec : 123.45\n")
    assert value(run, "throughput", "samples_per_s", "mean") == Fraction("123.45")
    with pytest.raises(CaptureError) as caught:
        read(tmp_path, MODELZOO + MODELZOO.replace("123.45", "150.00"))
    assert caught.value.code == "log_mixed"


def test_a_statement_of_modelzoo_that_stands_twice_says_the_same(tmp_path: Path) -> None:
    (run,) = read(tmp_path, MODELZOO + "RankSize = 8\n")
    assert said(run)["ranks"] == "8"
    for more, code in (("RankSize = 16\n", "log_mixed"), ("ActualFPS = -5\n", "log_value")):
        with pytest.raises(CaptureError) as caught:
            read(tmp_path, MODELZOO + more)
        assert caught.value.code == code


# ------------------------------------------------------------------------------------------------ progress bars
def bar(done: int, clock: str, tail: str = ", loss: 2.88, grad_norm: 13.59, lr: 3.00e-04") -> str:
    return f"\rEpoch 1/1:   1%|          | {done}/500 [{clock}<2:20:54, 17.01s/it{tail}]"


def test_the_clock_of_a_bar_over_twenty_steps_and_never_its_smoothed_time(tmp_path: Path) -> None:
    # from step 3 at 47 s to step 23 at 387 s: 340 s / 20 = 17 s; to step 43 at 1:06:47 = 4007 s: 181 s
    text = bar(3, "00:47") + bar(13, "03:37") + bar(23, "06:27") + bar(24, "06:44") + bar(43, "1:06:47") + "\n"
    (run,) = read(tmp_path, text)
    times = series(run, "step_time")
    assert (times.sample.values, times.weights) == ((17 * S, 181 * S), (20, 20))
    assert times.resolution.value == S // 20
    assert codes(run) == {"log_clock_seconds", "log_resolution_coarse"}


def test_bars_that_name_no_loss_are_none_of_a_training(tmp_path: Path) -> None:
    text = bar(3, "00:47", "") + bar(100, "10:00", "") + bar(1, "00:01") + bar(41, "00:41") + "\n"
    (run,) = read(tmp_path, text)
    assert series(run, "step_time").sample.values == (S,)
    with pytest.raises(CaptureError) as caught:
        read(tmp_path, bar(3, "00:47", "") + "\n")
    assert caught.value.code == "log_not_read_yet"


def test_a_bar_beside_a_better_record_is_not_used(tmp_path: Path) -> None:
    (run,) = read(tmp_path, bar(1, "00:01") + bar(41, "00:41") + "\n" + SUMMARY)
    assert run.producer == "hf_trainer"


def test_bars_of_two_runs_mixed_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CaptureError) as caught:
        read(tmp_path, bar(3, "00:47") + bar(23, "06:27") + bar(24, "03:00") + "\n")
    assert caught.value.code == "log_mixed"
