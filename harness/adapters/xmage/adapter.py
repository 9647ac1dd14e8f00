"""Starts XMage behind the protocol: finds its jars, compiles our Java once, and gives the command.

Nothing of XMage is here. `XMAGE_CLASSPATH` is a class path, or `XMAGE_HOME` the folder of a
released XMage; the adapter's own classes are kept in the user's cache, by the digest of source and
class path.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from harness.connection import CannotStartError
from harness.protocol.sdk import Command

SOURCES = Path(__file__).parent / "java"
MAIN = "XmageAdapter"
NEEDED = {
    "mage": "the rules core",
    "mage-sets": "the cards",
    "mage-player-ai": "the player that ours is made of",
    "mage-game-twoplayerduel": "the game for two",
    "mage-game-freeforall": "the game for more",
    "guava": "a library of XMage's",
}
"""What the jars of a released XMage have to have between them; the names go before the version."""

MEMORY = "-Xmx2g"
STACK = "-Xss64m"
START_TIMEOUT = 60.0


class NoXmageError(CannotStartError):
    """XMage, or the Java to run it with, is not there; the text says what to do."""


def engine() -> Command:
    """Give the command that speaks for XMage. Raises `NoXmageError`."""
    jars = class_path(os.environ)
    java, javac = tool("java"), tool("javac")
    classes = compiled(javac, jars)
    folder = cache() / "work"  # XMage makes a folder `db` wherever it runs
    folder.mkdir(parents=True, exist_ok=True)
    path = os.pathsep.join([str(classes), *jars])
    options = (STACK, MEMORY, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
    return Command(
        ("/bin/sh", "-c", 'cd "$0" && exec "$@"', str(folder), java, *options, "-cp", path, MAIN),
        start_timeout=START_TIMEOUT,
    )


def class_path(environment: Mapping[str, str]) -> list[str]:
    """Find XMage's class path from the environment. Raises `NoXmageError`."""
    given = environment.get("XMAGE_CLASSPATH")
    if given:
        return _given(given)
    home = environment.get("XMAGE_HOME")
    if not home:
        raise NoXmageError(
            "XMage is not part of this project. Set XMAGE_HOME to the folder of a released XMage "
            "(the one that holds mage-server), or XMAGE_CLASSPATH to a class path; "
            "harness/adapters/xmage/README.md says more."
        )
    return _released(Path(home))


def _given(path: str) -> list[str]:
    entries: list[str] = []
    for entry in filter(None, path.split(os.pathsep)):
        folder = Path(entry).absolute()
        if folder.name == "*":
            entries.extend(map(str, sorted(folder.parent.glob("*.jar"))))
        elif folder.exists():
            entries.append(str(folder))
        else:
            raise NoXmageError(f"XMAGE_CLASSPATH names {entry}, which is not there")
    return entries


def _released(home: Path) -> list[str]:
    if not home.is_dir():
        raise NoXmageError(f"XMAGE_HOME is {home}, which is no folder")
    jars: dict[str, Path] = {}
    for server in ("", "mage-server", "xmage/mage-server"):
        for part in ("lib", "plugins"):
            for jar in sorted((home / server / part).glob("*.jar")):
                jars.setdefault(jar.name, jar.absolute())
    missing = [f"{name} ({why})" for name, why in NEEDED.items() if not _there(name, jars)]
    if missing:
        raise NoXmageError(
            f"XMAGE_HOME is {home}, and its lib and plugins have no jar of: {', '.join(missing)}. "
            "The adapter needs XMage's server, which is beside the client in a release."
        )
    return [str(jar) for jar in jars.values()]


def _there(name: str, jars: Iterable[str]) -> bool:
    return any(jar.removeprefix(f"{name}-")[:1].isdigit() or jar == f"{name}.jar" for jar in jars)


def tool(name: str) -> str:
    """Find a program of the JDK. Raises `NoXmageError`."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which(name, path=str(Path(home) / "bin")) if home else None
    found = found or shutil.which(name)
    if found is None:
        raise NoXmageError(f"{name} is not there: XMage's adapter needs a JDK, version 11 or later")
    return found


def compiled(javac: str, jars: Sequence[str]) -> Path:
    """Give the folder of the adapter's classes, compiled now if they never were."""
    folder = cache() / digest(javac, jars)
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as made:
        sources = [str(source) for source in sorted(SOURCES.glob("*.java"))]
        path = os.pathsep.join(jars)
        argv = [javac, "-nowarn", "-encoding", "UTF-8", "-d", made, "-cp", path, *sources]
        done = subprocess.run(argv, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode != 0:
            said = "\n".join(done.stderr.splitlines()[-20:])
            raise NoXmageError(f"the adapter does not compile against this XMage:\n{said}")
        shutil.copytree(made, folder, dirs_exist_ok=True)
    return folder


def digest(javac: str, jars: Sequence[str]) -> str:
    """Give a name for what is compiled: our source, the compiler, and which class path it sees."""
    said = hashlib.sha256(javac.encode())
    for source in sorted(SOURCES.glob("*.java")):
        said.update(source.name.encode() + b"\0" + source.read_bytes())
    for jar in jars:
        about = Path(jar).stat()
        said.update(f"{jar}\0{about.st_size}\0{about.st_mtime_ns}\0".encode())
    return said.hexdigest()[:32]


def cache() -> Path:
    """Give the adapter's folder in the user's cache."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "card-rulings" / "xmage"
