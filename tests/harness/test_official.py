"""Files of official rulings, in the forms in which others publish them; the wording is made up."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.comparison import Comparison, compare, word_diff
from harness.official import (
    NotRulingsError,
    Rulings,
    card_names,
    digest_of,
    normalized,
    read,
)

FALLS = "Night falls when the tree-frog\u2019s song ends. Nobody may sing then."
FALLS_NOW = "Night falls once the tree-frog\u2019s song ends. Nobody may sing then."
FROGS = "All frogs untap before the lily pads do."
DUSK = "As it becomes night, each frog may croak once."
SOUP = "The soup is counted before it is eaten."
WORDS = {"night-falls": FALLS, "frogs-untap": FROGS, "note-on-dusk": DUSK}

CATALOG: dict[str, dict[str, Any]] = {
    "night-falls": {
        "dates": ["2021-09-24"],
        "cards": ["Tree-Frog", "Choir"],
        "digest": digest_of(FALLS),
        "gist": "It becomes night as the song of the tree-frog ends; then nobody sings.",
    },
    "frogs-untap": {
        "dates": ["2021-09-24"],
        "cards": ["Tree-Frog"],
        "digest": digest_of(FROGS),
        "gist": "Frogs come before lily pads in the untap step.",
    },
    "note-on-dusk": {
        "dates": ["2021-11-10"],
        "cards": [],
        "digest": digest_of(DUSK),
        "gist": "Every frog may croak as night comes.",
    },
}

Cards = dict[str, list[str]]
NOW: Cards = {"Tree-Frog // Night Toad": [FALLS, FROGS], "Choir": [FALLS], "Spoon": [SOUP]}


def mtgjson_cards(cards: Cards) -> list[dict[str, Any]]:
    return [
        {
            "availability": ["paper"],
            "foreignData": [{"name": "Laubfrosch", "rulings": [{"text": "not one of ours"}]}],
            "name": name,
            "rulings": [{"date": "2021-09-24", "text": text} for text in texts],
            "side": "a",
        }
        for name, texts in cards.items()
    ]


def as_set(cards: Cards) -> str:
    tokens = [{"name": "Frog Token", "rulings": [{"date": "2021-09-24", "text": "no"}]}]
    data = {"baseSetSize": 3, "cards": mtgjson_cards(cards), "code": "FRG", "tokens": tokens}
    return json.dumps({"meta": {"version": "5"}, "data": data})


def as_all_printings(cards: Cards) -> str:
    each = mtgjson_cards(cards)
    data = {"ONE": {"cards": each[:1], "code": "ONE"}, "TWO": {"cards": each, "tokens": []}}
    return json.dumps({"meta": {"version": "5"}, "data": data}, indent=1)


def as_atomic(cards: Cards) -> str:
    data = {name: [card] for name, card in zip(cards, mtgjson_cards(cards), strict=True)}
    return json.dumps({"data": data})


def as_lines(cards: Cards) -> str:
    return "".join(
        json.dumps({"date": "2021-09-24", "text": text, "cards": [name]}) + "\n"
        for name, texts in cards.items()
        for text in texts
    )


def as_scryfall(cards: Cards) -> str:
    return json.dumps(
        [
            {
                "object": "ruling",
                "oracle_id": f"id-of-{name.split()[0]}",
                "source": "wotc",
                "published_at": "2021-09-24",
                "comment": text,
            }
            for name, texts in cards.items()
            for text in texts
        ]
    )


FORMS = {
    "set": as_set,
    "printings": as_all_printings,
    "atomic": as_atomic,
    "lines": as_lines,
    "scryfall": as_scryfall,
}
NAMES = {"id-of-Tree-Frog": "Tree-Frog", "id-of-Choir": "Choir", "id-of-Spoon": "Spoon"}


@pytest.fixture
def put(tmp_path: Path) -> Callable[..., Path]:
    def put(content: str | bytes, name: str = "file.json") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return put


Put = Callable[..., Path]


def every(path: Path, names: dict[str, str] | None = None) -> Rulings:
    return read(path, lambda saying, digest: True, names)


def against(path: Path, **more: Any) -> Comparison:
    return compare(CATALOG, (), path, **more)


# -- wording


def test_wording_is_the_same_in_other_quotes_spaces_and_forms_of_signs() -> None:
    assert normalized(" \u201cIt\u2019s\u00a0 night\u201d\n") == '"It\'s night"'
    assert digest_of("the ﬁnal  turn") == digest_of("the final turn\n")
    assert digest_of("it's day") != digest_of("its day")


# -- reading


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_rulings(form: str, put: Put) -> None:
    found = every(put(FORMS[form](NOW)), NAMES if form == "scryfall" else None)

    assert {ruling.text: ruling.cards for ruling in found.by_digest.values()} == {
        normalized(FALLS): {"Tree-Frog", "Choir"},
        normalized(FROGS): {"Tree-Frog"},
        normalized(SOUP): {"Spoon"},
    }
    assert {date for ruling in found.by_digest.values() for date in ruling.dates} == {"2021-09-24"}
    assert found.cards == {"Tree-Frog", "Choir", "Spoon"}
    assert found.named


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_packed_files_are_read_too(pack: Callable[[bytes], bytes], put: Put) -> None:
    assert len(every(put(pack(as_set(NOW).encode()))).by_digest) == 3
    assert len(every(put(pack(as_lines(NOW).encode()))).by_digest) == 3


def test_a_byte_order_mark_does_no_harm(put: Put) -> None:
    assert len(every(put("\ufeff" + as_lines(NOW))).by_digest) == 3


def test_what_scryfall_says_itself_is_no_official_ruling(put: Put) -> None:
    rulings = json.loads(as_scryfall(NOW))
    rulings[-1]["source"] = "scryfall"

    assert len(every(put(json.dumps(rulings))).by_digest) == 2


def test_only_what_is_wanted_is_kept(put: Put) -> None:
    found = read(put(as_set(NOW)), lambda saying, digest: "soup" in saying.text)

    assert [ruling.text for ruling in found.by_digest.values()] == [SOUP]
    assert found.read == 4


def test_names_of_cards_come_from_a_bulk_file_of_cards(put: Put) -> None:
    cards = [
        {"object": "card", "oracle_id": "a", "name": "Tree-Frog // Night Toad", "prices": {}},
        {"object": "card", "name": "of two halves", "card_faces": [{"oracle_id": "b"}]},
    ]

    assert card_names(put(json.dumps(cards))) == {"a": "Tree-Frog"}
    with pytest.raises(NotRulingsError, match="bulk cards file"):
        card_names(put(as_set(NOW)))


def test_reading_says_how_far_it_is(put: Put) -> None:
    heard: list[float] = []
    path = put(as_lines({f"Card {n}": [f"Ruling {n}."] for n in range(5000)}))

    read(path, lambda saying, digest: False, None, heard.append)

    assert heard == sorted(heard)
    assert len(heard) > 2
    assert heard[-1] == 1.0


WRONG = {
    "empty": ("", "an empty file"),
    "prose": ("Night falls.", "not JSON"),
    "number": ("12", "not JSON"),
    "nothing in it": ("[]", "no ruling in it"),
    "an array of other things": ('[{"a": 1}]', "item 1 has no comment"),
    "cards": ('[{"oracle_id": "a", "name": "Choir"}]', "give it with --cards"),
    "another object": ('{"data": {"x": 1}}', "no cards under its data"),
    "a list of sets": ('{"data": [{"code": "FRG", "name": "Frogs"}]}', "no cards under its data"),
    "cut off": (as_set(NOW)[:-40], "cut off or broken"),
    "cut-off array": (as_scryfall(NOW)[:-1], "cut off or broken"),
    "a text that is none": ('[{"comment": 7}]', "item 1: comment is not a text"),
    "a ruling that is none": ('{"data": {"cards": [{"name": "A", "rulings": [1]}]}}', "ruling 1"),
    "a line that is not JSON": (as_lines(NOW) + "{oops\n", "line 5 is not JSON"),
    "a line that is a list": (as_lines(NOW) + "[]\n", "line 5 is not an object"),
    "too deep": ("[" * 100, "nested more than"),
    "not text": (b'[{"comment": "\xff\xfe"}]', "file.json"),
    "a broken archive": (gzip.compress(as_set(NOW).encode() * 99)[:200], "cannot be read"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_file_that_is_none_of_these_says_what_it_is(name: str, put: Put) -> None:
    content, said = WRONG[name]

    with pytest.raises(NotRulingsError, match=r"file\.json") as caught:
        every(put(content))

    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


# -- against the catalogue


@pytest.mark.parametrize("form", FORMS)
def test_a_file_in_which_nothing_changed(form: str, put: Put) -> None:
    found = against(put(FORMS[form](NOW)), names=NAMES if form == "scryfall" else None)

    assert set(found.matched) == {"night-falls", "frogs-untap"}
    assert (found.new, found.reworded, found.gone) == ((), (), ())
    assert found.elsewhere == ("note-on-dusk",)


def test_new_rulings_of_known_cards_or_about_the_field(put: Put) -> None:
    croak = "A toad croaks only by day."
    hop = "A hop is not a jump."
    cards = {**NOW, "Toad": [croak], "Choir": [FALLS, hop], "Night Market": ["Night Market sells."]}

    found = against(put(as_set(cards)))
    whole = against(put(as_set(cards)), everything=True)
    soup = against(put(as_set(cards)), about=["soup"])

    assert [(new.ruling.text, new.why) for new in found.new] == [(croak, "about"), (hop, "card")]
    assert len(whole.new) == 4
    assert [new.ruling.text for new in soup.new] == [SOUP, hop]


def test_a_reworded_ruling_is_found_by_cards_date_and_the_words_of_the_gist(put: Put) -> None:
    cards = {"Tree-Frog": [FALLS_NOW, FROGS], "Choir": [FALLS_NOW, "A hop is not a jump."]}

    found = against(put(as_set(cards)))

    assert [(each.key, each.old, each.words) for each in found.reworded] == [
        ("night-falls", None, ())
    ]
    assert found.gone == ()
    assert [new.ruling.text for new in found.new] == ["A hop is not a jump."]


def test_an_older_file_gives_the_words_that_changed(put: Put) -> None:
    cards = {"Tree-Frog": [FALLS_NOW, FROGS], "Choir": [FALLS_NOW, SOUP]}
    older = put(as_lines({**NOW, "Choir": [FALLS, SOUP]}), "older.jsonl")

    found = against(put(as_set(cards)), previous=older)

    (each,) = found.reworded
    assert each.old == normalized(FALLS)
    assert each.words[:4] == (
        ("same", "Night falls"),
        ("removed", "when"),
        ("added", "once"),
        ("same", "the tree-frog's song ends. Nobody may sing then."),
    )
    assert [(new.ruling.text, new.was_there) for new in found.new] == [(SOUP, True)]


def test_another_card_s_ruling_in_like_words_is_not_a_rewording(put: Put) -> None:
    found = against(put(as_set({"Tree-Frog": [FROGS], "Choir": [], "Toad": [FALLS_NOW]})))

    assert found.reworded == ()
    assert [gone.key for gone in found.gone] == ["night-falls"]
    assert [new.ruling.text for new in found.new] == [normalized(FALLS_NOW)]


def test_rulings_gone_from_all_cards_from_some_and_those_that_cannot_be_there(put: Put) -> None:
    some = against(put(as_set({"Tree-Frog": [FALLS], "Choir": []})))
    other = against(put(as_set({"Spoon": [SOUP]})))

    assert [(gone.key, gone.cards, gone.whole) for gone in some.gone] == [
        ("frogs-untap", ("Tree-Frog",), True),
        ("night-falls", ("Choir",), False),
    ]
    assert other.gone == ()
    assert set(other.elsewhere) == set(CATALOG)


def test_a_file_with_general_notes_can_lack_one(put: Put) -> None:
    note = json.dumps({"date": "2021-11-10", "text": "Frogs are green.", "cards": []}) + "\n"
    dusk = json.dumps({"date": "2021-11-10", "text": DUSK, "cards": []}) + "\n"

    assert [gone.key for gone in against(put(as_lines(NOW) + note)).gone] == ["note-on-dusk"]
    assert set(against(put(as_lines(NOW) + note + dusk)).matched) == set(CATALOG)


def test_cards_without_names_are_known_by_their_rulings_about_the_field(put: Put) -> None:
    cards = {**NOW, "Choir": [FALLS, "A hop is not a jump."]}

    found = against(put(as_scryfall(cards)))

    assert [(new.ruling.text, new.ruling.cards) for new in found.new] == [
        ("A hop is not a jump.", {"oracle:id-of-Choir"})
    ]
    assert found.gone == ()


def test_a_word_diff_reads_in_order() -> None:
    assert word_diff("a b c", "a x c d") == (
        ("same", "a"),
        ("removed", "b"),
        ("added", "x"),
        ("same", "c"),
        ("added", "d"),
    )
    assert word_diff("", "a") == (("added", "a"),)


# -- size

MEASURE = """
import resource, sys
from pathlib import Path
from harness.comparison import compare
from harness.official import read
read(Path(sys.argv[1]), lambda saying, digest: False)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
read(Path(sys.argv[2]), lambda saying, digest: False)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print((after - before) * (1 if sys.platform == "darwin" else 1024))
"""


@pytest.mark.parametrize("form", ["printings", "scryfall", "lines"])
def test_memory_does_not_grow_with_the_file(form: str, put: Put) -> None:
    few, many = (
        {f"Card {n % 50}-{n}": [f"It is {n}. " * 40] for n in range(k)} for k in (50, 12000)
    )
    small, big = put(FORMS[form](few), "small.json"), put(FORMS[form](many), "big.json")

    ran = subprocess.run(
        [sys.executable, "-c", MEASURE, small, big], capture_output=True, text=True, check=True
    )

    assert big.stat().st_size > 5_000_000
    assert int(ran.stdout) < 4_000_000
