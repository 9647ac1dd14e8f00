"""The steps of a scenario as moves of python-mtg."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.adapters.python_mtg.table import PATIENCE, STEPS, Table
from harness.protocol import Refused, Unsupported

AT_ONCE = "python-mtg resolves what is cast at once, so nothing can come in between"


def act(table: Table, step: Mapping[str, Any]) -> None:
    """Carry out one step. Raises `Refused` for what is not offered, else `Unsupported`."""
    table.wanted = [
        *step.get("targets", ()),
        *(each for answer in step.get("choices", ()) for each in answer["choose"]),
    ]
    match step["do"]:
        case "cast":
            _cast(table, step)
        case "activate":
            _activate(table, step)
        case "play":
            _begin(table, step)
            _offered(table, "play", table.card(step["object"]), step["object"])
        case "resolve":
            if step["what"] == "top" and not table.unresolved:
                raise Unsupported("step", "resolve", AT_ONCE)
            table.unresolved = False
        case "advance":
            _advance(table, step["to"], step.get("of"))
        case "attack":
            _attack(table, step["attackers"])
        case "block":
            _block(table, step["blockers"])
        case word:
            raise Unsupported("step", str(word), "python-mtg's interface has no such move")


def _begin(table: Table, step: Mapping[str, Any]) -> None:
    if table.unresolved:
        raise Unsupported("step", step["do"], AT_ONCE)
    if step["player"] != table.game.turn or table.game.step not in STEPS.values():
        raise Unsupported(
            "step", step["do"], "only the active player is asked, and only in a main phase"
        )


def _cast(table: Table, step: Mapping[str, Any]) -> None:
    for word in ("via", "face", "x", "modes", "pay with"):
        if step.get(word) not in (None, [], 0, "front"):
            raise Unsupported("step", f"cast {word}", "a cast move has no such part")
    _begin(table, step)
    _offered(table, "cast", table.card(step["object"]), step["object"])
    table.unresolved = True


def _activate(table: Table, step: Mapping[str, Any]) -> None:
    for word in ("x", "modes", "pay with"):
        if step.get(word):
            raise Unsupported("step", f"activate {word}", "an activate move has no such part")
    _begin(table, step)
    card = table.card(step["object"])
    table.make_mana()
    moves = [move for move in table.moves("activate") if move.raw[2][1] == card]
    rows = sorted({str(move.raw[2][0]) for move in moves})
    which = step.get("ability") or 1
    if which > len(rows):
        raise Refused(f"python-mtg does not offer ability {which} of {step['object']}")
    table.push(next(move for move in moves if str(move.raw[2][0]) == rows[which - 1]))
    table.unresolved = True


def _offered(table: Table, kind: str, card: str, called: str) -> None:
    """Make the move of that kind with that card. Raises `Refused` if it is not offered."""
    targets = [table.ids.get(each, each) for each in table.wanted]
    if not any(move.card is not None and move.card.id == card for move in table.moves(kind)):
        table.make_mana()
    moves = [move for move in table.moves(kind) if move.card is not None and move.card.id == card]
    aimed = [move for move in moves if "target" in move.choices]
    if aimed:
        moves = [move for move in aimed if move.choices["target"] in targets]
    if not moves:
        raise Refused(f"python-mtg does not offer to {kind} {called}")
    table.push(moves[0])


def _advance(table: Table, to: str, of: str | None) -> None:
    if table.unresolved:
        raise Unsupported("step", "advance", AT_ONCE)
    if to not in STEPS:
        raise Unsupported("step", f"advance to {to}", "python-mtg does not stop in that step")
    for _ in range(PATIENCE):
        if table.game.is_game_over():
            break
        table.skip()
        if table.game.step == STEPS[to] and of in (None, table.game.active_player):
            return
    raise Unsupported("step", f"advance to {to}", "python-mtg does not stop there on its way")


def _attack(table: Table, attackers: Mapping[str, str]) -> None:
    if table.unresolved:
        raise Unsupported("step", "attack", AT_ONCE)
    active = table.game.active_player
    for _ in range(PATIENCE):
        if table.moves("attack") or table.game.active_player != active:
            break
        table.skip()
    wanted = {table.card(each) for each in attackers}
    for move in table.moves("attack"):
        if set(move.attackers) == wanted:
            table.push(move)
            return
    raise Refused(f"python-mtg does not offer an attack with {', '.join(attackers)}")


def _block(table: Table, blockers: Mapping[str, Any]) -> None:
    wanted = {
        (table.card(blocker), table.card(each))
        for blocker, blocked in blockers.items()
        for each in ([blocked] if isinstance(blocked, str) else blocked)
    }
    moves = table.moves("block")
    if not moves and not wanted:
        return
    for move in moves:
        if set(move.blocks) == wanted:
            table.push(move)
            return
    raise Refused("python-mtg does not offer that block")
