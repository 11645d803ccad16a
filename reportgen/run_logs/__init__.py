"""Logs and result files of runs that were measured outside the profile: a file to the runs it tells of.

One reader a producer, recognised by content and never by name. What a log says is kept as written; nothing is derived
that its producer did not print, but for the formulas that docs/logs.md names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from reportgen.errors import CaptureError
from reportgen.model import Run
from reportgen.plain import printable
from reportgen.run_logs import (
    aisbench,
    evalscope,
    fsdp2,
    hf_trainer,
    known,
    llama_factory,
    megatron,
    mindformers,
    mindie,
    mindie_screen,
    modelzoo,
    msame,
    om_inference,
    progress_bars,
    steps_table,
    verl,
    vllm_bench,
    vllm_offline,
    vllm_server,
    vllm_text,
)
from reportgen.run_logs.longest_request import requests_within_run
from reportgen.run_logs.short_steps import short_steps
from reportgen.run_logs.statistic_order import statistics_in_order
from reportgen.run_logs.text import Log

__all__ = ["FOLDERS", "LAST", "READERS", "FolderReader", "Reader", "holds_results", "read_runs"]


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
    Reader("AISBench", aisbench.sniff, aisbench.read),
    Reader("MindIE Benchmark (csv)", mindie.sniff, mindie.read),
    Reader("MindIE Benchmark (screen)", mindie_screen.sniff, mindie_screen.read),
    Reader("ais_bench / msit benchmark (OM)", om_inference.sniff, om_inference.read),
    Reader("msame", msame.sniff, msame.read),
    Reader("evalscope perf", evalscope.sniff, evalscope.read),
    Reader("MindSpore MindFormers", mindformers.sniff, mindformers.read),
    Reader("Hugging Face Trainer", hf_trainer.sniff, hf_trainer.read),
    Reader("LLaMA-Factory", llama_factory.sniff, llama_factory.read),
    Reader("verl", verl.sniff, verl.read),
    Reader("ModelZoo", modelzoo.sniff, modelzoo.read),
)
"""Every producer that is read."""
LAST: tuple[Reader, ...] = (Reader("progress bar of tqdm", progress_bars.sniff, progress_bars.read),)
"""Read where no other producer is found: a bar stands beside the lines of a better one in many logs."""


class FolderReader(NamedTuple):
    """One producer's folder of results."""

    name: str
    """As a user knows it."""
    sniff: Callable[[Path], bool]
    """Whether a folder holds its results, by content."""
    read: Callable[[Path], tuple[Run, ...]]
    """The runs of such a folder."""


FOLDERS: tuple[FolderReader, ...] = (
    FolderReader("AISBench", aisbench.sniff_folder, aisbench.read_folder),
    FolderReader("MindIE Benchmark (csv)", mindie.sniff_folder, mindie.read_folder),
    FolderReader("evalscope perf", evalscope.sniff_folder, evalscope.read_folder),
)
"""Every producer whose folder is read; nothing that lies outside of it."""


def read_runs(path: Path) -> tuple[Run, ...]:
    """The runs that a log or result file tells of, in the order of the file; at least one.

    Args:
        path: the file, whose name does not matter, or a folder of results (``FOLDERS``).

    Raises:
        CaptureError: ``path_missing``, ``file_unreadable``, ``file_outside``, ``file_changed``,
            ``file_too_large``; ``log_unreadable`` (no text, broken JSON), ``log_unknown``, ``log_not_read_yet``,
            ``log_mixed`` (several producers or several runs in one), ``log_no_records``, ``log_too_large``,
            ``log_unit_missing``, ``log_columns``, ``log_row``.
    """
    found = _folder(path) if path.is_dir() else _file(path)
    if not found:
        raise CaptureError(
            "log_no_records",
            "holds the heading of a result and no figure",
            where=printable(str(path)),
            hint="give the whole output of a run that ended",
        )
    return tuple(
        replace(
            run,
            identities=(*run.identities, *statistics_in_order(run), *requests_within_run(run)),
            warnings=(*run.warnings, *short_steps(run)),
        )
        for run in found
    )


def _file(path: Path) -> tuple[Run, ...]:
    """The runs of a file."""
    if not path.exists():
        raise CaptureError("path_missing", "does not exist", where=printable(str(path)), hint="check the path")
    log = Log(path)
    found = [reader for reader in READERS if reader.sniff(log)] or [one for one in LAST if one.sniff(log)]
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


def holds_results(path: Path) -> bool:
    """Whether a path is a folder of results of a producer in ``FOLDERS``; False also where it cannot be looked through.

    A capture's directory is none.
    """
    try:
        return path.is_dir() and any(reader.sniff(path) for reader in FOLDERS)
    except CaptureError:
        return False


def _folder(path: Path) -> tuple[Run, ...]:
    """The runs of a folder of results."""
    found = [reader for reader in FOLDERS if reader.sniff(path)]
    if len(found) == 1:
        return found[0].read(path)
    if found:
        raise CaptureError(
            "log_mixed",
            f"holds the results of several programs: {', '.join(reader.name for reader in found)}",
            where=printable(str(path)),
            hint="give the folder of one of them",
        )
    raise CaptureError(
        "log_unknown",
        f"is a folder without a result that is known; read are those of: {', '.join(one.name for one in FOLDERS)}",
        where=printable(str(path)),
        hint="give the log or result file itself",
    )


def _unknown(log: Log) -> CaptureError:
    producer = known.named(log)
    if producer:
        return CaptureError(
            "log_not_read_yet",
            f"is output of {producer}, which is recognised and not read in this version",
            where=log.at(),
            hint="write its steps as csv (docs/logs.md), or type the value into the target with this file beside it",
        )
    names = ", ".join(reader.name for reader in (*READERS, *LAST))
    others = ", ".join(name for name, _ in known.NOT_READ)
    return CaptureError(
        "log_unknown",
        f"is no log or result that is known; read are: {names}; known and not read: {others}",
        where=log.at(),
        hint="of a capture give its directory (PROF_*, *_ascend_pt); of a training run the log of the rank that prints "
        "the iterations, unchanged (docs/logs.md shows a line of each producer); or write the steps as csv with the "
        "columns step and step_time_ms",
    )
