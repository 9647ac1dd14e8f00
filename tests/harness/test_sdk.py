"""The Python SDK: one class, the same answers in process and over a pipe."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest

from harness.connection import InProcess, Pipe
from harness.messages import problems
from harness.protocol import (
    Adapter,
    EngineInfo,
    Refused,
    Unsupported,
    answer,
    serve,
)
from harness.protocol.sdk import reply_to, to_line

Game = dict[str, Any]


class Toy(Adapter[Game]):
    """Knows the designation, and does as the object of each step is named."""

    engine = EngineInfo("toy", "1.2", language="Python", license="MIT")
    capabilities = ("events",)
    closed = False

    def set_up(self, given: Mapping[str, Any], cards: Mapping[str, Mapping[str, Any]]) -> Game:
        if given.get("designation") == "refused":
            raise Refused("not like that")
        if "Moonmist" in cards:
            raise Unsupported("card", "Moonmist", "not written yet")
        return {"designation": given.get("designation", "neither")}

    def act(self, game: Game, step: Mapping[str, Any]) -> None:
        if step["do"] == "concede":
            raise Unsupported("step", "concede")
        word = step.get("object")
        if word == "illegal":
            raise Refused("it is illegal")
        if word == "bug":
            raise ZeroDivisionError("a bug")
        if word == "print":
            print("to whom it may concern")  # noqa: T201 - it must not be taken for a reply
        game["designation"] = "night"

    def observe(self, game: Game, look: Mapping[str, Any]) -> Mapping[str, Any]:
        if "objects" in look:
            return {"objects": {"wolf": {"types": {"creature", "artifact"}, "name": "Wölf"}}}
        if "players" in look:
            return {"players": {"alice": {"life": object()}}}
        if "stack" in look:
            return {"stack": [{"object": "half \ud83d"}]}
        return {"designation": game["designation"]}

    def close(self) -> None:
        self.closed = True


def toy() -> Toy:
    return Toy()


LOOK = {"do": "look", "designation": True}


def cast(word: str = "wolf") -> dict[str, Any]:
    return {"do": "cast", "player": "alice", "object": word, "targets": [], "choices": []}


def run(*steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    given = {"designation": "day"}
    return {"type": "run", "id": 7, "given": given, "steps": list(steps), "cards": {}, **more}


def test_hello_says_who_it_is() -> None:
    assert answer(Toy(), {"type": "hello", "protocol": [2, 1]}) == {
        "type": "hello",
        "protocol": 1,
        "engine": {
            "name": "toy",
            "version": "1.2",
            "language": "Python",
            "homepage": None,
            "license": "MIT",
        },
        "capabilities": ["events"],
        "cards": None,
    }


@pytest.mark.parametrize("versions", [[2], [], 1, None, "1"])
def test_hello_in_another_version_is_an_error(versions: Any) -> None:
    reply = answer(Toy(), {"type": "hello", "protocol": versions})
    assert reply["type"] == "error" and reply["id"] is None
    assert reply["reason"] == f"this adapter speaks protocol 1, asked for {versions!r}"


def test_a_run_is_set_up_acted_and_observed() -> None:
    assert answer(Toy(), run(LOOK, cast(), LOOK)) == {
        "type": "observations",
        "id": 7,
        "observations": [{"designation": "day"}, {"designation": "night"}],
    }


def test_refused_names_the_step_and_what_was_seen_before() -> None:
    assert answer(Toy(), run(LOOK, cast("illegal"), LOOK)) == {
        "type": "refused",
        "id": 7,
        "step": 2,
        "reason": "it is illegal",
        "observations": [{"designation": "day"}],
    }


def test_unsupported_says_what() -> None:
    assert answer(Toy(), run(LOOK, cards={"Moonmist": {}})) == {
        "type": "unsupported",
        "id": 7,
        "what": "card",
        "name": "Moonmist",
        "reason": "not written yet",
    }
    reply = answer(Toy(), run({"do": "concede", "player": "bob"}))
    assert (reply["what"], reply["name"], reply["reason"]) == ("step", "concede", "")


def test_a_bug_becomes_an_error_and_its_traceback_goes_to_the_log() -> None:
    log: list[str] = []
    reply = answer(Toy(), run(cast("bug")), log.append)
    assert reply == {"type": "error", "id": 7, "reason": "ZeroDivisionError: a bug"}
    assert "".join(log).endswith("ZeroDivisionError: a bug\n")


def test_a_bug_is_traced_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    answer(Toy(), run(cast("bug")))
    assert "ZeroDivisionError: a bug" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("message", "number", "reason"),
    [
        (3, None, "a request is a JSON object"),
        ({"type": "dance", "id": 4}, 4, "no request has the type 'dance'"),
        ({}, None, "no request has the type None"),
        ({"type": "run"}, None, "run needs an id that is an integer"),
        (run(id=True), None, "run needs an id that is an integer"),
        (run(given=[]), 7, "run needs given and cards that are objects"),
        (run(steps="cast"), 7, "run needs a list of steps that each say what to do"),
        (run({"player": "alice"}), 7, "run needs a list of steps that each say what to do"),
        (run(given={"designation": "refused"}), 7, "refused to set the game up: not like that"),
    ],
)
def test_what_it_cannot_make_sense_of_is_an_error(
    message: Any, number: int | None, reason: str
) -> None:
    assert answer(Toy(), message) == {"type": "error", "id": number, "reason": reason}


@pytest.mark.parametrize(
    "line", [b"{", b"", b"\xff\xfe", b'{"a": ' * 50_000, b'{"type": "run", "id": ' + b"9" * 5000]
)
def test_a_line_that_is_no_message_is_an_error(line: bytes) -> None:
    reply, last = reply_to(Toy(), line)
    assert not last
    said = json.loads(reply)
    assert (said["type"], said["id"]) == ("error", None)
    assert said["reason"].startswith("not JSON in UTF-8: ")


def test_what_json_cannot_say_is_an_error_and_sets_are_lists_in_order() -> None:
    said = json.loads(reply_to(Toy(), to_line(run({"do": "look", "objects": {}})))[0])
    assert said["observations"][0]["objects"]["wolf"]["types"] == ["artifact", "creature"]
    log: list[str] = []
    said = json.loads(reply_to(Toy(), to_line(run({"do": "look", "players": {}})), log.append)[0])
    assert said == {
        "type": "error",
        "id": 7,
        "reason": "TypeError: object has no place in a JSON message",
    }


def test_unknown_keys_are_ignored() -> None:
    assert answer(Toy(), run({**LOOK, "colour": "blue"}, mood="good"))["type"] == "observations"


def test_serve_answers_line_by_line_until_bye_and_closes() -> None:
    adapter, out = Toy(), io.BytesIO()
    lines = to_line(run(LOOK)) + b"\n" + to_line({"type": "bye"}) + to_line(run(LOOK))
    serve(adapter, io.BytesIO(lines), out)
    kinds = [json.loads(line)["type"] for line in out.getvalue().splitlines()]
    assert kinds == ["observations", "error", "bye"]
    assert adapter.closed


def test_serve_closes_at_the_end_of_input_too() -> None:
    adapter = Toy()
    serve(adapter, io.BytesIO(b""), io.BytesIO())
    assert adapter.closed


SERVED = [sys.executable, "-m", "harness.protocol", f"{__name__}:toy"]
REQUESTS: list[Any] = [
    {"type": "hello", "protocol": [1]},
    run(LOOK, cast(), LOOK),
    run(LOOK, cast("illegal")),
    run(cast("bug")),
    run(cast("print"), LOOK),
    run({"do": "concede", "player": "bob"}),
    run({"do": "look", "objects": {}}),
    run({"do": "look", "players": {}}),
    run({"do": "look", "stack": []}),
    {"type": "dance"},
    17,
]


def test_in_process_and_over_a_pipe_give_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    from pathlib import Path

    monkeypatch.chdir(Path(__file__).parent)
    here, there = InProcess(Toy()), Pipe(SERVED)
    try:
        for request in REQUESTS:
            line = to_line(request)
            one, other = here.exchange(line, 5), there.exchange(line, 10)
            assert one == other
            if "print" not in str(request):
                assert here.log() == there.log()
    finally:
        here.close()
        there.close()


def test_every_answer_is_valid_by_the_schema() -> None:
    for request in REQUESTS:
        if "stack" not in str(request):
            reply = json.loads(reply_to(Toy(), to_line(request), str)[0])
            assert problems("reply", reply) == []


def test_over_a_pipe_prints_go_to_standard_error_and_bye_ends_it() -> None:
    from pathlib import Path

    lines = to_line(run(cast("print"))) + to_line({"type": "bye"})
    done = subprocess.run(
        SERVED, input=lines, capture_output=True, cwd=Path(__file__).parent, timeout=20
    )
    assert done.returncode == 0
    kinds = [json.loads(line)["type"] for line in done.stdout.splitlines()]
    assert kinds == ["observations", "bye"]
    assert done.stderr == b"to whom it may concern\n"


def test_the_end_of_input_ends_it_without_a_word() -> None:
    from pathlib import Path

    done = subprocess.run(
        SERVED, input=b"", capture_output=True, cwd=Path(__file__).parent, timeout=20
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("target", ["toy", ""])
def test_a_target_without_a_factory_is_bad_usage(target: str) -> None:
    argv = [sys.executable, "-m", "harness.protocol", *([target] if target else [])]
    done = subprocess.run(argv, capture_output=True, timeout=20)
    assert done.returncode == 2
    assert done.stderr.startswith(b"usage: ")


def test_the_sdk_needs_only_the_standard_library() -> None:
    code = (
        "import sys; before = set(sys.modules); import harness.protocol\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(sorted(new - sys.stdlib_module_names))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=20)
    assert done.stdout == "['harness']\n"
