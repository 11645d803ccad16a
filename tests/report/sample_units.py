"""Further hand-made measurements of the sample report: busy units, clocks, collectives, links, groups, host, series.

Figures are chosen, not measured. Of a collective elapse = transit + wait + idle, and synchronisation is a part of wait.
"""

from __future__ import annotations

import hashlib
from fractions import Fraction

from reportgen.model import (
    Dimensions,
    Family,
    Measurement,
    Metric,
    Missing,
    MissingKind,
    Origin,
    Quantity,
    Reason,
    Sample,
    Series,
    Side,
)

MS, MHZ = 10**6, 10**6
STEPS = tuple(str(number) for number in range(11, 20))


def metric(name: str, unit: str, statistic: str, family: Family, *, exact: bool = False) -> Metric:
    return Metric(id=name, unit=unit, better="neither", statistic=statistic, family=family, exact=exact,
                  source="docs/formats.md 9")  # fmt: skip


RATIOS = ("aic_mac_ratio", "aic_mte2_ratio", "aiv_vec_ratio", "aiv_mte2_ratio")
OF_COLLECTIVES = tuple(f"collective_{name}" for name in ("elapse", "transit", "wait", "synchronization", "idle"))
METRICS = (
    *(metric(name, "1", "weighted", Family.PMU) for name in RATIOS),
    metric("aiv_mte2_bound_share", "1", "share", Family.PMU),
    metric("memory_bound", "1", "weighted", Family.PMU),
    metric("cube_utilization_elapsed", "1", "weighted", Family.PMU),
    metric("cube_utilization_task", "1", "weighted", Family.PMU),
    metric("pmu_clock", "1/s", "weighted", Family.PMU),
    metric("ai_core_frequency", "1/s", "weighted", Family.PMU),
    *(metric(name, "ns", "median", Family.COMMUNICATION) for name in OF_COLLECTIVES),
    metric("collective_wait_ratio", "1", "share", Family.COMMUNICATION),
    metric("collective_synchronization_ratio", "1", "share", Family.COMMUNICATION),
    metric("link_bandwidth", "B/s", "weighted", Family.COMMUNICATION),
    metric("link_size", "B", "total", Family.COMMUNICATION),
    metric("link_transit", "ns", "total", Family.COMMUNICATION),
    metric("link_large_packet_share", "1", "share", Family.COMMUNICATION),
    metric("group_communication_not_overlapped", "ns", "median", Family.COMMUNICATION),
    metric("module_peak_reserved", "B", "maximum", Family.MEMORY, exact=True),
    metric("host_api_time", "ns", "total", Family.TIME),
    metric("host_api_calls", "1", "count", Family.COUNTS, exact=True),
)
# numerator and denominator in ns, BEFORE and AFTER
QUOTIENTS = {
    "aic_mac_ratio": ((41_200 * MS, 96_000 * MS), (44_100 * MS, 94_000 * MS)),
    "aic_mte2_ratio": ((63_341 * MS, 96_000 * MS), (51_700 * MS, 94_000 * MS)),
    "aiv_vec_ratio": ((6_480 * MS, 42_300 * MS), (6_110 * MS, 39_400 * MS)),
    "aiv_mte2_ratio": ((29_610 * MS, 42_300 * MS), (25_216 * MS, 39_400 * MS)),
    "aiv_mte2_bound_share": ((18_100 * MS, 42_300 * MS), (12_900 * MS, 39_400 * MS)),
    "memory_bound": ((63_341 * MS, 41_200 * MS), (51_700 * MS, 44_100 * MS)),
    "cube_utilization_elapsed": ((88_000 * MS, 230_100 * MS), (87_000 * MS, 160_400 * MS)),
    "cube_utilization_task": ((88_000 * MS, 96_000 * MS), (87_000 * MS, 94_000 * MS)),
}
# (transit, synchronisation, other wait, idle) of a step in ns, BEFORE and AFTER
KINDS = {
    "": ((14_100_000, 31_000_000, 9_400_000, 40_000_000), (13_900_000, 2_900_000, 1_700_000, 21_000_000)),
    "hcom_allGather_": ((9_300_000, 24_000_000, 6_100_000, 22_000_000), (9_200_000, 1_800_000, 1_100_000, 12_000_000)),
    "hcom_reduceScatter_": ((4_500_000, 6_900_000, 3_200_000, 17_000_000), (4_400_000, 1_050_000, 580_000, 8_600_000)),
    "hcom_allReduce_": ((300_000, 100_000, 100_000, 1_000_000), (300_000, 50_000, 20_000, 400_000)),
}
# size in B, transit in ns, large packets and packets
LINKS = {"HCCS": (42_759_609_600, 2_731_570_587, 3_100, 9_300), "SDMA": (42_759_609_600, 2_731_570_587, 3_100, 9_300)}
HOST = {"acl": (2_400 * MS, 51_000), "node": (1_900 * MS, 48_120), "runtime": (2_100 * MS, 96_240)}


