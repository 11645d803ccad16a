"""Iteration lines of the Megatron family and of FSDP2: values as printed, what is left out and why, what must agree."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from log_lines import (
    FSDP2,
    MEGATRON,
    MEMORY,
    TRAINER,
    codes,
    fsdp2,
    holds,
    megatron,
    one,
    runs,
    series,
    stated,
    value,
)

from reportgen.errors import CaptureError
from reportgen.model import Run

TWO = megatron(10) + megatron(20, stamp="10:00:23")
"""20 - 10 iterations of 2.3456 s are 23.456 s."""


def refused(tmp_path: Path, text: str) -> CaptureError:
    with pytest.raises(CaptureError) as fault:
        runs(tmp_path, text)
    assert fault.value.where.startswith(str(tmp_path))
    assert fault.value.hint
    return fault.value


def labels(run: Run) -> list[str]:
    return list(series(run, "step_time").sample.labels)


# ------------------------------------------------------------------------------------------------ Megatron: one line
def test_the_quoted_line_gives_each_figure_in_its_unit(tmp_path: Path) -> None:
    run = one(tmp_path, TWO)
    assert (run.producer, run.definitions, run.segment) == ("megatron", "megatron_interval_mean", 0)
    step = series(run, "step_time")
    assert step.sample.unit == "ns"
    assert step.sample.values == (2_345_600_000, 2_345_600_000)  # 2345.6 ms
    assert step.resolution.value == 100_000  # 0.1 ms
    assert series(run, "throughput", "flops_per_s_per_rank").sample.values[0] == 1512 * 10**11  # 151.2 TFLOP/s
    assert series(run, "core_attn_ratio").sample.values[0] == Fraction(123, 1000)
    assert series(run, "loss", "lm loss").sample.values[0] == Fraction(9876543, 10**6)
    assert series(run, "grad_norm").sample.values[0] == Fraction(321, 100)
    assert stated(run)["global_batch_size"] == "128"
    assert (run.began, run.ended) == (None, None)  # the zone of the clock is not written


def test_a_line_is_the_mean_of_the_interval_and_says_so(tmp_path: Path) -> None:
    run = one(tmp_path, TWO)
    assert series(run, "step_time").weights == (10, 10)
    assert "log_interval_mean" in codes(run)
    single = one(tmp_path, megatron(1) + megatron(2) + megatron(3))
    assert series(single, "step_time").weights == (1, 1, 1)
    assert "log_interval_mean" not in codes(single)


def test_the_first_line_after_iteration_1_holds_nine_iterations(tmp_path: Path) -> None:
    run = one(tmp_path, megatron(1) + megatron(10) + megatron(20) + megatron(30))
    assert series(run, "step_time").weights == (1, 9, 10, 10)


def test_a_single_line_has_no_interval_unless_the_arguments_state_it(tmp_path: Path) -> None:
    assert one(tmp_path, MEGATRON).series == ()
    assert codes(one(tmp_path, MEGATRON)) == ["log_interval_unknown"]
    dump = (
        "------------------------ arguments ------------------------\n"
        "  log_interval .................................... 10\n"
        "  tensor_model_parallel_size ...................... 8\n"
        "  load ............................................ /home/zhang/ckpt\n"
        "  wandb_api_key ................................... abc\n"
        "-------------------- end of arguments ---------------------\n"
        "  not_an_argument ................................. 1\n"
    )
    run = one(tmp_path, dump + MEGATRON)
    assert series(run, "step_time").weights == (10,)
    assert stated(run)["argument.tensor_model_parallel_size"] == "8"
    assert stated(run)["argument.load"] == "<path>/ckpt"
    assert not {"argument.wandb_api_key", "argument.not_an_argument"} & set(stated(run))


def test_now_and_mean_give_now(tmp_path: Path) -> None:
    lines = TWO.replace("(ms): 2345.6", "(ms): 2340.1/2399.9")
    run = one(tmp_path, lines)
    assert series(run, "step_time").sample.values == (2_340_100_000, 2_340_100_000)
    assert "log_running_mean" in codes(run)


def test_a_loss_that_is_not_printed_is_not_zero(tmp_path: Path) -> None:
    run = one(tmp_path, megatron(1) + megatron(2).replace("| lm loss: 9.876543E+00 ", "") + megatron(3))
    assert series(run, "loss", "lm loss").sample.labels == ("1", "3")
    assert labels(run) == ["1", "2", "3"]


def test_a_misspelt_key_is_the_key_it_means(tmp_path: Path) -> None:
    run = one(tmp_path, TWO.replace("global batch size", "gloabl batch size"))
    assert stated(run)["global_batch_size"] == "128"


def test_seconds_are_seconds(tmp_path: Path) -> None:
    run = one(tmp_path, TWO.replace("(ms): 2345.6", "(s): 2.345600"))
    assert series(run, "step_time").sample.values == (2_345_600_000, 2_345_600_000)
    assert series(run, "step_time").resolution.value == 1000  # 1e-6 s


def test_a_time_without_a_unit_is_refused(tmp_path: Path) -> None:
    fault = refused(tmp_path, TWO.replace("iteration (ms)", "iteration"))
    assert (fault.code, fault.where.rpartition(":")[2]) == ("log_unit_missing", "1")


# ------------------------------------------------------------------------------------------------ Megatron: which lines
def test_lines_of_the_ramp_up_are_left_out_and_listed(tmp_path: Path) -> None:
    lines = megatron(1, size=32, samples=32) + megatron(2, size=64, samples=96) + megatron(3, samples=224)
    run = one(tmp_path, lines + megatron(4, samples=352))
    assert labels(run) == ["3", "4"]
    assert series(run, "step_time").sample.dropped == ("1", "2")
    (reason,) = [reason for reason in run.left_out if reason.code == "log_ramp_up"]
    assert dict(reason.args) == {"n": "2", "sizes": "32 / 64", "first": "1", "last": "2"}
    assert stated(run)["global_batch_size"] == "32 / 64 / 128"


@pytest.mark.parametrize("key", ["skipped", "nan"])
def test_a_line_with_skipped_iterations_is_left_out_and_flagged(tmp_path: Path, key: str) -> None:
    bad = megatron(2).replace(f"number of {key} iterations:   0", f"number of {key} iterations:   1")
    run = one(tmp_path, megatron(1) + bad + megatron(3))
    assert labels(run) == ["1", "3"]
    assert {"log_skipped", "log_skipped_iterations"} <= set(codes(run))


def test_the_sentence_of_a_fixed_router_is_the_first_doubt(tmp_path: Path) -> None:
    said = "fix-router or fix-sub-seq-length is set, current loss is not reliable, only for test\n"
    run = one(tmp_path, TWO + said)
    assert run.warnings[0].code == "log_not_a_real_workload"
    assert run.warnings[0].arg("line") == "3"


def test_a_line_that_stands_twice_is_one(tmp_path: Path) -> None:
    run = one(tmp_path, megatron(1) + megatron(2) + megatron(3) + megatron(1) + megatron(2) + megatron(3))
    assert labels(run) == ["1", "2", "3"]
    assert dict(run.left_out[0].args) == {"n": "3"}


def test_two_lines_of_one_iteration_that_differ_are_two_runs_and_refused(tmp_path: Path) -> None:
    fault = refused(tmp_path, megatron(1) + megatron(1, ms="2400.0") + megatron(2))
    assert (fault.code, fault.where.rpartition(":")[2]) == ("log_mixed", "2")


def test_a_restart_begins_another_run(tmp_path: Path) -> None:
    first = megatron(1) + megatron(2) + megatron(3)
    again = megatron(2, ms="2200.0") + megatron(3, ms="2200.1") + megatron(4, ms="2200.2")
    found = runs(tmp_path, first + again)
    assert [labels(run) for run in found] == [["1", "2", "3"], ["2", "3", "4"]]
    assert [run.segment for run in found] == [0, 1]
    assert all("log_other_runs" in codes(run) for run in found)


def test_lines_in_no_order_are_refused(tmp_path: Path) -> None:
    assert refused(tmp_path, "".join(map(megatron, range(120, 1, -1)))).code == "log_mixed"


def test_missing_lines_are_said_and_weigh_nothing_more(tmp_path: Path) -> None:
    run = one(tmp_path, "".join(map(megatron, (10, 20, 30, 50, 60))))
    assert series(run, "step_time").weights == (10,) * 5
    assert "log_lines_missing" in codes(run)


# ------------------------------------------------------------------------------------------------ Megatron: around it
@pytest.mark.parametrize(
    "prefix",
    ["[default0]:", "(WorkerDict pid=12) ", "2026-01-01T00:00:00Z ", "\x1b[32m", "  5%|#    | 3/100\r",
     "[Rank 0 | Local Rank 0] 2026-01-01 10:00:00 INFO [mindspeed_mm.train_engine:48] => "],
)  # fmt: skip
def test_what_launchers_add_changes_nothing(tmp_path: Path, prefix: str) -> None:
    plain = one(tmp_path, TWO)
    run = one(tmp_path, "".join(f"{prefix}{line}\n" for line in TWO.splitlines()))
    assert [item.sample for item in run.series] == [item.sample for item in plain.series]


def test_records_glued_on_one_line_are_two(tmp_path: Path) -> None:
    run = one(tmp_path, TWO.replace("\n", "") + "\n")
    assert labels(run) == ["10", "20"]


def test_memory_is_the_largest_of_the_ranks_even_glued_together_and_reaches_to_the_first_line(tmp_path: Path) -> None:
    other = MEMORY.replace("[Rank 0]", "[Rank 1]").replace("30227.65", "30228.00")
    run = one(tmp_path, MEMORY + other + "\n" + TWO)
    peak = value(run, "memory", "max_allocated")
    assert peak.value.value == 30228 * 1024**2  # MiB called MB
    assert peak.locator == "line 1, rank 1, max allocated"
    assert value(run, "memory", "reserved").locator.startswith("line 1, rank 0")
    (reason,) = [reason for reason in run.warnings if reason.code == "log_memory_early"]
    assert dict(reason.args) == {"after": "1", "ranks": "2"}


def test_the_old_flavour_wraps_over_two_lines(tmp_path: Path) -> None:
    def line(iteration: int) -> str:
        return (
            f" iteration {iteration:8d}/    2000 | consumed samples: {iteration * 16:12d} | consumed tokens:  65536 |\n"
            " elapsed time per iteration (ms): 1647.7 | learning rate: 1.0E-06 | global batch size:    16 | lm loss: "
            "1.1E+01 | grad norm: 9.1 | actual seqlen:  4096 | number of skipped iterations:   0 | number of nan "
            "iterations:   0 | samples per second: 9.71 | TFLOPs: 167.52 |\ntime (ms)\n"
        )

    run = one(tmp_path, line(1) + line(2))
    assert series(run, "step_time").sample.values == (1_647_700_000, 1_647_700_000)
    assert series(run, "throughput", "samples_per_s").sample.values[0] == Fraction(971, 100)
    assert series(run, "throughput", "flops_per_s_per_rank").sample.values[0] == 16752 * 10**10
    assert stated(run)["actual_seqlen"] == "4096"


def test_a_record_that_the_end_of_the_file_cuts_gives_no_figure_that_was_not_there(tmp_path: Path) -> None:
    cut = TWO[: TWO.rindex("2345.6") + 3]  # ... (ms): 234
    run = one(tmp_path, megatron(1) + megatron(2) + cut.splitlines()[-1])
    assert labels(run) == ["1", "2"]
    assert "log_records_cut" in codes(run)


def test_a_line_cut_before_its_batch_size_is_left_out_and_hides_no_other(tmp_path: Path) -> None:
    last = megatron(3)
    run = one(tmp_path, megatron(1) + megatron(2) + last[: last.index("global batch size")])
    assert labels(run) == ["1", "2"]
    assert "log_partial_lines" in codes(run)
    assert "log_ramp_up" not in codes(run)


def test_a_log_without_a_whole_line_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path, MEGATRON[:90]).code == "log_no_records"


# ------------------------------------------------------------------------------------------------ Megatron: identities
def test_the_clock_agrees_within_a_second_and_the_rounding(tmp_path: Path) -> None:
    # 23.456 s between the lines; a clock of whole seconds shows 22.46 to 24.46 at most
    assert holds(one(tmp_path, TWO), "I1") == {"clock_and_step_times": True}
    for stamp, good in (("10:00:24", True), ("10:00:25", False), ("10:00:22", False)):
        run = one(tmp_path, megatron(10) + megatron(20, stamp=stamp))
        assert holds(run, "I1") == {"clock_and_step_times": good}, stamp
    (identity,) = [item for item in one(tmp_path, TWO).identities if item.id == "I1"]
    # half of 0.1 ms for each of 10 iterations, and 1 s
    assert (identity.found.value, identity.expected.value, identity.tolerance.value) == (
        23 * 10**9, 23_456_000_000, 10 * 50_000 + 10**9,
    )  # fmt: skip
    assert identity.locators == ("lines 1 and 2, time", "lines 1-2, elapsed time")


def test_times_made_smaller_in_the_middle_are_seen(tmp_path: Path) -> None:
    stamps = ("10:00:00", "10:00:23", "10:00:46", "10:01:10")  # 0, 23.456, 46.912, 70.368
    honest = "".join(megatron(10 * k, stamp=stamp) for k, stamp in enumerate(stamps, 1))
    assert holds(one(tmp_path, honest), "I1") == {"clock_and_step_times": True}
    edited = "".join(megatron(10 * k, stamp=stamp, ms="2045.6") for k, stamp in enumerate(stamps, 1))
    assert holds(one(tmp_path, edited), "I1") == {"clock_and_step_times": False}


def test_a_checkpoint_between_two_lines_takes_them_out_of_the_clock(tmp_path: Path) -> None:
    saved = megatron(10) + "saving checkpoint at iteration 10\n" + megatron(20, stamp="10:05:00")
    assert holds(one(tmp_path, saved), "I1") == {}


@pytest.mark.parametrize(
    ("line", "pauses"),
    [
        ("    save-checkpoint ................................: (20412.07, 20412.63)\n", True),
        ("[rank7]:     save-checkpoint ................................: (20412.07, 20412.63)\n", True),
        ("    save-checkpoint-non-persistent .................: (412.07, 412.63)\n", True),
        ("    evaluate .......................................: (9120.31, 9120.94)\n", True),
        ("    evaluate:\n     rank  0: 9120.31\n", True),
        ("    forward-backward ...............................: (2201.50, 2203.11)\n", False),
        ("    load-checkpoint ................................: (20412.07, 20412.63)\n", False),
        ("  evaluate ........................................ True\n", False),  # an argument
    ],
)
def test_the_timer_of_a_checkpoint_or_an_evaluation_tells_of_it(tmp_path: Path, line: str, pauses: bool) -> None:
    """All that the node of the last rank prints of it: the other ranks' lines stand in other logs."""
    text = megatron(10) + "(min, max) time across ranks (ms):\n" + line + megatron(20, stamp="10:05:00")
    assert holds(one(tmp_path, text), "I1") == ({} if pauses else {"clock_and_step_times": False})


