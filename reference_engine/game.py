"""A game: set up as a scenario gives it, then driven step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from harness.protocol import Refused, Unsupported
from reference_engine.cards import Card, card_from
from reference_engine.mana import Mana
from reference_engine.objects import BACK, FRONT, Life, Object, Piece, Player, StackItem
from reference_engine.state import Answer
from reference_engine.turn import Turns

PILES = ("hand", "library", "graveyard", "exile")
STARTING_HAND = 7


class Game(Turns):
    """All chapters together; `Game.from_given` makes one as a scenario's `given` describes it."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: dict[str, Piece] = {}
        self.cards: dict[str, Card] = {}
        """The cards of this game, each read once."""

    # -- setting up ----------------------------------------------------------------------------

    @classmethod
    def from_given(cls, given: Mapping[str, Any], cards: Mapping[str, Mapping[str, Any]]) -> Game:
        """Make the game that `given` describes: its permanents all appear at one moment, nothing
        triggers on that, and what holds at every moment then applies.

        Raises `Unsupported` for a card without facts, or whose abilities it cannot read.
        """
        game = cls()
        game.edition = given.get("edition", game.edition)
        game._seat(given)
        game._deal(given, cards)
        game.designation = None if given["designation"] == "neither" else given["designation"]
        turn = given["turn"]
        game.active = game.team_of(game.player(turn["active"]))
        game.regular = game.active
        game.last_turn = game.past_turn(game.teams[game.teams.index(game.active) - 1])
        game.step, game.turn_number = turn["step"], turn["number"]
        game.changed()
        game.settle()
        game.priority()
        return game

    def _seat(self, given: Mapping[str, Any]) -> None:
        teams = given["teams"]
        lives: dict[str, Life] = {}
        for names in teams or []:
            shared = Life(given[names[0]]["life"])
            lives.update(dict.fromkeys(names, shared))
        for name in given["players"]:
            life = lives.get(name) or Life(given[name]["life"])
            number = max(1, given["turn"]["number"])
            self.players.append(Player(name, life, Mana(given[name]["mana"]), turns_begun=number))
        self.shared_turns = teams is not None
        self.teams = [
            tuple(self.player(name) for name in names)
            for names in teams or [[player.name] for player in self.players]
        ]

    def _deal(self, given: Mapping[str, Any], cards: Mapping[str, Mapping[str, Any]]) -> None:
        permanents: list[tuple[Object, Mapping[str, Any]]] = []
        for player in self.players:
            mine = given[player.name]
            for zone in PILES:
                for entry in mine[zone]:
                    piece = self._piece(entry, player, cards)
                    piece.at = Object(piece, zone, player, timestamp=self.tick())
                    self.pile(player, zone).append(piece.at)
            for entry in mine["battlefield"]:
                owner = self.player(entry.get("owner", player.name))
                piece = self._piece(entry, owner, cards)
                piece.token = entry["token"]
                permanents.append((self._permanent(piece, player, entry), entry))
        for thing, entry in permanents:
            if entry["attached to"] is not None:
                thing.attached_to = self.thing(entry["attached to"])
            if entry["copy of"] is not None:
                thing.copy = self.copy_of(self.object(entry["copy of"]))
        for thing, _ in permanents:
            attached = thing.attached_to
            if thing.phased_out and isinstance(attached, Object) and attached.phased_out:
                thing.phased_with = attached

    def _piece(
        self, entry: Mapping[str, Any], owner: Player, cards: Mapping[str, Mapping[str, Any]]
    ) -> Piece:
        piece = Piece(self._card(entry["card"], cards), owner, id=entry["id"])
        self.pieces[entry["id"]] = piece
        return piece

    def _card(self, name: str, cards: Mapping[str, Mapping[str, Any]]) -> Card:
        if name not in self.cards:
            if name not in cards:
                raise Unsupported("card", name, "no facts were sent")
            for face in cards[name]["faces"]:
                if "incomplete" in face:
                    raise Unsupported("card", name, f"not played: {face['incomplete']}")
            try:
                self.cards[name] = card_from(cards[name])
            except ValueError as problem:
                raise Unsupported("card", name, str(problem)) from problem
        return self.cards[name]

    def _permanent(self, piece: Piece, controller: Player, entry: Mapping[str, Any]) -> Object:
        thing = Object(
            piece,
            "battlefield",
            controller,
            timestamp=self.tick(),
            face=BACK if entry["face"] == "back" else FRONT,
            face_down=entry["face down"],
            tapped=entry["tapped"],
            sick=entry["summoning sick"],
            phased_out=entry["phased out"],
            counters=Counter(entry["counters"]),
            damage=entry["damage"],
        )
        loyalty = piece.card.faces[thing.face].loyalty
        if loyalty is not None and "loyalty" not in thing.counters:
            thing.counters["loyalty"] = loyalty
        piece.at = thing
        self.battlefield.append(thing)
        return thing

    # -- names --------------------------------------------------------------------------------

    def object(self, name: str) -> Object:
        """Find the object that a card or token is now; raises `Refused` if it is nowhere."""
        piece = self.pieces.get(name)
        if piece is None or piece.at is None:
            raise Refused(f"there is no {name}")
        return piece.at

    def thing(self, name: str) -> Object | Player:
        """Find an object or a player by name."""
        return self.object(name) if name in self.pieces else self.player(name)

    def find(
        self, name: str, called: str, controller: str | None = None, zone: str | None = None
    ) -> None:
        """Give a name to the oldest object so called that has none yet."""
        candidates: list[Object] = list(self.battlefield)
        candidates += [item.spell for item in self.stack if item.spell is not None]
        for player in self.players:
            for pile in PILES:
                candidates += self.pile(player, pile)
        for thing in candidates:
            if (
                thing.piece.id is None
                and self.characteristics(thing).name == called
                and controller in (None, thing.controller.name)
                and zone in (None, thing.zone)
            ):
                thing.piece.id = name
                self.pieces[name] = thing.piece
                return
        raise Refused(f"there is no {called} without a name")

    # -- acting --------------------------------------------------------------------------------

    def attack(self, attackers: Mapping[str, str]) -> None:
        """Go to the declare attackers step of this turn and attack."""
        self.attacks = {self.object(name): self.thing(to) for name, to in attackers.items()}
        self.go_to_this_turn("declare attackers")

    def block(self, blockers: Mapping[str, str | Sequence[str]]) -> None:
        """Go to the declare blockers step of this turn and block."""
        self.blocks = {
            self.object(name): [self.object(each) for each in ([to] if isinstance(to, str) else to)]
            for name, to in blockers.items()
        }
        self.go_to_this_turn("declare blockers")

    def concede(self, player: Player) -> None:
        """Let a player leave the game (CR 104.3a, 800.4a)."""
        if player.lost:
            raise Refused(f"{player} has left the game")
        self.lose(player)
        self.priority()

    def direct(self, what: Mapping[str, Any]) -> None:
        """Carry out an effect that no card has."""
        ((word, value),) = what.items()
        match word:
            case "become":
                self.become(value)
            case "transform":
                self.transform([self.object(value)])
            case "put":
                self.put_where(
                    self.object(value["object"]),
                    **{k: v for k, v in value.items() if k != "object"},
                )
            case _:
                raise Unsupported("step", f"directive {word}", "no such directive is known")
        self.priority()

    def put_where(
        self, thing: Object, zone: str, controller: str | None = None, face: str = "front"
    ) -> None:
        """Put a card into a zone, whatever it takes."""
        if zone == "battlefield":
            player = self.player(controller) if controller else thing.owner
            self.put_onto_battlefield([thing], player, face=BACK if face == "back" else FRONT)
        elif thing.zone == "battlefield":
            self.leave([thing], zone)
        else:
            self.put(thing, zone)

    def answer_with(self, choices: Sequence[Mapping[str, Any]]) -> None:
        """Lay down what players will say when they are asked."""
        self.answers = [
            Answer(choice["player"], choice.get("for"), choice["choose"]) for choice in choices
        ]

    # -- restarting ----------------------------------------------------------------------------

    def restart(self, item: StackItem) -> None:
        """Restart the game (CR 724): every card but those left in exile goes back to its owner's
        library, the game has no designation, and the controller of the effect starts.
        """
        kept = [card for card in item.origin.linked if card.exists and card.zone == "exile"]
        self.waiting, self.delayed, self.effects, self.stack = [], [], [], []
        self.extra_turns = []
        for piece in list(self._all_pieces()):
            if piece.at is None or piece.at in kept:
                continue
            self.take_away(piece.at)
            piece.at = None
            if not piece.token and not piece.spell_copy:
                piece.at = Object(piece, "library", piece.owner, timestamp=self.tick())
                piece.owner.library.append(piece.at)
        self.designation = None
        self.battlefield = []
        for player in self.players:
            player.life.total, player.life.poison = 20, 0
            player.skips.clear()
            player.spells_cast = player.turns_begun = 0
        for player in self.players:
            for card in player.library[:STARTING_HAND]:
                self.put(card, "hand")
        self.log = []
        arriving = [
            card
            for card in kept
            if card.card.faces[FRONT].is_permanent and "Aura" not in card.card.faces[FRONT].subtypes
        ]
        self.put_onto_battlefield(arriving, item.controller)
        self.turn_number = 0
        if len(self.teams) == 2:
            for player in self.team_of(item.controller):
                player.skips["draw"] = 1  # CR 103.8a–b
        self.active = self.regular = self.team_of(item.controller)
        self.begin_turn(self.active)

    def _all_pieces(self) -> list[Piece]:
        found = [thing.piece for thing in self.battlefield]
        found += [each.spell.piece for each in self.stack if each.spell is not None]
        for player in self.players:
            for zone in PILES:
                found += [card.piece for card in self.pile(player, zone)]
        return found
