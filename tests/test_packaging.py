"""The wheel has all that is needed, and nothing of it is found only in a checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from harness import __version__

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        timeout=120,
    )
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Unpack the wheel, as an installation does."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def from_wheel(unpacked: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command line from the unpacked wheel, away from the checkout."""
    return subprocess.run(
        [sys.executable, "-m", "harness", *words],
        cwd=unpacked,
        env={**os.environ, "PYTHONPATH": str(unpacked)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_wheel_has_the_version_that_the_tool_says(wheel: Path) -> None:
    assert wheel.name == f"card_rulings-{__version__}-py3-none-any.whl"


def test_every_file_of_the_packages_is_in_the_wheel(unpacked: Path) -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "harness", "reference_engine", "rulings"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.splitlines()
    if not tracked:
        pytest.skip("not a checkout")

    assert [
        name for name in tracked if (ROOT / name).exists() and not (unpacked / name).exists()
    ] == []


def test_the_wheel_has_data_schemas_pages_and_types(unpacked: Path) -> None:
    for needed in (
        "rulings/catalog.yaml",
        "rulings/editions.yaml",
        "rulings/schema/ruling.json",
        "harness/protocol/README.md",
        "harness/protocol/schema",
        "harness/reports/schema/report.json",
        "harness/checks/pages",
        "harness/py.typed",
        "reference_engine/py.typed",
    ):
        assert (unpacked / needed).exists(), needed
    assert list(unpacked.glob("*.dist-info/licenses/LICENSE"))


def test_nothing_but_the_packages_is_in_the_wheel(unpacked: Path) -> None:
    names = {path.name for path in unpacked.iterdir() if not path.name.endswith(".dist-info")}

    assert names == {"harness", "reference_engine", "rulings"}


def test_the_main_job_runs_from_the_wheel(unpacked: Path) -> None:
    ran = from_wheel(unpacked, "run", "daybound-spell-at-night", "-v")

    assert (ran.returncode, ran.stderr) == (0, "")
    assert " passed in " in ran.stdout.splitlines()[-1]
    where = from_wheel(unpacked, "list", "daybound-spell-at-night", "--format", "json").stdout
    assert str(ROOT) not in where


def test_the_versions_tested_are_the_versions_named() -> None:
    tox = (ROOT / "tox.ini").read_text(encoding="utf-8")
    named = [
        line.rpartition(" ")[2]
        for line in PROJECT["project"]["classifiers"]
        if line.startswith("Programming Language :: Python :: 3.")
    ]

    assert named == ["3.11", "3.12", "3.13"]
    assert all(f"py{version.replace('.', '')}" in tox for version in named)
    assert PROJECT["project"]["requires-python"] == ">=3.11"


def test_the_changelog_names_this_version_or_what_comes_next() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    assert f"## [{__version__}]" in changelog or "## [Unreleased]" in changelog
