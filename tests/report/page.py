"""A page of the report as a tree, its figures, and whether each is said where it comes from.

A figure is covered where the row that it stands in folds out its origin, names a file of the manifest, or links to a
row that does; a sentence may repeat a number of such a row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from report.explicit import explicit

FIGURE = re.compile(
    r"(?<![\w.,#/-])[-+\u2212]?(\d[\d,]*(?:\.\d+)?)(?:%|[\u00a0\u202f ](?:pp|%|ns|µs|us|ms|s|min|B|KiB|MiB|GiB|GB/s|MHz"
    r"|tokens/s|req/s|samples/s|QPS|1/s)(?![\w]))"
)
"""A number with its unit."""
SILENT = ("details", "svg", "style", "script", "title", "thead", "caption")
"""Elements whose figures are no text of a row: what is folded out, drawings (whose table is a row), heads."""
BLOCKS = ("tr", "p", "li", "figure", "dd", "h1", "h2", "h3", "div", "section")
SHORTEST = 2
"""Digits of a number that a sentence may repeat from a row; a shorter one says nothing."""


class Element:
    """An element with its children."""

    def __init__(self, tag: str, attributes: dict[str, str], parent: Element | None) -> None:
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.children: list[Element | str] = []

    def all(self) -> Iterator[Element]:
        """This element and all below it, in order."""
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.all()

    def words(self, without: tuple[str, ...] = ()) -> str:
        """Its text."""
        cell = " | " if self.tag in ("td", "th", "dt", "dd", "br") else ""
        return cell + "".join(
            child if isinstance(child, str) else "" if child.tag in without else child.words(without)
            for child in self.children
        )

    def up(self, *tags: str) -> Element | None:
        """The nearest element of these around it, itself too."""
        found: Element | None = self
        while found is not None and found.tag not in tags:
            found = found.parent
        return found


class _Tree(HTMLParser):
    VOID = ("meta", "br", "img", "link", "input", "hr", "wbr")

    def __init__(self) -> None:
        super().__init__()
        self.root = self.here = Element("page", {}, None)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = Element(tag, {key: value or "" for key, value in attrs}, self.here)
        self.here.children.append(found)
        if tag not in self.VOID:
            self.here = found

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.here.children.append(Element(tag, {key: value or "" for key, value in attrs}, self.here))

    def handle_endtag(self, tag: str) -> None:
        found = self.here.up(tag)
        if found is not None and found.parent is not None:
            self.here = found.parent

    def handle_data(self, data: str) -> None:
        self.here.children.append(data)


def tree(page: str) -> Element:
    """The page as a tree."""
    parser = _Tree()
    parser.feed(explicit(page))
    parser.close()
    return parser.root


class Page:
    """A page of the report.

    Args:
        text: its HTML.
        files: paths of the manifest.
    """

    def __init__(self, text: str, files: tuple[str, ...]) -> None:
        self.root = tree(text)
        self.ids = {one.attributes["id"]: one for one in self.root.all() if "id" in one.attributes}
        self.files = tuple({name for path in files for name in (path, path.rpartition("/")[2])})

    def uncovered(self) -> list[tuple[str, str, str]]:
        """(section, number, text of its block) of every figure that is not said where it comes from."""
        said: list[tuple[str, Element, bool]] = []
        known: dict[int, bool] = {}
        section = ""
        for one in self.root.all():
            if one.tag == "h2":
                section = one.attributes.get("id", section)
            if one.tag not in BLOCKS or any(one.parent and one.parent.up(tag) for tag in ("tr", *SILENT)):
                continue
            inner = one.tag in ("div", "section") and any(
                isinstance(child, Element) and child.up("div", "section", "p", "table", "ul") is child
                for child in one.children
            )
            if not inner:
                said.append((section, one, known.setdefault(id(one), self._covered(one))))
        numbers = set()
        for _, one, covered in said:
            if covered:
                numbers |= set(re.findall(r"\d[\d,]*(?:\.\d+)?", one.words()))
        return [
            (section, number, " ".join(one.words(SILENT).split()))
            for section, one, covered in said
            if not covered
            for number in FIGURE.findall(one.words(SILENT))
            if number not in numbers or len(number) < SHORTEST
        ]

    def _covered(self, block: Element) -> bool:
        row = self._row_before(block) if "between" in block.attributes.get("class", "") else block
        if self._says(row):
            return True
        return any(self._says(target) or any(map(self._says, self._linked(target))) for target in self._linked(row))

    def _says(self, block: Element) -> bool:
        """Whether a block folds out an origin, or names a file."""
        if any(one.tag == "details" for one in block.all()):
            return True
        words = block.words()
        return any(name in words for name in self.files)

    def _linked(self, block: Element) -> list[Element]:
        """The rows that a block's links within the page lead to."""
        found = (self.ids.get(one.attributes.get("href", "").removeprefix("#")) for one in block.all())
        return [row for one in found if one is not None and (row := one.up("tr", "p", "section")) is not None]

    @staticmethod
    def _row_before(block: Element) -> Element:
        rows = [one for one in block.parent.children if isinstance(one, Element)] if block.parent else [block]
        before = [one for one in rows[: rows.index(block)] if "between" not in one.attributes.get("class", "")]
        return before[-1] if before else block
