from __future__ import annotations

import builtins
import gc
import hashlib
import io
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pikepdf
import pypdf
import pytest

from reportgen.errors import RenderError
from reportgen.report import fonts, html, pdf, section_measured
from reportgen.report.document import Report
from reportgen.report.view import Context, line
from tests.report import odd_reports
from tests.report.sample_report import VARIANTS, sample_report

DIGEST = "c878a2969fdcffda97e2e11438893020547bb7ed42257f714ed0d5e71ed6f782"
CREATED = datetime(2026, 11, 5, 8, 30, tzinfo=UTC)
LANGUAGES = ("zh", "en")
ODD = [("single_kernel", "en"), ("hostile", "en"), ("one_side", "en"), ("endless", "zh"), ("endless", "en")]
LAST_QUESTION = {"zh": "未证明什么", "en": "What is not"}


@pytest.fixture(autouse=True, scope="module")
def pango() -> None:
    try:
        pdf._weasyprint()
    except RenderError:
        pytest.skip("pango is not installed")


def report_of(name: str) -> Report:
    return sample_report(name) if name in VARIANTS else getattr(odd_reports, name)()  # type: ignore[arg-type]


@cache
def made(name: str, language: str) -> bytes:
    return pdf.render(report_of(name), language=language, digest=DIGEST, created=CREATED)


@cache
def paper(name: str, language: str, form: Any) -> str:
    return html.document(
        report_of(name), language=language, digest=DIGEST, edition="paper", created=CREATED, form=form
    )  # fmt: skip


@cache
def laid_out(name: str, language: str) -> Any:
    """Page one alone, as boxes."""
    page = html.document(report_of(name), language=language, digest=DIGEST, edition="paper")
    head, _ = page.split('<div class="contents newpage"', 1)
    weasyprint = pdf._weasyprint()
    source = weasyprint.HTML(
        string=fonts.spelled(f"{head}</main></body></html>"), url_fetcher=pdf._fetcher(weasyprint), media_type="print"
    )
    with pdf._complaints():
        return source.render(**pdf.OPTIONS)


def dictionaries(document: pikepdf.Pdf) -> list[pikepdf.Dictionary]:
    """Every dictionary of the document."""
    return [item for item in document.objects if isinstance(item, pikepdf.Dictionary)]


def boxes(page: Any) -> Iterator[Any]:
    """The boxes of the page's content, its margins left out."""
    found = [child for child in page._page_box.children if type(child).__name__ != "MarginBox"]
    while found:
        box = found.pop()
        yield box
        found += getattr(box, "children", [])


@pytest.mark.parametrize(("name", "language"), [(name, lang) for name in VARIANTS for lang in LANGUAGES] + ODD)
def test_page_one_is_one_page_and_nothing_stands_right_of_the_margin(name: str, language: str) -> None:
    document = laid_out(name, language)
    assert len(document.pages) == 1
    page = document.pages[0]
    edge = page._page_box.content_box_x() + page._page_box.width + 0.5
    beyond = [box for box in boxes(page) if hasattr(box, "text") and box.position_x + box.width > edge]
    assert not [box.text for box in beyond]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_of_any_page_stands_right_of_the_margin(language: str) -> None:
    """The example's pages are looked at as pictures in test_sheets.py."""
    weasyprint = pdf._weasyprint()
    page = html.document(sample_report("met"), language=language, digest=DIGEST, edition="paper")
    with pdf._complaints() as complaints:
        document = weasyprint.HTML(string=page, url_fetcher=pdf._fetcher(weasyprint), media_type="print").render()
    assert not complaints
    assert "contents" in document.pages[1].anchors
    for number, sheet in enumerate(document.pages, 1):
        edge = sheet._page_box.content_box_x() + sheet._page_box.width + 0.5
        beyond = [box.text for box in boxes(sheet) if hasattr(box, "text") and box.position_x + box.width > edge]
        assert not beyond, (number, beyond)
    tables = [box for sheet in document.pages for box in boxes(sheet) if "measured" in _class(box).split()]
    cells = [cell for table in tables for cell in table.descendants() if type(cell).__name__ == "TableCellBox"]
    assert len(cells) > 100
    for cell in cells:  # columns as wide as we measured their figures, not as WeasyPrint did
        right = cell.position_x + cell.border_width() + 0.5
        beyond = [box.text for box in cell.descendants() if hasattr(box, "text") and box.position_x + box.width > right]
        assert not beyond


