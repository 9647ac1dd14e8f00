"""Ruling files become scenarios that say everything, and messages that give nothing away."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness import __version__, sources
from harness.corpus import BadCorpus, Corpus, Editions, Scenario, load_corpus
from harness.selection import NothingSelectedError

SMALL = Path(__file__).parent / "checks" / "corpus"
LOOK = "expect: {objects: {ruffian: {face: back}}}"

Write = Callable[..., Path]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Give a corpus with a few cards and no rulings."""
    return Path(shutil.copytree(SMALL, tmp_path / "rulings"))


@pytest.fixture
def write(root: Path) -> Write:
    """Give the function that writes a ruling file into the corpus."""

    def write(
        *steps: str,
        given: str = "{designation: night, alice: {hand: [{id: ruffian, card: Tavern Ruffian}]}}",
        name: str = "it enters",
        more: str = "",
        file: str = "2021-09-24/fixture-ruling.yaml",
        rules: str = '["702.145b", "103.1"]',
    ) -> Path:
        path = root / file
        path.parent.mkdir(exist_ok=True)
        listed = "".join(
            f"      - {step}\n"
            for step in steps or ("cast: {player: alice, object: ruffian}", "resolve: all", LOOK)
        )
        path.write_text(
            f"ruling: {{key: {path.stem}, source: official, date: 2021-09-24}}\n"
            f"rules: {rules}\nscenarios:\n  - name: {name}\n    why: Because.\n{more}"
            f"    given: {given}\n    steps:\n{listed}"
        )
        return path

    return write


def only(root: Path) -> Scenario:
    (scenario,) = load_corpus(root).scenarios
    return scenario


def test_a_scenario_is_what_its_file_says(root: Path, write: Write) -> None:
    path = write(more='    rules: ["728", "702.145b"]\n    level: should\n    since: 2023-04-14\n'
                 "    aliases: [2021-09-24/old#name]\n    proves: [an-article]\n"
                 "    catches-nothing: It is plain.\n")  # fmt: skip
    scenario = only(root)
    assert scenario.id == "2021-09-24/fixture-ruling#it enters"
    assert scenario.rules == ("728", "702.145b", "103.1"), "its own first, each once"
    assert (scenario.ruling, scenario.source, scenario.date) == (
        "fixture-ruling",
        "official",
        "2021-09-24",
    )
    assert (scenario.level, scenario.since, scenario.until) == ("should", "2023-04-14", None)
    assert scenario.aliases == ("2021-09-24/old#name",)
    assert scenario.proves == ("an-article",)
    assert scenario.catches_nothing == "It is plain."
    assert scenario.file == "rulings/2021-09-24/fixture-ruling.yaml"
    assert Path(scenario.path) == path
    assert scenario.line == 4
    assert [step.line for step in scenario.steps] == [14, 15, 16]
    assert list(scenario.cards) == ["Plains", "Tavern Ruffian"]


def test_given_is_explicit(root: Path, write: Write) -> None:
    write(
        given="""
      turn: {active: bob, step: upkeep}
      alice:
        hand: [{card: Shock, count: 2}, {id: ruffian, card: Tavern Ruffian}]
        library: []
      bob:
        life: 7
        mana: "{R}"
        battlefield:
          - {id: curse, card: Curse of Leeches, attached to: alice, counters: {"+1/+1": 2}}
          - {card: Grizzly Bears, tapped: true, owner: alice}"""
    )
    given = only(root).given
    assert list(given) == ["players", "teams", "designation", "turn", "alice", "bob"]
    assert given["players"] == ["alice", "bob"]
    assert given["designation"] == "neither"
    assert given["turn"] == {"active": "bob", "step": "upkeep", "number": 1}
    assert given["alice"] == {
        "life": 20,
        "mana": None,
        "hand": [
            {"id": "alice-hand-1", "card": "Shock"},
            {"id": "alice-hand-2", "card": "Shock"},
            {"id": "ruffian", "card": "Tavern Ruffian"},
        ],
        "library": [],
        "graveyard": [],
        "exile": [],
        "battlefield": [],
    }
    assert (given["bob"]["life"], given["bob"]["mana"]) == (7, "{R}")
    assert given["bob"]["library"] == [
        {"id": f"bob-library-{number}", "card": "Plains"} for number in range(1, 11)
    ]
    curse, bears = given["bob"]["battlefield"]
    assert curse == {
        "id": "curse",
        "card": "Curse of Leeches",
        "face": "front",
        "tapped": False,
        "counters": {"+1/+1": 2},
        "damage": 0,
        "attached to": "alice",
        "summoning sick": False,
        "owner": "bob",
        "phased out": False,
        "face down": False,
        "copy of": None,
        "token": False,
    }
    assert (bears["id"], bears["tapped"], bears["owner"]) == ("bob-battlefield-2", True, "alice")


