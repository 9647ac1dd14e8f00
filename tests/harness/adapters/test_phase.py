"""The adapter for phase: our wording of cards, the games set up, the verdicts it comes to."""

from __future__ import annotations

import gzip
import importlib.util
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness import expectations
from harness.adapters.phase import cards
from harness.adapters.phase.wording import UnsayableError, rules_text
from harness.corpus import load_corpus
from harness.protocol import Adapter
from harness.protocol.sdk import answer

ENGINE = pytest.mark.skipif(
    importlib.util.find_spec("phase") is None,
    reason="phase-python is not installed: pip install 'card-rulings[engines]'",
)

EXPECTATIONS = Path(cards.__file__).with_name("expectations.yaml")


def face(*abilities: Mapping[str, Any], **facts: Any) -> dict[str, Any]:
    """Give the facts of a face with these abilities."""
    return {"name": "Some Card", "types": ["creature"], "abilities": list(abilities), **facts}


@pytest.mark.parametrize(
    ("ability", "text"),
    [
        (
            {"triggered": {"on": "turned"}, "do": [{"damage": 1, "to": "each opponent"}]},
            "Whenever day becomes night or night becomes day, this creature deals 1 damage to "
            "each opponent.",
        ),
        (
            {"activated": {"mana": "{2}", "tap": True}, "do": [{"become": "night"}]},
            "{2}, {T}: It becomes night.",
        ),
        (
            {
                "activated": {"loyalty": -3},
                "targets": ["creature"],
                "do": [{"destroy": "target"}],
            },
            "\N{MINUS SIGN}3: Destroy target creature.",
        ),
        (
            {"static": {"what": {"subtypes": ["Wolf"], "controller": "you", "other": True},
                        "power": 1, "gain": ["trample"]}},
            "Other Wolves you control get +1/+0 and have trample.",
        ),
        ({"enters": {"copy of": "creature"}},
         "You may have this creature enter as a copy of any creature on the battlefield."),
        (
            {"triggered": {"on": "step", "step": "upkeep",
                           "if": {"spells last turn": {"none": True}}},
             "do": [{"transform": "this"}]},
            "At the beginning of each upkeep, if no spells were cast last turn, transform this "
            "creature.",
        ),
        (
            {"spell": True, "targets": [{"types": ["creature"], "controller": "you"}],
             "do": [{"flicker": "target"}, {"modify": "target", "power": 2}]},
            "Exile target creature you control, then return that card to the battlefield under "
            "your control. That creature gets +2/+0 until end of turn.",
        ),
    ],
    ids=["trigger", "activated", "loyalty", "static", "copy", "upkeep", "that creature"],
)  # fmt: skip
def test_wording(ability: Mapping[str, Any], text: str) -> None:
    assert rules_text(face(ability)) == text


def test_keywords_stand_first_a_line_each() -> None:
    said = rules_text(face(keywords=["first strike", {"ward": {"life": 3}}, {"equip": "{2}"}]))
    assert said == "First strike\nWard—Pay 3 life.\nEquip {2}"


def test_a_basic_land_has_no_text() -> None:
    forest = {"name": "Forest", "types": ["land"], "subtypes": ["Forest"]}
    assert rules_text({**forest, "abilities": [{"activated": {"tap": True}}]}) == ""


@pytest.mark.parametrize(
    "unsayable",
    [
        face({"static": {"no such word": True}}),
        face({"spell": True, "do": [{"restart": True}]}),
        face({"spell": True, "do": [{"draw": 1, "of": "another deck"}]}),
        face({"spell": True, "targets": [{"colors": ["red"]}], "do": [{"destroy": "target"}]}),
        face(incomplete="what it does when it dies"),
    ],
    ids=["static", "effect", "rest of an effect", "filter", "incomplete"],
)
def test_what_has_no_wording_is_not_half_said(unsayable: dict[str, Any]) -> None:
    with pytest.raises(UnsayableError):
        rules_text(unsayable)


def test_cards_are_shaped_as_in_mtgjson() -> None:
    facts = {
        "layout": "transform",
        "faces": [
            {"name": "Day", "mana cost": "{2}{R}{R}", "types": ["creature"],
             "subtypes": ["Human"], "power": 2, "toughness": 3, "keywords": ["daybound"]},
            {"name": "Night", "colors": ["red"], "types": ["creature"], "power": 4,
             "toughness": 4, "keywords": ["nightbound"]},
        ],
    }  # fmt: skip
    front, back = cards.faces_of(facts)
    assert (front["name"], front["faceName"], front["side"]) == ("Day // Night", "Day", "a")
    assert (front["manaValue"], front["colors"], front["text"]) == (4, ["R"], "Daybound")
    assert front["type"] == "Creature — Human"
    assert (back["manaCost"], back["manaValue"], back["colors"]) == (None, 4, ["R"])
    assert (back["power"], back["keywords"]) == ("4", ["Nightbound"])


