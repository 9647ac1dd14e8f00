"""A scenario: what a ruling file says, made explicit, and the message that puts it to an engine.

The functions here take values that the schema has let through.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from harness.protocol.words import event_word

ZONES = ("hand", "library", "graveyard", "exile", "battlefield")
"""The zones that a player has in `given`."""

LIBRARY = 10
"""How many Plains are in a library that `given` says nothing of."""

CAPABILITIES: dict[str, str] = {
    "events": "tells what happened since the last look, in order",
    "teams": "plays with shared team turns",
    "three players": "plays with more than two players",
    "phasing": "knows phased-out permanents",
    "face-down": "knows face-down permanents",
    "copies": "knows copies of permanents and spells",
    "tokens": "knows tokens",
    "extra turns": "takes extra turns and skips turns",
    "skipped steps": "skips steps of a turn",
    "planeswalkers": "knows planeswalkers",
    "costs": "counts mana",
    "leaving": "goes on when a player leaves the game",
    "choices": "asks players and takes the answers given",
    "flashback": "casts spells from the graveyard",
    "find": "finds objects made in play by their names",
    "restart": "restarts the game",
    "subgames": "plays subgames",
    "directive become": "makes it day or night by directive",
    "directive put": "moves an object by directive",
    "directive transform": "transforms a permanent by directive",
}
"""What an engine may be capable of beyond the plain game."""

COMPUTED = frozenset(CAPABILITIES) - {"extra turns", "skipped steps", "restart", "subgames"}
"""Capabilities whose need can be seen from a scenario's content, if it is there at all."""

HINTED = frozenset({"copies", "tokens", "phasing", "face-down", "planeswalkers"})
"""Capabilities that content may need without showing it: what cards do shows only in play."""

_PERMANENT: tuple[tuple[str, Any], ...] = (
    ("face", "front"),
    ("tapped", False),
    ("counters", {}),
    ("damage", 0),
    ("attached to", None),
    ("summoning sick", False),
    ("owner", None),
    ("phased out", False),
    ("face down", False),
    ("copy of", None),
    ("token", False),
)


