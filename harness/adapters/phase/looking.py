"""What a look shows: the words of the protocol for what phase exports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from harness.adapters.phase.log import STEPS, UNSEEN
from harness.adapters.phase.table import Table
from harness.protocol import Unsupported

COUNTERS = {"P1P1": "+1/+1", "M1M1": "-1/-1", "loyalty": "loyalty", "Loyalty": "loyalty"}

Thing = Mapping[str, Any]


def observe(table: Table, look: Mapping[str, Any]) -> dict[str, Any]:
    """Answer one look with exactly what it asks for."""
    seen: dict[str, Any] = {}
    state = table.state
    if "designation" in look:
        seen["designation"] = (state["day_night"] or "neither").lower()
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
        seen["stack"] = [
            {word: _item(table, item, word) for word in look["stack"]}
            for item in reversed(state["stack"])
        ]
    if "events" in look:
        wanted = set(look["events"])
        for word in sorted(wanted & UNSEEN):
            raise Unsupported("look", word, "phase reports no such event")
        seen["events"] = [entry for entry in table.log.entries if next(iter(entry)) in wanted]
    table.log.entries = []
    return seen


def _turn(table: Table, word: str) -> Any:
    state = table.state
    match word:
        case "active":
            return table.players[state["active_player"]]
        case "step":
            return STEPS.get(state["phase"], state["phase"].lower())
    raise Unsupported("look", word, "turns are numbered otherwise here")


def _object(table: Table, called: str, words: list[str]) -> dict[str, Any]:
    thing = table.thing(called)
    if thing is None:
        return {word: "nowhere" if word == "zone" else None for word in words}
    return {word: _attribute(table, thing, word) for word in words}


def _attribute(table: Table, thing: Thing, word: str) -> Any:
    if word not in OBJECT:
        raise Unsupported("look", word, "phase's interface does not show it")
    if word in ON_BATTLEFIELD and thing["zone"] != "Battlefield":
        return None
    return OBJECT[word](table, thing)


def _gone(table: Table, thing: Thing) -> bool:
    """Say whether it left the game with its owner; phase keeps such objects in exile."""
    owner = table.state["players"][thing["owner"]]
    return thing["zone"] == "Exile" and bool(owner["is_eliminated"])


def _keyword(raw: Any) -> str:
    """Say FirstStrike as "first strike"."""
    name = raw if isinstance(raw, str) else next(iter(raw))
    return "".join(f" {each.lower()}" if each.isupper() else each for each in name).strip()


def _mana_value(thing: Thing) -> int:
    cost = thing["mana_cost"]
    if thing.get("transformed") and thing.get("back_face"):
        cost = thing["back_face"]["mana_cost"]  # CR 202.3b: the front face's; phase swaps the two
    if cost.get("type") != "Cost":
        return 0
    return int(cost["generic"]) + sum(1 for shard in cost["shards"] if shard != "X")


def _attached(table: Table, thing: Thing) -> Any:
    host = thing.get("attached_to")
    if not host:
        return None
    if host["type"] == "Player":
        return table.players[host["data"]]
    return table.name_of(host["data"])


def _attacking(table: Table, thing: Thing) -> Any:
    combat = table.state.get("combat") or {}
    for attacker in combat.get("attackers", ()):
        if attacker.get("object_id") == thing["id"]:
            target = attacker.get("attack_target") or {}
            if target.get("type") == "Player":
                return table.players[target["data"]]
            return table.name_of(target["data"])
    return None


def _blocking(table: Table, thing: Thing) -> str | None:
    combat = table.state.get("combat") or {}
    blocked = (combat.get("blocker_to_attacker") or {}).get(str(thing["id"]))
    return table.name_of(blocked[0]) if blocked else None


def _position(table: Table, thing: Thing) -> int | None:
    if thing["zone"] != "Library":
        return None
    library = table.state["players"][thing["owner"]]["library"]
    return int(library.index(thing["id"])) + 1


def _phased_out(thing: Thing) -> bool:
    return bool((thing.get("phase_status") or {}).get("status", "PhasedIn") != "PhasedIn")


OBJECT: Mapping[str, Callable[[Table, Thing], Any]] = {
    "zone": lambda table, thing: "nowhere" if _gone(table, thing) else thing["zone"].lower(),
    "face": lambda table, thing: "back" if thing.get("transformed") else "front",
    "name": lambda table, thing: thing["name"] or None,
    "mana value": lambda table, thing: _mana_value(thing),
    "colors": lambda table, thing: sorted(each.lower() for each in thing["color"]),
    "types": lambda table, thing: sorted(
        each.lower() for each in thing["card_types"]["core_types"]
    ),
    "supertypes": lambda table, thing: sorted(
        each.lower() for each in thing["card_types"]["supertypes"]
    ),
    "subtypes": lambda table, thing: sorted(thing["card_types"]["subtypes"]),
    "power": lambda table, thing: thing["power"],
    "toughness": lambda table, thing: thing["toughness"],
    "keywords": lambda table, thing: sorted({_keyword(each) for each in thing["keywords"]}),
    "loyalty": lambda table, thing: thing["loyalty"],
    "tapped": lambda table, thing: thing["tapped"],
    "counters": lambda table, thing: {
        COUNTERS.get(kind, kind): count for kind, count in thing["counters"].items() if count
    },
    "damage": lambda table, thing: thing["damage_marked"],
    "attached to": _attached,
    "controller": lambda table, thing: (
        table.players[thing["controller"]] if thing["zone"] in ("Battlefield", "Stack") else None
    ),
    "owner": lambda table, thing: table.players[thing["owner"]],
    "phased out": lambda table, thing: _phased_out(thing),
    "face down": lambda table, thing: thing["face_down"],
    "token": lambda table, thing: bool(thing.get("is_token")),
    "summoning sick": lambda table, thing: bool(thing.get("has_summoning_sickness")),
    "attacking": _attacking,
    "blocking": _blocking,
    "position": _position,
}

ON_BATTLEFIELD = frozenset(
    {
        "loyalty", "tapped", "counters", "damage", "attached to", "phased out", "face down",
        "summoning sick", "attacking", "blocking",
    }
)  # fmt: skip


def _player(table: Table, called: str, word: str) -> Any:
    seat = table.seat(called)
    player = table.state["players"][seat]
    match word:
        case "life":
            return player["life"]
        case "poison":
            return player["poison_counters"]
        case "hand" | "library" | "graveyard":
            return len(player[word])
        case "exile":
            objects = table.state["objects"]
            return sum(
                1 for number in table.state["exile"] if objects[str(number)]["owner"] == seat
            )
        case "permanents":
            return sorted(
                each["name"]
                for each in table.state["objects"].values()
                if each["zone"] == "Battlefield"
                and each["controller"] == seat
                and not _phased_out(each)
            )
        case "lost":
            return bool(player["is_eliminated"])
        case "spells cast":
            casts = table.state["spells_cast_this_turn_by_player"]
            cast = casts.get(str(seat), 0) if isinstance(casts, Mapping) else casts[seat]
            return len(cast) if isinstance(cast, list) else cast
        case "mana":
            return len(table.limited.get(called) or player["mana_pool"]["mana"])
        case "hexproof":
            return _hexproof(table, seat)
    raise Unsupported("look", word, "phase's interface does not show it")


def _hexproof(table: Table, seat: int) -> bool:
    """Say whether a permanent gives the player hexproof; phase exports no flag of players."""
    return any(
        static.get("mode") == "Hexproof"
        and (static.get("affected") or {}).get("controller") == "You"
        for each in table.state["objects"].values()
        if each["zone"] == "Battlefield" and each["controller"] == seat and not _phased_out(each)
        for static in each.get("static_definitions", ())
    )


def _item(table: Table, item: Mapping[str, Any], word: str) -> Any:
    spell = item["kind"]["type"] == "Spell"
    thing = table.state["objects"].get(str(item["id"]), {}) if spell else {}
    match word:
        case "object":
            return table.name_of(item["id"]) if spell else None
        case "ability of":
            return None if spell else table.name_of(item["source_id"])
        case "controller":
            return table.players[item["controller"]]
        case "face":
            return ("back" if thing.get("transformed") else "front") if spell else None
        case "name":
            return thing.get("name") if spell else None
        case "mana value":
            return _mana_value(thing) if spell else None
        case "targets":
            ability = (item["kind"].get("data") or {}).get("ability") or {}
            return [
                table.players[each["Player"]] if "Player" in each else table.name_of(each["Object"])
                for each in ability.get("targets", ())
            ]
    raise Unsupported("look", word, "phase's interface does not show it of the stack")
