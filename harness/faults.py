"""Does the suite catch anything? Planted faults × scenarios: which scenario catches which fault.

A suite that no wrong engine fails proves nothing. Faults come from the entry point
group `card_rulings.faults`, as engines do from theirs: a function that gives objects with `name`,
`engine` (how it is reached), `rules` (the rules broken), `gist` and `control`.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from typing import Any

from harness.model import Verdict
from harness.runner import run
from harness.scenario import Scenario

GROUP = "card_rulings.faults"


@dataclass(frozen=True, slots=True)
class Fault:
    """A wrong engine: what is wrong with it, and the rules that it breaks."""

    name: str
    engine: str
    rules: tuple[str, ...]
    gist: str
    control: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the scenarios made of one fault, by their ids in the order of the corpus."""

    fault: Fault
    caught_by: tuple[str, ...]
    """Scenarios that fail on it and cite a rule that it breaks."""
    also: tuple[str, ...]
    """Scenarios that fail on it but cite none of these rules."""
    broken: tuple[str, ...]
    """Scenarios that end in an error on it: the fault itself is badly made."""
    passed: int
    """How many scenarios pass on it."""

    @property
    def good(self) -> bool:
        """Say whether it is as it should be: the control fails everything, a fault is caught."""
        return not self.passed if self.fault.control else bool(self.caught_by)


@dataclass(frozen=True, slots=True)
class Matrix:
    """All faults × all scenarios."""

    outcomes: tuple[Outcome, ...]
    scenarios: tuple[Scenario, ...]
    wrong: tuple[str, ...]
    """Scenarios that fail on the engine without a fault, by id."""
    every_scenario: bool = True
    """Whether all scenarios were played, so that a fault which none catches is a problem."""
    every_fault: bool = True
    """Whether all faults were, so that a scenario which catches none is a problem."""

    @property
    def void(self) -> bool:
        """Say whether the control passes anything: then nothing of this proves anything."""
        return any(each.passed for each in self.outcomes if each.fault.control)

    @property
    def planted(self) -> tuple[Outcome, ...]:
        """The outcomes of the faults, without the control."""
        return tuple(each for each in self.outcomes if not each.fault.control)

    def catches(self) -> dict[str, list[str]]:
        """Give for each scenario's id the names of the faults that fail it."""
        caught: dict[str, list[str]] = {scenario.id: [] for scenario in self.scenarios}
        for outcome in self.planted:
            for name in (*outcome.caught_by, *outcome.also):
                caught[name].append(outcome.fault.name)
        return caught

    def witnessed(self) -> frozenset[str]:
        """Give the rules of which breaking one changes the verdict of a scenario that cites it."""
        cited = {scenario.id: scenario.rules for scenario in self.scenarios}
        return frozenset(
            rule
            for outcome in self.planted
            for name in outcome.caught_by
            for rule in cited[name]
            if rule in outcome.fault.rules
        )

    def problems(self) -> list[str]:
        """Say all that is wrong, a line each; nothing if every fault is caught for the right reason
        and every scenario catches one or says why none can.
        """
        found = [f"{name} fails on the engine without a fault" for name in self.wrong]
        for each in self.outcomes:
            if each.fault.control and each.passed:
                found.append(
                    f"the run is void: {each.passed} scenarios pass on {each.fault.name}, "
                    "which does nothing"
                )
            if each.broken:
                found.append(f"{each.fault.name} ends in an error on {each.broken[0]}")
            if self.every_scenario and not each.good and not each.fault.control:
                why = (
                    f"only by {each.also[0]}, which cites no rule it breaks"
                    if each.also
                    else ("by no scenario")
                )
                found.append(f"{each.fault.name} is caught {why}")
        catches = self.catches() if self.every_fault else {}
        for scenario in self.scenarios if self.every_fault else ():
            if not catches[scenario.id] and scenario.catches_nothing is None:
                found.append(f"{scenario.id} catches no fault and does not say why")
            if catches[scenario.id] and scenario.catches_nothing is not None:
                found.append(f"{scenario.id} says that it catches nothing, but it does")
        return found

    def to_json(self) -> dict[str, Any]:
        """Give the matrix as `rulings faults --format json` prints it."""
        catches = self.catches()
        problems = self.problems()
        return {
            "summary": {
                "faults": len(self.planted),
                "caught": sum(1 for each in self.planted if each.caught_by),
                "scenarios": len(self.scenarios),
                "catching": sum(1 for names in catches.values() if names),
                "excused": sum(1 for one in self.scenarios if one.catches_nothing is not None),
                "void": self.void,
                "problems": len(problems),
            },
            "faults": [
                {
                    "name": each.fault.name,
                    "rule": each.fault.rules[0] if each.fault.rules else None,
                    "rules": list(each.fault.rules),
                    "gist": each.fault.gist,
                    "control": each.fault.control,
                    "caught_by": list(each.caught_by),
                    "also": list(each.also),
                }
                for each in self.outcomes
            ],
            "scenarios": [
                {
                    "id": scenario.id,
                    "catches": catches[scenario.id],
                    "catches_nothing": scenario.catches_nothing,
                }
                for scenario in self.scenarios
            ],
            "witnessed": sorted(self.witnessed()),
            "problems": problems,
        }


