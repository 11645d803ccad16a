"""Ways to make a change look better than it is: each is caught by its check, and its honest twin is not.

Source: docs/tricks.md. Every case is a pair of files whose figures agree with each other, and one change to it.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest
from run_files import (
    COLD,
    RATE,
    SCORE,
    SCORES,
    STEADY,
    STEP,
    Runs,
    decide,
    elsewhere,
    fsdp2,
    judged,
    megatron,
    served,
    server,
)
from run_logs import mindie_pages, results

from reportgen.model import Evaluation, Missing, Outcome, Quantity, Reason, Side, Standing, VerdictWord
from reportgen.report.translations import Language
from reportgen.report.wording import say
from reportgen.run_logs import beside, read_runs
from reportgen.run_logs.beside import NamedLog, look

MET, NOT_MET, UNDECIDED = Outcome.MET, Outcome.NOT_MET, Outcome.UNDECIDED
BEFORE_MS = ("500.0", "510.0", "505.0", "495.0", "500.0", "502.0", "498.0", "506.0")
AFTER_MS = ("405.0", "398.0", "410.0", "400.0", "395.0", "406.0", "402.0", "400.0")
SERVING = Runs(
    before=(served("50", ttfts=STEADY), server()),
    after=(served("40", ttfts=STEADY), server((0.0, 16), (0.0, 15), (0.0, 16))),
    goal=RATE,
)
"""25600 tokens in 50 s, then in 40 s: 640 / 512 = 125 %."""
TRAINING = Runs(before=(megatron(BEFORE_MS, arguments={}),), after=(megatron(AFTER_MS, arguments={}),), goal=STEP)
"""Medians 501 and 401 ms: 80.0 %."""
FSDP2 = Runs(before=(fsdp2(BEFORE_MS),), after=(fsdp2(AFTER_MS),), goal=STEP)


class Trick(NamedTuple):
    """One trick beside the pair it is played on."""

    title: str
    """What is done."""
    honest: Runs
    """Without it."""
    tricked: Runs
    """With it."""
    outcome: Outcome
    """Of the goal, with it."""
    code: str
    """Reason or reservation that names it."""


def after(runs: Runs, *files: str, **more: object) -> Runs:
    """The pair with other files of AFTER."""
    return runs.with_(after=files, **more)


def before(runs: Runs, *files: str, **more: object) -> Runs:
    """The pair with other files of BEFORE."""
    return runs.with_(before=files, **more)


LATER = server((0.0, 16), (0.0, 15), (0.0, 16))
"""The log of another start of the same server."""
NO_LISTS = Runs(before=(served("50"), server()), after=(served("40"), LATER), goal=RATE)
"""Without single requests: both state 16 warm-up requests."""
FAILING = served("32", requests=160, failed=40, output=20480, inputs=163840, ttfts=STEADY[:160])
"""A fifth of the requests failed; 20480 tokens in 32 s are 640 tokens/s."""
AFTER_ALONE = {**RATE, "subject": "after", "limit": "600 tokens/s"}
MORE_SEQUENCES = "'enable_prefix_caching': True, 'max_num_seqs': 256"
FIXED = "fix-router or fix-sub-seq-length is set, current loss is not reliable, only for test\n"
DUMMY = "'load_format': 'dummy'"
TABLE = "step,step_time_ms\n" + "".join(f"{n},{ms}\n" for n, ms in enumerate(AFTER_MS, 1))
SLOW_MS = tuple(f"{float(ms) * 20:.1f}" for ms in AFTER_MS)
EDITED = megatron(SLOW_MS, arguments={}).replace("(ms): 8", "(ms): 7")
"""Steps of 8 s called 7 s; the clock shows 8."""
QUANTISED = Runs(
    before=(served("50", quantization="none"), server()), after=(served("40", quantization="ascend"), LATER), goal=RATE,
    agreed='may_differ = ["quantization"]',
)  # fmt: skip
RENAMED = Runs(
    before=(served("50", tokenizer_id="t"), server()),
    after=(served("40", tokenizer_id="t", model_id="Qwen3-8B-W8A8"), LATER), goal=RATE, agreed='may_differ = ["model"]',
)  # fmt: skip
MINDIE = Runs(
    before=(mindie_pages.BEFORE,), after=(mindie_pages.AFTER,), goal=RATE,
    agreed='may_differ = ["output_length", "warm_up"]',
)  # fmt: skip
TRICKS = (
    # ------------------------------------------------------------------ cold against warm
    Trick("a service that compiles in BEFORE's first requests", SERVING,
          before(SERVING, served("50", ttfts=COLD), server()), UNDECIDED, "run_cold_one_side"),
    Trick("the same, although both say that they were warmed up", SERVING,
          before(SERVING, served("50", ttfts=COLD), server(), agreed='may_differ = ["warm_up"]'), UNDECIDED,
          "run_cold_one_side"),
    Trick("both sides cold: in the figures, and said", SERVING,
          Runs(before=(served("50", ttfts=COLD), server()), after=(served("40", ttfts=COLD), LATER), goal=RATE), MET,
          "run_cold_both"),
    Trick("no single requests, and no warm-up is stated", NO_LISTS,
          Runs(before=(served("50", num_warmups=None), server()), after=(served("40", num_warmups=None), LATER),
               goal=RATE), UNDECIDED, "run_warm_up_not_stated"),
    Trick("AFTER alone was warmed up", NO_LISTS, before(NO_LISTS, served("50", num_warmups="0"), server()), UNDECIDED,
          "run_warm_up_not_stated"),
    Trick("another number of steps left out in BEFORE",
          TRAINING, after(TRAINING, megatron(AFTER_MS, arguments={}, skipped=(1, 2))), MET, "run_steps_left_out"),
    # ------------------------------------------------------------------ caches
    Trick("the prefix cache is warm in AFTER", SERVING,
          after(SERVING, served("40", ttfts=STEADY), server((0.0, 16), (87.5, 16))), MET, "run_prefix_cache_hits"),
    Trick("one start of the server, the same prompts twice", SERVING,
          after(SERVING, served("40", ttfts=STEADY), server()), MET, "run_one_server_start"),
    Trick("the server's logs are not given", SERVING,
          Runs(before=SERVING.before[:1], after=SERVING.after[:1], goal=RATE), MET, "run_server_not_witnessed"),
    # ------------------------------------------------------------------ other work sold as speed
    Trick("answers are a quarter shorter", SERVING.with_(goal={**RATE, "kind": "requests_per_s"}),
          after(SERVING, served("40", output=19200, ttfts=STEADY), LATER, goal={**RATE, "kind": "requests_per_s"}),
          UNDECIDED, "run_fact_differs"),
    Trick("answers of one token on both sides", SERVING,
          Runs(before=(served("50", output=200, ttfts=STEADY), server()),
               after=(served("40", output=200, ttfts=STEADY), LATER), goal=RATE), UNDECIDED,
          "run_single_token_answers"),
    Trick("half of the answers of one token, the mean as before", SERVING,
          after(SERVING, served("40", ttfts=STEADY, output_lens=[1] * 100 + [255] * 100), LATER), UNDECIDED,
          "run_fact_differs"),
    Trick("the lists taken out of AFTER alone", SERVING, after(SERVING, served("40"), LATER), UNDECIDED,
          "run_fact_one_side"),
    Trick("a time of a token in s under the key of ms", SERVING,
          after(SERVING, served("40", ttfts=STEADY, mean_tpot_ms=0.0211), LATER), UNDECIDED, "run_load_not_reached"),
    Trick("a client that keeps a third of the load under way", SERVING,
          after(SERVING, served("40", ttfts=STEADY, mean_tpot_ms=7.0), LATER), UNDECIDED, "run_load_apart"),
    Trick("the same on both sides", SERVING,
          Runs(before=(served("50", ttfts=STEADY, mean_tpot_ms=0.0271), server()),
               after=(served("40", ttfts=STEADY, mean_tpot_ms=0.0211), LATER), goal=RATE), MET,
          "run_load_not_reached_both"),
    Trick("a duration shorter than a request", SERVING, after(SERVING, served("0.3", ttfts=STEADY), LATER), UNDECIDED,
          "log_contradicts_itself"),
    Trick("more requests under way than are allowed, by the lists", SERVING,
          after(SERVING, served("40", ttfts=STEADY, mean_tpot_ms=31.4), LATER), UNDECIDED, "log_contradicts_itself"),
    Trick("shorter prompts", SERVING, after(SERVING, served("40", inputs=102400, ttfts=STEADY), LATER), UNDECIDED,
          "run_fact_differs"),
    Trick("more requests at a time", SERVING,
          after(SERVING, served("40", ttfts=STEADY, max_concurrency=32), LATER), UNDECIDED, "run_fact_differs"),
    Trick("another request rate", SERVING, after(SERVING, served("40", ttfts=STEADY, request_rate=4.0), LATER),
          UNDECIDED, "run_fact_differs"),
    Trick("the client says 16 at a time, 48 ran in the server", SERVING,
          after(SERVING, served("40", ttfts=STEADY), server((0.0, 16), (0.0, 48))), UNDECIDED, "run_server_ran_more"),
    Trick("another batch size on the server", SERVING,
          after(SERVING, served("40", ttfts=STEADY), server(arguments=MORE_SEQUENCES)),
          UNDECIDED, "run_fact_differs"),
    Trick("a larger global batch size", TRAINING,
          after(TRAINING, megatron(AFTER_MS, arguments={}, size=256)), UNDECIDED, "run_fact_differs"),
    Trick("half the tokens in a step, the batch size unchanged", FSDP2, after(FSDP2, fsdp2(AFTER_MS, tokens=16384)),
          UNDECIDED, "run_fact_differs"),
    Trick("samples that the batch size does not explain", TRAINING,
          after(TRAINING, megatron(AFTER_MS, arguments={}, samples={4: 400})), UNDECIDED, "log_contradicts_itself"),
    Trick("MFU by another formula", FSDP2, after(FSDP2, fsdp2(AFTER_MS, mfu_factor="1.2")), MET, "run_fact_differs"),
    Trick("an MFU that changes its formula within the run", FSDP2,
          after(FSDP2, "mfu: 1".join(fsdp2(AFTER_MS).rsplit("mfu: ", 1))), UNDECIDED, "log_contradicts_itself"),
    # ------------------------------------------------------------------ less work than a real run
    Trick("a fixed router", TRAINING,
          after(TRAINING, megatron(AFTER_MS, arguments={}, head=FIXED)), UNDECIDED, "log_no_real_workload"),
    Trick("a fixed router on both sides, by the arguments alone", TRAINING,
          Runs(before=(megatron(BEFORE_MS, arguments={"fix_router": "True"}),),
               after=(megatron(AFTER_MS, arguments={"fix_router": "True"}),), goal=STEP), UNDECIDED,
          "log_no_real_workload"),
    Trick("saving and evaluation switched off", TRAINING,
          after(TRAINING, megatron(AFTER_MS, arguments={"save": "None", "eval_interval": "0"})), UNDECIDED,
          "runs_not_alike"),
    Trick("the arguments of AFTER are not given", TRAINING, after(TRAINING, megatron(AFTER_MS)), UNDECIDED,
          "run_arguments_missing"),
    Trick("the arguments of neither side are given", TRAINING,
          Runs(before=(megatron(BEFORE_MS),), after=(megatron(AFTER_MS),), goal=STEP), MET,
          "run_arguments_missing_both"),
    Trick("skipped iterations in AFTER", TRAINING,
          after(TRAINING, megatron(AFTER_MS, arguments={}, skipped=(3,))), MET, "log_skipped_iterations"),
    Trick("random weights in AFTER", SERVING,
          after(SERVING, served("40", ttfts=STEADY, load_format="dummy"), LATER), UNDECIDED, "run_dummy_weights"),
    Trick("random weights on both sides, by the servers' logs", SERVING,
          Runs(before=(served("50", ttfts=STEADY), server(arguments=DUMMY)),
               after=(served("40", ttfts=STEADY), server((0.0, 9), arguments=DUMMY)), goal=RATE), MET,
          "run_dummy_weights"),
    Trick("a second change, hidden", TRAINING,
          after(TRAINING, megatron(AFTER_MS, arguments={"recompute_granularity": "selective"})), UNDECIDED,
          "run_fact_differs"),
    Trick("the same named in the metadata of a result", SERVING.with_(
              before=(served("50", ttfts=STEADY, tp="8"), server()), after=(served("40", ttfts=STEADY, tp="8"), LATER)),
          Runs(before=(served("50", ttfts=STEADY, tp="8"), server()), after=(served("40", ttfts=STEADY, tp="4"), LATER),
               goal=RATE), UNDECIDED, "run_fact_differs"),
    # ------------------------------------------------------------------ failures
    Trick("failed requests in AFTER", SERVING,
          after(SERVING, FAILING, LATER), UNDECIDED, "run_failed_requests"),
    Trick("more requests failed than was agreed, on a goal on AFTER alone",
          SERVING.with_(workload='failed_requests_at_most = "1%"', goal=AFTER_ALONE),
          after(SERVING, FAILING, LATER, workload='failed_requests_at_most = "1%"', goal=AFTER_ALONE), UNDECIDED,
          "failures_over_ceiling"),
    Trick("time-outs dropped: completed and failed are not what was asked", SERVING,
          after(SERVING, served("40", ttfts=STEADY, num_prompts=240), LATER), UNDECIDED, "log_contradicts_itself"),
    # ------------------------------------------------------------------ chosen runs
    Trick("the best of three, the others lie beside it", SERVING,
          SERVING.with_(beside={"run2.txt": served("55", ttfts=STEADY, date="20260101-090000"),
                                "run3.txt": served("56", ttfts=STEADY, date="20260101-080000")}), MET,
          "run_results_beside"),
    # ------------------------------------------------------------------ another precision
    Trick("quantised, agreed, and accuracy is not shown", QUANTISED.with_(of_case=SCORE, beside=SCORES), QUANTISED,
          UNDECIDED, "accuracy_missing"),
    Trick("the same, and accuracy is beyond its tolerance", QUANTISED.with_(of_case=SCORE, beside=SCORES),
          QUANTISED.with_(of_case=SCORE.replace('"71.0"', '"70.6"'), beside=SCORES), UNDECIDED,
          "accuracy_not_shown_met"),
    Trick("another data type in the arguments, agreed, and accuracy is not shown", TRAINING,
          after(TRAINING, megatron(AFTER_MS, arguments={"bf16": "False"}), agreed='may_differ = ["argument.bf16"]'),
          UNDECIDED, "accuracy_missing"),
    Trick("the model's name alone says that it was quantised", RENAMED.with_(of_case=SCORE, beside=SCORES), RENAMED,
          UNDECIDED, "accuracy_missing"),
    # ------------------------------------------------------------------ profiled, mixed, edited
    Trick("two definitions of one name", TRAINING,
          after(TRAINING, TABLE), UNDECIDED,
          "definitions_differ"),
    Trick("BEFORE was profiled, AFTER was not", TRAINING, TRAINING.with_(profiled=(True, False)), UNDECIDED,
          "profiled_mixed"),
    Trick("a throughput edited", SERVING, after(SERVING, served("40", ttfts=STEADY, output_throughput=800.0), LATER),
          UNDECIDED, "log_contradicts_itself"),
    Trick("a median edited beside its list", SERVING,
          after(SERVING, served("40", ttfts=STEADY, median_ttft_ms=120.0), LATER), UNDECIDED, "log_contradicts_itself"),
    Trick("a speed of MindIE edited", MINDIE,
          after(MINDIE, mindie_pages.AFTER.replace("327.3233 token/s", "387.3233 token/s")), UNDECIDED,
          "log_contradicts_itself"),
    Trick("a latency of MindIE edited, the tokens not", MINDIE,
          after(MINDIE, mindie_pages.AFTER.replace("97.07 ms", "87.07 ms")), UNDECIDED, "log_contradicts_itself"),
    Trick("one step of 400 ms written as 40 ms", TRAINING,
          after(TRAINING, megatron((*AFTER_MS[:3], "40.0", *AFTER_MS[4:]), arguments={})), MET, "log_short_steps"),
    Trick("step times edited, the clock not", TRAINING,
          after(TRAINING, EDITED),
          UNDECIDED, "log_contradicts_itself"),
)  # fmt: skip

SHOWN_UNLIKE = {
    "a service that compiles in BEFORE's first requests", "the same, although both say that they were warmed up",
    "AFTER alone was warmed up", "half of the answers of one token, the mean as before",
    "a time of a token in s under the key of ms", "a client that keeps a third of the load under way",
    "answers are a quarter shorter", "shorter prompts",
    "more requests at a time",
    "another request rate", "the client says 16 at a time, 48 ran in the server", "another batch size on the server",
    "a larger global batch size", "half the tokens in a step, the batch size unchanged",
    "saving and evaluation switched off", "random weights in AFTER", "a second change, hidden",
    "the same named in the metadata of a result", "failed requests in AFTER", "two definitions of one name",
    "BEFORE was profiled, AFTER was not",
}  # fmt: skip
"""Tricks that the files of both sides show: the verdict is not comparable. What is only not known, and a file that
contradicts itself, leaves it undecided."""


def test_tricks_that_are_shown_are_tricks_of_the_table() -> None:
    assert {trick.title for trick in TRICKS} > SHOWN_UNLIKE


@pytest.mark.parametrize("trick", TRICKS, ids=lambda trick: trick.title)
def test_a_trick_is_caught_and_its_honest_twin_is_not(trick: Trick, tmp_path: Path, pair: Evaluation) -> None:
    honest = decide(tmp_path / "honest", trick.honest, pair)
    assert (honest.judgement.outcome, trick.code in honest.codes) == (MET, False), honest.codes
    tricked = decide(tmp_path / "tricked", trick.tricked, pair)
    assert (tricked.judgement.outcome, trick.code in tricked.codes) == (trick.outcome, True), tricked.codes
    assert (tricked.word is VerdictWord.NOT_COMPARABLE) == (trick.title in SHOWN_UNLIKE), tricked.word


# --------------------------------------------------------------------------------------------- what is agreed
DOUBLED = after(SERVING, served("40", ttfts=STEADY, max_concurrency=32), LATER)
VOUCHED = '[[declared]]\nkey = "{key}"\nvalue = "v"\nsigner = "S"\nrole = "R"\ndate = "2026-01-01"\n'
BESIDE = SERVING.with_(beside={"run2.txt": served("55", ttfts=STEADY)})
UNSTATED = Runs(
    before=(served("50", num_warmups=None), server()), after=(served("40", num_warmups=None), LATER), goal=RATE
)


@pytest.mark.parametrize(
    ("runs", "fact", "standing"),
    [
        (DOUBLED.with_(agreed='may_differ = ["max_concurrency"]'), "max_concurrency", Standing.ALLOWED),
        (DOUBLED.with_(agreed='may_differ = ["run.max_concurrency"]'), "max_concurrency", Standing.ALLOWED),
        (DOUBLED.with_(goal={**RATE, "side_condition": "at max_concurrency 32 for 16"}), "max_concurrency",
         Standing.BLOCKING),
        (UNSTATED.with_(tables=VOUCHED.format(key="warm_up")), "warm_up", Standing.DECLARED),
        (BESIDE.with_(tables=VOUCHED.format(key="results_beside")), "results_beside", Standing.DECLARED),
        (after(SERVING, FAILING, LATER, agreed='may_differ = ["failed_requests"]'), "failed_requests",
         Standing.ALLOWED),
        (after(SERVING, FAILING, LATER, workload='failed_requests_at_most = "20%"'), "failed_requests", Standing.BIAS),
    ],
)  # fmt: skip
def test_what_is_agreed_is_a_reservation(
    runs: Runs, fact: str, standing: Standing, tmp_path: Path, pair: Evaluation
) -> None:
    found = decide(tmp_path, runs, pair)
    assert (found.judgement.outcome, found.facts[fact].standing) == (MET, standing)


def test_a_key_that_nobody_knows_is_compared_and_one_of_one_side_is_not_the_same(
    tmp_path: Path, pair: Evaluation
) -> None:
    stated = before(SERVING, served("50", ttfts=STEADY, flavour="a"), server())
    other = stated.with_(after=(served("40", ttfts=STEADY, flavour="b"), LATER))
    found = decide(tmp_path / "other", other, pair)
    assert found.judgement.reason.arg("facts") == "flavour"
    alone = decide(tmp_path / "alone", stated, pair)
    assert alone.facts["flavour"].reason.code == "run_fact_one_side"
    assert alone.judgement.outcome is UNDECIDED


def loaded(seconds: str, load: int | None, shift: int = 0, **more: object) -> str:
    """A result that states how many requests were allowed at once, or does not; ``shift``: of other single times."""
    return served(seconds, ttfts=STEADY[shift:] + STEADY[:shift], max_concurrency=load, **more)


SHOWN, OPEN, BOTH = "runs_not_alike", "runs_not_shown_alike", "runs_not_alike_nor_shown"
LOAD_OF_AFTER = {"unstated": "max_concurrency/after"}


@pytest.mark.parametrize(
    ("one", "others", "code", "args"),
    [
        (loaded("50", 16), (loaded("40", None),), OPEN, LOAD_OF_AFTER),
        (loaded("50", None), (loaded("40", 16),), OPEN, {"unstated": "max_concurrency/before"}),
        (loaded("50", 16), (loaded("40", 32),), SHOWN, {"facts": "max_concurrency"}),
        # 16 in BEFORE; one run of AFTER does not state it, and the other states the same
        (loaded("50", 16), (loaded("40", 16), loaded("41", None, 1)), OPEN, LOAD_OF_AFTER),
        # 16 in BEFORE; 16 and 32 in AFTER: the runs of one side differ
        (loaded("50", 16), (loaded("40", 16), loaded("41", 32, 1)), SHOWN, {"facts": "max_concurrency/after"}),
        (loaded("50", 16), (loaded("40", 32, num_warmups=None),), BOTH,
         {"facts": "max_concurrency", "unstated": "num_warmups/after"}),
    ],
)  # fmt: skip
def test_what_is_not_stated_is_not_called_different(
    one: str, others: tuple[str, ...], code: str, args: dict[str, str], tmp_path: Path, pair: Evaluation
) -> None:
    found = decide(tmp_path, Runs(before=(one, server()), after=(*others, LATER), goal=RATE), pair)
    assert (found.judgement.reason.code, dict(found.judgement.reason.args)) == (code, args)
    assert found.word is (VerdictWord.UNDECIDED if code == OPEN else VerdictWord.NOT_COMPARABLE)


@pytest.mark.parametrize(
    ("language", "unstated", "within"),
    [
        ("en", "requests allowed at once (max_concurrency, not stated by AFTER)",
         "(max_concurrency, among the runs of AFTER), argument.tp (among the runs of each side"),
        ("zh", "允许同时进行的请求数（max_concurrency、AFTER 未写明）",
         "（max_concurrency、AFTER 各次运行之间）、argument.tp（两侧各自的运行之间"),
    ],
)  # fmt: skip
def test_a_fact_is_printed_with_the_side_that_it_is_open_on(language: Language, unstated: str, within: str) -> None:
    assert unstated in say(Reason.of("runs_not_shown_alike", unstated="max_concurrency/after"), language)
    facts = "max_concurrency/after, argument.tp/before/after"
    assert within in say(Reason.of("runs_not_alike", facts=facts), language)


def test_a_goal_on_after_alone_asks_nothing_of_before(tmp_path: Path, pair: Evaluation) -> None:
    found = decide(tmp_path, DOUBLED.with_(goal=AFTER_ALONE), pair)
    assert found.judgement.outcome is MET
    assert found.facts["max_concurrency"].standing is Standing.BLOCKING  # and the report shows it
    row = found.judgement.comparison
    assert row is not None
    assert row.before is not None
    assert isinstance(row.before.summary, Quantity)
    assert row.before.summary.value == 512  # 25600 tokens in 50 s stand beside, and nothing is formed of the two
    assert [one.reason for one in (row.delta, row.change) if isinstance(one, Missing)] == [
        Reason.of("runs_not_alike", facts="max_concurrency")] * 2  # fmt: skip


def test_what_one_goal_agrees_to_is_agreed_for_no_other(tmp_path: Path, pair: Evaluation) -> None:
    """Twice the requests at a time, agreed for the rate and not for the time of a token, 40 and not 31.4 ms."""
    slower = after(SERVING, served("40", ttfts=STEADY, max_concurrency=32, mean_tpot_ms=40.0), LATER)
    other = (
        '[[case.goal]]\nid = "T"\nmetric = "latency"\nkind = "tpot"\nstatistic = "mean"\ndirection = "at_most"\n'
        'subject = "ratio"\nlimit = "130%"\n'
    )
    agreed = {**RATE, "side_condition": "at max_concurrency 32 for 16"}
    apart = elsewhere(tmp_path, slower.with_(goal=agreed, of_case=other), pair)
    assert ("latency", "tpot", "mean") not in {(one.metric, one.kind, one.statistic) for one in apart.worse}
    assert apart.not_held == (Reason.of("case_runs_not_alike", case="C", facts="max_concurrency"),)


def test_a_difference_that_no_goal_and_no_list_names_fails_its_gate(tmp_path: Path, pair: Evaluation) -> None:
    def gate(name: str, runs: Runs) -> tuple[str, list[str]]:
        decide(tmp_path / name, runs, pair)
        verdict, _facts = judged(tmp_path / name, (tmp_path / name / "target.toml").read_text(encoding="utf-8"), pair)
        found = next(one for one in verdict.gates if one.id == "G2")
        return found.outcome, [one.code for one in found.reasons if "run.max_concurrency" in one.arg("keys")]

    assert gate("apart", DOUBLED) == ("failed", ["gate_not_listed"])
    agreed = DOUBLED.with_(goal={**RATE, "side_condition": "at max_concurrency 32 for 16"})
    assert gate("agreed", agreed)[1] == ["gate_unlisted"]


def test_figures_of_runs_that_are_not_alike_are_not_held_against_each_other_elsewhere(
    tmp_path: Path, pair: Evaluation
) -> None:
    """Twice the requests at a time, and 40 instead of 31.4 ms a token: neither better nor worse is said of it."""
    slower = after(SERVING, served("40", ttfts=STEADY, max_concurrency=32, mean_tpot_ms=40.0), LATER)
    apart = elsewhere(tmp_path / "apart", slower, pair)
    assert apart.worse == ()
    assert apart.not_held == (Reason.of("case_runs_not_alike", case="C", facts="max_concurrency"),)
    agreed = slower.with_(goal={**RATE, "side_condition": "at max_concurrency 32 for 16"})
    held = elsewhere(tmp_path / "agreed", agreed, pair)
    assert ("tpot", "mean") in {(one.kind, one.statistic) for one in held.worse}
    assert held.not_held == ()


def test_results_beside_are_listed_by_time_and_none_of_another_tool(tmp_path: Path, pair: Evaluation) -> None:
    named = {
        "z.json": served("55", ttfts=STEADY, date="20260101-080000"),
        "a.json": served("54", ttfts=STEADY, date="20260101-090000"),
        "copy.json": SERVING.before[0],  # the named result under another name is no other run
        "steps.csv": TABLE,
        "notes.md": "nothing that is read",
    }
    found = decide(tmp_path, SERVING.with_(beside=named), pair)
    assert found.facts["results_beside"].before.value == "20260101-080000 z.json; 20260101-090000 a.json"
    assert [origin.file for origin in found.facts["results_beside"].before.origins] == [
        "log:before/z.json", "log:before/a.json"]  # fmt: skip
    # the named results of both sides lie in that folder: nobody knows whose these are, so they stand on both
    assert found.facts["results_beside"].after.value == found.facts["results_beside"].before.value
    assert [origin.file for origin in found.facts["results_beside"].after.origins] == [
        "log:after/z.json", "log:after/a.json"]  # fmt: skip


def test_a_file_beside_that_ends_in_any_fault_is_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "named.json"
    path.write_text(SERVING.before[0], encoding="utf-8")
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")
    (run,) = read_runs(path)

    def faulty(_: Path) -> None:
        raise KeyError("min")

    monkeypatch.setattr(beside, "read_runs", faulty)
    assert look([NamedLog(case="C", side=Side.AFTER, path=path, run=run)]) == ()


def test_folders_of_results_beside_a_named_folder_are_found(tmp_path: Path) -> None:
    for name in ("first", "second", "third"):
        results.aisbench(tmp_path / name).rename(tmp_path / name / "run")
        (tmp_path / name / "run").rename(tmp_path / f"run_{name}")
        (tmp_path / name).rmdir()
    for n, path in enumerate(sorted(tmp_path.glob("run_*/performances/*/gsm8k.csv"))):
        path.write_text(results.AISBENCH_TABLE.replace("300.0 ms", f"29{n}.0 ms"))
    for n, path in enumerate(sorted(tmp_path.glob("run_*/performances/*/gsm8k.json"))):
        path.write_text(json.dumps({**results.AISBENCH, "note": n}))
    (run,) = read_runs(tmp_path / "run_first")
    named = NamedLog(case="C", side=Side.AFTER, path=tmp_path / "run_first", run=run)
    assert [one.file.path.rpartition("/")[2] for one in look([named])] == ["run_second", "run_third"]
    assert {one.sides for one in look([named])} == {(Side.AFTER,)}  # no log of BEFORE lies there


# --------------------------------------------------------------------------------------------- beside the goal
def stamped(began: int) -> str:
    """The published run of MindIE, its stamp moved so that it began at this moment (UTC, epoch ns)."""
    ended = datetime.fromtimestamp((began + 294_552_800_000) / 10**9, UTC)
    return mindie_pages.AFTER.replace("[2025-03-19 08:29:17.", f"[{ended:%Y-%m-%d %H:%M:%S}.")


@pytest.mark.parametrize(("profiled", "code"), [(False, "log_inside_capture"), (True, "profiled_run")])
def test_a_profiled_run_is_not_called_unprofiled(profiled: bool, code: str, tmp_path: Path, pair: Evaluation) -> None:
    """I14: it ran while AFTER was captured, whatever the target says of it."""
    started = pair.after[0].ranks[0].started_ns
    assert started is not None
    goal = {**RATE, "subject": "after", "limit": "300 tokens/s"}
    during = Runs(after=(stamped(started - 10**9),), goal=goal, profiled=(False, profiled))
    caught = decide(tmp_path / "during", during, pair)
    assert (caught.judgement.outcome, code in caught.codes) == (MET if profiled else UNDECIDED, True)
    honest = decide(tmp_path / "apart", during.with_(after=(stamped(started + 10**15),), profiled=(False, False)), pair)
    assert (honest.judgement.outcome, code in honest.codes) == (MET, False)


def test_a_mean_of_ratios_hides_no_loser(tmp_path: Path, pair: Evaluation) -> None:
    """0.25 and 1.5: their mean 0.875 is below 1 (0.61 the geometric one), and one of two cases is slower."""
    head = (
        'schema = 1\ndecision_rule = "simple"\n[contract]\nreference = "T"\n[[case]]\nid = "captured"\nclause = "1"\n'
    )
    head += 'profiled = true\n[[matrix]]\nid = "m"\nclause = "2"\naxis = [{ name = "length", values = ["2k", "8k"] }]\n'
    head += "[[matrix.goal]]\n" + "".join(
        f'{key} = "{word}"\n' for key, word in {**LATENCY, "id": "tpot", "subject": "ratio", "limit": "100%"}.items()
    )
    for name, second in (("tricked", "60"), ("honest", "30")):
        (root := tmp_path / name).mkdir()
        (root / "typed.txt").write_text("as published\n")
        text = head
        for at, values in (("2k", ("40", "10")), ("8k", ("40", second))):
            text += f'[[matrix.cell]]\nat = ["{at}"]\n'
            for side, value in zip(("before", "after"), values, strict=True):
                text += f'[[matrix.cell.external]]\nside = "{side}"\nvalue = "{value} ms"\nconditions = "c"\n'
                text += (
                    'file = "typed.txt"\nlocator = "line 1"\nmetric = "latency"\nkind = "tpot"\nstatistic = "mean"\n'
                )
        verdict, _facts = judged(root, text, pair)
        lost = {one.goal.id for one in verdict.judgements if one.outcome is NOT_MET}
        assert (verdict.word, lost) == (("not_met", {"tpot[8k]"}) if name == "tricked" else ("met", set()))


LATENCY = {"metric": "latency", "kind": "tpot", "statistic": "mean", "direction": "at_most"}


def test_what_got_worse_beside_the_goal_is_listed(tmp_path: Path, pair: Evaluation) -> None:
    """Throughput 512 -> 640 tokens/s is met while P99 of the time to the first token goes from 475.5 to 900.1 ms."""
    before, good, bad = (
        served(seconds, mean_tpot_ms=tpot, mean_ttft_ms=300.0, p99_ttft_ms=tail)
        for seconds, tpot, tail in (("50", 31.4, 475.5), ("40", 30.4, 470.5), ("40", 30.4, 900.1))
    )
    runs = Runs(before=(before, server()), after=(bad, LATER), goal=RATE)
    assert decide(tmp_path / "met", runs, pair).judgement.outcome is MET
    (worse,) = elsewhere(tmp_path / "bad", runs, pair).worse
    assert (worse.metric, worse.kind, worse.statistic, worse.goal) == ("latency", "ttft", "p99", False)
    assert worse.change == Quantity(value=Fraction("900.1") / Fraction("475.5") - 1, unit="1")
    assert elsewhere(tmp_path / "good", runs.with_(after=(good, LATER)), pair).worse == ()
