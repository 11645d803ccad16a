"""A page with the end tags that HTML lets out written again, for readers that pair every tag."""

from __future__ import annotations

from html.parser import HTMLParser

ENDED = {"td": ("td", "th"), "th": ("td", "th"), "tr": ("td", "th", "tr"), "dt": ("dt", "dd"), "dd": ("dt", "dd")}
"""Start tag -> elements that it ends (HTML, 13.1.2.4)."""
MAY_END = {"td", "th", "tr", "dt", "dd"}
VOID = {"meta", "br", "img", "link", "input", "hr"}


class _Explicit(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.out: list[str] = []
        self.open: list[str] = []

    def end(self, names: set[str]) -> None:
        while self.open and self.open[-1] in names:
            self.out.append(f"</{self.open.pop()}>")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.end(set(ENDED.get(tag, ())))
        self.out.append(self.get_starttag_text() or "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.out.append(self.get_starttag_text() or "")

    def handle_endtag(self, tag: str) -> None:
        self.end(MAY_END - {tag})
        if self.open and self.open[-1] == tag:
            self.open.pop()
        self.out.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self.out.append(data)

    def handle_entityref(self, name: str) -> None:
        self.out.append(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.out.append(f"&#{name};")

    def handle_decl(self, decl: str) -> None:
        self.out.append(f"<!{decl}>")


def explicit(page: str) -> str:
    """The page with every end tag."""
    parser = _Explicit()
    parser.feed(page)
    parser.close()
    return "".join(parser.out)
