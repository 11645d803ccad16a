"""The events of a trace sorted into its lanes, while they stream by.

A lane is a process, named and labelled by metadata that may stand before or after its events. What an event could be
is kept until its process is named; what belongs to another lane is then dropped.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import msgspec

from reportgen.errors import CaptureError
from reportgen.plain import printable
from reportgen.reading import json_numbers
from reportgen.reading.json_events import Event
from reportgen.reading.trace_kernels import ACCELERATOR, COMMUNICATION_LANES, HARDWARE, Arguments, Rows, Texts

LANES = {"Computing": 0, "Communication": 1, "Communication(Not Overlapped)": 2, "Free": 3}
"""Events of the exporter's overlap analysis by name, numbered."""
NO_WINDOW = frozenset(
    {"KERNEL_AICORE", "KERNEL_AIVEC", "FFTS_PLUS", "KERNEL_MIX_AIC", "KERNEL_MIX_AIV", "PROFILING_ENABLE"}
    | {"PROFILING_DISABLE", "AI_CORE", "AI_VECTOR_CORE", "MIX_AIC", "MIX_AIV"}
)
"""Tasks that do not stretch the exporter's window (docs/formats.md 4.1, step 5), as host and as hardware name them."""
OVERLAP = "Overlap Analysis"
OURS = frozenset({OVERLAP, HARDWARE, *COMMUNICATION_LANES})
"""The processes that are read."""
MOST = 1 << 16
"""Processes, and step markers, of one trace; the most seen are 15 and 1."""
MEMORY = {"APP/Memory": "APP", "Device/Memory": "device"}
"""Counters of the lane NPU MEM: DDR and HBM of the process and of the device -> component."""
_FREQUENCY = re.compile(r"AI Core Freq(?: Die (\d{1,4}))?")
_LABEL = re.compile(r"NPU (\d{1,9})")
_STEP = "ProfilerStep#"
_HINT = "export the capture again; a trace that was edited is not read"


@dataclass(frozen=True, slots=True, kw_only=True)
class HostStep:
    """One step as the host marked it."""

    step: str
    """Step id as written."""
    start_ns: int
    """Start on the host."""
    duration_ns: int
    """Duration on the host, rounded to the nanosecond."""


class _Names(msgspec.Struct, gc=False):
    """Arguments of the metadata of a process."""

    name: str = ""
    labels: str = ""


class _Kilobytes(msgspec.Struct, gc=False):
    """The argument of a memory counter."""

    value: msgspec.Raw = msgspec.field(name="KB")


class _Megahertz(msgspec.Struct, gc=False):
    """The argument of a frequency counter."""

    value: msgspec.Raw = msgspec.field(name="MHz")


class Process:
    """What is gathered of one process; its name may come last."""

    __slots__ = (
        *("codes", "count", "device", "durations", "fault", "first", "kernels", "last", "name", "operators"),
        *("starts", "unclear", "wanted"),
    )

    def __init__(self) -> None:
        self.name: str | None = None
        self.device, self.fault = "", ""
        self.wanted = True
        self.starts, self.durations, self.codes = array("q"), array("q"), bytearray()
        self.count, self.first, self.last = 0, 0, 0
        self.kernels: Rows | None = None
        self.operators: Rows | None = None
        self.unclear = 0

    def row(self, event: Event, given: Arguments, texts: Texts) -> None:
        """Keep an event as kernel or as large communication operator, as far as it can be either.

        Raises:
            ValueError: a time or an id that is none.
        """
        if self.name in (None, HARDWARE) and given.is_kernel(event.name):
            self.kernels = self.kernels or Rows()
            self.kernels.add(event, given.type, given, texts)
        if self.name != HARDWARE and not given.is_other():
            if given.is_operator():
                self.operators = self.operators or Rows()
                self.operators.add(event, ACCELERATOR, None, texts)
            else:
                self.unclear += 1

    def span(self, event: Event, task_type: str) -> None:
        """Keep an event as interval of the overlap analysis and as task, as far as it can be either.

        Raises:
            ValueError: a time that is no number.
        """
        task = self.name != OVERLAP and task_type not in NO_WINDOW and event.name not in NO_WINDOW
        code = LANES.get(event.name) if self.name != HARDWARE else None
        if not task and code is None:
            return
        start, duration = json_numbers.stamp_ns(event.ts), json_numbers.picoseconds(event.dur)
        if code is not None:
            self.starts.append(start)
            self.durations.append(duration)
            self.codes.append(code)
        if task:
            self.first = start if self.count == 0 else min(self.first, start)
            self.last = max(self.last, start * 1000 + duration)
            self.count += 1


