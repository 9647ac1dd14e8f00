"""`rulings run PATH --watch`, as a person saves files beside it."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from harness import sources
from harness.watching import stamps, watched

ROOT = Path(__file__).parent.parent.parent
RULING = """\
ruling:
  key: day-to-night
  source: official
  date: 2021-09-24
rules: ["728.2a"]
scenarios:
  - name: nobody casts anything
    why: Alice casts nothing, so night falls as Bob's turn begins.
    given: {designation: day}
    steps:
      - advance: {to: upkeep, of: bob}
      - expect: {designation: night}
"""

Watch = Callable[..., "Watching"]


class Watching:
    """A `rulings run --watch` whose lines are read as they come."""

    def __init__(self, place: Path, *words: str) -> None:
        self.running = subprocess.Popen(
            [sys.executable, "-m", "harness", "run", *words, "--watch"],
            cwd=place,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: queue.Queue[str] = queue.Queue()
        self.said: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.running.stdout is not None
        for line in self.running.stdout:
            self.lines.put(line.rstrip("\n"))

    def until(self, text: str) -> str:
        """Wait for a line that has this text in it."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            try:
                line = self.lines.get(timeout=0.1)
            except queue.Empty:
                continue
            self.said.append(line)
            if text in line:
                return line
        raise AssertionError(f"no line with {text!r} came; there were {self.said}")


def save(file: Path, text: str) -> None:
    """Save a file at one moment, so that nobody sees it half written."""
    draft = file.parent.parent / "draft"
    draft.write_text(text)
    draft.replace(file)


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Watch]:
    """Give what starts to watch, in a folder with one ruling."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "first-night.yaml").write_text(RULING)
    every: list[Watching] = []

    def begin(*words: str) -> Watching:
        every.append(Watching(tmp_path, *words))
        return every[-1]

    yield begin
    for each in every:
        each.running.kill()
        each.running.wait()


def test_it_runs_again_whenever_a_file_is_saved(watch: Watch, tmp_path: Path) -> None:
    file = tmp_path / "mine" / "first-night.yaml"
    watching = watch("mine", "-qq")

    watching.until("1 passed in ")
    watching.until("; Ctrl-C ends")
    save(file, RULING.replace("designation: night", "designation: day"))
    watching.until("saved: first-night.yaml")
    watching.until("1 failed in ")
    watching.until("; Ctrl-C ends")
    save(file, RULING + "  - name: [")
    watching.until("first-night.yaml:14:")
    watching.until("; Ctrl-C ends")
    save(tmp_path / "mine" / "second.yaml", RULING)
    watching.until("saved: second.yaml")
    watching.until("; Ctrl-C ends")
    file.unlink()
    watching.until("saved: first-night.yaml")
    watching.until("1 passed in ")
    watching.until("; Ctrl-C ends")
    watching.running.send_signal(signal.SIGINT)

    assert watching.running.wait(10) == 0


def test_an_engine_that_is_saved_is_played_anew(watch: Watch, tmp_path: Path) -> None:
    engine = tmp_path / "mine.py"
    text = (
        "from harness.protocol import Adapter, EngineInfo\n"
        "class Mine(Adapter):\n"
        "    engine = EngineInfo('mine', '1')\n"
        "    def set_up(self, given, cards): pass\n"
        "    def act(self, game, step): pass\n"
        "    def observe(self, game, look): return {'designation': 'day'}\n"
    )
    save(engine, text)
    watching = watch("mine", "-qq", "--engine", "python:mine:Mine")

    watching.until("1 failed in ")
    watching.until("; Ctrl-C ends")
    save(engine, text.replace("'day'", "'night'"))
    watching.until("saved: mine.py")
    watching.until("1 passed in ")


def test_what_ends_it_ends_the_run_too(watch: Watch, tmp_path: Path) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text(
        "import os, pathlib, time\n"
        "pathlib.Path('pid').write_text(str(os.getpid()))\n"
        "time.sleep(100)\n"
    )
    pid = tmp_path / "pid"
    watching = watch("mine", "--engine", f"cmd:{sys.executable} slow.py")
    deadline = time.monotonic() + 30
    while not (pid.exists() and pid.read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.02)

    watching.running.send_signal(signal.SIGTERM)

    watching.running.wait(20)
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_what_is_watched_is_what_a_run_depends_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine").mkdir()
    Path("mine/a.yaml").touch()
    Path("engine.py").touch()
    Path("known.yaml").touch()

    assert watched(["728.2a"], ["reference"]) == [sources.root()]
    assert watched(["mine"], ["cmd:python engine.py --fast"], [Path("known.yaml"), None]) == [
        Path("mine"),
        Path("engine.py"),
        Path("known.yaml"),
    ]
    assert watched([str(sources.root() / "2021-09-24")], ["python:no.such:thing", "cmd:'"]) == [
        sources.root(),
        sources.root() / "2021-09-24",
    ]
    assert list(stamps([Path("mine"), Path("engine.py"), Path("gone")])) == [
        Path("mine/a.yaml"),
        Path("engine.py"),
    ]
