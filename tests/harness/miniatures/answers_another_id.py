"""Answers bob's scenario as if it had been asked for another one."""

from mini import Message, night, say, serve


def mistake(request: Message) -> None:
    say({**night(request), "id": request["id"] + 1000})


serve(mistake)
