"""Ten public cases as files with their published figures, and what this product says of each.

Source: the issue threads, pull requests and pages named at each case; docs/tricks.md. What a page does not print (the
repeats between its ends, token counts, warm-ups) is generated so that the figures of a file agree with each other.
"""

from __future__ import annotations

import random
import re
from fractions import Fraction
from pathlib import Path

import pytest
from run_files import COLD, SCORE, SCORES, STEADY, Runs, decide, elsewhere, figures, served, server
from run_logs import mindie_pages
from whole_report import page, whole

from reportgen.model import Evaluation, Outcome, Quantity, Reason, Standing, Status, VerdictWord

MET, NOT_MET, UNDECIDED = Outcome.MET, Outcome.NOT_MET, Outcome.UNDECIDED
RATE = {"metric": "throughput", "kind": "output_tokens_per_s", "statistic": "mean", "direction": "at_least"}
TIME = {"metric": "latency", "statistic": "mean", "direction": "at_most", "subject": "ratio", "limit": "100%"}


def at(rate: str, **more: object) -> str:
    """A result of 25600 output tokens at so many tokens/s."""
    return served(25600 / Fraction(rate), **more)  # type: ignore[arg-type]


def declared(key: str, value: str) -> str:
    """A declaration of the parties."""
    return f'[[declared]]\nkey = "{key}"\nvalue = "{value}"\nsigner = "S"\nrole = "R"\ndate = "2026-01-01"\n'


def ratio(value: Fraction | str, of: Fraction | str) -> Quantity:
    """AFTER over BEFORE."""
    return Quantity(value=Fraction(value) / Fraction(of), unit="1")


# ------------------------------------------------------------------ 1: CPU binding, vllm-ascend issue 6966
# 124.08 -> 146.93 tok/s at one request at a time; five repeats of BEFORE between 110.3 and 133.1.
REPEATS = ("110.3", "118.6", "121.9", "133.1", "124.08")
BOUND = ("145.81", "147.40", "146.52", "147.99", "146.93")


def test_cpu_binding_with_all_repeats_is_met_and_a_chosen_repeat_is_flagged(tmp_path: Path, pair: Evaluation) -> None:
    goal = {**RATE, "subject": "ratio", "limit": "105%"}
    alone = {"max_concurrency": 1}
    logs = (server((0.0, 1)), server((0.0, 1), (0.0, 1)))
    whole = Runs(
        before=(*(at(rate, **alone) for rate in REPEATS), logs[0]),
        after=(*(at(rate, **alone) for rate in BOUND), logs[1]),
        goal=goal,
        rule="guarded",
    )
    found = decide(tmp_path / "all", whole, pair)
    assert found.judgement.outcome is MET
    assert "run_results_beside" not in found.codes
    fifth = Runs(
        before=(whole.before[4], logs[0]), after=(whole.after[4], logs[1]), goal=goal, rule="simple",
        beside={f"b{n}.json": text for n, text in enumerate(whole.before[:4])},
    )  # fmt: skip
    chosen = decide(tmp_path / "fifth", fifth, pair)
    assert chosen.judgement.outcome is MET  # 146.93 / 124.08 = 1.184
    assert chosen.facts["results_beside"].reason.arg("n") == "4"
    told = figures(tmp_path / "figures", whole, pair)["throughput", "output_tokens_per_s", "mean"]
    assert (told.runs, told.comparison.status) == ((5, 5), Status.IMPROVED)
    guarded = decide(tmp_path / "guarded", fifth.with_(rule="guarded"), pair)
    assert (guarded.judgement.outcome, guarded.judgement.reason.code) == (UNDECIDED, "no_interval_once")


# ------------------------------------------------------------------ 2: MindIE, QwQ-32B, public tutorial
# 35.9 -> 327.3 token/s; mean gap 272.9 -> 29.1 ms, P90 29.2 -> 31.0 ms; 449.32 and 482.07 tokens an answer.
QWQ = Runs(
    before=(mindie_pages.BEFORE,),
    after=(mindie_pages.AFTER,),
    goal={**RATE, "subject": "ratio", "limit": "800%"},
    agreed='may_differ = ["output_length"]',
    tables=declared("warm_up", "as the page describes"),
)


