"""Names half of a surrogate pair in its answer: JSON allows it, no UTF-8 can hold it."""

from mini import Message, say, serve


def mumble(request: Message) -> None:
    say({"type": "error", "id": request["id"], "reason": "\ud83d"})


serve(mumble)
