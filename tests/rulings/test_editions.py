"""The numbers of rules, edition by edition."""

import re
from datetime import date
from typing import Any

import pytest

Editions = dict[str, Any]


def natural(number: str) -> tuple[int, int, str]:
    """A rule number as it sorts: 702.9 before 702.10."""
    match = re.fullmatch(r"(\d{3})(?:\.(\d+)([a-z]?))?", number)
    assert match, number
    return int(match[1]), int(match[2] or 0), match[3] or ""


def number_in(editions: Editions, edition: date, number: str) -> str | None:
    """What the base edition's ``number`` is called in another, as the file says to read it."""
    sections = next(each for each in editions["editions"] if each["date"] == edition)["sections"]
    for known in (number, number.rstrip("abcdefghijklmnopqrstuvwxyz"), number[:3]):
        if known in sections:
            there: str | None = sections[known]
            return there if there is None else there + number[len(known) :]
    return number


def test_twenty_five_editions_oldest_first(editions: Editions) -> None:
    dates = [each["date"] for each in editions["editions"]]
    assert len(dates) == 25
    assert dates == sorted(set(dates))
    assert (dates[0], dates[-1]) == (date(2021, 11, 15), date(2026, 1, 16))
    assert editions["base"] in dates


def test_rules_are_all_numbers_of_the_base_edition(editions: Editions) -> None:
    rules = editions["rules"]
    assert len(rules) == 3110
    assert rules == sorted(set(rules), key=natural)
    assert {"100.1", "502.2a", "702.145g", "728.2c", "810.11", "905.6"} <= set(rules)
    assert not {"702.145h", "728.3", "730.3", "702.176", "906"} & set(rules)


def test_every_subrule_has_its_rule_and_section(editions: Editions) -> None:
    rules = set(editions["rules"])
    parents = {
        part for number in rules for part in (number[:3], number.rstrip("abcdefghijkmnpqrstuvwxyz"))
    }
    assert parents <= rules


def test_sections_are_numbers_of_the_base_edition(editions: Editions) -> None:
    for edition in editions["editions"]:
        assert edition["sections"].keys() <= set(editions["rules"]), edition["date"]
        for there in edition["sections"].values():
            assert there is None or natural(there), edition["date"]


def test_the_base_edition_maps_to_itself(editions: Editions) -> None:
    for number in editions["rules"]:
        assert number_in(editions, editions["base"], number) == number


def test_no_two_sections_meet_in_one_number(editions: Editions) -> None:
    sections = [number for number in editions["rules"] if len(number) == 3]
    for edition in editions["editions"]:
        there = [number_in(editions, edition["date"], number) for number in sections]
        known = [number for number in there if number is not None]
        assert len(known) == len(set(known)), edition["date"]


@pytest.mark.parametrize(
    ("edition", "number", "there"),
    [
        (date(2021, 11, 15), "728.2b", "724.2b"),
        (date(2021, 11, 15), "721.1a", "719.1a"),
        (date(2021, 11, 15), "712.8d", "712.4c"),
        (date(2021, 11, 15), "712.8a", "712.4a"),
        (date(2021, 11, 15), "712.13a", "712.9"),
        (date(2021, 11, 15), "712.15a", "712.11a"),
        (date(2021, 11, 15), "616.1d", None),
        (date(2021, 11, 15), "707.8a", None),
        (date(2022, 2, 18), "616.1d", "616.1d"),
        (date(2022, 6, 10), "728.1", "725.1"),
        (date(2022, 9, 8), "400.7j", "400.7h"),
        (date(2022, 10, 7), "728.1", "726.1"),
        (date(2023, 2, 3), "728.1", "727.1"),
        (date(2023, 4, 14), "728.1", "726.1"),
        (date(2023, 4, 14), "707.8a", "707.8a"),
        (date(2024, 2, 6), "726.1", "725.1"),
        (date(2024, 11, 8), "703.4n", "703.4k"),
        (date(2025, 4, 4), "728.2", "729.2"),
        (date(2025, 4, 4), "701.28f", "701.28f"),
        (date(2025, 6, 6), "701.28f", "701.27f"),
        (date(2025, 6, 6), "701.50c", "701.28c"),
        (date(2025, 6, 6), "701.5a", "701.6a"),
        (date(2025, 7, 25), "721.1a", "723.1a"),
        (date(2026, 1, 16), "728.1a", "730.1a"),
        (date(2026, 1, 16), "726", "728"),
        (date(2026, 1, 16), "724.2", "726.2"),
        (date(2026, 1, 16), "608.2n", "608.2p"),
    ],
)
def test_a_number_in_another_edition(
    editions: Editions, edition: date, number: str, there: str | None
) -> None:
    assert number_in(editions, edition, number) == there


@pytest.mark.parametrize("number", ["502.2", "502.2a", "702.145b", "702.26a", "703.4b", "805.4a"])
def test_numbers_that_never_changed(editions: Editions, number: str) -> None:
    for edition in editions["editions"]:
        assert number_in(editions, edition["date"], number) == number


def test_changes_cite_known_rules_and_editions(editions: Editions) -> None:
    dates = [each["date"] for each in editions["editions"]]
    changes = editions["changes"]
    assert [each["since"] for each in changes] == sorted(each["since"] for each in changes)
    for change in changes:
        assert change["since"] in dates
        assert set(change["rules"]) <= set(editions["rules"])
        assert change["gist"]
