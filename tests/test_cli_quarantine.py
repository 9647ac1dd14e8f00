"""What is in quarantine is shown and not counted, in every form of a report."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
import xmlschema
from click.testing import CliRunner, Result

from harness import corpus, reports
from harness.cli import cli
from harness.protocol import Adapter, EngineInfo, Unsupported

HERE = Path(__file__).parent
SCHEMA = json.loads((Path(reports.__file__).parent / "schema" / "report.json").read_text("utf-8"))
JUNIT = xmlschema.XMLSchema(HERE / "harness" / "junit.xsd")

SCENARIO = """\
  - name: {name}
    why: Nothing happens, so it stays as it is.
    given:
      designation: {given}
    steps:
      - advance: {{to: beginning of combat, of: alice}}
      - expect:
          designation: {given}
"""
SCENARIOS = {"right": "day", "sound": "day", "wrong": "night", "doubted": "night", "no": "neither"}
RULING = """\
ruling:
  key: day-to-night
  source: official
  date: 2021-09-24
rules: ["728.2a"]
scenarios:
""" + "".join(SCENARIO.format(name=name, given=given) for name, given in SCENARIOS.items())

REASON = "Two engines <agree> against it."
COUNTED = {"pass": 1, "fail": 1, "unsupported": 0, "error": 0, "not_run": 0}
"""Of the scenarios `right` and `wrong`; the others are in quarantine."""


class Daylight(Adapter[None]):
    """It is always day, and it does not have a game without either."""

    engine = EngineInfo("daylight", "1")

    def set_up(self, given: Any, cards: Any) -> None:
        if given["designation"] == "neither":
            raise Unsupported("given", "neither")

    def act(self, game: None, step: Any) -> None:
        return None

    def observe(self, game: None, look: Any) -> Any:
        return {key: "day" for key in look if key == "designation"}


@pytest.fixture(scope="module")
def cached() -> Any:
    """Load the corpus once for the whole module."""
    load = corpus.load_corpus

    @functools.cache
    def whole() -> corpus.Corpus:
        return load()

    def cached(*args: Any, **more: Any) -> corpus.Corpus:
        return load(*args, **more) if any((*args, *more.values())) else whole()

    return cached


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cached: Any) -> Iterator[Path]:
    """Be in a folder with five scenarios, three of them in doubt."""
    for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(corpus, "load_corpus", cached)
    monkeypatch.syspath_prepend(str(HERE))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "nights.yaml").write_text(RULING, encoding="utf-8")
    doubted("*#sound", "*#doubted", "*#no")
    yield tmp_path


def doubted(*scenarios: str, file: str = "doubts.yaml") -> None:
    listed = {"quarantine": [{"scenarios": scenarios, "reason": REASON}]}
    Path(file).write_text(json.dumps(listed), encoding="utf-8")


def rulings(*words: str) -> Result:
    ran = CliRunner().invoke(cli, words, prog_name="rulings")
    assert ran.exit_code in (0, 1), ran.output
    return ran


def played(form: str, *words: str, doubts: str | None = "doubts.yaml") -> str:
    listed = ["--quarantine", doubts] if doubts else []
    engine = "python:test_cli_quarantine:Daylight"
    return rulings("run", "mine", "-e", engine, "--format", form, *listed, *words).stdout


def shown_again(form: str, *words: str) -> str:
    Path("stored.json").write_text(played("json"), encoding="utf-8")
    return rulings("report", "stored.json", "--format", form, *words).stdout


def shown_again_by_list(form: str) -> str:
    """Show a report that was stored when nothing was in doubt yet."""
    Path("stored.json").write_text(played("json", doubts=None), encoding="utf-8")
    return rulings("report", "stored.json", "--format", form, "--quarantine", "doubts.yaml").stdout


each_way = pytest.mark.parametrize("told", [played, shown_again, shown_again_by_list])


def by_name(data: Any) -> dict[str, Any]:
    return {result["id"].partition("#")[2]: result for result in data["results"]}


# -- JSON


@each_way
def test_json_marks_them_and_counts_only_the_others(told: Any) -> None:
    data = json.loads(told("json"))

    jsonschema.validate(data, SCHEMA)
    assert data["summary"] == {**COUNTED, "quarantined": 3}
    results = by_name(data)
    assert {name: one["verdict"] for name, one in results.items()} == {
        "right": "pass", "sound": "pass", "wrong": "fail", "doubted": "fail", "no": "unsupported",
    }  # fmt: skip
    marked = {name: one["quarantined"] for name, one in results.items() if "quarantined" in one}
    assert marked == {"sound": True, "doubted": True, "no": True}
    assert results["doubted"]["detail"]["expected"] == "night"


def test_json_says_nothing_of_quarantine_where_there_is_none() -> None:
    data = json.loads(played("json", doubts=None))

    jsonschema.validate(data, SCHEMA)
    assert data["summary"] == {**COUNTED, "pass": 2, "fail": 2, "unsupported": 1}
    assert not any("quarantined" in result for result in data["results"])


def test_the_schema_takes_no_mark_that_says_nothing() -> None:
    data = json.loads(played("json"))
    for key, wrong in (("summary", 0), ("results", False)):
        changed = json.loads(json.dumps(data))
        (changed[key] if key == "summary" else changed[key][1])["quarantined"] = wrong
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(changed, SCHEMA)


def test_a_list_that_is_named_decides_alone_about_a_stored_report() -> None:
    doubted("*#wrong", file="other.yaml")

    data = json.loads(shown_again("json", "--quarantine", "other.yaml"))

    assert data["summary"] == {**COUNTED, "pass": 2, "unsupported": 1, "quarantined": 1}
    assert [name for name, one in by_name(data).items() if "quarantined" in one] == ["wrong"]


def test_a_merged_report_still_has_them() -> None:
    for number in "12":
        Path(f"{number}.json").write_text(played("json", "--shard", f"{number}/2"), "utf-8")

    data = json.loads(rulings("merge", "1.json", "2.json").stdout)

    assert data == {**json.loads(played("json")), "seconds": data["seconds"]}
    assert data["summary"]["quarantined"] == 3


# -- JUnit


def cases(text: str) -> tuple[ET.Element, dict[str, ET.Element]]:
    JUNIT.validate(text)
    root = ET.fromstring(text)
    return root, {case.attrib["name"]: case for case in root.iter("testcase")}


def skipped(case: ET.Element) -> str:
    [child] = [one for one in case if one.tag != "properties"]
    assert child.tag == "skipped"
    return child.attrib["message"]


@each_way
def test_junit_skips_them_and_says_their_verdict(told: Any) -> None:
    root, every = cases(told("junit"))

    for counts in (root, root[0]):
        assert [counts.attrib[key] for key in ("tests", "failures", "errors", "skipped")] == [
            "5", "1", "0", "3",
        ]  # fmt: skip
    reason = "So the stored report says." if told is shown_again else REASON
    assert skipped(every["sound"]) == f"pass, in quarantine ({reason})"
    assert skipped(every["doubted"]).startswith(f"fail, in quarantine ({reason}): step 2, ")
    assert skipped(every["no"]) == f"unsupported, in quarantine ({reason}): given neither"
    assert every["wrong"].find("failure") is not None
    assert [one.tag for one in every["right"]] == ["properties"]


def test_junit_has_them_beside_known_failures() -> None:
    known = [{"scenarios": ["*#wrong"], "count": 1, "verdict": "fail", "reason": "not yet"}]
    Path("known.yaml").write_text(json.dumps({"expectations": known}), encoding="utf-8")

    root, every = cases(played("junit", "--expectations", "known.yaml"))

    assert (root.attrib["tests"], root.attrib["failures"], root.attrib["skipped"]) == (
        "5",
        "0",
        "4",
    )
    assert list(every) == list(SCENARIOS)
    assert skipped(every["wrong"]).startswith("known: not yet")
    assert skipped(every["doubted"]).startswith("fail, in quarantine")


def test_junit_says_it_of_what_was_not_run() -> None:
    doubted("*#doubted")

    _, every = cases(played("junit", "-x"))

    assert skipped(every["doubted"]) == f"not run, in quarantine ({REASON})"
    assert skipped(every["no"]) == "not run"


# -- Markdown


@each_way
def test_markdown_lists_them_folded_and_in_no_figure(told: Any) -> None:
    text = told("markdown")

    assert text.startswith("## daylight 1: 1 of 2 passed\n")
    assert "| 1 | 0 | 1 | 0 | 0 | 2 |" in text and "### 1 to look at" in text
    opening, folded = text.split("<details><summary>3 in quarantine, not counted</summary>")
    part, rest = folded.split("</details>", 1)
    names = [row.split("|")[1].strip().partition("&#35;")[2] for row in part.splitlines()[4:7]]
    assert names == ["sound", "doubted", "no"]
    assert [row.split("|")[2].strip() for row in part.splitlines()[4:7]] == [
        "✓ pass", "✗ fail", "○ unsupported",
    ]  # fmt: skip
    assert "<agree>" not in part
    assert "doubted" not in opening and "unsupported</summary>" not in rest
    assert "| 1 |  | 1 |  |  |" in rest


def test_markdown_has_no_such_part_where_there_are_none() -> None:
    assert "in quarantine" not in played("markdown", doubts=None)


# -- badge, shields


@each_way
def test_a_badge_does_not_count_them(told: Any) -> None:
    assert "card rulings: daylight: 1 of 2" in told("badge")
    shield = json.loads(told("shields"))
    assert (shield["message"], shield["color"]) == ("1 of 2", "red")


def test_a_badge_is_green_when_all_that_counts_passes() -> None:
    doubted("*#wrong", "*#doubted", "*#no")

    shield = json.loads(played("shields"))

    assert (shield["message"], shield["color"]) == ("2 of 2", "brightgreen")


# -- annotations


@each_way
def test_annotations_are_only_for_what_counts(told: Any) -> None:
    [only] = told("github").splitlines()

    assert only.startswith("::error file=") and "#wrong::daylight: step 2" in only


# -- all that a run may write at once


def test_the_summary_of_a_step_and_the_site_have_them_too(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(place / "step.md"))

    shown_again("html", "-o", "site")

    # Written by the run, and by the report that was shown again.
    assert (place / "step.md").read_text("utf-8").count("3 in quarantine, not counted") == 2
    page = (place / "site" / "disagreements.html").read_text("utf-8")
    assert page.count("So the stored report says.") == 3
