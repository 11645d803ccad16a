"""A directory to a ``Capture``: settings, kernel table, and the tables beside it.

The settings files and the kernel table are the spine: unreadable means an error. Any other table that is bad is listed
as unread with its reason, and its metrics are missing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from reportgen.errors import CaptureError
from reportgen.frames import NOT_AVAILABLE, OUTSIDE, PLACEHOLDER, Capture, RankTables, Table, distinct
from reportgen.model import CaptureFacts, FileRecord, RankFacts, Reason, SettingsFile, Side, UnreadFile
from reportgen.plain import integer, printable
from reportgen.reading import exports, kernels, layouts, ribs, settings, trace_json
from reportgen.reading.layouts import Recognised
from reportgen.reading.locate import locate

if TYPE_CHECKING:
    import pandas as pd

LATEST = 4 * 10**18
"""Nanoseconds; a stamp beyond (the year 2096) is no stamp."""
MOST_UNUSED = 40
"""Unused files listed by name."""


@dataclass(slots=True, kw_only=True)
class _Directory:
    """What is gathered while one directory is read."""

    path: Path
    root: Path
    settings: list[SettingsFile] = field(default_factory=list)
    files: dict[str, FileRecord] = field(default_factory=dict)
    unread: list[UnreadFile] = field(default_factory=list)
    warnings: list[Reason] = field(default_factory=list)
    ranks: list[tuple[RankFacts, RankTables]] = field(default_factory=list)

    def shown(self, path: Path) -> str:
        """The path as files and origins show it: inside the capture's root."""
        return printable(path.relative_to(self.root).as_posix())

    def below(self) -> str:
        """The directory inside the capture's root; empty when it is the root."""
        return self.shown(self.path) if self.path != self.root else ""

    def absent(self, name: str) -> str:
        """The name of a file that is not there, in its directory."""
        return f"{self.below()}/{name}".lstrip("/")

    def rib(self, paths: tuple[Path, ...], name: str, reader: Callable[..., Table]) -> Table | None:
        """A table beside the spine; None, with the reason noted, when it is missing or bad."""
        if not paths:
            self.unread.append(UnreadFile(path=self.absent(name), reason=Reason.of("table_missing", table=name)))
            return None
        if len(paths) > 1:
            self.unread.append(UnreadFile(path=self.shown(paths[0]), reason=Reason.of("table_sliced", table=name)))
            return None
        try:
            table = reader(paths[0], self.path, shown=self.shown(paths[0]))
        except CaptureError as fault:
            if fault.code == "file_changed":
                raise
            self.unread.append(
                UnreadFile(
                    path=self.shown(paths[0]),
                    reason=Reason.of("table_unreadable", table=name, why=f"{fault.where}: {fault.message}"),
                )
            )
            return None
        self.files[table.file.path] = table.file
        return table


# ------------------------------------------------------------------------------------------------ settings and times
def _read_settings(gathered: _Directory, found: list[tuple[str, str, Path]], rank: int | None) -> None:
    for kind, place, path in found:
        file = settings.read_settings_file(
            path, gathered.path, kind=kind, place=place, rank=rank, shown=gathered.shown(path)
        )
        gathered.settings.append(file)
        gathered.files[file.record.path] = file.record


def _epoch(text: str | None, unit: int) -> int | None:
    """A stamp as epoch nanoseconds; None when it is no number or lies outside what nanoseconds can hold."""
    number = integer(text)
    return number * unit if number is not None and 0 <= number * unit < LATEST else None


def _value(files: list[SettingsFile], kind: str, place: str, key: str) -> str | None:
    return next((v for f in files if f.kind == kind and f.place == place for v in (f.get(key),) if v is not None), None)


def _times(files: list[SettingsFile], place: str) -> tuple[int | None, int | None]:
    """Start and end of collection in UTC epoch ns from start_info/end_info (microseconds; docs/formats.md 2.3)."""
    start = _epoch(_value(files, "start_info", place, "collectionTimeBegin"), 1000)
    return start, _epoch(_value(files, "end_info", place, "collectionTimeEnd"), 1000)


def _torch_times(files: list[SettingsFile]) -> tuple[int | None, int | None]:
    """Start and end from profiler_info: the end is epoch ns, the start is the end minus the monotonic span."""
    end = _epoch_ns(_value(files, "profiler_info.json", "", "end_info.collectionTimeEnd"))
    first = integer(_value(files, "profiler_info.json", "", "start_info.start_monotonic"))
    last = integer(_value(files, "profiler_info.json", "", "end_info.MonotonicTimeEnd"))
    start = end - (last - first) if end is not None and first is not None and last is not None else None
    return (start if start is not None and 0 <= start < LATEST else None), end


def _epoch_ns(text: str | None) -> int | None:
    """A nanosecond stamp of 19 digits, which is one more than ``plain.integer`` takes."""
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 19:
        return None
    return int(text) if int(text) < LATEST else None


