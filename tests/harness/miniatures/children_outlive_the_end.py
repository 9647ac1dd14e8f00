"""Answers everything, ends on bye, and leaves two children running."""

import subprocess

from mini import Message, behave, serve


def breed(request: Message) -> None:
    subprocess.Popen(["sleep", "1000"])
    subprocess.Popen(["sleep", "1000"], start_new_session=True)
    behave(request)


serve(breed)
