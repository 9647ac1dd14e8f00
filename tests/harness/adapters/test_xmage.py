"""The XMage adapter: how it finds XMage, and, where there is one, that it plays truly.

The tests that need XMage run where `XMAGE_HOME` or `XMAGE_CLASSPATH` is set.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.adapters.xmage import adapter
from harness.connection import Pipe
from harness.protocol.sdk import to_line
from harness.scenario import explicit, step_of

HAS_XMAGE = bool(os.environ.get("XMAGE_HOME") or os.environ.get("XMAGE_CLASSPATH"))
HAS_JDK = shutil.which("javac") is not None

JARS = (
    "lib/mage-1.4.61.jar",
    "lib/mage-sets-1.4.61.jar",
    "lib/guava-33.4.8-jre.jar",
    "plugins/mage-player-ai-1.4.61.jar",
    "plugins/mage-game-twoplayerduel-1.4.61.jar",
    "plugins/mage-game-freeforall-1.4.61.jar",
)


def released(home: Path, *leave_out: str) -> Path:
    """Lay out a released XMage of empty jars."""
    for jar in JARS:
        if not any(word in jar for word in leave_out):
            path = home / "mage-server" / jar
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
    return home


# --- finding it ---


def test_without_xmage_the_command_line_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XMAGE_HOME", raising=False)
    monkeypatch.delenv("XMAGE_CLASSPATH", raising=False)
    argv = [sys.executable, "-m", "harness", "run", "702.145b", "--engine", "xmage"]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "Set XMAGE_HOME to the folder of a released XMage" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_released_xmage_is_its_server_s_lib_and_plugins(tmp_path: Path) -> None:
    jars = adapter.class_path({"XMAGE_HOME": str(released(tmp_path))})
    assert sorted(jars) == sorted(str(tmp_path / "mage-server" / jar) for jar in JARS)


def test_the_server_s_own_folder_will_do(tmp_path: Path) -> None:
    released(tmp_path)
    assert len(adapter.class_path({"XMAGE_HOME": str(tmp_path / "mage-server")})) == len(JARS)


def test_a_missing_jar_is_named_with_what_it_is_for(tmp_path: Path) -> None:
    home = released(tmp_path, "mage-player-ai")
    with pytest.raises(adapter.NoXmageError, match=r"mage-player-ai \(the player that ours"):
        adapter.class_path({"XMAGE_HOME": str(home)})


def test_one_jar_is_not_taken_for_another(tmp_path: Path) -> None:
    home = released(tmp_path, "lib/mage-1")  # mage-sets is not the core, though it begins like it
    with pytest.raises(adapter.NoXmageError, match=r"no jar of: mage \(the rules core\)\."):
        adapter.class_path({"XMAGE_HOME": str(home)})


def test_a_home_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(adapter.NoXmageError, match="which is no folder"):
        adapter.class_path({"XMAGE_HOME": str(tmp_path / "nowhere")})


def test_a_class_path_goes_before_a_home_and_may_have_a_star(tmp_path: Path) -> None:
    for name in ("b.jar", "a.jar", "readme.txt"):
        (tmp_path / name).touch()
    (tmp_path / "classes").mkdir()
    path = os.pathsep.join([str(tmp_path / "classes"), str(tmp_path / "*")])
    found = adapter.class_path({"XMAGE_CLASSPATH": path, "XMAGE_HOME": "/nowhere"})
    assert found == [str(tmp_path / each) for each in ("classes", "a.jar", "b.jar")]


def test_a_class_path_entry_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(adapter.NoXmageError, match="which is not there"):
        adapter.class_path({"XMAGE_CLASSPATH": str(tmp_path / "gone.jar")})


def test_another_jar_is_compiled_against_anew(tmp_path: Path) -> None:
    jar = tmp_path / "mage.jar"
    jar.write_bytes(b"one")
    before = adapter.digest("javac", [str(jar)])
    assert adapter.digest("javac", [str(jar)]) == before
    jar.write_bytes(b"another")
    assert adapter.digest("javac", [str(jar)]) != before
    assert adapter.digest("another javac", [str(jar)]) != adapter.digest("javac", [str(jar)])


@pytest.mark.slow
@pytest.mark.skipif(not HAS_JDK, reason="needs a JDK")
def test_an_xmage_that_does_not_fit_is_no_xmage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XMAGE_CLASSPATH", str(tmp_path))
    with pytest.raises(adapter.NoXmageError, match="does not compile against this XMage"):
        adapter.engine()
    assert list((tmp_path / "cache" / "card-rulings" / "xmage").iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(not HAS_JDK, reason="needs a JDK")
def test_the_adapter_s_own_json(tmp_path: Path) -> None:
    (tmp_path / "Again.java").write_text(
        "class Again { public static void main(String[] a) throws Exception {"
        ' var in = new java.io.BufferedReader(new java.io.InputStreamReader(System.in, "UTF-8"));'
        " for (String l = in.readLine(); l != null; l = in.readLine()) { String s;"
        ' try { s = Json.write(Json.read(l)); } catch (IllegalArgumentException e) { s = "wrong"; }'
        " System.out.println(s); } } }"
    )
    sources = [str(tmp_path / "Again.java"), str(adapter.SOURCES / "Json.java")]
    subprocess.run(["javac", "-d", str(tmp_path), *sources], check=True)
    good: list[Any] = [
        {},
        [],
        {"a": [1, -2, 0.5, True, False, None, "x"]},
        'quote " backslash \\ new\nline tab\t nul \x00 umlaut ü emoji 😀 line sep \u2028',
        {"": {"{}": [[[]]]}},
        12345678901,
    ]
    bad = ["", "{", "[1,]", '{"a"}', "nul", '"open', "1 2", "[" * 500, '"\\u12"', "--1"]
    done = subprocess.run(
        ["java", "-cp", str(tmp_path), "Again"],
        input="\n".join([*map(json.dumps, good), *bad]) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert [json.loads(line) for line in lines[: len(good)]] == good
    assert lines[len(good) :] == ["wrong"] * len(bad)


# --- playing it ---


@pytest.fixture(scope="module")
def xmage() -> Iterator[Pipe]:
    command = adapter.engine()
    pipe = Pipe(command.argv, command.env)
    yield pipe
    pipe.close()


needs_xmage = pytest.mark.skipif(not HAS_XMAGE, reason="XMAGE_HOME is not set")


def play(xmage: Pipe, given: dict[str, Any], *steps: dict[str, Any]) -> dict[str, Any]:
    """Play a scenario as a ruling file would have it."""
    message = {
        "type": "run",
        "id": 1,
        "given": explicit(given),
        "steps": [step_of(step).message() for step in steps],
        "cards": {},
    }
    reply: dict[str, Any] = json.loads(xmage.exchange(to_line(message), 60))
    return reply


@pytest.mark.slow
@needs_xmage
class TestXmage:
    def test_says_who_it_is(self, xmage: Pipe) -> None:
        reply = json.loads(xmage.exchange(to_line({"type": "hello", "protocol": [1]}), 60))
        assert (reply["engine"]["name"], reply["cards"]) == ("XMage", None)
        assert "teams" not in reply["capabilities"]

    def test_survives_what_is_no_message(self, xmage: Pipe) -> None:
        for line in (b"{\n", b"[]\n", b'{"type":"what","id":3}\n', b'{"type":"run","id":4}\n'):
            assert json.loads(xmage.exchange(line, 60))["type"] == "error"

    def test_a_card_that_xmage_does_not_have(self, xmage: Pipe) -> None:
        reply = play(xmage, {"alice": {"hand": [{"id": "no", "card": "No Such Card"}]}}, LOOK)
        assert (reply["type"], reply["what"]) == ("unsupported", "card")

    def test_an_id_follows_its_card_and_the_table_is_as_given(self, xmage: Pipe) -> None:
        given = {
            "designation": "night",
            "turn": {"active": "bob", "step": "upkeep", "number": 7},
            "alice": {
                "life": 13,
                "library": [{"id": "top", "card": "Island"}, {"card": "Swamp"}],
                "graveyard": [{"id": "dead", "card": "Tavern Ruffian"}],
                "battlefield": [
                    {"id": "back", "card": "Tavern Ruffian", "face": "back", "tapped": True},
                    {"id": "bear", "card": "Grizzly Bears", "counters": {"+1/+1": 2}, "damage": 1},
                    {"id": "sick", "card": "Memnite", "summoning sick": True},
                ],
            },
            "bob": {"hand": [{"id": "bolt", "card": "Lightning Bolt"}]},
        }
        reply = play(
            xmage,
            given,
            {
                "expect": {
                    "designation": "night",
                    "turn": {"active": "bob", "step": "upkeep", "number": 7},
                    "players": {"alice": {"life": 13, "library": 2, "graveyard": 1, "hand": 0}},
                    "objects": {
                        "top": {"zone": "library", "position": 1},
                        "dead": {"zone": "graveyard", "face": "front", "name": "Tavern Ruffian"},
                        "back": {"face": "back", "name": "Tavern Smasher", "tapped": True},
                        "bear": {"power": 4, "damage": 1, "counters": {"+1/+1": 2}},
                        "sick": {"summoning sick": True},
                    },
                }
            },
            {"cast": {"player": "bob", "object": "bolt", "targets": ["back"]}},
            {"expect": {"stack": [{"object": "bolt", "targets": ["back"], "controller": "bob"}]}},
            {"resolve": "all"},
            {"cast": {"player": "bob", "object": "bolt", "targets": ["bear"]}, "refused": True},
        )
        first, second = reply["observations"]
        assert first == {
            "designation": "night",
            "turn": {"active": "bob", "step": "upkeep", "number": 7},
            "players": {"alice": {"life": 13, "library": 2, "graveyard": 1, "hand": 0}},
            "objects": {
                "top": {"zone": "library", "position": 1},
                "dead": {"zone": "graveyard", "face": "front", "name": "Tavern Ruffian"},
                "back": {"face": "back", "name": "Tavern Smasher", "tapped": True},
                "bear": {"power": 4, "damage": 1, "counters": {"+1/+1": 2}},
                "sick": {"summoning sick": True},
            },
        }
        assert second["stack"] == [
            {"object": "bolt", "ability of": None, "targets": ["back"], "controller": "bob"}
        ]
        assert (reply["type"], reply["step"]) == ("refused", 5)

    def test_three_players_take_turns_in_the_order_given(self, xmage: Pipe) -> None:
        reply = play(
            xmage,
            {"players": ["alice", "bob", "carol"]},
            {"advance": {"to": "upkeep"}},
            {"expect": {"turn": {"active": "bob"}}},
            {"advance": {"to": "upkeep"}},
            {"expect": {"turn": {"active": "carol"}}},
            {"concede": {"player": "alice"}},
            {"advance": {"to": "upkeep"}},
            {"expect": {"turn": {"active": "bob"}, "players": {"alice": {"lost": True}}}},
        )
        active = [each["turn"]["active"] for each in reply["observations"]]
        assert active == ["bob", "carol", "bob"]

    def test_limited_mana_is_all_that_there_is(self, xmage: Pipe) -> None:
        given = {
            "alice": {
                "mana": "{1}{R}",
                "hand": [
                    {"id": "shock", "card": "Shock"},
                    {"id": "bolt", "card": "Lightning Bolt"},
                ],
            }
        }
        reply = play(
            xmage,
            given,
            {"cast": {"player": "alice", "object": "shock", "targets": ["bob"]}},
            {"expect": {"players": {"alice": {"mana": 1}}}},
            {"cast": {"player": "alice", "object": "bolt", "targets": ["bob"]}, "refused": True},
        )
        assert reply["observations"] == [{"players": {"alice": {"mana": 1}}}]
        assert (reply["type"], reply["step"]) == ("refused", 3)

    def test_a_permanent_is_turned_over_before_anything_untaps(self, xmage: Pipe) -> None:
        reply = play(
            xmage,
            {
                "designation": "day",
                "alice": {"battlefield": [{"id": "ruffian", "card": "Tavern Ruffian"}]},
                "bob": {"battlefield": [{"id": "bear", "card": "Grizzly Bears", "tapped": True}]},
            },
            {"advance": {"to": "upkeep", "of": "bob"}},
            {"expect": {"events": [{"became": "night"}, {"transformed": "x"}, {"untapped": "x"}]}},
        )
        assert reply["observations"][0]["events"] == [
            {"became": "night"},
            {"transformed": "ruffian"},
            {"untapped": "bear"},
        ]

    def test_a_question_without_an_answer_is_not_guessed(self, xmage: Pipe) -> None:
        bears = [{"id": f"bear-{n}", "card": "Grizzly Bears"} for n in range(2)]
        reply = play(
            xmage,
            {
                "alice": {"hand": [{"id": "cathar", "card": "Brutal Cathar"}]},
                "bob": {"battlefield": bears},
            },
            {"cast": {"player": "alice", "object": "cathar"}},
            {"resolve": "all"},
            LOOK,
        )
        assert (reply["type"], reply["name"]) == ("unsupported", "unanswered question")

    def test_a_refused_answer_is_refused(self, xmage: Pipe) -> None:
        reply = play(
            xmage,
            {
                "alice": {"hand": [{"id": "cathar", "card": "Brutal Cathar"}]},
                "bob": {"battlefield": [{"id": "bear", "card": "Grizzly Bears"}]},
            },
            {"cast": {"player": "alice", "object": "cathar"}},
            {
                "resolve": "all",
                "choices": [{"player": "alice", "for": "cathar", "choose": ["cathar"]}],
            },
        )
        assert (reply["type"], reply["step"]) == ("refused", 2)


LOOK: dict[str, Any] = {"expect": {"designation": "neither"}}
