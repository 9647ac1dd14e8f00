"""Planted faults: the reference engine with one rule wrong each, as real engines have had it wrong.

`rulings run --engine fault:NAME` shows what the author of an engine with that fault would see;
`rulings faults` plays every scenario on every fault.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from harness import __version__
from harness.protocol import EngineInfo, Refused
from reference_engine.adapter import ReferenceEngine
from reference_engine.cards import Ability, Card, Face, ability_from
from reference_engine.casting import MAIN
from reference_engine.damage import Hit
from reference_engine.game import Game
from reference_engine.mana import Cost
from reference_engine.objects import (
    BACK,
    FRONT,
    Characteristics,
    ContinuousEffect,
    Copy,
    Event,
    Object,
    Player,
    StackItem,
    Thing,
)
from reference_engine.state import Turn
from reference_engine.triggers import Waiting
from reference_engine.turn import STEPS
from reference_engine.zones import Arrival


@dataclass(frozen=True, slots=True)
class Fault:
    """A planted fault: its name, the rules it breaks, what it does, and the engine that has it."""

    name: str
    rules: tuple[str, ...]
    gist: str
    game: type[Game]
    control: bool = False
    """Whether it is the control: an engine that does nothing at all, which fails everything."""

    @property
    def engine(self) -> str:
        """The name by which `rulings run --engine` reaches it."""
        return f"fault:{self.name}"


FAULTS: dict[str, Fault] = {}
"""All planted faults by name, in the order they are shown."""


def fault(name: str, *rules: str, control: bool = False) -> Callable[[type[Game]], type[Game]]:
    """Plant a fault that breaks these rules (base edition numbers); the docstring says how."""

    def plant(game: type[Game]) -> type[Game]:
        gist = " ".join((game.__doc__ or "").split())
        FAULTS[name] = Fault(name, rules, gist, game, control)
        return game

    return plant


@fault("does-nothing", control=True)
class DoesNothing(Game):
    """Control: shows what `given` said, whatever is done."""


# -- the check in the untap step (CR 502.2, 728.2) -----------------------------------------------


@fault("counts-every-players-spells", "502.2", "728.2a", "728.2b")
class CountsEveryPlayersSpells(Game):
    """The spells of all players in the previous turn are added up."""

    def most_spells_last_turn(self) -> int:
        return sum(self.last_turn.spells.values())


@fault("one-spell-by-each-player-brings-day", "502.2", "728.2b")
class AnyTwoSpellsBringDay(Game):
    """Night becomes day after two spells by whomever; day becomes night by the rule."""

    def most_spells_last_turn(self) -> int:
        if self.designation == "night":
            return sum(self.last_turn.spells.values())
        return super().most_spells_last_turn()


@fault("any-players-spell-stops-night", "502.2", "728.2a")
class AnySpellStopsNight(Game):
    """Day stays if anybody cast a spell in the previous turn; night becomes day by the rule."""

    def most_spells_last_turn(self) -> int:
        if self.designation == "day":
            return sum(self.last_turn.spells.values())
        return super().most_spells_last_turn()


@fault("counts-the-new-active-players-spells", "502.2", "728.2a", "728.2b")
class CountsTheNewActivePlayersSpells(Game):
    """It counts what the player whose untap step it is cast in the previous turn."""

    def most_spells_last_turn(self) -> int:
        return max(self.last_turn.spells[player.name] for player in self.active)


@fault("counts-your-own-last-turn", "502.2", "728.2", "728.2a", "728.2b")
class CountsYourOwnLastTurn(Game):
    """It counts what the active player cast in their own last turn, whoever's was in between."""

    def __init__(self) -> None:
        super().__init__()
        self.own: dict[str, int] = {}

    def next_turn(self) -> None:
        self.own.update({player.name: player.spells_cast for player in self.active})
        super().next_turn()

    def most_spells_last_turn(self) -> int:
        return max(self.own.get(player.name, 0) for player in self.active)


@fault("one-spell-is-enough-for-day", "502.2", "728.2b")
class OneSpellIsEnoughForDay(Game):
    """Night becomes day after one spell."""

    def check_designation(self) -> None:
        if self.designation == "night" and self.most_spells_last_turn() == 1:
            self.become("day")
        else:
            super().check_designation()


@fault("night-after-a-single-spell", "502.2", "728.2a")
class NightAfterASingleSpell(Game):
    """Day becomes night unless two spells were cast."""

    def check_designation(self) -> None:
        if self.designation == "day" and self.most_spells_last_turn() == 1:
            self.become("night")
        else:
            super().check_designation()


@fault("exactly-two-spells-for-day", "502.2", "728.2b")
class ExactlyTwoSpellsForDay(Game):
    """Night becomes day after two spells, but not after three."""

    def check_designation(self) -> None:
        if self.designation != "night" or self.most_spells_last_turn() <= 2:
            super().check_designation()


@fault("neither-becomes-night", "502.2", "728.2c", "703.4b")
class NeitherBecomesNight(Game):
    """The check is made with neither designation, too: without a spell it becomes night."""

    def check_designation(self) -> None:
        if self.designation is None and self.most_spells_last_turn() == 0:
            self.become("night")
        super().check_designation()


@fault("checks-as-the-turn-ends", "502.2", "703.4b", "728.2")
class ChecksAsTheTurnEnds(Game):
    """The check is part of the ending turn's cleanup step."""

    def check_designation(self) -> None:
        return

    def cleanup_step(self) -> None:
        super().cleanup_step()
        spells = {player.name: player.spells_cast for player in self.players}
        self.last_turn = Turn(self.active, spells)
        super().check_designation()


@fault("checks-in-the-upkeep", "502.2", "703.4b", "728.2")
class ChecksInTheUpkeep(Game):
    """The check comes as the upkeep step begins."""

    def untap_step(self) -> None:
        self.phasing_action()
        self.untap_action()

    def begin_step(self, step: str) -> None:
        if step == "upkeep":
            self.check_designation()
        super().begin_step(step)


@fault("checks-after-untapping", "502.2", "502.3", "703.4b", "703.4c")
class ChecksAfterUntapping(Game):
    """The check comes after permanents untap."""

    def untap_step(self) -> None:
        self.phasing_action()
        self.untap_action()
        self.check_designation()


@fault("checks-before-phasing", "502.1", "502.2", "703.4a", "703.4b")
class ChecksBeforePhasing(Game):
    """The check comes before permanents phase in and out."""

    def untap_step(self) -> None:
        self.check_designation()
        self.phasing_action()
        self.untap_action()


@fault("checks-though-the-untap-step-is-skipped", "502.2", "703.4b", "728.2")
class ChecksAlways(Game):
    """The check is made as the turn begins, even if its untap step is skipped."""

    def begin_turn(self, active: tuple[Player, ...]) -> None:
        if any(player.skips["untap"] for player in active) or self.static_abilities(
            "players skip untap"
        ):
            self.active = active
            self.check_designation()
        super().begin_turn(active)


@fault("extra-turn-is-not-the-previous-turn", "502.2", "728.2", "728.2a", "728.2b")
class ForgetsExtraTurns(Game):
    """After an extra turn the turn before that counts."""

    def next_turn(self) -> None:
        before = self.last_turn
        extra = self.active != self.regular
        extra = extra or self.extra_turn_now
        self.extra_turn_now = bool(self.extra_turns)
        remembered = before if extra else None
        self.remembered = remembered
        super().next_turn()

    extra_turn_now = False
    remembered: Turn | None = None

    def most_spells_last_turn(self) -> int:
        if self.remembered is None:
            return super().most_spells_last_turn()
        turn = self.remembered
        return max((turn.spells[player.name] for player in turn.active), default=0)


@fault("forgets-spells-cast-before-it-became-day", "502.2", "728.2", "728.2a")
class ForgetsEarlierSpells(Game):
    """Spells count only from when the game had its designation."""

    def become(self, designation: str) -> None:
        before = self.designation
        super().become(designation)
        if self.designation != before:
            for player in self.players:
                player.spells_cast = 0


@fault("one-team-mate-without-spells-brings-night", "502.2a", "728.2a")
class OneIdleTeamMateBringsNight(Game):
    """With shared team turns it becomes night if one of the team cast nothing."""

    def most_spells_last_turn(self) -> int:
        if self.designation == "day":
            return min(self.last_turn.spells[one.name] for one in self.last_turn.active)
        return super().most_spells_last_turn()


@fault("adds-team-mates-spells-up", "502.2a", "728.2b")
class AddsTeamMatesSpellsUp(Game):
    """With shared team turns the spells of the team are added up."""

    def most_spells_last_turn(self) -> int:
        return sum(self.last_turn.spells[one.name] for one in self.last_turn.active)


@fault("only-the-first-of-a-team-counts", "502.2a", "728.2a", "728.2b")
class OnlyThePrimaryPlayerCounts(Game):
    """With shared team turns only the spells of the team's first player count."""

    def most_spells_last_turn(self) -> int:
        return self.last_turn.spells.get(self.last_turn.active[0].name, 0)


# -- what counts as casting a spell --------------------------------------------------------------


@fault("land-counts-as-a-spell", "502.2", "728.2a", "728.2b", "305.1")
class LandCounts(Game):
    """Playing a land counts as casting a spell."""

    def play_land(self, player: Player, card: Object) -> None:
        super().play_land(player, card)
        player.spells_cast += 1


@fault("ability-counts-as-a-spell", "502.2", "728.2a", "728.2b")
class AbilityCounts(Game):
    """Activating an ability counts as casting a spell."""

    def activate(self, player: Player, thing: Object, number: int = 1, **how: Any) -> None:
        super().activate(player, thing, number, **how)
        player.spells_cast += 1


@fault("copy-counts-as-a-spell", "502.2", "728.2a", "728.2b", "707.10")
class CopyCounts(Game):
    """A copy of a spell put onto the stack counts as cast."""

    def do_copy_spell(self, effect: Mapping[str, Any], item: StackItem) -> None:
        super().do_copy_spell(effect, item)
        item.controller.spells_cast += 1