def _class(box: Any) -> str:
    return box.element.get("class", "") if box.element_tag == "table" and box.element is not None else ""


def test_figures_that_leave_no_room_for_names_are_left_to_weasyprint_to_measure() -> None:
    report = report_of("met")
    rows = {row.id: row.origin for row in report.origins}
    context = Context(report=report, language="en", edition="paper", sections={}, origins=rows)
    usual = [line(context, row) for row in report.metrics if row.worst]
    assert sum(section_measured._widths(context, usual)) == pytest.approx(176)  # A4 less its margins of 17 mm
    wide = [replace(one, before=replace(one.before, text="1" * 60)) for one in usual]  # 60 digits of 8 pt: 94 mm
    assert section_measured._widths(context, wide) == ()
    assert section_measured._widths(replace(context, edition="screen"), usual) == ()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["met", "not_comparable"])
def test_the_pdf_is_tagged_named_and_archival(name: str, language: str) -> None:
    with pikepdf.open(io.BytesIO(made(name, language))) as document:
        root = document.Root
        assert str(root.Lang) == {"zh": "zh-CN", "en": "en"}[language]
        assert root.MarkInfo.Marked
        assert "/StructTreeRoot" in root
        assert "/OutputIntents" in root
        assert "/AcroForm" not in root
        assert "/OpenAction" not in root
        assert "/EmbeddedFiles" not in root.get("/Names", pikepdf.Dictionary())
        assert not document.is_encrypted
        title = {"zh": "性能调优验收报告 RG-2026-0117", "en": "Performance tuning acceptance report RG-2026-0117"}
        with document.open_metadata() as metadata:
            assert metadata["dc:title"] == title[language]
            assert (metadata["pdfaid:part"], metadata["pdfaid:conformance"]) == ("3", "A")
        assert str(document.docinfo["/CreationDate"]).startswith("D:20261105083000")
        assert str(document.docinfo["/Author"]) == "示例调优组"
        keys = {key for item in dictionaries(document) for key in item}
        assert not keys & {"/JS", "/JavaScript", "/URI", "/AA"}


@pytest.mark.parametrize("name", ["met", "hostile"])
def test_only_the_vendored_fonts_are_used_and_they_are_embedded(name: str) -> None:
    with pikepdf.open(io.BytesIO(made(name, "zh"))) as document:
        found = [item for item in dictionaries(document) if item.get("/Type") == "/Font"]
        assert found
        for font in found:
            assert re.fullmatch(r"/[A-Z]{6}\+Noto-Sans-SC(-Bold)?", str(font.BaseFont)), font.BaseFont
        descriptors = [item for item in dictionaries(document) if item.get("/Type") == "/FontDescriptor"]
        assert all("/FontFile2" in item for item in descriptors)
        assert all("/ToUnicode" in font for font in found if font.Subtype == "/Type0")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_contents_name_the_sheet_that_each_section_begins_on(language: str) -> None:
    """The bookmarks, which WeasyPrint makes, say where it begins."""
    reader = pypdf.PdfReader(io.BytesIO(made("met", language)))
    text = re.sub(r"\s+", "", reader.pages[1].extract_text())
    heads = [item for item in reader.outline if not isinstance(item, list)][1:]
    assert len(heads) >= 13
    for head in heads:
        number, title = re.fullmatch(r"(\d+)(.*)", re.sub(r"\s+", "", str(head.title))).groups()  # type: ignore[union-attr]
        sheet = (reader.get_destination_page_number(head) or 0) + 1
        assert re.search(rf"{number}{re.escape(title)}\.*{sheet}(?!\d\.)", text), (title, sheet)


def tree(element: Any) -> Any:
    """An element with all that it holds; the names of namespaces are no attributes to every parser."""
    held = {key: value for key, value in element.items() if "xmlns" not in key}
    return element.tag, held, element.text or "", element.tail or "", [tree(child) for child in element]