def origin(side: Side, rank: int, name: str, locator: str, formula: str) -> Origin:
    path = f"{side}/rank{rank}_ascend_pt/{name}"
    return Origin(file=path, digest=hashlib.sha256(path.encode()).hexdigest(), locator=locator, formula=formula)


def made(
    side: Side,
    rank: int,
    name: str,
    unit: str,
    value: int | Fraction | Missing,
    *,
    part: str = "",
    file: str = "ASCEND_PROFILER_OUTPUT/kernel_details.csv",
    over: tuple[int, int, str] | None = None,
    sample: tuple[int, ...] = (),
    basis: str = "",
    warnings: tuple[Reason, ...] = (),
    at: int | None = None,
) -> Measurement:
    """One measurement of a rank; ``over`` is numerator, denominator and their unit."""
    return Measurement(
        metric=name,
        side=side,
        dimensions=Dimensions(rank=rank, device=rank, part=part),
        summary=value if isinstance(value, Missing) else Quantity(value=value, unit=unit),
        sample=Sample(unit=unit, values=sample, labels=STEPS) if sample else None,
        numerator=Quantity(value=over[0], unit=over[2]) if over else None,
        denominator=Quantity(value=over[1], unit=over[2]) if over else None,
        basis=basis,
        warnings=warnings,
        at=None if at is None else Quantity(value=at, unit="ns"),
        origins=() if isinstance(value, Missing) else (origin(side, rank, file, f"{name} {part}", "sum / sum"),),
    )  # fmt: skip


def busy(side: Side, rank: int) -> list[Measurement]:
    index = 0 if side is Side.BEFORE else 1
    found = []
    for name, sides in QUOTIENTS.items():
        above, below = sides[index]
        found.append(made(side, rank, name, "1", Fraction(above, below), over=(above, below, "ns"),
                          basis="time-weighted"))  # fmt: skip
    found += [made(side, rank, "pmu_clock", "1/s", 1800 * MHZ, part=core) for core in ("aic", "aiv")]
    clock = 1_800 * MHZ if side is Side.BEFORE else Fraction(17_913 * MHZ, 10)
    return [*found, made(side, rank, "ai_core_frequency", "1/s", clock, file="ASCEND_PROFILER_OUTPUT/trace_view.json",
                         basis="busy-weighted")]  # fmt: skip