def planted() -> tuple[Fault, ...]:
    """Give all faults that are installed, those of one source after the other."""
    return tuple(
        Fault(each.name, each.engine, tuple(each.rules), each.gist, each.control)
        for source in sorted(metadata.entry_points(group=GROUP), key=lambda one: one.name)
        for each in source.load()()
    )


def play(
    scenarios: Sequence[Scenario],
    faults: Sequence[Fault],
    *,
    base: str,
    jobs: int = 1,
    about_only: bool = False,
    on_outcome: Callable[[Outcome], object] | None = None,
) -> Matrix:
    """Play every scenario on every fault, and first on the engine without any (`base`).

    A scenario that fails there catches nothing. Results do not depend on `jobs`, the number of
    processes. With `about_only` a fault meets only the scenarios that cite a rule it breaks, which
    is all that it takes to say which rules are witnessed.
    """
    verdicts = _verdicts(scenarios, base)
    sound = [one for one in scenarios if verdicts[one.id] is Verdict.PASS]
    wrong = tuple(one.id for one in scenarios if verdicts[one.id] is not Verdict.PASS)
    outcomes = []
    for outcome in _outcomes(sound, faults, jobs, about_only):
        outcomes.append(outcome)
        if on_outcome is not None:
            on_outcome(outcome)
    return Matrix(tuple(outcomes), tuple(scenarios), wrong)


def _outcomes(
    scenarios: Sequence[Scenario], faults: Sequence[Fault], jobs: int, about_only: bool
) -> Iterable[Outcome]:
    one = partial(_outcome, scenarios, about_only)
    if jobs == 1:
        yield from map(one, faults)
        return
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("fork")) as pool:
        yield from pool.map(one, faults)


def _outcome(scenarios: Sequence[Scenario], about_only: bool, fault: Fault) -> Outcome:
    breaks = frozenset(fault.rules)
    if about_only:
        scenarios = [one for one in scenarios if breaks.intersection(one.rules)]
    verdicts = _verdicts(scenarios, fault.engine) if scenarios else {}
    failing = [one for one in scenarios if verdicts[one.id] is Verdict.FAIL]
    return Outcome(
        fault,
        caught_by=tuple(one.id for one in failing if breaks.intersection(one.rules)),
        also=tuple(one.id for one in failing if not breaks.intersection(one.rules)),
        broken=tuple(one.id for one in scenarios if verdicts[one.id] is Verdict.ERROR),
        passed=sum(1 for verdict in verdicts.values() if verdict is Verdict.PASS),
    )


def _verdicts(scenarios: Sequence[Scenario], engine: str) -> dict[str, Verdict]:
    report = run(scenarios, engine)
    return {result.id: result.verdict for result in report.results}
