"""Cards as phase takes them: dictionaries in the shape of MTGJSON, which it reads the text of.

They are made of the facts that come with a request, in our own wording; or, where the user has
an MTGJSON file and says so (`PHASE_CARDS=path`), they are what stands there.
"""

from __future__ import annotations

import gzip
import importlib
import json
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from harness.adapters.phase.wording import UnsayableError, keyword_names, rules_text
from harness.protocol import Unsupported

COLORS = {"white": "W", "blue": "U", "black": "B", "red": "R", "green": "G"}

TWO_FACED = {"transform": "transform", "modal": "modal_dfc"}
"""Layouts with two faces, by the names that MTGJSON has for them."""

GAPS = frozenset({"Unimplemented", "Unknown", "Unrecognized", "Unparsed"})
"""What phase calls an ability, an effect or a clause that it could not read."""


def faces_of(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Make the MTGJSON dictionaries of a card's faces from its facts, in our own wording.

    Raises `UnsayableError` for abilities that have no wording here.
    """
    name = " // ".join(face["name"] for face in facts["faces"])
    layout = TWO_FACED.get(facts["layout"], "normal")
    value = _mana_value(facts["faces"][0].get("mana cost", ""))
    made = []
    for side, face in zip("ab", facts["faces"], strict=False):
        colors = [COLORS[color] for color in face["colors"]] if "colors" in face else _colors(face)
        card: dict[str, Any] = {
            "name": name,
            "layout": layout,
            "manaCost": face.get("mana cost"),
            "manaValue": value,
            "convertedManaCost": value,
            "types": [word.capitalize() for word in face["types"]],
            "subtypes": list(face.get("subtypes", ())),
            "supertypes": [word.capitalize() for word in face.get("supertypes", ())],
            "type": _type_line(face),
            "text": rules_text(face),
            "keywords": keyword_names(face),
            "colors": colors,
            "colorIdentity": colors,
            "identifiers": {},
            "legalities": {},
            "rulings": [],
            "printings": [],
            "foreignData": [],
            "purchaseUrls": {},
        }
        if layout != "normal":
            card |= {"side": side, "faceName": face["name"]}
        for word in ("power", "toughness", "loyalty", "defense"):
            if word in face:
                card[word] = str(face[word])
        made.append(card)
    return made


def build(name: str, facts: Mapping[str, Any], own: Mapping[str, list[dict[str, Any]]]) -> Any:
    """Have phase read a card; gives its entries for the card file, by name in lower case.

    Raises `Unsupported` for a card that has no wording here, or that phase cannot read all of.
    """
    phase = importlib.import_module("phase")
    faces = own.get(name)
    if faces is None:
        try:
            faces = faces_of(facts)
        except UnsayableError as problem:
            raise Unsupported(
                "card", name, f"our wording has no sentence for this: {problem}"
            ) from None
    # Faces belong together for phase when they have one Oracle id; ours is our own.
    identity = str(uuid.uuid5(uuid.NAMESPACE_OID, name))
    entries = {}
    for index, face in enumerate(faces):
        if len(faces) == 1:
            entry = dict(phase.build_oracle_face(face, identity))
        else:
            entry = dict(phase.build_oracle_face_multi(face, identity))
            entry |= {"layout": face["layout"], "face_index": index}
        gap = next(gaps(entry), None)
        if gap is not None:
            raise Unsupported("card", name, f"phase cannot read its text: {gap}")
        entries[entry["name"].lower()] = entry
    return entries


def gaps(entry: Any) -> Iterator[str]:
    """Find what phase says it could not read in a face that it has built."""
    if isinstance(entry, Mapping):
        kind = entry.get("type")
        if isinstance(kind, str) and kind in GAPS:
            yield str(entry.get("description") or entry.get("name") or kind)
        if entry.get("parse_warnings"):
            warning = entry["parse_warnings"][0]
            words = [warning.get("context"), warning.get("text") or warning.get("description")]
            yield f"{warning['type']}: {': '.join(filter(None, words))}"
        for name, value in entry.items():
            if name in GAPS:
                yield str(value)
            yield from gaps(value)
    elif isinstance(entry, list):
        for value in entry:
            yield from gaps(value)
    elif isinstance(entry, str) and entry in GAPS:
        yield entry


def read_file(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Read the user's own MTGJSON file (AtomicCards or a set); gives faces by the front's name."""
    raw = path.read_bytes()
    data = json.loads(gzip.decompress(raw) if path.suffix == ".gz" else raw)["data"]
    cards: dict[str, list[dict[str, Any]]] = {}
    if "cards" in data:
        for card in data["cards"]:
            faces = cards.setdefault(card["name"], [])
            if all(face.get("side") != card.get("side") for face in faces):
                faces.append(card)
    else:
        cards = dict(data)
    return {
        name.partition(" // ")[0]: sorted(faces, key=lambda face: face.get("side") or "a")
        for name, faces in cards.items()
        if 1 <= len(faces) <= 2
    }


def _colors(face: Mapping[str, Any]) -> list[str]:
    cost = face.get("mana cost", "")
    return [letter for letter in "WUBRG" if letter in cost]


def _mana_value(cost: str) -> int:
    total = 0
    for symbol in cost.strip("{}").split("}{"):
        if symbol.isdigit():
            total += int(symbol)
        elif symbol and symbol != "X":
            total += 1
    return total


def _type_line(face: Mapping[str, Any]) -> str:
    words = [*face.get("supertypes", ()), *face["types"]]
    line = " ".join(word.capitalize() for word in words)
    return f"{line} — {' '.join(face['subtypes'])}" if face.get("subtypes") else line