def test_samples_are_batch_size_times_iterations(tmp_path: Path) -> None:
    assert holds(one(tmp_path, TWO), "I2") == {"samples_and_iterations": True}
    run = one(tmp_path, megatron(10) + megatron(20, samples=2561))
    assert holds(run, "I2") == {"samples_and_iterations": False}


def test_work_of_an_iteration_is_constant(tmp_path: Path) -> None:
    # 151.2 x 2.3456 = 354.65; 170.5 TFLOP/s fit 2080.1 ms (354.66), not 2345.6 ms
    other = megatron(20, ms="2080.1").replace("151.2", "170.5")
    assert holds(one(tmp_path, megatron(10) + other), "I5") == {"flops_times_time": True}
    wrong = megatron(20).replace("151.2", "170.5")
    assert holds(one(tmp_path, megatron(10) + wrong), "I5") == {"flops_times_time": False}
    packed = wrong.replace("core attn ratio (%): 12.3", "core attn ratio (%): 14.0")
    assert holds(one(tmp_path, megatron(10) + packed), "I5") == {}


# ------------------------------------------------------------------------------------------------ FSDP2
def test_fsdp2_states_tokens_of_the_whole_job_mfu_in_percent_and_gib(tmp_path: Path) -> None:
    run = one(tmp_path, fsdp2(1) + fsdp2(2))
    assert (run.producer, run.definitions) == ("mindspeed_llm_fsdp2", "fsdp2_monitor")
    assert series(run, "step_time").sample.values == (1_879_900_000,) * 2
    assert series(run, "throughput", "tokens_per_s_global").sample.values[0] == Fraction(1743071, 100)
    assert series(run, "mfu").sample.values[0] == Fraction(312, 1000)
    assert series(run, "memory", "max_allocated").sample.values[0] == Fraction(1965, 100) * 1024**3
    assert series(run, "loss", "mtp loss").sample.values[0] == 0
    assert "log_memory_since_start" in codes(run)


