"""Page one stays short: at most 650 Chinese characters or 400 English words, in both forms, whatever the report."""

from __future__ import annotations

import re
from functools import cache
from html import unescape

import pytest

from reportgen.report import html
from reportgen.report.document import Report
from tests.report import odd_reports
from tests.report.sample_report import sample_report

DIGEST = "c878a2969fdcffda97e2e11438893020547bb7ed42257f714ed0d5e71ed6f782"
REPORTS = ("met", "not_met", "undecided", "not_comparable", "many_ranks", "one_side")
HAN, WORDS = 650, 400
"""Chinese characters, English words."""


def report_of(name: str) -> Report:
    made = getattr(odd_reports, name, None)
    return made() if made else sample_report(name)  # type: ignore[arg-type,no-any-return]


@cache
def page_one(name: str, language: str) -> str:
    """The text of page one on paper, its charts left out."""
    page = html.document(report_of(name), language=language, digest=DIGEST, edition="paper")
    head = page.split('<main id="main">', 1)[1].split('<div class="contents newpage"', 1)[0]
    return unescape(re.sub("<[^>]*>", " ", re.sub("<svg.*?</svg>", " ", head, flags=re.DOTALL)))


@pytest.mark.slow
@pytest.mark.parametrize("name", REPORTS)
def test_page_one_is_short(name: str) -> None:
    assert len(re.findall("[\u4e00-\u9fff]", page_one(name, "zh"))) <= HAN
    assert len(re.findall(r"[A-Za-z][A-Za-z'-]*", page_one(name, "en"))) <= WORDS
