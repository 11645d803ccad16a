"""Runs the command line inside the test's process: exit code, stdout and stderr."""

from __future__ import annotations

import contextlib
import hashlib
import io
import sys
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from reportgen import cli


@dataclass(frozen=True, slots=True)
class Result:
    """What a run gave."""

    code: int
    """Exit code."""
    out: str
    """stdout."""
    err: str
    """stderr."""


def reportgen(*args: object) -> Result:
    """Run ``reportgen ARGS`` and return what it printed and its exit code; a traceback would raise here."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    with (
        mock.patch.object(sys, "argv", ["reportgen", *map(str, args)]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            cli.main()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
    assert "Traceback" not in err.getvalue()
    return Result(code, out.getvalue(), err.getvalue())


def tree_digest(root: Path) -> str:
    """One digest of every path, size and byte below a directory, and of its modification times."""
    found = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        found.update(f"{path.relative_to(root)}|{path.lstat().st_mtime_ns}|".encode())
        if path.is_file() and not path.is_symlink():
            found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()
