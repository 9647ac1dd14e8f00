"""The quick test of a schema says what jsonschema says."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

import pytest

from harness import sources, yamlfile
from harness.checks.shape import FORMS, KINDS, fits, schema, validator
from harness.fits import compiled

ODD: list[Any] = [
    None, True, False, 0, 1, -1, 7, "", " ", "x", "Bad Id", "728", "2021-02-30", "2021-09-24",
    [], ["x"], ["x", "x"], [1, 1], {}, {"x": 1}, {"id": "x"}, {"alice": {}},
]  # fmt: skip


def sample(kind: str) -> list[Any]:
    """Give values of a kind that fit."""
    root = sources.root()
    if kind in ("catalog", "editions"):
        value = yamlfile.read((root / f"{kind}.yaml").read_bytes()).value
        return [{**value, key: value[key][:3]} for key in ("rulings", "rules") if key in value]
    folder = "cards" if kind == "card" else "2021-09-24"
    values = [yamlfile.read(path.read_bytes()).value for path in sources.files(root / folder)]
    if kind == "card":
        return values[:10]
    return [{**value, "scenarios": value["scenarios"][:1]} for value in values[:6]]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Give every container in a value with each of its keys."""
    for key, item in (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    ):
        yield value, key
        yield from places(item)


@pytest.mark.parametrize("kind", KINDS)
def test_it_agrees_with_jsonschema(kind: str) -> None:
    dice = random.Random(kind)
    good = sample(kind)
    assert good
    said = {True: 0, False: 0}
    for _ in range(50):
        value = copy.deepcopy(dice.choice(good))
        for _ in range(dice.choice([0, 1, 1, 2])):
            found = list(places(value))
            if not found:
                break
            container, key = dice.choice(found)
            deed = dice.randrange(3)
            if deed == 0:
                container[key] = copy.deepcopy(dice.choice(ODD))
            elif deed == 1:
                del container[key]
            elif isinstance(container, dict):
                word = dice.choice([*container, "tapped", "refused", "count", "date", "cast", "x"])
                container[word] = copy.deepcopy(dice.choice(ODD))
            else:
                container.append(copy.deepcopy(container[key]))
        expected = validator(kind).is_valid(value)
        assert fits(kind, value) is expected, value
        said[expected] += 1
    assert min(said.values()) > 5


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "integer"}, [1, 0], [True, "1", None]),
        ({"type": ["boolean", "integer"]}, [True, 1], ["x"]),
        ({"const": True}, [True], [1, "true"]),
        ({"enum": ["day"]}, ["day"], ["night", ["day"], None]),
        ({"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, [{"a": 1}], [{}, {"a": 1, "b": 1}]),
        ({"oneOf": [{"type": "string"}, {"minItems": 1}]}, [[1]], ["x", []]),
        ({"not": {"type": "null"}}, [0], [None]),
        ({"if": {"type": "string"}, "then": {"pattern": "^a"}}, ["a", 1], ["b"]),
        ({"if": {"type": "string"}, "else": {"minimum": 3}}, ["a", 3], [2]),
        ({"uniqueItems": True}, [[1, 2], [{}, []]], [[{}, {}], ["a", "a"]]),
        ({"propertyNames": {"pattern": "^a"}}, [{"a": 1}], [{"b": 1}]),
        ({"additionalProperties": {"type": "null"}}, [{"a": None}], [{"a": 1}]),
        ({"dependentSchemas": {"a": {"required": ["b"]}}}, [{}, {"a": 1, "b": 1}], [{"a": 1}]),
        ({"maxProperties": 1, "minProperties": 1}, [{"a": 1}], [{}, {"a": 1, "b": 1}]),
        ({"maxItems": 1, "maximum": 3}, [[1], 3], [[1, 2], 4]),
        ({"format": "date"}, ["2024-02-29", 1], ["2023-02-29", "20240229", "2024-W01-1"]),
        ({"$defs": {"x": {"items": {"$ref": "#/$defs/x"}, "maxItems": 1}}, "$ref": "#/$defs/x"},
         [[], [[]], [[[]]]], [[[1, 2]]]),
    ],
)  # fmt: skip
def test_each_keyword(schema: dict[str, Any], good: list[Any], bad: list[Any]) -> None:
    test = compiled(schema)
    assert [test(value) for value in good] == [True] * len(good)
    assert [test(value) for value in bad] == [False] * len(bad)


@pytest.mark.parametrize("unknown", [{"contains": {}}, {"format": "email"}, {"prefixItems": []}])
def test_it_compiles_no_keyword_that_it_does_not_know(unknown: dict[str, Any]) -> None:
    with pytest.raises(NotImplementedError):
        compiled({"items": unknown})


@pytest.mark.parametrize("kind", KINDS)
def test_the_schemas_explain_themselves(kind: str) -> None:
    validator(kind).check_schema(schema(kind))
    patterns = set()
    whole = schema(kind)
    beside = ("dependentSchemas", "if", "then", "else", "oneOf")

    def walk(value: Any, path: str) -> None:
        if not isinstance(value, dict):
            return
        if isinstance(value.get("pattern"), str):
            patterns.add(value["pattern"])
        for word, item in value.get("properties", {}).items():
            target = whole["$defs"][item["$ref"].rpartition("/")[2]] if "$ref" in item else {}
            says = {**target, **item}
            assert says.get("title"), f"{path}.{word} has no title"
            assert says.get("description", "").endswith((".", ")", "…")), f"{path}.{word}"
        for word, item in value.items():
            if word not in beside:
                walk(item, f"{path}.{word}")

    walk(whole, kind)
    assert patterns
    assert patterns <= FORMS.keys()
