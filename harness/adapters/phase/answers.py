"""What players answer when phase asks: the choices that a scenario brings, else nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from harness.protocol import Unsupported

if TYPE_CHECKING:
    from harness.adapters.phase.table import Table

Data = Mapping[str, Any]


def answer(table: Table) -> None:
    """Answer the one thing that phase waits for.

    Raises `Unsupported` where the scenario says nothing and there is more than one answer.
    """
    waiting = table.waiting
    kind, data = waiting["type"], waiting.get("data") or {}
    seat = data.get("player")
    if seat is None:
        raise Unsupported("step", kind, "phase asks for something with no player")
    if kind in ANSWERS:
        ANSWERS[kind](table, seat, data)
        return
    actions = table.offers()
    kinds = {each["type"] for each in actions}
    if len(actions) == 1:
        _do(table, seat, actions[0])
    elif "SelectCards" in kinds:
        _select_cards(table, seat, data)
    elif "ChooseTarget" in kinds:
        _target(table, seat, data)
    else:
        raise Unsupported("step", kind, f"phase asks for {kind}, for which there is no answer here")


def _do(table: Table, seat: int, action: Mapping[str, Any]) -> None:
    table.apply(seat, action["type"], **(action.get("data") or {}))


def _numbers(table: Table, chosen: Sequence[Any]) -> list[int]:
    return [table.ids[each] for each in chosen if each in table.ids]


def _select_cards(table: Table, seat: int, data: Data) -> None:
    chosen = table.take(seat, data.get("source_id"))
    if chosen is not None and chosen != ["no"]:
        table.apply(seat, "SelectCards", cards=_numbers(table, chosen))
        return
    cards: list[int] = []
    count = 0 if data.get("up_to") else data.get("count", 0)
    if count:
        cards = list(data.get("cards") or data.get("permanents") or data.get("creatures") or ())
        if len(cards) != count:
            raise Unsupported(
                "step", table.waiting["type"], "phase asks which, and the scenario does not say"
            )
    table.apply(seat, "SelectCards", cards=cards)


def _target(table: Table, seat: int, data: Data) -> None:
    chosen = table.take(seat, data.get("source_id"))
    if chosen and chosen != ["no"]:
        table.apply(seat, "ChooseTarget", target=table.target(chosen[0]))
        if len(chosen) > 1:
            table.answers.insert(0, {"player": table.players[seat], "choose": chosen[1:]})
        return
    legal = [each for each in table.offers() if each["type"] == "ChooseTarget"]
    if any((each.get("data") or {}).get("target") is None for each in legal):
        table.apply(seat, "ChooseTarget", target=None)
    elif len(legal) == 1:
        _do(table, seat, legal[0])
    else:
        raise Unsupported(
            "step",
            table.waiting["type"],
            "phase asks for a target, and the scenario does not say which",
        )


def _effect(table: Table, seat: int, data: Data) -> None:
    table.apply(seat, "DecideOptionalEffect", accept=table.says_yes(seat))


def _cost(table: Table, seat: int, data: Data) -> None:
    table.apply(seat, "DecideOptionalCost", pay=table.says_yes(seat))


def _unless(table: Table, seat: int, data: Data) -> None:
    pay = table.says_yes(seat)
    if pay:
        table.fund(table.players[seat])
    table.apply(seat, "PayUnlessCost", pay=pay)


def _replacement(table: Table, seat: int, data: Data) -> None:
    texts = [str(each.get("description")).lower() for each in data.get("candidates", ())]
    index = 0
    if len(texts) == 2 and "decline" in texts:
        declining = texts.index("decline")
        index = 1 - declining if table.says_yes(seat) else declining
    table.apply(seat, "ChooseReplacement", index=index)


def _word(table: Table, seat: int, data: Data) -> None:
    chosen = table.take(seat, data.get("source_id"))
    if not chosen:
        raise Unsupported("step", "NamedChoice", "phase asks for a word, the scenario has none")
    table.apply(seat, "ChooseOption", choice=str(chosen[0]).capitalize())


def _color(table: Table, seat: int, data: Data) -> None:
    chosen = table.take(seat) or ["white"]
    choice = {"type": "SingleColor", "data": str(chosen[0]).capitalize()}
    table.apply(seat, "ChooseManaColor", choice=choice)


def _legend(table: Table, seat: int, data: Data) -> None:
    chosen = _numbers(table, table.take(seat) or ())
    if not chosen:
        raise Unsupported("step", "ChooseLegend", "the scenario does not say which to keep")
    table.apply(seat, "ChooseLegend", keep=chosen[0])


def _order(table: Table, seat: int, data: Data) -> None:
    """Put triggers on the stack in the scenario's order; without one, in phase's own."""
    sources = [table.names.get(each["source_id"]) for each in data.get("triggers", ())]
    wanted = next(
        (each for each in table.answers if sources and set(each["choose"]) == set(sources)), None
    )
    order = list(range(len(sources)))
    if wanted is not None:
        table.answers.remove(wanted)
        order = [sources.index(each) for each in wanted["choose"]]
    table.apply(seat, "OrderTriggers", order=order)


def _hand_size(table: Table, seat: int, data: Data) -> None:
    """Discard down to the hand size; no scenario lasts long enough to say which."""
    table.apply(seat, "SelectCards", cards=data["cards"][: data["count"]])


ANSWERS: Mapping[str, Callable[[Table, int, Data], None]] = {
    "ChooseLegend": _legend,
    "ChooseManaColor": _color,
    "CopyTargetChoice": _target,
    "DiscardToHandSize": _hand_size,
    "NamedChoice": _word,
    "OptionalCostChoice": _cost,
    "OptionalEffectChoice": _effect,
    "OrderTriggers": _order,
    "ReplacementChoice": _replacement,
    "TriggerTargetSelection": _target,
    "UnlessPayment": _unless,
}
"""How to answer each of phase's prompts; any other is answered by what it offers."""
