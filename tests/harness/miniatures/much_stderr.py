"""Writes 20 MB on standard error and then answers bob's scenario as one should."""

import sys

from mini import Message, behave, serve


def log(request: Message) -> None:
    for _ in range(20):
        sys.stderr.write("DEBUG priority passed\n" * 50_000)
    behave(request)


serve(log)
