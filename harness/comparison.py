"""Sets the rulings of an official file against the catalogue: what is new, reworded, gone.

The catalogue has digests and gists, no wording. A wording that changed by one sign has another
digest, so a rewording is found by what stays: the cards, the date, the words of our gist; and where
an older file is at hand, by the old wording itself.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.official import Ruling, Rulings, Saying, form_of, read

ABOUT = ("day", "night", "daybound", "nightbound")
"""The words of the first field: a ruling that has one is of interest, whatever its card."""

ALIKE = 0.6
"""How like an old wording must a new one be to be taken for it, from 0 to 1."""

GIST_ALIKE = 0.45
"""The same for a gist, which has other words for the same thing."""


@dataclass(frozen=True, slots=True)
class New:
    """A ruling that the catalogue does not have, and why it is told of: about, card or all."""

    ruling: Ruling
    why: str
    was_there: bool | None
    """Whether the older file has it too; None without one."""


@dataclass(frozen=True, slots=True)
class Reworded:
    """A ruling of the catalogue that is in the file in other words."""

    key: str
    ruling: Ruling
    likeness: float
    old: str | None
    """The old wording, where an older file was given that has it."""

    @property
    def words(self) -> tuple[tuple[str, str], ...]:
        """Give the old wording and the new as runs of words: same, removed or added."""
        return () if self.old is None else word_diff(self.old, self.ruling.text)


@dataclass(frozen=True, slots=True)
class Gone:
    """A ruling of the catalogue that is not in the file, or not of these cards any more."""

    key: str
    cards: tuple[str, ...]
    whole: bool
    """Whether it is gone from all its cards that the file has."""
    old: str | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """An official file against the catalogue."""

    file: str
    form: str
    read: int
    matched: Mapping[str, Ruling]
    new: tuple[New, ...]
    reworded: tuple[Reworded, ...]
    gone: tuple[Gone, ...]
    elsewhere: tuple[str, ...]
    """Rulings of the catalogue that this file could not have: it has none of their cards."""
    previous: str | None

    @property
    def summary(self) -> dict[str, int]:
        """The figures."""
        return {
            "read": self.read,
            "matched": len(self.matched),
            "new": len(self.new),
            "reworded": len(self.reworded),
            "gone": sum(gone.whole for gone in self.gone),
            "gone_from_some": sum(not gone.whole for gone in self.gone),
            "elsewhere": len(self.elsewhere),
        }


def word_diff(old: str, new: str) -> tuple[tuple[str, str], ...]:
    """Give runs of words that are the same, removed or added, in the order to read them in.

    >>> word_diff("it becomes night", "it becomes day")
    (('same', 'it becomes'), ('removed', 'night'), ('added', 'day'))
    """
    before, after = old.split(), new.split()
    runs: list[tuple[str, str]] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, before, after, False).get_opcodes():
        if kind == "equal":
            runs.append(("same", " ".join(before[a:b])))
            continue
        if b > a:
            runs.append(("removed", " ".join(before[a:b])))
        if d > c:
            runs.append(("added", " ".join(after[c:d])))
    return tuple(runs)


def compare(
    catalog: Mapping[str, Mapping[str, Any]],
    cards: Iterable[str],
    path: Path,
    *,
    names: Mapping[str, str] | None = None,
    previous: Path | None = None,
    about: Iterable[str] = ABOUT,
    everything: bool = False,
    on_read: Callable[[float], object] | None = None,
) -> Comparison:
    """Read an official file, and an older one, and set it against the catalogue.

    `cards` are those that the suite knows beside the catalogue's. Raises `NotRulingsError`.
    """
    keys = {entry["digest"]: key for key, entry in catalog.items()}
    known = {card for entry in catalog.values() for card in entry["cards"]} | set(cards)
    is_about = _about(about)

    def wanted(saying: Saying, digest: str) -> bool:
        return (
            everything
            or digest in keys
            or (saying.card is not None and saying.card in known)
            or is_about(saying.text, saying.card)
        )

    if names is None:
        # Cards that go by oracle ids are known by their rulings: those of which the catalogue has
        # one that speaks of the field. That takes a reading of its own.
        def speaks(saying: Saying, digest: str) -> bool:
            return digest in keys and is_about(saying.text, None)

        first = (
            read(path, speaks, None, _part(on_read, 0, 2)) if form_of(path) == "scryfall" else None
        )
        for ruling in first.by_digest.values() if first else ():
            known |= ruling.cards
        on_read = _part(on_read, 1, 2) if first else on_read
    found = read(path, wanted, names, on_read)
    older = read(previous, wanted, names) if previous is not None else None
    matched = {keys[d]: ruling for d, ruling in found.by_digest.items() if d in keys}
    unmatched = [ruling for d, ruling in found.by_digest.items() if d not in keys]
    missing, elsewhere = _missing(catalog, matched, found)
    reworded = _reworded(catalog, missing, unmatched, older)
    again = {each.ruling.digest for each in reworded}
    rest = [ruling for ruling in unmatched if ruling.digest not in again]
    return Comparison(
        file=str(path),
        form=found.form,
        read=found.read,
        matched=matched,
        new=tuple(_new(rest, known, is_about, older)),
        reworded=reworded,
        gone=(
            *_gone(catalog, missing, {each.key for each in reworded}, found, older),
            *_gone_from(catalog, matched, reworded, found),
        ),
        elsewhere=tuple(elsewhere),
        previous=None if previous is None else str(previous),
    )


def _part(
    on_read: Callable[[float], object] | None, number: int, of: int
) -> Callable[[float], object] | None:
    return None if on_read is None else lambda done: on_read((number + done) / of)


def _about(words: Iterable[str]) -> Callable[[str, str | None], bool]:
    """Give what says whether a wording has one of the words, the names of its card aside."""
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b", re.IGNORECASE)

    def is_about(text: str, card: str | None) -> bool:
        return bool(pattern.search(text.replace(card, "") if card else text))

    return is_about


def _missing(
    catalog: Mapping[str, Mapping[str, Any]], matched: Mapping[str, Ruling], found: Rulings
) -> tuple[list[str], list[str]]:
    """Give the entries that the file should have but has not, and those it could not have.

    A file of one set lacks the cards of all others, and only a file with general notes can lack
    one. Where cards have no names, a file of cards' rulings is taken for all of them.
    """
    missing: list[str] = []
    elsewhere: list[str] = []
    for key, entry in catalog.items():
        if key in matched:
            continue
        whose = entry["cards"] or [""]
        here = any(card in found.cards for card in whose) if found.named else bool(entry["cards"])
        (missing if here else elsewhere).append(key)
    return missing, elsewhere


def _reworded(
    catalog: Mapping[str, Mapping[str, Any]],
    missing: Iterable[str],
    unmatched: Iterable[Ruling],
    older: Rulings | None,
) -> tuple[Reworded, ...]:
    """Pair entries that are missing with the nearest new wordings, the likeliest pairs first."""
    before = older.by_digest if older is not None else {}
    pairs: list[tuple[float, str, str, Reworded]] = []
    wordings = list(unmatched)
    for key in missing:
        entry = catalog[key]
        was = before.get(entry["digest"])
        for ruling in wordings:
            if ruling.digest in before:  # it was there beside the old wording
                continue
            likeness = _likeness(entry, was, ruling)
            if likeness >= (ALIKE if was is not None else GIST_ALIKE):
                old = None if was is None else was.text
                pairs.append((-likeness, key, ruling.digest, Reworded(key, ruling, likeness, old)))
    pairs.sort(key=lambda pair: pair[:3])
    taken: set[str] = set()
    chosen = []
    for _, key, digest, pair in pairs:
        if key not in taken and digest not in taken:
            taken |= {key, digest}
            chosen.append(pair)
    return tuple(chosen)


def _likeness(entry: Mapping[str, Any], was: Ruling | None, ruling: Ruling) -> float:
    """Say how likely it is that a wording has taken the place of an entry's, from 0 to 1."""
    cards = set(was.cards if was is not None else entry["cards"])
    named = not any(card.startswith("oracle:") for card in ruling.cards)
    shared = cards & (ruling.cards or {""}) if cards else ruling.cards <= {""}
    if was is not None:
        if not shared and named and cards:
            return 0.0
        return difflib.SequenceMatcher(None, was.text.split(), ruling.text.split(), False).ratio()
    if named and not shared:
        return 0.0
    same_date = bool({str(date) for date in entry["dates"]} & ruling.dates)
    words, said = _stems(entry["gist"]), _stems(ruling.text)
    common = len(words & said)
    likeness = 2 * common / (len(words) + len(said)) if words and said else 0.0
    return min(1.0, likeness + 0.1 * same_date + (0.1 if named and cards == ruling.cards else 0.0))