def test_tokens_over_time_are_the_printed_rate(tmp_path: Path) -> None:
    # 32768 tokens in 1.8799 s are 17430.71 a second
    assert holds(one(tmp_path, fsdp2(1) + fsdp2(2)), "I3") == {"tokens_over_time": True}
    assert holds(one(tmp_path, fsdp2(1) + fsdp2(2, rate="17431.71")), "I3") == {"tokens_over_time": False}


def test_mfu_follows_the_time(tmp_path: Path) -> None:
    # 31.20 % x 1879.90 ms = 586.53; at 1692.00 ms that is 34.67 %
    good = fsdp2(1) + fsdp2(2) + fsdp2(3, ms="1692.00", rate="19366.43", mfu="34.67")
    assert holds(one(tmp_path, good), "I4") == {"mfu_times_time_over_tokens": True}
    bad = fsdp2(1) + fsdp2(2) + fsdp2(3, ms="1692.00", rate="19366.43", mfu="41.20")
    assert holds(one(tmp_path, bad), "I4") == {"mfu_times_time_over_tokens": False}


def test_the_quoted_fsdp2_line_alone_has_no_interval(tmp_path: Path) -> None:
    assert codes(one(tmp_path, FSDP2)) == ["log_interval_unknown", "log_memory_since_start"]


