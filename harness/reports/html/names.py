"""Names of files and anchors made of texts that anyone may have written."""

from __future__ import annotations

import unicodedata

LONGEST = 80
"""So many signs a name has at most, so that a path with a number to it stays short enough."""


def slug(text: str) -> str:
    """Give a text in small letters, digits and hyphens; nothing of it can lead anywhere else.

    >>> slug("2021-09-24/day-to-night#Nobody casts")
    '2021-09-24-day-to-night-nobody-casts'
    >>> slug("../../etc/passwd"), slug("Séance"), slug("昼")
    ('etc-passwd', 'seance', 'x')
    """
    flat = unicodedata.normalize("NFKD", text.replace("'", "")).lower()
    kept = "".join(
        sign if sign.isascii() and sign.isalnum() else " " for sign in flat if _own(sign)
    )
    return "-".join(kept.split())[:LONGEST].strip("-") or "x"


def _own(sign: str) -> bool:
    return not unicodedata.combining(sign)


class Names:
    """Gives each key a name of its own, the same one again for the same key."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.taken: set[str] = set()

    def of(self, key: str, text: str | None = None) -> str:
        """Give the name of a key, made of the text or else of the key itself."""
        if key not in self.names:
            base = name = slug(key if text is None else text)
            number = 1
            while name in self.taken:
                number += 1
                name = f"{base}-{number}"
            self.taken.add(name)
            self.names[key] = name
        return self.names[key]
