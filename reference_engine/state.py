"""The state of a game, and how players answer when the game asks them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from harness.protocol import Refused
from reference_engine.objects import (
    Characteristics,
    ContinuousEffect,
    Event,
    Object,
    Player,
    StackItem,
)

T = TypeVar("T")


NEWEST = "9999-12-31"
"""An edition later than all, for games that name none."""


@dataclass(slots=True)
class Turn:
    """Who took a turn, and how many spells each player cast in it."""

    active: tuple[Player, ...]
    spells: Mapping[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Answer:
    """What a player will say when asked: by whom, for which object, and what."""

    player: str
    source: str | None
    chosen: Sequence[Any]


class State:
    """Everything that a game is at one moment.

    The rules stand in the classes that extend this one, a chapter each; together they are
    `reference_engine.game.Game`.
    """

    def __init__(self) -> None:
        self.edition = NEWEST
        """The edition of the Comprehensive Rules that is played by; dates compare as text."""
        self.players: list[Player] = []
        self.teams: list[tuple[Player, ...]] = []
        """Players who take their turns together, in turn order; alone without teams (CR 805.4)."""
        self.shared_turns = False
        self.designation: str | None = None
        """"day", "night", or None while the game has neither (CR 728.1)."""
        self.active: tuple[Player, ...] = ()
        self.step = "precombat main"
        self.turn_number = 1
        self.last_turn = Turn(())
        self.extra_turns: list[Player] = []
        self.ending_turn = False
        self.attacked: list[tuple[Player, frozenset[str]]] = []
        """Who attacked this turn, and with a creature of which subtypes."""
        self.battlefield: list[Object] = []
        self.stack: list[StackItem] = []
        self.effects: list[ContinuousEffect] = []
        self.log: list[Event] = []
        self.answers: list[Answer] = []
        self.clock = 0
        self.version = 0
        self.simultaneous = 0

    def tick(self) -> int:
        """Give a timestamp later than all before (CR 613.7)."""
        self.clock += 1
        return self.clock

    def changed(self) -> None:
        """Note that characteristics may have changed."""
        self.version += 1

    # -- who is who ----------------------------------------------------------------------------

    @property
    def active_player(self) -> Player:
        """The active player; the first of them where a team shares the turn (CR 102.1, 805.4a)."""
        return self.active[0]

    @property
    def playing(self) -> list[Player]:
        """The players still in the game, in turn order from the active player (CR 101.4)."""
        order = self.players
        if self.active:
            start = self.players.index(self.active[0])
            order = self.players[start:] + self.players[:start]
        return [player for player in order if not player.lost]

    def player(self, name: str) -> Player:
        """Find a player by name; raises `Refused` for nobody's name."""
        for player in self.players:
            if player.name == name:
                return player
        raise Refused(f"nobody is called {name}")

    def team_of(self, player: Player) -> tuple[Player, ...]:
        """Give the players of the same team, the player alone without teams."""
        return next(team for team in self.teams if player in team)

    def are_opponents(self, one: Player, other: Player) -> bool:
        """Say whether two players are opponents (CR 102.2, 102.3)."""
        return other not in self.team_of(one)

    def opponents(self, player: Player) -> list[Player]:
        """Give a player's opponents who are still in the game, in turn order."""
        return [other for other in self.playing if self.are_opponents(player, other)]

    def permanents(self) -> list[Object]:
        """Give the permanents that are phased in; the others are treated as if they did not
        exist (CR 702.26b).
        """
        return [each for each in self.battlefield if not each.phased_out]

    # -- asking --------------------------------------------------------------------------------

    def name_of(self, thing: Any) -> Any:
        """Give the word by which a scenario calls a thing."""
        if isinstance(thing, Object):
            return thing.piece.id or thing.card.name
        if isinstance(thing, Player):
            return thing.name
        return thing

    def choose(
        self,
        player: Player,
        source: Object | None,
        options: Sequence[T],
        *,
        least: int = 1,
        most: int = 1,
        what: str,
        default: Callable[[], list[T]] | None = None,
    ) -> list[T]:
        """Ask a player to choose between `least` and `most` of the options.

        Where there is nothing to decide nobody is asked. Raises `Refused` if the scenario says
        nothing on a choice that matters, or says what may not be chosen.
        """
        most = min(most, len(options))
        least = min(least, most)
        if most == 0 or least == len(options):
            self.said_in_so_many_words(player, source, options)
            return list(options)
        said = self.answer_to(player, source)
        if said is None:
            if default is not None:
                return default()
            raise Refused(f"{player.name} must choose {what}, and the scenario does not say what")
        names: dict[Any, T] = {}
        for option in options:
            names.setdefault(self.name_of(option), option)
        chosen = []
        for word in said:
            if word not in names:
                raise Refused(f"{player.name} may not choose {word} as {what}")
            chosen.append(names[word])
        if not least <= len(chosen) <= most or len(set(map(id, chosen))) < len(chosen):
            raise Refused(f"{player.name} chose {len(chosen)} of {least} to {most}: {what}")
        return chosen

    def ask(self, player: Player, source: Object | None, what: str) -> bool:
        """Ask a player whether they do what they may do (yes or no)."""
        return self.choose(player, source, ["yes", "no"], what=what) == ["yes"]

    def choose_number(
        self, player: Player, source: Object | None, most: int, what: str, least: int = 0
    ) -> int:
        """Ask a player for a number."""
        return self.choose(player, source, list(range(least, most + 1)), what=what)[0]

    def choose_word(self, player: Player, source: Object | None, what: str) -> str:
        """Ask a player for a word out of more than can be listed, such as a creature type."""
        said = self.answer_to(player, source)
        if said is None or len(said) != 1:
            raise Refused(f"{player.name} must choose {what}, and the scenario does not say what")
        return str(said[0])

    def said_in_so_many_words(
        self, player: Player, source: Object | None, things: Sequence[Any]
    ) -> None:
        """Take the answer, if there is one, that says what could not be chosen otherwise."""
        names = [self.name_of(thing) for thing in things]
        for answer in self.answers:
            if (
                answer.player == player.name
                and answer.source in (None, None if source is None else source.piece.id)
                and (names or answer.source is not None)
                and sorted(map(str, answer.chosen)) == sorted(map(str, names))
            ):
                self.answers.remove(answer)
                return

    def answer_to(self, player: Player, source: Object | None) -> Sequence[Any] | None:
        """Give what the scenario has a player say next, to this object or to any."""
        name = None if source is None else source.piece.id
        for answer in self.answers:
            if answer.player == player.name and answer.source in (None, name):
                self.answers.remove(answer)
                return answer.chosen
        return None

    # -- things happening together -------------------------------------------------------------

    @contextmanager
    def together(self) -> Iterator[None]:
        """Let all that happens inside happen at one moment: nothing looks in between."""
        self.simultaneous += 1
        try:
            yield
        finally:
            self.simultaneous -= 1
        self.settle()

    # -- what later chapters say ---------------------------------------------------------------

    def settle(self) -> None:
        """Carry out what happens immediately, whenever it is true (CR 702.145c–d, f–g)."""
        raise NotImplementedError

    def characteristics(self, thing: Object) -> Characteristics:
        """Give the characteristics of an object (CR 613)."""
        raise NotImplementedError

    def carry_out(self, effects: Sequence[Mapping[str, Any]], item: StackItem) -> None:
        """Carry out instructions in the order written (CR 608.2c)."""
        raise NotImplementedError

    def holds(self, condition: Any, controller: Player, source: Object | None) -> bool:
        """Say whether a condition is true now."""
        raise NotImplementedError

    def matches(
        self, thing: Object, wanted: Any, controller: Player, source: Object | None
    ) -> bool:
        """Say whether an object fits a description."""
        raise NotImplementedError
