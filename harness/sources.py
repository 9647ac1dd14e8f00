"""Finds the data: the folder `rulings`, in a checkout and in an installed wheel alike."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

CARDS = "cards"
CATALOG = "catalog.yaml"
EDITIONS = "editions.yaml"
QUARANTINE = "quarantine.yaml"

LARGEST = 256 * 1024
"""How many bytes a file may have."""


def root() -> Path:
    """Give the folder of the corpus that comes with the tool: `rulings`, beside `harness`."""
    return Path(__file__).resolve().parent.parent / "rulings"


def schema(kind: str) -> Path:
    """Give the JSON Schema of a kind of file: ruling, card, catalog, editions or quarantine."""
    return root() / "schema" / f"{kind}.json"


def is_root(folder: Path) -> bool:
    """Say whether a folder is the root of a corpus: it has cards, a catalogue or editions."""
    return any((folder / name).exists() for name in (CARDS, CATALOG, EDITIONS))


def root_of(path: Path) -> Path | None:
    """Find the corpus that a file or folder belongs to; None for one that stands alone."""
    here = path.resolve()
    return next((folder for folder in (here, *here.parents) if is_root(folder)), None)


def files(folder: Path) -> Iterator[Path]:
    """Give all YAML files under a folder, in the order of their paths, hidden ones left out."""
    found = [*folder.rglob("*.yaml"), *folder.rglob("*.yml")]
    yield from sorted(
        path
        for path in found
        # A link that leads nowhere is kept, so that somebody hears of it.
        if (path.is_file() or (path.is_symlink() and not path.exists()))
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )


def kind(path: Path) -> str:
    """Say what a file is by where it stands: ruling, card, catalog, editions or quarantine."""
    if path.name == CATALOG:
        return "catalog"
    if path.name == QUARANTINE:
        return "quarantine"
    if path.name == EDITIONS:
        return "editions"
    return "card" if path.parent.name == CARDS else "ruling"


def is_there(word: str) -> bool:
    """Say whether a word of a command line names a file or folder."""
    try:
        return Path(word).exists()
    except (OSError, ValueError):  # longer than a name may be, or with a NUL in it
        return False
