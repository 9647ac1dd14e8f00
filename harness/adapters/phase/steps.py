"""The steps of a scenario as actions of phase."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.adapters.phase.log import STEPS
from harness.adapters.phase.table import Table
from harness.protocol import Refused, Unsupported


def act(table: Table, step: Mapping[str, Any]) -> None:
    """Carry out one step. Raises `Refused` for what phase forbids, else `Unsupported`."""
    table.answers = [dict(each) for each in step.get("choices", ())]
    match step["do"]:
        case "cast":
            _cast(table, step)
        case "activate":
            _activate(table, step)
        case "play":
            _play(table, step)
        case "turn face up":
            table.with_priority(step["player"])
            table.fund(step["player"])
            table.apply(
                table.seat(step["player"]), "TurnFaceUp", object_id=_number(table, step["object"])
            )
        case "resolve":
            _resolve(table, step["what"])
        case "advance":
            _advance(table, step["to"], step.get("of"))
        case "attack":
            _attack(table, step["attackers"])
        case "block":
            _block(table, step["blockers"])
        case "concede":
            seat = table.seat(step["player"])
            table.apply(seat, "Concede", player_id=seat)
        case "find":
            _find(table, step)
        case word:
            raise Unsupported("step", str(word), "there is nothing in phase's interface for it")


def _number(table: Table, called: str) -> int:
    if called not in table.ids:
        raise Unsupported("step", called, "phase has no object of that id")
    return table.ids[called]


def _cast(table: Table, step: Mapping[str, Any]) -> None:
    player = step["player"]
    number = _number(table, step["object"])
    table.with_priority(player)
    table.fund(player)
    card = table.thing(step["object"])
    if card is None:
        raise Refused(f"{step['object']} is nowhere")
    if step.get("via") == "flashback" and card["zone"] != "Graveyard":
        raise Refused("phase offers no cast with flashback for a card that is not in a graveyard")
    table.apply(
        table.seat(player),
        "CastSpell",
        object_id=number,
        card_id=card["card_id"],
        targets=[],
        payment_mode={"type": "Auto"},
    )
    _announce(table, step)


def _activate(table: Table, step: Mapping[str, Any]) -> None:
    player = step["player"]
    number = _number(table, step["object"])
    table.with_priority(player)
    table.fund(player)
    card = table.thing(step["object"])
    if card is None:
        raise Refused(f"{step['object']} is nowhere")
    activated = [
        place for place, each in enumerate(card["abilities"]) if each["kind"] == "Activated"
    ]
    which = step.get("ability") or 1
    if which > len(activated):
        raise Refused(f"{card['name']} has no activated ability {which}")
    table.apply(
        table.seat(player),
        "ActivateAbility",
        source_id=number,
        ability_index=activated[which - 1],
    )
    _announce(table, step)


def _play(table: Table, step: Mapping[str, Any]) -> None:
    table.with_priority(step["player"])
    card = table.thing(step["object"])
    if card is None:
        raise Refused(f"{step['object']} is nowhere")
    seat = table.seat(step["player"])
    table.apply(seat, "PlayLand", object_id=card["id"], card_id=card["card_id"])
    if table.waiting["type"] == "ModalFaceChoice":
        table.apply(seat, "ChooseModalFace", back_face=step.get("face") == "back")


def _announce(table: Table, step: Mapping[str, Any]) -> None:
    """Answer what phase asks while a spell or ability is announced (CR 601.2)."""
    seat = table.seat(step["player"])
    targets: list[Any] = list(step.get("targets") or ())
    payment = list(step.get("pay with") or ())
    for _ in range(60):
        waiting = table.waiting
        kind, data = waiting["type"], waiting.get("data") or {}
        match kind:
            case "Priority" | "GameOver":
                _check_aim(table, targets)
                table.keep_pool(step["player"])
                return
            case "TargetSelection":
                _aim(table, seat, targets)
            case "ModeChoice" | "AbilityModeChoice":
                modes = [number - 1 for number in step.get("modes") or ()]
                table.apply(seat, "SelectModes", indices=modes)
            case "ChooseXValue":
                table.apply(seat, "ChooseX", value=step.get("x", 0))
            case "ModalFaceChoice":
                table.apply(seat, "ChooseModalFace", back_face=step.get("face") == "back")
            case _ if payment and _offers(data):
                table.apply(seat, "SelectCards", cards=[_number(table, payment.pop(0))])
            case _:
                _other(table)
    raise Refused("phase goes on asking")


def _check_aim(table: Table, left: list[Any]) -> None:
    """See that what phase did not ask for is what it chose itself, having no choice."""
    if not left:
        return
    stack = table.stack
    ability = ((stack[-1]["kind"].get("data") or {}).get("ability") or {}) if stack else {}
    chosen = list(_targets(ability))
    if chosen[-len(left) :] != [table.target(each) for each in left]:
        raise Refused(f"phase takes no target {', '.join(map(str, left))}")


def _targets(ability: Mapping[str, Any]) -> Iterator[Any]:
    """Give all targets of an ability, those of its later parts too."""
    own = list(ability.get("targets", ()))
    yield from own
    if ability.get("sub_ability"):
        inherited = own
        for each in _targets(ability["sub_ability"]):
            if each not in inherited:
                yield each


def _offers(data: Mapping[str, Any]) -> bool:
    return any(word in data for word in ("permanents", "creatures", "cards", "choices"))


def _aim(table: Table, seat: int, targets: list[Any]) -> None:
    if targets:
        table.apply(seat, "ChooseTarget", target=table.target(targets.pop(0)))
    else:
        try:
            table.apply(seat, "ChooseTarget", target=None)
        except Refused:
            raise Refused("phase asks for a target more") from None


def _other(table: Table) -> None:
    before = table.waiting
    table.settle()
    if table.waiting == before:
        raise Unsupported("step", before["type"], "phase waits for something else")


def _height(table: Table) -> list[int]:
    return [item["id"] for item in table.stack]


def _resolve(table: Table, what: str) -> None:
    table.settle()
    stack = _height(table)
    if what == "top":
        if not stack:
            raise Refused("the stack is empty")
        top = stack[-1]
        table.until(lambda: top not in _height(table))
    else:
        table.until(lambda: not _height(table))


def _now(table: Table) -> tuple[str | None, str | None]:
    return STEPS.get(table.phase), table.log.active


def _advance(table: Table, to: str, of: str | None) -> None:
    table.settle()
    start = table.turn, table.phase
    if to == "first-strike damage":
        raise Unsupported("step", to, "phase has one combat damage step")

    def there() -> bool:
        if table.waiting["type"] != "Priority":
            return False
        if table.turn > start[0] + 2 * len(table.players):
            raise Refused(f"nobody gets priority in the {to} step of {of or 'anyone'}")
        step, active = _now(table)
        moved = (table.turn, table.phase) != start
        return moved and step == to and of in (None, active)

    table.until(there)


def _attack(table: Table, attackers: Mapping[str, str]) -> None:
    turn = table.turn

    def there() -> bool:
        if table.turn != turn:
            raise Refused("phase lets nothing attack in this turn")
        return bool(table.waiting["type"] == "DeclareAttackers")

    table.until(there)
    attacks = []
    for attacker, defender in attackers.items():
        if defender in table.players:
            target = {"type": "Player", "data": table.seat(defender)}
        else:
            target = {"type": "Planeswalker", "data": _number(table, defender)}
        attacks.append([_number(table, attacker), target])
    table.apply(table.waiting["data"]["player"], "DeclareAttackers", attacks=attacks)
    table.settle()


def _block(table: Table, blockers: Mapping[str, Any]) -> None:
    pairs = []
    for blocker, blocked in blockers.items():
        for attacker in [blocked] if isinstance(blocked, str) else blocked:
            pairs.append([_number(table, blocker), _number(table, attacker)])
    turn = table.turn

    def there() -> bool:
        if table.turn != turn:
            raise Refused("phase lets nothing block in this turn")
        if not pairs and _now(table)[0] == "declare blockers":
            return True
        return bool(table.waiting["type"] == "DeclareBlockers")

    table.until(there)
    if table.waiting["type"] == "DeclareBlockers":
        table.apply(table.waiting["data"]["player"], "DeclareBlockers", assignments=pairs)
        table.settle()


def _find(table: Table, step: Mapping[str, Any]) -> None:
    zone = (step.get("zone") or "battlefield").capitalize()
    seats: Sequence[int] = (
        [table.seat(step["controller"])] if step.get("controller") else range(len(table.players))
    )
    found = sorted(
        int(number)
        for number, each in table.state["objects"].items()
        if each["name"] == step["name"]
        and each["zone"] == zone
        and each["controller"] in seats
        and int(number) not in table.names
    )
    if not found:
        raise Refused(f"there is no {step['name']} in that place")
    table.ids[step["id"]] = found[0]
    table.names[found[0]] = step["id"]
