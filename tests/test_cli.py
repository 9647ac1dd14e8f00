"""The command line, as a person types it. Exit statuses: 0, 1, 2, 3 and 130."""

from __future__ import annotations

import functools
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result

from harness import __version__, corpus, sources
from harness.cli import cli
from harness.protocol import Adapter, EngineInfo, Unsupported

HERE = Path(__file__)
ROOT = HERE.parent.parent
MINIATURES = HERE.parent / "harness" / "miniatures"
ONE = "2021-09-24/daybound-spell-at-night"

RULING = """\
ruling:
  key: day-to-night
  source: official
  date: 2021-09-24
rules: ["728.2a"]
scenarios:
  - name: nobody casts anything
    why: Alice casts nothing, so night falls as Bob's turn begins.
    given:
      designation: day
    steps:
      - advance: {to: upkeep, of: bob}
      - expect:
          designation: night
"""


class Daylight(Adapter[None]):
    """Plays everything, and it is always day."""

    engine = EngineInfo("daylight", "1")

    def set_up(self, given: Any, cards: Any) -> None:
        return None

    def act(self, game: None, step: Any) -> None:
        return None

    def observe(self, game: None, look: Any) -> Any:
        return {key: "day" for key in look if key == "designation"}


class Wavering(Daylight):
    """Says day the first time, and night the second."""

    plays = 0

    def observe(self, game: None, look: Any) -> Any:
        type(self).plays += 1
        return {"designation": "night" if self.plays % 2 else "day"}


class Shy(Daylight):
    """Supports nothing."""

    def set_up(self, given: Any, cards: Any) -> None:
        raise Unsupported("given", "anything")


class Liar(Daylight):
    """Declares a card and then does not know it."""

    cards = ("Plains",)

    def set_up(self, given: Any, cards: Any) -> None:
        raise Unsupported("card", "Plains")


class Broken(Daylight):
    """Breaks inside, saying what a terminal would obey."""

    def act(self, game: None, step: Any) -> None:
        raise RuntimeError("\x1b[2Jboom")


@pytest.fixture(scope="module")
def cached() -> Any:
    """Load the corpus once for the whole module: what it holds is tested elsewhere."""
    load = corpus.load_corpus

    @functools.cache
    def whole() -> corpus.Corpus:
        return load()

    def cached(*args: Any, **more: Any) -> corpus.Corpus:
        return load(*args, **more) if any((*args, *more.values())) else whole()

    return cached


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cached: Any) -> Iterator[Path]:
    """Be in an empty folder, in no pipeline, with the corpus at hand."""
    for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(corpus, "load_corpus", cached)
    monkeypatch.syspath_prepend(str(HERE.parent))
    yield tmp_path


def rulings(*words: str) -> Result:
    """Run a command line in this process."""
    return CliRunner().invoke(cli, words, prog_name="rulings")


def process(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run a command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "harness", *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        **more,
    )


def my_ruling(place: Path, text: str = RULING) -> str:
    folder = place / "mine"
    folder.mkdir(exist_ok=True)
    (folder / "first-night.yaml").write_text(text, encoding="utf-8")
    return "mine"


def engine(kind: type[Adapter[Any]]) -> str:
    return f"python:test_cli:{kind.__name__}"


def miniature(name: str) -> str:
    return f"cmd:{sys.executable} {MINIATURES / name}.py"


# -- exit statuses, of real processes


def test_status_0_when_all_is_as_expected() -> None:
    ran = process("run", ONE)

    assert (ran.returncode, ran.stderr) == (0, "")
    assert " passed in " in ran.stdout.splitlines()[-1]


def test_status_1_when_something_is_not(place: Path) -> None:
    ran = process("run", my_ruling(place), "--engine", "fault:does-nothing")

    assert (ran.returncode, ran.stderr) == (1, "")


@pytest.mark.parametrize(
    "words",
    [
        ("run", "no-such-thing"),
        ("runn",),
        ("run", "--jobs", "none"),
        ("run", ONE, "--timeout", "nan"),
        ("run", "-k", "(" * 3000),
        ("run", "-k", "not " * 3000 + "night"),
        ("show",),
    ],
)
def test_status_2_on_bad_usage_in_one_line(words: tuple[str, ...]) -> None:
    ran = process(*words)

    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("rulings: ")
    assert ran.stderr.count("\n") == 1


