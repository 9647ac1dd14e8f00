"""Forgets to answer the last look of bob's scenario."""

from mini import Message, night, say, serve


def forget(request: Message) -> None:
    say({**night(request), "observations": []})


serve(forget)
