"""Laws 1 and 2 over runs outside the profile: what is taken away or changed in a log never makes a goal met.

Every case begins with a pair of logs or results whose goal is not met or undecided. A line, a block of lines, a key or
a list's item is then taken away from one side and from both. ``UNWITNESSED`` names what nothing else in the files, the
target or the other side speaks of, and why; each is shown to hide something, so that the list stays honest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from run_files import COLD, RATE, STEADY, STEP, Judge, Runs, decide, fsdp2, megatron, served, server

from reportgen.errors import ReportgenError
from reportgen.model import Evaluation, Outcome, Standing

UNWITNESSED = {
    "the beginning or the end of a log, on both sides alike": (
        "a run that was resumed or stopped prints the same lines; of one side alone it is a compared fact (steps_shown)"
    ),
    "a sentence on a fixed router with the dump of arguments, on both sides": (
        "nothing else in the lines speaks of the router; the arguments that are missing are a reservation"
    ),
    "a key of --metadata, a number of requests sent, a concurrency, on both sides": "nothing else in a result names it",
    "the figure itself that was edited": "the others of its result agree with each other",
}


@pytest.fixture
def judge(tmp_path: Path, pair: Evaluation) -> Judge:
    return Judge(tmp_path, pair)


def swapped(runs: Runs, before: str | None = None, after: str | None = None) -> Runs:
    """The pair with another first file on a side."""
    return runs.with_(
        before=runs.before if before is None else (before, *runs.before[1:]),
        after=runs.after if after is None else (after, *runs.after[1:]),
    )


# ------------------------------------------------------------------ Law 2: lines of numbered steps
def times(slow: range) -> tuple[str, ...]:
    """Twelve steps of about 400 ms, some of them of about 560 ms."""
    return tuple(f"{(560 if n in slow else 400) + n % 5}.0" for n in range(12))


BEFORE = tuple(f"{500 + n % 5}.0" for n in range(12))
MIDDLE, TAIL = range(3, 10), range(5, 12)
"""Seven of twelve steps are slow: their median is 1.12 times BEFORE's; without three of them it is 0.8 times that."""


def table(ms: tuple[str, ...]) -> str:
    """A table of steps."""
    return "step,step_time_ms,global_batch_size\n" + "".join(f"{n},{one},8\n" for n, one in enumerate(ms, 1))


def mindformers(ms: tuple[str, ...]) -> str:
    """Step lines of MindFormers without their clock."""
    head = "- [mindformers/core/callback/callback.py:529] - INFO - { Epoch:[  1/  1], step:["
    return "".join(
        f"{head}{n:5d}/   19], loss: 9.6, per_step_time: {one.partition('.')[0]}ms, lr: 1e-05 }}\n"
        for n, one in enumerate(ms, 1)
    )


def verl(ms: tuple[str, ...]) -> str:
    """Steps of verl on one device: tokens over time are the throughput; the first is left out as warm-up."""
    return "".join(
        f"(TaskRunner pid=1) step:{n} - timing_s/step:{float(one) / 1000} - perf/total_num_tokens:1000 - "
        f"perf/time_per_step:{float(one) / 1000} - perf/throughput:{1_000_000 / float(one):.4f}\n"
        for n, one in enumerate(ms, 1)
    )


LOGS = {"megatron": lambda ms: megatron(ms, arguments={}), "fsdp2": fsdp2, "table": table, "mindformers": mindformers,
        "verl": verl}  # fmt: skip
FIRST = {"megatron": 11, "table": 1}
"""Lines before the first step."""


def cuts(text: str, head: int) -> Iterator[tuple[str, str]]:
    """Each line between the first and the last step taken away, and blocks of two to six of them."""
    lines = text.splitlines(keepends=True)
    for size in (1, 2, 3, 4, 6):
        for at in range(head + 1, len(lines) - size):
            yield f"lines {at} to {at + size - 1}", "".join([*lines[:at], *lines[at + size :]])


@pytest.mark.parametrize("family", sorted(LOGS))
def test_lines_lost_within_a_log_never_make_it_good(family: str, judge: Judge) -> None:
    write = LOGS[family]
    bad = Runs(before=(write(BEFORE),), after=(write(times(MIDDLE)),), goal=STEP)
    assert judge.met(swapped(bad, after=write(times(range(0)))))  # 402 / 502 = 80 %: without the slow steps it is met
    assert not judge.met(bad)
    head = FIRST.get(family, 0)
    before = dict(cuts(bad.before[0], head))
    for what, text in cuts(bad.after[0], head):
        assert not judge.met(swapped(bad, after=text)), f"{family}: AFTER without {what}"
        if family == "megatron" and what in ("lines 14 to 14", "lines 15 to 17", "lines 16 to 21"):
            assert not judge.met(swapped(bad, before[what], text)), f"{family}: both without {what}"


