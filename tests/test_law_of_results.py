"""Law 2 over results of load generators, tools of inference and logs of servers: less of them is never better.

Every case begins with a pair whose goal is not met or undecided, from a cause that something else in the files, or the
other side, bears out. Each file, row, column, key, item of a list and line is then taken away from AFTER alone and from
both sides. ``UNWITNESSED`` names what nothing else speaks of; each of its entries is shown to hide its cause, so that
the list stays honest.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from run_files import RATE, Content, Judge, Runs, decide, served, server

from reportgen.model import Evaluation, Outcome

REQUESTS = {**RATE, "kind": "requests_per_s"}


UNWITNESSED = {
    "data set and request rate of a client, on both sides": (
        "only its configuration or its arguments name them; without them on one side alone they are not the same"
    ),
    "the first window of a server's log, and the last": "it began or ended while nothing is known to have run",
    "the logs of the servers of both sides": "the results do not name them; that they are missing is a reservation",
}


# ------------------------------------------------------------------------------------------------ results
def aisbench(
    seconds: int,
    *,
    done: int = 8,
    failed: int = 0,
    output: int = 512,
    at_once: int = 2,
    rate: str = "0.05",
    tail: int = 0,
    **edited: str,
) -> dict[str, str]:
    """A folder of AISBench whose figures agree: 1500 input tokens and ``output`` output tokens a request.

    Args:
        seconds: duration of the run.
        at_once: requests under way, from begin to end.
        rate: request rate of the configuration.
        tail: ms by which P90 of TPOT lies above its mean.
        edited: figures of the json written over.
    """
    ms = 1000 * seconds
    made, got, mean = done * output, done * 1500, Fraction(ms * at_once, done)
    common = {
        "Benchmark Duration": f"{ms} ms", "Total Requests": done + failed, "Failed Requests": failed,
        "Success Requests": done, "Concurrency": at_once, "Max Concurrency": at_once,
        "Request Throughput": f"{done / seconds:.9f} req/s", "Total Input Tokens": got, "Total Generated Tokens": made,
        "Input Token Throughput": f"{got / seconds:.6f} token/s",
        "Output Token Throughput": f"{made / seconds:.6f} token/s",
        "Total Token Throughput": f"{(got + made) / seconds:.6f} token/s", **edited,
    }  # fmt: skip
    token = (mean - 100) / (output - 1)
    rows = [["Performance Parameters", "Stage", "Average", "Min", "Max", "P90", "N"]]
    for name, value, spread in (("E2EL", mean, 5), ("TTFT", Fraction(100), 5), ("TPOT", token, tail)):
        figures = (value, value - 1, value + spread + 1, value + spread)
        rows.append([name, "total", *(f"{float(one):.4f} ms" for one in figures), str(done)])
    for name, tokens in (("InputTokens", 1500), ("OutputTokens", output)):
        rows.append([name, "total", *(f"{tokens}.0" for _ in range(4)), str(done)])
    config = (
        "models = [\n    dict(\n        abbr='m',\n        attr='service',\n"
        f"        batch_size={at_once},\n        max_out_len={output},\n        model='Qwen3-8B',\n"
        f"        request_rate={rate},\n        retry=0,\n        stream=True),\n]\n"
    )
    return {
        "performances/m/gsm8k.json": json.dumps({key: {"total": held} for key, held in common.items()}),
        "performances/m/gsm8k.csv": written(rows), "configs/run.py": config,
    }  # fmt: skip


def mindie(
    seconds: int,
    *,
    done: int = 200,
    failed: int = 0,
    output: int = 400,
    at_once: int = 10,
    gaps: str = "31.0",
    **edited: str,
) -> dict[str, str]:
    """A folder of MindIE Benchmark whose figures agree: 60 input tokens a request; ``gaps`` is P90 of DecodeTime."""
    spent = Fraction(at_once * seconds * 1000, done)
    first, speed = Fraction(96), Fraction(done * output, seconds)

    def times(mean: Fraction, p90: str = "") -> list[str]:
        high = Fraction(p90) if p90 else mean
        return [f"{float(one):.4f} ms" for one in (mean, high + 9, mean / 2, mean, high, high, high + 5)]

    columns = {
        "FirstTokenTime": times(first), "DecodeTime": times(Fraction(29), gaps), "GenerateTime": times(spent),
        "InputTokens": ["60.0"] * 7, "GeneratedTokens": [f"{output}.0"] * 7,
    }  # fmt: skip
    table = [list(columns), *(list(row) for row in zip(*columns.values(), strict=True)), [str(done)] * len(columns)]
    asked = done + failed
    common = {
        "CurrentTime": "2025-03-19 08:29:17", "TimeElapsed": f"{seconds} s", "DataSource": "/data/gsm8k",
        "Failed": f"{failed}( {100 * failed / asked:.1f}% )", "Returned": f"{done}( {100 * done / asked:.1f}% )",
        "Total": f"{asked}[ 100.0% ]", "Concurrency": str(at_once), "ModelName": "QwQ-32B",
        "lpct": f"{float(first / 60):.4f} ms", "Throughput": f"{done / seconds:.6f} req/s",
        "GenerateSpeed": f"{float(speed):.6f} token/s",
        "GenerateSpeedPerClient": f"{float(speed / at_once):.6f} token/s", "accuracy": "/", **edited,
    }  # fmt: skip
    return {
        "result_perf_20250319082917778.csv": written(table),
        "result_common_20250319082917778.csv": written([list(common), list(common.values())]),
    }


def om(ms: float, *, batch: int = 2, spike: float = 0, **edited: Any) -> str:
    """A summary of ais_bench for OM models: eleven inferences of about ``ms``, the sixth slower by ``spike``."""
    times = [ms + n / 100 + (spike if n == 5 else 0) for n in range(11)]
    exact = sorted(Fraction(str(one)) for one in times)
    mean = sum(exact) / 11
    high = exact[9] + (exact[10] - exact[9]) * Fraction(9, 10)  # place 0.99 x 10 = 9.9
    return json.dumps(
        {
            "filesinfo": {},
            "args": ["msit", "--om-model", "/w/resnet.om", "--batchsize", str(batch), "--loop=11"],
            "NPU_compute_time": {"min": float(exact[0]), "max": float(exact[-1]), "mean": float(mean),
                                 "median": float(exact[5]), "percentile(99%)": float(high), "count": 11},
            "H2D_latency": {"min": 0.1, "max": 0.3, "mean": 0.2, "median": 0.2, "percentile(99%)": 0.298},
            "npu_compute_time_list": times,
            "throughput": float(1000 * batch / mean),
            "pid": 4711,
            **edited,
        }
    )  # fmt: skip


def om_screen(ms: float, *, batch: int = 1, edited: str = "") -> str:
    """What ais_bench prints of an OM model; ``edited`` replaces its throughput."""
    rule = "[INFO] -----------------Performance Summary------------------\n"
    times = f"min = {ms - 0.1:.3f}, max = {ms + 0.1:.3f}, mean = {ms:.3f}, median = {ms:.3f}"
    rate = edited or f"{1000 * batch / ms:.6f}"
    return (
        f"{rule}[INFO] NPU_compute_time (ms): {times}, percentile(99%) = {ms + 0.1:.3f}\n"
        f"[INFO] throughput 1000*batchsize.mean({batch})/NPU_compute_time.mean({ms:.3f}): {rate}\n[INFO] -----\n"
    )


def msame(ms: float, *, spike: float = 0) -> str:
    """What msame prints of six inferences, the fourth slower by ``spike``."""
    times = [ms + n / 100 + (spike if n == 3 else 0) for n in range(6)]
    return "".join(f"[INFO] model execute success\nInference time: {one:.3f}ms\n" for one in times) + (
        f"[INFO] output data success\nInference average time: {sum(times) / 6:.6f} ms\n"
        f"Inference average time without first time: {sum(times[1:]) / 5:.6f} ms\n"
    )


def evalscope(
    seconds: int,
    *,
    done: int = 500,
    failed: int = 0,
    output: int = 100,
    at_once: int = 50,
    data: str = "random",
    tail: float = 0,
    **edited: float,
) -> dict[str, str]:
    """A folder of evalscope perf whose figures agree: 100 input tokens a request; ``tail`` s on P99 of TPOT."""
    rate = done / seconds
    latency = at_once / rate
    summary = {
        "Time taken for tests (s)": seconds, "Number of concurrency": at_once, "Total requests": done + failed,
        "Succeed requests": done, "Failed requests": failed, "Output token throughput (tok/s)": rate * output,
        "Total token throughput (tok/s)": rate * (100 + output), "Request throughput (req/s)": rate,
        "Average latency (s)": latency, "Average time to first token (s)": 0.06,
        "Average time per output token (s)": (latency - 0.06) / (output - 1),
        "Average input tokens per request": 100.0, "Average output tokens per request": float(output), **edited,
    }  # fmt: skip
    percentiles = [
        {"Percentiles": name, "TTFT (s)": 0.06 + more, "TPOT (s)": 0.05 + more, "Latency (s)": latency + more}
        for name, more in (("50%", 0.0), ("99%", tail))
    ]
    arguments = {"model": "/w/Qwen3-8B", "parallel": at_once, "number": done + failed, "rate": -1, "stream": True,
                 "dataset": data, "max_tokens": output, "min_tokens": output, "seed": 0}  # fmt: skip
    place = f"parallel_{at_once}_number_{done + failed}"
    held = {"summary": summary, "percentile": percentiles, "args": arguments}
    return {f"{place}/benchmark_{name}.json": json.dumps(one) for name, one in held.items()}


def written(rows: list[list[str]]) -> str:
    """Rows as csv."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


