"""Behaves as an adapter should but for one thing, which its argument names (see `FAULTS`).

Plays nothing: every look is answered from `given`, and casting moves nothing.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from typing import Any

from harness.protocol import Adapter, EngineInfo, Unsupported
from harness.protocol.sdk import answer, reply_to, to_line

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
RUNS = 0


class Contrary(Adapter[dict[str, Any]]):
    engine = EngineInfo("contrary", "1", language="Python", license="MIT")

    def set_up(
        self, given: Mapping[str, Any], cards: Mapping[str, Mapping[str, Any]]
    ) -> dict[str, Any]:
        if FAULT == "strict" and "weather" in given:
            raise ValueError("unknown key weather")
        hand = [item["card"] for item in given["alice"]["hand"]]
        if FAULT != "makes-up-cards" and not set(hand) <= set(cards):
            raise Unsupported("card", hand[0])
        return dict(given)

    def act(self, game: dict[str, Any], step: Mapping[str, Any]) -> None:
        if step["do"] not in ("concede", "resolve") and FAULT != "plays-anything":
            raise Unsupported("step", step["do"])

    def observe(self, game: dict[str, Any], look: Mapping[str, Any]) -> Mapping[str, Any]:
        seen: dict[str, Any] = {}
        if "designation" in look:
            seen["designation"] = game["designation"]
        if "turn" in look:
            seen["turn"] = {key: game["turn"][key] for key in look["turn"]}
        for player, keys in look.get("players", {}).items():
            known = {"life": game[player]["life"]}
            if FAULT != "sees-anything" and not set(keys) <= set(known):
                raise Unsupported("look", keys[0])
            seen["players"] = {player: {key: known.get(key) for key in keys}}
        if FAULT == "learns" and "expect" in look:
            seen.update(look["expect"])
        if FAULT == "forgets-a-key":
            seen.pop("designation", None)
        if FAULT == "tells-too-much":
            seen["weather"] = "rain"
        if FAULT == "wrong-type" and "designation" in seen:
            seen["designation"] = 3
        if FAULT == "random" and "designation" in seen:
            seen["designation"] = "day" if RUNS % 2 else "night"
        return seen


class Shy(Contrary):
    engine = EngineInfo("contrary", "1")


class Boastful(Contrary):
    capabilities = ("evnets", "events", "events")


class Liar(Contrary):
    cards = ("Plains",)

    def set_up(self, given: Any, cards: Any) -> dict[str, Any]:
        raise Unsupported("card", "Plains", "on second thoughts")


def respond(adapter: Contrary, line: bytes) -> bytes | None:
    """Answer a line, in the way that the fault has it."""
    global RUNS
    if FAULT == "small-lines" and len(line) > 65536:
        sys.exit("line too long")
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        if FAULT == "dies-of-nonsense":
            raise
        message = None
    if not isinstance(message, dict):
        return b"null\n" if FAULT == "null-for-nonsense" else reply_to(adapter, line)[0]
    kind = message.get("type")
    RUNS += kind == "run"
    if kind == "hello":
        if FAULT == "any-version":
            return to_line(answer(adapter, {**message, "protocol": [1]}))
        if FAULT == "newest-version":
            return (
                to_line({**answer(adapter, {**message, "protocol": [1]}), "protocol": 1})
                if (message.get("protocol") == [1])
                else to_line({"type": "hello", "protocol": max(message.get("protocol") or [0])})
            )
        if FAULT == "hello-once" and respond.__dict__.setdefault("greeted", 0):
            return to_line({"type": "error", "id": None, "reason": "we have met"})
        respond.__dict__["greeted"] = 1
    elif kind == "run":
        reply = answer(adapter, message, lambda text: None)
        if FAULT == "own-ids":
            reply["id"] = RUNS
        if FAULT == "small-ids" and isinstance(reply["id"], int):
            reply["id"] = reply["id"] % 2**31
        if FAULT == "tolerant" and reply["type"] == "error":
            reply = {"type": "observations", "id": message.get("id"), "observations": []}
        return to_line(reply)
    elif kind == "bye":
        if FAULT == "silent-bye":
            return None
        if FAULT == "wordy-bye":
            return b"Bye!\n"
    elif FAULT == "dances":
        return to_line({"type": "observations", "id": message.get("id"), "observations": []})
    return reply_to(adapter, line)[0]


def main() -> None:
    made = {"shy": Shy, "boastful": Boastful, "liar": Liar}.get(FAULT, Contrary)()
    if FAULT == "leaves-a-child":
        subprocess.Popen(["sleep", "1000"], start_new_session=True)
    for line in sys.stdin.buffer:
        if FAULT == "needs-hello" and b'"run"' in line and not respond.__dict__.get("greeted"):
            os._exit(4)
        reply = respond(made, line)
        if reply is not None:
            sys.stdout.buffer.write(reply)
            sys.stdout.buffer.flush()
        if FAULT == "chats" and b'"run"' in line:
            sys.stdout.buffer.write(b"thinking ...\n")
            sys.stdout.buffer.flush()
        if b'"type":"bye"' in line:
            if FAULT == "stays":
                time.sleep(60)
            sys.exit(7 if FAULT == "status" else 0)
    if FAULT == "last-words":
        sys.stdout.write("so long\n")
    if FAULT == "ends-badly":
        raise EOFError("nobody said bye")


main()