@fault("countered-spell-does-not-count", "502.2", "728.2a", "728.2b")
class CounteredDoesNotCount(Game):
    """A spell that is countered, or does not resolve, was not cast."""

    def counter(self, item: StackItem) -> None:
        super().counter(item)
        if item.spell is not None and item not in self.stack:
            item.controller.spells_cast -= 1

    def resolve_spell(self, item: StackItem) -> None:
        wanted = self.spell_targets(item)
        if (
            wanted
            and item.targets
            and not any(
                one
                in self.possible_targets({"what": each} if isinstance(each, str) else each, item)
                for chosen, each in zip(item.targets, wanted, strict=False)
                for one in chosen
                if isinstance(each, str) or "what" in each
            )
        ):
            item.controller.spells_cast -= 1
        super().resolve_spell(item)


@fault("flashback-does-not-count", "502.2", "728.2a", "728.2b")
class FlashbackDoesNotCount(Game):
    """Only spells cast from a hand count."""

    def cast(self, player: Player, card: Object, **how: Any) -> StackItem:
        item = super().cast(player, card, **how)
        if how.get("via") == "flashback":
            player.spells_cast -= 1
        return item


@fault("creature-spells-do-not-count", "502.2", "728.2a", "728.2b")
class OnlyInstantsCount(Game):
    """Permanent spells do not count as spells."""

    def cast(self, player: Player, card: Object, **how: Any) -> StackItem:
        item = super().cast(player, card, **how)
        if card.card.faces[FRONT].is_permanent:
            player.spells_cast -= 1
        return item


# -- the designation (CR 728.1) ------------------------------------------------------------------


@fault("returns-to-neither", "728.1")
class ReturnsToNeither(Game):
    """Without a daybound or nightbound permanent the game has no designation any more."""

    def settle(self) -> None:
        super().settle()
        if self.designation and not (
            self.any_permanent_has("daybound") or self.any_permanent_has("nightbound")
        ):
            self.designation = None


@fault("starts-as-day", "728.1", "728.2c")
class StartsAsDay(Game):
    """The game is day from its start."""

    @classmethod
    def from_given(cls, given: Mapping[str, Any], cards: Mapping[str, Mapping[str, Any]]) -> Game:
        if given["designation"] == "neither":
            given = {**given, "designation": "day"}
        return super().from_given(given, cards)


@fault("triggers-on-the-first-day", "728.1a")
class TriggersOnTheFirstDay(Game):
    """Becoming day or night for the first time triggers what watches for day becoming night."""

    def become(self, designation: str) -> None:
        first = self.designation is None
        super().become(designation)
        if first and self.designation:
            self.happen("turned", designation)


@fault("trigger-only-for-permanents-that-transformed", "728.1a")
class TriggersOnlyForDoubleFaced(Game):
    """Only double-faced permanents see day become night or night become day."""

    def _see(self, event: Event, source: Object, ability: Ability) -> None:
        if event.word != "turned" or source.card.is_transforming:
            super()._see(event, source, ability)


@fault("becoming-what-it-is-triggers", "728.1a", "728.1")
class BecomesAgain(Game):
    """If it becomes night while it is night, that triggers again."""

    def become(self, designation: str) -> None:
        if self.designation == designation:
            self.happen("became", designation)
            self.happen("turned", designation)
        super().become(designation)


@fault("cant-become-night-ignored", "614.17", "614.17a", "728.1", "101.2")
class CantBecomeIgnored(Game):
    """An effect that says it can't become night does nothing."""

    def cant_become(self, designation: str) -> bool:
        return False


@fault("keeps-the-designation-as-it-restarts", "724.1", "728.1")
class KeepsDesignation(Game):
    """A restarted game has the designation of the one before."""

    def restart(self, item: StackItem) -> None:
        before = self.designation
        super().restart(item)
        self.designation = before


# -- daybound and nightbound (CR 702.145) --------------------------------------------------------


@fault("daybound-alone-starts-nothing", "702.145d")
class DayboundStartsNothing(Game):
    """A daybound permanent does not make it day."""

    def settle_designation(self) -> None:
        if self.any_permanent_has("nightbound") and not self.any_permanent_has("daybound"):
            self.become("night")


@fault("nightbound-alone-starts-nothing", "702.145g")
class NightboundStartsNothing(Game):
    """A nightbound permanent does not make it night."""

    def settle_designation(self) -> None:
        if self.any_permanent_has("daybound"):
            self.become("day")


@fault("nightbound-alone-starts-day", "702.145g")
class NightboundStartsDay(Game):
    """A nightbound permanent alone makes it day."""

    def settle_designation(self) -> None:
        if self.any_permanent_has("daybound") or self.any_permanent_has("nightbound"):
            self.become("day")


@fault("nightbound-seen-first-makes-night", "702.145d", "702.145g")
class NightboundSeenFirst(Game):
    """Of a daybound and a nightbound permanent, the one that is looked at first decides."""

    def settle_designation(self) -> None:
        for thing in self.permanents():
            now = self.characteristics(thing)
            if now.has("daybound") or now.has("nightbound"):
                self.become("day" if now.has("daybound") else "night")
                return


@fault("only-a-cast-daybound-permanent-starts-day", "702.145d")
class OnlyCastStartsDay(Game):
    """It becomes day only as a daybound spell resolves, not however else one appears."""

    def settle_designation(self) -> None:
        if any(getattr(self, "resolving", ())):
            super().settle_designation()

    resolving: Sequence[Arrival] = ()

    def resolve_permanent_spell(self, item: StackItem) -> None:
        assert item.spell is not None
        self.resolving = [Arrival(item.spell.piece, item.controller)]
        super().resolve_permanent_spell(item)
        self.resolving = ()


@fault("enters-front-face-up-then-transforms", "702.145b", "712.13")
class EntersThenTransforms(Game):
    """At night a daybound permanent enters front face up, then transforms."""

    def enters_transformed(self, entering: Object) -> bool:
        return False


class FacesSettleAsItBecomes(Game):
    """Looks at faces only at the moment it becomes day or night."""

    becoming = False

    def become(self, designation: str) -> None:
        self.becoming = True
        super().become(designation)
        self.becoming = False

    def settle_faces(self) -> None:
        if self.becoming:
            super().settle_faces()


@fault("reanimated-at-night-enters-front-face-up", "702.145b", "702.145c")
class ReanimatedFrontFaceUp(FacesSettleAsItBecomes):
    """At night a daybound permanent that was not cast enters front face up and stays so."""

    casting = False

    def resolve_permanent_spell(self, item: StackItem) -> None:
        self.casting = True
        super().resolve_permanent_spell(item)
        self.casting = False

    def enters_transformed(self, entering: Object) -> bool:
        return self.casting and super().enters_transformed(entering)


@fault("enters-back-face-up-by-day-too", "702.145b")
class EntersTransformedByDay(Game):
    """A daybound permanent enters back face up even if it is neither day nor night."""

    def enters_transformed(self, entering: Object) -> bool:
        return (
            self.designation != "day"
            and entering.card.is_transforming
            and not entering.face_down
            and self.would_be(entering).has("daybound")
        )


@fault("entering-transformed-counts-as-transforming", "702.145b", "701.28e")
class EnteringIsTransforming(Game):
    """What enters back face up is said to have transformed."""

    def enter(self, arrivals: Sequence[Arrival]) -> list[Object]:
        entered = super().enter(arrivals)
        for thing in entered:
            if thing.face == BACK:
                self.happen("transformed", thing, player=thing.controller)
        return entered


@fault("back-face-up-on-the-stack", "712.11", "702.145b")
class BackFaceOnTheStack(Game):
    """A daybound spell that is cast at night is back face up on the stack."""

    def cast(self, player: Player, card: Object, **how: Any) -> StackItem:
        item = super().cast(player, card, **how)
        spell = item.spell
        if (
            spell is not None
            and self.designation == "night"
            and "daybound" in spell.card.faces[FRONT].keywords
        ):
            spell.face = BACK
        return item


@fault("transforms-as-a-state-based-action", "702.145c", "702.145f")
class TransformsAsStateBased(Game):
    """Daybound and nightbound permanents wait for state-based actions to transform."""

    checking = False

    def settle_faces(self) -> None:
        if self.checking:
            super().settle_faces()

    def state_based_actions(self) -> bool:
        before = len(self.log)
        self.checking = True
        self.settle()
        self.checking = False
        return super().state_based_actions() or len(self.log) > before


@fault("built-from-triggered-abilities", "702.145c", "702.145f")
class BuiltFromTriggers(Game):
    """Daybound and nightbound are triggered abilities that use the stack."""

    def settle_faces(self) -> None:
        keyword, face = ("nightbound", BACK) if self.designation == "day" else ("daybound", FRONT)
        ability = ability_from({"triggered": {"on": "became"}, "do": [{"bound": keyword}]})
        waiting = {each.source for each in self.waiting if each.ability is ability}
        waiting |= {item.source for item in self.stack if item.ability is ability and item.source}
        for thing in self.permanents():
            if (
                self.faces_wrong_way(thing, keyword, face)
                and self.can_transform(thing, keyword)
                and thing not in waiting
            ):
                event = Event("became", self.designation)
                self.waiting.append(Waiting(thing.controller, thing, ability, event))

    def do_bound(self, effect: Mapping[str, Any], item: StackItem) -> None:
        """Transform the source, if it still faces the wrong way."""
        assert item.source is not None
        self.transform([item.source], effect["bound"])


@fault("only-transforms-in-the-untap-step", "702.145c", "702.145f")
class OnlyInTheUntapStep(Game):
    """Permanents transform only when the designation changes in the untap step."""

    def settle_faces(self) -> None:
        if self.step == "untap":
            super().settle_faces()


