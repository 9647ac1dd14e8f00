"""`rulings new`: a ruling file with a first scenario to fill in, which passes `rulings check`."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness import sources
from harness.checks.base import nearest
from harness.checks.names import RESERVED

if TYPE_CHECKING:
    from harness.corpus import Corpus

FOLDERS = {
    "comprehensive-rules": "comprehensive-rules",
    "regression": "regressions",
    "card-text": "card-texts",
}
"""Where rulings that have no date belong."""

SPELLS = {"instant", "sorcery"}


class CannotWriteError(ValueError):
    """There is no ruling like that to write; the text says what there is."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A file that is to be written, and what for."""

    path: Path
    text: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a file is to be about."""

    source: str
    key: str
    date: str | None
    card: str | None
    rules: tuple[str, ...]


def corpus_at(place: Path) -> Path | None:
    """Find the corpus to write into: the one that a folder is in, or has as `rulings`."""
    beside = place / "rulings"
    return beside if sources.is_root(beside) else sources.root_of(place)


def card_of(name: str, corpus: Corpus) -> str:
    """Give a card's name as its facts have it. Raises `CannotWriteError`."""
    for known, facts in corpus.cards.items():
        if name.lower() in (known.lower(), *(face["name"].lower() for face in facts["faces"])):
            return known
    message = f"there are no facts of a card called {name!r}"
    raise CannotWriteError(_with_near(message, name, corpus.cards, "write them down in cards/"))


def rule_of(number: str, corpus: Corpus) -> str:
    """Give a rule's number as it is cited. Raises `CannotWriteError`."""
    number = number.strip().removeprefix("CR").strip()
    if number in corpus.editions.rules:
        return number
    message = f"the edition of {corpus.editions.base} has no rule {number}"
    raise CannotWriteError(_with_near(message, number, corpus.editions.rules))


def keys_of(corpus: Corpus, date: str, card: str | None) -> list[tuple[str, str]]:
    """Give the official rulings of a date and card with their gists, those without a file first.

    Raises `CannotWriteError` where there are none.
    """
    dates = sorted({each for entry in corpus.catalog.values() for each in entry["dates"]})
    if date not in dates:
        message = f"the catalogue has no rulings of {date}"
        raise CannotWriteError(f"{message}; it has those of {', '.join(dates)}")
    entries = [
        (key, entry["gist"])
        for key, entry in corpus.catalog.items()
        if date in entry["dates"]
        and "untestable" not in entry
        and (card is None or card in entry.get("cards", (card,)))
    ]
    if not entries:
        about = f" on {card}" if card else ""
        raise CannotWriteError(f"the catalogue has no ruling of {date}{about} that can be shown")
    shown = {key for one in corpus.scenarios for key in (one.ruling, *one.proves)}
    return sorted(entries, key=lambda entry: entry[0] in shown)


def wanted(
    corpus: Corpus,
    source: str,
    key: str | None,
    date: str | None,
    card: str | None,
    rules: Sequence[str],
) -> Wanted:
    """Put together what a file is about, its key from the rest where nobody says it.

    Raises `CannotWriteError`.
    """
    if source == "official":
        entry: Mapping[str, Any] = corpus.catalog.get(key or "", {})
        if key is None or not entry:
            message = f"the catalogue has no entry {key!r}"
            raise CannotWriteError(_with_near(message, key or "", corpus.catalog))
        if "untestable" in entry:
            raise CannotWriteError(f"{key} cannot be shown: {entry['untestable']}")
        if date not in entry["dates"]:
            raise CannotWriteError(f"{key} is of {', '.join(entry['dates'])}, not of {date}")
    elif source == "comprehensive-rules":
        key = rule_of(key or rules[0], corpus)
        rules = (key, *rules)
    elif source == "card-text":
        if key is None and card is None:
            raise CannotWriteError("a card text needs its card")
        key = key or slug(card or "")
    elif key is None:
        raise CannotWriteError("a regression needs a key, which names the kind of fault")
    assert key is not None
    if not re.fullmatch(r"[a-z0-9][a-z0-9.-]*", key):
        raise CannotWriteError(f"{key!r} is no key: small letters, digits, dots and hyphens")
    every = dict.fromkeys(rule_of(rule, corpus) for rule in rules)
    return Wanted(source, key, date if source == "official" else None, card, tuple(every))


