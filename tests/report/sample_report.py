"""A hand-made evaluation for tests of everything that makes or shows a report: two ranks, ten steps, three goals.

Figures are chosen, not measured: BEFORE needs about 230.1 ms a step, AFTER about 160.4 ms (the numbers of the design
example). Nothing is read from disk; digests are the SHA-256 of the path, so that they are stable and look real.
Sums hold exactly: computing + communication not overlapped + free = step time in every step, in nanoseconds.

    sample_evaluation()                   goals met, comparable with reservations
    sample_evaluation("not_met")          the limit of the step time is 150 ms
    sample_evaluation("undecided")        the limit lies inside the interval
    sample_evaluation("not_comparable")   level and batch size differ; no goal is judged
    sample_evaluation("no_target")        as ``compare`` sees it
    sample_report(variant)                the same, built
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from fractions import Fraction
from typing import Literal

from reportgen import samples
from reportgen.model import (
    Applicability,
    Band,
    CaptureFacts,
    Case,
    Catalogue,
    Change,
    Comparability,
    Comparison,
    Contract,
    Declared,
    Difference,
    Dimensions,
    Distinguishable,
    Evaluation,
    Family,
    FileRecord,
    Goal,
    Held,
    Interval,
    Judgement,
    Layout,
    Measurement,
    Metric,
    Missing,
    MissingKind,
    Note,
    OperatorChange,
    OperatorMeasurement,
    OperatorTotals,
    Origin,
    Outcome,
    PairStanding,
    Parties,
    Quantity,
    RankFacts,
    Reason,
    Sample,
    SettingsFile,
    Side,
    Source,
    Standing,
    Target,
    Threshold,
    ThresholdJudgement,
    UnreadFile,
    Unspecified,
    Verdict,
    VerdictWord,
    Witness,
    Workload,
    WorkloadCheck,
    WorkloadMatch,
)
from reportgen.report.document import Report
from reportgen.status import with_status
from tests.report import sample_units

Variant = Literal["met", "not_met", "undecided", "not_comparable", "no_target"]
VARIANTS: tuple[Variant, ...] = ("met", "not_met", "undecided", "not_comparable", "no_target")

MS = 10**6
STEPS = tuple(str(number) for number in range(11, 21))
KEPT = STEPS[:-1]  # the last step has no successor, so its window is not known
RANKS = (0, 1)
# computing, communication not overlapped, free: ns in a step of no jitter
PARTS: dict[tuple[Side, int], tuple[int, int, int]] = {
    (Side.BEFORE, 0): (138_500_000, 61_200_000, 30_400_000),
    (Side.BEFORE, 1): (138_300_000, 60_900_000, 30_200_000),
    (Side.AFTER, 0): (137_100_000, 19_400_000, 3_900_000),
    (Side.AFTER, 1): (136_900_000, 19_200_000, 3_800_000),
}
# ns added in the nine kept steps; each row sums to 0
JITTER = (
    (0, 210_417, -180_250, 95_000, -310_125, 260_083, -140_125, 120_000, -55_000),
    (0, 700_310, -550_200, 240_000, -810_110, 760_000, -330_000, 390_000, -400_000),
    (0, -90_125, 80_000, 20_125, 60_000, -120_000, 45_000, -35_000, 40_000),
)
KERNELS = {Side.BEFORE: 4812, Side.AFTER: 3956}
RESERVED_MB = {  # as memory_record.csv writes them, MB of 1024 * 1024 bytes
    (Side.BEFORE, 0): "53084.125",
    (Side.BEFORE, 1): "53080.0",
    (Side.AFTER, 0): "56227.875",
    (Side.AFTER, 1): "56224.5",
}
METRICS = (
    Metric(id="step_time", unit="ns", better="lower", statistic="median", family=Family.TIME, exact=False,
           source="docs/formats.md 6.4"),
    Metric(id="computing", unit="ns", better="lower", statistic="median", family=Family.TIME, exact=False,
           source="docs/formats.md 6.4"),
    Metric(id="communication_not_overlapped", unit="ns", better="lower", statistic="median",
           family=Family.COMMUNICATION, exact=False, source="docs/formats.md 6.4"),
    Metric(id="free", unit="ns", better="lower", statistic="median", family=Family.TIME, exact=False,
           source="docs/formats.md 6.4"),
    Metric(id="computing_share", unit="1", better="neither", statistic="share", family=Family.TIME, exact=False,
           source="docs/formats.md 6.4"),
    Metric(id="communication_not_overlapped_share", unit="1", better="lower", statistic="share",
           family=Family.COMMUNICATION, exact=False, source="docs/formats.md 6.4"),
    Metric(id="free_share", unit="1", better="lower", statistic="share", family=Family.TIME, exact=False,
           source="docs/formats.md 6.4"),
    Metric(id="kernel_count_per_step", unit="1", better="lower", statistic="count", family=Family.COUNTS, exact=True,
           source="docs/formats.md 3.3"),
    Metric(id="peak_allocated", unit="B", better="lower", statistic="maximum", family=Family.MEMORY, exact=True,
           source="docs/formats.md 3.5"),
    Metric(id="peak_reserved", unit="B", better="lower", statistic="maximum", family=Family.MEMORY, exact=True,
           source="docs/formats.md 3.5"),
    *sample_units.METRICS,
)  # fmt: skip
# type: (calls of one step, ns of one call) BEFORE and AFTER
OPERATORS: dict[str, tuple[tuple[int, int] | None, tuple[int, int] | None]] = {
    "MatMulV3": ((676, 87_130), (676, 86_835)),
    "FlashAttentionScore": ((28, 342_857), (28, 342_857)),
    "Mul": ((1032, 9_400), (629, 8_900)),
    "ReduceMean": ((226, 15_930), None),
    "RmsNorm": (None, (113, 30_100)),
}
LEVEL = Fraction(19, 20)


def digest(text: str) -> str:
    """A stable SHA-256 that looks like one of a file."""
    return hashlib.sha256(text.encode()).hexdigest()


def record(path: str, size: int | None = None) -> FileRecord:
    """A file that was read."""
    return FileRecord(path=path, size=size if size is not None else 1000 + len(path), digest=digest(path))


def origin(side: Side, rank: int, name: str, locator: str, formula: str) -> Origin:
    """An origin inside the capture of a side and rank."""
    path = f"{side}/rank{rank}_ascend_pt/{name}"
    return Origin(file=path, digest=digest(path), locator=locator, formula=formula)


def whole(text: str) -> int | Fraction:
    """An exact number of a decimal text."""
    value = Fraction(text)
    return value.numerator if value.denominator == 1 else value


def ns(value: int | Fraction) -> Quantity:
    """A time."""
    return Quantity(value=value, unit="ns")


def one(value: int | Fraction) -> Quantity:
    """A count, ratio or share."""
    return Quantity(value=value, unit="1")


def parts(side: Side, rank: int) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Computing, communication not overlapped and free of the kept steps."""
    turn = rank + (3 if side is Side.AFTER else 0)
    values = []
    for middle, jitter in zip(PARTS[side, rank], JITTER, strict=True):
        values.append(tuple(middle + jitter[(index + turn) % len(jitter)] for index in range(len(jitter))))
    return values[0], values[1], values[2]