@fault("only-one-players-permanents-transform", "702.145c", "702.145f", "728.1")
class OnlyOnePlayersPermanents(Game):
    """Only the active player's permanents transform."""

    def faces_wrong_way(self, thing: Object, keyword: str, face: int) -> bool:
        return thing.controller in self.active and super().faces_wrong_way(thing, keyword, face)


@fault("only-creatures-transform", "702.145c", "702.145f")
class OnlyCreaturesTransform(Game):
    """Permanents that are no creatures do not transform as it becomes night or day."""

    def faces_wrong_way(self, thing: Object, keyword: str, face: int) -> bool:
        creature = self.characteristics(thing).is_creature
        return creature and super().faces_wrong_way(thing, keyword, face)


@fault("never-transforms-back", "702.145f")
class NeverTransformsBack(Game):
    """Nightbound permanents stay as they are when it becomes day."""

    def settle_faces(self) -> None:
        if self.designation == "night":
            super().settle_faces()


@fault("looks-only-as-it-becomes-night", "702.145c", "702.145f")
class LooksOnlyAsItBecomes(FacesSettleAsItBecomes):
    """Faces are set only at the moment it becomes day or night, not whenever they are wrong."""


@fault("only-ten-permanents-transform", "702.145c", "702.145f")
class OnlyTenTransform(Game):
    """Of many permanents that should transform at once only the first ten do."""

    def settle_faces(self) -> None:
        keyword, face = ("nightbound", BACK) if self.designation == "day" else ("daybound", FRONT)
        right = sum(
            1
            for thing in self.permanents()
            if thing.face != face and self.can_transform(thing, "nightbound")
        )
        if right < 10:
            wrong = [
                thing
                for thing in self.permanents()
                if self.faces_wrong_way(thing, keyword, face) and self.can_transform(thing, keyword)
            ]
            if wrong:
                self.transform(wrong[: 10 - right], keyword)


@fault("lost-daybound-still-transforms", "702.145b", "702.145c", "613.1f")
class PrintedDaybound(Game):
    """A permanent that has lost daybound transforms all the same."""

    def faces_wrong_way(self, thing: Object, keyword: str, face: int) -> bool:
        return thing.face == face and self.copiable(thing).has(keyword)

    def enters_transformed(self, entering: Object) -> bool:
        return (
            self.designation == "night"
            and entering.card.is_transforming
            and not entering.face_down
            and self.copiable(entering).has("daybound")
        )


@fault("nightbound-on-a-front-face-transforms", "702.145e", "702.145f", "702.145c")
class AnyFaceTransforms(Game):
    """A permanent with daybound or nightbound transforms whichever of its faces is up."""

    def faces_wrong_way(self, thing: Object, keyword: str, face: int) -> bool:
        return self.characteristics(thing).has(keyword) and not thing.transforms


# -- transforming (CR 701.28, 712) ---------------------------------------------------------------


@fault("moonmist-transforms-daybound", "702.145b", "702.145e")
class AnythingTransformsDaybound(Game):
    """A daybound permanent transforms whenever it is told to."""

    def is_bound(self, thing: Object, because: str | None) -> bool:
        return False

    def settle_faces(self) -> None:
        if not getattr(self, "told", False):
            super().settle_faces()

    told = False

    def transform(self, things: Iterable[Object], because: str | None = None) -> list[Object]:
        self.told = self.told or because is None
        return super().transform(things, because)

    def become(self, designation: str) -> None:
        self.told = False
        super().become(designation)


@fault("endless-transforming", "702.145b", "702.145e")
class EndlessTransforming(Game):
    """A daybound permanent that is told to transform goes over and back for ever."""

    def transform(self, things: Iterable[Object], because: str | None = None) -> list[Object]:
        things = list(things)
        if because is None and any(self.is_bound(thing, None) for thing in things):
            raise Refused("permanents transform for ever")
        return super().transform(things, because)


@fault("human-on-the-back-face-not-transformed", "701.28a", "712.9")
class OnlyFrontFacesTransform(Game):
    """An instruction to transform turns only permanents that are front face up."""

    def can_transform(self, thing: Object, because: str | None = None) -> bool:
        if because is None and thing.face == BACK:
            return False
        return super().can_transform(thing, because)


@fault("transforming-makes-a-new-object", "712.18")
class TransformingMakesANewObject(Game):
    """A permanent that transforms loses its counters, damage, attachments and effects."""

    def turn_over(self, thing: Object) -> None:
        super().turn_over(thing)
        thing.counters.clear()
        thing.damage = 0
        for other in self.attached_to(thing):
            other.attached_to = None
        for effect in self.effects:
            if effect.what and thing in effect.what:
                effect.what = [each for each in effect.what if each is not thing]
        self.remove_from_combat(thing)


@fault("transforming-untaps", "712.18")
class TransformingUntaps(Game):
    """A permanent that transforms untaps."""

    def turn_over(self, thing: Object) -> None:
        super().turn_over(thing)
        thing.tapped = False


@fault("transforming-brings-summoning-sickness", "712.18")
class TransformingMakesSick(Game):
    """A creature that has just transformed can't attack."""

    def turn_over(self, thing: Object) -> None:
        super().turn_over(thing)
        thing.sick = True


@fault("transforming-heals", "712.18")
class TransformingHeals(Game):
    """Damage marked on a permanent is gone as it transforms."""

    def turn_over(self, thing: Object) -> None:
        super().turn_over(thing)
        thing.damage = 0


@fault("transforming-loses-its-target", "712.18")
class TransformingLosesTarget(Game):
    """A spell or ability loses the target that has transformed."""

    def turn_over(self, thing: Object) -> None:
        super().turn_over(thing)
        for item in self.stack:
            item.targets = [[one for one in chosen if one is not thing] for chosen in item.targets]

    def drop_illegal_targets(self, item: StackItem, wanted: Sequence[Any]) -> bool:
        lost = bool(item.targets) and not any(item.targets) and bool(wanted)
        return super().drop_illegal_targets(item, wanted) and not lost


@fault("transforming-leaves-and-returns", "712.18", "701.28a")
class TransformingLeaves(Game):
    """A permanent that transforms is said to leave the battlefield and to enter it."""

    def turn_over(self, thing: Object) -> None:
        super().turn_over(thing)
        self.happen("left", thing)
        self.return_exiled(thing)
        self.happen("entered", thing, face="back" if thing.face else "front")


@fault("cant-transform-effect-ignored", "701.28a", "614.17", "101.2", "702.145c", "702.145f")
class CantTransformIgnored(Game):
    """An effect that says a permanent can't transform does nothing."""

    def restricted(self, thing: Object, word: str) -> bool:
        return word != "can't transform" and super().restricted(thing, word)


@fault("clone-of-a-double-faced-card-transforms", "701.28a", "701.28c", "712.9")
class ClonesTransform(Game):
    """A single-faced card that copies a transforming permanent can transform as well."""

    def is_double_faced(self, thing: Object) -> bool:
        return thing.card.is_transforming or thing.copy is not None

    def has_permanent_face(self, thing: Object) -> bool:
        if len(thing.card.faces) == 1:
            return not thing.transforms  # once, or daybound would turn it for ever
        return super().has_permanent_face(thing)

    def turn_over(self, thing: Object) -> None:
        if len(thing.card.faces) == 1:
            thing.transforms += 1
        else:
            super().turn_over(thing)


@fault("token-copy-has-one-face", "707.8a", "701.28a")
class TokenCopyHasOneFace(Game):
    """A token that copies a transforming permanent has only the face that was up."""

    def token_card(self, thing: Object, exceptions: Mapping[str, Any]) -> tuple[Card, int]:
        return Card("normal", (self.copy_of(thing, exceptions).face,)), FRONT


@fault("face-down-permanents-transform", "712.15a")
class FaceDownTransforms(Game):
    """A face-down double-faced permanent is turned over beneath, and shows its back face later."""

    def can_transform(self, thing: Object, because: str | None = None) -> bool:
        return super().can_transform(thing, because) or (
            thing.on_battlefield and thing.face_down and thing.card.is_transforming
        )

    def faces_wrong_way(self, thing: Object, keyword: str, face: int) -> bool:
        if thing.face_down and thing.card.is_transforming:
            return thing.face == face and keyword in thing.card.faces[face].keywords
        return super().faces_wrong_way(thing, keyword, face)


@fault("phased-out-permanents-transform", "702.26b", "702.26d", "502.1")
class PhasedOutTransforms(Game):
    """Phased-out permanents transform with the others."""

    def become(self, designation: str) -> None:
        before = self.designation
        super().become(designation)
        if self.designation != before:
            keyword = "daybound" if designation == "night" else "nightbound"
            for thing in self.battlefield:
                if thing.phased_out and self.characteristics(thing).has(keyword):
                    self.turn_over(thing)
                    self.happen("transformed", thing, player=thing.controller)


@fault("an-ability-transforms-its-source-twice", "701.28f")
class TransformsTwice(Game):
    """An ability transforms its source even if that has transformed since it went on the stack."""

    def may_transform_itself(self, item: StackItem) -> bool:
        return True


@fault("transform-trigger-of-the-new-face-missed", "701.28e")
class NewFaceMissesItsTrigger(Game):
    """An ability of the face that comes up does not see that it was transformed into."""

    def _see(self, event: Event, source: Object, ability: Ability) -> None:
        if event.word != "transformed" or event.subject is not source:
            super()._see(event, source, ability)


@fault("back-face-mana-value-zero", "712.8e", "202.3b")
class BackFaceHasNoManaValue(Game):
    """The back face has mana value 0."""

    def mana_value(self, thing: Object) -> int:
        cost = self.face_of(thing).cost
        return 0 if cost is None else cost.mana_value()


@fault("back-face-outside-the-battlefield", "712.8a")
class BackFaceElsewhere(Game):
    """A card that leaves the battlefield back face up keeps that face in its new zone."""

    def put(self, thing: Object, zone: str, position: int = 0) -> Object | None:
        face = thing.face
        new = super().put(thing, zone, position)
        if new is not None and thing.card.is_transforming:
            new.face = face
        return new