def slug(name: str) -> str:
    """Give the name of a card as its file has it."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower().replace("'", "")).strip("-")


def draft(what: Wanted, corpus: Corpus, into: Path) -> Draft:
    """Make the file. `into` is a corpus, or a folder for one that stands alone for now."""
    folder = into / (what.date or FOLDERS[what.source])
    schema = into / "schema" / "ruling.json"
    head = ["# yaml-language-server: $schema=../schema/ruling.json"] if schema.exists() else []
    entry: Mapping[str, Any] = corpus.catalog.get(what.key, {})
    gist = entry.get("gist", "") if what.source == "official" else ""
    head += textwrap.wrap(gist, 98, initial_indent="# ", subsequent_indent="# ")
    head += [
        "ruling:",
        f"  key: {scalar(what.key)}",
        f"  source: {what.source}",
        *([f"  date: {what.date}"] if what.date else []),
        f"rules: [{', '.join(json.dumps(rule) for rule in what.rules)}]",
        "scenarios:",
        "  # The ruling's own case first, then its boundary and the nearest case where it must not",
        "  # apply. docs/scenarios.md has every word; `rulings show` tells what you have written.",
        "  - name: the ruling's own case",
        "    why: To fill in, why the rules say so in your own words.",
    ]
    return Draft(
        folder / f"{what.key}.yaml", "\n".join((*head, *_scenario(what.card, corpus.cards), ""))
    )


def _scenario(card: str | None, cards: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Give a scenario in which the card comes to where it goes, or a turn passes without one."""
    if card is None:
        return [
            "    steps:",
            "      - advance: {to: upkeep, of: bob}",
            "      - expect:",
            "          turn: {active: bob, step: upkeep}",
        ]
    name, face = object_id(card), cards[card]["faces"][0]
    types = set(face["types"])
    given = [f"      alice: {{hand: [{{id: {name}, card: {scalar(card)}}}]}}"]
    zone = "graveyard" if types & SPELLS else "battlefield"
    if "land" in types:
        steps = [f"      - play: {{player: alice, object: {name}}}"]
    else:
        targets, others, missing = _targets(face, cards)
        given += others
        if missing:
            given += ["      # It wants targets: give it some to choose from, and name them below."]
        at = f", targets: [{', '.join(targets)}]" if targets else ""
        steps = [f"      - cast: {{player: alice, object: {name}{at}}}", "      - resolve: all"]
    return [
        "    given:",
        *given,
        "    steps:",
        *steps,
        "      - expect:",
        f"          objects: {{{name}: {{zone: {zone}}}}}",
    ]


def _targets(
    face: Mapping[str, Any], cards: Mapping[str, Mapping[str, Any]]
) -> tuple[list[str], list[str], bool]:
    """Give targets for a spell, what has to be there for them, and whether some are missing."""
    wants = [word["enchant"] for word in face.get("keywords", ()) if "enchant" in _keys(word)]
    if not wants and set(face["types"]) & SPELLS:
        wants = [
            target
            for ability in face.get("abilities", ())
            if ability.get("spell")
            for target in ability.get("targets", ())
        ]
    targets: list[str] = []
    needs: list[str] = []
    for want in wants:
        if want in ("player", "opponent", "any target"):
            targets.append("bob")
            continue
        bear = _plain_creature(cards) if want in ("creature", "permanent") else None
        if bear is None or needs:
            return targets, needs, True
        targets.append("other")
        needs = [f"      bob: {{battlefield: [{{id: other, card: {scalar(bear)}}}]}}"]
    return targets, needs, False


def _plain_creature(cards: Mapping[str, Mapping[str, Any]]) -> str | None:
    """Find a creature that does nothing."""
    for name in sorted(cards):
        faces = cards[name]["faces"]
        one = faces[0]
        if (
            len(faces) == 1
            and cards[name].get("layout") == "normal"
            and one["types"] == ["creature"]
            and not one.get("keywords")
            and not one.get("abilities")
        ):
            return name
    return None


def _keys(word: Any) -> Iterable[str]:
    return word if isinstance(word, dict) else ()


def object_id(card: str) -> str:
    """Give a short id for a card: `ruffian` for Tavern Ruffian.

    >>> object_id("Tavern Ruffian"), object_id("Tovolar, Dire Overlord"), object_id("Bob")
    ('ruffian', 'tovolar', 'card')
    """
    words = re.findall(r"[a-z]+", card.partition(",")[0].lower().replace("'", ""))
    name = words[-1] if words else "card"
    return "card" if name in {*RESERVED, "other", "on", "off", "yes", "no", "y", "n"} else name


def scalar(text: str) -> str:
    """Give a text as YAML, quoted where it has to be."""
    return text if re.fullmatch(r"[A-Za-z][\w '-]*", text) else json.dumps(text, ensure_ascii=False)


def _with_near(message: str, word: str, known: Iterable[str], otherwise: str = "") -> str:
    near = nearest(word, list(known), 0.6)
    if near is not None:
        return f"{message}; did you mean {near!r}?"
    return f"{message}; {otherwise}" if otherwise else message
