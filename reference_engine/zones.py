"""Objects changing zones, and what replaces or modifies that (CR 400, 614, 616)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from harness.protocol import Unsupported
from reference_engine.attachment import Attachment
from reference_engine.cards import Ability, Card, Face, ability_from
from reference_engine.objects import BACK, FRONT, Copy, Object, Piece, Player, StackItem, Thing

DOUBLE_FACED_TOKENS = "2023-04-14"
"""Since this edition a token that copies a transforming permanent has both faces."""


@dataclass(slots=True)
class Arrival:
    """How an object is to enter the battlefield."""

    piece: Piece
    controller: Player
    face: int = FRONT
    face_down: bool = False
    tapped: bool = False
    resolving: bool = False
    """Whether it enters as the spell that it was resolves."""
    attach_to: Thing | None = None
    """What an Aura spell enters attached to (CR 303.4a)."""
    counters: Mapping[str, int] = field(default_factory=dict)
    copy: Copy | None = None


class Zones(Attachment):
    """Moves objects between zones; each move makes a new object (CR 400.7)."""

    def pile(self, player: Player, zone: str) -> list[Object]:
        """Give the hand, library, graveyard or exiled cards of a player."""
        found: list[Object] = getattr(player, zone)
        return found

    # -- leaving and arriving ------------------------------------------------------------------

    def take_away(self, thing: Object) -> None:
        """Take an object out of its zone, remembering what it last was (CR 608.2h)."""
        if thing.zone == "battlefield":
            thing.last_known = self.characteristics(thing)
            self.battlefield.remove(thing)
            self.remove_from_combat(thing)
        elif thing.zone == "stack":
            thing.last_known = self.characteristics(thing)
            self.stack = [item for item in self.stack if item.spell is not thing]
        else:
            self.pile(thing.owner, thing.zone).remove(thing)
        self.changed()

    def remove_from_combat(self, thing: Object) -> None:
        """Remove a permanent from combat (CR 506.4)."""
        thing.attacking, thing.blocking = None, []
        for other in self.battlefield:
            if thing in other.blocking:
                other.blocking = [each for each in other.blocking if each is not thing]

    def put(self, thing: Object, zone: str, position: int = 0) -> Object | None:
        """Put an object into a zone of its owner and return the new object; None where a token or
        the copy of a spell ceases to exist (CR 704.5d–e: nothing looks at it before that).
        """
        self.take_away(thing)
        piece = thing.piece
        if piece.token or piece.spell_copy:
            piece.at = None
            return None
        new = Object(piece, zone, piece.owner, timestamp=self.tick())
        piece.at = new
        pile = self.pile(piece.owner, zone)
        if zone == "library":
            pile.insert(position, new)
        else:
            pile.append(new)
        return new

    def leave(self, things: Sequence[Object], zone: str, *words: str) -> list[Object]:
        """Move permanents off the battlefield at one moment and return the new objects.

        `words` say why ("destroyed", "sacrificed"). Abilities that see it look back to the moment
        before (CR 603.10a).
        """
        things = [thing for thing in things if thing.exists and thing.zone == "battlefield"]
        seen_by = self.watchers()
        with self.together():
            for thing in things:
                thing.last_known = self.characteristics(thing)
                thing.memory["was blocking"] = thing.blocking
            arrived = [self.put(thing, zone) for thing in things]
            for thing in things:
                for word in words:
                    self.happen(word, thing, seen_by=seen_by)
                if zone == "graveyard" and self.characteristics(thing).is_creature:
                    self.happen("died", thing, seen_by=seen_by)
                self.happen("left", thing, seen_by=seen_by, to=zone)
            for thing in things:
                self.return_exiled(thing)
        return [each for each in arrived if each is not None]

    def return_exiled(self, gone: Object) -> None:
        """Return what was exiled until this permanent would leave, immediately after it left
        (CR 610.3): nothing happens between the two.
        """
        cards = [card for card in gone.memory.pop("exiled until it leaves", ()) if card.exists]
        self.enter([Arrival(card.piece, card.owner) for card in cards])

    def destroy(self, things: Sequence[Object]) -> None:
        """Destroy permanents; indestructible ones stay (CR 701.8, 702.12b)."""
        self.leave(
            [thing for thing in things if not self.characteristics(thing).has("indestructible")],
            "graveyard",
            "destroyed",
        )

    def exile(self, things: Sequence[Object]) -> list[Object]:
        """Exile objects from wherever they are; returns the exiled cards (CR 701.13)."""
        exiled = self.leave(things, "exile", "exiled")
        for thing in things:
            if thing.exists and thing.zone != "battlefield":
                new = self.put(thing, "exile")
                self.happen("exiled", thing)
                exiled += [new] if new else []
        return exiled

    # -- entering the battlefield --------------------------------------------------------------

    def enter(self, arrivals: Sequence[Arrival]) -> list[Object]:
        """Put objects onto the battlefield at one moment and return the permanents.

        What modifies how each enters is applied first, in the order of CR 616.1: copying, then
        entering back face up, then the rest. An Aura with nothing to enchant stays where it is
        (CR 303.4g).
        """
        with self.together():
            self.enters_as_another(arrivals)
            entering = []
            for arrival in arrivals:
                thing = self.prepare(arrival)
                if thing is not None:
                    entering.append((thing, arrival))
            for thing, _ in entering:
                self.place(thing)
            for thing, _ in entering:
                self.happen(
                    "entered",
                    thing,
                    face="back" if thing.face == BACK else "front",
                    controller=thing.controller,
                    tapped=thing.tapped,
                )
        return [thing for thing, _ in entering]

    def prepare(self, arrival: Arrival) -> Object | None:
        """Make the permanent that an object will be, as replacement effects have it (CR 614.12)."""
        thing = Object(
            arrival.piece,
            "entering",
            arrival.controller,
            timestamp=self.tick(),
            face=arrival.face,
            face_down=arrival.face_down,
            tapped=arrival.tapped,
            sick=True,
            copy=arrival.copy,
        )
        self.enter_as_copy(thing)  # CR 616.1c
        if self.enters_transformed(thing):  # CR 616.1d
            if not self.has_permanent_face(thing):
                return None  # CR 712.13a
            thing.face = BACK
        if not self.aura_finds_its_place(thing, arrival):
            return None
        for ability in self.would_be(thing).abilities:
            if ability.word == "enters":
                self.as_it_enters(thing, ability)
        self.enters_with_counters(thing, arrival)
        return thing

    def enter_as_copy(self, thing: Object) -> None:
        """Let a permanent enter as a copy of another, if it may (CR 707.5)."""
        used: list[Ability] = []
        while True:
            copying = [
                ability
                for ability in self.would_be(thing).abilities
                if ability.word == "enters" and "copy of" in ability.head and ability not in used
            ]
            if not copying:
                return
            used.append(copying[0])
            options = [
                each
                for each in self.permanents()
                if self.matches(each, copying[0].head["copy of"], thing.controller, thing)
            ]
            chosen = self.choose(
                thing.controller, thing, options, least=0, what="what it enters as a copy of"
            )
            if not chosen:
                return
            thing.copy = self.copy_of(chosen[0], copying[0].head.get("except"))

    def enters_as_another(self, arrivals: Sequence[Arrival]) -> None:
        """Let what would enter next enter as a copy, where an effect replaces that: all at that
        moment that would be what it speaks of, and then the effect is used up (CR 614.12, 616.1c).
        """
        for effect in [each for each in self.effects if "next to enter are copies" in each.change]:
            wanted = effect.change["next to enter are copies"]
            fitting = [
                arrival
                for arrival in arrivals
                if self._enters_as(self._as_arriving(arrival), wanted, effect.controller)
            ]
            if fitting and effect.what:
                for arrival in fitting:
                    arrival.copy = self.copy_of(effect.what[0])
                self.effects.remove(effect)

    def _as_arriving(self, arrival: Arrival) -> Object:
        return Object(
            arrival.piece,
            "entering",
            arrival.controller,
            face=arrival.face,
            face_down=arrival.face_down,
            copy=arrival.copy,
        )

    def as_it_enters(self, thing: Object, ability: Ability) -> None:
        """Apply one "as this enters" ability of the permanent itself (CR 614.1c)."""
        head = ability.head
        if "if" in head and not self.holds(head["if"], thing.controller, thing):
            return
        if "missing" in head:
            raise Unsupported("card", thing.card.name, f"not played: {head['missing']}")
        if "becomes" in head:
            self.become(head["becomes"])
        if head.get("tapped"):
            thing.tapped = True
        if head.get("chooses") == "creature type":
            thing.memory["chosen"] = [self.choose_word(thing.controller, thing, "a creature type")]
        if "turn face down" in head:
            others = self.matching(head["turn face down"], thing.controller, thing)
            for other in others:
                self.turn_face_down(other)

    def enters_with_counters(self, thing: Object, arrival: Arrival) -> None:
        """Count the counters that it enters with: loyalty (CR 306.5b), and what effects add."""
        loyalty = self.face_of(thing).loyalty
        if loyalty is not None and not thing.face_down:
            thing.counters["loyalty"] = loyalty
        thing.counters.update(arrival.counters)
        for effect in self.effects:
            wanted = effect.change.get("enters with")
            if wanted is not None and self._enters_as(thing, effect.filter, effect.controller):
                thing.counters.update(wanted)

    def _enters_as(self, thing: Object, wanted: Any, controller: Player) -> bool:
        thing.last_known = self.would_be(thing)
        try:
            return self.matches(thing, wanted, controller, None)
        finally:
            thing.last_known = None

    def aura_finds_its_place(self, thing: Object, arrival: Arrival) -> bool:
        """Attach an Aura that enters: to the target of its spell (CR 608.3c), else to what its
        controller chooses (CR 303.4f). Says whether it can enter at all.
        """
        now = self.would_be(thing)
        if "Aura" not in now.subtypes or "enchant" not in now.keywords:
            return True
        if arrival.attach_to is not None:
            thing.attached_to = arrival.attach_to
            return True
        options = self.enchantable(thing, now.keywords["enchant"])
        if not options:
            return False
        thing.attached_to = self.choose(
            thing.controller, thing, options, what="what the Aura enchants"
        )[0]
        return True

    def place(self, thing: Object) -> None:
        """Put the prepared permanent onto the battlefield, its card out of its old zone."""
        before = thing.piece.at
        if before is not None:
            self.take_away(before)
        thing.zone = "battlefield"
        thing.piece.at = thing
        self.battlefield.append(thing)
        self.changed()

    # -- copies and tokens ---------------------------------------------------------------------

    def face_of(self, thing: Object) -> Face:
        """Give the copiable face that an object shows now, face-down status aside."""
        return thing.copy.face if thing.copy is not None else thing.card.faces[thing.face]

    def copy_of(self, thing: Object, exceptions: Mapping[str, Any] | None = None) -> Copy:
        """Take the copiable values of the face that is up (CR 707.2, 707.8); the mana value of a
        copied back face is 0 (CR 712.8e).
        """
        face = self.face_of(thing)
        on_back = thing.copy is None and thing.face == BACK and thing.card.is_transforming
        value = 0 if on_back else self.mana_value(thing)
        return Copy(changed_face(face, exceptions or {}), value, self.tick())

    def create(
        self, card: Card, controller: Player, number: int = 1, face: int = FRONT
    ) -> list[Object]:
        """Create tokens (CR 111.1)."""
        made = self.enter(
            [
                Arrival(Piece(card, controller, token=True), controller, face=face)
                for _ in range(number)
            ]
        )
        for token in made:
            self.happen("created", token, controller=controller)
        return made

    def token_card(self, thing: Object, exceptions: Mapping[str, Any]) -> tuple[Card, int]:
        """Give the card that a token copy is, and the face it enters with up: both faces where the
        original is a transforming permanent (CR 707.8a, since the edition of 2023-04-14).
        """
        one_faced = self.edition < DOUBLE_FACED_TOKENS or not self.is_double_faced(thing)
        if one_faced or thing.face_down:
            return Card("normal", (self.copy_of(thing, exceptions).face,)), FRONT
        faces = thing.card.faces if thing.copy is None else (thing.copy.face, thing.copy.face)
        changed = tuple(changed_face(face, exceptions) for face in faces)
        return Card(thing.card.layout, changed), thing.face

    def turn_face_down(self, thing: Object) -> None:
        """Turn a permanent face down; double-faced ones can't be (CR 712.16)."""
        if len(thing.card.faces) == 1 and not thing.face_down:
            thing.face_down = True
            thing.timestamp = self.tick()
            self.changed()
            self.happen("turned face down", thing)

    # -- what players do with cards ------------------------------------------------------------

    def draw(self, player: Player, number: int = 1) -> int:
        """Draw cards one at a time (CR 121.2); returns how many were drawn."""
        drawn = 0
        for _ in range(number):
            if not self.happens_instead_of_draw(player):
                drawn += self.draw_one(player)
        return drawn

    def happens_instead_of_draw(self, player: Player) -> bool:
        """Do what replaces a player's next draw, if anything does; it is used up then, and it works
        with an empty library too (CR 121.6, 614.11).
        """
        for effect in self.effects:
            if "instead of your next draw" in effect.change and effect.controller is player:
                self.effects.remove(effect)
                self.carry_out(
                    effect.change["instead of your next draw"],
                    StackItem(player, source=effect.source),
                )
                return True
        return self._draws_for(player)

    def _draws_for(self, player: Player) -> bool:
        """Let another player draw instead of an opponent, whose first draw in their draw step
        stays; the same ability replaces no draw twice (CR 614.5).
        """
        if self.step == "draw" and player in self.active and not player.drawn:
            return False
        for source, ability in self.static_abilities("draws instead of opponents"):
            if ability.head and self.are_opponents(source.controller, player):
                self.draw_one(source.controller)
                return True
        return False

    def draw_one(self, player: Player) -> bool:
        """Draw a card; from an empty library nothing is drawn, and that loses (CR 121.4)."""
        if not player.library:
            player.skips["drew from an empty library"] += 1
            self.changed()
            return False
        player.drawn += 1
        self.put(player.library[0], "hand")
        self.happen("drew", player)
        return True

    def discard(self, cards: Sequence[Object]) -> None:
        """Put cards from a hand into their owner's graveyard (CR 701.9)."""
        for card in cards:
            self.put(card, "graveyard")
            self.happen("discarded", card, player=card.owner)

    def mill(self, player: Player, number: int) -> list[Object]:
        """Put the top cards of a library into the graveyard (CR 701.17)."""
        milled = []
        for card in player.library[:number]:
            new = self.put(card, "graveyard")
            self.happen("milled", card, player=player)
            milled += [new] if new else []
        return milled

    def tap(self, thing: Object) -> bool:
        """Tap a permanent and say whether it was untapped."""
        if thing.tapped:
            return False
        thing.tapped = True
        self.happen("tapped", thing)
        return True

    def untap(self, thing: Object) -> bool:
        """Untap a permanent and say whether it was tapped."""
        if not thing.tapped:
            return False
        thing.tapped = False
        self.happen("untapped", thing)
        return True

    def add_counters(self, thing: Object, kind: str, number: int) -> None:
        """Put counters on a permanent (CR 122)."""
        if number and thing.on_battlefield:
            thing.counters[kind] += number
            self.changed()
            self.happen("counters", thing, kind=kind, number=number)
            self.settle()


