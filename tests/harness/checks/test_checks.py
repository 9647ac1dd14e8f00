"""What the checks say of files, beyond the one problem that each fixture holds."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from harness import sources
from harness.checks import CHECKS, check_paths, page
from harness.checks.base import did_you_mean, nearest
from harness.checks.opposite import always_true
from harness.problem import Problem, dotted

HERE = Path(__file__).parent
HEAD = """\
ruling: {key: fixture-ruling, source: official, date: 2021-09-24}
rules: ["702.145b"]
scenarios:
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return Path(shutil.copytree(HERE / "corpus", tmp_path / "corpus"))


def problems(corpus: Path, scenario: str, head: str = HEAD) -> list[Problem]:
    """Check a file with one scenario, of which `scenario` says what is not as usual."""
    parts = {
        "name": "name: it enters\n",
        "why": "why: Daybound says so.\n",
        "given": "given: {designation: night,"
        " alice: {hand: [{id: ruffian, card: Tavern Ruffian}]}}\n",
        "steps": "steps:\n  - cast: {player: alice, object: ruffian}\n  - resolve: all\n"
        "  - expect: {objects: {ruffian: {face: back}}}\n",
    }
    said = scenario.strip("\n").splitlines(keepends=True)
    for key in [key for key in parts if any(line.startswith(f"{key}:") for line in said)]:
        del parts[key]
    text = "".join([*parts.values(), *said]).replace("\n", "\n    ").rstrip()
    file = corpus / "2021-09-24" / "fixture-ruling.yaml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"{head}  - {text}\n")
    return check_paths([file])


def said(corpus: Path, scenario: str, head: str = HEAD) -> list[str]:
    return [
        f"{problem.code} {problem.message}; {problem.hint}"
        for problem in problems(corpus, scenario, head)
    ]


def test_several_problems_come_in_one_go_sorted_by_place(corpus: Path) -> None:
    found = problems(
        corpus,
        """
level: may
given: {designation: night, alice: {hand: [{id: ruffian, card: Tavern Rufian}]}}
steps:
  - cast: {player: carol, object: rufian}
  - expect: {objects: {ruffian: {}}}
  - resolve: all
""",
    )
    assert [(problem.code, problem.line) for problem in found] == [
        ("E007", 6),
        ("R005", 7),
        ("R003", 9),
        ("R001", 9),
        ("E002", 10),
        ("E004", 11),
    ]
    assert found == sorted(set(found))


def test_shape_problems_come_in_one_go(corpus: Path) -> None:
    assert said(
        corpus,
        """
levl: must
given: {designation: yes, alice: {life: twenty, hand: [{id: Ruffian, card: Shock, count: 0}]}}
steps:
  - {cast: {player: alice}, choices: []}
  - expect: {designation: night, turn: {active: 3}}
    refused: true
  - resolv: all
""",
        HEAD.replace("date: 2021-09-24", "date: tomorrow").replace('["702.145b"]', "702"),
    ) == [
        "S005 'tomorrow' does not have the form that is wanted here;"
        " wanted: a day of the calendar, YYYY-MM-DD",
        "S003 a list is wanted here, not the number 702; write [702]",
        "S001 the key 'levl' is not known here; did you mean 'level'?",
        "S004 'yes' may not stand here; write neither, day or night",
        "S003 a whole number is wanted here, not the text 'twenty'; ",
        "S008 the key 'id' may not stand here; count repeats objects that have no id",
        "S005 'Ruffian' does not have the form that is wanted here;"
        " wanted: an id: small letters, digits and hyphens, a letter first",
        "S005 0 does not have the form that is wanted here; wanted: at least 1",
        "S002 the key 'object' is missing; object: The card that is cast",
        "S007 this list must have at least 1 item, not 0; ",
        "S004 '3' may not stand here; write alice, bob, carol or dave",
        "S008 the key 'refused' may not stand here; a look cannot be refused",
        "S001 the key 'resolv' is not known here; did you mean 'resolve'?",
    ]


@pytest.mark.parametrize(
    ("step", "hint"),
    [
        ("expect: {objects: {ruffian: {tapped: yes}}}", "write true"),
        ("expect: {objects: {ruffian: {power: '6'}}}", "write 6, without quotes and leading zeros"),
        ("expect: {objects: {ruffian: {types: creature}}}", "write [creature]"),
        ("expect: {objects: {ruffian: {attached to: 3}}}", 'quote it: "3"'),
        ("expect: {stack: {object: ruffian}}", "put it into a list: [{…}]"),
    ],
)
def test_a_wrong_type_comes_with_what_to_write(corpus: Path, step: str, hint: str) -> None:
    (problem,) = problems(corpus, f"steps:\n  - {step}\n")
    assert (problem.code, problem.hint) == ("S003", hint)


