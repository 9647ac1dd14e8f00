"""What the pages show: reports turned round, rulings down and engines across."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from harness.model import Report, Result, Verdict
from harness.quarantine import Entry, Quarantine
from harness.reports import Shown
from harness.reports.html.agreement import Agreement, agreements, family
from harness.reports.html.names import Names, slug
from harness.reports.html.timeline import Stage, timeline
from harness.reports.page import SIGNS
from harness.scenario import CAPABILITIES
from harness.selection import file_of
from harness.telling import shown as worded
from harness.telling import tell

if TYPE_CHECKING:
    from harness.corpus import Corpus
    from harness.scenario import Scenario

WORDS = {
    Verdict.PASS: "passed",
    Verdict.FAIL: "failed",
    Verdict.ERROR: "error",
    Verdict.UNSUPPORTED: "unsupported",
    Verdict.NOT_RUN: "not run",
}
"""The word of each verdict, good ones first: the order in which they are shown and counted."""

LETTERS = {
    Verdict.PASS: "p",
    Verdict.FAIL: "f",
    Verdict.ERROR: "e",
    Verdict.UNSUPPORTED: "u",
    Verdict.NOT_RUN: "n",
    None: "a",
}
"""A letter for each verdict, and for the absence of one: class names and the filters use it."""

GRAVITY = (Verdict.ERROR, Verdict.FAIL, Verdict.NOT_RUN, Verdict.UNSUPPORTED, Verdict.PASS)


@dataclass(frozen=True, slots=True)
class Cell:
    """The verdict of one engine on one scenario; without a result the report does not have it."""

    result: Result | None
    again: str = ""
    """The command that plays it again."""
    stale: bool = False
    """Whether the scenario that was played is not the one at hand."""

    @property
    def verdict(self) -> Verdict | None:
        """The verdict, if there is a result."""
        return None if self.result is None else self.result.verdict

    @property
    def letter(self) -> str:
        """The verdict's letter."""
        return LETTERS[self.verdict]

    @property
    def sign(self) -> str:
        """The verdict's sign."""
        return "–" if self.verdict is None else SIGNS[self.verdict][0]

    @property
    def word(self) -> str:
        """The verdict in a word."""
        return "absent" if self.verdict is None else WORDS[self.verdict]

    @property
    def detail(self) -> Mapping[str, Any]:
        """What the result says beside the verdict."""
        return (self.result.detail if self.result else None) or {}

    @property
    def step(self) -> int | None:
        """The step at which it failed."""
        step = self.detail.get("step")
        return step if isinstance(step, int) else None

    @property
    def misses(self) -> tuple[tuple[str, str, str], ...]:
        """Path, expected and got of all that differs."""
        every = self.detail.get("mismatches") or [self.detail]
        return tuple(
            (str(one["path"]), worded(one.get("expected")), worded(one.get("got")))
            for one in every
            if isinstance(one, Mapping) and one.get("path")
        )

    @property
    def said(self) -> str:
        """What happened, in a sentence, where it is not that something differs."""
        detail = self.detail
        kind = detail.get("kind")
        if self.verdict is Verdict.FAIL:
            told = {
                "refused": "The engine refused a legal action.",
                "allowed": "The engine allowed what is not allowed.",
                "unstable": "The engine answers differently each time.",
            }
            return told.get(str(kind), "")
        if self.verdict is Verdict.UNSUPPORTED:
            return f"The adapter has no {kind} “{detail.get('name')}”."
        if self.verdict is Verdict.ERROR:
            told = {
                "start": "The engine did not start.",
                "crash": "The adapter ended by itself.",
                "timeout": "No answer came in time.",
                "protocol": "The answer broke the protocol.",
                "false-unsupported": "The adapter called unsupported what it had declared.",
                "engine": "The adapter reported an error of its own.",
            }
            return told.get(str(kind), "")
        return ""


