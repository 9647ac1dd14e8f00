"""What the place can show that output goes to, and the progress of a run there."""

from __future__ import annotations

import os
import shutil
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

    from harness.model import Result

PATIENCE = 0.5
"""Seconds before progress is shown: what is over by then needs none."""


def is_terminal(stream: TextIO | None) -> bool:
    """Say whether a person is likely to be looking."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # a closed stream
        return False


def colored(wish: str | None = None, stream: TextIO | None = None) -> bool:
    """Say whether to colour: the wish, then NO_COLOR, then FORCE_COLOR, then the terminal."""
    if wish in ("always", "never"):
        return wish == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return is_terminal(stream or sys.stdout) and os.environ.get("TERM") != "dumb"


def columns() -> int:
    """Give the width to write for: the terminal's, or 80 where there is none."""
    return shutil.get_terminal_size((80, 24)).columns if is_terminal(sys.stdout) else 80


def writes_unicode(stream: TextIO | None = None) -> bool:
    """Say whether signs like ✓ can be written at all."""
    encoding = getattr(stream or sys.stdout, "encoding", None) or "ascii"
    try:
        "✓─›…".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


class Progress:
    """Shows on standard error how far a run is, on a terminal only, and only if it takes long."""

    def __init__(self, total: int, label: str, wanted: bool = True) -> None:
        self.total = total
        self.label = label
        self.done = 0
        self.wrong = 0
        self.began = time.monotonic()
        self.wanted = wanted and is_terminal(sys.stderr) and os.environ.get("TERM") != "dumb"
        self.bar: Bar | None = None
        self.task: TaskID | None = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.bar is not None:
            self.bar.stop()

    def __call__(self, result: Result) -> None:
        """Count one result."""
        self.step(result.verdict.value in ("fail", "error"))

    def step(self, wrong: bool = False) -> None:
        """Count one of what there is to do."""
        self.done += 1
        self.wrong += wrong
        if not self.wanted:
            return
        if self.bar is None:
            if time.monotonic() - self.began < PATIENCE:
                return
            self.start()
        assert self.bar is not None and self.task is not None
        self.bar.update(self.task, completed=self.done, wrong=self.said())

    def up_to(self, part: float) -> None:
        """Count up to a part of the whole, from 0 to 1."""
        while self.done < int(part * self.total):
            self.step()

    def said(self) -> str:
        """Say how many went wrong so far; nothing while none has."""
        return f"[red]{self.wrong} wrong[/]" if self.wrong else ""

    def start(self) -> None:
        """Begin to show."""
        from rich.console import Console
        from rich.markup import escape
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
        from rich.progress import Progress as Bar

        from harness.reports.escape import line

        self.bar = Bar(
            TextColumn(escape(line(self.label, 30))),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TextColumn("{task.fields[wrong]}"),
            console=Console(file=sys.stderr, no_color=not colored(stream=sys.stderr)),
            transient=True,
            refresh_per_second=8,
        )
        self.task = self.bar.add_task("", total=self.total, wrong="")
        self.bar.start()
