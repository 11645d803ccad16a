"""What each gate looked at: facts with the values of both sides and where they come from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction

from reportgen.comparability.facts import steps_seen, table_origin
from reportgen.model import (
    CaptureFacts,
    Case,
    Comparability,
    Comparison,
    Difference,
    GateFact,
    Inflation,
    LoggedRun,
    Measurement,
    Missing,
    Origin,
    Quantity,
    Side,
    Standing,
    Target,
    WorkloadCheck,
)
from reportgen.outside import judged_series, origin_of, step_ranges

Facts = list[GateFact]
SHOWN = 8
"""Compared facts that one gate lists; the section on comparability lists all."""
HOW = (
    "sample.level", "sample.ai_core_metrics", "profiler_info.profiler_level", "profiler_info.aic_metrics",
    "profiler_info.export_type", "ranks",
)  # fmt: skip
"""Facts of the measurement that are listed even when they are equal."""
SWITCHES = ("with_stack", "with_modules", "profile_memory", "record_shapes", "l2_cache", "op_attr")
"""Switches of profiler_info.json that make the profiler add time, without the underscore some are spelled with."""
ALWAYS = SWITCHES[:4]
"""Those that every version records."""
LEVELS = ("level0", "l0", "none", "level_none", "profilerlevel.level0", "profilerlevel.level_none")
REQUIRED = (
    ("step_time", ("step_time", "device_span")),
    ("kernel_count_per_step", ("kernel_count_per_step", "kernel_count")),
    ("peak_reserved", ("peak_reserved", "peak_allocated")),
)
"""What has to stand on both sides, and the metrics that show it."""


def setting_facts(found: Iterable[Difference]) -> Facts:
    """Compared facts that are not equal, as recorded."""
    rows = [one for one in found if one.standing not in (Standing.SAME, Standing.IDENTITY)]
    return [_held(one) for one in rows[:SHOWN]]


def _held(one: Difference) -> GateFact:
    """A compared fact as recorded; a graded setting with one place a side, since the files of a side hold it alike."""
    before, after = one.before.origins, one.after.origins
    origins = (before[:1], after[:1]) if one.why else (before, after)
    return GateFact(name=one.key, before=one.before.value, after=one.after.value, origins=origins)


def measured_facts(captures: Sequence[CaptureFacts], found: Sequence[Difference]) -> Facts:
    """How both sides were measured: level, counters, ranks and steps, then what is not equal."""
    shown = [one for one in found if one.key in HOW and (one.before.value or one.after.value)]
    steps = [
        str(max((len(rank.steps) for one in captures if one.side is side for rank in one.ranks), default=0))
        for side in Side
    ]
    listed = [_held(one) for one in shown]
    places = [steps_seen(one for one in captures if one.side is side) for side in Side]
    listed.append(GateFact(name="step_count", before=steps[0], after=steps[1], origins=(places[0], places[1])))
    rest = [one for one in found if one not in shown and one.key != "step_count"]
    return [*listed, *setting_facts(rest)][:SHOWN]


def workload_facts(
    comparability: Comparability, checks: Iterable[WorkloadCheck], runs: Iterable[LoggedRun], keys: Sequence[str]
) -> Facts:
    """Batch and length as seen, the share of the work that is the same, and what the logs state."""
    found: Facts = []
    match = comparability.workload
    if match is not None:
        halves = [[o for o in match.origins if o.file.startswith(f"{side.value}/")] for side in Side]
        origins = (tuple(halves[0] or match.origins), tuple(halves[1] or match.origins))
        shares = (match.matched_share_before, match.matched_share_after)
        if all(share is not None for share in shares):
            found.append(GateFact(name="matched_share", before=shares[0], after=shares[1], origins=origins))
    seen: dict[str, dict[str, WorkloadCheck]] = {}
    for check in checks:
        stem, _dot, side = check.fact.rpartition(".")
        if stem in ("batch_size", "sequence_length", "dtype"):
            seen.setdefault(stem, {})[side] = check
    for fact, of_side in seen.items():
        both = [of_side.get(side.value) for side in Side]
        texts = [one.seen or None if one is not None else None for one in both]
        places = [one.origins if one is not None else () for one in both]
        found.append(GateFact(name=fact, before=texts[0], after=texts[1], origins=(places[0], places[1])))
    stated: dict[tuple[str, str], dict[Side, dict[str, list[Origin]]]] = {}
    for run in runs:
        for one in run.run.context:
            if one.key in keys:
                values = stated.setdefault((run.case, one.key), {}).setdefault(run.side, {})
                values.setdefault(one.written, []).append(origin_of(run, one.locator, "as written"))
    for (case, key), sides in stated.items():
        held = [sides.get(side, {}) for side in Side]
        places = [tuple(origin for some in values.values() for origin in some) for values in held]
        texts = [" / ".join(values) or None for values in held]
        found.append(GateFact(name=key, part=case, before=texts[0], after=texts[1], origins=(places[0], places[1])))
    return found[:SHOWN]


def _worst(comparisons: Iterable[Comparison], metric: str) -> Comparison | None:
    """The row of a metric on the rank whose AFTER is largest, of those that have both values; else its first row."""
    rows = [row for row in comparisons if row.metric == metric]
    both = [
        row for row in rows if all(m is not None and isinstance(m.summary, Quantity) for m in (row.before, row.after))
    ]
    return max(both, key=_after, default=next(iter(rows), None))


def _after(row: Comparison) -> Fraction:
    """Value of AFTER; of every metric that is asked for less is better."""
    summary = _summary(row.after)
    return Fraction(summary.value) if isinstance(summary, Quantity) else Fraction(0)


def _fact(name: str, row: Comparison) -> GateFact:
    sides = (row.before, row.after)
    return GateFact(
        name=name,
        part=row.dimensions.part,
        before=_summary(sides[0]),
        after=_summary(sides[1]),
        origins=(_origins(sides[0]), _origins(sides[1])),
    )


def _summary(one: Measurement | None) -> Quantity | Missing | None:
    return one.summary if one is not None else None


def _origins(one: Measurement | None) -> tuple[Origin, ...]:
    return one.origins if one is not None else ()


def steady_facts(
    comparisons: Iterable[Comparison], case: Case | None, sides: Sequence[Side], target: Target
) -> tuple[Facts, tuple[int, ...]]:
    """Kept and left-out steps of the sides and the checkpoint steps as stated; the fewest kept steps of each side."""
    rows = [row for row in comparisons if row.metric == "step_time"]
    measured = [[m for row in rows if (m := _of(row, side)) is not None] for side in sides]
    samples = [[m.sample for m in side] for side in measured]
    stated = case.workload.checkpoint_steps if case is not None else None
    steps = None if stated is None else ", ".join(stated) or "none"
    agreed = () if case is None or steps is None else (_agreed(target, case, "checkpoint_steps", steps),)
    found = [_texts("checkpoint_steps", [steps for _ in sides], places=[agreed for _ in sides])]
    if not all(any(sample is not None for sample in side) for side in samples):
        return found, ()
    kept = tuple(min(len(sample.values) for sample in side if sample is not None) for side in samples)
    dropped = [
        ", ".join(dict.fromkeys(label for sample in side if sample is not None for label in sample.dropped))
        for side in samples
    ]
    fewest = [min((m for m in side if m.sample is not None), key=_kept) for side in measured]
    lacking = [[m for m in side if m.sample is not None and m.sample.dropped] for side in measured]
    places = [tuple(o for m in (some or [few]) for o in m.origins) for some, few in zip(lacking, fewest, strict=True)]
    facts = [
        _texts("steps_kept", [str(number) for number in kept], places=[few.origins for few in fewest]),
        _texts("steps_left_out", [labels or "none" for labels in dropped], places=places),
    ]
    return [*facts, *found], kept


def _kept(one: Measurement) -> int:
    """How many values of a measurement count."""
    return len(one.sample.values) if one.sample is not None else 0


def _agreed(target: Target, case: Case, key: str, written: str) -> Origin:
    """A key of the workload of a case in the target."""
    place = next((goal.origin.locator.partition(".goal[")[0] for goal in case.goals), "case")
    file = target.file
    return Origin(
        file=f"target:{file.path}", digest=file.digest, locator=f"{place}.workload.{key}", formula=f'= "{written}"'
    )


def steady_log_facts(
    runs: Iterable[LoggedRun], cases: Sequence[Case], sides: Sequence[Side]
) -> tuple[Facts, int | None]:
    """Kept and left-out steps of the logs that goals on step time are on; the fewest kept, None without logs."""
    found: Facts = []
    fewest: list[int] = []
    by_file: dict[Side, list[tuple[str, list[str], int]]] = {side: [] for side in sides}
    places: dict[Side, tuple[Origin, ...]] = dict.fromkeys(sides, ())
    for run in runs:
        for series, why_not, origin in judged_series(run, cases):
            if series.metric == "step_time" and run.side in by_file:
                out = [label for label, why in zip(series.sample.labels, why_not, strict=False) if why]
                told = (run.run.file.path, out, why_not.count(""))
                if told in by_file[run.side]:  # two cases rest on one run
                    continue
                by_file[run.side].append(told)
                places[run.side] += (origin,)
                fewest.append(sum(n for n, why in zip(series.weights, why_not, strict=True) if not why))
    if not fewest:
        return [], None
    kept = [", ".join(str(n) for _, _, n in by_file[side]) or None for side in sides]
    left = [
        "; ".join(f"{file}: {step_ranges(out) or 'none'}" for file, out, _ in by_file[side]) or None for side in sides
    ]
    where = [places[side] for side in sides]
    found += [_texts("log_steps_kept", kept, places=where), _texts("log_steps_left_out", left, places=where)]
    return found, min(fewest)


def _texts(
    name: str, values: Sequence[str | None], part: str = "", *, places: Sequence[tuple[Origin, ...]]
) -> GateFact:
    """A fact of the sides; BEFORE holds nothing where AFTER stands alone."""
    both = len(values) > 1
    return GateFact(
        name=name,
        part=part,
        before=values[0] if both else None,
        after=values[-1],
        origins=(places[0] if both else (), places[-1]),
    )


def _of(row: Comparison, side: Side) -> Measurement | None:
    return row.before if side is Side.BEFORE else row.after


def inflation_facts(
    inflation: Sequence[Inflation], captures: Sequence[CaptureFacts], sides: Sequence[Side]
) -> tuple[Facts, bool]:
    """The inflation of the step time of the sides and the switches that add time; whether all are minimal."""
    steps = {one.side: one for one in inflation if one.metric == "step_time"}
    found: Facts = []
    if steps:
        shares = [steps[side].share if side in sides else None for side in Side]
        sources = [(*steps[side].origins[0], *steps[side].origins[1]) if side in sides else () for side in Side]
        found.append(GateFact(name="inflation", before=shares[0], after=shares[1], origins=(sources[0], sources[1])))
    minimal = []
    texts, places = [], []
    for side in sides:
        own = [one for one in captures if one.side is side]
        states = [_switches(one) for one in own]
        on = dict.fromkeys(name for state in states if state is not None for name in state[0])
        minimal.append(bool(own) and all(state is not None and state == ([], True) for state in states))
        known = any(state is not None for state in states)
        texts.append((", ".join(on) or "none") if known else None)
        places.append(tuple(origin for one in own for origin in _switch_places(one, on)))
    found.append(_texts("switches_on", texts, places=places))
    return found, all(minimal)


def _switch_places(capture: CaptureFacts, on: Collection[str]) -> Iterator[Origin]:
    """The switches that are on, else all, in the file of a capture that they are taken from: the last that has them."""
    asked = on or SWITCHES
    for file in reversed(capture.settings_files):
        keys = [key for key, _text in file.values if file.kind == "profiler_info.json" and _switch(key) in asked]
        path = f"{capture.side.value}/{file.record.path}"
        yield from (Origin(file=path, digest=file.record.digest, locator=key, formula="as recorded") for key in keys)
        if keys:
            return


def _switch(key: str) -> str:
    """The name of a switch without what it stands in and without the underscore some are spelled with."""
    return key.replace("[", ".").replace("]", "").split(".")[-1].lstrip("_")


def _switches(capture: CaptureFacts) -> tuple[list[str], bool] | None:
    """The switches that are on, and whether all were found off at the lowest level; None where none is recorded."""
    held: dict[str, str] = {}
    for file in capture.settings_files:
        for key, text in file.values:
            name = _switch(key)
            if file.kind == "profiler_info.json" and name in (*SWITCHES, "profiler_level"):
                held[name] = text.strip().lower()
    on = [name for name in SWITCHES if held.get(name, "false") not in ("false", "0", "", "none")]
    if not any(name in held for name in SWITCHES):
        return None
    return on, all(name in held for name in ALWAYS) and held.get("profiler_level", "") in LEVELS


def clock_facts(comparisons: Sequence[Comparison]) -> Facts:
    """The clock and its largest drop on both sides."""
    rows = ((metric, _worst(comparisons, metric)) for metric in ("ai_core_frequency", "ai_core_frequency_drop"))
    return [_fact(metric, row) for metric, row in rows if row is not None]


def complete_facts(comparisons: Sequence[Comparison]) -> Facts:
    """Rows of the kernel tables of both sides, which the witnesses were held against."""
    row = _worst(comparisons, "row_count")
    return [] if row is None else [_fact("row_count", row)]


def required_facts(comparisons: Sequence[Comparison], sides: Sequence[Side]) -> tuple[Facts, list[str]]:
    """Step time, kernel count and peak memory of the sides; the names of those that a side lacks."""
    found: Facts = []
    lacking = []
    for name, metrics in REQUIRED:
        rows = [row for metric in metrics if (row := _worst(comparisons, metric)) is not None]
        whole = next(
            (row for row in rows if all(isinstance(_summary(_of(row, side)), Quantity) for side in sides)), None
        )
        if whole is None:
            lacking.append(name)
        if whole is not None or rows:
            row = whole or rows[0]
            found.append(_fact(row.metric, row))
    return found, lacking


def noise_facts(
    captures: Sequence[CaptureFacts], runs: Sequence[LoggedRun], sides: Sequence[Side], captured: str = ""
) -> tuple[Facts, tuple[str, ...] | None]:
    """Captures and runs of each side, and the cases without repeats.

    Args:
        captures: of all sides.
        runs: of all cases.
        sides: those that were agreed.
        captured: the case of the captures where there are several; it names them.

    Returns:
        (facts, ids of the cases of which a side has neither repeated captures nor repeated runs); None in their place
        where all sides have repeats of the captures, or of every case that has runs.
    """
    counts = [sum(one.side is side for one in captures) for side in sides]
    tables = [
        tuple(table_origin(side, one.ranks[0], "whole file", "count of captures")
              for one in captures if one.side is side and one.ranks)
        for side in sides
    ]  # fmt: skip
    found = [_texts("captures", [str(number) for number in counts], captured, places=tables)]
    repeated = {}
    for case in dict.fromkeys(run.case for run in runs):
        some = [[run for run in runs if run.case == case and run.side is side] for side in sides]
        own = [len(of_side) for of_side in some]
        files = [tuple(origin_of(run, "whole file", "count of runs") for run in of_side) for of_side in some]
        found.append(_texts("runs", [str(number) for number in own], case, places=files))
        repeated[case] = min(own) > 1
    if min(counts) > 1 or (repeated and all(repeated.values())):
        return found, None
    named = dict.fromkeys(filter(None, (captured, *repeated)))
    return found, tuple(case for case in named if not repeated.get(case, False))
