"""The adapter for python-mtg: what it sets up, does and shows, and what it says it cannot."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from harness import runner
from harness.corpus import load_corpus
from harness.model import Verdict
from harness.protocol import Adapter
from harness.protocol.sdk import answer

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("mtg") is None,
    reason="python-mtg is not installed: pip install 'card-rulings[engines]'",
)


@pytest.fixture(scope="module")
def python_mtg() -> Adapter[Any]:
    """Start python-mtg."""
    from harness.adapters.python_mtg.adapter import engine

    return engine()


def play(engine: Adapter[Any], given: Mapping[str, Any], *steps: Mapping[str, Any]) -> Any:
    """Play steps, in the words of the wire, from a plain game; gives the reply."""
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
    facts = {name: load_corpus().cards[name] for name in named}
    message = {"type": "run", "id": 1, "given": whole, "steps": list(steps), "cards": facts}
    return answer(engine, message)


def look(**wanted: Any) -> dict[str, Any]:
    """Give a look, in the words of the wire."""
    return {"do": "look", **wanted}


def test_ids_follow_cards_and_the_snapshot_stands_as_given(python_mtg: Adapter[Any]) -> None:
    given = {
        "alice": {
            "life": 7,
            "hand": [{"id": "one", "card": "Grizzly Bears"}],
            "graveyard": [{"id": "dead", "card": "Grizzly Bears"}],
            "battlefield": [{"id": "bear", "card": "Grizzly Bears", "tapped": True}],
        },
        "bob": {"battlefield": [{"id": "gossip", "card": "Town Gossipmonger"}]},
    }
    wanted = {
        "one": ["zone"], "dead": ["zone"],
        "bear": ["zone", "name", "power", "toughness", "tapped", "controller", "subtypes"],
        "gossip": ["name", "face", "types", "summoning sick", "controller"],
    }  # fmt: skip
    players = {"alice": ["life", "hand", "library", "graveyard", "permanents"]}
    (seen,) = play(python_mtg, given, look(objects=wanted, players=players))["observations"]
    assert seen == {
        "objects": {
            "one": {"zone": "hand"},
            "dead": {"zone": "graveyard"},
            "bear": {
                "zone": "battlefield", "name": "Grizzly Bears", "power": 2, "toughness": 2,
                "tapped": True, "controller": "alice", "subtypes": ["Bear"],
            },
            "gossip": {
                "name": "Town Gossipmonger", "face": "front", "types": ["creature"],
                "summoning sick": False, "controller": "bob",
            },
        },
        "players": {
            "alice": {
                "life": 7, "hand": 1, "library": 5, "graveyard": 1,
                "permanents": ["Grizzly Bears"],
            }
        },
    }  # fmt: skip


def test_casting_and_combat(python_mtg: Adapter[Any]) -> None:
    reply = play(
        python_mtg,
        {
            "alice": {"hand": [{"id": "memnite", "card": "Memnite"}],
                      "battlefield": [{"id": "wolf", "card": "Watchwolf"}]},
            "bob": {"battlefield": [{"id": "blocker", "card": "Elite Vanguard"}]},
        },
        {"do": "cast", "player": "alice", "object": "memnite"},
        {"do": "resolve", "what": "all"},
        look(objects={"memnite": ["zone", "summoning sick"]}, stack=["object"]),
        {"do": "attack", "attackers": {"wolf": "bob"}},
        {"do": "block", "blockers": {"blocker": "wolf"}},
        {"do": "advance", "to": "precombat main", "of": "bob"},
        look(turn=["active", "step"], objects={"blocker": ["zone"], "wolf": ["zone"]},
             players={"bob": ["life"]}),
    )  # fmt: skip
    cast, fought = reply["observations"]
    assert cast == {
        "objects": {"memnite": {"zone": "battlefield", "summoning sick": True}},
        "stack": [],
    }
    assert fought == {
        "turn": {"active": "bob", "step": "precombat main"},
        "objects": {"blocker": {"zone": "graveyard"}, "wolf": {"zone": "battlefield"}},
        "players": {"bob": {"life": 20}},
    }


def test_what_is_not_offered_is_refused(python_mtg: Adapter[Any]) -> None:
    given = {"alice": {"battlefield": [{"id": "wall", "card": "Memnite", "summoning sick": True}]}}
    attack = {"do": "attack", "attackers": {"wall": "bob"}}
    assert play(python_mtg, given, attack)["type"] == "refused"


@pytest.mark.parametrize(
    ("given", "steps", "what", "name"),
    [
        ({"designation": "night"}, [], "capability", "day-night"),
        ({}, [look(designation=True)], "capability", "day-night"),
        (
            {"alice": {"hand": [{"id": "x", "card": "Tavern Ruffian"}]}},
            [],
            "capability",
            "day-night",
        ),
        (
            {"alice": {"hand": [{"id": "x", "card": "Memnite"}]}},
            [{"do": "cast", "player": "alice", "object": "x"}, look(stack=["object"])],
            "look",
            "stack",
        ),
        ({}, [look(events=["entered"])], "look", "entered"),
        (
            {"bob": {"hand": [{"id": "x", "card": "Shock"}]}},
            [{"do": "cast", "player": "bob", "object": "x", "targets": ["alice"]}],
            "step",
            "cast",
        ),
        ({}, [{"do": "advance", "to": "upkeep", "of": "bob"}], "step", "advance to upkeep"),
    ],
    ids=["night", "designation", "daybound", "stack", "events", "response", "upkeep"],
)
def test_what_it_lacks_is_said_plainly(
    python_mtg: Adapter[Any],
    given: Mapping[str, Any],
    steps: list[Mapping[str, Any]],
    what: str,
    name: str,
) -> None:
    reply = play(python_mtg, given, *steps)
    assert (reply["type"], reply["what"], reply["name"]) == ("unsupported", what, name)
    assert reply["reason"]


@pytest.mark.slow
def test_no_scenario_ends_in_an_error() -> None:
    report = runner.run(load_corpus().scenarios, "python-mtg", timeout=60)
    counts = Counter(result.verdict for result in report.results)
    assert counts[Verdict.ERROR] == 0
    assert counts[Verdict.PASS] > 0
    assert counts[Verdict.FAIL] > 0
    assert counts[Verdict.UNSUPPORTED] > counts[Verdict.FAIL]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["python-mtg", "phase"])
def test_the_adapters_behave(name: str) -> None:
    if importlib.util.find_spec(name.removeprefix("python-")) is None:
        pytest.skip(f"{name} is not installed: pip install 'card-rulings[engines]'")
    command = [sys.executable, "-m", "harness", "adapter-check", name]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
