"""Damage and life (CR 119, 120)."""

from __future__ import annotations

from dataclasses import dataclass

from reference_engine.objects import Object, Player, Thing
from reference_engine.zones import Zones


@dataclass(frozen=True, slots=True)
class Hit:
    """An amount of damage that a source would deal."""

    source: Object
    to: Thing
    amount: int


class Damage(Zones):
    """Deals damage, and gains and loses life."""

    def deal(self, hits: list[Hit], *, combat: bool = False) -> None:
        """Deal damage at one moment (CR 120.3). Damage that is prevented is not dealt."""
        dealt = [
            hit
            for hit in hits
            if hit.amount > 0 and self.can_be_hit(hit.to) and not self.prevented(hit, combat)
        ]
        with self.together():
            for hit in dealt:
                self._land(hit)
            for hit in dealt:
                self.happen(
                    "damaged", hit.to, by=hit.source, amount=hit.amount, combat=combat, to=hit.to
                )
            for thing in dict.fromkeys(hit.to for hit in dealt):
                # Whoever is hit by several sources at one moment is dealt damage once (CR 603.2c).
                amount = sum(hit.amount for hit in dealt if hit.to is thing)
                self.happen("dealt damage", thing, amount=amount)
            for hit in dealt:
                if self.characteristics(hit.source).has("lifelink"):  # CR 702.15b
                    self.gain_life(hit.source.controller, hit.amount)

    def can_be_hit(self, thing: Thing) -> bool:
        """Say whether damage can be dealt to it (CR 120.1)."""
        if isinstance(thing, Player):
            return not thing.lost
        types = self.characteristics(thing).types
        return thing.on_battlefield and not types.isdisjoint({"creature", "planeswalker"})

    def prevented(self, hit: Hit, combat: bool) -> bool:
        """Say whether an effect prevents this damage; what the source is counts as the damage would
        be dealt (CR 615.1, 609.7).
        """
        return combat and any(
            "prevents combat damage by" in effect.change
            and self.matches(
                hit.source, effect.change["prevents combat damage by"], effect.controller, None
            )
            for effect in self.effects
        )

    def _land(self, hit: Hit) -> None:
        source = self.characteristics(hit.source)
        if isinstance(hit.to, Player):
            hit.to.life.total -= hit.amount  # CR 120.3a
            self.changed()
            return
        types = self.characteristics(hit.to).types
        if "planeswalker" in types:
            hit.to.counters["loyalty"] -= hit.amount  # CR 120.3c
        if "creature" in types:
            hit.to.damage += hit.amount  # CR 120.3e
            hit.to.deathtouched |= source.has("deathtouch")
        self.changed()

    def gain_life(self, player: Player, amount: int) -> None:
        """Let a player gain life; a team's total changes (CR 119.3, 810.9)."""
        if amount > 0:
            player.life.total += amount
            self.changed()
            self.happen("gained life", player, amount=amount)

    def lose_life(self, player: Player, amount: int) -> None:
        """Let a player lose life (CR 119.3)."""
        if amount > 0:
            player.life.total -= amount
            self.changed()
            self.happen("lost life", player, amount=amount)
