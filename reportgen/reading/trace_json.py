"""Traces: what is read of ``msprof_*.json`` and ``trace_view.json`` in one pass, in bounded memory.

A trace repeats the kernels of a capture and holds three things that no csv does: the frequency of the AI cores, the
exporter's own overlap analysis, and the host's step markers. Lanes are found by the names and labels in the metadata,
which may stand anywhere; a process id is never decoded and a thread id never read, since both changed between
exporters. Times keep their decimal digits. Source: docs/formats.md 4 and 11.7.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from reportgen.digests import CHUNK, HashingFile
from reportgen.frames import Table
from reportgen.model import FileRecord, Reason
from reportgen.plain import printable
from reportgen.reading import json_numbers
from reportgen.reading.json_events import EventStream
from reportgen.reading.trace_counters import host_step_table, memory_table
from reportgen.reading.trace_kernels import COMMUNICATION_LANES, HARDWARE, category, kernel_table
from reportgen.reading.trace_lanes import LANES, OVERLAP, Gathering, HostStep, Process

WAIT_NAMES = (b"MEM_WAIT_VALUE", b"CAPTURE_WAIT")
"""Events during which a device is neither computing nor free (FSDP2 guide; docs/formats.md, applicability fact F16)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceTasks:
    """The tasks of one device that stretch the window of the exporter's Free."""

    device: str
    """Device id; empty when the trace does not name it."""
    count: int
    """Tasks of the lane Ascend Hardware that are not in ``NO_WINDOW``."""
    first_ns: int
    """Start of the first."""
    last_ns: int
    """End of the last, rounded to the nanosecond."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What one trace holds."""

    file: FileRecord
    """The file."""
    complete: bool
    """Whether it ends as JSON. Of a cut trace only ``waits`` is kept, and there False shows nothing."""
    frequency: Table | None
    """``FREQUENCY``; None when the trace has no such counter or is cut."""
    lane: Table | None
    """``LANE``, by device, then start; None when the trace has no overlap analysis or is cut."""
    waits: bool
    """Whether one of ``WAIT_NAMES`` occurs anywhere in the file."""
    tasks: tuple[DeviceTasks, ...]
    """One for each device with such tasks, by device; empty without the lane Ascend Hardware."""
    steps: tuple[HostStep, ...]
    """Step markers by start; empty without."""
    kernels: Table | None
    """``KERNELS`` by start, all devices, with ``device``; ``step``, types and shapes are not in a trace. None when it
    has neither a kernel nor a large communication operator, or is cut."""
    memory: Table | None = None
    """``MEMORY`` of the lane NPU MEM (APP and device); None without, or when it is cut."""
    host_steps: Table | None = None
    """``HOST_STEPS``; None without markers, or when it is cut."""


class _Search:
    """Whether a name occurs in the blocks of a file, across their borders too."""

    def __init__(self, names: tuple[bytes, ...]) -> None:
        self.names, self.found, self.tail = names, False, b""
        self._keep = max(64, *(len(name) for name in names))

    def feed(self, block: bytes) -> None:
        window = self.tail + block[: self._keep]
        self.found = self.found or any(name in block or name in window for name in self.names)
        self.tail = (self.tail + block)[-self._keep :]


def search_names(
    path: Path, root: Path, names: tuple[bytes, ...], *, shown: str
) -> tuple[Literal["found", "none", "cut"], FileRecord]:
    """Whether any of the names occurs in a JSON trace; ``cut`` when the trace does not end as JSON.

    A name found in a cut trace is found; a name not found in a cut trace shows nothing.

    Raises:
        CaptureError: as ``HashingFile``.
    """
    search = _Search(names)
    with HashingFile(path, root) as file:
        while block := file.read(CHUNK):
            search.feed(block)
        digest, size = file.finish(), file.size
    record = FileRecord(path=shown, size=size, digest=digest)
    if search.found:
        return "found", record
    return ("none" if search.tail.rstrip()[-1:] in (b"]", b"}") else "cut"), record


