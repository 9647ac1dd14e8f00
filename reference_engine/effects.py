"""Resolving spells and abilities, and carrying out their instructions (CR 608, 609, 611).

Each method named `do_…` is one word of the vocabulary of `docs/cards.md`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from harness.protocol import Unsupported
from reference_engine.cards import ability_from, card_from
from reference_engine.casting import Casting
from reference_engine.damage import Hit
from reference_engine.mana import COLORS, Cost
from reference_engine.objects import (
    ContinuousEffect,
    Event,
    Object,
    Piece,
    Player,
    StackItem,
)
from reference_engine.zones import Arrival

Effect = Mapping[str, Any]


class Effects(Casting):
    """Carries out what spells and abilities say."""

    # -- resolving (CR 608) --------------------------------------------------------------------

    def resolve_top(self) -> None:
        """Resolve the topmost object of the stack (CR 608.1)."""
        item = self.stack[-1]
        if item.is_spell:
            self.resolve_spell(item)
        else:
            self.stack.pop()
            self.resolve_ability(item)
        self.priority()

    def resolve_ability(self, item: StackItem) -> None:
        """Resolve an ability: its "if" is looked at again, then its targets (CR 603.4, 608.2)."""
        assert item.ability is not None
        assert item.source is not None
        condition = item.ability.head.get("if") if item.ability.word == "triggered" else None
        if condition is not None and not self.holds(condition, item.controller, item.source):
            return
        if self.drop_illegal_targets(item, item.ability.body.get("targets", ())):
            self.carry_out(item.ability.body["do"], item)

    def resolve_spell(self, item: StackItem) -> None:
        """Resolve a spell; with every target illegal it does not resolve (CR 608.2b)."""
        spell = item.spell
        assert spell is not None
        if not self.drop_illegal_targets(item, self.spell_targets(item)):
            self.leave_stack(item)
            return
        if spell.card.faces[spell.face].is_permanent:
            self.resolve_permanent_spell(item)
            return
        ability = self.spell_ability(item)
        if ability is not None:
            self.carry_out(ability.body["do"], item)
        if item in self.stack:
            self.leave_stack(item)

    def resolve_permanent_spell(self, item: StackItem) -> None:
        """Put the permanent onto the battlefield under its controller's control, with the face up
        that was up on the stack unless an effect says otherwise (CR 608.3, 712.13).
        """
        spell = item.spell
        assert spell is not None
        arrival = Arrival(
            spell.piece,
            item.controller,
            face=spell.face,
            attach_to=item.targets[0][0] if item.targets and item.targets[0] else None,
            resolving=True,
        )
        if not self.enter([arrival]):
            self.leave_stack(item)  # CR 303.4g

    def leave_stack(self, item: StackItem) -> None:
        """Put a spell that leaves the stack into its owner's graveyard, or into exile if it was
        cast with flashback (CR 608.2n, 702.34a).
        """
        assert item.spell is not None
        zone = "exile" if item.via == "flashback" else item.goes_to
        self.put(item.spell, zone)
        if zone == "exile":
            self.happen("exiled", item.spell)

    # -- who and what an instruction means -----------------------------------------------------

    def things(self, wanted: Any, item: StackItem) -> list[Any]:
        """Give the objects or players that card data mean: "this", "target", "that", "enchanted",
        or a description of permanents.
        """
        match wanted:
            case "this":
                return [item.origin]
            case "target":
                return list(item.targets[0]) if item.targets else []
            case str() if wanted.startswith("target "):
                place = int(wanted.removeprefix("target ")) - 1
                return list(item.targets[place]) if place < len(item.targets) else []
            case "all targets":
                return [one for chosen in item.targets for one in chosen]
            case "that":
                assert item.event is not None
                return [item.event.subject]
            case "enchanted" | "equipped":
                attached = item.origin.attached_to
                return [] if attached is None else [attached]
            case "exiled with this":
                return [card for card in item.origin.linked if card.exists]
            case "made":
                return list(item.origin.memory.get("made", ()))
        if wanted in ("you", "each opponent", "each player", "that player", "its controller"):
            return list(self.players_meant(wanted, item))
        return self.matching(wanted, item.controller, item.origin)

    def objects(self, wanted: Any, item: StackItem) -> list[Object]:
        """Give the objects meant that are still what they were."""
        return [
            thing
            for thing in self.things(wanted, item)
            if isinstance(thing, Object) and thing.exists and not thing.phased_out
        ]

    def players_meant(self, wanted: Any, item: StackItem) -> list[Player]:
        """Give the players that card data mean."""
        match wanted:
            case "you":
                return [item.controller]
            case "each opponent":
                return self.opponents(item.controller)
            case "each player":
                return self.playing
            case "that player":
                return [self._player_of_event(item)]
            case "its controller":
                return [
                    one if isinstance(one, Player) else one.controller
                    for one in self.things("target", item)
                ]
            case "that controller":
                assert item.event is not None
                return [item.event.subject.controller]
        return [one for one in self.things(wanted, item) if isinstance(one, Player)]

    def _player_of_event(self, item: StackItem) -> Player:
        assert item.event is not None
        if isinstance(item.event.subject, Player):
            return item.event.subject
        for word in ("player", "to"):
            found = item.event.attributes.get(word)
            if isinstance(found, Player):
                return found
        active: tuple[Player, ...] = item.event.attributes["active"]
        return active[0]

    def amount(self, wanted: Any, item: StackItem) -> int:
        """Give a number that card data describe."""
        if isinstance(wanted, int):
            return wanted
        if isinstance(wanted, str):
            if wanted == "x":
                return item.x
            if wanted == "that much":
                assert item.event is not None
                return int(item.event.attributes["amount"])
            return int(item.origin.memory[wanted])
        if "power of" in wanted:
            (thing,) = self.things(wanted["power of"], item) or [None]
            return 0 if thing is None else self.characteristics(thing).power or 0
        if "mana value of" in wanted:
            (thing,) = self.things(wanted["mana value of"], item) or [None]
            return 0 if thing is None else self.characteristics(thing).mana_value
        if "count" in wanted:
            return len(self.things(wanted["count"], item))
        if "plus" in wanted:
            return sum(self.amount(each, item) for each in wanted["plus"])
        raise ValueError(f"no amount is described by {wanted!r}")

    # -- carrying out --------------------------------------------------------------------------

    def carry_out(self, effects: Sequence[Effect], item: StackItem) -> None:
        """Carry out instructions in the order written (CR 608.2c)."""
        for effect in effects:
            getattr(self, self.verb(effect))(effect, item)

    def verb(self, effect: Effect) -> str:
        """Give the method for the word of an instruction that says what to do; the other words
        say how, so their order does not matter. Raises `ValueError` for an unknown instruction.
        """
        for word in effect:
            method = "do_" + word.replace(" ", "_")
            if hasattr(self, method):
                return method
        raise ValueError(f"no effect is called {' or '.join(effect)}")

    def do_missing(self, effect: Effect, item: StackItem) -> None:
        """`missing: what`: something that the vocabulary cannot say; the engine says so rather than
        play it wrong.
        """
        raise Unsupported("card", item.origin.card.name, f"not played: {effect['missing']}")

    def do_if(self, effect: Effect, item: StackItem) -> None:
        """`if: condition, do: […], else: […]`."""
        branch = "do" if self.holds(effect["if"], item.controller, item.origin) else "else"
        self.carry_out(effect.get(branch, ()), item)

    def do_may(self, effect: Effect, item: StackItem) -> None:
        """`may: […]`: the controller says yes or no; `pay` is a cost for it."""
        cost = Cost.parse(effect.get("pay", ""))
        if item.controller.mana.can_pay(cost) and self.ask(
            item.controller, item.source or item.spell, f"whether to use {item.origin}"
        ):
            item.controller.mana.pay(cost)
            self.carry_out(effect["may"], item)

    def do_repeat(self, effect: Effect, item: StackItem) -> None:
        """`repeat: exiled creatures, do: […]`: as often as that."""
        for _ in range(self.amount(effect["repeat"], item)):
            self.carry_out(effect["do"], item)

    def do_draw(self, effect: Effect, item: StackItem) -> None:
        """`draw: 1, player: you`."""
        for player in self.players_meant(effect.get("player", "you"), item):
            self.draw(player, self.amount(effect["draw"], item))

    def do_discard(self, effect: Effect, item: StackItem) -> None:
        """`discard: 1`, with `up to: true`, or `discard: any`; remembers `discarded`."""
        for player in self.players_meant(effect.get("player", "you"), item):
            hand = player.hand
            wanted = effect["discard"]
            most = len(hand) if wanted == "any" else min(self.amount(wanted, item), len(hand))
            least = 0 if wanted == "any" or effect.get("up to") else most
            cards = self.choose(
                player, item.origin, hand, least=least, most=most, what="what to discard"
            )
            self.discard(cards)
            item.origin.memory["discarded"] = len(cards)

    def do_mill(self, effect: Effect, item: StackItem) -> None:
        """`mill: 2, player: …`; `again for a shared color: true` repeats it for as long as two
        nonland cards milled share a colour.
        """
        for player in self.players_meant(effect.get("player", "you"), item):
            milled = self.mill(player, self.amount(effect["mill"], item))
            while effect.get("again for a shared color") and self._share_a_color(milled):
                milled = self.mill(player, self.amount(effect["mill"], item))

    def _share_a_color(self, cards: Sequence[Object]) -> bool:
        seen = [self.characteristics(card) for card in cards]
        colors = Counter(color for one in seen if "land" not in one.types for color in one.colors)
        return any(number >= 2 for number in colors.values())

    def do_scry(self, effect: Effect, item: StackItem) -> None:
        """`scry: 1`: the player says what goes to the bottom; the rest stays (CR 701.22)."""
        player = item.controller
        top = player.library[: self.amount(effect["scry"], item)]
        for card in self.choose(
            player, item.origin, top, least=0, most=len(top), what="what goes to the bottom"
        ):
            player.library.remove(card)
            player.library.append(card)

    def do_damage(self, effect: Effect, item: StackItem) -> None:
        """`damage: 3, to: target, by: this`: all of it at one moment."""
        sources = self.things(effect.get("by", "this"), item)
        amount = self.amount(effect["damage"], item)
        if sources:
            self.deal(
                [Hit(sources[0], to, amount) for to in self.things(effect["to"], item)],
            )

    def do_fight(self, effect: Effect, item: StackItem) -> None:
        """`fight: target, with: target 2` (CR 701.14)."""
        ones, others = self.objects(effect["fight"], item), self.objects(effect["with"], item)
        if ones and others:
            one, other = ones[0], others[0]
            self.deal(
                [
                    Hit(one, other, self.characteristics(one).power or 0),
                    Hit(other, one, self.characteristics(other).power or 0),
                ]
            )

    def do_gain_life(self, effect: Effect, item: StackItem) -> None:
        """`gain life: 1, player: you`."""
        for player in self.players_meant(effect.get("player", "you"), item):
            self.gain_life(player, self.amount(effect["gain life"], item))

    def do_lose_life(self, effect: Effect, item: StackItem) -> None:
        """`lose life: 1, player: …`."""
        for player in self.players_meant(effect.get("player", "you"), item):
            self.lose_life(player, self.amount(effect["lose life"], item))

    def do_become(self, effect: Effect, item: StackItem) -> None:
        """`become: day`, `night`, or `other`: day where it is night, else night."""
        wanted = effect["become"]
        if wanted == "other":
            wanted = "day" if self.designation == "night" else "night"
        self.become(wanted)

    def do_transform(self, effect: Effect, item: StackItem) -> None:
        """`transform: target`; with `any number: true` the controller chooses which."""
        things = self.objects(effect["transform"], item)
        if effect["transform"] == "this" and not self.may_transform_itself(item):
            return
        if effect.get("any number"):
            things = self.choose(
                item.controller,
                item.origin,
                things,
                least=0,
                most=len(things),
                what="which to transform",
            )
        self.transform(things)

    def do_modify(self, effect: Effect, item: StackItem) -> None:
        """`modify: target, power: 1, gain: [trample]`, until end of turn unless `until` differs;
        `set colors: chosen` asks for a colour.
        """
        change = {
            word: self.amount(value, item) if word in ("power", "toughness") else value
            for word, value in effect.items()
            if word not in ("modify", "until")
        }
        if change.get("set colors") == "chosen":
            change["set colors"] = self.choose(
                item.controller, item.origin, list(COLORS.values()), what="a colour"
            )
        self.begin_effect(
            ContinuousEffect(
                change=change,
                timestamp=self.tick(),
                source=item.origin,
                controller=item.controller,
                duration=effect.get("until", "end of turn"),
                what=self.objects(effect["modify"], item),
            )
        )

    def do_for_the_turn(self, effect: Effect, item: StackItem) -> None:
        """`for the turn: {…}`: an effect on the game or on what comes, not on fixed objects;
        `with: target` is the object that it will need.
        """
        change = effect["for the turn"]
        self.begin_effect(
            ContinuousEffect(
                change=change,
                timestamp=self.tick(),
                source=item.origin,
                controller=item.controller,
                duration=effect.get("until", "end of turn"),
                filter=change.get("what"),
                what=self.objects(effect["with"], item) if "with" in effect else None,
            )
        )

    def begin_effect(self, effect: ContinuousEffect) -> None:
        """Let a continuous effect begin (CR 611.2)."""
        self.effects.append(effect)
        if "control" in effect.change:
            for thing in effect.what or ():
                self.change_control(thing)
        self.changed()
        self.settle()

    def end_effects(self, ends: Sequence[ContinuousEffect]) -> None:
        """Let continuous effects end."""
        if not ends:
            return
        self.effects = [effect for effect in self.effects if effect not in ends]
        for effect in ends:
            if "control" in effect.change:
                for thing in effect.what or ():
                    self.change_control(thing)
        self.changed()
        self.settle()

    def change_control(self, thing: Object) -> None:
        """Give a permanent to whom the latest effect gives it, or back (layer 2, CR 613.1b)."""
        if not thing.exists:
            return
        thing.memory.setdefault("controller", thing.controller)
        controller = thing.memory["controller"]
        for effect in self.effects:
            if "control" in effect.change and effect.what and thing in effect.what:
                controller = effect.controller
        if controller is not thing.controller:
            thing.controller = controller
            thing.sick = True  # CR 302.6
            self.remove_from_combat(thing)
            self.changed()
            self.happen("controlled", thing, player=controller)

    def do_gain_control(self, effect: Effect, item: StackItem) -> None:
        """`gain control: target, until: end of turn`."""
        self.begin_effect(
            ContinuousEffect(
                change={"control": True},
                timestamp=self.tick(),
                source=item.origin,
                controller=item.controller,
                duration=effect.get("until", "forever"),
                what=self.objects(effect["gain control"], item),
            )
        )

    def do_counters(self, effect: Effect, item: StackItem) -> None:
        """`counters: "+1/+1", number: 1, on: target`."""
        for thing in self.objects(effect["on"], item):
            self.add_counters(thing, effect["counters"], self.amount(effect["number"], item))

    def do_create(self, effect: Effect, item: StackItem) -> None:
        """`create: {types: […], subtypes: [Wolf], …}, number: 2`: tokens with one face; without a
        name it is called after its subtypes, "Wolf Token" (CR 111.4).
        """
        face = effect["create"]
        called = " ".join([*face.get("subtypes", ()), "Token"])
        card = card_from({"layout": "token", "faces": [{"name": called, **face}]})
        item.origin.memory["made"] = self.create(
            card, item.controller, self.amount(effect.get("number", 1), item)
        )

    def do_create_copy(self, effect: Effect, item: StackItem) -> None:
        """`create copy: target, except: {…}` (CR 707.2, 707.8a)."""
        made = []
        with self.together():
            for thing in self.things(effect["create copy"], item):
                card, face = self.token_card(thing, effect.get("except", {}))
                made += self.create(card, item.controller, face=face)
        item.origin.memory["made"] = made

    def do_become_copy(self, effect: Effect, item: StackItem) -> None:
        """`become copy: exiled with this, except: {…}`: the source becomes a copy of one of these,
        which its controller chooses (CR 707.2).
        """
        options = self.objects(effect["become copy"], item)
        chosen = self.choose(
            item.controller, item.origin, options, what=f"what {item.origin} is a copy of"
        )
        if chosen:
            item.origin.copy = self.copy_of(chosen[0], effect.get("except"))
            self.changed()

    def do_destroy(self, effect: Effect, item: StackItem) -> None:
        """`destroy: target`."""
        self.destroy(self.objects(effect["destroy"], item))

    def do_sacrifice(self, effect: Effect, item: StackItem) -> None:
        """`sacrifice: this` (CR 701.21)."""
        mine = [
            thing
            for thing in self.objects(effect["sacrifice"], item)
            if thing.controller is item.controller
        ]
        self.leave(mine, "graveyard", "sacrificed")

    def do_exile(self, effect: Effect, item: StackItem) -> None:
        """`exile: target`; with `until it leaves: true` for as long as the source stays
        (CR 610.3): not at all if it has left already (CR 610.3c).
        """
        source = item.origin
        until = effect.get("until it leaves")
        if until and not (source.exists and source.zone == "battlefield"):
            return
        exiled = self.exile(self.objects(effect["exile"], item))
        if until:
            source.memory.setdefault("exiled until it leaves", []).extend(exiled)
        source.linked += exiled
        source.memory["exiled"] = len(exiled)
        source.memory["exiled creatures"] = sum(
            1 for card in exiled if self.characteristics(card).is_creature
        )

    def do_exile_from_hand(self, effect: Effect, item: StackItem) -> None:
        """`exile from hand: 1, player: target`: that player chooses which."""
        for player in self.players_meant(effect.get("player", "you"), item):
            most = min(self.amount(effect["exile from hand"], item), len(player.hand))
            cards = self.choose(
                player, item.origin, player.hand, least=most, most=most, what="what to exile"
            )
            item.origin.linked += self.exile(cards)

    def do_exile_at_random(self, effect: Effect, item: StackItem) -> None:
        """`exile at random: description, cast if: condition`: from that player's library, to be
        cast while the condition holds, with mana of any color. Nothing is random here: with more
        than one such card there the engine says that it cannot play this.
        """
        for player in self.players_meant("that player", item):
            options = [
                card
                for card in player.library
                if self.matches(card, effect["exile at random"], item.controller, item.origin)
            ]
            if len(options) > 1:
                raise Unsupported("given", player.name, "which card is exiled would be random")
            for card in self.exile(options):
                card.memory["may be cast by"] = (item.controller, effect["cast if"])

    def do_return_to_hand(self, effect: Effect, item: StackItem) -> None:
        """`return to hand: target`."""
        for thing in self.objects(effect["return to hand"], item):
            if thing.zone == "battlefield":
                self.leave([thing], "hand", "returned")
            else:
                self.put(thing, "hand")
                self.happen("returned", thing)

    def do_put_onto_battlefield(self, effect: Effect, item: StackItem) -> None:
        """`put onto battlefield: target, tapped: true, under: owner`."""
        cards = self.objects(effect["put onto battlefield"], item)
        under = None if effect.get("under") == "owner" else item.controller
        self.put_onto_battlefield(cards, under, tapped=effect.get("tapped", False))

    def put_onto_battlefield(
        self, cards: Sequence[Object], controller: Player | None, **how: Any
    ) -> list[Object]:
        """Put cards onto the battlefield without casting them: front face up by default
        (CR 712.14), under their owners' control if no controller is named.
        """
        return self.enter([Arrival(card.piece, controller or card.owner, **how) for card in cards])

    def do_flicker(self, effect: Effect, item: StackItem) -> None:
        """`flicker: target`: exile it, then return it at once, under `under` (you, or owner)."""
        exiled = self.exile(self.objects(effect["flicker"], item))
        under = None if effect.get("under") == "owner" else item.controller
        self.put_onto_battlefield(exiled, under)

    def do_from_hand(self, effect: Effect, item: StackItem) -> None:
        """`from hand: description, players: each player`: each may put such a card onto the
        battlefield, all at one moment.
        """
        chosen: list[tuple[Object, Player]] = []
        for player in self.players_meant(effect.get("players", "you"), item):
            options = [
                card
                for card in player.hand
                if self.matches(card, effect["from hand"], player, item.origin)
            ]
            cards = self.choose(
                player, item.origin, options, least=0, what="what to put onto the battlefield"
            )
            chosen += [(card, player) for card in cards]
        entered = self.enter([Arrival(card.piece, player) for card, player in chosen])
        item.origin.memory["made"] = entered
        condition = effect.get("if it is")
        if condition is not None and any(
            self.matches(thing, condition, item.controller, item.origin) for thing in entered
        ):
            self.carry_out(effect["do"], item)

    def do_tap(self, effect: Effect, item: StackItem) -> None:
        """`tap: target`."""
        for thing in self.objects(effect["tap"], item):
            self.tap(thing)

    def do_untap(self, effect: Effect, item: StackItem) -> None:
        """`untap: target`."""
        for thing in self.objects(effect["untap"], item):
            self.untap(thing)

    def do_choose_one(self, effect: Effect, item: StackItem) -> None:
        """`choose one: {tap: […], untap: […]}`: as it resolves, by the word."""
        options = effect["choose one"]
        word = self.choose(
            item.controller, item.origin, list(options), what=f"one of {', '.join(options)}"
        )[0]
        self.carry_out(options[word], item)

    def do_counter(self, effect: Effect, item: StackItem) -> None:
        """`counter: target` (CR 701.6); spells that can't be countered stay. `into: hand` puts the
        card there instead of into the graveyard.
        """
        for spell in self.objects(effect["counter"], item):
            for other in [each for each in self.stack if each.spell is spell]:
                other.goes_to = effect.get("into", "graveyard")
                self.counter(other)

    def counter(self, item: StackItem) -> None:
        """Counter a spell or ability: it leaves the stack without resolving (CR 701.6a)."""
        if item not in self.stack:
            return
        if item.spell is None:
            self.stack.remove(item)
            return
        if any(
            ability.word == "cast" and ability.head.get("can't be countered")
            for ability in self.characteristics(item.spell).abilities
        ):
            return
        self.happen("countered", item.spell)
        self.leave_stack(item)

    def do_ward(self, effect: Effect, item: StackItem) -> None:
        """`ward: cost`: counter the spell or ability unless its controller pays (CR 702.21a)."""
        assert item.event is not None
        other: StackItem = item.event.attributes["item"]
        if other in self.stack and not self._pays_ward(other.controller, effect["ward"], item):
            self.counter(other)

    def _pays_ward(self, player: Player, cost: Any, item: StackItem) -> bool:
        mana = Cost.parse(cost) if isinstance(cost, str) and cost.startswith("{") else Cost()
        if not player.mana.can_pay(mana) or (cost == "discard" and not player.hand):
            return False
        if not self.ask(player, item.source, "whether to pay for ward"):
            return False
        player.mana.pay(mana)
        if cost == "discard":
            self.discard(self.choose(player, item.source, player.hand, what="what to discard"))
        elif isinstance(cost, Mapping):
            self.lose_life(player, cost["life"])
        return True

    def do_copy_spell(self, effect: Effect, item: StackItem) -> None:
        """`copy spell: target, except: {set colors: [red]}`: the copy is not cast (CR 707.10); its
        controller may choose new targets.
        """
        for spell in self.objects(effect["copy spell"], item):
            (original,) = [each for each in self.stack if each.spell is spell]
            piece = Piece(spell.card, item.controller, spell_copy=True)
            copy = Object(piece, "stack", item.controller, timestamp=self.tick(), face=spell.face)
            if "except" in effect:
                copy.copy = self.copy_of(spell, effect["except"])
            piece.at = copy
            made = StackItem(
                item.controller,
                spell=copy,
                targets=[list(chosen) for chosen in original.targets],
                x=original.x,
                modes=original.modes,
            )
            self.stack.append(made)
            self.choose_new_targets(made, item.origin)

    def choose_new_targets(self, copy: StackItem, source: Object) -> None:
        """Let the controller of a copy choose new targets, or leave them (CR 707.10c)."""
        said = self.answer_to(copy.controller, source) if copy.targets else None
        if said is not None:
            copy.targets = []
            self.take_targets(copy, self.spell_targets(copy), said)

    def do_extra_turn(self, effect: Effect, item: StackItem) -> None:
        """`extra turn: you`: after this one (CR 500.7)."""
        self.extra_turns += self.players_meant(effect["extra turn"], item)

    def do_skip(self, effect: Effect, item: StackItem) -> None:
        """`skip: untap, player: target`: the next one that would come (CR 614.10)."""
        for player in self.players_meant(effect["player"], item):
            player.skips[effect["skip"]] += 1

    def do_end_the_turn(self, effect: Effect, item: StackItem) -> None:
        """`end the turn: true` (CR 721.1)."""
        self.end_the_turn()

    def end_the_turn(self) -> None:
        """End the turn: what triggered and was not put on the stack is gone, everything on the
        stack is exiled, and the cleanup step comes next (CR 721.1a–d).
        """
        self.waiting = []
        for item in list(self.stack):
            if item.spell is not None:
                self.put(item.spell, "exile")
                self.happen("exiled", item.spell)
        self.stack = []
        self.ending_turn = True

    def do_phase_out(self, effect: Effect, item: StackItem) -> None:
        """`phase out: target` (CR 702.26)."""
        self.phase_out(self.objects(effect["phase out"], item))

    def phase_out(self, things: Sequence[Object]) -> None:
        """Phase permanents out, with what is attached to them (CR 702.26b, 702.26g). They leave no
        zone, and nothing triggers on leaving.
        """
        with self.together():
            for thing in things:
                if thing.phased_out:
                    continue
                self.remove_from_combat(thing)
                thing.phased_out = True
                self.changed()
                self.happen("phased out", thing)
                attached = [each for each in self.attached_to(thing) if not each.phased_out]
                for each in attached:
                    each.phased_with = thing
                self.phase_out(attached)

    def phase_in(self, things: Sequence[Object]) -> None:
        """Phase permanents in, with what phased out attached to them (CR 702.26c, 702.26g)."""
        with self.together():
            for thing in things:
                thing.phased_out, thing.phased_with = False, None
                self.changed()
                self.happen("phased in", thing)
                self.phase_in([each for each in self.battlefield if each.phased_with is thing])

    def do_manifest(self, effect: Effect, item: StackItem) -> None:
        """`manifest: 1`: the top cards, face down as 2/2 creatures (CR 701.34)."""
        top = item.controller.library[: effect["manifest"]]
        self.enter([Arrival(card.piece, item.controller, face_down=True) for card in top])

    def do_attach(self, effect: Effect, item: StackItem) -> None:
        """`attach: this, to: target`; `to: any player` lets the controller choose, without a target
        (CR 701.3).
        """
        for thing in self.objects(effect["attach"], item):
            if effect["to"] == "any player":
                options: list[Any] = [
                    player for player in self.playing if self.may_enchant(thing, player)
                ]
                to = self.choose(
                    item.controller, thing, options, what=f"a player to attach {thing} to"
                )
            else:
                to = self.things(effect["to"], item)
            if to:
                self.attach(thing, to[0])

    def do_add_mana(self, effect: Effect, item: StackItem) -> None:
        """`add mana: "{R}{G}"`, or a list of which one is chosen by its colour; who has mana
        without limit need not say.
        """
        mana = effect["add mana"]
        if isinstance(mana, list):
            options = {color: each for each in mana for color in Cost.parse(each).colors}
            limited = item.controller.mana.left is not None
            color = self.choose(
                item.controller,
                item.origin,
                list(options),
                what="a colour of mana",
                default=None if limited else lambda: list(options)[:1],
            )[0]
            mana = options[color]
        item.controller.mana.add(mana)

    def do_look(self, effect: Effect, item: StackItem) -> None:
        """`look: 4, put: description, into: hand|graveyard, up to: true, rest: bottom|top`: at the
        top of the library.
        """
        player = item.controller
        top = player.library[: effect["look"]]
        options = [card for card in top if self.matches(card, effect["put"], player, item.origin)]
        chosen = self.choose(
            player,
            item.origin,
            options,
            least=0 if effect.get("up to") else 1,
            what=f"what to put into the {effect['into']}",
        )
        for card in chosen:
            self.put(card, effect["into"])
        if effect.get("rest") == "bottom":
            for card in [card for card in top if card not in chosen]:
                self.put(card, "library", len(player.library))

    def do_reveal_top(self, effect: Effect, item: StackItem) -> None:
        """`reveal top: description, do: […]`: look at the top card; it may be revealed, and if it
        fits, something happens.
        """
        top = item.controller.library[:1]
        if (
            top
            and self.matches(top[0], effect["reveal top"], item.controller, item.origin)
            and self.ask(item.controller, item.origin, "whether to reveal the top card")
        ):
            self.carry_out(effect["do"], item)

    def do_later(self, effect: Effect, item: StackItem) -> None:
        """`later: {on: step, step: end, …}, do: […]`: a delayed triggered ability (CR 603.7);
        `about: target` is what it calls "that".
        """
        ability = ability_from({"triggered": effect["later"], "do": effect["do"]})
        event = item.event or Event("created", item.origin)
        if "about" in effect:
            about = self.objects(effect["about"], item)
            if not about:
                return
            event = Event("created", about[0])
        self.wait_for(item.controller, item.origin, ability, event)

    def do_search(self, effect: Effect, item: StackItem) -> None:
        """`search: description, into: battlefield|hand|top, player: …, tapped: true`; a search for
        a card with some quality may fail (CR 701.23b).
        """
        for player in self.players_meant(effect.get("player", "you"), item):
            options = [
                card
                for card in player.library
                if self.matches(card, effect["search"], player, item.origin)
            ]
            for card in self.choose(
                player,
                item.origin,
                options,
                least=1 if effect["search"] == "card" else 0,
                what="what to search for",
            ):
                if effect["into"] == "battlefield":
                    self.put_onto_battlefield([card], player, tapped=effect.get("tapped", False))
                else:
                    zone = "library" if effect["into"] == "top" else effect["into"]
                    self.put(card, zone)

    def do_unless_paid(self, effect: Effect, item: StackItem) -> None:
        """`unless paid: "{U}", do: […]`: unless the controller pays."""
        cost = Cost.parse(effect["unless paid"])
        mana = item.controller.mana
        if mana.can_pay(cost) and self.ask(
            item.controller, item.origin, f"whether to pay {effect['unless paid']}"
        ):
            mana.pay(cost)
        else:
            self.carry_out(effect["do"], item)

    def do_restart(self, effect: Effect, item: StackItem) -> None:
        """`restart: true` (CR 724.1)."""
        self.restart(item)

    def restart(self, item: StackItem) -> None:
        """Restart the game (CR 724)."""
        raise NotImplementedError