def steps(side: Side, rank: int) -> tuple[int, ...]:
    """Step times: the exact sums of the parts."""
    return tuple(sum(values) for values in zip(*parts(side, rank), strict=True))


def interval_of(estimate: samples.Interval | None, unit: str, method: str) -> Interval | None:
    """An interval of the model from one of ``samples``."""
    if estimate is None:
        return None
    return Interval(
        low=Quantity(value=Fraction(estimate.low), unit=unit),
        high=Quantity(value=Fraction(estimate.high), unit=unit),
        level=LEVEL,
        method=method,
    )


def measured(side: Side, rank: int, metric: str, values: tuple[int, ...]) -> Measurement:
    """A time of every step."""
    kernels = f"{side}/rank{rank}_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv"
    alone = samples.limit_interval(values)
    rows = one(KERNELS[side] * len(STEPS))
    return Measurement(
        metric=metric,
        side=side,
        dimensions=Dimensions(rank=rank, device=rank),
        summary=ns(samples.median(values).numerator),
        sample=Sample(unit="ns", values=values, labels=KEPT),
        interval=interval_of(alone.interval, "ns", alone.method),
        basis="step window",
        witnesses=(
            Witness(name="op_statistic_count", agrees=True, found=rows, expected=rows,
                    tolerance=one(0), origins=(origin(side, rank, "ASCEND_PROFILER_OUTPUT/op_statistic.csv",
                                                      "Count; rows 2-55", "sum"),)),
        ),
        origins=(
            Origin(file=kernels, digest=digest(kernels),
                   locator=f"Step Id, Start Time(us), Duration(us); rows 2-{KERNELS[side] * len(STEPS) + 1}",
                   formula="start(k+1) - start(k); median of 9 steps"),
        ),
    )  # fmt: skip


