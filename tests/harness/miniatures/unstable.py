"""Says night and day in turns of bob's scenario."""

from itertools import cycle

from mini import Message, night, say, serve

said = cycle(["night", "day"])


def waver(request: Message) -> None:
    say({**night(request), "observations": [{"designation": next(said)}]})


serve(waver)