@dataclass(frozen=True, slots=True)
class Step:
    """One step: the word, what stands beside it, and for a look what is expected."""

    word: str
    args: Mapping[str, Any]
    choices: tuple[Mapping[str, Any], ...] = ()
    refused: bool = False
    expect: Mapping[str, Any] | None = None
    line: int = 0

    def message(self) -> dict[str, Any]:
        """Give the step as it is sent; what is expected, refusal too, stays here."""
        if self.expect is not None:
            return {"do": "look", **look(self.expect)}
        return {"do": self.word, **self.args, "choices": [dict(choice) for choice in self.choices]}

    def content(self) -> list[Any]:
        """Give all that the step says, for the digest."""
        return [self.word, self.args, self.choices, self.refused, self.expect]


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario of the corpus; `given` is explicit, `needs` complete, `rules` deciding first.

    `file` names the file as a report shows it, `path` is where it is. `digest` is the SHA-256 of
    what is played and expected (see `digest_of`), so it outlives a rename.
    """

    id: str
    digest: str
    name: str
    why: str
    ruling: str
    source: str
    date: str | None
    rules: tuple[str, ...]
    level: str
    since: str | None
    until: str | None
    needs: tuple[str, ...]
    proves: tuple[str, ...]
    aliases: tuple[str, ...]
    catches_nothing: str | None
    file: str
    path: str
    line: int
    given: Mapping[str, Any]
    steps: tuple[Step, ...]
    cards: Mapping[str, Mapping[str, Any]]

    def request(self, number: int) -> dict[str, Any]:
        """Give the `run` message of the protocol. No expected value is in it."""
        return {
            "type": "run",
            "id": number,
            "given": self.given,
            "steps": [step.message() for step in self.steps],
            "cards": self.cards,
        }


def scenario_of(
    ruling_file: Mapping[str, Any],
    raw: Mapping[str, Any],
    *,
    id: str,  # noqa: A002 - the field's name
    file: str,
    path: str,
    line: int,
    lines: Sequence[int],
    cards: Mapping[str, Mapping[str, Any]],
) -> Scenario:
    """Make a scenario of what its file says; `lines` are those of its steps.

    Raises `KeyError` for a card that has no facts in `cards`.
    """
    ruling = ruling_file["ruling"]
    given = explicit(raw.get("given") or {})
    steps = tuple(map(step_of, raw["steps"], lines))
    facts = {name: cards[name] for name in cards_of(given)}
    level = raw.get("level", "must")
    since, until = raw.get("since"), raw.get("until")
    return Scenario(
        id=id,
        digest=digest_of(given, steps, level, since, until),
        name=raw["name"],
        why=raw["why"],
        ruling=ruling["key"],
        source=ruling["source"],
        date=ruling.get("date"),
        rules=tuple(dict.fromkeys((*raw.get("rules", ()), *ruling_file["rules"]))),
        level=level,
        since=since,
        until=until,
        needs=tuple(sorted({*raw.get("needs", ()), *needs_of(given, steps, facts.values())})),
        proves=tuple(raw.get("proves", ())),
        aliases=tuple(raw.get("aliases", ())),
        catches_nothing=raw.get("catches-nothing"),
        file=file,
        path=path,
        line=line,
        given=given,
        steps=steps,
        cards=facts,
    )


def explicit(given: Mapping[str, Any]) -> dict[str, Any]:
    """Give `given` with everything said that a file may leave out."""
    teams = given.get("teams")
    players: list[str] = list(
        given.get("players")
        or ([player for team in teams for player in team] if teams else ("alice", "bob"))
    )
    turn = given.get("turn") or {}
    full: dict[str, Any] = {
        "players": players,
        "teams": teams,
        "designation": given.get("designation", "neither"),
        "turn": {
            "active": turn.get("active", players[0]),
            "step": turn.get("step", "precombat main"),
            "number": turn.get("number", 1),
        },
    }
    for player in players:
        has = given.get(player) or {}
        full[player] = {
            "life": has.get("life", 30 if teams else 20),
            "mana": has.get("mana"),
            "hand": _cards(player, "hand", has.get("hand", ())),
            "library": _cards(player, "library", has["library"])
            if "library" in has
            else _plains(player),
            "graveyard": _cards(player, "graveyard", has.get("graveyard", ())),
            "exile": _cards(player, "exile", has.get("exile", ())),
            "battlefield": [
                {
                    **base,
                    **{key: item.get(key, default) for key, default in _PERMANENT},
                    "owner": item.get("owner", player),
                }
                for item, base in _objects(player, "battlefield", has.get("battlefield", ()))
            ],
        }
    return full


@cache
def _plains(player: str) -> list[dict[str, str]]:
    """Give the library of which `given` says nothing."""
    return _cards(player, "library", [{"card": "Plains", "count": LIBRARY}])


def _cards(player: str, zone: str, items: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    return [base for _, base in _objects(player, zone, items)]


def _objects(
    player: str, zone: str, items: Iterable[Mapping[str, Any]]
) -> Iterator[tuple[Mapping[str, Any], dict[str, str]]]:
    """Give each item as often as it counts, with the id that it has or is given."""
    number = 0
    for item in items:
        for _ in range(item.get("count", 1)):
            number += 1
            yield item, {"id": item.get("id", f"{player}-{zone}-{number}"), "card": item["card"]}


def step_of(raw: Mapping[str, Any], line: int = 0) -> Step:
    """Make a step of what the file says."""
    word = next(key for key in raw if key not in ("choices", "refused"))
    value = raw[word]
    if word == "expect":
        return Step(word, {}, expect=value, line=line)
    args: dict[str, Any]
    if word == "resolve":
        args = {"what": value}
    elif word == "block":
        blockers = {
            blocker: blocked if isinstance(blocked, list) else [blocked]
            for blocker, blocked in value["blockers"].items()
        }
        args = {"blockers": blockers}
    else:
        args = dict(value)
        if word in ("cast", "activate"):
            args.setdefault("targets", [])
        if word == "activate":
            args.setdefault("ability", 1)
    choices = tuple(
        {
            "player": choice["player"],
            "for": choice.get("for"),
            "choose": choice["choose"]
            if isinstance(choice["choose"], list)
            else [choice["choose"]],
        }
        for choice in raw.get("choices", ())
    )
    return Step(word, args, choices, bool(raw.get("refused")), None, line)


def look(expect: Mapping[str, Any]) -> dict[str, Any]:
    """Give what a look asks for: the names of all that is expected, and none of its values.

    The stack is asked for `object` and `ability of` in any case, so that a report can say what
    lay there.
    """
    asked: dict[str, Any] = {}
    if "designation" in expect:
        asked["designation"] = True
    if "turn" in expect:
        asked["turn"] = list(expect["turn"])
    for group in ("objects", "players"):
        if group in expect:
            asked[group] = {name: _asked(what) for name, what in expect[group].items()}
    if "stack" in expect:
        asked["stack"] = _united(["object", "ability of"], *map(list, expect["stack"]))
    if "events" in expect or "no events" in expect:
        items = (*expect.get("events", ()), *expect.get("no events", ()))
        asked["events"] = _united([word for word in map(event_word, items) if word])
    for branch in expect.get("any of", ()):
        asked = _merged(asked, look(branch))
    return asked


def _asked(attributes: Mapping[str, Any]) -> list[str]:
    return _united(["keywords" if word in ("has", "lacks") else word for word in attributes])


def _united(*lists: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(word for words in lists for word in words))


def _merged(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    both = dict(one)
    for key, value in other.items():
        if key not in both or value is True:
            both[key] = value
        elif isinstance(value, dict):
            both[key] = {
                name: _united(both[key].get(name, ()), value.get(name, ()))
                for name in _united(both[key], value)
            }
        else:
            both[key] = _united(both[key], value)
    return both


def cards_of(given: Mapping[str, Any]) -> list[str]:
    """Give the names of the cards in an explicit `given`, sorted."""
    return sorted(
        {
            item["card"]
            for player in given["players"]
            for zone in ZONES
            for item in given[player][zone]
        }
    )


def needs_of(
    given: Mapping[str, Any], steps: Sequence[Step], cards: Iterable[Mapping[str, Any]]
) -> set[str]:
    """Give the capabilities that the content shows a need of."""
    needs: set[str] = set()
    if given["teams"]:
        needs.add("teams")
    if len(given["players"]) > 2:
        needs.add("three players")
    for player in given["players"]:
        if given[player]["mana"] is not None:
            needs.add("costs")
        for item in given[player]["battlefield"]:
            if item["phased out"]:
                needs.add("phasing")
            if item["face down"]:
                needs.add("face-down")
            if item["copy of"] is not None:
                needs.add("copies")
            if item["token"]:
                needs.add("tokens")
    if any("planeswalker" in face["types"] for facts in cards for face in facts["faces"]):
        needs.add("planeswalkers")
    for step in steps:
        if step.choices:
            needs.add("choices")
        if step.word == "find":
            needs.add("find")
        elif step.word == "concede":
            needs.add("leaving")
        elif step.word == "turn face up":
            needs.add("face-down")
        elif step.word == "directive":
            needs.update(f"directive {word}" for word in step.args)
        elif step.word == "cast" and step.args.get("via") == "flashback":
            needs.add("flashback")
        elif step.expect is not None:
            needs |= _needs_of_look(look(step.expect))
    return needs


def _needs_of_look(asked: Mapping[str, Any]) -> set[str]:
    needs: set[str] = set()
    events = asked.get("events", ())
    if events:
        needs.add("events")
    attributes = {word for words in asked.get("objects", {}).values() for word in words}
    if "phased out" in attributes or not {"phased in", "phased out"}.isdisjoint(events):
        needs.add("phasing")
    if "face down" in attributes or "turned face up" in events:
        needs.add("face-down")
    if "token" in attributes or "created" in events:
        needs.add("tokens")
    if any("mana" in words for words in asked.get("players", {}).values()):
        needs.add("costs")
    return needs


def digest_of(
    given: Mapping[str, Any], steps: Sequence[Step], level: str, since: Any, until: Any
) -> str:
    """Give the SHA-256 of what a scenario plays and expects, in canonical JSON.

    The name, the reasons and the citations are not in it, nor are the facts of the cards: the
    same play with the same expectations keeps its digest under another name.
    """
    content = {
        "given": given,
        "level": level,
        "since": since,
        "steps": [step.content() for step in steps],
        "until": until,
    }
    return hashlib.sha256(canonical(content)).hexdigest()


def canonical(value: Any) -> bytes:
    """Write a value as JSON in one way only: keys sorted, no spaces, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