def test_a_number_of_many_digits_is_not_asked_for_again(corpus: Path) -> None:
    step = f"expect: {{objects: {{ruffian: {{power: {'9' * 5000}}}}}}}"
    (problem,) = problems(corpus, f"steps:\n  - {step}\n")
    assert (problem.code, problem.message, problem.hint) == (
        "S003",
        "the number is larger than any that is allowed",
        "",
    )


@pytest.mark.parametrize(
    ("scenario", "expected"),
    [
        # Objects and players, wherever they stand.
        ("steps:\n  - cast: {player: alice, object: ruffian, targets: [bob, bear]}\n"
         "    refused: true", ["R001 no object is called 'bear'"]),
        ("steps:\n  - attack: {attackers: {rufian: bobby}}\n    refused: true",
         ["R001 no object is called 'rufian'", "R001 no object is called 'bobby'"]),
        ("steps:\n  - block: {blockers: {ruffian: [bob]}}\n    refused: true",
         ["R001 no object is called 'bob'"]),
        ("steps:\n  - directive: {transform: rufian}\n    refused: true",
         ["R001 no object is called 'rufian'"]),
        ("steps:\n  - directive: {put: {object: ruffian, zone: exile, controller: dave}}\n"
         "    refused: true", ["R003 dave does not play in this scenario"]),
        ("steps:\n  - resolve: all\n    choices: [{player: alice, for: rufian, choose: yes}]\n"
         "    refused: true", ["R001 no object is called 'rufian'"]),
        ("steps:\n  - resolve: all\n  - expect:\n      events: [{damaged: bob, by: rufian}]\n"
         "      no events: [{died: rufian}, {tapped: rufian}, {entered: ruffian, tapped: true}]",
         ["R001 no object is called 'rufian'"] * 3),
        ("steps:\n  - resolve: all\n"
         "  - expect: {objects: {ruffian: {zone: exile, attached to: nothing}}}", []),
        ("steps:\n  - resolve: all\n"
         "  - expect: {objects: {ruffian: {zone: exile, blocking: nothing}}}", []),
        ("steps:\n  - resolve: all\n  - expect: {stack: [{ability of: rufian}]}",
         ["R001 no object is called 'rufian'"]),
        ("steps:\n  - play: {player: alice, object: alice-library-11}\n    refused: true",
         ["R001 no object is called 'alice-library-11'"]),
        ("steps:\n  - play: {player: alice, object: alice-library-10}\n    refused: true", []),
        ("given: {players: [alice, bob, carol]}\n"
         "steps:\n  - advance: {to: upkeep, of: carol}\n  - expect: {turn: {active: carol}}", []),
        ("given: {teams: [[alice, bob], [carol, alice]]}\nsteps:\n  - concede: {player: alice}\n"
         "  - expect: {players: {alice: {lost: true}}}",
         ["R003 the teams have alice, bob, carol, alice, the players are alice, bob, carol"]),
        ("given: {turn: {active: carol}}\nsteps:\n  - concede: {player: alice}\n"
         "  - expect: {players: {alice: {lost: true}}}",
         ["R003 carol does not play in this scenario"]),
        ("given: {alice: {hand: [{id: bob, card: Shock}]}}\nsteps:\n  - resolve: all\n"
         "    refused: true", ["R004 no object can be called 'bob', which is a player"]),
        ("steps:\n  - find: {id: ruffian, name: Moonmist}\n    refused: true",
         ["R004 the id 'ruffian' is taken by the object on line 6"]),
        # Cards.
        ("given: {alice: {hand: [{id: ruffian, card: Tavern Ruffian // Tavern Smasher}]}}",
         ["R005 'Tavern Ruffian // Tavern Smasher' names both faces,"
          " and a card is named by its front face"]),
        ("given: {alice: {hand: [{id: ruffian, card: Tavern Smasher}]}}",
         ["R005 'Tavern Smasher' is a back face, and a card is named by its front face"]),
        # Expectations that say nothing or too much.
        ("steps:\n  - resolve: all\n  - expect: {}",
         ["E002 nothing is expected here, so it holds whatever happens",
          "E006 this passes on an engine that does nothing: all of it is so from the start"]),
        ("steps:\n  - resolve: all\n  - expect: {events: [], no events: [{died: ruffian}],"
         " objects: {ruffian: {zone: exile}}}", []),
        ("steps:\n  - resolve: all\n  - expect: {objects: {ruffian: {zone: exile}},"
         " any of: [{players: {bob: {lost: true}}}, {players: {bob: {lost: false}}}]}",
         ["E005 this holds whatever is seen, so it cannot fail"]),
        ("steps:\n  - resolve: all\n  - expect: {objects: {ruffian: {zone: exile}},"
         " any of: [{players: {bob: {life: 1}}}, {players: {bob: {life: 2}}}]}", []),
        ("steps:\n  - resolve: all\n  - expect: {objects: {ruffian: {zone: exile}},"
         " any of: [{designation: day}, {designation: day}]}",
         ["E007 this alternative stands here already"]),
        ("steps:\n  - resolve: all\n    refused: true\n  - resolve: all\n    refused: true",
         ["E003 no engine gets here: step 1 is refused, and that ends a scenario"]),
        # What cannot be.
        ("given: {alice: {battlefield: [{id: ruffian, card: Grizzly Bears, face: back}]}}",
         ["E010 Grizzly Bears has no back face"] * 2
         + ["E006 this passes on an engine that does nothing: all of it is so from the start"]),
        ("given: {alice: {hand: [{id: ruffian, card: Shock}]}}\nsteps:\n  - resolve: all\n"
         "  - expect: {objects: {ruffian: {power: 3}}}",
         ["E010 Shock never has a power: it is an instant or a sorcery"]),
        ("steps:\n  - resolve: all\n  - expect: {players: {bob: {permanents: [Plaines]}}}",
         ["E010 no face of a card is called 'Plaines'"]),
        ("steps:\n  - resolve: all\n  - expect: {players: {bob: {permanents: [Insect Token]}}}",
         []),
        # Editions and needs.
        ("since: 2024-06-07\nuntil: 2023-04-14",
         ["E009 until 2023-04-14 comes before since 2024-06-07"]),
        ("needs: [choices]", ["E008 nothing in this scenario needs 'choices'"]),
        ("needs: [copies, tokens, planeswalkers]", []),
    ],
)  # fmt: skip
def test_a_scenario_has_just_these_problems(
    corpus: Path, scenario: str, expected: list[str]
) -> None:
    found = [line.partition("; ")[0] for line in said(corpus, scenario)]
    assert sorted(found) == sorted(expected)


