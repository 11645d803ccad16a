"""What runs when: a seeded timeline of kernels and collectives in device ticks.

Nothing here knows a file format. Times are integers (ticks of the device clock, then nanoseconds since
1970, UTC); randomness is splitmix64 on integers, so that every machine draws the same capture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from math import isqrt

SECOND = 10**9
MASK = 2**64 - 1


def utc_ns(text: str, utc_offset_hours: int = 8) -> int:
    """Nanoseconds since 1970 (UTC) of a local time such as "2026-10-20 10:12:31.482"."""
    local = datetime.fromisoformat(text).replace(tzinfo=timezone(timedelta(hours=utc_offset_hours)))
    since = local - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * 86400 + since.seconds) * SECOND + since.microseconds * 1000


class Dice:
    """splitmix64: the same integers on every platform and every Python."""

    def __init__(self, *seeds: int) -> None:
        self.state = 0
        for seed in seeds:
            self.state = (self.state ^ (seed & MASK)) & MASK
            self.state = self.draw()

    def draw(self) -> int:
        """Next 64-bit integer."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, limit: int) -> int:
        """An integer in 0..limit-1."""
        return self.draw() % limit

    def normal_ppm(self, sigma_ppm: int) -> int:
        """A deviation in parts per million, nearly normal (twelve uniform draws)."""
        total = sum(self.below(65536) for _ in range(12)) - 6 * 65536
        return total * sigma_ppm // 65536

    def letters(self, count: int, alphabet: str = "ABCDEFGHIJKLMNOPQR") -> str:
        """A random word; the default alphabet is that of PROF directory names."""
        return "".join(alphabet[self.below(len(alphabet))] for _ in range(count))


