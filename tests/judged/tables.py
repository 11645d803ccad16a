"""All judged cases together."""

from __future__ import annotations

from judged import (
    agreed_bands,
    cases_together,
    comparing,
    logs,
    measuring,
    official_rules,
    pairs,
    taken_apart,
    verdicts,
)
from judged.case import Judged

CASES: tuple[Judged, ...] = (
    *official_rules.CASES,
    *pairs.CASES,
    *measuring.CASES,
    *comparing.CASES,
    *logs.CASES,
    *verdicts.CASES,
    *cases_together.CASES,
    *agreed_bands.CASES,
    *taken_apart.CASES,
)
