"""A scenario told as a person would tell it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.protocol.words import event_word

if TYPE_CHECKING:
    from harness.scenario import Scenario, Step

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
WHERE = {
    "battlefield": "on the battlefield",
    "graveyard": "in the graveyard",
    "hand": "in hand",
    "library": "in the library",
    "exile": "in exile",
    "stack": "on the stack",
    "command": "in the command zone",
    "nowhere": "no longer in the game",
}
FACES = {"front": "front face up", "back": "back face up"}
PHASES = {"precombat main", "postcombat main"}


@dataclass(frozen=True, slots=True)
class Told:
    """One step: its number in the file from 1, a sentence, and what is looked at, if it is a look.

    `looks` pairs the path of an expectation (`objects.ruffian`) with the words for it.
    """

    number: int
    text: str
    looks: tuple[tuple[str, str], ...] = ()
    line: int = 0

    @property
    def is_look(self) -> bool:
        """Say whether the step looks instead of acting."""
        return bool(self.looks)


@dataclass(frozen=True, slots=True)
class Telling:
    """A scenario in English: how the game stands, then step by step."""

    setting: tuple[str, ...]
    steps: tuple[Told, ...]


def tell(scenario: Scenario) -> Telling:
    """Tell a scenario in English."""
    teller = _Teller(scenario)
    return Telling(
        setting=tuple(teller.setting()),
        steps=tuple(teller.step(number, step) for number, step in enumerate(scenario.steps, 1)),
    )


def listed(words: Iterable[str], joint: str = "and") -> str:
    """Join words as a sentence does: `a, b and c`."""
    every = list(words)
    if len(every) < 2:
        return "".join(every)
    return f"{', '.join(every[:-1])} {joint} {every[-1]}"


def counted(number: int, noun: str) -> str:
    """Give a number of things: `no cards`, `one card`, `12 cards`."""
    word = NUMBERS[number] if 0 <= number < len(NUMBERS) else str(number)
    return f"{word} {noun}" if number == 1 else f"{word} {noun}s"


def shown(value: Any) -> str:
    """Give a value of an expectation or an observation as a person would write it."""
    if value is None:
        return "nothing"
    if value is True:
        return "yes"
    if value is False:
        return "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {shown(one)}" for key, one in value.items()) or "none"
    if isinstance(value, (list, tuple, set, frozenset)):
        return "; ".join(shown(one) for one in value) or "none"
    return str(value)


class _Teller:
    """Knows the names of the objects of one scenario."""

    def __init__(self, scenario: Scenario) -> None:
        self.given = scenario.given
        self.facts = scenario.cards
        self.players: list[str] = list(self.given.get("players") or ("alice", "bob"))
        self.card_of: dict[str, str] = {}
        for player in self.players:
            for zone in ("battlefield", "hand", "graveyard", "exile", "library"):
                for item in (self.given.get(player) or {}).get(zone) or ():
                    self.card_of[item["id"]] = item["card"]
        for step in scenario.steps:
            if step.word == "find":
                self.card_of[step.args["id"]] = step.args["name"]
        spoken = [
            name
            for key, name in self.card_of.items()
            if not _automatic(key, self.players) or name != "Plains"
        ]
        self.count = Counter(spoken)

    # -- names

    def name(self, key: Any) -> str:
        """Give the name of a player or object."""
        if key in self.players:
            return str(key).capitalize()
        card = self.card_of.get(key)
        if card is None:
            return str(key)
        return card if self.count[card] < 2 else f"{card} ({key})"

    def names(self, keys: Any) -> str:
        """Give several names as a list in a sentence."""
        every = keys if isinstance(keys, (list, tuple)) else [keys]
        return listed(self.name(key) for key in every)

    def face_name(self, card: str, face: str) -> str | None:
        """Give the name of a face of a card, if its facts are known."""
        faces = (self.facts.get(card) or {}).get("faces") or ()
        at = 1 if face == "back" else 0
        return faces[at].get("name") if len(faces) > at else None

    # -- how the game stands

    def setting(self) -> Iterable[str]:
        """Give the sentences that say how the game stands before the first step."""
        given = self.given
        teams = given.get("teams")
        if teams:
            sides = [self.names(team) for team in teams]
            yield f"{' against '.join(sides)}, with shared team turns."
        elif len(self.players) != 2:
            yield f"{listed(self.name(p) for p in self.players)} play, in that order."
        designation = given.get("designation") or "neither"
        light = "neither day nor night" if designation == "neither" else designation
        turn = given.get("turn") or {}
        active = self.name(turn.get("active", self.players[0]))
        yield f"It is {light}, in {active}'s {_step(turn.get('step', 'precombat main'))}."
        for player in self.players:
            yield from self.seat(player, given.get(player) or {}, bool(teams))

    def seat(self, player: str, state: Mapping[str, Any], team: bool) -> Iterable[str]:
        """Give the sentences about one player."""
        who = self.name(player)
        life = state.get("life")
        if life is not None and life != (30 if team else 20):
            yield f"{who} has {life} life."
        if state.get("mana") is not None:
            yield f"{who} can spend {state['mana'] or 'no mana'} and no more."
        if state.get("battlefield"):
            yield f"{who} controls {listed(map(self.permanent, state['battlefield']))}."
        for zone, words in (
            ("hand", "has {} in hand"),
            ("graveyard", "has {} in the graveyard"),
            ("exile", "owns {} in exile"),
        ):
            cards = [item["id"] for item in state.get(zone) or ()]
            if cards:
                yield f"{who} {words.format(listed(self.grouped(cards)))}."
        library = state.get("library")
        if library is not None and not self.usual(library):
            cards = [item["id"] for item in library]
            inside = listed(self.grouped(cards))
            yield f"{who}'s library, from the top: {inside or 'no cards'}."

    def usual(self, library: Sequence[Mapping[str, Any]]) -> bool:
        """Say whether a library is the one that a player has when the file names none."""
        return len(library) == 10 and all(item["card"] == "Plains" for item in library)

    def grouped(self, keys: Sequence[str]) -> Iterable[str]:
        """Give names in order, with a run of cards that nobody named as `three Plains`."""
        at = 0
        while at < len(keys):
            card = self.card_of[keys[at]]
            end = at
            while (
                end < len(keys)
                and self.card_of[keys[end]] == card
                and _automatic(keys[end], self.players)
            ):
                end += 1
            if end - at > 1:
                yield f"{NUMBERS[end - at] if end - at <= 10 else end - at} {card}"
                at = end
            else:
                yield self.name(keys[at])
                at += 1

    def permanent(self, item: Mapping[str, Any]) -> str:
        """Give a permanent with all that is not usual about it."""
        card, notes = item["card"], []
        if item.get("face") == "back":
            back = self.face_name(card, "back")
            notes.append(f"back face up: {back}" if back else "back face up")
        for key in ("tapped", "phased out", "face down", "summoning sick", "token"):
            if item.get(key):
                notes.append(key if key != "token" else "a token")
        if item.get("copy of"):
            notes.append(f"a copy of {self.name(item['copy of'])}")
        if item.get("attached to"):
            notes.append(f"attached to {self.name(item['attached to'])}")
        for kind, number in (item.get("counters") or {}).items():
            notes.append(counted(number, f"{kind} counter"))
        if item.get("damage"):
            notes.append(f"{item['damage']} damage")
        if item.get("owner") and item["owner"] not in (None, self.controller(item["id"])):
            notes.append(f"owned by {self.name(item['owner'])}")
        name = self.name(item["id"])
        return f"{name} ({', '.join(notes)})" if notes else name

    def controller(self, key: str) -> str | None:
        """Give the player under whom a permanent of the setting is listed."""
        for player in self.players:
            for item in (self.given.get(player) or {}).get("battlefield") or ():
                if item["id"] == key:
                    return player
        return None

    # -- steps

    def step(self, number: int, step: Step) -> Told:
        """Tell one step."""
        if step.word == "expect":
            looks = tuple(self.looks(step.expect or step.args or {}))
            return Told(number, _sentence("; ".join(text for _, text in looks)), looks, step.line)
        text = self.action(step.word, step.args)
        for choice in step.choices or ():
            text += f" {self.choice(choice)}"
        if step.refused:
            text += " This is not allowed."
        return Told(number, text, (), step.line)

    def choice(self, choice: Mapping[str, Any]) -> str:
        """Tell what a player chooses."""
        chosen = choice.get("choose")
        every = chosen if isinstance(chosen, (list, tuple)) else [chosen]
        what = listed(self.name(one) for one in every) or "nothing"
        about = f" for {self.name(choice['for'])}" if choice.get("for") else ""
        return f"{self.name(choice['player'])} chooses {what}{about}."

    def action(self, word: str, args: Mapping[str, Any]) -> str:
        """Tell what is done, as a sentence."""
        who = self.name(args.get("player"))
        if word == "cast":
            return f"{who} casts {self.name(args.get('object'))}{self.extras(args)}."
        if word == "activate":
            nth = args.get("ability", 1)
            ordinal = ORDINALS[nth - 1] if 0 < nth <= len(ORDINALS) else f"number {nth}"
            which = "an ability" if "ability" not in args else f"the {ordinal} ability"
            return f"{who} activates {which} of {self.name(args.get('object'))}{self.extras(args)}."
        if word == "play":
            return f"{who} plays {self.name(args.get('object'))}."
        if word == "turn face up":
            return f"{who} turns {self.name(args.get('object'))} face up."
        if word == "resolve":
            every = args.get("what", "all") == "all"
            return (
                "Everything on the stack resolves." if every else "The top of the stack resolves."
            )
        if word == "advance":
            of, to = args.get("of"), _step(args.get("to", ""))
            return (
                f"The game goes on to {self.name(of) + chr(39) + 's' if of else 'the next'} {to}."
            )
        if word == "attack":
            pairs = (args.get("attackers") or {}).items()
            return _sentence(listed(f"{self.name(a)} attacks {self.name(d)}" for a, d in pairs))
        if word == "block":
            blocks = (args.get("blockers") or {}).items()
            told = listed(f"{self.name(b)} blocks {self.names(a)}" for b, a in blocks)
            return _sentence(told or "nobody blocks")
        if word == "concede":
            return f"{who} leaves the game."
        if word == "find":
            return self.finding(args)
        if word == "directive":
            return self.directive(args)
        return _sentence(f"{word}: {shown(args)}")

    def extras(self, args: Mapping[str, Any]) -> str:
        """Tell the announcements of a spell or ability."""
        said = []
        if args.get("face"):
            said.append(f"{args['face']} face")
        if args.get("via"):
            said.append(f"by {args['via']}")
        if args.get("modes"):
            modes = args["modes"] if isinstance(args["modes"], (list, tuple)) else [args["modes"]]
            said.append(f"mode {listed(map(str, modes))}")
        if args.get("x") is not None:
            said.append(f"X being {args['x']}")
        if args.get("targets"):
            said.append(f"targeting {self.names(args['targets'])}")
        if args.get("pay with"):
            said.append(f"paying with {self.names(args['pay with'])}")
        return "".join(f", {one}" for one in said)

    def finding(self, args: Mapping[str, Any]) -> str:
        """Tell which object gets an id."""
        whose = f" that {self.name(args['controller'])} controls" if args.get("controller") else ""
        zone = args.get("zone")
        there = f" {WHERE.get(zone, zone)}" if zone and zone != "battlefield" else ""
        return f"The {args['name']}{whose}{there} is called {args['id']} from here on."

    def directive(self, args: Mapping[str, Any]) -> str:
        """Tell an effect that no card has."""
        if "become" in args:
            return f"An effect makes it {args['become']}."
        if "transform" in args:
            return f"An effect transforms {self.name(args['transform'])}."
        if "put" in args and isinstance(args["put"], Mapping):
            put = args["put"]
            rest = [WHERE.get(put.get("zone", "battlefield"), str(put.get("zone")))]
            if put.get("face"):
                rest.append(f"{put['face']} face up")
            if put.get("controller"):
                rest.append(f"under {self.name(put['controller'])}'s control")
            return f"An effect puts {self.name(put['object'])} {', '.join(rest)}."
        return f"By directive: {shown(args)}."

    # -- looks

    def looks(self, expect: Mapping[str, Any], at: str = "") -> Iterable[tuple[str, str]]:
        """Give the path and the words of each thing that is looked at."""
        if "designation" in expect:
            light = expect["designation"]
            text = "neither day nor night" if light == "neither" else str(light)
            yield f"{at}designation", f"it is {text}"
        if "turn" in expect:
            yield f"{at}turn", self.turn(expect["turn"])
        for key, attributes in (expect.get("objects") or {}).items():
            yield f"{at}objects.{key}", f"{self.name(key)} {self.object(key, attributes)}"
        for key, attributes in (expect.get("players") or {}).items():
            yield f"{at}players.{key}", f"{self.name(key)} {self.player(attributes)}"
        if "stack" in expect:
            stack = expect["stack"]
            inside = ", then ".join(self.on_stack(item) for item in stack)
            yield f"{at}stack", f"the stack holds {inside}" if stack else "the stack is empty"
        if "events" in expect:
            told = ", then ".join(self.event(item) for item in expect["events"])
            yield f"{at}events", f"since the last look {told}" if told else "nothing of it happened"
        if "no events" in expect:
            yield f"{at}no events", f"it did not happen that {self.none_of(expect['no events'])}"
        if "any of" in expect:
            ways = [listed(text for _, text in self.looks(way)) for way in expect["any of"]]
            yield f"{at}any of", "either " + ", or ".join(ways)

    def turn(self, turn: Mapping[str, Any]) -> str:
        """Tell whose turn and which step it is."""
        active, step = turn.get("active"), turn.get("step")
        if step is None:
            return f"it is {self.name(active)}'s turn"
        whose = f"{self.name(active)}'s" if active else "the"
        return f"it is {whose} {_step(step)}"

    def object(self, key: str, attributes: Mapping[str, Any]) -> str:
        """Tell what is expected of an object, as the end of a sentence that its name begins."""
        rest = dict(attributes)
        told = []
        if "zone" in rest:
            zone = str(rest.pop("zone"))
            told.append(WHERE.get(zone, f"in {zone}"))
        if "position" in rest:
            told.append(f"at position {rest.pop('position')} from the top")
        if "phased out" in rest:
            told.append("phased out" if rest.pop("phased out") else "phased in")
        if "face down" in rest:
            told.append("face down" if rest.pop("face down") else "not face down")
        if "face" in rest:
            face = shown(rest.pop("face"))
            told.append(FACES.get(face, f"{face} face up"))
        if "name" in rest:
            told.append(f"named {rest.pop('name') or 'nothing'}")
        if "power" in rest and "toughness" in rest:
            told.append(f"{shown(rest.pop('power'))}/{shown(rest.pop('toughness'))}")
        if "tapped" in rest:
            told.append("tapped" if rest.pop("tapped") else "untapped")
        if "attached to" in rest:
            other = rest.pop("attached to")
            nothing = other in (None, "nothing")
            told.append(f"attached to {'nothing' if nothing else self.name(other)}")
        if "controller" in rest:
            told.append(f"controlled by {self.name(rest.pop('controller'))}")
        if "owner" in rest:
            told.append(f"owned by {self.name(rest.pop('owner'))}")
        if "token" in rest:
            told.append("a token" if rest.pop("token") else "no token")
        if "summoning sick" in rest:
            told.append("summoning sick" if rest.pop("summoning sick") else "not summoning sick")
        if "attacking" in rest:
            other = rest.pop("attacking")
            nothing = other in (None, "nothing", False)
            told.append("not attacking" if nothing else f"attacking {self.name(other)}")
        if "blocking" in rest:
            other = rest.pop("blocking")
            nothing = other in (None, "nothing", False, [])
            told.append("not blocking" if nothing else f"blocking {self.names(other)}")
        if "counters" in rest:
            counters = rest.pop("counters") or {}
            each = [counted(number, f"{kind} counter") for kind, number in counters.items()]
            told.append(f"with {listed(each) or 'no counters'}")
        if "damage" in rest:
            told.append(f"with {rest.pop('damage') or 'no'} damage")
        if "has" in rest:
            told.append(f"with {listed(map(shown, rest.pop('has')))}")
        if "lacks" in rest:
            told.append(f"without {listed(map(shown, rest.pop('lacks')), 'or')}")
        for sets in ("colors", "supertypes", "types", "subtypes"):
            if sets in rest:
                values = rest.pop(sets) or ()
                told.append(f"{listed(map(str, values)) or f'no {sets}'}")
        told.extend(f"{word} {shown(value)}" for word, value in rest.items())
        return f"is {', '.join(told)}"

    def player(self, attributes: Mapping[str, Any]) -> str:
        """Tell what is expected of a player, as the end of a sentence that the name begins."""
        told = []
        for word, value in attributes.items():
            if word == "life":
                told.append(f"has {value} life")
            elif word in ("hand", "library", "graveyard", "exile"):
                place = "in hand" if word == "hand" else WHERE[word]
                told.append(f"has {counted(value, 'card')} {place}")
            elif word == "hexproof":
                told.append("has hexproof" if value else "does not have hexproof")
            elif word == "lost":
                told.append("has lost" if value else "is still in the game")
            elif word == "spells cast":
                told.append(f"has cast {counted(value, 'spell')} this turn")
            elif word == "permanents":
                told.append(f"controls {listed(map(str, value)) or 'no permanents'}")
            elif word == "poison":
                told.append(f"has {counted(value, 'poison counter')}")
            elif word == "mana":
                told.append(f"has {value} mana left")
            else:
                told.append(f"has {word} {shown(value)}")
        return listed(told)

    def on_stack(self, item: Mapping[str, Any]) -> str:
        """Tell one object on the stack."""
        rest = dict(item)
        told = []
        if "object" in rest:
            head = self.name(rest.pop("object"))
        elif "ability of" in rest:
            head = f"an ability of {self.name(rest.pop('ability of'))}"
        else:
            head = "an object"
        if "face" in rest:
            face = shown(rest.pop("face"))
            told.append(FACES.get(face, f"{face} face up"))
        if "name" in rest:
            told.append(f"named {rest.pop('name')}")
        if "controller" in rest:
            told.append(f"controlled by {self.name(rest.pop('controller'))}")
        if "targets" in rest:
            told.append(f"targeting {self.names(rest.pop('targets'))}")
        told.extend(f"{word} {shown(value)}" for word, value in rest.items())
        return f"{head} ({', '.join(told)})" if told else head

    def none_of(self, items: Sequence[Mapping[str, Any]]) -> str:
        """Tell events that must not be: `Alice drew, Bob drew or discarded`."""
        told: list[str] = []
        before = ""
        for item in items:
            words = self.event(item)
            name = self.name(item.get(event_word(item) or ""))
            same = name == before and words.startswith(f"{name} ")
            told.append(words.removeprefix(f"{name} ") if same else words)
            before = name
        return listed(told, "or")

    def event(self, item: Mapping[str, Any]) -> str:
        """Tell one event, with its attributes."""
        extra = dict(item)
        word = event_word(item) or next(iter(extra))
        told = self.event_words(word, extra.pop(word), extra)
        more = [
            FACES.get(one, shown(one)) if key == "face" else f"{key} {self.name(one)}"
            for key, one in extra.items()
        ]
        return f"{told} ({', '.join(more)})" if more else told

    def event_words(self, word: str, value: Any, extra: dict[str, Any]) -> str:
        """Tell an event, taking from `extra` what the words already say."""
        name = self.name(value)
        if word == "became":
            return f"it became {value}"
        if word == "damaged":
            amount = extra.pop("amount", None)
            by = extra.pop("by", None)
            dealt = f"{amount} damage" if amount is not None else "damage"
            return f"{name} was dealt {dealt}" + (f" by {self.name(by)}" if by else "")
        if word in ("gained life", "lost life"):
            amount = extra.pop("amount", None)
            return f"{name} {word}" if amount is None else f"{name} {word.split()[0]} {amount} life"
        if word == "cast":
            player = extra.pop("player", None)
            return f"{self.name(player)} cast {name}" if player else f"{name} was cast"
        if word == "attached":
            to = extra.pop("to", None)
            return f"{name} became attached" + (f" to {self.name(to)}" if to else "")
        if word == "triggered":
            return f"an ability of {name} triggered"
        if word == "step":
            active = extra.pop("active", None)
            whose = f"{self.name(active)}'s" if active else "the"
            return f"{whose} {_step(value)} came"
        if word == "turn":
            return f"{name}'s turn began"
        if word == "lost":
            return f"{name} lost the game"
        if word == "blocked":
            return f"{name} became blocked"
        passive = {
            "countered": "was countered",
            "unattached": "became unattached",
            "tapped": "became tapped",
            "untapped": "untapped",
            "discarded": "was discarded",
            "exiled": "was exiled",
            "turned face up": "was turned face up",
            "sacrificed": "was sacrificed",
            "destroyed": "was destroyed",
            "returned": "was returned to hand",
            "milled": "was milled",
            "created": "was created",
            "left": "left the battlefield",
            "entered": "entered the battlefield",
        }
        return f"{name} {passive.get(word, word)}"


def _automatic(key: str, players: Sequence[str]) -> bool:
    """Say whether the loader made this id, because the file gives none (`alice-hand-1`)."""
    head, _, number = key.rpartition("-")
    player, _, zone = head.partition("-")
    return number.isdigit() and player in players and bool(zone)


def _step(step: str) -> str:
    """Give a step or phase as it is spoken of."""
    if step in PHASES:
        return f"{step} phase"
    return f"{step} step" if step in {"draw", "end", "untap", "cleanup"} else step


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""