def shared(side: Side, rank: int, metric: str, values: tuple[int, ...]) -> Measurement:
    """A share of the step time: the sum of the part over the sum of the windows."""
    time = measured(side, rank, metric, values)
    windows = steps(side, rank)
    each = tuple(Fraction(value, window) for value, window in zip(values, windows, strict=True))
    return replace(
        time,
        summary=one(Fraction(sum(values), sum(windows))),
        sample=Sample(unit="1", values=each, labels=KEPT),
        interval=None,
        numerator=ns(sum(values)),
        denominator=ns(sum(windows)),
    )


def counted(side: Side, rank: int) -> Measurement:
    """Kernels of a step, equal in every step."""
    return Measurement(
        metric="kernel_count_per_step",
        side=side,
        dimensions=Dimensions(rank=rank, device=rank),
        summary=one(KERNELS[side]),
        numerator=one(KERNELS[side] * len(STEPS)),
        denominator=one(len(STEPS)),
        witnesses=measured(side, rank, "step_time", steps(side, rank)).witnesses,
        origins=(origin(side, rank, "ASCEND_PROFILER_OUTPUT/kernel_details.csv", "Step Id, Accelerator Core",
                        "rows / steps"),),
    )  # fmt: skip


def peaked(side: Side, rank: int, metric: str) -> Measurement:
    """Peak memory of APP: reserved is recorded, allocated is not."""
    text = RESERVED_MB[side, rank]
    value: Quantity | Missing = Quantity(value=whole(text) * 1024**2, unit="B", written=f"{text} MB")
    if metric == "peak_allocated":
        value = Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("part_not_on_this_side"))
    return Measurement(
        metric=metric,
        side=side,
        dimensions=Dimensions(rank=rank, device=rank, part="APP"),
        summary=value,
        at=Quantity(value=(1_792_490_401 if side is Side.BEFORE else 1_793_613_601) * 10**9 + 250, unit="ns")
        if isinstance(value, Quantity)
        else None,
        origins=(origin(side, rank, "ASCEND_PROFILER_OUTPUT/memory_record.csv", "Component = APP; Total Reserved(MB)",
                        "max"),),
    )  # fmt: skip


def measurements(side: Side, rank: int) -> tuple[Measurement, ...]:
    """Every metric of one rank, in the order of ``METRICS``."""
    computing, unhidden, free = parts(side, rank)
    return (
        measured(side, rank, "step_time", steps(side, rank)),
        measured(side, rank, "computing", computing),
        measured(side, rank, "communication_not_overlapped", unhidden),
        measured(side, rank, "free", free),
        shared(side, rank, "computing_share", computing),
        shared(side, rank, "communication_not_overlapped_share", unhidden),
        shared(side, rank, "free_share", free),
        counted(side, rank),
        peaked(side, rank, "peak_allocated"),
        peaked(side, rank, "peak_reserved"),
        *sample_units.measurements(side, rank),
    )


def compared(before: Measurement, after: Measurement) -> Comparison:
    """Both sides of a metric, as ``compare`` pairs them."""
    missing = Missing(kind=MissingKind.NOT_RECORDED, reason=Reason.of("values_missing"))
    row = Comparison(
        metric=before.metric,
        dimensions=before.dimensions,
        before=before,
        after=after,
        delta=missing,
        change=missing,
        estimate=None,
        interval=None,
        distinguishable="cannot be known",
        reason=Reason.of("values_missing"),
    )
    one_side, other = before.summary, after.summary
    if isinstance(one_side, Missing) or isinstance(other, Missing):
        return row
    delta = Quantity(value=other.value - one_side.value, unit=one_side.unit)
    change: Quantity | Missing = one(Fraction(other.value) / Fraction(one_side.value) - 1)
    if next((m.statistic for m in METRICS if m.id == before.metric), "") in ("share", "weighted"):
        change = Missing(kind=MissingKind.NOT_APPLICABLE, reason=Reason.of("change_of_share"))
    row = replace(row, delta=delta, change=change)
    if before.sample is None or after.sample is None:
        told_equal = replace(row, distinguishable="no", reason=Reason.of("exact_equal"))
        return replace(row, distinguishable="yes", reason=Reason.of("exact_differs")) if delta.value else told_equal
    ratio = samples.ratio_before_after(before.sample.values, after.sample.values)
    told: Distinguishable = "yes" if ratio.distinguishable == "yes" else "no"
    return replace(
        row,
        estimate=None if ratio.ratio is None else one(Fraction(ratio.ratio)),
        interval=interval_of(ratio.interval, "1", ratio.method),
        distinguishable=told,
        reason=Reason.of("interval_excludes_one" if told == "yes" else "interval_includes_one"),
    )


