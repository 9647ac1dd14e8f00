"""Day and night (CR 728), daybound and nightbound (CR 702.145)."""

from __future__ import annotations

from reference_engine.objects import BACK, FRONT, Object
from reference_engine.transform import Transforming


class DayNight(Transforming):
    """Keeps the game's designation and what follows from it."""

    def become(self, designation: str) -> None:
        """Make it day or night (CR 728.1).

        The old designation goes as the new one comes: the game never has both, and never neither
        again. "Day becomes night" and "night becomes day" are one designation lost and the other
        gained, not the first one gained (CR 728.1a).
        """
        if self.designation == designation or self.cant_become(designation):
            return
        before, self.designation = self.designation, designation
        self.changed()
        with self.together():
            self.happen("became", designation)
            if before is not None:
                self.see_from_graveyards(self.happen("turned", designation))

    def cant_become(self, designation: str) -> bool:
        """Say whether an effect says that it can't become this (CR 614.17)."""
        return bool(self.static_abilities(f"can't become {designation}"))

    # -- immediately, at any time --------------------------------------------------------------

    def settle(self) -> None:
        """Apply the rules that hold at every moment, until nothing changes (CR 702.145c–d, f–g).

        Nothing of this uses the stack or waits for state-based actions.
        """
        if self.simultaneous:
            return
        if self.designation is None:
            self.settle_designation()
        if self.designation is not None:
            self.settle_faces()

    def settle_designation(self) -> None:
        """Make it day where a permanent has daybound, else night where one has nightbound
        (CR 702.145d, 702.145g).
        """
        if self.any_permanent_has("daybound"):
            self.become("day")
        elif self.any_permanent_has("nightbound"):
            self.become("night")

    def settle_faces(self) -> None:
        """Transform every permanent whose bound face is the wrong one (CR 702.145c, 702.145f)."""
        keyword, face = ("nightbound", BACK) if self.designation == "day" else ("daybound", FRONT)
        wrong = [
            thing
            for thing in self.permanents()
            if self.faces_wrong_way(thing, keyword, face) and self.can_transform(thing, keyword)
        ]
        if wrong:
            self.transform(wrong, keyword)

    def faces_wrong_way(self, thing: Object, keyword: str, face: int) -> bool:
        """Say whether it has the keyword on the face that is up."""
        return thing.face == face and self.characteristics(thing).has(keyword)

    def any_permanent_has(self, keyword: str) -> bool:
        """Say whether any player controls a permanent with the keyword."""
        return any(self.characteristics(thing).has(keyword) for thing in self.permanents())

    def enters_transformed(self, entering: Object) -> bool:
        """Say whether daybound makes it enter back face up: it is night, it would have daybound on
        the battlefield, and a double-faced card represents it (CR 702.145b).
        """
        return (
            self.designation == "night"
            and self.is_double_faced(entering)
            and not entering.face_down
            and self.would_be(entering).has("daybound")
        )

    # -- the check in the untap step -----------------------------------------------------------

    def check_designation(self) -> None:
        """See whether the designation changes, by the spells of the previous turn (CR 502.2,
        728.2). With neither designation there is no check (CR 728.2c).
        """
        if self.designation == "day" and self.most_spells_last_turn() == 0:
            self.become("night")  # CR 728.2a
        elif self.designation == "night" and self.most_spells_last_turn() >= 2:
            self.become("day")  # CR 728.2b

    def most_spells_last_turn(self) -> int:
        """Give how many spells the previous turn's active player cast in that turn; where a team
        shared the turn, the most that one of them cast (CR 502.2, 502.2a).
        """
        return max(self.last_turn.spells[player.name] for player in self.last_turn.active)
