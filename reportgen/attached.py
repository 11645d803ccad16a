"""Files handed in beside the evidence: hashed and listed, never read for numbers.

An ``npu-smi`` text, the report of an advisor or a mail says something to people; no figure of it is measured here, so
none is taken. The one thing read is a line near the top that names a version, to be quoted as what the file says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from reportgen.digests import HashingFile, why_unreadable
from reportgen.errors import CaptureError
from reportgen.model import Attachment, FileRecord
from reportgen.plain import printable

MOST = 64
"""Files that can be attached."""
LARGEST = 256 << 20
"""Bytes of the largest file that can be attached."""
HEAD, LINES, QUOTED = 4096, 20, 100
"""Bytes and lines in which a version is looked for, and characters of the line that is quoted."""
_VERSION = re.compile(r"(?i)(?:version|版本)\W{0,4}v?\d|\b(?:npu-smi|msprof-analyze|mstt)\s{1,4}v?\d")


def attached(path: Path, *, shown: str = "", what: str = "", tool: str = "", version: str = "") -> Attachment:
    """One file as an attachment.

    Args:
        path: the file.
        shown: its name in the report; empty: the last name of the path.
        what: what it is, as stated.
        tool: tool that wrote it, as stated.
        version: version of that tool, as stated.

    Raises:
        CaptureError: ``path_missing``, ``attachment_directory``, ``attachment_empty``, ``file_unreadable``,
            ``file_outside``, ``file_too_large``, ``file_changed``.
    """
    where = printable(str(path))
    try:
        size = path.stat().st_size if path.exists() else 0
    except (OSError, ValueError) as fault:  # a name that no file can have
        why = why_unreadable(fault) if isinstance(fault, OSError) else "no file can have this name"
        raise CaptureError(
            "file_unreadable", f"cannot be read: {why}", where=where[:200], hint="check the path"
        ) from fault
    if path.is_dir():
        raise CaptureError(
            "attachment_directory",
            "is a directory; a directory cannot be attached",
            where=where,
            hint="attach its files one by one, or one archive of them",
        )
    if not path.exists():
        raise CaptureError("path_missing", "does not exist", where=where, hint="check the path")
    if size > LARGEST:
        raise CaptureError(
            "file_too_large",
            f"is larger than {LARGEST} bytes, the largest file that can be attached",
            where=where,
            hint="attach the part that is meant",
        )
    try:
        with HashingFile(path, path.parent) as file:
            head = file.read(HEAD) or b""
            digest, size = file.finish(), file.size
    except CaptureError as fault:
        if fault.code != "file_outside":
            raise
        what_it_is = "is a link that leaves its directory and is not followed"
        raise CaptureError("file_outside", what_it_is, where=where, hint="attach the file itself") from fault
    if not size:
        raise CaptureError("attachment_empty", "is empty", where=where, hint="attach the file that holds something")
    record = FileRecord(path=printable(shown or path.name), size=size, digest=digest)
    stated = (printable(text.strip()) for text in (what, tool, version))
    words, by, number = stated
    return Attachment(file=record, what=words, tool=by, version=number, says=_says(head))


def _says(head: bytes) -> str:
    """The first line near the top of a text that names a version; empty without one."""
    if b"\0" in head:
        return ""
    for line in head.decode("utf-8", "replace").splitlines()[:LINES]:
        if _VERSION.search(line):
            text = printable(" ".join(line.replace("|", " ").split()))
            return text if len(text) <= QUOTED else f"{text[: QUOTED - 3]}..."
    return ""


def _name(one: Attachment) -> str:
    """The last name of an attachment; the target names it with its folders."""
    return one.file.path.rpartition("/")[2]


def gathered(agreed: Iterable[Attachment], paths: Iterable[Path]) -> tuple[Attachment, ...]:
    """The attachments of a target, then those of the command line; a file given twice under one name is listed once.

    Two files of the same bytes and of two names are two: which of them is which is for the reader to ask.

    Raises:
        CaptureError: as ``attached``; ``attachments_many`` above ``MOST``.
    """
    found = list(agreed)
    for path in paths:
        one = attached(path)
        if all((one.file.digest, _name(one)) != (other.file.digest, _name(other)) for other in found):
            taken = sum(other.file.path == one.file.path for other in found)
            found.append(replace(one, file=replace(one.file, path=f"{one.file.path} ({taken + 1})")) if taken else one)
    if len(found) > MOST:
        raise CaptureError(
            "attachments_many",
            f"{len(found)} files are attached, at most {MOST} can be",
            hint="attach one archive in the place of many files",
        )
    return tuple(found)