@fault("transforming-ends-effects", "712.18")
class TransformingEndsEffects(Game):
    """Effects that last until end of turn end for a permanent that transforms."""

    def turn_over(self, thing: Object) -> None:
        super().turn_over(thing)
        for effect in self.effects:
            if effect.what and thing in effect.what:
                effect.what = [each for each in effect.what if each is not thing]


# -- attachment ----------------------------------------------------------------------------------


@fault("lurker-stays-attached", "704.5p")
class LurkerStaysAttached(Game):
    """A permanent that is no Aura any more stays attached to the player."""

    def comes_loose(self, thing: Object) -> bool:
        return self.is_equipment(thing) and super().comes_loose(thing)


@fault("lurker-goes-to-the-graveyard", "704.5p", "704.5m")
class LurkerDies(Game):
    """What was an Aura is put into the graveyard instead of becoming unattached."""

    def is_lost_aura(self, thing: Object) -> bool:
        return super().is_lost_aura(thing) or (
            isinstance(thing.attached_to, Player) and not self.is_aura(thing)
        )


@fault("curse-targets-as-it-transforms", "712.20", "115.1", "701.3a")
class TransformingTargets(Game):
    """A Curse that transforms can't be attached to an opponent with hexproof."""

    def may_enchant(self, aura: Object, thing: Thing | None, wanted: Any = None) -> bool:
        if isinstance(thing, Player) and not self.may_be_targeted(thing, aura.controller):
            return aura.attached_to is thing and super().may_enchant(aura, thing, wanted)
        return super().may_enchant(aura, thing, wanted)


@fault("curse-attached-after-upkeep-began", "712.20", "503.1a", "502.4")
class AttachesAsATrigger(Game):
    """What a face says happens as it is transformed into waits on the stack, in the upkeep."""

    def as_it_transforms(self, thing: Object) -> None:
        for ability in self.characteristics(thing).abilities:
            if ability.word == "transforming":
                later = ability_from({"triggered": {"on": "transformed"}, "do": ability.head})
                event = Event("transformed", thing)
                self.waiting.append(Waiting(thing.controller, thing, later, event))

    def is_lost_aura(self, thing: Object) -> bool:
        return thing.attached_to is not None and super().is_lost_aura(thing)


@fault("curse-dies-as-it-becomes-day", "712.20", "704.5m")
class CurseDies(Game):
    """What a face says happens as it is transformed into is forgotten."""

    def as_it_transforms(self, thing: Object) -> None:
        return


@fault("curse-at-night-asks-for-no-target", "303.4a", "712.8c", "601.2c", "608.2b")
class NoTargetAtNight(Game):
    """A Curse cast at night asks for no target, and none has to be legal."""

    def spell_targets(self, item: StackItem) -> Sequence[Any]:
        spell = item.spell
        if (
            spell is not None
            and self.designation == "night"
            and "daybound" in spell.card.faces[FRONT].keywords
        ):
            return ()
        return super().spell_targets(item)

    def take_targets(self, item: StackItem, wanted: Sequence[Any], said: Sequence[str]) -> None:
        super().take_targets(item, wanted, said if wanted else ())


@fault("curse-at-night-enters-attached", "702.145b", "303.4h")
class EntersAttached(Game):
    """An Aura spell's permanent is attached even if it enters as something else."""

    def aura_finds_its_place(self, thing: Object, arrival: Arrival) -> bool:
        if arrival.attach_to is not None:
            thing.attached_to = arrival.attach_to
            return True
        return super().aura_finds_its_place(thing, arrival)

    def comes_loose(self, thing: Object) -> bool:
        return self.is_equipment(thing) and super().comes_loose(thing)


@fault("exiled-until-it-transforms", "610.3", "712.18")
class ReturnsAsItTransforms(Game):
    """What is exiled until a permanent leaves comes back when that permanent transforms."""

    def turn_over(self, thing: Object) -> None:
        super().turn_over(thing)
        self.return_exiled(thing)


@fault("exiles-though-it-has-left", "610.3b", "610.3")
class ExilesThoughItHasLeft(Game):
    """An effect until a permanent leaves begins though that permanent has left already."""

    def do_exile(self, effect: Mapping[str, Any], item: StackItem) -> None:
        if effect.get("until it leaves") and not item.origin.exists:
            self.exile(self.objects(effect["exile"], item))
            return
        super().do_exile(effect, item)


# -- exile until something leaves (CR 610.3) -----------------------------------------------------


@fault("exiled-for-good", "610.3")
class ExiledForGood(Game):
    """What is exiled until a permanent leaves never comes back."""

    def return_exiled(self, gone: Object) -> None:
        return


@fault("exiled-card-returns-by-a-trigger", "610.3")
class ReturnsByATrigger(Game):
    """What is exiled until a permanent leaves comes back by a triggered ability."""

    def return_exiled(self, gone: Object) -> None:
        cards = [card for card in gone.memory.pop("exiled until it leaves", ()) if card.exists]
        if cards:
            gone.memory["made"] = cards
            later = ability_from(
                {
                    "triggered": {"on": "left"},
                    "do": [{"put onto battlefield": "made", "under": "owner"}],
                }
            )
            self.waiting.append(Waiting(gone.controller, gone, later, Event("left", gone)))


@fault("exiled-card-returns-too-soon", "610.3", "707.5")
class ReturnsTooSoon(Game):
    """What is exiled until a permanent leaves is back while that permanent is still there."""

    def leave(self, things: Sequence[Object], zone: str, *words: str) -> list[Object]:
        for thing in things:
            self.return_exiled(thing)
        return super().leave(things, zone, *words)


@fault("exiled-card-returns-to-the-exiler", "610.3c", "610.3")
class ReturnsToTheExiler(Game):
    """What is exiled until a permanent leaves returns under that permanent's controller."""

    def return_exiled(self, gone: Object) -> None:
        cards = [card for card in gone.memory.pop("exiled until it leaves", ()) if card.exists]
        self.enter([Arrival(card.piece, gone.controller) for card in cards])


@fault("exiled-token-returns", "111.7", "111.8")
class ExiledTokenReturns(Game):
    """A token that leaves the battlefield goes on existing in its new zone."""

    def put(self, thing: Object, zone: str, position: int = 0) -> Object | None:
        token, thing.piece.token = thing.piece.token, False
        new = super().put(thing, zone, position)
        thing.piece.token = token
        return new


@fault("a-new-object-remembers", "400.7", "122.2")
class NewObjectRemembers(Game):
    """A card that leaves the battlefield and returns has its counters still."""

    def put(self, thing: Object, zone: str, position: int = 0) -> Object | None:
        new = super().put(thing, zone, position)
        if new is not None and zone == "exile":
            new.counters = thing.counters.copy()
        return new

    def prepare(self, arrival: Arrival) -> Object | None:
        before = arrival.piece.at
        thing = super().prepare(arrival)
        if thing is not None and before is not None:
            thing.counters.update(before.counters)
        return thing


# -- leaving the game (CR 800.4) -----------------------------------------------------------------


@fault("the-stack-outlives-its-player", "800.4a")
class StackOutlivesItsPlayer(Game):
    """Abilities of a player who leaves the game stay on the stack and resolve."""

    def clear_stack_of(self, player: Player) -> None:
        return


@fault("cards-outlive-their-player", "800.4a")
class CardsOutliveTheirPlayer(Game):
    """Cards in exile, graveyards and hands stay when their owner leaves the game."""

    def take_cards_of(self, player: Player) -> None:
        return


@fault("a-leaving-players-spells-are-forgotten", "800.4i", "800.4j")
class ForgetsTheDeparted(Game):
    """Spells do not count any more once the player who cast them has left the game."""

    def most_spells_last_turn(self) -> int:
        return max(
            (self.last_turn.spells[one.name] for one in self.last_turn.active if not one.lost),
            default=0,
        )


# -- attachment and targets, in general ----------------------------------------------------------


@fault("hexproof-is-ignored", "702.11c", "702.11b", "303.4a")
class HexproofIgnored(Game):
    """Players and permanents with hexproof can be targeted by opponents."""

    def may_be_targeted(self, thing: Any, by: Player) -> bool:
        return True


@fault("aura-spell-enters-unattached", "608.3c", "303.4a")
class AuraEntersUnattached(Game):
    """An Aura spell's permanent is attached to nothing as it enters."""

    def aura_finds_its_place(self, thing: Object, arrival: Arrival) -> bool:
        return arrival.resolving or super().aura_finds_its_place(thing, arrival)


@fault("auras-outlive-what-they-enchant", "704.5m")
class AurasStay(Game):
    """An Aura stays when what it enchants is gone."""

    def is_lost_aura(self, thing: Object) -> bool:
        return thing.attached_to is None and super().is_lost_aura(thing)


@fault("equipment-goes-with-its-creature", "704.5n")
class EquipmentGoes(Game):
    """An Equipment is put into the graveyard with the creature that it equipped."""

    def is_put_into_graveyard(self, thing: Object) -> bool:
        to = thing.attached_to
        gone = isinstance(to, Object) and not to.exists
        return (gone and self.is_equipment(thing)) or super().is_put_into_graveyard(thing)


@fault("an-aura-enchants-anything", "303.4f", "702.5a")
class AuraEnchantsAnything(Game):
    """An Aura that is not cast can be attached to anything as it enters."""

    def may_enchant(self, aura: Object, thing: Thing | None, wanted: Any = None) -> bool:
        return thing is not None if wanted is not None else super().may_enchant(aura, thing)

    def is_lost_aura(self, thing: Object) -> bool:
        return thing.attached_to is None and super().is_lost_aura(thing)


@fault("an-aura-asks-for-its-player-at-night", "303.4f", "614.12", "702.145b")
class AuraAsksAtNight(Game):
    """An Aura card that enters back face up asks what to enchant all the same."""

    def aura_finds_its_place(self, thing: Object, arrival: Arrival) -> bool:
        if thing.face == BACK and not arrival.resolving:
            thing.face = FRONT
            found = super().aura_finds_its_place(thing, arrival)
            thing.face = BACK
            return found
        return super().aura_finds_its_place(thing, arrival)


