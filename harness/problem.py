"""What is wrong with a file, and where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing that is wrong: where, which check says so, what it is and what would be right.

    Problems sort by place. `path` is the path inside the file, `scenarios[0].steps[2].cast`.
    """

    file: str
    line: int
    column: int
    code: str
    path: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        """Give the problem on one line, as compilers do, so that editors can jump to it."""
        at = f" (at {self.path})" if self.path else ""
        hint = f"; {self.hint}" if self.hint else ""
        return f"{self.file}:{self.line}:{self.column}: {self.code} {self.message}{hint}{at}"


class BadCorpus(Exception):  # noqa: N818 - named after what it holds
    """Files that cannot be used, with all that is wrong with them."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


def dotted(path: Sequence[str | int]) -> str:
    """Write a path inside a file: `scenarios[0].given.alice`.

    >>> dotted(["scenarios", 0, "given", "attached to"])
    'scenarios[0].given.attached to'
    """
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text