def test_no_command_shows_the_overview_in_its_own_lines() -> None:
    ran = process()

    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == process("--help").stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has it")
@pytest.mark.parametrize(
    "words", [("run", ONE), ("run", ONE, "--format", "json"), ("list",), ("--help",)]
)
def test_a_full_disk_is_told_in_one_line(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "harness", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )

    assert ran.stderr == "rulings: cannot write the output: no space left on device\n"
    assert ran.returncode == 2


def test_status_3_when_an_engine_cannot_be_started() -> None:
    ran = process("run", ONE, "--engine", "cmd:no-such-program")

    assert (ran.returncode, ran.stdout) == (3, "")
    assert ran.stderr == (
        "rulings: cmd:no-such-program could not be started: "
        "no-such-program: No such file or directory\n"
    )


def test_an_engine_whose_module_ends_the_process_could_not_be_started(place: Path) -> None:
    (place / "exits.py").write_text("import sys\nsys.exit(0)\n")
    ran = process("run", ONE, "--engine", "python:exits:engine")

    assert (ran.returncode, ran.stdout) == (3, "")
    assert ran.stderr.startswith(
        "rulings: python:exits:engine could not be started: exits:engine: SystemExit: 0\n"
    )


def test_coverage_nested_too_deeply_is_bad_usage(place: Path) -> None:
    (place / "deep.json").write_text('{"a":' * 50_000)
    ran = process("run", ONE, "--coverage", "deep.json")

    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "rulings: deep.json: not what `rulings coverage --format json` writes\n"


def test_ctrl_c_still_reports_what_was_done_and_leaves_no_process(place: Path) -> None:
    marker = place / "pid"
    script = place / "sleeper.py"
    script.write_text(
        f"import os, pathlib, sys\n"
        f"sys.path.insert(0, {str(MINIATURES)!r})\n"
        f"from mini import hello, say\n"
        f"import time\n"
        f"input(); say(hello()); input()\n"
        f"pathlib.Path({str(marker)!r}).write_text(str(os.getpid()))\n"
        f"time.sleep(100)\n"
    )
    words = ["run", my_ruling(place), "-e", f"cmd:{sys.executable} {script}", "-o", "report.json"]
    running = subprocess.Popen(
        [sys.executable, "-m", "harness", *words], stdout=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 20
    while not marker.exists() or not marker.read_text():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    out, _ = running.communicate(timeout=20)

    assert running.returncode == 130
    assert "incomplete, 1 not run" in out
    assert json.loads((place / "report.json").read_text())["complete"] is False
    with pytest.raises(ProcessLookupError):
        os.kill(int(marker.read_text()), 0)


def test_ctrl_c_while_it_still_starts_is_told_in_one_line() -> None:
    # Click is the first of what is imported, and here it is interrupted.
    interrupted = (
        "import sys\n"
        "class Press:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'click': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Press())\n"
        "sys.argv = ['rulings', 'list']\n"
        "from harness.__main__ import main\n"
        "main()\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", interrupted], capture_output=True, text=True, timeout=60, check=False
    )

    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "rulings: interrupted\n")


def test_the_version_comes_at_once() -> None:
    began = time.monotonic()
    ran = process("--version")
    seconds = time.monotonic() - began

    assert ran.stdout == f"card-rulings {__version__}\n"
    assert seconds < 1  # 0.1 on an idle machine; benchmarks/run.py measures it


def test_starting_imports_nothing_but_click() -> None:
    code = "import sys, harness.cli; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    loaded = set(ran.stdout.split())
    assert "click" in loaded
    assert not loaded & {"yaml", "jsonschema", "rich", "importlib.metadata", "subprocess"}


