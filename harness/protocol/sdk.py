"""An adapter in three functions: set up, act, observe; the rest of the protocol is done here.

Only the standard library is needed, so that this file can be copied beside any engine.

    class MyAdapter(Adapter[MyGame]):
        engine = EngineInfo("my engine", "1.0", language="Python")
        capabilities = ("events",)

        def set_up(self, given, cards): ...
        def act(self, game, step): ...
        def observe(self, game, look): ...

    if __name__ == "__main__":
        serve(MyAdapter())
"""

from __future__ import annotations

import json
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, Generic, TypeVar

PROTOCOL = 1
"""The version of the protocol that this module speaks."""

G = TypeVar("G")


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """Who is answering, as `hello` tells it."""

    name: str
    version: str
    language: str | None = None
    homepage: str | None = None
    license: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Give the mapping that stands under `engine` in the reply to `hello`."""
        return {
            "name": self.name,
            "version": self.version,
            "language": self.language,
            "homepage": self.homepage,
            "license": self.license,
        }


@dataclass(frozen=True, slots=True)
class Command:
    """An engine that is a process of its own: what an entry point may give instead of an adapter.

    `env` is added to the environment, `cwd` is the folder to start it in (None: where the harness
    was started), `start_timeout` how many seconds it may take to answer `hello` (None: the harness
    decides).
    """

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str | None = None
    start_timeout: float | None = None


class Refused(Exception):  # noqa: N818 - it is an answer of the engine, not an error
    """The engine does not allow the action: an illegal cast, attack, activation …"""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unsupported(Exception):  # noqa: N818 - as above
    """The adapter cannot express something.

    `what` is "card", "capability", "step", "look" or "given"; `name` is the card, word or
    capability; `reason` is for people.
    """

    def __init__(self, what: str, name: str, reason: str = "") -> None:
        super().__init__(f"{what} {name}: {reason}" if reason else f"{what} {name}")
        self.what = what
        self.name = name
        self.reason = reason


class Adapter(ABC, Generic[G]):
    """Puts one engine behind the protocol. `G` is whatever the engine calls a game."""

    engine: EngineInfo
    capabilities: Sequence[str] = ()
    cards: Sequence[str] | None = None
    """The names of the cards the engine has; None if it makes cards from the facts it is sent."""

    @abstractmethod
    def set_up(self, given: Mapping[str, Any], cards: Mapping[str, Mapping[str, Any]]) -> G:
        """Make a new game that stands as `given` says; `cards` holds the facts of its cards.

        Raise `Unsupported` for a situation or a card that the engine does not have.
        """

    @abstractmethod
    def act(self, game: G, step: Mapping[str, Any]) -> None:
        """Carry out one step. Raise `Refused` if the engine forbids it, else `Unsupported`."""

    @abstractmethod
    def observe(self, game: G, look: Mapping[str, Any]) -> Mapping[str, Any]:
        """Answer one look with exactly the keys it asks for; None is "not applicable"."""

    def close(self) -> None:
        """Let go of what the engine holds. Called once, at the end."""


def answer(
    adapter: Adapter[Any], message: Any, log: Callable[[str], object] | None = None
) -> dict[str, Any]:
    """Give the reply to one request, whatever happens: an exception becomes an `error` reply.

    `log` is handed the traceback of such an exception (default: standard error).
    """
    number = None
    try:
        if not isinstance(message, Mapping):
            return _error(None, "a request is a JSON object")
        kind = message.get("type")
        if kind == "run":
            number = message.get("id")
            if not isinstance(number, int) or isinstance(number, bool):
                return _error(None, "run needs an id that is an integer")
            return _run(adapter, number, message)
        if kind == "hello":
            return _hello(adapter, message)
        if kind == "bye":
            return {"type": "bye"}
        return _error(_id_of(message), f"no request has the type {_short(kind)}")
    except Exception as problem:
        _trace(log)
        return _error(number, f"{type(problem).__name__}: {problem}")


def reply_to(
    adapter: Adapter[Any], line: str | bytes, log: Callable[[str], object] | None = None
) -> tuple[bytes, bool]:
    """Give the line that answers a line, with its end, and whether it was the last.

    Both ways of reaching an adapter go through here, so that both give the same bytes.
    """
    number = None
    try:
        message = json.loads(line)
        number = _id_of(message)
    except (ValueError, RecursionError) as problem:
        return to_line(_error(None, f"not JSON in UTF-8: {problem}")), False
    reply = answer(adapter, message, log)
    try:
        return to_line(reply), reply["type"] == "bye"
    except Exception as problem:
        _trace(log)
        return to_line(_error(number, f"{type(problem).__name__}: {problem}")), False


def to_line(message: Mapping[str, Any]) -> bytes:
    """Write a message as one line of JSON in UTF-8, with its end; sets become sorted lists.

    Raises `TypeError` or `ValueError` for what JSON cannot say.
    """
    return _ENCODER.encode(message).encode("utf-8", "backslashreplace") + b"\n"


def serve(
    adapter: Adapter[Any], stdin: IO[bytes] | None = None, stdout: IO[bytes] | None = None
) -> None:
    """Answer requests line by line until `bye` or the end of input, then close the adapter.

    By default on standard input and output; whatever else the engine prints then goes to
    standard error, where it cannot be taken for a reply.
    """
    reader = _own_input() if stdin is None else stdin
    writer = _own_output() if stdout is None else stdout
    try:
        for line in reader:
            reply, last = reply_to(adapter, line)
            writer.write(reply)
            writer.flush()
            if last:
                break
    except BrokenPipeError:
        pass
    finally:
        adapter.close()


def _hello(adapter: Adapter[Any], message: Mapping[str, Any]) -> dict[str, Any]:
    spoken = message.get("protocol")
    if not isinstance(spoken, list) or PROTOCOL not in spoken:
        return _error(None, f"this adapter speaks protocol {PROTOCOL}, asked for {_short(spoken)}")
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "engine": adapter.engine.to_json(),
        "capabilities": list(adapter.capabilities),
        "cards": None if adapter.cards is None else list(adapter.cards),
    }


def _run(adapter: Adapter[Any], number: int, message: Mapping[str, Any]) -> dict[str, Any]:
    given, steps, cards = message.get("given"), message.get("steps"), message.get("cards", {})
    if not isinstance(given, Mapping) or not isinstance(cards, Mapping):
        return _error(number, "run needs given and cards that are objects")
    if not isinstance(steps, list) or not all(
        isinstance(step, Mapping) and isinstance(step.get("do"), str) for step in steps
    ):
        return _error(number, "run needs a list of steps that each say what to do")
    observations: list[Mapping[str, Any]] = []
    position = 0
    try:
        game = adapter.set_up(given, cards)
        for position, step in enumerate(steps, 1):  # noqa: B007 - `Refused` names it
            if step["do"] == "look":
                observations.append(adapter.observe(game, step))
            else:
                adapter.act(game, step)
    except Unsupported as problem:
        return {
            "type": "unsupported",
            "id": number,
            "what": problem.what,
            "name": problem.name,
            "reason": problem.reason,
        }
    except Refused as problem:
        if position == 0:
            return _error(number, f"refused to set the game up: {problem.reason}")
        return {
            "type": "refused",
            "id": number,
            "step": position,
            "reason": problem.reason,
            "observations": observations,
        }
    return {"type": "observations", "id": number, "observations": observations}


def _error(number: int | None, reason: str) -> dict[str, Any]:
    return {"type": "error", "id": number, "reason": reason[:2000]}


def _id_of(message: Any) -> int | None:
    number = message.get("id") if isinstance(message, Mapping) else None
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "…"


def _trace(log: Callable[[str], object] | None) -> None:
    import traceback

    (log or sys.stderr.write)(traceback.format_exc())
    if log is None:
        sys.stderr.flush()


def _plain(value: Any) -> Any:
    """Say in JSON what Python has and JSON lacks; sets in a fixed order."""
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=str)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"{type(value).__name__} has no place in a JSON message")


_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain
)


def _own_input() -> IO[bytes]:
    """Take standard input away from the engine's own children."""
    mine = os.fdopen(os.dup(0), "rb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return mine


def _own_output() -> IO[bytes]:
    """Take standard output, and send what the engine prints to standard error instead."""
    sys.stdout.flush()
    mine = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return mine
