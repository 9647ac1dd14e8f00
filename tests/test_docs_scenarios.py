"""The page on the scenario language is complete, and its examples are played."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness import yamlfile
from harness.checks import check_paths
from harness.checks.shape import schema
from harness.corpus import load_corpus
from harness.judge import judge
from harness.model import Verdict
from harness.protocol import answer
from harness.scenario import CAPABILITIES, COMPUTED
from reference_engine.adapter import engine

PAGE = Path(__file__).parent.parent / "docs" / "scenarios.md"
TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```yaml (file|scenario)\n(.*?)```", TEXT, re.DOTALL)
HEAD = """\
ruling: {key: example, source: regression}
rules: ["103"]
scenarios:
  - name: example
    why: The page says so.
"""


def whole(kind: str, text: str) -> str:
    """Give an example as the file that it is an example of."""
    if kind == "file":
        return text
    return HEAD + "".join(f"    {line}\n" for line in text.splitlines())


def first_word(example: tuple[str, str]) -> str:
    """Give the line of the page that an example begins on, to be found by."""
    return f"line {TEXT[: TEXT.index(example[1])].count(chr(10)) + 1}"


@pytest.mark.parametrize("example", EXAMPLES, ids=first_word)
def test_an_example_is_right_and_passes(example: tuple[str, str], tmp_path: Path) -> None:
    file = tmp_path / "example.yaml"
    file.write_text(whole(*example))
    assert list(map(str, check_paths([file]))) == []
    (scenario,) = load_corpus(tmp_path).scenarios
    assert judge(scenario, answer(engine(), scenario.request(1))) == (Verdict.PASS, None)


def words_of(name: str) -> list[str]:
    """Give the words that a part of the schema has."""
    return list(schema("ruling")["$defs"][name]["properties"])


def used() -> set[tuple[str, str]]:
    """Give the words that the examples use, each with the part of the language it is of."""
    found: set[tuple[str, str]] = set()

    def of(part: str, value: dict[str, Any]) -> None:
        found.update((part, word) for word in value)

    def expect(value: dict[str, Any]) -> None:
        of("expect", value)
        of("turn seen", value.get("turn", {}))
        for attributes in value.get("objects", {}).values():
            of("attributes", attributes)
        for standing in value.get("players", {}).values():
            of("standing", standing)
        for item in value.get("stack", ()):
            of("stack", item)
        for item in (*value.get("events", ()), *value.get("no events", ())):
            of("event", item)
        for branch in value.get("any of", ()):
            expect(branch)

    for kind, text in EXAMPLES:
        for scenario in yamlfile.read(whole(kind, text).encode()).value["scenarios"]:
            given = scenario.get("given", {})
            of("given", given)
            of("turn", given.get("turn", {}))
            for player in ("alice", "bob", "carol", "dave"):
                of("holdings", given.get(player, {}))
                for zone, items in given.get(player, {}).items():
                    if isinstance(items, list):
                        for item in items:
                            of("permanent" if zone == "battlefield" else "card", item)
            for step in scenario["steps"]:
                of("step", step)
                for choice in step.get("choices", ()):
                    of("choice", choice)
                for word, value in step.items():
                    if word == "expect":
                        expect(value)
                    elif word == "directive":
                        of("directive", value)
                        of("put", value.get("put", {}))
                    elif isinstance(value, dict):
                        of(word, value)
    return found


def language() -> Iterator[tuple[str, str]]:
    """Give every word of the language, with the part of it that it is of."""
    definitions = schema("ruling")["$defs"]
    for name in ("given", "holdings", "step", "expect", "attributes", "standing", "event"):
        yield from ((name, word) for word in words_of(name))
    yield from (("permanent", word) for word in words_of("permanent") if word != "count")
    yield from (("card", word) for word in definitions["cards"]["items"]["properties"])
    yield from (("turn", word) for word in definitions["given"]["properties"]["turn"]["properties"])
    looks = definitions["expect"]["properties"]
    yield from (("turn seen", word) for word in looks["turn"]["properties"])
    yield from (("stack", word) for word in looks["stack"]["items"]["properties"])
    for word, says in definitions["step"]["properties"].items():
        if word == "choices":
            yield from (("choice", each) for each in says["items"]["properties"])
        elif word not in ("expect",):
            yield from ((word, each) for each in says.get("properties", ()))
    put = definitions["step"]["properties"]["directive"]["properties"]["put"]["properties"]
    yield from (("put", word) for word in put)


NOT_PLAYED = {
    ("cast", "x"),
    ("cast", "face"),
    ("cast", "pay with"),
    ("activate", "modes"),
}
"""Words that no example uses, for want of cards; the page explains them all the same."""


def test_every_word_is_in_an_example() -> None:
    missing = set(language()) - used()
    assert missing == NOT_PLAYED


def test_every_word_is_explained() -> None:
    explained = set(re.findall(r"`([^`\n]+)`", TEXT))
    explained |= {word for term in explained for word in re.split(r"[.:{}, ]+", term)}
    assert {word for _, word in language()} - explained == set()
    assert set(words_of("scenario")) - explained == set()


def test_every_capability_is_explained_with_where_it_is_seen_from() -> None:
    table = TEXT.partition("## Capabilities")[2].partition("## How")[0]
    rows = re.findall(r"^\| (`.*?) \| (.*) \|$", table, re.MULTILINE)
    named = {name: says for names, says in rows for name in re.findall(r"`([^`]+)`", names)}
    assert named.keys() == CAPABILITIES.keys()
    for name, says in named.items():
        assert says.startswith("named:") == (name not in COMPUTED)
