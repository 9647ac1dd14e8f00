"""The protocol's page and its schemas say the same as the code and as each other."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from harness.corpus import Corpus, load_corpus
from harness.messages import SCHEMAS, fits, problems
from harness.protocol.words import EVENTS, SETS, SORTED, event_word
from harness.scenario import CAPABILITIES

HERE = Path(__file__).parents[2] / "harness" / "protocol"
PAGE = (HERE / "README.md").read_text(encoding="utf-8")
MESSAGES = re.findall(r"^```json (request|reply)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load_corpus()


def schema(direction: str) -> Any:
    return json.loads((SCHEMAS / f"{direction}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("direction", ["request", "reply"])
def test_the_schemas_are_schemas_and_refer_to_what_is_there(direction: str) -> None:
    one = schema(direction)
    Draft202012Validator.check_schema(one)
    named = set(re.findall(r'"\$ref": "#/\$defs/([^"]+)"', json.dumps(one)))
    assert named <= set(one["$defs"])


@pytest.mark.parametrize("direction", ["request", "reply"])
def test_every_property_has_a_title_and_a_description(direction: str) -> None:
    def walk(node: Any, where: str) -> None:
        if isinstance(node, dict):
            for name, item in node.get("properties", {}).items():
                bare = set(item) <= {"const", "enum", "$ref", "type"}
                if where.endswith(("if", "allOf", "oneOf")) or (bare and "title" not in item):
                    continue
                assert {"title", "description"} <= set(item), f"{where}.{name}"
            for key, item in node.items():
                walk(item, f"{where}.{key}")
        elif isinstance(node, list):
            for item in node:
                walk(item, where)

    walk(schema(direction)["$defs"], "")


@pytest.mark.parametrize(("direction", "text"), MESSAGES)
def test_every_message_on_the_page_is_valid(direction: str, text: str) -> None:
    message = json.loads(text)
    assert problems(direction, message) == []
    assert fits(direction, message)
    whole = Draft202012Validator(schema(direction))
    assert whole.is_valid(message)


def test_the_page_has_every_message() -> None:
    shown = {(direction, json.loads(text)["type"]) for direction, text in MESSAGES}
    assert shown == {
        (direction, kind)
        for direction in ("request", "reply")
        for kind in schema(direction)["$defs"]["types"]["enum"]
    }


def test_the_page_lists_every_capability() -> None:
    listed = dict(re.findall(r"^\| `([a-z -]+)` \| ([a-z].*?) \|$", PAGE, re.MULTILINE))
    assert {name: listed.get(name) for name in CAPABILITIES} == CAPABILITIES


def test_the_page_names_every_word() -> None:
    request, reply = schema("request")["$defs"], schema("reply")["$defs"]
    look = request["look"]["properties"]
    words = {
        *request["step"]["properties"]["do"]["enum"],
        *look["objects"]["additionalProperties"]["items"]["enum"],
        *look["players"]["additionalProperties"]["items"]["enum"],
        *look["stack"]["items"]["enum"],
        *look["events"]["items"]["enum"],
        *reply["unsupported"]["properties"]["what"]["enum"],
        *request["anyStep"]["enum"],
    }
    assert [word for word in sorted(words) if f"`{word}`" not in PAGE and word != "look"] == []


def test_what_a_look_asks_for_is_what_an_observation_has() -> None:
    request, reply = schema("request")["$defs"], schema("reply")["$defs"]
    look, seen = request["look"]["properties"], reply["observation"]["properties"]
    for group in ("objects", "players"):
        asked = look[group]["additionalProperties"]["items"]["enum"]
        assert set(asked) == set(seen[group]["additionalProperties"]["properties"])
    assert set(look["stack"]["items"]["enum"]) == set(seen["stack"]["items"]["properties"])
    assert set(look["events"]["items"]["enum"]) == EVENTS
    assert set(look["objects"]["additionalProperties"]["items"]["enum"]) > SETS
    assert set(look["players"]["additionalProperties"]["items"]["enum"]) > SORTED


def test_the_ruling_schema_has_the_same_words(corpus: Corpus) -> None:
    ruling = json.loads((corpus.root / "schema" / "ruling.json").read_text(encoding="utf-8"))
    definitions, request = ruling["$defs"], schema("request")["$defs"]
    words = set(definitions["step"]["properties"]) - {"expect", "choices", "refused"}
    assert words | {"look"} == set(request["step"]["properties"]["do"]["enum"])
    attributes = set(definitions["attributes"]["properties"]) - {"has", "lacks"}
    look = request["look"]["properties"]
    assert attributes | {"keywords"} == set(
        look["objects"]["additionalProperties"]["items"]["enum"]
    )
    standing = set(definitions["standing"]["properties"])
    assert standing == set(look["players"]["additionalProperties"]["items"]["enum"])
    assert {branch["required"][0] for branch in definitions["event"]["oneOf"]} == EVENTS


def test_every_request_of_the_corpus_is_valid(corpus: Corpus) -> None:
    for number, scenario in enumerate(corpus.scenarios, 1):
        request = json.loads(json.dumps(scenario.request(number)))
        assert fits("request", request), (scenario.id, problems("request", request))


def test_no_request_of_the_corpus_tells_what_is_expected(corpus: Corpus) -> None:
    for scenario in corpus.scenarios:
        request = scenario.request(1)
        assert set(request) == {"type", "id", "given", "steps", "cards"}
        for step in request["steps"]:
            assert "expect" not in step and "refused" not in step
            if step["do"] == "look":
                assert step.get("designation", True) is True
                for attributes in (
                    *step.get("objects", {}).values(),
                    *step.get("players", {}).values(),
                ):
                    assert all(isinstance(attribute, str) for attribute in attributes)


@pytest.mark.parametrize(
    ("event", "word"),
    [
        ({"became": "night"}, "became"),
        ({"entered": "wolf", "tapped": True}, "entered"),
        ({"tapped": "wolf"}, "tapped"),
        ({"died": "wolf", "left": "wolf"}, None),
        ({"face": "back"}, None),
        ("died", None),
    ],
)
def test_an_event_has_one_event_word(event: Any, word: str | None) -> None:
    assert event_word(event) == word


@pytest.mark.parametrize(
    ("direction", "message", "where"),
    [
        ("request", {"type": "hello", "protocol": []}, "protocol: "),
        ("request", {"type": "dance"}, "type: "),
        ("request", {"type": "run", "id": 1, "given": {}, "steps": [], "cards": {}}, "given: "),
        ("reply", {"type": "hello", "protocol": 1, "engine": {}, "capabilities": []}, "engine: "),
        ("reply", {"type": "observations", "id": 1}, "$: "),
        (
            "reply",
            {
                "type": "observations",
                "id": 1,
                "observations": [{"objects": {"wolf": {"power": "6"}}}],
            },
            "observations[0].objects.wolf.power: ",
        ),
        (
            "reply",
            {"type": "observations", "id": 1, "observations": [{"events": [{"x": 1}]}]},
            "observations[0].events[0]: ",
        ),
        ("reply", {"type": "refused", "id": 1, "step": 0, "observations": []}, "step: "),
        ("reply", {"type": "unsupported", "id": 1, "what": "mood", "name": "x"}, "what: "),
        ("reply", {"type": "error", "id": "x", "reason": ""}, "id: "),
    ],
)
def test_what_is_invalid_is_told_by_its_place(
    direction: str, message: dict[str, Any], where: str
) -> None:
    assert not fits(direction, message)
    assert problems(direction, message)[0].startswith(where)


def test_links_of_the_page_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", PAGE):
        assert (HERE / target).resolve().exists(), target


def test_the_example_in_python_is_python() -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    compile(code, str(Path("README.md")), "exec")
