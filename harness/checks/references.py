"""R: what a ruling file speaks of is there, and is named once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from harness.checks.base import Check, KindCheck, ScenarioCheck, did_you_mean, nearest
from harness.checks.names import (
    NOTHING,
    OR_NOTHING,
    PLAYER,
    PLAYERS,
    RESERVED,
    Names,
    Use,
)
from harness.files import File, Shelf
from harness.problem import Problem
from harness.selection import slug

Place = tuple[str | int, ...]


class NoSuchObject(ScenarioCheck):
    """An id that nothing in the scenario has."""

    code, slug = "R001", "no-such-object"

    def check_scenario(
        self, file: File, at: Place, names: Names, shelf: Shelf
    ) -> Iterator[Problem]:
        """Look every id up among those of `given` and `find`."""
        for use in names.uses:
            if use.what.startswith(PLAYER) or names.is_object(use.name) or _is_other(use):
                continue
            known = [*names.written, *names.found]
            if PLAYER in use.what:
                known += names.players
            yield file.problem(
                self.code,
                (*at, *use.path),
                f"no object is called {use.name!r}",
                did_you_mean(
                    use.name,
                    known,
                    f"the objects here are {', '.join(known)}" if known else "give it an id",
                ),
                key=use.of_key,
            )


def _is_other(use: Use) -> bool:
    if use.name in PLAYERS:
        return PLAYER in use.what
    return use.name == NOTHING and OR_NOTHING in use.what


class NotYetFound(ScenarioCheck):
    """An id used in a step before the `find` that gives it."""

    code, slug = "R002", "not-yet-found"

    def check_scenario(
        self, file: File, at: Place, names: Names, shelf: Shelf
    ) -> Iterator[Problem]:
        """Compare the step of every use with that of the `find`."""
        for use in names.uses if names.found else ():
            there = names.found.get(use.name)
            if there is None or use.name in names.written:
                continue
            if use.step is None or use.step < there:
                yield file.problem(
                    self.code,
                    (*at, *use.path),
                    f"{use.name!r} is named before step {there + 1} finds it",
                    "move the find up",
                    key=use.of_key,
                )


class NotInTheGame(ScenarioCheck):
    """A player who does not play in the scenario."""

    code, slug = "R003", "not-in-the-game"

    def check_scenario(
        self, file: File, at: Place, names: Names, shelf: Shelf
    ) -> Iterator[Problem]:
        """Look every player up among those of `given`; teams are made of all of them."""
        players = names.players
        hint = f"the players are {', '.join(players)}; `given: {{players: [...]}}` names others"
        for use in names.uses:
            if use.name in PLAYERS and use.name not in players and PLAYER in use.what:
                message = f"{use.name} does not play in this scenario"
                yield file.problem(self.code, (*at, *use.path), message, hint, key=use.of_key)
        teams = names.given.get("teams")
        members = [player for team in teams or () for player in team]
        if teams and (sorted(members) != sorted(set(members)) or set(members) != set(players)):
            yield file.problem(
                self.code,
                (*at, "given", "teams"),
                f"the teams have {', '.join(members)}, the players are {', '.join(players)}",
                "put every player into one team",
            )


class IdTwice(ScenarioCheck):
    """An id that two objects of a scenario have, or that is a word of its own already."""

    code, slug = "R004", "id-twice"

    def check_scenario(
        self, file: File, at: Place, names: Names, shelf: Shelf
    ) -> Iterator[Problem]:
        """Go through all ids in the order in which they are declared."""
        declared: list[tuple[Place, str]] = [
            ((*item.path, "id"), item.raw["id"]) for item in names.items if "id" in item.raw
        ]
        declared += [
            (("steps", number, "find", "id"), step["find"]["id"])
            for number, step in enumerate(names.raw["steps"])
            if "find" in step
        ]
        first: dict[str, Place] = {}
        for path, name in declared:
            if name in RESERVED:
                what = "stands for nothing at all" if name == NOTHING else "is a player"
                message = f"no object can be called {name!r}, which {what}"
                yield file.problem(self.code, (*at, *path), message, "choose another id")
            elif name in first:
                line = file.document.position((*at, *first[name]))[0]
                message = f"the id {name!r} is taken by the object on line {line}"
                yield file.problem(self.code, (*at, *path), message, "choose another id")
            first.setdefault(name, path)


class NoFacts(ScenarioCheck):
    """A card of which nothing is known."""

    code, slug = "R005", "no-facts"

    def check_scenario(
        self, file: File, at: Place, names: Names, shelf: Shelf
    ) -> Iterator[Problem]:
        """Look every card up by the name of its front face."""
        for item in names.items:
            name = item.raw["card"]
            if name in shelf.cards:
                continue
            if name in shelf.backs:
                message = f"{name!r} is a back face, and a card is named by its front face"
                hint = f"write {shelf.backs[name]!r}"
            elif " // " in name and name.partition(" // ")[0] in shelf.cards:
                message = f"{name!r} names both faces, and a card is named by its front face"
                hint = f"write {name.partition(' // ')[0]!r}"
            else:
                message = f"there are no facts of a card called {name!r}"
                hint = did_you_mean(name, [*shelf.cards, *shelf.backs], "write them down in cards/")
            yield file.problem(self.code, (*at, *item.path, "card"), message, hint)
        libraries = [names.given.get(player) or {} for player in names.players]
        if "Plains" not in shelf.cards and any("library" not in has for has in libraries):
            message = "a library that given leaves out is ten Plains, and Plains has no facts"
            yield file.problem(self.code, at, message, "write them down in cards/plains.yaml")


class NoSuchRule(KindCheck):
    """A citation of a rule that the base edition does not have."""

    code, slug = "R006", "no-such-rule"
    kind = "ruling"
    blocking = False

    def check_value(self, file: File, value: Any, shelf: Shelf) -> Iterator[Problem]:
        """Look every citation up, and the key of a file that shows one rule."""
        if shelf.editions is None:
            return
        cited: list[tuple[Place, str]] = [
            (("rules", place), number) for place, number in enumerate(value["rules"])
        ]
        for which, raw in enumerate(value["scenarios"]):
            cited += [
                (("scenarios", which, "rules", place), number)
                for place, number in enumerate(raw.get("rules", ()))
            ]
        if value["ruling"]["source"] == "comprehensive-rules":
            cited.append((("ruling", "key"), value["ruling"]["key"]))
        for path, number in cited:
            if number not in shelf.editions.rules:
                base = shelf.editions.base
                yield file.problem(
                    self.code,
                    path,
                    f"the edition of {base} has no rule {number}",
                    self._hint(number, shelf),
                )

    def _hint(self, number: str, shelf: Shelf) -> str:
        """Name the number that the rule has in the base edition, if it is another edition's."""
        editions = shelf.editions
        assert editions is not None
        newest = editions.newest
        section = number.partition(".")[0]
        for base, there in editions.sections[newest].items():
            if there is not None and there == section and base != section:
                moved = base + number[len(section) :]
                if moved in editions.rules:
                    there = f"what is {number} in the edition of {newest}"
                    return f"{there} is {moved} in the base edition"
        return did_you_mean(number, sorted(editions.rules), "")


