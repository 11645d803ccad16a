"""The words a target and the evidence may use: metrics with their units, statistics and kinds.

The functions that measure stand beside their own rows in ``metrics/``; a test holds both tables together. What is
measured outside the profile (``latency``, ``qps``, ``throughput``) has no function here: its values are typed into
the target with the file they come from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Phase = Literal["training", "offline inference", "online inference", "serving"]
"""Phases of a job, as a target's workload and the scope of a rule name them."""

LOAD_PHASES: tuple[Phase, ...] = ("serving", "online inference")
"""Phases whose captures describe the load."""

DESCRIBES_LOAD = (
    "step_time",
    "device_span",
    "free",
    "free_share",
    "kernel_count",
    "kernel_count_per_step",
    "peak_allocated",
    "peak_reserved",
)
"""On captures of a service these describe the load and the settings; they are shown and never judged."""

Product = Literal[
    "Atlas 200I/500 A2",
    "Atlas inference series",
    "Atlas training series",
    "Atlas A2",
    "Atlas A3",
    "Ascend 950",
]
"""Product series, as official documents name them and as a target may state one."""

SERIES: dict[str, tuple[Product, ...]] = {
    "0": ("Atlas inference series",),
    "1": ("Atlas training series",),
    "4": ("Atlas inference series",),
    "5": ("Atlas A2", "Atlas A3"),
    "7": ("Atlas 200I/500 A2",),
    "15": ("Ascend 950",),
}
"""``platform_version`` of info.json -> the series it may be; the chip of A2 and A3 is one. Source: docs/formats.md."""

Circumstance = Literal[
    "ccu",
    "kv_cache",
    "modelarts_dedicated_pool",
    "onnx_model",
    "parallel_load",
    "quantised_inference",
    "rec_sdk",
    "version_upgrade",
]
"""What a rule may ask of a job and no capture records: stated in the target as true or false, or not at all."""

Need = Literal[
    "alike",
    "all_ranks",
    "checkpoint_steps",
    "clock_samples",
    "clock_steady",
    "cores_and_clock",
    "db_capture",
    "gc_watched",
    "host_api",
    "level1",
    "link_matrix",
    "minimal_profiling",
    "no_wait_events",
    "op_tool",
    "operator_state",
    "pipe_utilization",
    "product_version",
    "several_ranks",
    "shapes",
    "steps",
    "task_based",
    "theoretical_bandwidth",
    "torch_capture",
]
"""Facts of both captures a rule can need; ``applicability`` says what each means and where it is read."""

SAMPLE = ("median", "mean", "max", "min", "p50", "p90", "p95", "p99")
"""Statistics of a sample: of steps, calls or requests."""

STATISTICS = (*SAMPLE, "total", "count", "share", "weighted")
"""Every statistic a goal may name."""

LATENCY_KINDS = ("ttft", "tpot", "itl", "e2e", "prefill", "decode", "npu_compute")
"""First token, time per output token, gap between chunks, end to end, the two phases, and ``NPU_compute_time``."""

THROUGHPUT_KINDS = (
    "requests_per_s",
    "samples_per_s",
    "output_tokens_per_s",
    "total_tokens_per_s",
    "tokens_per_s_global",
    "tokens_per_s_per_rank",
    "tokens_per_s_per_package",
)
"""What is counted, and over what: a token rate of one rank is not one of the whole job."""

_PLAIN_RATES = ("1/s", "/s")
_REQUESTS = (*_PLAIN_RATES, "req/s", "QPS")
_TOKENS = (*_PLAIN_RATES, "tokens/s", "tok/s")

RATE_UNITS: dict[str, tuple[str, ...]] = {
    "": _REQUESTS,
    "requests_per_s": _REQUESTS,
    "samples_per_s": (*_PLAIN_RATES, "samples/s"),
    **{kind: _TOKENS for kind in THROUGHPUT_KINDS if "tokens" in kind},
}
"""Written units that fit a kind of rate; the empty kind is that of ``qps``."""


