"""Scenarios are asked, judged and reported; engines are found."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from harness.connection import CannotStartError, Connection, InProcess
from harness.engines import Factory, Process, Reachable, UnknownEngineError, listing, resolve
from harness.model import CorpusInfo, Engine, Report, Result
from harness.protocol import Adapter, Command, EngineInfo, Refused
from harness.runner import NothingToRunError, run
from harness.scenario import Scenario

MakeScenario = Callable[..., Scenario]

CAST: dict[str, Any] = {"cast": {"player": "alice", "object": "wolf"}}
LOOK = {"expect": {"designation": "night"}}


class Toy(Adapter[None]):
    """Says it is night, refuses what carol does, and breaks in the ways of its class."""

    engine = EngineInfo("toy", "1")
    made = 0

    def __init__(self, argument: str = "") -> None:
        type(self).made += 1
        self.argument = argument

    def set_up(self, given: Mapping[str, Any], cards: Mapping[str, Mapping[str, Any]]) -> None:
        return

    def act(self, game: None, step: Mapping[str, Any]) -> None:
        if step["player"] == "carol":
            raise Refused("carol may not")
        if step["player"] == "bob":
            self.misbehave()

    def misbehave(self) -> None:
        """Do what the class is there for."""

    def observe(self, game: None, look: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"designation": "night", "stack": [], "events": []}


class Declares(Toy):
    capabilities = ("events",)
    cards = ("Plains", "Forest")


class Loops(Toy):
    def misbehave(self) -> None:
        while True:
            try:
                while True:
                    pass
            except Exception:
                continue


class Exits(Toy):
    def misbehave(self) -> None:
        sys.exit("out of here")


class Breaks(Toy):
    def misbehave(self) -> None:
        raise KeyError("wolf")


class Interrupted(Toy):
    def misbehave(self) -> None:
        raise KeyboardInterrupt


class Huge(Toy):
    def observe(self, game: None, look: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"designation": "x" * 2_000_000}


@dataclass(frozen=True)
class Here(Reachable):
    """An adapter's class, reached in this process."""

    adapter: type[Adapter[Any]]
    how: str = "here"

    def connect(self, *, apart: bool = False) -> Connection:
        return InProcess(self.adapter())


def play(
    adapter: type[Adapter[Any]], scenarios: Sequence[Scenario], **options: Any
) -> tuple[Report, list[str]]:
    report = run(scenarios, Here(adapter), **options)
    return report, [result.verdict.value for result in report.results]


def by(player: str) -> dict[str, Any]:
    return {"concede": {"player": player}}


def test_a_report_has_all_of_it(scenario: MakeScenario) -> None:
    corpus = CorpusInfo("1", "abc", "2024-06-07")
    started: list[Engine] = []
    report = run(
        [scenario(LOOK), scenario({"expect": {"designation": "day"}}, name="two")],
        Here(Toy),
        corpus=corpus,
        on_start=started.append,
    )
    assert report.engine.name == "toy" and report.engine.how == "here"
    assert started == [report.engine]
    assert report.corpus == corpus
    assert report.complete
    assert report.summary == {
        "pass": 1,
        "fail": 1,
        "unsupported": 0,
        "error": 0,
        "not_run": 0,
    }
    first = report.results[0]
    assert (first.id, first.ruling, first.rules) == (
        "made/by-hand#one",
        "by-hand",
        ("702.145b", "712.11"),
    )
    assert (first.file, first.line, first.level) == ("rulings/made/by-hand.yaml", 7, "must")
    assert first.detail is None


def test_a_run_of_nothing_is_an_error() -> None:
    with pytest.raises(NothingToRunError):
        run([], Here(Toy))


def test_refused_actions_are_judged(scenario: MakeScenario) -> None:
    scenarios = [
        scenario(by("carol"), needs=()),
        scenario({**by("carol"), "refused": True}, needs=()),
    ]
    assert play(Toy, scenarios)[1] == ["fail", "pass"]


def test_what_is_not_declared_is_not_asked(scenario: MakeScenario) -> None:
    choosing = {**by("alice"), "choices": [{"player": "alice", "choose": "yes"}]}
    wolf = {"alice": {"hand": [{"id": "wolf", "card": "Watchwolf"}]}}
    report, verdicts = play(
        Declares,
        [
            scenario(LOOK, name="plain"),
            scenario({"expect": {"events": []}}, name="events"),
            scenario(choosing, LOOK, name="choices"),
            scenario(LOOK, given=wolf, name="card"),
        ],
    )
    assert verdicts == ["pass", "pass", "unsupported", "unsupported"]
    assert report.results[2].detail == {
        "kind": "capability",
        "name": "choices",
        "reason": "the engine does not declare this capability",
    }
    assert report.results[3].detail == {
        "kind": "card",
        "name": "Watchwolf",
        "reason": "the engine does not declare this card",
    }


