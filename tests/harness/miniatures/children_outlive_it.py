"""Starts children that hold its pipes, one of them in a session of its own, and then dies."""

import subprocess
import sys

from mini import Message, serve


def breed(request: Message) -> None:
    subprocess.Popen(["sleep", "1000"])
    subprocess.Popen(["sleep", "1000"], start_new_session=True)
    sys.exit(1)


serve(breed)
