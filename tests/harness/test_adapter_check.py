"""Every check of adapters finds what it is there for, and shows the lines (issue 4 §1)."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.adapter_check import CHECKS, Checked, Checkup, check_adapter
from harness.connection import CannotStartError
from harness.engines import resolve
from harness.scenario import Scenario

MakeScenario = Callable[..., Scenario]

CONTRARY = Path(__file__).parent / "contrary.py"


@pytest.fixture
def scenarios(scenario: MakeScenario) -> list[Scenario]:
    look = {"expect": {"designation": "night", "players": {"alice": {"life": 20}}}}
    return [
        scenario({"concede": {"player": player}}, look, name=player, needs=())
        for player in ("alice", "bob")
    ]


def check(fault: str, scenarios: list[Scenario], *only: str) -> Checkup:
    command = shlex.join([sys.executable, str(CONTRARY), *([fault] if fault else [])])
    return check_adapter(resolve(f"cmd:{command}"), scenarios, timeout=5, only=only)


def test_one_that_behaves_has_no_finding(scenarios: list[Scenario]) -> None:
    seen: list[Checked] = []
    command = f"cmd:{shlex.join([sys.executable, str(CONTRARY)])}"
    checkup = check_adapter(resolve(command), scenarios, timeout=5, on_check=seen.append)
    assert checkup.findings == ()
    assert (checkup.played, checkup.answered) == (2, 2)
    assert list(checkup.checks) == seen
    assert [checked.name for checked in seen] == [each.name for each in CHECKS]
    assert json.loads(json.dumps(checkup.to_json()))["engine"]["name"] == "contrary"


# What is wrong, which check finds it, and how that begins.
FAULTS = [
    ("shy", "hello", "it does not say its language, which reports show"),
    ("boastful", "capabilities", "there is no capability 'evnets'; did it mean 'events'?"),
    ("any-version", "versions", "no version that it speaks was offered: answer an error"),
    ("newest-version", "versions", "it should choose version 1"),
    ("hello-once", "hello-again", "it should answer as it did at first"),
    ("dies-of-nonsense", "malformed", "it ended with exit status 1; its log ends: "),
    ("null-for-nonsense", "malformed", "not a JSON object: 'null'"),
    ("dances", "unknown-type", "it should answer an error"),
    ("tolerant", "incomplete", "there is no given: it should answer an error"),
    ("plays-anything", "unknown-words", "an unknown step should not be played"),
    ("sees-anything", "unknown-words", "an unknown attribute should not be played"),
    ("makes-up-cards", "unknown-card", "it should say that the card is unsupported"),
    ("strict", "unknown-keys", "keys that it does not know changed the answer: before it was "),
    ("learns", "expected-values", "expected values in the request changed the answer: "),
    ("small-lines", "large", "it ended with exit status 1; its log ends: "),
    ("wrong-type", "complete", "observations[0].designation: 3 is not one of "),
    (
        "forgets-a-key",
        "complete",
        "observation 1 (step 2): designation was asked for and is missing",
    ),
    ("tells-too-much", "complete", "observation 1 has 'weather', which was not asked for"),
    ("liar", "complete", "it declared the card Plains and then said that it is unsupported: "),
    ("random", "deterministic", "the same was answered otherwise before: "),
    ("own-ids", "ids", "it should give 0 back"),
    ("small-ids", "ids", "it should give 9007199254740991 back"),
    ("needs-hello", "run-first", "it ended with exit status 4"),
    ("chats", "lockstep", "after its answer it went on"),
    ("silent-bye", "bye", "bye was not answered"),
    ("wordy-bye", "bye", "not JSON (Expecting value: line 1 column 1 (char 0)): 'Bye!'"),
    ("status", "bye", "it ended with exit status 7"),
    ("stays", "bye", "it was still running after 0.5 s"),
    ("leaves-a-child", "bye", "it left 1 process running"),
    ("last-words", "end-of-input", "it should say nothing"),
    ("ends-badly", "end-of-input", "it ended with exit status 1; its log ends: "),
]


@pytest.mark.parametrize(("fault", "name", "message"), FAULTS)
def test_a_fault_is_found(
    scenarios: list[Scenario],
    monkeypatch: pytest.MonkeyPatch,
    fault: str,
    name: str,
    message: str,
) -> None:
    if fault == "stays":
        monkeypatch.setattr("harness.adapter_check.GRACE", 0.5)
    checkup = check(fault, scenarios, name)
    found = [finding.message for finding in checkup.findings]
    assert any(said.startswith(message) for said in found), found
    assert {finding.check for finding in checkup.findings} == {name}


def test_every_check_finds_something() -> None:
    # `unicode` needs an adapter that reads escapes wrongly, which no JSON library does.
    assert {each.name for each in CHECKS} - {name for _, name, _ in FAULTS} == {"unicode"}


def test_a_finding_shows_the_lines(scenarios: list[Scenario]) -> None:
    (finding,) = check("dances", scenarios, "unknown-type").findings
    assert finding.lines() == [
        "unknown-type: it should answer an error",
        '  sent      {"type":"dance","id":1}',
        '  received  {"type":"observations","id":1,"observations":[]}',
    ]


def test_one_that_can_be_sent_nothing_is_told_so(scenario: MakeScenario) -> None:
    hard = scenario({"concede": {"player": "alice"}}, {"expect": {"designation": "night"}})
    checkup = check("", [hard])
    assert [finding.lines() for finding in checkup.findings] == [
        ["complete: no scenario of the corpus can be sent to it: nothing was played"]
    ]


def test_one_that_does_not_start_is_told_at_once(scenarios: list[Scenario]) -> None:
    with pytest.raises(CannotStartError, match="No such file"):
        check_adapter(resolve("cmd:/nowhere"), scenarios)


def test_one_that_goes_by_the_facts_it_is_sent_may_know_its_cards_by_name(
    tmp_path: Path, scenarios: list[Scenario]
) -> None:
    script = tmp_path / "by_facts.py"
    script.write_text(
        """
from harness.protocol import Adapter, EngineInfo, Unsupported, serve

class ByFacts(Adapter[None]):
    engine = EngineInfo("by facts", "1")
    cards = ("Plains",)

    def set_up(self, given, cards):
        for name in cards:
            if name not in self.cards:
                raise Unsupported("card", name)

    def act(self, game, step): ...

    def observe(self, game, look):
        return {key: {"active": "alice"} for key in look if key == "turn"}

serve(ByFacts())
"""
    )
    command = shlex.join([sys.executable, str(script)])
    checkup = check_adapter(resolve(f"cmd:{command}"), scenarios, timeout=5, only=["unknown-card"])
    assert checkup.findings == ()