def test_a_reader_that_goes_away_is_no_error() -> None:
    ran = subprocess.run(
        f"{sys.executable} -m harness list -q | head -1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.stderr == ""
    assert ran.stdout.count("\n") == 1


# -- every verdict


@pytest.mark.parametrize(
    ("spec", "verdict", "kind"),
    [
        ("reference", "pass", None),
        (engine(Daylight), "fail", "mismatch"),
        (engine(Shy), "unsupported", "given"),
        (engine(Liar), "error", "false-unsupported"),
        (engine(Broken), "error", "engine"),
    ],
)
def test_each_verdict_in_the_json_report(
    spec: str, verdict: str, kind: str | None, place: Path
) -> None:
    ran = rulings("run", my_ruling(place), "--engine", spec, "--format", "json")

    [result] = json.loads(ran.stdout)["results"]
    assert result["verdict"] == verdict
    assert (result["detail"] or {}).get("kind") == kind
    assert ran.exit_code == (0 if verdict == "pass" else 1)


@pytest.mark.parametrize(
    ("name", "kind"), [("dies_in_the_middle", "crash"), ("not_json", "protocol")]
)
def test_an_engine_that_breaks_costs_only_what_it_breaks_on(
    name: str, kind: str, place: Path
) -> None:
    text = RULING + RULING.partition("scenarios:\n")[2].replace("nobody", "again nobody")
    ran = rulings("run", my_ruling(place, text), "-e", miniature(name), "--format", "json")

    results = json.loads(ran.stdout)["results"]
    assert len(results) == 2
    assert all(result["verdict"] != "not_run" for result in results)
    assert {(r["detail"] or {}).get("kind") for r in results} <= {kind, "mismatch", None}


def test_a_time_out_is_an_error(place: Path) -> None:
    ran = rulings(
        "run", my_ruling(place), "-e", miniature("slow"), "--timeout", "0.2", "--format", "json"
    )

    [result] = json.loads(ran.stdout)["results"]
    assert result["verdict"] in ("error", "fail", "pass")


def test_not_run_is_what_comes_after_the_first_failure_with_x() -> None:
    ran = rulings("run", ONE, "-e", "fault:does-nothing", "-x", "--format", "json")

    report = json.loads(ran.stdout)
    assert report["summary"]["fail"] == 1
    assert report["summary"]["not_run"] == len(report["results"]) - 1
    assert report["complete"] is False
    assert ran.exit_code == 1


def test_different_answers_are_unstable_which_is_a_fail(place: Path) -> None:
    ran = rulings(
        "run", my_ruling(place), "-e", engine(Wavering), "--repeat", "2", "--format", "json"
    )

    [result] = json.loads(ran.stdout)["results"]
    assert (result["verdict"], result["detail"]["kind"]) == ("fail", "unstable")


def test_a_run_in_which_nothing_could_be_played_is_not_all_well(place: Path) -> None:
    ran = rulings("run", my_ruling(place), "-e", engine(Shy))

    assert ran.exit_code == 1
    assert "Nothing was played" in ran.stdout


def test_what_an_engine_says_reaches_the_terminal_escaped(place: Path) -> None:
    ran = rulings("run", my_ruling(place), "-e", engine(Broken), "--color", "always")

    assert "\\x1b[2Jboom" in ran.stdout
    assert "\x1b[2J" not in ran.stdout


# -- run


def test_both_ways_to_the_reference_engine_give_the_same_report() -> None:
    piped = rulings("run", ONE, "-e", f"cmd:{sys.executable} -m reference_engine", "-o", "a.json")
    direct = rulings("run", ONE, "-o", "b.json")

    assert piped.exit_code == direct.exit_code == 0
    one, other = (json.loads(Path(name).read_text()) for name in ("a.json", "b.json"))
    one["engine"].pop("how")
    other["engine"].pop("how")
    one.pop("seconds")
    other.pop("seconds")
    assert one == other


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_same_input_gives_the_same_report(jobs: str) -> None:
    reports = []
    for _ in range(2):
        ran = rulings("run", ONE, "--jobs", jobs, "--format", "json")
        reports.append({**json.loads(ran.stdout), "seconds": 0})

    assert reports[0] == reports[1]


def test_several_engines_give_an_array_of_reports(place: Path) -> None:
    ran = rulings(
        "run", my_ruling(place), "-e", "reference", "-e", engine(Daylight), "--format", "json"
    )

    assert [one["engine"]["name"] for one in json.loads(ran.stdout)] == ["reference", "daylight"]
    assert ran.exit_code == 1


def test_one_engine_that_cannot_start_does_not_keep_the_others_from_it(place: Path) -> None:
    ran = rulings(
        "run", my_ruling(place), "-e", "cmd:no-such-program", "-e", "reference", "--format", "json"
    )

    assert json.loads(ran.stdout)["summary"]["pass"] == 1
    assert ran.exit_code == 3


def test_files_take_their_form_from_their_names_and_the_summary_is_still_said(
    place: Path,
) -> None:
    names = ["r.json", "r.xml", "r.md", "r.svg", "r.txt"]
    ran = rulings("run", ONE, *(word for name in names for word in ("-o", name)))

    assert ran.exit_code == 0
    assert json.loads(Path("r.json").read_text())["complete"] is True
    assert ET.parse("r.xml").getroot().tag == "testsuites"
    assert ET.parse("r.svg").getroot().tag.endswith("svg")
    assert Path("r.md").read_text().startswith("## reference")
    assert Path("r.txt").read_text().splitlines()[-1] == ran.stdout.splitlines()[-1]
    assert "\x1b" not in Path("r.txt").read_text()


def test_a_format_can_be_named_for_each_output() -> None:
    rulings("run", ONE, "--format", "shields", "-o", "badge.json", "--format", "json", "-o", "x")

    assert json.loads(Path("badge.json").read_text())["schemaVersion"] == 1
    assert json.loads(Path("x").read_text())["format"] == 1


def test_more_formats_than_outputs_are_a_usage_error() -> None:
    ran = rulings("run", ONE, "--format", "json", "--format", "text", "-o", "x")

    assert (ran.exit_code, ran.stdout) == (2, "")


def test_a_report_that_cannot_be_written_is_said() -> None:
    Path("file").write_text("")
    ran = rulings("run", ONE, "-o", "file/report.json")

    assert ran.exit_code == 2
    assert "cannot write file/report.json" in ran.stderr


def test_in_github_failures_are_annotated_and_the_summary_is_added_to(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    Path("summary.md").write_text("before\n")

    ran = rulings("run", my_ruling(place), "-e", engine(Daylight))

    assert ran.stdout.splitlines()[-1].startswith(
        "::error file=mine/first-night.yaml,line=7,title=mine/first-night#nobody casts anything::"
    )
    assert Path("summary.md").read_text().startswith("before\n## daylight 1: 0 of 1 passed\n")


def test_shards_are_even_and_together_everything() -> None:
    every = json.loads(rulings("list", "--format", "json").stdout)
    parts = []
    for number in (1, 2, 3):
        ran = rulings("run", "--shard", f"{number}/3", "--format", "json")
        parts.append([one["id"] for one in json.loads(ran.stdout)["results"]])

    played = [one for part in parts for one in part]
    assert len(played) == len(set(played))
    assert set(played) <= {one["id"] for one in every}
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize("part", ["0/3", "4/3", "x", "1/0"])
def test_a_shard_that_is_none_is_said(part: str) -> None:
    ran = rulings("run", "--shard", part)

    assert ran.exit_code == 2
    assert "expected I/N" in ran.stderr


def test_the_command_of_a_failure_plays_just_it_again() -> None:
    ran = rulings("run", ONE, "-e", "fault:does-nothing", "-x")
    told = ran.stdout.partition("again     ")[2].partition("\n\n")[0].replace("\\\n", " ")

    again = subprocess.run(
        told.replace("rulings", f"{sys.executable} -m harness", 1),
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )

    assert "1 failed in" in again.stdout.splitlines()[-1]


@pytest.mark.parametrize("folder", [".", "mine", "deep/mine", "rulings/2021-09-24"])
def test_so_does_that_of_a_failure_in_a_file_that_stands_alone(place: Path, folder: str) -> None:
    file = place / folder / "first-night.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(RULING + RULING.partition("scenarios:\n")[2].replace("nobody", "again nobody"))
    ran = rulings("run", str(file.relative_to(place)), "-e", "fault:does-nothing", "-x")
    told = ran.stdout.partition("again     ")[2].partition("\n\n")[0].replace("\\\n", " ")

    again = rulings(*shlex.split(told)[1:])

    assert "1 failed in" in again.stdout.splitlines()[-1]


# -- known failures


def test_known_failures_are_written_then_expected(place: Path) -> None:
    words = ("run", my_ruling(place), "-e", engine(Daylight), "-qq")

    assert rulings(*words, "--write-expectations", "known.yaml").exit_code == 1
    ran = rulings(*words, "--expectations", "known.yaml")

    assert ran.exit_code == 0
    assert "1 failed (1 known)" in ran.stdout


def test_an_unexpected_pass_is_not_as_expected(place: Path) -> None:
    rulings("run", my_ruling(place), "-e", engine(Daylight), "--write-expectations", "known.yaml")
    ran = rulings("run", "mine", "--expectations", "known.yaml")

    assert ran.exit_code == 1
    assert "passes, and is known not to" in ran.stdout


def test_a_bad_list_of_known_failures_is_a_bad_file() -> None:
    Path("known.yaml").write_text("expectations: [{scenarios: 3}]\n")
    ran = rulings("run", ONE, "--expectations", "known.yaml")

    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr.startswith("known.yaml:1:")


# -- selection


@pytest.mark.parametrize(
    "word",
    [
        ONE,
        f"{ONE}.yaml",
        "daybound-spell-at-night",
        f"rulings/{ONE}.yaml",
        f"{ONE}#front-face",
        "2021-09-24/daybound-spell-*",
        str(sources.root() / f"{ONE}.yaml"),
        f"{ONE}:12",
    ],
)
def test_a_ruling_is_reached_by_any_of_its_names(word: str) -> None:
    ran = rulings("list", "-q", word)

    assert ran.exit_code == 0
    assert all(line.startswith(f"{ONE}#") for line in ran.stdout.splitlines())


def test_a_rule_and_a_card_name_scenarios_too() -> None:
    by_rule = json.loads(rulings("list", "728.2", "--format", "json").stdout)
    by_card = json.loads(rulings("list", "curse of leeches", "--format", "json").stdout)

    assert all(any(rule.startswith("728.2") for rule in one["rules"]) for one in by_rule)
    assert {rule for one in by_rule for rule in one["rules"]} >= {"728.2a", "728.2b"}
    assert all("Curse of Leeches" in one["cards"] for one in by_card)


def test_an_id_and_its_slug_mean_the_one_scenario() -> None:
    every = rulings("list", "-q", ONE).stdout.splitlines()
    exact = rulings("list", "-q", every[0]).stdout.splitlines()

    assert exact == every[:1]


def test_k_takes_and_or_not_and_quotes() -> None:
    every = rulings("list", "-q", "Curse of Leeches").stdout.splitlines()
    some = rulings("list", "-q", "Curse of Leeches", "-k", "attached or hexproof").stdout
    rest = rulings("list", "-q", "Curse of Leeches", "-k", "not (attached or 'hexproof')").stdout

    assert sorted(some.splitlines() + rest.splitlines()) == sorted(every)
    assert some and rest


@pytest.mark.parametrize("expression", ["a and", "(a", "a b", "or", "not"])
def test_an_expression_that_cannot_be_read_is_said(expression: str) -> None:
    ran = rulings("list", "-k", expression)

    assert ran.exit_code == 2
    assert "-k" in ran.stderr


@pytest.mark.parametrize(
    ("words", "near"),
    [
        (("list", "daybound-spel-at-night"), "daybound-spell-at-night"),
        (("list", "Curse of Leaches"), "Curse of Leeches"),
        (("list", "728.2z"), "728.2"),
        (("run", "-e", "refrence"), "'reference'"),
        (("lst",), "list"),
        (("run", "--engin", "x"), "--engine"),
        (("check", "--explain", "Y999"), "Y00"),
        (("run", "--edition", "2024-06-10"), "2024-06-07"),
        (("faults", "--fault", "does-nothin"), "does-nothing"),
    ],
)
def test_a_wrong_word_is_answered_with_what_is_near(words: tuple[str, ...], near: str) -> None:
    ran = rulings(*words)

    assert ran.exit_code == 2
    assert ran.stdout == ""
    assert near in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_nothing_selected_is_an_error_even_if_the_words_are_right() -> None:
    ran = rulings("run", "-k", "night and nonsuch")

    assert (ran.exit_code, ran.stdout) == (2, "")
    assert "nothing selected" in ran.stderr


def test_an_edition_chooses_what_holds_and_numbers_as_it_does() -> None:
    base = json.loads(rulings("run", "728.2a", "--format", "json").stdout)
    newest = json.loads(rulings("run", "728.2a", "--edition", "newest", "--format", "json").stdout)

    assert base["corpus"]["edition"] == "2024-06-07"
    assert newest["corpus"]["edition"] > "2026"
    assert not {"728.2a"} & {rule for one in newest["results"] for rule in one["rules"]}


def test_a_scenario_of_another_edition_is_not_played_but_said() -> None:
    every = json.loads(rulings("list", "--format", "json").stdout)
    later = next(one["id"] for one in every if (one["since"] or "") > "2024-06-07")

    ran = rulings("run", later)

    assert ran.exit_code == 2
    assert "none of this holds in the edition of 2024-06-07" in ran.stderr
    assert "since 20" in ran.stderr


# -- list, show, engines, completion


def test_list_counts_what_it_shows_and_fits_a_terminal() -> None:
    ran = rulings("list")

    assert max(map(len, ran.stdout.splitlines())) <= 80
    assert ran.stdout.splitlines()[-1].endswith("rulings")


def test_show_tells_a_scenario_with_its_ruling_and_rules() -> None:
    ran = rulings("show", f"{ONE}#front-face")

    assert "official  daybound-spell-at-night, 2021-09-24" in ran.stdout
    assert "rules     " in ran.stdout
    assert "      It is night, in Alice's precombat main phase.\n" in ran.stdout
    assert "   1  Alice casts " in ran.stdout
    assert max(map(len, ran.stdout.splitlines())) <= 80


def test_every_scenario_can_be_told() -> None:
    every = json.loads(rulings("list", "--format", "json").stdout)
    told = rulings("show", "*").stdout

    assert told.count("─" * 80) == len(every)
    assert max(map(len, told.splitlines())) <= 80
    assert "{" not in told.replace("{C}", "").partition("can spend")[0]


def test_show_prints_the_exact_message_without_an_expected_value() -> None:
    ran = rulings("show", f"{ONE}#front-face", "--protocol")

    message = json.loads(ran.stdout)
    assert message["type"] == "run"
    assert "expect" not in ran.stdout


def test_engines_are_listed_for_people_and_machines() -> None:
    assert "reference" in rulings("engines").stdout
    names = [one["name"] for one in json.loads(rulings("engines", "--format", "json").stdout)]
    assert {"fault", "reference"} <= set(names)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_for_rulings(shell: str) -> None:
    ran = rulings("completion", shell)

    assert ran.exit_code == 0
    assert "_RULINGS_COMPLETE" in ran.stdout


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("rulings ru", "run"),
        ("rulings run 2021-09-24/daybound-sp", ONE),
        (f"rulings show {ONE}#fr", f"{ONE}#front-face"),
        ("rulings run --engine ref", "reference"),
    ],
)
def test_commands_scenarios_and_engines_are_completed(
    line: str, offered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_RULINGS_COMPLETE", "zsh_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))

    ran = CliRunner().invoke(cli, [], prog_name="rulings", complete_var="_RULINGS_COMPLETE")

    assert offered in ran.stdout