def test_mindie_pair_is_met_by_the_mean_and_not_met_by_p90(tmp_path: Path, pair: Evaluation) -> None:
    found = decide(tmp_path / "rate", QWQ, pair)
    assert found.judgement.value == ratio("327.3233", "35.9032")
    assert (found.judgement.outcome, "log_mean_above_p99" in found.codes) == (MET, True)  # 272.9 ms above its P99
    gaps = {**TIME, "kind": "itl"}
    mean = decide(tmp_path / "mean", QWQ.with_(goal=gaps), pair)
    assert (mean.judgement.outcome, mean.judgement.value) == (MET, ratio("29.1162", "272.8685"))
    high = decide(tmp_path / "p90", QWQ.with_(goal={**gaps, "statistic": "p90"}), pair)
    assert (high.judgement.outcome, high.judgement.value) == (NOT_MET, ratio("31.0", "29.1581"))


def test_mindie_pair_shows_the_conflict_and_attributes_to_no_single_change(tmp_path: Path, pair: Evaluation) -> None:
    found = elsewhere(tmp_path, QWQ, pair)
    (gaps,) = [one for one in found.disagreements if one.kind == "itl"]
    assert (gaps.better.statistic, gaps.worse.statistic) == ("mean", "p99")
    (high,) = [one for one in found.worse if (one.kind, one.statistic) == ("itl", "p90")]
    assert high.change == Quantity(value=Fraction("31.0") / Fraction("29.1581") - 1, unit="1")  # +6.3 %
    # several changes were listed: the report says whose the gain is, and holds no share of any of them
    assert len(whole().contract.changes) == 2  # type: ignore[union-attr]
    assert "A change of a figure belongs to the list as a whole, not to one line of it." in page("en")
    assert "数值的变化归于整份清单，不归于其中某一行。" in page("zh")


def test_mindie_pair_without_an_agreement_on_lengths_and_warm_up_is_undecided(tmp_path: Path, pair: Evaluation) -> None:
    found = decide(tmp_path, QWQ.with_(agreed="", tables=""), pair)
    why = Reason.of("runs_not_alike_nor_shown", facts="output_length", unstated="warm_up/before/after")
    assert (found.judgement.outcome, found.judgement.reason) == (UNDECIDED, why)


# ------------------------------------------------------------------ 3: MindFormers, Llama2-13B, MindSpore documents
def test_a_chain_of_changes_per_card_rests_on_typed_values(tmp_path: Path, pair: Evaluation) -> None:
    """1860 -> 2136 -> 2189 -> 2210 -> 2353 -> 2562 tokens/s/p: the ends alone are a goal, typed by hand."""
    goal = {**RATE, "kind": "tokens_per_s_per_rank", "subject": "ratio", "limit": "137%"}
    typed = (("before", "1860 tokens/s"), ("after", "2562 tokens/s"))
    found = decide(tmp_path / "simple", Runs(goal=goal, typed=typed), pair)
    assert (found.judgement.outcome, found.judgement.value) == (MET, ratio("2562", "1860"))  # +37.7 %
    assert "hand_typed" in found.codes
    guarded = decide(tmp_path / "guarded", Runs(goal=goal, typed=typed, rule="guarded"), pair)
    assert (guarded.judgement.outcome, guarded.judgement.reason.code) == (UNDECIDED, "no_interval_typed")


def rates(per_card: int, cards: int) -> str:
    """Steps of 4.8 million tokens: the rate of a card is tokens over time and cards, as verl prints it."""
    tokens, text = 4_800_000, ""
    for n in range(1, 9):
        seconds = Fraction(tokens, (per_card + n % 3) * cards)
        rate = f"perf/throughput:{per_card + n % 3}"
        text += f"step:{n} - timing_s/step:{float(seconds)} - perf/total_num_tokens:{tokens} - "
        text += f"perf/time_per_step:{float(seconds)} - {rate}\n"
    return text


