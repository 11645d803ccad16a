"""The contractor's note, Markdown, as HTML that fetches nothing and runs nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

LOWEST = 6
"""The deepest heading there is."""


def rendered(text: str, *, below: int) -> Markup:
    """The note as HTML: raw HTML shown as text, links as their words and address, images as their description.

    Args:
        text: Markdown (CommonMark and tables).
        below: level of the heading that the note stands under; its own headings start one deeper and skip no level.
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    above: list[str] = []
    tokens = [_block(token, below, above) for token in parser.parse(text)]
    html: str = parser.renderer.render(tokens, parser.options, {})
    return Markup(html)  # noqa: S704 - the renderer escapes every text, and raw HTML is off


def _block(token: Token, below: int, above: list[str]) -> Token:
    """A heading moved below those of the note that it stands under (``above``); what is inside a line made harmless."""
    if token.type == "heading_open":
        while above and above[-1] >= token.tag:
            above.pop()
        above.append(token.tag)
    if token.type in ("heading_open", "heading_close"):
        return replace(token, tag=f"h{min(below + len(above), LOWEST)}")
    if token.type == "fence":
        return replace(token, info="")
    if token.children:
        return replace(token, children=list(_inline(token.children)))
    return token


def _inline(tokens: list[Token]) -> Iterator[Token]:
    """The same line without links and images."""
    addresses: list[str] = []
    words = ""
    for token in tokens:
        if token.type == "link_open":
            addresses.append(str(token.attrs.get("href", "")))
            words = ""
        elif token.type == "link_close":
            address = addresses.pop()
            if address not in (words, f"mailto:{words}"):
                yield _words(f" ({address})")
        elif token.type == "image":
            words += token.content
            yield _words(token.content)
        else:
            words += token.content
            yield token


def _words(text: str) -> Token:
    return Token(type="text", tag="", nesting=0, content=text)