def test_no_words_show_the_help() -> None:
    ran = rulings()

    assert "Commands:" in ran.output


# -- check


def test_check_names_line_and_column_of_what_is_wrong(place: Path) -> None:
    my_ruling(place, RULING.replace("designation: night", "designaton: night"))

    ran = rulings("check", "mine")

    assert ran.exit_code == 2
    assert ran.stdout.startswith("mine/first-night.yaml:14:11: ")
    assert "designation" in ran.stdout
    assert ran.stdout.splitlines()[-1] == "1 problem in 1 file"


def test_check_for_machines(place: Path) -> None:
    my_ruling(place, RULING.replace("728.2a", "999.9"))

    [problem] = json.loads(rulings("check", "mine", "--format", "json").stdout)
    annotated = rulings("check", "mine", "--format", "github").stdout

    assert (problem["file"], problem["line"]) == ("mine/first-night.yaml", 5)
    assert annotated.startswith("::error file=mine/first-night.yaml,line=5,col=")


def test_check_explains_its_codes() -> None:
    problem = rulings("check", "--explain", "Y001")

    assert problem.exit_code == 0
    assert problem.stdout.startswith("#")


def test_check_of_codes_that_are_none_is_said() -> None:
    assert rulings("check", "--select", "QQ").exit_code == 2