class Gathering:
    """What is gathered of a trace, event by event."""

    def __init__(self, where: str) -> None:
        self._where = where
        self.processes: dict[object, Process] = {}
        self.steps: list[HostStep] = []
        self.frequency: dict[tuple[object, str], list[tuple[int, int]]] = {}
        self.texts = Texts()
        self._names = msgspec.json.Decoder(_Names)
        self._arguments = msgspec.json.Decoder(Arguments)
        self.memory: dict[tuple[object, str], list[tuple[int, Fraction]]] = {}
        self._megahertz = msgspec.json.Decoder(_Megahertz)
        self._kilobytes = msgspec.json.Decoder(_Kilobytes)

    def take(self, events: list[Event]) -> None:
        """Gather a list of events.

        Raises:
            CaptureError: ``trace_value``, ``trace_process``.
        """
        processes = self.processes
        for event in events:
            if event.ph == "X":
                process = processes.get(event.pid) or self._process(event.pid)
                if event.name.startswith(_STEP):
                    self._step(event)
                elif process.wanted and not process.fault:
                    self._span(process, event)
            elif event.ph == "C":
                if event.name.startswith("AI Core Freq"):
                    self._counter(event)
                elif event.name in MEMORY:
                    self._amount(event)
            elif event.ph == "M" and event.name in ("process_name", "process_labels"):
                self._metadata(event)

    def _process(self, pid: object) -> Process:
        found = self.processes.get(pid)
        if found is None:
            if len(self.processes) == MOST:
                raise CaptureError("trace_process", f"holds more than {MOST} processes", where=self._where, hint=_HINT)
            found = self.processes[pid] = Process()
        return found

    def _span(self, process: Process, event: Event) -> None:
        """A fault of a process that is not named yet waits until it proves to be one of ours."""
        try:
            if process.name == OVERLAP:
                process.span(event, "")
                return
            given = self._arguments.decode(event.args) if event.args else Arguments()
            process.row(event, given, self.texts)
            if process.name not in COMMUNICATION_LANES:
                process.span(event, given.type)
        except (ValueError, RecursionError) as fault:
            process.fault = f"event {printable(event.name)[:80]!r}: {printable(str(fault))[:200]}"

    def _step(self, event: Event) -> None:
        if len(self.steps) == MOST:
            raise CaptureError("trace_value", f"holds more than {MOST} step markers", where=self._where, hint=_HINT)
        try:
            start, duration = json_numbers.stamp_ns(event.ts), json_numbers.picoseconds(event.dur)
        except ValueError as fault:
            raise CaptureError(
                "trace_value", f"event {printable(event.name)[:80]!r}: {fault}", where=self._where, hint=_HINT
            ) from fault
        step = printable(event.name.removeprefix(_STEP))
        self.steps.append(HostStep(step=step, start_ns=start, duration_ns=json_numbers.half_even(duration, 1000)))

    def _counter(self, event: Event) -> None:
        match = _FREQUENCY.fullmatch(event.name)
        if match is None:
            return
        try:
            megahertz = json_numbers.whole(self._megahertz.decode(event.args or b"{}").value)
            row = (json_numbers.stamp_ns(event.ts), megahertz)
        except (ValueError, RecursionError) as fault:
            raise CaptureError(
                "trace_value", f"event {event.name!r}: {printable(str(fault))[:200]}", where=self._where, hint=_HINT
            ) from fault
        self._process(event.pid)
        self.frequency.setdefault((event.pid, match.group(1) or ""), []).append(row)

    def _amount(self, event: Event) -> None:
        try:
            size = json_numbers.exact(bytes(self._kilobytes.decode(event.args or b"{}").value)) * 1024
            if size < 0:
                raise ValueError("a negative amount of memory is no such number")
            row = (json_numbers.stamp_ns(event.ts), size)
        except (ValueError, RecursionError) as fault:
            raise CaptureError(
                "trace_value", f"event {event.name!r}: {printable(str(fault))[:200]}", where=self._where, hint=_HINT
            ) from fault
        self._process(event.pid)
        self.memory.setdefault((event.pid, MEMORY[event.name]), []).append(row)

    def _metadata(self, event: Event) -> None:
        process = self._process(event.pid)
        try:
            given = self._names.decode(event.args or b"{}")
        except (ValueError, RecursionError) as fault:
            raise CaptureError(
                "trace_value", f"event {event.name!r}: {printable(str(fault))[:200]}", where=self._where, hint=_HINT
            ) from fault
        if event.name == "process_labels":
            label = _LABEL.fullmatch(given.labels)
            process.device = label.group(1) if label else ""
            return
        if process.name not in (None, given.name) and {process.name, given.name} & OURS:
            both = f"{printable(str(process.name))[:80]!r} and {printable(given.name)[:80]!r}"
            raise CaptureError("trace_process", f"names one process {both}", where=self._where, hint=_HINT)
        process.name = given.name
        process.wanted = given.name in OURS
        if given.name != OVERLAP:
            process.starts, process.durations, process.codes = array("q"), array("q"), bytearray()
        if given.name != HARDWARE:
            process.kernels = None
        if given.name not in COMMUNICATION_LANES:
            process.operators, process.unclear = None, 0

    def lane(self, *names: str) -> list[Process]:
        """The processes of a lane by its names, one for each device, by device.

        Raises:
            CaptureError: ``trace_value`` for a time in it that is no number, ``trace_process`` for two of one device.
        """
        found = sorted((p for p in self.processes.values() if p.name in names), key=lambda process: process.device)
        for process in found:
            if process.fault:
                raise CaptureError("trace_value", process.fault, where=self._where, hint=_HINT)
        for process, following in pairwise(found):
            if following.device == process.device:
                raise CaptureError(
                    "trace_process",
                    f"holds two lanes {process.name!r} of one device {process.device!r}",
                    where=self._where,
                    hint=_HINT,
                )
        return found
