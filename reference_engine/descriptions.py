"""What card data say about objects: which ones, how many, and whether something is true.

The vocabulary is documented in `docs/cards.md`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reference_engine.objects import Object, Player
from reference_engine.state import State

ANYTHING = ("permanent", "card", "spell")


class Descriptions(State):
    """Reads descriptions of objects and conditions."""

    def matches(
        self, thing: Object, wanted: Any, controller: Player, source: Object | None
    ) -> bool:
        """Say whether an object fits a description, seen by the controller of the source.

        A description is a type ("creature"), "permanent" for anything, or a mapping of which
        every entry has to hold.
        """
        if isinstance(wanted, str):
            return wanted in ANYTHING or wanted in self.characteristics(thing).types
        if thing is source and wanted.get("or this"):
            return True
        return all(
            bool(self._fits(thing, word, value, controller, source))
            for word, value in wanted.items()
        )

    def _fits(
        self, thing: Object, word: str, value: Any, controller: Player, source: Object | None
    ) -> object:
        now = self.characteristics(thing)
        match word:
            case "types":
                return now.types.issuperset(value)
            case "any types":
                return not now.types.isdisjoint(value)
            case "not types":
                return now.types.isdisjoint(value)
            case "subtypes":
                return not now.subtypes.isdisjoint(value)
            case "all subtypes":
                return now.subtypes.issuperset(value)
            case "not subtypes":
                return now.subtypes.isdisjoint(value)
            case "supertypes":
                return now.supertypes.issuperset(value)
            case "not supertypes":
                return now.supertypes.isdisjoint(value)
            case "colors":
                return not now.colors.isdisjoint(value)
            case "name":
                return now.name == value
            case "same name":
                return source is not None and now.name == self.characteristics(source).name
            case "keyword":
                return now.has(value)
            case "controller":
                mine = thing.controller is controller
                if value == "you":
                    return mine
                if value == "defending player":
                    return source is not None and thing.controller is self.defending(source)
                return self.are_opponents(controller, thing.controller) or (
                    value == "not you" and not mine
                )
            case "owner":
                return (thing.owner is controller) == (value == "you")
            case "other":
                return (thing is not source) == value
            case "token":
                return thing.piece.token == value
            case "max power":
                return now.power is not None and now.power <= value
            case "max mana value":
                return now.mana_value <= value
            case "blocking":
                return source in thing.blocking or source in thing.memory.get("was blocking", ())
            case "attached to":
                return thing.attached_to is (controller if value == "you" else source)
            case "or this":
                return True  # the source itself fits whatever else is asked; see `matches`
            case "attacking":
                return (thing.attacking is not None) == value
            case "tapped":
                return thing.tapped == value
            case "face down":
                return thing.face_down == value
        raise ValueError(f"no description has the word {word!r}")

    def defending(self, attacker: Object) -> Player | None:
        """Give the player that a creature attacks, or last attacked (CR 508.5, 508.5a)."""
        defender = attacker.attacking or attacker.memory.get("defender")
        return defender.controller if isinstance(defender, Object) else defender

    def matching(self, wanted: Any, controller: Player, source: Object | None) -> list[Object]:
        """Give the permanents that fit a description."""
        return [
            each for each in self.permanents() if self.matches(each, wanted, controller, source)
        ]

    def holds(self, condition: Any, controller: Player, source: Object | None) -> bool:
        """Say whether a condition is true now: a word, or a mapping of which all must hold."""
        if isinstance(condition, str):
            return bool(self._holds(condition, True, controller, source))
        if isinstance(condition, Sequence):
            return all(self.holds(each, controller, source) for each in condition)
        return all(
            bool(self._holds(word, value, controller, source)) for word, value in condition.items()
        )

    def _holds(self, word: str, value: Any, controller: Player, source: Object | None) -> object:
        match word:
            case "day" | "night":
                return (self.designation == word) == value
            case "neither":
                return (self.designation is None) == value
            case "controls":
                least = value.get("at least", 1)
                return len(self.matching(value["what"], controller, source)) >= least
            case "spells last turn":
                return self._spells_last_turn(value)
            case "attacked with":
                return any(
                    player is controller and not subtypes.isdisjoint(value["subtypes"])
                    for player, subtypes in self.attacked
                )
            case "your turn":
                return (controller in self.active) == value
            case "not":
                return not self.holds(value, controller, source)
        raise ValueError(f"no condition has the word {word!r}")

    def _spells_last_turn(self, wanted: Mapping[str, int]) -> bool:
        counts = list(self.last_turn.spells.values())
        if "none" in wanted:
            return sum(counts) == 0
        return max(counts, default=0) >= wanted["one player at least"]
