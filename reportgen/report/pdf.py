"""The report as a PDF: the paper edition of the HTML, set by WeasyPrint in the vendored fonts.

Tagged, A4, with bookmarks; nothing is fetched but the two font files. The same report, date, package versions and
libraries give the same bytes; without libharfbuzz-subset another program cuts the fonts, and the bytes are others.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import io
import logging
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from types import ModuleType
from typing import Any
from xml.etree import ElementTree as ET

from reportgen.errors import RenderError
from reportgen.report import fonts, html, pdf_tags
from reportgen.report.document import Report
from reportgen.report.formal import FormName

VARIANT = "pdf/a-3a"
"""Archival, tagged, and made to carry report.json; the same pages are PDF/UA-1, which ``_finish`` claims."""
OPTIONS: dict[str, Any] = {"pdf_variant": VARIANT, "pdf_tags": True}
"""Options of layout and output."""
TRIES = 4
"""How many tightnesses there are: page one has less on it with each, until it is one page."""
UA = (
    b'<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"><pdfuaid:part>1</pdfuaid:part>'
    b'</rdf:Description><rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"'
    b' xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"'
    b">"
    b'<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">'
    b"<pdfaSchema:schema>PDF/UA identification</pdfaSchema:schema>"
    b"<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>"
    b"<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>"
    b'<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaProperty:name>part'
    b"</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType>"
    b"<pdfaProperty:category>internal</pdfaProperty:category><pdfaProperty:description>Part of ISO 14289"
    b"</pdfaProperty:description></rdf:li></rdf:Seq>"
    b"</pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>"
)
"""What PDF/UA-1 asks of the metadata, with the description of it that PDF/A asks for."""
_VOID = re.compile(r"<((?:br|col|hr|img|input|link|meta|wbr)\b[^>]*?)/?>")
"""An element that has no end tag."""
PANGO_HINT = "apt-get install -y --no-install-recommends libpangoft2-1.0-0 libharfbuzz-subset0"
"""What supplies the libraries on Debian and Ubuntu."""


def render(
    report: Report,
    *,
    language: str,
    digest: str,
    created: datetime,
    form: FormName = "brief",
    commands: Sequence[str] = (),
    carried: bytes = b"",
) -> bytes:
    """The PDF of a report.

    Args:
        report: the data.
        language: ``zh`` or ``en``.
        digest: SHA-256 of report.json, printed on every page.
        created: written as the document's date; with a time zone.
        form: ``brief`` or ``formal``.
        commands: command lines that made the report; the formal form prints them.
        carried: report.json, which the file carries as its source; empty: it carries none.

    Raises:
        RenderError: ``pango_missing``, ``fonts_missing`` or ``missing_glyph``.
    """
    weasyprint = _weasyprint()
    stamp = created.astimezone(UTC)
    pages = functools.partial(
        html.document,
        report,
        language=language,
        digest=digest,
        edition="paper",
        created=stamp,
        form=form,
        commands=commands,
    )
    with _complaints() as complaints, _uncollected():
        for tight in range(_tightness(weasyprint, pages), TRIES):
            complaints.clear()
            document = _set(weasyprint, _spelled(pages, tight))
            if _on_one_sheet(document.pages):
                break
        _number(document.pages)
        attachments = [_attachment(weasyprint, carried, stamp)] if carried else []
        document.metadata.attachments = [*document.metadata.attachments, *attachments]
        pdf: bytes = document.write_pdf(**OPTIONS, finisher=_finish)
    boxes = [text for text in complaints if ".notdef" in text]
    if boxes:
        raise RenderError(
            "missing_glyph",
            f"the fonts lack characters of the report: {'; '.join(dict.fromkeys(boxes))}",
            hint="read report.html, which uses the system's fonts, and report this as a fault of reportgen",
        )
    return pdf


def _sheets(pages: Sequence[Any]) -> dict[str, int]:
    """The sheet that each anchor is on, from 0."""
    sheets: dict[str, int] = {}
    for number, page in enumerate(pages):
        for anchor in page.anchors:  # that of a block over several sheets stands on each of them
            sheets.setdefault(anchor, number)
    return sheets


def _on_one_sheet(pages: Sequence[Any]) -> bool:
    """Whether page one takes one sheet: the contents follow it, in the formal form the first section."""
    sheets = _sheets(pages)
    if "after-one" in sheets:
        return sheets["after-one"] - sheets["one"] == 1
    return sheets.get("contents") == 1


def _number(pages: Sequence[Any]) -> None:
    """Write into the contents the sheet of each section, at the right of the room that two digits take.

    As counters of CSS these numbers would have WeasyPrint set the sheet of the contents three times.
    """
    sheets = _sheets(pages)
    for page in (page for page in pages if "contents" in page.anchors):
        for box in page._page_box.descendants():  # noqa: SLF001 - the boxes have no public name
            if box.element_tag == "span" and getattr(box, "text", "") and box.element.get("class") == "at":
                room, box.text = box.text, str(sheets[box.element.get("data-of")] + 1)
                box.pango_layout.text = box.text
                box.position_x += box.width * (1 - len(box.text) / len(room))  # digits are equally wide


def _tightness(weasyprint: ModuleType, pages: Callable[..., str]) -> int:
    """The least with which page one takes one sheet, the last where none does; page one is set without what follows.

    A page that is the same as with the tightness before is not set again.
    """
    pages, before = functools.partial(pages, only_page_one=True), ""
    for tight in range(TRIES - 1):
        page = _spelled(pages, tight)
        if page != before and _on_one_sheet(_set(weasyprint, page).pages):
            return tight
        before = page
    return TRIES - 1


def _spelled(pages: Callable[..., str], tight: int) -> str:
    """The page; characters that the fonts lack are spelled out and listed."""
    page = pages(tight=tight)
    lacking = fonts.missing(page)
    return fonts.spelled(pages(tight=tight, unprintable=lacking)) if lacking else page


def _set(weasyprint: ModuleType, page: str) -> Any:
    """The page, laid out on sheets."""
    return _source(weasyprint, page).render(**OPTIONS)


def _source(weasyprint: ModuleType, page: str) -> Any:
    """The page, parsed: as XML, which takes a thirtieth of the time that WeasyPrint's parser of HTML does.

    The templates write each end tag and quote each value, so that both come to the same tree; a page that is no XML
    goes to the other parser.
    """
    fetcher = _fetcher(weasyprint)
    try:
        root = ET.fromstring(_as_xml(page))  # noqa: S314 - our own page, without a document type
    except ET.ParseError:
        return weasyprint.HTML(string=page, base_url=None, url_fetcher=fetcher, media_type="print")
    source = object.__new__(weasyprint.HTML)
    source.base_url, source.url_fetcher, source.media_type = None, fetcher, "print"
    source.wrapper_element = weasyprint.cssselect2.ElementWrapper.from_html_root(root, content_language=None)
    source.etree_element = root
    return source


def _as_xml(page: str) -> str:
    """The page without its document type, with its void elements closed and the one entity that XML does not know."""
    return _VOID.sub(r"<\1/>", page.removeprefix("<!doctype html>")).replace("&nbsp;", "\xa0")


def _attachment(weasyprint: ModuleType, carried: bytes, stamp: datetime) -> Any:
    """report.json as the data that the document was made from."""
    return weasyprint.Attachment(
        file_obj=io.BytesIO(carried),
        name="report.json",
        description="The report as data",
        relationship="Data",
        created=stamp,
        modified=stamp,
    )


def _finish(document: Any, pdf: Any) -> None:
    """Mend the structure, claim PDF/UA-1 beside PDF/A-3a (WeasyPrint writes one of them), name the attachment once."""
    pdf_tags.mend(document, pdf)
    metadata = pdf.objects[int(pdf.catalog["Metadata"].split()[0])]
    metadata.stream = [part.replace(b"</rdf:RDF>", UA + b"</rdf:RDF>") for part in metadata.stream]
    if "AF" in pdf.catalog:
        pdf.catalog["AF"] = type(pdf.catalog["AF"])(dict.fromkeys(pdf.catalog["AF"]))
    pdf.catalog["ViewerPreferences"] = type(pdf.catalog)({"DisplayDocTitle": "true"})
    _write_once(pdf)


def _write_once(pdf: Any) -> None:
    """Put the bytes of each object in its place: pydyf would make them twice, again for the digest of the file."""
    plain: Any = type(pdf.objects[0])

    class Written(plain):  # type: ignore[misc]
        """An object as it will stand in the file."""

        data = b""
        compressible = False

        def __init__(self, item: Any) -> None:
            super().__init__()
            self.number, self.generation, self.free = item.number, item.generation, item.free
            self.data, self.compressible = item.data, item.compressible

    add = pdf.add_object

    def added(item: Any) -> None:
        """What pydyf adds as it writes, such as the stream of all that is small."""
        _compress(item)
        add(item)

    for item in pdf.objects[1:]:
        _compress(item)
    pdf.objects[1:] = map(Written, pdf.objects[1:])
    pdf.add_object = added


def _compress(item: Any) -> None:
    """Compress a stream as zlib does by itself; pydyf's level takes four times as long for 3 % fewer bytes."""
    if getattr(item, "compress", False):
        item.compress = False
        content = item.data.partition(b"\nstream\n")[2].removesuffix(b"\nendstream")
        item.stream, item.extra["Filter"] = [zlib.compress(content)], "/FlateDecode"


