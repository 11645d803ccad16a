"""``explain``: one number of a report in words: value, rows, arithmetic, rule and document.

Works on report.json alone; ids are those of ``report.lookup``. What a stranger's file holds is printed as text: no
control character of it reaches a terminal.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from reportgen.errors import ReportgenError
from reportgen.plain import printable
from reportgen.report import explained
from reportgen.report.lookup import entries, look_up
from reportgen.report.read_back import find, read_report
from reportgen.report.serialize import plain
from reportgen.report.translations import Language

_UNSAFE = re.compile("[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def explain_text(path: Path, identity: str, language: Language) -> str:
    """One thing of a report in words.

    Args:
        path: report.json, or a directory that holds one.
        identity: an id, see ``report.lookup``.
        language: ``zh`` or ``en``.

    Raises:
        ReportgenError: ``report_not_found``, ``report_unreadable``, ``report_invalid``, ``id_unknown``,
            ``id_ambiguous``.
    """
    report = read_report(path)
    found = look_up(report, identity, printable(str(find(path))))
    try:
        return explained.explanation(report, found, language)
    except (KeyError, ValueError, AssertionError) as fault:
        raise _contradiction(path) from fault


def list_text(path: Path, language: Language) -> str:
    """Every id of a report with what it names.

    Raises:
        ReportgenError: as ``explain_text``.
    """
    report = read_report(path)
    try:
        return explained.listing(report, language)
    except (KeyError, ValueError, AssertionError) as fault:
        raise _contradiction(path) from fault


def explain_json(path: Path, identity: str) -> str:
    """The same as JSON: the row of the report, what was judged on it, its origins and documents.

    Raises:
        ReportgenError: as ``explain_text``.
    """
    found = look_up(read_report(path), identity, printable(str(find(path))))
    return _json(plain(found))


def list_json(path: Path) -> str:
    """Every id of a report as JSON: ``[{"id", "name", "kind"}, ...]``.

    Raises:
        ReportgenError: as ``explain_text``.
    """
    return _json([{"id": e.id, "name": e.name, "kind": e.kind} for e in entries(read_report(path))])


def _json(value: object) -> str:
    """JSON in which what could mislead a terminal is escaped."""
    written = json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)
    return _UNSAFE.sub(lambda found: f"\\u{ord(found.group()):04x}", written) + "\n"


def _contradiction(path: Path) -> ReportgenError:
    """The error for a file whose fields hold together by form and not by meaning."""
    return ReportgenError(
        "report_invalid",
        "is no report of this version: its fields contradict each other",
        where=printable(str(find(path))),
        hint="make the report again",
    )
