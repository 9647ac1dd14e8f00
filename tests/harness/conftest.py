"""Scenarios made by hand, for tests that need no corpus."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from harness.scenario import Scenario, cards_of, digest_of, explicit, needs_of, step_of

FACTS: dict[str, Any] = {"layout": "normal", "faces": [{"name": "", "types": ["creature"]}]}

MakeScenario = Callable[..., Scenario]


def make(
    *steps: Mapping[str, Any],
    name: str = "one",
    given: Mapping[str, Any] | None = None,
    rules: Sequence[str] = ("702.145b", "712.11"),
    needs: Sequence[str] | None = None,
) -> Scenario:
    """Make a scenario of the steps as a ruling file would have them."""
    made = tuple(step_of(step, line) for line, step in enumerate(steps, 10))
    stands = explicit(given or {})
    cards = dict.fromkeys(cards_of(stands), FACTS)
    return Scenario(
        id=f"made/by-hand#{name}",
        digest=digest_of(stands, made, "must", None, None),
        name=name,
        why="Because the test says so.",
        ruling="by-hand",
        source="official",
        date="2021-09-24",
        rules=tuple(rules),
        level="must",
        since=None,
        until=None,
        needs=tuple(sorted(needs_of(stands, made, cards.values())) if needs is None else needs),
        proves=(),
        aliases=(),
        catches_nothing=None,
        file="rulings/made/by-hand.yaml",
        path="/nowhere/by-hand.yaml",
        line=7,
        given=stands,
        steps=made,
        cards=cards,
    )


@pytest.fixture
def scenario() -> MakeScenario:
    """Give the function that makes a scenario of its steps."""
    return make
