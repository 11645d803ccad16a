"""What an error code means, in the language of the reader.

An error itself speaks English, since its sentence names what was found; docs/errors.md says in English what its code
means. In another language that is said below the error, by code: the texts stand in ``templates/locale/*.po`` under the
context ``error``.
"""

from __future__ import annotations

import re

from reportgen.report import messages
from reportgen.report.translations import Language, message, translator

CONTEXT = "error"
"""``msgctxt`` of the texts."""
_TABLE = re.compile(r"\w+?(?=_table_)")


def explained_as(code: str, language: Language) -> str:
    """The entry that explains a code: the code itself, or ``*_table_KIND`` for every table that has none of its own.

    Returns:
        The message id of the entry; empty when the language has none, as English.
    """
    known = translator(language)
    for identity in (code, _TABLE.sub("*", code, count=1)):
        if known.pgettext(CONTEXT, identity) != identity:
            return identity
    return ""


def explanation(code: str, language: Language) -> str:
    """What is wrong in general and what to do next, one line headed by its word; empty in English.

    Args:
        code: code of an error, as docs/errors.md lists it.
        language: ``zh`` or ``en``.

    Raises:
        FileNotFoundError: when there is no .po of that language.
    """
    identity = explained_as(code, language)
    if not identity:
        return ""
    return message(messages.EXPLANATION, language, text=translator(language).pgettext(CONTEXT, identity))