def comparisons() -> tuple[Comparison, ...]:
    """Every metric side by side, by metric, then rank."""
    sides = [
        [compared(b, a) for b, a in zip(measurements(Side.BEFORE, r), measurements(Side.AFTER, r), strict=True)]
        for r in RANKS
    ]
    rows = [sides[rank][index] for index in range(len(sides[0])) for rank in RANKS]
    return with_status(rows, {metric.id: metric for metric in METRICS})


def operator_side(kind: str, side: Side, rank: int, calls: int, duration: int) -> OperatorMeasurement:
    """All calls of one operator type: nearly equal durations around the given one."""
    total = calls * len(STEPS)
    values = tuple(duration + (index % 7 - 3) * 20 for index in range(min(total, 70)))
    return OperatorMeasurement(
        type=kind,
        identified_by="type",
        accelerator="AI_CORE" if kind == "MatMulV3" else "AI_VECTOR_CORE",
        side=side,
        dimensions=Dimensions(rank=rank, device=rank),
        steps=len(STEPS),
        totals=OperatorTotals(
            calls=one(total),
            total=ns(total * duration),
            mean=ns(duration),
            median=ns(duration),
            sample=Sample(unit="ns", values=values, labels=tuple(str(i) for i in range(len(values)))),
            origins=(origin(side, rank, "ASCEND_PROFILER_OUTPUT/kernel_details.csv", f"Type = {kind}; Duration(us)",
                            "sum, count, median"),),
        ),
    )  # fmt: skip


def call_comparison(before: OperatorMeasurement, after: OperatorMeasurement) -> Comparison:
    """One call of a type on both sides."""
    sides = [
        Measurement(metric="operator_call", side=m.side, dimensions=replace(m.dimensions, part=m.type),
                    summary=m.totals.median, sample=m.totals.sample, origins=m.totals.origins)
        for m in (before, after)
    ]  # fmt: skip
    return compared(*sides)


def operators() -> tuple[OperatorChange, ...]:
    """Every operator type of both ranks, largest change of a step first."""
    rows = [
        operator_change(
            operator_side(kind, Side.BEFORE, rank, *b) if b else None,
            operator_side(kind, Side.AFTER, rank, *a) if a else None,
        )
        for rank in RANKS
        for kind, (b, a) in OPERATORS.items()
    ]
    return tuple(sorted(rows, key=lambda r: (-abs(Fraction(r.delta_per_step.value)), r.dimensions.rank or 0, r.type)))


def operator_change(before: OperatorMeasurement | None, after: OperatorMeasurement | None) -> OperatorChange:
    """One operator type side by side."""
    shown = after or before
    assert shown is not None
    totals = [Fraction(side.totals.total.value, side.steps) if side else Fraction(0) for side in (before, after)]
    change: Literal["added", "removed", "changed", "same"] = "changed"
    if before is None or after is None:
        change = "added" if before is None else "removed"
    elif before.totals == replace(after.totals, origins=before.totals.origins):
        change = "same"
    return OperatorChange(
        type=shown.type,
        identified_by="type",
        accelerator=shown.accelerator,
        dimensions=shown.dimensions,
        change=change,
        before=before,
        after=after,
        delta_per_step=ns(totals[1] - totals[0]),
        call=call_comparison(before, after) if before and after else None,
    )


# --------------------------------------------------------------------------------------------- captures
def settings_files(side: Side, rank: int) -> tuple[SettingsFile, ...]:
    """What one rank's directory records."""
    base = f"rank{rank}_ascend_pt"
    prof = f"{base}/PROF_000001_20261020100203000_ABCDEFGHIJKLMNOP"
    info = (
        ("config.common_config.schedule.wait", "0"),
        ("config.common_config.schedule.active", "10"),
        ("config.common_config.schedule.warmup", "1"),
        ("config.common_config.schedule.repeat", "1"),
        ("config.common_config.schedule.skip_first", "20" if side is Side.BEFORE else "40"),
        ("config.common_config.record_shapes", "true"),
        ("config.common_config.with_stack", "false"),
        ("config.experimental_config._profiler_level", "Level1"),
        ("config.experimental_config._aic_metrics", "ACL_AICORE_PIPE_UTILIZATION"),
        ("torch_npu_version", "2.7.1"),
        *((("cann_version", "8.3.RC1"),) if side is Side.AFTER else ()),
        ("rank_id", str(rank)),
    )
    device = (
        ("platform_version", "5"),
        ("drvVersion", "467992"),
        ("DeviceInfo.[].ai_core_num", "24"),
        ("DeviceInfo.[].aiv_num", "48"),
        ("DeviceInfo.[].aic_frequency", "1800"),
    )
    environment = (("ENV_VARIABLES.ASCEND_LAUNCH_BLOCKING", ""),)
    rows = (
        ("profiler_info.json", "", f"{base}/profiler_info_{rank}.json", info),
        ("profiler_metadata.json", "", f"{base}/profiler_metadata.json", environment),
        ("info.json", "device_0", f"{prof}/device_0/info.json.0", device),
        ("sample.json", "device_0", f"{prof}/device_0/sample.json", (("prof_level", "level1"),)),
    )
    return tuple(
        SettingsFile(kind=kind, place=place, rank=rank, record=replace(record(path), digest=digest(f"{side}/{path}")),
                     values=values)
        for kind, place, path, values in rows
    )  # fmt: skip


