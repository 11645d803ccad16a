"""What decides beyond single settings: producers, the same capture twice, ranks, steps, chip, completeness."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from fractions import Fraction
from itertools import pairwise

from reportgen.comparability.settings import Permissions
from reportgen.frames import Capture
from reportgen.grades import Grades
from reportgen.model import (
    CaptureFacts,
    Difference,
    Exclusion,
    Family,
    Held,
    Origin,
    RankFacts,
    Reason,
    Side,
    Standing,
    Target,
    Witness,
)
from reportgen.plain import integer

COUNTING = ("op_statistic_count", "tasks_without_row", "rows_of_csv", "rows_of_db", "rows_of_json")
"""The cross-checks that see a missing row; unions of intervals do not see a row that others cover."""
Check = tuple[Side, int | None, Witness]
"""A cross-check of the rows of one rank of one side."""


def _held(value: str | None, *origins: Origin) -> Held:
    return Held(value=value, origins=origins)


def fact(
    key: str,
    place: str,
    before: Held,
    after: Held,
    standing: Standing,
    reason: Reason,
    *,
    blocks_all: bool = False,
    families: tuple[Family, ...] = (),
) -> Difference:
    """A compared fact that is no single setting."""
    return Difference(
        key=key,
        spelling=key,
        place=place,
        before=before,
        after=after,
        standing=standing,
        blocks_all=blocks_all,
        families=families,
        reason=reason,
    )


# --------------------------------------------------------------------------------------- producers, same capture
def producers(before: CaptureFacts, after: CaptureFacts) -> Difference:
    """Who wrote the numbers: other producers, other numbers."""
    same = before.layout.producer == after.layout.producer
    reason = (
        Reason.of("setting_equal", key="producer")
        if same
        else Reason.of("producers_differ", before=before.layout.producer, after=after.layout.producer)
    )
    return fact(
        "producer",
        "layout",
        _held(before.layout.producer),
        _held(after.layout.producer),
        Standing.SAME if same else Standing.BLOCKING,
        reason,
        blocks_all=not same,
    )


def _clocks(facts: CaptureFacts) -> dict[tuple[str, str], Origin]:
    """The start clocks of a capture: (wall clock, monotonic clock) of each host start_info, or of profiler_info."""
    found: dict[tuple[str, str], Origin] = {}
    for file in facts.settings_files:
        pair = {
            "start_info": ("collectionTimeBegin", "clockMonotonicRaw"),
            "profiler_info.json": ("end_info.collectionTimeEnd", "start_info.start_monotonic"),
        }.get(file.kind)
        if pair is None or file.place.startswith("device"):
            continue
        values = (file.get(pair[0]) or "", file.get(pair[1]) or "")
        if all(values):
            found[values] = Origin(
                file=f"{facts.side.value}/{file.record.path}",
                digest=file.record.digest,
                locator=", ".join(pair),
                formula="as recorded",
            )
    return found


def same_capture(before: CaptureFacts, after: CaptureFacts) -> Difference | None:
    """The same capture given twice; None when nothing shows it.

    A start clock is the same, or the digest of a kernel table, or all durations of a rank, whatever else was edited.
    """
    clocks = _clocks(before).keys() & _clocks(after).keys()
    tables = {r.kernel_file.digest for r in before.ranks} & {r.kernel_file.digest for r in after.ranks}
    times = ({r.durations for r in before.ranks} & {r.durations for r in after.ranks}) - {""}
    if clocks:
        what, value = "start clock", " / ".join(min(clocks))
        left, right = ([_clocks(side)[c] for c in sorted(clocks)] for side in (before, after))
    elif tables:
        what, value = "kernel table", min(tables)
        left, right = ([_file_origin(side, value)] for side in (before, after))
    elif times:
        what, value = "durations of all kernels", min(times)
        left, right = ([_durations_origin(side, value)] for side in (before, after))
    else:
        return None
    return fact(
        "same_capture",
        what,
        _held(value, *left),
        _held(value, *right),
        Standing.BLOCKING,
        Reason.of("same_capture", what=what)
        if before.side is not after.side
        else Reason.of("same_capture_again", what=what, side=before.side),
        blocks_all=True,
    )


def _file_origin(facts: CaptureFacts, digest: str) -> Origin:
    path = next(r.kernel_file.path for r in facts.ranks if r.kernel_file.digest == digest)
    return Origin(file=f"{facts.side.value}/{path}", digest=digest, locator="whole file", formula="SHA-256")


def _durations_origin(facts: CaptureFacts, digest: str) -> Origin:
    file = next(r.kernel_file for r in facts.ranks if r.durations == digest)
    return Origin(
        file=f"{facts.side.value}/{file.path}",
        digest=file.digest,
        locator="durations of all rows",
        formula="SHA-256 of them in ascending order",
    )


# ------------------------------------------------------------------------------------------------ ranks
def rank_pairs(before: CaptureFacts, after: CaptureFacts) -> list[tuple[int, int]]:
    """Indices of the ranks of both sides that belong together: by rank, else by device, else one with one.

    Never by directory order among several (docs/formats.md 1.8).
    """
    by_rank = {r.rank: i for i, r in enumerate(before.ranks) if r.rank is not None}
    pairs = [(by_rank[r.rank], j) for j, r in enumerate(after.ranks) if r.rank is not None and r.rank in by_rank]
    if not pairs and all(r.rank is None for r in (*before.ranks, *after.ranks)):
        by_device = {r.device: i for i, r in enumerate(before.ranks)}
        pairs = [(by_device[r.device], j) for j, r in enumerate(after.ranks) if r.device in by_device]
    if not pairs and len(before.ranks) == len(after.ranks) == 1:
        pairs = [(0, 0)]
    return sorted(pairs)


def _ranks_text(ranks: Iterable[RankFacts]) -> str:
    texts = ["?" if r.rank is None else str(r.rank) for r in ranks]
    return ", ".join(texts) if len(texts) <= 16 else f"{', '.join(texts[:8])}, ... ({len(texts)})"


def _rank_origins(facts: CaptureFacts) -> tuple[Origin, ...]:
    return tuple(
        Origin(
            file=f"{facts.side.value}/{f.record.path}", digest=f.record.digest, locator="rank_id", formula="as recorded"
        )
        for f in facts.settings_files
        if f.get("rank_id") is not None and not f.place.startswith("host")
    )[:16]


def ranks(before: CaptureFacts, after: CaptureFacts, permissions: Permissions) -> Difference:
    """The rank sets must match; an unrecorded rank is never the same as another, recorded or not.

    Recorded on neither side it is a reservation: the sides are then paired by device, or one with one.
    """
    sets = [sorted((r.rank for r in facts.ranks), key=lambda n: (n is None, n or 0)) for facts in (before, after)]
    texts = (_ranks_text(before.ranks), _ranks_text(after.ranks))
    held = (_held(texts[0], *_rank_origins(before)), _held(texts[1], *_rank_origins(after)))
    if sets[0] == sets[1] and None in sets[0]:
        declared = permissions.declares("ranks")
        standing = Standing.DECLARED if declared else Standing.UNKNOWN
        return fact(
            "ranks", "captures", _held(None), _held(None), standing, declared or Reason.of("ranks_not_recorded")
        )
    if sets[0] == sets[1]:
        return fact("ranks", "captures", *held, Standing.SAME, Reason.of("setting_equal", key="ranks"))
    if (None in sets[0]) != (None in sets[1]) and len(sets[0]) == len(sets[1]):
        side = Side.BEFORE if None in sets[0] else Side.AFTER
        return fact(
            "ranks",
            "captures",
            *held,
            Standing.UNKNOWN,
            Reason.of("setting_unknown", key="ranks", side=side),
            blocks_all=True,
        )
    return fact(
        "ranks",
        "captures",
        *held,
        Standing.BLOCKING,
        Reason.of("ranks_differ", before=texts[0], after=texts[1]),
        blocks_all=True,
    )


def world_size(facts: CaptureFacts) -> tuple[int, Origin] | None:
    """The number of ranks of the job as the capture itself records it: world_size, or the widest parallel group."""
    best: tuple[int, Origin] | None = None
    for file in facts.settings_files:
        sizes = [(size, k) for k, v in file.values if k.endswith("world_size") and (size := integer(v)) is not None]
        groups = file.get("parallel_group_info") or ""
        members = {
            m
            for group in groups.split(" ")
            if "[" in group
            for m in group[group.index("[") + 1 :].rstrip("]").split(",")
            if integer(m) is not None
        }
        if members:
            sizes.append((len(members), "parallel_group_info"))
        for size, key in sizes:
            if best is None or size > best[0]:
                best = (
                    size,
                    Origin(
                        file=f"{facts.side.value}/{file.record.path}",
                        digest=file.record.digest,
                        locator=key,
                        formula="as recorded",
                    ),
                )
    return best


def ranks_complete(facts: CaptureFacts, target: Target | None, permissions: Permissions) -> Difference | None:
    """Fewer ranks captured than the job has: the others cannot be shown, unless the parties declare the ranks."""
    world = world_size(facts)
    agreed = next((c.workload.ranks for c in target.cases if c.profiled and c.workload.ranks), None) if target else None
    expected = max(world[0] if world else 0, agreed or 0)
    seen = len(facts.ranks)
    if expected <= seen:
        return None
    declared = permissions.declares("ranks")
    held = _held(f"{seen} / {expected}", *(() if world is None else (world[1],)))
    empty = _held("")
    reason = declared or Reason.of("ranks_incomplete", side=facts.side, seen=seen, expected=expected)
    pair = (held, empty) if facts.side is Side.BEFORE else (empty, held)
    return fact(
        f"ranks_complete.{facts.side.value}",
        "captures",
        *pair,
        Standing.DECLARED if declared else Standing.UNKNOWN,
        reason,
        blocks_all=declared is None,
    )


# ------------------------------------------------------------------------------------------------ steps
def _active(facts: CaptureFacts, rank: RankFacts) -> tuple[int, Origin] | None:
    for file in facts.settings_files:
        if file.kind == "profiler_info.json" and (file.rank == rank.rank):
            for key in ("config.common_config.schedule.active", "config.common_config.schedule._active"):
                number = integer(file.get(key))
                if number is not None:
                    return number, Origin(
                        file=f"{facts.side.value}/{file.record.path}",
                        digest=file.record.digest,
                        locator=key,
                        formula="as recorded",
                    )
    return None


def _broken(side: Side, rank: RankFacts) -> Reason | None:
    """Step ids that leave one out, or that do not grow with time; None when they run on."""
    numbers = [number for step in rank.steps if (number := integer(step)) is not None]
    back = next((b for a, b in pairwise(numbers) if b <= a), None)
    if back is not None:
        return Reason.of("step_order", side=side, step=back)
    gap = next((a + 1 for a, b in pairwise(numbers) if b != a + 1), None)
    return None if gap is None else Reason.of("step_missing", side=side, step=gap)


def steps(facts: CaptureFacts, permissions: Permissions) -> list[Difference]:
    """Steps seen against the schedule and the other ranks, and gaps: with one missing time and counts are undecided."""
    found: list[Difference] = []
    most = max((len(r.steps) for r in facts.ranks), default=0)
    for rank in facts.ranks:
        active = _active(facts, rank)
        expected = max(active[0] if active else 0, most)
        broken = _broken(facts.side, rank)
        if len(rank.steps) >= expected and broken is None:
            continue
        if not rank.steps and active is None:
            continue
        reason = broken or Reason.of(
            "steps_fewer_than_schedule", side=facts.side, seen=len(rank.steps), expected=expected
        )
        declared = permissions.declares("steps") if broken is None else None
        origins = (
            table_origin(facts.side, rank, "column Step Id", "distinct ids"),
            *(() if active is None else (active[1],)),
        )
        held, empty = _held(f"{len(rank.steps)} / {expected}", *origins), _held("")
        pair = (held, empty) if facts.side is Side.BEFORE else (empty, held)
        where = "" if rank.rank is None else f" rank {rank.rank}"
        found.append(
            fact(
                f"steps.{facts.side.value}",
                f"kernel table{where}",
                *pair,
                Standing.DECLARED if declared else Standing.BLOCKING,
                declared or reason,
                families=() if declared else (Family.TIME, Family.COUNTS),
            )
        )
    return found


def steps_seen(captures: Iterable[CaptureFacts]) -> tuple[Origin, ...]:
    """Where the largest number of steps of one side stands: the step column of a kernel table; empty without ranks."""
    ranks = [(facts.side, rank) for facts in captures for rank in facts.ranks]
    if not ranks:
        return ()
    side, most = max(ranks, key=lambda one: len(one[1].steps))
    return (table_origin(side, most, "column Step Id", "distinct ids"),)


def table_origin(side: Side, rank: RankFacts, locator: str, formula: str) -> Origin:
    """A place in the kernel table of a rank."""
    table = rank.kernel_file
    return Origin(file=f"{side.value}/{table.path}", digest=table.digest, locator=locator, formula=formula)


def step_counts(before: CaptureFacts, after: CaptureFacts) -> Difference | None:
    """How many steps each side has; a reservation when they differ: only per-step figures are compared."""
    seen = [max((len(r.steps) for r in facts.ranks), default=0) for facts in (before, after)]
    if seen[0] == seen[1]:
        return None
    held = (_held(str(seen[0]), *steps_seen((before,))), _held(str(seen[1]), *steps_seen((after,))))
    if 0 in seen:
        return fact(
            "step_markers",
            "kernel table",
            *held,
            Standing.BLOCKING,
            Reason.of("step_markers_one_side", before=seen[0], after=seen[1]),
            families=(Family.TIME, Family.COUNTS),
        )
    return fact(
        "step_count",
        "kernel table",
        *held,
        Standing.BIAS,
        Reason.of("step_counts_differ", before=seen[0], after=seen[1]),
    )


# ------------------------------------------------------------------------------------------------ chip and completeness
def chip(before: CaptureFacts, after: CaptureFacts, permissions: Permissions) -> Difference | None:
    """Chip, cores and clock recorded on neither side: cannot be shown, unless declared; None when a file has them."""
    if any(f.kind == "info.json" for facts in (before, after) for f in facts.settings_files):
        return None
    declared = permissions.declares("chip")
    return fact(
        "chip",
        "info.json",
        _held(None),
        _held(None),
        Standing.DECLARED if declared else Standing.UNKNOWN,
        declared or Reason.of("chip_not_recorded"),
        blocks_all=declared is None,
    )


def never_recorded(
    before: CaptureFacts, after: CaptureFacts, recorded: set[str], grades: Grades, permissions: Permissions
) -> list[Difference]:
    """Facts that decide and that neither side records: each once, a reservation, and may be declared."""
    names = {facts.layout.producer for facts in (before, after)}
    found: list[Difference] = []
    for item in grades.facts:
        if item.producers and not any(name.startswith(p) for name in names for p in item.producers):
            continue
        if any(key in recorded for key in item.keys):
            continue
        declared = permissions.declares(item.id)
        found.append(
            Difference(
                key=item.id,
                spelling=item.id,
                place="",
                before=_held(None),
                after=_held(None),
                standing=Standing.DECLARED if declared else Standing.UNKNOWN,
                reason=declared or Reason.of("fact_not_recorded", fact=item.id),
                why=item.title,
            )
        )
    return found


_PROF_FILES = (("sample.json", "host"), ("info.json", "host"), ("sample.json", "device"), ("info.json", "device"))
SETTINGS_OF = {
    "msprof_text": _PROF_FILES,
    "msprof_db": _PROF_FILES,
    "torch_text": (("profiler_info.json", ""), ("profiler_metadata.json", "")),
    "torch_db": (("profiler_info.json", ""), ("profiler_metadata.json", ""), ("META_DATA", "")),
}
"""The configuration files that a layout's producer always writes: (kind, place)."""


