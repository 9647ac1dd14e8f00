"""Two reports compared: what got worse, and what only looks so."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from harness.diff import NothingInCommonError, between, render
from harness.merge import CannotMergeError, merge
from harness.model import CorpusInfo, Engine, Report, Result, Verdict
from harness.reports import Shown

ENGINE = Engine("forge", "1.6", "cmd:forge")
CORPUS = CorpusInfo("0.1.0", "ab" * 32, "2024-06-07")
MISMATCH: dict[str, Any] = {
    "kind": "mismatch",
    "step": 2,
    "path": "designation",
    "expected": "night",
    "got": "day",
    "rule": "728.2a",
    "reason": None,
    "mismatches": [],
}
CRASH = {"kind": "crash", "reason": "gone", "log": "at 12:00"}
LACKS = {"kind": "card", "name": "Moonmist", "reason": ""}


def result(verdict: Verdict, name: str = "one", digest: str = "d", detail: Any = None) -> Result:
    return Result(
        f"folder/file#{name}", digest, verdict, "key", ("728.2a",), "must", "f.yaml", 1, detail
    )


PASS = result(Verdict.PASS)
FAIL = result(Verdict.FAIL, detail=MISMATCH)
ERROR = result(Verdict.ERROR, detail=CRASH)
UNSUPPORTED = result(Verdict.UNSUPPORTED, detail=LACKS)
NOT_RUN = result(Verdict.NOT_RUN, detail={"kind": "not_run", "reason": "ended"})


def report(*results: Result, engine: Engine = ENGINE, complete: bool = True) -> Report:
    return Report(engine, CORPUS, results, 0.5, complete)


@pytest.mark.parametrize(
    ("old", "new", "kind", "worse"),
    [
        (PASS, FAIL, "newly failing", True),
        (PASS, ERROR, "newly failing", True),
        (UNSUPPORTED, FAIL, "newly failing", True),
        (PASS, UNSUPPORTED, "no longer played", True),
        (PASS, NOT_RUN, "no longer played", True),
        (FAIL, PASS, "newly passing", False),
        (UNSUPPORTED, PASS, "newly passing", False),
        (FAIL, UNSUPPORTED, "other", False),
        (FAIL, ERROR, "reason", False),
        (FAIL, replace(FAIL, detail={**MISMATCH, "got": "neither"}), "reason", False),
        (PASS, replace(FAIL, digest="other"), "changed", False),
        (PASS, replace(PASS, digest="other"), "changed", False),
    ],
)
def test_each_kind_of_change(old: Result, new: Result, kind: str, worse: bool) -> None:
    [change] = between([report(old)], [report(new)])

    assert (change.kind, change.worse) == (kind, worse)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (PASS, PASS),
        (FAIL, FAIL),
        (UNSUPPORTED, UNSUPPORTED),
        (ERROR, replace(ERROR, detail={**CRASH, "log": "at 12:01"})),
    ],
)
def test_what_is_the_same_is_no_change(old: Result, new: Result) -> None:
    assert between([report(old)], [report(new)]) == []


def test_new_and_gone_are_never_worse() -> None:
    changes = between(
        [report(PASS, result(Verdict.PASS, "leaves", "1"))],
        [report(PASS, result(Verdict.FAIL, "comes", "2", MISMATCH))],
    )

    assert [(c.kind, c.id.partition("#")[2], c.worse) for c in changes] == [
        ("new", "comes", False),
        ("gone", "leaves", False),
    ]


def test_a_renamed_scenario_is_found_by_its_digest() -> None:
    renamed = result(Verdict.PASS, "another name")
    failing = result(Verdict.FAIL, "another name", detail=MISMATCH)

    [moved] = between([report(PASS)], [report(renamed)])
    [worse] = between([report(PASS)], [report(failing)])

    assert (moved.kind, moved.worse) == ("renamed", False)
    assert (worse.kind, worse.worse) == ("newly failing", True)
    assert "was folder/file#one" in render("text", [worse], Shown())


def test_engines_are_paired_by_name_and_single_reports_whatever_they_are_called() -> None:
    other = Engine("xmage", "1", "xmage")

    assert len(between([report(PASS)], [report(FAIL, engine=other)])) == 1
    [change] = between([report(PASS), report(PASS, engine=other)], [report(FAIL, engine=other)])
    assert change.engine == "xmage"
    with pytest.raises(NothingInCommonError):
        between([report(PASS)], [report(PASS, engine=other), report(PASS, engine=other)])


def test_the_worst_comes_first_in_every_form() -> None:
    better, worse = result(Verdict.PASS, "a", "1"), result(Verdict.FAIL, "b", "2", MISMATCH)
    failed = replace(better, verdict=Verdict.FAIL, detail=MISMATCH)
    passed = replace(worse, verdict=Verdict.PASS, detail=None)
    changes = between([report(failed, passed)], [report(better, worse)])

    text, markdown = (render(form, changes, Shown()) for form in ("text", "markdown"))
    data = json.loads(render("json", changes, Shown()))

    assert text.index("newly failing (1)") < text.index("newly passing (1)")
    assert text.endswith("1 newly failing, 1 newly passing\n")
    assert markdown.index("<details open>") < markdown.index("newly passing (1)")
    assert (data["worse"], data["summary"]["newly failing"]) == (True, 1)
    assert [change["kind"] for change in data["changes"]] == ["newly failing", "newly passing"]


def test_what_an_engine_says_is_escaped_in_a_diff() -> None:
    evil = replace(FAIL, detail={**MISMATCH, "got": "\x1b[31m<b>"})
    changes = between([report(PASS)], [report(evil, engine=replace(ENGINE, name="\x1b<i>"))])

    for form in ("text", "markdown", "json"):
        out = render(form, changes, Shown())
        assert "\x1b" not in out
    assert "<b>" not in render("markdown", changes, Shown())


# -- merge


def test_parts_are_joined_in_the_order_of_the_corpus() -> None:
    first, second = (
        replace(result(Verdict.PASS, name), line=line) for name, line in (("a", 1), ("b", 9))
    )

    [joined] = merge([report(second), report(first)])

    assert joined.results == (first, second)
    assert joined.seconds == 1.0
    assert joined.complete


def test_what_one_part_did_not_play_is_taken_from_the_other() -> None:
    [joined] = merge([report(NOT_RUN, complete=False), report(FAIL)])

    assert joined.results == (FAIL,)
    assert joined.complete


def test_a_part_that_is_missing_something_leaves_the_whole_incomplete() -> None:
    [joined] = merge([report(NOT_RUN, complete=False), report(result(Verdict.PASS, "b"))])

    assert not joined.complete


def test_engines_are_joined_apart() -> None:
    other = Engine("xmage", "1", "xmage")

    assert [one.engine.name for one in merge([report(PASS), report(PASS, engine=other)])] == [
        "forge",
        "xmage",
    ]


def test_parts_that_contradict_each_other_are_not_joined() -> None:
    with pytest.raises(CannotMergeError, match="disagree about folder/file#one: pass and fail"):
        merge([report(PASS), report(FAIL)])
    with pytest.raises(CannotMergeError, match="different corpora"):
        merge([report(PASS), replace(report(PASS), corpus=replace(CORPUS, digest="0" * 64))])
