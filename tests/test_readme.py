"""Every example of the README runs, and prints what the README says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"(?:<!-- (?P<mark>[^\n]*?) -->\n)?```(?P<kind>\w+)\n(?P<text>.*?)```", re.S)
BLOCKS = [(found["mark"], found["kind"], found["text"]) for found in BLOCK.finditer(README)]


def examples() -> Iterator[tuple[str, str]]:
    """Give each command of a console block with the output below it."""
    for _, kind, text in BLOCKS:
        if kind == "console":
            for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
                command, _, output = part.partition("\n")
                yield command, output


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with the files that the README has one write."""
    folder = tmp_path_factory.mktemp("readme")
    for mark, _, text in BLOCKS:
        if mark and mark.startswith("file: "):
            file = folder / mark.removeprefix("file: ")
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
    return folder


def shell(command: str, place: Path) -> subprocess.CompletedProcess[str]:
    bin_folder = str(Path(sys.executable).parent)
    env = {k: v for k, v in os.environ.items() if not k.startswith(("GITHUB_", "FORCE_COLOR"))}
    env["PATH"] = f"{bin_folder}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        command, shell=True, cwd=place, env=env, capture_output=True, text=True, timeout=60
    )


def looks_like(expected: str) -> re.Pattern[str]:
    """Give a pattern for an output in which `…` stands for anything, and `===` for any bar."""
    text = re.escape(expected.rstrip("\n"))
    text = re.sub(r"=={3,}", "=+", text.replace(re.escape("…"), ".*?"))
    return re.compile(text + r"\n?", re.S)


@pytest.mark.parametrize(("command", "output"), list(examples()), ids=lambda part: part[:50])
def test_an_example_prints_what_the_readme_says(command: str, output: str, place: Path) -> None:
    ran = shell(command, place)

    assert ran.stderr == ""
    assert looks_like(output).fullmatch(ran.stdout), ran.stdout
    assert ran.returncode == (1 if "failed" in output else 0)


def test_the_two_commands_are_a_line_each() -> None:
    commands = {mark: text for mark, kind, text in BLOCKS if kind == "sh" and mark}

    assert set(commands) == {"main command", "test command"}
    for text in commands.values():
        assert text.count("\n") == 1
        assert shlex.split(text)[:3] == ["python3", "-m", "venv"]
    assert commands["main command"].rstrip().endswith("rulings run")
    assert commands["test command"].rstrip().endswith("tox")


def test_every_command_that_the_readme_names_exists(place: Path) -> None:
    named = set(re.findall(r"(?:`|\$ |/bin/|^)rulings ([a-z][a-z-]+)", README, re.M))
    helped = shell("rulings --help", place).stdout

    assert len(named) > 8
    assert {name for name in named if f"  {name} " not in helped} == set()


def test_the_pages_that_the_readme_links_are_there() -> None:
    links = re.findall(r"\]\(([^)]+)\)", README)

    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