class NotInTheCatalogue(KindCheck):
    """A ruling that the catalogue does not have, or has under other dates."""

    code, slug = "R007", "not-in-the-catalogue"
    kind = "ruling"
    blocking = False

    def check_value(self, file: File, value: Any, shelf: Shelf) -> Iterator[Problem]:
        """Look the key and the date of an official ruling up, and what its scenarios prove."""
        if not shelf.catalog:
            return
        ruling = value["ruling"]
        if ruling["source"] == "official":
            yield from self._look_up(file, ("ruling", "key"), ruling["key"], shelf)
            entry = shelf.catalog.get(ruling["key"])
            if entry is not None and ruling["date"] not in entry["dates"]:
                dates = ", ".join(entry["dates"])
                message = f"the catalogue has no ruling {ruling['key']!r} of {ruling['date']}"
                yield file.problem(self.code, ("ruling", "date"), message, f"it has {dates}")
        for which, raw in enumerate(value["scenarios"]):
            for place, key in enumerate(raw.get("proves", ())):
                yield from self._look_up(file, ("scenarios", which, "proves", place), key, shelf)

    def _look_up(self, file: File, path: Place, key: str, shelf: Shelf) -> Iterator[Problem]:
        entry = shelf.catalog.get(key)
        if entry is None:
            message = f"the catalogue has no entry {key!r}"
            yield file.problem(self.code, path, message, did_you_mean(key, shelf.catalog))
        elif "untestable" in entry:
            message = f"the catalogue says that {key!r} cannot be shown by a scenario"
            yield file.problem(self.code, path, message, "make the entry testable")


