"""Scenarios in doubt: still played and shown, no longer counted, until somebody has reviewed them.

A scenario is data, and data can be wrong. Where engines that have nothing to do with each other
agree against it, it is put on a list (`rulings/quarantine.yaml`, or a file of the user's own), and
that takes no release of the tool.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from harness import sources
from harness.model import Report
from harness.problem import BadCorpus


@dataclass(frozen=True, slots=True)
class Entry:
    """Scenarios in doubt, by id or by a pattern with `*`, and why."""

    scenarios: tuple[str, ...]
    reason: str
    issue: str | None = None


@dataclass(frozen=True, slots=True)
class Quarantine:
    """All that is in doubt."""

    entries: tuple[Entry, ...] = ()

    def entry_for(self, ids: Iterable[str]) -> Entry | None:
        """Give the first entry about the scenario that has these ids, its aliases too."""
        from harness.expectations import fits

        every = tuple(ids)
        for entry in self.entries:
            if any(fits(pattern, each) for pattern in entry.scenarios for each in every):
                return entry
        return None

    def and_of(self, reports: Iterable[Report]) -> Quarantine:
        """Add what stored reports say was in quarantine when they were written."""
        ids = dict.fromkeys(r.id for report in reports for r in report.results if r.quarantined)
        if not ids:
            return self
        return Quarantine((*self.entries, Entry(tuple(ids), "So the stored report says.")))


def load(path: Path) -> Quarantine:
    """Read a quarantine file. Raises `BadCorpus` with all that is wrong with it."""
    from harness.checks import reading, shape
    from harness.files import File, Shelf

    file = File.open(path)
    file.kind = "quarantine"
    problems = [
        problem
        for check in (*reading.CHECKS, *shape.CHECKS)
        for problem in check.check([file], Shelf())
    ]
    if problems:
        raise BadCorpus(sorted(problems))
    return Quarantine(
        tuple(
            Entry(tuple(raw["scenarios"]), raw["reason"], raw.get("issue"))
            for raw in file.value["quarantine"]
        )
    )


def usual() -> Quarantine:
    """Read the list of the corpus that comes with the tool. Raises `BadCorpus`."""
    path = sources.root() / sources.QUARANTINE
    return load(path) if path.exists() else Quarantine()
