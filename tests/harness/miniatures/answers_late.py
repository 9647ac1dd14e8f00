"""Gives the right answer to bob's scenario, but only after all time-outs of the tests."""

import time

from mini import Message, behave, serve


def dawdle(request: Message) -> None:
    time.sleep(3)
    behave(request)


serve(dawdle)
