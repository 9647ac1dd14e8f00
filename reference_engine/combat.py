"""Combat: attacking, blocking and combat damage (CR 506–511)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.protocol import Refused
from reference_engine.damage import Hit
from reference_engine.effects import Effects
from reference_engine.objects import Object, Player


class Combat(Effects):
    """Declares attackers and blockers and deals combat damage."""

    def attackers(self) -> list[Object]:
        """Give the attacking creatures."""
        return [thing for thing in self.permanents() if thing.attacking is not None]

    def blockers_of(self, attacker: Object) -> list[Object]:
        """Give the creatures that block an attacker."""
        return [thing for thing in self.permanents() if attacker in thing.blocking]

    def __init__(self) -> None:
        super().__init__()
        self.attacks: dict[Object, Player | Object] = {}
        """What will attack when attackers are declared next."""
        self.blocks: dict[Object, list[Object]] = {}
        """What will block when blockers are declared next."""

    # -- attacking (CR 508) --------------------------------------------------------------------

    def declare_attackers_step(self) -> None:
        """Declare the attack that was planned, or none (CR 508.1)."""
        attacks, self.attacks = self.attacks, {}
        self.declare_attackers(attacks)

    def declare_blockers_step(self) -> None:
        """Declare the blocks that were planned, or none (CR 509.1)."""
        blocks, self.blocks = self.blocks, {}
        self.declare_blockers(blocks)

    def declare_attackers(self, attacks: Mapping[Object, Player | Object]) -> None:
        """Declare attackers: the turn-based action of the step (CR 508.1); raises `Refused`."""
        for attacker, defender in attacks.items():
            self.check_attack(attacker, defender)
        for thing in self.permanents():
            if thing not in attacks and self.must_attack(thing):
                raise Refused(f"{thing} attacks each combat if able")
        with self.together():
            for attacker, defender in attacks.items():
                attacker.attacking = attacker.memory["defender"] = defender
                if not self.characteristics(attacker).has("vigilance"):
                    self.tap(attacker)
            for attacker, defender in attacks.items():
                subtypes = self.characteristics(attacker).subtypes
                self.attacked.append((attacker.controller, subtypes))
                self.happen("attacked", attacker, player=attacker.controller, defender=defender)

    def check_attack(self, attacker: Object, defender: Player | Object) -> None:
        """Raise `Refused` unless the creature can attack that player or planeswalker."""
        if not self.can_attack(attacker):
            raise Refused(f"{attacker} can't attack")
        owner = defender if isinstance(defender, Player) else defender.controller
        if not self.are_opponents(attacker.controller, owner) or owner.lost:
            raise Refused(f"{attacker} can't attack {defender}")

    def can_attack(self, thing: Object) -> bool:
        """Say whether it is an untapped creature of the active player that is not summoning sick
        (CR 508.1a, 508.1c, 302.6).
        """
        now = self.characteristics(thing)
        return (
            thing.on_battlefield
            and now.is_creature
            and thing.controller in self.active
            and not thing.tapped
            and (not thing.sick or now.has("haste"))
            and not now.has("defender")
            and not self.restricted(thing, "can't attack")
        )

    def must_attack(self, thing: Object) -> bool:
        """Say whether it has to attack and can (CR 508.1d)."""
        return self.can_attack(thing) and self.restricted(thing, "attacks if able")

    # -- blocking (CR 509) ---------------------------------------------------------------------

    def declare_blockers(self, blocks: Mapping[Object, Sequence[Object]]) -> None:
        """Declare blockers: the turn-based action of the step (CR 509.1); raises `Refused`."""
        for blocker, blocked in blocks.items():
            if len(blocked) != 1:
                raise Refused(f"{blocker} can block one creature")
            self.check_block(blocker, blocked[0])
        for attacker in self.attackers():
            number = sum(1 for blocked in blocks.values() if attacker in blocked)
            if number == 1 and self.characteristics(attacker).has("menace"):
                raise Refused(f"{attacker} can't be blocked by one creature alone")  # CR 702.111b
        with self.together():
            for blocker, blocked in blocks.items():
                blocker.blocking = list(blocked)
            for blocker, blocked in blocks.items():
                self.happen("blocks", blocker, attacker=blocked[0])
            for attacker in self.attackers():
                if self.blockers_of(attacker):
                    attacker.blocked = True
                    self.becomes_blocked(attacker)

    def becomes_blocked(self, attacker: Object) -> None:
        """Note that a creature becomes blocked: once, however many block it (CR 509.5c)."""
        self.happen("blocked", attacker)

    def check_block(self, blocker: Object, attacker: Object) -> None:
        """Raise `Refused` unless the creature can block that attacker."""
        now = self.characteristics(blocker)
        defender = attacker.attacking
        if defender is None:
            raise Refused(f"{attacker} does not attack")
        player = defender if isinstance(defender, Player) else defender.controller
        if (
            not blocker.on_battlefield
            or not now.is_creature
            or blocker.tapped
            or self.restricted(blocker, "can't block")
            or blocker.controller not in self.team_of(player)
        ):
            raise Refused(f"{blocker} can't block {attacker}")
        if not self.can_be_blocked_by(attacker, blocker):
            raise Refused(f"{attacker} can't be blocked by {blocker}")

    def can_be_blocked_by(self, attacker: Object, blocker: Object) -> bool:
        """Say whether evasion abilities of the attacker allow the blocker (CR 509.1b)."""
        a, b = self.characteristics(attacker), self.characteristics(blocker)
        if self.restricted(attacker, "can't be blocked"):
            return False
        if a.has("flying") and not (b.has("flying") or b.has("reach")):  # CR 702.9b
            return False
        if a.has("intimidate") and not (
            ("artifact" in b.types and b.is_creature) or a.colors & b.colors
        ):  # CR 702.13b
            return False
        return not any(
            source is attacker
            and self.matches(
                blocker, ability.head["can't be blocked by"], source.controller, source
            )
            for source, ability in self.static_abilities("can't be blocked by")
        )

    # -- combat damage (CR 510) ----------------------------------------------------------------

    def has_first_strikers(self) -> bool:
        """Say whether there is a first combat damage step (CR 510.4)."""
        return any(self._strikes_first(thing) for thing in self.permanents() if self._fights(thing))

    def _fights(self, thing: Object) -> bool:
        return thing.attacking is not None or bool(thing.blocking)

    def _strikes_first(self, thing: Object) -> bool:
        now = self.characteristics(thing)
        return now.has("first strike") or now.has("double strike")

    def combat_damage(self, first: bool) -> None:
        """Deal the combat damage of one step, all at the same moment (CR 510.1–2)."""
        hits: list[Hit] = []
        for thing in self.permanents():
            if not self._fights(thing):
                continue
            if not (self._strikes_first(thing) if first else self._strikes_again(thing)):
                continue
            if first:
                thing.memory["struck"] = True
            power = self.characteristics(thing).power or 0
            if power > 0 and self.characteristics(thing).is_creature:
                hits += self.assign(thing, power)
        self.deal(hits, combat=True)

    def _strikes_again(self, thing: Object) -> bool:
        """Say whether it deals damage in the regular step: unless it struck first, or if it has
        double strike (CR 510.4, 702.4b).
        """
        return "struck" not in thing.memory or self.characteristics(thing).has("double strike")

    def assign(self, thing: Object, power: int) -> list[Hit]:
        """Assign a creature's combat damage (CR 510.1): an unblocked attacker to what it attacks; a
        blocked one to its blockers in order, lethal damage to each before the next, and with
        trample the rest to what it attacks.
        """
        if thing.blocking:
            return [Hit(thing, thing.blocking[0], power)]
        defender = thing.attacking
        assert defender is not None
        if isinstance(defender, Object) and not defender.on_battlefield:
            return []
        if not thing.blocked:
            return [Hit(thing, defender, power)]
        hits = []
        blockers = self.blockers_of(thing)
        tramples = self.characteristics(thing).has("trample")
        for place, blocker in enumerate(blockers):
            last = place == len(blockers) - 1 and not tramples
            amount = power if last else min(power, self._lethal(thing, blocker))
            hits.append(Hit(thing, blocker, amount))
            power -= amount
        if tramples and power:
            hits.append(Hit(thing, defender, power))  # CR 702.19b
        return hits

    def _lethal(self, attacker: Object, blocker: Object) -> int:
        if self.characteristics(attacker).has("deathtouch"):
            return 1
        return max(0, (self.characteristics(blocker).toughness or 0) - blocker.damage)

    def end_combat(self) -> None:
        """Remove everything from combat (CR 511.3)."""
        for thing in self.battlefield:
            thing.attacking, thing.blocking, thing.blocked = None, [], False
            thing.memory.pop("struck", None)
