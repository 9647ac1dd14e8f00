"""Cards as data: faces, keywords and abilities, built from the facts of `rulings/cards/`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from reference_engine.mana import Cost

WORDS = frozenset({"triggered", "activated", "static", "spell", "enters", "transforming", "cast"})
"""What an ability can be: the one of these words that its mapping has."""


@dataclass(frozen=True, slots=True, eq=False)
class Ability:
    """One ability as the card's data say it; two abilities are the same only if identical."""

    word: str
    head: Any
    body: Mapping[str, Any]

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Ability:
        """Read `{"triggered": …, "do": […]}`; raises `ValueError` where no known word stands."""
        for word in data:
            if word in WORDS:
                return cls(word, data[word], data)
        known = ", ".join(sorted(WORDS))
        raise ValueError(f"no ability is called {', '.join(data)}; known: {known}")


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """One face of a card: a set of characteristics (CR 109.3, 712.8)."""

    name: str
    cost: Cost | None
    colors: frozenset[str]
    supertypes: frozenset[str]
    types: frozenset[str]
    subtypes: frozenset[str]
    power: int | str | None
    toughness: int | str | None
    loyalty: int | None
    keywords: Mapping[str, Any]
    abilities: tuple[Ability, ...]

    @property
    def is_permanent(self) -> bool:
        """Say whether it is the face of a permanent card (CR 110.4)."""
        return not self.types & {"instant", "sorcery"}


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """A card or token: one face, or two (CR 712.1)."""

    layout: str
    faces: tuple[Face, ...]

    @property
    def name(self) -> str:
        """The name of the front face."""
        return self.faces[0].name

    @property
    def is_transforming(self) -> bool:
        """Say whether it is a transforming double-faced card or token (CR 712.2, 701.28a)."""
        return self.layout == "transform" and len(self.faces) == 2


def _keywords(data: list[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for keyword in data:
        if isinstance(keyword, str):
            found[keyword] = True
        else:
            found.update(keyword)
    return found


def face_from(facts: Mapping[str, Any]) -> Face:
    """Read one face; its colours are those of its mana cost unless an indicator says others."""
    cost = Cost.parse(facts["mana cost"]) if "mana cost" in facts else None
    colors = facts.get("colors")
    if colors is None:
        colors = cost.colors if cost else ()
    return Face(
        name=facts["name"],
        cost=cost,
        colors=frozenset(colors),
        supertypes=frozenset(facts.get("supertypes", ())),
        types=frozenset(facts["types"]),
        subtypes=frozenset(facts.get("subtypes", ())),
        power=facts.get("power"),
        toughness=facts.get("toughness"),
        loyalty=facts.get("loyalty"),
        keywords=_keywords(facts.get("keywords", [])),
        abilities=tuple(Ability.from_data(each) for each in facts.get("abilities", ())),
    )


@lru_cache(maxsize=1024)
def _ability(text: str) -> Ability:
    return Ability.from_data(json.loads(text))


def ability_from(data: Mapping[str, Any]) -> Ability:
    """Make an ability of its data; the same data always give the same ability."""
    return _ability(json.dumps(data, sort_keys=True))


@lru_cache(maxsize=1024)
def _card(text: str) -> Card:
    facts = json.loads(text)
    return Card(facts["layout"], tuple(face_from(face) for face in facts["faces"]))


def card_from(facts: Mapping[str, Any]) -> Card:
    """Make the card that the facts describe (the shape of `rulings/schema/card.json`).

    The same facts always give the same card. Raises `ValueError` or `KeyError` on facts that
    the schema would not take.
    """
    return _card(json.dumps(facts))


FACE_DOWN = Face(
    name="",
    cost=None,
    colors=frozenset(),
    supertypes=frozenset(),
    types=frozenset({"creature"}),
    subtypes=frozenset(),
    power=2,
    toughness=2,
    loyalty=None,
    keywords={},
    abilities=(),
)
"""What a face-down permanent is: a 2/2 creature without name, cost or abilities (CR 708.2a)."""