def test_select_and_ignore_take_beginnings_of_codes(corpus: Path) -> None:
    problems(corpus, "level: may\ngiven: {alice: {hand: [{id: ruffian, card: Shok}]}}\n")

    def codes(select: list[str], ignore: list[str]) -> list[str]:
        return [p.code for p in check_paths([corpus], select=select, ignore=ignore)]

    assert codes([], []) == ["E007", "R005"]
    assert codes(["R"], []) == ["R005"]
    assert codes(["E0", "R005"], ["E007"]) == ["R005"]
    assert codes([], ["E", "R"]) == []
    assert codes(["R"], ["R005"]) == []
    assert codes(["R005"], ["R"]) == ["R005"]


def test_files_and_folders_are_each_checked_once(corpus: Path) -> None:
    problems(corpus, "level: may\n")
    file = corpus / "2021-09-24" / "fixture-ruling.yaml"
    assert len(check_paths([file, corpus, corpus / "2021-09-24", file])) == 1


def test_names_taken_across_files_are_told_with_the_file(corpus: Path) -> None:
    problems(corpus, "")
    first = corpus / "2021-09-24" / "fixture-ruling.yaml"
    second = corpus / "2021-09-24" / "second.yaml"
    text = first.read_text().replace(
        "- name", "- aliases: [2021-09-24/fixture-ruling#It enters!]\n    name"
    )
    second.write_text(text.replace("key: fixture-ruling", "key: second"))
    (problem,) = check_paths([corpus], select=["R009"])
    assert problem.file == str(second)
    assert problem.message.endswith(f"is taken by the scenario of {first}:4")


def test_files_outside_a_corpus_may_stand_anywhere(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        HEAD.replace("fixture-ruling", "daybound-spell-at-night")
        + """  - name: it enters
    why: Because.
    given: {designation: night, alice: {hand: [{id: ruffian, card: Tavern Ruffian}]}}
    steps:
      - cast: {player: alice, object: ruffian}
      - resolve: all
      - expect: {objects: {ruffian: {face: back}}}
"""
    )
    assert check_paths([file]) == []