# -- faces, copies and face-down permanents, in general ------------------------------------------


@fault("both-faces-work-at-once", "712.8d", "712.8e")
class BothFacesWork(Game):
    """A double-faced permanent has the abilities of both faces at once."""

    def copiable(self, thing: Object) -> Characteristics:
        now = super().copiable(thing)
        if thing.zone != "battlefield" or not thing.card.is_transforming or thing.face_down:
            return now
        other = thing.card.faces[1 - thing.face]
        return replace(now, abilities=(*now.abilities, *other.abilities))


@fault("enters-back-face-up-whatever-it-is", "702.145b")
class AlwaysEntersTransformed(Game):
    """A daybound permanent enters back face up by day as well, then turns at once."""

    def enters_transformed(self, entering: Object) -> bool:
        return self.is_double_faced(entering) and self.would_be(entering).has("daybound")


@fault("any-double-faced-card-enters-transformed-at-night", "702.145b", "712.13", "712.14")
class AnyCardEntersTransformed(Game):
    """At night every transforming double-faced permanent enters back face up."""

    def enters_transformed(self, entering: Object) -> bool:
        return (
            self.designation == "night" and entering.card.is_transforming and not entering.face_down
        )


@fault("returns-with-the-face-it-had", "712.14", "712.8a")
class ReturnsWithTheFaceItHad(Game):
    """A card that was back face up is put onto the battlefield with that face up."""

    def put(self, thing: Object, zone: str, position: int = 0) -> Object | None:
        new = super().put(thing, zone, position)
        if new is not None:
            new.memory["face"] = thing.memory.get("face", thing.face)
        return new

    def put_onto_battlefield(
        self, cards: Sequence[Object], controller: Player | None, **how: Any
    ) -> list[Object]:
        return self.enter(
            [
                Arrival(
                    card.piece,
                    controller or card.owner,
                    **{"face": card.memory.get("face", FRONT), **how},
                )
                for card in cards
            ]
        )


@fault("one-sided-cards-transform", "701.28a", "701.28c", "712.9")
class OneSidedCardsTransform(Game):
    """A card with one face is said to transform when it is told to."""

    def transform(self, things: Iterable[Object], because: str | None = None) -> list[Object]:
        things = list(things)
        for thing in things:
            if because is None and thing.on_battlefield and len(thing.card.faces) == 1:
                self.happen("transformed", thing, player=thing.controller)
        return super().transform(things, because)


@fault("turning-face-up-is-transforming", "701.28b")
class TurningFaceUpIsTransforming(Game):
    """A permanent that is turned face up is said to transform."""

    def turn_face_up(self, player: Player, thing: Object) -> None:
        super().turn_face_up(player, thing)
        self.happen("transformed", thing, player=player)


@fault("turned-face-up-shows-the-back-face", "712.15a")
class TurnedUpShowsTheBack(Game):
    """A double-faced permanent that is turned face up shows its back face."""

    def turn_face_up(self, player: Player, thing: Object) -> None:
        if thing.card.is_transforming:
            thing.face = BACK
        super().turn_face_up(player, thing)


@fault("face-down-in-the-graveyard", "708.9", "712.15")
class FaceDownElsewhere(Game):
    """A face-down permanent that leaves the battlefield stays face down."""

    def put(self, thing: Object, zone: str, position: int = 0) -> Object | None:
        new = super().put(thing, zone, position)
        if new is not None:
            new.face_down = thing.face_down
        return new


@fault("double-faced-permanents-turn-face-down", "712.16")
class DoubleFacedTurnFaceDown(Game):
    """A double-faced permanent can be turned face down."""

    def turn_face_down(self, thing: Object) -> None:
        if len(thing.card.faces) > 1:
            thing.face_down = True
            self.changed()
            self.happen("turned face down", thing)
        super().turn_face_down(thing)


@fault("copies-of-double-faced-cards-stay-face-up", "712.16", "708.2a")
class CopiesStayFaceUp(Game):
    """What is a copy can't be turned face down."""

    def turn_face_down(self, thing: Object) -> None:
        if thing.copy is None:
            super().turn_face_down(thing)


@fault("a-sorcery-face-turns-up", "701.28d", "712.10", "712.13a")
class SorceryFaceTurnsUp(Game):
    """A permanent transforms even into the face of an instant or sorcery."""

    def has_permanent_face(self, thing: Object) -> bool:
        return True


@fault("what-is-a-copy-never-transforms", "701.28a", "712.9", "701.28d")
class CopiesNeverTransform(Game):
    """A double-faced permanent that is a copy of something can't transform."""

    def is_double_faced(self, thing: Object) -> bool:
        return thing.copy is None and super().is_double_faced(thing)


@fault("an-ability-never-transforms-its-source", "701.28f")
class NeverTransformsItself(Game):
    """An ability that would transform its own source does nothing."""

    def may_transform_itself(self, item: StackItem) -> bool:
        return False


@fault("copies-the-front-face", "707.8")
class CopiesTheFrontFace(Game):
    """A copy of a double-faced permanent copies its front face, whichever is up."""

    def copy_of(self, thing: Object, exceptions: Mapping[str, Any] | None = None) -> Copy:
        face, thing.face = thing.face, FRONT
        copied = super().copy_of(thing, exceptions)
        thing.face = face
        return copied


@fault("copy-of-a-back-face-has-a-mana-value", "712.8e", "202.3b")
class CopyHasManaValue(Game):
    """A copy of a back face has the mana value of the original."""

    def copy_of(self, thing: Object, exceptions: Mapping[str, Any] | None = None) -> Copy:
        return replace(super().copy_of(thing, exceptions), mana_value=self.mana_value(thing))


@fault("plays-by-a-later-edition", "701.28a", "702.145b", "712.9")
class LaterEdition(Game):
    """Modal double-faced cards transform, whatever the edition says."""

    def is_double_faced(self, thing: Object) -> bool:
        return len(thing.card.faces) > 1


@fault("plays-by-an-earlier-edition", "701.28a", "702.145b", "712.9")
class EarlierEdition(Game):
    """Modal double-faced cards never transform, whatever the edition says."""

    def is_double_faced(self, thing: Object) -> bool:
        return thing.card.is_transforming


@fault("counters-for-whatever-enters", "614.12", "616.1")
class CountersForEverything(Game):
    """An effect on how creatures enter does not ask what is entering."""

    def _enters_as(self, thing: Object, wanted: Any, controller: Player) -> bool:
        return thing.controller is controller


@fault("looks-at-the-front-face-as-it-enters", "614.12", "616.1d", "616.1")
class LooksAtTheFrontFace(Game):
    """What enters back face up is judged by its front face."""

    def enters_with_counters(self, thing: Object, arrival: Arrival) -> None:
        face, thing.face = thing.face, FRONT
        super().enters_with_counters(thing, arrival)
        thing.face = face


# -- phasing (CR 702.26) -------------------------------------------------------------------------


@fault("everything-phases-in", "702.26a", "502.1")
class EverythingPhasesIn(Game):
    """Every phased-out permanent phases in, whoever controls it."""

    def phasing_action(self) -> None:
        self.phase_in([each for each in self.battlefield if each.phased_out])
        super().phasing_action()


@fault("phases-in-though-the-untap-step-is-skipped", "702.26m", "614.10", "502.1")
class PhasesInAlways(Game):
    """Permanents phase in as a turn begins, even if its untap step is skipped."""

    def begin_turn(self, active: tuple[Player, ...]) -> None:
        self.active = active
        self.phase_in(
            [
                each
                for each in self.battlefield
                if each.phased_out and each.phased_with is None and each.controller in active
            ]
        )
        super().begin_turn(active)


# -- damage, triggers, costs, mana: what rulings of single cards warn of -------------------------


@fault("a-creature-loses-loyalty", "306.8", "120.3c")
class CreatureLosesLoyalty(Game):
    """Damage takes loyalty counters from what is no planeswalker any more."""

    def _land(self, hit: Hit) -> None:
        super()._land(hit)
        if isinstance(hit.to, Object):
            planeswalker = "planeswalker" in self.characteristics(hit.to).types
            if hit.to.counters["loyalty"] and not planeswalker:
                hit.to.counters["loyalty"] = max(0, hit.to.counters["loyalty"] - hit.amount)


@fault("a-planeswalker-keeps-its-loyalty", "306.8", "120.3c")
class PlaneswalkerKeepsLoyalty(Game):
    """Damage takes no loyalty counters."""

    def _land(self, hit: Hit) -> None:
        before = 0 if isinstance(hit.to, Player) else hit.to.counters["loyalty"]
        super()._land(hit)
        if isinstance(hit.to, Object) and before:
            hit.to.counters["loyalty"] = before


@fault("effects-outlast-the-turn", "514.2")
class EffectsOutlastTheTurn(Game):
    """Effects until end of turn do not end."""

    def end_effects(self, ends: Sequence[ContinuousEffect]) -> None:
        super().end_effects([each for each in ends if each.duration != "end of turn"])


@fault("loyalty-ability-is-a-mana-ability", "605.1a", "306.5d")
class LoyaltyManaAbility(Game):
    """A loyalty ability that adds mana is a mana ability."""

    def is_mana_ability(self, ability: Ability) -> bool:
        adds = any("add mana" in effect for effect in ability.body["do"])
        return super().is_mana_ability(ability) or adds

    def is_at_sorcery_speed(self, ability: Ability) -> bool:
        return not self.is_mana_ability(ability) and super().is_at_sorcery_speed(ability)


@fault("mana-abilities-use-the-stack", "605.3b", "605.1a")
class ManaAbilitiesUseTheStack(Game):
    """Mana abilities go on the stack."""

    def is_mana_ability(self, ability: Ability) -> bool:
        return False


