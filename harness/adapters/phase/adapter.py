"""phase.rs behind the adapter protocol."""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from harness.adapters.phase import PACKAGE, cards, looking, steps
from harness.adapters.phase.table import FILLER, Table
from harness.protocol import Adapter, EngineInfo, Unsupported

CAPABILITIES = (
    "choices",
    "costs",
    "events",
    "extra turns",
    "face-down",
    "find",
    "flashback",
    "leaving",
    "phasing",
    "planeswalkers",
    "skipped steps",
    "three players",
    "tokens",
)

BASIC = {"layout": "normal", "faces": [{"name": FILLER, "supertypes": ["basic"], "types": ["land"],
                                        "subtypes": [FILLER]}]}  # fmt: skip


class Phase(Adapter[Table]):
    """Plays scenarios on phase, with cards made from the facts of each request."""

    capabilities = CAPABILITIES

    def __init__(self) -> None:
        self._phase = importlib.import_module("phase")
        self.engine = EngineInfo(
            "phase",
            metadata.version(PACKAGE),
            language="Rust",
            homepage="https://github.com/phase-rs/phase",
            license="MIT",
        )
        path = os.environ.get("PHASE_CARDS")
        self._own = cards.read_file(Path(path)) if path else {}
        self._built: dict[str, Any] = {}

    def set_up(self, given: Mapping[str, Any], facts: Mapping[str, Mapping[str, Any]]) -> Table:
        """Have phase read the cards, and make the game that the scenario starts from."""
        if given.get("teams"):
            raise Unsupported(
                "capability", "teams", "only one player of a team gets priority from phase"
            )
        entries: dict[str, Any] = {}
        for name, each in {FILLER: BASIC, **facts}.items():
            entries |= self._card(name, each)
        return Table(self._phase.Engine.from_json(json.dumps(entries)), given)

    def act(self, game: Table, step: Mapping[str, Any]) -> None:
        """Carry out one step."""
        steps.act(game, step)

    def observe(self, game: Table, look: Mapping[str, Any]) -> Mapping[str, Any]:
        """Say what a look asks for."""
        return looking.observe(game, look)

    def _card(self, name: str, facts: Mapping[str, Any]) -> Any:
        key = json.dumps([name, facts], sort_keys=True)
        if key not in self._built:
            self._built[key] = cards.build(name, facts, self._own)
        return self._built[key]


def engine() -> Phase:
    """Make the engine. Raises `ImportError` where the package phase-python is not installed."""
    return Phase()
