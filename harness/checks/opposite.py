"""What would have to be seen for an expectation not to hold.

An expectation is worth having only if something could be seen that it does not allow. Here that
something is made: an observation in which whatever the expectation speaks of is otherwise.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from harness.checks.shape import schema
from harness.judge import Leaf, leaves
from harness.protocol.words import event_word
from harness.scenario import look

OTHERWISE = "something else"
MOST = 256
"""How many observations are tried; an expectation that allows more outcomes is taken as sound."""

Slot = tuple[str, ...]


def always_true(expect: Mapping[str, Any]) -> list[Leaf]:
    """Give the parts of an expectation that hold whatever is seen."""
    held: dict[str, Leaf] | None = None
    for observation in opposites(expect):
        now = {leaf.path: leaf for leaf in leaves(expect, observation) if leaf.holds}
        held = now if held is None else {path: held[path] for path in held if path in now}
        if not held:
            return []
    return list((held or {}).values())


def opposites(expect: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Give observations that differ from all that the expectation names.

    Where every value that there can be is named (day, night and neither; true and false), each
    is tried with each of the others.
    """
    asked = look(expect)
    said: dict[Slot, list[Any]] = {}
    for one in _branches(expect):
        for slot, value in _said(one):
            said.setdefault(slot, []).append(value)
    slots = list(said)
    choices = [_otherwise(slot, said[slot]) for slot in slots]
    for values in itertools.islice(itertools.product(*choices), MOST):
        yield _observation(asked, dict(zip(slots, values, strict=True)), expect)


def _branches(expect: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield expect
    for branch in expect.get("any of", ()):
        yield from _branches(branch)


def _said(expect: Mapping[str, Any]) -> Iterator[tuple[Slot, Any]]:
    if "designation" in expect:
        yield ("designation",), expect["designation"]
    for word, value in expect.get("turn", {}).items():
        yield ("turn", word), value
    for group in ("objects", "players"):
        for name, attributes in expect.get(group, {}).items():
            for word, value in attributes.items():
                yield (group, name, word), value


def _otherwise(slot: Slot, said: list[Any]) -> list[Any]:
    """Give a value that is none of those said, or all there are when all are said."""
    if slot[-1] in ("has", "lacks"):
        return [None]
    domain = _domain(slot)
    if domain is None:
        numbers = [value for value in said if isinstance(value, int)]
        if len(numbers) == len(said):
            return [max(numbers) + 1]
        return [[OTHERWISE] if any(isinstance(value, list) for value in said) else OTHERWISE]
    return [value for value in domain if value not in said][:1] or list(domain)


def _domain(slot: Slot) -> list[Any] | None:
    """Give all values that there can be, where they are few; a player may always be another."""
    definitions = schema("ruling")["$defs"]
    if slot == ("designation",):
        return list(definitions["designation"]["enum"])
    kind = {"objects": "attributes", "players": "standing"}.get(slot[0])
    if kind is None:
        return None
    says = definitions[kind]["properties"][slot[-1]]
    if says.get("type") == "boolean":
        return [True, False]
    if says.get("$ref") == "#/$defs/face":
        return ["front", "back"]
    values = says.get("enum")
    return list(values) if isinstance(values, list) else None


def _observation(
    asked: Mapping[str, Any], values: Mapping[Slot, Any], expect: Mapping[str, Any]
) -> dict[str, Any]:
    seen: dict[str, Any] = {}
    if "designation" in asked:
        seen["designation"] = values.get(("designation",), OTHERWISE)
    if "turn" in asked:
        seen["turn"] = {word: values.get(("turn", word), OTHERWISE) for word in asked["turn"]}
    for group in ("objects", "players"):
        if group in asked:
            seen[group] = {
                name: {
                    word: _keywords(expect, name)
                    if word == "keywords"
                    else values.get((group, name, word), OTHERWISE)
                    for word in words
                }
                for name, words in asked[group].items()
            }
    if "stack" in asked:
        seen["stack"] = [dict.fromkeys(asked["stack"], OTHERWISE)] * (1 + _longest(expect))
    if "events" in asked:
        # Exactly what must not have happened has, and nothing of what must.
        seen["events"] = [
            dict(item) for one in _branches(expect) for item in one.get("no events", ())
        ]
        if not seen["events"]:
            seen["events"] = _too_often(expect)
    return seen


def _keywords(expect: Mapping[str, Any], name: str) -> list[str]:
    """All keywords that the object must lack, and none that it must have."""
    said = [one.get("objects", {}).get(name, {}) for one in _branches(expect)]
    must = {word for attributes in said for word in attributes.get("has", ())}
    return [word for attributes in said for word in attributes.get("lacks", ()) if word not in must]


def _longest(expect: Mapping[str, Any]) -> int:
    return max(len(one.get("stack", ())) for one in _branches(expect))


def _too_often(expect: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Give more events than any of the expectations allows, all of them watched."""
    said = [one["events"] for one in _branches(expect) if "events" in one]
    most: list[Mapping[str, Any]] = max(said, key=len, default=[])
    return [dict(item) for item in (*most, *most) if event_word(item)]
