"""The engine that does nothing answers from what is given, and every good scenario fails on it."""

from __future__ import annotations

from typing import Any

import pytest

from harness import inert
from harness.corpus import load_corpus
from harness.judge import judge
from harness.model import Verdict
from harness.protocol import answer
from harness.scenario import explicit

CARDS: dict[str, Any] = {
    "Bear": {
        "layout": "normal",
        "faces": [
            {
                "name": "Bear",
                "types": ["creature"],
                "power": 2,
                "toughness": 2,
                "mana cost": "{1}{G}",
            }
        ],
    },
    "Wolf": {
        "layout": "transform",
        "faces": [
            {"name": "Wolf", "types": ["creature"], "mana cost": "{2}{R/W}"},
            {
                "name": "Big Wolf",
                "types": ["creature"],
                "supertypes": ["legendary"],
                "colors": ["red"],
                "keywords": ["nightbound", {"ward": "{2}"}],
                "power": 6,
            },
        ],
    },
    "Plains": {"layout": "normal", "faces": [{"name": "Plains", "types": ["land"]}]},
}
GIVEN = explicit(
    {
        "designation": "night",
        "alice": {
            "mana": "{2}{R}",
            "hand": [{"id": "bear", "card": "Bear"}],
            "library": [{"card": "Plains"}, {"id": "next", "card": "Bear"}],
            "battlefield": [
                {"id": "wolf", "card": "Wolf", "face": "back", "counters": {"+1/+1": 1}},
                {"id": "hidden", "card": "Bear", "face down": True},
                {"id": "gone", "card": "Bear", "phased out": True, "owner": "bob"},
            ],
        },
    }
)


def see(**look: Any) -> Any:
    return inert.Still(GIVEN, CARDS).observe(look)


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("bear", {"zone": "hand", "face": "front", "name": "Bear", "power": 2, "mana value": 2,
                  "colors": ["green"], "controller": None, "owner": "alice", "tapped": None}),
        ("wolf", {"zone": "battlefield", "face": "back", "name": "Big Wolf", "mana value": 3,
                  "colors": ["red"], "keywords": ["nightbound", "ward"], "power": 6,
                  "toughness": None, "counters": {"+1/+1": 1}, "supertypes": ["legendary"],
                  "subtypes": [], "controller": "alice", "attached to": None, "tapped": False}),
        ("hidden", {"face down": True, "name": None, "power": None}),
        ("gone", {"phased out": True, "owner": "bob", "controller": "alice"}),
        ("next", {"zone": "library", "position": 2}),
        ("found-later", {"zone": "nowhere", "name": None}),
    ],
)  # fmt: skip
def test_an_object_is_as_given(name: str, seen: dict[str, Any]) -> None:
    assert see(objects={name: list(seen)}) == {"objects": {name: seen}}


def test_a_player_is_as_given() -> None:
    seen = {
        "life": 20,
        "hand": 1,
        "library": 2,
        "graveyard": 0,
        "permanents": ["Big Wolf"],
        "mana": 3,
        "lost": False,
        "spells cast": 0,
    }
    assert see(players={"alice": list(seen)})["players"]["alice"] == seen
    assert see(players={"bob": ["mana"]})["players"]["bob"] == {"mana": None}


def test_nothing_ever_happens() -> None:
    assert see(designation=True, turn=["active", "step"], stack=["object"], events=["died"]) == {
        "designation": "night",
        "turn": {"active": "alice", "step": "precombat main"},
        "stack": [],
        "events": [],
    }


def test_every_scenario_of_the_corpus_fails_on_it() -> None:
    engine = inert.engine()
    verdicts = {
        scenario.id: judge(scenario, answer(engine, scenario.request(number)))[0]
        for number, scenario in enumerate(load_corpus().scenarios)
    }
    assert len(verdicts) >= 60
    assert [name for name, verdict in verdicts.items() if verdict is not Verdict.FAIL] == []
