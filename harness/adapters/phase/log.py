"""What phase reports of a game, in the event words of the protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

STEPS = {
    "Untap": "untap",
    "Upkeep": "upkeep",
    "Draw": "draw",
    "PreCombatMain": "precombat main",
    "BeginCombat": "beginning of combat",
    "DeclareAttackers": "declare attackers",
    "DeclareBlockers": "declare blockers",
    "CombatDamage": "combat damage",
    "EndCombat": "end of combat",
    "PostCombatMain": "postcombat main",
    "End": "end",
    "Cleanup": "cleanup",
}
"""Phase's names of the steps."""

UNSEEN = frozenset({"attached"})
"""Event words for which phase reports nothing, so that their order is not to be had."""

Name = Callable[[int], str]
"""Gives the word by which the scenario calls an object."""


class Log:
    """The events of one game in order, as far as phase reports them."""

    def __init__(self, object_name: Name, player_name: Callable[[int], str]) -> None:
        self._object = object_name
        self._player = player_name
        self._zones: dict[int, str] = {}
        self._stack: set[int] = set()
        self.active: str | None = None
        """Whose turn it is."""
        self.entries: list[dict[str, Any]] = []

    def begin(self, objects: Mapping[str, Mapping[str, Any]], active: str) -> None:
        """Start with the game as it is set up."""
        self._zones = {int(number): each["zone"] for number, each in objects.items()}
        self.active = active

    def add(self, events: list[Mapping[str, Any]], game: Any) -> None:
        """Take note of what phase reports of one action; `game` is the game after it."""
        for event in events:
            data = event.get("data") or {}
            for entry in self._translate(event["type"], data, game):
                self.entries.append(entry)
        # Phase has no event for this; what is new on the stack has triggered since it was seen.
        stack = game.stack()
        for item in stack:
            if item["kind"]["type"] == "TriggeredAbility" and item["id"] not in self._stack:
                self.entries.append({"triggered": self._object(item["source_id"])})
        self._stack = {item["id"] for item in stack}

    def _translate(self, kind: str, data: Mapping[str, Any], game: Any) -> Iterator[dict[str, Any]]:
        match kind:
            case "TurnStarted":
                self.active = self._player(data["player_id"])
                yield {"turn": self.active}
            case "PhaseChanged":
                if data["phase"] in STEPS:
                    yield {"step": STEPS[data["phase"]], "active": self.active}
            case "DayNightChanged":
                yield {"became": data["new_state"].lower()}
            case "Transformed":
                # Phase turns a card over before it enters, and says so. Entering with the back
                # face up is no transforming (CR 712.14), and no ability of phase takes it for one.
                if self._zones.get(data["object_id"]) == "Battlefield":
                    yield {"transformed": self._object(data["object_id"])}
            case "ZoneChanged":
                yield from self._moved(data, game)
            case "TokenCreated":
                name = self._object(data["object_id"])
                yield {"created": name}
                if self._zones.get(data["object_id"]) != "Battlefield":
                    self._zones[data["object_id"]] = "Battlefield"
                    yield {"entered": name}
            case "SpellCast":
                yield {
                    "cast": self._object(data["object_id"]),
                    "player": self._player(data["controller"]),
                }
            case "SpellCountered":
                yield {"countered": self._object(data["object_id"])}
            case "CardDrawn":
                yield {"drew": self._player(data["player_id"])}
            case "Discarded":
                yield {"discarded": self._object(data["object_id"])}
            case "Milled":
                if "object_id" in data:
                    yield {"milled": self._object(data["object_id"])}
            case "PermanentTapped":
                yield {"tapped": self._object(data["object_id"])}
            case "PermanentUntapped":
                yield {"untapped": self._object(data["object_id"])}
            case "PermanentPhasedOut":
                yield {"phased out": self._object(data["object_id"])}
            case "PermanentPhasedIn":
                yield {"phased in": self._object(data["object_id"])}
            case "PermanentSacrificed":
                yield {"sacrificed": self._object(data["object_id"])}
            case "TurnedFaceUp":
                yield {"turned face up": self._object(data["object_id"])}
            case "DamageDealt":
                yield {
                    "damaged": self._target(data["target"]),
                    "by": self._object(data["source_id"]),
                    "amount": data["amount"],
                }
            case "LifeChanged":
                amount = data["amount"]
                word = "gained life" if amount > 0 else "lost life"
                yield {word: self._player(data["player_id"]), "amount": abs(amount)}
            case "AttackersDeclared":
                for attacker in data["attacker_ids"]:
                    yield {"attacked": self._object(attacker)}
            case "BlockersDeclared":
                blocked = dict.fromkeys(attacker for _, attacker in data["assignments"])
                for attacker in blocked:
                    yield {"blocked": self._object(attacker)}
            case "PlayerLost" | "PlayerEliminated":
                yield {"lost": self._player(data["player_id"])}
            case "Unattached":
                for word in ("attachment_id", "object_id"):
                    if word in data:
                        yield {"unattached": self._object(data[word])}
                        break

    def _moved(self, data: Mapping[str, Any], game: Any) -> Iterator[dict[str, Any]]:
        number, origin, to = data["object_id"], data.get("from"), data["to"]
        name = self._object(number)
        self._zones[number] = to
        if origin == "Battlefield":
            kinds = data["record"]["core_types"]
            if to == "Graveyard" and {"Creature", "Planeswalker"} & set(kinds):
                yield {"died": name}
            yield {"left": name}
            if to == "Hand":
                yield {"returned": name}
        if to == "Exile":
            yield {"exiled": name}
        if to == "Battlefield":
            thing = game.object(number) or {}
            yield {
                "entered": name,
                "face": "back" if thing.get("transformed") else "front",
                "controller": self._player(thing.get("controller", data["record"]["controller"])),
                "tapped": bool(thing.get("tapped")),
            }

    def _target(self, target: Mapping[str, int]) -> str:
        if "Player" in target:
            return self._player(target["Player"])
        return self._object(target["Object"])
