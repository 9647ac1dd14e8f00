"""Makes text of strangers safe to show."""

from __future__ import annotations

import json
import re
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
    """Give a text that XML 1.0 allows, nothing hidden in it; markup is left to the writer."""
    return plain(text, longest).replace("\ufffe", "\\u{fffe}").replace("\uffff", "\\u{ffff}")


def json_text(data: Any) -> str:
    """Give data as JSON to read, in which what a terminal would obey or hide is escaped too."""
    text = json.dumps(data, indent=1, ensure_ascii=False)
    return _UNSHOWN.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


_UNSHOWN = re.compile("[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]")


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