def missing_kinds(
    before: CaptureFacts,
    after: CaptureFacts,
    ranks: Iterable[tuple[int | None, int | None]],
    grades: Grades,
    permissions: Permissions,
) -> list[Difference]:
    """Configuration files that the producer writes and neither side holds, rank by rank: unknown as a whole.

    An inner PROF directory of torch_npu that is there at all must hold all of its files. torch_npu of 2023 wrote no
    profiler_metadata.json: a reservation.
    """
    found: dict[tuple[str, str], Difference] = {}
    for pair in ranks:
        files = [
            f for facts, rank in zip((before, after), pair, strict=True) for f in facts.settings_files if f.rank == rank
        ]
        held = {(f.kind, "device" if f.place.startswith("device") else f.place) for f in files}
        wanted = {one for facts in (before, after) for one in SETTINGS_OF.get(facts.layout.id, ())}
        if any(place for _, place in held):
            wanted |= set(_PROF_FILES)
        old = {
            grades.generation(f.kind, frozenset(k for k, _ in f.values))
            for f in files
            if f.kind == "profiler_info.json"
        }
        for kind, place in sorted(wanted - held):
            excused = kind == "profiler_metadata.json" and old == {"torch-2023"}
            found.setdefault((kind, place), _missing_kind(kind, place, permissions, excused=excused))
    return list(found.values())