def test_an_exception_is_an_error_of_the_engine_and_the_rest_goes_on(
    scenario: MakeScenario,
) -> None:
    scenarios = [scenario(by("bob"), LOOK, needs=()), scenario(LOOK)]
    report, verdicts = play(Breaks, scenarios)
    assert verdicts == ["error", "pass"]
    detail = report.results[0].detail
    assert detail is not None
    assert (detail["kind"], detail["reason"]) == ("engine", "KeyError: 'wolf'")
    assert detail["log"].endswith("KeyError: 'wolf'")


def test_in_process_a_loop_ends_by_the_time_out(scenario: MakeScenario) -> None:
    before = Loops.made
    scenarios = [scenario(by("bob"), LOOK, needs=()), scenario(LOOK)]
    report, verdicts = play(Loops, scenarios, timeout=0.1)
    assert verdicts == ["error", "pass"]
    assert report.results[0].detail == {
        "kind": "timeout",
        "reason": "no answer within 0.1 s",
        "log": "",
    }
    assert Loops.made == before + 2  # a new one for the rest


def test_in_process_an_exit_is_a_crash(scenario: MakeScenario) -> None:
    report, verdicts = play(Exits, [scenario(by("bob"), LOOK, needs=()), scenario(LOOK)])
    assert verdicts == ["error", "pass"]
    detail = report.results[0].detail
    assert detail is not None
    assert (detail["kind"], detail["reason"]) == ("crash", "SystemExit: out of here")


def test_in_process_a_reply_is_bounded_too(scenario: MakeScenario) -> None:
    report, verdicts = play(Huge, [scenario(LOOK)])
    assert verdicts == ["error"]
    detail = report.results[0].detail
    assert detail is not None
    assert (detail["kind"], detail["reason"]) == ("protocol", "a line of more than 1048576 bytes")


def test_interrupted_the_report_is_incomplete(scenario: MakeScenario) -> None:
    seen: list[Result] = []
    scenarios = [scenario(LOOK), scenario(by("bob"), LOOK, needs=()), scenario(LOOK)]
    report, verdicts = play(Interrupted, scenarios, on_result=seen.append)
    assert verdicts == ["pass", "not_run", "not_run"]
    assert not report.complete
    assert len(seen) == 1
    assert report.results[1].detail is None


def test_the_report_of_a_misshapen_reply_quotes_the_schema(scenario: MakeScenario) -> None:
    class Misshapen(Toy):
        def observe(self, game: None, look: Mapping[str, Any]) -> Mapping[str, Any]:
            return {"stack": "empty"}

    report, _ = play(Misshapen, [scenario({"expect": {"stack": []}})])
    detail = report.results[0].detail
    assert detail is not None
    assert detail["reason"] == (
        'observation 1 (step 1): stack is "empty", not a list; '
        "observations[0].stack: 'empty' is not of type 'array'"
    )


def test_the_same_plays_twice_are_stable(scenario: MakeScenario) -> None:
    assert play(Toy, [scenario(LOOK)], repeat=3)[1] == ["pass"]


def test_answers_that_the_language_calls_equal_are_stable(scenario: MakeScenario) -> None:
    class Shuffles(Toy):
        turn = 0

        def observe(self, game: None, look: Mapping[str, Any]) -> Mapping[str, Any]:
            self.turn += 1
            types = ["artifact", "creature"]
            return {"objects": {"wolf": {"types": types[:: 1 if self.turn % 2 else -1]}}}

    wanted = {"expect": {"objects": {"wolf": {"types": ["creature", "artifact"]}}}}
    assert play(Shuffles, [scenario(wanted)], repeat=4)[1] == ["pass"]


def test_two_outcomes_that_are_both_allowed_are_still_unstable(scenario: MakeScenario) -> None:
    class Wavers(Toy):
        turn = 0

        def observe(self, game: None, look: Mapping[str, Any]) -> Mapping[str, Any]:
            self.turn += 1
            return {"designation": "day" if self.turn % 2 else "night"}

    either = {"expect": {"any of": [{"designation": "day"}, {"designation": "night"}]}}
    report, verdicts = play(Wavers, [scenario(either)], repeat=2)
    assert verdicts == ["fail"]
    detail = report.results[0].detail
    assert detail is not None
    assert (detail["kind"], detail["path"]) == ("unstable", "any of")
    assert detail["reason"] == "2 plays gave different answers: 2 pass"


def test_another_reason_for_the_same_is_not_another_answer(scenario: MakeScenario) -> None:
    class Rambles(Toy):
        turn = 0

        def act(self, game: None, step: Mapping[str, Any]) -> None:
            self.turn += 1
            raise Refused(f"illegal: object at {self.turn:#x}")

    report, _ = play(Rambles, [scenario(by("alice"), needs=())], repeat=3)
    detail = report.results[0].detail
    assert detail is not None and detail["kind"] == "refused"


def test_an_error_in_one_play_is_an_error(scenario: MakeScenario) -> None:
    class Second(Toy):
        turn = 0

        def misbehave(self) -> None:
            self.turn += 1
            if self.turn == 2:
                raise KeyError("wolf")

    report, verdicts = play(Second, [scenario(by("bob"), LOOK, needs=())], repeat=3)
    assert verdicts == ["error"]
    detail = report.results[0].detail
    assert detail is not None and detail["reason"] == "KeyError: 'wolf' (play 2 of 3)"