def test_teams_bring_their_players_and_their_life(root: Path, write: Write) -> None:
    write(
        given="""
      teams: [[carol, alice], [bob, dave]]
      alice: {hand: [{id: ruffian, card: Tavern Ruffian}]}"""
    )
    scenario = only(root)
    assert scenario.given["players"] == ["carol", "alice", "bob", "dave"]
    assert scenario.given["turn"]["active"] == "carol"
    assert scenario.given["dave"]["life"] == 30
    assert set(scenario.needs) == {"teams", "three players"}


def test_the_message_has_no_expected_value(root: Path, write: Write) -> None:
    write(
        "{cast: {player: alice, object: ruffian}, choices: [{player: bob, choose: yes}]}",
        "resolve: top",
        "expect: {designation: day, turn: {active: bob}, "
        "stack: [{object: ruffian, name: Moonmist}],"
        " objects: {ruffian: {zone: exile, has: [flying], lacks: [haste], power: 77}},"
        " players: {bob: {life: 99}}, events: [{entered: ruffian, face: back}, {became: day}],"
        " no events: [{died: ruffian}]}",
        "block: {blockers: {ruffian: ruffian}}",
        "expect: {any of: [{designation: night}, {objects: {ruffian: {face: back}}, stack: []}]}",
        "{activate: {player: bob, object: ruffian}, refused: true}",
    )
    message = only(root).request(3)
    assert {key: message[key] for key in ("type", "id")} == {"type": "run", "id": 3}
    assert message["steps"] == [
        {
            "do": "cast",
            "player": "alice",
            "object": "ruffian",
            "targets": [],
            "choices": [{"player": "bob", "for": None, "choose": ["yes"]}],
        },
        {"do": "resolve", "what": "top", "choices": []},
        {
            "do": "look",
            "designation": True,
            "turn": ["active"],
            "objects": {"ruffian": ["zone", "keywords", "power"]},
            "players": {"bob": ["life"]},
            "stack": ["object", "ability of", "name"],
            "events": ["entered", "became", "died"],
        },
        {"do": "block", "blockers": {"ruffian": ["ruffian"]}, "choices": []},
        {
            "do": "look",
            "designation": True,
            "objects": {"ruffian": ["face"]},
            "stack": ["object", "ability of"],
        },
        {
            "do": "activate",
            "player": "bob",
            "object": "ruffian",
            "targets": [],
            "ability": 1,
            "choices": [],
        },
    ]
    sent = json.dumps({**message, "cards": {}})
    for secret in ("77", "99", 'exile"', "flying", "haste", "Moonmist", "refused", "it enters"):
        assert secret not in sent.replace('"exile": []', ""), secret


