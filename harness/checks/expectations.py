"""E: what is expected can be seen, can fail, and comes about by what is done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from harness.checks.base import Check, ScenarioCheck, did_you_mean, nearest
from harness.checks.names import Names
from harness.checks.opposite import always_true
from harness.checks.references import NoFacts, NoSuchObject, NotInTheGame
from harness.files import File, Shelf
from harness.problem import Problem
from harness.scenario import CAPABILITIES, COMPUTED, HINTED, Scenario, scenario_of

Place = tuple[str | int, ...]


def looks(raw: Mapping[str, Any]) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    """Give the expectation of every look, with its path in the scenario."""
    for number, step in enumerate(raw["steps"]):
        if "expect" in step:
            yield ("steps", number, "expect"), step["expect"]


def branches(at: Place, expect: Mapping[str, Any]) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    """Give an expectation and all its alternatives, with their paths."""
    yield at, expect
    for place, branch in enumerate(expect.get("any of", ())):
        yield from branches((*at, "any of", place), branch)


class LooksNowhere(ScenarioCheck):
    """A scenario that looks at nothing and has nothing refused."""

    code, slug = "E001", "looks-nowhere"

    def check_scenario(
        self, file: File, at: Place, names: Names, shelf: Shelf
    ) -> Iterator[Problem]:
        """Find a look or a refusal."""
        if not any("expect" in step or "refused" in step for step in names.raw["steps"]):
            message = "this scenario expects nothing, so it cannot fail"
            yield file.problem(self.code, (*at, "steps"), message, "add an expect", key=True)


class ExpectsNothing(ScenarioCheck):
    """An expectation, or a part of one, that says nothing."""

    code, slug = "E002", "expects-nothing"

    def check_scenario(
        self, file: File, at: Place, names: Names, shelf: Shelf
    ) -> Iterator[Problem]:
        """Find empty mappings and lists that say nothing by being empty."""
        for path, look in looks(names.raw):
            for where, expect in branches(path, look):
                for empty in self._empty(expect):
                    message = "nothing is expected here, so it holds whatever happens"
                    yield file.problem(
                        self.code, (*at, *where, *empty), message, "say what must be so", key=True
                    )

    def _empty(self, expect: Mapping[str, Any]) -> Iterator[Place]:
        if not expect:
            yield ()
        for word, value in expect.items():
            bare = word in ("turn", "objects", "players", "no events")
            if not value and (bare or (word == "events" and "no events" not in expect)):
                yield (word,)
            elif word in ("objects", "players"):
                for name, attributes in value.items():
                    if not attributes:
                        yield (word, name)
                    for attribute in ("has", "lacks"):
                        if attribute in attributes and not attributes[attribute]:
                            yield (word, name, attribute)


class NeverReached(ScenarioCheck):
    """Steps after one that is refused: the game is over by then."""

    code, slug = "E003", "never-reached"

    def check_scenario(
        self, file: File, at: Place, names: Names, shelf: Shelf
    ) -> Iterator[Problem]:
        """Find a refusal that is not the last step."""
        for number, step in enumerate(names.raw["steps"][:-1]):
            if step.get("refused"):
                yield file.problem(
                    self.code,
                    (*at, "steps", number + 1),
                    f"no engine gets here: step {number + 1} is refused, and that ends a scenario",
                    "make a scenario of its own of what follows",
                )
                return


class NobodyLooks(ScenarioCheck):
    """Steps after the last look, whose outcome nobody sees."""

    code, slug = "E004", "nobody-looks"
    blocking = False

    def check_scenario(
        self, file: File, at: Place, names: Names, shelf: Shelf
    ) -> Iterator[Problem]:
        """Compare the last step with the last look or refusal."""
        steps = names.raw["steps"]
        seen = [n for n, step in enumerate(steps) if "expect" in step or "refused" in step]
        if seen and seen[-1] < len(steps) - 1:
            message = "nothing looks at the game after this step, so it shows nothing"
            hint = "add an expect, or leave the step out"
            yield file.problem(self.code, (*at, "steps", seen[-1] + 1), message, hint)


class CannotFail(ScenarioCheck):
    """An expectation that holds whatever is seen, as `any of` does that allows everything."""

    code, slug = "E005", "cannot-fail"
    blocking = False

    def check_scenario(
        self, file: File, at: Place, names: Names, shelf: Shelf
    ) -> Iterator[Problem]:
        """See what remains true when everything is otherwise."""
        empty = ExpectsNothing()
        for path, look in looks(names.raw):
            if any(list(empty._empty(expect)) for _, expect in branches(path, look)):
                continue
            for leaf in always_true(look):
                where = _of_leaf(look, leaf.path)
                message = "this holds whatever is seen, so it cannot fail"
                yield file.problem(
                    self.code, (*at, *path, *where), message, "expect what only the rule brings"
                )


def _of_leaf(expect: Mapping[str, Any], path: str) -> Place:
    """Find the path in the file of a leaf's dotted path."""
    where: list[str | int] = []
    value: Any = expect
    rest = path
    while rest and isinstance(value, (Mapping, list)):
        if isinstance(value, list):
            part, _, rest = rest.partition(".")
            where.append(int(part) - 1)
            value = value[int(part) - 1]
            continue
        key = next((key for key in value if rest == key or rest.startswith(f"{key}.")), None)
        if key is None:
            break
        where.append(key)
        value, rest = value[key], rest[len(key) + 1 :]
    return tuple(where)


