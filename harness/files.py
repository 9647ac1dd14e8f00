"""The files of a corpus, each read once, and what is known from them."""

from __future__ import annotations

import gc
import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness import sources
from harness.problem import Problem, dotted

if TYPE_CHECKING:
    from harness.cache import Cache
    from harness.checks.names import Names
    from harness.checks.shape import Error
    from harness.yamlfile import Document


class File:
    """One file, read once: its bytes, what they say, and where everything stands.

    What is known of a good file from an earlier time spares reading it as YAML; where something
    stands in it is then found out when it is asked for.
    """

    def __init__(self, path: Path, data: bytes) -> None:
        # Links are not followed: an id is made of the name under which a file was reached.
        self.path = Path(os.path.abspath(path))  # noqa: PTH100
        self.data = data
        self.shown = shown(path)
        self.kind = sources.kind(self.path)
        self.folder = self.path.parent.name
        """The beginning of the ids of the scenarios in it."""
        self.known: Mapping[str, Any] | None = None
        """What `recall` found."""

    @classmethod
    def open(cls, path: Path) -> File:
        """Read a file; that it cannot be read becomes a fault of its document."""
        # A byte more than is allowed tells a file that is too large, however large it is.
        try:
            with path.open("rb") as stream:
                return cls(path, stream.read(sources.LARGEST + 1))
        except OSError as problem:
            from harness.yamlfile import unreadable

            file = cls(path, b"")
            reason = (problem.strerror or type(problem).__name__).lower()
            file.document = unreadable("unreadable", f"the file cannot be read: {reason}")
            return file

    @cached_property
    def root(self) -> Path | None:
        """The corpus that the file belongs to; None for one that stands alone."""
        return sources.root_of(self.path.parent)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the file's bytes."""
        return hashlib.sha256(self.data).hexdigest()

    @cached_property
    def document(self) -> Document:
        """The file as YAML."""
        from harness.yamlfile import read  # not needed at all while everything is known

        return read(self.data)

    @property
    def value(self) -> Any:
        """What the file says; None if it cannot be read."""
        return self.document.value if self.known is None else self.known["value"]

    @cached_property
    def fits(self) -> bool:
        """Whether the file has the shape that its schema asks for."""
        from harness.checks.shape import fits

        return self.known is not None or (not self.document.faults and fits(self.kind, self.value))

    @cached_property
    def shape_errors(self) -> tuple[Error, ...]:
        """All that its schema has against it."""
        from harness.checks.shape import errors

        return tuple(errors(self.kind, self.value))

    @cached_property
    def names(self) -> list[Names]:
        """The objects and players that each scenario of a well-formed ruling file names."""
        from harness.checks.names import Names

        return [Names(raw) for raw in self.value["scenarios"]]

    def lines(self, place: int) -> list[int]:
        """Give the line of a scenario and those of its steps."""
        if self.known is not None:
            return list(self.known["lines"][place])
        at = ("scenarios", place)
        return [self.document.position(at)[0], *self.document.lines((*at, "steps"))]

    def recall(self, cache: Cache, context: str = "") -> None:
        """Take what is known of the file, if it was found good in the same context."""
        self.known = cache.get(f"{self.kind} {self.digest} {context}")

    def remember(self, cache: Cache, context: str = "") -> None:
        """Keep that the file is good in this context, and what it says."""
        if self.known is None:
            entry = {"value": self.value}
            if self.kind == "ruling":
                entry["lines"] = [self.lines(n) for n in range(len(self.value["scenarios"]))]
            cache.put(f"{self.kind} {self.digest} {context}", entry)

    @property
    def stem(self) -> str:
        """The middle of the ids of the scenarios in it: the file's name without its ending."""
        return self.path.stem

    def scenario_id(self, name: str) -> str:
        """Give the id of the scenario of this name."""
        return f"{self.folder}/{self.stem}#{name}"

    def problem(
        self,
        code: str,
        path: Sequence[str | int],
        message: str,
        hint: str = "",
        *,
        key: bool = False,
    ) -> Problem:
        """Make a problem at a path of this file, or at the key that the path ends in."""
        line, column = self.document.position(path, key=key)
        return Problem(self.shown, line, column, code, dotted(path), message, hint)


