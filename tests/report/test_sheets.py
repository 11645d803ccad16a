"""The sheets of the PDF as pictures, drawn by another program than the one that set them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
import pytest
from numpy.typing import NDArray

from tests.report.conftest import Made

FILES = [
    ("example", "zh", "brief"),
    ("example", "en", "brief"),
    ("example", "en", "formal"),
    ("met", "zh", "formal"),
]
MM = 72 / 25.4
"""Pixels to a millimetre, at 72 to the inch."""
SIDE, TOP, FOOT = 17, 19, 19
"""Margins in mm, as print.css has them; page one begins higher."""
FRONT = 4
"""Sheets of the formal form that are what they are: cover, statements, signatures, revisions with contents."""
Ink = NDArray[np.bool_]


@cache
def sheets(path: Path) -> list[Ink]:
    """Of each sheet, where something is printed."""
    with pdfium.PdfDocument(path) as document:
        return [np.asarray(page.render(scale=1, grayscale=True).to_pil()) < 200 for page in document]


@pytest.fixture(params=FILES, ids="-".join)
def printed(request: pytest.FixtureRequest, pdf_of: Made) -> tuple[list[Ink], int]:
    """The sheets, and how many of them are front matter."""
    return sheets(pdf_of(*request.param)), FRONT if request.param[2] == "formal" else 0


def mm(length: float) -> int:
    return round(length * MM)


def test_every_sheet_is_printed_on_and_nothing_reaches_into_its_margins(printed: tuple[list[Ink], int]) -> None:
    for number, ink in enumerate(printed[0], 1):
        assert ink.shape == (842, 596)  # A4: 595.28 by 841.89 points
        assert ink.mean() > 0.005, number
        assert ink.mean() < 0.3, number  # no sheet goes black
        assert not ink[:, : mm(SIDE) - 1].any(), number
        assert not ink[:, mm(210 - SIDE) + 1 :].any(), number
        assert not ink[: mm(10)].any(), number
        assert not ink[mm(297 - 10) :].any(), number


def test_between_text_and_footer_there_is_room(printed: tuple[list[Ink], int]) -> None:
    for number, ink in enumerate(printed[0], 1):
        assert not ink[mm(297 - FOOT) + 1 : mm(297 - FOOT + 2.5)].any(), number


def test_no_sheet_is_half_empty_but_those_on_purpose(printed: tuple[list[Ink], int]) -> None:
    pages, front = printed
    for number, ink in enumerate(pages[front:-1], front + 1):  # the last ends where the report does
        text = ink[mm(TOP) : mm(297 - FOOT)]
        filled = np.flatnonzero(text.any(axis=1))[-1] / len(text)
        assert filled > 0.6, (number, round(filled, 2))


def test_the_long_report_stays_within_forty_sheets(pdf_of: Made) -> None:
    assert max(len(sheets(pdf_of(*name))) for name in FILES) <= 40
