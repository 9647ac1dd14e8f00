"""State-based actions (CR 704)."""

from __future__ import annotations

from collections import defaultdict

from reference_engine.damage import Damage
from reference_engine.objects import Object, Player


class StateBased(Damage):
    """Checks the state of the game whenever a player would get priority."""

    def __init__(self) -> None:
        super().__init__()
        self._none_at = -1
        """The version of the game in which no state-based action applied."""

    def state_based_actions(self) -> bool:
        """Perform all that apply, at one moment, and say whether there were any (CR 704.3).

        Where nothing has changed since none applied, none applies now.
        """
        if self._none_at == self.version:
            return False
        losing = [player for player in self.playing if self.has_lost(player)]
        dying, destroyed = [], []
        for thing in self.permanents():
            if self.is_put_into_graveyard(thing):
                dying.append(thing)
            elif self.is_destroyed(thing):
                destroyed.append(thing)
        dying += [thing for thing in self.legends() if thing not in dying]
        loose = [
            thing
            for thing in self.permanents()
            if thing not in dying and thing not in destroyed and self.comes_loose(thing)
        ]
        if not (losing or dying or destroyed or loose):
            self._none_at = self.version
            return False
        with self.together():
            for thing in loose:
                self.unattach(thing)
            self.leave([*dying, *destroyed], "graveyard")
            for player in losing:
                self.lose(player)
        return True

    def has_lost(self, player: Player) -> bool:
        """Say whether a player loses: no life left (CR 704.5a), a draw from an empty library
        (CR 704.5b), ten poison counters (CR 704.5c, 704.6b).
        """
        poison = 15 if self.shared_turns else 10
        return (
            player.life.total <= 0
            or player.skips["drew from an empty library"] > 0
            or player.life.poison >= poison
        )

    def is_put_into_graveyard(self, thing: Object) -> bool:
        """Say whether a permanent is put into its owner's graveyard: a creature with toughness 0 or
        less (CR 704.5f), a planeswalker with loyalty 0 (CR 704.5i), an Aura that enchants nothing
        it may (CR 704.5m).
        """
        now = self.characteristics(thing)
        if now.is_creature and now.toughness is not None and now.toughness <= 0:
            return True
        if "planeswalker" in now.types and thing.counters["loyalty"] <= 0:
            return True
        return self.is_lost_aura(thing)

    def is_lost_aura(self, thing: Object) -> bool:
        """Say whether it is an Aura attached to nothing or to what it can't enchant."""
        if not self.is_aura(thing) or self.characteristics(thing).is_creature:
            return False
        to = thing.attached_to
        return to is None or not self.may_enchant(thing, to)

    def is_destroyed(self, thing: Object) -> bool:
        """Say whether a creature is destroyed by the damage it has been dealt (CR 704.5g–h)."""
        now = self.characteristics(thing)
        return (
            now.is_creature
            and not now.has("indestructible")
            and thing.damage > 0
            and (thing.deathtouched or thing.damage >= (now.toughness or 0))
        )

    def legends(self) -> list[Object]:
        """Give the legendary permanents that are put into graveyards: all of a name that a player
        controls but one of that player's choice (CR 704.5j).
        """
        named: dict[tuple[str, str], list[Object]] = defaultdict(list)
        for thing in self.permanents():
            now = self.characteristics(thing)
            if "legendary" in now.supertypes and now.name:
                named[thing.controller.name, now.name].append(thing)
        going: list[Object] = []
        for same in named.values():
            if len(same) > 1:
                kept = self.choose(
                    same[0].controller, None, same, what="which legendary permanent to keep"
                )
                going += [thing for thing in same if thing not in kept]
        return going

    def comes_loose(self, thing: Object) -> bool:
        """Say whether a permanent becomes unattached and stays: an Equipment on what it can't equip
        (CR 704.5n), or what is neither Aura nor Equipment, or is a creature (CR 704.5p).
        """
        to = thing.attached_to
        if to is None:
            return False
        if self.characteristics(thing).is_creature:
            return True
        if self.is_equipment(thing):
            return (
                isinstance(to, Player)
                or not to.on_battlefield
                or not self.characteristics(to).is_creature
            )
        return not self.is_aura(thing)

    def lose(self, player: Player) -> None:
        """Let a player lose the game; with shared life the whole team does (CR 104.3, 810.8a)."""
        raise NotImplementedError