@dataclass(frozen=True)
class ScenarioView:
    """One scenario with a verdict of each engine."""

    id: str
    name: str
    anchor: str
    cells: tuple[Cell, ...]
    rules: tuple[str, ...]
    scenario: Scenario | None
    """None where the scenario is not at hand."""
    quarantined: Entry | None
    agreements: tuple[Agreement, ...]

    @cached_property
    def letters(self) -> str:
        """The verdicts, a letter an engine."""
        return "".join(cell.letter for cell in self.cells)

    @property
    def differs(self) -> bool:
        """Whether engines that played it came out differently."""
        return len(set(self.letters) - {"a"}) > 1

    @property
    def setting(self) -> tuple[str, ...]:
        """How the game stands before the first step."""
        return tell(self.scenario).setting if self.scenario else ()

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The scenario in time."""
        return timeline(self.scenario) if self.scenario else ()

    @property
    def light(self) -> str:
        """The light in which it begins."""
        return str(self.scenario.given.get("designation") or "neither") if self.scenario else ""

    @property
    def level(self) -> str:
        """Whether it must, should or may be so."""
        return next((cell.result.level for cell in self.cells if cell.result), "must")

    @property
    def file(self) -> str:
        """File and line where it stands."""
        found = next((cell.result for cell in self.cells if cell.result), None)
        return f"{found.file}:{found.line}" if found else ""


@dataclass(frozen=True, slots=True)
class Sum:
    """What several scenarios came to on one engine; those in quarantine are left out."""

    counts: Mapping[Verdict, int]

    @property
    def every(self) -> int:
        """How many scenarios there are."""
        return sum(self.counts.values())

    @property
    def passed(self) -> int:
        """How many passed."""
        return self.counts.get(Verdict.PASS, 0)

    @property
    def played(self) -> int:
        """How many were played to a verdict on the engine: passed, failed or ended in an error."""
        return sum(
            self.counts.get(verdict, 0) for verdict in (Verdict.PASS, Verdict.FAIL, Verdict.ERROR)
        )

    @property
    def worst(self) -> Verdict | None:
        """The verdict to look at first."""
        return next((verdict for verdict in GRAVITY if self.counts.get(verdict)), None)

    @property
    def letter(self) -> str:
        """The letter of the worst verdict."""
        return LETTERS[self.worst]

    @property
    def sign(self) -> str:
        """The sign of the worst verdict."""
        return "–" if self.worst is None else SIGNS[self.worst][0]

    @property
    def words(self) -> str:
        """All counts in words."""
        return ", ".join(
            f"{self.counts[verdict]} {word}"
            for verdict, word in WORDS.items()
            if self.counts.get(verdict)
        )

    @property
    def parts(self) -> list[tuple[str, str, int]]:
        """Letter, word and number of each verdict that came."""
        return [
            (LETTERS[verdict], word, self.counts[verdict])
            for verdict, word in WORDS.items()
            if self.counts.get(verdict)
        ]


def summed(scenarios: Iterable[ScenarioView], place: int) -> Sum:
    """Add up what scenarios came to on the engine at a place."""
    counts: Counter[Verdict] = Counter()
    for each in scenarios:
        verdict = each.cells[place].verdict
        if verdict is not None and each.quarantined is None:
            counts[verdict] += 1
    return Sum(counts)


@dataclass(frozen=True)
class RulingView:
    """One ruling file: its scenarios, and what the catalogue says of the ruling."""

    file: str
    page: str
    key: str
    source: str
    """official, comprehensive-rules, regression; empty where the file is not at hand."""
    date: str | None
    entry: Mapping[str, Any]
    """The catalogue's entry; empty for what is no official ruling."""
    scenarios: tuple[ScenarioView, ...]
    engines: int

    @property
    def folder(self) -> str:
        """The folder of the file."""
        return self.file.rpartition("/")[0]

    @cached_property
    def title(self) -> str:
        """What the ruling is called."""
        if self.source == "comprehensive-rules" and self.key[:1].isdigit():
            return f"Rule {self.key}"
        words = f" {self.key.replace('-', ' ').replace('_', ' ')} "
        for name in (*self.cards, *self.entry.get("cards", ())):
            words = words.replace(f" {slug(name).replace('-', ' ')} ", f" {name} ")
        words = words.strip()
        return words[:1].upper() + words[1:]

    @property
    def gist(self) -> str:
        """The ruling in our words."""
        return " ".join(str(self.entry.get("gist") or "").split())

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """The cards that its scenarios name, without those that only fill libraries."""
        found = {
            name: None for each in self.scenarios if each.scenario for name in _named(each.scenario)
        }
        return tuple(found)

    @cached_property
    def rules(self) -> tuple[str, ...]:
        """The rules that its scenarios cite."""
        return tuple(dict.fromkeys(rule for each in self.scenarios for rule in each.rules))

    @cached_property
    def sums(self) -> tuple[Sum, ...]:
        """What its scenarios came to, engine by engine."""
        return tuple(summed(self.scenarios, place) for place in range(self.engines))

    @property
    def in_doubt(self) -> int:
        """How many of its scenarios are in quarantine."""
        return sum(each.quarantined is not None for each in self.scenarios)