def test_the_second_trainer_ends_a_line_without_a_bar(tmp_path: Path) -> None:
    run = one(tmp_path, TRAINER + TRAINER.replace("iteration: 12", "iteration: 13").replace("96", "104"))
    assert run.producer == "mindspeed_llm_fsdp2_trainer"
    assert series(run, "throughput", "samples_per_s").sample.values == (Fraction(98, 10),) * 2
    assert series(run, "grad_norm").sample.values == (Fraction(23456, 10**4),) * 2
    assert holds(run, "I2") == {"samples_and_iterations": True}
    cut = one(tmp_path, TRAINER + TRAINER.replace("iteration: 12", "iteration: 13")[:-3])
    assert series(cut, "grad_norm").sample.labels == ("12",)


def test_the_lines_that_the_documentation_shows_are_read(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs/logs.md").read_text(encoding="utf-8")
    block = page.split("```text\n")[1].split("```")[0]
    found = [one(tmp_path, line + "\n").producer for line in block.splitlines()]
    assert found == ["megatron", "mindspeed_llm_fsdp2", "mindspeed_llm_fsdp2_trainer"]


def test_samples_over_time_are_the_printed_rate(tmp_path: Path) -> None:
    # 8 samples in 812.25 to 812.35 ms are 9.8480 to 9.8492 a second; 9.8 stands for 9.75 to 9.85, 9.7 and 9.9 do not
    run = one(tmp_path, TRAINER)
    assert holds(run, "I3") == {"samples_over_time": True}
    for other in ("9.7", "9.9"):
        assert holds(one(tmp_path, TRAINER.replace("9.8", other)), "I3") == {"samples_over_time": False}


def test_a_coloured_line_of_the_second_trainer_is_known(tmp_path: Path) -> None:
    assert one(tmp_path, "\x1b[32m" + TRAINER.rstrip() + "\x1b[0m\n").producer == "mindspeed_llm_fsdp2_trainer"
