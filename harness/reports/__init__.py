"""How a run is shown: one module a format.

Each module gives `render(reports, shown) -> str`, where `shown` is what a reader's place decides:
width, colour, and the scenarios to tell a failure from.
"""

from __future__ import annotations

import importlib
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.model import Report, Result, Verdict

if TYPE_CHECKING:
    from harness.corpus import Corpus
    from harness.expectations import Account
    from harness.quarantine import Entry, Quarantine
    from harness.reports.page import Page

FORMATS = ("text", "json", "junit", "markdown", "badge", "shields", "github")
"""Names of the formats that are one text, each a module of this package; `html` is a site."""

SUFFIXES = {
    ".txt": "text",
    ".json": "json",
    ".xml": "junit",
    ".md": "markdown",
    ".svg": "badge",
}
"""The format that a file's name asks for when none is named."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the place where a report is read decides about its form.

    `accounts` has each report set against what was expected of it, where there is such a list.
    """

    scenarios: Mapping[str, Any] = field(default_factory=dict)
    accounts: Sequence[tuple[Report, Account]] = ()
    corpus: Corpus | None = None
    quarantine: Quarantine | None = None
    """Scenarios that are shown and not counted."""
    coverage: Mapping[str, Any] | None = None
    """What `rulings coverage --format json` said, where it was asked."""
    width: int = 80
    color: bool = False
    unicode: bool = True
    verbosity: int = 0

    def account_of(self, report: Report) -> Account | None:
        """Give a report set against what was expected, if anything was."""
        return next((account for one, account in self.accounts if one is report), None)

    def doubt(self, result: Result) -> Entry | None:
        """Give the entry that has the scenario of a result in quarantine, if one has."""
        if self.quarantine is None or not self.quarantine.entries:
            return None
        known = self.scenarios.get(result.id)
        return self.quarantine.entry_for((result.id, *(known.aliases if known else ())))

    def doubts(self, result: Result) -> bool:
        """Say whether a result is of a scenario in quarantine."""
        return self.doubt(result) is not None

    def counted(self, report: Report) -> Report:
        """Give a report without what is in quarantine: what its figures are of."""
        return replace(report, results=[r for r in report.results if not self.doubts(r)])

    def page(self) -> Page:
        """Give the page that text is laid out on: never wider than 80 columns."""
        from harness.reports.page import Page

        return Page(max(40, min(self.width, 80)), self.color, self.unicode)

    def scenario_of(self, result: Result) -> Any | None:
        """Give the scenario of a result, if it is at hand and has not changed since."""
        scenario = self.scenarios.get(result.id)
        return scenario if scenario is not None and scenario.digest == result.digest else None

    def again(self, report: Report, result: Result) -> tuple[str, ...]:
        """Give the words of the command that plays just this scenario again."""
        from harness.selection import shortest

        words = ["rulings", "run"]
        if report.engine.how != "reference":
            words += ["--engine", report.engine.how]
        known = self.scenarios.values()
        word = shortest(list(known), result.id) if known else result.id
        scenario = self.scenarios.get(result.id)
        if scenario is not None and not _is_ours(scenario):
            # Its id says nothing of where it is: that is found only through the file.
            stem = result.file.removesuffix(".yaml")
            word = f"{stem}#{word.partition('#')[2]}"
        words.append(word)
        return tuple(shlex.quote(word) for word in words)


def _is_ours(scenario: Any) -> bool:
    """Say whether a scenario is of the corpus that comes with the tool."""
    from harness import sources

    return Path(scenario.path).is_relative_to(sources.root())


def render(name: str, reports: Sequence[Report], shown: Shown) -> str:
    """Give the reports in a format of `FORMATS`."""
    module = importlib.import_module(f"harness.reports.{name}")
    text: str = module.render(reports, shown)
    return text


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all: a reader never finds half a report.

    Raises `OSError` when it cannot be written; what stood there before then still stands.
    """
    import os
    import tempfile

    if path.exists() and not path.is_file():  # /dev/stdout, a named pipe: nothing to replace
        append(path, text)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        umask = os.umask(0)
        os.umask(umask)
        Path(beside).chmod(0o666 & ~umask)
        Path(beside).replace(path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def wrong(report: Report, shown: Shown) -> list[Result]:
    """Give the results that a reader has to look at, in order.

    Those are fails and errors; where known failures are listed, whatever is not as the list says.
    """
    account = shown.account_of(report)
    if account is None:
        bad = (Verdict.FAIL, Verdict.ERROR)
        return [r for r in report.results if r.verdict in bad and not shown.doubts(r)]
    return [item.result for item in account.unexpected if item.result.verdict != Verdict.NOT_RUN]


def append(path: Path, text: str) -> None:
    """Add to a file that others write to as well, such as a step's summary."""
    with path.open("a", encoding="utf-8") as file:
        file.write(text)