@dataclass(frozen=True)
class EngineView:
    """One engine: who it is and how it did."""

    place: int
    key: str
    page: str
    report: Report
    sum: Sum
    version_matters: bool = False

    @property
    def name(self) -> str:
        """What it is called."""
        return self.report.engine.name or "nameless"

    @property
    def title(self) -> str:
        """Name, and the version where two engines have the same name."""
        version = self.report.engine.version
        return f"{self.name} {version}".strip() if self.version_matters else self.name

    @property
    def homepage(self) -> str | None:
        """Its home page, if it is an address that a link may lead to."""
        home = self.report.engine.homepage
        return home if home and home.startswith(("https://", "http://")) else None

    @property
    def family(self) -> str:
        """What it shares with the engines that it is not independent of."""
        return family(self.report.engine)

    @property
    def compliance(self) -> float | None:
        """Passed among passed, failed and errors; None where nothing was played."""
        return self.sum.passed / self.sum.played if self.sum.played else None

    @property
    def supported(self) -> float | None:
        """How much of the scenarios it played at all."""
        return self.sum.played / self.sum.every if self.sum.every else None

    @property
    def capabilities(self) -> list[tuple[str, str, bool]]:
        """Each capability there is, what it means, and whether it has it; then others it names."""
        has = self.report.engine.capabilities
        known = [(word, means, word in has) for word, means in CAPABILITIES.items()]
        return known + [(word, "", True) for word in has if word not in CAPABILITIES]


@dataclass(frozen=True)
class CardView:
    """One card: its facts and the rulings about it."""

    name: str
    page: str
    facts: Mapping[str, Any] | None
    official: tuple[Mapping[str, Any], ...]
    """The catalogue's entries that name it."""
    rulings: tuple[RulingView, ...]
    """The ruling files whose scenarios play it."""