def step_noise_ppm(dice: Dice, count: int, sigma_ppm: int) -> list[int]:
    """Deviations of `count` steps with mean 0 and a sample deviation of exactly `sigma_ppm` (to rounding)."""
    if count < 2 or sigma_ppm == 0:
        return [0] * count
    draws = [dice.normal_ppm(10**6) for _ in range(count)]
    centred = [x * count - sum(draws) for x in draws]
    deviation = isqrt(sum(x * x for x in centred) // (count - 1))
    return [x * sigma_ppm // deviation for x in centred]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """What info.json says of the device."""

    platform_version: str
    """Chip id as text: "5" is 910B, "7" is 310B."""
    ai_core_num: int
    """AI Cores (cube)."""
    aiv_num: int
    """Vector cores."""
    aic_frequency: int
    """Nominal clock in MHz."""
    clock_hz: int
    """Device counter in Hz; info.json prints it in MHz with six decimals."""


ASCEND_910B = Chip(platform_version="5", ai_core_num=24, aiv_num=48, aic_frequency=1800, clock_hz=49_999_001)
ASCEND_910B_20 = Chip(platform_version="5", ai_core_num=20, aiv_num=40, aic_frequency=1650, clock_hz=49_999_001)
ASCEND_310B = Chip(platform_version="7", ai_core_num=1, aiv_num=1, aic_frequency=1250, clock_hz=47_999_001)


@dataclass(frozen=True, slots=True, kw_only=True)
class Op:
    """One line of an op mix: a kernel that is called `calls` times a step (or a repeat)."""

    type: str
    """Operator type, such as MatMulV2."""
    name: str
    """Kernel name; "{n}" in it becomes a number that runs over the capture."""
    core: str
    """AI_CORE, AI_VECTOR_CORE, MIX_AIC, MIX_AIV, AI_CPU or DSA_SQE."""
    mean_ns: int
    """Mean duration."""
    calls: int = 1
    """Calls a step; pass p of a step runs every op with more than p calls."""
    shapes: str = "N/A"
    """Input shapes without quotes: "8,4096;4096"."""
    dtypes: str = "N/A"
    """Input data types: "DT_BF16;DT_BF16"."""
    out_shapes: str = "N/A"
    """Output shapes."""
    out_dtypes: str = "N/A"
    """Output data types."""
    blocks: int = 0
    """Block Dim; 0 = all cores of its kind."""
    aic: tuple[int, ...] = (612, 148, 473, 557, 118, 4)
    """Thousandths: mac, scalar, mte1, mte2, fixpipe, icache miss."""
    aiv: tuple[int, ...] = (183, 62, 618, 541, 12)
    """Thousandths: vec, scalar, mte2, mte3, icache miss."""
    exe: tuple[int, ...] = (214, 0, 377, 2, 402, 318, 0)
    """Thousandths on 310B: vec, mac, scalar, mte1, mte2, mte3, fixpipe."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collective:
    """One collective a step. It starts where compute stands and lets compute run on for its hidden part."""

    type: str
    """hcom_allGather_, hcom_reduceScatter_ ..."""
    mean_ns: int
    """Mean duration."""
    at_permille: int
    """Where in the sequence of the step's kernels it is launched."""
    hidden_permille: int = 0
    """The part during which kernels may still start; after it compute stalls until the end."""
    size_bytes: int = 64 * 2**20
    """Payload."""
    wait_permille: int = 120
    """Waiting for the slowest rank."""
    transit_permille: int = 700
    """Moving data; the rest is idle."""


@dataclass(frozen=True, slots=True)
class Row:
    """One kernel or collective that ran."""

    step: int | None
    """Step id; None = outside every step."""
    op: Op | Collective
    """What ran."""
    name: str
    """Its name, numbers filled in."""
    start_ns: int
    """Start, ns since 1970."""
    end_ns: int
    """End, ns since 1970."""
    raw_ns: int
    """Duration converted from ticks on its own, as task_time has it: may be 1 ns under end - start."""
    stream: int
    """Stream id; kernels only."""
    task: int
    """Task id; kernels only."""

    @property
    def duration_ns(self) -> int:
        """End minus start."""
        return self.end_ns - self.start_ns

    @property
    def communicates(self) -> bool:
        """True for a collective."""
        return isinstance(self.op, Collective)

    @property
    def core(self) -> str:
        """Core of a kernel; "" for a collective."""
        return self.op.core if isinstance(self.op, Op) else ""


@dataclass(frozen=True, slots=True)
class Clock:
    """Turns ticks of the device counter into ns since 1970, truncating as the exporters do."""

    epoch_ns: int
    """Time of tick 0."""
    hz: int
    """Ticks a second."""

    def ns(self, tick: int) -> int:
        """Absolute time of a tick."""
        return self.epoch_ns + tick * SECOND // self.hz

    def ticks(self, duration_ns: int) -> int:
        """Nearest whole ticks of a duration."""
        return (duration_ns * self.hz + SECOND // 2) // SECOND


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How evenly the work runs."""

    gap_ns: int = 2_000
    """Mean gap after a kernel."""
    step_gap_ns: int = 100_000
    """Gap between two steps."""
    step_noise_ppm: int = 6_000
    """Sample deviation of the step factor, shared by all ranks."""
    kernel_noise_ppm: int = 4_000
    """Deviation of one kernel."""
    gap_noise_ppm: int = 60_000
    """Deviation of one gap."""
    first_step_permille: int = 1_000
    """Factor of the first step (a warm-up step left in)."""
    rank_permille: tuple[int, ...] = ()
    """Factor of each rank in order; missing = 1000."""


class Planner:
    """Lays rows on the device's time axis, one rank at a time."""

    def __init__(self, clock: Clock, pace: Pace, seed: int, rank_index: int = 0, stream: int = 2) -> None:
        self.clock, self.pace, self.stream = clock, pace, stream
        self.dice = Dice(seed, 7, rank_index)
        self.shared = Dice(seed, 11)
        self.rank_permille = (*pace.rank_permille, *[1000] * (rank_index + 1))[rank_index]
        self.rows: list[Row] = []
        self.group = 17_000_000_000_000_000_000 + Dice(seed, 13).below(10**18)
        self.tick, self.task, self.number, self.collectives = 0, 100, 0, 0

    def scaled(self, mean_ns: int, factor_ppm: int, noise_ppm: int) -> int:
        """Ticks of a duration under a factor and its own noise."""
        ppm = (10**6 + factor_ppm) * (10**6 + self.dice.normal_ppm(noise_ppm)) // 10**6
        return self.clock.ticks(mean_ns * ppm * self.rank_permille // 10**9)

    def wait(self, duration_ns: int) -> None:
        """Let time pass."""
        self.tick += self.clock.ticks(duration_ns)

    def add(self, op: Op | Collective, name: str, start: int, ticks: int, step: int | None, stream: int) -> None:
        """Put one row down."""
        kernel = isinstance(op, Op)
        self.task += 1 if kernel else 0
        clock = self.clock
        self.rows.append(
            Row(step, op, name, clock.ns(start), clock.ns(start + ticks), ticks * SECOND // clock.hz, stream, self.task)
        )

    def kernel(self, op: Op, step: int | None, factor_ppm: int = 0) -> None:
        """Run one kernel now and leave its gap behind it."""
        ticks = self.scaled(op.mean_ns, factor_ppm, self.pace.kernel_noise_ppm)
        self.add(op, op.name.replace("{n}", str(self.number)), self.tick, ticks, step, self.stream)
        self.number += 1 if "{n}" in op.name else 0
        self.tick += ticks + self.scaled(self.pace.gap_ns, factor_ppm, self.pace.gap_noise_ppm)

    def collective(self, op: Collective, step: int | None, factor_ppm: int, free_at: int) -> tuple[int, int]:
        """Start one collective; gives the tick at which compute stalls and the tick of its end."""
        ticks = self.scaled(op.mean_ns, factor_ppm, self.pace.kernel_noise_ppm)
        start = max(self.tick, free_at)
        name = f"{op.type}_{self.group % 1000}_{self.collectives}_1"
        self.collectives += 1
        self.add(op, name, start, ticks, step, 0)
        return start + ticks * op.hidden_permille // 1000, start + ticks

    def step(self, step: int, ops: Sequence[Op], collectives: Sequence[Collective], factor_ppm: int) -> None:
        """Run one step: the ops in passes, each collective at its place."""
        sequence = [op for turn in range(max(op.calls for op in ops)) for op in ops if op.calls > turn]
        under_way: list[tuple[int, int]] = []
        for position, op in enumerate(sequence):
            for item in collectives:
                if item.at_permille * len(sequence) // 1000 == position:
                    under_way.append(self.collective(item, step, factor_ppm, under_way[-1][1] if under_way else 0))
            for stall, end in under_way:
                if stall <= self.tick < end:
                    self.tick = end
            self.kernel(op, step, factor_ppm)
        self.tick = max([self.tick, *[end for _, end in under_way]])

    def steps(self, ids: Sequence[int], ops: Sequence[Op], collectives: Sequence[Collective]) -> None:
        """Run the steps one after another."""
        for index, noise in enumerate(step_noise_ppm(self.shared, len(ids), self.pace.step_noise_ppm)):
            slow = self.pace.first_step_permille * 1000 - 10**6 if index == 0 else 0
            self.step(ids[index], ops, collectives, noise + slow)
            self.wait(self.pace.step_gap_ns)


def parts_ns(row: Row) -> tuple[int, int, int]:
    """Wait, transit and idle of a collective; (0, 0, 0) for a kernel."""
    if not isinstance(row.op, Collective):
        return 0, 0, 0
    wait = row.duration_ns * row.op.wait_permille // 1000
    transit = row.duration_ns * row.op.transit_permille // 1000
    return wait, transit, row.duration_ns - wait - transit
