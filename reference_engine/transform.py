"""Transforming double-faced permanents (CR 701.28, 712)."""

from __future__ import annotations

from collections.abc import Iterable

from reference_engine.objects import BACK, FRONT, Object, StackItem
from reference_engine.triggers import Triggers

ANY_DOUBLE_FACED = "2025-09-19"
"""Since this edition the rules no longer ask for a *transforming* double-faced card."""


class Transforming(Triggers):
    """Turns permanents over to their other face."""

    def can_transform(self, thing: Object, because: str | None = None) -> bool:
        """Say whether a permanent would transform if told to.

        `because` is the keyword ability that tells it, if one does: daybound and nightbound
        permanents transform for nothing else.
        """
        return (
            thing.on_battlefield
            and self.is_double_faced(thing)
            and not thing.face_down  # CR 712.15a
            and self.has_permanent_face(thing)
            and not self.is_bound(thing, because)
            and not self.restricted(thing, "can't transform")
        )

    def is_double_faced(self, thing: Object) -> bool:
        """Say whether what represents it can be turned over: a transforming card or token
        (CR 701.28a, 701.28c); since the edition of 2025-09-19 any double-faced one.
        """
        if self.edition >= ANY_DOUBLE_FACED:
            return thing.card.is_transforming or thing.card.layout == "modal"
        return thing.card.is_transforming

    def has_permanent_face(self, thing: Object) -> bool:
        """Say whether its other face is that of a permanent (CR 701.28d)."""
        return thing.card.faces[1 - thing.face].is_permanent

    def is_bound(self, thing: Object, because: str | None) -> bool:
        """Say whether daybound or nightbound keeps it from transforming: it transforms only due
        to that ability itself (CR 702.145b, 702.145e).
        """
        now = self.characteristics(thing)
        return any(
            now.has(keyword) and keyword != because for keyword in ("daybound", "nightbound")
        )

    def transform(self, things: Iterable[Object], because: str | None = None) -> list[Object]:
        """Transform permanents at the same moment, and say which did (CR 701.28a).

        Those that can't are left as they are. What a face says happens "as" it is transformed
        into is part of that moment (CR 712.20).
        """
        turning = [thing for thing in things if self.can_transform(thing, because)]
        with self.together():
            for thing in turning:
                self.turn_over(thing)
            for thing in turning:
                self.as_it_transforms(thing)
            for thing in turning:
                self.happen("transformed", thing, player=thing.controller)
        return turning

    def turn_over(self, thing: Object) -> None:
        """Put the other face up. It stays the same object (CR 712.18) and gets a new timestamp
        (CR 613.7g).
        """
        thing.face = BACK if thing.face == FRONT else FRONT
        thing.transforms += 1
        thing.timestamp = self.tick()
        self.changed()

    def as_it_transforms(self, thing: Object) -> None:
        """Apply the "as this transforms into" abilities of the face that comes up (CR 712.20)."""
        for ability in self.characteristics(thing).abilities:
            if ability.word == "transforming":
                self.carry_out(
                    ability.head,
                    StackItem(controller=thing.controller, source=thing, ability=ability),
                )

    def may_transform_itself(self, item: StackItem) -> bool:
        """Say whether an ability may still transform its own source: not if that has transformed
        since the ability was put onto the stack (CR 701.28f).
        """
        return item.source is None or item.source.transforms == item.transforms