# ------------------------------------------------------------------------------------------------ pieces
def pieces(name: str, text: str) -> Iterator[tuple[str, str]]:
    """A file without one of its pieces: a key or an item of JSON, a row or a column of a table, a line."""
    if name.endswith(".csv"):
        rows = list(csv.reader(io.StringIO(text)))
        for at in range(1, len(rows)):
            yield f"row {rows[at][0] if rows[at][1] == 'total' else at}", written([*rows[:at], *rows[at + 1 :]])
        for at, word in enumerate(rows[0]):
            yield f"column {word}", written([[*row[:at], *row[at + 1 :]] for row in rows])
    elif text.lstrip().startswith(("{", "[{")):
        for what, held in _without(json.loads(text), ""):
            yield what, json.dumps(held)
    else:
        lines = text.splitlines(keepends=True)
        for at in range(len(lines)):
            yield f"line {at + 1}", "".join([*lines[:at], *lines[at + 1 :]])


def _without(held: Any, at: str) -> Iterator[tuple[str, Any]]:
    items = list(held.items()) if isinstance(held, dict) else list(enumerate(held)) if isinstance(held, list) else []
    for key, value in items[:20]:
        rest = [(other, one) for other, one in items if other != key]
        yield f"{at}/{key}", dict(rest) if isinstance(held, dict) else [one for _, one in rest]
        inner = value if not isinstance(value, dict) or len(value) > 1 else None
        for what, less in _without(inner, f"{at}/{key}"):
            changed = [(other, less if other == key else one) for other, one in items]
            yield what, dict(changed) if isinstance(held, dict) else [one for _, one in changed]


