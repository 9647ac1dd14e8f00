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
    from harness.cli import main as commands

    commands()


if __name__ == "__main__":
    main()
