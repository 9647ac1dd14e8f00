"""Answers bob's scenario with a line of 100 MB."""

import sys

from mini import Message, serve


def drone(request: Message) -> None:
    sys.stdout.write('{"type": "error", "reason": "')
    for _ in range(100):
        sys.stdout.write("a" * 1_000_000)
    sys.stdout.write('"}\n')
    sys.stdout.flush()


serve(drone)
