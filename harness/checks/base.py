"""What every check is given, and what it gives back."""

from __future__ import annotations

import difflib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from harness.files import File, Shelf
from harness.problem import Problem

if TYPE_CHECKING:
    from harness.checks.names import Names


class Check(ABC):
    """Looks for one sort of problem.

    `code` is what `--select` and `--ignore` take and what stands in every message; `slug` says it
    in words. A problem of a `blocking` check keeps the file from being played.
    """

    code: ClassVar[str]
    slug: ClassVar[str]
    blocking: ClassVar[bool] = True

    @abstractmethod
    def check(self, files: Sequence[File], shelf: Shelf) -> Iterable[Problem]:
        """Find the problems of these files."""


class FileCheck(Check):
    """A check that looks at one file at a time."""

    def check(self, files: Sequence[File], shelf: Shelf) -> Iterator[Problem]:
        """Find the problems of each file."""
        for file in files:
            yield from self.check_file(file, shelf)

    @abstractmethod
    def check_file(self, file: File, shelf: Shelf) -> Iterable[Problem]:
        """Find the problems of one file."""


class KindCheck(FileCheck):
    """A check that looks at well-formed files of one kind."""

    kind: ClassVar[str]

    def check_file(self, file: File, shelf: Shelf) -> Iterator[Problem]:
        """Find the problems of one file, if it is of the kind and has the right shape."""
        if file.kind == self.kind and file.fits:
            yield from self.check_value(file, file.value, shelf)

    @abstractmethod
    def check_value(self, file: File, value: Any, shelf: Shelf) -> Iterable[Problem]:
        """Find the problems of what the file says."""


class ScenarioCheck(KindCheck):
    """A check that looks at one scenario at a time."""

    kind = "ruling"

    def check_value(self, file: File, value: Any, shelf: Shelf) -> Iterator[Problem]:
        """Find the problems of each scenario."""
        for place, names in enumerate(file.names):
            yield from self.check_scenario(file, ("scenarios", place), names, shelf)

    @abstractmethod
    def check_scenario(
        self, file: File, at: tuple[str | int, ...], names: Names, shelf: Shelf
    ) -> Iterable[Problem]:
        """Find the problems of one scenario, which stands at the path `at`: `names.raw`."""


def nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Give the known word that looks most like one which is not known."""
    words = [str(each) for each in known]
    exact = [each for each in words if each.lower() == word.lower()]
    close = exact or difflib.get_close_matches(word, words, n=1, cutoff=cutoff)
    return close[0] if close else None


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """Give the hint that names the nearest known word."""
    near = nearest(word, known)
    return f"did you mean {near!r}?" if near is not None else otherwise


def listed(words: Iterable[str]) -> str:
    """Write `a, b or c`.

    >>> listed(["day", "night"]), listed(["a", "b", "c"])
    ('day or night', 'a, b or c')
    """
    every = list(words)
    return " or ".join(filter(None, (", ".join(every[:-1]), *every[-1:])))