@pytest.mark.parametrize(
    ("permitted", "outcome"),
    [("", UNDECIDED), ('may_differ = ["devices"]', MET), ('may_differ = ["run.devices"]', MET)],
)
def test_a_rate_per_card_on_twice_the_cards_takes_an_agreement(
    tmp_path: Path, pair: Evaluation, permitted: str, outcome: Outcome
) -> None:
    """DP8 on 8 cards, then DP8 PP2 on 16: 2562 / 1860 = 137.7 % of the tokens of a card."""
    goal = {**RATE, "kind": "tokens_per_s_per_rank", "subject": "ratio", "limit": "137%"}
    runs = Runs(before=(rates(1860, 8),), after=(rates(2562, 16),), goal=goal, agreed=permitted)
    found = decide(tmp_path, runs, pair)
    fact = found.facts["devices"]
    assert (found.judgement.outcome, fact.before.value, fact.after.value) == (outcome, "8", "16")
    if not permitted:
        assert fact.standing is Standing.BLOCKING
        assert found.judgement.reason.arg("facts") == "devices"


# ------------------------------------------------------------------ 4: VeOmni, Qwen3 fused kernels, PR 308
def bars(first: int, last: int) -> str:
    """The bars of steps 10 and 30 with their clock in seconds; the smoothed time a step is not read."""
    lines = []
    for step, spent in ((10, first), (30, last)):
        clock = f"{spent // 60:02d}:{spent % 60:02d}"
        lines.append(
            f"Epoch 1/1:   {step // 5}%|          | {step}/500 [{clock}<2:20:54, 27.01s/it, loss: 2.88, "
            "grad_norm: 13.59, lr: 3.00e-04]\n"
        )
    return "".join(lines)


def test_a_clock_of_seconds_over_twenty_steps_gives_one_value(tmp_path: Path, pair: Evaluation) -> None:
    goal = {"metric": "step_time", "statistic": "mean", "direction": "at_most", "subject": "ratio", "limit": "85%"}
    runs = Runs(before=(bars(300, 851),), after=(bars(260, 727),), goal=goal)  # 551 and 467 s: 27.55 and 23.35 s a step
    found = decide(tmp_path / "simple", runs, pair)
    assert (found.judgement.outcome, found.judgement.value) == (MET, ratio("23.35", "27.55"))  # -15.2 % time
    assert Fraction("27.55") / Fraction("23.35") - 1 > Fraction("0.179")  # +18.0 % speed: the other way to say it
    assert "log_clock_seconds" in found.codes
    assert decide(tmp_path / "guarded", runs.with_(rule="guarded"), pair).judgement.outcome is UNDECIDED


# ------------------------------------------------------------------ 5: MindSpore Llama, MindAct PR 1427
def steps(ms: str, binding: str) -> str:
    """A table of steps that all took so long."""
    rows = "".join(f"{n},{ms},{binding}\n" for n in range(1, 9))
    return f"step,step_time_ms,cpu_binding\n{rows}"


def test_which_before_a_chain_begins_with_decides_what_it_gives(tmp_path: Path, pair: Evaluation) -> None:
    """170 -> 85 ms in seven steps; before them binding alone had given 330 -> 200."""
    goal = {"metric": "step_time", "statistic": "median", "direction": "at_most", "subject": "ratio", "limit": "51%"}
    chain = Runs(before=(steps("170", "on"),), after=(steps("85", "on"),), goal=goal)
    assert decide(tmp_path / "chain", chain, pair).judgement.outcome is MET  # 85 / 170 = 50 %
    weak = decide(tmp_path / "weak", chain.with_(before=(steps("330", "off"),)), pair)
    assert (weak.judgement.outcome, weak.judgement.reason.arg("facts")) == (UNDECIDED, "cpu_binding")


# ------------------------------------------------------------------ 6: graph mode by length, issue 7723
LENGTHS = (("256k", "171", "55.6", MET), ("512k", "165", "125", MET), ("768k", "165", "191", NOT_MET),
           ("1M", "250", "256", NOT_MET))  # fmt: skip


