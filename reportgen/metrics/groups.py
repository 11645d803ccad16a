"""Communication that computing does not hide, of each communication group.

|C ∪ M_g| - |C| of group g in the kept windows of the step times, by interval union in integer nanoseconds. Groups
overlap: what two groups do at one time counts for both, so the sum over groups may exceed
``communication_not_overlapped``. A communicator's name and its hash change from run to run: a group is compared by its
name in parallel_group_info, or as the only one; a hash finds no partner on the other side.
Source: docs/formats.md 2.5, 6.4.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from reportgen import intervals, samples
from reportgen.frames import AI_CPU, COMMUNICATION, KERNEL, NOT_AVAILABLE, distinct
from reportgen.metrics.common import Place, limit_interval, missing, no_communication, quantity, sampled
from reportgen.metrics.steps import Windows, kept, windows
from reportgen.model import Family, Measurement, Metric, MissingKind, Origin, Reason, Witness

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    Ns = np.ndarray[Any, np.dtype[np.int64]]

GROUP = Metric(
    id="group_communication_not_overlapped",
    unit="ns",
    better="lower",
    statistic="median",
    family=Family.COMMUNICATION,
    also=(Family.TIME,),
    exact=False,
    source="docs/formats.md 2.5, 6.4",
)
METRICS = (GROUP,)
ONE_GROUP = "one group"
"""Part of the only group of a capture that does not name it."""
MOST_GROUPS = 64
"""Groups shown, those that communicate longest; a rank of a large job is in under 30."""


def measure(place: Place) -> list[Measurement]:
    """The metric of this room for one rank: a measurement for each group, largest first, or one Missing.

    Part: the group's name; ``one group`` when the only group of the capture has no name; else its hash. The kernel
    table's witnesses hold for it; where the group of a row in a step cannot be told, ``group_rows`` fails: what the row
    hides is missing from its group.
    """
    found = windows(place.tables.kernels.frame)
    if found is None:
        return [place.measured(GROUP, missing(MissingKind.NOT_APPLICABLE, "no_kernel_ran"))]
    if not found.communicates:
        return [place.measured(GROUP, no_communication(place), basis=found.basis)]
    frame = place.tables.kernels.frame
    rows = frame[frame["kind"] == COMMUNICATION]
    group_of = _group_of(place, rows)
    if not any(group_of):
        why = missing(MissingKind.NOT_RECORDED, "groups_not_told", place.option("communication"))
        return [place.measured(GROUP, why, basis=found.basis)]
    keep, dropped, said = kept(found, place.checkpoint_steps)
    parts = _parts(place, group_of)
    named = [parts.get(group, "") for group in group_of]
    shown = _longest(rows, named)
    doubts = (*_doubts(place, group_of, left=len(set(named) - {""}) - len(shown)), *said)
    if not keep:
        why = missing(MissingKind.NOT_APPLICABLE, "all_steps_left_out")
        return [place.measured(GROUP, why, basis=found.basis, warnings=doubts)]
    times = _not_overlapped(frame, rows, named, shown, _edges(frame, found))
    labels, origins = [found.labels[i] for i in keep], _origins(place)
    checks = (*place.witnesses, *_told(rows, group_of, origins))
    done = []
    for part in sorted(times, key=lambda part: (-sum(times[part]), part)):
        values = [times[part][i] for i in keep]
        interval, more = limit_interval(values, "ns")
        done.append(
            place.measured(
                GROUP,
                quantity(samples.median(values), "ns"),
                part=part,
                sample=sampled(values, labels, "ns", dropped),
                interval=interval,
                basis=found.basis,
                origins=origins,
                witnesses=checks,
                warnings=(*doubts, *more),
            )
        )
    return done


def communicator_hash(name: str) -> str:
    """The number that tables of the analysis write for a communicator's name: two polynomial hashes of 32 bits.

    Both spellings stand in one database: COMMUNICATION_OP holds the name, CommAnalyzerTime the number. A text of digits
    is such a number already.
    """
    if name.isdecimal():
        return name
    high = low = 0
    for byte in name.encode("utf-8", "surrogatepass"):
        high, low = (high * 29 + byte) & 0xFFFFFFFF, (low * 131 + byte) & 0xFFFFFFFF
    return str(high << 32 | low)


def group_names(groups: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """What each communicator is called: its hash -> the name of its group.

    Args:
        groups: (communicator, group name, global ranks) of parallel_group_info.

    Returns:
        The group's name; with its ranks in brackets where groups of one name have different ranks. Groups of one name
        and the same ranks are one.
    """
    rows = list(groups)
    ranks: dict[str, set[str]] = {}
    for _, name, members in rows:
        ranks.setdefault(name, set()).add(members)
    return {
        communicator_hash(communicator): name if len(ranks[name]) == 1 else f"{name}[{members}]"
        for communicator, name, members in rows
    }


# ------------------------------------------------------------------------------------------------ groups of rows
def _doubts(place: Place, group_of: list[str], *, left: int) -> tuple[Reason, ...]:
    tables = (place.tables.kernels, place.tables.collectives)
    found = [doubt for table in tables if table is not None for doubt in table.warnings]
    lost = group_of.count("")
    if lost:
        found.append(Reason.of("group_rows_not_told", n=lost, of=len(group_of)))
    if left:
        found.append(Reason.of("parts_left_out", n=left, most=MOST_GROUPS))
    return tuple(dict.fromkeys(found))


def _told(rows: pd.DataFrame, group_of: list[str], origins: tuple[Origin, ...]) -> tuple[Witness, ...]:
    """A failed check when the group of a communication row is not told; rows outside every step may lack one."""
    steps = rows["step"].astype(str).tolist()
    inside = [group for step, group in zip(steps, group_of, strict=True) if step or not any(steps)]
    told = sum(1 for group in inside if group)
    if told == len(inside):
        return ()
    return (
        Witness(
            name="group_rows",
            agrees=False,
            found=quantity(told, "1"),
            expected=quantity(len(inside), "1"),
            tolerance=quantity(0, "1"),
            origins=origins,
        ),
    )


def _origins(place: Place) -> tuple[Origin, ...]:
    kernels = place.tables.kernels.frame
    column = ", group" if "group" in kernels else ""
    found = place.kernels(
        f"columns {{step}}, {{start}}, {{duration}}{column}; {{rows}}", "median over windows of |C ∪ M_g| - |C|"
    )
    table = place.tables.collectives
    if column or table is None:
        return found
    return (*found, place.origin(table, f"name and group of {len(table.frame)} operators", "group of each operator"))


def _group_of(place: Place, rows: pd.DataFrame) -> list[str]:
    """The hash of the group of each communication row; empty where it cannot be told.

    From the kernel table itself where it holds groups; else from the collectives of the same name, which all must be of
    one group: a name carries only the last three digits of its group.
    """
    if "group" in rows:
        known = {text: communicator_hash(text) for text in distinct(rows["group"]) if text not in ("", NOT_AVAILABLE)}
        return [known.get(text, "") for text in rows["group"].astype(str)]
    table = place.tables.collectives
    if table is None:
        return [""] * len(rows)
    groups: dict[str, set[str]] = {}
    for name, group in table.frame[["name", "group"]].drop_duplicates().astype(str).itertuples(index=False):
        groups.setdefault(name, set()).add(communicator_hash(group) if group else "")
    only = {name: next(iter(held)) for name, held in groups.items() if len(held) == 1}
    return [only.get(name, "") for name in rows["name"].astype(str)]


def _parts(place: Place, group_of: list[str]) -> dict[str, str]:
    """What each group is called: by parallel_group_info, else the only one of all, else its hash."""
    files = [file for file in place.facts.settings_files if file.rank in (None, place.rank.rank)]
    names = group_names(row for file in files for row in file.groups)
    groups = dict.fromkeys(group_of)
    only = ONE_GROUP if len(groups) == 1 else ""
    return {group: names.get(group) or only or group for group in groups if group}


def _longest(rows: pd.DataFrame, named: list[str]) -> list[str]:
    """The parts whose rows last longest together, at most ``MOST_GROUPS``."""
    totals: dict[str, int] = {}
    for part, duration in zip(named, rows["duration_ns"].tolist(), strict=True):
        totals[part] = totals.get(part, 0) + duration
    return sorted(totals.keys() - {""}, key=lambda part: (-totals[part], part))[:MOST_GROUPS]


def _edges(frame: pd.DataFrame, found: Windows) -> Ns:
    """The edges of the windows, from the first row of the first."""
    import numpy as np

    rows = frame[frame["kind"].isin([KERNEL, AI_CPU, COMMUNICATION])]
    rows = rows[rows["step"] == found.labels[0]] if found.labels[0] else rows
    return np.asarray(int(rows["start_ns"].min()) + np.concatenate(([0], np.cumsum(found.length))), dtype=np.int64)


def _not_overlapped(
    frame: pd.DataFrame, rows: pd.DataFrame, named: list[str], shown: list[str], edges: Ns
) -> dict[str, list[int]]:
    """Part -> |C ∪ M_part| - |C| in each window, in ns: what of its union lies outside computing."""
    import numpy as np

    compute = frame[frame["kind"].isin([KERNEL, AI_CPU])]
    busy = intervals.merge(compute["start_ns"], compute["start_ns"] + compute["duration_ns"])
    texts = np.asarray(named, dtype=object)
    start = rows["start_ns"].to_numpy(dtype=np.int64)
    end = start + rows["duration_ns"].to_numpy(dtype=np.int64)
    done: dict[str, list[int]] = {}
    for part in shown:
        mine = intervals.merge(start[texts == part], end[texts == part])
        both = (np.concatenate((busy[0], mine[0])), np.concatenate((busy[1], mine[1])))
        outside = intervals.per_window(*both, edges) - intervals.per_window(*busy, edges)
        done[part] = [int(value) for value in outside]
    return done