@pytest.mark.parametrize(
    ("step", "needs"),
    [
        ("expect: {events: [{became: night}]}", {"events"}),
        ("expect: {no events: [{phased out: ruffian}]}", {"events", "phasing"}),
        ("expect: {objects: {ruffian: {phased out: true}}}", {"phasing"}),
        ("expect: {objects: {ruffian: {face down: true}}}", {"face-down"}),
        ("expect: {any of: [{objects: {ruffian: {token: true}}}, {designation: day}]}", {"tokens"}),
        ("expect: {players: {alice: {mana: 0}}}", {"costs"}),
        ("find: {id: wolf, name: Moonmist}", {"find"}),
        ("concede: {player: bob}", {"leaving"}),
        ("turn face up: {player: alice, object: ruffian}", {"face-down"}),
        ("directive: {become: night}", {"directive become"}),
        ("directive: {put: {object: ruffian, zone: exile}}", {"directive put"}),
        ("{resolve: all, choices: [{player: bob, choose: 1}]}", {"choices"}),
        ("cast: {player: alice, object: ruffian, via: flashback}", {"flashback"}),
        ("resolve: all", set()),
    ],
)
def test_needs_are_seen_from_the_content(
    root: Path, write: Write, step: str, needs: set[str]
) -> None:
    write(step, LOOK)
    assert set(only(root).needs) == needs


@pytest.mark.parametrize(
    ("given", "need"),
    [
        ("{bob: {mana: ''}, alice: {hand: [{id: ruffian, card: Tavern Ruffian}]}}", "costs"),
        ("{alice: {battlefield: [{id: ruffian, card: Tavern Ruffian, token: true}]}}", "tokens"),
        ("{alice: {battlefield: [{id: ruffian, card: Shock, face down: true}]}}", "face-down"),
        ("{alice: {battlefield: [{id: ruffian, card: Tavern Ruffian, phased out: true}]}}",
         "phasing"),
        ("{alice: {battlefield: [{id: ruffian, card: Tavern Ruffian, copy of: ruffian}]}}",
         "copies"),
        ("{players: [carol, alice, bob],"
         " alice: {battlefield: [{id: ruffian, card: Tavern Ruffian}]}}", "three players"),
    ],
)  # fmt: skip
def test_needs_are_seen_from_given(root: Path, write: Write, given: str, need: str) -> None:
    write(given=given)
    assert only(root).needs == (need,)


def test_needs_that_play_alone_shows_are_added_by_the_file(root: Path, write: Write) -> None:
    write("directive: {become: day}", LOOK, more="    needs: [extra turns]\n")
    assert only(root).needs == ("directive become", "extra turns")


def test_a_digest_is_of_what_is_played_and_expected(root: Path, write: Write) -> None:
    write()
    first = only(root)
    write(name="another name", rules='["728"]', file="2021-09-24/fixture-ruling.yaml")
    renamed = only(root)
    assert (renamed.id == first.id, renamed.digest == first.digest) == (False, True)
    write(more="    level: may\n")
    assert only(root).digest != first.digest
    write("cast: {player: alice, object: ruffian}", "resolve: all", LOOK.replace("back", "front"))
    assert only(root).digest != first.digest
    write("cast: {player: alice, object: ruffian}", "{resolve: all, refused: true}")
    refused = only(root).digest
    write("cast: {player: alice, object: ruffian}", "resolve: all")
    path = root / "2021-09-24" / "fixture-ruling.yaml"
    path.write_text(path.read_text() + "      - expect: {designation: day}\n")
    assert only(root).digest != refused


def test_the_digest_of_the_corpus_is_that_of_all_of_it(root: Path, write: Write) -> None:
    write()
    alone = load_corpus(root)
    write(file="2021-09-24/second.yaml")
    both = load_corpus(root)
    assert alone.digest != both.digest
    assert load_corpus(root, ["2021-09-24/second"]).digest == both.digest
    assert both.info.to_json() == {
        "version": __version__,
        "digest": both.digest,
        "edition": "2024-06-07",
    }


