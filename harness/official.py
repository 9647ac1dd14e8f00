"""Reads official rulings from the files in which others publish them, however big.

Three forms, told apart by content: Scryfall's bulk `rulings` (an array of {oracle_id, comment, …}),
an MTGJSON set file or AllPrintings (`data.cards[].rulings`, `data.SET.cards[].rulings`), and JSON
Lines of {date, text, cards}. Each may be packed with gzip, bzip2 or xz. Nothing but one card or one
ruling of a file is in memory at a time, and of the rulings those that are asked for.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import itertools
import json
import lzma
import re
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

LONGEST_LINE = 1 << 20
"""How many bytes a line of JSON Lines may have."""

DEEPEST = 64
"""How deep the objects of a file may be nested."""

FORMS = {
    "scryfall": "bulk rulings of Scryfall",
    "mtgjson": "MTGJSON",
    "lines": "JSON Lines of {date, text, cards}",
}

# Single quotation marks U+2018 to U+201B, double ones U+201C to U+201F.
_QUOTES = {code: "'" if code < 0x201C else '"' for code in range(0x2018, 0x2020)}
_PACKED: tuple[tuple[bytes, Callable[[Any], Any]], ...] = (
    (b"\x1f\x8b", lambda raw: gzip.GzipFile(fileobj=raw)),
    (b"BZh", bz2.BZ2File),
    (b"\xfd7zXZ\x00", lzma.LZMAFile),
)


class NotRulingsError(Exception):
    """A file that is none of the three forms, or is broken; the message says what it is instead."""


@dataclass(frozen=True, slots=True)
class Saying:
    """One ruling as one place of a file has it; `card` is None where the file does not say."""

    text: str
    date: str
    card: str | None


@dataclass(slots=True)
class Ruling:
    """One official wording of a file, with all its dates and the front faces of all its cards."""

    digest: str
    text: str
    dates: set[str] = field(default_factory=set)
    cards: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Rulings:
    """What a file has: the wordings that were asked for by digest, and the cards in it.

    `named` says whether cards go by their names in it; oracle ids that no cards file resolves do
    not, and then nothing is known of the cards that the file leaves out.
    """

    form: str
    by_digest: Mapping[str, Ruling]
    cards: frozenset[str]
    named: bool
    read: int
    """How many rulings the file has in all, repeated ones counted again."""


def normalized(text: str) -> str:
    """Give a wording as digests take it: NFKC, straight quotes, single spaces, trimmed.

    >>> normalized(" It\u2019s  night. ")
    "It's night."
    """
    return " ".join(unicodedata.normalize("NFKC", text).translate(_QUOTES).split())


def digest_of(text: str) -> str:
    """Give the SHA-256 of the normalised wording, as the catalogue holds it."""
    return hashlib.sha256(normalized(text).encode("utf-8", "surrogatepass")).hexdigest()


def front(name: str) -> str:
    """Give the front face's name of a card that is named by both.

    >>> front("Tavern Ruffian // Tavern Smasher")
    'Tavern Ruffian'
    """
    return name.partition(" // ")[0].strip()


def read(
    path: Path,
    wanted: Callable[[Saying, str], bool],
    names: Mapping[str, str] | None = None,
    on_read: Callable[[float], object] | None = None,
) -> Rulings:
    """Read the rulings of a file that are `wanted` (asked with each and its digest).

    `names` gives the cards' names by oracle id (`card_names`). `on_read` hears what part of the
    file has been read. Raises `NotRulingsError`.
    """
    found: dict[str, Ruling] = {}
    cards: set[str] = set()
    count = 0
    with _Source(path, on_read) as source:
        form = _form(source)
        for saying in _sayings(form, source, names):
            if saying.card is not None:
                cards.add(saying.card)
            if not saying.text:  # a card without rulings, or a ruling of nobody in particular
                continue
            count += 1
            digest = digest_of(saying.text)
            if not wanted(saying, digest):
                continue
            ruling = found.get(digest)
            if ruling is None:
                ruling = found[digest] = Ruling(digest, normalized(saying.text))
            if saying.date:
                ruling.dates.add(saying.date)
            if saying.card:
                ruling.cards.add(saying.card)
    if not count:
        raise NotRulingsError(f"{path}: it has the form of {FORMS[form]} but no ruling in it")
    if names is not None and form == "scryfall":
        cards.update(names.values())
    named = form != "scryfall" or names is not None
    return Rulings(form, found, frozenset(cards), named, count)


def form_of(path: Path) -> str:
    """Say which of `FORMS` a file has, by how it begins. Raises `NotRulingsError`."""
    with _Source(path, None) as source:
        return _form(source)


def card_names(path: Path, on_read: Callable[[float], object] | None = None) -> dict[str, str]:
    """Give the front faces' names by oracle id, of a bulk cards file. Raises `NotRulingsError`."""
    names: dict[str, str] = {}
    with _Source(path, on_read) as source:
        if _first_sign(source) != "[":
            raise NotRulingsError(f"{path}: not a bulk cards file (an array of cards)")
        for card in _objects(source, _in_array, ("oracle_id", "name")):
            key, name = card.get("oracle_id"), card.get("name")
            if isinstance(key, str) and isinstance(name, str):
                names[key] = front(name)
    if not names:
        raise NotRulingsError(f"{path}: no card in it has an oracle_id and a name")
    return names


