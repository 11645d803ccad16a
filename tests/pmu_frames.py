"""Kernel and frequency tables by hand, in the schemas of ``reportgen.frames``, with a place to measure them in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from reportgen.frames import KERNEL, KINDS, RankTables, Table
from reportgen.metrics.common import Place
from reportgen.model import CaptureFacts, FileRecord, Layout, RankFacts, SettingsFile, Side

APART = ("aicore_time(us)", "aic_total_cycles", "aiv_time(us)", "aiv_total_cycles")
"""Headers by which a chip with cube cores and vector cores is told."""
SHARED = ("aicore_time(us)", "total_cycles")
"""The same of a chip with one kind of core."""


def record(path: str) -> FileRecord:
    return FileRecord(path=path, size=1, digest="0" * 64)


def kernels(rows: Sequence[Mapping[str, object]], columns: Sequence[str] = APART, **table: object) -> Table:
    """A kernel table; a row says what matters, the rest is filled in. Rows of 10 ns, one after the other."""
    filled = [
        {
            "line": n + 2,
            "step": "",
            "stream": "1",
            "task": str(n),
            "name": f"k{n}",
            "type": "Add",
            "accelerator": "MIX_AIC",
            "shapes": "N/A",
            "dtypes": "N/A",
            "start_ns": 10 * n,
            "duration_ns": 10,
            "kind": KERNEL,
            **row,
        }
        for n, row in enumerate(rows)
    ]
    frame = pd.DataFrame(filled)
    for name in frame.columns:
        if name == "kind":
            frame[name] = pd.Categorical(frame[name], categories=list(KINDS))
        elif name in ("step", "stream", "task", "name", "type", "accelerator", "shapes", "dtypes"):
            frame[name] = frame[name].astype("category")
        elif name not in ("line", "start_ns", "duration_ns"):
            frame[name] = pd.array([None if pd.isna(v) else int(v) for v in frame[name]], dtype="Int64")
    return Table(kind="kernels", frame=frame, file=record("op_summary.csv"), columns=tuple(columns), **table)  # type: ignore[arg-type]


def frequency(*rows: tuple[str, int, int]) -> Table:
    """A frequency table of (device, time in ns, MHz)."""
    frame = pd.DataFrame(rows, columns=["device", "time_ns", "mhz"])
    return Table(
        kind="frequency",
        frame=frame.astype({"device": "category"}),
        file=record("msprof.db"),
        columns=("AICORE_FREQ.deviceId", "AICORE_FREQ.timestampNs", "AICORE_FREQ.freq"),
        source="db",
        locator="AICORE_FREQ",
        times_per_ns=10**6,
    )


def settings(kind: str, place: str = "device_0", **values: str) -> SettingsFile:
    """A configuration file; of info.json the keys of DeviceInfo."""
    prefix = "DeviceInfo.[]." if kind == "info.json" else ""
    return SettingsFile(
        kind=kind,
        place=place,
        rank=None,
        record=record(f"{place}/{kind}"),
        values=tuple((prefix + key, value) for key, value in values.items()),
    )


def info(**values: str) -> SettingsFile:
    return settings("info.json", **values)


CHIP_20 = info(ai_core_num="20", aiv_num="40", aic_frequency="1650", aiv_frequency="1650")


def at(
    table: Table, *files: SettingsFile, device: int | None = 0, clock: Table | None = None, checkpoints: str = ""
) -> Place:
    """The place of a kernel table: rank without number, one device."""
    rank = RankFacts(
        rank=None,
        device=device,
        directory="",
        steps=(),
        rows=len(table.frame),
        kernel_file=table.file,
        started_ns=None,
        ended_ns=None,
        wait_events="not searchable",
        wait_source="",
    )
    facts = CaptureFacts(
        side=Side.BEFORE,
        path="x",
        name="x",
        layout=Layout(id="msprof_text", producer="msprof csv", title="x"),
        settings_files=files,
        ranks=(rank,),
        files=(),
        unread=(),
        warnings=(),
    )
    tables = RankTables(index=0, kernels=table, frequency=clock)
    return Place(facts=facts, rank=rank, tables=tables, checkpoint_steps=tuple(filter(None, checkpoints.split(","))))