class PassesUnplayed(ScenarioCheck):
    """A scenario that passes on an engine which does nothing."""

    code, slug = "E006", "passes-unplayed"
    blocking = False

    def check_scenario(
        self, file: File, at: Place, names: Names, shelf: Shelf
    ) -> Iterator[Problem]:
        """Play the scenario on the inert engine."""
        scenario = _playable(file, at, names, shelf)
        if scenario is None or not list(looks(names.raw)):
            return
        from harness.inert import engine
        from harness.judge import judge
        from harness.model import Verdict
        from harness.protocol import answer

        verdict, _ = judge(scenario, answer(engine(), scenario.request(1)))
        if verdict is Verdict.PASS:
            message = "this passes on an engine that does nothing: all of it is so from the start"
            hint = "expect something that only the steps bring about"
            yield file.problem(self.code, at, message, hint)


def _playable(file: File, at: Place, names: Names, shelf: Shelf) -> Scenario | None:
    """Make the scenario, unless what it speaks of is not there."""
    for check in (NoFacts(), NoSuchObject(), NotInTheGame()):
        if any(True for _ in check.check_scenario(file, at, names, shelf)):
            return None
    raw = names.raw
    return scenario_of(
        file.value,
        raw,
        id=file.scenario_id(raw["name"]),
        file=file.shown,
        path=str(file.path),
        line=0,
        lines=[0] * len(raw["steps"]),
        cards=shelf.cards,
    )


class LevelAndChoice(ScenarioCheck):
    """`any of` and the level do not go together, or the alternatives are the same."""

    code, slug = "E007", "level-and-choice"
    blocking = False

    def check_scenario(
        self, file: File, at: Place, names: Names, shelf: Shelf
    ) -> Iterator[Problem]:
        """Compare alternatives with each other, and the level with them."""
        any_of = False
        for path, look in looks(names.raw):
            for where, expect in branches(path, look):
                ways = expect.get("any of", [])
                any_of = any_of or bool(ways)
                for place, way in enumerate(ways):
                    if way in ways[:place]:
                        message = "this alternative stands here already"
                        where_now = (*at, *where, "any of", place)
                        yield file.problem(self.code, where_now, message, "leave it out")
        if names.raw.get("level") == "may" and not any_of:
            message = "level may says that the rules leave a choice, and no look has `any of`"
            hint = "list all outcomes that the rules allow, or leave level out"
            yield file.problem(self.code, (*at, "level"), message, hint)


class WrongNeeds(ScenarioCheck):
    """A capability that is not known, or that nothing in the scenario needs."""

    code, slug = "E008", "wrong-needs"
    blocking = False

    def check_scenario(
        self, file: File, at: Place, names: Names, shelf: Shelf
    ) -> Iterator[Problem]:
        """Compare the list with the capabilities known and with those that the content shows."""
        listed = names.raw.get("needs", ())
        bare = Names({**names.raw, "needs": []})
        scenario = _playable(file, at, bare, shelf) if listed else None
        for place, need in enumerate(listed):
            path = (*at, "needs", place)
            if need not in CAPABILITIES and not need.startswith("directive "):
                message = f"no capability is called {need!r}"
                hint = did_you_mean(need, CAPABILITIES, f"known: {', '.join(CAPABILITIES)}")
                yield file.problem(self.code, path, message, hint)
            elif scenario is None or need in scenario.needs:
                continue
            elif need.startswith("directive ") or need in COMPUTED - HINTED:
                message = f"nothing in this scenario needs {need!r}"
                yield file.problem(self.code, path, message, "leave it out")