@fault("mana-is-never-added", "605.1a", "106.4", "608.2c")
class ManaIsNeverAdded(Game):
    """Abilities add no mana."""

    def do_add_mana(self, effect: Mapping[str, Any], item: StackItem) -> None:
        return


@fault("costs-are-not-checked", "601.2h", "601.2f")
class CostsAreNotChecked(Game):
    """A spell can be cast without the mana for it."""

    @classmethod
    def from_given(cls, given: Mapping[str, Any], cards: Mapping[str, Mapping[str, Any]]) -> Game:
        unlimited = {name: {**given[name], "mana": None} for name in given["players"]}
        return super().from_given({**given, **unlimited}, cards)


@fault("costs-are-counted-after-mana-abilities", "601.2f", "601.2g")
class CostsCountedLate(Game):
    """What a spell costs is determined after mana abilities were activated for it."""

    def total_cost(
        self, player: Player, card: Object, face: Face, via: str | None, x: int, item: StackItem
    ) -> Cost:
        for source in item.paid_with:
            self.tap_for_mana(player, source)
        item.paid_with = []
        return super().total_cost(player, card, face, via, x, item)


@fault("costs-are-never-reduced", "601.2f")
class CostsAreNeverReduced(Game):
    """Permanents that make spells cost less do nothing."""

    def _reductions(self, player: Player, card: Object) -> int:
        return 0


@fault("becomes-blocked-after-damage", "509.4", "509.5c")
class BlockedAfterDamage(Game):
    """Abilities that trigger when a creature becomes blocked wait until damage is dealt."""

    def becomes_blocked(self, attacker: Object) -> None:
        return

    def combat_damage(self, first: bool) -> None:
        super().combat_damage(first)
        for attacker in self.attackers():
            if attacker.blocked:
                self.happen("blocked", attacker)


@fault("becomes-blocked-by-each", "509.5c")
class BlockedByEach(Game):
    """A creature becomes blocked once for each creature that blocks it."""

    def becomes_blocked(self, attacker: Object) -> None:
        for _ in self.blockers_of(attacker):
            self.happen("blocked", attacker)


@fault("unblocked-creatures-become-blocked", "509.5c")
class UnblockedBecomesBlocked(Game):
    """Every attacking creature becomes blocked, whether something blocks it or not."""

    def declare_blockers(self, blocks: Mapping[Object, Sequence[Object]]) -> None:
        super().declare_blockers(blocks)
        for attacker in self.attackers():
            if not attacker.blocked:
                self.becomes_blocked(attacker)


@fault("damage-at-one-moment-triggers-once", "603.2c")
class SimultaneousDamageTriggersOnce(Game):
    """However many creatures deal damage at one moment, an ability triggers once."""

    def _see(self, event: Event, source: Object, ability: Ability) -> None:
        known = (source, ability, "damaged")
        if event.word != "damaged" or known not in self.seen:
            super()._see(event, source, ability)
            if event.word == "damaged" and self.waiting and self.waiting[-1].event is event:
                self.seen.append(known)

    def deal(self, hits: list[Hit], *, combat: bool = False) -> None:
        self.seen: list[tuple[Object, Ability, str]] = []
        super().deal(hits, combat=combat)

    def __init__(self) -> None:
        super().__init__()
        self.seen = []


@fault("damage-triggers-once-a-combat", "603.2c", "510.4")
class DamageTriggersOnceACombat(Game):
    """An ability on combat damage triggers once in a combat, however often damage is dealt."""

    def _see(self, event: Event, source: Object, ability: Ability) -> None:
        known = source.memory.setdefault("seen this turn", {})
        if event.word == "damaged" and known.get(id(ability)) == self.turn_number:
            return
        before = len(self.waiting)
        super()._see(event, source, ability)
        if event.word == "damaged" and len(self.waiting) > before:
            known[id(ability)] = self.turn_number


@fault("a-trigger-for-each-type", "603.2c")
class ATriggerForEachType(Game):
    """A creature that has two of the types an ability asks for triggers it twice."""

    def _see(self, event: Event, source: Object, ability: Ability) -> None:
        super()._see(event, source, ability)
        by, wanted = event.attributes.get("by"), ability.head.get("by")
        if (
            isinstance(by, Object)
            and isinstance(wanted, Mapping)
            and self.characteristics(by).subtypes.issuperset(wanted.get("subtypes", by.card.name))
        ):
            super()._see(event, source, ability)


@fault("a-trigger-for-any-creature", "603.2c", "603.2")
class ATriggerForAnyCreature(Game):
    """An ability that asks for damage by certain creatures triggers on that of any."""

    def _is_by(self, event: Event, wanted: Any, controller: Player, source: Object) -> bool:
        return wanted != "this" or super()._is_by(event, wanted, controller, source)


# -- descriptions and bonuses (CR 613.4c) ------------------------------------------------------


@fault("another-means-itself-too", "613.4c")
class AnotherMeansItself(Game):
    """What speaks of other objects means its own source as well."""

    def _fits(
        self, thing: Object, word: str, value: Any, controller: Player, source: Object | None
    ) -> object:
        return word == "other" or super()._fits(thing, word, value, controller, source)

    def _group(self, effect: ContinuousEffect) -> list[Object]:
        return self.described(effect.filter, effect.source, effect.controller)


@fault("another-means-another-name", "613.4c", "707.2")
class AnotherMeansAnotherName(Game):
    """What speaks of other objects leaves out all that have its source's name."""

    def _fits(
        self, thing: Object, word: str, value: Any, controller: Player, source: Object | None
    ) -> object:
        if word == "other" and value and source is not None:
            return self.characteristics(thing).name != self.characteristics(source).name
        return super()._fits(thing, word, value, controller, source)

    def _group(self, effect: ContinuousEffect) -> list[Object]:
        return self.described(effect.filter, effect.source, effect.controller)


@fault("you-control-means-anybody-controls", "613.4c", "601.2c", "115.1")
class AnybodyControls(Game):
    """What speaks of objects that somebody controls means everybody's."""

    def _fits(
        self, thing: Object, word: str, value: Any, controller: Player, source: Object | None
    ) -> object:
        return word == "controller" or super()._fits(thing, word, value, controller, source)


@fault("either-type-means-both", "613.4c", "603.2c")
class EitherMeansBoth(Game):
    """What asks for one type or another means only objects that have both."""

    def _fits(
        self, thing: Object, word: str, value: Any, controller: Player, source: Object | None
    ) -> object:
        if word == "subtypes":
            return self.characteristics(thing).subtypes.issuperset(value)
        return super()._fits(thing, word, value, controller, source)


@fault("a-bonus-for-each-type", "613.4c", "611.3a")
class ABonusForEachType(Game):
    """What has two of the types that an ability speaks of gets its bonus twice."""

    def _affected(self, effect: ContinuousEffect) -> list[Object]:
        affected = super()._affected(effect)
        wanted = effect.filter.get("subtypes", ()) if isinstance(effect.filter, Mapping) else ()
        twice = [
            thing
            for thing in affected
            if len(wanted) > 1 and self._known[thing].subtypes.issuperset(wanted)
        ]
        return [*affected, *twice]


@fault("like-bonuses-do-not-add-up", "613.4c")
class LikeBonusesDoNotAddUp(Game):
    """Of several sources with the same ability only one gives its bonus."""

    def _apply_layers(self, effects: list[ContinuousEffect]) -> None:
        self.given_to: set[tuple[Ability, Object]] = set()
        super()._apply_layers(effects)

    def _affected(self, effect: ContinuousEffect) -> list[Object]:
        affected = super()._affected(effect)
        if effect.ability is None or effect.filter == "this":
            return affected
        new = [thing for thing in affected if (effect.ability, thing) not in self.given_to]
        self.given_to.update((effect.ability, thing) for thing in new)
        return new


@fault("humans-means-werewolves-too", "701.28a")
class HumansMeansWerewolves(Game):
    """What speaks of Humans means Werewolves as well."""

    def _fits(
        self, thing: Object, word: str, value: Any, controller: Player, source: Object | None
    ) -> object:
        if word == "subtypes" and "Human" in value:
            value = [*value, "Werewolf"]
        return super()._fits(thing, word, value, controller, source)


# -- instructions to transform -----------------------------------------------------------------


@fault("only-werewolves-transform", "701.28a")
class OnlyWerewolvesTransform(Game):
    """An instruction to transform does nothing to what is no Werewolf."""

    def can_transform(self, thing: Object, because: str | None = None) -> bool:
        werewolf = "Werewolf" in self.characteristics(thing).subtypes
        return (because is not None or werewolf) and super().can_transform(thing, because)


@fault("only-your-own-permanents-transform", "701.28a")
class OnlyYourOwnTransform(Game):
    """An instruction to transform does nothing to what the active player does not control."""

    def can_transform(self, thing: Object, because: str | None = None) -> bool:
        own = thing.controller in self.active
        return (because is not None or own) and super().can_transform(thing, because)


@fault("instructions-to-transform-do-nothing", "701.28a", "712.9")
class InstructionsDoNothing(Game):
    """Only day and night transform permanents."""

    def can_transform(self, thing: Object, because: str | None = None) -> bool:
        return because is not None and super().can_transform(thing, because)


# -- prevention (CR 615) ------------------------------------------------------------------------


class SettledPrevention(Game):
    """Looks at what Moonmist is about only as it resolves."""

    settled: Sequence[Object] = ()

    def begin_effect(self, effect: ContinuousEffect) -> None:
        wanted = effect.change.get("prevents combat damage by")
        if wanted is not None:
            self.settled = self.matching(wanted, effect.controller, None)
            self.there = self.permanents()
        super().begin_effect(effect)

    there: Sequence[Object] = ()

    def is_settled(self, hit: Hit) -> bool:
        """Say whether damage from this source is prevented."""
        return hit.source in self.settled

    def prevented(self, hit: Hit, combat: bool) -> bool:
        return combat and self.is_settled(hit)


