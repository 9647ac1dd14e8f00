"""Does the suite catch anything? The matrix of planted faults, and what it calls a problem."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable

import pytest

from harness.faults import Fault, Matrix, Outcome
from harness.scenario import Scenario
from reference_engine.faults import FAULTS

MakeScenario = Callable[..., Scenario]
CONTROL = Fault("nothing", "fault:nothing", (), "Does nothing.", control=True)
WRONG = Fault("wrong", "fault:wrong", ("702.145b",), "Is wrong.")


@pytest.mark.slow
def test_every_fault_is_caught_for_the_right_reason() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "harness", "faults", "--format", "json"],
        capture_output=True,
        text=True,
        timeout=900,
    )
    found = json.loads(ran.stdout)
    assert found["problems"] == []
    assert ran.returncode == 0
    assert found["summary"]["faults"] >= 45
    assert found["summary"]["caught"] == found["summary"]["faults"]
    assert not found["summary"]["void"]
    assert all(each["caught_by"] for each in found["faults"] if not each["control"])


def test_every_fault_says_what_it_breaks_and_how() -> None:
    for fault in FAULTS.values():
        assert fault.gist, fault.name
        assert fault.control or fault.rules, fault.name
    assert sum(fault.control for fault in FAULTS.values()) == 1


def outcome(
    fault: Fault, caught: str = "", also: str = "", broken: str = "", passed: int = 0
) -> Outcome:
    def ids(name: str) -> tuple[str, ...]:
        return (name,) if name else ()

    return Outcome(fault, ids(caught), ids(also), ids(broken), passed)


@pytest.fixture
def one(request: pytest.FixtureRequest) -> Scenario:
    from harness.corpus import load_corpus

    return load_corpus(select=["daybound-spell-at-night"]).scenarios[0]


def test_a_fault_that_is_caught_is_no_problem(one: Scenario) -> None:
    matrix = Matrix((outcome(CONTROL), outcome(WRONG, caught=one.id)), (one,), ())
    assert matrix.problems() == []
    assert matrix.witnessed() == {"702.145b"} & set(one.rules)


@pytest.mark.parametrize(
    ("control", "wrong", "words"),
    [
        ({"passed": 1}, {"caught": "it"}, "the run is void: 1 scenarios pass on nothing"),
        ({}, {"also": "it"}, "wrong is caught only by"),
        ({}, {"caught": "it", "broken": "it"}, "wrong ends in an error on"),
        ({}, {}, "wrong is caught by no scenario"),
    ],
)
def test_what_is_wrong_is_said(
    one: Scenario, control: dict[str, int], wrong: dict[str, str], words: str
) -> None:
    it = {key: one.id for key in wrong}  # noqa: C420 - `wrong` says which, not what
    planted = outcome(WRONG, it.get("caught", ""), it.get("also", ""), it.get("broken", ""))
    matrix = Matrix((outcome(CONTROL, passed=control.get("passed", 0)), planted), (one,), ())
    assert any(problem.startswith(words) for problem in matrix.problems())


def test_a_scenario_that_catches_nothing_has_to_say_why(one: Scenario) -> None:
    matrix = Matrix((outcome(CONTROL), outcome(WRONG)), (one,), ())
    assert f"{one.id} catches no fault and does not say why" in matrix.problems()


def test_a_scenario_that_fails_without_a_fault_is_named(one: Scenario) -> None:
    matrix = Matrix((outcome(CONTROL), outcome(WRONG, caught=one.id)), (one,), (one.id,))
    assert f"{one.id} fails on the engine without a fault" in matrix.problems()
