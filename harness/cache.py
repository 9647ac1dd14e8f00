"""Keeps what was found out about files that are good, by the digest of their bytes.

One file for each version of the tool, in the user's cache folder. It is never trusted when the
tool or a schema differs by a byte, a damaged one is as good as none, and several processes may use
it at once: it is replaced as a whole. `RULINGS_CACHE` names another folder, or is `off`.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from harness import sources

LARGEST = 64 * 1024 * 1024
"""A larger cache file is not read, and begun anew."""

OLDEST = 14 * 24 * 60 * 60
"""How many seconds the files of other versions of the tool are kept."""


class Cache:
    """What is known, by key. `Cache.open()` gives the user's; one without a path forgets all."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.known: dict[str, Any] = {}
        self.used: set[str] = set()
        self.fresh = False
        if path is not None:
            self.known = _read(path)

    @classmethod
    def open(cls) -> Cache:
        """Read the cache of this version of the tool."""
        folder = _folder()
        if folder is None:
            return cls()
        return cls(folder / f"corpus-{_tool()[:24]}.json")

    def get(self, key: str) -> Any:
        """Give what is known under a key, or None."""
        self.used.add(key)
        return self.known.get(key)

    def put(self, key: str, value: Any) -> None:
        """Remember a value that JSON can say."""
        self.used.add(key)
        self.known[key] = value
        self.fresh = True

    def save(self) -> None:
        """Write the cache if there is anything new. A folder that takes no files is no error."""
        if self.path is None or not self.fresh:
            return
        body = _body(self.known)
        if len(body) > LARGEST:
            body = _body({key: self.known[key] for key in self.used if key in self.known})
        with contextlib.suppress(OSError):
            _replace(self.path, body)
            _sweep(self.path)


def _folder() -> Path | None:
    named = os.environ.get("RULINGS_CACHE", "")
    if named.lower() == "off":
        return None
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME", "")
    try:
        # The specification wants a relative path in the variable to be passed over.
        return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "card-rulings"
    except RuntimeError:  # nobody's home
        return None


def _tool() -> str:
    """Give the digest of all that decides what is found out: the code here, and the schemas."""
    here = Path(__file__).parent
    digest = hashlib.sha256(sys.version.encode())
    for folder, pattern in (
        (here, "*.py"),
        (here / "checks", "*.py"),
        (here / "protocol", "words.py"),
        (sources.root() / "schema", "*.json"),
    ):
        for path in sorted(folder.glob(pattern)):
            digest.update(path.name.encode() + b"\0")
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _body(known: dict[str, Any]) -> bytes:
    text = json.dumps(known, separators=(",", ":"), ensure_ascii=False).encode()
    return hashlib.sha256(text).hexdigest().encode() + b"\n" + text


def _read(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > LARGEST:
            return {}
        digest, _, text = path.read_bytes().partition(b"\n")
        if hashlib.sha256(text).hexdigest().encode() != digest:
            return {}
        known = json.loads(text)
    except (OSError, ValueError, RecursionError):
        return {}
    return known if isinstance(known, dict) else {}


def _replace(path: Path, body: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".corpus-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(body)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _sweep(path: Path) -> None:
    """Remove what other versions of the tool left behind."""
    for other in path.parent.glob("*corpus-*"):
        if other != path and time.time() - other.stat().st_mtime > OLDEST:
            other.unlink(missing_ok=True)