UNITS: dict[str, str] = {
    **dict.fromkeys(
        (
            "step_time",
            "device_span",
            "computing",
            "communication_not_overlapped",
            "communication",
            "free",
            "kernel_busy",
            "kernel_time",
            "kernel_call",
            "kernel_call_mean",
            "ai_cpu_time",
            "row_time",
            "collective_elapse",
            "collective_transit",
            "collective_wait",
            "collective_synchronization",
            "collective_idle",
            "link_transit",
            "group_communication_not_overlapped",
            "host_api_time",
            "graph_iteration_time",
            "graph_iteration_interval",
            "latency",
        ),
        "ns",
    ),
    **dict.fromkeys(
        (
            "computing_share",
            "communication_not_overlapped_share",
            "free_share",
            "kernel_count",
            "kernel_count_per_step",
            "ai_cpu_count",
            "communication_count",
            "row_count",
            "aic_mac_ratio",
            "aic_mte2_ratio",
            "aiv_vec_ratio",
            "aiv_mte2_ratio",
            "aiv_mte2_bound_share",
            "memory_bound",
            "memory_bound_share",
            "cube_utilization_elapsed",
            "cube_utilization_task",
            "ai_core_frequency_drop",
            "collective_wait_ratio",
            "collective_synchronization_ratio",
            "link_large_packet_share",
            "host_api_calls",
        ),
        "1",
    ),
    **dict.fromkeys(("peak_allocated", "peak_reserved", "module_peak_reserved", "link_size"), "B"),
    **dict.fromkeys(("pmu_clock", "ai_core_frequency", "qps", "throughput"), "1/s"),
    "link_bandwidth": "B/s",
}
"""Every metric that a capture can give or a target can bring, and its exact unit (``units.BASE``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalMetric:
    """What a goal on a metric may say."""

    unit: str
    """Exact unit of its values (``units.BASE``)."""
    statistics: tuple[str, ...]
    """Statistics that make sense on it."""
    better: Literal["lower", "higher", "neither"] = "neither"
    """The only direction a goal may ask for; ``neither``: both are possible."""
    part: Literal["none", "may", "must"] = "none"
    """Whether a goal names a component of memory or an operator type."""
    share: bool = False
    """True when values lie between 0 and 1."""
    kinds: tuple[str, ...] = ()
    """One of these has to be named; empty: no kind."""
    profiled: bool = True
    """Whether a capture can hold it."""
    outside: bool = False
    """Whether it can be measured outside the profile and typed into the target."""


_TIME = GoalMetric(unit="ns", statistics=SAMPLE, better="lower")
_LOST = GoalMetric(unit="1", statistics=("share",), better="lower", share=True)
_RATIO = GoalMetric(unit="1", statistics=("weighted",), share=True)
_COUNT = GoalMetric(unit="1", statistics=("count",))
_PEAK = GoalMetric(unit="B", statistics=("max",), better="lower", part="must")

GOAL_METRICS: dict[str, GoalMetric] = {
    "step_time": GoalMetric(unit="ns", statistics=SAMPLE, better="lower", outside=True),
    "device_span": GoalMetric(unit="ns", statistics=(*SAMPLE, "total"), better="lower"),
    "computing": _TIME,
    "communication_not_overlapped": _TIME,
    "communication": _TIME,
    "free": _TIME,
    "computing_share": GoalMetric(unit="1", statistics=("share",), share=True),
    "communication_not_overlapped_share": _LOST,
    "free_share": _LOST,
    "aic_mac_ratio": _RATIO,
    "aic_mte2_ratio": _RATIO,
    "aiv_vec_ratio": _RATIO,
    "aiv_mte2_ratio": _RATIO,
    "aiv_mte2_bound_share": GoalMetric(unit="1", statistics=("share",), better="lower", share=True),
    "memory_bound": GoalMetric(unit="1", statistics=("weighted",), part="may"),
    "memory_bound_share": GoalMetric(unit="1", statistics=("share",), better="lower", share=True),
    "cube_utilization_elapsed": GoalMetric(unit="1", statistics=("weighted",)),
    "cube_utilization_task": GoalMetric(unit="1", statistics=("weighted",)),
    "ai_core_frequency_drop": GoalMetric(unit="1", statistics=("max",), share=True),
    "collective_transit": GoalMetric(unit="ns", statistics=SAMPLE, better="lower", part="may"),
    "collective_wait": GoalMetric(unit="ns", statistics=SAMPLE, better="lower", part="may"),
    "collective_synchronization": GoalMetric(unit="ns", statistics=SAMPLE, better="lower", part="may"),
    "collective_wait_ratio": _LOST,
    "kernel_time": GoalMetric(unit="ns", statistics=("total",), better="lower", part="may"),
    "kernel_call": GoalMetric(unit="ns", statistics=SAMPLE, better="lower", part="may"),
    "ai_cpu_time": GoalMetric(unit="ns", statistics=("total",), better="lower"),
    "kernel_count": GoalMetric(unit="1", statistics=("count",), part="may"),
    "kernel_count_per_step": _COUNT,
    "ai_cpu_count": _COUNT,
    "communication_count": _COUNT,
    "peak_allocated": _PEAK,
    "peak_reserved": _PEAK,
    "latency": GoalMetric(
        unit="ns", statistics=SAMPLE, better="lower", kinds=LATENCY_KINDS, profiled=False, outside=True
    ),
    "qps": GoalMetric(unit="1/s", statistics=SAMPLE, better="higher", profiled=False, outside=True),
    "throughput": GoalMetric(
        unit="1/s", statistics=SAMPLE, better="higher", kinds=THROUGHPUT_KINDS, profiled=False, outside=True
    ),
}
"""Every metric a goal can be on, by id."""

OUTSIDE = tuple(name for name, metric in GOAL_METRICS.items() if metric.outside)
"""Metrics whose values may be typed into the target."""

OUTSIDE_ONLY = tuple(name for name, metric in GOAL_METRICS.items() if not metric.profiled)
"""Metrics that no capture can hold."""