# ------------------------------------------------------------------------------------------------ kernel tables
def _steps(frame: pd.DataFrame) -> tuple[str, ...]:
    return tuple(step for step in distinct(frame["step"]) if step != OUTSIDE)


def _device_frames(table: Table) -> list[tuple[str, Table]]:
    devices = sorted(distinct(table.frame["device"]), key=lambda text: (len(text), text))
    if len(devices) == 1:
        return [(devices[0], table)]
    return [
        (device, replace(table, frame=table.frame[table.frame["device"] == device].reset_index(drop=True)))
        for device in devices
    ]


def _for_device(table: Table | None, device: str) -> Table | None:
    if table is None or "device" not in table.frame.columns:
        return table
    held = set(distinct(table.frame["device"]))
    if device == "" or held <= {device, ""} or not any(text.isdigit() for text in held):
        return table
    return replace(table, frame=table.frame[table.frame["device"] == device].reset_index(drop=True))


def _settle_kinds(table: Table, tasks: Table | None) -> Table:
    frame = table.frame.copy(deep=False)
    frame["kind"] = kernels.kinds_by_tasks(frame, tasks.frame) if tasks is not None else kernels.settle(frame["kind"])
    if bool((frame["kind"] == PLACEHOLDER).all()):
        raise CaptureError(
            "no_kernel",
            "holds placeholder rows only: no kernel ran",
            where=table.file.path,
            hint="capture again with the workload running on the device",
        )
    told = tasks is not None or any(column.endswith("total_cycles") for column in table.columns)
    unnamed = NOT_AVAILABLE in distinct(frame["accelerator"])
    warnings = (
        table.warnings
        if told or not unnamed
        else (*table.warnings, Reason.of("ai_cpu_not_told_apart", file=table.file.path))
    )
    return replace(table, frame=frame, warnings=warnings)


def _concatenate(parts: list[Table]) -> Table:
    if len(parts) == 1:
        return parts[0]
    import pandas as pd
    from pandas.api.types import union_categoricals

    frames = [part.frame for part in parts]
    merged = pd.concat(
        [frame.astype(dict.fromkeys(frame.select_dtypes("category").columns, object)) for frame in frames],
        ignore_index=True,
    )
    for column in frames[0].select_dtypes("category").columns:
        merged[column] = union_categoricals([frame[column] for frame in frames])
    merged = merged.sort_values(["start_ns", "line"], kind="stable", ignore_index=True)
    return replace(parts[0], frame=merged, warnings=tuple(w for part in parts for w in part.warnings))


# ------------------------------------------------------------------------------------------------ msprof PROF_*
def _read_prof(directory: Path, root: Path) -> _Directory:
    gathered = _Directory(path=directory, root=root)
    _read_settings(gathered, settings.prof_files(directory), None)
    folder = directory / layouts.OUTPUT
    export = exports.newest(folder, "op_summary", layouts.children(folder, "*.csv"))
    spine = [kernels.read_kernels(path, directory, shown=gathered.shown(path)) for path in export.tables["op_summary"]]
    for part in spine:
        gathered.files[part.file.path] = part.file
    table = _concatenate(spine)
    tasks = gathered.rib(export.tables.get("task_time", ()), "task_time", kernels.read_tasks)
    statistic = gathered.rib(export.tables.get("op_statistic", ()), "op_statistic", ribs.read_op_statistic)
    memory = gathered.rib(export.tables.get("memory_record", ()), "memory_record", ribs.read_memory)
    device_memory = gathered.rib(export.tables.get("npu_mem", ()), "npu_mem", ribs.read_device_memory)
    for path in export.ignored:
        gathered.unread.append(UnreadFile(path=gathered.shown(path), reason=Reason.of("other_export")))
    _list_unused(gathered, folder)
    _health(gathered, directory)
    wait, source = _wait_in_tasks(tasks)
    for device, part in _device_frames(table):
        place = f"device_{device}" if device else "device_0"
        start, end = _times(gathered.settings, "host")
        rank = integer(_value(gathered.settings, "info.json", place, "rank_id"))
        device_tasks = _for_device(tasks, device)
        settled = _settle_kinds(part, device_tasks)
        facts = RankFacts(
            rank=rank if rank is not None and rank >= 0 else None,
            device=integer(device),
            directory=gathered.below(),
            steps=_steps(settled.frame),
            rows=len(settled.frame),
            kernel_file=settled.file,
            started_ns=start,
            ended_ns=end,
            wait_events=wait,
            wait_source=source,
        )
        gathered.ranks.append(
            (
                facts,
                RankTables(
                    index=0,
                    kernels=settled,
                    tasks=device_tasks,
                    memory=_for_device(memory, device),
                    device_memory=_for_device(device_memory, device),
                    op_statistic=_for_device(statistic, device),
                ),
            )
        )
    ranks = {facts.rank for facts, _ in gathered.ranks}
    if len(ranks) == 1:
        gathered.settings = [replace(file, rank=next(iter(ranks))) for file in gathered.settings]
    return gathered


