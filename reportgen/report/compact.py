"""The page in fewer bytes: what its reader sees stays the same to the letter.

The labels that a phone prints at each value of a table row are said once for each column instead of in each row; the
style sheets lose comments and spaces; rows of tables lose the line ends between them; an end tag that HTML lets out
(a cell ends where the next one begins) is left out. The paper edition loses what only a screen shows or looks up.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape

from markupsafe import Markup

_TABLE = re.compile(r'<table class="[^"]*">.*?</table>', re.DOTALL)
_ROW = re.compile(r"<tr\b.*?</tr>", re.DOTALL)
_CELL = re.compile(r"<t[dh]\b[^>]*>")
_LABEL = re.compile(r' data-l="([^"]*)"')
_TITLES = re.compile(r' style="--l\d[^"]*"')
_TOKEN = re.compile(r"(--[a-z0-9]+):([^;}]+)")
_BETWEEN = re.compile(r"(</(?:tr|thead|tbody|table|div|h[1-6]|p|section|figure)>)\s+(?=<)")
_ENDS = (
    re.compile(r"</t[dh]>(?=<t[dh]\b|</tr>)"),
    re.compile(r"(?:</t[dh]>)?</tr>(?=<tr\b|</(?:tbody|thead|table)>)"),
    re.compile(r"</d[td]>(?=<d[td]\b|</d(?:l|iv)>)"),
)
"""End tags that may be left out, with what must follow (HTML, 13.1.2.4)."""


def compact(page: str) -> str:
    """The page with each label of a column once, and without line ends and end tags that nothing shows."""
    page = _BETWEEN.sub(r"\1", _TABLE.sub(lambda table: _labelled(table.group()), page))
    for ends in _ENDS:
        page = ends.sub("", page)
    return page


def printed(page: str) -> str:
    """The paper edition without the labels, which only a phone shows."""
    return _TITLES.sub("", _LABEL.sub("", page))


def labels(titles: Mapping[int, str]) -> Markup:
    """The titles of a table's columns, counted from 1, as custom properties; nothing without titles."""
    quoted = {n: re.sub(r'["\\\n\r\f]', lambda found: f"\\{ord(found.group()):x} ", str(t)) for n, t in titles.items()}
    texts = ";".join(f'--l{number}:"{text}"' for number, text in quoted.items())
    return Markup(' style="{}"').format(texts) if texts else Markup("")


def _labelled(table: str) -> str:
    """The table with the labels that are the same in all of its rows as properties of the table."""
    found: dict[int, set[str | None]] = {}
    for row in _ROW.findall(table):
        cells = _CELL.findall(row)
        if not any("colspan" in cell or 'scope="col"' in cell for cell in cells):
            for number, cell in enumerate(cells, 1):
                label = _LABEL.search(cell)
                found.setdefault(number, set()).add(unescape(label.group(1)) if label else None)
    shared = {number: next(iter(said)) for number, said in found.items() if len(said) == 1}
    titles = {number: label for number, label in shared.items() if label is not None}
    if not titles:
        return table

    def without(row: re.Match[str]) -> str:
        number = 0

        def stripped(cell: re.Match[str]) -> str:
            nonlocal number
            number += 1
            return _LABEL.sub("", cell.group()) if number in titles else cell.group()

        return _CELL.sub(stripped, row.group())

    head, tail = _ROW.sub(without, table).split(">", 1)
    return f"{head}{labels(titles)}>{tail}"


def style(sheet: str) -> str:
    """A style sheet without comments and without spaces that separate nothing."""
    sheet = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    sheet = re.sub(r"\s+", " ", sheet)
    return (
        re.sub(r" ?([{};]) ?|(?<=[a-z0-9)]): ", lambda found: found.group(1) or ":", sheet).replace(";}", "}").strip()
    )


def tokens(sheet: str) -> dict[str, str]:
    """The custom properties that a sheet sets, by name."""
    return dict(_TOKEN.findall(sheet))


def resolved(sheet: str, values: Mapping[str, str]) -> str:
    """A sheet with these values in the place of ``var()``, which WeasyPrint looks up for each element.

    Raises:
        KeyError: a property without a value.
    """
    return re.sub(r"var\((--[a-z0-9]+)\)", lambda found: values[found.group(1)], sheet)
