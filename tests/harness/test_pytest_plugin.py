"""`pytest --rulings`: scenarios as tests, run by a pytest within the test."""

from __future__ import annotations

import functools
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

import harness.checks
import harness.protocol
import harness.reports
import reference_engine
from harness import corpus
from harness.cli import cli

pytest_plugins = ["pytester"]

FILE = "2021-09-24/day-to-night"
NO_SPELL = f"{FILE}#no spell in a whole turn"
ONE_SPELL = f"{FILE}#one spell is enough to keep it day"
STILL = "fault:does-nothing"

ENGINES = """
    from harness.protocol import Adapter, EngineInfo, Unsupported

    class Shy(Adapter):
        engine = EngineInfo("shy", "1")
        def set_up(self, given, cards):
            raise Unsupported("given", "anything", "I cannot")
        def act(self, game, step): pass
        def observe(self, game, look): return {}

    STARTS = []

    def broken():
        STARTS.append(1)
        raise RuntimeError("no fuel, start %d" % len(STARTS))
"""


@pytest.fixture(scope="module")
def cached() -> Any:
    """Load the corpus once for the whole module, and once all that a pytest within would.

    What it loads itself is gone when it ends, and some modules (PyYAML's) cannot come twice.
    """
    for package in (harness, harness.checks, harness.protocol, harness.reports, reference_engine):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            if not module.ispkg and not module.name.endswith("__main__"):
                importlib.import_module(module.name)
    load = corpus.load_corpus

    @functools.cache
    def whole() -> corpus.Corpus:
        return load()

    def cached(*args: Any, **more: Any) -> corpus.Corpus:
        return load(*args, **more) if any((*args, *more.values())) else whole()

    return cached


@pytest.fixture(autouse=True)
def _place(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, cached: Any) -> None:
    """Be in an empty folder that has some engines, with the corpus at hand."""
    monkeypatch.setattr(corpus, "load_corpus", cached)
    for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "FORCE_COLOR", "PYTEST_ADDOPTS"):
        monkeypatch.delenv(name, raising=False)
    pytester.makepyfile(engines=ENGINES)
    pytester.syspathinsert()


LEAN = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-p", "no:xdist")
"""Plugins that have nothing to do with it, and that a pytest within would load anew each time."""


def rulings(pytester: pytest.Pytester, *words: str) -> pytest.RunResult:
    return pytester.runpytest_inprocess("--rulings", *LEAN, *words)


def listed(pytester: pytest.Pytester, *entries: str) -> str:
    """Write a list of known failures and give the option that names it."""
    text = "engine: still 1\nexpectations:\n" + "".join(
        f"  - {{reason: Known to us., {entry}}}\n" for entry in entries
    )
    pytester.makefile(".yaml", known=text)
    return "--rulings-expectations=known.yaml"


# -- off


def test_off_it_collects_nothing(pytester: pytest.Pytester) -> None:
    ran = pytester.runpytest_inprocess(*LEAN, "--collect-only")

    assert ran.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    ran.stdout.no_fnmatch_line("*2021-09-24*")


def test_off_it_loads_nothing_of_the_harness() -> None:
    code = (
        "import sys, pytest; before = set(sys.modules); import harness.pytest_plugin;"
        "print(*sorted(set(sys.modules) - before))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout.split() == ["harness", "harness.pytest_plugin"]


# -- collecting


def test_each_scenario_is_an_item_with_its_id(pytester: pytest.Pytester) -> None:
    ran = rulings(pytester, "--collect-only", "-q", "--rulings-select", FILE)

    wanted = [s.id for s in corpus.load_corpus().scenarios if s.id.startswith(f"{FILE}#")]
    assert [line for line in ran.outlines if "::" in line] == [f"rulings::{id_}" for id_ in wanted]
    assert len(wanted) > 4


@pytest.mark.parametrize(
    ("words", "some"),
    [
        (("-k", "702.145c"), lambda s: any("702.145c" in rule for rule in s.rules)),
        (("-k", "Moonmist and not night-to-day"), lambda s: "Moonmist" in s.cards),
        (("-m", 'rulings(source="regression")'), lambda s: s.source == "regression"),
        (("-m", 'rulings(date="2021-11-19") and rulings(level="must")'), None),
    ],
)
def test_k_and_m_choose(pytester: pytest.Pytester, words: tuple[str, ...], some: Any) -> None:
    ran = rulings(pytester, "--collect-only", "-q", "--strict-markers", *words)

    ids = {line.partition("::")[2] for line in ran.outlines if line.startswith("rulings::")}
    scenarios = [s for s in corpus.load_corpus().scenarios if s.id in ids]
    assert 0 < len(scenarios) < 400
    if some is not None and "-m" in words:
        assert all(map(some, scenarios))
    elif some is not None:
        assert any(map(some, scenarios))
    else:
        assert {(s.date, s.level) for s in scenarios} == {("2021-11-19", "must")}


def test_scenarios_stand_beside_tests_and_an_id_stands_alone(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_mine="def test_mine(): pass")

    both = rulings(pytester, "--rulings-select", NO_SPELL)
    alone = rulings(pytester, f"rulings::{NO_SPELL}", "-v")
    named = rulings(pytester, f"rulings::{NO_SPELL}", "test_mine.py")
    folder = rulings(pytester, "rulings::2021-11-19")

    both.assert_outcomes(passed=2)
    alone.assert_outcomes(passed=1)
    alone.stdout.fnmatch_lines([f"rulings::{NO_SPELL} PASSED*"])
    named.assert_outcomes(passed=2)
    assert folder.parseoutcomes()["passed"] > 20


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--rulings-engine", "refrence"), "no engine is called 'refrence'; did you mean 'refer*"),
        (("--rulings-select", "no-such-thing"), "nothing selected: no scenario matches 'no-such*"),
        (("rulings::2021-09-24/day-to-nigh",), "no scenario is rulings::2021-09-24/day-to-nigh"),
        (("--rulings-edition", "1993-08-05"), "no edition '1993-08-05'*"),
        (("--rulings-expectations", "engines.py"), "engines.py:*"),
    ],
)
def test_bad_usage_is_an_error_in_a_line(
    pytester: pytest.Pytester, words: tuple[str, ...], said: str
) -> None:
    ran = rulings(pytester, *words)

    assert ran.ret == pytest.ExitCode.INTERRUPTED
    ran.stdout.fnmatch_lines(["*ERROR collecting rulings*", said])
    ran.stdout.no_fnmatch_line("*Traceback*")