@pytest.mark.parametrize("suffix", [".json", ".json.gz"])
@pytest.mark.parametrize("shape", ["set", "atomic"])
def test_the_users_own_card_file_is_read(tmp_path: Path, shape: str, suffix: str) -> None:
    day, night = {"name": "Day // Night", "side": "a"}, {"name": "Day // Night", "side": "b"}
    data: Any = {"cards": [night, day, day]} if shape == "set" else {"Day // Night": [night, day]}
    raw = json.dumps({"data": data}).encode()
    path = tmp_path / f"cards{suffix}"
    path.write_bytes(gzip.compress(raw) if suffix.endswith("gz") else raw)
    assert cards.read_file(path) == {"Day": [day, night]}


def test_what_phase_could_not_read_is_found() -> None:
    assert not list(cards.gaps({"abilities": [{"effect": {"type": "Draw"}}]}))
    unread = {"effect": {"type": "Unimplemented", "description": "dance"}}
    assert next(cards.gaps({"abilities": [unread]})) == "dance"
    assert list(cards.gaps({"triggers": [{"mode": {"Unknown": "Whenever it rains"}}]}))
    warning = {"type": "SwallowedClause", "description": "the rest"}
    assert list(cards.gaps({"parse_warnings": [warning]})) == ["SwallowedClause: the rest"]


@pytest.fixture(scope="module")
def phase() -> Adapter[Any]:
    """Start phase."""
    from harness.adapters.phase.adapter import engine

    return engine()


def play(phase: Adapter[Any], given: Mapping[str, Any], *steps: Mapping[str, Any]) -> Any:
    """Play steps, in the words of the wire, from a plain game; gives the reply."""
    corpus = load_corpus()
    seats: dict[str, Any] = {
        player: {"life": 20, "mana": None, "hand": [], "library": [{"card": "Plains"}] * 5,
                 "graveyard": [], "exile": [], "battlefield": []} | dict(given.get(player, {}))
        for player in ("alice", "bob")
    }  # fmt: skip
    whole = {
        "players": ["alice", "bob"],
        "designation": "neither",
        "turn": {"active": "alice", "step": "precombat main", "number": 1},
        **{key: value for key, value in given.items() if key not in seats},
        **seats,
    }
    named = {
        thing["card"] for seat in seats.values() for zone in seat.values()
        if isinstance(zone, list) for thing in zone
    }  # fmt: skip
    facts = {name: corpus.cards[name] for name in named}
    message = {"type": "run", "id": 1, "given": whole, "steps": list(steps), "cards": facts}
    return answer(phase, message)


def look(**wanted: Any) -> dict[str, Any]:
    """Give a look, in the words of the wire."""
    return {"do": "look", **wanted}


@ENGINE
def test_ids_follow_cards_and_the_snapshot_stands_as_given(phase: Adapter[Any]) -> None:
    given = {
        "designation": "night",
        "alice": {
            "life": 7,
            "hand": [{"id": "one", "card": "Grizzly Bears"}],
            "library": [{"id": "top", "card": "Grizzly Bears"}, {"id": "next", "card": "Shock"}],
            "graveyard": [{"id": "dead", "card": "Grizzly Bears"}],
            "exile": [{"id": "away", "card": "Grizzly Bears"}],
            "battlefield": [
                {"id": "smasher", "card": "Tavern Ruffian", "face": "back", "tapped": True},
                {"id": "bear", "card": "Grizzly Bears", "counters": {"+1/+1": 2}, "damage": 1},
                {"id": "aura", "card": "Holy Strength", "attached to": "bear"},
            ],
        },
        "bob": {"battlefield": [{"id": "theirs", "card": "Grizzly Bears", "owner": "alice"}]},
    }
    wanted = {
        "one": ["zone"], "dead": ["zone"], "away": ["zone"],
        "top": ["zone", "position"], "next": ["position"],
        "smasher": ["face", "name", "power", "tapped", "summoning sick", "keywords"],
        "bear": ["power", "toughness", "counters", "damage"],
        "aura": ["attached to"], "theirs": ["controller", "owner"],
    }  # fmt: skip
    reply = play(
        phase,
        given,
        look(designation=True, turn=["active", "step"], objects=wanted,
             players={"alice": ["life", "hand", "library", "graveyard", "exile"]},
             events=["entered", "triggered"]),
    )  # fmt: skip
    (seen,) = reply["observations"]
    assert seen == {
        "designation": "night",
        "turn": {"active": "alice", "step": "precombat main"},
        "objects": {
            "one": {"zone": "hand"},
            "dead": {"zone": "graveyard"},
            "away": {"zone": "exile"},
            "top": {"zone": "library", "position": 1},
            "next": {"position": 2},
            "smasher": {
                "face": "back", "name": "Tavern Smasher", "power": 6, "tapped": True,
                "summoning sick": False, "keywords": ["nightbound"],
            },
            "bear": {"power": 5, "toughness": 6, "counters": {"+1/+1": 2}, "damage": 1},
            "aura": {"attached to": "bear"},
            "theirs": {"controller": "bob", "owner": "alice"},
        },
        "players": {"alice": {"life": 7, "hand": 1, "library": 2, "graveyard": 1, "exile": 1}},
        "events": [],
    }  # fmt: skip