def capture(side: Side) -> CaptureFacts:
    """One capture of two ranks."""
    day = 1_792_490_400 if side is Side.BEFORE else 1_793_613_600  # 2026-10-20 and 2026-11-02, 10:00 UTC
    ranks: list[RankFacts] = []
    settings: list[SettingsFile] = []
    files: list[FileRecord] = []
    for rank in RANKS:
        base = f"rank{rank}_ascend_pt"
        rows = KERNELS[side] * len(STEPS)
        tables = [
            FileRecord(path=f"{base}/ASCEND_PROFILER_OUTPUT/{name}", size=size,
                       digest=digest(f"{side}/{base}/ASCEND_PROFILER_OUTPUT/{name}"))
            for name, size in (("kernel_details.csv", rows * 180), ("memory_record.csv", 412_606),
                               ("op_statistic.csv", 2_880), ("step_trace_time.csv", 1_322))
        ]  # fmt: skip
        settings += settings_files(side, rank)
        files += tables
        ranks.append(
            RankFacts(rank=rank, device=rank, directory=base, steps=STEPS, rows=rows, kernel_file=tables[0],
                      started_ns=(day + rank) * 10**9, ended_ns=(day + 40 + rank) * 10**9, wait_events="none",
                      wait_source=f"{base}/ASCEND_PROFILER_OUTPUT/trace_view.json")
        )  # fmt: skip
    files += [file.record for file in settings]
    return CaptureFacts(
        side=side,
        path=f"captures/{side}",
        name=str(side),
        layout=Layout(id="torch_text", producer="torch_npu text", title="torch_npu, text export"),
        settings_files=tuple(settings),
        ranks=tuple(ranks),
        files=tuple(sorted(files, key=lambda file: file.path)),
        unread=(UnreadFile(path="rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/communication.json",
                           reason=Reason.of("not_read_yet", what="communication.json")),),
        warnings=(),
    )  # fmt: skip


# --------------------------------------------------------------------------------------------- comparability
def difference(
    key: str,
    before: str | None,
    after: str | None,
    standing: Standing,
    reason: Reason,
    place: str = "profiler_info.json, ranks 0-1",
    why: tuple[str, str] | None = None,
    *,
    blocks_all: bool = False,
    loud: bool = False,
) -> Difference:
    """One compared fact with the origins of what is recorded."""
    sides = [
        Held(value=value, origins=() if value is None else tuple(
            origin(side, rank, f"profiler_info_{rank}.json", key, "") for rank in RANKS))
        for side, value in ((Side.BEFORE, before), (Side.AFTER, after))
    ]  # fmt: skip
    texts = () if why is None else (("zh", why[0]), ("en", why[1]))
    return Difference(key=key, spelling=key, place=place, before=sides[0], after=sides[1], standing=standing,
                      reason=reason, why=texts, blocks_all=blocks_all, loud=loud)  # fmt: skip


