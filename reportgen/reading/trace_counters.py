"""Tables of what a trace counts beside its lanes: memory of process and device, and the host's steps."""

from __future__ import annotations

from reportgen.frames import Table
from reportgen.model import FileRecord
from reportgen.reading.db_columns import category
from reportgen.reading.trace_lanes import Gathering
from reportgen.units import exact


def memory_table(gathering: Gathering, file: FileRecord) -> Table | None:
    """``MEMORY`` of the lane NPU MEM, by device, component, then time; None without such counters."""
    import pandas as pd

    rows = [
        (gathering.processes[pid].device, component, time, size)
        for (pid, component), values in gathering.memory.items()
        for time, size in values
    ]
    if not rows:
        return None
    rows.sort(key=lambda row: (len(row[0]), row[:3]))
    frame = pd.DataFrame(
        {
            "component": category([component for _, component, _, _ in rows]),
            "time_ns": [time for _, _, time, _ in rows],
            "allocated_bytes": pd.Series([None] * len(rows), dtype=object),
            "reserved_bytes": pd.Series([exact(size) for _, _, _, size in rows], dtype=object),
            "device": category([device for device, _, _, _ in rows]),
        }
    )
    return Table(
        kind="device_memory", frame=frame, file=file, columns=("ts", "memory(KB)"), source="json", locator="NPU MEM"
    )


def host_step_table(gathering: Gathering, file: FileRecord) -> Table | None:
    """``HOST_STEPS`` of the markers ProfilerStep#N, by start; None without."""
    import pandas as pd

    steps = sorted(gathering.steps, key=lambda step: step.start_ns)
    if not steps:
        return None
    frame = pd.DataFrame(
        {
            "step": category([step.step for step in steps]),
            "start_ns": [step.start_ns for step in steps],
            "duration_ns": [step.duration_ns for step in steps],
        }
    )
    return Table(
        kind="host_steps", frame=frame, file=file, columns=("ts", "dur"), source="json", locator="ProfilerStep#N"
    )
