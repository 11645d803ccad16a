"""Places with tables written by hand in the schemas of ``reportgen.frames``: numbers a reader can check in his head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from reportgen.frames import AI_CPU, COMMUNICATION, KERNEL, RankTables, Table
from reportgen.metrics.common import Place
from reportgen.model import (
    CaptureFacts,
    FileRecord,
    Layout,
    Measurement,
    Missing,
    Quantity,
    RankFacts,
    SettingsFile,
    Side,
    UnreadFile,
)

KINDS = {"C": KERNEL, "A": AI_CPU, "M": COMMUNICATION}
"""The letters of the formulas."""
BASE = 1_700_000_000_000_000_000
"""Added to every instant: stamps are epoch nanoseconds, beyond what a float holds."""
OUTPUT = "ASCEND_PROFILER_OUTPUT"


def category(texts: Sequence[str]) -> pd.Categorical:
    """A category column in the order of first occurrence."""
    return pd.Categorical(list(texts), categories=list(dict.fromkeys(texts)))


def table(kind: str, name: str, columns: dict[str, Any], **more: Any) -> Table:
    """A table of a file under the capture's output folder."""
    record = FileRecord(path=f"{OUTPUT}/{name}", size=1, digest="0" * 64)
    return Table(kind=kind, frame=pd.DataFrame(columns), file=record, columns=(), **more)


def kernels(rows: Sequence[tuple[str, str, int, int, str]], group: Sequence[str] | None = None) -> Table:
    """A kernel table of (step, C, A or M, start, duration, name), in order of start."""
    step, kind, start, duration, name = zip(*rows, strict=True)
    columns = {
        "step": category(step),
        "name": category(name),
        "kind": category([KINDS[letter] for letter in kind]),
        "start_ns": pd.Series([BASE + value for value in start], dtype="int64"),
        "duration_ns": pd.Series(duration, dtype="int64"),
    }
    if group is not None:
        columns["group"] = category(group)
    return table("kernels", "kernel_details.csv", columns)


def place(
    kernel_table: Table,
    *,
    checkpoint_steps: tuple[str, ...] = (),
    settings: tuple[SettingsFile, ...] = (),
    unread: tuple[UnreadFile, ...] = (),
    device: int | None = 0,
    layout: str = "torch_text",
    **tables: Table | None,
) -> Place:
    """One rank with its tables."""
    steps = tuple(dict.fromkeys(s for s in kernel_table.frame["step"].astype(str) if s))
    rank = RankFacts(
        rank=0, device=device, directory="", steps=steps, rows=len(kernel_table.frame), kernel_file=kernel_table.file,
        started_ns=None, ended_ns=None, wait_events="not searchable", wait_source="",
    )  # fmt: skip
    facts = CaptureFacts(
        side=Side.BEFORE, path="x", name="x", layout=Layout(id=layout, producer="", title=""),
        settings_files=settings, ranks=(rank,), files=(), unread=unread, warnings=(),
    )  # fmt: skip
    held: dict[str, Any] = dict(tables)
    return Place(
        facts=facts,
        rank=rank,
        tables=RankTables(index=0, kernels=kernel_table, **held),
        checkpoint_steps=checkpoint_steps,
    )


def by_part(found: Sequence[Measurement]) -> dict[tuple[str, str], Measurement]:
    """(metric, part) -> measurement; each occurs once."""
    keyed = {(one.metric, one.dimensions.part): one for one in found}
    assert len(keyed) == len(found), "a metric has one measurement for each part"
    return keyed


def value(measurement: Measurement) -> Any:
    """The exact value, which must be there."""
    assert isinstance(measurement.summary, Quantity), measurement.summary
    return measurement.summary.value


def reason(measurement: Measurement) -> str:
    """Why there is no value."""
    assert isinstance(measurement.summary, Missing), measurement.summary
    return measurement.summary.reason.code


def codes(measurement: Measurement) -> list[str]:
    """The warnings' codes."""
    return [warning.code for warning in measurement.warnings]