def test_a_run_of_a_bad_file_names_the_problem_and_is_no_traceback(place: Path) -> None:
    ran = rulings("run", my_ruling(place, "scenarios: [\n"))

    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr.startswith("mine/first-night.yaml:")
    assert "Traceback" not in ran.stderr


# -- report, merge, diff


def test_a_stored_report_is_shown_again_in_any_form(place: Path) -> None:
    ran = rulings("run", my_ruling(place), "-e", engine(Daylight), "-o", "r.json")
    text = rulings("report", "r.json")
    again = rulings("report", "r.json", "--format", "json")

    assert text.stdout.splitlines()[-1] == ran.stdout.splitlines()[-1]
    assert again.stdout == Path("r.json").read_text()


def test_a_file_that_is_no_report_is_said() -> None:
    Path("r.json").write_text("{}")

    assert rulings("report", "r.json").exit_code == 2
    assert "r.json: not a report" in rulings("report", "r.json").stderr


def test_shards_are_merged_into_what_one_machine_would_have_reported() -> None:
    rulings("run", ONE, "-o", "whole.json")
    for number in (1, 2):
        rulings("run", ONE, "--shard", f"{number}/2", "-o", f"{number}.json")

    merged = json.loads(rulings("merge", "1.json", "2.json").stdout)

    whole = json.loads(Path("whole.json").read_text())
    assert {**merged, "seconds": 0} == {**whole, "seconds": 0}


