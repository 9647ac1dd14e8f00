"""Every check has a fixture that holds the error expected, and a page whose examples are true.

A fixture is a file with one thing wrong. Its first lines are comments that say what must be found:

    # expect: 9:18: R001 no object is called 'rufian'; did you mean 'ruffian'? (at …)

one such line a problem, and, where it matters, `# file:` with the path in the corpus that the file
stands for (2021-09-24/fixture-ruling.yaml otherwise) and `# pad:` with the size to fill it up to.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from harness.checks import CHECKS, check_paths, page
from harness.checks.base import Check

HERE = Path(__file__).parent
FIXTURES = sorted((HERE / "fixtures").iterdir())
RULING = "2021-09-24/fixture-ruling.yaml"

SCENARIO = """\
ruling: {key: fixture-ruling, source: official, date: 2021-09-24}
rules: ["702.145b"]
scenarios:
  - name: it enters
"""
DEFAULTS = {
    "why": "why: Daybound says so.\n",
    "given": """\
given:
  designation: night
  alice: {hand: [{id: ruffian, card: Tavern Ruffian}]}
""",
    "steps": """\
steps:
  - cast: {player: alice, object: ruffian}
  - resolve: all
  - expect: {objects: {ruffian: {face: back}}}
""",
}
PLACES = {
    "scenario": RULING,
    "file": RULING,
    "card": "cards/grizzly-bears.yaml",
    "catalog": "catalog.yaml",
    "editions": "editions.yaml",
}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Give a small corpus of its own: a few cards, two catalogue entries, three editions."""
    return Path(shutil.copytree(HERE / "corpus", tmp_path / "corpus"))


def found(corpus: Path, place: str, data: bytes | None) -> list[str]:
    """Put a file into the corpus and give what is wrong with it, without the file's name."""
    file = corpus / place
    file.parent.mkdir(exist_ok=True)
    if data is not None:
        file.write_bytes(data)
    beside = sorted(path for path in (corpus / "cards").iterdir() if path.stem == file.stem)
    lines = [str(problem).removeprefix(f"{file}:") for problem in check_paths([*beside, file])]
    return [line.replace(f"{corpus}/", "") for line in lines]


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda path: str(path.stem))
def test_a_fixture_gives_exactly_the_problem_that_it_expects(fixture: Path, corpus: Path) -> None:
    data = fixture.read_bytes()
    header = {"file": RULING, "pad": "0"}
    expected = []
    for line in data.decode("utf-8", "replace").splitlines():
        match = re.fullmatch(r"# (expect|file|pad): (.*)", line)
        if match is None:
            break
        if match[1] == "expect":
            expected.append(match[2])
        else:
            header[match[1]] = match[2]
    missing = fixture.stem == "Y013-unreadable"
    data += b"#" * (int(header["pad"]) - len(data))
    assert len(expected) == 1
    assert f" {fixture.stem.partition('-')[0]} " in expected[0]
    assert found(corpus, header["file"], None if missing else data) == expected


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: str(check.code))
def test_a_check_has_a_fixture_and_a_page(check: Check) -> None:
    assert [path.name for path in FIXTURES if path.name.startswith(check.code)] == [
        f"{check.code}-{check.slug}.yaml"
    ]
    title, *rest = page(check.code).splitlines()
    assert title == f"# {check.code}: {check.slug}"
    assert "## Why" in rest
    assert (type(check).__doc__ or "").endswith(".")


def test_there_is_no_page_and_no_fixture_too_many() -> None:
    codes = [check.code for check in CHECKS]
    pages = sorted((Path(page.__code__.co_filename).parent / "pages").iterdir())
    assert sorted(path.stem for path in pages) == sorted(codes)
    assert len(FIXTURES) == len(codes) == len(set(codes))


def examples() -> list[tuple[str, str, str, str]]:
    """Give the examples of all pages: code, heading, kind and text."""
    return [
        (check.code, heading.lower(), kind, text)
        for check in CHECKS
        for heading, kind, text in re.findall(
            r"## (Bad|Good)\n\n```yaml (\w+)\n(.*?)```", page(check.code), re.DOTALL
        )
    ]


@pytest.mark.parametrize(("code", "heading", "kind", "text"), examples())
def test_the_examples_of_a_page_are_what_it_says(
    code: str, heading: str, kind: str, text: str, corpus: Path
) -> None:
    if kind == "scenario":
        missing = [
            part for key, part in DEFAULTS.items() if not re.search(rf"^{key}:", text, re.MULTILINE)
        ]
        whole = "".join([*missing, text])
        text = SCENARIO + "".join(f"    {line}\n" for line in whole.splitlines())
    problems = found(corpus, PLACES[kind], text.encode())
    codes = {line.split()[1] for line in problems}
    assert codes == ({code} if heading == "bad" else set()), problems
