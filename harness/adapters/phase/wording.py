"""Rules text made from the facts of a card, in our own templates, for an engine that reads text.

The project has no official wording. Facts say what an ability does in a small vocabulary (the one
of `rulings/cards/`); the sentences here are put together from that, word by word. What cannot be
said in this way raises `UnsayableError`: a card that is half said would be another card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

MINUS = "\N{MINUS SIGN}"

BASE_TYPES = ("creature", "artifact", "enchantment", "land", "planeswalker", "instant", "sorcery")

BASIC_LAND_TYPES = frozenset({"Plains", "Island", "Swamp", "Mountain", "Forest"})

UNTIL_END_OF_TURN = " until end of turn"


class UnsayableError(Exception):
    """There is no sentence here for what the facts say."""


def rules_text(face: Mapping[str, Any]) -> str:
    """Give the rules text of one face, a line an ability.

    Raises `UnsayableError` for what the templates cannot say.
    """
    if "incomplete" in face:
        raise UnsayableError(f"its facts are incomplete: {face['incomplete']}")
    if set(face.get("subtypes", ())) & BASIC_LAND_TYPES:
        return ""  # CR 305.6: the land type itself gives the ability
    lines = [_keyword(keyword) for keyword in face.get("keywords", ())]
    lines += [_Writer(face).ability(ability) for ability in face.get("abilities", ())]
    return "\n".join(line for line in lines if line)


def keyword_names(face: Mapping[str, Any]) -> list[str]:
    """List the keyword abilities by name alone, capitalised."""
    return [
        (keyword if isinstance(keyword, str) else next(iter(keyword))).capitalize()
        for keyword in face.get("keywords", ())
    ]


def _keyword(keyword: Any) -> str:
    if isinstance(keyword, str):
        return keyword.capitalize()
    ((name, value),) = keyword.items()
    match name, value:
        case "ward", {"life": amount}:
            return f"Ward—Pay {amount} life."
        case "ward", "discard":
            return "Ward—Discard a card."
        case _, str():
            return f"{name.capitalize()} {value}"
    raise UnsayableError(f"the keyword {keyword}")


def _list(words: Sequence[str], last: str = "and") -> str:
    if len(words) < 3:
        return f" {last} ".join(words)
    return f"{', '.join(words[:-1])}, {last} {words[-1]}"


def _plural(word: str) -> str:
    if word.endswith("f"):
        return word[:-1] + "ves"
    if word.endswith("y"):
        return word[:-1] + "ies"
    return word + "s"


def _article(phrase: str) -> str:
    return f"an {phrase}" if phrase[0].lower() in "aeiou" else f"a {phrase}"


def _signed(number: int) -> str:
    return f"+{number}" if number >= 0 else str(number)


def _count(number: int, phrase: str) -> str:
    """Say "a card", "two cards"."""
    return _article(phrase) if number == 1 else f"{NUMBERS[number]} {_plural(phrase)}"


@dataclass
class Noun:
    """A filter of the vocabulary in words: `{types: [creature], controller: you}`."""

    raw: Any
    known: frozenset[str] = field(
        default=frozenset(
            {
                "what", "types", "any types", "not types", "subtypes", "not subtypes",
                "all subtypes", "supertypes", "not supertypes", "controller", "owner", "other",
                "in", "up to", "number", "or", "tapped", "max mana value", "attached to",
                "blocking", "or this", "same name", "controlled by target",
            }
        )
    )  # fmt: skip

    def one(self) -> str:
        """Say it in the singular: "creature you control"."""
        return self._say(False)

    def many(self) -> str:
        """Say it in the plural: "creatures you control"."""
        return self._say(True)

    def flat(self) -> Mapping[str, Any]:
        """Give the filter as one mapping."""
        raw = self.raw
        if isinstance(raw, str):
            return {"what": raw}
        if isinstance(raw.get("what"), Mapping):
            raw = {**raw["what"], **{key: value for key, value in raw.items() if key != "what"}}
        strange = set(raw) - self.known
        if strange:
            raise UnsayableError(f"the filter {', '.join(sorted(strange))}")
        return dict(raw)

    def _say(self, plural: bool) -> str:
        raw = self.flat()
        words = []
        if raw.get("or this"):
            raise UnsayableError("a filter with what it stands on")
        if raw.get("other"):
            words.append("other" if plural else "another")
        words += [f"non{word}" for word in raw.get("not supertypes", ())]
        words += list(raw.get("supertypes", ()))
        words += [f"non{word}" for word in raw.get("not types", ())]
        words += [f"non-{word}" for word in raw.get("not subtypes", ())]
        head = self._head(raw, plural)
        return " ".join([*words, head]) + self._tail(raw)

    def _head(self, raw: Mapping[str, Any], plural: bool) -> str:
        bend = _plural if plural else str
        in_graveyard = raw.get("in") == "graveyard"
        on_stack = raw.get("in") == "stack"
        subtypes = [bend(word) for word in raw.get("subtypes", ())]
        types = list(raw.get("types", ())) or list(raw.get("any types", ()))
        if raw.get("all subtypes"):
            *before, last = raw["all subtypes"]
            return " ".join([*before, bend(last)])
        if subtypes:
            said = _list(subtypes, "and" if plural else "or")
            if raw.get("types") == ["creature"]:
                return f"{_list(raw['subtypes'], 'or')} {bend('creature')}"
            return said
        if types:
            joined = _list(types, "or") if "any types" in raw else " ".join(types)
            if in_graveyard or "owner" in raw:
                return f"{joined} {bend('card')}"
            if on_stack:
                return f"{joined} {bend('spell')}"
            if "any types" in raw and plural:
                return _list([bend(word) for word in types], "and")
            return bend(joined) if "any types" not in raw else joined
        what = raw.get("what", "permanent")
        if what == "creature" and in_graveyard:
            return bend("creature card")
        said = bend(str(what))
        if "or" in raw:
            said += f" or {bend(raw['or'])}"
        return said

    def _tail(self, raw: Mapping[str, Any]) -> str:
        tail = ""
        match raw.get("controller"):
            case "you":
                tail += " you control"
            case "opponent":
                tail += " an opponent controls"
            case "not you":
                tail += " you don't control"
            case "defending player":
                tail += " defending player controls"
        if raw.get("blocking") == "this":
            tail += " blocking this creature"
        if raw.get("same name") == "this":
            tail += " with the same name as this creature"
        if raw.get("controlled by target"):
            tail += " that player controls"
        if raw.get("attached to") == "you":
            tail += " attached to you"
        if "max mana value" in raw:
            tail += f" with mana value {raw['max mana value']} or less"
        if raw.get("in") == "graveyard":
            tail += " from your graveyard" if raw.get("owner") == "you" else " from a graveyard"
        return tail


class _Writer:
    """Writes the abilities of one face."""

    def __init__(self, face: Mapping[str, Any]) -> None:
        self.face = face
        types = face["types"]
        kind = next((kind for kind in BASE_TYPES if kind in types), "permanent")
        self.this = (
            f"this {kind}" if "legendary" not in face.get("supertypes", ()) else face["name"]
        )
        self.targets: list[Any] = []
        self.named: set[str] = set()

    # -- abilities ---------------------------------------------------------------------------

    def ability(self, raw: Mapping[str, Any]) -> str:
        """Say one ability."""
        self.targets = list(raw.get("targets", ()))
        self.named = set()
        if "spell" in raw:
            return self._spell(raw)
        if "triggered" in raw:
            return self._triggered(raw)
        if "activated" in raw:
            return self._activated(raw)
        if "static" in raw:
            return self._static(raw["static"])
        if "enters" in raw:
            return self._enters(raw["enters"])
        if "transforming" in raw:
            return self._transforming(raw["transforming"])
        if "cast" in raw:
            return self._cast(raw["cast"])
        raise UnsayableError(f"an ability with {', '.join(raw)}")

    def _spell(self, raw: Mapping[str, Any]) -> str:
        if "modes" in raw:
            lines = [f"Choose {NUMBERS[raw['choose']]} —"]
            for mode in raw["modes"]:
                self.targets = list(mode.get("targets", ()))
                self.named = set()
                lines.append(f"• {self.sentences(mode['do'])}")
            return "\n".join(lines)
        return self.sentences(raw["do"])

    def _triggered(self, raw: Mapping[str, Any]) -> str:
        event = raw["triggered"]
        what = event.get("what")
        subject = self.this if what == "this" else None
        on = event["on"]
        names = [on] if isinstance(on, str) else list(on)
        condition = self._condition(event["if"]) if "if" in event else ""
        if event.get("from") == "graveyard":
            self.this = "this card"
        match names:
            case ["turned"]:
                head = "Whenever day becomes night or night becomes day"
            case ["step"]:
                head = self._at_step(event)
            case ["entered"] if subject:
                head = f"When {subject} enters"
            case ["died"] if subject:
                head = f"When {subject} dies"
            case ["blocked"] if subject:
                head = f"Whenever {subject} becomes blocked"
            case ["attacked"] if subject:
                head = f"Whenever {subject} attacks"
            case ["entered", "transformed"] if subject:
                head = f"Whenever {subject} enters or transforms into {self.face['name']}"
            case ["entered", "attacked"] if subject:
                head = f"Whenever {subject} enters or attacks"
            case ["damaged"] if event.get("to") == "player" and event.get("combat"):
                by = event["by"]
                who = self.this if by == "this" else _article(Noun(by).one())
                head = f"Whenever {who} deals combat damage to a player"
            case ["dealt damage"]:
                who = self.this if what == "this" else _article(Noun(what).one())
                head = f"Whenever {who} is dealt damage"
            case ["cast"] if event.get("player") == "you":
                head = f"Whenever you cast {_article(_spell_noun(what))}"
            case ["died"] if isinstance(what, Mapping) and what.get("or this"):
                others = {key: value for key, value in what.items() if key != "or this"}
                head = f"Whenever {self.this} or another {Noun(others).one()} dies"
            case ["died"]:
                head = f"Whenever {_article(Noun(what).one())} dies"
            case _:
                raise UnsayableError(f"an ability that triggers on {', '.join(names)}")
        text = self.sentences(raw["do"])
        return f"{head}, {condition}{text[0].lower()}{text[1:]}"

    def _at_step(self, event: Mapping[str, Any]) -> str:
        step, player = event["step"], event.get("player")
        match step, player:
            case "upkeep", "you":
                return "At the beginning of your upkeep"
            case "upkeep", "enchanted":
                return "At the beginning of enchanted player's upkeep"
            case "upkeep", None:
                return "At the beginning of each upkeep"
            case "end", "you":
                return "At the beginning of your end step"
            case "end", None:
                return "At the beginning of the end step"
            case "beginning of combat", "you":
                return "At the beginning of combat on your turn"
        raise UnsayableError(f"an ability of the {step} step of {player}")

    def _condition(self, raw: Any) -> str:
        match raw:
            case {"spells last turn": {"none": True}}:
                return "if no spells were cast last turn, "
            case {"spells last turn": {"one player at least": number}}:
                return f"if a player cast {NUMBERS[number]} or more spells last turn, "
            case {"controls": {"what": what, "at least": number}}:
                noun = {key: value for key, value in what.items() if key != "controller"}
                said = Noun(noun).many().replace(" and ", " and/or ")
                return f"if you control {NUMBERS[number]} or more {said}, "
        raise UnsayableError(f"the condition {raw}")

    def _activated(self, raw: Mapping[str, Any]) -> str:
        cost = raw["activated"]
        if raw.get("any player"):
            raise UnsayableError("an ability that any player may activate")
        if "loyalty" in cost:
            number = cost["loyalty"]
            sign = "" if number == 0 else ("+" if number > 0 else MINUS)
            return f"{sign}{abs(number)}: {self.sentences(raw['do'])}"
        parts = []
        for word, value in cost.items():
            match word, value:
                case "mana", _:
                    parts.append(value)
                case "tap", True:
                    parts.append("{T}")
                case "tap another", _:
                    parts.append(f"Tap another untapped {Noun(value).one()} you control")
                case "sacrifice", "this":
                    parts.append(f"Sacrifice {self.this}")
                case "sacrifice", _:
                    parts.append(f"Sacrifice {_article(Noun(value).one())}")
                case "discard", 1:
                    parts.append("Discard a card")
                case "exile from graveyard", {"what": "creature"}:
                    parts.append("Exile a creature card from your graveyard")
                case _:
                    raise UnsayableError(f"the cost {word}")
        text = f"{', '.join(parts)}: {self.sentences(raw['do'])}"
        return text + (" Activate only as a sorcery." if raw.get("timing") == "sorcery" else "")

    def _static(self, raw: Mapping[str, Any]) -> str:
        match raw:
            case {"you have hexproof": True}:
                return "You have hexproof."
            case {"can't be blocked": True}:
                return f"{_capital(self.this)} can't be blocked."
            case {"can't be blocked by": {"max power": power}}:
                return (
                    f"{_capital(self.this)} can't be blocked by creatures with power "
                    f"{power} or less."
                )
            case {"attacks if able": True}:
                return f"{_capital(self.this)} attacks each combat if able."
            case {"players skip upkeep": True}:
                return "Players skip their upkeep steps."
            case {"players skip untap": True}:
                return "Players skip their untap steps."
            case {"draws instead of opponents": True}:
                return (
                    "If an opponent would draw a card except the first one they draw in each of "
                    "their draw steps, instead that player skips that draw and you draw a card."
                )
            case {"can't become night": True}:
                return "It can't become night."
            case {"your spells cost less": {"what": what, "by": {"power of": "this"}}}:
                return (
                    f"{_capital(_spell_noun(what, True))} you cast cost {{X}} less to cast, "
                    f"where X is {self.this}'s power."
                )
            case {"spells cost more": {"what": what, "by": number}}:
                return f"{_capital(_spell_noun(what, True))} cost {{{number}}} more to cast."
            case {"defines power and toughness": {"types": ["creature"], "face down": True}}:
                return (
                    f"{_capital(self.this)}'s power and toughness are each equal to the number of "
                    "face-down creatures on the battlefield."
                )
            case {"mana is of any color": True}:
                return "Players may spend mana as though it were mana of any color."
            case {"what": _}:
                return self._anthem(raw)
        raise UnsayableError(f"the static ability {', '.join(raw)}")

    def _anthem(self, raw: Mapping[str, Any]) -> str:
        what = raw["what"]
        rest = {key: value for key, value in raw.items() if key != "what"}
        single = what in ("enchanted", "equipped")
        subject = f"{_capital(what)} creature" if single else _capital(Noun(what).many())
        match rest:
            case {"lose": "abilities", "set power": power, "set toughness": toughness}:
                return (
                    f"All {Noun(what).many()} lose all abilities and have base power and "
                    f"toughness {power}/{toughness}."
                )
            case {"lose": "abilities", **others} if not others:
                return f"All {Noun(what).many()} lose all abilities."
            case {"can't attack": True, "can't block": True, **others} if not others:
                return f"{subject} can't attack or block."
            case {"can't transform": True, **others} if not others:
                return f"{subject} can't transform."
            case {"types": ["artifact"], **others} if not others and what == "permanent":
                return "All permanents are artifacts in addition to their other types."
            case {
                "types": ["creature"],
                "set power": "mana value",
                "set toughness": "mana value",
                **others,
            } if not others:
                return (
                    f"Each {Noun(what).one()} is an artifact creature with power and toughness "
                    "each equal to its mana value."
                )
            case {"subtypes": "chosen", "everywhere": True, **others} if not others:
                return (
                    f"{subject} are the chosen type in addition to their other types. The same is "
                    "true for creature spells you control and creature cards you own that aren't "
                    "on the battlefield."
                )
            case {"set colors": [], "everywhere": True, **others} if not others:
                return (
                    "All cards that aren't on the battlefield, spells, and permanents are "
                    "colorless."
                )
        parts = []
        if "power" in rest or "toughness" in rest:
            verb = "gets" if single else "get"
            parts.append(
                f"{verb} {_signed(rest.pop('power', 0))}/{_signed(rest.pop('toughness', 0))}"
            )
        if "gain" in rest:
            verb = "has" if single else "have"
            parts.append(f"{verb} {_list([self._gained(each) for each in rest.pop('gain')])}")
        if rest or not parts:
            raise UnsayableError(f"the static ability {', '.join(rest)}")
        return f"{subject} {_list(parts)}."

    def _enters(self, raw: Mapping[str, Any]) -> str:
        match raw:
            case {"becomes": "day", "if": "neither"}:
                return f"If it's neither day nor night, it becomes day as {self.this} enters."
            case {"tapped": True}:
                return f"{_capital(self.this)} enters tapped."
            case {"chooses": "creature type"}:
                return f"As {self.this} enters, choose a creature type."
            case {"copy of": what, **rest}:
                return (
                    f"You may have {self.this} enter as a copy of "
                    f"{_any(Noun(what).one())}{self._except(rest.get('except', {}))}."
                )
            case {"turn face down": {"types": ["creature"], "other": True, "token": False}}:
                return f"As {self.this} enters, turn all other nontoken creatures face down."
        raise UnsayableError(f"entering with {', '.join(raw)}")

    def _except(self, raw: Mapping[str, Any]) -> str:
        parts = []
        for word, value in raw.items():
            match word, value:
                case "name", _:
                    parts.append(f"its name is {value}")
                case "supertypes", ["legendary"]:
                    parts.append("it's legendary in addition to its other types")
                case "not supertypes", ["legendary"]:
                    parts.append("the token isn't legendary")
                case "subtypes", _:
                    parts.append(f"it's {_article(' '.join(value))} in addition to its other types")
                case "gain", _:
                    parts.append(f"it has {_list([self._gained(each) for each in value])}")
                case "set colors", [color]:
                    parts.append(f"it's {color}")
                case _:
                    raise UnsayableError(f"a copy except for {word}")
        return f", except {_list(parts)}" if parts else ""

    def _transforming(self, raw: Any) -> str:
        match raw:
            case [{"attach": "this", "to": "any player"}]:
                return (
                    f"As this permanent transforms into {self.face['name']}, attach it to a player."
                )
        raise UnsayableError("what happens as it transforms")

    def _cast(self, raw: Mapping[str, Any]) -> str:
        match raw:
            case {"costs less": number, "if": "night"}:
                return f"This spell costs {{{number}}} less to cast if it's night."
            case {"costs less": number, "if": {"controls": {"what": what}}}:
                noun = {key: value for key, value in what.items() if key != "controller"}
                return (
                    f"This spell costs {{{number}}} less to cast if you control "
                    f"{_any(Noun(noun).one())}."
                )
            case {"flash for": cost}:
                return (
                    f"You may cast this spell as though it had flash if you pay {cost} more to "
                    "cast it."
                )
            case {"can't be countered": True}:
                return "This spell can't be countered."
        raise UnsayableError(f"a spell that {', '.join(raw)}")

    # -- effects -----------------------------------------------------------------------------

    def sentences(self, effects: Sequence[Mapping[str, Any]]) -> str:
        """Say what is done, one sentence an effect."""
        match effects:
            case [{"draw": 1, **one}, {"discard": 1, **two}] if not one and not two:
                return "Draw a card, then discard a card."
        return " ".join(_capital(self._effect(effect)) + "." for effect in effects).replace(
            '.".', '."'
        )

    def _target(self, which: str) -> str:
        """Name a target: in full the first time, then as "that creature"."""
        index = 0 if which == "target" else int(which.split()[1]) - 1
        raw = self.targets[index]
        noun = Noun(raw)
        if which in self.named:
            return f"that {_kind(noun)}"
        self.named.add(which)
        return self._target_in_full(raw)

    def _target_in_full(self, raw: Any) -> str:
        if raw == "any target":
            return "any target"
        noun = Noun(raw)
        flat = noun.flat()
        number = flat.get("number", 1)
        if number == "any":
            return f"any number of target {noun.many()}"
        if flat.get("up to"):
            many = number > 1
            return f"up to {NUMBERS[number]} target {noun.many() if many else noun.one()}"
        if number > 1:
            return f"{NUMBERS[number]} target {noun.many()}"
        said = noun.one()
        if said.startswith("another "):
            return f"another target {said.removeprefix('another ')}"
        return f"target {said}"

    def _who(self, raw: Any) -> str:
        """Name the thing that something is done to."""
        match raw:
            case "this":
                return self.this
            case "enchanted" | "equipped":
                return f"{raw} creature"
            case str() if raw == "target" or raw.startswith("target "):
                return self._target(raw)
            case "each opponent" | "each player":
                return str(raw)
        raise UnsayableError(f"{raw} in an effect")

    def _all(self, raw: Any) -> str:
        """Name all things that a filter fits."""
        return f"all {Noun(raw).many()}"

    def _one_or_all(self, raw: Any) -> str:
        if isinstance(raw, str) and (
            raw in ("this", "enchanted", "equipped", "that") or raw.startswith("target")
        ):
            return self._who(raw)
        return self._all(raw)

    def _effect(self, raw: Mapping[str, Any]) -> str:
        word = next(iter(raw))
        value = raw[word]
        rest = {key: each for key, each in raw.items() if key != word}
        say = getattr(self, f"_do_{word.replace(' ', '_')}", None)
        if say is None:
            raise UnsayableError(f"the effect {word}")
        said: str = say(value, rest)
        if rest:
            raise UnsayableError(f"the effect {word} with {', '.join(rest)}")
        return said

    def _do_damage(self, amount: Any, rest: dict[str, Any]) -> str:
        by = rest.pop("by", None)
        to = rest.pop("to")
        source = self._who(by) if by else ("this spell" if self._is_spell else self.this)
        source = self.face["name"] if self._is_spell and not by else source
        if isinstance(amount, Mapping):
            if amount != {"power of": by}:
                raise UnsayableError("that amount of damage")
            return f"{source} deals damage equal to its power to {self._who(to)}"
        if amount == "that much":
            return f"{source} deals that much damage to {self._who(to)}"
        if not isinstance(amount, int):
            raise UnsayableError(f"{amount} damage")
        whom = to if to in ("each opponent", "each player") else self._who(to)
        return f"{source} deals {amount} damage to {whom}"

    @property
    def _is_spell(self) -> bool:
        return bool({"instant", "sorcery"} & set(self.face["types"]))

    def _do_destroy(self, what: Any, rest: dict[str, Any]) -> str:
        return f"destroy {self._one_or_all(what)}"

    def _do_exile(self, what: Any, rest: dict[str, Any]) -> str:
        if rest.pop("until it leaves", False):
            return f"exile {self._who(what)} until {self.this} leaves the battlefield"
        return f"exile {self._who(what)}"

    def _do_tap(self, what: Any, rest: dict[str, Any]) -> str:
        return f"tap {self._one_or_all(what)}"

    def _do_untap(self, what: Any, rest: dict[str, Any]) -> str:
        return f"untap {self._one_or_all(what)}"

    def _do_sacrifice(self, what: Any, rest: dict[str, Any]) -> str:
        return f"sacrifice {self._who(what)}"

    def _do_return_to_hand(self, what: Any, rest: dict[str, Any]) -> str:
        return f"return {self._who(what)} to its owner's hand"

    def _do_put_onto_battlefield(self, what: Any, rest: dict[str, Any]) -> str:
        if what == "this" and rest.pop("tapped", False):
            return f"return {self.this} from your graveyard to the battlefield tapped"
        own = Noun(self.targets[0]).flat().get("owner") == "you" if what == "target" else True
        if own:
            return f"return {self._who(what)} to the battlefield"
        return f"put {self._who(what)} onto the battlefield under your control"

    def _do_flicker(self, what: Any, rest: dict[str, Any]) -> str:
        return (
            f"exile {self._who(what)}, then return that card to the battlefield under your control"
        )

    def _do_counter(self, what: Any, rest: dict[str, Any]) -> str:
        if rest.pop("into", None) == "hand":
            return (
                f"counter {self._who(what)}. If that spell is countered this way, put it into its "
                "owner's hand instead of into that player's graveyard"
            )
        return f"counter {self._who(what)}"

    def _do_phase_out(self, what: Any, rest: dict[str, Any]) -> str:
        return f"{self._who(what)} phases out"

    def _do_transform(self, what: Any, rest: dict[str, Any]) -> str:
        if rest.pop("any number", False):
            return f"transform any number of {Noun(what).many()}"
        return f"transform {self._one_or_all(what)}"

    def _do_repeat(self, what: str, rest: dict[str, Any]) -> str:
        if what != "exiled creatures" or self.targets[0].get("number", 1) != 1:
            raise UnsayableError("doing something several times")
        effects = " and ".join(self._effect(effect) for effect in rest.pop("do"))
        return f"if a creature card was exiled this way, {effects}"

    def _do_become(self, what: str, rest: dict[str, Any]) -> str:
        if what == "other":
            return "if it's night, it becomes day. Otherwise, it becomes night"
        return f"it becomes {what}"

    def _do_gain_control(self, what: Any, rest: dict[str, Any]) -> str:
        if rest.pop("until", None) != "end of turn":
            raise UnsayableError("control for good")
        return f"gain control of {self._who(what)}{UNTIL_END_OF_TURN}"

    def _do_draw(self, number: Any, rest: dict[str, Any]) -> str:
        match number:
            case int():
                return f"draw {_count(number, 'card')}"
            case "discarded":
                return "draw that many cards"
            case {"plus": ["discarded", 1]}:
                return "draw that many cards plus one"
        raise UnsayableError("that number of cards drawn")

    def _do_discard(self, number: Any, rest: dict[str, Any]) -> str:
        if rest.pop("up to", False):
            return f"discard up to {NUMBERS[number]} {_plural('card')}"
        if number == "any":
            return "discard any number of cards"
        if rest.get("player") == "its controller":
            rest.pop("player")
            return f"that player discards {_count(number, 'card')}"
        return f"discard {_count(number, 'card')}"

    def _do_gain_life(self, number: int, rest: dict[str, Any]) -> str:
        return f"you gain {number} life"

    def _do_lose_life(self, number: Any, rest: dict[str, Any]) -> str:
        player = rest.pop("player", None)
        amount = f"{number} life"
        if isinstance(number, Mapping):
            if number != {"mana value of": "target"}:
                raise UnsayableError("that much life")
            amount = "life equal to its mana value"
        match player:
            case None:
                return f"you lose {amount}"
            case "each opponent" | "that player":
                return f"{player} loses {amount}"
            case "that controller":
                return f"its controller loses {amount}"
        raise UnsayableError(f"life lost by {player}")

    def _do_mill(self, number: int, rest: dict[str, Any]) -> str:
        return f"mill {_count(number, 'card')}"

    def _do_scry(self, number: int, rest: dict[str, Any]) -> str:
        return f"scry {number}"

    def _do_manifest(self, number: int, rest: dict[str, Any]) -> str:
        return "manifest the top card of your library"

    def _do_extra_turn(self, who: str, rest: dict[str, Any]) -> str:
        if who == "you":
            return "take an extra turn after this one"
        return f"{self._who(who)} takes an extra turn after this one"

    def _do_end_the_turn(self, yes: bool, rest: dict[str, Any]) -> str:
        return "end the turn"

    def _do_restart(self, yes: bool, rest: dict[str, Any]) -> str:
        raise UnsayableError("restarting the game")

    def _do_may(self, effects: Sequence[Mapping[str, Any]], rest: dict[str, Any]) -> str:
        if "pay" in rest:
            (effect,) = effects
            return f"you may pay {rest.pop('pay')}. If you do, {self._effect(effect)}"
        first, *others = (self._effect(effect) for effect in effects)
        return f"you may {first}" + "".join(f". If you do, {other}" for other in others)

    def _do_unless_paid(self, cost: str, rest: dict[str, Any]) -> str:
        (effect,) = rest.pop("do")
        return f"{self._effect(effect)} unless you pay {cost}"

    def _do_add_mana(self, mana: Any, rest: dict[str, Any]) -> str:
        if isinstance(mana, str):
            return f"add {mana}"
        if mana == ["{W}", "{U}", "{B}", "{R}", "{G}"]:
            return "add one mana of any color"
        if mana == ["{W}{W}", "{U}{U}", "{B}{B}", "{R}{R}", "{G}{G}"]:
            return "add two mana of any one color"
        return f"add {_list(list(mana), 'or')}"

    def _do_counters(self, kind: str, rest: dict[str, Any]) -> str:
        number = rest.pop("number")
        on = rest.pop("on")
        if not isinstance(number, int):
            raise UnsayableError("that number of counters")
        whom = self._who(on) if isinstance(on, str) else f"each {Noun(on).one()}"
        return f"put {_count(number, f'{kind} counter')} on {whom}"

    def _do_create(self, token: Mapping[str, Any], rest: dict[str, Any]) -> str:
        number = rest.pop("number", 1)
        words = [*token.get("colors", ()), *token.get("subtypes", ()), *token["types"]]
        kind = f"{token['power']}/{token['toughness']} {' '.join(words)} token"
        amount = "a" if number == 1 else NUMBERS[number]
        return f"create {amount} {kind if number == 1 else _plural(kind)}"

    def _do_create_copy(self, what: Any, rest: dict[str, Any]) -> str:
        exceptions = self._except(rest.pop("except", {}))
        return f"create a token that's a copy of {self._who(what)}{exceptions}"

    def _do_copy_spell(self, what: Any, rest: dict[str, Any]) -> str:
        exceptions = self._except(rest.pop("except", {})).replace(
            ", except it's", ", except the copy is"
        )
        return f"copy {self._who(what)}{exceptions}. You may choose new targets for the copy"

    def _do_look(self, number: int, rest: dict[str, Any]) -> str:
        put, into = rest.pop("put"), rest.pop("into")
        top = f"look at the top {NUMBERS[number]} cards of your library"
        if put == "card" and into == "graveyard" and not rest:
            return f"{top}. Put one of them into your graveyard"
        if into == "hand" and rest.pop("up to", False) and rest.pop("rest", None) == "bottom":
            said = Noun(put).one()
            kind, _, tail = said.partition(" with ")
            card = _article(f"{kind} card{' with ' + tail if tail else ''}")
            return (
                f"{top}. You may reveal {card} from among them and put it into your hand. Put the "
                "rest on the bottom of your library in a random order"
            )
        raise UnsayableError("looking at cards in that way")

    def _do_reveal_top(self, what: Any, rest: dict[str, Any]) -> str:
        (effect,) = rest.pop("do")
        kind = _list(list(what["any types"]), "or")
        return (
            "look at the top card of your library. You may reveal that card. If "
            f"{_article(kind)} card is revealed this way, {self._effect(effect)}"
        )

    def _do_from_hand(self, what: Any, rest: dict[str, Any]) -> str:
        kinds = what.get("any types") or what.get("types")
        card = f"{_article(_list(list(kinds), 'or'))} card"
        if rest.pop("players", None) == "each player":
            return f"each player may put {card} from their hand onto the battlefield"
        raise UnsayableError("a card put onto the battlefield and looked at")

    def _do_choose_one(self, branches: Mapping[str, Any], rest: dict[str, Any]) -> str:
        if branches == {"tap": [{"tap": "target"}], "untap": [{"untap": "target"}], "neither": []}:
            return f"you may tap or untap {self._who('target')}"
        raise UnsayableError("a choice between effects")

    def _do_skip(self, step: str, rest: dict[str, Any]) -> str:
        return f"{self._who(rest.pop('player'))} skips their next {step} step"

    def _do_if(self, condition: Any, rest: dict[str, Any]) -> str:
        if condition != "night":
            raise UnsayableError("what is done on that condition")
        (effect,) = rest.pop("do")
        if "else" in rest:
            (other,) = rest.pop("else")
            first = _capital(self._effect(other))
            return f"{first}. If it's night, {self._effect(effect)} instead"
        return f"if it's night, {self._effect(effect)}"

    def _do_for_the_turn(self, what: Mapping[str, Any], rest: dict[str, Any]) -> str:
        match what:
            case {"prevents combat damage by": {"types": ["creature"], "not subtypes": kinds}}:
                return (
                    "prevent all combat damage that would be dealt this turn by creatures other "
                    f"than {_list([_plural(kind) for kind in reversed(kinds)])}"
                )
            case {"next to enter are copies": {"any types": kinds}}:
                target = self._who(rest.pop("with"))
                return (
                    f"choose {target}. The next time one or more "
                    f"{_list([_plural(kind) for kind in kinds], 'or')} enter this turn, they enter "
                    "as copies of the chosen creature"
                )
            case {"flash for": {"types": ["creature"]}}:
                if rest.pop("until", None) != "your next turn":
                    raise UnsayableError("flash for a while")
                return "until your next turn, you may cast creature spells as though they had flash"
            case {"what": noun, "enters with": {"+1/+1": 1}}:
                if rest.pop("until", None) != "your next turn":
                    raise UnsayableError("counters for a while")
                return (
                    f"until your next turn, each {Noun(noun).one()} enters with an additional "
                    "+1/+1 counter on it"
                )
        raise UnsayableError(f"for the turn: {', '.join(what)}")

    def _do_modify(self, what: Any, rest: dict[str, Any]) -> str:
        many = not isinstance(what, str) or what == "creature"
        if what == "made" and rest == {"gain": ["haste"], "until": "forever"}:
            rest.clear()
            return "that token gains haste"
        subject = Noun(what).many() if many else self._who(what)
        get, gain, lose = ("get", "gain", "lose") if many else ("gets", "gains", "loses")
        if "set types" in rest:
            return self._becomes(subject, rest)
        if rest.get("lose") == "abilities":
            return self._loses_all(subject, lose, rest)
        parts = []
        if "power" in rest or "toughness" in rest:
            power, toughness = rest.pop("power", 0), rest.pop("toughness", 0)
            if power == "x":
                parts.append(f"{get} +X/+0")
            else:
                parts.append(f"{get} {_change(power)}/{_change(toughness, power < 0)}")
        if "gain" in rest:
            parts.append(f"{gain} {_list([self._gained(each) for each in rest.pop('gain')])}")
        if rest.pop("can't block", False):
            return f"{subject} can't block this turn"
        if rest or not parts:
            raise UnsayableError(f"a creature changed by {', '.join(rest)}")
        if any('"' in part for part in parts):
            return f"until end of turn, {subject} {_list(parts)}"
        return f"{subject} {_list(parts)}{UNTIL_END_OF_TURN}"

    def _loses_all(self, subject: str, lose: str, rest: dict[str, Any]) -> str:
        rest.pop("lose")
        power, toughness = rest.pop("set power", None), rest.pop("set toughness", None)
        said = f"until end of turn, {subject} {lose} all abilities"
        if "set subtypes" in rest:
            words = [*rest.pop("set colors"), *rest.pop("set subtypes")]
            return (
                f"{said} and becomes a {' '.join(words)} with base power and toughness "
                f"{power}/{toughness}"
            )
        if power is not None:
            said += f" and has base power and toughness {power}/{toughness}"
        return said

    def _becomes(self, subject: str, rest: dict[str, Any]) -> str:
        words = [*rest.pop("set subtypes"), *rest.pop("set types")]
        power, toughness = rest.pop("set power"), rest.pop("set toughness")
        gained = _list([self._gained(each) for each in rest.pop("gain", ())])
        return f"until end of turn, {subject} becomes a {power}/{toughness} {' '.join(words)}" + (
            f" with {gained}" if gained else ""
        )

    def _gained(self, raw: Any) -> str:
        if isinstance(raw, str):
            return raw
        inner = _Writer({**self.face, "types": ["creature"], "supertypes": []})
        return f'"{inner.ability(raw)}"'


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _any(phrase: str) -> str:
    return f"any {phrase} on the battlefield" if phrase == "creature" else _article(phrase)


def _change(number: int, negative: bool = False) -> str:
    """Say +3; a zero takes the sign of the number beside it."""
    if number == 0 and negative:
        return "-0"
    return _signed(number)


def _spell_noun(raw: Any, plural: bool = False) -> str:
    noun = Noun({**raw, "in": "stack"} if isinstance(raw, Mapping) else raw)
    flat = noun.flat()
    spell = "spells" if plural else "spell"
    if flat.get("not types"):
        return f"{' '.join(f'non{word}' for word in flat['not types'])} {spell}"
    if flat.get("any types"):
        return f"{_list(list(flat['any types']), 'and' if plural else 'or')} {spell}"
    raise UnsayableError(f"spells that are {', '.join(flat)}")


def _kind(noun: Noun) -> str:
    """Say what kind of thing a target is, for "that creature"."""
    flat = noun.flat()
    if flat.get("in") == "stack":
        return "spell"
    if flat.get("in") == "graveyard":
        return "card"
    if flat.get("subtypes") or flat.get("types") == ["creature"] or flat.get("what") == "creature":
        return "creature"
    if flat.get("what") in ("player", "opponent"):
        return "player"
    return "permanent"