@pytest.mark.parametrize("family", sorted(LOGS))
def test_an_end_that_one_side_lacks_is_a_compared_fact(family: str, tmp_path: Path, pair: Evaluation) -> None:
    """``UNWITNESSED``: BEFORE shows steps 1 to 12, AFTER 1 to 8."""
    write = LOGS[family]
    cut = "".join(write(times(TAIL)).splitlines(keepends=True)[:-4])
    found = decide(tmp_path, Runs(before=(write(BEFORE),), after=(cut,), goal=STEP), pair)
    assert found.judgement.outcome is Outcome.MET
    assert found.facts["steps_shown"].standing is Standing.BIAS
    assert found.facts["steps_shown"].after.value is not None
    assert found.facts["steps_shown"].after.value.endswith("-8")
    # the goal says it too: 8 of the steps that the lines count, where they do (``iteration 8/ 60``)
    (said,) = [one for one in found.judgement.reservations if one.code in ("run_steps_shown", "run_steps_shown_of")]
    assert said == found.facts["steps_shown"].reason
    assert (said.arg("before").split("-")[1], said.arg("after").split("-")[1]) == ("12", "8")
    lines = re.findall(r"iteration +8/ *(\d+)", cut)
    assert [said.arg("after_of")] == (lines or [""])


@pytest.mark.parametrize(
    ("slow", "goal"), [(5, {**STEP, "statistic": "max"}), (5, {**STEP, "subject": "after", "limit": "450 ms"})]
)
def test_one_slow_step_cannot_be_taken_out(slow: int, goal: dict[str, str], judge: Judge) -> None:
    spike = times(range(slow, slow + 1))
    goal = {**goal, "statistic": "max"}
    bad = Runs(before=(megatron(BEFORE, arguments={}),), after=(megatron(spike, arguments={}),), goal=goal)
    assert not judge.met(bad)
    assert judge.met(swapped(bad, after=megatron(times(range(0)), arguments={})))
    for what, text in cuts(bad.after[0], FIRST["megatron"]):
        assert not judge.met(swapped(bad, after=text)), what


@pytest.mark.parametrize("key", ["global batch size", "consumed samples"])
def test_a_batch_size_that_one_field_still_shows_cannot_be_taken_out(key: str, judge: Judge) -> None:
    """Samples consumed over iterations are the batch size: one of the two is enough to see that it was halved."""

    def without(text: str) -> str:
        return "\n".join(
            "|".join(part for part in line.split("|") if not part.strip().startswith(f"{key}:"))
            for line in text.split("\n")
        )

    sides = (megatron(BEFORE, arguments={}), megatron(times(range(0)), arguments={}, size=64))
    bad = Runs(before=(sides[0],), after=(sides[1],), goal=STEP)
    assert not judge.met(bad)
    assert not judge.met(swapped(bad, without(sides[0]), without(sides[1])))
    alike = (sides[0], megatron(times(range(0)), arguments={}))
    assert judge.met(swapped(bad, without(alike[0]), without(alike[1])))


# ------------------------------------------------------------------ Law 2: keys of results
LATER = server((0.0, 16), (0.0, 15), (0.0, 16))
GOOD = Runs(before=(served("50", ttfts=STEADY), server()), after=(served("40", ttfts=STEADY), LATER), goal=RATE)


def result(seconds: str = "40", **more: Any) -> Runs:
    """The good pair with another result of AFTER."""
    return GOOD.with_(after=(served(seconds, **{"ttfts": STEADY, **more}), LATER))


FEW = {"requests": 160, "failed": 40, "output": 20480, "inputs": 163840, "ttfts": STEADY[:160]}
"""A fifth of the requests failed; 20480 tokens in 32 s are 640 tokens/s."""
SPIKE = (*STEADY[:100], 2.0, *STEADY[101:])
RESULTS: dict[str, tuple[Runs, tuple[str, ...]]] = {
    "slower": (result("50.1"), ()),
    "a cold BEFORE": (GOOD.with_(before=(served("50", ttfts=COLD), server())), ()),
    "failed requests": (result("32", **FEW), ()),
    "time-outs dropped": (result(num_prompts=240), ("num_prompts ab",)),
    "more at a time": (result(max_concurrency=32), ("max_concurrency ab",)),
    "an edited rate": (result(output_throughput=800.0), ()),
    "an edited median": (result(median_ttft_ms=120.0), ("median_ttft_ms a", "median_ttft_ms ab")),
    "shorter prompts": (result(inputs=102400), ()),
    "random weights": (result(load_format="dummy"), ("load_format a", "load_format ab")),
    "one slow request": (
        GOOD.with_(
            after=(served("40", ttfts=SPIKE), LATER),
            goal={"metric": "latency", "kind": "ttft", "statistic": "max", "direction": "at_most", "subject": "ratio",
                  "limit": "110%"},
        ),
        (),
    ),
}  # fmt: skip
"""Title -> (pair, what may be taken away since nothing else speaks of it: key and sides)."""


