"""Reports that were stored once can be read for good: one file a format, never changed again."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from harness import reports
from harness.cli import cli
from harness.model import FORMAT, Verdict
from harness.reports.json import from_json, read

STORED = Path(__file__).parent / "stored"
FORMATS = range(1, FORMAT + 1)
SCHEMA = json.loads((Path(reports.__file__).parent / "schema" / "report.json").read_text("utf-8"))


def test_there_is_a_stored_report_of_each_format() -> None:
    assert sorted(file.name for file in STORED.iterdir()) == [
        f"report-format-{number}.json" for number in FORMATS
    ]


@pytest.mark.parametrize("number", FORMATS)
def test_a_report_of_each_format_is_read_whole(number: int) -> None:
    [found] = read(STORED / f"report-format-{number}.json")

    assert [result.verdict for result in found.results] == [
        Verdict.PASS, Verdict.FAIL, Verdict.UNSUPPORTED, Verdict.ERROR, Verdict.NOT_RUN,
    ]  # fmt: skip
    assert found.engine.name == "old engine"
    assert found.complete is False
    assert found.results[1].detail is not None
    assert found.results[1].detail["path"] == "turn.step"


@pytest.mark.parametrize("number", FORMATS)
@pytest.mark.parametrize("form", reports.FORMATS)
def test_a_report_of_each_format_is_shown_in_every_form(
    number: int, form: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    monkeypatch.chdir(tmp_path)
    file = STORED / f"report-format-{number}.json"

    done = CliRunner().invoke(cli, ["report", str(file), "--format", form], prog_name="rulings")

    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize("number", FORMATS)
def test_a_report_of_each_format_can_be_compared_with_one_of_today(
    number: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    old = STORED / f"report-format-{number}.json"
    CliRunner().invoke(cli, ["run", "day-to-night", "-qq", "-o", "new.json"], prog_name="rulings")

    done = CliRunner().invoke(cli, ["diff", str(old), "new.json"], prog_name="rulings")

    assert done.exit_code in (0, 1), done.stderr
    assert "no spell in a whole turn" in done.stdout


def test_what_this_version_does_not_know_is_passed_over() -> None:
    data = json.loads((STORED / f"report-format-{FORMAT}.json").read_text("utf-8"))
    plain = from_json(data)
    data["more"] = data["engine"]["more"] = data["corpus"]["more"] = 1
    data["results"][0]["more"] = 1

    assert from_json(data) == plain


def test_a_report_that_ended_early_fits_its_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["run", "day-to-night", "-e", "fault:does-nothing", "-x", "-o", "early.json"]
    CliRunner().invoke(cli, words, prog_name="rulings")

    data = json.loads(Path("early.json").read_text("utf-8"))

    assert data["summary"]["not_run"] > 3
    jsonschema.Draft202012Validator(SCHEMA).validate(data)
