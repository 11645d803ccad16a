"""What a permission or a declaration can lift of the facts that forbid a comparison, and what neither can.

Source: docs/definitions.md, "Change list and allowances" and "Declared".
"""

from __future__ import annotations

from reportgen.comparability.settings import CHIP
from reportgen.model import Standing
from reportgen.report.document import SettingRow

DECLARABLE = (
    "chip_not_recorded",
    "fact_not_recorded",
    "ranks_incomplete",
    "ranks_not_recorded",
    "setting_unknown",
    "setting_unknown_both",
    "settings_file_missing",
    "steps_fewer_than_schedule",
    "workload_none_by_name",
    "workload_not_recorded",
    "workload_partly_by_name",
)
"""Reasons of facts that the parties may vouch for."""
NEVER = (*CHIP, "info.json", "ranks")
"""Keys that nobody may vouch for where a file could have shown them, whatever the reason but the two of ranks."""


def may_be_allowed(row: SettingRow) -> bool:
    """Whether ``--allow`` or the change list lets it differ: a setting that differs, known to us or not."""
    return row.standing is Standing.BLOCKING and row.reason.code.startswith("setting_")


def may_be_declared(key: str, code: str) -> bool:
    """Whether the parties may vouch for what is not recorded.

    Args:
        key: canonical id of the fact.
        code: code of its reason.
    """
    return code in DECLARABLE and (key not in NEVER or code == "ranks_not_recorded")
