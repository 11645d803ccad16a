"""A run of every family of logs and results, its times ``k`` times as long: what is faster, slower and alike is known.

Figures of one file agree with each other by hand arithmetic (docs/logs.md, identities). A single step is a little
longer or shorter than ``k`` says; ``n`` is the seed of that.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from run_files import Content, Name, fsdp2, megatron, served

from tests import test_law_of_results as results
from tests.test_edited_runs import mindformers, trainer


def times(k: float, n: int, ms: float = 1900, steps: int = 12) -> tuple[str, ...]:
    """Step times in ms, with 1 % of noise of their own."""
    chance = random.Random(n)
    return tuple(f"{ms * k * chance.gauss(1, 0.01):.2f}" for _ in range(steps))


def flops(k: float, n: int) -> str:
    """A log of the Megatron family that prints operations a second: 287280 TFLOP a step."""
    lines = megatron(times(k, n)).splitlines(keepends=True)
    return "".join(
        line.replace(f"(ms): {ms} |", f"(ms): {ms} | throughput per GPU (TFLOP/s/GPU): {287280 / float(ms):.2f} |")
        for line, ms in zip(lines, times(k, n), strict=True)
    )


def verl(k: float, n: int) -> str:
    """A log of verl on 8 devices, 160000 tokens a step, with two stages of a step."""
    return "".join(
        f"(TaskRunner pid=1) step:{at} - timing_s/gen:{float(ms) / 2000} - timing_s/update_actor:{float(ms) / 4000} - "
        f"timing_s/step:{float(ms) / 1000} - perf/total_num_tokens:160000 - perf/time_per_step:{float(ms) / 1000} - "
        f"perf/throughput:{160_000_000 / float(ms) / 8}\n"
        for at, ms in enumerate(times(k, n), 1)
    )


def csv_table(k: float, n: int) -> str:
    """A table of steps as csv."""
    rows = "".join(f"{at},{ms},32768\n" for at, ms in enumerate(times(k, n), 1))
    return f"step,step_time_ms,tokens\n{rows}"


def json_table(k: float, n: int) -> str:
    """A table of steps as JSON, in s."""
    rows = [{"iteration": at, "iteration_time_s": float(ms) / 1000} for at, ms in enumerate(times(k, n), 1)]
    return json.dumps({"steps": rows, "model": "m"})


def json_lines(k: float, n: int) -> str:
    """A table of steps, one object a line."""
    rows = ({"step": at, "time_ms": float(ms), "samples": 8} for at, ms in enumerate(times(k, n), 1))
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def clock(seconds: float) -> str:
    """A clock of whole seconds."""
    whole = int(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def llama_factory(k: float, n: int) -> str:
    """A log of LLaMA-Factory, a line every ten steps of about 7 s and 17800 tokens."""
    text, spent = "", 100.0
    for at, ms in enumerate(times(k, n, 70_000), 1):
        row = {"current_steps": 10 * at, "total_steps": 1750, "loss": 0.15, "epoch": 7.67, "percentage": 77.14,
               "elapsed_time": clock(spent), "remaining_time": "0:46:44", "total_tokens": 178_000 * at}  # fmt: skip
        text += f"{json.dumps(row)}\n"
        spent += float(ms) / 1000
    return text


def bars(k: float, n: int) -> str:
    """Bars of tqdm, one every twenty steps of about 17 s."""
    text, spent = "", 4000.0
    for at, ms in enumerate(times(k, n, 340_000)):
        left = f"{clock(spent)}<2:20:54, 17.01s/it, loss: 2.88, grad_norm: 13.59, lr: 3.00e-04"
        text += f"\rEpoch 1/1:   1%|          | {3 + 20 * at}/500 [{left}]"
        spent += float(ms) / 1000
    return f"{text}\n"


def hf_trainer(k: float, n: int) -> str:
    """The summary of the Hugging Face Trainer: 3000 samples and 375 steps in about 384 s."""
    spent = 384.55 * k
    return (
        f"{{'train_runtime': {spent:.2f}, 'train_samples_per_second': {3000 / spent:.3f}, "
        f"'train_steps_per_second': {375 / spent:.3f}, 'train_loss': 1.0557, 'epoch': 3.0}}\n"
    )


def modelzoo(k: float, n: int) -> str:
    """A case of ModelZoo."""
    return f"Network = R\nRankSize = 8\nBatchSize = 16\nActualFPS = {123.45 / k:.2f}\nE2ETrainingTime = {512 * k:.1f}\n"


def first_tokens(k: float, n: int) -> str:
    """A result of vLLM with the time to the first token of each of 40 requests; the rates go with ``k`` too."""
    ttfts = [float(one) / 1000 for one in times(k, n, 500, 40)]
    return served(str(Fraction(40) * Fraction(str(k))), requests=40, output=5120, inputs=40960, ttfts=ttfts)


def screen(k: float, n: int, backend: str = "") -> str:
    """What a load generator prints of 200 requests in about 40 s."""
    spent = 40 * k
    rows = [("Backend", backend)] if backend else []
    rows += [("Successful requests", "200"), ("Benchmark duration (s)", f"{spent:.2f}")]
    rows += [("Failed requests", "0")] if not backend else []
    rows += [("Max request concurrency" if backend else "Maximum request concurrency", "16")]
    rows += [("Total input tokens", "204800"), ("Total generated tokens", "25600")]
    counts = (
        ("Request throughput (req/s)", 200), ("Output token throughput (tok/s)", 25600),
        ("Total token throughput (tok/s)", 230400),
    )  # fmt: skip
    rows += [(label, f"{count / spent:.2f}") for label, count in counts]
    for label, ms in (("TTFT", 341.8), ("TPOT", 31.4)):
        shares = (("Mean", 1.0), ("Median", 0.99), ("P99", 1.4))
        rows += [(f"{which} {label} (ms)", f"{ms * k * share:.2f}") for which, share in shares]
    lines = "".join(f"{label}:".ljust(41) + f"{written}\n" for label, written in rows)
    return f"============ Serving Benchmark Result ============\n{lines}{'=' * 50}\n"


def offline_latency(k: float, n: int) -> str:
    """A result of ``vllm bench latency``: about 2 s a batch."""
    spent = [Fraction(one) / 1000 for one in times(k, n, 2000)]
    found = {"avg_latency": float(sum(spent) / 12), "latencies": [float(one) for one in spent]}
    return json.dumps({**found, "percentiles": {"50": float(sum(sorted(spent)[5:7]) / 2)}})


def offline_throughput(k: float, n: int) -> str:
    """A result of ``vllm bench throughput``: 1000 requests of 640 tokens in about 40 s."""
    spent = 40 * k
    rates = {"requests_per_second": 1000 / spent, "tokens_per_second": 640_000 / spent}
    return json.dumps({"elapsed_time": spent, "num_requests": 1000, "total_num_tokens": 640_000, **rates})


def om_list(k: float, n: int) -> str:
    """A summary of ais_bench for OM models with a list of inferences of about 5 ms, two samples each."""
    spent = [Fraction(one) / 1000 for one in times(k, n, 5000)]
    exact, mean = sorted(spent), sum(spent) / 12
    high = exact[10] + (exact[11] - exact[10]) * Fraction(89, 100)  # place 0.99 x 11 = 10.89
    found = {"min": exact[0], "max": exact[11], "mean": mean, "median": (exact[5] + exact[6]) / 2,
             "percentile(99%)": high}  # fmt: skip
    computed = {"NPU_compute_time": {**{key: float(one) for key, one in found.items()}, "count": 12}}
    return results.om(5, npu_compute_time_list=[float(one) for one in spent], throughput=float(2000 / mean), **computed)


def msame(k: float, n: int) -> str:
    """What msame prints of inferences of about 5 ms."""
    spent = [Fraction(one) / 1000 for one in times(k, n, 5000)]
    lines = "".join(f"[INFO] model execute success\nInference time: {float(one):.3f}ms\n" for one in spent)
    exact = [Fraction(f"{float(one):.3f}") for one in spent]
    whole, later = float(sum(exact) / 12), float(sum(exact[1:]) / 11)
    return lines + (
        f"[INFO] output data success\nInference average time: {whole:.6f} ms\n"
        f"Inference average time without first time: {later:.6f} ms\n"
    )


class Family(NamedTuple):
    """A family of logs or results."""

    write: Callable[[float, int], Content]
    """A run whose times are ``k`` times as long; ``n`` tells it from others."""
    lead: Name
    """A figure of it that ``k`` moves."""
    alone: bool = True
    """Whether the file of one run shows how that varies."""


STEP_MEAN = ("step_time", "", "mean")
STEP_MEDIAN = ("step_time", "", "median")
FAMILIES = {
    "Megatron": Family(flops, ("throughput", "flops_per_s_per_rank", "mean")),
    "FSDP2": Family(lambda k, n: fsdp2(times(k, n)), ("mfu", "", "median")),
    "FSDP2 trainer": Family(lambda k, n: trainer(times(k, n)), ("throughput", "samples_per_s", "mean")),
    "MindFormers": Family(lambda k, n: mindformers(times(k, n)), STEP_MEDIAN),
    "verl": Family(verl, ("stage_time", "gen", "median")),
    "LLaMA-Factory": Family(llama_factory, STEP_MEAN),
    "Hugging Face Trainer": Family(hf_trainer, ("throughput", "samples_per_s", "mean"), alone=False),
    "ModelZoo": Family(modelzoo, ("throughput", "samples_per_s", "mean"), alone=False),
    "tqdm": Family(bars, STEP_MEAN),
    "csv": Family(csv_table, STEP_MEDIAN),
    "JSON": Family(json_table, STEP_MEAN),
    "JSON lines": Family(json_lines, STEP_MEDIAN),
    "vllm bench serve": Family(first_tokens, ("latency", "ttft", "mean")),
    "vllm bench serve, screen": Family(screen, ("latency", "tpot", "mean"), alone=False),
    "SGLang": Family(
        lambda k, n: screen(k, n, "sglang"), ("throughput", "output_tokens_per_s", "mean"), alone=False
    ),
    "vllm bench latency": Family(offline_latency, ("latency", "e2e", "mean")),
    "vllm bench throughput": Family(
        offline_throughput, ("throughput", "requests_per_s", "mean"), alone=False
    ),
    "AISBench": Family(
        lambda k, _n: results.aisbench(round(1000 * k)), ("latency", "tpot", "mean"), alone=False
    ),
    "MindIE Benchmark": Family(
        lambda k, _n: results.mindie(round(1000 * k)), ("throughput", "output_tokens_per_s", "mean"), alone=False
    ),
    "evalscope": Family(
        lambda k, _n: results.evalscope(round(1000 * k)), ("latency", "e2e", "mean"), alone=False
    ),
    "ais_bench": Family(om_list, ("latency", "npu_compute", "mean")),
    "ais_bench, screen": Family(
        lambda k, _n: results.om_screen(5 * k), ("throughput", "samples_per_s", "mean"), alone=False
    ),
    "msame": Family(msame, ("latency", "npu_compute", "mean")),
}  # fmt: skip
"""Name -> family."""