def _weasyprint() -> ModuleType:
    """The module; it prints a banner and raises OSError where pango is missing."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            import weasyprint
    except OSError as error:
        raise RenderError(
            "pango_missing", f"the PDF needs the pango library: {error}".split("\n", 1)[0], hint=PANGO_HINT
        ) from error
    module: ModuleType = weasyprint
    return module


def _fetcher(weasyprint: ModuleType) -> Any:
    """What serves the two font files, and nothing else."""
    served = {fonts.path(weight).as_uri(): fonts.path(weight) for weight in fonts.FILES}
    response = weasyprint.urls.URLFetcherResponse

    class OnlyFonts(weasyprint.urls.URLFetcher):  # type: ignore[misc,name-defined]
        """Serves the fonts of the report."""

        def fetch(self, url: str, headers: dict[str, str] | None = None) -> Any:  # noqa: ARG002
            """The font at this address.

            Raises:
                ValueError: for any other address; WeasyPrint then goes on without it.
            """
            if url not in served:
                raise ValueError(f"not fetched: {url}")
            return response(url, body=served[url].read_bytes(), headers={"Content-Type": "font/ttf"})

    return OnlyFonts()


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """No garbage collection meanwhile.

    Layout makes millions of objects that all live to its end, and each collection walks them and the report again: a
    quarter of the time in all.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@contextlib.contextmanager
def _complaints() -> Iterator[list[str]]:
    """What WeasyPrint logs meanwhile; it is kept off the terminal."""
    seen: list[str] = []

    class Keep(logging.Handler):
        """Keeps the text of each record."""

        def emit(self, record: logging.LogRecord) -> None:
            """Keep it."""
            seen.append(record.getMessage())

    loggers = [logging.getLogger(name) for name in ("weasyprint", "fontTools")]
    before = [(logger.level, logger.propagate, list(logger.handlers)) for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.WARNING)
        logger.propagate = False
        logger.handlers = [Keep()]
    try:
        yield seen
    finally:
        for logger, (level, propagate, handlers) in zip(loggers, before, strict=True):
            logger.setLevel(level)
            logger.propagate = propagate
            logger.handlers = handlers
