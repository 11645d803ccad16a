"""Vega's SVG in fewer bytes: the same drawing to a tenth of a pixel, without what draws nothing."""

from __future__ import annotations

import re
from itertools import pairwise

from reportgen.report import fonts

_NUMBER = r"-?(?:\d+(?:\.\d+)?|\.\d+)(?:e-?\d+)?"
_PLACED = re.compile(rf' transform="translate\(({_NUMBER}),({_NUMBER})\)"')
_DISC = re.compile(rf' d="M({_NUMBER}),0A[^"]*"')
_ENDS = re.compile(rf' x2="({_NUMBER})" y2="({_NUMBER})"')
_LINES = re.compile(rf'(?<= d=")M{_NUMBER},{_NUMBER}(?:L{_NUMBER},{_NUMBER})+(?=")')
_BOX = re.compile(rf' d="M({_NUMBER}),({_NUMBER})h({_NUMBER})v({_NUMBER})h{_NUMBER}Z"')
_NOTHING = re.compile(
    r'<path class="(?:foreground|background)" d="(?:|M0,0h0v0h0Z)"[^>]*/>|<path d="(?:" display="none|M0,0h[^"]*Z)"/>'
)
_IDLE = re.compile(
    r' (?:aria-[a-z]+|role|class|pointer-events)="[^"]*"| (?:opacity="1"|text-anchor="start"|font-weight="normal")'
    r'| transform="translate\(0(?:\.0+)?,0(?:\.0+)?\)"'
)


def plain(drawn: str, *, size: int) -> str:
    """The drawing with its places to a tenth and shapes in their shortest spelling.

    Args:
        drawn: what Vega wrote.
        size: type size in px, which the root of the page's own SVG states with the family.
    """
    out = _NOTHING.sub("", _IDLE.sub("", drawn))
    out = re.sub(rf' font-(?:family="{fonts.FAMILY}"|size="{size}px")', "", out)
    return re.sub(r"<(?:path|line|text)\b[^>]*>", _shape, _flat(_NOTHING.sub("", out)))


def _shape(found: re.Match[str]) -> str:
    """One path, line or text."""
    tag = found.group()
    if " stroke=" not in tag:
        tag = re.sub(r' stroke-width="[^"]*"', "", tag)
    tag = _LINES.sub(lambda path: _path(path.group()), tag)
    placed = _PLACED.search(tag)
    if placed is None:
        return _box(tag)
    x, y = float(placed.group(1)), float(placed.group(2))
    if tag.startswith("<text"):
        return _PLACED.sub(f' x="{_tenth(x)}" y="{_tenth(y)}"', tag)
    if tag.startswith("<line") and (ends := _ENDS.search(tag)):
        spots = (x, y, x + float(ends.group(1)), y + float(ends.group(2)))
        words = "".join(f' {name}="{_tenth(spot)}"' for name, spot in zip(("x1", "y1", "x2", "y2"), spots, strict=True))
        return _PLACED.sub(words, _ENDS.sub("", tag))
    if disc := _DISC.search(tag):
        circle = f' cx="{_tenth(x)}" cy="{_tenth(y)}" r="{_tenth(float(disc.group(1)))}"'
        return _PLACED.sub(circle, _DISC.sub("", tag)).replace("<path", "<circle", 1)
    return _PLACED.sub(f' transform="translate({_tenth(x)},{_tenth(y)})"', tag)


def _box(tag: str) -> str:
    """An upright rectangle by its corner and its size."""
    found = _BOX.search(tag)
    if found is None:
        return tag
    x, y, across, down = map(float, found.groups())
    corner, size = (min(x, x + across), min(y, y + down)), (abs(across), abs(down))
    spots = zip(("x", "y", "width", "height"), (*corner, *size), strict=True)
    words = "".join(f' {name}="{round(spot, 2) + 0:g}"' for name, spot in spots)
    return _BOX.sub(words, tag).replace("<path", "<rect", 1)


def _path(lines: str) -> str:
    """A line from point to point: a step along one axis names that axis alone."""
    spots = [tuple(map(_tenth, map(float, spot.split(",")))) for spot in lines[1:].split("L")]
    out = f"M{spots[0][0]},{spots[0][1]}"
    for (x, y), (to_x, to_y) in pairwise(spots):
        if (x, y) != (to_x, to_y):
            out += f"V{to_y}" if x == to_x else f"H{to_x}" if y == to_y else f"L{to_x},{to_y}"
    return out


def _tenth(value: float) -> str:
    """A number to a tenth, without an idle zero."""
    return f"{round(value, 1) + 0:g}"


def _flat(drawn: str) -> str:
    """The same without groups that carry no attribute, which draw as what they hold."""
    opened: list[bool] = []

    def kept(tag: re.Match[str]) -> str:
        if tag.group() == "</g>":
            return "</g>" if opened.pop() else ""
        if tag.group().endswith("/>"):
            return ""
        opened.append(tag.group() != "<g>")
        return tag.group() if opened[-1] else ""

    return re.sub(r"<g\b[^>]*>|</g>", kept, drawn)
