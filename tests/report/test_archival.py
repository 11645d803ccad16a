"""The PDF is PDF/A-3a and PDF/UA-1: what we check of the file, a checker of PDF/UA, and veraPDF where it is."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import outloud
import pikepdf
import pytest

from reportgen.report import html, pdf
from reportgen.report.serialize import to_json
from tests.report.conftest import CREATED, DIGEST, Made, report_of

FILES = [
    ("example", "zh", "brief"),
    ("example", "en", "formal"),
    ("met", "zh", "formal"),
    ("single_kernel", "en", "brief"),
]
"""(report, language, form): the whole example in both languages and forms, and both the other way round, small."""
STANDARD = {
    "Document", "Part", "Sect", "Div", "NonStruct", "P", "H1", "H2", "H3", "H4", "H5", "H6", "L", "LI", "Lbl", "LBody",
    "Table", "THead", "TBody", "TR", "TH", "TD", "Caption", "Figure", "Link", "Span",
}  # fmt: skip
"""ISO 32000-1, 14.8.4: the types that the files use of those that need no role map."""
SHOWS = {"Tj", "TJ", "'", '"'}
"""Operators that show text."""


@cache
def opened(path: Path) -> pikepdf.Pdf:
    return pikepdf.open(path)


@pytest.fixture(params=FILES, ids="-".join)
def made(request: pytest.FixtureRequest, pdf_of: Made) -> Path:
    return pdf_of(*request.param)


@pytest.fixture
def document(made: Path) -> pikepdf.Pdf:
    return opened(made)


def elements(parent: Any) -> Iterator[Any]:
    """The elements of structure below, in reading order."""
    for kid in parent.get("/K", ()):
        if isinstance(kid, pikepdf.Dictionary) and kid.get("/Type") == "/StructElem":
            yield kid
            yield from elements(kid)


def named(item: Any) -> str:
    return str(item.S)[1:]


def below(table: Any, kind: str) -> list[Any]:
    return [item for item in elements(table) if named(item) == kind]


# ------------------------------------------------------------------------------------------- PDF/A-3a
def test_colours_fonts_and_name_are_in_the_file_and_nothing_runs(document: pikepdf.Pdf) -> None:
    root = document.Root
    assert not document.is_encrypted  # ISO 19005-3, 6.1.3
    assert all(bytes(part) for part in document.trailer.ID)  # 6.1.3
    (intent,) = root.OutputIntents  # 6.2.3
    assert intent.S == "/GTS_PDFA1"
    assert intent.DestOutputProfile.N == 3
    assert intent.DestOutputProfile.read_bytes()[36:40] == b"acsp"  # the signature of an ICC profile
    assert not {"/AcroForm", "/OpenAction", "/AA", "/JavaScript", "/Requirements"} & set(root.keys())  # 6.5, 6.6
    dictionaries = [item for item in document.objects if isinstance(item, pikepdf.Dictionary)]
    assert not {"/JS", "/XFA"} & {key for item in dictionaries for key in item}
    fonts = [item for item in dictionaries if item.get("/Type") == "/Font"]
    assert fonts
    for font in fonts:  # 6.2.11: programs embedded, every glyph with its character
        if font.Subtype == "/Type0":
            assert "/ToUnicode" in font
            (inner,) = font.DescendantFonts
            assert inner.FontDescriptor.FontFile2.read_bytes()[:4] == b"\x00\x01\x00\x00"
            assert "/CIDToGIDMap" in inner
    with document.open_metadata() as metadata:
        assert [metadata[key] for key in ("pdfaid:part", "pdfaid:conformance", "pdfuaid:part")] == ["3", "A", "1"]
        assert metadata["dc:title"] == str(document.docinfo["/Title"])  # 6.6.2: both places agree
        assert metadata["pdf:Producer"] == str(document.docinfo["/Producer"])
    assert "<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>" in root.Metadata.read_bytes().decode()


@pytest.mark.parametrize("name", FILES, ids="-".join)
def test_the_data_is_attached_as_what_the_pages_were_made_from(name: tuple[str, str, str], pdf_of: Made) -> None:
    document = opened(pdf_of(*name))
    (attached,) = document.Root.AF  # 6.8
    assert (attached.F, attached.UF, attached.AFRelationship) == ("report.json", "report.json", "/Data")
    assert str(attached.Desc)
    stream = attached.EF.F
    assert stream.Subtype == "/application/json"
    held = document.attachments["report.json"].get_file()
    assert held.creation_date == held.mod_date == CREATED
    assert stream.read_bytes() == to_json(report_of(name[0])).encode()


# ------------------------------------------------------------------------------------------- PDF/UA-1
def test_all_text_is_read_once_or_belongs_to_the_sheet(document: pikepdf.Pdf) -> None:
    root = document.Root.StructTreeRoot
    owned: Counter[tuple[int, int]] = Counter()
    for element in elements(root):
        assert named(element) in STANDARD
        for kid in element.K:
            if isinstance(kid, int):
                owned[element.Pg.objgen[0], kid] += 1
    pages = {page.obj.objgen[0]: page for page in document.pages}
    numbers = root.ParentTree.Nums
    owners = {int(numbers[i]): numbers[i + 1] for i in range(0, len(numbers), 2)}
    found: Counter[tuple[int, int]] = Counter()
    for number, page in pages.items():
        open_: list[int | str] = []
        for operands, operator in pikepdf.parse_content_stream(page):
            if str(operator) == "BDC" and "/MCID" in operands[1]:
                open_.append(int(operands[1].MCID))
                found[number, open_[-1]] += 1
            elif str(operator) in ("BDC", "BMC"):
                open_.append(str(operands[0]))
            elif str(operator) == "EMC":
                open_.pop()
            elif str(operator) in SHOWS:
                assert len([part for part in open_ if isinstance(part, int) or part == "/Artifact"]) == 1  # 7.1
        for mcid, owner in enumerate(owners[int(page.obj.StructParents)]):
            if owner is None:  # of the sheet
                assert (number, mcid) not in owned
            else:
                assert mcid in [kid for kid in owner.K if isinstance(kid, int)]
    assert owned == found
    assert set(owned.values()) == {1}


@pytest.mark.parametrize("name", FILES[:3], ids="-".join)
def test_a_table_is_one_table_over_all_its_pages(name: tuple[str, str, str], pdf_of: Made) -> None:
    report, language, form = name
    page = html.document(
        report_of(report), language=language, digest=DIGEST, edition="paper", form=form, commands=("a",)  # type: ignore[arg-type]
    )  # fmt: skip
    tables = below(opened(pdf_of(*name)).Root.StructTreeRoot, "Table")
    assert len(tables) == page.count("<table")
    rows = [len(re.findall("<tr[ >]", part.split("</table>")[0])) for part in page.split("<table")[1:]]
    assert [len(below(table, "TR")) for table in tables] == rows
    assert max(len({row.Pg.objgen for row in below(table, "TR")}) for table in tables) > 1


@pytest.mark.parametrize(
    "heights",
    [
        [100] * 5,  # the head on each of three sheets
        [100, 180, 100, 100],  # no room for the head beside the second row
        [180, 100, 100],  # nor beside the first
    ],
)
def test_a_head_that_some_sheets_leave_out_still_heads_the_whole_table(heights: list[int]) -> None:
    weasyprint = pdf._weasyprint()
    rows = "".join(f'<tr><th scope="row">{n}<td style="height:{height}mm">x' for n, height in enumerate(heights))
    document = weasyprint.HTML(
        string='<html lang="en"><title>t</title><style>@page{size:A4;margin:10mm}</style><h1>h</h1><table>'
        f'<thead><tr><th style="height:120mm">a<th>b</thead><tbody>{rows}</tbody></table>'
    ).render(**pdf.OPTIONS)
    made = pikepdf.open(io.BytesIO(document.write_pdf(**pdf.OPTIONS, finisher=pdf._finish)))
    assert len(made.pages) > 2
    (table,) = below(made.Root.StructTreeRoot, "Table")
    assert [named(part) for part in table.K][:2] == ["THead", "TBody"]
    assert len(below(table, "THead")) == 1
    assert [named(row.P) for row in below(table, "TR")] == ["THead"] + ["TBody"] * len(heights)
    heads = {str(head.ID): str(head.A.Scope) for head in below(table, "TH")}
    assert sorted(heads.values()) == ["/Column"] * 2 + ["/Row"] * len(heights)
    for cell in below(table, "TD"):
        named_by = cell.A.get("/Headers")
        assert named_by is None or {heads[str(name)] for name in named_by} == {"/Column", "/Row"}


def test_every_cell_names_its_heads(document: pikepdf.Pdf) -> None:
    tables = below(document.Root.StructTreeRoot, "Table")
    ids = [str(head.ID) for table in tables for head in below(table, "TH")]
    assert len(ids) == len(set(ids))
    for table in tables:
        heads = {str(head.ID): head for head in below(table, "TH")}
        columns = {id(cell) for part in below(table, "THead") for cell in below(part, "TH")}
        assert len(below(table, "THead")) <= 1
        for head in heads.values():
            over = named(head.P.P) == "THead" or "/ColSpan" in head.A
            assert head.A.Scope == ("/Column" if over else "/Row")  # 7.5
        for cell in below(table, "TD"):
            assert {str(name) for name in cell.A.Headers} <= set(heads)
        assert columns or not below(table, "THead")


def test_pictures_are_told_and_stand_where_they_are_said_to(document: pikepdf.Pdf) -> None:
    for figure in below(document.Root.StructTreeRoot, "Figure"):
        assert len(str(figure.Alt)) > 10  # 7.3
        left, bottom, right, top = map(float, figure.A.BBox)
        page = [float(side) for side in figure.Pg.MediaBox]
        assert page[0] <= left < right <= page[2]
        assert page[1] <= bottom < top <= page[3]
    first = next(iter(below(document.Root.StructTreeRoot, "Figure")), None)
    if first is not None and first.Pg == document.pages[0].obj:
        assert float(first.A.BBox[3]) < 842 - 150  # page one: below its head and verdict


def test_links_are_links_with_words(document: pikepdf.Pdf) -> None:
    numbers = document.Root.StructTreeRoot.ParentTree.Nums
    owners = {int(numbers[i]): numbers[i + 1] for i in range(0, len(numbers), 2)}
    for page in document.pages:
        annotations = page.obj.get("/Annots", [])
        assert not annotations or page.obj.Tabs == "/S"  # 7.18.3
        for annotation in annotations:
            assert annotation.Subtype == "/Link"
            assert named(owners[int(annotation.StructParent)]) == "Link"  # 7.18.5
            assert str(annotation.Contents)  # 7.18.1
            assert int(annotation.F) & 4  # printed; ISO 19005-3, 6.3.2


def test_heads_go_down_by_one_level(document: pikepdf.Pdf) -> None:
    levels = [int(named(item)[1]) for item in elements(document.Root.StructTreeRoot) if re.match(r"H\d", named(item))]
    assert levels[0] == 1
    assert all(level <= before + 1 for before, level in pairwise(levels))


# ------------------------------------------------------------------------------------------- foreign checkers
def words_of_heads(name: tuple[str, str, str]) -> set[str]:
    """The words of the column heads of a report."""
    report, language, form = name
    page = html.document(
        report_of(report), language=language, digest=DIGEST, edition="paper", form=form, commands=("a",)  # type: ignore[arg-type]
    )  # fmt: skip
    heads = " ".join(re.findall("<thead>.*?</thead>", page, re.DOTALL))
    return set(re.sub("<[^>]*>", " ", heads).replace("\u00a0", " ").split())


def excused(finding: Any, heads: set[str]) -> bool:
    """What the checker of PDF/UA finds by a rule of thumb of its own, where that rule does not fit this report.

    None of these rules is a clause that decides conformance; each is held against what it looks at here.
    """
    message, evidence = finding.message, finding.evidence or ""
    match finding.rule:
        case "TBL-010":
            # Counts heads: "more heads than cells" where two columns stand beside a head of each row, and "more than
            # three rows of heads" where a head over all columns begins each group of a long table.
            return bool(re.search(r"header cells against|\d+ header rows", message))
        case "TAG-002":
            # Takes the repeated head of a table on its next sheet for lost text: it is read once, with the table.
            *whole, last = evidence.replace("; ", " ").replace("\u00a0", " ").rstrip("…").split()
            return set(whole) <= heads and any(head.startswith(last) for head in heads)
        case "PAG-001":
            # Takes equal lines at the top of three sheets for a running header: rows of the table of origins.
            return not re.search(r"SHA-256|第 \d+ 页|page \d", evidence)
        case "FIG-012":
            return True  # asks that half of a text be letters; these state figures, as a picture of figures should
        case "TBL-014":
            return bool(
                re.match(r"(stage|环节)\b", evidence)
            )  # the tables to sign: it looks at the text, cells are blank
        case "TBL-012":
            return "cells are empty" in message  # the revision record and the open issues are filled in by hand
        case "ORD-001":
            # List numbers are painted after the text they stand before; the structure has them in order.
            return finding.page == 2 and message.startswith("1 page(s)")
    return False


@pytest.mark.parametrize("name", FILES, ids="-".join)
def test_a_checker_of_pdf_ua_finds_no_fault(name: tuple[str, str, str], pdf_of: Made) -> None:
    result = outloud.check(str(pdf_of(*name)))
    assert result.error is None
    heads = words_of_heads(name)
    assert not [(f.rule, f.page, f.message, f.evidence) for f in result.findings if not excused(f, heads)]


@pytest.mark.parametrize("flavour", ["3a", "ua1"])
def test_verapdf_finds_no_fault(made: Path, flavour: str) -> None:
    program = shutil.which("verapdf")
    if program is None:
        pytest.skip("veraPDF is not installed")
    found = subprocess.run(
        [program, "--flavour", flavour, "--format", "text", str(made)], check=False, capture_output=True, text=True
    )
    assert found.stdout.startswith("PASS"), found.stdout
