"""Logs and result files of runs that were measured outside the profile: a file to the runs it tells of.

One reader a producer, recognised by content and never by name. What a log says is kept as written; nothing is derived
that its producer did not print, but for the formulas that docs/logs.md names.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from reportgen.errors import CaptureError
from reportgen.model import Run
from reportgen.plain import printable
from reportgen.run_logs import fsdp2, known, megatron, steps_table, vllm_bench, vllm_offline, vllm_server, vllm_text
from reportgen.run_logs.text import Log

__all__ = ["READERS", "Reader", "read_runs"]


class Reader(NamedTuple):
    """One producer's output."""

    name: str
    """As a user knows it."""
    sniff: Callable[[Log], bool]
    """Whether a file is of it, by content."""
    read: Callable[[Log], tuple[Run, ...]]
    """The runs of such a file."""


READERS: tuple[Reader, ...] = (
    Reader("table of steps (csv, json, jsonl)", steps_table.sniff, steps_table.read),
    Reader("Megatron family", megatron.sniff, megatron.read),
    Reader("MindSpeed-LLM FSDP2", fsdp2.sniff_monitor, fsdp2.read_monitor),
    Reader("MindSpeed-LLM FSDP2 trainer", fsdp2.sniff_trainer, fsdp2.read_trainer),
    Reader("vllm bench serve (json)", vllm_bench.sniff, vllm_bench.read),
    Reader("vllm bench serve (screen)", vllm_text.sniff, vllm_text.read),
    Reader("vllm bench latency (json)", vllm_offline.sniff_latency, vllm_offline.read_latency),
    Reader("vllm bench throughput (json)", vllm_offline.sniff_throughput, vllm_offline.read_throughput),
    Reader("vllm bench throughput (screen)", vllm_offline.sniff_console, vllm_offline.read_console),
    Reader("vLLM server log", vllm_server.sniff, vllm_server.read),
)
"""Every producer that is read."""


def read_runs(path: Path) -> tuple[Run, ...]:
    """The runs that a log or result file tells of, in the order of the file.

    Args:
        path: the file; its name does not matter.

    Raises:
        CaptureError: ``path_missing``, ``path_is_directory``, ``file_unreadable``, ``file_outside``, ``file_changed``,
            ``file_too_large``; ``log_unreadable`` (no text, broken JSON), ``log_unknown``, ``log_not_read_yet``,
            ``log_mixed`` (several producers or several runs in one), ``log_no_records``, ``log_too_large``,
            ``log_unit_missing``, ``log_columns``, ``log_row``.
    """
    if path.is_dir():
        raise CaptureError(
            "path_is_directory", "is a directory, not a log", where=printable(str(path)), hint="give the file itself"
        )
    if not path.exists():
        raise CaptureError("path_missing", "does not exist", where=printable(str(path)), hint="check the path")
    log = Log(path)
    found = [reader for reader in READERS if reader.sniff(log)]
    if len(found) == 1:
        return found[0].read(log)
    if found:
        raise CaptureError(
            "log_mixed",
            f"holds the output of several programs: {', '.join(reader.name for reader in found)}",
            where=log.at(),
            hint="give the output of each program as a file of its own",
        )
    raise _unknown(log)


def _unknown(log: Log) -> CaptureError:
    producer = known.named(log)
    if producer:
        return CaptureError(
            "log_not_read_yet",
            f"is output of {producer}, which is recognised and not read in this version",
            where=log.at(),
            hint="write its steps as csv (docs/logs.md), or type the value into the target with this file beside it",
        )
    names = ", ".join(reader.name for reader in READERS)
    others = ", ".join(name for name, _ in known.NOT_READ)
    return CaptureError(
        "log_unknown",
        f"is no log or result that is known; read are: {names}; known and not read: {others}",
        where=log.at(),
        hint="of a capture give its directory; of a training run the log of the rank that prints the iterations; or "
        "write the steps as csv (docs/logs.md)",
    )
