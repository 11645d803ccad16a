"""The kernels and the large communication operators of a trace, as rows of the kernel table.

A kernel is a task of the lane Ascend Hardware; a large operator is an event of the lane Communication (HCCL in older
exports) that names no task, as the tasks of its planes do. The candidates of a process that is not named yet are kept
too. A row costs 40 bytes while it is read; texts are kept once. Source: docs/formats.md 4, 11.6 and 11.7.
"""

from __future__ import annotations

import re
from array import array
from typing import TYPE_CHECKING, Any

import msgspec

from reportgen.frames import KINDS, NOT_AVAILABLE, OUTSIDE, Table
from reportgen.model import FileRecord, Reason
from reportgen.plain import printable
from reportgen.reading import json_numbers
from reportgen.reading.json_events import Event
from reportgen.reading.kernels import KERNEL_TASKS, kinds_of

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

COMMUNICATION_LANES = ("Communication", "HCCL")
"""Names of the process that holds the large communication operators, new and old."""
ACCELERATOR = "COMMUNICATION"
"""Accelerator of a large communication operator, which has no task type."""
COLUMNS = ("ts", "dur", "Task Type", "Physic Stream Id", "Task Id")
"""What of an event the rows come from."""
HARDWARE = "Ascend Hardware"
"""Name of the process that holds the tasks of a device."""
_NONE = msgspec.Raw(b"")
_KERNELS = frozenset(KERNEL_TASKS)
_DIGITS = re.compile(rb"0|[1-9][0-9]{0,17}")
_INTEGER = re.compile(rb"-?[0-9]{1,40}")


class Arguments(msgspec.Struct, gc=False):
    """The arguments of an event that tell what it is; a key that stands twice holds its last value."""

    type: str = msgspec.field(name="Task Type", default="")
    """Task type of a task of the device; empty for every other event."""
    stream: msgspec.Raw = msgspec.field(name="Physic Stream Id", default=_NONE)
    """Stream of a task of the device."""
    task: msgspec.Raw = msgspec.field(name="Task Id", default=_NONE)
    """Task id of a task of the device."""
    plane_type: msgspec.Raw = msgspec.field(name="task type", default=_NONE)
    """Task type of a task of a communication plane."""
    plane_stream: msgspec.Raw = msgspec.field(name="stream id", default=_NONE)
    """Stream of a task of a communication plane."""
    host_thread: msgspec.Raw = msgspec.field(name="Thread Id", default=_NONE)
    """Thread of a call of the host."""
    algorithm: msgspec.Raw = msgspec.field(name="alg_type", default=_NONE)
    """Algorithm of a large operator."""
    data_type: msgspec.Raw = _NONE
    """Data type of a large operator."""
    count: msgspec.Raw = _NONE
    """Elements of a large operator."""
    connection: msgspec.Raw = msgspec.field(name="connection_id", default=_NONE)
    """Link to the host call; its number is not read."""

    def is_kernel(self, name: str) -> bool:
        """Whether a task of this name is a kernel.

        A task that no operator names bears its type instead, as the host or as the hardware calls it; no other export
        lists it as a kernel.
        """
        return self.type in _KERNELS and name not in _KERNELS

    def is_other(self) -> bool:
        """Whether the event is a task of a device or of a communication plane, or a call of the host."""
        return self.type != "" or not (self.stream is self.plane_type is self.plane_stream is self.host_thread is _NONE)

    def is_operator(self) -> bool:
        """Whether the event has the marks of a large operator, given that it is none of the others."""
        return not (self.algorithm is self.data_type is self.count is self.connection is _NONE)


class Texts:
    """Texts, each kept once, as the negative numbers -1, -2 ... in the order they were first seen."""

    __slots__ = ("_numbers",)

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """The number of a text."""
        return self._numbers.setdefault(text, -1 - len(self._numbers))

    def identifier(self, written: msgspec.Raw) -> int:
        """The number of an id: itself when it is one of at most 18 digits, else that of its text.

        Raises:
            ValueError: neither a whole number nor a text.
        """
        raw = bytes(written)
        if _DIGITS.fullmatch(raw):
            return int(raw)
        if not raw:
            return self.number(NOT_AVAILABLE)
        if raw[:1] != b'"':
            if not _INTEGER.fullmatch(raw):
                raise ValueError(f"{raw[:40].decode('ascii', 'backslashreplace')!r} is no such id")
            return self.number(raw.decode())
        text = msgspec.json.decode(raw, type=str).strip()
        return int(text) if _DIGITS.fullmatch(text.encode()) else self.number(text or NOT_AVAILABLE)

    def category(self, numbers: np.ndarray[Any, Any]) -> pd.Categorical:
        """Numbers as a category of what they stand for, trimmed and printable; only what occurs."""
        import numpy as np

        texts = list(self._numbers)
        found, inverse = np.unique(numbers, return_inverse=True)
        named, ids = found[found < 0].tolist(), found[found >= 0].tolist()
        where: dict[str, int] = {}
        place = [where.setdefault(printable(texts[-1 - number].strip()), len(where)) for number in named]
        places = np.array([*place, *range(len(where), len(where) + len(ids))], dtype=np.int32)
        return category(places[inverse], (*where, *map(str, ids)))


