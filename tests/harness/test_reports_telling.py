"""A scenario is told as a person would tell it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from harness.scenario import Scenario
from harness.telling import counted, listed, shown, tell

MakeScenario = Callable[..., Scenario]

BOARD = {
    "designation": "night",
    "turn": {"active": "bob", "step": "draw"},
    "alice": {
        "life": 3,
        "mana": "{2}{B}",
        "hand": [{"id": "ruffian", "card": "Tavern Ruffian"}, {"card": "Forest", "count": 2}],
        "library": [{"id": "top", "card": "Memnite"}],
        "graveyard": [{"id": "twice", "card": "Think Twice"}],
    },
    "bob": {
        "battlefield": [
            {"id": "one", "card": "Grizzly Bears", "tapped": True, "damage": 1},
            {"id": "two", "card": "Grizzly Bears", "counters": {"+1/+1": 2}},
            {"id": "curse", "card": "Curse of Leeches", "attached to": "alice", "owner": "alice"},
        ]
    },
}


def test_the_setting_says_what_is_not_usual(scenario: MakeScenario) -> None:
    told = tell(scenario({"resolve": "all"}, given=BOARD)).setting

    assert told == (
        "It is night, in Bob's draw step.",
        "Alice has 3 life.",
        "Alice can spend {2}{B} and no more.",
        "Alice has Tavern Ruffian and two Forest in hand.",
        "Alice has Think Twice in the graveyard.",
        "Alice's library, from the top: Memnite.",
        "Bob controls Grizzly Bears (one) (tapped, 1 damage), Grizzly Bears (two) (two +1/+1 "
        "counters) and Curse of Leeches (attached to Alice, owned by Alice).",
    )


def test_a_plain_game_is_told_in_one_sentence(scenario: MakeScenario) -> None:
    told = tell(scenario({"resolve": "all"})).setting

    assert told == ("It is neither day nor night, in Alice's precombat main phase.",)


def test_players_and_teams_are_named(scenario: MakeScenario) -> None:
    three = tell(scenario({"resolve": "all"}, given={"players": ["alice", "bob", "carol"]}))
    teams = {"teams": [["alice", "bob"], ["carol", "dave"]]}

    assert three.setting[0] == "Alice, Bob and Carol play, in that order."
    assert tell(scenario({"resolve": "all"}, given=teams)).setting[0] == (
        "Alice and Bob against Carol and Dave, with shared team turns."
    )


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (
            {"cast": {"player": "alice", "object": "ruffian", "targets": ["bob", "curse"],
                      "via": "flash", "x": 2, "modes": [1]}},
            "Alice casts Tavern Ruffian, by flash, mode 1, X being 2, targeting Bob and Curse of "
            "Leeches.",
        ),
        (
            {"activate": {"player": "bob", "object": "one", "ability": 2, "pay with": ["two"]}},
            "Bob activates the second ability of Grizzly Bears (one), paying with Grizzly Bears "
            "(two).",
        ),
        ({"play": {"player": "alice", "object": "top"}}, "Alice plays Memnite."),
        ({"turn face up": {"player": "bob", "object": "curse"}},
         "Bob turns Curse of Leeches face up."),
        ({"resolve": "all"}, "Everything on the stack resolves."),
        ({"resolve": "top"}, "The top of the stack resolves."),
        ({"advance": {"to": "end", "of": "bob"}}, "The game goes on to Bob's end step."),
        ({"advance": {"to": "upkeep"}}, "The game goes on to the next upkeep."),
        ({"attack": {"attackers": {"one": "alice", "two": "alice"}}},
         "Grizzly Bears (one) attacks Alice and Grizzly Bears (two) attacks Alice."),
        ({"block": {"blockers": {"ruffian": "one"}}}, "Tavern Ruffian blocks Grizzly Bears (one)."),
        ({"block": {"blockers": {}}}, "Nobody blocks."),
        ({"concede": {"player": "bob"}}, "Bob leaves the game."),
        ({"find": {"id": "wolf", "name": "Wolf", "controller": "bob"}},
         "The Wolf that Bob controls is called wolf from here on."),
        ({"directive": {"become": "day"}}, "An effect makes it day."),
        ({"directive": {"put": {"object": "top", "zone": "battlefield", "face": "back"}}},
         "An effect puts Memnite on the battlefield, back face up."),
        (
            {"cast": {"player": "alice", "object": "ruffian"}, "refused": True,
             "choices": [{"player": "bob", "for": "curse", "choose": ["alice"]}]},
            "Alice casts Tavern Ruffian. Bob chooses Alice for Curse of Leeches. This is not "
            "allowed.",
        ),
    ],
)  # fmt: skip
def test_a_step_is_a_sentence(step: Mapping[str, Any], told: str, scenario: MakeScenario) -> None:
    assert tell(scenario(step, given=BOARD)).steps[0].text == told


@pytest.mark.parametrize(
    ("expect", "path", "told"),
    [
        ({"designation": "neither"}, "designation", "it is neither day nor night"),
        ({"turn": {"active": "bob", "step": "upkeep"}}, "turn", "it is Bob's upkeep"),
        ({"turn": {"active": "bob"}}, "turn", "it is Bob's turn"),
        (
            {"objects": {"curse": {"zone": "battlefield", "face": "back", "name": "Leeching Lurker",
                                   "power": 4, "toughness": 4, "tapped": False,
                                   "attached to": "nothing", "has": ["lifelink"],
                                   "counters": {}}}},
            "objects.curse",
            "Curse of Leeches is on the battlefield, back face up, named Leeching Lurker, 4/4, "
            "untapped, attached to nothing, with no counters, with lifelink",
        ),
        ({"players": {"alice": {"life": 4, "hand": 0, "hexproof": True}}}, "players.alice",
         "Alice has 4 life, has no cards in hand and has hexproof"),
        ({"stack": []}, "stack", "the stack is empty"),
        (
            {"stack": [{"ability of": "curse", "controller": "bob"},
                       {"object": "ruffian", "face": "front"}]},
            "stack",
            "the stack holds an ability of Curse of Leeches (controlled by Bob), then Tavern "
            "Ruffian (front face up)",
        ),
        (
            {"events": [{"became": "night"}, {"entered": "ruffian", "face": "back"},
                        {"damaged": "alice", "by": "one", "amount": 2},
                        {"step": "upkeep", "active": "bob"}]},
            "events",
            "since the last look it became night, then Tavern Ruffian entered the battlefield "
            "(back face up), then Alice was dealt 2 damage by Grizzly Bears (one), then Bob's "
            "upkeep came",
        ),
        ({"no events": [{"transformed": "curse"}, {"died": "curse"}]}, "no events",
         "it did not happen that Curse of Leeches transformed or died"),
        ({"any of": [{"designation": "day"}, {"designation": "night"}]}, "any of",
         "either it is day, or it is night"),
    ],
)  # fmt: skip
def test_a_look_is_told_with_the_path_that_a_mismatch_has(
    expect: Mapping[str, Any], path: str, told: str, scenario: MakeScenario
) -> None:
    [step] = tell(scenario({"expect": expect}, given=BOARD)).steps

    assert step.looks == ((path, told),)


def test_small_words() -> None:
    assert [listed(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "", "a", "a and b", "a, b and c"
    ]  # fmt: skip
    assert [counted(number, "card") for number in (0, 1, 2, 12)] == [
        "no cards", "one card", "two cards", "12 cards"
    ]  # fmt: skip
    assert [shown(value) for value in (None, True, False, [], {"a": 1}, ["x", 2])] == [
        "nothing", "yes", "no", "none", "a: 1", "x; 2"
    ]  # fmt: skip
