"""What a look shows: the words of the protocol for what python-mtg shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.adapters.python_mtg.table import STEPS, Table
from harness.protocol import Unsupported

ZONES = {"command_zone": "command"}

WORDS = {step: word for word, step in STEPS.items()}

NOT_SHOWN = "python-mtg's interface does not show it"


def observe(table: Table, look: Mapping[str, Any]) -> dict[str, Any]:
    """Answer one look with exactly what it asks for."""
    if "designation" in look:
        raise Unsupported("capability", "day-night", "python-mtg has neither day nor night")
    events = _events(table, look) if "events" in look else None
    if table.unresolved:
        raise Unsupported("look", "stack", "python-mtg resolves what is cast at once")
    seen: dict[str, Any] = {}
    if "turn" in look:
        seen["turn"] = {word: _turn(table, word) for word in look["turn"]}
    if "objects" in look:
        seen["objects"] = {
            called: _object(table, called, words) for called, words in look["objects"].items()
        }
    if "players" in look:
        seen["players"] = {
            called: {word: _player(table, called, word) for word in words}
            for called, words in look["players"].items()
        }
    if "stack" in look:
        seen["stack"] = []
    if events is not None:
        seen["events"] = events
    table.log, table.jumbled = [], False
    return seen


def _events(table: Table, look: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Say what turned over, seen by its other name; python-mtg keeps no log of what happens."""
    for word in look["events"]:
        if word != "transformed":
            raise Unsupported("look", word, "python-mtg keeps no log of events")
    if table.jumbled:
        raise Unsupported("look", "transformed", "several turned at once, in an order not shown")
    return table.log


def _turn(table: Table, word: str) -> Any:
    match word:
        case "active":
            return table.game.active_player
        case "step":
            return WORDS.get(table.game.step, table.game.step.replace("_", " "))
    raise Unsupported("look", word, "turns are numbered otherwise here")


def _object(table: Table, called: str, words: list[str]) -> dict[str, Any]:
    card = table.ids.get(called)
    thing = table.game.card(card) if card else None
    if thing is None or thing.zone is None:
        return {word: "nowhere" if word == "zone" else None for word in words}
    return {word: _attribute(table, thing, word) for word in words}


def _attribute(table: Table, thing: Any, word: str) -> Any:
    there = thing.zone == "battlefield"
    match word:
        case "zone":
            return ZONES.get(thing.zone, thing.zone)
        case "name":
            return thing.name.partition(" // ")[0]
        case "face":
            return "back" if _turned(table, thing.id) else "front"
        case "types" | "colors":
            return sorted(getattr(thing, word))
        case "subtypes":
            return sorted(each.replace("_", " ").title() for each in thing.subtypes)
        case "power" | "toughness":
            return getattr(thing, word) if thing.is_creature else None
        case "keywords":
            return sorted(each.replace("_", " ") for each in thing.keywords)
        case "controller":
            return thing.controller if there else None
        case "tapped":
            return thing.tapped if there else None
        case "summoning sick":
            return thing.summoning_sick if there else None
    raise Unsupported("look", word, NOT_SHOWN)


def _turned(table: Table, card: str) -> bool:
    """Say whether another name is up than the one by which python-mtg numbered the card."""
    return not card.startswith(dict(table.game.state["instance_of"]).get(card, card))


def _player(table: Table, called: str, word: str) -> Any:
    game = table.game
    match word:
        case "life":
            return game.life()[called]
        case "hand":
            return game.hand_count(called)
        case "library":
            return game.library_size(called)
        case "graveyard":
            return len(game.graveyard(called))
        case "permanents":
            return sorted(
                each.name.partition(" // ")[0]
                for each in game.permanents(called)
                if each.id not in table.helpers
            )
    raise Unsupported("look", word, NOT_SHOWN)