def _missing_kind(kind: str, place: str, permissions: Permissions, *, excused: bool) -> Difference:
    declared = permissions.declares(kind) if kind != "info.json" else None
    return fact(
        kind,
        f"{kind} {place}".strip(),
        _held(None),
        _held(None),
        Standing.DECLARED if declared else Standing.UNKNOWN,
        declared or Reason.of("settings_file_missing", file=kind, side="both"),
        blocks_all=declared is None and not excused,
    )


def health(facts: CaptureFacts) -> list[Difference]:
    """Captures that ended abnormally or lost data: counts and times are not comparable."""
    found = []
    for warning in facts.warnings:
        if warning.code in ("capture_aborted", "capture_data_loss"):
            held, empty = _held(warning.code), _held("")
            pair = (held, empty) if facts.side is Side.BEFORE else (empty, held)
            found.append(
                fact(
                    f"{warning.code}.{facts.side.value}",
                    "capture",
                    *pair,
                    Standing.BLOCKING,
                    Reason.of(f"{warning.code}_side", side=facts.side),
                    families=(Family.TIME, Family.COUNTS, Family.PMU),
                )
            )
    return found


def doubtful(captures: Iterable[Capture], checks: tuple[Check, ...]) -> list[tuple[Side, str, bool]]:
    """(side, kernel table, whether a witness confirms it) of tables whose last line has no line end."""
    found = []
    for capture in captures:
        for rank, tables in zip(capture.facts.ranks, capture.tables, strict=True):
            if any(w.code == "last_line_without_end" for w in tables.kernels.warnings):
                witnessed = any(
                    s is capture.facts.side and r == rank.rank and w.agrees and w.name in COUNTING for s, r, w in checks
                )
                found.append((capture.facts.side, tables.kernels.file.path, witnessed))
    return found


