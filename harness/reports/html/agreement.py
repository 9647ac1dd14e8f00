"""Where engines that have nothing to do with each other agree against the suite.

One engine that departs from a scenario is probably wrong. Where several do, each written by other
people, and all in the same way, the scenario is the first thing to look at.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.model import Engine, Result, Verdict


@dataclass(frozen=True, slots=True)
class Agreement:
    """One way to depart from a scenario and the engines, by their places, that do."""

    result: Result
    """The result of the first of them."""
    engines: tuple[int, ...]
    families: int
    """How many of them are independent of each other."""


def family(engine: Engine) -> str:
    """Give what engines that are not independent have in common.

    Versions of an engine, and an engine with faults planted in it, are one family.
    """
    if engine.how == "reference" or engine.how.startswith("fault:"):
        return "reference"
    return engine.name.partition(":")[0].strip().casefold()


def agreements(
    engines: Sequence[Engine], results: Mapping[int, Result | None]
) -> tuple[Agreement, ...]:
    """Group the fails of one scenario by what came instead; only where two families agree.

    `results` are those of the engine at each place. What most families agree on comes first.
    """
    groups: dict[str, list[int]] = {}
    for place, result in results.items():
        if result is not None and result.verdict is Verdict.FAIL:
            groups.setdefault(_way(result), []).append(place)
    found = []
    for places in groups.values():
        families = {family(engines[place]) for place in places}
        first = results[places[0]]
        if len(families) > 1 and first is not None:
            found.append(Agreement(first, tuple(places), len(families)))
    return tuple(sorted(found, key=lambda each: -each.families))


def _way(result: Result) -> str:
    """Give how a result departs, in a form that is equal for equal departures."""
    detail = result.detail or {}
    seen = [detail.get(key) for key in ("kind", "step", "path", "got")]
    return json.dumps([result.digest, *seen], sort_keys=True, default=str)