# -- playing


def test_the_reference_engine_passes(pytester: pytest.Pytester) -> None:
    ran = rulings(pytester, "--rulings-select", FILE, "--junitxml=junit.xml")

    assert ran.ret == pytest.ExitCode.OK
    case = next(iter(ET.parse(pytester.path / "junit.xml").iter("testcase")))
    assert (case.get("classname"), case.get("name")) == ("rulings", NO_SPELL)
    properties = {each.get("name"): each.get("value") for each in case.iter("property")}
    assert properties == {"rules": "502.2 728.2a", "verdict": "pass"}


def test_a_failure_is_shown_as_the_text_report_shows_it(pytester: pytest.Pytester) -> None:
    words = ["run", NO_SPELL, "--engine", STILL]
    report = CliRunner().invoke(cli, words, prog_name="rulings").stdout.splitlines()
    begin = next(at for at, line in enumerate(report) if line.startswith("── fail ─"))
    end = next(at for at, line in enumerate(report) if line.startswith("  again"))
    told = "\n".join(report[begin : end + 2]).rstrip()

    ran = rulings(pytester, "--rulings-engine", STILL, f"rulings::{NO_SPELL}")

    ran.assert_outcomes(failed=1)
    assert told in ran.stdout.str()
    assert "expected  end" in told
    assert "rulings run --engine fault:does-nothing" in told
    ran.stdout.fnmatch_lines([f"FAILED rulings::{NO_SPELL} - step 2, tu*"])


@pytest.mark.parametrize(
    ("engine", "scenario", "entry", "outcome", "said"),
    [
        (STILL, NO_SPELL, "verdict: fail", {"xfailed": 1}, "XFAIL*Known to us."),
        (STILL, NO_SPELL, "verdict: fail, step: 2", {"xfailed": 1}, "XFAIL*Known to us."),
        (STILL, NO_SPELL, "verdict: fail, step: 4", {"failed": 1}, "*expects fail at step 4: *"),
        (STILL, NO_SPELL, "verdict: unsupported", {"failed": 1}, "*expects unsupported: *"),
        (STILL, NO_SPELL, "verdict: fail, until: 2021-12-31", {"failed": 1}, "*step 2, turn*"),
        ("reference", NO_SPELL, "verdict: fail", {"failed": 1}, "FAILED * - [[]XPASS(str*"),
        ("reference", NO_SPELL, "verdict: pass", {"passed": 1}, "*1 passed*"),
        ("python:engines:Shy", NO_SPELL, "verdict: unsupported", {"xfailed": 1}, "XFAIL*"),
        ("python:engines:Shy", NO_SPELL, "verdict: fail", {"failed": 1}, "*expects fail: *"),
        (STILL, NO_SPELL, "verdict: pass", {"failed": 1}, "*expects pass: *"),
    ],
)
def test_every_outcome_is_set_against_the_list(
    pytester: pytest.Pytester,
    engine: str,
    scenario: str,
    entry: str,
    outcome: dict[str, int],
    said: str,
) -> None:
    option = listed(pytester, f'{entry}, scenarios: ["{scenario}"]')

    ran = rulings(pytester, option, "--rulings-engine", engine, f"rulings::{scenario}", "-rxf")

    ran.assert_outcomes(**outcome)
    nothing_played = "Shy" in engine
    assert ran.ret == (1 if "failed" in outcome or nothing_played else 0)
    ran.stdout.fnmatch_lines([said])