@pytest.mark.parametrize("form", ["brief", "formal"])
@pytest.mark.parametrize(("name", "language"), [("met", "zh"), ("not_comparable", "en"), ("hostile", "en")])
def test_the_page_is_the_same_to_a_parser_of_xml_and_to_one_of_html(name: str, language: str, form: Any) -> None:
    page = paper(name, language, form)
    weasyprint = pdf._weasyprint()
    with pdf._complaints():
        expected = weasyprint.HTML(string=page, media_type="print").etree_element
    assert tree(ET.fromstring(pdf._as_xml(page))) == tree(expected)


def test_a_page_that_is_no_xml_is_read_as_html() -> None:
    source = pdf._source(pdf._weasyprint(), "<!doctype html><p>a<br>b<p>c")
    assert [element.text for element in source.etree_element.iter("p")] == ["a", "c"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_carry_head_foot_and_number(language: str) -> None:
    reader = pypdf.PdfReader(io.BytesIO(made("met", language)))
    count = len(reader.pages)
    assert 6 <= count <= 20
    texts = [page.extract_text() for page in reader.pages]
    for number, text in enumerate(texts, 1):
        flat = text.replace("\n", " ")
        assert DIGEST in flat
        words = {"zh": f"第 {number} 页 共 {count} 页", "en": f"page {number} of {count}"}[language]
        assert words in flat.replace("\u00a0", " ")
        assert abs(float(reader.pages[number - 1].mediabox.width) - 595.28) < 0.1
    assert LAST_QUESTION[language] in texts[0].replace("\n", " ")
    titles = [str(item.title) for item in reader.outline if not isinstance(item, list)]
    assert len(titles) >= 14
    assert titles[1:] == sorted(titles[1:], key=lambda title: int(re.search(r"\d+", title).group()))  # type: ignore[union-attr]


def test_the_same_report_gives_the_same_bytes() -> None:
    there = CREATED.astimezone(timezone(timedelta(hours=8)))
    again = pdf.render(report_of("single_kernel"), language="en", digest=DIGEST, created=there)
    assert again == made("single_kernel", "en")


def test_the_bytes_do_not_depend_on_the_process() -> None:
    code = (
        "import hashlib; from datetime import UTC, datetime; from reportgen.report import pdf;"
        "from tests.report import odd_reports;"
        f"made = pdf.render(odd_reports.single_kernel(), language='en', digest='{DIGEST}',"
        " created=datetime(2026, 11, 5, 8, 30, tzinfo=UTC));"
        "print(hashlib.sha256(made).hexdigest())"
    )
    found = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
        env={"PYTHONHASHSEED": "777", "PATH": "/usr/bin:/bin"},
    )
    assert found.stdout.strip() == hashlib.sha256(made("single_kernel", "en")).hexdigest()


def with_name(name: str) -> Report:
    """A small report with this directory."""
    report = odd_reports.single_kernel()
    first, *others = report.captures
    return replace(report, captures=(replace(first, name=name), *others))


@pytest.mark.parametrize("language", LANGUAGES)
def test_characters_that_the_fonts_lack_are_spelled_and_listed(language: str) -> None:
    made = pdf.render(with_name(odd_reports.RARE), language=language, digest=DIGEST, created=CREATED)
    text = "".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(made)).pages)
    flat = re.sub(r"\s+", "", text)
    for character in odd_reports.RARE:
        assert f"U+{ord(character):04X}" in flat
        assert character not in text
    assert {"zh": "本PDF的字体没有", "en": "ThefontsofthisPDFlack"}[language] in flat


def test_a_box_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "missing", lambda text: ())
    with pytest.raises(RenderError) as caught:
        pdf.render(with_name("\U000f0000"), language="en", digest=DIGEST, created=CREATED)
    assert caught.value.code == "missing_glyph"
    assert "U+F0000" in caught.value.message
    assert gc.isenabled()  # it rests while the pages are set


