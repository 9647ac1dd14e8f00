"""A scenario as a line in time: turns and steps, what was done there, and day or night over it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from harness.protocol.words import event_word
from harness.telling import tell

if TYPE_CHECKING:
    from harness.scenario import Scenario, Step

STEPS = (
    "untap",
    "upkeep",
    "draw",
    "precombat main",
    "beginning of combat",
    "declare attackers",
    "declare blockers",
    "first-strike damage",
    "combat damage",
    "end of combat",
    "postcombat main",
    "end",
    "cleanup",
)
"""The steps and phases of a turn, in their order."""

LIGHTS = ("neither", "day", "night")


@dataclass(frozen=True, slots=True)
class Moment:
    """One step of the scenario as it is told; `light` is what is known to hold after it."""

    number: int
    text: str
    looks: tuple[tuple[str, str], ...]
    light: str
    changes: bool
    """Whether the light is another one than before."""
    leads: str
    """The light that is known next."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What happens in one step of one turn; `whose` is None where the scenario does not say."""

    whose: str | None
    step: str
    opens: str
    """The light as the stage begins."""
    moments: tuple[Moment, ...]
    new_turn: bool

    @property
    def at(self) -> int:
        """Give the place of the step in its turn, from 0."""
        return STEPS.index(self.step) if self.step in STEPS else -1

    @property
    def light(self) -> str:
        """The light as the stage ends."""
        return self.moments[-1].light if self.moments else self.opens


@dataclass(slots=True)
class _Clock:
    """Where the game is, as far as the scenario itself says."""

    whose: str | None
    step: str
    light: str

    def moved(self, step: Step) -> _Clock:
        """Give where a step takes the game."""
        here = _Clock(self.whose, self.step, self.light)
        if step.word == "advance":
            to, of = str(step.args.get("to", self.step)), step.args.get("of")
            if of is not None:
                here.whose = str(of)
            elif not _later(to, self.step):
                here.whose = None  # the next such step may be anyone's
            here.step = to
        elif step.word == "attack":
            here.step = "declare attackers"
        elif step.word == "block":
            here.step = "declare blockers"
        elif step.word == "directive" and step.args.get("become") in LIGHTS:
            here.light = str(step.args["become"])
        elif step.expect is not None:
            turn = step.expect.get("turn") or {}
            here.whose = turn.get("active", self.whose)
            here.step = turn.get("step", self.step)
            here.light = _light(step.expect) or self.light
        return here


def timeline(scenario: Scenario) -> tuple[Stage, ...]:
    """Set a scenario's steps in the turns and steps of the game in which they happen.

    Day and night are shown from where the scenario says so: at the start, where an effect makes
    it one or the other, and where a look expects it.
    """
    told = tell(scenario).steps
    turn = scenario.given.get("turn") or {}
    clock = _Clock(
        turn.get("active"),
        str(turn.get("step", "precombat main")),
        str(scenario.given.get("designation") or "neither"),
    )
    stages: list[Stage] = []
    moments: list[Moment] = []
    opens, new_turn = clock.light, False

    def close() -> None:
        stages.append(Stage(clock.whose, clock.step, opens, tuple(moments), new_turn))
        moments.clear()

    for step, words in zip(scenario.steps, told, strict=True):
        here = clock.moved(step)
        if (here.whose, here.step) != (clock.whose, clock.step) or step.word == "advance":
            close()
            new_turn = here.whose != clock.whose or not _later(here.step, clock.step)
            opens = clock.light
        moments.append(
            Moment(
                words.number,
                words.text,
                words.looks,
                here.light,
                here.light != clock.light,
                here.light,
            )
        )
        clock = here
    close()
    return tuple(_leading(stages))


def _leading(stages: list[Stage]) -> list[Stage]:
    """Say of each moment what light comes next, so that dusk and dawn can be drawn."""
    lights = [moment.light for stage in stages for moment in stage.moments]
    following = iter([*lights[1:], *lights[-1:]])
    return [
        replace(
            stage,
            moments=tuple(replace(moment, leads=next(following)) for moment in stage.moments),
        )
        for stage in stages
    ]


def _later(step: str, than: str) -> bool:
    """Say whether a step comes after another one in the same turn."""
    if step not in STEPS or than not in STEPS:
        return False
    return STEPS.index(step) > STEPS.index(than)


def _light(expect: Mapping[str, Any]) -> str | None:
    """Give whether a look finds it day or night, if it says so."""
    if expect.get("designation") in LIGHTS:
        return str(expect["designation"])
    for item in reversed(expect.get("events") or ()):
        if event_word(item) == "became" and item["became"] in LIGHTS:
            return str(item["became"])
    return None
