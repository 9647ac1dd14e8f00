"""One game of phase: set up as a scenario has it, and played step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from harness.adapters.phase.answers import answer
from harness.adapters.phase.log import STEPS, Log
from harness.protocol import Refused, Unsupported

PHASES = {step: phase for phase, step in STEPS.items()}

ZONES = {"hand": "hand", "library": "library", "graveyard": "graveyard"}

COUNTERS = {"+1/+1": "P1P1", "-1/-1": "M1M1", "loyalty": "loyalty"}

MANA = {"W": "White", "U": "Blue", "B": "Black", "R": "Red", "G": "Green", "C": "Colorless"}

PLENTY = [color for color in MANA.values() for _ in range(8)]
"""What a player has in the pool before every payment, where mana is unlimited."""

FILLER = "Plains"

CREATURE_TYPES = ("Bear", "Beast", "Cat", "Goblin", "Human", "Spirit", "Werewolf", "Wolf", "Zombie")
"""Types that can be named, beside those of the cards: phase knows only those of its card file."""

PATIENCE = 400
"""More actions than any step of a scenario takes."""

SETTLED_TURN = 7
"""A turn that is nobody's first."""


class Table:
    """A game of phase, with the names by which the scenario calls objects and players."""

    def __init__(self, engine: Any, given: Mapping[str, Any]) -> None:
        self.players: list[str] = list(given["players"])
        self.ids: dict[str, int] = {}
        self.names: dict[int, str] = {}
        self.limited = {
            player: list(_mana(given[player]["mana"]))
            for player in self.players
            if given[player].get("mana") is not None
        }
        self.answers: list[dict[str, Any]] = []
        self.log = Log(self.name_of, self.players.__getitem__)
        self._engine = engine
        self._game: Any = None
        self._cached: dict[str, Any] | None = None
        self._build(given)

    # -- what is there -----------------------------------------------------------------------

    @property
    def state(self) -> dict[str, Any]:
        """The whole state, as phase exports it."""
        if self._cached is None:
            self._cached = self._game.state()["state"]
        return self._cached

    @property
    def phase(self) -> str:
        """The current step, by phase's name."""
        return str(self._game.phase)

    @property
    def turn(self) -> int:
        """The number of the current turn."""
        return int(self._game.turn)

    @property
    def stack(self) -> list[dict[str, Any]]:
        """What is on the stack, top last."""
        return list(self._game.stack())

    @property
    def waiting(self) -> Mapping[str, Any]:
        """What phase is waiting for: a player's priority, or an answer."""
        waiting: Mapping[str, Any] = self._game.waiting_for()
        return waiting

    def name_of(self, number: int) -> str:
        """Give the word by which the scenario calls an object."""
        if number in self.names:
            return self.names[number]
        thing = self._game.object(number) if self._game else None
        return thing["name"] if thing else f"object {number}"

    def thing(self, called: str) -> Mapping[str, Any] | None:
        """Give an object as phase has it, None when it has ceased to exist."""
        number = self.ids.get(called)
        return None if number is None else self.state["objects"].get(str(number))

    def seat(self, player: str) -> int:
        """Give a player's seat."""
        return self.players.index(player)

    # -- setting up --------------------------------------------------------------------------

    def _build(self, given: Mapping[str, Any]) -> None:
        wanted: dict[str, list[tuple[str, str, Mapping[str, Any]]]] = {
            player: [] for player in self.players
        }
        for player in self.players:
            for zone in ("hand", "library", "graveyard", "exile", "battlefield"):
                for thing in given[player].get(zone, ()):
                    self._check(thing)
                    wanted[thing.get("owner") or player].append((player, zone, thing))
        decks = [
            [thing["card"] for _, _, thing in wanted[player]] + [FILLER] * 7
            for player in self.players
        ]
        several = {"extra_players": decks[2:], "format": "FreeForAll"} if len(decks) > 2 else {}
        self._game = self._engine.new_game(decks[0], decks[1], seed=1, first_player=0, **several)
        self._keep_hands()
        exported = self._game.state()
        state = exported["state"]
        permanents = self._deal(state, wanted)
        self._game = self._engine.load_game(exported)
        self._cached = None
        for player, thing, number in permanents:
            self._place(player, thing, number)
        for _, thing, number in permanents:
            if thing.get("attached to"):
                self._attach(number, thing["attached to"])
        self._start(given, permanents)

    def _check(self, thing: Mapping[str, Any]) -> None:
        for word in ("copy of", "face down", "token"):
            if thing.get(word):
                raise Unsupported("given", word, f"a permanent cannot be set up as a {word}")

    def _keep_hands(self) -> None:
        for _ in range(PATIENCE):
            if self.waiting["type"] != "MulliganDecision":
                return
            for pending in self.waiting["data"]["pending"]:
                keep = {"type": "MulliganDecision", "data": {"choice": {"type": "Keep"}}}
                self._game.apply(pending["player"], keep)
                break

    def _deal(
        self,
        state: dict[str, Any],
        wanted: Mapping[str, Sequence[tuple[str, str, Mapping[str, Any]]]],
    ) -> list[tuple[str, Mapping[str, Any], int]]:
        """Put the cards of hands, libraries, graveyards and exile where they belong."""
        state["debug_mode"] = True
        permanents = []
        for seat, player in enumerate(self.players):
            own = state["players"][seat]
            cards = {
                number: each for number, each in state["objects"].items() if each["owner"] == seat
            }
            for zone in ZONES:
                own[zone] = []
            for controller, zone, thing in wanted[player]:
                number = next(n for n, each in cards.items() if each["name"] == thing["card"])
                card = cards.pop(number)
                if zone == "battlefield":
                    card["zone"] = "Library"
                    own["library"].append(card["id"])
                    permanents.append((controller, thing, card["id"]))
                else:
                    card["zone"] = zone.capitalize()
                    home = state["exile"] if zone == "exile" else own[zone]
                    home.append(card["id"])
                if thing.get("id"):
                    self.ids[thing["id"]] = card["id"]
                    self.names[card["id"]] = thing["id"]
            for number in cards:
                del state["objects"][number]
        order = {id(thing): place for place, thing in enumerate(self._in_order(wanted))}
        return sorted(permanents, key=lambda each: order[id(each[1])])

    def _in_order(
        self, wanted: Mapping[str, Sequence[tuple[str, str, Mapping[str, Any]]]]
    ) -> list[Mapping[str, Any]]:
        return [
            thing
            for player in self.players
            for owner in self.players
            for controller, _, thing in wanted[owner]
            if controller == player
        ]

    def _place(self, player: str, thing: Mapping[str, Any], number: int) -> None:
        self._debug("MoveToZone", object_id=number, to_zone="Battlefield")
        if (thing.get("owner") or player) != player:
            self._debug("SetController", object_id=number, controller=self.seat(player))
        if thing.get("face") == "back":
            self._debug("SetFaceState", object_id=number, transformed=True)
        if thing.get("tapped"):
            self._debug("SetTapped", object_id=number, tapped=True)
        sick = bool(thing.get("summoning sick"))
        self._debug("SetSummoningSickness", object_id=number, sick=sick)
        for kind, count in (thing.get("counters") or {}).items():
            there = self._game.object(number)["counters"]
            has = there.get(COUNTERS.get(kind, kind), there.get(kind, 0))
            self._debug(
                "ModifyCounters",
                object_id=number,
                counter_type=COUNTERS.get(kind, kind),
                delta=count - has,
            )

    def _attach(self, number: int, host: str) -> None:
        if host in self.players:
            target = {"type": "Player", "data": self.seat(host)}
        else:
            target = {"type": "Object", "data": self.ids[host]}
        self._debug("Attach", object_id=number, target=target)

    def _start(
        self, given: Mapping[str, Any], permanents: Sequence[tuple[str, Mapping[str, Any], int]]
    ) -> None:
        turn = given["turn"]
        step = PHASES.get(turn["step"])
        if step is None:
            raise Unsupported("given", turn["step"], "phase gives nobody priority in that step")
        active = self.seat(turn["active"])
        self._debug("SetPhase", phase=step, active_player=active)
        exported = self._game.state()
        state = exported["state"]
        state["day_night"] = {"day": "Day", "night": "Night"}.get(given["designation"])
        state["turn_number"] = SETTLED_TURN
        state["waiting_for"] = {"type": "Priority", "data": {"player": active}}
        state["priority_player"] = active
        state["priority_passes"] = []
        state["priority_pass_count"] = 0
        for name in [name for name in state if name.endswith("_this_turn")]:
            if isinstance(state[name], list):
                state[name] = []
        state["all_creature_types"] = sorted({*state["all_creature_types"], *CREATURE_TYPES})
        # Phase makes them anew; what set the game up only makes every export slow.
        state.pop("resolved_rules_journal", None)
        for pool in state["deck_pools"]:
            for name in pool:
                if isinstance(pool[name], list):
                    pool[name] = []
        for seat, player in enumerate(self.players):
            state["players"][seat]["life"] = given[player].get("life", 20)
            state["players"][seat]["turns_taken"] = SETTLED_TURN
        for _, thing, number in permanents:
            card = state["objects"][str(number)]
            card["damage_marked"] = thing.get("damage", 0)
            if not thing.get("summoning sick"):
                card["entered_battlefield_turn"] = 1
            if thing.get("phased out"):
                card["phase_status"] = {"status": "PhasedOut", "cause": "Directly"}
        self._game = self._engine.load_game(exported)
        self._cached = None
        self.log.begin(self.state["objects"], turn["active"])
        self._debug("RunStateBasedActions", noted=True)

    def _debug(self, word: str, noted: bool = False, **data: Any) -> None:
        inner: dict[str, Any] = {"type": word, "data": data} if data else {"type": word}
        result = self._game.apply(0, {"type": "Debug", "data": inner})
        self._cached = None
        if noted:
            self.log.add(result.events, self._game)

    # -- playing -----------------------------------------------------------------------------

    def apply(self, seat: int, kind: str, **data: Any) -> None:
        """Have a player do something. Raises `Refused` with what phase says against it."""
        action: dict[str, Any] = {"type": kind, "data": data} if data else {"type": kind}
        try:
            result = self._game.apply(seat, action)
        except (ValueError, RuntimeError) as problem:
            raise Refused(str(problem)) from None
        self._cached = None
        self.log.add(result.events, self._game)

    def fund(self, player: str) -> None:
        """Fill a player's pool before a payment, unless the scenario says what there is."""
        mana = PLENTY
        if player in self.limited:
            mana = [] if self.pool(player) else self.limited[player]
        if mana:
            self._debug("AddMana", player_id=self.seat(player), mana=mana)

    def pool(self, player: str) -> list[str]:
        """List the mana in a player's pool."""
        return [each["color"] for each in self._game.player(self.seat(player))["mana_pool"]["mana"]]

    def keep_pool(self, player: str) -> None:
        """Remember what limited mana is left: for a scenario it does not end with the step."""
        if player in self.limited:
            self.limited[player] = self.pool(player)

    def with_priority(self, player: str) -> None:
        """Have the players before this one pass, so that it may act.

        The passes of others stand: nothing resolves, since not all have passed in succession.
        """
        for _ in self.players:
            waiting = self.waiting
            if waiting["type"] != "Priority":
                raise Unsupported("step", waiting["type"], "phase waits for something else")
            if waiting["data"]["player"] == self.seat(player):
                return
            self.apply(waiting["data"]["player"], "PassPriority")
        raise Refused(f"{player} does not get priority")

    def until(self, done: Callable[[], bool]) -> None:
        """Have everybody pass until something is so. Raises `Refused` if it never is."""
        for _ in range(PATIENCE):
            self.settle()
            if done():
                return
            if self.waiting["type"] == "GameOver":
                raise Refused("the game is over")
            if self.waiting["type"] == "Priority":
                self.apply(self.waiting["data"]["player"], "PassPriority")
            else:
                self._combat_of_nobody()
        raise Refused("the game does not get there")

    def settle(self) -> None:
        """Answer what phase asks until it waits for priority, attackers or blockers."""
        for _ in range(PATIENCE):
            kind = self.waiting["type"]
            if kind in ("Priority", "GameOver", "DeclareAttackers", "DeclareBlockers"):
                return
            answer(self)
        raise Refused("phase goes on asking")

    def _combat_of_nobody(self) -> None:
        waiting = self.waiting
        seat = waiting["data"]["player"]
        if waiting["type"] == "DeclareAttackers":
            self.apply(seat, "DeclareAttackers", attacks=[])
        else:
            self.apply(seat, "DeclareBlockers", assignments=[])

    # -- answering ---------------------------------------------------------------------------

    def offers(self) -> list[dict[str, Any]]:
        """List what phase says may be done now."""
        return [each.to_dict() for each in self._game.actions()]

    def take(self, seat: int, source: int | None = None) -> list[Any] | None:
        """Take the scenario's next answer of a player: one for what asks, if there is any."""
        mine = [each for each in self.answers if each["player"] == self.players[seat]]
        if not mine:
            return None
        asking = None if source is None else self.names.get(source)
        fitting = [each for each in mine if asking is not None and each.get("for") == asking]
        answer = (fitting or mine)[0]
        self.answers.remove(answer)
        return list(answer["choose"])

    def says_yes(self, seat: int) -> bool:
        """Answer yes or no; whoever goes on to choose something has said yes."""
        mine = [each for each in self.answers if each["player"] == self.players[seat]]
        chosen = list(mine[0]["choose"]) if mine else []
        if chosen in (["yes"], ["no"]):
            self.answers.remove(mine[0])
        return bool(chosen) and chosen != ["no"]

    def target(self, called: str) -> dict[str, int]:
        """Give what phase calls a target."""
        if called in self.players:
            return {"Player": self.seat(called)}
        if called not in self.ids:
            raise Unsupported("step", called, "phase has no object of that id")
        return {"Object": self.ids[called]}


def _mana(text: str) -> Iterator[str]:
    """Read what a player can spend; a number is that much colourless mana."""
    for symbol in text.strip("{}").split("}{"):
        if symbol.isdigit():
            yield from [MANA["C"]] * int(symbol)
        elif symbol in MANA:
            yield MANA[symbol]