def keys(text: str) -> dict[str, str]:
    """Each key of a result taken away, and of each list its beginning, its middle and its end."""
    whole = json.loads(text)
    found = {key: {other: held for other, held in whole.items() if other != key} for key in whole}
    for key, held in whole.items():
        if isinstance(held, list):
            for at in (0, 96, len(held) - 8):
                found[f"{key}[{at}:{at + 8}]"] = {**whole, key: [*held[:at], *held[at + 8 :]]}
    return {what: json.dumps(one) for what, one in found.items()}


@pytest.mark.parametrize("title", sorted(RESULTS))
def test_what_a_result_says_cannot_be_taken_away(title: str, judge: Judge) -> None:
    bad, silent = RESULTS[title]
    assert not judge.met(bad)
    assert judge.met(GOOD)
    before, after = keys(bad.before[0]), keys(bad.after[0])
    for what in dict.fromkeys((*after, *before)):
        for sides in ("a", "b", "ab") if title == "a cold BEFORE" else ("a", "ab"):
            tried = swapped(bad, before.get(what) if "b" in sides else None, after.get(what) if "a" in sides else None)
            assert judge.met(tried) == (f"{what} {sides}" in silent), f"{title}: without {what} of {sides}"


# ------------------------------------------------------------------ Law 1: what a run states
TRAINING = Runs(before=(megatron(BEFORE, arguments={}),), after=(megatron(times(range(0)), arguments={}),), goal=STEP)
TABLE = Runs(before=(table(BEFORE),), after=(table(times(range(0))),), goal=STEP)
IDENTITY = {"date changed", "date deleted", "save changed"}
"""A moment, and a place to write to: of the latter it matters whether one is given."""


def edits(runs: Runs) -> Iterator[tuple[str, Runs]]:
    """Each statement of AFTER's files changed, taken away and added."""
    for n, text in enumerate(runs.after):
        for what, other in _edited(text):
            yield what, runs.with_(after=(*runs.after[:n], other, *runs.after[n + 1 :]))


def _edited(text: str) -> Iterator[tuple[str, str]]:
    if text.startswith("{"):
        held = json.loads(text)
        for key in ("backend", "date", "model_id", "num_prompts", "request_rate", "max_concurrency", "num_warmups"):
            yield f"{key} changed", json.dumps({**held, key: "7"})
            yield f"{key} deleted", json.dumps({other: one for other, one in held.items() if other != key})
        for key in (
            "nobody_knows_this",
            "dataset_name",
            "vllm_version",
            "dtype",
            "tp",
            "ignore_eos",
            "seed_of_prompts",
        ):
            yield f"{key} added", json.dumps({**held, key: "x"})
    elif "non-default args" in text:
        for key, old, new in (("enable_prefix_caching", "True", "False"), ("max_num_seqs", "64", "65"),
                              ("model", "Qwen3-8B", "Qwen3-14B"), ("max_num_seqs", ", 'max_num_seqs': 64", ""),
                              ("seed", "'max_num_seqs'", "'seed': 3, 'max_num_seqs'")):  # fmt: skip
            yield f"{key} of the server", text.replace(old, new, 1)
    elif "arguments ---" in text:
        lines = text.splitlines(keepends=True)
        for at, line in enumerate(lines[1 : FIRST["megatron"] - 1], 1):
            yield f"{line.split()[0]} changed", "".join([*lines[:at], f"{line.rstrip()}9\n", *lines[at + 1 :]])
            yield f"{line.split()[0]} deleted", "".join([*lines[:at], *lines[at + 1 :]])
        yield "nobody_knows_this added", "".join([lines[0], "  nobody_knows_this ..... 1\n", *lines[1:]])
    else:
        yield "global_batch_size changed", text.replace(",8\n", ",16\n")
        yield "global_batch_size deleted", "\n".join(line.rpartition(",")[0] for line in text.split("\n"))
        yield (
            "dtype added",
            "\n".join(f"{line},{'bf16' if n else 'dtype'}" if line else "" for n, line in enumerate(text.split("\n"))),
        )


@pytest.mark.parametrize("name", ["serving", "training", "table"])
def test_what_one_side_states_otherwise_is_never_silently_the_same(name: str, tmp_path: Path, pair: Evaluation) -> None:
    runs = {"serving": GOOD, "training": TRAINING, "table": TABLE}[name]
    plain = decide(tmp_path / "good", runs, pair)
    assert plain.judgement.outcome is Outcome.MET
    for n, (what, edited) in enumerate(edits(runs)):
        assert edited != runs, what
        try:
            found = decide(tmp_path / str(n), edited, pair)
        except ReportgenError:
            continue
        if found.judgement.outcome is not Outcome.MET or what in IDENTITY:
            continue
        key = what.split()[0]
        reserved = {spelling.removeprefix("argument.") for spelling, one in found.facts.items()
                    if one.standing not in (Standing.SAME, Standing.ALLOWED)}  # fmt: skip
        assert key in reserved, f"{what}: met, and nothing says so"


def test_other_definitions_under_one_name_are_never_compared(judge: Judge) -> None:
    assert not judge.met(swapped(TRAINING, after=TABLE.after[0]))
    assert not judge.met(swapped(TRAINING, before=fsdp2(BEFORE)))
