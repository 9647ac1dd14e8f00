"""What a look shows: the words of the protocol for what the game is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness.protocol import Unsupported
from reference_engine.game import Game
from reference_engine.objects import BACK, Event, Object, Player, StackItem

HIDDEN = frozenset({"item", "combat"})
"""Attributes of events that are for the engine alone."""


def name(thing: Any) -> Any:
    """Give the word by which a scenario calls a thing, None for nothing."""
    if isinstance(thing, Object):
        return thing.piece.id or thing.card.name
    if isinstance(thing, Player):
        return thing.name
    if isinstance(thing, tuple):
        return name(thing[0])
    return thing


def _permanent(read: Callable[[Game, Object], Any]) -> Callable[[Game, Object], Any]:
    """Read something that only permanents have."""
    return lambda game, thing: read(game, thing) if thing.zone == "battlefield" else None


def _position(game: Game, thing: Object) -> int | None:
    return thing.owner.library.index(thing) + 1 if thing.zone == "library" else None


OBJECT: Mapping[str, Callable[[Game, Object], Any]] = {
    "zone": lambda game, thing: thing.zone,
    "face": lambda game, thing: "back" if thing.face == BACK else "front",
    "name": lambda game, thing: game.characteristics(thing).name or None,
    "mana value": lambda game, thing: game.characteristics(thing).mana_value,
    "colors": lambda game, thing: sorted(game.characteristics(thing).colors),
    "types": lambda game, thing: sorted(game.characteristics(thing).types),
    "supertypes": lambda game, thing: sorted(game.characteristics(thing).supertypes),
    "subtypes": lambda game, thing: sorted(game.characteristics(thing).subtypes),
    "power": lambda game, thing: game.characteristics(thing).power,
    "toughness": lambda game, thing: game.characteristics(thing).toughness,
    "keywords": lambda game, thing: sorted(game.characteristics(thing).keywords),
    "loyalty": _permanent(lambda game, thing: thing.counters.get("loyalty")),
    "tapped": _permanent(lambda game, thing: thing.tapped),
    "counters": _permanent(
        lambda game, thing: {kind: n for kind, n in sorted(thing.counters.items()) if n}
    ),
    "damage": _permanent(lambda game, thing: thing.damage),
    "attached to": _permanent(lambda game, thing: name(thing.attached_to)),
    "controller": lambda game, thing: (
        name(thing.controller) if thing.zone in ("battlefield", "stack") else None
    ),
    "owner": lambda game, thing: name(thing.owner),
    "phased out": _permanent(lambda game, thing: thing.phased_out),
    "face down": _permanent(lambda game, thing: thing.face_down),
    "token": lambda game, thing: thing.piece.token,
    "summoning sick": _permanent(lambda game, thing: thing.sick),
    "attacking": _permanent(lambda game, thing: name(thing.attacking)),
    "blocking": _permanent(lambda game, thing: name(thing.blocking[0]) if thing.blocking else None),
    "position": _position,
}

PLAYER: Mapping[str, Callable[[Game, Player], Any]] = {
    "life": lambda game, player: player.life.total,
    "poison": lambda game, player: player.life.poison,
    "hand": lambda game, player: len(player.hand),
    "library": lambda game, player: len(player.library),
    "graveyard": lambda game, player: len(player.graveyard),
    "exile": lambda game, player: len(player.exile),
    "permanents": lambda game, player: sorted(
        game.characteristics(thing).name
        for thing in game.permanents()
        if thing.controller is player
    ),
    "hexproof": lambda game, player: game.has_hexproof(player),
    "lost": lambda game, player: player.lost,
    "spells cast": lambda game, player: player.spells_cast,
    "mana": lambda game, player: player.mana.total(),
}

STACK: Mapping[str, Callable[[Game, StackItem], Any]] = {
    "object": lambda game, item: name(item.spell),
    "ability of": lambda game, item: None if item.is_spell else name(item.source),
    "controller": lambda game, item: name(item.controller),
    "face": lambda game, item: (
        None if item.spell is None else ("back" if item.spell.face == BACK else "front")
    ),
    "name": lambda game, item: (
        None if item.spell is None else game.characteristics(item.spell).name
    ),
    "targets": lambda game, item: [name(each) for chosen in item.targets for each in chosen],
    "mana value": lambda game, item: (
        None if item.spell is None else game.characteristics(item.spell).mana_value
    ),
}

TURN: Mapping[str, Callable[[Game], Any]] = {
    "active": lambda game: game.active_player.name,
    "step": lambda game: game.step,
    "number": lambda game: game.turn_number,
}


def _read(table: Mapping[str, Any], word: str, what: str) -> Any:
    if word not in table:
        raise Unsupported("look", word, f"the reference engine shows no {word} of {what}")
    return table[word]


def _object(game: Game, called: str, attributes: Sequence[str]) -> dict[str, Any]:
    piece = game.pieces.get(called)
    thing = None if piece is None else piece.at
    if thing is None:
        return {word: "nowhere" if word == "zone" else None for word in attributes}
    return {word: _read(OBJECT, word, "objects")(game, thing) for word in attributes}


def _event(event: Event) -> dict[str, Any]:
    return {
        event.word: name(event.subject),
        **{
            word: name(value)
            for word, value in event.attributes.items()
            if word not in HIDDEN and value is not None
        },
    }


def observe(game: Game, look: Mapping[str, Any]) -> dict[str, Any]:
    """Answer one look with exactly what it asks for.

    Events are those since the last look that asked for events; raises `Unsupported` for a word
    that the engine does not know.
    """
    seen: dict[str, Any] = {}
    if "designation" in look:
        seen["designation"] = game.designation or "neither"
    if "turn" in look:
        seen["turn"] = {word: _read(TURN, word, "the turn")(game) for word in look["turn"]}
    if "objects" in look:
        seen["objects"] = {
            called: _object(game, called, attributes)
            for called, attributes in look["objects"].items()
        }
    if "players" in look:
        seen["players"] = {
            called: {
                word: _read(PLAYER, word, "players")(game, game.player(called))
                for word in attributes
            }
            for called, attributes in look["players"].items()
        }
    if "stack" in look:
        seen["stack"] = [
            {word: _read(STACK, word, "the stack")(game, item) for word in look["stack"]}
            for item in reversed(game.stack)
        ]
    if "events" in look:
        wanted = set(look["events"])
        seen["events"] = [_event(event) for event in game.log if event.word in wanted]
    game.log = []
    return seen
