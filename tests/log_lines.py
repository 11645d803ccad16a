"""Lines of logs as docs/logs.md quotes them, and a way to read a text as a log."""

from __future__ import annotations

from pathlib import Path

from reportgen.model import LoggedSeries, LoggedValue, Run
from reportgen.run_logs import read_runs

MEGATRON = (
    " [2026-01-01 10:00:00] iteration       10/    2000 | consumed samples:         1280 | elapsed time per iteration "
    "(ms): 2345.6 | throughput per GPU (TFLOP/s/GPU): 151.2 | core attn ratio (%): 12.3 | learning rate: 1.250000E-06 "
    "| global batch size:   128 | lm loss: 9.876543E+00 | loss scale: 1.0 | grad norm: 3.210 | number of skipped "
    "iterations:   0 | number of nan iterations:   0 |\n"
)
MEMORY = (
    "[Rank 0] (after 1 iterations) memory (MB) | allocated: 20034.75 | max allocated: 30227.65 | reserved: 31086.0 "
    "| max reserved: 31086.0"
)
FSDP2 = (
    "INFO [2026-01-01 10:00:00] >>  iteration        2/    2000 | consumed samples:         16 | consumed tokens:      "
    "65536 | elapsed time per iteration (ms): 1879.90 | tokens/s: 17430.00 | mfu: 31.20 | learning rate: 9.999978E-06 "
    "| global batch size:     8 | lm loss: 1.232217E+00 | mtp loss: 0.000000E+00 | grad norm: 4.346 | "
    "max_memory_allocated(GB): 19.65 | max_memory_reserved(GB): 25.59 |\n"
)
TRAINER = (
    "iteration: 12 | consumed samples: 96 | elapsed time per iteration (ms): 812.3 | throughput(samples/s): 9.8 | "
    "learning rate: 1.0E-05 | global batch size:    8 | lm loss: 1.2345 | grad norm: 2.3456\n"
)
VLLM = """{"date": "20260101-100000", "endpoint_type": "openai-chat", "backend": "openai-chat", "label": null, \
"model_id": "Qwen3-8B", "tokenizer_id": "Qwen3-8B", "num_prompts": 200,
 "request_rate": "inf", "burstiness": 1.0, "max_concurrency": 16, "duration": 34.774751, "completed": 200, \
"failed": 0, "total_input_tokens": 204800, "total_output_tokens": 25600,
 "request_throughput": 5.75, "request_goodput": null, "output_throughput": 736.2, "total_token_throughput": 6625.5, \
"max_output_tokens_per_s": 912.0, "max_concurrent_requests": 21, "rtfx": 0.0,
 "mean_ttft_ms": 341.8, "median_ttft_ms": 340.8, "std_ttft_ms": 63.7, "p99_ttft_ms": 475.5, "mean_tpot_ms": 31.4, \
"median_tpot_ms": 31.3, "std_tpot_ms": 0.9, "p99_tpot_ms": 32.4, "mean_itl_ms": 31.4, "p99_itl_ms": 45.7}
"""
SERVER = (
    "(APIServer pid=1) INFO 01-01 07:08:57 [loggers.py:259] Engine 000: Avg prompt throughput: 5983.1 tokens/s, Avg "
    "generation throughput: 240.2 tokens/s, Running: 10 reqs, Waiting: 0 reqs, GPU KV cache usage: 4.1%, Prefix cache "
    "hit rate: 53.7%\n"
)
SPECULATION = (
    "INFO 01-01 05:26:57 [metrics.py:120] SpecDecoding metrics: Mean acceptance length: 3.00, Accepted throughput: "
    "9.00 tokens/s, Drafted throughput: 9.00 tokens/s, Accepted: 90 tokens, Drafted: 90 tokens, Per-position "
    "acceptance rate: 1.000, 1.000, Avg Draft acceptance rate: 100.0%\n"
)


def megatron(iteration: int, *, stamp: str = "10:00:00", ms: str = "2345.6", size: int = 128, samples: int = 0) -> str:
    """The quoted line with another iteration, clock, time and batch size; samples follow the iteration by default."""
    line = MEGATRON.replace("      10/", f"{iteration:8d}/").replace("10:00:00", stamp).replace("2345.6", ms)
    line = line.replace("        1280", f"{samples or iteration * size:12d}")
    return line.replace("size:   128", f"size: {size:5d}")


def fsdp2(iteration: int, *, ms: str = "1879.90", rate: str = "17430.71", mfu: str = "31.20") -> str:
    """The quoted line with another iteration; 8 samples of 4096 tokens an iteration."""
    line = FSDP2.replace("       2/", f"{iteration:8d}/").replace("         16", f"{iteration * 8:11d}")
    line = line.replace("      65536", f"{iteration * 32768:11d}").replace("1879.90", ms)
    return line.replace("17430.00", rate).replace("31.20", mfu)


def runs(tmp_path: Path, text: str | bytes) -> tuple[Run, ...]:
    """The runs of a file that holds the text."""
    path = tmp_path / "any.name"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_runs(path)


def one(tmp_path: Path, text: str | bytes) -> Run:
    """The only run of a file that holds the text."""
    (found,) = runs(tmp_path, text)
    return found


def series(run: Run, metric: str, kind: str = "") -> LoggedSeries:
    """The series of a metric."""
    (found,) = [item for item in run.series if (item.metric, item.kind) == (metric, kind)]
    return found


def value(run: Run, metric: str, kind: str = "", statistic: str = "") -> LoggedValue:
    """The printed figure of a metric."""
    (found,) = [
        item for item in run.values if (item.metric, item.kind) == (metric, kind) and statistic in ("", item.statistic)
    ]
    return found


def stated(run: Run) -> dict[str, str]:
    """What a run states."""
    return {item.key: item.written for item in run.context}


def codes(run: Run) -> list[str]:
    """Reasons of a run, what was left out first."""
    return [reason.code for reason in (*run.left_out, *run.warnings)]


def holds(run: Run, identity: str) -> dict[str, bool]:
    """What of one identity holds."""
    return {item.what: item.holds for item in run.identities if item.id == identity}
