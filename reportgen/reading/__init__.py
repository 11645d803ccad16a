"""A directory to a ``Capture``: settings, kernel table, and the tables beside it.

The settings files and the kernel table are the spine: unreadable means an error. Any other table that is bad is listed
as unread with its reason, and its metrics are missing. A kernel table that stands beside the chosen one, in another
source, is a witness and has to be readable too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from reportgen.errors import CaptureError
from reportgen.frames import Capture
from reportgen.model import CaptureFacts, RankFacts, Side
from reportgen.plain import printable
from reportgen.reading import layouts
from reportgen.reading.gathering import Directory
from reportgen.reading.layouts import Recognised
from reportgen.reading.locate import locate
from reportgen.reading.prof_capture import read_prof
from reportgen.reading.sources import ORDER, harmonised
from reportgen.reading.torch_capture import read_torch

__all__ = ["harmonised", "offered", "read_capture"]

READERS: dict[str, Callable[[Path, Path, str], Directory]] = {"msprof": read_prof, "torch": read_torch}
"""Who captured -> the reader of one of its directories."""


def _list(parts: list[Directory]) -> str:
    lines = []
    for part in parts:
        rank = part.ranks[0][0].rank
        lines.append(f"{printable(str(part.path))} (rank {'not recorded' if rank is None else rank})")
    return "; ".join(lines[:20]) + (f"; and {len(lines) - 20} more" if len(lines) > 20 else "")


def _one_capture(root: Path, parts: list[Directory]) -> None:
    """Refuse several directories that are not the ranks of one capture.

    Raises:
        CaptureError: ``several_captures`` with the list.
    """
    ranks = [facts.rank for part in parts for facts, _ in part.ranks]
    spans = [(facts.started_ns, facts.ended_ns) for part in parts for facts, _ in part.ranks]
    distinct = None not in ranks and len(set(ranks)) == len(ranks)
    known = [(start, end) for start, end in spans if start is not None and end is not None]
    overlap = len(known) == len(spans) and max(start for start, _ in known) < min(end for _, end in known)
    if distinct and overlap:
        return
    why = "their recorded ranks are not distinct" if not distinct else "their times do not overlap"
    raise CaptureError(
        "several_captures",
        f"holds {len(parts)} captures that are not the ranks of one run ({why}): {_list(parts)}",
        where=printable(str(root)),
        hint="give one of them",
    )


def _no_rank_twice(root: Path, parts: list[Directory]) -> None:
    """Refuse a capture in which two directories hold the same kernel table: one rank's data stands in for another's.

    Raises:
        CaptureError: ``ranks_share_table`` with both directories.
    """
    seen: dict[str, RankFacts] = {}
    for facts in (facts for part in parts for facts, _ in part.ranks):
        other = seen.setdefault(facts.kernel_file.digest, facts)
        if other.directory != facts.directory:
            raise CaptureError(
                "ranks_share_table",
                f"holds the same kernel table twice: {other.kernel_file.path} and {facts.kernel_file.path}",
                where=printable(str(root)),
                hint="copy each rank's own files from the machine that captured",
            )


def offered(path: Path) -> tuple[str, ...]:
    """The sources the capture at a path offers its kernels in, the preferred one first: ``db``, ``csv``.

    Raises:
        CaptureError: see ``locate``.
    """
    root, found = locate(path)
    return _offered(root, found)


def _offered(root: Path, found: list[tuple[Path, Recognised]]) -> tuple[str, ...]:
    families = {layouts.family(row) for _, row in found}
    offers = [layouts.offered(directory, row) for directory, row in found]
    common = tuple(source for source in ORDER if all(source in offer for offer in offers))
    if len(families) > 1 or not common:
        kinds = sorted({row.layout.id for _, row in found if row.layout is not None})
        raise CaptureError(
            "several_captures",
            f"holds captures of different kinds: {', '.join(kinds)}",
            where=printable(str(root)),
            hint="give one of them",
        )
    return common


def read_capture(path: Path, side: Side = Side.BEFORE, source: str = "") -> Capture:
    """Read the capture that a user's path means.

    Args:
        path: a PROF or ``*_ascend_pt`` directory, its output folder, or a parent of the ranks of one capture.
        side: which side it is.
        source: where the kernels are taken from, ``db`` or ``csv``, or ``json`` for those of a trace, which has neither
            types, shapes nor counters; empty: the first that every rank offers.

    Returns:
        The capture; ranks ordered by rank, then device, then directory.

    Raises:
        CaptureError: see ``locate``, ``settings``, ``kernels``, ``profiler_db``; ``several_captures``;
            ``source_missing`` when the capture does not offer ``source``.
    """
    root, found = locate(path)
    sources = _offered(root, found)
    if source and source not in (*sources, "json"):
        raise CaptureError(
            "source_missing",
            f"offers its kernels as {' and '.join(sources)}, not as {source}",
            where=printable(str(root)),
            hint=f"ask for {sources[0]}",
        )
    chosen = source or sources[0]
    family = layouts.family(found[0][1])
    layout = layouts.FAMILIES[family][chosen]
    parts = [READERS[family](directory, root, chosen) for directory, _ in found]
    if len(parts) > 1:
        _no_rank_twice(root, parts)
        _one_capture(root, parts)
    ranked = sorted(
        ((facts, tables) for part in parts for facts, tables in part.ranks),
        key=lambda pair: (pair[0].rank is None, pair[0].rank or 0, pair[0].device or 0, pair[0].directory),
    )
    ranks = tuple(facts for facts, _ in ranked)
    tables = tuple(replace(tables, index=index) for index, (_, tables) in enumerate(ranked))
    files = {record.path: record for part in parts for record in part.files.values()}
    facts = CaptureFacts(
        side=side,
        path=printable(str(path)),
        name=printable(root.resolve().name),
        layout=layout,
        settings_files=tuple(file for part in parts for file in part.settings),
        ranks=ranks,
        files=tuple(files[name] for name in sorted(files)),
        unread=tuple(sorted((item for part in parts for item in part.unread), key=lambda item: item.path)),
        warnings=tuple(dict.fromkeys(warning for part in parts for warning in part.warnings)),
    )
    return Capture(facts=facts, tables=tables)
