"""An engine that misbehaves costs its own scenario and the time-out, and nothing else.

Each miniature says in its docstring what it does wrong. They run behind real pipes.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from harness import connection
from harness.connection import GRACE, CannotStartError, Pipe
from harness.model import Report, Result
from harness.runner import run
from harness.scenario import Scenario

MakeScenario = Callable[..., Scenario]

MINIATURES = Path(__file__).parent / "miniatures"
TIMEOUT = 0.5

LOOK = {"expect": {"designation": "night"}}
GOOD = ({"concede": {"player": "alice"}}, LOOK)
BAD = ({"concede": {"player": "bob"}}, LOOK)


def miniature(name: str, *arguments: str) -> str:
    return "cmd:" + shlex.join([sys.executable, str(MINIATURES / f"{name}.py"), *arguments])


@pytest.fixture
def three(scenario: MakeScenario) -> list[Scenario]:
    """Bob's scenario, in which the miniature misbehaves, between two in which it does not."""
    return [
        scenario(*GOOD, name="before", needs=()),
        scenario(*BAD, name="bob's", needs=()),
        scenario(*GOOD, name="after", needs=()),
    ]


@pytest.fixture(autouse=True)
def nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail if any process that descends from the test is there at its end."""
    mark = uuid.uuid4().hex
    monkeypatch.setenv("TEST_MARK", mark)
    yield
    assert list(marked(mark)) == []


def marked(mark: str) -> Iterator[str]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if f"TEST_MARK={mark}".encode() in (entry / "environ").read_bytes():
                    yield (entry / "cmdline").read_text().replace("\0", " ")
            except OSError:
                continue


def outcome(result: Result) -> tuple[str, str, str]:
    detail = result.detail or {}
    return result.verdict.value, detail.get("kind", ""), detail.get("reason", "")


SILENT = f"no answer within {TIMEOUT:g} s"

MISBEHAVIOURS = [
    ("dies_in_the_middle", "crash", "ended with exit status 1"),
    ("killed", "crash", "was killed by SIGSEGV"),
    ("never_answers", "timeout", SILENT),
    ("answers_late", "timeout", SILENT),
    ("answers_another_id", "protocol", "asked for 2, it answered 1002"),
    ("answers_the_one_before", "timeout", f"{SILENT} (it answered 1 again)"),
    ("half_a_line", "timeout", f'{SILENT}; half a line came: \'{{"type": "observations", "id": \''),
    (
        "half_a_line_and_dies",
        "crash",
        'ended with exit status 0, in the middle of a line: \'{"type": "observations", "id": \'',
    ),
    ("invalid_utf8", "protocol", "not UTF-8 (invalid continuation byte at byte 39): "),
    ("half_a_character", "protocol", "half of a surrogate pair in "),
    ("not_json", "protocol", "not JSON (Expecting value: line 1 column 1 (char 0)): "),
    ("not_a_number", "protocol", "not JSON (NaN is not JSON): "),
    ("nested", "protocol", "nested too deeply: "),
    ("long_line", "protocol", "a line of more than 1048576 bytes: "),
    ("endless_output", "protocol", "asked for 2, it answered null"),
    ("endless_stderr", "timeout", SILENT),
    ("children_outlive_it", "crash", "ended with exit status 1"),
    ("closes_its_output", "crash", "closed its standard output and went on running"),
    ("too_few_observations", "protocol", "the scenario looks once, the reply has no observations"),
    ("too_many_observations", "protocol", "the scenario looks once, the reply has 2 observations"),
]


@pytest.mark.parametrize(("name", "kind", "reason"), MISBEHAVIOURS)
def test_it_costs_its_own_scenario_and_the_time_out(
    three: list[Scenario], name: str, kind: str, reason: str
) -> None:
    seen: list[Result] = []
    report = run(three, miniature(name), timeout=TIMEOUT, on_result=seen.append)
    assert report.complete
    assert list(report.results) == seen
    before, bobs, after = map(outcome, report.results)
    assert before == after == ("pass", "", "")
    assert bobs[:2] == ("error", kind)
    assert bobs[2].startswith(reason)
    assert bobs[2].isprintable()
    assert report.seconds < TIMEOUT + GRACE + 3
    json.dumps(report.results[1].to_json(), ensure_ascii=False).encode()


@pytest.mark.parametrize(
    "name", ["good", "answers_twice", "leaves_after_each_answer", "much_stderr"]
)
def test_it_costs_nothing(three: list[Scenario], name: str) -> None:
    report = run(three, miniature(name), timeout=5)
    assert [outcome(result) for result in report.results] == [("pass", "", "")] * 3


def test_children_that_outlive_the_end_are_ended(three: list[Scenario]) -> None:
    report = run(three, miniature("children_outlive_the_end"), timeout=TIMEOUT)
    assert report.summary["pass"] == 3


def test_one_that_stays_after_bye_is_ended(
    three: list[Scenario], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "GRACE", 0.5)
    began = time.monotonic()
    report = run(three, miniature("stays_after_bye"), timeout=TIMEOUT)
    assert report.summary["pass"] == 3
    assert time.monotonic() - began < GRACE + 2


def test_the_log_is_the_last_of_standard_error(three: list[Scenario]) -> None:
    report = run(three, miniature("dies_in_the_middle"), timeout=TIMEOUT)
    detail = report.results[1].detail
    assert detail is not None
    assert detail["log"].splitlines()[-1] == "AssertionError: a permanent without a controller"
    report = run(three, miniature("endless_stderr"), timeout=TIMEOUT)
    detail = report.results[1].detail
    assert detail is not None
    assert len(detail["log"]) <= 4096 and "WARN stack trace follows" in detail["log"]


def test_a_request_that_nobody_reads_ends_by_the_time_out(scenario: MakeScenario) -> None:
    many = [{"id": f"card-{number}", "card": "Plains"} for number in range(5000)]
    large = scenario(*GOOD, given={"alice": {"hand": many}}, needs=())
    report = run([large], miniature("does_not_read"), timeout=TIMEOUT)
    assert outcome(report.results[0]) == ("error", "timeout", SILENT)
    # and one that is read arrives whole
    assert run([large], miniature("good"), timeout=5).summary["pass"] == 1


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("dies_at_start", "ended with exit status 3"),
        ("another_version", "it speaks protocol 99, this harness speaks 1"),
        ("refuses_the_version", "it answered hello with an error: I speak protocol 7"),
        ("nameless", "its hello gives no engine.name"),
    ],
)
def test_it_cannot_start(three: list[Scenario], name: str, reason: str) -> None:
    with pytest.raises(CannotStartError) as caught:
        run(three, miniature(name))
    assert caught.value.reason == reason
    if name == "dies_at_start":
        assert caught.value.log == "no such file: cards.db"


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("/nowhere/engine --fast", "/nowhere/engine: No such file or directory"),
        (str(MINIATURES / "good.py"), "Permission denied"),
        ("sleep 60", "no answer within 0.3 s"),
        ("cat", "it answered hello with a protocol that is no number"),
        ("echo hello", "not JSON (Expecting value: line 1 column 1 (char 0)): 'hello'"),
    ],
)
def test_what_is_no_engine_cannot_start(three: list[Scenario], command: str, reason: str) -> None:
    with pytest.raises(CannotStartError) as caught:
        run(three, f"cmd:{command}", start_timeout=0.3 if "sleep" in command else 5)
    assert reason in caught.value.reason or command == "cat"


def test_one_that_cannot_start_again_costs_what_follows_but_not_what_was(
    scenario: MakeScenario, tmp_path: Path
) -> None:
    needed = tmp_path / "needed"
    needed.touch()
    names = ("first", "second", "third", "fourth", "fifth", "sixth")
    scenarios = [
        scenario(*(BAD if name == "second" else GOOD), name=name, needs=()) for name in names
    ]
    report = run(scenarios, miniature("cannot_start_again", str(needed)), timeout=TIMEOUT)
    assert [outcome(result) for result in report.results] == [
        ("pass", "", ""),
        ("error", "crash", "ended with exit status 1"),
        ("error", "start", "ended with exit status 1"),
        ("error", "start", "ended with exit status 1"),
        ("error", "start", "ended with exit status 1"),
        ("error", "start", "it did not start 3 times in a row"),
    ]


def test_names_are_kept_as_they_are_and_cut(three: list[Scenario]) -> None:
    """Who shows them escapes them; here they only have to survive being written."""
    report = run(three, miniature("rude_names"), timeout=TIMEOUT)
    assert report.engine.name.startswith("\x1b]0;owned\x07")
    assert [result.verdict for result in report.results] == ["fail", "error", "fail"]
    detail = report.results[0].detail
    assert detail is not None and detail["reason"] == report.engine.name
    written = json.dumps(report_json(report))
    assert "\x1b" not in written
    assert json.loads(written)["engine"]["name"] == report.engine.name


def report_json(report: Report) -> dict[str, Any]:
    return {
        "engine": report.engine.to_json(),
        "results": [result.to_json() for result in report.results],
    }


@pytest.mark.parametrize("what", ["capability", "card"])
def test_unsupported_for_something_declared_is_an_error(scenario: MakeScenario, what: str) -> None:
    asks = {**BAD[0], "choices": [{"player": "bob", "choose": "yes"}]}
    one = scenario(asks if what == "capability" else BAD[0], LOOK, needs=())
    report = run([one], miniature("falsely_unsupported"), timeout=TIMEOUT)
    name = {"capability": "choices", "card": "Plains"}[what]
    assert outcome(report.results[0]) == (
        "error",
        "false-unsupported",
        f"it declared the {what} {name} and then said that it is unsupported",
    )


def test_different_answers_are_unstable_which_is_a_fail(three: list[Scenario]) -> None:
    report = run(three, miniature("unstable"), timeout=TIMEOUT, repeat=4)
    assert [result.verdict for result in report.results] == ["pass", "fail", "pass"]
    detail = report.results[1].detail
    assert detail is not None
    assert (detail["kind"], detail["step"], detail["path"]) == ("unstable", 2, "designation")
    assert (detail["expected"], detail["got"]) == ("night", "day")
    assert detail["reason"] == "4 plays gave different answers: 2 fail, 2 pass"


@pytest.mark.parametrize("name", ["dies_in_the_middle", "never_answers", "not_json"])
def test_with_jobs_the_report_is_the_same(scenario: MakeScenario, name: str) -> None:
    scenarios = [
        scenario(*(BAD if number % 5 == 2 else GOOD), name=str(number), needs=())
        for number in range(12)
    ]
    alone = run(scenarios, miniature(name), timeout=TIMEOUT)
    seen: list[Result] = []
    together = run(scenarios, miniature(name), timeout=TIMEOUT, jobs=4, on_result=seen.append)
    assert together.results == alone.results
    assert seen == list(alone.results)
    assert together.complete


def test_results_that_come_out_of_order_are_put_in_order(scenario: MakeScenario) -> None:
    scenarios = [
        scenario(
            *GOOD, name=str(number), needs=(), given={"turn": {"number": 1 if number < 2 else 2}}
        )
        for number in range(12)
    ]
    seen: list[str] = []
    report = run(
        scenarios,
        miniature("slow"),
        timeout=5,
        jobs=4,
        on_result=lambda result: seen.append(result.id),
    )
    assert seen == [each.id for each in scenarios] == [result.id for result in report.results]


INTERRUPTED = """
import json, sys
sys.path.insert(0, sys.argv[1])
from conftest import make
from harness.runner import run
look = {"expect": {"designation": "night"}}
scenarios = [
    make({"concede": {"player": player}}, look, name=str(number), needs=())
    for number, player in enumerate(["alice", "bob", "alice", "alice"])
]
report = run(
    scenarios, sys.argv[2], jobs=int(sys.argv[3]), timeout=60,
    on_result=lambda result: print("ready", flush=True),
)
print(json.dumps([report.complete, [result.verdict.value for result in report.results]]))
"""


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_reports_what_was_done_and_leaves_nothing(
    jobs: int, number: signal.Signals
) -> None:
    engine = miniature("never_answers")
    argv = [sys.executable, "-c", INTERRUPTED, str(Path(__file__).parent), engine, str(jobs)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        complete, verdicts = json.loads(process.communicate(timeout=10)[0])
    assert process.returncode == 0
    assert not complete
    assert verdicts == ["pass", "not_run", "not_run", "not_run"]


def test_with_fail_fast_the_rest_is_not_run(three: list[Scenario]) -> None:
    report = run(three, miniature("too_few_observations"), timeout=TIMEOUT, fail_fast=True)
    assert [result.verdict for result in report.results] == ["pass", "error", "not_run"]
    assert not report.complete


def test_a_pipe_that_is_forgotten_ends_its_process() -> None:
    pipe = Pipe([sys.executable, str(MINIATURES / "never_answers.py")])
    del pipe


def test_every_miniature_is_used() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    for path in MINIATURES.glob("*.py"):
        assert path.stem == "mini" or f'"{path.stem}"' in text, path.name


def test_verdicts_are_told_apart() -> None:
    assert {kind for _, kind, _ in MISBEHAVIOURS} == {"crash", "timeout", "protocol"}
