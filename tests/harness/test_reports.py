"""Reports say what happened, whatever an engine puts into them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
import xmlschema

from harness.expectations import Entry, Expectations, settle
from harness.model import CorpusInfo, Engine, Report, Result, Verdict
from harness.reports import FORMATS, Shown, append, page, render, write
from harness.reports.escape import line, markdown, plain, xml
from harness.reports.json import BadReportError, from_json, read
from harness.reports.markdown import LARGEST
from harness.reports.text import one_line
from harness.scenario import Scenario

SCHEMA = json.loads(
    (Path(page.__file__).parent / "schema" / "report.json").read_text(encoding="utf-8")
)
ENGINE = Engine("forge", "1.6", "cmd:java -jar adapter.jar", language="Java")
CORPUS = CorpusInfo("0.1.0", "ab" * 32, "2024-06-07")
HOSTILE = "\x1b[31mred\x1b[0m <script>alert(1)</script> | `x` @all \u202eevil\x00\r\n]]>&\x9b0m"

MISMATCH = {
    "kind": "mismatch",
    "step": 4,
    "path": "objects.ruffian.face",
    "expected": "back",
    "got": "front",
    "rule": "702.145b",
    "reason": None,
    "mismatches": [
        {"path": "objects.ruffian.face", "expected": "back", "got": "front"},
        {"path": "objects.ruffian.power", "expected": 6, "got": 3},
    ],
}
REFUSED = {**MISMATCH, "kind": "refused", "step": 1, "path": None, "mismatches": []}
UNSUPPORTED = {"kind": "card", "name": "Moonmist", "reason": "not there yet"}
CRASH = {"kind": "crash", "reason": "ended with exit status 1", "log": "Traceback\nKeyError: 'x'"}
NOT_RUN = {"kind": "not_run", "reason": "the run ended before it"}


def result(
    name: str = "one", verdict: Verdict = Verdict.PASS, detail: Any = None, **more: Any
) -> Result:
    made = Result(
        id=f"2021-09-24/daybound-spell-at-night#{name}",
        digest=name.ljust(64, "0"),
        verdict=verdict,
        ruling="daybound-spell-at-night",
        rules=("702.145b", "712.13"),
        level="must",
        file="rulings/2021-09-24/daybound-spell-at-night.yaml",
        line=8,
        detail=detail,
    )
    return replace(made, **more)


ALL = (
    result("passes"),
    result("fails", Verdict.FAIL, MISMATCH),
    result("is refused", Verdict.FAIL, REFUSED),
    result("lacks", Verdict.UNSUPPORTED, UNSUPPORTED),
    result("breaks", Verdict.ERROR, CRASH),
    result("waits", Verdict.NOT_RUN, NOT_RUN),
)


def report(*results: Result, **more: Any) -> Report:
    return replace(Report(ENGINE, CORPUS, results, seconds=0.5), **more)


def text(reports: Sequence[Report] | Report, **shown: Any) -> str:
    every = [reports] if isinstance(reports, Report) else reports
    return render("text", every, Shown(**shown))


# -- text


def test_the_text_report_ends_with_a_line_of_all_counts() -> None:
    last = text(report(*ALL, complete=False)).splitlines()[-1]

    assert re.fullmatch(
        r"=+ incomplete, 2 failed, 1 error, 1 passed, 1 unsupported, 1 not run in 0\.50s =+", last
    )
    assert len(last) == 80


def test_the_table_counts_each_ruling_in_words_with_the_sign_of_the_worst() -> None:
    lines = text(report(result("a"), result("b", Verdict.UNSUPPORTED, UNSUPPORTED))).splitlines()

    assert "2021-09-24" in lines
    row = next(one for one in lines if "daybound-spell-at-night" in one)
    assert row.split() == ["○", "daybound-spell-at-night", "1", "passed,", "1", "unsupported"]


def test_a_failure_names_step_path_expected_got_rule_and_how_to_play_it_again() -> None:
    out = text(report(ALL[1]))

    assert "at        step 4, objects.ruffian.face\n  expected  back\n  got       front\n" in out
    assert "at        objects.ruffian.power\n  expected  6\n  got       3\n" in out
    assert "rule      702.145b" in out
    assert "daybound-spell-at-night.yaml:8" in out
    assert "again     rulings run --engine 'cmd:java -jar adapter.jar' \\\n" in out
    assert "'2021-09-24/daybound-spell-at-night#fails'" in out


def test_a_failure_tells_the_scenario_up_to_where_it_went_wrong(
    scenario: Callable[..., Scenario],
) -> None:
    told = scenario(
        {"advance": {"to": "upkeep", "of": "bob"}},
        {"expect": {"designation": "night", "turn": {"active": "bob"}}},
        {"resolve": "all"},
    )
    detail = {
        **MISMATCH,
        "step": 2,
        "mismatches": [{"path": "designation", "expected": "night", "got": "day"}],
    }
    failed = result(id=told.id, digest=told.digest, verdict=Verdict.FAIL, detail=detail)

    out = text(report(failed), scenarios={told.id: told})

    assert "  Because the test says so.\n" in out
    assert "   1  The game goes on to Bob's upkeep.\n" in out
    assert "   2  ✗ it is night\n      ✓ it is Bob's turn\n" in out
    assert "Everything on the stack resolves" not in out


def test_a_scenario_that_has_changed_since_is_not_told(scenario: Callable[..., Scenario]) -> None:
    other = scenario({"resolve": "all"})
    failed = result(id=other.id, verdict=Verdict.FAIL, detail=MISMATCH)

    out = text(report(failed), scenarios={other.id: other})

    assert "This scenario has changed since the report." in out
    assert "Everything on the stack resolves" not in out


def test_an_error_shows_the_engines_own_log() -> None:
    out = text(report(ALL[4]))

    assert "kind      crash\n  reason    ended with exit status 1\n" in out
    assert "  its log   │ Traceback\n            │ KeyError: 'x'\n" in out


@pytest.mark.parametrize("one", [ALL[3], ALL[5]], ids=["unsupported", "not run"])
def test_what_was_not_played_is_never_shown_as_passed(one: Result) -> None:
    assert "passed" not in text(report(one))
    assert "✓" not in text(report(one))


def test_a_run_in_which_nothing_was_played_says_so() -> None:
    assert "Nothing was played" in text(report(ALL[3]))


def test_an_incomplete_report_says_so_whatever_else_it_holds() -> None:
    assert "Incomplete: the run ended early; 1 of its scenarios" in text(
        report(ALL[0], ALL[5], complete=False)
    )
    assert "incomplete, 1 passed" in text(report(ALL[0], complete=False))


def test_verbosity_goes_from_one_line_to_every_scenario() -> None:
    every = report(*ALL)

    assert len(text(every, verbosity=-2).splitlines()) == 1
    assert "expected back, got front" in " ".join(text(every, verbosity=-1).split())
    assert "      ✓ passes\n" in text(every, verbosity=1)


def test_several_engines_each_have_a_summary_line_with_their_name() -> None:
    other = report(ALL[1], engine=replace(ENGINE, name="xmage"))

    last = text([report(ALL[0]), other]).splitlines()[-2:]

    assert "forge: 1 passed" in last[0]
    assert "xmage: 1 failed" in last[1]


@pytest.mark.parametrize("width", [80, 200])
def test_no_line_is_wider_than_80_columns(width: int, scenario: Callable[..., Scenario]) -> None:
    told = scenario({"advance": {"to": "upkeep", "of": "bob"}}, {"expect": {"designation": "day"}})
    long = "word " * 60 + "x" * 300 + "昼" * 100
    detail = {**MISMATCH, "step": 2, "got": long, "reason": long, "mismatches": []}
    failed = result(id=told.id, digest=told.digest, verdict=Verdict.FAIL, detail=detail)
    broken = result("many words " * 12, Verdict.ERROR, {**CRASH, "log": long, "reason": long})
    lacks = result("z", Verdict.UNSUPPORTED, {**UNSUPPORTED, "name": long})
    engine = Engine(long, long, "cmd:engine", language=long)

    for verbosity in (-2, -1, 0, 1):
        out = text(
            report(failed, broken, lacks, engine=engine, complete=False),
            width=width,
            verbosity=verbosity,
            scenarios={told.id: told},
        )
        assert max(map(page.width, out.splitlines())) <= 80


def test_colour_is_only_there_when_asked_for() -> None:
    assert "\x1b" not in text(report(*ALL))
    assert "\x1b[31m" in text(report(*ALL), color=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", text(report(*ALL), color=True)) == text(report(*ALL))


def test_a_terminal_without_unicode_gets_ascii() -> None:
    assert text(report(*ALL), unicode=False).isascii()


# -- whatever an engine says


def hostile() -> Report:
    detail = {**MISMATCH, "got": HOSTILE, "reason": HOSTILE, "mismatches": []}
    return report(
        result("a", Verdict.FAIL, detail),
        result("b", Verdict.UNSUPPORTED, {**UNSUPPORTED, "name": HOSTILE, "reason": HOSTILE}),
        result("c", Verdict.ERROR, {"kind": "crash", "reason": HOSTILE, "log": HOSTILE}),
        engine=Engine(HOSTILE, HOSTILE, HOSTILE, language=HOSTILE),
    )


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_an_engine_says_reaches_a_terminal_as_it_is(form: str) -> None:
    out = render(form, [hostile()], Shown())

    assert not set(out) & set("\x1b\x00\x9b\r\u202e")


def test_nothing_an_engine_says_is_markup_in_markdown_or_svg() -> None:
    for form in ("markdown", "badge"):
        out = render(form, [hostile()], Shown())
        assert "<script>" not in out
        assert "`x`" not in out or form == "badge" or "<pre>" in out


def test_nothing_an_engine_says_is_a_command_for_github() -> None:
    evil = report(result("a", Verdict.FAIL, {**MISMATCH, "mismatches": [], "got": "x\n::error::y"}))

    out = render("github", [evil], Shown())

    assert out.count("\n") == 1
    assert out.startswith("::error file=")


def test_escaping_is_visible_and_loses_nothing() -> None:
    assert plain("a\x1bb\tc\u202e\n") == "a\\x1bb c\\u{202e}\n"
    assert line("a\nb") == "a\\nb"
    assert xml("a\x00b\ud800\ufffe<") == "a\\x00b\\u{d800}\\u{fffe}<"
    assert markdown("a*b_c|<d>") == "a&#42;b&#95;c&#124;&#60;d&#62;"
    assert len(plain("x" * 10000)) == 2001


# -- json


def test_the_json_report_fits_its_schema_and_ends_with_complete() -> None:
    data = json.loads(render("json", [report(*ALL)], Shown()))

    jsonschema.Draft202012Validator(SCHEMA).validate(data)
    assert list(data)[-1] == "complete"
    assert data["summary"] == {"pass": 1, "fail": 2, "unsupported": 1, "error": 1, "not_run": 1}


def test_the_schema_does_not_take_a_pass_that_has_reasons() -> None:
    data = json.loads(render("json", [report(ALL[0])], Shown()))
    data["results"][0]["detail"] = MISMATCH

    assert list(jsonschema.Draft202012Validator(SCHEMA).iter_errors(data))


def test_every_property_of_the_schema_has_a_title_and_a_description() -> None:
    def properties(node: Any) -> list[tuple[str, Any]]:
        if isinstance(node, list):
            return [found for one in node for found in properties(one)]
        if not isinstance(node, dict):
            return []
        here = list(node["properties"].items()) if isinstance(node.get("properties"), dict) else []
        below = [found for key, one in node.items() if key != "if" for found in properties(one)]
        return here + below

    every = [
        (name, one)
        for name, one in properties(SCHEMA)
        if not set(one) <= {"$ref", "const", "enum", "type"}
    ]
    assert len(every) > 30
    assert [name for name, one in every if not one.get("title") or not one.get("description")] == []


def test_several_reports_are_an_array_and_all_read_back(tmp_path: Path) -> None:
    both = [report(*ALL), report(ALL[0], engine=replace(ENGINE, name="xmage"))]
    file = tmp_path / "both.json"
    file.write_text(render("json", both, Shown()), encoding="utf-8")

    assert read(file) == both


def test_a_report_that_was_cut_off_before_its_ending_is_incomplete() -> None:
    data = json.loads(render("json", [report(ALL[0])], Shown()))
    del data["complete"]

    assert from_json(data).complete is False


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "nested too deeply|not JSON"),
        ("{}", "not a report"),
        ('{"format": 99, "results": [], "engine": {}}', "reads formats up to 1"),
        ('{"format": 1, "results": [{}], "engine": {"name": "x", "version": "", "how": ""},'
         ' "corpus": {"version": "", "digest": "", "edition": ""}}', "'id' is missing"),
        ('{"format": 1, "results": 3, "engine": {"name": "x", "version": "", "how": ""},'
         ' "corpus": {"version": "", "digest": "", "edition": ""}}', "not a report"),
    ],
)  # fmt: skip
def test_what_is_no_report_is_refused_with_the_reason(
    content: str, why: str, tmp_path: Path
) -> None:
    file = tmp_path / "bad.json"
    file.write_text(content, encoding="utf-8")

    with pytest.raises(BadReportError, match=why):
        read(file)


# -- junit

JUNIT = xmlschema.XMLSchema(Path(__file__).parent / "junit.xsd")


def valid(root: ET.Element) -> None:
    """Fail unless the document is of the shape that viewers take, and its counts are true."""
    JUNIT.validate(root)
    for suite in root:
        for tag, word in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            assert len(suite.findall(f"testcase/{tag}")) == int(suite.attrib[word])
        assert len(suite.findall("testcase")) == int(suite.attrib["tests"])


@pytest.mark.parametrize("one", [report(*ALL), hostile()], ids=["all verdicts", "hostile"])
def test_junit_has_the_shape_that_viewers_take(one: Report) -> None:
    valid(ET.fromstring(render("junit", [one], Shown())))


def test_junit_has_a_suite_an_engine_and_a_case_a_scenario() -> None:
    root = ET.fromstring(render("junit", [report(*ALL), report(ALL[0])], Shown()))

    assert [suite.attrib["tests"] for suite in root] == ["6", "1"]
    case = root[0].findall("testcase")[1]
    assert case.attrib["classname"] == "2021-09-24.daybound-spell-at-night"
    properties = {one.attrib["name"]: one.attrib["value"] for one in case.iter("property")}
    assert properties["rules"] == "702.145b, 712.13"
    assert case.find("failure") is not None


def test_in_junit_unsupported_and_not_run_are_skipped_and_never_passed() -> None:
    root = ET.fromstring(render("junit", [report(ALL[3], ALL[5])], Shown()))

    messages = [one.attrib["message"] for one in root.iter("skipped")]
    assert messages == ["unsupported: card Moonmist", "not run"]


# -- markdown


def test_markdown_has_the_figures_then_failures_and_folds_the_rest() -> None:
    out = render("markdown", [report(*ALL)], Shown())

    assert out.startswith("## forge 1.6: 1 of 6 passed\n") or "incomplete" in out
    assert (
        out.index("3 to look at") < out.index("unsupported</summary>") < out.index("All 1 ruling<")
    )
    assert out.count("<details>") == out.count("</details>") == 5


def test_markdown_stays_within_what_github_shows() -> None:
    detail = {**MISMATCH, "reason": "<&" * 1000}
    many = [result(f"n{number}", Verdict.FAIL, detail) for number in range(3000)]

    out = render("markdown", [report(*many), report(*many)], Shown())

    assert len(out.encode()) <= LARGEST
    assert "left out to stay within" in out
    assert out.count("<details>") == out.count("</details>")


# -- badge


@pytest.mark.parametrize(
    ("results", "complete", "message", "color"),
    [
        ((ALL[0],), True, "1 of 1", "brightgreen"),
        ((ALL[0], ALL[3]), True, "1 of 2", "yellow"),
        ((ALL[0], ALL[1]), True, "1 of 2", "red"),
        ((ALL[0], ALL[4]), True, "1 of 2", "red"),
        ((ALL[0], ALL[5]), False, "incomplete", "lightgrey"),
        ((), True, "incomplete", "lightgrey"),
    ],
)
def test_a_badge_is_green_only_when_everything_passed(
    results: Sequence[Result], complete: bool, message: str, color: str
) -> None:
    one = report(*results, complete=complete)

    shields = json.loads(render("shields", [one], Shown()))
    svg = ET.fromstring(render("badge", [one], Shown()))

    assert (shields["schemaVersion"], shields["message"], shields["color"]) == (1, message, color)
    assert svg.attrib["aria-label"] == f"card rulings: forge: {message}"


# -- known failures


def settled(*entries: Entry, results: Sequence[Result] = ALL) -> tuple[Report, Shown]:
    one = report(*results)
    account = settle(Expectations(entries), one.results, {r.id: () for r in results})
    return one, Shown(accounts=[(one, account)])


def entry(one: Result, **more: Any) -> Entry:
    made = Entry((one.id,), one.verdict, "we know", kind=(one.detail or {}).get("kind"), line=3)
    return replace(made, **more)


def test_a_known_failure_is_counted_as_failed_and_as_known_and_is_not_told_again() -> None:
    one, shown = settled(entry(ALL[1]), results=ALL[:2])

    out = render("text", [one], shown)

    assert "1 failed (1 known), 1 passed" in out
    assert "expected  back" not in out


def test_an_unexpected_pass_is_told() -> None:
    one, shown = settled(entry(ALL[0], verdict=Verdict.FAIL), results=ALL[:1])

    assert "passes, and is known not to" in render("text", [one], shown)
    assert "line 3 expects fail: we know" in render("text", [one], shown)
    root = ET.fromstring(render("junit", [one], shown))
    valid(root)
    assert len(list(root.iter("failure"))) == 1
    assert render("github", [one], shown).count("::error") == 1
    assert "1 to look at" in render("markdown", [one], shown)


def test_in_junit_a_known_failure_is_skipped_with_its_reason() -> None:
    one, shown = settled(entry(ALL[1]), results=ALL[:2])

    root = ET.fromstring(render("junit", [one], shown))

    assert [s.attrib["message"][:15] for s in root.iter("skipped")] == ["known: we know "]
    assert root.attrib["failures"] == "0"


def test_what_is_wrong_with_the_list_is_told() -> None:
    one, shown = settled(entry(ALL[1], scenarios=("no/such#thing",)), results=ALL[:1])

    assert "line 3: matches no scenario: no/such#thing" in render("text", [one], shown)
    assert "matches no scenario" in render("markdown", [one], shown)


# -- the rest


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_report_looks_the_same_every_time(form: str) -> None:
    assert render(form, [report(*ALL)], Shown()) == render(form, [report(*ALL)], Shown())


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "new" / "report.json"
    write(file, "first")

    with pytest.raises(UnicodeEncodeError):
        write(file, "second \ud800")

    assert file.read_text() == "first"
    assert [one.name for one in file.parent.iterdir()] == ["report.json"]


def test_a_summary_file_is_added_to(tmp_path: Path) -> None:
    file = tmp_path / "summary.md"
    file.write_text("before\n")

    append(file, "after\n")

    assert file.read_text() == "before\nafter\n"


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (ALL[1], "step 4, objects.ruffian.face: expected back, got front"),
        (ALL[2], "step 1: the engine refused a legal action: None"),
        (ALL[3], "card Moonmist"),
        (ALL[4], "crash: ended with exit status 1"),
        (ALL[5], "not run"),
        (ALL[0], ""),
    ],
)
def test_each_verdict_in_one_line(one: Result, said: str) -> None:
    assert one_line(one) == said


def test_two_lists_are_set_against_each_other_line_by_line() -> None:
    events = [{"turn": "bob"}, {"became": "night"}, {"step": "upkeep", "active": "bob"}]
    detail = {**MISMATCH, "path": "events", "expected": events, "got": [events[0], events[2]]}

    out = text(report(result("a", Verdict.FAIL, {**detail, "mismatches": []})))

    assert (
        "  expected    turn: bob\n"
        "            - became: night\n"
        "              step: upkeep, active: bob\n"
        "  got         turn: bob\n"
        "              step: upkeep, active: bob\n"
    ) in out
