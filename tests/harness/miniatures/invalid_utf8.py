"""Answers bob's scenario in Latin-1."""

import sys

from mini import Message, serve


def mumble(request: Message) -> None:
    sys.stdout.buffer.write('{"type": "error", "id": 2, "reason": "Déjà vu"}\n'.encode("latin-1"))
    sys.stdout.flush()


serve(mumble)