@fault("prevention-is-settled-as-it-begins", "611.2c", "615.1")
class PreventsWhatWasThere(SettledPrevention):
    """Damage is prevented only from what was such a source as the effect began."""


@fault("prevention-spares-only-what-was-there", "611.2c", "615.1")
class SparesWhatWasThere(SettledPrevention):
    """Damage is prevented from all but the sources that were spared as the effect began."""

    def is_settled(self, hit: Hit) -> bool:
        return bool(self.there) and (hit.source in self.settled or hit.source not in self.there)


@fault("all-damage-is-prevented", "615.1", "120.2")
class PreventsAllDamage(Game):
    """An effect that prevents combat damage prevents all damage."""

    def prevented(self, hit: Hit, combat: bool) -> bool:
        return super().prevented(hit, combat=True)


# -- targets, instructions and triggers, in general ------------------------------------------------


@fault("resolves-without-its-target", "608.2b")
class ResolvesWithoutItsTarget(Game):
    """A spell or ability resolves though all its targets are illegal."""

    def drop_illegal_targets(self, item: StackItem, wanted: Sequence[Any]) -> bool:
        super().drop_illegal_targets(item, wanted)
        return True


@fault("only-the-first-instruction-counts", "608.2c")
class OnlyTheFirstInstruction(Game):
    """Of several instructions only the first is carried out."""

    def carry_out(self, effects: Sequence[Mapping[str, Any]], item: StackItem) -> None:
        super().carry_out(effects[:1], item)


@fault("if-it-is-night-holds-by-day", "608.2c", "728.1")
class NightHoldsByDay(Game):
    """What happens if it is night happens by day as well."""

    def _holds(self, word: str, value: Any, controller: Player, source: Object | None) -> object:
        return word == "night" or super()._holds(word, value, controller, source)


@fault("dying-is-being-dealt-damage", "603.2")
class DyingIsDamage(Game):
    """An ability that waits for damage triggers as its source dies in any way."""

    def leave(self, things: Sequence[Object], zone: str, *words: str) -> list[Object]:
        if zone == "graveyard":
            for thing in things:
                self.happen("dealt damage", thing, amount=1)
        return super().leave(things, zone, *words)


@fault("nothing-can-block", "113.7a", "712.8", "509.1b")
class NothingCanBlock(Game):
    """An effect that keeps one creature from blocking keeps all from it."""

    def restricted(self, thing: Object, word: str) -> bool:
        if word == "can't block":
            return any(word in effect.change for effect in self.effects)
        return super().restricted(thing, word)


@fault("copies-whatever-is-in-exile", "607.2a")
class CopiesWhateverIsInExile(Game):
    """What becomes a copy of a card exiled with it can choose any exiled or dead creature."""

    def do_become_copy(self, effect: Mapping[str, Any], item: StackItem) -> None:
        item.origin.linked += [
            card
            for player in self.playing
            for card in (*player.exile, *player.graveyard)
            if self.characteristics(card).is_creature and card not in item.origin.linked
        ]
        super().do_become_copy(effect, item)


@fault("linked-cards-outlive-the-object", "607.2a", "400.7")
class LinkedCardsOutlive(Game):
    """A card that leaves and returns still has what was exiled with it before."""

    def prepare(self, arrival: Arrival) -> Object | None:
        thing = super().prepare(arrival)
        if thing is not None:
            thing.linked = self.exiled_with.setdefault(thing.piece.id, thing.linked)
        return thing

    def pay(self, player: Player, thing: Object, cost: Mapping[str, Any], item: StackItem) -> None:
        super().pay(player, thing, cost, item)
        self.exiled_with[thing.piece.id] = thing.linked

    def may_transform_itself(self, item: StackItem) -> bool:
        if item.source is not None and not item.source.exists and item.source.piece.at:
            item.source = item.source.piece.at
        return True

    def __init__(self) -> None:
        super().__init__()
        self.exiled_with: dict[str | None, list[Object]] = {}


@fault("x-may-be-zero", "601.2b", "602.2b", "607.2a")
class XMayBeZero(Game):
    """A cost that X objects pay can be paid with none."""

    def pay(self, player: Player, thing: Object, cost: Mapping[str, Any], item: StackItem) -> None:
        if item.x == 0:
            cost = {word: value for word, value in cost.items() if word != "exile from graveyard"}
        super().pay(player, thing, {**cost, "least x": 0}, item)


@fault("cant-be-countered-is-ignored", "101.2", "701.5a")
class CantBeCounteredIgnored(Game):
    """A spell that can't be countered is countered."""

    def counter(self, item: StackItem) -> None:
        super().counter(item)
        if item.spell is not None and item in self.stack:
            self.happen("countered", item.spell)
            self.leave_stack(item)


@fault("limits-on-casting-are-ignored", "101.2", "601.3")
class LimitsOnCastingIgnored(Game):
    """An effect that keeps opponents from casting spells does nothing."""

    def _is_allowed(self, player: Player, card: Object) -> None:
        return


@fault("a-trigger-for-any-spell", "603.2")
class ATriggerForAnySpell(Game):
    """An ability that asks for certain spells of its controller triggers on any spell."""

    def _sees(
        self, event: Event, trigger: Mapping[str, Any], controller: Player, source: Object
    ) -> bool:
        if event.word == "cast":
            trigger = {word: each for word, each in trigger.items() if word == "on"}
        return super()._sees(event, trigger, controller, source)


@fault("first-strike-deals-damage-twice", "702.7b", "510.4")
class FirstStrikeTwice(Game):
    """A creature with first strike deals damage in both combat damage steps."""

    def _strikes_again(self, thing: Object) -> bool:
        return True


@fault("what-may-be-cast-may-always-be-cast", "601.3")
class MayAlwaysBeCast(Game):
    """A card that may be cast in certain turns may be cast in any turn."""

    def may_cast_exiled(self, player: Player, card: Object) -> bool:
        return card.memory.get("may be cast by", (None, None))[0] is player


@fault("an-exiled-card-cannot-be-cast", "601.3")
class ExiledCannotBeCast(Game):
    """A card in exile can't be cast, whatever lets a player cast it."""

    def may_cast_exiled(self, player: Player, card: Object) -> bool:
        return False


# -- flashback (CR 702.34) -----------------------------------------------------------------------


@fault("flashback-is-an-instant", "307.1", "702.34a")
class FlashbackIsAnInstant(Game):
    """A card with flashback can be cast at any time."""

    def _is_time_for(self, player: Player, card: Object, face: Face, via: str | None) -> bool:
        return via == "flashback" or super()._is_time_for(player, card, face, via)


@fault("flashback-again-and-again", "702.34a")
class FlashbackAgain(Game):
    """A card cast with flashback goes back to the graveyard."""

    def leave_stack(self, item: StackItem) -> None:
        item.via = None
        super().leave_stack(item)


@fault("flashback-for-every-card", "702.34a", "601.3")
class FlashbackForEveryCard(Game):
    """Any card can be cast from its owner's graveyard."""

    def _may_cast_from(self, player: Player, card: Object, face: Face, via: str | None) -> None:
        if card not in player.graveyard:
            super()._may_cast_from(player, card, face, via)


class FlashbackFromElsewhere(Game):
    """Casts with flashback what is not in the player's graveyard."""

    def is_there(self, player: Player, card: Object) -> bool:
        """Say whether the card is where flashback is taken to work."""
        raise NotImplementedError

    def _may_cast_from(self, player: Player, card: Object, face: Face, via: str | None) -> None:
        there = "flashback" in face.keywords and self.is_there(player, card)
        if via != "flashback" or not there:
            super()._may_cast_from(player, card, face, via)


@fault("flashback-of-anybodys-card", "702.34a")
class FlashbackOfAnybody(FlashbackFromElsewhere):
    """A player can cast another player's card with flashback."""

    def is_there(self, player: Player, card: Object) -> bool:
        return card.zone == "graveyard"


@fault("flashback-from-the-hand", "702.34a")
class FlashbackFromTheHand(FlashbackFromElsewhere):
    """A card in a hand can be cast with flashback."""

    def is_there(self, player: Player, card: Object) -> bool:
        return card in player.hand


@fault("flashback-only-after-it-was-cast", "702.34a")
class FlashbackOnlyAfterCasting(Game):
    """Flashback works only for a card that came to the graveyard from the stack."""

    def put(self, thing: Object, zone: str, position: int = 0) -> Object | None:
        new = super().put(thing, zone, position)
        if new is not None:
            new.memory["from"] = thing.zone
        return new

    def _may_cast_from(self, player: Player, card: Object, face: Face, via: str | None) -> None:
        if via == "flashback" and card.memory.get("from", "stack") != "stack":
            raise Refused(f"{card} was not cast before")
        super()._may_cast_from(player, card, face, via)


@fault("flashback-waits-for-other-players", "117.3b", "117.3c", "702.34a")
class FlashbackWaits(Game):
    """A card that has just come to the graveyard can't be cast until another turn."""

    def put(self, thing: Object, zone: str, position: int = 0) -> Object | None:
        new = super().put(thing, zone, position)
        if new is not None:
            new.memory["turn"] = self.turn_number
        return new

    def _may_cast_from(self, player: Player, card: Object, face: Face, via: str | None) -> None:
        if via == "flashback" and card.memory.get("turn") == self.turn_number:
            raise Refused(f"{card} has just come to the graveyard")
        super()._may_cast_from(player, card, face, via)


# -- turns, steps and combat (CR 500–514) ------------------------------------------------------


@fault("the-game-never-ends", "104.2a")
class TheGameNeverEnds(Game):
    """The last player who is left takes turn after turn."""

    def go_to(self, step: str, player: Player | None = None) -> None:
        self.next_step()
        while self.step != step or (player is not None and player not in self.active):
            self.next_step()


@fault("turn-numbers-stand-still", "500.1")
class TurnNumbersStandStill(Game):
    """Turns are not counted."""

    def begin_turn(self, active: tuple[Player, ...]) -> None:
        self.turn_number -= 1
        super().begin_turn(active)


