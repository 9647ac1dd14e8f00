"""The tutorial of docs/adapters.md, and the examples in other languages, work as they stand."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.adapter_check import check_adapter
from harness.corpus import Corpus, load_corpus
from harness.engines import Reachable, resolve
from harness.expectations import load, settle
from harness.model import Report
from harness.runner import not_declared, run

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")
ENOUGH = 10
"""So many scenarios at least an example has to play."""


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load_corpus()


def blocks(language: str) -> Iterator[tuple[str, str]]:
    """Give the blocks of the page that begin with the name of a file."""
    for block in re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        first, _, rest = block.partition("\n")
        named = re.fullmatch(r"# (\w+\.\w+)(, continued)?", first)
        if named:
            yield named[1], rest


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the files of the page as a reader would."""
    made = tmp_path_factory.mktemp("page")
    for name, text in (*blocks("python"), *blocks("yaml")):
        with (made / name).open("a", encoding="utf-8") as file:
            file.write(text)
    assert {path.name for path in made.iterdir()} == {"dusk.py", "adapter.py", "known.yaml"}
    return made


def played(corpus: Corpus, engine: str | Reachable) -> Report:
    """Run an example on what it can play; an example is right about all of it."""
    report = run(corpus.scenarios, engine, timeout=20)
    declared = [each for each in corpus.scenarios if not_declared(each, report.engine) is None]
    verdicts = {str(result.verdict) for result in report.results}
    assert verdicts == {"pass", "unsupported"}, [
        (result.id, result.detail)
        for result in report.results
        if result.verdict in ("fail", "error")
    ]
    assert ENOUGH <= report.summary["pass"] <= len(declared)
    return report


@pytest.fixture
def there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)
    yield folder
    for module in ("adapter", "dusk"):
        sys.modules.pop(module, None)


def test_the_page_builds_an_adapter_that_plays(corpus: Corpus, there: Path) -> None:
    piped = played(corpus, f"cmd:{sys.executable} adapter.py")
    here = played(corpus, "python:adapter:engine")
    assert piped.results == here.results


def test_the_adapter_of_the_page_has_no_finding(corpus: Corpus, there: Path) -> None:
    checkup = check_adapter(resolve(f"cmd:{sys.executable} adapter.py"), corpus.scenarios)
    assert checkup.findings == ()
    assert checkup.answered > 0


def test_the_expectations_of_the_page_can_be_read(folder: Path, corpus: Corpus) -> None:
    expectations = load(folder / "known.yaml")
    known = {scenario.id: scenario.aliases for scenario in corpus.scenarios}
    faults = settle(expectations, [], known).faults
    assert [fault for fault in faults if "matches no scenario" in fault] == []


def test_the_commands_of_the_page_are_known() -> None:
    commands = re.findall(r"^\$ (rulings .*)$", PAGE, re.MULTILINE)
    assert commands
    for line in commands:
        words = shlex.split(line)
        options = [word for word in words[2:] if word.startswith("--")]
        done = subprocess.run(
            [sys.executable, "-m", "harness", words[1], "--help"],
            capture_output=True,
            text=True,
            timeout=20,
        )
        assert done.returncode == 0, line
        for option in options:
            assert option in done.stdout, line


def test_the_engine_of_the_page_is_a_toy() -> None:
    engine = dict(blocks("python"))["dusk.py"]
    lines = [line for line in engine.splitlines() if line.strip()]
    assert len(lines) <= 115


def test_links_of_the_page_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", PAGE):
        assert (ROOT / "docs" / target).resolve().exists(), target


# -- other languages

JAVASCRIPT = f"cmd:node {shlex.quote(str(ROOT / 'examples/javascript/adapter.mjs'))}"
JAVA = ROOT / "examples" / "java" / "Adapter.java"

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")
needs_java = pytest.mark.skipif(shutil.which("javac") is None, reason="there is no javac")


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Compile the example once; `java Adapter.java` would compile it at every start."""
    classes = tmp_path_factory.mktemp("classes")
    subprocess.run(["javac", "-d", classes, JAVA], check=True, timeout=120)
    return f"cmd:java -XX:TieredStopAtLevel=1 -cp {shlex.quote(str(classes))} Adapter"


@needs_node
def test_the_example_in_javascript_plays_like_the_page(corpus: Corpus, there: Path) -> None:
    report = played(corpus, JAVASCRIPT)
    assert report.engine.language == "JavaScript"
    ours = played(corpus, "python:adapter:engine")
    assert [each.verdict for each in report.results] == [each.verdict for each in ours.results]


@needs_node
def test_the_example_in_javascript_has_no_finding(corpus: Corpus) -> None:
    assert check_adapter(resolve(JAVASCRIPT), corpus.scenarios).findings == ()


@needs_java
def test_the_example_in_java_plays_like_the_page(corpus: Corpus, there: Path) -> None:
    report = played(corpus, f"cmd:java {shlex.quote(str(JAVA))}")
    assert report.engine.language == "Java"
    ours = played(corpus, "python:adapter:engine")
    assert [each.verdict for each in report.results] == [each.verdict for each in ours.results]


@needs_java
@pytest.mark.slow
def test_the_example_in_java_has_no_finding(corpus: Corpus, java: str) -> None:
    assert check_adapter(resolve(java), corpus.scenarios).findings == ()
