"""Card facts hang together as those of real cards do."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

Cards = dict[str, dict[str, Any]]

PERMANENT = {"artifact", "battle", "creature", "enchantment", "land", "planeswalker"}


def faces(cards: Cards) -> Iterator[tuple[str, dict[str, Any]]]:
    for stem, card in cards.items():
        for face in card["faces"]:
            yield stem, face


def keywords(face: dict[str, Any]) -> set[str]:
    """The names of the keyword abilities of a face."""
    words = face.get("keywords", [])
    return {word if isinstance(word, str) else next(iter(word)) for word in words}


def slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", re.sub(r"[',.]", "", name.lower())).strip("-")


def test_the_day_and_night_cards_are_all_there(cards: Cards) -> None:
    bound = {stem for stem, card in cards.items() if "daybound" in keywords(card["faces"][0])}
    assert len(bound) == 36
    assert bound == {
        stem for stem, card in cards.items() if "nightbound" in keywords(card["faces"][-1])
    }
    others = {
        "angel-of-eternal-dawn", "brimstone-vandal", "celestus-sanctifier", "component-collector",
        "firmament-sage", "gavony-dawnguard", "immerwolf", "into-the-night",
        "ludevic-necrogenius", "moonmist", "moonragers-slash", "obsessive-astronomer",
        "olivias-midnight-ambush", "sunrise-cavalier", "sunstreak-phoenix", "the-celestus",
        "unnatural-moonrise", "vadrik-astral-archmage", "waxing-moon", "wolf-strike",
    }  # fmt: skip
    assert others <= cards.keys()


@pytest.mark.parametrize("land", ["plains", "island", "swamp", "mountain", "forest", "wastes"])
def test_basic_lands(cards: Cards, land: str) -> None:
    (face,) = cards[land]["faces"]
    assert face["supertypes"] == ["basic"]
    assert face["types"] == ["land"]
    assert face.get("subtypes", []) == ([] if land == "wastes" else [face["name"]])
    assert "mana cost" not in face


def test_files_are_named_after_the_front_face(cards: Cards) -> None:
    assert [stem for stem, card in cards.items() if stem != slug(card["faces"][0]["name"])] == []


def test_names_are_unique(cards: Cards) -> None:
    names = [face["name"] for _, face in faces(cards)]
    assert len(names) == len(set(names))


def test_as_many_faces_as_the_layout_has(cards: Cards) -> None:
    for stem, card in cards.items():
        two = card["layout"] in {"transform", "modal"}
        assert len(card["faces"]) == (2 if two else 1), stem


def test_creatures_have_power_and_toughness_and_nothing_else_has(cards: Cards) -> None:
    for stem, face in faces(cards):
        creature = "creature" in face["types"]
        assert ("power" in face, "toughness" in face) == (creature, creature), stem
        for size in (face.get("power", 0), face.get("toughness", 0)):
            assert type(size) is int or size == "*", stem


def test_loyalty_and_defense_belong_to_their_types(cards: Cards) -> None:
    for stem, face in faces(cards):
        assert ("loyalty" in face) == ("planeswalker" in face["types"]), stem
        assert ("defense" in face) == ("battle" in face["types"]), stem


def test_auras_enchant_and_equipment_equips(cards: Cards) -> None:
    for stem, face in faces(cards):
        subtypes = face.get("subtypes", [])
        assert ("enchant" in keywords(face)) == ("Aura" in subtypes), stem
        assert ("equip" in keywords(face)) == ("Equipment" in subtypes), stem


def test_spells_have_a_mana_cost_and_back_faces_and_lands_have_none(cards: Cards) -> None:
    for stem, card in cards.items():
        for position, face in enumerate(card["faces"]):
            costless = "land" in face["types"] or position == 1
            assert ("mana cost" in face) != costless, stem
            if not costless:
                assert re.fullmatch(r"(\{(\d+|[WUBRGX])\})+", face["mana cost"]), stem


def test_colour_indicators_are_on_costless_faces_only(cards: Cards) -> None:
    order = ["white", "blue", "black", "red", "green"]
    for stem, card in cards.items():
        for position, face in enumerate(card["faces"]):
            indicated = card["layout"] == "transform" and position == 1
            assert ("colors" in face) == indicated, stem
            colors = face.get("colors", [])
            assert colors == sorted(set(colors), key=order.index), stem


def test_lists_are_written_only_when_they_hold_something(cards: Cards) -> None:
    for stem, face in faces(cards):
        for field in ("supertypes", "types", "subtypes", "keywords", "colors"):
            assert face.get(field) != [], stem


def test_words_of_the_rules_are_lower_case_and_subtypes_are_not(cards: Cards) -> None:
    for stem, face in faces(cards):
        for word in [*face["types"], *face.get("supertypes", []), *keywords(face)]:
            assert word == word.lower(), stem
        for word in face.get("subtypes", []):
            assert word[0].isupper(), stem


def test_werewolves_change_back_and_forth(cards: Cards) -> None:
    """A Human Werewolf's other face is a Werewolf and no Human, on each of these cards."""
    for stem, card in cards.items():
        front, *back = card["faces"]
        if {"Human", "Werewolf"} <= set(front.get("subtypes", [])):
            (other,) = back
            assert other["subtypes"] == ["Werewolf"], stem
            assert front.get("supertypes") == other.get("supertypes"), stem


def test_the_back_of_a_transforming_card_is_a_permanent(cards: Cards) -> None:
    # The one card here whose back face is no permanent, for showing that nothing happens.
    sorcery = {"invasion-of-kylem"}
    for stem, card in cards.items():
        if card["layout"] == "transform":
            permanent = bool(PERMANENT & set(card["faces"][1]["types"]))
            assert permanent != (stem in sorcery), stem


def test_digests_are_sha256(cards: Cards) -> None:
    for stem, card in cards.items():
        assert re.fullmatch(r"[0-9a-f]{64}", card.get("oracle", "0" * 64)), stem
