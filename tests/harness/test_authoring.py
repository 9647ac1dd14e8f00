"""`rulings new`: what it writes passes `rulings check` and is a game that can be played."""

from __future__ import annotations

import functools
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from harness import authoring, corpus, runner, sources
from harness.checks import check_paths
from harness.cli import cli
from harness.model import Verdict

DAY = "2021-09-24"


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
    """Be in an empty folder, with the corpus at hand."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(corpus, "load_corpus", cached)
    yield tmp_path


def rulings(*words: str, answers: str | None = None) -> Result:
    return CliRunner().invoke(cli, words, input=answers, prog_name="rulings")


def new(*words: str, answers: str | None = None) -> Path:
    """Have a file written, and give it."""
    done = rulings("new", *words, answers=answers)
    assert done.exit_code == 0, done.stderr
    path, _, after = done.stdout.partition("\n")
    assert after == f"Next: fill it in, with `rulings run {path} --watch` beside it.\n"
    return Path(path)


# -- what is written


def test_a_date_a_card_and_a_rule_make_an_official_ruling() -> None:
    path = new(
        "--date", DAY, "--card", "Tavern Ruffian", "--rule", "702.145b",
        "--key", "daybound-spell-at-night",
    )  # fmt: skip

    text = path.read_text(encoding="utf-8")
    assert path == Path(f"{DAY}/daybound-spell-at-night.yaml")
    assert f'\n  source: official\n  date: {DAY}\nrules: ["702.145b"]\n' in text
    assert "{id: ruffian, card: Tavern Ruffian}" in text
    assert rulings("check", str(path)).exit_code == 0
    assert rulings("run", str(path)).exit_code == 0


def test_a_rule_alone_makes_a_file_of_that_rule() -> None:
    path = new("--rule", "728.2a", "--rule", "502.2")

    text = path.read_text(encoding="utf-8")
    assert path == Path("comprehensive-rules/728.2a.yaml")
    assert 'key: "728.2a"\n  source: comprehensive-rules\nrules: ["728.2a", "502.2"]' in text
    assert rulings("check", str(path)).exit_code == 0
    assert rulings("run", str(path)).exit_code == 0


@pytest.mark.parametrize(
    ("words", "path"),
    [
        (("--source", "regression", "--key", "untaps-twice"), "regressions/untaps-twice.yaml"),
        (("--source", "card-text", "--card", "watchwolf"), "card-texts/watchwolf.yaml"),
        (("--key", "day-to-night"), "2021-09-24/day-to-night.yaml"),
    ],
)
def test_the_other_sources(words: tuple[str, ...], path: str) -> None:
    written = new(*words, "--rule", "502.2")

    assert written == Path(path)
    assert rulings("check", path).exit_code == 0


def test_every_card_makes_a_scenario_that_check_takes_and_most_can_be_played(place: Path) -> None:
    known = corpus.load_corpus()
    for card in known.cards:
        what = authoring.wanted(known, "card-text", None, None, card, ["702.145b"])
        draft = authoring.draft(what, known, place)
        draft.path.parent.mkdir(exist_ok=True)
        draft.path.write_text(draft.text, encoding="utf-8")

    assert check_paths([place]) == []

    scenarios = corpus.load_corpus(select=["card-texts"], files=[place / "card-texts"]).scenarios
    mine = [s for s in scenarios if s.path.startswith(str(place))]
    assert len(mine) == len(known.cards)
    played = runner.run(mine, "reference").results
    wrong = {result.file for result in played if result.verdict is Verdict.FAIL}
    assert len(wrong) < len(mine) / 4
    assert not [file for file in wrong if re.search("/(memnite|plains|shock|pacifism).yaml", file)]


def test_it_writes_into_the_corpus_that_is_there(place: Path) -> None:
    mine = place / "rulings"
    (mine / "schema").mkdir(parents=True)
    (mine / "schema" / "ruling.json").write_text("{}")
    (mine / "catalog.yaml").write_text(
        "rulings:\n"
        "  - key: my-own\n    dates: [2030-01-02]\n    kind: card\n    cards: [Memnite]\n"
        f"    digest: {'0' * 64}\n    gist: Memnite does nothing.\n    testable: true\n"
    )

    path = new("--date", "2030-01-02", "--card", "Memnite", "--rule", "301.1")

    assert path == Path("rulings/2030-01-02/my-own.yaml")
    first, second, *_ = path.read_text(encoding="utf-8").splitlines()
    assert first == "# yaml-language-server: $schema=../schema/ruling.json"
    assert second == "# Memnite does nothing."
    assert rulings("check", "rulings").exit_code == 0, rulings("check", "rulings").stdout


# -- asking


def test_what_is_not_said_is_asked_for() -> None:
    done = rulings("new", answers=f"{DAY}\ntavern smasher\nday-to-night\n702.145b 502.2\n")

    assert done.exit_code == 0, done.stderr
    text = Path(done.stdout.partition("\n")[0]).read_text(encoding="utf-8")
    assert "key: day-to-night" in text
    assert "card: Tavern Ruffian" in text
    assert 'rules: ["702.145b", "502.2"]' in text


def test_rulings_without_a_scenario_are_offered_first(cached: Any) -> None:
    known = cached()
    shown = {key for one in known.scenarios for key in (one.ruling, *one.proves)}

    offered = [key for key, _ in authoring.keys_of(known, DAY, "Tavern Ruffian")]

    assert [key in shown for key in offered] == sorted(key in shown for key in offered)
    assert "mechanics-article" not in offered  # it cannot be shown


def test_a_number_chooses_and_anything_else_is_refused() -> None:
    asked = rulings("new", "--date", DAY, "--rule", "502.2", answers="2\n")
    refused = rulings("new", "--date", DAY, "--rule", "502.2", answers="700\n")

    second = re.findall(r"^ +2  (\S+)$", asked.stderr, re.M)
    assert Path(f"{DAY}/{second[0]}.yaml").exists()
    assert refused.exit_code == 2
    assert "'700' is none of them; expected 1 to " in refused.stderr


def test_where_nobody_answers_it_says_what_is_missing(place: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "harness", "new", "--date", DAY, "--key", "day-to-night"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.endswith("rulings: --rule is missing, and nobody answers\n")
    assert list(place.iterdir()) == []


# -- what cannot be


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--rule", "728.2z"), "the edition of 2024-06-07 has no rule 728.2z; did you mean '728.2"),
        (("--rule", "502.2", "--card", "Tavern Rufian"), "called 'Tavern Rufian'; did you mean"),
        (("--rule", "502.2", "--date", "1999-01-01"), "the catalogue has no rulings of 1999-01-01"),
        (("--rule", "502.2", "--date", DAY, "--card", "Memnite"), "no ruling of 2021-09-24 on Mem"),
        (("--rule", "502.2", "--key", "day-to-nigt", "--date", DAY), "did you mean 'day-to-night'"),
        (("--rule", "502.2", "--key", "mechanics-article"), "mechanics-article cannot be shown: "),
        (("--rule", "502.2", "--source", "regression"), "a regression needs a key"),
        (("--rule", "502.2", "--source", "card-text"), "a card text needs its card"),
        (("--rule", "502.2", "--source", "regression", "--key", "../x"), "'../x' is no key: "),
        (
            ("--rule", "502.2", "--key", "day-to-night", "--date", "2021-11-19"),
            "day-to-night is of 2021-09-24, 2024-11-08, not of 2021-11-19",
        ),
    ],
)
def test_what_there_is_not_is_said_in_a_line(
    words: tuple[str, ...], said: str, place: Path
) -> None:
    done = rulings("new", *words)

    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(place.iterdir()) == []


def test_a_file_that_is_there_is_never_written_over() -> None:
    path = new("--rule", "728.2a")
    path.write_text("mine\n")

    done = rulings("new", "--rule", "728.2a")

    assert (done.exit_code, done.stderr) == (
        2,
        "rulings: comprehensive-rules/728.2a.yaml is there already: add a scenario to it\n",
    )
    assert path.read_text() == "mine\n"


def test_the_corpus_here_is_found(place: Path) -> None:
    assert authoring.corpus_at(place) is None
    assert authoring.corpus_at(sources.root().parent) == sources.root()
    assert authoring.corpus_at(sources.root() / DAY) == sources.root()
