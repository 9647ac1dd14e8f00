"""Coverage in each form, by itself and beside an official file; the wording is made up."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.cli import cli
from harness.comparison import Comparison, Gone, New, Reworded
from harness.coverage import FORMS, Coverage, Entry, Rule, render
from harness.official import Ruling
from harness.reports import Shown

ENTRIES = (
    Entry("shown", ("2021-09-24",), ("Frog",), "Frogs croak.", None, None, ("a#b", "a#c")),
    Entry("talk", ("2021-09-24",), (), "An article.", "It says nothing.", None, ()),
    Entry("gap", ("2021-11-19",), ("Toad",), "Toads <b>wait</b>.", None, None, ()),
    Entry(
        "old", ("2021-09-24",), ("Frog",), "Frogs hop.", None, "by 701.1 since 2023-04-14", ("d",)
    ),
)
RULES = (Rule("702.9", ("a#b",), True), Rule("702.145a", ("a#b", "a#c"), False))
HOSTILE = "<script>alert(1)</script> \x1b[31m | `x`"
FOUND = Coverage(ENTRIES, RULES)
OFFICIAL = Comparison(
    file="new.json",
    form="mtgjson",
    read=9,
    matched={"shown": Ruling("0" * 64, "All frogs croak.", {"2021-09-24"}, {"Frog"})},
    new=(
        New(Ruling("1" * 64, HOSTILE, {"2026-11-01"}, {"Newt"}), "about", None),
        New(Ruling("2" * 64, "Frogs are wet.", {"2026-11-01"}, {"Frog"}), "card", None),
    ),
    reworded=(
        Reworded("gap", Ruling("3" * 64, "Toads now wait.", set(), {"Toad"}), 0.8, "Toads wait."),
        Reworded("talk", Ruling("4" * 64, "Read this.", set(), {""}), 0.5, None),
    ),
    gone=(Gone("old", ("Frog",), True, "Frogs do hop."),),
    elsewhere=(),
    previous="old.json",
)
BOTH = Coverage(ENTRIES, RULES, OFFICIAL)


class Tags(HTMLParser):
    """Hears every tag of a page and keeps those that are open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def told(form: str, found: Coverage = FOUND, verbosity: int = 0) -> str:
    return render(form, found, Shown(verbosity=verbosity))


def rulings(*words: str) -> Result:
    return CliRunner().invoke(cli, ["coverage", *words])


@pytest.mark.parametrize("form", FORMS)
def test_gaps_come_first_in_every_form(form: str) -> None:
    text = told(form)

    places = [re.search(rf"\b{key}\b", text) for key in ("gap", "talk", "shown")]
    starts = [place.start() for place in places if place]
    assert len(starts) == 3
    assert starts == sorted(starts)
    assert text.index("702.145a") < text.index("702.9")


def test_json_gives_the_figures_first() -> None:
    data = json.loads(told("json"))

    assert list(data) == ["summary", "rulings", "rules"]
    assert data["summary"] == {
        "official": 4, "covered": 2, "untestable": 1, "uncovered": 1, "rules": 2, "witnessed": 1
    }  # fmt: skip
    assert list(data["summary"]) == [
        "official", "covered", "untestable", "uncovered", "rules", "witnessed"
    ]  # fmt: skip


def test_json_with_an_official_file_has_all_that_was_found() -> None:
    data = json.loads(told("json", BOTH))

    official = data["official"]
    assert list(data) == ["summary", "official", "rulings", "rules"]
    assert official["summary"] == {
        "read": 9, "matched": 1, "new": 2, "reworded": 2, "gone": 1, "gone_from_some": 0,
        "elsewhere": 0,
    }  # fmt: skip
    assert [new["why"] for new in official["new"]] == ["about", "card"]
    assert official["reworded"][0]["diff"] == [
        {"words": "Toads", "are": "same"},
        {"words": "now", "are": "added"},
        {"words": "wait.", "are": "same"},
    ]
    assert official["reworded"][1]["diff"] is None
    assert {one["key"]: one["wording"] for one in data["rulings"]}["shown"] == "All frogs croak."


def test_text_shows_the_official_wording_beside_our_gist_and_the_words_that_changed() -> None:
    text = told("text", BOTH)

    assert max(map(len, text.splitlines())) <= 80
    assert text.index("new in the official file (2)") < text.index("reworded (2)")
    assert text.index("reworded (2)") < text.index("gone (1)") < text.index("uncovered (1)")
    assert "      Frogs croak.\n      Official: All frogs croak.\n" in text
    assert "Official: Toads {+now+} wait." in text
    assert "judged by date, cards" in text
    assert "Frogs are wet." not in text
    assert "and 1 on other matters" in text
    assert "Frogs are wet." in told("text", BOTH, 1)


def test_what_is_in_a_file_commands_no_terminal_and_no_browser() -> None:
    assert "\x1b" not in "".join(told(form, BOTH) for form in FORMS)
    assert "<script" not in told("html", BOTH) + told("markdown", BOTH)
    assert "Toads <b>" not in told("html", BOTH)


@pytest.mark.parametrize("found", [FOUND, BOTH])
def test_the_page_is_whole_and_needs_nothing_else(found: Coverage) -> None:
    page = told("html", found)
    tags = Tags()
    tags.feed(page)

    assert page.startswith("<!doctype html>")
    assert tags.open == []
    assert not {"script", "link", "img", "iframe"} & set(tags.seen)
    assert "default-src 'none'" in page
    assert ("ins" in tags.seen) == (found is BOTH)


def test_markdown_has_as_many_cells_in_every_row_of_a_table() -> None:
    tables = re.findall(r"(?:^\|.*\n)+", told("markdown", BOTH), re.M)

    assert len(tables) == 7
    for table in tables:
        assert len({row.count("|") for row in table.splitlines()}) == 1


def test_an_official_file_that_the_catalogue_knows_nothing_of(tmp_path: Path) -> None:
    line = {"date": "2026-11-01", "text": "It becomes day as the frog sings.", "cards": ["Frog"]}
    (tmp_path / "new.jsonl").write_text(json.dumps(line) + "\n")
    outputs = [tmp_path / name for name in ("out.json", "out.html", "out.md", "out.txt")]
    words = [word for path in outputs for word in ("-o", str(path))]

    ran = rulings("--official", str(tmp_path / "new.jsonl"), *words)

    assert (ran.exit_code, ran.output) == (0, "")
    data = json.loads(outputs[0].read_text())
    assert data["official"]["summary"]["new"] == 1
    assert data["official"]["summary"]["matched"] == 0
    assert data["official"]["summary"]["elsewhere"] == data["summary"]["official"]
    assert data["summary"]["witnessed"] is None
    assert outputs[1].read_text().startswith("<!doctype html>")
    assert outputs[2].read_text().startswith("## Coverage")
    assert outputs[3].read_text().startswith("── new in the official file (1)")


def test_a_file_that_holds_no_rulings_is_bad_usage_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Night falls.\n")

    ran = rulings("--official", str(tmp_path / "notes.txt"))
    alone = rulings("--all")

    assert ran.exit_code == alone.exit_code == 2
    assert ran.stderr.startswith("rulings: ") and ran.stderr.count("\n") == 1
    assert "it is not JSON; expected bulk rulings of Scryfall, MTGJSON, or JSON Lines" in ran.stderr
    assert alone.stderr == "rulings: --previous, --cards, --about and --all need --official FILE\n"
