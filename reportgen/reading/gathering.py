"""What is gathered while one directory of a capture is read: files, settings, tables of every source, doubts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from reportgen.errors import CaptureError
from reportgen.frames import RankTables, Table
from reportgen.model import FileRecord, RankFacts, Reason, SettingsFile, UnreadFile
from reportgen.plain import integer, printable
from reportgen.reading import layouts, settings
from reportgen.reading.trace_json import Trace, read_trace

LATEST = 4 * 10**18
"""Nanoseconds; a stamp beyond (the year 2096) is no stamp."""
MOST_UNUSED = 40
"""Unused files listed by name."""


@dataclass(slots=True, kw_only=True)
class Directory:
    """What is gathered while one directory is read."""

    path: Path
    """The directory."""
    root: Path
    """The capture it belongs to."""
    settings: list[SettingsFile] = field(default_factory=list)
    """Its configuration files."""
    files: dict[str, FileRecord] = field(default_factory=dict)
    """Every file read, by the path shown."""
    unread: list[UnreadFile] = field(default_factory=list)
    """What was looked for and not used."""
    warnings: list[Reason] = field(default_factory=list)
    """Doubts about it as a whole."""
    tables: list[Table] = field(default_factory=list)
    """Every table beside the chosen kernel table, of every source."""
    ranks: list[tuple[RankFacts, RankTables]] = field(default_factory=list)
    """Its ranks."""

    def shown(self, path: Path) -> str:
        """The path as files and origins show it: inside the capture's root."""
        return printable(path.relative_to(self.root).as_posix())

    def below(self) -> str:
        """The directory inside the capture's root; empty when it is the root."""
        return self.shown(self.path) if self.path != self.root else ""

    def absent(self, name: str) -> str:
        """The name of a file that is not there, in its directory."""
        return f"{self.below()}/{name}".lstrip("/")

    def keep(self, table: Table) -> Table:
        """Keep a table and the file it came from."""
        self.tables.append(table)
        self.files[table.file.path] = table.file
        return table

    def unreadable(self, path: Path, name: str, fault: CaptureError) -> None:
        """Note a file beside the kernel table that could not be read.

        Raises:
            CaptureError: ``file_changed``: nothing can be said of a capture that is being written.
        """
        if fault.code == "file_changed":
            raise fault
        why = f"{fault.where}: {fault.message}"
        self.unread.append(UnreadFile(path=self.shown(path), reason=Reason.of("table_unreadable", table=name, why=why)))

    def rib(
        self, paths: tuple[Path, ...], name: str, reader: Callable[..., Table], *, expected: bool = True
    ) -> Table | None:
        """A csv table beside the spine; None, with the reason noted, when it is missing or bad.

        Args:
            expected: whether a missing file is worth a note.
        """
        if not paths:
            if expected:
                self.unread.append(UnreadFile(path=self.absent(name), reason=Reason.of("table_missing", table=name)))
            return None
        if len(paths) > 1:
            self.unread.append(UnreadFile(path=self.shown(paths[0]), reason=Reason.of("table_sliced", table=name)))
            return None
        try:
            table = reader(paths[0], self.path, shown=self.shown(paths[0]))
        except CaptureError as fault:
            self.unreadable(paths[0], name, fault)
            return None
        return self.keep(table)

    def trace(self, path: Path, name: str) -> Trace | None:
        """Read a trace and keep its tables; None, with the reason noted, when it is bad. A cut one is noted as cut."""
        try:
            trace = read_trace(path, self.path, shown=self.shown(path))
        except CaptureError as fault:
            self.unreadable(path, name, fault)
            return None
        self.files[trace.file.path] = trace.file
        if not trace.complete:
            self.unread.append(UnreadFile(path=trace.file.path, reason=Reason.of("trace_cut")))
        for table in (trace.frequency, trace.lane, trace.memory, trace.host_steps):
            if table is not None:
                self.keep(table)
        return trace

    def read_settings(self, found: list[tuple[str, str, Path]]) -> None:
        """Read its configuration files; a bad one is an error."""
        for kind, place, path in found:
            file = settings.read_settings_file(
                path, self.path, kind=kind, place=place, rank=None, shown=self.shown(path)
            )
            self.settings.append(file)
            self.files[file.record.path] = file.record

    def value(self, kind: str, place: str, key: str) -> str | None:
        """The text of a settings key; None when no file at that place holds it."""
        held = (f.get(key) for f in self.settings if f.kind == kind and f.place == place)
        return next((text for text in held if text is not None), None)

    def times(self, place: str) -> tuple[int | None, int | None]:
        """Start and end of collection in UTC epoch ns from start_info/end_info (microseconds; docs/formats.md 2.3)."""
        start = _epoch(self.value("start_info", place, "collectionTimeBegin"), 1000)
        return start, _epoch(self.value("end_info", place, "collectionTimeEnd"), 1000)

    def torch_times(self) -> tuple[int | None, int | None]:
        """Start and end from profiler_info: the end is epoch ns, the start is the end minus the monotonic span."""
        end = _epoch_ns(self.value("profiler_info.json", "", "end_info.collectionTimeEnd"))
        first = integer(self.value("profiler_info.json", "", "start_info.start_monotonic"))
        last = integer(self.value("profiler_info.json", "", "end_info.MonotonicTimeEnd"))
        start = end - (last - first) if end is not None and first is not None and last is not None else None
        return (start if start is not None and 0 <= start < LATEST else None), end

    def health(self, directory: Path) -> None:
        """Note an abnormal end and data loss, as the collector recorded them (docs/formats.md 1.2)."""
        kinds = {(file.kind, file.place) for file in self.settings}
        if any(place and ("end_info", place) not in kinds for _, place in kinds):
            self.warnings.append(Reason.of("capture_aborted"))
        for path in [
            directory / "host" / "data" / "prof_collect.info",
            *(device / "data" / "prof_collect.info" for device in layouts.children(directory, "device_*")),
        ]:
            if path.is_file():
                try:
                    file = settings.read_settings_file(
                        path, directory, kind="prof_collect.info", place="", rank=None, shown=self.shown(path)
                    )
                except CaptureError:
                    self.warnings.append(Reason.of("capture_data_loss", file=self.shown(path)))
                    continue
                self.files[file.record.path] = file.record
                if file.get("collect_status") == "data_loss":
                    self.warnings.append(Reason.of("capture_data_loss", file=file.record.path))

    def list_unused(self, folder: Path) -> None:
        """List the files of an output folder that nothing read."""
        known = {*self.files, *(item.path for item in self.unread)}
        unused = [path for path in layouts.children(folder, "*") if path.is_file() and self.shown(path) not in known]
        self.unread += [
            UnreadFile(path=self.shown(path), reason=Reason.of("not_read_yet")) for path in unused[:MOST_UNUSED]
        ]


def _epoch(text: str | None, unit: int) -> int | None:
    """A stamp as epoch nanoseconds; None when it is no number or lies outside what nanoseconds can hold."""
    number = integer(text)
    return number * unit if number is not None and 0 <= number * unit < LATEST else None


def _epoch_ns(text: str | None) -> int | None:
    """A nanosecond stamp of 19 digits, which is one more than ``plain.integer`` takes."""
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 19:
        return None
    return int(text) if int(text) < LATEST else None