class WrongPlace(KindCheck):
    """A ruling file that does not stand where its ruling belongs."""

    code, slug = "R008", "wrong-place"
    kind = "ruling"
    blocking = False

    def check_value(self, file: File, value: Any, shelf: Shelf) -> Iterator[Problem]:
        """Compare folder and name with source, date and key, in a corpus."""
        if file.root is None:
            return
        ruling = value["ruling"]
        folder = {
            "official": ruling.get("date", ""),
            "comprehensive-rules": "comprehensive-rules",
            "regression": "regressions",
            "card-text": "card-texts",
        }[ruling["source"]]
        if file.folder != folder:
            path = ("ruling", "date" if ruling["source"] == "official" else "source")
            message = f"this ruling belongs into the folder {folder}, not {file.folder}"
            yield file.problem(self.code, path, message, "move the file")
        if file.stem != ruling["key"]:
            message = f"the file of this ruling is {ruling['key']}.yaml, not {file.path.name}"
            near = nearest(file.stem, [ruling["key"]], 0.8)
            hint = "rename the file" if near is None else "rename the file or mend the key"
            yield file.problem(self.code, ("ruling", "key"), message, hint)


class NameTwice(Check):
    """Two scenarios whose ids are the same, or were, or look the same on a command line."""

    code, slug = "R009", "name-twice"

    def check(self, files: Sequence[File], shelf: Shelf) -> Iterable[Problem]:
        """Go through all ids and aliases of all files."""
        taken: dict[str, tuple[File, Place]] = {}
        places: list[tuple[str, File, Place, str]] = []
        rulings = [file for file in files if file.kind == "ruling" and file.fits]
        for file in rulings:
            for which, raw in enumerate(file.value["scenarios"]):
                path: Place = ("scenarios", which, "name")
                places.append((file.scenario_id(raw["name"]), file, path, "id"))
        for file in rulings:
            for which, raw in enumerate(file.value["scenarios"]):
                for place, alias in enumerate(raw.get("aliases", ())):
                    places.append((alias, file, ("scenarios", which, "aliases", place), "alias"))
        for name, file, path, what in places:
            other = taken.setdefault(slug(name), (file, path))
            if other == (file, path):
                continue
            line = other[0].document.position(other[1])[0]
            where = f"line {line}" if other[0] is file else f"{other[0].shown}:{line}"
            message = f"the {what} {name!r} is taken by the scenario of {where}"
            hint = "choose another name" if what == "id" else "leave the alias out"
            yield file.problem(self.code, path, message, hint)


CHECKS: tuple[Check, ...] = (
    NoSuchObject(),
    NotYetFound(),
    NotInTheGame(),
    IdTwice(),
    NoFacts(),
    NoSuchRule(),
    NotInTheCatalogue(),
    WrongPlace(),
    NameTwice(),
)
