"""The configuration that AISBench dumps beside its results: Python that is parsed for literals and never run.

Addresses, ports and keys are dropped. ``batch_size`` of a model is the most requests under way, not a batch.
Source: docs/logs.md, AISBench.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from reportgen.model import FileRecord, Reason, Stated
from reportgen.run_logs import documents, load

MODEL = {
    "model": "model",
    "path": "tokenizer",
    "stream": "stream",
    "request_rate": "request_rate",
    "use_timestamp": "use_timestamp",
    "max_out_len": "max_output_tokens",
    "batch_size": "max_concurrency",
    "retry": "retry",
    "type": "client",
}
"""Key of a model -> canonical name."""
GENERATION = ("temperature", "ignore_eos", "seed", "top_p", "top_k", "repetition_penalty", "n")
"""Keys of ``generation_kwargs``, named as they are."""
MOST = 50
"""Configurations of one folder that are read."""


class Configuration(NamedTuple):
    """One model of one dumped configuration."""

    record: FileRecord
    """The file."""
    abbreviation: str
    """Name of the model's folder among the results."""
    stated: tuple[Stated, ...]
    """What it states of the run."""


def read(root: Path, results: Path) -> tuple[Configuration, ...]:
    """The models that the configurations beside some results name.

    Args:
        root: the folder that was given; nothing outside it is read.
        results: the folder of the results; ``configs`` stands beside one of the folders above it.

    Raises:
        CaptureError: ``log_unreadable``; as ``digests.read_whole``.
    """
    folder = results
    while not (folder / "configs").is_dir():
        if folder == root:
            return ()
        folder = folder.parent
    found: list[Configuration] = []
    for path in sorted((folder / "configs").glob("*.py"))[:MOST]:
        data, record = documents.read_below(path, root, limit=documents.SOURCE_LIMIT)
        models = documents.assignments(data, record.path).get("models")
        for index, model in enumerate(models if isinstance(models, list) else []):
            if isinstance(model, dict):
                found.append(Configuration(record, load.text_of(model.get("abbr")) or "", _stated(model, index)))
    return tuple(found)


def _stated(model: dict[str, Any], index: int) -> tuple[Stated, ...]:
    generation = model.get("generation_kwargs")
    held = generation if isinstance(generation, dict) else {}
    rows = [(MODEL[key], value, f"models[{index}].{key}") for key, value in model.items() if key in MODEL]
    rows += [(key, held[key], f"models[{index}].generation_kwargs.{key}") for key in GENERATION if key in held]
    return load.stated(rows)


def chosen(found: tuple[Configuration, ...], model: str) -> tuple[Configuration | None, tuple[Reason, ...]]:
    """The one configuration of a model's results; None when there is none or several disagree."""
    fitting = [one for one in found if one.abbreviation == model] if model else list(found)
    if not fitting:
        return None, (Reason.of("log_part_missing", file="configs"),)
    said = {tuple((row.key, row.written) for row in one.stated) for one in fitting}
    if len(said) > 1:
        return None, (Reason.of("log_context_several", n=len(said)),)
    return fitting[-1], ()