def _wait_in_tasks(tasks: Table | None) -> tuple[Literal["found", "none", "not searchable"], str]:
    if tasks is None:
        return "not searchable", ""
    names = {text.upper() for column in ("kernel_type", "kernel_name") for text in tasks.frame[column].cat.categories}
    found = any(wait.decode() in name for wait in trace_json.WAIT_NAMES for name in names)
    return ("found" if found else "none"), tasks.file.path


def _health(gathered: _Directory, directory: Path) -> None:
    """End of the capture and data loss, as the collector recorded them (docs/formats.md 1.2)."""
    kinds = {(file.kind, file.place) for file in gathered.settings}
    if any(place and ("end_info", place) not in kinds for _, place in kinds):
        gathered.warnings.append(Reason.of("capture_aborted"))
    for path in [
        directory / "host" / "data" / "prof_collect.info",
        *(device / "data" / "prof_collect.info" for device in layouts.children(directory, "device_*")),
    ]:
        if path.is_file():
            try:
                file = settings.read_settings_file(
                    path, directory, kind="prof_collect.info", place="", rank=None, shown=gathered.shown(path)
                )
            except CaptureError:
                gathered.warnings.append(Reason.of("capture_data_loss", file=gathered.shown(path)))
                continue
            gathered.files[file.record.path] = file.record
            if file.get("collect_status") == "data_loss":
                gathered.warnings.append(Reason.of("capture_data_loss", file=file.record.path))


def _list_unused(gathered: _Directory, folder: Path) -> None:
    known = {*gathered.files, *(item.path for item in gathered.unread)}
    unused = [path for path in layouts.children(folder, "*") if path.is_file() and gathered.shown(path) not in known]
    gathered.unread += [
        UnreadFile(path=gathered.shown(path), reason=Reason.of("not_read_yet")) for path in unused[:MOST_UNUSED]
    ]


# ------------------------------------------------------------------------------------------------ torch_npu *_ascend_pt
def _torch_rank(files: list[SettingsFile], directory: Path) -> int | None:
    rank = integer(_value(files, "profiler_info.json", "", "rank_id"))
    if rank is None:
        names = [
            path.stem.removeprefix("profiler_info_") for path in layouts.children(directory, "profiler_info_*.json")
        ]
        rank = integer(names[0]) if len(names) == 1 else None
    return rank if rank is not None and rank >= 0 else None


def _read_torch(directory: Path, root: Path) -> _Directory:
    gathered = _Directory(path=directory, root=root)
    folder = directory if directory.name == layouts.TORCH_OUTPUT else directory / layouts.TORCH_OUTPUT
    _read_settings(gathered, settings.torch_files(directory), None)
    rank = _torch_rank(gathered.settings, directory)
    gathered.settings = [replace(file, rank=rank) for file in gathered.settings]
    spine = folder / "kernel_details.csv"
    table = kernels.read_kernels(spine, directory, shown=gathered.shown(spine))
    gathered.files[table.file.path] = table.file

    def rib(name: str, reader: Callable[..., Table]) -> Table | None:
        path = folder / f"{name}.csv"
        return gathered.rib((path,) if path.is_file() else (), f"{name}.csv", reader)

    tasks = rib("task_time", kernels.read_tasks) if (folder / "task_time.csv").is_file() else None
    step_trace, memory = rib("step_trace_time", ribs.read_step_trace), rib("memory_record", ribs.read_memory)
    statistic = rib("op_statistic", ribs.read_op_statistic)
    wait, source = _wait_in_trace(gathered, folder)
    _list_unused(gathered, folder)
    for prof in layouts.children(directory, "PROF_*"):
        _health(gathered, prof)
    if len(distinct(table.frame["device"])) > 1:
        raise CaptureError(
            "kernel_table_devices",
            f"holds rows of several devices ({', '.join(distinct(table.frame['device']))}); one rank has one",
            where=table.file.path,
            hint="give the capture of each rank by itself",
        )
    settled = _settle_kinds(table, tasks)
    start, end = _torch_times(gathered.settings)
    devices = {text for text in distinct(settled.frame["device"]) if text}
    facts = RankFacts(
        rank=rank,
        device=integer(next(iter(devices))) if len(devices) == 1 else None,
        directory=gathered.below(),
        steps=_steps(settled.frame),
        rows=len(settled.frame),
        kernel_file=settled.file,
        started_ns=start,
        ended_ns=end,
        wait_events=wait,
        wait_source=source,
    )
    gathered.ranks.append(
        (
            facts,
            RankTables(
                index=0, kernels=settled, tasks=tasks, memory=memory, step_trace=step_trace, op_statistic=statistic
            ),
        )
    )
    return gathered


