"""Which objects and players a scenario names, and where it declares and uses them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from harness.checks.shape import schema
from harness.protocol.words import event_word
from harness.scenario import ZONES, explicit

PLAYERS = ("alice", "bob", "carol", "dave")
NOTHING = "nothing"
RESERVED = frozenset({*PLAYERS, NOTHING})
"""Words that no object can be called: they mean something already."""

OBJECT, PLAYER, EITHER, OR_NOTHING = "object", "player", "object or player", "or nothing"

Place = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Use:
    """A place where a scenario names an object or a player.

    `step` is the step that it stands in (None: `given`), `of_key` whether the name is a key.
    """

    path: Place
    name: str
    what: str
    step: int | None = None
    of_key: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """A card or permanent of `given` as the file has it."""

    path: Place
    player: str
    zone: str
    raw: Mapping[str, Any]


class Names:
    """The names in one scenario, each sort found once."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self.raw = raw
        self.given: Mapping[str, Any] = raw.get("given") or {}

    @cached_property
    def players(self) -> list[str]:
        """The players in turn order."""
        teams = self.given.get("teams") or ()
        listed = self.given.get("players") or [one for team in teams for one in team]
        return list(dict.fromkeys(listed or PLAYERS[:2]))

    @cached_property
    def items(self) -> list[Item]:
        """The cards and permanents of `given`, as the file has them."""
        return [
            Item(("given", player, zone, place), player, zone, item)
            for player in PLAYERS
            if player in self.given
            for zone, items in (self.given[player] or {}).items()
            if zone in ZONES
            for place, item in enumerate(items)
        ]

    @cached_property
    def written(self) -> list[str]:
        """The ids that the file gives to objects of `given`."""
        return [item.raw["id"] for item in self.items if "id" in item.raw]

    @cached_property
    def objects(self) -> set[str]:
        """The ids of all objects in `given`, those too that they have when they are given none."""
        full = explicit(self.given)
        return {
            item["id"]
            for player in full["players"]
            for zone in ZONES
            for item in full[player][zone]
        }

    @cached_property
    def found(self) -> dict[str, int]:
        """The ids that `find` declares, with the first step that declares each."""
        found: dict[str, int] = {}
        for number, step in enumerate(self.raw["steps"]):
            if "find" in step:
                found.setdefault(step["find"]["id"], number)
        return found

    @cached_property
    def uses(self) -> list[Use]:
        """All places where objects and players are named, in order."""
        return [*self._in_given(), *self._in_steps()]

    def is_object(self, name: str) -> bool:
        """Say whether an object has this id at some time."""
        if name in self.found or name in self.written:
            return True
        return name.rpartition("-")[2].isdigit() and name in self.objects

    def _in_given(self) -> Iterator[Use]:
        active = (self.given.get("turn") or {}).get("active")
        if active is not None:
            yield Use(("given", "turn", "active"), active, PLAYER)
        for player in PLAYERS:
            if player in self.given:
                yield Use(("given", player), player, PLAYER, of_key=True)
        for item in self.items:
            for word, what in (("attached to", EITHER), ("owner", PLAYER), ("copy of", OBJECT)):
                if word in item.raw:
                    yield Use((*item.path, word), item.raw[word], what)

    def _in_steps(self) -> Iterator[Use]:
        for number, step in enumerate(self.raw["steps"]):
            at: Place = ("steps", number)
            for path, name, what, of_key in _of_step(step):
                yield Use((*at, *path), name, what, number, of_key)


Found = tuple[Place, str, str, bool]


def _of_step(step: Mapping[str, Any]) -> Iterator[Found]:
    for place, choice in enumerate(step.get("choices", ())):
        yield ("choices", place, "player"), choice["player"], PLAYER, False
        if "for" in choice:
            yield ("choices", place, "for"), choice["for"], OBJECT, False
    for word, value in step.items():
        at: Place = (word,)
        if word in ("cast", "activate", "play", "turn face up", "concede", "find", "advance"):
            yield from _named(at, value, PLAYER, "player", "controller", "of")
            yield from _named(at, value, OBJECT, "object")
            yield from _listed((*at, "targets"), value.get("targets", ()), EITHER)
            yield from _listed((*at, "pay with"), value.get("pay with", ()), OBJECT)
        elif word == "attack":
            for attacker, defender in value["attackers"].items():
                yield (*at, "attackers", attacker), attacker, OBJECT, True
                yield (*at, "attackers", attacker), defender, EITHER, False
        elif word == "block":
            for blocker, attackers in value["blockers"].items():
                yield (*at, "blockers", blocker), blocker, OBJECT, True
                yield from _listed((*at, "blockers", blocker), attackers, OBJECT)
        elif word == "directive":
            if "transform" in value:
                yield (*at, "transform"), value["transform"], OBJECT, False
            if "put" in value:
                yield from _named((*at, "put"), value["put"], OBJECT, "object")
                yield from _named((*at, "put"), value["put"], PLAYER, "controller")
        elif word == "expect":
            yield from _of_expect(at, value)


def _of_expect(at: Place, expect: Mapping[str, Any]) -> Iterator[Found]:
    yield from _named((*at, "turn"), expect.get("turn", {}), PLAYER, "active")
    for name, attributes in expect.get("objects", {}).items():
        path = (*at, "objects", name)
        yield path, name, OBJECT, True
        yield from _named(path, attributes, PLAYER, "controller", "owner")
        yield from _named(path, attributes, f"{EITHER} {OR_NOTHING}", "attached to", "attacking")
        blocking = attributes.get("blocking", ())
        yield from _listed((*path, "blocking"), blocking, f"{OBJECT} {OR_NOTHING}")
    for name in expect.get("players", ()):
        yield (*at, "players", name), name, PLAYER, True
    for place, item in enumerate(expect.get("stack", ())):
        path = (*at, "stack", place)
        yield from _named(path, item, OBJECT, "object", "ability of")
        yield from _named(path, item, PLAYER, "controller")
        yield from _listed((*path, "targets"), item.get("targets", ()), EITHER)
    for word in ("events", "no events"):
        for place, item in enumerate(expect.get(word, ())):
            yield from _of_event((*at, word, place), item)
    for place, branch in enumerate(expect.get("any of", ())):
        yield from _of_expect((*at, "any of", place), branch)


def _of_event(at: Place, item: Mapping[str, Any]) -> Iterator[Found]:
    about = event_word(item)
    for word, value in item.items():
        what = _event_values().get(word)
        if what is not None and (word != "tapped" or about == word):
            yield (*at, word), value, what, False


@cache
def _event_values() -> dict[str, str]:
    """What the words of an event speak of, by the schema: an object, a player or either."""
    kinds = {"#/$defs/id": OBJECT, "#/$defs/player": PLAYER}
    words = schema("ruling")["$defs"]["event"]["properties"]
    found = {word: kinds[says["$ref"]] for word, says in words.items() if says.get("$ref") in kinds}
    return {**found, "tapped": OBJECT, "damaged": EITHER, "to": EITHER}


def _named(at: Place, value: Mapping[str, Any], what: str, *words: str) -> Iterator[Found]:
    for word in words:
        if word in value:
            yield (*at, word), value[word], what, False


def _listed(at: Place, value: str | Sequence[str], what: str) -> Iterator[Found]:
    if isinstance(value, str):
        yield at, value, what, False
        return
    for place, name in enumerate(value):
        yield (*at, place), name, what, False
