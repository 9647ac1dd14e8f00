"""Expected and observed make a verdict. Nothing an engine says is trusted to have any shape."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.model import Verdict
from harness.protocol.words import SETS, SORTED, event_word

if TYPE_CHECKING:
    from harness.scenario import Scenario

Detail = dict[str, Any]

LONGEST_TEXT = 2000
LONGEST_LIST = 100
DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Leaf:
    """One thing that an expectation says, what was observed there, and whether it holds."""

    path: str
    expected: Any
    got: Any
    holds: bool

    @property
    def seen(self) -> Any:
        """What was observed in a form that is equal where the scenario language says equal."""
        return _canonical(self.got, self.path.rpartition(".")[2])


class BadReplyError(Exception):
    """A reply that does not have the shape the protocol gives it."""


def judge(scenario: Scenario, reply: Any) -> tuple[Verdict, Detail | None]:
    """Judge one reply to `run`; the detail is None for a pass, and otherwise has a shape of
    `harness/reports/schema/report.json`.

    A reply of the wrong shape is an error of the kind `protocol`, never an exception.
    """
    try:
        kind = _get(reply, "type", str, "the reply")
        if kind == "observations":
            return _judge_observations(scenario, reply)
        if kind == "refused":
            return _judge_refused(scenario, reply)
        if kind == "unsupported":
            return _judge_unsupported(reply)
        if kind == "error":
            return Verdict.ERROR, error("engine", _text(reply, "reason"))
        raise BadReplyError(f"the reply has the type {_quote(kind)}, which answers no run")
    except BadReplyError as problem:
        return Verdict.ERROR, error("protocol", str(problem))


def leaves(expect: Mapping[str, Any], observation: Any, path: str = "") -> list[Leaf]:
    """List every single thing that `expect` says of one look, in its order.

    Raises `BadReplyError` if the observation lacks a key that was asked for.
    """
    return list(_leaves(expect, observation, path))


def looks(scenario: Scenario) -> list[tuple[int, Mapping[str, Any]]]:
    """Give the place (1-based) and the expectation of every look, in order."""
    return [
        (place, step.expect)
        for place, step in enumerate(scenario.steps, 1)
        if step.word == "expect" and step.expect is not None
    ]


def all_leaves(scenario: Scenario, reply: Any) -> list[tuple[int, Leaf]]:
    """List the leaves of all looks that the reply answers, each with its place.

    Raises `BadReplyError` for a reply of the wrong shape.
    """
    observed = _get(reply, "observations", list, "the reply")
    return [
        (place, leaf)
        for (place, expect), observation in zip(looks(scenario), observed, strict=False)
        for leaf in leaves(expect, observation)
    ]


def error(kind: str, reason: str, log: str = "") -> Detail:
    """Make the detail of an error."""
    return {"kind": kind, "reason": clip(reason), "log": log}


def unsupported(kind: str, name: str, reason: str) -> Detail:
    """Make the detail of something that the engine does not have."""
    return {"kind": kind, "name": clip(name), "reason": clip(reason)}


def fail(
    kind: str,
    scenario: Scenario,
    step: int | None,
    path: str | None = None,
    expected: Any = None,
    got: Any = None,
    reason: str | None = None,
    mismatches: Sequence[Leaf] = (),
) -> Detail:
    """Make the detail of a fail; the rule is the first that the scenario cites."""
    return {
        "kind": kind,
        "step": step,
        "path": path,
        "expected": clip(expected),
        "got": clip(got),
        "rule": scenario.rules[0] if scenario.rules else None,
        "reason": None if reason is None else clip(reason),
        "mismatches": [
            {"path": leaf.path, "expected": clip(leaf.expected), "got": clip(leaf.got)}
            for leaf in mismatches[:LONGEST_LIST]
        ],
    }


def same(expected: Any, got: Any, attribute: str = "") -> bool:
    """Compare as the scenario language does: sets as sets, numbers as numbers, nothing ≡ null.

    >>> same("nothing", None), same(6, 6.0), same(1, True), same("6", 6)
    (True, True, False, False)
    >>> same(["red", "green"], ["green", "red"], "colors"), same({}, None, "counters")
    (True, True)
    """
    if type(expected) is type(got) and expected == got and isinstance(got, (str, int)):
        return True
    return bool(_canonical(expected, attribute) == _canonical(got, attribute))


def clip(value: Any, depth: int = DEEPEST) -> Any:
    """Cut what an engine said to a size that a report can hold."""
    if isinstance(value, str):
        if len(value) <= LONGEST_TEXT:
            return value
        return f"{value[:LONGEST_TEXT]}… ({len(value)} characters)"
    if isinstance(value, (Mapping, list, tuple)) and depth == 0:
        return "…"
    if isinstance(value, Mapping):
        items = list(value.items())
        kept = {clip(str(key)): clip(item, depth - 1) for key, item in items[:LONGEST_LIST]}
        if len(items) > LONGEST_LIST:
            kept["…"] = f"{len(items)} keys"
        return kept
    if isinstance(value, (list, tuple)):
        some = [clip(item, depth - 1) for item in value[:LONGEST_LIST]]
        return some if len(value) <= LONGEST_LIST else [*some, f"… ({len(value)} items)"]
    return value


def _judge_observations(scenario: Scenario, reply: Any) -> tuple[Verdict, Detail | None]:
    expected = looks(scenario)
    observed = _get(reply, "observations", list, "the reply")
    if len(observed) != len(expected):
        raise BadReplyError(
            f"the scenario looks {_times(len(expected))}, the reply has "
            f"{_count(len(observed), 'observation')}"
        )
    mismatch = _mismatch(scenario, expected, observed)
    if mismatch is not None:
        return Verdict.FAIL, mismatch
    for place, step in enumerate(scenario.steps, 1):
        if step.refused:
            return Verdict.FAIL, fail("allowed", scenario, place, None, "refused", "allowed")
    return Verdict.PASS, None


def _judge_refused(scenario: Scenario, reply: Any) -> tuple[Verdict, Detail | None]:
    place = _get(reply, "step", int, "the reply")
    reason = _text(reply, "reason")
    if isinstance(place, bool) or not 1 <= place <= len(scenario.steps):
        raise BadReplyError(
            f"refused step {place!r} of a scenario with {_count(len(scenario.steps), 'step')}"
        )
    step = scenario.steps[place - 1]
    if step.word == "expect":
        raise BadReplyError(f"refused step {place}, which is a look: a look cannot be refused")
    before = [look for look in looks(scenario) if look[0] < place]
    observed = _get(reply, "observations", list, "the reply")
    if len(observed) != len(before):
        raise BadReplyError(
            f"before step {place} the scenario looks {_times(len(before))}, the reply has "
            f"{_count(len(observed), 'observation')}"
        )
    mismatch = _mismatch(scenario, before, observed)
    if mismatch is not None:
        return Verdict.FAIL, mismatch
    if step.refused:
        return Verdict.PASS, None
    return Verdict.FAIL, fail("refused", scenario, place, None, "allowed", "refused", reason)


def _judge_unsupported(reply: Any) -> tuple[Verdict, Detail]:
    what = _get(reply, "what", str, "the reply")
    if what not in ("card", "capability", "step", "look", "given"):
        raise BadReplyError(
            f"unsupported names {_quote(what)}, not a card, capability, step, look or given"
        )
    name = _get(reply, "name", str, "the reply")
    return Verdict.UNSUPPORTED, unsupported(what, name, _text(reply, "reason"))


def _mismatch(
    scenario: Scenario, expected: Sequence[tuple[int, Mapping[str, Any]]], observed: Sequence[Any]
) -> Detail | None:
    """Find the first look that does not hold; what later ones say follows from it.

    All observations are read first, so that a misshapen one is never hidden by a mismatch.
    """
    found = None
    for number, ((place, expect), observation) in enumerate(
        zip(expected, observed, strict=True), 1
    ):
        try:
            wrong = [leaf for leaf in _leaves(expect, observation, "") if not leaf.holds]
        except BadReplyError as problem:
            raise BadReplyError(f"observation {number} (step {place}): {problem}") from None
        if wrong and found is None:
            first = wrong[0]
            found = fail(
                "mismatch", scenario, place, first.path, first.expected, first.got, None, wrong
            )
    return found


def _leaves(expect: Mapping[str, Any], observation: Any, path: str) -> Iterator[Leaf]:
    for word, wanted in expect.items():
        if word == "designation":
            yield _leaf("designation", wanted, _key(observation, word, ""))
        elif word == "turn":
            yield from _attributes(wanted, _key(observation, word, ""), "turn")
        elif word in ("objects", "players"):
            group = _key(observation, word, "")
            for name, attributes in wanted.items():
                yield from _attributes(attributes, _key(group, name, word), f"{word}.{name}")
        elif word == "stack":
            yield from _stack(wanted, _key(observation, word, ""))
        elif word == "events":
            yield _events(expect, _key(observation, "events", ""))
        elif word == "no events":
            yield from _no_events(wanted, _key(observation, "events", ""))
        elif word == "any of":
            yield _any_of(wanted, observation)
        else:
            raise ValueError(f"no expectation has the word {word!r}")


def _attributes(wanted: Mapping[str, Any], got: Any, path: str) -> Iterator[Leaf]:
    for attribute, value in wanted.items():
        if attribute in ("has", "lacks"):
            keywords = _key(got, "keywords", path)
            for keyword in _list(value):
                there = any(same(keyword, each) for each in _list(keywords))
                yield Leaf(f"{path}.{attribute}", keyword, keywords, there == (attribute == "has"))
        else:
            seen = _key(got, attribute, path)
            yield Leaf(f"{path}.{attribute}", value, seen, same(value, seen, attribute))


def _stack(wanted: Sequence[Mapping[str, Any]], got: Any) -> Iterator[Leaf]:
    """Compare the whole stack, top first; places count from 1, the top."""
    if not isinstance(got, list):
        raise BadReplyError(f"stack is {_quote(got)}, not a list")
    if len(got) != len(wanted):
        yield Leaf("stack", list(wanted), got, False)
        return
    if not wanted:
        yield Leaf("stack", [], got, True)
    for place, (item, seen) in enumerate(zip(wanted, got, strict=True), 1):
        yield from _attributes(item, seen, f"stack.{place}")


def _events(expect: Mapping[str, Any], got: Any) -> Leaf:
    """Compare what happened, of the kinds that this look names, with what should have."""
    wanted = expect["events"]
    watched = {_subject(event) for event in (*wanted, *expect.get("no events", ()))}
    watched.discard(None)
    log = _log(got)
    kept = [event for event in log if _subject(event) in watched]
    if "no events" in expect:
        allowed = {_subject(event) for event in wanted}
        banned = expect["no events"]
        # One that only `no events` names, with attributes, and that has others, was never meant.
        kept = [
            event
            for event in kept
            if _subject(event) in allowed or any(_is_event(item, event) for item in banned)
        ]
    holds = len(kept) == len(wanted) and all(map(_is_event, wanted, kept))
    return Leaf("events", list(wanted), kept, holds)


def _no_events(wanted: Sequence[Mapping[str, Any]], got: Any) -> Iterator[Leaf]:
    log = _log(got)
    for item in wanted:
        found = [event for event in log if _is_event(item, event)]
        yield Leaf("no events", item, found, not found)


def _any_of(branches: Sequence[Mapping[str, Any]], observation: Any) -> Leaf:
    """Hold if every leaf of one branch holds; all are read, so that all are complete."""
    tried = [leaves(branch, observation) for branch in branches]
    got = {leaf.path: leaf.got for branch in tried for leaf in branch}
    holds = any(all(leaf.holds for leaf in branch) for branch in tried)
    return Leaf("any of", list(branches), got, holds)


def _leaf(path: str, expected: Any, got: Any) -> Leaf:
    return Leaf(path, expected, got, same(expected, got, path))


def _log(got: Any) -> list[Any]:
    if not isinstance(got, list):
        raise BadReplyError(f"events is {_quote(got)}, not a list")
    for place, event in enumerate(got, 1):
        if event_word(event) is None:
            raise BadReplyError(f"event {place} is {_quote(event)}, which has not one event word")
    return got


def _subject(event: Mapping[str, Any]) -> tuple[str, Any] | None:
    """What the event is about: its word and the word's value."""
    word = event_word(event)
    return None if word is None else (word, _canonical(event[word], ""))