def differences(variant: Variant) -> tuple[Difference, ...]:
    """Every compared fact, heaviest first."""
    same = {
        "chip": "5", "ai_core_num": "24", "aiv_num": "48", "aic_frequency": "1800", "ranks": "0, 1",
        "profiler_info.level": "Level1", "profiler_info.aic_metrics": "ACL_AICORE_PIPE_UTILIZATION",
        "schedule.active": "10", "schedule.warmup": "1", "record_shapes": "true", "with_stack": "false",
        "ASCEND_LAUNCH_BLOCKING": "", "torch_npu_version": "2.7.1", "drvVersion": "467992",
    }  # fmt: skip
    rows = [
        difference("cann_version", None, "8.3.RC1", Standing.UNKNOWN, loud=True,
                   reason=Reason.of("setting_unknown", key="cann_version", side="before"),
                   why=("CANN 版本可能改变算子实现与耗时。", "The CANN version may change operators and their time.")),
        difference("schedule.skip_first", "20", "40", Standing.BIAS,
                   reason=Reason.of("setting_differs", key="schedule.skip_first"),
                   why=("所采 step 处于训练的不同阶段；影响的方向与大小未知。",
                        "Steps of different stages of training; effect of unknown size and sign.")),
        difference("workload", "MatMulV3 ...", "MatMulV3 ...", Standing.BIAS, place="kernel_details.csv",
                   reason=Reason.of("workload_partly", before="93.4%", after="95.1%")),
        difference("TASK_QUEUE_ENABLE", None, None, Standing.DECLARED, place="",
                   reason=Reason.of("declared_by", key="TASK_QUEUE_ENABLE", value="1 / 2", signer="示例智算中心",
                                    role="验收负责人", date="2026-10-12")),
        difference("fsdp2.forward_prefetch", "false", "true", Standing.ALLOWED,
                   reason=Reason.of("allowed_by_target", key="fsdp2.forward_prefetch")),
        *(difference(key, value, value, Standing.SAME, reason=Reason.of("setting_equal"))
          for key, value in sorted(same.items())),
        difference("start_info.freq", "100", "100", Standing.IDENTITY, reason=Reason.of("setting_identity")),
    ]  # fmt: skip
    if variant == "not_comparable":
        rows.insert(0, difference("batch_size", "256", "128", Standing.BLOCKING, blocks_all=True,
                                  reason=Reason.of("setting_differs", key="batch_size"),
                                  why=("负载不同。", "Another workload.")))  # fmt: skip
    return tuple(rows)


def comparability(variant: Variant) -> Comparability:
    """Comparable with reservations, or not comparable."""
    share = {"before": Fraction(934, 1000), "after": Fraction(951, 1000)}
    return Comparability(
        standing=PairStanding.NOT_COMPARABLE if variant == "not_comparable" else PairStanding.WITH_RESERVATIONS,
        differences=differences(variant),
        workload=WorkloadMatch(
            matched_share_before=one(share["before"]), matched_share_after=one(share["after"]),
            unrecorded_share_before=one(Fraction(12, 1000)), unrecorded_share_after=one(Fraction(12, 1000)),
            types_only_before=("ReduceMean",), types_only_after=("RmsNorm",), changed_types=(),
            origins=tuple(origin(side, rank, "ASCEND_PROFILER_OUTPUT/kernel_details.csv",
                                 "Type, Input Shapes, Input Data Types", "multisets per step")
                          for side in Side for rank in RANKS),
        ),
    )  # fmt: skip


# --------------------------------------------------------------------------------------------- target and verdict
LIMITS = {"not_met": "150 ms", "undecided": "160.6 ms"}


def goal(number: int, metric: str, limit: Quantity, part: str = "", statistic: str = "median") -> Goal:
    """A goal of the annex."""
    return Goal(
        id=f"G{number}", clause=f"3.{number + 1}", metric=metric, part=part, statistic=statistic, kind="",
        direction="at_most", subject="after", limit=limit, side_condition="", subject_to=(),
        origin=Origin(file="target.toml", digest=digest("target.toml"), locator=f"cases[0].goals[{number - 1}].limit",
                      formula="as written"),
    )  # fmt: skip


def target(variant: Variant) -> Target:
    """What was agreed."""
    text = LIMITS.get(variant, "170 ms")
    limit = Quantity(value=whole(text.split()[0]) * MS, unit="ns", written=text)
    goals = (
        goal(1, "step_time", limit),
        goal(2, "kernel_count_per_step", Quantity(value=4000, unit="1", written="4000"), statistic="count"),
        goal(3, "peak_reserved", Quantity(value=56 * 1024**3, unit="B", written="56 GiB"), "APP", "maximum"),
    )
    return Target(
        file=record("target.toml", 3120),
        parties=Parties(customer="示例智算中心", contractor="示例调优组"),
        contract=Contract(reference="HT-2026-0931 附件 2", signed="2026-10-12", title="Qwen3-0.6B 训练调优",
                          report_number="RG-2026-0117", issued="2026-11-05"),
        decision_rule="guarded",
        cases=(
            Case(id="C1", clause="3.1", profiled=True, goals=goals, external=(),
                 workload=Workload(framework="MindSpeed LLM", backend="FSDP2", phase="training", model="Qwen3-0.6B",
                                   batch_size="256", dtype="bf16", sequence_length="256", ranks=2,
                                   cpu="整机独占", checkpoint_steps=())),
        ),
        changes=(Change(what="FSDP2 前向预取", keys=("fsdp2.forward_prefetch",)),),
        declared=(Declared(key="TASK_QUEUE_ENABLE", value="1 / 2", signer="示例智算中心", role="验收负责人",
                           date="2026-10-12"),),
    )  # fmt: skip