def lessened(content: Content) -> dict[str, Content]:
    """A file or folder without each of its pieces, by name; of a folder each whole file too."""
    if isinstance(content, str):
        return dict(pieces("", content))
    found: dict[str, Content] = {}
    for name, text in content.items():
        short = name.rpartition("/")[2].partition("_2025")[0]
        rest = {other: one for other, one in content.items() if other != name}
        found[short] = rest
        found |= {f"{short}: {what}": {**rest, name: less} for what, less in pieces(name, text)}
    return found


# ------------------------------------------------------------------------------------------------ cases
class Bad(NamedTuple):
    """A pair whose goal is not met or undecided, and its twin without the cause."""

    bad: Runs
    """With the cause."""
    good: Runs
    """Without it: met."""
    silent: frozenset[str] = frozenset()
    """What may be taken away since nothing else speaks of it: piece and sides."""


def _bad(before: Content, good: Content, bad: Content, *silent: str, **goal: str) -> Bad:
    agreed = 'may_differ = ["warm_up"]'  # none of these tools tells of its warm-up
    whole = Runs(before=(before,), after=(good,), goal={**RATE, **goal}, agreed=agreed)
    return Bad(bad=whole.with_(after=(bad,)), good=whole, silent=frozenset(silent))


TAIL = {"metric": "latency", "direction": "at_most", "limit": "100%"}
CASES = {
    "aisbench: slower": _bad(aisbench(100), aisbench(80), aisbench(99)),
    "aisbench: failed requests": _bad(aisbench(100), aisbench(80), aisbench(60, done=6, failed=2)),
    "aisbench: more at a time": _bad(aisbench(100), aisbench(80), aisbench(80, at_once=4)),
    "aisbench: shorter answers": _bad(aisbench(100), aisbench(80), aisbench(80, output=256), kind="requests_per_s"),
    "aisbench: another rate": _bad(
        aisbench(100), aisbench(80), aisbench(80, rate="4"), "run.py of both", "run.py: line 3 of both",
        "run.py: line 8 of both",
    ),
    "aisbench: an edited rate": _bad(
        aisbench(100), aisbench(80), aisbench(100, **{"Output Token Throughput": "60.0 token/s"})
    ),
    "aisbench: a longer tail": _bad(
        aisbench(100), aisbench(80), aisbench(80, tail=30_000), kind="tpot", statistic="p90", **TAIL
    ),
    "mindie: slower": _bad(mindie(1000), mindie(800), mindie(990)),
    "mindie: failed requests": _bad(mindie(1000), mindie(800), mindie(600, done=150, failed=50)),
    "mindie: more at a time": _bad(mindie(1000), mindie(800), mindie(800, at_once=20)),
    "mindie: shorter answers": _bad(mindie(1000), mindie(800), mindie(800, output=200), kind="requests_per_s"),
    "mindie: an edited rate": _bad(mindie(1000), mindie(800), mindie(1000, GenerateSpeed="110.0 token/s")),
    "mindie: a longer tail": _bad(
        mindie(1000, gaps="32.0"), mindie(800), mindie(800, gaps="33.0"), kind="itl", statistic="p90", **TAIL
    ),
    "om: slower": _bad(om(10.0), om(8.0), om(9.9), metric="latency", kind="npu_compute", direction="at_most",
                       limit="90%"),
    "om: another batch": _bad(om(10.0), om(8.0), om(8.0, batch=4), kind="samples_per_s"),
    "om: an edited rate": _bad(om(10.0), om(8.0), om(10.0, throughput=260.0), kind="samples_per_s"),
    "om: one slow inference": _bad(om(10.0), om(8.0), om(8.0, spike=40), kind="npu_compute", statistic="max", **TAIL),
    "om, on the screen: another batch": _bad(om_screen(10), om_screen(8), om_screen(8, batch=2), kind="samples_per_s"),
    "om, on the screen: an edited rate": _bad(om_screen(10), om_screen(8), om_screen(10, edited="150.000000"),
                                              kind="samples_per_s"),
    "msame: one slow inference": _bad(msame(10), msame(8), msame(8, spike=40), kind="npu_compute", statistic="max",
                                      **TAIL),
    "evalscope: slower": _bad(evalscope(10), evalscope(8), evalscope(9)),
    "evalscope: failed requests": _bad(evalscope(10), evalscope(8), evalscope(8, done=400, failed=100)),
    "evalscope: more at a time": _bad(evalscope(10), evalscope(8), evalscope(8, at_once=60)),
    "evalscope: shorter answers": _bad(evalscope(10), evalscope(8), evalscope(8, output=80), kind="requests_per_s"),
    "evalscope: other data": _bad(
        evalscope(10), evalscope(8), evalscope(8, data="sharegpt"), "benchmark_args.json of both",
        "benchmark_args.json: /dataset of both",
    ),
    "evalscope: an edited rate": _bad(
        evalscope(10), evalscope(8), evalscope(10, **{"Output token throughput (tok/s)": 7000.0})
    ),
    "evalscope: a longer tail": _bad(evalscope(10), evalscope(8), evalscope(8, tail=1.0), kind="tpot",
                                     statistic="p99", **TAIL),
}  # fmt: skip


