from __future__ import annotations

import pytest

from reportgen.report import fonts, html
from tests.report.odd_reports import RARE
from tests.report.sample_report import sample_report


def test_both_weights_draw_the_same_characters_of_our_texts() -> None:
    assert {ord("昇"), ord("✓"), ord("×"), ord("≠"), ord("≤"), ord("→"), ord("−"), ord("µ")} <= fonts.face(
        "normal"
    ).characters
    assert fonts.face("normal").characters == fonts.face("bold").characters


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("variant", ["met", "not_comparable", "no_target"])
def test_the_report_has_no_character_that_the_fonts_lack(variant: str, language: str) -> None:
    page = html.document(sample_report(variant), language=language, digest="0" * 64, edition="paper")  # type: ignore[arg-type]
    assert fonts.missing(page) == ()


def test_width_counts_in_the_unit_of_the_size() -> None:
    assert fonts.width("达标", 10) == 20
    assert fonts.width("0", 1000) == 555
    assert fonts.width("Mul", 11, "bold") > fonts.width("Mul", 11)


@pytest.mark.parametrize("room", [30, 60, 120, 240])
def test_elided_fits_its_room_and_keeps_both_ends(room: int) -> None:
    name = "AscendC_FusedVeryLongOperatorNameWithSuffix_0123456789_high_performance"
    short = fonts.elided(name, room, 11)
    assert fonts.width(short, 11) <= room
    assert short.startswith("A")
    assert short == name or "..." in short
    if room >= 60:
        assert short.endswith("e")


def test_elided_leaves_what_fits() -> None:
    assert fonts.elided("MatMulV3", 100, 11) == "MatMulV3"
    assert fonts.cut("MatMulV3", 100, 11) == "MatMulV3"


@pytest.mark.parametrize("room", [20, 60, 120])
def test_cut_keeps_the_head(room: int) -> None:
    short = fonts.cut("很长的说明与 very long words 混排，" * 9, room, 9)
    assert fonts.width(short, 9) <= room
    assert short.endswith("...")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("evil\u202egpj.exe", "evilU+202Egpj.exe"),
        ("a\u200bb\ufeff", "aU+200BbU+FEFF"),
        ("nul\x00", "nulU+0000"),
        ("half\ud800", "halfU+D800"),
        ("line\nand\ttab", "line\nand\ttab"),
        ("昇腾 910B", "昇腾 910B"),
    ],
)
def test_unseen_characters_are_written_out(text: str, shown: str) -> None:
    assert fonts.visible(text) == shown


def test_missing_characters_are_listed_and_spelled() -> None:
    assert fonts.missing(f"a{RARE}b") == tuple(sorted(RARE))
    assert fonts.spelled("a\U0001f600b") == "aU+1F600b"


def test_strange_spaces_become_plain_ones() -> None:
    assert fonts.missing("1\u202f000\u2009ms\n") == ()
    assert fonts.spelled("1\u202f000\u2009ms\n") == "1 000 ms\n"
