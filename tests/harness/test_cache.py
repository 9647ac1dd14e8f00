"""What is kept about good files spares work and changes nothing."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from harness import cache, sources, yamlfile
from harness.corpus import BadCorpus, Corpus, load_corpus

SMALL = Path(__file__).parent / "checks" / "corpus"
RULING = """\
ruling: {key: fixture-ruling, source: official, date: 2021-09-24}
rules: ["702.145b"]
scenarios:
  - name: it enters
    why: Daybound says so.
    given:
      designation: night
      alice: {hand: [{id: ruffian, card: Tavern Ruffian}]}
    steps:
      - cast: {player: alice, object: ruffian}
      - resolve: all
      - expect: {objects: {ruffian: {face: back}}}
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Give a corpus with one ruling."""
    root = Path(shutil.copytree(SMALL, tmp_path / "rulings"))
    (root / "2021-09-24").mkdir()
    (root / "2021-09-24" / "fixture-ruling.yaml").write_text(RULING)
    return root


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the folder that the cache is in."""
    monkeypatch.setenv("RULINGS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Give a list that gets every file that is read as YAML."""
    seen: list[bytes] = []
    really = yamlfile.read

    def read(data: bytes) -> yamlfile.Document:
        seen.append(data)
        return really(data)

    monkeypatch.setattr(yamlfile, "read", read)
    return seen


def file_of(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


def same(one: Corpus, other: Corpus) -> bool:
    return (one.scenarios, one.cards, one.catalog, one.editions, one.digest) == (
        other.scenarios,
        other.cards,
        other.catalog,
        other.editions,
        other.digest,
    )


def test_a_second_load_reads_no_yaml_and_gives_the_same(
    root: Path, folder: Path, reads: list[bytes]
) -> None:
    cold = load_corpus(root)
    assert len(reads) == len(list(root.rglob("*.yaml")))
    reads.clear()
    warm = load_corpus(root)
    assert reads == []
    assert same(cold, warm)
    assert warm.scenarios[0].steps[2].line == 12


def test_a_change_of_a_file_is_seen(root: Path, folder: Path, reads: list[bytes]) -> None:
    load_corpus(root)
    reads.clear()
    path = root / "2021-09-24" / "fixture-ruling.yaml"
    path.write_text(RULING.replace("face: back", "face: front"))
    expect = load_corpus(root).scenarios[0].steps[2].expect
    assert expect == {"objects": {"ruffian": {"face": "front"}}}
    assert len(reads) == 1


def test_a_ruling_is_good_only_with_the_cards_it_was_found_good_with(
    root: Path, folder: Path
) -> None:
    load_corpus(root)
    (root / "cards" / "tavern-ruffian.yaml").unlink()
    with pytest.raises(BadCorpus) as caught:
        load_corpus(root)
    assert [problem.code for problem in caught.value.problems] == ["R005"]


def test_a_bad_file_is_told_each_time(root: Path, folder: Path) -> None:
    (root / "2021-09-24" / "bad.yaml").write_text(RULING.replace("night", "nite"))
    problems = []
    for _ in range(2):
        with pytest.raises(BadCorpus) as caught:
            load_corpus(root)
        problems.append(caught.value.problems)
    assert problems[0] == problems[1]
    assert len(problems[0]) > 0


def test_what_goes_together_wrong_is_found_though_each_file_is_known(
    root: Path, folder: Path
) -> None:
    load_corpus(root)
    shutil.copy(
        root / "2021-09-24" / "fixture-ruling.yaml", root / "2021-09-24" / "fixture-ruling.yml"
    )
    for _ in range(2):
        with pytest.raises(BadCorpus) as caught:
            load_corpus(root)
        assert [(p.code, p.line) for p in caught.value.problems] == [("R009", 4)]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-7],
        lambda data: b"{}" + data,
        lambda data: data.replace(b"Tavern Ruffian", b"Tavern Smasher"),
        lambda data: b"\xff" * 100,
        lambda data: data.split(b"\n")[0] + b"\n" + b"[" * 100_000,
    ],
)
def test_a_damaged_cache_is_as_good_as_none(root: Path, folder: Path, damage: object) -> None:
    good = load_corpus(root)
    file = file_of(folder)
    whole = file.read_bytes()
    assert callable(damage)
    file.write_bytes(damage(whole))
    assert same(load_corpus(root), good)
    assert json.loads(file.read_bytes().partition(b"\n")[2]) == json.loads(
        whole.partition(b"\n")[2]
    )


def test_another_version_of_the_tool_trusts_nothing(
    root: Path, folder: Path, reads: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    load_corpus(root)
    reads.clear()
    monkeypatch.setattr(cache, "_tool", lambda: "f" * 64)
    load_corpus(root)
    assert len(reads) == len(list(root.rglob("*.yaml")))
    assert len(list(folder.iterdir())) == 2


def test_a_byte_of_a_schema_makes_another_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = cache._tool()
    monkeypatch.setattr(sources, "root", lambda: tmp_path)
    shutil.copytree(Path(cache.__file__).parent.parent / "rulings" / "schema", tmp_path / "schema")
    assert cache._tool() == before
    with (tmp_path / "schema" / "card.json").open("a") as schema:
        schema.write(" ")
    assert cache._tool() != before


def test_files_of_other_versions_do_not_stay_for_ever(
    root: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.mkdir()
    old = folder / "corpus-0123.json"
    old.write_text("old")
    monkeypatch.setattr(cache, "OLDEST", -1)
    load_corpus(root)
    assert not old.exists()
    assert file_of(folder).exists()


@pytest.mark.parametrize("word", ["off", "OFF"])
def test_it_can_be_turned_off(
    root: Path, tmp_path: Path, word: str, reads: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULINGS_CACHE", word)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    load_corpus(root)
    count = len(reads)
    load_corpus(root)
    assert len(reads) == 2 * count
    assert not (tmp_path / "home").exists()


def test_it_is_in_the_cache_folder_of_the_user(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RULINGS_CACHE")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    load_corpus(root)
    assert file_of(tmp_path / "home" / ".cache" / "card-rulings").is_file()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    load_corpus(root)
    assert file_of(tmp_path / "xdg" / "card-rulings").is_file()
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    load_corpus(root)
    assert not Path("relative").exists()


def test_a_folder_that_cannot_be_written_is_no_error(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("RULINGS_CACHE", str(tmp_path / "file" / "cache"))
    assert len(load_corpus(root).scenarios) == 1


def test_it_does_not_grow_for_ever(
    root: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_corpus(root)
    monkeypatch.setattr(cache, "LARGEST", file_of(folder).stat().st_size + 10)
    path = root / "2021-09-24" / "fixture-ruling.yaml"
    for number in range(4):
        path.write_text(RULING.replace("it enters", f"it enters, {number}"))
        load_corpus(root)
    assert file_of(folder).stat().st_size < cache.LARGEST + 10


def test_many_may_use_it_at_once(root: Path, folder: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from harness.corpus import load_corpus;"
        "print(load_corpus(Path(sys.argv[1])).digest)"
    )

    def load(_: int) -> str:
        command = [sys.executable, "-c", code, str(root)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    with ThreadPoolExecutor(4) as pool:
        digests = set(pool.map(load, range(4)))
    assert digests == {f"{load_corpus(root).digest}\n"}
    assert [path.suffix for path in folder.iterdir()] == [".json"], "nothing half-written is left"