@fault("turns-go-the-other-way", "500.1", "805.4a")
class TurnsGoTheOtherWay(Game):
    """Turns go against the turn order."""

    def team_after(self, team: tuple[Player, ...]) -> tuple[Player, ...]:
        return self.teams[self.teams.index(team) - 1]


@fault("each-player-of-a-team-takes-a-turn", "805.4", "805.4a")
class EachOfATeam(Game):
    """The turn of a team is said to be a turn of each of its players."""

    def begin_turn(self, active: tuple[Player, ...]) -> None:
        for player in active[1:]:
            self.happen("turn", player)
        super().begin_turn(active)


@fault("summoning-sickness-stays", "302.6")
class SicknessStays(Game):
    """A creature that came in the game can never attack."""

    def place(self, thing: Object) -> None:
        super().place(thing)
        thing.memory["came"] = True

    def can_attack(self, thing: Object) -> bool:
        return "came" not in thing.memory and super().can_attack(thing)


@fault("creatures-attack-at-once", "302.6")
class CreaturesAttackAtOnce(Game):
    """A creature can attack in the turn in which it came."""

    def can_attack(self, thing: Object) -> bool:
        sick, thing.sick = thing.sick, False
        can = super().can_attack(thing)
        thing.sick = sick
        return can


@fault("any-number-of-lands", "305.2")
class AnyNumberOfLands(Game):
    """A player can play any number of lands in a turn."""

    def play_land(self, player: Player, card: Object) -> None:
        player.lands_played = 0
        super().play_land(player, card)


@fault("one-land-a-game", "305.2")
class OneLandAGame(Game):
    """A player who has played a land can't play another in a later turn."""

    def play_land(self, player: Player, card: Object) -> None:
        if player in self.played:
            raise Refused(f"{player} has played a land")
        super().play_land(player, card)
        self.played.append(player)

    def __init__(self) -> None:
        super().__init__()
        self.played: list[Player] = []


@fault("anybodys-main-phase-will-do", "305.2", "307.1")
class AnybodysMainPhase(Game):
    """A player can act at sorcery speed in the main phase of another."""

    def is_sorcery_time(self, player: Player) -> bool:
        return self.step in MAIN and not self.stack


@fault("loyalty-abilities-as-often-as-you-like", "606.3")
class LoyaltyAgainAndAgain(Game):
    """Loyalty abilities of a permanent can be activated more than once in a turn."""

    def activate(self, player: Player, thing: Object, number: int = 1, **how: Any) -> None:
        thing.loyalty_used = False
        super().activate(player, thing, number, **how)


@fault("combat-steps-are-never-skipped", "508.8", "510.4")
class CombatStepsAlways(Game):
    """Blockers are declared and damage is dealt even if nothing attacks."""

    def is_skipped(self, step: str) -> bool:
        return self.skips(step)

    def check_block(self, blocker: Object, attacker: Object) -> None:
        if attacker.attacking is not None:
            super().check_block(blocker, attacker)


@fault("combat-never-ends", "511.3")
class CombatNeverEnds(Game):
    """Attacking creatures attack still when the combat phase is over."""

    def end_combat(self) -> None:
        return


@fault("attacks-after-combat", "508.1", "511.3")
class AttacksAfterCombat(Game):
    """Attackers can be declared again when the combat phase is over."""

    def go_to_this_turn(self, step: str) -> None:
        if STEPS.index(self.step) >= STEPS.index(step):
            self.begin_step(step)
        else:
            super().go_to_this_turn(step)


@fault("six-cards-at-most", "514.1", "402.2")
class SixCards(Game):
    """Players discard down to six cards."""

    def maximum_hand_size(self) -> int:
        return 6


@fault("everybody-discards", "514.1")
class EverybodyDiscards(Game):
    """Every player discards down to seven cards as a turn ends."""

    def cleanup_step(self) -> None:
        active, self.active = self.active, tuple(self.playing)
        super().cleanup_step()
        self.active = active


@fault("damage-stays", "514.2")
class DamageStays(Game):
    """Damage stays marked when the turn ends."""

    def cleanup_step(self) -> None:
        marked = [(thing, thing.damage) for thing in self.battlefield]
        super().cleanup_step()
        for thing, damage in marked:
            thing.damage = damage
        self.changed()


@fault("damage-does-not-add-up", "704.5g", "120.3e")
class DamageDoesNotAddUp(Game):
    """Only the last damage that a creature was dealt counts."""

    def _land(self, hit: Hit) -> None:
        if isinstance(hit.to, Object):
            hit.to.damage = 0
        super()._land(hit)


@fault("cleanup-never-waits", "514.3a")
class CleanupNeverWaits(Game):
    """What triggers in the cleanup step waits for the next turn's upkeep."""

    def cleanup_has_priority(self) -> bool:
        self.ending_turn = False
        return False


@fault("until-your-next-turn-is-for-ever", "611.2a")
class UntilYourNextTurnForEver(Game):
    """Effects until a player's next turn do not end."""

    def _ends_with_turn_of(self, effect: ContinuousEffect, active: tuple[Player, ...]) -> bool:
        return False


@fault("until-your-next-turn-is-the-next-turn", "611.2a")
class UntilTheNextTurn(Game):
    """Effects until a player's next turn end with the next turn of anybody."""

    def _ends_with_turn_of(self, effect: ContinuousEffect, active: tuple[Player, ...]) -> bool:
        return effect.duration == "your next turn"


@fault("skips-every-time", "614.10", "614.10a")
class SkipsEveryTime(Game):
    """A player who is to skip the next step or turn skips all of them."""

    def skips(self, step: str) -> bool:
        return any(player.skips[step] for player in self.active) or bool(
            self.static_abilities(f"players skip {step}")
        )


@fault("like-skips-do-not-add-up", "614.10a")
class SkipsDoNotAddUp(Game):
    """Two effects that skip the next step or turn skip one."""

    def do_skip(self, effect: Mapping[str, Any], item: StackItem) -> None:
        for player in self.players_meant(effect["player"], item):
            player.skips[effect["skip"]] = 1


@fault("skipped-turns-are-taken", "500.11", "614.10")
class SkippedTurnsAreTaken(Game):
    """A player who is to skip a turn takes it."""

    def do_skip(self, effect: Mapping[str, Any], item: StackItem) -> None:
        if effect["skip"] != "turn":
            super().do_skip(effect, item)


@fault("ending-the-turn-clears-only-the-stack", "721.1", "721.1d")
class EndsOnlyTheStack(Game):
    """An effect that ends the turn empties the stack, and the turn goes on."""

    def end_the_turn(self) -> None:
        super().end_the_turn()
        self.ending_turn = False


@fault("all-control-ends-as-anyone-leaves", "800.4a")
class AllControlEnds(Game):
    """When a player leaves, everybody's effects that give control end."""

    def leave_game(self, player: Player) -> None:
        super().leave_game(player)
        self.end_effects([effect for effect in self.effects if "control" in effect.change])


@fault("leaving-the-game-is-dying", "800.4a")
class LeavingIsDying(Game):
    """Creatures die when their owner leaves the game."""

    def leave_game(self, player: Player) -> None:
        for thing in self.permanents():
            if thing.owner is player and self.characteristics(thing).is_creature:
                self.happen("died", thing)
        super().leave_game(player)


@fault("team-mates-play-on", "810.8a")
class TeamMatesPlayOn(Game):
    """A player of a team loses alone."""

    def lose(self, player: Player) -> None:
        shared, self.shared_turns = self.shared_turns, False
        super().lose(player)
        self.shared_turns = shared


@fault("the-next-player-loses-too", "800.4", "810.8a", "104.2a")
class TheNextPlayerLosesToo(Game):
    """When a player leaves, the one after them has lost as well."""

    def lose(self, player: Player) -> None:
        others = [one for one in self.playing if one is not player]
        super().lose(player)
        if len(others) > 1:
            super().lose(others[0])


@fault("turns-begun-are-not-counted", "601.3", "101.2")
class TurnsBegunNotCounted(Game):
    """What counts the turns that a player has begun never counts another one."""

    def begin_turn(self, active: tuple[Player, ...]) -> None:
        for player in active:
            player.turns_begun -= 1
        super().begin_turn(active)


@fault("the-draw-step-spares-nothing", "614.11")
class DrawStepSparesNothing(Game):
    """An effect that replaces draws replaces the first one of a draw step as well."""

    def draw_step(self) -> None:
        for player in self.active:
            player.drawn += 1
        super().draw_step()


@fault("draws-are-never-replaced", "614.11", "121.6")
class DrawsAreNeverReplaced(Game):
    """Effects that replace draws do nothing."""

    def draw(self, player: Player, number: int = 1) -> int:
        return sum(self.draw_one(player) for _ in range(number))


# -- as an engine --------------------------------------------------------------------------------


class FaultyEngine(ReferenceEngine):
    """The reference engine with one planted fault."""

    def __init__(self, planted: Fault) -> None:
        self.fault = planted
        self.game = planted.game
        self.engine = EngineInfo(
            f"fault:{planted.name}", __version__, language="Python", license="MIT"
        )

    def act(self, game: Game, step: Mapping[str, Any]) -> None:
        """Carry out one step, or nothing at all where the fault is the control."""
        if not self.fault.control:
            super().act(game, step)


def faults() -> Iterator[Fault]:
    """Give all planted faults, the control first."""
    yield from FAULTS.values()


def engine(name: str) -> FaultyEngine:
    """Make the engine with a planted fault: `fault:NAME`; raises `LookupError` for no such name."""
    if name not in FAULTS:
        near = difflib.get_close_matches(name, FAULTS, n=1)
        meant = f"did you mean {near[0]}?" if near else "`rulings faults` lists them"
        raise LookupError(f"no fault is called {name}; {meant}")
    return FaultyEngine(FAULTS[name])
