"""Characteristics in layers (CR 613)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from reference_engine.cards import FACE_DOWN, WORDS, Ability, Face, ability_from
from reference_engine.descriptions import Descriptions
from reference_engine.objects import Characteristics, ContinuousEffect, Object, Player

TYPES = ("types", "set types", "subtypes", "set subtypes", "not supertypes", "supertypes")
COLORS = ("colors", "set colors")
ABILITIES = ("gain", "lose")
SET_POWER = ("set power", "set toughness")
MODIFY_POWER = ("power", "toughness")
LAYERED = {*TYPES, *COLORS, *ABILITIES, *SET_POWER, *MODIFY_POWER}


@lru_cache(maxsize=2048)
def _printed(face: Face, mana_value: int) -> Characteristics:
    return Characteristics(
        name=face.name,
        mana_value=mana_value,
        colors=face.colors,
        supertypes=face.supertypes,
        types=face.types,
        subtypes=face.subtypes,
        power=face.power if isinstance(face.power, int) else 0 if face.power else None,
        toughness=face.toughness
        if isinstance(face.toughness, int)
        else 0
        if face.toughness
        else None,
        keywords=dict(face.keywords),
        abilities=face.abilities,
    )


SETTLED = frozenset({"controller", "other", "token"})
"""What a description can ask that no layer after control changes."""
SETTLED_BY_TYPES = frozenset(
    {"types", "any types", "not types", "subtypes", "not subtypes", "all subtypes", "supertypes"}
)
"""What else it can ask once the type layer is done."""


def has_all(now: Characteristics, gained: Iterable[Any]) -> bool:
    """Say whether gaining this changes nothing: plain keywords that are there already."""
    return all(isinstance(each, str) and now.keywords.get(each) is True for each in gained)


def merge(change: Mapping[str, Any], now: Characteristics, layer: Iterable[str]) -> Characteristics:
    """Apply the part of a change that belongs to one layer."""
    words = [word for word in layer if word in change]
    if not words or (words == ["gain"] and has_all(now, change["gain"])):
        return now
    after = now.copy()
    for word in words:
        value = change[word]
        match word:
            case "types":
                after.types = after.types | frozenset(value)
            case "set types":
                after.types = frozenset(value)
            case "subtypes":
                after.subtypes = after.subtypes | frozenset(value)
            case "set subtypes":
                after.subtypes = frozenset(value)
            case "supertypes":
                after.supertypes = after.supertypes | frozenset(value)
            case "not supertypes":
                after.supertypes = after.supertypes - frozenset(value)
            case "colors":
                after.colors = after.colors | frozenset(value)
            case "set colors":
                after.colors = frozenset(value)
            case "lose" if value == "abilities":
                after.keywords, after.abilities = {}, ()
            case "lose":
                after.keywords = {k: v for k, v in after.keywords.items() if k not in value}
            case "gain":
                after.keywords = dict(after.keywords)
                for each in value:
                    if isinstance(each, str):
                        after.keywords[each] = True
                    elif not WORDS.isdisjoint(each):
                        after.abilities = (*after.abilities, ability_from(each))
                    else:
                        after.keywords.update(each)
            case "set power":
                after.power = now.mana_value if value == "mana value" else value
            case "set toughness":
                after.toughness = now.mana_value if value == "mana value" else value
            case "power" if after.power is not None:
                after.power += value
            case "toughness" if after.toughness is not None:
                after.toughness += value
    return after


class Layers(Descriptions):
    """Computes what every permanent is, layer by layer, once for each state of the game."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[Object, Characteristics] = {}
        self._known_version = -1
        self._computing = False
        self._groups: dict[tuple[int, Player], list[Object]] = {}
        self._settled = SETTLED
        self._spoken: dict[str, list[tuple[Object, Ability]]] = {}
        self._spoken_version = -1

    def characteristics(self, thing: Object) -> Characteristics:
        """Give the characteristics of an object now, or those it last had (CR 608.2h)."""
        if thing.last_known is not None:
            return thing.last_known
        if thing.zone != "battlefield" or thing.phased_out:
            return self.elsewhere(thing, self.copiable(thing))
        if self._known_version != self.version and not self._computing:
            self._compute()
        known = self._known.get(thing)
        return self.copiable(thing) if known is None else known

    def copiable(self, thing: Object) -> Characteristics:
        """Give what layer 1 says: the face that is up, as modified by copying and by being face
        down (CR 613.2, 707.2, 712.8).
        """
        if thing.face_down:
            return _printed(FACE_DOWN, 0)
        if thing.copy is not None:
            return _printed(thing.copy.face, thing.copy.mana_value)
        return _printed(thing.card.faces[thing.face], self.mana_value(thing))

    def elsewhere(self, thing: Object, now: Characteristics) -> Characteristics:
        """Apply static abilities that speak of cards and spells off the battlefield too."""
        for source, ability in self.static_abilities("everywhere"):
            thing.last_known = now
            fits = self.matches(thing, ability.head["what"], source.controller, source)
            thing.last_known = None
            if fits:
                now = merge(self.change_of(ability, source), now, LAYERED)
        return now

    def mana_value(self, thing: Object) -> int:
        """Give the mana value: of the front face, whichever face of a transforming card is up
        (CR 202.3b, 712.8e).
        """
        if thing.copy is not None:
            return thing.copy.mana_value
        card = thing.card
        face = card.faces[0] if card.is_transforming else card.faces[thing.face]
        if face.cost is None:
            return 0
        return face.cost.mana_value(thing.memory.get("x", 0) if thing.zone == "stack" else 0)

    def would_be(self, entering: Object) -> Characteristics:
        """Give what an object would be once it is on the battlefield (CR 614.12)."""
        zone = entering.zone
        entering.zone = "battlefield"
        self.battlefield.append(entering)
        try:
            self._compute()
            return self._known[entering]
        finally:
            self.battlefield.remove(entering)
            entering.zone = zone
            self._known_version = self._spoken_version = -1

    # -- the layers ----------------------------------------------------------------------------

    def _compute(self) -> None:
        permanents = self.permanents()
        known = {each: self.copiable(each) for each in permanents}
        self._known, self._computing = known, True
        try:
            effects = [
                effect for effect in self.effects if not LAYERED.isdisjoint(effect.change)
            ] + [
                effect
                for each in permanents
                for effect in self._static(each, known[each].abilities)
            ]
            for each in permanents:
                self._defining(each)
            if effects:
                self._apply_layers(effects)
            for each in permanents:
                if each.counters:
                    self._count_counters(each)
        finally:
            self._computing = False
            self._known_version = self.version

    def _static(self, source: Object, abilities: Iterable[Ability]) -> list[ContinuousEffect]:
        return [
            ContinuousEffect(
                change=self.change_of(ability, source),
                timestamp=source.timestamp,
                source=source,
                controller=source.controller,
                filter=ability.head.get("what", "this"),
                ability=ability,
            )
            for ability in abilities
            if ability.word == "static" and not LAYERED.isdisjoint(ability.head)
        ]

    def change_of(self, ability: Ability, source: Object) -> Mapping[str, Any]:
        """Give what a static ability changes, with the subtype chosen for its source filled in."""
        if ability.head.get("subtypes") != "chosen":
            changes: Mapping[str, Any] = ability.head
            return changes
        return {**ability.head, "subtypes": source.memory.get("chosen", ())}

    def _defining(self, thing: Object) -> None:
        """Apply characteristic-defining abilities: layer 7a (CR 604.3, 613.4a)."""
        for ability in self._known[thing].abilities:
            if ability.word == "static" and "defines power and toughness" in ability.head:
                count = len(
                    self.matching(
                        ability.head["defines power and toughness"], thing.controller, thing
                    )
                )
                self._known[thing] = replace(self._known[thing], power=count, toughness=count)

    def _apply_layers(self, effects: list[ContinuousEffect]) -> None:
        effects.sort(key=lambda effect: effect.timestamp)
        begun: dict[int, list[Object]] = {}
        for layer in (TYPES, COLORS, ABILITIES, SET_POWER, MODIFY_POWER):
            here = [effect for effect in effects if not effect.change.keys().isdisjoint(layer)]
            self._groups = {}
            self._settled = SETTLED if layer is TYPES else SETTLED | SETTLED_BY_TYPES
            for effect in self._by_dependency(here) if layer is TYPES else here:
                if layer is ABILITIES and self._will_be_lost(effect, here, begun):
                    continue
                if self._goes_on(effect, begun):
                    # The same objects in every layer, whatever they become (CR 613.6).
                    if id(effect) not in begun:
                        begun[id(effect)] = self._affected(effect)
                    for thing in begun[id(effect)]:
                        self._known[thing] = merge(effect.change, self._known[thing], layer)

    def _by_dependency(self, here: list[ContinuousEffect]) -> Iterator[ContinuousEffect]:
        """Give effects of the type layer in the order they apply: by timestamp, but each after
        those that it depends on; where they depend on each other, by timestamp alone (CR 613.8).
        """
        waiting = list(here)
        while len(waiting) > 1:
            free = [
                effect
                for effect in waiting
                if not any(self._depends(effect, other) for other in waiting)
            ]
            effect = (free or waiting)[0]
            waiting.remove(effect)
            yield effect
        yield from waiting

    def _depends(self, one: ContinuousEffect, other: ContinuousEffect) -> bool:
        """Say whether applying the other effect changes what this one applies to (CR 613.8a)."""
        if one is other or one.what is not None or isinstance(one.filter, str):
            return False
        known, before = self._known, self._affected(one)
        self._known = dict(known)
        for thing in self._affected(other):
            self._known[thing] = merge(other.change, known[thing], TYPES)
        after = self._affected(one)
        self._known = known
        return before != after

    def _goes_on(self, effect: ContinuousEffect, begun: Container[int]) -> bool:
        """Say whether an effect applies in this layer: its ability is still there, or it began
        to apply in an earlier layer (CR 613.6).
        """
        if effect.ability is None or id(effect) in begun:
            return True
        return effect.ability in self._known[effect.source].abilities

    def _will_be_lost(
        self, effect: ContinuousEffect, here: list[ContinuousEffect], begun: Container[int]
    ) -> bool:
        """Say whether another effect of the layer takes this one's ability away: then it depends
        on that one, which therefore applies first (CR 613.8a).
        """
        if effect.ability is None or id(effect) in begun:
            return False
        return any(
            other is not effect and effect.source in self._affected(other)
            for other in here
            if other.change.get("lose") == "abilities"
        )

    def _affected(self, effect: ContinuousEffect) -> list[Object]:
        if effect.what is not None:
            return [each for each in effect.what if each in self._known]
        condition = effect.change.get("if")
        if condition is not None and not self.holds(condition, effect.controller, effect.source):
            return []
        if isinstance(effect.filter, Mapping) and self._settled.issuperset(effect.filter):
            return self._group(effect)
        return self.described(effect.filter, effect.source, effect.controller)

    def _group(self, effect: ContinuousEffect) -> list[Object]:
        """Give what a description means that nothing in the layer changes, worked out once for
        all sources that share it.
        """
        key = (id(effect.filter), effect.controller)
        if key not in self._groups:
            wanted = {word: value for word, value in effect.filter.items() if word != "other"}
            self._groups[key] = self.matching(wanted, effect.controller, effect.source)
        if effect.filter.get("other"):
            return [thing for thing in self._groups[key] if thing is not effect.source]
        return self._groups[key]

    def described(self, wanted: Any, source: Object, controller: Player) -> list[Object]:
        """Give the permanents that a static ability of the source speaks of."""
        if wanted == "this":
            return [source] if source.on_battlefield or source in self._known else []
        if wanted in ("enchanted", "equipped"):
            attached = source.attached_to
            return [attached] if isinstance(attached, Object) and attached.on_battlefield else []
        return self.matching(wanted, controller, source)

    def _count_counters(self, thing: Object) -> None:
        """Apply +1/+1 and -1/-1 counters: layer 7c (CR 613.4c)."""
        known = self._known[thing]
        more = thing.counters["+1/+1"] - thing.counters["-1/-1"]
        if more and known.power is not None and known.toughness is not None:
            self._known[thing] = replace(
                known, power=known.power + more, toughness=known.toughness + more
            )

    # -- static abilities that change the rules rather than characteristics --------------------

    def restricted(self, thing: Object, word: str) -> bool:
        """Say whether an effect or a static ability says this of a permanent ("can't transform",
        "can't block", "can't be blocked"): CR 613.11.
        """
        if any(
            word in effect.change and effect.what is not None and thing in effect.what
            for effect in self.effects
        ):
            return True
        return any(
            thing in self.described(ability.head.get("what", "this"), source, source.controller)
            for source, ability in self.static_abilities(word)
        )

    def static_abilities(self, word: str) -> list[tuple[Object, Ability]]:
        """Give the static abilities on the battlefield that say something by this word."""
        if self._spoken_version != self.version:
            self._spoken, self._spoken_version = self._all_spoken(), self.version
        return [
            (source, ability)
            for source, ability in self._spoken.get(word, ())
            if "if" not in ability.head or self.holds(ability.head["if"], source.controller, source)
        ]

    def _all_spoken(self) -> dict[str, list[tuple[Object, Ability]]]:
        spoken: dict[str, list[tuple[Object, Ability]]] = {}
        for source in self.permanents():
            for ability in self.characteristics(source).abilities:
                if ability.word == "static":
                    for word in ability.head:
                        spoken.setdefault(word, []).append((source, ability))
        return spoken
