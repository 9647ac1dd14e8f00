"""`python -m harness` is `rulings`."""

from __future__ import annotations

import sys
from typing import NoReturn

from harness import __version__


def main() -> NoReturn:
    """Run the command line of this process."""
    if sys.argv[1:] == ["--version"]:
        # Said before click is there: to import it takes three times as long as all the rest.
        sys.stdout.write(f"card-rulings {__version__}\n")
        sys.exit()
    try:
        from harness.cli import main as commands
    except KeyboardInterrupt:  # so soon that the command line was not there to say so
        sys.stderr.write("rulings: interrupted\n")
        sys.exit(130)
    commands()


if __name__ == "__main__":
    main()
