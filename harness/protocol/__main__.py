"""Serve an adapter written in Python: `python -m harness.protocol MODULE:FACTORY [ARGUMENT…]`.

The harness runs this when an adapter that it could call itself is to have a process of its own.
"""

from __future__ import annotations

import importlib
import sys

from harness.protocol.sdk import serve


def main(arguments: list[str]) -> int:
    """Make the adapter that MODULE:FACTORY gives and serve it until `bye`."""
    if not arguments or ":" not in arguments[0]:
        sys.stderr.write("usage: python -m harness.protocol MODULE:FACTORY [ARGUMENT]\n")
        return 2
    module, _, attribute = arguments[0].partition(":")
    factory = getattr(importlib.import_module(module), attribute)
    serve(factory(*arguments[1:]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