@pytest.mark.parametrize("title", CASES)
def test_less_of_a_result_is_never_better(title: str, tmp_path: Path, pair: Evaluation) -> None:
    case, judge = CASES[title], Judge(tmp_path, pair)
    assert judge.met(case.good)
    assert not judge.met(case.bad)
    before, after = lessened(case.bad.before[0]), lessened(case.bad.after[0])
    better = set()
    for what, less in after.items():
        if judge.met(case.bad.with_(after=(less,))):
            better.add(f"{what} of AFTER")
        stated = "slower" not in title and "tail" not in title  # those are seen in AFTER's figures alone
        if stated and what in before and judge.met(case.bad.with_(before=(before[what],), after=(less,))):
            better.add(f"{what} of both")
    assert better == case.silent


# ------------------------------------------------------------------------------------------------ logs of servers
OTHER = server((0.0, 16), (0.0, 15), (0.0, 14), (0.0, 16), (0.0, 15))
SERVED = Runs(before=(served("50"), OTHER), after=(served("40"), server(*((0.0, 16),) * 5)), goal=RATE)
DUMMY = "'load_format': 'dummy', 'enable_prefix_caching': True, 'max_num_seqs': 64"
MORE = "'enable_prefix_caching': True, 'max_num_seqs': 256"
SERVERS: dict[str, tuple[str, frozenset[str]]] = {
    "more ran in the middle": (server(*((0.0, n) for n in (16, 16, 48, 16, 16))), frozenset()),
    "more ran at the end": (server(*((0.0, n) for n in (16, 16, 16, 16, 48))), frozenset({"line 6"})),
    "more ran at the beginning": (server(*((0.0, n) for n in (48, 16, 16, 16, 16))), frozenset({"line 2"})),
    "random weights": (server(*((0.0, 16),) * 5, arguments=DUMMY), frozenset()),
    "other options": (server(*((0.0, 16),) * 5, arguments=MORE), frozenset()),
}
"""Title -> (AFTER's log with the cause, lines that nothing else witnesses)."""


