"""Answers bob's scenario with lines without end, each of them a message about nothing."""

from mini import Message, say, serve


def babble(request: Message) -> None:
    while True:
        say({"type": "progress", "percent": 99})


serve(babble)
