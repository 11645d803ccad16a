"""Strangers' text made harmless to show: no control, bidirectional or unpaired surrogate character survives.

A capture's names and values come from outside. Printed as they are they could move a terminal's cursor, turn a line
around, or be impossible to encode. What is unsafe is shown as its escape; the backslash itself is doubled, so that two
different texts never become the same.
"""

from __future__ import annotations

import re

_UNSAFE = re.compile("[\\\\\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    code = ord(character)
    if character == "\\":
        return "\\\\"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def printable(text: str) -> str:
    """The text with every control, bidirectional, zero-width and surrogate character as a visible escape.

    One to one: different texts stay different.
    """
    if text.isascii() and text.isprintable() and "\\" not in text:
        return text
    return _UNSAFE.sub(_escape, text)


_INTEGER = re.compile(r"-?[0-9]{1,18}")


def integer(text: str | None) -> int | None:
    """The whole number a text holds, at most 18 ASCII digits; None for anything else."""
    return int(text) if text is not None and _INTEGER.fullmatch(text) else None