@pytest.mark.parametrize(("length", "before", "after", "outcome"), LENGTHS)
def test_graph_mode_wins_at_two_lengths_and_loses_at_two(
    length: str, before: str, after: str, outcome: Outcome, tmp_path: Path, pair: Evaluation
) -> None:
    sides = [served("40", mean_tpot_ms=float(ms), input_len=length) for ms in (before, after)]
    runs = Runs(before=(sides[0],), after=(sides[1],), goal={**TIME, "kind": "tpot"})
    assert decide(tmp_path, runs, pair).judgement.outcome is outcome


def test_profiling_that_inflates_by_29_percent_is_not_a_before(tmp_path: Path, pair: Evaluation) -> None:
    """171 ms measured alone and 220 ms under the profiler are one build."""
    runs = Runs(before=(served("40", mean_tpot_ms=220.0),), after=(served("40.1", mean_tpot_ms=171.0),),
                goal={**TIME, "kind": "tpot"}, profiled=(True, False))  # fmt: skip
    found = decide(tmp_path, runs, pair)
    assert (found.judgement.outcome, found.judgement.reason.code) == (UNDECIDED, "profiled_mixed")


# ------------------------------------------------------------------ 7: W8A8 against BF16, Qwen3-32B, issue 2514
def test_quantisation_has_to_be_on_the_change_list_and_shows_no_difference(tmp_path: Path, pair: Evaluation) -> None:
    goal = {**TIME, "kind": "ttft"}

    def runs(before: float, after: float, concurrency: int) -> Runs:
        sides = [
            served(
                800 / concurrency, mean_ttft_ms=ms, max_concurrency=concurrency, model_id=name, tokenizer_id="Qwen3-32B"
            )
            for ms, name in ((before, "Qwen3-32B"), (after, "Qwen3-32B-W8A8"))
        ]
        return Runs(before=(sides[0],), after=(sides[1],), goal=goal, rule="guarded")

    hidden = decide(tmp_path / "hidden", runs(656, 594, 1), pair)
    assert (hidden.judgement.outcome, hidden.judgement.reason.arg("facts")) == (UNDECIDED, "model")
    listed = 'may_differ = ["model"]'
    one = decide(tmp_path / "c1", runs(656, 594, 1).with_(agreed=listed), pair)
    assert (one.judgement.outcome, one.judgement.reason.code) == (UNDECIDED, "no_interval_once")
    simple = runs(656, 594, 1).with_(agreed=listed, rule="simple")
    bare = decide(tmp_path / "simple", simple, pair)
    assert (bare.judgement.outcome, bare.judgement.reason.code) == (UNDECIDED, "accuracy_missing")
    shown = decide(tmp_path / "shown", simple.with_(of_case=SCORE, beside=SCORES), pair)
    assert (shown.judgement.outcome, shown.judgement.value) == (MET, ratio(594, 656))  # 9.5 % by one run each
    eight = decide(tmp_path / "c8", runs(1000, 1056, 8).with_(agreed=listed, rule="simple"), pair)
    assert eight.judgement.outcome is NOT_MET  # 1.056 s after 1.0 s