def test_what_is_selected_is_loaded(root: Path, write: Write, tmp_path: Path) -> None:
    write()
    write(file="2021-09-24/second.yaml")
    alone = shutil.copy(write(file="2021-11-19/third.yaml"), tmp_path / "my own.yaml")

    def ids(*words: str, keyword: str = "") -> list[str]:
        chosen = load_corpus(root, words, keyword=keyword).scenarios
        return [scenario.id.partition("#")[0] for scenario in chosen]

    assert ids("2021-09-24") == ["2021-09-24/fixture-ruling", "2021-09-24/second"]
    assert ids("third", "2021-09-24/second#it enters") == ["2021-09-24/second", "2021-11-19/third"]
    assert ids(str(root / "2021-11-19")) == ["2021-11-19/third"]
    assert ids(str(alone)) == [f"{tmp_path.name}/my own"]
    assert ids(keyword="not second and 2021-09-24") == ["2021-09-24/fixture-ruling"]
    with pytest.raises(NothingSelectedError):
        ids("second#no such name")
    with pytest.raises(NothingSelectedError):
        ids("x" * 5000)


def test_files_outside_speak_of_the_cards_of_the_tool(tmp_path: Path, write: Write) -> None:
    alone = Path(shutil.copy(write(), tmp_path / "alone.yaml"))
    corpus = load_corpus(files=[alone])
    mine = [scenario for scenario in corpus.scenarios if Path(scenario.path) == alone]
    assert [scenario.id for scenario in mine] == [f"{tmp_path.name}/alone#it enters"]
    assert len(corpus.scenarios) == len(load_corpus().scenarios) + 1


def test_files_of_another_corpus_bring_its_cards(root: Path, write: Write) -> None:
    bears = root / "cards" / "grizzly-bears.yaml"
    text = bears.read_text().replace("Grizzly Bears", "Polka-Dot Bears")
    (root / "cards" / "polka-dot-bears.yaml").write_text(text)
    path = write(given="{alice: {battlefield: [{id: ruffian, card: Polka-Dot Bears}]}}")
    (scenario,) = load_corpus(select=[str(path)]).scenarios
    assert "Polka-Dot Bears" in scenario.cards


def test_a_bad_file_costs_a_run_that_needs_it_and_no_other(root: Path, write: Write) -> None:
    write()
    write("cast: {player: alice, object: rufian}", LOOK, file="2021-09-24/second.yaml")
    bad = str(root / "2021-09-24" / "second.yaml")
    for select in ((), (bad,), ("2021-09-24",), ("second",), ("2021-09-24/second#it enters",),
                   (str(root),), ("no such thing",), (f"{bad}:6",), ("702.145b",), ("*",),
                   ("Tavern Ruffian", "fixture-ruling")):  # fmt: skip
        with pytest.raises(BadCorpus) as caught:
            load_corpus(root, select)
        assert [(p.file, p.line, p.code) for p in caught.value.problems] == [(bad, 8, "R001")]
    with pytest.raises(BadCorpus):
        load_corpus(root, keyword="enters")
    good = load_corpus(root, ["2021-09-24/fixture-ruling"])
    assert [scenario.ruling for scenario in good.scenarios] == ["fixture-ruling"]


@pytest.mark.parametrize(
    ("file", "text", "code"),
    [
        ("cards/plains.yaml", "layout: flat\nfaces: []\n", "S004"),
        ("catalog.yaml", "rulings: [", "Y001"),
        ("editions.yaml", "base: 2024-06-07\n", "S002"),
        ("2021-09-24/fixture-ruling.yaml", "a: 1\na: 2\n", "Y006"),
        ("2021-09-24/fixture-ruling.yaml", "", "Y004"),
    ],
)
def test_what_cannot_be_used_is_told_as_the_checker_tells_it(
    root: Path, write: Write, file: str, text: str, code: str
) -> None:
    write()
    (root / file).write_text(text)
    with pytest.raises(BadCorpus) as caught:
        load_corpus(root)
    problem = next(each for each in caught.value.problems if each.code == code)
    assert problem.file == str(root / file)
    assert str(problem) in str(caught.value)


