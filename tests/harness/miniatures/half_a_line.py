"""Answers bob's scenario with half a line, and then waits for ever."""

import sys
import time

from mini import Message, serve


def stop(request: Message) -> None:
    sys.stdout.write('{"type": "observations", "id": ')
    sys.stdout.flush()
    time.sleep(60)


serve(stop)