def _wait_in_trace(gathered: _Directory, folder: Path) -> tuple[Literal["found", "none", "not searchable"], str]:
    path = folder / "trace_view.json"
    if not path.is_file():
        gathered.unread.append(
            UnreadFile(
                path=gathered.absent("trace_view.json"), reason=Reason.of("table_missing", table="trace_view.json")
            )
        )
        return "not searchable", ""
    try:
        state, record = trace_json.search_names(path, gathered.path, trace_json.WAIT_NAMES, shown=gathered.shown(path))
    except CaptureError as fault:
        why = Reason.of("table_unreadable", table="trace_view.json", why=fault.message)
        gathered.unread.append(UnreadFile(path=gathered.shown(path), reason=why))
        return "not searchable", ""
    gathered.files[record.path] = record
    if state == "cut":
        gathered.unread.append(UnreadFile(path=record.path, reason=Reason.of("trace_cut")))
        return "not searchable", ""
    return state, record.path


# ------------------------------------------------------------------------------------------------ the capture
READERS: dict[str, Callable[[Path, Path], _Directory]] = {
    layouts.MSPROF_TEXT.id: _read_prof,
    layouts.TORCH_TEXT.id: _read_torch,
}
"""Layout id -> its reader."""


def _list(parts: list[_Directory]) -> str:
    lines = []
    for part in parts:
        rank = part.ranks[0][0].rank
        lines.append(f"{printable(str(part.path))} (rank {'not recorded' if rank is None else rank})")
    return "; ".join(lines[:20]) + (f"; and {len(lines) - 20} more" if len(lines) > 20 else "")


def _one_capture(root: Path, parts: list[_Directory]) -> None:
    """Refuse several directories that are not the ranks of one capture.

    Raises:
        CaptureError: ``several_captures`` with the list.
    """
    ranks = [facts.rank for part in parts for facts, _ in part.ranks]
    spans = [(facts.started_ns, facts.ended_ns) for part in parts for facts, _ in part.ranks]
    distinct = None not in ranks and len(set(ranks)) == len(ranks)
    known = [(start, end) for start, end in spans if start is not None and end is not None]
    overlap = len(known) == len(spans) and max(start for start, _ in known) < min(end for _, end in known)
    if distinct and overlap:
        return
    why = "their recorded ranks are not distinct" if not distinct else "their times do not overlap"
    raise CaptureError(
        "several_captures",
        f"holds {len(parts)} captures that are not the ranks of one run ({why}): {_list(parts)}",
        where=printable(str(root)),
        hint="give one of them",
    )


def read_capture(path: Path, side: Side = Side.BEFORE) -> Capture:
    """Read the capture that a user's path means.

    Args:
        path: a PROF or ``*_ascend_pt`` directory, its output folder, or a parent of the ranks of one capture.
        side: which side it is.

    Returns:
        The capture; ranks ordered by rank, then device, then directory.

    Raises:
        CaptureError: see ``locate``, ``settings``, ``kernels``; ``several_captures``.
    """
    root, found = locate(path)
    kinds = {row.layout.id for _, row in found if row.layout is not None}
    if len(kinds) > 1:
        raise CaptureError(
            "several_captures",
            f"holds captures of different kinds: {', '.join(sorted(kinds))}",
            where=printable(str(root)),
            hint="give one of them",
        )
    parts = [_read_one(directory, root, row) for directory, row in found]
    if len(parts) > 1:
        _one_capture(root, parts)
    layout = found[0][1].layout
    assert layout is not None
    ranked = sorted(
        ((facts, tables) for part in parts for facts, tables in part.ranks),
        key=lambda pair: (pair[0].rank is None, pair[0].rank or 0, pair[0].device or 0, pair[0].directory),
    )
    ranks = tuple(facts for facts, _ in ranked)
    tables = tuple(replace(tables, index=index) for index, (_, tables) in enumerate(ranked))
    files = {record.path: record for part in parts for record in part.files.values()}
    facts = CaptureFacts(
        side=side,
        path=printable(str(path)),
        name=printable(root.resolve().name),
        layout=layout,
        settings_files=tuple(file for part in parts for file in part.settings),
        ranks=ranks,
        files=tuple(files[name] for name in sorted(files)),
        unread=tuple(sorted((item for part in parts for item in part.unread), key=lambda item: item.path)),
        warnings=tuple(dict.fromkeys(warning for part in parts for warning in part.warnings)),
    )
    return Capture(facts=facts, tables=tables)


def _read_one(directory: Path, root: Path, row: Recognised) -> _Directory:
    assert row.layout is not None
    return READERS[row.layout.id](directory, root)