@dataclass(frozen=True, slots=True)
class Shelf:
    """What a ruling file may speak of: cards, official rulings, rules and their editions.

    What is empty was not there, or was not readable: the file that should have it has problems of
    its own, and nothing is checked against it.
    """

    cards: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Facts by the name of the front face."""
    backs: Mapping[str, str] = field(default_factory=dict)
    """Names of front faces by those of their back faces."""
    catalog: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Entries of the catalogue by key."""
    editions: Editions | None = None
    """The editions of the rules, and the rules of the base edition."""

    @classmethod
    def of(cls, files: Iterable[File]) -> Shelf:
        """Put up what well-formed files say; of several that say the same, the first counts."""
        cards: dict[str, Mapping[str, Any]] = {}
        catalog: dict[str, Mapping[str, Any]] = {}
        editions = None
        for file in files:
            if file.kind == "ruling" or not file.fits:
                continue
            if file.kind == "card":
                cards.setdefault(file.value["faces"][0]["name"], file.value)
            elif file.kind == "catalog":
                for entry in file.value["rulings"]:
                    catalog.setdefault(entry["key"], entry)
            elif file.kind == "editions" and editions is None:
                editions = Editions.of(file.value)
        backs = {
            facts["faces"][1]["name"]: name
            for name, facts in cards.items()
            if len(facts["faces"]) > 1
        }
        return cls(cards, backs, catalog, editions)


@dataclass(frozen=True, slots=True)
class Editions:
    """The editions of the Comprehensive Rules and how their numbers differ from the base's."""

    base: str
    rules: frozenset[str]
    """The numbers of all rules of the base edition."""
    sections: Mapping[str, Mapping[str, str | None]]
    """By edition, oldest first: number in the base edition → number there, None for no such."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Editions:
        """Read the content of editions.yaml."""
        return cls(
            base=data["base"],
            rules=frozenset(data["rules"]),
            sections={edition["date"]: edition["sections"] for edition in data["editions"]},
        )

    @property
    def newest(self) -> str:
        """The newest edition known."""
        return max(self.sections)

    def number_in(self, edition: str, rule: str) -> str | None:
        """Give the number that a rule of the base edition has in another edition, if it is there.

        The entry for the rule itself decides, else that for the rule which it is part of, else
        that for its section. Raises `KeyError` for an edition that is not known.
        """
        moved = self.sections[edition]
        for part in dict.fromkeys((rule, rule.rstrip("abcdefghijklmnopqrstuvwxyz"), rule[:3])):
            if part in moved:
                there = moved[part]
                return None if there is None else there + rule[len(part) :]
        return rule


def gather(paths: Iterable[Path]) -> list[File]:
    """Read files, and all YAML files in folders, each once, in the order given."""
    found: dict[Path, File] = {}
    for path in paths:
        for each in sources.files(path) if path.is_dir() else (path,):
            here = Path(os.path.abspath(each))  # noqa: PTH100
            if here not in found:
                found[here] = File.open(each)
    return list(found.values())


def data_of(root: Path) -> list[Path]:
    """Find what the ruling files of a corpus speak of: its cards, catalogue and editions.

    What a corpus has none of is taken from the corpus that comes with the tool.
    """
    own = sources.root()
    names = (sources.CARDS, sources.CATALOG, sources.EDITIONS)
    paths = [root / name if (root / name).exists() else own / name for name in names]
    return [path for path in paths if path.exists()]


def shown(path: Path) -> str:
    """Give a path as a person reads it: from the current folder if it is in there."""
    if not path.is_absolute():
        return path.as_posix()
    try:
        return path.relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()


@contextmanager
def no_collecting() -> Iterator[None]:
    """Keep the garbage collector from walking over the files, all of which are needed.

    It would take two thirds of the time that loading takes.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
