"""One game of python-mtg: set up as a scenario has it, and played move by move."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

from harness.protocol import Refused, Unsupported

BASICS = ("Plains", "Island", "Swamp", "Mountain", "Forest")

LANDS_EACH = 4
"""So many of each basic land stand beside the scenario's permanents: mana is unlimited there."""

STEPS = {
    "precombat main": "precombat_main",
    "postcombat main": "postcombat_main",
}
"""The steps in which python-mtg stops for a decision, by the words of scenarios."""

PATIENCE = 60


class Table:
    """A game of python-mtg, with the names by which the scenario calls its cards."""

    def __init__(self, mtg: Any, names: Mapping[str, str], given: Mapping[str, Any]) -> None:
        self._mtg = mtg
        self._names = names
        self.players: list[str] = list(given["players"])
        self.ids: dict[str, str] = {}
        self.wanted: list[str] = []
        self.helpers: set[str] = set()
        self.unresolved = False
        self.log: list[dict[str, Any]] = []
        self.jumbled = False
        """Whether more happened in one move than python-mtg lets one put in order."""
        self._check(given)
        self.game = self._build(given)

    # -- setting up --------------------------------------------------------------------------

    def _check(self, given: Mapping[str, Any]) -> None:
        if self.players != ["alice", "bob"]:
            raise Unsupported("capability", "three players", "set up here with two players only")
        turn = given["turn"]
        if turn["step"] != "precombat main":
            raise Unsupported("given", turn["step"], "a game is set up in a main phase")
        for player in self.players:
            if given[player].get("mana") is not None:
                raise Unsupported("capability", "costs", "mana is made by lands and not counted")
            for thing in given[player].get("battlefield", ()):
                for word in ("copy of", "face down", "token", "phased out", "counters"):
                    if thing.get(word):
                        raise Unsupported("given", word, f"a permanent is not set up with {word}")
                if thing.get("face") == "back":
                    raise Unsupported("given", "face", "a permanent is set up front face up only")
                if thing.get("attached to"):
                    raise Unsupported("given", "attached to", "nothing is set up attached")
                if thing.get("damage"):
                    raise Unsupported("given", "damage", "nothing is set up damaged")

    def _build(self, given: Mapping[str, Any]) -> Any:
        zones = ("hand", "library", "graveyard", "exile", "battlefield")
        decks = {}
        for player in self.players:
            cards = [
                self._names[thing["card"]]
                for owner in self.players
                for zone in zones
                for thing in given[owner].get(zone, ())
                if (thing.get("owner") or owner) == player
            ]
            decks[player] = cards + list(BASICS) * LANDS_EACH
        policies = dict.fromkeys(self.players, self._choose)
        with _silence():
            # With a land in hand the first turn has a decision, so that nothing has happened yet.
            start = self._mtg.Game(
                decks,
                policies=policies,
                explicit_lands=True,
                starting_hand={player: [BASICS[0]] for player in self.players},
            )
            state = self._mtg.Game.from_state(start.state).state
        self._deal(state, given, zones)
        with _silence():
            return self._mtg.Game.from_state(state)

    def _deal(self, state: dict[str, Any], given: Mapping[str, Any], zones: Sequence[str]) -> None:
        """Put every card where the scenario has it; the rest are lands that make the mana."""
        slugs = dict(state["instance_of"])
        owners = {card: player for player, card in state["printed_control"]}
        free: dict[tuple[str, str], list[str]] = {}
        for card in sorted(slugs):
            free.setdefault((owners[card], slugs[card]), []).append(card)
        for word in ("on_battlefield", "in_hand", "in_library", "graveyard", "exile", "tapped"):
            state[word] = set()
        state["_sick"] = set()
        order: dict[str, list[str]] = {player: [] for player in self.players}
        for player in self.players:
            for zone in zones:
                for thing in given[player].get(zone, ()):
                    owner = thing.get("owner") or player
                    key = (owner, _slug(self._names[thing["card"]]))
                    if not free.get(key):
                        raise Unsupported("card", thing["card"], "python-mtg gives it another id")
                    card = free[key].pop(0)
                    if thing.get("id"):
                        self.ids[thing["id"]] = card
                    self._put(state, order, player, zone, thing, card)
        for (owner, _), cards in free.items():
            for card in cards:
                self.helpers.add(card)
                state["on_battlefield"].add((card,))
                state["printed_control"].add((owner, card))
        state["_lib_order"] = order
        state["life"] = {(player, given[player].get("life", 20)) for player in self.players}
        state["active_player"] = {(given["turn"]["active"],)}
        state["current_step"] = {("precombat_main",)}

    def _put(
        self,
        state: dict[str, Any],
        order: dict[str, list[str]],
        player: str,
        zone: str,
        thing: Mapping[str, Any],
        card: str,
    ) -> None:
        match zone:
            case "battlefield":
                if (thing.get("owner") or player) != player:
                    raise Unsupported("given", "owner", "controllers are their owners here")
                state["on_battlefield"].add((card,))
                if thing.get("tapped"):
                    state["tapped"].add((card,))
                if thing.get("summoning sick"):
                    state["_sick"].add((card,))
            case "hand":
                state["in_hand"].add((player, card))
            case "library":
                state["in_library"].add((player, card))
                order[player].append(card)
            case "graveyard":
                state["graveyard"].add((card,))
            case "exile":
                state["exile"].add((player, card))

    def _choose(self, state: Any, key: str, options: Any, default: Any) -> Any:
        """Answer python-mtg's inner questions: the scenario's targets and choices, else its own."""
        if options is not None:
            for wanted in self.wanted:
                each = self.ids.get(wanted, wanted)
                if each in options:
                    self.wanted.remove(wanted)
                    return each
        return default

    # -- playing -----------------------------------------------------------------------------

    def moves(self, kind: str) -> list[Any]:
        """List the moves of a kind that python-mtg offers now."""
        return [move for move in self.game.legal_moves if move.kind == kind]

    def push(self, move: Any) -> None:
        """Make a move. Raises `Refused` with what python-mtg breaks on, if it does."""
        before = self._faces()
        try:
            with _silence():
                self.game.push(move)
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError) as problem:
            raise Refused(f"python-mtg broke: {type(problem).__name__}: {problem}") from None
        after = self._faces()
        turned = [card for card in before if card in after and after[card] != before[card]]
        names = {card: called for called, card in self.ids.items()}
        self.log += [{"transformed": names.get(card, card)} for card in turned]
        self.jumbled = self.jumbled or len(turned) > 1

    def _faces(self) -> dict[str, str]:
        """Give the name that is up, of every permanent."""
        slugs = dict(self.game.state["instance_of"])
        return {card: slugs.get(card, card) for card in sorted(self.game.battlefield_ids())}

    def make_mana(self) -> None:
        """Tap the lands that are there for it, if that is offered."""
        for move in self.moves("tap_mana"):
            self.push(move)
            return

    def skip(self) -> None:
        """Take the move that does nothing."""
        move = self.game.priority.skip()
        if move is None:
            raise Refused("there is no move at all")
        self.push(move)

    def card(self, called: str) -> str:
        """Give python-mtg's id of a card."""
        if called not in self.ids:
            raise Unsupported("step", called, "python-mtg has no card of that id")
        return self.ids[called]


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


@contextlib.contextmanager
def _silence() -> Any:
    """Keep what python-mtg tells of every move out of the way."""
    with contextlib.redirect_stdout(io.StringIO()):
        yield
