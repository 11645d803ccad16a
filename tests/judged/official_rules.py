"""Why an official rule applies, does not apply or cannot be decided: one fact of a small job at a time.

Expected answers follow docs/applicability.md, which names each fact (F1 to F19) and what it means when it is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from judged.case import Give, Judged
from reportgen import resources
from reportgen.applicability import Job, applicability
from reportgen.catalogue import read_catalogue
from reportgen.model import (
    CaptureFacts,
    Comparability,
    Comparison,
    Contract,
    Dimensions,
    FileRecord,
    Layout,
    Measurement,
    Missing,
    MissingKind,
    PairStanding,
    Parties,
    Quantity,
    RankFacts,
    Reason,
    SettingsFile,
    Side,
    Target,
    Threshold,
    Workload,
    WorkloadCheck,
)
from reportgen.thresholds import judge_thresholds

FILE = FileRecord(path="x", size=1, digest="0" * 64)
COMMON, EXPERIMENTAL = "config.common_config.", "config.experimental_config._"
CHIP = {
    "info.json": {"platform_version": "5", "DeviceInfo.[].ai_core_num": "24", "DeviceInfo.[].aic_frequency": "1800"}
}
LEVEL1 = {"profiler_info.json": {f"{EXPERIMENTAL}profiler_level": "Level1"}}
Files = Mapping[str, Mapping[str, str]]


@cache
def rules() -> dict[str, Threshold]:
    """The rules of the evidence, by id."""
    return {rule.id: rule for rule in read_catalogue(resources.evidence_dir()).thresholds}


def rule(**changes: Any) -> Threshold:
    """A rule of the evidence on the free share, stripped of its scope; ``changes`` give it the one under test."""
    bare: dict[str, Any] = {
        "frameworks": (), "backends": (), "phases": (), "excluded_phases": (), "products": (), "excluded_products": (),
        "circumstances": (), "excluded_circumstances": (), "needs": (), "yields_to": "", "rated_clock": None,
        "follows": None,
    }  # fmt: skip
    return replace(rules()["fsdp2-free-time"], **(bare | changes))


def facts(side: Side, files: Files, producer: str, ranks: int, kinds: tuple[str, ...]) -> CaptureFacts:
    """A capture that recorded these settings."""
    return CaptureFacts(
        side=side,
        path="x",
        name="x",
        layout=Layout(id="torch_text", producer=producer, title=""),
        settings_files=tuple(
            SettingsFile(kind=kind, place="", rank=None, record=FILE, values=tuple(values.items()))
            for kind, values in files.items()
        ),
        ranks=tuple(
            RankFacts(
                rank=n, device=n, directory="", steps=("1", "2"), rows=1, kernel_file=FILE, started_ns=None,
                ended_ns=None, wait_events="none", wait_source="",
            )
            for n in range(ranks)
        ),
        files=tuple(replace(FILE, path=f"table.{kind}") for kind in kinds),
        unread=(),
        warnings=(),
    )  # fmt: skip


def job(
    files: Files | None = None,
    *,
    workload: Workload | None = None,
    producer: str = "torch_npu text",
    ranks: int = 1,
    kinds: tuple[str, ...] = ("csv",),
    standing: PairStanding = PairStanding.COMPARABLE,
    rows: tuple[Comparison, ...] = (),
    checks: tuple[WorkloadCheck, ...] = (),
) -> Job:
    """A pair of which both sides recorded the same."""
    target = Target(file=FILE, parties=Parties(), contract=Contract(reference="T"), decision_rule="simple", cases=())
    return Job(
        target=target,
        workload=workload,
        facts=tuple(facts(side, files or {}, producer, ranks, kinds) for side in Side),
        comparisons=rows,
        checks=checks,
        comparability=Comparability(standing=standing, differences=(), workload=None),
    )


def asked(one: Threshold, of: Job) -> Give:
    """The answer of one rule on one job."""
    return lambda _root: applicability(one, of, rules())


def needing(word: str, files: Files | None = None, **more: Any) -> Give:
    """The answer of a rule that needs one fact."""
    return asked(rule(needs=(word,)), job(files, **more))


def clock(*doubts: str, missing: bool = False) -> tuple[Comparison, ...]:
    """Samples of the AI Core clock on both sides, with doubts about them."""

    def measured(side: Side) -> Measurement:
        none = Missing(kind=MissingKind.NOT_COLLECTED, reason=Reason.of("frequency_not_of_device", file="x"))
        return Measurement(
            metric="ai_core_frequency",
            side=side,
            dimensions=Dimensions(rank=0),
            summary=none if missing else Quantity(value=1800 * 10**6, unit="1/s"),
            warnings=tuple(Reason(code=code) for code in doubts),
        )

    before, after = (measured(side) for side in Side)
    none = Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("values_missing"))
    return (
        Comparison(
            metric="ai_core_frequency", dimensions=Dimensions(rank=0), before=before, after=after, delta=none,
            change=none, estimate=None, interval=None, distinguishable="cannot be known",
            reason=Reason.of("values_missing"),
        ),
    )  # fmt: skip


def of_info(**values: str) -> Files:
    """The settings of a profiler_info.json: experimental ones, and ``common_`` ones."""
    keys = {
        (COMMON + key.removeprefix("common_")) if key.startswith("common_") else EXPERIMENTAL + key: value
        for key, value in values.items()
    }
    return {"profiler_info.json": keys}


SERIES_5 = "Atlas A2, Atlas A3"
"""Chip 5 is 910B, which both series carry (docs/applicability.md F6)."""
TRAINING = Workload(phase="training", framework="PyTorch")
STATED = {"why": "docs/applicability.md: a fact that the target states otherwise lies outside"}
UNKNOWN = {"why": "docs/applicability.md: a fact that nobody recorded decides nothing"}
FOUND = {"why": "docs/applicability.md: a fact that the capture records otherwise lies outside"}


def _first_rule(_root: Path) -> object:
    """A rule read after one that needs a fact nobody has: the first is not read, so the second is not either."""
    first = rule(needs=("operator_state",))
    second = replace(rule(), id="second", follows=(first.id, "needs_attention"))
    return judge_thresholds([first, second], job(workload=TRAINING))[1]


CASES: tuple[Judged, ...] = (
    # --- what the target says of the job
    Judged(
        title="a rule of training, a job of serving",
        give=asked(rule(phases=("training",)), job(workload=Workload(phase="serving"))),
        code="phase_outside",
        args={"phase": "serving"},
        **STATED,
    ),
    Judged(
        title="a rule not for a circumstance that the target states",
        give=asked(
            rule(excluded_circumstances=("kv_cache",)),
            job(workload=Workload(phase="serving", circumstances=(("kv_cache", True),))),
        ),
        code="circumstance_excluded",
        args={"name": "kv_cache"},
        **STATED,
    ),
    Judged(
        title="a rule of jobs from ONNX, a job that is none",
        give=asked(
            rule(circumstances=("onnx_model",)), job(workload=Workload(circumstances=(("onnx_model", False),)))
        ),
        code="circumstance_outside",
        args={"name": "onnx_model"},
        **STATED,
    ),
    Judged(
        title="a rule of jobs from ONNX, and nothing said of it",
        give=asked(rule(circumstances=("onnx_model",)), job(workload=Workload())),
        code="circumstance_unknown",
        args={"name": "onnx_model"},
        **UNKNOWN,
    ),
    # --- the chip
    Judged(
        title="a rule not for A2 and A3, on a chip of theirs",
        give=asked(rule(excluded_products=("Atlas A2", "Atlas A3")), job(CHIP)),
        code="product_excluded",
        args={"product": SERIES_5},
        **FOUND,
    ),
    Judged(
        title="a rule of 950, on a chip of A2 or A3",
        give=asked(rule(products=("Ascend 950",)), job(CHIP)),
        code="product_outside",
        args={"product": SERIES_5},
        **FOUND,
    ),
    Judged(
        title="a rule of A2, on a chip that A2 and A3 share",
        give=asked(rule(products=("Atlas A2",)), job(CHIP)),
        code="product_open",
        args={"products": SERIES_5},
        **UNKNOWN,
    ),
    Judged(
        title="a rule of A2, and no chip recorded",
        give=asked(rule(products=("Atlas A2",)), job()),
        code="product_unknown",
        **UNKNOWN,
    ),
    Judged(
        title="a target of 310 series, on a chip of A2 or A3",
        give=asked(rule(products=("Atlas A2",)), job(CHIP, workload=Workload(product="Atlas 200I/500 A2"))),
        code="product_contradicts",
        args={"agreed": "Atlas 200I/500 A2", "seen": SERIES_5},
        why="docs/applicability.md F6: the target may narrow what the chip shows, never contradict it",
    ),
    Judged(
        title="a rule of 1800 MHz, a chip of 1650 MHz",
        give=asked(
            rule(rated_clock=Quantity(value=1800 * 10**6, unit="1/s")),
            job({"info.json": {"DeviceInfo.[].aic_frequency": "1650"}}),
        ),
        code="rated_clock_outside",
        args={"mhz": "1650"},
        **FOUND,
    ),
    Judged(
        title="a rule of 1800 MHz, and no clock recorded",
        give=asked(rule(rated_clock=Quantity(value=1800 * 10**6, unit="1/s")), job()),
        code="rated_clock_unknown",
        **UNKNOWN,
    ),
    Judged(
        title="core count and clock needed, not recorded",
        give=needing("cores_and_clock"),
        code="cores_and_clock_unknown",
        **UNKNOWN,
    ),
    Judged(
        title="link bandwidth of a chip of which no source gives it",
        give=needing("theoretical_bandwidth", {"info.json": {"platform_version": "7"}}),
        code="theoretical_bandwidth_unknown",
        why="docs/applicability.md: msprof holds the bandwidth of chips 1 and 5 alone",
    ),
    # --- rules themselves
    Judged(
        title="a rule that gives way where another's scope matches",
        give=lambda _root: applicability(
            replace(rule(), yields_to="other"), job(), {"other": replace(rule(), id="other")}
        ),
        code="covered_by",
        args={"rule": "other"},
        why="docs/applicability.md: of two rules on one quantity the one for this job stands",
    ),
    Judged(
        title="a rule that official texts contradict",
        give=asked(rule(reading="never", because="contradicted"), job()),
        code="never_enforced",
        args={"why": "contradicted"},
        why="the word of the rule itself",
    ),
    Judged(
        title="a rule in words alone",
        give=asked(rule(reading="text"), job()),
        code="no_number_given",
        why="the rule gives no band",
    ),
    Judged(
        title="a rule on a quantity of no metric",
        give=asked(rule(metric=""), job()),
        code="not_measured_here",
        why="the rule names no metric",
    ),
    Judged(
        title="a rule read after one that cannot be decided",
        give=_first_rule,
        code="first_rule_not_read",
        args={"rule": "fsdp2-free-time"},
        why="docs/applicability.md: what follows an undecided rule is undecided",
    ),
    # --- the pair
    Judged(
        title="both captures needed alike, and they are not",
        give=needing("alike", standing=PairStanding.NOT_COMPARABLE),
        code="pair_not_alike",
        **FOUND,
    ),
    Judged(
        title="both captures needed alike, and nothing shows it",
        give=needing("alike", standing=PairStanding.CANNOT_BE_SHOWN),
        code="pair_cannot_be_shown_alike",
        **UNKNOWN,
    ),
    Judged(title="several ranks needed, one captured", give=needing("several_ranks"), code="one_rank", **FOUND),
    Judged(
        title="all ranks needed, their number not recorded",
        give=needing("all_ranks"),
        code="world_size_unknown",
        args={"side": "before"},
        **UNKNOWN,
    ),
    Judged(
        title="all ranks needed, two of eight captured",
        give=needing("all_ranks", ranks=2, workload=Workload(ranks=8)),
        code="ranks_missing",
        args={"side": "before", "seen": "2", "expected": "8"},
        why="the target says 8 ranks, the capture holds 2",
    ),
    # --- how it was captured
    Judged(title="a level needed, none recorded", give=needing("level1"), code="level_unknown", **UNKNOWN),
    Judged(
        title="level 1 needed, level 0 recorded",
        give=needing("level1", of_info(profiler_level="Level0")),
        code="level_outside",
        args={"level": "level0"},
        **FOUND,
    ),
    Judged(
        title="PipeUtilization needed, no metrics recorded",
        give=needing("pipe_utilization"),
        code="aic_metrics_unknown",
        **UNKNOWN,
    ),
    Judged(
        title="PipeUtilization needed, the columns of another collection",
        give=needing("pipe_utilization", of_info(aic_metrics="ACL_AICORE_PIPELINE_EXECUTE_UTILIZATION")),
        code="aic_metrics_outside",
        args={"metrics": "ACL_AICORE_PIPELINE_EXECUTE_UTILIZATION"},
        **FOUND,
    ),
    Judged(
        title="PipeUtilization needed, Memory recorded",
        give=needing("pipe_utilization", {"sample.json": {"ai_core_metrics": "Memory"}}),
        code="aic_metrics_other",
        args={"metrics": "Memory"},
        **UNKNOWN,
    ),
    Judged(title="task-based needed, no mode recorded", give=needing("task_based"), code="aic_mode_unknown", **UNKNOWN),
    Judged(
        title="task-based needed, sample-based recorded",
        give=needing("task_based", {"sample.json": {"ai_core_profiling_mode": "sample-based"}}),
        code="aic_mode_outside",
        args={"mode": "sample-based"},
        **FOUND,
    ),
    Judged(
        title="samples of the clock needed, none that can be read",
        give=needing("clock_samples", rows=clock(missing=True)),
        code="clock_not_sampled",
        args={"side": "before"},
        **UNKNOWN,
    ),
    Judged(
        title="a steady clock needed, its changes not collected",
        give=needing("clock_steady", rows=clock("frequency_changes_not_collected")),
        code="clock_unwatched",
        args={"side": "after"},
        why="docs/applicability.md F8: a flat line without recorded changes shows nothing; the last side is named",
    ),
    Judged(
        title="a steady clock needed, it fell under load",
        give=needing("clock_steady", rows=clock("frequency_below_nominal")),
        code="clock_changed",
        args={"side": "before"},
        why="docs/applicability.md F8",
    ),
    Judged(
        title="minimal profiling needed, nothing recorded",
        give=needing("minimal_profiling"),
        code="inflation_unknown",
        **UNKNOWN,
    ),
    Judged(
        title="minimal profiling needed, with_stack and l2_cache on",
        give=needing(
            "minimal_profiling", of_info(profiler_level="Level0", common_with_stack="true", l2_cache="true")
        ),
        code="profiling_not_minimal",
        args={"on": "with_stack, l2_cache"},
        why="both switches are recorded as true, in the order of docs/applicability.md F10",
    ),
    Judged(title="input shapes needed, not recorded", give=needing("shapes"), code="shapes_unknown", **UNKNOWN),
    Judged(
        title="static or dynamic operators",
        give=needing("operator_state"),
        code="operator_state_unknown",
        why="docs/applicability.md F12: no reader takes the column",
    ),
    Judged(
        title="a rule of product versions",
        give=needing("product_version"),
        code="product_version_unknown",
        why="docs/applicability.md F13: in no capture",
    ),
    Judged(title="garbage collection, not recorded", give=needing("gc_watched"), code="gc_unknown", **UNKNOWN),
    Judged(
        title="garbage collection, recorded as not watched",
        give=needing("gc_watched", of_info(gc_detect_threshold="null")),
        code="gc_not_watched",
        **FOUND,
    ),
    Judged(title="host calls, not recorded", give=needing("host_api"), code="host_api_unknown", **UNKNOWN),
    Judged(
        title="bandwidth between ranks",
        give=needing("link_matrix"),
        code="link_matrix_not_read",
        why="docs/applicability.md: no reader takes communication_matrix",
    ),
    Judged(
        title="a database needed, tables captured",
        give=needing("db_capture"),
        code="text_capture",
        **FOUND,
    ),
    Judged(
        title="a capture of one operator by msprof op",
        give=needing("op_tool"),
        code="whole_application",
        why="every layout that is read is of an application",
    ),
)  # fmt: skip