# -- the three forms


def _form(source: _Source) -> str:
    sign = _first_sign(source)
    if sign == "[":
        return "scryfall"
    if sign == "{":
        return "lines" if _is_lines(source) else "mtgjson"
    what = "an empty file" if not sign else f"it begins with {sign!r}, so it is not JSON"
    raise NotRulingsError(f"{source.path}: {what}; {_EXPECTED}")


_EXPECTED = "expected " + ", ".join([*list(FORMS.values())[:-1], "or " + FORMS["lines"]])


def _first_sign(source: _Source) -> str:
    head = source.peek(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    return head[:1].decode("ascii", "replace")


def _is_lines(source: _Source) -> bool:
    """Say whether the first line is an object of its own that has a text."""
    head = source.peek(LONGEST_LINE).removeprefix(b"\xef\xbb\xbf").lstrip()
    try:
        first = json.loads(head.partition(b"\n")[0])
    except (ValueError, RecursionError):
        return False
    return "text" in first and "data" not in first


def _sayings(form: str, source: _Source, names: Mapping[str, str] | None) -> Iterator[Saying]:
    if form == "lines":
        return _of_lines(source)
    return _of_mtgjson(source) if form == "mtgjson" else _of_scryfall(source, names)


def _of_scryfall(source: _Source, names: Mapping[str, str] | None) -> Iterator[Saying]:
    keys = ("oracle_id", "name", "source", "published_at", "comment")
    for number, each in enumerate(_objects(source, _in_array, keys), 1):
        if "comment" not in each:
            what = (
                "a bulk file of cards; give it with --cards"
                if "oracle_id" in each and "name" in each
                else f"its item {number} has no comment"
            )
            raise NotRulingsError(f"{source.path}: {what}; {_EXPECTED}")
        where = f"item {number}"
        text = _text(source, where, each, "comment")
        if each.get("source", "wotc") != "wotc":  # Scryfall's own notes are not official
            continue
        key = each.get("oracle_id")
        name = each.get("name") or (names or {}).get(key if isinstance(key, str) else "")
        if names is None and not name:
            card = f"oracle:{key}" if isinstance(key, str) else None
        else:
            card = front(name) if isinstance(name, str) else None
        yield Saying(text, _date(each.get("published_at")), card)


def _of_mtgjson(source: _Source) -> Iterator[Saying]:
    found = False
    for card in _objects(source, _in_data, ("name", "rulings")):
        name, rulings = card.get("name"), card.get("rulings")
        if not isinstance(name, str):
            continue
        found = True
        yield Saying("", "", front(name))
        for number, each in enumerate(rulings if isinstance(rulings, list) else (), 1):
            where = f"ruling {number} of {name}"
            if not isinstance(each, dict):
                raise NotRulingsError(f"{source.path}: {where} is not an object")
            yield Saying(_text(source, where, each, "text"), _date(each.get("date")), front(name))
    if not found:
        raise NotRulingsError(f"{source.path}: no cards under its data; {_EXPECTED}")


def _of_lines(source: _Source) -> Iterator[Saying]:
    for number in itertools.count(1):
        line = source.readline(LONGEST_LINE + 1)
        if not line:
            return
        where = f"line {number}"
        if len(line) > LONGEST_LINE:
            raise NotRulingsError(f"{source.path}: {where} has more than {LONGEST_LINE} bytes")
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if not line.strip():
            continue
        try:
            each = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise NotRulingsError(f"{source.path}: {where} is not JSON: {error}") from None
        if not isinstance(each, dict):
            raise NotRulingsError(f"{source.path}: {where} is not an object")
        text = _text(source, where, each, "text")
        cards, dates = each.get("cards") or [], each.get("dates") or [each.get("date")]
        if not isinstance(cards, list) or not isinstance(dates, list):
            raise NotRulingsError(f"{source.path}: {where}: cards and dates are lists")
        # A general note belongs to no card: the empty name stands for that.
        for card in [front(str(name)) for name in cards] or [""]:
            for date in dates:
                yield Saying(text, _date(date), card)


def _text(source: _Source, where: str, each: Mapping[str, Any], key: str) -> str:
    text = each.get(key)
    if not isinstance(text, str) or not text.strip():
        raise NotRulingsError(f"{source.path}: {where}: {key} is not a text")
    return text


def _date(value: Any) -> str:
    return value if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value) else ""