def test_paths_are_shown_from_the_current_folder(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    problems(corpus, "level: may\n")
    monkeypatch.chdir(corpus)
    for paths in (
        [Path()],
        [corpus],
        [Path("2021-09-24")],
        [Path("2021-09-24/fixture-ruling.yaml")],
    ):
        assert [p.file for p in check_paths(paths)] == ["2021-09-24/fixture-ruling.yaml"]


def test_a_missing_file_is_a_problem_and_no_exception(tmp_path: Path) -> None:
    (problem,) = check_paths([tmp_path / "nothing.yaml"])
    assert (problem.code, problem.message) == (
        "Y013",
        "the file cannot be read: no such file or directory",
    )


def test_a_problem_is_one_line_that_editors_understand() -> None:
    problem = Problem("a.yaml", 3, 7, "R001", "scenarios[0].given", "no such thing", "look again")
    assert str(problem) == "a.yaml:3:7: R001 no such thing; look again (at scenarios[0].given)"
    assert str(Problem("a.yaml", 1, 1, "Y004", "", "it is empty")) == "a.yaml:1:1: Y004 it is empty"
    assert dotted(()) == ""


def test_the_nearest_word_is_found_whatever_its_case() -> None:
    assert nearest("tavern ruffian", ["Tavern Ruffian", "Shock"]) == "Tavern Ruffian"
    assert nearest("xyzzy", ["Tavern Ruffian"]) is None
    assert did_you_mean("xyzzy", ["Shock"], "or else") == "or else"


def test_pages_are_found_by_code() -> None:
    assert page("R001").startswith("# R001")
    with pytest.raises(KeyError):
        page("R999")


@pytest.mark.parametrize(
    ("expect", "held"),
    [
        ({"designation": "day"}, []),
        ({"turn": {"active": "bob", "step": "upkeep"}}, []),
        ({"objects": {"x": {"has": ["flying"], "lacks": ["haste"]}}}, []),
        ({"objects": {"x": {"counters": {}, "tapped": False, "attached to": "nothing"}}}, []),
        ({"players": {"bob": {"permanents": [], "life": 3}}}, []),
        ({"stack": []}, []),
        ({"stack": [{"object": "x", "face": "front"}]}, []),
        ({"events": [{"died": "x"}, {"died": "y"}]}, []),
        ({"events": [{"died": "x"}], "no events": [{"entered": "x"}]}, []),
        ({"no events": [{"entered": "x", "face": "back"}]}, []),
        ({"any of": [{"designation": "day"}, {"events": [{"died": "x"}]}]}, []),
        ({"any of": [{"stack": []}, {"stack": [{"object": "x"}]}]}, []),
        ({"any of": [{"objects": {"x": {"face": "back"}}},
                     {"objects": {"x": {"face": "front", "tapped": True}}}]}, []),
        ({"any of": [{"objects": {"x": {"face": "back"}}},
                     {"objects": {"x": {"face": "front"}}}], "designation": "day"}, ["any of"]),
        ({"any of": [{"any of": [{"designation": "day"}, {"designation": "night"}]},
                     {"designation": "neither"}]}, ["any of"]),
        ({"any of": [{"objects": {"x": {"zone": "exile"}}}, {}]}, ["any of"]),
    ],
)  # fmt: skip
def test_an_expectation_can_fail_unless_it_allows_everything(
    expect: dict[str, object], held: list[str]
) -> None:
    assert [leaf.path for leaf in always_true(expect)] == held


def test_the_corpus_of_the_tool_has_no_problems() -> None:
    assert list(map(str, check_paths([sources.root()]))) == []


def test_codes_and_slugs_are_unique() -> None:
    assert len({check.code for check in CHECKS}) == len({check.slug for check in CHECKS})
    assert len(CHECKS) == len({check.code for check in CHECKS})


def test_the_list_of_checks_is_complete() -> None:
    text = (Path(__file__).parents[3] / "docs" / "checks.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| [")]
    assert rows == [
        f"| [{check.code}](../harness/checks/pages/{check.code}.md) | {check.slug} | "
        f"{'●' if check.blocking else ''} | {(type(check).__doc__ or '').splitlines()[0]} |"
        for check in CHECKS
    ]
