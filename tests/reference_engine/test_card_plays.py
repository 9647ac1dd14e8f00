"""Each card of the corpus does what it says: one small game a card, from `plays.yaml`."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness import yamlfile
from harness.judge import leaves
from harness.protocol import answer
from harness.scenario import cards_of, explicit, step_of
from reference_engine.adapter import engine

Data = Mapping[str, Any]

PLAYS: list[Data] = yamlfile.read(Path(__file__).with_name("plays.yaml").read_bytes()).value


@pytest.mark.parametrize("play", PLAYS, ids=[play["card"] for play in PLAYS])
def test_card(play: Data, facts: Mapping[str, Data]) -> None:
    got = reply(play, facts)
    last = play["steps"][-1]
    refused = bool(last.get("refused"))
    assert got["type"] == ("refused" if refused else "observations"), got
    if refused:
        assert got["step"] == len(play["steps"])
    looks = [step["expect"] for step in play["steps"] if "expect" in step]
    assert looks or refused or not {"cast", "attack"}.isdisjoint(last)
    seen = got["observations"]
    assert [
        (number, leaf.path, leaf.expected, leaf.got)
        for number, (look, observation) in enumerate(zip(looks, seen, strict=True), 1)
        for leaf in leaves(look, observation)
        if not leaf.holds
    ] == []


def reply(play: Data, facts: Mapping[str, Data]) -> Any:
    """Play it through the protocol, in process."""
    given = explicit(play)
    message = {
        "type": "run",
        "id": 1,
        "given": given,
        "steps": [step_of(step).message() for step in play["steps"]],
        "cards": {name: facts[name] for name in cards_of(given)},
    }
    return answer(engine(), message)


def test_every_card_that_does_something_is_played(facts: Mapping[str, Data]) -> None:
    doing = {
        name for name, card in facts.items() if any(face.get("abilities") for face in card["faces"])
    }
    not_to_play = {
        name for name, card in facts.items() if re.search("'(missing|incomplete)':", str(card))
    }
    assert doing - {play["card"] for play in PLAYS} <= not_to_play
    assert [play["card"] for play in PLAYS if play["card"] not in cards_of(explicit(play))] == []


def test_incomplete_cards_are_refused(facts: Mapping[str, Data]) -> None:
    incomplete = [
        name for name, card in facts.items() if any("incomplete" in face for face in card["faces"])
    ]
    assert incomplete
    for name in incomplete:
        got = reply({"card": name, "alice": {"hand": [{"card": name}]}, "steps": []}, facts)
        assert (got["type"], got["what"], got["name"]) == ("unsupported", "card", name)


def test_what_is_missing_is_refused_when_it_would_happen(facts: Mapping[str, Data]) -> None:
    play: Data = {
        "alice": {"hand": [{"id": "kylem", "card": "Invasion of Kylem"}]},
        "steps": [
            {"cast": {"player": "alice", "object": "kylem"}},
            {"resolve": "all"},
        ],
    }
    got = reply(play, facts)
    assert (got["type"], got["what"], got["name"]) == ("unsupported", "card", "Invasion of Kylem")
