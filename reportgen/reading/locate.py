"""From the path a user gives to the directories of one capture.

A capture is one PROF or ``*_ascend_pt`` directory, or a parent whose captures have distinct recorded ranks and
overlapping times. A parent of exactly one is that one; any other parent of several is refused with the list, since
nobody but the user knows which was meant (docs/definitions.md, "Capture").
"""

from __future__ import annotations

from pathlib import Path

from reportgen.digests import why_unreadable
from reportgen.errors import CaptureError
from reportgen.plain import printable
from reportgen.reading import layouts
from reportgen.reading.layouts import Recognised

DEPTH = 3
"""How far below a parent its captures are looked for."""
NAMED = 20
"""Captures of a parent that a message names."""
MOST = 4096
"""More directories than this are not searched."""


def _shown(path: Path) -> str:
    return printable(str(path))


def _below(parent: Path) -> list[tuple[Path, Recognised]]:
    """The captures below a parent, by path; a capture's own inside is not searched."""
    found: list[tuple[Path, Recognised]] = []
    level, seen = [parent], 0
    for _ in range(DEPTH):
        deeper: list[Path] = []
        for directory in level:
            for child in sorted(p for p in directory.iterdir() if p.is_dir() and not p.is_symlink()):
                seen += 1
                if seen > MOST:
                    raise CaptureError(
                        "too_many_directories",
                        f"holds more than {MOST} directories",
                        where=_shown(parent),
                        hint="give the capture directory itself",
                    )
                row = layouts.recognise(child)
                if row is None:
                    deeper.append(child)
                else:
                    found.append((child, row))
        if found:
            return found
        level = deeper
    return found


def _checked(path: Path) -> Path:
    """The directory meant by ``path``: an output folder means the capture that holds it."""
    try:
        exists, is_directory = path.exists(), path.is_dir()
    except (OSError, ValueError) as fault:
        raise CaptureError("path_unreadable", f"cannot be read: {why_unreadable(fault)}", where=_shown(path)) from fault
    if not exists:
        raise CaptureError("path_missing", "does not exist", where=_shown(path), hint="check the path")
    if not is_directory:
        raise CaptureError(
            "path_is_file",
            "is a single file; a capture is a directory: one file shows neither settings nor completeness",
            where=_shown(path),
            hint="give the PROF_* or *_ascend_pt directory that holds it",
        )
    resolved = path.resolve()
    if path.name in (layouts.OUTPUT, layouts.TORCH_OUTPUT) or (
        resolved.name in (layouts.OUTPUT, layouts.TORCH_OUTPUT) and path.name in ("", ".", "..")
    ):
        holder = (path if path.name not in ("", ".", "..") else resolved).parent
        if layouts.recognise(holder) is not None:
            return holder
    return path if path.name not in ("", ".", "..") else resolved


def refuse(directory: Path, row: Recognised) -> CaptureError:
    """The error for a directory that is recognised and not read."""
    return CaptureError(
        row.code, row.message, where=_shown(directory), hint=row.hint.replace("{path}", _shown(directory))
    )


def locate(path: Path) -> tuple[Path, list[tuple[Path, Recognised]]]:
    """The root of the capture and its directories with their layout rows, by path.

    Returns:
        (root, directories): one directory, or several that ``reading`` must show to be ranks of one capture.

    Raises:
        CaptureError: ``path_missing``, ``path_is_file``, ``path_unreadable``, ``path_empty``, ``path_foreign``,
            ``too_many_directories``, ``several_captures`` where only some can be read, or the code of a layout that is
            not read.
    """
    directory = _checked(path)
    try:
        row = layouts.recognise(directory)
        if row is not None:
            if row.layout is None:
                raise refuse(directory, row)
            return directory, [(directory, row)]
        if not any(directory.iterdir()):
            raise CaptureError(
                "path_empty",
                "is an empty directory",
                where=_shown(directory),
                hint="give a PROF_* or *_ascend_pt directory",
            )
        found = _below(directory)
    except OSError as fault:
        raise CaptureError(
            "path_unreadable",
            f"cannot be read: {why_unreadable(fault)}",
            where=_shown(directory),
            hint="copy the capture to where it may be read",
        ) from fault
    if not found:
        raise CaptureError(
            "path_foreign",
            "holds no Ascend capture: neither PROF_* (host/, device_N/) nor *_ascend_pt",
            where=_shown(directory),
            hint="give a PROF_* or *_ascend_pt directory, or a parent of the ranks of one capture; inspect takes a log "
            "or result file by itself",
        )
    if len(found) == 1:
        only, row = found[0]
        if row.layout is None:
            raise refuse(only, row)
        return only, found
    bad = [(child, row) for child, row in found if row.layout is None]
    if len(bad) == len(found):
        raise refuse(*bad[0])
    if bad:
        raise _several(directory, found, bad)
    return directory, found


def _several(directory: Path, found: list[tuple[Path, Recognised]], bad: list[tuple[Path, Recognised]]) -> CaptureError:
    """The error for a parent of several captures of which some are not read."""
    first, row = bad[0]
    named = [_shown(child) for child, _ in found[:NAMED]] + ([f"and {len(found) - NAMED} more"] * (len(found) > NAMED))
    return CaptureError(
        "several_captures",
        f"holds {len(found)} captures, {len(bad)} of which cannot be read ({first.name} {row.message}): "
        f"{'; '.join(named)}",
        where=_shown(directory),
        hint="give one of them",
    )