class WrongEdition(ScenarioCheck):
    """`since` or `until` is no edition, or `until` comes before `since`."""

    code, slug = "E009", "wrong-edition"
    blocking = False

    def check_scenario(
        self, file: File, at: Place, names: Names, shelf: Shelf
    ) -> Iterator[Problem]:
        """Look both up among the editions."""
        if shelf.editions is None:
            return
        known = list(shelf.editions.sections)
        for word in ("since", "until"):
            date = names.raw.get(word)
            if date is not None and date not in known:
                before = [each for each in known if each < date]
                hint = did_you_mean(date, known, f"known: {known[0]} to {known[-1]}")
                if before and before[-1] not in hint:
                    hint += f" (the one in force then is {before[-1]})"
                message = f"there is no edition of {date} in editions.yaml"
                yield file.problem(self.code, (*at, word), message, hint)
        since, until = names.raw.get("since"), names.raw.get("until")
        if since is not None and until is not None and until < since:
            message = f"until {until} comes before since {since}"
            yield file.problem(self.code, (*at, "until"), message, "change them over")


class CannotBe(ScenarioCheck):
    """An attribute that the card cannot have: a back face, a power, a name."""

    code, slug = "E010", "cannot-be"
    blocking = False

    def check_scenario(
        self, file: File, at: Place, names: Names, shelf: Shelf
    ) -> Iterator[Problem]:
        """Compare what is given and expected with the facts of the cards."""
        cards = {
            item.raw["id"]: shelf.cards[item.raw["card"]]
            for item in names.items
            if "id" in item.raw and item.raw["card"] in shelf.cards
        }
        for item in names.items:
            facts = shelf.cards.get(item.raw["card"])
            if facts and item.raw.get("face") == "back" and len(facts["faces"]) < 2:
                message = f"{item.raw['card']} has no back face"
                yield file.problem(self.code, (*at, *item.path, "face"), message, "write front")
        known = {face["name"] for facts in shelf.cards.values() for face in facts["faces"]}
        known |= {step["find"]["name"] for step in names.raw["steps"] if "find" in step}
        for path, look in looks(names.raw):
            for where, expect in branches(path, look):
                here = (*at, *where)
                for name, attributes in expect.get("objects", {}).items():
                    yield from self._attributes(
                        file, (*here, "objects", name), attributes, cards.get(name), known
                    )
                for place, item_seen in enumerate(expect.get("stack", ())):
                    facts = cards.get(item_seen.get("object", ""))
                    yield from self._attributes(
                        file, (*here, "stack", place), item_seen, facts, known
                    )
                for player, standing in expect.get("players", {}).items():
                    for place, name in enumerate(standing.get("permanents", ())):
                        path_of = (*here, "players", player, "permanents", place)
                        yield from self._name(file, path_of, name, known, ())

    def _attributes(
        self,
        file: File,
        at: Place,
        attributes: Mapping[str, Any],
        facts: Mapping[str, Any] | None,
        names: set[str],
    ) -> Iterator[Problem]:
        faces = facts["faces"] if facts else []
        front = faces[0]["name"] if faces else ""
        if len(faces) == 1 and attributes.get("face") == "back":
            message = f"{front} has no back face"
            yield file.problem(self.code, (*at, "face"), message, "write front")
        if isinstance(attributes.get("name"), str):
            yield from self._name(
                file, (*at, "name"), attributes["name"], names, [face["name"] for face in faces]
            )
        spell = faces and all({"instant", "sorcery"} & set(face["types"]) for face in faces)
        for word in ("power", "toughness", "loyalty"):
            if spell and attributes.get(word) is not None:
                message = f"{front} never has a {word}: it is an instant or a sorcery"
                yield file.problem(self.code, (*at, word), message, "leave it out", key=True)

    def _name(
        self, file: File, path: Place, name: str, names: set[str], faces: list[str] | tuple[()]
    ) -> Iterator[Problem]:
        # A token that no effect names is called after its subtypes: Insect Token (CR 111.4).
        if name not in names and not name.endswith(" Token"):
            near = nearest(name, faces) or nearest(name, names)
            hint = f"did you mean {near!r}?" if near else "write its facts down in cards/"
            message = f"no face of a card is called {name!r}"
            yield file.problem(self.code, path, message, hint)


CHECKS: tuple[Check, ...] = (
    LooksNowhere(),
    ExpectsNothing(),
    NeverReached(),
    NobodyLooks(),
    CannotFail(),
    PassesUnplayed(),
    LevelAndChoice(),
    WrongNeeds(),
    WrongEdition(),
    CannotBe(),
)
