"""Answers each look of bob's scenario twice."""

from mini import Message, night, say, serve


def repeat(request: Message) -> None:
    reply = night(request)
    say({**reply, "observations": reply["observations"] * 2})


serve(repeat)
