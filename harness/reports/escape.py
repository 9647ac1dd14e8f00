"""Makes text of strangers safe to show."""

from __future__ import annotations

import unicodedata
from typing import Any

LONGEST = 2000
"""More than this of one text is never shown."""

# Control characters, and the invisible ones that reorder or hide text around them.
_HIDDEN = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}


def plain(text: Any, longest: int = LONGEST) -> str:
    """Give a text with everything that a terminal would obey, or not show, written out.

    A tab becomes a space; line ends are kept for the caller to split.
    """
    whole = str(text)
    cut = whole if len(whole) <= longest else whole[:longest] + "…"
    if cut.isascii() and cut.isprintable():
        return cut
    return "".join(_visible(sign) for sign in cut.replace("\r\n", "\n"))


def line(text: Any, longest: int = LONGEST) -> str:
    """Give a text as one line: line ends are written out too."""
    return plain(text, longest).replace("\n", "\\n")


def xml(text: Any, longest: int = LONGEST) -> str:
    """Give a text with what XML 1.0 does not allow written out; markup is left to the writer."""
    return "".join(
        sign if sign in "\t\n\r" or not _forbidden(sign) else f"\\x{ord(sign):02x}"
        for sign in str(text)[:longest]
    )


def markdown(text: Any, longest: int = LONGEST) -> str:
    """Give a text as one line of Markdown in which nothing is markup."""
    return "".join(
        sign if sign.isalnum() or sign in " ,.;%/" or ord(sign) > 0x7F else f"&#{ord(sign)};"
        for sign in line(text, longest)
    )


def code(text: Any, longest: int = LONGEST) -> str:
    """Give a text as a code span of Markdown: there an `@name` calls nobody either."""
    return f"<code>{markdown(text, longest)}</code>"


def _visible(sign: str) -> str:
    if sign == "\t":
        return " "
    if sign == "\n" or unicodedata.category(sign) not in _HIDDEN:
        return sign
    code = ord(sign)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:x}}}"


def _forbidden(sign: str) -> bool:
    code = ord(sign)
    return code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000 or code in (0xFFFE, 0xFFFF)