def _is_event(wanted: Mapping[str, Any], event: Mapping[str, Any]) -> bool:
    return all(key in event and same(value, event[key], key) for key, value in wanted.items())


def _canonical(value: Any, attribute: str) -> Any:
    """Give a hashable form that is equal for what the scenario language calls equal."""
    if value is None or value == "nothing":
        if attribute == "counters":
            return ("mapping",)
        return ("set",) if attribute in SETS else None
    if isinstance(value, str):
        return ("set", value) if attribute in SETS else value
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, (int, float)):
        return ("set", ("number", value)) if attribute in SETS else ("number", value)
    if isinstance(value, Mapping):
        items = (
            (str(key), _canonical(item, str(key).rpartition(".")[2]))
            for key, item in value.items()
            if not (attribute == "counters" and same(0, item))
        )
        return ("mapping", *sorted(items, key=repr))
    if isinstance(value, (list, tuple)):
        each = [_canonical(item, "") for item in value]
        if attribute in SETS:
            return ("set", *sorted(set(each), key=repr))
        if attribute in SORTED:
            return ("sorted", *sorted(each, key=repr))
        return ("list", *each)
    return repr(value)


def _list(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _key(container: Any, key: str, path: str) -> Any:
    where = f"{path}.{key}" if path else key
    if not isinstance(container, Mapping):
        raise BadReplyError(f"{path or 'it'} is {_quote(container)}, not an object")
    if key not in container:
        raise BadReplyError(f"{where} was asked for and is missing")
    return container[key]


def _get(reply: Any, key: str, kind: type, what: str) -> Any:
    if not isinstance(reply, Mapping):
        raise BadReplyError(f"{what} is {_quote(reply)}, not an object")
    if key not in reply:
        raise BadReplyError(f"{what} has no {key}")
    if not isinstance(reply[key], kind):
        raise BadReplyError(f"{what} has the {key} {_quote(reply[key])}, not {_KINDS[kind]}")
    return reply[key]


def _text(reply: Mapping[str, Any], key: str) -> str:
    value = reply.get(key, "")
    return value if isinstance(value, str) else _quote(value)


_KINDS: dict[type, str] = {str: "a string", int: "a number", list: "a list"}


def _quote(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = repr(type(value))
    return text if len(text) <= 80 else text[:80] + "…"


def _times(number: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(number, f"{number} times")


def _count(number: int, thing: str) -> str:
    return f"{number or 'no'} {thing}{'' if number == 1 else 's'}"