def changed_face(face: Face, exceptions: Mapping[str, Any]) -> Face:
    """Give a face with the exceptions of a copy effect, which are copiable too (CR 707.9)."""
    if not exceptions:
        return face
    after = replace(face)
    if "name" in exceptions:
        after = replace(after, name=exceptions["name"])
    if "supertypes" in exceptions:
        after = replace(after, supertypes=after.supertypes | set(exceptions["supertypes"]))
    if "not supertypes" in exceptions:
        after = replace(after, supertypes=after.supertypes - set(exceptions["not supertypes"]))
    if "subtypes" in exceptions:
        after = replace(after, subtypes=after.subtypes | set(exceptions["subtypes"]))
    if "types" in exceptions:
        after = replace(after, types=after.types | set(exceptions["types"]))
    if "set colors" in exceptions:
        after = replace(after, colors=frozenset(exceptions["set colors"]))
    if "colors" in exceptions:
        after = replace(after, colors=after.colors | set(exceptions["colors"]))
    if "power" in exceptions:
        after = replace(after, power=exceptions["power"], toughness=exceptions["toughness"])
    if "gain" in exceptions:
        keywords = {each: True for each in exceptions["gain"] if isinstance(each, str)}
        abilities = [ability_from(each) for each in exceptions["gain"] if not isinstance(each, str)]
        after = replace(
            after,
            keywords={**after.keywords, **keywords},
            abilities=(*after.abilities, *abilities),
        )
    return after
