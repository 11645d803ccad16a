"""The sections behind page one, each as the texts and rows that its template prints."""

from reportgen.report.sections.captures import captures
from reportgen.report.sections.evidence import manifest, method, note
from reportgen.report.sections.measured import measurements, memory, steps
from reportgen.report.sections.operators import operators
from reportgen.report.sections.rules import gaps, thresholds
from reportgen.report.sections.target import target

__all__ = [
    "captures",
    "gaps",
    "manifest",
    "measurements",
    "memory",
    "method",
    "note",
    "operators",
    "steps",
    "target",
    "thresholds",
]
