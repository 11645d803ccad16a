"""The layout table: which directories exist, how each is recognised, and whether it is read.

Source: docs/formats.md 1.2-1.9 (directory layouts and states). A new layout is one row here and a generated capture
in the tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from reportgen.model import Layout
from reportgen.reading.exports import Export, newest

OUTPUT = "mindstudio_profiler_output"
TORCH_OUTPUT = "ASCEND_PROFILER_OUTPUT"
PROF_NAME = re.compile(r"PROF_\d+_\d+_[0-9a-zA-Z]+")
OPPROF_NAME = re.compile(r"OPPROF_.*")
TORCH_NAME = re.compile(r".*_ascend_pt")
MINDSPORE_NAME = re.compile(r".*_ascend_ms")

MSPROF_DB = Layout(id="msprof_db", producer="msprof db", title="msprof PROF directory, database")
MSPROF_TEXT = Layout(id="msprof_text", producer="msprof csv", title="msprof PROF directory, csv export")
TORCH_DB = Layout(id="torch_db", producer="torch_npu db", title="torch_npu *_ascend_pt directory, database")
TORCH_TEXT = Layout(id="torch_text", producer="torch_npu text", title="torch_npu *_ascend_pt directory, text export")
MSPROF_JSON = Layout(id="msprof_json", producer="msprof json", title="msprof PROF directory, trace")
TORCH_JSON = Layout(id="torch_json", producer="torch_npu trace", title="torch_npu *_ascend_pt directory, trace")
FAMILIES: dict[str, dict[str, Layout]] = {
    "msprof": {"db": MSPROF_DB, "csv": MSPROF_TEXT, "json": MSPROF_JSON},
    "torch": {"db": TORCH_DB, "csv": TORCH_TEXT, "json": TORCH_JSON},
}
"""Who captured -> source of the kernel table -> layout; sources in the order in which they are preferred."""


def children(directory: Path, pattern: str) -> list[Path]:
    """The entries of a directory whose names match a glob pattern, by name; links are not followed out of it."""
    return sorted(path for path in directory.glob(pattern) if _inside(path, directory))


def _inside(path: Path, directory: Path) -> bool:
    if not path.is_symlink():
        return True
    try:
        return path.resolve().is_relative_to(directory.resolve())
    except (OSError, RuntimeError):  # a ring of links
        return False


def is_prof(directory: Path) -> bool:
    """Whether it is a PROF directory: ``host`` or ``device_N`` inside, or its name (docs/formats.md 1.1)."""
    return (
        bool(PROF_NAME.fullmatch(directory.name))
        or (directory / "host").is_dir()
        or bool(children(directory, "device_*"))
    )


def is_torch(directory: Path) -> bool:
    """Whether it is a torch_npu directory: its output folder or profiler_info inside, or its name."""
    return (
        bool(TORCH_NAME.fullmatch(directory.name))
        or (directory / TORCH_OUTPUT).is_dir()
        or bool(children(directory, "profiler_info*.json"))
    )


def op_summaries(directory: Path) -> list[Path]:
    """The op_summary files of a PROF directory, all exports and slices."""
    return children(directory / OUTPUT, "*op_summary*.csv")


def prof_databases(directory: Path) -> list[Path]:
    """The databases of a PROF directory, all exports."""
    return children(directory, "msprof_*.db")


def torch_output(directory: Path) -> Path:
    """The output folder of a torch_npu directory; the directory itself when it is that folder."""
    return directory if directory.name == TORCH_OUTPUT else directory / TORCH_OUTPUT


def torch_databases(directory: Path) -> list[Path]:
    """The databases of a torch_npu directory that hold kernels."""
    return children(torch_output(directory), "ascend_pytorch_profiler*.db")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognised:
    """One row of the layout table."""

    test: Callable[[Path], bool]
    """Whether the directory looks like this."""
    layout: Layout | None
    """The layout when it is read, with the source that comes first; None when it is not read."""
    code: str = ""
    """Error code when it is not read."""
    message: str = ""
    """What it is and why it is not read."""
    hint: str = ""
    """What to do; ``{path}`` is the directory."""


def _prof_old(directory: Path) -> bool:
    return is_prof(directory) and any(
        (device / folder).is_dir() for device in children(directory, "device_*") for folder in ("summary", "timeline")
    )


def _prof_aborted(directory: Path) -> bool:
    return is_prof(directory) and (directory / OUTPUT).is_dir() and not children(directory / "host", "end_info*")


def _torch_kernels(directory: Path) -> Path:
    return torch_output(directory) / "kernel_details.csv"


AGED = (
    "if that fails, raw data may be gone: near --storage-limit or a full disk the collector deletes its oldest files "
    "(official case topic_0000001538203562); make room and capture again"
)
"""The official case to read where an export cannot be made."""
TABLE: tuple[Recognised, ...] = (
    Recognised(
        test=lambda d: bool(OPPROF_NAME.fullmatch(d.name)),
        layout=None,
        code="layout_opprof",
        message="is the output of the single-operator tool (msprof op), which has no op_summary and no settings",
        hint="capture the whole program: msprof --output=DIR --application=...",
    ),
    Recognised(
        test=lambda d: bool(MINDSPORE_NAME.fullmatch(d.name)) or bool(children(d / TORCH_OUTPUT, "ascend_mindspore*")),
        layout=None,
        code="layout_mindspore_not_read_yet",
        message="is a MindSpore capture: recognised, not read yet",
        hint="give the msprof export of its PROF_* directory: msprof --export=on --output={path}/PROF_...",
    ),
    Recognised(test=lambda d: is_torch(d) and bool(torch_databases(d)), layout=TORCH_DB),
    Recognised(test=lambda d: is_torch(d) and _torch_kernels(d).is_file(), layout=TORCH_TEXT),
    Recognised(
        test=lambda d: is_torch(d) and _torch_kernels(d).parent.is_dir(),
        layout=None,
        code="kernel_table_missing",
        message=f"has {TORCH_OUTPUT} but neither kernel_details.csv nor ascend_pytorch_profiler*.db: no kernels",
        hint="analyse the capture again: torch_npu.profiler.profiler.analyse('{path}')",
    ),
    Recognised(
        test=is_torch,
        layout=None,
        code="not_exported",
        message="is a raw torch_npu capture that was never analysed: no ASCEND_PROFILER_OUTPUT",
        hint="python3 -c \"import torch_npu.profiler.profiler as p; p.analyse('{path}')\"",
    ),
    Recognised(test=lambda d: is_prof(d) and bool(prof_databases(d)), layout=MSPROF_DB),
    Recognised(test=lambda d: is_prof(d) and bool(op_summaries(d)), layout=MSPROF_TEXT),
    Recognised(
        test=_prof_old,
        layout=None,
        code="layout_msprof_old_not_read_yet",
        message="is a PROF directory of an older msprof (device_N/summary): recognised, not read yet",
        hint="export it with the present toolkit: msprof --export=on --output={path}",
    ),
    Recognised(
        test=_prof_aborted,
        layout=None,
        code="capture_aborted",
        message="was aborted: host/end_info is missing, and its export holds no op_summary (no kernel was recorded)",
        hint="capture again and let the program end",
    ),
    Recognised(
        test=lambda d: is_prof(d) and (d / OUTPUT).is_dir(),
        layout=None,
        code="kernel_table_missing",
        message=f"has {OUTPUT} but no op_summary, the table of kernels: no kernel ran, or the export failed",
        hint=f"msprof --export=on --output={{path}}; {AGED}; "
        "official case profilingcase_002 is about captures without AI Core data",
    ),
    Recognised(
        test=is_prof,
        layout=None,
        code="not_exported",
        message=f"is a PROF directory that was never exported: no {OUTPUT}",
        hint=f"msprof --export=on --output={{path}}; {AGED}",
    ),
)


SPINES = {"db": "msprof.db", "csv": "op_summary"}
"""Source -> base name of the file of an msprof export that holds its kernels (``exports``)."""


def newest_export(directory: Path) -> Export:
    """The newest complete export of a PROF directory.

    Raises:
        CaptureError: see ``exports.newest``.
    """
    folder = directory / OUTPUT
    files = [*children(folder, "*.csv"), *children(folder, "*.json"), *prof_databases(directory)]
    return newest(folder if folder.is_dir() else directory, tuple(SPINES.values()), files)


def offered(directory: Path, row: Recognised) -> tuple[str, ...]:
    """The sources a readable directory offers its kernels in, the preferred one first: ``db``, ``csv``.

    Of a PROF directory those of its newest export: an older one in another source is no second opinion of it.

    Raises:
        CaptureError: see ``exports.newest``.
    """
    if row.layout in (MSPROF_DB, MSPROF_TEXT):
        tables = newest_export(directory).tables
        return tuple(source for source, base in SPINES.items() if base in tables)
    held = {"db": torch_databases(directory), "csv": children(torch_output(directory), "kernel_details.csv")}
    return tuple(source for source, files in held.items() if files)


def family(row: Recognised) -> str:
    """Who captured: ``msprof`` or ``torch``."""
    return next(name for name, of in FAMILIES.items() if row.layout in of.values())


def recognise(directory: Path) -> Recognised | None:
    """The first row of the layout table that fits; None when it is no capture at all."""
    return next((row for row in TABLE if row.test(directory)), None)
