"""Casting spells, activating abilities, playing lands, special actions (CR 116, 601, 602)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.protocol import Refused
from reference_engine.cards import Ability, Face, ability_from
from reference_engine.mana import Cost
from reference_engine.objects import FRONT, Event, Object, Player, StackItem
from reference_engine.targets import Targets
from reference_engine.triggers import Waiting

MAIN = ("precombat main", "postcombat main")


class Casting(Targets):
    """Lets players act, and refuses what the rules forbid."""

    # -- spells --------------------------------------------------------------------------------

    def cast(
        self,
        player: Player,
        card: Object,
        *,
        targets: Sequence[str] = (),
        face: int = FRONT,
        via: str | None = None,
        x: int = 0,
        modes: Sequence[int] = (),
        pay_with: Sequence[Object] = (),
    ) -> StackItem:
        """Cast a spell (CR 601.2); raises `Refused` where that is illegal."""
        if face != FRONT and card.card.layout != "modal":
            raise Refused(f"{card} can be cast with its front face up only")  # CR 712.11
        showing = card.card.faces[face]
        self._may_cast_from(player, card, showing, via)
        if "land" in showing.types:
            raise Refused(f"{card} is a land")
        if not self._is_time_for(player, card, showing, via):
            raise Refused(f"{player} may not cast {card} now")
        self._is_allowed(player, card)
        spell = Object(
            card.piece, "stack", player, timestamp=self.tick(), face=face, memory={"x": x}
        )
        item = StackItem(
            player, spell=spell, x=x, modes=tuple(modes), via=via, paid_with=list(pay_with)
        )
        self.take_targets(item, self.spell_targets(item), targets)
        cost = self.total_cost(player, card, showing, via, x, item)
        for source in item.paid_with:
            self.tap_for_mana(player, source)
        if not player.mana.can_pay(cost):
            raise Refused(f"{player} cannot pay for {card}")
        player.mana.pay(cost)
        self.take_away(card)
        card.piece.at = spell
        self.stack.append(item)
        player.spells_cast += 1
        self.happen("cast", spell, player=player, via=via)
        self.tell_targets(item)
        self.priority()
        return item

    def _may_cast_from(self, player: Player, card: Object, face: Face, via: str | None) -> None:
        if via == "flashback":
            if "flashback" not in face.keywords or card not in player.graveyard:
                raise Refused(f"{card} can't be cast with flashback")  # CR 702.34a
        elif card not in player.hand and not self.may_cast_exiled(player, card):
            raise Refused(f"{card} is not in {player}'s hand")

    def may_cast_exiled(self, player: Player, card: Object) -> bool:
        """Say whether an effect lets a player cast an exiled card now (CR 601.3)."""
        allowed, condition = card.memory.get("may be cast by", (None, None))
        return allowed is player and card.zone == "exile" and self.holds(condition, player, None)

    def _is_time_for(self, player: Player, card: Object, face: Face, via: str | None) -> bool:
        """Say whether the player may cast it now: an instant any time they have priority, all else
        in their own main phase with the stack empty (CR 304.1, 307.1, 702.8a).
        """
        if self.step in ("untap", "cleanup") and not self.stack:
            return False
        if "instant" in face.types or "flash" in face.keywords:
            return True
        if via == "flash" and any(
            ability.word == "cast" and "flash for" in ability.head for ability in face.abilities
        ):
            return True
        as_though = any(
            "flash for" in effect.change
            and effect.controller is player
            and self.matches(card, effect.change["flash for"], player, None)
            for effect in self.effects
        )
        return as_though or self.is_sorcery_time(player)

    def is_sorcery_time(self, player: Player) -> bool:
        """Say whether a player could cast a sorcery now (CR 307.1)."""
        return player in self.active and self.step in MAIN and not self.stack

    def _is_allowed(self, player: Player, card: Object) -> None:
        for source, ability in self.static_abilities("opponents can't cast over turns begun"):
            if (
                ability.head
                and self.are_opponents(source.controller, player)
                and self.mana_value(card) > player.turns_begun
            ):
                raise Refused(f"{source} keeps {player} from casting {card}")

    def total_cost(
        self, player: Player, card: Object, face: Face, via: str | None, x: int, item: StackItem
    ) -> Cost:
        """Give what a spell costs: its mana cost or an alternative cost, plus additional costs,
        less reductions (CR 601.2f). It is locked in here.
        """
        if via == "flashback":
            cost = Cost.parse(face.keywords["flashback"])
        elif face.cost is None:
            raise Refused(f"{card} has no mana cost")  # CR 118.6
        else:
            cost = face.cost
        cost = cost.with_x(x)
        for ability in face.abilities:
            if ability.word == "cast":
                if via == "flash" and "flash for" in ability.head:
                    cost = cost.plus(Cost.parse(ability.head["flash for"]))
                condition = ability.head.get("if")
                if "for each further target" in ability.head:
                    further = max(0, sum(map(len, item.targets)) - 1)
                    for _ in range(further):
                        cost = cost.plus(Cost.parse(ability.head["for each further target"]))
                if "costs less" in ability.head and self.holds(condition, player, item.spell):
                    cost = cost.less(ability.head["costs less"])
        cost = cost.plus(Cost(generic=self._increases(player, card)))
        cost = cost.less(self._reductions(player, card))
        return self.as_any_color(cost, always="may be cast by" in card.memory)

    def as_any_color(self, cost: Cost, always: bool = False) -> Cost:
        """Let mana be spent as though it were of any colour, where an effect says so (CR 609.4b);
        what has to be colourless stays so.
        """
        if not (always or self.static_abilities("mana is of any color")):
            return cost
        colorless = tuple(symbol for symbol in cost.colored if symbol == "C")
        return Cost(cost.generic + len(cost.colored) - len(colorless), colorless, cost.x)

    def _increases(self, player: Player, card: Object) -> int:
        more = 0
        for source, ability in self.static_abilities("spells cost more"):
            wanted = ability.head["spells cost more"]
            if self.matches(card, wanted["what"], source.controller, source):
                more += self.amount(wanted["by"], StackItem(player, source=source))
        return more

    def _reductions(self, player: Player, card: Object) -> int:
        less = 0
        for source, ability in self.static_abilities("your spells cost less"):
            wanted = ability.head["your spells cost less"]
            if source.controller is player and self.matches(card, wanted["what"], player, source):
                by = self.amount(wanted["by"], StackItem(player, source=source))
                less += max(0, by)  # a negative number counts as 0 (CR 107.1b)
        return less

    def tap_for_mana(self, player: Player, source: Object) -> None:
        """Activate a mana ability while casting, after the cost was locked in (CR 601.2g)."""
        for ability in self.activated_abilities(source):
            if self.is_mana_ability(ability) and source.controller is player:
                item = StackItem(player, source=source, ability=ability)
                self.pay(player, source, ability.head, item)
                self.carry_out(ability.body["do"], item)
                return
        raise Refused(f"{source} has no mana ability of {player}")

    def spell_ability(self, item: StackItem) -> Ability | None:
        """Give what an instant or sorcery does when it resolves."""
        assert item.spell is not None
        for ability in self.characteristics(item.spell).abilities:
            if ability.word == "spell":
                return self.mode_of(ability, item.modes)
        return None

    def mode_of(self, ability: Ability, modes: Sequence[int]) -> Ability:
        """Give an ability with only the chosen modes (CR 700.2)."""
        if "modes" not in ability.body:
            return ability
        chosen = [ability.body["modes"][number - 1] for number in modes]
        if len(chosen) != ability.body.get("choose", 1):
            raise Refused(f"{len(chosen)} modes are chosen")
        return ability_from(
            {
                ability.word: ability.head,
                "targets": [target for mode in chosen for target in mode.get("targets", ())],
                "do": self._instructions(chosen),
            }
        )

    def _instructions(self, modes: Sequence[Mapping[str, Any]]) -> list[Any]:
        """Give what the modes do, in printed order; the "target" of a mode is its own one."""
        found: list[Any] = []
        before = 0
        for mode in modes:
            mine = "target" if before == 0 else f"target {before + 1}"
            found += [
                {word: mine if value == "target" else value for word, value in effect.items()}
                for effect in mode["do"]
            ]
            before += len(mode.get("targets", ()))
        return found

    def spell_targets(self, item: StackItem) -> Sequence[Any]:
        """Give the targets that a spell asks for; an Aura's is what it enchants (CR 303.4a)."""
        assert item.spell is not None
        now = self.characteristics(item.spell)
        if "Aura" in now.subtypes:
            return [now.keywords["enchant"]]
        ability = self.spell_ability(item)
        wanted: Sequence[Any] = () if ability is None else ability.body.get("targets", ())
        return wanted

    # -- abilities -----------------------------------------------------------------------------

    def activated_abilities(self, thing: Object) -> list[Ability]:
        """Give the activated abilities in printed order, equip among them (CR 602.1, 702.6a)."""
        now = self.characteristics(thing)
        found = [ability for ability in now.abilities if ability.word == "activated"]
        if "equip" in now.keywords:
            found.append(
                ability_from(
                    {
                        "activated": {"mana": now.keywords["equip"]},
                        "timing": "sorcery",
                        "targets": [{"types": ["creature"], "controller": "you"}],
                        "do": [{"attach": "this", "to": "target"}],
                    }
                )
            )
        return found

    def activate(
        self,
        player: Player,
        thing: Object,
        number: int = 1,
        *,
        targets: Sequence[str] = (),
        x: int = 0,
        modes: Sequence[int] = (),
        pay_with: Sequence[Object] = (),
    ) -> None:
        """Activate an ability (CR 602.2); raises `Refused` where that is illegal."""
        abilities = self.activated_abilities(thing)
        if not 1 <= number <= len(abilities):
            raise Refused(f"{thing} has {len(abilities)} activated abilities")
        ability = self.mode_of(abilities[number - 1], modes)
        if thing.zone != "battlefield" or thing.phased_out:
            raise Refused(f"{thing} is not on the battlefield")
        if thing.controller is not player and not ability.body.get("any player"):
            raise Refused(f"{player} does not control {thing}")
        loyalty = "loyalty" in ability.head
        if self.is_at_sorcery_speed(ability) and not self.is_sorcery_time(player):
            raise Refused(f"{player} may not activate that now")
        if loyalty and thing.loyalty_used:
            raise Refused(f"a loyalty ability of {thing} was activated this turn")  # CR 606.3
        if self.step in ("untap", "cleanup") and not self.stack:
            raise Refused(f"nobody has priority in the {self.step} step")
        item = StackItem(
            player,
            source=thing,
            ability=ability,
            x=x,
            modes=tuple(modes),
            transforms=thing.transforms,
            paid_with=list(pay_with),
        )
        self.take_targets(item, ability.body.get("targets", ()), targets)
        self.pay(player, thing, ability.head, item)
        if self.is_mana_ability(ability):
            self.carry_out(ability.body["do"], item)  # CR 605.3b
        else:
            self.stack.append(item)
            self.happen("activated", thing, player=player, ability=number)
            self.tell_targets(item)
        self.priority()

    def is_at_sorcery_speed(self, ability: Ability) -> bool:
        """Say whether it can be activated only as a sorcery could be cast (CR 306.5d, 606.3)."""
        return "loyalty" in ability.head or ability.body.get("timing") == "sorcery"

    def is_mana_ability(self, ability: Ability) -> bool:
        """Say whether it adds mana, has no target and is no loyalty ability (CR 605.1a)."""
        return bool(ability.body.get("mana ability"))

    def pay(self, player: Player, thing: Object, cost: Mapping[str, Any], item: StackItem) -> None:
        """Pay the cost of an activated ability (CR 602.2b); raises `Refused` if it can't be."""
        if item.x < cost.get("least x", 0):
            raise Refused(f"X can't be {item.x}")
        mana = self.as_any_color(Cost.parse(cost.get("mana", "")).with_x(item.x))
        if not player.mana.can_pay(mana):
            raise Refused(f"{player} cannot pay {cost['mana']}")
        if cost.get("tap") and not self.can_tap_for_cost(thing):
            raise Refused(f"{thing} cannot be tapped for a cost")
        if "loyalty" in cost:
            if thing.counters["loyalty"] + cost["loyalty"] < 0:
                raise Refused(f"{thing} has too few loyalty counters")
            thing.loyalty_used = True
            thing.counters["loyalty"] += cost["loyalty"]
            self.changed()
        player.mana.pay(mana)
        if cost.get("tap"):
            self.tap(thing)
        if "tap another" in cost:
            (other,) = self._chosen_to_pay(player, item, cost["tap another"], 1)
            self.tap(other)
        if "discard" in cost:
            self.discard(self._cards_to_pay(player, item, player.hand, cost["discard"]))
        if "exile from graveyard" in cost:
            wanted = cost["exile from graveyard"]
            options = [
                card
                for card in player.graveyard
                if self.matches(card, wanted["what"], player, thing)
            ]
            cards = self._cards_to_pay(player, item, options, item.x)
            thing.linked += self.exile(cards)
        if cost.get("sacrifice") == "this":
            self.leave([thing], "graveyard", "sacrificed")
        elif "sacrifice" in cost:
            options = [
                each
                for each in self.matching(cost["sacrifice"], player, thing)
                if each.controller is player
            ]
            chosen = item.paid_with or self.choose(player, thing, options, what="a sacrifice")
            if len(chosen) != 1 or chosen[0] not in options:
                raise Refused(f"{player} has nothing to sacrifice")
            self.leave(chosen, "graveyard", "sacrificed")

    def can_tap_for_cost(self, thing: Object) -> bool:
        """Say whether {T} can be paid: untapped, and no creature with summoning sickness
        (CR 302.6).
        """
        now = self.characteristics(thing)
        return not thing.tapped and not (thing.sick and now.is_creature and not now.has("haste"))

    def _chosen_to_pay(
        self, player: Player, item: StackItem, wanted: Any, number: int
    ) -> list[Object]:
        options = [
            each
            for each in self.matching(wanted, player, item.source)
            if not each.tapped and each.controller is player
        ]
        return self._cards_to_pay(player, item, options, number)

    def _cards_to_pay(
        self, player: Player, item: StackItem, options: Sequence[Object], number: int
    ) -> list[Object]:
        chosen = item.paid_with
        if not chosen and len(options) == number:
            chosen = list(options)
        if len(chosen) != number or any(card not in options for card in chosen):
            raise Refused(f"{player} cannot pay {number} with that")
        return list(chosen)

    # -- lands and special actions -------------------------------------------------------------

    def play_land(self, player: Player, card: Object) -> None:
        """Play a land: one a turn, at sorcery speed; that is not casting (CR 305.1–2)."""
        if "land" not in card.card.faces[FRONT].types or card not in player.hand:
            raise Refused(f"{player} has no land {card} to play")
        if not self.is_sorcery_time(player) or player.lands_played:
            raise Refused(f"{player} may not play a land now")
        player.lands_played += 1
        self.put_onto_battlefield([card], player)
        self.happen("played", card, player=player)
        self.priority()

    def turn_face_up(self, player: Player, thing: Object) -> None:
        """Turn a manifested permanent face up for its mana cost: a special action (CR 701.34b,
        116.2b). A double-faced card shows its front face (CR 712.15a).
        """
        front = thing.card.faces[FRONT]
        if not thing.face_down or thing.controller is not player:
            raise Refused(f"{thing} is not a face-down permanent of {player}")
        if "creature" not in front.types or front.cost is None:
            raise Refused(f"{thing} cannot be turned face up")
        if not player.mana.can_pay(front.cost):
            raise Refused(f"{player} cannot pay for {thing}")
        player.mana.pay(front.cost)
        thing.face_down = False
        thing.timestamp = self.tick()
        self.changed()
        self.happen("turned face up", thing)
        self.settle()
        self.priority()

    # -- priority ------------------------------------------------------------------------------

    def priority(self) -> None:
        """Do what comes before a player gets priority: state-based actions, then triggered
        abilities onto the stack, until there are none of either (CR 117.5).
        """
        for _ in range(1000):
            while self.state_based_actions():
                pass
            if not self.waiting:
                return
            self.put_triggers_on_stack()
        raise Refused("the game would go on for ever without a choice (CR 104.4b)")

    def put_triggers_on_stack(self) -> None:
        """Put waiting abilities onto the stack, the active player's first (CR 603.3b)."""
        waiting, self.waiting = self.waiting, []
        for player in self.playing:
            for each in self.in_order([one for one in waiting if one.controller is player]):
                self._put_on_stack(each)

    def in_order(self, waiting: list[Waiting]) -> list[Waiting]:
        """Let a player order the abilities that they control: those that are named first go onto
        the stack first (CR 603.3b). Without a word from the scenario they go as they triggered.
        """
        names = [self.name_of(each.source) for each in waiting]
        for answer in self.answers if len(waiting) > 1 else ():
            if (
                answer.player == waiting[0].controller.name
                and answer.source is None
                and len(answer.chosen) == len(names)
                and sorted(map(str, answer.chosen)) == sorted(map(str, names))
            ):
                self.answers.remove(answer)
                chosen = list(answer.chosen)
                return sorted(waiting, key=lambda one: chosen.index(self.name_of(one.source)))
        return waiting

    def _put_on_stack(self, waiting: Waiting) -> None:
        item = self.stack_item(waiting)
        if self.choose_targets(item, waiting.ability.body.get("targets", ())):
            self.stack.append(item)
            self.tell_targets(item)

    def ward(self, thing: Object, item: StackItem) -> None:
        """Trigger ward for a permanent that an opponent's spell or ability targets (CR 702.21a)."""
        cost = self.characteristics(thing).keywords.get("ward")
        if cost is not None and self.are_opponents(thing.controller, item.controller):
            ability = ability_from({"triggered": {"on": "targeted"}, "do": [{"ward": cost}]})
            event = Event("targeted", thing, {"item": item})
            self.waiting.append(Waiting(thing.controller, thing, ability, event))

    # -- what the next chapter says ------------------------------------------------------------

    def amount(self, wanted: Any, item: StackItem) -> int:
        """Give a number that card data describe."""
        raise NotImplementedError

    def put_onto_battlefield(
        self, cards: Sequence[Object], controller: Player | None, **how: Any
    ) -> list[Object]:
        """Put cards onto the battlefield without casting them."""
        raise NotImplementedError