def rows(checks: Iterable[Check], doubtful: Iterable[tuple[Side, str, bool]]) -> list[Difference]:
    """Failed cross-checks of the kernel tables, and last lines without a line end that no witness confirms.

    A table that another table contradicts shows neither times nor the workload: nothing that rests on it can be shown.
    """
    found: list[Difference] = []
    families = (Family.TIME, Family.COUNTS, Family.PMU)
    for side, rank, witness in checks:
        if witness.agrees:
            continue
        held, empty = _held(f"{witness.found.exact()} / {witness.expected.exact()}", *witness.origins), _held("")
        pair = (held, empty) if side is Side.BEFORE else (empty, held)
        where = "" if rank is None else f" rank {rank}"
        found.append(
            fact(
                f"check.{witness.name}.{side.value}",
                f"kernel table{where}",
                *pair,
                Standing.UNKNOWN,
                Reason.of(
                    "check_failed",
                    side=side,
                    name=witness.name,
                    found=witness.found.exact(),
                    expected=witness.expected.exact(),
                ),
                blocks_all=True,
            )
        )
    for side, path, witnessed in doubtful:
        held, empty = _held(path), _held("")
        pair = (held, empty) if side is Side.BEFORE else (empty, held)
        found.append(
            fact(
                f"last_line.{side.value}",
                path,
                *pair,
                Standing.BIAS if witnessed else Standing.UNKNOWN,
                Reason.of("last_line_without_end", file=path),
                families=() if witnessed else families,
            )
        )
    return found


