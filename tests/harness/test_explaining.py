"""`rulings explain`: step by step what an engine reported; and the messages that were sent."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from harness import corpus
from harness.cli import cli
from harness.protocol import Adapter, EngineInfo

HERE = Path(__file__).parent
NO_SPELL = "2021-09-24/day-to-night#no spell in a whole turn"

RULING = """\
ruling: {key: day-to-night, source: official, date: 2021-09-24}
rules: ["728.2a"]
scenarios:
  - name: refused
    why: Bob cannot cast it in Alice's turn.
    given: {bob: {hand: [{id: bear, card: Grizzly Bears}]}}
    steps:
      - expect: {designation: neither}
      - cast: {player: bob, object: bear}
        refused: true
  - name: allowed
    why: Alice can cast it.
    given: {alice: {hand: [{id: bear, card: Grizzly Bears}]}}
    steps:
      - cast: {player: alice, object: bear}
      - resolve: all
      - expect: {objects: {bear: {zone: battlefield}}}
  - name: of bob
    why: Bob can cast it in his own turn.
    given: {turn: {active: bob}, bob: {hand: [{id: bear, card: Grizzly Bears}]}}
    steps:
      - cast: {player: bob, object: bear}
      - resolve: all
      - expect: {objects: {bear: {zone: battlefield}}}
"""


class Rude(Adapter[None]):
    """Says what a terminal would obey, and half of what it is asked."""

    engine = EngineInfo("\x1b[2Jrude", "1")
    capabilities = ("events",)

    def set_up(self, given: Any, cards: Any) -> None:
        sys.stderr.write("setting up\n")

    def act(self, game: None, step: Any) -> None:
        return None

    def observe(self, game: None, look: Any) -> Any:
        return {"designation": "\x1b[31mday"}


class Never(Rude):
    """Refuses everything."""

    def act(self, game: None, step: Any) -> None:
        from harness.protocol import Refused

        raise Refused("not\ntoday")

    def observe(self, game: None, look: Any) -> Any:
        return {"designation": "neither"}


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
    """Be in a folder with a ruling of ours, with the corpus at hand."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(corpus, "load_corpus", cached)
    monkeypatch.syspath_prepend(str(HERE))
    (tmp_path / "mine.yaml").write_text(RULING)
    yield tmp_path


def explain(*words: str) -> Result:
    return CliRunner().invoke(cli, ["explain", *words], prog_name="rulings")


def steps(done: Result) -> list[str]:
    """Give the lines of the steps, without how the game stands and what it came to."""
    parts = done.stdout.split("\n\n")
    return [line for line in parts[1].splitlines() if not line.startswith("      It")][1:]


def test_what_holds_is_shown_with_what_was_reported() -> None:
    done = explain(NO_SPELL)

    assert (done.exit_code, done.stderr) == (0, "")
    assert steps(done) == [
        "   1  The game goes on to Alice's end step.",
        "   2  ✓ designation  day",
        "      ✓ turn.active  alice",
        "      ✓ turn.step    end",
        "      ✓ no events    did not happen: became: night",
        "      ✓ no events    did not happen: transformed: stowaway",
        "   3  The game goes on to Bob's upkeep.",
        "   4  ✓ designation            night",
        "      ✓ objects.stowaway.face  back",
        "      ✓ objects.stowaway.name  Seafaring Werewolf",
        "      ✓ events                 turn: bob; became: night; transformed: stowaway,",
        "        player: alice; step: upkeep, active: bob",
    ]
    assert "\n✓ passed\n  rule      502.2, 728.2a\n" in done.stdout


def test_what_does_not_hold_is_shown_with_what_was_expected_at_every_look() -> None:
    done = explain(NO_SPELL, "--engine", "fault:does-nothing")

    assert done.exit_code == 1
    told = steps(done)
    assert "      ✗ turn.step    precombat main, expected end" in told
    assert "   4  ✗ designation            day, expected night" in told  # after the first fail too
    assert (
        "✗ failed\n  why       step 2, turn.step: expected end, got precombat main" in done.stdout
    )


def test_a_refusal_is_shown_where_it_came_and_the_rest_is_not_reached() -> None:
    done = explain("mine.yaml", "-e", "python:test_explaining:Never")

    first, second, _ = done.stdout.split("─" * 80)[1:]
    assert done.exit_code == 1
    assert (
        "   1  ✓ designation  neither\n"
        "   2  Bob casts Grizzly Bears. This is not allowed.\n"
        "      ✓ refused: not\\ntoday\n\n✓ passed"
    ) in first
    assert (
        "   1  Alice casts Grizzly Bears.\n      ✗ refused: not\\ntoday\n"
        "   2  Everything on the stack resolves.\n"
        "   3  · Grizzly Bears is on the battlefield.\n\n✗ failed\n"
    ) in second


