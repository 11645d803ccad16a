from __future__ import annotations

import pytest

from reportgen.report import html
from tests.report.example import example

LANGUAGES = ("zh", "en")
DIGEST = "c878a2969fdcffda97e2e11438893020547bb7ed42257f714ed0d5e71ed6f782"
SIZE = 370_000
"""Bytes: what goes through a mail server and a chat without a thought."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_the_example_is_small(language: str) -> None:
    assert len(html.render(example(), language=language, digest=DIGEST).encode("utf-8")) <= SIZE


def test_what_is_never_compared_is_shown_of_every_rank() -> None:
    """``rank_id`` in profiler_info.json of the four captures: 0 and 1 on either side."""
    rows = [row for row in example().comparability.identity if row.key == "profiler_info.rank_id"]
    assert [(row.place[-6:], row.before, row.after) for row in rows] == [("rank 0", "0", "0"), ("rank 1", "1", "1")]
