"""Each card of the corpus does what it says: one small game a card, from `plays.yaml`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness import yamlfile
from harness.judge import leaves
from harness.protocol import answer
from harness.scenario import cards_of, explicit, step_of
from reference_engine.adapter import engine

HERE = Path(__file__).resolve().parent
CARDS = HERE.parents[1] / "rulings" / "cards"
Data = Mapping[str, Any]


def read(path: Path) -> Any:
    document = yamlfile.read(path.read_bytes())
    assert document.faults == []
    return document.value


FACTS: dict[str, Data] = {
    card["faces"][0]["name"]: card for card in map(read, sorted(CARDS.glob("*.yaml")))
}
PLAYS: list[Data] = read(HERE / "plays.yaml")
UNPLAYED = {
    name
    for name, card in FACTS.items()
    if any("incomplete" in face for face in card["faces"])
    or any("missing" in str(face.get("abilities", ())) for face in card["faces"])
}
"""Cards of which the vocabulary cannot say everything: `test_vocabulary.py` has them refused."""


def reply(play: Data) -> Any:
    """Play it through the protocol, in process."""
    given = explicit(play)
    return answer(
        engine(),
        {
            "type": "run",
            "id": 1,
            "given": given,
            "steps": [step_of(step).message() for step in play["steps"]],
            "cards": {name: FACTS[name] for name in cards_of(given)},
        },
    )


@pytest.mark.parametrize("play", PLAYS, ids=[play["card"] for play in PLAYS])
def test_card(play: Data) -> None:
    got = reply(play)
    last = play["steps"][-1]
    refused = bool(last.get("refused"))
    assert got["type"] == ("refused" if refused else "observations"), got
    if refused:
        assert got["step"] == len(play["steps"])
    looks = [step["expect"] for step in play["steps"] if "expect" in step]
    assert looks or refused or "cast" in last or "attack" in last
    seen = got["observations"]
    assert [
        (number, leaf.path, leaf.expected, leaf.got)
        for number, (look, observation) in enumerate(zip(looks, seen, strict=True), 1)
        for leaf in leaves(look, observation)
        if not leaf.holds
    ] == []


def test_every_card_that_does_something_is_played() -> None:
    doing = {
        name for name, card in FACTS.items() if any(face.get("abilities") for face in card["faces"])
    }
    assert doing - {play["card"] for play in PLAYS} <= UNPLAYED
    assert [play["card"] for play in PLAYS if play["card"] not in cards_of(explicit(play))] == []