@ENGINE
def test_a_daybound_spell_at_night(phase: Adapter[Any]) -> None:
    reply = play(
        phase,
        {"designation": "night", "alice": {"hand": [{"id": "ruffian", "card": "Tavern Ruffian"}]}},
        {"do": "cast", "player": "alice", "object": "ruffian"},
        look(stack=["object", "face"]),
        {"do": "resolve", "what": "all"},
        look(objects={"ruffian": ["zone", "face"]}, events=["transformed", "entered"]),
    )
    on_stack, on_battlefield = reply["observations"]
    assert on_stack == {"stack": [{"object": "ruffian", "face": "front"}]}
    assert on_battlefield["objects"] == {"ruffian": {"zone": "battlefield", "face": "back"}}
    # It enters with its back face up; that is no transforming (CR 712.14).
    assert [next(iter(event)) for event in on_battlefield["events"]] == ["entered"]


@ENGINE
def test_targets_and_responses(phase: Adapter[Any]) -> None:
    reply = play(
        phase,
        {
            "alice": {"hand": [{"id": "growth", "card": "Giant Growth"}],
                      "battlefield": [{"id": "bear", "card": "Grizzly Bears"}]},
            "bob": {"hand": [{"id": "shock", "card": "Shock"}],
                    "battlefield": [{"id": "other", "card": "Grizzly Bears"}]},
        },
        {"do": "cast", "player": "alice", "object": "growth", "targets": ["bear"]},
        {"do": "cast", "player": "bob", "object": "shock", "targets": ["bear"]},
        look(stack=["object", "targets", "controller"]),
        {"do": "resolve", "what": "top"},
        look(stack=["object"], objects={"bear": ["zone"]}, events=["damaged", "died"]),
    )  # fmt: skip
    first, second = reply["observations"]
    assert first["stack"] == [
        {"object": "shock", "targets": ["bear"], "controller": "bob"},
        {"object": "growth", "targets": ["bear"], "controller": "alice"},
    ]
    assert second == {
        "stack": [{"object": "growth"}],
        "objects": {"bear": {"zone": "graveyard"}},
        "events": [{"damaged": "bear", "by": "shock", "amount": 2}, {"died": "bear"}],
    }


@ENGINE
def test_mana_is_unlimited_unless_it_is_given(phase: Adapter[Any]) -> None:
    hand = [{"id": "shock", "card": "Shock"}, {"id": "bolt", "card": "Lightning Bolt"}]
    cast = [
        {"do": "cast", "player": "alice", "object": name, "targets": ["bob"]}
        for name in ("shock", "bolt")
    ]
    assert play(phase, {"alice": {"hand": hand}}, *cast)["type"] == "observations"
    poor = {"alice": {"hand": hand, "mana": "{R}"}}
    reply = play(phase, poor, cast[0], look(players={"alice": ["mana"]}), cast[1])
    assert (reply["type"], reply["step"]) == ("refused", 3)
    assert reply["observations"] == [{"players": {"alice": {"mana": 0}}}]


@ENGINE
def test_what_the_rules_forbid_is_refused(phase: Adapter[Any]) -> None:
    bears = {"hand": [{"id": "bears", "card": "Grizzly Bears"}]}
    cast = {"do": "cast", "player": "bob", "object": "bears"}
    reply = play(phase, {"bob": bears}, cast)
    assert (reply["type"], reply["step"]) == ("refused", 1)
    sick = {"battlefield": [{"id": "bears", "card": "Grizzly Bears", "summoning sick": True}]}
    reply = play(phase, {"alice": sick}, {"do": "attack", "attackers": {"bears": "bob"}})
    assert reply["type"] == "refused"


