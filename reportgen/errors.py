"""The error family: what stops a run, and the sentence that tells its reader what to do next.

    ReportgenError
      CaptureError      a capture cannot be read (exit 2)
      ContractError     a target file, or what it points to, is wrong (exit 2)
      CatalogueError    the evidence beside the code is wrong (exit 2)
      RenderError       an output cannot be written (exit 2; without pango the PDF alone is skipped, exit 6)

Cannot read is an error; doubtful is a warning inside the value; "not met" and "not comparable" are results and
are never raised. Every code has a paragraph in docs/errors.md.
"""

from __future__ import annotations


class ReportgenError(Exception):
    """A run cannot go on; carries all that its reader needs.

    Args:
        code: stable identifier, for example ``kernel_table_ragged``; listed in docs/errors.md.
        message: what is wrong, one sentence, in English.
        where: file and line, column or key path; empty when there is no such place.
        hint: what to do next, one sentence or a command; empty when nothing can be done.
    """

    def __init__(self, code: str, message: str, *, where: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        """The error as printed: place, message, code, and the next step on a line of its own."""
        place = f"{self.where}: " if self.where else ""
        hint = f"\n  next: {self.hint}" if self.hint else ""
        return f"{place}{self.message} [{self.code}]{hint}"


class CaptureError(ReportgenError):
    """A capture cannot be read."""


class ContractError(ReportgenError):
    """A target file, or a file it names, is wrong; ``faults`` holds every fault found."""

    def __init__(
        self, code: str, message: str, *, where: str = "", hint: str = "", faults: tuple[str, ...] = ()
    ) -> None:
        super().__init__(code, message, where=where, hint=hint)
        self.faults = faults

    def __str__(self) -> str:
        """The error with one line for each fault."""
        lines = "".join(f"\n  - {fault}" for fault in self.faults)
        place = f"{self.where}: " if self.where else ""
        hint = f"\n  next: {self.hint}" if self.hint else ""
        return f"{place}{self.message} [{self.code}]{lines}{hint}"


class CatalogueError(ReportgenError):
    """A file of ``evidence/`` is wrong."""


class RenderError(ReportgenError):
    """An output cannot be made on this machine or in this place."""
