"""The engine that does nothing: it answers every look from `given` and the facts of the cards.

A scenario that passes on it shows nothing, since nothing has to happen for it to pass. It refuses
no action, and nothing ever happens in it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.protocol import Adapter, EngineInfo
from harness.scenario import CAPABILITIES, ZONES

COLORS = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}


@dataclass(frozen=True, slots=True)
class Still:
    """A game in which nothing happens: what is given, and the facts of its cards."""

    given: Mapping[str, Any]
    cards: Mapping[str, Mapping[str, Any]]

    def observe(self, look: Mapping[str, Any]) -> dict[str, Any]:
        """Answer a look with what was so before the first step."""
        seen: dict[str, Any] = {}
        if "designation" in look:
            seen["designation"] = self.given["designation"]
        if "turn" in look:
            seen["turn"] = {word: self.given["turn"][word] for word in look["turn"]}
        if "objects" in look:
            seen["objects"] = {
                name: _only(words, self.object(name)) for name, words in look["objects"].items()
            }
        if "players" in look:
            seen["players"] = {
                name: _only(words, self.player(name)) for name, words in look["players"].items()
            }
        if "stack" in look:
            seen["stack"] = []
        if "events" in look:
            seen["events"] = []
        return seen

    def object(self, name: str) -> dict[str, Any]:
        """Give the attributes of an object of `given`; one that is not there has none."""
        for player in self.given["players"]:
            for zone in ZONES:
                for place, item in enumerate(self.given[player][zone], 1):
                    if item["id"] == name:
                        return self._attributes(item, zone, player, place)
        return {"zone": "nowhere"}

    def _attributes(
        self, item: Mapping[str, Any], zone: str, player: str, place: int
    ) -> dict[str, Any]:
        known: dict[str, Any] = {"zone": zone, "owner": item.get("owner", player), "face": "front"}
        if zone == "library":
            known["position"] = place
        if zone == "battlefield":
            for word in (
                "face",
                "tapped",
                "counters",
                "damage",
                "attached to",
                "phased out",
                "face down",
                "token",
                "summoning sick",
            ):
                known[word] = item[word]
            known["controller"] = player
        if not known.get("face down"):
            known |= characteristics(self.cards[item["card"]], known["face"])
        return known

    def player(self, name: str) -> dict[str, Any]:
        """Give the attributes of a player."""
        has = self.given[name]
        sizes = {zone: len(has[zone]) for zone in ZONES if zone != "battlefield"}
        permanents = sorted(
            characteristics(self.cards[item["card"]], item["face"])["name"]
            for item in has["battlefield"]
            if not item["phased out"] and not item["face down"]
        )
        return {
            **sizes,
            "life": has["life"],
            "permanents": permanents,
            "hexproof": False,
            "lost": False,
            "spells cast": 0,
            "poison": 0,
            "mana": None if has["mana"] is None else mana_value(has["mana"]),
        }


class Inert(Adapter[Still]):
    """The adapter of the engine that does nothing."""

    engine = EngineInfo("inert", "1", language="Python", license="MIT")
    capabilities: Sequence[str] = tuple(CAPABILITIES)

    def set_up(self, given: Mapping[str, Any], cards: Mapping[str, Mapping[str, Any]]) -> Still:
        """Keep what is given."""
        return Still(given, cards)

    def act(self, game: Still, step: Mapping[str, Any]) -> None:
        """Do nothing."""

    def observe(self, game: Still, look: Mapping[str, Any]) -> Mapping[str, Any]:
        """Answer from what was given."""
        return game.observe(look)


def engine() -> Inert:
    """Make the engine: `--engine python:harness.inert:engine`."""
    return Inert()


def characteristics(facts: Mapping[str, Any], side: str) -> dict[str, Any]:
    """Give what is printed on one face of a card; a back face has the front's mana value."""
    faces = facts["faces"]
    face = faces[-1] if side == "back" else faces[0]
    cost = face.get("mana cost", "")
    counted = faces[0].get("mana cost", "") if facts["layout"] == "transform" else cost
    return {
        "name": face["name"],
        "mana value": mana_value(counted),
        "colors": face.get("colors", [COLORS[sign] for sign in COLORS if sign in cost]),
        "types": face["types"],
        "supertypes": face.get("supertypes", []),
        "subtypes": face.get("subtypes", []),
        "power": face.get("power"),
        "toughness": face.get("toughness"),
        "loyalty": face.get("loyalty"),
        "keywords": [
            word if isinstance(word, str) else next(iter(word)) for word in face.get("keywords", ())
        ],
    }


def mana_value(cost: str) -> int:
    """Give the mana value of a mana cost (CR 202.3).

    >>> mana_value("{X}{2}{B}"), mana_value("{2/W}{G/P}"), mana_value("")
    (3, 3, 0)
    """
    total = 0
    for symbol in re.findall(r"\{([^}]+)\}", cost):
        number = re.match(r"\d+", symbol)
        total += int(number[0]) if number else symbol != "X"
    return total


def _only(words: Sequence[str], known: Mapping[str, Any]) -> dict[str, Any]:
    return {word: known.get(word) for word in words}
