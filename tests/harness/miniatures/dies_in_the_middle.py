"""Reads bob's scenario, writes a traceback on standard error and ends with status 1."""

from mini import Message, serve


def die(request: Message) -> None:
    raise AssertionError("a permanent without a controller")


serve(die)
