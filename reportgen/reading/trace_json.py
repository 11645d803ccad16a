"""Traces: a streamed search for names, without reading the trace into memory."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from reportgen.digests import CHUNK, HashingFile
from reportgen.model import FileRecord

WAIT_NAMES = (b"MEM_WAIT_VALUE", b"CAPTURE_WAIT")
"""Events during which a device is neither computing nor free (FSDP2 guide; docs/formats.md, applicability fact F16)."""


def search_names(
    path: Path, root: Path, names: tuple[bytes, ...], *, shown: str
) -> tuple[Literal["found", "none", "cut"], FileRecord]:
    """Whether any of the names occurs in a JSON trace; ``cut`` when the trace does not end as JSON.

    A name found in a cut trace is found; a name not found in a cut trace shows nothing.

    Raises:
        CaptureError: as ``HashingFile``.
    """
    overlap = max(len(name) for name in names) - 1
    found, tail = False, b""
    with HashingFile(path, root) as file:
        while block := file.read(CHUNK):
            window = tail + block
            found = found or any(name in window for name in names)
            tail = window[-max(overlap, 64) :]
        digest = file.finish()
        size = file.size
    record = FileRecord(path=shown, size=size, digest=digest)
    if found:
        return "found", record
    return ("none" if tail.rstrip()[-1:] in (b"]", b"}") else "cut"), record