def test_what_is_allowed_and_should_not_be_is_shown() -> None:
    done = explain("mine#refused", "-e", "fault:does-nothing")

    assert done.exit_code == 1
    assert "This is not allowed.\n      ✗ it was allowed\n\n✗ failed" in done.stdout


def test_half_an_answer_is_shown_as_it_came_and_nothing_obeys_it() -> None:
    done = explain(NO_SPELL, "-e", "python:test_explaining:Rude")

    assert done.exit_code == 1
    assert "\x1b" not in done.stdout
    assert "      ! reported designation: \\x1b[31mday" in done.stdout
    assert "! error\n  why       protocol: observation 1 (step 2): " in done.stdout


def test_the_log_and_the_exact_messages_of_an_engine() -> None:
    words = [NO_SPELL, "--engine", f"cmd:{sys.executable} -m reference_engine", "--protocol"]

    done = explain(*words)

    head, _, messages = done.stdout.partition("── protocol ─")
    sent, received = messages.splitlines()[1:]
    [known] = [s for s in corpus.load_corpus().scenarios if s.id == NO_SPELL]
    message = json.loads(sent.removeprefix("> "))
    assert message["given"].pop("edition") == "2024-06-07"
    assert message == json.loads(json.dumps(known.request(1)))
    assert json.loads(received.removeprefix("< "))["type"] == "observations"
    assert "\n✓ passed\n" in head
    shown = CliRunner().invoke(cli, ["show", NO_SPELL, "--protocol"], prog_name="rulings").stdout
    assert json.loads(shown)["steps"] == message["steps"]


def test_every_step_is_asked_about_where_that_is_wanted() -> None:
    done = explain("mine#allowed", "--every-step")

    assert done.exit_code == 0
    assert steps(done) == [
        "   1  Alice casts Grizzly Bears.",
        "        neither, alice, precombat main",
        "        bear: zone: stack, face: front",
        "        stack: object: bear, ability of: nothing",
        "   2  Everything on the stack resolves.",
        "        neither, alice, precombat main",
        "        bear: zone: battlefield, face: front",
        "   3  ✓ objects.bear.zone  battlefield",
    ]
    refused = explain("mine#refused", "--every-step")
    half = explain(NO_SPELL, "--every-step", "-e", "python:test_explaining:Rude")
    assert (refused.exit_code, half.exit_code) == (0, 1)
    assert "\x1b" not in half.stdout


def test_what_an_engine_wrote_on_standard_error_is_shown(place: Path) -> None:
    engine = place / "loud.py"
    engine.write_text(
        f"import sys\nsys.path.insert(0, {str(HERE)!r})\n"
        "from test_explaining import Rude\nfrom harness.protocol import serve\nserve(Rude())\n"
    )

    done = explain("mine#refused", "-e", f"cmd:{sys.executable} {engine}")

    assert "── its log ─" in done.stdout
    assert "\n  setting up\n" in done.stdout


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ((NO_SPELL, "-e", "refrence"), 2, "no engine is called 'refrence'"),
        ((NO_SPELL, "-e", "cmd:no-such-program"), 3, "cmd:no-such-program could not be started"),
        (("no-such-thing",), 2, "nothing selected: no scenario matches 'no-such-thing'"),
        ((), 2, "missing argument"),
    ],
)
def test_what_cannot_be_explained(words: tuple[str, ...], status: int, said: str) -> None:
    done = explain(*words)

    assert (done.exit_code, done.stdout) == (status, "")
    assert said in done.stderr


@pytest.mark.parametrize(
    ("miniature", "said"),
    [
        ("dies_in_the_middle", "! error\n  why       crash: "),
        ("not_json", "! error\n  why       protocol: "),
        ("nested", "! error\n  why       protocol: "),
        ("too_many_observations", "! error\n  why       protocol: "),
    ],
)
def test_an_engine_that_breaks_is_explained_too(miniature: str, said: str) -> None:
    done = explain("mine#of bob", "-e", f"cmd:{sys.executable} {HERE}/miniatures/{miniature}.py")

    assert done.exit_code == 1
    assert said in done.stdout
    assert "   3  " in done.stdout
