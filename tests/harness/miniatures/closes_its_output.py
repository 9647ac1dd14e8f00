"""Closes its standard output instead of answering bob's scenario, and goes on running."""

import os
import time

from mini import Message, serve


def close(request: Message) -> None:
    os.close(1)
    time.sleep(60)


serve(close)
