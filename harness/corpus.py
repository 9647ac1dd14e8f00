"""Loads ruling files, cards, the catalogue and the editions."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import __version__, sources
from harness.cache import Cache
from harness.files import Editions, File, Shelf, data_of, gather, no_collecting
from harness.model import CorpusInfo
from harness.problem import BadCorpus, Problem
from harness.scenario import Scenario, Step, scenario_of

__all__ = ["BadCorpus", "Corpus", "Editions", "Problem", "Scenario", "Step", "load_corpus"]


@dataclass(frozen=True, slots=True)
class Corpus:
    """All that was loaded; `digest` is that of all its scenarios, whatever was selected of them."""

    root: Path
    version: str
    digest: str
    scenarios: tuple[Scenario, ...]
    cards: Mapping[str, Mapping[str, Any]]
    catalog: Mapping[str, Mapping[str, Any]]
    editions: Editions

    @property
    def info(self) -> CorpusInfo:
        """Which corpus it is, as reports say it."""
        return CorpusInfo(self.version, self.digest, self.editions.base)


def load_corpus(
    root: Path | None = None,
    select: Sequence[str] = (),
    *,
    keyword: str = "",
    files: Sequence[Path] = (),
) -> Corpus:
    """Load the corpus at `root` (the one that comes with the tool) and further ruling files.

    `select` and `keyword` say which scenarios are wanted, as `harness.selection` reads them; a
    word of `select` that is a path outside the corpus adds its ruling files to it. Raises
    `BadCorpus` with all problems of the files that the wanted scenarios need, and what
    `harness.selection` raises.
    """
    with no_collecting():
        loaded = _load((root or sources.root()).absolute(), select, files)
    wanted = _selected(loaded, select, keyword)
    if loaded.shelf.editions is None:
        message = "there is no editions.yaml, so no rule can be cited"
        raise BadCorpus([Problem(str(loaded.root), 1, 1, "D001", "", message)])
    return Corpus(
        root=loaded.root,
        version=__version__,
        digest=digest_of(loaded.scenarios),
        scenarios=wanted,
        cards=loaded.shelf.cards,
        catalog=loaded.shelf.catalog,
        editions=loaded.shelf.editions,
    )


@dataclass(frozen=True, slots=True)
class _Loaded:
    """What was found in the files, good and bad, before anything is selected."""

    root: Path
    shelf: Shelf
    files: Sequence[File]
    scenarios: tuple[Scenario, ...]
    bad: Mapping[File, Sequence[Problem]]
    """The problems that keep files from being played, by file."""

    def problems(self, words: Sequence[str]) -> list[Problem]:
        """Give what keeps the files that the words may mean from being played.

        No words mean all files, and so may a word that names no file: a rule, a card, a pattern.
        The files that rulings speak of belong to every ruling, once one of them cannot be played;
        without editions none can.
        """
        wanted: set[File] = set() if words else set(self.files)
        for word in words:
            wanted.update([file for file in self.files if _names(word, file)] or self.files)
        bad = [file for file in self.bad if file in wanted]
        if bad or self.shelf.editions is None:
            bad += [file for file in self.bad if file.kind != "ruling"]
        return sorted({problem for file in bad for problem in self.bad[file]})


def _names(word: str, file: File) -> bool:
    """Say whether a word that selects scenarios names a file, its folder or something in it."""
    word = re.sub(r":[0-9]+$", "", word)
    if sources.is_there(word):
        path = Path(os.path.abspath(word))  # noqa: PTH100 - links are not followed elsewhere either
        return path == file.path or path in file.path.parents
    name = word.partition("#")[0].removesuffix(".yaml").rstrip("/")
    return name in (f"{file.folder}/{file.stem}", file.folder, file.stem)


def _load(root: Path, select: Sequence[str], files: Sequence[Path]) -> _Loaded:
    cache = Cache.open()
    extra = [*files, *(Path(word) for word in select if sources.is_there(word))]
    found = gather([*data_of(root), root, *extra])
    others = {file.root for file in gather(extra)} - {None, root}
    found += [file for other in others if other for file in gather(data_of(other))]
    data = [file for file in found if file.kind != "ruling"]
    rulings = [file for file in found if file.kind == "ruling"]
    for file in data:
        file.recall(cache)
    shelf = Shelf.of(data)
    context = hashlib.sha256("".join(file.digest for file in data).encode()).hexdigest()
    for file in rulings:
        file.recall(cache, context)
    bad = _blocking(found, shelf)
    good = [file for file in found if file not in bad]
    for file in good:
        file.remember(cache, context if file.kind == "ruling" else "")
    cache.save()
    scenarios = (
        each for file in good if file.kind == "ruling" for each in scenarios_of(file, shelf, root)
    )
    return _Loaded(root, shelf, found, tuple(scenarios), bad)


def scenarios_of(file: File, shelf: Shelf, base: Path | None = None) -> Iterator[Scenario]:
    """Make the scenarios of a well-formed ruling file whose cards all have facts."""
    inside = base is not None and file.path.is_relative_to(base)
    name = (
        f"{base.name}/{file.path.relative_to(base).as_posix()}" if base and inside else file.shown
    )
    for place, raw in enumerate(file.value["scenarios"]):
        line, *lines = file.lines(place)
        yield scenario_of(
            file.value,
            raw,
            id=file.scenario_id(raw["name"]),
            file=name,
            path=str(file.path),
            line=line,
            lines=lines,
            cards=shelf.cards,
        )


def digest_of(scenarios: Sequence[Scenario]) -> str:
    """Give the SHA-256 of a corpus: of the ids and digests of all its scenarios."""
    lines = sorted(f"{scenario.id} {scenario.digest}\n" for scenario in scenarios)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _blocking(files: Sequence[File], shelf: Shelf) -> dict[File, list[Problem]]:
    """Find what keeps files from being played, by file; one known to be good is not read again."""
    from harness.checks import BLOCKING
    from harness.checks.base import FileCheck

    unknown = [file for file in files if file.known is None]
    shown = {file.shown: file for file in files}
    found: dict[File, list[Problem]] = {}
    for check in BLOCKING:
        for problem in check.check(unknown if isinstance(check, FileCheck) else files, shelf):
            found.setdefault(shown[problem.file], []).append(problem)
    return found


def _selected(loaded: _Loaded, select: Sequence[str], keyword: str) -> tuple[Scenario, ...]:
    """Give the scenarios that are wanted; all files that they are wanted from must be good."""
    problems = loaded.problems(select)
    if problems:
        raise BadCorpus(problems)
    if not select and not keyword:
        return loaded.scenarios
    from harness.selection import matching
    from harness.selection import select as chosen

    wanted = chosen(loaded.scenarios, select)
    return matching(wanted, keyword) if keyword else wanted