@ENGINE
@pytest.mark.parametrize(("choose", "zone"), [(["bear"], "battlefield"), (["no"], "graveyard")])
def test_a_choice_can_be_to_decline(phase: Adapter[Any], choose: list[str], zone: str) -> None:
    given = {
        "alice": {"hand": [{"id": "clone", "card": "Clone"}],
                  "battlefield": [{"id": "bear", "card": "Grizzly Bears"}]},
    }  # fmt: skip
    cast = {"do": "cast", "player": "alice", "object": "clone"}
    choices = [{"player": "alice", "for": "clone", "choose": choose}]
    resolve = {"do": "resolve", "what": "all", "choices": choices}
    reply = play(phase, given, cast, resolve, look(objects={"clone": ["zone"]}))
    assert reply["observations"] == [{"objects": {"clone": {"zone": zone}}}]


@ENGINE
def test_combat_and_the_steps_of_a_turn(phase: Adapter[Any]) -> None:
    reply = play(
        phase,
        {
            "alice": {"battlefield": [{"id": "wolf", "card": "Watchwolf"},
                                      {"id": "bear", "card": "Grizzly Bears"}]},
            "bob": {"battlefield": [{"id": "blocker", "card": "Grizzly Bears"}]},
        },
        {"do": "attack", "attackers": {"wolf": "bob", "bear": "bob"}},
        look(objects={"wolf": ["attacking", "tapped"]}),
        {"do": "block", "blockers": {"blocker": "wolf"}},
        look(turn=["step"], objects={"blocker": ["blocking"]}),
        {"do": "advance", "to": "end of combat", "of": "alice"},
        look(objects={"blocker": ["zone"]}, players={"bob": ["life"]}),
        {"do": "advance", "to": "draw", "of": "bob"},
        look(turn=["active", "step"], events=["drew", "turn"]),
    )  # fmt: skip
    attacked, blocked, fought, next_turn = reply["observations"]
    assert attacked == {"objects": {"wolf": {"attacking": "bob", "tapped": True}}}
    assert blocked == {
        "turn": {"step": "declare blockers"},
        "objects": {"blocker": {"blocking": "wolf"}},
    }
    assert fought == {
        "objects": {"blocker": {"zone": "graveyard"}},
        "players": {"bob": {"life": 18}},
    }
    assert next_turn["turn"] == {"active": "bob", "step": "draw"}
    assert next_turn["events"] == [{"turn": "bob"}, {"drew": "bob"}]


@ENGINE
@pytest.mark.parametrize(
    ("given", "what", "name"),
    [
        ({"teams": [["alice"], ["bob"]]}, "capability", "teams"),
        (
            {"alice": {"battlefield": [{"id": "x", "card": "Memnite", "face down": True}]}},
            "given",
            "face down",
        ),
        (
            {"alice": {"hand": [{"id": "x", "card": "Karn Liberated"}]}},
            "card",
            "Karn Liberated",
        ),
    ],
    ids=["teams", "face down", "card"],
)
def test_what_cannot_be_expressed_is_unsupported(
    phase: Adapter[Any], given: Mapping[str, Any], what: str, name: str
) -> None:
    reply = play(phase, given)
    assert (reply["type"], reply["what"], reply["name"]) == ("unsupported", what, name)
    assert reply["reason"]


@ENGINE
def test_an_own_card_file_comes_before_our_wording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from harness.adapters.phase.adapter import engine

    (bears,) = cards.faces_of(load_corpus().cards["Grizzly Bears"])
    path = tmp_path / "own.json"
    path.write_text(json.dumps({"data": {"Grizzly Bears": [{**bears, "power": "7"}]}}))
    monkeypatch.setenv("PHASE_CARDS", str(path))
    given = {"alice": {"battlefield": [{"id": "bears", "card": "Grizzly Bears"}]}}
    reply = play(engine(), given, look(objects={"bears": ["power"]}))
    assert reply["observations"] == [{"objects": {"bears": {"power": 7}}}]


@ENGINE
@pytest.mark.slow
def test_all_that_phase_gets_wrong_is_known() -> None:
    command = [sys.executable, "-m", "harness", "run", "--engine", "phase", "--jobs", "2"]
    done = subprocess.run(
        [*command, "--timeout", "60", "--expectations", str(EXPECTATIONS), "--color", "never"],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def test_every_known_failure_is_explained() -> None:
    entries = expectations.load(EXPECTATIONS).entries
    assert entries
    assert not [entry for entry in entries if "CR " not in entry.reason]
