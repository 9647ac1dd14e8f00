"""What the game is made of: players, physical cards, and the objects that they are in turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from reference_engine.cards import Ability, Card, Face
from reference_engine.mana import Mana

FRONT, BACK = 0, 1


@dataclass(slots=True, eq=False)
class Life:
    """A life total; the players of a team share one (CR 810.4)."""

    total: int
    poison: int = 0


@dataclass(slots=True, eq=False)
class Player:
    """A player with their hand, library and graveyard; `library[0]` is the top card."""

    name: str
    life: Life
    mana: Mana
    hand: list[Object] = field(default_factory=list)
    library: list[Object] = field(default_factory=list)
    graveyard: list[Object] = field(default_factory=list)
    exile: list[Object] = field(default_factory=list)
    lost: bool = False
    turns_begun: int = 0
    lands_played: int = 0
    spells_cast: int = 0
    """Spells cast in the current turn, by whatever means and from whatever zone."""
    drawn: int = 0
    """Cards drawn in the current step."""
    skips: Counter[str] = field(default_factory=Counter)
    """Steps and turns that the player is to skip, by name ("turn" for a whole turn)."""

    def __repr__(self) -> str:
        return self.name


@dataclass(slots=True, eq=False)
class Piece:
    """A physical card, or a token: it stays itself while the objects that it is come and go."""

    card: Card
    owner: Player
    id: str | None = None
    token: bool = False
    spell_copy: bool = False
    at: Object | None = None
    """The object that this piece is now; None once a token has ceased to exist."""


@dataclass(slots=True)
class Copy:
    """Copiable values that an object took from another (CR 707.2), with the card it is then."""

    face: Face
    mana_value: int
    timestamp: int


@dataclass(slots=True, eq=False)
class Object:
    """An object in a zone. A card that changes zones becomes a new object (CR 400.7)."""

    piece: Piece
    zone: str
    controller: Player
    timestamp: int = 0
    face: int = FRONT
    face_down: bool = False
    copy: Copy | None = None
    tapped: bool = False
    sick: bool = False
    phased_out: bool = False
    phased_with: Object | None = None
    """What it phased out attached to, when it phased out indirectly (CR 702.26g)."""
    counters: Counter[str] = field(default_factory=Counter)
    damage: int = 0
    deathtouched: bool = False
    attached_to: Object | Player | None = None
    attacking: Player | Object | None = None
    blocking: list[Object] = field(default_factory=list)
    blocked: bool = False
    transforms: int = 0
    """How many times it has transformed (CR 701.28f)."""
    loyalty_used: bool = False
    linked: list[Object] = field(default_factory=list)
    """Cards exiled with it, for linked abilities (CR 607)."""
    last_known: Characteristics | None = None
    """What it was when it left its zone (CR 608.2h)."""
    memory: dict[str, Any] = field(default_factory=dict)

    @property
    def card(self) -> Card:
        """The card or token that represents it."""
        return self.piece.card

    @property
    def owner(self) -> Player:
        """Its owner (CR 108.3)."""
        return self.piece.owner

    @property
    def exists(self) -> bool:
        """Say whether it is still the object that its card is."""
        return self.piece.at is self

    @property
    def on_battlefield(self) -> bool:
        """Say whether it is a permanent that is phased in (CR 110.1, 702.26b)."""
        return self.zone == "battlefield" and not self.phased_out and self.piece.at is self

    def __repr__(self) -> str:
        return self.piece.id or self.card.name


@dataclass(slots=True)
class Characteristics:
    """The characteristics of an object as the game sees them now (CR 109.3, 613)."""

    name: str
    mana_value: int
    colors: frozenset[str]
    supertypes: frozenset[str]
    types: frozenset[str]
    subtypes: frozenset[str]
    power: int | None
    toughness: int | None
    keywords: dict[str, Any]
    abilities: tuple[Ability, ...]

    def copy(self) -> Characteristics:
        """Give characteristics of their own to change; many times faster than `replace`."""
        return Characteristics(
            self.name,
            self.mana_value,
            self.colors,
            self.supertypes,
            self.types,
            self.subtypes,
            self.power,
            self.toughness,
            self.keywords,
            self.abilities,
        )

    def has(self, keyword: str) -> bool:
        """Say whether it has the keyword ability."""
        return keyword in self.keywords

    @property
    def is_creature(self) -> bool:
        """Say whether it is a creature."""
        return "creature" in self.types


Thing: TypeAlias = Object | Player
"""What can be targeted, damaged or enchanted."""


@dataclass(slots=True, eq=False)
class Event:
    """Something that happened: a word, what it happened to, and what else there is to say."""

    word: str
    subject: Any
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class StackItem:
    """A spell, or an activated or triggered ability, on the stack (CR 405)."""

    controller: Player
    spell: Object | None = None
    source: Object | None = None
    ability: Ability | None = None
    targets: list[list[Any]] = field(default_factory=list)
    """For each target that the text asks for, what was chosen (CR 115)."""
    x: int = 0
    modes: tuple[int, ...] = ()
    event: Event | None = None
    transforms: int = 0
    """How often the source had transformed as the ability was put here (CR 701.28f)."""
    via: str | None = None
    paid_with: list[Object] = field(default_factory=list)
    goes_to: str = "graveyard"
    """Where the card goes as the spell leaves the stack without becoming a permanent."""

    @property
    def is_spell(self) -> bool:
        """Say whether it is a spell rather than an ability."""
        return self.spell is not None

    @property
    def origin(self) -> Object:
        """The spell itself, or the object that the ability is of."""
        found = self.spell or self.source
        assert found is not None
        return found


@dataclass(slots=True, eq=False)
class ContinuousEffect:
    """A continuous effect of a resolved spell or ability, or of a static ability (CR 611)."""

    change: Mapping[str, Any]
    timestamp: int
    source: Object
    controller: Player
    duration: str = "forever"
    what: list[Object] | None = None
    """The objects it affects, when that was fixed as it began (CR 611.2c)."""
    filter: Any = None
    """Which objects it affects, for static abilities (CR 611.3a)."""
    ability: Ability | None = None