@dataclass(frozen=True)
class Site:
    """All that is shown."""

    engines: tuple[EngineView, ...]
    rulings: tuple[RulingView, ...]
    cards: tuple[CardView, ...]
    edition: str
    corpus: Corpus
    coverage: Mapping[str, Any] | None = None
    """What `rulings coverage --format json` says, where it was asked."""
    pages_of_rules: Mapping[str, Sequence[RulingView]] = field(default_factory=dict)

    @cached_property
    def scenarios(self) -> tuple[tuple[RulingView, ScenarioView], ...]:
        """All scenarios with their rulings."""
        return tuple((ruling, each) for ruling in self.rulings for each in ruling.scenarios)

    @cached_property
    def by_key(self) -> Mapping[str, list[tuple[RulingView, ScenarioView]]]:
        """By key of the catalogue, the scenarios that show the ruling."""
        found: dict[str, list[tuple[RulingView, ScenarioView]]] = {}
        for ruling, each in self.scenarios:
            keys = each.scenario.proves if each.scenario else ()
            if ruling.source == "official":
                keys = (ruling.key, *keys)
            for key in dict.fromkeys(keys):
                found.setdefault(key, []).append((ruling, each))
        return found

    @cached_property
    def by_card(self) -> Mapping[str, CardView]:
        """The cards by name."""
        return {card.name: card for card in self.cards}

    @cached_property
    def by_ruling(self) -> Mapping[str, RulingView]:
        """The official rulings that have a file of their own, by key."""
        return {each.key: each for each in self.rulings if each.source == "official"}

    @property
    def differing(self) -> int:
        """How many scenarios engines come out of differently."""
        return sum(each.differs for _, each in self.scenarios)

    @cached_property
    def disputed(self) -> tuple[tuple[RulingView, ScenarioView], ...]:
        """Scenarios that independent engines agree against, those with most of them first."""
        found = [pair for pair in self.scenarios if pair[1].agreements and not pair[1].quarantined]
        return tuple(sorted(found, key=lambda pair: -pair[1].agreements[0].families))

    @cached_property
    def quarantined(self) -> tuple[tuple[RulingView, ScenarioView], ...]:
        """Scenarios that are not counted."""
        return tuple(pair for pair in self.scenarios if pair[1].quarantined)

    @cached_property
    def unanimous(self) -> tuple[tuple[RulingView, ScenarioView], ...]:
        """Scenarios that no engine passes, of those that several independent engines played, and
        on which they do not agree.
        """
        found = []
        for ruling, each in self.scenarios:
            played = [
                engine.family
                for engine, cell in zip(self.engines, each.cells, strict=True)
                if cell.verdict in (Verdict.FAIL, Verdict.PASS)
            ]
            if len(set(played)) > 1 and "p" not in each.letters and not each.agreements:
                found.append((ruling, each))
        return tuple(found)

    def numbers(self, rule: str) -> list[tuple[str | None, str]]:
        """Give the numbers of a rule of the base edition, each with the editions that use it."""
        editions = self.corpus.editions
        runs: list[tuple[str | None, list[str]]] = []
        for date in sorted(editions.sections):
            number = editions.number_in(date, rule)
            if runs and runs[-1][0] == number:
                runs[-1][1].append(date)
            else:
                runs.append((number, [date]))
        return [(number, _span(dates)) for number, dates in runs]

    def number(self, rule: str) -> str | None:
        """Give the number of a rule of the base edition in the edition that was played by."""
        editions = self.corpus.editions
        if self.edition not in editions.sections:
            return rule
        return editions.number_in(self.edition, rule)


def _span(dates: Sequence[str]) -> str:
    return dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"


