"""Prints what it is doing on standard output before it answers bob's scenario."""

from mini import Message, behave, serve


def chat(request: Message) -> None:
    print("Loading \x1b[31mcards\x1b[0m ...", flush=True)  # noqa: T201 - that is the point
    behave(request)


serve(chat)
