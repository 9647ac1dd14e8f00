"""How much of the rules do the scenarios alone hold in place? Mutation testing.

Mutates the modules of the reference engine in which the rules of day and night, transforming,
the turn and attachment stand, one small change at a time, and plays the whole corpus on each:

    python benchmarks/mutate.py [--module turn] [--jobs 2] [--keep FILE]

The mutants are made by cosmic-ray, in a virtual environment and on a copy of the project that
the script makes in a temporary folder. A mutant that no scenario fails is printed as a survivor:
either a scenario is missing, or the change does not change what the engine does.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = ("day_night", "transform", "turn", "attachment")
PLAY = "{python} -m harness run -qq -x --edition {edition}"
EDITIONS = ("2024-06-07", "2025-09-19")
CONFIG = """
[cosmic-ray]
module-path = "reference_engine/{module}.py"
timeout = 120.0
excluded-modules = []
test-command = "{command}"
[cosmic-ray.distributor]
name = "local"
[cosmic-ray.filters.operators-filter]
exclude-operators = ["core/ReplaceBinaryOperator_BitOr_.*", "core/ReplaceBinaryOperator_.*_BitOr"]
"""
"""`X | None` stands in annotations only, which nothing evaluates: those mutants are no change."""


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command and give what it printed; raises `CalledProcessError`."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, check=True, text=True, capture_output=True)
    return done.stdout


def prepare(folder: Path) -> Path:
    """Make the environment in which everything runs; give its Python."""
    run(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    python = folder / "venv" / "bin" / "python"
    run(python, "-m", "pip", "-q", "install", "cosmic-ray", ROOT, cwd=folder)
    return python


def copy(folder: Path) -> Path:
    """Copy what is mutated and played, so that the project itself is never touched."""
    place = Path(tempfile.mkdtemp(dir=folder))
    for part in ("harness", "reference_engine", "rulings", "pyproject.toml"):
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, place / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, place / part)
    return place


def mutate(module: str, folder: Path, python: Path) -> list[tuple[str, str]]:
    """Play all mutants of a module; give the outcome and the change of each."""
    place = copy(folder)
    script = place / "play.sh"
    lines = [PLAY.format(python=python, edition=edition) for edition in EDITIONS]
    script.write_text("#!/bin/sh\nset -e\n" + "\n".join(lines) + "\n")
    script.chmod(0o755)
    config = place / "mutate.toml"
    config.write_text(CONFIG.format(module=module, command="sh play.sh"))
    session = place / "session.sqlite"
    binaries = python.parent
    run(binaries / "cosmic-ray", "init", config, session, cwd=place)
    run(binaries / "cr-filter-operators", session, config, cwd=place)
    run("sh", script, cwd=place)  # the corpus passes on the engine as it is
    run(binaries / "cosmic-ray", "exec", config, session, cwd=place)
    with sqlite3.connect(session) as database:
        return database.execute(
            "select test_outcome, diff from work_results where worker_outcome = 'NORMAL'"
        ).fetchall()


def main() -> int:
    """Mutate, play, and print the score and the survivors."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--module", action="append", choices=MODULES, help="only this module")
    options.add_argument("--jobs", type=int, default=2, help="modules at a time")
    options.add_argument("--keep", type=Path, help="write all outcomes there as JSON")
    chosen = options.parse_args()
    modules = chosen.module or list(MODULES)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        python = prepare(folder)
        with ThreadPoolExecutor(chosen.jobs) as pool:
            played = dict(
                zip(
                    modules,
                    pool.map(lambda module: mutate(module, folder, python), modules),
                    strict=True,
                )
            )
    killed = total = 0
    for module, outcomes in played.items():
        gone = [diff for outcome, diff in outcomes if "SURVIVED" not in outcome.upper()]
        print(f"{module:12} {len(gone):4} of {len(outcomes):4} mutants killed")
        killed, total = killed + len(gone), total + len(outcomes)
        for outcome, diff in outcomes:
            if "SURVIVED" in outcome.upper():
                changed = [line for line in diff.splitlines() if line[:1] in "+-@"]
                print("   ", "\n    ".join(changed[2:]))
    print(f"{killed} of {total}: {killed / total:.1%}" if total else "no mutants")
    if chosen.keep:
        chosen.keep.write_text(json.dumps(played, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
