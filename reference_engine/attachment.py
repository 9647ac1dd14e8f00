"""Auras and Equipment: attaching and unattaching (CR 303.4, 701.3)."""

from __future__ import annotations

from typing import Any

from reference_engine.day_night import DayNight
from reference_engine.objects import Object, Player, Thing


class Attachment(DayNight):
    """Attaches permanents to objects and players."""

    def enchants(self, aura: Object) -> Any:
        """Give what the enchant ability says: "player" or a description (CR 702.5a)."""
        return self.characteristics(aura).keywords.get("enchant")

    def is_aura(self, thing: Object) -> bool:
        """Say whether it is an Aura."""
        return "Aura" in self.characteristics(thing).subtypes

    def is_equipment(self, thing: Object) -> bool:
        """Say whether it is an Equipment."""
        return "Equipment" in self.characteristics(thing).subtypes

    def may_enchant(self, aura: Object, thing: Thing | None, wanted: Any = None) -> bool:
        """Say whether the Aura can be attached to this (CR 303.4a, 303.4c). Hexproof does not
        matter: only targets care (CR 702.11).
        """
        wanted = self.enchants(aura) if wanted is None else wanted
        if isinstance(thing, Player):
            return wanted == "player" and not thing.lost
        return (
            thing is not None
            and wanted not in (None, "player")
            and thing.on_battlefield
            and thing is not aura
            and self.matches(thing, wanted, aura.controller, aura)
        )

    def enchantable(self, aura: Object, wanted: Any = None) -> list[Thing]:
        """Give all that the Aura could be attached to now."""
        things: list[Thing] = [*self.playing, *self.permanents()]
        return [thing for thing in things if self.may_enchant(aura, thing, wanted)]

    def attach(self, thing: Object, to: Thing) -> None:
        """Attach a permanent to an object or player, with a new timestamp (CR 701.3, 613.7e)."""
        if thing.attached_to is to:
            return
        thing.attached_to = to
        thing.timestamp = self.tick()
        self.changed()
        self.happen("attached", thing, to=to)
        self.settle()

    def unattach(self, thing: Object) -> None:
        """Unattach a permanent; it stays on the battlefield (CR 701.3d)."""
        thing.attached_to = None
        self.changed()
        self.happen("unattached", thing)
        self.settle()

    def attached_to(self, thing: Thing) -> list[Object]:
        """Give the permanents attached to an object or player."""
        return [each for each in self.battlefield if each.attached_to is thing]
