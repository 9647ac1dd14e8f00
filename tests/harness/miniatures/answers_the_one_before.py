"""Answers bob's scenario with the id of the one before, and then says nothing more."""

from mini import Message, night, say, serve


def mistake(request: Message) -> None:
    say({**night(request), "id": request["id"] - 1})


serve(mistake)
