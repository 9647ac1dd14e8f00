"""The turn: its steps, their turn-based actions, and how play goes on (CR 500–514, 703, 805)."""

from __future__ import annotations

from harness.protocol import Refused
from reference_engine.combat import Combat
from reference_engine.objects import ContinuousEffect, Player
from reference_engine.state import Turn as PastTurn

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
WITHOUT_PRIORITY = ("untap", "cleanup")
MOST_STEPS = 400
"""How many steps play goes on without reaching the one that was asked for."""


class Turns(Combat):
    """Lets turns and steps follow each other."""

    def __init__(self) -> None:
        super().__init__()
        self.regular: tuple[Player, ...] = ()
        """Whose turn it is or was by turn order, extra turns aside."""

    # -- going on ------------------------------------------------------------------------------

    def resolve_all(self) -> None:
        """Let everybody pass until the stack is empty (CR 117.4)."""
        for _ in range(1000):
            if not self.stack:
                return
            self.resolve_top()
        raise Refused("the stack does not become empty")

    def go_to(self, step: str, player: Player | None = None) -> None:
        """Let everybody pass until the next such step (of that player's turn) begins."""
        for _ in range(MOST_STEPS):
            self.next_step()
            if self.step == step and (player is None or player in self.active):
                return
            if len(self.playing) <= 1:
                raise Refused("the game is over")
        raise Refused(f"no {step} step comes")

    def go_to_this_turn(self, step: str) -> None:
        """Let everybody pass until a later step of this turn begins."""
        number = self.turn_number
        if STEPS.index(self.step) >= STEPS.index(step):
            raise Refused(f"the {step} step of this turn is over")
        while self.step != step:
            self.next_step()
            if self.turn_number != number:
                raise Refused(f"this turn has no {step} step")

    def next_step(self) -> None:
        """Let everybody pass with the stack empty, and the next step begin (CR 500.2)."""
        self.resolve_all()
        self.end_step()
        step = self.step_after(self.step)
        while step is not None and self.is_skipped(step):
            step = self.step_after(step)
        if step is None:
            self.next_turn()
        else:
            self.begin_step(step)

    def step_after(self, step: str) -> str | None:
        """Give the step that follows; None after the cleanup step."""
        if self.ending_turn and step != "cleanup":
            return "cleanup"  # CR 721.1d
        return None if step == "cleanup" else STEPS[STEPS.index(step) + 1]

    def is_skipped(self, step: str) -> bool:
        """Say whether a step does not happen: there is no combat without attackers (CR 508.8), no
        first damage step without first strike (CR 510.4), and effects skip steps (CR 500.11).
        """
        if step in ("declare blockers", "first-strike damage", "combat damage") and not (
            self.attackers() or any(thing.blocking for thing in self.battlefield)
        ):
            return True
        if step == "first-strike damage":
            return not self.has_first_strikers()
        return self.skips(step)

    def skips(self, step: str) -> bool:
        """Say whether the active player, or with shared turns their team, skips the step
        (CR 614.10, 805.8).
        """
        skipping = [player for player in self.active if player.skips[step]]
        for player in skipping:
            player.skips[step] -= 1
        return bool(skipping) or bool(self.static_abilities(f"players skip {step}"))

    def begin_step(self, step: str) -> None:
        """Begin a step: its turn-based actions, then abilities that trigger on it, then priority
        (CR 703.3). Where nobody gets priority the next step begins at once.
        """
        self.step = step
        for player in self.players:
            player.drawn = 0
        self.happen("step", step, active=self.active)
        actions = {
            "untap": self.untap_step,
            "draw": self.draw_step,
            "declare attackers": self.declare_attackers_step,
            "declare blockers": self.declare_blockers_step,
            "first-strike damage": lambda: self.combat_damage(first=True),
            "combat damage": lambda: self.combat_damage(first=False),
            "cleanup": self.cleanup_step,
        }
        actions.get(step, lambda: None)()
        if step == "untap" or (step == "cleanup" and not self.cleanup_has_priority()):
            self.next_step()
        else:
            self.priority()

    def end_step(self) -> None:
        """End the step that was (CR 500.4, 511.3)."""
        if self.step == "end of combat" or self.ending_turn:
            self.end_combat()

    # -- turn-based actions --------------------------------------------------------------------

    def untap_step(self) -> None:
        """Phasing, then day or night, then untapping (CR 502.1–3, 703.4a–c)."""
        self.phasing_action()
        self.check_designation()
        self.untap_action()

    def phasing_action(self) -> None:
        """Phase in what the active player controlled as it phased out, and phase out their
        permanents with phasing, at one moment (CR 502.1); what phased out indirectly follows
        (CR 702.26g).
        """
        out = [
            thing
            for thing in self.permanents()
            if thing.controller in self.active and self.characteristics(thing).has("phasing")
        ]
        back = [
            thing
            for thing in self.battlefield
            if thing.phased_out and thing.phased_with is None and thing.controller in self.active
        ]
        with self.together():
            self.phase_in(back)
            self.phase_out(out)

    def untap_action(self) -> None:
        """Untap the active player's permanents together (CR 502.3)."""
        with self.together():
            for thing in self.permanents():
                if thing.controller in self.active:
                    self.untap(thing)

    def draw_step(self) -> None:
        """Let the active player draw; with shared turns each of the team (CR 504.1, 805.4b)."""
        for player in self.active:
            if not player.lost:
                self.draw(player)

    def cleanup_step(self) -> None:
        """Discard down to the maximum hand size, then let damage and "until end of turn" end
        (CR 514.1–2).
        """
        for player in self.active:
            too_many = len(player.hand) - self.maximum_hand_size()
            if too_many > 0 and not player.lost:
                self.discard(
                    self.choose(
                        player,
                        None,
                        player.hand,
                        least=too_many,
                        most=too_many,
                        what=f"{too_many} cards to discard",
                    )
                )
        with self.together():
            for thing in self.battlefield:
                thing.damage, thing.deathtouched = 0, False
            self.end_effects(
                [effect for effect in self.effects if effect.duration == "end of turn"]
            )

    def maximum_hand_size(self) -> int:
        """Give how many cards a player keeps in hand as their turn ends (CR 402.2)."""
        return 7

    def cleanup_has_priority(self) -> bool:
        """Say whether players get priority in the cleanup step: only where state-based actions or
        triggers come up; then there is another one (CR 514.3a).
        """
        self.ending_turn = False
        if not self.state_based_actions() and not self.waiting:
            return False
        self.priority()
        self.resolve_all()
        self.begin_step("cleanup")
        return True

    # -- whose turn it is ----------------------------------------------------------------------

    def next_turn(self) -> None:
        """End the turn, remember who cast what in it, and begin the next one (CR 500.7)."""
        self.last_turn = self.past_turn(self.active)
        active = self.next_active()
        self.begin_turn(active)

    def past_turn(self, active: tuple[Player, ...]) -> PastTurn:
        """Give a turn of these players with the spells cast in it so far."""
        return PastTurn(active, {player.name: player.spells_cast for player in self.players})

    def next_active(self) -> tuple[Player, ...]:
        """Give whose turn is next: the latest extra turn first (CR 500.7), else the next player or
        team in turn order; skipped turns are passed over (CR 500.11).
        """
        for _ in range(MOST_STEPS):
            if self.extra_turns:
                team = self.team_of(self.extra_turns.pop())
            else:
                team = self.team_after(self.regular)
                self.regular = team
            playing = tuple(player for player in team if not player.lost)
            if not playing:
                continue
            skipping = [player for player in playing if player.skips["turn"]]
            if not skipping:
                return playing
            for player in skipping:
                player.skips["turn"] -= 1
        raise Refused("nobody takes another turn")

    def team_after(self, team: tuple[Player, ...]) -> tuple[Player, ...]:
        """Give the team, or player alone, that comes next in turn order."""
        return self.teams[(self.teams.index(team) + 1) % len(self.teams)]

    def begin_turn(self, active: tuple[Player, ...]) -> None:
        """Begin a turn of these players (CR 500.1, 805.4)."""
        self.active = active
        self.turn_number += 1
        self.attacked = []
        for player in self.players:
            player.spells_cast = 0
            player.lands_played = 0
        for player in active:
            player.turns_begun += 1
        for thing in self.battlefield:
            thing.loyalty_used = False
            if thing.controller in active:
                thing.sick = False  # CR 302.6
        self.happen("turn", active[0])
        self.end_effects(
            [effect for effect in self.effects if self._ends_with_turn_of(effect, active)]
        )
        step = "untap"
        while self.is_skipped(step):
            following = self.step_after(step)
            assert following is not None
            step = following
        self.begin_step(step)

    def _ends_with_turn_of(self, effect: ContinuousEffect, active: tuple[Player, ...]) -> bool:
        return effect.duration == "your next turn" and effect.controller in active

    # -- leaving -------------------------------------------------------------------------------

    def lose(self, player: Player) -> None:
        """Let a player lose the game and leave it; with shared life the whole team (CR 104.3a,
        810.8a).
        """
        team = self.team_of(player) if self.shared_turns else (player,)
        with self.together():
            for each in team:
                if not each.lost:
                    each.lost = True
                    self.happen("lost", each)
            for each in team:
                self.leave_game(each)

    def leave_game(self, player: Player) -> None:
        """Take what a player owns out of the game, end effects that give them control, and exile
        what they still control (CR 800.4a).
        """
        owned = [thing for thing in self.battlefield if thing.owner is player]
        self.clear_stack_of(player)
        seen_by = self.watchers()
        for thing in owned:
            thing.last_known = self.characteristics(thing)
        for thing in owned:
            self.take_away(thing)
            thing.piece.at = None
        for thing in owned:
            self.happen("left", thing, seen_by=seen_by, to=None)
        for thing in owned:
            self.return_exiled(thing)
        self.take_cards_of(player)
        self.end_effects(
            [
                effect
                for effect in self.effects
                if effect.controller is player and "control" in effect.change
            ]
        )
        self.exile([thing for thing in self.battlefield if thing.controller is player])

    def clear_stack_of(self, player: Player) -> None:
        """Take a leaving player's spells and abilities off the stack (CR 800.4a)."""
        for item in list(self.stack):
            if item.spell is not None and item.spell.owner is player:
                self.take_away(item.spell)
                item.spell.piece.at = None
            elif item.controller is player:
                self.stack.remove(item)

    def take_cards_of(self, player: Player) -> None:
        """Take a leaving player's cards in other zones out of the game (CR 800.4a)."""
        for zone in ("hand", "library", "graveyard", "exile"):
            for card in list(self.pile(player, zone)):
                self.take_away(card)
                card.piece.at = None
