"""The reference engine behind the adapter protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness import __version__
from harness.protocol import Adapter, EngineInfo, Refused, Unsupported
from reference_engine.game import Game
from reference_engine.objects import BACK, FRONT
from reference_engine.observing import observe

CAPABILITIES = (
    "choices",
    "copies",
    "costs",
    "directive become",
    "directive put",
    "directive transform",
    "events",
    "extra turns",
    "face-down",
    "find",
    "flashback",
    "leaving",
    "phasing",
    "planeswalkers",
    "restart",
    "skipped steps",
    "teams",
    "three players",
    "tokens",
)


class ReferenceEngine(Adapter[Game]):
    """Plays scenarios by the rules of the game, as this project reads them."""

    engine = EngineInfo("reference", __version__, language="Python", homepage=None, license="MIT")
    capabilities = CAPABILITIES
    game: type[Game] = Game

    def set_up(self, given: Mapping[str, Any], cards: Mapping[str, Mapping[str, Any]]) -> Game:
        """Make the game that a scenario starts from."""
        return self.game.from_given(given, cards)

    def act(self, game: Game, step: Mapping[str, Any]) -> None:
        """Carry out one step; every answer that it brings has to be asked for."""
        game.answer_with(step.get("choices", ()))
        self._act(game, step)
        if game.answers:
            left = game.answers[0]
            raise Refused(
                f"{left.player} was never asked to choose {', '.join(map(str, left.chosen))}"
            )

    def observe(self, game: Game, look: Mapping[str, Any]) -> Mapping[str, Any]:
        """Say what a look asks for."""
        return observe(game, look)

    def _act(self, game: Game, step: Mapping[str, Any]) -> None:
        match step["do"]:
            case "cast":
                game.cast(
                    game.player(step["player"]),
                    game.object(step["object"]),
                    targets=step.get("targets", ()),
                    face=BACK if step.get("face") == "back" else FRONT,
                    via=step.get("via"),
                    x=step.get("x", 0),
                    modes=step.get("modes", ()),
                    pay_with=[game.object(each) for each in step.get("pay with", ())],
                )
            case "activate":
                game.activate(
                    game.player(step["player"]),
                    game.object(step["object"]),
                    step.get("ability", 1),
                    targets=step.get("targets", ()),
                    x=step.get("x", 0),
                    modes=step.get("modes", ()),
                    pay_with=[game.object(each) for each in step.get("pay with", ())],
                )
            case "play":
                game.play_land(game.player(step["player"]), game.object(step["object"]))
            case "turn face up":
                game.turn_face_up(game.player(step["player"]), game.object(step["object"]))
            case "resolve":
                if step["what"] == "all":
                    game.resolve_all()
                elif game.stack:
                    game.resolve_top()
                else:
                    raise Refused("the stack is empty")
            case "advance":
                of = step.get("of")
                game.go_to(step["to"], None if of is None else game.player(of))
            case "attack":
                game.attack(step["attackers"])
            case "block":
                game.block(step["blockers"])
            case "concede":
                game.concede(game.player(step["player"]))
            case "find":
                game.find(step["id"], step["name"], step.get("controller"), step.get("zone"))
            case "directive":
                game.direct(
                    {word: each for word, each in step.items() if word not in ("do", "choices")}
                )
            case word:
                raise Unsupported("step", str(word), "the reference engine has no such step")


def engine() -> ReferenceEngine:
    """Make the engine: the entry point `card_rulings.engines`."""
    return ReferenceEngine()
