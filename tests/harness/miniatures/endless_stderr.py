"""Writes on standard error without end instead of answering bob's scenario."""

import sys

from mini import Message, serve


def complain(request: Message) -> None:
    while True:
        sys.stderr.write("WARN stack trace follows\n" * 1000)


serve(complain)