@pytest.mark.parametrize("title", SERVERS)
def test_less_of_a_servers_log_is_never_better(title: str, tmp_path: Path, pair: Evaluation) -> None:
    text, silent = SERVERS[title]
    judge = Judge(tmp_path, pair)
    bad = SERVED.with_(after=(SERVED.after[0], text))
    assert judge.met(SERVED)
    assert not judge.met(bad)
    lines = dict(pieces("", text))
    assert {what for what, less in lines.items() if judge.met(bad.with_(after=(bad.after[0], less)))} == silent
    # the whole log of AFTER is missed beside that of BEFORE; those of both are not (``UNWITNESSED``)
    assert not judge.met(bad.with_(after=bad.after[:1]))
    found = decide(tmp_path / "neither", bad.with_(before=bad.before[:1], after=bad.after[:1]), pair)
    assert (found.judgement.outcome, "run_server_not_witnessed" in found.codes) == (Outcome.MET, True)


def test_windows_are_missed_only_where_something_ran(tmp_path: Path, pair: Evaluation) -> None:
    """A server without requests prints no window, and a window may be some seconds late."""
    lines = server(*((0.0, n) for n in (16, 16, 0, 0, 16, 16, 16))).splitlines(keepends=True)
    idle = "".join([*lines[:4], *lines[5:]])  # 07:00:27 nothing ran; 07:00:37 is not there
    late = "".join(lines).replace("07:01:07", "07:01:13")  # 16 s after the one before
    for n, (text, lost) in enumerate(((idle, None), (late, None), ("".join([*lines[:2], *lines[3:]]), "1 / 7"))):
        found = decide(tmp_path / str(n), SERVED.with_(after=(SERVED.after[0], text)), pair)
        fact = found.facts.get("server_windows")
        assert (fact.after.value if fact is not None else None) == lost
        assert ("run_server_windows_missing" in found.codes) == (lost is not None)
        assert found.judgement.outcome is (Outcome.UNDECIDED if lost else Outcome.MET)


def test_windows_without_stamps_are_not_counted(tmp_path: Path, pair: Evaluation) -> None:
    """A log from which the stamps were cut shows no distances; nothing is missed, and nothing gets better."""
    bare = "".join(line[44:] if "Avg prompt" in line else line for line in OTHER.splitlines(keepends=True))
    found = decide(tmp_path, SERVED.with_(after=(SERVED.after[0], bare + "\n")), pair)
    assert "server_windows" not in found.facts
    assert found.judgement.outcome is Outcome.MET


# ------------------------------------------------------------------------------------------------ whole inputs
@pytest.mark.parametrize("title", ["aisbench: slower", "om: slower", "evalscope: a longer tail", "mindie: slower"])
@pytest.mark.parametrize("gone", ["before", "after", "both"])
def test_a_run_that_is_not_given_meets_nothing(title: str, gone: str, tmp_path: Path, pair: Evaluation) -> None:
    runs = CASES[title].good
    less = runs.with_(before=() if gone != "after" else runs.before, after=() if gone != "before" else runs.after)
    assert not Judge(tmp_path, pair).met(less)
