"""Dies of bob's scenario, and from then on cannot start again: a file that it needs is gone."""

import sys
from pathlib import Path

from mini import Message, serve

needed = Path(sys.argv[1])
if not needed.exists():
    sys.exit("no such file")


def die(request: Message) -> None:
    needed.unlink()
    sys.exit(1)


serve(die)