def margin_of(item: Goal, value: Quantity, interval: Interval | None) -> tuple[Outcome, Quantity | None, Reason]:
    """The guarded rule for "at most"."""
    low = interval.low.value if interval else value.value
    high = interval.high.value if interval else value.value
    if high <= item.limit.value:
        return Outcome.MET, Quantity(value=item.limit.value - high, unit=item.limit.unit), Reason.of("within_limit")
    if low > item.limit.value:
        return Outcome.NOT_MET, Quantity(value=item.limit.value - low, unit=item.limit.unit), Reason.of("beyond_limit")
    side = "inside" if value.value <= item.limit.value else "beyond"
    return Outcome.UNDECIDED, None, Reason.of("interval_crosses_limit", side=side)


def judgement(item: Goal, rows: tuple[Comparison, ...], variant: Variant) -> Judgement:
    """One goal on the worst rank, which is rank 0 here."""
    row = next(r for r in rows if (r.metric, r.dimensions.part, r.dimensions.rank) == (item.metric, item.part, 0))
    assert row.after is not None
    assert not isinstance(row.after.summary, Missing)
    outcome, margin, reason = margin_of(item, row.after.summary, row.after.interval)
    if variant == "not_comparable":
        outcome, margin, reason = Outcome.UNDECIDED, None, Reason.of("pair_not_comparable", keys="batch_size")
    unwitnessed = (Reason.of("completeness_not_witnessed", side="after"),) if item.metric == "peak_reserved" else ()
    return Judgement(
        case="C1", goal=item, outcome=outcome, comparison=row, value=row.after.summary, interval=row.after.interval,
        margin=margin, reason=reason, reservations=unwitnessed, origins=row.after.origins,
    )  # fmt: skip


def thresholds(catalogue: Catalogue, rows: tuple[Comparison, ...]) -> tuple[ThresholdJudgement, ...]:
    """Both FSDP2 rules, read on rank 0."""
    judged = []
    for rule in catalogue.thresholds:
        row = next(r for r in rows if r.metric == rule.metric and r.dimensions.rank == 0)
        sides = [side for side in (row.before, row.after) if side is not None]
        values = [side.summary for side in sides]
        bands = [next(b.id for b in rule.bands if isinstance(v, Quantity) and b.holds(v.value)) for v in values]
        judged.append(
            ThresholdJudgement(
                threshold=rule,
                applicability=Applicability.APPLIES,
                reasons=(Reason.of("scope_matches"),),
                before=values[0],
                after=values[1],
                band_before=bands[0],
                band_after=bands[1],
                rank_before=0,
                rank_after=0,
                origins=tuple(origin for side in sides for origin in side.origins),
            )
        )
    return tuple(judged)


def verdict(variant: Variant, agreed: Target, catalogue: Catalogue, rows: tuple[Comparison, ...]) -> Verdict:
    """The one verdict."""
    judgements = tuple(judgement(item, rows, variant) for case in agreed.cases for item in case.goals)
    words = {
        "met": (VerdictWord.MET, Reason.of("all_goals_met")),
        "not_met": (VerdictWord.NOT_MET, Reason.of("goal_not_met", goal="G1")),
        "undecided": (VerdictWord.UNDECIDED, Reason.of("goal_undecided", goal="G1", why="interval_crosses_limit")),
        "not_comparable": (VerdictWord.NOT_COMPARABLE, Reason.of("pair_not_comparable", keys="batch_size")),
    }
    word, reason = words[variant]
    return Verdict(
        word=word, reason=reason, judgements=judgements, thresholds=thresholds(catalogue, rows),
        workload_checks=(
            WorkloadCheck(fact="ranks", agreed="2", seen="2", outcome="agrees"),
            WorkloadCheck(fact="dtype", agreed="bf16", seen="bf16", outcome="agrees"),
            WorkloadCheck(fact="batch_size", agreed="256", seen="", outcome="cannot be seen"),
        ),
        decision_rule="guarded",
    )  # fmt: skip