def test_reports_of_different_corpora_are_not_merged() -> None:
    rulings("run", ONE, "-o", "a.json")
    other = json.loads(Path("a.json").read_text())
    other["corpus"]["digest"] = "0" * 64
    Path("b.json").write_text(json.dumps(other))

    ran = rulings("merge", "a.json", "b.json")

    assert ran.exit_code == 2
    assert "different corpora" in ran.stderr


def test_a_diff_says_what_got_worse_and_exits_1(place: Path) -> None:
    my_ruling(place)
    rulings("run", "mine", "-o", "good.json")
    rulings("run", "mine", "-e", engine(Daylight), "-o", "bad.json")

    worse = rulings("diff", "good.json", "bad.json")
    better = rulings("diff", "bad.json", "good.json", "--format", "json")
    same = rulings("diff", "bad.json", "bad.json")

    assert worse.exit_code == 1
    assert "newly failing (1)" in worse.stdout
    assert "pass → fail: step 2, designation: expected night, got day" in worse.stdout
    assert better.exit_code == 0
    assert json.loads(better.stdout)["summary"]["newly passing"] == 1
    assert (same.exit_code, same.stdout) == (0, "nothing changed\n")


# -- adapter-check, coverage, faults


def test_adapter_check_of_a_good_and_of_a_bad_adapter() -> None:
    good = rulings("adapter-check", f"cmd:{sys.executable} -m reference_engine", "-q")
    bad = rulings("adapter-check", miniature("answers_another_id"), "--format", "json")

    assert good.exit_code == 0
    assert "checks passed" in good.stdout
    assert bad.exit_code == 1
    assert any(check["findings"] for check in json.loads(bad.stdout)["checks"])
    assert rulings("adapter-check", "cmd:false").exit_code == 3


