"""Logs and results that were edited: what their producer prints beside the edited figure tells, or is missed.

Each case is a goal that is not met on the honest files. The edit alone would meet it. Every file is written by hand
arithmetic: a figure is computed of the others as its producer computes it (docs/logs.md, identities).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from run_files import Judge, Runs, decide

from reportgen.model import Evaluation, Outcome


@pytest.fixture
def judge(tmp_path: Path, pair: Evaluation) -> Judge:
    return Judge(tmp_path, pair)


# ------------------------------------------------------------------------------------------------ evalscope
def evalscope(seconds: int, slower: float) -> dict[str, str]:
    """A folder of 500 requests of 100 and 100 tokens; TTFT of the percentile p is 50 + p ms, times ``slower``."""
    rate = 500 / seconds
    summary = {
        "Test Duration (s)": seconds, "Concurrency": 50, "Total Requests": 500, "Success Requests": 500,
        "Failed Requests": 0, "Req Throughput (req/s)": rate, "Avg Latency (s)": 48 / rate, "Avg Input Tokens": 100.0,
        "Avg Output Tokens": 100.0, "Output Throughput (tok/s)": rate * 100, "Total Throughput (tok/s)": rate * 200,
        "TTFT (ms)": 100 * slower,
    }  # fmt: skip
    percentiles = [
        {"Percentiles": f"{p}%", "TTFT (ms)": (50 + p) * slower, "Latency (s)": (1 + p / 100) * slower}
        for p in (10, 25, 50, 75, 90, 95, 99)
    ]
    held = {"summary": summary, "percentile": percentiles}
    return {f"parallel_50_number_500/benchmark_{name}.json": json.dumps(one) for name, one in held.items()}


P99 = {
    "metric": "latency", "kind": "ttft", "statistic": "p99", "direction": "at_most", "subject": "ratio",
    "limit": "100%",
}  # fmt: skip


def test_percentiles_copied_from_the_other_side_are_one_run(tmp_path: Path, pair: Evaluation) -> None:
    before, slower = evalscope(5, 1.0), evalscope(6, 1.1)  # P99 is 149 and 163.9 ms: 110 %
    runs = Runs(before=(before,), after=(slower,), goal=P99, agreed='may_differ = ["warm_up"]')
    assert decide(tmp_path / "honest", runs, pair).judgement.outcome is Outcome.NOT_MET
    copied = {name: (before if "percentile" in name else slower)[name] for name in slower}
    found = decide(tmp_path / "copied", runs.with_(after=(copied,)), pair).judgement
    assert (found.outcome, found.reason.code) == (Outcome.UNDECIDED, "log_given_twice")
