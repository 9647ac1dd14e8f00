"""What all miniatures share: an engine that behaves, until a scenario names bob.

Every look is answered with night. In the scenario whose first step is bob's the miniature does
what it is there for.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

Message = dict[str, Any]


def say(message: Message) -> None:
    """Write one message."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def hello(**other: Any) -> Message:
    """Give a good answer to hello, changed as told."""
    engine = {"name": "miniature", "version": "1"}
    return {"type": "hello", "protocol": 1, "engine": engine, "capabilities": [], **other}


def night(request: Message) -> Message:
    """Give a good answer to a run."""
    looks = [step for step in request["steps"] if step["do"] == "look"]
    seen = [{"designation": "night"} for _ in looks]
    return {"type": "observations", "id": request["id"], "observations": seen}


def is_bobs(request: Message) -> bool:
    """Whether this is the scenario in which to misbehave."""
    return request["type"] == "run" and bool(request["steps"][0].get("player") == "bob")


def behave(request: Message) -> None:
    """Answer as one should."""
    if request["type"] == "hello":
        say(hello())
    elif request["type"] == "run":
        say(night(request))
    else:
        say({"type": "bye"})
        sys.exit(0)


def serve(misbehave: Callable[[Message], object]) -> None:
    """Behave, but hand bob's scenarios to `misbehave`."""
    for line in sys.stdin:
        request = json.loads(line)
        if is_bobs(request):
            misbehave(request)
        else:
            behave(request)