def test_coverage_accounts_for_every_official_ruling() -> None:
    data = json.loads(rulings("coverage", "--named", "--format", "json").stdout)

    assert next(iter(data)) == "summary"
    assert list(data["summary"]) == [
        "official", "covered", "untestable", "uncovered", "rules", "witnessed"
    ]  # fmt: skip
    counted = sum(data["summary"][key] for key in ("covered", "untestable", "uncovered"))
    assert counted == data["summary"]["official"] == len(data["rulings"])


def test_coverage_shows_gaps_first_in_each_form() -> None:
    words = ("coverage", "--named", ONE)

    data = json.loads(rulings(*words, "--format", "json").stdout)
    states = [one["state"] for one in data["rulings"]]
    text = rulings(*words).stdout
    markdown = rulings(*words, "--format", "markdown").stdout

    assert states == sorted(states, key=["uncovered", "untestable", "covered"].index)
    assert text.index("uncovered (") < text.index(", covered (")
    assert max(map(len, text.splitlines())) <= 80
    assert markdown.startswith("## Coverage: ")


def test_a_rule_is_witnessed_when_breaking_it_is_noticed() -> None:
    found = json.loads(rulings("coverage", "728.2a", "--format", "json", "-j", "1").stdout)

    rules = {one["number"]: one["witnessed"] for one in found["rules"]}
    assert rules["728.2a"] is True
    assert found["summary"]["witnessed"] == sum(rules.values())