def test_outside_the_main_thread_it_plays_too(scenario: MakeScenario) -> None:
    found: list[list[str]] = []
    thread = threading.Thread(target=lambda: found.append(play(Toy, [scenario(LOOK)])[1]))
    thread.start()
    thread.join(10)
    assert found == [["pass"]]


# -- reaching engines


def test_a_command_is_split_as_a_shell_splits() -> None:
    assert resolve("cmd:'./my engine' --fast") == Process(
        "cmd:'./my engine' --fast", ("./my engine", "--fast")
    )


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("cmd:", "cmd: needs a command behind it"),
        ("cmd:'", '"cmd:\'" cannot be split into words: No closing quotation'),
        ("python:module", "'python:module' has to be python:MODULE:FACTORY"),
        ("referense", "no engine is called 'referense'; did you mean 'reference'?"),
        ("", "no engine is called ''"),
    ],
)
def test_what_reaches_no_engine(spec: str, message: str) -> None:
    with pytest.raises(UnknownEngineError) as caught:
        resolve(spec)
    assert str(caught.value).startswith(message)


def test_a_factory_in_python_with_and_without_an_argument(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parent)
    plain = resolve("python:test_runner:Toy")
    assert plain == Factory("python:test_runner:Toy", "test_runner", "Toy")
    assert isinstance(plain.connect(), InProcess)
    assert resolve("python:test_runner:Toy:a:b") == Factory(
        "python:test_runner:Toy:a:b", "test_runner", "Toy", ("a:b",)
    )


def test_several_jobs_play_a_factory_in_processes_of_its_own(
    scenario: MakeScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parent)
    monkeypatch.chdir(Path(__file__).parent)
    scenarios = [scenario(LOOK, name=str(number)) for number in range(6)]
    alone = run(scenarios, "python:test_runner:Toy")
    together = run(scenarios, "python:test_runner:Toy", jobs=2)
    assert alone.results == together.results
    assert alone.engine == together.engine


def command() -> Command:
    return Command((sys.executable, "-m", "harness.protocol", "test_runner:Toy"))


def command_elsewhere() -> Command:
    argv = (sys.executable, "-m", "harness.protocol", "test_runner:Toy")
    return Command(argv, {"PYTHONPATH": ""}, cwd=str(Path(__file__).parent))


def command_in_a_hurry() -> Command:
    return Command(("sleep", "60"), start_timeout=0.2)


def not_installed() -> None:
    raise CannotStartError("set ENGINE_HOME", "and nothing else")


def nonsense() -> int:
    return 3


def broken() -> None:
    raise RuntimeError("no cards")


def test_a_factory_may_give_a_command(
    scenario: MakeScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parent)
    monkeypatch.chdir(Path(__file__).parent)
    report = run([scenario(LOOK)], "python:test_runner:command")
    assert report.summary["pass"] == 1 and report.engine.name == "toy"


def test_a_command_may_say_where_it_starts_and_how_long_it_may_take(
    scenario: MakeScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parent)
    report = run([scenario(LOOK)], "python:test_runner:command_elsewhere")
    assert report.summary["pass"] == 1
    with pytest.raises(CannotStartError, match=r"^no answer within 0\.2 s$"):
        run([scenario(LOOK)], "python:test_runner:command_in_a_hurry")
    with pytest.raises(CannotStartError, match=r"^no answer within 0\.1 s$"):
        run([scenario(LOOK)], "python:test_runner:command_in_a_hurry", start_timeout=0.1)


def test_a_factory_may_say_itself_why_its_engine_cannot_start(
    scenario: MakeScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parent)
    with pytest.raises(CannotStartError, match=r"^set ENGINE_HOME$") as caught:
        run([scenario(LOOK)], "python:test_runner:not_installed")
    assert caught.value.log == "and nothing else"


@pytest.mark.parametrize(
    ("factory", "reason"),
    [
        ("nonsense", "gave a int, not an Adapter or a Command"),
        ("broken", "RuntimeError: no cards"),
        ("missing", "has no attribute 'missing'"),
    ],
)
def test_a_factory_that_gives_no_engine_cannot_start(
    scenario: MakeScenario, monkeypatch: pytest.MonkeyPatch, factory: str, reason: str
) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parent)
    with pytest.raises(CannotStartError) as caught:
        run([scenario(LOOK)], f"python:test_runner:{factory}")
    assert reason in caught.value.reason


def test_a_module_that_is_not_there_cannot_start(scenario: MakeScenario) -> None:
    with pytest.raises(CannotStartError, match="No module named 'nowhere'"):
        run([scenario(LOOK)], "python:nowhere:engine")


def test_engines_are_listed_without_starting_them() -> None:
    listed = {each.name: each for each in listing()}
    assert listed["reference"].how == "reference_engine.adapter:engine"
    assert listed["reference"].package == "card-rulings"