@pytest.mark.parametrize(
    "url", ["http://evil.example/a", "file:///etc/passwd", "data:image/svg+xml,<svg/>", "/etc/passwd", "ftp://x/y"]
)
def test_nothing_but_the_fonts_is_fetched(url: str) -> None:
    with pytest.raises(ValueError, match="not fetched"):
        pdf._fetcher(pdf._weasyprint()).fetch(url)


def test_without_pango_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    original = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "weasyprint":
            print("-----\nWeasyPrint could not import some external libraries.")
            raise OSError("cannot load library 'libgobject-2.0-0': not found\nmore")
        return original(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(RenderError) as caught:
        pdf.render(odd_reports.single_kernel(), language="en", digest=DIGEST, created=CREATED)
    assert caught.value.code == "pango_missing"
    assert "libpangoft2-1.0-0 libharfbuzz-subset0" in caught.value.hint
    assert "\n" not in caught.value.message
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("form", "begins"), [("brief", "contents newpage"), ("formal", "body")])
@pytest.mark.parametrize(("name", "language"), [("met", "zh"), ("not_comparable", "en"), ("hostile", "en")])
def test_page_one_is_set_by_itself_as_it_is_in_the_whole(name: str, language: str, form: Any, begins: str) -> None:
    alone = html.document(
        report_of(name), language=language, digest=DIGEST, edition="paper", created=CREATED, form=form,
        only_page_one=True,
    )  # fmt: skip
    whole = paper(name, language, form)
    head, end = alone.index("<main"), f'<div class="{begins}" id='
    begin = '<div class="one" id="one">' if form == "formal" else '<main id="main">'
    assert alone[:head] == whole[:head]
    assert whole.split(end)[0].split(begin)[1].strip() == alone.split(end)[0].split(begin)[1].strip()
    assert re.sub(r"<footer.*</footer>|\s", "", alone.split(end)[1]) in (
        '"contents"></div></main></body></html>',
        '"after-one"></div></main></body></html>',
    )


def layouts(monkeypatch: pytest.MonkeyPatch, too_high: Callable[[int, str], str], form: Any) -> list[tuple[int, str]]:
    """What is laid out for a PDF, in turn: (tightness, how much); page one is too high where there is a text for it."""
    document, lay = html.document, pdf._set
    asked, laid = [], []

    def pages(*arguments: Any, **named: Any) -> str:
        asked.append((named["tight"], "page one" if named.get("only_page_one") else "whole"))
        page = document(*arguments, **{**named, "only_page_one": True})  # a whole without sections
        text = too_high(*asked[-1])
        filling = f'<p style="height:200mm">{text}</p>' if text else ""
        return re.sub(r'(?=(</div>\s*<div class="body"|<div class="contents))', filling, page, count=1)

    def set_pages(weasyprint: Any, page: str) -> Any:
        laid.append(asked[-1])
        return lay(weasyprint, page)

    monkeypatch.setattr(html, "document", pages)
    monkeypatch.setattr(pdf, "_set", set_pages)
    report = sample_report("met") if form == "formal" else odd_reports.single_kernel()
    made = pdf.render(report, language="en", digest=DIGEST, created=CREATED, form=form)
    assert len(pypdf.PdfReader(io.BytesIO(made)).pages) == (3 if too_high(*laid[-1]) else 2)
    return laid


@pytest.mark.parametrize("form", ["brief", "formal"])
def test_a_page_that_comes_out_too_high_is_set_again_by_itself_and_the_whole_once(
    monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    found = layouts(monkeypatch, lambda tight, _: f"{tight}" if tight < 2 else "", form)
    assert found == [(0, "page one"), (1, "page one"), (2, "page one"), (2, "whole")]


def test_a_whole_whose_page_one_takes_two_sheets_after_all_is_set_again_tighter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = layouts(monkeypatch, lambda tight, part: "." if part == "whole" and tight < 2 else "", "brief")
    assert found == [(0, "page one"), (0, "whole"), (1, "whole"), (2, "whole")]


def test_a_page_that_no_tightness_changes_is_set_by_itself_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the last tightness the whole is set, whatever comes of it."""
    assert layouts(monkeypatch, lambda *_: ".", "brief") == [(0, "page one"), (3, "whole")]