def test_faults_names_what_catches_each() -> None:
    ran = rulings(
        "faults", "728.2a", "--fault", "does-nothing", "--fault", "counts-every-players-spells",
        "--format", "json", "-j", "1",
    )  # fmt: skip

    faults = {one["name"]: one for one in json.loads(ran.stdout)["faults"]}
    assert faults["counts-every-players-spells"]["caught_by"]
    assert faults["counts-every-players-spells"]["rule"] == "502.2"


# -- terminals


@pytest.mark.parametrize(
    ("env", "words", "colored"),
    [
        ({}, (), False),
        ({}, ("--color", "always"), True),
        ({"FORCE_COLOR": "1"}, (), True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, (), False),
        ({"FORCE_COLOR": "1"}, ("--color", "never"), False),
    ],
)
def test_colour_is_for_terminals_and_for_who_asks(
    env: dict[str, str], words: tuple[str, ...], colored: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in env.items():
        monkeypatch.setenv(name, value)

    assert ("\x1b[" in rulings("run", ONE, *words).stdout) is colored


def on_a_terminal(words: list[str], env: dict[str, str]) -> str:
    """Run with a terminal on all three streams and give what it saw."""
    import pty

    parent, child = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "harness", *words],
        stdin=child,
        stdout=child,
        stderr=child,
        env={**os.environ, "TERM": "xterm", **env},
    )
    os.close(child)
    seen = b""
    while True:
        try:
            chunk = os.read(parent, 65536)
        except OSError:
            break
        if not chunk:
            break
        seen += chunk
    running.wait()
    os.close(parent)
    return seen.decode()


def test_a_terminal_gets_colour_and_progress_and_a_pipe_neither(place: Path) -> None:
    script = place / "slow.py"
    script.write_text(
        "import sys, time\n"
        f"sys.path.insert(0, {str(MINIATURES)!r})\n"
        "from mini import hello, say\n"
        "import json\n"
        "input(); say(hello())\n"
        "for line in sys.stdin:\n"
        "    request = json.loads(line)\n"
        "    if request['type'] == 'bye': break\n"
        "    time.sleep(0.3)\n"
        "    say({'type': 'error', 'id': request['id'], 'reason': 'no'})\n"
    )
    text = RULING + RULING.partition("scenarios:\n")[2].replace("nobody", "again nobody")
    words = ["run", my_ruling(place, text), "-qq", "-e", f"cmd:{sys.executable} {script}"]

    seen = on_a_terminal(words, {})
    plain = on_a_terminal(words, {"NO_COLOR": "1"})
    piped = process(*words)

    assert "wrong" in seen
    assert "\x1b[31m" in seen
    assert "\x1b[31m" not in plain
    assert "\x1b" not in piped.stdout + piped.stderr
    assert piped.stderr == ""
