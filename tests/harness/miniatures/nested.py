"""Answers bob's scenario with a hundred thousand lists in each other."""

import sys

from mini import Message, serve


def nest(request: Message) -> None:
    sys.stdout.write('{"type": "observations", "observations": ' + "[" * 100_000 + "\n")
    sys.stdout.flush()


serve(nest)
