"""Answers bob's scenario with NaN, which is not JSON whatever Python thinks."""

from mini import Message, night, say, serve


def confuse(request: Message) -> None:
    say({**night(request), "observations": [{"designation": float("nan")}]})


serve(confuse)