def answered(ttft: str, gap: str, concurrency: int, model: str, seed: int) -> str:
    """A result of 20 requests of 11 tokens, of the published means in s.

    The page prints no spread; here single requests and gaps lie up to a half around their mean, each as far above it
    as another one lies below.
    """
    chance = random.Random(seed)

    def around(mean: str, n: int) -> list[Fraction]:
        apart = [Fraction(chance.randint(20, 500), 1000) for _ in range(n // 2)]
        found = [Fraction(mean) * (1 + sign * part) for part in apart for sign in (1, -1)]
        chance.shuffle(found)
        return found

    gaps = [around(gap, 10) for _ in range(20)]
    mean = float(Fraction(gap) * 1000)
    # 20 requests of a time to the first token and ten gaps, nine in ten of those allowed under way
    seconds = 20 * (Fraction(ttft) + 10 * Fraction(gap)) / concurrency / Fraction(9, 10)
    return served(
        seconds, requests=20, output=220, inputs=20480, ttfts=[float(one) for one in around(ttft, 20)],
        itls=[[float(one) for one in some] for some in gaps], mean_itl_ms=mean, mean_tpot_ms=mean,
        max_concurrency=concurrency, model_id=model, tokenizer_id="Qwen3-32B",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("concurrency", "ttft", "gap"),
    [(1, ("0.656", "0.594"), ("0.031", "0.030")), (8, ("1.0", "1.056"), ("0.054", "0.054"))],
)
def test_quantisation_with_single_requests_demonstrates_no_difference(
    concurrency: int, ttft: tuple[str, str], gap: tuple[str, str], tmp_path: Path, pair: Evaluation
) -> None:
    sides = [
        answered(ttft[n], gap[n], concurrency, name, 2 * concurrency + n)
        for n, name in enumerate(("Qwen3-32B", "Qwen3-32B-W8A8"))
    ]
    runs = Runs(before=(sides[0],), after=(sides[1],), goal={**TIME, "kind": "ttft"}, rule="guarded",
                agreed='may_differ = ["model"]', of_case=SCORE, beside=SCORES)  # fmt: skip
    found = figures(tmp_path / "figures", runs, pair)
    for kind, published in (("ttft", ttft), ("itl", gap)):
        row = found["latency", kind, "mean"].comparison
        assert row.change == Quantity(value=Fraction(published[1]) / Fraction(published[0]) - 1, unit="1")
        assert row.status is Status.NO_DIFFERENCE
    judged = decide(tmp_path / "guarded", runs, pair).judgement
    assert (judged.outcome, judged.reason.code) == (UNDECIDED, "interval_crosses_limit")
    bare = decide(tmp_path / "bare", runs.with_(of_case="", beside={}, rule="simple"), pair).judgement
    assert bare.outcome is (NOT_MET if concurrency == 8 else UNDECIDED)
    assert concurrency == 8 or bare.reason.code == "accuracy_missing"


# ------------------------------------------------------------------ 8: vllm-ascend 0.9.1 -> 0.11.0-dev, issue 4110
def rounds(kind: str, values: tuple[str, ...], start: int) -> tuple[str, ...]:
    """One result a round; each took a little longer, so that none is another one's copy."""
    key = f"mean_{kind}_ms"
    return tuple(served(str(40 + (start + n) / 10), **{key: float(value)}) for n, value in enumerate(values))  # type: ignore[arg-type]


def test_rounds_of_one_build_are_pooled(tmp_path: Path, pair: Evaluation) -> None:
    """TTFT 51.9/39.8 -> 62.0/56.8/54.8, TPOT 20.3/20.0 -> 18.7/18.6/18.4: no round is chosen."""
    tpot = Runs(before=rounds("tpot", ("20.3", "20.0"), 0), after=rounds("tpot", ("18.7", "18.6", "18.4"), 2),
                goal={**TIME, "kind": "tpot"})  # fmt: skip
    assert decide(tmp_path / "tpot", tpot, pair).judgement.outcome is MET
    ttft = Runs(before=rounds("ttft", ("51.9", "39.8"), 0), after=rounds("ttft", ("62.0", "56.8", "54.8"), 2),
                goal={**TIME, "kind": "ttft"})  # fmt: skip
    assert decide(tmp_path / "ttft", ttft, pair).judgement.outcome is NOT_MET
    assert decide(tmp_path / "guarded", ttft.with_(rule="guarded"), pair).judgement.outcome is UNDECIDED
    told = {
        kind: figures(tmp_path / f"figures-{kind}", runs, pair)["latency", kind, "mean"].comparison.status
        for kind, runs in (("tpot", tpot), ("ttft", ttft))
    }
    # 51.9 and 39.8 ms: t(1) s / sqrt(2) = 12.7 x 8.56 / 1.41 = 76.9 ms is more than their mean, so there is no interval
    assert told == {"tpot": Status.IMPROVED, "ttft": Status.UNKNOWN}


# ------------------------------------------------------------------ 9: SFA remap kernel, GLM, PR 14373
def test_a_goal_on_tpot_is_met_while_the_tail_of_ttft_grew(tmp_path: Path, pair: Evaluation) -> None:
    """TPOT 53.00 -> 50.71 ms, P90 TTFT 1566.8 -> 2024.1 ms, 8 of 8 requests."""
    few = {"requests": 8, "output": 1024, "inputs": 8192}
    sides = [
        served("40", mean_tpot_ms=tpot, mean_ttft_ms=1200.0, p90_ttft_ms=ttft, **few)  # type: ignore[arg-type]
        for tpot, ttft in ((53.00, 1566.8), (50.71, 2024.1))
    ]
    runs = Runs(before=(sides[0],), after=(sides[1],), goal={**TIME, "kind": "tpot", "limit": "97%"})
    found = decide(tmp_path / "tpot", runs, pair)
    assert (found.judgement.outcome, found.judgement.value) == (MET, ratio("50.71", "53.00"))
    (worse,) = elsewhere(tmp_path / "box", runs, pair).worse
    assert (worse.kind, worse.statistic, worse.goal, worse.told) == ("ttft", "p90", False, False)
    assert worse.change == Quantity(value=Fraction("2024.1") / Fraction("1566.8") - 1, unit="1")
    tail = decide(tmp_path / "ttft", runs.with_(goal={**TIME, "kind": "ttft", "statistic": "p90"}), pair)
    assert (tail.judgement.outcome, tail.judgement.value) == (NOT_MET, ratio("2024.1", "1566.8"))  # +29.2 %


# ------------------------------------------------------------------ 10: fused KV transpose, PR 6366
def test_a_time_of_an_operator_is_no_time_of_a_service(tmp_path: Path, pair: Evaluation) -> None:
    """7 ms -> 0.24 ms in a unit test, 90 to 110 ms of TTFT: a latency is never answered by a capture."""
    goal = {**TIME, "kind": "ttft", "subject": "delta", "limit": "-90 ms"}
    none = decide(tmp_path / "none", Runs(goal=goal), pair)
    assert (none.judgement.outcome, none.judgement.reason.code) == (UNDECIDED, "no_external_value")
    runs = Runs(before=(served("40", mean_ttft_ms=1000.0),), after=(served("40", mean_ttft_ms=900.0),), goal=goal)
    told = decide(tmp_path / "told", runs, pair)
    assert told.judgement.outcome is MET
    assert told.judgement.value == Quantity(value=-100_000_000, unit="ns")


# ------------------------------------------------------------------ control: vllm issue 43078
# 0.69 -> 41.6 req/s on one server with nothing changed: the first run paid for its warm-up.
def burst(rate: str, **more: object) -> str:
    """200 requests at so many a second."""
    return served(200 / Fraction(rate), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("rule", ["simple", "guarded"])
@pytest.mark.parametrize("shown", ["nothing stated", "single requests"])
def test_sixtyfold_by_a_warm_up_alone_is_not_comparable_where_requests_show_it_and_never_met(
    shown: str, rule: str, tmp_path: Path, pair: Evaluation
) -> None:
    lists = ({"ttfts": COLD}, {"ttfts": STEADY}) if shown == "single requests" else ({}, {})
    cold, warm = (burst(rate, num_warmups=None, **more) for rate, more in zip(("0.69", "41.6"), lists, strict=True))
    goal = {**RATE, "kind": "requests_per_s", "subject": "ratio", "limit": "120%"}
    found = decide(tmp_path, Runs(before=(cold,), after=(warm,), goal=goal, rule=rule), pair)
    seen = shown == "single requests"
    code = "run_cold_one_side" if seen else "run_warm_up_not_stated"
    assert (found.judgement.outcome, found.judgement.reason.code) == (UNDECIDED, code)
    assert found.word is (VerdictWord.NOT_COMPARABLE if seen else VerdictWord.UNDECIDED)
    assert Fraction("41.6") / Fraction("0.69") > 60
    runs = Runs(before=(cold,), after=(warm,), goal=goal, rule=rule)
    told = figures(tmp_path / "figures", runs, pair).values()
    assert {(one.comparison.status, one.unlike) for one in told} == {(Status.UNKNOWN, seen)}


def test_the_cases_stand_in_the_order_of_their_numbers() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    numbers = [int(n) for n in re.findall(r"^# -{5,} (\d+): ", text, flags=re.MULTILINE)]
    assert numbers == list(range(1, 11))
