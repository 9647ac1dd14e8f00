"""Targets: what may be chosen, and whether it is still legal (CR 115, 608.2b)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.protocol import Refused
from reference_engine.objects import Object, Player, StackItem
from reference_engine.state_based import StateBased


def described(wanted: Any) -> Mapping[str, Any]:
    """Give a target as a mapping; a plain word is what to target, once."""
    return wanted if isinstance(wanted, Mapping) and "what" in wanted else {"what": wanted}


def how_many(wanted: Mapping[str, Any], x: int) -> tuple[int, int]:
    """Give the least and the most targets that are asked for."""
    number = wanted.get("number", 1)
    most = x if number == "x" else 99 if number == "any" else number
    return (0 if wanted.get("up to") or number == "any" else most), most


class Targets(StateBased):
    """Finds legal targets and lets players choose among them."""

    def possible_targets(self, wanted: Mapping[str, Any], by: StackItem) -> list[Any]:
        """Give everything that this target could be (CR 115.1)."""
        what, source, controller = wanted["what"], by.origin, by.controller
        if wanted.get("in") == "graveyard":
            return [
                card
                for player in self.playing
                for card in player.graveyard
                if self.matches(card, what, controller, source)
            ]
        if wanted.get("in") == "stack":
            return [
                item.spell
                for item in self.stack
                if item.spell is not None
                and item.spell is not source
                and self.matches(item.spell, what, controller, source)
            ]
        found: list[Any] = []
        if what in ("player", "any target"):
            found += self.playing
        elif what == "opponent":
            found += self.opponents(controller)
        if what == "any target":
            what = {"any types": ["creature", "planeswalker"]}
        if what not in ("player", "opponent"):
            found += self.matching(what, controller, source)
        if "or" in wanted:
            found += self.matching(wanted["or"], controller, source)
        if wanted.get("controlled by target") and by.targets:
            found = [thing for thing in found if thing.controller in by.targets[0]]
        return [thing for thing in found if self.may_be_targeted(thing, controller)]

    def may_be_targeted(self, thing: Any, by: Player) -> bool:
        """Say whether hexproof keeps a player's spells and abilities away (CR 702.11)."""
        if isinstance(thing, Player):
            return not (self.are_opponents(thing, by) and self.has_hexproof(thing))
        if thing.zone != "battlefield":
            return True
        return not (
            self.are_opponents(thing.controller, by) and self.characteristics(thing).has("hexproof")
        )

    def has_hexproof(self, player: Player) -> bool:
        """Say whether a permanent gives a player hexproof (CR 702.11c)."""
        return any(
            source.controller is player for source, _ in self.static_abilities("you have hexproof")
        )

    def take_targets(self, item: StackItem, wanted: Sequence[Any], said: Sequence[str]) -> None:
        """Choose targets as a scenario names them, in the printed order (CR 601.2c).

        Raises `Refused` where a name is no legal target, or too few or too many are named.
        """
        words = list(said)
        for each in map(described, wanted):
            least, most = how_many(each, item.x)
            options = {self.name_of(one): one for one in self.possible_targets(each, item)}
            chosen: list[Any] = []
            while words and len(chosen) < most and words[0] in options:
                one = options[words.pop(0)]
                if one in chosen or (each.get("other") and one in item.targets[-1]):
                    raise Refused(f"{self.name_of(one)} is chosen twice as the same target")
                chosen.append(one)
            if len(chosen) < least:
                named = words[0] if words else "nothing"
                raise Refused(f"{named} is no legal target for {item.origin}")
            item.targets.append(chosen)
        if words:
            raise Refused(f"{words[0]} is no legal target for {item.origin}")

    def choose_targets(self, item: StackItem, wanted: Sequence[Any]) -> bool:
        """Let the controller of a triggered ability choose targets; says whether it could
        (CR 603.3d).
        """
        asked = [described(each) for each in wanted]
        possible = [self.possible_targets(each, item) for each in asked]
        numbers = [how_many(each, item.x) for each in asked]
        if any(len(options) < least for options, (least, _) in zip(possible, numbers, strict=True)):
            return False
        if all(
            len(options) == least or most == 0 or not options
            for options, (least, most) in zip(possible, numbers, strict=True)
        ):
            item.targets = possible
            chosen = [one for options in possible for one in options]
            if asked:
                self.said_in_so_many_words(item.controller, item.source, chosen)
            return True
        said = self.answer_to(item.controller, item.source)
        if said is None:
            raise Refused(f"{item.controller} must choose targets for {item.origin}")
        self.take_targets(item, asked, said)
        return True

    def drop_illegal_targets(self, item: StackItem, wanted: Sequence[Any]) -> bool:
        """Forget targets that have become illegal; says whether the spell or ability still
        resolves: it does unless it has targets and all are illegal now (CR 608.2b).
        """
        before = sum(map(len, item.targets))
        item.targets = [
            [one for one in chosen if one in self.possible_targets(described(each), item)]
            for chosen, each in zip(item.targets, wanted, strict=False)
        ]
        return before == 0 or any(item.targets)

    def tell_targets(self, item: StackItem) -> None:
        """Record what became a target, so that abilities can trigger on it."""
        for chosen in item.targets:
            for thing in chosen:
                if isinstance(thing, Object) and thing.zone == "battlefield":
                    self.happen("targeted", thing, item=item, player=item.controller)
                    self.ward(thing, item)

    def ward(self, thing: Object, item: StackItem) -> None:
        """Trigger ward for a permanent that an opponent's spell or ability targets (CR 702.21a)."""
        raise NotImplementedError
