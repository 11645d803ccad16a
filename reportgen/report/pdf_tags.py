"""The structure of the PDF, mended where WeasyPrint's falls short of PDF/UA-1, before its objects are written.

WeasyPrint writes a table over several pages as several tables, each with its head again; tags the running header and
footer of every page, which are no part of the text; leaves an empty element for every anchor; does not say which heads
are of columns and which of rows; and gives the place of a picture in pixels from the top of the sheet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

PIXEL = 0.75
"""Points in a pixel of CSS."""
HOLLOW = ("/Span", "/Div", "/Part", "/NonStruct", "/Sect")
"""Elements that say nothing when there is nothing in them."""

Element = dict[str, Any]
"""A dictionary of the PDF; those of structure have the type ``S``, the parent ``P`` and the children ``K``."""
Known = Mapping[bytes, Element]
"""Reference (``b'12 0 R'``) -> dictionary."""


def mend(document: Any, pdf: Any) -> None:
    """Change the structure in place.

    Args:
        document: WeasyPrint's pages, laid out.
        pdf: pydyf's objects, the content of pages still as lists of operators.
    """
    known: Known = {item.reference: item for item in pdf.objects if isinstance(item, dict)}  # type: ignore[attr-defined]
    root = known[pdf.catalog["StructTreeRoot"]]
    for first, *later in _tables(document, known):
        for fragment in later:
            _join(first, fragment, known)
    _prune(root, known)
    elements = list(_elements(root, known))
    for element in elements:
        if element["S"] == "/TH":
            element["A"]["Scope"] = "/Column" if _over_columns(element, known) else "/Row"
        elif element["S"] == "/Figure" and "A" in element:
            left, top, right, bottom = (side * PIXEL for side in element["A"]["BBox"])
            height = known[element["Pg"]]["MediaBox"][3]
            element["A"]["BBox"][:] = (left, height - bottom, right, height - top)
    _leave_out_the_rest(pdf, root, {id(element) for element in elements}, known)


def _kids(element: Element, known: Known) -> Iterator[Element]:
    """The elements right below, in order; content and annotations are none."""
    for kid in element["K"]:
        if isinstance(kid, bytes) and known[kid].get("Type") == "/StructElem":
            yield known[kid]


def _elements(element: Element, known: Known) -> Iterator[Element]:
    """Every element below, in reading order."""
    for kid in _kids(element, known):
        yield kid
        yield from _elements(kid, known)


def _over_columns(head: Element, known: Known) -> bool:
    """Whether a head is that of columns: in the head of its table, or over several columns."""
    return known[known[head["P"]]["P"]]["S"] == "/THead" or "ColSpan" in head["A"]


def _tables(document: Any, known: Known) -> list[list[Element]]:
    """The elements of each table, one for each page it stands on, in order."""
    found: dict[int, dict[int, Element]] = {}

    def look(box: Any, table: int) -> None:
        box = getattr(box, "_box", box)  # of what is placed absolutely
        if box.element_tag == "table":
            table = id(box.element)
        if hasattr(box, "mark"):  # WeasyPrint's element of a cell
            element = box.mark
            while element["S"] != "/Table":
                element = known[element["P"]]
            found.setdefault(table, {})[id(element)] = element
            return
        for child in getattr(box, "children", ()):
            look(child, table)

    for page in document.pages:
        look(page._page_box, 0)  # noqa: SLF001 - the boxes have no public name
    return [list(fragments.values()) for fragments in found.values()]


def _join(first: Element, later: Element, known: Known) -> None:
    """Put the rows of a table's later page behind those of its first; the repeated head leaves the structure.

    Beside a high row there may be no room for the head: the cells of that page are left to the scope of the heads.
    """
    own, repeated = ([part for part in _kids(table, known) if part["S"] == "/THead"] for table in (first, later))
    if own and repeated:
        for head, copy in zip(*(_cells(part, "/TH", known) for part in (own[0], repeated[0])), strict=True):
            copy["ID"].string = head["ID"].string  # cells name their heads by these very strings
    elif own or repeated:
        for cell in _cells(later if own else first, "/TD", known):
            cell["A"].pop("Headers", None)
    for part in _kids(later, known):
        if part["S"] != "/THead" or not own:
            part["P"] = first.reference  # type: ignore[attr-defined]
            first["K"].insert(0 if part["S"] == "/THead" else len(first["K"]), part.reference)  # type: ignore[attr-defined]
    known[later["P"]]["K"].remove(later.reference)  # type: ignore[attr-defined]


def _cells(part: Element, kind: str, known: Known) -> list[Element]:
    return [cell for cell in _elements(part, known) if cell["S"] == kind]


def _prune(element: Element, known: Known) -> None:
    """Take out what is empty, from the leaves up."""
    for kid in list(_kids(element, known)):
        _prune(kid, known)
        if kid["S"] in HOLLOW and not kid["K"] and "Alt" not in kid:
            element["K"].remove(kid.reference)  # type: ignore[attr-defined]


def _leave_out_the_rest(pdf: Any, root: Element, kept: set[int], known: Known) -> None:
    """Mark the content of elements outside the structure as artifacts of the pages, and empty these elements."""
    numbers = known[root["ParentTree"]]["Nums"]
    streams = {page["StructParents"]: page for page in known.values() if page.get("Type") == "/Page"}
    for parent, owners in zip(numbers[::2], numbers[1::2], strict=True):
        if parent not in streams:  # an annotation
            continue
        outside = {mcid for mcid, owner in enumerate(owners) if id(known[owner]) not in kept}
        for mcid in outside:
            owners[mcid] = "null"
        stream = pdf.objects[int(streams[parent]["Contents"].split()[0])].stream
        for place, part in enumerate(stream):
            if isinstance(part, dict) and part.get("MCID") in outside:
                stream[place - 1] = "/Artifact"
                part.clear()
                part["Type"] = "/Pagination"
    for element in known.values():
        if element.get("Type") == "/StructElem" and id(element) not in kept:
            element.clear()