def catalogue() -> Catalogue:
    """Two rules of the FSDP2 guide and what no source gives."""
    guide = "MindSpeed LLM FSDP2 后端模型性能优化指南"
    sources = tuple(
        Source(id=identity, document=guide, version="26.1.0", section="耗时分析关注项", publisher="Huawei (Ascend)",
               locator="Ascend/MindSpeed-LLM@2b7130ca7bea:docs/zh/pytorch/tuning/fsdp2_backend_performance_optimization.md:L52",
               quote=quote, verified="verbatim")
        for identity, quote in (("fsdp2-free", "其占比应小于 3%"), ("fsdp2-unhidden", "未掩盖通信占比"))
    )  # fmt: skip

    def band(name: str, low: Fraction | None, high: Fraction | None, low_in: bool, high_in: bool) -> Band:
        return Band(id=name, low=low, low_included=low_in, high=high, high_included=high_in)

    scope = (
        ("zh", "MindSpeed LLM FSDP2 后端训练的稳态 step，不含 checkpoint step"),
        ("en", "Steady steps of training with the FSDP2 backend of MindSpeed LLM, checkpoint steps left out"),
    )
    bands = {
        "free_share": (band("within_reference", Fraction(0), Fraction(3, 100), True, False),
                       band("needs_attention", Fraction(3, 100), None, True, False)),
        "communication_not_overlapped_share": (
            band("within_reference", Fraction(0), Fraction(1, 10), True, True),
            band("no_statement", Fraction(1, 10), Fraction(2, 10), False, True),
            band("needs_attention", Fraction(2, 10), None, False, False)),
    }  # fmt: skip
    titles = {
        "free_share": ("空闲（Free）占比", "free share"),
        "communication_not_overlapped_share": ("未掩盖通信占比", "share of communication not overlapped"),
    }
    rules = tuple(
        Threshold(id=identity, metric=metric, title=(("zh", titles[metric][0]), ("en", titles[metric][1])),
                  reading="bands", file="evidence/rules/fsdp2.toml",
                  frameworks=("mindspeed llm",), backends=("fsdp2",), phases=("training",),
                  excluded_phases=("online inference",), needs=("steps", "checkpoint_steps", "no_wait_events"),
                  bands=bands[metric], authority="document", use="verdict", scope=scope, sources=(source,))
        for identity, metric, source in (
            ("fsdp2-free-time", "free_share", "fsdp2-free"),
            ("fsdp2-unhidden-communication", "communication_not_overlapped_share", "fsdp2-unhidden"))
    )  # fmt: skip
    unspecified = (
        Unspecified(id="general-target", title=(("zh", "跨场景的性能达标线"), ("en", "a general performance target")),
                    statement=(("zh", "目标由双方约定。"), ("en", "Goals are agreed by the parties.")), sources=()),
        Unspecified(id="unhidden-10-20", title=(("zh", "未掩盖通信 10%–20% 的结论"),
                                                ("en", "what 10–20% unhidden communication means")),
                    statement=(("zh", "指南对此区间没有表述。"), ("en", "The guide says nothing of this range.")),
                    sources=("fsdp2-unhidden",)),
    )  # fmt: skip
    names = ("choices", "settings", "sources", "thresholds", "unspecified", "rules/fsdp2")
    return Catalogue(sources=sources, thresholds=rules, unspecified=unspecified,
                     files=tuple(record(f"evidence/{name}.toml") for name in names))  # fmt: skip


NOTE = """# 改动说明

- 开启 FSDP2 前向预取，allGather 提前一层下发。
- RMSNorm 改用融合算子，每步减少 **856** 个 Kernel。
"""


def sample_evaluation(variant: Variant = "met") -> Evaluation:
    """The evaluation of a variant; see the top of this module."""
    evidence = catalogue()
    rows = comparisons()
    agreed = None if variant == "no_target" else target(variant)
    if variant == "not_comparable":
        rows = tuple(replace(row, blocked=(Reason.of("pair_not_comparable", keys="batch_size"),)) for row in rows)
    return Evaluation(
        before=(capture(Side.BEFORE),),
        after=(capture(Side.AFTER),),
        comparability=comparability(variant),
        metrics=METRICS,
        comparisons=rows,
        operators=operators(),
        target=agreed,
        verdict=None if agreed is None else verdict(variant, agreed, evidence, rows),
        catalogue=evidence,
        series=sample_units.series(),
        note=None if agreed is None else Note(text=NOTE, file=record("note.md", len(NOTE.encode()))),
    )


def sample_report(variant: Variant = "met") -> Report:
    """The built report of a variant."""
    from reportgen.report.build import build

    return build(sample_evaluation(variant), tool_version="0.0.0")