def collectives(side: Side, rank: int) -> list[Measurement]:
    index, file = (0 if side is Side.BEFORE else 1), "ASCEND_PROFILER_OUTPUT/communication.json"
    found = []
    for position, name in enumerate(OF_COLLECTIVES):
        for kind, sides in KINDS.items():
            transit, synchronization, other, idle = sides[index]
            wait = synchronization + other
            middle = (transit + wait + idle, transit, wait, synchronization, idle)[position]
            sample = tuple(middle + step * 1000 - 4000 for step in range(9))
            found.append(made(side, rank, name, "ns", middle, part=kind, file=file, sample=sample))
    for name, above in (("collective_wait_ratio", 1), ("collective_synchronization_ratio", 0)):
        transit, synchronization, other, _idle = KINDS[""][index]
        part = 9 * (synchronization + other * above)
        whole = part + 9 * transit
        found.append(made(side, rank, name, "1", Fraction(part, whole), file=file, over=(part, whole, "ns")))
    doubt = {"SDMA": (Reason.of("sdma_repeats_hccs"),)}
    for name, unit in (("link_bandwidth", "B/s"), ("link_size", "B"), ("link_transit", "ns"),
                       ("link_large_packet_share", "1")):  # fmt: skip
        for link, (size, least, large, packets) in LINKS.items():
            time = least + index * 100_000_000
            values = {"link_bandwidth": Fraction(size * 10**9, time), "link_size": size, "link_transit": time,
                      "link_large_packet_share": Fraction(large, packets)}  # fmt: skip
            found.append(made(side, rank, name, unit, values[name], part=link, file=file, warnings=doubt.get(link, ())))
    for group, share in (("dp", 3), ("tp", 1)):
        value = (61_200_000, 19_400_000)[index] * share // 4
        found.append(made(side, rank, "group_communication_not_overlapped", "ns", value, part=group,
                          sample=tuple(value + step * 100 - 400 for step in range(9))))  # fmt: skip
    return found


def others(side: Side, rank: int) -> list[Measurement]:
    gone = Missing(kind=MissingKind.NOT_COLLECTED, reason=Reason.of("table_missing", table="npu_module_mem"),
                   remedy=Reason.of("needs_option", option="msprof --sys-hardware-mem=on"))  # fmt: skip
    found = [made(side, rank, "module_peak_reserved", "B", gone)]
    file, less = "ASCEND_PROFILER_OUTPUT/api_statistic.csv", 0 if side is Side.BEFORE else 1
    for name, unit, position in (("host_api_time", "ns", 0), ("host_api_calls", "1", 1)):
        found += [made(side, rank, name, unit, values[position] * (10 - less) // 10, part=level, file=file)
                  for level, values in HOST.items()]  # fmt: skip
    return found


def measurements(side: Side, rank: int) -> list[Measurement]:
    """Every further metric of one rank, in the order of ``METRICS``."""
    return [*busy(side, rank), *collectives(side, rank), *others(side, rank)]


def series() -> tuple[Series, ...]:
    """Reserved and allocated memory of PTA and APP, and the clock of AI Core, of rank 0."""
    found = []
    for side in Side:
        top = 50 if side is Side.BEFORE else 53
        for name, share in (("memory_allocated", 9), ("memory_reserved", 10)):
            for part in ("APP", "PTA"):
                values = tuple((top * 1024**3 * share // 10) * min(step, 10) // 10 for step in range(40))
                found.append(one_series(side, name, part, "B", values))
        clock = tuple((1800 if side is Side.BEFORE or step % 8 else 1650) * MHZ for step in range(40))
        found.append(one_series(side, "ai_core_frequency", "", "1/s", clock))
    return tuple(found)


def one_series(side: Side, name: str, part: str, unit: str, values: tuple[int, ...]) -> Series:
    times = tuple(step * 50 * MS - 100 * MS for step in range(len(values)))
    kind = "memory_record.csv" if unit == "B" else "trace_view.json"
    return Series(
        id=name,
        side=side,
        dimensions=Dimensions(rank=0, device=0, part=part),
        times=Sample(unit="ns", values=times, labels=()),
        values=Sample(unit=unit, values=values, labels=()),
        recorded=4 * len(values),
        origins=(origin(side, 0, f"ASCEND_PROFILER_OUTPUT/{kind}", name, "as recorded"),),
    )