_PLAIN = re.compile(
    r"an?|and|any|are|as|at|be|but|by|can|do|does|for|from|has|have|if|in|into|is|its?|no|not|of|on|"
    r"one|only|or|so|that|the|their|them|then|there|they|this|to|was|when|which|while|will|with|"
    r"your?"
)


def _stems(text: str) -> frozenset[str]:
    """Give the words that carry meaning, their endings cut: `permanents` is `permanent`."""
    words = re.findall(r"[a-z]+", text.lower().replace("'s", ""))
    return frozenset(
        re.sub(r"(?:ing|ed|es|s)$", "", w)[:7] for w in words if not _PLAIN.fullmatch(w)
    )


def _new(
    rulings: Iterable[Ruling],
    known: set[str],
    is_about: Callable[[str, str | None], bool],
    older: Rulings | None,
) -> list[New]:
    """Say why each is told of, those about the field first, then by date, the newest first."""
    found = []
    for ruling in rulings:
        card = next(iter(ruling.cards), None) if len(ruling.cards) == 1 else None
        why = "about" if is_about(ruling.text, card) else "card" if ruling.cards & known else "all"
        was_there = None if older is None else ruling.digest in older.by_digest
        found.append(New(ruling, why, was_there))
    found.sort(key=lambda new: new.ruling.text)
    found.sort(key=lambda new: max(new.ruling.dates, default=""), reverse=True)
    found.sort(key=lambda new: ("about", "card", "all").index(new.why))
    return sorted(found, key=lambda new: bool(new.was_there))


def _gone(
    catalog: Mapping[str, Mapping[str, Any]],
    missing: Iterable[str],
    reworded: set[str],
    found: Rulings,
    older: Rulings | None,
) -> Iterator[Gone]:
    for key in missing:
        if key in reworded:
            continue
        entry = catalog[key]
        was = older.by_digest.get(entry["digest"]) if older is not None else None
        cards = tuple(card for card in entry["cards"] if card in found.cards or not found.named)
        yield Gone(key, cards, True, None if was is None else was.text)


def _gone_from(
    catalog: Mapping[str, Mapping[str, Any]],
    matched: Mapping[str, Ruling],
    reworded: Iterable[Reworded],
    found: Rulings,
) -> Iterator[Gone]:
    """Give rulings that the file has, but not of all the cards that the catalogue says."""
    if not found.named:
        return
    here = {**matched, **{each.key: each.ruling for each in reworded}}
    for key, entry in catalog.items():
        if key in here:
            lost = [c for c in entry["cards"] if c in found.cards and c not in here[key].cards]
            if lost:
                yield Gone(key, tuple(lost), False)