class Rows:
    """Rows of the kernel table, column by column."""

    __slots__ = ("durations", "names", "starts", "streams", "tasks", "types")

    def __init__(self) -> None:
        self.starts, self.durations, self.streams, self.tasks = array("q"), array("q"), array("q"), array("q")
        self.names, self.types = array("i"), array("i")

    def add(self, event: Event, accelerator: str, given: Arguments | None, texts: Texts) -> None:
        """Add an event; ``given`` is None for a large communication operator, which has no stream and no task.

        Raises:
            ValueError: a time or an id that is none.
        """
        start, duration = json_numbers.span_ns(event.ts, event.dur)
        stream = texts.identifier(given.stream if given else _NONE)
        task = texts.identifier(given.task if given else _NONE)
        self.starts.append(start)
        self.durations.append(duration)
        self.streams.append(stream)
        self.tasks.append(task)
        self.names.append(texts.number(event.name))
        self.types.append(texts.number(accelerator))


def category(codes: object, texts: tuple[str, ...]) -> pd.Categorical:
    """Codes as a category of the texts they number."""
    import pandas as pd

    made: Any = pd.Categorical
    found: pd.Categorical = made.from_codes(codes, categories=pd.Index(texts, dtype=object))
    return found


def _kind(frame: pd.DataFrame) -> pd.Categorical:
    """The kind of each row, found once for every name and accelerator."""
    import numpy as np

    first: Any
    many = len(frame["accelerator"].cat.categories)
    pairs = frame["name"].cat.codes.to_numpy().astype(np.int64) * many + frame["accelerator"].cat.codes.to_numpy()
    _, first, inverse = np.unique(pairs, return_index=True, return_inverse=True)
    codes = np.array([KINDS.index(kind) for kind in kinds_of(frame.iloc[first], [])], dtype=np.int8)
    return category(codes[inverse], KINDS)


def kernel_table(parts: list[tuple[str, Rows]], texts: Texts, file: FileRecord, *, unclear: int) -> Table | None:
    """The rows of a trace as ``KERNELS`` without the columns a trace does not have; None without any row.

    Args:
        parts: (device, rows); rows with one start stand in this order, then in that of the trace.
        texts: the texts the rows number.
        file: the trace.
        unclear: events of the communication lanes that are neither a task nor known as an operator.

    Returns:
        ``kernels`` with ``device``; ``line`` is the number of the row from 1. Starts and ends are truncated to the
        nanosecond, as in the other exports.

    Source: docs/formats.md 11.6 and 11.7.
    """
    import numpy as np
    import pandas as pd

    if not parts:
        return None
    starts = np.concatenate([np.frombuffer(rows.starts, dtype=np.int64) for _, rows in parts])
    order = np.argsort(starts, kind="stable")

    def column(name: str) -> np.ndarray[Any, Any]:
        numbers = [getattr(rows, name) for _, rows in parts]
        return np.concatenate([np.frombuffer(part, dtype=part.typecode) for part in numbers])[order]

    devices = tuple(dict.fromkeys(device for device, _ in parts))
    numbered = np.repeat([devices.index(device) for device, _ in parts], [len(rows.starts) for _, rows in parts])
    zeros = np.zeros(len(order), dtype=np.int8)
    frame = pd.DataFrame(
        {
            "line": np.arange(1, len(order) + 1, dtype=np.int64),
            "device": category(numbered[order], devices),
            "step": category(zeros, (OUTSIDE,)),
            "stream": texts.category(column("streams")),
            "task": texts.category(column("tasks")),
            "name": texts.category(column("names")),
            "type": category(zeros, (NOT_AVAILABLE,)),
            "accelerator": texts.category(column("types")),
            "shapes": category(zeros, (NOT_AVAILABLE,)),
            "dtypes": category(zeros, (NOT_AVAILABLE,)),
            "start_ns": starts[order],
            "duration_ns": column("durations"),
        }
    )
    frame["kind"] = _kind(frame)
    warnings = (Reason.of("trace_communication_left_out", file=file.path, rows=unclear),) if unclear else ()
    return Table(
        kind="kernels", frame=frame, file=file, columns=COLUMNS, warnings=warnings, source="json", locator=HARDWARE
    )
