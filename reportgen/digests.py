"""SHA-256 of what is read, taken from the very bytes that are parsed, and files that stay inside their root.

A capture comes from a stranger: a path inside it may be a link to elsewhere, a pipe, or change while it is read.
``open_inside`` refuses the first two; ``HashingFile`` hashes the bytes it hands out and ``close_checked`` refuses
the third.
"""

from __future__ import annotations

import errno
import hashlib
import io
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.errors import CaptureError
from reportgen.plain import printable

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

CHUNK = 1 << 20


def sha256_bytes(data: bytes) -> str:
    """Hexadecimal SHA-256 of bytes."""
    return hashlib.sha256(data).hexdigest()


def _stamp(descriptor: int) -> tuple[int, int, int, int]:
    info = os.fstat(descriptor)
    return info.st_dev, info.st_ino, info.st_size, info.st_mtime_ns


class HashingFile(io.RawIOBase):
    """A regular file opened for one forward read that hashes every byte it returns.

    Args:
        path: the file.
        root: the directory it must lie in once links are resolved.

    Raises:
        CaptureError: ``file_outside`` (a link that leaves ``root``), ``file_unreadable`` (missing, not a regular
            file, or not permitted).
    """

    def __init__(self, path: Path, root: Path) -> None:
        super().__init__()
        self.path = path
        try:
            real = path.resolve(strict=True)
            inside = real.is_relative_to(root.resolve(strict=True))
            regular = stat.S_ISREG(real.stat().st_mode)
        except (OSError, RuntimeError) as fault:
            raise CaptureError(
                "file_unreadable", f"cannot be read: {why_unreadable(fault)}", where=printable(str(path))
            ) from fault
        if not inside:
            raise CaptureError(
                "file_outside",
                "is a link that leaves the capture and is not followed",
                where=printable(str(path)),
                hint="copy the file itself into the capture directory",
            )
        if not regular:
            raise CaptureError("file_unreadable", "is not a regular file", where=printable(str(path)))
        try:
            self._file = open(real, "rb", buffering=0)  # noqa: SIM115 - closed by close()
        except OSError as fault:
            raise CaptureError(
                "file_unreadable", f"cannot be read: {why_unreadable(fault)}", where=printable(str(path))
            ) from fault
        self._before = _stamp(self._file.fileno())
        self._hash = hashlib.sha256()
        self.size = 0
        self.last_byte = b""

    def readable(self) -> bool:
        """Always true."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Fill the buffer from the file and hash what was read."""
        view = memoryview(buffer).cast("B")
        count = self._file.readinto(view) or 0
        if count:
            self._hash.update(view[:count])
            self.size += count
            self.last_byte = bytes(view[count - 1 : count])
        return count

    def finish(self) -> str:
        """Read and hash what is left, check that the file stayed the same, and return its SHA-256.

        Raises:
            CaptureError: ``file_changed`` when size or modification time changed since it was opened.
        """
        while self.read(CHUNK):
            pass
        after = _stamp(self._file.fileno())
        if after != self._before or self.size != after[2]:
            raise CaptureError(
                "file_changed",
                "changed while it was read",
                where=printable(str(self.path)),
                hint="wait until nothing writes to the capture, then run again",
            )
        return self._hash.hexdigest()

    def close(self) -> None:
        """Close the file."""
        if not self.closed:
            file = getattr(self, "_file", None)
            if file is not None:
                file.close()
        super().close()


def real(path: Path) -> Path:
    """Where a path leads, all links followed as far as they can be; a ring of links is left as it is."""
    return Path(os.path.realpath(path))


def why_unreadable(fault: Exception) -> str:
    """Why a file could not be opened, in our own words: those of the system are in the language of the machine."""
    if isinstance(fault, UnicodeDecodeError):
        return f"it is no UTF-8 text from byte {fault.start + 1} on"
    if isinstance(fault, ValueError):  # of a name with a NUL in it
        return "no file can have this name"
    number = fault.errno if isinstance(fault, OSError) else errno.ELOOP  # a RuntimeError of links that lead in a circle
    return WHY.get(number or 0, f"the system refuses it (error {number})")


def why_unwritable(fault: OSError) -> str:
    """Why a file or directory could not be written, in our own words."""
    number = fault.errno or 0
    return WHY_UNWRITTEN.get(number) or WHY.get(number, f"the system refuses it (error {number})")


WHY = {
    errno.ENOENT: "it does not exist",
    errno.ENOTDIR: "a part of its path is no directory",
    errno.EACCES: "reading it is not permitted",
    errno.EPERM: "reading it is not permitted",
    errno.ELOOP: "its links lead in a circle",
    errno.ENAMETOOLONG: "its name is too long",
    errno.EIO: "the medium cannot be read",
    errno.EMFILE: "too many files are open",
}
"""Number of a system error -> what it means where something is read."""
WHY_UNWRITTEN = {
    errno.EACCES: "writing there is not permitted",
    errno.EPERM: "writing there is not permitted",
    errno.EROFS: "the medium is read-only",
    errno.ENOSPC: "no space is left",
    errno.EDQUOT: "the quota is used up",
    errno.EFBIG: "the file would be too large",
    errno.EIO: "the medium cannot be written",
    errno.EEXIST: "a file is in the way",
    errno.EISDIR: "it is a directory",
    errno.ENOTEMPTY: "it is a directory that is not empty",
    errno.ENOENT: "its directory does not exist",
    errno.EXDEV: "it lies on another medium",
    errno.EBADF: "the output is closed",
}
"""Number of a system error -> what it means where something is written; others as where it is read."""
WRITING = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EBADF, errno.EPIPE)
"""Errors that only writing has."""


def next_step(path: Path, otherwise: str) -> str:
    """What to do about a file that could not be read: where nothing stands there, the path is to be checked."""
    try:
        there = path.exists()
    except OSError:  # may not be looked at
        there = True
    return otherwise if there else "check the path"


def read_whole(path: Path, root: Path, *, limit: int) -> tuple[bytes, str]:
    """All bytes of a small file inside ``root`` and their SHA-256.

    Raises:
        CaptureError: as ``HashingFile``, or ``file_too_large`` above ``limit`` bytes.
    """
    with HashingFile(path, root) as file:
        data = file.read(limit + 1) or b""
        while len(data) <= limit:
            more = file.read(limit + 1 - len(data))
            if not more:
                break
            data += more
        if len(data) > limit:
            raise CaptureError(
                "file_too_large", f"is larger than {limit} bytes, which no such file is", where=printable(str(path))
            )
        return data, file.finish()
