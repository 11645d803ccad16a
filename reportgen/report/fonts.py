"""What the vendored fonts can draw, how wide a text is in them, and what is written for characters they lack.

The PDF and the charts are set in the two files of ``templates/fonts`` alone. A character they lack is written out as
its code point (``U+1F600``), never drawn as a box; the report lists them. Characters that change how others are shown
(bidirectional controls, zero-width ones) are written out in every output: a name must read as its bytes stand.
"""

from __future__ import annotations

import base64
import io
import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fontTools.ttLib import TTFont

from reportgen.errors import RenderError
from reportgen.resources import fonts_dir

FAMILY = "Noto Sans SC"
"""The name in CSS, in the charts and inside the files."""
FILES = {"normal": "NotoSansSC-Regular.ttf", "bold": "NotoSansSC-Bold.ttf"}
"""Weight: file."""

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff0-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e01ef]"
)
"""Controls, marks without width, marks of direction, variation selectors, halves of surrogate pairs."""


@dataclass(frozen=True, slots=True)
class Face:
    """One font file."""

    characters: frozenset[int]
    """Code points it draws."""
    advances: dict[int, int]
    """Width of each, in units of which 1000 make the font size."""


def path(weight: str) -> Path:
    """The file of a weight, ``normal`` or ``bold``.

    Raises:
        RenderError: ``fonts_missing``.
    """
    found = fonts_dir() / FILES[weight]
    if not found.is_file():
        raise RenderError(
            "fonts_missing", "a font of the report is missing", where=str(found), hint="install the package again"
        )
    return found


@cache
def face(weight: str) -> Face:
    """Characters and widths of a weight; read once."""
    with TTFont(path(weight), lazy=True) as font:
        cmap = font.getBestCmap()
        metrics = font["hmtx"].metrics
        scale = 1000 / font["head"].unitsPerEm
        advances = {code: round(metrics[glyph][0] * scale) for code, glyph in cmap.items()}
    return Face(characters=frozenset(advances), advances=advances)


def width(text: str, size: float, weight: str = "normal", *, spare: float = 1.0) -> float:
    """How wide a text is, in the unit of ``size``; kerning, which makes it narrower by a hair, is left out.

    Args:
        text: the text.
        size: type size.
        weight: ``normal`` or ``bold``.
        spare: by how much a character that is not a full square may be wider in another font.
    """
    advances = face(weight).advances
    widths = (advances.get(ord(character), 1000) for character in text)
    return sum(advance if advance >= 1000 else advance * spare for advance in widths) * size / 1000


def elided(text: str, room: float, size: float, weight: str = "normal", *, spare: float = 1.0) -> str:
    """The text, or its head and tail with ``...`` between them when it is wider than ``room``; see ``width``."""
    if width(text, size, weight, spare=spare) <= room:
        return text
    keep = len(text) - 1
    while keep > 1:
        short = text[: (keep + 1) // 2] + "..." + text[len(text) - keep // 2 :]
        if width(short, size, weight, spare=spare) <= room:
            return short
        keep -= 1
    return text[:1] + "..."


def cut(text: str, room: float, size: float, weight: str = "normal") -> str:
    """The text, or its head with ``...`` when it is wider than ``room``."""
    if width(text, size, weight) <= room:
        return text
    keep = len(text) - 1
    while keep > 0 and width(text[:keep] + "...", size, weight) > room:
        keep -= 1
    return text[:keep].rstrip() + "..."


def visible(text: str) -> str:
    """The text with its unseen characters written as code points; new lines and tabs stay."""
    return _UNSEEN.sub(lambda match: code_point(match.group()), text)


def missing(text: str) -> tuple[str, ...]:
    """The characters that the fonts lack, by code point; spaces of any width are not among them."""
    drawn = face("normal").characters & face("bold").characters
    return tuple(chr(code) for code in sorted(set(map(ord, text)) - drawn) if not _is_blank(chr(code)))


def spelled(text: str) -> str:
    """The text with each character that the fonts lack as its code point, and every strange space as a plain one."""
    drawn = face("normal").characters & face("bold").characters
    strange = {code for code in set(map(ord, text)) - drawn if chr(code) not in "\n\t"}
    table = {code: " " if _is_blank(chr(code)) else code_point(chr(code)) for code in strange}
    return text.translate(table) if table else text


def code_point(character: str) -> str:
    """``U+`` and at least four hexadecimal digits."""
    return f"U+{ord(character):04X}"


def _is_blank(character: str) -> bool:
    return character in "\n\t\r" or unicodedata.category(character) == "Zs"


def embedded(page: str) -> str:
    """The ``@font-face`` rules of WOFF2 subsets with just the characters of a page; the same bytes each time.

    Costs some seconds and about 100 to 250 kB. For readers whose machines have no CJK font.
    """
    from fontTools import subset

    rules = []
    for weight in FILES:
        options = subset.Options(
            flavor="woff2", hinting=False, recalc_timestamp=False, layout_features=["kern", "halt"]
        )
        font = subset.load_font(str(path(weight)), options)
        cutter = subset.Subsetter(options)
        cutter.populate(unicodes={ord(character) for character in page} & face(weight).characters)
        cutter.subset(font)
        out = io.BytesIO()
        subset.save_font(font, out, options)
        data = base64.b64encode(out.getvalue()).decode("ascii")
        rules.append(
            f'@font-face{{font-family:"{FAMILY}";font-weight:{400 if weight == "normal" else 700};'
            f'src:url(data:font/woff2;base64,{data}) format("woff2")}}'
        )
    return "".join(rules)
