"""Answers bob's scenario twice, which harms nobody: the second answer is passed over."""

from mini import Message, behave, serve


def stutter(request: Message) -> None:
    behave(request)
    behave(request)


serve(stutter)