def test_a_bad_card_is_told_with_the_ruling_that_it_costs(root: Path, write: Write) -> None:
    write()
    card = root / "cards" / "tavern-ruffian.yaml"
    card.write_text(card.read_text().replace("transform", "transfrom"))
    with pytest.raises(BadCorpus) as caught:
        load_corpus(root, ["fixture-ruling"])
    assert [problem.code for problem in caught.value.problems] == ["R005", "S004"]
    write(given="{alice: {hand: [{id: ruffian, card: Shock}]}}", file="2021-09-24/second.yaml")
    assert len(load_corpus(root, ["second"]).scenarios) == 1


def test_bad_editions_cost_everything(root: Path, write: Write) -> None:
    write()
    (root / "editions.yaml").write_text("base: 2024-06-07\nrules: []\n")
    with pytest.raises(BadCorpus) as caught:
        load_corpus(root, ["fixture-ruling"])
    assert [problem.code for problem in caught.value.problems] == ["S002"]


def test_every_file_of_the_tool_names_its_schema_to_editors() -> None:
    for path in sources.files(sources.root()):
        up = "" if path.parent == sources.root() else "../"
        first = path.read_text(encoding="utf-8").partition("\n")[0]
        schema = f"{up}schema/{sources.kind(path)}.json"
        assert first == f"# yaml-language-server: $schema={schema}", path
        assert (path.parent / schema).is_file()


def test_a_corpus_may_be_empty(root: Path) -> None:
    assert load_corpus(root).scenarios == ()
    with pytest.raises(NothingSelectedError):
        load_corpus(root, ["anything"])


@pytest.fixture(scope="module")
def whole() -> Corpus:
    return load_corpus()


def test_the_corpus_of_the_tool_loads(whole: Corpus) -> None:
    assert whole.root == sources.root()
    assert len(whole.scenarios) >= 60
    assert len({scenario.id for scenario in whole.scenarios}) == len(whole.scenarios)
    assert whole.editions.base == "2024-06-07"
    for scenario in whole.scenarios:
        assert scenario.rules
        assert (sources.root().parent / scenario.file).is_file()


def test_no_request_of_the_corpus_gives_anything_away(whole: Corpus) -> None:
    def keys(value: Any) -> set[str]:
        if isinstance(value, dict):
            return set(value) | {key for item in value.values() for key in keys(item)}
        if isinstance(value, list):
            return {key for item in value for key in keys(item)}
        return set()

    for number, scenario in enumerate(whole.scenarios):
        request = scenario.request(number)
        assert set(request) == {"type", "id", "given", "steps", "cards"}
        assert not keys(request["steps"]) & {"expect", "refused", "any of", "no events", "has"}
        for step in request["steps"]:
            if step["do"] == "look":
                assert step.get("designation", True) is True
                said = [*step.get("objects", {}).values(), *step.get("players", {}).values()]
                assert all(isinstance(word, str) for words in said for word in words)


def test_good_files_need_no_jsonschema() -> None:
    code = (
        "import sys; from harness.corpus import load_corpus; load_corpus();"
        "print([m for m in ('jsonschema', 'rich', 'click') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


def test_a_rule_has_its_number_in_each_edition() -> None:
    editions = Editions(
        base="2024-06-07",
        rules=frozenset(),
        sections={
            "2023-04-14": {"728": "726", "712.13": "712.9", "712.13a": None, "70": "99"},
            "2024-06-07": {},
        },
    )
    assert editions.newest == "2024-06-07"
    assert editions.number_in("2023-04-14", "728.1a") == "726.1a"
    assert editions.number_in("2023-04-14", "728") == "726"
    assert editions.number_in("2023-04-14", "712.13b") == "712.9b"
    assert editions.number_in("2023-04-14", "712.13a") is None
    assert editions.number_in("2023-04-14", "702.145b") == "702.145b"
    assert editions.number_in("2024-06-07", "728.1") == "728.1"
    with pytest.raises(KeyError):
        editions.number_in("1999-01-01", "728")