def test_runxfail_shows_what_is_known(pytester: pytest.Pytester) -> None:
    option = listed(pytester, f'verdict: fail, scenarios: ["{NO_SPELL}"]')

    ran = rulings(pytester, option, "--rulings-engine", STILL, "--runxfail", f"rulings::{NO_SPELL}")

    ran.assert_outcomes(failed=1)


@pytest.mark.parametrize(
    ("engine", "outcome"),
    [("reference", {"passed": 1}), (STILL, {"xfailed": 1})],
)
def test_what_is_in_quarantine_counts_neither_way(
    pytester: pytest.Pytester, engine: str, outcome: dict[str, int]
) -> None:
    doubts = f'quarantine:\n  - {{scenarios: ["{NO_SPELL}"], reason: In doubt.}}\n'
    pytester.makefile(".yaml", doubts=doubts)
    words = ["--rulings-quarantine=doubts.yaml", "--rulings-engine", engine, "-rx"]

    ran = rulings(pytester, *words, f"rulings::{NO_SPELL}")

    ran.assert_outcomes(**outcome)
    assert ran.ret == 0
    if "xfailed" in outcome:
        ran.stdout.fnmatch_lines(["XFAIL*in quarantine: In doubt."])


def test_a_list_that_has_become_wrong_fails(pytester: pytest.Pytester) -> None:
    option = listed(pytester, 'verdict: fail, scenarios: ["2021-09-24/gone#for good"]')

    ran = rulings(pytester, option, "--rulings-select", NO_SPELL)

    ran.assert_outcomes(passed=1, failed=1)
    ran.stdout.fnmatch_lines(
        [
            "*scenario the list of known failures*",
            "line 3: matches no scenario: 2021-09-24/gone#for good",
            "FAILED rulings::the list of known failures - line 3*",
        ]
    )


def test_what_is_unsupported_is_skipped_and_nothing_but_that_fails(
    pytester: pytest.Pytester,
) -> None:
    ran = rulings(
        pytester, "--rulings-engine", "python:engines:Shy", f"rulings::{FILE}", "-rs", "-k", "spell"
    )

    outcomes = ran.parseoutcomes()
    assert set(outcomes) <= {"skipped", "deselected"}
    assert ran.ret == pytest.ExitCode.TESTS_FAILED
    ran.stdout.fnmatch_lines(
        [
            "Nothing was played: the engine supports none of these scenarios.",
            "SKIPPED*day-to-night.yaml:*: unsupported: capability events",
        ],
    )


def test_an_engine_that_does_not_start_is_tried_once_and_fails_everything(
    pytester: pytest.Pytester,
) -> None:
    ran = rulings(pytester, "--rulings-engine", "python:engines:broken", f"rulings::{FILE}")

    assert set(ran.parseoutcomes()) == {"failed"}
    ran.stdout.fnmatch_lines(["python:engines:broken could not be started: *no fuel, start 1"])
    ran.stdout.no_fnmatch_line("*start 2*")


def test_xdist_plays_the_same(pytester: pytest.Pytester) -> None:
    entry = f'verdict: fail, step: 2, scenarios: ["{NO_SPELL}"]'
    option = listed(pytester, entry)
    words = [option, "--rulings-engine", STILL, "rulings::2021-09-24/day-to-night"]
    pytester.makepyfile(test_mine="def test_mine(): pass")

    here = rulings(pytester, *words)
    there = pytester.runpytest_subprocess("--rulings", "-n2", *LEAN[:4], *words, timeout=60)

    assert there.parseoutcomes() == here.parseoutcomes()
    assert here.parseoutcomes()["xfailed"] == 1
    assert here.parseoutcomes()["failed"] > 3
    there.stdout.fnmatch_lines(["── fail ─*", "*again*rulings run --engine*"])


# -- the fixture


def test_the_fixture_gives_a_python_engine_in_this_process(pytester: pytest.Pytester) -> None:
    page = (Path(__file__).parents[2] / "docs" / "ci.md").read_text(encoding="utf-8")
    [shown] = re.findall(r"```python\n(.*?)```", page, re.S)
    pytester.makepyfile(test_shown=shown)
    pytester.makepyfile(
        test_mine=f"""
        def test_passes(rulings_engine):
            [result] = rulings_engine.play({NO_SPELL!r})
            assert result.verdict == "pass"
            assert rulings_engine.about.name == "reference"

        def test_is_here(rulings_engine):
            assert type(rulings_engine.adapter).__module__ == "reference_engine.adapter"
        """
    )

    ran = pytester.runpytest_inprocess(*LEAN)

    ran.assert_outcomes(passed=3)


def test_the_fixture_says_that_another_process_is_not_this_one(
    pytester: pytest.Pytester,
) -> None:
    pytester.makepyfile(test_mine="def test_mine(rulings_engine): pass")
    good = Path(__file__).parent / "miniatures" / "good.py"

    ran = pytester.runpytest_inprocess(*LEAN, "--rulings-engine", f"cmd:{sys.executable} {good}")

    ran.assert_outcomes(errors=1)
    ran.stdout.fnmatch_lines(["cmd:* runs in a process of its own, not in that of pytest"])
