"""Published result files, retyped from docs/logs.md and the pages it names, and writers of folders of them."""

# ruff: noqa: E501 - pages as published

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

from reportgen.model import Identity, LoggedValue, Run

MS = 10**6
"""Nanoseconds of a millisecond."""

# AISBench: the common metrics as its documents print them; the table agrees with them by hand (12100 / 8 = 1512.5
# input tokens, 4096 / 8 = 512 output tokens, 12300.2 ms x 8 / 98409.4916 ms = 0.99992).
AISBENCH: dict[str, dict[str, Any]] = {
    "Benchmark Duration": {"total": "98409.4916 ms"},
    "Total Requests": {"total": 8},
    "Failed Requests": {"total": 0},
    "Success Requests": {"total": 8},
    "Concurrency": {"total": 0.9999},
    "Max Concurrency": {"total": 1},
    "Request Throughput": {"total": "0.0813 req/s"},
    "Total Input Tokens": {"total": 12100},
    "Total Generated Tokens": {"total": 4096},
    "Input Token Throughput": {"total": "122.9556 token/s"},
    "Output Token Throughput": {"total": "41.622 token/s"},
    "Total Token Throughput": {"total": "164.5776 token/s"},
}
AISBENCH_TABLE = """\
Performance Parameters,Stage,Average,Min,Max,Median,P75,P90,P99,N
E2EL,total,12300.2 ms,12280.1 ms,12330.5 ms,12299.0 ms,12305.0 ms,12320.0 ms,12329.9 ms,8
TTFT,total,310.4 ms,300.0 ms,330.0 ms,309.1 ms,315.0 ms,322.0 ms,329.0 ms,8
TPOT,total,23.4634 ms,23.4 ms,23.6 ms,23.46 ms,23.5 ms,23.55 ms,23.59 ms,8
ITL,total,23.4634 ms,20.1 ms,40.2 ms,23.4 ms,23.9 ms,24.8 ms,31.0 ms,8
InputTokens,total,1512.5,1490.0,1530.0,1513.0,1520.0,1526.0,1529.5,8
OutputTokens,total,512.0,512.0,512.0,512.0,512.0,512.0,512.0,8
OutputTokenThroughput,total,41.6255 token/s,41.5 token/s,41.7 token/s,41.6 token/s,41.65 token/s,41.68 token/s,41.7 token/s,8
PrefillTokenThroughput,total,4872.0 token/s,4600.0 token/s,5000.0 token/s,4880.0 token/s,4900.0 token/s,4950.0 token/s,4990.0 token/s,8
"""
AISBENCH_CONFIG = """\
datasets = [dict(abbr='gsm8k', path='/home/someone/data/gsm8k')]
models = [
    dict(
        abbr='vllm-api-stream-chat',
        api_key='sk-abcdefgh12345678',
        attr='service',
        batch_size=1,
        generation_kwargs=dict(ignore_eos=True, seed=-7, temperature=0.50, top_p=0.95),
        host_ip='10.1.2.3',
        host_port=8080,
        max_out_len=512,
        model='Qwen3-8B',
        path='/home/someone/weights/Qwen3-8B',
        request_rate=0.05,
        retry=2,
        stream=True,
        traffic_cfg=dict(),
        type='ais_bench.benchmark.models.VLLMCustomAPIChat',
        url='http://10.1.2.3:8080/v1'),
]
work_dir = 'outputs/default/20260101_100000'
"""


def aisbench(root: Path, *, common: dict[str, Any] | None = AISBENCH, table: str = AISBENCH_TABLE) -> Path:
    """A result folder as AISBench writes it."""
    model = root / "20260101_100000/performances/vllm-api-stream-chat"
    model.mkdir(parents=True)
    if common is not None:
        (model / "gsm8k.json").write_text(json.dumps(common), encoding="utf-8")
    if table:
        (model / "gsm8k.csv").write_text(table, encoding="utf-8")
    (model / "gsm8k_details.jsonl").write_text('{"id": 0, "prediction": "secret text"}\n', encoding="utf-8")
    (root / "20260101_100000/configs").mkdir()
    (root / "20260101_100000/configs/20260101_100000.py").write_text(AISBENCH_CONFIG, encoding="utf-8")
    return root / "20260101_100000"


def stage(name: str) -> tuple[dict[str, Any], str]:
    """The published figures under another stage's name."""
    common = {key: {name: held["total"]} for key, held in AISBENCH.items()}
    return common, AISBENCH_TABLE.replace(",total,", f",{name},")


# ------------------------------------------------------------------------------------------------ asking a run
def value(run: Run, metric: str, kind: str, statistic: str) -> int | Fraction:
    """The one value of that name, in its exact unit."""
    return logged(run, metric, kind, statistic).value.value


def logged(run: Run, metric: str, kind: str, statistic: str) -> LoggedValue:
    """The one logged value of that name."""
    (found,) = [v for v in run.values if (v.metric, v.kind, v.statistic) == (metric, kind, statistic)]
    return found


def said(run: Run) -> dict[str, str]:
    """What a run states."""
    return {one.key: one.written for one in run.context}


def broken(run: Run) -> list[str]:
    """The relations that do not hold."""
    return [one.what for one in run.identities if not one.holds]


def identity(run: Run, what: str) -> Identity:
    """The one relation of that name."""
    (found,) = [one for one in run.identities if one.what == what]
    return found


def codes(run: Run) -> set[str]:
    """The doubts of a run."""
    return {one.code for one in run.warnings}
