"""The vocabulary of card abilities: what `rulings/cards/` says, what `docs/cards.md` explains and
what the reference engine plays are the same words.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from harness import yamlfile
from harness.scenario import explicit
from reference_engine.cards import WORDS, card_from
from reference_engine.game import Game

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cards.md"

Data = Mapping[str, Any]
Word = tuple[str, str]
"""A kind of word, which is a heading of the page, and the word."""

THINGS = {
    "attach", "become copy", "by", "copy spell", "counter", "create copy", "destroy", "exile",
    "fight", "flicker", "gain control", "modify", "on", "phase out", "put onto battlefield",
    "return to hand", "sacrifice", "tap", "to", "transform", "untap", "with", "about",
}  # fmt: skip
"""Words of instructions that are followed by what they act on."""

AMOUNTS = {
    "damage", "discard", "draw", "exile from hand", "gain life", "lose life", "mill", "number",
    "power", "repeat", "scry", "set power", "set toughness", "toughness",
}  # fmt: skip
DESCRIPTIONS = {
    "copy of", "enchanted", "flash for", "from hand", "if it is", "next to enter are copies", "or",
    "put", "reveal top", "search", "tap another", "turn face down", "what",
    "can't be blocked by", "defines power and toughness", "prevents combat damage by",
}  # fmt: skip
PLAYERS = {"player", "players", "extra turn"}
LISTS = {"do", "else", "may", "instead of your next draw"}


class Reader:
    """Walks through abilities and says every word of the vocabulary, by its kind."""

    def ability(self, data: Data) -> Iterator[Word]:
        for word, value in data.items():
            yield "Abilities", word
            match word:
                case "triggered":
                    yield from self.trigger(value)
                case "activated":
                    yield from self.nested("Costs", value)
                case "static":
                    yield from self.nested("Static abilities and changes", value)
                case "enters" | "cast":
                    yield from self.nested("Entering and casting", value)
                case "transforming" | "do":
                    yield from self.instructions(value)
                case "targets":
                    yield from self.targets(value)
                case "modes":
                    for mode in value:
                        yield from self.targets(mode.get("targets", ()))
                        yield from self.instructions(mode["do"])

    def trigger(self, data: Data) -> Iterator[Word]:
        for word, value in data.items():
            yield "Triggers", word
            if word == "on":
                yield from (
                    ("Events", each) for each in ([value] if isinstance(value, str) else value)
                )
            elif word in ("what", "by"):
                yield from self.description(value)
            elif word == "if":
                yield from self.condition(value)

    def targets(self, wanted: Any) -> Iterator[Word]:
        for each in wanted:
            if isinstance(each, Mapping) and "what" in each:
                yield from self.nested("Targets", each)
            else:
                yield from self.description(each)

    def instructions(self, effects: Any) -> Iterator[Word]:
        for effect in effects:
            verbs = [word for word in effect if hasattr(Game, "do_" + word.replace(" ", "_"))]
            assert len(verbs) == 1, f"{effect} has the instructions {verbs}"
            yield "Instructions", verbs[0]
            beside = {word: value for word, value in effect.items() if word != verbs[0]}
            yield from self.value(verbs[0], effect[verbs[0]])
            if verbs[0] == "modify":
                yield from self.nested("Static abilities and changes", beside)
            else:
                yield from self.nested("Beside an instruction", beside)

    def nested(self, kind: str, data: Any) -> Iterator[Word]:
        for word, value in data.items():
            yield kind, word
            yield from self.value(word, value)

    def value(self, word: str, value: Any) -> Iterator[Word]:
        """Say the words of what follows a word."""
        if word in LISTS:
            yield from self.instructions(value)
        elif word == "choose one":
            for each in value.values():
                yield from self.instructions(each)
        elif word in ("if", "cast if"):
            yield from self.condition(value)
        elif word in ("your spells cost less", "spells cost more", "exile from graveyard"):
            yield from self.description(value["what"])
            yield from self.amount(value.get("by", 0))
        elif word in ("for the turn", "except"):
            yield from self.nested("Static abilities and changes", value)
        elif word == "later":
            yield from self.trigger(value)
        elif word == "gain":
            for each in value if isinstance(value, list) else ():
                if isinstance(each, Mapping):
                    yield from self.ability(each)
        elif word in PLAYERS:
            yield "Things and players", value
        elif word == "flash for" and isinstance(value, str):
            return  # a cost, where a card says it of itself
        elif word in THINGS or word in DESCRIPTIONS:
            yield from self.description(value)
        elif word in AMOUNTS:
            yield from self.amount(value)

    def amount(self, value: Any) -> Iterator[Word]:
        if isinstance(value, str):
            yield "Numbers", value
        elif isinstance(value, Mapping):
            for word, inner in value.items():
                yield "Numbers", word
                for each in inner if isinstance(inner, list) else ():
                    yield from self.amount(each)
                if not isinstance(inner, list):
                    yield from self.description(inner)

    def description(self, value: Any) -> Iterator[Word]:
        if isinstance(value, str):
            yield "Things and players", value
        elif isinstance(value, Mapping):
            yield from (("Descriptions", word) for word in value)

    def condition(self, value: Any) -> Iterator[Word]:
        if isinstance(value, str):
            yield "Conditions", value
            return
        for word, inner in value.items():
            yield "Conditions", word
            if isinstance(inner, Mapping) and "what" in inner:
                yield from self.description(inner["what"])


def said(card: Data) -> set[Word]:
    """Give every word that the abilities of a card are made of."""
    reader = Reader()
    return {
        word
        for face in card["faces"]
        for ability in face.get("abilities", ())
        for word in reader.ability(ability)
    }


Row = tuple[str, str, str, str]
"""Kind, word, example, and the stem of the card file that the example is from."""

ROW = re.compile(r"\| `(?P<word>[^`]+)` \| [^|]+ \| `(?P<example>[^`]+)` \| (?P<card>\S+) \|")


def rows() -> Iterator[Row]:
    kind = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            kind = line.removeprefix("## ")
        elif found := ROW.fullmatch(line):
            yield kind, found["word"], found["example"], found["card"]


ROWS = list(rows())


def stem(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", re.sub(r"[',.]", "", name.lower())).strip("-")


def holds(data: Any, key: str, value: Any) -> bool:
    """Say whether `key: value` stands somewhere in the data; `…` stands for anything inside."""
    if isinstance(data, list):
        return any(holds(each, key, value) for each in data)
    if not isinstance(data, Mapping):
        return False
    if key in data and (data[key] == value or (value in (["…"], {"…": None}) and data[key])):
        return True
    return any(holds(each, key, value) for each in data.values())


def test_the_cards_say_what_the_page_explains(facts: Mapping[str, Data]) -> None:
    documented = [(kind, word) for kind, word, _, _ in ROWS]
    assert len(documented) == len(set(documented))
    used = set().union(*map(said, facts.values()))
    assert used - set(documented) == set()
    assert set(documented) - used == set()


@pytest.mark.parametrize("row", ROWS, ids=[f"{kind}: {word}" for kind, word, _, _ in ROWS])
def test_the_example_stands_in_the_card(row: Row, facts: Mapping[str, Data]) -> None:
    kind, word, example, card = row
    (found,) = [each for name, each in facts.items() if stem(name) == card]
    document = yamlfile.read(example.encode())
    assert document.faults == []
    ((key, value),) = document.value.items()
    assert word in (key, value) or word in value
    assert (kind, word) in said(found)
    assert holds([face.get("abilities", []) for face in found["faces"]], key, value)


def test_every_word_of_the_engine_is_explained() -> None:
    documented = {(kind, word) for kind, word, _, _ in ROWS}
    assert {word for kind, word in documented if kind == "Abilities"} >= WORDS
    instructions = {name[3:].replace("_", " ") for name in dir(Game) if name.startswith("do_")}
    assert {word for kind, word in documented if kind == "Instructions"} == instructions - {"ward"}


def test_every_card_loads(facts: Mapping[str, Data]) -> None:
    for name, card in facts.items():
        assert card_from(card).name == name


GIVEN: Data = {
    "designation": "day",
    "alice": {
        "battlefield": [
            {"id": "bears", "card": "Grizzly Bears", "tapped": True},
            {"id": "thopter", "card": "Ornithopter"},
            {"id": "plains", "card": "Plains"},
        ]
    },
}


@pytest.fixture
def game(facts: Mapping[str, Data]) -> Game:
    made = Game.from_given(explicit(GIVEN), facts)
    made.attack({"thopter": "bob"})
    return made


@pytest.mark.parametrize(
    ("description", "fitting"),
    [
        ({"attacking": True}, ["thopter"]),
        ({"attacking": False}, ["bears", "plains"]),
        ({"colors": ["green", "red"]}, ["bears"]),
        ({"keyword": "flying"}, ["thopter"]),
        ({"name": "Plains"}, ["plains"]),
        ({"tapped": True, "types": ["creature"]}, ["bears", "thopter"]),
        ({"tapped": False}, ["plains"]),
        ("permanent", ["bears", "thopter", "plains"]),
        ("land", ["plains"]),
    ],
)
def test_descriptions(game: Game, description: Any, fitting: list[str]) -> None:
    found = game.matching(description, game.player("alice"), None)
    assert [thing.piece.id for thing in found] == fitting


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("day", True),
        ({"day": True}, True),
        ({"not": "day"}, False),
        ({"your turn": True}, True),
        ({"your turn": False}, False),
        ({"controls": {"what": "land", "at least": 2}}, False),
        (["day", {"controls": {"what": "land"}}], True),
    ],
)
def test_conditions(game: Game, condition: Any, holds: bool) -> None:
    assert game.holds(condition, game.player("alice"), None) is holds


def test_unknown_words_are_not_passed_over(game: Game) -> None:
    alice = game.player("alice")
    with pytest.raises(ValueError, match="shape"):
        game.matching({"shape": "round"}, alice, None)
    with pytest.raises(ValueError, match="full moon"):
        game.holds("full moon", alice, None)
    with pytest.raises(ValueError, match="howl"):
        game.verb({"howl": 1})
    with pytest.raises(ValueError, match="howls"):
        card_from(
            {"layout": "normal", "faces": [{"name": "A", "types": [], "abilities": [{"howls": 1}]}]}
        )