# -- JSON as it streams by


def _in_array(path: list[str]) -> bool:
    return len(path) == 1 and path[0] == "[]"


def _in_data(path: list[str]) -> bool:
    """Say whether a card is here: data.cards[], data.SET.cards[], or data.NAME[] (atomic cards)."""
    if not 3 <= len(path) <= 4 or path[0] != "data" or path[-1] != "[]":
        return False
    return path[-2] == "cards" or (len(path) == 3 and path[1] not in ("tokens", "booster"))


def _objects(
    source: _Source, is_wanted: Callable[[list[str]], bool], keys: Iterable[str]
) -> Iterator[dict[str, Any]]:
    """Give the objects whose place in the file is wanted, with these of their keys only.

    A place is the keys that lead to it, `[]` for any of an array. All else is passed over.
    """
    from ijson.common import ObjectBuilder  # type: ignore[import-untyped]

    kept = frozenset(keys)
    path: list[str] = []
    builder: Any = None
    base = 0
    taking = False
    for event, value in _events(source):
        if event == "map_key":
            path[-1] = value
            if builder is not None:
                if len(path) == base:
                    taking = value in kept
                if taking:
                    builder.event(event, value)
        elif event == "start_map" or event == "start_array":
            if len(path) >= DEEPEST:
                raise NotRulingsError(f"{source.path}: nested more than {DEEPEST} deep")
            if taking:
                builder.event(event, value)
            elif builder is None and event == "start_map" and is_wanted(path):
                builder = ObjectBuilder()
                builder.event(event, value)
                base = len(path) + 1
            path.append("[]" if event == "start_array" else "")
        elif event == "end_map" or event == "end_array":
            if builder is not None:
                if len(path) == base:
                    yield builder.value
                    builder, taking = None, False
                elif taking:
                    builder.event(event, value)
            path.pop()
        elif taking:
            builder.event(event, value)


def _events(source: _Source) -> Iterator[tuple[str, Any]]:
    import ijson  # type: ignore[import-untyped]

    try:
        yield from ijson.basic_parse(source, buf_size=1 << 18, use_float=True)
    except ijson.IncompleteJSONError as error:
        raise NotRulingsError(
            f"{source.path}: the JSON is cut off or broken: {_first(error)}"
        ) from None
    except (ijson.JSONError, UnicodeDecodeError) as error:
        raise NotRulingsError(f"{source.path}: not JSON: {_first(error)}") from None


def _first(error: Exception) -> str:
    return " ".join(str(error).split("\n")[0].split())


class _Source:
    """A file, unpacked as it is read, that says how far it has been read."""

    def __init__(self, path: Path, on_read: Callable[[float], object] | None) -> None:
        self.path = path
        self.on_read = on_read
        try:
            self.raw: IO[bytes] = path.open("rb")
            self.size = path.stat().st_size
            magic = self.raw.read(6)
            self.raw.seek(0)
        except OSError as error:
            raise NotRulingsError(f"{path}: cannot be read: {error.strerror or error}") from None
        packed = next((unpack for sign, unpack in _PACKED if magic.startswith(sign)), None)
        self.inner: Any = packed(self.raw) if packed else self.raw
        self.ahead = b""

    def read(self, size: int = -1) -> bytes:
        """Give up to `size` bytes; none at the end."""
        if self.ahead:
            part, self.ahead = self.ahead[:size], self.ahead[size:]
            return part
        return self._guarded(self.inner.read, size)

    def __enter__(self) -> _Source:
        return self

    def __exit__(self, *error: object) -> None:
        self.raw.close()

    def readline(self, limit: int) -> bytes:
        """Give a line, or as much of it as `limit` allows."""
        if not self.ahead:
            return self._guarded(self.inner.readline, limit)
        end = self.ahead.find(b"\n", 0, limit) + 1
        if not end and len(self.ahead) < limit:
            part, self.ahead = self.ahead, b""
            return part + self._guarded(self.inner.readline, limit - len(part))
        end = end or limit
        part, self.ahead = self.ahead[:end], self.ahead[end:]
        return part

    def peek(self, size: int) -> bytes:
        """Give the first bytes without taking them."""
        if len(self.ahead) < size:
            self.ahead += self._guarded(self.inner.read, size - len(self.ahead))
        return self.ahead

    def _guarded(self, read: Callable[[int], bytes], size: int) -> bytes:
        try:
            part = read(size)
        except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
            raise NotRulingsError(f"{self.path}: cannot be read: {error}") from None
        if self.on_read is not None:
            self.on_read(min(1.0, self.raw.tell() / self.size) if self.size else 1.0)
        return part
