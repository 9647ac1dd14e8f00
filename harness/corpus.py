"""Loads ruling files, cards, the catalogue and the editions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import __version__, sources
from harness.files import Editions, File, Shelf, data_of, gather
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
    base = (root or sources.root()).resolve()
    extra = [*files, *(path for path in map(Path, select) if path.exists())]
    data = data_of(base)
    rulings = [file for file in gather([base, *extra]) if file.kind == "ruling"]
    data = [*data, *(file for other in _roots(rulings, base) for file in data_of(other))]
    shelf = Shelf.of(data)
    bad = _blocking([*data, *rulings], shelf)
    good = [file for file in rulings if file.shown not in bad]
    scenarios = tuple(scenario for file in good for scenario in scenarios_of(file, shelf, base))
    wanted = _selected(scenarios, select, keyword, bad)
    editions = shelf.editions
    if editions is None:
        message = "there is no editions.yaml, so no rule can be cited"
        raise BadCorpus([Problem(str(base), 1, 1, "D001", "", message)])
    return Corpus(
        root=base,
        version=__version__,
        digest=digest_of(scenarios),
        scenarios=wanted,
        cards=shelf.cards,
        catalog=shelf.catalog,
        editions=editions,
    )


def scenarios_of(file: File, shelf: Shelf, base: Path | None = None) -> Iterator[Scenario]:
    """Make the scenarios of a well-formed ruling file whose cards all have facts."""
    inside = base is not None and file.path.is_relative_to(base)
    name = (
        f"{base.name}/{file.path.relative_to(base).as_posix()}" if base and inside else file.shown
    )
    for place, raw in enumerate(file.value["scenarios"]):
        lines = [
            file.document.position(("scenarios", place, "steps", step))[0]
            for step in range(len(raw["steps"]))
        ]
        yield scenario_of(
            file.value,
            raw,
            id=file.scenario_id(raw["name"]),
            file=name,
            path=str(file.path),
            line=file.document.position(("scenarios", place))[0],
            lines=lines,
            cards=shelf.cards,
        )


def digest_of(scenarios: Sequence[Scenario]) -> str:
    """Give the SHA-256 of a corpus: of the ids and digests of all its scenarios."""
    lines = sorted(f"{scenario.id} {scenario.digest}\n" for scenario in scenarios)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _roots(files: Sequence[File], base: Path) -> list[Path]:
    """Give the other corpora that files belong to."""
    roots = dict.fromkeys(file.root for file in files)
    return [root for root in roots if root is not None and root != base]


def _blocking(files: Sequence[File], shelf: Shelf) -> dict[str, list[Problem]]:
    """Find what keeps files from being played, by file."""
    from harness.checks import BLOCKING

    found: dict[str, list[Problem]] = {}
    for check in BLOCKING:
        for problem in check.check(files, shelf):
            found.setdefault(problem.file, []).append(problem)
    return found


def _selected(
    scenarios: Sequence[Scenario],
    select: Sequence[str],
    keyword: str,
    bad: Mapping[str, Sequence[Problem]],
) -> tuple[Scenario, ...]:
    """Give the scenarios that are wanted; without a selection every file must be good."""
    problems = sorted({problem for each in bad.values() for problem in each})
    if not select and not keyword:
        if problems:
            raise BadCorpus(problems)
        return tuple(scenarios)
    from harness import selection

    try:
        wanted = selection.select(scenarios, select)
        return selection.matching(wanted, keyword) if keyword else wanted
    except selection.NothingSelectedError:
        if problems:  # what is wanted may well be in the files that cannot be used
            raise BadCorpus(problems) from None
        raise