def site_of(
    reports: Sequence[Report],
    shown: Shown,
    corpus: Corpus,
    quarantine: Quarantine,
    coverage: Mapping[str, Any] | None = None,
) -> Site:
    """Turn reports round."""
    edition = reports[0].corpus.edition if reports else corpus.editions.base
    engines = [report.engine for report in reports]
    found = [{result.id: result for result in report.results} for report in reports]
    order = dict.fromkeys(
        [
            *(id_ for id_ in shown.scenarios if any(id_ in results for results in found)),
            *(result.id for report in reports for result in report.results),
        ]
    )
    files: dict[str, list[str]] = {}
    for id_ in order:
        files.setdefault(file_of(id_), []).append(id_)
    pages = Names()
    rulings = []
    for file, ids in files.items():
        anchors = Names()
        views = []
        for id_ in ids:
            results = {place: each.get(id_) for place, each in enumerate(found)}
            some = next(result for result in results.values() if result is not None)
            known = shown.scenarios.get(id_)
            current = (
                known
                if known
                and any(result and result.digest == known.digest for result in results.values())
                else None
            )
            cells = tuple(
                Cell(
                    result,
                    _again(shown, reports[place], result),
                    bool(result and known and result.digest != known.digest),
                )
                for place, result in results.items()
            )
            aliases = known.aliases if known else ()
            views.append(
                ScenarioView(
                    id=id_,
                    name=id_.partition("#")[2] or id_,
                    anchor=anchors.of(id_, id_.partition("#")[2]),
                    cells=cells,
                    rules=_rules(current, some, corpus, edition),
                    scenario=current,
                    quarantined=quarantine.entry_for((id_, *aliases)),
                    agreements=agreements(engines, results),
                )
            )
        first = next((each.scenario for each in views if each.scenario), None)
        key = next(result[ids[0]].ruling for result in found if ids[0] in result)
        source = first.source if first else ""
        rulings.append(
            RulingView(
                file=file,
                page=f"rulings/{pages.of(file)}.html",
                key=key,
                source=source,
                date=first.date if first else None,
                entry=corpus.catalog.get(key) or {} if source in ("official", "") else {},
                scenarios=tuple(views),
                engines=len(reports),
            )
        )
    scenarios = [each for ruling in rulings for each in ruling.scenarios]
    names = Counter(engine.name for engine in engines)
    keys = Names()
    return Site(
        engines=tuple(
            EngineView(
                place=place,
                key=(key := keys.of(str(place), report.engine.name)),
                page=f"engines/{key}.html",
                report=report,
                sum=summed(scenarios, place),
                version_matters=names[report.engine.name] > 1,
            )
            for place, report in enumerate(reports)
        ),
        rulings=tuple(rulings),
        cards=_cards(rulings, corpus),
        edition=edition,
        corpus=corpus,
        coverage=coverage,
    )


def _again(shown: Shown, report: Report, result: Result | None) -> str:
    """Give the command that plays it again, where somebody will want to."""
    if result is None or result.verdict not in (Verdict.FAIL, Verdict.ERROR):
        return ""
    return " ".join(shown.again(report, result))


def _rules(
    scenario: Scenario | None, result: Result, corpus: Corpus, edition: str
) -> tuple[str, ...]:
    """Give the rules that a scenario cites, as numbered in an edition."""
    editions = corpus.editions
    if scenario is None or edition not in editions.sections:
        return result.rules
    numbers = (editions.number_in(edition, rule) for rule in scenario.rules)
    return tuple(dict.fromkeys(number for number in numbers if number is not None))


def _named(scenario: Scenario) -> list[str]:
    """Give the cards of a scenario, without the Plains that fill a library nobody speaks of."""
    given = scenario.given
    named = [
        item["card"]
        for player in given["players"]
        for zone in ("battlefield", "hand", "graveyard", "exile")
        for item in given[player][zone]
    ]
    libraries = [
        item["card"]
        for player in given["players"]
        for item in given[player]["library"]
        if item["card"] != "Plains"
    ]
    return list(dict.fromkeys([*named, *libraries]))


def _cards(rulings: Sequence[RulingView], corpus: Corpus) -> tuple[CardView, ...]:
    """Give every card that a scenario plays or an official ruling is about, by name."""
    played: dict[str, list[RulingView]] = {}
    for ruling in rulings:
        for name in ruling.cards:
            played.setdefault(name, []).append(ruling)
    official: dict[str, list[Mapping[str, Any]]] = {}
    for entry in corpus.catalog.values():
        for name in entry.get("cards") or ():
            official.setdefault(name, []).append(entry)
    pages = Names()
    return tuple(
        CardView(
            name=name,
            page=f"cards/{pages.of(name)}.html",
            facts=corpus.cards.get(name),
            official=tuple(official.get(name, ())),
            rulings=tuple(played.get(name, ())),
        )
        for name in sorted({*played, *official}, key=slug)
    )
