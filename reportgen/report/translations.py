"""Messages in the reader's language: English is the message id, every other language is one ``templates/locale/*.po``.

The .po is read as it stands; nothing is compiled. ``mark`` only marks a text for translation where it is defined.
"""

from __future__ import annotations

import gettext
import io
import re
from collections.abc import Iterable, Mapping
from functools import cache

from reportgen import resources

Language = str
"""``en``, or the name of a .po beside ``zh.po``."""
SOURCE = "en"
"""The language of the message ids."""
NBSP = "\u00a0"
"""Between what must not part at the end of a line."""

SPACELESS = ("zh",)
"""Languages without spaces between words and sentences."""

_MEASURE_WORDS = "步次个条项种张卡行字节份层类处组侧名位页年月日"
_PLACEHOLDER = re.compile(r"%\((\w+)\)s")
_BOUND = re.compile(rf"(?<=\d) (?=[{_MEASURE_WORDS}])|(?<=第) (?=\d)")


def mark(text: str) -> str:
    """The text itself; marks it for translation."""
    return text


def mark_plural(one: str, many: str) -> tuple[str, str]:
    """Both forms of a text that counts; marks them for translation."""
    return one, many


@cache
def languages() -> tuple[Language, ...]:
    """Every language that can be asked for, English first."""
    return (SOURCE, *sorted(path.stem for path in (resources.templates_dir() / "locale").glob("*.po")))


@cache
def translator(language: Language) -> gettext.NullTranslations:
    """``gettext`` and ``ngettext`` of a language, as Jinja's i18n extension and ``wording`` want them.

    Raises:
        FileNotFoundError: when there is no .po of that language.
    """
    if language == SOURCE:
        return gettext.NullTranslations()
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with (resources.templates_dir() / "locale" / f"{language}.po").open("rb") as file:
        catalog = read_po(file, locale=language)
    compiled = io.BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def bind(text: str, language: Language) -> str:
    """The text with a number bound to its measure word by NBSP where the language has measure words."""
    return _BOUND.sub(NBSP, text) if language == "zh" else text


def message(text: str, language: Language, /, **values: str) -> str:
    """A text of ours in the language, its values filled in; an empty text stays empty."""
    return fill(translator(language).gettext(text) if text else "", values, language)


def plural(texts: tuple[str, str], count: int, language: Language, /, **values: str) -> str:
    """A text that counts, for this number of things; the number is its value ``n``."""
    return fill(translator(language).ngettext(*texts, count), {"n": f"{count:,}", **values}, language)


def fold(pattern: str, items: Iterable[str], language: Language) -> str:
    """Items joined two by two as the language joins them: ``%(first)s, %(second)s``."""
    joined = ""
    for item in items:
        joined = message(pattern, language, first=joined, second=item) if joined else item
    return joined


def placeholders(text: str) -> frozenset[str]:
    """The names of the values that a message prints."""
    return frozenset(_PLACEHOLDER.findall(text))


def fill(text: str, values: Mapping[str, str], language: Language) -> str:
    """A translated message with its values; one without placeholders may hold a bare percent sign.

    In a language without spaces a value gets one towards a neighbour of the other script and none towards its own
    (``BEFORE 的 level``, ``BEFORE 的负载``); inside a value nothing is changed. A value that is not given is printed
    as ``?``.
    """
    parts = _PLACEHOLDER.split(text)
    if len(parts) == 1:
        return bind(text, language)
    filled = parts[0].replace("%%", "%")
    for name, piece in zip(parts[1::2], parts[2::2], strict=True):
        filled = _next(filled, values.get(name, "?"), language)
        filled = _next(filled, piece.replace("%%", "%"), language)
    return bind(filled, language)


def _next(left: str, right: str, language: Language) -> str:
    """Two neighbouring pieces with the space that their scripts ask for; the marks of bold are not seen."""
    if language not in SPACELESS:
        return left + right
    first, last = right.lstrip(" *")[:1], left.rstrip(" *")[-1:]
    spaced = " " in (left[len(left.rstrip(" *")) :] + right[: len(right) - len(right.lstrip(" *"))])
    if spaced and "*" not in left[-1:] + right[:1] and _is_han(first) and _is_han(last):
        return left.rstrip(" ") + right.lstrip(" ")
    if not spaced and ((_is_han(last) and _is_latin(first)) or (_is_latin(last) and _is_han(first))):
        return f"{left} {right}"
    return left + right


def _is_han(character: str) -> bool:
    return "\u4e00" <= character <= "\u9fff"


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalnum()