def order_of_time(before: CaptureFacts, after: CaptureFacts) -> Difference | None:
    """A reservation when AFTER was captured before BEFORE; None when not, or when a start is not recorded."""
    starts = [[r.started_ns for r in facts.ranks if r.started_ns is not None] for facts in (before, after)]
    if not all(starts) or min(starts[1]) >= min(starts[0]):
        return None
    texts = [_utc(min(found)) for found in starts]
    reason = Reason.of("after_earlier_than_before", before=texts[0], after=texts[1])
    return fact("capture_order", "start of collection", _held(texts[0]), _held(texts[1]), Standing.BIAS, reason)


def signed_late(after: CaptureFacts, target: Target | None) -> Difference | None:
    """A reservation when the target was signed on a later day (UTC) than AFTER was captured."""
    signed = target.contract.signed if target is not None else ""
    starts = [r.started_ns for r in after.ranks if r.started_ns is not None]
    if not signed or not starts or signed <= _utc(min(starts))[:10]:
        return None
    reason = Reason.of("signed_after_capture", signed=signed, captured=_utc(min(starts))[:10])
    return fact("signature", "target", _held(signed), _held(_utc(min(starts))), Standing.BIAS, reason)


def _utc(nanoseconds: int) -> str:
    return datetime.fromtimestamp(nanoseconds // 10**9, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


LARGEST_EXCLUSION = Fraction(5, 100)
"""``excluded_share_limit`` of evidence/choices.toml."""


def excluded(
    found: Iterable[Exclusion], captures: Iterable[CaptureFacts], permissions: Permissions
) -> list[Difference]:
    """Kernels left out by name on both sides: an allowance for each pattern, with what it left out.

    What holds more than ``LARGEST_EXCLUSION`` of the kernel time of a side is the workload itself: times, counts and
    counters are then undecided, unless the parties declare ``excluded``.
    """
    declared = permissions.declares("excluded")
    places = {
        facts.side: [table_origin(facts.side, rank, "columns Name, Duration(us)", "") for rank in facts.ranks]
        for facts in captures
    }
    by_pattern: dict[str, dict[Side, Exclusion]] = {}
    for one in found:
        by_pattern.setdefault(one.pattern, {})[one.side] = one
    rows = []
    for pattern, sides in by_pattern.items():
        before, after = (
            _held(f"{one.count.exact()} ({float(one.share.value * 100):.1f} %)", *places.get(one.side, ()))
            for one in (sides[s] for s in Side)
        )
        large = any(one.share.value > LARGEST_EXCLUSION for one in sides.values())
        reason = Reason.of("excluded_by_option", pattern=pattern, why=sides[Side.BEFORE].why)
        rows.append(
            fact(
                f"excluded.{pattern}",
                "kernel table",
                before,
                after,
                Standing.UNKNOWN if large and declared is None else Standing.ALLOWED,
                reason,
                families=(Family.TIME, Family.COUNTS, Family.PMU) if large and declared is None else (),
            )
        )
    return rows


def sampled_peaks(permissions: Permissions) -> list[Difference]:
    """Declarations that a sampled peak is good enough: reservations, each once."""
    return [
        fact(key, "memory", _held(""), _held(""), Standing.DECLARED, reason)
        for key, reason in sorted(permissions.declared.items())
        if key == "sampled_peak" or key.split(".", 1)[0] in ("peak_allocated", "peak_reserved")
    ]


def unwitnessed(side: Side, checks: Iterable[Check], ranks_seen: int) -> Difference | None:
    """A side whose kernel rows no other table counts: a reservation; None when every rank is witnessed."""
    witnessed = {rank for s, rank, witness in checks if s is side and witness.name in COUNTING}
    if len(witnessed) >= ranks_seen:
        return None
    held, empty = _held("not witnessed"), _held("")
    pair = (held, empty) if side is Side.BEFORE else (empty, held)
    return fact(
        f"completeness.{side.value}",
        "kernel table",
        *pair,
        Standing.BIAS,
        Reason.of("completeness_not_witnessed", side=side),
    )
