"""C, K and D: cards, the catalogue and the editions agree with themselves and each other."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

from harness.checks.base import Check, KindCheck, did_you_mean
from harness.files import File, Shelf
from harness.problem import Problem


def card_slug(name: str) -> str:
    """Give the name of the file of a card.

    >>> card_slug("Arlinn, the Pack's Hope"), card_slug("Lim-Dûl's Vault")
    ('arlinn-the-packs-hope', 'lim-duls-vault')
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower().replace("'", "")).strip("-")


class CardTwice(Check):
    """Two files have facts of a card of the same name."""

    code, slug = "C001", "card-twice"

    def check(self, files: Sequence[File], shelf: Shelf) -> Iterator[Problem]:
        """Compare the names of all front faces."""
        first: dict[str, File] = {}
        for file in files:
            if file.kind != "card" or not file.fits:
                continue
            name = file.value["faces"][0]["name"]
            other = first.setdefault(name, file)
            if other is not file:
                path = ("faces", 0, "name")
                message = f"the facts of {name!r} stand in {other.shown} already"
                yield file.problem(self.code, path, message, "keep one of the files")


class CardFileName(KindCheck):
    """The file of a card is not called after its front face."""

    code, slug = "C002", "card-file-name"
    kind = "card"
    blocking = False

    def check_value(self, file: File, value: Any, shelf: Shelf) -> Iterator[Problem]:
        """Compare the file's name with the card's."""
        name = value["faces"][0]["name"]
        if file.stem != card_slug(name):
            message = f"the facts of {name!r} belong into {card_slug(name)}.yaml"
            yield file.problem(self.code, ("faces", 0, "name"), message, "rename the file")


class FacesAndLayout(KindCheck):
    """The number of faces does not go with the layout."""

    code, slug = "C003", "faces-and-layout"
    kind = "card"

    NUMBER: ClassVar = {"normal": 1, "transform": 2, "modal": 2, "token": 1}

    def check_value(self, file: File, value: Any, shelf: Shelf) -> Iterator[Problem]:
        """Count the faces; a token that transforms may have two (CR 111.7)."""
        layout, faces = value["layout"], len(value["faces"])
        if faces != self.NUMBER[layout] and layout != "token":
            wanted = "two faces" if self.NUMBER[layout] == 2 else "one face"
            message = f"a card of the layout {layout} has {wanted}, not {faces}"
            hint = "normal and token: one face; transform and modal: two"
            yield file.problem(self.code, ("layout",), message, hint)


class FaceAndTypes(KindCheck):
    """Power, toughness, loyalty and cost do not go with the types of the face."""

    code, slug = "C004", "face-and-types"
    kind = "card"
    blocking = False

    def check_value(self, file: File, value: Any, shelf: Shelf) -> Iterator[Problem]:
        """Look at each face."""
        for place, face in enumerate(value["faces"]):
            at = ("faces", place)
            types, subtypes = face["types"], face.get("subtypes", ())
            sized = "creature" in types or "Vehicle" in subtypes
            for word in ("power", "toughness"):
                if sized and word not in face:
                    message = f"{face['name']} is a creature and has no {word}"
                    yield file.problem(self.code, at, message, f"add {word}")
                elif not sized and word in face:
                    message = f"{face['name']} has a {word} and is no creature"
                    hint = "leave it out, or add the type"
                    yield file.problem(self.code, (*at, word), message, hint, key=True)
            if "planeswalker" in types and "loyalty" not in face:
                message = f"{face['name']} is a planeswalker and has no loyalty"
                yield file.problem(self.code, at, message, "add loyalty")
            elif "planeswalker" not in types and "loyalty" in face:
                message = f"{face['name']} has a loyalty and is no planeswalker"
                hint = "leave it out, or add the type"
                yield file.problem(self.code, (*at, "loyalty"), message, hint, key=True)
            if place == 1 and value["layout"] == "transform" and "mana cost" in face:
                message = f"{face['name']} is the back of a transforming card and has no mana cost"
                hint = "leave it out; colors says which colours it has"
                yield file.problem(self.code, (*at, "mana cost"), message, hint, key=True)


class CatalogueTwice(KindCheck):
    """Two entries of the catalogue with the same key or the same digest."""

    code, slug = "K001", "catalogue-twice"
    kind = "catalog"

    def check_value(self, file: File, value: Any, shelf: Shelf) -> Iterator[Problem]:
        """Compare all entries."""
        for word in ("key", "digest"):
            first: dict[str, int] = {}
            for place, entry in enumerate(value["rulings"]):
                other = first.setdefault(entry[word], place)
                if other != place:
                    line = file.document.position(("rulings", other))[0]
                    message = f"the entry on line {line} has the {word} {entry[word]!r} already"
                    hint = "each wording has one entry, with all its dates and cards"
                    yield file.problem(self.code, ("rulings", place, word), message, hint)


class CatalogueDates(KindCheck):
    """Dates of an entry that are not in order, or an edition that there is not."""

    code, slug = "K002", "catalogue-dates"
    kind = "catalog"
    blocking = False

    def check_value(self, file: File, value: Any, shelf: Shelf) -> Iterator[Problem]:
        """Look at the dates of each entry."""
        for place, entry in enumerate(value["rulings"]):
            at = ("rulings", place)
            if entry["dates"] != sorted(entry["dates"]):
                message = "the dates are not in order, oldest first"
                hint = f"write {', '.join(sorted(entry['dates']))}"
                yield file.problem(self.code, (*at, "dates"), message, hint)
            since = entry.get("superseded", {}).get("since")
            if since and shelf.editions and since not in shelf.editions.sections:
                message = f"there is no edition of {since} in editions.yaml"
                hint = did_you_mean(since, shelf.editions.sections)
                yield file.problem(self.code, (*at, "superseded", "since"), message, hint)


class EditionsOrder(KindCheck):
    """The editions are not in order, or the base edition is not among them."""

    code, slug = "D001", "editions-order"
    kind = "editions"

    def check_value(self, file: File, value: Any, shelf: Shelf) -> Iterable[Problem]:
        """Look at the dates of all editions."""
        dates = [edition["date"] for edition in value["editions"]]
        for place, date in enumerate(dates):
            if place and date <= dates[place - 1]:
                path = ("editions", place, "date")
                message = f"the edition of {date} stands after that of {dates[place - 1]}"
                yield file.problem(self.code, path, message, "put them in order, each once")
        if value["base"] not in dates:
            message = f"the base edition {value['base']} is not among the editions"
            yield file.problem(self.code, ("base",), message, did_you_mean(value["base"], dates))


class EditionsSections(KindCheck):
    """A number of the base edition that the list of its rules does not have."""

    code, slug = "D002", "editions-sections"
    kind = "editions"
    blocking = False

    def check_value(self, file: File, value: Any, shelf: Shelf) -> Iterable[Problem]:
        """Look up every number that an edition has otherwise."""
        rules = set(value["rules"])
        for place, edition in enumerate(value["editions"]):
            for number in edition["sections"]:
                if number not in rules:
                    path = ("editions", place, "sections", number)
                    message = f"the base edition has no {number} among its rules"
                    hint = did_you_mean(number, rules)
                    yield file.problem(self.code, path, message, hint, key=True)


CHECKS: tuple[Check, ...] = (
    CardTwice(),
    CardFileName(),
    FacesAndLayout(),
    FaceAndTypes(),
    CatalogueTwice(),
    CatalogueDates(),
    EditionsOrder(),
    EditionsSections(),
)