# ------------------------------------------------------------------------------------------------ tables
def _lane_table(processes: list[Process], file: FileRecord) -> Table | None:
    import numpy as np
    import pandas as pd

    kept = [process for process in processes if process.codes]
    if not kept:
        return None
    starts = [np.frombuffer(process.starts, dtype=np.int64) for process in kept]
    orders = [np.argsort(start, kind="stable") for start in starts]

    def column(parts: list[np.ndarray[tuple[int], np.dtype[np.int64]]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.concatenate([part[order] for part, order in zip(parts, orders, strict=True)])

    frame = pd.DataFrame(
        {
            "device": category(
                np.repeat(np.arange(len(kept)), [len(start) for start in starts]), tuple(p.device for p in kept)
            ),
            "name": category(
                column([np.frombuffer(p.codes, dtype=np.int8).astype(np.int64) for p in kept]), tuple(LANES)
            ),
            "start_ns": column(starts),
            "duration_ps": column([np.frombuffer(process.durations, dtype=np.int64) for process in kept]),
        }
    )
    return Table(kind="lane", frame=frame, file=file, columns=("name", "ts", "dur"), source="json", locator=OVERLAP)


def _lowest(dies: list[list[tuple[int, int]]]) -> tuple[list[tuple[int, int]], bool]:
    """The lowest frequency of the dies of a device whenever one is given, and whether they ever differ.

    Two dies run one kernel; the slower is the one it waits for.
    """
    rows, now, differ = [], dict[int, int](), False
    events = sorted(((time, die, mhz) for die, part in enumerate(dies) for time, mhz in part), key=lambda e: e[0])
    for index, (time, die, mhz) in enumerate(events):
        now[die] = mhz
        if index + 1 < len(events) and events[index + 1][0] == time and len(dies) > 1:
            continue
        rows.append((time, min(now.values())))
        differ = differ or len(set(now.values())) > 1
    return rows, differ


def _frequency_table(gathering: Gathering, file: FileRecord) -> Table | None:
    import numpy as np
    import pandas as pd

    devices: dict[str, list[list[tuple[int, int]]]] = {}
    for (pid, _), rows in gathering.frequency.items():
        devices.setdefault(gathering.processes[pid].device, []).append(rows)
    if not devices:
        return None
    names = tuple(sorted(devices, key=lambda device: (len(device), device)))
    merged, warnings = [], []
    for device in names:
        rows, differ = _lowest(devices[device])
        merged.append(rows)
        if differ:
            warnings.append(Reason.of("frequency_dies_differ", file=file.path, device=device))
    frame = pd.DataFrame(
        {
            "device": category(np.repeat(np.arange(len(names)), [len(rows) for rows in merged]), names),
            "time_ns": np.array([time for rows in merged for time, _ in rows], dtype=np.int64),
            "mhz": np.array([mhz for rows in merged for _, mhz in rows], dtype=np.int64),
        }
    )
    return Table(
        kind="frequency",
        frame=frame,
        file=file,
        columns=("ts", "MHz"),
        warnings=tuple(warnings),
        source="json",
        locator="AI Core Freq",
    )


def _kernel_table(gathering: Gathering, file: FileRecord) -> Table | None:
    hardware, communication = gathering.lane(HARDWARE), gathering.lane(*COMMUNICATION_LANES)
    parts = [(process.device, process.kernels) for process in hardware]
    parts += [(process.device, process.operators) for process in communication]
    return kernel_table(
        [(device, rows) for device, rows in parts if rows is not None],
        gathering.texts,
        file,
        unclear=sum(process.unclear for process in communication),
    )


def read_trace(path: Path, root: Path, *, shown: str) -> Trace:
    """Frequency, overlap analysis, tasks, kernels, step markers and wait events of a trace, in one pass.

    Args:
        path: the trace: a JSON list of events, or an object with ``traceEvents``.
        root: the directory it must lie in.
        shown: path for the file record.

    Raises:
        CaptureError: ``trace_malformed``, ``trace_event_too_large``, ``trace_without_events`` with the byte;
            ``trace_value`` for a number that is none, ``trace_process`` for a lane named twice; as ``HashingFile``.

    Source: docs/formats.md 4 and 11.7.
    """
    where = printable(str(path))
    gathering, search = Gathering(where), _Search(WAIT_NAMES)
    with HashingFile(path, root) as file:
        stream = EventStream(file, where, search.feed)
        for events in stream:
            gathering.take(events)
        digest = file.finish()
        record = FileRecord(path=shown, size=file.size, digest=digest)
    if not stream.complete:
        return Trace(
            file=record,
            complete=False,
            frequency=None,
            lane=None,
            waits=search.found,
            tasks=(),
            steps=(),
            kernels=None,
        )
    return Trace(
        file=record,
        complete=True,
        frequency=_frequency_table(gathering, record),
        lane=_lane_table(gathering.lane(OVERLAP), record),
        waits=search.found,
        tasks=tuple(
            DeviceTasks(
                device=process.device,
                count=process.count,
                first_ns=process.first,
                last_ns=json_numbers.half_even(process.last, 1000),
            )
            for process in gathering.lane(HARDWARE)
            if process.count
        ),
        steps=tuple(sorted(gathering.steps, key=lambda step: step.start_ns)),
        kernels=_kernel_table(gathering, record),
        memory=memory_table(gathering, record),
        host_steps=host_step_table(gathering, record),
    )
