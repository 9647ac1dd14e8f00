"""Events, and the triggered abilities that watch for them (CR 603)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from reference_engine.cards import Ability
from reference_engine.layers import Layers
from reference_engine.objects import Event, Object, Player, StackItem


@dataclass(slots=True, eq=False)
class Waiting:
    """An ability that has triggered and waits for a player to get priority (CR 603.3), or a delayed
    one that waits for its event (CR 603.7).
    """

    controller: Player
    source: Object
    ability: Ability
    event: Event


Watchers: TypeAlias = list[tuple[Object, Ability]]


def words_of(trigger: Mapping[str, Any]) -> Sequence[str]:
    """Give the event words that a trigger watches for."""
    words = trigger["on"]
    return [words] if isinstance(words, str) else list(words)


class Triggers(Layers):
    """Records what happens and notices which abilities trigger."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[Waiting] = []
        self.delayed: list[Waiting] = []
        self._watched: dict[str, Watchers] = {}
        self._watched_version = -1

    def happen(
        self,
        word: str,
        subject: Any,
        /,
        *,
        seen_by: Watchers | None = None,
        **attributes: Any,
    ) -> Event:
        """Record an event and let abilities trigger on it, each once (CR 603.2c).

        `seen_by` are the abilities that see it when these are not the ones there are now:
        abilities that look back in time (CR 603.10).
        """
        event = Event(word, subject, attributes)
        self.log.append(event)
        for source, ability in self._watching(word, seen_by):
            self._see(event, source, ability)
        for delayed in [each for each in self.delayed if word in words_of(each.ability.head)]:
            if self._comes(event, delayed):
                self.delayed.remove(delayed)
                self.waiting.append(
                    Waiting(delayed.controller, delayed.source, delayed.ability, delayed.event)
                )
        return event

    def _comes(self, event: Event, delayed: Waiting) -> bool:
        """Say whether this is what a delayed ability waits for; its "that" is the object that it
        was created about (CR 603.7c).
        """
        trigger = delayed.ability.head
        if trigger.get("what") == "that":
            if event.subject is not delayed.event.subject:
                return False
            trigger = {word: value for word, value in trigger.items() if word != "what"}
        return self._sees(event, trigger, delayed.controller, delayed.source)

    def watchers(self) -> Watchers:
        """Give the triggered abilities of permanents, as they are now."""
        return [
            (source, ability)
            for source in self.permanents()
            for ability in self.characteristics(source).abilities
            if ability.word == "triggered" and "from" not in ability.head
        ]

    def _watching(self, word: str, seen_by: Watchers | None) -> Watchers:
        if seen_by is not None:
            return [each for each in seen_by if word in words_of(each[1].head)]
        if self._watched_version != self.version:
            watched: dict[str, Watchers] = {}
            for source, ability in self.watchers():
                for each in words_of(ability.head):
                    watched.setdefault(each, []).append((source, ability))
            self._watched, self._watched_version = watched, self.version
        return list(self._watched.get(word, ()))

    def see_from_graveyards(self, event: Event) -> None:
        """Let abilities trigger of cards in graveyards that watch from there (CR 113.6b)."""
        for player in self.playing:
            for card in player.graveyard:
                for ability in self.characteristics(card).abilities:
                    if (
                        ability.word == "triggered"
                        and ability.head.get("from") == "graveyard"
                        and event.word in words_of(ability.head)
                    ):
                        self._see(event, card, ability)

    def _see(self, event: Event, source: Object, ability: Ability) -> None:
        controller = source.controller
        if not self._sees(event, ability.head, controller, source):
            return
        condition = ability.head.get("if")
        if condition is not None and not self.holds(condition, controller, source):
            return  # an intervening "if" that is false: it does not trigger at all (CR 603.4)
        self.waiting.append(
            Waiting(controller, source, ability, self._told(event, source, ability))
        )
        self.log.append(Event("triggered", source, {"controller": controller}))

    def _told(self, event: Event, source: Object, ability: Ability) -> Event:
        """Give the event as the ability will speak of it: "they" is the enchanted player as it
        triggered, whatever becomes of the Aura, and nobody else of a team (CR 603.10, 608.2h).
        """
        if ability.head.get("player") != "enchanted":
            return event
        about = {**event.attributes, "player": source.attached_to}
        return Event(event.word, event.subject, about)

    def _sees(
        self, event: Event, trigger: Mapping[str, Any], controller: Player, source: Object
    ) -> bool:
        """Say whether the event is what the trigger condition describes (CR 603.2)."""
        what = trigger.get("what")
        if what == "this":
            if event.subject is not source:
                return False
        elif what in ("enchanted", "equipped"):
            if event.subject is not source.attached_to:
                return False
        elif what is not None:
            if not isinstance(event.subject, Object):
                return False
            if not self.matches(event.subject, what, controller, source):
                return False
        if "player" in trigger and not self._concerns(
            self._players_of(event), trigger["player"], controller, source
        ):
            return False
        if "step" in trigger and event.subject != trigger["step"]:
            return False
        if "to" in trigger and not self._hits(event, trigger["to"]):
            return False
        if "by" in trigger and not self._is_by(event, trigger["by"], controller, source):
            return False
        return "combat" not in trigger or event.attributes.get("combat", False) == trigger["combat"]

    def _players_of(self, event: Event) -> tuple[Player, ...]:
        """Give the players an event is about: whom it happened to, who did it, whose step it is."""
        if isinstance(event.subject, Player):
            return (event.subject,)
        found = event.attributes.get("player") or event.attributes.get("active") or ()
        return found if isinstance(found, tuple) else (found,)

    def _concerns(
        self, players: tuple[Player, ...], wanted: str, controller: Player, source: Object
    ) -> bool:
        match wanted:
            case "you":
                return controller in players
            case "opponent":
                return any(self.are_opponents(controller, player) for player in players)
            case "enchanted":
                return source.attached_to in players
        raise ValueError(f"no trigger speaks of the player {wanted!r}")

    def _hits(self, event: Event, wanted: str) -> bool:
        return isinstance(event.attributes.get("to"), Player) == (wanted == "player")

    def _is_by(self, event: Event, wanted: Any, controller: Player, source: Object) -> bool:
        by = event.attributes.get("by")
        if wanted == "this":
            return by is source
        return isinstance(by, Object) and self.matches(by, wanted, controller, source)

    def wait_for(self, controller: Player, source: Object, ability: Ability, event: Event) -> None:
        """Create a delayed triggered ability (CR 603.7)."""
        self.delayed.append(Waiting(controller, source, ability, event))

    def stack_item(self, waiting: Waiting) -> StackItem:
        """Make the object that a triggered ability is on the stack."""
        return StackItem(
            controller=waiting.controller,
            source=waiting.source,
            ability=waiting.ability,
            event=waiting.event,
            transforms=waiting.source.transforms,
        )
