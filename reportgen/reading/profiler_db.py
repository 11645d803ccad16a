"""Kernels and tasks of ``msprof_*.db`` and ``ascend_pytorch_profiler*.db``.

A kernel is a row of COMPUTE_TASK_INFO with the times of its TASK; a communication operator is a row of
COMMUNICATION_OP. The task type of level 0 is N/A: there TASK.taskType tells AI CPU kernels apart. Times are integer
nanoseconds as recorded. Source: docs/formats.md 5.1, 6.2, 11.6-11.7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reportgen.errors import CaptureError
from reportgen.frames import AI_CPU, KERNEL, KINDS, NOT_AVAILABLE, PLACEHOLDER, Table
from reportgen.model import Reason
from reportgen.reading import db_pmu, db_steps
from reportgen.reading.csv_tables import categorical
from reportgen.reading.database import Database, numbered
from reportgen.reading.kernels import AI_CPU_TYPES, kinds_of

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    Ints = dict[str, np.ndarray[Any, Any]]

TASK_COLUMNS = (
    "startNs",
    "endNs",
    "deviceId",
    "connectionId",
    "globalTaskId",
    "taskType",
    "streamId",
    "taskId",
)
INFO_COLUMNS = ("name", "globalTaskId", "taskType", "opType", "inputDataTypes", "inputShapes")
FORMATS = "inputFormats"
"""Read where the table has it."""
BLOCKS = {"blocks": ("blockNum", "blockDim"), "mix_blocks": ("mixBlockNum", "mixBlockDim")}
"""Column -> its spellings. Where both stand, blockDim is the SIMT grid of a newer schema and is not read."""
OP_COLUMNS = ("opName", "startNs", "endNs", "connectionId", "opType")
LOCATOR = "COMPUTE_TASK_INFO joined to TASK on globalTaskId, then COMMUNICATION_OP"


def _spans(db: Database, table: str, rows: Ints) -> None:
    """Refuse starts and ends that are no stamps, and an end before its start."""
    import numpy as np

    for column in ("startNs", "endNs"):
        db.refuse_stamps(table, column, rows[column])
    bad = np.flatnonzero(rows["endNs"] < rows["startNs"])
    if len(bad):
        raise db.fault("negative", table, int(bad[0]) + 1, "it ends before it starts: a duration is never negative")


def _tasks(db: Database) -> Ints:
    rows = db.integers("TASK", TASK_COLUMNS)
    _spans(db, "TASK", rows)
    return rows


def _blocks(db: Database) -> dict[str, str]:
    """blocks, mix_blocks -> the column of this file; only those it has."""
    found = {}
    for name, spellings in BLOCKS.items():
        held = [column for column in spellings if db.has("COMPUTE_TASK_INFO", column)]
        if held:
            found[name] = held[0]
    return found


def _match(db: Database, ids: np.ndarray[Any, Any], tasks: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """For each kernel the row of its task.

    Raises:
        CaptureError: ``db_table_duplicate`` when a kernel stands twice or has two tasks, ``db_table_unmatched``
            when it has none.
    """
    import numpy as np

    unique, count = np.unique(ids, return_counts=True)
    if (count > 1).any():
        number = int(unique[np.flatnonzero(count > 1)[0]])
        row = int(np.flatnonzero(ids == number)[1]) + 1
        raise db.fault("duplicate", "COMPUTE_TASK_INFO", row, f"globalTaskId {number} stands twice")
    order = np.argsort(tasks, kind="stable")
    ascending = tasks[order]
    low = np.searchsorted(ascending, ids)
    high = np.searchsorted(ascending, ids, side="right")
    if (high == low).any():
        row = int(np.flatnonzero(high == low)[0])
        what = f"globalTaskId {int(ids[row])} has no row in TASK, so the kernel has no time"
        raise db.fault("unmatched", "COMPUTE_TASK_INFO", row + 1, what)
    if (high - low > 1).any():
        at = int(np.flatnonzero(high - low > 1)[0])
        row = int(np.sort(order[low[at] : high[at]])[1])
        raise db.fault("duplicate", "TASK", row + 1, f"globalTaskId {int(ids[at])} stands twice")
    return order[low]


def read_kernels(db: Database) -> Table:
    """The kernels of all devices, their kinds decided.

    The frame has the columns of ``frames.KERNELS``, ``device`` and ``group`` (categories of str; the group name of a
    communication operator, else N/A). ``line`` counts the rows of COMPUTE_TASK_INFO from 1, then those of
    COMMUNICATION_OP, in their tables' order. Without STEP_TIME every ``step`` is empty. PMU values that cannot be
    read are left out with the warning ``pmu_unreadable``.

    Raises:
        CaptureError: ``kernel_table_missing`` without TASK or COMPUTE_TASK_INFO; ``db_table_empty``,
            ``db_table_columns``, ``db_table_value``, ``db_table_negative``, ``db_table_duplicate``,
            ``db_table_unmatched`` with table and row; ``db_unreadable``.

    Source: docs/formats.md 5.1, 6.2.
    """
    import pandas as pd

    for table in ("TASK", "COMPUTE_TASK_INFO", "STRING_IDS"):
        if table not in db.tables:
            hint = "export the capture again, or capture again with task-time on"
            raise CaptureError("kernel_table_missing", f"has no table {table}", where=db.where, hint=hint)
    tasks = _tasks(db)
    compute, columns, warnings = _compute(db, tasks)
    large, more = _communication(db, tasks)
    frame = _concatenate(compute, large) if large is not None else compute
    frame.insert(0, "line", range(1, len(frame) + 1))
    launches = db_steps.Launches.of(tasks["connectionId"], tasks["startNs"], tasks["endNs"])
    windows = db_steps.step_windows(db, launches)
    frame.insert(2, "step", pd.Series(db_steps.steps_of(frame["start_ns"].to_numpy(), windows)))
    frame = frame.sort_values(["start_ns", "line"], kind="stable", ignore_index=True)
    return Table(
        kind="kernels",
        frame=frame,
        file=db.file,
        columns=(*columns, *more, *(db_steps.COLUMNS if windows else ())),
        warnings=warnings,
        source="db",
        locator=LOCATOR if large is not None else LOCATOR.split(",", maxsplit=1)[0],
        times_per_ns=db_pmu.TIMES_PER_NS,
        ratios_per_one=db_pmu.RATIOS_PER_ONE,
    )


def _compute(db: Database, tasks: Ints) -> tuple[pd.DataFrame, tuple[str, ...], tuple[Reason, ...]]:
    """The rows of COMPUTE_TASK_INFO, the columns they come from, and doubts."""
    import pandas as pd

    blocks = _blocks(db)
    texts = (*INFO_COLUMNS, *((FORMATS,) if db.has("COMPUTE_TASK_INFO", FORMATS) else ()))
    info = db.integers("COMPUTE_TASK_INFO", (*texts, *blocks.values()))
    if not len(info["name"]):
        hint = "capture again with the workload running on the device"
        raise CaptureError("db_table_empty", "holds no kernel", where=f"{db.where}: COMPUTE_TASK_INFO", hint=hint)
    at = _match(db, info["globalTaskId"], tasks["globalTaskId"])
    db.load_texts(
        {int(n) for c in texts if c != "globalTaskId" for n in set(info[c].tolist())} | set(tasks["taskType"].tolist())
    )

    def text(column: str) -> pd.Categorical:
        return db.texts("COMPUTE_TASK_INFO", column, info[column])

    frame = pd.DataFrame(
        {
            "device": numbered(tasks["deviceId"][at]),
            "stream": numbered(tasks["streamId"][at]),
            "task": numbered(tasks["taskId"][at]),
            "name": text("name"),
            "type": text("opType"),
            "accelerator": text("taskType"),
            "shapes": text("inputShapes"),
            "dtypes": text("inputDataTypes"),
            **({"formats": text(FORMATS)} if FORMATS in texts else {}),
            "start_ns": tasks["startNs"][at],
            "duration_ns": tasks["endNs"][at] - tasks["startNs"][at],
            **{name: pd.array(info[column], dtype="Int64") for name, column in blocks.items()},
        }
    )
    pmu, warnings = _pmu(db, info["globalTaskId"])
    frame = frame.assign(**pmu)
    frame["kind"] = _decided(frame, db.texts("TASK", "taskType", tasks["taskType"]), at)
    frame["group"] = categorical(at * 0, [NOT_AVAILABLE])
    spelled = {column: name for name, column in db_pmu.names().items()}
    columns = (
        "TASK.startNs",
        "TASK.endNs",
        *(f"TASK.{name}" for name in ("deviceId", "streamId", "taskId", "taskType")),
        *(f"COMPUTE_TASK_INFO.{name}" for name in (*texts, *blocks.values()) if name != "globalTaskId"),
        *(f"TASK_PMU_INFO.{spelled[name]}" for name in pmu),
    )
    return frame, columns, warnings


def _pmu(db: Database, ids: np.ndarray[Any, Any]) -> tuple[dict[str, Any], tuple[Reason, ...]]:
    try:
        return dict(db_pmu.read_pmu(db, ids)), ()
    except CaptureError as fault:
        if not fault.code.startswith("db_table_"):
            raise
        return {}, (Reason.of("pmu_unreadable", column=db_pmu.TABLE, why=fault.message),)


def _decided(frame: pd.DataFrame, task_types: pd.Categorical, at: np.ndarray[Any, Any]) -> pd.Categorical[Any]:
    """The kind of each row: by its own type and name, else by the type of its task."""
    import numpy as np
    import pandas as pd

    codes = frame[["accelerator", "name"]].apply(lambda column: column.cat.codes)
    keys = codes["accelerator"].to_numpy(dtype=np.int64) * len(frame["name"].cat.categories) + codes["name"]
    _, first, back = np.unique(keys, return_index=True, return_inverse=True)
    plain = kinds_of(frame.iloc[first], [])[back]
    told = np.array(
        [
            PLACEHOLDER if name == "PLACE_HOLDER_SQE" else AI_CPU if name.upper() in AI_CPU_TYPES else KERNEL
            for name in task_types.categories
        ],
        dtype=object,
    )
    known = np.array([value is not None for value in plain])
    found: pd.Categorical[Any] = pd.Categorical(
        np.where(known, plain, told[task_types.codes[at]]).tolist(), categories=list(KINDS)
    )
    return found


def _communication(db: Database, tasks: Ints) -> tuple[pd.DataFrame | None, tuple[str, ...]]:
    """The rows of COMMUNICATION_OP and their columns; None without the table or its rows."""
    import numpy as np
    import pandas as pd

    table = "COMMUNICATION_OP"
    if table not in db.tables:
        return None, ()
    own = tuple(column for column in ("groupName", "deviceId") if db.has(table, column))
    rows = db.integers(table, (*OP_COLUMNS, *own))
    _spans(db, table, rows)
    count = len(rows["startNs"])
    if not count:
        return None, ()
    device = rows["deviceId"] if "deviceId" in own else _devices(db, rows["connectionId"], tasks)
    nothing = np.zeros(count, dtype=np.int32)
    absent = categorical(nothing, [NOT_AVAILABLE])
    frame = pd.DataFrame(
        {
            "device": numbered(device),
            "stream": absent,
            "task": absent,
            "name": db.texts(table, "opName", rows["opName"]),
            "type": db.texts(table, "opType", rows["opType"]),
            "accelerator": categorical(nothing, ["COMMUNICATION"]),
            "shapes": absent,
            "dtypes": absent,
            "formats": absent,
            "start_ns": rows["startNs"],
            "duration_ns": rows["endNs"] - rows["startNs"],
        }
    )
    frame["kind"] = pd.Categorical(kinds_of(frame, []), categories=list(KINDS))
    frame["group"] = db.texts(table, "groupName", rows["groupName"]) if "groupName" in own else absent
    return frame, tuple(f"{table}.{column}" for column in (*OP_COLUMNS, *own))


def _devices(db: Database, connections: np.ndarray[Any, Any], tasks: Ints) -> np.ndarray[Any, Any]:
    """The device of each communication operator, from the tasks with its connection, else the only device there is.

    Raises:
        CaptureError: ``db_table_unmatched`` where several devices are possible.
    """
    import numpy as np

    devices = np.unique(tasks["deviceId"])
    if len(devices) == 1:
        return np.full(len(connections), devices[0])
    wanted = np.isin(tasks["connectionId"], connections)
    pairs = np.unique(np.stack([tasks["connectionId"][wanted], tasks["deviceId"][wanted]], axis=1), axis=0)
    low = np.searchsorted(pairs[:, 0], connections)
    high = np.searchsorted(pairs[:, 0], connections, side="right")
    if (high - low != 1).any():
        row = int(np.flatnonzero(high - low != 1)[0]) + 1
        raise db.fault("unmatched", "COMMUNICATION_OP", row, "its connectionId does not lie on exactly one device")
    found: np.ndarray[Any, Any] = pairs[low, 1]
    return found


def _concatenate(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """Both frames, categories joined, columns of the first; what the second lacks is missing."""
    import pandas as pd
    from pandas.api.types import union_categoricals

    joined: dict[str, Any] = {}
    for column in first.columns:
        if isinstance(first[column].dtype, pd.CategoricalDtype):
            joined[column] = union_categoricals([first[column], second[column]])
        elif column in second.columns:
            joined[column] = pd.concat([first[column], second[column]], ignore_index=True)
        else:
            joined[column] = first[column].reindex(range(len(first) + len(second)))
    return pd.DataFrame(joined)


def read_tasks(db: Database) -> Table | None:
    """Every task of the device in the order of TASK; None without the table or its rows.

    ``kernel_type`` is TASK.taskType, ``kernel_name`` the operator's name in COMPUTE_TASK_INFO or N/A.

    Raises:
        CaptureError: as ``read_kernels``.
    """
    import numpy as np
    import pandas as pd

    if "TASK" not in db.tables:
        return None
    tasks = _tasks(db)
    count = len(tasks["startNs"])
    if not count:
        return None
    codes, texts = np.zeros(count, dtype=np.int32), [NOT_AVAILABLE]
    if "COMPUTE_TASK_INFO" in db.tables:
        info = db.integers("COMPUTE_TASK_INFO", (*INFO_COLUMNS, *_blocks(db).values()))
        names = db.texts("COMPUTE_TASK_INFO", "name", info["name"])
        codes[_match(db, info["globalTaskId"], tasks["globalTaskId"])] = names.codes + 1
        texts += [str(name) for name in names.categories]
    frame = pd.DataFrame(
        {
            "device": numbered(tasks["deviceId"]),
            "kernel_name": _merged(codes, texts),
            "kernel_type": db.texts("TASK", "taskType", tasks["taskType"]),
            "stream": numbered(tasks["streamId"]),
            "task": numbered(tasks["taskId"]),
            "start_ns": tasks["startNs"],
            "stop_ns": tasks["endNs"],
        }
    )
    columns = tuple(f"TASK.{name}" for name in TASK_COLUMNS)
    return Table(kind="tasks", frame=frame, file=db.file, columns=columns, source="db", locator="TASK")


def _merged(codes: np.ndarray[Any, Any], texts: list[str]) -> pd.Categorical:
    """A category whose texts may repeat (an operator may be called N/A)."""
    import numpy as np

    where: dict[str, int] = {}
    remap = np.array([where.setdefault(text, len(where)) for text in texts], dtype=np.int32)
    return categorical(remap[codes], list(where))
