"""Scenarios as tests of pytest: `pytest --rulings --rulings-engine 'cmd:…'`.

Off until it is asked for, and until then it costs nothing: all of the harness is imported late.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from harness.connection import CannotStartError
    from harness.expectations import Account, Expectations
    from harness.model import Engine, Report, Result
    from harness.protocol import Adapter
    from harness.quarantine import Quarantine
    from harness.runner import Player
    from harness.scenario import Scenario
    from harness.selection import Chosen

ROOT = "rulings"
"""How the ids of the items begin: `rulings::2021-09-24/…#front face up`."""

LISTED = "the list of known failures"
"""The item that fails when the list itself is wrong."""

MARK = (
    "rulings(key, source, level, date): a scenario of card-rulings; each can be asked for, as in "
    "-m 'rulings(level=\"must\")'"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Say what can be asked for."""
    group = parser.getgroup("rulings", "rulings of Magic: The Gathering (card-rulings)")
    add = group.addoption
    add("--rulings", action="store_true", help="collect the scenarios of card-rulings as tests")
    add(
        "--rulings-engine",
        metavar="ENGINE",
        default="reference",
        help="the engine that plays them: a name of `rulings engines`, cmd:COMMAND or "
        "python:MODULE:FACTORY (default: reference)",
    )
    add(
        "--rulings-select",
        metavar="SELECT",
        action="append",
        default=[],
        help="only what this means, as in `rulings run SELECT`; may be repeated",
    )
    add(
        "--rulings-expectations",
        metavar="FILE",
        help="failures that are known: xfail, strictly, and only if they fail as the file says",
    )
    add(
        "--rulings-quarantine",
        metavar="FILE",
        help="scenarios in doubt: xfail if they fail (default: the corpus' quarantine.yaml)",
    )
    add("--rulings-edition", metavar="DATE", help="edition of the Comprehensive Rules to play by")
    add(
        "--rulings-timeout",
        metavar="S",
        type=float,
        default=10.0,
        help="seconds for one scenario (default: 10)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Take part, if that is wanted."""
    config.addinivalue_line("markers", MARK)
    if not config.option.rulings:
        return
    _take_ids(config)
    config.pluginmanager.register(Rulings(config), "card-rulings")


def _take_ids(config: pytest.Config) -> None:
    """Take `rulings::ID` from the arguments, which pytest would look for among its files.

    When nothing else is there, only scenarios are wanted. The workers of pytest-xdist have the
    options of their controller and not its arguments, so that an option has to say so.
    """
    ids = [arg for arg in config.args if arg.partition("::")[0] == ROOT and "::" in arg]
    if ids:
        rest = [arg for arg in config.args if arg not in ids]
        config.option.rulings_ids = [each.partition("::")[2] for each in ids]
        config.option.rulings_alone = not rest
        config.args[:] = rest
    elif getattr(config.option, "rulings_alone", False):
        config.args[:] = []


class Rulings:
    """Adds the scenarios to what is collected, and sees that a run has proved something."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.outcomes = {"played": 0, "unsupported": 0}

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Let the session find the scenarios beside its files."""
        report = yield
        if isinstance(collector, pytest.Session) and report.result is not None:
            report.result.append(Scenarios.from_parent(collector, name=ROOT, nodeid=ROOT))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count what was played; with pytest-xdist the controller hears of all of it."""
        if report.when == "call" and report.nodeid.startswith(f"{ROOT}::"):
            verdict = dict(report.user_properties).get("verdict")
            if verdict is not None:
                what = "unsupported" if verdict == "unsupported" else "played"
                self.outcomes[what] += 1

    @property
    def nothing_played(self) -> bool:
        """Whether the engine supports none of what it was asked for: that proves nothing."""
        return bool(self.outcomes["unsupported"]) and not self.outcomes["played"]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Never let a run of nothing end well."""
        worker = hasattr(self.config, "workerinput")
        if self.nothing_played and exitstatus == pytest.ExitCode.OK and not worker:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say why."""
        if self.nothing_played:
            terminalreporter.section("rulings", red=True)
            terminalreporter.line(
                "Nothing was played: the engine supports none of these scenarios.", red=True
            )


class Scenarios(pytest.Collector):
    """The scenarios that the options mean."""

    def collect(self) -> Iterator[pytest.Item]:
        """Give an item a scenario, and one for the list of known failures."""
        playing = _playing(self.config)
        wanted: list[str] | None = getattr(self.config.option, "rulings_ids", None)
        for word in wanted or ():
            if word != LISTED and not any(_is_meant(s.id, word) for s in playing.chosen.scenarios):
                raise self.CollectError(f"no scenario is {ROOT}::{word}")
        if playing.known is not None and (not wanted or LISTED in wanted):
            yield ListItem.make(self, LISTED, playing)
        for scenario in playing.chosen.scenarios:
            if not wanted or any(_is_meant(scenario.id, word) for word in wanted):
                yield ScenarioItem.make(self, scenario, playing)


def _is_meant(scenario_id: str, word: str) -> bool:
    """Say whether a word after `rulings::` is the id, its file, its folder, or nothing at all."""
    return not word or scenario_id == word or scenario_id.startswith((f"{word}#", f"{word}/"))


@dataclass
class Playing:
    """What the items of one run share: the scenarios, the engine and what is known of it."""

    chosen: Chosen
    player: Player
    how: str
    known: Expectations | None
    doubts: Quarantine
    broken: CannotStartError | None = None

    def start(self) -> Engine:
        """Start the engine when the first item needs it; one that did not start is not asked again.

        Raises `CannotStartError`.
        """
        from harness.connection import CannotStartError

        if self.broken is not None:
            raise self.broken
        try:
            return self.player.engine or self.player.start()
        except CannotStartError as error:
            self.broken = error
            raise

    def account(self, result: Result) -> tuple[Report, Account]:
        """Give one result as a run of its own, set against what is known."""
        from harness.expectations import Expectations, settle
        from harness.model import Report

        report = Report(self.start(), self.chosen.info, (result,))
        aliases = {result.id: self.scenarios[result.id].aliases}
        return report, settle(self.known or Expectations(), report.results, aliases)

    def faults(self) -> Sequence[str]:
        """Say what is wrong with the list of known failures, whatever is played."""
        from harness.expectations import Expectations, settle

        aliases = {each.id: each.aliases for each in self.scenarios.values()}
        return settle(self.known or Expectations(), (), aliases).faults

    @cached_property
    def scenarios(self) -> Mapping[str, Scenario]:
        """All that there are, chosen or not, by their ids."""
        return {scenario.id: scenario for scenario in self.chosen.corpus.scenarios}


def _playing(config: pytest.Config) -> Playing:
    """Find out what is to be played; whatever is wrong with that is an error of the collection."""
    from harness import quarantine
    from harness.corpus import load_corpus
    from harness.engines import UnknownEngineError, resolve
    from harness.expectations import load
    from harness.problem import BadCorpus
    from harness.runner import Player
    from harness.selection import BadExpressionError, NothingSelectedError, choose, files_named

    option = config.option
    words = tuple(option.rulings_select)
    try:
        reachable = resolve(option.rulings_engine)
        known = None
        if option.rulings_expectations:
            known = load(config.invocation_params.dir / option.rulings_expectations)
        place = option.rulings_quarantine
        doubts = (
            quarantine.load(config.invocation_params.dir / place) if place else quarantine.usual()
        )
        corpus = load_corpus(files=files_named(words))
        chosen = choose(corpus, words, edition=option.rulings_edition, playing=True)
    except BadCorpus as error:
        raise pytest.Collector.CollectError("\n".join(map(str, error.problems))) from None
    except NothingSelectedError as error:
        near = f"; near it: {', '.join(error.near)}" if error.near else ""
        raise pytest.Collector.CollectError(f"nothing selected: {error}{near}") from None
    except (UnknownEngineError, BadExpressionError) as error:
        raise pytest.Collector.CollectError(str(error)) from None
    player = Player(reachable, option.rulings_timeout)
    config.add_cleanup(player.close)
    return Playing(chosen, player, option.rulings_engine, known, doubts)


class Failed(Exception):  # noqa: N818 - it carries what is shown and is never seen itself
    """A scenario did not come out as it should."""

    def __init__(self, tell: Callable[[bool], str], brief: str) -> None:
        super().__init__(brief)
        self.tell = tell
        self.brief = brief


class Told:
    """What pytest shows of a failure: the report's own text, coloured where that is wanted."""

    def __init__(self, failed: Failed) -> None:
        self.failed = failed
        self.reprcrash = SimpleNamespace(message=failed.brief)

    def toterminal(self, tw: Any) -> None:
        """Write it to the terminal."""
        for line in self.failed.tell(tw.hasmarkup).splitlines():
            tw.line(line)

    def __str__(self) -> str:
        return self.failed.tell(False)


class RulingItem(pytest.Item):
    """What is common to all items: they fail in the words of the report."""

    where: tuple[Path, int]
    playing: Playing

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        """Tell a failure as the text report does."""
        if isinstance(excinfo.value, Failed):
            return Told(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Say where the scenario is; the words before its id keep pytest from parsing the id."""
        path, line = self.where
        return path, line - 1, f"scenario {self.name}"


class ScenarioItem(RulingItem):
    """One scenario."""

    scenario: Scenario

    @classmethod
    def make(cls, parent: pytest.Collector, scenario: Scenario, playing: Playing) -> ScenarioItem:
        """Make the item with all that -k and -m can ask for."""
        item: ScenarioItem = cls.from_parent(parent, name=scenario.id)
        item.scenario = scenario
        item.playing = playing
        item.where = Path(scenario.path), scenario.line
        item.extra_keyword_matches.update((scenario.ruling, *scenario.rules, *scenario.cards))
        item.add_marker(
            pytest.mark.rulings(
                key=scenario.ruling,
                source=scenario.source,
                level=scenario.level,
                date=scenario.date,
            )
        )
        item.user_properties.append(("rules", " ".join(scenario.rules)))
        return item

    def runtest(self) -> None:
        """Play it; what is known to fail is xfail, what is unsupported is skipped."""
        from harness.connection import CannotStartError
        from harness.expectations import Standing
        from harness.model import Verdict
        from harness.reports import Shown
        from harness.reports.escape import line, plain
        from harness.reports.text import failure, one_line

        try:
            self.playing.start()
        except CannotStartError as error:
            text = f"{self.playing.how} could not be started: {line(error.reason)}"
            log = "".join(f"\n  | {said}" for said in plain(error.log).splitlines())
            raise Failed(lambda color: f"{text}{log}", text) from None
        result = self.playing.player.result(self.scenario)
        self.user_properties.append(("verdict", result.verdict.value))
        report, account = self.playing.account(result)
        [item] = account.items
        doubt = self.playing.doubts.entry_for((self.scenario.id, *self.scenario.aliases))
        if doubt is not None and result.verdict is Verdict.PASS:
            return
        if doubt is not None and result.verdict is not Verdict.UNSUPPORTED:
            pytest.xfail(f"in quarantine: {doubt.reason}")
        if item.standing is Standing.KNOWN and item.entry is not None:
            pytest.xfail(item.entry.reason)  # does nothing with --runxfail
        elif item.standing is Standing.EXPECTED and result.verdict is Verdict.UNSUPPORTED:
            reason = f"unsupported: {one_line(result)}"
            raise pytest.skip.Exception(reason, _use_item_location=True)
        elif not item.is_unexpected:
            return
        shown = Shown(scenarios=self.playing.scenarios, accounts=[(report, account)], width=80)

        def tell(color: bool) -> str:
            return "\n".join(failure(report, result, replace(shown, color=color)))

        if item.standing is Standing.PASSES and item.entry is not None:
            raise Failed(tell, f"[XPASS(strict)] {item.entry.reason}")
        raise Failed(tell, one_line(result))


class ListItem(RulingItem):
    """The list of known failures itself: whatever it speaks of must be there."""

    @classmethod
    def make(cls, parent: pytest.Collector, name: str, playing: Playing) -> ListItem:
        """Make the item."""
        item: ListItem = cls.from_parent(parent, name=name)
        item.playing = playing
        item.where = item.config.invocation_params.dir / item.config.option.rulings_expectations, 1
        item.add_marker(pytest.mark.rulings())
        return item

    def runtest(self) -> None:
        """Say what is wrong with the list."""
        faults = self.playing.faults()
        if faults:
            raise Failed(lambda color: "\n".join(faults), faults[0])


class InProcessEngine:
    """A Python engine in the process of the tests: what the fixture `rulings_engine` gives.

    `about` is what it said of itself, `adapter` the object itself, for a debugger to step into.
    """

    def __init__(self, player: Player, adapter: Adapter[Any], edition: str | None) -> None:
        from harness.corpus import load_corpus

        assert player.engine is not None
        self.about = player.engine
        self.adapter = adapter
        self._player = player
        self._edition = edition
        self._corpus = load_corpus()

    def play(self, *select: str) -> list[Result]:
        """Play the scenarios that words mean, as in `rulings run`, and give their results."""
        from harness.selection import choose

        chosen = choose(self._corpus, select, edition=self._edition, playing=True)
        return [self._player.result(scenario) for scenario in chosen.scenarios]


@pytest.fixture(scope="session")
def rulings_engine(pytestconfig: pytest.Config) -> Iterator[InProcessEngine]:
    """Give the engine of `--rulings-engine` in this process; only Python engines can be there."""
    from harness.connection import CannotStartError, InProcess
    from harness.engines import UnknownEngineError, resolve
    from harness.runner import Player

    how = pytestconfig.option.rulings_engine
    try:
        player = Player(resolve(how), pytestconfig.option.rulings_timeout)
        player.start()
    except (CannotStartError, UnknownEngineError) as error:
        pytest.fail(f"{how} could not be started: {error}", pytrace=False)
    try:
        connection = player.connection
        if not isinstance(connection, InProcess) or connection.adapter is None:
            pytest.fail(f"{how} runs in a process of its own, not in that of pytest", pytrace=False)
        yield InProcessEngine(player, connection.adapter, pytestconfig.option.rulings_edition)
    finally:
        player.close()
