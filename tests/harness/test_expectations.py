"""Known failures: every verdict against every expectation, and the exact lines (issue 4 §2)."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from harness.expectations import (
    Account,
    Entry,
    Expectations,
    Standing,
    load,
    settle,
    written,
)
from harness.model import Engine, Result, Verdict
from harness.problem import BadCorpus

ID = "2021-09-24/day-to-night#by turns"
TODAY = date(2026, 1, 15)


def result(verdict: str, id: str = ID, **detail: Any) -> Result:  # noqa: A002
    return Result(
        id=id,
        digest="d",
        verdict=Verdict(verdict),
        ruling="day-to-night",
        rules=("502.2",),
        level="must",
        file="rulings/2021-09-24/day-to-night.yaml",
        line=9,
        detail=detail or None,
    )


def mismatch(step: int = 4, path: str = "objects.wolf.face", **more: Any) -> Result:
    detail = {"kind": "mismatch", "step": step, "path": path, "expected": "front", "got": "back"}
    return result("fail", **{**detail, **more})


RESULTS = {
    "pass": result("pass"),
    "mismatch": mismatch(),
    "other step": mismatch(step=6),
    "other path": mismatch(path="designation"),
    "refused": result("fail", kind="refused", step=2, path=None, reason="not now"),
    "allowed": result("fail", kind="allowed", step=2, path=None, reason=None),
    "unstable": mismatch(kind="unstable"),
    "unsupported": result("unsupported", kind="card", name="Moonmist", reason="new"),
    "crash": result("error", kind="crash", reason="ended with exit status 1", log=""),
    "timeout": result("error", kind="timeout", reason="no answer within 10 s", log=""),
    "not run": result("not_run"),
}

TOLD = {
    "pass": "passed",
    "mismatch": 'failed at step 4, objects.wolf.face: expected "front", got "back"',
    "other step": 'failed at step 6, objects.wolf.face: expected "front", got "back"',
    "other path": 'failed at step 4, designation: expected "front", got "back"',
    "refused": "failed at step 2: the action was refused: not now",
    "allowed": "failed at step 2: the action was allowed",
    "unstable": 'is unstable at step 4, objects.wolf.face: expected "front", got "back"',
    "unsupported": "is unsupported (card Moonmist)",
    "crash": "ended in an error (crash: ended with exit status 1)",
    "timeout": "ended in an error (timeout: no answer within 10 s)",
    "not run": "was not run",
}


def entry(verdict: str, **more: Any) -> Entry:
    return Entry((ID,), Verdict(verdict), "known since May", line=12, **more)


ENTRIES: dict[str, Entry | None] = {
    "none": None,
    "pass": entry("pass"),
    "fail": entry("fail"),
    "fail of a kind": entry("fail", kind="mismatch"),
    "fail at a step": entry("fail", kind="mismatch", step=4, path="objects.wolf.*"),
    "fail refused": entry("fail", kind="refused"),
    "fail unstable": entry("fail", kind="unstable"),
    "unsupported": entry("unsupported"),
    "unsupported name": entry("unsupported", kind="card", name="Moon*"),
    "unsupported other": entry("unsupported", kind="capability", name="teams"),
    "error crash": entry("error", kind="crash"),
}

SAID = {
    "pass": "pass",
    "fail": "fail",
    "fail of a kind": "fail (mismatch)",
    "fail at a step": "fail (mismatch) at step 4, objects.wolf.*",
    "fail refused": "fail (refused)",
    "fail unstable": "fail (unstable)",
    "unsupported": "unsupported",
    "unsupported name": "unsupported (card) Moon*",
    "unsupported other": "unsupported (capability) teams",
    "error crash": "error (crash)",
}

# One letter for each result, in the order of RESULTS: what it is against the entry.
#   .  expected    k  known    N  new    P  passes    O  otherwise    -  not run
TABLE = {
    #                    pass mismatch step path refused allowed unstable unsupp crash timeout none
    "none": ".NNNNNN.NN-",
    "pass": ".NNNNNNNNN-",
    "fail": "PkkkkkkOOO-",
    "fail of a kind": "PkkkOOOOOO-",
    "fail at a step": "PkOOOOOOOO-",
    "fail refused": "POOOkOOOOO-",
    "fail unstable": ".kkkkkkOOO-",
    "unsupported": "POOOOOOkOO-",
    "unsupported name": "POOOOOOkOO-",
    "unsupported other": "POOOOOOOOO-",
    "error crash": "POOOOOOOkO-",
}
STANDINGS = {
    ".": Standing.EXPECTED,
    "k": Standing.KNOWN,
    "N": Standing.NEW,
    "P": Standing.PASSES,
    "O": Standing.OTHERWISE,
    "-": Standing.NOT_RUN,
}
COMBINATIONS = [
    (listed, came, STANDINGS[letter])
    for listed, letters in TABLE.items()
    for came, letter in zip(RESULTS, letters, strict=True)
]


def account(
    entries: list[Entry | None], results: list[Result], *known: str, **options: Any
) -> Account:
    expectations = Expectations(tuple(filter(None, entries)), **options)
    ids = dict.fromkeys(known or [each.id for each in results], ())
    return settle(expectations, results, ids, TODAY)


@pytest.mark.parametrize(("listed", "came", "standing"), COMBINATIONS)
def test_every_verdict_against_every_expectation(
    listed: str, came: str, standing: Standing
) -> None:
    one = account([ENTRIES[listed]], [RESULTS[came]])
    (item,) = one.items
    assert item.standing is standing
    assert one.faults == ()
    told, said = f"{ID}: {TOLD[came]}", SAID.get(listed, "")
    lines = {
        Standing.EXPECTED: [],
        Standing.KNOWN: [],
        Standing.NEW: [
            f"{told}, and line 12 expects pass" if said else f"{told}, and no entry expects it"
        ],
        Standing.PASSES: [f"{told}, and line 12 expects {said}: trim the list"],
        Standing.OTHERWISE: [f"{told}, and line 12 expects {said}"],
        Standing.NOT_RUN: [told],
    }
    assert one.lines() == lines[standing]
    assert one.is_balanced is (lines[standing] == [])
    assert [str(each) for each in one.known] == (
        [f"{told}, as line 12 expects: known since May"] if standing is Standing.KNOWN else []
    )


def test_what_is_unsupported_may_have_to_be_listed() -> None:
    one = account([], [RESULTS["unsupported"]], unsupported_listed=True)
    assert one.lines() == [f"{ID}: is unsupported (card Moonmist), and no entry expects it"]
    assert account([ENTRIES["unsupported"]], [RESULTS["unsupported"]]).is_balanced


def test_an_entry_past_its_day_is_a_fault_and_excuses_nothing() -> None:
    late = entry("fail", until=date(2026, 1, 14))
    assert account([late], [RESULTS["mismatch"]]).lines() == [
        f"{ID}: {TOLD['mismatch']}, and no entry expects it",
        "line 12: its last day, 2026-01-14, is over",
    ]
    on_the_day = entry("fail", until=TODAY)
    assert account([on_the_day], [RESULTS["mismatch"]]).is_balanced


def test_an_entry_that_matches_nothing_is_a_fault() -> None:
    gone = Entry(("2021-09-24/gone#*", ID), Verdict.FAIL, "?", count=9, line=3)
    assert account([gone], [RESULTS["mismatch"]]).lines() == [
        "line 3: matches no scenario: 2021-09-24/gone#*"
    ]


def test_an_entry_is_not_at_fault_when_only_a_part_was_run() -> None:
    other = Entry(("2021-09-24/other#*",), Verdict.FAIL, "?", count=1, line=3)
    assert account([other], [RESULTS["pass"]], ID, "2021-09-24/other#one").is_balanced


@pytest.mark.parametrize(("found", "fault"), [(6, False), (7, True)])
def test_an_entry_that_matches_far_more_than_it_says_is_a_fault(found: int, fault: bool) -> None:
    results = [result("fail", f"a/b#{number}", kind="mismatch") for number in range(found)]
    wide = Entry(("a/b#*",), Verdict.FAIL, "?", count=3, line=3)
    lines = ["line 3: matches 7 scenarios and says 3"] if fault else []
    assert account([wide], results).lines() == lines


def test_the_first_entry_that_matches_decides() -> None:
    results = [result("pass", "a/b#one"), result("fail", "a/b#two", kind="mismatch")]
    passing = Entry(("a/b#one",), Verdict.PASS, "mended", line=1)
    wide = Entry(("a/b#*",), Verdict.FAIL, "?", count=2, line=3)
    assert account([passing, wide], results).is_balanced
    assert account([wide, passing], results).lines() == [
        "a/b#one: passed, and line 3 expects fail: trim the list",
        "line 1: entries above it decide about all that it matches",
    ]


def test_a_renamed_scenario_is_still_known_by_its_old_id() -> None:
    one = settle(
        Expectations((Entry(("old/id#x",), Verdict.FAIL, "?", line=1),)),
        [RESULTS["mismatch"]],
        {ID: ("old/id#x",)},
        TODAY,
    )
    assert one.is_balanced and len(one.known) == 1


# -- files


def file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "known.yaml"
    path.write_text(text, encoding="utf-8")
    return path


GOOD = """\
engine: toy 1.0
unsupported: listed
expectations:
  - scenarios: ["2021-09-24/day-to-night#*"]
    verdict: fail
    kind: mismatch
    step: 4
    path: objects.*.face
    count: 3
    reason: It counts the spells of all players.
    issue: https://example.invalid/17
    until: 2026-12-31

  - scenarios: [a/b#c]
    verdict: error
    kind: timeout
    reason: It loops.
"""


def test_a_file_is_read(tmp_path: Path) -> None:
    assert load(file(tmp_path, GOOD)) == Expectations(
        (
            Entry(
                scenarios=("2021-09-24/day-to-night#*",),
                verdict=Verdict.FAIL,
                kind="mismatch",
                step=4,
                path="objects.*.face",
                count=3,
                reason="It counts the spells of all players.",
                issue="https://example.invalid/17",
                until=date(2026, 12, 31),
                line=4,
            ),
            Entry(("a/b#c",), Verdict.ERROR, "It loops.", kind="timeout", line=14),
        ),
        unsupported_listed=True,
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("expectations: [", ":2:1: Y001 not YAML"),
        ("expectations: []\nexpectations: []\n", ":2:1: Y006 "),
        ("{}", ":1:1: S002 the key 'expectations' is missing"),
        (
            "expectations: [{scenarios: [a], verdict: fial, reason: x}]",
            ":1:42: S004 'fial' may not stand here; write pass, fail, unsupported or error",
        ),
        (
            "expectations: [{scenarios: [a], verdict: fail, raeson: x}]",
            ":1:48: S001 the key 'raeson' is not known here; did you mean 'reason'?",
        ),
        (
            "expectations: [{scenarios: [a], verdict: fail, reason: x, until: 2026-02-30}]",
            " 2026-02-30 is no day of the calendar",
        ),
        (
            "expectations: [{scenarios: [a], verdict: fail, reason: x, kind: crash}]",
            ":1:59: X001 no fail is of the kind crash; "
            "write one of allowed, mismatch, refused, unstable (at expectations[0].kind)",
        ),
        (
            "expectations: [{scenarios: [a], verdict: error, reason: x}]",
            ":1:33: X002 an entry that expects an error has to name its kind; kind: one of ",
        ),
        (
            "expectations: [{scenarios: ['a#*'], verdict: fail, reason: x}]",
            ":1:17: X003 'a#*' may match any number of scenarios; say how many are meant: count: 3",
        ),
        (
            "expectations: [{scenarios: [a], verdict: unsupported, reason: x, step: 4}]",
            ":1:66: X004 only a fail has a step; leave it out",
        ),
    ],
)
def test_a_bad_file_says_where_and_what(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadCorpus) as caught:
        load(file(tmp_path, text))
    assert said in str(caught.value)


def test_a_file_that_is_not_there_is_a_problem_and_no_traceback(tmp_path: Path) -> None:
    with pytest.raises(BadCorpus, match="cannot be read"):
        load(tmp_path / "nowhere.yaml")


def test_what_is_written_expects_just_the_run_it_was_made_from(tmp_path: Path) -> None:
    engine = Engine("toy\x1b", "1.0", "cmd:toy")
    results = [
        result("pass", "a/b#1"),
        result("unsupported", "a/b#2", kind="card", name="Moonmist", reason="new"),
        result("unsupported", "a/b#3", kind="card", name="Moonmist", reason="new"),
        result("error", "a/b#4", kind="timeout", reason="no answer within 10 s"),
        result(
            "fail", "a/b#5: yes", kind="mismatch", step=4, path="designation", expected=1, got=2
        ),
        result("fail", "a/b#6", kind="refused", step=1, path=None, reason="# not\nnow"),
        result("not_run", "a/b#7"),
    ]
    text = written(results, engine, Expectations(unsupported_listed=True))
    again = load(file(tmp_path, text))
    assert again.unsupported_listed
    assert [len(each.scenarios) for each in again.entries] == [2, 1, 1, 1]
    assert [each.reason for each in again.entries] == [
        "new",
        "not explained yet: ended in an error (timeout: no answer within 10 s)",
        "not explained yet: failed at step 4, designation: expected 1, got 2",
        "not explained yet: failed at step 1: the action was refused: # not now",
    ]
    known = {each.id: () for each in results}
    assert settle(again, results[:-1], known, TODAY).is_balanced

    short = load(file(tmp_path, written(results, engine)))
    assert [str(each.verdict) for each in short.entries] == ["error", "fail", "fail"]
    assert settle(short, results[:-1], known, TODAY).is_balanced


def test_what_is_written_keeps_what_was_explained() -> None:
    old = Expectations(
        (
            Entry(("a/b#1",), Verdict.FAIL, "explained", issue="#3", until=TODAY),
            Entry(("a/b#2",), Verdict.FAIL, "no longer true", step=2),
        )
    )
    results = [
        result("fail", "a/b#1", kind="allowed", step=4),
        result("fail", "a/b#2", kind="allowed", step=4),
    ]
    text = written(results, Engine("toy", "2", "toy"), old)
    assert text == (
        "# Written by rulings run --write-expectations; each reason is for you to say.\n"
        "engine: toy 2\n"
        "expectations:\n"
        "- scenarios:\n"
        "  - a/b#1\n"
        "  verdict: fail\n"
        "  kind: allowed\n"
        "  step: 4\n"
        "  reason: explained\n"
        "  issue: '#3'\n"
        "  until: '2026-01-15'\n"
        "- scenarios:\n"
        "  - a/b#2\n"
        "  verdict: fail\n"
        "  kind: allowed\n"
        "  step: 4\n"
        "  reason: 'not explained yet: failed at step 4: the action was allowed'\n"
    )
