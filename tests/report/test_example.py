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
