"""Runs again whenever a file is saved, until Ctrl-C.

Each run is a process of its own, so that an engine in Python that was saved is imported anew and a
file that is broken for a moment ends nothing.
"""

from __future__ import annotations

import importlib.util
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import FrameType

from harness import sources

PAUSE = 0.2
"""Seconds between two looks at the files: a save is noticed sooner than a person looks up."""

Stamps = Mapping[Path, tuple[int, int]]


def watched(
    words: Sequence[str], engines: Sequence[str], others: Iterable[Path | None] = ()
) -> list[Path]:
    """Give the files and folders that a run depends on.

    Those are what the words name or else the whole corpus, the corpora they belong to, the files
    of engines that can be told from how they are reached, and others that the caller knows of.
    """
    named = [Path(word.partition("#")[0]) for word in words]
    named = [path for path in named if sources.is_there(str(path))]
    roots = {sources.root_of(path) or path for path in named} or {sources.root()}
    files = [file for engine in engines for file in _files_of(engine)]
    return [*sorted({*named, *roots}), *files, *(other for other in others if other is not None)]


def stamps(paths: Iterable[Path]) -> Stamps:
    """Say of each file when it was saved and how large it is; one that is gone has no stamp."""
    found: dict[Path, tuple[int, int]] = {}
    for path in paths:
        for file in sources.files(path) if path.is_dir() else (path,):
            try:
                stat = file.stat()
            except OSError:
                continue
            found[file] = (stat.st_mtime_ns, stat.st_size)
    return found


def until_saved(paths: Sequence[Path], before: Stamps) -> list[Path]:
    """Wait until a file is not as it was, and give those that are not, in order."""
    while True:
        now = stamps(paths)
        changed = [path for path in {*before, *now} if before.get(path) != now.get(path)]
        if changed:
            return sorted(changed)
        time.sleep(PAUSE)


def again(
    arguments: Sequence[str], paths: Sequence[Path], say: Callable[[str], object], clear: bool
) -> int:
    """Run `rulings` with these arguments, and again after each save; give the last status."""
    command = [sys.executable, "-m", "harness", *arguments]
    status = 0
    before_us = signal.signal(signal.SIGTERM, _interrupt)
    try:
        while True:
            before = stamps(paths)
            status = _ran(command)
            count = len(before)
            say(f"watching {count} file{'' if count == 1 else 's'}; Ctrl-C ends")
            saved = until_saved(paths, before)
            if clear:
                say("\033[2J\033[H")
            say(f"saved: {', '.join(path.name for path in saved[:3])}")
    except KeyboardInterrupt:
        return status
    finally:
        signal.signal(signal.SIGTERM, before_us)


def _ran(command: Sequence[str]) -> int:
    """Run a command to its end; when we are interrupted it ends first, with its report."""
    with subprocess.Popen(command) as running:
        try:
            return running.wait()
        except BaseException:
            running.terminate()
            try:
                running.wait(10)
            except subprocess.TimeoutExpired:
                running.kill()
            raise


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _files_of(engine: str) -> list[Path]:
    """Give the files of an engine, as far as the words by which it is reached name any."""
    kind, _, rest = engine.partition(":")
    if kind == "cmd":
        try:
            return [Path(word) for word in shlex.split(rest) if Path(word).is_file()]
        except ValueError:
            return []
    if kind == "python":
        if "" not in sys.path:
            sys.path.insert(0, "")
        try:
            spec = importlib.util.find_spec(rest.partition(":")[0])
        except (ImportError, ValueError):
            return []
        return [Path(spec.origin)] if spec is not None and spec.has_location and spec.origin else []
    return []
