"""All judged cases together."""

from __future__ import annotations

from judged import (
    agreed_bands,
    beside_speed,
    cases_together,
    comparing,
    gates,
    logs,
    measuring,
    official_rules,
    pairs,
    run_facts,
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
    *beside_speed.CASES,
    *gates.CASES,
    *run_facts.CASES,
)
