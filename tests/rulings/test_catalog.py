"""The catalogue accounts for every official text, once."""

import re
from collections import Counter
from datetime import date
from typing import Any

import pytest

Catalog = list[dict[str, Any]]

PLAYTEST = {"Werewhat"}
"""Cards that no format allows; the suite has no facts of them."""


def test_eighty_official_texts(catalog: Catalog) -> None:
    assert Counter(entry["kind"] for entry in catalog) == {"card": 66, "note": 14}


@pytest.mark.parametrize("field", ["key", "digest", "gist"])
def test_no_two_entries_share(catalog: Catalog, field: str) -> None:
    values = Counter(entry[field] for entry in catalog)
    assert [value for value, times in values.items() if times > 1] == []


def test_keys_are_kebab_case(catalog: Catalog) -> None:
    keys = [entry["key"] for entry in catalog]
    assert [key for key in keys if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", key)] == []


def test_digests_are_sha256(catalog: Catalog) -> None:
    for entry in catalog:
        assert re.fullmatch(r"[0-9a-f]{64}", entry["digest"]), entry["key"]


def test_dates_are_in_order(catalog: Catalog) -> None:
    for entry in catalog:
        dates = entry["dates"]
        assert all(type(each) is date for each in dates), entry["key"]
        assert dates == sorted(set(dates)) != [], entry["key"]


def test_rulings_name_cards_and_notes_none(catalog: Catalog) -> None:
    for entry in catalog:
        assert bool(entry["cards"]) == (entry["kind"] == "card"), entry["key"]


def test_every_card_has_facts(catalog: Catalog, cards: dict[str, dict[str, Any]]) -> None:
    known = {facts["faces"][0]["name"] for facts in cards.values()}
    named = {name for entry in catalog for name in entry["cards"]}
    assert named - known == PLAYTEST


def test_testable_or_the_reason_why_not(catalog: Catalog) -> None:
    for entry in catalog:
        assert (entry.get("testable") is True) != bool(entry.get("untestable")), entry["key"]
    untestable = {entry["key"] for entry in catalog if "untestable" in entry}
    playtest = {entry["key"] for entry in catalog if PLAYTEST.issuperset(entry["cards"] or ["-"])}
    assert untestable == playtest | {"mechanics-article"}


def test_superseded_by_a_rule_of_a_known_edition(
    catalog: Catalog, editions: dict[str, Any]
) -> None:
    dates = {edition["date"] for edition in editions["editions"]}
    superseded = {entry["key"]: entry["superseded"] for entry in catalog if "superseded" in entry}
    assert superseded.keys() == {
        "entering-uncast-at-night",
        "note-not-double-faced-cannot-transform",
    }
    for key, by in superseded.items():
        assert by["by"] in editions["rules"], key
        assert by["since"] in dates, key
        assert by["gist"], key
