"""An adapter that plays nothing: it answers every scenario at once, so only the pipe counts."""

from __future__ import annotations

import json
import sys

HELLO = {
    "type": "hello",
    "protocol": 1,
    "engine": {"name": "echo", "version": "0", "language": "Python"},
    "capabilities": sys.argv[1:],
    "cards": None,
}


def main() -> None:
    """Answer line by line until the input ends."""
    out = sys.stdout.buffer
    for line in sys.stdin.buffer:
        request = json.loads(line)
        kind = request["type"]
        if kind == "run":
            reply = {"type": "observations", "id": request["id"], "observations": []}
        else:
            reply = HELLO if kind == "hello" else {"type": "bye"}
        out.write(json.dumps(reply).encode() + b"\n")
        out.flush()
        if kind == "bye":
            return


if __name__ == "__main__":
    main()
